//! What the requests of a proof to a model took, in words.

use crate::bill::{Prices, Sum};
use crate::counted::{counted, grouped, money};

/// The requests, their tokens and what these cost. A request that failed before its answer is not among them.
pub(super) fn told(sum: &Sum, prices: &Prices) -> String {
    let Sum { requests, paid: all, .. } = sum;
    let how = if all.estimated {
        "estimated where the server did not say"
    } else {
        "as the server counted them"
    };
    let cost = prices.cost(all);
    let in_money = prices.in_money(cost);
    let in_money =
        in_money.map_or_else(String::new, |(sum, name)| format!(", {}", money(sum, name)));
    let was = if *requests == 1 { "was" } else { "were" };
    format!(
        "{} that {was} answered, {} tokens of prompts, of which {} from its cache, and {} of answers, {how}; as much as {} \
         tokens of plain input{in_money} ({})",
        counted(*requests, "request"),
        grouped(all.prompt()),
        grouped(all.read),
        grouped(all.output),
        grouped(cost.round() as u64),
        prices.ratios()
    )
}
