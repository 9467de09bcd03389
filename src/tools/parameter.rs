//! An argument of a tool: its name, and what it holds.

use serde_json::Value;

/// What an argument holds; how it is written is told in [`super::parse`] for a model and in [`super::read`]
/// for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text of at most so many bytes.
    Text(usize),
    /// A number from 1, which is meant if none is given.
    Number,
    /// Two numbers from 1 as `3-9`, or one.
    Range,
    /// A list of words of at most so many bytes each.
    Words(usize),
    /// One to three stars.
    Stars,
}

/// One argument of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means, for the model.
    pub description: &'static str,
    /// What a person is asked for who left it out or wrote it in another way.
    pub wanted: &'static str,
    /// What one looks like.
    pub sample: &'static str,
    /// Whether the call makes no sense without it.
    pub required: bool,
}

/// Arguments as they are written, with all that are needed.
pub(super) fn example(parameters: &[Parameter]) -> String {
    let required = parameters.iter().filter(|parameter| parameter.required);
    let sample = |parameter: &Parameter| (parameter.name.to_owned(), parameter.sample.into());
    Value::Object(required.map(sample).collect()).to_string()
}
