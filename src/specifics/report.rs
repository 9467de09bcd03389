//! What a summary kept of a log's specifics, and what it lost.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, Specific, extract, normal, one_line};
use crate::memory::{keywords, stem};

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
        let noun = if total == 1 { "specific" } else { "specifics" };
        format!("kept {} of {total} {noun}", self.kept.len())
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
    /// The words of both.
    words: Signs,
    /// The forms of its own specifics.
    keys: BTreeSet<(Kind, String)>,
    dates: BTreeSet<String>,
    stems: BTreeSet<String>,
}

impl Held {
    fn of(summary: &str) -> Self {
        let own = extract([summary]);
        let dates = own.iter().filter(|one| one.kind == Kind::Date);
        let text = one_line(summary).to_lowercase();
        Self {
            slashed: text.replace('\\', "/"),
            words: Signs::of(&text),
            text,
            dates: dates.flat_map(|one| normal::date_parts(&one.text)).collect(),
            keys: own.iter().map(|one| (one.kind, one.key())).collect(),
            stems: keywords(summary).map(|word| stem(&word)).collect(),
        }
    }

    /// Whether it holds a specific. Asks whether an ending of a path is that of no other path of the log.
    fn holds(&self, one: &Specific, is_sole: impl Fn(&str) -> bool) -> bool {
        let said = one_line(&one.text).to_lowercase();
        if self.says(&self.text, &said) {
            return true;
        }
        let key = (one.kind, one.key());
        if self.keys.contains(&key) {
            return true;
        }
        let (_, key) = key;
        match one.kind {
            Kind::Path => endings(&key).any(|tail| {
                self.says(&self.slashed, tail) && (tail == key || tells(tail) && is_sole(tail))
            }),
            Kind::Url | Kind::Identifier => self.says(&self.text, &key),
            Kind::Error => {
                !key.contains(' ')
                    && key.contains(char::is_alphabetic)
                    && self.says(&self.text, &key)
            }
            Kind::Date => self.holds_date(&one.text),
            Kind::Decision => self.holds_decision(&one.text),
            Kind::Command | Kind::Number | Kind::Name => false,
        }
    }

    /// Whether one of its texts holds another as a whole.
    fn says(&self, text: &str, said: &str) -> bool {
        self.words.may_hold(said) && holds_word(text, said)
    }

    /// The year may be left out or added.
    fn holds_date(&self, date: &str) -> bool {
        let parts = normal::date_parts(date);
        let only_year = parts.iter().all(|part| part.starts_with('y'));
        let mut needed = parts.iter().filter(|part| only_year || !part.starts_with('y'));
        !parts.is_empty() && needed.all(|part| self.dates.contains(part))
    }

    fn holds_decision(&self, sentence: &str) -> bool {
        let stems: BTreeSet<String> = keywords(sentence).map(|word| stem(&word)).collect();
        let held = stems.iter().filter(|stem| self.stems.contains(*stem)).count();
        !stems.is_empty() && held * 100 >= stems.len() * DECISION_PERCENT
    }
}

/// Whether the ending of a path is telling enough to stand for it: `pool.py` is, `server` is a word.
fn tells(tail: &str) -> bool {
    tail.contains(['.', '_', '/']) || tail.contains(|c: char| c.is_ascii_digit())
}

/// Which words a text has, in a form that sometimes says yes to one that it has not.
struct Signs([u64; 64]);

impl Signs {
    fn of(text: &str) -> Self {
        let mut signs = [0; 64];
        for (at, bit) in words(text).map(place) {
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
