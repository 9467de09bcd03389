//! What lies over the chat: the help and the window inspector. Text lines with a scroll position.

mod detail;
mod inspector;

use std::sync::Arc;

use crate::orchestrator::{Detail, Inspection, ItemRef};

use super::filter::Filter;
use super::keymap::{Keymap, Scope};
use super::{command, text};

/// How a line of an overlay is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStyle {
    /// A heading.
    Heading,
    /// Running text.
    Plain,
    /// What matters less.
    Dim,
    /// What is new or different; the text says so as well.
    New,
    /// What is gone; the text says so as well.
    Gone,
}

/// A listing over the chat.
#[derive(Debug, Clone)]
pub struct Overlay {
    content: Content,
    scroll: usize,
    width: usize,
    height: usize,
    lines: Vec<(LineStyle, String)>,
    /// What the help is narrowed to.
    filter: Option<Filter>,
}

#[derive(Debug, Clone)]
enum Content {
    Help(Box<Keymap>),
    Inspection(Arc<Inspection>),
    Detail(Arc<Detail>),
}

impl Overlay {
    /// The keys and the commands.
    pub fn help(keymap: &Keymap) -> Self {
        Self::new(Content::Help(Box::new(keymap.clone())))
    }

    /// What would be sent to the model, item by item.
    pub fn inspection(inspection: Arc<Inspection>) -> Self {
        Self::new(Content::Inspection(inspection))
    }

    /// One item in full.
    pub fn detail(detail: Arc<Detail>) -> Self {
        Self::new(Content::Detail(detail))
    }

    /// What to show for the next part of a long text, or the one before; `None` at both ends.
    pub fn other_part(&self, on: bool) -> Option<ItemRef> {
        match &self.content {
            Content::Detail(detail) => detail::other_part(detail, on),
            _ => None,
        }
    }

    fn new(content: Content) -> Self {
        Self { content, scroll: 0, width: 0, height: 0, lines: Vec::new(), filter: None }
    }

    /// Whether it is the window inspector.
    pub fn is_inspection(&self) -> bool {
        matches!(self.content, Content::Inspection(_))
    }

    /// What its keys do, to be filled with the keys in force.
    pub fn hints(&self) -> &'static str {
        match (&self.content, &self.filter) {
            (_, Some(filter)) if filter.writing => {
                "{dialog.accept} keeps the filter · {dialog.cancel} clears it"
            }
            (Content::Help(_), Some(_)) => {
                "{overlay.filter} filter · {overlay.up}/{overlay.down} scroll · {overlay.cancel} clears it"
            }
            (Content::Help(_), None) => {
                "{overlay.filter} filter · {overlay.up}/{overlay.down} scroll · {overlay.cancel} closes"
            }
            _ => "{overlay.up}/{overlay.down} scroll · {overlay.cancel} closes",
        }
    }

    /// Begins to narrow the help down; nothing else has a filter.
    pub fn begin_filter(&mut self) {
        if matches!(self.content, Content::Help(_)) {
            self.filter.get_or_insert_default().writing = true;
        }
    }

    /// The filter, if it is being written.
    pub fn written_filter(&mut self) -> Option<&mut Filter> {
        self.filter.as_mut().filter(|filter| filter.writing)
    }

    /// The filter has other words.
    pub fn refilter(&mut self) {
        self.scroll = 0;
        self.width = 0;
    }

    /// Shows everything again; returns whether there was a filter.
    pub fn clear_filter(&mut self) -> bool {
        self.refilter();
        self.filter.take().is_some()
    }

    /// Takes over the place of another one; drawing holds it within the lines.
    pub fn scroll_as(&mut self, other: &Self) {
        self.scroll = other.scroll;
    }

    /// The heading of the box.
    pub fn title(&self) -> String {
        match &self.content {
            Content::Help(_) => match &self.filter {
                None => "Help".to_owned(),
                Some(filter) => {
                    let cursor = if filter.writing { "▏" } else { "" };
                    format!("Help: {}{cursor}", text::one_line(&filter.words))
                }
            },
            Content::Inspection(inspection) => inspector::title(inspection),
            Content::Detail(detail) => detail::title(detail),
        }
    }

    /// The lines on screen for that size, and how many there are above and below.
    pub fn visible(
        &mut self,
        width: usize,
        height: usize,
    ) -> (&[(LineStyle, String)], usize, usize) {
        if self.width != width {
            self.lines = match &self.content {
                Content::Help(keymap) => help(keymap, self.filter.as_ref(), width),
                Content::Inspection(inspection) => inspector::lines(inspection, width),
                Content::Detail(detail) => detail::lines(detail, width),
            };
            self.width = width;
        }
        self.height = height;
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(height));
        let end = (self.scroll + height).min(self.lines.len());
        (&self.lines[self.scroll..end], self.scroll, self.lines.len() - end)
    }

    /// Scrolls to the next line that is new, different or gone, or to the one before.
    pub fn next_mark(&mut self, on: bool) {
        let is_mark = |at: &usize| {
            let style = self.lines.get(*at).map(|(style, _)| *style);
            matches!(style, Some(LineStyle::New | LineStyle::Gone))
        };
        let found = if on {
            (self.scroll + 1..self.lines.len()).find(is_mark)
        } else {
            (0..self.scroll.min(self.lines.len())).rev().find(is_mark)
        };
        self.scroll = found.unwrap_or(self.scroll);
    }

    /// Scrolls by lines, back if negative.
    pub fn scroll(&mut self, lines: isize) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(self.lines.len());
    }

    /// Scrolls by screens, back if negative.
    pub fn page(&mut self, pages: isize) {
        let page = isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(1);
        self.scroll(pages * page);
    }

    /// To the beginning or the end.
    pub fn jump(&mut self, to_end: bool) {
        self.scroll = if to_end { self.lines.len() } else { 0 };
    }
}

fn help(keymap: &Keymap, filter: Option<&Filter>, width: usize) -> Vec<(LineStyle, String)> {
    let mut lines: Vec<_> = match filter {
        None => INTRO.map(|line| (LineStyle::Plain, keymap.fill(line))).into(),
        Some(_) => Vec::new(),
    };
    for (heading, entries) in help_sections(keymap) {
        let fits = |line: &String| filter.is_none_or(|filter| filter.lets_through(line));
        let all = filter.is_some_and(|filter| filter.lets_through(heading));
        let mut entries = entries.into_iter().filter(|line| all || fits(line)).peekable();
        if entries.peek().is_none() {
            continue;
        }
        lines.push((LineStyle::Plain, String::new()));
        lines.push((LineStyle::Heading, heading.to_owned()));
        lines.extend(entries.map(|line| (LineStyle::Plain, line)));
    }
    if lines.is_empty() {
        lines.push((LineStyle::Dim, "nothing matches".to_owned()));
    }
    let wrap = |(style, line): (LineStyle, String)| {
        let indent = if line.len() > COLUMN && line.starts_with(' ') { COLUMN } else { 0 };
        hanging(&line, width, indent).into_iter().map(move |line| (style, line))
    };
    lines.into_iter().flat_map(wrap).collect()
}

/// How the help begins.
const INTRO: [&str; 2] = [
    "Just write. Topics open, conclude and come back by themselves as you talk; every step is also a \
     command and can be watched in the memory panel.",
    "The wheel scrolls what is under it. Drag over the conversation to copy; {global.mouse} gives the \
     mouse to the terminal.",
];

/// The keys by their part of the screen, then the commands.
fn help_sections(keymap: &Keymap) -> Vec<(&'static str, Vec<String>)> {
    let of_scope = |scope: Scope| {
        let bound = keymap.bindings(scope).filter(|bound| !bound.label.is_empty());
        (scope.heading(), bound.map(|bound| column(&bound.label, &keymap.help(bound))).collect())
    };
    let commands = command::specs().map(|spec| {
        let also: Vec<String> = spec.aliases.iter().map(|alias| format!("/{alias}")).collect();
        let also =
            if also.is_empty() { String::new() } else { format!(" (also {})", also.join(", ")) };
        column(&spec.usage(), &format!("{}{also}", spec.help))
    });
    let commands = ("Commands", commands.collect());
    Scope::ALL.into_iter().map(of_scope).chain([commands]).collect()
}

/// Where the explanations of the help begin.
const COLUMN: usize = 24;

fn column(left: &str, right: &str) -> String {
    let room = COLUMN - 4;
    if text::width(left) > room {
        format!("  {left}  {right}")
    } else {
        format!("  {left:room$}  {right}")
    }
}

/// Wraps a line; its second and further lines are set in.
fn hanging(line: &str, width: usize, indent: usize) -> Vec<String> {
    if text::width(line) <= width || width < indent + 10 {
        return text::wrap(line, width);
    }
    let first = text::wrap(line, width).into_iter().next().unwrap_or_default();
    let rest = line.get(first.trim_end().len()..).unwrap_or_default().trim_start().to_owned();
    let indented = text::wrap(&rest, width - indent);
    std::iter::once(first)
        .chain(indented.into_iter().map(|line| format!("{}{line}", " ".repeat(indent))))
        .collect()
}
