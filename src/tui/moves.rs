//! Items that changed their tier a moment ago, and how far they are on their way to where they stand now. A function of
//! time: each moment can be asked for.

use std::collections::HashMap;
use std::time::Duration;

use super::rows::{Item, items};
use crate::memory::{ItemView, MemoryView, Tier};

/// How long an item is on its way.
const WAY: Duration = Duration::from_millis(800);

/// How long the mark of a change stays in all.
pub const LASTS: Duration = Duration::from_millis(1_500);

/// An item that changed its tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The effort's id.
    pub id: String,
    /// Towards the window.
    pub up: bool,
    /// The row of the screen on which it stood, if it was on screen.
    pub from: Option<u16>,
    /// By how many tokens it costs more or less than before.
    pub tokens: u64,
    /// When its mark goes, since the app began.
    pub until: Duration,
}

impl Move {
    /// How far it is on its way, in thousandths: slow at both ends. `None` once it has arrived.
    pub(in crate::tui) fn progress(&self, now: Duration) -> Option<u64> {
        let age = (now + LASTS).saturating_sub(self.until);
        let done = (age.as_millis() * 1_000 / WAY.as_millis()) as u64;
        (done < 1_000).then(|| done * done * (3_000 - 2 * done) / 1_000_000)
    }
}

/// What is different in the second state of memory; each is marked until then. `row_of` tells on which row of the
/// screen an item, by its place among [`items`] of the first state, stood.
pub fn moves(
    before: &MemoryView,
    after: &MemoryView,
    until: Duration,
    row_of: impl Fn(usize) -> Option<u16>,
) -> Vec<Move> {
    let old: HashMap<&str, (usize, &ItemView)> = efforts(before).collect();
    let changed = efforts(after).filter_map(|(id, (_, item))| {
        let (index, was) = old.get(id)?;
        let (rank, before) = (rank(item.state), rank(was.state));
        let (from, tokens) = (row_of(*index), item.tokens.0.abs_diff(was.tokens.0));
        (before != rank).then(|| Move { id: id.to_owned(), up: rank > before, from, tokens, until })
    });
    let mut moves: Vec<Move> = changed.collect();
    moves.sort_by(|one, other| one.id.cmp(&other.id));
    moves
}

/// The efforts among the items of a state, each with its place.
pub(in crate::tui) fn efforts(
    view: &MemoryView,
) -> impl Iterator<Item = (&str, (usize, &ItemView))> {
    items(view).enumerate().filter_map(|(index, item)| match item {
        Item::Effort(item) => Some((item.id.as_str(), (index, item))),
        _ => None,
    })
}

/// How near to the model an effort of a state is.
fn rank(state: Tier) -> u8 {
    match state {
        Tier::Evicted => 0,
        Tier::Warm => 1,
        Tier::Expanded => 2,
        Tier::Open | Tier::Active => 3,
    }
}

/// The moves that are shown now.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::tui) struct Marks<'a> {
    pub(in crate::tui) moves: &'a [Move],
    pub(in crate::tui) now: Duration,
}

impl Marks<'_> {
    /// The arrow of an item that moved.
    pub(in crate::tui) fn of(&self, id: &str) -> Option<&'static str> {
        let moved = self.moves.iter().find(|moved| moved.id == id && moved.until > self.now)?;
        Some(if moved.up { "▲" } else { "▼" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_under_way_for_less_than_a_second_and_its_arrow_goes() {
        let moves = [Move {
            id: "tea".into(),
            up: false,
            from: Some(3),
            tokens: 40,
            until: Duration::from_millis(11_500),
        }];
        let at = |ms| moves[0].progress(Duration::from_millis(ms));
        assert_eq!([10_000, 10_400, 10_799, 10_800].map(at), [Some(0), Some(500), Some(999), None]);
        let mark = |ms| Marks { moves: &moves, now: Duration::from_millis(ms) }.of("tea");
        assert_eq!((mark(10_000), mark(11_500)), (Some("▼"), None));
        assert_eq!(Marks::default().of("tea"), None);
    }
}
