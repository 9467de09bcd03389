//! Earlier messages in the message line: one by one, and by search.

use tui_textarea::CursorMove;

use super::history::{History, Search};
use super::{InputLine, chip};
use crate::orchestrator::Draft;
use crate::tui::field::Field;

/// The most drafts that are kept after they were put away.
const MOST_ASIDE: usize = 20;

impl InputLine {
    /// Whether a row of what is written stands above the cursor.
    pub fn has_row_above(&self) -> bool {
        self.area.screen_cursor().row > 0
    }

    /// Moves up a row; from the first row to the message before in the history.
    pub fn up(&mut self) {
        self.area.cancel_selection();
        if self.has_row_above() {
            self.moving(|area| area.move_cursor(CursorMove::Up));
            return;
        }
        let at = self.browsing.as_ref().map_or(self.history.len(), |(at, _)| *at);
        if at > 0 {
            self.browse(at - 1);
        }
    }

    /// Moves down a row; from the last row to the message after in the history, then to the draft.
    pub fn down(&mut self) {
        self.area.cancel_selection();
        let before = self.position();
        self.moving(|area| area.move_cursor(CursorMove::Down));
        if self.position() != before {
            return;
        }
        match self.browsing.take() {
            Some((at, draft)) if at + 1 == self.history.len() => self.put(draft),
            Some((at, draft)) => {
                self.browsing = Some((at, draft));
                self.browse(at + 1);
            }
            None => {}
        }
    }

    fn browse(&mut self, at: usize) {
        let Some(entry) = self.history.get(at).cloned() else { return };
        let draft = self.browsing.take().map_or_else(|| self.draft(), |(_, draft)| draft);
        self.put(entry);
        self.promised = false;
        self.area.move_cursor(CursorMove::Top);
        self.area.move_cursor(CursorMove::End);
        self.browsing = Some((at, draft));
    }

    /// What is shown in place of a draft is its own from here on, and the draft is put away: nothing that was written goes
    /// when an earlier message is edited, sent or cleared.
    pub(super) fn leave_past(&mut self) {
        let browsed = self.browsing.take().map(|(_, draft)| draft);
        let searched = self.search.take().map(Search::before);
        browsed.into_iter().chain(searched).for_each(|draft| self.put_aside(draft));
    }

    /// Adds a message that was sent to the history; the same one twice in a row counts once.
    pub fn remember(&mut self, message: Draft) {
        self.promised = false;
        self.aside.retain(|draft| !draft.says_as(&message));
        // No label of what is held stands for another paste, too.
        let number = message.pastes.iter().filter_map(chip::number).max().unwrap_or(0);
        self.last_paste = self.last_paste.max(number);
        self.history.remember(message);
    }

    /// Puts away what was written and not sent: the history has it, and it is kept with the drafts.
    pub fn put_aside(&mut self, draft: Draft) {
        let draft = Draft { id: None, ..draft };
        self.remember(draft.clone());
        if !draft.text.trim().is_empty() {
            self.aside.push(draft);
        }
        let over = self.aside.len().saturating_sub(MOST_ASIDE);
        self.aside.drain(..over);
        self.edits += 1;
    }

    /// It is said that going back brings the newest message of the history: until it has, or a newer one is there, that
    /// comes before what waits.
    pub fn promise_newest(&mut self) {
        self.promised = true;
    }

    /// Whether that was said, and still holds.
    pub fn promises_newest(&self) -> bool {
        self.promised
    }

    /// What was put away last, oldest first.
    pub fn aside(&self) -> &[Draft] {
        &self.aside
    }

    /// Another session is open: what was put away stays in the one in which it was written, which gives it back.
    pub fn leave_aside(&mut self) {
        self.end_search(false);
        let aside = std::mem::take(&mut self.aside);
        let is_aside = |entry: &Draft| aside.iter().any(|draft| draft.says_as(entry));
        self.promised = false;
        let before = self.history.drop_all(is_aside, self.browsing.as_ref().map(|(at, _)| *at));
        if let (Some(before), Some((at, _))) = (before, &mut self.browsing) {
            *at = before;
        }
        self.edits += 1;
    }

    /// Remembers a text that came back: as it was written, if it was sent from here.
    pub fn remember_text(&mut self, text: &str) {
        let draft = self.history.sent_as(text).cloned();
        self.remember(draft.unwrap_or_else(|| chip::draft_of(text, self.last_paste + 1)));
    }

    /// What a person wrote, also while an earlier message is shown in its place.
    pub fn own_draft(&self) -> Draft {
        match (&self.search, &self.browsing) {
            (Some(search), _) => search.draft().clone(),
            (None, Some((_, draft))) => draft.clone(),
            (None, None) => self.draft(),
        }
    }

    /// The search under way.
    pub fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// How many messages ago the one that the search shows was sent, from 1.
    pub fn found_ago(&self) -> Option<usize> {
        self.search.as_ref()?.ago(&self.history)
    }

    /// Begins a search through the history, or goes on to an older message.
    pub fn search_older(&mut self) {
        if self.search.is_none() {
            let is_marked = self.is_all_marked();
            let browsed = self.browsing.take().map(|(_, draft)| draft);
            let search = Search::new(browsed.unwrap_or_else(|| self.draft()));
            self.search = Some(if is_marked { search.of_marked() } else { search });
            return;
        }
        self.searching(|search, history| search.step(true, history));
    }

    /// Goes back to a newer message that the search finds.
    pub fn search_newer(&mut self) {
        self.searching(|search, history| search.step(false, history));
    }

    /// The line of what is looked for, while the search goes on.
    pub fn search_field(&mut self) -> Option<&mut Field> {
        self.search.as_mut().map(Search::field)
    }

    /// What is looked for is different.
    pub fn search_again(&mut self) {
        self.searching(Search::look);
    }

    /// Ends the search: what is shown stays, or what was written before comes back.
    pub fn end_search(&mut self, keep: bool) {
        let Some(search) = self.search.take() else { return };
        let is_marked = search.is_of_marked();
        let before = search.before();
        if !keep {
            self.put(before);
            if is_marked {
                self.mark();
            }
        } else if !before.says_as(&self.draft()) {
            self.put_aside(before);
        }
    }

    /// Shows what the search finds, with the cursor where the words are.
    fn searching(&mut self, step: impl FnOnce(&mut Search, &History)) {
        let Some(mut search) = self.search.take() else { return };
        step(&mut search, &self.history);
        let (draft, at) = search.shown(&self.history);
        let (draft, at) = (draft.clone(), at);
        let before = draft.text.get(..at).unwrap_or_default();
        let row = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        self.put(draft);
        if search.ago(&self.history).is_some() {
            self.jump(row, column);
            self.moving(|_| {});
        }
        self.search = Some(search);
    }
}
