//! What only a question has, wherever it stands: in English a verb before its subject, behind a word that asks ("that
//! lady at the desk what was her name"), and in any language a word that asks at the end ("Simone habite où").

use super::Wording;
use crate::recall::terms;

/// Words that ask. "Who" and "which" mostly tell more of what was just named.
const ASKING: [&str; 5] = ["how", "what", "when", "where", "why"];

/// Those behind which it may be said of what it is asked: "which method was it".
const ASKING_OF: [&str; 7] = ["how", "what", "when", "where", "which", "whose", "why"];

/// Verbs that stand there before their subject alone: "what Ines can do" asks nothing.
const DOING: [&str; 6] = ["can", "could", "did", "do", "does", "should"];

/// Verbs that may stand before their subject or behind it.
const BEING: [&str; 7] = ["are", "had", "has", "have", "is", "was", "were"];

/// Subjects.
const SUBJECTS: [&str; 12] =
    ["he", "i", "it", "she", "that", "there", "these", "they", "this", "those", "we", "you"];

/// With what a longer subject begins.
const BEFORE_NOUN: [&str; 8] = ["her", "his", "its", "my", "our", "the", "their", "your"];

/// Words that ask at the end, by the place of their language among all of them.
const LAST: [(usize, &[&str]); 4] = [
    (0, &["when", "where"]),
    (1, &["wann", "warum", "wer", "wieviel", "wo", "woher", "wohin"]),
    (2, &["adonde", "cual", "cuando", "cuanto", "donde", "quien"]),
    (3, &["combien", "comment", "laquelle", "lequel", "ou", "pourquoi", "quand", "qui", "quoi"]),
];

/// Behind one of these they ask nothing: "je ne sais pas quand".
const BEFORE_LAST: &str = "ahnung and et idea importe know n'importe nicht no not oder or ou pas sabe sais sait savoir se \
    und weiß";

/// What begins a question of French with a word that asks behind it: "c'est qui la monteuse". "C'est quand même" says
/// "still".
const IT_IS: &str = "c'est";
const STILL: [&str; 2] = ["quand", "meme"];

/// Words of what it is asked of at most: "how many bytes of journal do we keep".
const MOST_OF: usize = 4;

impl Wording {
    /// Whether a verb stands before its subject behind a word that asks, anywhere, or such a word stands where it asks
    /// alone.
    pub(in crate::recall) fn asks_by_order(&self) -> bool {
        let is_english = self.language.nth == 0;
        (is_english && (0..self.words.len()).any(|at| is_question_order(&self.words[at..])))
            || self.asks_at_end()
    }

    fn asks_at_end(&self) -> bool {
        let last = LAST.iter().find(|(nth, _)| *nth == self.language.nth);
        let Some((_, last)) = last else { return false };
        let asks = |word: &String| last.contains(&word.as_str());
        let [before @ .., first, word] = &*self.words else { return false };
        let asks_nothing = || terms::words(BEFORE_LAST).contains(first);
        let is_asked = !before.is_empty() && asks(word) && !asks_nothing();
        is_asked
            || self.words[0] == IT_IS
                && asks(&self.words[1])
                && !self.words[1..].starts_with(&STILL.map(str::to_owned))
    }
}

/// Whether some words begin in the order of a question.
fn is_question_order(words: &[String]) -> bool {
    let is_one_of = |some: &[&str], word: &str| some.contains(&word);
    let [asking, rest @ ..] = words else { return false };
    let asking = as_meant(asking);
    if is_one_of(&ASKING, asking)
        && let [verb, next, ..] = rest
        && (is_one_of(&DOING, verb) || is_one_of(&BEING, verb) && is_one_of(&BEFORE_NOUN, next))
    {
        return true;
    }
    // "Where the boat is that I bought": the subject stands before the verb already.
    let is_subject = |word: &String| is_one_of(&SUBJECTS, word) || is_one_of(&BEFORE_NOUN, word);
    let is_verb = |word: &String| is_one_of(&DOING, word) || is_one_of(&BEING, word);
    // "Which one of his did I take": what it is asked of may be somebody's.
    let is_of = |at: usize| at > 0 && rest[at - 1] == "of" && !is_one_of(&SUBJECTS, &rest[at]);
    let of = rest.iter().enumerate().take(MOST_OF + 1);
    let of = of.take_while(|(at, word)| !is_verb(word) && (!is_subject(word) || is_of(*at)));
    let [verb, subject, ..] = &rest[of.count()..] else { return false };
    is_one_of(&ASKING_OF, asking) && is_verb(verb) && is_one_of(&SUBJECTS, subject)
}

/// A word that asks, as it is meant where two of its letters were typed in the other order: "waht".
fn as_meant(word: &str) -> &str {
    let sorted = |word: &str| {
        let mut letters = word.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    let is_meant = |asking: &&&str| {
        asking.len() == word.len() && asking[..1] == word[..1] && sorted(asking) == sorted(word)
    };
    let may_be = word.is_ascii() && word.len() > 3;
    ASKING_OF.iter().filter(|_| may_be).find(is_meant).map_or(word, |asking| asking)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_asks_may_stand_at_the_end() {
        let asks = |message| Wording::of(message).asks_by_order();
        for question in [
            "la barque nous coûte combien",
            "le maître du port habite où",
            "la pose de la coque c'est quand",
            "c'est qui la voisine du quai",
            "we sail out when",
            "der Hafenmeister kommt wann",
            "el capitán llega cuándo",
        ] {
            assert!(asks(question), "{question}");
        }
        for other in [
            "je ne sais pas quand",
            "c'est quand même un beau bateau",
            "I don't know when",
            "wir wissen es nicht wann",
            "n'importe quand",
            "ich weiß wo",
            "quand",
        ] {
            assert!(!asks(other), "{other}");
        }
    }

    #[test]
    fn a_verb_before_its_subject_asks_wherever_it_stands() {
        let asks = |message| Wording::of(message).asks_by_order();
        for question in [
            "that lady at the desk what was her name for the boat thing",
            "hang on what can Ines do with the keys",
            "the strange bell from before, the one in the harbour - which clock was it",
            "the leak in the hull what depth was that",
            "how many boards of oak do we keep in the shed where the roof came down",
            "ok so where did they put it",
            "Ines bakes for it and which one of his did I take on",
            "waht was the depth of the very first harbour",
        ] {
            assert!(asks(question), "{question}");
        }
        for other in [
            "I know what Ines can do with the keys",
            "Ask Ines where the boat is that I bought",
            "my neighbour who is the plumber came by",
            "we went to the shop where they have nails",
            "this is what they said when it rained",
            "das ist es, what",
            "",
        ] {
            assert!(!asks(other), "{other}");
        }
    }
}
