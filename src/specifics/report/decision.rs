//! Whether a summary holds a decision: in other words, but not the other way round.

mod words;

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::{stem, word_parts};
use crate::specifics::number::Amount;
use crate::specifics::unit::measures;
use crate::specifics::{Kind, Specific, extract};
use words::{
    ABBREVIATED, AS_IT_IS, AS_THEY_ARE, AWAY, AWAY_ABROAD, CLAUSES, FILLERS, FREEZING, HOW_IT_IS,
    JOINTS, KEEP, MEANINGS, MEANS, MORE, MOST, NO, NOT, NOT_EITHER, OUT, PLACES, REMARKS, SETTLING,
    TURNED,
};

/// Percentage of a decision's words that a summary must hold close together to have kept it: it may use other words.
const PERCENT: usize = 50;

/// The same where the word is not among them that says what is to be done.
const PERCENT_WITHOUT_VERB: usize = 75;

/// The same of so few words that one of them may be another one.
const FEW: usize = 3;
const PERCENT_OF_FEW: usize = 66;

/// Letters that two long words share at least, and by how many more their endings may differ; the same for the word that
/// says what is to be done, which has more forms.
const LONG: usize = 6;
const ENDING: usize = 3;
const LONG_VERB: usize = 4;
const ENDING_OF_VERB: usize = 2;

/// The same where its figures are told, and what is to be done.
const PERCENT_WITH_FIGURES: usize = 25;

/// Words in front of "that" with which something is settled.
const MOST_LEADING: usize = 6;

/// Words that a decision has at least in front of what is remarked on it.
const LEAST: usize = 3;

/// Sentences that stand close together.
const CLOSE: usize = 3;

/// The sentences of a summary.
pub(super) struct Sentences(Vec<Sentence>);

/// The words of a sentence, and of each whether it is what is wanted or what is not.
#[derive(Debug, Default)]
struct Sentence {
    wanted: BTreeMap<String, bool>,
    /// The first of them.
    verb: String,
    amounts: Vec<Amount>,
    /// Words that say where or to whom: they are neither wanted nor not.
    beside: BTreeSet<String>,
    /// It says how much at most.
    is_bound: bool,
    /// It says that something is settled.
    settles: bool,
}

impl Sentences {
    /// Those of a text.
    pub(super) fn of(text: &str) -> Self {
        let ends = text.split_inclusive(['\n', '!', '?', ';']).flat_map(|part| part.split(". "));
        Self(ends.filter(|part| !part.trim().is_empty()).map(Sentence::of).collect())
    }

    /// Whether they hold a decision, or each of those that one sentence makes.
    pub(super) fn hold(&self, decision: &str) -> bool {
        let parts = apart(decision);
        let is_one = parts.len() < 2;
        self.hold_one(decision, is_one)
            || !is_one && parts.iter().all(|part| self.hold_one(part, true))
    }

    /// Whether some that are close together hold a decision by most of its words and each of its figures, and do not say
    /// the opposite. Of `one` decision alone its figures may stand for most of its words.
    fn hold_one(&self, decision: &str, one: bool) -> bool {
        // Its dates and places are specifics of their own.
        let own = |one: &Specific| matches!(one.kind, Kind::Date | Kind::Path | Kind::Url);
        let others = extract([decision]).into_iter().filter(own);
        let rest = others.fold(decision.to_owned(), |text, one| text.replace(&one.text, " "));
        // Which of several it is counts nothing: `over the green one`.
        let rest = rest.trim_end_matches(['.', '!', ' ']).trim_end_matches(" one");
        let decision =
            Sentence { amounts: Amount::all_of(rest), ..Sentence::of(settled(decision)) };
        let near = |at: usize| &self.0[at..self.0.len().min(at + CLOSE)];
        let frozen = decision.frozen();
        let stays = |at: usize| {
            let keeps = |one: &Sentence| one.does(KEEP) == Some(true);
            frozen.as_ref().is_some_and(|frozen| keeps(&self.0[at]) && frozen.is_in(near(at), one))
        };
        (0..self.0.len()).any(|at| decision.is_in(near(at), one) || stays(at))
    }
}

/// What one sentence decides apart from each other: `No new crates, and the tests stay`.
fn apart(decision: &str) -> Vec<&str> {
    let mut parts = vec![decision];
    for joint in JOINTS {
        parts = parts.into_iter().flat_map(|part| part.split(joint)).collect();
    }
    parts.retain(|part| part.split_whitespace().count() > 1);
    parts
}

/// Whether what stands behind a comma says how something is, and settles nothing: `Play review would take weeks`.
fn tells_why(rest: &str) -> bool {
    let mut words = rest.split([' ', ',']);
    let begins = words.next().is_some_and(|word| !SETTLING.hold_lower(word) && !denies(word));
    let is_told = || rest.split(' ').skip(1).take(3).any(|word| HOW_IT_IS.contains(&word));
    begins && is_told() && !rest.split(' ').any(denies)
}

/// What is settled behind the words that say so: `we agreed with ops that nothing is restarted`.
fn behind_settling(decision: &str) -> &str {
    let Some((lead, rest)) = decision.split_once(" that ") else { return decision };
    let is_short = lead.split(' ').count() <= MOST_LEADING;
    let settles = || lead.split(' ').any(|word| SETTLING.hold_lower(word));
    if is_short && settles() { rest } else { decision }
}

/// A decision without the reason for it, and without what is remarked on it.
fn settled(decision: &str) -> &str {
    const REASONS: [&str; 6] =
        [" because ", " since ", " so that ", ", weil ", ", denn ", " porque "];
    let decision = behind_settling(decision);
    let reasons = REASONS.iter().filter_map(|reason| decision.find(reason));
    let remarks = decision.match_indices(", ").filter(|(at, comma)| {
        let next = decision[at + comma.len()..].split(' ').next().unwrap_or_default();
        REMARKS.hold_lower(next)
    });
    let told = decision.match_indices(", ").map(|(at, _)| at);
    let told = told.filter(|&at| tells_why(&decision[at + 2..]));
    let ends = reasons.chain(remarks.map(|(at, _)| at)).chain(told);
    let end = ends.filter(|&at| decision[..at].split_whitespace().count() >= LEAST).min();
    end.map_or(decision, |at| &decision[..at])
}

impl Sentence {
    fn of(text: &str) -> Self {
        let mut wanted = BTreeMap::new();
        let (mut verb, mut is_bound, mut beside) = (String::new(), false, BTreeSet::new());
        let mut clauses = text.split([',', ':', '(', ')', '—', '–']).peekable();
        while let Some(clause) = clauses.next() {
            let is_denied = clauses.peek().is_some_and(|next| {
                NO.contains(&&*next.trim_matches(['.', ' ', '*']).to_lowercase())
            });
            is_bound |= bounds(clause);
            for Taken { word, is_wanted, is_beside } in polarity(clause) {
                if verb.is_empty() {
                    verb.clone_from(&word);
                }
                if is_beside {
                    beside.insert(word.clone());
                }
                wanted.entry(word).or_insert(is_wanted && !is_denied);
            }
        }
        let settles = text.split([' ', ',', ':']).any(|word| SETTLING.hold_lower(word));
        Self { wanted, verb, amounts: Amount::all_of(text), beside, is_bound, settles }
    }

    /// Whether a word is wanted, if it says it: a long one perhaps in another form, as languages beyond English have.
    fn says(&self, word: &str) -> Option<bool> {
        let known = self.wanted.get(word).copied();
        known.or_else(|| self.inflects(word, LONG, ENDING)).or_else(|| self.does_what(word))
    }

    /// The same of what does what a verb says: `linter` and `lint`.
    fn does_what(&self, word: &str) -> Option<bool> {
        const SHORTEST: usize = 4;
        let verb = word.strip_suffix("er").filter(|verb| verb.len() >= SHORTEST);
        let found = verb.and_then(|verb| self.wanted.get(verb));
        found
            .or_else(|| self.wanted.get(&format!("{word}er")).filter(|_| word.len() >= SHORTEST))
            .copied()
    }

    /// The same for a verb.
    fn does(&self, verb: &str) -> Option<bool> {
        self.says(verb).or_else(|| self.inflects(verb, LONG_VERB, ENDING_OF_VERB))
    }

    /// Whether a word is wanted that differs in its ending, or is the participle, with or without its `ge`.
    fn inflects(&self, word: &str, long: usize, ending: usize) -> Option<bool> {
        let bare = word.strip_prefix("ge").filter(|bare| bare.len() >= long).unwrap_or(word);
        let head = bare.get(..long.max(bare.len().saturating_sub(ending)))?;
        [head.to_owned(), format!("ge{head}")].into_iter().find_map(|head| {
            let longest = head.len().max(word.len()) + ending;
            let (said, wanted) = self.wanted.range(head.clone()..).next()?;
            (said.starts_with(&head) && said.len() <= longest).then_some(*wanted)
        })
    }

    /// Whether one sentence holds it, or several together with the word that says what is to be done.
    fn is_in(&self, near: &[Self], one: bool) -> bool {
        let Some(first) = near.first() else { return false };
        let is_named = first.does(&self.verb).is_some()
            || self.is_ban() && first.denies(self)
            || self.is_bound && first.is_bound;
        let percent = match is_named {
            true if one && self.amounts.iter().any(Amount::is_whole) => PERCENT_WITH_FIGURES,
            true => PERCENT,
            false if self.wanted.len() <= FEW => PERCENT_OF_FEW,
            false => PERCENT_WITHOUT_VERB,
        };
        let has_verb = near.iter().any(|one| one.does(&self.verb).is_some());
        self.is_told(&near[..1], percent) || has_verb && self.is_told(near, PERCENT)
    }

    /// The same as what stays, if it says that something is not to be changed: `don't upgrade React`.
    fn frozen(&self) -> Option<Self> {
        let is_frozen = self.wanted.get(&self.verb) == Some(&false) && changes(&self.verb);
        let others = self.wanted.keys().filter(|word| **word != self.verb).cloned();
        let wanted = others.chain([KEEP.to_owned()]).map(|word| (word, true));
        is_frozen.then(|| Self {
            wanted: wanted.collect(),
            verb: KEEP.to_owned(),
            amounts: self.amounts.clone(),
            ..Self::default()
        })
    }

    /// Whether it only says what is not to be.
    fn is_ban(&self) -> bool {
        self.wanted.values().all(|wanted| !wanted)
    }

    /// Whether it says of something that is banned that it is not wanted.
    fn denies(&self, ban: &Self) -> bool {
        ban.wanted.keys().any(|word| self.says(word) == Some(false))
    }

    /// Whether sentences hold so many of its words and each of its amounts, and do not say the opposite.
    fn is_told(&self, near: &[Self], percent: usize) -> bool {
        let amounts = || near.iter().flat_map(|one| &one.amounts);
        let meant: Vec<&Amount> = self.amounts.iter().filter(|one| one.is_whole()).collect();
        let is_told = |said: &Amount, meant| said.tells(meant) || said.tells_carried(meant);
        if self.is_bound && !near.iter().any(|one| one.is_bound) {
            return false;
        }
        if !meant.iter().all(|meant| amounts().any(|said| is_told(said, meant))) {
            return false;
        }
        // One word stands for a choice only where something is chosen: `I'll go with the Gazelle`.
        let is_choice = |one: &Self| {
            let is_said = self.wanted.keys().any(|word| one.says(word).is_some());
            is_said && (one.settles || one.wanted.len() <= FEW)
        };
        let is_one_word = self.wanted.len() == 1 && meant.is_empty() && !self.is_ban();
        if is_one_word && !near.iter().any(is_choice) {
            return false;
        }
        // It is about figures alone: `use 75 seconds, not 65`.
        if self.wanted.is_empty() {
            return !meant.is_empty() && near.len() == 1;
        }
        let of = |one: &Self, word: &str| {
            if word == self.verb { one.does(word) } else { one.says(word) }
        };
        let said = |word: &str| near.iter().find_map(|one| of(one, word));
        // Held and opposed: of all words, and of those that do not say where or to whom.
        let (mut all, mut decisive) = ((0, 0), (0, 0));
        for (word, wanted) in &self.wanted {
            let Some(said) = said(word) else { continue };
            let opposed = usize::from(said != *wanted);
            all = (all.0 + 1, all.1 + opposed);
            if !self.beside.contains(word) {
                decisive = (decisive.0 + 1, decisive.1 + opposed);
            }
        }
        let (held, opposed) = if decisive.0 > 0 { decisive } else { all };
        all.0 * 100 >= self.wanted.len() * percent && opposed * 2 <= held
    }
}

/// Whether a clause says how much something is at most: `no more than two`.
fn bounds(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    MOST.iter().any(|most| lower.contains(most)) || exceeds(&lower)
}

/// Whether a clause in small letters denies what is more than something: that is a bound.
fn exceeds(lower: &str) -> bool {
    let more = MORE.iter().filter_map(|more| lower.find(more)).min();
    more.is_some_and(|at| lower[..at].split_whitespace().any(denies))
}

/// Whether a stem says that something becomes another one.
fn changes(stem: &str) -> bool {
    FREEZING.contains(&stem)
}

/// Whether a word in small letters denies.
fn denies(bare: &str) -> bool {
    NOT.contains(&bare) || bare.ends_with("n't") || bare.ends_with("n’t")
}

/// The stems of a clause's words, each with whether it is wanted.
fn polarity(clause: &str) -> Vec<Taken> {
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

/// The stem of a word.
#[derive(Debug)]
struct Taken {
    word: String,
    /// It is what is wanted, and not what is not.
    is_wanted: bool,
    /// It says where, or to whom.
    is_beside: bool,
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
}

impl Clause {
    fn word(&mut self, bare: &str, next: Option<&str>) {
        let not = match bare {
            "rather" => next == Some("than"),
            "over" => self.chosen,
            // It stands behind the verb, and what it says is said by the "ne" before that.
            "pas" | "jamais" if self.is_french => false,
            _ => denies(bare) && !self.is_bound,
        };
        self.is_french |= bare == "ne";
        let stemmed = stem(bare);
        let away = AWAY.contains(&stemmed.as_str())
            || OUT.contains(&bare)
                && next.is_some_and(|next| next.trim_end_matches(['.', ',']) == "out")
            || AWAY_ABROAD.iter().any(|verb| bare.starts_with(verb));
        let is_new = CLAUSES.contains(&bare);
        if is_new {
            self.begin = self.found.len();
        }
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
        let (word, is_wanted) = ("chang".to_owned(), !self.is_wanted);
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
        const BEING: [&str; 7] = ["are", "be", "been", "est", "is", "was", "were"];
        const MODAL: [&str; 5] = ["can", "may", "must", "shall", "should"];
        let done = BEING.contains(&self.before.as_str());
        // `CCD rejected since it broke`
        let is_past = away && bare.ends_with("ed") && self.found.len() > self.begin;
        let passive =
            is_past || not && matches!(next, Some("be" | "se")) || self.is_french && bare == "être";
        if passive || (not || away) && done || away && next.is_none() {
            0
        } else if NOT_EITHER.contains(&bare) || not && MODAL.contains(&self.before.as_str()) {
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
