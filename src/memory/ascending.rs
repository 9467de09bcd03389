//! Ascending numbers in few bytes.

use crate::varint;

/// Such numbers, each as how far it is from the one before: most take a byte or two.
#[derive(Debug, Default)]
pub struct Ascending {
    steps: Vec<u8>,
    last: u32,
}

impl Ascending {
    /// Adds one, not below the last one.
    pub fn push(&mut self, number: u32) {
        varint::put(&mut self.steps, u64::from(number - self.last));
        self.last = number;
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        numbers(&self.steps)
    }

    /// All of them as bytes, for [`numbers`].
    pub fn into_bytes(self) -> Vec<u8> {
        self.steps
    }
}

impl FromIterator<u32> for Ascending {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut all = Self::default();
        for number in numbers {
            all.push(number);
        }
        all
    }
}

/// The numbers that [`Ascending::into_bytes`] gave.
pub fn numbers(mut bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let mut last = 0;
    std::iter::from_fn(move || {
        last += varint::take(&mut bytes)? as u32;
        Some(last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_however_far_apart_they_are() {
        for all in
            [&[0, 0, 3, 130, 130, 70_000, u32::MAX][..], &[u32::MAX], &[127, 128, 16_512], &[]]
        {
            let list: Ascending = all.iter().copied().collect();
            assert_eq!(list.iter().collect::<Vec<_>>(), all);
            assert_eq!(numbers(&list.into_bytes()).collect::<Vec<_>>(), all);
        }
    }
}
