//! Whether a summary holds a name that only makes sense letter by letter, in whatever form.

use super::super::form::{
    OTHER_NAMES, SHORTEST_HASH, branch, instance, is_digits, is_figure, is_hash, release, serial,
    spot, zone,
};
use super::super::setting;
use super::super::text::{holds_word, is_letter, words};
use super::Held;
use crate::specifics::identifier::{is_versioned, schedule};
use crate::specifics::number::Amount;

/// Digits that no code of a country has.
const LONG_COUNTRY: usize = 4;

/// The lengths of the groups of an id: `550e8400-e29b-41d4-a716-446655440000`.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// The number of a paper or of a standard, which tells it by itself: `1011.0107` of `arxiv:1011.0107`, `61000-4-4` of `iec
/// 61000-4-4`.
fn number_of(key: &str) -> Option<&str> {
    const LONG: usize = 7;
    let standard = || key.rsplit_once(' ').filter(|(_, number)| number.contains('-'));
    let (_, number) = key.split_once(':').filter(|(at, _)| *at == "arxiv").or_else(standard)?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || b".-v".contains(&byte));
    (plain && number.len() >= LONG).then_some(number)
}

/// Whether a word is three numbers, the last of which is zero: `v3.4.0`.
fn is_release(word: &str) -> bool {
    let parts = || word.trim_start_matches('v').split('.');
    parts().count() == 3 && parts().all(is_digits)
}

impl Held {
    /// A version with or without its `v` and with its build anywhere, a hash by its beginning, a setting with its value, a
    /// name behind its owner, the number of an issue.
    pub(super) fn holds_variant(&self, text: &str, key: &str) -> bool {
        if let Some(bare) = key.strip_prefix('v').filter(|bare| is_figure(bare)) {
            return self.says_name(bare);
        }
        if let Some(number) = key.strip_prefix(['#', '!']).and_then(|number| number.parse().ok()) {
            return self.tells_issue(number);
        }
        if let Some((version, build)) =
            key.split_once('+').filter(|(version, _)| is_figure(version))
        {
            return self.says_name(version) && self.says_name(build);
        }
        if let Some(version) = schedule::version(key) {
            return self.says_name(version);
        }
        if let Some(time) = schedule::time(key) {
            const PACES: [&str; 6] = ["cron", "daily", "every", "nightly", "runs", "schedul"];
            let is_schedule = PACES.iter().any(|pace| self.text.contains(pace));
            return self.says_name(key) || is_schedule && self.holds_date(&time);
        }
        if let Some((name, value)) = setting::parts(key) {
            // A program's flag in a variable of its own: `JAVA_OPTS=--stack-size=2048`.
            let is_long = || value.trim_start_matches('-').matches('-').count() > 0;
            if value.starts_with('-')
                && (self.says_name(value)
                    || value.contains('=') && is_long() && self.tells_setting(value))
            {
                return true;
            }
            // As programs count their tests: `passed=64`.
            if matches!(name, "failed" | "passed" | "skipped") {
                return self.holds_number(&format!("{value} {name}"), &format!("{value} {name}"));
            }
            // What is counted: `rows=2816540`.
            let is_counted = name.len() > 3 && name.ends_with('s') && is_figure(value);
            let counted = || format!("{value} {name}");
            return is_counted && self.holds_number(&counted(), &counted())
                || self.tells_setting(text);
        }
        // In words, or as another language joins them: `compute_total` for `computeTotal`.
        let joined = |words: String| {
            // A sign at its end is a part of it.
            let joints = if words.ends_with(' ') { &[" "][..] } else { &[" ", "_", "-", ""] };
            joints.iter().any(|joint| self.says_name(&words.replace(' ', joint)))
        };
        let name = text.trim_start_matches('-').trim_matches('`');
        if setting::in_words(name.strip_suffix("()").unwrap_or(name)).is_some_and(joined) {
            return true;
        }
        let short = |word: &&str| {
            word.len() >= SHORTEST_HASH && (key.starts_with(word) || word.starts_with(key))
        };
        is_hash(key) && words(&self.text).filter(short).any(is_hash)
            || is_figure(key) && self.says_name(&format!("v{key}"))
            || key.starts_with("0.") && self.holds_number(key, key)
            || spot(key).is_some_and(|spot| self.says_name(spot))
            || is_figure(key) && key.contains('-') && self.says_name(&key.replace('-', " "))
            || serial(text).is_some_and(|serial| self.says_name(&serial.to_lowercase()))
            || zone(key).is_some_and(|ways| ways.iter().any(|way| self.says(way)))
            || branch(key).is_some_and(|ways| ways.iter().any(|way| self.says_name(way)))
            || self.holds_product(key)
            || self.holds_release(key)
            || self.holds_owned(key)
            || key
                .strip_prefix("gh-")
                .and_then(|number| number.parse().ok())
                .is_some_and(|number| self.tells_issue(number))
            || release(key)
                .is_some_and(|(name, version)| self.says_name(version) && self.says_name(name))
            || self.holds_code(key)
            || number_of(key).is_some_and(|number| self.says_name(number))
            || instance(key).is_some_and(|instance| self.says_name(instance))
            || self.says_flag(key)
    }

    /// A release without the zero at its end, a number that begins the name of a file or stands in its folder, and what is
    /// thrown by the words of its class: `v3.4` for `3.4.0`, `docs/adr/031-cache.md` for `ADR-031`.
    pub(super) fn tells_otherwise(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        if self.holds_phone(&lower) || self.holds_begun(&lower) {
            return true;
        }
        if let Some(release) = lower.strip_suffix(".0").filter(|_| is_release(&lower)) {
            let bare = release.trim_start_matches('v');
            return self.says_name(bare) || self.says_name(&format!("v{bare}"));
        }
        let digits = lower.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letters = &lower[..lower.len() - digits.len()];
        if letters.is_empty() || digits.is_empty() {
            let is_class = text.ends_with("Exception") || text.ends_with("Error");
            return is_class && self.says_class_in_words(text);
        }
        if is_digits(digits) && digits.len() > 1 {
            return self.text.contains(&format!("{lower}__"));
        }
        let number = digits.strip_prefix('-').filter(|number| is_digits(number));
        number.is_some_and(|number| {
            let file = format!("{letters}/{number}-");
            self.slashed.contains(&format!("/{file}")) || self.slashed.starts_with(&file)
        })
    }

    /// A flag of one word as people speak of it: `link mode` is `--link`.
    fn says_flag(&self, key: &str) -> bool {
        const KINDS: [&str; 3] = ["flag", "mode", "option"];
        let word = key.strip_prefix("--").filter(|word| word.chars().all(char::is_alphabetic));
        word.is_some_and(|word| KINDS.iter().any(|kind| self.says(&format!("{word} {kind}"))))
    }

    /// A product with its version or number, however the two are joined: `Node v20`, `TLSv1.3`, `iOS18`.
    pub(super) fn holds_release(&self, key: &str) -> bool {
        const JOINTS: [&str; 6] = ["", " ", "-", "v", " v", "@"];
        let Some((name, version)) = key.rsplit_once(' ') else { return false };
        let version = version.trim_start_matches('v');
        let is_version =
            is_figure(version) && version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if !is_version || !name.chars().all(|c| c.is_alphabetic() || c == '.') {
            return false;
        }
        let others = OTHER_NAMES.iter().filter(|names| names.contains(&name));
        let mut names = others.flat_map(|names| *names).chain([&name]);
        names.any(|name| {
            JOINTS.iter().any(|joint| self.says_name(&format!("{name}{joint}{version}")))
        })
    }

    /// A name in code whose owner another language joins otherwise: `Cart.compute_totals` for `Cart::compute_totals`.
    fn holds_owned(&self, key: &str) -> bool {
        const JOINTS: [&str; 4] = ["::", ".", "#", "->"];
        let is_name = |part: &str| part.chars().all(is_letter) && !is_digits(part);
        JOINTS.iter().filter_map(|joint| key.split_once(joint).map(|both| (joint, both))).any(
            |(own, (owner, member))| {
                let is_one = is_name(owner) && is_name(member) && member.contains('_');
                let others = JOINTS.iter().filter(|joint| *joint != own);
                is_one
                    && others
                        .into_iter()
                        .any(|joint| self.says_name(&format!("{owner}{joint}{member}")))
            },
        )
    }

    /// A product whose version stands behind its name, with words between: `Java, version 21`.
    fn holds_product(&self, key: &str) -> bool {
        let Some((name, number)) = key.rsplit_once(' ') else { return false };
        let label = name.rsplit(' ').next().unwrap_or(name);
        let Ok(figure) = number.parse() else { return false };
        let others =
            OTHER_NAMES.iter().filter(|names| names.contains(&label)).flat_map(|names| *names);
        others.chain([&label]).any(|label| {
            let meant = Amount::labelled(label, figure);
            self.amounts.iter().any(|said| said.is_led_as(&meant))
        })
    }

    /// Whether it names a product by another one of its names.
    pub(super) fn says_other_name(&self, key: &str) -> bool {
        let mut others = OTHER_NAMES.iter().filter(|names| names.contains(&key));
        others.any(|names| names.iter().any(|name| self.says_name(name)))
    }

    /// Letters and a number, however they are joined: `LH1138`, `LH 1138`, `LH-1138`.
    pub(super) fn holds_code(&self, key: &str) -> bool {
        let letters = key.trim_end_matches(|c: char| c.is_ascii_digit());
        let (name, number) = (letters.trim_end_matches([' ', '-']), &key[letters.len()..]);
        // As SQL Server numbers its errors.
        if name == "msg" && self.holds_error(number) {
            return true;
        }
        !number.is_empty()
            && !name.is_empty()
            && name.chars().all(char::is_alphabetic)
            && ["", " ", "-"].iter().any(|joint| self.says_name(&format!("{name}{joint}{number}")))
    }

    /// A name behind the number that files of a row have: `dni_nullable` in `0036_dni_nullable`.
    pub(super) fn holds_behind_number(&self, said: &str) -> bool {
        let is_numbered = |at: usize| {
            let head = self.text[..at].strip_suffix('_').unwrap_or_default();
            let name = head.trim_end_matches(|c: char| c.is_ascii_digit());
            name.len() < head.len() && !name.ends_with(is_letter)
        };
        let ends = |at: usize| !self.text[at + said.len()..].starts_with(is_letter);
        self.text.match_indices(said).any(|(at, _)| is_numbered(at) && ends(at))
    }

    /// A long number as a part of a name: `20260811093000` in `20260811093000_split.rb`.
    pub(super) fn holds_digits(&self, said: &str) -> bool {
        const LONG: usize = 8;
        let is_digit = |c: char| c.is_ascii_digit();
        let apart = |at: usize| {
            !self.text[..at].ends_with(is_digit)
                && !self.text[at + said.len()..].starts_with(is_digit)
        };
        said.len() >= LONG
            && said.chars().all(is_digit)
            && self.text.match_indices(said).any(|(at, _)| apart(at))
    }

    /// The number of a phone, however its digits are grouped: `+491701234567`.
    fn holds_phone(&self, said: &str) -> bool {
        const SHORTEST: usize = 7;
        const GROUPED: [char; 6] = [' ', '-', '.', '/', '(', ')'];
        let is_sign = |c: char| c.is_ascii_digit() || GROUPED.contains(&c);
        let digits: String = said.chars().filter(char::is_ascii_digit).collect();
        let first = said.get(..1).filter(|first| matches!(*first, "+" | "0"));
        let is_there = |at: usize| {
            let begins = !self.text[..at].ends_with(is_letter);
            let mut rest = self.text[at..].trim_start_matches('+');
            let mut wanted = digits.chars();
            begins
                && wanted.all(|digit| {
                    rest = rest.trim_start_matches(GROUPED);
                    rest.strip_prefix(digit).inspect(|behind| rest = behind).is_some()
                })
                && !rest.starts_with(is_letter)
        };
        digits.len() >= SHORTEST
            && said.chars().skip(1).all(is_sign)
            && (first
                .is_some_and(|first| self.text.match_indices(first).any(|(at, _)| is_there(at)))
                || self.holds_at_home(said))
    }

    /// The number of a phone as people dial it in its country: `0171 2345678` for `+49 171 2345678`.
    fn holds_at_home(&self, said: &str) -> bool {
        let number = said.strip_prefix('+').and_then(|number| number.split_once([' ', '-', '/']));
        let Some((_, rest)) = number.filter(|(country, _)| country.len() < LONG_COUNTRY) else {
            return false;
        };
        let rest = rest.trim_start_matches("(0)").trim_start();
        !rest.starts_with('0') && self.holds_phone(&format!("0{rest}"))
    }

    /// An id of five groups by the first one, if that is told as a beginning: `550e8400…`.
    fn holds_begun(&self, said: &str) -> bool {
        let mut groups = said.split('-');
        let head = groups.next().filter(|head| head.len() == UUID[0] && is_hash(head));
        let is_id = groups.map(str::len).eq(UUID[1..].iter().copied());
        let ends = |before: &str, after: &str| {
            !before.ends_with('-') && (after.starts_with('…') || after.starts_with("..."))
        };
        head.is_some_and(|head| is_id && holds_word(&self.text, head, ends))
    }

    /// A name in code without its owner, and with no other owner, and without what it is given if that is but named.
    pub(super) fn holds_member(&self, name: &str) -> bool {
        let named = |c: char| c.is_alphabetic() || matches!(c, '_' | ',' | ' ');
        let call = name.strip_suffix(')').and_then(|call| call.split_once('('));
        let name =
            call.filter(|(_, given)| given.chars().all(named)).map_or(name, |(name, _)| name);
        let member = name.rsplit([':', '.', '#']).next().unwrap_or_default();
        let inner = member
            .get(1..)
            .is_some_and(|rest| rest.contains(|c: char| c == '_' || c.is_uppercase()));
        let apart = |before: &str, _: &str| !before.ends_with(['.', ':']);
        let lower = member.to_lowercase();
        member.len() < name.len()
            && inner
            && (self.words.may_hold(&lower) && holds_word(&self.text, &lower, apart)
                || member.starts_with(char::is_uppercase) && self.says_class_in_words(member))
    }

    /// A version by itself if it has three parts, else with its product anywhere; but not with another product right in
    /// front of it.
    pub(super) fn holds_versioned(&self, key: &str) -> bool {
        let both = key.rsplit_once(' ').filter(|(_, version)| version.contains('.'));
        let Some((name, version)) = both else { return false };
        let bare = version.strip_prefix('v').unwrap_or(version);
        if !is_figure(bare) {
            return false;
        }
        let is_other = |before: &str| {
            let word = before.trim_end().rsplit([' ', '(', '`']).next().unwrap_or_default();
            // A sign at its end parts it from what follows.
            let is_near = before.ends_with(' ') && !word.ends_with(['.', ';']);
            is_near && is_versioned(word) && word != name
        };
        let apart = |before: &str, _: &str| !is_other(before.trim_end_matches(['v', '`']));
        let is_told = holds_word(&self.text, bare, apart)
            || holds_word(&self.text, &format!("v{bare}"), apart);
        let named = || self.says_name(name) || self.says_other_name(name);
        is_told && (bare.matches('.').count() > 1 || named())
            || bare.starts_with("0.") && named() && self.holds_number(bare, bare)
    }

    /// A name in code by its owner and itself, without what they are in: `Decoder::gather` of `codec::dict::Decoder::gather`.
    /// Of what stands behind a slash, if it has a figure, that alone: `node/worker-19`.
    pub(super) fn holds_end(&self, name: &str) -> bool {
        let mut joints = name.rmatch_indices("::").skip(1);
        let numbered =
            name.rsplit_once('/').filter(|(_, end)| end.contains(|c: char| c.is_ascii_digit()));
        joints.next().is_some_and(|(at, joint)| self.says_name(&name[at + joint.len()..]))
            || numbered.is_some_and(|(_, end)| end.contains('-') && self.says_name(end))
    }
}
