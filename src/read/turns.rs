//! A record of a log of dialogues that holds turns, each as it is written. Nothing else that stands in it can make it
//! unreadable, and where a turn is, the others are read.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::lines;

/// What stands beside the turns and is told with them.
const HEAD: [&str; 3] = ["id", "title", "created_at"];

/// A record with turns.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// What stands beside them.
    pub head: Value,
    /// They themselves, of which there is one at least.
    pub turns: Vec<Box<RawValue>>,
}

impl Record {
    /// A record as it is written; `None` if it holds no turns or is damaged.
    pub(super) fn of(written: &[u8]) -> Option<Self> {
        lines::record(written).filter(|record: &Self| !record.turns.is_empty())
    }
}

/// A turn; `None` if it is damaged.
pub(super) fn turn(written: &RawValue) -> Option<Value> {
    lines::record(written.get().as_bytes())
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(form: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Record;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object with turns")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut keys: M) -> Result<Record, M::Error> {
                let (mut head, mut messages, mut others) = (Map::new(), List::default(), None);
                while let Some(key) = keys.next_key::<String>()? {
                    match &*key {
                        "messages" => messages = keys.next_value()?,
                        "conversations" => others = Some(keys.next_value::<List>()?),
                        key if HEAD.contains(&key) => {
                            head.insert(key.to_owned(), keys.next_value()?);
                        }
                        _ => drop(keys.next_value::<IgnoredAny>()?),
                    }
                }
                let messages = Some(messages).filter(|list| !list.0.is_empty());
                let List(turns) = messages.or(others).unwrap_or_default();
                Ok(Record { head: Value::Object(head), turns })
            }
        }

        form.deserialize_map(Keys)
    }
}

/// A list; what is none is as one with nothing in it.
#[derive(Debug, Default)]
struct List(Vec<Box<RawValue>>);

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(form: D) -> Result<Self, D::Error> {
        struct Elements;

        impl<'de> Visitor<'de> for Elements {
            type Value = List;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a list")
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut elements: S) -> Result<List, S::Error> {
                let mut list = Vec::new();
                while let Some(element) = elements.next_element()? {
                    list.push(element);
                }
                Ok(List(list))
            }

            fn visit_map<M: MapAccess<'de>>(self, mut keys: M) -> Result<List, M::Error> {
                while keys.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(List::default())
            }

            fn visit_unit<E: Error>(self) -> Result<List, E> {
                Ok(List::default())
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<List, E> {
                Ok(List::default())
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<List, E> {
                Ok(List::default())
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<List, E> {
                Ok(List::default())
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<List, E> {
                Ok(List::default())
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<List, E> {
                Ok(List::default())
            }
        }

        form.deserialize_any(Elements)
    }
}
