//! Of what the tokens of requests were: which were read from a cache, and which anew, and why.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::llm::Role;
use crate::memory::Change;

/// What a token of a request is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// System prompt and tools.
    Fixed,
    /// Words that no request held before.
    New,
    /// The user's words where they belong, which stood behind a memory block before.
    Second,
    /// Words that stood in the front before.
    Again,
    /// Lines around the memory block and the lists of efforts.
    Lists,
    /// Summaries.
    Summaries,
    /// Notes and the index of large texts.
    Notes,
    /// What was recalled.
    Recalled,
    /// Calls and their results.
    Rounds,
    /// What memory's own requests hold beside the front.
    Asked,
}

/// Beginnings of the sections of a memory block.
const SECTIONS: [(&str, Part); 4] = [
    ("## Concluded", Part::Summaries),
    ("## Notes", Part::Notes),
    ("## Scratchpad", Part::Notes),
    ("## Recalled", Part::Recalled),
];

/// A memory block, section by section.
pub(super) fn sections(block: &str) -> impl Iterator<Item = (Part, &str)> {
    let begins = block.match_indices("\n## ").map(|(at, _)| at + 1);
    let last = block.rfind("[End of memory").unwrap_or(block.len());
    let mut places: Vec<usize> = std::iter::once(0).chain(begins).chain([last]).collect();
    places.push(block.len());
    places.dedup();
    let of = |text: &str| SECTIONS.iter().find(|(begin, _)| text.starts_with(begin));
    let pieces: Vec<&str> = places.windows(2).map(|pair| &block[pair[0]..pair[1]]).collect();
    pieces.into_iter().map(move |text| (of(text).map_or(Part::Lists, |(_, part)| *part), text))
}

/// Sums over requests.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Tokens read from the cache and read anew, by the word for the purpose.
    tokens: BTreeMap<(&'static str, Part), [u64; 2]>,
    /// Tokens read again, by what happened before.
    causes: BTreeMap<String, [u64; 2]>,
    requests: BTreeMap<&'static str, u64>,
    /// Where each text stood: in the front or only behind a block.
    seen: HashMap<u64, bool>,
    /// Tokens read again by the first request of this turn, and by the others.
    again: [u64; 2],
    /// What happened in the turn before.
    before: String,
}

impl Parts {
    /// What a message in front of the newest one is.
    pub(super) fn of_front(&mut self, role: Role, text: &str) -> Part {
        match self.seen.insert(hash(role, text), true) {
            None => Part::New,
            Some(false) => Part::Second,
            Some(true) => Part::Again,
        }
    }

    /// What the newest message is.
    pub(super) fn of_newest(&mut self, text: &str) -> Part {
        let is_new = !self.seen.contains_key(&hash(Role::User, text));
        self.seen.entry(hash(Role::User, text)).or_insert(false);
        if is_new { Part::New } else { Part::Again }
    }

    /// A request of these pieces, each with the tokens up to its end, of which so many were read from the cache.
    pub(super) fn add(&mut self, purpose: &'static str, pieces: &[(Part, u64)], read: u64) {
        *self.requests.entry(purpose).or_default() += 1;
        let mut from = 0;
        for &(part, upto) in pieces {
            let anew = upto - from.max(read).min(upto);
            let sum = self.tokens.entry((purpose, part)).or_default();
            sum[0] += upto - from - anew;
            sum[1] += anew;
            if part == Part::Again {
                self.again[usize::from(purpose != "chat")] += anew;
            }
            from = upto;
        }
    }

    /// A turn ended with these changes.
    pub(super) fn end_turn(&mut self, changes: &[Change]) {
        let mut kinds: Vec<&str> = changes.iter().map(|change| change.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let now = kinds.join("+");
        let causes = [std::mem::replace(&mut self.before, now.clone()), format!("in turn: {now}")];
        for (tokens, cause) in std::mem::take(&mut self.again).into_iter().zip(causes) {
            if tokens > 0 {
                let sum = self.causes.entry(cause).or_default();
                sum[0] += 1;
                sum[1] += tokens;
            }
        }
    }

    /// The table.
    pub fn table(&self, cached: f64) -> String {
        let mut text = String::new();
        for ((purpose, part), [read, anew]) in &self.tokens {
            let cost = *read as f64 * cached + *anew as f64;
            let _ = writeln!(
                text,
                "  {purpose:<11} {:<10} read {read:>9}  anew {anew:>8}  costs {cost:>8.0}",
                format!("{part:?}")
            );
        }
        for (cause, [times, tokens]) in &self.causes {
            let _ = writeln!(text, "  again {tokens:>8} in {times:>3} after {cause}");
        }
        let _ = writeln!(text, "  requests {:?}", self.requests);
        text
    }
}

fn hash(role: Role, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (role.as_str(), text).hash(&mut hasher);
    hasher.finish()
}
