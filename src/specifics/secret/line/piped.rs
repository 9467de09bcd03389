//! Secrets that a command hands to the next one: `echo secret | docker login --password-stdin`.

use std::ops::Range;

use super::{ENDS, Line, MOST_WORDS, NEXT};
use crate::specifics::secret::said;
use crate::specifics::secret::value::{self, stands_for_one};
use crate::specifics::words::Words;

/// Programs that print what they are given.
const PRINT: [&str; 2] = ["echo", "printf"];

/// What stands between two commands of which the second one reads what the first one prints.
const PIPE: &str = "|";

/// What stands in front of what a command reads.
pub(super) const HERE: &str = "<<<";

/// Programs that read a password.
static READERS: Words = Words::new("chpasswd cryptsetup kinit smbpasswd");

/// Flags with which others do.
static FLAGS: Words = Words::new("--passphrase-fd --stdin --with-token");

/// Ends of such flags.
const ENDS_OF_FLAGS: &str = "-stdin";

/// What is done with secrets that are read: `gh secret set`.
static SET: Words = Words::new("add create import put set");

/// What a command reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// A secret.
    Secret,
    /// The name of a user, and behind a colon the password.
    User,
}

/// Whether a word may be a program that prints.
pub(super) fn may_print(word: &str) -> bool {
    PRINT.iter().any(|program| word.ends_with(program))
}

impl Line<'_> {
    /// Adds what is printed for a command that reads a secret.
    pub(super) fn find_piped(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let program = self.word(nth).map(said::bare).unwrap_or_default();
        if !PRINT.contains(&program) {
            return;
        }
        let behind = self.words.len().min(nth + MOST_WORDS);
        let is_pipe = |at: &usize| self.word(*at) == Some(PIPE);
        let Some(pipe) = (nth + 1..behind).find(is_pipe) else { return };
        let Some(reads) = self.reads(pipe + 1) else { return };
        let is_form = |word: &str| {
            word.starts_with('-') || program == "printf" && said::bare(word).starts_with('%')
        };
        let is_said = |at: &usize| !self.word(*at).is_some_and(is_form);
        let Some(first) = (nth + 1..pipe).find(is_said) else { return };
        let whole = self.words[first].start..self.words[pipe - 1].end;
        let (place, quoted) = value::at(self.text, whole.clone(), &[]);
        self.add_read(if quoted { place } else { whole }, reads, found);
    }

    /// Adds what stands behind `<<<` for a command that reads a secret.
    pub(super) fn find_here(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let Some(next) = self.words.get(nth + 1) else { return };
        let before = nth.saturating_sub(MOST_WORDS)..nth;
        let is_next = |at: &usize| self.word(*at).is_some_and(|word| NEXT.contains(&word));
        let begin = before.clone().rev().find(is_next).map_or(before.start, |at| at + 1);
        if let Some(reads) = self.reads(begin) {
            let (place, _) = value::at(self.text, next.start..self.end, &ENDS);
            self.add_read(place, reads, found);
        }
    }

    fn add_read(&self, mut place: Range<usize>, reads: Reads, found: &mut Vec<Range<usize>>) {
        if reads == Reads::User {
            let Some(colon) = self.text[place.clone()].find(':') else { return };
            place.start += colon + 1;
        }
        if !stands_for_one(&self.text[place.clone()]) {
            found.push(place);
        }
    }

    /// What the command reads that begins with a word.
    fn reads(&self, begin: usize) -> Option<Reads> {
        let words = || (begin..begin + MOST_WORDS).map_while(|at| self.word(at)).map(said::bare);
        let mut before = "";
        let mut is_super = false;
        for word in words() {
            if NEXT.contains(&word) || word == HERE {
                return None;
            }
            let name = word.rsplit('/').next().unwrap_or_default();
            let is_flag = word.starts_with("--")
                && (FLAGS.holds(word) || word.ends_with(ENDS_OF_FLAGS))
                || is_super && is_short_with(word, 'S');
            let is_set = matches!(before, "secret" | "secrets") && SET.holds(word);
            if name == "chpasswd" {
                return Some(Reads::User);
            }
            if is_flag || is_set || READERS.holds(name) {
                return Some(Reads::Secret);
            }
            is_super |= name == "sudo";
            before = word;
        }
        None
    }
}

/// Whether a word is some short flags with one among them: `-kS`.
fn is_short_with(word: &str, flag: char) -> bool {
    let flags = word.strip_prefix('-');
    flags.is_some_and(|flags| !flags.starts_with('-') && flags.contains(flag))
}
