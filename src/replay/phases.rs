//! Where topics begin and end in a conversation that nobody divided: at the borders that its log has, and within
//! a long stretch without any where the words change.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::ops::Range;

use super::turns::{Border, Conversation};
use super::words::{Rarity, Said, Side};
use crate::heap;
use crate::memory::{EffortId, keywords, stem};

/// Turns of a phase at least; fewer are small talk.
const FEWEST: usize = 3;

/// Turns on both sides of a place that are compared.
const SIDE: usize = FEWEST;

/// A stretch of so many turns is looked at for borders within it.
const LONG: usize = 2 * FEWEST + 2;

/// Words of a phase's name.
const WORDS: usize = 3;

/// A topic: a run of turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    /// What it is called; no other has the name.
    pub name: String,
    /// Its first turn, from 0.
    pub from: usize,
    /// The turn behind its last one.
    pub to: usize,
}

/// Why a file of phases makes no sense.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PhasesError {
    /// A line is none.
    #[error("line {0}: expected FROM-TO NAME, such as 1-12 auth bug")]
    NoPhase(usize),
    /// It runs backwards, overlaps the one before or ends behind the last turn.
    #[error("line {line}: turns {from} to {to} {why}")]
    Misplaced {
        /// The line, from 1.
        line: usize,
        /// The first turn, from 1.
        from: usize,
        /// The last one.
        to: usize,
        /// What is wrong with them.
        why: String,
    },
}

/// The phases that a person gives: a line `FROM-TO NAME` each, turns from 1; lines with `#` are remarks.
///
/// # Errors
/// Names the line that makes no sense, and why.
pub fn given(text: &str, turns: usize) -> Result<Vec<Phase>, PhasesError> {
    let (mut phases, mut names) = (Vec::<Phase>::new(), Names::default());
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        let line_number = at + 1;
        let (from, to, name) = split(line).ok_or(PhasesError::NoPhase(line_number))?;
        let before = phases.last().map_or(0, |phase| phase.to);
        let why = match () {
            () if to < from => "run backwards".to_owned(),
            () if from <= before => {
                format!("overlap the phase before, which ends with turn {before}")
            }
            () if to > turns => format!("end behind the last turn, {turns}"),
            () => String::new(),
        };
        if !why.is_empty() {
            return Err(PhasesError::Misplaced { line: line_number, from, to, why });
        }
        phases.push(Phase { name: names.unique(name), from: from - 1, to });
    }
    Ok(phases)
}

fn split(line: &str) -> Option<(usize, usize, &str)> {
    let (range, name) = line.trim().split_once(char::is_whitespace)?;
    let (from, to) = range.split_once('-')?;
    let number = |text: &str| text.parse().ok().filter(|number: &usize| *number > 0);
    Some((number(from)?, number(to)?, name.trim()))
}

/// Hears how much of how much is done.
type Hears<'a> = &'a mut dyn FnMut(usize, usize);

/// How often each turn is looked at: for its words, for what changes behind it, and for the names.
const LOOKS: usize = 3;

/// The phases of a conversation. What is shorter than three turns belongs to none. `hears` is told how much of how much
/// is done.
///
/// # Errors
/// What was said cannot be read.
pub fn phases(talk: &Conversation, hears: Hears<'_>) -> io::Result<Vec<Phase>> {
    phases_told(talk, &[], hears)
}

/// The same where somebody else tells those of some stretches.
///
/// # Errors
/// As [`phases`].
pub fn phases_told(
    talk: &Conversation,
    told: &[(Range<usize>, Vec<Phase>)],
    hears: Hears<'_>,
) -> io::Result<Vec<Phase>> {
    let mut done = |count: usize| hears(count, LOOKS * talk.len());
    let words = Said::of(talk, &mut done)?;
    // What numbered the words took much, and is not needed any more.
    heap::give_back();
    let (mut names, mut phases) = (Names::default(), Vec::new());
    let mut rarity = Rarity::default();
    for stretch in stretches(talk) {
        let known: Vec<&Phase> = told
            .iter()
            .filter(|(of, _)| stretch.start <= of.start && of.end <= stretch.end)
            .flat_map(|(_, phases)| phases)
            .collect();
        for phase in &known {
            phases.push(Phase { name: names.unique(&phase.name), ..(*phase).clone() });
        }
        if !known.is_empty() {
            continue;
        }
        if let Some(topic) = talk.topic(stretch.start) {
            if !topic.is_empty() {
                let (from, to) = (stretch.start, stretch.end);
                phases.push(Phase { name: names.unique(topic), from, to });
            }
            done(talk.len() + 2 * stretch.end);
            continue;
        }
        let mut from = stretch.start;
        let mut looked = |turn: usize| done(talk.len() + stretch.start + turn);
        let places = within(&words, stretch.clone(), &mut rarity, &mut looked)?;
        for to in places.into_iter().chain([stretch.end]) {
            if to - from >= FEWEST {
                let name = name(talk, &words, from..to)?;
                phases.push(Phase { name: names.unique(&name), from, to });
            }
            from = to;
            done(talk.len() + stretch.end + to);
        }
    }
    Ok(phases)
}

/// The turns from each border of the log to the next.
fn stretches(talk: &Conversation) -> Vec<Range<usize>> {
    let own = talk.borders().filter(|at| *at > 0);
    let ends: Vec<usize> = own.chain((!talk.is_empty()).then_some(talk.len())).collect();
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(from, to)| from..to).collect()
}

/// The stretches in which the log tells nothing and that are long enough for several topics.
pub fn long_stretches(talk: &Conversation) -> Vec<Range<usize>> {
    let is_told = |stretch: &Range<usize>| talk.topic(stretch.start).is_some();
    let is_long = |stretch: &Range<usize>| stretch.len() >= LONG && !is_told(stretch);
    stretches(talk).into_iter().filter(is_long).collect()
}

/// The places within a stretch at which the words before and behind have least in common: deep valleys of the
/// similarity, as far from each other as a phase is long. Ascending.
fn within(
    words: &Said,
    stretch: Range<usize>,
    rarity: &mut Rarity,
    looked: &mut dyn FnMut(usize),
) -> io::Result<BTreeSet<usize>> {
    if stretch.len() < LONG {
        return Ok(BTreeSet::new());
    }
    let similar = similar(words, stretch.clone(), rarity, looked)?;
    let depths: Vec<f64> = (0..similar.len()).map(|at| depth(&similar, at)).collect();
    let mean = depths.iter().sum::<f64>() / depths.len() as f64;
    let variance =
        depths.iter().map(|depth| (depth - mean).powi(2)).sum::<f64>() / depths.len() as f64;
    let deep = mean + variance.sqrt();
    let mut order: Vec<usize> =
        (0..depths.len()).filter(|at| depths[*at] > deep.max(0.05)).collect();
    order.sort_by(|one, other| depths[*other].total_cmp(&depths[*one]).then(one.cmp(other)));
    let mut found = BTreeSet::new();
    for at in order.into_iter().map(|at| stretch.start + SIDE + at) {
        if found.range(at + 1 - FEWEST..at + FEWEST).next().is_none() {
            found.insert(at);
        }
    }
    Ok(found)
}

/// How much the turns before and behind each place of a stretch have in common, from the first on with a whole side
/// before it.
fn similar(
    words: &Said,
    stretch: Range<usize>,
    rarity: &mut Rarity,
    looked: &mut dyn FnMut(usize),
) -> io::Result<Vec<f64>> {
    words.count(stretch.clone(), rarity)?;
    let mut similar = Vec::with_capacity(stretch.len());
    let (mut turns, mut sides) = (VecDeque::new(), VecDeque::new());
    for turn in stretch {
        turns.push_back(words.weighed(turn, rarity)?);
        looked(turn);
        if turns.len() < SIDE {
            continue;
        }
        sides.push_back(Side::of(&turns));
        turns.pop_front();
        if sides.len() > SIDE {
            similar.push(Side::cosine(&sides[0], &sides[SIDE]));
            sides.pop_front();
        }
    }
    Ok(similar)
}

/// How far a place lies below the hills on both sides of it.
fn depth(similar: &[f64], at: usize) -> f64 {
    let climb = |places: &mut dyn Iterator<Item = f64>| {
        let mut top = similar[at];
        for height in places {
            if height < top {
                break;
            }
            top = height;
        }
        top - similar[at]
    };
    let left = climb(&mut similar[..at].iter().rev().copied());
    left + climb(&mut similar[at + 1..].iter().copied())
}

/// A title if the log has one, else the words that tell this phase from the others.
fn name(talk: &Conversation, words: &Said, phase: Range<usize>) -> io::Result<String> {
    if let Some(Border::Conversation(title)) = talk.border(phase.start)
        && !title.trim().is_empty()
    {
        return Ok(title.split_whitespace().take(6).collect::<Vec<_>>().join(" "));
    }
    let stems = words.telling(phase.clone(), WORDS)?;
    let said = stems.iter().map(|stem| as_said(talk, stem, phase.clone()));
    let said: Vec<String> = said.collect::<io::Result<_>>()?;
    Ok(if said.is_empty() { "talk".to_owned() } else { said.join(" ") })
}

/// The first word of some turns that has a stem.
fn as_said(talk: &Conversation, stemmed: &str, turns: Range<usize>) -> io::Result<String> {
    for turn in turns {
        let (user, reply) = talk.both(turn)?;
        let mut words = keywords(&user).chain(keywords(&reply));
        // A stem begins as its words do.
        let is_it = |word: &str| {
            word.as_bytes().first() == stemmed.as_bytes().first() && stem(word) == stemmed
        };
        if let Some(word) = words.find(|word| is_it(word)) {
            return Ok(word.into_owned());
        }
    }
    Ok(stemmed.to_owned())
}

/// The names of phases: an effort can bear each, and no two are that of one effort.
#[derive(Debug, Default)]
struct Names {
    taken: BTreeSet<EffortId>,
    /// How often each was wanted.
    wanted: BTreeMap<EffortId, usize>,
}

impl Names {
    fn unique(&mut self, name: &str) -> String {
        /// Characters of a name that leave room for a number in an effort's own.
        const LONGEST: usize = 56;
        /// What nobody can read is called so.
        const UNREADABLE: &str = "topic";
        let named = EffortId::from_name(name).map(|id| (name.to_owned(), id));
        let unnamed = |_| (UNREADABLE.to_owned(), EffortId::stored(UNREADABLE));
        let (mut name, id) = named.unwrap_or_else(unnamed);
        if name.chars().count() > LONGEST {
            name = id.as_str().chars().take(LONGEST).collect();
        }
        let wanted = self.wanted.entry(id).or_default();
        loop {
            *wanted += 1;
            let name = if *wanted == 1 { name.clone() } else { format!("{name} {wanted}") };
            if EffortId::from_name(&name).is_ok_and(|id| self.taken.insert(id)) {
                return name;
            }
        }
    }
}
