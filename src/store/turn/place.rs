//! A session's directory that was deleted or moved while the session is open: what is written then reaches nobody, unless
//! it is noticed.

use crate::clock;
use crate::counted::counted;
use crate::store::disk::lock::Lock;
use crate::store::disk::place::{Place, Standing};
use crate::store::{Error, Problem, Store, disk};

impl Store {
    /// Makes sure that what is written next is found again. A directory that was deleted is made again, with all that
    /// the program still has of it.
    ///
    /// # Errors
    /// The directory was moved, or another one is in its place; or it cannot be made again.
    pub fn check_place(&mut self) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        match self.place.standing(&self.paths.dir) {
            Standing::Elsewhere => Err(Error::Moved(self.paths.dir.clone())),
            Standing::Here if !self.journal.is_deleted() => Ok(()),
            Standing::Here | Standing::Deleted => self.make_again(),
        }
    }

    fn make_again(&mut self) -> Result<(), Error> {
        let dir = self.paths.dir.clone();
        if self.paths.journal().exists() {
            return Err(Error::Moved(self.paths.journal()));
        }
        disk::create_dir_for_good(&self.paths.efforts()).map_err(Error::write(&dir))?;
        self.place = Place::of(&dir);
        // The one that was held is of a file that is gone.
        self.lock = Lock::take(&dir)?;
        let logs = self.logs.write_again()?;
        self.pending_file.write_again()?;
        let now = clock::timestamp();
        self.session.write(&self.paths, &now)?;
        self.memory_state.write(&self.paths, &self.expanded_at)?;
        self.scratchpad.follow(&self.paths);
        // It is what tells that something is missing, so it comes last; the manifest follows from it.
        self.journal.write_again()?;
        self.progress.set_written(0);
        self.changed_upto = self.journal.len()?;
        self.problems.push(Problem(format!(
            "the files of this session, {}, were deleted while it was open: they were made again from what was open, the \
             journal and {}. Other logs and texts kept by reference are gone: restore them from a copy or the trash",
            dir.display(),
            counted(logs as u64, "log"),
        )));
        Ok(())
    }
}
