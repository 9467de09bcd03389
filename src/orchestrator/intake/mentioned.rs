//! Files that a message names: `@path`, or `@"path"`, `@'path'` or `@a\ path` where the path holds spaces.

use std::path::PathBuf;

use super::SHORT;
use crate::home::at_home;

/// Files that one message attaches.
const MOST_FILES: usize = 8;

/// Ends of a word that are looked at for the name of a file.
const MOST_ENDS: usize = 12;

/// What never ends the name of a file that stands in a sentence, but what comes behind it.
const ENDS: &str = ",;:!?()[]{}<>\"'`*…。，、；：！？）」』】》”’»›";

/// Marks that the `@` of a file may stand behind, but for spaces.
const OPENS: &str = "([{<\"'`*_~,;:|“‘„‚«‹（「『【《、，。；：";

/// Whether an `@` behind this names a file, and is no part of an address.
pub fn opens_mention(before: Option<char>) -> bool {
    before.is_none_or(|before| before.is_whitespace() || OPENS.contains(before))
}

/// A file that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MentionedFile {
    /// Where it is.
    pub(super) path: PathBuf,
    /// Its path as the message has it.
    pub(super) written: String,
}

/// What a message names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mentioned {
    pub(super) files: Vec<MentionedFile>,
    /// What looks like a path and is no file, as written; anything else that names no file is just words.
    pub(super) missing: Vec<String>,
    /// What is a folder, as written.
    pub(super) folders: Vec<String>,
}

impl Mentioned {
    pub(super) fn in_text(text: &str) -> Self {
        let (mut found, is_short) = (Self::default(), text.len() <= SHORT);
        let mut before = None;
        for (at, _) in text.match_indices('@') {
            let opens = opens_mention(text[..at].chars().next_back());
            if !opens || before.is_some_and(|end| at < end) {
                continue;
            }
            let rest = &text[at + 1..];
            if let Some(quoted) = quoted(rest) {
                before = Some(at + 1 + quoted.len());
                if !found.take_file(quoted) {
                    found.take_missing(quoted, is_short);
                }
                continue;
            }
            found.take_word(&word(rest), is_short);
        }
        found
    }

    /// Takes what stands behind an `@`: the longest name in it that a file has, without what ends a sentence. In a long text
    /// it is hardly ever typed by hand, and names no file of this machine.
    fn take_word(&mut self, word: &str, is_short: bool) {
        let bare = word.trim_end_matches(ends_name);
        let is_there = if is_short {
            self.take_file(word) || ends(word).any(|end| self.take_file(&word[..end]))
        } else {
            self.take_file(word) || bare != word && self.take_file(bare)
        };
        if !is_there {
            self.take_missing(bare, is_short);
        }
    }

    fn take_file(&mut self, written: &str) -> bool {
        let path = at_home(written);
        if written.is_empty() || !path.is_file() {
            return false;
        }
        if self.files.len() < MOST_FILES && self.files.iter().all(|file| file.path != path) {
            self.files.push(MentionedFile { path, written: written.to_owned() });
        }
        true
    }

    fn take_missing(&mut self, written: &str, is_short: bool) {
        if !is_short {
            return;
        }
        let written = written.trim_end_matches('.');
        let is_named = written.contains(|sign| !"./~".contains(sign));
        let is_folder = is_named && at_home(written).is_dir();
        let told = if is_folder { &mut self.folders } else { &mut self.missing };
        if (is_folder || looks_like_path(written)) && told.len() < MOST_FILES {
            let written = written.to_owned();
            if !told.contains(&written) {
                told.push(written);
            }
        }
    }
}

/// What stands in quotes at the beginning of a text, up to the end of its line.
fn quoted(rest: &str) -> Option<&str> {
    let quote = rest.chars().next().filter(|sign| "\"'".contains(*sign))?;
    let line = rest[1..].lines().next()?;
    let end = line.find(quote);
    // A quote that nobody closed goes on to the end; another kind may be an apostrophe.
    let end = end.or((quote == '"').then_some(line.len()))?;
    Some(&line[..end])
}

/// The word at the beginning of a text; a space behind a backslash belongs to it.
fn word(rest: &str) -> String {
    let mut word = String::new();
    let mut signs = rest.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' if signs.peek() == Some(&' ') => word.extend(signs.next()),
            sign if sign.is_whitespace() => break,
            sign => word.push(sign),
        }
    }
    word
}

fn ends_name(sign: char) -> bool {
    sign == '.' || ENDS.contains(sign)
}

/// Where the name of a file may end within a word, the latest first: before marks, before a script without spaces.
fn ends(word: &str) -> impl Iterator<Item = usize> {
    let is_end = |(at, sign): &(usize, char)| {
        let is_dotted = *sign == '.' && word[*at..].chars().all(ends_name);
        let without_spaces = |sign: char| sign > '\u{2e7f}' && sign.is_alphabetic();
        let turns =
            without_spaces(*sign) && word[..*at].ends_with(|before| !without_spaces(before));
        is_dotted || ENDS.contains(*sign) || turns
    };
    word.char_indices().rev().filter(is_end).map(|(at, _)| at).filter(|&at| at > 0).take(MOST_ENDS)
}

/// Whether a word behind an `@` means a file and nothing else: it holds a slash, or ends like a file's name. A handle, an
/// address or a piece of code does not.
fn looks_like_path(written: &str) -> bool {
    let is_code = |c: char| "@()[]{}<>=\"'`|\\".contains(c);
    if written.is_empty() || written.contains(is_code) {
        return false;
    }
    let name = written.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    let ends_like_a_file = ending.is_some_and(|(_, ending)| {
        (1..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    written.contains('/') || ends_like_a_file
}
