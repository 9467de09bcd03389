//! A whole life in memory over each protocol, against a server that refuses what the real one refuses: open, work,
//! conclude, chat until the summary leaves, recall, expand. What the server reads from its cache is on the bill.

use std::path::Path;

use ebbtide::llm::{Endpoint, Protocol};
use ebbtide::memory::ChangeKind;
use ebbtide::orchestrator::{Handle, Notice, Op, TurnReport};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{client, drive_with, outcome};
use super::support::server::{Reply, Server, said};

/// A protocol with a model that it is spoken with.
type Spoken = (Protocol, &'static str);

const ALL: [Spoken; 5] = [
    (Protocol::Chat, "test-model"),
    // One that takes tools over this protocol only where it need not think.
    (Protocol::Chat, "gpt-6-luna"),
    (Protocol::Responses, "test-model"),
    (Protocol::Messages, "claude-opus-5-5"),
    (Protocol::Ollama, "test-model"),
];

fn start(
    dir: &Path,
    server: &Server,
    (protocol, model): Spoken,
) -> (Handle, UnboundedReceiver<Notice>) {
    let endpoint = Endpoint { protocol, ..Endpoint::new(server.base_url(), model) };
    drive_with(dir, client(endpoint), &[("summary_eviction_threshold", "2")])
}

/// Plays the model: what it says and calls follows from the words of the user.
fn answer(request: &Value) -> Reply {
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let said = said(request);
    if said.contains("The program asks") || request["tools"].is_null() {
        return Reply::text("The refresh token was spent late; client.ts mends it.");
    }
    let call =
        |name: &str, arguments: Value| Reply::text_and_calls("So be it.", &[(name, arguments)]);
    match &*said {
        _ if last["role"] == "tool" => Reply::text("Done."),
        "Let's debug the auth bug" => call("open_effort", json!({"name": "auth bug"})),
        "We are through" => call("close_effort", json!({})),
        "Do you remember?" => call("search_efforts", json!({"query": "refresh token"})),
        "Show it all" => call("expand_effort", json!({"id": "auth-bug"})),
        other => Reply::text(format!("As for {other}")),
    }
}

async fn live(spoken: Spoken) -> (Vec<TurnReport>, Vec<Value>) {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::following(answer);
    let (handle, mut notices) = start(dir.path(), &server, spoken);
    let words = [
        "Let's debug the auth bug",
        "Users get a 401: the secret of src/auth.rs is never used",
        "We are through",
        "Nice weather today",
        "I had pasta for lunch",
        "The train was late",
        "Do you remember?",
        "Show it all",
        "And now?",
    ];
    let mut reports = Vec::new();
    for said in words {
        handle.send(Op::Send(said.to_owned()));
        let report = outcome(&mut notices).await;
        reports.push(report.unwrap_or_else(|stopped| panic!("{spoken:?} {said}: {stopped:?}")));
    }
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
    (reports, server.requests())
}

#[tokio::test]
async fn memory_lives_through_all_of_it_over_every_protocol() {
    for spoken in ALL {
        let (reports, requests) = live(spoken).await;
        let protocol = spoken.0;
        let changes: Vec<ChangeKind> =
            reports.iter().flat_map(|report| &report.changes).map(|change| change.kind).collect();
        for kind in [
            ChangeKind::EffortOpened,
            ChangeKind::EffortConcluded,
            ChangeKind::SummaryEvicted,
            ChangeKind::EffortExpanded,
        ] {
            assert!(changes.contains(&kind), "{protocol:?} {kind:?}: {changes:?}");
        }
        let found = reports[6].calls[0].result.to_string();
        assert!(found.contains("client.ts mends it"), "{protocol:?} {found}");
        assert_eq!(&*reports[8].reply, "As for And now?", "{protocol:?}");
        let last = requests.last().unwrap().to_string();
        assert!(last.contains("the secret of src/auth.rs"), "{protocol:?} {last}");
        let with_tools = requests.iter().filter(|request| request.get("tools").is_some());
        let refused = with_tools.filter(|request| request["reasoning_effort"] != "none").count();
        assert!(spoken.1 != "gpt-6-luna" || refused == 1, "{refused} requests were refused");
        let billed: u64 = reports.iter().map(|report| report.bill.own.read).sum();
        let cached: u64 =
            requests.iter().map(|request| request.to_string().len() as u64 / 4 / 2).sum();
        let tells = matches!(protocol, Protocol::Messages | Protocol::Responses);
        assert!(!tells || billed == cached, "{protocol:?}: {billed} of {cached}");
    }
}

/// A server over Messages that counts as it likes.
fn counting(input: u64, cached: Option<u64>) -> Server {
    let mut usage = json!({"input_tokens": input, "output_tokens": 3});
    if let Some(cached) = cached {
        usage["cache_read_input_tokens"] = json!(cached);
    }
    let message = json!({"type": "message", "content": [{"type": "text", "text": "Hi."}],
        "stop_reason": "end_turn", "usage": usage});
    // What has another status than 200 goes out as it is.
    Server::replying([Reply::status(201, &message.to_string())])
}

#[tokio::test]
async fn counts_that_no_cut_explains_are_not_called_one_over_messages() {
    let (new_only, a_part, cached, doubled) =
        ((3, None), (150, None), (3, Some(3_500)), (3_500, Some(90_000)));
    for ((input, read), expected) in [
        (new_only, Some("The server counted 3 of")),
        (a_part, Some("The server read only 150 of")),
        (cached, None),
        (doubled, None),
    ] {
        let (dir, server) = (tempfile::tempdir().unwrap(), counting(input, read));
        let spoken = (Protocol::Messages, "claude-opus-5-5");
        let (handle, mut notices) = start(dir.path(), &server, spoken);
        handle.send(Op::Send("hello".to_owned()));
        outcome(&mut notices).await.unwrap();
        handle.send(Op::Shutdown);
        let mut told = Vec::new();
        while let Some(notice) = notices.recv().await {
            match notice {
                Notice::Problem { what, .. } => told.push(what),
                Notice::Closed => break,
                _ => {}
            }
        }
        let told = told.concat();
        assert_eq!(expected.is_some(), !told.is_empty(), "{input} {read:?}: {told}");
        assert!(told.starts_with(expected.unwrap_or_default()), "{input} {read:?}: {told}");
    }
}
