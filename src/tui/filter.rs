//! Words that narrow a list: written behind the filter key, then kept or cleared.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::keymap::KeyAction;

/// Words that narrow a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The words; an item is listed that holds all of them.
    pub words: String,
    /// Letters go into it.
    pub writing: bool,
}

/// What a key did to a filter that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// Its words are different.
    Changed,
    /// It stands; nothing more is written.
    Kept,
    /// There is none any more.
    Cleared,
    /// Nothing.
    Nothing,
}

impl Filter {
    /// Takes a key, with what it does in a dialog.
    pub fn typed(&mut self, action: Option<KeyAction>, event: &KeyEvent) -> Typed {
        let plain = !event.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let kept = action == Some(KeyAction::Accept) || event.code == KeyCode::Tab;
        match event.code {
            _ if action == Some(KeyAction::Cancel) => return Typed::Cleared,
            _ if kept && self.words.trim().is_empty() => return Typed::Cleared,
            _ if kept => {
                self.writing = false;
                return Typed::Kept;
            }
            KeyCode::Char(letter) if plain => self.words.push(letter),
            KeyCode::Backspace if self.words.is_empty() => return Typed::Cleared,
            KeyCode::Backspace => drop(self.words.pop()),
            _ => return Typed::Nothing,
        }
        Typed::Changed
    }

    /// Whether a text holds all the words, in any case.
    pub fn lets_through(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
    }
}
