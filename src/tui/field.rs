//! A line of words: what is looked for, what narrows a list, a value. Whatever is typed or pasted into such a
//! line, or deleted from it, goes through here.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::keymap::KeyAction;
use crate::text;

/// A line of words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    words: String,
    /// Where the next letter comes to stand, in bytes.
    at: usize,
    writing: bool,
}

impl Field {
    /// A line that is being written and begins with these words.
    pub fn open(words: &str) -> Self {
        let mut field = Self::default();
        field.insert(words);
        field
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
        let text = text::clean(text).trim_end_matches('\n').replace('\n', " ");
        self.words.insert_str(self.at, &text);
        self.at += text.len();
        self.writing = true;
        true
    }

    /// Takes a key, with what it is bound to; returns whether it was meant for the words.
    pub fn key(&mut self, event: &KeyEvent, bound: Option<KeyAction>) -> bool {
        let control = event.modifiers == KeyModifiers::CONTROL;
        match event.code {
            _ if bound == Some(KeyAction::DeleteToStart) => *self = Self::open(""),
            KeyCode::Char('u') if control => *self = Self::open(""),
            KeyCode::Char('w') if control => self.erase_from(self.word_before()),
            KeyCode::Char('h') if control => self.erase_from(self.sign_before()),
            KeyCode::Backspace => self.erase_from(self.sign_before()),
            KeyCode::Char(letter) if is_letter(event) => {
                return self.insert(letter.encode_utf8(&mut [0; 4]));
            }
            _ => return false,
        }
        self.writing = true;
        true
    }

    /// Moves the cursor, if that is what a key does; returns whether it is.
    pub fn travel(&mut self, key: KeyCode) -> bool {
        self.at = match key {
            KeyCode::Left => self.sign_before(),
            KeyCode::Right => {
                self.at + self.words[self.at..].graphemes(true).next().map_or(0, str::len)
            }
            KeyCode::Home => 0,
            KeyCode::End => self.words.len(),
            _ => return false,
        };
        true
    }

    /// Where the last thing before the cursor begins that a reader sees as one sign.
    fn sign_before(&self) -> usize {
        self.words[..self.at].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn word_before(&self) -> usize {
        self.words[..self.at].trim_end().trim_end_matches(|c: char| !c.is_whitespace()).len()
    }

    fn erase_from(&mut self, start: usize) {
        self.words.drain(start..self.at);
        self.at = start;
    }

    /// What the keys of a filter do with it; returns whether that changed what it lets through.
    pub fn act(&mut self, action: KeyAction) -> bool {
        match action {
            KeyAction::Filter => self.writing = true,
            KeyAction::Accept if self.writing && !self.words.trim().is_empty() => self.rest(),
            KeyAction::Accept | KeyAction::Cancel | KeyAction::Leave => return self.clear(),
            _ => return false,
        }
        true
    }

    /// Whether a text holds all the words, in any case.
    pub fn lets_through(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.split_whitespace().all(|word| text.contains(&word.to_lowercase()))
    }

    /// What is shown of the words in so many columns, and the column of the cursor, which is among them.
    pub fn view(&self, room: usize) -> (&str, usize) {
        let before = text::tail(&self.words[..self.at], room);
        (&self.words[self.at - before.len()..], text::width(before))
    }

    /// What is shown of the words in so many columns, with a sign for the cursor while they are being written.
    pub fn shown(&self, room: usize) -> String {
        let (shown, _) = self.view(room.saturating_sub(1));
        let (before, after) = shown.split_at(shown.len() + self.at - self.words.len());
        format!("{before}{}{after}", if self.writing { "▏" } else { "" })
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
        assert_eq!(field.words(), "one two three 🇫🇷");
        assert!(press(&mut field, KeyCode::Backspace, KeyModifiers::NONE));
        assert_eq!(field.words(), "one two three ");
        assert!(!press(&mut field, KeyCode::Char('x'), KeyModifiers::ALT));
        assert!(press(&mut field, KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!((field.words(), field.is_writing()), ("", true));
    }

    #[test]
    fn the_cursor_goes_through_the_words_and_stays_in_view() {
        let mut field = Field::open("green tea 世界");
        assert_eq!((field.view(20), field.view(5)), (("green tea 世界", 14), (" 世界", 5)));
        assert!(field.travel(KeyCode::Left) && field.travel(KeyCode::Left));
        assert!(press(&mut field, KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert!(press(&mut field, KeyCode::Char('!'), KeyModifiers::NONE));
        assert_eq!((field.words(), field.shown(20)), ("green !世界", "green !▏世界".to_owned()));
        assert!(field.travel(KeyCode::Home) && field.travel(KeyCode::Right));
        assert_eq!(
            (field.view(3), field.shown(3)),
            (("green !世界", 1), "g▏reen !世界".to_owned())
        );
        assert!(field.travel(KeyCode::End) && !field.travel(KeyCode::Up));
        field.travel(KeyCode::Right);
        assert_eq!(field.view(3), ("界", 2));
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
