//! What a replay is priced at.

use std::collections::BTreeSet;

use crate::bill::Prices;
use crate::config::{Environment, Key, Provider, Settings, Source, pointed_at};
use crate::orchestrator::prices_of;
use crate::providers;
use crate::replay::Priced;

/// The prices that are set, else those of the provider that settings and keys point at, else what most charge.
pub(super) fn prices(settings: &Settings, environment: &Environment) -> Priced {
    let server = pointed_at(settings, environment);
    let prices = match &server {
        None => settings.prices(Prices::default()),
        Some(server) => prices_of(settings, &server.name, model(server)),
    };
    let (of, why) = whose(settings, server.as_ref());
    let of = of.unwrap_or(MOST).to_owned();
    let set =
        [Key::PriceCached, Key::PriceOutput].map(|key| *settings.source(key) != Source::Default);
    match set {
        [true, true] => Priced { prices, of: "the settings".to_owned(), why: String::new() },
        [false, false] => Priced { prices, of, why },
        _ => Priced { prices, of, why: format!("{why}, but for what is set") },
    }
}

/// Prices that no server has, as far as anybody knows: what is read from a cache costs no more than what is not, writing to one
/// at most twice as much, and answers up to ten times.
const DOUBTED: [(Key, f64); 3] =
    [(Key::PriceCached, 1.0), (Key::PriceWrite, 2.0), (Key::PriceOutput, 12.0)];

/// Prices that were probably meant in money, as sentences: they are relative to that of input.
pub(super) fn doubts<'a>(all: impl Iterator<Item = &'a Settings>) -> BTreeSet<String> {
    let of = |settings: &Settings| {
        let prices = settings.prices(Prices::default());
        let set = [prices.cached, prices.write, prices.output].into_iter().zip(DOUBTED);
        let doubted = set.filter(|(set, (_, most))| set > most);
        doubted.map(|(set, (key, _))| doubt(key, set, &prices)).collect::<Vec<_>>()
    };
    all.flat_map(of).collect()
}

fn doubt(key: Key, set: f64, prices: &Prices) -> String {
    let name = key.name();
    let input = prices.money.as_ref().map(|money| money.per_million).filter(|input| *input > 0.0);
    let meant = input.map_or_else(
        || format!("{set} divided by the price of a million tokens of input"),
        |input| format!("{name}={}", (1_000.0 * set / input).round() / 1_000.0),
    );
    format!(
        "{name}={set} is more than any server is known to take: it is how many times as much as input one token costs, and \
         no price. If {set} is the price of a million tokens, what is meant is {meant}."
    )
}

/// Where nothing else is known.
const MOST: &str = "most providers";

/// Whose prices they are as far as nothing else is set, and why.
fn whose<'a>(settings: &Settings, server: Option<&'a Provider>) -> (Option<&'a str>, String) {
    let Some(server) = server else { return (None, "as none is set".to_owned()) };
    let name = server.name.as_str();
    if providers::prices(name, model(server)).is_none() {
        return (None, format!("as those of {name} are not known"));
    }
    let is_set = settings.base_url().is_some() || settings.provider().is_some();
    let why = match &server.key {
        Some(key) if !is_set => format!("whose key is in {}", key.variable),
        _ => "which is set".to_owned(),
    };
    (Some(name), why)
}

fn model(server: &Provider) -> &str {
    server.model.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_prices_in_place_of_ratios_are_doubted() {
        let of = |set: &[(&str, &str)]| {
            let mut settings = Settings::default();
            for (key, value) in set {
                settings.set(key, value, Source::Flag("test")).unwrap();
            }
            doubts([&settings, &settings].into_iter())
        };
        let ratios = [("price_cached", "1"), ("price_write", "2"), ("price_output", "12")];
        assert!(of(&ratios).is_empty() && of(&[]).is_empty());
        let list = [("price_cached", "0.3"), ("price_write", "3.75"), ("price_output", "15")];
        let told = of(&[&[("price_input", "3")][..], &list].concat());
        let ends = ["what is meant is price_output=5.", "what is meant is price_write=1.25."];
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().zip(ends).all(|(one, end)| one.ends_with(end)), "{told:?}");
        let told = of(&[("price_cached", "1.5")]);
        assert!(
            told.first().unwrap().contains("1.5 divided by the price of a million"),
            "{told:?}"
        );
    }
}
