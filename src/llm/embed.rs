//! Turns texts into vectors that are near each other where the texts mean the same, with a model for that on a
//! server.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::server::Server;
use super::{Endpoint, Error};
use crate::providers::Protocol;

/// Ollama's port.
const OLLAMA_PORT: u16 = 11_434;

/// Models that were taught with words before a question and before a text, by what their names hold.
const TAUGHT: [(&str, &str, &str); 5] = [
    ("nomic-embed", "search_query: ", "search_document: "),
    ("e5-", "query: ", "passage: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("mxbai-embed", "Represent this sentence for searching relevant passages: ", ""),
    ("arctic-embed", "Represent this sentence for searching relevant passages: ", ""),
];

/// A model that turns texts into vectors.
#[derive(Clone)]
pub struct Embedder {
    server: Arc<Server>,
    protocol: Protocol,
    model: String,
}

impl Embedder {
    /// A model for vectors at an address, or at the server of a chat where none is given. The key and the headers of
    /// that server go to no other.
    ///
    /// # Errors
    /// A sentence, when the address cannot be used or its protocol knows no vectors.
    pub fn beside(chat: &Endpoint, model: &str, base_url: Option<&str>) -> Result<Self, String> {
        let mut endpoint = match base_url {
            Some(url) if !chat.is_at(url) => Endpoint::new(url, model),
            _ => chat.clone(),
        };
        if let Some(url) = base_url {
            endpoint.protocol = spoken_at(url).unwrap_or(endpoint.protocol);
            let url = url.trim_end_matches('/');
            let root = url.strip_suffix("/embeddings").or(url.strip_suffix("/api/embed"));
            root.unwrap_or(url).clone_into(&mut endpoint.base_url);
        }
        let protocol = endpoint.protocol;
        if protocol == Protocol::Messages {
            return Err(format!("{} has no vectors of texts", protocol.name()));
        }
        model.clone_into(&mut endpoint.model);
        let server = Server::new(endpoint).map_err(|error| error.to_string())?;
        Ok(Self { server: Arc::new(server), protocol, model: model.to_owned() })
    }

    /// The model's name and its server's host and port, for people.
    pub fn name(&self) -> String {
        format!("{} at {}", self.model, self.server.address)
    }

    /// The failure of vectors that cannot be used.
    pub fn unusable(&self, why: &str) -> Error {
        self.server.no_vectors(why)
    }

    /// A question, as the model is asked to compare it with texts.
    pub fn as_question(&self, text: &str) -> String {
        format!("{}{text}", self.taught().0)
    }

    /// A text that is compared with questions.
    pub fn as_text(&self, text: &str) -> String {
        format!("{}{text}", self.taught().1)
    }

    fn taught(&self) -> (&'static str, &'static str) {
        let name = self.model.to_lowercase();
        let row = TAUGHT.iter().find(|(part, ..)| name.contains(part));
        row.map_or(("", ""), |(_, question, text)| (question, text))
    }

    /// A vector of length 1 for each text, in their order, in one request that may take this long.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, is too late, or sends no vectors that can be compared: one for
    /// each text, all of one length, of finite numbers that are not all 0.
    pub async fn embed(
        &self,
        texts: &[String],
        patience: Duration,
    ) -> Result<Vec<Vec<f32>>, Error> {
        let (path, body) = self.request(texts);
        let asked = self.server.fetch_vectors(patience, path, &body, texts.len());
        let late = || self.server.late(patience);
        let answer = timeout(patience, asked).await.map_err(|_| late())??;
        read(&answer, texts.len()).map_err(|why| self.server.no_vectors(&why))
    }

    fn request(&self, texts: &[String]) -> (&'static str, Value) {
        match self.protocol {
            Protocol::Ollama => ("api/embed", json!({"model": self.model, "input": texts})),
            _ => (
                "embeddings",
                json!({"model": self.model, "input": texts, "encoding_format": "float"}),
            ),
        }
    }
}

/// What is spoken at an address, if it says so.
fn spoken_at(url: &str) -> Option<Protocol> {
    let url = Url::parse(url).ok()?;
    let path = url.path().trim_end_matches('/');
    match () {
        () if path.ends_with("/embeddings") => Some(Protocol::Chat),
        () if path.ends_with("/api/embed") || path.ends_with("/api") => Some(Protocol::Ollama),
        () => (url.port() == Some(OLLAMA_PORT)).then_some(Protocol::Ollama),
    }
}

/// An answer, in the one form or the other.
#[derive(Debug, Deserialize)]
struct Answer {
    data: Option<Vec<Numbered>>,
    embeddings: Option<Vec<Vec<f32>>>,
}

#[derive(Debug, Deserialize)]
struct Numbered {
    index: Option<usize>,
    embedding: Vec<f32>,
}

/// The vectors of an answer for so many texts; why there are none, otherwise.
fn read(answer: &str, count: usize) -> Result<Vec<Vec<f32>>, String> {
    let answer: Answer = serde_json::from_str(answer.trim())
        .map_err(|error| format!("its answer cannot be read ({error})"))?;
    let mut vectors = match (answer.data, answer.embeddings) {
        (Some(data), _) => in_order(data)?,
        (None, Some(vectors)) => vectors,
        (None, None) => return Err("its answer holds none".to_owned()),
    };
    if vectors.len() != count {
        return Err(format!("there are {} for {count} texts", vectors.len()));
    }
    let length = vectors.first().map_or(0, Vec::len);
    if vectors.iter().any(|vector| vector.len() != length || length == 0) {
        return Err("they are empty, or not all of one length".to_owned());
    }
    for vector in &mut vectors {
        let squares = vector.iter().map(|&one| f64::from(one).powi(2)).sum::<f64>();
        if !squares.is_finite() || squares <= 0.0 {
            return Err("one has no direction".to_owned());
        }
        let length = squares.sqrt();
        for one in vector.iter_mut() {
            *one = (f64::from(*one) / length) as f32;
        }
    }
    Ok(vectors)
}

/// The vectors in the order of the texts, whatever the order is in which they came.
fn in_order(mut data: Vec<Numbered>) -> Result<Vec<Vec<f32>>, String> {
    let is_numbered = data.iter().all(|one| one.index.is_some());
    if is_numbered {
        data.sort_by_key(|one| one.index);
        if data.iter().enumerate().any(|(at, one)| one.index != Some(at)) {
            return Err("their numbers are not those of the texts".to_owned());
        }
    }
    Ok(data.into_iter().map(|one| one.embedding).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_in_either_form_and_in_any_order_and_nothing_else_is() {
        let reversed = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}"#;
        let expected = [vec![0.6, 0.8], vec![0.0, 1.0]];
        assert_eq!(read(reversed, 2).unwrap(), expected);
        assert_eq!(read(r#"{"embeddings":[[3,4],[0,2]]}"#, 2).unwrap(), expected);
        // As `f32` their lengths would be infinite, and 0.
        let extreme = r#"{"embeddings":[[3e38,3e38],[0,1e-45]]}"#;
        let diagonal = 0.5_f32.sqrt();
        assert_eq!(read(extreme, 2).unwrap(), [vec![diagonal, diagonal], vec![0.0, 1.0]]);
        let unnumbered = r#"{"data":[{"embedding":[3,4]},{"embedding":[0,2]}]}"#;
        assert_eq!(read(unnumbered, 2).unwrap(), expected);
        for (answer, told) in [
            ("<html>", "cannot be read"),
            ("{}", "holds none"),
            (r#"{"embeddings":[[3,4]]}"#, "1 for 2"),
            (r#"{"embeddings":[[],[]]}"#, "empty"),
            (r#"{"embeddings":[[1,2],[1]]}"#, "one length"),
            (r#"{"embeddings":[[1,2],[0,0]]}"#, "no direction"),
            (r#"{"embeddings":[[1,2],[1e39,0]]}"#, "no direction"),
            (r#"{"embeddings":[[1,2],[null,0]]}"#, "cannot be read"),
            (r#"{"embeddings":[[1,2],["NaN",0]]}"#, "cannot be read"),
            (r#"{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]}"#, "numbers"),
            (r#"{"data":[{"index":0,"embedding":"AACAPw=="}]}"#, "cannot be read"),
        ] {
            let why = read(answer, 2).unwrap_err();
            assert!(why.contains(told), "{answer}: {why}");
        }
    }

    #[test]
    fn an_address_says_what_is_spoken_there() {
        for (url, path) in [
            ("http://h:1/v1", "http://h:1/v1/embeddings"),
            ("http://h:1/v1/embeddings", "http://h:1/v1/embeddings"),
            ("http://h:11434", "http://h:11434/api/embed"),
            ("http://h:11434/v1", "http://h:11434/api/embed"),
            ("http://h:1/api/embed", "http://h:1/api/embed"),
        ] {
            let chat = Endpoint::new("http://chat/v1", "m");
            let embedder = Embedder::beside(&chat, "e", Some(url)).ok().unwrap();
            let (asked, _) = embedder.request(&[]);
            assert_eq!(embedder.server.url_of(asked).unwrap().as_str(), path, "{url}");
        }
    }

    #[test]
    fn a_key_goes_with_its_own_server_only() {
        let mut chat = Endpoint::new("https://h/v1", "m");
        chat.api_key = Some(super::super::Secret::new("sk-12345678"));
        for (url, has_key) in [
            (None, true),
            (Some("https://h/v2"), true),
            (Some("https://h:443/v2"), true),
            (Some("http://h/v1"), false),
            (Some("https://h:8443/v1"), false),
            (Some("https://h.other/v1"), false),
            (Some("https://other/h/v1"), false),
        ] {
            let embedder = Embedder::beside(&chat, "e", url).ok().unwrap();
            assert_eq!(embedder.server.has_key(), has_key, "{url:?}");
        }
        for url in ["https://h:x/", "https://user:sk-12345678@h/v1"] {
            let why = Embedder::beside(&chat, "e", Some(url)).err().unwrap();
            assert!(why.contains("base URL") && !why.contains("sk-1"), "{why}");
        }
        chat.protocol = Protocol::Messages;
        assert!(Embedder::beside(&chat, "e", None).is_err());
    }

    #[test]
    fn models_get_the_words_that_they_were_taught_with() {
        let chat = Endpoint::new("http://h/v1", "m");
        let named = |name| Embedder::beside(&chat, name, None).ok().unwrap();
        let nomic = named("nomic-embed-text");
        assert_eq!(nomic.as_question("a"), "search_query: a");
        assert_eq!(nomic.as_text("a"), "search_document: a");
        assert_eq!(named("text-embedding-3-small").as_question("a"), "a");
    }
}
