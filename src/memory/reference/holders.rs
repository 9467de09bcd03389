//! The efforts that hold a word.

use std::iter;

use super::MOST_VISITS;
use crate::memory::tight;

/// The efforts that hold each word. Most words stand in one only, and there are very many of those. Of more than a message
/// looks at, only how many there are is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Holders {
    of: Vec<Packed>,
    /// Those of the words that several hold, and behind the first ones those that are free.
    links: Vec<Link>,
    free: Option<u32>,
}

/// Who holds a word.
#[derive(Debug, Clone, Copy)]
enum Held {
    None,
    One(u32),
    /// Those of the chain that begins with a link, which says how many they are.
    Many(u32),
    /// So many.
    Crowd(u32),
}

/// The same in half the room.
#[derive(Debug, Clone, Copy)]
struct Packed(u32);

/// Bits of a number behind which stands what it is.
const BITS: u32 = 30;

impl From<Held> for Packed {
    fn from(held: Held) -> Self {
        let (kind, number) = match held {
            Held::None => (0, 0),
            Held::One(effort) => (1, effort),
            Held::Many(link) => (2, link),
            Held::Crowd(count) => (3, count),
        };
        Self(kind << BITS | number)
    }
}

impl From<Packed> for Held {
    fn from(Packed(all): Packed) -> Self {
        let number = all & ((1 << BITS) - 1);
        match all >> BITS {
            0 => Self::None,
            1 => Self::One(number),
            2 => Self::Many(number),
            _ => Self::Crowd(number),
        }
    }
}

/// A part of a chain: an effort, or at its beginning how many there are, and the link behind it.
#[derive(Debug, Clone, Copy)]
struct Link {
    number: u32,
    next: u32,
}

/// No link.
const END: u32 = u32::MAX;

impl Holders {
    /// A word more, which none holds.
    pub(super) fn add_word(&mut self) {
        tight::push(&mut self.of, Held::None.into());
    }

    fn of(&self, word: u32) -> Held {
        self.of[word as usize].into()
    }

    /// How many hold a word.
    pub(super) fn count(&self, word: u32) -> usize {
        match self.of(word) {
            Held::None => 0,
            Held::One(_) => 1,
            Held::Many(first) => self.links[first as usize].number as usize,
            Held::Crowd(count) => count as usize,
        }
    }

    /// All that hold a word, if there are not more than a message looks at.
    pub(super) fn few(&self, word: u32) -> impl Iterator<Item = u32> {
        let (one, first) = match self.of(word) {
            Held::None | Held::Crowd(_) => (None, END),
            Held::One(effort) => (Some(effort), END),
            Held::Many(first) => (None, self.links[first as usize].next),
        };
        let link = |at: u32| self.links.get(at as usize).copied();
        let chain = iter::successors(link(first), move |before| link(before.next));
        one.into_iter().chain(chain.map(|link| link.number))
    }

    /// Adds an effort that is not among those that hold a word.
    pub(super) fn insert(&mut self, word: u32, effort: u32) {
        let held = match self.of(word) {
            Held::None => Held::One(effort),
            Held::One(other) => {
                let last = self.link(other, END);
                let both = self.link(effort, last);
                Held::Many(self.link(2, both))
            }
            Held::Many(first) if self.links[first as usize].number as usize == MOST_VISITS => {
                self.set_free(first);
                Held::Crowd(MOST_VISITS as u32 + 1)
            }
            Held::Many(first) => {
                let next = self.link(effort, self.links[first as usize].next);
                let beginning = &mut self.links[first as usize];
                (beginning.number, beginning.next) = (beginning.number + 1, next);
                Held::Many(first)
            }
            Held::Crowd(count) => Held::Crowd(count + 1),
        };
        self.of[word as usize] = held.into();
    }

    /// Takes out an effort that holds a word. Says whether the others have to be told: they are no crowd any more.
    pub(super) fn remove(&mut self, word: u32, effort: u32) -> bool {
        match self.of(word) {
            Held::Crowd(count) => {
                self.of[word as usize] = Held::Crowd(count - 1).into();
                return count as usize - 1 <= MOST_VISITS;
            }
            Held::Many(first) => self.unlink(first, effort),
            Held::None | Held::One(_) => self.of[word as usize] = Held::None.into(),
        }
        false
    }

    /// Tells all that hold a word, of which only the number was known.
    pub(super) fn tell(&mut self, word: u32, efforts: impl Iterator<Item = u32>) {
        self.of[word as usize] = Held::None.into();
        efforts.for_each(|effort| self.insert(word, effort));
    }

    /// A link that was free or is new.
    fn link(&mut self, number: u32, next: u32) -> u32 {
        let link = Link { number, next };
        let Some(free) = self.free else {
            tight::push(&mut self.links, link);
            return self.links.len() as u32 - 1;
        };
        let before = std::mem::replace(&mut self.links[free as usize], link);
        self.free = (before.next != END).then_some(before.next);
        free
    }

    /// Takes an effort out of a chain.
    fn unlink(&mut self, first: u32, effort: u32) {
        let mut before = first;
        loop {
            let at = self.links[before as usize].next;
            let Some(link) = self.links.get(at as usize).copied() else { return };
            if link.number == effort {
                self.links[before as usize].next = link.next;
                self.links[first as usize].number -= 1;
                self.links[at as usize].next = END;
                return self.set_free(at);
            }
            before = at;
        }
    }

    /// Sets a chain free, from a link on.
    fn set_free(&mut self, first: u32) {
        let mut last = first as usize;
        while self.links[last].next != END {
            last = self.links[last].next as usize;
        }
        self.links[last].next = self.free.replace(first).unwrap_or(END);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ReferenceIndex;
    use super::*;

    fn few(holders: &Holders, word: u32) -> Vec<u32> {
        let mut all: Vec<u32> = holders.few(word).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn of_a_crowd_only_the_count_is_known() {
        let mut holders = Holders::default();
        let most = MOST_VISITS as u32;
        let (crowd, some) = (0, 1);
        holders.add_word();
        holders.add_word();
        (0..most).rev().for_each(|effort| holders.insert(crowd, effort));
        assert_eq!(few(&holders, crowd), (0..most).collect::<Vec<_>>());
        holders.insert(crowd, most);
        assert_eq!((holders.count(crowd), few(&holders, crowd)), (MOST_VISITS + 1, vec![]));
        holders.insert(crowd, most + 1);
        assert_eq!((holders.count(crowd), few(&holders, crowd)), (MOST_VISITS + 2, vec![]));
        for effort in [5, 3, 4] {
            holders.insert(some, effort);
        }
        assert!(!holders.remove(crowd, 7));
        assert!(holders.remove(crowd, 8), "they have to be told");
        holders.tell(crowd, 9..most + 2);
        assert_eq!(few(&holders, crowd), (9..most + 2).collect::<Vec<_>>());
        assert!(!holders.remove(some, 3));
        assert_eq!((holders.count(some), few(&holders, some)), (2, vec![4, 5]));
    }

    #[test]
    fn a_word_takes_four_bytes_and_each_of_several_that_hold_it_eight() {
        let mut holders = Holders::default();
        for word in 0..10_000 {
            holders.add_word();
            (word..word + 3).for_each(|effort| holders.insert(word, effort));
        }
        let taken = 4 * holders.of.capacity() + 8 * holders.links.capacity();
        assert_eq!((size_of::<Packed>(), size_of::<Link>()), (4, 8));
        assert!(taken <= 10_000 * (4 + 4 * 8) * 9 / 8, "{taken}");
    }

    #[test]
    fn what_a_chain_no_longer_needs_others_take() {
        let mut holders = Holders::default();
        for word in 0..3 {
            holders.add_word();
            (0..9).for_each(|effort| holders.insert(word, effort));
        }
        let links = holders.links.len();
        for round in 0..4 {
            for (word, effort) in [(0, 8), (1, 0), (2, 4)] {
                holders.remove(word, effort);
                assert_eq!((holders.count(word), few(&holders, word).len()), (8, 8), "{round}");
            }
            for (word, effort) in [(2, 4), (0, 8), (1, 0)] {
                holders.insert(word, effort);
                assert_eq!(few(&holders, word), (0..9).collect::<Vec<_>>());
            }
        }
        // All become a crowd and few again.
        (9..=MOST_VISITS as u32).for_each(|effort| holders.insert(0, effort));
        holders.tell(0, 0..9);
        assert_eq!(few(&holders, 0), (0..9).collect::<Vec<_>>());
        (0..9).for_each(|effort| _ = holders.remove(0, effort));
        assert_eq!((holders.count(0), few(&holders, 0)), (0, vec![]));
        assert!(holders.links.len() <= links + MOST_VISITS);
    }

    #[test]
    fn who_is_left_of_a_crowd_is_found_again() {
        let of = |efforts: std::ops::Range<usize>| {
            let mut index = ReferenceIndex::default();
            efforts.for_each(|at| index.insert(at, &format!("id{at}"), "the harbour"));
            index
        };
        let found = |index: &ReferenceIndex| index.similar("harbour", usize::MAX);
        let mut index = of(0..MOST_VISITS + 3);
        assert_eq!(found(&index), [0; 0], "more than are looked at");
        (0..3).for_each(|at| index.remove(at, &format!("id{at}")));
        assert_eq!(found(&index), (3..MOST_VISITS + 3).collect::<Vec<_>>());
        assert_eq!(found(&index), found(&of(3..MOST_VISITS + 3)));
        index.insert(0, "id0", "a harbour");
        assert_eq!(found(&index), [0; 0]);
    }
}
