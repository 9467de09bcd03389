//! Finds the answer to a question in what the window or a search result holds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::lead_ins::skip_lead_ins;
use super::recall::{Query, kin, weight};
use super::scene::{Done, Scene, best_match};
use super::sentences::{Sentence, clauses};
use super::words::{self, stems, stems_of};
use super::{opening, reply};

/// An effort that may hold the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    /// Its id.
    pub(super) id: String,
    /// What stands for it.
    pub(super) summary: String,
    /// It is open, so that its log is in the window.
    pub(super) open: bool,
    /// What it is, if there is no log of an effort behind it: a note, a text held by reference, or what was said in between.
    pub(super) kept: Option<String>,
    /// It holds words of the question; otherwise only the search thinks that it fits.
    pub(super) certain: bool,
}

/// How well a text answers, between 0 and the weight of the whole question.
fn score(question: &BTreeSet<String>, text: &BTreeSet<String>) -> f64 {
    let found = question.iter().filter(|stem| kin(stem).iter().any(|kin| text.contains(kin)));
    found.map(|stem| weight(stem)).sum()
}

fn whole(question: &BTreeSet<String>) -> f64 {
    question.iter().map(|stem| weight(stem)).sum()
}

/// Whether a score is enough: a word that means something, and not a small part of the question.
fn suffices(score: f64, question: &BTreeSet<String>) -> bool {
    let whole = whole(question);
    score > 0.0 && (score >= whole - 0.01 || (score >= 1.0 && score >= whole / 3.0))
}

/// Whether a question holds a word that a search could find something by.
pub(super) fn is_searchable(query: &Query) -> bool {
    query.search || stems_of(&query.words).iter().any(|stem| weight(stem) >= 1.0)
}

/// The effort that a question names, among those that are shown.
pub(super) fn named<'a>(query: &Query, ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let asked = stems_of(&query.words);
    let ids = ids.filter(|id| stems(id).is_subset(&asked));
    best_match(&asked, ids)
}

/// The shown summary or note that answers best.
pub(super) fn from_summaries(scene: &Scene, query: &Query) -> Option<Source> {
    let sources = scene.summaries.iter().map(|(id, summary)| Source {
        id: id.clone(),
        summary: summary.clone(),
        open: false,
        kept: None,
        certain: true,
    });
    let notes = scene.notes.iter().map(|(id, content)| Source {
        id: id.clone(),
        summary: content.clone(),
        open: false,
        kept: Some(format!("note {id}")),
        certain: true,
    });
    best(notes.chain(sources), query)
}

/// Whether a question asks for something that only the log can hold: it has a word that says something and
/// that neither the effort's name nor its summary has.
pub(super) fn lacks_detail(source: &Source, query: &Query) -> bool {
    let mut known = stems(&source.summary);
    known.extend(stems(&source.id));
    let asked = stems_of(&query.words);
    let missing = |stem: &&String| !kin(stem).iter().any(|kin| known.contains(kin));
    asked.iter().filter(missing).any(|stem| weight(stem) >= 1.0)
}

/// The effort that answers best in a search result; without the right words the first one, if
/// `trust` is given to the search.
pub(super) fn from_search(found: &Done, query: &Query, trust: bool) -> Option<Source> {
    let results = found.result.get("results")?.as_array()?;
    let text = |entry: &Value, key: &str| {
        entry.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let sources: Vec<Source> = results
        .iter()
        .map(|entry| {
            let summary = text(entry, "summary");
            // What is no effort may have passages alone.
            let passage = entry.get("passages").and_then(|all| all.get(0));
            let passage = passage.map(|one| text(one, "text")).unwrap_or_default();
            let told = [summary, text(entry, "snippet"), passage];
            let summary = told.into_iter().find(|told| !told.is_empty()).unwrap_or_default();
            Source {
                id: text(entry, "id"),
                summary,
                open: text(entry, "status") == "open",
                kept: match text(entry, "status").as_str() {
                    "note" | "permanent" => Some(format!("note {}", text(entry, "id"))),
                    "text" => Some(format!("text {}", text(entry, "id"))),
                    "ambient" => Some("earlier talk".to_owned()),
                    _ => None,
                },
                certain: true,
            }
        })
        .filter(|source| !source.id.is_empty())
        .collect();
    let first = sources.first().filter(|_| trust).cloned();
    let first = first.map(|source| Source { certain: false, ..source });
    best(sources.into_iter(), query).or(first)
}

/// The best of some sources; the later of two equals, because it was shown later.
fn best(sources: impl Iterator<Item = Source>, query: &Query) -> Option<Source> {
    let question = stems_of(&query.words);
    sources
        .map(|source| {
            let (mut text, id) = (stems(&source.summary), stems(&source.id));
            let named = if !id.is_empty() && id.is_subset(&question) { 1.0 } else { 0.0 };
            text.extend(id);
            (score(&question, &text) + named, source)
        })
        .filter(|(score, _)| suffices(*score, &question))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, source)| source)
}

/// Up to `most` sentences of the messages that answer a question, in their order. The words of the
/// effort that the question names choose a log, not a sentence, so they do not count.
pub(super) fn quotes(scene: &Scene, query: &Query, id: Option<&str>, most: usize) -> Vec<String> {
    let asked = stems_of(&query.words);
    let topic = id.map(stems).unwrap_or_default();
    let rest: BTreeSet<String> = asked.difference(&topic).cloned().collect();
    let question = if rest.is_empty() { asked } else { rest };
    let mut found: Vec<(f64, usize, &str)> = Vec::new();
    for (at, text) in statements(scene).into_iter().enumerate() {
        let score = score(&question, &with_kinds(text));
        if suffices(score, &question) && !found.iter().any(|(_, _, known)| *known == text) {
            found.push((score, at, text));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
    let best = found.first().map_or(0.0, |(score, ..)| *score);
    found.retain(|(score, ..)| *score > best - 0.5);
    found.truncate(most);
    found.sort_by_key(|(_, at, _)| *at);
    found.into_iter().map(|(_, _, text)| text.to_owned()).collect()
}

/// What was recalled that answers a question: of what it is, and up to two sentences of it.
pub(super) fn from_recalled(scene: &Scene, query: &Query) -> Option<(String, Vec<String>)> {
    let asked = stems_of(&query.words);
    let mut found: Vec<(f64, &str, &str)> = Vec::new();
    for (id, text) in &scene.recalled {
        for line in text.lines() {
            let said = line.strip_prefix("user: ").or_else(|| line.strip_prefix("assistant: "));
            let said = said.unwrap_or(line);
            if reply::is_own(said) {
                continue;
            }
            let topic = stems(id);
            let rest: BTreeSet<String> = asked.difference(&topic).cloned().collect();
            let question = if rest.is_empty() { &asked } else { &rest };
            let stated = clauses(said).into_iter().filter(|sentence| is_stated(sentence));
            let stated =
                stated.filter(|one| suffices(score(question, &with_kinds(one.text)), question));
            found.extend(
                stated.map(|one| (score(question, &with_kinds(one.text)), &**id, one.text)),
            );
        }
    }
    let best = found.iter().copied().max_by(|one, other| one.0.total_cmp(&other.0))?;
    let near = found.iter().filter(|one| one.1 == best.1 && one.0 > best.0 - 0.5).take(2);
    let sentences = near.map(|(_, _, text)| (*text).to_owned()).collect();
    Some((best.1.to_owned(), sentences))
}

/// The stems of a sentence, and "file" where it names one.
fn with_kinds(text: &str) -> BTreeSet<String> {
    let mut stems = stems(text);
    if text.split_whitespace().any(words::is_path) {
        stems.extend(["file", "path", "folder"].map(|kind| words::stem(kind).to_owned()));
    }
    stems
}

/// Whether a sentence states something: it neither asks, nor asks for something, nor opens a topic.
fn is_stated(sentence: &Sentence<'_>) -> bool {
    let words = words::words(sentence.text);
    let rest = skip_lead_ins(&words);
    let asks =
        super::recall::is_question(rest, false) || super::recall::query(rest, false).is_some();
    let opens = rest.len() < 8 && opening::open(rest, &[]).is_some();
    !(sentence.asks || asks || opens)
}

/// What was stated before: neither asked, nor asked for, nor a reply of this model.
pub(super) fn statements(scene: &Scene) -> Vec<&str> {
    let said = scene.said.iter().filter(|said| said.by_user || !reply::is_own(&said.text));
    said.flat_map(|said| clauses(&said.text))
        .filter(is_stated)
        .map(|sentence| sentence.text)
        .collect()
}
