//! The words of `/set`, `/budget` and `/effort`.

use super::{AppCommand, Command};
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
    let known = ["auto", "none", "low", "medium", "high"].contains(&&*level);
    known.then(|| Op::Set { key: "effort".to_owned(), value: level })
}

/// Takes `8000`, `8_000`, `8,000` and `8k`, and the modes by name.
pub(super) fn budget(rest: &str) -> Option<Op> {
    let mode = rest.to_lowercase();
    if matches!(mode.as_str(), "auto" | "ask" | "off") {
        return Some(Op::Set { key: "budget_mode".to_owned(), value: mode });
    }
    let digits: String = mode.chars().filter(|c| !"_, ".contains(*c)).collect();
    let (digits, factor) = match digits.strip_suffix('k') {
        Some(thousands) => (thousands, 1000),
        None => (digits.as_str(), 1),
    };
    let tokens = digits.parse::<u64>().ok()?.checked_mul(factor)?;
    Some(Op::Set { key: "token_budget".to_owned(), value: tokens.to_string() })
}
