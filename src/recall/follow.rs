//! Questions that go on with the exchange before them and say little without it: "And after that?"

use super::choose::{MOST_BEFORE_LONG, asks};
use super::language::Wording;

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
    if words.len() > MOST_WORDS || !goes_on(question) {
        return None;
    }
    let room = MOST_BEFORE_LONG - words.len();
    let before: Vec<&str> = before.into_iter().flat_map(str::split_whitespace).take(room).collect();
    let both = [before.as_slice(), &words].concat().join(" ");
    (!before.is_empty()).then(|| if asks(&both) { both } else { both + "?" })
}

/// Whether a question may be about what the one before it was about, and names nothing of that: "What did it cost?" What
/// was recalled for the one before may answer it, too.
pub fn points_back(question: &str) -> bool {
    let points_back = |wording: &Wording| wording.points_back() && !wording.asks_advice();
    asks(question) && (goes_on(question) || points_back(&Wording::of(question)))
}

/// Whether a short question may be about what the one before it was about: "What is the rent?" One for advice, or of more
/// words than that takes, is about anything.
pub fn may_go_on(question: &str) -> bool {
    /// Words that are none of grammar.
    const MOST_NAMED: usize = 2;
    let wording = Wording::of(question);
    asks(question) && wording.is_short() && !wording.asks_advice() && wording.named() <= MOST_NAMED
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
    use super::*;

    const BEFORE: [&str; 2] = ["Who reads at the poetry evening?", "Giulia does, and Marco."];

    #[test]
    fn a_question_that_goes_on_stands_behind_the_exchange_before_it() {
        let both = "Who reads at the poetry evening? Giulia does, and Marco.";
        for question in
            ["And who closes it?", "Und danach?", "¿Y ahora?", "Et après ?", "What about the door"]
        {
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
        for message in ["Who closes the door?", "Who was it?", "And that was all.", "Thanks!", long]
        {
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
            assert!(points_back(question), "{question}");
        }
        for other in [
            "Who closes the door?",
            "It was good.",
            "Can you write that a bit shorter?",
            "Thanks!",
            "What did the electrician say of the old cable that is in the wall behind it?",
        ] {
            assert!(!points_back(other), "{other}");
        }
    }

    #[test]
    fn a_short_question_that_names_little_may_go_on() {
        for question in ["What is the order number?", "Why?", "Wie viele Kinder kommen mit?"] {
            assert!(may_go_on(question), "{question}");
        }
        for other in [
            "What is the difference between affect and effect?",
            "How many planets does the solar system have?",
            "How do I boil it?",
            "The order number.",
        ] {
            assert!(!may_go_on(other), "{other}");
        }
    }

    #[test]
    fn of_a_long_exchange_the_beginning_is_enough() {
        let before = "We left it to the others. ".repeat(50);
        let both = behind("And then?", [before.as_str()]).unwrap();
        assert_eq!(both.split_whitespace().count(), MOST_BEFORE_LONG);
        assert!(both.ends_with("And then?"));
    }
}
