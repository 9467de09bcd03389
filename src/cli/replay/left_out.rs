//! Files that are left out: the first of them are named, the others counted.

use std::fmt::Display;
use std::path::Path;

use crate::cli::Streams;
use crate::cli::input::named;
use crate::counted::counted;

/// Files that are left out for one reason and named one by one.
const MOST_NAMED: u64 = 5;

/// How many files are left out for one reason.
#[derive(Debug, Default)]
pub(super) struct LeftOut(u64);

impl LeftOut {
    /// One more, which is named if it is one of the first.
    pub(super) fn name(&mut self, file: &Path, why: impl Display, streams: &mut Streams<'_>) {
        self.0 += 1;
        if self.0 <= MOST_NAMED {
            streams.tell(format_args!("left out {}: {why}", named(file)));
        }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// Says how many were not named, and, as the end of the sentence, why.
    pub(super) fn tell_others(&self, why: &str, streams: &mut Streams<'_>) {
        if self.0 > MOST_NAMED {
            let files = counted(self.0 - MOST_NAMED, "more file");
            streams.tell(format_args!("left out {files}{why}"));
        }
    }
}
