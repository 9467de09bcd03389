//! Which records of a log of requests are of one talk: each tells all that was said so far, or the newest of it, and several
//! talks may go on in turn. What is compared is what is told of the turns: the system's words may change with each request.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::turn::{self, Role};
use super::turns::{self, Record};
use super::value::hash;

/// Turns of all talks that are under way, each some numbers: what was not gone on with for longer is told anew where it
/// goes on.
const MOST_TURNS: usize = 1 << 18;

/// Least turns at the end of one request that another one begins with, where that has left out those before.
const LEAST_OVERLAP: usize = 2;

/// Talks in which the same two turns follow on each other that are looked at, the newest ones.
const MOST_ALIKE: usize = 4;

/// What a turn of a record with this name tells, as a number; `None` if that is nothing.
fn number(turn: &RawValue, name: Option<u64>) -> Option<u64> {
    let number = number_of(turn)?;
    Some(name.map_or(number, |name| hash((name, number))))
}

fn number_of(turn: &RawValue) -> Option<u64> {
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
        Ok(Plain { role, content }) => turn::number_of_words(&role, &content),
        Err(_) => turn::number(&turns::turn(turn)?),
    }
}

/// Who says a turn.
fn role(turn: &RawValue) -> Role {
    turns::turn(turn).map_or(Role::Other, |turn| Role::of(&turn))
}

/// What becomes of the turns of a record, of which only those count that tell something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Another record tells them all; so many there are, with those that tell nothing.
    Elsewhere(u32),
    /// They are told from so many on and up to so many, and the others by other records. It may go on from the record that
    /// was told before it.
    Here { from: u32, to: u32, goes_on: bool },
}

impl Told {
    /// All of them.
    pub(super) const ALL: Self = Self::Here { from: 0, to: u32::MAX, goes_on: false };
}

/// A record that goes on from another one without the first turns of that.
#[derive(Debug, Clone, Copy)]
struct Slid {
    /// The other one.
    from: usize,
    /// So many of its own first turns that one tells.
    told: u32,
    /// As another conversation it would go on behind so many of them, and the other one would tell so many of its own.
    behind: u32,
    left: u32,
}

/// What a log's records tell of its talks, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Talks {
    records: Vec<Told>,
    /// Those that go on from another one without its first turns.
    slid: HashMap<usize, Slid>,
    /// Talks under way by when they were gone on with.
    under_way: BTreeMap<usize, Talk>,
    /// Turns of them all.
    turns: usize,
    /// The newest talk that begins with some turns, by a number for all of them.
    beginnings: HashMap<u64, usize>,
    /// The newest talks in which two turns follow on each other.
    pairs: HashMap<u64, Vec<usize>>,
}

/// A talk under way, which the record tells all of by which it is known.
#[derive(Debug)]
struct Talk {
    /// Its turns, each as a number.
    turns: Vec<u64>,
    /// All turns of the record, those that tell nothing among them.
    written: u32,
}

impl Talk {
    /// Turns that it ends with and another one begins with.
    fn overlap(&self, turns: &[u64]) -> usize {
        let most = self.turns.len().min(turns.len());
        // Of each beginning how much it ends with that it begins with, too.
        let mut again = vec![0; most];
        let longer = |mut length: usize, turn: u64, again: &[usize]| {
            while length > 0 && turns[length] != turn {
                length = again[length - 1];
            }
            length + usize::from(turns[length] == turn)
        };
        for at in 1..most {
            again[at] = longer(again[at - 1], turns[at], &again);
        }
        let end = &self.turns[self.turns.len() - most..];
        end.iter().fold(0, |length, turn| longer(length, *turn, &again))
    }
}

/// A number for each beginning of some turns.
fn beginnings(turns: &[u64]) -> impl Iterator<Item = u64> {
    turns.iter().scan(0, |before, turn| {
        *before = hash((*before, turn));
        Some(*before)
    })
}

/// A number for each two turns that follow on each other.
fn pairs(turns: &[u64]) -> impl Iterator<Item = u64> {
    turns.windows(LEAST_OVERLAP).map(hash)
}

impl Talks {
    /// What becomes of a record; one that was not looked at is told.
    pub(super) fn told(&self, record: usize) -> Told {
        self.records.get(record).copied().unwrap_or(Told::ALL)
    }

    /// Looks at the next record, which is one of turns or not.
    pub(super) fn look_at(&mut self, record: usize, of: Option<Record>) {
        self.records.resize(record + 1, Told::ALL);
        let Some(Record { turns: all, name, .. }) = of else { return };
        let length = all.len() as u32;
        let told = all.into_iter().filter_map(|turn| Some((number(&turn, name)?, turn)));
        let (turns, written): (Vec<u64>, Vec<Box<RawValue>>) = told.unzip();
        if turns.is_empty() {
            return;
        }
        let next = Talk { turns, written: length };
        if let Some(at) = self.goes_on_from(&next.turns) {
            return self.go_on(at, record, next);
        }
        match self.slid_from(&next.turns, &written) {
            // It is the end of what was told.
            Some((_, told)) if told == next.turns.len() => {
                self.records[record] = Told::Elsewhere(length);
            }
            slid => {
                if let Some((from, told)) = slid {
                    self.slide(record, from, told, gone_on_from(&written, told));
                }
                self.keep(record, next);
            }
        }
    }

    /// The talk that these turns are the beginning of, or that they go on from.
    fn goes_on_from(&self, turns: &[u64]) -> Option<usize> {
        let talk = |number| {
            let at = *self.beginnings.get(&number)?;
            self.under_way.get(&at).map(|talk| (at, talk.turns.len()))
        };
        let known = beginnings(turns).map(talk).enumerate();
        let (last, (at, length)) = known.filter_map(|(nth, talk)| Some((nth, talk?))).last()?;
        (last + 1 == length.min(turns.len())).then_some(at)
    }

    /// Goes on with a talk: the longer of its records tells all of it.
    fn go_on(&mut self, at: usize, record: usize, next: Talk) {
        let Some(talk) = self.under_way.get(&at) else { return };
        if next.turns.len() < talk.turns.len() {
            self.records[record] = Told::Elsewhere(next.written);
            return;
        }
        self.turns -= talk.turns.len();
        self.records[record] = self.records[at];
        self.records[at] = Told::Elsewhere(talk.written);
        if let Some(slid) = self.slid.remove(&at) {
            self.slid.insert(record, slid);
        }
        // What is known of it is known of the longer one.
        self.under_way.remove(&at);
        self.keep(record, next);
    }

    /// The talk that these turns go on from without its first ones, and how many of them it tells.
    fn slid_from(&self, turns: &[u64], written: &[Box<RawValue>]) -> Option<(usize, usize)> {
        let alike = self.pairs.get(&pairs(turns).next()?)?.iter();
        let overlaps = alike.filter_map(|at| Some((*at, self.under_way.get(at)?.overlap(turns))));
        let (at, overlap) = overlaps.max_by_key(|(_, overlap)| *overlap)?;
        let has = |by: Role| written[..overlap].iter().any(|turn| role(turn) == by);
        let is_talk = overlap >= LEAST_OVERLAP && has(Role::Person) && has(Role::Model);
        is_talk.then_some((at, overlap))
    }

    /// Goes on with a talk without its first turns: nothing else goes on from that record.
    fn slide(&mut self, record: usize, from: usize, told: usize, behind: u32) {
        let Some(talk) = self.forget(from) else { return };
        let left = (talk.turns.len() - told) as u32 + behind;
        self.slid.insert(record, Slid { from, told: told as u32, behind, left });
    }

    /// Leaves the last turns of a record to one that goes on from it; how many of its own that does not tell.
    fn leave(&mut self, slid: Slid) -> u32 {
        match &mut self.records[slid.from] {
            // What it goes on from itself is told before it.
            Told::Here { from, to, .. } => {
                *to = slid.left.max(*from);
                slid.behind + (*to - slid.left)
            }
            Told::Elsewhere(_) => slid.behind,
        }
    }

    fn forget(&mut self, at: usize) -> Option<Talk> {
        let talk = self.under_way.remove(&at)?;
        self.turns -= talk.turns.len();
        for number in beginnings(&talk.turns) {
            if self.beginnings.get(&number) == Some(&at) {
                self.beginnings.remove(&number);
            }
        }
        for pair in pairs(&talk.turns) {
            if let Entry::Occupied(mut alike) = self.pairs.entry(pair) {
                alike.get_mut().retain(|other| *other != at);
                if alike.get().is_empty() {
                    alike.remove();
                }
            }
        }
        Some(talk)
    }

    fn keep(&mut self, at: usize, talk: Talk) {
        self.turns += talk.turns.len();
        self.beginnings.extend(beginnings(&talk.turns).map(|number| (number, at)));
        for pair in pairs(&talk.turns) {
            let alike = self.pairs.entry(pair).or_default();
            if alike.last() != Some(&at) {
                alike.retain(|at| self.under_way.contains_key(at));
                if alike.len() == MOST_ALIKE {
                    alike.remove(0);
                }
                alike.push(at);
            }
        }
        self.under_way.insert(at, talk);
        while self.turns > MOST_TURNS && self.under_way.len() > 1 {
            let oldest = self.under_way.first_key_value().map(|(at, _)| *at);
            oldest.and_then(|at| self.forget(at));
        }
    }

    /// All records were looked at: one that goes on from another one which is not told right before it is another
    /// conversation, and tells what the person said last there and was not answered.
    pub(super) fn settle(&mut self) {
        let mut last = None;
        for record in 0..self.records.len() {
            if matches!(self.records[record], Told::Elsewhere(_)) {
                continue;
            }
            if let Some(slid) = self.slid.get(&record).copied() {
                let goes_on = last == Some(slid.from);
                let from = if goes_on { slid.told } else { self.leave(slid) };
                self.records[record] = Told::Here { from, to: u32::MAX, goes_on };
            }
            last = Some(record);
        }
    }
}

/// What was told as beginnings of talks, by a number for each; what was told long ago is forgotten.
#[derive(Debug, Default)]
pub(super) struct Beginnings {
    now: HashSet<u64>,
    before: HashSet<u64>,
}

impl Beginnings {
    /// How many of a record's turns were told as the beginning of another talk that it goes on from. From now on those up
    /// to so many of its own are told.
    pub(super) fn take(&mut self, record: &Record, to: u32) -> u32 {
        let written = record.turns.iter();
        let told = written.filter_map(|turn| Some((number(turn, record.name)?, turn)));
        let (turns, written): (Vec<u64>, Vec<&Box<RawValue>>) = told.unzip();
        let is_told = |number: &u64| self.now.contains(number) || self.before.contains(number);
        let shared = beginnings(&turns).take_while(is_told).count();
        if self.now.len() > MOST_TURNS {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.extend(beginnings(&turns).take(to as usize));
        gone_on_from(&written, shared)
    }
}

/// How many of the turns that a talk shares with another one it goes on from: up to what the person says next, if the model
/// has replied by then. The same question may begin two talks.
fn gone_on_from<T: AsRef<RawValue>>(turns: &[T], shared: usize) -> u32 {
    if shared == 0 {
        return 0;
    }
    let is_by = |turn: &T, by: Role| role(turn.as_ref()) == by;
    let kept = match turns.get(shared) {
        Some(next) if is_by(next, Role::Person) => shared,
        _ => turns[..shared].iter().rposition(|turn| is_by(turn, Role::Person)).unwrap_or(0),
    };
    let is_answered = turns[..kept].iter().any(|turn| is_by(turn, Role::Model));
    if is_answered { kept as u32 } else { 0 }
}
