//! Ranking: BM25 over ids and summaries, best first.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Index, text};
use crate::memory::{EffortId, Memory, Status};

/// How fast repetition of a term stops counting, and how much long texts are held back (BM25;
/// ids and summaries are short, so length counts little and one more different word says more than a
/// repeated one).
const SATURATION: f64 = 0.6;
const LENGTH: f64 = 0.4;

/// Longest snippet, in characters.
const SNIPPET_CHARS: usize = 160;

/// An effort that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The effort.
    pub id: EffortId,
    /// Its summary; empty while it is open.
    pub summary: Arc<str>,
    /// Open or concluded.
    pub status: Status,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// The part of the summary that matches best.
    pub snippet: String,
}

impl Index {
    /// Efforts that match a query, best first, at most `most` of them. Ties go to the one mentioned
    /// last, then to the smaller id.
    pub fn search(&self, memory: &Memory, query: &str, most: usize) -> Vec<Hit> {
        let terms: Vec<String> = text::terms(query).collect();
        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for term in &terms {
            for (document, score) in self.term_scores(term) {
                *scores.entry(document).or_default() += score;
            }
        }
        let mut ranked: Vec<_> = scores
            .into_iter()
            .filter_map(|(number, score)| Some((memory.effort(&self.document(number).id)?, score)))
            .collect();
        ranked.sort_by(|(a, left), (b, right)| {
            let recency = b.last_referenced.cmp(&a.last_referenced);
            right.total_cmp(left).then(recency).then_with(|| a.id.cmp(&b.id))
        });
        ranked.truncate(most);
        ranked
            .into_iter()
            .map(|(effort, score)| Hit {
                id: effort.id.clone(),
                summary: effort.summary.clone().unwrap_or_default(),
                status: effort.status,
                score: (score * 1000.0).round() / 1000.0,
                snippet: snippet(effort.summary.as_deref().unwrap_or_default(), &terms),
            })
            .collect()
    }

    /// What one query term is worth for each document: its best variant there.
    fn term_scores(&self, term: &str) -> BTreeMap<u32, f64> {
        let mut best: BTreeMap<u32, f64> = BTreeMap::new();
        for (postings, certainty) in self.variants(term) {
            let rarity = self.rarity(postings.len());
            for (&document, &count) in postings {
                let score = certainty * rarity * self.saturated(document, count);
                let entry = best.entry(document).or_default();
                *entry = entry.max(score);
            }
        }
        best
    }

    fn rarity(&self, holding: usize) -> f64 {
        let (all, holding) = (self.len() as f64, holding as f64);
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln()
    }

    fn saturated(&self, document: u32, count: u32) -> f64 {
        let relative = f64::from(self.document(document).terms) / self.average_terms().max(1.0);
        let count = f64::from(count);
        count * (SATURATION + 1.0) / (count + SATURATION * (1.0 - LENGTH + LENGTH * relative))
    }
}

/// The sentence of a summary that holds most query terms, shortened.
fn snippet(summary: &str, terms: &[String]) -> String {
    let held = |sentence: &str| text::terms(sentence).filter(|term| terms.contains(term)).count();
    let mut best = "";
    let mut most = 0;
    for sentence in summary.split_inclusive(". ") {
        let count = held(sentence);
        if best.is_empty() || count > most {
            (best, most) = (sentence, count);
        }
    }
    let best = best.trim();
    if best.chars().count() <= SNIPPET_CHARS {
        return best.to_owned();
    }
    let cut: String = best.chars().take(SNIPPET_CHARS - 1).collect();
    format!("{}…", cut.trim_end())
}
