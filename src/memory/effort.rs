//! Efforts: anything that can be opened, worked on and concluded.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::compression::CompressedLog;
use super::lines::Lines;
use super::summary::Summary;
use super::{Message, Rejected, Tokens, Turn};
use crate::escapes;
use crate::letters::{composed, is_part_of_word, without_case};

/// Longest id that a new effort gets, in characters; file names stay well inside every limit.
const MAX_ID_CHARS: usize = 64;

/// The name under which an effort is kept: a slug such as `auth-bug`.
///
/// Ids made here hold only letters, digits and single hyphens, so that an id can never leave the
/// session's folder. Ids read from a directory that another program wrote are kept as they are; the
/// store never derives a path from those.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffortId(Arc<str>);

impl EffortId {
    /// Makes a safe slug of whatever a person or a model called the effort.
    ///
    /// # Errors
    /// Rejects a name without a single letter or digit, because nothing readable would be left.
    pub fn from_name(name: &str) -> Result<Self, Rejected> {
        let (mut slug, mut chars) = (String::new(), 0);
        let lower: String = escapes::without(name).chars().flat_map(without_case).collect();
        for character in composed(&lower).chars() {
            // A mark belongs to the letter before it, and to nothing else.
            if character.is_alphanumeric() || is_part_of_word(character) && ends_word(&slug) {
                slug.push(character);
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            } else {
                continue;
            }
            chars += 1;
            if chars == MAX_ID_CHARS {
                break;
            }
        }
        let slug = slug.trim_end_matches('-');
        if slug.is_empty() {
            return Err(Rejected::UnusableName(name.chars().take(40).collect()));
        }
        Ok(Self(slug.into()))
    }

    /// Takes an id that is already stored, unchanged.
    pub fn stored(id: &str) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn ends_word(text: &str) -> bool {
    text.ends_with(is_part_of_word)
}

impl fmt::Display for EffortId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for EffortId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", &self.0)
    }
}

/// Whether work on an effort goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Status {
    /// Its raw log is in the window.
    #[default]
    Open,
    /// A summary stands for it.
    Concluded,
}

impl Status {
    /// The word used in the manifest and shown on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Concluded => "concluded",
        }
    }

    /// The status of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Open, Self::Concluded].into_iter().find(|status| status.as_str() == name)
    }
}

/// Where an expanded log stands: where the front of the window ended when it entered. What is said later stands
/// behind it, so that it breaks the front only once, when it leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The log that it stands in, by position (`None`: ambient).
    pub(super) log: Option<usize>,
    /// Messages of that log that were said since and stand behind it.
    pub(super) later: usize,
}

/// A log in the window.
#[derive(Debug, Clone, Default)]
pub(super) struct InWindow {
    /// Its messages.
    pub(super) raw: Vec<Message>,
    /// The form in which that of an open effort is sent, once parts of it are compressed.
    pub(super) compressed: CompressedLog,
    /// The turn it was expanded in, while it is expanded.
    pub(super) expanded_at: Option<Turn>,
    /// Where it stands in the window, while it is expanded.
    pub(super) anchor: Anchor,
    /// Messages that are known to be gone from that of an open effort, and their cost.
    pub(super) lost: (u64, Tokens),
}

/// The log of an effort as far as it is in the window, apart from the effort: nearly all have none there.
#[derive(Debug, Clone, Default)]
pub(super) struct Log(Option<Box<InWindow>>);

/// A log of which nothing is in the window.
static ELSEWHERE: InWindow = InWindow {
    raw: Vec::new(),
    compressed: CompressedLog::RAW,
    expanded_at: None,
    anchor: Anchor { log: None, later: 0 },
    lost: (0, Tokens(0)),
};

impl Deref for Log {
    type Target = InWindow;

    fn deref(&self) -> &InWindow {
        self.0.as_deref().unwrap_or(&ELSEWHERE)
    }
}

impl DerefMut for Log {
    fn deref_mut(&mut self) -> &mut InWindow {
        self.0.get_or_insert_default()
    }
}

impl From<Vec<Message>> for Log {
    fn from(raw: Vec<Message>) -> Self {
        let is_there = !raw.is_empty();
        Self(is_there.then(|| InWindow { raw, ..InWindow::default() }.into()))
    }
}

/// One effort as the core keeps it.
///
/// The raw messages are here only while they belong in the window (open or expanded); otherwise just
/// their count and cost are.
#[derive(Debug, Clone)]
pub struct Effort {
    /// The slug.
    pub id: EffortId,
    /// Open or concluded.
    pub status: Status,
    /// What stands for it once concluded; one line, no line breaks.
    pub(super) summary: Option<Summary>,
    /// Free labels.
    pub tags: Vec<String>,
    /// Details of its raw log that a summary may lose, a line of text each.
    pub specifics: Lines,
    /// A pinned summary has no countdown.
    pub pinned: bool,
    /// The turn in which it was last mentioned, searched for, expanded or concluded.
    pub last_referenced: Turn,
    /// Why it was refreshed then, in words for the panel: `'refresh' and 'token'`.
    pub cause: Arc<str>,
    /// The turn in which it was last worked on; the most recent open one follows a closed one.
    pub last_used: Turn,
    /// Its place, from 0, among those that were turned to in one turn.
    pub nth_used: u64,
    /// Cost of the whole raw log in tokens; `None` until somebody has counted a log that another
    /// program wrote.
    pub raw_tokens: Option<Tokens>,
    /// Messages in the raw log.
    pub raw_messages: u64,
    /// Its log, while it is open or expanded.
    pub(super) log: Log,
    /// Tokens of the line that stands for it in the window; counted when first needed.
    pub(super) line_tokens: Option<Tokens>,
    /// In the window as a summary (concluded, not expanded, not evicted).
    pub(super) warm: bool,
}

impl Effort {
    /// Messages that were said in it and their cost, with what is gone from its log.
    pub fn said(&self) -> (u64, Option<Tokens>) {
        let (messages, tokens) = self.log.lost;
        (self.raw_messages + messages, self.raw_tokens.map(|raw| raw + tokens))
    }

    /// A fresh open effort without a history.
    pub(super) fn opened(id: EffortId, turn: Turn) -> Self {
        Self {
            id,
            status: Status::Open,
            summary: None,
            tags: Vec::new(),
            specifics: Lines::default(),
            pinned: false,
            last_referenced: turn,
            cause: "opened".into(),
            last_used: turn,
            nth_used: 0,
            raw_tokens: Some(Tokens(0)),
            raw_messages: 0,
            log: Log::default(),
            line_tokens: None,
            warm: false,
        }
    }

    /// The raw messages in the window; empty unless open or expanded.
    pub fn raw(&self) -> &[Message] {
        &self.log.raw
    }

    /// What stands for it once concluded; one line, no line breaks.
    pub fn summary(&self) -> Option<Arc<str>> {
        self.summary.as_ref().map(Summary::text)
    }

    /// The turn of its expansion, while it is expanded.
    pub fn expanded_at(&self) -> Option<Turn> {
        self.log.expanded_at
    }

    /// Tokens of the line that stands for it in the window, once that was counted.
    pub fn summary_tokens(&self) -> Option<Tokens> {
        self.line_tokens.filter(|_| self.status == Status::Concluded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_their_marks_stay_together_however_they_are_spelled() {
        for (name, slug) in [
            ("प्रोजेक्ट १", "प्रोजेक्ट-१"),
            ("ป่า", "ป่า"),
            ("ป้า", "ป้า"),
            ("Cafe\u{301}", "café"),
            ("İstanbul I\u{307}", "istanbul-i"),
            ("か\u{3099}", "が"),
            ("\u{301}x 1\u{fe0f}\u{20e3} ❤\u{fe0f}", "x-1"),
        ] {
            assert_eq!(EffortId::from_name(name).unwrap().as_str(), slug);
        }
        assert!(EffortId::from_name("\u{e48}\u{301}").is_err(), "marks alone name nothing");
    }

    /// A session may have a hundred thousand: what only those in the window have is apart from them.
    #[test]
    fn an_effort_takes_little_room() {
        assert!(size_of::<Effort>() <= 176, "{}", size_of::<Effort>());
    }
}
