//! A session as Markdown: what was said stands as it was said, so that its own Markdown survives, but for lines that would
//! pass for lines of the export.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::counted::grouped;
use crate::counted::noun;
use crate::llm::FinishReason;
use crate::memory::{EffortId, Note, NoteState, RestoredEffort, Role, Status};
use crate::read::exported;
use crate::store::{ArchiveError, Looked, TranscriptEntry, TranscriptKind, held_by};

/// Bytes of a message that is kept by reference up to which it stands in the export.
const MOST_WHOLE: u64 = 16 * 1024 * 1024;

/// The whole text.
pub(super) fn render(name: &str, session: &Looked) -> Result<String, ArchiveError> {
    let (transcript, told_of) = session.transcript_with_problem()?;
    let mut out = Page(String::new());
    let title = if session.title.is_empty() { name } else { &session.title };
    out.line(&format!("# {title}"));
    let turns = session.restored.turn.0;
    out.line(&format!("Session `{name}`, {turns} {}.", noun(turns, "turn")));
    if let Some(problem) = told_of {
        out.quote(&problem.0);
    }
    out.line("## Conversation");
    let mut told = BTreeSet::new();
    for entry in &transcript {
        out.entry(entry, session);
        told.extend(entry.log.clone());
    }
    if !session.restored.efforts.is_empty() {
        out.line("## Efforts");
    }
    for effort in &session.restored.efforts {
        out.effort(effort);
        // What another program logged stands nowhere in the conversation.
        if !told.contains(&effort.id) {
            out.log(session, &effort.id)?;
        }
    }
    out.notes(&session.restored.notes);
    out.scratchpad(session);
    Ok(out.0)
}

/// The text so far; every part ends with an empty line.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push_str("\n\n");
    }

    fn entry(&mut self, entry: &TranscriptEntry, session: &Looked) {
        let turn = entry.turn.map(|turn| format!(" · turn {turn}")).unwrap_or_default();
        let at = if entry.at.is_empty() { String::new() } else { format!(" · {}", entry.at) };
        let heading = match entry.kind {
            TranscriptKind::User => format!("### You{turn}{at}"),
            TranscriptKind::Unanswered => format!("### You{turn} · not answered{at}"),
            TranscriptKind::Assistant => "### Reply".to_owned(),
            TranscriptKind::PartialReply => "### Reply, cut off".to_owned(),
            TranscriptKind::Finish => {
                let warning = FinishReason::from_word(&entry.text).warning();
                return warning.into_iter().for_each(|warning| self.line(&format!("*{warning}*")));
            }
            TranscriptKind::Banner | TranscriptKind::Divider | TranscriptKind::Cause => {
                return self.quote(&entry.text);
            }
            // It stands under its effort.
            TranscriptKind::Summary { .. } => return,
        };
        self.line(&heading);
        let of_user = matches!(entry.kind, TranscriptKind::User | TranscriptKind::Unanswered);
        match held_by(&entry.text).filter(|_| of_user) {
            Some(key) => self.held(key, &entry.text, session),
            None => self.line(&exported(&entry.text)),
        }
    }

    /// A message that the log has by its reference alone: its text, or where that is.
    fn held(&mut self, key: &str, pointer: &str, session: &Looked) {
        let Ok(item) = session.scratchpad.item(key) else { return self.line(&exported(pointer)) };
        let bytes = grouped(item.bytes);
        if item.bytes <= MOST_WHOLE
            && let Ok(text) = session.scratchpad.whole(key, MOST_WHOLE)
        {
            self.quote(&format!("{bytes} bytes, kept in the session as `ref:{key}`:"));
            return self.line(&exported(&text));
        }
        self.quote(&format!(
            "{bytes} bytes, too many to stand here: the whole text is in the session's file `scratchpad/{key}.txt` \
             (`ref:{key}`), and it begins so:"
        ));
        self.line(&exported(pointer));
    }

    fn quote(&mut self, text: &str) {
        let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
        self.line(&quoted.join("\n"));
    }

    fn effort(&mut self, effort: &RestoredEffort) {
        self.line(&format!("### {} ({})", effort.id, effort.status.as_str()));
        if !effort.tags.is_empty() {
            self.line(&format!("Tags: {}", effort.tags.join(", ")));
        }
        let summary = effort.summary.as_deref().filter(|_| effort.status == Status::Concluded);
        if let Some(summary) = summary {
            self.line(&exported(summary));
        }
    }

    fn log(&mut self, session: &Looked, id: &EffortId) -> Result<(), ArchiveError> {
        for (role, text) in session.reader.read_log(id)? {
            let who = if role == Role::User { "You" } else { "Reply" };
            self.line(&format!("#### {who}"));
            self.line(&exported(&text));
        }
        Ok(())
    }

    fn notes(&mut self, notes: &[Note]) {
        if notes.is_empty() {
            return;
        }
        self.line("## Notes");
        for note in notes {
            let tags = note.tags.iter().fold(String::new(), |all, tag| all + " #" + tag);
            let archived = if note.state == NoteState::Session { "" } else { " (archived)" };
            let pinned = if note.pinned { " (pinned)" } else { "" };
            let stars = note.salience.stars();
            let content = note.content.replace('\n', " ");
            // Writing to a string cannot fail.
            let _ = writeln!(self.0, "- {} {stars} {content}{tags}{pinned}{archived}", note.id);
        }
        self.0.push('\n');
    }

    fn scratchpad(&mut self, session: &Looked) {
        let items = session.scratchpad.items();
        if items.is_empty() {
            return;
        }
        self.line("## Texts held by reference");
        for item in items {
            let (key, about, bytes) = (&item.key, &item.description, item.bytes);
            let _ = writeln!(self.0, "- `ref:{key}`: {about} ({bytes} bytes)");
        }
        self.0.push('\n');
    }
}
