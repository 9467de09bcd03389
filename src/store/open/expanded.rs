//! What was expanded when a session was closed, or when the program was ended by force.

use std::collections::BTreeSet;
use std::path::Path;

use crate::memory::{EffortId, Leads, Tier};
use crate::store::Error;
use crate::store::journal;
use crate::store::record::Line;
use crate::store::turn::state::MemoryState;

/// The efforts whose logs were in the window last, oldest expansion first. `memory_state.json` tells of the end of a turn,
/// the journal what happened since then or since the session was opened, with none of them expanded; so no more is read
/// than that.
pub(super) fn left(journal: &Path, state: &MemoryState) -> Result<Vec<EffortId>, Error> {
    let (mut settled, mut newest_first) = (BTreeSet::new(), Vec::new());
    let mut before = state.expanded.as_slice();
    for record in journal::backwards(journal)? {
        let (_, record) = record?;
        let turn = record.turn;
        match record.line {
            Line::Opened(_) => {
                before = &[];
                break;
            }
            Line::Turn(_) if state.turn.is_some_and(|told| turn <= told) => break,
            Line::Change(line) => {
                let change = line.change(turn);
                let leads = change.kind.row().leads;
                // A pin brings nothing back that is in the window already.
                let Some(tier) = leads.tier().filter(|_| leads != Leads::Back) else { continue };
                let Some(id) = change.effort().filter(|&id| settled.insert(id.clone())) else {
                    continue;
                };
                newest_first.extend((tier == Tier::Expanded).then(|| id.clone()));
            }
            _ => {}
        }
    }
    let before = before.iter().filter(|&id| !settled.contains(id));
    Ok(before.cloned().chain(newest_first.into_iter().rev()).collect())
}
