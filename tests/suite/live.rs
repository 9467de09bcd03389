//! `proof live` against servers that follow the rules, ignore them, or act in every turn: each is told apart.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::Home;
use crate::support::server::{Reply, Server, said};

#[derive(Deserialize)]
struct Conversation {
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    say: Vec<String>,
    expect: String,
}

/// What is expected of each message, in all its wordings.
static EXPECTED: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let text = include_str!("../../assets/live.yaml");
    let conversations: Vec<Conversation> =
        yaml_serde::from_str(text).expect("the file can be read");
    let turns = conversations.into_iter().flat_map(|conversation| conversation.turns);
    turns
        .flat_map(|turn| turn.say.into_iter().map(move |words| (words, turn.expect.clone())))
        .collect()
});

/// How many turns of a run expect this; "" for all.
fn turns(word: &str) -> usize {
    EXPECTED.values().filter(|expect| expect.starts_with(word)).count() / 3
}

fn is_first(request: &Value) -> bool {
    let messages = request["messages"].as_array().expect("messages");
    let is_summary = request["tools"].is_null() || request["tool_choice"] == "none";
    !is_summary && messages.last().is_some_and(|message| message["role"] == "user")
}

/// A model that does what a person would expect.
fn follower(request: &Value) -> Reply {
    let expected = EXPECTED.get(&said(request)).map(|expect| expect.split_once(' '));
    let Some(Some((word, key))) = expected.filter(|_| is_first(request)) else {
        return Reply::text("All right, that is how it is.");
    };
    match word {
        "open" => Reply::calls(&[("open_effort", json!({ "name": key }))]),
        "find" => Reply::text(format!("It was {key}.")),
        _ => Reply::calls(&[(&format!("{word}_effort"), json!({ "id": key }))]),
    }
}

/// Runs the proof once against a server: its outcome and exit code.
fn prove(server: &Server) -> (Value, String, i32) {
    let url = server.base_url();
    let line = ["proof", "live", "--runs", "1", "--json", "--model", "m", "--base-url", &url];
    let (out, err, code) = Home::new().run(&line, &[]);
    (serde_json::from_str(&out).expect("an outcome"), err, code)
}

fn measured<'a>(outcome: &'a Value, word: &str) -> &'a str {
    let rows = outcome["rows"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["step"] == word).expect("a row for each kind");
    row["measured"].as_str().expect("a text")
}

const ACTS: [&str; 6] = ["open", "close", "switch", "reopen", "expand", "find"];

#[test]
fn a_model_that_follows_the_rules_passes_in_every_kind() {
    let server = Server::following(follower);
    let (outcome, err, code) = prove(&server);
    for word in ACTS.into_iter().chain(["silent"]) {
        let all = turns(word);
        assert!(
            measured(&outcome, word).starts_with(&format!("{all} of {all}: 100 %")),
            "{outcome:#}"
        );
    }
    assert_eq!((code, outcome["holds"].as_bool()), (0, Some(true)), "{err}");
    assert!(err.contains("run 1 of 1: long ago"), "{err}");
    let costs = outcome["remarks"][0].as_str().expect("what it cost");
    let requests = server.requests().len();
    let told = format!("{} turns, {requests} requests that were answered, ", turns(""));
    // This server counts prompts, but does not say what came from its cache.
    let counted = "estimated where the server did not say";
    assert!(costs.contains(&told) && costs.contains(counted), "{costs}");
}

/// Each effort is opened a turn late under the model's own name, and all that follows is right.
#[test]
fn a_model_that_opens_late_misses_in_opening_alone() {
    let overdue = std::sync::Mutex::new(None);
    let server = Server::following(move |request| {
        let expected = EXPECTED.get(&said(request)).filter(|_| is_first(request));
        let Some(expected) = expected else { return Reply::text("All right.") };
        let mut overdue = overdue.lock().expect("nobody panicked");
        match expected.split_once(' ') {
            Some(("open", key)) => {
                *overdue = Some(format!("work-on-{key}"));
                Reply::text("What exactly do you have in mind?")
            }
            Some(("find", words)) => Reply::text(format!("It was {words}.")),
            Some((word, key)) if key == "perf-fix" => {
                Reply::calls(&[(&format!("{word}_effort"), json!({ "id": key }))])
            }
            Some((word, key)) => {
                let id = format!("work-on-{key}");
                Reply::calls(&[(&format!("{word}_effort"), json!({ "id": id }))])
            }
            None => match overdue.take() {
                Some(name) => Reply::calls(&[("open_effort", json!({ "name": name }))]),
                None => Reply::text("Right."),
            },
        }
    });
    let (outcome, err, code) = prove(&server);
    let none = format!("0 of {}: 0 %", turns("open"));
    assert!(measured(&outcome, "open").starts_with(&none), "{outcome:#}");
    for word in ["close", "switch", "reopen", "expand", "find", "silent"] {
        let all = format!("{0} of {0}: 100 %", turns(word));
        assert!(measured(&outcome, word).starts_with(&all), "{word}: {outcome:#}");
    }
    assert_eq!(code, 1, "{err}");
}

#[test]
fn a_model_that_ignores_the_rules_is_silent_and_nothing_else() {
    let server = Server::following(|_| Reply::text("All right."));
    let (outcome, err, code) = prove(&server);
    for word in ACTS {
        let none = format!("0 of {}: 0 %", turns(word));
        assert!(measured(&outcome, word).starts_with(&none), "{word}: {outcome:#}");
    }
    let silent = turns("silent");
    assert!(measured(&outcome, "silent").starts_with(&format!("{silent} of {silent}: 100 %")));
    assert_eq!(code, 1);
    assert!(err.ends_with("claims of proof live do not hold.\n"), "{err}");
    let misses = outcome["rows"].as_array().expect("rows").len() - ACTS.len() - 1;
    assert_eq!(misses, turns("") - silent);
}

#[test]
fn a_model_that_opens_an_effort_for_everything_is_never_silent() {
    let server = Server::following(|request| {
        let messages = request["messages"].as_array().expect("messages").len();
        let name = format!("topic {messages} {}", said(request).len());
        if is_first(request) {
            Reply::calls(&[("open_effort", json!({ "name": name }))])
        } else {
            Reply::text("All right.")
        }
    });
    let (outcome, _, code) = prove(&server);
    let opens = turns("open");
    assert!(measured(&outcome, "open").starts_with(&format!("{opens} of {opens}: 100 %")));
    let none = format!("0 of {}: 0 %", turns("silent"));
    assert!(measured(&outcome, "silent").starts_with(&none), "{outcome:#}");
    assert_eq!(code, 1);
}

#[test]
fn a_warning_ends_nothing_and_a_search_that_is_refused_finds_nothing() {
    let server = Server::following(|request| {
        let expected = EXPECTED.get(&said(request)).filter(|_| is_first(request));
        if expected.is_some_and(|expect| expect.starts_with("find ")) {
            Reply::calls(&[("search_efforts", json!({ "nonsense": 1 }))])
        } else {
            // It leaves the tools out of its count.
            Reply::cut_to("All right.", 1_100)
        }
    });
    let (outcome, err, code) = prove(&server);
    assert!(err.contains(" 1,100 of about "), "{err}");
    assert_eq!((code, outcome["holds"].as_bool()), (1, Some(false)), "{err}");
    let none = format!("0 of {}: 0 %", turns("find"));
    assert!(measured(&outcome, "find").starts_with(&none), "{outcome:#}");
    let costs = outcome["remarks"][0].as_str().expect("what it cost");
    assert!(
        costs.contains(&format!(", {} requests that were answered, ", server.requests().len())),
        "{costs}"
    );
}

#[test]
fn a_turn_that_fails_is_a_miss_and_all_that_was_asked_is_counted() {
    let emptied = AtomicUsize::new(0);
    let server = Server::following(move |request| {
        let expected = EXPECTED.get(&said(request));
        let is_close = expected.is_some_and(|expect| expect.starts_with("close auth"));
        // Called and concluded, and then without a word, also when asked once more.
        if is_close && !is_first(request) && emptied.fetch_add(1, Ordering::Relaxed) < 2 {
            return Reply::text("");
        }
        follower(request)
    });
    let (outcome, err, code) = prove(&server);
    let close = turns("close");
    let told = format!("{} of {close}: ", close - 1);
    assert!(measured(&outcome, "close").starts_with(&told), "{outcome:#}");
    let open = turns("open");
    assert!(measured(&outcome, "open").starts_with(&format!("{open} of {open}: ")), "{outcome:#}");
    assert_eq!((code, outcome["holds"].as_bool()), (0, Some(true)), "{err}");
    let remarks = outcome["remarks"].as_array().expect("remarks");
    let costs = remarks[0].as_str().expect("what it cost");
    let requests = server.requests().len();
    assert!(
        costs.contains(&format!("{} turns, {requests} requests that were answered, ", turns(""))),
        "{costs}"
    );
    assert!(remarks[1].as_str().expect("a remark").contains("1 turn failed"), "{outcome:#}");
}

#[test]
fn a_summary_at_which_the_server_fails_is_no_miss_of_the_model() {
    let server = Server::following(|request| {
        let is_summary = request["tools"].is_null() || request["tool_choice"] == "none";
        if is_summary { Reply::status(400, "no summaries today") } else { follower(request) }
    });
    let (outcome, err, code) = prove(&server);
    // What cannot be concluded cannot be opened again or expanded either, but for what was concluded long ago.
    assert_eq!(measured(&outcome, "close"), "none was said", "{outcome:#}");
    assert!(measured(&outcome, "expand").starts_with("1 of 1: "), "{outcome:#}");
    assert_eq!(measured(&outcome, "reopen"), "none was said", "{outcome:#}");
    let open = turns("open");
    assert!(measured(&outcome, "open").starts_with(&format!("{open} of {open}: ")), "{outcome:#}");
    assert_eq!((code, outcome["holds"].as_bool()), (0, Some(true)), "{err}");
    let rows = outcome["rows"].as_array().expect("rows");
    let told = |words: &str| {
        rows.iter()
            .filter(|row| row["measured"].as_str().is_some_and(|it| it.starts_with(words)))
            .count()
    };
    let why = format!("left out: its summary could not be made: {} answered 400", server.address());
    assert_eq!(
        (told(&why), told("left out: ")),
        (turns("close"), turns("close") + 2),
        "{outcome:#}"
    );
    let remarks = outcome["remarks"].to_string();
    assert!(remarks.contains("5 turns are left out of the figures"), "{remarks}");
}

#[test]
fn a_call_that_is_refused_is_told_with_its_reason() {
    let server = Server::following(|request| {
        let is_close = EXPECTED.get(&said(request)).is_some_and(|it| it.starts_with("close"));
        if is_close && is_first(request) {
            Reply::calls(&[("close_effort", json!({ "id": "no such thing" }))])
        } else {
            follower(request)
        }
    });
    let (outcome, err, code) = prove(&server);
    assert!(measured(&outcome, "close").starts_with("0 of "), "{outcome:#}");
    let told = "close effort, which was refused: there is no effort 'no such thing'";
    assert!(outcome["rows"].to_string().contains(told), "{outcome:#}");
    assert_eq!(code, 1, "{err}");
}

#[test]
fn what_was_paid_before_the_first_two_turns_failed_is_told() {
    let asked = AtomicUsize::new(0);
    let server = Server::following(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::calls(&[("open_effort", json!({ "name": "auth" }))]),
        _ => Reply::status(400, "no more for you"),
    });
    let url = server.base_url();
    let line = ["proof", "live", "--runs", "1", "--model", "m", "--base-url", &url];
    let (out, err, code) = Home::new().run(&line, &[]);
    assert_eq!((&*out, code), ("", 1), "{err}");
    assert!(err.contains("until then m of ") && err.contains("1 request that was"), "{err}");
}

#[test]
fn a_pause_that_the_server_asks_for_is_told() {
    let asked = AtomicUsize::new(0);
    let server = Server::following(move |request| match asked.fetch_add(1, Ordering::Relaxed) {
        1 => Reply::status(429, "slow down").header("retry-after", "1"),
        _ => follower(request),
    });
    let (_, err, code) = prove(&server);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains(" answered 429: slow down; retrying in 1 s (attempt 2)"), "{err}");
}

#[test]
fn a_model_that_notes_everything_or_calls_in_vain_does_not_leave_memory_alone() {
    let calls = [
        ("remember", json!({ "content": "a thing" })),
        ("close_effort", json!({ "id": "no such thing" })),
    ];
    for call in calls {
        let server = Server::following(move |request| {
            let is_silent = EXPECTED.get(&said(request)).is_some_and(|expect| expect == "silent");
            if is_silent && is_first(request) {
                Reply::calls(&[(call.0, call.1.clone())])
            } else {
                follower(request)
            }
        });
        let (outcome, err, code) = prove(&server);
        let none = format!("0 of {}: 0 %", turns("silent"));
        assert!(measured(&outcome, "silent").starts_with(&none), "{outcome:#}");
        assert_eq!(code, 1, "{err}");
    }
}

#[test]
fn a_model_that_never_switches_gets_no_point_for_switching() {
    let server = Server::following(|request| {
        let expected = EXPECTED.get(&said(request));
        if expected.is_some_and(|expect| expect.starts_with("switch")) {
            Reply::text("All right.")
        } else {
            follower(request)
        }
    });
    let (outcome, _, _) = prove(&server);
    let none = format!("0 of {}: 0 %", turns("switch"));
    assert!(measured(&outcome, "switch").starts_with(&none), "{outcome:#}");
}

#[test]
fn what_was_measured_before_a_request_failed_is_told_with_its_reason() {
    let failing = |from: usize| {
        let asked = AtomicUsize::new(0);
        Server::following(move |request| match asked.fetch_add(1, Ordering::Relaxed) {
            at if at < from => follower(request),
            _ => Reply::status(400, "no more for you"),
        })
    };
    let server = failing(20);
    let (outcome, err, code) = prove(&server);
    assert_eq!((code, outcome["holds"].as_bool()), (1, Some(false)), "{err}");
    assert!(measured(&outcome, "open").starts_with("3 of 4: 75 %, 95 %"), "{outcome:#}");
    let claims = outcome["claims"].as_array().expect("claims");
    let last = claims.last().expect("a claim");
    let why = last["figures"].as_str().expect("why");
    assert!(last["holds"] == false && why.starts_with("run 1 of 1: "), "{outcome:#}");
    assert!(why.contains("no more for you"), "{why}");
    let costs = outcome["remarks"][0].as_str().expect("what it cost");
    let failed = outcome["remarks"][1].as_str().expect("what failed");
    assert!(failed.contains("1 turn failed") && failed.contains("One more failed"), "{failed}");
    assert!(
        !costs.contains(" 0 turns, ") && costs.contains(" requests that were answered, "),
        "{costs}"
    );
    // Nothing was measured at all: the reason alone, with what to do.
    let server = failing(0);
    let url = server.base_url();
    let line = ["proof", "live", "--runs", "1", "--model", "m", "--base-url", &url];
    let (out, err, code) = Home::new().run(&line, &[]);
    assert!(code == 1 && out.is_empty(), "{out}");
    let (_, advice) = err.split_once("no more for you").expect(&err);
    assert!(advice.trim().len() > 20, "{err}");
}

#[test]
fn runs_that_repeat_wordings_are_told() {
    let remarks = |runs: &str| {
        let line = ["proof", "live", "--runs", runs, "--json", "--offline"];
        let (out, err, _) = Home::new().run(&line, &[]);
        let outcome: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        outcome["remarks"].to_string()
    };
    assert!(remarks("4").contains("runs above 3 say them again"));
    assert!(!remarks("3").contains("say them again"));
}

#[test]
fn runs_belong_to_the_proof_that_has_them() {
    let (_, err, code) = Home::new().run(&["proof", "1", "--runs", "2"], &[]);
    assert!(err.contains("--runs belongs to proof live"), "{err}");
    assert_eq!(code, 2);
}

#[test]
fn a_setting_that_a_proof_fixes_is_refused() {
    for (line, told) in [
        (["proof", "3", "--set", "decay_threshold=7"], "at fixed settings, else its figures"),
        (["proof", "data", "x", "--set=slots=2"], "slots is one of them"),
        (["proof", "quality", "--set", "token-budget=9000"], "Leave --set token_budget out"),
    ] {
        let (out, err, code) = Home::new().run(&line, &[]);
        assert_eq!((&*out, code), ("", 2), "{line:?}");
        assert!(err.contains(told), "{line:?}: {err}");
    }
    let line = ["proof", "3", "--set", "log_level=warn", "--set", "offline=true", "--offline"];
    let (_, err, code) = Home::new().run(&line, &[]);
    assert_eq!(code, 0, "{err}");
}
