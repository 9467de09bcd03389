//! The ceiling holds for every request of a turn, counted as the server received it, whatever the model does
//! with its tools.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use ebbtide::memory::{CountTokens, Tokens};
use ebbtide::orchestrator::{Handle, Notice, Op};
use ebbtide::tokens::Cl100k;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{client_of, drive_with};
use super::support::server::{Reply, Server, chunk, content};

/// What the model does in a round: how often it calls, and how many words it says, thinks, hands over and has
/// kept beside each call.
#[derive(Debug, Clone, Default)]
struct Round {
    reads: usize,
    saves: usize,
    said: usize,
    thought: usize,
    handed_over: usize,
    sealed: usize,
}

const USER: &str = "These words of mine have to be read in each and every request of the turn.";

fn words(count: usize) -> String {
    (0..count).map(|n| format!("word {n} of them, ")).collect::<Vec<_>>().concat()
}

impl Round {
    fn reply(&self, nth: usize) -> Reply {
        let calls = (0..self.reads + self.saves).map(|at| self.call(nth, at));
        let calls: Vec<Value> = calls.collect();
        let details = json!([{"type": "reasoning.encrypted", "data": words(self.sealed)}]);
        let mut chunks = vec![
            chunk(json!({"reasoning_content": words(self.thought)})),
            chunk(json!({"tool_calls": calls})),
        ];
        if self.sealed > 0 {
            chunks.insert(0, chunk(json!({"reasoning_details": details})));
        }
        if self.said > 0 {
            chunks.insert(1, content(&words(self.said)));
        }
        Reply::answer(chunks, "tool_calls")
    }

    fn call(&self, nth: usize, at: usize) -> Value {
        let (name, arguments) = if at < self.reads {
            ("scratchpad_read_chunk", json!({"key": "ref:report", "chunk_index": at % 9 + 1}))
        } else {
            let text = words(self.handed_over);
            ("scratchpad_save", json!({"key": format!("k{nth}-{at}"), "content": text}))
        };
        let mut call = json!({"index": at, "id": format!("call_{nth}_{at}"), "type": "function",
            "function": {"name": name, "arguments": arguments.to_string()}});
        if self.sealed > 0 {
            call["extra_content"] = json!({"google": {"thought_signature": words(self.sealed)}});
        }
        call
    }
}

/// A server whose model plays rounds, then answers; it answers at once where it may not call.
fn playing(rounds: Vec<Round>) -> Server {
    let nth = AtomicUsize::new(0);
    Server::following(move |request| {
        if request["tool_choice"] == "none" || !asked_by(request, USER) {
            return Reply::text("That is all.");
        }
        let nth = nth.fetch_add(1, Ordering::Relaxed);
        rounds.get(nth).map_or_else(|| Reply::text("That is all."), |round| round.reply(nth))
    })
}

fn asked_by(request: &Value, words: &str) -> bool {
    let mut users = messages(request).iter().rev().filter(|message| message["role"] == "user");
    users.next().is_some_and(|user| user["content"].as_str().unwrap().ends_with(words))
}

fn messages(request: &Value) -> &[Value] {
    request["messages"].as_array().unwrap()
}

/// Every text in a part of a body that a model reads.
fn texts(value: &Value) -> Vec<String> {
    let known = ["role", "type", "function", "tool_calls", "reasoning_details", "extra_content"];
    let Some(fields) = value.as_object() else { return vec![value.to_string()] };
    let plain = fields.iter().filter(|(key, _)| !known.contains(&key.as_str()));
    let mut all: Vec<String> = plain.map(|(_, text)| text.as_str().unwrap().to_owned()).collect();
    let whole = ["reasoning_details", "extra_content"].iter().filter_map(|key| fields.get(*key));
    all.extend(whole.map(Value::to_string));
    let calls = fields.get("tool_calls").and_then(Value::as_array);
    let inner = calls.into_iter().flatten().chain(fields.get("function"));
    all.extend(inner.flat_map(texts));
    all
}

/// Tokens of a request, counted over all texts of its body.
fn counted(request: &Value) -> Tokens {
    let counter = Cl100k::lazy();
    let said = messages(request).iter().flat_map(texts);
    let said: Tokens = said.map(|text| counter.count(&text)).sum();
    said + request.get("tools").map_or(Tokens(0), |tools| counter.count(&tools.to_string()))
}

fn start(dir: &Path, server: &Server, budget: u64) -> (Handle, UnboundedReceiver<Notice>) {
    drive_with(dir, client_of(server), &[("token_budget", &budget.to_string())])
}

/// Plays rounds in a session that has something to lose; returns the requests of their turn and what the driver
/// told of each.
async fn requests_of(rounds: Vec<Round>, budget: u64) -> (Vec<Value>, Vec<Tokens>) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report");
    std::fs::write(&file, words(3_000)).unwrap();
    let server = playing(rounds);
    let (handle, mut notices) = start(&dir.path().join("session"), &server, budget);
    handle.send(Op::Send(words(60)));
    handle.send(Op::Attach(file));
    handle.send(Op::Send(USER.into()));
    let mut told = Vec::new();
    let mut turns = 0;
    while turns < 2 {
        match notices.recv().await.expect("the driver lives") {
            Notice::RequestSent { layers, .. } => told.push(layers.total()),
            Notice::TurnEnded(_) => turns += 1,
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            _ => {}
        }
    }
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
    (server.requests().split_off(1), told.split_off(1))
}

fn results(messages: &[Value]) -> impl Iterator<Item = &str> {
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap())
}

/// What must hold for a request of the turn.
fn check(request: &Value, told: Tokens, budget: u64) {
    let cost = counted(request);
    assert_eq!(cost, told, "counted as sent");
    assert!(cost <= Tokens(budget), "{cost} of {budget}");
    assert!(asked_by(request, USER), "the newest message of the user stays whole");
    let all = messages(request);
    let Some(newest) = all.iter().rposition(|message| message["role"] == "assistant") else {
        return;
    };
    if results(&all[newest..]).any(|result| result.contains("[cut")) {
        let mut older = results(&all[..newest]).map(|result| Cl100k::lazy().count(result));
        assert!(older.all(|cost| cost < Tokens(25)), "older results give way first: {all:#?}");
    }
}

fn round() -> impl Strategy<Value = Round> {
    let size = || prop_oneof![4 => Just(0_usize), 2 => 1..60_usize, 1 => 500..3_000_usize];
    (0..34_usize, 0..4_usize, size(), size(), size(), size()).prop_map(
        |(reads, saves, said, thought, handed_over, sealed)| {
            let saves = if reads == 0 { saves.max(1) } else { saves };
            Round { reads, saves, said, thought, handed_over: handed_over.max(1), sealed }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn no_request_of_a_turn_exceeds_the_budget_whatever_the_exchange(
        rounds in prop::collection::vec(round(), 1..9),
        budget in prop_oneof![Just(2_600_u64), 3_000..9_000_u64, Just(16_000)],
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (requests, told) = runtime.block_on(requests_of(rounds, budget));
        assert_eq!(requests.len(), told.len());
        for (request, told) in requests.iter().zip(told) {
            check(request, told, budget);
        }
    }
}

/// Without its room the exchange would push out the words of the user, for which it is read.
#[tokio::test]
async fn an_exchange_of_any_size_leaves_room_for_what_the_user_said() {
    let huge = Round { saves: 1, handed_over: 20_000, ..Round::default() };
    let thoughtful = Round { reads: 1, thought: 9_000, sealed: 9_000, ..Round::default() };
    let curious = Round { reads: 32, ..Round::default() };
    for rounds in [vec![huge.clone(), thoughtful], vec![curious.clone(), huge], vec![curious; 9]] {
        let (requests, told) = requests_of(rounds, 8_000).await;
        for (request, told) in requests.iter().zip(told) {
            check(request, told, 8_000);
        }
    }
}

#[tokio::test]
async fn of_many_chunks_asked_for_at_once_each_can_be_read_in_part() {
    let curious = Round { reads: 32, ..Round::default() };
    let (requests, _) = requests_of(vec![curious.clone(), curious], 8_000).await;
    for request in &requests[1..] {
        let all = messages(request);
        let newest = all.iter().rposition(|message| message["role"] == "assistant").unwrap();
        let shown: Vec<&str> = results(&all[newest..]).collect();
        assert_eq!(shown.len(), 32);
        for result in shown {
            let begins = result.contains("fewer calls beside it") || result.starts_with('{');
            assert!(begins && result.matches(" of them").count() >= 8, "{result}");
        }
    }
    let calls = messages(&requests[2]).iter().filter_map(|one| one["tool_calls"].as_array());
    let arguments = calls.flatten().map(|call| &call["function"]["arguments"]);
    let is_object = |text: &Value| serde_json::from_str::<Map<_, Value>>(text.as_str()?).ok();
    assert!(arguments.map(is_object).all(|object| object.is_some()));
}
