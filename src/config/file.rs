//! The config file: reading it with line numbers, and writing the commented default.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{Error, Key, Kind, Paths, Source};

/// The keys and values of the config file with the lines where they stand. No file is an empty one,
/// unless it was asked for by name.
pub(super) fn read(
    paths: &Paths,
    asked_for: Option<&Path>,
) -> Result<Vec<(String, String, Source)>, Error> {
    let usual = paths.config_file();
    let path = asked_for.unwrap_or(&usual);
    match fs::read_to_string(path) {
        Ok(text) => parse(path, &text),
        Err(reason) if asked_for.is_none() && is_missing(&reason) => Ok(Vec::new()),
        Err(reason) => Err(Error::Unreadable { path: path.to_owned(), reason }),
    }
}

fn is_missing(reason: &io::Error) -> bool {
    matches!(reason.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn parse(path: &Path, text: &str) -> Result<Vec<(String, String, Source)>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = DeTable::parse(text).map_err(|error| Error::Syntax {
        path: path.to_owned(),
        line: line_of(text, error.span().map_or(0, |span| span.start)),
        detail: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    let mut entries: Vec<_> = table.into_inner().into_iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let entry = |(key, value): (toml::Spanned<_>, toml::Spanned<DeValue<'_>>)| {
        let line = line_of(text, key.span().start);
        let source = Source::File { path: path.to_owned(), line };
        let key: std::borrow::Cow<'_, str> = key.into_inner();
        (key.into_owned(), plain(value.get_ref()), source)
    };
    Ok(entries.into_iter().map(entry).collect())
}

/// A value as text. Tables and lists fit no setting: their names make the error readable.
fn plain(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| number.as_str().to_owned(), |number| number.to_string()),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(switch) => switch.to_string(),
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::Array(items) if items.iter().all(|item| item.get_ref().is_str()) => {
            items.iter().map(|item| plain(item.get_ref())).collect::<Vec<_>>().join(", ")
        }
        DeValue::Array(_) => "a list of values".to_owned(),
        DeValue::Table(_) => "a table of values".to_owned(),
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// A config file in which every setting stands as a comment with its default.
pub fn default_file() -> String {
    let mut text =
        "# The settings of Ebbtide. Take away the # before a line to change its value.\n\
                    # A flag or an environment variable (EBBTIDE_<KEY>) goes before this file.\n"
            .to_owned();
    for key in Key::all() {
        let value = match key.kind() {
            Kind::Number(default, ..) => default.to_string(),
            Kind::Choice(words) if words.contains(&"true") => words[0].to_owned(),
            Kind::Choice(words) => format!("\"{}\"", words[0]),
            Kind::Tags(words) => format!("\"{}\"", words.join(", ")),
            Kind::Name | Kind::Url => "\"\"".to_owned(),
            Kind::Path => "\"~/.local/share/ebbtide/sessions\"".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n# {}\n# {} = {value}\n", key.full_doc(), key.name());
    }
    text
}
