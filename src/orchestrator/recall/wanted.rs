//! What the index is to hold, as memory knows it, and how it comes to hold it: only what is missing is read.

use std::ops::Range;
use std::sync::Arc;

use crate::memory::{
    Effort, EffortId, Memory, Note, NoteState, Role, ScratchItem, Status, Tier, Turn,
};
use crate::recall::said::{Date, Index, Said, Source};
use crate::store::{LoggedMessage, SaidReader, Scratchpad};

/// Of a longer text, only so many chunks are indexed from its beginning.
const MOST_CHUNKS: u64 = 8_192;

/// Messages that are read at a time.
const AT_ONCE: u64 = 512;

/// Something that is to be found again.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    source: Source,
    texts: Texts,
    /// What stands for all of it.
    summary: Option<Arc<str>>,
    turn: Turn,
    /// Its summary may be another one than the last time.
    may_differ: bool,
}

/// Where its texts are.
#[derive(Debug, Clone)]
enum Texts {
    /// So many messages of a log, if that is known; without an id the ambient log.
    Log(Option<EffortId>, Option<u64>),
    /// Chunks on the scratchpad.
    Chunks(Arc<Scratchpad>, Arc<str>, u64),
    None,
}

impl Wanted {
    /// Everything that memory knows of, what was said last first.
    pub(super) fn all(memory: &Memory, pad: &Arc<Scratchpad>) -> Vec<Self> {
        let ambient = Self::ambient(memory);
        let efforts = memory.efforts().iter().rev().map(|effort| {
            let may_differ = memory.tier(effort) != Tier::Evicted;
            Self { may_differ, ..Self::effort(effort) }
        });
        let notes = memory.searchable_notes().map(Self::note);
        let texts = memory.scratchpad().iter().filter_map(|item| Self::text(item, pad));
        std::iter::once(ambient).chain(efforts).chain(notes).chain(texts).collect()
    }

    /// What was said outside of efforts.
    pub(super) fn ambient(memory: &Memory) -> Self {
        let count = memory.ambient_size().0;
        let texts = Texts::Log(None, Some(count).filter(|_| memory.is_ambient_counted()));
        let turn = memory.turn();
        Self { source: Source::Ambient, texts, summary: None, turn, may_differ: false }
    }

    /// The log of an effort and what stands for it: once concluded its summary, before that its name.
    pub(super) fn effort(effort: &Effort) -> Self {
        let id = &effort.id;
        let summary = effort.summary.as_deref().filter(|_| effort.status == Status::Concluded);
        let words = [id.as_str(), &effort.tags.join(" "), summary.unwrap_or_default()].join(" ");
        Self {
            source: Source::Effort(id.to_string()),
            texts: Texts::Log(Some(id.clone()), effort.raw_tokens.map(|_| effort.raw_messages)),
            summary: Some(words.into()),
            turn: effort.last_referenced,
            may_differ: true,
        }
    }

    /// A note, unless it was removed.
    pub(super) fn note(note: &Note) -> Self {
        let words = || format!("{} {}", note.content, note.tags.join(" "));
        let summary = (note.state != NoteState::Removed).then(|| words().into());
        let (source, turn) = (Source::Note(note.id.0), note.created);
        Self { source, texts: Texts::None, summary, turn, may_differ: true }
    }

    /// A large text. Archives are copies of what the logs hold.
    pub(super) fn text(item: &ScratchItem, pad: &Arc<Scratchpad>) -> Option<Self> {
        let chunks = item.chunks.min(MOST_CHUNKS);
        let texts = Texts::Chunks(Arc::clone(pad), Arc::clone(&item.key), chunks);
        let summary = Some(Arc::clone(&item.description));
        let source = Source::Text(item.key.to_string());
        let one = Self { source, texts, summary, turn: Turn(0), may_differ: false };
        (!item.is_archive()).then_some(one)
    }

    /// Nothing is left of an effort.
    pub(super) fn gone(id: &EffortId) -> Self {
        let source = Source::Effort(id.to_string());
        Self { source, texts: Texts::None, summary: None, turn: Turn(0), may_differ: true }
    }

    /// Lets the index hold it.
    pub(super) fn bring_up(&self, index: &mut Index, logs: &SaidReader) {
        self.bring_up_texts(index, logs);
        let said = Said { source: &self.source, turn: self.turn.0, day: None };
        match &self.summary {
            None => index.forget_summary(&self.source),
            Some(_) if index.has_summary(&self.source) && !self.may_differ => {}
            Some(words) if index.holds_summary(&self.source, words) => {}
            Some(words) => index.add_summary(said, words),
        }
    }

    fn bring_up_texts(&self, index: &mut Index, logs: &SaidReader) {
        let known = u64::from(index.messages(&self.source));
        match &self.texts {
            Texts::None if known > 0 => index.forget(&self.source, 0),
            Texts::Chunks(pad, key, chunks) => {
                let said = Said { source: &self.source, turn: 0, day: None };
                for number in known..*chunks {
                    // What cannot be read is not found; reading it says why.
                    let chunk = pad.chunk(key, number + 1).map(|chunk| chunk.text);
                    index.add(said, number as u32, &[&chunk.unwrap_or_default()]);
                }
            }
            Texts::Log(log, messages) if *messages != Some(known) => {
                self.bring_up_log(index, logs, log.as_ref(), known);
            }
            Texts::Log(..) | Texts::None => {}
        }
    }

    fn bring_up_log(
        &self,
        index: &mut Index,
        logs: &SaidReader,
        log: Option<&EffortId>,
        known: u64,
    ) {
        let read = |range: Range<u64>| logs.messages(log, range).unwrap_or_default();
        if known > 0 && read(known - 1..known).is_empty() {
            // The log is shorter than it was.
            index.forget(&self.source, 0);
        }
        let mut next = u64::from(index.messages(&self.source));
        loop {
            let messages = read(next..next + AT_ONCE);
            if messages.is_empty() {
                return;
            }
            add(index, &self.source, next as u32, &messages);
            next += messages.len() as u64;
        }
    }
}

/// Adds messages, of which the first has a number in its log: those of one turn and day together.
fn add(index: &mut Index, source: &Source, mut first: u32, messages: &[LoggedMessage]) {
    for same in messages.chunk_by(|a, b| (a.turn, day(a)) == (b.turn, day(b))) {
        let turn = same[0].turn.unwrap_or_default().0;
        let texts: Vec<&str> = same.iter().map(|message| &*message.text).collect();
        index.add(Said { source, turn, day: day(&same[0]) }, first, &texts);
        first += same.len() as u32;
    }
}

/// The day that a message tells.
pub(super) fn day(message: &LoggedMessage) -> Option<Date> {
    message.at.get(..10)?.parse().ok()
}

/// A message as it is shown with others.
pub(super) fn told(role: Role, text: &str) -> String {
    format!("{}: {}", role.as_str(), text.trim())
}
