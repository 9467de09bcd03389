//! Where topics begin and end in a conversation that nobody divided: at the borders that its log has, and within
//! a long stretch without any where the words change.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

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

/// Words as numbers, and the stem of each.
#[derive(Debug, Default)]
struct Stems {
    numbers: HashMap<String, u32>,
    /// What words were seen in, to be stemmed once each.
    of_words: HashMap<String, u32>,
}

impl Stems {
    fn number(&mut self, word: String) -> u32 {
        if let Some(number) = self.of_words.get(&word) {
            return *number;
        }
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(stem(&word)).or_insert(next);
        self.of_words.insert(word, number);
        number
    }
}

/// The stems of a turn by number, ascending, each with its weight.
type Words = Vec<(u32, f64)>;

/// The phases of a conversation. What is shorter than three turns belongs to none.
pub fn phases(turns: &[Turn]) -> Vec<Phase> {
    phases_told(turns, &[])
}

/// The same where somebody else tells those of some stretches.
pub fn phases_told(turns: &[Turn], told: &[(Range<usize>, Vec<Phase>)]) -> Vec<Phase> {
    let mut stems = Stems::default();
    let words: Vec<Words> = turns.iter().map(|turn| words_of(turn, &mut stems)).collect();
    let (texts, rarity) = (texts_of(&stems), rarity(&words));
    let (mut names, mut phases) = (Names::default(), Vec::new());
    for stretch in stretches(turns) {
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
        let mut from = stretch.start;
        let inner = within(&words[stretch.clone()]).into_iter().map(|at| stretch.start + at);
        let mut borders: Vec<usize> = inner.chain([stretch.end]).collect();
        borders.sort_unstable();
        for to in borders {
            if to - from >= FEWEST {
                let name = name(&turns[from..to], &words[from..to], &rarity, &texts);
                phases.push(Phase { name: names.unique(&name), from, to });
            }
            from = to;
        }
    }
    phases
}

/// The turns from each border of the log to the next.
fn stretches(turns: &[Turn]) -> Vec<Range<usize>> {
    let own = (1..turns.len()).filter(|at| turns[*at].border.is_some());
    let mut ends: Vec<usize> = own.collect();
    ends.extend((!turns.is_empty()).then_some(turns.len()));
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(from, to)| from..to).collect()
}

/// The stretches in which the log tells nothing and that are long enough for several topics.
pub fn long_stretches(turns: &[Turn]) -> Vec<Range<usize>> {
    stretches(turns).into_iter().filter(|stretch| stretch.len() >= LONG).collect()
}

/// The text of each stem by its number.
fn texts_of(stems: &Stems) -> Vec<&str> {
    let mut texts = vec![""; stems.numbers.len()];
    for (text, number) in &stems.numbers {
        texts[*number as usize] = text;
    }
    texts
}

/// The stems of a turn and how often they stand there. A long text counts like a short one.
fn words_of(turn: &Turn, stems: &mut Stems) -> Words {
    let said = turn.reply.get(..turn.reply.len().min(4_000)).unwrap_or(&turn.reply);
    let words = keywords(&turn.user).chain(keywords(said));
    let mut words: Words = summed(words.map(|word| (stems.number(word), 1.0)));
    for (_, count) in &mut words {
        *count = 1.0 + count.ln();
    }
    words
}

/// Weights of the same word as one, ascending by word.
fn summed(words: impl Iterator<Item = (u32, f64)>) -> Words {
    let mut all: Words = words.collect();
    all.sort_by_key(|(word, _)| *word);
    all.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0.0 };
        is_same
    });
    all
}

/// How much each word tells: the fewer turns have it, the more.
fn rarity(turns: &[Words]) -> HashMap<u32, f64> {
    let mut in_turns: HashMap<u32, f64> = HashMap::new();
    for (word, _) in turns.iter().flatten() {
        *in_turns.entry(*word).or_default() += 1.0;
    }
    let all = turns.len() as f64;
    in_turns.into_iter().map(|(word, count)| (word, (1.0 + all / count).ln())).collect()
}

/// What some turns say, each word weighed.
fn weighed(turns: &[Words], rarity: &HashMap<u32, f64>) -> Words {
    let weigh = |(word, count): &(u32, f64)| (*word, count * rarity.get(word).unwrap_or(&0.0));
    summed(turns.iter().flatten().map(weigh))
}

/// The places within a stretch at which the words before and behind have least in common: deep valleys of the
/// similarity, as far from each other as a phase is long.
fn within(turns: &[Words]) -> Vec<usize> {
    if turns.len() < LONG {
        return Vec::new();
    }
    let rarity = rarity(turns);
    let similar: Vec<f64> = (FEWEST..=turns.len() - FEWEST)
        .map(|at| {
            let before = weighed(&turns[at.saturating_sub(SIDE)..at], &rarity);
            let behind = weighed(&turns[at..(at + SIDE).min(turns.len())], &rarity);
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

fn cosine(one: &Words, other: &Words) -> f64 {
    let length =
        |words: &Words| words.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
    let same = |(word, weight): &(u32, f64)| {
        let at = other.binary_search_by_key(word, |(word, _)| *word).ok()?;
        Some(weight * other[at].1)
    };
    let common: f64 = one.iter().filter_map(same).sum();
    common / (length(one) * length(other)).max(f64::MIN_POSITIVE)
}

/// A title if the log has one, else the words that tell this phase from the others.
fn name(said: &[Turn], turns: &[Words], rarity: &HashMap<u32, f64>, texts: &[&str]) -> String {
    if let Some(Border::Conversation(title)) = &said[0].border
        && !title.trim().is_empty()
    {
        return title.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
    }
    let readable = |word: &str| word.len() > 3 && word.chars().all(char::is_alphabetic);
    let text = |(word, weight): (u32, f64)| (texts[word as usize], weight);
    let mut words: Vec<(&str, f64)> =
        weighed(turns, rarity).into_iter().map(text).filter(|(word, _)| readable(word)).collect();
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

/// The names of phases, no two of which are the same.
#[derive(Debug, Default)]
struct Names {
    /// In lower case.
    taken: BTreeSet<String>,
    /// How often each was wanted.
    wanted: BTreeMap<String, usize>,
}

impl Names {
    fn unique(&mut self, name: &str) -> String {
        let wanted = self.wanted.entry(name.to_lowercase()).or_default();
        loop {
            *wanted += 1;
            let name = if *wanted == 1 { name.to_owned() } else { format!("{name} {wanted}") };
            if self.taken.insert(name.to_lowercase()) {
                return name;
            }
        }
    }
}
