//! What a screen of forty columns still tells.

use std::sync::Arc;

use crossterm::event::KeyCode;
use ebbtide::memory::{MemoryView, Tier};
use ebbtide::orchestrator::Notice;
use ebbtide::tui::panel::PanelState;

use super::super::support::screen::{Desk, model, opened};
use super::{item, lively, panel_buffer, text_of};

fn efforts() -> MemoryView {
    let mut view = lively();
    view.open =
        [item("parser-rewrite", Tier::Active, 1_234, None), item("login", Tier::Open, 336, None)]
            .into();
    view.warm = [item("metrics-export", Tier::Warm, 71, Some((2, 20)))].into();
    view.manifest.recent = vec![item("billing-export", Tier::Evicted, 60, None)];
    view
}

#[test]
fn a_name_has_the_room_that_nothing_else_takes() {
    let shown =
        |width| text_of(&panel_buffer(&efforts(), &mut PanelState::default(), false, width, 24));
    for (width, rows) in [
        (20, ["● parser-re… 1,234\n", "○ login open   336\n", "▪ metrics-ex… 2 71\n"]),
        (34, ["● parser-rewrite active    1,234\n", "○ login   open", "▪ metric…"]),
    ] {
        let shown = shown(width);
        for row in rows {
            assert!(shown.contains(row), "{row:?}\n{shown}");
        }
        assert!(shown.contains("▫ billing-e"), "{shown}");
    }
}

#[test]
fn the_key_that_brings_an_item_back_is_named_beside_it() {
    let mut desk = Desk::new(40, 24);
    desk.notice(opened("work", model("test-model"), []));
    desk.notice(Notice::Memory(Arc::new(efforts())));
    desk.press(KeyCode::Tab);
    let foot = |desk: &mut Desk| {
        let screen = desk.screen();
        screen.lines().rfind(|line| line.contains(" back ")).map(str::to_owned).expect("keys")
    };
    assert!(foot(&mut desk).contains("u undo"), "{}", foot(&mut desk));
    desk.press(KeyCode::End);
    let shown = foot(&mut desk);
    assert!(shown.contains("e expand") && shown.contains("F1 help"), "{shown}\n{}", desk.screen());
}

#[test]
fn what_scrolls_says_so() {
    let mut desk = Desk::new(40, 12);
    desk.notice(opened("work", model("test-model"), []));
    desk.notice(Notice::Memory(Arc::new(lively())));
    desk.press(KeyCode::F(1));
    desk.assert_shows(" more lines · ");
    desk.assert_shows("Esc closes");
    desk.press(KeyCode::End);
    desk.assert_shows("end · ");
    desk.press(KeyCode::Char('/'));
    desk.assert_shows("Esc clears it");
}
