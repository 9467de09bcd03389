//! How many exchanges leave at the soft line.
//!
//! Those that have gathered beyond the last few, and where these few leave no room for some turns below the line, the
//! older of them too: down to the low line in one go, so that the front of the window lasts. Otherwise one would leave in
//! each turn, here or at the hard line.

use super::super::budget::KEPT_EXCHANGES;
use super::super::{BudgetMode, Memory, Tokens};

/// Turns that the window has room for after a tide; where the exchanges that usually stay leave less, some of them leave.
const TURNS_BETWEEN: u64 = 3;

impl Memory {
    /// The oldest messages that leave to make room at the soft line.
    pub(super) fn leaving_for_room(&self) -> usize {
        let gathered = self.ambient.gathered();
        let most = self.ambient.tail_len().saturating_sub(2 * KEPT_EXCHANGES);
        if most <= gathered || !self.leave_from_the_last(gathered, most) {
            return gathered;
        }
        let over = self.whole_layers().total().saturating_sub(self.rules.low_line());
        let (mut leaving, mut freed) = (gathered, self.ambient.tokens_of(gathered));
        let mut next = gathered;
        while next < most && freed < over {
            next = (next + 2).min(most);
            let then = self.ambient.tokens_of(next);
            // The last of them frees something.
            leaving = if then > freed { next } else { leaving };
            freed = then;
        }
        leaving
    }

    /// What they cost.
    pub(in crate::memory) fn leaving_for_room_tokens(&self) -> Tokens {
        self.ambient.tokens_of(self.leaving_for_room())
    }

    /// Exchanges that wait at the soft line for the user's consent; none but in mode `ask`.
    pub fn exchanges_waiting(&self) -> usize {
        let is_over = self.whole_layers().total() > self.rules.soft_line();
        let waits = is_over && self.rules.budget_mode == BudgetMode::Ask;
        let frees = waits && self.leaving_for_room_tokens() > Tokens(0);
        if frees { self.leaving_for_room().div_ceil(2) } else { 0 }
    }

    /// Whether exchanges leave of those that usually stay: over the soft line, if with them there would be no room for
    /// some turns whatever else leaves, and it helps; or they are more than a request may hold.
    fn leave_from_the_last(&self, gathered: usize, most: usize) -> bool {
        let (whole, ambient) = (self.whole_layers().total(), self.ambient.tail_tokens());
        if self.rules.seeds || whole <= self.rules.soft_line() {
            return false;
        }
        let stays = whole.saturating_sub(ambient + self.free_tokens());
        let without = |messages| stays + ambient.saturating_sub(self.ambient.tokens_of(messages));
        let is_too_much = self.frame_layers.total() + ambient > self.rules.limit();
        let helps = without(most) <= self.rules.soft_line() || is_too_much;
        let room = Tokens(TURNS_BETWEEN.saturating_mul(self.growth().0));
        helps && without(gathered) + room > self.rules.soft_line()
    }

    /// The most that can leave at the soft line in so many turns, each of which adds so much.
    pub(super) fn may_leave(&self, turns: u64, growth: Tokens) -> Tokens {
        // The middles of long logs leave.
        let is_free = |&at: &usize| !self.efforts[at].pinned;
        if !self.open.is_empty() || self.expanded.iter().any(is_free) {
            return Tokens(u64::MAX);
        }
        let free = self.free_tokens();
        if self.rules.seeds {
            return free;
        }
        let ambient = self.ambient.tail_tokens() + Tokens(turns * growth.0);
        free + ambient.saturating_sub(Tokens(KEPT_EXCHANGES as u64 * growth.0))
    }
}
