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
    let mut parts = Parts { text, found: Vec::new(), covered: 0, indent: None };
    let mut depth = 0;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::List(_)) if depth == 0 => {
                parts.uncovered(range.start);
                depth = 1;
            }
            Event::Start(Tag::Item) if depth == 1 => {
                parts.item(range.start);
                depth += 1;
            }
            Event::Start(tag) => {
                let indented = matches!(tag, Tag::CodeBlock(CodeBlockKind::Indented));
                let holds_blocks = matches!(tag, Tag::List(_) | Tag::Item | Tag::BlockQuote(_));
                if depth == 0 {
                    let fenced = matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(_)));
                    if indented {
                        parts.indented(range.start);
                    } else {
                        parts.block(&range, fenced);
                    }
                } else if !holds_blocks && !indented {
                    parts.cover(range.end);
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            Event::Text(_) if depth == 1 && parts.indent.is_some() => {}
            _ if depth == 0 => parts.block(&range, false),
            _ => parts.cover(range.end),
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
    /// In a list, the column from which on a line belongs to the item that was begun last; in indented code,
    /// to the code.
    indent: Option<usize>,
}

impl Parts<'_> {
    fn block(&mut self, range: &Range<usize>, fenced: bool) {
        self.uncovered(range.start);
        self.begin(range.start, fenced, false);
        self.cover(range.end);
    }

    fn cover(&mut self, end: usize) {
        self.covered = self.covered.max(end);
    }

    /// Begins indented code. As with a list, its own lines tell how far it goes.
    fn indented(&mut self, at: usize) {
        self.uncovered(at);
        self.begin(at, false, false);
        self.indent = Some(4);
        let line = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1);
        self.cover(line);
    }

    /// Begins an item of a list. How far a list goes is told by what is in it: where a link definition
    /// follows, the parser's own end depends on what comes behind that.
    fn item(&mut self, at: usize) {
        self.uncovered(at);
        self.begin(at, false, false);
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].split_inclusive('\n').next().unwrap_or_default();
        let marker = line.trim_start_matches([' ', '\t']);
        let signs = marker.find(char::is_whitespace).unwrap_or(marker.len());
        let spaces = marker.len() - marker[signs..].trim_start_matches(' ').len() - signs;
        let beside = if marker[signs..].trim().is_empty() || spaces > 4 { 1 } else { spaces };
        self.indent = Some(line.len() - marker.len() + signs + beside.max(1));
        self.cover(start + line.len());
    }

    /// How much of what was passed over stands within the last item, by where its lines begin.
    fn within_item(&mut self, passed: &str) -> usize {
        let Some(indent) = self.indent.take() else { return 0 };
        let column = |line: &str| {
            let spaces = line.chars().take_while(|sign| [' ', '\t'].contains(sign));
            spaces.map(|sign| if sign == '\t' { 4 } else { 1 }).sum::<usize>()
        };
        let lines = passed.split_inclusive('\n');
        lines
            .take_while(|line| line.trim().is_empty() || column(line) >= indent)
            .map(str::len)
            .sum()
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
        let Some(passed) = self.text.get(self.covered..end) else { return };
        self.covered += self.within_item(passed);
        let skipped = &self.text[self.covered..end];
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
