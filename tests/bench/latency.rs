//! From a key to its character on the screen, through a pseudo-terminal: while nothing happens, while a
//! reply streams at 500 tokens a second, and while a long log is compressed beside the chat. The bound is
//! 16 ms for the 99th percentile.
//!
//! Run with `cargo bench --bench latency`. The three states are measured in one run.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]
#![allow(clippy::unwrap_used, reason = "the support of the tests is shared")]

#[path = "../suite/support"]
#[allow(dead_code, unreachable_pub, unused_imports, reason = "the bench needs a part of it")]
mod support {
    pub(crate) mod pty;
    pub(crate) mod server;
}

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use support::pty::{Start, Terminal};
use support::server::{Reply, Server, content};

/// Keys of each state, typed and taken back.
const KEYS: usize = 300;

/// Tokens of the streamed reply and the time of each.
const TOKENS: usize = 12_000;
const PACE: Duration = Duration::from_millis(2);

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!("\nFrom key to screen, {KEYS} keys each:");
    let streaming = Server::following(|_| stream());
    let home = tempfile::tempdir().expect("a temporary directory");
    let mut terminal = open(home.path(), &streaming, &[]);
    report("idle", type_keys(&mut terminal));
    terminal.send("\u{15}");
    terminal.send_line("a long answer, please");
    terminal.wait_for("word20");
    report("a reply streams", type_keys(&mut terminal));
    drop(terminal);

    let compressing = Server::following(|request| {
        let asked = request["messages"][0]["content"].as_str().unwrap_or_default();
        if asked.starts_with("Compress the part") {
            // Many slow answers: the compression lasts as long as the keys are typed.
            Reply::text("A part, in short.").after(Duration::from_secs(2))
        } else {
            Reply::text("Done.")
        }
    });
    let home = tempfile::tempdir().expect("a temporary directory");
    let session = home.path().join("session");
    long_effort(&session);
    let session = session.display().to_string();
    let mut terminal = open(home.path(), &compressing, &["--session", &session]);
    terminal.send_line("go on");
    terminal.wait_for("compressing pumps");
    report("a log is compressed", type_keys(&mut terminal));
    assert!(terminal.screen().contains("compressing pumps"), "it ended too early");
}

fn open(home: &Path, server: &Server, more: &[&str]) -> Terminal {
    let url = server.base_url();
    let mut args = vec!["--base-url", &url, "--model", "test-model"];
    args.extend_from_slice(more);
    let terminal = Terminal::start(&Start { args: &args, home, size: (120, 36), env: &[] });
    terminal.wait_for("Message");
    terminal
}

fn stream() -> Reply {
    let words = (0..TOKENS).map(|n| {
        let end = if n % 12 == 11 { ".\n" } else { " " };
        format!("data: {}\n\n", content(&format!("word{n}{end}")))
    });
    words.fold(Reply::raw(""), |reply, word| reply.then(word).pause(PACE))
}

/// A session whose open effort has some 60,000 tokens.
fn long_effort(directory: &Path) {
    let message = |n: usize| {
        let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
        let text =
            format!("Message {n}: {}", "the pump stalls at noon, valve 9 is hot. ".repeat(25));
        json!({"role": role, "content": text}).to_string() + "\n"
    };
    let log: String = (0..220).map(message).collect();
    fs::create_dir_all(directory.join("efforts")).expect("a directory");
    fs::write(directory.join("efforts/pumps.jsonl"), log).expect("a log");
    let manifest = "efforts:\n  - {id: pumps, status: open, raw_file: efforts/pumps.jsonl}\n";
    fs::write(directory.join("manifest.yaml"), manifest).expect("a manifest");
}

/// Types a key and takes it back, again and again; the time until each is seen.
fn type_keys(terminal: &mut Terminal) -> Vec<Duration> {
    terminal.send("draft:");
    terminal.wait_for("draft:");
    let mut times = Vec::with_capacity(2 * KEYS);
    for nth in 0..KEYS {
        let begun = Instant::now();
        terminal.send("Q");
        terminal.wait_for("draft:Q");
        times.push(begun.elapsed());
        // Out of step with the pace of the reply.
        std::thread::sleep(Duration::from_millis(3 + nth as u64 % 11));
        terminal.send("\u{7f}");
        terminal.wait_gone("draft:Q");
        std::thread::sleep(Duration::from_millis(5));
    }
    times
}

fn report(state: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    let holds = if p99 <= Duration::from_millis(16) { "ok" } else { "MISS" };
    println!("  {state:<22} median {:>6.2} ms, p99 {:>6.2} ms  {holds}", ms(median), ms(p99));
}
