//! Numbers by the hashes of what they stand for, in ten bytes each: a hash may be that of several, so whoever asks
//! compares what they stand for.

/// Tables that grow one after the other, so that no more than a part is in memory twice. A power of two.
const TABLES: usize = 64;

/// Places of a table at first.
const FEWEST: usize = 16;

/// A free place.
const FREE: u32 = u32::MAX;

/// A hash and its number.
#[derive(Debug, Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

/// Open addressing: where a hash belongs follows from its size, and at least a fifth of the places is free.
#[derive(Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    taken: usize,
}

/// Numbers by hashes.
#[derive(Debug)]
pub(super) struct Slots(Vec<Table>);

impl Default for Slots {
    fn default() -> Self {
        Self((0..TABLES).map(|_| Table::default()).collect())
    }
}

impl Slots {
    /// The numbers that have a hash.
    pub(super) fn of(&self, hash: u32) -> impl Iterator<Item = u32> + '_ {
        self.0[hash as usize % TABLES].of(hash)
    }

    /// Adds a number, which is below `u32::MAX`.
    pub(super) fn add(&mut self, hash: u32, number: u32) {
        self.0[hash as usize % TABLES].add(Slot { hash, number });
    }
}

impl Table {
    fn of(&self, hash: u32) -> impl Iterator<Item = u32> + '_ {
        let home = home(hash, self.slots.len());
        let places = self.slots[home..].iter().chain(&self.slots[..home]);
        let taken = places.take_while(|slot| slot.number != FREE);
        taken.filter(move |slot| slot.hash == hash).map(|slot| slot.number)
    }

    fn add(&mut self, slot: Slot) {
        if (self.taken + 1) * 5 > self.slots.len() * 4 {
            self.grow();
        }
        self.taken += 1;
        self.put(slot);
    }

    fn put(&mut self, slot: Slot) {
        let mut at = home(slot.hash, self.slots.len());
        while self.slots[at].number != FREE {
            at = (at + 1) % self.slots.len();
        }
        self.slots[at] = slot;
    }

    fn grow(&mut self) {
        let length = (self.slots.len() * 5 / 4).max(FEWEST);
        let before =
            std::mem::replace(&mut self.slots, vec![Slot { hash: 0, number: FREE }; length]);
        before.into_iter().filter(|slot| slot.number != FREE).for_each(|slot| self.put(slot));
    }
}

/// Where a hash belongs among so many places.
fn home(hash: u32, places: usize) -> usize {
    ((u64::from(hash) * places as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_by_its_hash_however_many_there_are() {
        let mut slots = Slots::default();
        assert_eq!(slots.of(7).next(), None);
        let hash = |number: u32| number.wrapping_mul(0x9e37_79b9);
        for number in 0..20_000 {
            slots.add(hash(number), number);
        }
        for number in 0..20_000 {
            assert_eq!(slots.of(hash(number)).collect::<Vec<_>>(), [number]);
        }
        assert_eq!(slots.of(hash(20_001)).next(), None);
    }

    #[test]
    fn a_hash_can_have_several_numbers() {
        let mut slots = Slots::default();
        (0..40).for_each(|number| slots.add(u32::MAX, number));
        let mut found: Vec<u32> = slots.of(u32::MAX).collect();
        found.sort_unstable();
        assert_eq!(found, (0..40).collect::<Vec<_>>());
    }
}
