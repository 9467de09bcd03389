//! Choices that are the same in every run, for proofs and for what is held against chance.

/// A source of choices (xorshift).
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The choices of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below another one; 0 below 0.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most.max(1)
    }

    /// A random element; panics if there is none.
    pub(crate) fn pick<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        &some[self.below(some.len())]
    }

    /// Puts the elements in a random order.
    pub(crate) fn shuffle<T>(&mut self, some: &mut [T]) {
        for at in (1..some.len()).rev() {
            some.swap(at, self.below(at + 1));
        }
    }
}
