//! What a server's cache holds of a prompt, as far as one can tell from what was sent to it.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::FixedState;

use super::{CacheKind, Paid};

/// Bytes of a prompt between two places at which its beginning is remembered.
const PIECE: usize = 256;

/// Beginnings that are remembered at least: four megabytes of prompts.
const REMEMBERED: usize = 16_384;

/// A prompt as a cache sees it: one string of bytes, with what each part of it costs.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// Of all pieces so far, one after the other.
    hash: u64,
    /// The beginnings up to each place, with their tokens; tokens never decrease.
    beginnings: Vec<Beginning>,
    tokens: u64,
}

#[derive(Debug, Clone, Copy)]
struct Beginning {
    hash: u64,
    tokens: u64,
    is_marked: bool,
}

impl Prompt {
    /// An empty prompt for a model: another model's cache is another one.
    pub fn for_model(name: &str) -> Self {
        let mut prompt = Self::default();
        prompt.read(name.as_bytes());
        prompt
    }

    fn read(&mut self, piece: &[u8]) {
        let mut hasher = FixedState::with_seed(self.hash).build_hasher();
        hasher.write(piece);
        self.hash = hasher.finish();
    }

    /// Appends a text of so many tokens. Of a long one any beginning is recognised, to a piece of
    /// 256 bytes.
    pub fn push(&mut self, text: &[u8], tokens: u64) {
        let mut taken = 0;
        for piece in text.chunks(PIECE) {
            self.read(piece);
            taken += piece.len() as u64;
            let part = u128::from(tokens) * u128::from(taken) / (text.len() as u128).max(1);
            self.beginnings.push(Beginning {
                hash: self.hash,
                tokens: self.tokens.saturating_add(part as u64),
                is_marked: false,
            });
        }
        self.tokens = self.tokens.saturating_add(tokens);
        if let Some(last) = self.beginnings.last_mut() {
            last.tokens = self.tokens;
        }
    }

    /// Marks the end of what was pushed so far as a place up to which a cache with breakpoints keeps it.
    pub fn mark(&mut self) {
        if let Some(last) = self.beginnings.last_mut() {
            last.is_marked = true;
        }
    }

    /// Tokens of the whole.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }
}

/// When each beginning was last sent, in seconds, by its hash.
#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
type Sent = std::collections::HashMap<u64, u64, foldhash::fast::FixedState>;

/// The beginnings that were sent lately.
#[derive(Debug)]
pub struct PrefixCache {
    /// What is new is in the first one; when that is full it becomes the second one, and what the second one held is
    /// forgotten.
    young: Sent,
    old: Sent,
    /// Seconds after which a beginning is cold.
    lifetime: u64,
    /// Tokens below which the server keeps none.
    least: u64,
    /// The beginnings of the last prompt, by their hashes.
    last: Vec<u64>,
    /// The moment at which all of them were kept in `young`, if that is known.
    kept_at: Option<u64>,
}

impl PrefixCache {
    /// An empty one that keeps a beginning for so many seconds after its last use.
    pub fn new(lifetime: u64) -> Self {
        let (young, old) = (Sent::default(), Sent::default());
        Self { young, old, lifetime, least: 0, last: Vec::new(), kept_at: None }
    }

    /// Changes for how many seconds a beginning is kept.
    pub fn set_lifetime(&mut self, lifetime: u64) {
        self.lifetime = lifetime;
    }

    /// Changes from how many tokens on the server keeps a beginning.
    pub fn set_least(&mut self, least: u64) {
        self.least = least;
    }

    /// The beginnings of the last prompt, so that another run can go on from them.
    pub fn last_sent(&self) -> &[u64] {
        &self.last
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        *self = Self { least: self.least, ..Self::new(self.lifetime) };
    }

    /// Takes over the beginnings of a prompt that was sent at a moment.
    pub fn restore(&mut self, sent: Vec<u64>, at: u64) {
        self.young.extend(sent.iter().map(|hash| (*hash, at)));
        (self.last, self.kept_at) = (sent, None);
    }

    /// Sends a prompt at a moment, in seconds of any clock that does not go back, to a server that answers. Returns
    /// what it takes, without an answer, as an estimate; from then on its beginnings are known.
    pub fn send(&mut self, prompt: &Prompt, kind: CacheKind, now: u64) -> Paid {
        let paid = self.estimate(prompt, kind, now);
        self.keep(prompt, kind, now);
        paid
    }

    /// What a prompt would take at a moment, without an answer.
    pub fn estimate(&self, prompt: &Prompt, kind: CacheKind, now: u64) -> Paid {
        self.estimate_of(prompt, kind, self.sent_lately(prompt, kind, now))
    }

    /// What one would take of which so many tokens were sent lately.
    pub fn estimate_of(&self, prompt: &Prompt, kind: CacheKind, lately: u64) -> Paid {
        let kept = |tokens: u64| if tokens < self.least { 0 } else { tokens };
        let read = kept(lately);
        let marked = prompt.beginnings.iter().filter(|beginning| beginning.is_marked);
        let last_mark = marked.map(|beginning| beginning.tokens).next_back().unwrap_or(0);
        let written = match kind {
            CacheKind::Breakpoints => kept(last_mark).saturating_sub(read),
            CacheKind::None | CacheKind::Prefix => 0,
        };
        Paid { estimated: true, ..Paid::reported(prompt.tokens, read, written, 0) }
    }

    /// Tokens of its beginning that were sent within the lifetime, however few.
    pub fn sent_lately(&self, prompt: &Prompt, kind: CacheKind, now: u64) -> u64 {
        self.known(prompt, kind, now, self.lifetime)
    }

    /// Tokens of its beginning that were ever sent, however long ago.
    pub fn sent_before(&self, prompt: &Prompt, kind: CacheKind, now: u64) -> u64 {
        self.known(prompt, kind, now, u64::MAX)
    }

    /// Beginnings that are remembered.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.young.len() + self.old.len()
    }

    /// Tokens of the longest beginning that is known and was sent within so many seconds.
    fn known(&self, prompt: &Prompt, kind: CacheKind, now: u64, lifetime: u64) -> u64 {
        let is_warm = |beginning: &&Beginning| {
            let kept = self.young.get(&beginning.hash).or_else(|| self.old.get(&beginning.hash));
            kept.is_some_and(|last| now.saturating_sub(*last) <= lifetime)
        };
        let all = &prompt.beginnings;
        let found = match kind {
            CacheKind::None => None,
            // Whatever was kept was kept with all that it begins with.
            CacheKind::Prefix => {
                let kept = self.just_kept(all.iter().map(|beginning| beginning.hash), now);
                all[kept.saturating_sub(1)..].iter().take_while(is_warm).last()
            }
            CacheKind::Breakpoints => {
                let upto = all.iter().rposition(|beginning| beginning.is_marked);
                all[..upto.map_or(0, |at| at + 1)].iter().rfind(is_warm)
            }
        };
        found.map_or(0, |beginning| beginning.tokens)
    }

    /// How many beginnings, the first ones, the last prompt had as well, at this very moment: many requests go out
    /// within a second where nobody waits.
    fn just_kept(&self, beginnings: impl Iterator<Item = u64>, now: u64) -> usize {
        let is_now = self.kept_at == Some(now);
        let same = self.last.iter().filter(|_| is_now).zip(beginnings);
        same.take_while(|(one, other)| *one == other).count()
    }

    /// A server has read a prompt: its beginnings are known from then on.
    pub fn keep(&mut self, prompt: &Prompt, kind: CacheKind, now: u64) {
        // Before and not within, so that one prompt is always kept whole.
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
            self.kept_at = None;
        }
        let kept = prompt.beginnings.iter().filter(|beginning| match kind {
            CacheKind::None => false,
            CacheKind::Prefix => true,
            CacheKind::Breakpoints => beginning.is_marked,
        });
        let kept: Vec<u64> = kept.map(|beginning| beginning.hash).collect();
        let known = self.just_kept(kept.iter().copied(), now);
        self.young.extend(kept[known..].iter().map(|hash| (*hash, now)));
        (self.last, self.kept_at) = (kept, Some(now));
    }
}
