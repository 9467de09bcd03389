//! What is written and not sent: handed out to be kept, and taken back after a crash.

use super::{App, Queued};
use crate::orchestrator::{Draft, Drafts, Op};
use crate::tui::command;

impl App {
    /// What the app wants beside what a message asked for: that its drafts are kept. Asked for after every
    /// message, it says each thing once.
    pub fn errands(&mut self) -> Vec<Op> {
        let mut errands: Vec<Op> =
            self.wanted_files.take().map(Op::ListFiles).into_iter().collect();
        let now = (self.input.edits(), self.queue.edits());
        if self.kept == now || self.session.is_none() || self.demo.is_some() {
            return errands;
        }
        self.kept = now;
        let waiting = self.queue.iter().map(Queued::to_draft).collect();
        errands.push(Op::KeepDrafts(Drafts { line: self.input.own_draft(), waiting }));
        errands
    }

    /// What was not sent when the program ended last.
    pub(super) fn take_drafts_back(&mut self, drafts: Drafts) {
        if self.demo.is_some() {
            return;
        }
        let waiting: Vec<Queued> = drafts.waiting.into_iter().filter_map(queued).collect();
        if !waiting.is_empty() {
            self.queue_held = true;
            for queued in waiting {
                self.queue.push(queued);
            }
            self.note(
                "Messages that were waiting when the program ended have not been sent: Enter on an \
                 empty line sends the next one, Up takes the last one back.",
            );
        }
        if drafts.line.text.trim().is_empty() {
            return;
        }
        if self.input.is_empty() {
            self.input.put(drafts.line);
            self.note("What you had written when the program ended is back in the input line.");
        } else {
            self.input.remember(drafts.line);
            self.note("What you had written when the program ended is in the history: press Up.");
        }
        self.refresh_completion();
    }
}

/// What a draft is when it is sent; `None` for a command that makes no sense any more.
fn queued(draft: Draft) -> Option<Queued> {
    if super::commands::is_message(&draft.text) {
        return Some(Queued::Message(draft));
    }
    let typed = draft.whole();
    let op = command::parse(&typed).ok()?.into_op()?;
    Some(Queued::Command(typed, op))
}
