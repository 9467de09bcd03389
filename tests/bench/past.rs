//! How long the time machine takes to show a turn in the middle of ten thousand, and what a turn writes.
//!
//! Run with `cargo bench --bench past`. The session is played through the driver: topics that open, close,
//! leave and come back, notes, talk in between. Bounds: turn 5,000 of 10,000 is shown within 50 ms, files
//! not yet read by this process included, a turn late in the session writes no more than an early one, and takes
//! at most twice the processor's time, recall from all that was said included.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ebbtide::config::Settings;
use ebbtide::llm::{Completion, Error, Event, EventStream, Model, ModelInfo, Purpose, Request};
use ebbtide::memory::Turn;
use ebbtide::orchestrator::{self, Handle, Notice, Op, Setup, TimeMachine};
use ebbtide::store::Store;
use ebbtide::tokens::Cl100k;
use ebbtide::tools::Call;
use futures_util::stream;
use tokio::sync::mpsc::UnboundedReceiver;

/// Turns of the session.
const TURNS: u64 = 10_000;

/// Turns that one topic lasts.
const TOPIC: u64 = 8;

/// The processor's time of this process so far, in milliseconds.
#[cfg(unix)]
fn processor() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// A model that answers at once, at the length of an ordinary reply.
struct Echo;

impl Model for Echo {
    fn info(&self) -> ModelInfo {
        let (name, provider) = ("echo".into(), "bench".into());
        ModelInfo { name, provider, context_window: None, offline: true }
    }

    fn stream(&self, request: Request) -> EventStream {
        let text = match request.purpose {
            Purpose::Summarize => "The slow part was found and fixed, with a test.".to_owned(),
            _ => {
                "I looked at that part of the service again, fixed it and wrote a test. ".repeat(4)
            }
        };
        let done = Completion { text: text.clone(), ..Completion::default() };
        let events: [Result<Event, Error>; 2] = [Ok(Event::Text(text)), Ok(Event::Done(done))];
        Box::pin(stream::iter(events))
    }
}

/// A session that is being played.
struct Played {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
}

impl Played {
    fn open(directory: &Path) -> Self {
        let setup = Setup::scripted(
            directory.to_owned(),
            Arc::new(Echo),
            Settings::default(),
            Arc::new(Cl100k::lazy()),
        );
        let (handle, notices) = orchestrator::start(setup).expect("the session opens");
        Self { handle, notices }
    }

    async fn run(&mut self, op: Op) {
        self.handle.send(op);
        loop {
            match self.notices.recv().await.expect("the driver lives") {
                Notice::TurnEnded(_) | Notice::CommandDone { .. } | Notice::Closed => return,
                Notice::TurnStopped(stopped) => panic!("the turn stopped: {stopped:?}"),
                _ => {}
            }
        }
    }

    async fn turn(&mut self, number: u64) {
        let topic = number / TOPIC;
        if number.is_multiple_of(TOPIC) {
            self.run(Op::Run(Call::OpenEffort { name: format!("topic-{topic}") })).await;
        }
        let text = match number % 5 {
            0 => format!("What was wrong with topic-{}, the slow part?", topic.saturating_sub(3)),
            1 => format!("The w{number}a was found and the w{number}b fixed it. ").repeat(6),
            _ => "Please look at the service and tell me what we could improve. ".repeat(3),
        };
        self.run(Op::Send(text)).await;
        if number % TOPIC == 5 {
            self.run(Op::Run(Call::CloseEffort { id: None })).await;
        }
        if number.is_multiple_of(100) {
            let (content, tags) = (format!("fact number {number}"), Vec::new());
            self.run(Op::Run(Call::Remember { content, tags, salience: None })).await;
        }
    }
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let written = runtime.block_on(play(directory.path()));
    println!("\nThe time machine, {TURNS} turns:");
    let [(early, quick), (late, slow)] = written;
    println!("  processor a turn, all in all: {quick:.2} ms at the start, {slow:.2} ms at the end");
    verdict("a late turn takes at most twice as long as an early one", slow <= 2.0 * quick);
    println!("  journal bytes a turn: {early} at the start, {late} at the end");
    verdict("a late turn writes at most 1.2 times what an early one does", late * 10 <= early * 12);
    let reader = Store::open(directory.path()).expect("the session opens").store.reader();
    let time_machine = TimeMachine::new(reader, Vec::new(), Arc::new(Cl100k::lazy()));
    look(&time_machine, "first look at turn 9,000 (tokenizer loads)", &[9_000]);
    let middle = look(&time_machine, "turn 5,000, first look", &[5_000]);
    let worst: Vec<u64> = (0..20).map(|nth| 5_119 - nth * 7).collect();
    let around =
        look(&time_machine, "20 turns before 5,120, the farthest from a kept state", &worst);
    verdict("turn 5,000 of 10,000 within 50 ms", middle.max(around) <= Duration::from_millis(50));
    std::fs::remove_dir_all(directory.path().join("history")).expect("kept states can be deleted");
    look(&time_machine, "turn 5,000 with all kept states deleted (made anew)", &[5_000]);
    look(&time_machine, "turn 5,000 again", &[5_000]);
}

/// Plays the session; returns the journal's bytes and the processor's milliseconds a turn, early and late.
async fn play(directory: &Path) -> [(u64, f64); 2] {
    let mut session = Played::open(directory);
    let journal = directory.join("journal.jsonl");
    let length = || std::fs::metadata(&journal).map_or(0, |data| data.len());
    let mark = || (length(), processor());
    let mut marks = Vec::new();
    for number in 1..=TURNS {
        if [1_000, 2_000, TURNS - 1_000].contains(&number) {
            marks.push(mark());
        }
        session.turn(number).await;
    }
    marks.push(mark());
    session.run(Op::Shutdown).await;
    [(0, 1), (2, 3)].map(|(from, to)| {
        let ((bytes, before), (more, after)): ((u64, f64), (u64, f64)) = (marks[from], marks[to]);
        ((more - bytes) / 1_000, (after - before) / 1e3)
    })
}

/// Shows turns and returns the median of the processor's time that one took; the machine may be busy with other
/// things, and the time on the clock is only told.
fn look(time_machine: &TimeMachine, what: &str, turns: &[u64]) -> Duration {
    let (mut times, mut clock) = (Vec::new(), Vec::new());
    for turn in turns {
        let (started, before) = (Instant::now(), processor());
        let past = time_machine.turn(Turn(*turn)).expect("the files are read");
        clock.push(started.elapsed());
        times.push(Duration::from_secs_f64((processor() - before) / 1e3));
        assert_eq!(past.expect("the journal tells of it").turn, Turn(*turn));
    }
    times.sort_unstable();
    clock.sort_unstable();
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    let waited = clock[clock.len() / 2];
    println!("  {what}: median {median:.1?}, longest {longest:.1?} ({waited:.1?} on the clock)");
    median
}

fn verdict(bound: &str, holds: bool) {
    println!("  {} {bound}", if holds { "ok  " } else { "MISS" });
}
