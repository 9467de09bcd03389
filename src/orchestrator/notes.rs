//! Notes in the driver: what a person does with them, and the check of their budget.

use serde_json::{Value, json};

use super::answer::{Answer, Refusal};
use super::driver::Driver;
use super::op::NoteCommand;
use super::turn::Progress;
use crate::counted::noun;
use crate::memory::{Change, ChangeKind, LogLevel, LogLine, NoteId, NoteStats, Rejected, Salience};

impl Driver {
    /// Makes a note.
    pub(super) fn remember(
        &mut self,
        content: &str,
        tags: &[String],
        salience: Option<u64>,
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        let salience = salience.map_or(Ok(Salience::default()), Salience::new)?;
        let change = self.memory.remember(content, tags, salience)?;
        let id = self.apply_one(change, progress);
        let stats = self.memory.note_stats();
        let for_model = json!({
            "id": id, "status": "remembered",
            "current": stats.current, "soft_limit": stats.soft_limit,
        });
        Ok(Answer { for_model, for_people: format!("Noted as {id}.") })
    }

    /// Does what a person asked for with a note, between turns.
    pub(super) fn note_command(
        &mut self,
        id: &str,
        command: &NoteCommand,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let changes = self.change_note(id, command)?;
        let text = told(&changes);
        self.apply(changes, progress);
        Ok(text)
    }

    fn change_note(&mut self, id: &str, command: &NoteCommand) -> Result<Vec<Change>, Rejected> {
        let id = self.memory.find_note(id)?;
        let change = match command {
            NoteCommand::Pin => self.memory.pin_note(id, true),
            NoteCommand::Unpin => self.memory.pin_note(id, false),
            NoteCommand::Tag(tag) => self.memory.tag_note(id, tag),
            NoteCommand::Untag(tag) => self.memory.untag_note(id, tag),
            NoteCommand::Edit(content) => self.memory.edit_note(id, content),
            NoteCommand::Weigh(stars) => self.memory.weigh_note(id, Salience::new(*stars)?),
            NoteCommand::Delete => self.memory.delete_note(id),
            NoteCommand::Archive => self.memory.archive_note(id),
            NoteCommand::Return => return self.memory.return_note(id, "back on request"),
        };
        change.map(|change| vec![change])
    }

    /// A search found a note, which counts even if the turn, or the program, ends badly after it. Where
    /// threads are kept together, an archived one returns with its thread.
    pub(super) fn found_note(&mut self, id: NoteId, progress: &mut Progress) {
        if self.memory.note_limits().threads
            && let Ok(changes) = self.memory.return_note(id, "found by search")
        {
            return self.apply(changes, progress);
        }
        self.memory.use_note(id);
        let used = self.memory.take_used_notes();
        if let Err(error) = self.store.record_note_uses(&used, &self.memory) {
            tracing::warn!("that {id} was found is not recorded: {error}");
        }
    }

    /// Holds the notes' budget at once where something between turns put a note into the window: the program may
    /// end before the next check.
    pub(super) fn check_new_notes(&mut self, progress: &Progress) {
        let enters = |change: &Change| {
            matches!(change.kind, ChangeKind::NoteRemembered | ChangeKind::NoteRestored)
        };
        if progress.changes.iter().any(enters) {
            self.check_notes();
        }
    }

    /// Holds the notes' budget between turns.
    pub(super) fn check_notes(&mut self) {
        let changes = self.notes_to_leave();
        if !changes.is_empty() {
            self.apply(changes, &mut Progress::new("".into()));
            self.show_memory();
        }
    }

    /// Runs the check of the notes' budget and writes the seed's lines to the log; the changes are for the
    /// caller to record.
    pub(super) fn notes_to_leave(&mut self) -> Vec<Change> {
        let check = self.memory.check_notes();
        check.lines.iter().for_each(log);
        check.changes
    }
}

/// What happened to the note that was meant, and how many others went with it.
fn told(changes: &[Change]) -> String {
    let first = changes.first().map(Change::words).unwrap_or_default();
    let others = match changes.len().saturating_sub(1) {
        0 => String::new(),
        more => format!(", and {more} more of its thread"),
    };
    format!("{first}{others}.")
}

/// The statistics as the model gets them, by their names in the seed.
pub fn stats(stats: &NoteStats) -> Value {
    json!({
        "current": stats.current, "soft_limit": stats.soft_limit, "hard_limit": stats.hard_limit,
        "batch_size": stats.batch_size, "enabled": stats.enabled,
        "utilization": stats.utilization(), "status": stats.status().as_str(),
        "permanent": stats.permanent, "limits": stats.limits(), "why": stats.why(),
    })
}

/// The same as an answer.
pub(super) fn told_stats(numbers: &NoteStats) -> Answer {
    let for_people = format!(
        "Working memory: {} {}, soft limit {}, hard limit {}, batch {}, enabled: {}, utilization {:.1} %, {}; \
         {} permanent. Limits {}, {}.",
        numbers.current,
        noun(numbers.current as u64, "note"),
        numbers.soft_limit,
        numbers.hard_limit,
        numbers.batch_size,
        if numbers.enabled { "yes" } else { "no" },
        numbers.utilization(),
        numbers.status().as_str().replace('_', " "),
        numbers.permanent,
        numbers.limits(),
        numbers.why(),
    );
    Answer { for_model: stats(numbers), for_people }
}

fn log(line: &LogLine) {
    match line.level {
        LogLevel::Debug => tracing::debug!("{}", line.text),
        LogLevel::Info => tracing::info!("{}", line.text),
        LogLevel::Warn => tracing::warn!("{}", line.text),
    }
}
