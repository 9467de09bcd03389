//! Conversations in one document, whose messages are read one at a time.

use std::fmt;
use std::io;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::lines::{self, LONGEST};
use super::value::list;
use super::{Bytes, Error};

/// Longest document in bytes that is read at once.
pub(super) const MOST: usize = 4 * LONGEST;

/// The whole of something as one value, as long as that fits in memory.
pub(super) fn whole<T: DeserializeOwned>(
    source: &dyn Bytes,
) -> Result<Result<T, serde_json::Error>, Error> {
    let mut text = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(source.open()?, MOST as u64 + 1), &mut text)?;
    let is_long = text.len() > MOST;
    let text = lines::unmarked(&text).trim_ascii_start();
    if lines::is_heavy(text) {
        return Err(Error::Heavy);
    }
    match lines::value(text) {
        Err(reason) if is_long && reason.is_eof() => Err(Error::Heavy),
        read => Ok(read),
    }
}

/// A conversation in one document, its messages as they are written: read one by one, they take a part of the room and of
/// the time.
pub(super) struct Document {
    /// What stands beside the messages.
    pub head: Value,
    /// The messages; `None` if the document has no such list.
    pub messages: Option<Vec<Box<RawValue>>>,
}

/// What a document calls the list of its messages.
const MESSAGES: &str = "messages";

/// The whole of something as a conversation. Whatever is of another kind than in a conversation is as if it were not there.
pub(super) fn document(source: &dyn Bytes) -> Result<Result<Document, serde_json::Error>, Error> {
    match whole(source)? {
        Err(reason) if reason.is_data() => Ok(whole::<Value>(source)?.and_then(Document::of)),
        read => Ok(read),
    }
}

impl Document {
    fn of(mut head: Value) -> Result<Self, serde_json::Error> {
        let messages = list(&head, MESSAGES).iter().map(to_raw_value).collect::<Result<_, _>>()?;
        let is_listed = head.as_object_mut().and_then(|head| head.remove(MESSAGES));
        Ok(Self { head, messages: is_listed.is_some().then_some(messages) })
    }
}

/// A message of a document; `None` if it is damaged.
pub(super) fn message<T: DeserializeOwned>(written: &RawValue) -> Option<T> {
    lines::record(written.get().as_bytes())
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(form: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Document;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object with messages")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut keys: M) -> Result<Document, M::Error> {
                let (mut head, mut messages) = (Map::new(), None);
                while let Some(key) = keys.next_key::<String>()? {
                    if key == MESSAGES {
                        messages = Some(keys.next_value()?);
                    } else {
                        head.insert(key, keys.next_value()?);
                    }
                }
                Ok(Document { head: Value::Object(head), messages })
            }
        }

        form.deserialize_map(Keys)
    }
}
