//! Taking changes back. An undo is itself a change, made from what the journal tells of the first one; so
//! undoing an undo is the redo, and nothing is ever erased.
//!
//! | what happened | undone by |
//! |---|---|
//! | a summary left the window | it is back, with a fresh countdown |
//! | a summary came back | it leaves again |
//! | a log was expanded | it collapses, and leaves again if it was evicted before |
//! | a log collapsed, by decay or on request | it is expanded again |
//! | an effort was concluded | it is open again, active only if it was |
//! | an effort was reopened | its old summary, or its expanded log, is back, unless work went on |
//! | another effort became active | the one before is active |
//! | a summary was pinned, unpinned, kept or edited | it is as it was, with its old countdown |
//! | a note was changed | it is as it was |
//!
//! Opening an effort, storing a text and compressing are no loss and are not taken back.

use std::sync::Arc;

use super::{Change, ChangeKind, Memory, Rejected, Role, Status, Tier, Turn, Was};

/// The cause of a change that repeats one that was undone.
pub const REDONE: &str = "redone";

/// Whether a change is one that can be taken back.
pub fn is_undoable(change: &Change) -> bool {
    use ChangeKind as Kind;
    let moved = matches!(
        change.kind,
        Kind::EffortConcluded
            | Kind::EffortSwitched
            | Kind::EffortReopened
            | Kind::EffortExpanded
            | Kind::EffortCollapsed
            | Kind::EffortAutoCollapsed
            | Kind::SummaryEvicted
            | Kind::SummaryReturned
            | Kind::EffortPinned
            | Kind::EffortUnpinned
            | Kind::SummaryEdited
    );
    let had_countdown = change.was.as_ref().is_some_and(|was| was.referenced.is_some());
    let kept = change.kind == Kind::EffortKept && had_countdown;
    change.note.is_some() || kept || (moved && change.was.is_some())
}

impl Memory {
    /// Whether taking a change back puts the effort's raw log into the window.
    pub fn undo_needs_log(&self, change: &Change) -> bool {
        use ChangeKind as Kind;
        let Some(&at) = self.by_id.get(&change.id) else { return false };
        let concluded = self.efforts[at].status == Status::Concluded;
        match change.kind {
            Kind::EffortConcluded => concluded,
            Kind::EffortReopened => {
                !concluded && change.was.as_ref().is_some_and(|w| w.state == Tier::Expanded)
            }
            Kind::EffortCollapsed | Kind::EffortAutoCollapsed => {
                concluded && self.efforts[at].expanded_at.is_none()
            }
            _ => false,
        }
    }

    /// Whether a change can be taken back now.
    ///
    /// # Errors
    /// Rejects a reopening after which work went on: the old summary does not hold what was said since.
    pub fn check_undo(&self, change: &Change) -> Result<(), Rejected> {
        let (Some(&at), Some(was)) = (self.by_id.get(&change.id), &change.was) else {
            return Ok(());
        };
        let effort = &self.efforts[at];
        let is_open = effort.status == Status::Open;
        let reopened = change.kind == ChangeKind::EffortReopened && change.note.is_none();
        if reopened && is_open && effort.raw_messages > was.messages {
            return Err(Rejected::WorkedOnSince { id: effort.id.clone() });
        }
        Ok(())
    }

    /// Takes a change back; `raw` is the effort's log where [`Memory::undo_needs_log`] asks for it. Nothing
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
        let (Some(&at), Some(was)) = (self.by_id.get(&change.id), &change.was) else {
            return Ok(Vec::new());
        };
        let mut changes = self.reverse(at, change.kind, was, raw)?;
        for one in &mut changes {
            cause.clone_into(&mut one.cause);
        }
        if !changes.is_empty() && self.efforts[at].status == Status::Concluded {
            self.efforts[at].cause = cause.into();
            self.count_as_before(at, change.kind, was);
        }
        Ok(changes)
    }

    /// What only moved the countdown leaves no trace in it.
    fn count_as_before(&mut self, at: usize, kind: ChangeKind, was: &Was) {
        use ChangeKind as Kind;
        let moved = matches!(kind, Kind::EffortPinned | Kind::EffortUnpinned | Kind::EffortKept);
        if let Some((turn, cause)) = was.referenced.clone().filter(|_| moved) {
            self.count_from(at, turn, cause);
        }
    }

    fn reverse(
        &mut self,
        at: usize,
        kind: ChangeKind,
        was: &Was,
        raw: Vec<(Role, Arc<str>)>,
    ) -> Result<Vec<Change>, Rejected> {
        use ChangeKind as Kind;
        use Tier as State;
        let id = self.efforts[at].id.to_string();
        let turn = self.current_turn();
        let now = self.tier_at(at);
        let is_open = matches!(now, State::Active | State::Open);
        Ok(match kind {
            Kind::SummaryEvicted if now == State::Evicted => {
                self.touch(at, turn, "undone").into_iter().collect()
            }
            Kind::SummaryReturned if now == State::Warm => vec![self.evict(at, String::new())],
            Kind::EffortExpanded if now == State::Expanded => {
                let mut changes =
                    vec![self.end_expansion(at, Kind::EffortCollapsed, String::new())];
                if was.state == State::Evicted {
                    changes.push(self.evict(at, String::new()));
                }
                changes
            }
            Kind::EffortCollapsed | Kind::EffortAutoCollapsed
                if !is_open && now != State::Expanded =>
            {
                vec![self.expand(&id, raw)?]
            }
            Kind::EffortConcluded if !is_open => {
                let mut changes = vec![self.reopen(&id, raw)?];
                if was.state == State::Open {
                    changes.extend(self.activate(was));
                }
                changes
            }
            Kind::EffortReopened if is_open => {
                let summary = was.summary.clone().unwrap_or_default();
                let mut changes = vec![self.settle(at, summary, "concluded")];
                match was.state {
                    State::Evicted => changes.push(self.evict(at, String::new())),
                    State::Expanded => changes.push(self.expand(&id, raw)?),
                    _ => {}
                }
                changes.extend(self.activate(was));
                changes
            }
            Kind::EffortSwitched if now == State::Active => {
                self.activate(was).into_iter().collect()
            }
            Kind::EffortPinned if self.efforts[at].pinned => {
                let mut changes = vec![self.unpin(&id)?];
                if was.state == State::Evicted && now == State::Warm {
                    changes.push(self.evict(at, String::new()));
                }
                changes
            }
            Kind::EffortKept if !is_open && !self.counts_like(at, was) => {
                let before = self.before(at);
                vec![self.change(at, Kind::EffortKept, String::new(), before)]
            }
            Kind::EffortUnpinned if is_open && !self.efforts[at].pinned => {
                // It was reopened while it was pinned, and keeps that for when it is concluded again.
                let before = self.before(at);
                self.efforts[at].pinned = true;
                vec![self.change(at, Kind::EffortPinned, String::new(), before)]
            }
            Kind::EffortUnpinned if !self.efforts[at].pinned => vec![self.pin(&id)?],
            Kind::SummaryEdited if !is_open && self.efforts[at].summary != was.summary => {
                vec![self.replace_summary(at, was.summary.clone(), "")]
            }
            _ => Vec::new(),
        })
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
