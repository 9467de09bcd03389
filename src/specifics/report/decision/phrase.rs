//! Decisions that a summary tells as a phrase with a noun: `pas de Stripe` for `on ne met pas Stripe`.

use super::clause::denies;
use super::{Sentence, Sentences};
use crate::memory::stem;

/// Words behind a denial among which its name stands: `no usamos Airflow`, `not to use Airflow`.
const MOST_BETWEEN: usize = 3;

/// Letters that a verb and its noun share at least: `pondère`, `pondération`.
const SHARED: usize = 5;

/// The shortest word that a longer one may be made of, in bytes, and by how much that is longer at least.
const PART: usize = 6;
const REST: usize = 4;

impl Sentences {
    /// Whether one of them denies the name or the verb that a decision denies, if that denies one thing only.
    pub(in crate::specifics::report) fn ban_in_a_phrase(&self, decision: &str) -> bool {
        let clauses = decision.split([',', ':', ';', '.']);
        let mut denied = clauses.filter_map(denied);
        let (Some(words), None) = (denied.next(), denied.next()) else { return false };
        let name = words.iter().take(MOST_BETWEEN).find(|word| is_name(word));
        if let Some(name) = name {
            let bare = name.trim_matches(|c: char| !c.is_alphanumeric());
            let name = stem(&bare.to_lowercase());
            let is_denied = |one: &Sentence| one.says(&name) == Some(false);
            return self.0.iter().any(is_denied);
        }
        verb_of(decision).is_some_and(|verb| self.0.iter().any(|one| one.denies_deed(&verb)))
    }
}

impl Sentence {
    /// Whether it denies what a verb does, by the noun of that.
    fn denies_deed(&self, verb: &str) -> bool {
        let verb = without_accents(verb);
        let is_of = |word: &String| {
            let word = without_accents(word);
            let both = word.chars().zip(verb.chars());
            let shared = both.take_while(|(one, other)| one == other).count();
            shared >= SHARED && shared + 2 >= verb.chars().count()
        };
        self.wanted.iter().any(|(word, is_wanted)| !is_wanted && is_of(word))
    }

    /// Whether a word is wanted that it says as the first or the last part of a longer one, as German has: `Beitrag` in
    /// `Beitragserhöhung`.
    pub(super) fn says_within(&self, word: &str) -> Option<bool> {
        const ENDING: usize = 4;
        if word.len() < PART {
            return None;
        }
        let head = word.char_indices().next_back().map_or(word, |(at, _)| &word[..at]);
        let is_of = |whole: &str| {
            let rest = whole.rsplit_once(head).map(|(_, rest)| rest.len());
            whole.len() >= word.len() + REST
                && (whole.starts_with(word) || rest.is_some_and(|rest| rest <= ENDING))
        };
        self.wanted.iter().find(|(whole, _)| is_of(whole)).map(|(_, is_wanted)| *is_wanted)
    }
}

/// The words behind the denial of a clause that has one.
fn denied(clause: &str) -> Option<Vec<&str>> {
    let words = clause.split([' ', '\'', '’']).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let is_denial = |word: &&str| {
        let lower = word.to_lowercase();
        denies(&lower) && !matches!(&*lower, "n" | "ne")
    };
    let at = words.iter().position(is_denial)?;
    Some(words[at + 1..].to_vec())
}

/// Whether a word names something, and is telling enough to stand for all that is said of it.
fn is_name(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.len() > 2
        && (bare.starts_with(char::is_uppercase) || bare.contains(['_', '-']))
        && bare.chars().any(char::is_alphabetic)
}

/// The verb that a French sentence denies: `pondère` in `on ne pondère pas`.
fn verb_of(decision: &str) -> Option<String> {
    let lower = decision.to_lowercase();
    let (_, rest) = lower.split_once(" ne ").or_else(|| lower.split_once(" n'"))?;
    let mut words = rest.split(' ');
    let (verb, not) = (words.next()?, words.next()?);
    matches!(not.trim_matches(|c: char| !c.is_alphabetic()), "pas" | "plus")
        .then(|| verb.to_owned())
}

fn without_accents(word: &str) -> String {
    let plain = |c: char| match c {
        'à' | 'â' => 'a',
        'é' | 'è' | 'ê' => 'e',
        'î' => 'i',
        'ô' => 'o',
        'ù' | 'û' => 'u',
        'ç' => 'c',
        other => other,
    };
    word.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_denied_may_be_told_as_a_noun() {
        let banned = |decision: &str, said: &str| Sentences::of(said).ban_in_a_phrase(decision);
        for (decision, said) in [
            ("C'est décidé, on ne met pas Stripe", "Aucun paiement, ni acompte ni Stripe."),
            ("on ne met pas Stripe", "pas de Stripe"),
            ("On ne pondère pas, c'est décidé", "Pas de pondération (décidé)"),
            ("decidimos que no usamos Airflow, demasiado", "Decisiones: sin Airflow."),
            ("We decided not to use Airflow", "No Airflow."),
        ] {
            assert!(banned(decision, said), "{decision}");
        }
        for (decision, said) in [
            ("on ne met pas Stripe", "on met Stripe"),
            ("on ne met pas Stripe", "pas de Brevo"),
            ("On ne pondère pas", "la pondération reste"),
            ("no usamos Airflow, no usamos Docker", "sin Airflow"),
        ] {
            assert!(!banned(decision, said), "{decision} / {said}");
        }
    }
}
