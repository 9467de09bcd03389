//! How fast large texts pass the gatekeeper: the turn's own time for a paste of 10 MB, and attaching 100 MB,
//! beside the same without the syncs (`durability = process`) and writing the same bytes to a file in the same
//! run. The bound is 50 MB/s for 10 MB.
//!
//! Run with `cargo bench --bench gatekeeper`. The figures are medians.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ebbtide::config::Settings;
use ebbtide::llm::{Completion, Error, Event, EventStream, Model, ModelInfo, Request};
use ebbtide::orchestrator::{self, Handle, Notice, Op, Setup};
use ebbtide::tokens::Cl100k;
use futures_util::stream;
use tokio::sync::mpsc::UnboundedReceiver;

const MEGABYTE: usize = 1_000_000;
const ROUNDS: usize = 7;

/// A model that answers at once.
struct Echo;

impl Model for Echo {
    fn info(&self) -> ModelInfo {
        let (name, provider) = ("echo".into(), "bench".into());
        ModelInfo { name, provider, context_window: None, offline: true }
    }

    fn stream(&self, _request: Request) -> EventStream {
        let done = Completion { text: "Noted.".into(), ..Completion::default() };
        let events: [Result<Event, Error>; 1] = [Ok(Event::Done(done))];
        Box::pin(stream::iter(events))
    }
}

/// One way of handing a text in.
struct Case {
    name: &'static str,
    /// Makes the text of a round; each is different, because the same text is stored once.
    text: fn(usize) -> String,
    attach: bool,
    /// With `durability = power`.
    times: Vec<Duration>,
    /// With `durability = process`.
    unsynced: Vec<Duration>,
    plain: Vec<Duration>,
    bytes: usize,
}

fn lines(bytes: usize, round: usize) -> String {
    let line =
        |n: usize| format!("{n} round {round}: the pump ran at {} bar, valve 9 open\n", n % 7);
    let mut text = String::with_capacity(bytes + 80);
    let mut n = 0;
    while text.len() < bytes {
        text.push_str(&line(n));
        n += 1;
    }
    text
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let case = |name, text, attach| Case {
        name,
        text,
        attach,
        times: Vec::new(),
        unsynced: Vec::new(),
        plain: Vec::new(),
        bytes: 0,
    };
    let mut cases = [
        case("a paste of 10 MB", |round| lines(10 * MEGABYTE, round), false),
        case("the same in one line", |round| lines(10 * MEGABYTE, round).replace('\n', " "), false),
        case("a file of 100 MB", |round| lines(100 * MEGABYTE, round), true),
        case("a line of 50 MB", |round| lines(50 * MEGABYTE, round).replace('\n', " "), true),
    ];
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure(&mut cases));
    println!("\nThe gatekeeper, {ROUNDS} rounds each:");
    for case in &cases {
        let speed = |times: &[Duration]| case.bytes as f64 / 1e6 / median(times).as_secs_f64();
        println!(
            "  {:<22} {:>7.1} ms, {:>6.0} MB/s; process only: {:>7.1} ms; writing the bytes alone: {:>6.0} MB/s",
            case.name,
            median(&case.times).as_secs_f64() * 1e3,
            speed(&case.times),
            median(&case.unsynced).as_secs_f64() * 1e3,
            speed(&case.plain),
        );
        assert!(speed(&case.times) >= 50.0, "{} is below 50 MB/s", case.name);
    }
}

async fn measure(cases: &mut [Case]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let setup = Setup::scripted(
        dir.path().join("session"),
        Arc::new(Echo),
        Settings::default(),
        Arc::new(Cl100k::lazy()),
    );
    let (handle, mut notices) = orchestrator::start(setup).expect("the session opens");
    admitted(&handle, &mut notices, Op::Send("hello".into())).await;
    for round in 0..2 * ROUNDS {
        let is_synced = round % 2 == 1;
        let durability = if is_synced { "power" } else { "process" };
        handle.send(Op::Set { key: "durability".into(), value: durability.into() });
        for case in &mut *cases {
            let text = (case.text)(round);
            case.bytes = text.len();
            let file = dir.path().join(format!("{}-{round}.txt", case.bytes));
            case.plain.push(written(&file, &text));
            let op = if case.attach { Op::Attach(file.clone()) } else { Op::Send(text) };
            let took = admitted(&handle, &mut notices, op).await;
            if is_synced { &mut case.times } else { &mut case.unsynced }.push(took);
            fs::remove_file(file).expect("the file is there");
        }
    }
}

fn written(file: &Path, text: &str) -> Duration {
    let begun = Instant::now();
    fs::write(file, text).expect("the disk takes it");
    begun.elapsed()
}

/// From handing in to the end of the turn or command.
async fn admitted(handle: &Handle, notices: &mut UnboundedReceiver<Notice>, op: Op) -> Duration {
    let begun = Instant::now();
    handle.send(op);
    loop {
        match notices.recv().await.expect("the driver lives") {
            Notice::TurnEnded(_) | Notice::CommandDone { ok: true, .. } => return begun.elapsed(),
            Notice::TurnStopped(stopped) => panic!("{stopped:?}"),
            Notice::CommandDone { text, .. } => panic!("{text}"),
            _ => {}
        }
    }
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}
