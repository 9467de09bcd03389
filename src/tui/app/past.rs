//! The time machine and the journal: looking at what was. Nothing here changes anything but undo and redo.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, App, Queued};
use crate::memory::{MemoryView, Turn};
use crate::orchestrator::{JournalEntry, Measured, Op, PastTurn};
use crate::tui::journal::JournalView;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::overlay::Overlay;

/// Turns that one page steps over.
const PAGE: u64 = 10;

/// A turn of the past that is shown, or asked for.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The turn that is shown.
    shown: Option<Arc<PastTurn>>,
    /// The turn that is wanted, if it is not the one shown.
    wanted: Option<Turn>,
    /// A turn was asked for and has not come yet.
    waiting: bool,
}

impl Past {
    /// The turn that is shown, or will be.
    pub fn turn(&self) -> Turn {
        let shown = self.shown.as_ref().map(|past| past.turn);
        self.wanted.or(shown).unwrap_or_default()
    }

    /// The first and the last turn that can be shown, once known.
    pub fn span(&self) -> Option<(Turn, Turn)> {
        self.shown.as_ref().map(|past| past.span)
    }

    /// `Turn 12 of 40, as it was`.
    pub fn title(&self) -> String {
        match &self.shown {
            Some(past) => format!("Turn {} of {}, as it was", past.turn, past.span.1),
            None => "The past".to_owned(),
        }
    }

    /// For the status line: `turn 12 of 40, as it was`.
    pub fn state(&self) -> String {
        let title = self.title();
        let mut letters = title.chars();
        letters.next().map_or_else(String::new, |t| t.to_lowercase().chain(letters).collect())
    }

    /// Memory as it was, once known.
    pub fn memory(&self) -> Option<&Arc<MemoryView>> {
        self.shown.as_ref().map(|past| &past.memory)
    }

    /// The last request of the turn, if it is known.
    pub fn request(&self) -> Option<&Measured> {
        self.shown.as_ref()?.request.as_ref()
    }
}

impl App {
    /// What the panel and the gauge show: memory now, or as it was.
    pub(in crate::tui) fn shown_memory(&self) -> &Arc<MemoryView> {
        self.past.as_ref().and_then(Past::memory).unwrap_or(&self.memory)
    }

    /// The request that the gauge shows.
    pub(in crate::tui) fn shown_request(&self) -> Option<&Measured> {
        match &self.past {
            Some(past) if past.memory().is_some() => past.request(),
            _ => self.request.as_ref(),
        }
    }

    /// Opens the time machine at a turn, or at the last one.
    pub(super) fn look_back(&mut self, turn: Option<Turn>) -> Vec<Action> {
        if self.session.is_none() {
            self.show_hint("the session is still opening");
            return Vec::new();
        }
        // A search goes through all of the conversation, also through what came later.
        self.chat.finding = None;
        self.transcript.end_find();
        let past = self.past.get_or_insert_default();
        past.wanted = turn;
        if std::mem::replace(&mut past.waiting, true) {
            return Vec::new();
        }
        vec![Action::Send(Op::LookBack(turn))]
    }

    /// A turn as it was has come. While the keys went on, the next one is asked for.
    pub(super) fn past_came(&mut self, turn: Arc<PastTurn>) -> Vec<Action> {
        let Some(past) = &mut self.past else { return Vec::new() };
        past.waiting = false;
        if past.wanted == Some(turn.turn) {
            past.wanted = None;
        }
        if self.overlay.as_ref().is_some_and(Overlay::is_inspection) {
            let mut overlay = Overlay::inspection(Arc::clone(&turn.inspection));
            if let Some(old) = &self.overlay {
                overlay.scroll_as(old);
            }
            self.overlay = Some(overlay);
        }
        self.transcript.look_back(turn.turn, &turn.memory);
        past.shown = Some(turn);
        match past.wanted {
            Some(wanted) => {
                past.waiting = true;
                vec![Action::Send(Op::LookBack(Some(wanted)))]
            }
            None => Vec::new(),
        }
    }

    /// A turn cannot be shown; the one that is shown stays.
    pub(super) fn no_past(&mut self, why: &str) {
        if let Some(past) = &mut self.past {
            past.waiting = false;
            past.wanted = None;
            if past.shown.is_none() {
                self.past = None;
            }
        }
        self.complain(why);
    }

    pub(super) fn past_key(&mut self, action: Option<KeyAction>) -> Vec<Action> {
        match action {
            Some(KeyAction::Cancel) => {
                self.past = None;
                self.transcript.return_to_now();
            }
            Some(KeyAction::Inspect) => {
                let shown = self.past.as_ref().and_then(|past| past.shown.as_ref());
                let inspection = shown.map(|past| Arc::clone(&past.inspection));
                self.overlay = inspection.map(Overlay::inspection);
            }
            Some(KeyAction::Up) => self.move_in_panel(-1),
            Some(KeyAction::Down) => self.move_in_panel(1),
            Some(KeyAction::Help) => self.overlay = Some(Overlay::help(&self.keymap)),
            Some(action) => return self.walk(action),
            None => {}
        }
        Vec::new()
    }

    /// Walks to another turn, if that is what the key does.
    pub(super) fn walk(&mut self, action: KeyAction) -> Vec<Action> {
        let Some(past) = &self.past else { return Vec::new() };
        let Some((first, last)) = past.span() else { return Vec::new() };
        let now = past.turn().0;
        let to = match action {
            KeyAction::Earlier => now.saturating_sub(1),
            KeyAction::Later => now + 1,
            KeyAction::PageUp => now.saturating_sub(PAGE),
            KeyAction::PageDown => now + PAGE,
            KeyAction::Top => first.0,
            KeyAction::Bottom => last.0,
            _ => return Vec::new(),
        };
        let to = to.clamp(first.0, last.0);
        if to == now { Vec::new() } else { self.look_back(Some(Turn(to))) }
    }

    fn move_in_panel(&mut self, steps: isize) {
        let memory = Arc::clone(self.shown_memory());
        self.panel.move_by(steps, &memory);
    }

    /// Opens the journal.
    pub(super) fn open_journal(&mut self) -> Vec<Action> {
        if self.session.is_none() {
            self.show_hint("the session is still opening");
            return Vec::new();
        }
        self.journal = Some(JournalView::default());
        vec![Action::Send(Op::Journal)]
    }

    /// The changes have come.
    pub(super) fn journal_came(&mut self, entries: Arc<Vec<JournalEntry>>) {
        if let Some(journal) = &mut self.journal {
            journal.fill(entries);
        }
    }

    pub(super) fn journal_key(&mut self, action: Option<KeyAction>, key: KeyEvent) -> Vec<Action> {
        let Some(journal) = &mut self.journal else { return Vec::new() };
        if journal.filter().1 {
            let plain = !key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
            match (self.keymap.lookup(Scope::Dialog, &key), key.code) {
                (Some(KeyAction::Accept), _) => journal.stop_typing(),
                (Some(KeyAction::Cancel), _) => drop(journal.clear_filter()),
                (_, KeyCode::Backspace) => journal.type_letter(None),
                (_, KeyCode::Char(letter)) if plain => journal.type_letter(Some(letter)),
                _ => {}
            }
            return Vec::new();
        }
        match action {
            Some(KeyAction::Cancel) if !journal.clear_filter() => self.journal = None,
            Some(KeyAction::Up) => journal.move_by(-1),
            Some(KeyAction::Down) => journal.move_by(1),
            Some(KeyAction::PageUp) => journal.move_by(-journal.page()),
            Some(KeyAction::PageDown) => journal.move_by(journal.page()),
            Some(KeyAction::Top) => journal.move_by(isize::MIN),
            Some(KeyAction::Bottom) => journal.move_by(isize::MAX),
            Some(KeyAction::Filter) => journal.start_typing(),
            Some(KeyAction::Open) => {
                if let Some(turn) = journal.turn() {
                    self.journal = None;
                    return self.look_back(Some(turn));
                }
            }
            Some(KeyAction::UndoChange) => return self.step_and_read("/undo", Op::Undo),
            Some(KeyAction::RedoChange) => return self.step_and_read("/redo", Op::Redo),
            Some(KeyAction::Help) => self.overlay = Some(Overlay::help(&self.keymap)),
            _ => {}
        }
        Vec::new()
    }

    /// Undoes or redoes, then reads the journal anew.
    fn step_and_read(&mut self, typed: &str, op: Op) -> Vec<Action> {
        if self.demo.is_some() {
            self.show_hint("a demo is only watched");
            return Vec::new();
        }
        let mut actions = self.queue_or_dispatch(Queued::command(typed, op));
        actions.push(Action::Send(Op::Journal));
        actions
    }
}
