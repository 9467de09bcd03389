//! A text that must never be seen.

use std::fmt;

/// A text that is never printed: an API key, a token in a header.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Stands where a secret stood.
    pub const MASK: &str = "[secret]";

    /// Bytes of the shortest text that is taken out of others: shorter "keys" are place holders such as `x`, which occur by
    /// chance and guard nothing.
    pub const SHORTEST: usize = 6;

    /// Takes the text, without the white space that copying tends to add.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self(text.as_ref().trim().to_owned())
    }

    /// The text itself, for the header of a request and for scrubbing logs.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Replaces the secret wherever it occurs in a text from outside.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < Self::SHORTEST {
            return text.to_owned();
        }
        text.replace(&self.0, Self::MASK)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::MASK)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::MASK)
    }
}
