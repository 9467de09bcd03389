//! Which end of the ambient log was in the window: where a tide stands is told by the journal, turn by turn.

use std::cell::Cell;

use crate::store::Error;
use crate::store::disk::paths::Paths;
use crate::store::journal;
use crate::store::record::{Line, Moment, Record};

/// Messages of the ambient log that were in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Held {
    /// All of them, at least.
    pub(super) messages: usize,
    /// The newest of them, which are of turns that were counted without their sums, because the program was killed.
    pub(super) uncounted: usize,
}

/// How many were in the window; where nothing tells, so many exchanges. A turn that was counted without its sums added an
/// exchange to what the line before tells.
pub(super) fn held(paths: &Paths, ambient_window: usize) -> Result<Held, Error> {
    let untold = Cell::new(0_u64);
    let tells = |record: Record| {
        let told = told(&record.line);
        if told.is_none() && matches!(&record.line, Line::Turn(line) if line.log.is_none()) {
            untold.set(untold.get() + 2);
        }
        told
    };
    let told = journal::find_last(&paths.journal(), tells)?;
    let whole = |messages: u64| usize::try_from(messages).unwrap_or(usize::MAX);
    let uncounted = whole(untold.get());
    // A line that tells of none says no more than that it knew of none.
    let messages = match told.filter(|&told| told > 0) {
        Some(told) => whole(told).saturating_add(uncounted),
        None => uncounted.max(ambient_window.saturating_mul(2)),
    };
    Ok(Held { messages, uncounted })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tide_that_left_fewer_exchanges_than_usually_stay_is_held_as_it_was() {
        let moment = |ambient| {
            format!(
                r#"{{"turn":3,"kind":"turn","log":null,"ambient":{ambient},"metrics":[0,0,0,0,0,0]}}"#
            )
        };
        let tide =
            r#"{"turn":4,"kind":"tide","id":"ambient","cause":"tide","ambient":6}"#.to_owned();
        let uncounted = r#"{"turn":4,"kind":"turn","log":null}"#.to_owned();
        for (lines, expected) in [
            (vec![moment(6)], 6),
            (vec![moment(30)], 30),
            (vec![moment(12), tide.clone()], 6),
            (vec![moment(12), tide, uncounted], 8),
            (vec![moment(0)], 20),
            (Vec::new(), 20),
        ] {
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join("journal.jsonl"), lines.join("\n") + "\n").unwrap();
            let found = held(&Paths::to_look_at(dir.path()), 10).unwrap();
            assert_eq!(found.messages, expected, "{lines:?}");
            assert_eq!(found.uncounted, if expected == 8 { 2 } else { 0 }, "{lines:?}");
        }
    }
}
