//! Reading the transcript further back than was read at the start, beside whatever else happens.

use std::sync::{Arc, Mutex};

use super::notice::{Notice, Notices};
use crate::lock::locked;
use crate::store::{Cursor, LogReader};

/// Entries that one reading brings.
const ENTRIES: usize = 500;

/// How far back the transcript has been read.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    /// `None` when nothing comes before.
    cursor: Arc<Mutex<Option<Cursor>>>,
}

impl Earlier {
    /// What was read at the start goes on backwards from here.
    pub(super) fn new(cursor: Option<Cursor>) -> Self {
        Self { cursor: Arc::new(Mutex::new(cursor)) }
    }

    /// Reads what comes before the oldest entry that was read; answered by [`Notice::Earlier`].
    pub(super) fn read(&self, reader: LogReader, notices: &Notices) {
        let (cursor, notices) = (Arc::clone(&self.cursor), notices.clone());
        tokio::task::spawn_blocking(move || {
            // Held until all of the page is told: no later one overtakes it.
            let mut cursor = locked(&cursor);
            for notice in page(&mut cursor, &reader) {
                notices.tell(notice);
            }
        });
    }
}

/// The next page; if it cannot be read the cursor stays, so that it can be tried again.
fn page(cursor: &mut Option<Cursor>, reader: &LogReader) -> Vec<Notice> {
    let Some(before) = cursor.as_ref() else {
        return vec![Notice::Earlier { entries: Vec::new(), more: false }];
    };
    match reader.transcript_before(Some(before), ENTRIES) {
        Ok(page) => {
            let told = LogReader::told_of(&page).map(|problem| Notice::Info(problem.0));
            *cursor = page.earlier;
            let read = Notice::Earlier { entries: page.entries, more: cursor.is_some() };
            told.into_iter().chain([read]).collect()
        }
        Err(error) => {
            let what = format!("earlier messages could not be read: {error}");
            let advice =
                "They are still in the session's files. Begin the chat again to try once more.";
            vec![
                Notice::problem(what, advice),
                Notice::Earlier { entries: Vec::new(), more: false },
            ]
        }
    }
}
