//! Which end of the ambient log was in the window: where a tide stands is told by the journal, turn by turn.

use std::cell::Cell;

use crate::store::Error;
use crate::store::disk::paths::Paths;
use crate::store::journal;
use crate::store::record::{Line, Moment, Record};

/// Messages of the ambient log that were in the window, and at least so many exchanges. A turn that was counted
/// without its sums, because the program was killed, added an exchange to what the line before tells.
pub(super) fn held(paths: &Paths, ambient_window: usize) -> Result<usize, Error> {
    let untold = Cell::new(0_u64);
    let tells = |record: Record| {
        let told = told(&record.line);
        if told.is_none() && matches!(&record.line, Line::Turn(line) if line.log.is_none()) {
            untold.set(untold.get() + 2);
        }
        told
    };
    let told = journal::find_last(&paths.journal(), tells)?.unwrap_or(0);
    let held = usize::try_from(told.saturating_add(untold.get())).unwrap_or(usize::MAX);
    Ok(held.max(ambient_window.saturating_mul(2)))
}

/// Ambient messages in the window after a line, if it tells.
fn told(line: &Line) -> Option<u64> {
    let of_moment = |moment: &Moment| moment.metrics().map(|_| moment.ambient);
    match line {
        Line::Turn(line) => of_moment(line.moment.as_ref()?),
        Line::Moment(moment) => of_moment(moment),
        Line::Opened(opened) => of_moment(&opened.state.as_ref()?.moment),
        Line::Change(line) => line.ambient,
        _ => None,
    }
}
