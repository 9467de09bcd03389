//! Models that are asked beside the one that chats, and whether somebody can be asked for them.

use super::{Environment, Error, Key, Provider, Row, Settings, all_candidates, rows};
use crate::config::Candidate;
use crate::config::error::shortened;
use crate::nearest::nearest;
use crate::providers::Listed;

/// A model that a setting names beside the one that chats.
#[derive(Debug)]
pub struct Beside<'a> {
    /// The setting.
    pub key: Key,
    /// The model's name at its provider.
    pub model: &'a str,
    /// Who is asked for it; `None` for whoever chats, an error where nobody can be.
    pub provider: Result<Option<Provider>, Error>,
}

impl Provider {
    /// Whether this is its name, however it is written.
    pub fn is_called(&self, name: &str) -> bool {
        let known = Listed::named(name).is_some_and(|listed| listed.name == self.name);
        known || self.name.eq_ignore_ascii_case(name)
    }
}

/// The models that are asked beside the one that chats, each with its provider. Where no server is asked there are
/// none.
pub fn models_beside<'a>(settings: &'a Settings, environment: &Environment) -> Vec<Beside<'a>> {
    if settings.offline() {
        return Vec::new();
    }
    let named = [
        (Key::SummaryModel, settings.summary_model()),
        (Key::CompressionModel, settings.compression_model()),
        (Key::JudgeModel, settings.judge_model()),
    ];
    let beside = |(key, called): (Key, Option<&'a str>)| {
        let called = called?.trim();
        let (provider, model) = called.rsplit_once(' ').unwrap_or(("", called));
        let provider = match provider.trim() {
            "" => Ok(None),
            name => asked(name, settings, environment)
                .map(Some)
                .ok_or_else(|| nobody(key, called, name, settings, environment)),
        };
        Some(Beside { key, model, provider })
    };
    named.into_iter().filter_map(beside).collect()
}

/// The provider of a name, if it can be asked.
fn asked(name: &str, settings: &Settings, environment: &Environment) -> Option<Provider> {
    all_candidates(settings, environment).into_iter().find_map(|candidate| match candidate {
        Candidate::Server(one) | Candidate::IfRunning(one) if one.is_called(name) => Some(one),
        _ => None,
    })
}

/// The error for a model of a provider that cannot be asked.
fn nobody(
    key: Key,
    called: &str,
    name: &str,
    settings: &Settings,
    environment: &Environment,
) -> Error {
    let all = rows(settings, environment);
    let names = || all.iter().map(Row::name);
    let missing = all.iter().find(|row| row.is_called(name)).and_then(|row| row.variables.first());
    let hint = match (missing, nearest(name, names())) {
        (Some(variable), _) => format!(
            "It wants a key, and {variable} is not set. Set it to your key, or name another model"
        ),
        (None, Some(name)) => format!("Did you mean {name}?"),
        (None, None) => format!("There are {}", names().collect::<Vec<_>>().join(", ")),
    };
    let from = settings.source(key).clone();
    Error::NobodyFor { key, called: shortened(called), provider: shortened(name), from, hint }
}
