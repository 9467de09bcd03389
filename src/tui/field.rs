//! A line of words that is written at its end: what is looked for, what narrows a list, a value. Whatever is
//! typed or pasted into such a line, or deleted from it, goes through here.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::keymap::KeyAction;
use super::text;

/// A line of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    words: String,
    writing: bool,
}

impl Field {
    /// A line that is being written and begins with these words.
    pub fn open(words: &str) -> Self {
        let mut field = Self::default();
        field.insert(words);
        field
    }

    /// Goes on writing it.
    pub fn begin(&mut self) {
        self.writing = true;
    }

    /// It stands as it is; letters mean something else now.
    pub fn rest(&mut self) {
        self.writing = false;
    }

    /// Empties it and ends writing; returns whether there was anything to end.
    pub fn clear(&mut self) -> bool {
        std::mem::take(self).is_set()
    }

    /// The words.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Whether letters go into it.
    pub fn is_writing(&self) -> bool {
        self.writing
    }

    /// Whether it is being written or holds words.
    pub fn is_set(&self) -> bool {
        self.writing || !self.words.is_empty()
    }

    /// The line, as long as letters go into it.
    pub fn if_writing(&mut self) -> Option<&mut Self> {
        Some(self).filter(|field| field.writing)
    }

    /// Adds what was typed or pasted, as one line. Returns that the words are different.
    pub fn insert(&mut self, text: &str) -> bool {
        let text = text::clean(text);
        self.words.push_str(&text.trim_end_matches('\n').replace('\n', " "));
        self.writing = true;
        true
    }

    /// Takes a key, with what it is bound to; returns whether it was meant for the words.
    pub fn key(&mut self, event: &KeyEvent, bound: Option<KeyAction>) -> bool {
        let control = event.modifiers == KeyModifiers::CONTROL;
        match event.code {
            _ if bound == Some(KeyAction::DeleteToStart) => self.words.clear(),
            KeyCode::Char('u') if control => self.words.clear(),
            KeyCode::Char('h') if control => self.erase(),
            KeyCode::Backspace => self.erase(),
            KeyCode::Char(letter) if is_letter(event) => {
                return self.insert(letter.encode_utf8(&mut [0; 4]));
            }
            _ => return false,
        }
        self.writing = true;
        true
    }

    /// Takes off the last thing that a reader sees as one sign.
    fn erase(&mut self) {
        let end = self.words.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
        self.words.truncate(end);
    }

    /// What the keys of a filter do with it; returns whether the key was one of them.
    pub fn act(&mut self, action: KeyAction) -> bool {
        match action {
            _ if !self.writing => return false,
            KeyAction::Accept if !self.words.trim().is_empty() => self.rest(),
            KeyAction::Accept | KeyAction::Cancel => drop(self.clear()),
            _ => return false,
        }
        true
    }

    /// Whether a text holds all the words, in any case.
    pub fn lets_through(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
    }

    /// The words in one line, and behind them where the next letter comes to stand.
    pub fn shown(&self) -> String {
        format!("{}{}", text::one_line(&self.words), if self.writing { "▏" } else { "" })
    }
}

/// Whether a key writes a letter.
pub fn is_letter(event: &KeyEvent) -> bool {
    let plain = event.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    plain && matches!(event.code, KeyCode::Char(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(field: &mut Field, code: KeyCode, modifiers: KeyModifiers) -> bool {
        field.key(&KeyEvent::new(code, modifiers), None)
    }

    #[test]
    fn what_is_pasted_becomes_one_clean_line_and_goes_sign_by_sign() {
        let mut field = Field::open("one\r\ntwo\u{1b}[31m\tthree 🇫🇷\n");
        assert_eq!(field.words(), "one two    three 🇫🇷");
        assert!(press(&mut field, KeyCode::Backspace, KeyModifiers::NONE));
        assert_eq!(field.words(), "one two    three ");
        assert!(!press(&mut field, KeyCode::Char('x'), KeyModifiers::ALT));
        assert!(press(&mut field, KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!((field.words(), field.is_writing()), ("", true));
    }

    #[test]
    fn a_filter_without_words_is_none() {
        for (words, stands) in [("tea", true), ("  ", false)] {
            let mut field = Field::default();
            assert!(!field.act(KeyAction::Accept));
            field.insert(words);
            assert!(field.act(KeyAction::Accept));
            assert_eq!((field.is_writing(), field.is_set()), (false, stands));
        }
        let mut field = Field::open("tea");
        assert!(field.act(KeyAction::Cancel) && !field.is_set());
    }
}
