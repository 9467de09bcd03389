//! The chat pane as a person sees it: Markdown, what left the window, finding and copying.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ebbtide::memory::{ItemView, MemoryView, Tier, Tokens, Turn, Verbatim};
use ebbtide::orchestrator::{ItemRef, Notice, Op, TranscriptEntry, TranscriptKind};
use ebbtide::tui::app::{Action, Msg};
use ebbtide::tui::clipboard::{Clip, Outcome};
use insta::assert_snapshot;
use ratatui::style::Modifier;

use super::support::driver::Bench;
use super::support::screen::{self, Desk, model, opened};

fn chat(width: u16, height: u16, transcript: impl Into<Vec<TranscriptEntry>>) -> Desk {
    let mut chat = Desk::new(width, height);
    chat.notice(opened("work", model("deepseek-chat"), transcript));
    chat
}

impl Desk {
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

fn entry(kind: TranscriptKind, turn: u64, log: Option<&str>, text: &str) -> TranscriptEntry {
    let model = (kind == TranscriptKind::Assistant).then(|| "deepseek-chat".into());
    TranscriptEntry { model, ..screen::entry(kind, turn, log, text) }
}

fn exchange(turn: u64, log: Option<&str>, user: &str, reply: &str) -> [TranscriptEntry; 2] {
    [
        entry(TranscriptKind::User, turn, log, user),
        entry(TranscriptKind::Assistant, turn, log, reply),
    ]
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
    let mut chat = chat(80, 24, exchange(1, None, "Why *twice*?", REPLY));
    assert_snapshot!(chat.screen());
}

#[test]
fn markdown_120x36() {
    let mut chat = chat(120, 36, exchange(1, None, "Why *twice*?", REPLY));
    assert_snapshot!(chat.screen());
}

#[test]
fn markdown_200x60() {
    let mut chat = chat(200, 60, exchange(1, None, "Why *twice*?", REPLY));
    assert_snapshot!(chat.screen());
}

#[test]
fn a_reply_that_streams_looks_like_one_that_is_read_later() {
    let mut later = chat(80, 60, vec![entry(TranscriptKind::Assistant, 1, None, REPLY)]);
    let mut live = chat(80, 60, Vec::new());
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
fn what_steers_a_terminal_is_not_taken_for_markdown() {
    let reply = "Plain \u{1b}[31mRED\u{1b}[0m \u{1b}]8;;http://evil\u{1b}\\*a link*\u{1b}]8;;\u{1b}\\ \u{9b}31mc1\n\n\
                 ```\n\u{1b}[32mcode\n```\n";
    let mut chat = chat(80, 30, exchange(1, None, "\u{1b}[1mWhy?", reply));
    for raw in [false, true] {
        chat.app.show_raw(raw);
        for shown in ["Plain RED ", "a link", " c1", "code"] {
            chat.assert_shows(shown);
        }
        for hidden in ["31m", "[0m", "evil", "[1m", "[32m"] {
            chat.assert_hides(hidden);
        }
    }
}

#[test]
fn markdown_can_be_shown_as_it_came() {
    let mut chat = chat(80, 50, exchange(1, None, "Why?", REPLY));
    chat.assert_hides("**twice**");
    chat.app.show_raw(true);
    chat.assert_shows("**twice**");
    chat.assert_shows("```rust");
    chat.app.show_raw(false);
    chat.assert_hides("**twice**");
}

#[test]
fn what_a_person_writes_stays_as_written() {
    let mut chat = chat(80, 24, exchange(1, None, "a **b** `c`\n- d", "ok"));
    chat.assert_shows("a **b** `c`");
    chat.assert_shows("- d");
}

#[test]
fn no_colour_still_tells_emphasis_headings_and_code() {
    let mut chat = chat(80, 60, exchange(1, None, "Why?", REPLY));
    assert!(chat.has("twice", Modifier::BOLD));
    assert!(chat.has("maybe", Modifier::ITALIC));
    assert!(chat.has("not", Modifier::CROSSED_OUT));
    assert!(chat.has("Tokens", Modifier::BOLD | Modifier::UNDERLINED));
    assert!(chat.has("skew", Modifier::BOLD));
    let buffer = chat.terminal.backend().buffer();
    let plain = ratatui::style::Color::Reset;
    assert!(buffer.content().iter().all(|cell| cell.fg == plain && cell.bg == plain));
}

fn item(id: &str, state: Tier) -> ItemView {
    ItemView { cause: "".into(), summary: None, ..screen::item(id, state, None) }
}

fn memory() -> MemoryView {
    MemoryView {
        budget: Tokens(16_000),
        open: vec![item("cache-size", Tier::Active)],
        ambient_messages: 2,
        ambient_verbatim: Verbatim::newest(2),
        ..MemoryView::default()
    }
}

/// A conversation of which the model still gets a part.
fn mixed() -> Vec<TranscriptEntry> {
    let mut entries = Vec::new();
    entries.extend(exchange(1, None, "early small talk", "long ago"));
    entries.push(entry(
        TranscriptKind::Divider,
        2,
        Some("auth-bug"),
        "--- Started effort: auth-bug ---",
    ));
    entries.extend(exchange(2, Some("auth-bug"), "the auth bug", "found it"));
    entries.push(entry(
        TranscriptKind::Divider,
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
    let mut chat = chat(80, 40, mixed());
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
    let open = vec![item("auth-bug", Tier::Active)];
    chat.notice(Notice::Memory(Arc::new(MemoryView { open, ..memory() })));
    chat.assert_shows("  the auth bug");
    chat.assert_shows("┊ the cache");
}

/// What was asked to be copied, and what it is called.
fn copied(actions: &[Action]) -> Vec<(String, String)> {
    let clip = |action: &Action| match action {
        Action::Copy(clip) => Some((clip.what.clone(), clip.text.clone())),
        _ => None,
    };
    actions.iter().filter_map(clip).collect()
}

fn one(what: &str, text: &str) -> Vec<(String, String)> {
    vec![(what.to_owned(), text.to_owned())]
}

#[test]
fn keys_copy_messages_and_code_as_they_were_written() {
    let mut chat = chat(80, 24, exchange(1, None, "Why *twice*?", REPLY));
    chat.chord(KeyModifiers::SHIFT, KeyCode::BackTab);
    chat.assert_shows("┃");
    assert_eq!(copied(&chat.press(KeyCode::Char('y'))), one("the reply", REPLY));
    let code = copied(&chat.press(KeyCode::Char('c')));
    assert_eq!(code[0].0, "the code block");
    assert!(code[0].1.starts_with("// Seconds") && code[0].1.ends_with("}\n"), "{code:?}");
    chat.press(KeyCode::Char('k'));
    assert_eq!(copied(&chat.press(KeyCode::Char('y'))), one("your message", "Why *twice*?"));
    assert!(chat.press(KeyCode::Char('c')).is_empty());
    chat.assert_shows("no code block");
    chat.press(KeyCode::Esc);
    chat.assert_hides("┃");
    chat.write("/copy");
    assert_eq!(copied(&chat.press(KeyCode::Enter)), one("the reply", REPLY));
}

#[test]
fn several_code_blocks_are_copied_in_turn() {
    let reply = "```\none\n```\ntext\n\n- a\n\n  ```sh\n  two\n  ```";
    let mut chat = chat(80, 24, exchange(1, None, "both", reply));
    chat.chord(KeyModifiers::SHIFT, KeyCode::BackTab);
    let mut next = || copied(&chat.press(KeyCode::Char('c')));
    assert_eq!(next(), one("code block 1 of 2", "one\n"));
    assert_eq!(next(), one("code block 2 of 2", "two\n"));
    assert_eq!(next(), one("code block 1 of 2", "one\n"));
}

#[test]
fn a_toast_tells_what_is_known_and_goes() {
    let mut chat = chat(80, 24, Vec::new());
    let clip = Clip { text: "one\ntwo".into(), what: "the reply".into(), programs: Vec::new() };
    chat.app.update(Msg::Copied(clip.clone(), Outcome::Terminal));
    chat.assert_shows("sent the reply (2 lines) to the terminal's clipboard");
    chat.app.update(Msg::Copied(clip.clone(), Outcome::Taken("wl-copy")));
    chat.assert_shows("copied the reply (2 lines) with wl-copy");
    chat.app.update(Msg::Copied(clip, Outcome::Refused("xclip", "exit status: 1".into())));
    chat.assert_shows("xclip refused the reply (exit status: 1)");
    chat.app.update(Msg::Tick(Duration::from_secs(6)));
    chat.assert_hides("xclip");
}

#[test]
fn a_drag_copies_what_it_covers_within_the_pane() {
    let reply = "One two three\n\n> four **five**\n\n- six";
    let mut chat = chat(120, 24, exchange(1, None, "say", reply));
    let screen = chat.screen();
    let row = |text: &str| screen.lines().position(|line| line.contains(text)).unwrap() as u16;
    chat.mouse(MouseEventKind::Down(MouseButton::Left), 7, row("One"));
    chat.mouse(MouseEventKind::Drag(MouseButton::Left), 110, row("six"));
    assert!(chat.has("One two", Modifier::REVERSED) || chat.has("two three", Modifier::REVERSED));
    assert!(!chat.has("WORKING", Modifier::REVERSED), "the panel is not part of it");
    let actions = chat.mouse(MouseEventKind::Up(MouseButton::Left), 110, row("six"));
    assert_eq!(copied(&actions), one("the selection", "two three\n\nfour five\n\n• six"));
    assert!(chat.has("two three", Modifier::REVERSED), "it stays marked");
    chat.press(KeyCode::Left);
    assert!(!chat.has("two three", Modifier::REVERSED));
    chat.write("x");
    chat.assert_shows("│ x ");
}

#[test]
fn a_click_chooses_a_message() {
    let mut chat = chat(80, 24, exchange(1, None, "say", "this"));
    chat.screen();
    chat.mouse(MouseEventKind::Down(MouseButton::Left), 5, 2);
    let actions = chat.mouse(MouseEventKind::Up(MouseButton::Left), 5, 2);
    assert!(actions.is_empty());
    assert_eq!(copied(&chat.press(KeyCode::Char('y'))), one("your message", "say"));
}

#[test]
fn a_drag_over_the_edge_scrolls() {
    let long: Vec<String> = (0..60).map(|n| format!("line {n}")).collect();
    let mut chat = chat(80, 24, vec![entry(TranscriptKind::Assistant, 1, None, &long.join("\n"))]);
    chat.assert_shows("line 59");
    chat.mouse(MouseEventKind::Down(MouseButton::Left), 3, 12);
    for _ in 0..30 {
        chat.mouse(MouseEventKind::Drag(MouseButton::Left), 3, 0);
        chat.screen();
    }
    let actions = chat.mouse(MouseEventKind::Up(MouseButton::Left), 3, 0);
    let text = copied(&actions)[0].1.clone();
    assert!(text.lines().count() > 40 && text.starts_with("line 1"), "{text}");
}

#[test]
fn the_mouse_goes_to_the_terminal_and_back() {
    let mut chat = chat(80, 24, Vec::new());
    assert!(matches!(chat.press(KeyCode::F(9))[..], [Action::Mouse(false)]));
    chat.assert_shows("F9 takes it back");
    chat.app.update(Msg::Tick(Duration::from_secs(60)));
    chat.assert_shows("F9 takes it back");
    assert!(matches!(chat.press(KeyCode::F(9))[..], [Action::Mouse(true)]));
    chat.app.update(Msg::Tick(Duration::from_secs(120)));
    chat.assert_hides("F9");
}

fn talk(turns: u64) -> Vec<TranscriptEntry> {
    let exchanges = (1..=turns).flat_map(|turn| {
        let reply = if turn % 10 == 3 { "The **needle**, 世界." } else { "Only hay." };
        exchange(turn, None, &format!("question {turn}"), reply)
    });
    exchanges.collect()
}

#[test]
fn finding_counts_steps_and_shows() {
    let mut chat = chat(80, 24, talk(40));
    chat.write("my draft");
    chat.control('f');
    chat.write("Needle");
    chat.assert_shows("Find: Needle");
    chat.assert_shows(" 1/4 ");
    chat.assert_shows("question 33");
    assert!(chat.has("needle", Modifier::REVERSED));
    assert_snapshot!(chat.screen());
    chat.press(KeyCode::Enter);
    chat.assert_shows(" 2/4 ");
    chat.assert_shows("question 23");
    chat.write("nn");
    chat.assert_shows(" 4/4 ");
    chat.assert_shows("question 3 ");
    chat.chord(KeyModifiers::SHIFT, KeyCode::Char('N'));
    chat.assert_shows(" 3/4 ");
    chat.chord(KeyModifiers::SHIFT, KeyCode::Enter);
    chat.assert_shows(" 2/4 ");
    chat.press(KeyCode::Backspace);
    chat.press(KeyCode::Backspace);
    chat.write("x");
    chat.assert_shows("nothing found");
    chat.press(KeyCode::Esc);
    chat.assert_hides("Find:");
    chat.assert_shows("my draft");
    chat.write("!");
    chat.assert_shows("my draft!");
}

#[test]
fn what_was_found_can_be_copied() {
    let mut chat = chat(80, 24, talk(40));
    chat.control('f');
    chat.app.update(Msg::Terminal(Event::Paste("needle, \n世".into())));
    chat.assert_shows(" 1/4 ");
    chat.press(KeyCode::Tab);
    assert_eq!(copied(&chat.press(KeyCode::Char('y'))), one("the reply", "The **needle**, 世界."));
}

#[test]
fn enter_on_a_divider_shows_its_effort() {
    let mut chat = chat(120, 40, mixed());
    chat.chord(KeyModifiers::SHIFT, KeyCode::BackTab);
    for _ in 0..4 {
        chat.press(KeyCode::Char('k'));
    }
    let actions = chat.press(KeyCode::Enter);
    let wanted = ItemRef::Effort("auth-bug".into());
    let shown = matches!(&actions[..], [Action::Send(Op::Show(subject))] if *subject == wanted);
    assert!(shown, "{actions:?}");
    chat.press(KeyCode::Char('j'));
    assert!(chat.press(KeyCode::Enter).is_empty());
    chat.assert_shows("in no effort");
}

fn asks_for_earlier(actions: &[Action]) -> bool {
    actions.iter().any(|action| matches!(action, Action::Send(Op::ReadEarlier)))
}

#[test]
fn old_messages_are_read_when_the_reader_comes_near_and_nothing_jumps() {
    let mut chat = chat(80, 24, talk(60).split_off(60));
    chat.screen();
    chat.press(KeyCode::PageUp);
    let mut asked = false;
    for _ in 0..24 {
        asked |= asks_for_earlier(&chat.press(KeyCode::PageUp));
    }
    assert!(asked);
    let before = chat.screen();
    assert!(before.contains("question 31"), "{before}");
    assert!(!asks_for_earlier(&chat.press(KeyCode::Left)), "once is enough");
    let mut earlier = talk(60);
    earlier.truncate(60);
    chat.notice(Notice::Earlier { entries: earlier, more: false });
    let rows =
        |screen: &str| screen.lines().skip(2).take(16).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&chat.screen()), rows(&before)[..].to_vec());
    chat.press(KeyCode::Home);
    chat.assert_shows("question 1 ");
    assert!(!asks_for_earlier(&chat.press(KeyCode::PageUp)), "nothing comes before");
}

#[test]
fn a_search_goes_on_into_what_was_not_read_yet() {
    let mut chat = chat(80, 24, talk(60).split_off(100));
    chat.control('f');
    assert!(asks_for_earlier(&chat.press(KeyCode::Char('n'))));
    chat.write("eedle");
    chat.assert_shows(" 1/1 ");
    let mut earlier = talk(60);
    earlier.truncate(100);
    chat.notice(Notice::Earlier { entries: earlier, more: false });
    chat.app.update(Msg::Tick(Duration::from_secs(1)));
    chat.assert_shows(" 1/6 ");
}

#[tokio::test]
async fn a_long_session_is_read_back_to_its_first_message() {
    let directory = tempfile::tempdir().unwrap();
    let line = |n: usize| {
        let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
        let ts = format!("2026-01-01T10:{:02}:{:02}", n / 60 % 60, n % 60);
        format!(
            "{}\n",
            serde_json::json!({ "role": role, "content": format!("said {n}"), "ts": ts })
        )
    };
    let log: Vec<String> = (0..1_200).map(line).collect();
    std::fs::write(directory.path().join("raw.jsonl"), log.concat()).unwrap();
    let mut bench = Bench::open(directory.path());
    let mut all: Vec<String> = Vec::new();
    loop {
        match bench.notices.recv().await.unwrap() {
            Notice::Opened { transcript, .. } => {
                all = transcript.iter().map(|entry| entry.text.to_string()).collect();
                assert!(all.len() < 300, "opening reads the end alone");
                bench.handle.send(Op::ReadEarlier);
            }
            Notice::Earlier { entries, more } => {
                let earlier = entries.iter().map(|entry| entry.text.to_string());
                all = earlier.chain(all).collect();
                if !more {
                    break;
                }
                bench.handle.send(Op::ReadEarlier);
            }
            _ => {}
        }
    }
    assert_eq!(all, (0..1_200).map(|n| format!("said {n}")).collect::<Vec<_>>());
}
