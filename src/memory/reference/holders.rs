//! The efforts that hold a word.

use super::MOST_VISITS;

/// Efforts, ascending. Most words stand in one only, and there are very many of those. Of more than a message looks at,
/// only how many there are is known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Holders {
    #[default]
    None,
    One(u32),
    Many(Vec<u32>),
    Crowd(usize),
}

impl Holders {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Crowd(count) => *count,
            few => few.few().len(),
        }
    }

    /// All of them, if there are not more than a message looks at.
    pub(super) fn few(&self) -> &[u32] {
        match self {
            Self::None | Self::Crowd(_) => &[],
            Self::One(effort) => std::slice::from_ref(effort),
            Self::Many(efforts) => efforts,
        }
    }

    /// Adds an effort that is not among them.
    pub(super) fn insert(&mut self, effort: u32) {
        match self {
            Self::None => *self = Self::One(effort),
            Self::One(other) => {
                *self = Self::Many(vec![effort.min(*other), effort.max(*other)]);
            }
            Self::Many(efforts) if efforts.len() == MOST_VISITS => {
                *self = Self::Crowd(MOST_VISITS + 1);
            }
            Self::Many(efforts) => {
                let place = efforts.partition_point(|&other| other < effort);
                efforts.insert(place, effort);
            }
            Self::Crowd(count) => *count += 1,
        }
    }

    /// Takes out an effort that is among them. Says whether the others have to be told: they are no crowd any more.
    pub(super) fn remove(&mut self, effort: u32) -> bool {
        match self {
            Self::Crowd(count) => {
                *count -= 1;
                return *count <= MOST_VISITS;
            }
            Self::Many(efforts) => efforts.retain(|&other| other != effort),
            Self::None | Self::One(_) => *self = Self::None,
        }
        false
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
        (0..=most).rev().for_each(|effort| holders.insert(effort));
        assert_eq!(holders, Holders::Crowd(MOST_VISITS + 1));
        holders.insert(most + 1);
        assert_eq!((holders.count(), holders.few()), (MOST_VISITS + 2, &[][..]));
        assert!(!holders.remove(7));
        assert!(holders.remove(8), "they have to be told");
        let mut few = Holders::default();
        for effort in [5, 3, 4] {
            few.insert(effort);
        }
        assert!(!few.remove(3));
        assert_eq!((few.count(), few.few()), (2, &[4, 5][..]));
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
