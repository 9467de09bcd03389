//! The memory panel, the gauge and the status line as a person sees them: character by character.

mod gauge;
mod held;
mod narrow;
mod recalled;
mod slots;
mod sums;

use std::time::Duration;

use ebbtide::bill::Paid;
use ebbtide::llm::Usage;
use ebbtide::memory::{
    FullHistory, ItemView, Layer, Layers, LogsView, ManifestView, MemoryView, NextTide, Note,
    NoteId, NoteState, NoteStats, NoteView, NotesView, Salience, ScratchItem, TextView, Tier,
    Tokens, Turn,
};
use ebbtide::orchestrator::Measured;
use ebbtide::text;
use ebbtide::tui::flow::Flow;
use ebbtide::tui::panel::PanelState;
use ebbtide::tui::rows;
use ebbtide::tui::theme::{Theme, ThemeChoice};
use ebbtide::tui::view::gauge::Gauge;
use ebbtide::tui::view::panel;
use ebbtide::tui::view::status::StatusLine;
use ratatui::buffer::{Buffer, CellWidth};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::support::screen;
use gauge::{gauge, gauge_text};

const MEASURED: Usage =
    Usage { prompt: 9_000, completion: 120, cached: None, written: 0, hour: None };

fn item(id: &str, state: Tier, tokens: u64, left: Option<(u64, u64)>) -> ItemView {
    ItemView {
        tokens: if state == Tier::Evicted { Tokens(0) } else { Tokens(tokens) },
        whole: Tokens(tokens),
        raw_tokens: Some(Tokens(tokens * 30)),
        last_referenced: Turn(28),
        pinned: left.is_none(),
        ..screen::item(id, state, left)
    }
}

/// A session in the middle of its life: something in each state, and two items about to leave.
fn lively() -> MemoryView {
    let mut layers = Layers::default();
    for (layer, tokens) in [
        (Layer::System, 220),
        (Layer::Tools, 1_140),
        (Layer::Summaries, 540),
        (Layer::Ambient, 1_920),
        (Layer::Expanded, 2_410),
        (Layer::Open, 2_054),
    ] {
        layers.add(layer, Tokens(tokens));
    }
    MemoryView {
        turn: Turn(30),
        layers,
        budget: Tokens(16_000),
        soft_line: Tokens(11_200),
        full_history: FullHistory { tokens: Tokens(156_789), is_counted: true },
        open: vec![
            item("token-refresh-race", Tier::Active, 1_234, None),
            item("deploy-scripts", Tier::Open, 820, None),
        ],
        expanded: vec![
            item("auth-bug", Tier::Expanded, 1_610, Some((2, 3))),
            item("cache-layer-redesign", Tier::Expanded, 800, Some((1, 3))),
        ],
        warm: vec![
            item("css-grid", Tier::Warm, 64, Some((1, 20))),
            item("データベース移行", Tier::Warm, 71, Some((17, 20))),
            item("release-notes", Tier::Warm, 77, None),
        ],
        ambient_messages: 20,
        ambient_tokens: Tokens(1_920),
        headings: Tokens(328),
        manifest: ManifestView {
            concluded: 242,
            evicted: 237,
            recent: (0..200)
                .map(|n| item(&format!("old-topic-{n}"), Tier::Evicted, 60, None))
                .collect(),
        },
        logs: LogsView {
            efforts: 244,
            effort_messages: 4_204,
            effort_tokens: Tokens(138_231),
            damaged: 0,
            ambient_messages: 400,
            ambient_tokens: Tokens(17_198),
        },
        ..MemoryView::default()
    }
}

fn theme(choice: ThemeChoice) -> Theme {
    Theme::detect(false, choice, None)
}

fn drawn(width: u16, height: u16, draw: impl FnOnce(Rect, &mut Buffer)) -> Buffer {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(area, &mut buffer);
    buffer
}

fn panel_buffer(
    view: &MemoryView,
    state: &mut PanelState,
    focused: bool,
    width: u16,
    height: u16,
) -> Buffer {
    let theme = theme(ThemeChoice::Dark);
    drawn(width, height, |area, buffer| {
        panel::render(view, state, focused, &theme, area, buffer);
    })
}

/// The rows of a buffer as text, without the second cells of wide characters.
fn rows(buffer: &Buffer) -> Vec<String> {
    let mut lines = Vec::new();
    for row in buffer.area.rows() {
        let mut line = String::new();
        let mut x = row.left();
        while x < row.right() {
            let symbol = buffer[(x, row.y)].symbol();
            line.push_str(symbol);
            x += symbol.cell_width().max(1);
        }
        lines.push(line);
    }
    lines
}

fn text_of(buffer: &Buffer) -> String {
    rows(buffer).iter().flat_map(|row| [row.trim_end(), "\n"]).collect()
}

#[test]
fn the_panel_shows_three_tiers_at_every_width() {
    for width in [26, 34, 48, 80] {
        let buffer = panel_buffer(&lively(), &mut PanelState::default(), false, width, 24);
        insta::assert_snapshot!(format!("panel_{width}"), text_of(&buffer));
    }
}

#[test]
fn the_end_of_the_panel_is_the_raw_logs() {
    let view = lively();
    let mut state = PanelState { offset: usize::MAX, ..PanelState::default() };
    state.place.at = usize::MAX;
    let buffer = panel_buffer(&view, &mut state, false, 48, 14);
    insta::assert_snapshot!("panel_scrolled_to_the_end", text_of(&buffer));
    assert_eq!(state.item(&view).map(|item| item.id()).as_deref(), Some("old-topic-199"));
}

#[test]
fn the_selected_item_is_always_in_sight() {
    let view = lively();
    let count = rows::items(&view).count();
    for height in [1, 2, 5, 8, 9, 14, 40] {
        let mut state = PanelState::default();
        for selected in (0..count).chain((0..count).rev()).chain([150, 3, 206, 0]) {
            state.place.at = selected;
            let buffer = panel_buffer(&view, &mut state, true, 40, height);
            let marked: Vec<String> = rows(&buffer)
                .into_iter()
                .zip(0_u16..)
                .filter(|(_, y)| buffer[(5, *y)].modifier.contains(Modifier::REVERSED))
                .map(|(row, _)| row)
                .collect();
            assert_eq!(marked.len(), 1, "item {selected} in {height} rows: {marked:?}");
            let id = rows::items(&view).nth(selected).unwrap().id();
            let shown: String = id.chars().take(6).collect();
            assert!(marked[0].contains(&shown), "{shown} is not in {marked:?}");
        }
    }
}

#[test]
fn nothing_is_called_kept_where_a_log_is_damaged() {
    let mut view = lively();
    view.logs.damaged = 2;
    for width in [34, 80] {
        let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, width, 24));
        assert!(shown.contains("! 2 logs damaged"), "{shown}");
        assert!(!shown.contains("none lost") && !shown.contains("every word"), "{shown}");
    }
}

#[test]
fn all_three_headings_stay_in_sight_while_scrolling() {
    let view = lively();
    let total = rows::rows(&view).len();
    for offset in 0..total {
        let mut state = PanelState { offset, ..PanelState::default() };
        let shown = text_of(&panel_buffer(&view, &mut state, false, 48, 12));
        let headings = ["WORKING MEMORY", "SHORE", "RAW LOGS"];
        let above = headings.iter().take_while(|heading| !shown.contains(**heading)).count();
        assert!(
            headings[above..].iter().all(|heading| shown.contains(heading)),
            "offset {offset}:\n{shown}"
        );
        assert_eq!(shown.lines().count(), 12);
        assert!(shown.lines().last().is_some_and(|line| line.len() > "│ ".len()));
    }
}

#[test]
fn the_selected_item_says_why_it_is_there_and_what_leaves_next_is_marked() {
    let view = lively();
    let shown = |selected| {
        let mut state = PanelState::default();
        state.place.at = selected;
        text_of(&panel_buffer(&view, &mut state, true, 60, 24))
    };
    let row = |shown: &str, id: &str, nth: usize| {
        let mut lines = shown.lines().skip_while(|line| !line.contains(id));
        lines.nth(nth).map(str::to_owned).unwrap()
    };
    let place = |id: &str| rows::items(&view).position(|item| item.id() == id).unwrap();
    for (id, words) in [
        ("cache-layer-redesign", "collapses next turn · turn 28: 'refresh' and 'token'"),
        ("css-grid", "leaves next turn · turn 28: 'refresh' and 'token'"),
        ("release-notes", "turn 28: 'refresh' and 'token'"),
    ] {
        assert!(row(&shown(place(id)), id, 1).contains(words), "{id}:\n{}", shown(place(id)));
    }
    let one = shown(0);
    assert_eq!(one.matches("'refresh' and 'token'").count(), 1, "only of the selected one:\n{one}");
    assert!(row(&one, "css-grid", 0).contains(" 1!"), "{one}");
    assert!(row(&one, "release-notes", 0).contains("pinned"), "{one}");
}

#[test]
fn the_bars_fall_towards_the_shore_and_what_leaves_next_stands_at_it() {
    let mut view = lively();
    view.warm = [1, 4, 9, 13, 20]
        .map(|left| item(&format!("left-{left}"), Tier::Warm, 60, Some((left, 20))))
        .into();
    let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, 48, 24));
    let bars: Vec<usize> = shown
        .lines()
        .filter(|line| line.contains("left-"))
        .map(|line| line.chars().filter(|sign| ('▉'..='▏').contains(sign) || *sign == '█').count())
        .collect();
    assert_eq!(bars.len(), 5, "{shown}");
    assert!(bars.is_sorted_by(|one, next| one > next) && bars[0] >= 10, "{bars:?}");
    let shore = shown.lines().position(|line| line.contains("SHORE")).unwrap();
    let last = shown.lines().take(shore).filter(|line| line.contains("▪")).last().unwrap();
    assert!(last.contains("left-1 "), "{shown}");
}

#[test]
fn where_there_is_room_an_item_tells_its_words_and_how_long_they_are() {
    let mut view = lively();
    view.manifest.recent.truncate(1);
    view.warm[0].summary = Some("The grid has twelve columns. ".repeat(9).into());
    let shown =
        |height| text_of(&panel_buffer(&view, &mut PanelState::default(), false, 48, height));
    let tall = shown(40);
    assert!(tall.contains("    The grid has twelve columns. The grid has"), "{tall}");
    assert!(tall.contains(" 1,920 → 64\n"), "{tall}");
    let rows = rows::rows(&view).len() as u16;
    assert!(!shown(rows).contains("twelve"), "no room, no words");
}

#[test]
fn a_session_that_is_still_loading_has_a_placeholder() {
    let view = MemoryView::default();
    let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), true, 34, 6));
    assert!(shown.contains("WORKING MEMORY") && shown.contains("reading the session …"));
    assert!(gauge_text(&view, None, None, 40).contains("counting the window …"));
}

#[test]
fn a_new_session_shows_empty_tiers() {
    let view = MemoryView { budget: Tokens(16_000), ..MemoryView::default() };
    let buffer = panel_buffer(&view, &mut PanelState::default(), true, 48, 10);
    insta::assert_snapshot!("panel_of_a_new_session", text_of(&buffer));
}

#[test]
fn hostile_names_and_causes_neither_act_nor_overflow() {
    let names = [
        "\u{1b}[31mred\u{1b}]0;owned\u{7}",
        "line\nbreak\tand tab",
        "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
        "e\u{301}\u{302}\u{303}combining-marks-e\u{301}e\u{301}",
        "👩\u{200d}👩\u{200d}👧\u{200d}👦 family 👩\u{200d}👩\u{200d}👧\u{200d}👦",
        "\u{202e}gnp.exe",
        "",
    ];
    let mut view = lively();
    view.warm = names.iter().map(|name| item(name, Tier::Warm, 12, Some((9, 20)))).collect();
    view.warm.push(item(&"x".repeat(300), Tier::Warm, 12, Some((9, 20))));
    for item in &mut view.warm {
        item.cause = item.id.as_str().into();
    }
    for width in 0..100 {
        let buffer = panel_buffer(&view, &mut PanelState::default(), false, width, 40);
        for row in rows(&buffer) {
            assert!(!row.contains(char::is_control) && !row.contains('\u{202e}'), "{row:?}");
            assert_eq!(text::width(&row), usize::from(width), "{row:?}");
        }
        let shown = text_of(&buffer);
        assert!(!shown.contains("[31m") && !shown.contains("owned"));
        if width >= 26 {
            // Whatever the name, the number at its end is whole.
            let costs = shown.lines().filter(|line| line.ends_with(" 12")).count();
            assert_eq!(costs, view.warm.len(), "width {width}:\n{shown}");
        }
    }
}

#[test]
fn tiny_areas_and_areas_beyond_the_screen_draw_what_fits() {
    let view = lively();
    let theme = theme(ThemeChoice::Light);
    for (width, height) in [(0, 0), (1, 1), (2, 3), (3, 2), (12, 4), (200, 1)] {
        drawn(width, height, |area, buffer| {
            let wide = Rect::new(0, 0, area.width + 9, area.height + 9);
            panel::render(&view, &mut PanelState::default(), true, &theme, wide, buffer);
            Gauge { model_window: Some(8_000), ..gauge(&view, None, &theme) }.render(wide, buffer);
            status("ready", true).render(&theme, wide, buffer);
        });
    }
}

#[test]
fn themes_change_the_colours_and_never_the_words() {
    let view = lively();
    let draw = |theme: &Theme| {
        drawn(48, 30, |area, buffer| {
            panel::render(&view, &mut PanelState::default(), true, theme, area, buffer);
            let bottom = Rect { y: 27, height: 3, ..area };
            gauge(&view, None, theme).render(bottom, buffer);
        })
    };
    let dark = draw(&theme(ThemeChoice::Dark));
    let light = draw(&theme(ThemeChoice::Light));
    let mono = draw(&Theme::detect(true, ThemeChoice::Dark, None));
    assert_eq!(text_of(&dark), text_of(&light));
    let letters =
        |buffer: &Buffer| text_of(buffer).replace(|sign: char| !sign.is_alphanumeric(), "");
    assert_eq!(letters(&dark), letters(&mono), "what fills an area differs");
    assert!(mono.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(dark.content.iter().any(|cell| cell.fg == Color::Yellow));
    assert!(!light.content.iter().any(|cell| cell.fg == Color::Yellow));
}

fn status(state: &str, offline: bool) -> StatusLine<'_> {
    let model = if offline { "offline" } else { "deepseek-chat" };
    StatusLine { session: "2026-01-01-morning", model, offline, turn: Turn(31), state }
}

fn status_text(line: &StatusLine<'_>, width: u16) -> String {
    let theme = theme(ThemeChoice::Dark);
    text_of(&drawn(width, 1, |area, buffer| line.render(&theme, area, buffer)))
}

#[test]
fn the_status_line_gives_up_its_least_important_parts_first() {
    let widths = [80, 64, 56, 48, 40, 30, 20, 10];
    let offline: String =
        widths.iter().map(|width| status_text(&status("ready", true), *width)).collect();
    insta::assert_snapshot!("status_offline", offline);
    let online: String = widths
        .iter()
        .map(|width| status_text(&status("retrying in 12 s", false), *width))
        .collect();
    insta::assert_snapshot!("status_online", online);
}

#[test]
fn a_model_that_is_none_says_so_and_its_state_stays_at_every_width() {
    for width in 30..=200 {
        let shown = status_text(&status("ready", true), width);
        assert!(shown.contains("no language model"), "{shown}");
        assert!(shown.trim_end().ends_with("ready"), "{shown}");
    }
}

/// A note of the session.
fn note(id: u64, content: &str, tags: &[&str], stars: u64) -> NoteView {
    NoteView {
        note: Note {
            id: NoteId(id),
            content: content.into(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            salience: Salience::new(stars).unwrap(),
            created: Turn(3),
            entered: Turn(3),
            last_used: Turn(12),
            pinned: false,
            state: NoteState::Session,
            effort: None,
            usage: ebbtide::memory::Usage::default(),
            thread: None,
        },
        thread: None,
        protected: tags.contains(&"decision"),
        tokens: Tokens(14),
    }
}

#[test]
fn a_note_shows_its_thread_and_adapted_limits_their_reason() {
    let mut view = lively();
    view.manifest.recent.clear();
    view.manifest.evicted = 0;
    let note = |id: u64, thread: Option<&str>, tags: &[&str]| NoteView {
        thread: thread.map(str::to_owned),
        ..note(id, "a fact", tags, 2)
    };
    let lately = ebbtide::memory::NoteUse { found: 3, idle: 1, set_soft: 35 };
    let (soft_limit, hard_limit) = (38, 54);
    view.notes.stats =
        NoteStats { current: 3, soft_limit, hard_limit, lately: Some(lately), ..view.notes.stats };
    let ops = ["ops"];
    view.notes.session =
        vec![note(1, None, &[]), note(2, Some("auth-bug"), &[]), note(3, Some("#ops"), &ops)];
    let text = text_of(&panel_buffer(&view, &mut PanelState::default(), false, 52, 44));
    for expected in [
        "3 of 38 (soft), 54 (hard)",
        "healthy · notes are found often",
        "a fact  (auth-bug)",
        "a fact  #ops",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
}

#[test]
fn notes_and_texts_by_reference_stand_below_the_summaries() {
    let mut view = lively();
    view.manifest.recent.clear();
    view.manifest.evicted = 0;
    let mut pinned = note(5, "設計は短く\u{1b}[31m", &["team", "style"], 2);
    pinned.note.pinned = true;
    let mut permanent = note(2, "The key rotates", &[], 2);
    permanent.note.state = NoteState::Permanent;
    view.layers.add(Layer::Notes, Tokens(45));
    view.notes = NotesView {
        stats: NoteStats {
            current: 35,
            soft_limit: 35,
            hard_limit: 50,
            batch_size: 10,
            lately: None,
            enabled: true,
            permanent: 1,
        },
        session: vec![
            note(4, "The code freeze is on Friday", &["decision"], 3),
            pinned,
            note(6, &"long ".repeat(30), &[], 1),
        ],
        permanent: vec![permanent],
    };
    let item = |key: &str, tokens, exact| {
        let (tokens, description) = (Tokens(tokens), "a log".into());
        let (bytes, lines, chunks) = (9_000, 90, 5);
        let item =
            ScratchItem { key: key.into(), description, bytes, lines, chunks, tokens, exact };
        TextView { item, tokens: Tokens(17) }
    };
    view.scratchpad = (vec![item("server-log", 3_012, true), item("dump", 2_400_000, false)], 2);
    for width in [28, 46, 80] {
        let buffer = panel_buffer(&view, &mut PanelState::default(), false, width, 44);
        insta::assert_snapshot!(format!("notes_{width}"), text_of(&buffer));
    }
}

#[test]
fn the_active_effort_stays_in_sight_after_scrolling_and_resizing() {
    let view = lively();
    let mut state = PanelState::default();
    panel_buffer(&view, &mut state, true, 48, 20);
    state.step(150, &view);
    panel_buffer(&view, &mut state, true, 48, 20);
    for (width, height) in [(48, 20), (48, 30), (30, 8), (48, 6), (80, 40), (48, 3)] {
        for focused in [true, false] {
            let shown = text_of(&panel_buffer(&view, &mut state, focused, width, height));
            let rows = shown.lines().filter(|line| line.contains("● token-")).count();
            assert_eq!(rows, 1, "{width}x{height}, focused: {focused}:\n{shown}");
        }
    }
}
