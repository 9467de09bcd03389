//! What was expanded when a session was closed, or when the program was ended by force, or is so while a chat goes on.

use std::collections::BTreeSet;
use std::path::Path;

use crate::memory::{EffortId, Forms, Leads, Piece, RestoredExpansion, Tier};
use crate::store::Error;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::manifest::{Manifest, block};
use crate::store::record::{Line, Record};
use crate::store::turn::state::MemoryState;
use crate::store::{journal, log};

/// The efforts whose logs were in the window last, oldest expansion first.
#[derive(Debug, Default)]
struct Last {
    /// Those that were so at the end of the last turn.
    before: Vec<EffortId>,
    /// Those that came since.
    since: Vec<EffortId>,
}

/// The efforts whose logs were in the window last, oldest expansion first.
pub(super) fn left(journal: &Path, state: &MemoryState) -> Result<Vec<EffortId>, Error> {
    let Last { mut before, since } = last(journal, state)?;
    before.extend(since);
    Ok(before)
}

/// The logs that a chat which goes on elsewhere has expanded, where they stand in its window.
pub(super) fn held(
    paths: &Paths,
    files: &EffortFiles,
    state: &MemoryState,
    manifest: &Manifest,
) -> Result<Vec<RestoredExpansion>, Error> {
    let Last { before, since } = last(&paths.journal(), state)?;
    let forms = if before.is_empty() { None } else { resting(&paths.journal())? };
    let anchors = forms.unwrap_or_default().anchors;
    let anchored = |id: &EffortId| anchors.iter().find(|(anchored, ..)| anchored == id);
    // What stands behind all that was said outside efforts has no anchor that is written down.
    let place =
        |id: &EffortId| anchored(id).map_or((None, 0), |(_, log, later)| (log.clone(), *later));
    let before = before.into_iter().map(|id| (Some(place(&id)), id));
    let since = since.into_iter().map(|id| (None, id));
    let mut held = Vec::new();
    for (place, id) in before.chain(since) {
        // That one cannot be read is told by the chat, which has it.
        let Ok(path) = paths.inside(&files.of(&id)) else { continue };
        let (raw, _) = log::read(&path)?;
        let left_out = manifest.get(id.as_str()).map_or(&[][..], |entry| &entry.compressed);
        let blocks = block::read(&id, left_out, raw.len() as u64);
        held.push(RestoredExpansion { id, raw: log::plain(raw), place, blocks });
    }
    Ok(held)
}

/// In which form the window was sent as it rested after the last turn.
fn resting(journal: &Path) -> Result<Option<Forms<Piece>>, Error> {
    let forms = |record: Record| match record.line {
        Line::Turn(line) => Some(line.moment.and_then(|moment| moment.forms)),
        Line::Moment(moment) => Some(moment.forms),
        _ => None,
    };
    let stored = journal::find_last(journal, forms)?.flatten();
    Ok(stored.as_ref().map(Forms::from))
}

/// `memory_state.json` tells of the end of a turn, the journal what happened since then or since the session was opened, with
/// none of them expanded; so no more is read than that.
fn last(journal: &Path, state: &MemoryState) -> Result<Last, Error> {
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
    let before = before.iter().filter(|&id| !settled.contains(id)).cloned().collect();
    newest_first.reverse();
    Ok(Last { before, since: newest_first })
}
