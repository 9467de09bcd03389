//! The chat pane as a person sees it: Markdown, what left the window, finding and copying.

use std::sync::Arc;

use ebbtide::llm::ModelInfo;
use ebbtide::memory::{EffortId, ItemState, ItemView, MemoryView, Tokens, Turn};
use ebbtide::orchestrator::{Entry, EntryKind, Notice, SessionInfo};
use ebbtide::tui::app::{App, Msg};
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view;
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

/// The app on a screen that tests can read.
struct Chat {
    app: App,
    terminal: Terminal<TestBackend>,
}

impl Chat {
    fn new(width: u16, height: u16, transcript: Vec<Entry>) -> Self {
        let theme = Theme::detect(true, ThemeChoice::Auto, None);
        let app = App::new(theme, false, false);
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut chat = Self { app, terminal };
        let model = ModelInfo {
            name: "deepseek-chat".into(),
            provider: "DeepSeek".into(),
            context_window: None,
            offline: false,
        };
        let session = SessionInfo { name: "work".into(), directory: "work".into(), model };
        chat.notice(Notice::Opened { session, transcript, draft: None });
        chat
    }

    fn notice(&mut self, notice: Notice) {
        self.app.update(Msg::Notice(notice));
    }

    fn screen(&mut self) -> String {
        let app = &mut self.app;
        self.terminal.draw(|frame| view::render(app, frame)).unwrap();
        self.terminal.backend().to_string()
    }

    #[track_caller]
    fn assert_shows(&mut self, text: &str) {
        let screen = self.screen();
        assert!(screen.contains(text), "{text:?} is not on the screen:\n{screen}");
    }

    #[track_caller]
    fn assert_hides(&mut self, text: &str) {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text:?} is on the screen:\n{screen}");
    }

    /// Whether every letter of the first row that holds a text has a modifier.
    fn has(&mut self, text: &str, modifier: Modifier) -> bool {
        self.screen();
        let buffer = self.terminal.backend().buffer();
        for y in 0..buffer.area.height {
            let row: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
            if let Some(at) = row.find(text) {
                let x = row[..at].chars().count() as u16;
                let mut cells = (x..x + text.chars().count() as u16).map(|x| &buffer[(x, y)]);
                return cells.all(|cell| cell.modifier.contains(modifier));
            }
        }
        panic!("{text:?} is not on the screen");
    }
}

fn entry(kind: EntryKind, turn: u64, log: Option<&str>, text: &str) -> Entry {
    Entry {
        kind,
        text: text.into(),
        turn: Some(Turn(turn)),
        log: log.map(EffortId::stored),
        at: String::new(),
    }
}

fn exchange(turn: u64, log: Option<&str>, user: &str, reply: &str) -> [Entry; 2] {
    [entry(EntryKind::User, turn, log, user), entry(EntryKind::Assistant, turn, log, reply)]
}

const REPLY: &str = "# Tokens\n\nA token expires **twice**: see `skew` in [the log](https://example.org/log), \
                     or *maybe* ~~not~~.\n\n1. the clock of the server\n   - drifts, 世界 beside 👩‍👩‍👧\n   - is \
                     read once\n2. the refresh path, which subtracts the skew twice as far as one can tell\n\n\
                     > What is cached is old.\n> It always was.\n\n```rust\n// Seconds, not milliseconds.\n\
                     fn left(now: u64) -> u64 {\n    EXPIRY.saturating_sub(now) / 1_000 + \
                     \"a text that is much too long for a narrow screen\".len() as u64\n}\n```\n\n\
                     | Part | Seconds |\n|------|--------:|\n| skew | 30 |\n| 世界 e\u{301} | 1,200 |\n\n---\nDone.";

#[test]
fn markdown_80x24() {
    let mut chat = Chat::new(80, 24, exchange(1, None, "Why *twice*?", REPLY).into());
    assert_snapshot!(chat.screen());
}

#[test]
fn markdown_120x36() {
    let mut chat = Chat::new(120, 36, exchange(1, None, "Why *twice*?", REPLY).into());
    assert_snapshot!(chat.screen());
}

#[test]
fn markdown_200x60() {
    let mut chat = Chat::new(200, 60, exchange(1, None, "Why *twice*?", REPLY).into());
    assert_snapshot!(chat.screen());
}

#[test]
fn a_reply_that_streams_looks_like_one_that_is_read_later() {
    let mut later = Chat::new(80, 60, vec![entry(EntryKind::Assistant, 1, None, REPLY)]);
    let mut live = Chat::new(80, 60, Vec::new());
    live.notice(Notice::TurnStarted { turn: Turn(1), user: "Why?".into() });
    for letter in REPLY.chars() {
        live.notice(Notice::Text(letter.into()));
        live.screen();
    }
    let body = |screen: &str| {
        let rows = screen.lines().skip_while(|row| !row.contains("deepseek-chat   "));
        let rows: Vec<String> = rows.map(str::to_owned).collect();
        let end = rows.iter().position(|row| row.contains("Done.")).unwrap();
        rows[..=end].join("\n")
    };
    assert_eq!(body(&live.screen()), body(&later.screen()));
}

#[test]
fn markdown_can_be_shown_as_it_came() {
    let mut chat = Chat::new(80, 50, exchange(1, None, "Why?", REPLY).into());
    chat.assert_hides("**twice**");
    chat.app.show_raw(true);
    chat.assert_shows("**twice**");
    chat.assert_shows("```rust");
    chat.app.show_raw(false);
    chat.assert_hides("**twice**");
}

#[test]
fn what_a_person_writes_stays_as_written() {
    let mut chat = Chat::new(80, 24, exchange(1, None, "a **b** `c`\n- d", "ok").into());
    chat.assert_shows("a **b** `c`");
    chat.assert_shows("- d");
}

#[test]
fn no_colour_still_tells_emphasis_headings_and_code() {
    let mut chat = Chat::new(80, 60, exchange(1, None, "Why?", REPLY).into());
    assert!(chat.has("twice", Modifier::BOLD));
    assert!(chat.has("maybe", Modifier::ITALIC));
    assert!(chat.has("not", Modifier::CROSSED_OUT));
    assert!(chat.has("Tokens", Modifier::BOLD | Modifier::UNDERLINED));
    assert!(chat.has("skew", Modifier::BOLD));
    let buffer = chat.terminal.backend().buffer();
    let plain = ratatui::style::Color::Reset;
    assert!(buffer.content().iter().all(|cell| cell.fg == plain && cell.bg == plain));
}

fn item(id: &str, state: ItemState) -> ItemView {
    ItemView {
        compressed: 0,
        id: EffortId::stored(id),
        state,
        tokens: Tokens(120),
        raw_tokens: Some(Tokens(800)),
        turns_left: None,
        last_referenced: Turn(3),
        cause: "".into(),
        pinned: false,
        summary: None,
    }
}

fn memory() -> MemoryView {
    MemoryView {
        budget: Tokens(16_000),
        open: vec![item("cache-size", ItemState::Active)],
        ambient_messages: 2,
        ..MemoryView::default()
    }
}

/// A conversation of which the model still gets a part.
fn mixed() -> Vec<Entry> {
    let mut entries = Vec::new();
    entries.extend(exchange(1, None, "early small talk", "long ago"));
    entries.push(entry(
        EntryKind::Divider,
        2,
        Some("auth-bug"),
        "--- Started effort: auth-bug ---",
    ));
    entries.extend(exchange(2, Some("auth-bug"), "the auth bug", "found it"));
    entries.push(entry(
        EntryKind::Divider,
        2,
        Some("auth-bug"),
        "--- Concluded effort: auth-bug ---",
    ));
    entries.extend(exchange(3, None, "late small talk", "just now"));
    entries.extend(exchange(4, Some("cache-size"), "the cache", "is small"));
    entries
}

#[test]
fn what_left_the_window_is_dimmed_and_marked() {
    let mut chat = Chat::new(80, 40, mixed());
    chat.assert_hides("outside the window");
    chat.notice(Notice::Memory(Arc::new(memory())));
    for gone in ["early small talk", "long ago", "the auth bug", "found it"] {
        assert!(chat.has(gone, Modifier::DIM), "{gone}");
        chat.assert_shows(&format!("┊ {gone}"));
    }
    for held in ["late small talk", "just now", "the cache", "is small"] {
        assert!(!chat.has(held, Modifier::DIM), "{held}");
        chat.assert_shows(&format!("  {held}"));
    }
    assert_snapshot!(chat.screen());
    let open = vec![item("auth-bug", ItemState::Active)];
    chat.notice(Notice::Memory(Arc::new(MemoryView { open, ..memory() })));
    chat.assert_shows("  the auth bug");
    chat.assert_shows("┊ the cache");
}
