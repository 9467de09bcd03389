//! Sending: messages, the queue behind a turn, and slash commands.

use super::{Action, App, Focus, Phase, Queued, Running};
use crate::memory::{Layer, NoteView, Turn};
use crate::orchestrator::{Draft, Op};
use crate::tui::command::{self, AppCommand, Command};
use crate::tui::overlay::Overlay;

const CLEAR: &str = "Nothing needs to be cleared: the window never grows past its budget, and what \
                     leaves it stays in the session's files. /close concludes the active effort; \
                     /new begins a fresh session.";
const FORGET: &str = "What was said stays said: the logs are only ever appended to. Up brings your \
                      last message back for editing, /reopen ID goes on with a concluded effort, \
                      /undo takes the last change of memory back.";

/// The draft without white space around it; what was pasted stays as it is.
fn trimmed(draft: Draft) -> Draft {
    Draft { text: draft.text.trim().to_owned(), ..draft }
}

/// Whether a text is no command; two slashes at its beginning stand for one.
pub(super) fn is_message(text: &str) -> bool {
    !text.starts_with('/') || text.starts_with("//")
}

impl App {
    /// Sends what is written, or queues it behind what is under way.
    pub(super) fn submit(&mut self) -> Vec<Action> {
        if self.closing {
            return Vec::new();
        }
        let draft = trimmed(self.input.draft());
        if draft.is_empty() {
            return self.release_queue();
        }
        if is_message(&draft.text) {
            return self.accept(Queued::Message(draft));
        }
        let typed = draft.whole();
        match command::parse(&typed) {
            Err(complaint) => {
                self.complain(&complaint.to_string());
                Vec::new()
            }
            Ok(Command::App(app)) => {
                self.clear_input();
                self.app_command(app)
            }
            Ok(Command::Sessions(query)) => {
                self.clear_input();
                self.pick_session(&query)
            }
            Ok(Command::Settings(filter)) => {
                self.clear_input();
                self.show_settings(&filter)
            }
            Ok(command) => match command.into_op() {
                Some(op) => self.accept(Queued::Command(typed, op)),
                None => Vec::new(),
            },
        }
    }

    /// Lets go what waits at the soft line, after what is under way.
    pub(super) fn let_leave(&mut self) -> Vec<Action> {
        self.queue_or_dispatch(Queued::Command("/let-leave".to_owned(), Op::LetLeave))
    }

    fn clear_input(&mut self) {
        let draft = trimmed(self.input.take());
        self.input.remember(draft);
        self.refresh_completion();
    }

    fn accept(&mut self, queued: Queued) -> Vec<Action> {
        self.clear_input();
        self.transcript.follow();
        self.queue_or_dispatch(queued)
    }

    pub(super) fn queue_or_dispatch(&mut self, queued: Queued) -> Vec<Action> {
        if self.phase != Phase::Idle || self.session.is_none() {
            self.queue.push(queued);
            return Vec::new();
        }
        self.dispatch(queued)
    }

    /// Enter on an empty line sends the next entry of a queue that a failed turn has stopped.
    fn release_queue(&mut self) -> Vec<Action> {
        self.queue_held = false;
        if self.phase == Phase::Idle { self.next_queued() } else { Vec::new() }
    }

    /// Sends queued entries up to the first one that must be waited for.
    pub(super) fn next_queued(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        while self.phase == Phase::Idle && !self.queue_held && !self.closing {
            let Some(queued) = self.queue.take_next() else { break };
            actions.extend(self.dispatch(queued));
        }
        if self.queue.is_empty() && self.focus == Focus::Queue {
            self.focus = Focus::Input;
        }
        actions
    }

    fn dispatch(&mut self, queued: Queued) -> Vec<Action> {
        let op = match queued {
            Queued::Message(mut draft) => {
                if draft.text.starts_with("//") {
                    draft.text.remove(0);
                }
                let message = draft.whole();
                let first_block = self.transcript.end();
                self.phase = Phase::Turn(Running::sent(self.now, first_block));
                Op::Send(message)
            }
            Queued::Command(typed, op) => {
                if matches!(
                    op,
                    Op::Run(_)
                        | Op::Effort { .. }
                        | Op::Specifics { .. }
                        | Op::Note { .. }
                        | Op::Undo
                        | Op::Redo
                        | Op::LetLeave
                        | Op::Compress(_)
                        | Op::Attach(_)
                        | Op::CopyOut { .. }
                        | Op::Rename(_)
                        | Op::Export(_)
                        | Op::NewSession(_)
                ) {
                    self.phase = Phase::Command(typed, self.now);
                }
                op
            }
        };
        vec![Action::Send(op)]
    }

    pub(super) fn app_command(&mut self, command: AppCommand) -> Vec<Action> {
        match command {
            AppCommand::Help => self.overlay = Some(Overlay::help(&self.keymap)),
            AppCommand::Quit => return self.close(),
            AppCommand::Context => return self.inspect(),
            AppCommand::Journal => return self.open_journal(),
            AppCommand::Past(turn) => return self.look_back(turn.map(Turn)),
            AppCommand::Stats => self.say(&self.stats()),
            AppCommand::Panel => self.toggle_panel(),
            AppCommand::Clear => self.say(CLEAR),
            AppCommand::Model => self.say(&self.model()),
            AppCommand::Session => self.say(&self.session_text()),
            AppCommand::Forget => self.say(FORGET),
            AppCommand::Copy => return self.copy_last_reply(),
            AppCommand::Editor => return self.open_editor(),
            AppCommand::Notes => self.say(&self.notes()),
        }
        Vec::new()
    }

    /// Opens the window inspector, with the message that is written, unless it is a command.
    pub(super) fn inspect(&mut self) -> Vec<Action> {
        if self.phase != Phase::Idle {
            self.show_hint("the inspector opens when the turn is over");
        }
        let draft = self.input.draft().whole();
        let draft = if draft.trim_start().starts_with('/') { String::new() } else { draft };
        vec![Action::Send(Op::Inspect(draft))]
    }

    fn say(&mut self, text: &str) {
        self.note(text);
        self.transcript.follow();
    }

    fn model(&self) -> String {
        let Some(session) = &self.session else { return "The session is still opening.".into() };
        let model = &session.model;
        if model.offline {
            return "The built-in offline model answers. It is no language model: it follows \
                    pattern rules, summarises by extraction and answers from memory. To connect a \
                    real one, set its key (for example DEEPSEEK_API_KEY) or pass --base-url and \
                    --model, and start again."
                .to_owned();
        }
        let window = model.context_window.map_or_else(
            || "the size of its window is not known".to_owned(),
            |tokens| format!("it takes {tokens} tokens"),
        );
        format!(
            "{} from {} answers; {window}. To use another one, start with --model NAME.",
            model.name, model.provider
        )
    }

    fn session_text(&self) -> String {
        self.session.as_ref().map_or_else(
            || "The session is still opening.".to_owned(),
            |session| format!("Session {}, kept in {}", session.name, session.directory.display()),
        )
    }

    fn notes(&self) -> String {
        let notes = &self.memory.notes;
        let line = |view: &NoteView| {
            let note = &view.note;
            let tags = note.tags.iter().fold(String::new(), |all, tag| all + " #" + tag);
            let pinned = if note.pinned { ", pinned" } else { "" };
            format!("{} {}{pinned}: {}{tags}", note.id, note.salience.stars(), note.content)
        };
        let lines: Vec<String> = notes.session.iter().map(line).collect();
        if lines.is_empty() {
            return "There are no notes. /remember WORDS makes one.".to_owned();
        }
        lines.join("\n")
    }

    fn stats(&self) -> String {
        let memory = &self.memory;
        let (full, all_counted) = memory.full_history;
        let at_least = if all_counted { "" } else { "at least " };
        let layers: Vec<String> = Layer::ALL
            .into_iter()
            .map(|layer| (layer, memory.layers.of(layer)))
            .filter(|(_, tokens)| tokens.0 > 0)
            .map(|(layer, tokens)| format!("{} {tokens}", layer.as_str()))
            .collect();
        let metrics = &memory.metrics;
        let mut lines = vec![
            format!(
                "Turn {}: the window costs {} of {} tokens ({}).",
                memory.turn,
                memory.layers.total(),
                memory.budget,
                layers.join(", ")
            ),
            format!("Sending the whole history would cost {at_least}{full} tokens."),
            format!(
                "Efforts: {} open, {} expanded, {} warm, {} only in the manifest.",
                memory.open.len(),
                memory.expanded.len(),
                memory.warm.len(),
                memory.manifest.evicted
            ),
            format!(
                "Expansions: {} collapsed by decay, {} by hand, {:.1} turns each; {:.0} % of the \
                 decays were undone within two turns; decay saved {} tokens.",
                metrics.auto_collapses,
                metrics.manual_collapses,
                metrics.avg_expansion_duration(),
                metrics.false_decay_rate() * 100.0,
                metrics.tokens_saved_by_decay
            ),
        ];
        let notes = &memory.notes.stats;
        lines.push(format!(
            "Notes: {} of {} (soft limit) and {} (hard limit), {:.0} % of the soft limit, {}; batch \
             {}, checks {}; {} permanent.",
            notes.current,
            notes.soft_limit,
            notes.hard_limit,
            notes.utilization(),
            notes.status().as_str().replace('_', " "),
            notes.batch_size,
            if notes.enabled { "enabled" } else { "disabled" },
            notes.permanent
        ));
        if let Some(usage) = self.request.and_then(|request| request.usage) {
            lines.push(format!(
                "The server measured {} tokens in the last request, {} of them from its cache.",
                usage.prompt, usage.cached
            ));
        }
        lines.join("\n")
    }
}
