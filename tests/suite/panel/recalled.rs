//! What was recalled for the newest message, in the present and in the past.

use std::sync::Arc;

use crossterm::event::KeyCode;
use ebbtide::memory::{MemoryView, Recalled, RecalledKind, Tokens, Turn};
use ebbtide::orchestrator::Notice;

use crate::past_screen::past;
use crate::support::screen::Desk;
use crate::tui::memory;

#[test]
fn the_past_tells_of_the_newest_turn_what_the_panel_does() {
    let recalled = Recalled {
        id: "kettle".into(),
        effort: None,
        kind: RecalledKind::Passage,
        turn: Some(Turn(3)),
        day: String::new(),
        cause: "'steam'".into(),
        text: "The kettle whistles.".into(),
        mentions: false,
        tokens: Tokens(9),
    };
    let now = MemoryView { turn: Turn(40), recalled: vec![recalled], ..memory() };
    let mut desk = Desk::opened(160, 40);
    desk.turn(40, "What is wrong?", "The clock.");
    desk.notice(Notice::Memory(Arc::new(now)));
    let told = "recalled  for this message by 'steam': kettle";
    desk.assert_shows(told);
    desk.press(KeyCode::F(5));
    desk.notice(past(40));
    desk.assert_shows("Turn 40 of 40, as it was");
    desk.assert_shows(told);
    desk.press(KeyCode::Left);
    desk.notice(past(39));
    desk.assert_hides("recalled");
}
