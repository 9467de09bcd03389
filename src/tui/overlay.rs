//! What lies over the chat: the help and the window listing. Text lines with a scroll position.

use std::sync::Arc;

use crate::memory::{Source, Window};

use super::keymap::{self, Scope};
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
}

/// A listing over the chat.
#[derive(Debug, Clone)]
pub struct Overlay {
    content: Content,
    scroll: usize,
    width: usize,
    height: usize,
    lines: Vec<(LineStyle, String)>,
}

#[derive(Debug, Clone)]
enum Content {
    Help,
    Window(Arc<Window>),
}

impl Overlay {
    /// The keys and the commands.
    pub fn help() -> Self {
        Self::new(Content::Help)
    }

    /// What would be sent to the model now.
    pub fn window(window: Arc<Window>) -> Self {
        Self::new(Content::Window(window))
    }

    fn new(content: Content) -> Self {
        Self { content, scroll: 0, width: 0, height: 0, lines: Vec::new() }
    }

    /// The heading of the box.
    pub fn title(&self) -> String {
        match &self.content {
            Content::Help => "Help".to_owned(),
            Content::Window(window) => format!(
                "What the model would get now: {} items, {} tokens",
                window.items.len(),
                window.layers.total()
            ),
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
                Content::Help => help(width),
                Content::Window(window) => listing(window, width),
            };
            self.width = width;
        }
        self.height = height;
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(height));
        let end = (self.scroll + height).min(self.lines.len());
        (&self.lines[self.scroll..end], self.scroll, self.lines.len() - end)
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

fn help(width: usize) -> Vec<(LineStyle, String)> {
    let intro = [
        "Just write. Topics open, conclude and come back by themselves as you talk; every step is \
         also a command and can be watched in the memory panel.",
        "The wheel scrolls what is under it. Hold Shift to select text with the mouse.",
    ];
    let mut lines: Vec<_> = intro.map(|line| (LineStyle::Plain, line.to_owned())).into();
    for scope in [Scope::Input, Scope::Global, Scope::Panel, Scope::Overlay, Scope::Demo] {
        lines.push((LineStyle::Plain, String::new()));
        lines.push((LineStyle::Heading, scope.heading().to_owned()));
        lines.extend(
            keymap::bindings(scope)
                .map(|binding| (LineStyle::Plain, column(binding.label, binding.help))),
        );
    }
    lines.push((LineStyle::Plain, String::new()));
    lines.push((LineStyle::Heading, "Commands".to_owned()));
    for spec in command::specs() {
        let also: Vec<String> = spec.aliases.iter().map(|alias| format!("/{alias}")).collect();
        let also =
            if also.is_empty() { String::new() } else { format!(" (also {})", also.join(", ")) };
        lines.push((LineStyle::Plain, column(&spec.usage(), &format!("{}{also}", spec.help))));
    }
    let wrap = |(style, line): (LineStyle, String)| {
        let indent = if line.len() > COLUMN && line.starts_with(' ') { COLUMN } else { 0 };
        hanging(&line, width, indent).into_iter().map(move |line| (style, line))
    };
    lines.into_iter().flat_map(wrap).collect()
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

fn listing(window: &Window, width: usize) -> Vec<(LineStyle, String)> {
    let mut lines = Vec::new();
    for (nth, item) in window.items.iter().enumerate() {
        let source = match &item.source {
            Source::SystemPrompt => "system prompt".to_owned(),
            Source::ToolDefinitions => "tool definitions, sent beside the messages".to_owned(),
            Source::Manifest | Source::Notes => "heading".to_owned(),
            Source::Summary(id) => format!("summary of {id}"),
            Source::Note(id) => format!("note {id}"),
            Source::Scratchpad => "index of the scratchpad".to_owned(),
            Source::Ambient => "ambient".to_owned(),
            Source::Expanded(id) => format!("log of {id}, expanded"),
            Source::Open(id) => format!("log of {id}, open"),
            Source::NewMessage => "new message".to_owned(),
        };
        let head = format!(
            "{:3}  {}  {}  {} tokens  {source}",
            nth + 1,
            item.layer.as_str(),
            item.role.as_str(),
            item.tokens
        );
        lines.push((LineStyle::Heading, text::fit(&text::clean(&head), width)));
        let content = text::clean(item.content.trim_end());
        let room = width.saturating_sub(5).max(1);
        let wrapped = text::wrap(&content, room).into_iter().filter(|_| !content.is_empty());
        lines.extend(wrapped.map(|line| (LineStyle::Plain, format!("     {line}"))));
    }
    if window.items.is_empty() {
        lines.push((LineStyle::Dim, "The window is empty.".to_owned()));
    }
    lines
}
