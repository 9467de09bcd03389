//! How a session was opened, under which rules, and what was sent with every request: lines of the
//! journal that the time machine begins from. They are written with the first change or turn, so that
//! looking at a session leaves no trace.

use serde_json::{Map, Value, json};

use super::journal::object;
use super::{Error, Store, history};
use crate::clock;
use crate::memory::{Frame, Memory, Turn};

/// What the journal does not tell yet.
#[derive(Debug, Default)]
pub(super) struct Opening {
    /// The line that tells how the session was opened, but for where the frame is told.
    opened: Option<(Turn, Map<String, Value>)>,
    /// The system prompt and the tools, if they are others than those told last.
    frame: Option<Frame>,
    /// The rules that the journal knows.
    rules: Map<String, Value>,
}

impl Store {
    /// Takes in what memory holds at the start; told to the journal once something happens.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn note_opening(&mut self, memory: &Memory) -> Result<(), Error> {
        let frame = memory.frame();
        let told = match self.session.frame {
            Some(at) => history::read_frame(&self.paths, at)?,
            None => None,
        };
        let known = told.is_some_and(|told| told == *frame);
        self.opening.frame = (!known).then(|| frame.clone());
        let reader = self.reader();
        let end_of = |id: Option<&crate::memory::EffortId>| {
            let path = match id {
                Some(id) => reader.path_of_log(id).ok()?,
                None => self.paths.ambient(),
            };
            super::files::length(&path).ok()
        };
        let at = self.session.frame.unwrap_or(0);
        let fields = history::opening_fields(memory, at, end_of);
        self.opening.opened = Some((memory.turn(), fields));
        self.opening.rules = history::rules_fields(memory.rules(), memory.note_limits());
        Ok(())
    }

    /// A turn went on after it was counted, as one that waits for a compression does: what memory holds at
    /// its true end.
    ///
    /// # Errors
    /// When the journal cannot be written; the turn is seen as it was before then.
    pub fn note_moment(&mut self, memory: &Memory) -> Result<(), Error> {
        let mut fields = history::moment_fields(memory);
        for key in ["forms", "waiting", "compressed", "uncounted"] {
            fields.entry(key).or_insert(Value::Null);
        }
        self.journal.push("moment", memory.turn(), &clock::timestamp(), fields)
    }

    /// Tells how the session was opened, once, and what the rules are, whenever they have changed.
    pub(super) fn tell_opening(&mut self, memory: &Memory, now: &str) -> Result<(), Error> {
        self.tell_opened(now)?;
        if self.opening.rules.is_empty() {
            return Ok(());
        }
        let rules = history::rules_fields(memory.rules(), memory.note_limits());
        if rules != self.opening.rules {
            let fields = object(json!({ "rules": rules }));
            self.journal.push("rules", memory.turn(), now, fields)?;
            self.opening.rules = rules;
        }
        Ok(())
    }

    /// Tells how the session was opened, once.
    pub(super) fn tell_opened(&mut self, now: &str) -> Result<(), Error> {
        let Some((turn, mut fields)) = self.opening.opened.clone() else { return Ok(()) };
        if let Some(frame) = self.opening.frame.clone() {
            let at = self.journal.len()?;
            let frame = json!({"system_prompt": &*frame.system_prompt, "tools": &*frame.tools});
            self.journal.push("frame", turn, now, object(frame))?;
            (self.session.frame, self.opening.frame) = (Some(at), None);
        }
        fields["state"]["frame"] = self.session.frame.into();
        self.journal.push("opened", turn, now, fields)?;
        self.opening.opened = None;
        Ok(())
    }
}
