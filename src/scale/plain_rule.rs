//! The seeds' rule as written, as a measure: any two shared keywords, or the id as part of the text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::memory::keywords;

/// Turns that a mention keeps a summary warm (slice 4).
const THRESHOLD: u64 = 20;

/// Which summaries would be warm under the plain rule.
#[derive(Debug, Default)]
pub struct PlainRule {
    with: BTreeMap<String, Vec<usize>>,
    ids: Vec<(String, String)>,
    last: Vec<Option<u64>>,
    turn: u64,
}

impl PlainRule {
    /// Takes in a concluded effort; its place is the number of efforts before it.
    pub fn add(&mut self, id: &str, summary: &str) {
        let at = self.ids.len();
        for word in keywords(summary) {
            let holders = self.with.entry(word.into_owned()).or_default();
            if holders.last() != Some(&at) {
                holders.push(at);
            }
        }
        self.ids.push((id.to_lowercase(), id.to_lowercase().replace('-', " ")));
        self.last.push(None);
    }

    /// One turn: both messages refresh what they mention.
    pub fn turn(&mut self, messages: [&str; 2]) {
        self.turn += 1;
        for message in messages {
            let lower = message.to_lowercase();
            let mut words: Vec<Cow<str>> = keywords(message).collect();
            words.sort_unstable();
            words.dedup();
            let mut shared = vec![0_u32; self.ids.len()];
            for &at in words.iter().filter_map(|word| self.with.get(&**word)).flatten() {
                shared[at] += 1;
            }
            for (at, (id, spaced)) in self.ids.iter().enumerate() {
                let mentioned = || lower.contains(id.as_str()) || lower.contains(spaced.as_str());
                if shared[at] >= 2 || mentioned() {
                    self.last[at] = Some(self.turn);
                }
            }
        }
    }

    /// Whether the summary at a place would be in the window.
    pub fn is_warm(&self, at: usize) -> bool {
        self.last[at].is_some_and(|last| self.turn - last < THRESHOLD)
    }

    /// Places of all summaries that would be in the window.
    pub fn warm(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.last.len()).filter(|&at| self.is_warm(at))
    }
}
