//! What memory did, and the turn that counts: lines of the journal, then the states. Nothing here grows with the
//! history.

mod chosen;
pub(super) mod draft;
pub(super) mod exchange;
pub(super) mod pending;
mod place;
mod prepared;
pub(super) mod state;

use crate::clock;
use crate::memory::{
    Change, ChangeKind, Effort, EffortId, Ended, EntryChange, Faults, KindRow, Layer, Leads,
    Memory, NoteId, Tier, Tokens, Turn, is_undoable,
};
use crate::store::disk::paths::AMBIENT;
use crate::store::journal::Batch;
use crate::store::log::{counts, title};
use crate::store::manifest::patch::{self, Patch};
use crate::store::record::{
    self, ChangeLine, Entries, Line, Listed, Moment, NoteUses, TurnLine, by_layer,
};
use crate::store::{Counted, Error, SentRequest, Step, Store};
use exchange::Logged;
use state::{AmbientSize, Mention};

impl Store {
    /// What follows comes of the entered message, or command, of this number: it is told with it, so that
    /// the draft is known to have begun.
    pub fn take_up(&mut self, entered: Option<u64>) {
        self.entered = entered;
    }

    /// Replies are those of this model from now on.
    pub fn answered_by(&mut self, model: &str) {
        self.model = Some(model.to_owned());
    }

    /// Records what memory did: a line in the journal each, a new log for a new effort, a marker in
    /// the log of a reopened one. The changes were prepared before ([`Store::prepare`]); it may be tried again when the disk
    /// did not take them.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn record(&mut self, changes: &[Change], memory: &Memory, step: Step) -> Result<(), Error> {
        if changes.is_empty() || !self.is_kept() {
            return Ok(());
        }
        self.check_place()?;
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        self.open_logs(None)?;
        let mut batch = Batch::default();
        self.add_changes(&mut batch, changes, memory, &now, step)?;
        self.journal.append(&batch)?;
        self.steps += 1;
        if changes.iter().any(is_derived) {
            self.changed_upto = self.journal.len()?;
        }
        if step != Step::Done && self.memory_state.mend_mentions(changes, memory) {
            self.memory_state.write(&self.paths, &self.expanded_at)?;
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
        if !self.is_kept() {
            (self.logged, self.pending) = (None, None);
            return Ok(());
        }
        self.check_place()?;
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        let mut batch = Batch::default();
        let line = Line::Turn(self.turn_line(ended, memory).into());
        self.journal.add(&mut batch, ended.turn, &now, line)?;
        self.add_changes(&mut batch, &ended.changes, memory, &now, Step::Done)?;
        self.journal.append(&batch)?;
        self.logged = None;
        self.request = None;
        self.faults = None;
        self.journal.sync()?;
        if ended.changes.iter().any(is_derived) {
            self.changed_upto = self.journal.len()?;
        }
        self.memory_state.update(memory);
        self.expanded_at.retain(|id, _| self.memory_state.mentions.contains_key(id));
        self.memory_state.write(&self.paths, &self.expanded_at)?;
        self.commit(ended.turn, memory, &now)
    }

    /// Takes the last request of the turn under way, to be recorded with it.
    pub fn note_request(&mut self, request: SentRequest) {
        self.request = Some(request);
    }

    /// Takes what the turn under way missed, to be recorded with it.
    pub fn note_faults(&mut self, faults: Faults) {
        self.faults = faults.stored();
    }

    /// Records notes that were used, which does not wait for the end of a turn.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record_note_uses(&mut self, used: &[NoteId], memory: &Memory) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        let now = clock::timestamp();
        self.tell_opening(memory, &now)?;
        let line = Line::NotesUsed(NoteUses::new(used, memory));
        self.journal.push(memory.current_turn(), &now, line)
    }

    /// Keeps the sizes of logs that somebody counted, so that they need no counting next time.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn record_log_sizes(&mut self, sizes: &[(EffortId, u64, Tokens)]) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        let now = clock::timestamp();
        self.tell_opened(&now)?;
        let mut batch = Batch::default();
        for some in sizes.chunks(1000) {
            let entries = some
                .iter()
                .map(|(id, messages, tokens)| patch::size(id, *messages, *tokens))
                .collect();
            let line = Line::LogsCounted(Entries { entries });
            self.journal.add(&mut batch, self.session.turn, &now, line)?;
        }
        self.journal.append(&batch)
    }

    /// Keeps what somebody counted of the ambient log.
    pub fn keep_counted(&self, counted: Counted) {
        counts::keep(&self.paths, counted);
    }

    fn commit(&mut self, turn: Turn, memory: &Memory, now: &str) -> Result<(), Error> {
        let (messages, tokens) = memory.ambient_size();
        // What is gone of the log is missing until somebody restores it.
        let lost = self.ambient_lost;
        let bytes = self.logs.appender(AMBIENT, &mut self.problems)?.len()? + lost.bytes;
        let messages = messages + lost.messages;
        self.session.turn = turn;
        self.session.active = memory.active().map(|effort| effort.id.to_string());
        self.session.ambient =
            Some(AmbientSize { messages, tokens: tokens.map(|tokens| tokens.0), bytes });
        self.session.metrics = *memory.metrics();
        if self.session.title.is_none() {
            let first = self.pending.as_ref().and_then(|pending| title::shortened(&pending.user));
            self.session.title = title::first_message(&self.paths.dir).or(first);
        }
        self.session.write(&self.paths, now)?;
        self.pending = None;
        self.pending_file.clear(&self.paths)
    }

    fn add_changes(
        &self,
        batch: &mut Batch,
        changes: &[Change],
        memory: &Memory,
        now: &str,
        step: Step,
    ) -> Result<(), Error> {
        let active = memory.active().map(|effort| &effort.id);
        for change in changes {
            let mut line = ChangeLine::new(change, active);
            if is_undoable(change) {
                // What happened at once is undone at once.
                line.of(self.journal.next_seq(), step);
            }
            if change.note.is_none() {
                line.place = change.effort().and_then(|id| memory.place_of(id));
            }
            line.ambient =
                (change.kind == ChangeKind::Tide).then(|| memory.ambient_messages() as u64);
            line.entered = self.entered;
            line.entry = self.entry_after(change, memory, now, step);
            self.journal.add(batch, change.turn, now, Line::Change(line.into()))?;
        }
        Ok(())
    }

    /// What a change makes of its effort's entry in the manifest. Undone, any may move its countdown.
    fn entry_after(
        &self,
        change: &Change,
        memory: &Memory,
        now: &str,
        step: Step,
    ) -> Option<Patch> {
        let effort = memory.effort(change.effort()?).filter(|_| change.note.is_none())?;
        let KindRow { leads, entry, .. } = change.kind.row();
        match entry {
            EntryChange::Whole => return Some(self.full_entry(effort, memory, leads, now)),
            EntryChange::Nothing if step == Step::Done => return None,
            EntryChange::Place | EntryChange::Nothing => {}
        }
        // In full: one that comes back may have left the window a hundred thousand efforts ago.
        let mut entry = patch::held(effort);
        let evicted = leads.tier() == Some(Tier::Evicted);
        entry.insert("evicted".into(), evicted.into());
        Some(entry)
    }

    fn full_entry(&self, effort: &Effort, memory: &Memory, leads: Leads, now: &str) -> Patch {
        let is_out = memory.tier(effort) == Tier::Evicted;
        let mut entry = patch::whole(effort, is_out, &self.effort_files().of(&effort.id), now);
        if !effort.specifics.is_empty() || leads == Leads::Ends {
            entry.insert("specifics".into(), effort.specifics.iter().collect());
        }
        if leads == Leads::Begins {
            entry.insert("created".into(), now.into());
        }
        entry
    }

    fn turn_line(&self, ended: &Ended, memory: &Memory) -> TurnLine {
        let layers = memory.layers();
        let logged = self.logged.as_ref().filter(|logged| logged.turn == ended.turn);
        let log = || ended.log.as_ref().map(EffortId::to_string);
        let effort = ended.log.as_ref().and_then(|id| memory.effort(id));
        let size =
            |effort: &Effort| [Some(effort.raw_messages), effort.raw_tokens.map(|tokens| tokens.0)];
        TurnLine {
            model: self.model.clone(),
            // Between turns nothing is recalled.
            layers: by_layer(layers.iter().filter(|(layer, _)| *layer != Layer::Recalled)),
            total: Some(layers.total().0),
            moment: Some(Moment::of(memory)),
            changes: Some(ended.changes.len() as u64),
            request: self.request.map(|request| request.stored()),
            faults: self.faults,
            mentioned: self.new_mentions(memory),
            used: NoteUses::new(&ended.used_notes, memory),
            entry: effort.map(patch::worked_on),
            log_size: effort.map(size),
            ..logged.map_or_else(|| TurnLine { log: log(), ..TurnLine::default() }, Logged::line)
        }
    }

    /// The mentions that the journal does not know of yet. Looks at the window only.
    fn new_mentions(&self, memory: &Memory) -> Listed<record::Mention> {
        let known = &self.memory_state.mentions;
        let is_new = |effort: &&Effort| {
            let known: Option<&Mention> = known.get(&effort.id);
            known.is_none_or(|known| {
                known.turn != effort.last_referenced
                    || known.cause.as_deref() != Some(&*effort.cause)
            })
        };
        let mention = |effort: &Effort| {
            let (turn, cause) = (effort.last_referenced.0, effort.cause.to_string());
            (effort.id.to_string(), record::Mention { turn: Some(turn), cause: Some(cause) })
        };
        let efforts = memory.warm_efforts().chain(memory.expanded_efforts());
        Listed(efforts.filter(is_new).map(mention).collect())
    }
}

/// Whether a derived file is behind after a change.
fn is_derived(change: &Change) -> bool {
    change.kind.row().entry == EntryChange::Whole || change.note.is_some()
}
