//! The tide chart on the screen: what it draws, and the time machine that walks along it.

use std::sync::Arc;

use crossterm::event::{KeyCode, MouseButton, MouseEventKind};
use ebbtide::memory::{ChangeKind, FullHistory, Layer, Layers, MemoryView, Tokens, Turn};
use ebbtide::orchestrator::{CourseTurn, Happening, Notice, Op, PastCourse, PastModel, PastTurn};
use ebbtide::tui::app::{Action, App};
use ebbtide::tui::theme::{Theme, ThemeChoice};

use super::past_screen::{in_the_past, past};
use super::support::screen::{Desk, model, opened};

fn layers(open: u64, summaries: u64) -> Layers {
    let mut layers = Layers::default();
    for (layer, tokens) in [
        (Layer::System, 300),
        (Layer::Tools, 1_000),
        (Layer::Ambient, 200),
        (Layer::Open, open),
        (Layer::Summaries, summaries),
    ] {
        layers.add(layer, Tokens(tokens));
    }
    layers
}

/// Forty turns: every tenth concludes what nine turns have gathered, and one in between brings something back.
fn course(turns: u64) -> PastCourse {
    let happened = |turn: u64| {
        let (kind, id) = match turn % 10 {
            0 => (ChangeKind::EffortConcluded, "roof"),
            5 => (ChangeKind::SummaryReturned, "tea"),
            7 => (ChangeKind::SummaryEvicted, "tea"),
            _ => return None,
        };
        Some(Happening { turn: Turn(turn), kind, id: id.into(), cause: "asked for".into() })
    };
    let turn = |turn: u64| {
        let layers = layers(turn % 10 * 90, 40 + turn / 10 * 30);
        CourseTurn { turn: Turn(turn), layers, full: Tokens(1_500 + turn * 100) }
    };
    PastCourse {
        turns: (1..=turns).map(turn).collect(),
        happened: (1..=turns).filter_map(happened).collect(),
    }
}

fn desk(turns: u64, app: App, (width, height): (u16, u16)) -> Desk {
    let mut desk = Desk::of(app, width, height);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    let memory = MemoryView {
        turn: Turn(turns),
        budget: Tokens(16_000),
        soft_line: Tokens(11_200),
        layers: layers(turns % 10 * 90, 160),
        full_history: FullHistory { tokens: Tokens(1_500 + turns * 100), is_counted: true },
        ..MemoryView::default()
    };
    desk.notice(Notice::Memory(memory.into()));
    desk.notice(Notice::Course(course(turns)));
    desk
}

fn mono() -> App {
    App::new(Theme::detect(true, ThemeChoice::Auto, None)).still()
}

#[test]
fn the_chart_at_every_size() {
    for (width, height) in [(80, 24), (120, 36), (200, 60)] {
        let mut desk = desk(48, mono(), (width, height));
        insta::assert_snapshot!(format!("chart_{width}x{height}"), desk.screen());
    }
}

#[test]
fn full_history_rises_out_of_the_picture_with_its_number_and_each_event_has_a_mark() {
    let mut desk = desk(40, mono(), (120, 36));
    let screen = desk.screen();
    let top =
        screen.lines().position(|line| line.contains("↗ 4.2k full history")).expect("its number");
    let marks = screen.lines().find(|line| line.contains('◆') && line.contains('─')).unwrap();
    let count = |sign| marks.chars().filter(|one| *one == sign).count();
    assert_eq!((count('◆'), count('▲'), count('▼')), (4, 4, 4), "{screen}");
    assert!(
        screen.lines().nth(top - 1).unwrap().contains("window 360 of 4,200 tokens"),
        "{screen}"
    );
}

#[test]
fn a_click_and_a_drag_on_the_chart_walk_through_the_past() {
    let mut desk = desk(40, mono(), (120, 36));
    let screen = desk.screen();
    let row =
        screen.lines().position(|line| line.contains("◆") && line.contains("─")).unwrap() as u16;
    let line: Vec<char> = screen.lines().nth(usize::from(row)).unwrap().chars().collect();
    // One for the quote before each row.
    let column = line.iter().position(|sign| *sign == '◆').unwrap() as u16 - 1;
    let asked = |actions: Vec<Action>| match actions[..] {
        [Action::Send(Op::LookBack(turn))] => turn,
        _ => panic!("{actions:?}"),
    };
    let press = desk.mouse(MouseEventKind::Down(MouseButton::Left), column, row - 1);
    assert_eq!(asked(press), Some(Turn(10)));
    desk.notice(Notice::NoPast("not this one".into()));
    let drag = desk.mouse(MouseEventKind::Drag(MouseButton::Left), 0, row);
    assert_eq!(asked(drag), Some(Turn(1)), "at the edge the first turn");
    let far = desk.mouse(MouseEventKind::Drag(MouseButton::Left), 119, row);
    assert!(far.is_empty(), "the last turn is now: {far:?}");
}

#[test]
fn left_in_the_panel_goes_back_along_the_chart() {
    let mut desk = desk(40, mono(), (120, 36));
    desk.press(KeyCode::Tab);
    let actions = desk.press(KeyCode::Left);
    assert!(matches!(actions[..], [Action::Send(Op::LookBack(Some(Turn(39))))]), "{actions:?}");
}

#[test]
fn any_numbers_at_any_size_in_any_look_are_drawn() {
    let coloured = || App::new(Theme::detect(false, ThemeChoice::Dark, None));
    for turns in [0, 1, 3, 700] {
        let app = if turns > 1 { coloured() } else { mono() };
        let mut desk = desk(turns, app, (40, 12));
        let huge = layers(u64::MAX / 4, 1);
        let turn = CourseTurn { turn: Turn(0), layers: huge, full: Tokens(u64::MAX) };
        desk.notice(Notice::Course(PastCourse { turns: vec![turn], ..PastCourse::default() }));
        for (width, height) in
            [(40, 12), (40, 60), (65, 18), (99, 24), (100, 12), (160, 30), (300, 100)]
        {
            desk.resize(width, height);
            let screen = desk.screen();
            assert_eq!(screen.lines().count(), usize::from(height));
        }
    }
}

#[test]
fn a_click_on_a_heading_or_on_the_gauge_says_what_it_is() {
    let mut desk = desk(40, mono(), (120, 36));
    for (words, column, says) in [
        ("SHORE", 80, "the border of the window: what is above is sent"),
        ("RAW LOGS", 80, "every word that was said, on disk"),
        ("█ambient", 2, "ambient: the last exchanges that belong to no effort"),
    ] {
        let screen = desk.screen().replace('▒', "█");
        let row = screen.lines().position(|line| line.contains(words)).expect(words) as u16;
        desk.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
        desk.mouse(MouseEventKind::Up(MouseButton::Left), column, row);
        desk.assert_shows(says);
    }
}

#[test]
fn a_click_on_any_other_word_of_the_panel_or_the_numbers_says_what_it_means() {
    for (size, words) in [
        ((120, 36), &["TIDE", "besides", "full history", "saved"][..]),
        ((80, 24), &["TIDE", "SHORE", "full history"]),
    ] {
        for word in words {
            let mut desk = desk(40, mono(), size);
            let screen = desk.screen();
            let found = screen.lines().enumerate().filter(|(_, line)| line.contains(word));
            let (row, line) = found.last().unwrap();
            let line = line.trim_start_matches('"');
            let column = line[..line.find(word).unwrap()].chars().count() as u16 + 1;
            desk.mouse(MouseEventKind::Down(MouseButton::Left), column, row as u16);
            desk.mouse(MouseEventKind::Up(MouseButton::Left), column, row as u16);
            desk.assert_shows(&format!("{word}: "));
            assert_eq!(desk.screen(), desk.screen(), "all at once");
        }
    }
}

#[test]
fn a_reason_that_does_not_fit_goes_on_below_where_there_is_room() {
    let mut desk = Desk::of(mono(), 120, 36);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    let memory = MemoryView { turn: Turn(3), budget: Tokens(16_000), ..MemoryView::default() };
    desk.notice(Notice::Memory(memory.into()));
    let happened = |id: &str, kind, cause: &str| Happening {
        turn: Turn(3),
        kind,
        id: id.into(),
        cause: cause.into(),
    };
    desk.notice(Notice::Course(PastCourse {
        happened: vec![
            happened("ambient", ChangeKind::Shortened, "only one of 12 exchanges fits"),
            happened("tea", ChangeKind::SummaryReturned, "mentioned: green, tea"),
        ],
        ..course(3)
    }));
    desk.assert_shows("LATELY");
    desk.assert_shows("ambient shortened for now");
    desk.assert_shows("only one of 12 exchanges fits");
    desk.assert_shows("tea     came back");
    desk.assert_shows("mentioned: green, tea");
}

#[test]
fn the_waves_beside_the_items_leave_the_row_above_them_alone() {
    let mut desk = Desk::of(mono(), 250, 60);
    desk.notice(opened("work", model("deepseek-chat"), Vec::new()));
    let memory = MemoryView { budget: Tokens(16_000), ..MemoryView::default() };
    desk.notice(Notice::Memory(memory.into()));
    let screen = desk.screen();
    let rows: Vec<&str> = screen.lines().collect();
    let items = rows.iter().position(|row| row.contains("WORKING MEMORY")).expect("the items");
    assert!(!rows[items - 1].contains('~'), "{screen}");
    assert!(rows[items + 1..].iter().any(|row| row.contains('~')), "{screen}");
}

#[test]
fn what_is_explained_can_be_read_to_its_end_on_a_narrow_screen() {
    let mut desk = desk(40, mono(), (80, 24));
    desk.press(KeyCode::F(2));
    desk.press(KeyCode::Tab);
    desk.press(KeyCode::Char('w'));
    desk.assert_shows("all that the next request begins with, item by item;");
    desk.assert_shows("that an item has left");
}

#[test]
fn a_turn_of_the_past_names_the_model_of_then_and_what_it_took() {
    let mut desk = in_the_past(120, 36, 12);
    let Notice::Past(past) = past(12) else { unreachable!("a past was made") };
    let model = |name: &str, context_window| {
        let model = PastModel { name: name.into(), context_window, offline: false };
        Notice::Past(Arc::new(PastTurn { model: Some(model), ..PastTurn::clone(&past) }))
    };
    let now = desk.screen();
    let (head, _) = now.split_once(" · turn 12").expect("the status line");
    let name = head.rsplit(" · ").next().unwrap().to_owned();
    desk.notice(model("alpha-1", Some(32_000)));
    desk.assert_shows(" · alpha-1 · turn 12 · as it was");
    desk.assert_shows(" of 32,000");
    desk.notice(model("alpha-1", None));
    desk.assert_shows(" · alpha-1 · turn 12 · as it was");
    desk.assert_hides(" of 32,000");
    // The model of today is known better than from the journal.
    desk.notice(model(&name, Some(9)));
    assert_eq!(desk.screen(), now);
}

#[test]
fn before_the_first_turn_the_chart_tells_what_the_panel_tells_and_marks_no_other_turn() {
    let mut desk = in_the_past(120, 36, 0);
    desk.assert_shows("TURN 0 ");
    desk.assert_shows("window 240 of ");
    let screen = desk.screen();
    let legend = screen.lines().position(|line| line.contains("◆ concluded")).unwrap();
    let marks = screen.lines().nth(legend - 1).unwrap();
    assert_eq!(marks.matches('┃').count(), 1, "the edge of the panel alone: {screen}");
    assert!(!screen.contains('┊'), "{screen}");
    let mut desk = in_the_past(120, 36, 7);
    let screen = desk.screen();
    let marks = screen.lines().nth(legend - 1).unwrap();
    assert_eq!(marks.matches('┃').count(), 2, "{screen}");
}
