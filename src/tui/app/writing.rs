//! Keys of the message line beyond plain editing: the search through earlier messages, and pastes.

use crossterm::event::{Event, KeyCode, KeyEvent};

use super::{Action, App};
use crate::chunk::beginning;
use crate::tui::burst::ends_line;
use crate::tui::keymap::{KeyAction, Scope};

/// What is said of a paste that does not fit.
const TOO_LONG: &str = "the paste is longer than 16 MiB, the most that fits into a message: only its beginning was \
    taken. Longer texts are read from a file: write @ and its path";

impl App {
    /// What a key does while earlier messages are searched; returns whether it was meant for the search. Any
    /// other key ends it and then does what it always does.
    pub(super) fn search_action(&mut self, action: Option<KeyAction>) -> bool {
        if self.scope() != Scope::Input || self.input.search().is_none() {
            return false;
        }
        match action {
            Some(KeyAction::SearchHistory | KeyAction::Up) => self.input.search_older(),
            Some(KeyAction::Down) => self.input.search_newer(),
            Some(KeyAction::Send | KeyAction::Complete) => self.input.end_search(true),
            Some(KeyAction::Cancel | KeyAction::Interrupt) => self.input.end_search(false),
            _ => {
                self.input.end_search(true);
                return false;
            }
        }
        true
    }

    /// Shows a large paste as plain text.
    pub(super) fn open_paste(&mut self) {
        if let Err(why) = self.input.open_paste() {
            self.show_hint(&why);
        }
    }

    /// Opens the message in the person's own editor.
    pub(super) fn open_editor(&mut self) -> Vec<Action> {
        vec![Action::Edit(self.input.draft().whole())]
    }

    pub(super) fn draft_edited(&mut self, outcome: Result<String, String>) {
        match outcome {
            Ok(text) => self.input.put_edited(&text),
            Err(why) => self.complain(&why),
        }
        self.refresh_completion();
    }

    /// Cuts a paste that is longer than a message may be, and says so.
    pub(super) fn cut(&mut self, event: Event) -> Event {
        let room = self.input.room();
        match event {
            Event::Paste(mut text) if text.len() > room => {
                text.truncate(beginning(&text, room).len());
                self.complain(TOO_LONG);
                Event::Paste(text)
            }
            event => event,
        }
    }

    /// Keys that came so fast that nobody typed them: where something is written they are a paste, whose line
    /// ends send nothing.
    pub(super) fn burst(&mut self, keys: &[KeyEvent]) -> Vec<Action> {
        let text: String = keys
            .iter()
            .map(|key| match key.code {
                KeyCode::Enter => '\r',
                _ if ends_line(key) => '\n',
                KeyCode::Char(letter) => letter,
                _ => '\t',
            })
            .collect();
        let scope = self.scope();
        if let Some(actions) = self.write(|field| field.is_writing() && field.insert(&text)) {
            return actions;
        }
        if scope != Scope::Input {
            return keys.iter().flat_map(|key| self.handle_key(*key)).collect();
        }
        self.show_hint("taken for a paste, because it came at once · {input.send} sends it");
        self.paste(&text)
    }
}
