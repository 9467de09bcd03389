//! What a setting's value may be.

use crate::address::{Address, HOLDS_USER, without_password};

/// What a server may speak, and how hard a model may think.
pub(super) const PROTOCOLS: &[&str] = &["auto", "chat", "responses", "messages", "ollama"];
pub(super) const EFFORTS: &[&str] = &["auto", "none", "low", "medium", "high"];

/// The kind of a value, with its default and its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number: its default, its least and its greatest value.
    Number(u64, u64, u64),
    /// One of these words; the first is the default.
    Choice(&'static [&'static str]),
    /// Words separated by commas, and those that stand there by default; may be empty.
    Tags(&'static [&'static str]),
    /// Any of these words, separated by commas, and those that stand there by default; may be empty.
    Subset(&'static [&'static str], &'static [&'static str]),
    /// One line of text; may be empty, and is by default.
    Name,
    /// One line of at most twelve signs; may be empty, and is by default.
    Label,
    /// A number that is not negative, with or without decimals; may be empty, and is by default.
    Price,
    /// An `http://` or `https://` address; may be empty, and is by default.
    Url,
    /// A path that is not empty.
    Path,
}

/// A value that fits its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Number(u64),
    Text(String),
}

impl Value {
    /// The value as it was set.
    pub(super) fn exact(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }

    /// The value for people: a password inside an address is blotted out.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => without_password(text),
        }
    }
}

impl Kind {
    /// The value without any setting.
    pub(super) fn default_value(&self) -> Value {
        match self {
            Self::Number(default, ..) => Value::Number(*default),
            Self::Choice(words) => Value::Text(words[0].to_owned()),
            Self::Tags(words) | Self::Subset(_, words) => Value::Text(words.join(", ")),
            Self::Name | Self::Label | Self::Price | Self::Url | Self::Path => {
                Value::Text(String::new())
            }
        }
    }

    /// Reads a value; `None` if it does not fit.
    pub(super) fn parse(&self, text: &str) -> Option<Value> {
        let text = text.trim();
        match self {
            Self::Number(_, least, greatest) => parse_number(text)
                .filter(|number| (least..=greatest).contains(&number))
                .map(Value::Number),
            Self::Choice(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(text))?;
                Some(Value::Text((*word).to_owned()))
            }
            Self::Tags(_) => parse_tags(text).map(Value::Text),
            Self::Subset(words, _) => parse_subset(text, words).map(Value::Text),
            Self::Name => {
                let fits = !text.chars().any(char::is_control);
                fits.then(|| Value::Text(text.to_owned()))
            }
            Self::Label => {
                let fits =
                    text.chars().count() <= LONGEST_LABEL && !text.chars().any(char::is_control);
                fits.then(|| Value::Text(text.to_owned()))
            }
            Self::Price => parse_price(text).then(|| Value::Text(text.to_owned())),
            Self::Url => parse_url(text).map(Value::Text),
            Self::Path => {
                let fits = !text.is_empty() && !text.chars().any(char::is_control);
                fits.then(|| Value::Text(text.to_owned()))
            }
        }
    }

    /// Whether its values are words that may be any, so that a number is no slip that shows by itself.
    pub(super) fn is_words(&self) -> bool {
        matches!(self, Self::Tags(_) | Self::Name | Self::Label | Self::Path)
    }

    /// What a value must be, in words that follow "must be".
    pub fn expected(&self) -> String {
        match self {
            Self::Number(_, least, greatest) => {
                format!("a whole number from {least} to {greatest}")
            }
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Tags(_) => {
                "words separated by commas, each a tag of at most 32 characters".to_owned()
            }
            Self::Subset(words, _) => format!("any of {}, separated by commas", words.join(", ")),
            Self::Name => "one line of text, or empty".to_owned(),
            Self::Label => format!("at most {LONGEST_LABEL} signs, or empty"),
            Self::Price => format!("a number from 0 to {MOST_PRICE}, or empty"),
            Self::Url => "an address that starts with http:// or https://, or empty".to_owned(),
            Self::Path => "a path".to_owned(),
        }
    }

    /// What is wrong with a value that does not fit, in words that follow the name of what it is for.
    pub(super) fn misfit(&self, text: &str) -> String {
        if self.is_password_refused(text) {
            return HOLDS_USER.to_owned();
        }
        format!("must be {}", self.expected())
    }

    /// Whether it is an address that would fit without the name or the password in it.
    pub(super) fn is_password_refused(&self, text: &str) -> bool {
        let (text, is_url) = (text.trim(), *self == Self::Url);
        let address = Address::of(text);
        is_url && is_of_http(text, &address) && address.holds_user()
    }
}

const LONGEST_LABEL: usize = 12;

/// Tags in one form, separated by a comma and a space.
fn parse_tags(text: &str) -> Option<String> {
    let tags = listed(text);
    tags.iter().all(|tag| crate::memory::is_tag(tag)).then(|| tags.join(", "))
}

/// Those of the known words that a text lists, in the order of the known ones.
fn parse_subset(text: &str, known: &[&str]) -> Option<String> {
    let listed = listed(text);
    let names = |word: &str, other: &&str| word.eq_ignore_ascii_case(other);
    let meant = |word: &&str| listed.iter().any(|other| names(word, other));
    let all_known = listed.iter().all(|word| known.iter().any(|other| names(word, other)));
    let chosen: Vec<&str> = known.iter().copied().filter(meant).collect();
    all_known.then(|| chosen.join(", "))
}

/// The words of a list, separated by commas. `[a, b]` is taken, too: as lists are written.
fn listed(text: &str) -> Vec<&str> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.split([',', '\n'])
        .map(|word| word.trim().trim_start_matches("- ").trim_matches(['"', '\'']))
        .filter(|word| !word.is_empty())
        .collect()
}

/// A whole number; underscores may group its digits, as in the config file.
fn parse_number(text: &str) -> Option<u64> {
    let well_formed = text.starts_with(|c: char| c.is_ascii_digit()) && !text.ends_with('_');
    if well_formed { text.replace('_', "").parse().ok() } else { None }
}

/// The most that a price can be.
const MOST_PRICE: u32 = 1_000_000;

fn parse_price(text: &str) -> bool {
    let price = text.parse::<f64>();
    text.is_empty() || price.is_ok_and(|price| (0.0..=f64::from(MOST_PRICE)).contains(&price))
}

/// An address without the slash at its end.
fn parse_url(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some(String::new());
    }
    let address = Address::of(text);
    let has_host = address.server.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let fits = is_of_http(text, &address) && has_host && !address.holds_user();
    fits.then(|| text.trim_end_matches('/').to_owned())
}

fn is_of_http(text: &str, address: &Address) -> bool {
    let is_word = |word: &&str| address.scheme.is_some_and(|it| it.eq_ignore_ascii_case(word));
    // Some readers of addresses take a backslash for a slash, and so find another host than we do.
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    ["http", "https"].iter().any(is_word) && !text.contains(is_bad)
}
