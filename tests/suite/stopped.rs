//! Proofs that ask a server, ended by a signal: what was measured and paid until then is told.
#![cfg(unix)]

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::cli::Home;
use crate::support::server::{Reply, Server, content};

/// Runs a proof against a server whose answer to a request from this one on never ends, and ends it then: its outcome,
/// if it told any, what it complained about, and its exit code.
fn ended(which: &[&str], from: usize, signal: Signal) -> (Option<Value>, String, i32) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Server::following(move |request| {
        if count.fetch_add(1, Ordering::SeqCst) + 1 >= from {
            return Reply::chunks([content("half of")]).hang();
        }
        let system = request["messages"][0]["content"].as_str().unwrap_or_default();
        match system {
            judge if judge.starts_with("Two answers") => Reply::text("SAME"),
            judge if judge.starts_with("A question, an answer") => Reply::text("1. FOUND 2. FOUND"),
            _ => Reply::text("All right."),
        }
    });
    let (home, url) = (Home::new(), server.base_url());
    let line = [which, &["--json", "--model", "m", "--base-url", &url]].concat();
    let mut command = home.command(&line, &[]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while asked.load(Ordering::SeqCst) < from {
        assert!(began.elapsed() < Duration::from_secs(60), "it asks too little");
        sleep(Duration::from_millis(20));
    }
    // It has the beginning of the answer by then, mostly; without it the request counts all the same.
    sleep(Duration::from_millis(200));
    kill_process(Pid::from_child(&child), signal).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    (serde_json::from_slice(&output.stdout).ok(), err, output.status.code().unwrap())
}

#[test]
fn what_was_said_before_a_signal_is_told_with_what_it_cost() {
    let line = ["proof", "live", "--runs", "1"];
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let (outcome, err, code) = ended(&line, 5, signal);
        let outcome = outcome.expect(&err);
        assert_eq!((code, outcome["holds"].as_bool()), (expected, Some(false)), "{err}");
        let last = outcome["claims"].as_array().unwrap().last().unwrap();
        let text = "everything is said; the figures are of what was said until it was stopped";
        assert_eq!(last["text"], text);
        let why = last["figures"].as_str().unwrap();
        assert!(why.starts_with("run 1 of 1: ") && why.ends_with(": you stopped it"), "{why}");
        let costs = outcome["remarks"][0].as_str().unwrap();
        assert!(costs.contains(": 4 turns, 5 requests that were answered, "), "{costs}");
    }
}

#[test]
fn what_was_answered_before_a_signal_is_told_with_what_it_cost() {
    // A summary, and five requests for the first question.
    let (outcome, err, code) = ended(&["proof", "quality"], 8, Signal::INT);
    let outcome = outcome.expect(&err);
    assert_eq!((code, outcome["rows"].as_array().unwrap().len()), (130, 1), "{outcome:#}");
    let last = outcome["claims"].as_array().unwrap().last().unwrap();
    assert_eq!(
        last["text"],
        "every question is asked; the figures are of those until it was stopped"
    );
    let costs = outcome["remarks"][0].as_str().unwrap();
    assert!(costs.contains(": 5 requests that were answered, "), "{costs}");
    assert!(err.contains("question 2 of 12: auth-bug"), "{err}");
}

#[test]
fn what_was_paid_before_anything_was_measured_is_told() {
    let (outcome, err, code) = ended(&["proof", "quality"], 2, Signal::TERM);
    assert_eq!((outcome, code), (None, 143), "{err}");
    let costs = err.split_once("until then m of ").expect(&err).1;
    assert!(costs.contains(" answered: 2 requests that were answered, "), "{err}");
    let (outcome, err, code) = ended(&["proof", "live", "--runs", "1"], 1, Signal::INT);
    assert_eq!((outcome, code), (None, 130), "{err}");
    assert!(err.contains("until then m of ") && err.contains("1 request that was"), "{err}");
}
