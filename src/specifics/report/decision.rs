//! Whether a summary holds a decision: in other words, but not the other way round.

use std::collections::BTreeMap;

use crate::memory::{keywords, stem};
use crate::specifics::number::Amount;
use crate::specifics::unit::measures;
use crate::specifics::words::Words;
use crate::specifics::{Kind, extract};

/// Percentage of a decision's words that a summary must hold close together to have kept it: it may use other words.
const PERCENT: usize = 60;

/// The same where the word is not among them that says what is to be done.
const PERCENT_WITHOUT_VERB: usize = 75;

/// Letters that two long words share at least, and by how many more their endings may differ.
const LONG: usize = 6;
const ENDING: usize = 3;

/// Sentences that stand close together.
const CLOSE: usize = 3;

/// Words behind which a clause says what is not to be.
const NOT: [&str; 21] = [
    "not", "no", "never", "without", "against", "instead", "cannot", "neither", "nobody",
    "nothing", "nicht", "nie", "niemals", "kein", "keine", "keinen", "ohne", "statt", "nunca",
    "sin", "ni",
];

/// Words with which another clause begins, which says for itself what is to be.
const CLAUSES: [&str; 11] =
    ["after", "and", "because", "before", "but", "if", "since", "so", "unless", "until", "when"];

/// Verbs that do away with what they are about.
const AWAY: [&str; 19] = [
    "abandon",
    "avoid",
    "ban",
    "declin",
    "disabl",
    "disallow",
    "drop",
    "exclud",
    "forbid",
    "forbidden",
    "off",
    "omit",
    "prohibit",
    "reject",
    "remov",
    "replac",
    "skip",
    "stop",
    "refus",
];

/// Words with which something is settled, whatever it is.
static SETTLING: Words = Words::new(
    "acordado agree agreed always bitte choose chose chosen conclude concluded decide decided decidido decidimos decision \
     elegido final finally go going let let's lets opt opted pick picked plan planned please resolve resolved \
     settle settled team use used using want went",
);

/// Words that say nothing by themselves, beyond the English ones.
static FILLERS: Words = Words::new(
    "anywhere auch auf bei con das dass dem den der des die ein eine einen einer el es everywhere für haben hat hemos ich im ist \
     las los mit nach noch nur para por que se sind su sie und una uns vom von werden wir wird wieder zum zur",
);

/// The sentences of a summary.
pub(super) struct Sentences(Vec<Sentence>);

/// The words of a sentence, and of each whether it is what is wanted or what is not.
#[derive(Debug, Default)]
struct Sentence {
    wanted: BTreeMap<String, bool>,
    /// The first of them.
    verb: String,
    amounts: Vec<Amount>,
}

impl Sentences {
    /// Those of a text.
    pub(super) fn of(text: &str) -> Self {
        let ends = text.split_inclusive(['\n', '!', '?', ';']).flat_map(|part| part.split(". "));
        Self(ends.filter(|part| !part.trim().is_empty()).map(Sentence::of).collect())
    }

    /// Whether some that are close together hold a decision by most of its words and each of its figures, and do not say
    /// the opposite.
    pub(super) fn hold(&self, decision: &str) -> bool {
        // Its dates are specifics of their own.
        let dates = extract([decision]).into_iter().filter(|one| one.kind == Kind::Date);
        let undated = dates.fold(decision.to_owned(), |text, date| text.replace(&date.text, " "));
        let decision =
            Sentence { amounts: Amount::all_of(&undated), ..Sentence::of(settled(decision)) };
        (0..self.0.len()).any(|at| decision.is_in(&self.0[at..self.0.len().min(at + CLOSE)]))
    }
}

/// A decision without the reason for it.
fn settled(decision: &str) -> &str {
    const REASONS: [&str; 6] =
        [" because ", " since ", " so that ", ", weil ", ", denn ", " porque "];
    let ends = REASONS.iter().filter_map(|reason| decision.find(reason));
    let end = ends.filter(|&at| decision[..at].split_whitespace().count() > 3).min();
    end.map_or(decision, |at| &decision[..at])
}

impl Sentence {
    fn of(text: &str) -> Self {
        let mut wanted = BTreeMap::new();
        let mut verb = String::new();
        for clause in text.split([',', ':', '(', ')', '—', '–']) {
            for (word, is_wanted) in polarity(clause) {
                if verb.is_empty() {
                    verb.clone_from(&word);
                }
                wanted.entry(word).or_insert(is_wanted);
            }
        }
        Self { wanted, verb, amounts: Amount::all_of(text) }
    }

    /// Whether a word is wanted, if it says it: a long one perhaps with another ending, as languages beyond English have.
    fn says(&self, word: &str) -> Option<bool> {
        let inflected = || {
            let head = word.get(..LONG.max(word.len().saturating_sub(ENDING)))?;
            let (said, wanted) = self.wanted.range(head.to_owned()..).next()?;
            (said.starts_with(head) && said.len() <= word.len() + ENDING).then_some(*wanted)
        };
        self.wanted.get(word).copied().or_else(inflected)
    }

    /// Whether one sentence holds it, or several together with the word that says what is to be done.
    fn is_in(&self, near: &[Self]) -> bool {
        let Some(first) = near.first() else { return false };
        let percent = if first.says(&self.verb).is_some() { PERCENT } else { PERCENT_WITHOUT_VERB };
        let has_verb = near.iter().any(|one| one.says(&self.verb).is_some());
        self.is_told(&near[..1], percent) || has_verb && self.is_told(near, PERCENT)
    }

    /// Whether sentences hold so many of its words and each of its amounts, and do not say the opposite.
    fn is_told(&self, near: &[Self], percent: usize) -> bool {
        let amounts = || near.iter().flat_map(|one| &one.amounts);
        let mut meant = self.amounts.iter().filter(|one| one.is_whole());
        if self.wanted.is_empty() || !meant.all(|meant| amounts().any(|said| said.tells(meant))) {
            return false;
        }
        let said = |word: &String| near.iter().find_map(|one| one.says(word));
        let (mut held, mut opposed) = (0, 0);
        for (word, wanted) in &self.wanted {
            let said = said(word);
            held += usize::from(said.is_some());
            opposed += usize::from(said.is_some_and(|said| said != *wanted));
        }
        held * 100 >= self.wanted.len() * percent && opposed * 2 <= held
    }
}

/// The stems of a clause's words, each with whether it is wanted.
fn polarity(clause: &str) -> Vec<(String, bool)> {
    const BEING: [&str; 6] = ["are", "be", "been", "is", "was", "were"];
    let mut found: Vec<(String, bool)> = Vec::new();
    let (mut is_wanted, mut chosen) = (true, false);
    let mut before = String::new();
    let mut words = clause.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let word = word.to_lowercase();
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let next = words
            .peek()
            .copied()
            .filter(|next| !matches!(*next, "by" | "for" | "from" | "in" | "on"));
        let not = match bare {
            "rather" => next == Some("than"),
            "over" => chosen,
            _ => NOT.contains(&bare) || bare.ends_with("n't") || bare.ends_with("n’t"),
        };
        let stemmed = stem(bare);
        let passive = not && next == Some("be");
        let away = AWAY.contains(&stemmed.as_str());
        chosen |= SETTLING.holds(bare) || stemmed == "prefer";
        is_wanted = CLAUSES.contains(&bare) || is_wanted != (not || away);
        // What is done away with stands in front: `card numbers are not stored`, `Redis was dropped`.
        let done = BEING.contains(&before.as_str());
        if passive || (not || away) && done || away && next.is_none() {
            for (_, wanted) in &mut found {
                *wanted = is_wanted;
            }
        }
        if !not && !away {
            // A path is told by its last name as well.
            let name = bare.rsplit('/').find(|name| name.len() > 2).unwrap_or(bare);
            let stems = keywords(name).map(|word| stem(&word));
            let amount =
                bare.starts_with(|c: char| c.is_ascii_digit()) || !measures(bare).is_empty();
            let told = stems.filter(|_| !amount && !SETTLING.holds(bare) && !FILLERS.holds(bare));
            found.extend(told.map(|stem| (stem, is_wanted)));
        }
        bare.clone_into(&mut before);
    }
    found
}
