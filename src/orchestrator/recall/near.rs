//! What the user said near the best passages that are recalled, and what they said yes to: what a topic is called is said
//! once, and corrected or settled in words that no question holds, often behind an exchange about something else.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::texts::{Chosen, Texts, Told, effort_of};
use super::wanted::told;
use crate::memory::Role;
use crate::recall::said::{Heard, Place, Source};
use crate::recall::{SIGNS, accepts, asks, asks_for_end, excerpt, tells};

/// How far around a passage is looked.
struct Reach {
    /// Exchanges before and behind it.
    earlier: u64,
    later: u64,
    /// Lines that are told of them.
    most: usize,
}

/// Around the best passages of efforts: what is needed with the first one stands mostly there. Around the second one less, and
/// behind two more what came of it.
const OF_EFFORTS: [Reach; 4] = [
    Reach { earlier: 4, later: 8, most: 8 },
    Reach { earlier: 1, later: 2, most: 2 },
    Reach { earlier: 0, later: 2, most: 2 },
    Reach { earlier: 0, later: 2, most: 2 },
];

/// Around those between efforts, where much else is about something else: what came of a matter stands some exchanges behind
/// where it came up, and which of the passages it came up in is less clear.
const BETWEEN_EFFORTS: [Reach; 4] = [
    Reach { earlier: 1, later: 8, most: 6 },
    Reach { earlier: 1, later: 4, most: 4 },
    Reach { earlier: 0, later: 3, most: 2 },
    Reach { earlier: 0, later: 3, most: 2 },
];

/// Behind any other one that leaves something open: what was answered, or settled.
const BEHIND_OPEN: Reach = Reach { earlier: 0, later: 1, most: 1 };

/// Around what an effort ended with, where the message asks for that.
const END: Reach = Reach { earlier: 0, later: 4, most: 4 };

/// Bytes of a line.
const BYTES: usize = 140;

/// Messages of an exchange.
const EACH: u64 = 2;

/// Of the passages that are recalled, the first ones mostly find room; others may find none any more, and what they hold
/// counts as not told: it may be told twice.
const SURE: usize = 3;

/// Bytes that a token has at least, in most texts of most scripts: with its lines a passage is to fit into what may be
/// recalled, or it would be left out itself.
const LEAST_BYTES_OF_TOKEN: usize = 2;

/// What is near the passages that are recalled for a message. What was told near one is not told again near another.
pub(super) struct Near<'a> {
    texts: Texts<'a>,
    message: &'a str,
    /// Its terms, once they are wanted.
    heard: OnceCell<Heard>,
    chosen: &'a [Chosen<'a>],
    told: BTreeSet<(&'a Source, u64)>,
}

/// Something that was said near a passage, by its number in the log.
struct Line {
    number: u64,
    by: Role,
    said: String,
}

impl Line {
    fn told(&self) -> String {
        told(self.by, &self.said)
    }

    /// Bytes that it takes, about: who said it goes with it.
    fn takes(&self) -> usize {
        const WHO: usize = 8;
        self.said.len() + WHO
    }
}

impl<'a> Near<'a> {
    /// Begins with passages of which nothing near was told.
    pub(super) fn new(texts: Texts<'a>, message: &'a str, chosen: &'a [Chosen<'a>]) -> Self {
        Self { texts, message, heard: OnceCell::new(), chosen, told: BTreeSet::new() }
    }

    /// What is recalled of one of the passages, between the lines that were said near it if it is among the best.
    pub(super) fn around(&mut self, nth: usize, text: String) -> String {
        let one = &self.chosen[nth];
        let open = || Some(&BEHIND_OPEN).filter(|_| is_open(one));
        let near = self.reach_of(nth).or_else(open).zip(self.range_of(one));
        let Some((reach, range)) = near else { return text };
        let mut lines = self.said_near(one, &range, reach);
        lines.retain(|line| !text.contains(&line.said));
        let mut room = self.texts.room(LEAST_BYTES_OF_TOKEN).saturating_sub(text.len());
        if lines.len() > reach.most || lines.iter().map(Line::takes).sum::<usize>() > room {
            let mut known = self.heard.get_or_init(|| Heard::of(self.message)).clone();
            known.hear(&one.told.text);
            let worth = |line: &Line| worth(&line.said, away(&range, line.number), &known);
            lines.sort_by_cached_key(|line| Reverse(worth(line)));
            lines.truncate(reach.most);
            lines.retain(|line| {
                let left = room.checked_sub(line.takes());
                room = left.unwrap_or(room);
                left.is_some()
            });
        }
        lines.sort_by_key(|line| line.number);
        self.told.extend(lines.iter().map(|line| (one.source, line.number)));
        let is_before = |line: &Line| !range.is_empty() && line.number < range.start;
        let behind = lines.split_off(lines.partition_point(is_before));
        let [before, behind] =
            [lines, behind].map(|lines| lines.into_iter().map(|line| line.told()));
        let text = Some(text).filter(|text| !text.is_empty());
        before.chain(text).chain(behind).collect::<Vec<_>>().join("\n")
    }

    /// How far around the one with this place among the passages is looked; only around the best ones.
    fn reach_of(&self, nth: usize) -> Option<&'static Reach> {
        let Chosen { source, passage, .. } = &self.chosen[nth];
        // That of the effort that the message means most: what others ended with is nothing to it.
        let is_end = nth > 0 && passage.place == Place::Summary && *source == self.chosen[0].source;
        if is_end && asks_for_end(self.message) {
            return Some(&END);
        }
        let is_between = **source == Source::Ambient;
        if is_between { BETWEEN_EFFORTS.get(nth) } else { OF_EFFORTS.get(nth) }
    }

    /// The messages near which is looked. What an effort ended with goes with its summary: none, behind the last one.
    fn range_of(&self, one: &Chosen) -> Option<Range<u64>> {
        match &one.passage.place {
            Place::Messages { range, .. } => Some(range.start.into()..range.end.into()),
            Place::Summary => {
                let id = effort_of(one.source)?;
                let effort = self.texts.memory.effort(&id)?;
                // Where its log is not counted yet, nobody knows where it ends.
                effort.raw_tokens.map(|_| effort.raw_messages..effort.raw_messages)
            }
        }
    }

    /// What the user said near some messages, and what they said yes to there, unless the window holds it, or it is recalled
    /// or was told itself.
    fn said_near(&self, one: &Chosen<'a>, range: &Range<u64>, reach: &Reach) -> Vec<Line> {
        let log = effort_of(one.source);
        let earlier = if range.is_empty() { reach.later } else { reach.earlier };
        let all = range.start.saturating_sub(EACH * earlier)..range.end + EACH * reach.later;
        let memory = self.texts.memory;
        let is_in_window = |number: u64| memory.holds_messages(log.as_ref(), number..number + 1);
        let is_new = |number: u64| {
            !range.contains(&number) && !self.is_told(one.source, number) && !is_in_window(number)
        };
        let line = |number: u64, by: Role, text: &str| {
            let said = excerpt(text, &one.passage.words, BYTES);
            Line { number, by, said: said.trim().to_owned() }
        };
        let mut lines = Vec::new();
        for (number, message) in self.texts.said_by(Role::User, one.source, all) {
            if !is_new(number) {
                continue;
            }
            // What somebody says yes to was said by the other side.
            let answered = number.checked_sub(1).filter(|_| accepts(&message.text));
            if let Some(other) = answered.filter(|other| is_new(*other)) {
                let said = self.texts.said_by(Role::Assistant, one.source, other..other + 1);
                lines.extend(said.iter().map(|(at, said)| line(*at, Role::Assistant, &said.text)));
            }
            lines.push(line(number, Role::User, &message.text));
        }
        lines.retain(|line| tells_figure(&line.said) || tells(&line.told()));
        lines
    }

    fn is_told(&self, source: &'a Source, number: u64) -> bool {
        let holds = |one: &Chosen| match &one.passage.place {
            Place::Messages { range, .. } => {
                one.source == source && (range.start.into()..range.end.into()).contains(&number)
            }
            Place::Summary => false,
        };
        self.told.contains(&(source, number)) || self.chosen.iter().take(SURE).any(holds)
    }
}

/// Whether a passage leaves something open that its user said: a proposal, a question that begins like none. "26?"
fn is_open(one: &Chosen) -> bool {
    const STOPS: [char; 5] = ['.', '!', ':', ';', '\n'];
    let Told { text, messages, .. } = &one.told;
    let last = messages.iter().rev().find(|(role, _)| *role == Role::User);
    let said = last.map_or("", |(_, range)| text[range.clone()].trim_end());
    let Some(asked) = said.strip_suffix(SIGNS) else { return false };
    let is_stop = |sign: char| STOPS.contains(&sign) || SIGNS.contains(&sign);
    let proposed = asked.trim_end_matches(SIGNS).rsplit(is_stop).next();
    proposed.is_some_and(|proposed| !asks(proposed))
}

/// Whether a line tells a figure: beside what it is of, that is all it need tell. "It's in 28 now."
fn tells_figure(said: &str) -> bool {
    said.contains(|c: char| c.is_ascii_digit()) && !said.trim_end().ends_with(SIGNS)
}

/// How many exchanges a message is away from others.
fn away(range: &Range<u64>, number: u64) -> u64 {
    if number < range.start {
        (range.start - number).div_ceil(EACH)
    } else {
        (number - range.end) / EACH + 1
    }
}

/// How much a line is worth that was said so far away: most, if it shares telling terms with the message or the passage, or
/// holds a figure; little, if it asks.
fn worth(said: &str, away: u64, known: &Heard) -> u64 {
    /// What a term is worth, and how many count.
    const TERM: usize = 2;
    const MOST_TERMS: usize = 2;
    /// What is so many exchanges away is not near.
    const FAR: u64 = 5;
    let shared = known.shared(said, MOST_TERMS);
    let has_figure = said.contains(|c: char| c.is_ascii_digit());
    let asks = said.trim_end().ends_with(SIGNS);
    let near = FAR.saturating_sub(away + u64::from(asks));
    (TERM * shared) as u64 + u64::from(has_figure) + near
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_the_same_or_tells_a_figure_is_worth_more_than_small_talk_that_is_nearer() {
        let known = Heard::of("When is the trombone lesson of the brass group?");
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
