//! Terms of a query that stand side by side, looked for in passages as they are written.

use super::bits::{Bits, MOST_TERMS, bit};
use crate::varint;

/// Pairs with so few first terms are looked for one by one.
const FEW: usize = 6;

/// Bytes that are looked at together.
const AT_ONCE: usize = 16;

/// Places for what pairs begin with. A power of two, so large that few share one.
const HEADS: usize = 1 << 11;

/// The bits of the terms that were asked for.
const TERMS: u64 = (1 << MOST_TERMS) - 1;

/// Two terms side by side.
#[derive(Debug)]
struct Pair {
    /// As they are written, and where the second one begins.
    bytes: Vec<u8>,
    second: usize,
    /// Another pair whose first two bytes have the same place, from 1; 0 if there is none.
    other: u16,
}

/// The pairs of a query, by the places of their terms.
#[derive(Debug)]
pub(super) struct Pairs {
    all: Vec<Pair>,
    /// For each term, those that stand behind it, a bit each, and the first of these pairs.
    behind: [u64; MOST_TERMS],
    first: [usize; MOST_TERMS],
    /// Pairs by the places of their first two bytes, from 1; 0 where there is none.
    heads: [u16; HEADS],
}

impl Pairs {
    /// Pairs by the places of their terms in the query, ascending, where the numbers of all terms are known.
    pub(super) fn new(places: &[(usize, usize)], number: impl Fn(usize) -> Option<u32>) -> Self {
        let mut new = Self {
            all: Vec::with_capacity(places.len()),
            behind: [0; MOST_TERMS],
            first: [0; MOST_TERMS],
            heads: [0; HEADS],
        };
        for &(one, other) in places {
            let Some(both) = number(one).zip(number(other)) else { continue };
            if new.behind[one] == 0 {
                new.first[one] = new.all.len();
            }
            new.behind[one] |= bit(other);
            new.push(Pair::new(both));
        }
        new
    }

    fn push(&mut self, mut pair: Pair) {
        let head = &mut self.heads[head(pair.bytes[0], pair.bytes[1])];
        pair.other = std::mem::replace(head, self.all.len() as u16 + 1);
        self.all.push(pair);
    }

    /// Number of pairs.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether a text holds both terms of a pair; it has a bit for each term that it holds.
    pub(super) fn may_stand_in(&self, held: u64) -> bool {
        self.held(held).next().is_some()
    }

    /// The terms that a text holds with such as stand behind them, and a bit for each of these.
    fn held(&self, held: u64) -> impl Iterator<Item = (usize, u64)> + '_ {
        let both = move |one: usize| (one, held & self.behind[one]);
        Bits(held & TERMS).map(both).filter(|(_, others)| *others != 0)
    }

    /// Tells each pair that stands among the terms of such a text, as they are written, as often as it does.
    pub(super) fn each_in(&self, held: u64, terms: &[u8], mut found: impl FnMut(usize)) {
        if self.held(held).nth(FEW).is_some() {
            return self.each_of_all(terms, found);
        }
        for (one, others) in self.held(held) {
            for other in Bits(others) {
                let before = self.behind[one] & (bit(other) - 1);
                let pair = self.first[one] + before.count_ones() as usize;
                self.all[pair].each_in(terms, || found(pair));
            }
        }
    }

    fn each_of_all(&self, terms: &[u8], mut found: impl FnMut(usize)) {
        for (at, two) in terms.windows(2).enumerate() {
            let mut pair = self.heads[head(two[0], two[1])];
            while let Some(nth) = usize::from(pair).checked_sub(1) {
                if self.all[nth].stands_at(terms, at) {
                    found(nth);
                }
                pair = self.all[nth].other;
            }
        }
    }
}

/// The place of two bytes.
fn head(first: u8, second: u8) -> usize {
    let both = u16::from_le_bytes([first, second]);
    usize::from(both.wrapping_mul(0x9e35) >> 5)
}

impl Pair {
    fn new((one, other): (u32, u32)) -> Self {
        let mut bytes = Vec::with_capacity(8);
        varint::put(&mut bytes, one.into());
        let second = bytes.len();
        varint::put(&mut bytes, other.into());
        Self { bytes, second, other: 0 }
    }

    fn each_in(&self, terms: &[u8], mut found: impl FnMut()) {
        let Some((_, behind)) = terms.split_first() else { return };
        let before = &terms[..behind.len()];
        let ((pieces, rest), (others, other_rest)) = (before.as_chunks(), behind.as_chunks());
        let mut at = 1;
        for (before, behind) in pieces.iter().zip(others) {
            // In hardly any piece the two could meet.
            if self.may_meet::<AT_ONCE>(before, behind) {
                self.each_meeting(terms, at, before, behind, &mut found);
            }
            at += AT_ONCE;
        }
        self.each_meeting(terms, at, rest, other_rest, &mut found);
    }

    /// Whether the two could meet in a piece, without a branch for each byte.
    fn may_meet<const LENGTH: usize>(&self, before: &[u8; LENGTH], behind: &[u8; LENGTH]) -> bool {
        let (last, first) = (self.bytes[self.second - 1], self.bytes[self.second]);
        let meet = |at: usize| u8::from(before[at] == last) & u8::from(behind[at] == first);
        (0..LENGTH).fold(0, |any, at| any | meet(at)) > 0
    }

    /// Tells each place of a piece, whose first byte but one stands at `at`, where the second one begins.
    fn each_meeting(
        &self,
        terms: &[u8],
        at: usize,
        before: &[u8],
        behind: &[u8],
        found: &mut impl FnMut(),
    ) {
        let both = [self.bytes[self.second - 1], self.bytes[self.second]];
        for (at, (before, behind)) in (at..).zip(before.iter().zip(behind)) {
            let start = at.checked_sub(self.second).filter(|_| [*before, *behind] == both);
            if start.is_some_and(|start| self.stands_at(terms, start)) {
                found();
            }
        }
    }

    /// Whether both begin at a place.
    fn stands_at(&self, terms: &[u8], at: usize) -> bool {
        // The last byte of each number is below 0x80.
        terms[at..].starts_with(&self.bytes) && (at == 0 || terms[at - 1] < 0x80)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of some pairs of numbers stands among others, looked for one by one.
    fn counts(pairs: &[(u32, u32)], numbers: &[u32]) -> Vec<u32> {
        let mut bytes = Vec::new();
        for &number in numbers {
            varint::put(&mut bytes, number.into());
        }
        let count = |pair| {
            let mut count = 0;
            Pair::new(pair).each_in(&bytes, || count += 1);
            count
        };
        let counts: Vec<u32> = pairs.iter().copied().map(count).collect();
        assert_eq!(counts_of_all(pairs, &bytes), counts);
        counts
    }

    /// The same, looked for all at once.
    fn counts_of_all(pairs: &[(u32, u32)], bytes: &[u8]) -> Vec<u32> {
        let places: Vec<(usize, usize)> =
            (0..pairs.len()).map(|nth| (2 * nth, 2 * nth + 1)).collect();
        let number = |place: usize| {
            let (one, other) = pairs[place / 2];
            Some(if place.is_multiple_of(2) { one } else { other })
        };
        let mut counts = vec![0; pairs.len()];
        Pairs::new(&places, number).each_of_all(bytes, |pair| counts[pair] += 1);
        counts
    }

    #[test]
    fn numbers_of_any_length_are_told_from_the_bytes_of_others() {
        let numbers = [5, 300, 5, 70_000, 128, 2, 300, 5];
        assert_eq!(counts(&[(300, 5), (5, 70_000), (128, 2), (5, 5)], &numbers), [2, 1, 1, 0]);
        // 2 is the second byte of 300, and 4 the last of 70,000; 300 + 65,536 begins like 300.
        assert_eq!(counts(&[(2, 5), (4, 128), (5, 300 + 65_536)], &numbers), [0, 0, 0]);
        assert_eq!(counts(&[(2, 300)], &[]), [0]);
    }

    #[test]
    fn pairs_may_overlap_and_stand_anywhere() {
        assert_eq!(counts(&[(5, 5), (300, 70_000)], &[5, 300, 5, 5, 5, 300, 70_000]), [2, 1]);
        for before in 0..3 * AT_ONCE {
            let numbers = [vec![1; before], vec![300, 5, 300], vec![1; 40]].concat();
            assert_eq!(counts(&[(300, 5), (5, 300), (300, 300)], &numbers), [1, 1, 0], "{before}");
        }
    }

    #[test]
    fn only_pairs_of_which_both_terms_are_held_are_looked_for() {
        let number = |place: usize| (place != 3).then_some(place as u32);
        let pairs = Pairs::new(&[(0, 1), (0, 3), (1, 0), (1, 4), (4, 4)], number);
        let bits = |places: &[usize]| places.iter().fold(0, |all, &place| all | bit(place));
        let found = |places: &[usize]| {
            let (mut found, held) = (Vec::new(), bits(places));
            pairs.each_in(held, &[0, 1, 0, 1, 4, 4], |pair| found.push(pair));
            (pairs.may_stand_in(held), found)
        };
        assert_eq!(found(&[0, 1, 3, 4]), (true, vec![0, 0, 1, 2, 3]));
        assert_eq!(found(&[0, 4]), (true, vec![3]));
        assert_eq!(found(&[0, 3]), (false, vec![]));
        assert_eq!(pairs.len(), 4);
    }
}
