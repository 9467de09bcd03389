//! How single fields are read: one that makes no sense is as if it were missing.

use serde::de::{DeserializeOwned, Error};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// More turns, lines, tokens or bytes than any session has. A stored number beyond is nonsense, and is
/// read as none: whatever is added to a sane one stays far from where numbers end.
pub(crate) const MOST: u64 = 1 << 40;

/// A whole number that can be meant.
pub(crate) fn bounded(value: &Value) -> Option<u64> {
    value.as_u64().filter(|&number| number <= MOST)
}

/// A scalar as text: `42` in a manifest means the id "42".
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The map inside a `json!({..})`.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// A field of its type, or none.
pub(super) fn sane<'de, D, T>(field: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    Ok(serde_json::from_value(Value::deserialize(field)?).unwrap_or_default())
}

/// A number that can be meant.
pub(super) fn number<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    Ok(bounded(&Value::deserialize(field)?))
}

/// The same, 0 if there is none.
pub(super) fn count<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
    Ok(number(field)?.unwrap_or(0))
}

/// The same where nothing makes sense without it.
pub(super) fn must<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
    number(field)?.ok_or_else(|| D::Error::custom("no number that can be meant"))
}

/// So many numbers, 0 for those that are none.
pub(super) fn numbers<'de, D, const N: usize>(field: D) -> Result<[u64; N], D::Error>
where
    D: Deserializer<'de>,
{
    let list = Value::deserialize(field)?;
    Ok(std::array::from_fn(|at| list.get(at).and_then(bounded).unwrap_or(0)))
}

/// A scalar as text.
pub(super) fn scalar<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    Ok(text(&Value::deserialize(field)?))
}

/// Whatever there is, `null` as well.
pub(super) fn any<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(field).map(Some)
}

/// The fields of an object.
pub(super) fn fields_only<'de, D: Deserializer<'de>>(
    field: D,
) -> Result<Option<Map<String, Value>>, D::Error> {
    Ok(match Value::deserialize(field)? {
        Value::Object(fields) => Some(fields),
        _ => None,
    })
}

/// The items of a list that make sense.
pub(super) fn list<'de, D, T>(field: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Value::Array(items) = Value::deserialize(field)? else { return Ok(Vec::new()) };
    Ok(items.into_iter().filter_map(|item| serde_json::from_value(item).ok()).collect())
}

/// Items by name, in their order; those that make no sense are left out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Listed<T>(pub(crate) Vec<(String, T)>);

impl<T> Listed<T> {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, item)| item)
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Serialize> Serialize for Listed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, item) in &self.0 {
            map.serialize_entry(name, item)?;
        }
        map.end()
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = Map::deserialize(deserializer)?.into_iter();
        let sane = |(name, item)| Some((name, serde_json::from_value(item).ok()?));
        Ok(Self(items.filter_map(sane).collect()))
    }
}
