//! Text with emphasis, before it has colours: what each part is, not how it looks.
//!
//! Layout works on [`Styled`] text; only the view turns an [`Ink`] into a style of the theme.

use std::ops::Range;

use ratatui::style::Modifier;

use crate::text;

/// What a part of a text is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    /// Running text.
    #[default]
    Plain,
    /// A heading.
    Heading,
    /// A piece of code within running text.
    Code,
    /// A word that belongs to the programming language.
    Keyword,
    /// A text within code, in its quotes.
    Literal,
    /// A number within code.
    Number,
    /// A comment within code.
    Comment,
    /// A line that a diff adds.
    Added,
    /// A line that a diff removes.
    Removed,
    /// The words of a link.
    Link,
    /// What the layout adds: bars, rules, addresses behind links.
    Frame,
}

/// How a part of a text is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ink {
    /// What it is.
    pub tone: Tone,
    /// How it is emphasised, in every theme.
    pub emphasis: Modifier,
}

impl Ink {
    /// Ink of a tone, without emphasis.
    pub const fn of(tone: Tone) -> Self {
        Self { tone, emphasis: Modifier::empty() }
    }

    /// The ink with further emphasis.
    #[must_use]
    pub const fn with(self, emphasis: Modifier) -> Self {
        Self { tone: self.tone, emphasis: self.emphasis.union(emphasis) }
    }
}

/// A text and the ink of its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styled {
    text: String,
    /// Where each part ends, in bytes, and its ink; what no part covers is plain.
    runs: Vec<(usize, Ink)>,
}

impl Styled {
    /// A text in one ink.
    pub fn new(text: &str, ink: Ink) -> Self {
        let mut styled = Self::default();
        styled.push(text, ink);
        styled
    }

    /// A plain text.
    pub fn plain(text: String) -> Self {
        Self { text, runs: Vec::new() }
    }

    /// The text alone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Columns that it takes.
    pub fn width(&self) -> usize {
        text::width(&self.text)
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str, ink: Ink) {
        if text.is_empty() {
            return;
        }
        let covered = self.runs.last().map_or(0, |(end, _)| *end);
        if covered < self.text.len() {
            self.runs.push((self.text.len(), Ink::default()));
        }
        self.text.push_str(text);
        match self.runs.last_mut() {
            Some((end, last)) if *last == ink => *end = self.text.len(),
            _ => self.runs.push((self.text.len(), ink)),
        }
    }

    /// Appends another text with its inks.
    pub fn append(&mut self, other: &Self) {
        for (part, ink) in other.parts() {
            self.push(part, ink);
        }
    }

    /// Appends spaces until it takes `columns`.
    pub fn pad(&mut self, columns: usize) {
        let missing = columns.saturating_sub(self.width());
        self.push(&" ".repeat(missing), Ink::default());
    }

    /// A part of it, by bytes; empty if the range splits a character.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        let mut slice = Self::default();
        let mut start = 0;
        for (part, ink) in self.parts() {
            let end = start + part.len();
            let (from, to) = (range.start.max(start), range.end.min(end));
            if from < to {
                slice.push(part.get(from - start..to - start).unwrap_or_default(), ink);
            }
            start = end;
        }
        slice
    }

    /// Its parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&str, Ink)> {
        let covered = self.runs.last().map_or(0, |(end, _)| *end);
        let rest = (covered < self.text.len()).then_some((self.text.len(), Ink::default()));
        let mut start = 0;
        self.runs.iter().copied().chain(rest).map(move |(end, ink)| {
            let part = self.text.get(start..end).unwrap_or_default();
            start = end;
            (part, ink)
        })
    }
}

/// What stands between a row and the next one in the source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Joint {
    /// The end of a line.
    #[default]
    LineEnd,
    /// White space, at which the line was broken.
    Space,
    /// Nothing: a long word was broken.
    Nothing,
}

/// One row of a layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// What is drawn.
    pub styled: Styled,
    /// Bytes at its start that the layout added: bars and the like.
    pub frame: usize,
    /// How it goes on.
    pub joint: Joint,
}

impl Line {
    /// A row that ends a line of its source and has no frame.
    pub fn new(styled: Styled) -> Self {
        Self { styled, ..Self::default() }
    }

    /// The part that comes from the source.
    pub fn content(&self) -> &str {
        self.styled.text().get(self.frame..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_the_text_and_slices_keep_their_ink() {
        let bold = Ink::default().with(Modifier::BOLD);
        let mut styled = Styled::plain("ab".into());
        styled.push("cd", bold);
        styled.push("ef", bold);
        styled.push("", Ink::of(Tone::Code));
        styled.pad(8);
        let parts: Vec<_> = styled.parts().collect();
        assert_eq!(parts, [("ab", Ink::default()), ("cdef", bold), ("  ", Ink::default())]);
        let slice = styled.slice(1..4);
        assert_eq!(slice.parts().collect::<Vec<_>>(), [("b", Ink::default()), ("cd", bold)]);
    }

    #[test]
    fn a_slice_never_splits_a_character() {
        assert!(Styled::plain("世界".into()).slice(1..2).is_empty());
    }
}
