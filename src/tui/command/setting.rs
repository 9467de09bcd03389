//! The words of `/set`, `/budget` and `/effort`.

use super::{AppCommand, Command};
use crate::config::{Key, Kind};
use crate::orchestrator::Op;

/// `decay_threshold 5` or `decay_threshold=5 --save`; without a value, the settings that match.
pub(super) fn set(rest: &str) -> Command {
    let (rest, keep) = parted(rest);
    match rest.split_once([' ', '=']) {
        Some((key, value)) if !value.trim().is_empty() => {
            let (key, value) = (key.to_owned(), value.trim().to_owned());
            Command::Ask(if keep { Op::SetForGood { key, value } } else { Op::Set { key, value } })
        }
        _ => Command::App(AppCommand::Settings(rest.trim_end_matches('=').trim().to_owned())),
    }
}

/// Without `--save` at its end, and whether that stood there.
fn parted(rest: &str) -> (&str, bool) {
    rest.strip_suffix("--save").map_or((rest, false), |before| (before.trim_end(), true))
}

/// A command that sets one thing, with `--save` behind it or without.
pub(super) fn kept(rest: &str, read: impl Fn(&str) -> Option<Op>) -> Option<Op> {
    let (rest, keep) = parted(rest);
    match read(rest)? {
        Op::Set { key, value } if keep => Some(Op::SetForGood { key, value }),
        op => Some(op),
    }
}

/// How hard the model thinks.
pub(super) fn effort(rest: &str) -> Option<Op> {
    let level = rest.trim().to_lowercase();
    is_word_of(Key::Effort, &level)
        .then(|| Op::Set { key: Key::Effort.name().to_owned(), value: level })
}

/// Whether a word is one of those that a setting may be.
fn is_word_of(key: Key, word: &str) -> bool {
    matches!(key.kind(), Kind::Choice(words) if words.contains(&word))
}

/// Takes `8000`, `8_000`, `8,000` and `8k`, and the modes by name.
pub(super) fn budget(rest: &str) -> Option<Op> {
    let mode = rest.to_lowercase();
    if is_word_of(Key::BudgetMode, &mode) {
        return Some(Op::Set { key: Key::BudgetMode.name().to_owned(), value: mode });
    }
    let digits: String = mode.chars().filter(|c| !"_, ".contains(*c)).collect();
    let (digits, factor) = match digits.strip_suffix('k') {
        Some(thousands) => (thousands, 1000),
        None => (digits.as_str(), 1),
    };
    let tokens = digits.parse::<u64>().ok()?.checked_mul(factor)?;
    Some(Op::Set { key: Key::TokenBudget.name().to_owned(), value: tokens.to_string() })
}
