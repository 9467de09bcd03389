//! A request without a verb: "the trader's address, please".

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
