//! Numbers of hashes, in less than twenty bytes each: there may be millions.

/// Tables that grow one after the other, so that no more than a part is in memory twice. A power of two.
const TABLES: usize = 64;

/// Places of a table at first.
const FEWEST: usize = 16;

/// A free place.
const FREE: u32 = u32::MAX;

/// Open addressing: where a hash belongs follows from its size, and at least a fifth of the places is free.
#[derive(Debug, Clone, Default)]
struct Table {
    hashes: Vec<u64>,
    numbers: Vec<u32>,
    taken: usize,
}

/// A number for each of many hashes.
#[derive(Debug, Clone)]
pub struct Numbers(Vec<Table>);

impl Default for Numbers {
    fn default() -> Self {
        Self((0..TABLES).map(|_| Table::default()).collect())
    }
}

impl Numbers {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|table| table.taken).sum()
    }

    /// The number of a hash; `next`, below `u32::MAX`, if it has none yet.
    pub fn number(&mut self, hash: u64, next: u32) -> u32 {
        self.0[hash as usize % TABLES].number(hash, next)
    }

    /// The number of a hash, if it has one.
    pub fn get(&self, hash: u64) -> Option<u32> {
        let table = &self.0[hash as usize % TABLES];
        let number = (!table.numbers.is_empty()).then(|| table.numbers[table.place(hash)]);
        number.filter(|number| *number != FREE)
    }

    /// Keeps those whose numbers are wanted.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(u32) -> bool) {
        for table in &mut self.0 {
            let before = std::mem::take(table);
            before.each().filter(|(_, number)| is_wanted(*number)).for_each(|(hash, number)| {
                table.number(hash, number);
            });
        }
    }
}

impl Table {
    fn number(&mut self, hash: u64, next: u32) -> u32 {
        if (self.taken + 1) * 5 > self.numbers.len() * 4 {
            self.grow();
        }
        let at = self.place(hash);
        if self.numbers[at] == FREE {
            (self.hashes[at], self.numbers[at]) = (hash, next);
            self.taken += 1;
        }
        self.numbers[at]
    }

    /// Where a hash stands, or the free place where it belongs.
    fn place(&self, hash: u64) -> usize {
        let places = self.numbers.len();
        let mut at = (((hash >> 32) * places as u64) >> 32) as usize;
        while self.numbers[at] != FREE && self.hashes[at] != hash {
            at = (at + 1) % places;
        }
        at
    }

    fn grow(&mut self) {
        let places = (self.numbers.len() * 9 / 8).max(FEWEST);
        let (hashes, numbers) = (vec![0; places], vec![FREE; places]);
        let before = std::mem::replace(self, Self { hashes, numbers, taken: 0 });
        before.each().for_each(|(hash, number)| {
            self.number(hash, number);
        });
    }

    fn each(self) -> impl Iterator<Item = (u64, u32)> {
        self.hashes.into_iter().zip(self.numbers).filter(|(_, number)| *number != FREE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hash_has_one_number_until_it_is_wanted_no_more() {
        let mut numbers = Numbers::default();
        // Hashes of which many belong at the same place.
        let hash = |number: u32| u64::from(number % 1_000) << 40 | u64::from(number);
        for round in 0..2 {
            for number in 0..20_000 {
                assert_eq!(numbers.get(hash(number)), (round > 0).then_some(number));
                assert_eq!(numbers.number(hash(number), number + round), number);
            }
            assert_eq!(numbers.count(), 20_000);
        }
        numbers.retain(|number| number % 2 == 0);
        assert_eq!(numbers.count(), 10_000);
        assert_eq!((numbers.number(hash(6), 9), numbers.number(hash(7), 9)), (6, 9));
    }
}
