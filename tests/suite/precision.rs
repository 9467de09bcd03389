//! References stay precise without losing what the talk is about: measured on made-up dialogues, next
//! to the plain rule.
//!
//! A summary counts as given when it stands in the first request of the turn. What a message brings back
//! only helps the turns after it, so that the turn in which a topic comes up anew is a miss.

use std::sync::Arc;

use ebbtide::memory::{
    EffortId, Exchange, Frame, Memory, Restored, RestoredEffort, Rules, Source, Status, Tokens,
    Turn,
};
use ebbtide::recall::said::{self as indexed, Index};
use ebbtide::recall::{MOST_HITS, in_order, worth_recalling};
use ebbtide::scale::PlainRule;

use crate::support::dialogue::{Dialogue, Past};
use crate::support::session::Words;

#[derive(Debug, Default)]
struct Measured {
    turns: usize,
    topical: usize,
    given: usize,
    found: usize,
    warm_sum: usize,
    warm_most: usize,
    plain_given: usize,
    plain_sum: usize,
}

impl Measured {
    /// What part of the turns about an effort that is, in percent.
    fn share(&self, turns: usize) -> f64 {
        100.0 * turns as f64 / self.topical as f64
    }

    fn warm_average(&self) -> f64 {
        self.warm_sum as f64 / self.turns as f64
    }

    fn report(&self, efforts: usize) -> String {
        format!(
            "{efforts} efforts: {:.1} summaries on average, {} at most; {:.1} % given, {:.1} % given or found; \
             plain rule: {:.1} summaries, {:.1} % given",
            self.warm_average(),
            self.warm_most,
            self.share(self.given),
            self.share(self.found),
            self.plain_sum as f64 / self.turns as f64,
            self.share(self.plain_given),
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
        nth_used: 0,
        raw_tokens: Some(Tokens(500)),
        raw_messages: 8,
        evicted: false,
        raw: Vec::new(),
        turns: Vec::new(),
        blocks: Vec::new(),
    });
    let restored =
        Restored { turn: Turn(1_000), efforts: efforts.collect(), ..Restored::default() };
    let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
    Memory::restore(Rules::default(), frame, Arc::new(Words), restored)
}

/// Whether something of an effort is among what the driver gives to a message.
fn is_recalled(index: &Index, message: &str, id: &str) -> bool {
    /// As many summaries as fit into what is recalled.
    const MOST: usize = 6;
    let hits = index.search(message, MOST_HITS, None);
    let worth = worth_recalling(message, &hits, false);
    let most = worth.most.min(MOST);
    let own = indexed::Source::Effort(id.to_owned());
    in_order(message, &hits).iter().take(most).any(|(hit, _)| hit.source == own)
}

fn measure(seed: u64, efforts: usize, turns: usize) -> Measured {
    let mut dialogue = Dialogue::with_past(seed, efforts);
    let mut memory = remember(&dialogue.past);
    let mut index = Index::in_memory();
    for past in &dialogue.past {
        let source = indexed::Source::Effort(past.id.clone());
        let said = indexed::Said { source: &source, turn: 0, day: None };
        index.add_summary(said, &format!("{} {}", past.id, past.summary));
    }
    let mut plain = PlainRule::default();
    for past in &dialogue.past {
        plain.add(&past.id, &past.summary);
    }
    let mut measured = Measured::default();
    for said in dialogue.talk(turns) {
        memory.begin_turn();
        if let Some(about) = said.about {
            let id = EffortId::stored(&dialogue.past[about].id);
            let summary = Source::Summary(id.clone());
            let window = memory.window_with(&said.user, Tokens(0));
            let is_warm = window.items.iter().any(|item| item.source == summary);
            let is_given = is_warm || is_recalled(&index, &said.user, id.as_str());
            let hits = || index.search(&said.user, 3, None);
            measured.topical += 1;
            measured.given += usize::from(is_given);
            measured.found += usize::from(
                is_given
                    || hits()
                        .iter()
                        .any(|hit| hit.source == indexed::Source::Effort(id.to_string())),
            );
            measured.plain_given += usize::from(plain.is_warm(about));
        }
        let exchange =
            Exchange { user: said.user.as_str().into(), assistant: said.assistant.as_str().into() };
        memory.end_turn(&exchange);
        plain.turn([&said.user, &said.assistant]);
        let warm = memory.warm_efforts().count();
        measured.turns += 1;
        measured.warm_sum += warm;
        measured.warm_most = measured.warm_most.max(warm);
        measured.plain_sum += plain.warm().count();
    }
    measured
}

/// What must hold in each dialogue by itself, in percent of the turns about an effort: it was
/// given to the model, warm or recalled, and it was given or could be found.
struct Bar {
    given: f64,
    found: f64,
}

fn check(efforts: usize, seeds: std::ops::RangeInclusive<u64>, turns: usize, bar: &Bar) {
    for seed in seeds {
        let measured = measure(seed, efforts, turns);
        let report = format!("dialogue {seed}, {}", measured.report(efforts));
        println!("{report}");
        assert!(measured.warm_most < 20, "{report}");
        assert!(measured.share(measured.given) >= bar.given, "{report}");
        assert!(measured.share(measured.found) >= bar.found, "{report}");
        let plain = measured.plain_sum as f64 / measured.turns as f64;
        assert!(plain > 0.6 * efforts as f64, "the plain rule keeps most summaries: {report}");
    }
}

// What holds today, with as many passages as the driver gives: 99.6 to 100 %, 98 to 100 % and 94 % given. Without recall
// 77.8 to 85.0 %, 75.6 to 78.9 % and 66 to 69 % are; without the weights of references too 28 to 46 %.

#[test]
fn references_stay_precise_and_find_the_topic_among_two_hundred_efforts() {
    check(200, 1..=6, 300, &Bar { given: 97.0, found: 99.0 });
}

#[test]
fn references_stay_precise_and_find_the_topic_among_a_thousand_efforts() {
    check(1_000, 1..=3, 300, &Bar { given: 95.0, found: 99.0 });
}

#[test]
fn references_stay_precise_and_find_the_topic_among_ten_thousand_efforts() {
    check(10_000, 1..=2, 200, &Bar { given: 91.0, found: 92.0 });
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
