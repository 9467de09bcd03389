//! The rounds of tools of a turn as the chat sends them: they stay until a request would be over the limit. Then the window
//! gives way to them, and then the oldest rounds, as the chat's own exchange does. A cache keeps a prompt up to where
//! something left it: what stands behind that is read anew.

use std::collections::VecDeque;

/// Tokens that stand for the results of a round that are left out.
const LEFT_OUT: u64 = 14;

/// A part of the limit (one in so many) that the window leaves free for rounds to come, where it gives way.
const AHEAD: u64 = 8;

/// A part of the room that the oldest rounds leave free, where they give way.
const SPARE: u64 = 4;

/// What of the room stands for what is left out at most (one in so many), where there is no room for more.
const STUBS: u64 = 4;

/// A request by what the cache held of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Tokens that the request before it had sent.
    pub(super) read: u64,
    /// Tokens behind those which are read anew, but for the newest results: they count as read already.
    pub(super) anew: u64,
    /// The newest results.
    returned: u64,
}

impl Asked {
    /// All of its tokens.
    pub(super) fn prompt(self) -> u64 {
        self.read + self.anew + self.returned
    }
}

/// The rounds so far beside the window.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// The most tokens that a request has.
    limit: u64,
    /// System prompt and tools, which never give way.
    frame: u64,
    /// What the window holds beside those, and the message behind it.
    window: u64,
    message: u64,
    /// Rounds that are sent in full, the oldest first: their tokens, and those of what stays when results are left out.
    full: VecDeque<(u64, u64)>,
    in_full: u64,
    /// Rounds whose results are left out, the oldest first.
    stubs: VecDeque<u64>,
    in_stubs: u64,
}

impl Exchange {
    /// None yet, beside a window that had so many tokens in the first request, system prompt, tools and message among them.
    pub(super) fn new(limit: u64, window: u64, frame: u64, message: u64) -> Self {
        let window = window.saturating_sub(frame).saturating_sub(message);
        Self { limit, frame, window, message, ..Self::default() }
    }

    fn total(&self) -> u64 {
        self.frame + self.window + self.message + self.in_stubs + self.in_full
    }

    /// The next request, with a round of so many tokens more, of which the model wrote so many.
    pub(super) fn ask(&mut self, new: u64, written: u64) -> Asked {
        let mut kept = self.total();
        if kept + new > self.limit {
            kept = self.give_way(new);
        }
        // The newest results are cut where not even they have room.
        let new = new.min(self.limit.saturating_sub(self.total()));
        let returned = new - written.min(new);
        self.full.push_back((new, (written + LEFT_OUT).min(new)));
        self.in_full += new;
        Asked { read: kept, anew: self.total() - kept - returned, returned }
    }

    /// Makes room for so many tokens, and says how many at the beginning stay as they were.
    fn give_way(&mut self, new: u64) -> u64 {
        let mut kept = self.total();
        let is_over = |exchange: &Self| exchange.total() + new > exchange.limit;
        let ahead = self.in_stubs + self.in_full + new + self.limit / AHEAD;
        let left = self.limit.saturating_sub(self.frame + self.message + ahead);
        if left < self.window {
            (self.window, kept) = (left, self.frame);
        }
        let room = self.limit.saturating_sub(self.frame + self.message);
        let spare = if is_over(self) { room / SPARE } else { 0 };
        while self.total() + new + spare > self.limit
            && let Some((tokens, stub)) = self.full.pop_front()
        {
            kept = kept.min(self.frame + self.window + self.message + self.in_stubs);
            self.in_full -= tokens;
            self.in_stubs += stub;
            self.stubs.push_back(stub);
        }
        if is_over(self) && self.in_stubs > room / STUBS {
            kept = kept.min(self.frame + self.window + self.message);
            while self.in_stubs > room / (2 * STUBS)
                && let Some(stub) = self.stubs.pop_front()
            {
                self.in_stubs -= stub;
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gives_way_breaks_the_prefix_and_what_stands_behind_is_read_anew() {
        // A limit of 1,000 beside a frame of 100, a window of 200 and a message of 50; rounds of 150, of which 10 are calls.
        let mut exchange = Exchange::new(1_000, 350, 100, 50);
        let mut next = || exchange.ask(150, 10);
        let asked = |read, anew| Asked { read, anew, returned: 140 };
        // As long as there is room, the calls alone are new and not yet counted.
        assert_eq!([next(), next()], [asked(350, 10), asked(500, 10)]);
        assert_eq!([next(), next()], [asked(650, 10), asked(800, 10)]);
        // The fifth finds none: the window leaves 1,000 - 150 - 750 - 125, which is nothing; the frame alone stays.
        assert_eq!(next(), asked(100, 50 + 600 + 10));
        // The sixth leaves the results of the first three out, of which 24 tokens stay each: a quarter of the room is free then.
        assert_eq!(next(), asked(150, 3 * 24 + 300 + 10));
        assert_eq!([next(), next()], [asked(672, 10), asked(822, 10)]);
        // The ninth those of the next three; what stands for the first ones stays as it was.
        assert_eq!(next(), asked(150 + 72, 3 * 24 + 300 + 10));
    }

    #[test]
    fn no_request_is_larger_than_the_limit() {
        let mut exchange = Exchange::new(1_000, 400, 100, 50);
        for nth in 0..200 {
            let asked = exchange.ask(1 + nth * 37 % 900, nth % 30);
            assert!(asked.prompt() <= 1_000, "{nth}: {asked:?}");
        }
    }
}
