//! Where the number of items in the window is limited.

use ebbtide::memory::{EffortId, SlotsView};
use ebbtide::tui::panel::PanelState;

use super::{lively, panel_buffer, text_of};

#[test]
fn what_leaves_although_it_has_turns_left_is_named() {
    let next = Some(EffortId::stored("css-grid"));
    let mut view = lively();
    view.slots = Some(SlotsView { taken: 5, most: 5, next });
    for (width, told) in [
        (80, "  5 of 5 slots: one more sends the least salient out, css-grid\n"),
        (48, "  5 of 5 slots: one more sends css-grid out\n"),
        (36, "  5/5 slots: css-grid leaves next\n"),
        (26, "  css-grid leaves next\n"),
    ] {
        let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, width, 24));
        assert!(shown.contains(told), "{shown}");
    }
    view.slots = Some(SlotsView { taken: 4, most: 5, next: None });
    let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, 48, 24));
    assert!(shown.contains("  4 of 5 slots\n"), "{shown}");
}
