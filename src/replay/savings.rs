//! Savings in words that hold below zero, too, and what they are savings of.

use super::costs::{Costs, Priced};
use super::replayed::{Pauses, Replayed};
use crate::bill::{COMPACTED_TO, COMPACTS_AT, CacheKind, Prices, is_often};
use crate::counted::grouped;

/// Percent with one digit behind the point, without the sign; all of it only where nothing is left.
fn percent(part: f64) -> String {
    let tenths = (1_000.0 * part.abs()).round() as u64;
    let tenths = if part.abs() < 1.0 { tenths.min(999) } else { tenths };
    format!("{}.{} %", grouped(tenths / 10), tenths % 10)
}

/// Whether it is below zero as it is printed.
fn is_below(part: f64) -> bool {
    (1_000.0 * part).round() < 0.0
}

/// A part of what was said that is saved: `97.1 %`; where there is more than was said, `none`.
pub fn saved(part: f64) -> String {
    if is_below(part) { "none".to_owned() } else { percent(part) }
}

/// A part of the cost that is saved, or that is paid beyond it, however little: `12.6 % saved`, `12.6 % dearer`.
pub fn net(part: f64) -> String {
    format!("{} {}", percent(part), if part < 0.0 { "dearer" } else { "saved" })
}

/// The same as a comparison: `12.6 % saved against full history`, `12.6 % dearer than full history`.
fn net_of_full_history(part: f64) -> String {
    net_of("full history", part)
}

fn net_of(what: &str, part: f64) -> String {
    format!("{} {} {what}", net(part), beside(part))
}

/// The word between such a part and what it is compared with.
pub(super) fn beside(part: f64) -> &'static str {
    if part < 0.0 { "than" } else { "against" }
}

/// What is saved against each of the others: `12.6 % saved against full history, 3.0 % dearer than compacting at 160,000`.
pub(super) fn nets(costs: &Costs) -> String {
    [Some(net_of_full_history(costs.net())), nets_of_compacting(costs)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The same against those that compacted; `None` where nobody did.
fn nets_of_compacting(costs: &Costs) -> Option<String> {
    let at = format!("compacting at {}", grouped(COMPACTS_AT));
    let nets = [
        costs.net_of_compacting().map(|part| net_of(&at, part)),
        costs.net_of_then().map(|part| net_of("compacting where the program itself did", part)),
    ];
    let nets: Vec<String> = nets.into_iter().flatten().collect();
    (!nets.is_empty()).then(|| nets.join(", "))
}

/// Turns that came behind pauses that no cache outlasts, and what is taken for them, as a sentence.
pub(super) fn pauses(replayed: &Replayed) -> String {
    let Pauses { lifetime, turns } = replayed.pauses;
    if turns == 0 {
        return String::new();
    }
    let came = if turns == 1 {
        "1 turn came".to_owned()
    } else {
        format!("{} turns came", grouped(turns))
    };
    format!(
        " {came} after more than the {} seconds that a cache keeps a prompt (cache_lifetime): the first request of each is \
         read anew, whoever sends it. Pauses within a turn are not counted, and no topic is concluded early for them.",
        grouped(lifetime)
    )
}

/// That windows were smaller than what a cache keeps, where many were.
pub(super) fn smaller(replayed: &Replayed, prices: &Prices) -> String {
    let (small, asked) = (replayed.small, replayed.steps.len() as u64);
    if !is_often(small, asked) {
        return String::new();
    }
    format!(
        " Such a cache keeps nothing below {} tokens: {} of {} windows were smaller, and full history may cost less than \
         these. Exchanges outside topics stay until the window is twice as large, where that soon costs less.",
        grouped(prices.least),
        grouped(small),
        grouped(asked)
    )
}

/// That nobody would have compacted, where that is so.
pub(super) fn never_compacted(replayed: &Replayed, costs: &Costs) -> String {
    if costs.is_compacting {
        return String::new();
    }
    let at = grouped(COMPACTS_AT);
    if replayed.again.largest_of_all > COMPACTS_AT {
        let to = grouped(COMPACTED_TO);
        return format!(
            " No prompt beyond {at} tokens had a history of more than {to} to compact: compacting there would have cost what \
             full history does."
        );
    }
    format!(
        " No prompt reached {at} tokens: compacting there would have cost what full history does."
    )
}

/// What tokens cost beside those of input, with whose prices these are.
pub(super) fn ratios_of(priced: &Priced) -> String {
    let Priced { prices, of, why } = priced;
    let why = if why.is_empty() { String::new() } else { format!(", {why}") };
    format!("{} (prices of {of}{why}; `--set provider=NAME` takes others)", prices.ratios())
}

/// What is paid for what is new to a cache, in words.
pub(super) fn price_of_new(cache: CacheKind) -> &'static str {
    match cache {
        CacheKind::None | CacheKind::Prefix => "input",
        CacheKind::Breakpoints => "what is written to the cache",
    }
}

/// In how many conversations it was said, if there are several: ` in 3 conversations`.
pub(super) fn in_conversations(replayed: &Replayed) -> String {
    match replayed.conversations {
        0 | 1 => String::new(),
        more => format!(" in {} conversations", grouped(more)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_zero_is_no_saving() {
        for (part, of_said, of_cost) in [
            (0.971_4, "97.1 %", "97.1 % saved against full history"),
            (0.999_9, "99.9 %", "99.9 % saved against full history"),
            (1.0, "100.0 %", "100.0 % saved against full history"),
            (0.0, "0.0 %", "0.0 % saved against full history"),
            (-0.000_4, "0.0 %", "0.0 % dearer than full history"),
            (-0.126, "none", "12.6 % dearer than full history"),
            (-14.0, "none", "1,400.0 % dearer than full history"),
        ] {
            assert_eq!(
                (saved(part).as_str(), net_of_full_history(part).as_str()),
                (of_said, of_cost)
            );
        }
    }
}
