//! The seeds' rule as written, as a measure: any two shared keywords or the id as part of the text.

use std::collections::BTreeMap;

use ebbtide::memory::keywords;

/// Warm summaries under the plain rule.
#[derive(Debug)]
pub(crate) struct PlainRule {
    with: BTreeMap<String, Vec<usize>>,
    ids: Vec<(String, String)>,
    last: Vec<Option<usize>>,
    turn: usize,
}

impl PlainRule {
    pub(crate) fn new<'a>(efforts: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut rule = Self { with: BTreeMap::new(), ids: Vec::new(), last: Vec::new(), turn: 0 };
        for (at, (id, summary)) in efforts.enumerate() {
            for word in keywords(summary) {
                let holders = rule.with.entry(word).or_default();
                if holders.last() != Some(&at) {
                    holders.push(at);
                }
            }
            rule.ids.push((id.to_owned(), id.replace('-', " ")));
            rule.last.push(None);
        }
        rule
    }

    pub(crate) fn turn(&mut self, messages: [&str; 2]) {
        self.turn += 1;
        for message in messages {
            let lower = message.to_lowercase();
            let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
            let mut words: Vec<String> = keywords(message).collect();
            words.sort();
            words.dedup();
            for at in words.iter().filter_map(|word| self.with.get(word)).flatten() {
                *shared.entry(*at).or_default() += 1;
            }
            for (at, (id, spaced)) in self.ids.iter().enumerate() {
                let mentioned = shared.get(&at).is_some_and(|&count| count >= 2);
                if mentioned || lower.contains(id.as_str()) || lower.contains(spaced.as_str()) {
                    self.last[at] = Some(self.turn);
                }
            }
        }
    }

    pub(crate) fn is_warm(&self, at: usize) -> bool {
        self.last[at].is_some_and(|last| self.turn - last < 20)
    }

    pub(crate) fn warm(&self) -> usize {
        (0..self.last.len()).filter(|&at| self.is_warm(at)).count()
    }
}
