//! What the index is to hold, as memory knows it, and how it comes to hold it: only what is missing is read.

use std::borrow::Cow;
use std::sync::Arc;

use crate::clock;
use crate::memory::{
    Effort, EffortId, Memory, Note, NoteState, Role, ScratchItem, Status, Tier, Turn,
    without_labels,
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
    summary: Summary,
    turn: Turn,
    /// Its summary may be another one than the last time.
    may_differ: bool,
}

/// What stands for all of something. Of an effort memory's own text stands here, uncopied: there may be very many.
#[derive(Debug, Clone)]
enum Summary {
    None,
    Words(Arc<str>),
    Effort(EffortId, Vec<String>, Option<Arc<str>>),
}

impl Summary {
    fn words(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::None => None,
            Self::Words(words) => Some(Cow::Borrowed(words)),
            Self::Effort(id, tags, summary) => {
                let summary = summary.as_deref().unwrap_or_default();
                Some(Cow::Owned([id.as_str(), &tags.join(" "), summary].join(" ")))
            }
        }
    }
}

/// Where its texts are.
#[derive(Debug, Clone)]
enum Texts {
    /// So many messages of a log, if that is known; without an id the ambient log. The last ones, if they are known.
    Log(Option<EffortId>, Option<u64>, Vec<LoggedMessage>),
    /// The first so many messages of a log: those behind them are forgotten.
    First(u64),
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
        let count = Some(count).filter(|_| memory.is_ambient_counted());
        let texts = Texts::Log(None, count, Vec::new());
        let turn = memory.turn();
        Self { source: Source::Ambient, texts, summary: Summary::None, turn, may_differ: false }
    }

    /// The log of an effort and what stands for it: once concluded its summary, before that its name.
    pub(super) fn effort(effort: &Effort) -> Self {
        let id = &effort.id;
        let summary = effort.summary().filter(|_| effort.status == Status::Concluded);
        Self {
            source: Source::Effort(id.to_string()),
            texts: Texts::Log(
                Some(id.clone()),
                effort.raw_tokens.map(|_| effort.raw_messages),
                Vec::new(),
            ),
            summary: Summary::Effort(id.clone(), effort.tags.clone(), summary),
            turn: effort.last_referenced,
            may_differ: true,
        }
    }

    /// The same with the messages that were logged last, which need not be read.
    pub(super) fn with_newest(self, messages: Vec<LoggedMessage>) -> Self {
        let texts = match self.texts {
            Texts::Log(log, count, _) => Texts::Log(log, count, messages),
            texts => texts,
        };
        Self { texts, ..self }
    }

    /// The same once these messages are logged behind `before` others that are not logged yet, and the number of the first
    /// one in the log; `None` where the log was not counted.
    pub(super) fn with_next(
        self,
        before: usize,
        messages: Vec<LoggedMessage>,
    ) -> Option<(u64, Self)> {
        let Texts::Log(log, Some(count), _) = self.texts else { return None };
        let first = count + before as u64;
        let texts = Texts::Log(log, Some(first + messages.len() as u64), messages);
        Some((first, Self { texts, may_differ: false, ..self }))
    }

    /// The first so many messages of the log of an effort, or of the ambient one: those behind them are forgotten.
    pub(super) fn first_of(log: Option<&EffortId>, messages: u64) -> Self {
        Self { texts: Texts::First(messages), may_differ: false, ..Self::gone(log) }
    }

    /// Nothing is left of the log of an effort, or of the ambient one.
    pub(super) fn gone(log: Option<&EffortId>) -> Self {
        let source = log.map_or(Source::Ambient, |id| Source::Effort(id.to_string()));
        Self { source, texts: Texts::None, summary: Summary::None, turn: Turn(0), may_differ: true }
    }

    /// A note, unless it was removed.
    pub(super) fn note(note: &Note) -> Self {
        let words = || format!("{} {}", note.content, note.tags.join(" "));
        let summary = match note.state {
            NoteState::Removed => Summary::None,
            _ => Summary::Words(words().into()),
        };
        let (source, turn) = (Source::Note(note.id.0), note.created);
        Self { source, texts: Texts::None, summary, turn, may_differ: true }
    }

    /// A large text. Archives are copies of what the logs hold.
    pub(super) fn text(item: &ScratchItem, pad: &Arc<Scratchpad>) -> Option<Self> {
        let chunks = item.chunks.min(MOST_CHUNKS);
        let texts = Texts::Chunks(Arc::clone(pad), Arc::clone(&item.key), chunks);
        let summary = Summary::Words(Arc::clone(&item.description));
        let source = Source::Text(item.key.to_string());
        let one = Self { source, texts, summary, turn: Turn(0), may_differ: false };
        (!item.is_archive()).then_some(one)
    }

    /// Lets the index hold it.
    pub(super) fn bring_up(&self, index: &mut Index, logs: &SaidReader) {
        self.bring_up_texts(index, logs);
        if self.is_summed_up(index) {
            return;
        }
        let said = Said { source: &self.source, turn: self.turn.0, day: None };
        match self.summary.words() {
            None => index.forget_summary(&self.source),
            Some(words) => index.add_summary(said, &words),
        }
    }

    /// Whether the index holds what stands for it.
    pub(super) fn is_summed_up(&self, index: &Index) -> bool {
        if !self.may_differ && index.has_summary(&self.source) {
            return true;
        }
        let held = |words: Cow<str>| index.holds_summary(&self.source, &words);
        self.summary.words().map_or_else(|| !index.has_summary(&self.source), held)
    }

    fn bring_up_texts(&self, index: &mut Index, logs: &SaidReader) {
        let known = u64::from(index.messages(&self.source));
        match &self.texts {
            Texts::None if known > 0 => index.forget(&self.source, 0),
            Texts::First(count) if known > *count => index.forget(&self.source, *count as u32),
            Texts::Chunks(pad, key, chunks) => {
                let said = Said { source: &self.source, turn: 0, day: None };
                for number in known..*chunks {
                    // What cannot be read is not found; reading it says why.
                    let chunk = pad.chunk(key, number + 1).map(|chunk| chunk.text);
                    index.add(said, number as u32, &[&chunk.unwrap_or_default()]);
                }
            }
            Texts::Log(_, Some(messages), newest) if known + newest.len() as u64 == *messages => {
                add(index, &self.source, known as u32, newest);
            }
            Texts::Log(log, messages, _) if *messages != Some(known) => {
                self.bring_up_log(index, logs, log.as_ref(), known);
            }
            Texts::Log(..) | Texts::First(_) | Texts::None => {}
        }
    }

    fn bring_up_log(
        &self,
        index: &mut Index,
        logs: &SaidReader,
        log: Option<&EffortId>,
        known: u64,
    ) {
        let read = |from: u64| logs.messages(log, from..from + AT_ONCE).unwrap_or_default();
        // With the last one that is known, to see that it is still there.
        let mut next = known.saturating_sub(1);
        let mut messages = read(next);
        if known > 0 && messages.is_empty() {
            // The log is shorter than it was.
            index.forget(&self.source, 0);
            next = 0;
            messages = read(next);
        }
        while !messages.is_empty() {
            add(index, &self.source, next as u32, &messages);
            next += messages.len() as u64;
            let is_end = (messages.len() as u64) < AT_ONCE;
            messages = if is_end { Vec::new() } else { read(next) };
        }
    }
}

/// Adds messages, of which the first has a number in its log: those of one turn and day together, as they were said.
fn add(index: &mut Index, source: &Source, mut first: u32, messages: &[LoggedMessage]) {
    for same in messages.chunk_by(|a, b| (a.turn, day(a)) == (b.turn, day(b))) {
        let turn = same[0].turn.unwrap_or_default().0;
        let said: Vec<Arc<str>> = same.iter().map(|one| without_labels(&one.text)).collect();
        let texts: Vec<&str> = said.iter().map(|text| &**text).collect();
        index.add(Said { source, turn, day: day(&same[0]) }, first, &texts);
        first += same.len() as u32;
    }
}

/// The day on which a message was said, where the person is.
pub(super) fn day(message: &LoggedMessage) -> Option<Date> {
    clock::day_of(&message.at)
}

/// A message as it is shown with others.
pub(super) fn told(role: Role, text: &str) -> String {
    format!("{}: {}", role.as_str(), text.trim())
}
