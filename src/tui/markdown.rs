//! Markdown as rows, while it is still being written.
//!
//! A text that grows is laid out from its last open part on: paragraphs, list items, tables and code
//! lines that are complete never change again, whatever follows. So that a text looks the same however
//! it arrived, [`split`] decides where a part begins from the lines before it alone, and every part is laid
//! out by itself; a link definition therefore stays readable and acts on nothing outside its own part.

mod code;
mod inline;
mod render;
mod split;
mod table;

#[cfg(test)]
mod tests;

pub use split::code_blocks;

use code::Fence;

use super::ink::Line;

/// How far the layout of a growing text has come.
#[derive(Debug, Clone, Default)]
pub struct Markdown {
    /// Bytes of the text that are laid out for good.
    done: usize,
    /// The code block that is open there.
    fence: Option<Fence>,
    /// Whether there are rows that a gap could stand behind.
    begun: bool,
}

/// The rows of what was new in a text.
#[derive(Debug, Default)]
pub struct Advance {
    /// Rows that stay as they are, whatever follows.
    pub settled: Vec<Line>,
    /// Rows of the part that is still open; they are made anew each time.
    pub open: Vec<Line>,
}

impl Markdown {
    /// Lays out what `text` holds behind the part that is settled. `text` must begin with what it held
    /// before; `width` is in columns and stays the same for one text.
    pub fn advance(&mut self, text: &str, width: usize) -> Advance {
        let mut rows = Advance::default();
        loop {
            if let Some(fence) = &mut self.fence {
                let rest = text.get(self.done..).unwrap_or_default();
                self.done += fence.read_lines(rest, width, &mut rows.settled);
                if !fence.is_closed() {
                    rows.open = fence.open_rows(text.get(self.done..).unwrap_or_default(), width);
                    return rows;
                }
                self.fence = None;
            }
            if !self.settle(text, width, &mut rows.settled) {
                rows.open = self.clone().rest(text, width);
                return rows;
            }
        }
    }

    /// Lays out for good the parts that are complete. Says whether it came to a code block, which is read
    /// line by line.
    fn settle(&mut self, text: &str, width: usize, rows: &mut Vec<Line>) -> bool {
        while let Some(part) = self.part(text) {
            if let Some((fence, header, opener)) = Fence::begin(part, width) {
                self.gap(text, rows);
                rows.push(header);
                self.done += opener;
                self.fence = Some(fence);
                return true;
            }
            let Some(end) = split::end(part, false) else { return false };
            self.gap(text, rows);
            rows.extend(render::rows(&part[..end], width));
            self.done += end;
        }
        false
    }

    /// The rows of what may still change.
    fn rest(mut self, text: &str, width: usize) -> Vec<Line> {
        let mut rows = Vec::new();
        while let Some(part) = self.part(text) {
            let part = &part[..split::end(part, true).unwrap_or(part.len())];
            self.gap(text, &mut rows);
            rows.extend(render::rows(part, width));
            self.done += part.len();
        }
        rows
    }

    /// What follows, from the next line on that is not empty.
    fn part<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let rest = text.get(self.done..)?;
        let begin = split::begin(rest)?;
        self.done += begin;
        rest.get(begin..)
    }

    /// An empty row where the source has one, but for the beginning.
    fn gap(&mut self, text: &str, rows: &mut Vec<Line>) {
        if self.begun && blank_before(text, self.done) {
            rows.push(Line::default());
        }
        self.begun = true;
    }
}

/// Whether the line before the one that holds `at` is empty but for the signs of a quotation.
fn blank_before(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let Some((above, _)) = before.rsplit_once('\n') else { return false };
    is_empty(above.rsplit('\n').next().unwrap_or_default())
}

/// Whether a line holds nothing but the signs of a quotation.
fn is_empty(line: &str) -> bool {
    line.chars().all(|character| character.is_whitespace() || character == '>')
}
