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

    /// The prompt is the one that most lines tell, and of as many the smaller one: a damaged line does not speak for the
    /// others.
    pub(super) fn used(&self) -> Used {
        let sum = |prompt: &[u32; 3]| prompt.iter().copied().map(u64::from).sum::<u64>();
        let most = self.prompts().max_by_key(|(prompt, lines)| (*lines, Reverse(sum(prompt))));
        let [read, written, uncached] = most.map_or([0; 3], |(prompt, _)| prompt.map(u64::from));
        let output = self.answer.or(self.before).output.into();
        Used { at: self.at, read, written, uncached, output }
    }
}
