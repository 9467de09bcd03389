//! What a turn writes. Nothing here grows with the history.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::journal::{self, Batch, change_fields, object};
use super::open::stopped_fields;
use super::paths::AMBIENT;
use super::pending::{Pending, Place, Reply};
use super::state::{AmbientSize, Mention};
use super::{
    Counted, Error, SentRequest, Step, Store, block, counts, history, load, log, note, sessions,
};
use crate::clock;
use crate::memory::{
    Change, ChangeKind, Effort, EffortId, Ended, Exchange, Memory, NoteId, Tier, Tokens, Turn,
    is_undoable,
};

/// Typed text above so many bytes is logged as the window holds it, by its pointer: the item on the
/// scratchpad is the log of it.
pub const MOST_LOGGED: usize = 1024 * 1024;

/// An exchange that is in its log.
#[derive(Debug)]
pub(super) struct Logged {
    turn: Turn,
    place: Place,
    bytes: usize,
    entered: Option<u64>,
}

impl Store {
    /// What follows comes of the entered message, or command, of this number: it is told with it, so that
    /// the draft is known to have begun.
    pub fn take_up(&mut self, entered: Option<u64>) {
        self.entered = entered;
    }

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
        self.settle_logged()?;
        let pending = Pending {
            turn,
            user: user.into(),
            shown: None,
            asked: clock::timestamp(),
            entered: self.entered,
            // Without a place the reply is safe on its own, before it is logged.
            place: self.place_in(log).ok(),
            reply: None,
        };
        self.pending_file.begin(&self.paths, &pending)?;
        self.pending = Some(pending);
        Ok(())
    }

    /// Records what memory did: a line in the journal each, a new log for a new effort, a marker in
    /// the log of a reopened one.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn record(&mut self, changes: &[Change], memory: &Memory) -> Result<(), Error> {
        self.record_step(changes, memory, Step::Done)
    }

    /// The same for changes that undo or redo earlier ones.
    ///
    /// # Errors
    /// As [`Store::record`].
    pub fn record_step(
        &mut self,
        changes: &[Change],
        memory: &Memory,
        step: Step,
    ) -> Result<(), Error> {
        if changes.is_empty() {
            return Ok(());
        }
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        for change in changes {
            self.prepare_log(change, &now)?;
        }
        let mut batch = Batch::default();
        self.add_changes(&mut batch, changes, memory, &now, step);
        self.journal.append(&batch)?;
        if changes.iter().any(is_derived) {
            self.changed_upto = self.journal.len()?;
        }
        // What happens within a turn is synced together at its end.
        if self.pending.is_none() { self.journal.sync() } else { Ok(()) }
    }

    /// Logs what was said in a turn, the user's words as they were typed when the turn began; where the
    /// exchange has them in another form, that is kept beside them. First comes a record from which it could be
    /// done again, then both lines in one write.
    ///
    /// # Errors
    /// When it cannot be written; the logs are as before then, and the turn should fail.
    pub fn log_exchange(
        &mut self,
        turn: Turn,
        log: Option<&EffortId>,
        exchange: &Exchange,
    ) -> Result<(), Error> {
        let place = self.place_in(log)?;
        let before = self.pending.take();
        let redo = with_reply(before.as_ref().filter(|it| it.turn == turn), turn, exchange, &place);
        match self.write_exchange(&redo, &place) {
            Ok(bytes) => {
                self.logged = Some(Logged { turn, place, bytes, entered: redo.entered });
                self.pending = Some(redo);
                Ok(())
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

    /// The end of a log, where the next exchange begins.
    fn place_in(&mut self, log: Option<&EffortId>) -> Result<Place, Error> {
        let file = log.map_or_else(|| AMBIENT.to_owned(), |id| self.effort_files().of(id));
        let offset = self.logs.appender(&file, &mut self.problems)?.len()?;
        Ok(Place { log: log.cloned(), file, offset })
    }

    /// Writes the reply beside the words, then the exchange to its log. Returns how many bytes it has there.
    fn write_exchange(&mut self, redo: &Pending, place: &Place) -> Result<usize, Error> {
        let Some(reply) = &redo.reply else { return Ok(0) };
        let lines = redo.lines(reply);
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

    /// The turn counts: journal, memory's state, and last the session's state, which commits it.
    ///
    /// # Errors
    /// When something cannot be written. The exchange is safe in its log all the same, and the turn
    /// is counted with the next one, or when the session is opened again.
    pub fn finish_turn(&mut self, ended: &Ended, memory: &Memory) -> Result<(), Error> {
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        let mut batch = Batch::default();
        let fields = self.turn_fields(ended, memory);
        self.journal.add(&mut batch, "turn", ended.turn, &now, fields);
        self.add_changes(&mut batch, &ended.changes, memory, &now, Step::Done);
        self.journal.append(&batch)?;
        self.logged = None;
        self.request = None;
        self.journal.sync()?;
        if ended.changes.iter().any(is_derived) {
            self.changed_upto = self.journal.len()?;
        }
        self.memory_state.update(memory);
        self.expanded_at.retain(|id, _| self.memory_state.mentions.contains_key(id));
        self.memory_state.write(&self.paths, memory, &self.expanded_at)?;
        self.commit(ended.turn, memory, &now)
    }

    /// Takes the last request of the turn under way, to be recorded with it.
    pub fn note_request(&mut self, request: SentRequest) {
        self.request = Some(request);
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
        let fields = stopped_fields(user, partial, cause, self.entered);
        self.journal.push("turn_stopped", turn, &clock::timestamp(), fields)?;
        self.journal.sync()?;
        self.pending = None;
        self.pending_file.clear(&self.paths)
    }

    /// Records notes that were used, which does not wait for the end of a turn.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record_note_uses(&mut self, used: &[NoteId], memory: &Memory) -> Result<(), Error> {
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        let fields = note::uses_fields(used, memory);
        self.journal.push("notes_used", memory.current_turn(), &now, fields)
    }

    /// Keeps the sizes of logs that somebody counted, so that they need no counting next time.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record_log_sizes(&mut self, sizes: &[(EffortId, u64, Tokens)]) -> Result<(), Error> {
        let now = clock::timestamp();
        self.tell_opened(&now)?;
        let mut batch = Batch::default();
        for some in sizes.chunks(1000) {
            let entries: Vec<Map<String, Value>> = some
                .iter()
                .map(|(id, messages, tokens)| load::size_fields(id, *messages, *tokens))
                .collect();
            let fields = object(json!({"entries": entries}));
            self.journal.add(&mut batch, "logs_counted", self.session.turn, &now, fields);
        }
        self.journal.append(&batch)
    }

    /// Keeps what somebody counted of the ambient log.
    pub fn keep_counted(&self, counted: Counted) {
        counts::keep(&self.paths, counted);
    }

    /// Makes sure of an exchange whose turn could not be counted when it ended.
    pub(super) fn settle_logged(&mut self) -> Result<(), Error> {
        let Some(logged) = &self.logged else { return Ok(()) };
        let turn = logged.turn;
        let mut fields = location(logged);
        fields.insert("recovered".into(), true.into());
        self.journal.push("turn", turn, &clock::timestamp(), fields)?;
        self.logged = None;
        self.journal.sync()?;
        self.session.turn = self.session.turn.max(turn);
        Ok(())
    }

    fn commit(&mut self, turn: Turn, memory: &Memory, now: &str) -> Result<(), Error> {
        let (messages, tokens) = memory.ambient_size();
        let bytes = self.logs.appender(AMBIENT, &mut self.problems)?.len()?;
        self.session.turn = turn;
        self.session.active = memory.active().map(|effort| effort.id.to_string());
        self.session.ambient =
            Some(AmbientSize { messages, tokens: tokens.map(|tokens| tokens.0), bytes });
        self.session.metrics = *memory.metrics();
        if self.session.title.is_none() {
            let first =
                self.pending.as_ref().and_then(|pending| sessions::shortened(&pending.user));
            self.session.title = sessions::first_message(&self.paths.dir).or(first);
        }
        self.session.write(&self.paths, now)?;
        self.pending = None;
        self.pending_file.clear(&self.paths)
    }

    fn prepare_log(&mut self, change: &Change, now: &str) -> Result<(), Error> {
        match change.kind {
            ChangeKind::EffortOpened => {
                let file = self.effort_files_mut().assign(&self.paths, &change.id);
                self.logs.appender(&file, &mut self.problems).map(drop)
            }
            ChangeKind::EffortReopened => {
                let file = self.effort_files().of(&change.id);
                let marker = log::reopen_marker(&change.id, change.turn, now);
                self.logs.appender(&file, &mut self.problems)?.append(&marker).map(drop)
            }
            ChangeKind::EffortExpanded => {
                self.expanded_at.insert(change.id.clone(), now.to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn add_changes(
        &self,
        batch: &mut Batch,
        changes: &[Change],
        memory: &Memory,
        now: &str,
        step: Step,
    ) {
        let active = memory.active().map(|effort| &effort.id);
        for change in changes {
            let mut fields = change_fields(change, active);
            if is_undoable(change) {
                // What happened at once is undone at once.
                fields.insert("batch".into(), self.journal.next_seq().into());
                fields.extend(step.fields());
            }
            fields.extend(history::change_extras(change, memory));
            fields.extend(journal::entered_field(self.entered));
            if let Some(entry) = self.entry_after(change, memory, now) {
                fields.insert("entry".into(), entry.into());
            }
            self.journal.add(batch, change.kind.as_str(), change.turn, now, fields);
        }
    }

    /// What a change makes of its effort's entry in the manifest.
    fn entry_after(
        &self,
        change: &Change,
        memory: &Memory,
        now: &str,
    ) -> Option<Map<String, Value>> {
        let effort = memory.effort(&change.id).filter(|_| change.note.is_none())?;
        if change.kind.touches_manifest() {
            return Some(self.full_entry(effort, memory, change.kind, now));
        }
        let evicted = match change.kind {
            ChangeKind::SummaryEvicted => true,
            ChangeKind::SummaryReturned | ChangeKind::EffortExpanded => false,
            _ => return None,
        };
        // In full: one that comes back may have left the window a hundred thousand efforts ago.
        let mut entry = history::held_fields(effort);
        entry.insert("evicted".into(), evicted.into());
        Some(entry)
    }

    fn full_entry(
        &self,
        effort: &Effort,
        memory: &Memory,
        kind: ChangeKind,
        now: &str,
    ) -> Map<String, Value> {
        let mut entry = object(json!({
            "id": effort.id.as_str(),
            "status": effort.status.as_str(),
            "summary": effort.summary.as_deref(),
            "raw_file": self.effort_files().of(&effort.id),
            "tags": effort.tags,
            "pinned": effort.pinned,
            "evicted": memory.tier(effort) == Tier::Evicted,
            "updated": now,
            "last_referenced_turn": effort.last_referenced.0,
            "cause": &*effort.cause,
            "last_used_turn": effort.last_used.0,
            "raw_tokens": effort.raw_tokens.map(|tokens| tokens.0),
            "raw_messages": effort.raw_messages,
            "summary_tokens": effort.summary_tokens().map(|tokens| tokens.0),
            "compressed": block::write(effort.blocks()),
        }));
        if !effort.specifics.is_empty() || kind == ChangeKind::EffortConcluded {
            entry.insert("specifics".into(), effort.specifics.clone().into());
        }
        if kind == ChangeKind::EffortOpened {
            entry.insert("created".into(), now.into());
        }
        entry
    }

    fn turn_fields(&self, ended: &Ended, memory: &Memory) -> Map<String, Value> {
        let layers = memory.layers();
        let named = layers.iter().map(|(layer, cost)| (layer.as_str().to_owned(), cost.0.into()));
        let mut fields = match self.logged.as_ref().filter(|logged| logged.turn == ended.turn) {
            Some(logged) => location(logged),
            None => object(json!({"log": ended.log.as_ref().map(EffortId::as_str)})),
        };
        fields.insert("layers".into(), Value::Object(named.collect()));
        fields.insert("total".into(), layers.total().0.into());
        fields.extend(history::moment_fields(memory));
        fields.insert("changes".into(), ended.changes.len().into());
        if let Some(request) = self.request {
            fields.insert("request".into(), request.fields());
        }
        let mentioned = self.new_mentions(memory);
        if !mentioned.is_empty() {
            fields.insert("mentioned".into(), mentioned.into());
        }
        if !ended.used_notes.is_empty() {
            fields.extend(note::uses_fields(&ended.used_notes, memory));
        }
        if let Some(effort) = ended.log.as_ref().and_then(|id| memory.effort(id)) {
            fields.insert("entry".into(), worked_on(effort).into());
            let tokens = effort.raw_tokens.map(|tokens| tokens.0);
            fields.insert("log_size".into(), json!([effort.raw_messages, tokens]));
        }
        fields
    }

    /// The mentions that the journal does not know of yet. Looks at the window only.
    fn new_mentions(&self, memory: &Memory) -> Map<String, Value> {
        let known = &self.memory_state.mentions;
        let is_new = |effort: &&Effort| {
            let known: Option<&Mention> = known.get(&effort.id);
            known.is_none_or(|known| {
                known.turn != effort.last_referenced
                    || known.cause.as_deref() != Some(&*effort.cause)
            })
        };
        memory
            .warm_efforts()
            .chain(memory.expanded_efforts())
            .filter(is_new)
            .map(|effort| {
                let mention = json!({"turn": effort.last_referenced.0, "cause": &*effort.cause});
                (effort.id.to_string(), mention)
            })
            .collect()
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
        place: begun.and_then(|begun| begun.place.clone()),
        reply: Some(Reply { text, at: now, place: place.clone() }),
    }
}

/// Whether a derived file is behind after a change.
fn is_derived(change: &Change) -> bool {
    change.kind.touches_manifest() || change.note.is_some()
}

/// Where an exchange is, for the journal.
fn location(logged: &Logged) -> Map<String, Value> {
    let mut fields = logged.place.fields();
    fields.insert("bytes".into(), logged.bytes.into());
    fields.extend(journal::entered_field(logged.entered));
    fields
}

/// What an exchange changes in its effort's entry.
fn worked_on(effort: &Effort) -> Map<String, Value> {
    let mut entry = object(json!({"id": effort.id.as_str(), "last_used_turn": effort.last_used.0}));
    if let Some(tokens) = effort.raw_tokens {
        entry.extend(load::size_fields(&effort.id, effort.raw_messages, tokens));
    }
    entry
}
