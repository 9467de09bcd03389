//! What is asked of an amount where a setting or a count is known by its name.

use super::super::{Amount, counted, lead};
use super::is_same;

impl Amount {
    /// Whether one that means the same as another one is told as the least where that is the most, or the other way round.
    pub(in crate::specifics) fn opposes(&self, meant: &Self) -> bool {
        self.side.opposes(meant.side)
    }

    /// Whether a word stands in front of it, or right behind.
    pub(in crate::specifics) fn is_beside(&self, word: &str) -> bool {
        let label = lead::label(&word.to_lowercase());
        self.leads.contains(&label) || self.behind.first() == Some(&label)
    }

    /// Whether it counts as many of what a label names, as `six attempts` do for `max_attempts 6`.
    pub(in crate::specifics) fn counts(&self, label: &str, figure: f64) -> bool {
        let label = label.to_lowercase();
        let label = counted::in_full(&label).unwrap_or(&label);
        self.things.last() == Some(&lead::label(label))
            && self.figures.iter().any(|said| is_same(*said, figure))
    }

    /// Whether it counts so many of what begins with a letter.
    pub(in crate::specifics) fn counts_initial(&self, letter: &str, figure: f64) -> bool {
        let letter = letter.to_lowercase();
        !self.things.is_empty()
            && self.has_figure(figure)
            && self.behind.first().is_some_and(|word| word.starts_with(&letter))
    }

    /// Whether it is such a share in per cent: `35 %` for 0.35.
    pub(in crate::specifics) fn is_percent_of(&self, share: f64) -> bool {
        let is_it = |one: &(&str, f64)| one.0 == "%" && is_same(one.1, share * 100.0);
        share > 0.0 && share <= 1.0 && self.measures.iter().any(is_it)
    }

    /// Whether it has such a word near it: one of a few in front, or one of two right behind. Takes small letters.
    pub(in crate::specifics) fn is_near(&self, word: &str) -> bool {
        let label = lead::label(word);
        self.leads.contains(&label) || self.behind.contains(&label)
    }

    /// Whether it is so many of one unit, in that unit or another one, to the last digit.
    pub(in crate::specifics) fn lasts(&self, seconds: f64) -> bool {
        self.measures.iter().any(|(of, said)| *of == "s" && is_same(*said, seconds))
    }
}
