//! The full-screen app as a person sees it: keys and notices in, a screen of characters out.

mod robust;

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseEventKind};
use ebbtide::bill::{Paid, TurnBill};
use ebbtide::llm::ModelInfo;
use ebbtide::memory::{
    Change, ChangeKind, EffortId, FullHistory, Layer, Layers, MemoryView, Role, Source, Subject,
    Tier, Tokens, Turn, Window, WindowItem,
};
use ebbtide::orchestrator::{
    CallReport, Inspection, Measured, Notice, Stopped, TranscriptEntry, TranscriptKind, TurnReport,
    Unanswered,
};
use ebbtide::tui::app::Msg;
use insta::assert_snapshot;

use super::support::screen::{self, Desk, entry, item};

impl Desk {
    /// With an open, empty session.
    pub(crate) fn opened(width: u16, height: u16) -> Self {
        let mut desk = Self::new(width, height);
        desk.notice(opened(Vec::new(), false));
        desk.notice(Notice::Memory(Arc::new(memory())));
        desk
    }

    /// A whole turn that opens an effort.
    pub(crate) fn turn(&mut self, turn: u64, user: &str, reply: &str) {
        self.notice(Notice::TurnStarted { turn: Turn(turn), user: user.into() });
        self.notice(Notice::RequestSent { round: 1, layers: Layers::default() });
        self.notice(Notice::Reasoning("A bug: open an effort first.".into()));
        self.notice(Notice::CallStarted { name: "open_effort".into() });
        self.notice(Notice::Changed(change(turn, "login-bug")));
        self.notice(Notice::CallFinished(call()));
        self.notice(Notice::RequestSent { round: 2, layers: Layers::default() });
        for word in reply.split_inclusive(' ') {
            self.notice(Notice::Text(word.into()));
        }
        self.notice(Notice::TurnEnded(Box::new(report(turn, user, reply))));
    }
}

pub(crate) fn opened(transcript: Vec<TranscriptEntry>, offline: bool) -> Notice {
    let name = if offline { "offline" } else { "deepseek-chat" };
    let model = ModelInfo { context_window: Some(64_000), offline, ..screen::model(name) };
    screen::opened("work", model, transcript)
}

fn change(turn: u64, id: &str) -> Change {
    Change {
        turn: Turn(turn),
        kind: ChangeKind::EffortOpened,
        subject: Subject::Effort(EffortId::stored(id)),
        cause: "asked for".into(),
        before: Tokens(0),
        after: Tokens(0),
        note: None,
        was: None,
    }
}

fn call() -> CallReport {
    CallReport {
        name: "open_effort".into(),
        arguments: serde_json::json!({"name": "login-bug"}),
        result: serde_json::json!({"opened": "login-bug"}),
        ok: true,
    }
}

pub(crate) fn report(turn: u64, user: &str, reply: &str) -> TurnReport {
    let mut sent = Layers::default();
    sent.add(Layer::System, Tokens(1_360));
    TurnReport {
        turn: Turn(turn),
        log: memory().open.first().map(|item| item.id.clone()),
        user: user.into(),
        reply: reply.into(),
        banners: Vec::new(),
        calls: Vec::new(),
        requests: 2,
        overhead: Duration::from_micros(400),
        sent,
        given: ebbtide::orchestrator::Given::default(),
        in_all: Tokens(2 * 1_360),
        most: Layers::default(),
        answered: sent,
        measured: Measured::default(),
        bill: TurnBill {
            own: Paid { uncached: 2 * 1_360, estimated: true, ..Paid::default() },
            requests: 2,
            ..TurnBill::default()
        },
        memory: Arc::new(memory()),
        changes: Vec::new(),
    }
}

pub(crate) fn memory() -> MemoryView {
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(220));
    layers.add(Layer::Tools, Tokens(1_140));
    layers.add(Layer::Summaries, Tokens(240));
    layers.add(Layer::Ambient, Tokens(420));
    layers.add(Layer::Expanded, Tokens(120));
    layers.add(Layer::Open, Tokens(120));
    MemoryView {
        ambient_tokens: Tokens(420),
        turn: Turn(7),
        layers,
        budget: Tokens(16_000),
        soft_line: Tokens(11_200),
        full_history: FullHistory { tokens: Tokens(9_400), is_counted: true },
        open: vec![item("login-bug", Tier::Active, None)],
        expanded: vec![item("auth-bug", Tier::Expanded, Some((2, 3)))],
        warm: vec![
            item("cache-size", Tier::Warm, Some((4, 20))),
            item("api-keys", Tier::Warm, Some((16, 20))),
        ],
        ..MemoryView::default()
    }
}

const REPLY: &str = "Let's look at it. When does the token expire?\n\n1. the clock of the server\n\
                     2. the refresh path, which subtracts the skew twice as far as one can tell \
                     from what you say, and 世界 beside 👩‍👩‍👧";

#[test]
fn first_screen_offline() {
    let mut desk = Desk::new(80, 24);
    assert!(desk.screen().contains("opening"), "a frame is drawn before the session is open");
    desk.notice(opened(Vec::new(), true));
    desk.notice(Notice::Memory(Arc::new(MemoryView {
        budget: Tokens(16_000),
        ..MemoryView::default()
    })));
    assert_snapshot!(desk.screen());
}

#[test]
fn conversation_80x24() {
    let mut desk = Desk::opened(80, 24);
    desk.turn(8, "Let's work on the login bug", REPLY);
    assert_snapshot!(desk.screen());
}

#[test]
fn conversation_120x36() {
    let mut desk = Desk::opened(120, 36);
    desk.turn(8, "Let's work on the login bug", REPLY);
    desk.run("It fails after\\");
    desk.write("five minutes");
    assert_snapshot!(desk.screen());
}

#[test]
fn narrow_screen_with_the_panel() {
    let mut desk = Desk::opened(80, 24);
    desk.turn(8, "Let's work on the login bug", REPLY);
    desk.press(KeyCode::F(2));
    assert_snapshot!(desk.screen());
    desk.press(KeyCode::F(2));
    desk.assert_hides("auth-bug");
}

#[test]
fn a_failed_turn_with_a_queue_80x24() {
    let mut desk = Desk::opened(80, 24);
    desk.run("first");
    desk.notice(Notice::TurnStarted { turn: Turn(8), user: "first".into() });
    desk.notice(Notice::Text("The beginning of an".into()));
    desk.run("second");
    desk.assert_shows("next: second");
    desk.assert_shows("deepseek-chat is writing");
    desk.notice(Notice::TurnStopped(Stopped {
        user: "first".into(),
        partial: "The beginning of an".into(),
        error: Some("The server closed the connection in mid-reply".into()),
        advice: "Check the network and send the message again.".into(),
        message: Unanswered::Kept,
    }));
    assert_snapshot!(desk.screen());
}

#[test]
fn reasoning_that_was_shown_as_an_answer_leaves_the_screen() {
    let mut desk = Desk::opened(80, 24);
    desk.notice(Notice::TurnStarted { turn: Turn(8), user: "first".into() });
    desk.notice(Notice::Text("Let me see.</think>It is blue.".into()));
    desk.assert_shows("Let me see.");
    desk.notice(Notice::Reworded("It is blue.".into()));
    desk.assert_hides("Let me see.");
    desk.assert_shows("It is blue.");
}

#[test]
fn completion_80x24() {
    let mut desk = Desk::opened(80, 24);
    desk.write("/s");
    assert_snapshot!(desk.screen());
    desk.press(KeyCode::Esc);
    desk.assert_hides("/stats");
}

#[test]
fn an_argument_is_completed_from_memory() {
    let mut desk = Desk::opened(80, 24);
    desk.write("/expand ca");
    desk.assert_shows("cache-size");
    desk.press(KeyCode::Tab);
    desk.assert_shows("/expand cache-size");
    desk.assert_hides("Tab completes");
}

#[test]
fn palette_80x24() {
    let mut desk = Desk::opened(80, 24);
    desk.write("a draft");
    desk.control('p');
    desk.write("mem");
    desk.press(KeyCode::Down);
    assert_snapshot!(desk.screen());
}

#[test]
fn paste_queue_and_search_120x36() {
    let mut desk = Desk::opened(120, 36);
    desk.run("first");
    desk.notice(Notice::TurnStarted { turn: Turn(8), user: "first".into() });
    for text in ["second", "third 世界", "fourth", "fifth", "/budget 8k"] {
        desk.run(text);
    }
    desk.write("look at ");
    desk.app.update(Msg::Terminal(Event::Paste("a line\n".repeat(812))));
    desk.chord(KeyModifiers::ALT, KeyCode::Up);
    desk.press(KeyCode::Up);
    assert_snapshot!(desk.screen());
    desk.press(KeyCode::Esc);
    desk.control('r');
    desk.write("ir");
    desk.assert_shows("Search back: ir · 4 messages ago");
    desk.write("x");
    // What was found with fewer letters does not hold these.
    desk.assert_shows("Search back: irx · no message has it");
    desk.press(KeyCode::Backspace);
    desk.assert_shows("4 messages ago");
    desk.control('r');
    desk.control('r');
    desk.assert_shows("no other has it");
}

#[test]
fn help_80x24() {
    let mut desk = Desk::opened(80, 24);
    desk.press(KeyCode::F(1));
    assert_snapshot!(desk.screen());
    desk.press(KeyCode::End);
    desk.assert_shows("save and leave");
    desk.press(KeyCode::Char('q'));
    desk.assert_hides("save and leave");
}

#[test]
fn window_listing_80x24() {
    let mut desk = Desk::opened(80, 24);
    let long =
        "A message that is long enough to be wrapped in the box, since it goes on. ".repeat(2);
    let items = [("You are Ebbtide.", Layer::System), (&long, Layer::Open)].map(|(text, layer)| {
        let source = match layer {
            Layer::System => Source::SystemPrompt,
            _ => Source::Open(EffortId::stored("login-bug")),
        };
        WindowItem { layer, role: Role::User, source, content: text.into(), tokens: Tokens(34) }
    });
    let mut before = Window { items: items.to_vec(), ..Window::default() };
    let mut window = before.clone();
    before.items.insert(1, gone_item());
    window.items.push(new_item());
    desk.notice(inspection(&window, Some(&before)));
    assert_snapshot!(desk.screen());
}

/// What the inspector is told.
fn inspection(window: &Window, before: Option<&Window>) -> Notice {
    let before = before.map(|before| (before, "the last request".to_owned()));
    let tools = serde_json::json!([{"type": "function", "function": {"name": "open_effort"}}]);
    Notice::Inspection(Arc::new(Inspection::of(Turn(7), window, Arc::new(tools), before)))
}

fn gone_item() -> WindowItem {
    let source = Source::Summary(EffortId::stored("old-topic"));
    let content = "- old-topic: It was settled long ago.".into();
    WindowItem { layer: Layer::Summaries, role: Role::System, source, content, tokens: Tokens(11) }
}

fn new_item() -> WindowItem {
    let (source, content) = (Source::NewMessage, "and what about 世界?".into());
    WindowItem { layer: Layer::Open, role: Role::User, source, content, tokens: Tokens(9) }
}

#[test]
fn what_was_said_of_a_second_press_is_over_with_any_other_key() {
    let mut desk = Desk::opened(80, 24);
    desk.control('c');
    desk.assert_shows("again to quit");
    desk.write("x");
    desk.assert_hides("again to quit");
}

#[test]
fn a_message_that_was_not_answered_gives_way_to_what_is_typed() {
    let mut desk = Desk::opened(80, 24);
    let stop = |desk: &mut Desk| {
        desk.run("about rivers");
        desk.notice(Notice::TurnStarted { turn: Turn(8), user: "about rivers".into() });
        desk.notice(Notice::TurnStopped(Stopped {
            user: "about rivers".into(),
            partial: "".into(),
            error: None,
            advice: String::new(),
            message: Unanswered::Kept,
        }));
        desk.assert_shows("Enter sends it again, what");
        desk.assert_shows("│ about rivers");
    };
    stop(&mut desk);
    desk.write("and lakes?");
    desk.assert_shows("│ and lakes? ");
    desk.control('u');
    stop(&mut desk);
    desk.press(KeyCode::End);
    desk.write(" and lakes?");
    desk.assert_shows("│ about rivers and lakes? ");
}

#[test]
fn scrolling_back_stops_following_and_tells_what_is_new() {
    let mut desk = Desk::opened(80, 24);
    for turn in 1..10 {
        desk.turn(turn, &format!("question {turn}"), "answer");
    }
    desk.assert_shows("question 9");
    desk.press(KeyCode::PageUp);
    desk.assert_hides("question 9");
    desk.assert_shows("more below");
    desk.notice(Notice::Info("one".into()));
    desk.notice(Notice::Info("two".into()));
    desk.assert_shows("↓ 2 new below");
    desk.press(KeyCode::Home);
    desk.assert_shows("question 1");
    desk.press(KeyCode::End);
    desk.assert_shows("two");
    desk.assert_hides("below");
}

#[test]
fn the_wheel_scrolls_what_is_under_it() {
    let mut desk = Desk::opened(120, 20);
    for turn in 1..10 {
        desk.turn(turn, &format!("question {turn}"), "answer");
    }
    desk.screen();
    desk.mouse(MouseEventKind::ScrollUp, 110, 5);
    desk.assert_hides("below");
    desk.mouse(MouseEventKind::ScrollUp, 5, 5);
    desk.assert_shows("more below");
    desk.mouse(MouseEventKind::ScrollDown, 5, 5);
    desk.assert_hides("below");
}

#[test]
fn header_and_chat_name_the_same_turn() {
    let mut desk = Desk::opened(120, 36);
    desk.assert_shows("turn 7 · ready");
    desk.notice(Notice::TurnStarted { turn: Turn(8), user: "next".into() });
    desk.assert_shows("You · turn 8");
    desk.assert_shows("turn 8 · waiting");
    desk.notice(Notice::TurnEnded(Box::new(report(8, "next", "done"))));
    desk.assert_shows("turn 7 · ready");
}

#[test]
fn a_reply_of_earlier_bears_the_name_of_the_model_that_wrote_it() {
    let entry = |kind, model: Option<&str>| TranscriptEntry {
        model: model.map(str::to_owned),
        ..entry(kind, 1, None, "words")
    };
    let mut desk = Desk::new(80, 24);
    desk.notice(opened(
        vec![
            entry(TranscriptKind::User, None),
            entry(TranscriptKind::Assistant, Some("another-model")),
            entry(TranscriptKind::User, None),
            entry(TranscriptKind::PartialReply, None),
        ],
        false,
    ));
    desk.assert_shows("\" another-model  ");
    desk.assert_shows("\" reply · cut off  ");
}

#[test]
fn what_can_be_done_with_a_row_stands_first_and_the_help_always() {
    let mut desk = Desk::opened(80, 24);
    desk.press(KeyCode::F(2));
    desk.press(KeyCode::Tab);
    desk.assert_shows("└ Enter details  c conclude  u undo  / filter  Tab back  F1 help");
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    desk.assert_shows(
        "└ Enter details  e expand  p pin  K keep  x evict  u undo  Tab back  F1 help",
    );
    desk.resize(160, 36);
    desk.assert_shows("E edit  R resummarize  u undo  / filter  Tab back  F1 help  F2 memory");
}

#[test]
fn the_way_back_from_a_filtered_panel_clears_the_filter_first() {
    let mut desk = Desk::opened(80, 24);
    desk.press(KeyCode::F(2));
    desk.press(KeyCode::Tab);
    desk.run("/cache");
    desk.assert_shows("Tab clear  F1 help");
    desk.press(KeyCode::Tab);
    desk.assert_shows("Tab back  F1 help");
}

#[test]
fn the_footer_of_an_edit_says_what_enter_and_esc_do_with_it() {
    let mut desk = Desk::opened(80, 24);
    desk.press(KeyCode::F(2));
    desk.press(KeyCode::Tab);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Down);
    desk.press(KeyCode::Char('E'));
    desk.assert_shows("└ Enter keep the change  Esc leave it as it was  F1 help");
    desk.assert_hides("Enter send");
}

#[test]
fn the_cursor_stands_behind_wide_text() {
    let mut desk = Desk::opened(80, 24);
    desk.write("世界");
    desk.screen();
    desk.terminal.backend_mut().assert_cursor_position((6, 20));
}

#[test]
fn on_a_small_screen_the_queue_gives_way_and_the_message_line_keeps_a_row() {
    for width in [40, 60] {
        let mut desk = Desk::opened(width, 12);
        desk.run("one");
        desk.notice(Notice::TurnStarted { turn: Turn(8), user: "one".into() });
        desk.notice(Notice::RequestSent { round: 1, layers: Layers::default() });
        for waiting in 1..=5 {
            desk.run(&format!("later {waiting}"));
            desk.write("typed");
            for shown in ["typed", "waiting for deepseek-chat", "work"] {
                desk.assert_shows(shown);
            }
            let queue = format!("{waiting} waiting");
            desk.assert_shows(if waiting > 1 { &queue } else { "next: later 1" });
            desk.control('u');
        }
    }
}
