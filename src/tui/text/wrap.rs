//! Breaks text into lines.

use unicode_segmentation::UnicodeSegmentation;

use super::{grapheme_width, width};

/// Signs that may not begin a line in Chinese and Japanese text.
const NOT_AT_LINE_START: &str =
    "。、，．！？：；」』）】》〉’”…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ";

/// Breaks a clean text into lines of at most `width` columns (from 3 on; less is taken for 3). Breaks
/// at white space, which is dropped there, and between wide characters; a longer word is broken where
/// the line ends. Indentation is kept and repeated on continued lines as long as it leaves them half of
/// the width. Graphemes are never split, unless one alone is wider than a line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        Wrapper::new(line, width.max(3)).run(line, &mut lines);
    }
    lines
}

/// The state of breaking one line of the source.
struct Wrapper {
    width: usize,
    /// What continued lines begin with.
    indent: String,
    line: String,
    columns: usize,
    /// White space that is only written when a word follows on the same line.
    space: String,
}

impl Wrapper {
    fn new(line: &str, width: usize) -> Self {
        let indent: String = line.graphemes(true).take_while(|part| is_space(part)).collect();
        let indent = if super::width(&indent) <= width / 2 { indent } else { String::new() };
        Self { width, indent, line: String::new(), columns: 0, space: String::new() }
    }

    fn run(mut self, line: &str, lines: &mut Vec<String>) {
        for piece in pieces(line) {
            if is_space(piece) {
                self.space.push_str(piece);
            } else {
                self.place(piece, lines);
            }
        }
        if self.columns + width(&self.space) <= self.width {
            self.line.push_str(&self.space);
        }
        lines.push(self.line);
    }

    /// Puts a word on the line, or on the next one if it does not fit.
    fn place(&mut self, word: &str, lines: &mut Vec<String>) {
        let space = std::mem::take(&mut self.space);
        let space_width = width(&space);
        let word_width = width(word);
        let fits = |columns: usize| columns + space_width + word_width <= self.width;
        if fits(self.columns) {
            self.push(&space, space_width);
            self.push(word, word_width);
            return;
        }
        let at_start = self.line.is_empty();
        if at_start && space_width + 2 < self.width && !self.indent.is_empty() {
            self.push(&space, space_width);
        } else if !at_start {
            self.break_line(lines);
        }
        self.push_broken(word, lines);
    }

    fn push(&mut self, part: &str, columns: usize) {
        self.line.push_str(part);
        self.columns += columns;
    }

    fn break_line(&mut self, lines: &mut Vec<String>) {
        lines.push(std::mem::replace(&mut self.line, self.indent.clone()));
        self.columns = width(&self.line);
    }

    /// Writes a word that may be longer than the line, grapheme by grapheme. Indentation gives way to
    /// a grapheme that needs its room.
    fn push_broken(&mut self, word: &str, lines: &mut Vec<String>) {
        for grapheme in word.graphemes(true) {
            let columns = grapheme_width(grapheme);
            if self.columns + columns > self.width && !self.is_blank() {
                self.break_line(lines);
            }
            if self.columns + columns > self.width {
                self.line.clear();
                self.columns = 0;
            }
            if columns <= self.width {
                self.push(grapheme, columns);
            } else {
                self.push_split(grapheme, lines);
            }
        }
    }

    /// Whether the line holds nothing but indentation.
    fn is_blank(&self) -> bool {
        self.line.is_empty() || is_space(&self.line)
    }

    /// The last resort: a grapheme that is wider than a line, character by character.
    fn push_split(&mut self, grapheme: &str, lines: &mut Vec<String>) {
        for character in grapheme.chars() {
            let longer = format!("{}{character}", self.line);
            if width(&longer) > self.width {
                self.break_line(lines);
                self.line.push(character);
            } else {
                self.line = longer;
            }
            self.columns = width(&self.line);
        }
    }
}

/// White space at which a line may be broken; the no-break spaces are none.
fn is_space(piece: &str) -> bool {
    !piece.is_empty()
        && piece.chars().all(|character| {
            character.is_whitespace() && !matches!(character, '\u{a0}' | '\u{2007}' | '\u{202f}')
        })
}

/// Splits a line into white space, words, and wide characters, between which it may be broken.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<&str> = None;
    for (at, grapheme) in line.grapheme_indices(true) {
        if before.is_some_and(|before| may_break(before, grapheme)) {
            pieces.push(&line[start..at]);
            start = at;
        }
        before = Some(grapheme);
    }
    if start < line.len() {
        pieces.push(&line[start..]);
    }
    pieces
}

/// Whether a line may be broken between two graphemes.
fn may_break(before: &str, after: &str) -> bool {
    if is_space(before) != is_space(after) {
        return true;
    }
    let wide = grapheme_width(before) > 1 || grapheme_width(after) > 1;
    wide && !is_space(after) && !NOT_AT_LINE_START.contains(after)
}
