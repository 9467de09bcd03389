//! The requests of a turn: its first, and one for each round of tools, which reads again all that came before it.
//!
//! A log shows them, and they are most of what a coding agent pays. The rows of the bill count one request a turn, which
//! needs no such assumption; these stand beside them. Others are taken through every request as they are through turns, so
//! that they compact where they would have within a turn.

use super::exchange::{Asked, Exchange};
use crate::bill::{Baselines, CacheKind, Other, Paid, Said};

/// Bytes of what a request sent, in the file.
pub(super) const SENT: usize = 8;

/// What a request sent of the reply of its turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sent {
    /// Bytes of it, with the calls and their short results.
    pub(super) reply: u32,
    /// Tokens of results beside it that are held by reference.
    pub(super) held: u32,
}

impl Sent {
    pub(super) fn bytes(self) -> [u8; SENT] {
        let numbers = u64::from(self.reply) << 32 | u64::from(self.held);
        numbers.to_le_bytes()
    }

    pub(super) fn of(bytes: [u8; SENT]) -> Self {
        let numbers = u64::from_le_bytes(bytes);
        Self { reply: (numbers >> 32) as u32, held: numbers as u32 }
    }

    /// Tokens of a reply of so many bytes and tokens that stand in it.
    pub(super) fn of_reply(self, bytes: usize, tokens: u64) -> u64 {
        let part = u128::from(self.reply) * u128::from(tokens) / (bytes.max(1) as u128);
        (part as u64).min(tokens)
    }
}

/// A turn as its requests: each with what is new in it, and with what the model wrote then. Together they say what the turn
/// did. `sent` is what the later ones sent of a reply of so many bytes and tokens.
pub(super) fn requests(said: &Said, sent: &[Sent], (bytes, reply): (usize, u64)) -> Vec<Said> {
    let all = said.looked_up + said.reply;
    let part = |of: u64, tokens: u64| {
        let part = u128::from(of) * u128::from(tokens) / u128::from(all.max(1));
        part as u64
    };
    let beside = all.saturating_sub(reply);
    let so_far =
        |one: &Sent| (one.of_reply(bytes, reply) + u64::from(one.held).min(beside)).min(all);
    let mut before = Said::default();
    let mut requests = Vec::with_capacity(sent.len() + 1);
    let ends = sent.iter().map(so_far).map(Some).chain([None]);
    // Results that a request was made for are new in it, and stand behind the answer to the one before.
    let mut returned = 0;
    for (nth, end) in ends.enumerate() {
        let is_last = end.is_none();
        let tokens = end.unwrap_or(all);
        let [looked_up, written, output] =
            [said.looked_up, said.reply, said.output].map(|of| part(of, tokens));
        requests.push(Said {
            user: if nth == 0 { said.user } else { 0 },
            // Of the last results nobody knows whether they were sent; what was said is said.
            looked_up: if is_last { said.looked_up - before.looked_up } else { returned },
            reply: if is_last { said.reply } else { written }.saturating_sub(before.reply),
            output: if is_last { said.output } else { output }.saturating_sub(before.output),
            cold: said.cold && nth == 0,
            ..*said
        });
        before.looked_up += returned;
        returned = looked_up.saturating_sub(before.looked_up);
        (before.reply, before.output) = (written.max(before.reply), output.max(before.output));
    }
    requests
}

/// What requests behind the first of each turn read again, beside what the rows of the bill count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadAgain {
    /// Requests of turns, with the first ones.
    pub requests: u64,
    /// What this memory pays for those behind the first ones.
    pub own: Paid,
    /// What others pay for all of them.
    pub others: Baselines,
    /// What the program itself pays for all of them, which compacted where the log says so.
    pub then: Other,
    /// Tokens of the largest request of this memory behind a first one.
    pub largest: u64,
    /// Tokens of the largest prompt of the full history.
    pub largest_of_all: u64,
}

/// A turn in the chat's own window.
pub(super) struct Turn<'a> {
    pub(super) sent: &'a [Sent],
    /// Bytes and tokens of its reply as it stands in the window.
    pub(super) reply: (usize, u64),
    /// Tokens of that which tools wrote.
    pub(super) returned: u64,
    /// How the server's cache works.
    pub(super) cache: CacheKind,
    /// Tokens from which on it keeps the beginning of a prompt.
    pub(super) least: u64,
}

impl Turn<'_> {
    /// What a request takes, without the newest results: they count as read already.
    fn paid(&self, asked: Asked) -> Paid {
        let is_kept = |tokens: u64| tokens >= self.least && self.cache != CacheKind::None;
        let read = if is_kept(asked.read) { asked.read } else { 0 };
        let again = asked.read + asked.anew;
        let is_written = is_kept(asked.prompt()) && self.cache == CacheKind::Breakpoints;
        Paid::reported(again, read, if is_written { again } else { 0 }, 0)
    }
}

impl ReadAgain {
    /// Another conversation begins, with so many tokens that it goes on from: all, and those in its own program's window.
    pub(super) fn begin_anew(&mut self, all: u64, in_window: u64) {
        self.others.begin_anew(all);
        self.then.begin_anew(in_window);
    }

    /// Takes those who never heard of this memory through the requests of a turn.
    pub(super) fn others(&mut self, requests: &[Said]) {
        self.requests += requests.len() as u64;
        for one in requests {
            let prompt = self.others.with_cache.history + one.fixed + one.user + one.looked_up;
            self.largest_of_all = self.largest_of_all.max(prompt);
            self.others.turn(one);
        }
    }

    /// Takes the chat through them.
    pub(super) fn own(&mut self, turn: &Turn<'_>, mut exchange: Exchange) {
        let (bytes, tokens) = turn.reply;
        let mut before = 0;
        for sent in turn.sent {
            let so_far = sent.of_reply(bytes, tokens);
            let new = so_far.saturating_sub(before);
            let returned = u128::from(new) * u128::from(turn.returned) / u128::from(tokens.max(1));
            let asked = exchange.ask(new, new.saturating_sub(returned as u64));
            self.largest = self.largest.max(asked.prompt());
            self.own += turn.paid(asked);
            before = so_far;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Replayed;

    #[test]
    fn what_a_request_sent_comes_back_from_its_bytes() {
        for sent in
            [Sent::default(), Sent { reply: 7, held: u32::MAX }, Sent { reply: 1 << 31, held: 0 }]
        {
            assert_eq!(Sent::of(sent.bytes()), sent);
        }
    }

    #[test]
    fn the_requests_of_a_turn_say_together_what_it_said() {
        // A reply of 400 bytes and 100 tokens, of which the model wrote 60 of 1,100 beside a result of 1,000.
        let said = Said {
            user: 10,
            looked_up: 1_040,
            reply: 60,
            output: 70,
            fixed: 500,
            cold: true,
            ..Said::default()
        };
        let sent = [Sent { reply: 100, held: 0 }, Sent { reply: 200, held: 1_000 }];
        let told = requests(&said, &sent, (400, 100));
        let of = |of: fn(&Said) -> u64| told.iter().map(of).collect::<Vec<_>>();
        // 25 tokens stand before the second request, 1,050 before the third; 60 of 1,100 are the model's.
        assert_eq!(of(|one| one.user), [10, 0, 0]);
        assert_eq!(of(|one| one.looked_up), [0, 23, 1_017]);
        assert_eq!(of(|one| one.reply), [1, 56, 3]);
        assert_eq!(of(|one| one.output).iter().sum::<u64>(), 70);
        assert_eq!(of(|one| one.fixed), [500; 3]);
        assert_eq!(told.iter().map(|one| one.cold).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(requests(&said, &[], (400, 100)), [said]);
    }

    #[test]
    fn each_request_reads_again_what_came_before_it() {
        let one = Said {
            user: 1_000,
            reply: 100,
            fixed: 500,
            cache: CacheKind::Prefix,
            ..Said::default()
        };
        let mut again = ReadAgain::default();
        again.others(&[one; 3]);
        // Prompts of 1,500, 2,600 and 3,700 tokens, of which 0, 1,500 and 2,600 were sent before.
        let full = again.others.with_cache.paid();
        assert_eq!((full.read, full.uncached), (1_500 + 2_600, 1_500 + 1_100 + 1_100));
        assert_eq!((again.requests, again.largest_of_all), (3, 3_700));
        let replayed = Replayed { others: again.others, ..Replayed::default() };
        assert_eq!(again.tokens(&replayed), [0; 4], "no more than the rows");
        assert_eq!(again.tokens(&Replayed::default())[1], 1_500 + 2_600 + 3_700);
    }

    #[test]
    fn who_compacts_at_a_threshold_does_so_within_a_turn() {
        let said = Said {
            user: 1_000,
            looked_up: 200_000,
            fixed: 1_000,
            cache: CacheKind::Prefix,
            ..Said::default()
        };
        // Ten results of 20,000 tokens each.
        let sent: Vec<Sent> = (1..=10).map(|nth| Sent { reply: 20 * nth, held: 0 }).collect();
        let requests = requests(&said, &sent, (200, 200_000));
        let mut again = ReadAgain::default();
        again.others(&requests);
        // The prompt of the first has 2,000 tokens, that of the eighth 142,000; the ninth would have 162,000.
        let (first, second) = ((0..=7).map(|nth| 2_000 + 20_000 * nth), [33_000, 53_000, 73_000]);
        let prompts: u64 = first.chain([142_000]).chain(second).sum();
        assert_eq!(again.others.compactions, 1);
        assert_eq!(again.others.compacting.paid().prompt(), prompts);
    }
}
