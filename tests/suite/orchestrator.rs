//! The driver over a real session: what it writes, what it sends, and what a failure may not do.
//!
//! Where the success criteria of the seeds are shown:
//!
//! | criterion | test |
//! |---|---|
//! | 1: opens and closes by tool call on plain language | `lifecycle::*`, `exchanges_go_to_the_log_of_their_effort` |
//! | 1: exchanges captured to the effort's log, ambient ones to raw.jsonl | `exchanges_go_to_the_log_of_their_effort` |
//! | 1: summary in the manifest, raw log out of the context | `exchanges_go_to_the_log_of_their_effort`, `proofs` |
//! | 1: context = ambient + summaries + open raw | `memory::tests::an_open_effort_is_raw_and_a_concluded_one_is_its_summary` |
//! | 1: about 80 % less on conclusion | `proofs` (1) |
//! | 3: turn counter, keywords, references, reset, banner, independence, open efforts | `memory::tests`, `memory::words::tests` |
//! | 3: collapse on exactly the third turn, re-expansion, metrics | `proofs` (3), `memory::tests` |
//! | 4: eviction, manifest kept, reset, ambient window, raw.jsonl kept | `memory::tests`, `proofs` (4) |
//! | 4: search finds the evicted, model calls it, bounded ceiling | `proofs` (4), `lifecycle::*` |

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ebbtide::llm::scripted::ScriptedAnswer;
use ebbtide::llm::{Error, Model};
use ebbtide::memory::{CountTokens, EffortId, Tokens};
use ebbtide::orchestrator::{EffortCommand, ItemRef, Notice, Op};
use ebbtide::tokens::Cl100k;
use ebbtide::tools::Call;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{Bench, call, drive, drive_with, outcome, text};
use super::support::server::{Reply, Server, content};

fn failure() -> ScriptedAnswer {
    let error = Error::Cut { address: "the server".into() };
    ScriptedAnswer { text: "half an ans".into(), error: Some(error), ..ScriptedAnswer::default() }
}

fn read(directory: &Path, file: &str) -> String {
    fs::read_to_string(directory.join(file)).unwrap_or_default()
}

#[tokio::test]
async fn exchanges_go_to_the_log_of_their_effort() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    bench.turn("hello", vec![text("hi")], "").await;
    let open = vec![call("open_effort", json!({ "name": "auth-bug" })), text("opened")];
    bench.turn("let's debug the auth bug", open, "").await;
    let long = "the token expires ".repeat(30);
    bench.turn(&long, vec![text("which one")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    let report = bench.turn("that fixed it", close, "Token expired; refreshed.").await;
    assert_eq!(report.banners, ["--- Concluded effort: auth-bug ---"]);
    bench.turn("bye", vec![text("see you")], "").await;
    bench.close().await;
    let ambient = read(dir.path(), "raw.jsonl");
    assert_eq!(ambient.lines().count(), 4, "{ambient}");
    assert!(ambient.contains("hello") && ambient.contains("see you"));
    let journal = read(dir.path(), "journal.jsonl");
    assert_eq!(journal.matches("\"by the model\"").count(), 2, "who opened and closed: {journal}");
    let worked = read(dir.path(), "efforts/auth-bug.jsonl");
    assert_eq!(worked.lines().count(), 6, "opening and closing belong to it: {worked}");
    assert!(worked.contains("that fixed it") && !worked.contains("---"), "no banner: {worked}");
    let manifest = read(dir.path(), "manifest.yaml");
    assert!(
        manifest.contains("status: concluded") && manifest.contains("Token expired; refreshed.")
    );
}

#[tokio::test]
async fn what_begins_a_topic_is_in_the_next_request_also_where_it_concludes_another_one() {
    let (close, open) = ("close_effort", "open_effort");
    let server = Server::replying([
        Reply::calls(&[(open, json!({ "name": "parser" }))]),
        Reply::text("Where does it fail?"),
        Reply::calls(&[(close, json!({})), (open, json!({ "name": "invoices" }))]),
        Reply::text("The parser lost quotes; it counts them now."),
        Reply::text("Which columns?"),
        Reply::text("Noted."),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let nothing_recalled = [("recall_tokens", "0")];
    let (handle, mut notices) = drive_with(dir.path(), client(&server), &nothing_recalled);
    let work = format!("Let's mend the parser. {}", "It loses quotes. ".repeat(40));
    let turns = "That is mended. Now the invoices: amounts are decimal(12,2).";
    for (message, log) in [(&*work, "parser"), (turns, "invoices"), ("Add a currency.", "invoices")]
    {
        handle.send(Op::Send(message.into()));
        let report = outcome(&mut notices).await.unwrap();
        assert_eq!(report.log.as_ref().map(EffortId::as_str), Some(log));
    }
    let requests = server.requests();
    let summary = requests[3].to_string();
    assert!(summary.contains("It loses quotes.") && !summary.contains(turns), "{summary}");
    let given = requests[5]["messages"].to_string();
    assert!(given.contains(turns) && given.contains("Which columns?"), "{given}");
    assert!(given.contains("it counts them now") && !given.contains(work.trim()), "{given}");
    let lines = |name| read(dir.path(), &format!("efforts/{name}.jsonl")).lines().count();
    assert_eq!((lines("parser"), lines("invoices")), (2, 4));
}

#[tokio::test]
async fn a_failed_request_keeps_the_words_and_ages_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    bench.turn("hello", vec![text("hi")], "").await;
    for _ in 0..25 {
        let stopped = bench.try_turn("precious words", vec![failure()], "").await.unwrap_err();
        assert_eq!((&*stopped.user, &*stopped.partial), ("precious words", "half an ans"));
        assert!(stopped.error.unwrap().contains("cut off"));
    }
    let report = bench.turn("precious words", vec![text("fine")], "").await;
    assert_eq!(report.turn.0, 2);
    bench.close().await;
    assert!(read(dir.path(), "journal.jsonl").contains("precious words"));
    assert_eq!(read(dir.path(), "raw.jsonl").matches("precious words").count(), 1);
}

#[tokio::test]
async fn a_failure_in_round_two_keeps_what_the_tool_did_and_the_words() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let answers = vec![call("open_effort", json!({ "name": "auth-bug" })), failure()];
    let stopped = bench.try_turn("let's debug it", answers, "").await.unwrap_err();
    assert_eq!(&*stopped.user, "let's debug it");
    let report = bench.turn("again", vec![text("yes")], "").await;
    assert_eq!(report.memory.open[0].id.as_str(), "auth-bug");
    bench.close().await;
    assert!(read(dir.path(), "journal.jsonl").contains("let's debug it"));
    assert!(read(dir.path(), "efforts/auth-bug.jsonl").contains("again"));
}

#[tokio::test]
async fn a_call_that_makes_no_sense_gets_an_error_and_never_ends_the_turn() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    for (name, arguments, words) in [
        ("open_effort", json!("{\"name\": "), "not valid JSON"),
        ("open_effort", json!({}), "needs the argument 'name'"),
        ("open_effort", json!({ "name": "🦀" }), "at least one letter"),
        ("make_tea", json!({}), "there is no tool"),
        ("remember", json!({ "content": "word ".repeat(1_400_000) }), "too long"),
        ("expand_effort", json!({ "id": "nothing" }), "there is no effort"),
        ("close_effort", json!({}), "no effort is open"),
    ] {
        let report = bench.turn("do it", vec![call(name, arguments), text("I see.")], "").await;
        let error = report.calls[0].result["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
        assert_eq!(&*report.reply, "I see.");
    }
    bench.close().await;
}

#[tokio::test]
async fn a_person_is_told_what_to_type_and_the_model_what_to_call() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let id = |id: &str| id.to_owned();
    let expand = || Op::Run(Call::ExpandEffort { id: id("nothing"), messages: None });
    let open = || Op::Run(Call::OpenEffort { name: id("tea") });
    for (op, way_out) in [
        (Op::Run(Call::CloseEffort { id: None }), "/open NAME"),
        (Op::Compress(None), "/open NAME"),
        (expand(), "/search WORDS"),
        (Op::Effort { id: id("nothing"), command: EffortCommand::Pin }, "/search WORDS"),
        (Op::Show(ItemRef::Effort(id("nothing"))), "/search WORDS"),
        (Op::Run(Call::ScratchpadReadChunk { key: id("x"), chunk_index: 1 }), "/pad-list"),
        (Op::CopyOut { key: id("x"), path: dir.path().join("x") }, "/pad-list"),
        (open(), "'tea' is open"),
        (open(), "/switch tea"),
    ] {
        let asked = format!("{op:?}");
        let (_, said) = bench.command(op).await;
        assert!(said.contains(way_out), "{asked}: {said}");
        for tool in ebbtide::tools::specs() {
            assert!(!said.contains(tool.name), "{asked} names a tool: {said}");
        }
    }
    for (name, arguments, words) in [
        ("open_effort", json!({ "name": "tea" }), "call switch_effort(\"tea\")"),
        ("expand_effort", json!({ "id": "nothing" }), "call search_efforts(query)"),
        ("scratchpad_read_chunk", json!({ "key": "x" }), "scratchpad_list shows all"),
    ] {
        let report = bench.turn("do it", vec![call(name, arguments), text("I see.")], "").await;
        let error = report.calls[0].result["error"].as_str().unwrap();
        assert!(error.contains(words), "{error}");
    }
    bench.close().await;
}

#[tokio::test]
async fn names_never_lead_out_of_the_session_and_duplicates_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let session = dir.path().join("inner/session");
    let mut bench = Bench::open(&session);
    let long = "x".repeat(300);
    for name in ["../../etc/evil", "/absolute/path", &long, "42"] {
        let open = vec![call("open_effort", json!({ "name": name })), text("ok")];
        assert!(bench.turn("open it", open, "").await.calls[0].ok, "{name}");
    }
    let numeric = vec![call("switch_effort", json!({ "id": "etc-evil" })), text("ok")];
    assert!(bench.turn("switch", numeric, "").await.calls[0].ok);
    let twice = vec![call("open_effort", json!({ "name": 42 })), text("ok")];
    let error = bench.turn("again", twice, "").await.calls[0].result["error"].to_string();
    assert!(error.contains("already open"), "{error}");
    bench.close().await;
    let outside: Vec<_> = fs::read_dir(dir.path().join("inner")).unwrap().collect();
    assert_eq!(outside.len(), 1, "only the session itself");
    let logs = fs::read_dir(session.join("efforts")).unwrap().count();
    assert_eq!(logs, 4);
    let mut again = Bench::open(&session);
    let report = again.turn("hello", vec![text("hi")], "").await;
    assert_eq!(report.memory.open.len(), 4, "all of them open again");
    again.close().await;
}

#[tokio::test]
async fn a_summary_must_be_smaller_is_asked_for_twice_and_else_the_effort_stays_open() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({ "name": "auth-bug" })), text("opened")];
    bench.turn("let's debug", open, "").await;
    let close = || vec![call("close_effort", json!({})), text("done")];
    let too_long = "many words ".repeat(200);
    bench.turn(&"the token expires ".repeat(60), vec![text("yes")], "").await;
    let report = bench.turn("close it", close(), &format!("{too_long}|{too_long}")).await;
    let error = report.calls[0].result["error"].as_str().unwrap();
    assert!(error.contains("a summary must be smaller") && error.contains("stays open"), "{error}");
    let report = bench.turn("close it", close(), &format!("{too_long}|Short.")).await;
    assert_eq!(report.calls[0].result["summary"], "Short.");
    bench.close().await;
}

#[tokio::test]
async fn a_summary_over_a_hundred_tokens_is_asked_for_once_more_and_then_taken_with_a_word() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let (long, longer) = ("many words ".repeat(80), "more words ".repeat(90));
    let short = "The token expired; an interceptor refreshes it.";
    let given = [
        ("one", format!("{longer}|{short}"), short, false),
        ("two", format!("{longer}|{long}"), long.trim(), true),
        ("three", format!("{long}|{longer}"), long.trim(), true),
        ("four", format!("{longer}|"), longer.trim(), true),
        ("five", short.to_owned(), short, false),
    ];
    for (name, summaries, taken, is_told) in given {
        let open = vec![call("open_effort", json!({ "name": name })), text("opened")];
        bench.turn(&"the token expires ".repeat(120), open, "").await;
        let close = vec![call("close_effort", json!({})), text("done")];
        let (reply, notes) = bench.turn_with_notes("close it", close, &summaries).await;
        assert_eq!(reply.calls[0].result["summary"], taken, "{name}");
        let told = notes.iter().any(|note| note.contains("tokens instead of 100 at most"));
        assert_eq!(told, is_told, "{name}: {notes:?}");
    }
    bench.close().await;
}

#[tokio::test]
async fn the_manifest_tells_the_size_of_an_open_log() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({ "name": "pumps" })), text("opened")];
    bench.turn("let's look at the pumps", open, "").await;
    let report = bench.turn("the first one is loud", vec![text("since when?")], "").await;
    let tokens = report.memory.open[0].raw_tokens.unwrap();
    bench.close().await;
    let manifest = read(dir.path(), "manifest.yaml");
    let told = format!("raw_tokens: {tokens}\n    raw_messages: 4\n");
    assert!(tokens.0 > 0 && manifest.contains(&told), "{manifest}");
}

#[tokio::test]
async fn a_short_log_stands_for_itself_and_a_reopened_one_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({ "name": "tiny" })), text("opened")];
    bench.turn("let's do it", open, "").await;
    let long = "a summary that is longer than what it stands for ".repeat(4);
    let close = vec![call("close_effort", json!({})), text("done")];
    let report = bench.turn("done", close, &long).await;
    let summary = report.calls[0].result["summary"].as_str().unwrap();
    assert!(summary.contains("let's do it") && summary.contains("opened"), "{summary}");
    bench.handle.send(Op::Run(Call::ReopenEffort { id: "tiny".into() }));
    let report = bench.turn("more of it", vec![text("yes")], "").await;
    assert_eq!(report.memory.open[0].id.as_str(), "tiny");
    bench.close().await;
    let whole = read(dir.path(), "efforts/tiny.jsonl");
    assert!(whole.contains("Reopened effort: tiny") && whole.lines().count() == 7, "{whole}");
    assert!(
        read(dir.path(), "journal.jsonl").contains("let's do it opened"),
        "the old summary stays"
    );
}

#[tokio::test]
async fn a_model_that_never_stops_calling_gets_one_last_request_without_tools() {
    let server = Server::following(|request| match request["tool_choice"].as_str() {
        Some("none") => Reply::text("Enough."),
        _ => Reply::calls(&[("effort_status", json!({}))]),
    });
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Send("go".into()));
    let report = outcome(&mut notices).await.unwrap();
    assert_eq!((report.requests, report.calls.len(), &*report.reply), (9, 8, "Enough."));
}

/// To send the message again would run its tools again.
#[tokio::test]
async fn a_model_that_falls_silent_behind_its_tools_is_asked_once_more_for_words() {
    let silent = || Reply::answer(vec![], "stop");
    for last in [Some("Opened."), None] {
        let called = Reply::calls(&[("open_effort", json!({ "name": "tea" }))]);
        let server = Server::replying([called, silent(), last.map_or_else(silent, Reply::text)]);
        let dir = tempfile::tempdir().unwrap();
        let (handle, mut notices) = drive(dir.path(), client(&server));
        handle.send(Op::Send("open it".into()));
        match (outcome(&mut notices).await, last) {
            (Ok(report), Some(words)) => assert_eq!((&*report.reply, report.requests), (words, 3)),
            (Err(stopped), None) => assert!(stopped.error.unwrap().contains("no answer text")),
            (other, _) => panic!("{last:?}: {other:?}"),
        }
        let choices: Vec<bool> =
            server.requests().iter().map(|one| one["tool_choice"] == "none").collect();
        assert_eq!(choices, [false, false, true]);
    }
}

#[tokio::test]
async fn a_model_that_reasons_until_its_length_ends_is_told_apart_with_the_way_out() {
    let thought = json!({ "choices": [{ "index": 0, "delta": { "reasoning_content": "hm" } }] });
    let server = Server::replying([Reply::answer(vec![thought], "length")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Send("think".into()));
    let stopped = outcome(&mut notices).await.unwrap_err();
    assert!(stopped.error.unwrap().contains("with reasoning alone"));
    assert!(stopped.advice.contains("/effort"), "{}", stopped.advice);
}

/// The notices of a turn up to its end.
async fn told(notices: &mut UnboundedReceiver<Notice>) -> Vec<Notice> {
    let mut told = Vec::new();
    while let Some(notice) = notices.recv().await {
        let is_last = matches!(notice, Notice::TurnEnded(_) | Notice::TurnStopped(_));
        told.push(notice);
        if is_last {
            break;
        }
    }
    told
}

#[tokio::test]
async fn reasoning_of_which_only_the_end_is_marked_is_taken_back_and_not_kept() {
    let server = Server::replying([Reply::text("Okay.\nLet me see.</think>It is blue.")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Send("which colour".into()));
    let told = told(&mut notices).await;
    assert!(told.iter().any(|one| matches!(one, Notice::Reworded(text) if text == "It is blue.")));
    let Some(Notice::TurnEnded(report)) = told.last() else { panic!("{told:?}") };
    assert_eq!(&*report.reply, "It is blue.");
    assert!(!read(dir.path(), "raw.jsonl").contains("Let me see"));
}

#[tokio::test]
async fn of_a_turn_that_fails_the_last_complete_request_is_told_as_its_server_counted_it() {
    let called = Reply::calls(&[("effort_status", json!({}))]);
    let server = Server::replying([called, Reply::status(400, "no")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Send("how is it".into()));
    let told = told(&mut notices).await;
    let [.., Notice::Measured(measured), Notice::TurnStopped(_)] = &told[..] else {
        panic!("{told:?}")
    };
    assert!(measured.usage.is_some_and(|usage| usage.prompt > 1_000), "{measured:?}");
}

#[tokio::test]
async fn a_cancelled_turn_keeps_what_came_and_the_next_request_is_a_good_one() {
    let server =
        Server::replying([Reply::chunks([content("the first words")]).hang(), Reply::text("fine")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Send("tell me".into()));
    while !matches!(notices.recv().await, Some(Notice::Text(text)) if text.contains("words")) {}
    handle.send(Op::Send("and this waits".into()));
    handle.send(Op::Cancel);
    let stopped = outcome(&mut notices).await.unwrap_err();
    assert_eq!(stopped.error, None);
    assert_eq!(&*stopped.partial, "the first words");
    let report = outcome(&mut notices).await.unwrap();
    assert_eq!((&*report.user, &*report.reply, report.turn.0), ("and this waits", "fine", 1));
}

#[tokio::test]
async fn an_item_is_shown_in_full_while_a_reply_is_written() {
    let server =
        Server::replying([Reply::text("fine"), Reply::chunks([content("the first words")]).hang()]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    handle.send(Op::Run(Call::OpenEffort { name: "roof".into() }));
    handle.send(Op::Send("hello".into()));
    outcome(&mut notices).await.unwrap();
    handle.send(Op::Send("tell me".into()));
    while !matches!(notices.recv().await, Some(Notice::Text(text)) if text.contains("words")) {}
    handle.send(Op::Show(ItemRef::Effort("roof".into())));
    while !matches!(notices.recv().await.unwrap(), Notice::Detail(detail) if detail.title == "roof")
    {
    }
    handle.send(Op::Cancel);
    outcome(&mut notices).await.unwrap_err();
}

#[tokio::test]
async fn the_layers_are_exactly_what_the_server_receives() {
    let server = Server::following(|_| Reply::text("It is so, I think."));
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    let counter = Cl100k::lazy();
    for (number, name) in ["auth bug", "Größe & Maß", "設計", "x"].into_iter().enumerate() {
        handle.send(Op::Run(Call::OpenEffort { name: name.into() }));
        handle.send(Op::Send(format!("Some words on it, number {number}:\n\n- one\n- two  ")));
        let report = outcome(&mut notices).await.unwrap();
        let request = server.requests().pop().unwrap();
        let messages = request["messages"].as_array().unwrap();
        let contents = messages.iter().map(|message| message["content"].as_str().unwrap());
        let said: Tokens = contents.map(|content| counter.count(content)).sum();
        let tools = counter.count(&request["tools"].to_string());
        assert_eq!(said + tools, report.sent.total());
    }
}

fn client(server: &Server) -> Arc<dyn Model> {
    let endpoint = ebbtide::llm::Endpoint::new(server.base_url(), "strict");
    Arc::new(ebbtide::llm::Client::new(endpoint).expect("a good address"))
}

#[tokio::test]
async fn a_repair_while_the_session_is_open_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "auth"})), text("opened")];
    bench.turn("let's look at it", open, "").await;
    bench
        .turn("done", vec![call("close_effort", json!({})), text("closed")], "It is mended.")
        .await;
    bench.close().await;

    let mut bench = Bench::open(dir.path());
    bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    let log = std::fs::OpenOptions::new().append(true).open(dir.path().join("efforts/auth.jsonl"));
    std::io::Write::write_all(&mut log.unwrap(), b"{\"role\": \"user\", \"cont").unwrap();
    bench.handle.send(Op::Run(Call::ReopenEffort { id: "auth".into() }));
    bench.handle.send(Op::Shutdown);
    let mut told = Vec::new();
    while let Some(notice) = bench.notices.recv().await {
        if let Notice::Info(text) = notice {
            told.push(text);
        }
    }
    assert!(told.iter().any(|text| text.contains("auth.jsonl.torn-1")), "{told:?}");
}

#[tokio::test]
async fn a_search_a_status_and_an_expansion_refresh_the_effort_that_they_are_about() {
    for (name, arguments, refreshed) in [
        ("search_efforts", json!({"query": "expired token"}), 4),
        ("search_efforts", json!({"query": "expired token", "page": 2}), 2),
        ("expand_effort", json!({"id": "auth-bug"}), 4),
        ("effort_status", json!({"id": "auth-bug"}), 4),
        ("effort_status", json!({}), 2),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut bench = Bench::open(dir.path());
        let open = vec![call("open_effort", json!({"name": "auth-bug"})), text("opened")];
        bench.turn(&"the token expires ".repeat(60), open, "").await;
        let close = vec![call("close_effort", json!({})), text("closed")];
        bench.turn("it is mended", close, "An expired token, refreshed now.").await;
        bench.turn("nice weather", vec![text("so it is")], "").await;
        let asked = format!("{name} {arguments}");
        let answers = vec![call(name, arguments), text("there")];
        let memory = bench.turn("have a look", answers, "").await.memory;
        let item = memory.warm.iter().chain(&memory.expanded).next().unwrap();
        assert_eq!((item.id.as_str(), item.last_referenced.0), ("auth-bug", refreshed), "{asked}");
        bench.close().await;
    }
}
