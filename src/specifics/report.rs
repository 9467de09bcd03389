//! What a summary kept of a log's specifics, and what it lost.

mod day;
mod place;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, Specific, extract, normal, one_line};
use crate::memory::{keywords, noun, stem};
use day::Day;

/// Percentage of a decision's words that a summary must hold to have kept it: it may use other words.
const DECISION_PERCENT: usize = 60;

/// The specifics of a log, divided by whether a summary still holds them. Each list is in the log's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Those that the summary holds.
    pub kept: Vec<Specific>,
    /// Those that only the raw log holds.
    pub missing: Vec<Specific>,
}

impl Report {
    /// Compares a summary with the specifics of the log that it stands for. Letters' case, spaces,
    /// separators of thousands and the spelling of units make no difference; a path is kept by its last
    /// names if no other path of the log ends with them.
    pub fn of(specifics: &[Specific], summary: &str) -> Self {
        let held = Held::of(summary);
        let tails = OnceCell::new();
        let is_sole = |tail: &str| tails.get_or_init(|| tails_of(specifics)).get(tail) == Some(&1);
        let (kept, missing) = specifics.iter().cloned().partition(|one| held.holds(one, is_sole));
        Self { kept, missing }
    }

    /// How many specifics there are in all.
    pub fn total(&self) -> usize {
        self.kept.len() + self.missing.len()
    }

    /// The count as a person reads it: `kept 31 of 38 specifics`.
    pub fn headline(&self) -> String {
        let total = self.total();
        format!("kept {} of {total} {}", self.kept.len(), noun(total as u64, "specific"))
    }

    /// The missing ones as a line of at most about `most` characters that says how many it leaves out; empty
    /// when none is missing. A specific longer than 60 characters is shortened.
    pub fn missing_line(&self, most: usize) -> String {
        let mut line = String::new();
        for (nth, one) in self.missing.iter().enumerate() {
            let text = shortened(&one.text);
            if !line.is_empty() && line.chars().count() + text.chars().count() + 2 > most {
                return format!("{line} and {} more", self.missing.len() - nth);
            }
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(&text);
        }
        line
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST - 1).collect();
    format!("{}…", cut.trim_end())
}

/// For each ending of a path, how many paths of the log have it.
fn tails_of(specifics: &[Specific]) -> BTreeMap<String, usize> {
    let paths: BTreeSet<String> = specifics
        .iter()
        .filter(|one| one.kind == Kind::Path)
        .map(|one| normal::path(&one.text))
        .collect();
    let mut tails = BTreeMap::new();
    for path in &paths {
        for tail in endings(path) {
            *tails.entry(tail.to_owned()).or_default() += 1;
        }
    }
    tails
}

/// The endings of a path that begin at one of its names, longest first, the path itself included.
fn endings(path: &str) -> impl Iterator<Item = &str> {
    let inner =
        path.match_indices('/').map(|(at, _)| &path[at + 1..]).filter(|tail| !tail.is_empty());
    std::iter::once(path).chain(inner)
}

/// A summary, prepared for many questions.
struct Held {
    /// In small letters, on one line.
    text: String,
    /// The same with forward slashes.
    slashed: String,
    /// The same as the first with figures for number words.
    counted: String,
    /// The words of all three.
    words: Signs,
    /// The forms of its own specifics.
    keys: BTreeSet<(Kind, String)>,
    days: Vec<Day>,
    stems: BTreeSet<String>,
    figures: BTreeSet<String>,
}

impl Held {
    fn of(summary: &str) -> Self {
        let own = extract([summary]);
        let dates = own.iter().filter(|one| one.kind == Kind::Date);
        let text = one_line(summary).to_lowercase();
        let counted = counted(&text);
        Self {
            slashed: text.replace('\\', "/"),
            words: Signs::of(words(&text).chain(words(&counted))),
            figures: figures(&text).chain(figures(&counted)).collect(),
            text,
            counted,
            days: dates.flat_map(|one| Day::all_of(&one.text)).collect(),
            keys: own.iter().map(|one| (one.kind, one.key())).collect(),
            stems: keywords(summary).map(|word| stem(&word)).collect(),
        }
    }

    /// Whether it holds a specific. Asks whether an ending of a path is that of no other path of the log.
    fn holds(&self, one: &Specific, is_sole: impl Fn(&str) -> bool) -> bool {
        let said = one_line(&one.text).to_lowercase();
        if one.kind != Kind::Path && self.says(&self.text, &said) {
            return true;
        }
        let key = (one.kind, one.key());
        if self.keys.contains(&key) {
            return true;
        }
        let (_, key) = key;
        match one.kind {
            Kind::Path => self.holds_path(&key, is_sole),
            Kind::Url => self.says(&self.text, &key),
            Kind::Identifier => self.says(&self.text, &key) || self.holds_variant(&key),
            Kind::Number => self.says(&self.counted, &said),
            Kind::Error if key.starts_with("http ") => self.holds_status(&key["http ".len()..]),
            Kind::Error => {
                !key.contains(' ')
                    && key.contains(char::is_alphabetic)
                    && self.says(&self.text, &key)
            }
            Kind::Date => self.holds_date(&one.text),
            Kind::Decision => self.holds_decision(&one.text),
            Kind::Command | Kind::Name => false,
        }
    }

    /// Whether one of its texts holds another as a whole.
    fn says(&self, text: &str, said: &str) -> bool {
        self.words.may_hold(said) && holds_word(text, said)
    }

    /// A path whole or by an ending; where somebody's home is does not matter.
    fn holds_path(&self, key: &str, is_sole: impl Fn(&str) -> bool) -> bool {
        let whole = key.strip_prefix("~/").unwrap_or(key);
        endings(key).any(|tail| {
            self.words.may_hold(tail)
                && place::is_named(&self.slashed, tail, tail == whole)
                && (tail == key || tail == whole || tells(tail) && is_sole(tail))
        })
    }

    /// A status as people speak of it: `503 errors`.
    fn holds_status(&self, status: &str) -> bool {
        let after = [" error", " errors", "s", " response", " responses"];
        after.iter().any(|after| self.says(&self.text, &format!("{status}{after}")))
    }

    /// A version with or without its `v`, a hash by its beginning.
    fn holds_variant(&self, key: &str) -> bool {
        if let Some(bare) = key.strip_prefix('v').filter(|bare| is_figure(bare)) {
            return self.says(&self.text, bare);
        }
        let short = |word: &&str| {
            word.len() >= SHORTEST_HASH && (key.starts_with(word) || word.starts_with(key))
        };
        is_hash(key) && words(&self.text).filter(short).any(is_hash)
            || is_figure(key) && self.says(&self.text, &format!("v{key}"))
    }

    fn holds_date(&self, date: &str) -> bool {
        let days = Day::all_of(date);
        !days.is_empty() && days.iter().all(|day| day.is_among(&self.days))
    }

    /// By most of its words, and each of its figures.
    fn holds_decision(&self, sentence: &str) -> bool {
        if !figures(&sentence.to_lowercase()).all(|figure| self.figures.contains(&figure)) {
            return false;
        }
        let stems: BTreeSet<String> = keywords(sentence).map(|word| stem(&word)).collect();
        let held = stems.iter().filter(|stem| self.stems.contains(*stem)).count();
        !stems.is_empty() && held * 100 >= stems.len() * DECISION_PERCENT
    }
}

/// A text with figures for its number words; empty if it has none. Takes small letters.
fn counted(text: &str) -> String {
    if !words(text).any(|word| normal::number_word(word).is_some()) {
        return String::new();
    }
    let figure = |piece: &str| {
        let word = piece.trim_end_matches(|c| !is_letter(c));
        let number = normal::number_word(word).map(|number| number.to_string());
        number.map_or_else(|| piece.to_owned(), |number| number + &piece[word.len()..])
    };
    text.split_inclusive(|c| !is_letter(c)).map(figure).collect()
}

/// The values of a text's figures: `1,200` is 1200 and `5k` is 5000. Takes small letters.
fn figures(text: &str) -> impl Iterator<Item = String> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '\'');
    text.split(move |c| !inside(c)).filter_map(|word| {
        let from = &word[word.find(|c: char| c.is_ascii_digit())?..];
        let end = from.find(char::is_alphabetic).unwrap_or(from.len());
        let value = normal::figure_value(from[..end].trim_end_matches(|c: char| !is_letter(c)))?;
        let size = if &from[end..] == "k" { 1e3 } else { 1.0 };
        Some((value * size).to_string())
    })
}

/// The fewest digits by which people name a commit.
const SHORTEST_HASH: usize = 7;

fn is_hash(word: &str) -> bool {
    word.len() >= SHORTEST_HASH
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}

fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the ending of a path is telling enough to stand for it: `pool.py` is, `server` is a word.
fn tells(tail: &str) -> bool {
    tail.contains(['.', '_', '/']) || tail.contains(|c: char| c.is_ascii_digit())
}

/// Which words a text has, in a form that sometimes says yes to one that it has not.
struct Signs([u64; 64]);

impl Signs {
    fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut signs = [0; 64];
        for (at, bit) in words.map(place) {
            signs[at] |= bit;
        }
        Self(signs)
    }

    /// Whether the text may hold another as a whole, because it has all its words.
    fn may_hold(&self, said: &str) -> bool {
        words(said).map(place).all(|(at, bit)| self.0[at] & bit > 0)
    }
}

/// The place of a word's bit.
fn place(word: &str) -> (usize, u64) {
    let mix = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = word.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    ((sum >> 58) as usize, 1 << (sum >> 32 & 63))
}

/// The words as [`holds_word`] sees them: runs of letters, digits and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty())
}

fn is_letter(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a text holds another as a whole: `1.3` is not held by `1.31`, nor `api` by `rapid`.
fn holds_word(text: &str, word: &str) -> bool {
    let (head, tail) = (word.chars().next(), word.chars().next_back());
    text.match_indices(word).filter(|_| !word.is_empty()).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let mut rest = text[at + found.len()..].chars();
        let next = rest.next();
        let joined = |c: Option<char>, end: Option<char>| {
            c.is_some_and(is_letter) && end.is_some_and(is_letter)
        };
        let decimal = tail.is_some_and(|c| c.is_ascii_digit())
            && matches!(next, Some('.' | ','))
            && rest.next().is_some_and(|c| c.is_ascii_digit());
        let fraction = head.is_some_and(|c| c.is_ascii_digit())
            && matches!(before, Some('.' | ','))
            && text[..at - 1].ends_with(|c: char| c.is_ascii_digit());
        !joined(before, head) && !joined(next, tail) && !decimal && !fraction
    })
}
