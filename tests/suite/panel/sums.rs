//! What the panel counts: its sums are those of their parts, and what is out of sight is told.

use super::*;

#[test]
fn what_every_request_has_besides_adds_up_at_every_width() {
    for width in 24..140 {
        let shown = text_of(&panel_buffer(&lively(), &mut PanelState::default(), false, width, 44));
        let row = shown.lines().find(|line| line.contains("· besides"));
        let row = row.unwrap_or_else(|| panic!("{width}: {shown}"));
        let words = row.split(|sign: char| !sign.is_ascii_digit() && sign != ',');
        let numbers: Vec<u64> =
            words.filter_map(|word| word.replace(',', "").parse().ok()).collect();
        let (all, parts) = numbers.split_last().unwrap();
        assert_eq!(*all, 1_688, "{row}");
        assert!(parts.is_empty() || parts.iter().sum::<u64>() == *all, "{row}");
        assert!(width < 46 || !parts.is_empty(), "{row}");
    }
}

#[test]
fn the_raw_logs_count_what_was_said_and_is_held_by_reference() {
    let mut view = lively();
    view.said_by_reference = Tokens(14_401);
    view.manifest.recent.clear();
    for (width, told) in
        [(46, "logs 155,429, by ref 14,401"), (110, "ambient 17,198, by ref 14,401")]
    {
        let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, width, 24));
        assert!(shown.contains("169,830 tokens, none lost"), "{shown}");
        assert!(shown.contains(told), "{shown}");
    }
}

#[test]
fn the_panel_tells_how_many_items_are_above() {
    let view = lively();
    let mut state = PanelState::default();
    state.place.at = 12;
    let shown = text_of(&panel_buffer(&view, &mut state, true, 48, 14));
    assert!(shown.contains("↑ ") && shown.contains("↓ "), "{shown}");
    insta::assert_snapshot!("panel_scrolled_to_the_middle", shown);
}

#[test]
fn what_the_next_request_begins_with_is_told_without_what_leaves_before_it() {
    let mut view = lively();
    view.before_next = Some(Tokens(5_432));
    let shown = text_of(&panel_buffer(&view, &mut PanelState::default(), false, 60, 24));
    assert!(shown.lines().next().unwrap().contains("next ~5,432 tokens"), "{shown}");
}
