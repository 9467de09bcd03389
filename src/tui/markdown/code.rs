//! Code blocks: a frame, the name of the language, and colours.

use super::super::highlight::Highlighter;
use super::super::ink::{Ink, Joint, Line, Styled, Tone};
use super::split;
use crate::{fence, text};

/// What stands before a line of code.
const BAR: &str = "│ ";

/// The same before the rest of a line that was too long.
const CONTINUED: &str = "↳ ";

const FRAME: Ink = Ink::of(Tone::Frame);

/// The row above a code block: the language, as far as it is named.
pub(super) fn header(info: &str, width: usize) -> Line {
    let info = text::one_line(info);
    frame(&text::fit(format!("┌ {}", fence::language(&info)).trim_end(), width))
}

/// The row below a code block.
pub(super) fn footer() -> Line {
    frame("└")
}

fn frame(sign: &str) -> Line {
    Line { styled: Styled::new(sign, FRAME), frame: sign.len(), joint: Joint::LineEnd }
}

/// The rows of one line of code: a line that is too long goes on in rows that are marked.
pub(super) fn line_rows(source: &str, colours: &mut Highlighter, width: usize) -> Vec<Line> {
    let clean = text::clean(source.trim_end_matches(['\n', '\r']));
    let mut rows = Vec::new();
    for line in clean.split('\n') {
        let coloured = colours.line(line);
        let parts = text::chop(line, width.saturating_sub(text::width(BAR)));
        let last = parts.len() - 1;
        for (nth, part) in parts.into_iter().enumerate() {
            let bar = if nth == 0 { BAR } else { CONTINUED };
            let mut styled = Styled::new(bar, FRAME);
            styled.append(&coloured.slice(part));
            let joint = if nth == last { Joint::LineEnd } else { Joint::Nothing };
            rows.push(Line { styled, frame: bar.len(), joint });
        }
    }
    rows
}

/// A code block between fences that is being read.
#[derive(Debug, Clone)]
pub(super) struct Fence {
    signs: fence::Fence,
    colours: Highlighter,
    closed: bool,
}

impl Fence {
    /// Reads the opening line, if it is one and complete; with the row above the code, and the line's bytes.
    pub(super) fn begin(text: &str, width: usize) -> Option<(Self, Line, usize)> {
        let end = text.find('\n').filter(|&end| end < split::LONGEST)? + 1;
        let (signs, info) = fence::Fence::outermost(&text[..end])?;
        let header = header(info, width);
        let colours = Highlighter::new(header.styled.text().trim_start_matches("┌").trim());
        Some((Self { signs, colours, closed: false }, header, end))
    }

    /// Whether the closing line has been read.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Reads complete lines up to the closing one and returns how many bytes they have.
    pub(super) fn read_lines(&mut self, text: &str, width: usize, rows: &mut Vec<Line>) -> usize {
        let mut read = 0;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            read += line.len();
            if self.signs.is_ended_by(line) {
                self.closed = true;
                rows.push(footer());
                return read;
            }
            rows.extend(self.rows(line, width));
        }
        read
    }

    /// The rows of a last line that is not complete, and the end of the frame.
    pub(super) fn open_rows(&self, rest: &str, width: usize) -> Vec<Line> {
        let mut rows = Vec::new();
        if !rest.is_empty() && !self.signs.is_ended_by(rest) {
            rows = self.clone().rows(rest, width);
        }
        rows.push(footer());
        rows
    }

    fn rows(&mut self, line: &str, width: usize) -> Vec<Line> {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        // So many columns as the fence is set in are none of the code.
        line_rows(&line[spaces.min(self.signs.column())..], &mut self.colours, width)
    }
}
