//! One part of a text as rows.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use ratatui::style::Modifier;

use super::super::highlight::Highlighter;
use super::super::ink::{Ink, Line, Styled, Tone};
use super::inline::{Inline, plain_rows, wrapped};
use super::table::Table;
use super::{code, is_empty, split};
use crate::text;

/// What stands before the lines of a quotation.
const QUOTE: &str = "│ ";

const FRAME: Ink = Ink::of(Tone::Frame);

/// The rows of a part of at most `width` columns.
pub(super) fn rows(source: &str, width: usize) -> Vec<Line> {
    let mut rows = Rows { source, width, source_lines: source_lines(source), ..Rows::default() };
    for (event, range) in Parser::new_ext(source, split::options()).into_offset_iter() {
        rows.show_passed(&event, &range);
        rows.take(event, &range);
    }
    rows.flush();
    rows.definitions(source.len());
    rows.lines
}

/// What a row stands within.
#[derive(Debug)]
enum Container {
    Quote,
    /// An item of a list, with what stands before its first row until that is written.
    Item {
        marker: Option<String>,
        columns: usize,
    },
}

#[derive(Debug, Default)]
struct Rows<'a> {
    source: &'a str,
    width: usize,
    lines: Vec<Line>,
    containers: Vec<Container>,
    inline: Inline,
    table: Option<Table>,
    /// The language and the lines of a code block.
    code: Option<(String, String)>,
    /// Everything in the source before this has been shown.
    covered: usize,
    /// How many of the containers, outermost first, have their sign written.
    written: usize,
    /// Where each line of the source begins, and whether an empty one stands before it.
    source_lines: Vec<(usize, bool)>,
}

impl Rows<'_> {
    /// Shows what the parser passes over before an event. What holds blocks begins with its sign alone; how
    /// far it goes is told by what is in it.
    fn show_passed(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::List(_)) => self.definitions(range.start),
            Event::Start(Tag::Item | Tag::BlockQuote(_)) => {
                self.definitions(range.start);
                let rest = self.source.get(range.start..).unwrap_or_default();
                let before = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                self.covered = self.covered.max(range.start + before + 1);
            }
            Event::End(TagEnd::Item | TagEnd::BlockQuote(_)) => {
                self.definitions(self.set_in(range.end));
            }
            Event::End(_) => {}
            _ => {
                self.definitions(range.start);
                self.covered = self.covered.max(range.end);
            }
        }
    }

    /// How far the lines before `end` go that are not yet covered and are set in.
    fn set_in(&self, end: usize) -> usize {
        let passed = self.source.get(self.covered..end).unwrap_or_default();
        let before = self.source.get(..self.covered).unwrap_or_default();
        let mut is_set_in = !before.ends_with('\n');
        let lines = passed.split_inclusive('\n').take_while(|line| {
            let first = std::mem::replace(&mut is_set_in, false);
            first || line.starts_with([' ', '\t', '>', '\r', '\n'])
        });
        self.covered + lines.map(str::len).sum::<usize>()
    }

    /// Shows the link definitions before `end` that the parser passed over, as they were written.
    fn definitions(&mut self, end: usize) {
        let Some(passed) = self.source.get(self.covered..end) else { return };
        let begin = self.covered;
        self.covered = end;
        let Some(first) = passed.find('[') else { return };
        let lines = passed[first..].lines().map(|line| line.trim_start_matches([' ', '\t', '>']));
        let words = lines.collect::<Vec<_>>().join("\n");
        self.flush();
        self.gap(begin + first);
        for row in plain_rows(&words, self.room()) {
            self.emit(&row);
        }
    }

    fn take(&mut self, event: Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(words) => match &mut self.code {
                Some((_, lines)) => lines.push_str(&words),
                None => self.inline.push(&words),
            },
            Event::Code(words) => self.inline.code(&words),
            Event::SoftBreak | Event::HardBreak => self.line_end(),
            Event::InlineHtml(tag) if is_line_break(&tag) => self.line_end(),
            Event::Html(markup) | Event::InlineHtml(markup) => self.inline.push(&markup),
            Event::Rule => {
                self.gap(range.start);
                let rule = "─".repeat(self.room().min(40));
                self.emit(&Line { frame: rule.len(), ..Line::new(Styled::new(&rule, FRAME)) });
            }
            Event::TaskListMarker(done) => {
                self.inline.push(if done { "[x] " } else { "[ ] " });
            }
            _ => self.inline.push(self.source.get(range.clone()).unwrap_or_default()),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Emphasis => self.inline.enter(|ink| ink.with(Modifier::ITALIC)),
            Tag::Strong => self.inline.enter(|ink| ink.with(Modifier::BOLD)),
            Tag::Strikethrough => self.inline.enter(|ink| ink.with(Modifier::CROSSED_OUT)),
            Tag::Link { dest_url, .. } => self.inline.open_link(&dest_url, false),
            Tag::Image { dest_url, .. } => self.inline.open_link(&dest_url, true),
            Tag::TableHead | Tag::TableRow => self.table_mut(Table::begin_row),
            Tag::TableCell => {}
            Tag::List(_) => self.flush(),
            block => {
                self.flush();
                self.gap(range.start);
                self.start_block(block, range);
            }
        }
    }

    fn start_block(&mut self, tag: Tag<'_>, range: &Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => self.inline.enter(|_| heading(level)),
            Tag::BlockQuote(_) => self.containers.push(Container::Quote),
            Tag::Item => {
                let marker = self.marker(range.start);
                let columns = text::width(&marker);
                self.containers.push(Container::Item { marker: Some(marker), columns });
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                self.code = Some((info.into_string(), String::new()));
            }
            Tag::CodeBlock(CodeBlockKind::Indented) => self.code = Some(Default::default()),
            Tag::Table(alignments) => self.table = Some(Table::new(alignments)),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.inline.leave(),
            TagEnd::Link | TagEnd::Image => self.inline.close_link(),
            TagEnd::Heading(_) => {
                self.flush();
                self.inline.leave();
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.leave();
            }
            TagEnd::Item => {
                self.flush();
                if self.has_marker() {
                    self.emit(&Line::default());
                }
                self.leave();
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::TableCell => {
                let cell = self.inline.take();
                self.table_mut(|table| table.push(cell));
            }
            TagEnd::Table => {
                let room = self.room();
                let lines = self.table.take().map(|table| table.rows(room)).unwrap_or_default();
                for line in &lines {
                    self.emit(line);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {}
            _ => self.flush(),
        }
    }

    fn leave(&mut self) {
        self.containers.pop();
        self.written = self.written.min(self.containers.len());
    }

    fn table_mut(&mut self, change: impl FnOnce(&mut Table)) {
        if let Some(table) = &mut self.table {
            change(table);
        }
    }

    fn line_end(&mut self) {
        self.inline.push(if self.table.is_some() { " " } else { "\n" });
    }

    fn end_code(&mut self) {
        let Some((info, lines)) = self.code.take() else { return };
        let room = self.room();
        let header = code::header(&info, room);
        let name = info.split([' ', ',', '{']).next().unwrap_or_default();
        let mut colours = Highlighter::new(name);
        self.emit(&header);
        for line in lines.strip_suffix('\n').unwrap_or(&lines).split('\n') {
            for row in code::line_rows(line, &mut colours, room) {
                self.emit(&row);
            }
        }
        self.emit(&code::footer());
    }

    /// Writes the running text that was read.
    fn flush(&mut self) {
        if self.inline.is_empty() {
            self.inline.take();
            return;
        }
        let words = self.inline.take();
        let words = words.slice(0..words.text().trim_end().len());
        for line in &wrapped(&words, self.room()) {
            self.emit(line);
        }
    }

    /// An empty row where the source has one.
    fn gap(&mut self, at: usize) {
        let after_row = self.lines.last().is_some_and(|line| !line.content().is_empty());
        let after_frame = self.lines.last().is_some_and(|line| line.styled.text().starts_with('└'));
        if (after_row || after_frame) && !self.has_marker() && self.blank_before(at) {
            self.emit(&Line::default());
        }
    }

    /// Whether an empty line stands before the one that holds `at`.
    fn blank_before(&self, at: usize) -> bool {
        let next = self.source_lines.partition_point(|&(start, _)| start <= at);
        self.source_lines[..next].last().is_some_and(|&(_, after_blank)| after_blank)
    }

    /// Whether the sign of the innermost item is still to be written.
    fn has_marker(&self) -> bool {
        matches!(self.containers.last(), Some(Container::Item { marker: Some(_), .. }))
    }

    /// What stands before an item: a number as it is written, or a dot.
    fn marker(&self, at: usize) -> String {
        let item = self.source.get(at..).unwrap_or_default().trim_start();
        let digits = item.len() - item.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match item.get(..digits + 1) {
            Some(number) if digits > 0 => format!("{number} "),
            _ => "• ".to_owned(),
        }
    }

    /// Columns that are left for text. However deep the nesting, half of the width is.
    fn room(&self) -> usize {
        let used: usize = self.shown().map(Container::columns).sum();
        self.width.saturating_sub(used).max(1)
    }

    /// The containers whose signs are shown: as many as leave half of the width, and room for code.
    fn shown(&self) -> impl Iterator<Item = &Container> {
        let mut used = 0;
        self.containers.iter().take_while(move |container| {
            used += container.columns();
            used <= (self.width / 2).min(self.width.saturating_sub(4))
        })
    }

    /// Writes a row with the signs of what it stands within.
    fn emit(&mut self, line: &Line) {
        let mut styled = Styled::default();
        let mut frame = 0;
        let shown = self.shown().count();
        for container in self.containers.iter_mut().take(shown) {
            match container {
                Container::Quote => {
                    styled.push(QUOTE, FRAME);
                    frame = styled.text().len();
                }
                Container::Item { marker: Some(sign), .. } => {
                    styled.push(sign, FRAME);
                }
                Container::Item { marker: None, columns } => {
                    styled.push(&" ".repeat(*columns), Ink::default());
                }
            }
        }
        for container in &mut self.containers[self.written..] {
            container.marker_is_written();
        }
        self.written = self.containers.len();
        if line.frame > 0 {
            frame = styled.text().len() + line.frame;
        }
        styled.append(&line.styled);
        self.lines.push(Line { styled, frame, joint: line.joint });
    }
}

impl Container {
    fn columns(&self) -> usize {
        match self {
            Self::Quote => text::width(QUOTE),
            Self::Item { columns, .. } => *columns,
        }
    }

    fn marker_is_written(&mut self) {
        if let Self::Item { marker, .. } = self {
            *marker = None;
        }
    }
}

fn source_lines(source: &str) -> Vec<(usize, bool)> {
    let (mut start, mut after_blank) = (0, false);
    let lines = source.split_inclusive('\n').map(|line| {
        let begun = (start, after_blank);
        after_blank = is_empty(line);
        start += line.len();
        begun
    });
    lines.collect()
}

/// Headings differ without colours, too.
fn heading(level: HeadingLevel) -> Ink {
    let beside = match level {
        HeadingLevel::H1 => Modifier::UNDERLINED,
        HeadingLevel::H2 => Modifier::empty(),
        _ => Modifier::ITALIC,
    };
    Ink::of(Tone::Heading).with(Modifier::BOLD | beside)
}

fn is_line_break(tag: &str) -> bool {
    let name = tag.trim_matches(['<', '>', '/', ' ']);
    name.eq_ignore_ascii_case("br")
}
