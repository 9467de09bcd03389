//! How an answer ended is told to the person, and half an answer never passes for a whole one.

use std::sync::Arc;

use ebbtide::llm::{Client, Endpoint, Model};
use ebbtide::orchestrator::{
    ExportFormat, Handle, Notice, Op, Stopped, TranscriptKind, TurnReport, export,
};
use ebbtide::tools::Call;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::drive;
use super::support::server::{Reply, Server, chunk, content};

fn client(server: &Server) -> Arc<dyn Model> {
    Arc::new(Client::new(Endpoint::new(server.base_url(), "test-model")).unwrap())
}

/// Sends a message and gives what the turn came to, and what the person was told meanwhile.
async fn turn(
    handle: &Handle,
    notices: &mut UnboundedReceiver<Notice>,
) -> (Result<TurnReport, Stopped>, Vec<String>) {
    handle.send(Op::Send("Tell me.".into()));
    let mut told = Vec::new();
    loop {
        match notices.recv().await.unwrap() {
            Notice::Info(text) => told.push(text),
            Notice::TurnEnded(report) => return (Ok(*report), told),
            Notice::TurnStopped(stopped) => return (Err(stopped), told),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_not_whole_is_kept_and_the_person_is_told() {
    for (reason, words) in [
        ("length", "length limit"),
        ("content_filter", "content filter"),
        ("load", "for a reason that is not known here: \"load\""),
    ] {
        let server = Server::replying([Reply::answer(vec![content("Half of it")], reason)]);
        let dir = tempfile::tempdir().unwrap();
        let (handle, mut notices) = drive(dir.path(), client(&server));
        let (outcome, told) = turn(&handle, &mut notices).await;
        assert_eq!(&*outcome.unwrap().reply, "Half of it", "{reason}");
        assert!(told.iter().any(|told| told.contains(words)), "{reason}: {told:?}");
    }
    let server = Server::replying([Reply::text("All of it")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    assert_eq!(turn(&handle, &mut notices).await.1, Vec::<String>::new());
}

#[tokio::test]
async fn a_reply_that_is_not_whole_is_told_again_whenever_it_is_read() {
    use TranscriptKind::{Assistant, Finish, User};
    for (reason, word, words) in [
        ("max_tokens", "length", "The reply was cut at the model's length limit."),
        ("content_filter", "content_filter", "was cut short by the server's content filter."),
        (
            "load",
            "load",
            "for a reason that is not known here: \"load\". The reply may not be whole.",
        ),
    ] {
        let answer = || Reply::answer(vec![content("Half of it")], reason);
        let server = Server::replying([answer(), Reply::text("All of it")]);
        let dir = tempfile::tempdir().unwrap();
        let (handle, mut notices) = drive(dir.path(), client(&server));
        for _ in 0..2 {
            turn(&handle, &mut notices).await.0.unwrap();
        }
        handle.send(Op::Shutdown);
        while !matches!(notices.recv().await, Some(Notice::Closed)) {}
        let logged = std::fs::read_to_string(dir.path().join("raw.jsonl")).unwrap();
        let marks: Vec<Value> = logged
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["finish_reason"].clone())
            .collect();
        assert_eq!(marks, [Value::Null, word.into(), Value::Null, Value::Null], "{logged}");
        for derived in [true, false] {
            if !derived {
                // As another program would have left it.
                std::fs::remove_file(dir.path().join("journal.jsonl")).unwrap();
            }
            let mut out = Vec::new();
            export(dir.path(), ExportFormat::Markdown, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let (before, after) = text.split_once("Half of it\n\n*").unwrap();
            assert!(after.lines().next().unwrap().ends_with(&format!("{words}*")), "{text}");
            assert!(!before.contains(words) && !after.contains("All of it\n\n*"), "{text}");
            let (handle, mut notices) = drive(dir.path(), client(&server));
            let transcript = loop {
                if let Notice::Opened { transcript, .. } = notices.recv().await.unwrap() {
                    break transcript;
                }
            };
            handle.send(Op::Shutdown);
            while !matches!(notices.recv().await, Some(Notice::Closed)) {}
            let kinds: Vec<TranscriptKind> = transcript.iter().map(|entry| entry.kind).collect();
            assert_eq!(kinds, [User, Assistant, Finish, User, Assistant]);
        }
    }
}

#[tokio::test]
async fn a_reply_that_the_server_broke_off_with_an_error_is_a_failure_that_keeps_the_text() {
    let server = Server::replying([Reply::answer(vec![content("Half of it")], "error")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    let stopped = turn(&handle, &mut notices).await.0.unwrap_err();
    assert_eq!(&*stopped.partial, "Half of it");
    assert!(stopped.error.as_ref().unwrap().contains("reported an error"), "{stopped:?}");
}

#[tokio::test]
async fn a_call_that_the_filter_cut_is_not_run() {
    let function = json!({"name": "open_effort", "arguments": "{\"name\":\"auth\"}"});
    let cut = chunk(json!({"tool_calls": [{"index": 0, "id": "a", "function": function}]}));
    let server =
        Server::replying([Reply::answer(vec![cut], "content_filter"), Reply::text("I see.")]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    let report = turn(&handle, &mut notices).await.0.unwrap();
    let error = report.calls[0].result["error"].as_str().unwrap();
    assert!(error.contains("content filter") && report.memory.open.is_empty(), "{error}");
    assert!(!error.contains("shorter"), "that is no cure: {error}");
}

#[tokio::test]
async fn a_summary_that_is_not_whole_is_not_taken() {
    for reason in ["length", "content_filter"] {
        let server = Server::following(move |request| match request["tool_choice"].as_str() {
            Some("none") => Reply::answer(vec![content("Half.")], reason),
            _ => Reply::text("The token expires after an hour. ".repeat(40)),
        });
        let dir = tempfile::tempdir().unwrap();
        let (handle, mut notices) = drive(dir.path(), client(&server));
        handle.send(Op::Run(Call::OpenEffort { name: "auth".into() }));
        assert!(turn(&handle, &mut notices).await.0.is_ok());
        handle.send(Op::Run(Call::CloseEffort { id: None }));
        let (ok, text) = loop {
            if let Notice::CommandDone { ok, text } = notices.recv().await.unwrap() {
                break (ok, text);
            }
        };
        assert!(!ok && text.contains("stays open") && text.contains("it was cut"), "{text}");
    }
}

/// A server that takes no `tool_choice`, and whose model calls a tool in every answer in which it may, until it is asked
/// to stop.
fn never_without_tools() -> Server {
    Server::following(|request| {
        let last = request["messages"].as_array().unwrap().last().unwrap();
        let asks = |words: &str| last["content"].as_str().unwrap().contains(words);
        if request.get("tool_choice").is_some() {
            let words = "Tool choice is none, but model called a tool";
            return Reply::status(400, &json!({"error": {"message": words}}).to_string());
        }
        if request.get("tools").is_none() || asks("Stop it.") {
            return Reply::text("Words.");
        }
        Reply::calls(&[("effort_status", json!({}))])
    })
}

#[tokio::test]
async fn a_model_that_never_stops_calling_tools_ends_the_turn_with_a_sentence_and_keeps_its_tools()
{
    let server = never_without_tools();
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    let stopped = turn(&handle, &mut notices).await.0.unwrap_err();
    let error = stopped.error.unwrap();
    assert!(error.contains("called tools in all 9 requests of the turn"), "{error}");
    assert!(stopped.advice.contains("/model"), "{}", stopped.advice);
    // The session goes on, a summary is made of the log alone, and the model still has its tools.
    handle.send(Op::Run(Call::OpenEffort { name: "tea".into() }));
    handle.send(Op::Send(format!("Stop it. {}", "Green tea and black tea. ".repeat(40))));
    handle.send(Op::Run(Call::CloseEffort { id: None }));
    let (mut done, mut told) = (0, Vec::new());
    while done < 3 {
        match notices.recv().await.unwrap() {
            Notice::CommandDone { ok, text } => {
                done += 1;
                assert!(ok, "{text}");
            }
            Notice::TurnEnded(report) => {
                done += 1;
                assert_eq!(&*report.reply, "Words.");
            }
            Notice::Info(text) => told.push(text),
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            _ => {}
        }
    }
    assert!(told.iter().all(|text| !text.contains("takes no tools")), "{told:?}");
    let requests = server.requests();
    let chats = requests.iter().filter(|request| !request.to_string().contains("Summarize the"));
    assert!(chats.clone().count() > 9 && chats.clone().all(|one| one.get("tools").is_some()));
}

#[tokio::test]
async fn a_turn_in_which_something_was_said_ends_well_when_the_model_has_no_more_to_say() {
    let calls = [("remember", json!({"content": "the deadline is Friday"}))];
    let nothing = || Reply::answer(vec![], "stop");
    let server = Server::replying([
        Reply::text_and_calls("I noted it.", &calls),
        nothing(),
        Reply::calls(&calls),
        nothing(),
        // Asked once more for words.
        nothing(),
        nothing(),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), client(&server));
    let report = turn(&handle, &mut notices).await.0.unwrap();
    assert_eq!((&*report.reply, report.calls.len()), ("I noted it.", 1));
    // Nobody said anything: it is the model that is told of, and no log of the server.
    for _ in 0..2 {
        let stopped = turn(&handle, &mut notices).await.0.unwrap_err();
        let told = format!("{} {}", stopped.error.unwrap(), stopped.advice);
        assert!(told.contains("the model") && !told.contains("log"), "{told}");
    }
}
