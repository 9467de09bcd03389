//! Files that hold the same as one that was read, by length and hash: a copy of a log is no second conversation.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::left_out::LeftOut;
use crate::cli::Streams;
use crate::cli::input::named;

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// What a file holds: its length and its hash.
pub(super) type Content = (u64, u64);

/// The files among some that may be copies of each other, and those that were read.
pub(super) struct Twins {
    /// How many files have a length.
    of_length: HashMap<u64, u32>,
    /// The file that was read of each content.
    known: HashMap<Content, PathBuf>,
    left_out: LeftOut,
}

impl Twins {
    /// Among these files. Only those of one length can be the same, and are looked at.
    pub(super) fn among(files: &[PathBuf]) -> Self {
        let mut of_length = HashMap::new();
        files.iter().filter_map(|file| length(file)).for_each(|length| {
            *of_length.entry(length).or_default() += 1;
        });
        Self { of_length, known: HashMap::new(), left_out: LeftOut::default() }
    }

    /// What a file holds that another one may be the same as. `None` for one that cannot be read, too: that is told where it
    /// is read.
    pub(super) fn content(&self, file: &Path) -> Option<Content> {
        let length = length(file)?;
        let is_alone = self.of_length.get(&length).is_none_or(|count| *count < 2);
        if is_alone { None } else { Some((length, hash(file).ok()?)) }
    }

    /// A file of this content was read.
    pub(super) fn is_read(&mut self, file: &Path, content: Option<Content>) {
        self.known.extend(content.map(|content| (content, file.to_owned())));
    }

    /// Whether a file of this content holds the same as one that was read; the first ones are named.
    pub(super) fn leaves_out(
        &mut self,
        file: &Path,
        content: Option<Content>,
        streams: &mut Streams<'_>,
    ) -> bool {
        let Some(known) = content.and_then(|content| self.known.get(&content)) else {
            return false;
        };
        let why = format!("it holds the same as {}", named(known));
        self.left_out.name(file, why, streams);
        true
    }

    /// Tells how many more were left out.
    pub(super) fn tell_others(&self, streams: &mut Streams<'_>) {
        self.left_out.tell_others(": each holds the same as another one", streams);
    }
}

/// The bytes of a file, if it is one, and has any.
fn length(file: &Path) -> Option<u64> {
    let known = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
    Some(known.len()).filter(|length| *length > 0)
}

fn hash(file: &Path) -> io::Result<u64> {
    let (mut bytes, mut hasher) = (File::open(file)?, DefaultHasher::new());
    let mut piece = vec![0; PIECE];
    loop {
        match bytes.read(&mut piece)? {
            0 => return Ok(hasher.finish()),
            count => hasher.write(&piece[..count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_what_was_read_is_known() {
        let place = tempfile::tempdir().unwrap();
        let contents = [("a", "one"), ("b", "two"), ("c", "one"), ("d", "other"), ("e", "")];
        let files = contents.map(|(name, text)| {
            let path = place.path().join(name);
            fs::write(&path, text).unwrap();
            path
        });
        let mut twins = Twins::among(&files);
        let earlier = |twins: &Twins, file: &Path| {
            twins.content(file).and_then(|content| twins.known.get(&content).cloned())
        };
        let of_all = |twins: &Twins| files.each_ref().map(|file| earlier(twins, file));
        assert_eq!(of_all(&twins), [const { None }; 5], "none was read");
        twins.is_read(&files[0], twins.content(&files[0]));
        let first = || Some(files[0].clone());
        assert_eq!(of_all(&twins), [first(), None, first(), None, None]);
        assert_eq!(earlier(&twins, &place.path().join("none")), None);
    }
}
