//! What each value is of: a summary that gives to one what another one has holds both values, and neither of them.
//!
//! The words of the clauses in which a value was said tell what it is of, each of them of the value that is nearest to it. Two
//! values are exchanged where the summary says of each what was said of the other one alone, and nothing that was said of itself
//! alone: anything less may be the same in other words.

mod clause;
mod rows;

use std::collections::{BTreeMap, BTreeSet};

use self::clause::{Value, Word, clauses, plain};
use super::{Forms, form};
use crate::specifics::{Kind, Specific};

/// Texts of more bytes are content that somebody pasted, and take long to look through.
const LONGEST: usize = 64 * 1024;

/// Values whose words are kept.
const MOST: usize = 16_384;

/// Values to which a word may lead; one that more have leads to none.
const MOST_BESIDE: usize = 6;

/// Words, each by its hash.
type Words = BTreeSet<Word>;

/// Values, and the words that tell what they are of.
#[derive(Debug, Default)]
pub(super) struct Bound(BTreeMap<Value, Words>);

impl Bound {
    /// Takes what a message says of its values, with the details that were found in it.
    pub(super) fn take(&mut self, text: &str, details: &[Specific]) {
        if text.len() > LONGEST {
            return;
        }
        let text = plain(&rows::with_labels(text));
        let names = details.iter().filter_map(name).collect();
        for clause in clauses(&text, &names) {
            for (value, words) in clause.values() {
                if self.0.len() < MOST || self.0.contains_key(&value) {
                    self.0.entry(value).or_default().extend(words);
                }
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Forgets all values but those of some details.
    pub(super) fn keep<'a>(&mut self, details: impl Iterator<Item = &'a Specific>) {
        let kept: BTreeSet<Value> = details
            .flat_map(|one| {
                let figures = Value::figures(&plain(&one.text));
                name(one).into_iter().chain(figures)
            })
            .collect();
        self.0.retain(|value, _| kept.contains(value));
    }

    /// Those of some details that a summary holds as what another one is.
    pub(super) fn exchanged(&self, held: &[Specific], summary: &str) -> Forms {
        let mut said = Self::default();
        said.take(summary, held);
        let exchanged = self.exchanged_in(&said);
        let is_exchanged =
            |one: &&Specific| value_of(one, &said).iter().any(|value| exchanged.contains(value));
        held.iter().filter(is_exchanged).map(form).collect()
    }

    fn exchanged_in<'a>(&'a self, said: &'a Self) -> BTreeSet<&'a Value> {
        let told = |(value, own)| Some(Told { value, own, said: said.0.get(value)? });
        let told: Vec<Told<'_>> = self.0.iter().filter_map(told).collect();
        let mut beside: BTreeMap<Word, Vec<&Told<'_>>> = BTreeMap::new();
        for one in &told {
            one.own.iter().for_each(|word| beside.entry(*word).or_default().push(one));
        }
        let is_exchanged = |one: &&Told<'_>| {
            let others = one.said.iter().filter_map(|word| beside.get(word));
            let mut others = others.filter(|all| all.len() <= MOST_BESIDE).flatten();
            others.any(|other| one.stands_for(other) && other.stands_for(one))
        };
        told.iter().filter(is_exchanged).map(|one| one.value).collect()
    }
}

/// A value that a summary holds.
struct Told<'a> {
    value: &'a Value,
    /// What was said of it.
    own: &'a Words,
    /// What the summary says of it.
    said: &'a Words,
}

impl Told<'_> {
    /// Whether the summary says of it what was said of another one, and nothing that was said of itself alone.
    fn stands_for(&self, other: &Self) -> bool {
        let says = |of: &Words, but: &Words| {
            self.said.iter().any(|word| of.contains(word) && !but.contains(word))
        };
        self.value.sort() == other.value.sort()
            && says(other.own, self.own)
            && !says(self.own, other.own)
    }
}

/// What names something or is a day, in small letters.
fn name(one: &Specific) -> Option<Value> {
    let of_kind = match one.kind {
        Kind::Date => Value::Day,
        Kind::Identifier | Kind::Name => Value::Name,
        _ => return None,
    };
    let name = plain(&one.text).trim().to_owned();
    // Marks alone would stand everywhere.
    (!name.is_empty()).then(|| of_kind(name))
}

/// What tells whether a detail was exchanged: its name, or its only figure, with what stands behind it if the summary tells
/// that. A unit is always told.
fn value_of(one: &Specific, said: &Bound) -> Vec<Value> {
    let mut values: Vec<Value> = name(one).into_iter().collect();
    if matches!(one.kind, Kind::Number | Kind::Identifier)
        && let figures = Value::figures(&plain(&one.text))
        && figures.iter().filter(|value| matches!(value, Value::Figure(_))).count() == 1
    {
        let is_told = |value: &Value| value.has_unit() || said.0.contains_key(value);
        values.extend(figures.into_iter().find(is_told));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specifics;

    fn exchanged(messages: &[&str], summary: &str) -> Vec<String> {
        let mut bound = Bound::default();
        for text in messages {
            bound.take(text, &specifics::extract([*text]));
        }
        let held = specifics::extract(messages.iter().copied());
        let forms = bound.exchanged(&held, summary);
        held.iter().filter(|one| forms.contains(&form(one))).map(|one| one.text.clone()).collect()
    }

    #[test]
    fn values_that_a_summary_exchanges_are_those_of_neither() {
        for (said, summary, expected) in [
            ("Connect 3 s, read 25 s.", "connect 25 s, read 3 s", &["3 s", "25 s"][..]),
            (
                "Fish under 2 °C, meat under 4 °C",
                "fish below 4 °C and meat below 2 °C",
                &["2 °C", "4 °C"],
            ),
            (
                "Sleep current: 38 µA, the target is 12 µA",
                "was 12 µA of sleep current against a target of 38 µA",
                &["38 µA", "12 µA"],
            ),
            (
                "412 lime trees and 305 maples",
                "- 305 lime trees\n- 412 maples",
                &["412 lime trees", "305 maples"],
            ),
            (
                "On call is Dmitri Volkov; the secondary is Hannah Weiss.",
                "On call: Hannah Weiss; secondary: Dmitri Volkov.",
                &["Dmitri Volkov", "Hannah Weiss"],
            ),
            (
                "The console is on /dev/ttyS0 of USART1; Modbus is on USART3",
                "USART3: console; USART1: Modbus",
                &["USART1", "USART3"],
            ),
            (
                "NTC table: 10 kΩ at 25 °C, B 3950; derating starts at 60 °C, shut-off at 75 °C.",
                "- derating from 75 °C, shut-off at 60 °C",
                &["60 °C", "75 °C"],
            ),
            (
                "Build passes in 48.6 s (before 71.2 s)",
                "- build takes 71.2 s (before 48.6 s)",
                &["48.6 s", "71.2 s"],
            ),
            ("Door 3 mm; wall 25 mm\n", "door: 25 mm\nwall: 3 mm\n", &["3 mm", "25 mm"]),
            // Told in other words, or in another unit, or of both, or by what is said of it.
            ("Connect 3 s, read 25 s.", "read timeout 25 s; 3 s to connect", &[]),
            ("Connect 3 s, read 25 s.", "25 s and 3 s are the timeouts", &[]),
            ("Connect 3 s, read 25 s.", "read 3 s", &[]),
            ("Door 3 mm, wall 25 mm; window 3 kg", "wall 3, door 25, window 3 kg", &[]),
            (
                "Is connect 25 s and read 3 s? No, connect 3 s and read 25 s.",
                "connect 25 s, read 3 s",
                &[],
            ),
            ("The limit of the queue goes from 3 s to 25 s", "queue limit from 25 s to 3 s", &[]),
        ] {
            assert_eq!(exchanged(&[said], summary), expected, "{said} | {summary}");
        }
    }

    #[test]
    fn a_day_goes_on_behind_its_comma_and_a_row_is_said_together() {
        for (said, summary, expected) in [
            (
                "The freeze is on January 5, 2027 and the release is on February 6, 2027.",
                "- freeze: February 6, 2027\n- release: January 5, 2027",
                &["January 5, 2027", "February 6, 2027"][..],
            ),
            (
                "Berlin opens on 2027-01-05 and Madrid opens on 2027-02-06.",
                "Madrid opens on 2027-01-05 and Berlin opens on 2027-02-06.",
                &["2027-01-05", "2027-02-06"],
            ),
            (
                "The web port is 8080. The metrics port is 9090.",
                "| service | port |\n|---|---|\n| web | 9090 |\n| metrics | 8080 |",
                &["port is 8080", "port is 9090"],
            ),
            (
                "Connect takes 3 s, read takes 25 s.",
                "| connect | read |\n| --- | --- |\n| 25 s | 3 s |",
                &["3 s", "25 s"],
            ),
            (
                "The web port is 8080. The metrics port is 9090.",
                "| port | service |\n|---|---|\n| 8080 | web |\n| 9090 | metrics |",
                &[],
            ),
            (
                "The freeze is on January 5, 2027 and the release is on February 6, 2027.",
                "Freeze January 5, 2027, release February 6, 2027",
                &[],
            ),
        ] {
            assert_eq!(exchanged(&[said], summary), expected, "{said} | {summary}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_and_any_summary_are_looked_through(
            said in "([a-zé`*'. ,;:()|0-9%€—\u{202f}\n-]{0,80}|\\PC{0,40})",
            summary in "([a-zé`*'. ,;:()|0-9%€—\u{202f}\n-]{0,80}|\\PC{0,40})",
        ) {
            let held = specifics::extract([said.as_str(), "`*`"]);
            let mut bound = Bound::default();
            bound.take(&said, &held);
            // What a summary says in the same words is exchanged with nothing.
            proptest::prop_assert!(bound.exchanged(&held, &said).is_empty());
            bound.exchanged(&held, &summary);
        }
    }

    #[test]
    fn pasted_content_tells_of_no_value_what_it_is() {
        let pasted = "Connect 3 s, read 25 s. ".repeat(LONGEST / 20);
        assert!(exchanged(&[&pasted], "connect 25 s, read 3 s").is_empty());
    }
}
