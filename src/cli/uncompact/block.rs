//! What was lost, as a text to be pasted into the conversation that goes on.

use super::{decisions_first, plural};
use crate::counted::counted;
use crate::specifics::{Kind, Specific};

/// What the text begins with.
const HEAD: &str = "Details from earlier in this conversation that its summary left out, newest first, as they were said then. Where \
    the summary or what was said later differs, that counts:\n";

/// Some specifics by kind and newest first, of each kind at most so many.
pub(super) fn of(
    lost: &[Specific],
    most: Option<usize>,
    phrase: impl Fn(&Specific) -> String,
) -> String {
    let most = most.unwrap_or(usize::MAX);
    let of_kind = |kind| lost.iter().filter(move |one| one.kind == kind);
    let decisions: Vec<&str> =
        of_kind(Kind::Decision).take(most).map(|one| one.text.as_str()).collect();
    let identifiers: Vec<&str> =
        of_kind(Kind::Identifier).take(most).map(|one| one.text.as_str()).collect();
    // What a decision holds that is told is told with it, and so is a product with its version.
    let is_told = |one: &&Specific| {
        let within = |all: &[&str]| all.iter().any(|told| holds(told, &one.text));
        one.kind == Kind::Decision
            || !within(&decisions) && (one.kind != Kind::Name || !within(&identifiers))
    };
    let (mut lines, mut left_out) = (HEAD.to_owned(), Vec::new());
    for kind in decisions_first() {
        let all: Vec<&Specific> = of_kind(kind).filter(is_told).collect();
        let told: Vec<String> = all.iter().take(most).map(|one| phrase(one)).collect();
        lines += &line(kind, &told);
        if all.len() > told.len() {
            left_out.push(counted((all.len() - told.len()) as u64, kind.as_str()));
        }
    }
    if left_out.is_empty() {
        return lines;
    }
    [lines.as_str(), "- left out here: ", &left_out.join(", "), "\n"].concat()
}

/// The line of a kind; nothing if there is none of it.
fn line(kind: Kind, told: &[String]) -> String {
    if told.is_empty() {
        return String::new();
    }
    // What holds the sign between them stands in a line of its own.
    let is_parted = told.iter().any(|one| one.contains("; "));
    let (head, between) = if is_parted { ("\n  - ", "\n  - ") } else { (" ", "; ") };
    format!("- {}:{head}{}\n", plural(kind), told.join(between))
}

/// Whether a text holds another one as words of its own.
fn holds(text: &str, other: &str) -> bool {
    let is_part =
        |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
    text.match_indices(other).any(|(at, _)| {
        !is_part(text[..at].chars().next_back())
            && !is_part(text[at + other.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: Kind, text: &str) -> Specific {
        Specific { kind, text: text.to_owned(), message: 0 }
    }

    fn block(lost: &[Specific], most: Option<usize>) -> String {
        of(lost, most, |one| one.text.clone())
    }

    #[test]
    fn what_holds_the_sign_between_them_stands_in_a_line_of_its_own() {
        let paths = [one(Kind::Path, "src/a.rs"), one(Kind::Path, "src/b.rs")];
        let commands = [one(Kind::Command, "cd a; make"), one(Kind::Command, "make check")];
        let block = block(&[&paths[..], &commands[..]].concat(), None);
        assert!(block.contains("\n- paths: src/a.rs; src/b.rs\n"), "{block}");
        assert!(block.contains("\n- commands:\n  - cd a; make\n  - make check\n"), "{block}");
    }

    #[test]
    fn at_most_so_many_of_each_kind_are_told_and_how_many_more_there_are() {
        let paths = ["a.rs", "b.rs", "c.rs"].map(|path| one(Kind::Path, path));
        let all = [&paths[..], &[one(Kind::Number, "5 ms")]].concat();
        let capped = block(&all, Some(1));
        assert!(
            capped.ends_with("- paths: a.rs\n- numbers: 5 ms\n- left out here: 2 paths\n"),
            "{capped}"
        );
        assert!(!block(&all, Some(3)).contains("left out here"));
        assert!(!block(&all, None).contains("left out here"));
    }

    #[test]
    fn what_a_decision_holds_that_is_told_is_told_with_it() {
        let all = [
            one(Kind::Decision, "We take Redis 7.2 on port 8443"),
            one(Kind::Number, "port 8443"),
            one(Kind::Number, "844"),
            one(Kind::Identifier, "Redis 7.2"),
            one(Kind::Identifier, "Postgres 16.4"),
            one(Kind::Name, "Postgres"),
        ];
        let told = block(&all, None);
        let lines = "- decisions: We take Redis 7.2 on port 8443\n- numbers: 844\n- identifiers: Postgres 16.4\n";
        assert!(told.ends_with(lines), "{told}");
    }
}
