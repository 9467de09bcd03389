//! A whole life in memory, in plain language, with the built program on a real pseudo-terminal: open,
//! work, switch, conclude, chat until the summary leaves, ask about it, see it found, expand it, drift
//! away, see it collapse. Once with the offline model, once with a real server process.

use std::process::Command;

use serde_json::{Value, json};

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server, said};

const SMALL_TALK: [&str; 5] = [
    "nice weather today",
    "i had pasta for lunch",
    "my neighbour plays the piano",
    "the train was late again",
    "it is raining now",
];

/// The settings make the countdowns short enough to be watched in a test.
const SHORT: [&str; 2] = ["--set", "summary_eviction_threshold=4"];

fn start(home: &std::path::Path, args: &[&str]) -> Terminal {
    let args: Vec<&str> = args.iter().chain(&SHORT).copied().collect();
    let terminal = Terminal::start(&Start { args: &args, home, size: (120, 36), env: &[] });
    terminal.wait_for("· ready");
    terminal
}

/// Sends a message and waits until its turn is counted.
fn say(terminal: &mut Terminal, turn: u64, text: &str) -> String {
    terminal.send_line(text);
    terminal.wait_until(&format!("turn {turn} to end"), |screen| {
        screen.lines().next().is_some_and(|line| line.contains(&format!("turn {turn} · ready")))
    })
}

fn live(terminal: &mut Terminal) {
    say(terminal, 1, "Let's debug the auth bug");
    terminal.wait_for("Started effort: auth-bug");
    say(
        terminal,
        2,
        "Users get a 401 after 15 minutes, the refresh token in src/auth.rs is never used",
    );
    say(terminal, 3, "I want to plan my sailing trip");
    terminal.wait_for("Started effort: sailing-trip");
    let screen = say(terminal, 4, "back to the auth bug");
    assert!(screen.contains("Switched to effort: auth-bug"), "{screen}");
    say(terminal, 5, "The fix was an axios interceptor in client.ts");
    let screen = say(terminal, 6, "we're done with the auth bug");
    assert!(screen.contains("Concluded effort: auth-bug"), "{screen}");
    assert!(screen.contains("1 concluded, 0 evicted"), "{screen}");
    terminal.wait_for("▪ auth-bug");
    say(terminal, 7, "close the sailing trip");
    let mut turn = 7;
    // What leaves sinks for a moment before the panel counts it, but the chat says so at once.
    while !terminal.screen().contains("Evicted summary: sailing-trip") {
        turn += 1;
        say(terminal, turn, SMALL_TALK[turn as usize % SMALL_TALK.len()]);
        assert!(turn < 20, "the summaries never left:\n{}", terminal.screen());
    }
    terminal.wait_for("2 concluded, 2 evicted");
    let screen = say(terminal, turn + 1, "what was the fix for the auth bug?");
    assert!(screen.contains("interceptor"), "{screen}");
    let screen = say(terminal, turn + 2, "show me the details of the auth bug");
    assert!(screen.contains("Expanded effort: auth-bug"), "{screen}");
    terminal.wait_for("▾ auth-bug");
    for drift in 3..=5 {
        say(terminal, turn + drift, SMALL_TALK[drift as usize % SMALL_TALK.len()]);
    }
    terminal.wait_for("Auto-collapsed effort: auth-");
}

#[test]
fn the_offline_model_lives_through_all_of_it() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["--offline"]);
    live(&mut terminal);
    terminal.send("\x04");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_real_server_lives_through_all_of_it_and_every_request_is_a_good_one() {
    let server = Server::following(rule);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let mut terminal = start(home.path(), &["--base-url", &url, "--model", "strict"]);
    live(&mut terminal);
    terminal.send("\x04");
    assert_eq!(terminal.wait_exit(), 0);
    assert_eq!(server.take_violations(), Vec::<String>::new());
}

/// What the screen tells of conclusions: the line that parts, what stands for the effort, and its tokens.
fn conclusions(screen: &str) -> Vec<String> {
    let chat = |line: &str| line.split('│').next().unwrap_or(line).trim_end().to_owned();
    let mut lines = screen.lines().map(chat);
    let mut told = Vec::new();
    while let Some(line) = lines.find(|line| line.contains("─── Concluded effort: ")) {
        told.push(line);
        for line in lines.by_ref() {
            told.push(line);
            if told.last().is_some_and(|line| line.ends_with("tokens in the window")) {
                break;
            }
        }
    }
    told
}

#[test]
fn a_conclusion_is_told_as_before_when_the_session_is_opened_again() {
    let home = tempfile::tempdir().unwrap();
    let args = ["--offline", "--session", "festival"];
    let mut terminal = start(home.path(), &args);
    say(&mut terminal, 1, "Let's plan the harvest festival");
    say(&mut terminal, 2, "Maria brings 14 trestle tables on the 4th.");
    let screen = say(&mut terminal, 3, "The harvest festival is planned, done!");
    let told = conclusions(&screen);
    assert!(told.iter().any(|line| line.contains("▪ Maria brings 14 trestle tables")), "{told:?}");
    say(&mut terminal, 4, "I want to plan my sailing trip");
    say(&mut terminal, 5, "We leave from Kiel at 6:40.");
    terminal.send_line("/close");
    terminal.wait_for("'sailing-trip' is concluded: We leave from Kiel at 6:40.");
    terminal.send("\x04");
    assert_eq!(terminal.wait_exit(), 0);
    let terminal = start(home.path(), &args);
    let again = conclusions(&terminal.wait_for("Concluded effort: sailing-trip"));
    let (first, second) = again.split_at(told.len());
    assert_eq!(first, told);
    assert!(second[1].contains("▪ We leave from Kiel at 6:40."), "{second:?}");
}

#[test]
fn what_the_last_turn_took_is_told_alike_beside_it_and_in_the_numbers() {
    let home = tempfile::tempdir().unwrap();
    let args = ["--offline", "--session", "festival"];
    let mut terminal = start(home.path(), &args);
    say(&mut terminal, 1, "Let's plan the harvest festival");
    // The request for the summary is one of the turn's.
    say(&mut terminal, 2, "The harvest festival is planned, done!");
    let screen = terminal.wait_for("3 requests");
    let beside = screen.lines().find(|line| line.contains(" · 3 requests")).unwrap();
    let tokens = beside.split_once("sent ").unwrap().1.split(' ').next().unwrap();
    let told = format!("last turn        sent {tokens} tokens in 3 requests");
    terminal.send_line("/stats");
    terminal.wait_for(&told);
    terminal.send("\x04");
    assert_eq!(terminal.wait_exit(), 0);
    let mut terminal = start(home.path(), &args);
    terminal.wait_for("none lost");
    terminal.send_line("/stats");
    terminal.wait_for(&told);
}

#[test]
fn the_inspector_shows_what_the_server_receives_next() {
    let server = Server::following(rule);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
        command.env_clear().env("HOME", home.path()).args(args).stdin(std::process::Stdio::null());
        let output = command.output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let send = ["--base-url", &url, "--model", "strict", "-p"];
    run(&[&send[..], &["Let's debug the auth bug"]].concat());
    run(&[&send[..], &["The refresh token is never used"]].concat());
    let context: Value = serde_json::from_str(&run(&["context", "--json"])).unwrap();
    run(&[&send[..], &["hello again"]].concat());
    let request = server.requests().pop().unwrap();
    // The memory block goes with the message.
    let mut expected = context["messages"].clone();
    let last = expected.as_array_mut().unwrap().last_mut().unwrap();
    last["content"] = format!("{}hello again", last["content"].as_str().unwrap()).into();
    assert_eq!(request["messages"], expected);
    assert_eq!(request["tools"], context["tools"]);
}

/// What a good model would do, by the last message.
fn rule(request: &Value) -> Reply {
    let messages = request["messages"].as_array().unwrap();
    let last = messages.last().unwrap();
    if messages[0]["content"].as_str().unwrap().starts_with("Summarize")
        || request["tool_choice"] == "none"
    {
        return Reply::text("Users got a 401; fixed by an axios interceptor in client.ts.");
    }
    if last["role"] == "tool" {
        let result = last["content"].as_str().unwrap();
        return match serde_json::from_str::<Value>(result).unwrap()["results"][0]["summary"]
            .as_str()
        {
            Some(summary) => Reply::text(summary),
            None => Reply::text("Done."),
        };
    }
    let call = |name: &str, arguments: Value| Reply::calls(&[(name, arguments)]);
    match said(request).as_str() {
        "Let's debug the auth bug" => call("open_effort", json!({ "name": "auth bug" })),
        "I want to plan my sailing trip" => call("open_effort", json!({ "name": "sailing-trip" })),
        "back to the auth bug" => call("switch_effort", json!({ "id": "auth-bug" })),
        "we're done with the auth bug" => call("close_effort", json!({})),
        "close the sailing trip" => call("close_effort", json!({ "id": "sailing-trip" })),
        "what was the fix for the auth bug?" => {
            call("search_efforts", json!({ "query": "auth bug fix" }))
        }
        "show me the details of the auth bug" => call("expand_effort", json!({ "id": "auth-bug" })),
        _ => Reply::text("I see."),
    }
}
