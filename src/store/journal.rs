//! `journal.jsonl`: everything that memory did and every turn that counted, one line each.
//!
//! It is the write-ahead truth: `manifest.yaml` may be behind it, the transcript is read along it.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::appender::Appender;
use super::entry::bounded;
use super::files;
use super::manifest::Manifest;
use super::paths::Paths;
use super::{Error, Problem, note, undo};
use crate::memory::{Change, ChangeKind, EffortId, Tokens, Turn};

/// One line of the journal.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// What it is: the name of a [`ChangeKind`], `turn`, `turn_stopped`, `log_counted`, `recovered`.
    pub(super) kind: String,
    /// The turn it belongs to.
    pub(super) turn: Turn,
    /// Its number in the journal.
    pub(super) seq: u64,
    /// All fields.
    pub(super) fields: Map<String, Value>,
}

impl Record {
    /// Reads a line; `None` if it is none of ours.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let read = |line| serde_json::from_slice::<Map<String, Value>>(line).ok();
        let fields = read(line).or_else(|| read(files::appended(line, b"{\"seq\"")?))?;
        let kind = fields.get("kind")?.as_str()?.to_owned();
        let turn = Turn(fields.get("turn").and_then(bounded)?);
        let seq = match fields.get("seq") {
            Some(seq) => bounded(seq)?,
            None => 0,
        };
        Some(Self { kind, turn, seq, fields })
    }

    /// A field as text, empty if missing.
    pub(super) fn text(&self, key: &str) -> &str {
        self.fields.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// A field as a number.
    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.fields.get(key).and_then(bounded)
    }

    /// The number of the entered message or command that the line comes of. It is of the clock, so larger than
    /// anything that is counted, and nothing is added to it.
    pub(super) fn entered(&self) -> Option<u64> {
        self.fields.get("entered")?.as_u64()
    }

    /// The change that the line tells of, if it is one.
    pub(super) fn change(&self) -> Option<Change> {
        Some(Change {
            turn: self.turn,
            kind: change_kind(&self.kind)?,
            id: EffortId::stored(self.text("id")),
            cause: self.text("cause").to_owned(),
            before: Tokens(self.number("tokens_before").unwrap_or(0)),
            after: Tokens(self.number("tokens_after").unwrap_or(0)),
            note: self.fields.get("note").and_then(note::read_edit).map(Box::new),
            was: self.fields.get("was").and_then(undo::read_was).map(Box::new),
        })
    }

    /// Takes what the line says about efforts into the manifest.
    pub(super) fn apply(self, manifest: &mut Manifest) {
        let Self { turn, mut fields, .. } = self;
        if let Some(Value::Object(entry)) = fields.remove("entry") {
            manifest.upsert(entry);
        }
        if let Some(Value::Array(entries)) = fields.remove("entries") {
            for entry in entries {
                if let Value::Object(entry) = entry {
                    manifest.upsert(entry);
                }
            }
        }
        if let Some(Value::Object(mentioned)) = fields.remove("mentioned") {
            for (id, cause) in mentioned {
                if let Some(entry) = manifest.get_mut(&id) {
                    let turn = cause.get("turn").and_then(bounded).unwrap_or(turn.0);
                    entry.last_referenced_turn = Some(turn);
                    entry.cause = cause.get("cause").and_then(super::entry::text);
                }
            }
        }
    }
}

/// All kinds of change, in the order of their definition.
const CHANGES: [ChangeKind; 25] = {
    use ChangeKind as Kind;
    [
        Kind::EffortOpened,
        Kind::EffortConcluded,
        Kind::EffortSwitched,
        Kind::EffortReopened,
        Kind::EffortCompressed,
        Kind::EffortPinned,
        Kind::EffortUnpinned,
        Kind::EffortKept,
        Kind::SummaryEdited,
        Kind::EffortExpanded,
        Kind::EffortCollapsed,
        Kind::EffortAutoCollapsed,
        Kind::SummaryEvicted,
        Kind::SummaryReturned,
        Kind::LeftOut,
        Kind::Shortened,
        Kind::WholeAgain,
        Kind::ScratchpadSaved,
        Kind::NoteRemembered,
        Kind::NoteEdited,
        Kind::NotePinned,
        Kind::NoteUnpinned,
        Kind::NoteArchived,
        Kind::NoteRemoved,
        Kind::NoteRestored,
    ]
};

pub(super) fn change_kind(name: &str) -> Option<ChangeKind> {
    CHANGES.into_iter().find(|kind| kind.as_str() == name)
}

/// The journal, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    file: Appender,
    next_seq: u64,
}

/// Lines that will be appended in one write.
#[derive(Debug, Default)]
pub(super) struct Batch {
    lines: Vec<u8>,
    count: u64,
}

impl Journal {
    /// Opens the journal; its last line tells where the numbers go on.
    pub(super) fn open(paths: &Paths, problems: &mut Vec<Problem>) -> Result<Self, Error> {
        let path = paths.journal();
        let file = Appender::open(&path, &paths.disk, problems)?;
        let last = last_record(&path, |_| true)?;
        Ok(Self { file, next_seq: last.map_or(1, |record| record.seq + 1) })
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> Result<u64, Error> {
        self.file.len()
    }

    /// The number of the first line of a batch that is appended next.
    pub(super) fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Another handle of the file, for syncing.
    pub(super) fn handle(&self) -> Option<(std::fs::File, PathBuf)> {
        self.file.try_clone().ok()
    }

    /// Asks the disk itself for what was appended.
    #[cfg_attr(test, track_caller)]
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync()
    }

    /// Adds a line to a batch: the common fields first, then those given.
    pub(super) fn add(
        &self,
        batch: &mut Batch,
        kind: &str,
        turn: Turn,
        now: &str,
        fields: Map<String, Value>,
    ) {
        let seq = self.next_seq + batch.count;
        let mut line = Map::new();
        line.insert("seq".into(), seq.into());
        line.insert("turn".into(), turn.0.into());
        line.insert("ts".into(), now.into());
        line.insert("kind".into(), kind.into());
        line.extend(fields);
        batch.lines.extend_from_slice(Value::Object(line).to_string().as_bytes());
        batch.lines.push(b'\n');
        batch.count += 1;
    }

    /// Appends a batch in one write.
    pub(super) fn append(&mut self, batch: &Batch) -> Result<(), Error> {
        if !batch.lines.is_empty() {
            self.file.append(&batch.lines)?;
            self.next_seq += batch.count;
        }
        Ok(())
    }

    /// Appends a single line.
    pub(super) fn push(
        &mut self,
        kind: &str,
        turn: Turn,
        now: &str,
        fields: Map<String, Value>,
    ) -> Result<(), Error> {
        let mut batch = Batch::default();
        self.add(&mut batch, kind, turn, now, fields);
        self.append(&batch)
    }
}

/// The fields of a change's line.
pub(super) fn change_fields(change: &Change, active: Option<&EffortId>) -> Map<String, Value> {
    let mut fields = object(json!({
        "id": change.id.as_str(),
        "cause": change.cause,
        "tokens_before": change.before.0,
        "tokens_after": change.after.0,
        "active": active.map(EffortId::as_str),
    }));
    if let Some(edit) = &change.note {
        fields.insert("note".into(), note::edit_fields(edit));
    }
    if let Some(was) = &change.was {
        fields.insert("was".into(), undo::was_fields(was));
    }
    fields
}

/// The field of a line that comes of an entered message or command: its number.
pub(super) fn entered_field(entered: Option<u64>) -> Option<(String, Value)> {
    entered.map(|number| ("entered".to_owned(), number.into()))
}

/// How many lines back the numbers of what was entered are looked for. What has begun leaves the drafts within
/// a moment, in which far fewer are written.
const RECENT: usize = 500;

/// The numbers of what was entered and has begun lately.
pub(super) fn entered(path: &Path) -> Result<BTreeSet<u64>, Error> {
    let mut numbers = BTreeSet::new();
    let Some(file) = files::open_existing(path)? else { return Ok(numbers) };
    let mut lines = files::LinesBackwards::new(file, None).map_err(Error::read(path))?;
    for _ in 0..RECENT {
        let Some((_, line)) = lines.previous().map_err(Error::read(path))? else { break };
        numbers.extend(Record::parse(&line).and_then(|record| record.entered()));
    }
    Ok(numbers)
}

/// The map inside a `json!({..})`.
pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// What replaying a part of the journal came to.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    /// Some line told which effort is active.
    pub(super) names_active: bool,
    /// The effort that the last such line named.
    pub(super) active: Option<String>,
    /// Lines that could not be read.
    pub(super) invalid: usize,
    /// The position behind the last line.
    pub(super) end: u64,
}

/// Takes the journal from a position on into the manifest.
pub(super) fn replay(
    path: &Path,
    from: u64,
    upto: Option<u64>,
    manifest: &mut Manifest,
) -> Result<Replayed, Error> {
    let mut replayed = Replayed::default();
    let read = records(path, from, upto, |record| {
        if let Some(active) = record.fields.get("active") {
            replayed.names_active = true;
            replayed.active = super::entry::text(active);
        }
        record.apply(manifest);
    })?;
    Ok(Replayed { invalid: read.invalid, end: read.end, ..replayed })
}

/// How far a part of the journal was read.
#[derive(Debug)]
pub(super) struct Read {
    /// Lines that could not be read.
    pub(super) invalid: usize,
    /// The position behind the last whole line.
    pub(super) end: u64,
}

/// Hands over the records from a position on, oldest first, each with where its line begins and ends, until
/// the taker has enough. Reads as it goes, so that a taker that stops early costs little.
pub(super) fn lines(
    path: &Path,
    from: u64,
    mut take: impl FnMut((u64, u64), Record) -> ControlFlow<()>,
) -> Result<(), Error> {
    let Some(mut file) = files::open_existing(path)? else { return Ok(()) };
    file.seek(SeekFrom::Start(from)).map_err(Error::read(path))?;
    let mut reader = BufReader::with_capacity(128 * 1024, file);
    let (mut start, mut line) = (from, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(Error::read(path))?;
        let end = start + read as u64;
        if !line.ends_with(b"\n") {
            return Ok(());
        }
        if let Some(record) = Record::parse(&line)
            && take((start, end), record).is_break()
        {
            return Ok(());
        }
        start = end;
    }
}

/// Hands over the records from one position up to another, oldest first.
pub(super) fn records(
    path: &Path,
    from: u64,
    upto: Option<u64>,
    mut take: impl FnMut(Record),
) -> Result<Read, Error> {
    let mut read = Read { invalid: 0, end: from };
    let Some(mut file) = files::open_existing(path)? else { return Ok(read) };
    let most = upto.map_or(u64::MAX, |upto| upto.saturating_sub(from));
    let bytes = files::read_range(&mut file, from, most).map_err(Error::read(path))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    read.end = from + whole as u64;
    for line in bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match Record::parse(line) {
            Some(record) => take(record),
            None => read.invalid += 1,
        }
    }
    Ok(read)
}

/// The last record that passes a test. Reads backwards, only as far as needed.
pub(super) fn last_record(
    path: &Path,
    wanted: impl Fn(&Record) -> bool,
) -> Result<Option<Record>, Error> {
    let Some(file) = files::open_existing(path)? else { return Ok(None) };
    let mut lines = files::LinesBackwards::new(file, None).map_err(Error::read(path))?;
    while let Some((_, line)) = lines.previous().map_err(Error::read(path))? {
        if let Some(record) = Record::parse(&line).filter(&wanted) {
            return Ok(Some(record));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Note, NoteEdit, NoteId, NoteState, Salience, Tier, Usage, Was};

    /// A change with everything that its kind may carry.
    fn full(kind: ChangeKind) -> Change {
        let note = Note {
            id: NoteId(3),
            content: "The user likes \"tea\"".into(),
            tags: vec!["taste".into()],
            salience: Salience::new(3).unwrap(),
            created: Turn(2),
            entered: Turn(4),
            last_used: Turn(5),
            pinned: true,
            state: NoteState::Permanent,
            effort: Some(EffortId::stored("auth-bug")),
            usage: Usage { mentions: 2, finds: 1, last_found: Some(Turn(5)) },
            thread: Some(NoteId(1)),
        };
        let was = Was {
            state: Tier::Expanded,
            active: Some(EffortId::stored("guild")),
            summary: Some("Tokens\nexpired.".into()),
            messages: 6,
            referenced: Some((Turn(4), "'refresh'".into())),
        };
        let of_note = kind.as_str().starts_with("note_");
        let edit = NoteEdit { before: Some(Note { pinned: false, ..note.clone() }), after: note };
        Change {
            turn: Turn(7),
            kind,
            id: EffortId::stored(if of_note { "n3" } else { "auth-bug" }),
            cause: "not mentioned for 20 turns".into(),
            before: Tokens(120),
            after: Tokens(90),
            note: of_note.then(|| Box::new(edit)),
            was: (!of_note).then(|| Box::new(was)),
        }
    }

    #[test]
    fn a_change_of_every_kind_comes_back_from_its_line() {
        for (nth, kind) in CHANGES.into_iter().enumerate() {
            assert_eq!(kind as usize, nth, "none is forgotten");
            let change = full(kind);
            let mut line = object(json!({"seq": 1, "turn": 7, "ts": "", "kind": kind.as_str()}));
            line.extend(change_fields(&change, None));
            let record = Record::parse(Value::Object(line).to_string().as_bytes()).unwrap();
            assert_eq!(record.change(), Some(change));
        }
        let last = CHANGES[CHANGES.len() - 1];
        assert_eq!(last, ChangeKind::NoteRestored, "no kind is defined behind the last one");
    }
}
