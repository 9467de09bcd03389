//! `/specifics`: what a summary kept and lost, and putting some of it back.

use crate::orchestrator::{Op, SpecificsCommand};

/// What to ask of the orchestrator; `None` if it makes no sense.
pub(super) fn op(rest: &str) -> Option<Op> {
    let words: Vec<&str> =
        rest.split([' ', ',', '\t']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let is_action = |word: &&&str| matches!(**word, "add" | "drop");
    let named = words.first().filter(|word| !is_action(word));
    let id = named.map(|word| (*word).to_owned());
    let command = match &words[usize::from(named.is_some())..] {
        [] => SpecificsCommand::List,
        ["add", "all"] => SpecificsCommand::Add(Vec::new()),
        ["add", numbers @ ..] if !numbers.is_empty() => {
            let numbers: Result<Vec<usize>, _> = numbers.iter().map(|word| word.parse()).collect();
            SpecificsCommand::Add(numbers.ok()?)
        }
        ["drop"] | ["drop", "all"] => SpecificsCommand::Drop,
        _ => return None,
    };
    Some(Op::Specifics { id, command })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_may_be_named_and_numbers_are_told_from_words() {
        for (line, expected) in [
            ("", Some((None, SpecificsCommand::List))),
            ("auth-bug", Some((Some("auth-bug"), SpecificsCommand::List))),
            ("auth-bug add 1, 3", Some((Some("auth-bug"), SpecificsCommand::Add(vec![1, 3])))),
            ("add all", Some((None, SpecificsCommand::Add(vec![])))),
            ("tea drop", Some((Some("tea"), SpecificsCommand::Drop))),
            ("tea drop all", Some((Some("tea"), SpecificsCommand::Drop))),
            ("tea drop 1", None),
            ("tea add", None),
            ("tea add one", None),
            ("tea 1 2", None),
        ] {
            let asked = op(line).map(|op| match op {
                Op::Specifics { id, command } => (id, command),
                other => panic!("{other:?}"),
            });
            let expected = expected.map(|(id, command)| (id.map(str::to_owned), command));
            assert_eq!(asked, expected, "{line}");
        }
    }
}
