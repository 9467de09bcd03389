//! The time machine: a turn as it was.

use std::sync::Arc;

use super::{Level, Listing, Overlay, Taken};
use crate::memory::{MemoryView, Turn};
use crate::orchestrator::{Measured, Op, PastModel, PastTurn};
use crate::tui::app::{Action, App, Phase};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::views::View;

/// What is said of letters that mean nothing here.
pub(in crate::tui::app) const NO_WRITING: &str =
    "nothing is written in the past · {past.cancel} goes back to now";

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

    /// The model that answered in the turn, if it is known.
    pub fn model(&self) -> Option<&PastModel> {
        self.shown.as_ref()?.model.as_ref()
    }

    /// Asks for a turn, or for the last one, unless one is on its way: then this one comes after it.
    fn want(&mut self, turn: Option<Turn>) -> Vec<Action> {
        self.wanted = turn;
        if std::mem::replace(&mut self.waiting, true) {
            return Vec::new();
        }
        vec![Action::Send(Op::LookBack(turn))]
    }

    /// Walks to another turn, if that is what the key does.
    pub(super) fn walk(&mut self, action: KeyAction) -> Option<Vec<Action>> {
        let (first, last) = self.span()?;
        let now = self.turn().0;
        let to = match action {
            KeyAction::Earlier => now.saturating_sub(1),
            KeyAction::Later => now + 1,
            KeyAction::PageUp => now.saturating_sub(PAGE),
            KeyAction::PageDown => now + PAGE,
            KeyAction::Top => first.0,
            KeyAction::Bottom => last.0,
            _ => return None,
        };
        let to = to.clamp(first.0, last.0);
        Some(if to == now { Vec::new() } else { self.want(Some(Turn(to))) })
    }
}

impl App {
    /// The turn of the past that is shown, if one is.
    pub(in crate::tui) fn past(&self) -> Option<&Past> {
        self.stack.get()
    }

    /// What the panel and the gauge show: memory now, or as it was.
    pub(in crate::tui) fn shown_memory(&self) -> &Arc<MemoryView> {
        self.past().and_then(Past::memory).unwrap_or(&self.memory)
    }

    /// The turn that is looked at, else the one under way, else the last one that counted.
    pub(in crate::tui) fn shown_turn(&self) -> Turn {
        let running = match &self.phase {
            Phase::Turn(running) if self.past().is_none() => running.turn,
            _ => None,
        };
        running.unwrap_or(self.shown_memory().turn)
    }

    /// The model that the screen names, what it takes if that is known, and whether it is no language model: the one of
    /// the turn that is looked at, if the journal tells of it.
    pub(in crate::tui) fn shown_model(&self) -> Option<(&str, Option<u64>, bool)> {
        let now = &self.session.as_ref()?.model;
        let then = self.past().and_then(Past::model).filter(|then| then.name != now.name);
        Some(match then {
            Some(then) => (&then.name, then.context_window, then.offline),
            None => (&now.name, now.context_window, now.offline),
        })
    }

    /// The request that the gauge shows.
    pub(in crate::tui) fn shown_request(&self) -> Option<&Measured> {
        match self.past() {
            Some(past) if past.memory().is_some() => past.request(),
            _ => self.request.as_ref(),
        }
    }

    /// Opens the time machine at a turn, or at the last one.
    pub(in crate::tui::app) fn look_back(&mut self, turn: Option<Turn>) -> Vec<Action> {
        if self.session.is_none() {
            self.show_hint("the session is still opening");
            return Vec::new();
        }
        // The journal would lie over it, and a search goes through what came later as well.
        self.stack.close(Level::Journal);
        self.end_find();
        if self.past().is_none() {
            self.stack.put(Past::default());
        }
        self.stack.get_mut::<Past>().map(|past| past.want(turn)).unwrap_or_default()
    }

    /// A turn as it was has come. While the keys went on, the next one is asked for.
    pub(in crate::tui::app) fn past_came(&mut self, turn: &Arc<PastTurn>) -> Vec<Action> {
        let recalled = &self.memory.recalled;
        let is_newest = matches!(self.phase, Phase::Idle) && self.memory.turn == turn.turn;
        let mut turn = Arc::clone(turn);
        if is_newest && !recalled.is_empty() {
            // It has left with the turn, and no journal holds it; the panel tells of it until the next one.
            let recalled = recalled.clone();
            let memory = MemoryView { recalled, ..(*turn.memory).clone() };
            Arc::make_mut(&mut turn).memory = Arc::new(memory);
        }
        let Some(past) = self.stack.get_mut::<Past>() else { return Vec::new() };
        past.waiting = false;
        past.shown = Some(Arc::clone(&turn));
        self.drafts.hand_over(None);
        let wanted = past.wanted.take().filter(|wanted| *wanted != turn.turn);
        let actions = wanted.map(|wanted| past.want(Some(wanted))).unwrap_or_default();
        if let Some(listing) = self.stack.get_mut::<Listing>() {
            listing.inspect_instead(&turn.inspection);
        }
        self.transcript.look_back(turn.turn, &turn.memory);
        actions
    }

    /// Steps to another turn, if one of the past is shown.
    pub(in crate::tui::app) fn walk_past(&mut self, action: KeyAction) -> Vec<Action> {
        let past = self.stack.get_mut::<Past>();
        past.and_then(|past| past.walk(action)).unwrap_or_default()
    }

    /// A turn cannot be shown; the one that is shown stays.
    pub(in crate::tui::app) fn no_past(&mut self, why: &str) {
        if let Some(past) = self.stack.get_mut::<Past>() {
            past.waiting = false;
            past.wanted = None;
            if past.shown.is_none() {
                self.stack.close(Level::Past);
            }
        }
        self.complain(why);
        self.answered(false);
    }
}

impl Overlay for Past {
    fn level(&self) -> Level {
        Level::Past
    }

    fn scope(&self) -> Scope {
        Scope::Past
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match action {
            KeyAction::Cancel => {
                app.transcript.return_to_now();
                // What was said of the past is over with it.
                app.hint = None;
                return Taken::CLOSES;
            }
            KeyAction::Show(View::Inspect) => {
                if let Some(past) = &self.shown {
                    app.stack.put(Listing::inspection(Arc::clone(&past.inspection)));
                }
            }
            KeyAction::Up | KeyAction::Down => {
                let memory = self.memory().unwrap_or(&app.memory);
                app.panel.act(action, memory);
            }
            KeyAction::NextMark | KeyAction::LastMark => {
                if app.chart.compactions.iter().next().is_none() {
                    app.show_hint(NO_WRITING);
                    return Taken::STAYS;
                }
                let later = action == KeyAction::NextMark;
                let Some(turn) = app.chart.compactions.nearest(self.turn(), later) else {
                    app.show_hint("no compaction of another program lies there");
                    return Taken::STAYS;
                };
                return Taken::Stays(self.want(Some(turn)));
            }
            _ => return self.walk(action).map_or(Taken::Ignored, Taken::Stays),
        }
        Taken::STAYS
    }
}
