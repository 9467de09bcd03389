//! Numbers by the hashes of what they stand for, in seven to eight bytes each: a hash may be that of several, so whoever
//! asks compares what they stand for.

/// Tables that grow one after the other, so that no more than a part is in memory twice: the lowest bits of a hash say
/// which is its own. A power of two.
const TABLES: u32 = 1 << 10;

/// Places of a table at first.
const FEWEST: usize = 16;

/// The tag of a free place.
const FREE: u16 = 0;

/// Open addressing: a hash is known by its upper half, its tag, from which and the size follows where it belongs. At
/// least an eighth of the places is free.
#[derive(Debug, Clone, Default)]
struct Table {
    tags: Vec<u16>,
    numbers: Vec<u32>,
    taken: usize,
}

/// Numbers by hashes.
#[derive(Debug, Default)]
pub(super) struct Slots(Vec<Table>);

impl Slots {
    /// The numbers that have a hash, and perhaps some that have not.
    pub(super) fn of(&self, hash: u32) -> impl Iterator<Item = u32> + '_ {
        let own = self.0.get((hash % TABLES) as usize);
        own.into_iter().flat_map(move |table| table.of(tag(hash)))
    }

    /// Adds a number.
    pub(super) fn add(&mut self, hash: u32, number: u32) {
        if self.0.is_empty() {
            self.0.resize(TABLES as usize, Table::default());
        }
        self.0[(hash % TABLES) as usize].add(tag(hash), number);
    }
}

fn tag(hash: u32) -> u16 {
    ((hash >> 16) as u16).max(FREE + 1)
}

impl Table {
    fn of(&self, tag: u16) -> impl Iterator<Item = u32> + '_ {
        let places = self.places(tag).take_while(|at| self.tags[*at] != FREE);
        places.filter(move |at| self.tags[*at] == tag).map(|at| self.numbers[at])
    }

    /// All places, from the one on where a tag belongs.
    fn places(&self, tag: u16) -> impl Iterator<Item = usize> + use<> {
        let count = self.tags.len();
        let home = (usize::from(tag) * count) >> 16;
        (home..count).chain(0..home)
    }

    fn add(&mut self, tag: u16, number: u32) {
        if (self.taken + 1) * 8 > self.tags.len() * 7 {
            self.grow();
        }
        self.taken += 1;
        self.put(tag, number);
    }

    fn put(&mut self, tag: u16, number: u32) {
        if let Some(at) = self.places(tag).find(|at| self.tags[*at] == FREE) {
            (self.tags[at], self.numbers[at]) = (tag, number);
        }
    }

    fn grow(&mut self) {
        let count = (self.tags.len() * 9 / 8).max(FEWEST);
        let tags = std::mem::replace(&mut self.tags, vec![FREE; count]);
        let numbers = std::mem::replace(&mut self.numbers, vec![0; count]);
        let before = tags.into_iter().zip(numbers);
        before.filter(|(tag, _)| *tag != FREE).for_each(|(tag, number)| self.put(tag, number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_by_its_hash_however_many_there_are() {
        let mut slots = Slots::default();
        assert_eq!(slots.of(7).next(), None);
        let hash = |number: u32| number.wrapping_mul(0x9e37_79b9);
        let all = 200_000;
        for number in 0..all {
            slots.add(hash(number), number);
        }
        for number in 0..all {
            assert!(slots.of(hash(number)).any(|found| found == number));
        }
        let strangers = (all..2 * all).filter(|number| slots.of(hash(*number)).next().is_some());
        // Of 195 numbers in each table one in some hundreds of strangers has the tag of another.
        assert!(strangers.count() < all as usize / 100);
    }

    #[test]
    fn a_hash_can_have_several_numbers() {
        let mut slots = Slots::default();
        for hash in [0, u32::MAX] {
            (0..40).for_each(|number| slots.add(hash, number));
            let mut found: Vec<u32> = slots.of(hash).collect();
            found.sort_unstable();
            assert_eq!(found, (0..40).collect::<Vec<_>>());
        }
    }
}
