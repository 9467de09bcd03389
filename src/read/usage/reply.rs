//! A reply, of which each block is a line that tells what the whole reply cost.

use std::cmp::Reverse;

use super::{MOST_OUTPUT, Used};
use crate::read::Moment;

/// A reply, as its lines tell of it.
#[derive(Debug)]
pub(super) struct Reply {
    request: Option<u64>,
    /// Another one is the same.
    pub is_again: bool,
    /// It was told of beside the conversation alone.
    aside: bool,
    at: Moment,
    /// The answer in the copy of it that is being read, and in the best one before.
    answer: Answer,
    before: Answer,
    copy: u32,
    /// What was read from the cache, written to it and read without it, and how many lines say so.
    prompt: Prompt,
    /// The same of lines that say otherwise.
    others: Vec<Prompt>,
}

/// Prompts of one reply that are told apart: no program writes as many.
const MOST_PROMPTS: usize = 8;

/// More tokens than fit are more than any model takes.
type Prompt = ([u32; 3], u32);

fn sum(prompt: &[u32; 3]) -> u64 {
    prompt.iter().copied().map(u64::from).sum()
}

/// Whether two prompts are the same but for one figure of which one digit is another, as a damaged byte makes it. Some
/// programs tell the whole prompt and others what was read without a cache, so that parts may move together.
fn is_digit_off(one: &[u32; 3], other: &[u32; 3]) -> bool {
    let figures = |[read, written, uncached]: &[u32; 3]| {
        let cached = [*read, *written].map(u64::from);
        [cached[0], cached[1], cached[0] + cached[1] + u64::from(*uncached)]
    };
    let off = figures(one).into_iter().zip(figures(other)).map(|(one, other)| one.abs_diff(other));
    let mut off = off.filter(|off| *off > 0);
    let Some(digit) = off.next() else { return true };
    off.all(|also| also == digit) && digit % 10_u64.pow(digit.ilog10()) == 0
}

fn small(tokens: u64) -> u32 {
    tokens.try_into().unwrap_or(u32::MAX)
}

/// What the lines of one file tell of an answer.
#[derive(Debug, Clone, Copy, Default)]
struct Answer {
    lines: u32,
    output: u32,
    /// When the line was written that tells it; 0 if nobody knows.
    at: i64,
}

impl Answer {
    fn is_possible(self) -> bool {
        self.output > 0 && u64::from(self.output) <= MOST_OUTPUT
    }

    /// The last line knows most of the answer, wherever in the file it stands: one before that tells more is damaged. What
    /// is written again with nothing in it tells nothing, and what no model can have given stands as long as nothing else
    /// is told.
    fn take(&mut self, output: u64, at: Moment) {
        let next = Self { lines: self.lines + 1, output: small(output), at: at.unwrap_or(0) };
        let is_last = next.at == 0 || next.at >= self.at || !self.is_possible();
        let stands = is_last && next.is_possible() || next.output > 0 && !self.is_possible();
        *self = if stands { next } else { Self { lines: next.lines, ..*self } };
    }

    /// A copy with fewer lines breaks off. Of two that are as long one is damaged, or none.
    fn or(self, other: Self) -> Self {
        let known = |of: &Self| (of.is_possible(), of.lines, Reverse(of.output));
        [self, other].into_iter().max_by_key(known).unwrap_or_default()
    }
}

impl Reply {
    pub(super) fn new(request: Option<u64>, copy: u32, used: &Used) -> Self {
        let (prompt, others) = (([0; 3], 0), Vec::new());
        let (answer, before) = (Answer::default(), Answer::default());
        let mut reply = Self {
            request,
            is_again: false,
            aside: true,
            at: used.at,
            answer,
            before,
            copy,
            prompt,
            others,
        };
        reply.take(copy, true, used);
        reply
    }

    /// A line of the conversation itself names the request that brought it.
    pub(super) fn comes_from(&mut self, request: Option<u64>) {
        if std::mem::take(&mut self.aside) {
            self.request = request;
        }
    }

    /// Whether a line of this message may tell of this reply, though another request stands in it.
    pub(super) fn may_be_of(&self, request: Option<u64>, aside: bool) -> bool {
        let told = self.request.zip(request);
        told.is_none_or(|(known, request)| known == request) || self.aside != aside
    }

    /// Whether a line told of this very prompt.
    pub(super) fn tells(&self, used: &Used) -> bool {
        let prompt = used.parts().map(small);
        self.prompts().any(|(known, _)| *known == prompt)
    }

    /// What the lines tell of the prompt, if any of them does.
    fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        std::iter::once(&self.prompt).chain(&self.others).filter(|(_, lines)| *lines > 0)
    }

    /// Takes a line of one of its copies. One that does not stand behind another line of it and tells less begins another
    /// copy, too.
    pub(super) fn take(&mut self, copy: u32, is_behind: bool, used: &Used) {
        self.at = self.at.or(used.at);
        let is_another = std::mem::replace(&mut self.copy, copy) != copy;
        if is_another || !is_behind && used.output < self.answer.output.into() {
            self.before = self.before.or(std::mem::take(&mut self.answer));
        }
        if used.prompt() == 0 && self.prompt.1 > 0 {
            // Written again with nothing in it.
            return;
        }
        self.answer.take(used.output, used.at);
        if used.prompt() == 0 {
            return;
        }
        let prompt = used.parts().map(small);
        if self.prompt.1 == 0 {
            self.prompt.0 = prompt;
        }
        let is_room = self.others.len() < MOST_PROMPTS;
        let mut known = std::iter::once(&mut self.prompt).chain(&mut self.others);
        match known.find(|(known, _)| *known == prompt) {
            Some((_, lines)) => *lines = lines.saturating_add(1),
            None if is_room => self.others.push((prompt, 1)),
            None => {}
        }
    }

    /// The prompt is the largest that a line tells: it grows while a reply comes, with what is searched for it. But for one
    /// that is another one with a damaged digit: of those counts what most lines tell, and of two lines the smaller one.
    pub(super) fn used(&self) -> Used {
        let is_pair = self.prompts().map(|(_, lines)| lines).sum::<u32>() == 2;
        let speaks_for = |one: &Prompt, other: &Prompt| {
            one.1 > other.1 || is_pair && one.1 == other.1 && sum(&one.0) < sum(&other.0)
        };
        let is_damaged = |one: &&Prompt| {
            let mut others = self.prompts().filter(|other| is_digit_off(&other.0, &one.0));
            others.any(|other| speaks_for(other, one))
        };
        let sound = self.prompts().filter(|one| !is_damaged(one));
        let largest = sound.max_by_key(|(prompt, _)| sum(prompt));
        let [read, written, uncached] = largest.map_or([0; 3], |(prompt, _)| prompt.map(u64::from));
        let output = self.answer.or(self.before).output.into();
        Used { at: self.at, read, written, uncached, output }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The prompt of a reply whose lines tell what was read from the cache, written to it and read without it.
    fn prompt(lines: &[[u64; 3]]) -> [u64; 3] {
        let used = |&[read, written, uncached]: &[u64; 3]| Used {
            read,
            written,
            uncached,
            ..Used::default()
        };
        let mut reply = Reply::new(None, 0, &used(&lines[0]));
        lines[1..].iter().for_each(|line| reply.take(0, true, &used(line)));
        reply.used().parts()
    }

    #[test]
    fn a_prompt_that_grows_while_the_reply_comes_counts_as_it_was_last() {
        let searched = [[0, 0, 2_679], [0, 0, 2_679], [0, 0, 10_682]];
        assert_eq!(prompt(&searched), searched[2]);
        assert_eq!(prompt(&[[50, 0, 50], [100, 0, 100], [150, 0, 150]]), [150, 0, 150]);
        assert_eq!(prompt(&[[0, 0, 100], [0, 0, 200], [0, 0, 300]]), [0, 0, 300]);
        // What a proxy did not know at first.
        assert_eq!(prompt(&[[0, 0, 12], [900, 0, 140]]), [900, 0, 140]);
    }

    #[test]
    fn a_prompt_with_one_damaged_digit_does_not_speak_for_the_others() {
        let sound = [11_000, 0, 679];
        for damaged in [[91_000, 0, 679], [11_000, 0, 979], [10_000, 0, 679]] {
            for at in 0..3 {
                let mut lines = [sound; 3];
                lines[at] = damaged;
                assert_eq!(prompt(&lines), sound, "{damaged:?} as line {at}");
            }
        }
        assert_eq!(prompt(&[[0, 0, 100], [0, 0, 900]]), [0, 0, 100]);
        assert_eq!(prompt(&[[0, 0, 900], [0, 0, 100]]), [0, 0, 100]);
    }
}
