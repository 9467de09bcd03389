//! The efforts that hold a word.

use super::MOST_VISITS;

/// The efforts that hold each word, ascending. Most words stand in one only, and there are very many of those. Of more
/// than a message looks at, only how many there are is known.
#[derive(Debug, Default)]
pub(super) struct Holders {
    of: Vec<Held>,
    /// Those of the words that several hold.
    lists: Vec<Vec<u32>>,
}

/// Who holds a word.
#[derive(Debug, Clone, Copy)]
enum Held {
    None,
    One(u32),
    /// Those of a list.
    Many(u32),
    /// So many.
    Crowd(u32),
}

impl Holders {
    /// A word more, which none holds.
    pub(super) fn add_word(&mut self) {
        self.of.push(Held::None);
    }

    /// How many hold a word.
    pub(super) fn count(&self, word: u32) -> usize {
        match self.of[word as usize] {
            Held::Crowd(count) => count as usize,
            _ => self.few(word).len(),
        }
    }

    /// All that hold a word, if there are not more than a message looks at.
    pub(super) fn few(&self, word: u32) -> &[u32] {
        match &self.of[word as usize] {
            Held::None | Held::Crowd(_) => &[],
            Held::One(effort) => std::slice::from_ref(effort),
            Held::Many(list) => &self.lists[*list as usize],
        }
    }

    /// Adds an effort that is not among those that hold a word.
    pub(super) fn insert(&mut self, word: u32, effort: u32) {
        let held = &mut self.of[word as usize];
        match held {
            Held::None => *held = Held::One(effort),
            Held::One(other) => {
                let both = vec![effort.min(*other), effort.max(*other)];
                *held = Held::Many(self.lists.len() as u32);
                self.lists.push(both);
            }
            Held::Many(list) => {
                let efforts = &mut self.lists[*list as usize];
                if efforts.len() == MOST_VISITS {
                    *efforts = Vec::new();
                    *held = Held::Crowd(MOST_VISITS as u32 + 1);
                    return;
                }
                let place = efforts.partition_point(|&other| other < effort);
                efforts.insert(place, effort);
            }
            Held::Crowd(count) => *count += 1,
        }
    }

    /// Takes out an effort that holds a word. Says whether the others have to be told: they are no crowd any more.
    pub(super) fn remove(&mut self, word: u32, effort: u32) -> bool {
        let held = &mut self.of[word as usize];
        match held {
            Held::Crowd(count) => {
                *count -= 1;
                return *count as usize <= MOST_VISITS;
            }
            Held::Many(list) => self.lists[*list as usize].retain(|&other| other != effort),
            Held::None | Held::One(_) => *held = Held::None,
        }
        false
    }

    /// Tells all that hold a word.
    pub(super) fn tell(&mut self, word: u32, efforts: impl Iterator<Item = u32>) {
        self.of[word as usize] = Held::None;
        efforts.for_each(|effort| self.insert(word, effort));
    }
}

#[cfg(test)]
mod tests {
    use super::super::ReferenceIndex;
    use super::*;

    #[test]
    fn of_a_crowd_only_the_count_is_known() {
        let mut holders = Holders::default();
        let most = MOST_VISITS as u32;
        let (crowd, few) = (0, 1);
        holders.add_word();
        holders.add_word();
        (0..most).rev().for_each(|effort| holders.insert(crowd, effort));
        assert_eq!(holders.few(crowd), (0..most).collect::<Vec<_>>());
        holders.insert(crowd, most);
        assert_eq!((holders.count(crowd), holders.few(crowd)), (MOST_VISITS + 1, &[][..]));
        holders.insert(crowd, most + 1);
        assert_eq!((holders.count(crowd), holders.few(crowd)), (MOST_VISITS + 2, &[][..]));
        for effort in [5, 3, 4] {
            holders.insert(few, effort);
        }
        assert!(!holders.remove(crowd, 7));
        assert!(holders.remove(crowd, 8), "they have to be told");
        holders.tell(crowd, 9..most + 2);
        assert_eq!(holders.few(crowd), (9..most + 2).collect::<Vec<_>>());
        assert!(!holders.remove(few, 3));
        assert_eq!((holders.count(few), holders.few(few)), (2, &[4, 5][..]));
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
