//! The same question with the window and with the full history: what both requests hold, that nothing is changed by
//! it, and what becomes of the verdict.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crossterm::event::KeyCode;
use ebbtide::bill::Paid;
use ebbtide::memory::MemoryView;
use ebbtide::orchestrator::{EffortCommand, Handle, Notice, Op, Side, SideAnswer, Verdict, Versus};
use insta::assert_snapshot;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{client_of, drive, drive_with, outcome};
use super::support::screen::{Desk, model};
use super::support::server::{Reply, Server, content, said};

const SECRET: &str = "the boiler code is 7713";

async fn say(handle: &Handle, notices: &mut UnboundedReceiver<Notice>, text: &str) {
    handle.send(Op::Send(text.to_owned()));
    outcome(notices).await.expect("the turn ends well");
}

/// What is told up to the end of a command, and how that ended.
async fn told(notices: &mut UnboundedReceiver<Notice>) -> (Vec<Notice>, bool, String) {
    let mut told = Vec::new();
    loop {
        match notices.recv().await.expect("the driver lives") {
            Notice::CommandDone { ok, text } => return (told, ok, text),
            notice => told.push(notice),
        }
    }
}

async fn memory(handle: &Handle, notices: &mut UnboundedReceiver<Notice>) -> MemoryView {
    handle.send(Op::Effort { id: "nobody".into(), command: EffortCommand::Keep });
    told(notices).await;
    loop {
        if let Notice::Memory(view) = notices.recv().await.unwrap() {
            return (*view).clone();
        }
    }
}

async fn close(handle: Handle, mut notices: UnboundedReceiver<Notice>) {
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
}

/// The logs, the journal and the bill of a session. What follows from them is rewritten at any time.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for part in ["", "efforts"] {
        for entry in std::fs::read_dir(dir.join(part)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.contains(".jsonl") && name != "versus.jsonl" {
                found.insert(name, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    found
}

/// A server whose model opens and closes an effort when it is told to.
fn server() -> Server {
    Server::following(|request| {
        let (said, last) = (said(request), request["messages"].as_array().unwrap().last().cloned());
        let is_new = last.is_some_and(|last| last["role"] == "user");
        match &*said {
            "begin" if is_new => Reply::calls(&[("open_effort", json!({ "name": "boiler" }))]),
            "finish" if is_new => Reply::calls(&[("close_effort", json!({}))]),
            words if words.contains("The program asks") => Reply::text("A matter was settled."),
            _ => Reply::text("As you say."),
        }
    })
}

fn stats(dir: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.arg("stats").args(args).args(["--offline", "--session"]).arg(dir);
    let out = command.env_clear().env("HOME", dir).output().unwrap();
    String::from_utf8(out.stdout).unwrap()
}

fn is_full(request: &Value) -> bool {
    request["messages"].to_string().contains(SECRET)
}

#[tokio::test]
async fn one_request_holds_the_window_the_other_everything_said_and_nothing_is_changed() {
    let dir = tempfile::tempdir().unwrap();
    let server = server();
    // Nothing is recalled, so that what left the window is in the full history alone.
    let set = [("recall_tokens", "0")];
    let (handle, mut notices) = drive_with(dir.path(), client_of(&server), &set);
    for text in ["begin", SECRET, "finish"] {
        say(&handle, &mut notices, text).await;
    }
    handle.send(Op::Effort { id: "boiler".into(), command: EffortCommand::Evict });
    assert!(told(&mut notices).await.1);
    let (before, memory_before) = (files(dir.path()), memory(&handle, &mut notices).await);
    let asked = server.requests().len();
    handle.send(Op::Versus("Which code was it?".into()));
    let (news, ok, text) = told(&mut notices).await;
    assert!(ok, "{text}");
    let requests = server.requests().split_off(asked);
    assert_eq!(requests.len(), 2);
    let full = requests.iter().find(|one| is_full(one)).expect("the history has its words");
    let window = requests.iter().find(|one| !is_full(one)).expect("the window has not");
    let of_full = full["messages"].as_array().unwrap();
    let words: Vec<&str> =
        of_full[1..].iter().map(|one| one["content"].as_str().unwrap()).collect();
    let all = ["begin", "As you say.", SECRET, "As you say.", "finish", "As you say."];
    assert_eq!(words[..6], all, "in the order in which it was said");
    assert_eq!(words[6..], ["Which code was it?"]);
    assert!(said(window).ends_with("Which code was it?"));
    for request in &requests {
        assert!(request["tools"].is_null() || request["tool_choice"] == "none", "{request}");
    }
    let answers = news.iter().filter(|one| matches!(one, Notice::Versus(Versus::Answered(..))));
    assert_eq!(answers.count(), 2);
    let streamed = |side| {
        news.iter().any(|one| matches!(one, Notice::Versus(Versus::Text(of, _)) if *of == side))
    };
    assert!(streamed(Side::Window) && streamed(Side::FullHistory));
    assert_eq!(memory(&handle, &mut notices).await, memory_before);
    assert_eq!(files(dir.path()), before, "no log, no journal, no bill has changed");
    handle.send(Op::Judge(Verdict::FullHistory));
    close(handle, notices).await;

    // It is counted after a restart, with the next one.
    let (handle, mut notices) = drive(dir.path(), client_of(&server));
    handle.send(Op::Judge(Verdict::Same));
    handle.send(Op::Judge(Verdict::Same));
    let verdicts = loop {
        match notices.recv().await.unwrap() {
            Notice::Verdicts(verdicts) if verdicts.of(Verdict::Same) == 2 => break verdicts,
            _ => {}
        }
    };
    assert_eq!(Verdict::ALL.map(|one| verdicts.of(one)), [0, 1, 2]);
    assert_eq!(verdicts.paid.requests, 2);
    close(handle, notices).await;
    let json: Value = serde_json::from_str(&stats(dir.path(), &["--json"])).unwrap();
    let counts = ["window", "full_history", "same", "requests"].map(|key| &json["versus"][key]);
    assert_eq!(counts.map(|count| count.as_u64().unwrap()), [0, 1, 2, 2]);
    let text = stats(dir.path(), &[]);
    assert!(text.contains("window 0, full history 1, same 2; 2 requests took "), "{text}");
}

#[tokio::test]
async fn a_history_that_the_model_does_not_take_is_not_sent() {
    let dir = tempfile::tempdir().unwrap();
    let server = server();
    let set = [("context_window", "8000"), ("token_budget", "5000")];
    let (handle, mut notices) = drive_with(dir.path(), client_of(&server), &set);
    let long = "one two three four five six seven eight nine ten ".repeat(90);
    for _ in 0..10 {
        say(&handle, &mut notices, &long).await;
    }
    let asked = server.requests().len();
    handle.send(Op::Versus("What was it?".into()));
    let (_, ok, text) = told(&mut notices).await;
    assert!(!ok && text.contains("8,000 are the most"), "{text}");
    assert_eq!(server.requests().len(), asked);
    close(handle, notices).await;
}

#[tokio::test]
async fn stopping_stops_both_and_says_what_they_took() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::following(|_| Reply::text("Slowly").slowly(Duration::from_secs(60)));
    let (handle, mut notices) = drive(dir.path(), client_of(&server));
    handle.send(Op::Versus("What was it?".into()));
    while !matches!(notices.recv().await.unwrap(), Notice::Versus(Versus::Began { .. })) {}
    handle.send(Op::Cancel);
    let (news, ok, _) = told(&mut notices).await;
    assert!(!ok);
    assert!(!news.iter().any(|one| matches!(one, Notice::Versus(Versus::Answered(..)))));
    let paid = news.iter().rev().find_map(|one| match one {
        Notice::Verdicts(verdicts) => Some(verdicts.paid),
        _ => None,
    });
    assert_eq!(paid.expect("it was kept").estimates, 2);
    close(handle, notices).await;
}

#[tokio::test]
async fn an_answer_that_is_not_whole_is_told_as_a_part_of_one() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::following(|request| match &*said(request) {
        "hello" => Reply::text("As you say."),
        "cut" => Reply::answer(vec![content("Half of")], "length"),
        "refused" => Reply::answer(vec![content("No.")], "model_refusal"),
        _ => Reply::chunks([content("Half of")]).cut(),
    });
    let (handle, mut notices) = drive(dir.path(), client_of(&server));
    say(&handle, &mut notices, "hello").await;
    for (question, partial) in [("cut", "length limit"), ("refused", "")] {
        handle.send(Op::Versus(question.into()));
        let (news, ..) = told(&mut notices).await;
        let answers = news.iter().filter_map(|one| match one {
            Notice::Versus(Versus::Answered(_, answer)) => Some(answer.partial.clone()),
            _ => None,
        });
        let answers: Vec<Option<String>> = answers.collect();
        assert_eq!(answers.len(), 2);
        for told in answers {
            let is_it = told.as_deref().unwrap_or_default().contains(partial);
            assert!(is_it && told.is_some() != partial.is_empty(), "{question}: {told:?}");
        }
    }
    handle.send(Op::Versus("broken".into()));
    let (news, ..) = told(&mut notices).await;
    let failed = |one: &&Notice| matches!(one, Notice::Versus(Versus::Failed(..)));
    assert_eq!(news.iter().filter(failed).count(), 2);
    let paid = news.iter().rev().find_map(|one| match one {
        Notice::Verdicts(verdicts) => Some(verdicts.paid),
        _ => None,
    });
    let paid = paid.unwrap();
    assert_eq!((paid.requests, paid.estimates), (6, 6), "what came was paid for");
    close(handle, notices).await;
}

#[test]
fn a_part_of_an_answer_stays_to_be_read_and_is_marked() {
    let mut desk = Desk::new(110, 24);
    desk.notice(super::support::screen::opened("work", model("deepseek-chat"), Vec::new()));
    let began = || Notice::Versus(Versus::Began { question: "What?".into(), left: Side::Window });
    desk.notice(began());
    let whole = answer("Yes.", 2_000, 0);
    let why = "was cut at the model's length limit".to_owned();
    let cut = SideAnswer { partial: Some(why), ..answer("Half of", 41_233, 0) };
    desk.notice(Notice::Versus(Versus::Answered(Side::Window, whole.clone())));
    desk.notice(Notice::Versus(Versus::Answered(Side::FullHistory, cut)));
    desk.assert_shows("partial: it was cut at the model's length limit");
    desk.press(KeyCode::Char('h'));
    desk.assert_shows("length limit");
    desk.press(KeyCode::Esc);
    desk.notice(began());
    desk.notice(Notice::Versus(Versus::Answered(Side::Window, whole)));
    desk.notice(Notice::Versus(Versus::Text(Side::FullHistory, "It was the".into())));
    let why = "The answer was cut off. Send again.".to_owned();
    desk.notice(Notice::Versus(Versus::Failed(Side::FullHistory, why)));
    for words in ["partial: it broke off", "It was the", "The answer was cut off."] {
        desk.assert_shows(words);
    }
}

fn answer(text: &str, prompt: u64, cached: u64) -> SideAnswer {
    let (paid, time) = (Paid::reported(prompt, cached, 0, 24), Duration::from_millis(1_840));
    SideAnswer { text: text.to_owned(), paid, time, partial: None }
}

/// Both answers are there, the one with the full history on the left.
fn asked(width: u16, height: u16) -> Desk {
    let mut desk = Desk::new(width, height);
    desk.notice(super::support::screen::opened("work", model("deepseek-chat"), Vec::new()));
    let sent = desk.run("/versus Which code was it?");
    assert!(matches!(&sent[..], [.., ebbtide::tui::app::Action::Send(Op::Versus(_))]), "{sent:?}");
    let question = "Which code was it?".into();
    desk.notice(Notice::Versus(Versus::Began { question, left: Side::FullHistory }));
    desk.assert_shows("waiting …");
    desk.notice(Notice::Versus(Versus::Text(Side::Window, "It was ".into())));
    desk.assert_shows("writing …");
    assert!(desk.press(KeyCode::Char('h')).is_empty(), "too early for a verdict");
    let short = answer("It was **7713**, as the summary of `boiler` says.", 2_104, 1_850);
    desk.notice(Notice::Versus(Versus::Answered(Side::Window, short)));
    let long = answer(&"You said that the boiler code is 7713. ".repeat(12), 41_233, 0);
    desk.notice(Notice::Versus(Versus::Answered(Side::FullHistory, long)));
    desk.notice(Notice::CommandDone { ok: true, text: "Asked twice.".into() });
    desk
}

#[test]
fn both_are_judged_before_it_is_told_which_is_which() {
    for (width, height) in [(80, 24), (120, 36)] {
        let mut desk = asked(width, height);
        desk.assert_hides("41,233");
        desk.assert_hides("with the window");
        assert_snapshot!(format!("versus_{width}x{height}_blind"), desk.screen());
        let sent = desk.press(KeyCode::Char('l'));
        let judged = Op::Judge(Verdict::Window);
        assert!(matches!(&sent[..], [ebbtide::tui::app::Action::Send(op)] if *op == judged));
        assert!(desk.press(KeyCode::Char('h')).is_empty(), "one verdict a question");
        assert_snapshot!(format!("versus_{width}x{height}_judged"), desk.screen());
        desk.press(KeyCode::Esc);
        desk.assert_hides("Which answers better?");
    }
    let mut desk = asked(40, 12);
    desk.assert_shows("answered");
    let judged = desk.press(KeyCode::Left);
    assert!(matches!(
        &judged[..],
        [ebbtide::tui::app::Action::Send(Op::Judge(Verdict::FullHistory))]
    ));
}

#[test]
fn leaving_early_stops_both_and_a_failed_one_is_not_judged() {
    let mut desk = Desk::new(80, 24);
    desk.notice(super::support::screen::opened("work", model("deepseek-chat"), Vec::new()));
    let began = || Notice::Versus(Versus::Began { question: "What?".into(), left: Side::Window });
    desk.notice(began());
    let sent = desk.press(KeyCode::Esc);
    assert!(matches!(&sent[..], [ebbtide::tui::app::Action::Send(Op::Cancel)]), "{sent:?}");
    desk.assert_hides("Which answers better?");
    desk.notice(began());
    let done = answer("Yes.", 2_000, 0);
    desk.notice(Notice::Versus(Versus::Answered(Side::Window, done)));
    let why = "The server is down.".to_owned();
    desk.notice(Notice::Versus(Versus::Failed(Side::FullHistory, why)));
    desk.assert_shows("The server is down.");
    assert!(desk.press(KeyCode::Char('s')).is_empty());
}
