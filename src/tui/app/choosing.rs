//! Keys of the command palette and of the queue.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, App, Focus, Queued};
use crate::tui::command::{self, Command, CommandSpec};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::palette::{Choice, Palette};

/// Entries that a page key steps over.
const PAGE: isize = 10;

impl App {
    /// Opens the command palette.
    pub(super) fn open_palette(&mut self) {
        if self.demo.is_some() {
            self.show_hint("a demo is only watched");
        } else {
            self.palette = Some(Palette::new(&self.keymap));
        }
    }

    pub(super) fn palette_key(
        &mut self,
        action: Option<KeyAction>,
        event: KeyEvent,
    ) -> Vec<Action> {
        let Some(palette) = &mut self.palette else { return Vec::new() };
        let typed = event.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        match (action, event.code) {
            (Some(KeyAction::Up), _) => palette.choose(-1),
            (Some(KeyAction::Down), _) => palette.choose(1),
            (Some(KeyAction::PageUp), _) => palette.choose(-PAGE),
            (Some(KeyAction::PageDown), _) => palette.choose(PAGE),
            (Some(KeyAction::Cancel), _) => self.palette = None,
            (Some(KeyAction::Send), _) => return self.take_from_palette(),
            (None, KeyCode::Backspace) => palette.erase(),
            (None, KeyCode::Char(letter)) if typed => palette.write(&letter.to_string()),
            _ => {}
        }
        Vec::new()
    }

    fn take_from_palette(&mut self) -> Vec<Action> {
        let Some(entry) = self.palette.as_ref().and_then(Palette::chosen) else {
            return Vec::new();
        };
        let choice = entry.choice;
        self.palette = None;
        match choice {
            Choice::Command(spec) if spec.needs_argument() => self.fill_line(spec),
            Choice::Command(spec) => return self.run_typed(&format!("/{}", spec.name)),
            Choice::Key(Scope::Global, action) => return self.global_key(action),
            Choice::Key(_, action) => {
                self.focus = Focus::Input;
                let none = KeyEvent::new(KeyCode::Null, KeyModifiers::NONE);
                return self.input_key(Some(action), none);
            }
        }
        Vec::new()
    }

    /// A command that needs more is written out; what was written goes into the history.
    fn fill_line(&mut self, spec: CommandSpec) {
        let draft = self.input.take();
        self.input.put_aside(draft);
        self.input.set(&format!("/{} ", spec.name));
        self.refresh_completion();
        self.focus = Focus::Input;
    }

    /// Runs a command beside what is being written.
    fn run_typed(&mut self, typed: &str) -> Vec<Action> {
        match command::parse(typed) {
            Ok(Command::App(app)) => self.app_command(app),
            Ok(Command::Ask(op)) => self.queue_or_dispatch(Queued::command(typed, op)),
            Err(complaint) => {
                self.complain(&complaint.to_string());
                Vec::new()
            }
        }
    }

    /// Gives the keys to the queue, if something waits.
    pub(super) fn enter_queue(&mut self) {
        if self.queue.is_empty() {
            self.show_hint("nothing waits");
        } else {
            self.queue.choose_last();
            self.focus = Focus::Queue;
        }
    }

    pub(super) fn queue_key(&mut self, action: Option<KeyAction>) {
        match action {
            Some(KeyAction::Up) => self.queue.choose(-1),
            Some(KeyAction::Down) if self.queue.chosen() + 1 == self.queue.len() => {
                self.focus = Focus::Input;
            }
            Some(KeyAction::Down) => self.queue.choose(1),
            Some(KeyAction::SendEarlier) => self.queue.shift(false),
            Some(KeyAction::SendLater) => self.queue.shift(true),
            Some(KeyAction::Reword) => self.reword_queued(),
            Some(KeyAction::Remove) => {
                if let Some(queued) = self.queue.take_chosen() {
                    self.input.put_aside(queued.to_draft());
                    self.show_hint("taken out of the queue · the history still has it");
                }
            }
            Some(KeyAction::Leave) => self.focus = Focus::Input,
            _ => {}
        }
        self.leave_empty_queue();
    }

    /// The chosen entry goes back to the message line; what is written there, into the history.
    fn reword_queued(&mut self) {
        let place = self.queue.chosen();
        let Some(queued) = self.queue.take_chosen() else { return };
        self.begin_edit(queued.to_draft(), Some((place, queued)));
    }

    /// A queue in which nothing waits has no keys and holds nothing back.
    pub(super) fn leave_empty_queue(&mut self) {
        if self.queue.is_empty() {
            self.queue_held = false;
            if self.focus == Focus::Queue {
                self.focus = Focus::Input;
            }
        }
    }
}
