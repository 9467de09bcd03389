//! A session that is made beside its place and moved there once it is whole: whatever ends the process before, nobody
//! finds half of one.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::disk::lock::Lock;
use crate::store::disk::temporary::clear_away;
use crate::store::disk::{self, files, hidden};

/// Such a session. It goes when this is dropped, unless it is settled.
#[derive(Debug)]
pub struct Begun {
    target: PathBuf,
    folder: PathBuf,
    session: PathBuf,
    /// As long as it is held nobody clears the folder away.
    _lock: Lock,
}

impl Begun {
    /// Begins one that will stand at `target`, and clears away what killed processes began beside it.
    ///
    /// # Errors
    /// Something is there already, or nothing can be made beside it.
    pub fn at(target: &Path) -> Result<Self, Error> {
        refuse_taken(target)?;
        let root = target.parent().unwrap_or(target);
        clear_left(root);
        let folder = root.join(hidden::name(target));
        files::create_dir(&folder)
            .map_err(|source| Error::Directory { dir: root.to_owned(), source })?;
        let lock = Lock::take(&folder)?;
        Ok(Self {
            target: target.to_owned(),
            session: folder.join(files::name_of(target)),
            folder,
            _lock: lock,
        })
    }

    /// The directory to write it in; whoever begins it makes that.
    pub fn session(&self) -> &Path {
        &self.session
    }

    /// Moves the whole session to its place, which it returns. Another one is never replaced: a rename onto a directory
    /// that holds anything fails.
    ///
    /// # Errors
    /// Something has the name by now, or it cannot be moved.
    pub fn settle(self) -> Result<PathBuf, Error> {
        refuse_taken(&self.target)?;
        fs::rename(&self.session, &self.target).map_err(|source| {
            refuse_taken(&self.target).err().unwrap_or_else(|| Error::write(&self.target)(source))
        })?;
        #[cfg(test)]
        disk::power_cut::moved(&self.session, &self.target);
        Ok(self.target.clone())
    }

    /// Gives the session its place once the disk itself has all of it, however it was written, and its place for good.
    ///
    /// # Errors
    /// As for [`Begun::settle`], or the disk refuses.
    pub fn settle_for_good(self) -> Result<PathBuf, Error> {
        sync_all(&self.session).map_err(Error::write(&self.session))?;
        let settled = self.settle()?;
        disk::sync_names(disk::directory_of(&settled)).map_err(Error::write(&settled))?;
        Ok(settled)
    }
}

/// Asks the disk for all that is below a directory.
fn sync_all(dir: &Path) -> io::Result<()> {
    for item in fs::read_dir(dir)? {
        let item = item?;
        let (kind, path) = (item.file_type()?, item.path());
        if kind.is_dir() {
            sync_all(&path)?;
        } else if kind.is_file() {
            // Some systems ask for what a file holds only through one that may write to it.
            disk::sync_content(&OpenOptions::new().append(true).open(&path)?, &path)?;
        }
    }
    disk::sync_names(dir)
}

impl Drop for Begun {
    fn drop(&mut self) {
        // Best effort: a hidden directory is no session, and the next one that begins clears it away.
        clear_away(&self.folder);
    }
}

fn refuse_taken(target: &Path) -> Result<(), Error> {
    if fs::symlink_metadata(target).is_ok() {
        return Err(Error::Taken(target.to_owned()));
    }
    Ok(())
}

/// Removes what processes began that are no more. Best effort: it is in nobody's way.
fn clear_left(root: &Path) {
    for item in fs::read_dir(root).into_iter().flatten().flatten() {
        let (name, folder) = (item.file_name(), item.path());
        let number = name.to_str().filter(|name| name.starts_with('.'));
        let number =
            number.and_then(|name| name.rsplit_once(hidden::MARK)).map(|(_, number)| number);
        if number.is_none_or(|number| number.parse::<u32>().is_err()) {
            continue;
        }
        // Without a lock in it, it was only just made.
        let lock = folder.join("lock").is_file().then(|| Lock::take(&folder));
        if let Some(Ok(_lock)) = lock {
            let _ = fs::remove_dir_all(&folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(root).unwrap().map(|item| files::name_of(&item.unwrap().path())).collect();
        names.sort();
        names
    }

    #[test]
    fn it_stands_in_its_place_whole_or_not_at_all_and_replaces_nothing() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("past");
        let make = || {
            let begun = Begun::at(&target).unwrap();
            fs::create_dir(begun.session()).unwrap();
            fs::write(begun.session().join("file"), "1").unwrap();
            begun
        };
        drop(make());
        assert_eq!(names(root.path()), [""; 0]);
        assert_eq!(make().settle().unwrap(), target);
        assert_eq!(
            (names(root.path()), names(&target)),
            (vec!["past".into()], vec!["file".into()])
        );
        assert!(matches!(Begun::at(&target), Err(Error::Taken(_))));
        fs::remove_dir_all(&target).unwrap();
        let begun = make();
        fs::create_dir(&target).unwrap();
        assert!(matches!(begun.settle(), Err(Error::Taken(_))));
        assert_eq!((names(root.path()), names(&target)), (vec!["past".into()], vec![]));
        drop(Begun::at(&root.path().join("é".repeat(127))).unwrap());
    }

    #[test]
    fn what_is_settled_for_good_stays_whatever_becomes_of_the_machine() {
        use crate::store::power_cut;
        for for_good in [true, false] {
            let root = tempfile::tempdir().unwrap();
            let watch = power_cut::watch(root.path());
            let begun = Begun::at(&root.path().join("past")).unwrap();
            fs::create_dir_all(begun.session().join("efforts/deep")).unwrap();
            let files = ["file", "efforts/one", "efforts/deep/two"];
            for file in files {
                fs::write(begun.session().join(file), file).unwrap();
            }
            if for_good { begun.settle_for_good() } else { begun.settle() }.unwrap();
            for cut in watch.cut() {
                let is_whole = files.iter().all(|file| {
                    let left = cut.tree.get(&Path::new("past").join(file));
                    left.is_some_and(|left| left == file.as_bytes())
                });
                let expected = for_good || cut.what == power_cut::KILLED;
                assert_eq!(is_whole, expected, "{}", cut.what);
            }
        }
    }

    #[test]
    fn what_killed_processes_began_goes_and_what_others_began_or_named_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let folder = root.path().join(name);
            fs::create_dir_all(folder.join("past")).unwrap();
            fs::write(folder.join("lock"), "1").unwrap();
            folder
        };
        folder(".past.begun-1");
        for own in [".past", "past.begun-2", ".past.begun-x", "past"] {
            folder(own);
        }
        let held = Lock::take(&folder(".past.begun-3")).unwrap();
        drop(Begun::at(&root.path().join("other")));
        drop(held);
        let left = [".past", ".past.begun-3", ".past.begun-x", "past", "past.begun-2"];
        assert_eq!(names(root.path()), left);
    }
}
