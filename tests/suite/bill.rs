//! The bill against a server that keeps its own: a prefix cache by bytes, over a session in which everything
//! happens.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex};

use ebbtide::bill::{Bill, Paid, Prices, Purpose};
use ebbtide::config::{Settings, Source};
use ebbtide::llm::{Client, Endpoint};
use ebbtide::memory::{ChangeKind, CountTokens, Tokens, Turn, UNDONE};
use ebbtide::orchestrator::{self, EffortCommand, Handle, Notice, Op, Setup};
use ebbtide::store::Store;
use ebbtide::tools::Call;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{client, drive_with};
use super::support::server::{Reply, Server, content};

/// Bytes between two places at which the server's cache can end.
const BLOCK: usize = 16;

/// A token is four bytes, here and there.
struct Quarters;

impl CountTokens for Quarters {
    fn count(&self, text: &str) -> Tokens {
        Tokens((text.len() as u64 + 2) / 4)
    }
}

/// What the server holds and what it charges.
#[derive(Default)]
struct Till {
    known: BTreeSet<u64>,
    /// Tokens below which it reads nothing.
    least: u64,
    charged: Paid,
    requests: u64,
}

impl Till {
    /// Charges for a request; returns the tokens of its prompt and those from the cache.
    fn charge(&mut self, request: &Value) -> (u64, u64) {
        let prompt = rendered(request);
        let mut hasher = DefaultHasher::new();
        let (mut cached, mut is_known) = (0, true);
        for block in prompt.as_bytes().chunks(BLOCK) {
            hasher.write(block);
            is_known &= !self.known.insert(hasher.finish());
            cached += if is_known { block.len() as u64 } else { 0 };
        }
        let tokens = prompt.len() as u64 / 4;
        let cached = if cached / 4 < self.least { 0 } else { cached / 4 };
        self.requests += 1;
        self.charged += Paid::reported(tokens, cached, 0, ANSWER);
        (tokens, cached)
    }
}

/// Tokens of every answer, as the server counts.
const ANSWER: u64 = 10;

/// A prompt as the model reads it: the tools, then all that a message holds. Nothing that was sent is left out.
fn rendered(request: &Value) -> String {
    let mut text = request.get("tools").map(Value::to_string).unwrap_or_default();
    for message in request["messages"].as_array().unwrap() {
        for (field, value) in message.as_object().unwrap() {
            match field.as_str() {
                "role" | "tool_call_id" => {}
                "content" | "reasoning_content" => text += value.as_str().unwrap(),
                "tool_calls" => {
                    for call in value.as_array().unwrap() {
                        text += call["function"]["name"].as_str().unwrap();
                        text += call["function"]["arguments"].as_str().unwrap();
                    }
                }
                other => panic!("{other} is a field that nobody counts"),
            }
        }
    }
    text
}

/// Plays the model: a command in the user's last line is done, everything else is answered.
fn answered(request: &Value, nth: u64) -> (Vec<Value>, &'static str) {
    let last = request["messages"].as_array().unwrap().last().unwrap();
    let words = last["content"].as_str().unwrap();
    let line = words.lines().last().unwrap_or_default();
    let call = match line.split_once(' ') {
        _ if last["role"] != "user" || request.get("tools").is_none() => None,
        Some(("begin", name)) => Some(("open_effort", json!({ "name": name }))),
        Some(("finish", id)) => Some(("close_effort", json!({ "id": id }))),
        Some(("recall", id)) => Some(("expand_effort", json!({ "id": id }))),
        _ => None,
    };
    match call {
        Some((name, arguments)) => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            let call = json!({"index": 0, "id": "call00001", "function": function});
            let delta = json!({"tool_calls": [call]});
            (vec![json!({"choices": [{"index": 0, "delta": delta}]})], "tool_calls")
        }
        // Nobody speaks of it again, so that it leaves.
        None if is_for_summary(request) => {
            (vec![content(&format!("Zeta{nth} omega{nth}."))], "stop")
        }
        None => (vec![content("All forty words of it are good to know.")], "stop"),
    }
}

fn is_for_summary(request: &Value) -> bool {
    let messages = request["messages"].as_array().unwrap();
    messages.iter().any(|one| one["content"].as_str().unwrap().contains("Summarize the"))
}

/// A server with a till, which tells what it charges, or keeps it to itself.
fn server(till: &Arc<Mutex<Till>>, tells: bool) -> Server {
    let till = Arc::clone(till);
    Server::following(move |request| {
        let mut till = till.lock().unwrap();
        let (tokens, cached) = till.charge(request);
        let (mut chunks, finish) = answered(request, till.requests);
        chunks.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
        if tells {
            let details = json!({ "cached_tokens": cached });
            let usage = json!({"prompt_tokens": tokens, "completion_tokens": ANSWER,
                "prompt_tokens_details": details});
            chunks.push(json!({"choices": [], "usage": usage}));
        }
        Reply::chunks(chunks).then("data: [DONE]\n\n")
    })
}

struct Chat {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    bill: Bill,
    /// What memory did.
    happened: BTreeMap<ChangeKind, u64>,
    /// How often something was undone.
    undone: u64,
}

impl Chat {
    fn open(directory: &Path, server: &Server) -> Self {
        Self::open_with(directory, server, ("durability", "process"))
    }

    fn open_with(directory: &Path, server: &Server, setting: (&str, &str)) -> Self {
        let mut settings = Settings::default();
        let usual = [("summary_eviction_threshold", "12"), ("durability", "process")];
        for (key, value) in usual.into_iter().chain([setting]) {
            settings.set(key, value, Source::Chat).unwrap();
        }
        let endpoint = Endpoint::new(server.base_url(), "test-model");
        let (handle, notices) = orchestrator::start(Setup::scripted(
            directory.to_owned(),
            Arc::new(Client::new(endpoint).unwrap()),
            settings,
            Arc::new(Quarters),
        ))
        .unwrap();
        Self { handle, notices, bill: Bill::default(), happened: BTreeMap::new(), undone: 0 }
    }

    /// Does something and waits until it is done.
    async fn run(&mut self, op: Op) {
        self.handle.send(op);
        loop {
            match self.notices.recv().await.unwrap() {
                Notice::Bill(view) => self.bill = view.bill.clone(),
                Notice::Changed(change) => {
                    *self.happened.entry(change.kind).or_default() += 1;
                    self.undone += u64::from(change.cause.starts_with(UNDONE));
                }
                Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
                Notice::TurnEnded(_) | Notice::CommandDone { .. } | Notice::Closed => return,
                _ => {}
            }
        }
    }

    async fn say(&mut self, text: String) {
        self.run(Op::Send(text)).await;
    }
}

/// What can happen to a window, beside restarts.
const ALL: [ChangeKind; 6] = [
    ChangeKind::EffortConcluded,
    ChangeKind::EffortExpanded,
    ChangeKind::EffortAutoCollapsed,
    ChangeKind::SummaryEvicted,
    ChangeKind::SummaryEdited,
    ChangeKind::Tide,
];

/// Three hundred turns with all of it; returns the bill as it was told last.
async fn play(directory: &Path, server: &Server) -> Bill {
    let (mut chat, mut restarts) = (Chat::open(directory, server), 0);
    for turn in 1..=300_u64 {
        let (effort, step) = (turn / 15, turn % 15);
        match step {
            1 => chat.say(format!("begin topic{effort}")).await,
            11 => chat.say(format!("finish topic{effort}")).await,
            // Undone meanwhile.
            14 if effort % 3 == 1 => chat.say(format!("finish topic{effort}")).await,
            13 if effort > 0 => chat.say(format!("recall topic{}", effort - 1)).await,
            _ => chat.say(format!("turn {turn}: {}", "words of a message ".repeat(12))).await,
        }
        if step == 12 && effort % 3 == 0 {
            let id = format!("topic{effort}");
            let command = EffortCommand::Edit(format!("Edited in turn {turn}."));
            chat.run(Op::Effort { id, command }).await;
        }
        if step == 12 && effort % 3 == 1 {
            chat.run(Op::Undo).await;
        }
        if turn % 70 == 0 {
            chat.run(Op::Shutdown).await;
            let (happened, undone) = (std::mem::take(&mut chat.happened), chat.undone);
            chat = Chat { happened, undone, ..Chat::open(directory, server) };
            restarts += 1;
        }
    }
    chat.run(Op::Shutdown).await;
    for kind in ALL {
        let times = chat.happened.get(&kind).copied().unwrap_or_default();
        assert!(times >= 3, "{kind:?} happened {times} times: {:?}", chat.happened);
    }
    assert!(restarts >= 3 && chat.undone >= 3, "{restarts} restarts, {} undone", chat.undone);
    chat.bill
}

#[tokio::test]
async fn the_bill_is_what_the_server_charges() {
    let home = tempfile::tempdir().unwrap();
    let till = Arc::new(Mutex::new(Till::default()));
    let server = server(&till, true);
    let bill = play(home.path(), &server).await;
    let till = till.lock().unwrap();
    let all = bill.all();
    assert_eq!((all.requests, all.estimates), (till.requests, 0));
    assert_eq!(all.paid, till.charged);
    assert!(bill.of(Purpose::ToolRound).requests > 30 && bill.of(Purpose::Summary).requests > 15);
    assert_eq!(bill.turns(), 300);
    // The session keeps it.
    let stored = Store::open(home.path()).unwrap().store.reader().bill(Turn(300)).unwrap();
    assert_eq!(stored.bill, bill);
}

#[tokio::test]
async fn what_is_asked_for_by_hand_is_kept_and_told_when_it_has_ended() {
    let till = Arc::new(Mutex::new(Till::default()));
    let server = server(&till, true);
    let home = tempfile::tempdir().unwrap();
    let mut chat = Chat::open(home.path(), &server);
    chat.say("begin tea".to_owned()).await;
    for turn in 1..=3 {
        chat.say(format!("turn {turn}: {}", "words of a message ".repeat(12))).await;
    }
    let again = EffortCommand::SummarizeAgain;
    let ops =
        [Op::Run(Call::CloseEffort { id: None }), Op::Effort { id: "tea".into(), command: again }];
    for (nth, op) in (1..).zip(ops) {
        chat.run(op).await;
        assert_eq!(chat.bill.of(Purpose::Summary).requests, nth, "it is told");
        assert_eq!(chat.bill.all().paid, till.lock().unwrap().charged);
        // Whoever is killed now has lost none of it.
        let kept = std::fs::read_to_string(home.path().join("bill.jsonl")).unwrap();
        assert_eq!(kept.matches("\"purpose\":\"summary\"").count() as u64, nth, "{kept}");
    }
    chat.run(Op::Shutdown).await;
    let stored = Store::open(home.path()).unwrap().store.reader().bill(Turn(4)).unwrap();
    assert_eq!(stored.bill.all(), chat.bill.all());
}

#[tokio::test]
async fn what_another_session_left_in_the_cache_is_nothing_that_memory_saved() {
    let server = server(&Arc::new(Mutex::new(Till::default())), true);
    let mut read = Vec::new();
    for _ in 0..2 {
        let home = tempfile::tempdir().unwrap();
        let mut chat = Chat::open(home.path(), &server);
        chat.say("hello".to_owned()).await;
        chat.run(Op::Shutdown).await;
        // Both send the same.
        let net = chat.bill.net(&Prices::default());
        assert!(net.abs() < 0.5, "{net} of {:?}", chat.bill.all().paid);
        read.push(chat.bill.all().paid.read);
    }
    assert!(read[0] == 0 && read[1] > 500, "{read:?}");
}

#[tokio::test]
async fn a_cache_that_keeps_only_long_prompts_is_warm_for_full_history() {
    let least = 4_096;
    let till = Arc::new(Mutex::new(Till { least, ..Till::default() }));
    let (home, server) = (tempfile::tempdir().unwrap(), server(&till, true));
    let mut chat = Chat::open(home.path(), &server);
    for turn in 1..=80 {
        chat.say(format!("turn {turn}: {}", "words of a message ".repeat(12))).await;
    }
    chat.run(Op::Shutdown).await;
    // The window never reaches what the cache keeps, the history does after some forty turns.
    assert_eq!(chat.bill.all().paid.read, 0);
    let reader = Store::open(home.path()).unwrap().store.reader();
    let full: Vec<Paid> =
        reader.billed_turns(Turn(80)).unwrap().iter().map(|one| one.bill.full).collect();
    let sent = full.iter().map(Paid::prompt).take(79);
    let read: u64 = sent.filter(|prompt| *prompt >= least).sum();
    let told: u64 = full.iter().map(|paid| paid.read).sum();
    assert!(read > 50_000 && told >= read && told < read * 5 / 4, "{told} of {read}");
    assert!(chat.bill.net(&Prices::default()) < -50_000.0, "full history is the cheaper one");
    let (small, asked) = chat.bill.least().small();
    assert!(small >= 70 && asked == 80, "{:?}", chat.bill.least());
    // Another run knows it as well.
    assert_eq!(reader.bill(Turn(80)).unwrap().bill.least(), chat.bill.least());
}

#[tokio::test]
async fn a_cache_that_keeps_longer_than_was_thought_is_warm_for_full_history() {
    let (home, till) = (tempfile::tempdir().unwrap(), Arc::default());
    let server = server(&till, true);
    let mut chat = Chat::open_with(home.path(), &server, ("cache_lifetime", "1"));
    for turn in 1..=15 {
        if turn == 15 {
            tokio::time::sleep(std::time::Duration::from_millis(2_200)).await;
        }
        chat.say(format!("turn {turn}: {}", "words of a message ".repeat(12))).await;
    }
    let tides = chat.happened.get(&ChangeKind::Tide).copied().unwrap_or_default();
    assert!(tides > 0, "what had gathered left early: {:?}", chat.happened);
    let last = *chat.bill.recent().last().unwrap();
    assert!(last.own.read > 0 && last.own.uncached > 500, "{last:?}");
    assert!(last.full.uncached < 100 && last.full.read > last.own.prompt(), "{last:?}");
    chat.run(Op::Shutdown).await;
}

/// A server that counts half as many tokens again as are counted here, or fewer, and has no cache.
fn server_of_its_own_count(tenths: u64) -> Server {
    Server::following(move |request| {
        let tokens = rendered(request).len() as u64 / 4 * tenths / 10;
        let words = "All forty words of it are good to know.";
        let output = words.len() as u64 / 4 * tenths / 10;
        let usage = json!({"prompt_tokens": tokens, "completion_tokens": output,
            "prompt_tokens_details": { "cached_tokens": 0 }});
        let finish = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        let chunks = vec![content(words), finish, json!({"choices": [], "usage": usage})];
        Reply::chunks(chunks).then("data: [DONE]\n\n")
    })
}

#[tokio::test]
async fn where_nothing_left_nothing_is_saved_however_the_server_counts() {
    // One that leaves the tools out counts less than half.
    for tenths in [15, 9, 5, 3] {
        let server = server_of_its_own_count(tenths);
        let home = tempfile::tempdir().unwrap();
        let mut chat = Chat::open(home.path(), &server);
        for turn in 1..=6 {
            chat.say(format!("turn {turn}: {}", "words of a message ".repeat(12))).await;
        }
        let net = chat.bill.net(&Prices::default());
        let paid = chat.bill.all().paid;
        assert!(net.abs() < 0.5, "{tenths}: {net} of {paid:?}");
        chat.run(Op::Shutdown).await;
    }
}

#[tokio::test]
async fn what_a_silent_server_charges_is_estimated_closely() {
    let home = tempfile::tempdir().unwrap();
    let till = Arc::new(Mutex::new(Till::default()));
    let server = server(&till, false);
    let bill = play(home.path(), &server).await;
    let till = till.lock().unwrap();
    let all = bill.all();
    assert_eq!((all.requests, all.estimates), (till.requests, till.requests));
    let close = |own: u64, theirs: u64| own.abs_diff(theirs) * 50 <= theirs;
    let (own, theirs) = (all.paid, till.charged);
    let pairs =
        [(own.prompt(), theirs.prompt()), (own.read, theirs.read), (own.uncached, theirs.uncached)];
    for (own, theirs) in pairs {
        assert!(close(own, theirs), "{own} and not {theirs}: {pairs:?}");
    }
}

/// The prices of a session in which a cache is to keep what it reads for an hour, after a turn, and after a restart.
async fn prices_with(usage: &Value) -> (Prices, String) {
    let told = usage.clone();
    let server = Server::following(move |_| {
        let last =
            json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": told});
        Reply::chunks([content("Hi."), last]).then("data: [DONE]\n\n")
    });
    let directory = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::new(server.base_url(), "claude-opus-5");
    let set = [("cache_lifetime", "3600"), ("durability", "process")];
    let open = || drive_with(directory.path(), client(endpoint.clone()), &set);
    let mut prices = Vec::new();
    for words in ["hello", "hello again"] {
        let (handle, mut notices) = open();
        handle.send(Op::Send(words.to_owned()));
        let mut first = None;
        loop {
            match notices.recv().await.unwrap() {
                Notice::Bill(view) if view.bill.all().requests > 0 => {
                    first.get_or_insert(view.prices.clone());
                }
                Notice::TurnEnded(_) => handle.send(Op::Shutdown),
                Notice::Closed => break,
                _ => {}
            }
        }
        prices.extend(first);
    }
    assert_eq!(prices[0], prices[1], "it is known after a restart");
    let bill = std::fs::read_to_string(directory.path().join("bill.jsonl")).unwrap();
    (prices.remove(0), bill)
}

#[tokio::test]
async fn what_is_written_to_a_cache_costs_what_it_is_kept_for() {
    let usage = |kept: Value| {
        let mut usage = json!({"prompt_tokens": 5_000, "completion_tokens": 2, "cache_read_input_tokens": 0,
            "cache_creation_input_tokens": 4_000});
        if kept.is_object() {
            usage["cache_creation"] = kept;
        }
        usage
    };
    let split = |minutes: u64, hour: u64| json!({"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour});
    for (kept, write, is_kept) in [
        (split(0, 4_000), 2.0, "\"kept\":[0,4000]"),
        (split(4_000, 0), 1.25, "\"kept\":[4000,0]"),
        (split(3_000, 1_000), 1.4375, "\"kept\":[3000,1000]"),
        // Over this protocol nobody asks for an hour.
        (Value::Null, 1.25, "\"kept\":[4000,0]"),
    ] {
        let (prices, bill) = prices_with(&usage(kept.clone())).await;
        assert!((prices.write - write).abs() < 1e-9, "{kept}: {}", prices.write);
        assert!(bill.contains(is_kept), "{bill}");
    }
}
