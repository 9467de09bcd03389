//! The memory panel's keys: moving, filtering, and doing something with the selected item.

use std::sync::Arc;

use ratatui::layout::Position;

use super::layer::Reach;
use super::{Action, App, Focus, Queued};
use crate::memory::{MemoryView, NoteState, Tier, Turn};
use crate::orchestrator::Op;
use crate::tui::flow::Flow;
use crate::tui::keymap::{Bound, KeyAction, Scope};
use crate::tui::moves::{self, Move};
use crate::tui::panel;
use crate::tui::rows::{Item, Section};
use crate::tui::steering::{self, What};
use crate::tui::words;

/// From this width on the panel is shown beside the chat by itself.
pub(in crate::tui) const WIDE: u16 = 100;

/// Items that are named of those that moved unseen.
const NAMED: usize = 3;

impl App {
    /// Memory as the panel lists it: all of it, or what passes the filter.
    pub fn listed(&self) -> &MemoryView {
        self.filtered.as_deref().unwrap_or(&self.memory)
    }

    /// Takes a new state of memory. Who does several things with an item finds it selected still, wherever it went.
    pub(super) fn relist(&mut self, view: Arc<MemoryView>) {
        let selected = self.panel.item(self.listed()).filter(|_| self.focus == Focus::Panel);
        let selected = selected.map(|item| item.id());
        self.take_memory(view);
        if let Some(id) = selected {
            let listed = self.filtered.as_ref().unwrap_or(&self.memory);
            self.panel.follow(&id, listed);
        }
    }

    /// What changed its tier is marked for a while.
    fn take_memory(&mut self, view: Arc<MemoryView>) {
        if self.look.animations && self.memory.budget.0 > 0 {
            let until = self.now + moves::LASTS;
            let moves = moves::moves(&self.memory, &view, until, |index| {
                // The rows tell places among all items only while no filter is set.
                let places = self.panel.places.iter().filter(|_| self.filtered.is_none());
                places.into_iter().find(|(_, at)| *at == index).map(|(row, _)| *row)
            });
            if self.is_looking_away() {
                self.missed.extend(moves);
                self.memory = view;
                return self.refilter();
            }
            self.panel.moves.retain(|old| !moves.iter().any(|new| new.id == old.id));
            self.panel.moves.extend(moves);
            let flow = Flow::new(&self.memory.layers, &view.layers, self.now);
            self.flow = flow.or(self.flow);
        }
        self.memory = view;
        self.refilter();
    }

    /// Whether something lies over the panel, or it shows the past.
    fn is_looking_away(&self) -> bool {
        self.stack.reach() < Reach::All
    }

    /// Says in one line what moved while something else was looked at.
    pub(super) fn tell_missed(&mut self) {
        if self.missed.is_empty() || self.is_looking_away() {
            return;
        }
        let missed = std::mem::take(&mut self.missed);
        let named = |up: bool, words: &str| {
            let ids: Vec<&str> =
                missed.iter().filter(|one| one.up == up).map(|one| one.id.as_str()).collect();
            let more = ids.len().saturating_sub(NAMED);
            let and = if more > 0 { format!(" and {more} more") } else { String::new() };
            let names = ids.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
            (!ids.is_empty()).then(|| format!("{words} {names}{and}"))
        };
        let told: Vec<String> =
            [named(false, "▼"), named(true, "▲")].into_iter().flatten().collect();
        self.toast(&format!("meanwhile: {}", told.join(" · ")));
    }

    /// Forgets the marks whose time is over.
    pub(super) fn settle_moves(&mut self) {
        let now = self.now;
        self.panel.now = now;
        self.panel.moves.retain(|Move { until, .. }| *until > now);
        self.flow = self.flow.filter(|flow| flow.moves(now));
    }

    pub(super) fn refilter(&mut self) {
        let words = self.panel.filter.words().trim();
        let filtered = (!words.is_empty()).then(|| Arc::new(panel::filtered(&self.memory, words)));
        self.filtered = filtered;
    }

    pub(super) fn panel_key(&mut self, action: KeyAction) -> Vec<Action> {
        // What was said of the key before is over.
        self.hint = None;
        let listed = self.filtered.as_ref().unwrap_or(&self.memory);
        if self.panel.act(action, listed) {
            return Vec::new();
        }
        match action {
            _ if self.panel.filter.act(action) => self.refilter(),
            KeyAction::Leave => self.focus = Focus::Input,
            KeyAction::Show(view) => return self.show(view),
            KeyAction::Earlier => {
                let last = self.memory.turn.0.saturating_sub(1);
                return self.look_back(Some(Turn(last)));
            }
            KeyAction::Explain => self.explain(),
            KeyAction::UndoChange => return self.ask("/undo", Op::Undo),
            KeyAction::RedoChange => return self.ask("/redo", Op::Redo),
            action => return self.act_on_item(action),
        }
        Vec::new()
    }

    /// Says what the words of the selected item mean, as a click on a heading does.
    fn explain(&mut self) {
        let says = match self.panel.item(self.listed()) {
            Some(Item::Effort(item)) => words::of_tier(item.state),
            Some(Item::Note(_)) => words::NOTE,
            Some(Item::Scratch(_)) => words::TEXT,
            None => words::of_section(Section::Working),
        };
        self.toast(says);
    }

    /// Does something with the selected item, if it is possible.
    fn act_on_item(&mut self, action: KeyAction) -> Vec<Action> {
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

    /// The word for what brings the selected item back into the window, if it is out of it.
    pub fn panel_brings_back(&self) -> Option<&'static str> {
        let item = self.panel.item(self.listed())?;
        let is_out = match &item {
            Item::Effort(item) => item.state == Tier::Evicted,
            Item::Note(note) => note.note.state != NoteState::Session,
            Item::Scratch(_) => false,
        };
        steering::deed(KeyAction::Expand, &item).filter(|_| is_out).map(|deed| deed.word)
    }

    /// Whether the panel is on a screen of that width.
    pub(in crate::tui) fn has_panel(&self, width: u16) -> bool {
        // The past is told by the panel, so it is there on a narrow screen as well.
        self.panel_wanted.unwrap_or(width >= WIDE || self.past().is_some())
    }

    /// A panel that goes because the screen has become narrow takes no keys.
    pub(super) fn leave_hidden_panel(&mut self, width: u16) {
        if self.focus == Focus::Panel && !self.has_panel(width) {
            self.focus = Focus::Input;
        }
    }

    /// A click selects what is under it and gives the panel the keys.
    pub(super) fn click_panel(&mut self, place: Position) {
        self.focus = Focus::Panel;
        if !self.panel.items.contains(place) {
            self.asked = Some(place);
            return;
        }
        if let Some((_, section)) = self.panel.headings.iter().find(|(row, _)| *row == place.y) {
            let says = words::of_section(*section);
            return self.toast(says);
        }
        match self.panel.places.iter().find(|(row, _)| *row == place.y) {
            Some((_, index)) => self.panel.place.at = *index,
            None => self.asked = Some(place),
        }
    }
}
