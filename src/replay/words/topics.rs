//! Where one topic ends and the next begins: there, where telling each topic's words by a code of its own is cheapest.
//!
//! A code that learns while it is used has every word the cheaper, the more turns of the topic had it before. A border
//! lets the next topic begin with a code that knows nothing; it pays where the words behind it are others (M. Utiyama
//! and H. Isahara, 2001, with the estimate of Krichevsky and Trofimov for words that are new). Among few words it may
//! pay by chance, too. So the same turns are told in other orders as well: where that is as cheap more than once, their
//! order says nothing, and they are one topic.
//!
//! Who begins a topic says what it is about, in more words than who goes on: a turn of few words answers or closes what was
//! before it, whatever these are. So a border costs the less, the more different words the person has in the turn behind it,
//! and where the person says that something else comes.

use crate::random::Random;

/// How often a word counts as said before it was.
const UNSAID: f64 = 0.5;

/// A word that more of the turns have, in percent, says nothing of any of them.
const OF_ALL: usize = 90;

/// Other orders that are looked at, and how many of them may be as cheap by chance.
const ORDERS: usize = 11;
const BY_CHANCE: usize = 1;

/// What a border costs less before a turn in which the person has e times as many words as usual, in nats.
const INTRODUCED: f64 = 5.0;

/// What it costs less before one in which the person says that something else comes, in nats.
const ANNOUNCED: f64 = 8.0;

/// No turn counts as having more words than usual, or fewer, than by this power of e.
const UNUSUAL: f64 = 1.5;

/// The words of a turn, as numbers, each of them once.
#[derive(Debug, Clone, Default)]
pub(in crate::replay) struct Said {
    pub(in crate::replay) words: Vec<u32>,
    /// How many of them the person said.
    pub(in crate::replay) by_person: usize,
    /// The person began by saying that something else comes.
    pub(in crate::replay) turns_away: bool,
}

/// The places at which the topics of some turns begin, but for the first, ascending; a topic is of so many turns at least.
pub(in crate::replay) fn borders(turns: &[Said], fewest: usize) -> Vec<usize> {
    let words = Words::of(turns);
    let costs = Costs::of(&words);
    let mut order: Vec<&Told> = words.told.iter().collect();
    let (cost, places) = costs.cheapest(&order, fewest);
    let mut random = Random::new(1);
    let mut as_cheap_in_another = || {
        random.shuffle(&mut order);
        costs.cheapest(&order, fewest).0 <= cost
    };
    let mut is_chance = || (0..ORDERS).filter(|_| as_cheap_in_another()).nth(BY_CHANCE).is_some();
    if places.is_empty() || is_chance() { Vec::new() } else { places }
}

/// The words of a turn.
#[derive(Debug, Clone, Default)]
struct Told {
    /// Those that another turn has, too, by their places among all of these.
    again: Vec<u32>,
    /// How many it has alone: they cost the same in any topic.
    alone: u32,
    /// What it costs, in [`PARTS`] of a nat, to begin a topic with it.
    begins: i64,
}

impl Told {
    fn count(&self) -> usize {
        self.again.len() + self.alone as usize
    }
}

/// The words of all turns that say something of any of them.
struct Words {
    told: Vec<Told>,
    /// How many one turn alone has.
    once: usize,
    /// Where the turns of each begin that several have, if those of all stand one after the other; and where they end.
    starts: Vec<usize>,
}

impl Words {
    fn of(turns: &[Said]) -> Self {
        let of_turn = |(turn, said): (usize, &Said)| {
            said.words.iter().map(move |word| (*word, turn as u32)).collect::<Vec<_>>()
        };
        let mut all: Vec<(u32, u32)> = turns.iter().enumerate().flat_map(of_turn).collect();
        all.sort_unstable();
        let mut new = Self { told: vec![Told::default(); turns.len()], once: 0, starts: vec![0] };
        let same_word = all.chunk_by(|one, other| one.0 == other.0);
        for same in same_word.filter(|same| 100 * same.len() <= OF_ALL * turns.len()) {
            new.add(same);
        }
        new.tell_beginnings(turns);
        new
    }

    /// What it costs to begin a topic with each of the turns.
    fn tell_beginnings(&mut self, turns: &[Said]) {
        let lengths: Vec<f64> =
            turns.iter().map(|said| (said.by_person as f64 + UNSAID).ln()).collect();
        let usual = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        for ((told, length), said) in self.told.iter_mut().zip(lengths).zip(turns) {
            let introduced = (length - usual).clamp(-UNUSUAL, UNUSUAL);
            let announced = if said.turns_away { ANNOUNCED } else { 0.0 };
            told.begins = parts(-INTRODUCED * introduced - announced);
        }
    }

    /// Adds a word, with each of the turns that have it.
    fn add(&mut self, same: &[(u32, u32)]) {
        if let [(_, turn)] = same {
            self.told[*turn as usize].alone += 1;
            self.once += 1;
            return;
        }
        let word = self.again() as u32;
        for (_, turn) in same {
            self.told[*turn as usize].again.push(word);
        }
        self.starts.push(self.starts[self.again()] + same.len());
    }

    /// How many several turns have.
    fn again(&self) -> usize {
        self.starts.len() - 1
    }
}

/// The cheapest way to tell the turns up to a place.
#[derive(Debug, Clone, Copy)]
struct Path {
    cost: i64,
    /// Where its last topic begins.
    from: usize,
}

/// Parts of a nat in which costs are counted: whole numbers add up to the same in any order, and quickly.
const PARTS: f64 = (1 << 24) as f64;

fn parts(nats: f64) -> i64 {
    (nats * PARTS).round() as i64
}

/// What it costs to tell words, in [`PARTS`] of a nat.
struct Costs<'a> {
    words: &'a Words,
    /// What is saved on a word that so many turns of the topic had before.
    known: Vec<i64>,
    /// What so many words cost in one topic, if none of them is known.
    all: Vec<i64>,
    /// To tell where a topic ends.
    border: i64,
}

impl<'a> Costs<'a> {
    fn of(words: &'a Words) -> Self {
        let said: usize = words.told.iter().map(Told::count).sum();
        let known = |count| parts((count as f64 + UNSAID).ln());
        let new = |before: usize| {
            parts((before as f64 + UNSAID * (words.once + words.again()) as f64).ln())
        };
        let sum = |sum: &mut i64, before| {
            *sum += new(before);
            Some(*sum)
        };
        Self {
            words,
            known: (0..=words.told.len()).map(known).collect(),
            all: std::iter::once(0).chain((0..said).scan(0, sum)).collect(),
            border: parts((said.max(1) as f64).ln()),
        }
    }

    /// What some turns cost at least, and where their topics begin then.
    fn cheapest(&self, turns: &[&Told], fewest: usize) -> (i64, Vec<usize>) {
        let mut paths = vec![Path { cost: 0, from: 0 }];
        let mut had = Had::new(self.words);
        for (to, turn) in (1_usize..).zip(turns) {
            had.add(turn, &self.known);
            let begins = (to + 1).saturating_sub(fewest);
            let cost = |(from, before): (usize, &Path)| {
                let topic = self.all[had.said[from]] - had.saved[from] + self.border;
                Path { cost: before.cost.saturating_add(topic), from }
            };
            let best = paths[..begins].iter().enumerate().map(cost).min_by_key(|path| path.cost);
            // There may be no way to a place so near to the first one.
            let mut path = best.unwrap_or(Path { cost: i64::MAX, from: 0 });
            let next = turns.get(to).map_or(0, |turn| turn.begins);
            path.cost = path.cost.saturating_add(next);
            paths.push(path);
        }
        let before = |at: &usize| Some(paths[*at].from).filter(|from| *from > 0);
        let mut places: Vec<usize> = std::iter::successors(before(&turns.len()), before).collect();
        places.reverse();
        (paths[turns.len()].cost, places)
    }
}

/// What was said so far, for each place at which the last topic may have begun.
struct Had<'a> {
    words: &'a Words,
    /// How many words it has, and what is saved on them.
    said: Vec<usize>,
    saved: Vec<i64>,
    /// For each word that several turns have, how many have had it so far and, one word behind the other, which.
    counts: Vec<usize>,
    turns: Vec<usize>,
    /// What the turn under way saves more from a place on down.
    more: Vec<i64>,
}

impl<'a> Had<'a> {
    fn new(words: &'a Words) -> Self {
        let of_all = words.starts.last().copied().unwrap_or_default();
        Self {
            words,
            said: Vec::new(),
            saved: Vec::new(),
            counts: vec![0; words.again()],
            turns: vec![0; of_all],
            more: Vec::new(),
        }
    }

    /// Adds the next turn. A topic that began behind all turns that had a word saves least on it, and the more the earlier
    /// it began: only where that changes is looked at.
    fn add(&mut self, turn: &Told, known: &[i64]) {
        let at = self.said.len();
        self.said.push(0);
        self.saved.push(0);
        self.more.push(0);
        for &word in &turn.again {
            let (count, start) =
                (&mut self.counts[word as usize], self.words.starts[word as usize]);
            for (before, &place) in self.turns[start..start + *count].iter().rev().enumerate() {
                self.more[place] += known[before + 1] - known[before];
            }
            self.turns[start + *count] = at;
            *count += 1;
        }
        let mut saved = i64::from(turn.count() as u32) * known[0];
        for from in (0..=at).rev() {
            saved += std::mem::take(&mut self.more[from]);
            self.saved[from] += saved;
            self.said[from] += turn.count();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of so many words each, out of those of a topic and of those that all have.
    fn talk(random: &mut fastrand::Rng, topic: u32, turns: usize) -> Vec<Said> {
        let mut turn = || {
            let mut words: Vec<u32> = (0..12)
                .map(|nth| if nth < 5 { random.u32(..40) } else { topic * 100 + random.u32(..40) })
                .collect();
            words.sort_unstable();
            words.dedup();
            Said { by_person: words.len() / 2, words, ..Said::default() }
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
        // Its own order is by chance one of the two cheapest of twelve in one of six.
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

    /// A turn of words, so many of which the person said.
    fn said(words: &[u32], by_person: usize) -> Said {
        Said { words: words.to_vec(), by_person, ..Said::default() }
    }

    #[test]
    fn a_turn_of_few_words_that_belong_to_neither_topic_stays_with_the_first() {
        let mut turns: Vec<Said> =
            (0..5).map(|nth| said(&[1, 2, 3, 10 + nth, 20 + nth], 3)).collect();
        turns.push(said(&[90, 91], 1));
        turns.push(said(&[4, 5, 6, 30, 31, 32, 33, 34], 7));
        turns.extend((0..4).map(|nth| said(&[4, 5, 6, 40 + nth, 50 + nth], 3)));
        assert_eq!(borders(&turns, 3), [6]);
    }

    #[test]
    fn a_topic_of_short_turns_begins_where_the_person_says_more_than_usual() {
        let lengths = [3, 1, 1, 2, 1, 4, 1, 1, 1, 2, 1, 5, 1, 1, 2, 1];
        let turns: Vec<Said> = (0..)
            .zip(lengths)
            .map(|(nth, length)| {
                let topic = [0, 5, 11].iter().filter(|from| **from <= nth).count() as u32;
                let own = (0..length as u32).map(|word| 100 * nth as u32 + word);
                let again = (nth % 2 == 0).then_some(9_000 + topic);
                said(&again.into_iter().chain(own).collect::<Vec<_>>(), length)
            })
            .collect();
        assert_eq!(borders(&turns, 3), [5, 11]);
    }

    #[test]
    fn a_topic_begins_where_the_person_says_that_something_else_comes() {
        // Two topics that share as many words with each other as within themselves, but for one.
        let turn =
            |nth: u32| said(&[nth / 5, 50 + nth % 4, 60 + nth % 3, 70 + nth % 2, 100 + nth], 2);
        let mut turns: Vec<Said> = (0..10).map(turn).collect();
        assert!(borders(&turns, 3).is_empty());
        turns[5].turns_away = true;
        assert_eq!(borders(&turns, 3), [5]);
    }

    #[test]
    fn what_says_nothing_has_no_borders() {
        assert!(borders(&[], 3).is_empty());
        assert!(borders(&vec![Said::default(); 20], 3).is_empty());
        // Too few for any topic.
        assert!(borders(&[said(&[1], 1), said(&[2], 1)], 3).is_empty());
    }
}
