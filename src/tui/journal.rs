//! The journal on screen: which change is selected, which are shown, how far it is scrolled.

use std::sync::Arc;

use crate::memory::Turn;
use crate::orchestrator::JournalEntry;

/// The journal over the chat.
#[derive(Debug, Clone, Default)]
pub struct JournalView {
    /// All changes, oldest first; `None` while they are being read.
    entries: Option<Arc<Vec<JournalEntry>>>,
    /// The changes that the filter lets through, by their places among all.
    shown: Vec<usize>,
    /// What is looked for.
    filter: String,
    /// The filter is being typed.
    typing: bool,
    /// The selected change, an index into `shown`.
    selected: usize,
    /// Rows on one page, as drawn last.
    page: usize,
}

impl JournalView {
    /// Takes the changes in; the newest one is selected, or, when they are read anew, the same as before.
    pub fn fill(&mut self, entries: Arc<Vec<JournalEntry>>) {
        let was_last = self.selected + 1 >= self.shown.len();
        self.entries = Some(entries);
        self.apply_filter();
        if was_last {
            self.selected = self.shown.len().saturating_sub(1);
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

    /// What is looked for, and whether it is being typed.
    pub fn filter(&self) -> (&str, bool) {
        (&self.filter, self.typing)
    }

    /// The selected change.
    pub fn selected(&self) -> Option<&JournalEntry> {
        self.entry(self.selected)
    }

    /// The turn of the selected change.
    pub fn turn(&self) -> Option<Turn> {
        self.selected().map(|entry| entry.turn)
    }

    /// The changes around the selected one that fit into so many rows, each with whether it is selected.
    pub fn visible(&mut self, rows: usize) -> Vec<(&JournalEntry, bool)> {
        self.page = rows;
        let last = self.shown.len().saturating_sub(1);
        self.selected = self.selected.min(last);
        // The selected one stands two thirds down, so that what led to it is in sight.
        let above = rows * 2 / 3;
        let start = self.selected.saturating_sub(above).min((last + 1).saturating_sub(rows));
        let end = (start + rows).min(self.shown.len());
        (start..end).filter_map(|at| Some((self.entry(at)?, at == self.selected))).collect()
    }

    /// Moves the selection by so many changes, back if negative.
    pub fn move_by(&mut self, steps: isize) {
        let last = self.shown.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(steps).min(last);
    }

    /// Changes on one page.
    pub fn page(&self) -> isize {
        self.page.saturating_sub(1).max(1).cast_signed()
    }

    /// Begins to type a filter.
    pub fn start_typing(&mut self) {
        self.typing = true;
    }

    /// Ends typing; the filter stays.
    pub fn stop_typing(&mut self) {
        self.typing = false;
    }

    /// Lets everything through again. Returns whether there was a filter.
    pub fn clear_filter(&mut self) -> bool {
        let had = self.typing || !self.filter.is_empty();
        self.typing = false;
        self.filter.clear();
        self.apply_filter();
        had
    }

    /// A letter of the filter, or, as `None`, one less.
    pub fn type_letter(&mut self, letter: Option<char>) {
        match letter {
            Some(letter) => self.filter.push(letter),
            None => drop(self.filter.pop()),
        }
        self.apply_filter();
        self.selected = self.shown.len().saturating_sub(1);
    }

    fn entry(&self, at: usize) -> Option<&JournalEntry> {
        self.entries.as_ref()?.get(*self.shown.get(at)?)
    }

    fn apply_filter(&mut self) {
        let chosen = self.shown.get(self.selected).copied();
        let words: Vec<String> =
            self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let entries = self.entries.as_ref().map(|entries| entries.as_slice()).unwrap_or_default();
        let fits = |entry: &JournalEntry| {
            let text = searched(entry);
            words.iter().all(|word| text.contains(word))
        };
        self.shown =
            (0..entries.len()).filter(|&at| words.is_empty() || fits(&entries[at])).collect();
        let place = chosen.and_then(|chosen| self.shown.iter().position(|&at| at == chosen));
        self.selected = place.unwrap_or_else(|| self.shown.len().saturating_sub(1));
    }
}

/// The kind of a change in words: `summary evicted`.
pub fn kind_words(entry: &JournalEntry) -> String {
    entry.kind.as_str().replace('_', " ")
}

/// What a filter looks at.
fn searched(entry: &JournalEntry) -> String {
    format!("turn {} {} {} {}", entry.turn, kind_words(entry), entry.id, entry.cause).to_lowercase()
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
            view.move_by(step);
            for rows in [1, 2, 10, 200] {
                let chosen = view.turn();
                let shown = view.visible(rows);
                assert_eq!(shown.len(), rows.min(100));
                let marked: Vec<_> = shown.iter().filter(|(_, on)| *on).collect();
                assert_eq!(marked.len(), 1);
                assert_eq!(Some(marked[0].0.turn), chosen);
            }
        }
    }

    #[test]
    fn a_filter_takes_words_of_every_column_and_gives_all_back() {
        let mut view = filled(30);
        view.start_typing();
        "EVICTED topic-1".chars().for_each(|letter| view.type_letter(Some(letter)));
        assert_eq!(view.counts(), (6, 30), "1, 11, 13, 15, 17, 19");
        assert_eq!(view.turn(), Some(Turn(19)));
        view.type_letter(None);
        assert_eq!(view.counts(), (15, 30));
        assert!(view.clear_filter() && !view.clear_filter());
        assert_eq!((view.counts(), view.turn()), ((30, 30), Some(Turn(29))));
        "turn 7".chars().for_each(|letter| view.type_letter(Some(letter)));
        assert_eq!(view.turn(), Some(Turn(27)));
        "no such thing".chars().for_each(|letter| view.type_letter(Some(letter)));
        assert_eq!((view.counts().0, view.turn()), (0, None));
        view.move_by(3);
        assert!(view.visible(5).is_empty());
    }
}
