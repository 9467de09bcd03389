//! References stay precise without losing what the talk is about: measured on made-up dialogues, next
//! to the plain rule.

use std::sync::Arc;

use ebbtide::memory::{
    CountTokens, EffortId, Exchange, Frame, Memory, Restored, RestoredEffort, Rules, Status,
    Tokens, Turn,
};
use ebbtide::recall::Index;

use crate::support::dialogue::{Dialogue, Past};
use crate::support::plain_rule::PlainRule;

struct Words;

impl CountTokens for Words {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.split_whitespace().count() as u64)
    }
}

#[derive(Debug, Default)]
struct Measured {
    turns: usize,
    topical: usize,
    warm_hits: usize,
    hits: usize,
    warm_sum: usize,
    warm_most: usize,
    plain_hits: usize,
    plain_sum: usize,
}

impl Measured {
    fn hit_rate(&self) -> f64 {
        100.0 * self.hits as f64 / self.topical as f64
    }

    fn warm_average(&self) -> f64 {
        self.warm_sum as f64 / self.turns as f64
    }

    fn report(&self, efforts: usize) -> String {
        format!(
            "{efforts} efforts: {:.1} summaries on average, {} at most; {:.1} % found ({:.1} % warm); \
             plain rule: {:.1} summaries, {:.1} % warm",
            self.warm_average(),
            self.warm_most,
            self.hit_rate(),
            100.0 * self.warm_hits as f64 / self.topical as f64,
            self.plain_sum as f64 / self.turns as f64,
            100.0 * self.plain_hits as f64 / self.topical as f64,
        )
    }
}

fn remember(past: &[Past]) -> Memory {
    let efforts = past.iter().map(|past| RestoredEffort {
        id: EffortId::stored(&past.id),
        status: Status::Concluded,
        summary: Some(past.summary.as_str().into()),
        tags: Vec::new(),
        pinned: false,
        last_referenced: None,
        cause: None,
        last_used: Turn(0),
        raw_tokens: Some(Tokens(500)),
        raw_messages: 8,
        evicted: false,
        raw: Vec::new(),
    });
    let restored =
        Restored { turn: Turn(1_000), efforts: efforts.collect(), ..Restored::default() };
    let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
    Memory::restore(Rules::default(), frame, Arc::new(Words), restored)
}

fn measure(seed: u64, efforts: usize, turns: usize) -> Measured {
    let mut dialogue = Dialogue::with_past(seed, efforts);
    let mut memory = remember(&dialogue.past);
    let index = Index::of(&memory);
    let mut plain =
        PlainRule::new(dialogue.past.iter().map(|past| (past.id.as_str(), past.summary.as_str())));
    let mut measured = Measured::default();
    for said in dialogue.talk(turns) {
        memory.begin_turn();
        let exchange =
            Exchange { user: said.user.as_str().into(), assistant: said.assistant.as_str().into() };
        memory.end_turn(&exchange);
        plain.turn([&said.user, &said.assistant]);
        let warm = memory.warm_efforts().count();
        measured.turns += 1;
        measured.warm_sum += warm;
        measured.warm_most = measured.warm_most.max(warm);
        measured.plain_sum += plain.warm();
        if let Some(about) = said.about {
            let id = EffortId::stored(&dialogue.past[about].id);
            let is_warm = memory.effort(&id).is_some_and(ebbtide::memory::Effort::is_warm);
            let found = || index.search(&memory, &said.user, 3).iter().any(|hit| hit.id == id);
            let hit = is_warm || found();
            if !hit && std::env::var_os("SHOW_MISSES").is_some() {
                eprintln!("missed {id}: {}\n   {}", said.user, dialogue.past[about].summary);
            }
            measured.topical += 1;
            measured.warm_hits += usize::from(is_warm);
            measured.hits += usize::from(hit);
            measured.plain_hits += usize::from(plain.is_warm(about));
        }
    }
    measured
}

#[test]
fn references_stay_precise_and_find_what_the_talk_is_about() {
    for efforts in [1_000, 1_001, 10_000] {
        for seed in 1..=3 {
            let measured = measure(seed, efforts, 300);
            let report = measured.report(efforts);
            eprintln!("{report}");
        }
    }
}
