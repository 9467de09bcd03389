//! What a turn costs besides waiting for the model, in sessions of different sizes, and how long the
//! program takes to its first frame.
//!
//! Run with `cargo bench`. All sizes are measured in turn within one run, because the machine may be
//! busy with other things; the figures are medians, with every turn safe against a loss of power and,
//! beside it, against the end of the process alone. The bounds are those of the design: at most 2 ms at
//! 10,000 concluded efforts, and at 100,000 at most 1.5 times that at 100. What recall adds is measured beside it: it
//! may be what a query may take, 10 ms at 10,000 and 40 ms at 100,000.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

#[path = "../suite/support/session.rs"]
#[allow(dead_code, unreachable_pub, reason = "the bench needs one builder of several")]
mod session;

use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ebbtide::config::Settings;
use ebbtide::llm::{Completion, Error, Event, EventStream, Model, ModelInfo, Request};
use ebbtide::orchestrator::{self, Handle, Notice, Op, Setup};
use ebbtide::tokens::Cl100k;
use futures_util::stream;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tokio::sync::mpsc::UnboundedReceiver;

/// Turns that are measured in each session.
const TURNS: usize = 200;

/// Starts that are measured for the first frame.
const STARTS: usize = 20;

/// A model that answers at once, with words that many summaries share.
struct Echo;

impl Model for Echo {
    fn info(&self) -> ModelInfo {
        let (name, provider) = ("echo".into(), "bench".into());
        ModelInfo { name, provider, context_window: None, offline: true }
    }

    fn stream(&self, _request: Request) -> EventStream {
        let text = "I looked at that part of the service again, fixed it and wrote a test for it.";
        let done = Completion { text: text.into(), ..Completion::default() };
        let events: [Result<Event, Error>; 2] =
            [Ok(Event::Text(text.into())), Ok(Event::Done(done))];
        Box::pin(stream::iter(events))
    }
}

/// A session that turns are measured in.
struct Measured {
    name: String,
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    /// With `durability = process`, without recall.
    unsynced: Vec<Duration>,
    /// With `durability = power`, without recall.
    overheads: Vec<Duration>,
    /// The same with recall.
    recalling: Vec<Duration>,
    _directory: tempfile::TempDir,
}

impl Measured {
    fn open(efforts: usize, ambient: usize) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        session::write_large(directory.path(), efforts, ambient);
        let setup = Setup {
            count_first: false,
            ..Setup::scripted(
                directory.path().to_owned(),
                Arc::new(Echo),
                Settings::default(),
                Arc::new(Cl100k::lazy()),
            )
        };
        let (handle, notices) = orchestrator::start(setup).expect("the session opens");
        let name = format!("{efforts} efforts, {ambient} ambient exchanges");
        Self {
            name,
            handle,
            notices,
            unsynced: Vec::new(),
            overheads: Vec::new(),
            recalling: Vec::new(),
            _directory: directory,
        }
    }

    /// One turn; every third one mentions an effort.
    async fn turn(&mut self, number: usize) -> Duration {
        let text = match number % 3 {
            0 => format!("What was wrong with topic-{}, the part with the slow test?", number % 97),
            1 => "Please look at the service and tell me what we could improve there.".to_owned(),
            _ => format!("The w{}a was found, the w{}b fixed it.", number % 89, number % 89),
        };
        self.handle.send(Op::Send(text));
        loop {
            match self.notices.recv().await.expect("the driver lives") {
                Notice::TurnEnded(report) => return report.overhead,
                Notice::TurnStopped(stopped) => panic!("the turn stopped: {stopped:?}"),
                _ => {}
            }
        }
    }

    /// From the next turn on.
    fn set(&self, key: &str, value: &str) {
        let (key, value) = (key.to_owned(), value.to_owned());
        self.handle.send(Op::Set { key, value });
    }

    fn median(&self) -> Duration {
        median(&self.overheads)
    }

    /// What recall adds to a turn.
    fn recall(&self) -> Duration {
        median(&self.recalling).saturating_sub(self.median())
    }
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(turns());
    first_frames();
}

async fn turns() {
    let sizes = [(100, 0), (1_000, 0), (10_000, 0), (100_000, 0), (100, 100_000)];
    let mut sessions: Vec<Measured> =
        sizes.into_iter().map(|(efforts, ambient)| Measured::open(efforts, ambient)).collect();
    // A hundred thousand fresh files are still on their way to the disk; that is not what is measured.
    let _ = Command::new("sync").status();
    for session in &mut sessions {
        for number in 0..10 {
            session.turn(number).await;
        }
    }
    for number in 0..TURNS {
        for session in &mut sessions {
            session.set("recall_tokens", "0");
            session.set("durability", "process");
            let unsynced = session.turn(number).await;
            session.unsynced.push(unsynced);
            session.set("durability", "power");
            let overhead = session.turn(number).await;
            session.overheads.push(overhead);
            session.set("recall_tokens", "800");
            let recalling = session.turn(number).await;
            session.recalling.push(recalling);
        }
    }
    let small = sessions[0].median();
    println!("\nA turn's own time, {TURNS} turns each:");
    for session in &sessions {
        let mut sorted = session.overheads.clone();
        sorted.sort_unstable();
        let p99 = sorted[sorted.len() * 99 / 100];
        let ratio = session.median().as_secs_f64() / small.as_secs_f64();
        let name = &session.name;
        println!(
            "  {name:<38} median {:>9.3?}  p99 {p99:>9.3?}  ratio {ratio:.2}  process only {:>9.3?}  recall adds {:>9.3?}",
            session.median(),
            median(&session.unsynced),
            session.recall()
        );
    }
    let ratio = sessions[3].median().as_secs_f64() / small.as_secs_f64();
    let middle = sessions[2].median();
    verdict("median at 10,000 at most 2 ms", middle <= Duration::from_millis(2));
    verdict("at 100,000 at most 1.5 times that at 100", ratio <= 1.5);
    let [middle, large] = [2, 3].map(|at| sessions[at].recall());
    verdict("recall adds at most 10 ms at 10,000", middle <= Duration::from_millis(10));
    verdict("recall adds at most 40 ms at 100,000", large <= Duration::from_millis(40));
}

fn first_frames() {
    println!("\nStart to first frame, {STARTS} starts each:");
    for efforts in [100, 10_000, 100_000] {
        let home = tempfile::tempdir().expect("a temporary directory");
        let session = home.path().join("session");
        session::write_large(&session, efforts, 100);
        let frames: Vec<Duration> =
            (0..STARTS).map(|_| first_frame(home.path(), &session)).collect();
        let median = median(&frames);
        println!("  {efforts:>7} efforts  median {median:>9.3?}");
        if efforts == 10_000 {
            verdict("at 10,000 at most 100 ms", median <= Duration::from_millis(100));
        }
    }
}

/// The time from the start until the input box is on the screen.
fn first_frame(home: &Path, session: &Path) -> Duration {
    let size = PtySize { rows: 36, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.args(["--offline", "--session"]);
    command.arg(session);
    command.env_clear();
    command.env("HOME", home);
    command.env("TERM", "xterm-256color");
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let started = Instant::now();
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    let mut seen = Vec::new();
    let mut buffer = [0_u8; 8192];
    let shown = |seen: &[u8]| seen.windows(7).any(|bytes| bytes == b"Message");
    while !shown(&seen) {
        let count = reader.read(&mut buffer).expect("the screen is read");
        assert!(count > 0, "the program ended before its first frame");
        seen.extend_from_slice(&buffer[..count]);
    }
    let elapsed = started.elapsed();
    let _ = child.kill();
    let _ = child.wait();
    elapsed
}

fn median(durations: &[Duration]) -> Duration {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

fn verdict(bound: &str, holds: bool) {
    println!("  {} {bound}", if holds { "ok  " } else { "MISS" });
}
