//! What was lost, as JSON.

use std::path::Path;

use serde_json::{Value, json};

use crate::read::Outcome;
use crate::replay::{Loss, Losses};
use crate::specifics::{Kind, Specific};

/// What was read and lost, newest first, of each kind at most so many.
pub(super) fn as_json(
    path: &Path,
    outcome: &Outcome,
    losses: &Losses,
    most: Option<usize>,
) -> Value {
    let lost_now = losses.lost_now();
    let lost_now = first_of_each_kind(lost_now.iter(), most);
    json!({
        "file": path.display().to_string(),
        "read": outcome.tally.read,
        "used": outcome.tally.used(),
        "skipped": outcome.tally.skipped,
        "compactions": losses.found().iter().map(|loss| of_loss(loss, most)).collect::<Vec<_>>(),
        "lost_now": lost_now.map(|one| told(one, losses.phrase(one))).collect::<Vec<_>>(),
    })
}

fn of_loss(loss: &Loss, most: Option<usize>) -> Value {
    let known = &loss.compaction;
    let told = |one: &Specific| {
        let mut told = told(one, loss.phrase(one));
        if loss.is_exchanged(one) {
            told["said_of_something_else"] = true.into();
        }
        told
    };
    let newest_first = |list: &[Specific]| -> Vec<Value> {
        first_of_each_kind(list.iter().rev(), most).map(told).collect()
    };
    json!({
        "trigger": known.trigger, "before": known.before, "after": known.after, "at_ms": known.at,
        "messages": loss.messages,
        "kept": loss.report.as_ref().map(|report| newest_first(&report.kept)),
        "lost": loss.report.as_ref().map(|report| newest_first(&report.missing)),
    })
}

fn told(one: &Specific, said: &str) -> Value {
    let mut told = json!({ "kind": one.kind.as_str(), "text": one.text });
    if said != one.text {
        told["said"] = said.into();
    }
    told
}

/// Those of a list that are among the first so many of their kind.
fn first_of_each_kind<'a>(
    list: impl Iterator<Item = &'a Specific>,
    most: Option<usize>,
) -> impl Iterator<Item = &'a Specific> {
    let mut counts = [0; Kind::ALL.len()];
    list.filter(move |one| {
        let count = &mut counts[one.kind as usize];
        *count += 1;
        most.is_none_or(|most| *count <= most)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kind_at_most_so_many_are_told() {
        let one = |(kind, text): (Kind, &str)| Specific { kind, text: text.to_owned(), message: 0 };
        let all = [(Kind::Path, "a"), (Kind::Name, "b"), (Kind::Path, "c"), (Kind::Name, "d")];
        let all = all.map(one);
        let told = |most| -> Vec<&str> {
            first_of_each_kind(all.iter(), most).map(|one| one.text.as_str()).collect()
        };
        assert_eq!(told(Some(1)), ["a", "b"]);
        assert_eq!(told(Some(2)), ["a", "b", "c", "d"]);
        assert_eq!(told(None), ["a", "b", "c", "d"]);
        assert_eq!(told(Some(0)), [""; 0]);
    }
}
