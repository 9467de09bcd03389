//! What a frame costs: everything from the words that arrived to the bytes for the terminal, at 200x60,
//! with 1,000 items in the memory panel and the chart of all turns, while a reply streams at 500 tokens a second;
//! and what a key costs from the press to the bytes while the window flows.
//!
//! Run with `cargo bench --bench draw`. All sizes are measured in turn within one run. The machine may be
//! busy with other things, so the bounds are for the processor's time, and the time on the wall stands
//! beside it: at most 4 ms for the 99th percentile (16 ms for a key), and no more at 100,000 messages than at 1,000.

#![allow(clippy::expect_used, reason = "a bench ends with a panic, as a test does")]

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ebbtide::llm::ModelInfo;
use ebbtide::memory::{
    ChangeKind, EffortId, FullHistory, ItemView, Layer, Layers, MemoryView, Tier, Tokens, Turn,
    Verbatim,
};
use ebbtide::orchestrator::{
    CourseTurn, Happening, Notice, PastCourse, SessionInfo, TranscriptEntry, TranscriptKind,
};
use ebbtide::tui::app::{App, Msg};
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

/// Frames that are measured in each state: half a minute of a reply.
const FRAMES: usize = 2_000;

/// The time between two frames, and the tokens that arrive in it.
const FRAME: Duration = Duration::from_millis(16);
const TOKENS: usize = 8;

/// Items in the memory panel.
const ITEMS: usize = 1_000;

/// Frames between two changes of the window, shorter than one of them flows, and between two keys. Odd, so that
/// the keys meet all moments of it.
const CHANGES: usize = 25;
const KEYS: usize = 7;

/// What the reply says, over and over.
const REPLY: &str = "## Part\n\nThe token is checked **twice**: see `skew` in [the log](https://example.org), \
    and the same once more, in a sentence that goes on for longer than a line of the screen is wide.\n\n\
    - the clock of the server, 世界 beside 👩‍👩‍👧\n- the refresh path\n  - which subtracts\n\n> What is \
    cached is old.\n\n```rust\n// Seconds.\nfn left(now: u64) -> u64 {\n    EXPIRY.saturating_sub(now) / \
    1_000\n}\n```\n\n| Part | Seconds |\n|---|---:|\n| skew | 30 |\n| drift | 1,200 |\n\n";

/// An app with a long conversation, a full panel and a reply on its way.
struct Desk {
    name: String,
    app: App,
    terminal: Terminal<CrosstermBackend<io::Sink>>,
    tokens: Vec<String>,
    sent: usize,
    /// On the processor and on the wall.
    times: [Vec<Duration>; 2],
    /// The window changes so often that something always flows, and keys are pressed meanwhile.
    flows: bool,
    keys: Vec<Duration>,
}

impl Desk {
    fn new(messages: u64, state: &str) -> Self {
        let mut app = App::new(Theme::detect(false, ThemeChoice::Dark, None));
        let model = ModelInfo {
            name: "model".into(),
            provider: "bench".into(),
            context_window: Some(64_000),
            offline: false,
        };
        let session = SessionInfo { name: "bench".into(), directory: "bench".into(), model };
        let transcript = (0..messages).map(entry).collect();
        app.update(Msg::Notice(Notice::Opened { session, transcript, draft: None }));
        app.update(Msg::Notice(Notice::Memory(Arc::new(memory()))));
        let turns = 1..=messages / 2;
        let course = PastCourse {
            turns: turns.clone().map(course_turn).collect(),
            happened: turns.map(happening).collect(),
        };
        app.update(Msg::Notice(Notice::Course(course)));
        app.update(Msg::Notice(Notice::TurnStarted { turn: Turn(9), user: "Go on.".into() }));
        let place = Rect::new(0, 0, 200, 60);
        let options = TerminalOptions { viewport: Viewport::Fixed(place) };
        let terminal = Terminal::with_options(CrosstermBackend::new(io::sink()), options)
            .expect("a terminal that swallows everything");
        let name = format!("{messages} messages, {state}");
        let tokens = REPLY.split_inclusive([' ', '\n']).map(str::to_owned).collect();
        Self {
            name,
            app,
            terminal,
            tokens,
            sent: 0,
            times: [Vec::new(), Vec::new()],
            flows: false,
            keys: Vec::new(),
        }
    }

    fn key(&mut self, modifiers: KeyModifiers, code: KeyCode) {
        self.draw();
        self.app.update(Msg::Terminal(Event::Key(KeyEvent::new(code, modifiers))));
    }

    fn draw(&mut self) {
        let app = &mut self.app;
        self.terminal.draw(|frame| view::render(app, frame)).expect("a frame");
    }

    /// One frame with what arrived since the last one.
    fn frame(&mut self, number: usize) {
        let texts: Vec<String> = (self.sent..self.sent + TOKENS)
            .map(|at| self.tokens[at % self.tokens.len()].clone())
            .collect();
        self.sent += TOKENS;
        let started = (processor_time(), Instant::now());
        self.app.update(Msg::Tick(FRAME * u32::try_from(number).unwrap_or(u32::MAX)));
        for text in texts {
            self.app.update(Msg::Notice(Notice::Text(text)));
        }
        if self.flows && number.is_multiple_of(CHANGES) {
            let view = MemoryView { warm: Vec::new(), ..memory() };
            let view = if number.is_multiple_of(2 * CHANGES) { memory() } else { view };
            self.app.update(Msg::Notice(Notice::Memory(Arc::new(view))));
        }
        self.draw();
        self.times[0].push(processor_time().saturating_sub(started.0));
        self.times[1].push(started.1.elapsed());
        if self.flows && number.is_multiple_of(KEYS) {
            let pressed = Instant::now();
            let key = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE);
            self.app.update(Msg::Terminal(Event::Key(key)));
            self.draw();
            self.keys.push(pressed.elapsed());
        }
    }

    /// The processor's time that so many of a hundred frames stay below.
    fn percentile(&self, percent: usize) -> Duration {
        percentile(&self.times[0], percent)
    }
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() - 1) * percent / 100]
}

/// How long this thread has run so far.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Where that is not told, the time on the wall must do.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

fn entry(number: u64) -> TranscriptEntry {
    let kind =
        if number.is_multiple_of(2) { TranscriptKind::User } else { TranscriptKind::Assistant };
    let text = match kind {
        TranscriptKind::User => format!("What about part {number} of it, and the *other* one?"),
        _ => {
            format!("Part {number} is **fine**:\n\n- one `thing`\n- another\n\nThe rest was said.")
        }
    };
    let log =
        (!number.is_multiple_of(5)).then(|| EffortId::stored(&format!("topic-{}", number / 9)));
    TranscriptEntry {
        kind,
        text: text.into(),
        turn: Some(Turn(number / 2)),
        log,
        at: String::new(),
        model: None,
    }
}

/// A turn of the chart.
fn course_turn(number: u64) -> CourseTurn {
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(220));
    layers.add(Layer::Open, Tokens(2_000 + number * 37 % 5_000));
    layers.add(Layer::Summaries, Tokens(900));
    CourseTurn { turn: Turn(number), layers, full: Tokens(number * 90) }
}

fn happening(turn: u64) -> Happening {
    Happening {
        turn: Turn(turn),
        kind: ChangeKind::SummaryEvicted,
        id: "topic".into(),
        cause: "not mentioned for 20 turns".into(),
    }
}

fn memory() -> MemoryView {
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(220));
    layers.add(Layer::Open, Tokens(9_000));
    let items = |state, count: usize| (0..count).map(|n| item(n, state)).collect::<Vec<_>>();
    MemoryView {
        turn: Turn(8),
        layers,
        budget: Tokens(16_000),
        soft_line: Tokens(11_200),
        full_history: FullHistory { tokens: Tokens(9_000_000), is_counted: true },
        open: items(Tier::Open, 10),
        expanded: items(Tier::Expanded, 40),
        warm: items(Tier::Warm, ITEMS - 50),
        ambient_messages: 20,
        ..MemoryView::default()
    }
}

fn item(number: usize, state: Tier) -> ItemView {
    ItemView {
        id: EffortId::stored(&format!("topic-{number}")),
        state,
        tokens: Tokens(120),
        whole: Tokens(120),
        verbatim: Verbatim::default(),
        raw_tokens: Some(Tokens(800)),
        turns_left: Some((4, 20)),
        last_referenced: Turn(3),
        cause: "'refresh' and 'token'".into(),
        pinned: false,
        summary: Some("The token was checked twice.".into()),
        compressed: 0,
    }
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut desks = Vec::new();
    for messages in [1_000, 100_000] {
        desks.push(Desk::new(messages, "following"));
        let mut back = Desk::new(messages, "scrolled back");
        back.key(KeyModifiers::NONE, KeyCode::PageUp);
        desks.push(back);
        let mut finding = Desk::new(messages, "finding");
        finding.key(KeyModifiers::CONTROL, KeyCode::Char('f'));
        "thing".chars().for_each(|letter| finding.key(KeyModifiers::NONE, KeyCode::Char(letter)));
        desks.push(finding);
        let mut flowing = Desk::new(messages, "flowing");
        flowing.flows = true;
        desks.push(flowing);
    }
    for number in 0..FRAMES {
        for desk in &mut desks {
            desk.frame(number);
        }
    }
    println!("\nA frame at 200x60, {FRAMES} frames each:");
    for desk in &desks {
        println!(
            "  {:<30} median {:>9.3?}  p99 {:>9.3?}  longest {:>9.3?}  wall {:>9.3?} and {:>9.3?}",
            desk.name,
            desk.percentile(50),
            desk.percentile(99),
            desk.percentile(100),
            percentile(&desk.times[1], 50),
            percentile(&desk.times[1], 99)
        );
    }
    let most = desks.iter().map(|desk| desk.percentile(99)).max().unwrap_or_default();
    verdict("p99 at most 4 ms in every state", most <= Duration::from_millis(4));
    let keys: Vec<Duration> = desks.iter().flat_map(|desk| desk.keys.clone()).collect();
    let key = percentile(&keys, 99);
    println!(
        "  a key while the window flows   median {:>9.3?}  p99 {key:>9.3?}",
        percentile(&keys, 50)
    );
    verdict("p99 of a key at most 16 ms", key <= Duration::from_millis(16));
    let ratio = desks[4].percentile(50).as_secs_f64() / desks[0].percentile(50).as_secs_f64();
    println!("  100,000 messages cost {ratio:.2} times what 1,000 do");
    verdict("nothing grows with the transcript (at most 1.2 times)", ratio <= 1.2);
}

fn verdict(bound: &str, holds: bool) {
    println!("  {} {bound}", if holds { "ok  " } else { "MISS" });
}
