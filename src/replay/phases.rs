//! Where topics begin and end in a conversation that nobody divided: at the borders that its log has, and within
//! a long stretch without any where the words change.

use std::collections::BTreeMap;

use super::turns::{Border, Turn};
use crate::memory::{keywords, stem};

/// Turns of a phase at least; fewer are small talk.
const FEWEST: usize = 3;

/// Turns on both sides of a place that are compared.
const SIDE: usize = 3;

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
    let mut phases: Vec<Phase> = Vec::new();
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
        phases.push(Phase { name: unique(name, &phases), from: from - 1, to });
    }
    Ok(phases)
}

fn split(line: &str) -> Option<(usize, usize, &str)> {
    let (range, name) = line.trim().split_once(char::is_whitespace)?;
    let (from, to) = range.split_once('-')?;
    let number = |text: &str| text.parse().ok().filter(|number: &usize| *number > 0);
    Some((number(from)?, number(to)?, name.trim()))
}

/// The phases of a conversation. What is shorter than three turns belongs to none.
pub fn phases(turns: &[Turn]) -> Vec<Phase> {
    let words: Vec<BTreeMap<String, f64>> = turns.iter().map(words_of).collect();
    let own: Vec<usize> =
        (0..turns.len()).filter(|at| *at == 0 || turns[*at].border.is_some()).collect();
    let mut borders = own.clone();
    for (nth, from) in own.iter().enumerate() {
        let to = own.get(nth + 1).copied().unwrap_or(turns.len());
        borders.extend(within(&words[*from..to]).into_iter().map(|at| from + at));
    }
    borders.sort_unstable();
    borders.dedup();
    let mut phases: Vec<Phase> = Vec::new();
    let rarity = rarity(&words);
    for (nth, from) in borders.iter().enumerate() {
        let to = borders.get(nth + 1).copied().unwrap_or(turns.len());
        if to - from >= FEWEST {
            let name = name(&turns[*from..to], &words[*from..to], &rarity);
            phases.push(Phase { name: unique(&name, &phases), from: *from, to });
        }
    }
    phases
}

/// The stems of a turn and how often they stand there. A long text counts like a short one.
fn words_of(turn: &Turn) -> BTreeMap<String, f64> {
    let mut words: BTreeMap<String, f64> = BTreeMap::new();
    let said = turn.reply.get(..turn.reply.len().min(4_000)).unwrap_or(&turn.reply);
    for word in keywords(&turn.user).chain(keywords(said)) {
        *words.entry(stem(&word)).or_default() += 1.0;
    }
    for count in words.values_mut() {
        *count = 1.0 + count.ln();
    }
    words
}

/// How much each word tells: the fewer turns have it, the more.
fn rarity(turns: &[BTreeMap<String, f64>]) -> BTreeMap<&str, f64> {
    let mut in_turns: BTreeMap<&str, f64> = BTreeMap::new();
    for word in turns.iter().flat_map(|words| words.keys()) {
        *in_turns.entry(word).or_default() += 1.0;
    }
    let all = turns.len() as f64;
    in_turns.into_iter().map(|(word, count)| (word, (1.0 + all / count).ln())).collect()
}

/// The places within a stretch at which the words before and behind have least in common: deep valleys of the
/// similarity, as far from each other as a phase is long.
fn within(turns: &[BTreeMap<String, f64>]) -> Vec<usize> {
    if turns.len() < LONG {
        return Vec::new();
    }
    let rarity = rarity(turns);
    let similar: Vec<f64> = (FEWEST..=turns.len() - FEWEST)
        .map(|at| {
            let before = summed(&turns[at.saturating_sub(SIDE)..at], &rarity);
            let behind = summed(&turns[at..(at + SIDE).min(turns.len())], &rarity);
            cosine(&before, &behind)
        })
        .collect();
    let depths: Vec<f64> = (0..similar.len()).map(|at| depth(&similar, at)).collect();
    let mean = depths.iter().sum::<f64>() / depths.len() as f64;
    let variance =
        depths.iter().map(|depth| (depth - mean).powi(2)).sum::<f64>() / depths.len() as f64;
    let deep = mean + variance.sqrt();
    let mut order: Vec<usize> =
        (0..depths.len()).filter(|at| depths[*at] > deep.max(0.05)).collect();
    order.sort_by(|one, other| depths[*other].total_cmp(&depths[*one]).then(one.cmp(other)));
    let mut found: Vec<usize> = Vec::new();
    for at in order {
        if found.iter().all(|known| known.abs_diff(at) >= FEWEST) {
            found.push(at);
        }
    }
    found.into_iter().map(|at| at + FEWEST).collect()
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

fn summed<'a>(
    turns: &'a [BTreeMap<String, f64>],
    rarity: &BTreeMap<&str, f64>,
) -> BTreeMap<&'a str, f64> {
    let mut sum: BTreeMap<&str, f64> = BTreeMap::new();
    for (word, count) in turns.iter().flatten() {
        *sum.entry(word).or_default() += count * rarity.get(word.as_str()).copied().unwrap_or(0.0);
    }
    sum
}

fn cosine(one: &BTreeMap<&str, f64>, other: &BTreeMap<&str, f64>) -> f64 {
    let length = |words: &BTreeMap<&str, f64>| {
        words.values().map(|weight| weight * weight).sum::<f64>().sqrt()
    };
    let common: f64 = one.iter().filter_map(|(word, weight)| Some(weight * other.get(word)?)).sum();
    common / (length(one) * length(other)).max(f64::MIN_POSITIVE)
}

/// A title if the log has one, else the words that tell this phase from the others.
fn name(said: &[Turn], turns: &[BTreeMap<String, f64>], rarity: &BTreeMap<&str, f64>) -> String {
    if let Some(Border::Conversation(title)) = &said[0].border
        && !title.trim().is_empty()
    {
        return title.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    }
    let weights = summed(turns, rarity);
    let readable = |word: &str| word.len() > 3 && word.chars().all(char::is_alphabetic);
    let mut words: Vec<(&str, f64)> =
        weights.into_iter().filter(|(word, _)| readable(word)).collect();
    words.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
    let words: Vec<String> =
        words.into_iter().take(WORDS).map(|(word, _)| as_said(word, said)).collect();
    if words.is_empty() { "talk".to_owned() } else { words.join(" ") }
}

/// The first word of a conversation that has a stem.
fn as_said(stemmed: &str, said: &[Turn]) -> String {
    let words = said.iter().flat_map(|turn| keywords(&turn.user).chain(keywords(&turn.reply)));
    words.into_iter().find(|word| stem(word) == stemmed).unwrap_or_else(|| stemmed.to_owned())
}

fn unique(name: &str, phases: &[Phase]) -> String {
    let taken = |name: &str| phases.iter().any(|phase| phase.name.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|nth| format!("{name} {nth}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
