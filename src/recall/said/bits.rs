//! The terms of a query by their places, a bit each.

/// Different terms of a query that count, the rarest ones.
pub(super) const MOST_TERMS: usize = 48;

/// The bit of a term by its place in the query; none for those that are related and stand far behind all others.
pub(super) fn bit(place: usize) -> u64 {
    /// The last bits have a meaning of their own.
    const BITS: usize = 60;
    if place < BITS { 1 << place } else { 0 }
}

/// Bits, as their places, ascending.
#[derive(Debug)]
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        place
    }
}
