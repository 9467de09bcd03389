//! Takes out of a text what a terminal, or a reader, would be misled by.

use std::borrow::Cow;

use super::width;
use crate::escapes;

/// Columns from one tab stop to the next.
const TAB_STOP: usize = 4;

/// The text without anything that acts on a terminal or hides from the reader: control characters and
/// whole escape sequences, C1 controls, direction overrides and isolates, invisible format characters.
/// Tabs become spaces up to the next tab stop, every kind of line end becomes `\n`. The joiners and variation selectors that
/// emoji, Persian and the scripts of India need are kept.
pub fn clean(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(|character| character != '\n' && is_unwanted(character)) else {
        return Cow::Borrowed(text);
    };
    let (good, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len());
    out.push_str(good);
    let rest = escapes::without(rest);
    let mut rest = rest.chars().peekable();
    let mut column = Column::default();
    while let Some(character) = rest.next() {
        match character {
            '\t' => {
                column.follow(&out);
                out.push_str(&" ".repeat(TAB_STOP - column.at % TAB_STOP));
            }
            '\r' => {
                rest.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            other if is_unwanted(other) => {}
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// The text as it was written, without what only acts on a terminal: control characters and whole escape sequences.
/// Tabs, line feeds and invisible characters stay, for a text that is sent is not changed; they are cleaned where
/// they are drawn.
pub fn written(text: &str) -> Cow<'_, str> {
    let acts = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(escapes::without(text).replace(acts, ""))
}

/// The column behind a text that grows.
#[derive(Debug, Default)]
struct Column {
    at: usize,
    /// Bytes of the text that are counted.
    counted: usize,
}

impl Column {
    fn follow(&mut self, text: &str) {
        let new = &text[self.counted..];
        self.at = match new.rfind('\n') {
            Some(end) => width(&new[end + 1..]),
            None => self.at + width(new),
        };
        self.counted = text.len();
    }
}

/// The text as a single clean line: line ends and runs of white space become one space.
pub fn one_line(text: &str) -> String {
    let cleaned = clean(text);
    let mut line = String::with_capacity(cleaned.len());
    for word in cleaned.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Whether a character is changed or removed; true for the line feed, too.
fn is_unwanted(character: char) -> bool {
    character.is_control() || is_invisible(character)
}

/// Characters without a shape of their own that change how others are shown, or that hide text.
fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' // soft hyphen
        | '\u{61c}' // Arabic letter mark
        | '\u{180e}' // Mongolian vowel separator
        | '\u{200b}' // zero width space
        | '\u{200e}' | '\u{200f}' // direction marks
        | '\u{2028}'..='\u{202e}' // separators, embeddings and overrides
        | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, isolates
        | '\u{feff}' // byte order mark
        | '\u{fff9}'..='\u{fffb}' // interlinear annotation
        | '\u{1d173}'..='\u{1d17a}' // musical format controls
        | '\u{e0000}'..='\u{e007f}' // tags, with which text can be smuggled unseen
    )
}
