//! The logs of efforts that begin or go on. Which file it is and what comes next in it is settled once, however often
//! the disk has to be asked: recording is tried again, and must not choose another one then.

use crate::clock;
use crate::memory::{Change, EffortId, Leads, Tier};
use crate::store::{Error, Store, log};

impl Store {
    /// Settles what changes mean for the logs; to be called once, before they are recorded for the first time.
    pub fn prepare(&mut self, changes: &[Change]) {
        if !self.is_kept() {
            return;
        }
        let now = clock::timestamp();
        for change in changes {
            let Some(id) = change.effort() else { continue };
            match change.kind.row().leads {
                Leads::Begins => {
                    self.effort_files_mut().assign(&self.paths, id);
                    self.unopened.push((id.clone(), Vec::new()));
                }
                Leads::GoesOn => {
                    let marker = log::reopen_marker(id, change.turn, &now);
                    self.unopened.push((id.clone(), marker));
                }
                Leads::To(Tier::Expanded) => {
                    self.expanded_at.insert(id.clone(), now.clone());
                }
                Leads::Nowhere
                | Leads::Ends
                | Leads::Back
                | Leads::To(Tier::Active | Tier::Open | Tier::Warm | Tier::Evicted) => {}
            }
        }
    }

    /// Opens the logs that the disk did not give yet, of one effort or of all, and writes the line there with which each
    /// goes on.
    pub(super) fn open_logs(&mut self, only: Option<&EffortId>) -> Result<(), Error> {
        let mut at = 0;
        while let Some((id, marker)) = self.unopened.get(at) {
            if only.is_some_and(|only| only != id) {
                at += 1;
                continue;
            }
            let file = self.effort_files().of(id);
            self.logs.appender(&file, &mut self.problems)?.append(marker)?;
            self.unopened.remove(at);
        }
        Ok(())
    }
}
