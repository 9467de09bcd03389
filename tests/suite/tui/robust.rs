//! Whatever comes, in whatever order: the app stands, and the terminal is told nothing but text.

use super::*;

#[test]
fn a_resize_at_any_moment_is_survived() {
    let mut desk = Desk::opened(120, 36);
    desk.turn(8, "Let's work on the login bug", REPLY);
    desk.write("a draft 世界 that is long enough to be wrapped on a narrow screen");
    for (width, height) in [(20, 5), (200, 60), (1, 1), (41, 12), (80, 24), (120, 36)] {
        desk.resize(width, height);
        desk.screen();
    }
    desk.assert_shows("a draft 世");
    desk.assert_shows("login bug");
    desk.resize(30, 10);
    desk.assert_shows("too small");
}

/// Steps that look random and are the same in every run.
struct Steps(u64);

impl Steps {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn no_order_of_keys_notices_and_sizes_breaks_the_app() {
    let keys = [
        (KeyModifiers::NONE, KeyCode::Enter),
        (KeyModifiers::NONE, KeyCode::Tab),
        (KeyModifiers::NONE, KeyCode::Esc),
        (KeyModifiers::NONE, KeyCode::Up),
        (KeyModifiers::NONE, KeyCode::Down),
        (KeyModifiers::NONE, KeyCode::Left),
        (KeyModifiers::NONE, KeyCode::Backspace),
        (KeyModifiers::NONE, KeyCode::PageUp),
        (KeyModifiers::NONE, KeyCode::End),
        (KeyModifiers::NONE, KeyCode::F(1)),
        (KeyModifiers::NONE, KeyCode::F(2)),
        (KeyModifiers::CONTROL, KeyCode::Char('u')),
        (KeyModifiers::CONTROL, KeyCode::Char('y')),
        (KeyModifiers::CONTROL, KeyCode::Char('w')),
        (KeyModifiers::CONTROL, KeyCode::Char('r')),
        (KeyModifiers::CONTROL, KeyCode::Char('o')),
        (KeyModifiers::CONTROL, KeyCode::Char('p')),
        (KeyModifiers::ALT, KeyCode::Up),
        (KeyModifiers::NONE, KeyCode::Char('/')),
        (KeyModifiers::NONE, KeyCode::Char('世')),
        (KeyModifiers::NONE, KeyCode::Char('\u{301}')),
        (KeyModifiers::NONE, KeyCode::Char('o')),
        (KeyModifiers::ALT, KeyCode::Enter),
    ];
    let notices = [
        Notice::TurnStarted { turn: Turn(3), user: "hi".into() },
        Notice::Text("some words 世界\nand more".into()),
        Notice::Reasoning("hm".into()),
        Notice::CallFinished(call()),
        Notice::Changed(change(3, "login-bug")),
        Notice::Retrying { wait: Duration::from_secs(2), attempt: 2, reason: "busy".into() },
        Notice::TurnEnded(Box::new(report(3, "hi", "some words"))),
        Notice::TurnStopped(Stopped {
            user: "hi".into(),
            partial: "some".into(),
            error: None,
            advice: String::new(),
            message: Unanswered::Kept,
        }),
        Notice::CommandDone { ok: false, text: "no".into() },
        Notice::Memory(Arc::new(MemoryView::default())),
        Notice::Memory(Arc::new(memory())),
        inspection(&Window::default(), None),
    ];
    let mut steps = Steps(7);
    let mut desk = Desk::new(80, 24);
    for step in 0..3_000 {
        if step == 40 {
            desk.notice(opened(Vec::new(), false));
        }
        match steps.below(8) {
            0 => {
                let (width, height) = (1 + steps.below(150) as u16, 1 + steps.below(50) as u16);
                desk.resize(width, height);
            }
            1 => drop(desk.notice(notices[steps.below(notices.len())].clone())),
            2 => drop(desk.mouse(MouseEventKind::ScrollUp, 10, 5)),
            3 if step % 7 == 0 => {
                let text = "pasted 世界\n".repeat(1 + steps.below(20));
                desk.app.update(Msg::Terminal(Event::Paste(text)));
            }
            _ => {
                let (modifiers, code) = keys[steps.below(keys.len())];
                desk.app.update(Msg::Terminal(Event::Key(KeyEvent::new(code, modifiers))));
            }
        }
        if step % 3 == 0 {
            desk.screen();
        }
    }
}

#[test]
fn hostile_text_never_reaches_the_terminal() {
    let hostile = "\u{1b}[2J\u{1b}]0;gotcha\u{7}\u{9b}31mred\u{90}q\u{9c}\u{202e}evil\u{2066}x\u{0}\u{8}\
                   \u{200b}e\u{301}世👩‍👩‍👧";
    let mut desk = Desk::new(80, 50);
    let entry = |kind| TranscriptEntry {
        at: hostile.into(),
        model: Some(hostile.into()),
        ..entry(kind, 1, None, hostile)
    };
    let kinds = [
        TranscriptKind::User,
        TranscriptKind::Assistant,
        TranscriptKind::Banner,
        TranscriptKind::Cause,
    ];
    desk.notice(opened(kinds.map(entry).to_vec(), false));
    desk.notice(Notice::TurnStarted { turn: Turn(2), user: hostile.into() });
    desk.notice(Notice::Reasoning(hostile.into()));
    desk.notice(Notice::Changed(change(2, hostile)));
    let arguments = serde_json::json!({ "name": hostile });
    let result = serde_json::json!({ "error": hostile });
    desk.notice(Notice::CallFinished(CallReport {
        name: hostile.into(),
        arguments,
        result,
        ok: false,
    }));
    for letter in hostile.chars() {
        desk.notice(Notice::Text(letter.into()));
    }
    desk.notice(Notice::CallStarted { name: hostile.into() });
    desk.app.update(Msg::Terminal(Event::Paste(hostile.into())));
    desk.screen();
    let buffer = desk.terminal.backend().buffer();
    for cell in buffer.content() {
        let harmful = |c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!cell.symbol().chars().any(harmful), "{:?}", cell.symbol());
        assert!(!cell.symbol().contains(['\u{2066}', '\u{200b}']), "{:?}", cell.symbol());
    }
    desk.assert_shows("世");
}
