//! A text of a scenario.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// A text, also where YAML would read a number, a truth value or nothing.
#[derive(Debug, Clone)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

// Not an untagged choice: its errors would name the line of what holds the text.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadText)
    }
}

struct ReadText;

impl de::Visitor<'_> for ReadText {
    type Value = Text;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text(text.to_owned()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Text, E> {
        Ok(Text(number.to_string()))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Text, E> {
        Ok(Text(truth.to_string()))
    }
}
