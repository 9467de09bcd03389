mod choosing;
mod demo;
mod first_minute;
mod keeping;
mod mended;
mod queue;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::llm::ModelInfo;
use crate::memory::{Change, ChangeKind, Layers, Turn};
use crate::orchestrator::{
    Measured, Stopped, TranscriptEntry, TranscriptKind, TurnReport, Unanswered,
};
use crate::tools::Call;
use crate::tui::theme::{Theme, ThemeChoice};
use crate::tui::views::View;

fn app() -> App {
    App::new(Theme::detect(true, ThemeChoice::Auto, None))
}

fn opened() -> App {
    let mut app = app();
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    app.wanted.clear();
    app
}

fn open_notice(transcript: Vec<TranscriptEntry>, draft: Option<&str>) -> Notice {
    let model = ModelInfo {
        name: "test-model".into(),
        provider: "nobody".into(),
        context_window: None,
        offline: false,
    };
    let session = SessionInfo { name: "work".into(), directory: "sessions/work".into(), model };
    Notice::Opened { session, transcript, draft: draft.map(str::to_owned) }
}

fn press(app: &mut App, code: KeyCode) -> Vec<Action> {
    app.update(Msg::Terminal(Event::Key(KeyEvent::new(code, KeyModifiers::NONE))))
}

fn control(app: &mut App, letter: char) -> Vec<Action> {
    let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    app.update(Msg::Terminal(Event::Key(key)))
}

fn write(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

fn say(app: &mut App, text: &str) -> Vec<String> {
    write(app, text);
    words(&press(app, KeyCode::Enter))
}

/// Actions as short words, for comparison.
fn words(actions: &[Action]) -> Vec<String> {
    actions
        .iter()
        .map(|action| match action {
            Action::Send(Op::Send(text)) => format!("send {text}"),
            Action::Send(Op::Run(Call::CloseEffort { .. })) => "run close".to_owned(),
            Action::Send(Op::Set { key, value }) => format!("set {key} {value}"),
            Action::Send(op) => format!("{op:?}").to_lowercase(),
            other => format!("{other:?}").to_lowercase(),
        })
        .collect()
}

fn started(app: &mut App, turn: u64, user: &str) {
    app.update(Msg::Notice(Notice::TurnStarted { turn: Turn(turn), user: user.into() }));
}

fn ended(app: &mut App, turn: u64, user: &str, reply: &str) -> Vec<String> {
    let report = TurnReport {
        turn: Turn(turn),
        log: None,
        user: user.into(),
        reply: reply.into(),
        banners: Vec::new(),
        calls: Vec::new(),
        requests: 1,
        overhead: Duration::ZERO,
        sent: Layers::default(),
        given: crate::orchestrator::Given::default(),
        in_all: crate::memory::Tokens(0),
        most: crate::memory::Layers::default(),
        answered: Layers::default(),
        measured: Measured::default(),
        bill: crate::bill::TurnBill::default(),
        memory: Arc::default(),
        changes: Vec::new(),
    };
    words(&app.update(Msg::Notice(Notice::TurnEnded(Box::new(report)))))
}

fn stopped(app: &mut App, user: &str, partial: &str, error: Option<&str>) {
    app.update(Msg::Notice(Notice::TurnStopped(Stopped {
        user: user.into(),
        partial: partial.into(),
        error: error.map(str::to_owned),
        advice: "Try again.".into(),
        message: Unanswered::Kept,
    })));
}

fn said(app: &App) -> Vec<(BlockKind, String)> {
    let blocks = app.transcript.since(0);
    blocks.map(|block| (block.kind(), block.text().to_owned())).collect()
}

fn draw(app: &mut App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| crate::tui::view::render(app, frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn what_turns_took_stands_beside_the_replies_that_were_read_back() {
    let entry = |kind, turn, text: &str| TranscriptEntry {
        kind,
        text: text.into(),
        turn: Some(Turn(turn)),
        log: None,
        at: String::new(),
        model: None,
    };
    let mut app = app();
    let said = (1..4).flat_map(|turn| {
        [entry(TranscriptKind::User, turn, "Hello"), entry(TranscriptKind::Assistant, turn, "Hi")]
    });
    app.update(Msg::Notice(open_notice(said.collect(), None)));
    let asked = std::mem::take(&mut app.wanted);
    assert!(asked.iter().any(|op| matches!(op, Op::Bill)), "{asked:?}");
    let billed = |turn, read, requests| {
        let own = crate::bill::Paid { read, uncached: 1_000, ..crate::bill::Paid::default() };
        let bill = crate::bill::TurnBill { own, requests, ..crate::bill::TurnBill::default() };
        BilledTurn { turn: Turn(turn), bill }
    };
    let turns = Arc::new(vec![billed(1, 0, 0), billed(3, 3_000, 2)]);
    app.update(Msg::Notice(Notice::BilledTurns(turns)));
    let screen = draw(&mut app, 80, 40);
    for told in ["sent 1,000 tokens · 0 % cached", "sent 4,000 tokens · 2 requests · 75 % cached"]
    {
        assert_eq!(screen.matches(told).count(), 1, "{screen}");
    }
}

#[test]
fn an_inspector_that_comes_late_does_not_open_over_a_line_begun_since() {
    let inspection = || {
        let window = crate::memory::Window::default();
        let tools = Arc::new(serde_json::Value::Null);
        let inspection = crate::orchestrator::Inspection::of(Turn(1), &window, tools, None);
        Msg::Notice(Notice::Inspection(Arc::new(inspection)))
    };
    let mut app = opened();
    started(&mut app, 1, "Hello");
    press(&mut app, KeyCode::F(3));
    write(&mut app, "and ano");
    ended(&mut app, 1, "Hello", "Hi.");
    app.update(inspection());
    assert_eq!(app.scope(), Scope::Input);
    assert!(app.hint.as_ref().is_some_and(|(text, _)| text.contains("F3")), "{:?}", app.hint);
    press(&mut app, KeyCode::F(3));
    app.update(inspection());
    assert_ne!(app.scope(), Scope::Input, "asked for now, it opens");
    assert!(press(&mut app, KeyCode::F(3)).is_empty());
    assert_eq!(app.scope(), Scope::Input, "the same key closes it");
}

#[test]
fn a_message_is_shown_only_once_it_is_safe() {
    let mut app = opened();
    assert_eq!(say(&mut app, "hello"), ["send hello"]);
    assert!(said(&app).iter().all(|(kind, _)| *kind != BlockKind::User));
    started(&mut app, 1, "hello");
    assert_eq!(said(&app), [(BlockKind::User, "hello".to_owned())]);
}

#[test]
fn a_path_and_a_text_behind_two_slashes_are_messages() {
    for (typed, sent) in [("/usr/bin is full", "/usr/bin is full"), ("//help me", "/help me")] {
        assert_eq!(say(&mut opened(), typed), [format!("send {sent}")]);
    }
    let mut app = opened();
    assert!(say(&mut app, "/hepl me").is_empty());
    assert!(said(&app).iter().any(|(_, text)| text.contains("Did you mean /help?")));
}

#[test]
fn escape_stops_the_turn_once() {
    let mut app = opened();
    assert!(press(&mut app, KeyCode::Esc).is_empty());
    say(&mut app, "one");
    started(&mut app, 1, "one");
    assert_eq!(words(&press(&mut app, KeyCode::Esc)), ["cancel"]);
    assert!(press(&mut app, KeyCode::Esc).is_empty());
    // Words that were on their way when the turn was stopped are still shown as part of it.
    app.update(Msg::Notice(Notice::Text("late".into())));
    stopped(&mut app, "one", "late", None);
    assert_eq!(app.phase, Phase::Idle);
    assert_eq!(said(&app)[1], (BlockKind::Partial, "late".to_owned()));
}

#[test]
fn control_c_stops_then_clears_then_quits_on_the_second_press() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    write(&mut app, "draft");
    assert_eq!(words(&control(&mut app, 'c')), ["cancel"]);
    stopped(&mut app, "one", "", None);
    assert!(control(&mut app, 'c').is_empty());
    assert_eq!(app.input.text(), "");
    assert!(control(&mut app, 'c').is_empty());
    assert!(app.hint.is_some());
    app.update(Msg::Tick(HINT + Duration::from_millis(1)));
    assert!(app.hint.is_none());
    assert!(control(&mut app, 'c').is_empty(), "a press long after counts as a first one");
    assert_eq!(words(&control(&mut app, 'c')), ["shutdown"]);
    assert_eq!(words(&app.update(Msg::Notice(Notice::Closed))), ["quit"]);
}

#[test]
fn control_d_quits_only_without_a_draft_and_a_second_request_does_not_wait() {
    let mut app = opened();
    write(&mut app, "x");
    assert!(control(&mut app, 'd').is_empty());
    press(&mut app, KeyCode::Backspace);
    assert_eq!(words(&control(&mut app, 'd')), ["shutdown"]);
    assert_eq!(words(&app.update(Msg::Terminate)), ["quit"]);
}

#[test]
fn a_paste_with_line_ends_sends_nothing() {
    let mut app = opened();
    let actions = app.update(Msg::Terminal(Event::Paste("one\r\ntwo\n".into())));
    assert!(actions.is_empty());
    assert_eq!(app.input.text(), "one\ntwo\n");
}

#[test]
fn all_the_keys_for_a_new_line_make_one() {
    for (code, modifiers) in [
        (KeyCode::Enter, KeyModifiers::SHIFT),
        (KeyCode::Enter, KeyModifiers::ALT),
        (KeyCode::Char('j'), KeyModifiers::CONTROL),
    ] {
        let mut app = opened();
        write(&mut app, "a");
        let event = Event::Key(KeyEvent::new(code, modifiers));
        assert!(app.update(Msg::Terminal(event)).is_empty());
        assert_eq!(app.input.text(), "a\n");
    }
    let mut app = opened();
    assert!(say(&mut app, "a\\").is_empty());
    assert_eq!(app.input.text(), "a\n");
}

#[test]
fn a_question_mark_opens_the_help_only_on_an_empty_line() {
    let mut app = opened();
    write(&mut app, "why?");
    assert_eq!(app.input.text(), "why?");
    app.input.set("");
    write(&mut app, "?");
    assert!(app.stack.get::<Listing>().is_some());
    press(&mut app, KeyCode::Esc);
    assert!(app.stack.get::<Listing>().is_none());
}

#[test]
fn a_command_is_completed_and_run() {
    let mut app = opened();
    write(&mut app, "/clo");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.input.text(), "/close ");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["run close"]);
    assert!(say(&mut app, "later").is_empty(), "a message waits for the command");
    let done = Notice::CommandDone { ok: true, text: "Concluded.".into() };
    assert_eq!(words(&app.update(Msg::Notice(done))), ["send later"]);
}

#[test]
fn enter_on_a_command_that_needs_more_only_completes_it() {
    let mut app = opened();
    assert!(say(&mut app, "/exp").is_empty());
    assert_eq!(app.input.text(), "/expand ");
    press(&mut app, KeyCode::Enter);
    let last = said(&app).pop().unwrap();
    assert_eq!(last.0, BlockKind::Error);
    assert!(last.1.contains("/expand needs an effort's id"));
    assert_eq!(app.input.text(), "/expand ", "what was typed stays");
}

#[test]
fn enter_runs_a_command_only_if_no_other_can_be_meant() {
    let mut app = opened();
    assert!(say(&mut app, "/c").is_empty());
    assert_eq!(app.input.text(), "/close ");
    app.input.set("");
    write(&mut app, "/q");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["shutdown"]);
}

#[test]
fn an_unknown_command_is_kept_and_two_slashes_send_it_as_a_message() {
    let mut app = opened();
    assert!(say(&mut app, "/opne x").is_empty());
    assert!(said(&app).pop().unwrap().1.contains("Did you mean /open?"));
    assert_eq!(app.input.text(), "/opne x");
    app.input.set("");
    assert_eq!(say(&mut app, "//etc/hosts is wrong"), ["send /etc/hosts is wrong"]);
}

#[test]
fn the_end_of_the_transcript_and_the_draft_come_back() {
    let mut app = app();
    assert!(say(&mut app, "too early").is_empty());
    let entry = |kind, text: &str| TranscriptEntry {
        kind,
        text: text.into(),
        turn: Some(Turn(4)),
        log: None,
        at: String::new(),
        model: None,
    };
    let transcript = vec![
        entry(TranscriptKind::User, "hi"),
        entry(TranscriptKind::Assistant, "hello"),
        entry(TranscriptKind::Finish, "length"),
        entry(TranscriptKind::Unanswered, "lost"),
        entry(TranscriptKind::PartialReply, "hal"),
    ];
    let actions = app.update(Msg::Notice(open_notice(transcript, Some("lost"))));
    assert_eq!(words(&actions), ["send too early"]);
    assert_eq!(app.input.text(), "lost");
    let (kinds, texts): (Vec<BlockKind>, Vec<String>) = said(&app).into_iter().unzip();
    let stopped = [BlockKind::Unanswered, BlockKind::Partial];
    let whole = [BlockKind::User, BlockKind::Assistant, BlockKind::Info];
    assert_eq!(kinds, [&whole[..], &stopped[..]].concat());
    assert_eq!(texts[2], "The reply was cut at the model's length limit.");
}

#[test]
fn a_reply_that_was_not_streamed_is_shown_and_a_streamed_one_not_twice() {
    for streamed in [true, false] {
        let mut app = opened();
        say(&mut app, "one");
        started(&mut app, 1, "one");
        if streamed {
            app.update(Msg::Notice(Notice::Text("All ".into())));
            app.update(Msg::Notice(Notice::Text("good.".into())));
        }
        ended(&mut app, 1, "one", "All good.");
        let replies = said(&app);
        let replies = replies.iter().filter(|(kind, _)| *kind == BlockKind::Assistant);
        assert_eq!(replies.map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["All good."]);
    }
}

#[test]
fn a_retry_counts_down() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    let wait = Duration::from_secs(12);
    let reason = "The server is busy.".to_owned();
    app.update(Msg::Notice(Notice::Retrying { wait, attempt: 2, reason }));
    let sentence = |app: &App| app.phase.sentence(app.now, "m").unwrap();
    assert_eq!(sentence(&app), "retrying in 12 s (attempt 2)");
    app.update(Msg::Tick(Duration::from_millis(4500)));
    assert_eq!(sentence(&app), "retrying in 8 s (attempt 2)");
    app.update(Msg::Tick(Duration::from_secs(60)));
    assert_eq!(sentence(&app), "waiting for m, attempt 2 · 60 s");
}

#[test]
fn esc_is_offered_only_where_it_stops_the_turn() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    let offered = |app: &mut App| draw(app, 120, 36).contains("Esc stops");
    assert!(offered(&mut app));
    for (opens, closes) in [
        (KeyCode::F(1), KeyCode::Esc),
        (KeyCode::F(7), KeyCode::Esc),
        (KeyCode::Tab, KeyCode::Tab),
        (KeyCode::Char('/'), KeyCode::Backspace),
    ] {
        app.update(Msg::Notice(Notice::Settings(Arc::default())));
        press(&mut app, opens);
        assert!(!offered(&mut app), "{opens:?}");
        press(&mut app, closes);
        assert!(offered(&mut app), "{opens:?}");
    }
    press(&mut app, KeyCode::Esc);
    assert!(!offered(&mut app), "once is enough");
}

#[test]
fn an_idle_app_is_not_animated() {
    let mut app = opened();
    assert!(!app.is_animated());
    say(&mut app, "one");
    assert!(app.is_animated());
    started(&mut app, 1, "one");
    ended(&mut app, 1, "one", "fine");
    assert!(!app.is_animated());
}

#[test]
fn tab_moves_to_the_panel_and_back_and_hiding_it_gives_the_keys_back() {
    let mut app = opened();
    draw(&mut app, 120, 36);
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.scope(), Scope::Panel);
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.scope(), Scope::Input);
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::F(2));
    draw(&mut app, 120, 36);
    assert_eq!((app.scope(), app.panel_area), (Scope::Input, None));
    app.panel_wanted = None;
    draw(&mut app, 120, 36);
    press(&mut app, KeyCode::Tab);
    app.update(Msg::Terminal(Event::Resize(80, 24)));
    assert_eq!(app.scope(), Scope::Input, "a panel that a narrow screen has no room for");
}

#[test]
fn every_size_can_be_drawn_with_everything_open() {
    let mut app = opened();
    say(&mut app, "one 世界");
    started(&mut app, 1, "one 世界");
    say(&mut app, "two");
    write(&mut app, "/");
    let journal = Notice::Journal(Arc::default());
    app.update(Msg::Notice(Notice::Settings(Arc::default())));
    let everything = [
        View::Past,
        View::Find,
        View::Journal,
        View::Bill,
        View::Sessions,
        View::Settings,
        View::Help,
        View::Palette,
    ];
    for view in everything {
        draw(&mut app, 80, 24);
        app.show(view);
        app.update(Msg::Notice(journal.clone()));
        for width in [1, 2, 5, 20, 39, 40, 41, 60, 79, 80, 99, 100, 120, 200] {
            for height in [1, 2, 5, 11, 12, 13, 15, 20, 24, 36, 60] {
                app.panel_wanted = (width % 2 == 0).then_some(true);
                draw(&mut app, width, height);
            }
        }
    }
    app.stack = Stack::default();
    assert!(draw(&mut app, 30, 8).contains("too small"));
    assert!(draw(&mut app, 80, 24).contains("one 世界"));
}
