//! What a search found, as people, models and other programs read it: within bounds, whatever was said.

use std::sync::Arc;

use serde_json::{Value, json};

use super::texts::{Texts, name_of};
use crate::memory::{CountTokens, EffortId, NoteId, NoteState, Status, Tokens};
use crate::orchestrator::answer::{self, Answer};
use crate::recall::said::{Hit, Passage, Place, Source};
use crate::recall::{excerpt, holds_all, is_called_for, is_match};

/// Results on one page.
pub(super) const PER_PAGE: usize = 5;

/// Results that can be paged through.
pub(super) const MOST_RESULTS: usize = 100;

/// The most that a page may cost as the model reads it, in tokens.
const MOST_TOKENS: Tokens = Tokens(900);

/// Bytes of a passage and of a summary on a page; of longer ones a part.
const MOST_BYTES: usize = 480;

/// Bytes of the line that tells most.
const SNIPPET_BYTES: usize = 160;

/// Passages of one result.
const PASSAGES: usize = 2;

/// Something that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// An effort's id, `ambient`, a note's number (`n3`) or the pointer to a text (`ref:key`).
    pub id: Arc<str>,
    /// The session, where several were searched and it is not the open one.
    pub session: Option<Arc<str>>,
    /// What it is, and how it stands in memory.
    pub kind: FoundKind,
    /// What stands for it; empty if nothing does.
    pub summary: String,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// How many would match as well by chance.
    pub chance: f64,
    /// The part that tells most.
    pub snippet: String,
    /// Where it was said, best first.
    pub passages: Vec<FoundPassage>,
}

/// How something that was found stands in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundKind {
    /// An effort.
    Effort(EffortId, Status),
    /// What was said in no effort.
    Ambient,
    /// A text that is held by reference.
    Text,
    /// A note.
    Note(NoteId, NoteState),
}

impl FoundKind {
    /// How a source stands; `None` if it is not there any more.
    fn of(texts: &Texts<'_>, source: &Source) -> Option<Self> {
        match source {
            Source::Effort(id) => {
                let effort = texts.memory.effort(&EffortId::stored(id))?;
                Some(Self::Effort(effort.id.clone(), effort.status))
            }
            Source::Ambient => Some(Self::Ambient),
            Source::Text(_) => Some(Self::Text),
            Source::Note(number) => {
                let note = texts.memory.note(NoteId(*number))?;
                Some(Self::Note(note.id, note.state))
            }
        }
    }

    /// `open`, `concluded`, `ambient`, `text`, `note` for one in the window, `permanent` for an archived one.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Effort(_, status) => status.as_str(),
            Self::Ambient => "ambient",
            Self::Text => "text",
            Self::Note(_, NoteState::Session) => "note",
            Self::Note(_, state) => state.as_str(),
        }
    }
}

/// A part of what was said that matches a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPassage {
    /// The first and the last of its messages, counted from 1; of a text, its chunks.
    pub messages: (u32, u32),
    /// The turn, if that is known.
    pub turn: Option<u64>,
    /// The day, such as `2026-01-31`; empty if unknown.
    pub day: String,
    /// What was said, or the part of it that matches.
    pub text: String,
}

/// The results of a query, best first, each thing once, and of the talk between efforts, which never ends, each passage; none
/// where nothing matches better than chance, unless all that is asked for was said together, since who looks for `late` alone
/// gets it, or the same words would recall something.
pub(super) fn found(texts: &Texts<'_>, query: &str, hits: &[Hit]) -> Vec<Found> {
    if !is_match(hits) && !holds_all(query, hits) && !is_called_for(query, hits) {
        return Vec::new();
    }
    let mut all: Vec<Found> = Vec::new();
    for hit in hits {
        if hit.source == Source::Ambient {
            all.extend(hit.passages.iter().filter_map(|passage| one(texts, hit, [passage])));
            continue;
        }
        let id = name_of(&hit.source);
        if all.iter().any(|found| found.id == id) {
            continue;
        }
        let same = hits.iter().filter(|other| other.source == hit.source);
        let passages = same.flat_map(|hit| &hit.passages);
        all.extend(one(texts, hit, passages));
    }
    all
}

fn one<'a>(
    texts: &Texts<'_>,
    hit: &Hit,
    passages: impl IntoIterator<Item = &'a Passage>,
) -> Option<Found> {
    let kind = FoundKind::of(texts, &hit.source)?;
    let summary = texts.summary(&hit.source).unwrap_or_default();
    let mut snippet = None;
    let mut told = Vec::new();
    for passage in passages {
        let Some(words) = texts.of(&hit.source, passage) else { continue };
        snippet
            .get_or_insert_with(|| one_line(&excerpt(&words.text, &passage.words, SNIPPET_BYTES)));
        if let Place::Messages { range, .. } = &passage.place {
            told.push(FoundPassage {
                messages: (range.start + 1, range.end),
                turn: words.turn.map(|turn| turn.0),
                day: words.day,
                text: excerpt(&words.text, &passage.words, MOST_BYTES),
            });
        }
        if told.len() == PASSAGES {
            break;
        }
    }
    let snippet = snippet.unwrap_or_else(|| one_line(&excerpt(&summary, &[], SNIPPET_BYTES)));
    let (id, score, chance) = (name_of(&hit.source), hit.score, hit.chance);
    Some(Found { id, session: None, kind, summary, score, chance, snippet, passages: told })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Results of several sessions as one list: what chance would hardly bring about comes first.
pub(super) fn merged(mut found: Vec<Found>, others: Vec<Found>) -> Vec<Found> {
    found.extend(others);
    found.sort_by(|a, b| a.chance.total_cmp(&b.chance).then(b.score.total_cmp(&a.score)));
    found
}

/// One result, as in `search --json`.
pub fn found_json(found: &Found) -> Value {
    let passages: Vec<Value> = found.passages.iter().map(passage_json).collect();
    let mut result = json!({
        "id": &*found.id, "summary": found.summary, "status": found.kind.as_str(), "score": found.score,
        "snippet": found.snippet, "passages": passages,
    });
    if let Some(session) = &found.session {
        result["session"] = (**session).into();
    }
    result
}

fn passage_json(passage: &FoundPassage) -> Value {
    let (first, last) = passage.messages;
    json!({
        "turn": passage.turn, "messages": format!("{first}-{last}"), "day": passage.day,
        "text": passage.text,
    })
}

/// A page of results, within [`MOST_TOKENS`] for the model: the passages that match least give way first.
pub(super) fn page(query: &str, found: &[Found], page: usize, counter: &dyn CountTokens) -> Answer {
    let pages = found.len().div_ceil(PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let shown = || found.iter().skip((page - 1) * PER_PAGE).take(PER_PAGE);
    let mut for_model = json!({
        "query": query.chars().take(200).collect::<String>(),
        "results": shown().map(for_model).collect::<Vec<_>>(),
        "found": found.len(), "page": page, "pages": pages,
    });
    if found.is_empty() {
        for_model["note"] =
            "nothing that was said matches; try other words, or effort_status to list all".into();
    } else if page < pages {
        for_model["more"] =
            format!("call search_efforts with page {} for the next ones", page + 1).into();
    }
    shrink(&mut for_model, counter);
    let lines = shown().map(found_line).collect();
    let for_people = answer::page(lines, page, pages, "Nothing matches; try other words.");
    Answer { for_model, for_people }
}

fn for_model(found: &Found) -> Value {
    let mut result = found_json(found);
    result["summary"] = excerpt(&found.summary, &[], MOST_BYTES).into();
    if !found.passages.is_empty() {
        // They say it in full.
        result.as_object_mut().map(|fields| fields.remove("snippet"));
    }
    result
}

/// Takes passages, then summaries, out of the last results until the page is small enough.
fn shrink(page: &mut Value, counter: &dyn CountTokens) {
    let most = page["results"].as_array().map_or(0, Vec::len);
    for field in ["passages", "passages", "summary"] {
        for at in (0..most).rev() {
            if counter.count(&page.to_string()) <= MOST_TOKENS {
                return;
            }
            match &mut page["results"][at][field] {
                Value::Array(passages) => drop(passages.pop()),
                text => *text = "".into(),
            }
        }
    }
}

/// One result as a line for people.
pub fn found_line(found: &Found) -> String {
    let place = found.passages.first().map_or_else(String::new, |passage| {
        let day = if passage.day.is_empty() { String::new() } else { format!(", {}", passage.day) };
        let turn = passage.turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
        format!("{day}{turn}")
    });
    let text = match (found.passages.is_empty(), found.summary.is_empty()) {
        (true, false) => one_line(&excerpt(&found.summary, &[], SNIPPET_BYTES)),
        _ => found.snippet.clone(),
    };
    let session = found.session.as_ref().map_or_else(String::new, |name| format!("{name}/"));
    format!("{session}{} ({}{place}): {text}", found.id, found.kind.as_str())
}
