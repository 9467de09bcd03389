//! Ways of finding: the index with its weights, and plain BM25 beside it.

use std::collections::BTreeSet;
use std::path::Path;

use ebbtide::memory::keywords;

use crate::fixture::Session;
use crate::measure::Answer;
use crate::plain::Plain;
use crate::said::{Index, Place, Said, Weights, best_passages};

/// Results of a search.
const MOST: usize = 20;

/// Everything said, indexed.
pub(crate) fn index(directory: &Path, sessions: &[Session]) -> Index {
    let (mut index, problem) = Index::open(directory, 1);
    assert!(problem.is_none(), "{problem:?}");
    for (turn, session) in (1..).zip(sessions) {
        let source = session.source();
        let said = Said { source: &source, turn, day: session.day };
        let messages: Vec<&str> = session.messages.iter().map(String::as_str).collect();
        index.add(said, index.messages(&source), &messages);
        if !session.summary.is_empty() {
            index.add_summary(said, &session.summary);
        }
    }
    index
}

/// The text at a place.
fn text(sessions: &[Session], id: &str, place: &Place) -> String {
    let own = || sessions.iter().filter(|session| session.id == id);
    match place {
        Place::Summary => own().map(|session| session.summary.clone()).collect(),
        Place::Messages { range, .. } => {
            let messages = own().flat_map(|session| &session.messages);
            let taken = messages.skip(range.start as usize).take(range.len());
            taken.flat_map(|message| [message.as_str(), "\n"]).collect()
        }
    }
}

fn summaries(sessions: &[Session], ids: &[String]) -> Vec<(String, String)> {
    let of = |id: &String| sessions.iter().find(|session| session.id == *id);
    let found = ids.iter().filter_map(|id| Some((id.clone(), of(id)?.summary.clone())));
    found.filter(|(_, text)| !text.is_empty()).collect()
}

/// By the index; the texts are passages.
pub(crate) fn by_index(
    index: &Index,
    sessions: &[Session],
    query: &str,
    weights: Weights,
) -> Answer {
    let hits = index.search_by(query, MOST, None, weights);
    let ids = distinct(hits.iter().map(|hit| hit.source.to_string()));
    let passages = best_passages(&hits).into_iter();
    let texts = passages.map(|(hit, passage)| {
        let id = hit.source.to_string();
        let text = text(sessions, &id, &passage.place);
        (id, text)
    });
    Answer { texts: texts.collect(), ids }
}

/// The same ranking, with summaries as texts.
pub(crate) fn with_summaries(answer: Answer, sessions: &[Session]) -> Answer {
    Answer { texts: summaries(sessions, &answer.ids), ids: answer.ids }
}

/// What was said last, whatever is asked.
pub(crate) fn recency(sessions: &[Session]) -> impl Fn(&str) -> Answer + '_ {
    move |_| {
        let last = || sessions.iter().rev();
        let texts = last().flat_map(|one| {
            one.messages.chunks(3).rev().map(|chunk| (one.id.clone(), chunk.join("\n")))
        });
        Answer { ids: distinct(last().map(|one| one.id.clone())), texts: texts.collect() }
    }
}

/// The seeds' rule: the summaries that share two keywords with the message, those of the last sessions first.
pub(crate) fn seeds_rule(sessions: &[Session]) -> impl Fn(&str) -> Answer + '_ {
    move |query| {
        let said: BTreeSet<String> = keywords(query).collect();
        let shares = |one: &&Session| {
            keywords(&one.summary).collect::<BTreeSet<_>>().intersection(&said).count() >= 2
        };
        let ids = distinct(sessions.iter().rev().filter(shares).map(|one| one.id.clone()));
        Answer { texts: summaries(sessions, &ids), ids }
    }
}

/// Plain BM25 over summaries, with summaries as texts.
pub(crate) fn plain_summaries(sessions: &[Session]) -> impl Fn(&str) -> Answer + '_ {
    let plain = Plain::new(sessions.iter().map(|session| session.summary.as_str()));
    move |query| {
        let ids = distinct(plain.rank(query).into_iter().map(|at| sessions[at].id.clone()));
        Answer { texts: summaries(sessions, &ids), ids }
    }
}

/// Plain BM25 over what was said; the texts are passages of three messages, ranked the same way.
pub(crate) fn plain_said(sessions: &[Session]) -> impl Fn(&str) -> Answer + '_ {
    let logs: Vec<String> = sessions.iter().map(|session| session.messages.join("\n")).collect();
    let plain = Plain::new(logs.iter().map(String::as_str));
    let pieces = |session: &Session| -> Vec<(String, String)> {
        session.messages.chunks(3).map(|chunk| (session.id.clone(), chunk.join("\n"))).collect()
    };
    let pieces: Vec<(String, String)> = sessions.iter().flat_map(pieces).collect();
    let plain_pieces = Plain::new(pieces.iter().map(|(_, text)| text.as_str()));
    move |query| {
        let ids = distinct(plain.rank(query).into_iter().map(|at| sessions[at].id.clone()));
        let texts = plain_pieces.rank(query).into_iter().map(|at| pieces[at].clone()).collect();
        Answer { ids, texts }
    }
}

/// Each id once, in the order of its first place.
pub(crate) fn distinct(ids: impl Iterator<Item = String>) -> Vec<String> {
    let mut found = Vec::new();
    for id in ids {
        if !found.contains(&id) {
            found.push(id);
        }
    }
    found
}
