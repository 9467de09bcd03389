//! What is said in a turn: the user's words on disk before the first request, the exchange in its log before the
//! turn counts.

use std::sync::Arc;

use super::pending::{Pending, Place, Reply};
use crate::clock;
use crate::memory::{EffortId, Exchange, Turn};
use crate::store::disk::paths::AMBIENT;
use crate::store::record::{Line, Stopped, TurnLine};
use crate::store::{Error, LoggedMessage, Store};

/// Typed text above so many bytes is logged as the window holds it, by its pointer: the item on the
/// scratchpad is the log of it.
pub const MOST_LOGGED: usize = 1024 * 1024;

/// An exchange that is in its log.
#[derive(Debug)]
pub(in crate::store) struct Logged {
    /// Its turn.
    pub(in crate::store) turn: Turn,
    place: Place,
    bytes: usize,
    entered: Option<u64>,
}

impl Logged {
    /// The line of its turn that tells where it is.
    pub(in crate::store) fn line(&self) -> TurnLine {
        let (bytes, entered) = (Some(self.bytes as u64), self.entered);
        TurnLine { bytes, entered, ..self.place.turn_line() }
    }
}

impl Store {
    /// Puts the user's words on disk, before the first request. `log` is where the exchange is expected to be
    /// logged, as things stand; `None` means the ambient log.
    ///
    /// # Errors
    /// When they cannot be written; the turn should not begin then.
    pub fn begin_turn(
        &mut self,
        turn: Turn,
        user: &str,
        log: Option<&EffortId>,
    ) -> Result<(), Error> {
        self.check_place()?;
        self.settle_logged()?;
        let pending = Pending {
            turn,
            user: user.into(),
            shown: None,
            asked: self.said_at.clone().unwrap_or_else(clock::timestamp),
            entered: self.entered,
            model: self.model.clone(),
            // Without a place the reply is safe on its own, before it is logged.
            place: self.place_in(log).ok(),
            reply: None,
            arrived: String::new(),
        };
        if self.is_kept() {
            self.pending_file.begin(&self.paths, &pending)?;
        }
        self.pending = Some(pending);
        Ok(())
    }

    /// Keeps a part of the reply that has arrived, for whoever opens the session after the process was killed. If it cannot be
    /// written, only that is lost.
    pub fn keep_arrived(&mut self, part: &str) {
        if !self.is_kept() || self.pending.is_none() {
            return;
        }
        if let Err(error) = self.pending_file.add_arrived(&self.paths, part) {
            tracing::debug!("what arrived of the reply is not kept: {error}");
        }
    }

    /// Logs what was said in a turn, the user's words as they were typed when the turn began; where the
    /// exchange has them in another form, that is kept beside them. First comes a record from which it could be
    /// done again, then both lines in one write. Returns the messages as the log holds them.
    ///
    /// # Errors
    /// When it cannot be written; the logs are as before then, and the turn should fail.
    pub fn log_exchange(
        &mut self,
        turn: Turn,
        log: Option<&EffortId>,
        exchange: &Exchange,
    ) -> Result<Vec<LoggedMessage>, Error> {
        self.check_place()?;
        let place = self.place_in(log)?;
        let before = self.pending.take();
        let mut redo =
            with_reply(before.as_ref().filter(|it| it.turn == turn), turn, exchange, &place);
        let (finish, said_at) = (self.finish.take(), self.said_at.take());
        if let (Some(at), Some(reply)) = (said_at, &mut redo.reply) {
            reply.at = at;
        }
        redo.reply.iter_mut().for_each(|reply| reply.finish.clone_from(&finish));
        match self.write_exchange(&redo, &place) {
            Ok(bytes) => {
                self.logged = Some(Logged { turn, place, bytes, entered: redo.entered });
                let messages = redo.reply.iter().flat_map(|reply| redo.messages(reply)).collect();
                self.pending = Some(redo);
                Ok(messages)
            }
            Err(error) => {
                // The turn fails, so it must not be completed later. Best effort: if this write fails as
                // well, the turn is completed when the session is opened next, which loses nothing.
                let _ = self.pending_file.take_back(&self.paths);
                self.pending = before;
                Err(error)
            }
        }
    }

    /// Takes when the next turn was said, as it is written into logs, if that is not now; empty where nobody told.
    pub fn say_at(&mut self, at: Option<String>) {
        self.said_at = at;
    }

    /// The day on which a turn is said that is told again, as figures, empty where nobody told; none of one that is said now.
    pub fn day_of_turn(&self) -> Option<String> {
        let day = |at: &str| clock::day_of(at).map(|day| day.to_string());
        self.said_at.as_deref().map(|at| day(at).unwrap_or_default())
    }

    /// Takes how the reply that is logged next ended, in the word of its server, if it is not whole.
    pub fn note_finish(&mut self, finish: Option<&str>) {
        self.finish = finish.map(Into::into);
    }

    /// The end of a log, where the next exchange begins.
    fn place_in(&mut self, log: Option<&EffortId>) -> Result<Place, Error> {
        if !self.is_kept() {
            return Ok(Place { log: log.cloned(), file: String::new(), offset: 0 });
        }
        if let Some(id) = log {
            self.open_logs(Some(id))?;
        }
        let file = log.map_or_else(|| AMBIENT.to_owned(), |id| self.effort_files().of(id));
        let offset = self.logs.appender(&file, &mut self.problems)?.len()?;
        Ok(Place { log: log.cloned(), file, offset })
    }

    /// Writes the reply beside the words, then the exchange to its log. Returns how many bytes it has there.
    fn write_exchange(&mut self, redo: &Pending, place: &Place) -> Result<usize, Error> {
        let Some(reply) = &redo.reply else { return Ok(0) };
        let lines = redo.lines(reply);
        if let Some(logs) = &self.spooled {
            // A turn that is cut short is of no use to anybody.
            logs.append(place.log.as_ref(), &lines)?;
            return Ok(lines.len());
        }
        if redo.place.as_ref() == Some(place) {
            // The words say where the exchange is looked for.
            self.pending_file.add_reply(&self.paths, redo)?;
        } else {
            self.pending_file.add_reply_for_good(&self.paths, redo)?;
        }
        self.append_exchange(&place.file, &lines)?;
        Ok(lines.len())
    }

    /// Appends an exchange for good, or leaves the log as it was.
    fn append_exchange(&mut self, file: &str, lines: &[u8]) -> Result<(), Error> {
        let log = self.logs.appender(file, &mut self.problems)?;
        let offset = log.append(lines)?;
        log.sync().inspect_err(|_| {
            // If even this fails, the lines stand there twice should the message be sent again.
            let _ = log.cut(offset);
        })
    }

    /// The turn failed or was cancelled: its words and what arrived of the reply stay readable in the
    /// journal.
    ///
    /// # Errors
    /// When the journal cannot be written; the words are still in `pending.json` then.
    pub fn abandon_turn(
        &mut self,
        turn: Turn,
        user: &str,
        partial: &str,
        cause: &str,
    ) -> Result<(), Error> {
        self.said_at = None;
        if !self.is_kept() {
            self.pending = None;
            return Ok(());
        }
        let [user, partial, cause] = [user, partial, cause].map(str::to_owned);
        let stopped =
            Stopped { user, partial, cause, entered: self.entered, model: self.model.clone() };
        self.journal.push(turn, &clock::timestamp(), Line::Stopped(stopped.into()))?;
        self.journal.sync()?;
        self.pending = None;
        self.pending_file.clear(&self.paths)
    }

    /// Makes sure of an exchange whose turn could not be counted when it ended.
    pub(in crate::store) fn settle_logged(&mut self) -> Result<(), Error> {
        let Some(logged) = &self.logged else { return Ok(()) };
        let turn = logged.turn;
        let line = TurnLine { recovered: true, model: self.model.clone(), ..logged.line() };
        self.journal.push(turn, &clock::timestamp(), Line::Turn(line.into()))?;
        self.logged = None;
        self.journal.sync()?;
        self.session.turn = self.session.turn.max(turn);
        Ok(())
    }
}

/// A turn with its reply. What was typed is logged as it was, unless it is too large for a log.
fn with_reply(begun: Option<&Pending>, turn: Turn, exchange: &Exchange, place: &Place) -> Pending {
    let now = clock::timestamp();
    let logged_as_typed = begun.filter(|begun| begun.user.len() <= MOST_LOGGED);
    let typed = logged_as_typed.map_or(&exchange.user, |begun| &begun.user);
    let text = Arc::clone(&exchange.assistant);
    Pending {
        turn,
        user: Arc::clone(typed),
        shown: (*typed != exchange.user).then(|| Arc::clone(&exchange.user)),
        asked: begun.map_or_else(|| now.clone(), |begun| begun.asked.clone()),
        entered: begun.and_then(|begun| begun.entered),
        model: begun.and_then(|begun| begun.model.clone()),
        place: begun.and_then(|begun| begun.place.clone()),
        reply: Some(Reply { text, finish: None, at: now, place: place.clone() }),
        arrived: String::new(),
    }
}
