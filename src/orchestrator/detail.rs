//! One item in full, for a person: its summary, its raw log and what memory did to it over time; or a part of
//! a text that is held by reference.

use std::fmt::Write as _;
use std::sync::Arc;

use super::answer::Refusal;
use super::driver::Driver;
use super::notice::{Detail, Notice, Section};
use super::op::ItemRef;
use crate::counted::{counted, noun};
use crate::memory::{ChangeKind, Effort, Note, NoteId, Role, Subject, Tier, Usage};
use crate::store::PastChange;

/// Changes that are listed.
const MOST_CHANGES: usize = 100;

/// Bytes of a raw log that are shown; of a longer one the end.
const MOST_LOG: usize = 1024 * 1024;

/// Chunks of a text that make one part.
const CHUNKS_PER_PART: u64 = 32;

impl Driver {
    /// Shows an item, or says why it cannot.
    pub(super) fn show(&self, item: &ItemRef) {
        if let Err(refusal) = self.show_if_there(item) {
            self.answer(Err(refusal));
        }
    }

    /// Shows an item; it changes nothing, so a turn need not be over.
    pub(super) fn show_if_there(&self, item: &ItemRef) -> Result<(), Refusal> {
        let detail = match item {
            ItemRef::Effort(id) => self.effort_detail(id),
            ItemRef::Note(id) => self.note_detail(id),
            ItemRef::Text { key, part } => self.text_detail(key, *part),
        }?;
        self.notify(Notice::Detail(Arc::new(detail)));
        Ok(())
    }

    fn effort_detail(&self, id: &str) -> Result<Detail, Refusal> {
        let effort = self.memory.lookup(id)?;
        let log = self.store.read_log(&effort.id)?;
        let mut sections = vec![self.standing(effort)];
        if let Some(summary) = effort.summary() {
            sections.push(section("Summary", summary.to_string()));
        }
        for block in effort.blocks().iter().filter(|block| !block.is_excerpt()) {
            let messages = counted(block.places().len() as u64, "message");
            let heading = format!("{messages} in short form");
            sections.push(section(&heading, block.message().content.to_string()));
        }
        sections.push(self.changes(&Subject::Effort(effort.id.clone()))?);
        let heading = format!("Raw log: {}", counted(log.len() as u64, "message"));
        sections.push(section(&heading, transcript(&log)));
        let item = ItemRef::Effort(effort.id.to_string());
        Ok(Detail { title: effort.id.to_string(), item, sections, parts: (1, 1) })
    }

    fn standing(&self, effort: &Effort) -> Section {
        let mut text = String::new();
        let state = match self.memory.tier(effort) {
            Tier::Active | Tier::Open => "its log is in the window".to_owned(),
            Tier::Expanded => {
                let turn = effort.expanded_at().unwrap_or_default();
                format!("expanded in turn {turn}: its raw log is in the window")
            }
            Tier::Warm => "its summary is in the window".to_owned(),
            Tier::Evicted => {
                "only in the manifest; a mention or a search brings its summary back".to_owned()
            }
        };
        let _ = writeln!(text, "{}, {state}", effort.status.as_str());
        if effort.pinned {
            let _ = writeln!(text, "pinned: no countdown");
        }
        if let Some(left) = self.memory.turns_left(effort) {
            let _ = writeln!(text, "{} left without a mention", counted(left, "turn"));
        }
        let _ =
            writeln!(text, "last mentioned in turn {}: {}", effort.last_referenced, effort.cause);
        let tokens = |tokens: Option<crate::memory::Tokens>| {
            tokens.map_or("not counted yet".to_owned(), |tokens| counted(tokens.0, "token"))
        };
        let _ = writeln!(
            text,
            "raw log: {}, {}",
            counted(effort.raw_messages, "message"),
            tokens(effort.raw_tokens)
        );
        if effort.summary().is_some() {
            let _ = writeln!(text, "summary: {}", tokens(Some(self.memory.summary_cost(effort))));
        }
        if !effort.tags.is_empty() {
            let _ = writeln!(text, "tags: {}", effort.tags.join(", "));
        }
        section("How it stands", text)
    }

    fn note_detail(&self, id: &str) -> Result<Detail, Refusal> {
        let id = self.memory.find_note(id)?;
        let missing = || Refusal::of(format!("there is no note {id} any more"));
        let note = self.memory.note(id).ok_or_else(missing)?;
        let sections = vec![
            section("Words", note.content.to_string()),
            section("How it stands", note_standing(note, self.memory.note_thread(note.id))),
            self.changes(&Subject::Note(id))?,
        ];
        let item = ItemRef::Note(id.to_string());
        Ok(Detail { title: format!("note {id}"), item, sections, parts: (1, 1) })
    }

    fn changes(&self, subject: &Subject) -> Result<Section, Refusal> {
        let read = self.store.changes_of(subject, MOST_CHANGES);
        let (changes, all) = read?;
        let mut lines: Vec<String> = changes.iter().map(line).collect();
        if !all {
            lines.push("older ones are in journal.jsonl".to_owned());
        }
        Ok(section("What memory did, newest first", lines.join("\n")))
    }

    fn text_detail(&self, key: &str, part: u64) -> Result<Detail, Refusal> {
        let pad = self.store.scratchpad();
        let item = pad.item(key)?;
        let parts = item.chunks.div_ceil(CHUNKS_PER_PART).max(1);
        let part = part.clamp(1, parts);
        let first = (part - 1) * CHUNKS_PER_PART + 1;
        let last = (first + CHUNKS_PER_PART - 1).min(item.chunks);
        let mut text = String::new();
        for number in first..=last {
            let chunk = pad.chunk(&item.key, number)?;
            text.push_str(&chunk.text);
        }
        let heading = format!("{} · chunks {first} to {last} of {}", item.description, item.chunks);
        let title = format!("ref:{} · {}", item.key, item.size());
        let item = ItemRef::Text { key: item.key.to_string(), part };
        Ok(Detail { title, item, sections: vec![section(&heading, text)], parts: (part, parts) })
    }
}

fn section(heading: &str, text: String) -> Section {
    Section { heading: heading.to_owned(), text }
}

fn note_standing(note: &Note, thread: Option<(String, Vec<NoteId>)>) -> String {
    let mut text = format!(
        "{}, {} stars, made in turn {}, last used in turn {}",
        note.state.as_str(),
        note.salience.stars(),
        note.created,
        note.last_used
    );
    let times = |count: u64| noun(count, "time");
    let Usage { mentions, finds, .. } = note.usage;
    let _ = write!(
        text,
        "\nmentioned {mentions} {}, found {finds} {}; importance {}",
        times(mentions),
        times(finds),
        note.importance()
    );
    if note.pinned {
        text.push_str("\npinned: it does not leave below the hard limit");
    }
    if !note.tags.is_empty() {
        let _ = write!(text, "\ntags: {}", note.tags.join(", "));
    }
    if let Some(effort) = &note.effort {
        let _ = write!(text, "\nmade while {effort} was active");
    }
    if let Some((name, notes)) = thread {
        let notes: Vec<String> = notes.iter().map(NoteId::to_string).collect();
        let _ = write!(text, "\nof the thread {name}: {}", notes.join(", "));
    }
    text
}

fn line(past: &PastChange) -> String {
    let PastChange { change, at, summary } = past;
    let mut line = format!(
        "turn {}  {}  {}  ({} to {} tokens)  {at}",
        change.turn,
        change.kind.as_str().replace('_', " "),
        change.cause,
        change.before,
        change.after,
    );
    let worded = change.kind.gives_summary();
    if let Some(summary) = summary.as_ref().filter(|_| worded) {
        let _ = write!(line, "\n    summary then: {summary}");
    }
    let edited = change.was.as_ref().filter(|_| change.kind == ChangeKind::SummaryEdited);
    if let Some(before) = edited.and_then(|was| was.summary.as_deref()) {
        let _ = write!(line, "\n    summary before: {before}");
    }
    line
}

/// The log as text; of a very long one the end.
fn transcript(log: &[(Role, Arc<str>)]) -> String {
    let mut parts = Vec::new();
    let mut bytes = 0;
    for (nth, (role, content)) in log.iter().enumerate().rev() {
        bytes += content.len();
        if bytes > MOST_LOG && !parts.is_empty() {
            let messages = counted(nth as u64 + 1, "earlier message");
            parts.push(format!("[{messages} in the log on disk]"));
            break;
        }
        parts.push(format!("{}: {}", role.as_str(), content.trim_end()));
    }
    parts.reverse();
    parts.join("\n\n")
}
