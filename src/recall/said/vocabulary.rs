//! All terms of an index, each under a number, and which of them look alike.

use super::code::{self, Reader};
use super::met::Met;
use super::terms::{self, Piece};

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

/// Terms in the order in which they came. One text and numbers instead of a tree of strings.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    text: String,
    ends: Vec<u32>,
    /// For each part, the terms that hold it; some parts share a list.
    with_part: Vec<Vec<u32>>,
    /// Open addressing: numbers of terms; the length is a power of two and at least a quarter is free.
    slots: Vec<u32>,
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
            Piece::Term(term) => all.push(self.intern(term)),
        });
        all
    }

    fn number_of_word(&mut self, word: &str) -> Option<u32> {
        if word.is_empty() {
            return None;
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
        self.ends.len()
    }

    /// A term by its number.
    pub(super) fn text(&self, number: u32) -> &str {
        let at = number as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[at] as usize]
    }

    /// The number of a term.
    pub(super) fn number(&self, term: &str) -> Option<u32> {
        let at = self.slot(term)?;
        Some(self.slots[at]).filter(|&number| number != NONE)
    }

    /// The number of a term, a new one if need be.
    pub(super) fn intern(&mut self, term: &str) -> u32 {
        if let Some(number) = self.number(term) {
            return number;
        }
        if (self.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let number = self.len() as u32;
        self.text.push_str(term);
        self.ends.push(self.text.len() as u32);
        self.with_part.resize_with(LISTS, Vec::new);
        for part in parts(term) {
            self.with_part[part as usize % LISTS].push(number);
        }
        if let Some(at) = self.slot(term) {
            self.slots[at] = number;
        }
        number
    }

    /// Other terms that share at least half of their parts with one, the most alike first, each with how
    /// much, up to 1.
    pub(super) fn alike(&self, term: &str) -> Vec<(u32, f64)> {
        let own = parts(term);
        let lists = own.iter().filter_map(|part| self.with_part.get(*part as usize % LISTS));
        let mut holding: Vec<u32> = lists.flatten().copied().collect();
        holding.sort_unstable();
        // With fewer in common, at least half cannot be: a term has one part less than letters.
        let enough = |same: &&[u32]| {
            let least = 4 * same.len() + 1;
            least > own.len() && least >= own.len() + self.text(same[0]).chars().count()
        };
        let candidates = holding.chunk_by(|a, b| a == b).filter(enough).map(|same| same[0]);
        let alike = |number| (number, dice(&own, &parts(self.text(number))));
        let is_other = |(number, alike): &(u32, f64)| *alike >= ALIKE && self.text(*number) != term;
        let mut found: Vec<(u32, f64)> = candidates.map(alike).filter(is_other).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.truncate(MOST_ALIKE);
        found
    }

    /// Appends all terms, for [`Vocabulary::read`].
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        code::put(bytes, self.len() as u64);
        for number in 0..self.len() {
            code::put_text(bytes, self.text(number as u32));
        }
    }

    /// Reads what [`Vocabulary::write`] wrote.
    pub(super) fn read(reader: &mut Reader) -> Option<Self> {
        let mut read = Self::default();
        for number in 0..reader.small()? {
            (read.intern(reader.text()?) == number).then_some(())?;
        }
        Some(read)
    }

    /// Where a term is, or the free place where it belongs; `None` in an empty table.
    fn slot(&self, term: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = code::hash(0, term.as_bytes()) as usize & mask;
        while self.slots[at] != NONE && self.text(self.slots[at]) != term {
            at = (at + 1) & mask;
        }
        Some(at)
    }

    fn grow(&mut self) {
        self.slots = vec![NONE; (self.slots.len() * 2).max(64)];
        for number in 0..self.len() as u32 {
            if let Some(at) = self.slot(self.text(number)) {
                self.slots[at] = number;
            }
        }
    }
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
        // Four letters: those before are shifted out.
        letters = letters << 16 ^ u64::from(u32::from(c));
        if nth >= PART {
            parts.push(code::hash(letters, &[]) as u32);
        }
    }
    if parts.len() < FEWEST_PARTS {
        parts.clear();
    }
    parts.sort_unstable();
    parts
}

/// Twice what is shared, of all parts of both.
fn dice(one: &[u32], other: &[u32]) -> f64 {
    let shared = one.iter().filter(|part| other.binary_search(part).is_ok()).count();
    2.0 * shared as f64 / (one.len() + other.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(terms: &[&str]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for term in terms {
            vocabulary.intern(term);
        }
        vocabulary
    }

    #[test]
    fn terms_keep_their_number_through_growth_and_a_file() {
        let terms: Vec<String> = (0..1000).map(|n| format!("term{n}")).collect();
        let mut vocabulary = of(&terms.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(vocabulary.intern("term7"), 7);
        let mut bytes = Vec::new();
        vocabulary.write(&mut bytes);
        let read = Vocabulary::read(&mut Reader(&bytes)).unwrap();
        assert!(terms.iter().enumerate().all(|(n, term)| read.number(term) == Some(n as u32)));
        assert_eq!(read.number("other"), None);
        assert!(Vocabulary::read(&mut Reader(&bytes[..bytes.len() - 1])).is_none());
    }

    #[test]
    fn terms_with_most_parts_in_common_are_alike() {
        let vocabulary = of(&["psychologist", "bookshelf", "migrat", "geolog", "4012"]);
        let alike = |term| -> Vec<&str> {
            vocabulary.alike(term).iter().map(|(n, _)| vocabulary.text(*n)).collect()
        };
        assert_eq!(alike("psycholog"), ["psychologist"]);
        assert_eq!(alike("migart"), [""; 0]);
        assert_eq!(alike("401"), [""; 0]);
        assert_eq!(alike("migrat"), [""; 0]);
    }
}
