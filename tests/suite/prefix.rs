//! What a provider's prompt cache can keep: where nothing entered or left the front of the window, a request begins
//! with the one before it up to its memory block, byte for byte; within a turn it begins with all of it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use ebbtide::memory::{CountTokens, Tokens, memory_block};
use ebbtide::orchestrator::{Handle, Notice, Op, TurnReport};
use ebbtide::tokens::Cl100k;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{client_of, drive_with, outcome};
use super::support::server::{Reply, Server, said};

type Calls = Vec<(&'static str, Value)>;

/// A turn: what the model calls, one call a round, and how many words each side says.
#[derive(Debug, Clone)]
struct Step {
    calls: Calls,
    words: usize,
    /// The program is started anew before it.
    restart: bool,
}

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    let named = |id: u8| json!({ "id": format!("topic-{id}") });
    let id = 0..4_u8;
    prop_oneof![
        4 => id.clone().prop_map(|id| ("open_effort", json!({ "name": format!("topic {id}") }))),
        2 => Just(("close_effort", json!({}))),
        3 => id.clone().prop_map(move |id| ("expand_effort", named(id))),
        1 => id.clone().prop_map(move |id| ("collapse_effort", named(id))),
        1 => id.clone().prop_map(move |id| ("switch_effort", named(id))),
        1 => id.clone().prop_map(move |id| ("reopen_effort", named(id))),
        2 => id.clone().prop_map(|id| ("search_efforts", json!({ "query": format!("topic {id}") }))),
        3 => id.prop_map(|id| ("remember", json!({ "content": format!("fact {id}") }))),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let calls = prop_oneof![3 => prop::collection::vec(call(), 1..4), 4 => Just(Vec::new())];
    let words = prop_oneof![8 => 2..60_usize, 1 => 600..1_200_usize];
    let restart = prop::bool::weighted(0.05);
    (calls, words, restart).prop_map(|(calls, words, restart)| Step { calls, words, restart })
}

fn start(dir: &Path, server: &Server, budget: u64) -> (Handle, UnboundedReceiver<Notice>) {
    drive_with(dir, client_of(server), &[("token_budget", &budget.to_string())])
}

/// Whether a request is of the talk and not the program's own.
fn is_chat(request: &Value) -> bool {
    !request["tools"].is_null() && !said(request).contains("The program asks")
}

/// A turn as it went: the messages of each of its requests, and its report.
struct Went {
    requests: Vec<Vec<Value>>,
    report: TurnReport,
}

/// Plays turns against a strict server.
async fn play(steps: &[Step], budget: u64) -> Vec<Went> {
    let dir = tempfile::tempdir().unwrap();
    let calls: Arc<Mutex<VecDeque<(&str, Value)>>> = Arc::default();
    let to_make = Arc::clone(&calls);
    let server = Server::following(move |request| {
        if !is_chat(request) {
            return Reply::text("It was settled.");
        }
        let next = to_make.lock().unwrap().pop_front();
        let words = format!("As for {}", said(request));
        next.map_or_else(|| Reply::text(words), |call| Reply::calls(&[call]))
    });
    let (mut handle, mut notices) = start(dir.path(), &server, budget);
    let (mut turns, mut seen): (Vec<Went>, usize) = (Vec::new(), 0);
    for (nth, step) in steps.iter().enumerate() {
        if step.restart {
            close(&handle, &mut notices).await;
            (handle, notices) = start(dir.path(), &server, budget);
        }
        *calls.lock().unwrap() = step.calls.clone().into();
        handle.send(Op::Send(format!("say{nth} {}", "and so on ".repeat(step.words))));
        let report = outcome(&mut notices).await.unwrap();
        let requests = server.requests().split_off(seen);
        seen += requests.len();
        let chats = requests.into_iter().filter(is_chat);
        let messages = |request: Value| request["messages"].as_array().unwrap().clone();
        turns.push(Went { requests: chats.map(messages).collect(), report });
    }
    close(&handle, &mut notices).await;
    turns
}

async fn close(handle: &Handle, notices: &mut UnboundedReceiver<Notice>) {
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
}

fn newest(messages: &[Value]) -> usize {
    messages.iter().rposition(|message| message["role"] == "user").unwrap()
}

/// The memory block of a request, wherever it stands, and what else a message says.
fn without_block(message: &Value) -> (String, String) {
    let content = message["content"].as_str().unwrap();
    let lines = memory_block("");
    let (first, last) = lines.split_once('\n').unwrap();
    let Some(start) = content.find(first) else { return (String::new(), content.to_owned()) };
    let end = start + content[start..].find(last).unwrap() + last.len();
    (content[start..end].to_owned(), format!("{}{}", &content[..start], &content[end..]))
}

/// What was said before the newest message, in no order.
fn front(messages: &[Value]) -> Vec<String> {
    let said = messages[1..newest(messages)].iter().map(|message| without_block(message).1);
    let mut said: Vec<String> = said.filter(|text| !text.is_empty()).collect();
    said.sort();
    said
}

fn bytes(messages: &[Value]) -> String {
    let text = Value::from(messages).to_string();
    text.trim_end_matches(']').to_owned()
}

/// The bytes of a request up to its memory block; without one, up to the end of the user's words.
fn up_to_block(messages: &[Value]) -> String {
    let asked = &messages[..=newest(messages)];
    let (block, _) = without_block(asked.last().unwrap());
    let all = bytes(asked);
    let first = block.lines().next().filter(|line| !line.is_empty());
    match first.and_then(|line| all.rfind(line)) {
        Some(at) => all[..at].to_owned(),
        None => all.trim_end_matches('}').to_owned(),
    }
}

/// Whether the later request of a turn has to begin with the earlier one: nothing entered or left, nothing was cut,
/// and the block of the earlier one still fits.
fn extends(earlier: &[Value], later: &[Value], budget: u64) -> bool {
    let exchange = &earlier[newest(earlier) + 1..];
    let counter = Cl100k::lazy();
    let cost = || later.iter().map(|message| counter.count(&message.to_string())).sum::<Tokens>();
    front(earlier) == front(later)
        && exchange.iter().all(|message| later.contains(message))
        && cost() + Tokens(2_000) < Tokens(budget)
}

/// Compares each request with the one before it: how many had to begin with it, and those that do not.
fn compare(turns: &[Went], budget: u64) -> (usize, Vec<[String; 2]>) {
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for went in turns {
        let rounds = went.requests.windows(2);
        let kept = rounds.filter(|pair| extends(&pair[0], &pair[1], budget));
        pairs.extend(kept.map(|pair| [bytes(&pair[0]), bytes(&pair[1])]));
    }
    for pair in turns.windows(2) {
        let (earlier, later) = (pair[0].requests.last().unwrap(), &pair[1].requests[0]);
        let words = without_block(&earlier[newest(earlier)]).1;
        let mut grown = front(earlier);
        grown.extend([words, pair[0].report.reply.to_string()]);
        grown.sort();
        if front(later) == grown {
            pairs.push([up_to_block(earlier), bytes(later)]);
        }
    }
    let count = pairs.len();
    (count, pairs.into_iter().filter(|[earlier, later]| !later.starts_with(earlier)).collect())
}

/// Every request has the beginning that it must have; returns how many must have one.
fn check(turns: &[Went], budget: u64) -> usize {
    let (count, broken) = compare(turns, budget);
    assert!(broken.is_empty(), "{broken:#?}");
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn where_nothing_enters_or_leaves_the_front_a_request_begins_with_the_one_before(
        steps in prop::collection::vec(step(), 2..12),
        budget in prop_oneof![Just(6_000_u64), Just(16_000)],
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let turns = runtime.block_on(play(&steps, budget));
        check(&turns, budget);
    }
}

fn turn(calls: &[(&'static str, Value)]) -> Step {
    Step { calls: calls.to_vec(), words: 40, restart: false }
}

fn id(id: &str) -> Value {
    json!({ "id": id })
}

/// A talk that turns between two efforts moves nothing, not even through a restart.
#[tokio::test]
async fn a_switch_breaks_no_prefix() {
    let mut steps = vec![turn(&[])];
    for (tool, key, name) in [("open_effort", "name", "tea"), ("open_effort", "name", "bread")] {
        steps.push(turn(&[(tool, json!({ key: name }))]));
    }
    for name in ["tea", "bread", "tea"] {
        steps.extend([turn(&[("switch_effort", id(name))]), turn(&[])]);
    }
    steps[6].restart = true;
    let turns = play(&steps, 16_000).await;
    let requests: usize = turns.iter().map(|went| went.requests.len()).sum();
    assert_eq!(check(&turns, 16_000), requests - 1, "each request begins with the one before");
    let last = front_in_order(turns.last().unwrap().requests.last().unwrap());
    assert_eq!(last, (0..8).map(|nth| format!("say{nth}")).collect::<Vec<_>>());
}

/// Everything that belongs in the block changes here from turn to turn.
#[tokio::test]
async fn what_changes_often_breaks_no_prefix() {
    let steps = [
        turn(&[("remember", json!({ "content": "the ferry leaves at nine" }))]),
        turn(&[("open_effort", json!({ "name": "tea" }))]),
        turn(&[("remember", json!({ "content": "the pot holds a litre" }))]),
        turn(&[("open_effort", json!({ "name": "bread" }))]),
        turn(&[("remember", json!({ "content": "rye takes longer" }))]),
        turn(&[("effort_status", json!({}))]),
        turn(&[]),
    ];
    let turns = play(&steps, 16_000).await;
    let requests: usize = turns.iter().map(|went| went.requests.len()).sum();
    assert_eq!(check(&turns, 16_000), requests - 1, "each request begins with the one before");
    let in_front: Vec<Went> = turns.into_iter().map(with_block_in_front).collect();
    let (count, broken) = compare(&in_front, 16_000);
    assert!(
        count > 0 && broken.len() > 1,
        "a block in front of the logs is found out: {broken:#?}"
    );
}

/// The same turn as if the memory block stood behind the system prompt.
fn with_block_in_front(mut went: Went) -> Went {
    for messages in &mut went.requests {
        let at = newest(messages);
        let (block, words) = without_block(&messages[at]);
        messages[at]["content"] = words.into();
        let system = messages[0]["content"].as_str().unwrap();
        messages[0]["content"] = format!("{system}{block}").into();
    }
    went
}

/// Rounds with large arguments push the window back, while the index of the texts that they save grows in its block.
#[tokio::test]
async fn a_turn_breaks_the_prefix_twice_at_most_however_many_rounds_push_the_window_back() {
    for (saves, words) in [(7, 100), (7, 300), (7, 500)] {
        let save = |nth: usize| {
            let content = format!("{nth} and so on ").repeat(words / 4);
            ("scratchpad_save", json!({ "key": format!("k{nth}"), "content": content }))
        };
        let mut steps = vec![turn(&[("open_effort", json!({ "name": "tea" }))])];
        steps.resize(14, turn(&[]));
        steps.push(turn(&(0..saves).map(save).collect::<Vec<_>>()));
        let turns = play(&steps, 6_000).await;
        let requests = &turns.last().unwrap().requests;
        assert_eq!(requests.len(), saves + 1);
        let broken = |begins: fn(&[Value]) -> String| {
            let pairs = requests.windows(2);
            pairs.filter(|pair| !bytes(&pair[1]).starts_with(&begins(&pair[0]))).count()
        };
        // Rounds that do not fit beside one another give way themselves besides.
        let (front, all) = (broken(up_to_block_of_front), broken(bytes));
        assert!(front <= 2 && all <= 3, "{front} and {all} of {saves} with {words} words");
        assert!(words == 100 || front > 0, "nothing gave way");
    }
}

/// An expanded log stands where the front ended, and later words behind it.
#[tokio::test]
async fn an_expanded_log_enters_at_the_end_of_the_front_and_stays_there() {
    let steps = [
        turn(&[("open_effort", json!({ "name": "tea" }))]),
        turn(&[("close_effort", json!({}))]),
        turn(&[("open_effort", json!({ "name": "bread" }))]),
        turn(&[]),
        turn(&[("expand_effort", id("tea"))]),
        turn(&[]),
        turn(&[]),
    ];
    let turns = play(&steps, 16_000).await;
    let expanding = &turns[4].requests;
    assert!(bytes(&expanding[1]).starts_with(&up_to_block_of_front(&expanding[0])));
    let order: Vec<String> = front_in_order(&turns[6].requests[0]);
    assert_eq!(order, ["say2", "say3", "say0", "say1", "say4", "say5"]);
    for pair in turns[4..].windows(2) {
        let (earlier, later) = (pair[0].requests.last().unwrap(), &pair[1].requests[0]);
        assert!(bytes(later).starts_with(&up_to_block(earlier)));
    }
}

/// What stands expanded in a log that is concluded and expanded in one turn changes places neither with it nor with the
/// other logs.
#[tokio::test]
async fn a_log_that_is_concluded_and_expanded_in_one_turn_stays_where_it_was() {
    let open = |name: &str| ("open_effort", json!({ "name": name }));
    let close = ("close_effort", json!({}));
    let inner = [open("bread"), close.clone(), ("expand_effort", id("bread"))];
    let outer = [close, ("expand_effort", id("tea")), ("remember", json!({ "content": "a fact" }))];
    let alone = [turn(&[open("tea")]), turn(&inner), turn(&outer), turn(&[])];
    let beside = [&[turn(&[open("boat")])], &alone[..]].concat();
    for (steps, order) in
        [(&alone[..], ["say0", "say1"].as_slice()), (&beside, &["say0", "say1", "say2"])]
    {
        let turns = play(steps, 16_000).await;
        let requests = &turns[steps.len() - 2].requests;
        for request in requests {
            assert_eq!(front_in_order(request), order);
        }
        for pair in requests.windows(2) {
            assert!(bytes(&pair[1]).starts_with(&bytes(&pair[0])));
        }
        assert!(check(&turns, 16_000) > requests.len());
    }
}

/// What a turn says last in a log that it concluded and expanded stands behind the logs that it expanded after it, as it
/// was sent.
#[tokio::test]
async fn an_exchange_stands_behind_what_was_expanded_while_it_went_on() {
    let open = |name: &str| ("open_effort", json!({ "name": name }));
    let close = ("close_effort", json!({}));
    let expand = |name: &str| ("expand_effort", id(name));
    let steps = [
        turn(&[open("tea"), close.clone()]),
        turn(&[open("bread"), close.clone()]),
        turn(&[open("boat")]),
        turn(&[close, expand("boat"), expand("tea"), expand("bread")]),
        turn(&[]),
        turn(&[]),
    ];
    let turns = play(&steps, 16_000).await;
    let order = front_in_order(&turns[4].requests[0]);
    assert_eq!(order, ["say2", "say0", "say1", "say3"]);
    for pair in turns[3..].windows(2) {
        let (earlier, later) = (pair[0].requests.last().unwrap(), &pair[1].requests[0]);
        assert!(bytes(later).starts_with(&up_to_block(earlier)));
    }
}

/// The bytes of all messages before the newest one.
fn up_to_block_of_front(messages: &[Value]) -> String {
    bytes(&messages[..newest(messages)])
}

/// The first words of the user's messages before the newest one.
fn front_in_order(messages: &[Value]) -> Vec<String> {
    let users = messages[..newest(messages)].iter().filter(|message| message["role"] == "user");
    let first =
        |message: &Value| message["content"].as_str().unwrap().split(' ').next().map(str::to_owned);
    users.filter_map(first).collect()
}

/// A request of Chat Completions as it goes over the wire.
#[tokio::test]
async fn a_request_is_laid_out_by_how_seldom_its_parts_change() {
    let short = |calls: &[(&'static str, Value)]| Step { words: 1, ..turn(calls) };
    let steps = [
        short(&[("remember", json!({ "content": "the ferry leaves at nine" }))]),
        turn(&[("open_effort", json!({ "name": "tea" }))]),
        short(&[("close_effort", json!({}))]),
        short(&[("open_effort", json!({ "name": "bread" }))]),
        short(&[
            ("search_efforts", json!({ "query": "tea" })),
            ("remember", json!({ "content": "rye" })),
        ]),
    ];
    let turns = play(&steps, 16_000).await;
    let line = |message: &Value| {
        let content: String = message["content"].as_str().unwrap().chars().take(400).collect();
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let calls: Vec<String> = calls.map(|call| format!(" {}", call["function"])).collect();
        let calls = calls.concat();
        let content =
            if message["role"] == "system" { "(the system prompt)".into() } else { content };
        format!("{}: {content}{calls}\n", message["role"].as_str().unwrap())
    };
    let last = turns.last().unwrap().requests.last().unwrap();
    assert_snapshot!(last.iter().map(line).collect::<String>());
}

#[tokio::test]
async fn a_round_behind_a_conclusion_extends_the_one_before_and_the_log_goes_with_the_turn() {
    let opened = turn(&[("open_effort", json!({ "name": "tea" }))]);
    let steps = [opened, turn(&[]), turn(&[("close_effort", json!({}))]), turn(&[])];
    let turns = play(&steps, 16_000).await;
    let [asked, answered] = &turns[2].requests[..] else { panic!("two requests") };
    assert!(bytes(answered).starts_with(&bytes(asked)));
    let said = |messages: &[Value]| front(messages).join("\n");
    assert!(said(answered).contains("say1") && !said(&turns[3].requests[0]).contains("say1"));
}
