//! The bill over the chat: what is known of each turn, and how far it is scrolled.

use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::Rect;

use super::{Level, Overlay, Taken};
use crate::orchestrator::{BillView, BilledTurn, Op};
use crate::tui::app::{Action, App};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;
use crate::tui::views::View;

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

/// Turns whose costs are kept for what is read back.
const KEPT: usize = 1_000;

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

    /// Something was paid: what is shown of it goes on.
    pub(in crate::tui::app) fn take_bill(&mut self, bill: Arc<BillView>) {
        self.bill = Some(bill);
        self.go_on_with_bill();
    }

    /// What each turn took has been read.
    pub(in crate::tui::app) fn take_billed(&mut self, turns: Arc<Vec<BilledTurn>>) {
        if self.billed.is_empty() {
            self.billed = turns[turns.len().saturating_sub(KEPT)..].into();
            self.tell_costs();
        }
        if let Some(page) = self.stack.get_mut::<BillPage>() {
            page.turns = Some(turns);
            // A turn may have ended since.
            self.go_on_with_bill();
        }
    }

    fn go_on_with_bill(&mut self) {
        let last = self.bill.as_ref().and_then(|bill| bill.last);
        let page = self.stack.get_mut::<BillPage>();
        let turns = page.and_then(|page| page.turns.as_mut());
        if let Some((last, turns)) = last.zip(turns) {
            let turns = Arc::make_mut(turns);
            turns.truncate(turns.partition_point(|turn| turn.turn < last.turn));
            turns.push(last);
        }
    }
}

impl Overlay for BillPage {
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
}
