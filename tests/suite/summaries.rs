//! The requests for summaries and compressions go on where the chat's requests end, so that a server need not read the
//! log again.

use std::path::Path;

use ebbtide::llm::Error;
use ebbtide::llm::scripted::ScriptedAnswer;
use ebbtide::memory::{CountTokens, Tokens};
use ebbtide::orchestrator::{Notice, Op};
use ebbtide::tokens::Cl100k;
use ebbtide::tools::Call;
use serde_json::{Value, json};

use super::support::driver::{Bench, call, client_of, drive_with, text};
use super::support::server::{Reply, Server, chunk, content};

const DONE: &str = "that fixed it, close it";

fn messages(request: &Value) -> &[Value] {
    request["messages"].as_array().unwrap()
}

fn last(request: &Value) -> &str {
    messages(request).last().unwrap()["content"].as_str().unwrap()
}

fn is_for_summary(request: &Value) -> bool {
    messages(request).iter().any(|one| one["content"].as_str().unwrap().contains("Summarize the"))
}

/// A server whose model concludes when it is told so. What it says where a summary is wanted of the end of the
/// chat is given.
fn server(summary: &'static str) -> Server {
    Server::following(move |request| match last(request) {
        words if words.contains("The program asks") => Reply::text(summary),
        _ if is_for_summary(request) => Reply::text("The token expired."),
        words if words.ends_with(DONE) && request["tool_choice"] != "none" => {
            Reply::calls(&[("close_effort", json!({}))])
        }
        _ => Reply::text("I see: the token expires, and nobody asks for a new one.".repeat(4)),
    })
}

/// Small talk, then work on an effort: messages that begin with their number.
fn work(words: &str) -> Vec<Op> {
    let open = Op::Run(Call::OpenEffort { name: "auth bug".into() });
    let parts = (0..6).map(|nth| Op::Send(format!("part {nth}: {words}")));
    [Op::Send("nice weather".into()), open].into_iter().chain(parts).collect()
}

/// Runs all of it to its end; every turn ends well.
async fn play(server: &Server, dir: &Path, set: &[(&str, &str)], ops: Vec<Op>) {
    let (handle, mut notices) = drive_with(dir, client_of(server), set);
    // A shutdown acts at once, so all outcomes are waited for.
    let mut left = ops.len();
    for op in ops {
        handle.send(op);
    }
    while left > 0 {
        match notices.recv().await.expect("the driver lives") {
            Notice::TurnEnded(_) | Notice::CommandDone { .. } => left -= 1,
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            _ => {}
        }
    }
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
}

/// Plays work on an effort that is then concluded, in the turn or after it; returns all requests.
async fn requests(
    server: &Server,
    dir: &Path,
    set: Option<(&str, &str)>,
    in_turn: bool,
) -> Vec<Value> {
    let close = Op::Run(Call::CloseEffort { id: None });
    let mut ops = work(&"the login fails after an hour ".repeat(12));
    ops.push(if in_turn { Op::Send(DONE.into()) } else { close });
    play(server, dir, set.as_slice(), ops).await;
    let log = std::fs::read_to_string(dir.join("manifest.yaml")).unwrap();
    assert!(log.contains("The token expired."), "{log}");
    server.requests()
}

/// Of the tokens of a request, those that begin the last request of the chat too, in percent.
fn unchanged(requests: &[Value], is_it: fn(&Value) -> bool) -> u64 {
    let at = requests.iter().position(is_it).unwrap();
    let (chat, summary) = (&requests[at - 1], &requests[at]);
    let count = |value: &Value| Cl100k::lazy().count(&value.to_string());
    let sum = |values: &[Value]| values.iter().map(count).sum::<Tokens>();
    let tools = if summary.get("tools").is_some() { count(&summary["tools"]) } else { Tokens(0) };
    let same = |(one, other): &(&Value, &Value)| one == other;
    let begin = messages(chat).iter().zip(messages(summary)).take_while(same).count();
    let same = if chat.get("tools") == summary.get("tools") {
        tools + sum(&messages(summary)[..begin])
    } else {
        Tokens(0)
    };
    same.0 * 100 / (tools + sum(messages(summary))).0
}

#[tokio::test]
async fn an_effort_in_which_nothing_was_said_is_concluded_without_asking() {
    let (server, dir) = (server("Nothing."), tempfile::tempdir().unwrap());
    let open = Op::Run(Call::OpenEffort { name: "auth bug".into() });
    let close = Op::Run(Call::CloseEffort { id: None });
    play(&server, dir.path(), &[], vec![open, close]).await;
    assert_eq!(server.requests(), Vec::<Value>::new());
    let manifest = std::fs::read_to_string(dir.path().join("manifest.yaml")).unwrap();
    assert!(manifest.contains("status: concluded"), "{manifest}");
}

#[tokio::test]
async fn of_a_log_no_longer_than_a_summary_nobody_is_asked_for_one() {
    let server = Server::following(|request| {
        assert!(!is_for_summary(request), "{request}");
        Reply::text("Noted: the value was 13 ms in src/mod_1.rs.")
    });
    let dir = tempfile::tempdir().unwrap();
    let open = Op::Run(Call::OpenEffort { name: "kit".into() });
    let close = Op::Run(Call::CloseEffort { id: None });
    let ops = vec![open, Op::Send("let's debug the kit bug".into()), close];
    play(&server, dir.path(), &[], ops).await;
    assert_eq!(server.requests().len(), 1);
    let manifest = std::fs::read_to_string(dir.path().join("manifest.yaml")).unwrap();
    let stands = "let's debug the kit bug Noted: the value was 13 ms in src/mod_1.rs.";
    assert!(manifest.contains(stands) && !manifest.contains("user:"), "{manifest}");
}

#[tokio::test]
async fn a_summary_is_asked_for_behind_what_the_server_has_read_already() {
    let server = server("The token expired.");
    for in_turn in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        let before = server.requests().len();
        let requests = requests(&server, dir.path(), None, in_turn).await.split_off(before);
        let summary = requests.iter().find(|one| is_for_summary(one)).unwrap();
        assert_eq!(summary["tool_choice"], "none");
        assert!(
            last(summary).contains("the effort auth-bug") && last(summary).contains("the last 12")
        );
        assert_eq!(last(summary).starts_with(DONE), in_turn, "the newest words belong to the log");
        let unchanged = unchanged(&requests, is_for_summary);
        println!("unchanged prefix of the request for a summary: {unchanged} %");
        assert!(unchanged >= 80, "{unchanged} %, in the turn: {in_turn}");
    }
}

#[tokio::test]
async fn another_model_and_one_that_goes_on_chatting_get_the_log_alone() {
    let small = Some(("summary_model", "small"));
    for (summary, set, asked) in [("The token expired.", small, 1), ("", None, 2)] {
        let server = server(summary);
        let dir = tempfile::tempdir().unwrap();
        let requests = requests(&server, dir.path(), set, true).await;
        let asked_for: Vec<_> = requests.iter().filter(|one| is_for_summary(one)).collect();
        assert_eq!(asked_for.len(), asked, "{set:?}");
        let alone = asked_for.last().unwrap();
        assert_eq!((messages(alone).len(), alone.get("tools")), (2, None));
    }
}

#[tokio::test]
async fn what_the_window_left_out_of_a_log_is_told_beside_it() {
    let server = server("The token expired.");
    let dir = tempfile::tempdir().unwrap();
    let requests = requests(&server, dir.path(), Some(("token_budget", "2480")), true).await;
    let at = requests.iter().position(is_for_summary).unwrap();
    // Texts of one speaker in a row go out as one, so that a message may begin as that of the chat and go on.
    let [chat, asked] = [at - 1, at].map(|at| texts(&requests[at]));
    let same = chat.char_indices().zip(asked.chars()).find(|((_, one), other)| one != other);
    let (front, beside) = asked.split_at(same.map_or(chat.len(), |((place, _), _)| place));
    let parts: Vec<String> = (0..6).map(|nth| format!("part {nth}:")).collect();
    let (shown, left): (Vec<_>, Vec<_>) =
        parts.iter().partition(|part| front.contains(part.as_str()));
    assert!(!shown.is_empty() && !left.is_empty(), "{shown:?} {left:?}");
    assert!(left.iter().all(|part| beside.contains(part.as_str())), "{beside}");
    assert!(!shown.iter().any(|part| beside.contains(part.as_str())), "{beside}");
}

/// All that a request says, in order.
fn texts(request: &Value) -> String {
    let texts = messages(request).iter().map(|one| one["content"].as_str().unwrap());
    texts.collect::<Vec<_>>().join("\n\n")
}

fn is_for_compression(request: &Value) -> bool {
    messages(request).iter().any(|one| one["content"].as_str().unwrap().contains("Compress the"))
}

/// A server that answers in words; what it says where a compression is wanted of messages of the chat is given.
fn compressing(behind: &'static str) -> Server {
    Server::following(move |request| match last(request) {
        words if words.contains("The program asks") => Reply::text(behind),
        _ if is_for_compression(request) => Reply::text("The login fails."),
        _ => Reply::text("I see: the token expires, and nobody asks for a new one. ".repeat(4)),
    })
}

const SMALL: (&str, &str) = ("token_budget", "3900");

/// The requests while an effort grows over the soft line, until it was compressed.
async fn grown(server: &Server, dir: &Path, set: &[(&str, &str)]) -> Vec<Value> {
    play(server, dir, set, work(&"the login fails after an hour ".repeat(70))).await;
    let manifest = std::fs::read_to_string(dir.join("manifest.yaml")).unwrap();
    assert!(manifest.contains("compressed"), "{manifest}");
    server.requests()
}

#[tokio::test]
async fn a_compression_is_asked_for_behind_what_the_server_has_read_already() {
    let server = compressing("The login fails, in all parts.");
    let dir = tempfile::tempdir().unwrap();
    let requests = grown(&server, dir.path(), &[SMALL]).await;
    let at = requests.iter().position(is_for_compression).unwrap();
    let (asked, front) = messages(&requests[at]).split_last().unwrap();
    assert_eq!(front, &messages(&requests[at - 1])[..front.len()]);
    assert_eq!(
        (&requests[at]["tool_choice"], &requests[at]["tools"]),
        (&json!("none"), &requests[at - 1]["tools"])
    );
    let asked = asked["content"].as_str().unwrap();
    assert!(
        asked.contains("the effort auth-bug: the ")
            && asked.contains("begins \u{201c}part 0: the login"),
        "{asked}"
    );
    assert!(
        !asked.contains("hour the login fails"),
        "what stands above is not told again: {asked}"
    );
    let unchanged = unchanged(&requests, is_for_compression);
    assert!(unchanged >= 80, "{unchanged} %");
    let shown = messages(requests.last().unwrap());
    assert!(
        shown
            .iter()
            .any(|one| one["content"].as_str().unwrap().contains("The login fails, in all parts."))
    );
}

#[tokio::test]
async fn where_prompts_are_kept_for_a_price_a_compression_is_asked_for_behind_the_turn_before() {
    let mut told = Vec::new();
    for price in ["0", "0.1"] {
        let server = compressing("The login fails, in all parts.");
        let dir = tempfile::tempdir().unwrap();
        let requests = grown(&server, dir.path(), &[SMALL, ("price_cached", price)]).await;
        let at = requests.iter().position(is_for_compression).unwrap();
        let (_, front) = messages(&requests[at]).split_last().unwrap();
        told.push(messages(&requests[at - 2]).starts_with(front));
    }
    assert_eq!(told, [false, true]);
}

#[tokio::test]
async fn another_model_and_one_that_gives_no_compressed_form_get_the_messages_alone() {
    let small = ("compression_model", "small");
    let long = "The login fails. ".repeat(2_000).leak();
    for (behind, set) in [("unused", vec![SMALL, small]), ("", vec![SMALL]), (long, vec![SMALL])] {
        let server = compressing(behind);
        let dir = tempfile::tempdir().unwrap();
        let requests = grown(&server, dir.path(), &set).await;
        let asked: Vec<_> = requests.iter().filter(|one| is_for_compression(one)).collect();
        let is_behind = |one: &&&Value| one.get("tools").is_some();
        assert_eq!(asked.iter().filter(is_behind).count() > 0, set.len() == 1, "{set:?}");
        let alone = asked.last().unwrap();
        assert_eq!((messages(alone).len(), alone.get("tools")), (2, None));
    }
}

#[tokio::test]
async fn a_summary_is_judged_by_the_log_that_it_then_stands_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let message = "Tea is done. The invoices are next: amounts in src/bill/amount.rs are decimal(12,2), port \
                   8443 of billing.example.com answers within 250 ms, and version 3.1.4 rounds to 0.05 EUR.";
    let summary = "The user is done with tea and goes on with the invoices, whose amounts are kept as decimals \
                   and are rounded, as they are answered by a server of the company.";
    let open = |id: &str| call("open_effort", json!({ "name": id }));
    let close = || call("close_effort", json!({}));
    let broken = || {
        let error = Some(Error::Cut { address: "the server".into() });
        ScriptedAnswer { error, ..text("And") }
    };
    for (id, then, joins) in [
        ("tea", vec![text("All of it.")], true),
        ("coffee", vec![open("invoices"), text("Which columns?")], false),
        ("cocoa", vec![broken()], false),
    ] {
        let asks = format!("Now {id}.");
        bench.turn(&asks, vec![open(id), text("How much?")], "").await;
        let answers = std::iter::once(close()).chain(then).collect();
        let (_, told) = bench.try_turn_with_notes(message, answers, summary).await;
        let last = bench.turn("Well.", vec![text("Well.")], "").await;
        let item = last.memory.warm.iter().find(|item| item.id.as_str() == id).expect(id);
        let itself = format!("{asks} How much?");
        let expected = if joins { summary } else { &itself };
        assert_eq!(item.summary.as_deref(), Some(expected), "{id}");
        let kept: Vec<&String> = told.iter().filter(|note| note.contains("specifics")).collect();
        assert_eq!(kept.len(), usize::from(joins), "{kept:?}");
    }
    bench.close().await;
}

/// What concluding an effort comes to whose summary is answered so, and how often it was asked for.
async fn concluded(summary: impl Fn() -> Reply + Send + Sync + 'static) -> (String, usize) {
    let server = Server::following(move |request| match last(request) {
        words if words.contains("The program asks") => summary(),
        _ if is_for_summary(request) => summary(),
        _ => Reply::text("I see: the token expires, and nobody asks for a new one.".repeat(4)),
    });
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive_with(dir.path(), client_of(&server), &[]);
    let mut left = 0;
    for op in work(&"the login fails after an hour ".repeat(12)) {
        handle.send(op);
        left += 1;
    }
    handle.send(Op::Run(Call::CloseEffort { id: None }));
    let told = loop {
        match notices.recv().await.expect("the driver lives") {
            Notice::CommandDone { text, .. } if left == 0 => break text,
            Notice::TurnEnded(_) | Notice::CommandDone { .. } => left -= 1,
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            _ => {}
        }
    };
    (told, server.requests().iter().filter(|one| is_for_summary(one)).count())
}

#[tokio::test]
async fn a_summary_is_asked_for_again_only_where_that_may_help() {
    for (reply, asked, words) in [
        // A server that is out of order, or out of money, is no better with the log alone.
        (Reply::status(402, "no money"), 1, "no money"),
        (Reply::raw("data: {}\n\n"), 1, "cut off"),
        (Reply::status(400, "nope"), 2, "nope"),
        (Reply::answer(vec![], "stop"), 2, "gave no summary"),
        (Reply::calls(&[("effort_status", json!({}))]), 2, "/set summary_model"),
    ] {
        let (told, times) = concluded(move || reply.clone()).await;
        assert_eq!(times, asked, "{told}");
        assert!(told.contains("stays open") && told.contains(words), "{told}");
    }
}

#[tokio::test]
async fn what_is_no_whole_answer_is_no_summary() {
    let refusal = json!({"refusal": "I cannot help with that."});
    for (reply, asked, words) in [
        (Reply::answer(vec![content("The token was")], "abort"), 1, "ended it with \"abort\""),
        (Reply::answer(vec![content("The token")], "RECITATION"), 1, "may not be whole"),
        (Reply::answer(vec![chunk(refusal)], "stop"), 1, "the model's refusal"),
        // As often as any request, and not twice as often; and with what to do.
        (Reply::status(401, "nope"), 1, "No key was sent."),
        (Reply::status(429, "nope").header("retry-after", "900"), 1, "again in 15 minutes"),
    ] {
        let (told, times) = concluded(move || reply.clone()).await;
        assert_eq!(times, asked, "{told}");
        assert!(told.contains("stays open") && told.contains(words), "{told}");
    }
}

/// A server whose model of this name takes so many tokens of what memory asks it, and says so where a request has more.
fn taking(name: &'static str, tokens: usize) -> Server {
    Server::following(move |request| {
        let is_own = is_for_summary(request)
            || is_for_compression(request)
            || last(request).contains("The program asks");
        let size = request.to_string().len() / 4;
        if is_own && request["model"] == name && size > tokens {
            let words = format!(
                "request ({size} tokens) exceeds the available context size ({tokens} tokens)"
            );
            return Reply::status(400, &json!({"error": {"message": words}}).to_string());
        }
        let long = "I see: the token expires, and nobody asks for a new one. ".repeat(4);
        Reply::text(if is_own { "The token expired." } else { &long })
    })
}

/// The sizes of the requests of memory's own to a model of this name, in tokens as that server counts them.
fn sizes_of(server: &Server, name: &str) -> Vec<usize> {
    let requests = server.requests();
    let is_own = |one: &&Value| {
        one["model"] == name
            && (texts(one).contains("The program asks")
                || is_for_summary(one)
                || is_for_compression(one))
    };
    requests.iter().filter(is_own).map(|request| request.to_string().len() / 4).collect()
}

#[tokio::test]
async fn a_model_that_takes_less_than_a_log_is_asked_for_its_summary_in_parts() {
    for (own, set) in [("small", Some(("summary_model", "small"))), ("strict", None)] {
        let (server, dir) = (taking(own, 5_000), tempfile::tempdir().unwrap());
        let mut ops = work(&"the login fails after an hour ".repeat(150));
        ops.push(Op::Run(Call::CloseEffort { id: None }));
        play(&server, dir.path(), set.as_slice(), ops).await;
        let manifest = std::fs::read_to_string(dir.path().join("manifest.yaml")).unwrap();
        assert!(manifest.contains("status: concluded"), "{own}: {manifest}");
        let sizes = sizes_of(&server, own);
        let refused = sizes.iter().filter(|size| **size > 5_000).count();
        assert!(refused == 1 && sizes.len() > 3, "{own}: {sizes:?}");
    }
}

#[tokio::test]
async fn a_model_that_takes_less_than_messages_compresses_them_in_parts() {
    let (server, dir) = (taking("small", 1_500), tempfile::tempdir().unwrap());
    let set = [SMALL, ("compression_model", "small")];
    grown(&server, dir.path(), &set).await;
    let sizes = sizes_of(&server, "small");
    let (first, then) = sizes.split_first().unwrap();
    assert!(*first > 1_500 && then.len() > 1, "{sizes:?}");
    assert!(then.last().is_some_and(|last| *last <= 1_500), "{sizes:?}");
}
