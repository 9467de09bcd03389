//! What words of Spanish and French were said as: with other endings. Who asks for the one that `cuidaba` means what was
//! called the `cuidadora`.

use std::sync::Arc;

use super::Index;
use super::query::Term;
use crate::recall::terms;

/// Endings of verbs, nouns and adjectives without accents, the longest first.
const ENDINGS: &[&str] = &[
    "adores", "adoras", "issions", "aciones", "abamos", "iamos", "ieron", "iendo", "acion",
    "ation", "adora", "eurs", "euse", "ador", "amos", "emos", "imos", "aban", "aron", "aste",
    "iste", "ando", "ados", "adas", "idos", "idas", "ions", "aient", "aba", "abas", "ian", "ias",
    "ada", "ado", "ida", "ido", "are", "ere", "ire", "eur", "ent", "ons", "ait", "ais", "ant",
    "ees", "ez", "er", "ar", "ir", "ia", "io", "an", "en", "as", "es", "os", "ee", "is", "it", "a",
    "e", "o",
];

/// Letters of a word without its ending at least.
const LEAST: usize = 4;

/// Other forms that are looked for at most, those said most.
const MOST: usize = 4;

/// How much another form of a word counts.
const OF_FORM: f64 = 0.9;

impl Index {
    /// Joins to the words that were asked for their other forms; a word that was never said is the one said most.
    pub(super) fn join_bent(&self, terms: &mut Vec<Term>, asked: usize) {
        for at in 0..asked {
            if terms[at].is_grammar() {
                continue;
            }
            let mut forms = self.bent(&terms[at]).into_iter();
            if terms[at].passages == 0
                && let Some((text, passages)) = forms.next()
            {
                let word = Arc::clone(&terms[at].word);
                let kind = terms[at].kind;
                terms[at] =
                    Term { word, passages, kind, is_asked: true, ..self.term(&text, at, OF_FORM) };
            }
            forms.for_each(|(text, _)| self.join(terms, at, &text, OF_FORM));
        }
    }

    /// The other forms of a word that were said, and in how many passages each, most first.
    fn bent(&self, term: &Term) -> Vec<(String, u32)> {
        let word = terms::words(&term.word).into_iter().next().unwrap_or_default();
        let Some(stem) = stem_of(&word) else { return Vec::new() };
        let mut found: Vec<(String, u32)> = Vec::new();
        self.vocabulary.each_holding(stem, |number, other| {
            // To take a word apart takes longer than to see that it begins otherwise.
            let has_stem = || other.starts_with(stem) && stem_of(other) == Some(stem);
            if *other != *term.text && has_stem() {
                found.push((other.to_owned(), self.postings.count(number)));
            }
        });
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        found.truncate(MOST);
        found
    }
}

/// A word without its ending.
fn stem_of(word: &str) -> Option<&str> {
    let plural = word.strip_suffix('s').unwrap_or(word);
    let stems = [word, plural].into_iter();
    let ended = stems.flat_map(|word| ENDINGS.iter().filter_map(|end| word.strip_suffix(end)));
    let shortest = ended.filter(|stem| stem.len() >= LEAST).min_by_key(|stem| stem.len());
    shortest.or(Some(plural).filter(|stem| stem.len() >= LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::said::{Said, Source};

    #[test]
    fn forms_of_a_word_have_one_stem_and_other_words_have_others() {
        for (one, other) in [
            ("cuidaba", "cuidadora"),
            ("cobraba", "cobra"),
            ("gustado", "gusto"),
            ("dormimos", "dormir"),
            ("gafas", "gafa"),
            ("coutait", "coute"),
            ("voisine", "voisin"),
            ("chauffeur", "chauffer"),
        ] {
            assert_eq!(stem_of(one), stem_of(other), "{one} {other}");
        }
        for (one, other) in
            [("cuidar", "curar"), ("carta", "cartera"), ("hora", "horno"), ("piso", "piscina")]
        {
            assert_ne!(stem_of(one), stem_of(other), "{one} {other}");
        }
        assert_eq!(stem_of("sol"), None, "nothing is left of it");
    }

    #[test]
    fn who_asks_in_another_form_finds_what_was_said() {
        let mut index = Index::in_memory();
        for (turn, text) in (1..).zip(["la cuidadora se llama Ludmila", "el perro ladra", "llueve"])
        {
            let source = Source::Effort(format!("it-{turn}"));
            index.add(Said { source: &source, turn, day: None }, turn as u32, &[text]);
        }
        let hits = index.search("¿quién cuidaba a la abuela?", 3, None);
        assert_eq!(hits.first().map(|hit| hit.source.to_string()).as_deref(), Some("it-1"));
    }
}
