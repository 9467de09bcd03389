//! New files that the program writes for people: whole under their names, or not there at all, and never in place of
//! another.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::files::private;
use super::hidden;
use super::temporary::is_alive;
use crate::store::disk;

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Its owner alone, as what was said.
    Owner,
    /// Whoever the system lets.
    Usual,
}

/// A file that is written under a hidden name beside its place, as `.NAME.begun-PID`. It goes when this is dropped, unless
/// it is published.
#[derive(Debug)]
pub struct NewFile {
    target: PathBuf,
    hidden: PathBuf,
    /// Holds a lock, so that nobody clears it away.
    file: File,
}

impl NewFile {
    /// Begins a file, and clears away what killed processes began under its name.
    ///
    /// # Errors
    /// The name is taken, or nothing can be made beside it.
    pub fn begin(target: &Path, readers: Readers) -> io::Result<Self> {
        // Also a link that leads nowhere, a pipe or a device.
        if fs::symlink_metadata(target).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        clear_left(target);
        let hidden = target.with_file_name(hidden::name(target));
        let mut options = match readers {
            Readers::Owner => private(),
            Readers::Usual => OpenOptions::new(),
        };
        let made = options.write(true).create_new(true).open(&hidden);
        let file = made.map_err(|reason| match reason.kind() {
            // The name itself is free.
            io::ErrorKind::AlreadyExists => io::ErrorKind::ResourceBusy.into(),
            _ => reason,
        })?;
        #[cfg(test)]
        disk::power_cut::created(&file, &hidden);
        // Where there are no locks, the process that is alive protects it.
        let _ = file.try_lock();
        Ok(Self { target: target.to_owned(), hidden, file })
    }

    /// Another handle of what is written.
    ///
    /// # Errors
    /// The system has none left.
    pub fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Gives the file its name, once the disk has what is in it. Whatever has the name by now stays.
    ///
    /// # Errors
    /// The name is taken, or the disk refuses; nothing is left then.
    pub fn publish(self) -> io::Result<()> {
        disk::sync_content(&self.file, &self.hidden)?;
        put(&self.hidden, &self.target)?;
        // The file stands there, and some places, such as shared folders, keep names by themselves.
        if let Err(reason) = disk::sync_names(disk::directory_of(&self.target)) {
            tracing::warn!("the name of {} was not synced: {reason}", self.target.display());
        }
        Ok(())
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// As for [`NewFile::begin`] and [`NewFile::publish`].
    pub fn write(target: &Path, readers: Readers, content: &[u8]) -> io::Result<()> {
        let mut new = Self::begin(target, readers)?;
        new.file.write_all(content)?;
        new.publish()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It is gone already where it got its name. Best effort: the next one of this name clears it away.
        let _ = fs::remove_file(&self.hidden);
    }
}

/// Clears away what processes that are gone began for a place. A number may be given again, as in a container in
/// which there is but one process: our own tells nothing, the lock does.
fn clear_left(target: &Path) {
    let before = hidden::before(target);
    let Ok(all) = fs::read_dir(disk::directory_of(target)) else { return };
    for item in all.flatten() {
        let name = item.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(&before)?.parse::<i32>().ok());
        let own = i32::try_from(std::process::id()).ok();
        let is_left = |number: i32| Some(number) == own || !is_alive(number);
        if !number.is_some_and(is_left) || !item.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let path = item.path();
        let file = OpenOptions::new().append(true).open(&path);
        if file.is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Moves a file to a name that nothing has: in one step where the system can, else by a second name.
fn put(hidden: &Path, target: &Path) -> io::Result<()> {
    let is_taken = |reason: &io::Error| reason.kind() == io::ErrorKind::AlreadyExists;
    match rename_to_free(hidden, target) {
        Err(reason) if !is_taken(&reason) => {}
        done => return done,
    }
    match fs::hard_link(hidden, target) {
        Err(reason) if !is_taken(&reason) => claim(hidden, target),
        // The hidden name goes when it is dropped.
        done => done,
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_to_free(hidden: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, hidden, CWD, target, RenameFlags::NOREPLACE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_to_free(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// For places that know neither, as some of sticks and shared folders: takes the name with an empty file of its own, and
/// replaces that. A kill between the two leaves the empty file, which is the best that can be had there.
fn claim(hidden: &Path, target: &Path) -> io::Result<()> {
    drop(OpenOptions::new().write(true).create_new(true).open(target)?);
    fs::rename(hidden, target).inspect_err(|_| {
        let _ = fs::remove_file(target);
    })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::store::disk::files::name_of;

    fn names(root: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(root).unwrap().map(|item| name_of(&item.unwrap().path())).collect();
        names.sort();
        names
    }

    #[test]
    fn it_has_its_name_when_it_is_whole_and_replaces_nothing() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("talk.md");
        let begun = NewFile::begin(&target, Readers::Owner).unwrap();
        begun.writer().unwrap().write_all(b"half").unwrap();
        assert_eq!(names(root.path()), [format!(".talk.md.begun-{}", std::process::id())]);
        drop(begun);
        assert_eq!(names(root.path()), [""; 0]);

        let begun = NewFile::begin(&target, Readers::Owner).unwrap();
        fs::write(&target, "another's").unwrap();
        assert_eq!(begun.publish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        let again = NewFile::write(&target, Readers::Owner, b"mine").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        let dangling = root.path().join("link");
        std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
        assert!(NewFile::begin(&dangling, Readers::Owner).is_err());
        assert_eq!(fs::read(&target).unwrap(), b"another's");
        assert_eq!(names(root.path()), ["link", "talk.md"]);

        let longest = root.path().join("é".repeat(127));
        NewFile::write(&longest, Readers::Usual, b"mine").unwrap();
        assert_eq!(fs::read(&longest).unwrap(), b"mine");
    }

    #[test]
    fn what_killed_processes_began_under_its_name_goes_and_all_else_stays() {
        let root = tempfile::tempdir().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let (gone, own) = (ended.id(), std::process::id());
        let parent = std::os::unix::process::parent_id();
        let stays = [
            format!(".talk.md.begun-{parent}"),
            format!(".other.md.begun-{gone}"),
            ".talk.md.begun-x".to_owned(),
        ];
        for name in &stays {
            fs::write(root.path().join(name), "begun").unwrap();
        }
        for left in [gone, own] {
            fs::write(root.path().join(format!(".talk.md.begun-{left}")), "half").unwrap();
        }
        NewFile::write(&root.path().join("talk.md"), Readers::Owner, b"whole").unwrap();
        let mut expected: Vec<&str> = stays.iter().map(String::as_str).chain(["talk.md"]).collect();
        expected.sort_unstable();
        assert_eq!(names(root.path()), expected);
    }

    #[test]
    fn places_without_links_replace_nothing_either() {
        let root = tempfile::tempdir().unwrap();
        let (hidden, target) = (root.path().join(".hidden"), root.path().join("talk.md"));
        fs::write(&hidden, "mine").unwrap();
        fs::write(&target, "another's").unwrap();
        assert_eq!(claim(&hidden, &target).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"another's");
        fs::remove_file(&target).unwrap();
        claim(&hidden, &target).unwrap();
        assert_eq!(
            (fs::read(&target).unwrap(), names(root.path())),
            (b"mine".to_vec(), vec!["talk.md".to_owned()])
        );
    }

    #[test]
    fn whatever_becomes_of_the_machine_the_name_has_the_whole_content_or_nothing() {
        let root = tempfile::tempdir().unwrap();
        let watch = disk::power_cut::watch(root.path());
        NewFile::write(&root.path().join("talk.md"), Readers::Owner, b"all that was said").unwrap();
        let (during, after) = (watch.take_cuts(), watch.cut());
        let named = |cut: &disk::power_cut::Cut| cut.tree.get(Path::new("talk.md")).cloned();
        for cut in &during {
            let content = named(cut);
            assert!(content.is_none_or(|content| content == b"all that was said"), "{}", cut.what);
        }
        for cut in &after {
            assert_eq!(named(cut).as_deref(), Some(&b"all that was said"[..]), "{}", cut.what);
        }
    }
}
