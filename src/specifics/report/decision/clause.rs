//! What a clause wants, and what it does not: word by word, as far as the languages that we know tell.

use super::words::{
    ABBREVIATED, AS_IT_IS, AS_THEY_ARE, AWAY, AWAY_ABROAD, CHANGE, CLAUSES, FILLERS, MEANINGS,
    MEANS, MORE, MOST, NOT, NOT_EITHER, OUT, PLACES, SETTLING, STAYS_OUT, TURNED,
};
use crate::memory::{stem, word_parts};
use crate::specifics::unit::measures;

/// Whether a clause says how much something is at most: `no more than two`.
pub(super) fn bounds(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    MOST.iter().any(|most| lower.contains(most)) || exceeds(&lower)
}

/// Whether a clause says that its amount is a bound, in a word that may say something else too: `cap half a minute`.
pub(super) fn caps_at(clause: &str) -> bool {
    const CAPS: [&str; 12] = [
        "<", "≤", "below", "cap", "capped", "limit", "limited", "max", "maximal", "maximum",
        "under", "unter",
    ];
    let lower = clause.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic() && !"<≤".contains(c));
    words.any(|word| CAPS.iter().any(|cap| word == *cap || word.starts_with(['<', '≤'])))
}

/// Whether a clause in small letters denies what is more than something: that is a bound.
fn exceeds(lower: &str) -> bool {
    let more = MORE.iter().filter_map(|more| lower.find(more)).min();
    more.is_some_and(|at| lower[..at].split_whitespace().any(denies))
}

/// Whether a word in small letters denies.
pub(super) fn denies(bare: &str) -> bool {
    NOT.contains(&bare) || bare.ends_with("n't") || bare.ends_with("n’t")
}

/// The stems of a clause's words, each with whether it is wanted.
pub(super) fn polarity(clause: &str) -> Vec<Taken> {
    let until = [" until ", " till ", " for "].iter().find_map(|until| clause.split_once(*until));
    let whole = until
        .map_or(clause, |(whole, _)| whole)
        .trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    let kept = AS_THEY_ARE.iter().find_map(|end| whole.strip_suffix(end));
    let is_bound = exceeds(&clause.to_lowercase());
    let mut read = Clause { is_wanted: true, is_bound, ..Clause::default() };
    let mut words = kept.unwrap_or(clause).split_whitespace().peekable();
    while let Some(word) = words.next() {
        let word = word.to_lowercase();
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let next = words.peek().copied();
        read.word(bare, next.filter(|next| !matches!(*next, "by" | "for" | "from" | "in" | "on")));
        bare.clone_into(&mut read.before);
    }
    if kept.is_some() {
        read.is_left();
    }
    read.found
}

/// Words behind which stands what is done, or is not.
const BEING: [&str; 7] = ["are", "be", "been", "est", "is", "was", "were"];

/// The stem of a word.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) word: String,
    /// It is what is wanted, and not what is not.
    pub(super) is_wanted: bool,
    /// It says where, or to whom.
    pub(super) is_beside: bool,
}

/// What was read of a clause.
#[expect(clippy::struct_excessive_bools, reason = "each says something else of the clause")]
#[derive(Debug, Default)]
struct Clause {
    found: Vec<Taken>,
    /// What is said of where or to whom stands there.
    is_beside: bool,
    /// Where the words of its last part begin.
    begin: usize,
    /// Whether it says now what is wanted.
    is_wanted: bool,
    /// What it denies is more than a bound.
    is_bound: bool,
    /// Something is chosen in it.
    chosen: bool,
    /// A French "ne" stands in it.
    is_french: bool,
    /// What it says last is done away with.
    is_away: bool,
    /// The word before.
    before: String,
    /// Its last part says how something is, or one before that does.
    tells: bool,
    told_before: bool,
}

impl Clause {
    fn word(&mut self, bare: &str, next: Option<&str>) {
        let not = match bare {
            "rather" => next == Some("than"),
            "over" => self.chosen,
            // It stands behind the verb, and what it says is said by the "ne" before that.
            "pas" | "jamais" if self.is_french => false,
            // Each of several has its own: `ni acompte ni Stripe`.
            "ni" => self.is_wanted && !self.is_bound,
            _ => denies(bare) && !self.is_bound,
        };
        self.is_french |= bare == "ne";
        let stemmed = stem(bare);
        let away = AWAY.contains(&stemmed.as_str())
            || (OUT.contains(&bare) || STAYS_OUT.contains(&bare))
                && next.is_some_and(|next| next.trim_end_matches(['.', ',']) == "out")
            || AWAY_ABROAD.iter().any(|verb| bare.starts_with(verb));
        let is_new = CLAUSES.contains(&bare);
        if is_new {
            self.begin = self.found.len();
            self.told_before = self.tells;
        }
        self.tells |= BEING.contains(&bare);
        // In front of everything it is a verb's: `to move the wedding`.
        let is_behind = self.found.len() > self.begin;
        self.is_beside = PLACES.contains(&bare) && is_behind || self.is_beside && !is_new && !not;
        self.chosen |= SETTLING.holds(bare) || stemmed == "prefer";
        // What something is done away with is used.
        let by_means = self.is_away && MEANS.contains(&bare);
        self.is_away = away || self.is_away && !is_new && !not && !by_means;
        self.is_wanted = is_new || by_means || self.is_wanted != (not || away);
        self.set_from(self.first_that_it_is_said_of(bare, next, not, away), self.is_wanted);
        if AS_IT_IS.contains(&bare) {
            self.is_left();
        } else if !(not || away || TURNED.contains(&bare) && next == Some("off")) {
            self.take(bare);
        }
    }

    /// What it is about stays as it is.
    fn is_left(&mut self) {
        self.set_from(0, !self.is_wanted);
        let (word, is_wanted) = (CHANGE.to_owned(), !self.is_wanted);
        self.found.push(Taken { word, is_wanted, is_beside: false });
    }

    /// From which of its words on one says whether they are wanted. What is done away with stands in front: `card numbers are
    /// not stored`, `Redis was dropped`.
    fn first_that_it_is_said_of(
        &self,
        bare: &str,
        next: Option<&str>,
        not: bool,
        away: bool,
    ) -> usize {
        const MODAL: [&str; 5] = ["can", "may", "must", "shall", "should"];
        // `mustn't`
        let is_modal = bare.split_once('n').is_some_and(|(verb, _)| MODAL.contains(&verb));
        let done = BEING.contains(&self.before.as_str());
        // `CCD rejected since it broke`
        let is_past = away && bare.ends_with("ed") && self.found.len() > self.begin;
        let stays_out = away
            && (STAYS_OUT.contains(&bare)
                || bare == "off" && STAYS_OUT.contains(&self.before.as_str()));
        let passive = is_past
            || stays_out
            || not && matches!(next, Some("be" | "se"))
            || self.is_french && bare == "être";
        if passive || (not || away) && done || away && next.is_none() {
            // What has a verb of its own is said of something else: `Redis is kept and Kafka is not used`.
            let has_own = self.told_before && self.found.len() > self.begin;
            if has_own { self.begin } else { 0 }
        } else if NOT_EITHER.contains(&bare)
            || not && (MODAL.contains(&self.before.as_str()) || is_modal)
        {
            self.begin
        } else {
            self.found.len()
        }
    }

    fn set_from(&mut self, first: usize, is_wanted: bool) {
        for taken in &mut self.found[first..] {
            taken.is_wanted = is_wanted;
        }
    }

    /// Takes the stems of a word, unless it is an amount or says nothing by itself.
    fn take(&mut self, bare: &str) {
        let amount = bare.starts_with(|c: char| c.is_ascii_digit()) || !measures(bare).is_empty();
        if amount || SETTLING.holds(bare) || FILLERS.holds(bare) {
            return;
        }
        // A path is told by its last name as well.
        let name = bare.rsplit('/').find(|name| name.len() > 2).unwrap_or(bare);
        let told = |word: &str| {
            let long = ABBREVIATED.iter().find(|(short, _)| *short == word);
            let stem = stem(long.map_or(word, |(_, long)| long));
            let known = MEANINGS.iter().find(|(_, others)| others.contains(&&*stem));
            known.map_or(stem, |(known, _)| (*known).to_owned())
        };
        let (is_wanted, is_beside) = (self.is_wanted, self.is_beside);
        let taken = |word: &str| Taken { word: told(word), is_wanted, is_beside };
        self.found.extend(word_parts(name).map(|word| taken(&word)));
    }
}
