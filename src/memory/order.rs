//! The order of the front: what was said stands where it was said.
//!
//! Nothing there moves, so that a provider's cache keeps it: when the talk turns to another effort, that one's log goes
//! on at the end of the front, and what was said of it before stays where it is.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::budget::Plan;
use super::{EffortId, Memory, Message, Tokens, Turn, WindowItem};

/// A run of messages of one log that stand together in the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// The log (`None`: ambient).
    pub(super) log: Option<usize>,
    /// Messages of that log that were said later.
    pub(super) later: usize,
}

/// All runs, as they stand. The first is of ambient, with which every session begins.
#[derive(Debug, Clone)]
pub(super) struct Order(Vec<Run>);

impl Default for Order {
    fn default() -> Self {
        Self(vec![Run { log: None, later: 0 }])
    }
}

impl Order {
    /// The order of logs of which each stands together.
    pub(super) fn of(logs: &[usize]) -> Self {
        let mut order = Self::default();
        for &log in logs {
            order.enter(log);
        }
        order
    }

    /// The order in which messages of several logs were said: the log of each and its turn.
    pub(super) fn of_said(mut said: Vec<(Turn, Option<usize>)>) -> Self {
        said.sort_by_key(|(turn, _)| *turn);
        let mut order = Self::default();
        for (_, log) in said {
            order.extend(log, 1);
        }
        order
    }

    /// The order of runs as they were recorded.
    pub(super) fn of_runs(runs: Vec<Run>) -> Self {
        let mut order = Self::default();
        order.0[0].later = usize::MAX;
        order.0.extend(runs);
        order
    }

    /// The runs.
    pub(super) fn runs(&self) -> &[Run] {
        &self.0
    }

    /// The log that the front ends with.
    pub(super) fn end(&self) -> Option<usize> {
        self.0.last().and_then(|run| run.log)
    }

    /// Messages join a log, at the end of the front.
    pub(super) fn extend(&mut self, log: Option<usize>, messages: usize) {
        for run in self.0.iter_mut().filter(|run| run.log == log) {
            run.later = run.later.saturating_add(messages);
        }
        match self.0.last_mut() {
            Some(last) if last.log == log => last.later = 0,
            _ => self.0.push(Run { log, later: 0 }),
        }
    }

    /// The log of an effort enters, with all that it holds.
    pub(super) fn enter(&mut self, log: usize) {
        self.0.push(Run { log: Some(log), later: 0 });
    }

    /// The log of an effort leaves.
    pub(super) fn leave(&mut self, log: usize) {
        self.0.retain(|run| run.log != Some(log));
        self.join();
    }

    /// Of ambient only the last messages are left.
    pub(super) fn keep_ambient(&mut self, messages: usize) {
        let mut first = true;
        self.0
            .retain(|run| std::mem::take(&mut first) || run.log.is_some() || run.later < messages);
        self.join();
    }

    /// Neighbours of one log are one run.
    fn join(&mut self) {
        self.0.dedup_by(|next, run| {
            let is_same = next.log == run.log;
            run.later = if is_same { next.later } else { run.later };
            is_same
        });
    }
}

/// A log in the form in which it is sent, of which several runs may stand in the front.
pub(super) struct Sent<'a> {
    pub(super) messages: Vec<&'a Message>,
    raw: &'a [Message],
    /// Where each stands in the log, once that is asked for.
    places: OnceCell<Vec<usize>>,
    /// How many of them stand in the runs so far.
    done: usize,
}

impl Sent<'_> {
    /// The part that stands in the next run of it.
    pub(super) fn part_of(&mut self, run: Run) -> Range<usize> {
        let from = self.done;
        self.done = self.end_of(run).max(from);
        from..self.done
    }

    fn end_of(&self, run: Run) -> usize {
        let (sent, raw) = (self.messages.len(), self.raw.len());
        if run.later == 0 {
            return sent;
        }
        if raw == 0 || raw == sent {
            return sent.saturating_sub(run.later);
        }
        let places = self.places.get_or_init(|| places(&self.messages, self.raw).collect());
        places.partition_point(|place| *place < raw.saturating_sub(run.later))
    }
}

impl Memory {
    /// A log as it is sent (`None`: ambient), of which nothing stands in the front yet.
    pub(super) fn sent<'a>(&'a self, plan: &'a Plan, log: Option<usize>) -> Sent<'a> {
        let raw = log.map_or(&[][..], |at| self.efforts[at].raw());
        Sent { messages: self.shown(plan, log), raw, places: OnceCell::new(), done: 0 }
    }

    /// The texts of the front, as they stand.
    pub(super) fn front(&self) -> Vec<Arc<str>> {
        let front = self.lay_out_front(self.resting()).items;
        front.into_iter().map(|item| item.content).collect()
    }

    /// Whether most of the front has to be read anew after this turn, because something left or changed near its
    /// beginning: then more can leave for free.
    pub(super) fn front_breaks_early(&self) -> bool {
        let front = self.lay_out_front(self.resting()).items;
        let pairs = front.iter().zip(&self.front_sent);
        let same = pairs.take_while(|(item, sent)| item.content == **sent).count();
        let cost = |items: &[WindowItem]| items.iter().map(|item| item.tokens).sum::<Tokens>();
        let fixed = self.frame_layers.total();
        let said = cost(&front).saturating_sub(fixed);
        same < self.front_sent.len() && cost(&front[same..]).0 * 2 >= said.0
    }

    /// For the record: the runs, with the messages of each log, as it is sent, that stand behind each; none where each log
    /// stands together, in the order of use.
    pub(super) fn recorded_runs(&self) -> Vec<(Option<EffortId>, usize)> {
        let plan = self.resting();
        let mut logs = BTreeMap::new();
        let mut runs = Vec::new();
        for run in self.order.runs() {
            let log = logs.entry(run.log).or_insert_with(|| self.sent(plan, run.log));
            let part = log.part_of(*run);
            if !part.is_empty() {
                runs.push((run.log, log.messages.len() - part.end));
            }
        }
        let usual = std::iter::once(None).chain(self.open.iter().copied().map(Some));
        let mut usual = usual.filter(|log| logs.get(log).is_some_and(|sent| sent.done > 0));
        if runs.iter().all(|(log, _)| usual.next() == Some(*log)) {
            return Vec::new();
        }
        let id = |at: usize| self.efforts[at].id.clone();
        runs.into_iter().map(|(log, later)| (log.map(id), later)).collect()
    }
}

/// The place in its log of each message that is sent of it; what stands for others is in the place of the first of them.
fn places<'a>(shown: &'a [&Message], raw: &'a [Message]) -> impl Iterator<Item = usize> + 'a {
    let mut next = 0;
    shown.iter().map(move |message| {
        let is_it = |one: &Message| Arc::ptr_eq(&one.content, &message.content);
        match raw[next..].iter().position(is_it) {
            Some(ahead) => {
                next += ahead + 1;
                next - 1
            }
            None => next,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::{memory, say};
    use crate::memory::{Role, Source};

    fn said(memory: &Memory) -> Vec<Arc<str>> {
        let window = memory.window();
        let users = window.front().iter().filter(|item| item.role == Role::User);
        users.map(|item| Arc::clone(&item.content)).collect()
    }

    #[test]
    fn a_switch_moves_nothing_and_a_log_goes_on_at_the_end() {
        let mut memory = memory();
        say(&mut memory, "hello", "hi");
        for (name, words) in [("bread", "b1"), ("boat", "s1")] {
            memory.open(name).unwrap();
            say(&mut memory, words, "yes");
        }
        let mut expected: Vec<String> = ["hello", "b1", "s1"].map(String::from).into();
        for (name, words) in [("bread", "b2"), ("boat", "s2"), ("bread", "b3")] {
            let before = memory.window().front_messages().collect::<Vec<_>>();
            memory.switch(name).unwrap();
            assert_eq!(memory.window().front_messages().collect::<Vec<_>>(), before);
            say(&mut memory, words, "yes");
            expected.push(words.to_owned());
            assert_eq!(said(&memory).iter().map(|one| &**one).collect::<Vec<_>>(), expected);
        }
        let source = memory.close_source(Some("bread"), None).unwrap();
        memory.conclude(&source, "Baked.").unwrap();
        assert_eq!(
            said(&memory).iter().map(|one| &**one).collect::<Vec<_>>(),
            ["hello", "s1", "s2"]
        );
        assert_eq!(memory.order.runs().len(), 2, "neighbours of one log are one run");
    }

    #[test]
    fn an_expanded_log_stands_where_the_front_ended_when_it_entered() {
        let mut memory = memory();
        memory.open("old").unwrap();
        say(&mut memory, &"long talk ".repeat(20), "yes");
        let source = memory.close_source(None, None).unwrap();
        memory.conclude(&source, "Done.").unwrap();
        for (name, words) in [("bread", "b1"), ("boat", "s1")] {
            memory.open(name).unwrap();
            say(&mut memory, words, "yes");
        }
        memory.switch("bread").unwrap();
        memory.expand("old", vec![(Role::User, "as it was".into())]).unwrap();
        say(&mut memory, "b2", "yes");
        let window = memory.window_with("more", Tokens(0));
        let sources: Vec<_> = window.front().iter().map(|item| &item.source).collect();
        let at = |words: &str| {
            window.front().iter().position(|item| &*item.content == words).expect(words)
        };
        assert!(at("s1") < at("as it was") && at("as it was") < at("b2"), "{sources:?}");
        assert!(matches!(sources[at("as it was")], Source::Expanded(_)));
    }
}
