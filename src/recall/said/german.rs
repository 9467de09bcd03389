//! What German words were said as: with other endings, as a part of a longer word, or in parts, where a query is
//! German. Who asks for the `Firma` means the `Umzugsfirmen`, and who asks for the `Schlüsselübergabe` means what was
//! called the `Übergabe`.

use std::sync::Arc;

use super::Index;
use super::query::Term;
use crate::recall::{forms, terms};

/// The endings of one word, if that is a noun or an adjective.
const ENDINGS: [&str; 9] = ["", "e", "n", "s", "en", "er", "em", "es", "ern"];

/// Those that a verb has beside them, and what is made of one.
const OF_VERBS: [&str; 6] = ["t", "et", "st", "te", "ung", "ungen"];

/// Endings of words from other languages, in place of which others stand: `Firma`, `Zentrum`.
const FOREIGN: [&str; 2] = ["a", "um"];

/// Letters of a word without its ending at least, and of what a longer word has beside it.
const LEAST: usize = 3;

/// Letters of a word with which a longer one begins at least.
const LEAST_BEGINNING: usize = 4;

/// Letters of a part that stands for a word that was never said at least, and of the rest of that.
const LEAST_PART: usize = 5;
const LEAST_REST: usize = 4;

/// What stands before a verb that is made of a word: what is `verglast` is no `Glas`.
const PREFIXES: [&str; 3] = ["ent", "ver", "zer"];

/// Longer words in which one stands that are looked for at most, those said most.
const MOST_LONGER: usize = 6;

/// How much another form of a word counts.
const OF_FORM: f64 = 0.9;

impl Index {
    /// Lets a word that was never said be what was said of it: another form, or a part of it.
    pub(super) fn take_joined(&self, terms: &mut Vec<Term>, asked: usize, weight: f64) {
        for at in 0..asked {
            if terms[at].passages > 0 {
                continue;
            }
            let word = folded(&terms[at].word);
            let (said, counts) = match self.most_said(forms_of(&word)) {
                Some(said) => (vec![said], 1.0),
                None => (self.said_parts(&word), weight),
            };
            let mut said = said.into_iter();
            let Some((text, passages)) = said.next() else { continue };
            let word = Arc::clone(&terms[at].word);
            terms[at] = Term { word, passages, is_asked: true, ..self.term(&text, at, counts) };
            said.for_each(|(text, _)| self.join(terms, at, &text, weight));
        }
    }

    /// Joins to the words that were asked for their other forms, and to the telling ones the longer words that end or begin
    /// with them.
    pub(super) fn join_longer(&self, terms: &mut Vec<Term>, asked: usize, weight: f64) {
        for at in 0..asked {
            let word = folded(&terms[at].word);
            let of_word = forms_of(&word);
            for form in &of_word {
                self.join(terms, at, form, OF_FORM);
            }
            if terms[at].is_telling() {
                for longer in self.longer(&word, &with_endings(&word, &ENDINGS)) {
                    self.join(terms, at, &longer, weight);
                }
            }
        }
    }

    /// Of some terms the one said most, and in how many passages it stands.
    fn most_said(&self, terms: Vec<String>) -> Option<(String, u32)> {
        let counted = terms.into_iter().map(|term| (self.count(&term), term));
        let (passages, term) = counted.max_by_key(|(count, _)| *count)?;
        (passages > 0).then_some((term, passages))
    }

    /// The longest beginning and the longest end of a word that were said in some form, the one said less before the other.
    fn said_parts(&self, word: &str) -> Vec<(String, u32)> {
        let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let within = |first: usize, last: usize| {
            cuts.get(first..(cuts.len() + 1).saturating_sub(last)).unwrap_or_default()
        };
        let said = |part: &str| self.most_said(forms_of(part));
        let mut begins = within(LEAST_PART, LEAST_REST).iter().rev().map(|at| &word[..*at]);
        let mut ends = within(LEAST_REST, LEAST_PART).iter().map(|at| &word[*at..]);
        let (begins, ends) = (begins.find_map(said), ends.find_map(said));
        let mut parts: Vec<(String, u32)> = begins.into_iter().chain(ends).collect();
        parts.sort_by_key(|(_, passages)| *passages);
        parts.dedup();
        parts
    }

    /// The longer words that end with a word in one of its forms, or begin with it, as they are compared.
    fn longer(&self, word: &str, of_word: &[String]) -> Vec<String> {
        let count = word.chars().count();
        if count < LEAST {
            return Vec::new();
        }
        let is_rest = |rest: &str| rest.chars().count() >= LEAST && !PREFIXES.contains(&rest);
        let fits = |term: &str| {
            let ends = |form: &str| term.strip_suffix(form).is_some_and(is_rest);
            let begins = || term.strip_prefix(word).is_some_and(is_rest);
            ends(word)
                || count >= LEAST_BEGINNING
                    && (begins()
                        || of_word.iter().any(|form| form.len() >= word.len() && ends(form)))
        };
        let mut longer: Vec<(u32, String)> = Vec::new();
        self.vocabulary.each_holding(word, |number, term| {
            if fits(term) {
                longer.push((self.postings.count(number), term.to_owned()));
            }
        });
        longer.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        longer.truncate(MOST_LONGER);
        longer.into_iter().map(|(_, term)| term).collect()
    }
}

/// A word without case and accents.
fn folded(word: &str) -> String {
    terms::words(word).into_iter().next().unwrap_or_default()
}

/// The terms of a word in each of its forms, itself among them.
fn forms_of(word: &str) -> Vec<String> {
    let all: Vec<&str> = ENDINGS.into_iter().chain(OF_VERBS).collect();
    with_endings(word, &all)
}

/// The terms of a word with each of some endings in place of its own, itself among them.
fn with_endings(word: &str, endings: &[&str]) -> Vec<String> {
    let is_stem = |rest: &&str| rest.chars().count() >= LEAST;
    let own = endings.iter().chain(&FOREIGN);
    let stems = own.filter_map(|end| word.strip_suffix(end)).filter(is_stem);
    let mut all: Vec<String> = stems
        .flat_map(|stem| endings.iter().map(move |end| forms::form(&format!("{stem}{end}"))))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::said::{Said, Source};

    fn of(said: &[&str]) -> Index {
        let mut index = Index::in_memory();
        for (turn, text) in (1..).zip(said) {
            let source = Source::Effort(format!("it-{turn}"));
            index.add(Said { source: &source, turn, day: None }, turn as u32, &[*text]);
        }
        index
    }

    #[test]
    fn the_forms_of_a_word_have_each_other_s_endings() {
        for (one, other) in [
            ("firma", "firmen"),
            ("zahn", "zahne"),
            ("zentrum", "zentren"),
            ("kautionen", "kaution"),
        ] {
            assert!(forms_of(one).contains(&forms::form(other)), "{one}: {:?}", forms_of(one));
        }
        assert!(!forms_of("tee").iter().any(|form| form.len() < LEAST), "nothing is left of it");
    }

    #[test]
    fn a_word_is_known_by_its_parts_and_by_longer_ones() {
        let index = of(&[
            "die Umzugsfirmen",
            "der Termin",
            "der Zahnarzt",
            "das Fahrrad",
            "der Grad",
            "verglaste Fenster",
            "ein Zug",
        ]);
        let parts = |word| {
            let parts = index.said_parts(word).into_iter();
            parts.map(|(part, _)| part).collect::<Vec<_>>()
        };
        assert_eq!(parts("zahnarzttermin").len(), 2);
        assert!(parts("kettensage").is_empty() && parts("zugvogel").is_empty());
        let longer = |word: &str| index.longer(word, &with_endings(word, &ENDINGS));
        assert_eq!(longer("firma"), [forms::form("umzugsfirmen")]);
        assert_eq!(longer("zahn"), [forms::form("zahnarzt")]);
        assert_eq!(longer("rad"), [forms::form("fahrrad")], "no part of it is one letter");
        assert!(longer("glas").is_empty(), "what is glazed is no glass");
    }
}
