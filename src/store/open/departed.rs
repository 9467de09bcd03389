//! In which order the summaries left the window that are out of it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::memory::{EffortId, Tier};
use crate::store::Error;
use crate::store::journal;
use crate::store::record::{Line, Opened};

/// Lines of the journal that are read for it, so that the longest day opens at once. Of what left before them the last
/// mention tells the order.
const MOST_LINES: usize = 4_000;

/// Evicted efforts that are looked for; a view lists no more.
const MOST: usize = 200;

/// The efforts that left the window last and are still out of it, the latest last. The journal is read from its end to
/// where the session was opened before, which tells the list of that moment.
pub(super) fn lately(journal: &Path) -> Result<Vec<EffortId>, Error> {
    let (mut settled, mut newest_first) = (BTreeSet::new(), Vec::new());
    for record in journal::backwards(journal)?.take(MOST_LINES) {
        let record = record?.1;
        match record.line {
            Line::Opened(Opened { state: Some(state) }) => {
                let before =
                    state.evicted.iter().rev().map(|held| EffortId::stored(&held.entry.id));
                newest_first.extend(before.filter(|id| !settled.contains(id)));
                break;
            }
            Line::Change(line) => {
                let change = line.change(record.turn);
                let Some(tier) = change.kind.row().leads.tier() else { continue };
                let Some(id) = change.effort().filter(|&id| settled.insert(id.clone())) else {
                    continue;
                };
                newest_first.extend((tier == Tier::Evicted).then(|| id.clone()));
            }
            _ => {}
        }
        if newest_first.len() >= MOST {
            break;
        }
    }
    newest_first.truncate(MOST);
    newest_first.reverse();
    Ok(newest_first)
}
