//! What memory did, and the turn that counts: lines of the journal, then the states. Nothing here grows with the
//! history.

use serde_json::{Map, Value, json};

use super::journal::{self, Batch, change_fields, object};
use super::paths::AMBIENT;
use super::state::{AmbientSize, Mention};
use super::{
    Counted, Error, SentRequest, Step, Store, block, counts, history, load, log, note, sessions,
};
use crate::clock;
use crate::memory::{
    Change, Effort, EffortId, Ended, EntryChange, KindRow, Leads, Memory, NoteId, Tier, Tokens,
    Turn, is_undoable,
};

impl Store {
    /// What follows comes of the entered message, or command, of this number: it is told with it, so that
    /// the draft is known to have begun.
    pub fn take_up(&mut self, entered: Option<u64>) {
        self.entered = entered;
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
        match change.kind.row().leads {
            Leads::Begins => {
                let file = self.effort_files_mut().assign(&self.paths, &change.id);
                self.logs.appender(&file, &mut self.problems).map(drop)
            }
            Leads::GoesOn => {
                let file = self.effort_files().of(&change.id);
                let marker = log::reopen_marker(&change.id, change.turn, now);
                self.logs.appender(&file, &mut self.problems)?.append(&marker).map(drop)
            }
            Leads::To(Tier::Expanded) => {
                self.expanded_at.insert(change.id.clone(), now.to_owned());
                Ok(())
            }
            Leads::Nowhere
            | Leads::Ends
            | Leads::Back
            | Leads::To(Tier::Active | Tier::Open | Tier::Warm | Tier::Evicted) => Ok(()),
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
        let KindRow { leads, entry, .. } = change.kind.row();
        match entry {
            EntryChange::Whole => return Some(self.full_entry(effort, memory, leads, now)),
            EntryChange::Place => {}
            EntryChange::Nothing => return None,
        }
        // In full: one that comes back may have left the window a hundred thousand efforts ago.
        let mut entry = history::held_fields(effort);
        let evicted = leads.tier() == Some(Tier::Evicted);
        entry.insert("evicted".into(), evicted.into());
        Some(entry)
    }

    fn full_entry(
        &self,
        effort: &Effort,
        memory: &Memory,
        leads: Leads,
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
        if !effort.specifics.is_empty() || leads == Leads::Ends {
            entry.insert("specifics".into(), effort.specifics.clone().into());
        }
        if leads == Leads::Begins {
            entry.insert("created".into(), now.into());
        }
        entry
    }

    fn turn_fields(&self, ended: &Ended, memory: &Memory) -> Map<String, Value> {
        let layers = memory.layers();
        let named = layers.iter().map(|(layer, cost)| (layer.as_str().to_owned(), cost.0.into()));
        let mut fields = match self.logged.as_ref().filter(|logged| logged.turn == ended.turn) {
            Some(logged) => logged.fields(),
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

/// Whether a derived file is behind after a change.
fn is_derived(change: &Change) -> bool {
    change.kind.row().entry == EntryChange::Whole || change.note.is_some()
}

/// What an exchange changes in its effort's entry.
fn worked_on(effort: &Effort) -> Map<String, Value> {
    let mut entry = object(json!({"id": effort.id.as_str(), "last_used_turn": effort.last_used.0}));
    if let Some(tokens) = effort.raw_tokens {
        entry.extend(load::size_fields(&effort.id, effort.raw_messages, tokens));
    }
    entry
}
