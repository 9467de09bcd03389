//! A summary, prepared for many questions about what it holds.

mod addresses;
mod chosen;
mod dates;
mod figures;
mod identifiers;
mod names;
mod numbers;
mod years;

use std::collections::BTreeSet;

use super::command::tells_command;
use super::day::Day;
use super::decision::Sentences;
use super::form::{
    bracketed, class_in_file, class_in_words, class_of, codes_in, document, is_telling_class,
    is_telling_stem, leading_code, numbered_in_full, short_name, tells, unbraced, unqualified,
};
use super::log::{Log, endings};
use super::markdown::unmarked;
use super::place;
use super::retold;
use super::setting;
use super::spoken::Spoken;
use super::statement::statements;
use super::table::with_units;
use super::text::{Signs, holds_word, is_letter, words};
use crate::lines::one_line;
use crate::specifics::number::{Amount, bound_of};
use crate::specifics::{Kind, Specific, date, error, named, normal};
use years::without_years;

#[cfg(test)]
pub(super) use dates::HOURS;

/// What a summary says, in the forms in which it is asked for.
pub(super) struct Held {
    /// On one line.
    said: String,
    /// The same in small letters, and behind it the names that it tells by several numbers.
    text: String,
    /// The same with forward slashes, and behind it the paths that it writes with braces.
    slashed: String,
    /// The words of all of them.
    words: Signs,
    /// The same, one after the other.
    spoken: Spoken,
    /// The forms of its own specifics.
    keys: BTreeSet<(Kind, String)>,
    days: Vec<Day>,
    /// The last days of months of which it names the end.
    month_ends: Vec<Day>,
    amounts: Vec<Amount>,
    sentences: Sentences,
    /// In small letters, one by one.
    statements: Vec<String>,
    /// On one line and in small letters with the marks of Markdown, if it has some.
    marked: Option<String>,
}

/// Words of a message that are longer say something, in bytes.
const LONG_WORD: usize = 3;

/// A text without the numbers of its lists, which count nothing.
fn unnumbered(text: &str) -> String {
    text.lines().map(without_number).collect::<Vec<_>>().join("\n")
}

fn without_number(line: &str) -> &str {
    let bare = line.trim_start();
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = rest.strip_prefix(['.', ')']).filter(|item| item.starts_with(' '));
    item.filter(|_| rest.len() < bare.len()).unwrap_or(line)
}

/// A text without the days that it names by their month: their numbers count nothing either.
fn undated(text: &str, own: &[Specific]) -> String {
    // `1 h 45` may be how long something takes.
    let is_word = |c: char| c.is_alphabetic() && c != 'h';
    let is_named = |one: &&Specific| {
        one.kind == Kind::Date
            && one.text.contains(is_word)
            && one.text.contains(|c: char| c.is_ascii_digit())
            && !one.text.contains(':')
            && Day::readings(&one.text).iter().any(|readings| !readings.is_empty())
    };
    own.iter().filter(is_named).fold(text.to_owned(), |text, one| text.replace(&one.text, "—"))
}

/// A text with the apostrophes of a keyboard.
fn straight(text: &str) -> String {
    text.replace('’', "'")
}

/// Months and weekdays of English, in small letters.
const IN_FULL: [&str; 18] = [
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Whether a bare figure may be a version: `7.2`.
fn is_version(said: &str) -> bool {
    said.contains('.') && said.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// The class of an error and the name between marks behind it: `KeyError: 'colour'`. What goes on behind that explains it.
fn quoted(message: &str) -> Option<[&str; 2]> {
    let (class, rest) = message.split_once(": '")?;
    let (name, _) = rest.split_once('\'')?;
    let is_class = class.ends_with("error") && class.chars().all(char::is_alphanumeric);
    (is_class && !name.is_empty()).then_some([class, name])
}

/// Whether the last name of a path is that of no other one of the log.
fn is_sole_file(said: &str, log: &Log<'_>) -> bool {
    let key = normal::path(said);
    log.is_sole(endings(&key).last().unwrap_or_default())
}

impl Held {
    pub(super) fn of(summary: &str) -> Self {
        let straight = straight(summary);
        let summary = &*unmarked(&straight);
        let marked = (*summary != *straight).then(|| one_line(&straight).to_lowercase());
        let own = named(summary);
        let as_written = if marked.is_some() { named(&straight) } else { Vec::new() };
        let bare = unnumbered(summary);
        // What it says in words too.
        let spelled = date::spelled::in_figures(summary);
        let in_spelled = spelled.as_deref().map(Day::in_figures).unwrap_or_default();
        let mut spelled = spelled.map(|spelled| named(&spelled)).unwrap_or_default();
        spelled.retain(|one| one.kind == Kind::Date && !own.contains(one));
        let dates = own.iter().filter(|one| one.kind == Kind::Date);
        let said = one_line(summary);
        let text = place::with_numbers(&said.to_lowercase());
        let slashed = place::unfolded(&text.replace('\\', "/"));
        let all = [&text, &slashed].into_iter().chain(&marked).map(String::as_str);
        Self {
            words: Signs::of(all.flat_map(words)),
            spoken: Spoken::of(&text),
            days: dates
                .flat_map(|one| Day::readings(&one.text))
                .flatten()
                .chain(spelled.iter().flat_map(|one| Day::in_words(&one.text)))
                .chain(Day::in_figures(summary))
                .chain(in_spelled)
                .collect(),
            month_ends: date::spelled::month_ends(summary)
                .iter()
                .flat_map(|date| Day::readings(date))
                .flatten()
                .collect(),
            // Whatever looks like a mark may be none: what is found with it is told too.
            keys: own.iter().chain(&as_written).map(|one| (one.kind, one.key())).collect(),
            amounts: Amount::all_of(&retold::in_units(&with_units(&without_years(&undated(
                &bare, &own,
            ))))),
            sentences: Sentences::of(&bare),
            statements: statements(summary),
            said,
            text,
            slashed,
            marked,
        }
    }

    /// Whether it holds a specific of a log.
    pub(super) fn holds(&self, one: &Specific, log: &Log<'_>) -> bool {
        // A bound is told by its figure, but not by the other side of that.
        if one.kind == Kind::Number
            && let length @ 1.. = bound_of(&one.text)
        {
            let text = one.text[length..].to_owned();
            return !self.tells_other_side(&one.text)
                && self.holds(&Specific { text, ..one.clone() }, log);
        }
        let key = (one.kind, one.key());
        if self.keys.contains(&key) {
            return true;
        }
        let (_, key) = key;
        if one.text.contains('’') {
            return self.holds(&Specific { text: straight(&one.text), ..one.clone() }, log);
        }
        let said = one_line(&one.text).to_lowercase();
        if self.says_with_marks(&said) {
            return true;
        }
        self.holds_in_its_way(one, (&said, &key), log)
    }

    /// The same of one in small letters and in the form for comparing, in a way of its kind.
    fn holds_in_its_way(&self, one: &Specific, (said, key): (&str, &str), log: &Log<'_>) -> bool {
        match one.kind {
            Kind::Path => {
                self.holds_path(said, log)
                    || self.names_class(&one.text, log)
                    || place::spoken(said).is_some_and(|spoken| self.says(&spoken))
                    || self.spoken.tells_file(&one.text)
                        && is_sole_file(said, log)
                        && self.tells_line(said, log)
                    || document(said).is_some_and(|document| self.says_document(document))
                    || !said.contains('/')
                        && log.longer(said).is_some_and(|longer| self.holds(longer, log))
            }
            Kind::Url => self.holds_address(said, key),
            Kind::Command => {
                tells_command(&self.said, &self.text, &self.statements, &one.text)
                    || one.text.contains(" = ") && self.tells_setting(&one.text)
            }
            Kind::Identifier | Kind::Number if self.sets_other(&one.text) => false,
            Kind::Identifier => {
                self.says_name(said)
                    || self.says_name(key)
                    || short_name(key).is_some_and(|name| log.is_sole(name) && self.says_name(name))
                    || self.holds_variant(&one.text, key)
                    || self.holds_member(&one.text)
                    || self.holds_digits(said)
                    || numbered_in_full(key).is_some_and(|full| self.says_name(&full))
                    || said.contains('_') && self.holds_behind_number(said)
                    || self.holds_end(said)
                    || self.holds_versioned(key)
                    || self.says_other_name(key)
                    || self.spoken.tells_name(&one.text)
                    || self.tells_otherwise(&one.text)
                    || self.tells_grouped(said)
            }
            Kind::Number => {
                self.holds_number(said, &one.text)
                    || one.text.contains(char::is_uppercase) && self.holds_release(said)
                    || is_version(said) && self.says_name(&format!("v{said}"))
            }
            Kind::Error => {
                self.says(said)
                    || unqualified(said).is_some_and(|said| self.says(said))
                    || bracketed(said).is_some_and(|said| self.says(&said))
                    || self.holds_error(key)
                    || self.holds_class(&one.text)
                    || one.text.chars().all(char::is_alphabetic)
                        && self.text.replace('-', "").contains(said)
                    || leading_code(&one.text).is_some_and(|code| self.says_name(&code))
                    || error::is_message(&one.text) && self.holds_message(said)
            }
            Kind::Date => {
                self.says_date(said)
                    || said.strip_suffix('.').is_some_and(|said| self.says_date(said))
                    || self.holds_date(&one.text)
                    || self.holds_hours(said)
                    || self.says_in_short(said)
            }
            Kind::Decision => {
                self.says(said)
                    || self.holds_decision(&one.text, said, log)
                        && !self.lacks_wanted(&one.text, log)
            }
            Kind::Name => self.tells_name(one, said, key, log),
        }
    }

    /// Whether it holds the short form of a month or a weekday of English: `Oct`.
    fn says_in_short(&self, said: &str) -> bool {
        let name = said.strip_suffix('s').filter(|day| day.ends_with("day")).unwrap_or(said);
        let short = IN_FULL.contains(&name).then(|| name[..1].to_uppercase() + &name[1..3]);
        short.is_some_and(|short| holds_word(&self.said, &short, |_, _| true))
    }

    /// Whether it holds a text in small letters as a whole.
    fn says(&self, said: &str) -> bool {
        self.words.may_hold(said) && holds_word(&self.text, said, |_, _| true)
    }

    /// Whether it names a setting with another value each time.
    fn sets_other(&self, text: &str) -> bool {
        setting::is_other(&self.text, text, |name| self.words.may_hold(name))
    }

    /// Whether it holds what only looks like marks of Markdown: `__init__`.
    fn says_with_marks(&self, said: &str) -> bool {
        let apart = |before: &str, after: &str| {
            let joins = |c: char| matches!(c, '-' | '/' | '.');
            !before.ends_with(joins)
                && !after.strip_prefix(joins).is_some_and(|rest| rest.starts_with(is_letter))
        };
        self.marked.as_deref().is_some_and(|marked| {
            said.contains(['_', '*', '\\', '<'])
                && self.words.may_hold(said)
                && holds_word(marked, said, apart)
        })
    }

    /// The same for a name in which a hyphen goes on: `v1.2.3` is not in `v1.2.3-rc1`.
    fn says_name(&self, said: &str) -> bool {
        let apart = |before: &str, after: &str| {
            let goes_on = after.strip_prefix('-').is_some_and(|rest| rest.starts_with(is_letter));
            let began = before.strip_suffix('-').is_some_and(|lead| lead.ends_with(is_letter));
            // A full stop goes on in an address of mail as well.
            let is_other = said.contains('@')
                && (after.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_letter))
                    || before
                        .strip_suffix(['.', '+'])
                        .is_some_and(|lead| lead.ends_with(is_letter)));
            !goes_on && !began && !is_other
        };
        self.words.may_hold(said) && holds_word(&self.text, said, apart)
    }

    /// A path whole or by an ending, or its file and its directory apart; where somebody's home is does not matter. A line
    /// of it has to be told too.
    fn holds_path(&self, said: &str, log: &Log<'_>) -> bool {
        let key = normal::path(said);
        let whole = key.strip_prefix("~/").unwrap_or(&key);
        let named = |tail: &str, is_whole| {
            self.words.may_hold(tail) && place::is_named(&self.slashed, tail, is_whole)
        };
        let by_ending = || {
            endings(&key).any(|tail| {
                let is_sole = || {
                    tells(tail)
                        && log.is_sole(tail)
                        && !place::names_other(&self.slashed, whole, tail)
                };
                let known = tail == key || tail == whole || is_sole();
                known && named(tail, tail == whole)
            })
        };
        let apart = || {
            whole.rsplit_once('/').is_some_and(|(directory, file)| {
                tells(file) && named(directory, true) && named(file, false)
            })
        };
        // The way to where it begins may stand in front of it, if the log too tells it so: as of what a server has.
        let behind_more = || {
            let tail = whole.strip_prefix('/').filter(|tail| tail.matches('/').count() > 1);
            tail.is_some_and(|tail| !log.is_sole(tail) && named(tail, true))
        };
        let is_way = || self.tells_way(whole);
        let is_told =
            by_ending() || apart() || behind_more() || is_way() || self.says_stem(&key, log);
        is_told && self.tells_line(said, log)
    }

    /// Whether it names the file that answers for a way of a server: `app/api/users/route.ts` does for `/api/users`.
    fn tells_way(&self, way: &str) -> bool {
        const ENDINGS: [&str; 4] = ["ts", "tsx", "js", "jsx"];
        let file = format!("app{way}/route.");
        way.starts_with('/')
            && self.slashed.match_indices(&file).any(|(at, _)| {
                let rest = &self.slashed[at + file.len()..];
                let end = rest.find(|c: char| !is_letter(c) && c != '.').unwrap_or(rest.len());
                let ending = rest[..end].trim_end_matches('.');
                !self.slashed[..at].ends_with(is_letter) && ENDINGS.contains(&ending)
            })
    }

    /// Whether it tells the line of a path, if that has one.
    fn tells_line(&self, said: &str, log: &Log<'_>) -> bool {
        // A column too is what a program printed, and changes with each edit.
        let has_column = said.rsplit(':').take(2).all(|part| part.parse::<u32>().is_ok());
        normal::line(said).is_none_or(|line| {
            has_column
                || self.tells(&Amount::labelled("line", line))
                || log.names_bare(&normal::path(said))
        })
    }

    /// Whether it names a file without its ending, where that is no word and no other file's name: `maze_12` for
    /// `golden/maze_12.png`.
    fn says_stem(&self, path: &str, log: &Log<'_>) -> bool {
        let file = path.rsplit('/').next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        let apart = |before: &str, after: &str| {
            !before.ends_with('/')
                && !after.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_letter))
        };
        is_telling_stem(stem)
            && log.is_sole(file)
            && self.words.may_hold(stem)
            && holds_word(&self.text, stem, apart)
    }

    /// Whether it names the class that a file is about.
    fn names_class(&self, path: &str, log: &Log<'_>) -> bool {
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        // In small letters it may be a word: `playlist`.
        class_in_file(path)
            .is_some_and(|class| log.is_sole(&file) && holds_word(&self.said, class, |_, _| true))
    }

    /// A code, or the number of one as people speak of it: `503 errors`, `status 503`, `OOMKilled (137)`.
    fn holds_error(&self, key: &str) -> bool {
        let (kind, number) = key.split_once(' ').unwrap_or(("error", key));
        let Ok(figure) = number.parse() else {
            let words = error::words_for(key).is_some_and(|words| self.sentences.hold(words));
            return words || kind == "error" && key.contains(char::is_alphabetic) && self.says(key);
        };
        let labels = [kind, "status", "code", "error"];
        let after = [" error", " errors", "s", " response", " responses"];
        labels.iter().any(|label| self.tells(&Amount::labelled(label, figure)))
            || kind == "http" && after.iter().any(|after| self.says(&format!("{number}{after}")))
    }

    /// An error by its class, if that says what went wrong, or by the words of that.
    fn holds_class(&self, text: &str) -> bool {
        let Some(class) = class_of(text).filter(|class| is_telling_class(class)) else {
            return false;
        };
        let message = text.split_once(class).map_or("", |(_, rest)| rest).to_lowercase();
        let mut others = words(&message).filter(|word| word.len() > LONG_WORD);
        // Of what is told behind it at least a word has to be said too.
        let is_told =
            message.trim_matches([':', ' ', '.']).is_empty() || others.any(|word| self.says(word));
        is_told && (self.says(&class.to_lowercase()) || self.says_class_in_words(class))
    }

    /// Whether it tells the class of an error in words, of something that went wrong.
    fn says_class_in_words(&self, class: &str) -> bool {
        const WRONG: [&str; 7] =
            ["ended", "error", "exception", "fail", "raise", "thrown", "threw"];
        WRONG.iter().any(|word| self.text.contains(word))
            && class_in_words(class).is_some_and(|words| self.says(&words))
    }

    /// What a program said: in other words, without the package of its class, or by the code that stands in it.
    fn holds_message(&self, said: &str) -> bool {
        let bare = unqualified(said).unwrap_or(said);
        let codes = codes_in(said);
        let is_quoted = quoted(said).is_some_and(|parts| parts.iter().all(|part| self.says(part)));
        is_quoted
            || !codes.is_empty() && codes.iter().all(|code| self.says_code(code))
            || self.sentences.hold(bare)
            || self.quotes(bare)
            || unbraced(bare).is_some_and(|bare| self.sentences.hold(&bare))
    }

    /// Whether some words of a message stand between marks, three at least.
    fn quotes(&self, message: &str) -> bool {
        const FEWEST: usize = 3;
        const MARKS: [char; 7] = ['\'', '"', '`', '‘', '“', '”', '„'];
        let inner = self.text.split(MARKS).skip(1).map(str::trim);
        let mut told = inner.filter(|said| said.split(' ').nth(FEWEST - 1).is_some());
        told.any(|said| holds_word(message, said, |_, _| true))
    }

    /// A code, also as the end of another word: `rsync-Fehlercode 23`.
    fn says_code(&self, code: &str) -> bool {
        let apart = |_: &str, after: &str| !after.starts_with(|c: char| c.is_ascii_digit());
        let joined = || {
            let mut found = self.text.match_indices(code);
            code.starts_with("code ")
                && found.any(|(at, _)| apart("", &self.text[at + code.len()..]))
        };
        self.words.may_hold(code) && holds_word(&self.text, code, apart) || joined()
    }

    /// A document that many projects have, and not one of its translations: `readme.de.md`.
    fn says_document(&self, document: &str) -> bool {
        let apart = |_: &str, after: &str| {
            !after.strip_prefix(['.', '-']).is_some_and(|rest| rest.starts_with(is_letter))
        };
        self.words.may_hold(document) && holds_word(&self.text, document, apart)
    }
}
