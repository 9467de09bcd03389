//! Finding words in the conversation.

use super::{Level, Overlay, Reach, Taken};
use crate::tui::app::{Action, App, Focus};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Scope};

/// Words that are being looked for. While their line rests, letters step through the matches.
#[derive(Debug, Clone)]
pub struct Finding(Field);

impl Finding {
    /// The line that they are written in.
    pub fn line(&self) -> &Field {
        &self.0
    }

    fn step(&mut self, older: bool, app: &mut App) -> Taken {
        self.0.rest();
        app.transcript.step_match(older);
        Taken::STAYS
    }
}

impl App {
    pub(super) fn open_find(&mut self) {
        // A search goes through all of the conversation, also through what came after a turn of the past.
        if self.stack.reach() < Reach::All {
            return self.show_hint("first back to the conversation as it is now");
        }
        if self.stack.get::<Finding>().is_none() {
            self.transcript.leave();
            self.stack.put(Finding(Field::open("")));
        }
    }

    pub(super) fn end_find(&mut self) {
        self.stack.close(Level::Find);
        self.transcript.end_find();
    }
}

impl Overlay for Finding {
    fn level(&self) -> Level {
        Level::Find
    }

    fn scope(&self) -> Scope {
        Scope::Find
    }

    fn field(&mut self) -> Option<&mut Field> {
        Some(&mut self.0)
    }

    /// Looks for the words at once.
    fn edited(&mut self, app: &mut App) -> Vec<Action> {
        app.transcript.find(self.0.words());
        app.transcript.search_on();
        Vec::new()
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match action {
            KeyAction::Older => self.step(true, app),
            KeyAction::Newer => self.step(false, app),
            KeyAction::Chat => {
                app.focus = Focus::Chat;
                app.transcript.choose_match();
                app.transcript.end_find();
                Taken::CLOSES
            }
            KeyAction::Cancel => {
                app.transcript.end_find();
                Taken::CLOSES
            }
            _ => Taken::Ignored,
        }
    }
}
