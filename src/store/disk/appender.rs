//! Files that only grow, by whole lines: a full disk leaves no half of one, and what a kill left of one is set
//! aside before the next is written.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use super::Disk;
use super::files::{make_private, name_of, private, read_range, set_aside, torn_tail};
use super::place::is_deleted;
use crate::store::disk;
use crate::store::{Error, Problem};

/// What an append-only file must be able to do; a test can make it fail.
pub(crate) trait AppendOnly {
    /// The length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Writes at the end; may take only a part.
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize>;
    /// Cuts the file.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl AppendOnly for File {
    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|data| data.len())
    }
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write(bytes)
    }
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Appends whole lines, or nothing: what a full disk left of them is cut off again. Returns where
/// they begin.
pub(crate) fn append_whole(file: &mut impl AppendOnly, lines: &[u8]) -> io::Result<u64> {
    let start = file.length()?;
    let mut rest = lines;
    while !rest.is_empty() {
        let written = match file.append(rest) {
            Ok(0) => Err(io::ErrorKind::WriteZero.into()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other,
        };
        match written {
            Ok(bytes) => rest = &rest[bytes..],
            Err(error) => {
                if rest.len() < lines.len() {
                    // If even this fails, opening the file again sets the torn line aside.
                    file.cut(start)?;
                }
                return Err(error);
            }
        }
    }
    Ok(start)
}

/// An append-only file that is kept open.
#[derive(Debug)]
pub(crate) struct Appender {
    path: PathBuf,
    file: File,
    /// A failed append may have left a torn line: it is repaired before the next one.
    suspect: bool,
    disk: Disk,
    /// Its name is not known to be on the disk itself.
    is_new: bool,
    /// Neither is what was appended last.
    behind: bool,
}

impl Appender {
    /// Opens or creates a file for appending. A torn last line is set aside first, so that the next
    /// line never joins it.
    pub(crate) fn open(
        path: &Path,
        disk: &Disk,
        problems: &mut Vec<Problem>,
    ) -> Result<Self, Error> {
        #[cfg(test)]
        disk::refused::check(path, disk::refused::Deed::Open).map_err(Error::write(path))?;
        let file = private()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(Error::write(path))?;
        make_private(&file);
        #[cfg(test)]
        if file.length().is_ok_and(|length| length == 0) {
            disk::power_cut::created(&file, path);
        }
        let (path, disk) = (path.to_owned(), disk.clone());
        // Whoever wrote it before may have been killed before it was synced.
        let (is_new, behind) = (true, true);
        let mut appender = Self { path, file, suspect: false, disk, is_new, behind };
        problems.extend(appender.repair()?);
        Ok(appender)
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> Result<u64, Error> {
        self.file.length().map_err(Error::read(&self.path))
    }

    /// Where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends whole lines in one write and returns where they begin.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<u64, Error> {
        if self.suspect {
            self.repair()?;
        }
        self.behind = true;
        #[cfg(test)]
        disk::refused::check(&self.path, disk::refused::Deed::Append)
            .map_err(Error::write(&self.path))?;
        append_whole(&mut self.file, lines).map_err(|source| {
            self.suspect = true;
            Error::Write { path: self.path.clone(), source }
        })
    }

    /// Asks the disk itself for what was appended, and for the name of a new file.
    #[cfg_attr(test, track_caller)]
    pub(crate) fn sync(&mut self) -> Result<(), Error> {
        if self.behind {
            self.disk.sync(&self.file, &self.path).map_err(Error::write(&self.path))?;
            self.behind = false;
        }
        self.sync_name()
    }

    fn sync_name(&mut self) -> Result<(), Error> {
        if self.is_new {
            let dir = disk::directory_of(&self.path);
            self.disk.sync_names(dir).map_err(Error::write(&self.path))?;
            self.is_new = false;
        }
        Ok(())
    }

    /// Cuts the file to a length that it had.
    pub(crate) fn cut(&mut self, length: u64) -> Result<(), Error> {
        self.behind = true;
        self.file.set_len(length).map_err(Error::write(&self.path))
    }

    /// Reads from a position to the end, or as many bytes as asked for.
    pub(crate) fn read_at(&mut self, start: u64, most: u64) -> Result<Vec<u8>, Error> {
        read_range(&mut self.file, start, most).map_err(Error::read(&self.path))
    }

    /// Another handle of the file with its path, for syncing.
    pub(crate) fn try_clone(&self) -> io::Result<(File, PathBuf)> {
        Ok((self.file.try_clone()?, self.path.clone()))
    }

    /// Whether the file has no name any more.
    pub(crate) fn is_deleted(&self) -> bool {
        is_deleted(&self.file)
    }

    /// Writes the file at its path again, if it has no name any more. Tells whether that was so.
    pub(crate) fn write_again(&mut self) -> Result<bool, Error> {
        if !self.is_deleted() {
            return Ok(false);
        }
        let made = private().read(true).append(true).create_new(true).open(&self.path);
        let mut made = made.map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::Moved(self.path.clone()),
            _ => Error::Write { path: self.path.clone(), source },
        })?;
        let copied = self.file.rewind().and_then(|()| io::copy(&mut self.file, &mut made));
        if let Err(error) = copied {
            // It is tried again, and half a file is none.
            let _ = std::fs::remove_file(&self.path);
            return Err(Error::write(&self.path)(error));
        }
        (self.file, self.is_new, self.behind) = (made, true, true);
        self.sync().map(|()| true)
    }

    fn repair(&mut self) -> Result<Option<Problem>, Error> {
        let torn = torn_tail(&mut self.file).map_err(Error::read(&self.path))?;
        self.suspect = false;
        let Some((start, tail)) = torn else { return Ok(None) };
        let kept = set_aside(&self.path, &tail, "torn")?;
        self.cut(start)?;
        let name = name_of(&self.path);
        Ok(Some(Problem(format!(
            "the last line of {name} was cut off in the middle ({} bytes): it was set aside as \
             {kept}, everything before it stays",
            tail.len()
        ))))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::files::BLOCK;
    use super::*;

    /// A file on a disk with little room, which takes a few bytes at a time.
    struct Full {
        content: Vec<u8>,
        room: usize,
    }

    impl AppendOnly for Full {
        fn length(&self) -> io::Result<u64> {
            Ok(self.content.len() as u64)
        }
        fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(7).min(self.room - self.content.len());
            if taken == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.content.extend(&bytes[..taken]);
            Ok(taken)
        }
        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.content.truncate(length as usize);
            Ok(())
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_another_program_let_everybody_read_is_its_owners_alone_once_it_is_written_to() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("raw.jsonl");
        fs::write(&path, "{}\n").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        Appender::open(&path, &Disk::default(), &mut Vec::new()).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_full_disk_leaves_no_half_line() {
        for room in 0..40 {
            let mut file = Full { content: b"first line\n".to_vec(), room: 11 + room };
            let lines = b"a second line\nand a third\n";
            let result = append_whole(&mut file, lines);
            if room >= lines.len() {
                assert_eq!(result.unwrap(), 11);
                assert_eq!(file.content, b"first line\na second line\nand a third\n");
            } else {
                assert_eq!(result.unwrap_err().kind(), io::ErrorKind::StorageFull);
                assert_eq!(file.content, b"first line\n");
            }
        }
    }

    #[test]
    fn a_torn_last_line_is_set_aside_before_anything_is_appended() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        let long = "x".repeat(3 * BLOCK as usize);
        for torn in ["{\"half", long.as_str()] {
            fs::write(&path, format!("whole\n{torn}")).unwrap();
            let mut problems = Vec::new();
            Appender::open(&path, &Disk::default(), &mut problems)
                .unwrap()
                .append(b"next\n")
                .unwrap();
            assert_eq!(problems.len(), 1);
            assert_eq!(fs::read_to_string(&path).unwrap(), "whole\nnext\n");
        }
        assert_eq!(fs::read_to_string(dir.path().join("log.jsonl.torn-1")).unwrap(), "{\"half");
        assert_eq!(fs::read_to_string(dir.path().join("log.jsonl.torn-2")).unwrap(), long);
    }
}
