//! A text as the finders read it: figures in the digits of ASCII and apart from the words around them, with the units and the
//! months of languages that the finders know nothing of in words that they know.
//!
//! Japanese, Chinese, Korean and Thai write `ポート8443番` without a space, and `30秒`, `३० सेकंड` and `٣٠ ثانية` are all 30 s.
//! What is found in such a text is told as it was said: each of its places is one of the text itself.

mod figure;
mod tables;

use std::borrow::Cow;
use std::ops::Range;

use super::stretch::is_plain;
use crate::letters::is_unspaced;
use figure::{Reading, read};

/// A text that is read so, beside itself.
pub(super) struct Uniform<'t> {
    text: Cow<'t, str>,
    /// What it consists of, in order; nothing if it is the text itself.
    pieces: Vec<Piece>,
}

/// A part of it.
struct Piece {
    /// Where it begins.
    at: usize,
    /// What it stands for: nothing if it only keeps two words apart.
    said: Range<usize>,
    /// Whether it is just that.
    is_same: bool,
}

/// A text as the finders read it, for what is compared and not told.
pub(super) fn uniform(said: &str) -> Cow<'_, str> {
    Uniform::of(said).text
}

impl<'t> Uniform<'t> {
    /// Of a text.
    pub(super) fn of(said: &'t str) -> Self {
        let has_letters = !said.is_ascii() && !said.chars().all(is_plain);
        let is_known = !has_letters && !figure::may_be_read(said);
        if is_known {
            return Self { text: Cow::Borrowed(said), pieces: Vec::new() };
        }
        let mut writing = Writing::default();
        let mut at = 0;
        while let Some(sign) = said[at..].chars().next() {
            writing.look_at_word(said, at);
            let reading = if writing.is_path { None } else { read(said, at) };
            if let Some(Reading { end, text }) = reading {
                writing.replace(said, at..end, &text);
                at = end;
            } else {
                writing.copy(said, at, sign);
                at += sign.len_utf8();
            }
        }
        if writing.is_same {
            return Self { text: Cow::Borrowed(said), pieces: Vec::new() };
        }
        Self { text: Cow::Owned(writing.text), pieces: writing.pieces }
    }

    /// As it is read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The place in the text itself of what stands at one.
    pub(super) fn place(&self, read: Range<usize>) -> Range<usize> {
        if self.pieces.is_empty() || read.is_empty() {
            return read;
        }
        let (first, last) = (self.piece_at(read.start), self.piece_at(read.end - 1));
        let start = first.said.start + if first.is_same { read.start - first.at } else { 0 };
        let end = if last.is_same { last.said.start + read.end - last.at } else { last.said.end };
        start..end.max(start)
    }

    fn piece_at(&self, at: usize) -> &Piece {
        &self.pieces[self.pieces.partition_point(|piece| piece.at <= at) - 1]
    }
}

/// A text that is being written.
struct Writing {
    text: String,
    pieces: Vec<Piece>,
    /// Whether nothing differs from what was said.
    is_same: bool,
    /// Where the word between white space that was met last ends, and where its last slash is.
    word_end: usize,
    last_slash: Option<usize>,
    /// Whether a slash of it was met.
    is_path: bool,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            text: String::new(),
            pieces: Vec::new(),
            is_same: true,
            word_end: 0,
            last_slash: None,
            is_path: false,
        }
    }
}

impl Writing {
    /// Writes one sign as it is, or the one of ASCII that it stands for.
    fn copy(&mut self, said: &str, at: usize, sign: char) {
        let place = at..at + sign.len_utf8();
        if let Some(text) = tables::ascii_mark(sign) {
            return self.put(place, text, false);
        }
        self.is_path |= SLASHES.contains(&sign);
        let ascii = tables::ascii(sign).unwrap_or(sign);
        if let Some(before) = self.text.chars().next_back()
            && is_border(before, ascii)
            && !self.is_in_path(said, at, sign)
        {
            self.put(at..at, " ", false);
            self.is_path = false;
        }
        self.put(place, ascii.encode_utf8(&mut [0; 4]), ascii == sign);
    }

    /// Writes something else for what was said, apart from the words around it.
    fn replace(&mut self, said: &str, place: Range<usize>, text: &str) {
        if self.text.ends_with(char::is_alphanumeric) {
            self.put(place.start..place.start, " ", false);
        }
        let end = place.end;
        self.put(place, text, false);
        if said[end..].starts_with(char::is_alphanumeric) {
            self.put(end..end, " ", false);
        }
    }

    fn put(&mut self, said: Range<usize>, text: &str, is_same: bool) {
        self.is_same &= is_same;
        let goes_on = |last: &&mut Piece| last.is_same && is_same && last.said.end == said.start;
        match self.pieces.last_mut().filter(goes_on) {
            Some(last) => last.said.end = said.end,
            None => self.pieces.push(Piece { at: self.text.len(), said, is_same }),
        }
        self.text.push_str(text);
    }

    /// Takes in the word at a place, if that is another one than before.
    fn look_at_word(&mut self, said: &str, at: usize) {
        if at < self.word_end {
            return;
        }
        let end = said[at..].find(ends_word).map_or(said.len(), |end| at + end);
        self.word_end = end.max(at + 1);
        self.last_slash = said[at..end].rfind(SLASHES).map(|slash| at + slash);
        self.is_path = false;
    }

    /// Whether the border in front of a sign lies within a path: `/資料2024/a.txt`, where `src/a.tsを` ends one.
    fn is_in_path(&self, said: &str, at: usize, sign: char) -> bool {
        let goes_on = self.last_slash.is_some_and(|slash| slash > at);
        self.is_path && (goes_on || !is_unspaced(sign) || has_ending(&said[at..self.word_end]))
    }
}

/// What stands between the names of a path.
const SLASHES: [char; 2] = ['/', '\\'];

/// Whether a name goes on to its ending: `資料.txt`.
fn has_ending(rest: &str) -> bool {
    let ending = rest.trim_start_matches(is_unspaced).strip_prefix('.');
    ending.is_some_and(|ending| ending.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Whether a sign ends a word between white space, or a name in one of those scripts.
fn ends_word(sign: char) -> bool {
    sign.is_whitespace() || "。、，；：！？「」『』（）【】《》\"'`()<>".contains(sign)
}

/// Whether a word of a script without spaces meets one of ASCII.
fn is_border(before: char, sign: char) -> bool {
    is_unspaced(before) && sign.is_ascii_alphanumeric()
        || is_unspaced(sign) && (before.is_ascii_alphanumeric() || before == '%')
}
