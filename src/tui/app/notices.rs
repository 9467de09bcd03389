//! What the orchestrator's notices do to the screen.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use super::labels::{UNANSWERED, cut_off, footnote, user_label};
use super::{Action, Activity, App, Editing, JournalView, Level, Listing, Phase, Running};
use crate::escapes;
use crate::memory::{MemoryView, Turn};
use crate::orchestrator::{
    CallReport, Happening, Inspection, Measured, Notice, Op, SessionInfo, Stopped, TranscriptEntry,
    TranscriptKind, TurnReport,
};
use crate::text::joined;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::transcript::{BlockKind, Home};
use crate::tui::views::View;

impl App {
    pub(super) fn handle_notice(&mut self, notice: Notice) -> Vec<Action> {
        match notice {
            Notice::Opened { session, transcript, draft } => {
                self.opened(session, &transcript, draft);
                return self.next_queued();
            }
            Notice::Earlier { entries, more } => self.earlier(&entries, more),
            Notice::Memory(view) => self.remember(view),
            Notice::Bill(view) => self.take_bill(view),
            Notice::BilledTurns(turns) => self.take_billed(turns),
            Notice::TurnStarted { turn, user } => self.turn_started(turn, &user),
            Notice::TurnEnded(report) => {
                self.turn_ended(*report);
                let mut actions = self.go_on_trying();
                actions.extend(self.next_queued());
                return actions;
            }
            Notice::TurnStopped(stopped) => self.turn_stopped(&stopped),
            Notice::CommandDone { ok, text } => {
                self.command_done(ok, &text);
                return self.next_queued();
            }
            Notice::SettingDone { ok, text } => self.setting_done(ok, &text),
            Notice::Settings(settings) => self.take_settings(settings),
            Notice::Sessions(list) => self.take_sessions(list),
            Notice::SessionDeleted { ok, text } => return self.session_deleted(ok, &text),
            Notice::Forked { directory, text } => return self.go_on_in(directory, &text),
            Notice::Renamed(session) => self.session = Some(session),
            Notice::Course(past) => {
                self.chart.course.load(past);
                self.chart.course.set_now(&self.memory);
            }
            Notice::Past(turn) => return self.past_came(&turn),
            Notice::NoPast(why) => self.no_past(&why),
            Notice::Journal(entries) => {
                if let Some(journal) = self.stack.get_mut::<JournalView>() {
                    journal.fill(entries);
                }
            }
            Notice::Inspection(inspection) => self.inspected(inspection),
            Notice::Files { begun, paths } => {
                if self.input.is_single_line() {
                    let line = self.input.text();
                    self.completion.offer_files(&line, &begun, &paths);
                }
            }
            Notice::Versus(news) => self.take_versus(news),
            Notice::Verdicts(verdicts) => self.verdicts = verdicts,
            Notice::Detail(detail) => self.stack.put(Listing::detail(detail)),
            Notice::Closed => return vec![Action::Quit],
            Notice::Drafts(drafts) => self.take_drafts_back(drafts),
            Notice::Info(text) => self.note(&text),
            Notice::Problem { what, advice } => {
                let text = joined(&what, &advice);
                self.transcript.push(BlockKind::Error, None, &text);
                if self.is_closing() {
                    self.told_last.push(text);
                }
            }
            Notice::Compressing { id, done, of } => {
                self.compressing = Some(format!("compressing {id} {done}/{of}"));
            }
            Notice::CompressionEnded(why) => {
                self.compressing = None;
                if let Some(why) = why {
                    self.transcript.push(BlockKind::Error, None, &why);
                }
            }
            Notice::Changed(change) => {
                self.chart.course.happened(Happening::from(&change));
                self.changed(&change);
            }
            progress => self.progress(progress),
        }
        Vec::new()
    }

    /// Notices of a turn under way. They may still come after it was cancelled.
    fn progress(&mut self, notice: Notice) {
        match notice {
            Notice::RequestSent { round, layers } => {
                self.request = Some(Measured { layers, ..Measured::default() });
                self.activity(Activity::Waiting { round });
            }
            Notice::Text(text) => {
                self.activity(Activity::Writing);
                self.reply(&text);
            }
            Notice::Reworded(text) => {
                let from = self.first_block();
                self.transcript.reword(from, BlockKind::Assistant, &Home::Unknown, &text);
            }
            Notice::Measured(measured) => self.request = Some(measured),
            Notice::Reasoning(text) => {
                self.activity(Activity::Thinking);
                let text = text.replace('\n', " ");
                let begin = || None;
                self.transcript.grow(BlockKind::Reasoning, begin, &text);
            }
            Notice::CallStarted { name } => self.activity(Activity::Calling(name)),
            Notice::CallFinished(call) => {
                self.transcript.push(BlockKind::Tool, None, &call_line(&call));
                self.activity(Activity::Waiting { round: 1 });
            }
            Notice::Retrying { wait, attempt, reason } => self.retrying(wait, attempt, &reason),
            Notice::Fetching { model, fetched } => {
                if let Phase::Command(name, _) = &mut self.phase {
                    *name = format!("/pull {model} · {}", fetched.line());
                }
            }
            _ => {}
        }
    }

    fn activity(&mut self, activity: Activity) {
        if let Phase::Turn(running) = &mut self.phase {
            running.activity = activity;
        }
    }

    fn retrying(&mut self, wait: Duration, attempt: u32, reason: &str) {
        let text = format!("{} (attempt {attempt} follows)", reason.trim());
        self.transcript.push(BlockKind::Error, None, &text);
        self.activity(Activity::Retrying { until: self.now + wait, attempt });
    }

    /// The label of the model, once in a turn.
    fn model_label(&mut self) -> Option<String> {
        let name = self.model_name().to_owned();
        match &mut self.phase {
            Phase::Turn(running) if running.labelled => None,
            Phase::Turn(running) => {
                running.labelled = true;
                Some(name)
            }
            _ => Some(name),
        }
    }

    fn reply(&mut self, text: &str) {
        let begins = !self.transcript.is_growing(BlockKind::Assistant) && !text.trim().is_empty();
        let label = if begins { self.model_label() } else { None };
        self.transcript.grow(BlockKind::Assistant, || label, text);
    }

    fn opened(&mut self, session: SessionInfo, entries: &[TranscriptEntry], draft: Option<String>) {
        if self.session.is_some() {
            self.start_over();
            let ended = self.end_try("The first try is over.");
            self.wanted.extend(ended.into_iter().filter_map(|action| match action {
                Action::Send(op) => Some(op),
                _ => None,
            }));
        }
        self.stack.close(Level::Dialog);
        self.idle();
        self.session = Some(session);
        self.wanted.push(Op::Course);
        self.wanted.extend((!entries.is_empty()).then_some(Op::Bill));
        self.push_entries(entries);
        for entry in entries {
            if matches!(entry.kind, TranscriptKind::User | TranscriptKind::Unanswered) {
                self.input.remember_text(entry.text.trim());
            }
        }
        if entries.is_empty() {
            self.show_welcome();
        }
        for (kind, remark) in std::mem::take(&mut self.remarks) {
            self.transcript.push(kind, None, &remark);
        }
        if let Some(draft) = draft.filter(|draft| !draft.trim().is_empty()) {
            self.give_back(&draft);
        }
    }

    pub(super) fn welcome(&self, offline: bool) -> String {
        let mut text = String::from(
            "Welcome to Ebbtide, a chat whose memory you can watch.\n\n\
             What you work on stays word for word, shrinks to a summary once it is done, leaves when \
             nobody mentions it and comes back when somebody does.\n\n",
        );
        if self.demo.is_some() {
            text.push_str("Watch the chart, the list below it, and the gauge at the bottom.");
            return text;
        }
        if offline {
            text.push_str("No model is connected: the built-in one answers, by rules.\n\n");
        }
        let key = |action| self.keymap.label(Scope::Global, action);
        let (help, panel) = (key(KeyAction::Show(View::Help)), key(KeyAction::TogglePanel));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{help} shows keys and commands, {panel} the memory panel, / the commands.\n{}",
            self.offered()
        );
        text
    }

    /// What was asked for in a turn does not open over a line that the person has begun since.
    fn inspected(&mut self, inspection: Arc<Inspection>) {
        let late = self.inspect_late.take();
        if late.is_some_and(|edits| edits != self.input.edits()) && !self.input.is_empty() {
            return self.show_hint("the inspector can be had now: {global.inspect}");
        }
        self.stack.put(Listing::inspection(inspection));
    }

    fn remember(&mut self, memory: Arc<MemoryView>) {
        self.transcript.set_window(&memory);
        self.tell_conclusions(&memory);
        self.chart.course.set_now(&memory);
        self.relist(memory);
    }

    fn turn_started(&mut self, turn: Turn, user: &str) {
        self.drafts.sending = None;
        self.transcript.drop_welcome();
        if self.demo.is_some() {
            self.input.set("");
        }
        let first_block = self.transcript.end();
        let since = match &self.phase {
            Phase::Turn(running) => running.since,
            _ => self.now,
        };
        self.phase = Phase::Turn(Running { turn: Some(turn), ..Running::sent(since, first_block) });
        self.transcript.set_turn(Some(turn));
        self.transcript.push(BlockKind::User, Some(user_label(Some(turn))), user);
        if let Some(labelled) = self.input.labelled(user) {
            self.transcript.label_pastes(&labelled);
        }
    }

    /// Nothing is under way: what was handed over has come to its end.
    pub(super) fn idle(&mut self) {
        self.phase = Phase::Idle;
        self.drafts.sending = None;
        self.concluded.clear();
    }

    fn turn_ended(&mut self, report: TurnReport) {
        let missing = {
            let said = self.transcript.since(self.first_block());
            let mut replies = said.filter(|block| block.kind() == BlockKind::Assistant);
            replies.next_back().is_none_or(|block| block.text().trim().is_empty())
        };
        if missing && !report.reply.trim().is_empty() {
            self.reply(&escapes::without(&report.reply));
        }
        self.transcript.settle();
        if let Some(footnote) = footnote(&report.bill)
            && !self.transcript.set_aside(self.first_block(), BlockKind::Assistant, &footnote)
        {
            self.transcript.push(BlockKind::Footnote, None, &footnote);
        }
        self.transcript.set_turn(None);
        self.request = Some(report.measured);
        let home = report.log.clone().map_or(Home::Ambient, Home::Effort);
        self.transcript.set_home(self.first_block(), &home);
        self.chart.course.end_turn(&report);
        self.hint_at(&report.changes);
        // What was recalled has left with the turn; the panel tells of it until the next one.
        let recalled = report.given.recalled;
        self.remember(Arc::new(MemoryView { recalled, ..(*report.memory).clone() }));
        self.idle();
        self.queue_held = false;
        self.editing.iter_mut().for_each(Editing::release);
    }

    pub(super) fn first_block(&self) -> usize {
        match &self.phase {
            Phase::Turn(running) => running.first_block,
            _ => self.transcript.end(),
        }
    }

    fn turn_stopped(&mut self, stopped: &Stopped) {
        let from = self.first_block();
        self.transcript.settle();
        let label = UNANSWERED.to_owned();
        self.transcript.relabel(from, BlockKind::User, BlockKind::Unanswered, label);
        self.keep_partial(from, &stopped.partial);
        self.idle();
        self.queue_held = !self.queue.is_empty();
        self.editing.iter_mut().for_each(Editing::hold);
        let went_back = self.offer_again(&stopped.user);
        match &stopped.error {
            Some(error) => {
                let text = joined(&joined(error, &stopped.advice), &went_back);
                self.transcript.push(BlockKind::Error, None, &text);
            }
            None => self.note(&joined("Stopped.", &went_back)),
        }
        self.transcript.set_turn(None);
        if self.queue_held {
            self.note_with_keys(
                "The messages that were waiting have not been sent. They follow the next one that is answered; on \
                 an empty line {input.send} sends them, {input.up} takes the last one back.",
            );
        }
    }

    /// Marks what arrived of the reply as cut off.
    fn keep_partial(&mut self, from: usize, partial: &str) {
        let label = cut_off(self.model_name());
        let marked =
            self.transcript.relabel(from, BlockKind::Assistant, BlockKind::Partial, label.clone());
        if !marked && !partial.trim().is_empty() {
            self.transcript.push(BlockKind::Partial, Some(label), partial);
        }
    }

    /// Puts a message that was not answered back, to be sent again or to give way to what is typed: not everybody who
    /// stops a reply wants to ask the same again.
    fn offer_again(&mut self, message: &str) -> String {
        let is_back = self.demo.is_none() && self.input.is_empty();
        let went_back = self.give_back(message);
        if !is_back {
            return went_back;
        }
        self.input.mark();
        self.keymap.fill(
            "Your message is back in the input line: {input.send} sends it again, what you type takes its place, \
             deleting takes it away.",
        )
    }

    /// Puts a message back to be edited; if something is written already, into the history. Returns
    /// where it went.
    fn give_back(&mut self, message: &str) -> String {
        self.input.remember_text(message.trim());
        if self.demo.is_some() {
            return String::new();
        }
        if self.input.is_empty() {
            self.input.put_back(message);
            self.refresh_completion();
            "Your message is back in the input line.".to_owned()
        } else {
            self.input.promise_newest();
            self.keymap.fill("Your message is in the history: press {input.up}.")
        }
    }

    fn command_done(&mut self, ok: bool, text: &str) {
        if matches!(self.phase, Phase::Command(..)) {
            self.idle();
        }
        if !ok && self.session.is_some() {
            // What was to be said in a session that did not open.
            self.remarks.clear();
        }
        self.answered(ok);
        self.outcome(ok, text);
    }

    pub(super) fn outcome(&mut self, ok: bool, text: &str) {
        // A banner that stands there already says it.
        let said = format!("--- {} ---", text.trim_end_matches('.'));
        if ok && self.transcript.ends_with(&said) {
            return;
        }
        let kind = if ok { BlockKind::Info } else { BlockKind::Error };
        self.transcript.push(kind, None, text);
    }
}

/// `⚙ open_effort auth-bug → ok`
fn call_line(call: &CallReport) -> String {
    let arguments: Vec<String> = match &call.arguments {
        serde_json::Value::Object(values) => values.values().map(plain).collect(),
        serde_json::Value::Null => Vec::new(),
        other => vec![plain(other)],
    };
    let outcome = if call.ok {
        "ok".to_owned()
    } else {
        let error = call.result.get("error").unwrap_or(&call.result);
        format!("failed: {}", plain(error))
    };
    let words: Vec<&str> = std::iter::once(call.name.as_str())
        .chain(arguments.iter().map(String::as_str))
        .filter(|word| !word.is_empty())
        .collect();
    format!("⚙ {} → {outcome}", words.join(" "))
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
