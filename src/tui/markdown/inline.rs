//! Running text: the inks of what is nested in it, and its rows.

use ratatui::style::Modifier;

use super::super::ink::{Ink, Joint, Line, Styled, Tone};
use crate::text;

/// The text of a paragraph, a heading or a cell while it is read.
#[derive(Debug, Default)]
pub(super) struct Inline {
    text: Styled,
    /// The inks of what is open, outermost first.
    inks: Vec<Ink>,
    /// Where the links that are open lead, and where their words begin.
    links: Vec<(String, usize)>,
}

impl Inline {
    /// The ink of what is written next.
    pub(super) fn ink(&self) -> Ink {
        self.inks.last().copied().unwrap_or_default()
    }

    /// Changes the ink until [`Inline::leave`].
    pub(super) fn enter(&mut self, change: impl FnOnce(Ink) -> Ink) {
        self.inks.push(change(self.ink()));
    }

    /// Back to the ink before.
    pub(super) fn leave(&mut self) {
        self.inks.pop();
    }

    /// Writes a text in the present ink. Line ends within it are kept.
    pub(super) fn push(&mut self, words: &str) {
        self.text.push(&text::clean(words), self.ink());
    }

    /// Writes a piece of code.
    pub(super) fn code(&mut self, code: &str) {
        let ink = Ink { tone: Tone::Code, ..self.ink() };
        self.text.push(&text::clean(code).replace('\n', " "), ink);
    }

    /// Begins a link; an image is a link that says so.
    pub(super) fn open_link(&mut self, address: &str, is_image: bool) {
        if is_image {
            self.text.push("image: ", Ink::of(Tone::Frame));
        }
        self.links.push((text::one_line(address), self.text.text().len()));
        self.enter(|ink| Ink { tone: Tone::Link, ..ink.with(Modifier::UNDERLINED) });
    }

    /// Ends a link; where it leads is told unless its words say so.
    pub(super) fn close_link(&mut self) {
        self.leave();
        let Some((address, start)) = self.links.pop() else { return };
        let words = self.text.text().get(start..).unwrap_or_default();
        let said = address.strip_prefix("mailto:").unwrap_or(&address);
        if !address.is_empty() && words.trim() != said {
            let space = if words.is_empty() { "" } else { " " };
            self.text.push(&format!("{space}({address})"), Ink::of(Tone::Frame));
        }
    }

    /// Takes what was written.
    pub(super) fn take(&mut self) -> Styled {
        std::mem::take(&mut self.text)
    }

    /// Whether something but white space was written.
    pub(super) fn is_empty(&self) -> bool {
        self.text.text().trim().is_empty()
    }
}

/// The rows of running text, broken at `width` columns.
pub(super) fn wrapped(styled: &Styled, width: usize) -> Vec<Line> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in styled.text().split('\n') {
        let spaces = line.len() - line.trim_start().len();
        let words = line.trim();
        let cuts = text::cuts(words, width);
        let offset = start + spaces;
        for (nth, cut) in cuts.iter().enumerate() {
            let joint = match cuts.get(nth + 1) {
                None => Joint::LineEnd,
                Some(next) if next.range.start > cut.range.end => Joint::Space,
                Some(_) => Joint::Nothing,
            };
            let part = styled.slice(offset + cut.range.start..offset + cut.range.end);
            rows.push(Line { styled: part, frame: 0, joint });
        }
        start += line.len() + 1;
    }
    rows
}

/// The rows of a text that is no Markdown.
pub(super) fn plain_rows(source: &str, width: usize) -> Vec<Line> {
    let clean = text::clean(source.trim_end());
    wrapped(&Styled::new(&clean, Ink::of(Tone::Frame)), width)
}
