//! Messages of a log that no line of the journal tells of, because it is damaged, cut, or was lost: they are shown by
//! their own turn and place.
//!
//! The journal is read backwards, its turns fall. Of each log the turn of the message before what was read is known:
//! once the journal is before that turn, none of its lines should tell of the message any more. As turns in a journal may
//! be anything, that is looked up before the message is shown.

use std::collections::BTreeMap;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use super::{Backwards, TranscriptEntry, said_entries};
use crate::memory::{EffortId, Turn};
use crate::store::disk::files::{self, LinesBackwards};
use crate::store::disk::paths::AMBIENT;
use crate::store::journal;
use crate::store::log::{self, LogLine, Parsed};
use crate::store::record::entry::MOST_RECOVERED_TURN;
use crate::store::record::{Line, Record};
use crate::store::{Error, Problem};

/// Bytes that are read at first for the last message of a part of a log.
const NEAR: u64 = 4 * 1024;

/// Logs that are looked at before the journal is read; opening must stay fast.
const MOST_LOGS: usize = 300;

/// How far a log has been read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Everything from here on has been read.
    pub(super) start: u64,
    /// Whose log it is; `None` for ambient.
    pub(super) log: Option<EffortId>,
    /// The turn of the message before; 0 if there is none, or it does not tell.
    pub(super) next: Turn,
}

/// Lines of the journal in which it is looked up at once whether they tell of a message.
const MOST_LINES: usize = 2_000;

/// What the next lines of the journal tell of.
#[derive(Debug)]
pub(super) struct Ahead {
    /// Where the first of them begins.
    from: u64,
    /// The parts of each log.
    parts: BTreeMap<String, Vec<Range<u64>>>,
}

/// What is said of messages that the journal does not tell of.
pub(in crate::store) fn told(messages: u64) -> Option<Problem> {
    (messages > 0).then(|| {
        let (stand, are) = if messages == 1 { ("stands", "it is") } else { ("stand", "they are") };
        Problem(format!(
            "{messages} message(s) {stand} in the logs, but journal.jsonl, which is damaged or was cut, does not tell of \
             them: {are} shown by their own turn numbers. Nothing need be done to read them; what memory did in those \
             turns is known again if journal.jsonl is restored from a copy"
        ))
    })
}

impl Backwards<'_> {
    /// Before the first page: the ends of the logs, as far as they are few enough to be looked at.
    pub(super) fn see_ends(&mut self) -> Result<(), Error> {
        let known = self.known_efforts(|_| true)?.into_iter().map(|(id, file)| (file, Some(id)));
        // What the manifest tells of a log counts.
        let mut logs: BTreeMap<String, Option<EffortId>> = self.few_logs().collect();
        logs.extend(known.chain([(AMBIENT.to_owned(), None)]));
        for (file, log) in logs {
            let length = self.path_of(&file).map_or(0, |path| files::length(&path).unwrap_or(0));
            if length > 0 {
                self.see(&file, log, length);
            }
        }
        Ok(())
    }

    /// The logs below `efforts/` by their names, if there are few.
    fn few_logs(&self) -> impl Iterator<Item = (String, Option<EffortId>)> + use<> {
        let items = std::fs::read_dir(self.paths.efforts()).into_iter().flatten();
        let items: Vec<_> = items.take(MOST_LOGS + 1).flatten().collect();
        let few = (items.len() <= MOST_LOGS).then_some(items);
        few.into_iter().flatten().filter_map(|item| {
            let name = item.file_name().into_string().ok()?;
            let id = EffortId::stored(name.strip_suffix(".jsonl")?);
            Some((format!("efforts/{name}"), Some(id)))
        })
    }

    /// Notes that a log has been read from a position on.
    pub(super) fn see(&mut self, file: &str, log: Option<EffortId>, start: u64) {
        let next = self.turn_before(file, start).filter(|turn| turn.0 <= MOST_RECOVERED_TURN);
        let next = next.unwrap_or_default();
        let seen = Seen { start, log, next };
        if let Some(before) = self.logs.insert(file.to_owned(), seen) {
            self.next.remove(&(before.next, file.to_owned()));
        }
        self.next.insert((next, file.to_owned()));
    }

    /// Hands out a message that belongs behind a line of the journal, which tells of it no more. Returns whether there was
    /// one.
    pub(super) fn take_behind(&mut self, record: &Record) -> Result<bool, Error> {
        // A change that was undone comes with the turn in which it had been done.
        let tells = matches!(record.line, Line::Turn(_) | Line::Stopped(_));
        if !tells || record.turn == Turn(0) {
            return Ok(false);
        }
        self.take_uncovered(record.turn)
    }

    /// Hands out what is left when all of the journal was read, as much as is wanted. What was said before its first line is
    /// nothing that it should tell of.
    pub(super) fn take_rest(&mut self, most: usize) -> Result<(), Error> {
        let mut first = None;
        while self.entries.len() < most {
            let told = self.uncovered;
            let Some(turn) = self.next.last().map(|(turn, _)| *turn) else { break };
            if !self.take_uncovered(Turn(0))? {
                break;
            }
            if first.is_none() {
                first = Some(first_turn(&self.paths.journal())?);
            }
            if first.flatten().is_none_or(|first| turn < first) {
                self.uncovered = told;
            }
        }
        Ok(())
    }

    /// Hands out the last message of a turn behind this one that no line of the journal told of.
    pub(super) fn take_uncovered(&mut self, behind: Turn) -> Result<bool, Error> {
        let Some((turn, file)) = self.next.last().cloned() else { return Ok(false) };
        let (Some(seen), Ok(path)) = (self.logs.get(&file).cloned(), self.path_of(&file)) else {
            return Ok(false);
        };
        if turn <= behind {
            return Ok(false);
        }
        let last = last_message(&path, seen.start)?;
        let last = match last {
            Some((at, message)) if !self.is_told(&file, at)? => Some((at, message)),
            _ => None,
        };
        let Some((at, message)) = last else {
            // The line that tells of it comes yet.
            self.next.remove(&(turn, file));
            return self.take_uncovered(behind);
        };
        self.push_uncovered(message, seen.log.as_ref());
        self.after_turn = self.entries.len();
        self.see(&file, seen.log, at);
        Ok(true)
    }

    /// Hands out what stands in a log between the exchange of a turn and what was read of it.
    pub(super) fn take_gap(
        &mut self,
        file: &str,
        log: Option<&EffortId>,
        from: u64,
    ) -> Result<(), Error> {
        let Ok(path) = self.path_of(file) else { return Ok(()) };
        let seen = self.logs.get(file).map(|seen| seen.start);
        let upto = seen.map_or_else(|| files::length(&path), Ok)?;
        if upto <= from {
            return Ok(());
        }
        for line in LinesBackwards::open(&path, Some(upto))? {
            let (at, line) = line?;
            if at < from {
                break;
            }
            if let Some(message) = log::parse(&line).message()
                && !self.is_told(file, at)?
            {
                self.push_uncovered(message, log);
            }
        }
        Ok(())
    }

    /// What another program said has no turn, and is nothing that the journal should tell of.
    fn push_uncovered(&mut self, message: LogLine, log: Option<&EffortId>) {
        let turn = Some(message.turn).filter(|&turn| turn > Turn(0));
        self.uncovered += u64::from(turn.is_some());
        let entries: Vec<TranscriptEntry> = said_entries(message, turn, log.cloned()).collect();
        self.entries.extend(entries);
    }

    /// Whether one of the next lines of the journal tells of what stands at a position of a log.
    fn is_told(&mut self, file: &str, at: u64) -> Result<bool, Error> {
        let is_behind = |ahead: &Ahead| ahead.from > 0 && self.position <= ahead.from;
        let known = self.ahead.take().filter(|ahead| !is_behind(ahead));
        let ahead = known.map_or_else(|| self.look_ahead(), Ok)?;
        let parts = ahead.parts.get(file).map_or(&[][..], Vec::as_slice);
        let told = parts.iter().any(|part| part.contains(&at));
        self.ahead = Some(ahead);
        Ok(told)
    }

    fn look_ahead(&self) -> Result<Ahead, Error> {
        let path = self.paths.journal();
        let (mut from, mut parts) = (0, BTreeMap::<String, Vec<_>>::new());
        for record in journal::backwards_from(&path, Some(self.position))?.take(MOST_LINES) {
            let (start, record) = record?;
            from = start;
            if let Line::Turn(line) = record.line
                && let Some((offset, bytes)) = line.offset.zip(line.bytes)
            {
                parts.entry(line.file).or_default().push(offset..offset.saturating_add(bytes));
            }
        }
        Ok(Ahead { from, parts })
    }

    pub(super) fn path_of(&self, file: &str) -> Result<PathBuf, Error> {
        if file == AMBIENT { Ok(self.paths.ambient()) } else { self.paths.inside(file) }
    }

    /// The turn of the last message before a position of a log.
    fn turn_before(&mut self, file: &str, before: u64) -> Option<Turn> {
        if let Some(turn) = self.near_turn(file, before).ok()? {
            return Some(turn);
        }
        let path = self.path_of(file).ok()?;
        last_message(&path, before).ok()?.map(|(_, message)| message.turn)
    }

    /// The same, if it is that of the last line and near.
    fn near_turn(&mut self, file: &str, before: u64) -> io::Result<Option<Turn>> {
        let Some(log) = self.opened(file) else { return Ok(Some(Turn(0))) };
        let from = before.saturating_sub(NEAR);
        let part = files::read_range(log, from, before - from)?;
        let part = part.strip_suffix(b"\n").unwrap_or(&part);
        let start = part.iter().rposition(|&byte| byte == b'\n').map(|at| at + 1);
        let Some(start) = start.or((from == 0).then_some(0)) else { return Ok(None) };
        Ok(match log::parse(&part[start..]) {
            Parsed::Message(message) => Some(message.turn),
            _ => None,
        })
    }
}

/// The first turn that the journal should tell of.
fn first_turn(journal: &Path) -> Result<Option<Turn>, Error> {
    let mut first = None;
    journal::lines(journal, 0, |_, record| {
        let of_turn =
            matches!(record.line, Line::Turn(_) | Line::Change(_) | Line::Stopped(_) | Line::Other);
        // Any other line is written when that turn is over; and one that is not the first lost those before it.
        let first_of_all = Turn(record.turn.0 + u64::from(!of_turn));
        first = Some(if record.seq > 1 { Turn(0) } else { first_of_all });
        ControlFlow::Break(())
    })?;
    Ok(first)
}

/// The last message before a position of a log, with where it begins.
fn last_message(path: &Path, before: u64) -> Result<Option<(u64, LogLine)>, Error> {
    for line in LinesBackwards::open(path, Some(before))? {
        let (at, line) = line?;
        if let Some(message) = log::parse(&line).message() {
            return Ok(Some((at, message)));
        }
    }
    Ok(None)
}
