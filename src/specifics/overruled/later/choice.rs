//! What an answer puts something else for that was decided: `We use Redis`, answered by `Forget Redis, we use Valkey`.

use crate::specifics::overruled::undone::{self, Refused};
use crate::specifics::{Kind, Specific};

/// Of what was decided before it, what an answer undoes, with what that chose. It was said in `lead`.
pub(super) fn undone<'a>(lead: &str, before: &'a [Specific], answer: &str) -> Vec<&'a Specific> {
    let refused = undone::refused(answer);
    if refused.is_none() && !undone::is_undone(answer) {
        return Vec::new();
    }
    let decided = before.iter().filter(|one| one.kind == Kind::Decision);
    let mut decided: Vec<&Specific> = decided.collect();
    if let Some(refused) = refused {
        decided.retain(|one| refused.is_named_in(&one.text));
        let mut chosen = chosen(before, &decided, refused.rest);
        chosen.extend(of_its_clauses(lead, before, &refused));
        decided.extend(chosen);
        return decided;
    }
    if decided.len() > 1 {
        // Of several it is the one of which the answer names something.
        decided.retain(|one| names_any_of(answer, &one.text));
    }
    let mut chosen = chosen(before, &decided, answer);
    let is_figure = |one: &&Specific| {
        one.kind == Kind::Number
            && !answer.contains(&one.text)
            && decided.iter().any(|decision| decision.text.contains(&one.text))
    };
    chosen.extend(before.iter().filter(is_figure));
    decided.extend(chosen);
    decided
}

/// What the clauses say with which something was chosen that does not hold any longer: `Redis 7.2` and `port 6390` of
/// `We use Redis 7.2 on port 6390`. Its figures may be those of something else that is named there.
fn of_its_clauses<'a>(lead: &str, before: &'a [Specific], refused: &Refused) -> Vec<&'a Specific> {
    let sentences = lead.split(['\n', ';', '!', '?']).flat_map(|line| line.split(". "));
    let clauses = sentences.filter(|sentence| undone::settles(sentence));
    let clauses = clauses.flat_map(|sentence| sentence.split(" and "));
    let mut found = Vec::new();
    for clause in clauses.filter(|clause| refused.is_named_in(clause)) {
        let said =
            |one: &&Specific| clause.contains(&one.text) && !refused.rest.contains(&one.text);
        let said: Vec<&Specific> = before.iter().filter(said).collect();
        let is_name = |one: &&&Specific| matches!(one.kind, Kind::Identifier | Kind::Name);
        let (own, others): (Vec<&Specific>, Vec<&Specific>) =
            said.iter().filter(is_name).partition(|one| refused.is_named_in(&one.text));
        found.extend(own);
        if others.is_empty() {
            found.extend(said.iter().filter(|one| one.kind == Kind::Number));
        }
    }
    found
}

/// What some decisions chose and nothing else, which an answer does not name: `Redis`, and with it `Redis 7.2`.
fn chosen<'a>(before: &'a [Specific], decided: &[&Specific], answer: &str) -> Vec<&'a Specific> {
    let is_named = |one: &&Specific| {
        matches!(one.kind, Kind::Identifier | Kind::Name)
            && !answer.contains(&one.text)
            && decided.iter().any(|decision| decision.text.contains(&one.text))
    };
    let chosen: Vec<&Specific> = before.iter().filter(is_named).collect();
    let longest = chosen.iter().max_by_key(|one| one.text.len()).map_or("", |one| &one.text);
    if chosen.iter().all(|one| longest.contains(&one.text)) { chosen } else { Vec::new() }
}

/// Whether a text names something of another one: a word with a capital or a figure, but for the first one.
fn names_any_of(text: &str, other: &str) -> bool {
    let is_apart = |c: char| !c.is_alphanumeric();
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let mut names = other.split(is_apart).skip(1).filter(is_name);
    names.any(|name| text.split(is_apart).any(|word| word == name))
}
