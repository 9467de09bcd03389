//! Whether a summary holds how much something is, or how many.

use super::super::form::{is_digits, is_figure, pressure, ratio};
use super::super::setting;
use super::super::text::{holds_word, is_letter, words};
use super::Held;
use crate::memory::stem;
use crate::specifics::number::Amount;
use crate::specifics::unit;
use crate::specifics::words::Words;

/// Shorter words end too many others, in bytes.
const LONG: usize = 3;

/// Signs behind a figure in which is told that each has as much.
const NEAR: usize = 24;

/// What makes another unit of one.
const SCALES: [&str; 10] =
    ["deka", "dezi", "giga", "hekto", "kilo", "mega", "mikro", "milli", "nano", "zenti"];

/// Whether a word is written as German writes nouns.
fn is_noun(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic)
}

/// A figure and the noun of what it counts without the sign of several: `217 duplicate`. What is shorter may be a unit.
fn of_several(said: &str) -> Option<&str> {
    const SHORTEST: usize = 4;
    let sole = said.strip_suffix('s')?;
    let (figure, noun) = sole.split_once(' ')?;
    let is_noun = noun.len() >= SHORTEST && noun.chars().all(char::is_alphabetic);
    (figure.bytes().all(|byte| byte.is_ascii_digit()) && is_noun).then_some(sole)
}

impl Held {
    /// Each of its amounts, in whatever unit.
    pub(super) fn holds_number(&self, said: &str, text: &str) -> bool {
        // What is per something is another measure: `10 MB` and `10 MB/s`.
        let apart = |_: &str, after: &str| {
            !after.strip_prefix('/').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
        };
        if self.words.may_hold(said) && holds_word(&self.text, said, apart) {
            return true;
        }
        // `217 duplicates` are 217 duplicate calls.
        if let Some(sole) = of_several(said)
            && self.words.may_hold(sole)
            && holds_word(&self.text, sole, apart)
        {
            return true;
        }
        if self.swaps(said) || self.turns_back(said) {
            return false;
        }
        if said.contains('^') && self.tells_power(said) || self.says_hour(said) {
            return true;
        }
        if self.tells_sides(said) || self.tells_initial(text) || self.tells_change_of(said) {
            return true;
        }
        if self.tells_release(said) || self.tells_none(said) || self.tells_rest(said) {
            return true;
        }
        if self.counts_in_one_word(text) || self.tells_in_words(said) || self.tells_either(text) {
            return true;
        }
        if let Some(told) = self.tells_each(said) {
            return told;
        }
        if let Some((name, figure)) = setting::bound(said) {
            let meant = Amount::labelled(name, figure);
            return self.amounts.iter().any(|said| said.is_led_as(&meant));
        }
        if setting::figure(text).is_some() {
            return self.tells_setting(text);
        }
        // `Pages 871` are 871 pages; `row 12` is not twelve rows.
        let several = said
            .split_once(' ')
            .filter(|(what, _)| what.ends_with('s') && text.starts_with(char::is_uppercase));
        if let Some((what, figure)) =
            several.and_then(|(what, count)| Some((what, count.parse().ok()?)))
            && self.amounts.iter().any(|said| said.counts(what, figure))
        {
            return true;
        }
        if let Some(ratio) = ratio(said) {
            let apart =
                |before: &str, after: &str| !before.ends_with(':') && !after.starts_with(':');
            return holds_word(&self.text, ratio, apart);
        }
        if let Some(spoken) = pressure(said) {
            return self.says(&spoken);
        }
        let meant = Amount::all_of(text);
        if let [one] = &meant[..]
            && self.tells_how_many(one)
        {
            return true;
        }
        let mut left: Vec<&Amount> = self.amounts.iter().collect();
        let mut whole = meant.iter().filter(|one| one.is_whole()).peekable();
        whole.peek().is_some()
            && whole.all(|meant| {
                let at = left.iter().position(|said| said.tells(meant));
                at.map(|at| left.swap_remove(at)).is_some()
            })
    }

    /// Whether it tells one of something, one time, or a status of a server in words that have no figure, or the figure alone:
    /// `un apprenti`, `einmal`, `429 errors`.
    fn tells_in_words(&self, said: &str) -> bool {
        const ONE: [&str; 12] =
            ["a", "an", "one", "ein", "eine", "einen", "einem", "un", "une", "una", "uno", "een"];
        const ONCE: [&str; 6] = ["once", "einmal", "eenmaal", "une fois", "una vez", "una volta"];
        if let Some(thing) = said.strip_prefix("1 ").filter(|thing| thing.len() > LONG) {
            return ONE.iter().any(|one| self.says(&format!("{one} {thing}")));
        }
        if said == "1x" {
            return ONCE.iter().any(|once| self.says(once));
        }
        let status = said.strip_suffix('s').filter(|status| status.len() == 3);
        status.is_some_and(|status| is_digits(status) && self.says(status))
    }

    /// Whether it tells both of two figures of which only the second one has a unit: `500 or 200 ms`. The first one has to
    /// be large enough to be no chance.
    fn tells_either(&self, text: &str) -> bool {
        const TELLING: f64 = 100.0;
        let Some((first, second)) = text.split_once(" or ") else { return false };
        let figure = first.parse::<f64>().ok().filter(|figure| *figure >= TELLING);
        let meant = Amount::all_of(second);
        figure.is_some_and(|figure| self.amounts.iter().any(|said| said.has_figure(figure)))
            && matches!(&meant[..], [meant] if meant.is_measured() && self.tells(meant))
    }

    /// Whether it counts so many of the same in a word that says of what sort they are, as German has: `142 Bürotage`.
    fn counts_in_one_word(&self, text: &str) -> bool {
        let both = text.split_once(' ').filter(|(_, thing)| thing.len() > LONG && is_noun(thing));
        let Some((figure, thing)) = both.filter(|(figure, _)| is_figure(figure)) else {
            return false;
        };
        let thing = thing.to_lowercase();
        self.said.match_indices(figure).any(|(at, _)| {
            let is_whole = !self.said[..at].ends_with(|c: char| is_letter(c) || ".,".contains(c));
            let rest = self.said[at + figure.len()..].strip_prefix(' ').unwrap_or_default();
            let word = words(rest).next().filter(|word| is_noun(word) && rest.starts_with(word));
            is_whole
                && word.is_some_and(|word| {
                    let lower = word.to_lowercase();
                    let sort = lower.strip_suffix(&thing).unwrap_or_default();
                    sort.len() > 2 && !SCALES.contains(&sort) && unit::canonical(word).is_none()
                })
        })
    }

    /// Whether it says of so many per somebody that they are that: `68.50 a head` for `68.50 per person`. `None` for
    /// anything else, and per time.
    fn tells_each(&self, said: &str) -> Option<bool> {
        const EACH: [&str; 7] = [" a ", " an ", " apiece", " each", " per ", " pro ", "/"];
        let (figure, each) = said.split_once(" per ")?;
        if !is_figure(figure) || each.contains(' ') || unit::is_of_time(each) {
            return None;
        }
        let is_each = |at: usize| {
            let rest: String = self.text[at + figure.len()..].chars().take(NEAR).collect();
            EACH.iter().any(|each| rest.contains(each))
        };
        let is_whole = |at: usize| !self.text[..at].ends_with(|c: char| is_letter(c) || c == '.');
        Some(self.text.match_indices(figure).any(|(at, _)| is_whole(at) && is_each(at)))
    }

    /// A setting with its value, by its name or the last word of that: `keepalive of 25 s` for `PersistentKeepalive = 25`.
    pub(super) fn tells_setting(&self, text: &str) -> bool {
        let by_label = |(name, figure): (String, f64)| {
            let label = name.rsplit(' ').next().unwrap_or(&name);
            self.tells_in_seconds(&name, figure)
                || self.tells_as_named(&name, figure)
                || self.tells_in_bytes(&name, figure)
                || self.tells(&Amount::labelled(label, figure))
                || self.tells(&Amount::labelled(&name.replace(' ', ""), figure))
                || self.amounts.iter().any(|said| said.counts(label, figure))
                || self.tells_beside(&name, figure)
                || self.tells_time_near(&name, figure)
                || self.tells_time_behind(text, &name, figure)
                || self
                    .amounts
                    .iter()
                    .any(|said| said.is_percent_of(figure) && said.is_beside(label))
        };
        // One letter names what anybody may name otherwise: `b = -0.031`.
        let by_figure = |(name, figure): (String, f64)| {
            name.len() == 1 && self.amounts.iter().any(|said| said.is_fraction(figure))
        };
        setting::is_told(&self.text, text)
            || setting::figure(text).is_some_and(by_label)
            || setting::figure(text).is_some_and(by_figure)
            || self.tells_quantity(text)
    }

    /// Whether it says behind the name of what is counted how many there are: `receipts are there, seventeen are missing`.
    fn tells_how_many(&self, meant: &Amount) -> bool {
        meant.thing().is_some_and(|thing| {
            self.amounts.iter().any(|said| said.tells_how_many(meant))
                && words(&self.text).any(|word| stem(word) == thing)
        })
    }

    /// Whether it tells so many minutes or seconds beside a word of the name of a setting that has no unit: `2 h 15 min en
    /// cena` for `BLOQUEO_CENA = 135`.
    fn tells_time_near(&self, name: &str, figure: f64) -> bool {
        const FEWEST: f64 = 10.0;
        const MINUTE: f64 = 60.0;
        let is_it = |said: &Amount| {
            let is_near = || words(name).any(|word| word.len() > LONG && said.is_near(word));
            (said.lasts(figure) || said.lasts(figure * MINUTE)) && is_near()
        };
        figure >= FEWEST && self.amounts.iter().any(is_it)
    }

    /// A long figure as code groups its digits, by itself or as so many thousandths of a second: `two minutes` for `120_000`.
    pub(super) fn tells_grouped(&self, said: &str) -> bool {
        const SHORTEST: f64 = 10_000.0;
        const SECOND: f64 = 1_000.0;
        let is_grouped =
            said.contains('_') && said.bytes().all(|b| b.is_ascii_digit() || b == b'_');
        let figure = said.replace('_', "").parse().ok().filter(|_| is_grouped);
        figure.filter(|figure: &f64| *figure >= SHORTEST).is_some_and(|figure| {
            let is_it = |said: &Amount| said.has_figure(figure) || said.lasts(figure / SECOND);
            self.amounts.iter().any(is_it)
        })
    }

    /// Whether it tells a figure beside a long word of the name of a setting: `30 days default` for `default_retention = 30`.
    fn tells_beside(&self, name: &str, figure: f64) -> bool {
        const TELLING: usize = 6;
        const FEWEST: f64 = 10.0;
        let mut words = words(name).flat_map(|word| word.split('_'));
        words.any(|word| {
            let is_it = |said: &Amount| said.has_figure(figure) && said.is_beside(word);
            // Of two digits a figure is hardly another one beside a shorter word, either: `a pool of 20`.
            let is_long = word.len() > TELLING || word.len() > LONG && figure >= FEWEST;
            is_long && self.amounts.iter().any(is_it)
        })
    }

    /// Whether it names a setting whose name ends in its unit, and tells behind it in another unit how long that is, or was
    /// made: `WDT_TIMEOUT_MS lowered from 1 s to 0.2 s`.
    fn tells_time_behind(&self, text: &str, name: &str, figure: f64) -> bool {
        /// How far behind the name it may stand, in bytes.
        const REACH: usize = 60;
        let unit = name.rsplit([' ', '.']).next().unwrap_or_default();
        let scale = unit::measures(unit).into_iter().find(|(of, _)| *of == "s");
        let Some((_, scale)) = scale.filter(|_| unit.len() > 1) else { return false };
        let own = setting::parts(text).map(|(name, _)| name.trim_matches('`').to_lowercase());
        let Some(own) = own.filter(|own| self.words.may_hold(own)) else { return false };
        let meant = Amount::lasting(figure * scale);
        self.text.match_indices(&own).any(|(at, _)| {
            let rest = &self.text[at + own.len()..];
            let end = (REACH.min(rest.len())..=rest.len()).find(|&end| rest.is_char_boundary(end));
            let rest = &rest[..end.unwrap_or(rest.len())];
            let clause = rest.split([';', ',', '\n']).next().unwrap_or_default();
            let clause = clause.split(". ").next().unwrap_or_default();
            // What it became is told last.
            let last = Amount::all_of(clause).into_iter().rfind(Amount::is_measured);
            !self.text[..at].ends_with(is_letter)
                && !rest.starts_with(is_letter)
                && last.is_some_and(|last| last.tells(&meant))
        })
    }

    /// Whether it names a setting in words, and tells its value in whatever unit: `a lock timeout of four seconds` for `SET
    /// lock_timeout = '4s'`.
    fn tells_quantity(&self, text: &str) -> bool {
        let bare = text.strip_prefix("SET ").or_else(|| text.strip_prefix("set ")).unwrap_or(text);
        let Some((name, value)) = setting::parts(bare) else { return false };
        let is_named = || {
            let words = setting::in_words(name);
            self.says_name(&name.to_lowercase()) || words.is_some_and(|words| self.says(&words))
        };
        let meant = Amount::all_of(value.trim_matches(['"', '\'']));
        matches!(&meant[..], [meant] if meant.is_measured() && self.tells(meant)) && is_named()
    }

    /// Whether it names a setting whose figure is so many thousandths of a second, and tells them in seconds or more:
    /// `lockDuration: 30000`.
    fn tells_in_seconds(&self, name: &str, figure: f64) -> bool {
        const SECOND: f64 = 1_000.0;
        let name = name.replace(' ', "");
        let is_named = || words(&self.text).any(|word| word.replace(['_', '-'], "") == name);
        figure >= SECOND && self.tells(&Amount::lasting(figure / SECOND)) && is_named()
    }

    /// Whether it tells a setting whose name ends in its unit, by another word of the name, in whatever unit: `a deadline of 90
    /// minutes` for `activeDeadlineSeconds: 5400`.
    fn tells_as_named(&self, name: &str, figure: f64) -> bool {
        static UNITS: Words = Words::new(
            "days hours minutes ms secs seconds días dias giorni heures horas jours millis minuten minutos secondes segundos \
             sekunden stunden tage",
        );
        const FEWEST: f64 = 10.0;
        let Some((rest, unit)) = name.rsplit_once([' ', '.']) else { return false };
        let unit = if unit == "millis" { "ms" } else { unit };
        let mut scales = unit::measures(unit).into_iter().filter(|_| UNITS.holds(unit));
        let Some((_, scale)) = scales.find(|(of, _)| *of == "s") else { return false };
        let meant = Amount::lasting(figure * scale);
        // In the same unit a figure of two digits is hardly another one.
        let is_same = |said: &Amount| figure >= FEWEST && said.has_figure(figure);
        let is_of =
            |said: &Amount| words(rest).any(|word| word.len() > LONG && said.is_beside(word));
        self.amounts.iter().any(|said| said.tells(&meant) && (is_same(said) || is_of(said)))
    }

    /// Whether it names a setting whose figure is so many bytes, and tells them in a larger unit: `max_bytes = 67108864`.
    fn tells_in_bytes(&self, name: &str, figure: f64) -> bool {
        const KIB: f64 = 1_024.0;
        const SIZES: [&str; 7] = ["buffer", "bytes", "cache", "chunk", "heap", "mem", "size"];
        if !SIZES.iter().any(|size| name.contains(size)) {
            return false;
        }
        let name = name.replace([' ', '.'], "");
        let is_named = || self.text.replace(['_', '-', '.'], "").contains(&name);
        figure >= KIB && self.tells(&Amount::in_bytes(figure)) && is_named()
    }

    /// Whether it tells in words that there is none of something: `0 failures` where all tests pass, `0 to destroy` where
    /// nothing is destroyed.
    fn tells_none(&self, said: &str) -> bool {
        let Some(what) = said.strip_prefix("0 ") else { return false };
        if self.says_without(what) {
            return true;
        }
        let says = |words: &[&str]| words.iter().any(|word| self.says(word));
        // Where a summary counts some that failed, there are some.
        let some = |word: &str| {
            let mut words = self.text.split_whitespace().zip(self.text.split_whitespace().skip(1));
            words.any(|(count, what)| {
                what.starts_with(word)
                    && count != "0"
                    && count.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        if some("fail") || some("error") {
            return false;
        }
        let fails =
            matches!(what, "error" | "errors" | "failed" | "failing" | "failure" | "failures");
        let planned = what.strip_prefix("to ").filter(|verb| self.text.contains(verb));
        let no_longer = planned.is_some_and(|verb| {
            ["no longer", "not", "without"]
                .iter()
                .any(|no| self.text.contains(&format!("{no} {verb}")))
        });
        fails && says(&["green", "pass", "passed", "passes", "passing", "succeeded"])
            || no_longer
            || planned.is_some() && says(&["nothing", "none"])
    }

    /// Whether it says that there is none of what a word names, perhaps one that is short: `no allocations`, `warnings to none`.
    fn says_without(&self, what: &str) -> bool {
        const WITHOUT: [&str; 16] = [
            "aucun", "aucune", "geen", "kein", "keine", "keinen", "nessun", "nessuna", "no",
            "ohne", "sans", "senza", "sin", "without", "zero", "zonder",
        ];
        const NONE: [&str; 3] = [" to none", " to zero", " to 0"];
        // What may stand behind it: with a noun there it would be another thing, as in `no error handling`.
        const BEHIND: [&str; 14] = [
            "and", "any", "are", "at", "during", "for", "from", "in", "is", "left", "of", "on",
            "or", "were",
        ];
        const SHORTEST: usize = 4;
        let head = what.split([' ', '/']).next().unwrap_or_default();
        let noun = stem(head);
        let is_it = |said: &str| {
            stem(said) == noun
                || head.len() >= SHORTEST && said.starts_with(&noun) && said.ends_with("ations")
        };
        let clauses = self.text.split([',', ';', ':', '(', ')']);
        // The point of a figure ends none: `from 0.4% to none`.
        clauses.flat_map(|clause| clause.split(". ")).any(|sentence| {
            let to_none =
                || NONE.iter().any(|none| sentence.contains(none)) && words(sentence).any(is_it);
            let said: Vec<&str> = words(sentence).collect();
            let none = |(nth, word): (usize, &&str)| {
                WITHOUT.contains(word)
                    && said.get(nth + 1).is_some_and(|noun| is_it(noun))
                    && said.get(nth + 2).is_none_or(|next| BEHIND.contains(next))
            };
            said.iter().enumerate().any(none) || to_none()
        })
    }

    /// Whether what is left of all that it counts failed: `2 failed` where 61 of 63 passed.
    fn tells_rest(&self, said: &str) -> bool {
        const OF: [&str; 5] = ["aus", "de", "of", "sur", "von"];
        /// `61 of 63`
        const OF_ALL: usize = 3;
        const TESTS: [&str; 5] = ["cases", "checks", "examples", "specs", "tests"];
        const PASS: [&str; 8] =
            ["green", "grün", "ok", "pass", "passed", "passes", "passing", "succeed"];
        let (count, what) = said.split_once(' ').unwrap_or_default();
        let fails = ["falla", "failed", "failing", "failures", "fehlgeschlagen"].contains(&what);
        let Some(failed) = count.parse::<u64>().ok().filter(|count| fails && *count > 0) else {
            return false;
        };
        let all: Vec<&str> = words(&self.text).filter(|word| *word != "out").collect();
        let rest = |three: &[&str]| {
            let (passed, whole) = (three[0].parse::<u64>().ok()?, three[2].parse::<u64>().ok()?);
            OF.contains(&three[1]).then(|| whole.checked_sub(passed))?
        };
        (0..all.len().saturating_sub(OF_ALL)).any(|at| {
            let mut behind = all[at + OF_ALL..].iter().skip_while(|word| TESTS.contains(word));
            rest(&all[at..at + OF_ALL]) == Some(failed)
                && behind.next().is_some_and(|word| PASS.contains(word))
        })
    }

    /// Whether a version of it begins with a figure: `0.73` is told by `0.73.4`.
    fn tells_release(&self, said: &str) -> bool {
        let (head, tail) = said.split_once('.').unwrap_or_default();
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let follows = |after: &str| after.strip_prefix('.').is_some_and(is_figure);
        let mut found = self.text.match_indices(said);
        is_number(head)
            && is_number(tail)
            && found.any(|(at, _)| {
                let apart = !self.text[..at].ends_with(|c: char| is_letter(c) || c == '.');
                apart && follows(&self.text[at + said.len()..])
            })
    }

    /// Whether each time that it tells a bound it tells the other side of it: `at least 20` for `at most 20`.
    pub(super) fn tells_other_side(&self, text: &str) -> bool {
        let meant = Amount::all_of(text);
        let Some(meant) = meant.first() else { return false };
        let mut told = self.amounts.iter().filter(|said| said.tells(meant)).peekable();
        told.peek().is_some() && told.all(|said| said.opposes(meant))
    }

    /// Whether one of its amounts is another one.
    pub(super) fn tells(&self, meant: &Amount) -> bool {
        self.amounts.iter().any(|said| said.tells(meant))
    }
}
