//! Where the parts of a text begin that are laid out by themselves.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// A part: a paragraph, a heading, a table, a quotation, a code block, one item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Its bytes, from the beginning of its line to that of the next part.
    pub(super) range: Range<usize>,
    /// Whether it is a code block between fences.
    pub(super) fenced: bool,
    /// Whether it is no part for the parser at all, as a link definition is none.
    pub(super) plain: bool,
}

/// What is understood beyond `CommonMark`.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// The parts of a text in order; what comes before the first one is empty.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Parts { text, found: Vec::new(), covered: 0 };
    let mut depth = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::List(_)) if depth == 0 => {
                parts.uncovered(range.start);
                depth = 1;
                parts.covered = range.end;
            }
            Event::Start(Tag::Item) if depth == 1 => {
                parts.begin(range.start, false, false);
                depth += 1;
            }
            Event::Start(tag) => {
                if depth == 0 {
                    let fenced = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                    parts.block(&range, fenced);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ if depth == 0 => parts.block(&range, false),
            _ => {}
        }
    }
    parts.uncovered(text.len());
    parts.end()
}

/// The code blocks of a text, as they were written, without their fences.
pub fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut inside = false;
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                blocks.push(String::new());
                inside = true;
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(lines) if inside => {
                if let Some(block) = blocks.last_mut() {
                    block.push_str(&lines);
                }
            }
            _ => {}
        }
    }
    blocks
}

struct Parts<'a> {
    text: &'a str,
    /// Where each part begins, and what it is.
    found: Vec<(usize, bool, bool)>,
    /// Everything before is part of something.
    covered: usize,
}

impl Parts<'_> {
    fn block(&mut self, range: &Range<usize>, fenced: bool) {
        self.uncovered(range.start);
        self.begin(range.start, fenced, false);
        self.covered = self.covered.max(range.end);
    }

    /// Begins a part at the line that holds `at`.
    fn begin(&mut self, at: usize, fenced: bool, plain: bool) {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let last = self.found.last().map(|part| part.0);
        if last.is_none_or(|last| last < line) {
            self.found.push((line, fenced, plain));
        }
    }

    /// What the parser passed over before `end` is a part of its own, unless it is empty.
    fn uncovered(&mut self, end: usize) {
        let line = self.text[..end].rfind('\n').map_or(0, |end| end + 1);
        let end = if end == self.text.len() { end } else { line };
        let Some(skipped) = self.text.get(self.covered..end) else { return };
        let blank = skipped.len() - skipped.trim_start().len();
        if blank < skipped.len() {
            self.begin(self.covered + blank, false, true);
        }
    }

    fn end(self) -> Vec<Part> {
        let ends = self.found.iter().skip(1).map(|part| part.0).chain([self.text.len()]);
        let parts = self.found.iter().zip(ends);
        parts
            .map(|(&(start, fenced, plain), end)| Part { range: start..end, fenced, plain })
            .collect()
    }
}
