//! Finds words in the conversation.
//!
//! What is found is what is shown: a block that may hold the words is laid out, and its rows are
//! searched as if they had not been broken. The search goes backwards from the newest block, in steps
//! of a bounded size, so that a long conversation never keeps the screen waiting.

use std::collections::VecDeque;
use std::ops::Range;

use super::Transcript;
use super::block::{Block, Part};
use crate::letters;
use crate::tui::ink::Joint;

/// Bytes of text that one step looks at. Laying a block out counts as if more bytes were looked at: so
/// many for the block, and so many for each of its bytes.
const STEP: usize = 1_000_000;
const LAYOUT: usize = 10_000;
const LAYOUT_BYTE: usize = 100;

/// Rows above and below the screen in which a match may begin or end that is also on it.
const MARGIN: usize = 8;

/// A part of a match: a row of its block and bytes of the row's text.
pub(super) type Piece = (usize, Range<usize>);

/// The match that is shown, in rows of one layout.
#[derive(Debug, Clone)]
struct Shown {
    block: usize,
    layout: (usize, bool),
    pieces: Vec<Piece>,
}

/// A search under way.
#[derive(Debug, Clone)]
pub(super) struct Find {
    /// What is looked for, in lower case, white space as single spaces.
    needle: Vec<char>,
    /// Its longest word: a block without it holds no match, unless marks stand in its words.
    word: String,
    /// Blocks with matches and how many, newest first.
    hits: VecDeque<(usize, usize)>,
    total: usize,
    /// The match that is shown, counted from the newest.
    current: usize,
    shown: Option<Shown>,
    /// The blocks that have been searched.
    searched: Range<usize>,
}

impl Find {
    fn new(query: &str, end: usize) -> Option<Self> {
        let lower: Vec<String> = query.split_whitespace().map(folded).collect();
        let needle: Vec<char> = lower.join(" ").chars().collect();
        let words = lower.iter().flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
        let word = words.max_by_key(|word| word.len()).unwrap_or_default().to_owned();
        let (hits, searched) = (VecDeque::new(), end..end);
        let find = Self { needle, word, hits, total: 0, current: 0, shown: None, searched };
        (!find.needle.is_empty()).then_some(find)
    }

    /// Whether everything from `first` on has been searched.
    pub(super) fn needs_earlier(&self, first: usize) -> bool {
        self.searched.start <= first
    }

    /// Adds what a block holds, at the newest or at the oldest end.
    fn add(&mut self, block: usize, count: usize, newest: bool) {
        if count > 0 && newest {
            self.hits.push_front((block, count));
            self.current += if self.total > 0 { count } else { 0 };
        } else if count > 0 {
            self.hits.push_back((block, count));
        }
        self.total += count;
    }

    /// The block of the match that is shown, and the match's place among those of the block.
    fn current(&self) -> Option<(usize, usize)> {
        let mut before = self.current;
        for &(block, count) in &self.hits {
            if before < count {
                return Some((block, count - 1 - before));
            }
            before -= count;
        }
        None
    }

    /// The matches in some rows of a block; the one that is shown is marked.
    pub(super) fn marks(
        &self,
        number: usize,
        block: &Block,
        rows: &Range<usize>,
    ) -> Vec<(Piece, bool)> {
        let rows = rows.start.saturating_sub(MARGIN)..rows.end.saturating_add(MARGIN);
        let shown = self.shown.as_ref().filter(|shown| shown.block == number);
        let mut marks = Vec::new();
        for pieces in matches(block, &self.needle, rows) {
            let current = shown.is_some_and(|shown| shown.pieces == pieces);
            marks.extend(pieces.into_iter().map(|piece| (piece, current)));
        }
        marks
    }
}

impl Transcript {
    /// Looks for words, upper and lower case alike; for nothing if there are none. Shows the newest
    /// match as soon as it is found.
    pub fn find(&mut self, query: &str) {
        self.find = Find::new(query, self.settled_end());
        self.whole = self.find.is_some();
    }

    /// Ends the search; the place stays.
    pub fn end_find(&mut self) {
        self.find = None;
        self.whole = false;
    }

    /// The number of the match that is shown, from the newest as 1, and how many were found; `None`
    /// without a search.
    pub fn found(&self) -> Option<(usize, usize)> {
        let find = self.find.as_ref()?;
        Some((if find.total == 0 { 0 } else { find.current + 1 }, find.total))
    }

    /// Whether there are blocks that have not been searched.
    pub fn is_searching(&self) -> bool {
        self.find.as_ref().is_some_and(|find| {
            find.searched.start > self.first || find.searched.end < self.settled_end()
        })
    }

    /// Whether there is a block that is not searched because it still grows.
    pub fn leaves_unsearched(&self) -> bool {
        self.find.is_some() && self.live.is_some()
    }

    /// Searches a bounded number of further blocks.
    pub fn search_on(&mut self) {
        let Some(mut find) = self.find.take() else { return };
        let had_any = find.total > 0;
        let mut left = STEP;
        while find.searched.end < self.settled_end() && left > 0 {
            let (count, cost) = self.count(find.searched.end, &find);
            find.add(find.searched.end, count, true);
            find.searched.end += 1;
            left = left.saturating_sub(cost);
        }
        while find.searched.start > self.first && left > 0 {
            find.searched.start -= 1;
            let (count, cost) = self.count(find.searched.start, &find);
            find.add(find.searched.start, count, false);
            left = left.saturating_sub(cost);
        }
        let show = !had_any && find.total > 0;
        self.find = Some(find);
        if show {
            self.show_match();
        }
    }

    /// To the next match: an older one, or a newer one. Goes round at both ends.
    pub fn step_match(&mut self, older: bool) {
        let Some(find) = self.find.as_mut().filter(|find| find.total > 0) else { return };
        let step = if older { 1 } else { find.total - 1 };
        find.current = (find.current + step) % find.total;
        self.show_match();
    }

    /// Chooses the block of the match that is shown.
    pub fn choose_match(&mut self) {
        match self.find.as_ref().and_then(Find::current) {
            Some((number, _)) => self.chosen = Some(number),
            None => self.enter(),
        }
    }

    fn show_match(&mut self) {
        self.place_match();
        let shown = self.find.as_ref().and_then(|find| find.shown.as_ref());
        let place = shown.and_then(|shown| Some((shown.block, shown.pieces.first()?.0)));
        if let Some((block, row)) = place {
            self.reveal(block, row);
        }
    }

    /// Finds the rows of the match that is shown.
    pub(super) fn place_match(&mut self) {
        let Some((number, nth)) = self.find.as_ref().and_then(Find::current) else { return };
        self.lay_out(number);
        let layout = (self.width, self.raw);
        let Some(mut find) = self.find.take() else { return };
        let found = self.block(number).map(|block| matches(block, &find.needle, 0..usize::MAX));
        let pieces = found.unwrap_or_default().into_iter().nth(nth).unwrap_or_default();
        find.shown = Some(Shown { block: number, layout, pieces });
        self.find = Some(find);
    }

    /// The same again, if the rows have been made anew since.
    pub(super) fn keep_match(&mut self) {
        let shown = self.find.as_ref().and_then(|find| find.shown.as_ref());
        if shown.is_some_and(|shown| shown.layout != (self.width, self.raw)) {
            self.place_match();
        }
    }

    /// How many matches a block holds, and what it cost to say so.
    fn count(&mut self, number: usize, find: &Find) -> (usize, usize) {
        let Some(block) = self.block(number) else { return (0, 1) };
        let bytes = block.text().len() + 1;
        let may_hold = holds(block.text(), &find.word)
            || block.kind.is_markdown() && has_marks_in_words(block.text());
        if !may_hold {
            return (0, bytes);
        }
        self.lay_out(number);
        let count =
            self.block(number).map_or(0, |block| matches(block, &find.needle, 0..usize::MAX).len());
        if !self.is_on_screen(number) {
            self.forget(number);
        }
        (count, LAYOUT + bytes * LAYOUT_BYTE)
    }

    /// The number behind the last block that no longer grows.
    fn settled_end(&self) -> usize {
        self.live.unwrap_or(self.end())
    }
}

/// A text without case, accents and width, and with the digits of Europe: as it is searched.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for sign in text.chars() {
        letters::fold(letters::usual_sign(sign), &mut folded);
    }
    folded
}

/// Whether a text holds a word that is folded.
fn holds(text: &str, word: &str) -> bool {
    let Some(first) = word.bytes().next() else { return true };
    if !text.is_ascii() {
        return folded(text).contains(word);
    }
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let ends = text.len().saturating_sub(word.len() - 1);
    (0..ends).any(|at| {
        text[at].to_ascii_lowercase() == first
            && text[at..at + word.len()].eq_ignore_ascii_case(word)
    })
}

/// Whether marks of Markdown that are not shown stand in a word of a text: `re**read**`, `&eacute;tude`.
fn has_marks_in_words(text: &str) -> bool {
    const MARKS: &[char] = &['*', '~', '`', '[', ']', '&', '<', '\\'];
    text.match_indices(MARKS).any(|(at, _)| {
        let ends_word = text[at..].starts_with('&') || text[..at].ends_with(char::is_alphanumeric);
        ends_word && text[at..].trim_start_matches(MARKS).starts_with(char::is_alphanumeric)
    })
}

/// The matches in some rows of a block, in order; each is one piece a row.
fn matches(block: &Block, needle: &[char], rows: Range<usize>) -> Vec<Vec<Piece>> {
    let letters = letters(block, rows);
    let mut found = Vec::new();
    let mut at = 0;
    while at + needle.len() <= letters.len() {
        let here = &letters[at..at + needle.len()];
        if here.iter().zip(needle).all(|(letter, wanted)| letter.character == *wanted) {
            found.push(pieces(here));
            at += needle.len();
        } else {
            at += 1;
        }
    }
    found
}

/// A letter of a block as it is searched, and where it stands.
struct Letter {
    character: char,
    /// Its row and its bytes there; none for what stands between two rows.
    place: Option<Piece>,
}

fn letters(block: &Block, rows: Range<usize>) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::new();
    let mut sign = String::new();
    let space = |letters: &[Letter]| letters.last().is_some_and(|last| last.character == ' ');
    let rows = rows.start..rows.end.min(block.cache.rows.len());
    for (nth, row) in block.cache.rows.iter().enumerate().take(rows.end).skip(rows.start) {
        if !matches!(row.part, Part::Body | Part::Rule) {
            continue;
        }
        let start = row.line.styled.text().len() - row.line.content().len();
        for (at, character) in row.line.content().char_indices() {
            let end = start + at + character.len_utf8();
            sign.clear();
            letters::fold(letters::usual_sign(character), &mut sign);
            // A mark belongs to the letter before it.
            if sign.is_empty()
                && let Some(Letter { place: Some((row, bytes)), .. }) = letters.last_mut()
                && *row == nth
            {
                bytes.end = end;
            }
            for character in sign.chars() {
                let character = if character.is_whitespace() { ' ' } else { character };
                if character != ' ' || !space(&letters) {
                    letters.push(Letter { character, place: Some((nth, start + at..end)) });
                }
            }
        }
        if row.line.joint != Joint::Nothing && !space(&letters) {
            letters.push(Letter { character: ' ', place: None });
        }
    }
    letters
}

fn pieces(letters: &[Letter]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (row, bytes) in letters.iter().filter_map(|letter| letter.place.clone()) {
        match pieces.last_mut() {
            Some((last, covered)) if *last == row => covered.end = bytes.end,
            _ => pieces.push((row, bytes)),
        }
    }
    pieces
}
