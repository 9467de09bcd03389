//! The memory panel's state: what is selected, what the list is narrowed to, and where things stand.

use std::time::Duration;

use ratatui::layout::Rect;

use super::field::Field;
use super::flow::Flow;
use super::keymap::{KeyAction, Keymap, Scope};
use super::moves::Move;
use super::place::Place;
use super::rows::{Item, Section, items};
use crate::memory::{ItemView, MemoryView, NoteView, TextView};

/// Where the panel stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PanelState {
    /// The selected item, an index into [`items`].
    pub place: Place,
    /// The first row shown, an index into [`rows`](super::rows::rows); kept inside the list by who draws it.
    pub offset: usize,
    /// What the list is narrowed to.
    pub filter: Field,
    /// What it says of keys.
    pub hints: PanelHints,
    /// Items that changed their tier a moment ago.
    pub moves: Vec<Move>,
    /// The time, for the marks of these.
    pub now: Duration,
    /// The rows of the screen on which items begin, with their place among [`items`]; kept by who draws it.
    pub places: Vec<(u16, usize)>,
    /// The rows of the screen on which headings stand; kept by who draws it.
    pub headings: Vec<(u16, Section)>,
    /// A change of the window that is being shown.
    pub flow: Option<Flow>,
    /// The row of the screen that sums the logs up, if it is there; kept by who draws it.
    pub bed: Option<u16>,
    /// The room that is left between the items and the logs; kept by who draws it.
    pub water: Rect,
    /// Where it was drawn; kept by who draws it.
    pub items: Rect,
}

/// The keys in force, as the panel tells of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanelHints {
    /// The key that lets go what waits at the soft line; empty if there is none.
    pub(super) let_leave: String,
    /// The key that brings the selected item back into the window.
    pub(super) brings_back: String,
    /// Beside a filter that is being written.
    pub(super) writing: String,
    /// Beside a filter that stands.
    pub(super) standing: String,
}

impl PanelHints {
    /// With these keys.
    pub fn of(keymap: &Keymap) -> Self {
        Self {
            let_leave: keymap.label(Scope::Global, KeyAction::LetLeave),
            brings_back: keymap.label(Scope::Panel, KeyAction::Expand),
            writing: keymap.fill("{filter.accept} keeps it, {filter.cancel} clears it"),
            standing: keymap.fill("{panel.leave} clears it"),
        }
    }
}

impl Default for PanelHints {
    fn default() -> Self {
        Self::of(&Keymap::default())
    }
}

impl PanelState {
    /// The selected item, or the last one of a list that has become shorter; `None` if there is none at all.
    pub fn item<'a>(&self, view: &'a MemoryView) -> Option<Item<'a>> {
        items(view).take(self.place.at.saturating_add(1)).last()
    }

    /// Selects an item by its id, wherever it stands now; one that is gone leaves the selection where it is.
    pub fn follow(&mut self, id: &str, view: &MemoryView) {
        if let Some(at) = items(view).position(|item| item.id() == id) {
            self.place.at = at;
        }
    }

    /// Moves the selection, if that is what a key does; returns whether it is.
    pub fn act(&mut self, action: KeyAction, view: &MemoryView) -> bool {
        self.place.act(action, items(view).count())
    }

    /// Moves the selection down by so many items, or up if negative; stops at both ends.
    pub fn step(&mut self, steps: isize, view: &MemoryView) {
        self.place.step(steps, items(view).count());
    }
}

/// Memory with only those items that hold all the words, in their id, summary, tags or text.
pub fn filtered(view: &MemoryView, words: &str) -> MemoryView {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let holds = |text: String| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let effort = |item: &ItemView| {
        holds(format!("{} {}", item.id, item.summary.as_deref().unwrap_or_default()))
    };
    let note = |view: &NoteView| {
        let note = &view.note;
        holds(format!("{} {} {}", note.id, note.content, note.tags.join(" ")))
    };
    let mut view = view.clone();
    for items in [&mut view.open, &mut view.expanded, &mut view.warm, &mut view.manifest.recent] {
        items.retain(effort);
    }
    view.notes.session.retain(note);
    view.notes.permanent.retain(note);
    view.scratchpad
        .0
        .retain(|TextView { item, .. }| holds(format!("ref:{} {}", item.key, item.description)));
    view.scratchpad.1 = view.scratchpad.0.len();
    view
}
