//! A message, weighed against a session: its rarest words, and how much of them makes a reference.

use std::borrow::Cow;
use std::ops::Range;

use super::{Entry, MOST_WORDS, ReferenceIndex};
use crate::memory::words;

/// A word of a message that the index knows.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) word: u32,
    /// As the message has it, in lower case.
    pub(super) form: Cow<'a, str>,
    /// Where it stands there.
    pub(super) place: Range<usize>,
    /// Efforts that hold it; 1 if none does any more.
    pub(super) holding: usize,
    pub(super) weight: f64,
}

/// A weighed message.
#[derive(Debug, Default)]
pub(in crate::memory) struct Weighed<'a> {
    /// Rarest first.
    pub(super) known: Vec<Known<'a>>,
    /// Where each word stands in `known`, by word.
    places: Vec<(u32, usize)>,
    /// A bit for the low end of each word: most words of an effort are told apart by it at once.
    low_bits: [u64; 16],
    /// The weight that makes a reference.
    pub(super) needed: f64,
}

impl ReferenceIndex {
    /// Weighs a message's words by how rare they are in this session.
    pub(in crate::memory) fn weigh<'a>(&self, message: &'a str) -> Weighed<'a> {
        let mut known = self.rarest(message);
        let efforts = self.entries.len() as f64;
        for at in 0..known.len() {
            // Rarest first: the ones before are often as rare.
            let same =
                at.checked_sub(1).filter(|&before| known[before].holding == known[at].holding);
            known[at].weight = match same {
                Some(before) => known[before].weight,
                None => (efforts / known[at].holding as f64).ln().max(0.0),
            };
        }
        let needed = if self.is_handful() { 0.0 } else { self.needed(&known) };
        let mut places: Vec<(u32, usize)> =
            known.iter().enumerate().map(|(at, known)| (known.word, at)).collect();
        places.sort_unstable();
        let mut low_bits = [0; 16];
        for (word, _) in &places {
            let (at, bit) = low_bit(*word);
            low_bits[at] |= bit;
        }
        Weighed { known, places, low_bits, needed }
    }

    /// The words of a message that fewest efforts hold, rarest first; of a word's forms the first counts.
    fn rarest<'a>(&self, message: &'a str) -> Vec<Known<'a>> {
        let said = self.ahead.take(message);
        let mut found = Vec::with_capacity(said.len());
        for (at, one) in (0_u32..).zip(&said) {
            found.extend(self.word_ids.get(one.stem).map(|word| (word, at)));
        }
        found.sort_unstable();
        found.dedup_by_key(|(word, _)| *word);
        let form = |(_, at): &(u32, u32)| said[*at as usize].form(message);
        let forms: Vec<Cow<'a, str>> = found.iter().map(form).collect();
        let rank = |(at, (word, _)): (usize, (u32, u32))| {
            (self.holding(word).max(1), words::key(forms[at].as_bytes()), word, at)
        };
        let mut ranked: Vec<(usize, u64, u32, usize)> =
            found.iter().copied().enumerate().map(rank).collect();
        // What begins alike is compared as a whole.
        let by_rarity = |a: &(usize, u64, u32, usize), b: &(usize, u64, u32, usize)| {
            (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| forms[a.3].cmp(&forms[b.3]))
        };
        if ranked.len() > MOST_WORDS {
            ranked.select_nth_unstable_by(MOST_WORDS, by_rarity);
            ranked.truncate(MOST_WORDS);
        }
        ranked.sort_unstable_by(by_rarity);
        let known = |(holding, _, word, at): (usize, u64, u32, usize)| Known {
            word,
            form: forms[at].clone(),
            place: said[found[at].1 as usize].place(),
            holding,
            weight: 0.0,
        };
        ranked.into_iter().map(known).collect()
    }

    /// The weight above which shared words are no coincidence.
    ///
    /// If words fell into the `n` summaries by chance, each with its own frequency `p`, Chernoff's
    /// bound says that at most `n * exp(-t * needed) * product(1 + p^(1 - t) - p)` summaries would
    /// share as much with the message, for any `t` up to 1. Solved for `needed` at [`BY_CHANCE`]
    /// summaries, with the `t` that asks for least. A longer message has to share more.
    fn needed(&self, known: &[Known]) -> f64 {
        /// The bound is loose: the true number is a small part of this.
        const BY_CHANCE: f64 = 2.0;
        const TRIED: [f64; 4] = [0.4, 0.6, 0.8, 1.0];
        // At most 64 factors of at most 2 each: no overflow, and one logarithm for all.
        let mut spreads = [1.0; TRIED.len()];
        for same in known.chunk_by(|a, b| a.holding == b.holding) {
            let weight = same[0].weight;
            let frequency = (-weight).exp();
            for (spread, t) in spreads.iter_mut().zip(TRIED) {
                let of_word = 1.0 + (-weight * (1.0 - t)).exp() - frequency;
                *spread = same.iter().fold(*spread, |product, _| product * of_word);
            }
        }
        let summaries = self.entries.len() as f64;
        let needed_at = |(spread, t): (f64, f64)| ((summaries / BY_CHANCE).ln() + spread.ln()) / t;
        let least = spreads.into_iter().zip(TRIED).map(needed_at).fold(f64::INFINITY, f64::min);
        least - 1e-9
    }
}

impl Weighed<'_> {
    /// The words that a message shares with an effort, rarest first.
    pub(super) fn shared(&self, entry: &Entry) -> impl Iterator<Item = &Known<'_>> {
        let may_hold = |word: &u32| {
            let (at, bit) = low_bit(*word);
            self.low_bits[at] & bit != 0
        };
        let own = entry.words().filter(may_hold);
        let place = |word: u32| self.places.binary_search_by_key(&word, |(word, _)| *word).ok();
        let mut places: Vec<usize> = own.filter_map(place).map(|at| self.places[at].1).collect();
        places.sort_unstable();
        places.into_iter().map(|at| &self.known[at])
    }
}

/// Where the low end of a word has its bit among 1,024.
fn low_bit(word: u32) -> (usize, u64) {
    ((word >> 6) as usize & 15, 1 << (word & 63))
}
