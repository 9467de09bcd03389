//! `replay --set KEY=A,B`: every combination of the values, beside each other.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::bill::{COMPACTS_AT, Prices};
use crate::cli::{Arguments, Error, Job};
use crate::config::{Key, Kind, Settings, Source, check_deciding};
use crate::counted::{self, grouped};
use crate::memory::{CountTokens, Faults};
use crate::orchestrator::check_settings;
use crate::replay::{self, Costs, Replayed};

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
        // It would be priced as by nobody in particular.
        check_deciding(&settings)?;
        Ok((values, settings))
    };
    tried.into_iter().map(with).collect()
}

/// What came of a combination.
pub(super) struct Row {
    values: Values,
    /// The prices that it is told at.
    prices: Prices,
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
    /// What all of them cost.
    costs: Costs,
    /// The same with a request for each round of tools, if there are any.
    by_request: Option<Costs>,
    faults: Faults,
    with_recall: bool,
}

impl Row {
    pub(super) fn new(values: Values, replayed: &Replayed, prices: Prices) -> Self {
        let (own, costs) = (replayed.own, replayed.costs(&prices));
        Self {
            values,
            end: replayed.end.total().0,
            most: replayed.steps.iter().map(|step| step.window).max().unwrap_or(0),
            saved: replayed.saved(),
            tokens: own.read + own.written + own.uncached + own.output + replayed.by_reference,
            cost: costs.own,
            net: costs.full - costs.own,
            costs,
            by_request: replayed.has_rounds().then(|| replayed.again.costs(replayed, &prices)),
            faults: replayed.faults,
            with_recall: replayed.is_recall_on(),
            prices,
        }
    }

    fn named(&self) -> String {
        let named: Vec<String> =
            self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let off = if self.with_recall { "" } else { " (recall was off)" };
        format!("{}{off}", named.join(" "))
    }

    fn recall(&self) -> &'static str {
        if self.with_recall { "on" } else { "off" }
    }

    /// So many tokens of plain input in the currency, or as they are.
    fn in_money(&self, cost: f64) -> String {
        counted::cost(self.prices.in_money(cost), cost)
    }

    /// What is saved against those that compacted, and what it costs with a request for each round, of what any row knows.
    fn others(&self, known: [bool; 3]) -> impl Iterator<Item = String> {
        let [compacting, then] = [self.costs.net_of_compacting(), self.costs.net_of_then()]
            .map(|net| net.map(replay::net));
        let by_request = self.by_request.map(|costs| self.in_money(costs.own));
        let cells = [compacting, then, by_request].into_iter().zip(known);
        cells.filter(|(_, known)| *known).map(|(cell, _)| cell.unwrap_or_else(|| "-".to_owned()))
    }

    fn figures(&self, known: [bool; 3]) -> Vec<String> {
        let figures = [
            grouped(self.end),
            grouped(self.most),
            replay::saved(self.saved),
            grouped(self.tokens),
            self.in_money(self.cost),
            self.in_money(self.net.abs()),
            replay::net(self.costs.net()),
        ];
        let faults = grouped(self.faults.total());
        figures.into_iter().chain(self.others(known)).chain([faults]).collect()
    }
}

/// What the figures are; before the last one stand those of [`OTHERS`] that are known.
const HEAD: [&str; 8] = ["end", "most", "saved", "tokens", "cost", "net", "", "faults"];

/// What is saved against a program that compacts, and against the program itself, which did; and what it costs with a request
/// for each round of tools.
const OTHERS: [&str; 3] = ["compacting", "as then", "by request"];

/// Whether any row has them.
fn known(rows: &[Row]) -> [bool; 3] {
    let any = |of: fn(&Costs) -> Option<f64>| rows.iter().any(|row| of(&row.costs).is_some());
    let has_rounds = rows.iter().any(|row| row.by_request.is_some());
    [any(Costs::net_of_compacting), any(Costs::net_of_then), has_rounds]
}

fn head(known: [bool; 3]) -> Vec<String> {
    let (last, first) = HEAD.split_last().unwrap_or((&"", &[]));
    let others = OTHERS.iter().zip(known).filter(|(_, known)| *known).map(|(name, _)| name);
    first.iter().chain(others).chain([last]).map(|name| (*name).to_owned()).collect()
}

/// The rows as text. Where so many columns have no room for the settings beside the figures, they stand above them.
pub(super) fn text(rows: &[Row], columns: usize) -> String {
    let known = known(rows);
    let all: Vec<Vec<String>> =
        std::iter::once(head(known)).chain(rows.iter().map(|row| row.figures(known))).collect();
    let widest = |at: usize| all.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..all[0].len()).map(widest).collect();
    let sum = widths.iter().sum::<usize>();
    let gap = if sum + 2 * (widths.len() - 1) <= columns { "  " } else { " " };
    let mut lines = all.iter().map(|row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join(gap)
    });
    let head = lines.next().unwrap_or_default();
    let named: Vec<String> = rows.iter().map(Row::named).collect();
    let longest = named.iter().map(|named| named.chars().count()).max().unwrap_or(0);
    let fit = (head.chars().count() + 2).saturating_add(longest) <= columns;
    let head = if fit { format!("{head}  settings\n") } else { format!("{head}\n") };
    let row = |(figures, named): (String, &String)| {
        if fit { format!("{figures}  {named}\n") } else { format!("{named}\n{figures}\n") }
    };
    std::iter::once(head).chain(lines.zip(&named).map(row)).collect()
}

/// What the columns of the text are.
pub(super) fn legend(rows: &[Row]) -> String {
    let priced = rows.iter().filter(|row| row.prices.money.is_some()).count();
    let tokens = "tokens that cost as much as one of input";
    let unit = match rows.len() - priced {
        0 => "money".to_owned(),
        all if all == rows.len() => tokens.to_owned(),
        _ => format!("money, or without a price of input in {tokens}"),
    };
    let words = [
        format!("compacting is net against compacting at {} tokens; ", grouped(COMPACTS_AT)),
        "as then is net against the program itself, which compacted where the log says so; "
            .to_owned(),
        "by request is the cost with a request for each round of tools; ".to_owned(),
    ];
    let others = words.into_iter().zip(known(rows)).filter(|(_, known)| *known);
    let others: String = others.map(|(words, _)| words).collect();
    format!(
        "End is the window once the last topic is concluded, saved what that saves of all that was said. Tokens are \
         those of all requests, memory's own included; cost and net (what is saved against full history with \
         the same cache, or what it is dearer) are in {unit}; {others}faults are what was needed and not in the window: looked up, missed or unanswered."
    )
}

/// The rows as JSON.
pub(super) fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        let values = row.values.iter().map(|(key, value)| (key.clone(), json!(value)));
        let money = row.prices.in_money(row.cost).zip(row.prices.in_money(row.net)).map(
            |((cost, currency), (net, _))| json!({ "currency": currency, "cost": cost, "net": net }),
        );
        let Faults { looked_up, missed, unanswered } = row.faults;
        json!({
            "settings": values.collect::<serde_json::Map<_, _>>(),
            "end": row.end, "most": row.most, "saved": row.saved, "tokens": row.tokens,
            "cost": row.cost, "net_saved": row.net, "net": row.costs.net(), "money": money,
            "net_of_compacting": row.costs.net_of_compacting(), "net_of_compacted_then": row.costs.net_of_then(),
            "by_request": row.by_request.map(|costs| json!({ "cost": costs.own, "net": costs.net() })),
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
        let Row { end, most, saved, tokens, cost, net, costs, faults, .. } = row;
        let part = |net: Option<f64>| net.map_or_else(String::new, |net| format!("{net:.4}"));
        let others = [costs.net_of_compacting(), costs.net_of_then()].map(part).join(",");
        let net_part = costs.net();
        let by_request = row
            .by_request
            .map_or_else(|| ",".to_owned(), |costs| format!("{:.0},{:.4}", costs.own, costs.net()));
        let (values, faults, recall) = (values.join(","), faults.total(), row.recall());
        let money = row.prices.in_money(*cost).zip(row.prices.in_money(*net)).map_or_else(
            || ",,".to_owned(),
            |((cost, currency), (net, _))| format!("{currency},{cost:.4},{net:.4}"),
        );
        format!(
            "{values},{end},{most},{saved:.4},{tokens},{cost:.0},{net:.0},{net_part:.4},{faults},{recall},{others},{by_request},{money}\n"
        )
    };
    let head = format!(
        "{},end,most,saved,tokens,cost,net_saved,net,page_faults,recall,net_of_compacting,net_of_compacted_then,by_request_cost,by_request_net,currency,money_cost,money_net_saved\n",
        keys.join(",")
    );
    std::iter::once(head).chain(rows.iter().map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bill::{Money, Said};

    fn row(window: &str, money: Option<(f64, &str)>) -> Row {
        let money =
            money.map(|(per_million, sign)| Money { per_million, currency: sign.to_owned() });
        let mut replayed = Replayed { by_reference: 2_000_000, ..Replayed::default() };
        replayed.own.output = 1_000;
        replayed.others.turn(&Said { user: 3_000_000, ..Said::default() });
        let values = vec![("ambient_window".to_owned(), window.to_owned())];
        Row::new(values, &replayed, Prices { money, ..Prices::default() })
    }

    #[test]
    fn settings_without_room_beside_the_figures_stand_above_them() {
        let rows = [row("5", None), row("10", None)];
        let wide: Vec<String> = text(&rows, usize::MAX).lines().map(str::to_owned).collect();
        assert_eq!(wide.len(), 3);
        assert!(wide[0].ends_with("faults  settings"), "{wide:?}");
        assert!(wide[2].ends_with("  ambient_window=10 (recall was off)"), "{wide:?}");
        let longest = wide.iter().map(String::len).max().unwrap();
        assert_eq!(text(&rows, longest).lines().count(), 3);
        for columns in [longest - 1, 80, 66] {
            let narrow: Vec<String> = text(&rows, columns).lines().map(str::to_owned).collect();
            assert!(narrow.iter().all(|line| line.len() <= columns), "{columns} {narrow:#?}");
            assert_eq!(narrow.len(), 5);
            assert_eq!(narrow[3], "ambient_window=10 (recall was off)");
            assert!(narrow[0].ends_with("faults") && narrow[2].len() == narrow[0].len());
        }
    }

    #[test]
    fn rows_tell_what_is_saved_against_those_that_compacted_where_somebody_did() {
        let compacting = |row: Row| Row {
            costs: Costs { own: 9.0, full: 10.0, compacting: 6.0, is_compacting: true, then: None },
            ..row
        };
        let then = |row: Row| Row {
            costs: Costs { own: 9.0, full: 10.0, then: Some(8.0), ..Costs::default() },
            ..row
        };
        let none = [row("5", None)];
        assert!(!text(&none, usize::MAX).contains("as then") && !legend(&none).contains("160,000"));
        let rows = [compacting(row("5", None)), then(row("10", None))];
        let told = text(&rows, usize::MAX);
        let lines: Vec<String> = told.lines().map(crate::lines::one_line).collect();
        assert!(lines[0].contains("net compacting as then faults"), "{told}");
        assert!(lines[1].contains("10.0 % saved 50.0 % dearer - 0"), "{told}");
        assert!(lines[2].contains("10.0 % saved - 12.5 % dearer 0"), "{told}");
        assert!(legend(&rows).contains("compacting at 160,000 tokens; as then is net"));
        let told = json(&rows);
        let of = |nth: usize, key: &str| told["combinations"][nth][key].clone();
        assert_eq!(
            (of(0, "net_of_compacting"), of(0, "net_of_compacted_then")),
            (json!(-0.5), json!(null))
        );
        assert_eq!(of(1, "net_of_compacted_then"), json!(-0.125));
        let table = csv(&rows);
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[1].contains(",off,-0.5000,,") && lines[2].contains(",off,,-0.1250,"),
            "{table}"
        );
    }

    #[test]
    fn where_there_are_rounds_rows_tell_what_a_request_for_each_costs() {
        let rounds = |row: Row| Row {
            by_request: Some(Costs { own: 1_500.0, full: 2_000.0, ..Costs::default() }),
            ..row
        };
        let rows = [rounds(row("5", None)), rounds(row("5", Some((2.0, "$"))))];
        let told = text(&rows, usize::MAX);
        let lines: Vec<Vec<&str>> =
            told.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0][6..9], ["by", "request", "faults"], "{told}");
        assert!(lines[1].contains(&"1,500") && lines[2].contains(&"$0.0030"), "{told}");
        assert!(legend(&rows).contains("by request is the cost with a request for each round"));
        let one = &json(&rows)["combinations"][0]["by_request"];
        assert_eq!(one, &json!({ "cost": 1_500.0, "net": 0.25 }));
        let table = csv(&rows);
        assert!(table.contains(",by_request_cost,by_request_net,"), "{table}");
        assert!(table.contains(",1500,0.2500,$,"), "{table}");
        // Nothing is told of them where nobody called a tool.
        let none = [row("5", None)];
        assert!(!text(&none, usize::MAX).contains("by request"));
        assert_eq!(json(&none)["combinations"][0]["by_request"], json!(null));
    }

    #[test]
    fn each_row_has_its_own_money() {
        let rows = [row("5", Some((1.0, "EUR"))), row("5", Some((3.0, "$")))];
        let told = text(&rows, usize::MAX);
        assert!(told.contains(" EUR 2.0040 ") && told.contains(" $6.0120 "), "{told}");
        assert!(legend(&rows).contains("are in money;"));
        let told = json(&rows);
        let of = |nth: usize, key: &str| told["combinations"][nth]["money"][key].clone();
        assert_eq!((of(0, "currency"), of(1, "currency")), (json!("EUR"), json!("$")));
        assert!((of(1, "cost").as_f64().unwrap() - 6.012).abs() < 1e-9, "{told}");
        let mixed = [row("5", None), row("5", Some((3.0, "$")))];
        let table = csv(&mixed);
        let fields: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
        assert!(fields.iter().all(|line| line.len() == fields[0].len()), "{table}");
        let ends = |nth: usize| fields[nth][fields[nth].len() - 3..].join(",");
        assert_eq!(ends(0), "currency,money_cost,money_net_saved");
        assert_eq!((ends(1), &ends(2)[..9]), (",,".to_owned(), "$,6.0120,"));
        assert!(legend(&mixed).contains("in money, or without a price of input in tokens"));
        assert!(legend(&mixed[..1]).contains("are in tokens that cost"));
    }
}
