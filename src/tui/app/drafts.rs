//! What is written and not sent: handed out to be kept, and taken back after a crash.

use super::{App, Focus, Queued};
use crate::orchestrator::{Changing, Draft, Drafts, Op};

/// What is known of the drafts beside the line and the queue.
#[derive(Debug, Default)]
pub(super) struct DraftState {
    /// What was handed over and has not begun yet.
    pub(super) sending: Option<Draft>,
    /// The command from the message line that is being carried out.
    entered: Option<String>,
    /// The number of what was entered last.
    last_number: u64,
    /// What an earlier run left has been taken back.
    taken_back: bool,
    /// What was handed out to be kept, by its edits.
    kept: (u64, u64, Option<u64>, bool),
}

impl DraftState {
    /// A number for what is entered now.
    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// A command is handed over, if it comes from the message line.
    pub(super) fn hand_over(&mut self, typed: Option<&str>) {
        self.entered = typed.map(str::to_owned);
    }

    /// What stays when another session is opened.
    pub(super) fn for_another_session(&self) -> Self {
        Self { last_number: self.last_number, ..Self::default() }
    }
}

impl App {
    /// A command has its answer. One that failed goes back to the message line, to be mended or to give way to what is
    /// typed.
    pub(super) fn answered(&mut self, ok: bool) {
        let entered = self.drafts.entered.take().filter(|_| !ok && self.demo.is_none());
        let Some(entered) = entered else { return };
        if self.input.is_empty() && self.focus == Focus::Input {
            self.input.put_back(&entered);
            self.input.mark();
        }
    }

    /// What is entered is numbered from here on: numbers that nothing entered before has, in any session.
    pub fn number_from(&mut self, number: u64) {
        self.drafts.last_number = number;
    }

    /// What the app wants beside what a message asked for. Asked for after every message, it says each thing once.
    pub fn errands(&mut self) -> Vec<Op> {
        let mut errands = std::mem::take(&mut self.wanted);
        errands.extend(self.wanted_files.take().map(Op::ListFiles));
        errands
    }

    /// What is written and not sent, to be kept, if it changed since this was asked. Kept after every message, before what
    /// the message leads to is sent.
    pub fn drafts_to_keep(&mut self) -> Option<Drafts> {
        let DraftState { sending, taken_back, kept, .. } = &mut self.drafts;
        let number = sending.as_ref().and_then(|draft| draft.id);
        let now = (self.input.edits(), self.queue.edits(), number, *taken_back);
        if *kept == now || self.demo.is_some() {
            return None;
        }
        *kept = now;
        let (line, taken_back) = (self.input.own_draft(), *taken_back);
        let changed = self.editing.as_ref().and_then(|editing| editing.changed(&line));
        Some(Drafts {
            sending: sending.clone(),
            waiting: self.queue.iter().map(Queued::draft).cloned().collect(),
            aside: self.input.aside().iter().cloned().chain(changed).collect(),
            line,
            changing: self.editing.as_ref().map(|editing| Box::new(editing.to_changing())),
            taken_back,
        })
    }

    /// What was not sent when the program ended last.
    pub(super) fn take_drafts_back(&mut self, drafts: Drafts) {
        if self.demo.is_some() {
            return;
        }
        self.drafts.taken_back = true;
        let goes_on = self.input.is_empty() && !drafts.line.text.trim().is_empty();
        let changing = drafts.changing.filter(|_| goes_on);
        let changed = changing.as_ref().and_then(|changing| changing.queued.as_ref());
        let aside = drafts.aside.into_iter();
        aside
            .filter(|draft| changed.is_none_or(|(_, changed)| !draft.says_as(changed)))
            .for_each(|draft| self.input.put_aside(draft));
        self.take_waiting_back(drafts.waiting);
        self.take_line_back(drafts.line, changing);
        self.refresh_completion();
    }

    fn take_waiting_back(&mut self, drafts: Vec<Draft>) {
        let waiting = self.queue.len();
        for draft in drafts {
            match Queued::written(&draft) {
                Some(mut queued) => {
                    queued.number(|| self.drafts.next_number());
                    self.queue.push(queued);
                }
                None => self.input.put_aside(draft),
            }
        }
        if self.queue.len() > waiting {
            self.queue_held = true;
            self.note_with_keys(
                "Messages that were waiting when the program ended have not been sent. They follow the next one that \
                 is answered; on an empty line {input.send} sends them, {input.up} takes the last one back.",
            );
        }
    }

    fn take_line_back(&mut self, line: Draft, changing: Option<Box<Changing>>) {
        if line.text.trim().is_empty() {
            return;
        }
        if !self.input.is_empty() {
            self.input.put_aside(line);
            self.input.promise_newest();
            self.note_with_keys(
                "What you had written when the program ended is in the history: press {input.up}.",
            );
            return;
        }
        self.input.put(line);
        match changing {
            Some(changing) => {
                self.resume_edit(*changing);
                self.note_with_keys(
                    "What you were changing when the program ended is back in the input line: \
                     {input.send} keeps the change, {input.cancel} leaves all as it was.",
                );
            }
            None => {
                self.note("What you had written when the program ended is back in the input line.");
            }
        }
    }
}
