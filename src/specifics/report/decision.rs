//! Whether a summary holds a decision: in other words, but not the other way round.

use std::collections::BTreeMap;

use super::text::is_letter;
use crate::memory::{keywords, stem};
use crate::specifics::normal;
use crate::specifics::number::in_figures;

/// Percentage of a decision's words that a summary must hold close together to have kept it: it may use other words.
const PERCENT: usize = 60;

/// Sentences that stand close together.
const CLOSE: usize = 3;

/// Words behind which a clause says what is not to be.
const NOT: [&str; 9] =
    ["not", "no", "never", "without", "against", "avoid", "instead", "cannot", "neither"];

/// Verbs that do away with what they are about.
const AWAY: [&str; 15] = [
    "abandon", "ban", "declin", "disabl", "disallow", "drop", "exclud", "forbid", "omit",
    "prohibit", "reject", "remov", "skip", "stop", "refus",
];

/// Stems of words with which something is settled, whatever it is.
const SETTLING: [&str; 17] = [
    "agr", "agre", "choos", "chose", "chosen", "conclud", "decid", "decis", "final", "let", "opt",
    "pick", "plan", "resolv", "settl", "team", "us",
];

/// The sentences of a summary.
pub(super) struct Sentences(Vec<Sentence>);

/// The words of a sentence, and of each whether it is what is wanted or what is not.
#[derive(Debug, Default)]
struct Sentence {
    wanted: BTreeMap<String, bool>,
    figures: Vec<String>,
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
        let decision = Sentence::of(decision);
        (0..self.0.len()).any(|at| decision.is_in(&self.0[at..self.0.len().min(at + CLOSE)]))
    }
}

impl Sentence {
    fn of(text: &str) -> Self {
        let counted = in_figures(text).to_lowercase();
        let mut wanted = BTreeMap::new();
        for clause in text.split([',', ':', '(', ')', '—', '–']) {
            for (word, is_wanted) in polarity(clause) {
                wanted.entry(word).or_insert(is_wanted);
            }
        }
        Self { wanted, figures: figures(&counted).collect() }
    }

    fn is_in(&self, near: &[Self]) -> bool {
        let figure = |figure: &String| near.iter().any(|one| one.figures.contains(figure));
        if self.wanted.is_empty() || !self.figures.iter().all(figure) {
            return false;
        }
        let said = |word: &String| near.iter().find_map(|one| one.wanted.get(word));
        let (mut held, mut opposed) = (0, 0);
        for (word, wanted) in &self.wanted {
            let said = said(word);
            held += usize::from(said.is_some());
            opposed += usize::from(said.is_some_and(|said| said != wanted));
        }
        held * 100 >= self.wanted.len() * PERCENT && opposed * 2 <= held
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
        let next =
            words.peek().filter(|next| !matches!(**next, "by" | "for" | "from" | "in" | "on"));
        let not = match bare {
            "rather" => next.is_some_and(|next| *next == "than"),
            "over" => chosen,
            _ => NOT.contains(&bare) || bare.ends_with("n't") || bare.ends_with("n’t"),
        };
        let stemmed = stem(bare);
        let away = AWAY.contains(&stemmed.as_str());
        chosen |= SETTLING.contains(&stemmed.as_str()) || stemmed == "prefer";
        is_wanted = matches!(bare, "but" | "and" | "so" | "because") || is_wanted != (not || away);
        // What is done away with stands in front: `card numbers are not stored`, `Redis was dropped`.
        if not && BEING.contains(&before.as_str()) || away && next.is_none() {
            for (_, wanted) in &mut found {
                *wanted = is_wanted;
            }
        }
        if !not {
            let stems = keywords(bare).map(|word| stem(&word));
            let told = stems.filter(|stem| !SETTLING.contains(&stem.as_str()));
            found.extend(told.map(|stem| (stem, is_wanted)));
        }
        bare.clone_into(&mut before);
    }
    found
}

/// The values of a text's figures: `1,200` is 1200 and `5k` is 5000. Takes small letters.
fn figures(text: &str) -> impl Iterator<Item = String> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '\'');
    text.split(move |c| !inside(c)).filter_map(|word| {
        let from = &word[word.find(|c: char| c.is_ascii_digit())?..];
        let end = from.find(char::is_alphabetic).unwrap_or(from.len());
        let value = normal::figure_value(from[..end].trim_end_matches(|c: char| !is_letter(c)))?;
        let size = if &from[end..] == "k" { 1e3 } else { 1.0 };
        Some((value * size).to_string())
    })
}
