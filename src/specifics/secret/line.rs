//! One line that is looked through for secrets, word by word.

mod called;
mod flagged;
mod given;
mod header;
mod inserted;
mod mounted;
mod piped;
mod session;
mod statement;

use std::ops::Range;

use super::name::Guards;
use super::value::{self, is_count};
use super::{known, said, url};

/// Signs that end a value which a shell reads.
const ENDS: [char; 5] = ['&', ';', '|', '<', '>'];

/// Words that begin the next command.
const NEXT: [&str; 4] = ["|", "&&", "||", ";"];

/// The shortest token in bytes that no header tells.
const SHORTEST_TOKEN: usize = 12;

/// Words between a program and its flag, at most: no line takes longer than it is long.
const MOST_WORDS: usize = 48;

/// A line and its words.
pub(super) struct Line<'t> {
    text: &'t str,
    end: usize,
    words: Vec<Range<usize>>,
}

impl<'t> Line<'t> {
    /// The line at a place of a text.
    pub(super) fn of(text: &'t str, place: Range<usize>) -> Self {
        let line = &text[place.clone()];
        let begin = line.as_ptr() as usize;
        let at = |word: &str| place.start + (word.as_ptr() as usize - begin);
        let words = line.split_whitespace().map(|word| at(word)..at(word) + word.len());
        Self { text, end: place.start + line.trim_end().len(), words: words.collect() }
    }

    /// Adds the places of its secrets.
    pub(super) fn look(&self, found: &mut Vec<Range<usize>>) {
        for (nth, place) in self.words.iter().enumerate() {
            let word = &self.text[place.clone()];
            let signs = signs_of(word);
            let has = |sign: u8| signs & sign > 0;
            if has(COLON) && has(SLASH) && url::find(word, place.start, found) {
                continue;
            }
            if has(DIGIT) {
                known::find(word, place.start, found);
                self.find_called(nth, found);
                self.find_code(nth, found);
            }
            if has(COLON | EQUALS) {
                self.find_given(nth, found);
            }
            if has(EQUALS) {
                self.find_of_session(nth, found);
            }
            if has(COLON) {
                known::find_of_chat(word, place.start, found);
                url::find_in_source(word, place.start, found);
            }
            if has(UNDERSCORE) {
                self.find_behind_name(nth, found);
            }
            if word.starts_with('-') {
                self.find_behind_flag(nth, found);
            }
            said::eastern::find(self.text, place.clone(), self.end, found);
            if inserted::may_lead(word) {
                self.find_inserted(nth, found);
            } else if word.starts_with(mounted::SHARE) {
                self.find_of_share(nth, found);
            }
            if has(COLON) || said::may_be_noun(word) {
                self.find_in_header(nth, found);
                self.find_said(nth, found);
                self.find_said_nearby(nth, found);
                self.find_in_statement(nth, found);
                self.find_in_function(nth, found);
            } else if word.eq_ignore_ascii_case("by") {
                self.find_in_statement(nth, found);
            } else if piped::may_print(word) {
                self.find_piped(nth, found);
            } else if word == piped::HERE {
                self.find_here(nth, found);
            }
        }
    }

    /// Adds what a sentence says: `the password is hunter2`.
    fn find_said(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let behind = |more| self.word(nth + more);
        let before = |less| nth.checked_sub(less).and_then(|at| self.word(at));
        let value = said::value_of(behind).map(|more| nth + more);
        let Some(value) = value.or_else(|| Some(nth - said::value_before(behind, before)?)) else {
            return;
        };
        let next = said::nearby::now(|more| self.word(value + more)).map(|more| value + more);
        for nth in [Some(value), next].into_iter().flatten() {
            let place = self.words[nth].clone();
            let bare = self.bare(nth);
            let (inner, is_quoted) = value::at(self.text, place.start..self.end, &[]);
            let is_longer = is_quoted && inner.end > place.end;
            found.push(if is_longer { inner } else { bare });
        }
    }

    /// Adds what is told by what is said near it: `the creds are app/secret`, `SSID HomeNet, key secret`.
    fn find_said_nearby(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let behind = |more| self.word(nth + more);
        let before = |less| nth.checked_sub(less).and_then(|at| self.word(at));
        let of_net = || said::nearby::of_net(behind, before).map(|more| (more, 0));
        if let Some((more, at)) = said::nearby::of_user(behind).or_else(of_net) {
            let bare = self.bare(nth + more);
            found.push(bare.start + at..bare.end);
        }
    }

    /// The place of a word without the signs around it.
    fn bare(&self, nth: usize) -> Range<usize> {
        let place = self.words[nth].clone();
        let said = &self.text[place.clone()];
        let bare = said::bare(said);
        let start = place.start + (bare.as_ptr() as usize - said.as_ptr() as usize);
        start..start + bare.len()
    }

    fn word(&self, nth: usize) -> Option<&'t str> {
        self.words.get(nth).map(|place| &self.text[place.clone()])
    }
}

/// The signs by which it is told what a word may hold.
const COLON: u8 = 1;
const EQUALS: u8 = 2;
const SLASH: u8 = 4;
const UNDERSCORE: u8 = 8;
const DIGIT: u8 = 16;

/// Which of those a word has.
fn signs_of(word: &str) -> u8 {
    let sign = |byte: u8| match byte {
        b':' => COLON,
        b'=' => EQUALS,
        b'/' => SLASH,
        b'_' => UNDERSCORE,
        b'0'..=b'9' => DIGIT,
        _ => 0,
    };
    word.bytes().fold(0, |signs, byte| signs | sign(byte))
}

/// Whether a value is one that is guarded: a number may be how many there are.
fn is_one(guards: Guards, value: &str) -> bool {
    guards == Guards::Password && value.len() > 2 || !is_count(value)
}

/// The name that ends a part of a word: `password` of `{"password"`.
fn name_of(lead: &str) -> &str {
    let bare = lead.trim_end_matches(['"', '\'', '`', '*', '\\']);
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    bare.rsplit(|c| !is_of_name(c)).next().unwrap_or_default()
}
