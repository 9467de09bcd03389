//! The search over ids, summaries and specifics.

use std::sync::Arc;

use ebbtide::memory::{
    EffortId, Frame, Memory, Restored, RestoredEffort, Rules, Status, Tokens, Turn,
};
use ebbtide::recall::{Hit, Index};
use ebbtide::specifics;
use ebbtide::tokens::Cl100k;

use crate::fixture::Session;
use crate::measure::Answer;

fn remember(sessions: &[Session]) -> Memory {
    let efforts = sessions.iter().filter(|session| session.id != "ambient");
    let efforts = efforts.map(|session| RestoredEffort {
        id: EffortId::stored(&session.id),
        status: Status::Concluded,
        summary: Some(session.summary.as_str().into()),
        tags: Vec::new(),
        specifics: specifics::extract(session.messages.iter().map(String::as_str))
            .into_iter()
            .map(|specific| specific.text)
            .collect(),
        pinned: false,
        last_referenced: None,
        cause: None,
        last_used: Turn(0),
        raw_tokens: Some(Tokens(200)),
        raw_messages: session.messages.len() as u64,
        evicted: false,
        raw: Vec::new(),
        turns: Vec::new(),
        blocks: Vec::new(),
    });
    let restored =
        Restored { turn: Turn(1_000), efforts: efforts.collect(), ..Restored::default() };
    let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
    Memory::restore(Rules::default(), frame, Arc::new(Cl100k::lazy()), restored)
}

/// By ids, summaries and specifics, with summaries as texts.
pub(crate) fn search(sessions: &[Session]) -> impl Fn(&str) -> Answer {
    let memory = remember(sessions);
    let index = Index::of(&memory);
    move |query| {
        let hits = index.search(&memory, query, 20);
        let texts = hits.iter().map(|hit| (hit.id(), hit.summary.to_string())).collect();
        Answer { ids: hits.iter().map(Hit::id).collect(), texts }
    }
}
