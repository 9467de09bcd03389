//! Large texts through the driver and the built program: stored whole, shown by pointer and preview, read
//! by parts, and never in a request beyond the budget.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use ebbtide::memory::{Layer, Tokens};
use ebbtide::orchestrator::Op;
use ebbtide::tools::Call;
use serde_json::{Value, json};

use super::support::driver::{Bench, call, text};

/// A text of so many lines, each of some ten tokens, with a fact in its middle.
fn long_text(lines: usize) -> String {
    let mut all: Vec<String> =
        (0..lines).map(|n| format!("Entry {n}: the pump ran at {} bar.", n % 7)).collect();
    all[lines / 2] = "Entry X: valve 9 was replaced by Ingrid.".into();
    all.join("\n")
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).unwrap_or_default()
}

#[tokio::test]
async fn a_large_input_is_stored_whole_and_shown_by_pointer_and_preview() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let paste = long_text(3_000);
    let search = call("scratchpad_search", json!({"query": "who replaced valve 9"}));
    let report = bench.turn(&paste, vec![search, text("Ingrid did.")], "").await;
    assert_eq!(*report.user, *paste, "reported as typed");
    assert!(report.banners[0].starts_with("--- Saved to scratchpad: ref:input (Entry 0: the pump"));
    assert!(report.sent.total() < Tokens(4_000), "{:?}", report.sent);
    let hit = &report.calls[0].result["results"][0];
    assert_eq!(hit["snippet"], "Entry X: valve 9 was replaced by Ingrid.");
    let number = hit["chunk_index"].clone();
    let chunk = call("scratchpad_read_chunk", json!({"key": "ref:input", "chunk_index": number}));
    let report = bench.turn("show me", vec![chunk, text("here")], "").await;
    let content = report.calls[0].result["content"].as_str().unwrap();
    assert!(content.contains("valve 9 was replaced") && content.len() < 3_100, "{content}");
    assert!(report.memory.layers.of(Layer::Scratchpad) > Tokens(0));
    let log = read(dir.path(), "raw.jsonl");
    let logged: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(logged["content"], paste.as_str(), "the log holds what was typed");
    assert_eq!(read(dir.path(), "scratchpad/input.txt"), paste);
    let before = report.memory.layers;
    bench.close().await;
    let mut bench = Bench::open(dir.path());
    bench.turn = 2;
    let report = bench.turn("and now", vec![text("yes")], "").await;
    assert_eq!(report.sent.of(Layer::Scratchpad), before.of(Layer::Scratchpad));
    let growth = report.sent.total().saturating_sub(before.total());
    assert!(growth < Tokens(10), "after a restart the window is the same: {growth}");
    bench.close().await;
}

#[tokio::test]
async fn a_failed_turn_gives_the_whole_text_back_and_stores_it_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let paste = long_text(1_000);
    let stopped = bench.try_turn(&paste, Vec::new(), "").await.unwrap_err();
    assert_eq!(*stopped.user, *paste);
    let report = bench.turn(&paste, vec![text("thanks")], "").await;
    assert_eq!(report.memory.scratchpad.1, 1);
    bench.close().await;
}

#[tokio::test]
async fn a_large_tool_result_becomes_a_pointer_but_a_chunk_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "pumps"})), text("opened")];
    bench.turn("let's look at the pumps", open, "").await;
    bench.turn(&long_text(100), vec![text("noted")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    let summary = "The pump ran. ".repeat(300);
    bench.turn("done", close, &format!("{summary}|{summary}")).await;
    let status = vec![call("effort_status", json!({"id": "pumps"})), text("that is all")];
    let report = bench.turn("how does it stand?", status, "").await;
    let result = report.calls[0].result["result"].as_str().unwrap();
    assert!(result.starts_with("[Full result saved as ref:effort-status: "), "{result}");
    let stored = report.memory.scratchpad.1;
    let list = call("scratchpad_list", json!({}));
    let chunk = call("scratchpad_read_chunk", json!({"key": "effort-status"}));
    let report = bench.turn("look", vec![list, chunk, text("ok")], "").await;
    assert!(report.calls[1].result["content"].as_str().unwrap().contains("The pump ran."));
    assert_eq!(report.memory.scratchpad.1, stored, "what reads the scratchpad is not put on it");
    bench.close().await;
}

#[tokio::test]
async fn the_model_saves_and_copies_by_reference_and_hears_of_mistakes() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let save =
        |key: &str, content: &str| call("scratchpad_save", json!({"key": key, "content": content}));
    let calls = vec![
        save("plan", "first this\nthen that"),
        save("copy", "ref:plan"),
        save("../x", "no"),
        save("plan", "again"),
        call("scratchpad_read_chunk", json!({"key": "copy"})),
        call("scratchpad_read_chunk", json!({"key": "gone"})),
        call("scratchpad_read_chunk", json!({"key": "plan", "chunk_index": 2})),
        text("done"),
    ];
    let report = bench.turn("keep it", calls, "").await;
    let result = |nth: usize| report.calls[nth].result.to_string();
    assert!(result(0).contains("ref:plan") && result(1).contains("ref:copy"));
    assert!(result(2).contains("cannot be a key"), "{}", result(2));
    assert!(result(3).contains("exists already"), "{}", result(3));
    assert_eq!(report.calls[4].result["content"], "first this\nthen that");
    assert!(result(5).contains("there is no ref:gone"), "{}", result(5));
    assert!(result(6).contains("its chunks are 1 to 1"), "{}", result(6));
    bench.close().await;
}

#[tokio::test]
async fn a_reference_in_any_argument_is_resolved_when_the_tool_runs_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let save =
        |key: &str, content: &str| call("scratchpad_save", json!({"key": key, "content": content}));
    let resolved = vec![
        save("facts", "The code freeze is on Friday."),
        save("labels", "decision, ops\nplan"),
        save("name", "Auth Bug"),
        save("large", &"The pump ran. ".repeat(200)),
        call("remember", json!({"content": "ref:facts", "tags": ["ref:labels", "own"]})),
        call("open_effort", json!({"name": "ref:name"})),
        call("effort_status", json!({"id": "ref:name"})),
        call("search_efforts", json!({"query": "ref:facts"})),
    ];
    let first = bench.turn("note it", [resolved, vec![text("done")]].concat(), "").await;
    let refused = vec![
        call("remember", json!({"content": "ref:large"})),
        call("remember", json!({"content": "ref:gone"})),
        call("remember", json!({"content": "x", "tags": "ref:gone"})),
        call("expand_effort", json!({"id": "ref:large"})),
        call("scratchpad_save", json!({"key": "b", "content": "x", "description": "ref:large"})),
        call("remember", json!({"content": "The plan is in ref:facts for all."})),
    ];
    let second = bench.turn("and this", [refused, vec![text("done")]].concat(), "").await;
    let found = first.calls[7].result.to_string();
    assert!(found.contains("The code freeze is on Friday."), "{found}");
    assert_eq!(first.calls[5].result["id"], "auth-bug");
    assert!(first.calls[6].ok, "{}", first.calls[6].result);
    let error = |nth: usize| second.calls[nth].result["error"].as_str().unwrap_or_default();
    for nth in [0, 3, 4] {
        let told = error(nth).contains("send those") && error(nth).contains("ref:large has 2799");
        assert!(told, "{nth}: {}", error(nth));
    }
    assert!(error(1).contains("there is no ref:gone") && error(2).contains("there is no ref:gone"));
    let notes: Vec<_> = second.memory.notes.session.iter().map(|view| &view.note).collect();
    let content: Vec<&str> = notes.iter().map(|note| &*note.content).collect();
    // A mention within a sentence stays a mention: it points the reader there.
    assert_eq!(content, ["The code freeze is on Friday.", "The plan is in ref:facts for all."]);
    let tags: Vec<&str> = notes[0].tags.iter().map(|tag| &**tag).collect();
    assert_eq!(tags, ["decision", "ops", "plan", "own"]);
    bench.close().await;
}

#[tokio::test]
async fn a_file_is_attached_and_written_out_again_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report.txt");
    let content = "Quarterly report.\r\nRevenue rose.\r\n";
    fs::write(&file, content).unwrap();
    let mut bench = Bench::open(&dir.path().join("session"));
    let (ok, said) = bench.command(Op::Attach(file.clone())).await;
    assert!(ok && said.contains("ref:report-txt"), "{said}");
    let out = dir.path().join("out.txt");
    let op = Op::CopyOut { key: "ref:report-txt".into(), path: out.clone() };
    assert!(bench.command(op.clone()).await.0);
    assert_eq!(fs::read_to_string(&out).unwrap(), content);
    assert!(!bench.command(op).await.0, "nothing is overwritten");
    let (ok, said) = bench.command(Op::Attach(file.clone())).await;
    assert!(ok && said.contains("ref:report-txt ("), "the same file is kept once: {said}");
    fs::write(&file, b"\x00\x01").unwrap();
    for (path, words) in [
        (file, "is no text"),
        (dir.path().to_owned(), "is a directory"),
        (dir.path().join("gone"), "cannot read"),
    ] {
        let (ok, said) = bench.command(Op::Attach(path)).await;
        assert!(!ok && said.contains(words), "{said}");
    }
    let listed = bench.command(Op::Run(Call::ScratchpadList { page: 1 })).await.1;
    assert_eq!(listed.lines().count(), 1, "{listed}");
    bench.close().await;
}

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).current_dir(home).args(args);
    command.stdin(std::process::Stdio::null()).output().expect("the program runs")
}

/// One paste of some 30,000 tokens, two results of 20,000 and an open effort of 60,000, under a budget of
/// 8,000; the middle of the paste is found by search and read by chunk.
#[test]
fn a_heavy_conversation_stays_under_a_small_budget() {
    let home = tempfile::tempdir().unwrap();
    let big = |lines| serde_json::to_string(&long_text(lines)).unwrap();
    let messages: Vec<String> = (0..20)
        .map(|n| {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            format!("{{role: {role}, content: {}}}", big(250))
        })
        .collect();
    let scenario = format!(
        "name: heavy\nconfig: {{token_budget: 8000}}\nsetup:\n  efforts:\n    \
         - {{id: pumps, status: open, messages: [{}]}}\n    \
         - {{id: one, summary: {}}}\n    - {{id: two, summary: {}}}\nturns:\n  \
         - user: {}\n    model:\n      - calls: [{{name: scratchpad_search, arguments: {{query: \
         who replaced valve 9}}}}]\n      - text: Ingrid.\n  \
         - user: how do they stand\n    model:\n      \
         - calls: [{{name: effort_status, arguments: {{id: one}}}}, {{name: effort_status, \
         arguments: {{id: two}}}}]\n      - text: well\n  \
         - {{repeat: 3, user: go on, model: [{{text: 'ok {{n}}'}}]}}\n",
        messages.join(", "),
        big(1_800),
        big(1_800),
        big(2_700),
    );
    fs::write(home.path().join("s.yaml"), scenario).unwrap();
    let output = run(home.path(), &["play", "s.yaml", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let turns: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for turn in turns.iter().filter(|turn| !turn["turn"].is_null()) {
        for layers in ["sent", "answered", "window"] {
            assert!(turn[layers]["total"].as_u64().unwrap() <= 8_000, "{}", turn[layers]);
        }
    }
    assert!(turns[0]["full_history"].as_u64().unwrap() > 80_000);
    let hit = &turns[0]["calls"][0]["result"]["results"][0];
    assert_eq!(hit["snippet"], "Entry X: valve 9 was replaced by Ingrid.");
    for call in turns[1]["calls"].as_array().unwrap() {
        let result = call["result"]["result"].as_str().unwrap();
        assert!(result.starts_with("[Full result saved as ref:"), "{result}");
    }
}

#[tokio::test]
async fn a_search_in_large_texts_can_be_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("large.txt");
    fs::write(&file, "the brown fox jumps over port 8080\n".repeat(2_000)).unwrap();
    let mut bench = Bench::open(&dir.path().join("session"));
    let (ok, said) = bench.command(Op::Attach(file)).await;
    assert!(ok, "{said}");
    let search = Op::Run(Call::ScratchpadSearch { query: "brown fox".into(), key: None });
    bench.handle.send(search);
    let (ok, said) = bench.command(Op::Cancel).await;
    assert!(!ok, "{said}");
    let search = Op::Run(Call::ScratchpadSearch { query: "brown fox".into(), key: None });
    let (ok, said) = bench.command(search).await;
    assert!(ok && said.contains("brown fox"), "{said}");
    bench.close().await;
}

#[tokio::test]
async fn numbers_and_short_words_are_found_in_large_texts() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("large.txt");
    let lines = ["the retry count is 42 now", "the port is 80 here", "go to the db", "what it was"];
    fs::write(&file, lines.join("\n") + &"\nfiller line 421".repeat(2_000)).unwrap();
    let mut bench = Bench::open(&dir.path().join("session"));
    assert!(bench.command(Op::Attach(file)).await.0);
    for (query, line) in ["42", "port 80", "the DB", "was it"].into_iter().zip(lines) {
        let search = Op::Run(Call::ScratchpadSearch { query: query.into(), key: None });
        let (ok, said) = bench.command(search).await;
        assert!(ok && said.contains(line), "{query}: {said}");
    }
    let search = Op::Run(Call::ScratchpadSearch { query: "43".into(), key: None });
    let (_, said) = bench.command(search).await;
    assert!(said.contains("Nothing holds"), "{said}");
    bench.close().await;
}
