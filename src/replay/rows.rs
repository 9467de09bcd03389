//! Rows of numbers, each kept as how it differs from the one before it: there may be one for every turn.

use std::fmt;
use std::marker::PhantomData;

use crate::memory::tight;
use crate::varint;

/// Numbers of a row.
const WIDTH: usize = 6;

/// Bytes of a number at most.
const LONGEST: usize = 10;

/// What can be told in so many numbers.
pub trait Row: Copy {
    /// Its numbers.
    fn numbers(self) -> [u64; WIDTH];

    /// What has these numbers.
    fn of(numbers: [u64; WIDTH]) -> Self;
}

/// Rows in the order in which they came, in a few bytes each where they differ little.
#[derive(Clone, PartialEq, Eq)]
pub struct Rows<T> {
    bytes: Vec<u8>,
    count: usize,
    last: [u64; WIDTH],
    kind: PhantomData<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { bytes: Vec::new(), count: 0, last: [0; WIDTH], kind: PhantomData }
    }
}

impl<T: Row + fmt::Debug> fmt::Debug for Rows<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Row> Rows<T> {
    /// Adds one.
    pub fn push(&mut self, row: T) {
        let numbers = row.numbers();
        tight::make_room(&mut self.bytes, WIDTH * LONGEST);
        for (number, before) in numbers.into_iter().zip(self.last) {
            put(&mut self.bytes, number.wrapping_sub(before).cast_signed());
        }
        (self.last, self.count) = (numbers, self.count + 1);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The last one.
    pub fn last(&self) -> Option<T> {
        (self.count > 0).then(|| T::of(self.last))
    }

    /// All of them.
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { bytes: &self.bytes, before: [0; WIDTH], kind: PhantomData }
    }
}

impl<'a, T: Row> IntoIterator for &'a Rows<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: Row> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        let mut all = Self::default();
        rows.into_iter().for_each(|row| all.push(row));
        all.bytes.shrink_to_fit();
        all
    }
}

/// Rows one after the other.
#[derive(Debug, Clone)]
pub struct Iter<'a, T> {
    bytes: &'a [u8],
    before: [u64; WIDTH],
    kind: PhantomData<T>,
}

impl<T: Row> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        for number in &mut self.before {
            *number = number.wrapping_add(take(&mut self.bytes)?.cast_unsigned());
        }
        Some(T::of(self.before))
    }
}

/// Appends a number that is often near 0: with the sign in the very lowest bit.
fn put(bytes: &mut Vec<u8>, number: i64) {
    varint::put(bytes, (number << 1 ^ number >> 63).cast_unsigned());
}

fn take(bytes: &mut &[u8]) -> Option<i64> {
    let all = varint::take(bytes)?;
    Some((all >> 1).cast_signed() ^ -(all & 1).cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Row for [u64; WIDTH] {
        fn numbers(self) -> [u64; WIDTH] {
            self
        }

        fn of(numbers: [u64; WIDTH]) -> Self {
            numbers
        }
    }

    #[test]
    fn rows_come_back_however_they_differ() {
        let edges = [0, 1, 63, 64, 8_191, 1 << 32, i64::MAX.cast_unsigned(), 1 << 63, u64::MAX];
        let row = |nth: usize| std::array::from_fn(|at| edges[nth * (at + 1) % edges.len()]);
        let all: Vec<[u64; WIDTH]> = (0..60).map(row).collect();
        let rows: Rows<[u64; WIDTH]> = all.iter().copied().collect();
        assert_eq!(rows.iter().collect::<Vec<_>>(), all);
        assert_eq!((rows.len(), rows.last()), (all.len(), all.last().copied()));
        assert_eq!(Rows::<[u64; WIDTH]>::default().last(), None);
    }

    #[test]
    fn a_row_that_differs_little_takes_few_bytes() {
        let rows: Rows<[u64; WIDTH]> = (0..1_000)
            .map(|nth| [nth, 1_000_000 + 300 * nth, 5_000 - nth % 90, 40, 7, 9])
            .collect();
        assert!(rows.bytes.len() < 8 * rows.len(), "{}", rows.bytes.len());
    }
}
