//! The random choices of one case, all of them from its number.

/// Makes choices, texts and damage.
pub(crate) struct Random(fastrand::Rng);

/// Pieces that texts are made of: plain words, other scripts, what joins and turns, what a terminal obeys.
const PIECES: &[&str] = &[
    "a",
    "word",
    "Ebbtide",
    " ",
    " ",
    " ",
    ". ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{9b}2J",
    "\u{202e}",
    "\u{feff}",
    "é",
    "e\u{301}",
    "漢字",
    "かな。",
    "👩\u{200d}👩\u{200d}👧",
    "👍🏽",
    "\u{200d}",
    "ß",
    "İ",
    "\u{10ffff}",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "-",
    "#",
    "0",
    "18446744073709551615",
    "-1",
    "1e400",
    "null",
];

impl Random {
    /// The choices of the case with this number.
    pub(crate) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.usize(..end) }
    }

    /// A number from `from` up to and with `upto`.
    pub(crate) fn between(&mut self, from: usize, upto: usize) -> usize {
        self.0.usize(from..=upto)
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Any byte.
    pub(crate) fn byte(&mut self) -> u8 {
        self.0.u8(..)
    }

    /// A text of up to so many of the given pieces, now and then of the pieces that are hostile everywhere
    /// and of any sign at all.
    pub(crate) fn text_of(&mut self, pieces: &[&str], most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.below(most + 1) {
            match self.below(12) {
                0 => text.push(self.0.char(..)),
                1 => text.push_str(self.one(PIECES)),
                _ => text.push_str(self.one(pieces)),
            }
        }
        text
    }

    /// A text of up to so many pieces of every kind.
    pub(crate) fn text(&mut self, most: usize) -> String {
        self.text_of(PIECES, most)
    }

    /// Cuts a text into parts at random places; joined they are the text.
    pub(crate) fn split<'a>(&mut self, bytes: &'a [u8]) -> Vec<&'a [u8]> {
        let longest = self.one(&[1, 3, 17, 400]);
        let (mut parts, mut rest) = (Vec::new(), bytes);
        while !rest.is_empty() {
            let (part, more) = rest.split_at(self.between(1, longest).min(rest.len()));
            parts.push(part);
            rest = more;
        }
        parts
    }
}
