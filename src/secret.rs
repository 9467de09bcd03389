//! A text that must never be seen.

use std::fmt;

/// A text that is never printed: an API key, a token in a header.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
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
        // What is this short occurs by chance, and guards nothing.
        if self.0.len() < 6 { text.to_owned() } else { text.replace(&self.0, "[secret]") }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}
