//! Sending: messages, the queue behind a turn, and slash commands.

use super::{Action, App, Errand, Focus, Listing, Phase, Queued, Running};
use crate::memory::Turn;
use crate::orchestrator::{Draft, Op, SessionInfo, SessionOp};
use crate::tui::answer;
use crate::tui::command::{self, AppCommand, Command};

/// The draft without white space around it; what was pasted stays as it is.
fn trimmed(draft: Draft) -> Draft {
    Draft { text: draft.text.trim().to_owned(), ..draft }
}

/// What is said of a word that shells and other programs take, where it stands alone: a model would be paid to answer it.
fn meant_for_program(text: &str) -> Option<&'static str> {
    match &*text.to_lowercase() {
        "exit" | "quit" | ":q" | ":wq" | ":q!" => {
            Some("/quit leaves, so does {input.quit_if_empty} on an empty line")
        }
        "help" => Some("/help shows keys and commands"),
        _ => None,
    }
}

impl App {
    /// Sends what is written, or queues it behind what is under way.
    pub(super) fn submit(&mut self) -> Vec<Action> {
        if self.closing {
            return Vec::new();
        }
        let written = self.input.draft();
        let is_led_in = written.text.starts_with(char::is_whitespace);
        let draft = trimmed(written);
        if let Some(command) = self.editing.as_ref().and_then(|it| it.misses(&draft.text)) {
            let hint =
                format!("an edit begins with {command} · {{input.cancel}} leaves all as it was");
            self.show_hint(&hint);
            return Vec::new();
        }
        if draft.is_empty() && self.offers() {
            return self.take_offer();
        }
        if draft.is_empty() {
            self.drop_edited();
            return self.release_queue();
        }
        if command::is_message(&draft.text) {
            if let Some(meant) = meant_for_program(&draft.text).filter(|_| !is_led_in) {
                self.toast(&self.keymap.fill(&format!("{meant} · a space before it sends it")));
                self.input.mark();
                return Vec::new();
            }
            return self.accept(Queued::Message(draft));
        }
        let typed = draft.whole();
        match command::parse(&typed) {
            Err(complaint) => {
                self.complain(&complaint.to_string());
                self.give_way(draft);
                Vec::new()
            }
            Ok(Command::App(app)) => {
                self.clear_input();
                if matches!(app, AppCommand::Past(Some(_))) {
                    self.drafts.hand_over(Some(&typed));
                }
                self.app_command(app)
            }
            Ok(Command::Ask(op)) => self.accept(Queued::command(&typed, op)),
        }
    }

    /// A line that is no command stays, to be mended or to give way to what is typed, as one whose command fails. One to
    /// which only something is missing is written on.
    fn give_way(&mut self, draft: Draft) {
        let mut name = draft.text.chars();
        name.next();
        if draft.text.contains(char::is_whitespace) || command::find(name.as_str()).is_none() {
            self.input.remember(draft);
            self.input.mark();
        }
    }

    /// Lets go what waits at the soft line, after what is under way.
    pub(super) fn let_leave(&mut self) -> Vec<Action> {
        self.queue_or_dispatch(Queued::command("/let-leave", Op::LetLeave))
    }

    fn clear_input(&mut self) {
        let draft = trimmed(self.input.take());
        self.input.remember(draft);
        self.refresh_completion();
        // What was said of what is gone from the line is over with it.
        self.hint = None;
    }

    fn accept(&mut self, queued: Queued) -> Vec<Action> {
        self.clear_input();
        self.transcript.follow();
        self.end_edit(queued)
    }

    pub(super) fn queue_or_dispatch(&mut self, mut queued: Queued) -> Vec<Action> {
        queued.number(|| self.drafts.next_number());
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
            let is_first = actions.is_empty();
            actions.extend(self.dispatch(queued));
            if !is_first {
                // Of several at once nobody could tell whose answer comes.
                self.drafts.hand_over(None);
            }
        }
        if self.queue.is_empty() && self.focus == Focus::Queue {
            self.focus = Focus::Input;
        }
        actions
    }

    fn dispatch(&mut self, queued: Queued) -> Vec<Action> {
        let typed = queued.draft().clone();
        let op = match queued {
            Queued::Message(mut draft) => {
                draft.text = command::unescaped(&draft.text).to_owned();
                let message = draft.whole();
                let first_block = self.transcript.end();
                self.phase = Phase::Turn(Running::sent(self.now, first_block));
                Op::Send(message)
            }
            Queued::Command(typed, op) => {
                if matches!(op, Op::Session(SessionOp::New(_)) | Op::Fork(_))
                    && self.holds_messages()
                {
                    return Vec::new();
                }
                let is_from_line = self.input.has_sent(&typed.text);
                self.drafts.hand_over(is_from_line.then_some(&*typed.text));
                if op.is_command() {
                    self.phase = Phase::Command(typed.text, self.now);
                }
                op
            }
        };
        self.drafts.sending = op.has_words().then_some(typed);
        vec![Action::Send(op)]
    }

    pub(super) fn app_command(&mut self, command: AppCommand) -> Vec<Action> {
        match command {
            AppCommand::Show(view) => return self.show(view),
            AppCommand::Help(words) => self.stack.put(Listing::help(&self.keymap).about(&words)),
            AppCommand::Quit => return self.close(),
            AppCommand::Past(turn) => return self.look_back(turn.map(Turn)),
            AppCommand::Settings(filter) => return self.show_settings(&filter),
            AppCommand::Sessions(query) => return self.pick_session(&query),
            AppCommand::Stats => {
                let (request, bill) = (self.request.as_ref(), self.bill.as_deref());
                let last = bill.and_then(|bill| bill.last.as_ref()).or(self.billed.last());
                let last = last.map(|last| &last.bill);
                let stats = answer::stats(&self.memory, request, last, bill);
                self.say(&(stats + &answer::versus(&self.verdicts)));
            }
            AppCommand::Panel => self.toggle_panel(),
            AppCommand::Clear => self.say(answer::CLEAR),
            AppCommand::Session => {
                self.say_of_session(|session| answer::session(&session.name, &session.directory));
            }
            AppCommand::Forget => self.say(answer::FORGET),
            AppCommand::Copy => return self.copy_last_reply(),
            AppCommand::Editor => return self.open_editor(),
            AppCommand::Demo => return self.leave_on(Errand::Demo),
            AppCommand::Connect => return self.leave_on(Errand::Connect),
            AppCommand::Try => return self.begin_try(),
            AppCommand::Notes => self.say(&answer::notes(&self.memory)),
        }
        Vec::new()
    }

    /// Opens the window inspector, with the message that is written, unless it is a command.
    pub(super) fn inspect(&mut self) -> Vec<Action> {
        if self.phase != Phase::Idle {
            self.show_hint("the inspector opens when the turn is over");
            self.inspect_late = Some(self.input.edits());
        }
        let draft = self.input.draft().whole();
        let draft = if command::is_message(&draft) { draft } else { String::new() };
        vec![Action::Send(Op::Inspect(draft))]
    }

    fn say_of_session(&mut self, text: fn(&SessionInfo) -> String) {
        let opening = || "The session is still opening.".to_owned();
        let text = self.session.as_ref().map_or_else(opening, text);
        self.say(&text);
    }

    fn say(&mut self, text: &str) {
        self.note(text);
        self.transcript.follow();
    }
}
