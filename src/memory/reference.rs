//! Which concluded efforts a message refers to (slice 3, with the two additions of design section 4).
//!
//! The seeds' rule reads every summary each turn. Here summaries are indexed by their keywords and ids
//! by their words, and a message looks at a fixed number of entries at most, whatever the session
//! holds.
//!
//! With a handful of efforts the seeds' rule decides, but for words that say little: everyday words of English and
//! those that most efforts share. Above that, shared words carry weight as well: a
//! word that stands in `df` of `n` summaries carries `ln(n / df)`, and a reference needs so much that
//! chance would hardly bring it about in a message of this length (see [`Weighed::needed`]). Of
//! several efforts that reach this, the ones far behind the best are not what the message is about.

use std::collections::{BTreeMap, BTreeSet};

use super::{Effort, Rules, stem, words};

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

/// Finds by a word in the same time however many words there are.
#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
type ByWord<T> = std::collections::HashMap<Box<str>, T>;

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

/// What is kept for one effort: its words, ascending.
#[derive(Debug)]
struct Entry {
    /// Of the summary.
    summary: Box<[u32]>,
    /// Of the id, where the summary does not hold them.
    id: Box<[u32]>,
}

/// The efforts that hold a word, ascending. Most words stand in one only, and there are very many of those.
#[derive(Debug, Default)]
enum Holders {
    #[default]
    None,
    One(u32),
    Many(Vec<u32>),
}

impl Holders {
    fn all(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(effort) => std::slice::from_ref(effort),
            Self::Many(efforts) => efforts,
        }
    }

    fn insert(&mut self, effort: u32) {
        match self {
            Self::None => *self = Self::One(effort),
            Self::One(other) if *other != effort => {
                *self = Self::Many(vec![effort.min(*other), effort.max(*other)]);
            }
            Self::One(_) => {}
            // A session that is loaded brings them in order.
            Self::Many(efforts) if efforts.last().is_none_or(|&last| last < effort) => {
                efforts.push(effort);
            }
            Self::Many(efforts) => {
                if let Err(place) = efforts.binary_search(&effort) {
                    efforts.insert(place, effort);
                }
            }
        }
    }

    fn remove(&mut self, effort: u32) {
        match self {
            Self::One(only) if *only == effort => *self = Self::None,
            Self::Many(efforts) => efforts.retain(|&other| other != effort),
            Self::None | Self::One(_) => {}
        }
    }
}

/// Keywords and ids of all concluded efforts.
#[derive(Debug, Default)]
pub(super) struct ReferenceIndex {
    word_ids: ByWord<u32>,
    /// For each word, the efforts whose summary or id holds it.
    efforts_with: Vec<Holders>,
    entries: BTreeMap<u32, Entry>,
    /// Efforts by the words of their id, joined by spaces.
    id_phrases: ByWord<u32>,
    /// For the first word of ids: how many ids that begin with it have how many words. Most words of a
    /// message begin no id and need no further look.
    id_starts: ByWord<BTreeMap<usize, usize>>,
}

/// A word of a message that the index knows.
#[derive(Debug)]
struct Known {
    word: u32,
    /// As the message has it.
    form: String,
    weight: f64,
}

/// A message, weighed against a session.
#[derive(Debug, Default)]
pub(super) struct Weighed {
    /// Rarest first.
    known: Vec<Known>,
    /// Where each word stands in `known`, by word.
    places: Vec<(u32, usize)>,
    /// A bit for the low end of each word: most words of an effort are told apart by it at once.
    low_bits: [u64; 16],
    /// The weight that makes a reference.
    needed: f64,
}

impl ReferenceIndex {
    /// Indexes a concluded effort, in place of what was indexed for it before.
    pub(super) fn insert(&mut self, at: usize, id: &str, summary: &str) {
        self.remove(at, id);
        let effort = at as u32;
        let of_summary = self.intern_all(summary);
        let mut of_id = self.intern_all(id);
        of_id.retain(|word| of_summary.binary_search(word).is_err());
        for &word in of_summary.iter().chain(&of_id) {
            self.efforts_with[word as usize].insert(effort);
        }
        self.entries.insert(effort, Entry { summary: of_summary.into(), id: of_id.into() });
        let phrase = words::plain_words(id);
        if !phrase.is_empty() && phrase.len() <= MAX_ID_WORDS {
            let lengths = self.id_starts.entry(phrase[0].as_str().into()).or_default();
            *lengths.entry(phrase.len()).or_default() += 1;
            self.id_phrases.insert(phrase.join(" ").into(), effort);
        }
    }

    /// Forgets an effort, because it was reopened or its summary changed.
    pub(super) fn remove(&mut self, at: usize, id: &str) {
        let effort = at as u32;
        let Some(entry) = self.entries.remove(&effort) else { return };
        for &word in entry.summary.iter().chain(&entry.id) {
            self.efforts_with[word as usize].remove(effort);
        }
        let phrase = words::plain_words(id);
        let removed = self.id_phrases.remove(phrase.join(" ").as_str());
        let lengths = removed.and_then(|_| self.id_starts.get_mut(phrase.first()?.as_str()));
        if let Some(lengths) = lengths {
            if let Some(count) = lengths.get_mut(&phrase.len()) {
                *count -= 1;
            }
            lengths.retain(|_, count| *count > 0);
        }
    }

    /// The efforts that a message refers to, by position. `efforts` are all of the session.
    pub(super) fn references(
        &self,
        message: &str,
        rules: &Rules,
        efforts: &[Effort],
    ) -> Vec<Reference> {
        let (overlap, plain) = (rules.min_keyword_overlap, rules.seeds);
        let mut found = BTreeMap::new();
        if !plain {
            found = self.by_keywords(&self.weigh(message), (message, overlap));
        }
        if plain || self.is_handful() {
            found.extend(self.by_plain_rule(message, overlap, plain, efforts));
        }
        found.extend(self.by_id(message, plain));
        found.into_iter().map(|(at, cause)| Reference { at, cause }).collect()
    }

    /// Weighs a message's words by how rare they are in this session.
    pub(super) fn weigh(&self, message: &str) -> Weighed {
        let mut forms: BTreeMap<u32, String> = BTreeMap::new();
        for form in words::word_parts(message) {
            if let Some(word) = self.word_id(&stem(&form)) {
                forms.entry(word).or_insert(form);
            }
        }
        let weigh = |(word, form)| Known { word, form, weight: self.weight(word) };
        let mut known: Vec<Known> = forms.into_iter().map(weigh).collect();
        known.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.form.cmp(&b.form)));
        known.truncate(MOST_WORDS);
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

    /// How much a weighed message has to do with an effort, from 0 to 1: 1 is a clear reference.
    pub(super) fn relevance(&self, message: &Weighed, at: usize) -> f64 {
        let Some(entry) = self.entries.get(&(at as u32)) else { return 0.0 };
        let shared: f64 = message.shared(entry).map(|known| known.weight).sum();
        let clear = message.needed.max((self.entries.len().max(2) as f64).ln());
        (shared / clear).min(1.0)
    }

    /// Efforts that share a keyword with a text, the one with the most first; for suggestions.
    pub(super) fn similar(&self, text: &str, most: usize) -> Vec<usize> {
        let weighed = self.weigh(text);
        let mut ranked = self.candidates(&weighed);
        ranked.truncate(most);
        ranked.into_iter().map(|(effort, _)| effort as usize).collect()
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
        let said: BTreeSet<String> = words::keywords(message).collect();
        let most = counted(said.len(), min_overlap);
        let indexed = self.entries.keys().filter_map(|&at| Some((at, efforts.get(at as usize)?)));
        indexed
            .filter_map(|(at, effort)| {
                let own: BTreeSet<String> = words::keywords(effort.summary.as_deref()?).collect();
                let shared: Vec<&str> = own.intersection(&said).map(String::as_str).collect();
                let says_enough = || plain || self.is_enough(&shared, most, min_overlap);
                let enough = shared.len() >= min_overlap && says_enough();
                enough.then(|| (at as usize, quoted(shared.into_iter().take(min_overlap.max(2)))))
            })
            .collect()
    }

    /// Whether words that a message shares with an effort say enough while the session is too small to tell how
    /// common they are: everyday words of English, and those that most efforts here share, say little.
    /// The `most` that say most are counted.
    fn is_enough(&self, shared: &[&str], most: usize, min_overlap: usize) -> bool {
        const EVERYDAY: f64 = 0.3;
        const EACH: f64 = 0.75;
        let efforts = self.entries.len().max(1) as f64;
        let weight = |word: &&str| {
            let holding = self
                .word_id(&stem(word))
                .map_or(1, |id| self.efforts_with[id as usize].all().len());
            let own = 1.0 - holding.saturating_sub(1) as f64 / efforts;
            own * if words::is_everyday(word) { EVERYDAY } else { 1.0 }
        };
        let mut weights: Vec<f64> = shared.iter().map(weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        weights.iter().take(most).sum::<f64>() >= EACH * min_overlap as f64 - 1e-9
    }

    /// Ids in a message. As written, with its signs, an id always counts; its words with spaces between
    /// count unless all of them are everyday words of a large session.
    fn by_id<'a>(
        &'a self,
        message: &'a str,
        always: bool,
    ) -> impl Iterator<Item = (usize, String)> + 'a {
        let words = words::plain_words(message);
        let lower = message.to_lowercase();
        let starts = 0..words.len();
        starts.flat_map(move |start| {
            let lengths = self.id_starts.get(words[start].as_str());
            let found: Vec<(usize, String)> = lengths
                .into_iter()
                .flat_map(BTreeMap::keys)
                .filter_map(|length| words.get(start..start + length))
                .filter(|phrase| phrase.iter().any(|word| !words::is_stop_word(word)))
                .filter_map(|phrase| {
                    let spaced = phrase.join(" ");
                    let effort = *self.id_phrases.get(spaced.as_str())?;
                    let as_written = phrase.len() > 1 && lower.contains(&phrase.join("-"));
                    let says = always || as_written || self.says_something(phrase);
                    says.then(|| (effort as usize, format!("'{spaced}'")))
                })
                .collect();
            found
        })
    }

    /// Whether the words of an id are rare enough here that a message hardly has them by chance.
    fn says_something(&self, phrase: &[String]) -> bool {
        if self.is_handful() {
            return true;
        }
        let weight = |word: &String| match self.word_id(&stem(word)) {
            Some(known) => self.weight(known),
            None if words::is_stop_word(word) => 0.0,
            None => f64::INFINITY,
        };
        let needed = (self.entries.len() as f64).ln() / 2.0;
        phrase.iter().map(weight).sum::<f64>() >= needed - 1e-9
    }

    fn by_keywords(
        &self,
        message: &Weighed,
        (text, min_overlap): (&str, usize),
    ) -> BTreeMap<usize, String> {
        let (handful, young) = (self.is_handful(), self.entries.len() <= YOUNG);
        let said = if young { words::keywords(text).count() } else { 0 };
        let most = counted(said, min_overlap);
        let mut found: Vec<(f64, u32, String)> = self
            .candidates(message)
            .into_iter()
            .take(MOST_COMPARED)
            .filter_map(|(effort, _)| {
                let entry = self.entries.get(&effort)?;
                let shared: Vec<&Known> = message
                    .shared(entry)
                    .filter(|known| !handful || entry.summary.binary_search(&known.word).is_ok())
                    .collect();
                let weight: f64 = shared.iter().map(|known| known.weight).sum();
                let forms: Vec<&str> = shared.iter().map(|known| known.form.as_str()).collect();
                let enough = shared.len() >= min_overlap && weight >= message.needed;
                let says_enough = if young {
                    self.is_enough(&forms, most, min_overlap)
                } else {
                    forms.iter().any(|form| !words::is_everyday(form))
                };
                let enough = enough && says_enough;
                enough.then(|| (weight, effort, quoted(forms.into_iter().take(min_overlap.max(2)))))
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

    /// The efforts that the rarest words of a message point to, the most pointed to first.
    fn candidates(&self, message: &Weighed) -> Vec<(u32, f64)> {
        let mut visited: Vec<(u32, f64)> = Vec::with_capacity(MOST_VISITS);
        for known in &message.known {
            let efforts = self.efforts_with[known.word as usize].all();
            if visited.len() + efforts.len() > MOST_VISITS {
                break;
            }
            visited.extend(efforts.iter().map(|&effort| (effort, known.weight)));
        }
        visited.sort_by_key(|&(effort, _)| effort);
        let same = |a: &(u32, f64), b: &(u32, f64)| a.0 == b.0;
        let summed = |group: &[(u32, f64)]| (group[0].0, group.iter().map(|one| one.1).sum());
        let mut ranked: Vec<(u32, f64)> = visited.chunk_by(same).map(summed).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    fn weight(&self, word: u32) -> f64 {
        let summaries = self.entries.len() as f64;
        let holding = self.efforts_with[word as usize].all().len().max(1) as f64;
        (summaries / holding).ln().max(0.0)
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
        let summaries = self.entries.len() as f64;
        let needed_at = |t: f64| {
            let of_word = |known: &Known| {
                let frequency = (-known.weight).exp();
                1.0 + (-known.weight * (1.0 - t)).exp() - frequency
            };
            // At most 64 factors of at most 2 each: no overflow, and one logarithm for all.
            let spread = known.iter().map(of_word).product::<f64>().ln();
            ((summaries / BY_CHANCE).ln() + spread) / t
        };
        let least = [0.4, 0.6, 0.8, 1.0].map(needed_at).into_iter().fold(f64::INFINITY, f64::min);
        least - 1e-9
    }

    fn word_id(&self, word: &str) -> Option<u32> {
        self.word_ids.get(word).copied()
    }

    /// The different words of a text, ascending.
    fn intern_all(&mut self, text: &str) -> Vec<u32> {
        let mut all: Vec<u32> =
            words::word_parts(text).map(|word| self.intern(stem(&word))).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn intern(&mut self, word: String) -> u32 {
        if let Some(id) = self.word_id(&word) {
            return id;
        }
        let id = self.efforts_with.len() as u32;
        self.efforts_with.push(Holders::None);
        self.word_ids.insert(word.into(), id);
        id
    }
}

impl Weighed {
    /// The words that a message shares with an effort, rarest first.
    fn shared(&self, entry: &Entry) -> impl Iterator<Item = &Known> {
        let may_hold = |word: &&u32| {
            let (at, bit) = low_bit(**word);
            self.low_bits[at] & bit != 0
        };
        let own = entry.summary.iter().chain(&entry.id).filter(may_hold);
        let place = |word: &u32| self.places.binary_search_by_key(word, |(word, _)| *word).ok();
        let mut places: Vec<usize> = own.filter_map(place).map(|at| self.places[at].1).collect();
        places.sort_unstable();
        places.into_iter().map(|at| &self.known[at])
    }
}

/// Where the low end of a word has its bit among 1,024.
fn low_bit(word: u32) -> (usize, u64) {
    ((word >> 6) as usize & 15, 1 << (word & 63))
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" and ")
}
