//! One block of the conversation and its rows.

use std::borrow::Cow;

use super::super::ink::{Joint, Line, Styled};
use super::super::markdown::Markdown;
use super::window::Home;
use crate::memory::Turn;
use crate::text;

/// Columns that the text of a message is set in.
pub const INDENT: usize = 2;

/// What a block of the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The first words of the program.
    Welcome,
    /// A message of the user.
    User,
    /// A message that was never answered.
    Unanswered,
    /// A reply.
    Assistant,
    /// What arrived of a reply that was cut off.
    Partial,
    /// A line about memory.
    Banner,
    /// What stands for an effort from now on.
    Summary,
    /// Where an effort began, was concluded or was taken up again.
    Divider,
    /// A tool call, in one line.
    Tool,
    /// What the model thought, in one line.
    Reasoning,
    /// The numbers of a turn, in one line.
    Footnote,
    /// The result of a command or a note of the program.
    Info,
    /// A failure.
    Error,
}

impl BlockKind {
    /// Whether somebody said it: only such blocks are part of the model's window.
    pub fn is_said(self) -> bool {
        matches!(self, Self::User | Self::Unanswered | Self::Assistant | Self::Partial)
    }

    /// Whether the model wrote it, in Markdown.
    pub fn is_markdown(self) -> bool {
        matches!(self, Self::Assistant | Self::Partial)
    }

    fn is_one_line(self) -> bool {
        matches!(self, Self::Tool | Self::Reasoning | Self::Footnote | Self::Divider)
    }

    /// Whether all of a turn stand in one line, until it is opened.
    pub fn folds(self) -> bool {
        matches!(self, Self::Tool | Self::Banner)
    }

    /// What stands before its first row, so that colour is never the only sign.
    fn sign(self) -> char {
        match self {
            Self::Error => '!',
            Self::Info => '·',
            Self::Summary => '▪',
            _ => ' ',
        }
    }

    /// Whether an empty row stands before it, after a block of another kind.
    pub(super) fn stands_apart(self) -> bool {
        !(self.is_one_line() || matches!(self, Self::Banner | Self::Summary))
    }
}

/// What a row of a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The empty row before a block.
    Gap,
    /// Who speaks.
    Label,
    /// What is said.
    Body,
    /// A line across the whole width, with words in it.
    Rule,
}

/// One row, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is.
    pub part: Part,
    /// The sign before it, in the columns that a body is set in; a space if there is none.
    pub sign: char,
    /// Its text, harmless and no wider than asked for; a body is set in by [`INDENT`].
    pub line: Line,
}

/// One block of the conversation.
#[derive(Debug, Clone)]
pub struct Block {
    pub(super) kind: BlockKind,
    pub(super) label: Option<String>,
    pub(super) text: String,
    pub(super) gap: bool,
    /// The turn it belongs to; `None` between turns.
    pub(super) turn: Option<Turn>,
    pub(super) home: Home,
    /// What stands at the right of its label.
    pub(super) aside: Option<String>,
    pub(super) fold: Fold,
    pub(super) cache: Cache,
}

/// How a block is folded.
#[derive(Debug, Clone, Default)]
pub(super) struct Fold {
    /// The lines of those that stand in its line.
    pub(super) under_it: Vec<(BlockKind, String)>,
    /// The number of the block in whose line it stands.
    pub(super) head: Option<usize>,
    /// What a message says with a label in the place of each large paste.
    pub(super) labelled: Option<String>,
    /// It stands there, so it has no rows of its own.
    pub(super) hidden: bool,
    /// Opened by a person.
    pub(super) open: bool,
}

/// How far the layout of a text has come that may still grow.
#[derive(Debug, Clone)]
enum Progress {
    /// Bytes of complete lines, which never change while the text grows.
    Lines(usize),
    Markdown(Markdown),
}

impl Default for Progress {
    fn default() -> Self {
        Self::Lines(0)
    }
}

/// What rows are made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) width: usize,
    /// Markdown is shown as it came.
    pub(super) raw: bool,
    /// Nothing is folded.
    pub(super) whole: bool,
}

/// Rows of one form. The first `settled` of them stay as they are while the text grows.
#[derive(Debug, Clone, Default)]
pub(super) struct Cache {
    form: Form,
    bytes: usize,
    pub(super) rows: Vec<Row>,
    settled: usize,
    progress: Progress,
}

impl Block {
    /// What it is.
    pub fn kind(&self) -> BlockKind {
        self.kind
    }

    /// Its text, as it came.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where it is logged.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Makes the rows and returns how many there are; `opens` tells the keys that open what is folded.
    pub(super) fn lay_out(&mut self, form: Form, opens: &str) -> usize {
        let Form { width, raw, whole } = form;
        if self.fold.hidden && !whole {
            self.cache = Cache::default();
            return 0;
        }
        let cache = &self.cache;
        if cache.form != form || cache.bytes > self.text.len() {
            self.cache = Cache { form, bytes: usize::MAX, ..Cache::default() };
            if self.kind.is_markdown() && !raw {
                self.cache.progress = Progress::Markdown(Markdown::default());
            }
            self.head(width);
        }
        if self.cache.bytes != self.text.len() {
            self.cache.bytes = self.text.len();
            self.cache.rows.truncate(self.cache.settled);
            let room = width.saturating_sub(INDENT).max(1);
            let folded = self.folded_line(room).filter(|_| !whole);
            let labelled = self.labelled().filter(|_| !whole).map(|text| lines(text, room, false));
            let hangs = self.kind == BlockKind::Info;
            match &mut self.cache.progress {
                _ if folded.is_some() => self.cache.rows.extend(folded),
                _ if labelled.is_some() => self.extend(labelled.unwrap_or_default(), false),
                _ if self.kind.is_one_line() => self.one_line(width),
                Progress::Markdown(markdown) => {
                    let advance = markdown.advance(&self.text, room);
                    self.extend(advance.settled, true);
                    self.extend(advance.open, false);
                }
                Progress::Lines(done) => {
                    let rest = self.text.get(*done..).unwrap_or_default();
                    let (complete, open) = rest.split_at(rest.rfind('\n').map_or(0, |at| at + 1));
                    *done += complete.len();
                    let (complete, open) = (lines(complete, room, hangs), lines(open, room, hangs));
                    self.extend(complete, true);
                    self.extend(open, false);
                }
            }
            if !whole {
                self.fold_paste(room, opens);
            }
        }
        self.cache.rows.len()
    }

    fn head(&mut self, width: usize) {
        let row = |part, text| Row { part, sign: ' ', line: Line::new(Styled::plain(text)) };
        if self.gap {
            self.cache.rows.push(row(Part::Gap, String::new()));
        }
        if let Some(label) = &self.label {
            let label = text::fit(&text::one_line(label), width);
            self.cache.rows.push(row(Part::Label, label));
        }
        self.cache.settled = self.cache.rows.len();
    }

    fn extend(&mut self, lines: Vec<Line>, settled: bool) {
        for line in lines {
            let rows = &mut self.cache.rows;
            let first = rows.last().is_none_or(|row| row.part != Part::Body);
            let sign = if first { self.kind.sign() } else { ' ' };
            rows.push(Row { part: Part::Body, sign, line });
        }
        if settled {
            self.cache.settled = self.cache.rows.len();
        }
    }

    fn one_line(&mut self, width: usize) {
        let start: String = self.text.chars().take(width * 2).collect();
        let line = text::one_line(&start);
        let line = if self.kind == BlockKind::Reasoning {
            format!("thinking: {}", line.trim())
        } else {
            line
        };
        let part = if self.kind == BlockKind::Divider { Part::Rule } else { Part::Body };
        let line = text::fit(line.trim(), width.saturating_sub(INDENT));
        let line = Line::new(Styled::plain(line));
        self.cache.rows.push(Row { part, sign: ' ', line });
    }
}

/// Where the second column of a line begins, in bytes, if it has one that leaves it half of the width: what does not fit
/// goes on under it.
fn column_of(line: &str, width: usize) -> usize {
    let start = line.len() - line.trim_start().len();
    let gap = line[start..].find("  ").map_or(0, |at| start + at);
    let column = line.len() - line[gap..].trim_start().len();
    if gap > 0 && column < line.len() && text::width(&line[..column]) * 2 <= width {
        column
    } else {
        0
    }
}

/// How the line of a banner ends, and the same with what holds it to the word before.
const END: &str = " ---";
const TIED: &str = "\u{a0}---";

/// The line of a banner with an end that never stands alone on a row of its own.
fn with_tied_end(line: &str) -> Cow<'_, str> {
    let words = line.strip_suffix(END).filter(|words| words.starts_with("--- "));
    words.map_or(Cow::Borrowed(line), |words| Cow::Owned(format!("{words}{TIED}")))
}

/// The rows of a plain text. A line end at its very end begins no further row. What `hangs` keeps to the columns of a
/// table of two.
fn lines(source: &str, width: usize, hangs: bool) -> Vec<Line> {
    let mut rows = Vec::new();
    for line in source.split_inclusive('\n') {
        // The second half of a line end that stands at the cut is no line end of its own.
        let line = line.strip_suffix('\n').unwrap_or(line);
        let clean = text::clean(line.strip_suffix('\r').unwrap_or(line));
        for line in clean.split('\n') {
            let source = line;
            let line = &*with_tied_end(source);
            let column = if hangs { column_of(line, width) } else { 0 };
            let (head, line) = line.split_at(column);
            let hang = text::width(head);
            let cuts = text::cuts(line, width - hang);
            for (nth, cut) in cuts.iter().enumerate() {
                let joint = match cuts.get(nth + 1) {
                    None => Joint::LineEnd,
                    Some(next) if next.range.start > cut.range.end => Joint::Space,
                    Some(_) => Joint::Nothing,
                };
                let (before, frame) = if nth == 0 { (head, 0) } else { ("", hang) };
                let row = format!("{before:frame$}{}", cut.of(line));
                let row = if line == source { row } else { row.replace(TIED, END) };
                rows.push(Line { styled: Styled::plain(row.trim_end().to_owned()), frame, joint });
            }
        }
    }
    rows
}
