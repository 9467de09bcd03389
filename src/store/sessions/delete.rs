//! A session that goes for good: it is renamed aside first, so that nobody ever finds half of one.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::disk::lock::Lock;
use crate::store::disk::{self, files};
use crate::store::open::look;

/// How the hidden name of a deleted session begins; the numbers of the process and of the deletion follow. The session's own
/// name may be as long as a name can be, so it is no part of it.
const MARK: &str = ".deleted-";

/// A session that is to be deleted. Its lock is held, so that nobody opens it before it goes.
#[derive(Debug)]
pub struct Deletion {
    dir: PathBuf,
    _lock: Lock,
}

/// Whether a session may be deleted; nothing is written to find out.
///
/// # Errors
/// It is none, it is a link to somewhere else, or somebody has it open.
pub fn check_deletable(dir: &Path) -> Result<(), Error> {
    if dir.is_symlink() {
        return Err(Error::IsLink(dir.to_owned()));
    }
    if !look::is_session(dir) {
        return Err(Error::NoSession(dir.to_owned()));
    }
    if Lock::is_held(dir) {
        return Lock::take(dir).map(drop);
    }
    Ok(())
}

impl Deletion {
    /// Takes hold of a session; nothing of it has gone yet.
    ///
    /// # Errors
    /// As for [`check_deletable`], or its lock cannot be taken.
    pub fn of(dir: &Path) -> Result<Self, Error> {
        check_deletable(dir)?;
        Ok(Self { dir: dir.to_owned(), _lock: Lock::take(dir)? })
    }

    /// Deletes it, and what earlier deletions could not remove.
    ///
    /// # Errors
    /// It cannot be renamed, then it is as it was; or not all of its files could be removed, then no list shows it any more.
    pub fn carry_out(self) -> Result<(), Error> {
        let root = disk::directory_of(&self.dir);
        let aside = self.move_aside(root)?;
        clear_deleted(root, &aside);
        match remove(&aside) {
            Ok(()) => Ok(()),
            Err(source) => {
                Err(Error::LeftOver { name: files::name_of(&self.dir), path: aside, source })
            }
        }
    }

    fn move_aside(&self, root: &Path) -> Result<PathBuf, Error> {
        let name = |number: u32| root.join(format!("{MARK}{}-{number}", std::process::id()));
        let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err();
        let aside = (1..u32::MAX).map(name).find(is_free).unwrap_or_else(|| name(0));
        fs::rename(&self.dir, &aside).map_err(Error::write(&self.dir))?;
        // A cut of power must not bring back the old name once the first file is gone.
        disk::sync_names(root).map_err(|source| {
            let _ = fs::rename(&aside, &self.dir);
            Error::write(&self.dir)(source)
        })?;
        Ok(aside)
    }
}

/// Removes what deletions set aside and could not remove. Best effort: it is in nobody's way.
pub fn clear_deletions(root: &Path) {
    clear_deleted(root, Path::new(""));
}

fn clear_deleted(root: &Path, but: &Path) {
    for item in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = item.path();
        let is_folder = item.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && path != but && is_deleted(&files::name_of(&path)) {
            let _ = remove(&path);
        }
    }
}

fn is_deleted(name: &str) -> bool {
    let numbers = name.strip_prefix(MARK).and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(process, number)| {
        [process, number].iter().all(|number| number.parse::<u32>().is_ok())
    })
}

/// Removes a directory with all that is in it; what a link in it leads to stays. Whoever else removes it meanwhile helps.
fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::refused::{Deed, refuse};
    use crate::store::{Setup, bytes_of, create, sessions};

    fn session(root: &Path, name: &str) -> PathBuf {
        let dir = root.join(name);
        create(&dir, &Setup::default()).unwrap();
        dir
    }

    fn names(root: &Path) -> Vec<String> {
        let items = fs::read_dir(root).unwrap().map(|item| files::name_of(&item.unwrap().path()));
        let mut names: Vec<String> = items.collect();
        names.sort();
        names
    }

    #[test]
    fn a_session_goes_whole_and_what_links_in_it_lead_to_stays() {
        let root = tempfile::tempdir().unwrap();
        let other = root.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("file"), "x").unwrap();
        let dir = session(root.path(), "one");
        let before = bytes_of(&dir);
        fs::write(dir.join("more"), "12345").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&other, dir.join("efforts/link")).unwrap();
        assert_eq!(bytes_of(&dir), before + 5);
        Deletion::of(&dir).unwrap().carry_out().unwrap();
        assert_eq!(
            (names(root.path()), names(&other)),
            (vec!["other".into()], vec!["file".into()])
        );
    }

    #[test]
    fn what_is_open_a_link_or_no_session_is_refused_and_stays() {
        let root = tempfile::tempdir().unwrap();
        let dir = session(root.path(), "one");
        let held = Lock::take(&dir).unwrap();
        assert!(matches!(check_deletable(&dir), Err(Error::InUse { .. })));
        assert!(matches!(Deletion::of(&dir), Err(Error::InUse { .. })));
        drop(held);
        check_deletable(&dir).unwrap();
        #[cfg(unix)]
        {
            let link = root.path().join("link");
            std::os::unix::fs::symlink(&dir, &link).unwrap();
            assert!(matches!(Deletion::of(&link), Err(Error::IsLink(_))));
            fs::remove_file(link).unwrap();
        }
        assert!(matches!(Deletion::of(root.path()), Err(Error::NoSession(_))));
        assert_eq!(names(root.path()), ["one"]);
    }

    #[test]
    fn what_a_killed_deletion_left_is_in_no_list_and_goes_with_the_next() {
        let root = tempfile::tempdir().unwrap();
        for name in [".deleted-1-1", ".deleted-1-x", ".deleted-1", ".kept"] {
            session(root.path(), name);
        }
        assert!(sessions(root.path()).is_empty());
        clear_deletions(root.path());
        assert_eq!(names(root.path()), [".deleted-1", ".deleted-1-x", ".kept"]);
        session(root.path(), ".deleted-2-1");
        let dir = session(root.path(), "one");
        Deletion::of(&dir).unwrap().carry_out().unwrap();
        assert_eq!(names(root.path()), [".deleted-1", ".deleted-1-x", ".kept"]);
    }

    #[test]
    fn no_file_goes_before_the_disk_has_the_new_name() {
        let root = tempfile::tempdir().unwrap();
        let dir = session(root.path(), "one");
        let whole = names(&dir);
        refuse(root.path(), Deed::Sync, 1);
        let refused = Deletion::of(&dir).unwrap().carry_out();
        assert!(matches!(refused, Err(Error::Write { .. })), "{refused:?}");
        assert_eq!((names(root.path()), names(&dir)), (vec!["one".into()], whole));
        Deletion::of(&dir).unwrap().carry_out().unwrap();
        assert_eq!(names(root.path()), [""; 0]);
    }
}
