//! What was said later of whom or what a passage speaks of: a correction seldom names what it corrects as a question does,
//! but mostly somebody or something that was named there.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Index;
use super::days::Day;
use super::few::stands_in_few;
use super::record::Look;
use crate::letters::{Telling, is_unspaced, telling};
use crate::recall::everyday::{is_common, per_thousand};
use crate::recall::forms::is_number;
use crate::recall::language::is_of_grammar;

/// What stands in more passages than this names nothing in particular.
const MOST_HOLDING: u32 = 24;

/// What stands in so few is somebody or something in particular, however little was said.
const ALWAYS_RARE: u32 = 4;

/// So many passages are looked at, of the last two of each word.
const MOST: usize = 5;

/// When something was said: passages are not always indexed in their order.
fn moment(look: &Look) -> (Day, u64) {
    (look.day, look.turn)
}

/// What may have been said later: which words it shares, each with how many passages hold it, and how rare these are
/// together.
#[derive(Debug, Default)]
struct Shared {
    words: Vec<(u32, Arc<str>)>,
    rarity: f64,
}

/// What was said later, and the words that it shares, the rarest first, of which some are rare.
#[derive(Debug)]
pub(super) struct Later {
    pub(super) passage: u32,
    pub(super) words: Vec<Arc<str>>,
    pub(super) rare: usize,
}

impl Index {
    /// Tells the last passages that were said behind one and share words with it that not everybody uses every day: those
    /// that share the rarest.
    pub(super) fn later(&self, passage: u32, mut tell: impl FnMut(&Look, Later)) {
        let (mut base, mut room) = (None, Vec::new());
        let mut newer: BTreeMap<u32, Shared> = BTreeMap::new();
        let alive = self.table.alive();
        self.look_at(&[passage], |_, look| {
            let mut terms: Vec<u32> = look.numbers().collect();
            terms.sort_unstable();
            terms.dedup();
            let counted = terms.into_iter().map(|term| (term, self.postings.count(term)));
            for (term, count) in counted.filter(|(_, count)| (2..=MOST_HOLDING).contains(count)) {
                let last = self.postings.last_two(term, &mut room).into_iter().flatten();
                let mut others = last.filter(|other| *other != passage).peekable();
                let word = others.peek().and_then(|_| self.telling(term));
                let Some(word) = word else { continue };
                for other in others {
                    let shared = newer.entry(other).or_default();
                    shared.words.push((count, Arc::clone(&word)));
                    shared.rarity += (f64::from(alive) / f64::from(count)).ln().max(0.0);
                }
            }
            base = Some(moment(&look));
        });
        newer.retain(|other, _| self.table.is_said(*other));
        let mut newer: Vec<(u32, Shared)> = newer.into_iter().rev().collect();
        // What was indexed later was mostly said later, too.
        newer.sort_by(|(at, one), (other_at, other)| {
            let is_older = |at: &u32| *at < passage;
            is_older(at).cmp(&is_older(other_at)).then(other.rarity.total_cmp(&one.rarity))
        });
        for (other, Shared { mut words, .. }) in newer.into_iter().take(MOST) {
            words.sort_by_key(|(count, _)| *count);
            let is_rare = |count: u32| count <= ALWAYS_RARE || stands_in_few(count, alive);
            let rare = words.iter().filter(|(count, _)| is_rare(*count)).count();
            let words: Vec<Arc<str>> = words.into_iter().map(|(_, word)| word).collect();
            self.look_at(&[other], |_, look| {
                if base.is_some_and(|base| moment(&look) > base) {
                    tell(&look, Later { passage: other, words: words.clone(), rare });
                }
            });
        }
    }

    /// A term as a word, if not everybody uses it every day.
    fn telling(&self, term: u32) -> Option<Arc<str>> {
        let word = self.vocabulary.text(term);
        let says = || !word.starts_with(is_unspaced) || telling(&word) == Telling::Much;
        let is_telling =
            !is_common(per_thousand(&word)) && !is_number(&word) && !is_of_grammar(&word) && says();
        is_telling.then(|| Arc::from(&*word))
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
