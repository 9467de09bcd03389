//! Plain BM25, to compare with: lower-case words, no stems, nothing else.

use std::collections::HashMap;

/// Texts, as counts of words.
pub(crate) struct Plain {
    counts: Vec<HashMap<String, f64>>,
    lengths: Vec<f64>,
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

impl Plain {
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let count = |text: &str| {
            let mut counts = HashMap::new();
            for word in words(text) {
                *counts.entry(word).or_insert(0.0) += 1.0;
            }
            counts
        };
        let counts: Vec<HashMap<String, f64>> = texts.map(count).collect();
        let lengths = counts.iter().map(|counts| counts.values().sum()).collect();
        Self { counts, lengths }
    }

    /// The texts that share a word with the query, best first.
    pub(crate) fn rank(&self, query: &str) -> Vec<usize> {
        let all = self.counts.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / all;
        let mut scores = vec![0.0; self.counts.len()];
        for word in words(query) {
            let holding =
                self.counts.iter().filter(|counts| counts.contains_key(&word)).count() as f64;
            let rarity = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
            for (at, counts) in self.counts.iter().enumerate() {
                let often = counts.get(&word).copied().unwrap_or(0.0);
                let length = 0.25 + 0.75 * self.lengths[at] / average;
                scores[at] += rarity * often * 2.2 / (often + 1.2 * length);
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|&at| scores[at] > 0.0).collect();
        ranked.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        ranked
    }
}
