//! Finds out what a server offers, and whether Ollama runs on this machine.

use std::time::Duration;

use serde_json::Value;

use super::limits::NAME;
use super::{Endpoint, OpenAi, Timeouts};

/// How long a server on this machine may take to say that it is there.
const OLLAMA_PATIENCE: Duration = Duration::from_millis(500);

/// A running Ollama.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ollama {
    /// The address of its OpenAI-compatible API.
    pub base_url: String,
    /// The models that it has.
    pub models: Vec<String>,
}

/// Looks for a running Ollama at `host`, which is what `OLLAMA_HOST` holds, or where it listens by
/// default. Takes a second at most.
pub async fn find_ollama(host: Option<&str>) -> Option<Ollama> {
    let base_url = ollama_base_url(host.unwrap_or_default());
    let timeouts = Timeouts { connect: OLLAMA_PATIENCE, ..Timeouts::default() };
    let endpoint = Endpoint { timeouts, ..Endpoint::new(&base_url, "") };
    let models = OpenAi::new(endpoint).ok()?.list_models().await.ok()?;
    Some(Ollama { base_url, models })
}

/// Makes a base URL of what people write into `OLLAMA_HOST`: a host, a port, both, or a URL.
fn ollama_base_url(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let (name, port) = match rest.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => (name, port),
        _ if rest.ends_with(':') => (rest.trim_end_matches(':'), "11434"),
        _ => (rest, if host.contains("://") { "" } else { "11434" }),
    };
    // The address that it listens on is not always one that can be called.
    let name = if matches!(name, "" | "0.0.0.0" | "[::]") { "127.0.0.1" } else { name };
    let colon = if port.is_empty() { "" } else { ":" };
    format!("{scheme}://{name}{colon}{port}/v1")
}

/// Reads the names from a list of models in any of the known forms.
pub(super) fn model_names(text: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let null_list = value.get("data").is_some_and(Value::is_null);
    let lists = [value.get("data"), value.get("models"), Some(&value)];
    let Some(list) = lists.into_iter().flatten().find_map(Value::as_array) else {
        // Ollama without a model says `"data": null`.
        return null_list.then(Vec::new);
    };
    let name = |entry: &Value| {
        let named = ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str());
        named.or(entry.as_str()).filter(|name| name.len() <= NAME).map(str::to_owned)
    };
    Some(list.iter().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::{model_names, ollama_base_url};

    #[test]
    fn ollama_host_is_read_in_all_its_forms() {
        let cases = [
            ("", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:80", "http://127.0.0.1:80/v1"),
            (":9000", "http://127.0.0.1:9000/v1"),
            ("box", "http://box:11434/v1"),
            ("box:1", "http://box:1/v1"),
            ("[::1]:1", "http://[::1]:1/v1"),
            ("http://box:1/", "http://box:1/v1"),
            ("https://box", "https://box/v1"),
        ];
        for (host, expected) in cases {
            assert_eq!(ollama_base_url(host), expected, "{host:?}");
        }
    }

    #[test]
    fn model_lists_are_read_in_all_their_forms() {
        let cases = [
            (r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#, Some(vec!["a", "b"])),
            (r#"{"models":[{"name":"a"}]}"#, Some(vec!["a"])),
            (r#"[{"id":"a"},"b"]"#, Some(vec!["a", "b"])),
            (r#"{"data":null}"#, Some(vec![])),
            ("<html>", None),
            (r#"{"a":1}"#, None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect());
            assert_eq!(model_names(text), expected, "{text}");
        }
    }
}
