//! Taking changes back. An undo is itself a change, made from what the journal tells of the first one; so
//! undoing an undo is the redo, and nothing is ever erased.
//!
//! | what happened | undone by |
//! |---|---|
//! | a summary left the window | it is back, with a fresh countdown; one that a person sent out with its old one |
//! | a summary came back | it leaves again |
//! | a log was expanded | it collapses, with its old countdown, and leaves again if it was evicted before |
//! | a log collapsed, by decay or on request | it is expanded again |
//! | an effort was concluded | it is open again, active only if it was |
//! | an effort was reopened | its old summary, or its expanded log, is back with its old countdown, unless work went on |
//! | another effort became active | the one before is active |
//! | a summary was pinned, unpinned, kept or edited | it is as it was, with its old countdown |
//! | a note was changed | it is as it was |
//!
//! Opening an effort, storing a text and compressing are no loss and are not taken back.

use std::sync::Arc;

use super::change::Opposite;
use super::lifecycle::{EXPANDED, REOPENED};
use super::steer::BY_HAND;
use super::{
    Change, ChangeKind, EffortId, Memory, Rejected, Role, Status, Tier, Turn, UNDONE, Was,
};

/// The cause of a change that repeats one that was undone.
pub const REDONE: &str = "redone";

impl Opposite {
    /// Whether it puts the raw log into the window, for an effort that was so before.
    fn needs_log(self, was: &Was) -> bool {
        match self {
            Self::Expand | Self::Reopen => true,
            Self::Conclude => was.state == Tier::Expanded,
            Self::Return
            | Self::Evict
            | Self::Collapse
            | Self::Switch
            | Self::Unpin
            | Self::Pin
            | Self::CountAsBefore
            | Self::Reword
            | Self::Note => false,
        }
    }

    /// Whether the countdown is as it was once a change is taken back, so that no trace is left in it. What comes back
    /// into the window that decay or the ceiling sent out has a fresh one, else it would leave again at once; what leaves
    /// has none.
    fn counts_as_before(self) -> bool {
        match self {
            Self::Unpin
            | Self::Pin
            | Self::CountAsBefore
            | Self::Collapse
            | Self::Conclude
            | Self::Reword => true,
            Self::Return
            | Self::Evict
            | Self::Expand
            | Self::Reopen
            | Self::Switch
            | Self::Note => false,
        }
    }

    /// Whether what it takes back was done to the countdown itself, whatever was mentioned since.
    fn is_of_countdown(self) -> bool {
        matches!(self, Self::Unpin | Self::Pin | Self::CountAsBefore)
    }
}

/// Whether a change is one that can be taken back.
pub fn is_undoable(change: &Change) -> bool {
    let was = change.was.as_deref().zip(change.kind.row().undone_by);
    let tells_enough =
        |(was, by): (&Was, _)| by != Opposite::CountAsBefore || was.referenced.is_some();
    change.note.is_some() || was.is_some_and(tells_enough)
}

/// A change of an effort that may be taken back.
struct Reversal<'a> {
    at: usize,
    by: Opposite,
    was: &'a Was,
}

impl Memory {
    fn reversal<'a>(&self, change: &'a Change) -> Option<Reversal<'a>> {
        let at = *self.by_id.get(change.effort()?)?;
        Some(Reversal { at, by: change.kind.row().undone_by?, was: change.was.as_deref()? })
    }

    /// The effort whose raw log taking a change back puts into the window, if it does.
    pub fn log_for_undo<'a>(&self, change: &'a Change) -> Option<&'a EffortId> {
        let reversal = self.reversal(change)?;
        let needed = self.is_due(&reversal) && reversal.by.needs_log(reversal.was);
        change.effort().filter(|_| needed)
    }

    /// Whether a change can be taken back now.
    ///
    /// # Errors
    /// Rejects a reopening after which work went on: the old summary does not hold what was said since.
    pub fn check_undo(&self, change: &Change) -> Result<(), Rejected> {
        let Some(reversal) = self.reversal(change) else { return Ok(()) };
        let effort = &self.efforts[reversal.at];
        let went_on = effort.raw_messages > reversal.was.messages;
        if reversal.by == Opposite::Conclude && self.is_due(&reversal) && went_on {
            return Err(Rejected::WorkedOnSince(effort.id.clone()));
        }
        Ok(())
    }

    /// Takes a change back; `raw` is the effort's log where [`Memory::log_for_undo`] asks for it. Nothing
    /// happens if things are already as they were.
    ///
    /// # Errors
    /// As [`Memory::check_undo`].
    pub fn take_back(
        &mut self,
        change: &Change,
        cause: &str,
        raw: Vec<(Role, Arc<str>)>,
    ) -> Result<Vec<Change>, Rejected> {
        if let Some(edit) = &change.note {
            return Ok(vec![self.take_back_note(edit, cause)]);
        }
        self.check_undo(change)?;
        let due = self.reversal(change).filter(|reversal| self.is_due(reversal));
        let Some(reversal) = due else { return Ok(Vec::new()) };
        let countdown = self.countdown_before(change, &reversal);
        let mut changes = self.reverse(&reversal, raw)?;
        for one in &mut changes {
            cause.clone_into(&mut one.cause);
        }
        let at = reversal.at;
        if !changes.is_empty() && self.efforts[at].status == Status::Concluded {
            match countdown {
                Some((turn, cause)) => self.count_from(at, turn, cause),
                None => self.efforts[at].cause = cause.into(),
            }
        }
        Ok(changes)
    }

    /// The turn from which an effort counts down, and why, once a change of it is taken back; `None` for a fresh
    /// countdown, or where an older journal does not tell. What was mentioned since the change stays mentioned.
    fn countdown_before(
        &self,
        change: &Change,
        &Reversal { at, by, was }: &Reversal<'_>,
    ) -> Option<(Turn, Arc<str>)> {
        let by_person = by == Opposite::Return && [BY_HAND, REDONE].contains(&&*change.cause);
        let goes_on =
            |turn: Turn| by_person && self.turn.since(turn) < self.rules.summary_eviction_threshold;
        let before = was.referenced.clone();
        let before = before.filter(|(turn, _)| by.counts_as_before() || goes_on(*turn))?;
        let effort = &self.efforts[at];
        let by_change = [EXPANDED, REOPENED, UNDONE, REDONE].contains(&&*effort.cause);
        let since = effort.last_referenced > change.turn
            || effort.last_referenced == change.turn && !by_change;
        let stays = since && !by.is_of_countdown();
        Some(if stays { (effort.last_referenced, Arc::clone(&effort.cause)) } else { before })
    }

    /// Whether things are not already as they were.
    fn is_due(&self, &Reversal { at, by, was }: &Reversal<'_>) -> bool {
        let (effort, now) = (&self.efforts[at], self.tier_at(at));
        match by {
            Opposite::Return => now == Tier::Evicted,
            Opposite::Evict => now == Tier::Warm,
            Opposite::Collapse => now == Tier::Expanded,
            Opposite::Expand => !now.holds_log(),
            Opposite::Reopen => !now.is_open(),
            Opposite::Conclude => now.is_open(),
            Opposite::Switch => now == Tier::Active,
            Opposite::Unpin => effort.pinned,
            Opposite::Pin => !effort.pinned,
            Opposite::CountAsBefore => !now.is_open() && !self.counts_like(at, was),
            Opposite::Reword => !now.is_open() && effort.summary() != was.summary,
            // A note tells itself how it was.
            Opposite::Note => false,
        }
    }

    fn reverse(
        &mut self,
        &Reversal { at, by, was }: &Reversal<'_>,
        raw: Vec<(Role, Arc<str>)>,
    ) -> Result<Vec<Change>, Rejected> {
        let (id, turn) = (self.efforts[at].id.to_string(), self.current_turn());
        Ok(match by {
            Opposite::Return => self.touch(at, turn, "undone").into_iter().collect(),
            Opposite::Evict => vec![self.evict(at, String::new())],
            Opposite::Collapse => {
                let kind = ChangeKind::EffortCollapsed;
                let collapsed = self.end_expansion(at, kind, String::new());
                self.and_out_again(at, was, collapsed)
            }
            Opposite::Expand => vec![self.expand(&id, raw)?],
            Opposite::Reopen => {
                let mut changes = vec![self.reopen(&id, raw)?];
                if was.state == Tier::Open {
                    changes.extend(self.activate(was));
                }
                changes
            }
            Opposite::Conclude => self.conclude_again(at, was, raw)?,
            Opposite::Switch => self.activate(was).into_iter().collect(),
            Opposite::Unpin => {
                let unpinned = self.unpin(&id)?;
                self.and_out_again(at, was, unpinned)
            }
            // It was reopened while it was pinned, and keeps that for when it is concluded again.
            Opposite::Pin if self.tier_at(at).is_open() => {
                let before = self.before(at);
                self.efforts[at].pinned = true;
                vec![self.change(at, ChangeKind::EffortPinned, String::new(), before)]
            }
            Opposite::Pin => vec![self.pin(&id)?],
            Opposite::CountAsBefore => {
                let before = self.before(at);
                vec![self.change(at, ChangeKind::EffortKept, String::new(), before)]
            }
            Opposite::Reword => vec![self.replace_summary(at, was.summary.clone(), "")],
            Opposite::Note => Vec::new(),
        })
    }

    /// A summary that is in the window after a change leaves it if it was out before.
    fn and_out_again(&mut self, at: usize, was: &Was, change: Change) -> Vec<Change> {
        let mut changes = vec![change];
        if was.state == Tier::Evicted && self.tier_at(at) == Tier::Warm {
            changes.push(self.evict(at, String::new()));
        }
        changes
    }

    fn conclude_again(
        &mut self,
        at: usize,
        was: &Was,
        raw: Vec<(Role, Arc<str>)>,
    ) -> Result<Vec<Change>, Rejected> {
        let summary = was.summary.clone().unwrap_or_default();
        let concluded = self.settle(at, summary);
        let mut changes = self.and_out_again(at, was, concluded);
        if was.state == Tier::Expanded {
            let id = self.efforts[at].id.to_string();
            changes.push(self.expand(&id, raw)?);
        }
        changes.extend(self.activate(was));
        Ok(changes)
    }

    fn counts_like(&self, at: usize, was: &Was) -> bool {
        let effort = &self.efforts[at];
        let same = |(turn, cause): &(Turn, Arc<str>)| {
            *turn == effort.last_referenced && *cause == effort.cause
        };
        was.referenced.as_ref().is_none_or(same)
    }

    /// Makes the effort active that was, if it is open and another one is active now.
    fn activate(&mut self, was: &Was) -> Option<Change> {
        self.switch(was.active.as_ref()?.as_str()).ok()
    }
}

#[cfg(test)]
mod tests;
