//! How a session was opened, under which rules, and what was sent with every request: lines of the
//! journal that the time machine begins from. They are written with the first change or turn, so that
//! looking at a session leaves no trace.

use crate::clock;
use crate::memory::{Frame, Memory, Turn};
use crate::store::history;
use crate::store::record::{FrameLine, Line, Moment, Opened, RulesLine, State, StoredRules};
use crate::store::{Error, Store};

/// What the journal does not tell yet.
#[derive(Debug, Default)]
pub(in crate::store) struct Opening {
    /// What memory held when the session was opened, but for where the frame is told.
    opened: Option<(Turn, Box<State>)>,
    /// The system prompt and the tools, if they are others than those told last.
    frame: Option<Frame>,
    /// The rules that the journal knows.
    rules: Option<Box<StoredRules>>,
}

impl Store {
    /// Takes in what memory holds at the start; told to the journal once something happens.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn note_opening(&mut self, memory: &Memory) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
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
            crate::store::disk::files::length(&path).ok()
        };
        let at = self.session.frame.unwrap_or(0);
        self.opening.opened = Some((memory.turn(), history::state_of(memory, at, end_of).into()));
        self.opening.rules = Some(StoredRules::new(memory.rules(), memory.note_limits()).into());
        Ok(())
    }

    /// A turn went on after it was counted, as one that waits for a compression does: what memory holds at
    /// its true end.
    ///
    /// # Errors
    /// When the journal cannot be written; the turn is seen as it was before then.
    pub fn note_moment(&mut self, memory: &Memory) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        let line = Line::Moment(Moment::of(memory).into());
        self.journal.push(memory.turn(), &clock::timestamp(), line)
    }

    /// Tells how the session was opened, once, and what the rules are, whenever they have changed.
    pub(in crate::store) fn tell_opening(
        &mut self,
        memory: &Memory,
        now: &str,
    ) -> Result<(), Error> {
        self.tell_opened(now)?;
        let Some(known) = &self.opening.rules else { return Ok(()) };
        let rules = StoredRules::new(memory.rules(), memory.note_limits());
        if rules != **known {
            let line = Line::Rules(RulesLine { rules: Some(rules.clone().into()) });
            self.journal.push(memory.turn(), now, line)?;
            self.opening.rules = Some(rules.into());
        }
        Ok(())
    }

    /// Tells how the session was opened, once.
    pub(in crate::store) fn tell_opened(&mut self, now: &str) -> Result<(), Error> {
        let Some((turn, mut state)) = self.opening.opened.clone() else { return Ok(()) };
        if let Some(frame) = self.opening.frame.clone() {
            let at = self.journal.len()?;
            let (system_prompt, tools) = (frame.system_prompt.to_string(), frame.tools.to_string());
            self.journal.push(turn, now, Line::Frame(FrameLine { system_prompt, tools }))?;
            (self.session.frame, self.opening.frame) = (Some(at), None);
        }
        state.frame = self.session.frame;
        self.journal.push(turn, now, Line::Opened(Opened { state: Some(state) }))?;
        self.opening.opened = None;
        Ok(())
    }
}
