//! How an answer ended is told to the person, and half an answer never passes for a whole one.

use std::sync::Arc;

use ebbtide::llm::{Endpoint, Model, OpenAi};
use ebbtide::orchestrator::{Handle, Notice, Op, Stopped, TurnReport};
use ebbtide::tools::Call;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::drive;
use super::support::server::{Reply, Server, chunk, content};

fn client(server: &Server) -> Arc<dyn Model> {
    Arc::new(OpenAi::new(Endpoint::new(server.base_url(), "test-model")).unwrap())
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
}

#[tokio::test]
async fn a_summary_that_is_not_whole_is_not_taken() {
    for reason in ["length", "content_filter"] {
        let server = Server::following(move |request| match request["tools"] {
            Value::Null => Reply::answer(vec![content("Half.")], reason),
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
