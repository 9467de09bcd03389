//! One entry of a table of the config file: a binding or a colour.

use super::Source;

/// A key binding or a colour as the config file has it; whoever uses it knows what it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Custom {
    /// What is set, without the table's name: `panel.down`, `accent`.
    pub name: String,
    /// Its value, or the values of its list.
    pub values: Vec<String>,
    /// The value is a text, or a list of texts.
    pub is_words: bool,
    /// Where it stands.
    pub source: Source,
}

impl Custom {
    /// The values as one text.
    pub fn text(&self) -> String {
        self.values.join(", ")
    }
}
