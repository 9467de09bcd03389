//! The models that are asked beside the one that chats: without them no effort could be concluded.

use super::{Finding, Ways, chat_server, wants_key};
use crate::address::without_password;
use crate::cli::endpoint::{endpoint_of, how_told, unaskable};
use crate::cli::error::sentence;
use crate::cli::{Host, Unreached};
use crate::config::{Beside, Settings, models_beside};
use crate::text::joined;

/// One line for each of them that a setting names.
pub(super) fn beside(ways: &Ways, settings: &Settings, host: &Host) -> Vec<Finding> {
    let named = models_beside(settings, &host.environment);
    named.into_iter().filter_map(|one| check(one, ways, settings, host)).collect()
}

/// Whether it can be asked; nothing where it is the chat's own server that cannot, which is told already.
fn check(named: Beside<'_>, ways: &Ways, settings: &Settings, host: &Host) -> Option<Finding> {
    let (key, model) = (named.key.name(), named.model);
    let own = match named.provider {
        Ok(own) => own,
        Err(error) => return Some(Err(sentence(&error.to_string()))),
    };
    let is_chats = own.is_none();
    let provider = own.or_else(|| chat_server(ways, settings, host).ok())?;
    if let Some(why) = unaskable(settings, &provider) {
        return (!is_chats).then_some(Err(format!("{key}: {why}")));
    }
    if let Err(Unreached { why: reason, .. }) = (host.reachable)(&provider) {
        let address = without_password(&provider.base_url);
        let why = format!(
            "{key}: {address} cannot be reached ({reason}). Start it, or name another model."
        );
        return (!is_chats).then_some(Err(why));
    }
    let endpoint = endpoint_of(settings, &provider, model.to_owned());
    Some(match (host.facts)(&endpoint, how_told(&provider)) {
        Err(refused) if refused.wants_key() => {
            let why = wants_key(&provider, &refused);
            return (!is_chats).then_some(Err(format!("{key}: {why}")));
        }
        Err(fault) => {
            let why = joined(&format!("{key}: {fault}"), &fault.advice());
            return (!is_chats).then_some(Err(why));
        }
        Ok(facts) if facts.there == Some(false) => Err(format!(
            "{key}: {} has no model {model}. Name one that it has, or set {key} to nothing for the one that answers.",
            provider.name
        )),
        Ok(_) => Ok(format!("{key}: {model} of {} can be asked", provider.name)),
    })
}
