//! What the requests of turns cost whom: within a turn, behind a summary that nobody can read, and behind a pause.

use std::path::Path;
use std::sync::Arc;

use super::super::super::{Priced, Replay, Replayed, Rows, With, text};
use super::super::{called, said};
use super::{replied, talk, turns_of, with};
use crate::bill::{Money, Prices};
use crate::config::Source;
use crate::memory::Turn;
use crate::read::{Compaction, Event, Speaker};
use crate::store::Store;

#[tokio::test]
async fn a_summary_that_nobody_can_read_is_no_longer_than_what_it_stands_for() {
    let compacted = |known: Option<(u64, u64)>| {
        let (before, after) = known.unzip();
        Event::Compacted(Compaction { before, after, ..Compaction::default() })
    };
    let played = async |mark: Vec<Event>, more: usize| {
        let turns = turns_of([talk("parser", 400), mark, talk("harbour", more)].concat(), 500);
        let replay = Replay { conversation: Arc::new(turns), phases: Arc::default() };
        (replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap(), replay)
    };
    // Of what was said before, the part stays that the log tells, else 12,000 of 160,000; a quarter of it is written.
    let before = played(vec![], 0).await.0.said;
    for (known, part) in [(None, 12_000.0 / 160_000.0), (Some((50_000, 10_000)), 0.2)] {
        let (now, _) = played(vec![compacted(known)], 0).await;
        let stays = (before as f64 * part) as u64;
        assert_eq!(now.then.history, stays, "{known:?}");
        let written = now.then.paid().output - now.others.with_cache.paid().output;
        assert_eq!(written, stays / 4, "{known:?}");
    }
    let (played, replay) = played(vec![compacted(None)], 1).await;
    let money = Some(Money { per_million: 3.0, currency: "EUR".into() });
    let money = Priced { prices: Prices { money, ..Prices::default() }, ..Priced::default() };
    let told = text(&replay, &played, &Rows::default(), &money, 80).concat();
    assert!(told.contains("Of 1 compaction the log holds no summary: the part"), "{told}");
    assert!(told.contains(", as it compacted then "), "{told}");
}

/// A turn is all there is, so that the window is the history.
#[tokio::test]
async fn each_result_is_paid_once_as_new_and_then_from_the_cache_by_everybody() {
    let result = |id: &str| Event::Returned { id: id.into(), text: "word ".repeat(90), at: None };
    let rounds = ["a", "b", "c", "d", "e"].map(|id| [called(id), result(id)]);
    let events = [vec![said("Go")], rounds.concat(), vec![replied("Done.")]].concat();
    let replay = Replay { conversation: Arc::new(turns_of(events, 500)), phases: [].into() };
    for prices in [Prices::default(), Prices::breakpoints(5.0)] {
        let with = With { prices: prices.clone(), ..with("16000") };
        let played = replay.play(with, None, &mut |_, _| {}).await.unwrap();
        assert_eq!(played.again.requests, 6);
        let mut own = played.paid(prices.cache);
        own += played.again.own;
        let full = played.again.others.with_cache.paid();
        for (own, full) in
            [(own.read, full.read), (own.written, full.written), (own.uncached, full.uncached)]
        {
            assert!(own.abs_diff(full) < 40, "{own} {full} {played:?}");
        }
    }
}

#[tokio::test]
async fn a_cache_that_keeps_only_long_prompts_keeps_no_short_window() {
    let turns = Arc::new(turns_of(talk("parser", 60), 500));
    let replay = Replay { conversation: turns, phases: Arc::default() };
    let played = async |prices: Prices| {
        let with = With { prices: prices.clone(), ..with("16000") };
        let played = replay.play(with, None, &mut |_, _| {}).await.unwrap();
        let prices = Priced { prices, ..Priced::default() };
        let told = text(&replay, &played, &Rows::default(), &prices, 80).concat();
        (played, told)
    };
    let (usual, told) = played(Prices::default()).await;
    assert!(usual.own.read > 0 && usual.small == 0 && !told.contains("were smaller"), "{told}");
    // More than any window has, and less than the whole history.
    let least = usual.largest_request + 1;
    // What it reads costs half; with that a larger window would be dearer.
    let (long, told) = played(Prices::prefix(0.5, 4.0).from(least)).await;
    let full = |played: &Replayed| played.others.with_cache.paid();
    assert!(full(&long).read > 0 && full(&long).read < full(&usual).read, "{least}");
    assert_eq!((long.own.read, long.small), (0, 60));
    assert_eq!(long.own.prompt(), usual.own.prompt());
    assert!(told.contains("60 of 60 windows were smaller, and full history"), "{told}");
    let prices = Prices::default().from(least);
    let (grown, _) = played(prices.clone()).await;
    assert!(grown.small < 60 && grown.own.read > 0, "the window grows to what the cache keeps");
    let [grown, long] = [grown, long].map(|played| prices.cost(&played.own));
    assert!(grown < long, "{grown} {long}");
}

#[tokio::test]
async fn a_compaction_within_a_turn_cuts_the_history_where_it_stands() {
    let result = |count| {
        let text = "word ".repeat(count);
        Event::Returned { id: String::new(), text, at: None }
    };
    let summary = Some("word ".repeat(40));
    let compacted = Event::Compacted(Compaction { summary, ..Compaction::default() });
    let events = [
        said("Go"),
        called("x"),
        result(998),
        compacted,
        called("y"),
        result(98),
        replied("Done."),
    ];
    let replay =
        Replay { conversation: Arc::new(turns_of(events.into(), 5_000)), phases: [].into() };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    assert_eq!((played.compacted, played.again.requests), (1, 3));
    // 1,104 tokens were said: one of them a message, two calls of two each, results of 999 and 99 with their names, a word.
    assert_eq!(played.said, 1_104);
    // Behind the summary stand the second call, its result and the last word.
    let left = 40 + 2 + 99 + 1;
    for then in [played.then, played.again.then] {
        assert!(then.history.abs_diff(left) < 4, "{then:?}");
        assert!(then.paid().output.abs_diff(played.others.with_cache.paid().output + 40) < 2);
    }
    // Each of its requests is small but the one that made the summary.
    let fixed = played.others.with_cache.shared.prompt();
    let shared = played.again.then.shared.prompt();
    assert_eq!(shared, 4 * fixed, "three, and the one for the summary");
    let prompts = played.again.then.paid().prompt() - shared;
    let expected = 1 + 1_002 + 40 + (40 + 2 + 99);
    assert!(prompts.abs_diff(expected) < 8, "{prompts}, {expected}");
}

/// The bill of the session that a replay made tells what the replay does.
fn same_bill(session: &Path, played: &Replayed) {
    let opened = Store::open(session).unwrap();
    let bill = opened.store.reader().bill(Turn(3)).unwrap().bill;
    let own = bill.all().paid;
    assert_eq!((own.read, own.prompt()), (played.own.read, played.own.prompt()));
    assert_eq!(bill.baselines().with_cache.paid(), played.others.with_cache.paid());
}

#[tokio::test]
async fn behind_a_pause_that_no_cache_outlasts_everybody_reads_anew() {
    let play = async |seconds: i64, lifetime: &str| {
        let at = |turn: i64, more: i64| Some((turn * seconds + more) * 1_000);
        let turn = |turn: i64| {
            let text = |text: &str| format!("{text} {turn} {}", "word ".repeat(98));
            let (person, model) = (text("How"), text("So"));
            [
                Event::Said { by: Speaker::Person, text: person, at: at(turn, 0) },
                Event::Said { by: Speaker::Model, text: model, at: at(turn, 5) },
            ]
        };
        let events: Vec<Event> = (0..3).flat_map(turn).collect();
        let replay = Replay { conversation: Arc::new(turns_of(events, 500)), phases: [].into() };
        let mut with = with("16000");
        with.settings.set("cache_lifetime", lifetime, Source::Flag("test")).unwrap();
        let room = tempfile::tempdir().unwrap();
        let kept = room.path().join("kept");
        let played = replay.play(with, Some(&kept), &mut |_, _| {}).await.unwrap();
        if lifetime != "0" {
            same_bill(&kept, &played);
        }
        let told = text(&replay, &played, &Rows::default(), &Priced::default(), 80).concat();
        (played, told)
    };
    let (warm, told) = play(305, "300").await;
    assert_eq!(warm.pauses.turns, 0);
    assert!(!told.contains("keeps a prompt"), "{told}");
    let (cold, told) = play(306, "300").await;
    assert_eq!((cold.pauses.turns, cold.said), (2, warm.said));
    assert!(told.contains(" 2 turns came after more than the 300 seconds that a cache"), "{told}");
    // The second turn read 100 tokens of the first one again, and the third one 300.
    let fixed = cold.others.with_cache.shared.prompt() / 3;
    for (warm, cold) in [
        (warm.others.with_cache.paid(), cold.others.with_cache.paid()),
        (warm.again.others.with_cache.paid(), cold.again.others.with_cache.paid()),
    ] {
        assert_eq!((warm.read, cold.read), (100 + 300 + 2 * fixed, 0));
        assert_eq!((warm.prompt(), warm.output), (cold.prompt(), cold.output));
    }
    assert!(warm.own.read > 2 * fixed, "{:?}", warm.own);
    assert_eq!((cold.own.read, cold.own.prompt()), (0, warm.own.prompt()));
    // A cache that keeps everything for longer than that, or nothing at all, has no such turns.
    assert_eq!(play(306, "3600").await.0.pauses.turns, 0);
    assert_eq!(play(306, "0").await.0.pauses.turns, 0);
}
