//! The words of what was found, read where they were said.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::wanted::told;
use crate::memory::{EffortId, Memory, NoteId, NoteState, Role, Tier, Turn, without_labels};
use crate::recall::said::{Passage, Place, Source};
use crate::store::{LoggedMessage, SaidReader, Scratchpad};

/// Who said each of the messages in a text, and where it stands.
type Places = Vec<(Role, Range<usize>)>;

/// What stands at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) text: String,
    /// Who said each of the messages in it, and where it stands; empty if it is a part of one, or stands for others.
    pub(super) messages: Places,
    /// When it was said, if that is known.
    pub(super) turn: Option<Turn>,
    /// Such as `2026-01-31`; empty if unknown.
    pub(super) day: String,
}

/// A passage that is worth recalling.
pub(super) struct Chosen<'a> {
    pub(super) source: &'a Source,
    pub(super) passage: Cow<'a, Passage>,
    pub(super) told: Told,
    /// It counts as mentioned.
    pub(super) mentions: bool,
}

/// Where what was said is read.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub(super) memory: &'a Memory,
    pub(super) logs: &'a SaidReader,
    pub(super) pad: &'a Scratchpad,
}

impl Texts<'_> {
    /// The words of a passage; `None` where there is nothing any more.
    pub(super) fn of(&self, source: &Source, passage: &Passage) -> Option<Told> {
        let turn = Some(passage.turn).filter(|&turn| turn > 0).map(Turn);
        let day = passage.day.map_or_else(String::new, |day| day.to_string());
        match &passage.place {
            Place::Summary => {
                let text = self.summary(source)?;
                Some(Told { text, messages: Vec::new(), turn: None, day })
            }
            Place::Messages { range, part } => {
                let messages = self.messages(source, range.start.into()..range.end.into());
                let (text, messages) = words_of(source, part.as_ref(), &messages)?;
                Some(Told { text, messages, turn, day })
            }
        }
    }

    /// Messages of a source by their numbers, as they were said; those of a text are its chunks.
    pub(super) fn messages(&self, source: &Source, range: Range<u64>) -> Vec<LoggedMessage> {
        match source {
            Source::Effort(_) | Source::Ambient => logged_messages(self.logs, source, range),
            Source::Text(key) => {
                let chunk = |number: u64| self.pad.chunk(key, number + 1).ok();
                let message = |chunk: crate::store::Chunk| LoggedMessage {
                    role: Role::User,
                    text: chunk.text.into(),
                    at: String::new(),
                    turn: None,
                };
                range.filter_map(chunk).map(message).collect()
            }
            Source::Note(_) => Vec::new(),
        }
    }

    /// What somebody said of some messages of an effort or between efforts, by their numbers.
    pub(super) fn said_by(
        &self,
        role: Role,
        source: &Source,
        range: Range<u64>,
    ) -> Vec<(u64, LoggedMessage)> {
        let log = match source {
            Source::Effort(id) => Some(EffortId::stored(id)),
            Source::Ambient => None,
            Source::Text(_) | Source::Note(_) => return Vec::new(),
        };
        let said = self.logs.said_by(role, log.as_ref(), range).unwrap_or_default();
        said.into_iter().map(|(number, message)| (number, as_said(message))).collect()
    }

    pub(super) fn summary(&self, source: &Source) -> Option<String> {
        match source {
            Source::Effort(id) => {
                let effort = self.memory.effort(&EffortId::stored(id))?;
                effort.summary().as_deref().map(str::to_owned)
            }
            Source::Note(number) => Some(self.memory.note(NoteId(*number))?.content.to_string()),
            Source::Text(key) => {
                let item = self.memory.scratchpad().iter().find(|item| *item.key == **key)?;
                Some(format!("{} ({})", item.description, item.size()))
            }
            Source::Ambient => None,
        }
    }

    /// Whether the window holds a passage as it is.
    pub(super) fn in_window(&self, source: &Source, passage: &Passage) -> bool {
        match (source, &passage.place) {
            (Source::Effort(id), Place::Summary) => {
                let effort = self.memory.effort(&EffortId::stored(id));
                effort.is_none_or(|effort| self.memory.tier(effort) != Tier::Evicted)
            }
            (Source::Effort(id), Place::Messages { range, .. }) => {
                let id = EffortId::stored(id);
                self.memory.holds_messages(Some(&id), range.start.into()..range.end.into())
            }
            (Source::Ambient, Place::Messages { range, .. }) => {
                self.memory.holds_messages(None, range.start.into()..range.end.into())
            }
            (Source::Note(number), _) => {
                let note = self.memory.note(NoteId(*number));
                note.is_none_or(|note| note.state == NoteState::Session)
            }
            (Source::Text(_) | Source::Ambient, Place::Summary) => true,
            (Source::Text(_), Place::Messages { .. }) => false,
        }
    }
}

/// The words of a passage of a log, if all of it is logged by now.
pub(super) fn logged(logs: &SaidReader, source: &Source, passage: &Passage) -> Option<String> {
    let Place::Messages { range, part } = &passage.place else { return None };
    let messages = logged_messages(logs, source, range.start.into()..range.end.into());
    let is_whole = messages.len() == range.len();
    is_whole.then(|| words_of(source, part.as_ref(), &messages)).flatten().map(|(text, _)| text)
}

/// Messages of an effort or between efforts, by their numbers.
fn logged_messages(logs: &SaidReader, source: &Source, range: Range<u64>) -> Vec<LoggedMessage> {
    let messages = match source {
        Source::Effort(id) => logs.messages(Some(&EffortId::stored(id)), range),
        Source::Ambient => logs.messages(None, range),
        Source::Text(_) | Source::Note(_) => return Vec::new(),
    };
    messages.unwrap_or_default().into_iter().map(as_said).collect()
}

/// The words of messages, or of a part of a single one, and where each of them stands.
fn words_of(
    source: &Source,
    part: Option<&Range<u32>>,
    messages: &[LoggedMessage],
) -> Option<(String, Places)> {
    match (part, messages) {
        (_, []) => None,
        (Some(part), [only]) => {
            let part = only.text.get(part.start as usize..part.end as usize)?;
            let is_text = matches!(source, Source::Text(_));
            let text = || told(only.role, part);
            Some((if is_text { part.trim().to_owned() } else { text() }, Vec::new()))
        }
        _ => Some(placed_lines(messages)),
    }
}

/// A message without what the program put over it.
fn as_said(message: LoggedMessage) -> LoggedMessage {
    LoggedMessage { text: without_labels(&message.text), ..message }
}

/// Messages as lines, each with who said it.
pub(super) fn lines(messages: &[LoggedMessage]) -> String {
    placed_lines(messages).0
}

/// The same, and where each stands.
fn placed_lines(messages: &[LoggedMessage]) -> (String, Places) {
    let mut text = String::new();
    let mut places = Vec::with_capacity(messages.len());
    for message in messages {
        if !text.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(&told(message.role, &message.text));
        places.push((message.role, start..text.len()));
    }
    (text, places)
}

/// The effort of a source.
pub(super) fn effort_of(source: &Source) -> Option<EffortId> {
    match source {
        Source::Effort(id) => Some(EffortId::stored(id)),
        Source::Ambient | Source::Note(_) | Source::Text(_) => None,
    }
}

/// A source as results name it.
pub(super) fn name_of(source: &Source) -> Arc<str> {
    source.to_string().into()
}
