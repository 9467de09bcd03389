//! `replay --list`: what was found, a line each.

use std::fs;
use std::io::{self, BufRead, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde_json::Value;

use crate::cli::input::{OnDisk, named, session};
use crate::cli::places::{self, Names};
use crate::clock;
use crate::counted::{grouped, size};
use crate::read::{Bytes, Error, Event, Outcome, Reader, Speaker};
use crate::text::{clean, fit, pad};
use crate::tui::view::ascii;

/// Bytes at the beginning of a file in which its title or its first words are looked for.
const HEAD: u64 = 128 << 10;

/// Columns for them.
const COLUMNS: usize = 44;

/// When a file was written, how large it is, what it is called or begins with, and where it is; without signs if there are
/// to be none.
pub(super) fn line(path: &Path, names: &mut Names, ascii: bool) -> String {
    let since = places::written(path).and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let at = since.and_then(|since| clock::minute_of(since.as_millis() as i64)).unwrap_or_default();
    let size = fs::metadata(path).map_or_else(|_| String::new(), |known| size(known.len()));
    let mut begun = Begun::of(path);
    begun.title = names.of(path).unwrap_or(begun.title);
    let begins = fit(&clean(&begun.told()), COLUMNS);
    let begins = if ascii { ascii::simplified(&begins) } else { begins };
    // The name is one to give to a command.
    format!("{at:<16}  {size:>9}  {}  {}", pad(&begins, COLUMNS), named(path))
}

/// What the beginning of a file tells.
#[derive(Default)]
struct Begun {
    title: String,
    /// What the person said first.
    said: String,
    /// Conversations in which somebody says something.
    conversations: u64,
    /// Whether that is all of it.
    whole: bool,
    /// Why nothing, or not all, is known.
    fault: String,
}

impl Begun {
    fn of(path: &Path) -> Self {
        let is_session = places::is_session(path);
        let known = fs::metadata(path).ok();
        if !is_session && known.as_ref().is_some_and(|known| !known.is_file()) {
            return Self { fault: "(no plain file)".to_owned(), ..Self::default() };
        }
        let whole = is_session || known.is_none_or(|known| known.len() <= HEAD);
        let mut begun = Self { whole, ..Self::default() };
        let read = begun.read(path, is_session);
        begun.fault = match read {
            Ok(outcome) => damage(&outcome, whole),
            Err(error) => fault(&error, whole).to_owned(),
        };
        if !whole && begun.fault.is_empty() && begun.title.is_empty() && begun.said.is_empty() {
            // An export's first conversation is longer than that, and its title stands in front of it.
            begun.title = title_in_front(path).unwrap_or_default();
        }
        if !whole && begun.title.is_empty() {
            begun.title = title_at_end(path).unwrap_or_default();
        }
        begun
    }

    fn read(&mut self, path: &Path, is_session: bool) -> Result<Outcome, Error> {
        let mut begins = true;
        let mut take = |event: Event| match event {
            Event::Begins { title, .. } => {
                begins = true;
                if self.title.is_empty() {
                    self.title = title;
                }
            }
            Event::Said { by, text, .. } => {
                self.conversations += u64::from(std::mem::take(&mut begins));
                if by == Speaker::Person && self.said.is_empty() {
                    self.said = text;
                }
            }
            _ => {}
        };
        if is_session {
            Reader::of_one().read(&session(path)?, &mut take)
        } else {
            Reader::of_one().read(&Head(OnDisk(path)), &mut take)
        }
    }

    /// A conversation's title, or else what the person said first, behind how many there are and what is wrong with
    /// them.
    fn told(&self) -> String {
        let several = match self.conversations {
            0 | 1 => String::new(),
            some => format!("{some}{} conversations:", if self.whole { "" } else { " or more" }),
        };
        let words = if self.title.is_empty() { &self.said } else { &self.title };
        let first = words.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        let parts = [&self.fault, &several, first];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Where a file is damaged, if it is. What is cut at the end of its beginning is not.
fn damage(read: &Outcome, whole: bool) -> String {
    let gap = read.tally.gaps.iter().find(|gap| whole || gap.read_on);
    gap.map_or_else(String::new, |gap| format!("(damaged at byte {})", grouped(gap.at)))
}

/// Why a file cannot be replayed, in a word or two. What breaks off at the end of its beginning has told its first words.
fn fault(error: &Error, whole: bool) -> &'static str {
    match error {
        Error::Empty => "(empty)",
        Error::Unknown => "(not known)",
        Error::Sqlite => "(a database)",
        Error::Packed { .. } => "(packed)",
        Error::Utf16 => "(UTF-16)",
        // An archive: looking for its conversations takes as long as reading it.
        Error::Io(reason) if reason.kind() == io::ErrorKind::Unsupported => "(an archive)",
        Error::Io(reason) if reason.kind() == io::ErrorKind::PermissionDenied => "(cannot be read)",
        _ if !whole => "",
        Error::Broken { .. } => "(damaged)",
        Error::Nothing { .. } => "(nothing said)",
        _ => "(cannot be read)",
    }
}

/// What a conversation is called whose text ends in the middle: the first value of a key that titles have.
fn title_in_front(path: &Path) -> Option<String> {
    const KEYS: [&str; 2] = ["\"title\"", "\"name\""];
    const BODIES: [&str; 4] = ["\"chat_messages\"", "\"mapping\"", "\"messages\"", "\"tools\""];
    let mut front = Vec::new();
    Head(OnDisk(path)).open().ok()?.read_to_end(&mut front).ok()?;
    let text = String::from_utf8_lossy(&front);
    // Names among what is said are none of the conversation.
    let end = BODIES.iter().filter_map(|body| text.find(body)).min().unwrap_or(text.len());
    let text = &text[..end];
    let mut found: Vec<(usize, &str)> =
        KEYS.iter().flat_map(|key| text.match_indices(key)).collect();
    found.sort_unstable();
    found.into_iter().find_map(|(at, key)| {
        let value = text[at + key.len()..].trim_start().strip_prefix(':')?;
        let value = serde_json::Deserializer::from_str(value).into_iter::<String>().next()?;
        value.ok().filter(|title| !title.trim().is_empty())
    })
}

/// What Claude Code calls a session: it writes that as a record of its own, again and again, and the last one counts. What the
/// person called it comes before what the model did.
fn title_at_end(path: &Path) -> Option<String> {
    const KEYS: [&str; 2] = ["customTitle", "aiTitle"];
    let mut file = fs::File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(HEAD))).ok()?;
    let mut end = Vec::new();
    file.take(HEAD).read_to_end(&mut end).ok()?;
    let end = String::from_utf8_lossy(&end);
    let titles = end.lines().rev().filter(|line| line.contains("-title\""));
    let records: Vec<Value> = titles.filter_map(|line| serde_json::from_str(line).ok()).collect();
    let title = |key: &str| {
        let is_title =
            |record: &&Value| record["type"].as_str().is_some_and(|of| of.ends_with("-title"));
        records.iter().filter(is_title).find_map(|record| record[key].as_str())
    };
    KEYS.iter().find_map(|key| title(key)).map(str::to_owned)
}

/// The beginning of a file.
struct Head<'a>(OnDisk<'a>);

impl Bytes for Head<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self.0.open()?.take(HEAD)))
    }
}
