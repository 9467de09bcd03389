//! The bill as numbers (an interface: names are added, never changed).

use serde_json::{Map, Value, json};

use crate::bill::{Baselines, Outlook, Paid, Purpose, Sum};
use crate::memory::Tokens;
use crate::orchestrator::BillView;

/// What was paid and what others would have paid; `unsaid` is what is held by reference and was never said.
pub fn bill_json(view: &BillView, unsaid: Tokens) -> Value {
    let BillView { bill, prices, .. } = view;
    let priced = |paid: &Paid| {
        let mut object = paid_json(paid);
        object["cost"] = prices.cost(paid).into();
        object
    };
    let sum = |sum: &Sum| {
        let mut object = priced(&sum.paid);
        object["requests"] = sum.requests.into();
        object["estimates"] = sum.estimates.into();
        object
    };
    let by_purpose: Map<String, Value> = Purpose::ALL
        .into_iter()
        .map(|purpose| (purpose.as_str().to_owned(), sum(bill.of(purpose))))
        .collect();
    let Baselines { with_cache, without_cache, compacting, compactions } = bill.baselines();
    let (behind, pays) = match bill.outlook(prices) {
        Outlook::Behind { behind, pays } => (behind, pays),
        Outlook::Nothing | Outlook::Ahead { .. } => (0.0, None),
    };
    let mut object = json!({
        "turns": bill.turns(),
        "all": sum(&bill.all()),
        "by_purpose": by_purpose,
        "others": {
            "full_history": priced(&with_cache.paid()),
            "without_cache": priced(&without_cache.paid()),
            "compacting": priced(&compacting.paid()),
            "compactions": compactions,
        },
        "shared": priced(&with_cache.shared),
        "said": with_cache.history,
        "unsaid": unsaid.0,
        "smaller_windows": bill.least().small().0,
        "net": bill.net(prices),
        "behind": behind,
        "pays_at_turn": pays.map(|(turn, _)| turn),
        "full_history_cheaper_up_to": pays.map(|(_, history)| history),
        "prices": {
            "cached": prices.cached, "write": prices.write, "output": prices.output,
            "cache": prices.cache.as_str(), "cache_least": bill.least().tokens(),
        },
    });
    if let Some((net, currency)) = prices.in_money(bill.net(prices)) {
        object["net_in_currency"] = json!({ "amount": net, "currency": currency });
    }
    object
}

/// Tokens by what they cost, under the names of the contract.
pub fn paid_json(paid: &Paid) -> Value {
    let Paid { read, written, uncached, output, estimated } = *paid;
    json!({
        "cached": read, "written": written, "uncached": uncached, "output": output,
        "estimated": estimated,
    })
}
