//! BM25 over all documents and all passages at once, term by term.

use super::Index;
use super::bits::{Bits, bit};
use super::days::When;
use super::table::NONE;
use super::vocabulary::Room;

/// BM25: how fast repetition stops counting, and how much long texts are held back. The usual values.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// Most passages have fewer terms.
const MOST_LENGTHS: u32 = 192;

/// Passages of a term for which room is kept from one query to the next.
const MOST_KEPT: usize = 1 << 14;

/// Passages of a term that are scored at most, the last ones: what stands in more tells little, and a search among very many
/// takes no more room and time for it.
const MOST_OF_TERM: u32 = 1 << 14;

/// The bit of a passage of which more is asked.
const ASKED: u64 = 1 << 62;

/// How long the documents, or the passages, are on average, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) count: f64,
    pub(super) terms: f64,
}

impl Size {
    pub(super) fn rarity(self, holding: f64) -> f64 {
        (1.0 + (self.count - holding + 0.5).max(0.0) / (holding + 0.5)).ln()
    }

    pub(super) fn saturated(self, often: u32, length: u32) -> f64 {
        saturated(often, self.held_back(length))
    }

    /// How much a text of so many terms is held back.
    pub(super) fn held_back(self, length: u32) -> f64 {
        let relative = f64::from(length) / self.terms.max(1.0);
        SATURATION * (1.0 - LENGTH + LENGTH * relative)
    }
}

/// What a term counts that a text holds so often, held back as its length wants it.
pub(super) fn saturated(often: u32, held_back: f64) -> f64 {
    let often = f64::from(often);
    often * (SATURATION + 1.0) / (often + held_back)
}

/// In how many documents some passages are, if they are anywhere.
pub(super) fn expected_documents(passages: u32, of_documents: Size) -> u32 {
    let all = of_documents.count.max(1.0);
    (all * -(-f64::from(passages) / all).exp_m1()).ceil() as u32
}

/// How often a passage holds a term, by its place in the query: as one number, since there are many to be sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Count(u64);

impl Count {
    /// The bits of a place; those of how often are below them, those of the passage above.
    const PLACE: u32 = 12;
    const OFTEN: u32 = 20;

    fn new(passage: u32, place: usize, often: u32) -> Self {
        let place = (place as u64).min((1 << Self::PLACE) - 1);
        let often = u64::from(often).min((1 << Self::OFTEN) - 1);
        Self(u64::from(passage) << u32::BITS | place << Self::OFTEN | often)
    }

    fn passage(self) -> u32 {
        (self.0 >> u32::BITS) as u32
    }

    fn place(self) -> usize {
        (self.0 >> Self::OFTEN) as usize & ((1 << Self::PLACE) - 1)
    }

    fn often(self) -> u32 {
        self.0 as u32 & ((1 << Self::OFTEN) - 1)
    }
}

/// A document that has a score.
pub(super) struct Ranked {
    pub(super) document: u32,
    /// Its own score, and that of its best passage.
    pub(super) own: f32,
    pub(super) best: f32,
}

/// What a query found of a passage.
#[derive(Debug)]
struct Found {
    passage: u32,
    score: f32,
    /// Which terms of the query it holds, a bit each, as far as there are bits.
    held: u64,
}

/// Scores of documents and passages. There is one place for each, and few are used by a query: they are kept for the next
/// one, all at 0.
#[derive(Debug, Default)]
pub(super) struct Scores {
    pub(super) documents: Vec<f32>,
    /// The best passage of each document.
    best: Vec<f32>,
    /// Where among those with a score each passage is, from 1; 0 for most.
    places: Vec<u32>,
    scored: Vec<Found>,
    /// What the bits of the passages do not tell: terms that stand there more than once, or have no bit.
    counts: Vec<Count>,
    /// How often a term stands in each document; 0 again after each term. And in those that are found no longer,
    /// as in a last one that is never touched.
    often: Vec<u32>,
    /// The passages that hold the term.
    holding: Vec<(u32, u32)>,
    /// The documents that hold it, as many as there are of them; room for all.
    touched: Vec<u32>,
    /// One for each term, to look for those that look alike.
    pub(super) alike: Room,
}

impl Scores {
    fn make_room(&mut self, documents: usize, passages: usize) {
        grow(&mut self.documents, documents);
        grow(&mut self.best, documents);
        grow(&mut self.often, documents + 1);
        grow(&mut self.touched, documents + 1);
        grow(&mut self.places, passages);
    }

    fn found(&self, passage: u32) -> Option<&Found> {
        let place = *self.places.get(passage as usize)?;
        self.scored.get((place as usize).checked_sub(1)?)
    }

    /// The score of a passage.
    pub(super) fn of(&self, passage: u32) -> f32 {
        self.found(passage).map_or(0.0, |found| found.score)
    }

    /// Which terms of the query a passage holds, a bit each, as far as there are bits.
    pub(super) fn held(&self, passage: u32) -> u64 {
        self.found(passage).map_or(0, |found| found.held)
    }

    /// Adds to the score of a passage, which holds terms of the query by their bits.
    pub(super) fn add(&mut self, passage: u32, score: f32, bits: u64) {
        let place = &mut self.places[passage as usize];
        if *place == 0 {
            self.scored.push(Found { passage, score, held: bits });
            *place = self.scored.len() as u32;
        } else {
            let found = &mut self.scored[*place as usize - 1];
            found.score += score;
            found.held |= bits;
        }
    }

    /// Keeps how often a term stands in passages where its bit does not tell.
    fn count(&mut self, holding: &[(u32, u32)], place: usize) {
        let has_no_bit = bit(place) == 0;
        // Room for all of them would be much more than is needed.
        for some in holding.chunks(MOST_KEPT) {
            let mut end = self.counts.len();
            // Nothing hangs on which passages these are, either.
            self.counts.resize(end + some.len(), Count::default());
            for &(passage, often) in some {
                self.counts[end] = Count::new(passage, place, often);
                end += usize::from(has_no_bit) | usize::from(often > 1);
            }
            self.counts.truncate(end);
        }
    }

    /// One of the documents that hold the term, and how often.
    fn take_touched(&mut self, nth: usize) -> (usize, u32) {
        let document = self.touched[nth] as usize;
        (document, std::mem::take(&mut self.often[document]))
    }

    /// The documents that have a score.
    pub(super) fn ranked(&mut self, index: &Index) -> Vec<Ranked> {
        let mut documents = Vec::new();
        for &Found { passage, score, .. } in &self.scored {
            let document = index.table.document[passage as usize];
            let Some(best) = self.best.get_mut(document as usize) else { continue };
            if *best == 0.0 && score > 0.0 {
                documents.push(document);
            }
            *best = best.max(score);
        }
        let ranked = |document: u32| {
            let at = document as usize;
            Ranked { document, own: self.documents[at], best: self.best[at] }
        };
        documents.into_iter().map(ranked).collect()
    }

    /// Makes ready to tell of some passages which terms they hold.
    pub(super) fn ask<'a>(&mut self, passages: impl Iterator<Item = &'a u32>) {
        for &passage in passages {
            if let Some(at) = (self.places[passage as usize] as usize).checked_sub(1) {
                self.scored[at].held |= ASKED;
            }
        }
        let mut counts = std::mem::take(&mut self.counts);
        counts.retain(|one| self.held(one.passage()) & ASKED != 0);
        counts.sort_unstable();
        self.counts = counts;
    }

    /// Puts the terms that a passage holds which was asked for, by their places, ascending, each with how often, in place
    /// of what stands in `held`.
    pub(super) fn terms_of(&self, passage: u32, held: &mut Vec<(usize, u32)>) {
        let bits = self.held(passage) & (ASKED - 1);
        held.clear();
        held.extend(Bits(bits).map(|place| (place, 1)));
        let from = self.counts.partition_point(|one| one.passage() < passage);
        for one in self.counts[from..].iter().take_while(|one| one.passage() == passage) {
            match held.iter_mut().find(|(known, _)| *known == one.place()) {
                Some((_, often)) => *often = one.often(),
                None => held.push((one.place(), one.often())),
            }
        }
    }

    /// Everything at 0 again.
    pub(super) fn clear(&mut self, index: &Index) {
        for Found { passage, .. } in self.scored.drain(..) {
            self.places[passage as usize] = 0;
            let document = index.table.document[passage as usize] as usize;
            if let Some(best) = self.best.get_mut(document) {
                (*best, self.documents[document]) = (0.0, 0.0);
            }
        }
        self.counts.clear();
        // Words that stand everywhere need much room, and are asked for seldom.
        self.scored.shrink_to(MOST_KEPT);
        self.counts.shrink_to(MOST_KEPT);
        self.holding.shrink_to(MOST_KEPT);
        self.alike.shrink(MOST_KEPT);
    }
}

/// Makes room for so many, and some more to come.
fn grow<T: Clone + Default>(room: &mut Vec<T>, length: usize) {
    if length > room.capacity() {
        room.reserve_exact(length + length / 8 - room.len());
    }
    room.resize(length, T::default());
}

/// Adds up scores, term by term.
pub(super) struct Adder<'a> {
    index: &'a Index,
    of_documents: Size,
    of_passages: Size,
    /// What a term counts that stands once in a passage, of each length that most have.
    once: Vec<f64>,
    pub(super) scores: Scores,
}

impl<'a> Adder<'a> {
    /// Begins with scores that are all 0.
    pub(super) fn new(
        index: &'a Index,
        of_documents: Size,
        of_passages: Size,
        mut scores: Scores,
    ) -> Self {
        scores.make_room(index.table.documents(), index.table.passages());
        let once = (0..MOST_LENGTHS).map(|length| of_passages.saturated(1, length)).collect();
        Self { index, of_documents, of_passages, once, scores }
    }

    /// Adds what a term is worth everywhere but in passages that hold one of some terms, by their bits, and says in how many
    /// documents and passages it stands. Passages remember that they hold it if it has a place in the query.
    pub(super) fn add(
        &mut self,
        term: u32,
        weight: f64,
        place: Option<usize>,
        beside: u64,
    ) -> (u32, u32) {
        let mut found = std::mem::take(&mut self.scores.holding);
        self.index.postings.read_last_into(term, MOST_OF_TERM, &mut found);
        if beside != 0 {
            found.retain(|(passage, _)| self.scores.held(*passage) & beside == 0);
        }
        let (touched, last) = self.gather(&found);
        let all = self.index.postings.count(term);
        let (documents, passages) = if all > MOST_OF_TERM || beside != 0 {
            (expected_documents(all, self.of_documents), all)
        } else {
            (touched as u32, last)
        };
        let worth = weight * self.of_documents.rarity(documents.into());
        for nth in 0..touched {
            let (document, often) = self.scores.take_touched(nth);
            let length = self.index.table.all_terms[document];
            let score = worth * self.of_documents.saturated(often, length);
            self.scores.documents[document] += score as f32;
        }
        self.add_to_passages(&found, weight * self.of_passages.rarity(passages.into()), place);
        self.scores.holding = found;
        (documents, passages)
    }

    fn add_to_passages(&mut self, found: &[(u32, u32)], worth: f64, place: Option<usize>) {
        let bits = place.map_or(0, bit);
        for &(passage, often) in found {
            let Some(&length) = self.index.table.terms.get(passage as usize) else { continue };
            // Nearly all stand there once, and a division takes long.
            let counts = match self.once.get(usize::from(length)) {
                Some(once) if often == 1 => *once,
                _ => self.of_passages.saturated(often, length.into()),
            };
            self.scores.add(passage, (worth * counts) as f32, bits);
        }
        if let Some(place) = place {
            self.scores.count(found, place);
        }
    }

    /// Counts how often a term stands in each document, and says in how many documents and passages.
    fn gather(&mut self, found: &[(u32, u32)]) -> (usize, u32) {
        let of_passages = &*self.index.table.document;
        let (often, touched) = (&mut *self.scores.often, &mut *self.scores.touched);
        let gone = often.len() - 1;
        often[gone] = 1;
        let (mut documents, mut passages) = (0, 0);
        // Without a branch on the document: which one comes next cannot be foretold.
        for &(passage, count) in found {
            let document = of_passages.get(passage as usize).copied().unwrap_or(NONE);
            let at = (document as usize).min(gone);
            touched[documents] = document;
            documents += usize::from(often[at] == 0);
            often[at] += count;
            passages += u32::from(at < gone);
        }
        often[gone] = 0;
        (documents, passages)
    }

    /// Adds what it is worth to have been said on such a day.
    pub(super) fn add_day(&mut self, when: When, weight: f64) {
        let days = self.index.table.of_days().filter(|(day, _)| when.holds(*day));
        let all: u32 = days.clone().map(|(_, passages)| passages.len() as u32).sum();
        let last = days.rev().flat_map(|(_, passages)| passages.rev());
        let found: Vec<(u32, u32)> =
            last.take(MOST_OF_TERM as usize).map(|passage| (passage, 1)).collect();
        let (documents, _) = self.gather(&found);
        let holding = if all > MOST_OF_TERM {
            expected_documents(all, self.of_documents)
        } else {
            documents as u32
        };
        let worth = (weight * self.of_documents.rarity(holding.into())) as f32;
        for nth in 0..documents {
            let (document, _) = self.scores.take_touched(nth);
            self.scores.documents[document] += worth;
        }
        for (passage, _) in found {
            self.scores.add(passage, worth, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Said, Source};
    use super::*;

    #[test]
    fn a_passage_without_a_score_takes_little_more_than_four_bytes() {
        let mut scores = Scores::default();
        for passages in [1_000, 90_000, 100_000] {
            scores.make_room(10, passages);
        }
        let taken = 4 * scores.places.capacity() + size_of::<Found>() * scores.scored.capacity();
        assert!(taken <= 100_000 * 4 * 7 / 6, "{taken}");
    }

    #[test]
    fn of_what_stands_nearly_everywhere_the_last_passages_are_scored_and_all_are_counted() {
        let all = MOST_OF_TERM + 5;
        let mut index = Index::in_memory();
        for turn in 0..all.into() {
            let said = Said { source: &Source::Ambient, turn, day: None };
            index.add(said, turn as u32, &["pelican"]);
        }
        let (of_documents, of_passages) = index.sizes();
        let mut adder = Adder::new(&index, of_documents, of_passages, Scores::default());
        let (documents, passages) = adder.add(0, 1.0, Some(0), 0);
        assert_eq!(passages, all);
        assert!((1..=index.table.documents() as u32).contains(&documents), "{documents}");
        let is_scored = |passage: &u32| adder.scores.of(*passage) > 0.0;
        assert_eq!((0..all).find(is_scored), Some(all - MOST_OF_TERM));
        assert_eq!((0..all).filter(is_scored).count(), MOST_OF_TERM as usize);
    }

    #[test]
    fn of_a_day_on_which_nearly_all_was_said_the_last_passages_are_scored() {
        let all = MOST_OF_TERM + 5;
        let mut index = Index::in_memory();
        for turn in 0..all.into() {
            let day = super::super::Date::new(2026, 3, 1 + i8::from(turn > 0)).ok();
            index.add(Said { source: &Source::Ambient, turn, day }, turn as u32, &["pelican"]);
        }
        let (of_documents, of_passages) = index.sizes();
        for (day, first, count) in [(1, 0, 1), (2, all - MOST_OF_TERM, MOST_OF_TERM)] {
            let mut adder = Adder::new(&index, of_documents, of_passages, Scores::default());
            adder.add_day(When::DayOfMonth(day), 1.0);
            let is_scored = |passage: &u32| adder.scores.of(*passage) > 0.0;
            assert_eq!((0..all).find(is_scored), Some(first));
            assert_eq!((0..all).filter(is_scored).count(), count as usize);
        }
    }

    #[test]
    fn a_passage_knows_how_often_it_holds_each_term_whether_that_has_a_bit_or_not() {
        let mut index = Index::in_memory();
        let texts = ["pelican", "pelican kestrel pelican", "kestrel"];
        for (turn, text) in (1..).zip(texts) {
            let source = Source::Effort(format!("e{turn}"));
            index.add(Said { source: &source, turn, day: None }, 0, &[text]);
        }
        let (of_documents, of_passages) = index.sizes();
        let mut adder = Adder::new(&index, of_documents, of_passages, Scores::default());
        for (term, place) in [("pelican", 3), ("kestrel", 70)] {
            let number = index.vocabulary.number(term).unwrap();
            assert_eq!(adder.add(number, 1.0, Some(place), 0), (2, 2));
        }
        let mut scores = adder.scores;
        scores.ask([0, 1, 2].iter());
        let terms_of = |passage| {
            let mut held = vec![(9, 9)];
            scores.terms_of(passage, &mut held);
            held
        };
        assert_eq!([0, 1, 2].map(terms_of), [vec![(3, 1)], vec![(3, 2), (70, 1)], vec![(70, 1)]]);
        let mut ranked = scores.ranked(&index);
        ranked.sort_by(|a, b| b.own.total_cmp(&a.own));
        assert_eq!((ranked[0].document, ranked.len()), (1, 3));
        scores.clear(&index);
        assert!(scores.documents.iter().chain(&scores.best).all(|&score| score == 0.0));
        assert!(
            (0..3).all(|passage| scores.held(passage) == 0) && scores.ranked(&index).is_empty()
        );
    }

    #[test]
    fn as_many_documents_are_expected_as_passages_can_be_in() {
        let expected = |passages| expected_documents(passages, Size { count: 100.0, terms: 300.0 });
        assert_eq!([0, 1, 10_000].map(expected), [0, 1, 100]);
        assert!((60..100).contains(&expected(120)));
    }
}
