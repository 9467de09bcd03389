//! Tides: exchanges outside any effort leave the window together, and where the tide stands survives everything.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ebbtide::bill::Prices;
use ebbtide::config::{Settings, Source};
use ebbtide::memory::{
    Change, ChangeKind, Exchange, Frame, Layer, Memory, Role, Rules, Window, WindowItem,
};
use ebbtide::orchestrator::{EffortCommand, Inspection, Notice, Op, TurnReport, inspect};
use ebbtide::store::{Step, look};
use ebbtide::tokens::Cl100k;
use serde_json::json;

use super::support::driver::{Bench, call, text};
use super::support::session::{Session, Words};

fn settings() -> Settings {
    let mut settings = Settings::default();
    for (key, value) in [("ambient_window", "2"), ("ambient_tide", "3")] {
        settings.set(key, value, Source::Chat).unwrap();
    }
    settings
}

fn tides(changes: &[Change]) -> Vec<&str> {
    let tides = changes.iter().filter(|change| change.kind == ChangeKind::Tide);
    tides.map(|change| change.cause.as_str()).collect()
}

/// A turn of small talk, or of the effort at the beginning; each reply ends with so many words.
async fn say(bench: &mut Bench, nth: usize, words: usize) -> (TurnReport, Arc<Window>) {
    let report = match nth {
        0 => {
            let open = vec![call("open_effort", json!({ "name": "bread" })), text("Opened.")];
            bench.turn("let's bake", open, "").await
        }
        1 => {
            let close = vec![call("close_effort", json!({})), text("Closed.")];
            bench.turn(&"knead the dough ".repeat(40), close, "Rye at 230 degrees.").await
        }
        _ => {
            let reply = format!("I see.{}", " hm".repeat(words));
            bench.turn(&format!("small talk {nth}"), vec![text(&reply)], "").await
        }
    };
    (report, bench.window().await)
}

#[tokio::test]
async fn restarts_and_undo_in_the_middle_of_a_tide_leave_the_window_as_without_them() {
    assert_eq!(restarts_and_undo(&settings(), 0).await, 3, "there were tides in between");
}

#[tokio::test]
async fn restarts_and_undo_leave_the_window_as_without_them_where_long_replies_ebb() {
    let mut settings = Settings::default();
    settings.set("token_budget", "6000", Source::Chat).unwrap();
    assert!(restarts_and_undo(&settings, 600).await > 1, "there were tides in between");
}

#[tokio::test]
async fn restarts_and_undo_leave_the_window_as_without_them_where_it_grows_to_what_a_cache_keeps() {
    let mut settings = settings();
    let prices = Prices::prefix(0.1, 4.0).from(2_048);
    settings.set_prices(&prices, &Source::Chat).unwrap();
    assert_eq!(restarts_and_undo(&settings, 250).await, 1, "there was a tide in between");
}

/// How many tides there were.
async fn restarts_and_undo(settings: &Settings, words: usize) -> usize {
    let (calm, wild) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut undisturbed = Bench::with(calm.path(), settings.clone(), None);
    let mut disturbed = Bench::with(wild.path(), settings.clone(), None);
    let mut seen = 0;
    for nth in 0..16 {
        let (expected, window) = say(&mut undisturbed, nth, words).await;
        let (report, same) = say(&mut disturbed, nth, words).await;
        assert_eq!(same.items, window.items, "turn {nth}");
        assert_eq!(tides(&report.changes), tides(&expected.changes), "turn {nth}");
        assert_eq!(report.memory.next_tide, expected.memory.next_tide);
        seen += tides(&report.changes).len();
        if nth > 1 {
            let pin = Op::Effort { id: "bread".into(), command: EffortCommand::Pin };
            for op in [pin, Op::Undo] {
                assert!(disturbed.command(op).await.0);
            }
        }
        let (turn, dir) = (disturbed.turn, wild.path());
        disturbed.close().await;
        disturbed = Bench::with(dir, settings.clone(), None);
        disturbed.turn = turn;
        let past = disturbed.past(report.turn.0).await;
        assert_eq!(past.window.items, window.items, "turn {nth}, looked back at");
        // What the soft line takes is foretold by more than the journal tells.
        let [was, is] = [&report.memory, &past.memory].map(|memory| memory.next_tide);
        let takes_exchanges = was.filter(|tide| tide.exchanges > 0);
        assert!(takes_exchanges.is_none_or(|tide| is == Some(tide)), "turn {nth}: {was:?} {is:?}");
    }
    seen
}

/// What stands in the window of the exchanges outside any effort.
fn ambient(memory: &Memory) -> Vec<WindowItem> {
    let window = memory.window();
    window.items.into_iter().filter(|item| item.layer == Layer::Ambient).collect()
}

fn small_talk(session: &mut Session, turns: std::ops::Range<usize>) {
    for nth in turns {
        session.turn(&format!("small talk {nth}"), "I see.", &[]);
    }
}

/// A turn that is killed after its reply is on disk, before anything of it is counted.
fn killed_turn(dir: &Path, cold: bool) {
    let mut session = Session::open(dir);
    let turn = session.memory.begin_turn();
    session.store.begin_turn(turn, "the last words", None).unwrap();
    if cold {
        let changes = session.memory.leave_while_cold();
        assert_eq!(changes.len(), 1, "something had gathered");
        session.record(&changes, Step::Done);
    }
    let exchange = Exchange { user: "the last words".into(), assistant: "I see.".into() };
    session.store.log_exchange(turn, None, &exchange).unwrap();
}

#[test]
fn a_kill_in_the_middle_of_a_tide_leaves_the_window_as_without_it() {
    for (turns, cold, held) in [(4, false, 10), (20, false, 42), (22, false, 20), (20, true, 22)] {
        let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut expected = Session::open(whole.path());
        small_talk(&mut expected, 0..turns);
        if cold {
            assert_eq!(expected.memory.leave_while_cold().len(), 1, "something had gathered");
        }
        expected.turn("the last words", "I see.", &[]);
        let mut session = Session::open(killed.path());
        small_talk(&mut session, 0..turns);
        drop(session);
        killed_turn(killed.path(), cold);
        let frame = Frame { system_prompt: "system".into(), tools: "tools".into() };
        let looked = look(killed.path(), 10).unwrap().restored;
        let looked = Memory::restore(Rules::default(), frame, Arc::new(Words), looked);
        assert_eq!(ambient(&looked), ambient(&expected.memory), "looked at after {turns}");
        let mut session = Session::open(killed.path());
        assert_eq!(ambient(&session.memory), ambient(&expected.memory), "after {turns}, {cold}");
        assert_eq!(session.memory.ambient_messages(), held);
        for more in [&mut session, &mut expected] {
            small_talk(more, 50..53);
        }
        assert_eq!(ambient(&session.memory), ambient(&expected.memory), "three turns later");
    }
}

#[test]
fn a_session_without_a_tide_opens_with_the_exchanges_that_stay() {
    let dir = tempfile::tempdir().unwrap();
    let mut session = Session::open(dir.path());
    small_talk(&mut session, 0..15);
    session.close();
    fs::remove_file(dir.path().join("journal.jsonl")).unwrap();
    assert_eq!(Session::open(dir.path()).memory.ambient_messages(), 20);
}

/// Puts every moment of the journal a quarter of a century back.
fn age(dir: &Path) {
    let path = dir.join("journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let mut parts = journal.split("\"ts\":\"20");
    let first = parts.next().unwrap().to_owned();
    let old = parts.fold(first, |all, part| all + "\"ts\":\"20" + "01" + &part[2..]);
    fs::write(path, old).unwrap();
}

/// The request with a draft, laid open.
async fn inspection(bench: &mut Bench, draft: &str) -> Arc<Inspection> {
    bench.handle.send(Op::Inspect(draft.to_owned()));
    loop {
        if let Notice::Inspection(inspection) = bench.notices.recv().await.unwrap() {
            return inspection;
        }
    }
}

#[tokio::test]
async fn what_a_tide_would_take_leaves_before_the_first_request_to_a_cold_cache() {
    for (is_long, is_other) in [(false, false), (true, false), (false, true)] {
        let is_cold = is_long || is_other;
        let dir = tempfile::tempdir().unwrap();
        let mut bench = Bench::with(dir.path(), settings(), None);
        for nth in 2..6 {
            assert_eq!(tides(&say(&mut bench, nth, 0).await.0.changes), [""; 0]);
        }
        bench.close().await;
        if is_long {
            age(dir.path());
        }
        if is_other {
            let path = dir.path().join("bill.jsonl");
            let bill = fs::read_to_string(&path).unwrap();
            fs::write(path, bill.replace("\"scripted\"", "\"another model\"")).unwrap();
        }
        let mut seen = inspect(dir.path(), &settings(), Arc::new(Cl100k::load())).unwrap();
        let next = seen.view(&settings(), Some("scripted")).next_tide;
        let now = next.filter(|next| next.turns == 0).map(|next| next.exchanges);
        assert_eq!(now, is_cold.then_some(2), "what leaves is told before it does");
        seen.ebb_if_cold(&settings(), Some("scripted"));
        let expected = if is_cold { 4 } else { 8 };
        assert_eq!(seen.memory.ambient_messages(), expected, "what would be sent");
        let mut bench = Bench::with(dir.path(), settings(), None);
        bench.turn = 4;
        let held = bench.window().await;
        let shown = inspection(&mut bench, "small talk 6").await;
        assert_eq!(*bench.window().await, *held, "nothing leaves because somebody looks");
        let (report, window) = say(&mut bench, 6, 0).await;
        assert_eq!(shown.layers, report.sent, "what is shown is what was sent");
        let cause = "tide: 2 exchanges gathered beyond the last 2, and the cache was cold";
        let expected: &[&str] = if is_cold { &[cause] } else { &[] };
        assert_eq!(tides(&report.changes), expected);
        let sent = report.sent.of(Layer::Ambient);
        let said =
            window.items.iter().filter(|item| item.source == ebbtide::memory::Source::Ambient);
        assert_eq!(
            said.clone().filter(|item| item.role == Role::User).count(),
            if is_cold { 3 } else { 5 }
        );
        let held: u64 = said.map(|item| item.tokens.0).sum();
        assert!(sent.0 < held, "it left before the request went out: {sent} of {held}");
        bench.close().await;
    }
}

#[tokio::test]
async fn a_log_without_its_middle_is_the_same_after_a_restart_and_when_looked_back_at() {
    let (calm, wild) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut small = settings();
    for (key, value) in [("token_budget", "4000"), ("compression", "false")] {
        small.set(key, value, Source::Chat).unwrap();
    }
    let mut undisturbed = Bench::with(calm.path(), small.clone(), None);
    let mut disturbed = Bench::with(wild.path(), small.clone(), None);
    let mut shortened = 0;
    for nth in 0..14 {
        let mut windows = Vec::new();
        for bench in [&mut undisturbed, &mut disturbed] {
            let user = format!("part {nth}: {}", "careful words of a long log ".repeat(30));
            let answers = if nth == 0 {
                vec![call("open_effort", json!({ "name": "bread" })), text("Opened.")]
            } else {
                vec![text(&user)]
            };
            let report = bench.turn(&user, answers, "").await;
            let made = |change: &&Change| change.kind == ChangeKind::EffortShortened;
            shortened += report.changes.iter().filter(made).count();
            windows.push(bench.window().await);
        }
        assert_eq!(windows[1].items, windows[0].items, "turn {nth}");
        let (turn, dir) = (disturbed.turn, wild.path());
        disturbed.close().await;
        disturbed = Bench::with(dir, small.clone(), None);
        disturbed.turn = turn;
        let past = disturbed.look_back(turn).await;
        assert_eq!(past.items, windows[0].items, "turn {nth}, looked back at");
    }
    assert!((4..16).contains(&shortened), "its middle left now and then: {shortened}");
}

/// What happens in a talk that turns between two efforts, with small talk before and a log that is opened again.
const TURNING: [(&str, &str); 22] = [
    ("", ""),
    ("open_effort", "bread"),
    ("", ""),
    ("open_effort", "boat"),
    ("", ""),
    ("switch_effort", "bread"),
    ("", ""),
    ("switch_effort", "boat"),
    ("", ""),
    ("", ""),
    ("switch_effort", "bread"),
    ("", ""),
    ("close_effort", "bread"),
    ("", ""),
    ("reopen_effort", "bread"),
    ("", ""),
    ("expand_effort", "bread"),
    ("switch_effort", "boat"),
    ("", ""),
    ("close_effort", "boat"),
    ("expand_effort", "boat"),
    ("", ""),
];

#[tokio::test]
async fn a_talk_that_turns_between_efforts_stands_in_its_order_after_restarts_and_looked_back_at() {
    for budget in ["16000", "3600"] {
        let (calm, wild) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut small = settings();
        for (key, value) in [("token_budget", budget), ("compression", "false")] {
            small.set(key, value, Source::Chat).unwrap();
        }
        let mut undisturbed = Bench::with(calm.path(), small.clone(), None);
        let mut disturbed = Bench::with(wild.path(), small.clone(), None);
        let mut turned = 0;
        for (nth, (tool, id)) in TURNING.into_iter().enumerate() {
            let mut windows = Vec::new();
            let user = format!("part {nth}: {}", "careful words of a long log ".repeat(12));
            for bench in [&mut undisturbed, &mut disturbed] {
                let key = if tool == "open_effort" { "name" } else { "id" };
                let asked = (!tool.is_empty()).then(|| call(tool, json!({ key: id })));
                let answers = asked.into_iter().chain([text(&user)]).collect();
                let summary = if tool == "close_effort" { "It was done." } else { "" };
                bench.turn(&user, answers, summary).await;
                windows.push(bench.window().await);
            }
            // Expansions end with a restart.
            if windows[0].items.iter().any(|item| item.layer == Layer::Expanded) {
                continue;
            }
            assert_eq!(windows[1].items, windows[0].items, "turn {nth} under {budget}");
            turned += usize::from(logs(&windows[0]).len() > 2);
            let (turn, dir) = (disturbed.turn, wild.path());
            disturbed.close().await;
            disturbed = Bench::with(dir, small.clone(), None);
            disturbed.turn = turn;
            let past = disturbed.look_back(turn).await;
            assert_eq!(past.items, windows[0].items, "turn {nth} under {budget}, looked back at");
        }
        assert!(turned > 4, "the logs stood in turns: {turned}");
    }
}

/// The logs of efforts, as they follow each other in the front.
fn logs(window: &Window) -> Vec<&ebbtide::memory::Source> {
    let open = window.items.iter().filter(|item| item.layer == Layer::Open);
    let mut logs: Vec<_> = open.map(|item| &item.source).collect();
    logs.dedup();
    logs
}

#[tokio::test]
async fn a_smaller_budget_tells_what_it_leaves_out_and_the_journal_keeps_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    for nth in 2..9 {
        say(&mut bench, nth, 300).await;
    }
    let set = |value: &str| Op::Set { key: "token_budget".into(), value: value.into() };
    for (budget, kind) in [("2800", ChangeKind::Shortened), ("16000", ChangeKind::WholeAgain)] {
        assert!(bench.command(set(budget)).await.0);
        let change = loop {
            match bench.notices.recv().await.expect("the driver lives") {
                Notice::Changed(change) => break change,
                Notice::Memory(_) => panic!("nobody is told"),
                _ => {}
            }
        };
        assert_eq!((change.kind, change.subject.to_string().as_str()), (kind, "ambient"));
    }
    bench.close().await;
    let journal = fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    assert!(journal.contains("exchanges left out"), "{journal}");
}

#[tokio::test]
async fn what_leaves_before_the_next_message_is_shown_as_soon_as_the_cache_is_cold() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings();
    settings.set("cache_lifetime", "1", Source::Chat).unwrap();
    let mut bench = Bench::with(dir.path(), settings, None);
    for nth in 2..6 {
        say(&mut bench, nth, 0).await;
    }
    let next = loop {
        if let Notice::Memory(view) = bench.notices.recv().await.expect("the driver lives") {
            break view.next_tide.expect("exchanges gathered");
        }
    };
    assert_eq!((next.turns, next.exchanges), (0, 2));
    let tide = say(&mut bench, 6, 0).await.0.changes.remove(0);
    assert_eq!(
        (tide.kind, tide.before.saturating_sub(tide.after)),
        (ChangeKind::Tide, next.tokens)
    );
    bench.close().await;
}
