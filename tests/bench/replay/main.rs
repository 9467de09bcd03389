//! How fast logs of other programs are read, and how fast conversations are replayed.
//!
//! Run with `cargo bench --bench replay`; with `read`, `count`, `replay` or `large` behind `--` only that, with `read`, a
//! format (`read Gemini`) only that, with `replay`, a kind and a size in MB (`replay short 4`) only those, with `large`,
//! `read` or `replay` only that, and with this a size in MB (`large replay 1024`). All texts are made up, from a vocabulary
//! of its own with names, paths, numbers and code, or of what people say to each other. The bound for reading is 50 MB of
//! log a second of the processor's time for each format. For a replay, from the log to the figures, its tokens counted, it is 5 MB of
//! conversation a second by the clock, which a busy machine misses: what the thread that plays took of its processor, and
//! what all threads took together, stand beside it. Reading a log of 1 GB, and replaying one of 256 MB or as asked for, which
//! are made while they are read, takes at most 150 MB of memory.

#![allow(clippy::expect_used, clippy::panic, reason = "a bench ends with a panic, as a test does")]

mod logs;

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::time::Duration;

use ebbtide::bill::Prices;
use ebbtide::config::Settings;
use ebbtide::heap;
use ebbtide::llm::offline::Offline;
use ebbtide::memory::CountTokens;
use ebbtide::read::{Bytes, Event, Reader};
use ebbtide::replay::{Conversation, Held, Replay, Replayed, Texts, Turns, With, phases};
use ebbtide::tokens::Cl100k;
use logs::{Writer, claude_code, log};
use rustix::time::{ClockId, clock_gettime};

/// The formats that are measured.
const FORMATS: [&str; 12] = [
    "Claude Code",
    "Codex",
    "ChatGPT",
    "Claude.ai",
    "opencode",
    "Gemini",
    "Open WebUI",
    "LM Studio",
    "Aider",
    "SillyTavern",
    "role/content",
    "Markdown",
];

/// Bytes of a log that is read for its speed.
const LOG: usize = 24 << 20;

/// MB of conversation that are replayed.
const REPLAYED: [usize; 3] = [1, 4, 16];

/// The kinds of conversation: a coding agent's with thirty tool results a message, as such logs have, and with one, and
/// chats of longer messages, in English, of the program's own sources, and of short messages.
const KINDS: [&str; 6] = ["agent", "Claude Code", "role/content", "English", "sources", "short"];

/// The logs that memory is measured with: bytes of the one that is read, and MB of the one that is replayed.
const LARGE: u64 = 1 << 30;
const LARGE_REPLAYED: u64 = 256;

/// Bounds: MB of log and of conversation a second, and MB of memory.
const READ: f64 = 50.0;
const REPLAY: f64 = 5.0;
const MEMORY: u64 = 150;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    heap::give_back_soon();
    // Cargo itself adds `--bench`.
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_nth = |nth: usize, part: &str| asked.get(nth).is_none_or(|asked| asked == part);
    let is_asked = |part: &str| is_nth(0, part);
    // First, as the memory of a process only grows.
    if is_asked("large") {
        if is_nth(1, "read") {
            read_large();
        }
        if is_nth(1, "replay") {
            let size = asked.get(2).map_or(LARGE_REPLAYED, |size| size.parse().expect("MB"));
            replay_large(size);
        }
    }
    if is_asked("read") {
        FORMATS.into_iter().filter(|format| is_nth(1, format)).for_each(read);
    }
    if is_asked("count") {
        count();
    }
    if is_asked("replay") {
        for kind in KINDS.into_iter().filter(|kind| is_nth(1, kind)) {
            for size in REPLAYED.into_iter().filter(|size| is_nth(2, &size.to_string())) {
                replay(kind, size << 20);
            }
        }
    }
    assert!(!FAILED.load(std::sync::atomic::Ordering::Relaxed), "a bound is broken");
}

/// The processor's time of all threads of this process.
fn spent() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

/// The processor's time of this thread.
fn spent_here() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Does something and returns what came of it, and the MB a second that so many bytes make.
fn measured<T>(bytes: usize, work: impl FnOnce() -> T) -> (T, f64) {
    let before = spent();
    let done = work();
    (done, bytes as f64 / 1e6 / spent().saturating_sub(before).as_secs_f64())
}

fn verdict(what: &str, holds: bool) {
    println!("  {} {what}", if holds { "ok " } else { "NOT" });
    if !holds {
        // The other figures are wanted too.
        FAILED.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

static FAILED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

fn read(format: &str) {
    let log = log(format, LOG);
    let mut said = 0;
    let mut take = |event: Event| said += usize::from(matches!(event, Event::Said { .. }));
    let read = || Reader::default().read(&log, &mut take).expect("it can be read");
    let (outcome, speed) = measured(log.len(), read);
    println!("{format:<14} {speed:>7.0} MB/s  {} messages, {}", said, outcome.format.row().name);
    verdict(&format!("{format} is read at {READ} MB/s at least"), speed >= READ);
}

fn count() {
    let counter = Cl100k::load();
    let text = Writer::new(11).text(4 << 20);
    let (tokens, speed) = measured(text.len(), || counter.count(&text));
    println!("counting       {speed:>7.1} MB/s  {} tokens", tokens.0);
}

fn replay(kind: &str, bytes: usize) {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::load());
    // About a third of a coding agent's log is said, and four fifths of a chat's.
    let is_coding = ["agent", "Claude Code"].contains(&kind);
    let log = log(kind, if is_coding { 3 * bytes } else { bytes * 5 / 4 });
    let (before, here, began) = (spent(), spent_here(), std::time::Instant::now());
    let (replay, bytes) = conversation(&log, &counter);
    let bytes = bytes as f64 / 1e6;
    let found = spent().saturating_sub(before);
    let read = log.len() as f64 / 1e6 / found.as_secs_f64();
    println!("turns and topics {read:>5.0} MB/s of log, {bytes:.1} MB of conversation");
    let replayed = played(&replay, counter);
    let (all, here) = (spent().saturating_sub(before), spent_here().saturating_sub(here));
    let speed = |time: Duration| bytes / time.as_secs_f64();
    let passed = began.elapsed();
    println!(
        "{kind:<14} {:>7.1} MB/s, {:.1} of the thread that plays, {:.1} of all threads, {:.1} s passed, {} turns, {} topics, {} tokens in all, {} in the window, {:.2} ms a turn, {} MB of memory so far",
        speed(passed),
        speed(here),
        speed(all),
        passed.as_secs_f64(),
        replayed.steps.len(),
        replayed.phases.len(),
        replayed.said,
        replayed.end.total().0,
        passed.as_secs_f64() * 1e3 / replayed.steps.len() as f64,
        peak()
    );
    verdict(&format!("{kind} is replayed at {REPLAY} MB/s at least"), speed(passed) >= REPLAY);
}

/// Plays a conversation as the command line does by default.
fn played(replay: &Replay, counter: Arc<dyn CountTokens>) -> Replayed {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let with = With {
        settings: Settings::default(),
        counter,
        summaries: Arc::new(Offline::new(Duration::ZERO)),
        prices: Prices::default(),
    };
    let play = async { replay.play(with, None, &mut |_, _| {}).await };
    runtime.block_on(play).expect("it is played")
}

/// The conversation of a log with its topics, and the bytes of its text: what was said and what tools returned.
fn conversation(log: &dyn Bytes, counter: &Arc<dyn CountTokens>) -> (Replay, usize) {
    let mut texts = Texts::new().expect("a temporary file");
    let mut held = Held::default();
    let turns = Turns::new(&**counter, 2_000, &mut texts).holding(&mut held);
    let mut bytes = 0;
    let (part, outcome) = turns.take_all(|take| {
        let mut measured = |event: Event| {
            bytes += event.text().map_or(0, str::len);
            take(event);
        };
        Reader::default().read(log, &mut measured)
    });
    outcome.expect("it can be read");
    let conversation = Conversation::of(texts, [part]).and_then(|all| all.holding(held));
    let conversation = conversation.expect("it is kept");
    let find = || phases(&conversation, &[], &mut |_, _| {});
    let phases = conversation.while_read_ahead(counter, find).expect("they are found");
    (Replay { conversation: Arc::new(conversation), phases: phases.into() }, bytes)
}

/// A log of Claude Code that is made while it is read.
struct Endless(u64);

/// Adds the next turn to a text.
type Add = Box<dyn FnMut(&mut String)>;

struct Made {
    turns: RefCell<Add>,
    ready: String,
    at: usize,
    left: u64,
}

impl Read for Made {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.at == self.ready.len() && self.left > 0 {
            self.ready.clear();
            self.at = 0;
            (self.turns.borrow_mut())(&mut self.ready);
            self.left = self.left.saturating_sub(self.ready.len() as u64);
        }
        let count = (&self.ready.as_bytes()[self.at..]).read(room)?;
        self.at += count;
        Ok(count)
    }
}

impl Bytes for Endless {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        let turns = RefCell::new(Box::new(claude_code(Writer::new(3))) as Add);
        let made = Made { turns, ready: String::new(), at: 0, left: self.0 };
        Ok(Box::new(BufReader::with_capacity(1 << 18, made)))
    }
}

/// The most memory that this process had, in MB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    peak.unwrap_or(0) / 1_000
}

fn read_large() {
    let mut said = 0;
    let mut take = |event: Event| said += usize::from(matches!(event, Event::Said { .. }));
    Reader::default().read(&Endless(LARGE), &mut take).expect("it can be read");
    bound(&format!("a log of 1 GB is read, {said} messages"));
}

fn replay_large(size: u64) {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::load());
    let (replay, _) = conversation(&Endless(size << 20), &counter);
    let turns = played(&replay, counter).steps.len();
    bound(&format!("a log of {size} MB is replayed, {turns} turns"));
}

fn bound(what: &str) {
    let peak = peak();
    println!("{what:<46} {peak:>5} MB of memory so far");
    verdict(&format!("it takes {MEMORY} MB at most"), peak <= MEMORY);
}
