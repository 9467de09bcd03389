//! The bill in words.

use crate::bill::{
    Baselines, COMPACTS_AT, Least, Money, Outlook, Paid, Prices, Purpose, Sum, is_often,
};
use crate::counted::{self, grouped, money};
use crate::memory::{MemoryView, Tokens};
use crate::orchestrator::BillView;
use crate::text;

/// What was paid, beside what others would have paid for the same turns.
pub fn bill(view: &BillView, memory: &MemoryView) -> String {
    let BillView { bill, prices, .. } = view;
    let all = bill.all();
    if all.requests == 0 {
        return "Nothing has been paid for yet in this session.".to_owned();
    }
    let of = |purpose: &Purpose| (self::purpose(*purpose), *bill.of(*purpose));
    let paid = Purpose::ALL.iter().map(of).filter(|(_, sum)| sum.requests > 0);
    let currency = prices.money.as_ref().map_or(AS_INPUT, |money| &money.currency);
    let head = ["", "requests", "cached", "written", "uncached", "output", currency];
    let mut rows = vec![head.map(str::to_owned)];
    rows.extend(paid.map(|(name, sum)| sum_row(name, &sum, prices)));
    rows.push(sum_row(WITH_MEMORY, &all, prices));
    let own = rows.len();
    rows.extend(others(bill.baselines(), None).into_iter().map(|(name, paid)| match paid {
        Some(paid) => row(&name, "", &paid, prices),
        None => std::array::from_fn(|at| if at == 0 { name.clone() } else { String::new() }),
    }));
    let (other, apart) = (rows.len(), apart(memory.unsaid));
    rows.extend(apart.map(|(name, paid)| row(name, "", &paid, prices)));
    let mut lines: Vec<String> =
        aligned(&rows).iter().map(|line| line.trim_end().to_owned()).collect();
    if apart.is_some() {
        lines.insert(other, APART.to_owned());
    }
    lines.insert(own, OTHERS.to_owned());
    lines.push(verdict_of_all(view, None));
    lines.push(legend(prices, all.estimates > 0));
    lines.join("\n")
}

/// What stands over the column of costs without a currency.
pub const AS_INPUT: &str = "as input";

/// The sum of what was paid.
pub const WITH_MEMORY: &str = "all with memory";

/// What stands over the rows of the others.
pub const OTHERS: &str = "others, for the same turns";

/// What stands over the row of [`apart`].
pub const APART: &str = "apart: what nobody said";

/// What is in none of the rows: what is held by reference and was never said.
pub fn apart(unsaid: Tokens) -> Option<(&'static str, Paid)> {
    let held = Paid { uncached: unsaid.0, ..Paid::default() };
    (unsaid.0 > 0).then_some(("held by reference", held))
}

/// The one line of it that numbers about memory have.
pub(super) fn short(view: &BillView) -> Option<String> {
    let all = view.bill.all();
    (all.requests > 0).then(|| {
        let share = all.paid.share_read() * 100.0;
        let mark = if all.estimates > 0 { "~" } else { "" };
        let outlook = verdict(&view.bill.outlook(&view.prices), &view.prices);
        format!(
            "bill             {mark}{share:.0} % of all prompts came from the cache. {outlook} Prices beside that of input: \
             {}.{}",
            view.prices.ratios(),
            smaller(view.bill.least())
        )
    })
}

/// That windows were smaller than what the model's cache keeps, where many were, as a sentence.
fn smaller(least: &Least) -> String {
    let (small, asked) = least.small();
    if !is_often(small, asked) {
        return String::new();
    }
    let model = least.model();
    let [tokens, small, asked] = [least.tokens(), small, asked].map(grouped);
    if least.is_known() {
        return format!(
            " {model} reads from its cache from {tokens} tokens on: {small} of {asked} windows were smaller, and full \
             history may cost less than these. Exchanges outside efforts stay until the window is twice as large, where \
             that soon costs less."
        );
    }
    format!(
        " {model} read nothing from its cache for {small} of {asked} windows, as a cache does that keeps nothing below \
         {tokens} tokens; full history is told with such a one. If it has none, set price_cache = none."
    )
}

/// What is held by reference and was never said.
pub(super) fn unsaid(tokens: Tokens) -> Option<String> {
    (tokens.0 > 0).then(|| {
        format!("not said         {} tokens held by reference, in no history", grouped(tokens.0))
    })
}

/// The word for requests of a purpose.
pub fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Chat => "messages",
        Purpose::ToolRound => "tool rounds",
        Purpose::Summary => "summaries",
        Purpose::Compression => "compressions",
    }
}

/// What others would have paid, by name, and of the first what all of them pay alike; nothing for one that has not done yet
/// what it is named for. Last, if it is known, what the program itself paid that kept the conversation and compacted.
pub fn others(baselines: &Baselines, then: Option<Paid>) -> Vec<(String, Option<Paid>)> {
    let Baselines { with_cache, without_cache, compacting, compactions } = baselines;
    let compacts = format!("  compacting {}", text::about(COMPACTS_AT));
    let mut rows = vec![
        ("full history".to_owned(), Some(with_cache.paid())),
        ("  its prompt and tools".to_owned(), Some(with_cache.shared)),
        ("  without a cache".to_owned(), Some(without_cache.paid())),
        match compactions {
            0 => (format!("{compacts}: not yet"), None),
            _ => (compacts, Some(compacting.paid())),
        },
    ];
    rows.extend(then.map(|then| ("as it compacted then".to_owned(), Some(then))));
    rows
}

/// The least width of each column.
const WIDTHS: [usize; 7] = [26, 9, 14, 12, 12, 11, 14];

/// The rows of a table as lines; a column is as wide as its widest number, with a gap before it.
fn aligned(rows: &[[String; 7]]) -> Vec<String> {
    let wide = |at: usize| {
        let longest = rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        WIDTHS[at].max(longest + 2)
    };
    let widths: [usize; 7] = std::array::from_fn(wide);
    let line = |row: &[String; 7]| {
        let [name, numbers @ ..] = row;
        let numbers = numbers.iter().zip(&widths[1..]);
        let numbers = numbers.map(|(number, wide)| format!("{number:>wide$}"));
        format!("{name:<wide$}{}", numbers.collect::<String>(), wide = widths[0])
    };
    rows.iter().map(line).collect()
}

fn sum_row(name: &str, sum: &Sum, prices: &Prices) -> [String; 7] {
    row(name, &grouped(sum.requests), &sum.paid, prices)
}

fn row(name: &str, requests: &str, paid: &Paid, prices: &Prices) -> [String; 7] {
    let mark = if paid.estimated { "~" } else { "" };
    let [read, written, uncached, output] = [paid.read, paid.written, paid.uncached, paid.output]
        .map(|tokens| format!("{mark}{}", grouped(tokens)));
    let costs = format!("{mark}{}", cost(prices.cost(paid), prices));
    [name.to_owned(), requests.to_owned(), read, written, uncached, output, costs]
}

/// A cost in the currency, if there is one, else in tokens of plain input.
fn cost(tokens: f64, prices: &Prices) -> String {
    counted::cost(prices.in_money(tokens), tokens)
}

/// Whether memory has paid, beside full history and beside those that compacted, as sentences.
pub fn verdict_of_all(view: &BillView, then: Option<Paid>) -> String {
    let BillView { bill, prices, .. } = view;
    let own = prices.cost(&bill.all().paid);
    let Baselines { compacting, compactions, .. } = bill.baselines();
    let at = format!("compacting at {} tokens", grouped(COMPACTS_AT));
    let compacting = (*compactions > 0).then(|| (at, compacting.paid()));
    let then = then.map(|then| ("the program itself, which compacted,".to_owned(), then));
    let beside = [compacting, then].into_iter().flatten().map(|(name, paid)| {
        let net = prices.cost(&paid) - own;
        let amount = cost(net.abs(), prices);
        let unit = if prices.money.is_some() { "" } else { " tokens of input" };
        let told = if net < 0.0 { "cost" } else { "saved" };
        let more = if net < 0.0 { " more" } else { "" };
        format!(" Beside {name} it has {told} {amount}{unit}{more}.")
    });
    let beside: String = beside.collect();
    format!("{}{beside}{}", verdict(&bill.outlook(prices), prices), smaller(bill.least()))
}

/// Whether memory has paid, as sentences.
pub fn verdict(outlook: &Outlook, prices: &Prices) -> String {
    let unit = if prices.money.is_some() { "" } else { " tokens of input" };
    match outlook {
        Outlook::Nothing => "No turn has counted yet.".to_owned(),
        Outlook::Ahead { saved } => format!("Memory has saved {}{unit}.", cost(*saved, prices)),
        Outlook::Behind { behind, pays: Some((turn, history)) } => format!(
            "Memory has cost {}{unit} more than it saved so far. If it goes on like the last turns, it will \
             have paid by turn {turn}; up to a history of about {} tokens full history is the cheaper one.",
            cost(*behind, prices),
            grouped(*history)
        ),
        Outlook::Behind { behind, pays: None } => format!(
            "Memory has cost {}{unit} more than it saved so far; at these prices full history stays the \
             cheaper one.",
            cost(*behind, prices)
        ),
    }
}

fn legend(prices: &Prices, estimated: bool) -> String {
    match &prices.money {
        Some(price) => format!(
            "Costs are in {}: of tokens of plain input, {}; {}",
            price.currency,
            a_million(price),
            counts(prices, estimated)
        ),
        None => legend_as_input(prices, estimated),
    }
}

/// What the column [`AS_INPUT`] counts, and what one of those costs, if that is known.
pub fn legend_as_input(prices: &Prices, estimated: bool) -> String {
    let price = prices.money.as_ref().map(a_million).map(|price| format!(", {price}"));
    let price = price.unwrap_or_default();
    format!("\"{AS_INPUT}\": in tokens of plain input{price}; {}", counts(prices, estimated))
}

/// `USD 2.50 a million`, as the bill is priced: whoever changes the model reads older turns at its prices.
fn a_million(price: &Money) -> String {
    format!("{} a million", money(price.per_million, &price.currency))
}

fn counts(prices: &Prices, estimated: bool) -> String {
    let Prices { cached, write, output, .. } = prices;
    let estimate = if estimated { " ~ is an estimate: the server did not say." } else { "" };
    format!(
        "one from the cache counts {cached}, one written to it {write}, one of the answer {output}.{estimate}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bill::{Bill, Looked};

    /// What is told of so many requests of 3,000 tokens of which nothing was read.
    fn told(known: u64, requests: u64) -> [String; 2] {
        let mut bill = Bill::default();
        for _ in 0..requests {
            let looked = Looked { prompt: 3_000, expected: Some(2_900), ..Looked::default() };
            bill.record(Purpose::Chat, Paid::reported(3_000, 0, 0, 10));
            bill.look("gemini-3.8-flash", known, &looked);
        }
        let view = BillView { bill, prices: Prices::prefix(0.0, 4.0).from(known), last: None };
        [verdict_of_all(&view, None), short(&view).unwrap_or_default()]
    }

    #[test]
    fn windows_that_no_cache_keeps_are_told_where_the_bill_is() {
        for told in told(4_096, 20) {
            let known = "gemini-3.8-flash reads from its cache from 4,096 tokens on: 20 of 20 windows were smaller";
            assert!(told.contains(known), "{told}");
        }
        for told in told(0, 20) {
            assert!(
                told.contains("20 of 20 windows, as a cache does that keeps nothing below 4,096"),
                "{told}"
            );
        }
        assert!(told(4_096, 2).iter().all(|told| !told.contains("windows")), "the first are small");
        assert!(told(1_024, 20).iter().all(|told| !told.contains("windows")), "they are cold");
        let named = "Prices beside that of input: from cache 0 times, output 4 times.";
        assert!(told(1_024, 1)[1].ends_with(named));
    }
}
