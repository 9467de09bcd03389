//! The message line: a multi-line editor with a history of what was sent.

use crossterm::event::KeyEvent;
use ratatui::style::Style;
use tui_textarea::{CursorMove, TextArea, WrapMode};
use unicode_segmentation::UnicodeSegmentation;

use super::text;

/// Messages that the history holds; older ones are in the transcript.
const HISTORY: usize = 500;

/// The message line.
#[derive(Debug)]
pub struct InputLine {
    area: TextArea<'static>,
    history: Vec<String>,
    /// The place in the history while browsing, and the draft that it began from.
    browsing: Option<(usize, String)>,
}

impl Default for InputLine {
    fn default() -> Self {
        Self { area: editor(Vec::new()), history: Vec::new(), browsing: None }
    }
}

fn editor(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_cursor_line_style(Style::default());
    // The terminal's own cursor is shown instead, so that input methods open beside it.
    area.set_cursor_style(Style::default());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_placeholder_text("");
    area
}

impl InputLine {
    /// What is written.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Whether it is one line.
    pub fn is_single_line(&self) -> bool {
        self.area.lines().len() == 1
    }

    /// The editor, for drawing.
    pub fn area(&self) -> &TextArea<'static> {
        &self.area
    }

    /// Replaces what is written; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        let clean = text::clean(text);
        self.area = editor(clean.split('\n').map(str::to_owned).collect());
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
        self.browsing = None;
    }

    /// Takes what is written and leaves the line empty.
    pub fn take(&mut self) -> String {
        let text = self.text();
        self.set("");
        text
    }

    /// Inserts text that was pasted or typed by a demo; never sends.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.area.insert_str(&*text::clean(&text));
        self.browsing = None;
    }

    /// Begins a new line.
    pub fn newline(&mut self) {
        self.area.insert_newline();
    }

    /// Begins a new line if the character before the cursor is a backslash, which goes away.
    pub fn newline_after_backslash(&mut self) -> bool {
        let escaped = self.before_cursor().ends_with('\\');
        if escaped {
            self.area.delete_char();
            self.area.insert_newline();
        }
        escaped
    }

    /// Hands a key to the editor. A step or a deletion takes in all that a reader sees as one
    /// character.
    pub fn key(&mut self, event: KeyEvent) {
        use crossterm::event::KeyCode::{Backspace, Delete, Left, Right};
        let plain = event.modifiers.is_empty();
        let chars = |text: Option<&str>| text.map_or(1, |text| text.chars().count().max(1));
        let times = match event.code {
            Left | Backspace if plain => chars(self.before_cursor().graphemes(true).next_back()),
            Right | Delete if plain => chars(self.after_cursor().graphemes(true).next()),
            _ => 1,
        };
        for _ in 0..times {
            self.area.input(event);
        }
        if !matches!(event.code, Left | Right) {
            self.browsing = None;
        }
    }

    /// Deletes to the beginning of the line.
    pub fn delete_to_start(&mut self) {
        self.area.delete_line_by_head();
    }

    /// Puts back what was deleted.
    pub fn yank(&mut self) {
        self.area.paste();
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) {
        self.area.undo();
    }

    /// Moves to the beginning of the line.
    pub fn line_start(&mut self) {
        self.area.move_cursor(CursorMove::Head);
    }

    /// Moves to the end of the line.
    pub fn line_end(&mut self) {
        self.area.move_cursor(CursorMove::End);
    }

    /// Moves up a row; from the first row to the message before in the history.
    pub fn up(&mut self) {
        if self.area.screen_cursor().row > 0 {
            self.area.move_cursor(CursorMove::Up);
            return;
        }
        let at = self.browsing.as_ref().map_or(self.history.len(), |(at, _)| *at);
        if at > 0 {
            self.browse(at - 1);
        }
    }

    /// Moves down a row; from the last row to the message after in the history, then to the draft.
    pub fn down(&mut self) {
        let before = self.area.cursor();
        self.area.move_cursor(CursorMove::Down);
        if self.area.cursor() != before {
            return;
        }
        match self.browsing.take() {
            Some((at, draft)) if at + 1 == self.history.len() => self.set(&draft),
            Some((at, draft)) => {
                self.browsing = Some((at, draft));
                self.browse(at + 1);
            }
            None => {}
        }
    }

    fn browse(&mut self, at: usize) {
        let Some(entry) = self.history.get(at).cloned() else { return };
        let draft = self.browsing.take().map_or_else(|| self.text(), |(_, draft)| draft);
        self.set(&entry);
        self.area.move_cursor(CursorMove::Top);
        self.area.move_cursor(CursorMove::End);
        self.browsing = Some((at, draft));
    }

    /// Adds a message to the history; the same one twice in a row counts once.
    pub fn remember(&mut self, message: &str) {
        if message.trim().is_empty() || self.history.last().is_some_and(|last| last == message) {
            return;
        }
        self.history.push(message.to_owned());
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }

    fn cursor_line(&self) -> (&str, usize) {
        let cursor = self.area.cursor();
        let line = self.area.lines().get(cursor.0).map(String::as_str).unwrap_or_default();
        let byte = line.char_indices().nth(cursor.1).map_or(line.len(), |(byte, _)| byte);
        (line, byte)
    }

    fn before_cursor(&self) -> &str {
        let (line, byte) = self.cursor_line();
        &line[..byte]
    }

    fn after_cursor(&self) -> &str {
        let (line, byte) = self.cursor_line();
        &line[byte..]
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;

    fn written(text: &str) -> InputLine {
        let mut input = InputLine::default();
        input.set(text);
        input
    }

    #[test]
    fn history_keeps_the_draft_it_was_left_from() {
        let mut input = written("draft");
        input.remember("one");
        input.remember("two\nlines");
        input.remember("two\nlines");
        input.up();
        assert_eq!(input.text(), "two\nlines");
        input.up();
        assert_eq!(input.text(), "one");
        input.up();
        assert_eq!(input.text(), "one");
        input.down();
        input.down();
        assert_eq!(input.text(), "two\nlines", "down moves inside a message first");
        input.down();
        assert_eq!(input.text(), "draft");
    }

    #[test]
    fn a_backslash_before_enter_becomes_a_line_end() {
        let mut input = written("one\\");
        assert!(input.newline_after_backslash());
        assert_eq!(input.text(), "one\n");
        assert!(!input.newline_after_backslash());
    }

    #[test]
    fn pasted_escape_sequences_are_harmless() {
        let mut input = InputLine::default();
        input.insert("a\u{1b}]0;title\u{7}\r\nb\u{202e}c\rd");
        assert!(!input.text().contains(['\u{1b}', '\u{7}', '\u{202e}', '\r']));
        assert_eq!(input.area().lines().len(), 3);
    }

    #[test]
    fn one_key_deletes_what_is_seen_as_one_character() {
        let mut input = written("ab👩‍👩‍👧e\u{301}");
        let backspace = KeyEvent::new(KeyCode::Backspace, KeyModifiers::NONE);
        input.key(backspace);
        assert_eq!(input.text(), "ab👩‍👩‍👧");
        input.key(backspace);
        assert_eq!(input.text(), "ab");
    }
}
