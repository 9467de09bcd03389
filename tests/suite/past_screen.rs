//! The time machine, the journal and the inspector as a person sees them, on a drawn screen and in the
//! built program on a pseudo-terminal.

use std::path::Path;
use std::sync::Arc;

use crossterm::event::{KeyCode, KeyModifiers};
use ebbtide::llm::Usage;
use ebbtide::memory::{
    ChangeKind, ItemView, Layer, Layers, MemoryView, Role, Source, Tier, Tokens, Turn, Verbatim,
    Window, WindowItem,
};
use ebbtide::orchestrator::{
    Inspection, JournalEntry, Measured, Notice, Op, PastTurn, Standing, TranscriptEntry,
    TranscriptKind,
};
use ebbtide::tui::app::Action;
use insta::assert_snapshot;

use super::support::pty::{Start, Terminal};
use super::support::screen::{Desk, entry, item};
use super::tui::{memory, opened};

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 36), (200, 60)];

/// What was asked for.
fn asked(actions: Vec<Action>) -> Vec<Op> {
    let op = |action| match action {
        Action::Send(op) => Some(op),
        _ => None,
    };
    actions.into_iter().filter_map(op).collect()
}

pub(crate) fn past(turn: u64) -> Notice {
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(220));
    layers.add(Layer::Tools, Tokens(1_140));
    layers.add(Layer::Summaries, Tokens(120));
    layers.add(Layer::Open, Tokens(120));
    let memory = MemoryView {
        turn: Turn(turn),
        layers,
        expanded: Vec::new(),
        open: vec![item("sailing-trip", Tier::Active, None)],
        warm: vec![item("データベース移行", Tier::Warm, Some((4, 20)))],
        ambient_tokens: Tokens(0),
        ..memory()
    };
    let content = format!("- データベース移行: as it was told in turn {turn} 👩‍👩‍👧\n");
    let window =
        window(&[(Source::SystemPrompt, "You are Ebbtide."), (Source::Manifest, &content)]);
    let before = self::window(&[(Source::SystemPrompt, "You are Ebbtide.")]);
    let tools =
        Arc::new(serde_json::json!([{"type": "function", "function": {"name": "open_effort"}}]));
    let named = Some((&before, format!("turn {}", turn.saturating_sub(1))));
    let inspection = Inspection::of(Turn(turn), &window, tools, named);
    let inspection = Inspection { is_past: true, ..inspection };
    let usage = Some(Usage { prompt: 1_500, completion: 20, cached: None, written: 0, hour: None });
    Notice::Past(Arc::new(PastTurn {
        turn: Turn(turn),
        span: (Turn(1), Turn(40)),
        memory: Arc::new(memory),
        window: Arc::new(window),
        inspection: Arc::new(inspection),
        request: Some(Measured { layers, usage, ..Measured::default() }),
        model: None,
    }))
}

fn window(items: &[(Source, &str)]) -> Window {
    let items = items.iter().map(|(source, content)| WindowItem {
        layer: if *source == Source::SystemPrompt { Layer::System } else { Layer::Summaries },
        role: Role::System,
        source: source.clone(),
        content: (*content).into(),
        tokens: Tokens(12),
    });
    Window { items: items.collect(), ..Window::default() }
}

fn journal() -> Notice {
    use ChangeKind as Kind;
    let entry = |turn, kind, id: &str, cause: &str, before, after, standing| JournalEntry {
        turn: Turn(turn),
        at: "2026-01-01T10:00:00".into(),
        kind,
        id: id.into(),
        cause: cause.into(),
        before: Tokens(before),
        after: Tokens(after),
        standing,
    };
    Notice::Journal(Arc::new(vec![
        entry(2, Kind::EffortOpened, "auth-bug", "opened", 1_360, 1_372, Standing::Stands),
        entry(9, Kind::EffortConcluded, "auth-bug", "concluded", 9_204, 1_431, Standing::Stands),
        entry(
            14,
            Kind::EffortExpanded,
            "データベース移行",
            "expanded",
            1_431,
            6_020,
            Standing::Stands,
        ),
        entry(
            17,
            Kind::EffortAutoCollapsed,
            "データベース移行",
            "inactive for 3 turns",
            6_020,
            1_490,
            Standing::Undone,
        ),
        entry(17, Kind::EffortExpanded, "データベース移行", "undone", 1_490, 6_020, Standing::Undo),
        entry(
            29,
            Kind::SummaryEvicted,
            "auth-bug",
            "not mentioned for 20 turns\u{1b}[31m",
            6_020,
            5_961,
            Standing::Stands,
        ),
    ]))
}

/// In the past, at a turn.
pub(crate) fn in_the_past(width: u16, height: u16, turn: u64) -> Desk {
    let mut desk = Desk::opened(width, height);
    desk.turn(7, "What is wrong?", "The clock.");
    assert_eq!(asked(desk.press(KeyCode::F(5))), [Op::LookBack(None)]);
    desk.notice(past(turn));
    desk
}

#[test]
fn a_turn_of_the_past_is_marked_as_such_at_every_size() {
    for (width, height) in SIZES {
        let mut desk = in_the_past(width, height, 12);
        assert_snapshot!(format!("past_{width}x{height}"), desk.screen());
    }
}

#[test]
fn the_journal_at_every_size() {
    for (width, height) in SIZES {
        let mut desk = Desk::opened(width, height);
        assert_eq!(asked(desk.press(KeyCode::F(4))), [Op::Journal]);
        desk.assert_shows("reading");
        desk.notice(journal());
        desk.press(KeyCode::Up);
        assert_snapshot!(format!("journal_{width}x{height}"), desk.screen());
    }
}

#[test]
fn the_inspector_at_every_size() {
    for (width, height) in SIZES {
        let mut desk = in_the_past(width, height, 12);
        desk.press(KeyCode::Enter);
        assert_snapshot!(format!("inspector_{width}x{height}"), desk.screen());
    }
}

#[test]
fn keys_walk_through_the_turns_and_stop_at_both_ends() {
    let mut desk = in_the_past(100, 30, 12);
    desk.assert_shows("Turn 12 of 40, as it was");
    for (key, turn) in [
        (KeyCode::Left, 11),
        (KeyCode::Right, 12),
        (KeyCode::PageUp, 2),
        (KeyCode::PageUp, 1),
        (KeyCode::End, 40),
        (KeyCode::PageUp, 30),
        (KeyCode::PageDown, 40),
        (KeyCode::Home, 1),
    ] {
        assert_eq!(asked(desk.press(key)), [Op::LookBack(Some(Turn(turn)))], "{key:?}");
        desk.notice(past(turn));
        desk.assert_shows(&format!("Turn {turn} of 40, as it was"));
        desk.assert_shows("=1,500");
    }
    assert_eq!(asked(desk.press(KeyCode::Left)), [], "there is nothing before the first");
    desk.press(KeyCode::Esc);
    desk.assert_hides("as it was");
    desk.assert_shows("login-bug");
}

#[test]
fn keys_that_are_quicker_than_the_disk_ask_for_the_last_turn_they_named() {
    let mut desk = in_the_past(100, 30, 20);
    assert_eq!(asked(desk.press(KeyCode::Left)), [Op::LookBack(Some(Turn(19)))]);
    for _ in 0..5 {
        assert_eq!(asked(desk.press(KeyCode::Left)), []);
    }
    assert_eq!(asked(desk.notice(past(19))), [Op::LookBack(Some(Turn(14)))]);
    assert_eq!(asked(desk.notice(past(14))), []);
    desk.assert_shows("Turn 14 of 40");
    desk.press(KeyCode::Left);
    desk.press(KeyCode::Esc);
    assert_eq!(asked(desk.notice(past(13))), [], "what comes too late changes nothing");
    desk.assert_hides("as it was");
}

#[test]
fn nothing_can_be_sent_from_the_past() {
    let mut desk = in_the_past(100, 30, 12);
    desk.write("hello");
    let mut sent = asked(desk.press(KeyCode::Enter));
    desk.press(KeyCode::Esc);
    sent.extend(asked(desk.control('x')));
    assert_eq!(sent, []);
    desk.press(KeyCode::Esc);
    desk.assert_shows("Write a message");
}

#[test]
fn the_inspector_walks_with_the_turns() {
    let mut desk = in_the_past(100, 30, 12);
    desk.press(KeyCode::Enter);
    desk.assert_shows("told in turn 12");
    assert_eq!(asked(desk.press(KeyCode::Left)), [Op::LookBack(Some(Turn(11)))]);
    desk.notice(past(11));
    desk.assert_shows("told in turn 11");
    desk.assert_shows("Against turn 10: 1 added");
    desk.press(KeyCode::Esc);
    desk.assert_shows("Turn 11 of 40, as it was");
}

#[test]
fn the_journal_filters_and_leads_to_a_turn() {
    let mut desk = Desk::opened(100, 30);
    desk.press(KeyCode::F(4));
    desk.notice(journal());
    desk.write("/");
    desk.write("collapsed");
    desk.assert_shows("1 of 6 changes");
    desk.press(KeyCode::Enter);
    desk.assert_hides("effort opened");
    assert_eq!(asked(desk.press(KeyCode::Enter)), [Op::LookBack(Some(Turn(17)))]);
    desk.notice(past(17));
    desk.assert_shows("Turn 17 of 40, as it was");
    desk.press(KeyCode::F(4));
    desk.notice(journal());
    assert_eq!(asked(desk.press(KeyCode::Char('u'))), [Op::Undo, Op::Journal]);
    desk.assert_hides("waiting for the turn to end");
    assert_eq!(asked(desk.press(KeyCode::Char('u'))), [Op::Journal]);
    desk.assert_shows("1 waiting for the turn to end");
    desk.notice(Notice::CommandDone { ok: true, text: "Undone: that.".into() });
    desk.press(KeyCode::Esc);
    desk.assert_shows("as it was");
}

#[test]
fn what_is_opened_is_what_has_the_keys() {
    let mut desk = in_the_past(100, 30, 12);
    desk.control('f');
    desk.assert_shows("first back to the conversation");
    desk.assert_hides("Find:");
    desk.press(KeyCode::F(4));
    desk.notice(journal());
    // The chat below the journal is neither searched nor chosen from.
    desk.control('f');
    desk.chord(KeyModifiers::SHIFT, KeyCode::BackTab);
    desk.assert_shows("Journal: 6 changes");
    assert_eq!(asked(desk.press(KeyCode::F(5))), [Op::LookBack(None)]);
    desk.notice(past(40));
    desk.assert_hides("Journal:");
    desk.assert_shows("Turn 40 of 40, as it was");
    desk.press(KeyCode::Esc);
    desk.write("hello");
    desk.assert_shows("│ hello");
}

#[test]
fn only_what_lies_on_top_names_its_keys() {
    let mut desk = in_the_past(100, 40, 12);
    desk.assert_shows("Esc now");
    desk.control('p');
    desk.assert_hides("Esc now");
    desk.press(KeyCode::Esc);
    desk.press(KeyCode::F(4));
    desk.notice(journal());
    desk.click("effort opened");
    desk.assert_shows(">     2 effort opened");
    desk.control('p');
    desk.assert_shows("Esc closes");
    desk.assert_hides("that turn as it was");
}

#[test]
fn a_command_of_the_palette_answers_in_the_present() {
    let mut desk = in_the_past(100, 30, 12);
    desk.control('p');
    desk.write("stats");
    desk.press(KeyCode::Enter);
    desk.assert_hides("as it was");
    desk.assert_shows("Write a message");
}

#[test]
fn a_turn_that_cannot_be_told_is_said_so() {
    let mut desk = Desk::opened(100, 30);
    desk.write("/past 3");
    assert_eq!(asked(desk.press(KeyCode::Enter)), [Op::LookBack(Some(Turn(3)))]);
    desk.notice(Notice::NoPast("The journal does not tell how turn 3 was.".into()));
    desk.assert_shows("does not tell how turn 3 was");
    desk.assert_shows("│ /past 3 ");
    desk.write("/past soon");
    desk.press(KeyCode::Enter);
    desk.assert_shows("needs the number of a turn");
}

fn said(turn: u64, log: Option<&str>, user: &str, reply: &str) -> [TranscriptEntry; 2] {
    [
        entry(TranscriptKind::User, turn, log, user),
        entry(TranscriptKind::Assistant, turn, log, reply),
    ]
}

fn divider(turn: Option<u64>, id: &str, text: &str) -> TranscriptEntry {
    let divider = entry(TranscriptKind::Divider, 0, Some(id), text);
    TranscriptEntry { turn: turn.map(Turn), ..divider }
}

/// The past of a turn in which of some logs so many of the newest messages were held.
fn held_then(turn: u64, open: &[(&str, usize)], ambient: usize) -> Notice {
    let Notice::Past(past) = past(turn) else { unreachable!("a past was made") };
    let item = |(id, count): &(&str, usize)| ItemView {
        verbatim: Verbatim::newest(*count),
        ..item(id, Tier::Open, None)
    };
    let memory = MemoryView {
        open: open.iter().map(item).collect(),
        ambient_verbatim: Verbatim::newest(ambient),
        ..MemoryView::clone(&past.memory)
    };
    Notice::Past(Arc::new(PastTurn { memory: Arc::new(memory), ..PastTurn::clone(&past) }))
}

#[test]
fn the_chat_is_as_it_was_when_the_turn_had_ended() {
    let mut entries = Vec::new();
    entries.extend(said(1, None, "first small talk", "first chatter"));
    entries.extend(said(2, None, "second small talk", "second chatter"));
    entries.push(divider(Some(3), "tea", "--- Started effort: tea ---"));
    entries.extend(said(3, Some("tea"), "green or black", "green leaves"));
    entries.extend(said(4, Some("tea"), "how hot", "seventy degrees"));
    entries.push(divider(None, "tea", "--- Concluded effort: tea ---"));
    entries.extend(said(5, None, "third small talk", "third chatter"));
    let mut desk = Desk::new(120, 50);
    desk.notice(opened(entries, false));
    let now = MemoryView {
        open: Vec::new(),
        expanded: Vec::new(),
        ambient_verbatim: Verbatim::newest(2),
        ..memory()
    };
    desk.notice(Notice::Memory(Arc::new(now)));
    let all = [
        "first small talk",
        "first chatter",
        "second small talk",
        "second chatter",
        "green or black",
        "green leaves",
        "how hot",
        "seventy degrees",
        "third small talk",
        "third chatter",
    ];
    let shows = |desk: &mut Desk, dimmed: &[&str], held: &[&str], divided: bool| {
        for words in all {
            match (dimmed.contains(&words), held.contains(&words)) {
                (true, _) => desk.assert_shows(&format!("┊ {words}")),
                (_, true) => desk.assert_shows(&format!("  {words}")),
                _ => desk.assert_hides(words),
            }
        }
        let screen = desk.screen();
        assert_eq!(screen.contains("Concluded effort: tea"), divided, "{screen}");
    };
    shows(&mut desk, &all[..8], &all[8..], true);
    desk.press(KeyCode::F(5));
    // Two of the ambient messages, and of the tea only the newest three: the first had been left out.
    desk.notice(held_then(4, &[("tea", 3)], 2));
    shows(&mut desk, &[all[0], all[1], all[4]], &[all[2], all[3], all[5], all[6], all[7]], false);
    desk.press(KeyCode::Left);
    desk.notice(held_then(3, &[("tea", 2)], 1));
    shows(&mut desk, &all[..3], &all[3..6], false);
    desk.assert_shows("Started effort: tea");
    // What is said meanwhile, and what is read of earlier times, changes nothing of it.
    desk.turn(6, "a new message", "a new reply");
    shows(&mut desk, &all[..3], &all[3..6], false);
    desk.assert_hides("a new message");
    desk.press(KeyCode::Left);
    desk.notice(held_then(2, &[], 4));
    shows(&mut desk, &[], &all[..4], false);
    desk.assert_hides("Started effort: tea");
    desk.press(KeyCode::Esc);
    desk.assert_shows("a new reply");
    desk.assert_shows("Concluded effort: tea");
    desk.assert_shows("┊ green leaves");
}

#[test]
fn a_past_that_is_not_read_yet_is_read_and_then_shown() {
    let mut desk = Desk::opened(120, 40);
    let late = said(40, None, "late words", "late reply");
    desk.notice(opened(late.to_vec(), false));
    desk.press(KeyCode::F(5));
    let wanted = asked(desk.notice(held_then(3, &[], 2)));
    assert_eq!(wanted, [Op::ReadEarlier]);
    desk.assert_hides("late words");
    let mut entries = said(3, None, "early words", "early reply").to_vec();
    entries.extend(said(4, None, "middle words", "middle reply"));
    desk.notice(Notice::Earlier { entries, more: false });
    desk.assert_shows("  early words");
    desk.assert_hides("middle words");
    desk.assert_hides("late words");
}

fn start(home: &Path) -> Terminal {
    let args = ["--offline", "--set", "summary_eviction_threshold=3"];
    let terminal = Terminal::start(&Start { args: &args, home, size: (120, 36), env: &[] });
    terminal.wait_for("· ready");
    terminal
}

fn say(terminal: &mut Terminal, turn: u64, text: &str) {
    terminal.send_line(text);
    terminal.wait_for(&format!("turn {turn} · ready"));
}

#[test]
fn a_whole_session_is_walked_through_undone_and_redone_on_a_real_terminal() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path());
    say(&mut terminal, 1, "Let's debug the auth bug");
    say(
        &mut terminal,
        2,
        "Users get a 401 after 15 minutes, the token in src/auth.rs is never used",
    );
    say(&mut terminal, 3, "we're done with the auth bug");
    terminal.wait_for("1 concluded, 0 evicted");
    for (turn, words) in [(4, "nice weather today"), (5, "i had pasta"), (6, "the train was late")]
    {
        say(&mut terminal, turn, words);
    }
    terminal.wait_for("1 concluded, 1 evicted");
    terminal.send("\x1b[15~");
    terminal.wait_for("Turn 6 of 6, as it was");
    terminal.send("\x1b[D\x1b[D");
    terminal.wait_for("Turn 4 of 6, as it was");
    terminal.wait_for("1 concluded, 0 evicted");
    let screen = terminal.wait_gone("the train was late");
    assert!(!screen.contains("i had pasta") && screen.contains("  nice weather today"), "{screen}");
    assert!(screen.contains("┊ we're done with the auth bug"), "{screen}");
    terminal.send("\x1b[D\x1b[D");
    terminal.wait_for("Turn 2 of 6, as it was");
    terminal.wait_for("● auth-bug");
    terminal.wait_for("0 concluded");
    let screen = terminal.wait_gone("we're done");
    assert!(!screen.contains("Concluded effort") && !screen.contains("outside"), "{screen}");
    assert!(screen.contains("  Users get a 401"), "{screen}");
    terminal.send("\r");
    terminal.wait_for("What the model would have got after turn 2");
    terminal.send("\x1b[F");
    terminal.wait_for("log of auth-bug, open");
    terminal.send("q");
    terminal.send("\x1b");
    terminal.wait_gone("as it was");
    terminal.wait_for("1 concluded, 1 evicted");
    terminal.send_line("/undo");
    terminal.wait_for("Undone: Evicted summary: auth-bug");
    terminal.wait_for("1 concluded, 0 evicted");
    terminal.send_line("/undo");
    terminal.wait_for("Undone: Concluded effort: auth-bug");
    terminal.send_line("/redo");
    terminal.wait_for("Redone: Concluded effort: auth-bug");
    terminal.send("\x1bOS");
    terminal.wait_for("changes of memory");
    terminal.wait_for("effort reopened");
    terminal.wait_for("undone");
    terminal.send("r");
    terminal.wait_for("redone");
    terminal.send("q");
    terminal.wait_for("1 concluded, 1 evicted");
    terminal.send("\x04");
    assert_eq!(terminal.wait_exit(), 0);
}
