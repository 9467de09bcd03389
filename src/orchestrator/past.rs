//! The time machine: a turn of the session as it was. Reads files only, so it answers at any time, beside
//! a turn under way as well.

use std::sync::Arc;

use super::driver::Driver;
use super::inspector::Inspection;
use super::measured::Measured;
use super::notice::Notice;
use crate::counted::counted;
use crate::llm::offline;
use crate::memory::{CountTokens, Memory, MemoryView, ScratchItem, Turn, Window};
use crate::store::{Error, LogReader, Moment};

/// A turn as it was when it had ended.
#[derive(Debug, Clone, PartialEq)]
pub struct PastTurn {
    /// The turn.
    pub turn: Turn,
    /// The first and the last turn that can be looked at.
    pub span: (Turn, Turn),
    /// Memory as it was.
    pub memory: Arc<MemoryView>,
    /// The window as it was, as the next turn would have started from it.
    pub window: Arc<Window>,
    /// That window item by item, beside the one after the turn before.
    pub inspection: Arc<Inspection>,
    /// The last request of the turn, if the journal tells.
    pub request: Option<Measured>,
    /// The model that answered, if the journal tells.
    pub model: Option<PastModel>,
}

/// A model that answered in the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastModel {
    /// Its name as sent.
    pub name: String,
    /// The tokens that it takes, if that was known.
    pub context_window: Option<u64>,
    /// Whether it is no language model.
    pub offline: bool,
}

/// What the time machine reads from; cheap to clone and to send.
#[derive(Clone)]
pub struct TimeMachine {
    reader: LogReader,
    scratchpad: Arc<[ScratchItem]>,
    counter: Arc<dyn CountTokens>,
}

impl TimeMachine {
    /// The time machine of a session.
    pub fn new(
        reader: LogReader,
        scratchpad: Vec<ScratchItem>,
        counter: Arc<dyn CountTokens>,
    ) -> Self {
        Self { reader, scratchpad: scratchpad.into(), counter }
    }

    /// A turn as it was; `None` if the journal does not tell of it.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn turn(&self, turn: Turn) -> Result<Option<PastTurn>, Error> {
        let Some(moment) = self.reader.moment(turn, &self.scratchpad)? else { return Ok(None) };
        let (span, request) = (moment.span, moment.request.map(Measured::from));
        let takes = moment.past.rules.context_window.map(|tokens| tokens.0);
        let model = moment.model.clone().map(|name| PastModel {
            offline: name == offline::NAME,
            name,
            context_window: takes,
        });
        let tools = serde_json::from_str(&moment.past.frame.tools).unwrap_or_default();
        let (memory, window) = self.rebuild(moment);
        let before = match turn.0.checked_sub(1).map(Turn) {
            Some(before) => self.reader.moment(before, &self.scratchpad)?,
            None => None,
        };
        let before = before.map(|moment| (moment.past.turn, self.rebuild(moment).1));
        let named = before.as_ref().map(|(turn, window)| (window, format!("turn {turn}")));
        let inspection = Inspection::of(turn, &window, Arc::new(tools), named);
        let inspection = Inspection { is_past: true, ..inspection };
        Ok(Some(PastTurn {
            turn,
            span,
            memory: Arc::new(memory),
            window: Arc::new(window),
            inspection: Arc::new(inspection),
            request,
            model,
        }))
    }

    fn rebuild(&self, moment: Moment) -> (MemoryView, Window) {
        Memory::as_it_was(moment.past, Arc::clone(&self.counter))
    }

    /// The turns that can be looked at, the first and the last.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn span(&self) -> Result<Option<(Turn, Turn)>, Error> {
        self.reader.span()
    }
}

impl Driver {
    fn time_machine(&self) -> TimeMachine {
        let scratchpad = self.memory.scratchpad().to_vec();
        TimeMachine::new(self.store.reader(), scratchpad, self.memory.counter())
    }

    /// Reads all changes of memory beside the chat.
    pub(super) fn read_journal(&self) {
        let reader = self.store.reader();
        self.notices.answer_beside(move || match reader.journal() {
            Ok(entries) => [Notice::Journal(Arc::new(entries))],
            Err(error) => [Notice::problem(error.to_string(), "The journal's file is as it was.")],
        });
    }

    /// Reads how the window went over the last turns beside the chat, up to now: what happens while it is read is
    /// told as it happens. Without it there is no chart, and nothing else is missing.
    pub(super) fn read_course(&self) {
        let reader = self.store.reader();
        let upto = reader.journal_bytes();
        self.notices.answer_beside(move || {
            let course = upto.and_then(|upto| reader.course(upto)).inspect_err(|error| {
                tracing::warn!("the chart begins with the next turn: {error}");
            });
            course.ok().map(Notice::Course)
        });
    }

    /// Looks a turn up beside the chat; `None` stands for the last one.
    pub(super) fn look_back(&self, turn: Option<Turn>) {
        let (machine, last) = (self.time_machine(), self.memory.turn());
        let turn = turn.unwrap_or(last);
        self.notices.answer_beside(move || {
            [match machine.turn(turn) {
                Ok(Some(past)) => Notice::Past(Arc::new(past)),
                Ok(None) => Notice::NoPast(no_past(turn, last)),
                Err(error) => Notice::NoPast(error.to_string()),
            }]
        });
    }
}

/// Why a turn cannot be looked at, where the last one is known.
fn no_past(turn: Turn, last: Turn) -> String {
    if last == Turn(0) {
        "There is nothing to look back at yet: no turn has ended.".to_owned()
    } else if turn > last {
        format!("Turn {turn} has not been yet: {} so far.", counted(last.0, "turn"))
    } else {
        format!(
            "The journal does not tell how turn {turn} was: it is of another program, or older than the time machine."
        )
    }
}
