//! How a provider is spoken to, as far as a person says so.

use serde_json::{Map, Value};

use crate::providers::Thinking;
use crate::secret::Secret;

/// What is different in the requests to a provider.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manner {
    /// How hard its models shall think.
    pub effort: Option<Thinking>,
    /// The sampling temperature.
    pub temperature: Option<f32>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u64>,
    /// Further headers; their values may be secrets.
    pub headers: Vec<(String, Secret)>,
    /// Further fields of the body; they go before our own.
    pub fields: Map<String, Value>,
}

impl Manner {
    /// Takes an entry of the table of headers or of that of the body.
    pub(super) fn add(&mut self, table: &str, name: &str, values: &[String]) {
        if table == "headers" {
            let value = Secret::new(values.join(", "));
            return self.headers.push((name.to_owned(), value));
        }
        let value = match values {
            [one] => plain(one),
            several => several.iter().map(|one| plain(one)).collect(),
        };
        insert(&mut self.fields, name, value);
    }
}

/// A number, a switch, a list or an object is what it looks like; all else is a text.
fn plain(text: &str) -> Value {
    let value = serde_json::from_str(text).ok().filter(|value: &Value| !value.is_string());
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Puts a value at its place: `a.b` is `b` in the object `a`.
fn insert(fields: &mut Map<String, Value>, name: &str, value: Value) {
    let Some((outer, inner)) = name.split_once('.') else {
        fields.insert(name.to_owned(), value);
        return;
    };
    let object = fields.entry(outer).or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(object) = object {
        insert(object, inner, value);
    }
}
