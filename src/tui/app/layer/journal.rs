//! The journal: which change is selected, which are shown, how far it is scrolled. Nothing here changes
//! anything but undo and redo.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::{Level, Overlay, Taken};
use crate::memory::Turn;
use crate::orchestrator::{JournalEntry, Op};
use crate::tui::app::{Action, App, Queued};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;

/// The journal over the chat.
#[derive(Debug, Clone, Default)]
pub struct JournalView {
    /// All changes, oldest first; `None` while they are being read.
    entries: Option<Arc<Vec<JournalEntry>>>,
    /// The changes that the filter lets through, by their places among all.
    shown: Vec<usize>,
    /// What is looked for.
    filter: Field,
    /// The selected change, among those that are shown.
    place: Place,
}

impl JournalView {
    /// Takes the changes in; the newest one is selected, or, when they are read anew, the same as before.
    pub fn fill(&mut self, entries: Arc<Vec<JournalEntry>>) {
        let was_last = self.place.at + 1 >= self.shown.len();
        self.entries = Some(entries);
        self.apply_filter();
        if was_last {
            self.select_last();
        }
    }

    /// Whether the changes are still being read.
    pub fn is_loading(&self) -> bool {
        self.entries.is_none()
    }

    /// How many changes are shown, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        (self.shown.len(), self.entries.as_ref().map_or(0, |entries| entries.len()))
    }

    /// What is looked for.
    pub fn filter(&self) -> &Field {
        &self.filter
    }

    /// The selected change.
    pub fn selected(&self) -> Option<&JournalEntry> {
        self.entry(self.place.at)
    }

    /// The turn of the selected change.
    pub fn turn(&self) -> Option<Turn> {
        self.selected().map(|entry| entry.turn)
    }

    /// The changes around the selected one that are drawn in an area, each with whether it is selected.
    pub fn visible(&mut self, area: Rect) -> Vec<(&JournalEntry, bool)> {
        let (rows, all) = (usize::from(area.height), self.shown.len());
        // The selected one stands two thirds down, so that what led to it is in sight.
        let first = self.place.at.saturating_sub(rows * 2 / 3).min(all.saturating_sub(rows));
        let shown = self.place.show_from(first, all, area);
        shown.filter_map(|at| Some((self.entry(at)?, at == self.place.at))).collect()
    }

    fn select_last(&mut self) {
        self.place.at = self.shown.len().saturating_sub(1);
    }

    fn entry(&self, at: usize) -> Option<&JournalEntry> {
        self.entries.as_ref()?.get(*self.shown.get(at)?)
    }

    /// Shows what fits the filter; the same change stays selected, if it does.
    fn apply_filter(&mut self) {
        let chosen = self.shown.get(self.place.at).copied();
        let entries = self.entries.as_ref().map(|entries| entries.as_slice()).unwrap_or_default();
        let fits = |at: &usize| self.filter.lets_through(&searched(&entries[*at]));
        self.shown = (0..entries.len()).filter(fits).collect();
        match chosen.and_then(|chosen| self.shown.iter().position(|&at| at == chosen)) {
            Some(at) => self.place.at = at,
            None => self.select_last(),
        }
    }
}

/// The kind of a change in words: `summary evicted`.
pub fn kind_words(entry: &JournalEntry) -> String {
    entry.kind.as_str().replace('_', " ")
}

/// What a filter looks at.
fn searched(entry: &JournalEntry) -> String {
    format!("turn {} {} {} {}", entry.turn, kind_words(entry), entry.id, entry.cause)
}

impl App {
    /// Opens the journal.
    pub(super) fn open_journal(&mut self) -> Vec<Action> {
        if self.session.is_none() {
            self.show_hint("the session is still opening");
            return Vec::new();
        }
        self.stack.put(JournalView::default());
        vec![Action::Send(Op::Journal)]
    }

    /// Undoes or redoes, then reads the journal anew.
    fn step_and_read(&mut self, typed: &str, op: Op) -> Vec<Action> {
        if self.demo.is_some() {
            self.show_hint("a demo is only watched");
            return Vec::new();
        }
        let mut actions = self.queue_or_dispatch(Queued::command(typed, op));
        actions.push(Action::Send(Op::Journal));
        actions
    }
}

impl Overlay for JournalView {
    fn level(&self) -> Level {
        Level::Journal
    }

    fn scope(&self) -> Scope {
        if self.filter.is_writing() { Scope::Filter } else { Scope::Journal }
    }

    fn field(&mut self) -> Option<&mut Field> {
        self.filter.if_writing()
    }

    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        self.apply_filter();
        self.select_last();
        Vec::new()
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        Some((&mut self.place, self.shown.len()))
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match action {
            _ if self.filter.act(action) => self.apply_filter(),
            KeyAction::Open => {
                if let Some(turn) = self.turn() {
                    return Taken::Closes(app.look_back(Some(turn)));
                }
            }
            KeyAction::UndoChange => return Taken::Stays(app.step_and_read("/undo", Op::Undo)),
            KeyAction::RedoChange => return Taken::Stays(app.step_and_read("/redo", Op::Redo)),
            _ => return Taken::Ignored,
        }
        Taken::STAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{ChangeKind, Tokens};
    use crate::orchestrator::Standing;

    fn entry(turn: u64, kind: ChangeKind, id: &str) -> JournalEntry {
        JournalEntry {
            turn: Turn(turn),
            at: String::new(),
            kind,
            id: id.into(),
            cause: format!("because of {id}"),
            before: Tokens(10),
            after: Tokens(5),
            standing: Standing::Stands,
        }
    }

    fn filled(count: u64) -> JournalView {
        let kinds = [ChangeKind::EffortOpened, ChangeKind::SummaryEvicted];
        let all = (0..count).map(|n| entry(n, kinds[n as usize % 2], &format!("topic-{n}")));
        let mut view = JournalView::default();
        view.fill(Arc::new(all.collect()));
        view
    }

    #[test]
    fn the_newest_change_is_selected_and_always_in_sight() {
        let mut view = filled(100);
        assert_eq!(view.turn(), Some(Turn(99)));
        for step in [-1, -40, 7, isize::MIN, 3, isize::MAX] {
            view.place.step(step, view.shown.len());
            for rows in [1, 2, 10, 200] {
                let chosen = view.turn();
                let shown = view.visible(Rect::new(0, 0, 80, rows));
                assert_eq!(shown.len(), usize::from(rows).min(100));
                let marked: Vec<_> = shown.iter().filter(|(_, on)| *on).collect();
                assert_eq!(marked.len(), 1);
                assert_eq!(Some(marked[0].0.turn), chosen);
            }
        }
    }

    fn filtered(view: &mut JournalView, words: &str) -> (usize, Option<Turn>) {
        view.filter.clear();
        view.filter.insert(words);
        view.apply_filter();
        view.select_last();
        (view.counts().0, view.turn())
    }

    #[test]
    fn a_filter_takes_words_of_every_column_and_gives_all_back() {
        let mut view = filled(30);
        let found = filtered(&mut view, "EVICTED topic-1");
        assert_eq!(found, (6, Some(Turn(19))), "1, 11, 13, 15, 17, 19");
        assert_eq!(filtered(&mut view, "EVICTED topic-").0, 15);
        assert_eq!(filtered(&mut view, ""), (30, Some(Turn(29))));
        assert_eq!(filtered(&mut view, "turn 7").1, Some(Turn(27)));
        assert_eq!(filtered(&mut view, "turn 7no such thing"), (0, None));
        view.place.step(3, 0);
        assert!(view.visible(Rect::new(0, 0, 80, 5)).is_empty());
    }
}
