//! Whether a message asks for something: a question, with its sign or without, a wish, or a task that needs what a question
//! does.

use std::cell::OnceCell;

use super::language::{Wording, may_ask};
use super::terms;

/// Words behind the first one of a question that does without its sign.
const MOST_ASKED_WITHOUT_SIGN: usize = 14;

/// With so few words a message that asks nothing hardly tells anything.
const MOST_SAYING_NOTHING: usize = 5;

/// With more words than so many a message brings what it is about along.
pub(super) const MOST_BEFORE_LONG: usize = 40;

/// The signs of a question.
pub const SIGNS: [char; 3] = ['?', '？', '؟'];

/// Words that ask, in scripts without spaces: many questions have no sign there.
const ASKING: [&str; 22] = [
    "什么",
    "怎么",
    "多少",
    "哪里",
    "哪儿",
    "哪个",
    "几点",
    "谁",
    "어디",
    "언제",
    "얼마",
    "무엇",
    "อะไร",
    "ไหม",
    "เท่าไหร่",
    "เท่าไร",
    "เมื่อไหร่",
    "ที่ไหน",
    "ใคร",
    "ทำไม",
    "อย่างไร",
    "ยังไง",
];

/// What stands at the end of a question there.
const ASKING_END: [&str; 8] = ["か", "っけ", "かな", "까", "나요", "인가요", "吗", "呢"];

/// Whether a message asks by a word, in a script without spaces.
fn asks_by_word(message: &str) -> bool {
    let end = || message.trim_end_matches(['。', '.', ' ', '\n']);
    !message.is_ascii()
        && (ASKING.iter().any(|word| message.contains(word))
            || ASKING_END.iter().any(|word| end().ends_with(word)))
}

/// Whether a message has as few words as a question that does without its sign.
pub(super) fn is_brief(message: &str) -> bool {
    !terms::has_more_words(message, MOST_ASKED_WITHOUT_SIGN)
}

/// Whether a message has so many words that it brings what it is about along.
pub fn is_long(message: &str) -> bool {
    message.split_whitespace().nth(MOST_BEFORE_LONG).is_some()
        || terms::unspaced_words(message) > MOST_BEFORE_LONG
}

/// Whether a message is a question. Without its sign a long one that begins like a question is more often a sentence:
/// "When the night falls, ..."
pub fn asks(message: &str) -> bool {
    Asked::new(message).asks()
}

/// Whether a message asks, or tells enough for what was said before to bear on it: what somebody is going to do may be what
/// must not be, and what has happened goes on with what was.
pub fn asks_or_states(message: &str) -> bool {
    is_of_some_length(message) || asks(message)
}

/// Whether a message tells what somebody is going to do.
pub fn plans(message: &str) -> bool {
    Wording::of(message).plans()
}

/// Whether a message has as many words as it takes to tell something, and not so many that it brings what it is about along.
fn is_of_some_length(message: &str) -> bool {
    terms::has_more_words(message, MOST_SAYING_NOTHING) && !is_long(message)
}

/// A message, and how it is worded, which is told once.
pub(super) struct Asked<'a> {
    pub(super) message: &'a str,
    wording: OnceCell<Wording>,
    asks: OnceCell<bool>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(message: &'a str) -> Self {
        Self { message, wording: OnceCell::new(), asks: OnceCell::new() }
    }

    pub(super) fn wording(&self) -> &Wording {
        self.wording.get_or_init(|| Wording::of(self.message))
    }

    /// Whether it is a question, or a wish or a task that needs what a question does. What is to be done takes more words
    /// than what is asked.
    pub(super) fn asks(&self) -> bool {
        let has_sign = || self.message.contains(SIGNS) || asks_by_word(self.message);
        let asks = || has_sign() || !is_long(self.message) && self.asks_without_sign();
        *self.asks.get_or_init(asks)
    }

    /// Whether it asks nothing and tells something, in fewer words than bring along what it is about.
    pub(super) fn states(&self) -> bool {
        is_of_some_length(self.message) && !self.asks()
    }

    fn asks_without_sign(&self) -> bool {
        let begins_like_question = || {
            let wording = self.wording();
            is_brief(self.message) && wording.begins_like_question()
                || wording.inverts()
                || wording.asks_by_accent(self.message)
        };
        let begins = || begins_like_question() || self.wording().begins_like_task();
        may_ask(self.message) && begins()
            || self.wording().names_and_pleads()
            || self.wording().names_what_was_done()
            || self.wording().names_what_is_wanted()
            || self.wording().is_at_task()
            || self.asks_behind_its_beginning()
            || self.wording().asks_indirectly()
            || self.wording().asks_by_order()
    }

    /// Whether what stands behind something else asks: "It is dark, how do we get home".
    fn asks_behind_its_beginning(&self) -> bool {
        let pairs = clauses(self.message).zip(clauses(self.message).skip(1));
        let mut pairs = pairs.filter(|(_, (_, clause))| may_ask(clause));
        pairs.any(|((_, before), (is_sentence, clause))| {
            let wording = self.wording().of_part(clause);
            let begins = is_sentence && is_brief(clause) && wording.begins_like_question();
            // "Phew, is that hot!" exclaims.
            let exclaims =
                || wording.begins_with_verb() && self.wording().of_part(before).is_one_word();
            let only_tells = || !is_sentence && (wording.begins_like_relative() || exclaims());
            begins || wording.inverts() && !only_tells() || wording.asks_by_accent(clause)
        })
    }
}

/// The parts of a message between its stops, and whether each begins a sentence.
fn clauses(message: &str) -> impl Iterator<Item = (bool, &str)> {
    const STOPS: [char; 9] = ['.', '!', ':', ';', '\n', ',', '–', '—', '…'];
    let mut begins_sentence = true;
    let mut rest = Some(message);
    std::iter::from_fn(move || {
        let text = rest?;
        // What is joined by a stop is one word: "19.2".
        let is_stop = |(at, stop): &(usize, &str)| {
            let behind = &text[at + stop.len()..];
            behind.starts_with(char::is_whitespace) || *stop == "\n"
        };
        let stop = text.match_indices(STOPS).find(is_stop);
        let (clause, behind) = match stop {
            Some((at, stop)) => (&text[..at], Some(&text[at + stop.len()..])),
            None => (text, None),
        };
        rest = behind;
        let is_sentence =
            std::mem::replace(&mut begins_sentence, stop.is_some_and(|(_, stop)| stop != ","));
        Some((is_sentence, clause))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_from_other_messages() {
        for question in [
            "Which node was late",
            "and the clock?",
            "¿Cuándo?",
            "时钟呢？",
            "Remind me of it",
            "ロゴは何色でしたっけ。",
            "เท่าไหร่",
        ] {
            assert!(asks(question), "{question}");
        }
        for without_sign in [
            "by when do they hand over the bell",
            "whats on our list",
            "ok so where is it",
            "avec quelle société de cars on est partis à Rome",
            "und seit wann wohnt er da",
            "con cuántos vamos",
            "what were all the jobs that you said to do on the engine while it is out on the bench",
            "things we decided against for the attic this year",
            "who's carrying the bell on the day and which of the boats is it that they all go home with",
            "remind me which of the bells we ended up with, how many and how much it was for each",
            "name all the boats in the harbour and what they carry",
            "everything I said no to",
            "the boats we looked at",
            "woran ist die Ulme gestorben",
        ] {
            assert!(asks(without_sign), "{without_sign}");
        }
        for other in [
            "Thanks, that helps a lot!",
            "",
            "by the lake",
            "and so on",
            "mit dem Rad",
            "everything we said was wrong",
            "the boats we looked at were all too dear",
            "the we I",
            "the boats",
        ] {
            assert!(!asks(other), "{other}");
        }
        let long = "When the night falls the users watch the progress of each record, one by one, until morning.";
        assert!(!asks(long), "a sentence that begins like a question");
    }

    #[test]
    fn a_question_may_stand_behind_something_else() {
        for question in [
            "my niece wants to come along to the harbour, when do the boats normally go out",
            "A man in the train said that oak was better for it. what was the argument against",
            "it is dark: how do we get home",
            "by the way, did we lock the door",
            "here is the form, whats the name of the boat",
            "the harbour rang, they want to know how long the boat is",
            "mein Bruder fragt, wann wir losfahren",
            "ok, did we lock the door",
            "the shop is open now. how many nails per board",
            "is a depth of 19.2 ok for such a long boat, going by what they wrote to us in may",
            "morgen kommt der Maler, wie war seine Nummer",
            "die Glocke, wer bringt die weg",
            "und der Anker, wann wird der geliefert und von wem",
            "llega el pintor, cuánto fue la última vez",
        ] {
            assert!(asks(question), "{question}");
        }
        for other in [
            "We took the old boat, which was my uncle's, and went out.",
            "I met Ines, who is my cousin, and where was a good place to sit we talked.",
            "The bell rang, when the night fell it was quiet again.",
            "der Maler kommt, der die Tür gestrichen hat",
            "er rief an, wann genau sie kommen",
            "I know how it is done.",
            "the old bell, - is gone by now",
            "puh, ist das heute heiß",
            "phew, is it hot",
            "On est allés chez Paul, qui est mon cousin, et c'était bien.",
        ] {
            assert!(!asks(other), "{other}");
        }
    }

    #[test]
    fn what_tells_something_is_neither_a_question_nor_brief_nor_long() {
        let states = |message| Asked::new(message).states();
        assert!(states("I'll bring nuts for everybody on Friday."));
        for other in ["Thanks, that helps a lot!", "Shall I bring nuts for all of them?", ""] {
            assert!(!states(other), "{other}");
        }
        assert!(!states(&"I'll bring nuts for everybody. ".repeat(9)));
    }

    #[test]
    fn an_accent_tells_a_question_from_a_sentence() {
        assert!(asks(
            "por qué me desaconsejabas ir en coche después de la cena con todos ellos allí"
        ));
        assert!(asks("cómo se llamaba"));
        assert!(!asks(
            "como se llamaba igual que yo, nos reímos mucho toda la tarde y toda la noche"
        ));
    }

    #[test]
    fn clauses_end_at_stops_and_not_within_words() {
        let all: Vec<_> = clauses("is 19.2 ok, you think? So: no\nwell").collect();
        let expected =
            [(true, "is 19.2 ok"), (false, " you think? So"), (true, " no"), (true, "well")];
        assert_eq!(all, expected);
    }
}
