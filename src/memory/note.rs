//! Notes: remembered sentences, and the working-memory budget that keeps them few.
//!
//! Owns the notes of the session, their place in the window and the limits they live under (design
//! section 5; the working-memory seed). A note is in the session (in the window), permanent (out of the
//! window, still found by a search) or removed (only in the change that removed it).
//!
//! Invariants:
//! - Nothing is lost: every change of a note carries it as it was before and as it is after, and
//!   [`Memory::undo_note`] puts it back.
//! - A number is never given twice, not even after its note was removed.
//! - A check looks at the session's notes only, so its work does not grow with the permanent ones.

mod adaptive;
mod check;
mod collection;
mod commands;
mod leaving;
mod limits;
mod thread;
mod usage;
mod view;
mod window;

#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

pub use adaptive::NoteUse;
pub use check::{LogLevel, LogLine, NoteCheck};
pub(super) use collection::Notes;
pub use limits::{BadLimits, NoteLimits, NoteOrder, NotePreset};
pub use usage::Usage;
pub use view::{NoteStats, NoteStatus, NoteView, NotesView};

use super::{EffortId, Rejected, Turn};
use crate::escapes::visible;

/// Longest content of a new note, in characters: it is one sentence, and all of them are always sent.
const MOST_CHARS: usize = 600;

/// Most tags of one note.
const MOST_TAGS: usize = 8;

/// Longest tag, in characters.
const MOST_TAG_CHARS: usize = 32;

/// The cause of a change that undoes another; undoing goes by it.
pub const UNDONE: &str = "undone";

/// The stable number of a note, written `n3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(pub u64);

impl NoteId {
    /// Reads `n3`, `N3`, `[n3]` or `3`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('[').trim_end_matches(']');
        let digits = text.strip_prefix(['n', 'N']).unwrap_or(text);
        let all_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| all_digits).map(Self)
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "n{}", self.0)
    }
}

/// How much a note weighs: 1 to 3 stars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Salience(u8);

impl Default for Salience {
    /// Two stars: neither more nor less than other notes.
    fn default() -> Self {
        Self(2)
    }
}

impl Salience {
    /// A salience of 1 to 3.
    ///
    /// # Errors
    /// Rejects every other number.
    pub fn new(stars: u64) -> Result<Self, Rejected> {
        match stars {
            1..=3 => Ok(Self(stars as u8)),
            _ => Err(Rejected::BadSalience(stars)),
        }
    }

    /// The number of stars.
    pub fn get(self) -> u8 {
        self.0
    }

    /// The stars themselves: `★★`.
    pub fn stars(self) -> &'static str {
        match self.0 {
            1 => "★",
            2 => "★★",
            _ => "★★★",
        }
    }
}

/// Where a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteState {
    /// In the window.
    Session,
    /// Archived: out of the window for good, still found by a search.
    Permanent,
    /// Out of the window and the search; only the journal still holds it.
    Removed,
}

impl NoteState {
    /// The word used in files and shown on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Permanent => "permanent",
            Self::Removed => "removed",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Session, Self::Permanent, Self::Removed].into_iter().find(|one| one.as_str() == name)
    }
}

/// One note: plain data, as memory holds it and as the store writes and reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its number.
    pub id: NoteId,
    /// What is remembered; one line.
    pub content: Arc<str>,
    /// Its labels, each once, in the order in which they were given.
    pub tags: Vec<String>,
    /// Its weight.
    pub salience: Salience,
    /// The turn it was made in.
    pub created: Turn,
    /// The turn it last entered the session in: that of its making or of its return.
    pub entered: Turn,
    /// The turn it was last mentioned, found, edited or returned in.
    pub last_used: Turn,
    /// It does not leave by itself below the hard limit.
    pub pinned: bool,
    /// Where it is.
    pub state: NoteState,
    /// The effort that was active when it was made.
    pub effort: Option<EffortId>,
    /// How often it was of use.
    pub usage: Usage,
    /// The thread that it left the window with, by the number of the note that began it.
    pub thread: Option<NoteId>,
}

impl Note {
    /// The line that stands for it in the window.
    fn line(&self) -> String {
        let separator = if self.tags.is_empty() { "" } else { " " };
        let tags = self.tags.join(", ");
        format!("- [{} {}{separator}{tags}] {}\n", self.id, self.salience.stars(), self.content)
    }
}

/// What a change did to a note; all that is needed to undo it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteEdit {
    /// The note before; `None` if it is new.
    pub before: Option<Note>,
    /// The note after. A removed one is held nowhere else.
    pub after: Note,
}

/// A note's content on one line, without signs that a terminal would act on.
fn cleaned(content: &str) -> String {
    crate::lines::one_line(&visible(content))
}

/// Whether a note could be made of a content and tags.
///
/// # Errors
/// Rejects a content that is empty or too long, and a tag that is none.
pub fn check_note(content: &str, tags: &[String]) -> Result<(), Rejected> {
    new_content(content)?;
    new_tags(tags).map(drop)
}

fn new_content(content: &str) -> Result<Arc<str>, Rejected> {
    let content = cleaned(content);
    let chars = content.chars().count();
    match chars {
        0 => Err(Rejected::EmptyNote),
        1..=MOST_CHARS => Ok(content.into()),
        _ => Err(Rejected::LongNote { chars, most: MOST_CHARS }),
    }
}

/// A tag as it is kept: one word, in the case in which it was written, without a leading `#`.
fn new_tag(tag: &str) -> Result<String, Rejected> {
    let clean = tag.trim().trim_start_matches('#');
    let is_sign = |c: char| c.is_whitespace() || c.is_control() || ",[]".contains(c);
    if clean.is_empty() || clean.chars().count() > MOST_TAG_CHARS || clean.contains(is_sign) {
        let tag = cleaned(tag).chars().take(MOST_TAG_CHARS).collect();
        return Err(Rejected::BadTag { tag, most: MOST_TAG_CHARS });
    }
    Ok(clean.to_owned())
}

/// Whether a word can be a tag as it is.
pub fn is_tag(tag: &str) -> bool {
    new_tag(tag).is_ok_and(|kept| kept == tag)
}

fn new_tags(tags: &[String]) -> Result<Vec<String>, Rejected> {
    let mut kept: Vec<String> = Vec::new();
    for tag in tags {
        let tag = new_tag(tag)?;
        if !kept.contains(&tag) {
            kept.push(tag);
        }
    }
    if kept.len() > MOST_TAGS {
        return Err(Rejected::ManyTags { given: kept.len(), most: MOST_TAGS });
    }
    Ok(kept)
}
