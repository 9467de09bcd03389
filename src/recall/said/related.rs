//! Words that mean nearly the same, or belong together: whoever asks for the luggage means the suitcase, and whoever asks
//! for the doctor means the `Arzt`.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::recall::{forms, terms};

/// Groups of words, one a line: of English, and of what is called the same in other languages. These hold no word that
/// another language uses every day for something else, such as the French `pain`.
const CLOSE: [&str; 2] =
    [include_str!("../../../assets/alike.txt"), include_str!("../../../assets/languages.txt")];

/// Further ones of English. They are many, and a word of every day would call for much by them.
const WIDE: &str = include_str!("../../../assets/akin.txt");

type Places = Box<[u16]>;

/// All groups, in little room.
#[derive(Debug)]
struct Related {
    /// The terms that stand in any, sorted, each with its groups.
    terms: Box<[(Box<str>, Places)]>,
    /// The beginning of each: close together they are soon looked through.
    beginnings: Box<[u64]>,
    /// The places of the terms of each.
    groups: Box<[Places]>,
    /// The place of the first one that is wide.
    first_wide: u16,
}

/// How near words are in meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kin {
    /// Whoever says one may say the other.
    Close,
    /// They belong together.
    Wide,
}

/// The terms that are related so to one; one that is so in several ways comes several times.
pub(super) fn related(term: &str, kin: Kin) -> impl Iterator<Item = &'static str> + use<> {
    static GROUPS: OnceLock<Related> = OnceLock::new();
    let all = GROUPS.get_or_init(Related::read);
    let (Related { terms, groups, first_wide, .. }, at) = (all, all.place(term));
    let of_term = at.into_iter().flat_map(|at| &*terms[at].1);
    let of_term = of_term.filter(move |group| (**group < *first_wide) == (kin == Kin::Close));
    let others = of_term.flat_map(|group| &*groups[usize::from(*group)]).map(|at| usize::from(*at));
    others.filter(move |other| Some(*other) != at).map(|other| &*terms[other].0)
}

/// A text that asked for what was found, to tell its words as they were typed.
#[derive(Debug)]
pub struct AsTyped<'a> {
    text: &'a str,
    /// Its words by their terms, as typed, once they are wanted.
    typed: OnceCell<BTreeMap<String, String>>,
}

impl<'a> AsTyped<'a> {
    /// Such a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, typed: OnceCell::new() }
    }

    /// Its word, as typed, with which another one was looked for: the same, or one that it is related to.
    pub fn word_for(&self, word: &str) -> Option<String> {
        if stands_in(self.text, word) {
            return Some(word.to_owned());
        }
        let typed = self.typed.get_or_init(|| terms::typed(self.text));
        let term = forms::form(&word.to_lowercase());
        // A related word is named by its term.
        let all = |term: &str| related(term, Kin::Close).chain(related(term, Kin::Wide));
        let mut others = all(word).chain(all(&term));
        typed.get(&*term).or_else(|| others.find_map(|term| typed.get(term))).cloned()
    }
}

/// Whether a text holds a word just as it is.
fn stands_in(text: &str, word: &str) -> bool {
    let is_part = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

impl Related {
    fn read() -> Self {
        let first_wide = CLOSE.into_iter().flat_map(str::lines).count() as u16;
        let texts = CLOSE.into_iter().chain([WIDE]);
        let lines: Vec<Vec<String>> = texts.flat_map(str::lines).map(terms::terms).collect();
        let mut of_terms: BTreeMap<&str, Vec<u16>> = BTreeMap::new();
        for (nth, line) in lines.iter().enumerate() {
            for term in line {
                let groups = of_terms.entry(term).or_default();
                if groups.last() != Some(&(nth as u16)) {
                    groups.push(nth as u16);
                }
            }
        }
        let mut groups = vec![Vec::new(); lines.len()];
        for (place, of_term) in of_terms.values().enumerate() {
            for group in of_term {
                groups[usize::from(*group)].push(place as u16);
            }
        }
        let term = |(term, groups): (&str, Vec<u16>)| (term.into(), groups.into());
        Self {
            beginnings: of_terms.keys().map(|term| beginning(term)).collect(),
            terms: of_terms.into_iter().map(term).collect(),
            groups: groups.into_iter().map(Into::into).collect(),
            first_wide,
        }
    }

    /// The place of a term.
    fn place(&self, term: &str) -> Option<usize> {
        let sought = beginning(term);
        let first = self.beginnings.partition_point(|beginning| *beginning < sought);
        let same = self.beginnings[first..].iter().take_while(|beginning| **beginning == sought);
        (first..first + same.count()).find(|at| *self.terms[*at].0 == *term)
    }
}

/// The first bytes of a term, as a number in the order of terms.
fn beginning(term: &str) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    bytes.iter_mut().zip(term.bytes()).for_each(|(byte, of_term)| *byte = of_term);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_group_are_related_both_ways_and_others_are_not() {
        let is_related = |a: &str, b: &str| {
            related(&forms::form(a), Kin::Close).any(|other| other == forms::form(b))
        };
        assert!(is_related("luggage", "suitcases") && is_related("suitcase", "luggage"));
        assert!(!is_related("luggage", "kitchen") && !is_related("luggage", "luggage"));
        assert!(related("unheard", Kin::Wide).next().is_none());
    }

    #[test]
    fn what_is_related_widely_is_so_where_that_is_wanted() {
        let is_related = |kin| {
            let mut others = related(&forms::form("nauseous"), kin);
            others.any(|other| other == forms::form("queasy"))
        };
        assert_eq!([Kin::Close, Kin::Wide].map(is_related), [false, true]);
    }

    #[test]
    fn words_of_other_languages_are_related_to_those_of_english_and_to_each_other() {
        let is_related = |a: &str, b: &str| {
            let (a, b) = (terms::terms(a), terms::terms(b));
            related(&a[0], Kin::Close).any(|other| other == b[0])
        };
        for (one, other) in [("doctor", "Ärztin"), ("médecin", "Arzt"), ("Heizung", "chaudière")]
        {
            assert!(is_related(one, other) && is_related(other, one), "{one} {other}");
        }
        // What one language calls bread, hand or letter is something else in another one.
        for (one, other) in [("pain", "bread"), ("main", "hand"), ("brief", "letter")] {
            assert!(!is_related(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_word_that_was_found_is_told_by_the_one_that_was_asked_for() {
        let asked = AsTyped::new("What did we pay for the Luggage?");
        for word in ["luggage", "Luggage", "suitcases", "suitcase", &*forms::form("suitcases")] {
            assert_eq!(asked.word_for(word).as_deref(), Some("Luggage"), "{word}");
        }
        assert_eq!(asked.word_for("2026-01-31"), None);
    }
}
