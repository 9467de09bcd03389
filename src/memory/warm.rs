//! Warm summaries: how they enter and leave the window.

use std::sync::Arc;

use super::summary::Summary;
use super::{Change, ChangeKind, Effort, MOST_LISTED, Memory, Tier, Tokens, Turn, layout};

impl Memory {
    /// What the summary of an effort costs in the window, or would cost there; counted now if it never was.
    pub fn summary_cost(&self, effort: &Effort) -> Tokens {
        effort.summary_tokens().unwrap_or_else(|| self.counter.count(&layout::summary_line(effort)))
    }

    /// Puts a summary into the window.
    pub(super) fn warm_up(&mut self, at: usize) {
        if self.efforts[at].warm {
            return;
        }
        self.efforts[at].line_tokens = Some(self.summary_cost(&self.efforts[at]));
        self.warm.insert(at);
        self.replan();
        let effort = &mut self.efforts[at];
        effort.summary.iter_mut().for_each(Summary::take_back);
        effort.warm = true;
        self.warm_tokens += effort.line_tokens.unwrap_or_default();
        if !effort.pinned {
            self.expiry.insert((effort.last_referenced, at));
        }
    }

    /// Takes a summary out of the window, because its raw log takes its place or it is evicted.
    pub(super) fn cool_down(&mut self, at: usize) {
        let effort = &mut self.efforts[at];
        if !std::mem::take(&mut effort.warm) {
            return;
        }
        let cost = effort.line_tokens.unwrap_or_default();
        self.warm_tokens = self.warm_tokens.saturating_sub(cost);
        self.expiry.remove(&(effort.last_referenced, at));
        self.warm.remove(&at);
        self.replan();
    }

    /// Resets a concluded effort's countdown; an evicted summary comes back.
    pub(super) fn touch(&mut self, at: usize, turn: Turn, cause: &str) -> Option<Change> {
        if self.efforts[at].status == super::Status::Open {
            return None;
        }
        self.count_from(at, turn, cause.into());
        if self.tier_at(at) != Tier::Evicted {
            return None;
        }
        let before = self.before(at);
        self.evicted.retain(|&gone| gone != at);
        self.warm_up(at);
        Some(self.change(at, ChangeKind::SummaryReturned, cause.to_owned(), before))
    }

    /// The same because somebody has mentioned it.
    pub(super) fn mention(&mut self, at: usize, turn: Turn, words: &str) -> Option<Change> {
        let returned = self.touch(at, turn, words)?;
        Some(Change { cause: format!("mentioned: {words}"), ..returned })
    }

    /// The countdown begins at a turn, for a reason.
    pub(super) fn count_from(&mut self, at: usize, turn: Turn, cause: Arc<str>) {
        let effort = &mut self.efforts[at];
        let old = std::mem::replace(&mut effort.last_referenced, turn);
        effort.cause = cause;
        if self.expiry.remove(&(old, at)) {
            self.expiry.insert((turn, at));
        }
    }

    /// Sends a summary down to the manifest.
    pub(super) fn evict(&mut self, at: usize, cause: String) -> Change {
        let before = self.before(at);
        self.cool_down(at);
        self.list_evicted(at);
        self.change(at, ChangeKind::SummaryEvicted, cause, before)
    }

    pub(super) fn list_evicted(&mut self, at: usize) {
        self.evicted.push_back(at);
        if self.evicted.len() > MOST_LISTED {
            let shown_no_more = self.evicted.pop_front();
            let effort = shown_no_more.and_then(|at| self.efforts[at].summary.as_mut());
            if let (Some(summary), Some(shelf)) = (effort, &self.shelf) {
                summary.put_away(shelf);
            }
        }
    }
}
