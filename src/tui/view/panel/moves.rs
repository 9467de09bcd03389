//! Items that changed their tier a moment ago: they slide into their new place with an arrow.

use std::collections::HashMap;
use std::time::Duration;

use crate::memory::{MemoryView, Tier};

/// How long an item slides.
const SLIDE: Duration = Duration::from_millis(400);

/// From how far it slides in, in columns.
const FROM: u128 = 8;

/// How long the mark of a change stays in all.
const LASTS: Duration = Duration::from_millis(1_500);

/// An item that changed its tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The effort's id or the note's number.
    pub id: String,
    /// Towards the window.
    pub up: bool,
    /// When its mark goes, since the app began.
    pub until: Duration,
}

/// What is different in the second state of memory; each is marked until then.
pub fn moves(before: &MemoryView, after: &MemoryView, until: Duration) -> Vec<Move> {
    let old = ranks(before);
    let new = ranks(after);
    let changed = new.into_iter().filter_map(|(id, rank)| {
        let was = old.get(id).copied().unwrap_or(rank);
        (was != rank).then(|| Move { id: id.to_owned(), up: rank > was, until })
    });
    let mut moves: Vec<Move> = changed.collect();
    moves.sort_by(|one, other| one.id.cmp(&other.id));
    moves
}

/// How near to the model each effort is.
fn ranks(view: &MemoryView) -> HashMap<&str, u8> {
    let items = view.open.iter().chain(&view.expanded).chain(&view.warm);
    let rank = |state: Tier| match state {
        Tier::Evicted => 0,
        Tier::Warm => 1,
        Tier::Expanded => 2,
        Tier::Open | Tier::Active => 3,
    };
    items.chain(&view.manifest.recent).map(|item| (item.id.as_str(), rank(item.state))).collect()
}

/// The moves that are shown now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marks<'a> {
    pub(super) moves: &'a [Move],
    pub(super) now: Duration,
}

impl Marks<'_> {
    /// The arrow of an item that moved, and how many columns it still has to slide.
    pub(super) fn of(&self, id: &str) -> Option<(&'static str, usize)> {
        let moved = self.moves.iter().find(|moved| moved.id == id && moved.until > self.now)?;
        let age = (self.now + LASTS).saturating_sub(moved.until);
        let left = SLIDE.saturating_sub(age).as_millis() * FROM / SLIDE.as_millis();
        Some((if moved.up { "▲" } else { "▼" }, usize::try_from(left).unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_slides_in_and_its_arrow_goes() {
        let moves = [Move { id: "tea".into(), up: false, until: Duration::from_millis(11_500) }];
        let at = |ms| Marks { moves: &moves, now: Duration::from_millis(ms) }.of("tea");
        assert_eq!(at(10_000), Some(("▼", 8)));
        assert_eq!(at(10_200), Some(("▼", 4)));
        assert_eq!(at(10_400), Some(("▼", 0)));
        assert_eq!(at(11_500), None);
        assert_eq!(Marks::default().of("tea"), None);
    }
}
