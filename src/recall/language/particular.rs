//! Whether a message speaks of something particular, or of what is so anywhere.

use super::{Language, Wording, holds};
use crate::recall::everyday::{is_common, per_thousand};
use crate::recall::forms::form;

/// Words behind an article that stand for what is the most of all, as "oldest" does.
const MOST_OF_ALL: [&str; 4] = ["best", "first", "most", "worst"];

impl Wording {
    /// Whether it speaks of something particular: of what both sides know, though not for being the most of all, or of what
    /// was just spoken of.
    pub(in crate::recall) fn is_particular(&self) -> bool {
        let is_most = |word: &str| MOST_OF_ALL.contains(&word) || is_superlative(word);
        let mut two = self.words.windows(2);
        let is_known = two.any(|two| self.language.definite.contains(&two[0]) && !is_most(&two[1]));
        is_known || self.points_back()
    }

    /// Whether it asks for what is so anywhere, as far as its words tell: nothing in it stands for anything that is theirs. In a
    /// few words without one that asks, people call what both know by its name: "order number?"
    pub(in crate::recall) fn is_of_any(&self) -> bool {
        let Language { past, nth, .. } = self.language;
        let is_of_anybody = match nth {
            0 => self.begins_like_question() && !self.is_particular(),
            1 => self.asks_german_of_anybody(),
            _ => false,
        };
        is_of_anybody && !self.tells_of_past() && !holds(&self.words, past)
    }

    /// Whether it asks what anybody does, and of nothing that both sides know: "Kann man Brausepulver selber machen?"
    fn asks_german_of_anybody(&self) -> bool {
        const KNOWN: [&str; 9] = ["am", "beim", "das", "dem", "den", "der", "des", "die", "unser"];
        let says = |some: &[&str]| self.words.iter().any(|word| some.contains(&&**word));
        says(&["man"]) && !says(&KNOWN)
    }
}

/// Whether a word is a form of an adjective of every day: "oldest", "biggest", "easiest". Not "test", and not "latest" either:
/// what is, changes.
fn is_superlative(word: &str) -> bool {
    /// Letters of such an adjective at least.
    const LEAST: usize = 3;
    let is_common = |bare: &str| is_common(per_thousand(&form(bare)));
    word.strip_suffix("est")
        .filter(|_| word != "latest")
        .filter(|bare| bare.len() >= LEAST && bare.is_ascii())
        .is_some_and(|bare| {
            let shorter = &bare[..bare.len() - 1];
            let is_doubled = shorter.ends_with(&bare[bare.len() - 1..]);
            is_common(bare)
                || is_doubled && is_common(shorter)
                || bare.ends_with('i') && is_common(&format!("{shorter}y"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_anybody_does_is_asked_of_nothing_particular() {
        let is_of_any = |message| Wording::of(message).is_of_any();
        assert!(is_of_any("Kann man Anker selber gießen?"));
        assert!(is_of_any("Was macht man gegen Mücken bei Kindern?"));
        assert!(!is_of_any("Wie kommt man zu der Werft?"));
        assert!(!is_of_any("Was haben wir gegen Mücken gemacht?"));
    }

    #[test]
    fn a_superlative_is_told_from_words_that_only_end_like_one() {
        for most in ["oldest", "biggest", "easiest", "longest"] {
            assert!(is_superlative(most), "{most}");
        }
        for other in ["test", "forest", "guest", "request", "interest", "latest", "west", "est", ""]
        {
            assert!(!is_superlative(other), "{other}");
        }
    }
}
