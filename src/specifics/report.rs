//! What a summary kept of a log's specifics, and what it lost.

mod command;
mod day;
mod decision;
mod form;
mod held;
mod log;
mod markdown;
mod name;
mod place;
mod retold;
mod setting;
mod spoken;
mod statement;
mod table;
mod text;

use std::borrow::Cow;

use super::Specific;
use super::secret;
use super::uniform::uniform;
use crate::counted::noun;
use held::Held;
use log::Log;

/// The specifics of a log, divided by whether a summary still holds them. Each list is in the log's order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The specifics that the summary holds.
    pub kept: Vec<Specific>,
    /// The specifics that only the raw log holds.
    pub missing: Vec<Specific>,
}

impl Report {
    /// Compares a summary with the specifics of the log that it stands for. Letters' case, spaces, separators of
    /// thousands and the unit make no difference to how much something is, nor does the order of its words to a
    /// command, or what stands around it and changes nothing; a path is kept by its last names if no other path of the log
    /// ends with them.
    pub fn of(specifics: &[Specific], summary: &str) -> Self {
        let read = as_read(specifics);
        // What is told without its secret is compared with what the summary tells without it.
        let is_blanked = specifics.iter().any(|one| one.text.contains(secret::MASK));
        let summary =
            &*if is_blanked { secret::without_secrets(summary) } else { Cow::Borrowed(summary) };
        let (held, log) = (Held::of(&uniform(summary)), Log::of(&read));
        let mut report = Self::default();
        for (one, read) in specifics.iter().zip(&*read) {
            // What was read otherwise where other words stood around it is the same in the same words.
            let is_same = || read.text != one.text && summary.contains(&one.text);
            let is_kept = held.holds(read, &log) || is_same();
            let list = if is_kept { &mut report.kept } else { &mut report.missing };
            list.push(one.clone());
        }
        report
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

/// Specifics in the words in which they are compared.
fn as_read(specifics: &[Specific]) -> Cow<'_, [Specific]> {
    let is_same = |one: &Specific| matches!(uniform(&one.text), Cow::Borrowed(_));
    if specifics.iter().all(is_same) {
        return Cow::Borrowed(specifics);
    }
    let read = |one: &Specific| Specific { text: uniform(&one.text).into_owned(), ..one.clone() };
    Cow::Owned(specifics.iter().map(read).collect())
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST - 1).collect();
    format!("{}…", cut.trim_end())
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&super::pattern::Pattern] = &[
    &day::BRACKETED,
    &day::IN_FIGURES,
    &day::RANGES,
    &day::hours::SLASHED,
    &day::hours::SPANS,
    &day::hours::ZONED,
    &held::HOURS,
];
