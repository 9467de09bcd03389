//! Which concluded efforts a message refers to (slice 3, with the two additions of design section 4).
//!
//! The seeds' rule reads every summary each turn. Here summaries are indexed by their keywords and ids
//! by their words, and a message looks at a fixed number of entries at most, whatever the session
//! holds.
//!
//! With a handful of efforts the seeds' rule decides, but for words that say little: everyday words of English and
//! those that most efforts share. Above that, shared words carry weight as well: a
//! word that stands in `df` of `n` summaries carries `ln(n / df)`, and a reference needs so much that
//! chance would hardly bring it about in a message of this length (see [`Weighed`]). Of
//! several efforts that reach this, the ones far behind the best are not what the message is about.

mod ahead;
mod entries;
mod holders;
mod shared;
mod weighed;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::by_word::{ByHash, Words, hash_of};
use super::numbers::Numbers;
use super::words::{is_everyday_stem, is_number};
use super::{Effort, Rules, stem, words};
use crate::lock;
use crate::lock::locked;
use crate::memory::tight;
pub use ahead::WordsAhead;
use entries::{Entries, Entry};
use holders::Holders;
use weighed::Known;
pub(super) use weighed::Weighed;

/// Up to this many concluded efforts the plain rule decides, with words weighed against those of every day.
pub(super) const HANDFUL: usize = 12;

/// Up to this many concluded efforts a session can't tell how common everyday words are: they say little, however few
/// summaries hold them. Above it they still need a word beside them that is not of every day.
const YOUNG: usize = 100;

/// Entries of the index that a message looks at, over all its words, rarest first. It bounds a turn's
/// work: what only everyday words point to is left to the search.
const MOST_VISITS: usize = 96;

/// Candidates that are compared word by word.
const MOST_COMPARED: usize = 8;

/// Words of a message that count, the rarest ones.
const MOST_WORDS: usize = 64;

/// Efforts that one message refers to by keywords. Ids count without a limit.
const MOST_REFERENCES: usize = 2;

/// A reference carries at least this share of the weight of the best one.
const OF_THE_BEST: f64 = 0.7;

/// Where more efforts than that come into question, a reference stands out from the next one by this
/// factor: a long text about cooking has something in common with every recipe and means none.
const ABOVE_THE_CROWD: f64 = 1.3;

/// Words of the longest id that is matched; longer ids match by their keywords.
const MAX_ID_WORDS: usize = 16;

/// From so many keywords on a message is long: it has some of every day in common with everything.
const LONG: usize = 24;

/// Bits by which keywords are told apart at once. A power of two.
const BITS: usize = 1 << 14;

/// How many of the words that a message of so many keywords shares with an effort count while the session is small.
fn counted(said: usize, min_overlap: usize) -> usize {
    if said < LONG { 2 * min_overlap } else { min_overlap }
}

/// An effort that a message refers to, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference {
    /// The effort's position in memory.
    pub(super) at: usize,
    /// Why, in the words of the message: `'refresh' and 'token'`.
    pub(super) cause: String,
}

/// How ids go on that begin with a word.
#[derive(Debug, Clone, Default)]
struct Start {
    /// A bit for each number of words that one has or had.
    lengths: u32,
    /// A bit for each second word that one has or had: most that follow in a message are none of them.
    seconds: u64,
}

impl Start {
    /// How many words an id may have that begins with some words, by the second one, ascending.
    fn lengths(&self, second: Option<&str>) -> impl Iterator<Item = usize> {
        let goes_on = second.is_some_and(|second| self.seconds & bit_of_second(second) > 0);
        let lengths = (1..=MAX_ID_WORDS).filter(|length| self.lengths >> length & 1 == 1);
        lengths.filter(move |&length| length == 1 || goes_on)
    }
}

fn bit_of_second(word: &str) -> u64 {
    1 << (hash_of(word) % 64)
}

/// Where the keywords of each summary have their bits, as far as somebody asked; a copy knows none yet.
#[derive(Debug, Default)]
struct KeywordBits(Mutex<ByHash<Box<[u16]>>>);

impl Clone for KeywordBits {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Keywords and ids of all concluded efforts.
#[derive(Debug, Clone, Default)]
pub(super) struct ReferenceIndex {
    word_ids: Numbers,
    /// For each word, the efforts whose summary or id holds it.
    holders: Holders,
    /// For each word, whether everybody uses it every day.
    everyday: Vec<bool>,
    entries: Entries,
    /// Asked by the plain rule: tells what shares none without reading it.
    keywords: KeywordBits,
    /// Efforts by the words of their id, joined by spaces.
    id_phrases: ByHash<u32>,
    /// For the first word of ids. Most words of a message begin no id and need no further look.
    id_starts: ByHash<Start>,
    /// What is known of messages before they are weighed.
    ahead: Arc<WordsAhead>,
}

impl ReferenceIndex {
    /// Another thread reads the words of messages first, from now on.
    pub(super) fn read_ahead(&mut self, ahead: Arc<WordsAhead>) {
        self.ahead = ahead;
    }

    /// Indexes a concluded effort, in place of what was indexed for it before.
    pub(super) fn insert(&mut self, at: usize, id: &str, summary: &str) {
        self.remove(at, id);
        let effort = at as u32;
        let of_summary = self.intern_all(summary);
        let mut of_id = self.intern_all(id);
        of_id.retain(|word| of_summary.binary_search(word).is_err());
        for &word in of_summary.iter().chain(&of_id) {
            self.holders.insert(word, effort);
        }
        self.entries.insert(effort, Entry::new(&of_summary, &of_id));
        let phrase: Vec<Cow<str>> = words::plain_words(id).collect();
        if !phrase.is_empty() && phrase.len() <= MAX_ID_WORDS {
            let start = self.id_starts.entry(hash_of(&phrase[0])).or_default();
            start.lengths |= 1 << phrase.len();
            start.seconds |= phrase.get(1).map_or(0, |second| bit_of_second(second));
            self.id_phrases.insert(hash_of(&phrase.join(" ")), effort);
        }
    }

    /// Forgets an effort, because it was reopened or its summary changed.
    pub(super) fn remove(&mut self, at: usize, id: &str) {
        let effort = at as u32;
        let Some(entry) = self.entries.remove(effort) else { return };
        lock::own(&mut self.keywords.0).remove(&effort.into());
        for word in entry.words() {
            if self.holders.remove(word, effort) {
                let holding =
                    self.entries.iter().filter(|(_, one)| one.words().any(|own| own == word));
                self.holders.tell(word, holding.map(|(effort, _)| effort));
            }
        }
        let phrase: Vec<Cow<str>> = words::plain_words(id).collect();
        self.id_phrases.remove(&hash_of(&phrase.join(" ")));
    }

    /// The efforts that a message refers to, by position. `efforts` are all of the session.
    pub(super) fn references(
        &self,
        message: &str,
        weighed: &Weighed,
        rules: &Rules,
        efforts: &[Effort],
    ) -> Vec<Reference> {
        let (overlap, plain) = (rules.min_keyword_overlap, rules.seeds);
        let mut found = BTreeMap::new();
        if !plain {
            found = self.by_keywords(weighed, (message, overlap));
        }
        if plain || self.is_handful() {
            found.extend(self.by_plain_rule(message, overlap, plain, efforts));
        }
        found.extend(self.by_id(message, plain));
        found.into_iter().map(|(at, cause)| Reference { at, cause }).collect()
    }

    /// How much a weighed message has to do with an effort, from 0 to 1: 1 is a clear reference.
    pub(super) fn relevance(&self, message: &Weighed, at: usize) -> f64 {
        let Some(entry) = self.entries.get(at as u32) else { return 0.0 };
        let shared: f64 = message.shared(entry).map(|known| known.weight).sum();
        let clear = message.needed.max((self.entries.len().max(2) as f64).ln());
        (shared / clear).min(1.0)
    }

    /// Efforts that share a keyword with a text, the one with the most first; for suggestions.
    pub(super) fn similar(&self, text: &str, most: usize) -> Vec<usize> {
        let weighed = self.weigh(text);
        self.candidates(&weighed, most).into_iter().map(|effort| effort as usize).collect()
    }

    fn is_handful(&self) -> bool {
        self.entries.len() <= HANDFUL
    }

    /// The rule as the seeds word it, so that nothing added here overrules it.
    fn by_plain_rule(
        &self,
        message: &str,
        min_overlap: usize,
        plain: bool,
        efforts: &[Effort],
    ) -> Vec<(usize, String)> {
        let said: Words<Cow<str>> = words::keywords(message).collect();
        let most = counted(said.len(), min_overlap);
        let mut bits = [0_u64; BITS / 64];
        for bit in said.iter().map(|word| usize::from(bit_of(word))) {
            bits[bit / 64] |= 1 << (bit % 64);
        }
        let may_be_said = |bit: &&u16| bits[usize::from(**bit) / 64] >> (**bit % 64) & 1 == 1;
        let mut known = locked(&self.keywords.0);
        let likely = self.entries.iter().filter_map(|(at, _)| {
            let effort = efforts.get(at as usize)?;
            let bits = || {
                let summary = effort.summary().unwrap_or_default();
                words::keywords(&summary).map(|word| bit_of(&word)).collect()
            };
            let shared = known.entry(at.into()).or_insert_with(bits).iter().filter(may_be_said);
            (shared.take(min_overlap).count() == min_overlap).then_some((at, effort.summary()?))
        });
        likely
            .filter_map(|(at, summary)| {
                let own = words::keywords(&summary).filter(|word| said.contains(word));
                let mut shared: Vec<Cow<str>> = own.collect();
                shared.sort_unstable();
                shared.dedup();
                let weight = |word: &Cow<str>| self.weight_in_few(word);
                let weights = || shared.iter().map(weight).collect();
                let enough = shared.len() >= min_overlap
                    && (plain || is_enough(weights(), most, min_overlap));
                let shared = shared.iter().map(Cow::as_ref);
                enough.then(|| (at as usize, quoted(shared.take(min_overlap.max(2)))))
            })
            .collect()
    }

    /// How much a word says while the session is too small to tell how common words are: everyday words of English,
    /// and those that most efforts here share, say little.
    fn weight_in_few(&self, word: &str) -> f64 {
        let stem = stem(word);
        let holding = self.word_id(&stem).map_or(1, |word| self.holding(word));
        self.weight_of(holding, is_everyday_stem(&stem) || is_number(word))
    }

    fn weight_of(&self, holding: usize, is_everyday: bool) -> f64 {
        const EVERYDAY: f64 = 0.3;
        let efforts = self.entries.len().max(1) as f64;
        let own = 1.0 - holding.saturating_sub(1) as f64 / efforts;
        own * if is_everyday { EVERYDAY } else { 1.0 }
    }

    fn is_everyday(&self, known: &Known) -> bool {
        self.everyday[known.word as usize] || is_number(&known.form)
    }

    /// Ids in a message. As written, with its signs, an id always counts; its words with spaces between
    /// count unless all of them are everyday words of a large session.
    fn by_id(&self, message: &str, always: bool) -> Vec<(usize, String)> {
        let lower = OnceCell::new();
        let (mut found, mut spaced) = (Vec::new(), String::new());
        let mut rest = words::plain_words(message);
        loop {
            let from = rest.clone();
            let Some(first) = rest.next() else { return found };
            let Some(start) = self.id_starts.get(&hash_of(&first)) else { continue };
            let second = rest.clone().next();
            for length in start.lengths(second.as_deref()) {
                spaced.clear();
                for (nth, word) in from.clone().take(length).enumerate() {
                    spaced.push_str(if nth == 0 { "" } else { " " });
                    spaced.push_str(&word);
                }
                let Some(&effort) = self.id_phrases.get(&hash_of(&spaced)) else { continue };
                let phrase: Vec<&str> = spaced.split(' ').collect();
                let says = phrase.iter().any(|word| !words::is_stop_word(word));
                let lower = || lower.get_or_init(|| message.to_lowercase());
                let as_written = || phrase.len() > 1 && lower().contains(&phrase.join("-"));
                if says && (always || as_written() || self.says_something(&phrase)) {
                    found.push((effort as usize, format!("'{spaced}'")));
                }
            }
        }
    }

    /// Whether the words of an id are rare enough here that a message hardly has them by chance.
    fn says_something(&self, phrase: &[&str]) -> bool {
        if self.is_handful() {
            return true;
        }
        let efforts = self.entries.len() as f64;
        let weight = |word: &&str| match self.word_id(&stem(word)) {
            Some(known) => (efforts / self.holding(known).max(1) as f64).ln().max(0.0),
            None if words::is_stop_word(word) => 0.0,
            None => f64::INFINITY,
        };
        phrase.iter().map(weight).sum::<f64>() >= efforts.ln() / 2.0 - 1e-9
    }

    fn by_keywords(
        &self,
        message: &Weighed,
        (text, min_overlap): (&str, usize),
    ) -> BTreeMap<usize, String> {
        let (handful, young) = (self.is_handful(), self.entries.len() <= YOUNG);
        let said = if young { words::keywords(text).take(LONG).count() } else { 0 };
        let most = counted(said, min_overlap);
        let mut found: Vec<(f64, u32, String)> = self
            .candidates(message, MOST_COMPARED)
            .into_iter()
            .filter_map(|effort| {
                let entry = self.entries.get(effort)?;
                let shared: Vec<&Known> = message
                    .shared(entry)
                    .filter(|known| !handful || entry.summary().any(|word| word == known.word))
                    .collect();
                let shared = self.as_words(text, shared);
                let weight: f64 = shared.iter().map(|word| word.weight).sum();
                let enough = shared.len() >= min_overlap && weight >= message.needed;
                let says_enough = || {
                    if young {
                        let says = shared.iter().map(|word| word.says).collect();
                        is_enough(says, most, min_overlap)
                    } else {
                        shared.iter().any(|word| !word.is_everyday)
                    }
                };
                let forms = shared.iter().map(|word| word.form.as_ref());
                (enough && says_enough())
                    .then(|| (weight, effort, quoted(forms.take(min_overlap.max(2)))))
            })
            .collect();
        if !handful {
            found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let best = found.first().map_or(0.0, |(weight, ..)| *weight);
            let crowd = found.get(MOST_REFERENCES).map_or(0.0, |(weight, ..)| *weight);
            let least = (best * OF_THE_BEST).max(crowd * ABOVE_THE_CROWD);
            found.retain(|(weight, ..)| *weight >= least);
            found.truncate(MOST_REFERENCES);
        }
        found.into_iter().map(|(_, effort, cause)| (effort as usize, cause)).collect()
    }

    /// The efforts that the rarest words of a message point to, as many as asked for, the most pointed to first.
    fn candidates(&self, message: &Weighed, most: usize) -> Vec<u32> {
        let mut visited: Vec<(u32, u32)> = Vec::with_capacity(MOST_VISITS);
        for (at, known) in message.known.iter().enumerate() {
            if visited.len() + self.holding(known.word) > MOST_VISITS {
                break;
            }
            let efforts = self.holders.few(known.word);
            visited.extend(efforts.map(|effort| (effort, at as u32)));
        }
        visited.sort_unstable();
        let weight = |(_, at): &(u32, u32)| message.known[*at as usize].weight;
        let summed = |group: &[(u32, u32)]| (group[0].0, group.iter().map(weight).sum::<f64>());
        let mut ranked: Vec<(u32, f64)> = visited.chunk_by(|a, b| a.0 == b.0).map(summed).collect();
        let by_weight = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if ranked.len() > most {
            ranked.select_nth_unstable_by(most, by_weight);
            ranked.truncate(most);
        }
        ranked.sort_unstable_by(by_weight);
        ranked.into_iter().map(|(effort, _)| effort).collect()
    }

    /// How many efforts hold a word.
    fn holding(&self, word: u32) -> usize {
        self.holders.count(word)
    }

    fn word_id(&self, word: &str) -> Option<u32> {
        self.word_ids.get(hash_of(word))
    }

    /// The different words of a text, ascending.
    fn intern_all(&mut self, text: &str) -> Vec<u32> {
        let mut all = Vec::new();
        words::each_stem(text, |_, stem| all.push(self.intern(stem)));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn intern(&mut self, word: &str) -> u32 {
        let next = self.everyday.len() as u32;
        let id = self.word_ids.number(hash_of(word), next);
        if id == next {
            self.holders.add_word();
            tight::push(&mut self.everyday, is_everyday_stem(word));
        }
        id
    }
}

/// Whether words that a message shares with an effort say enough by their weights; the `most` that say most are
/// counted.
fn is_enough(mut weights: Vec<f64>, most: usize, min_overlap: usize) -> bool {
    const EACH: f64 = 0.75;
    weights.sort_by(|a, b| b.total_cmp(a));
    weights.iter().take(most).sum::<f64>() >= EACH * min_overlap as f64 - 1e-9
}

/// The bit of a keyword among [`BITS`].
fn bit_of(word: &str) -> u16 {
    (hash_of(word) % BITS as u64) as u16
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" and ")
}
