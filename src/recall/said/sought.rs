//! What is looked for in passages as they are written: told by the first two bytes, so that most numbers of a passage
//! need not be read.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::code::{self, Reader};

/// A bit for each two bytes.
type Heads = [u64; 1 << 10];

/// Terms by their numbers, single ones or so many side by side, each with its place in a list.
#[derive(Debug)]
pub(super) struct Sought<const SIDE_BY_SIDE: usize> {
    /// By their numbers as one.
    places: HashMap<u64, usize, FixedState>,
    /// What they begin with.
    heads: Box<Heads>,
}

impl<const SIDE_BY_SIDE: usize> Sought<SIDE_BY_SIDE> {
    pub(super) fn new(sought: Vec<([u32; SIDE_BY_SIDE], usize)>) -> Self {
        let mut heads = Box::new([0; 1 << 10]);
        let mut bytes = Vec::new();
        for (numbers, _) in &sought {
            bytes.clear();
            for &number in numbers {
                code::put(&mut bytes, u64::from(number));
            }
            match bytes[..] {
                // Whatever follows.
                [only] => (0..=u8::MAX).for_each(|next| set(&mut heads, only, next)),
                [first, second, ..] => set(&mut heads, first, second),
                [] => {}
            }
        }
        let as_one =
            |numbers: [u32; SIDE_BY_SIDE]| numbers.into_iter().map(u64::from).fold(0, joined);
        let places = sought.into_iter().map(|(numbers, place)| (as_one(numbers), place)).collect();
        Self { places, heads }
    }

    /// Tells the place of each that stands among the numbers of some bytes, in order.
    #[inline]
    pub(super) fn each_in(&self, bytes: &[u8], mut found: impl FnMut(usize)) {
        // The last byte of each number is below 0x80.
        let begins = |at: usize| at == 0 || bytes[at - 1] < 0x80;
        let mut see = |at: usize, first: u8, next: u8| {
            if self.may_begin(first, next) && begins(at) {
                self.place(&bytes[at..]).into_iter().for_each(&mut found);
            }
        };
        for (at, two) in bytes.windows(2).enumerate() {
            see(at, two[0], two[1]);
        }
        if let Some((last, before)) = bytes.split_last() {
            see(before.len(), *last, 0);
        }
    }

    fn may_begin(&self, first: u8, second: u8) -> bool {
        let (at, bit) = head(first, second);
        self.heads[at] & bit != 0
    }

    /// The place of what bytes begin with.
    fn place(&self, bytes: &[u8]) -> Option<usize> {
        let mut reader = Reader(bytes);
        let mut numbers = 0;
        for _ in 0..SIDE_BY_SIDE {
            numbers = joined(numbers, reader.number()?);
        }
        self.places.get(&numbers).copied()
    }
}

fn joined(numbers: u64, next: u64) -> u64 {
    numbers << 32 | next
}

fn set(heads: &mut Heads, first: u8, second: u8) {
    let (at, bit) = head(first, second);
    heads[at] |= bit;
}

fn head(first: u8, second: u8) -> (usize, u64) {
    let head = u16::from_le_bytes([first, second]);
    (usize::from(head / 64), 1 << (head % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<const N: usize>(sought: &[[u32; N]], numbers: &[u32]) -> Vec<usize> {
        let mut bytes = Vec::new();
        for &number in numbers {
            code::put(&mut bytes, u64::from(number));
        }
        let mut found = Vec::new();
        let places = sought.iter().enumerate().map(|(at, numbers)| (*numbers, at));
        Sought::new(places.collect()).each_in(&bytes, |place| found.push(place));
        found
    }

    #[test]
    fn numbers_of_any_length_are_told_from_the_bytes_of_others() {
        let numbers = [5, 300, 5, 70_000, 128, 2, 300, 5];
        assert_eq!(found(&[[300], [5]], &numbers), [1, 0, 1, 0, 1]);
        // 2 is the second byte of 300, and 4 the last of 70,000; 300 + 65,536 begins like 300.
        assert_eq!(found(&[[2], [4], [70_000], [300 + 65_536]], &numbers), [2, 0]);
        assert!(found(&[[7]], &numbers).is_empty() && found(&[[7]], &[]).is_empty());
    }

    #[test]
    fn what_stands_side_by_side_is_found_and_may_overlap() {
        let numbers = [5, 300, 5, 5, 5, 300, 70_000];
        assert_eq!(found(&[[5, 5], [300, 70_000], [70_000, 5]], &numbers), [0, 0, 1]);
    }
}
