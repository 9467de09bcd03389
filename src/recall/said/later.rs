//! What was said later of whom or what a passage speaks of: a correction seldom names what it corrects as a question does,
//! but mostly somebody or something that was named there.

use std::cmp::Reverse;
use std::sync::Arc;

use super::Index;
use super::days::Day;
use super::record::Look;
use crate::letters::{Telling, is_unspaced, telling};
use crate::recall::everyday::{is_common, per_thousand};
use crate::recall::forms::is_number;

/// What stands in more passages than this names nothing in particular.
const MOST_HOLDING: u32 = 24;

/// So many passages are looked at, of the last two of each word.
const MOST: usize = 3;

/// When something was said: passages are not always indexed in their order.
fn moment(look: &Look) -> (Day, u64) {
    (look.day, look.turn)
}

impl Index {
    /// Tells the last passages that were said behind one and share words with it that not everybody uses every day, each
    /// with those.
    pub(super) fn later(&self, passage: u32, mut tell: impl FnMut(u32, &Look, Vec<Arc<str>>)) {
        let (mut base, mut room, mut newer) = (None, Vec::new(), Vec::new());
        self.look_at(&[passage], |_, look| {
            let mut terms: Vec<u32> = look.numbers().collect();
            terms.sort_unstable();
            terms.dedup();
            for term in terms {
                if !(2..=MOST_HOLDING).contains(&self.postings.count(term)) {
                    continue;
                }
                let last = self.postings.last_two(term, &mut room).into_iter().flatten();
                newer.extend(last.map(|other| (Reverse(other), term)));
            }
            base = Some(moment(&look));
        });
        newer.retain(|(Reverse(other), _)| *other != passage && self.table.is_said(*other));
        newer.sort_unstable();
        let of_each = newer.chunk_by(|(one, _), (other, _)| one == other);
        let with_words = of_each.map(|terms| (terms[0].0.0, self.telling(terms)));
        for (other, words) in with_words.filter(|(_, words)| !words.is_empty()).take(MOST) {
            self.look_at(&[other], |_, look| {
                if base.is_some_and(|base| moment(&look) > base) {
                    tell(other, &look, words.clone());
                }
            });
        }
    }

    /// Those of the terms of a passage that not everybody uses every day, as words.
    fn telling(&self, terms: &[(Reverse<u32>, u32)]) -> Vec<Arc<str>> {
        let words = terms.iter().map(|(_, term)| self.vocabulary.text(*term));
        let says = |word: &str| !word.starts_with(is_unspaced) || telling(word) == Telling::Much;
        let is_telling =
            |word: &str| !is_common(per_thousand(word)) && !is_number(word) && says(word);
        words.filter(|word| is_telling(word)).map(|word| Arc::from(&*word)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::recall::said::{Index, Passage, Said, Source};

    #[test]
    fn what_a_question_finds_leads_to_what_was_said_of_it_later() {
        let mut index = Index::in_memory();
        let said = [
            ("old", "user: Ansgar rang."),
            ("bike", "user: I buy the bike from Ansgar, 900 euros."),
            ("talk", "user: Ansgar wants 1,050 after all."),
            ("beans", "user: The beans are up, and the euros are gone."),
            ("now", "user: With a lock the bike is dearer."),
        ];
        for (turn, (id, text)) in (1..).zip(said) {
            let source = Source::Effort(id.to_owned());
            index.add(Said { source: &source, turn, day: None }, turn as u32, &[text]);
        }
        let later = |query: &str| {
            let hits = index.search(query, 4, None);
            let bike = hits.into_iter().find(|hit| hit.source == Source::Effort("bike".to_owned()));
            let later = bike.unwrap().later.into_iter();
            let told = |(source, one): (Source, Passage)| {
                (source.to_string(), one.words.concat(), one.telling)
            };
            later.map(told).collect::<Vec<_>>()
        };
        let found = later("How much is the bike?");
        let one = |id: &str, word: &str, asked| (id.to_owned(), word.to_owned(), asked);
        assert!(found.contains(&one("talk", "ansgar", 0)), "{found:?}");
        assert!(found.contains(&one("now", "bik", 1)), "what was asked for: {found:?}");
        assert!(found.iter().all(|(source, ..)| source != "old"), "{found:?}");
        assert_eq!(later("The bike is red."), [], "nobody asks");
    }
}
