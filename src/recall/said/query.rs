//! What a query asks for: its terms, those that mean nearly the same, what stands side by side, and days.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bits::MOST_TERMS;
use super::days::{self, When};
use super::pairs::Pairs;
use super::related::{Kin, related};
use super::{Date, Index};
use crate::recall::language::{Set, Wording};
use crate::recall::{everyday, forms, terms};

/// Up to so many terms, words that look like them, or mean nearly the same, are looked for.
const FEW_TERMS: usize = 24;

/// How much a word of every day counts beside others, however rare it is in what was said.
const COMMON: f64 = 0.8;

/// A query, as the index understands it.
#[derive(Debug)]
pub(super) struct Query {
    /// Different terms, in order of appearance: those that are asked for, of grammar, and related to the first.
    pub(super) terms: Vec<Term>,
    /// Those that stand side by side.
    pub(super) pairs: Pairs,
    pub(super) when: Vec<When>,
    /// What of it is in scripts without spaces.
    pub(super) runs: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Term {
    pub(super) text: String,
    /// As typed.
    pub(super) word: Arc<str>,
    /// Among a thousand words of English.
    pub(super) per_thousand: f64,
    /// What it says by itself.
    pub(super) kind: Kind,
    pub(super) number: Option<u32>,
    /// The place of the term that it means nearly the same as; its own if it was asked for.
    pub(super) group: usize,
    /// Whether it stands in the query itself.
    pub(super) is_asked: bool,
    /// Whether it is related only widely to what was asked for: where that stands, it adds nothing.
    pub(super) is_wide: bool,
    /// How much it counts: less if it is only related to what was asked for, or a word of every day.
    pub(super) weight: f64,
    /// In how many documents it stands, once it is looked for, and in how many passages.
    pub(super) documents: u32,
    pub(super) passages: u32,
}

/// What a term says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What not everybody says.
    Telling,
    /// What everybody uses every day, in English, and numbers.
    Everyday,
    /// A number of one or two digits.
    SmallNumber,
    /// A word of grammar: it ranks what is found, and calls for nothing.
    Grammar,
}

impl Term {
    /// Whether it is a number of one or two digits.
    pub(super) fn is_small_number(&self) -> bool {
        self.kind == Kind::SmallNumber
    }

    /// Whether it is a word of grammar.
    pub(super) fn is_grammar(&self) -> bool {
        self.kind == Kind::Grammar
    }

    /// Whether hardly anybody says it in English.
    pub(super) fn is_rare_in_english(&self) -> bool {
        self.kind == Kind::Telling
    }

    /// Whether it was asked for and not everybody uses it every day.
    pub(super) fn is_telling(&self) -> bool {
        self.is_asked && self.kind == Kind::Telling
    }
}

impl Term {
    /// The same as a word of grammar: more common than any other. It counts less, too: where most was said in another language
    /// it is rare and yet tells nothing.
    fn of_grammar(self) -> Self {
        const PER_THOUSAND: f64 = 50.0;
        const WEIGHT: f64 = 0.6;
        Self { kind: Kind::Grammar, per_thousand: PER_THOUSAND, weight: WEIGHT, ..self }
    }

    /// The same as a word that is asked for and that everybody uses every day in another language than English.
    fn of_every_day(self) -> Self {
        const PER_THOUSAND: f64 = 0.5;
        let (per_thousand, weight) = (self.per_thousand.max(PER_THOUSAND), self.weight.min(COMMON));
        let kind = if self.kind == Kind::Telling { Kind::Everyday } else { self.kind };
        Self { kind, per_thousand, weight, is_asked: true, ..self }
    }
}

/// The terms of a query, and which of them are of grammar. These are looked for in a question about the past alone, where
/// people speak of themselves, and where there are no others.
fn sought(text: &str, wording: &Wording) -> (Vec<String>, Set) {
    let (mut all, grammar) = (terms::terms(text), wording.grammar());
    // Of English these are few, and stand in no other word's place.
    let is_wanted = wording.is_about_past() && !wording.knows_endings();
    if !is_wanted && all.iter().any(|term| !grammar.contains(term)) {
        all.retain(|term| !grammar.contains(term));
    }
    (all, grammar)
}

impl Query {
    /// Whether it is short enough to look for other words than its own.
    pub(super) fn is_short(&self) -> bool {
        self.terms.iter().filter(|term| term.is_asked).count() <= FEW_TERMS
    }

    /// Whether a term is none that was asked for, but means nearly the same as one that not everybody uses every day.
    pub(super) fn is_near(&self, term: &Term) -> bool {
        !term.is_asked && self.terms.get(term.group).is_some_and(Term::is_telling)
    }

    /// Of each term by its place, how many are more telling.
    pub(super) fn by_rarity(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.terms.len()).collect();
        let rarity = |at: &usize| (self.terms[*at].per_thousand, self.terms[*at].passages);
        places.sort_by(|a, b| {
            let (a, b) = (rarity(a), rarity(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let mut ranks = vec![0; places.len()];
        places.into_iter().enumerate().for_each(|(rank, place)| ranks[place] = rank);
        ranks
    }
}

impl Index {
    /// A query as the index understands it; words that mean nearly the same count so much. In a question a word may be mistyped.
    pub(super) fn understand(
        &self,
        text: &str,
        is_question: bool,
        now: Option<Date>,
        related: f64,
    ) -> Query {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let wording = Wording::of(text);
        let (all, grammar) = sought(text, &wording);
        let everyday = wording.everyday();
        let mut different: Vec<(&str, u32)> = Vec::new();
        for term in &all {
            if places.insert(term, 0).is_none() {
                let number = self.vocabulary.number(term);
                different.push((term, number.map_or(0, |number| self.postings.count(number))));
            }
        }
        if different.len() > MOST_TERMS {
            different.retain(|(_, count)| *count > 0);
            different.sort_by_key(|(_, count)| *count);
            different.truncate(MOST_TERMS);
        }
        // What is of grammar stands behind all else.
        different.sort_by_key(|(term, _)| grammar.contains(*term));
        places = different.iter().enumerate().map(|(at, (term, _))| (*term, at)).collect();
        let place = |term: &String| places.get(term.as_str()).copied();
        let both = |two: &[String]| Some((place(&two[0])?, place(&two[1])?));
        let mut pairs: Vec<(usize, usize)> = all.windows(2).filter_map(both).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let typed = terms::typed(text);
        let word = |text: &str| typed.get(text).map_or(text, String::as_str).into();
        let term = |(at, (text, count)): (usize, &(&str, u32))| {
            let term = Term { word: word(text), passages: *count, ..self.term(text, at, 1.0) };
            match () {
                () if grammar.contains(*text) => term.of_grammar(),
                () if everyday.contains(*text) => term.of_every_day(),
                () => Term { is_asked: true, ..term },
            }
        };
        let mut terms: Vec<Term> = different.iter().enumerate().map(term).collect();
        let asked = terms.iter().filter(|term| term.is_asked).count();
        if related > 0.0 && asked <= FEW_TERMS {
            if wording.joins_words() {
                self.take_joined(&mut terms, asked, related);
            }
            if is_question {
                self.take_misspelt(&mut terms);
                self.join_shortened(&mut terms, asked, related);
            }
            self.add_related(&mut terms, asked, related);
            if wording.joins_words() {
                self.join_longer(&mut terms, asked, related);
            }
            if wording.is_romance() {
                self.join_bent(&mut terms, asked);
            }
        }
        let pairs = Pairs::new(&pairs, |place| terms[place].number);
        Query { terms, pairs, when: days::mentioned(text, now), runs: terms::unspaced_runs(text) }
    }

    /// Joins words that mean nearly the same.
    fn add_related(&self, terms: &mut Vec<Term>, asked: usize, weight: f64) {
        for at in 0..asked {
            for text in related(&terms[at].text, Kin::Close) {
                self.join(terms, at, text, weight);
            }
            let close = terms.len();
            let wide = terms[at].is_telling().then(|| related(&terms[at].text, Kin::Wide));
            for text in wide.into_iter().flatten() {
                self.join(terms, at, text, weight);
            }
            terms[close..].iter_mut().for_each(|term| term.is_wide = true);
        }
    }

    /// Joins a word to the one at a place, if anything holds it and not nearly everything does.
    pub(super) fn join(&self, terms: &mut Vec<Term>, at: usize, text: &str, weight: f64) {
        /// A word in more than this part of all passages tells little, and costs most.
        const COMMON: u32 = 20;
        let common = (self.table.alive() / COMMON).max(COMMON);
        let count = self.count(text);
        if (1..=common).contains(&count) && terms.iter().all(|one| one.text != *text) {
            terms.push(Term { passages: count, ..self.term(text, at, weight) });
        }
    }

    /// In how many passages a term stands.
    pub(super) fn count(&self, term: &str) -> u32 {
        self.vocabulary.number(term).map_or(0, |number| self.postings.count(number))
    }

    pub(super) fn term(&self, text: &str, group: usize, weight: f64) -> Term {
        let per_thousand = everyday::per_thousand(text);
        let is_common = everyday::is_common(per_thousand);
        Term {
            text: text.to_owned(),
            word: text.into(),
            group,
            is_asked: false,
            is_wide: false,
            per_thousand,
            kind: match () {
                () if forms::is_small_number(text) => Kind::SmallNumber,
                () if forms::is_long_number(text) => Kind::Telling,
                () if is_common || forms::is_number(text) => Kind::Everyday,
                () => Kind::Telling,
            },
            number: self.vocabulary.number(text),
            weight: if is_common { weight * COMMON } else { weight },
            documents: 0,
            passages: 0,
        }
    }
}
