//! What the journal knows better than the manifest: its newer lines taken in.

use std::path::Path;

use super::Manifest;
use crate::store::Error;
use crate::store::journal;
use crate::store::record::{Told, text};

/// What replaying a part of the journal came to.
#[derive(Debug, Default)]
pub(crate) struct Replayed {
    /// Some line told which effort is active.
    pub(crate) names_active: bool,
    /// The effort that the last such line named.
    pub(crate) active: Option<String>,
    /// Lines that could not be read.
    pub(crate) invalid: usize,
    /// The position behind the last line.
    pub(crate) end: u64,
}

/// Takes the journal from a position on into the manifest.
pub(crate) fn replay(
    path: &Path,
    from: u64,
    upto: Option<u64>,
    manifest: &mut Manifest,
) -> Result<Replayed, Error> {
    let mut replayed = Replayed::default();
    let read = journal::told(path, from, upto, |told| {
        if let Some(active) = &told.active {
            replayed.names_active = true;
            replayed.active = text(active);
        }
        apply(told, manifest);
    })?;
    Ok(Replayed { invalid: read.invalid, end: read.end, ..replayed })
}

/// Takes what a line says about efforts into the manifest.
fn apply(told: Told, manifest: &mut Manifest) {
    let entries = told.entry.into_iter().chain(told.entries);
    entries.for_each(|entry| manifest.upsert(entry));
    for (id, mention) in told.mentioned.0 {
        if let Some(entry) = manifest.get_mut(&id) {
            entry.last_referenced_turn = Some(mention.turn.unwrap_or(told.turn));
            entry.cause = mention.cause;
        }
    }
}
