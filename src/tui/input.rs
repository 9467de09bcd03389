//! The message line: a multi-line editor with a history of what was sent. A large paste stands in it as a
//! label that is one character to the cursor.

pub mod chip;
pub mod history;
mod recall;

#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Modifier, Style};
use tui_textarea::{CursorMove, TextArea, WrapMode};
use unicode_segmentation::UnicodeSegmentation;

use crate::orchestrator::{Draft, Paste};
use crate::text;
use history::{History, Search};

/// The longest text that is pasted, in bytes, and with it how long a message may become that way.
pub const MOST_PASTED: usize = 16 * 1024 * 1024;

/// The message line.
#[derive(Debug)]
pub struct InputLine {
    area: TextArea<'static>,
    /// The pastes whose labels may stand in the text.
    pastes: Vec<Paste>,
    /// The highest number that a paste of this session has had.
    last_paste: usize,
    history: History,
    /// The place in the history while browsing, and the draft that it began from.
    browsing: Option<(usize, Draft)>,
    search: Option<Search>,
    /// What was put away unsent.
    aside: Vec<Draft>,
    /// It was said that going back brings the newest message of the history.
    promised: bool,
    /// Counts what may have changed the text.
    edits: u64,
}

impl Default for InputLine {
    fn default() -> Self {
        Self {
            area: editor(Vec::new()),
            pastes: Vec::new(),
            last_paste: 0,
            history: History::default(),
            browsing: None,
            search: None,
            aside: Vec::new(),
            promised: false,
            edits: 0,
        }
    }
}

/// An editor of some lines, as the message line has it.
pub fn editor(lines: Vec<String>) -> TextArea<'static> {
    let mut area = TextArea::new(lines);
    area.set_cursor_line_style(Style::default());
    // The terminal's own cursor is shown instead, so that input methods open beside it.
    area.set_cursor_style(Style::default());
    area.set_wrap_mode(WrapMode::WordOrGlyph);
    area.set_placeholder_text("");
    area.set_selection_style(Style::default().add_modifier(Modifier::REVERSED));
    area
}

impl InputLine {
    /// What is shown, with a label for each large paste.
    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// What is written, with the pastes behind the labels.
    pub fn draft(&self) -> Draft {
        let text = self.text();
        let pastes = self.pastes.iter().filter(|paste| text.contains(&paste.label));
        Draft { pastes: pastes.cloned().collect(), text, id: None }
    }

    /// Whether earlier messages can be had back.
    pub fn has_past(&self) -> bool {
        self.history.len() > 0
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

    /// The pastes whose labels may stand in the text, for drawing.
    pub fn pastes(&self) -> &[Paste] {
        &self.pastes
    }

    /// Counts whatever may have changed the text.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Replaces what is shown; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        self.leave_past();
        self.area = editor(as_written(text).split('\n').map(str::to_owned).collect());
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
        self.edits += 1;
    }

    /// Replaces what is written.
    pub fn put(&mut self, draft: Draft) {
        self.set(&draft.text);
        self.pastes = draft.pastes;
    }

    /// Replaces what is written by a text that came from elsewhere: as it was written, if it was sent from
    /// here, else with a label if it is large.
    pub fn put_back(&mut self, text: &str) {
        let draft = self.history.sent_as(text).cloned();
        let draft = draft.unwrap_or_else(|| chip::draft_of(text, self.last_paste + 1));
        self.put(draft);
    }

    /// Marks all that is written: what is typed or pasted next takes its place, a key that deletes takes it away,
    /// any other key lets it stay.
    pub fn mark(&mut self) {
        self.area.select_all();
    }

    /// Whether all that is written is marked.
    fn is_all_marked(&self) -> bool {
        let lines = self.area.lines();
        let end =
            (lines.len().saturating_sub(1), lines.last().map_or(0, |line| line.chars().count()));
        self.area.selection_range() == Some(((0, 0), end))
    }

    /// Lets what is marked stay.
    pub fn unmark(&mut self) {
        self.area.cancel_selection();
    }

    /// Whether this was entered here.
    pub fn has_sent(&self, text: &str) -> bool {
        self.history.sent_as(text).is_some()
    }

    /// What was sent as this text, with a label for each large paste; `None` if it has none.
    pub fn labelled(&self, text: &str) -> Option<String> {
        let draft = self.history.sent_as(text).filter(|draft| !draft.pastes.is_empty());
        draft.map(|draft| draft.text.clone())
    }

    /// Takes what is written and leaves the line empty.
    pub fn take(&mut self) -> Draft {
        let draft = self.draft();
        self.put(Draft::default());
        draft
    }

    /// Inserts text that was typed by a demo or is small; never sends.
    pub fn insert(&mut self, text: &str) {
        self.area.insert_str(as_written(text));
        self.leave_past();
        self.edits += 1;
    }

    /// How many bytes may still be pasted.
    pub fn room(&self) -> usize {
        let pasted: usize = self.draft().pastes.iter().map(|paste| paste.text.len()).sum();
        MOST_PASTED.saturating_sub(pasted)
    }

    /// Inserts text that was pasted: a large one as a label.
    pub fn paste(&mut self, text: &str) {
        let text = one_kind_of_line_end(text);
        if !chip::is_large(&text) {
            return self.insert(&text);
        }
        let number = self.next_paste();
        let paste = chip::paste(text.into(), number);
        self.insert(&paste.label);
        self.pastes.push(paste);
    }

    /// The number of the next paste: no label stands for two of them as long as the session is open.
    fn next_paste(&mut self) -> usize {
        let held = self.pastes.iter().filter_map(chip::number).max().unwrap_or(0);
        self.last_paste = self.last_paste.max(held) + 1;
        self.last_paste
    }

    /// Shows the paste beside the cursor, else the last one, as plain text to be edited.
    ///
    /// # Errors
    /// Says why none is opened.
    pub fn open_paste(&mut self) -> Result<(), String> {
        self.area.cancel_selection();
        let (row, column) = self.position();
        let place = |(row, place): &(usize, std::ops::Range<usize>)| (*row, place.start);
        let all: Vec<_> = self.labels().collect();
        let beside = all.iter().find(|(at, place)| *at == row && place.contains(&column));
        let beside = beside.or_else(|| all.iter().find(|(at, p)| *at == row && p.end == column));
        let Some((row, start)) = beside.or(all.last()).map(place) else {
            return Err("there is no paste to open".to_owned());
        };
        let rest: String = self.area.lines()[row].chars().skip(start).collect();
        let paste = self.pastes.iter().find(|paste| rest.starts_with(&paste.label)).cloned();
        let Some(paste) = paste else { return Ok(()) };
        if paste.text.len() > chip::MOST_EDITED {
            return Err("it is too large to be edited here: open your editor instead".to_owned());
        }
        self.jump(row, start);
        self.cut(paste.label.chars().count());
        self.insert(&paste.text);
        Ok(())
    }

    /// What an editor of its own shows, and how what comes back from it is taken over.
    pub fn put_edited(&mut self, text: &str) {
        let text = one_kind_of_line_end(text);
        let pastes = std::mem::take(&mut self.pastes);
        // Editors end a file with a line end that nobody wrote.
        self.put(chip::fold(text.strip_suffix('\n').unwrap_or(&text), &pastes));
    }

    /// Begins a new line.
    pub fn newline(&mut self) {
        self.area.insert_newline();
        self.leave_past();
        self.edits += 1;
    }

    /// Begins a new line if the character before the cursor is a backslash, which goes away.
    pub fn newline_after_backslash(&mut self) -> bool {
        let escaped = self.before_cursor().ends_with('\\');
        if escaped {
            self.area.cancel_selection();
            self.area.delete_char();
            self.newline();
        }
        escaped
    }

    /// Hands a key to the editor. A step or a deletion takes in all that a reader sees as one
    /// character, and a label is one.
    pub fn key(&mut self, event: KeyEvent) {
        use KeyCode::{Backspace, Delete, Left, Right};
        self.edits += 1;
        if !self.area.is_selecting() && self.delete_label(event) {
            return self.leave_past();
        }
        let plain = event.modifiers.is_empty();
        let times = match event.code {
            Left | Backspace if plain => seen_as_one(self.before_cursor(), true),
            Right | Delete if plain => seen_as_one(self.after_cursor(), false),
            _ => 1,
        };
        let mut changed = false;
        self.moving(|area| {
            for _ in 0..times {
                changed |= area.input(event);
            }
        });
        if changed {
            self.leave_past();
        } else if !event.modifiers.contains(KeyModifiers::SHIFT) {
            self.unmark();
        }
    }

    /// Deletes to the beginning of the line.
    pub fn delete_to_start(&mut self) {
        if self.area.delete_line_by_head() {
            self.leave_past();
        }
        self.edits += 1;
    }

    /// Puts back what was deleted.
    pub fn yank(&mut self) {
        if self.area.paste() {
            self.leave_past();
        }
        self.edits += 1;
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) {
        if self.area.undo() {
            self.leave_past();
        }
        self.edits += 1;
    }

    /// Moves to what is drawn in a row and a column of the part that is on screen.
    pub fn click(&mut self, row: u16, column: u16) {
        if self.search.is_none() {
            let (top, left) = self.area.scroll_offset();
            let place = self.area.screen_to_data((row + top).into(), (column + left).into());
            self.area.cancel_selection();
            self.jump(place.0, place.1);
        }
    }

    /// Moves to the beginning of the line.
    pub fn line_start(&mut self) {
        self.area.cancel_selection();
        self.area.move_cursor(CursorMove::Head);
    }

    /// Moves to the end of the line.
    pub fn line_end(&mut self) {
        self.area.cancel_selection();
        self.area.move_cursor(CursorMove::End);
    }

    /// Deletes a label that a key would eat into; returns whether it did.
    fn delete_label(&mut self, event: KeyEvent) -> bool {
        let (control, alt) =
            (event.modifiers == KeyModifiers::CONTROL, event.modifiers == KeyModifiers::ALT);
        let (back, word) = match event.code {
            KeyCode::Backspace if event.modifiers.is_empty() => (true, false),
            KeyCode::Char('h') if control => (true, false),
            KeyCode::Char('w') if control => (true, true),
            KeyCode::Backspace | KeyCode::Char('h') if alt => (true, true),
            KeyCode::Delete if event.modifiers.is_empty() => (false, false),
            KeyCode::Char('d') if control => (false, false),
            KeyCode::Delete | KeyCode::Char('d') if alt => (false, true),
            _ => return false,
        };
        let (row, column) = self.position();
        let beside = if back { self.before_cursor() } else { self.after_cursor() };
        let text = match (word, back) {
            (false, _) => beside,
            (true, true) => beside.trim_end(),
            (true, false) => beside.trim_start(),
        };
        let mut labels = self.pastes.iter().map(|paste| &paste.label);
        let Some(label) = labels
            .find(|label| if back { text.ends_with(*label) } else { text.starts_with(*label) })
        else {
            return false;
        };
        let chars = label.chars().count() + beside.chars().count() - text.chars().count();
        if back {
            self.jump(row, column - chars);
        }
        self.cut(chars);
        true
    }

    /// Deletes characters behind the cursor. The text that Ctrl+Y puts back stays what it was.
    fn cut(&mut self, chars: usize) {
        let yank = self.area.yank_text();
        self.area.delete_str(chars);
        self.area.set_yank_text(yank);
    }

    /// Does something that moves the cursor, which never comes to stand inside a label, or what a reader sees as one sign.
    fn moving(&mut self, step: impl FnOnce(&mut TextArea<'static>)) {
        let from = self.position();
        step(&mut self.area);
        let (row, column) = self.position();
        let inside = |place: &std::ops::Range<usize>| place.start < column && column < place.end;
        let label = self.labels().find(|(at, place)| *at == row && inside(place));
        let sign = || sign_around(&self.area.lines()[row], column);
        if let Some(place) = label.map(|(_, place)| place).or_else(sign) {
            self.jump(row, if (row, column) < from { place.start } else { place.end });
        }
    }

    /// Where labels stand, by line, in characters.
    fn labels(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let lines = self.area.lines().iter().enumerate();
        let lines = lines.filter(|_| !self.pastes.is_empty());
        lines.flat_map(|(row, line)| {
            chip::places(line, &self.pastes).into_iter().map(move |place| (row, place))
        })
    }

    fn position(&self) -> (usize, usize) {
        let cursor = self.area.cursor();
        (cursor.0, cursor.1)
    }

    fn jump(&mut self, row: usize, column: usize) {
        let place = |number| u16::try_from(number).unwrap_or(u16::MAX);
        self.area.move_cursor(CursorMove::Jump(place(row), place(column)));
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

/// What stands in the line of a text: nothing that acts on a terminal, all else as it is.
fn as_written(text: &str) -> String {
    text::written(&one_kind_of_line_end(text)).into_owned()
}

/// What a reader sees as one sign around a place within it, all in characters; `None` if the place is between two.
fn sign_around(line: &str, column: usize) -> Option<std::ops::Range<usize>> {
    if line.is_ascii() {
        return None;
    }
    let mut start = 0;
    let mut signs = line.graphemes(true).map(|sign| {
        let begins = start;
        start += sign.chars().count();
        begins..start
    });
    signs.find(|sign| column < sign.end).filter(|sign| sign.start < column)
}

/// How many characters at the end or the beginning of a text a reader sees as one: invisible ones go with the one
/// before them.
fn seen_as_one(text: &str, at_end: bool) -> usize {
    let is_seen = |grapheme: &str| !text::clean(grapheme).is_empty();
    let mut seen = text.grapheme_indices(true).filter(|(_, grapheme)| is_seen(grapheme));
    let one = if at_end {
        &text[seen.next_back().map_or(0, |(at, _)| at)..]
    } else {
        &text[..seen.nth(1).map_or(text.len(), |(at, _)| at)]
    };
    one.chars().count().max(1)
}

/// Terminals send `\r` for a line end, files from elsewhere have `\r\n`.
fn one_kind_of_line_end(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}
