//! The app on a screen that tests can read, and what such an app is told.

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ebbtide::llm::ModelInfo;
use ebbtide::memory::{EffortId, ItemView, Tier, Tokens, Turn, Verbatim};
use ebbtide::orchestrator::{Notice, SessionInfo, TranscriptEntry, TranscriptKind};
use ebbtide::tui::app::{Action, App, Msg};
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// The app on a screen that tests can read.
pub(crate) struct Desk {
    pub(crate) app: App,
    pub(crate) terminal: Terminal<TestBackend>,
}

impl Desk {
    /// Without colours and moving parts, before its session is open.
    pub(crate) fn new(width: u16, height: u16) -> Self {
        let theme = Theme::detect(true, ThemeChoice::Auto, None);
        Self::of(App::new(theme).still(), width, height)
    }

    pub(crate) fn of(app: App, width: u16, height: u16) -> Self {
        Self { app, terminal: Terminal::new(TestBackend::new(width, height)).unwrap() }
    }

    pub(crate) fn notice(&mut self, notice: Notice) -> Vec<Action> {
        self.app.update(Msg::Notice(notice))
    }

    pub(crate) fn press(&mut self, code: KeyCode) -> Vec<Action> {
        self.chord(KeyModifiers::NONE, code)
    }

    pub(crate) fn chord(&mut self, modifiers: KeyModifiers, code: KeyCode) -> Vec<Action> {
        // A key is answered with a frame, so that the app knows what is on the screen.
        self.screen();
        self.app.update(Msg::Terminal(Event::Key(KeyEvent::new(code, modifiers))))
    }

    pub(crate) fn control(&mut self, letter: char) -> Vec<Action> {
        self.chord(KeyModifiers::CONTROL, KeyCode::Char(letter))
    }

    pub(crate) fn write(&mut self, text: &str) -> Vec<Action> {
        text.chars().flat_map(|letter| self.press(KeyCode::Char(letter))).collect()
    }

    pub(crate) fn run(&mut self, line: &str) -> Vec<Action> {
        self.write(line);
        self.press(KeyCode::Enter)
    }

    pub(crate) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> Vec<Action> {
        let event = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.app.update(Msg::Terminal(Event::Mouse(event)))
    }

    /// A click on the first row that holds a text.
    pub(crate) fn click(&mut self, text: &str) {
        let screen = self.screen();
        let row = screen.lines().position(|line| line.contains(text)).expect(text) as u16;
        self.mouse(MouseEventKind::Down(MouseButton::Left), 10, row);
        self.mouse(MouseEventKind::Up(MouseButton::Left), 10, row);
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
        self.app.update(Msg::Terminal(Event::Resize(width, height)));
    }

    pub(crate) fn screen(&mut self) -> String {
        let app = &mut self.app;
        // From nothing: what a wide sign once covered is never written by a difference, and the test's terminal
        // keeps what stood there before.
        self.terminal.clear().unwrap();
        self.terminal.draw(|frame| view::render(app, frame)).unwrap();
        self.terminal.backend().to_string()
    }

    #[track_caller]
    pub(crate) fn assert_shows(&mut self, text: &str) {
        let screen = self.screen();
        assert!(screen.contains(text), "{text:?} is not on the screen:\n{screen}");
    }

    #[track_caller]
    pub(crate) fn assert_hides(&mut self, text: &str) {
        let screen = self.screen();
        assert!(!screen.contains(text), "{text:?} is on the screen:\n{screen}");
    }
}

pub(crate) fn model(name: &str) -> ModelInfo {
    let provider = "DeepSeek".into();
    ModelInfo { name: name.into(), provider, context_window: None, offline: false }
}

/// A session of a name has opened.
pub(crate) fn opened(
    name: &str,
    model: ModelInfo,
    transcript: impl Into<Vec<TranscriptEntry>>,
) -> Notice {
    let directory = format!("/sessions/{name}").into();
    let session = SessionInfo { name: name.into(), directory, model };
    Notice::Opened { session, transcript: transcript.into(), draft: None }
}

pub(crate) fn entry(
    kind: TranscriptKind,
    turn: u64,
    log: Option<&str>,
    text: &str,
) -> TranscriptEntry {
    TranscriptEntry {
        kind,
        text: text.into(),
        turn: Some(Turn(turn)),
        log: log.map(EffortId::stored),
        at: String::new(),
        model: None,
    }
}

/// An effort in the panel; of a countdown, the turns that are left and all of them.
pub(crate) fn item(id: &str, state: Tier, turns_left: Option<(u64, u64)>) -> ItemView {
    ItemView {
        compressed: 0,
        id: EffortId::stored(id),
        state,
        tokens: Tokens(120),
        whole: Tokens(120),
        verbatim: Verbatim::newest(100),
        raw_tokens: Some(Tokens(800)),
        turns_left,
        last_referenced: Turn(3),
        cause: "'refresh' and 'token'".into(),
        pinned: false,
        summary: Some("The token was checked twice.".into()),
    }
}
