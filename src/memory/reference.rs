//! Which concluded efforts a message refers to (slice 3, with the two additions of design section 4).
//!
//! The seeds' rule reads every summary each turn. Here summaries are indexed by their keywords and ids
//! by their words, so that a message costs as much as its own length, whatever the session holds.
//!
//! Two additions keep references precise where a session is large: an id matches as whole words only,
//! and two shared keywords count only when, together, they single something out. A word that stands in
//! `df` of `n` summaries carries `ln(n / df)`; the shared words must carry at least `ln(n)`, which is
//! what it takes to expect a single summary among `n`. With a handful of efforts the plain rule holds.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{self, stem};

/// Up to this many concluded efforts the plain rule decides alone.
const PLAIN_RULE_EFFORTS: usize = 12;

/// A word in more summaries than this starts no comparison. It bounds a turn's work; two words of that
/// kind never single one effort out, and one of them still counts beside a rarer word.
const COMMON_WORD_EFFORTS: usize = 64;

/// Words of the longest id that is matched; longer ids match by their keywords.
const MAX_ID_WORDS: usize = 16;

/// An effort that a message refers to, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// The effort's position in memory.
    pub(super) at: usize,
    /// Why, in the words of the message: `'refresh' and 'token'`.
    pub(super) cause: String,
}

/// Keywords and ids of all concluded efforts.
#[derive(Debug, Default)]
pub(super) struct ReferenceIndex {
    word_ids: BTreeMap<Box<str>, u32>,
    /// For each word, the efforts whose summary holds it, ascending.
    efforts_with: Vec<Vec<u32>>,
    /// For each indexed effort, its words, ascending.
    words_of: BTreeMap<u32, Box<[u32]>>,
    /// Efforts by the words of their id, joined by spaces.
    id_phrases: BTreeMap<Box<str>, u32>,
    /// How many indexed ids have how many words.
    id_lengths: BTreeMap<usize, usize>,
}

impl ReferenceIndex {
    /// Indexes a concluded effort, in place of what was indexed for it before.
    pub(super) fn insert(&mut self, at: usize, id: &str, summary: &str) {
        self.remove(at, id);
        let effort = at as u32;
        let stems: BTreeSet<String> = words::keywords(summary).map(|word| stem(&word)).collect();
        let mut word_ids: Vec<u32> = stems.into_iter().map(|word| self.intern(word)).collect();
        word_ids.sort_unstable();
        for &word in &word_ids {
            let efforts = &mut self.efforts_with[word as usize];
            if let Err(place) = efforts.binary_search(&effort) {
                efforts.insert(place, effort);
            }
        }
        self.words_of.insert(effort, word_ids.into());
        let phrase = words::plain_words(id);
        if !phrase.is_empty() && phrase.len() <= MAX_ID_WORDS {
            *self.id_lengths.entry(phrase.len()).or_default() += 1;
            self.id_phrases.insert(phrase.join(" ").into(), effort);
        }
    }

    /// Forgets an effort, because it was reopened or its summary changed.
    pub(super) fn remove(&mut self, at: usize, id: &str) {
        let effort = at as u32;
        let Some(words) = self.words_of.remove(&effort) else { return };
        for &word in &words {
            let efforts = &mut self.efforts_with[word as usize];
            if let Ok(place) = efforts.binary_search(&effort) {
                efforts.remove(place);
            }
        }
        let phrase = words::plain_words(id);
        if self.id_phrases.remove(phrase.join(" ").as_str()).is_some() {
            if let Some(count) = self.id_lengths.get_mut(&phrase.len()) {
                *count -= 1;
            }
            self.id_lengths.retain(|_, count| *count > 0);
        }
    }

    /// The efforts that a message refers to, by position.
    pub(super) fn references(&self, message: &str, min_overlap: usize) -> Vec<Reference> {
        let mut found: BTreeMap<usize, String> = self.by_keywords(message, min_overlap);
        found.extend(self.by_id(message));
        found.into_iter().map(|(at, cause)| Reference { at, cause }).collect()
    }

    /// Efforts that share a keyword with a text, the one with the most first; for suggestions.
    pub(super) fn similar(&self, text: &str, most: usize) -> Vec<usize> {
        let mut shared: BTreeMap<u32, usize> = BTreeMap::new();
        let spaced = words::plain_words(text).join(" ");
        for word in words::keywords(&spaced) {
            let efforts = self.word_id(&stem(&word)).map(|id| &self.efforts_with[id as usize]);
            for &effort in efforts.into_iter().flatten().take(COMMON_WORD_EFFORTS) {
                *shared.entry(effort).or_default() += 1;
            }
        }
        let mut ranked: Vec<(usize, u32)> = shared.into_iter().map(|(e, n)| (n, e)).collect();
        ranked.sort_unstable_by_key(|&(count, effort)| (std::cmp::Reverse(count), effort));
        ranked.into_iter().take(most).map(|(_, effort)| effort as usize).collect()
    }

    fn by_id<'a>(&'a self, message: &str) -> impl Iterator<Item = (usize, String)> + 'a {
        let words = words::plain_words(message);
        let lengths: Vec<usize> = self.id_lengths.keys().copied().collect();
        let starts = 0..words.len();
        starts.flat_map(move |start| {
            let found: Vec<(usize, String)> = lengths
                .iter()
                .filter_map(|length| words.get(start..start + length))
                .filter(|phrase| phrase.iter().any(|word| !words::is_stop_word(word)))
                .filter_map(|phrase| {
                    let phrase = phrase.join(" ");
                    let effort = *self.id_phrases.get(phrase.as_str())?;
                    Some((effort as usize, format!("'{phrase}'")))
                })
                .collect();
            found
        })
    }

    fn by_keywords(&self, message: &str, min_overlap: usize) -> BTreeMap<usize, String> {
        let known = self.known_words(message);
        let mut candidates: BTreeSet<u32> = BTreeSet::new();
        for &word in known.keys() {
            let efforts = &self.efforts_with[word as usize];
            if efforts.len() <= COMMON_WORD_EFFORTS {
                candidates.extend(efforts);
            }
        }
        candidates
            .into_iter()
            .filter_map(|effort| {
                Some((effort as usize, self.shared_words(effort, &known, min_overlap)?))
            })
            .collect()
    }

    /// The words of a message that any summary holds, each with the form the message used.
    fn known_words(&self, message: &str) -> BTreeMap<u32, String> {
        let mut known = BTreeMap::new();
        for word in words::keywords(message) {
            if let Some(id) = self.word_id(&stem(&word)) {
                known.entry(id).or_insert(word);
            }
        }
        known
    }

    /// The cause, if the words that an effort shares with a message are enough.
    fn shared_words(
        &self,
        effort: u32,
        known: &BTreeMap<u32, String>,
        min_overlap: usize,
    ) -> Option<String> {
        let own = self.words_of.get(&effort)?;
        let mut shared: Vec<u32> = own.iter().copied().filter(|w| known.contains_key(w)).collect();
        let weight: f64 = shared.iter().map(|&word| self.weight(word)).sum();
        if shared.len() < min_overlap || weight < self.needed_weight() {
            return None;
        }
        shared.sort_by_key(|&word| (self.efforts_with[word as usize].len(), &known[&word]));
        let named: Vec<String> =
            shared.iter().take(min_overlap.max(2)).map(|w| format!("'{}'", known[w])).collect();
        Some(named.join(" and "))
    }

    fn weight(&self, word: u32) -> f64 {
        let summaries = self.words_of.len() as f64;
        let holding = self.efforts_with[word as usize].len().max(1) as f64;
        (summaries / holding).ln()
    }

    fn needed_weight(&self) -> f64 {
        if self.words_of.len() <= PLAIN_RULE_EFFORTS {
            0.0
        } else {
            (self.words_of.len() as f64).ln() - 1e-9
        }
    }

    fn word_id(&self, word: &str) -> Option<u32> {
        self.word_ids.get(word).copied()
    }

    fn intern(&mut self, word: String) -> u32 {
        if let Some(id) = self.word_id(&word) {
            return id;
        }
        let id = self.efforts_with.len() as u32;
        self.efforts_with.push(Vec::new());
        self.word_ids.insert(word.into(), id);
        id
    }
}
