//! A request without a verb: "the trader's address, please", "the places we looked at".

use super::{Language, Wording};

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

impl Wording {
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
