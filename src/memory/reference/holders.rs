//! The efforts that hold a word.

/// Efforts, ascending. Most words stand in one only, and there are very many of those.
#[derive(Debug, Default)]
pub(super) enum Holders {
    #[default]
    None,
    One(u32),
    Many(Vec<u32>),
}

impl Holders {
    pub(super) fn all(&self) -> &[u32] {
        match self {
            Self::None => &[],
            Self::One(effort) => std::slice::from_ref(effort),
            Self::Many(efforts) => efforts,
        }
    }

    pub(super) fn insert(&mut self, effort: u32) {
        match self {
            Self::None => *self = Self::One(effort),
            Self::One(other) if *other != effort => {
                *self = Self::Many(vec![effort.min(*other), effort.max(*other)]);
            }
            Self::One(_) => {}
            // A session that is loaded brings them in order.
            Self::Many(efforts) if efforts.last().is_none_or(|&last| last < effort) => {
                efforts.push(effort);
            }
            Self::Many(efforts) => {
                if let Err(place) = efforts.binary_search(&effort) {
                    efforts.insert(place, effort);
                }
            }
        }
    }

    pub(super) fn remove(&mut self, effort: u32) {
        match self {
            Self::One(only) if *only == effort => *self = Self::None,
            Self::Many(efforts) => efforts.retain(|&other| other != effort),
            Self::None | Self::One(_) => {}
        }
    }
}
