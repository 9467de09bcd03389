//! What the words in front of a figure say of it: its label, or how often something happens.

use super::super::spelled;
use super::super::words::{LABELS, TITLES};
use crate::memory::stem;
use crate::specifics::scan::{self, near, word_before};
use crate::specifics::unit;
use crate::specifics::words::Words;

/// Words that a figure's label is no part of, or that stand between the two.
const LINKERS: [&str; 19] = [
    "a", "an", "the", "is", "are", "was", "were", "to", "of", "at", "now", "number", "no", "nr",
    "be", "beyond", "exceed", "may", "not",
];

/// The most words in front of a figure that may say what it is.
const MOST_LEADS: usize = 4;

/// How often something happens, as the word in front of a figure tells it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Pace {
    /// Nothing of it.
    #[default]
    None,
    /// `every 7 days`
    Every,
    /// `weekly`
    Adverb,
}

impl Pace {
    /// That which the word in front of a figure tells.
    pub(super) fn before(text: &str, at: usize) -> Self {
        const EVERY: [&str; 9] =
            ["alle", "cada", "chaque", "each", "every", "jede", "jeden", "les", "ogni"];
        match word_before(text, at).to_lowercase().as_str() {
            word if EVERY.contains(&word) => Self::Every,
            word if spelled::is_adverb(word) => Self::Adverb,
            _ => Self::None,
        }
    }
}

/// The words in front of a figure in its clause, nearest first, and whether the first is its label.
pub(super) fn leads(text: &str, at: usize) -> (Vec<String>, bool) {
    let lead = scan::lead(text, at, 48);
    // What is counted may stand in front of how many it is: `cascades (2)`.
    let is_alone = || text[at..].trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(')');
    let lead = lead.strip_suffix(" (").filter(|_| is_alone()).unwrap_or(lead);
    let clause = lead.rsplit([';', ',', '(', '\n', '!', '?']).next().unwrap_or_default();
    // The dot in front of a figure is that of its label: `ch. 7`.
    let sentence = clause.trim_end_matches(". ").rfind(". ").map_or(0, |end| end + 2);
    let clause = &clause[sentence..];
    let mut leads = Vec::new();
    let words = clause.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for word in words.take(2 * MOST_LEADS) {
        let lower = word.to_lowercase();
        if leads.len() == MOST_LEADS || lower.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        if !LINKERS.contains(&lower.as_str()) {
            leads.push(label(&lower));
        }
    }
    if is_line_sign(text, at) {
        return (vec![label("l")], true);
    }
    let last = clause.trim_end_matches([' ', '.', '-']);
    let last = last.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let apart = clause.ends_with(' ');
    let known = LABELS.hold_lower(last) || TITLES.hold_lower(last) || short_for(last).is_some();
    (leads, apart && known && !last.is_empty())
}

/// Whether what stands in front of a figure says that it is no exact one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum About {
    /// It does not.
    #[default]
    Exact,
    /// `about 41 min`, `~48 s`
    Near,
    /// `more than 1,100`
    Over,
    /// `just over 50 km`
    JustOver,
    /// `under 400 MB`
    Under,
    /// `almost 150`
    JustUnder,
}

/// The words that say so, and how far from what they say is what they mean at most, in parts of that: of a round figure.
const ABOUT: [(About, &[&str], f64); 5] = [
    (
        About::Near,
        &[
            "about",
            "alrededor de",
            "approx",
            "approximately",
            "aproximadamente",
            "around",
            "ca",
            "cerca de",
            "circa",
            "close to",
            "environ",
            "etwa",
            "près de",
            "quelque",
            "roughly",
            "rund",
            "some",
            "ungefähr",
            "unos",
            "à peu près",
        ],
        0.05,
    ),
    (
        About::JustOver,
        &[
            "a bit above",
            "a bit more than",
            "a bit over",
            "a good",
            "a little above",
            "a little more than",
            "a little over",
            "algo más de",
            "etwas mehr als",
            "etwas über",
            "gut",
            "just above",
            "just over",
            "knapp über",
            "slightly above",
            "slightly more than",
            "slightly over",
            "un peu plus de",
        ],
        0.08,
    ),
    (
        About::JustUnder,
        &[
            "a bit below",
            "a bit less than",
            "a bit under",
            "a little below",
            "a little less than",
            "a little under",
            "almost",
            "casi",
            "just below",
            "just shy of",
            "just under",
            "knapp",
            "nearly",
            "presque",
            "slightly below",
            "slightly less than",
            "slightly under",
            "un peu moins de",
        ],
        0.08,
    ),
    (
        About::Over,
        &["mehr als", "more than", "más de", "over", "plus de", "upwards of", "über"],
        0.08,
    ),
    (
        About::Under,
        &["fewer than", "less than", "menos de", "moins de", "under", "unter", "weniger als"],
        0.04,
    ),
];

/// How many points a share may be from another one that is said to be near it, and from which share on but one; and from a
/// small one such a part of it.
const POINTS: f64 = 2.0;
const NEARLY_ALL: f64 = 90.0;
const SHARE: f64 = 0.15;

/// What makes a limit of what follows: `no more than 1,000`, and words behind which it is no side: `spread over 20 days`.
const LIMITS: [&str; 14] = [
    "averaged", "go", "gone", "kein", "ne", "nicht", "no", "not", "pas", "ran", "split", "spread",
    "tested", "went",
];

/// What makes a target of all that follows in a clause: `must stay under 400 MB`.
static TARGETS: Words = Words::new(
    "aim darf debe doit goal keep limit max maximum muss must need needs requires should soll stay target",
);

impl About {
    /// What stands in front of a figure.
    pub(super) fn before(text: &str, at: usize) -> Self {
        const SIGNS: [char; 2] = ['~', '≈'];
        let lead = text[..at].trim_end_matches(['€', '$', '£', '¥', '₹', '₩']);
        if lead.ends_with(SIGNS) || lead.ends_with("~ ") {
            return Self::Near;
        }
        let Some(lead) = lead.strip_suffix(' ') else { return Self::Exact };
        let lead = lead.trim_end_matches('.');
        let ends = |word: &&&str| {
            let start = lead.len().checked_sub(word.len());
            start.is_some_and(|start| {
                let is_it = |end: &str| {
                    end.eq_ignore_ascii_case(word)
                        || !end.is_ascii() && end.to_lowercase() == **word
                };
                lead.get(start..).is_some_and(is_it)
                    && !lead[..start].ends_with(char::is_alphanumeric)
            })
        };
        // `slightly over` ends with `over` too: the longest says most.
        let said = ABOUT.iter().filter_map(|(about, words, _)| {
            Some((words.iter().filter(ends).map(|word| word.len()).max()?, *about))
        });
        let Some((length, about)) = said.max_by_key(|(length, _)| *length) else {
            return Self::Exact;
        };
        let before = word_before(text, lead.len() - length).to_lowercase();
        let is_side = matches!(about, Self::Over | Self::Under);
        let is_target = || {
            let sentence = scan::sentence_before(text, at, 64);
            sentence.split([' ', ',', '(']).any(|word| TARGETS.hold_lower(word))
        };
        if is_side && (LIMITS.contains(&&*before) || is_target()) { Self::Exact } else { about }
    }

    /// Whether it says that the two are hardly apart.
    pub(super) fn is_close(self) -> bool {
        matches!(self, Self::Near | Self::JustOver | Self::JustUnder)
    }

    /// Whether a figure may stand for another one, as far as this goes.
    pub(super) fn allows(self, said: f64, meant: f64) -> bool {
        match self {
            Self::Over | Self::JustOver => said <= meant,
            Self::Under | Self::JustUnder => said >= meant,
            Self::Exact | Self::Near => true,
        }
    }

    /// Whether a round figure stands for another one, which it is near to on the side that the words say. One of `digits`
    /// tells a side by two of them, but the other one itself by one: `about 75` is nothing else, nor is `about 100`. Shares
    /// are told by points: `almost 100 %` is not 90.
    pub(super) fn is_near(self, digits: f64, unit: &str, (said, meant): (f64, f64)) -> bool {
        const TEN: f64 = 10.0;
        const HUNDRED: f64 = 100.0;
        let is_share = unit == "%";
        let is_round = match self {
            Self::Exact => false,
            Self::Near if !is_share => digits > 1.0 && digits < TEN,
            _ => digits > 0.0 && digits < HUNDRED,
        };
        let far = ABOUT.iter().find(|(about, ..)| *about == self).map_or(0.0, |(.., far)| *far);
        let points = if self == Self::Near || said >= NEARLY_ALL { 1.0 } else { POINTS };
        let most = if is_share { points.min(SHARE * said) } else { far * said.abs() };
        is_round && self.allows(said, meant) && (said - meant).abs() <= most * (1.0 + 1e-9)
    }
}

/// The words right behind an amount, which may say of what it is: `80 °C bed`.
pub(super) fn behind(text: &str, at: usize) -> Vec<String> {
    const MOST: usize = 2;
    let Some(rest) = near(text, at).strip_prefix(' ') else { return Vec::new() };
    let clause = rest.split([',', ';', '.', '(', ')', '\n', ':']).next().unwrap_or_default();
    let words = clause.split(' ').filter(|word| !word.is_empty());
    words.take(MOST).map(|word| label(&word.to_lowercase())).collect()
}

/// A label in the form for comparing.
pub(super) fn label(word: &str) -> String {
    // Whatever is a way to say how often: `retries: 8`.
    let whole = short_for(word).or_else(|| unit::canonical(word).filter(|_| word.len() > 3));
    stem(whole.unwrap_or(word))
}

/// What a label is short for.
fn short_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "p" | "pp" | "pg" | "seite" => "page",
        "ch" | "chap" | "kapitel" => "chapter",
        "art" | "artikel" => "article",
        "ext" => "extension",
        "fig" => "figure",
        "sec" | "sect" => "section",
        "vol" => "volume",
        "l" | "ln" | "zeile" => "line",
        _ => return None,
    })
}

/// Whether the letter in front of a figure stands for a line: `L42`.
pub(super) fn is_line_sign(text: &str, at: usize) -> bool {
    let lead = text[..at].strip_suffix(['L', 'l']);
    lead.is_some_and(|lead| !lead.ends_with(char::is_alphanumeric))
}
