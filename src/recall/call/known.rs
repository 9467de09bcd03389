//! What a question names, and which of it was ever said.

use std::cell::OnceCell;

use crate::recall::language::Wording;
use crate::recall::said::Hit;
use crate::recall::terms;

/// The telling words of a question, and which of them were said.
pub(super) struct Known<'a> {
    pub(super) telling: Vec<(String, bool)>,
    /// The hits with the terms that they hold.
    pub(super) found: Vec<(&'a Hit, Vec<String>)>,
    /// Of so many telling words one has to be known: of those with other endings less is found again.
    part: usize,
    /// Verbs that were never said; they are none of those words.
    unsaid_verbs: usize,
}

impl<'a> Known<'a> {
    fn of(wording: &Wording, hits: &'a [Hit]) -> Self {
        let terms = |hit: &Hit| {
            let words = hit.passages.iter().flat_map(|passage| &passage.words);
            words.flat_map(|word| terms::terms(word)).collect::<Vec<_>>()
        };
        let found: Vec<(&Hit, Vec<String>)> = hits.iter().map(|hit| (hit, terms(hit))).collect();
        let part = if wording.knows_endings() { 2 } else { 3 };
        let (mut telling, verbs) = (wording.telling(), wording.verbs());
        let is_said = |term: &String| found.iter().any(|(_, terms)| terms.contains(term));
        let all = telling.len();
        telling.retain(|(term, _)| !verbs.contains(term) || is_said(term));
        let unsaid_verbs = all - telling.len();
        Self { telling, found, part, unsaid_verbs }
    }

    /// Whether none of them was ever said.
    pub(super) fn is_none(&self) -> bool {
        let is_known = |term: &String| self.found.iter().any(|(_, terms)| terms.contains(term));
        !self.telling.iter().any(|(term, _)| is_known(term))
    }

    /// Whether not too many of them were never said. Of what is not theirs people ask in words that were not.
    pub(super) fn is_enough(&self) -> bool {
        let known = |term: &String| self.found.iter().any(|(_, terms)| terms.contains(term));
        let known = self.telling.iter().filter(|(term, _)| known(term)).count();
        known * self.part >= self.telling.len()
    }
}

/// The words of a question, and which of them were said: that is looked up once, if at all.
pub(super) struct Words<'a> {
    pub(super) wording: &'a Wording,
    hits: &'a [Hit],
    known: OnceCell<Known<'a>>,
}

impl<'a> Words<'a> {
    pub(super) fn of(wording: &'a Wording, hits: &'a [Hit]) -> Self {
        Self { wording, hits, known: OnceCell::new() }
    }

    pub(super) fn known(&self) -> &Known<'a> {
        self.known.get_or_init(|| Known::of(self.wording, self.hits))
    }

    /// How many different ones name something: all but those of grammar, and the verbs that nobody said.
    pub(super) fn named(&self) -> usize {
        self.wording.named().saturating_sub(self.known().unsaid_verbs)
    }

    /// Whether they name nothing but one thing: "When is the hearing?"
    pub(super) fn name_one(&self) -> bool {
        const MOST_NAMED: usize = 2;
        self.wording.named() <= MOST_NAMED || self.named() <= MOST_NAMED
    }
}
