//! Which notes leave first. Pure choice: nothing is changed here.

use super::super::EffortId;
use super::thread::{Spared, Threads, keep_together, spared};
use super::{Note, NoteId, NoteOrder, Notes};

impl Notes {
    /// The session's notes, those that leave first in front, the notes of a thread together.
    pub(super) fn oldest_first(&self, threads: &Threads, active: Option<&EffortId>) -> Vec<&Note> {
        let mut notes = self.in_order();
        if self.limits.threads {
            keep_together(&mut notes, threads, active);
        }
        notes
    }

    /// The session's notes, each by itself: the oldest, the least recently used or the least important
    /// in front, as the limits say.
    ///
    /// Numbers follow the order of making, so that the oldest of a turn is known. One message may use
    /// several notes at once: of those the less salient leaves first.
    fn in_order(&self) -> Vec<&Note> {
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

    /// The thread that leaves last only because it is in use, if any.
    pub(super) fn spared(&self, threads: &Threads, active: Option<&EffortId>) -> Option<Spared> {
        spared(&self.in_order(), threads, active)
    }

    /// What the soft limit archives: of the oldest batch, those that are neither protected nor pinned.
    /// A thread that begins within the batch is not cut at its end.
    ///
    /// If that is none, the oldest ones behind them that may leave go instead, up to a batch: otherwise
    /// a batch of protected notes at the front would keep every later note in until the hard limit
    /// removed the protected ones. Only when each note is protected or pinned does nothing leave.
    pub(super) fn for_archive(
        &self,
        soft_limit: usize,
        threads: &Threads,
        active: Option<&EffortId>,
    ) -> Vec<NoteId> {
        let oldest = self.oldest_first(threads, active);
        let (first, later) = oldest.split_at(self.batch_end(&oldest, threads));
        let mut chosen = self.free(first);
        if chosen.is_empty() {
            chosen = self.free(later);
            chosen.truncate(self.batch_end(&chosen, threads));
        }
        let above_half = oldest.len().saturating_sub(soft_limit / 2);
        let most = self.limits.batch_size.max(above_half);
        chosen.into_iter().take(most).map(|note| note.id).collect()
    }

    /// Those of the notes that may be archived.
    fn free<'a>(&self, notes: &[&'a Note]) -> Vec<&'a Note> {
        let may_leave = |note: &&Note| !note.pinned && !self.limits.protects(note);
        notes.iter().copied().filter(may_leave).collect()
    }

    /// How many notes make a batch, to the end of the thread of the last one.
    fn batch_end(&self, notes: &[&Note], threads: &Threads) -> usize {
        let batch = self.limits.batch_size.min(notes.len());
        let Some(last) = batch.checked_sub(1).map(|last| threads.of(notes[last].id)) else {
            return 0;
        };
        batch + notes[batch..].iter().take_while(|note| threads.of(note.id) == last).count()
    }

    /// What the hard limit removes: the oldest batch of unpinned notes, protected or not; and only if
    /// the count would still be at the limit without any unpinned note left, as many of the oldest
    /// pinned ones as it takes to get below it, within the same batch.
    pub(super) fn for_removal(
        &self,
        hard_limit: usize,
        threads: &Threads,
        active: Option<&EffortId>,
    ) -> Vec<NoteId> {
        let oldest = self.oldest_first(threads, active);
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
    /// before pinned ones, among those the less salient, then as each would leave by itself.
    pub(super) fn least_first(&self) -> Vec<&Note> {
        let mut notes = self.in_order();
        notes.sort_by_key(|note| (note.pinned, self.limits.protects(note), note.salience));
        notes
    }
}
