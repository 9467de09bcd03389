//! What the chart of the window draws, and where it stands.

use crate::bill::Paid;
use crate::tui::compacted::Compactions;
use crate::tui::course::{ChartPlace, Course};

/// The chart of the window, turn by turn.
#[derive(Debug, Default)]
pub(in crate::tui) struct Chart {
    /// How the window went.
    pub(in crate::tui) course: Course,
    /// Where another program compacted it.
    pub(in crate::tui) compactions: Compactions,
    /// What that program paid, where it is known that it compacted.
    pub(in crate::tui) paid_then: Option<Paid>,
    /// Where it was drawn last.
    pub(in crate::tui) place: ChartPlace,
    /// The mouse was pressed on it and moves along it.
    pub(super) ruling: bool,
}
