//! What some neighbouring turns say, to be compared with what others say.

use super::Words;

/// The words of neighbouring turns as one list.
#[derive(Debug)]
pub(in crate::replay) struct Side {
    words: Words,
    length: f64,
}

impl Side {
    /// Of the words of each turn.
    pub(in crate::replay) fn of<'a>(turns: impl IntoIterator<Item = &'a Words>) -> Self {
        let mut turns = turns.into_iter();
        let first = turns.next().cloned().unwrap_or_default();
        let words = turns.fold(first, |all, turn| merged(&all, turn));
        let length = words.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        Self { words, length }
    }

    /// How much two have in common, from 0 to 1.
    pub(in crate::replay) fn cosine(&self, other: &Self) -> f64 {
        let mut rest = other.words.iter().peekable();
        let same = |(word, weight): &(u32, f64)| {
            while rest.next_if(|(next, _)| next < word).is_some() {}
            let (_, other) = rest.next_if(|(next, _)| next == word)?;
            Some(weight * other)
        };
        let common: f64 = self.words.iter().filter_map(same).sum();
        common / (self.length * other.length).max(f64::MIN_POSITIVE)
    }
}

/// Two lists as one, the weights of a word that both hold added.
fn merged(one: &[(u32, f64)], other: &[(u32, f64)]) -> Words {
    let mut all = Words::with_capacity(one.len() + other.len());
    let (mut one, mut other) = (one, other);
    while let ([(word, weight), ones @ ..], [(next, more), others @ ..]) = (one, other) {
        let weights = if word <= next { *weight } else { 0.0 };
        all.push((*word.min(next), weights + if next <= word { *more } else { 0.0 }));
        (one, other) =
            (if word <= next { ones } else { one }, if next <= word { others } else { other });
    }
    all.extend(one.iter().chain(other));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_have_in_common_what_both_say() {
        let turns: [Words; 3] = [
            vec![(1, 1.0), (4, 2.0)],
            vec![(0, 3.0), (1, 0.5), (7, 1.0)],
            vec![(2, 1.0), (9, 4.0)],
        ];
        let side = Side::of(&turns[..2]);
        assert_eq!(side.words, [(0, 3.0), (1, 1.5), (4, 2.0), (7, 1.0)]);
        assert!((side.cosine(&Side::of(&turns[..2])) - 1.0).abs() < 1e-9);
        assert!(side.cosine(&Side::of(&turns[2..])).abs() < 1e-9);
        // 1 times 1.5 and 2 times 2, by the roots of 5 and of 16.25.
        let part = side.cosine(&Side::of(&turns[..1]));
        assert!((part - 5.5 / 81.25_f64.sqrt()).abs() < 1e-9, "{part}");
        assert!(Side::of([]).cosine(&side).abs() < 1e-9);
    }
}
