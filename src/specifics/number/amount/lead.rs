//! What the words in front of a figure say of it: its label, or how often something happens.

use super::super::spelled;
use super::super::words::{LABELS, TITLES};
use crate::memory::stem;
use crate::specifics::scan::{self, near, word_before};
use crate::specifics::unit;

/// Words that a figure's label is no part of, or that stand between the two.
const LINKERS: [&str; 14] =
    ["a", "an", "the", "is", "are", "was", "were", "to", "of", "at", "now", "number", "no", "nr"];

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
    let clause =
        scan::lead(text, at, 48).rsplit([';', ',', '(', '\n', '!', '?']).next().unwrap_or_default();
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
    /// `slightly under 5 s`
    Under,
}

/// The words that say so.
const ABOUT: [(About, &[&str]); 3] = [
    (
        About::Near,
        &[
            "about",
            "almost",
            "approx",
            "approximately",
            "around",
            "ca",
            "casi",
            "circa",
            "close to",
            "environ",
            "etwa",
            "gut",
            "just under",
            "just over",
            "knapp",
            "nearly",
            "presque",
            "roughly",
            "rund",
            "ungefähr",
            "unos",
        ],
    ),
    (About::Over, &["mehr als", "more than", "más de", "over", "plus de", "über"]),
    (About::Under, &["slightly under"]),
];

/// What makes a limit of what follows: `no more than 1,000`.
const LIMITS: [&str; 6] = ["kein", "nicht", "no", "not", "pas", "ne"];

impl About {
    /// What stands in front of a figure.
    pub(super) fn before(text: &str, at: usize) -> Self {
        const SIGNS: [char; 2] = ['~', '≈'];
        let lead = text[..at].trim_end_matches(['€', '$', '£']);
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
        let said =
            |(about, words): &(Self, &[&str])| Some((*about, words.iter().find(ends)?.len()));
        let Some((about, length)) = ABOUT.iter().find_map(said) else { return Self::Exact };
        let before = word_before(text, lead.len() - length).to_lowercase();
        if about != Self::Near && LIMITS.contains(&&*before) { Self::Exact } else { about }
    }

    /// Whether a figure may stand for another one, as far as this goes.
    pub(super) fn allows(self, said: f64, meant: f64) -> bool {
        match self {
            Self::Exact | Self::Near => true,
            Self::Over => said <= meant,
            Self::Under => said >= meant,
        }
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
