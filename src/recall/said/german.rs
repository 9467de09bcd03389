//! What German words were said as: with other endings, as a part of a longer word, or in parts, where a query is
//! German. Who asks for the `Firma` means the `Umzugsfirmen`, and who asks for the `Schlüsselübergabe` means what was
//! called the `Übergabe`.

use std::sync::Arc;

use super::Index;
use super::query::Term;
use crate::recall::language::is_of_grammar;
use crate::recall::{forms, terms};

/// The endings of one word, if that is a noun or an adjective.
const ENDINGS: [&str; 9] = ["", "e", "n", "s", "en", "er", "em", "es", "ern"];

/// Those that a verb has beside them, and what is made of one.
const OF_VERBS: [&str; 6] = ["t", "et", "st", "te", "ung", "ungen"];

/// Endings of words from other languages, in place of which others stand: `Firma`, `Zentrum`.
const FOREIGN: [&str; 2] = ["a", "um"];

/// The ending of several women; one of them has its first two letters.
const WOMEN: &str = "innen";

/// Letters of a word without its ending at least, and of what a longer word has beside it.
const LEAST: usize = 3;

/// Letters of a word with which a longer one begins at least.
const LEAST_BEGINNING: usize = 4;

/// Letters of a part that stands for a word that was never said at least, and of the rest of that, which are as many as a
/// part has where both were said.
const LEAST_PART: usize = 5;
const LEAST_REST: usize = 4;

/// A word that was said in so few passages may have been said in parts as well.
const SELDOM: u32 = 2;

/// What stands before a verb that is made of a word: what is `verglast` is no `Glas`.
const PREFIXES: [&str; 3] = ["ent", "ver", "zer"];

/// Longer words in which one stands that are looked for at most, those said most.
const MOST_LONGER: usize = 6;

/// How much another form of a word counts.
const OF_FORM: f64 = 0.9;

impl Index {
    /// Lets a word that was never said be what was said of it: another form, or a part of it. To one that was seldom said its
    /// parts are joined.
    pub(super) fn take_joined(&self, terms: &mut Vec<Term>, asked: usize, weight: f64) {
        for at in 0..asked {
            if terms[at].passages > 0 {
                if terms[at].passages <= SELDOM && terms[at].is_telling() {
                    for (text, _) in self.said_halves(&folded(&terms[at].word)) {
                        self.join(terms, at, &text, weight);
                    }
                }
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
        let halves = self.said_halves(word);
        if !halves.is_empty() {
            return halves;
        }
        let cuts = cuts_of(word, LEAST_PART, LEAST_REST);
        let begins = cuts.iter().rev().find_map(|at| self.part_said(&word[..*at]));
        let cuts = cuts_of(word, LEAST_REST, LEAST_PART);
        let ends = cuts.iter().find_map(|at| self.part_said(&word[*at..]));
        rarest_first(begins, ends)
    }

    /// The two words that a word was made of, if both were said, the one said less before the other.
    fn said_halves(&self, word: &str) -> Vec<(String, u32)> {
        let both = |at: &usize| {
            let (begins, ends) = word.split_at(*at);
            Some((self.part_said(begins)?, self.part_said(ends)?))
        };
        let found = cuts_of(word, LEAST_REST, LEAST_REST).iter().find_map(both);
        found.map_or_else(Vec::new, |(begins, ends)| rarest_first(Some(begins), Some(ends)))
    }

    /// A part of a word as it was said most, if that says something: in `Einwohner` there is no `ohne`.
    fn part_said(&self, part: &str) -> Option<(String, u32)> {
        let says = |term: &String| !is_of_grammar(term);
        self.most_said(forms_of(part).into_iter().filter(says).collect())
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

/// Where a word may be cut that has so many letters before that at least, and so many behind it.
fn cuts_of(word: &str, before: usize, behind: usize) -> Vec<usize> {
    let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
    let end = (cuts.len() + 1).saturating_sub(behind);
    cuts.get(before..end).unwrap_or_default().to_vec()
}

/// What was found of two parts, the one said less first.
fn rarest_first(one: Option<(String, u32)>, other: Option<(String, u32)>) -> Vec<(String, u32)> {
    let mut parts: Vec<(String, u32)> = one.into_iter().chain(other).collect();
    parts.sort_by_key(|(_, passages)| *passages);
    parts.dedup();
    parts
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
    let own = endings.iter().chain(&FOREIGN).copied();
    let of_women = word.ends_with(WOMEN).then_some(&WOMEN[2..]);
    let stems = own.chain(of_women).filter_map(|end| word.strip_suffix(end)).filter(is_stem);
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
    fn a_word_that_was_seldom_said_is_looked_for_by_its_halves_as_well() {
        let mut said = vec!["der Rapshonig ist fest", "den Raps senke ich", "der Honig ist gut"];
        let found = |said: &[&str]| {
            let hits = of(said).search("Was kostet der Rapshonig?", 9, None);
            hits.iter().any(|hit| hit.source == Source::Effort("it-2".to_owned()))
        };
        assert!(found(&said));
        said.extend(["noch ein Rapshonig", "und ein Rapshonig"]);
        assert!(!found(&said), "what was said often is called that");
    }

    #[test]
    fn the_forms_of_a_word_have_each_other_s_endings() {
        for (one, other) in [
            ("firma", "firmen"),
            ("zahn", "zahne"),
            ("zentrum", "zentren"),
            ("kautionen", "kaution"),
            ("lehrerinnen", "lehrerin"),
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
            "der Zaun",
        ]);
        let parts = |word| {
            let parts = index.said_parts(word).into_iter();
            parts.map(|(part, _)| part).collect::<Vec<_>>()
        };
        assert_eq!(parts("zahnarzttermin").len(), 2);
        assert!(parts("kettensage").is_empty() && parts("zugvogel").is_empty());
        assert_eq!(parts("fahrradzaun").len(), 2, "the end is short, and both were said");
        assert!(of(&["das geht ohne"]).said_parts("einwohner").is_empty(), "no word of grammar");
        let longer = |word: &str| index.longer(word, &with_endings(word, &ENDINGS));
        assert_eq!(longer("firma"), [forms::form("umzugsfirmen")]);
        assert_eq!(longer("zahn"), [forms::form("zahnarzt")]);
        assert_eq!(longer("rad"), [forms::form("fahrrad")], "no part of it is one letter");
        assert!(longer("glas").is_empty(), "what is glazed is no glass");
    }
}
