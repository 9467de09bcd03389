//! Questions that go on with the exchange before them and say little without it: "And after that?"

use super::asking::{MOST_BEFORE_LONG, asks};
use super::courtesy::without_courtesy;
use super::language::Wording;
use super::said::Hit;
use super::terms;

/// Words with which a question goes on, in some languages that people ask in.
const GOES_ON: &[&str] =
    &["and", "or", "but", "then", "und", "oder", "aber", "y", "o", "pero", "et", "ou", "mais"];

/// Of two words.
const GOES_ON_WITH: &[[&str; 2]] = &[["what", "about"], ["how", "about"], ["what", "else"]];

/// Words of a question that goes on: a longer one says itself what it is about.
const MOST_WORDS: usize = 14;

/// A question behind as much of the exchange before it as leaves the two no long message, where it begins like one that
/// goes on with that. `None` for everything else: what was said just before has nothing to do with most questions.
pub fn behind<'a>(question: &str, before: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let words: Vec<&str> = question.split_whitespace().collect();
    if words.len() > MOST_WORDS || !(goes_on(question) || says_only_who(question)) {
        return None;
    }
    let mut room = MOST_BEFORE_LONG - words.len();
    let fits = |word: &&str| {
        let left = room.checked_sub(terms::unspaced_words(word).max(1));
        room = left.unwrap_or(0);
        left.is_some()
    };
    let all = before.into_iter().flat_map(str::split_whitespace);
    let before: Vec<&str> = all.take_while(fits).collect();
    let both = [before.as_slice(), &words].concat().join(" ");
    (!before.is_empty()).then(|| if asks(&both) { both } else { both + "?" })
}

/// Whether a message is a question that may be about what the one before it was about. What was recalled for that may answer
/// it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoesOn {
    /// It is not.
    Not,
    /// It is short and names little: "What is the rent?"
    Perhaps,
    /// It points back: "What did it cost?"
    Surely,
}

impl GoesOn {
    /// That of a message.
    pub fn of(message: &str) -> Self {
        /// With more words that are none of grammar a question is about anything.
        const MOST_NAMED: usize = 2;
        let message = &*without_courtesy(message);
        if !asks(message) {
            return Self::Not;
        }
        if goes_on(message) {
            return Self::Surely;
        }
        let wording = Wording::of(message);
        if !wording.is_short() || wording.asks_advice() {
            return Self::Not;
        }
        match wording.points_back() {
            true => Self::Surely,
            false if wording.named() + terms::unspaced_named(message) <= MOST_NAMED => {
                Self::Perhaps
            }
            false => Self::Not,
        }
    }

    /// The same once it is known what was found for the message: one that names what is new does not go on, unless it points
    /// back.
    #[must_use]
    pub fn where_found(self, message: &str, hits: &[Hit]) -> Self {
        match self {
            Self::Perhaps if names_what_is_new(message, hits) => Self::Not,
            goes_on => goes_on,
        }
    }
}

/// Whether a message says itself what it is about, and that is nothing that was found: it counts, or it names more than one
/// thing by words that were never said.
fn names_what_is_new(message: &str, hits: &[Hit]) -> bool {
    const NAMED: usize = 2;
    let passages = || hits.iter().flat_map(|hit| &hit.passages);
    let is_known = || passages().any(|one| one.telling + one.near > 0);
    let counts = || message.contains(|c: char| c.is_ascii_digit());
    (counts() || Wording::of(message).telling().len() >= NAMED) && !is_known()
}

/// Whether a question names little beside what it points back to: "What is that boy called?" Or nothing: "¿Cómo se llamaba?"
fn says_only_who(question: &str) -> bool {
    /// With more words that are none of grammar it says itself what it is about.
    const MOST_NAMED: usize = 1;
    let wording = Wording::of(question);
    let names_little = || wording.points_back() && wording.named() <= MOST_NAMED;
    wording.is_short()
        && (names_little() || wording.names_nothing())
        && asks(question)
        && !wording.asks_advice()
}

fn goes_on(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let rest = lower.split_once(first).map_or("", |(_, rest)| rest);
    GOES_ON_WITH.contains(&[first, second]) || (GOES_ON.contains(&first) && asks(rest))
}

#[cfg(test)]
mod tests {
    use super::super::choose::tests::hit;
    use super::*;

    const BEFORE: [&str; 2] = ["Who reads at the poetry evening?", "Giulia does, and Marco."];

    #[test]
    fn a_question_that_goes_on_stands_behind_the_exchange_before_it() {
        let both = "Who reads at the poetry evening? Giulia does, and Marco.";
        for question in [
            "And who closes it?",
            "Und danach?",
            "¿Y ahora?",
            "Et après ?",
            "What about the door",
            "Where does she live?",
            "cómo se llamaba",
            "wie hieß der nochmal",
        ] {
            let found = behind(question, BEFORE).unwrap();
            assert!(found.starts_with(both) && found.contains(question), "{found}");
            assert!(asks(&found), "{found}");
        }
        assert_eq!(
            behind("And when was that", BEFORE).unwrap(),
            format!("{both} And when was that")
        );
    }

    #[test]
    fn what_stands_for_itself_stays_as_it_is() {
        let long = "And which of the many doors of that old house did we leave open when we all went home?";
        for message in [
            "Moin moin, alles klar?",
            "Who closes the door?",
            "How do I boil it?",
            "And that was all.",
            "Thanks!",
            long,
        ] {
            assert_eq!(behind(message, BEFORE), None, "{message}");
        }
        assert_eq!(behind("And then?", []), None, "nothing was said before");
    }

    #[test]
    fn a_question_points_back_where_a_word_stands_for_what_it_is_about() {
        for question in [
            "How much was it?",
            "When do they start?",
            "And who closes the door?",
            "Was kostet das?",
            "Combien ça coûte ?",
            "¿Cuánto cuesta eso?",
        ] {
            assert_eq!(GoesOn::of(question), GoesOn::Surely, "{question}");
        }
        for other in [
            "Who closes the door?",
            "It was good.",
            "Can you write that a bit shorter?",
            "Thanks!",
            "What did the electrician say of the old cable that is in the wall behind it?",
        ] {
            assert_ne!(GoesOn::of(other), GoesOn::Surely, "{other}");
        }
    }

    #[test]
    fn a_short_question_that_names_little_may_go_on() {
        for question in ["What is the order number?", "Why?", "Wie viele Kinder kommen mit?"] {
            assert_ne!(GoesOn::of(question), GoesOn::Not, "{question}");
        }
        for other in [
            "What is the difference between affect and effect?",
            "How many planets does the solar system have?",
            "How do I boil it?",
            "The order number.",
            "灰色のタイルと大工さんの件ですが、換気扇は7番でいいですか。",
        ] {
            assert_ne!(GoesOn::of(other), GoesOn::Perhaps, "{other}");
        }
    }

    #[test]
    fn a_question_that_names_what_was_never_said_goes_on_with_nothing() {
        let found = |message: &str, hits: &[Hit]| GoesOn::of(message).where_found(message, hits);
        for new in ["What is the plural of octopus?", "¿Cuánto es 15 por 14?"] {
            assert_eq!((GoesOn::of(new), found(new, &[])), (GoesOn::Perhaps, GoesOn::Not), "{new}");
            assert_eq!(found(new, &[hit(&["plural"], 1, 2.0)]), GoesOn::Perhaps, "{new}");
        }
        assert_eq!(found("What is the order number?", &[]), GoesOn::Perhaps);
        assert_eq!(found("How much was it, 15 or 14?", &[]), GoesOn::Surely);
    }

    #[test]
    fn of_a_long_exchange_the_beginning_is_enough() {
        let before = "We left it to the others. ".repeat(50);
        let both = behind("And then?", [before.as_str()]).unwrap();
        assert_eq!(both.split_whitespace().count(), MOST_BEFORE_LONG);
        assert!(both.ends_with("And then?"));
    }
}
