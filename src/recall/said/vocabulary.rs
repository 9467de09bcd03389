//! All terms of an index, each under a number, and which of them look alike. The texts of most stand in the file of the
//! blocks, those that came since it was made in memory.

use std::borrow::Cow;
use std::io;

use super::code::{self, Reader};
use super::log::Pieces;
use super::met::Met;
use super::slots::Slots;
use super::sums::{PIECE, Summed};
use crate::memory::ascending::Ascending;
use crate::memory::tight;
use crate::recall::terms::{self, Piece};

/// Terms compared with one that is looked up count as alike from this on (Dice's coefficient of their
/// four-letter parts), and no more of them than so many.
const ALIKE: f64 = 0.5;
const MOST_ALIKE: usize = 6;

/// Letters of a part, and how many parts the shortest term has that is compared.
const PART: usize = 4;
const FEWEST_PARTS: usize = 3;

/// Lists of terms by their parts. A power of two.
const LISTS: usize = 1 << 14;

/// No term.
const NONE: u32 = u32::MAX;

/// So many terms stay in memory: those said first are those that are said most.
const COMMON: usize = 1 << 16;

/// The place of every so many terms in the file is known; from there on it is looked for.
const GROUP: usize = 16;

/// Texts by number, as one.
#[derive(Debug, Default)]
pub(super) struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.text.capacity() - self.text.len() < text.len() {
            self.text.reserve_exact(text.len().max(self.text.len() / 8));
        }
        self.text.push_str(text);
        tight::push(&mut self.ends, self.text.len() as u32);
    }

    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start as usize..end as usize])
    }
}

/// Room to count in how many of some lists each term stands; kept from one term to the next.
#[derive(Debug, Default)]
pub(super) struct Room {
    listed: Vec<u32>,
    /// By term; all are 0 between two terms.
    often: Vec<u8>,
}

impl Room {
    /// Keeps no more room for lists than is asked for often.
    pub(super) fn shrink(&mut self, most: usize) {
        self.listed.clear();
        self.listed.shrink_to(most);
    }

    /// Counts terms that stand in lists, of so many terms.
    fn count(&mut self, listed: impl Iterator<Item = u32>, terms: usize) {
        self.listed.clear();
        self.listed.extend(listed);
        let more = terms.saturating_sub(self.often.len());
        tight::make_room(&mut self.often, more);
        self.often.resize(self.often.len() + more, 0);
        for &term in &self.listed {
            let often = &mut self.often[term as usize];
            *often = often.saturating_add(1);
        }
    }

    /// Each of them once, and how often it was counted; takes the counts back.
    fn take(&mut self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let Self { listed, often } = self;
        let taken = listed.iter().map(|&term| (term, std::mem::take(&mut often[term as usize])));
        taken.filter(|(_, often)| *often > 0)
    }
}

/// The terms in the file, one text after the other.
#[derive(Debug)]
struct InFile {
    file: Pieces,
    start: u64,
    length: u64,
    count: usize,
    /// Where every group begins, counted from the start.
    groups: Vec<u64>,
}

impl InFile {
    /// A term; none where it cannot be read.
    fn get(&self, at: usize) -> Option<String> {
        let from = *self.groups.get(at / GROUP)?;
        let to = self.groups.get(at / GROUP + 1).copied().unwrap_or(self.length);
        let bytes = self.file.read(self.start + from, (to - from) as usize).ok()?;
        let mut reader = Reader(&bytes);
        (0..at % GROUP).try_for_each(|_| reader.pass_text())?;
        reader.text().map(str::to_owned)
    }

    /// All of them from the first on, until one does not fit or the count is reached.
    fn each(&mut self, mut found: impl FnMut(&str)) -> Option<()> {
        let (mut at, mut number) = (0, 0);
        while number < self.count {
            let piece = PIECE.min((self.length - at) as usize);
            let bytes = self.file.read(self.start + at, piece).ok()?;
            let (mut left, before) = (&bytes[..], number);
            while number < self.count {
                let place = at + (bytes.len() - left.len()) as u64;
                let mut reader = Reader(left);
                // Perhaps it goes on in the next piece.
                let Some(text) = reader.text() else { break };
                if number.is_multiple_of(GROUP) {
                    self.groups.push(place);
                }
                found(text);
                (number, left) = (number + 1, reader.0);
            }
            (number > before).then_some(())?;
            at += (bytes.len() - left.len()) as u64;
        }
        (at == self.length).then_some(())
    }
}

/// Terms in the order in which they came, without a tree of strings.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    common: Texts,
    file: Option<InFile>,
    /// Those behind the ones in the file.
    since: Texts,
    /// For each part, the terms that hold it; some parts share a list.
    with_part: Vec<Ascending>,
    numbers: Slots,
    /// What words were met lately.
    met: Met,
}

impl Vocabulary {
    /// The terms of a text by their numbers, in order of appearance; new ones if need be.
    pub(super) fn intern_all(&mut self, text: &str) -> Vec<u32> {
        /// Bytes of a text for each of its terms: rather fewer than there are.
        const FEW: usize = 6;
        let mut all = Vec::with_capacity(text.len() / FEW);
        terms::each(text, |piece| match piece {
            Piece::Word(word) => all.extend(self.number_of_word(word)),
            Piece::Characters(term) => all.push(self.intern(term)),
        });
        all
    }

    fn number_of_word(&mut self, word: &str) -> Option<u32> {
        let first = *word.as_bytes().first()?;
        // A number is hardly met twice, and would take the place of a word.
        if first.is_ascii_digit() {
            return terms::term_if_any(word).map(|term| self.intern(&term));
        }
        let place = Met::place(word);
        let number = self.met.get(place, word).unwrap_or_else(|| {
            let number = terms::term_if_any(word).map_or(NONE, |term| self.intern(&term));
            self.met.put(place, word, number);
            number
        });
        (number != NONE).then_some(number)
    }

    /// Number of terms.
    pub(super) fn len(&self) -> usize {
        self.in_file() + self.since.len()
    }

    fn in_file(&self) -> usize {
        self.file.as_ref().map_or(0, |file| file.count)
    }

    /// A term by its number; empty where it cannot be read.
    pub(super) fn text(&self, number: u32) -> Cow<'_, str> {
        let at = number as usize;
        let held = self.common.get(at).or_else(|| self.since.get(at.checked_sub(self.in_file())?));
        if let Some(text) = held {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.file.as_ref().and_then(|file| file.get(at)).unwrap_or_default())
    }

    /// The number of a term.
    pub(super) fn number(&self, term: &str) -> Option<u32> {
        self.numbers.of(hash(term)).find(|&number| self.text(number) == term)
    }

    /// The number of a term, a new one if need be.
    pub(super) fn intern(&mut self, term: &str) -> u32 {
        if let Some(number) = self.number(term) {
            return number;
        }
        let number = self.len() as u32;
        self.since.push(term);
        self.know(term, number);
        number
    }

    /// Makes a term findable.
    fn know(&mut self, term: &str, number: u32) {
        self.with_part.resize_with(LISTS, Ascending::default);
        for part in parts(term) {
            self.with_part[part as usize % LISTS].push(number);
        }
        self.numbers.add(hash(term), number);
    }

    /// Other terms that share at least half of their parts with one, the most alike first, each with how
    /// much, up to 1.
    pub(super) fn alike(&self, term: &str, room: &mut Room) -> Vec<(u32, f64)> {
        let own = parts(term);
        let lists = own.iter().filter_map(|part| self.with_part.get(*part as usize % LISTS));
        room.count(lists.flat_map(Ascending::iter), self.len());
        // With fewer in common, at least half cannot be: a term has one part less than letters.
        let enough = |&(number, common): &(u32, u8)| {
            let most = 4 * usize::from(common);
            most >= own.len() + FEWEST_PARTS
                && most + 1 >= own.len() + self.text(number).chars().count()
        };
        let candidates = room.take().filter(enough).map(|(number, _)| number);
        let alike = |number| (number, dice(&own, &parts(&self.text(number))));
        let is_other = |(number, alike): &(u32, f64)| *alike >= ALIKE && self.text(*number) != term;
        let mut found: Vec<(u32, f64)> = candidates.map(alike).filter(is_other).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MOST_ALIKE);
        found
    }

    /// Tells terms that hold the first four letters of a word, or end with all of a shorter one, by their numbers: not all,
    /// where those stand in very many.
    pub(super) fn each_holding(&self, word: &str, mut tell: impl FnMut(u32, &str)) {
        /// Terms that are looked at.
        const MOST: usize = 1 << 12;
        let letters = word.chars().chain("$".chars()).take(PART);
        let part = part(letters.fold(0, with_letter));
        let list = self.with_part.get(part as usize % LISTS);
        for number in list.into_iter().flat_map(Ascending::iter).take(MOST) {
            tell(number, &self.text(number));
        }
    }

    /// Bytes of terms in memory that a new file sets free.
    pub(super) fn in_memory(&self) -> u64 {
        self.since.text.len() as u64
    }

    /// Writes all terms, for [`Vocabulary::read`], and says where every group begins.
    pub(super) fn write(&self, to: &mut Summed) -> io::Result<Vec<u64>> {
        let (start, mut groups) = (to.length(), Vec::new());
        if let Some(known) = &self.file {
            groups.clone_from(&known.groups);
            for at in (0..known.length).step_by(PIECE) {
                let piece = PIECE.min((known.length - at) as usize);
                to.add(&known.file.read(known.start + at, piece)?)?;
            }
        }
        for number in self.in_file()..self.len() {
            if number.is_multiple_of(GROUP) {
                groups.push(to.length() - start);
            }
            to.add_text(&self.text(number as u32))?;
        }
        Ok(groups)
    }

    /// Goes on with a file in which all terms stand at a place, and what [`Vocabulary::write`] said of it.
    pub(super) fn go_on_in(&mut self, file: Pieces, start: u64, length: u64, groups: Vec<u64>) {
        let count = self.len();
        for number in self.common.len()..count.min(COMMON) {
            let term = self.text(number as u32).into_owned();
            self.common.push(&term);
        }
        self.file = Some(InFile { file, start, length, count, groups });
        self.since = Texts::default();
    }

    /// Reads what [`Vocabulary::write`] wrote; the texts stay in the file.
    pub(super) fn read(file: Pieces, start: u64, length: u64, count: usize) -> Option<Self> {
        let mut read = Self::default();
        let mut in_file = InFile { file, start, length, count, groups: Vec::new() };
        let mut number = 0;
        in_file.each(|term| {
            if read.common.len() < COMMON {
                read.common.push(term);
            }
            read.know(term, number);
            number += 1;
        })?;
        read.file = Some(in_file);
        Some(read)
    }
}

/// By which a term is looked for.
fn hash(term: &str) -> u32 {
    code::hash(0, term.as_bytes()) as u32
}

/// The four-letter parts of a term with its borders, as hashes, ascending. Numbers and short terms have none:
/// 401 is not much like 4012.
fn parts(term: &str) -> Vec<u32> {
    if term.len() < PART || term.bytes().any(|b| b.is_ascii_digit()) {
        return Vec::new();
    }
    let mut parts = Vec::with_capacity(term.len());
    let bordered = "^".chars().chain(term.chars()).chain("$".chars());
    let mut letters = 0;
    for (nth, c) in (1..).zip(bordered) {
        letters = with_letter(letters, c);
        if nth >= PART {
            parts.push(part(letters));
        }
    }
    if parts.len() < FEWEST_PARTS {
        parts.clear();
    }
    parts.sort_unstable();
    parts
}

/// Four letters with one more behind them: the first one is shifted out.
fn with_letter(letters: u64, letter: char) -> u64 {
    letters << 16 ^ u64::from(u32::from(letter))
}

/// The part that four letters are.
fn part(letters: u64) -> u32 {
    code::hash(letters, &[]) as u32
}

/// Twice what is shared, of all parts of both.
fn dice(one: &[u32], other: &[u32]) -> f64 {
    let shared = one.iter().filter(|part| other.binary_search(part).is_ok()).count();
    2.0 * shared as f64 / (one.len() + other.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;

    use super::*;

    fn of(terms: &[&str]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for term in terms {
            vocabulary.intern(term);
        }
        vocabulary
    }

    /// Goes on in a file behind four bytes of something else.
    fn put_away(vocabulary: &mut Vocabulary, path: &Path) -> u64 {
        let _ = fs::remove_file(path);
        let mut to = Summed::behind(File::create(path).unwrap(), 0, 0);
        to.add(b"head").unwrap();
        let groups = vocabulary.write(&mut to).unwrap();
        let length = to.length() - 4;
        to.end().unwrap();
        vocabulary.go_on_in(Pieces::new(File::open(path).unwrap()), 4, length, groups);
        length
    }

    fn number_all(vocabulary: &Vocabulary, terms: &[String]) {
        for (number, term) in terms.iter().enumerate() {
            assert_eq!(vocabulary.number(term), Some(number as u32));
            assert_eq!(vocabulary.text(number as u32), *term);
        }
        assert_eq!(vocabulary.number("other"), None);
    }

    #[test]
    fn terms_keep_their_number_in_memory_and_in_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("terms");
        let terms: Vec<String> = (0..COMMON + 9_000).map(|n| format!("term{n}")).collect();
        let mut vocabulary = Vocabulary::default();
        for (nth, terms_then) in terms.chunks(COMMON / 2 + 7).enumerate() {
            for term in terms_then {
                vocabulary.intern(term);
            }
            assert_eq!(vocabulary.intern("term7"), 7);
            number_all(&vocabulary, &terms[..vocabulary.len()]);
            if nth < 2 {
                put_away(&mut vocabulary, &path);
                assert_eq!(vocabulary.in_memory(), 0);
                number_all(&vocabulary, &terms[..vocabulary.len()]);
            }
        }
        let length = put_away(&mut vocabulary, &path);
        let read = |length, count| {
            Vocabulary::read(Pieces::new(File::open(&path).unwrap()), 4, length, count)
        };
        number_all(&read(length, terms.len()).unwrap(), &terms);
        for (length, count) in
            [(length - 1, terms.len()), (length, terms.len() - 1), (length, terms.len() + 1)]
        {
            assert!(read(length, count).is_none());
        }
    }

    #[test]
    fn terms_with_most_parts_in_common_are_alike() {
        let vocabulary = of(&["psychologist", "bookshelf", "migrat", "geolog", "4012"]);
        let alike = |term| -> Vec<Cow<str>> {
            vocabulary
                .alike(term, &mut Room::default())
                .iter()
                .map(|(n, _)| vocabulary.text(*n))
                .collect()
        };
        assert_eq!(alike("psycholog"), ["psychologist"]);
        assert_eq!(alike("migart"), [""; 0]);
        assert_eq!(alike("401"), [""; 0]);
        assert_eq!(alike("migrat"), [""; 0]);
    }
}
