//! Which records of a log of requests are of one talk: each tells all that was said so far, or the newest of it, and several
//! talks may go on in turn. What is compared is what is told of the turns: the system's words may change with each request.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::dialogue::{self, Role};
use super::lines;

/// Talks that are under way at a time: one that was not gone on with for longer is told anew where it goes on.
const MOST: usize = 64;

/// Turns of all of them together, each a number.
const MOST_TURNS: usize = 1 << 20;

/// Least turns at the end of one request that another one begins with, where that has left out those before.
const LEAST_OVERLAP: usize = 2;

/// The turns of a record, as they are written; none if it has no such list.
pub(super) fn turns(record: &[u8]) -> Vec<Box<RawValue>> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Turns {
        messages: Vec<Box<RawValue>>,
        conversations: Vec<Box<RawValue>>,
    }
    let Turns { messages, conversations } = lines::record(record).unwrap_or_default();
    if messages.is_empty() { conversations } else { messages }
}

/// What a turn tells, as a number; `None` if that is nothing.
fn number(turn: &RawValue) -> Option<u64> {
    /// Nearly all turns have nothing else, and are read many times as fast so.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain<'a> {
        #[serde(borrow)]
        role: Cow<'a, str>,
        #[serde(borrow)]
        content: Cow<'a, str>,
    }
    match serde_json::from_str(turn.get()) {
        Ok(Plain { role, content }) => dialogue::number_of_words(&role, &content),
        Err(_) => dialogue::number(&lines::record(turn.get().as_bytes())?),
    }
}

/// Who says a turn.
fn role(turn: &RawValue) -> Role {
    let turn = lines::record(turn.get().as_bytes());
    turn.map_or(Role::Other, |turn: Value| Role::of(&turn))
}

/// What becomes of the turns of a record, of which only those count that tell something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Another record tells them all.
    Elsewhere,
    /// They are told, and this many of them another talk begins with, too.
    Behind(u32),
    /// It goes on from another record of its talk, which has told so many of them. Where that is not the one before, this
    /// is another talk behind so many of them.
    OnFrom { record: u32, told: u32, behind: u32 },
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
    /// Its turns, each as a number.
    turns: Vec<u64>,
}

impl Talk {
    /// Turns that it and another one begin with.
    fn common(&self, turns: &[u64]) -> usize {
        self.turns.iter().zip(turns).take_while(|(one, other)| one == other).count()
    }

    /// Turns that it ends with and another one begins with.
    fn overlap(&self, turns: &[u64]) -> usize {
        let most = self.turns.len().min(turns.len());
        let ends = |length: &usize| self.turns.ends_with(&turns[..*length]);
        (LEAST_OVERLAP..=most).rev().find(ends).unwrap_or(0)
    }
}

impl Talks {
    /// What becomes of a record; one that was not looked at is told.
    pub(super) fn told(&self, record: usize) -> Told {
        self.records.get(record).copied().unwrap_or(Told::Behind(0))
    }

    /// Looks at the next record.
    pub(super) fn look_at(&mut self, record: usize, bytes: &[u8]) {
        self.records.resize(record + 1, Told::Behind(0));
        let told = turns(bytes).into_iter().filter_map(|turn| Some((number(&turn)?, turn)));
        let (turns, written): (Vec<u64>, Vec<Box<RawValue>>) = told.unzip();
        if turns.is_empty() {
            return;
        }
        let common = |talk: &Talk| (talk.common(&turns), talk.turns.len() <= turns.len());
        let nearest = (0..self.under_way.len()).max_by_key(|at| common(&self.under_way[*at]));
        let shared = nearest.map_or(0, |at| self.under_way[at].common(&turns));
        let goes_on = nearest.filter(|at| {
            let length = self.under_way[*at].turns.len();
            shared > 0 && shared == length.min(turns.len())
        });
        if let Some(talk) = goes_on.and_then(|at| self.take(at)) {
            return self.go_on(talk, Talk { record, turns });
        }
        self.records[record] = match self.slid_from(&turns, &written) {
            Some((record, told)) => {
                let behind = gone_on_from(&written, told);
                Told::OnFrom { record: record as u32, told: told as u32, behind }
            }
            None => Told::Behind(gone_on_from(&written, shared)),
        };
        self.keep(Talk { record, turns });
    }

    /// Goes on with a talk: the longer of its records tells all of it.
    fn go_on(&mut self, talk: Talk, next: Talk) {
        if next.turns.len() < talk.turns.len() {
            self.records[next.record] = Told::Elsewhere;
            return self.keep(talk);
        }
        self.records[next.record] = self.records[talk.record];
        self.records[talk.record] = Told::Elsewhere;
        self.keep(next);
    }

    /// The record that these turns go on from without its first ones, and how many of them it tells. That talk is no longer
    /// under way.
    fn slid_from(&mut self, turns: &[u64], written: &[Box<RawValue>]) -> Option<(usize, usize)> {
        let overlaps = self.under_way.iter().map(|talk| talk.overlap(turns));
        let (at, overlap) = overlaps.enumerate().max_by_key(|(_, overlap)| *overlap)?;
        let has = |by: Role| written[..overlap].iter().any(|turn| role(turn) == by);
        let is_talk = overlap >= LEAST_OVERLAP && has(Role::Person) && has(Role::Model);
        let talk = if is_talk { self.take(at) } else { None };
        talk.map(|talk| (talk.record, overlap))
    }

    fn take(&mut self, at: usize) -> Option<Talk> {
        let talk = self.under_way.remove(at)?;
        self.turns -= talk.turns.len();
        Some(talk)
    }

    fn keep(&mut self, talk: Talk) {
        self.turns += talk.turns.len();
        self.under_way.push_back(talk);
        while (self.under_way.len() > MOST || self.turns > MOST_TURNS) && self.take(0).is_some() {}
    }
}

/// How many of the turns that a talk shares with another one it goes on from: up to what the person says next, if the model
/// has replied by then. The same question may begin two talks.
fn gone_on_from(turns: &[Box<RawValue>], shared: usize) -> u32 {
    if shared == 0 {
        return 0;
    }
    let is_by = |turn: &RawValue, by: Role| role(turn) == by;
    let kept = match turns.get(shared) {
        Some(next) if is_by(next, Role::Person) => shared,
        _ => turns[..shared].iter().rposition(|turn| is_by(turn, Role::Person)).unwrap_or(0),
    };
    let is_answered = turns[..kept].iter().any(|turn| is_by(turn, Role::Model));
    if is_answered { kept as u32 } else { 0 }
}
