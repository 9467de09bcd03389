//! Which of the facts that are expected of an answer it has, as a judge says.

use std::collections::BTreeSet;
use std::iter::Sum;

use super::super::Outcome;
use super::said::{has_any, said};
use crate::counted::counted;

/// What a judge may say of a fact.
const WORDS: [&str; 3] = ["FOUND", "MISSING", "CONTRADICTED"];

/// The share of facts, in percent, that must be found in answers from the summary.
const ENOUGH: usize = 80;

/// Facts by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    found: usize,
    missing: usize,
    contradicted: usize,
    /// The judge gave no verdict, or no clear one.
    none: usize,
}

impl Counts {
    /// An answer that has none of so many.
    pub(super) fn missing(missing: usize) -> Self {
        Self { missing, ..Self::default() }
    }

    fn all(self) -> usize {
        self.found + self.missing + self.contradicted + self.none
    }

    /// How many were found, in a word or two.
    pub(super) fn told(self) -> String {
        let some = |count, word| match count {
            0 => String::new(),
            some => format!(", {some} {word}"),
        };
        let contradicted = some(self.contradicted, "contradicted");
        let none = some(self.none, "without a verdict");
        format!("{} of {}{contradicted}{none}", self.found, counted(self.all() as u64, "fact"))
    }

    fn figures(self) -> String {
        let Self { found, missing, contradicted, none } = self;
        format!(
            "{found} found, {missing} missing, {contradicted} contradicted, {none} without a verdict"
        )
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            found: sum.found + one.found,
            missing: sum.missing + one.missing,
            contradicted: sum.contradicted + one.contradicted,
            none: sum.none + one.none,
        })
    }
}

/// What a judge says of so many facts: behind the number of each, the one of the three words that it says. Where it says
/// one word of a fact and then another one, it says nothing clear.
pub(super) fn read(text: &str, count: usize) -> Counts {
    let mut verdicts: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); count];
    for (number, behind) in numbered(text) {
        if let Some(verdict) = number.checked_sub(1).and_then(|at| verdicts.get_mut(at)) {
            verdict.extend(said(&behind, &WORDS));
        }
    }
    let number = |wanted: &str| {
        let is_it = |said: &&BTreeSet<&str>| said.len() == 1 && said.contains(wanted);
        verdicts.iter().filter(is_it).count()
    };
    Counts {
        found: number("FOUND"),
        missing: number("MISSING"),
        contradicted: number("CONTRADICTED"),
        none: verdicts.iter().filter(|said| said.len() != 1).count(),
    }
}

/// What stands behind the number of each fact. Such a number begins a line or stands behind the word for the fact
/// before it; others are part of what is said.
fn numbered(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let mut is_first = true;
        for piece in line.split_inclusive(|letter: char| !letter.is_alphanumeric()) {
            let word = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric());
            let is_next =
                || is_first || all.last().is_none_or(|(_, behind)| has_any(behind, &WORDS));
            match word.parse() {
                Ok(number) if is_next() => all.push((number, String::new())),
                _ => {
                    if let Some((_, behind)) = all.last_mut() {
                        behind.push_str(piece);
                    }
                }
            }
            is_first = is_first && word.is_empty();
        }
        if let Some((_, behind)) = all.last_mut() {
            behind.push('\n');
        }
    }
    all
}

/// The claim about the answers from the summaries, with those from the logs beside it. Of a model that understands no
/// language it says nothing.
pub(super) fn claim(outcome: &mut Outcome, [brief, whole]: [Counts; 2], offline: bool) {
    let figures =
        format!("{}, of {}; from the whole log {}", brief.figures(), brief.all(), whole.figures());
    if offline {
        return outcome.claim("the facts that are expected are looked for", true, figures);
    }
    let text = format!(
        "at least {ENOUGH} % of the facts that are expected are in the answers from the summary"
    );
    outcome.claim(&text, brief.found * 100 >= brief.all() * ENOUGH, figures);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_has_the_word_behind_its_number() {
        let said = "1. **FOUND**\n2) missing, not found\n3: Contradicted (it says 5)\n9 FOUND";
        let counts = Counts { found: 1, missing: 1, contradicted: 1, none: 1 };
        assert_eq!(read(said, 4), counts);
        assert_eq!(read("They are all FOUND.", 2), Counts { none: 2, ..Counts::default() });
        assert_eq!(counts.told(), "1 of 4 facts, 1 contradicted, 1 without a verdict");
    }

    #[test]
    fn a_fact_that_is_not_found_is_not_found() {
        let none = |none| Counts { none, ..Counts::default() };
        assert_eq!(read("1. not found\n2. not found", 2), none(2));
        assert_eq!(read("1. FOUND or MISSING", 1), none(1));
        assert_eq!(read("1. FOUND\n1. MISSING", 1), none(1));
        // Numbers within what is said are none of a fact.
        let said = "1. It does not say 2 hours, nor is 2 FOUND: MISSING\n2. FOUND, 3. FOUND";
        let counts = Counts { found: 2, missing: 1, ..Counts::default() };
        assert_eq!(read(said, 3), counts);
    }

    #[test]
    fn four_fifths_of_the_facts_must_be_found() {
        let holds = |found, missing| {
            let mut outcome = Outcome::default();
            let brief = Counts { found, missing, ..Counts::default() };
            claim(&mut outcome, [brief, Counts::default()], false);
            outcome.holds()
        };
        assert!(holds(8, 2) && !holds(7, 2));
    }
}
