//! Where a conversation is told again, it is known what will be said: exchanges are indexed, and the messages behind them
//! looked for, some turns ahead and beside everything else. What is found so is what a search finds once its turn has
//! come. Where a turn brings anything else than was expected, all that is ahead of it is taken back: it is forgotten as
//! messages are that a person takes back, and counts from then on as these do.

use std::collections::VecDeque;
use std::sync::Arc;

use super::keeper::{FoundAhead, SaidKeeper, Sought};
use super::wanted::{Wanted, day};
use super::worth::{calls, what_is_asked};
use crate::clock;
use crate::memory::{EffortId, Role, Turn, knows_nothing};
use crate::orchestrator::driver::Driver;
use crate::orchestrator::op::{SaidAt, ToCome};
use crate::recall::MOST_HITS;
use crate::recall::said::Date;
use crate::store::LoggedMessage;

/// For so many turns to come is looked at most.
pub(crate) const MOST_AHEAD: usize = 16;

/// What is known of turns before they end.
#[derive(Debug, Default)]
pub(in crate::orchestrator) struct Ahead {
    /// What will be said in the turn under way.
    under_way: Option<ToCome>,
    /// In those behind it, in their order.
    to_come: VecDeque<ToCome>,
    /// Exchanges that the index holds and that are not logged yet, in their order.
    expected: VecDeque<Expected>,
    /// What was found for the message of the turn under way.
    found: Option<FoundAhead>,
}

/// An exchange that will be logged.
#[derive(Debug)]
struct Expected {
    log: Option<EffortId>,
    /// The number of its first message in the log.
    first: u64,
    messages: Vec<LoggedMessage>,
}

impl Ahead {
    /// Takes what will be said in a turn behind all that are known.
    pub(in crate::orchestrator) fn foretell(&mut self, turn: ToCome) {
        self.to_come.push_back(turn);
    }

    /// A turn begins with a message. If it is another one than was told, nothing is known of those behind it either.
    pub(in crate::orchestrator) fn begin(&mut self, message: &str) {
        self.under_way = self.to_come.pop_front().filter(|turn| *turn.user == *message);
        if self.under_way.is_none() {
            self.to_come.clear();
        }
    }

    /// The turn in which the exchange is said with which looking ahead goes on, if it is for so many turns already, and
    /// the one behind it.
    fn next(&self, ahead: usize) -> Option<(&ToCome, &ToCome)> {
        let turn = match ahead.checked_sub(1) {
            Some(before) => self.to_come.get(before),
            None => self.under_way.as_ref(),
        };
        turn.zip(self.to_come.get(ahead))
    }

    /// Messages of a log that are expected.
    fn expected_in(&self, log: Option<&EffortId>) -> usize {
        let own = self.expected.iter().filter(|expected| expected.log.as_ref() == log);
        own.map(|expected| expected.messages.len()).sum()
    }
}

impl ToCome {
    /// The reply, if its turn changes nothing else that can be found. One that knows nothing has the message looked for
    /// once more, which the exchange itself must not answer.
    fn sure_reply(&self) -> Option<&str> {
        let reply = self.reply.as_deref().map(str::trim);
        reply.filter(|reply| !reply.is_empty() && !knows_nothing(reply))
    }

    /// Whether the message is logged as it is, where one may have so many tokens: none has more than bytes.
    fn is_logged_as_it_is(&self, most: u64) -> bool {
        self.user.len() as u64 <= most && !self.user.contains('@')
    }

    fn time(&self) -> String {
        self.said_at.map_or_else(clock::timestamp, SaidAt::written)
    }

    /// The day from which "yesterday" counts in the message.
    fn day(&self) -> Option<Date> {
        match self.said_at {
            Some(said_at) => clock::day_of(&said_at.written()),
            None => clock::today().parse().ok(),
        }
    }

    fn messages(&self, turn: Turn, reply: &str) -> Vec<LoggedMessage> {
        let at = self.time();
        let said = [(Role::User, Arc::clone(&self.user)), (Role::Assistant, reply.into())];
        let message = |(role, text)| LoggedMessage { role, text, at: at.clone(), turn: Some(turn) };
        said.map(message).into()
    }
}

impl Driver {
    /// Takes what was found beforehand for the message of the turn that begins.
    pub(super) fn take_found_ahead(&mut self) {
        self.ahead.found = self.said.as_mut().and_then(SaidKeeper::found_ahead);
    }

    /// What was found beforehand, if it was looked for this. Where nothing was, or for something else, nothing may have
    /// been indexed beforehand either.
    pub(super) fn found_ahead(&mut self, sought: &Sought) -> Option<FoundAhead> {
        let found = self.ahead.found.take().filter(|found| found.sought == *sought);
        if found.is_none() {
            self.take_back_ahead();
        }
        found
    }

    /// Once a turn knows what it recalls, and once it has ended if it was not known what comes of it: looks for the
    /// messages of turns to come.
    pub(in crate::orchestrator) fn look_ahead(&mut self) {
        // What nobody has looked at is of no use later.
        self.ahead.found = None;
        if self.memory.rules().recall().0 == 0 {
            return;
        }
        // Several at once: to wake the other thread takes time.
        if self.is_ahead_by().is_some_and(|ahead| ahead > MOST_AHEAD / 2) {
            return;
        }
        while self.is_ahead_by().is_some_and(|ahead| ahead < MOST_AHEAD) && self.look_on() {}
    }

    /// The same where a turn has ended that nothing was expected of: its exchange is indexed as that of any other.
    pub(in crate::orchestrator) fn look_ahead_anew(&mut self) {
        let Some(next) = self.ahead.to_come.front() else { return };
        if self.memory.rules().recall().0 == 0 || self.is_ahead_by() != Some(0) {
            return;
        }
        let before = self.memory.last_exchange();
        let sought = self.sought_for(next, before.iter().map(|message| &*message.content));
        if let Some(said) = &mut self.said {
            said.search_ahead(None, sought);
        }
        self.look_ahead();
    }

    /// For how many turns to come it has looked; `None` where it cannot look ahead.
    fn is_ahead_by(&self) -> Option<usize> {
        let said = self.said.as_ref().filter(|said| said.searches_ahead());
        said.map(SaidKeeper::is_ahead_by)
    }

    /// What will be looked for when a message is said behind an exchange; nothing where it calls for nothing.
    fn sought_for<'a>(
        &self,
        message: &'a ToCome,
        before: impl IntoIterator<Item = &'a str>,
    ) -> Option<Sought> {
        let (about, _) = what_is_asked(&message.user, before);
        calls(&self.memory, &about).then(|| Sought::new(&about, MOST_HITS, message.day()))
    }

    /// Indexes the next exchange to come and looks for the message behind it; whether it is sure what these are.
    fn look_on(&mut self) -> bool {
        let Some((wanted, sought, expected)) = self.next_expected() else { return false };
        if let Some(said) = &mut self.said {
            said.search_ahead(Some(wanted), sought);
            self.ahead.expected.push_back(expected);
        }
        true
    }

    fn next_expected(&self) -> Option<(Wanted, Option<Sought>, Expected)> {
        let ahead = self.is_ahead_by()?;
        let (turn, next) = self.ahead.next(ahead)?;
        let reply = turn.sure_reply()?;
        turn.is_logged_as_it_is(self.settings.input_limit().0).then_some(())?;
        let log = self.memory.log_of_turn().filter(|_| !turn.aside).cloned();
        let messages = turn.messages(Turn(self.memory.current_turn().0 + ahead as u64), reply);
        let effort = log.as_ref().and_then(|id| self.memory.effort(id));
        let wanted = effort.map_or_else(|| Wanted::ambient(&self.memory), Wanted::effort);
        let before = self.ahead.expected_in(log.as_ref());
        let (first, wanted) = wanted.with_next(before, messages.clone())?;
        let sought = self.sought_for(next, [&*turn.user, reply]);
        Some((wanted, sought, Expected { log, first, messages }))
    }

    /// Whether the exchange that was logged is the one that was expected, and is indexed.
    pub(super) fn was_expected(
        &mut self,
        log: Option<&EffortId>,
        logged: &[LoggedMessage],
    ) -> bool {
        let Some(expected) = self.ahead.expected.front() else { return false };
        let is_same = |(one, other): (&LoggedMessage, &LoggedMessage)| {
            one.text == other.text && day(one) == day(other) && one.turn == other.turn
        };
        let came = expected.log.as_ref() == log
            && expected.messages.len() == logged.len()
            && expected.messages.iter().zip(logged).all(is_same);
        if came {
            self.ahead.expected.pop_front();
        } else {
            self.take_back_ahead();
        }
        came
    }

    /// Whether what has come up is to be told to the index: always where it holds no turns to come, else if it does not
    /// hold it. Then the turns to come are taken back.
    pub(super) fn is_news(&mut self, wanted: &[Wanted]) -> bool {
        if self.ahead.expected.is_empty() && self.is_ahead_by().is_none_or(|ahead| ahead == 0) {
            return true;
        }
        let said = self.said.as_ref();
        let is_known = said.is_some_and(|said| wanted.iter().all(|one| said.sums_up(one)));
        if !is_known {
            self.take_back_ahead();
        }
        !is_known
    }

    /// Nothing that is to come is indexed or looked for any more.
    pub(in crate::orchestrator) fn take_back_ahead(&mut self) {
        let Some(said) = &mut self.said else { return };
        while said.is_ahead_by() > 0 {
            said.found_ahead();
        }
        let mut back: Vec<(Option<EffortId>, u64)> = Vec::new();
        for Expected { log, first, .. } in self.ahead.expected.drain(..) {
            if back.iter().all(|(known, _)| *known != log) {
                back.push((log, first));
            }
        }
        if !back.is_empty() {
            let only = back.iter().map(|(log, first)| Wanted::first_of(log.as_ref(), *first));
            said.take_in(only.collect());
        }
    }
}
