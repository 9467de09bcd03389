//! The names of models: those in a list of any form, and what a name says of its model.

use serde_json::Value;

use super::limits::NAME;

/// Whether a model's name does not say that it is for something else than chatting.
pub(crate) fn seems_to_chat(name: &str) -> bool {
    const OTHERS: [&str; 10] = [
        "embed",
        "bge-",
        "minilm",
        "rerank",
        "whisper",
        "tts",
        "moderation",
        "guard",
        "dall-e",
        "-ocr",
    ];
    let name = name.to_lowercase();
    !OTHERS.iter().any(|other| name.contains(other))
}

/// The entries of a list of models in any of the known forms.
pub(super) fn entries(list: &Value) -> Option<&Vec<Value>> {
    let lists = [list.get("data"), list.get("models"), Some(list)];
    lists.into_iter().flatten().find_map(Value::as_array)
}

/// Reads the names from a list of models in any of the known forms.
pub(crate) fn model_names(text: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let null_list = value.get("data").is_some_and(Value::is_null);
    let Some(list) = entries(&value) else {
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
    use super::{model_names, seems_to_chat};

    #[test]
    fn a_model_for_embeddings_is_not_chosen() {
        let names = ["nomic-embed-text:latest", "bge-m3", "all-minilm", "qwen3:8b", "gemma3"];
        assert_eq!(names.iter().find(|name| seems_to_chat(name)), Some(&"qwen3:8b"));
        assert!(!seems_to_chat("mxbai-embed-large"));
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
