//! What was said and what happened, read from the end backwards.
//!
//! The journal tells the order and points at each exchange in its log, so that a page costs as much
//! as is shown. Before its first line comes what another program logged. What it should tell of and does not is shown
//! by what the logs tell themselves.

pub(in crate::store) mod uncovered;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::LogLine;
use crate::memory::{Change, ChangeKind, EffortId, Role, Status, Tokens, Turn};
use crate::store::Error;
use crate::store::disk::files::{self, LinesBackwards};
use crate::store::disk::paths::{AMBIENT, Paths};
use crate::store::log;
use crate::store::manifest::{Found, Manifest};
use crate::store::record::entry::Entry;
use crate::store::record::{Line, Record, TurnLine};
use uncovered::Seen;

/// A manifest larger than this is not read for a transcript: opening must stay fast.
const SMALL_MANIFEST: u64 = 128 * 1024;

/// What an entry of the transcript is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptKind {
    /// A message of the user.
    User,
    /// A reply of the model.
    Assistant,
    /// How the reply before it ended, in the word of its server, where that was noted: it may not be whole.
    Finish,
    /// What memory did, worded as its banner.
    Banner,
    /// The banner where an effort began, ended or was taken up again; `log` names the effort.
    Divider,
    /// What stands for the effort that was just concluded; `log` names it.
    Summary {
        /// The tokens of its log at the end of that turn.
        raw: Tokens,
        /// The tokens of its summary in the window.
        stands: Tokens,
    },
    /// The user's message of a turn that did not end well.
    Unanswered,
    /// The part of a reply that arrived before its turn stopped.
    PartialReply,
    /// Why a turn stopped.
    Cause,
}

/// One entry of the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptEntry {
    /// What it is.
    pub kind: TranscriptKind,
    /// Its text, as stored. May hold control characters: whoever draws it strips them.
    pub text: Arc<str>,
    /// The turn it belongs to; `None` if that is not known, and for what was done between turns.
    pub turn: Option<Turn>,
    /// The effort whose log holds it; `None` for ambient and for what no log holds.
    pub log: Option<EffortId>,
    /// When, as stored; empty if unknown.
    pub at: String,
    /// The model that wrote it, if it is a reply and that is known.
    pub model: Option<String>,
}

/// A position in the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Everything in the journal from here on has been read.
    journal: u64,
    /// How far each log has been read.
    logs: BTreeMap<String, Seen>,
}

/// A part of the transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Oldest first.
    pub entries: Vec<TranscriptEntry>,
    /// Where it goes on backwards; `None` if nothing comes before.
    pub earlier: Option<Cursor>,
    /// Messages among them that the journal should tell of and does not.
    pub uncovered: u64,
}

/// Reads about `most` entries before a cursor.
pub(crate) fn read(paths: &Paths, before: Option<&Cursor>, most: usize) -> Result<Page, Error> {
    let mut pages = Backwards {
        paths,
        entries: Vec::new(),
        user: None,
        grew_to: None,
        after_turn: 0,
        logs: before.map(|cursor| cursor.logs.clone()).unwrap_or_default(),
        next: BTreeSet::new(),
        uncovered: 0,
        position: 0,
        ahead: None,
        open: BTreeMap::new(),
    };
    pages.next = pages.logs.iter().map(|(file, seen)| (seen.next, file.clone())).collect();
    if before.is_none() {
        pages.see_ends()?;
    }
    let journal = pages.read_journal(before.map(|cursor| cursor.journal), most)?;
    if journal == 0 {
        pages.take_rest(most)?;
    }
    let mut earlier = journal > 0;
    if !earlier && pages.entries.len() < most {
        earlier = pages.read_foreign(before.is_none(), most)?;
    } else if !earlier {
        earlier = pages.logs.get(AMBIENT).is_none_or(|seen| seen.start > 0)
            || pages.next.last().is_some_and(|(turn, _)| *turn > Turn(0));
    }
    let Backwards { mut entries, logs, uncovered, .. } = pages;
    entries.reverse();
    Ok(Page { entries, earlier: earlier.then_some(Cursor { journal, logs }), uncovered })
}

struct Backwards<'a> {
    paths: &'a Paths,
    /// Newest first.
    entries: Vec<TranscriptEntry>,
    /// The message that began the turn being read: what happened in the turn comes after it.
    user: Option<TranscriptEntry>,
    /// The turn that was read last, the effort that it belongs to, and the tokens of its log from there on.
    grew_to: Option<(Turn, EffortId, Tokens)>,
    /// The first entry of those that come after the turn that is read next.
    after_turn: usize,
    /// How far each log has been read.
    logs: BTreeMap<String, Seen>,
    /// The logs by the turn of the message before that.
    next: BTreeSet<(Turn, String)>,
    /// Messages that the journal did not tell of.
    uncovered: u64,
    /// Everything in the journal from here on has been read.
    position: u64,
    /// What comes yet, where that was looked up.
    ahead: Option<uncovered::Ahead>,
    /// Logs that were just read from.
    open: BTreeMap<String, File>,
}

impl Backwards<'_> {
    /// Reads the journal backwards and returns where it stopped.
    fn read_journal(&mut self, before: Option<u64>, most: usize) -> Result<u64, Error> {
        self.position = before.unwrap_or(u64::MAX);
        for line in LinesBackwards::open(&self.paths.journal(), before)? {
            let (start, line) = line?;
            let record = Record::parse(&line);
            let same_turn = |user: &TranscriptEntry| {
                record.as_ref().is_some_and(|record| {
                    Some(record.turn) == user.turn && matches!(record.line, Line::Change(_))
                })
            };
            if !self.user.as_ref().is_some_and(same_turn) {
                self.end_turn();
                loop {
                    if self.entries.len() >= most {
                        return Ok(self.position);
                    }
                    let Some(record) = &record else { break };
                    if !self.take_behind(record)? {
                        break;
                    }
                }
            }
            // The gap behind an exchange is looked for before it.
            self.position = start;
            if let Some(record) = record {
                self.take_record(record)?;
            }
        }
        self.end_turn();
        self.position = 0;
        Ok(0)
    }

    /// All of a turn was read: its message comes before everything that happened in it.
    fn end_turn(&mut self) {
        if let Some(user) = self.user.take() {
            self.entries.push(user);
            self.after_turn = self.entries.len();
        }
    }

    /// Of the entries after a turn only as many belong to it as it tells; the others were made between turns.
    fn part_from_turn(&mut self, changes: u64) {
        let after = self.entries.get_mut(self.after_turn..).unwrap_or_default();
        let between = after.len().saturating_sub(changes as usize);
        after.iter_mut().take(between).for_each(|entry| entry.turn = None);
    }

    fn take_record(&mut self, record: Record) -> Result<(), Error> {
        let turn = Some(record.turn);
        let entry = |kind, text: &str| TranscriptEntry {
            kind,
            text: text.into(),
            turn,
            log: None,
            at: record.at.clone(),
            model: None,
        };
        match record.line {
            Line::Change(mut line) => {
                let entry_of = line.entry.take();
                let change = line.change(record.turn);
                let divides = change.kind.divides();
                let kind = if divides { TranscriptKind::Divider } else { TranscriptKind::Banner };
                let log = change.effort().filter(|_| divides).cloned();
                if let Some((kind, text)) = self.summary_of(&change, entry_of) {
                    self.entries.push(TranscriptEntry { log: log.clone(), ..entry(kind, &text) });
                }
                self.entries.push(TranscriptEntry { log, ..entry(kind, &change.banner()) });
            }
            Line::Turn(line) => self.take_exchange(turn, *line)?,
            Line::Stopped(stopped) => {
                self.entries.push(entry(TranscriptKind::Cause, &stopped.cause));
                if !stopped.partial.is_empty() {
                    let reply = entry(TranscriptKind::PartialReply, &stopped.partial);
                    self.entries.push(TranscriptEntry { model: stopped.model, ..reply });
                }
                self.user = Some(entry(TranscriptKind::Unanswered, &stopped.user));
            }
            _ => {}
        }
        Ok(())
    }

    /// What stands for an effort from a conclusion on, and how long it is beside the log: until the turn is over that
    /// grows.
    fn summary_of(
        &self,
        change: &Change,
        entry: Option<Map<String, Value>>,
    ) -> Option<(TranscriptKind, String)> {
        let entry = entry.filter(|_| change.kind == ChangeKind::EffortConcluded)?;
        let standing = Entry::from_fields(entry)?;
        let summary = standing.summary.filter(|summary| !summary.is_empty())?;
        let of_turn = self
            .grew_to
            .as_ref()
            .filter(|(turn, effort, _)| (*turn, Some(effort)) == (change.turn, change.effort()));
        let raw = of_turn.map(|(.., tokens)| *tokens).or(standing.raw_tokens.map(Tokens))?;
        let stands = Tokens(standing.summary_tokens?);
        Some((TranscriptKind::Summary { raw, stands }, summary))
    }

    fn take_exchange(&mut self, turn: Option<Turn>, line: TurnLine) -> Result<(), Error> {
        let [_, tokens] = line.log_size.unwrap_or_default();
        let grew_to = turn.zip(line.log.as_deref()).zip(tokens);
        self.grew_to =
            grew_to.map(|((turn, log), tokens)| (turn, EffortId::stored(log), Tokens(tokens)));
        self.part_from_turn(line.changes.unwrap_or(0));
        let Some((offset, bytes)) = line.offset.zip(line.bytes) else { return Ok(()) };
        let (file, log) = (line.file, line.log.as_deref().map(EffortId::stored));
        self.take_gap(&file, log.as_ref(), offset.saturating_add(bytes))?;
        let said = self.slice(&file, offset, bytes);
        if self.logs.get(&file).is_none_or(|seen| offset < seen.start) {
            self.see(&file, log.clone(), offset);
        }
        for message in said.into_iter().rev() {
            for entry in said_entries(message, turn, log.clone()) {
                if entry.kind == TranscriptKind::User {
                    self.entries.extend(self.user.replace(entry));
                } else {
                    self.entries.push(TranscriptEntry { model: line.model.clone(), ..entry });
                }
            }
        }
        Ok(())
    }

    /// The messages in a part of a log; none if the log is gone.
    fn slice(&mut self, file: &str, offset: u64, bytes: u64) -> Vec<LogLine> {
        let Some(log) = self.opened(file) else { return Vec::new() };
        let Ok(lines) = files::read_range(log, offset, bytes) else { return Vec::new() };
        let lines = lines.split(|&byte| byte == b'\n');
        lines.filter_map(|line| log::parse(line).message()).collect()
    }

    /// A log, open for reading; none if it is gone.
    fn opened(&mut self, file: &str) -> Option<&mut File> {
        if !self.open.contains_key(file) {
            let opened = files::open_existing(&self.path_of(file).ok()?).ok()??;
            self.open.insert(file.to_owned(), opened);
        }
        self.open.get_mut(file)
    }

    /// What was logged before there was a journal: the end of the ambient log and, on the first page,
    /// the ends of the open efforts' logs. Returns whether more comes before.
    fn read_foreign(&mut self, first: bool, most: usize) -> Result<bool, Error> {
        let mut logs = Vec::new();
        let before = self.logs.get(AMBIENT).map(|seen| seen.start);
        let ambient = log::read_tail(&self.paths.ambient(), before, most)?;
        let start = ambient.start;
        self.logs.insert(AMBIENT.into(), Seen { start, ..Seen::default() });
        logs.push((None, ambient.messages));
        if first {
            for (id, file) in self.known_efforts(|entry| entry.status == Status::Open)? {
                let Ok(path) = self.paths.inside(&file) else { continue };
                let before = self.logs.get(&file).map(|seen| seen.start);
                logs.push((Some(id), log::read_tail(&path, before, most)?.messages));
            }
        }
        let merged = by_time(logs);
        let said = merged.into_iter().rev();
        self.entries.extend(said.flat_map(|(log, message)| said_entries(message, None, log)));
        Ok(start > 0)
    }

    /// Efforts that say where their log is, if the manifest is small.
    fn known_efforts(
        &self,
        is_asked: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<(EffortId, String)>, Error> {
        let path = self.paths.manifest();
        if std::fs::metadata(&path).map_or(u64::MAX, |data| data.len()) > SMALL_MANIFEST {
            return Ok(Vec::new());
        }
        let Found::Whole(manifest) = Manifest::read(&path)? else { return Ok(Vec::new()) };
        let asked = manifest.entries().filter(|entry| is_asked(entry));
        Ok(asked
            .filter_map(|entry| Some((EffortId::stored(&entry.id), entry.raw_file.clone()?)))
            .collect())
    }
}

/// Merges logs by their time stamps; within a log the order stays as it is.
fn by_time(logs: Vec<(Option<EffortId>, Vec<LogLine>)>) -> Vec<(Option<EffortId>, LogLine)> {
    let mut merged = Vec::new();
    let mut logs: Vec<_> =
        logs.into_iter().map(|(id, messages)| (id, messages.into_iter().peekable())).collect();
    loop {
        let next = logs
            .iter_mut()
            .filter_map(|(id, messages)| {
                let at = messages.peek()?.at.clone();
                Some((at, id.clone(), messages))
            })
            .min_by(|one, other| one.0.cmp(&other.0));
        let Some((_, id, messages)) = next else { return merged };
        merged.extend(messages.next().map(|message| (id, message)));
    }
}

/// What a line of a log tells, newest first.
fn said_entries(
    message: LogLine,
    turn: Option<Turn>,
    log: Option<EffortId>,
) -> impl Iterator<Item = TranscriptEntry> {
    let kind = match message.role {
        Role::User => TranscriptKind::User,
        Role::Assistant | Role::System => TranscriptKind::Assistant,
    };
    let said =
        TranscriptEntry { kind, text: message.content, turn, log, at: message.at, model: None };
    let finish = message.finish.filter(|_| kind == TranscriptKind::Assistant);
    let finish =
        finish.map(|text| TranscriptEntry { kind: TranscriptKind::Finish, text, ..said.clone() });
    finish.into_iter().chain([said])
}
