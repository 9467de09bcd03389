//! The terminal as the program finds and leaves it, and what a hand at the keyboard meets.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server, content};
use super::support::session::write_large;

fn start(home: &Path, size: (u16, u16), args: &[&str]) -> Terminal {
    let args: Vec<&str> = if args.is_empty() { vec!["--offline"] } else { args.to_vec() };
    Terminal::start(&Start { args: &args, home, size, env: &[] })
}

/// Whether the last word of the program to the terminal gives everything back.
pub(crate) fn gives_back(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let last = |sign: &str| text.rfind(sign);
    last("\x1b[?1049l") > last("\x1b[?1049h")
        && last("\x1b[?25h") > last("\x1b[?25l")
        && last("\x1b[?2004l") > last("\x1b[?2004h")
        && last("\x1b[?1000l") > last("\x1b[?1000h")
}

#[test]
fn the_terminal_is_given_back_on_quitting_and_on_signals() {
    for (way, code) in [("quit", 0), ("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let home = tempfile::tempdir().unwrap();
        let mut terminal = start(home.path(), (80, 24), &[]);
        terminal.wait_for("· ready");
        if way == "quit" {
            terminal.send_line("/quit");
        } else {
            terminal.signal(way);
        }
        assert_eq!(terminal.wait_exit(), code, "{way}");
        assert!(gives_back(&terminal.bytes()), "{way}");
    }
}

#[test]
fn keys_open_help_and_panel_and_two_interrupts_quit() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), (80, 24), &[]);
    terminal.wait_for("· ready");
    assert!(!terminal.screen().contains("WORKING MEMORY"));
    terminal.send("\x1bOQ");
    terminal.wait_for("WORKING MEMORY");
    terminal.send("\x1bOP");
    terminal.wait_for("Alt+Enter");
    terminal.send("\x1b");
    terminal.wait_gone("Alt+Enter");
    terminal.send("?");
    terminal.wait_for("Alt+Enter");
    terminal.send("\x1b");
    terminal.wait_gone("Alt+Enter");
    terminal.send("\x03");
    terminal.send("\x03");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_paste_is_not_sent_and_keeps_its_lines() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), (80, 24), &[]);
    terminal.wait_for("· ready");
    terminal.send("\x1b[200~first line\rsecond line\x1b[201~");
    terminal.wait_for("second line");
    terminal.wait_for("first line");
    terminal.wait_for("turn 0");
}

#[test]
fn an_unknown_command_names_the_nearest_one() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), (80, 24), &[]);
    terminal.wait_for("· ready");
    terminal.send_line("/collaps auth");
    terminal.wait_for("/collapse");
}

#[test]
fn a_small_terminal_says_so_and_recovers() {
    let home = tempfile::tempdir().unwrap();
    let terminal = start(home.path(), (80, 24), &[]);
    terminal.wait_for("· ready");
    terminal.resize(30, 8);
    terminal.wait_until("a note on the size", |screen| !screen.contains("Message"));
    terminal.resize(120, 36);
    terminal.wait_for("WORKING MEMORY");
}

#[test]
fn what_a_model_says_never_commands_the_terminal() {
    let hostile = "before\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}after";
    let server = Server::replying([Reply::text(hostile)]);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let mut terminal = start(home.path(), (80, 24), &["--base-url", &url, "--model", "m"]);
    terminal.wait_for("· ready");
    terminal.send_line("hello there");
    terminal.wait_for("after");
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    for sign in ["\u{1b}]0;owned", "\u{9b}31m", "\u{202e}"] {
        assert!(!bytes.contains(sign));
    }
}

#[test]
fn no_color_means_none() {
    let home = tempfile::tempdir().unwrap();
    let env = [("NO_COLOR", "1")];
    let start = Start { args: &["--offline"], home: home.path(), size: (120, 36), env: &env };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("· ready");
    terminal.send_line("Let's debug the auth bug");
    terminal.wait_for("Started effort: auth-bug");
    let bytes = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    for colour in (30..38).chain(40..48).chain(90..98) {
        assert!(!bytes.contains(&format!("\x1b[{colour}m")), "colour {colour}");
    }
    assert!(!bytes.contains("\x1b[38;5;"));
}

#[test]
fn a_locale_without_unicode_gets_letters_that_every_terminal_has() {
    let plain = |env: &[(&str, &str)], args: &[&str]| {
        let home = tempfile::tempdir().unwrap();
        let args = [&["--offline"], args].concat();
        let start = Start { args: &args, home: home.path(), size: (120, 36), env };
        let mut terminal = Terminal::start(&start);
        terminal.wait_for("WORKING MEMORY");
        terminal.send_line("Let's debug the auth bug");
        terminal.wait_for("Started effort: auth-bug");
        terminal.wait_for("ready");
        terminal.screen().is_ascii()
    };
    assert!(plain(&[("LANG", "C")], &[]));
    assert!(!plain(&[("LANG", "C"), ("LC_ALL", "C.UTF-8")], &[]));
    assert!(!plain(&[("LANG", "C")], &["--set", "ascii=false"]));
}

#[test]
fn a_failing_server_is_told_in_words_and_the_message_comes_back() {
    for (reply, words) in [
        (Reply::status(401, r#"{"error":{"message":"no such key"}}"#), "no such key"),
        (Reply::status(404, r#"{"error":{"message":"no such model"}}"#), "no such model"),
        (Reply::raw(""), "empty answer"),
    ] {
        let server = Server::replying([reply]);
        let home = tempfile::tempdir().unwrap();
        let url = server.base_url();
        let mut terminal = start(home.path(), (100, 30), &["--base-url", &url, "--model", "m"]);
        terminal.wait_for("· ready");
        terminal.send_line("precious words");
        let screen = terminal.wait_for(words);
        let input = screen.lines().skip_while(|line| !line.contains("Message")).nth(1);
        let back = |screen: &str| {
            let mut lines =
                screen.lines().skip_while(|line| !line.contains("─ ") && !line.contains("Message"));
            lines.any(|line| line.contains("precious words"))
        };
        assert!(input.is_some(), "{screen}");
        let screen = terminal.wait_until("the message to come back", back);
        assert!(screen.contains("turn 0"), "a failure is not counted: {screen}");
    }
}

#[test]
fn escape_stops_a_reply_and_the_next_message_is_answered() {
    let endless = Reply::chunks([content("a long answer")]).hang();
    let server = Server::replying([endless, Reply::text("fine now")]);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let mut terminal = start(home.path(), (100, 30), &["--base-url", &url, "--model", "m"]);
    terminal.wait_for("· ready");
    terminal.send_line("tell me all");
    terminal.wait_for("a long answer");
    terminal.resize(90, 28);
    terminal.send("\x1b");
    terminal.wait_for("· ready");
    terminal.send("\r");
    terminal.wait_for("fine now");
}

/// A resize and a key that arrive in one instant are both seen.
#[test]
fn no_key_is_lost_while_the_window_is_resized() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), (100, 30), &["--offline"]);
    terminal.wait_for("· ready");
    for round in 1..=60 {
        let columns = 100 - round % 2;
        terminal.resize(columns, 30);
        terminal.send("x");
        terminal.wait_for(&"x".repeat(usize::from(round)));
        terminal.wait_until("a box of the new width", |screen| {
            let mut lines = screen.lines();
            lines.any(|line| line.starts_with('┌') && line.chars().count() == usize::from(columns))
        });
    }
}

/// The program hears of the last size alone, which is the one that it knows.
#[test]
fn a_window_that_was_narrow_for_an_instant_is_drawn_again() {
    let home = tempfile::tempdir().unwrap();
    let terminal = start(home.path(), (100, 30), &["--offline"]);
    terminal.wait_for("· ready");
    let whole =
        |screen: &str| screen.lines().any(|line| line.starts_with('┌') && line.ends_with('┐'));
    terminal.wait_until("the box", whole);
    terminal.signal("STOP");
    terminal.resize(60, 30);
    terminal.resize(100, 30);
    assert!(!whole(&terminal.screen()));
    terminal.signal("CONT");
    terminal.wait_until("the whole box", whole);
}

#[test]
fn nothing_but_text_reaches_a_terminal_and_a_pipe_gets_every_byte() {
    let home = tempfile::tempdir().unwrap();
    let hostile = "a\u{1b}[5mb\u{202e}c\u{9b}7m";
    let session = home.path().join("it");
    std::fs::create_dir(&session).unwrap();
    let said = serde_json::json!({"role": "user", "content": hostile, "ts": "x"});
    std::fs::write(session.join("raw.jsonl"), format!("{said}\n")).unwrap();
    let commands: [&[&str]; 6] = [
        &["--session", "it", "export", "--format", "markdown"],
        &["--session", "it", "export", "--format", "json"],
        &["play", hostile],
        &["import", hostile],
        &["--session", hostile, "stats"],
        &[hostile, "--nothing"],
    ];
    for args in commands {
        let start = Start { args, home: home.path(), size: (80, 24), env: &[] };
        let bytes = String::from_utf8_lossy(&Terminal::run(&start)).into_owned();
        for sign in ["\u{1b}[5m", "\u{202e}", "\u{9b}"] {
            assert!(!bytes.contains(sign), "{args:?}: {bytes:?}");
        }
        assert!(bytes.contains("abc") || bytes.contains("\\u001b"), "{args:?}: {bytes:?}");
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    program.env_clear().env("HOME", home.path()).current_dir(home.path()).args(commands[0]);
    let exported = program.output().unwrap().stdout;
    assert!(String::from_utf8_lossy(&exported).contains(hostile), "a pipe gets what was said");
}

#[test]
fn a_proof_that_is_stopped_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let temporary = home.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let is_empty = || std::fs::read_dir(&temporary).unwrap().next().is_none();
    let env = &[("TMPDIR", temporary.to_str().unwrap())];
    let args = &["proof", "paper"];
    let mut terminal = Terminal::start(&Start { args, home: home.path(), size: (80, 24), env });
    let deadline = Instant::now() + Duration::from_secs(30);
    while is_empty() {
        assert!(Instant::now() < deadline, "{}", terminal.screen());
        std::thread::yield_now();
    }
    terminal.signal("TERM");
    assert_eq!(terminal.wait_exit(), 143);
    assert!(is_empty());
}

/// Stands where the window will be shown, while a session is being loaded.
const LOADING: &str = "counting the window";

#[test]
fn a_signal_does_not_wait_for_a_session_that_is_being_loaded() {
    let home = tempfile::tempdir().unwrap();
    let opened = |name: &str| {
        let dir = home.path().join(name);
        write_large(&dir, 12_000, 2);
        let terminal =
            start(home.path(), (100, 30), &["--offline", "--session", dir.to_str().unwrap()]);
        terminal.wait_for(LOADING);
        (terminal, Instant::now())
    };
    let (loaded, begun) = opened("one");
    loaded.wait_gone(LOADING);
    let loading = begun.elapsed();
    drop(loaded);
    let (mut stopped, begun) = opened("two");
    stopped.signal("TERM");
    assert_eq!(stopped.wait_exit(), 143);
    let ending = begun.elapsed();
    assert!(ending < loading, "{ending:?}, where loading takes {loading:?}");
}
