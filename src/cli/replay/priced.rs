//! What a replay is priced at.

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
