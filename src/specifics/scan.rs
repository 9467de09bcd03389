//! One message under the finders: its text, what was found, and what is claimed already.

use std::ops::Range;

use super::pattern::Pattern;
use super::stretch::Stretches;
use super::token::{self, DIGIT, Token, WIDE};
use super::words::Words;
use super::{Kind, LONGEST};

/// A message that is being read.
pub(super) struct Scan<'t> {
    /// The message.
    pub(super) text: &'t str,
    /// All of it, to be searched for patterns.
    pub(super) whole: &'t Stretches<'t>,
    /// Its words.
    pub(super) tokens: &'t [Token],
    /// Its figures with the four words before each, and all between those that are not further apart.
    pub(super) figures: Stretches<'t>,
    /// Those of them that stand behind other words than those of an amount, and perhaps some others.
    pub(super) coded: Stretches<'t>,
    /// Whether the log is German, in which every noun has a capital.
    pub(super) german: bool,
    /// For each byte, the kind of the finder that claimed it last.
    claimed: Vec<Option<Kind>>,
    finds: Vec<(Range<usize>, Kind)>,
}

impl<'t> Scan<'t> {
    /// A message that nobody has read yet, in which a pattern tells the figures that stand behind other words than those of
    /// an amount.
    pub(super) fn new(
        text: &'t str,
        whole: &'t Stretches<'t>,
        tokens: &'t [Token],
        german: bool,
        coded: &Pattern,
    ) -> Self {
        let figures = around(text, tokens, DIGIT | WIDE, 4, 0);
        let coded = figures.with(coded);
        let claimed = vec![None; text.len()];
        let finds = Vec::new();
        Self { text, whole, tokens, figures, coded, german, claimed, finds }
    }

    /// Those of its words that hold one of some signs, each with some words before and behind it.
    pub(super) fn around(&self, signs: u8, before: usize, behind: usize) -> Stretches<'t> {
        around(self.text, self.tokens, signs, before, behind)
    }

    /// Whether no finder has claimed any part of it.
    pub(super) fn is_free(&self, range: &Range<usize>) -> bool {
        self.claimed[range.clone()].iter().all(Option::is_none)
    }

    /// Takes a find and claims its place.
    pub(super) fn claim(&mut self, range: Range<usize>, kind: Kind) {
        self.claimed[range.clone()].fill(Some(kind));
        self.note(range, kind);
    }

    /// Takes a find if nobody has claimed its place.
    pub(super) fn claim_free(&mut self, range: Range<usize>, kind: Kind) {
        if self.is_free(&range) {
            self.claim(range, kind);
        }
    }

    /// Claims a place without a find, because it is no detail but data of that kind.
    pub(super) fn block(&mut self, range: Range<usize>, kind: Kind) {
        self.claimed[range].fill(Some(kind));
    }

    /// What the byte at a place is part of.
    pub(super) fn kind_at(&self, at: usize) -> Option<Kind> {
        self.claimed.get(at).copied().flatten()
    }

    /// Takes a find and leaves its place to others too.
    pub(super) fn note(&mut self, range: Range<usize>, kind: Kind) {
        if !range.is_empty() && range.len() <= LONGEST {
            self.finds.push((range, kind));
        }
    }

    /// The places of what was found of a kind so far, in the order in which it was found.
    pub(super) fn places(&self, kind: Kind) -> Vec<Range<usize>> {
        self.finds.iter().filter(|find| find.1 == kind).map(|find| find.0.clone()).collect()
    }

    /// The finds in the order of their places.
    pub(super) fn into_finds(mut self) -> Vec<(Range<usize>, Kind)> {
        self.finds.sort_by_key(|(range, kind)| (range.start, *kind, range.end));
        self.finds
    }
}

fn around<'t>(
    text: &'t str,
    tokens: &[Token],
    signs: u8,
    before: usize,
    behind: usize,
) -> Stretches<'t> {
    let places = token::around(tokens, before, behind, |token| token.has(signs));
    Stretches::at(text, places.into_iter())
}

/// The character before a place.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// The character at a place.
pub(super) fn after(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

/// Whether neither side continues a word.
pub(super) fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    !before(text, range.start).is_some_and(word) && !after(text, range.end).is_some_and(word)
}

/// The word that ends right before a place, without the white space between; looks back 40 bytes at most.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    let line = lead(text, at, 40).trim_end_matches([' ', '\u{a0}', '`', '"', '\'', '“', '(']);
    let word = line.rsplit(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    word.into_iter().next().unwrap_or_default()
}

/// What stands behind a place, as far as it can say anything of what ends there.
pub(super) fn near(text: &str, at: usize) -> &str {
    const MOST: usize = 160;
    let mut end = (at + MOST).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    &text[at..end]
}

/// The beginning of the sentence in which a place is, so many bytes of it at most.
pub(super) fn sentence_before(text: &str, at: usize, most: usize) -> &str {
    let line = lead(text, at, most).rsplit(['\n', ';', '!', '?']).next().unwrap_or_default();
    line.rsplit(". ").next().unwrap_or_default()
}

/// What stands in front of a place, so many bytes at most.
pub(super) fn lead(text: &str, at: usize, most: usize) -> &str {
    let mut start = at.saturating_sub(most);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..at]
}

/// Words that show a text to be German, in which every noun has a capital.
static GERMAN: Words = Words::new(
    "Auch Auf Das Dem Den Der Die Ein Eine Es Für Ich Mit Nicht Und Wie Wir aber auch auf beim bitte das dann dem den der die \
     ein eine es für haben ich ist kein keine kommen kommt mit nach nicht noch nur oder schon sind soll und uns vom von wenn \
     werden wie wir wird zu zum zur über",
);

/// From this share of German words on, in per cent, a log is German; quotations in an English one stay below.
const GERMAN_PERCENT: usize = 8;

/// Whether a log seems to be German. Looks at the first hundred words of each message.
pub(super) fn is_german(messages: &[&str], share: impl Fn(&str) -> German) -> bool {
    let shares = messages.iter().map(|text| share(text));
    shares.fold(German::default(), German::and).prevails()
}

/// How many words of a log are German.
#[derive(Debug, Clone, Copy, Default)]
pub struct German {
    german: usize,
    words: usize,
}

impl German {
    /// How much of a message is.
    pub(super) fn of(text: &str) -> Self {
        let mut share = Self::default();
        share.read(text);
        share
    }

    /// Of two messages.
    pub(super) fn and(self, other: Self) -> Self {
        Self { german: self.german + other.german, words: self.words + other.words }
    }

    /// Counts those among the first hundred of another message.
    pub fn read(&mut self, text: &str) {
        for word in token::tokens(text).take(100) {
            self.german += usize::from(GERMAN.holds(&text[word.place.range()]));
            self.words += 1;
        }
    }

    /// Whether the log seems to be German as far as it was read.
    pub fn prevails(self) -> bool {
        self.german > 1 && self.german * 100 >= self.words * GERMAN_PERCENT
    }
}
