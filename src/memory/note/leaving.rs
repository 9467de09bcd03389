//! Which notes leave first. Pure choice: nothing is changed here.

use super::{Note, NoteId, NoteOrder, Notes};

impl Notes {
    /// The session's notes, those that leave first in front: the oldest, the least recently used or
    /// the least important, as the limits say.
    ///
    /// Numbers follow the order of making, so that the oldest of a turn is known. One message may use
    /// several notes at once: of those the less salient leaves first.
    pub(super) fn oldest_first(&self) -> Vec<&Note> {
        let mut notes: Vec<&Note> = self.in_session().map(|held| &held.note).collect();
        match self.limits.order {
            NoteOrder::Oldest => notes.sort_by_key(|note| (note.entered, note.id)),
            NoteOrder::LeastRecentlyUsed => {
                notes.sort_by_key(|note| (note.last_used, note.salience, note.id));
            }
            NoteOrder::Importance => {
                notes.sort_by_key(|note| (note.importance(), note.entered, note.id));
            }
        }
        notes
    }

    /// What the soft limit archives: of the oldest batch, those that are neither protected nor pinned.
    ///
    /// If that is none, the oldest ones behind them that may leave go instead, up to a batch: otherwise
    /// a batch of protected notes at the front would keep every later note in until the hard limit
    /// removed the protected ones. Only when each note is protected or pinned does nothing leave.
    pub(super) fn for_archive(&self) -> Vec<NoteId> {
        let oldest = self.oldest_first();
        let batch = self.limits.batch_size.min(oldest.len());
        let may_leave = |note: &&&Note| !note.pinned && !self.limits.protects(note);
        let chosen: Vec<NoteId> =
            oldest[..batch].iter().filter(may_leave).map(|note| note.id).collect();
        if !chosen.is_empty() {
            return chosen;
        }
        oldest[batch..].iter().filter(may_leave).take(batch).map(|note| note.id).collect()
    }

    /// What the hard limit removes: the oldest batch of unpinned notes, protected or not; and only if
    /// the count would still be at the limit without any unpinned note left, as many of the oldest
    /// pinned ones as it takes to get below it, within the same batch.
    pub(super) fn for_removal(&self, hard_limit: usize) -> Vec<NoteId> {
        let oldest = self.oldest_first();
        let (pinned, free): (Vec<&Note>, Vec<&Note>) = oldest.iter().partition(|note| note.pinned);
        let batch = self.limits.batch_size;
        let mut chosen: Vec<NoteId> = free.iter().take(batch).map(|note| note.id).collect();
        if chosen.len() == free.len() {
            let too_many = (oldest.len() - chosen.len() + 1).saturating_sub(hard_limit);
            let most = too_many.min(batch - chosen.len());
            chosen.extend(pinned.iter().take(most).map(|note| note.id));
        }
        chosen
    }

    /// The session's notes, that which is worth its tokens least in front: free ones before protected
    /// before pinned ones, among those the less salient, then as [`Notes::oldest_first`].
    pub(super) fn least_first(&self) -> Vec<&Note> {
        let mut notes = self.oldest_first();
        notes.sort_by_key(|note| (note.pinned, self.limits.protects(note), note.salience));
        notes
    }
}
