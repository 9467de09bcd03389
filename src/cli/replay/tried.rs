//! `replay --set KEY=A,B`: every combination of the values, beside each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::bill::Prices;
use crate::cli::{Arguments, Error, Job};
use crate::config::{Key, Kind, Settings, Source};
use crate::memory::{CountTokens, Faults};
use crate::orchestrator::check_settings;
use crate::replay::{self, Replayed};
use crate::tui::text::grouped;

/// Combinations of settings that are played at most.
const MOST_COMBINATIONS: usize = 64;

/// The values of a setting that are tried.
pub(in crate::cli) type Tried = (String, Vec<String>);

/// A value for each of the settings that are tried.
pub(super) type Values = Vec<(String, String)>;

/// Takes the settings with several values out of the arguments: each combination of them is played.
pub(in crate::cli) fn what_if(arguments: &Arguments) -> (Arguments, Vec<Tried>) {
    let mut arguments = arguments.clone();
    let set = std::mem::take(&mut arguments.settings.set);
    let is_several = |(key, value): &(String, String)| value.contains(',') && !is_list(key);
    let several: BTreeSet<String> =
        set.iter().filter(|one| is_several(one)).map(|(key, _)| key.clone()).collect();
    // A value beside them is one more of the same setting, and is refused with them.
    let (several, one): (Vec<_>, Vec<_>) =
        set.into_iter().partition(|(key, _)| several.contains(key));
    arguments.settings.set = one;
    let split = |(key, values): (String, String)| {
        (key, values.split(',').map(|value| value.trim().to_owned()).collect())
    };
    (arguments, several.into_iter().map(split).collect())
}

/// Whether a setting's only value is a list.
fn is_list(key: &str) -> bool {
    Key::named(key).is_some_and(|key| matches!(key.kind(), Kind::Tags(_) | Kind::Subset(..)))
}

/// All combinations of the values.
///
/// # Errors
/// There are too many, or a setting is named twice.
pub(super) fn combinations(tried: &[Tried]) -> Result<Vec<Values>, Error> {
    let mut keys: Vec<&str> = tried.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    if let Some(key) = keys.windows(2).find_map(|two| (two[0] == two[1]).then_some(two[0])) {
        return Err(Error::Usage(format!(
            "{key} is to be tried twice; name all its values at once: --set {key}=5,10"
        )));
    }
    let count =
        tried.iter().fold(1, |count: usize, (_, values)| count.saturating_mul(values.len()));
    if count > MOST_COMBINATIONS {
        return Err(Error::Usage(format!(
            "{count} combinations are more than {MOST_COMBINATIONS}; try fewer values"
        )));
    }
    Ok(tried.iter().fold(vec![Vec::new()], |all, (key, values)| {
        let with = |so_far: &Values| {
            let one =
                |value: &String| [so_far.clone(), vec![(key.clone(), value.clone())]].concat();
            values.iter().map(one).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    }))
}

/// The combinations with the settings that each is played under.
///
/// # Errors
/// A value of one makes no sense, before any of them is played.
pub(super) fn with_settings(
    tried: Vec<Values>,
    job: &Job<'_>,
    counter: &Arc<dyn CountTokens>,
) -> Result<Vec<(Values, Settings)>, Error> {
    let with = |values: Values| {
        let mut settings = job.settings.clone();
        let flag = Source::Flag("--set");
        let set = values.iter().map(|(key, value)| (key.clone(), value.clone(), flag.clone()));
        settings.set_all(set.collect::<Vec<_>>())?;
        check_settings(&settings, counter)?;
        Ok((values, settings))
    };
    tried.into_iter().map(with).collect()
}

/// What came of a combination.
pub(super) struct Row {
    values: Values,
    /// Tokens of the window at the end, and the most in between.
    end: u64,
    most: u64,
    /// The part of the history that is not in the window at the end.
    saved: f64,
    /// Tokens of all requests, memory's own included.
    tokens: u64,
    /// What they cost and how much less that is than for full history, in tokens of plain input, the cache counted.
    cost: f64,
    net: f64,
    /// The same as a part of what full history costs.
    net_part: f64,
    faults: Faults,
    with_recall: bool,
}

impl Row {
    pub(super) fn new(values: Values, replayed: &Replayed, prices: &Prices) -> Self {
        let own = replayed.own;
        let cost = replayed.cost(prices);
        Self {
            values,
            end: replayed.end.total().0,
            most: replayed.steps.iter().map(|step| step.window).max().unwrap_or(0),
            saved: replayed.saved(),
            tokens: own.read + own.written + own.uncached + own.output + replayed.by_reference,
            cost,
            net: prices.cost(&replayed.others.with_cache.paid()) - cost,
            net_part: replayed.net(prices),
            faults: replayed.faults,
            with_recall: replayed.is_recall_on(),
        }
    }

    fn named(&self) -> String {
        let named: Vec<String> =
            self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        named.join(" ")
    }

    fn recall(&self) -> &'static str {
        if self.with_recall { "on" } else { "off" }
    }
}

/// So many tokens of plain input in the currency, or as they are.
fn in_money(prices: &Prices, cost: f64) -> String {
    match prices.in_money(cost) {
        Some((money, currency)) => format!("{money:.2} {currency}"),
        None => format!("{cost:.0}"),
    }
}

/// The rows as text.
pub(super) fn text(rows: &[Row], prices: &Prices) -> String {
    let head = format!(
        "{:>9} {:>9} {:>9} {:>12} {:>12} {:>12} {:>15} {:>7}  settings\n",
        "end", "most", "saved", "tokens", "cost", "net", "", "faults"
    );
    let line = |row: &Row| {
        format!(
            "{:>9} {:>9} {:>9} {:>12} {:>12} {:>12} {:>15} {:>7}  {}{}\n",
            row.end,
            row.most,
            replay::saved(row.saved),
            grouped(row.tokens),
            in_money(prices, row.cost),
            in_money(prices, row.net.abs()),
            replay::net(row.net_part),
            row.faults.total(),
            row.named(),
            if row.with_recall { "" } else { " (recall was off)" },
        )
    };
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}

/// What the columns of the text are.
pub(super) fn legend(prices: &Prices) -> String {
    let unit =
        if prices.money.is_some() { "money" } else { "tokens that cost as much as one of input" };
    format!(
        "End is the window once the last topic is concluded, saved what that saves of all that was said. Tokens are \
         those of all requests, memory's own included; cost and net (what is saved against full history with \
         the same cache, or what it is dearer) are in {unit}; faults are what was needed and not in the window: looked up, missed or unanswered."
    )
}

/// The rows as JSON.
pub(super) fn json(rows: &[Row], prices: &Prices) -> Value {
    let row = |row: &Row| {
        let values = row.values.iter().map(|(key, value)| (key.clone(), json!(value)));
        let money = prices.in_money(row.cost).zip(prices.in_money(row.net)).map(
            |((cost, currency), (net, _))| json!({ "currency": currency, "cost": cost, "net": net }),
        );
        let Faults { looked_up, missed, unanswered } = row.faults;
        json!({
            "settings": values.collect::<serde_json::Map<_, _>>(),
            "end": row.end, "most": row.most, "saved": row.saved, "tokens": row.tokens,
            "cost": row.cost, "net_saved": row.net, "net": row.net_part, "money": money,
            "page_faults": { "looked_up": looked_up, "missed": missed, "unanswered": unanswered },
            "recall": row.recall(),
        })
    };
    json!({ "combinations": rows.iter().map(row).collect::<Vec<_>>() })
}

/// The rows as CSV.
pub(super) fn csv(rows: &[Row]) -> String {
    let keys = rows
        .first()
        .map_or_else(Vec::new, |row| row.values.iter().map(|(key, _)| key.as_str()).collect());
    let line = |row: &Row| {
        let values: Vec<&str> = row.values.iter().map(|(_, value)| value.as_str()).collect();
        let Row { end, most, saved, tokens, cost, net, net_part, faults, .. } = row;
        let (values, faults, recall) = (values.join(","), faults.total(), row.recall());
        format!(
            "{values},{end},{most},{saved:.4},{tokens},{cost:.0},{net:.0},{net_part:.4},{faults},{recall}\n"
        )
    };
    let head =
        format!("{},end,most,saved,tokens,cost,net_saved,net,page_faults,recall\n", keys.join(","));
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}
