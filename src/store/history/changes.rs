//! What memory did to one item, read from the end of the journal.

use crate::memory::{Change, Subject};
use crate::store::journal;
use crate::store::record::{Line, Record};
use crate::store::{Error, Store};

/// Bytes of the journal that are looked at, so that a long session answers at once.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// One change of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastChange {
    /// What happened.
    pub change: Change,
    /// When, as a time stamp.
    pub at: String,
    /// The summary that the item had from then on, if the change gave it one.
    pub summary: Option<String>,
}

impl Store {
    /// The latest changes of an effort or a note, at most so many, newest first, and whether the journal was
    /// read to its beginning or until there were enough.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn changes_of(
        &self,
        subject: &Subject,
        most: usize,
    ) -> Result<(Vec<PastChange>, bool), Error> {
        let (word, mut found, mut upto) = (subject.to_string(), Vec::new(), None);
        for record in journal::backwards(&self.paths.journal())? {
            let (start, record) = record?;
            let end = *upto.get_or_insert(start);
            if end - start > MOST_BYTES || found.len() >= most {
                return Ok((found, false));
            }
            let Record { turn, at, line: Line::Change(line), .. } = record else { continue };
            if line.id == word && line.subject() == *subject {
                let entry = line.entry.as_ref();
                let summary = entry.and_then(|entry| entry.get("summary")?.as_str());
                let summary = summary.map(str::to_owned);
                found.push(PastChange { change: line.change(turn), at, summary });
            }
        }
        Ok((found, true))
    }
}
