//! Whether there is a model's server at an address at all, and which of its models is for chatting.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::discover::{facts, shown};
use super::error::StatusKind;
use super::facts::Facts;
use super::failure::Report;
use super::names::seems_to_chat;
use super::server::Server;
use super::{Endpoint, Error, protocol};
use crate::providers::{Protocol, Told};

/// Models of a list that are asked for what they can; who has more has the wanted one among the first.
const MOST_ASKED: usize = 20;

/// How long it may take to tell of them all: one that loads a model, from a slow disk, may take half a minute for each.
const ASKING: Duration = Duration::from_secs(5);

/// Models of which it may tell nothing before the others are not asked for.
const MOST_UNTOLD: usize = 2;

/// What a server tells of the endpoint's model, as [`facts`] has it; nothing where it has no list of models and takes requests
/// to a model all the same.
///
/// # Errors
/// Why the server wants another key, what is at the address instead of one, or that it is out of order.
pub async fn facts_or_fault(endpoint: &Endpoint, told: Told) -> Result<Facts, Error> {
    let unlisted = match facts(endpoint, told).await {
        Ok(facts) => return Ok(facts),
        Err(error @ (Error::Status { .. } | Error::Unreadable { .. })) => error,
        // Silence tells nothing.
        Err(_) => return Ok(Facts::default()),
    };
    // A key may be one that chats and sees no list.
    let may_chat = matches!(unlisted, Error::Status { status: 401 | 403, .. });
    if unlisted.wants_key() && !may_chat {
        return Err(unlisted);
    }
    match takes_requests(endpoint, &unlisted).await {
        Taken::Yes => Ok(Facts::default()),
        Taken::No(why) if !unlisted.wants_key() => Err(why),
        Taken::Untold if !unlisted.wants_key() => Ok(Facts::default()),
        Taken::No(_) | Taken::Untold => Err(unlisted),
    }
}

/// Whether somebody takes requests to a model.
enum Taken {
    /// What came of one was said by a model's server.
    Yes,
    /// Nobody does, and why.
    No(Error),
    /// There was no answer.
    Untold,
}

/// Whether somebody takes requests to a model at an address, whose list of models could not be had. Nothing is asked of one: the
/// request is empty, so that whoever knows the protocol refuses it.
async fn takes_requests(endpoint: &Endpoint, unlisted: &Error) -> Taken {
    let server = match Server::new(endpoint.clone()) {
        Ok(server) => server,
        Err(error) => return Taken::No(error),
    };
    match server.fetch(endpoint.protocol.path(), Some(&json!({}))).await {
        Ok(text) => match is_answer(endpoint.protocol, &text) {
            Ok(()) => Taken::Yes,
            Err(said) => Taken::No(server.unreadable(&said)),
        },
        Err(error) if error.wants_key() || is_nobodys(&error) || is_broken(&error, unlisted) => {
            Taken::No(error)
        }
        // What it says of a request is said by a server.
        Err(Error::Status { .. }) => Taken::Yes,
        Err(_) => Taken::Untold,
    }
}

/// Whether a server is out of order. Some call a fault of the request one of their own, but not of every request.
fn is_broken(error: &Error, unlisted: &Error) -> bool {
    let status = |error: &Error| if let Error::Status { status, .. } = error { *status } else { 0 };
    match status(error) {
        500 | 501 => status(unlisted) >= 500,
        status => status > 501,
    }
}

/// Whether nobody is there who would take such a request, whatever is in it.
fn is_nobodys(error: &Error) -> bool {
    match error {
        Error::Status { kind: StatusKind::NoPath | StatusKind::Moved, .. } => true,
        Error::Status { status, .. } => *status == 405,
        _ => false,
    }
}

/// Whether a success is one of the protocol: an answer, or a refusal that is not about the address.
///
/// # Errors
/// What came.
fn is_answer(protocol: Protocol, text: &str) -> Result<(), String> {
    const NO_PATH: [&str; 4] = ["endpoint", "route", "not found", "method"];
    let Ok(value) = serde_json::from_str::<Value>(text.trim()) else {
        let is_stream = text.trim_start().starts_with("data:");
        return if is_stream { Ok(()) } else { Err(text.to_owned()) };
    };
    if protocol::answer(protocol, "").is_whole(&value) {
        return Ok(());
    }
    let report = Report::in_success(&value).ok_or_else(|| text.to_owned())?;
    let words = report.message.to_lowercase();
    // What is said of a model is said by a model's server.
    let is_of_path = !words.contains("model") && NO_PATH.iter().any(|word| words.contains(word));
    if is_of_path { Err(report.message) } else { Ok(()) }
}

/// The model of a list that answers where nobody names one. Ollama says what each can: one that takes tools goes before one
/// that only chats. Elsewhere it is the first that is not, by its name, for something else.
pub async fn chosen_of(endpoint: &Endpoint, models: Vec<String>) -> Option<String> {
    let mut named = models.into_iter().filter(|name| seems_to_chat(name));
    if endpoint.protocol != Protocol::Ollama {
        return named.next();
    }
    let (mut chats, mut untold) = (None, Vec::new());
    let until = Instant::now() + ASKING;
    for name in named.take(MOST_ASKED) {
        if untold.len() == MOST_UNTOLD {
            break;
        }
        let show = timeout_at(until, shown(endpoint, &name)).await.ok().flatten();
        let facts = show.map(|show| Facts::of_entry(&show));
        let Some(facts) = facts.filter(|facts| facts.chats.is_some()) else {
            untold.push(name);
            continue;
        };
        match (facts.chats, facts.tools) {
            (Some(true), Some(true)) => return Some(name),
            (Some(true), _) => {
                chats.get_or_insert(name);
            }
            _ => {}
        }
    }
    chats.or_else(|| untold.into_iter().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_at_a_success_is_a_servers_unless_it_is_about_the_address() {
        for (text, is_one) in [
            ("<!DOCTYPE html><title>Open WebUI</title>", false),
            (r#"{"status": "ok"}"#, false),
            (r#"{"error": "Unexpected endpoint or method. (POST /chat/completions)"}"#, false),
            (r#"{"error": {"message": "messages is required"}}"#, true),
            (r#"{"error": {"message": "No endpoints found for the model"}}"#, true),
            (r#"{"choices": []}"#, true),
            ("data: {}\n\n", true),
        ] {
            assert_eq!(is_answer(Protocol::Chat, text).is_ok(), is_one, "{text}");
        }
    }
}
