//! References stay precise without losing what the talk is about: measured on made-up dialogues, next
//! to the plain rule.

use std::sync::Arc;

use ebbtide::memory::{
    CountTokens, EffortId, Exchange, Frame, Memory, Restored, RestoredEffort, Rules, Status,
    Tokens, Turn,
};
use ebbtide::recall::Index;
use ebbtide::scale::PlainRule;

use crate::support::dialogue::{Dialogue, Past};

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
        specifics: Vec::new(),
        pinned: false,
        last_referenced: None,
        cause: None,
        last_used: Turn(0),
        raw_tokens: Some(Tokens(500)),
        raw_messages: 8,
        evicted: false,
        raw: Vec::new(),
        blocks: Vec::new(),
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
    let mut plain = PlainRule::default();
    for past in &dialogue.past {
        plain.add(&past.id, &past.summary);
    }
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
        measured.plain_sum += plain.warm().count();
        if let Some(about) = said.about {
            let id = EffortId::stored(&dialogue.past[about].id);
            let is_warm = memory.effort(&id).is_some_and(ebbtide::memory::Effort::is_warm);
            let found =
                || index.search(&memory, &said.user, 3).iter().any(|hit| hit.id() == id.as_str());
            let hit = is_warm || found();
            measured.topical += 1;
            measured.warm_hits += usize::from(is_warm);
            measured.hits += usize::from(hit);
            measured.plain_hits += usize::from(plain.is_warm(about));
        }
    }
    measured
}

/// The bounds hold at every size and for each dialogue by itself, not just on average.
fn check(efforts: usize, seeds: std::ops::RangeInclusive<u64>, turns: usize) {
    for seed in seeds {
        let measured = measure(seed, efforts, turns);
        let report = format!("dialogue {seed}, {}", measured.report(efforts));
        println!("{report}");
        assert!(measured.warm_most < 20, "{report}");
        assert!(measured.hit_rate() >= 95.0, "{report}");
        let plain = measured.plain_sum as f64 / measured.turns as f64;
        assert!(plain > 0.6 * efforts as f64, "the plain rule keeps most summaries: {report}");
    }
}

#[test]
fn references_stay_precise_and_find_the_topic_among_two_hundred_efforts() {
    check(200, 1..=6, 300);
}

#[test]
fn references_stay_precise_and_find_the_topic_among_a_thousand_efforts() {
    check(1_000, 1..=3, 300);
}

#[test]
fn references_stay_precise_and_find_the_topic_among_ten_thousand_efforts() {
    check(10_000, 1..=1, 200);
}

#[test]
fn a_dialogue_is_the_same_for_the_same_seed() {
    let said = |seed: u64| {
        let talk = Dialogue::with_past(seed, 200).talk(50);
        talk.into_iter().map(|said| (said.user, said.assistant)).collect::<Vec<_>>()
    };
    assert_eq!(said(7), said(7));
    assert_ne!(said(7), said(8));
}
