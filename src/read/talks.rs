//! Which records of a log of requests are of one talk: each tells all that was said in it so far, and several talks may go
//! on in turn.

use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::dialogue::Role;
use super::lines;
use super::value::hash;

/// Talks that are under way at a time: one that was not gone on with for longer is told anew where it goes on.
const MOST: usize = 64;

/// Turns of all of them together, each a number.
const MOST_TURNS: usize = 1 << 20;

/// The turns of a record as they are written.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Turns {
    messages: Vec<Box<RawValue>>,
    conversations: Vec<Box<RawValue>>,
}

impl Turns {
    /// Those of a record; `None` of one that has none.
    pub(super) fn of(record: &[u8]) -> Option<Vec<Box<RawValue>>> {
        let Self { messages, conversations } = lines::record(record)?;
        [messages, conversations].into_iter().find(|turns| !turns.is_empty())
    }
}

/// What becomes of a record's turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Another record tells them all.
    Elsewhere,
    /// They are told, and this many of them another talk begins with, too.
    Behind(usize),
}

/// What a log's records tell of its talks, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Talks {
    records: Vec<Told>,
    /// Talks under way, the one that was gone on with last behind the others.
    under_way: VecDeque<Talk>,
    /// Turns of them all.
    turns: usize,
}

/// A talk under way.
#[derive(Debug)]
struct Talk {
    /// The record that tells all of it.
    record: usize,
    /// Its turns, each by its hash.
    turns: Vec<u64>,
}

impl Talk {
    /// Turns that it and another one begin with.
    fn common(&self, turns: &[u64]) -> usize {
        self.turns.iter().zip(turns).take_while(|(one, other)| one == other).count()
    }
}

impl Talks {
    /// What becomes of a record; of one that was not looked at all is told.
    pub(super) fn told(&self, record: usize) -> Told {
        self.records.get(record).copied().unwrap_or(Told::Behind(0))
    }

    /// Looks at the next record.
    pub(super) fn look_at(&mut self, record: usize, bytes: &[u8]) {
        self.records.resize(record + 1, Told::Behind(0));
        let Some(written) = Turns::of(bytes) else { return };
        let turns: Vec<u64> = written.iter().map(|turn| hash(turn.get())).collect();
        let common = |talk: &Talk| (talk.common(&turns), talk.turns.len() <= turns.len());
        let nearest = (0..self.under_way.len()).max_by_key(|at| common(&self.under_way[*at]));
        let shared = nearest.map_or(0, |at| self.under_way[at].common(&turns));
        let goes_on = nearest.filter(|at| {
            let length = self.under_way[*at].turns.len();
            shared > 0 && shared == length.min(turns.len())
        });
        let Some(talk) = goes_on.and_then(|at| self.under_way.remove(at)) else {
            self.records[record] =
                Told::Behind(gone_on_from(&written[..shared], &written[shared..]));
            return self.keep(Talk { record, turns });
        };
        self.turns -= talk.turns.len();
        if shared == turns.len() && shared < talk.turns.len() {
            self.records[record] = Told::Elsewhere;
            return self.keep(talk);
        }
        self.records[record] = self.records[talk.record];
        self.records[talk.record] = Told::Elsewhere;
        self.keep(Talk { record, turns });
    }

    fn keep(&mut self, talk: Talk) {
        self.turns += talk.turns.len();
        self.under_way.push_back(talk);
        while self.under_way.len() > MOST || self.turns > MOST_TURNS {
            let Some(oldest) = self.under_way.pop_front() else { break };
            self.turns -= oldest.turns.len();
        }
    }
}

/// How many of the turns that a talk shares with another one it goes on from: up to what the person says next, if the model
/// has replied by then. The same question may begin two talks.
fn gone_on_from(shared: &[Box<RawValue>], own: &[Box<RawValue>]) -> usize {
    let role =
        |turn: &RawValue| lines::record(turn.get().as_bytes()).map(|turn: Value| Role::of(&turn));
    let is_by = |turn: &RawValue, by: Role| role(turn) == Some(by);
    let kept = match own.first() {
        Some(next) if !is_by(next, Role::Person) => {
            shared.iter().rposition(|turn| is_by(turn, Role::Person)).unwrap_or(0)
        }
        _ => shared.len(),
    };
    let is_answered = shared[..kept].iter().any(|turn| is_by(turn, Role::Model));
    if is_answered { kept } else { 0 }
}
