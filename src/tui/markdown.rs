//! Markdown as rows, while it is still being written.
//!
//! A text that grows is laid out from its last open part on: paragraphs, list items, tables and code
//! lines that are complete never change again, whatever follows. So that a text looks the same however
//! it arrived, every such part is laid out by itself; a link definition therefore stays a line of its
//! own and does not act on what was said before it.

mod code;
mod inline;
mod render;
mod split;
mod table;

#[cfg(test)]
mod tests;

pub use split::code_blocks;

use code::Fence;
use split::Part;

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

    /// Lays out for good what only complete lines decide on: every part but the last of them. Says
    /// whether it came to a code block, which is read line by line.
    fn settle(&mut self, text: &str, width: usize, rows: &mut Vec<Line>) -> bool {
        let start = self.done;
        let rest = text.get(start..).unwrap_or_default();
        let complete = rest.rfind('\n').map_or(0, |end| end + 1);
        let mut parts = split::parts(&rest[..complete]);
        let Some(last) = parts.pop() else { return false };
        for part in parts {
            self.gap(text, start + part.range.start, rows);
            rows.extend(whole(rest, &part, width));
        }
        self.done = start + last.range.start;
        let begun = Fence::begin(&rest[last.range], width).filter(|_| last.fenced);
        let Some((fence, header, opener)) = begun else { return false };
        self.gap(text, self.done, rows);
        rows.push(header);
        self.done += opener;
        self.fence = Some(fence);
        true
    }

    /// The rows of what may still change.
    fn rest(mut self, text: &str, width: usize) -> Vec<Line> {
        let rest = text.get(self.done..).unwrap_or_default();
        let mut rows = Vec::new();
        for part in split::parts(rest) {
            self.gap(text, self.done + part.range.start, &mut rows);
            rows.extend(whole(rest, &part, width));
        }
        rows
    }

    /// An empty row where the source has one, but for the beginning.
    fn gap(&mut self, text: &str, at: usize, rows: &mut Vec<Line>) {
        if self.begun && blank_before(text, at) {
            rows.push(Line::default());
        }
        self.begun = true;
    }
}

/// The rows of one part. One that is no Markdown, such as a link definition, stands as it is.
fn whole(source: &str, part: &Part, width: usize) -> Vec<Line> {
    let text = &source[part.range.clone()];
    if part.fenced
        && let Some((mut fence, header, opener)) = Fence::begin(text, width)
    {
        let mut rows = vec![header];
        let read = fence.read_lines(&text[opener..], width, &mut rows);
        if !fence.is_closed() {
            rows.extend(fence.open_rows(&text[opener + read..], width));
        }
        return rows;
    }
    if part.plain { inline::plain_rows(text, width) } else { render::rows(text, width) }
}

/// Whether the line before the one that holds `at` is empty but for the signs of a quotation.
fn blank_before(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let Some((above, _)) = before.rsplit_once('\n') else { return false };
    let line = above.rsplit('\n').next().unwrap_or_default();
    line.chars().all(|character| character.is_whitespace() || character == '>')
}
