//! The memory panel's keys: moving, filtering, and doing something with the selected item.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::layout::Position;

use super::{Action, App, Focus, Queued};
use crate::memory::MemoryView;
use crate::orchestrator::Op;
use crate::tui::filter::Typed;
use crate::tui::keymap::{Bound, KeyAction, Scope};
use crate::tui::overlay::Overlay;
use crate::tui::steering::{self, What};
use crate::tui::view::panel::{self, Filter, Move};

/// How long an item that changed its tier is marked.
const MOVE: Duration = Duration::from_millis(1_500);

impl App {
    /// Memory as the panel lists it: all of it, or what passes the filter.
    pub fn listed(&self) -> &MemoryView {
        self.filtered.as_deref().unwrap_or(&self.memory)
    }

    /// Takes a new state of memory; what changed its tier is marked for a while.
    pub(super) fn relist(&mut self, view: Arc<MemoryView>) {
        if self.look.animations && self.memory.budget.0 > 0 {
            let until = self.now + MOVE;
            let moves = panel::moves(&self.memory, &view, until);
            self.panel.moves.retain(|old| !moves.iter().any(|new| new.id == old.id));
            self.panel.moves.extend(moves);
        }
        self.memory = view;
        self.refilter();
    }

    /// Forgets the marks whose time is over.
    pub(super) fn settle_moves(&mut self) {
        let now = self.now;
        self.panel.now = now;
        self.panel.moves.retain(|Move { until, .. }| *until > now);
    }

    fn refilter(&mut self) {
        let words =
            self.panel.filter.as_ref().map(|filter| filter.words.trim()).unwrap_or_default();
        self.filtered = (!words.is_empty()).then(|| Arc::new(panel::filtered(&self.memory, words)));
    }

    /// Letters go into the filter while it is written; returns whether the key was used.
    pub(super) fn filter_key(&mut self, event: &KeyEvent) -> bool {
        let Some(filter) = self.panel.filter.as_mut().filter(|filter| filter.writing) else {
            return false;
        };
        let global = self.keymap.lookup(Scope::Global, event).is_some();
        let action = self.keymap.lookup(Scope::Dialog, event).filter(|_| !global);
        match filter.typed(action, event) {
            Typed::Nothing => return false,
            Typed::Cleared => self.panel.filter = None,
            Typed::Changed | Typed::Kept => {}
        }
        self.panel.selected = 0;
        self.refilter();
        true
    }

    pub(super) fn panel_key(&mut self, action: Option<KeyAction>) -> Vec<Action> {
        let page = self.panel_page();
        let step = match action {
            Some(KeyAction::Down) => 1,
            Some(KeyAction::Up) => -1,
            Some(KeyAction::PageDown) => page,
            Some(KeyAction::PageUp) => -page,
            Some(KeyAction::Top) => isize::MIN,
            Some(KeyAction::Bottom) => isize::MAX,
            Some(KeyAction::Filter) => {
                let words = self.panel.filter.take().map(|filter| filter.words).unwrap_or_default();
                self.panel.filter = Some(Filter { words, writing: true });
                return Vec::new();
            }
            Some(KeyAction::Leave) if self.panel.filter.take().is_some() => {
                self.refilter();
                return Vec::new();
            }
            Some(KeyAction::Leave) => {
                self.focus = Focus::Input;
                return Vec::new();
            }
            Some(KeyAction::Help) => {
                self.overlay = Some(Overlay::help(&self.keymap));
                return Vec::new();
            }
            Some(KeyAction::UndoChange) => return self.ask("/undo", Op::Undo),
            Some(KeyAction::RedoChange) => return self.ask("/redo", Op::Redo),
            Some(action) => return self.act(action),
            None => return Vec::new(),
        };
        let listed = Arc::clone(self.filtered.as_ref().unwrap_or(&self.memory));
        self.panel.move_by(step, &listed);
        Vec::new()
    }

    /// Does something with the selected item, if it is possible.
    fn act(&mut self, action: KeyAction) -> Vec<Action> {
        let deed = self.panel.item(self.listed()).and_then(|item| steering::deed(action, &item));
        let Some(deed) = deed else {
            self.show_hint("not possible here · the line below shows what is");
            return Vec::new();
        };
        if self.demo.is_some() && !matches!(deed.what, What::Look(_)) {
            self.show_hint("a demo is only watched");
            return Vec::new();
        }
        match deed.what {
            What::Ask(typed, op) => self.ask(&typed, op),
            What::Look(subject) => vec![Action::Send(Op::Show(subject))],
            What::Draft(text) => {
                self.begin_edit(text.as_str().into(), None);
                Vec::new()
            }
        }
    }

    fn ask(&mut self, typed: &str, op: Op) -> Vec<Action> {
        if self.demo.is_some() {
            return Vec::new();
        }
        self.queue_or_dispatch(Queued::command(typed, op))
    }

    /// What the keys can do with the selected item: key and word, for the footer.
    pub fn panel_hints(&self) -> Vec<(String, &'static str)> {
        let Some(item) = self.panel.item(self.listed()) else { return Vec::new() };
        let bindings = self.keymap.bindings(Scope::Panel);
        let possible = |bound: &'_ Bound| steering::deed(bound.action, &item);
        let bound = bindings.filter(|bound| !bound.key().is_empty());
        bound.filter_map(|bound| Some((bound.key(), possible(bound)?.word))).collect()
    }

    /// A click selects what is under it and gives the panel the keys.
    pub(super) fn click_panel(&mut self, place: Position) {
        self.focus = Focus::Panel;
        if let Some((_, index)) = self.panel.places.iter().find(|(row, _)| *row == place.y) {
            self.panel.selected = *index;
        }
    }

    /// Items that one page of the panel steps over.
    fn panel_page(&self) -> isize {
        let rows = self.panel_area.map_or(1, |area| usize::from(area.height) / 2);
        rows.max(1).cast_signed()
    }
}
