//! The elements of one long JSON array, one at a time: exports of hundreds of megabytes stand on one line.

use std::fmt;
use std::io::{self, BufRead};

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::lines::{self, BYTE_ORDER_MARK, LONGEST};
use super::value::list;
use super::{Bytes, Error, Tally};

/// Splits the bytes of an array into its elements without reading what is in them.
#[derive(Debug, Default)]
struct Splitter {
    /// Brackets that are open around this byte, those of the array included.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The element so far.
    item: Vec<u8>,
    /// It is longer than what is looked at.
    too_long: bool,
}

/// What a byte brought.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Element,
    End,
}

impl Splitter {
    fn take(&mut self, byte: u8) -> Found {
        if self.in_string {
            self.keep(&[byte]);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return Found::Nothing;
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == 1 {
                    return Found::Nothing;
                }
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return Found::End;
                }
            }
            b',' if self.depth == 1 => return Found::Element,
            _ => {}
        }
        self.keep(&[byte]);
        Found::Nothing
    }

    /// Takes what of a string changes nothing, in one go; how many bytes that is.
    fn skip_in_string(&mut self, bytes: &[u8]) -> usize {
        if !self.in_string || self.escaped {
            return 0;
        }
        let telling = bytes.iter().position(|&byte| matches!(byte, b'"' | b'\\'));
        let length = telling.unwrap_or(bytes.len());
        self.keep(&bytes[..length]);
        length
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = LONGEST - self.item.len();
        self.item.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.too_long |= bytes.len() > room;
    }
}

/// What an object around an array calls it; other arrays may stand before it.
const LIST: &[u8] = b"\"conversations\"";

/// Tells of each element of the array that begins with the next bracket; `false` if its end is missing.
pub(super) fn each(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(&[u8], &mut Tally),
) -> io::Result<bool> {
    let mut bytes = source.open()?;
    // The array is the whole, or stands behind one key of an object: `{"conversations": [`.
    let head = bytes.fill_buf()?;
    let named = head.windows(LIST.len()).position(|window| window == LIST);
    let is_object = head.trim_ascii_start().first() == Some(&b'{');
    bytes.consume(named.filter(|_| is_object).unwrap_or(0));
    bytes.skip_until(b'[')?;
    let mut splitter = Splitter { depth: 1, ..Splitter::default() };
    loop {
        let chunk = bytes.fill_buf()?;
        let length = chunk.len();
        if length == 0 {
            hand_over(&mut splitter, tally, &mut take);
            return Ok(false);
        }
        let mut at = 0;
        loop {
            at += splitter.skip_in_string(&chunk[at..]);
            let Some(&byte) = chunk.get(at) else { break };
            at += 1;
            match splitter.take(byte) {
                Found::Nothing => {}
                Found::Element => hand_over(&mut splitter, tally, &mut take),
                Found::End => {
                    hand_over(&mut splitter, tally, &mut take);
                    return Ok(true);
                }
            }
        }
        bytes.consume(length);
    }
}

fn hand_over(splitter: &mut Splitter, tally: &mut Tally, take: &mut impl FnMut(&[u8], &mut Tally)) {
    if !splitter.item.trim_ascii().is_empty() {
        tally.read_one();
        if splitter.too_long {
            tally.skip("element over 64 MiB");
        } else {
            take(&splitter.item, tally);
        }
    }
    splitter.item.clear();
    splitter.too_long = false;
}

/// Longest document in bytes that is read at once.
pub(super) const MOST: usize = 4 * LONGEST;

/// The whole of something as one value, as long as that fits in memory.
pub(super) fn whole<T: DeserializeOwned>(
    source: &dyn Bytes,
) -> Result<Result<T, serde_json::Error>, Error> {
    let mut text = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(source.open()?, MOST as u64 + 1), &mut text)?;
    let is_long = text.len() > MOST;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text).trim_ascii_start();
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
