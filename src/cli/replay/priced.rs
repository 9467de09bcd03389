//! What a replay is priced at.

use crate::bill::Prices;
use crate::config::{Environment, Settings, pointed_at};
use crate::orchestrator::prices_of;

/// The prices that are set, else those of the provider that settings and keys point at, else what most charge.
pub(super) fn prices(settings: &Settings, environment: &Environment) -> Prices {
    let Some(server) = pointed_at(settings, environment) else {
        return settings.prices(Prices::default());
    };
    prices_of(settings, &server.name, server.model.as_deref().unwrap_or_default())
}
