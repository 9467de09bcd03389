//! Capitals that say nothing: those of headlines, in which every word has one.

use std::ops::Range;

use super::{LINKS, TITLES, Word, is_given};
use crate::memory::is_stop_word;
use crate::specifics::words::Words;

/// From this share of capitalised words on, in per cent, capitals say nothing: German nouns, headlines.
const SHOUTING: usize = 45;

/// Words of a text that are too few to tell.
const FEW: usize = 8;

/// Words that are small in headlines, too.
static SMALL: Words = Words::new(
    "a als am an and as at auf aus bei but by for from for für if im in into mit nach nor not of off on or per so than the to und \
     up via von vs with zu zum zur",
);

/// Signs of a text for which it is counted how many capitals there are.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    /// Words within sentences.
    inner: usize,
    /// Those of them with capitals.
    capitals: usize,
    /// Those in small letters that are small in headlines, too.
    small: usize,
}

impl Share {
    fn add(&mut self, text: &str, word: &Word) {
        let said = &text[word.place.range()];
        let is_small = |said: &str| SMALL.holds(said) || LINKS.holds(said);
        self.inner += usize::from(!word.first);
        self.capitals += usize::from(!word.first && word.capital);
        self.small += usize::from(!word.first && !word.capital && is_small(said));
    }

    fn is_high(self) -> bool {
        self.capitals * 100 > self.inner * SHOUTING
    }

    /// Whether a sentence is hardly anything but capitals: a headline has few other words that say something.
    fn is_headline(self) -> bool {
        let others = self.inner - self.capitals - self.small;
        self.is_high() && others * 3 <= self.capitals
    }
}

/// The words that stand in headlines.
pub(super) struct Headlines(Vec<Range<usize>>);

impl Headlines {
    /// Those of a text. Where few words have capitals there is none.
    pub(super) fn of(text: &str, words: &[Word]) -> Self {
        let mut share = Share::default();
        for word in words {
            share.add(text, word);
        }
        if share.inner <= FEW {
            let is_title = |place: &Range<usize>| is_title(text, &words[place.clone()]);
            return Self(sentences(words).filter(is_title).collect());
        }
        if !share.is_high() {
            return Self(Vec::new());
        }
        Self(sentences(words).filter(|place| is_headline(text, &words[place.clone()])).collect())
    }

    /// Whether one of the words stands in one.
    pub(super) fn hold(&self, nth: usize) -> bool {
        self.0.iter().any(|place| place.contains(&nth))
    }
}

/// The sentences of a text, by their words.
fn sentences(words: &[Word]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at += usize::from(at < words.len());
        at += words[at..].iter().take_while(|word| !word.first).count();
        (start < at).then_some(start..at)
    })
}

/// Whether a short sentence is one, in which even a word has a capital that is small within sentences: `Check The Logs`.
fn is_title(text: &str, words: &[Word]) -> bool {
    let said = |word: &Word| &text[word.place.range()];
    let [_, inner @ .., last] = words else { return false };
    let has_capital = |word: &Word| said(word).starts_with(char::is_uppercase);
    let is_small = |word: &Word| {
        let lower = said(word).to_lowercase();
        SMALL.holds(&lower) || is_stop_word(&lower)
    };
    has_capital(last) && inner.iter().all(has_capital) && inner.iter().any(is_small)
}

/// Whether a sentence is one, by its words beside the names of people that are known.
fn is_headline(text: &str, words: &[Word]) -> bool {
    let (mut share, mut nth) = (Share::default(), 0);
    while nth < words.len() {
        let capitals = words[nth..].iter().take_while(|word| word.capital).count();
        let closed = words[nth..nth + capitals].iter().position(|word| word.closed);
        let run = &words[nth..nth + closed.map_or(capitals, |closed| closed + 1).max(1)];
        nth += run.len();
        if !run.iter().any(|word| is_of_person(&text[word.place.range()])) {
            for word in run {
                share.add(text, word);
            }
        }
    }
    share.is_headline()
}

fn is_of_person(word: &str) -> bool {
    is_given(word) || TITLES.holds(word)
}

#[cfg(test)]
mod tests {
    use crate::specifics::{Kind, extract};

    #[test]
    fn a_long_text_of_capitals_is_looked_through_once() {
        // To look from each word to the end takes minutes.
        let all = extract(["not MySQL Works ".repeat(60_000).as_str()]);
        assert_eq!(all, []);
    }

    #[test]
    fn a_short_headline_names_nobody() {
        let names = |text: &str| -> Vec<String> {
            let all = extract([text]).into_iter().filter(|one| one.kind == Kind::Name);
            all.map(|one| one.text).collect()
        };
        for text in [
            "**Check The Logs**\n\nIt fails.",
            "Deploy The New Service To Production\nwe did that",
            "Explain Machine Learning To A Child",
            "Write A Python Script That Sorts Files",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
        for (text, name) in [
            ("Ask Tomás Ibarra", "Tomás Ibarra"),
            ("It moved from Porto to Lisbon.", "Lisbon"),
            ("Call Anna Schmidt.", "Anna Schmidt"),
        ] {
            assert!(names(text).contains(&name.to_owned()), "{text}: {:?}", names(text));
        }
    }
}
