//! Killed at any instant: the session opens again, and no message that was shown as sent is missing.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::server::{Reply, Server};
use super::support::session::write_large;

/// How often the program is killed.
const KILLS: u64 = 200;

/// A small generator of numbers that look random and are the same in each run.
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

fn program(home: &Path, url: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).args(["--base-url", url, "--model", "m", "--session"]);
    command.arg(home.join("session")).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// A message of each kind: talk, and calls that change memory.
fn message(number: u64) -> String {
    match number % 4 {
        0 => format!("Let's debug the parser crash number{number}"),
        1 => format!("It fails at line number{number} of src/parse.rs"),
        2 => format!("We're done with it, number{number}"),
        _ => format!("Some small talk, number{number}"),
    }
}

/// Everything that the session's files hold.
fn all_words(directory: &Path) -> String {
    let mut words = String::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for item in std::fs::read_dir(directory).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                words += &String::from_utf8_lossy(&std::fs::read(path).unwrap());
            }
        }
    }
    words
}

/// How often a message stands in the logs of what was said.
fn logged(session: &Path, text: &str) -> usize {
    let mut count = 0;
    let efforts = std::fs::read_dir(session.join("efforts")).unwrap();
    let logs = efforts.map(|item| item.unwrap().path()).chain([session.join("raw.jsonl")]);
    for log in logs {
        let lines = std::fs::read_to_string(log).unwrap_or_default();
        let quoted = serde_json::Value::from(text).to_string();
        count += lines.lines().filter(|line| line.contains(&quoted)).count();
    }
    count
}

/// Lets the program live for a while, less if it ends by itself.
fn live(child: &mut Child, life: Duration) {
    let end = Instant::now() + life;
    while Instant::now() < end && child.try_wait().unwrap().is_none() {
        std::hint::spin_loop();
    }
}

/// What a model would do: open and close efforts, else talk.
fn rule(request: &Value) -> Reply {
    let messages = request["messages"].as_array().unwrap();
    let is_answer = messages.last().is_some_and(|message| message["role"] == "tool");
    let said = said(request);
    match said.split(' ').next() {
        _ if is_answer || request["tools"].is_null() => Reply::text("The parser crashed, fixed."),
        Some("Let's") => {
            let name = said.rsplit(' ').next().unwrap();
            Reply::calls(&[("open_effort", json!({ "name": name }))])
        }
        Some("We're") => Reply::calls(&[("close_effort", json!({}))]),
        _ => Reply::text("I see."),
    }
}

/// The message of the user that a request carries.
fn said(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap();
    let user = messages.iter().rev().find(|message| message["role"] == "user").unwrap();
    user["content"].as_str().unwrap().to_owned()
}

#[test]
fn two_hundred_kills_lose_no_message_and_repeat_none() {
    let server = Server::following(rule);
    let url = server.base_url();
    let home = tempfile::tempdir().unwrap();
    let session = home.path().join("session");
    let begun = Instant::now();
    for _ in 0..3 {
        let whole = program(home.path(), &url, &["-p", "hello"]).output().unwrap();
        assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    }
    let mut whole_life = u64::try_from(begun.elapsed().as_micros()).unwrap() / 3;
    let mut seed = 0x5eed_1234_abcd_0001;
    let mut finished = 0;
    let mut before = server.requests().len();
    for number in 0..KILLS {
        let mut child = program(home.path(), &url, &["-p", &message(number)]).spawn().unwrap();
        // From the start of the program to well behind the end of the turn, most often within it.
        let life = Duration::from_micros(whole_life / 3 + next(&mut seed) % whole_life);
        live(&mut child, life);
        let _ = child.kill();
        let ended = child.wait().unwrap().success();
        finished += u64::from(ended);
        // The machine's pace changes with its load: lives follow it, so that most end within a turn.
        let received = server.requests().len();
        whole_life = match (received == before, ended) {
            (true, _) => whole_life * 21 / 20,
            (false, true) => whole_life * 19 / 20,
            (false, false) => whole_life,
        };
        before = received;
        if number % 20 == 19 {
            let opened = program(home.path(), &url, &["stats"]).output().unwrap();
            let words = String::from_utf8_lossy(&opened.stderr).into_owned();
            assert!(opened.status.success(), "kill {number} after {life:?}: {words}");
        }
    }
    let last = program(home.path(), &url, &["-p", "the last one"]).output().unwrap();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    let words = all_words(&session);
    let chat = server.requests().into_iter().filter(|request| !request["tools"].is_null());
    let sent: BTreeSet<String> = chat.map(|request| said(&request)).collect();
    for text in sent.iter().filter(|text| *text != "hello") {
        assert!(words.contains(text), "'{text}' was sent and is gone");
        assert!(logged(&session, text) <= 1, "'{text}' is logged twice");
    }
    assert!(sent.len() > 40, "the kills came too early to prove anything: {}", sent.len());
    assert!(finished < KILLS * 3 / 4, "the kills came too late to prove anything: {finished}");
    assert_eq!(server.take_violations(), Vec::<String>::new());
}

#[test]
fn a_large_session_opens_after_a_kill_while_it_was_read() {
    let server = Server::following(rule);
    let home = tempfile::tempdir().unwrap();
    write_large(&home.path().join("session"), 2_000, 50);
    let url = server.base_url();
    for life in [10, 60, 200] {
        let mut child = program(home.path(), &url, &["-p", "hello again"]).spawn().unwrap();
        live(&mut child, Duration::from_millis(life));
        let _ = child.kill();
        let _ = child.wait();
    }
    let last = program(home.path(), &url, &["-p", "the last one"]).output().unwrap();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    let stats = program(home.path(), &url, &["stats", "--json"]).stdout(Stdio::piped()).output();
    let stats: Value = serde_json::from_slice(&stats.unwrap().stdout).unwrap();
    assert_eq!(stats["efforts"]["concluded"], 2_000);
}

#[test]
fn a_kill_while_a_file_is_attached_loses_no_word() {
    let server = Server::following(rule);
    let home = tempfile::tempdir().unwrap();
    let (session, file) = (home.path().join("session"), home.path().join("big.txt"));
    std::fs::write(&file, "some words of a large file\n".repeat(2_000_000)).unwrap();
    let url = server.base_url();
    for number in 0..3 {
        let text = format!("read number{number} of @{}", file.display());
        let mut child = program(home.path(), &url, &["-p", &text]).spawn().unwrap();
        let half = session.join("scratchpad/big-txt.part");
        let end = Instant::now() + Duration::from_secs(60);
        while !half.exists() && Instant::now() < end {
            assert_eq!(child.try_wait().unwrap(), None, "the file was never half taken in");
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let opened = ebbtide::store::Store::open(&session).unwrap();
        assert_eq!(opened.interrupted.map(|it| it.user.to_string()), Some(text.clone()));
        assert_eq!((logged(&session, &text), half.exists()), (0, false));
    }
}
