//! A request that asks in no words: "the trader's address, please", "the places we looked at", "the number of the receipt",
//! "must tell Ines what it costs".

use std::sync::OnceLock;

use super::past::is_told_in;
use super::{Language, Set, Wording};

/// With what it ends, in some languages that people ask in.
const PLEAS: [&str; 9] = [
    "please",
    "pls",
    "plz",
    "bitte",
    "por favor",
    "per favore",
    "s'il te plait",
    "s'il vous plait",
    "stp",
];

/// Articles before what nobody need know.
const INDEFINITE: [&str; 8] = ["ein", "eine", "einen", "noch", "un", "una", "une", "des"];

/// Words before that at most: more of them tell something.
const MOST: usize = 8;

/// With what somebody begins to name what they did something about.
const WANTED: [&str; 9] =
    ["all", "anything", "every", "everything", "my", "our", "stuff", "the", "things"];

/// Those that name it by themselves, with no noun behind them.
const NAMING: [&str; 4] = ["anything", "everything", "stuff", "things"];

/// Who did it.
const WHO: [&str; 4] = ["i", "they", "we", "you"];

/// Words before who did it at most.
const MOST_NAMING: usize = 4;

/// Words of the whole message at most: with more it tells something.
const MOST_DONE: usize = 12;

/// Verbs that make a sentence of it: "Everything we said was wrong."
const SAYING: [&str; 27] = [
    "am", "are", "be", "can", "can't", "could", "did", "didn't", "do", "does", "doesn't", "don't",
    "get", "gets", "got", "has", "is", "isn't", "makes", "must", "should", "was", "wasn't", "were",
    "will", "won't", "would",
];

/// What people want to know of something.
const OF_THINGS: &str = "address amount amounts brand code colour color concentration concentrations cost costs count date dates \
    deadline dose email error errors fee file hash id length limit link message model name names number numbers order \
    password path percentage phone port ports price prices quote rate rates ratio reference serial size sizes street \
    temperature time times title titles total totals value values version weight width";

/// What stands between that and the thing.
const BETWEEN: [&str; 8] = ["for", "from", "in", "of", "off", "on", "to", "with"];

/// With what more of the thing is told.
const RELATIVE: [&str; 5] = ["that", "when", "where", "which", "who"];

/// Words before what is wanted at most, and of the whole message.
const MOST_BEFORE_WANTED: usize = 4;
const MOST_WANTED: usize = 16;

/// Who has something to do, and what stands beside that.
const DOERS: [&str; 9] = ["also", "i", "i'm", "im", "just", "now", "ok", "so", "still"];

/// That it has to be done.
const DUTIES: [&[&str]; 12] = [
    &["about", "to"],
    &["going", "to"],
    &["gonna"],
    &["gotta"],
    &["have", "to"],
    &["must"],
    &["need", "to"],
    &["should"],
    &["supposed", "to"],
    &["trying", "to"],
    &["want", "to"],
    &["wanna"],
];

/// What is told to others beside the tasks that anybody may be given, and tasks that somebody is at.
const TELLING: [&str; 7] = ["explain", "include", "mention", "quote", "remind", "specify", "tell"];
const AT_TASKS: [&str; 6] = ["composing", "drafting", "emailing", "filling", "texting", "writing"];

impl Wording {
    /// Whether somebody is at a task, or has one to do, for which something is to be told to others: "filling in the form".
    pub(in crate::recall) fn is_at_task(&self) -> bool {
        if self.language.nth != 0 {
            return false;
        }
        let is_doer = |word: &&String| DOERS.contains(&word.as_str());
        let rest = &self.words[self.words.iter().take_while(is_doer).count()..];
        let is_one_of = |some: &[&str], word: Option<&String>| {
            word.is_some_and(|word| some.contains(&word.as_str()))
        };
        let is_task = |word: Option<&String>| {
            is_one_of(&TELLING, word) || word.is_some_and(|word| self.language.tasks.contains(word))
        };
        let behind = |duty: &&[&str]| {
            let has_duty = rest.len() > duty.len() && rest.iter().zip(*duty).all(|(a, b)| a == b);
            has_duty.then(|| &rest[duty.len()..])
        };
        let is_to_do = DUTIES.iter().find_map(behind).is_some_and(|rest| is_task(rest.first()));
        is_to_do || is_one_of(&AT_TASKS, rest.first())
    }

    /// Whether it names what somebody wants to know of something, and says nothing of it: "the number of the receipt".
    pub(in crate::recall) fn names_what_is_wanted(&self) -> bool {
        static WANTED_OF: OnceLock<Set> = OnceLock::new();
        let wanted_of =
            WANTED_OF.get_or_init(|| OF_THINGS.split_whitespace().map(str::to_owned).collect());
        let is_one_of = |some: &[&str], word: &String| some.contains(&&**word);
        if self.language.nth != 0 || self.words.len() > MOST_WANTED {
            return false;
        }
        let is_relative = |word: &String| is_one_of(&RELATIVE, word);
        let head = self.words.iter().position(is_relative).unwrap_or(self.words.len());
        let head = &self.words[..head];
        let mut beginning = head.windows(2).take(MOST_BEFORE_WANTED);
        let names =
            beginning.any(|two| wanted_of.contains(&two[0]) && is_one_of(&BETWEEN, &two[1]));
        names
            && !head.iter().any(|word| is_one_of(&SAYING, word) || is_one_of(&WHO, word))
            && !is_told_in(head)
    }

    /// Whether it names what is wanted and asks for it by courtesy alone: what both sides know, or what is somebody's.
    pub(in crate::recall) fn names_and_pleads(&self) -> bool {
        let mut pleas = PLEAS.iter();
        let Some(named) = pleas.find_map(|plea| before(&self.words, plea)) else { return false };
        let is_somebodys = |word: &String| word.len() > 3 && word.ends_with("'s");
        named.len() > 1
            && named.len() <= MOST
            && (self.is_known(&named[0]) || named.iter().any(is_somebodys))
    }

    /// Whether it names what somebody did something about, and says nothing of it: "things we decided against for the attic".
    pub(in crate::recall) fn names_what_was_done(&self) -> bool {
        let (words, is_one_of) =
            (&self.words, |some: &[&str], word: &String| some.contains(&&**word));
        if self.language.nth != 0
            || words.len() > MOST_DONE
            || words.iter().any(|word| is_one_of(&SAYING, word))
        {
            return false;
        }
        let Some(first) = words.first().filter(|first| is_one_of(&WANTED, first)) else {
            return false;
        };
        let who = words.iter().take(MOST_NAMING + 1).position(|word| is_one_of(&WHO, word));
        // An article names nothing by itself.
        let names = |who: usize| who > 1 || who == 1 && is_one_of(&NAMING, first);
        who.is_some_and(|who| names(who) && who + 1 < words.len())
    }

    /// Whether a word stands before what both sides know: "my", "the". In some languages that is any article but "a".
    fn is_known(&self, word: &str) -> bool {
        let word = word.split('\'').next().unwrap_or_default();
        let Language { own, definite, asking, .. } = self.language;
        let is_definite = || !asking.contains(word) && !INDEFINITE.contains(&word);
        let is_article = || definite.is_empty() && self.is_grammar(word) && is_definite();
        own.contains(word) || definite.contains(word) || is_article()
    }
}

/// The words before those of a phrase that stand at the end of some.
fn before<'w>(words: &'w [String], phrase: &str) -> Option<&'w [String]> {
    phrase.rsplit(' ').try_fold(words, |words, last| {
        words.split_last().filter(|(word, _)| *word == last).map(|(_, before)| before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_something_to_tell_others_needs_to_know_it() {
        let is_at_task = |message| Wording::of(message).is_at_task();
        for task in [
            "must tell Ines what the mooring costs",
            "need to tell the harbour our length",
            "I should put a note on the door for when the paint is dry",
            "I'm filling in the harbour's form",
            "writing to the harbour, need our length",
        ] {
            assert!(is_at_task(task), "{task}");
        }
        for other in
            ["must go now", "I have to sleep", "they need to tell me", "tell", "I must", ""]
        {
            assert!(!is_at_task(other), "{other}");
        }
    }

    #[test]
    fn what_is_wanted_of_something_is_named_and_nothing_said_of_it() {
        let is_wanted = |message| Wording::of(message).names_what_is_wanted();
        for wanted in [
            "the number off the receipt for the anchor",
            "sail number of our boat in the end",
            "for the form: names of both boats",
            "the call number of the ship that went down, from the first list",
        ] {
            assert!(is_wanted(wanted), "{wanted}");
        }
        for other in [
            "the name of the boat is Kittiwake",
            "the price of oak went up again",
            "the harbour of Brest",
            "I have the number of the receipt",
        ] {
            assert!(!is_wanted(other), "{other}");
        }
    }
}
