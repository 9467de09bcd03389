//! Killed at any instant: the session opens again, and no message that was shown as sent or entered is missing
//! or there twice.

use std::io::Read as _;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use super::support::kills::{in_terminal, model, outside, program, session, wait};
use super::support::server::{Reply, Server, content};
use super::support::session::write_large;

/// How often the program is killed here; `cargo bench --bench kill` does it as often as is asked for.
const KILLS: usize = 100;

/// The same for lives in a terminal, which are longer.
const TERMINAL_KILLS: usize = 10;

#[test]
fn a_hundred_kills_lose_no_message_and_repeat_none() {
    let seen = outside(KILLS, 0x5eed_1234_abcd_0001);
    assert!(seen.wrong.is_empty(), "{:#?}", seen.wrong);
    assert!(seen.sent > 20, "the kills came too early to prove anything: {}", seen.sent);
    let finished = seen.finished;
    assert!(finished < KILLS * 3 / 4, "the kills came too late to prove anything: {finished}");
}

#[test]
fn what_stands_on_the_screen_as_entered_survives_a_kill_once() {
    let seen = in_terminal(TERMINAL_KILLS, 0x0ebb_71de_0000_0001);
    assert!(seen.wrong.is_empty(), "{:#?}", seen.wrong);
    assert!(seen.entered > TERMINAL_KILLS, "the kills came too early to prove anything: {seen:?}");
}

#[test]
fn what_had_arrived_of_a_reply_survives_a_kill() {
    let half = Reply::chunks(["Half of ", "the reply"].map(content)).hang();
    let server = Server::replying([half, Reply::text("Much.")]);
    let home = tempfile::tempdir().unwrap();
    let mut asked = program(&server, home.path(), &["-p", "what is there?"]);
    let mut child = asked.stdout(Stdio::piped()).spawn().unwrap();
    let mut seen = [0; "Half of the reply".len()];
    child.stdout.take().unwrap().read_exact(&mut seen).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let search = |words: &str| {
        let mut search = program(&server, home.path(), &["search", words]);
        String::from_utf8(search.stdout(Stdio::piped()).output().unwrap().stdout).unwrap()
    };
    let found = "a message (not answered, turn 1): what is there?\n";
    assert_eq!(search("WHAT there"), found);
    assert_eq!(search("elephants"), "nothing matches; try other words\n");
    let mut next = program(&server, home.path(), &["-p", "what is there now?"]);
    let next = next.stderr(Stdio::piped()).output().unwrap();
    let told = String::from_utf8_lossy(&next.stderr);
    assert!(next.status.success(), "{told}");
    assert!(told.contains("ended before the message \"what is there?\" was answered"), "{told}");
    let export = program(&server, home.path(), &["export"]).stdout(Stdio::piped()).output();
    let told = String::from_utf8(export.unwrap().stdout).unwrap();
    assert!(told.contains("what is there?") && told.contains("Half of the reply"), "{told}");
}

#[test]
fn a_large_session_opens_after_a_kill_while_it_was_read() {
    let server = Server::following(model);
    let home = tempfile::tempdir().unwrap();
    write_large(&session(home.path()), 2_000, 50);
    for life in [10, 60, 200] {
        let mut child = program(&server, home.path(), &["-p", "hello again"]).spawn().unwrap();
        wait(&mut child, Duration::from_millis(life));
        let _ = child.kill();
        let _ = child.wait();
    }
    let last = program(&server, home.path(), &["-p", "the last one"]).output().unwrap();
    assert!(last.status.success(), "{}", String::from_utf8_lossy(&last.stderr));
    let stats = program(&server, home.path(), &["stats", "--json"]).stdout(Stdio::piped()).output();
    let stats: Value = serde_json::from_slice(&stats.unwrap().stdout).unwrap();
    assert_eq!(stats["efforts"]["concluded"], 2_000);
}
