//! What each turn missed, as the journal tells.

use std::collections::BTreeMap;

use crate::memory::{Faults, Turn};
use crate::store::journal;
use crate::store::record::{Line, Record};
use crate::store::{Error, LogReader};

impl LogReader {
    /// What each turn missed that missed something.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn faults(&self) -> Result<BTreeMap<Turn, Faults>, Error> {
        let mut found = BTreeMap::new();
        for record in journal::backwards(&self.paths().journal())? {
            let Record { turn, line, .. } = record?.1;
            if let Line::Turn(line) = line
                && let Some(faults) = line.faults
            {
                // Read backwards: what was counted last of a turn holds.
                found.entry(turn).or_insert(Faults::from_stored(faults));
            }
        }
        Ok(found)
    }
}
