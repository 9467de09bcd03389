//! Whether a message tells what somebody is going to do: what speaks against that may have been said beside what it is about.

use std::sync::OnceLock;

use super::{Set, Wording, holds};
use crate::recall::terms;

/// Words of what is to come, by the place of their language among all of them.
const TO_COME: [(usize, &str); 4] = [
    (0, "i'll we'll i'd will going gonna tomorrow tonight next soon plan planning"),
    (1, "werde werden wird morgen übermorgen nächste nächsten nächster bald will wollen"),
    (2, "voy vamos mañana pasado próxima próximo pronto quiero queremos"),
    (3, "vais allons va demain prochain prochaine bientôt veux voulons"),
];

impl Wording {
    /// Whether it speaks of what is to come.
    pub(in crate::recall) fn plans(&self) -> bool {
        static WORDS: OnceLock<Vec<(usize, Set)>> = OnceLock::new();
        let words = WORDS.get_or_init(|| {
            let set =
                |(nth, words): (usize, &str)| (nth, terms::words(words).into_iter().collect());
            TO_COME.into_iter().map(set).collect()
        });
        let own = words.iter().find(|(nth, _)| *nth == self.language.nth);
        own.is_some_and(|(_, words)| holds(&self.words, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_come_is_told_from_what_has_been() {
        let plans = |message| Wording::of(message).plans();
        for plan in [
            "I burn the clippings tomorrow",
            "we'll take the old boat",
            "morgen verbrennen wir den Schnitt",
            "mañana vamos con el barco",
            "demain on prend la barque",
        ] {
            assert!(plans(plan), "{plan}");
        }
        for other in ["Marcus came about the boat", "das Boot ist im Wasser", "la barque fuit", ""]
        {
            assert!(!plans(other), "{other}");
        }
    }
}
