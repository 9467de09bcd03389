//! Page faults: what was needed when an answer was made and was not in the window; and what recall costs for there
//! being fewer of them.

use std::path::Path;

use ebbtide::bill::Paid;
use ebbtide::config::{Settings, Source};
use ebbtide::llm::Endpoint;
use ebbtide::memory::Faults;
use ebbtide::orchestrator::{Notice, Op, TurnReport};
use serde_json::{Value, json};

use super::cli::Home;
use super::recall::{QUESTION, session};
use super::support::driver::{Bench, call, client, drive_with, outcome, text};
use super::support::server::{Reply, Server};

fn bench(dir: &Path, recall_tokens: &str) -> Bench {
    session(dir);
    let mut settings = Settings::default();
    settings.set("recall_tokens", recall_tokens, Source::Chat).unwrap();
    let mut bench = Bench::with(dir, settings, None);
    bench.turn = 30;
    bench
}

async fn say(bench: &mut Bench, message: &str, reply: &str) -> Faults {
    let report = bench.turn(message, vec![text(reply)], "").await;
    report.memory.metrics.faults
}

fn faults(looked_up: u64, missed: u64, unanswered: u64) -> Faults {
    Faults { looked_up, missed, unanswered }
}

#[tokio::test]
async fn what_was_needed_and_not_there_is_counted() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = bench(dir.path(), "0");
    assert_eq!(say(&mut bench, "Nice weather today", "It is.").await, faults(0, 0, 0));
    let unknown = "I don't know how far it was behind.";
    assert_eq!(say(&mut bench, QUESTION, unknown).await, faults(0, 0, 1));
    // What nothing was ever said about is not missing.
    let stranger = "What does the zebra of Ouagadougou weigh?";
    assert_eq!(say(&mut bench, stranger, unknown).await, faults(0, 0, 1));
    let again = "What about the auth-bug effort?";
    assert_eq!(say(&mut bench, again, "Fixed, I think.").await, faults(0, 1, 1));
    let search = call("search_efforts", json!({"query": "kilo of flour and water"}));
    let found = bench.turn("How wet was it?", vec![search, text("650 g.")], "").await;
    assert_eq!(found.memory.metrics.faults.looked_up, 1);
    let nothing = call("search_efforts", json!({"query": "Ouagadougou"}));
    let none = bench.turn("And now?", vec![nothing, text("Nothing.")], "").await;
    assert_eq!(none.memory.metrics.faults.looked_up, 1, "what stands in the window is not missing");
    // An everyday word is said somewhere, and nothing of it is an answer.
    let nothing = call("search_efforts", json!({"query": "too many of the cats"}));
    let none = bench.turn("And then?", vec![nothing, text("Nothing.")], "").await;
    assert_eq!(none.memory.metrics.faults.looked_up, 1, "what nothing was found of is not missing");
    let expand = call("expand_effort", json!({"id": "bread"}));
    let opened = bench.turn("Show it", vec![expand, text("There.")], "").await;
    assert_eq!(opened.memory.metrics.faults.looked_up, 2);
    bench.close().await;
}

#[tokio::test]
async fn what_was_recalled_for_the_answer_is_no_fault() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = bench(dir.path(), "600");
    assert_eq!(say(&mut bench, QUESTION, "94 seconds.").await, faults(0, 0, 0));
    // It had what was there to be had, and knew nothing all the same.
    let of_bread = "How many g of water went into the dough for a kilo of flour?";
    assert_eq!(say(&mut bench, of_bread, "I don't know.").await, faults(0, 0, 0));
    bench.close().await;
}

#[tokio::test]
async fn faults_are_in_the_journal_in_stats_and_outlive_a_restart() {
    let home = Home::new();
    let dir = home.path("data/ebbtide/sessions/one");
    let mut bench = bench(&dir, "0");
    say(&mut bench, QUESTION, "I don't know.").await;
    say(&mut bench, "Nice weather today", "It is.").await;
    bench.close().await;
    let journal = std::fs::read_to_string(dir.join("journal.jsonl")).unwrap();
    let lines = journal.lines().filter(|line| line.contains("\"faults\":[0,"));
    assert_eq!(lines.count(), 1, "only the turn that missed something says so");
    let stats = |form: &[&str]| {
        let (out, err, code) = home.run(&[&["stats", "-s", "one"], form].concat(), &[]);
        assert_eq!(code, 0, "{err}");
        out
    };
    let page_faults = "0 looked up, 0 mentioned and not recalled, 1 answered without what is there";
    assert!(stats(&[]).contains(page_faults), "{}", stats(&[]));
    let numbers: Value = serde_json::from_str(&stats(&["--json"])).unwrap();
    assert_eq!(numbers["metrics"]["page_faults"]["unanswered"], 1);
    let table = stats(&["--csv"]);
    let last: Vec<&str> = table.lines().filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(last, ["page_faults", "1", "0"], "{table}");
}

/// What was asked and what it took, with so much recall.
async fn played(recall_tokens: &str) -> (Vec<Value>, Vec<TurnReport>) {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    // It does not say what it counted: one that counts otherwise moves what was read with what was not.
    let answer =
        json!({"choices": [{"index": 0, "delta": {"content": "I see."}, "finish_reason": "stop"}]});
    let server =
        Server::following(move |_| Reply::chunks([answer.clone()]).then("data: [DONE]\n\n"));
    let endpoint = Endpoint::new(server.base_url(), "strict");
    let set = [("recall_tokens", recall_tokens)];
    let (handle, mut notices) = drive_with(dir.path(), client(endpoint), &set);
    // Something that stands in front of the newest words in any case.
    let note =
        ebbtide::tools::parse("remember", "{\"content\":\"the ferry leaves at nine\"}").unwrap();
    handle.send(Op::Run(note));
    while !matches!(notices.recv().await, Some(Notice::CommandDone { ok: true, .. })) {}
    let mut reports = Vec::new();
    // One that mentions the effort, with recall or without.
    let question = &format!("As for the auth-bug: {QUESTION}");
    for message in ["Nice weather today", question, "Thanks a lot", "I had pasta for lunch"] {
        handle.send(Op::Send(message.to_owned()));
        reports.push(outcome(&mut notices).await.unwrap());
    }
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
    (server.requests(), reports)
}

#[tokio::test]
async fn recall_costs_no_more_than_what_it_recalls() {
    let (with, on) = played("600").await;
    let (without, off) = played("0").await;
    let recalled = |report: &TurnReport| report.sent.of(ebbtide::memory::Layer::Recalled).0;
    let of_all: u64 = on.iter().map(recalled).sum();
    assert!(of_all > 0, "nothing was recalled");
    assert_eq!(off.iter().map(recalled).sum::<u64>(), 0);
    // What stands in front of the newest message, and is cached, is the same to the letter.
    let front = |request: &Value| {
        let messages = request["messages"].as_array().unwrap();
        (messages[..messages.len() - 1].to_vec(), request["tools"].clone())
    };
    assert_eq!(with.len(), without.len());
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(front(with), front(without));
    }
    let sum = |reports: &[TurnReport]| {
        let all = reports.iter().map(|report| report.sent.total().0).sum::<u64>();
        let mut paid = Paid::default();
        for report in reports {
            paid += report.bill.own;
        }
        (all, paid)
    };
    let ((all_on, paid_on), (all_off, paid_off)) = (sum(&on), sum(&off));
    assert!(
        all_on <= all_off + of_all,
        "{all_on} tokens sent, {all_off} without, {of_all} recalled"
    );
    assert!(paid_on.read >= paid_off.read, "{paid_on:?} {paid_off:?}");
    assert!(paid_on.prompt() <= paid_off.prompt() + of_all, "{paid_on:?} {paid_off:?} {of_all}");
}
