//! Where one topic ends and the next begins: there, where telling each topic's words by a code of its own is cheapest.
//!
//! A code that learns while it is used has every word the cheaper, the more turns of the topic had it before. A border
//! lets the next topic begin with a code that knows nothing; it pays where the words behind it are others (M. Utiyama
//! and H. Isahara, 2001, with the estimate of Krichevsky and Trofimov for words that are new). Among few words it may
//! pay by chance, too. So the same turns are told in other orders as well: where that is as cheap, their order says
//! nothing, and they are one topic.

use crate::random::Random;

/// How often a word counts as said before it was.
const UNSAID: f64 = 0.5;

/// A word that more of the turns have, in percent, says nothing of any of them.
const OF_ALL: usize = 90;

/// Other orders that are looked at.
const ORDERS: usize = 5;

/// The places at which the topics of some turns begin, but for the first, ascending. Each turn is given by its words, as
/// numbers, each of them once; a topic is of so many turns at least.
pub(in crate::replay) fn borders(turns: &[Vec<u32>], fewest: usize) -> Vec<usize> {
    let mut all: Vec<u32> = turns.concat();
    all.sort_unstable();
    let said = |same: &&[u32]| 100 * same.len() <= OF_ALL * turns.len();
    let words = all.chunk_by(PartialEq::eq).filter(said);
    let (once, again): (Vec<&[u32]>, Vec<&[u32]>) = words.partition(|same| same.len() == 1);
    let told: Vec<Told> = turns.iter().map(|words| Told::of(words, &once, &again)).collect();
    let costs = Costs::of(&told, once.len(), again.len());
    let mut order: Vec<&Told> = told.iter().collect();
    let (cost, places) = costs.cheapest(&order, fewest);
    let mut random = Random::new(1);
    let mut as_cheap_in_another = || {
        random.shuffle(&mut order);
        costs.cheapest(&order, fewest).0 <= cost
    };
    if places.is_empty() || (0..ORDERS).any(|_| as_cheap_in_another()) {
        return Vec::new();
    }
    places
}

/// The words of a turn.
struct Told {
    /// Those that another turn has, too, by their places among all of these.
    again: Vec<usize>,
    /// How many it has alone: they cost the same in any topic.
    alone: usize,
}

impl Told {
    fn of(words: &[u32], once: &[&[u32]], again: &[&[u32]]) -> Self {
        let place =
            |among: &[&[u32]], word: &u32| among.binary_search_by_key(word, |same| same[0]).ok();
        Self {
            again: words.iter().filter_map(|word| place(again, word)).collect(),
            alone: words.iter().filter_map(|word| place(once, word)).count(),
        }
    }

    fn count(&self) -> usize {
        self.again.len() + self.alone
    }
}

/// The cheapest way to tell the turns up to a place, in nats.
#[derive(Debug, Clone, Copy)]
struct Path {
    cost: f64,
    /// Where its last topic begins.
    from: usize,
}

/// What it costs to tell words, in nats.
struct Costs {
    /// How many words several turns have.
    again: usize,
    /// What is saved on a word that so many turns of the topic had before.
    known: Vec<f64>,
    /// What so many words cost in one topic, if none of them is known.
    all: Vec<f64>,
    /// To tell where a topic ends.
    border: f64,
}

impl Costs {
    fn of(turns: &[Told], once: usize, again: usize) -> Self {
        let said: usize = turns.iter().map(Told::count).sum();
        let known = (0..=turns.len()).map(|count| (count as f64 + UNSAID).ln()).collect();
        let new = |before: usize| (before as f64 + UNSAID * (once + again) as f64).ln();
        let sum = |sum: &mut f64, before| {
            *sum += new(before);
            Some(*sum)
        };
        let all = std::iter::once(0.0).chain((0..said).scan(0.0, sum)).collect();
        Self { again, known, all, border: (said.max(1) as f64).ln() }
    }

    /// What some turns cost at least, and where their topics begin then.
    fn cheapest(&self, turns: &[&Told], fewest: usize) -> (f64, Vec<usize>) {
        let mut paths = vec![Path { cost: f64::INFINITY, from: 0 }; turns.len() + 1];
        paths[0].cost = 0.0;
        for from in 0..turns.len() {
            let before = paths[from].cost + self.border;
            if before.is_finite() {
                self.each_end(&turns[from..], |length, cost| {
                    let path = &mut paths[from + length];
                    if length >= fewest && before + cost < path.cost {
                        *path = Path { cost: before + cost, from };
                    }
                });
            }
        }
        let before = |at: &usize| Some(paths[*at].from).filter(|from| *from > 0);
        let mut places: Vec<usize> = std::iter::successors(before(&turns.len()), before).collect();
        places.reverse();
        (paths[turns.len()].cost, places)
    }

    /// What a topic costs that begins with the first of some turns, for each number of turns that it may have.
    fn each_end(&self, turns: &[&Told], mut hear: impl FnMut(usize, f64)) {
        let mut had = vec![0; self.again];
        let (mut said, mut saved) = (0, 0.0);
        for (nth, turn) in turns.iter().enumerate() {
            for &word in &turn.again {
                saved += self.known[had[word]];
                had[word] += 1;
            }
            saved += turn.alone as f64 * self.known[0];
            said += turn.count();
            hear(nth + 1, self.all[said] - saved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of so many words each, out of those of a topic and of those that all have.
    fn talk(random: &mut fastrand::Rng, topic: u32, turns: usize) -> Vec<Vec<u32>> {
        let mut turn = || {
            let mut words: Vec<u32> = (0..12)
                .map(|nth| if nth < 5 { random.u32(..40) } else { topic * 100 + random.u32(..40) })
                .collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        (0..turns).map(|_| turn()).collect()
    }

    #[test]
    fn one_topic_is_not_divided_however_long_it_is() {
        let mut divided = 0;
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let found = [8, 20, 48].map(|turns| borders(&talk(&mut random, 1, turns), 3));
            divided += found.iter().filter(|places| !places.is_empty()).count();
        }
        // Its own order is by chance the cheapest of six in one of six.
        assert!(divided <= 10, "{divided} of 60");
    }

    #[test]
    fn topics_are_divided_where_the_words_change() {
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let lengths: Vec<usize> = (0..4).map(|_| random.usize(5..15)).collect();
            let topics =
                (1..).zip(&lengths).map(|(topic, length)| talk(&mut random, topic, *length));
            let turns = topics.collect::<Vec<_>>().concat();
            let ends: Vec<usize> = lengths[..3]
                .iter()
                .scan(0, |end, length| {
                    *end += length;
                    Some(*end)
                })
                .collect();
            let found = borders(&turns, 3);
            let near = |(found, end): (&usize, &usize)| found.abs_diff(*end) <= 1;
            let all = found.len() == ends.len() && found.iter().zip(&ends).all(near);
            assert!(all, "{seed}: {found:?} for {ends:?}");
        }
    }

    #[test]
    fn what_says_nothing_has_no_borders() {
        assert!(borders(&[], 3).is_empty());
        assert!(borders(&vec![Vec::new(); 20], 3).is_empty());
        // Too few for any topic.
        assert!(borders(&[vec![1], vec![2]], 3).is_empty());
    }
}
