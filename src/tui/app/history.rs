//! What was said before, and what memory did, as blocks of the conversation.

use std::sync::Arc;

use super::chat::Earlier;
use super::labels::{UNANSWERED, cut_off, footnote, user_label};
use super::{App, Phase};
use crate::llm::FinishReason;
use crate::memory::{Change, ChangeKind, ItemView, MemoryView, Tokens, Turn};
use crate::orchestrator::{CANCELLED, ENDED, TranscriptEntry, TranscriptKind};
use crate::tui::transcript::{BlockKind, Home};

impl App {
    pub(super) fn push_entries(&mut self, entries: &[TranscriptEntry]) {
        let mut speaker = None;
        for entry in entries {
            self.push_entry(entry, &mut speaker);
        }
        self.transcript.set_turn(None);
    }

    /// Says beside the replies that were read back what their turns took.
    pub(super) fn tell_costs(&mut self) {
        let billed = Arc::clone(&self.billed);
        self.transcript.set_asides(BlockKind::Assistant, |turn| {
            let at = billed.binary_search_by_key(&turn, |billed| billed.turn).ok()?;
            footnote(&billed[at].bill)
        });
    }

    /// An earlier part of the conversation was read.
    pub(super) fn earlier(&mut self, entries: &[TranscriptEntry], more: bool) {
        let later = std::mem::take(&mut self.transcript);
        self.push_entries(entries);
        let earlier = std::mem::replace(&mut self.transcript, later);
        self.transcript.prepend(earlier);
        self.tell_costs();
        self.chat.earlier = if more { Earlier::Unread } else { Earlier::Nothing };
    }

    fn push_entry(
        &mut self,
        entry: &TranscriptEntry,
        speaker: &mut Option<(BlockKind, Option<Turn>)>,
    ) {
        let (kind, label) = match entry.kind {
            TranscriptKind::User => (BlockKind::User, Some(user_label(entry.turn))),
            TranscriptKind::Unanswered => (BlockKind::Unanswered, Some(UNANSWERED.to_owned())),
            TranscriptKind::Assistant => (BlockKind::Assistant, Some(writer(entry).to_owned())),
            TranscriptKind::PartialReply => (BlockKind::Partial, Some(cut_off(writer(entry)))),
            TranscriptKind::Banner => (BlockKind::Banner, None),
            TranscriptKind::Divider => return self.push_divider(entry),
            TranscriptKind::Summary { raw, stands } => {
                let words = standing(&entry.text, raw, stands);
                self.transcript.set_turn(entry.turn);
                return self.transcript.push_of(BlockKind::Summary, &words, home_of_effort(entry));
            }
            TranscriptKind::Finish => return self.push_finish(entry),
            TranscriptKind::Cause => return self.push_cause(entry),
        };
        let same = *speaker == Some((kind, entry.turn)) && entry.turn.is_some();
        *speaker = Some((kind, entry.turn));
        let number = self.transcript.end();
        self.transcript.set_turn(entry.turn);
        self.transcript.push(kind, label.filter(|_| !same), &entry.text);
        if matches!(entry.kind, TranscriptKind::User | TranscriptKind::Assistant) {
            let home = entry.log.clone().map_or(Home::Ambient, Home::Effort);
            self.transcript.set_home(number, &home);
        }
    }

    /// Says again why a message was not answered. What somebody stopped is no error.
    fn push_cause(&mut self, entry: &TranscriptEntry) {
        self.transcript.set_turn(entry.turn);
        match &*entry.text {
            CANCELLED => self.note("Stopped before it was answered."),
            ENDED => self.note("The program was closed before it was answered."),
            cause => self.transcript.push(BlockKind::Error, None, cause),
        }
    }

    /// Says again why a reply is not whole.
    fn push_finish(&mut self, entry: &TranscriptEntry) {
        if let Some(warning) = FinishReason::from_word(&entry.text).warning() {
            self.transcript.set_turn(entry.turn);
            self.note(&warning);
        }
    }

    fn push_divider(&mut self, entry: &TranscriptEntry) {
        self.transcript.set_turn(entry.turn);
        let words = words_of_banner(&entry.text);
        self.transcript.push_of(BlockKind::Divider, words, home_of_effort(entry));
    }

    /// What memory did: a divider where an effort begins or ends, else a line.
    pub(super) fn changed(&mut self, change: &Change) {
        let banner = change.banner();
        if let Some(id) = change.effort().filter(|_| change.kind.divides()) {
            let effort = Home::Effort(id.clone());
            self.transcript.push_of(BlockKind::Divider, words_of_banner(&banner), effort);
            if change.kind == ChangeKind::EffortConcluded {
                self.concluded.push(id.clone());
            }
        } else {
            self.transcript.push(BlockKind::Banner, None, &banner);
        }
    }
}

impl App {
    /// Shows what stands for the efforts that were just concluded. Until the turn is over their logs grow, and what
    /// is shown follows.
    pub(super) fn tell_conclusions(&mut self, memory: &MemoryView) {
        let concluded = std::mem::take(&mut self.concluded);
        for id in &concluded {
            let item = memory.warm.iter().find(|item| item.id == *id);
            let Some(words) = item.and_then(conclusion) else { continue };
            let (from, effort) = (self.first_block(), Home::Effort(id.clone()));
            if !self.transcript.reword(from, BlockKind::Summary, &effort, &words) {
                self.transcript.push_of(BlockKind::Summary, &words, effort);
            }
        }
        if matches!(self.phase, Phase::Turn(_)) {
            self.concluded = concluded;
        }
    }
}

/// What stands for a concluded effort, and how long it is beside the log.
fn conclusion(item: &ItemView) -> Option<String> {
    let summary = item.summary.as_deref().filter(|words| !words.is_empty())?;
    Some(standing(summary, item.raw_tokens.unwrap_or(item.whole), item.whole))
}

fn standing(summary: &str, raw: Tokens, stands: Tokens) -> String {
    format!("{summary}\n{raw} → {stands} tokens in the window")
}

/// The effort that an entry is about.
fn home_of_effort(entry: &TranscriptEntry) -> Home {
    entry.log.clone().map_or(Home::Unknown, Home::Effort)
}

/// The model that wrote a reply; another one may answer today.
fn writer(entry: &TranscriptEntry) -> &str {
    entry.model.as_deref().unwrap_or("reply")
}

/// The words of a banner without the dashes around them.
fn words_of_banner(banner: &str) -> &str {
    let words = banner.strip_prefix("--- ").unwrap_or(banner);
    words.strip_suffix(" ---").unwrap_or(words)
}
