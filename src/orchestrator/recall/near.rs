//! What the user said near a passage that is recalled: what a topic is called is said once, and corrected or settled in
//! words that no question holds, often behind an exchange about something else.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::texts::Texts;
use super::wanted::told;
use super::worth::Chosen;
use crate::memory::{EffortId, Role};
use crate::recall::said::{Heard, Place, Source};
use crate::recall::{SIGNS, excerpt, tells};

/// Exchanges before and behind a passage that are looked at, lines that are told of them, bytes of each.
const EARLIER: u64 = 1;
const LATER: u64 = 4;
const MOST: usize = 4;
const BYTES: usize = 200;

/// What is near the passages that are recalled for a message. What was told near one is not told again near another.
pub(super) struct Near<'a> {
    texts: Texts<'a>,
    chosen: &'a [Chosen<'a>],
    /// The terms of the message.
    asked: Heard,
    told: BTreeSet<(&'a Source, u64)>,
}

/// Something that the user said near a passage, by its number in the log.
struct Line {
    number: u64,
    said: String,
}

impl Line {
    fn told(&self) -> String {
        told(Role::User, &self.said)
    }
}

impl<'a> Near<'a> {
    pub(super) fn new(texts: Texts<'a>, message: &str, chosen: &'a [Chosen<'a>]) -> Self {
        let mut asked = Heard::default();
        asked.hear(message);
        Self { texts, chosen, asked, told: BTreeSet::new() }
    }

    /// What is recalled of a passage between the lines that were said near it.
    pub(super) fn around(&mut self, text: String, one: &Chosen<'a>) -> String {
        let (before, behind) = self.lines(one);
        before.into_iter().chain([text]).chain(behind).collect::<Vec<_>>().join("\n")
    }

    /// The lines that were said near a passage without it; empty if there are none.
    pub(super) fn beside(&mut self, one: &Chosen<'a>) -> String {
        let (before, behind) = self.lines(one);
        before.into_iter().chain(behind).collect::<Vec<_>>().join("\n")
    }

    /// The lines before and behind a passage that are worth most, in their order.
    fn lines(&mut self, one: &Chosen<'a>) -> (Vec<String>, Vec<String>) {
        let Place::Messages { range, .. } = &one.passage.place else { return Default::default() };
        let range = range.start.into()..range.end.into();
        let mut lines = self.said_near(&range, one);
        if lines.len() > MOST {
            let mut known = self.asked.clone();
            known.hear(&one.told.text);
            let worth = |line: &Line| worth(&line.said, away(&range, line.number), &known);
            lines.sort_by_cached_key(|line| Reverse(worth(line)));
            lines.truncate(MOST);
            lines.sort_by_key(|line| line.number);
        }
        self.told.extend(lines.iter().map(|line| (one.source, line.number)));
        let first_behind = lines.partition_point(|line| line.number < range.start);
        let behind = lines.split_off(first_behind);
        let texts = |lines: Vec<Line>| lines.iter().map(Line::told).collect();
        (texts(lines), texts(behind))
    }

    /// What the user said near some messages, unless the window holds it, or it is recalled or was told itself.
    fn said_near(&self, range: &Range<u64>, one: &Chosen<'a>) -> Vec<Line> {
        let log = match one.source {
            Source::Ambient => None,
            Source::Effort(id) => Some(EffortId::stored(id)),
            Source::Note(_) | Source::Text(_) => return Vec::new(),
        };
        let all = range.start.saturating_sub(2 * EARLIER)..range.end + 2 * LATER;
        let is_in_window =
            |number: u64| self.texts.memory.holds_messages(log.as_ref(), number..number + 1);
        let said = self.texts.said_by(Role::User, one.source, all);
        said.into_iter()
            .filter(|(number, _)| !range.contains(number))
            .filter(|(number, _)| !self.is_told(one.source, *number) && !is_in_window(*number))
            .map(|(number, message)| {
                let said = excerpt(&message.text, &one.passage.words, BYTES);
                Line { number, said: said.trim().to_owned() }
            })
            .filter(|line| tells(&line.told()))
            .collect()
    }

    fn is_told(&self, source: &'a Source, number: u64) -> bool {
        let holds = |other: &Chosen| match &other.passage.place {
            Place::Messages { range, .. } => {
                other.source == source && (range.start.into()..range.end.into()).contains(&number)
            }
            Place::Summary => false,
        };
        self.told.contains(&(source, number)) || self.chosen.iter().any(holds)
    }
}

/// How many exchanges a message is away from others.
fn away(range: &Range<u64>, number: u64) -> u64 {
    if number < range.start {
        (range.start - number).div_ceil(2)
    } else {
        (number - range.end) / 2 + 1
    }
}

/// How much a line is worth that was said so far away: most, if it shares telling terms with the message or the passage, or
/// holds a figure; little, if it asks.
fn worth(said: &str, away: u64, known: &Heard) -> u64 {
    /// What a term is worth, and how many count.
    const TERM: usize = 2;
    const MOST_TERMS: usize = 2;
    let shared = known.shared(said, MOST_TERMS);
    let has_figure = said.contains(|c: char| c.is_ascii_digit());
    let asks = said.trim_end().ends_with(SIGNS);
    let near = (EARLIER + LATER).saturating_sub(away + u64::from(asks));
    (TERM * shared) as u64 + u64::from(has_figure) + near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_the_same_or_tells_a_figure_is_worth_more_than_small_talk_that_is_nearer() {
        let mut known = Heard::default();
        known.hear("When is the trombone lesson of the brass group?");
        let small_talk = worth("It rained again.", 1, &known);
        assert!(worth("The trombone is sold.", 2, &known) > small_talk);
        assert!(worth("It is 14 now.", 1, &known) > small_talk);
        assert!(worth("Is it raining again?", 1, &known) < small_talk);
        assert!(worth("It rained again.", 2, &known) < small_talk);
    }

    #[test]
    fn exchanges_are_counted_from_both_ends() {
        let away = |number| away(&(10..12), number);
        assert_eq!([8, 9, 6, 12, 13, 14].map(away), [1, 1, 2, 1, 1, 2]);
    }
}
