//! Has a server on one's own machine fetch a model that it does not have, and tells how far it is.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedSender;

use super::failure::Report;
use super::server::Server;
use super::{Endpoint, Error};
use crate::counted::size;
use crate::providers::Protocol;
use crate::text::joined;

/// How far a model has been fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// What the server is doing, in its own words.
    pub doing: String,
    /// Bytes that have come, and all, as far as that is known.
    pub bytes: Option<(u64, u64)>,
}

impl Fetched {
    /// Hundredths that have come.
    pub fn percent(&self) -> Option<u64> {
        let (done, all) = self.bytes.filter(|(_, all)| *all > 0)?;
        Some(done.min(all).saturating_mul(100) / all)
    }

    /// For people: `34 % of 5.2 GB`, or what the server is doing.
    pub fn line(&self) -> String {
        match (self.percent(), self.bytes) {
            (Some(percent), Some((_, all))) => format!("{percent} % of {}", size(all)),
            _ => self.doing.clone(),
        }
    }
}

/// Has the endpoint's server fetch a model. Whoever drops the future stops it; what has come stays there.
///
/// # Errors
/// A sentence: what happened, and what to do.
pub async fn pull(endpoint: &Endpoint, tell: &UnboundedSender<Fetched>) -> Result<(), String> {
    let endpoint = Endpoint { protocol: Protocol::Ollama, ..endpoint.clone() };
    let (name, at) = (endpoint.model.clone(), endpoint.provider.clone());
    let failed =
        |error: &Error| joined(&format!("{at} could not fetch {name}: {error}"), &error.advice());
    let server = Server::new(endpoint).map_err(|error| failed(&error))?;
    let mut parts = Parts::default();
    let body = json!({"model": name, "stream": true});
    let read = server.fetch_lines("api/pull", &body, |line| {
        let mut fetched = parts.take(line);
        fetched.doing = server.fit(&fetched.doing);
        // Whoever asked may have gone; then nobody reads on either.
        let _ = tell.send(fetched);
    });
    read.await.map_err(|error| failed(&error))?;
    match parts.end() {
        End::Whole => Ok(()),
        End::Refused(why) => Err(format!(
            "{at} could not fetch {name}: {}. Is the name right? https://ollama.com/library lists them.",
            server.fit(&why)
        )),
        End::Cut => Err(format!(
            "The connection broke off while {at} fetched {name}. What came is kept there: /pull {name} goes on \
             from it."
        )),
    }
}

/// How it ended.
enum End {
    Whole,
    Refused(String),
    Cut,
}

/// A model comes in several files.
#[derive(Debug, Default)]
struct Parts {
    files: BTreeMap<String, (u64, u64)>,
    is_whole: bool,
    refused: Option<String>,
}

impl Parts {
    fn take(&mut self, line: &Value) -> Fetched {
        let doing = line["status"].as_str().unwrap_or_default().to_owned();
        self.is_whole |= doing == "success";
        if line.get("error").is_some() {
            self.refused = Some(Report::of_value(line).message);
        }
        let all = line["total"].as_u64();
        if let Some((digest, all)) = line["digest"].as_str().zip(all) {
            let done = line["completed"].as_u64().unwrap_or(0);
            self.files.insert(digest.to_owned(), (done, all));
        }
        let sum = |of: fn(&(u64, u64)) -> u64| {
            self.files.values().fold(0_u64, |sum, file| sum.saturating_add(of(file)))
        };
        let bytes = all.map(|_| (sum(|file| file.0), sum(|file| file.1)));
        Fetched { doing, bytes }
    }

    fn end(self) -> End {
        match self.refused {
            Some(why) => End::Refused(why),
            None if self.is_whole => End::Whole,
            None => End::Cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_of_a_model_are_counted_together() {
        let mut parts = Parts::default();
        let mut line = |line: Value| parts.take(&line).line();
        assert_eq!(line(json!({"status": "pulling manifest"})), "pulling manifest");
        let file = |digest, total, completed| json!({"status": "pulling", "digest": digest, "total": total, "completed": completed});
        assert_eq!(line(file("a", 5_000_000_000_u64, 1_000_000_000_u64)), "20 % of 5.0 GB");
        assert_eq!(line(file("b", 250_000_000, 250_000_000)), "23 % of 5.2 GB");
        assert_eq!(line(json!({"digest": "a", "total": 5_000_000_000_u64})), "4 % of 5.2 GB");
        assert_eq!(line(file("c", 0, 7)), "4 % of 5.2 GB");
        assert_eq!(line(json!({"status": "success"})), "success");
        assert!(matches!(parts.end(), End::Whole));
    }
}
