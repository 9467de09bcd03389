//! Ranking: BM25 over ids and summaries, best first.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::index::Key;
use super::{Index, text};
use crate::memory::{EffortId, Memory, NoteId, NoteState, Status, Turn};

/// How fast repetition of a term stops counting, and how much long texts are held back (BM25;
/// ids and summaries are short, so length counts little and one more different word says more than a
/// repeated one).
const SATURATION: f64 = 0.6;
const LENGTH: f64 = 0.4;

/// Longest snippet, in characters.
const SNIPPET_CHARS: usize = 160;

/// What a query found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// An effort.
    Effort(EffortId, Status),
    /// A note, in the window or permanent.
    Note(NoteId, NoteState),
}

/// An effort or a note that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// What it is.
    pub found: Found,
    /// An effort's summary, empty while it is open; or what a note says.
    pub summary: Arc<str>,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// The part of the summary that matches best.
    pub snippet: String,
}

impl Hit {
    /// The effort's id or the note's number: `auth-bug`, `n3`.
    pub fn id(&self) -> String {
        match &self.found {
            Found::Effort(id, _) => id.to_string(),
            Found::Note(id, _) => id.to_string(),
        }
    }

    /// `open`, `concluded`, `note` for one in the window, `permanent` for an archived one.
    pub fn status(&self) -> &'static str {
        match &self.found {
            Found::Effort(_, status) => status.as_str(),
            Found::Note(_, NoteState::Session) => "note",
            Found::Note(_, state) => state.as_str(),
        }
    }
}

/// What ranking looks at.
struct Candidate {
    found: Found,
    text: Arc<str>,
    last: Turn,
    score: f64,
}

impl Index {
    /// Efforts and notes that match a query, best first, at most `most` of them. Ties go to the one
    /// mentioned last, then to the smaller id.
    pub fn search(&self, memory: &Memory, query: &str, most: usize) -> Vec<Hit> {
        let terms: Vec<String> = text::terms(query).collect();
        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for term in &terms {
            for (document, score) in self.term_scores(term) {
                *scores.entry(document).or_default() += score;
            }
        }
        let candidate = |(number, score)| self.candidate(memory, number, score);
        let mut ranked: Vec<Candidate> = scores.into_iter().filter_map(candidate).collect();
        ranked.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then(b.last.cmp(&a.last)).then_with(|| tie(a, b))
        });
        ranked.truncate(most);
        let hit = |found: Candidate| Hit {
            snippet: snippet(&found.text, specifics_of(memory, &found.found), &terms),
            found: found.found,
            summary: found.text,
            score: (found.score * 1000.0).round() / 1000.0,
        };
        ranked.into_iter().map(hit).collect()
    }

    fn candidate(&self, memory: &Memory, number: u32, score: f64) -> Option<Candidate> {
        let (found, text, last) = match &self.document(number).key {
            Key::Effort(id) => {
                let effort = memory.effort(id)?;
                let summary = effort.summary.clone().unwrap_or_default();
                let found = Found::Effort(id.clone(), effort.status);
                (found, summary, effort.last_referenced)
            }
            Key::Note(id) => {
                let note = memory.note(*id)?;
                let found = Found::Note(*id, note.state);
                (found, Arc::clone(&note.content), note.last_used)
            }
        };
        Some(Candidate { found, text, last, score })
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

/// The specifics of a concluded effort; nothing else has any.
fn specifics_of<'a>(memory: &'a Memory, found: &Found) -> &'a [String] {
    let Found::Effort(id, Status::Concluded) = found else { return &[] };
    memory.effort(id).map_or(&[], |effort| effort.specifics.as_slice())
}

/// Efforts before notes, each by id.
fn tie(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    match (&a.found, &b.found) {
        (Found::Effort(a, _), Found::Effort(b, _)) => a.cmp(b),
        (Found::Note(a, _), Found::Note(b, _)) => a.cmp(b),
        (Found::Effort(..), Found::Note(..)) => std::cmp::Ordering::Less,
        (Found::Note(..), Found::Effort(..)) => std::cmp::Ordering::Greater,
    }
}

/// The sentence of a summary that holds most query terms, or the specific that holds more, shortened.
fn snippet(summary: &str, specifics: &[String], terms: &[String]) -> String {
    let held = |sentence: &str| text::terms(sentence).filter(|term| terms.contains(term)).count();
    let mut best = "";
    let mut most = 0;
    for sentence in summary.split_inclusive(". ") {
        let count = held(sentence);
        if best.is_empty() || count > most {
            (best, most) = (sentence, count);
        }
    }
    for specific in specifics {
        let count = held(specific);
        if count > most {
            (best, most) = (specific, count);
        }
    }
    let best = best.trim();
    if best.chars().count() <= SNIPPET_CHARS {
        return best.to_owned();
    }
    let cut: String = best.chars().take(SNIPPET_CHARS - 1).collect();
    format!("{}…", cut.trim_end())
}
