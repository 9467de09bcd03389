//! Where topics begin and end in a conversation that nobody divided: at the borders that its log has, and within
//! a long stretch without any where the words change.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;

use super::conversation::Conversation;
use super::part::Border;
use super::words::{Said, around, borders, content};
use crate::memory::{EffortId, stem};

/// Turns of a phase at least; fewer are small talk.
const FEWEST: usize = 3;

/// A stretch of so many turns is looked at for borders within it.
const LONG: usize = 2 * FEWEST + 2;

/// Turns that are looked at together for borders within them: as many as talk about several topics, and so few that the
/// words of each are not lost among those of all. A topic that goes on for longer is concluded all the same: what never
/// ends is never summarised.
const TOGETHER: usize = 48;

/// Those of them, from the first on, within which a border stands for certain: what comes behind is not known.
const CERTAIN: usize = 34;

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
    #[error("line {0}: expected FROM-TO NAME, turns counted from 1, such as 1-12 auth bug")]
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
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        let line_number = at + 1;
        let (from, to, name) = split(line).ok_or(PhasesError::NoPhase(line_number))?;
        let before = phases.last().map_or(0, |phase| phase.to);
        let begins = phases.last().map_or(0, |phase| phase.from + 1);
        let why = match () {
            () if to < from => "run backwards; name the first turn first".to_owned(),
            () if to < begins => {
                format!(
                    "stand before those of the line before, which begin with turn {begins}; put the lines in order"
                )
            }
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

/// The phases of a conversation; those of some stretches may be told by somebody else. What is shorter than three turns
/// belongs to none. `hears` is told how much of how much is done.
///
/// # Errors
/// What was said cannot be read.
pub fn phases(
    talk: &Conversation,
    told: &[(Range<usize>, Vec<Phase>)],
    hears: Hears<'_>,
) -> io::Result<Vec<Phase>> {
    let mut done = |count: usize| hears(count, LOOKS * talk.len());
    let words = Said::of(talk, &mut done)?;
    let (mut names, mut phases) = (Names::default(), Vec::new());
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
        let places = within(&words, stretch.clone(), &mut looked)?;
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

/// The places within a stretch at which its topics change, ascending; `looked` hears of every turn.
fn within(
    words: &Said,
    stretch: Range<usize>,
    looked: &mut dyn FnMut(usize),
) -> io::Result<Vec<usize>> {
    let (mut found, mut turns) = (Vec::new(), Vec::new());
    if stretch.len() < LONG {
        return Ok(found);
    }
    let mut from = stretch.start;
    loop {
        // What would be left is too little for a topic.
        let left = stretch.end - from;
        let together = if left < TOGETHER + FEWEST { left } else { TOGETHER };
        for turn in from + turns.len()..from + together {
            turns.push(words.different(turn)?);
            looked(turn);
        }
        let is_last = from + turns.len() == stretch.end;
        let mut places = borders(&turns, FEWEST);
        if places.is_empty() && !is_last {
            places.push(TOGETHER);
        } else {
            places.retain(|place| is_last || *place <= CERTAIN);
        }
        found.extend(places.iter().map(|place| from + place));
        if is_last {
            return Ok(found);
        }
        let passed = places.last().copied().unwrap_or(TOGETHER / 2);
        turns.drain(..passed);
        from += passed;
    }
}

/// A title if the log has one, else the words that tell this phase from the others.
fn name(talk: &Conversation, words: &Said, phase: Range<usize>) -> io::Result<String> {
    if let Some(Border::Conversation { title, .. }) = talk.border(phase.start)
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
        if let Some(words) = around(&user, stemmed).or_else(|| around(&reply, stemmed)) {
            return Ok(words);
        }
        let mut words = content(&user).chain(content(&reply));
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
