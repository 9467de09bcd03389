//! Files that are replaced whole or not at all, and how they are read; what is only appended to is an
//! [`Appender`](super::appender::Appender).

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::store::Error;
use crate::store::disk;

/// How far back a search for the last line end reads at a time.
pub(crate) const BLOCK: u64 = 64 * 1024;

/// Makes a directory with its parents, for its owner only.
pub(crate) fn create_dir(dir: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

/// Options for files that only their owner can read.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Lets nobody but its owner read a file that another program made, where that can be done: what is said goes into it.
pub(crate) fn make_private(file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let permissions = file.metadata().map(|metadata| metadata.permissions());
        if permissions.is_ok_and(|permissions| permissions.mode() & 0o077 != 0) {
            let _ = file.set_permissions(fs::Permissions::from_mode(0o600));
        }
    }
}

/// Makes an empty file, in place of what has its name.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    // A link would be written through, to whatever it leads to.
    if path.is_symlink() {
        fs::remove_file(path)?;
    }
    let file = private().write(true).create(true).truncate(true).open(path)?;
    #[cfg(test)]
    disk::power_cut::created(&file, path);
    Ok(file)
}

/// Replaces a file in one step, never synced: unless power is lost, it holds either its old content or the new one. For
/// what is derived, and for
/// a session that does not exist yet; [`disk`] has the others.
pub(crate) fn replace_unsynced(path: &Path, content: &[u8]) -> Result<(), Error> {
    Replacement::write(path, content)?.put(Ok(()))
}

/// A file's new content, beside it.
pub(crate) struct Replacement<'a> {
    target: &'a Path,
    temporary: PathBuf,
    file: File,
}

impl<'a> Replacement<'a> {
    /// Writes it.
    pub(crate) fn write(target: &'a Path, content: &[u8]) -> Result<Self, Error> {
        let temporary = beside(target, ".tmp");
        let written = create(&temporary).and_then(|mut file| {
            file.write_all(content)?;
            Ok(file)
        });
        match written {
            Ok(file) => Ok(Self { target, temporary, file }),
            Err(error) => Err(given_up(target, &temporary, error)),
        }
    }

    /// The file, to be synced.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Its name until it is put in place.
    pub(crate) fn path(&self) -> &Path {
        &self.temporary
    }

    /// Puts it in place of the old content, if it could be synced.
    pub(crate) fn put(self, synced: io::Result<()>) -> Result<(), Error> {
        let Self { target, temporary, file } = self;
        drop(file);
        let put = synced.and_then(|()| fs::rename(&temporary, target));
        put.map_err(|error| given_up(target, &temporary, error))
    }
}

fn given_up(target: &Path, temporary: &Path, source: io::Error) -> Error {
    // Best effort: the half-written copy is of no use, and the disk may be full.
    let _ = fs::remove_file(temporary);
    Error::Write { path: target.to_owned(), source }
}

/// Opens what is stored for reading. What is no file is refused: a pipe would be waited for without end.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !is_readable(&fs::metadata(path)?) {
        return Err(io::ErrorKind::NotSeekable.into());
    }
    File::open(path)
}

/// Whether a file can be read without waiting for somebody to write; a device is its owner's wish.
pub(crate) fn is_readable(data: &fs::Metadata) -> bool {
    #[cfg(unix)]
    let waits = std::os::unix::fs::FileTypeExt::is_fifo(&data.file_type());
    #[cfg(not(unix))]
    let waits = false;
    !data.is_dir() && !waits
}

/// Reads a whole file; `None` if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let Some(mut file) = open_existing(path)? else { return Ok(None) };
    let mut content = Vec::new();
    file.read_to_end(&mut content).map_err(Error::read(path))?;
    Ok(Some(content))
}

/// The length of a file in bytes; 0 if it does not exist.
pub(crate) fn length(path: &Path) -> Result<u64, Error> {
    match fs::metadata(path) {
        Ok(data) => Ok(data.len()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(Error::read(path)(error)),
    }
}

/// Whether the last line of a file is torn, so that opening it to append would put it right.
pub(crate) fn is_torn(path: &Path) -> Result<bool, Error> {
    let Some(mut file) = open_existing(path)? else { return Ok(false) };
    Ok(torn_tail(&mut file).map_err(Error::read(path))?.is_some())
}

/// Whether a file can be read and appended to, if there is one; it is left as it is.
pub(crate) fn permitted(path: &Path) -> Result<(), Error> {
    match OpenOptions::new().read(true).append(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // It may be only the writing that is not permitted.
            let is_readable = File::open(path).is_ok();
            Err(if is_readable { Error::write(path)(error) } else { Error::read(path)(error) })
        }
        _ => Ok(()),
    }
}

/// Opens a file for reading; `None` if it does not exist.
pub(crate) fn open_existing(path: &Path) -> Result<Option<File>, Error> {
    match open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(path)(error)),
    }
}

/// Removes a file that may be gone already.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::write(path)(error)),
        _ => Ok(()),
    }
}

/// A name like `log.jsonl.torn-1` that no file has yet.
pub(crate) fn free_name(path: &Path, mark: &str) -> PathBuf {
    let mut number = 1_u32;
    loop {
        let candidate = beside(path, &format!(".{mark}-{number}"));
        if fs::symlink_metadata(&candidate).is_err() {
            return candidate;
        }
        number += 1;
    }
}

/// What may be done about a file that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mend {
    /// It is set aside, so that the next save does not meet it: for whoever holds the lock.
    OnDisk,
    /// It is left as it is and done without: for whoever only looks.
    InMemory,
}

impl Mend {
    /// Keeps a copy of a broken file beside it, if that is allowed. Returns what was done, in words that
    /// follow "it".
    pub(crate) fn copy_aside(self, path: &Path, content: &[u8]) -> Result<String, Error> {
        match self {
            Self::OnDisk => Ok(format!("was set aside as {}", set_aside(path, content, "broken")?)),
            Self::InMemory => Ok(LEFT.to_owned()),
        }
    }

    /// Renames a broken file, if that is allowed. Returns what was done, in words that follow "it".
    pub(crate) fn move_aside(self, path: &Path) -> Result<String, Error> {
        if self == Self::InMemory {
            return Ok(LEFT.to_owned());
        }
        let kept = free_name(path, "broken");
        fs::rename(path, &kept).map_err(Error::write(path))?;
        Ok(format!("was set aside as {}", name_of(&kept)))
    }
}

/// What is done about a broken file by someone who only looks.
const LEFT: &str = "is left as it is";

/// Keeps a copy of a broken file beside it and says so.
pub(crate) fn set_aside(path: &Path, content: &[u8], mark: &str) -> Result<String, Error> {
    let kept = free_name(path, mark);
    disk::replace_synced(&kept, content)?;
    Ok(name_of(&kept))
}

/// The last part of a path, for messages.
pub(crate) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// What stands behind the last line end, with its position; `None` if the file ends well.
pub(crate) fn torn_tail(file: &mut File) -> io::Result<Option<(u64, Vec<u8>)>> {
    let length = file.metadata()?.len();
    if length == 0 || read_range(file, length - 1, 1)? == b"\n" {
        return Ok(None);
    }
    let mut end = length;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let block = read_range(file, start, end - start)?;
        if let Some(at) = block.iter().rposition(|&byte| byte == b'\n') {
            let line = start + at as u64 + 1;
            return Ok(Some((line, read_range(file, line, length - line)?)));
        }
        end = start;
    }
    Ok(Some((0, read_range(file, 0, length)?)))
}

/// The whole line that a program appended to a torn one, by the first sign of which a line of its kind
/// begins; within the texts of a line its quotes would be escaped.
pub(crate) fn appended<'a>(line: &'a [u8], begin: &[u8]) -> Option<&'a [u8]> {
    let last = line.windows(begin.len()).rposition(|window| window == begin)?;
    line.get(last..).filter(|_| last > 0)
}

/// Reads up to `most` bytes from a position.
pub(crate) fn read_range(file: &mut File, start: u64, most: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The whole lines of a file from a position on, with their line ends; at most so many.
pub(crate) fn lines_from(mut file: File, start: u64, most: usize) -> io::Result<Vec<Vec<u8>>> {
    file.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::new(file);
    let mut lines = Vec::new();
    while lines.len() < most {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        lines.push(line);
    }
    Ok(lines)
}

/// The lines of a file from its end backwards, each with its position. Reads only as far as the
/// caller iterates.
pub(crate) struct LinesBackwards {
    path: PathBuf,
    file: Option<File>,
    /// Everything from here on has been read.
    start: u64,
    /// Bytes from `start` that have not been handed out.
    buffer: Vec<u8>,
}

impl LinesBackwards {
    /// Begins before a position, which must follow a line end; `None` means the end of the file. One that
    /// does not exist has none.
    pub(crate) fn open(path: &Path, before: Option<u64>) -> Result<Self, Error> {
        let length = length(path)?;
        let start = before.unwrap_or(length).min(length);
        Ok(Self { path: path.to_owned(), file: open_existing(path)?, start, buffer: Vec::new() })
    }

    fn previous(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        loop {
            let end = self.buffer.len() - usize::from(self.buffer.ends_with(b"\n"));
            let found = self.buffer[..end].iter().rposition(|&byte| byte == b'\n');
            let cut = match found {
                Some(at) => at + 1,
                None if self.start > 0 => {
                    self.fill()?;
                    continue;
                }
                None if self.buffer.is_empty() => return Ok(None),
                None => 0,
            };
            let line = self.buffer[cut..end].to_vec();
            self.buffer.truncate(cut);
            return Ok(Some((self.start + cut as u64, line)));
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        // Grows with what is held, so that one huge line is not copied once for every block.
        let size = BLOCK.max(self.buffer.len() as u64).min(self.start);
        let start = self.start - size;
        let mut block = match &mut self.file {
            Some(file) => read_range(file, start, size)?,
            None => Vec::new(),
        };
        block.append(&mut self.buffer);
        (self.start, self.buffer) = (start, block);
        Ok(())
    }
}

impl Iterator for LinesBackwards {
    type Item = Result<(u64, Vec<u8>), Error>;

    /// The line before the last one handed out, without its line end.
    fn next(&mut self) -> Option<Self::Item> {
        let line = self.previous();
        line.map_err(Error::read(&self.path)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_backwards_whole_whatever_their_length() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let lines: Vec<String> =
            [3, 0, 70_000, 1, 200_000, 65_536, 12].iter().map(|&n| "y".repeat(n)).collect();
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let mut found = Vec::new();
        for line in LinesBackwards::open(&path, None).unwrap() {
            let (at, line) = line.unwrap();
            assert_eq!(
                at as usize,
                lines[..lines.len() - found.len() - 1].iter().map(|l| l.len() + 1).sum::<usize>()
            );
            found.push(String::from_utf8(line).unwrap());
        }
        found.reverse();
        assert_eq!(found, lines);
    }

    #[cfg(unix)]
    #[test]
    fn files_and_directories_are_for_their_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let made = dir.path().join("a/b");
        create_dir(&made).unwrap();
        replace_unsynced(&made.join("file"), b"x").unwrap();
        let bits = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((bits(&made), bits(&dir.path().join("a"))), (0o700, 0o700));
        assert_eq!(bits(&made.join("file")), 0o600);
    }
}
