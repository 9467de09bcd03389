//! Breaks text into lines.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{grapheme_width, width};

/// Signs that may not begin a line in Chinese and Japanese text.
const NOT_AT_LINE_START: &str =
    "。、，．！？：；」』）】》〉’”…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ・％";

/// Signs that open something and end no line.
const NOT_AT_LINE_END: &str = "「『（【《〈";

/// Breaks a clean text into lines of at most `width` columns (from 3 on; less is taken for 3). Breaks
/// at white space, which is dropped there, and between wide characters; a longer word is broken where
/// the line ends. Indentation is kept and repeated on continued lines as long as it leaves them half of
/// the width. Graphemes are never split, unless one alone is wider than a line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        lines.extend(cuts(line, width).into_iter().map(|cut| cut.of(line)));
    }
    lines
}

/// A part of a line of the source that stands on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Bytes of the source line's indentation that are repeated before it.
    pub indent: usize,
    /// Its bytes in the source line.
    pub range: Range<usize>,
}

impl Cut {
    /// The text that is shown.
    pub fn of(&self, line: &str) -> String {
        let indent = line.get(..self.indent).unwrap_or_default();
        format!("{indent}{}", line.get(self.range.clone()).unwrap_or_default())
    }
}

/// Where [`wrap`] breaks one line; at least one part.
pub fn cuts(line: &str, width: usize) -> Vec<Cut> {
    let mut wrapper = Wrapper::new(line, width.max(3));
    wrapper.run();
    wrapper.cuts
}

/// Breaks a line wherever `width` columns (from 2 on) are full, as suits code: nothing is dropped.
pub fn chop(line: &str, width: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut columns) = (0, 0);
    for (at, grapheme) in line.grapheme_indices(true) {
        let next = grapheme_width(grapheme);
        if columns + next > width.max(2) && at > start {
            parts.push(start..at);
            (start, columns) = (at, 0);
        }
        columns += next;
    }
    parts.push(start..line.len());
    parts
}

/// The state of breaking one line of the source.
struct Wrapper<'a> {
    source: &'a str,
    width: usize,
    /// Bytes of indentation that continued lines repeat.
    indent: usize,
    cuts: Vec<Cut>,
    /// Whether the line being filled begins with the indentation.
    indented: bool,
    /// What the line holds of the source.
    range: Range<usize>,
    columns: usize,
    /// White space that is only kept when a word follows on the same line.
    space: Range<usize>,
}

impl<'a> Wrapper<'a> {
    fn new(source: &'a str, width: usize) -> Self {
        let spaces = source.graphemes(true).take_while(|part| is_space(part));
        let indent = spaces.map(str::len).sum();
        let fits = super::width(&source[..indent]) <= width / 2;
        Self {
            source,
            width,
            indent: if fits { indent } else { 0 },
            cuts: Vec::new(),
            indented: false,
            range: 0..0,
            columns: 0,
            space: 0..0,
        }
    }

    fn run(&mut self) {
        for piece in pieces(self.source) {
            if !is_space(&self.source[piece.clone()]) {
                self.place(piece);
            } else if self.space.is_empty() {
                self.space = piece;
            } else {
                self.space.end = piece.end;
            }
        }
        let space = std::mem::take(&mut self.space);
        if self.columns + width(&self.source[space.clone()]) <= self.width {
            self.push(space, 0);
        }
        self.end_line();
    }

    /// Puts a word on the line, or on the next one if it does not fit.
    fn place(&mut self, word: Range<usize>) {
        let space = std::mem::take(&mut self.space);
        let space_width = width(&self.source[space.clone()]);
        let word_width = width(&self.source[word.clone()]);
        if self.columns + space_width + word_width <= self.width {
            self.push(space, space_width);
            self.push(word, word_width);
            return;
        }
        let at_start = self.is_empty();
        if at_start && space_width + 2 < self.width && self.indent > 0 {
            self.push(space, space_width);
        } else if !at_start {
            self.break_line();
        }
        self.push_broken(&word);
    }

    fn push(&mut self, part: Range<usize>, columns: usize) {
        if part.is_empty() {
            return;
        }
        if self.range.is_empty() {
            self.range = part;
        } else {
            self.range.end = part.end;
        }
        self.columns += columns;
    }

    fn end_line(&mut self) {
        let range = std::mem::take(&mut self.range);
        self.cuts.push(Cut { indent: if self.indented { self.indent } else { 0 }, range });
    }

    fn break_line(&mut self) {
        self.end_line();
        self.indented = true;
        self.columns = width(&self.source[..self.indent]);
    }

    /// Writes a word that may be longer than the line, grapheme by grapheme. Indentation gives way to
    /// a grapheme that needs its room.
    fn push_broken(&mut self, word: &Range<usize>) {
        for (at, grapheme) in self.source[word.clone()].grapheme_indices(true) {
            let part = word.start + at..word.start + at + grapheme.len();
            let columns = grapheme_width(grapheme);
            if self.columns + columns > self.width && !self.is_blank() {
                self.break_line();
            }
            if self.columns + columns > self.width {
                (self.indented, self.range, self.columns) = (false, 0..0, 0);
            }
            if columns <= self.width {
                self.push(part, columns);
            } else {
                self.push_split(&part);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.range.is_empty() && (!self.indented || self.indent == 0)
    }

    /// Whether the line holds nothing but indentation.
    fn is_blank(&self) -> bool {
        self.range.is_empty() || is_space(&self.source[self.range.clone()])
    }

    /// The last resort: a grapheme that is wider than a line, character by character.
    fn push_split(&mut self, grapheme: &Range<usize>) {
        for (at, character) in self.source[grapheme.clone()].char_indices() {
            let start = grapheme.start + at;
            let part = start..start + character.len_utf8();
            self.push(part.clone(), 0);
            if self.line_width() > self.width && self.range.start < part.start {
                self.range.end = part.start;
                self.break_line();
                self.push(part, 0);
            }
            self.columns = self.line_width();
        }
    }

    fn line_width(&self) -> usize {
        let indent = if self.indented { width(&self.source[..self.indent]) } else { 0 };
        indent + width(&self.source[self.range.clone()])
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
fn pieces(line: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before: Option<&str> = None;
    for (at, grapheme) in line.grapheme_indices(true) {
        if before.is_some_and(|before| may_break(before, grapheme)) {
            pieces.push(start..at);
            start = at;
        }
        before = Some(grapheme);
    }
    if start < line.len() {
        pieces.push(start..line.len());
    }
    pieces
}

/// Whether a line may be broken between two graphemes.
fn may_break(before: &str, after: &str) -> bool {
    if is_space(before) != is_space(after) {
        return true;
    }
    let may_stand = !NOT_AT_LINE_END.contains(before) && !NOT_AT_LINE_START.contains(after);
    (has_wide(before) || has_wide(after)) && !is_space(after) && may_stand
}

/// Whether a sign of a grapheme is itself two columns wide, as those of Chinese are. Several that are one column each, as in
/// Hindi and Thai, are part of a word.
fn has_wide(grapheme: &str) -> bool {
    grapheme.chars().any(|sign| grapheme_width(sign.encode_utf8(&mut [0; 4])) > 1)
}
