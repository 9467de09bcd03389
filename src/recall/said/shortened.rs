//! Words of a question that somebody shortened: `pharm` for `pharmacology`, and the other way round.

use super::Index;
use super::query::Term;

/// Letters of a short form: of fewer too many words are the beginning of another one.
const SHORT: std::ops::RangeInclusive<usize> = 5..=6;

/// Letters that the whole word has more, at least: with fewer it is another form of it.
const MORE: usize = 3;

impl Index {
    /// Joins to each telling word the short forms that somebody said of it, and to a short one that was hardly said the whole
    /// words. What everybody says is no short form: the rest of a restaurant.
    pub(super) fn join_shortened(&self, terms: &mut Vec<Term>, asked: usize, weight: f64) {
        /// In so few passages a short one was hardly said.
        const FEW: u32 = 1;
        for at in 0..asked {
            let term = &terms[at];
            let is_plain = term.text.bytes().all(|byte| byte.is_ascii_lowercase());
            if !term.is_telling() || !is_plain {
                continue;
            }
            let text = term.text.clone();
            if SHORT.contains(&text.len()) && term.passages <= FEW {
                self.join_whole(terms, at, &text, weight);
            }
            let longest = text.len().saturating_sub(MORE).min(*SHORT.end());
            for short in (*SHORT.start()..=longest).map(|letters| &text[..letters]) {
                if self.term(short, at, weight).is_rare_in_english() {
                    self.join(terms, at, short, weight);
                }
            }
        }
    }

    /// Joins the words that begin with a short form.
    fn join_whole(&self, terms: &mut Vec<Term>, at: usize, short: &str, weight: f64) {
        /// Words of which one may be meant at most: of more it is the beginning by chance.
        const MOST: usize = 2;
        let mut whole = Vec::new();
        self.vocabulary.each_holding(short, |_, text| {
            if text.starts_with(short) && text.len() >= short.len() + MORE {
                whole.push(text.to_owned());
            }
        });
        if whole.len() <= MOST {
            for text in &whole {
                self.join(terms, at, text, weight);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Said, Source};
    use super::*;

    #[test]
    fn a_word_is_found_by_its_short_form_and_that_by_the_word() {
        let mut index = Index::in_memory();
        let said = ["the lecture on pharmacology was long", "they moved pharm to noon", "the rest"];
        for (turn, text) in (0..).zip(said) {
            let source = Source::Effort(format!("e{turn}"));
            index.add(Said { source: &source, turn, day: None }, 0, &[text]);
        }
        let found = |question: &str| {
            let hits = index.search(question, 4, None);
            let ids = hits.into_iter().map(|hit| match hit.source {
                Source::Effort(id) => id,
                _ => String::new(),
            });
            let mut ids: Vec<String> = ids.collect();
            ids.sort();
            ids.join(" ")
        };
        assert_eq!(found("when is pharmacology?"), "e0 e1");
        assert_eq!(found("when is the restaurant open?"), "");
        let mut short = Index::in_memory();
        let source = Source::Ambient;
        short.add(Said { source: &source, turn: 1, day: None }, 0, &[said[0]]);
        assert_eq!(short.search("when is pharm?", 4, None).len(), 1);
    }
}
