//! `replay --list`: what was found, a line each.

use std::fs;
use std::io::{self, BufRead, Read as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::cli::input::{OnDisk, named, session};
use crate::cli::places;
use crate::clock;
use crate::read::{Bytes, Event, Reader, Speaker};
use crate::tui::text::{clean, fit, pad};

/// Bytes at the beginning of a file in which its title or its first words are looked for.
const HEAD: u64 = 128 << 10;

/// Columns for them.
const COLUMNS: usize = 44;

/// When a file was written, how large it is, what it begins with, and where it is.
pub(super) fn line(path: &Path) -> String {
    let since = places::written(path).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let at = since.and_then(|since| clock::minute_of(since.as_millis() as i64)).unwrap_or_default();
    let size = fs::metadata(path).map_or_else(|_| String::new(), |known| size(known.len()));
    let words = words(path);
    let first =
        clean(words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim());
    let first = pad(&fit(&first, COLUMNS), COLUMNS);
    format!("{at:<16}  {size:>9}  {first}  {}", named(path))
}

/// `12 KB`, `3.4 MB`
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A conversation's title, or else what the person said first, as far as its beginning tells.
fn words(path: &Path) -> String {
    let (mut title, mut said) = (String::new(), String::new());
    let mut take = |event: Event| match event {
        Event::Begins { title: found, .. } if title.is_empty() => title = found,
        Event::Said { by: Speaker::Person, text, .. } if said.is_empty() => said = text,
        _ => {}
    };
    // What breaks off there has told its first words.
    let _ = if places::is_session(path) {
        session(path).map_or(Ok(()), |text| Reader::of_one().read(&text, &mut take).map(drop))
    } else {
        Reader::of_one().read(&Head(OnDisk(path)), &mut take).map(drop)
    };
    if title.is_empty() { said } else { title }
}

/// The beginning of a file.
struct Head<'a>(OnDisk<'a>);

impl Bytes for Head<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self.0.open()?.take(HEAD)))
    }
}
