//! Which of the facts that are expected of an answer it has, as a judge says.

use std::iter::Sum;

use super::super::Outcome;

/// The share of facts, in percent, that must be found in answers from the summary.
const ENOUGH: usize = 80;

/// Facts by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    found: usize,
    missing: usize,
    contradicted: usize,
    /// The judge gave no verdict.
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
        let contradicted = match self.contradicted {
            0 => String::new(),
            some => format!(", {some} contradicted"),
        };
        format!("{} of {} facts{contradicted}", self.found, self.all())
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

/// What a judge says of so many facts: behind the number of each, the first of the three words.
pub(super) fn read(text: &str, count: usize) -> Counts {
    let mut verdicts: Vec<Option<&str>> = vec![None; count];
    let mut of = None;
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        if let Ok(number) = word.parse::<usize>() {
            of = number.checked_sub(1);
        } else if let Some(verdict) = of.and_then(|at| verdicts.get_mut(at))
            && let Some(known) = ["FOUND", "MISSING", "CONTRADICTED"]
                .into_iter()
                .find(|known| word.eq_ignore_ascii_case(known))
        {
            verdict.get_or_insert(known);
        }
    }
    let number = |wanted| verdicts.iter().filter(|&&verdict| verdict == wanted).count();
    Counts {
        found: number(Some("FOUND")),
        missing: number(Some("MISSING")),
        contradicted: number(Some("CONTRADICTED")),
        none: number(None),
    }
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
        assert_eq!(counts.told(), "1 of 4 facts, 1 contradicted");
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
