//! A turn that was under way when the process ended, or the power: it is completed if its reply was, else its words
//! are handed back.

use std::sync::Arc;

use crate::clock;
use crate::memory::Turn;
use crate::store::disk::files;
use crate::store::disk::paths::{AMBIENT, Paths};
use crate::store::journal;
use crate::store::record::{Line, Record, Stopped, TurnLine};
use crate::store::turn::pending::{Pending, Place, Reply};
use crate::store::{Error, Interrupted, LogReader, Problem, Store};

/// Bytes that are read of what may be half an exchange: a line of more holds more than a log takes.
const MOST_OF_HALF: u64 = 16 * crate::store::MOST_LOGGED as u64;

impl Store {
    /// A turn that was under way when the process ended: completed if its reply was complete, else
    /// handed back, and kept readable in the journal.
    pub(in crate::store) fn finish_pending(
        &mut self,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Interrupted>, Error> {
        let path = self.paths.pending();
        let next = Turn(self.session.turn.0 + 1);
        let Some(pending) = Pending::read(&self.paths, next, problems)? else { return Ok(None) };
        let mut interrupted = None;
        match &pending.reply {
            Some(reply) => self.complete(&pending, &self.placed(reply, problems)?)?,
            None if pending.turn > self.session.turn || !self.has_ended(&pending)? => {
                self.cut_half(&pending)?;
                interrupted = Some(self.note_interruption(&pending)?);
            }
            None => {}
        }
        files::remove(&path)?;
        Ok(interrupted)
    }

    /// A reply with a place in a log that can be written to: where the record names none, its words go to
    /// the end of the ambient log.
    fn placed(&self, reply: &Reply, problems: &mut Vec<Problem>) -> Result<Reply, Error> {
        if reply.place.path(&self.paths).is_some() {
            return Ok(reply.clone());
        }
        problems.push(Problem(format!(
            "pending.json names {} as the log of the last exchange, which is none: it is kept in {AMBIENT}",
            reply.place.file
        )));
        let offset = files::length(&self.paths.ambient())?;
        let place = Place { log: None, file: AMBIENT.into(), offset };
        Ok(Reply { place, ..reply.clone() })
    }

    /// Takes out of a log what a cut of power left of an exchange: the user's words alone. They stand in the
    /// record.
    fn cut_half(&mut self, pending: &Pending) -> Result<(), Error> {
        let Some(place) = &pending.place else { return Ok(()) };
        let Some(path) = place.path(&self.paths) else { return Ok(()) };
        if files::length(&path)? <= place.offset {
            return Ok(());
        }
        let log = self.logs.appender(&place.file, &mut self.problems)?;
        let rest = log.read_at(place.offset, MOST_OF_HALF)?;
        let mut lines = rest.split_inclusive(|&byte| byte == b'\n');
        if let (Some(line), None) = (lines.next(), lines.next())
            && pending.words_in(line).is_some_and(|said| said.content == pending.user)
        {
            log.cut(place.offset)?;
            log.sync()?;
        }
        Ok(())
    }

    /// Whether the journal counts the turn of a record. That a turn of this number was stopped says nothing:
    /// the next message begins it anew.
    fn is_counted(&self, pending: &Pending) -> Result<bool, Error> {
        // Behind a turn before it stands nothing of it: however long the journal is, its end is read alone.
        let counts = |record: Record| {
            let is_turn = matches!(record.line, Line::Turn(_)) && record.turn <= pending.turn;
            is_turn.then_some(record.turn == pending.turn)
        };
        Ok(journal::find_last(&self.paths.journal(), counts)?.unwrap_or(false))
    }

    /// Whether the journal tells how a turn without a reply ended, so that its record is only left over.
    fn has_ended(&self, pending: &Pending) -> Result<bool, Error> {
        let ends = |record: Record| {
            let is_before = matches!(record.line, Line::Turn(_)) && record.turn < pending.turn;
            let ends = is_stop_of(&record, pending);
            (ends || is_before).then_some(ends)
        };
        let is_stopped = journal::find_last(&self.paths.journal(), ends)?.unwrap_or(false);
        Ok(is_stopped || self.is_counted(pending)?)
    }

    /// Counts a turn whose reply is complete; the words are logged unless they are.
    fn complete(&mut self, pending: &Pending, reply: &Reply) -> Result<(), Error> {
        let expected = pending.lines(reply);
        // Where the state is missing, its turn is a guess from the logs; the journal knows.
        let is_counted = self.is_counted(pending)?;
        let log = self.logs.appender(&reply.place.file, &mut self.problems)?;
        let logged = log.read_at(reply.place.offset, expected.len() as u64)?;
        if logged == expected && is_counted {
            return Ok(());
        }
        let mut place = reply.place.clone();
        if logged != expected {
            if expected.starts_with(&logged) && log.len()? > place.offset {
                log.cut(place.offset)?;
            }
            place.offset = log.append(&expected)?;
        }
        log.sync()?;
        let (bytes, entered) = (Some(expected.len() as u64), pending.entered);
        let model = pending.model.clone();
        let line = TurnLine { bytes, recovered: true, entered, model, ..place.turn_line() };
        self.journal.push(pending.turn, &reply.at, Line::Turn(line.into()))?;
        self.session.turn = self.session.turn.max(pending.turn);
        self.journal.sync()?;
        self.session.write(&self.paths, &clock::timestamp())
    }

    fn note_interruption(&mut self, pending: &Pending) -> Result<Interrupted, Error> {
        let last = journal::find_last(&self.paths.journal(), Some)?;
        let noted = last.is_some_and(|record| {
            is_stop_of(&record, pending) && record.entered == pending.entered
        });
        if !noted {
            let stopped = Stopped {
                user: pending.user.to_string(),
                partial: pending.arrived.clone(),
                cause: "the program ended before the reply was complete".into(),
                entered: pending.entered,
                model: pending.model.clone(),
            };
            self.journal.push(pending.turn, &pending.asked, Line::Stopped(stopped.into()))?;
            self.journal.sync()?;
        }
        Ok(Interrupted { turn: pending.turn, user: Arc::clone(&pending.user) })
    }
}

impl LogReader {
    /// The turn without a reply that is under way, or was when the process ended: it is told so until the session is opened
    /// again. Nothing is written.
    ///
    /// # Errors
    /// When its record cannot be read.
    pub fn under_way(&self) -> Result<Option<Interrupted>, Error> {
        let paths = Paths::to_look_at(&self.paths().dir);
        let pending = Pending::read(&paths, Turn::default(), &mut Vec::new())?;
        let without_reply = pending.filter(|pending| pending.reply.is_none());
        Ok(without_reply.map(|pending| Interrupted { turn: pending.turn, user: pending.user }))
    }
}

/// Whether a line tells that the turn of a record was stopped.
fn is_stop_of(record: &Record, pending: &Pending) -> bool {
    let of_words = |stopped: &Stopped| *stopped.user == *pending.user;
    record.turn == pending.turn && matches!(&record.line, Line::Stopped(it) if of_words(it))
}
