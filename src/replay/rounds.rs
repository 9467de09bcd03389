//! The requests of a turn behind its first, one for each round of tools: each reads again all that came before it.
//!
//! A log shows them, and they are most of what a coding agent pays. The rows of the bill count one request a turn, which
//! needs no such assumption; these stand beside them.

use crate::bill::{COMPACTS_AT, Other, Said};
use crate::memory::Tokens;

/// Rounds of tools in a turn: the model went on once it had the results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rounds {
    /// How many.
    pub(super) count: u32,
    /// Tokens of results held by reference that they read again, together: those that an earlier one has read.
    pub(super) held: u32,
    /// Bytes of the reply that they read again, together.
    pub(super) reply: u64,
}

impl Rounds {
    /// One more, behind one that read so much of the reply and of what is held.
    pub(super) fn add(&mut self, reply: u32, held: u32) {
        self.count = self.count.saturating_add(1);
        self.held = self.held.saturating_add(held);
        self.reply = self.reply.saturating_add(reply.into());
    }

    /// Tokens of a reply of so many bytes and tokens that they read again.
    pub(super) fn of_reply(self, bytes: usize, tokens: u64) -> u64 {
        let part = self.reply as f64 / bytes.max(1) as f64;
        (part * tokens as f64) as u64
    }
}

/// What these requests read again, in tokens, and how many there were with the first ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadAgain {
    /// Requests.
    pub requests: u64,
    /// This memory.
    pub own: u64,
    /// Full history.
    pub full: u64,
    /// The program that compacts.
    pub compacting: u64,
    /// The program itself, which compacted where the log says so.
    pub then: u64,
}

/// A turn whose rounds are counted.
pub(super) struct Turn<'a> {
    pub(super) rounds: Rounds,
    /// What it said, as others keep it.
    pub(super) said: &'a Said,
    /// Tokens of its reply as it stands in the window.
    pub(super) reply: u64,
    /// Bytes of the same.
    pub(super) bytes: usize,
    /// Tokens of the window that its first request sent, and the most that one ever has.
    pub(super) window: Tokens,
    pub(super) limit: Tokens,
}

impl ReadAgain {
    /// Counts a turn that the others have taken: full history, a program that compacts, and the one that did.
    pub(super) fn turn(&mut self, turn: &Turn<'_>, [full, compacting, then]: [&Other; 3]) {
        let count = u64::from(turn.rounds.count);
        self.requests += 1 + count;
        let reply = turn.rounds.of_reply(turn.bytes, turn.reply);
        let of_turn = reply + u64::from(turn.rounds.held) + count * turn.said.user;
        let before = |other: &Other| other.history.saturating_sub(turn.said.growth());
        let read = |other: &Other| count * (turn.said.fixed + before(other)) + of_turn;
        self.full += read(full);
        // It would have compacted before any prompt is larger.
        self.compacting += read(compacting).min(count * COMPACTS_AT);
        self.then += read(then);
        // Results beyond the budget are shown in part.
        let room = turn.limit.saturating_sub(turn.window).0;
        self.own += count * turn.window.0 + reply.min(count * room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_reads_again_what_came_before_it() {
        let mut rounds = Rounds::default();
        // Behind a quarter, and behind half of a reply of 400 bytes and 100 tokens.
        rounds.add(100, 0);
        rounds.add(200, 1_000);
        assert_eq!(rounds, Rounds { count: 2, held: 1_000, reply: 300 });
        assert_eq!(rounds.of_reply(400, 100), 75);
        let said = Said { user: 10, looked_up: 1_040, reply: 60, fixed: 500, ..Said::default() };
        let other = |history| Other::from([0, 0, 0, 0, 0, 0, 0, 0, history, 0]);
        let (window, limit) = (Tokens(2_000), Tokens(2_030));
        let turn = Turn { rounds, said: &said, reply: 100, bytes: 400, window, limit };
        let mut again = ReadAgain::default();
        again.turn(&turn, [&other(21_110), &other(6_110), &other(4_110)]);
        let full = 2 * (500 + 20_000 + 10) + 75 + 1_000;
        let compacting = full - 2 * 15_000;
        let then = full - 2 * 17_000;
        assert_eq!(again, ReadAgain { requests: 3, own: 2 * 2_000 + 60, full, compacting, then });
        let mut long = ReadAgain::default();
        long.turn(&turn, [&other(1 << 30); 3]);
        assert_eq!(long.compacting, 2 * COMPACTS_AT);
    }
}
