//! Conversations as turns, with their topics, and what comes of playing them.

mod outputs;
mod requests;
mod topics;

use std::sync::Arc;
use std::time::Duration;

use super::super::rounds::Sent;
use super::super::{
    Conversation, Phase, Priced, Replay, Replayed, Step, Texts, Turns, With, given, phases,
};
use super::{called, said};
use crate::bill::{CacheKind, Prices};
use crate::config::{Settings, Source};
use crate::llm::offline::Offline;
use crate::memory::tests::Words;
use crate::memory::{CountTokens, Tokens};
use crate::read::{Compaction, Event, Speaker};

fn replied(text: &str) -> Event {
    Event::Said { by: Speaker::Model, text: text.to_owned(), at: None }
}

fn turns_of(events: Vec<Event>, limit: u64) -> Conversation {
    let mut texts = Texts::new().unwrap();
    let turns = Turns::new(&Words, limit, &mut texts);
    let (part, ()) = turns.take_all(|take| events.into_iter().for_each(take));
    Conversation::of(texts, [part]).unwrap()
}

/// So many turns in words of its own.
fn talk(topic: &str, count: usize) -> Vec<Event> {
    let turn = |at: usize| {
        [
            said(&format!("How does the {topic} work, {topic}s part {at}?")),
            replied(&format!("The {topic} does step {at} of {topic}s.")),
        ]
    };
    (0..count).flat_map(turn).collect()
}

#[test]
fn a_turn_holds_all_until_the_person_speaks_again() {
    let result =
        |text: &str| Event::Returned { id: String::new(), text: text.to_owned(), at: None };
    let long = "word ".repeat(50);
    let turns = turns_of(
        vec![
            said("One"),
            said("more"),
            replied("Yes."),
            called("{\"a\":1}"),
            result("short"),
            called("x"),
            result(&long),
            said("Two"),
        ],
        20,
    );
    assert_eq!(turns.len(), 2);
    assert_eq!(turns.user(0).unwrap(), "One\n\nmore");
    assert_eq!(
        turns.reply(0).unwrap(),
        "Yes.\n\n[Bash {\"a\":1}]\n\n[Bash: short]\n\n[Bash x]\n\n[Bash: 50 tokens, held by reference]"
    );
    assert_eq!((turns.tools(0).unwrap().held, turns.user(1).unwrap().as_str()), (50, "Two"));
    // The last result is answered by nobody.
    // The second request sent all until its call.
    let sent = "Yes.\n\n[Bash {\"a\":1}]\n\n[Bash: short]".len() as u32;
    assert_eq!(turns.sent(0).unwrap(), [Sent { reply: sent, held: 0 }]);
    // Others read no words on where it is.
    assert_eq!(turns.pointers(0).unwrap(), "50 tokens, held by".split(' ').count() as u64);
}

#[test]
fn a_result_is_that_of_the_newest_call_of_its_id() {
    let call = |(id, name): (&str, &str)| {
        let (id, name, arguments) = (id.to_owned(), name.to_owned(), String::new());
        Event::Called { id, name, arguments, at: None }
    };
    let result = |id: &str| Event::Returned { id: id.to_owned(), text: "ok".to_owned(), at: None };
    let mut events = vec![said("Go")];
    events.extend([("a", "One"), ("b", "Two"), ("a", "Three")].map(call));
    events.extend(["a", "b", "a", "a"].map(result));
    let reply = turns_of(events, 20).reply(0).unwrap();
    assert!(reply.ends_with("[Three: ok]\n\n[Two: ok]\n\n[One: ok]\n\n[tool: ok]"), "{reply}");
}

#[test]
fn given_topics_make_sense_or_the_line_is_named() {
    let phase = |name: &str, from, to| Phase { name: name.to_owned(), from, to };
    assert_eq!(
        given("# mine\n1-3 the start\n\n4-6 the start", 6),
        Ok(vec![phase("the start", 0, 3), phase("the start 2", 3, 6)])
    );
    for (text, expected) in [
        ("1-3", "line 1: expected FROM-TO NAME"),
        ("0-3 x", "line 1: expected"),
        ("1-3 x\n3-5 y", "line 2: turns 3 to 5 overlap the phase before, which ends with turn 3"),
        ("5-2 x", "line 1: turns 5 to 2 run backwards"),
        (
            "4-6 a\n1-3 b",
            "line 2: turns 1 to 3 stand before those of the line before, which begin with turn 4; put the lines in order",
        ),
        ("1-9 x", "line 1: turns 1 to 9 end behind the last turn, 6"),
    ] {
        let error = given(text, 6).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[tokio::test]
async fn a_conversation_is_played_and_what_is_large_counts_once() {
    let result = Event::Returned { id: String::new(), text: "word ".repeat(3_000), at: None };
    let events = [talk("parser", 12), vec![result], talk("harbour", 12)].concat();
    let turns = turns_of(events, 500);
    let found = phases(&turns, &[], &mut |_, _| {}).unwrap();
    let replay = Replay { conversation: Arc::new(turns), phases: found.into() };
    let with = || With {
        settings: Settings::default(),
        counter: Arc::new(Words),
        summaries: Arc::new(Offline::new(Duration::ZERO)),
        prices: Prices::default(),
    };
    let played = replay.play(with(), None, &mut |_, _| {}).await.unwrap();
    assert_eq!(played.phases.len(), 2);
    assert!(played.phases.iter().all(|row| row.summary < row.raw), "{:?}", played.phases);
    assert_eq!(played.by_reference, 3_000);
    // It is in the history of the others, and not in the window.
    assert!(played.said > 3_000 && played.end.total().0 < 3_000);
    let again = replay.play(with(), None, &mut |_, _| {}).await.unwrap();
    assert_eq!(again.steps, played.steps);
    assert_eq!(again.own, played.own);
}

#[tokio::test]
async fn topics_whose_names_an_effort_cannot_tell_apart_are_all_concluded() {
    let long = "ü".repeat(3_000);
    let names = [
        "C++",
        "C#",
        "///",
        "???",
        "A_b",
        "a b",
        "A.B 2",
        &long,
        &format!("{long}!"),
        "x-2",
        "x",
        "x",
    ];
    let lines: Vec<String> = (0..names.len())
        .map(|nth| format!("{}-{} {}", 3 * nth + 1, 3 * nth + 3, names[nth]))
        .collect();
    let turns = turns_of(talk("parser", 3 * names.len()), 500);
    let phases = given(&lines.join("\n"), turns.len()).unwrap();
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let spans: Vec<(u64, u64)> = played.phases.iter().map(|row| row.turns).collect();
    let all: Vec<(u64, u64)> =
        (0..names.len() as u64).map(|nth| (3 * nth + 1, 3 * nth + 3)).collect();
    assert_eq!(spans, all);
    let first: Vec<&str> = played.phases.iter().map(|row| row.name.as_str()).take(7).collect();
    assert_eq!(first, ["c", "c-2", "topic", "topic-2", "a-b", "a-b-2", "a-b-2-2"]);
}

#[tokio::test]
async fn the_log_of_a_topic_holds_its_turns_and_no_others() {
    let talks = [talk("parser", 5), talk("harbour", 7), talk("tomato", 4)];
    let turns = turns_of(talks.concat(), 500);
    // Turn 5 is of no topic, nor is what concludes the last one.
    let phases = given("1-4 a\n6-12 b\n13-16 c", turns.len()).unwrap();
    let words = |phase: &Phase| -> u64 {
        let turn = |at| turns.both(at).map(|(user, reply)| format!("{user} {reply}")).unwrap();
        (phase.from..phase.to).map(|at| Words.count(&turn(at)).0).sum()
    };
    let expected: Vec<u64> = phases.iter().map(words).collect();
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let raw: Vec<u64> = played.phases.iter().map(|row| row.raw).collect();
    assert_eq!(raw, expected);
}

async fn played(events: Vec<Event>) -> Replayed {
    played_at(Prices::default(), events).await
}

async fn played_at(prices: Prices, events: Vec<Event>) -> Replayed {
    let turns = turns_of(events, 500);
    let replay = Replay { conversation: Arc::new(turns), phases: Arc::new([]) };
    let with = With { prices, ..with("16000") };
    replay.play(with, None, &mut |_, _| {}).await.unwrap()
}

#[tokio::test]
async fn full_history_begins_anew_with_each_conversation() {
    let begins =
        |at| Event::Begins { id: String::new(), title: String::new(), project: String::new(), at };
    let of = |topic| [vec![begins(None)], talk(topic, 8)].concat();
    let (one, other) = (played(of("parser")).await, played(of("harbour")).await);
    let both = played([of("parser"), of("harbour")].concat()).await;
    assert_eq!((one.conversations, both.conversations), (1, 2));
    assert_eq!(both.said, one.said + other.said);
    let full = |played: &Replayed| played.others.with_cache.said;
    assert_eq!(full(&both).prompt(), full(&one).prompt() + full(&other).prompt());
    let alone = one.steps.iter().chain(&other.steps).map(|step| step.full_history);
    assert!(both.steps.iter().map(Step::under_way).eq(alone));
    let steps: Vec<u64> = both.steps.iter().map(|step| step.full_history).collect();
    assert!(steps.is_sorted() && steps.last() == Some(&both.said), "{steps:?}");
}

#[tokio::test]
async fn the_history_of_a_fork_is_what_it_goes_on_from_and_its_own() {
    let begins = || Event::Begins {
        id: String::new(),
        title: String::new(),
        project: String::new(),
        at: None,
    };
    let words = |count: usize| "word ".repeat(count);
    let copied = |event| Event::Copied(Box::new(event));
    let said = |count| copied(Event::Said { by: Speaker::Model, text: words(count), at: None });
    let compacted = |count| {
        let summary = Some(words(count));
        copied(Event::Compacted(Compaction { summary, ..Compaction::default() }))
    };
    let of = |front: Vec<Event>| {
        [vec![begins()], talk("parser", 8), front, vec![begins()], talk("harbour", 8)].concat()
    };
    let plain = played(of(Vec::new())).await;
    let fork = played(of(vec![said(70), compacted(30), said(10)])).await;
    let [first, last] = [8, 15].map(|nth| {
        let [fork, plain] = [&fork, &plain].map(|one| one.steps.iter().nth(nth).unwrap());
        assert_eq!(fork.full_history, plain.full_history, "it is not said again");
        fork.under_way() - plain.under_way()
    });
    assert_eq!((first, last), (80, 80));
    assert_eq!(fork.then.history - plain.then.history, 40, "its own program compacted");
    // The cache holds it, whoever begins with it.
    let paid = |played: &Replayed| played.others.with_cache.said;
    assert_eq!(paid(&fork).read, paid(&plain).read + 8 * 80);
    assert_eq!(paid(&fork).uncached, paid(&plain).uncached);
}

#[tokio::test]
async fn what_a_fork_goes_on_from_counts_as_much_as_where_it_is_told() {
    let id = || "c".to_owned();
    let read = |arguments: &str, text: String| {
        let name = "Read".to_owned();
        let called = Event::Called { id: id(), name, arguments: arguments.to_owned(), at: None };
        [called, Event::Returned { id: id(), text, at: None }]
    };
    let long = format!("{{\"path\": \"{}\"}}", "src and ".repeat(80));
    let said =
        [read("{\"path\": \"a.rs\"}", "fn main()".to_owned()), read(&long, "line ".repeat(900))];
    let said = [talk("parser", 3), said.concat()].concat();
    let begins =
        Event::Begins { id: String::new(), title: String::new(), project: String::new(), at: None };
    let own = || [said.clone(), talk("harbour", 2)].concat();
    let copied = said.iter().cloned().map(|event| Event::Copied(Box::new(event))).collect();
    let fork = [own(), vec![begins], copied, talk("harbour", 2)].concat();
    let [alone, fork] = [played(own()).await, played(fork).await];
    let last = |played: &Replayed| played.steps.last().unwrap().under_way();
    assert_eq!(last(&fork), last(&alone));
}

#[tokio::test]
async fn a_card_stays_in_its_picture_and_begins_at_its_first_turn() {
    let turns = turns_of(talk("parser", 4), 500);
    let replay = Replay { conversation: Arc::new(turns), phases: Arc::new([]) };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    let large = Replayed { said: 168_750_000_000, conversations: 3_000_000, ..played.clone() };
    for (played, is_closer) in [(played, false), (large, true)] {
        let card = crate::replay::card(&replay, &played, &Priced::default());
        let title = card.split("<text class=\"title\"").nth(1).unwrap();
        assert_eq!(title.split('>').next().unwrap().contains("textLength"), is_closer, "{card}");
        for text in card.split("<text ").skip(1) {
            let (head, rest) = text.split_once('>').unwrap();
            let told = |key: &str| -> Option<f64> {
                head.split_once(&format!("{key}=\""))?.1.split('"').next()?.parse().ok()
            };
            let letters = rest.split("</text>").next().unwrap().chars().count() as f64;
            let widest = letters * 0.62 * told("font-size").unwrap();
            let width = told("textLength").unwrap_or(widest);
            let x = told(" x").unwrap();
            let from = if head.contains(" end\"") { x - width } else { x };
            assert!(18.0 <= from && from + width <= 1_182.0, "{text}");
        }
        let points: Vec<&str> = card.split("points=\"").skip(1).collect();
        assert!(points.iter().all(|curve| curve.starts_with("120.0,")), "{card}");
        let ends = |curve: &str| curve.split('"').next().unwrap().contains(" 1044.0,");
        assert!(points.iter().all(|curve| ends(curve)), "{card}");
    }
}

#[test]
fn a_greeting_was_said_when_its_conversation_began() {
    let (id, title, project) = (String::new(), String::new(), String::new());
    let begins = Event::Begins { id, title, project, at: Some(1_000) };
    let turns = turns_of(vec![begins, replied("Welcome."), said("Hello."), replied("Hi.")], 500);
    let at = |turn| turns.said(turn).unwrap().1;
    assert_eq!((at(0), at(1)), (Some(1_000), None));
}

#[tokio::test]
async fn what_tools_wrote_is_read_and_what_they_are_called_with_is_written() {
    let result =
        |words| Event::Returned { id: String::new(), text: "word ".repeat(words), at: None };
    let turn = |tools: Vec<Event>| [vec![said("Go on."), replied("I look.")], tools].concat();
    let none = played(turn(Vec::new())).await;
    let output = |played: &Replayed| (played.own.output, played.others.with_cache.said.output);
    assert_eq!(output(&none), (2, 2));
    // `[Bash x]` is written.
    let short = played(turn(vec![called("x"), result(90)])).await;
    assert_eq!((output(&short), short.by_reference), ((4, 4), 0));
    assert!(short.said >= none.said + 92 && short.own.uncached >= none.own.uncached + 90);
    let long = played(turn(vec![called("x"), result(900)])).await;
    assert_eq!((output(&long), long.by_reference), ((4, 4), 900));
    let written = played(turn(vec![called(&"y ".repeat(3_000))])).await;
    let (own, full) = output(&written);
    assert!(own == full && (3_003..3_006).contains(&own), "{own} {full}");
    assert!(written.said >= 3_005, "{}", written.said);
}

#[tokio::test]
async fn what_is_held_by_reference_costs_what_others_pay_for_what_is_new_to_a_cache() {
    let result = Event::Returned { id: String::new(), text: "word ".repeat(900), at: None };
    let events = vec![said("Go on."), replied("I look."), called("x"), result];
    for prices in [Prices::default(), Prices::breakpoints(5.0)] {
        let played = played_at(prices.clone(), events.clone()).await;
        assert_eq!(played.by_reference, 900);
        let (own, full) = (played.paid(prices.cache), played.others.with_cache.paid());
        let is_marked = prices.cache == CacheKind::Breakpoints;
        // A first request is all new, to everybody.
        for paid in [own, full] {
            let new = if is_marked { paid.written } else { paid.uncached };
            assert!(new >= 900 && new == paid.prompt(), "{paid:?}");
        }
        assert!((played.cost(&prices) - prices.cost(&own)).abs() < 0.1);
        // The rest of it has nothing of that.
        assert_eq!(played.own.prompt() + 900, own.prompt());
    }
}

#[tokio::test]
async fn a_long_message_counts_as_read_once_and_the_end_is_no_turn() {
    let long = "word ".repeat(5_000);
    let events = vec![said(&long), replied("Yes."), said("And now?"), replied("Nothing.")];
    let turns = turns_of(events, 500);
    let phases = [Phase { name: "all".into(), from: 0, to: 2 }];
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let played = replay.play(with("16000"), None, &mut |_, _| {}).await.unwrap();
    assert_eq!(played.by_reference, 5_000);
    assert_eq!((played.steps.len(), played.phases.len()), (2, 1));
    assert_eq!(played.said, 5_000 + 4);
    // What stands once the last topic is concluded is told beside the last turn.
    let [last, end] = played.ends().collect::<Vec<_>>()[..] else { panic!("{played:?}") };
    assert_eq!((last.turn, end.turn, end.full_history), (2, 2, played.said));
    assert_eq!(end.window, played.end.total().0);
    // The first window and the question; the reply came behind them.
    let before = played.steps.iter().map(|step| step.window).next();
    assert!(before.is_some_and(|before| played.largest_request > before), "{played:?}");
}

#[tokio::test]
async fn a_session_that_is_kept_holds_no_more_than_was_said_and_tells_who_concluded_its_topics() {
    let turns = turns_of([talk("parser", 6), talk("harbour", 5)].concat(), 500);
    let phase = |name: &str, from, to| Phase { name: name.into(), from, to };
    let phases = [phase("parser", 0, 6), phase("harbour", 6, 11)];
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let room = tempfile::tempdir().unwrap();
    let kept = room.path().join("kept");
    let played = replay.play(with("16000"), Some(&kept), &mut |_, _| {}).await.unwrap();
    assert_eq!((played.steps.len(), played.phases.len()), (11, 2));
    let beside = std::fs::read_to_string(kept.join("raw.jsonl")).unwrap_or_default();
    assert_eq!(beside, "", "nothing is said beside the topics");
    let messages = |name: &str| {
        let log = std::fs::read_to_string(kept.join(format!("efforts/{name}.jsonl"))).unwrap();
        log.lines().count()
    };
    assert_eq!((messages("parser"), messages("harbour")), (12, 10));
    let journal = std::fs::read_to_string(kept.join("journal.jsonl")).unwrap();
    assert_eq!(journal.matches("by the replay").count(), 4, "{journal}");
    assert!(!journal.contains("by the model") && !journal.contains("by you"), "{journal}");
}

/// Small talk that ebbs, many topics that leave, one that is compressed, and questions about what has left.
fn long_talk() -> Replay {
    let result =
        |words| Event::Returned { id: String::new(), text: "word ".repeat(words), at: None };
    let topics = ["parser", "harbour", "invoice", "tomato", "rollout", "violin", "glacier"];
    let mut events = talk("weather", 30);
    for (nth, topic) in topics.into_iter().enumerate() {
        events.extend(talk(topic, 6 + 20 * (nth % 3)));
        events.extend([called("{\"a\":1}"), result(30 + 1_000 * nth)]);
        events.push(said(&format!("What was the {} step 3 of the parser?", topics[nth / 2])));
        events.push(replied("I don't know."));
    }
    let turns = turns_of(events, 500);
    let said = |at: &usize| turns.user(*at).unwrap().contains("parser");
    let from = (0..turns.len()).find(said).unwrap();
    let phases: Vec<Phase> = (from..turns.len() - 4)
        .step_by(13)
        .map(|from| Phase { name: format!("topic {from}"), from, to: from + 11 })
        .filter(|phase| phase.to < turns.len())
        .collect();
    Replay { conversation: Arc::new(turns), phases: phases.into() }
}

fn with(budget: &str) -> With {
    let mut settings = Settings::default();
    for (key, value) in [("token_budget", budget), ("summary_eviction_threshold", "12")] {
        settings.set(key, value, Source::Flag("test")).unwrap();
    }
    settings.set("durability", "process", Source::Flag("test")).unwrap();
    let summaries = Arc::new(Offline::new(Duration::ZERO));
    let prices = Prices::default();
    With { settings, counter: Arc::new(Words), summaries, prices }
}

#[tokio::test]
async fn what_nobody_looks_at_comes_to_the_same_figures() {
    let replay = long_talk();
    for budget in ["16000", "2600"] {
        let room = tempfile::tempdir().unwrap();
        let watched = room.path().join("watched");
        let live = replay.play(with(budget), Some(&watched), &mut |_, _| {}).await.unwrap();
        assert!(watched.join("journal.jsonl").exists());
        let unwatched = replay.play(with(budget), None, &mut |_, _| {}).await.unwrap();
        assert_eq!(unwatched, live, "{budget}");
        assert!(
            live.phases.len() > 5 && live.faults.total() > 0 && live.by_reference > 0,
            "{live:?}"
        );
        let evicted = live.steps.last().map_or(0, |step| step.evicted);
        assert!(evicted > 0, "{:?}", live.steps.last());
    }
}

#[tokio::test]
async fn a_session_that_is_kept_tells_when_things_were_said() {
    let at = |day: u32| crate::clock::millis_of(&format!("2025-03-{day:02}T10:00:00Z"));
    let said = |day: u32| {
        let (text, at) = (format!("How is the harbour on day {day}?"), at(day));
        Event::Said { by: Speaker::Person, text, at }
    };
    let turns = turns_of((1..=4).flat_map(|day| [said(day), replied("Calm.")]).collect(), 500);
    let replay = Replay { conversation: Arc::new(turns), phases: [].into() };
    let room = tempfile::tempdir().unwrap();
    let kept = room.path().join("kept");
    replay.play(with("16000"), Some(&kept), &mut |_, _| {}).await.unwrap();
    let log = std::fs::read_to_string(kept.join("raw.jsonl")).unwrap();
    let days = log.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["ts"].as_str().unwrap().to_owned()
    });
    let twice = (1..=4).flat_map(|day| [day, day]);
    assert!(days.eq(twice.map(|day| format!("2025-03-{day:02}T10:00:00Z"))), "{log}");
}

/// Tells words of different length apart.
struct Bytes;

impl CountTokens for Bytes {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.len() as u64)
    }
}

#[tokio::test]
async fn what_nobody_looks_at_is_compressed_with_the_same_words_and_not_archived() {
    let turn = |nth: usize| {
        let steps = (0..60).map(|step| format!("Valve {nth}.{step} holds {step} bar at noon."));
        let reply = steps.collect::<Vec<_>>().join(" ");
        [said(&format!("How does pump {nth} go on?")), replied(&reply)]
    };
    let turns = turns_of((0..24).flat_map(turn).collect(), 5_000);
    let phases = [Phase { name: "pumps".into(), from: 0, to: 23 }];
    let replay = Replay { conversation: Arc::new(turns), phases: phases.into() };
    let room = tempfile::tempdir().unwrap();
    let watched = room.path().join("watched");
    let with = || With { counter: Arc::new(Bytes), ..with("24000") };
    let live = replay.play(with(), Some(&watched), &mut |_, _| {}).await.unwrap();
    assert!(watched.join("scratchpad/archive-pumps-2.txt").exists());
    let unwatched = replay.play(with(), None, &mut |_, _| {}).await.unwrap();
    assert_eq!(unwatched, live);
}
