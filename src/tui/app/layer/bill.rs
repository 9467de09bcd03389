//! The bill over the chat: what is known of each turn, and how far it is scrolled.

use std::ops::Range;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Layer, Level, Taken, View};
use crate::orchestrator::{BillView, BilledTurn, Op};
use crate::tui::app::{Action, App};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;
use crate::tui::view::{self, Places};

/// The bill over the chat.
#[derive(Debug, Clone, Default)]
pub struct BillPage {
    /// What each turn took, oldest first; `None` while that is being read.
    turns: Option<Arc<Vec<BilledTurn>>>,
    /// The first line on screen.
    place: Place,
    /// How many lines can be the first one on screen, as last drawn.
    places: usize,
}

impl BillPage {
    /// What each turn took, once that has been read.
    pub fn turns(&self) -> Option<&[BilledTurn]> {
        self.turns.as_ref().map(|turns| turns.as_slice())
    }

    /// The lines, of so many, that are drawn in an area; never beyond the last one.
    pub fn visible(&mut self, lines: usize, area: Rect) -> Range<usize> {
        let rows = usize::from(area.height);
        self.places = lines.saturating_sub(rows) + 1;
        self.place.step(0, self.places);
        self.place.page = rows.saturating_sub(1);
        self.place.at..(self.place.at + rows).min(lines)
    }
}

impl App {
    /// Opens the bill.
    pub(super) fn open_bill(&mut self) -> Vec<Action> {
        if self.session.is_none() {
            self.show_hint("the session is still opening");
            return Vec::new();
        }
        self.stack.put(BillPage::default());
        vec![Action::Send(Op::Bill)]
    }

    /// Something was paid; the turns that are shown are read anew.
    pub(in crate::tui::app) fn take_bill(&mut self, bill: Arc<BillView>) -> Vec<Action> {
        self.bill = Some(bill);
        let is_shown = self.stack.get::<BillPage>().is_some();
        is_shown.then_some(Action::Send(Op::Bill)).into_iter().collect()
    }

    /// What each turn took has been read.
    pub(in crate::tui::app) fn take_billed(&mut self, turns: Arc<Vec<BilledTurn>>) {
        if let Some(page) = self.stack.get_mut::<BillPage>() {
            page.turns = Some(turns);
        }
    }
}

impl Layer for BillPage {
    fn level(&self) -> Level {
        Level::Journal
    }

    fn scope(&self) -> Scope {
        Scope::Overlay
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        Some((&mut self.place, self.places))
    }

    fn act(&mut self, action: KeyAction, _: &mut App) -> Taken {
        match action {
            KeyAction::Show(View::Bill) => Taken::CLOSES,
            _ => Taken::Ignored,
        }
    }

    fn render(&mut self, app: &App, places: &Places, buffer: &mut Buffer) -> Option<Position> {
        view::bill::render(self, app, places, buffer);
        None
    }
}
