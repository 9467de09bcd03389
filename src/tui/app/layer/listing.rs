//! What is listed over the chat: the help, the window inspector, one item in full. Text lines with a
//! scroll position.

mod detail;
mod inspector;

use std::sync::Arc;

use super::{Level, Overlay, Taken};
use crate::memory::Layer;
use crate::orchestrator::{Detail, Inspection, Op};
use crate::text;
use crate::tui::app::{Action, App};
use crate::tui::command;
use crate::tui::field::Field;
use crate::tui::keymap::{Chord, KeyAction, Keymap, Scope};
use crate::tui::place::Place;
use crate::tui::views::View;
use crate::tui::words;

/// How a line of a listing is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStyle {
    /// A heading.
    Heading,
    /// Running text.
    Plain,
    /// What matters less.
    Dim,
    /// In the colour of a layer of the window.
    Layer(Layer),
    /// What is new or different; the text says so as well.
    New,
    /// What is gone; the text says so as well.
    Gone,
}

/// A listing over the chat.
#[derive(Debug, Clone)]
pub struct Listing {
    content: Content,
    /// The first line on screen, and the rows of a page.
    place: Place,
    width: usize,
    height: usize,
    lines: Vec<(LineStyle, String)>,
    /// What the help is narrowed to.
    filter: Field,
    /// The inspector shows all of each text, not its first lines only.
    whole: bool,
}

#[derive(Debug, Clone)]
enum Content {
    Help(Box<Keymap>),
    Inspection(Arc<Inspection>),
    Detail(Arc<Detail>),
}

impl Listing {
    /// The keys and the commands.
    pub fn help(keymap: &Keymap) -> Self {
        Self::new(Content::Help(Box::new(keymap.clone())))
    }

    /// The same narrowed to some words; all of it without any.
    #[must_use]
    pub(in crate::tui::app) fn about(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.filter.insert(words);
            self.filter.rest();
        }
        self
    }

    /// What would be sent to the model, item by item.
    pub fn inspection(inspection: Arc<Inspection>) -> Self {
        Self::new(Content::Inspection(inspection))
    }

    /// One item in full.
    pub fn detail(detail: Arc<Detail>) -> Self {
        Self::new(Content::Detail(detail))
    }

    fn new(content: Content) -> Self {
        let (place, filter) = (Place::default(), Field::default());
        Self { content, place, width: 0, height: 0, lines: Vec::new(), filter, whole: false }
    }

    /// Shows another window in the place of one that is shown; drawing holds the place within the lines.
    pub(super) fn inspect_instead(&mut self, inspection: &Arc<Inspection>) {
        if let Content::Inspection(shown) = &mut self.content {
            *shown = Arc::clone(inspection);
            self.width = 0;
        }
    }

    /// Whether it is the help.
    pub fn is_help(&self) -> bool {
        matches!(self.content, Content::Help(_))
    }

    /// Whether words are being written that narrow it.
    pub fn is_being_filtered(&self) -> bool {
        self.filter.is_writing()
    }

    /// What its keys do, to be filled with the keys in force.
    pub fn hints(&self) -> &'static str {
        match self.content {
            _ if self.filter.is_writing() => {
                "{filter.accept} keeps the filter · {filter.cancel} clears it"
            }
            Content::Help(_) if self.filter.is_set() => {
                "{overlay.filter} filter · {overlay.up}/{overlay.down} scroll · {overlay.cancel} clears it"
            }
            Content::Help(_) => {
                "{overlay.filter} filter · {overlay.up}/{overlay.down} scroll · {overlay.cancel} closes"
            }
            Content::Inspection(_) if self.whole => {
                "{overlay.raw} first lines only · {overlay.up}/{overlay.down} scroll · {overlay.cancel} closes"
            }
            Content::Inspection(_) => {
                "{overlay.raw} whole texts · {overlay.up}/{overlay.down} scroll · {overlay.cancel} closes"
            }
            Content::Detail(_) => "{overlay.up}/{overlay.down} scroll · {overlay.cancel} closes",
        }
    }

    /// The heading of a box of so many columns.
    pub fn title(&self, width: usize, keymap: &Keymap) -> String {
        match &self.content {
            Content::Help(_) if self.filter.is_set() => {
                format!("Help: {}", self.filter.shown(width.saturating_sub("Help: ".len())))
            }
            Content::Help(_) => "Help".to_owned(),
            Content::Inspection(inspection) => inspector::title(inspection, width),
            Content::Detail(detail) => detail::title(detail, keymap),
        }
    }

    /// The lines on screen for that size, and how many there are above and below.
    pub fn visible(
        &mut self,
        width: usize,
        height: usize,
        keymap: &Keymap,
    ) -> (&[(LineStyle, String)], usize, usize) {
        if self.width != width {
            self.lines = match &self.content {
                Content::Help(keymap) => help(keymap, &self.filter, width),
                Content::Inspection(inspection) => {
                    inspector::lines(inspection, self.whole, width, keymap)
                }
                Content::Detail(detail) => detail::lines(detail, width),
            };
            self.width = width;
        }
        self.height = height;
        self.place.page = height.saturating_sub(1);
        self.place.step(0, self.places());
        let end = (self.place.at + height).min(self.lines.len());
        (&self.lines[self.place.at..end], self.place.at, self.lines.len() - end)
    }

    /// How many lines can be the first one on screen.
    fn places(&self) -> usize {
        self.lines.len().saturating_sub(self.height) + 1
    }

    /// Scrolls to the next line that is new, different or gone, or to the one before.
    fn next_mark(&mut self, on: bool) {
        let is_mark = |at: &usize| {
            let style = self.lines.get(*at).map(|(style, _)| *style);
            matches!(style, Some(LineStyle::New | LineStyle::Gone))
        };
        let at = self.place.at;
        let found = if on {
            (at + 1..self.lines.len()).find(is_mark)
        } else {
            (0..at.min(self.lines.len())).rev().find(is_mark)
        };
        self.place.at = found.unwrap_or(at);
    }

    /// To the next thing that is marked, or to another part of a long text.
    fn turn(&mut self, on: bool) -> Vec<Action> {
        match &self.content {
            Content::Detail(shown) => {
                let other = detail::other_part(shown, on);
                return other.map(|part| Action::Send(Op::Show(part))).into_iter().collect();
            }
            Content::Help(_) | Content::Inspection(_) => self.next_mark(on),
        }
        Vec::new()
    }
}

impl Overlay for Listing {
    fn level(&self) -> Level {
        Level::Listing
    }

    fn scope(&self) -> Scope {
        if self.filter.is_writing() { Scope::Filter } else { Scope::Overlay }
    }

    fn field(&mut self) -> Option<&mut Field> {
        self.filter.if_writing()
    }

    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        self.place.at = 0;
        self.width = 0;
        Vec::new()
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        let places = self.places();
        Some((&mut self.place, places))
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        let is_help = self.is_help();
        let is_inspection = matches!(self.content, Content::Inspection(_));
        Taken::Stays(match action {
            KeyAction::Show(View::Help) if is_help => return Taken::CLOSES,
            KeyAction::Show(View::Inspect) if is_inspection => return Taken::CLOSES,
            _ if is_help && self.filter.act(action) => self.edited(app),
            KeyAction::Raw if is_inspection => {
                self.whole = !self.whole;
                self.width = 0;
                Vec::new()
            }
            KeyAction::NextMark => self.turn(true),
            KeyAction::LastMark => self.turn(false),
            KeyAction::Earlier | KeyAction::Later => app.walk_past(action),
            _ => return Taken::Ignored,
        })
    }
}

fn help(keymap: &Keymap, filter: &Field, width: usize) -> Vec<(LineStyle, String)> {
    let intro = INTRO.iter().filter(|_| !filter.is_set());
    let intro = intro.flat_map(|line| text::wrap(&keymap.fill(line), width));
    let mut lines: Vec<_> = intro.map(|line| (LineStyle::Plain, line)).collect();
    let key = keymap.bound_key(filter.words());
    // A letter that is a key is looked for as a key: as a part of words it would find everything.
    let in_words = key.is_none() || filter.words().chars().nth(1).is_some();
    for (heading, entries) in help_sections(keymap) {
        let says = |text: &str| in_words && filter.lets_through(text);
        let fits = |entry: &Explained<'_>| {
            let words = format!("{} {}", entry.what, entry.does);
            says(heading) || says(&words) || key.is_some_and(|key| entry.keys.contains(&key))
        };
        let mut entries = entries.into_iter().filter(fits).peekable();
        if entries.peek().is_none() {
            continue;
        }
        lines.push((LineStyle::Plain, String::new()));
        lines.push((LineStyle::Heading, heading.to_owned()));
        let entries = entries.flat_map(|entry| entry.lines(width));
        lines.extend(entries.map(|line| (LineStyle::Plain, line)));
    }
    if lines.is_empty() {
        lines.push((LineStyle::Dim, "nothing matches".to_owned()));
    }
    lines
}

/// How the help begins.
const INTRO: [&str; 2] = [
    "Just write. Topics open, conclude and come back by themselves as you talk; every step is also a \
     command and can be watched in the memory panel.",
    "The wheel scrolls what is under it. Drag over the conversation to copy; {global.mouse} gives the \
     mouse to the terminal.",
];

/// An entry of the help.
struct Explained<'a> {
    /// The keys as they are shown, a word or a command.
    what: String,
    does: String,
    keys: &'a [Chord],
}

/// The keys by their part of the screen, then the words and the commands.
fn help_sections(keymap: &Keymap) -> Vec<(&'static str, Vec<Explained<'_>>)> {
    let of_scope = |scope: Scope| {
        let bound = keymap.bindings(scope).filter(|bound| !bound.label.is_empty());
        let entries = bound.map(|bound| Explained {
            what: bound.label.clone(),
            does: keymap.help(bound),
            keys: bound.chords(),
        });
        (scope.heading(), entries.collect())
    };
    let commands = command::specs().map(|spec| {
        let also: Vec<String> = spec.aliases.iter().map(|alias| format!("/{alias}")).collect();
        let also =
            if also.is_empty() { String::new() } else { format!(" (also {})", also.join(", ")) };
        Explained { what: spec.usage(), does: format!("{}{also}", spec.help), keys: &[] }
    });
    let commands = ("Commands", commands.collect());
    let words = words::all().map(|(word, says)| Explained {
        what: word.into(),
        does: says.into(),
        keys: &[],
    });
    let words = ("Words on the screen", words.collect());
    Scope::ALL.into_iter().map(of_scope).chain([words, commands]).collect()
}

/// Where the explanations of the help begin, and where on a narrow screen, below what they explain.
const COLUMN: usize = 24;
const NARROW_COLUMN: usize = 6;

impl Explained<'_> {
    /// Its lines: the explanation keeps to its column, below what takes more than the column before it.
    fn lines(&self, width: usize) -> Vec<String> {
        let column = if width < 2 * COLUMN { NARROW_COLUMN } else { COLUMN };
        let mut does = text::wrap(&self.does, width.saturating_sub(column).max(1)).into_iter();
        let what = text::wrap(&self.what, width.saturating_sub(2).max(1)).into_iter();
        let mut lines: Vec<String> = what.map(|line| format!("  {line}")).collect();
        if let [what] = &mut lines[..]
            && text::width(what) + 2 <= column
        {
            *what = format!("{what:column$}{}", does.next().unwrap_or_default());
        }
        lines.extend(does.map(|line| format!("{:column$}{line}", "")));
        lines
    }
}
