//! One part of a text as rows.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use ratatui::style::Modifier;

use super::super::highlight::Highlighter;
use super::super::ink::{Ink, Line, Styled, Tone};
use super::super::text;
use super::inline::{Inline, wrapped};
use super::table::Table;
use super::{blank_before, code, split};

/// What stands before the lines of a quotation.
const QUOTE: &str = "│ ";

const FRAME: Ink = Ink::of(Tone::Frame);

/// The rows of a part of at most `width` columns.
pub(super) fn rows(source: &str, width: usize) -> Vec<Line> {
    let mut rows = Rows { source, width, ..Rows::default() };
    for (event, range) in Parser::new_ext(source, split::options()).into_offset_iter() {
        rows.take(event, &range);
    }
    rows.flush();
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
}

impl Rows<'_> {
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
                self.containers.pop();
            }
            TagEnd::Item => {
                self.flush();
                if self.has_marker() {
                    self.emit(&Line::default());
                }
                self.containers.pop();
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
        for line in &wrapped(&words, self.room()) {
            self.emit(line);
        }
    }

    /// An empty row where the source has one.
    fn gap(&mut self, at: usize) {
        let after_row = self.lines.last().is_some_and(|line| !line.content().is_empty());
        let after_frame = self.lines.last().is_some_and(|line| line.styled.text().starts_with('└'));
        if (after_row || after_frame) && !self.has_marker() && blank_before(self.source, at) {
            self.emit(&Line::default());
        }
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

    /// The containers whose signs are shown: as many as leave half of the width.
    fn shown(&self) -> impl Iterator<Item = &Container> {
        let mut used = 0;
        self.containers.iter().take_while(move |container| {
            used += container.columns();
            used <= self.width / 2
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
        for container in &mut self.containers {
            container.marker_is_written();
        }
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
