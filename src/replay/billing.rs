//! What the turns of a conversation cost whom, as they are played.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::conversation::Conversation;
use super::exchange::Exchange;
use super::part::{Border, Mark};
use super::replayed::Replayed;
use super::rounds::{self, requests};
use super::staging::retold;
use crate::bill::{COMPACTED_TO, COMPACTION_WRITES, COMPACTS_AT, CacheKind, Other, Said};
use crate::memory::{CountTokens, Layer, Tokens};
use crate::orchestrator::{Op, TurnReport};
use crate::scenario::{PlayError, Player};

/// Says what a turn of the conversation cost whom.
pub(super) struct Billing<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) counter: Arc<dyn CountTokens>,
    /// Tokens of a message beyond which it is held by reference.
    pub(super) limit: Tokens,
    /// The most tokens that a window has.
    pub(super) budget: Tokens,
    pub(super) cache: CacheKind,
    /// Tokens from which on it keeps the beginning of a prompt.
    pub(super) least: u64,
    /// How long the server's cache keeps what it holds.
    pub(super) lifetime: Duration,
}

impl Billing<'_> {
    pub(super) async fn play_turns(
        &self,
        player: &mut Player,
        replayed: &mut Replayed,
        lasts: bool,
        told: &mut dyn FnMut(usize, usize),
    ) -> Result<(), PlayError> {
        let turns = self.conversation.len();
        let count = turns + usize::from(lasts);
        let mut last = Said::default();
        for at in 0.. {
            let Some(user) = player.prepare_turn() else { break };
            player.handle().send(Op::Send(user.clone()));
            let report = player.await_report().await?;
            replayed.take(&report.changes, &report.memory, report.bill.own);
            let asked = report.sent.total().max(report.answered.total()).0;
            replayed.largest_request = replayed.largest_request.max(asked);
            replayed.small += u64::from(asked < self.least);
            last = self.bill(at, &user, &report, replayed)?;
            let step = replayed.step(report.turn.0, &report.memory);
            replayed.steps.push(step);
            told(at + 1, count);
        }
        // Behind the last turn the last topic is concluded, which costs this memory alone.
        if lasts && replayed.steps.len() == turns {
            let end = player.conclude().await?;
            replayed.take(&end.changes, &end.memory, end.paid);
            replayed.concluded = Some(replayed.step(turns as u64, &end.memory));
            told(count, count);
        }
        // In the last turn, or behind it.
        let at = (self.conversation.len(), 0);
        let again = &mut replayed.again;
        replayed.compacted += self.compact(at, &last, &mut replayed.then, |_| true).0;
        self.compact(at, &last, &mut again.then, |_| true);
        replayed.largest_request = replayed.largest_request.max(again.largest);
        Ok(())
    }

    /// What others would have paid for a turn.
    fn bill(
        &self,
        at: usize,
        user: &str,
        report: &TurnReport,
        replayed: &mut Replayed,
    ) -> Result<Said, PlayError> {
        let unread = |reason: io::Error| PlayError::Script(reason.to_string());
        let retold = retold(self.conversation, at, self.lifetime).map_err(unread)?;
        let (tools, begins) = (retold.tools, retold.begins);
        let user = self.counter.count(user);
        let by_reference = u64::from(tools.held) + if user > self.limit { user.0 } else { 0 };
        replayed.hold_apart(by_reference);
        let copied = self.conversation.border(at).and_then(Border::copied);
        let fixed = report.sent.of(Layer::System) + report.sent.of(Layer::Tools);
        let reply = self.counter.count(&report.reply).0;
        let (cache, least) = (self.cache, self.least);
        let plain = Said { user: user.0, reply, fixed: fixed.0, cache, least, ..Said::default() };
        let said = retold.said(plain);
        replayed.pauses.turns += u64::from(said.cold);
        if at == 0 || begins.is_some() {
            let again = &mut replayed.again.then;
            let behind = |mark: &Mark| mark.is_behind;
            replayed.compacted += self.compact((at, 0), &said, &mut replayed.then, behind).0;
            self.compact((at, 0), &said, again, behind);
            let copied = copied.unwrap_or_default();
            replayed.others.begin_anew(copied.all);
            replayed.then.begin_anew(copied.in_window);
            replayed.again.begin_anew(copied.all, copied.in_window);
            replayed.began = replayed.said.saturating_sub(copied.all);
            replayed.conversations += 1;
        }
        replayed.said += said.growth();
        let sent = self.conversation.sent(at).map_err(unread)?;
        let bytes = report.reply.len();
        let requests = requests(&said, &sent, (bytes, reply));
        replayed.others.turn_of(&requests);
        replayed.again.others(&requests);
        self.as_then((at, begins.is_some()), &requests, replayed);
        let turn = rounds::Turn {
            sent: &sent,
            reply: (bytes, reply),
            returned: tools.divided(reply).1,
            cache,
            least,
        };
        let window = report.sent.total().0;
        let exchange = Exchange::new(self.budget.0, window, fixed.0, user.0);
        replayed.again.own(&turn, exchange);
        Ok(said)
    }
}

impl Billing<'_> {
    /// Takes the program itself through the requests of a turn: one after the other, and told as one where it did not compact
    /// between them.
    fn as_then(&self, (at, begins): (usize, bool), requests: &[Said], replayed: &mut Replayed) {
        let counts = |mark: &Mark| !(begins && mark.is_behind);
        let marks = self.marks(at).iter().filter(|mark| counts(mark));
        let borders: Vec<usize> = marks.map(|mark| mark.request as usize).collect();
        let mut requests = Cow::Borrowed(requests);
        let within = 1..requests.len();
        for &border in borders.iter().filter(|border| within.contains(*border)) {
            // The results that were there already were part of what it made a summary of.
            let requests = requests.to_mut();
            let returned = std::mem::take(&mut requests[border].looked_up);
            requests[border - 1].reply += returned;
        }
        let mut from = 0;
        for to in 1..=requests.len() {
            let request = &requests[to - 1];
            let of_one = self.compact((at, to - 1), request, &mut replayed.again.then, counts).1;
            replayed.again.then.turn_compacted(&of_one, []);
            if to == requests.len() || borders.contains(&to) {
                let part = Said::together(&requests[from..to]);
                let (made, part) = self.compact((at, from), &part, &mut replayed.then, counts);
                replayed.compacted += made;
                replayed.then.turn_compacted(&part, []);
                from = to;
            }
        }
    }

    /// The program makes the summaries that it made before a request of a turn, of those that count. Returns how many, and the
    /// request as it goes out then.
    fn compact(
        &self,
        (at, request): (usize, usize),
        said: &Said,
        then: &mut Other,
        counts: impl Fn(&Mark) -> bool,
    ) -> (u64, Said) {
        let (mut said, mut count) = (*said, 0);
        let marks = self.marks(at).iter().filter(|mark| mark.request as usize == request);
        for mark in marks.filter(|mark| counts(mark)) {
            said = then.compacted(&said, [self.summary(mark, then.history)]);
            count += 1;
        }
        (count, said)
    }

    /// Where the program compacted before a turn and in it.
    fn marks(&self, at: usize) -> &[Mark] {
        let marks = self.conversation.marks();
        let from = marks.partition_point(|mark| mark.turn < at);
        let to = marks.partition_point(|mark| mark.turn <= at);
        &marks[from..to]
    }

    /// Tokens of a summary that the program itself made, and of what stayed beside it. Where the log does not hold it, the
    /// part of the history that the log says the window kept stands for both, else the usual one; of that no greater part was
    /// written than is usual.
    fn summary(&self, mark: &Mark, history: u64) -> (u64, u64) {
        let one = &mark.compaction;
        if let Some(text) = &one.summary {
            return (self.counter.count(text).0, mark.kept);
        }
        let known = match (one.before, one.after) {
            (None, Some(after)) => Some((history.max(1), after.min(history))),
            (before, after) => before.zip(after).filter(|(before, after)| after < before),
        };
        let (before, after) = known.unwrap_or((COMPACTS_AT, COMPACTED_TO));
        let part = |tokens: u64, of: u64, all: u64| {
            (u128::from(tokens) * u128::from(of) / u128::from(all.max(1))) as u64
        };
        let in_all = part(history, after, before).min(COMPACTED_TO).max(mark.kept);
        let written = part(in_all, COMPACTION_WRITES, COMPACTED_TO).min(in_all - mark.kept);
        (written, in_all - written)
    }
}
