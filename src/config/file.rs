//! The config file: reading it with line numbers, and writing the commented default.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{Custom, Error, Key, Kind, Source};

/// A setting as it stands in the file.
#[derive(Debug)]
pub(super) struct Entry {
    /// Its key as written.
    pub(super) name: String,
    /// Its value as text.
    pub(super) value: String,
    /// The value is a text, or a list of texts.
    pub(super) is_words: bool,
    /// The line.
    pub(super) source: Source,
}

type Entries = Vec<Entry>;

/// The tables of the file, each flattened: `panel.down` for `down` in `[keys.panel]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tables {
    /// `[keys]`
    pub(super) keys: Vec<Custom>,
    /// `[theme]`
    pub(super) theme: Vec<Custom>,
    /// `[providers]`
    pub(super) providers: Vec<Custom>,
}

/// The keys and values of the config file. No file is an empty one, unless it was asked for by name.
pub(super) fn read(path: &Path, is_asked_for: bool) -> Result<(Entries, Tables), Error> {
    match text_of(path) {
        Ok(text) => parse(path, &text),
        Err(reason) if !is_asked_for && is_missing(&reason) => Ok((Vec::new(), Tables::default())),
        Err(reason) => Err(Error::Unreadable { path: path.to_owned(), reason }),
    }
}

/// Bytes of the longest config file: what is longer, or never ends, is another file.
const LONGEST: u64 = 1_000_000;

/// The text of a config file.
pub(super) fn text_of(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        let why = "it is longer than 1 MB, as no config file is; name another with --config FILE";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    String::from_utf8(bytes).map_err(|error| {
        let why = format!("{}; save it as UTF-8", error.utf8_error());
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

fn is_missing(reason: &io::Error) -> bool {
    matches!(reason.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn parse(path: &Path, text: &str) -> Result<(Entries, Tables), Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = DeTable::parse(text).map_err(|error| syntax(path, text, &error))?;
    let source = |offset| Source::File { path: path.to_owned(), line: line_of(text, offset) };
    let (mut entries, mut tables) = (Vec::new(), Tables::default());
    for (key, value) in sorted(table.get_ref()) {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("keys", DeValue::Table(table)) => flatten(table, "", &source, &mut tables.keys),
            ("theme", DeValue::Table(table)) => flatten(table, "", &source, &mut tables.theme),
            ("providers", DeValue::Table(table)) => {
                flatten(table, "", &source, &mut tables.providers);
            }
            (name, value) => {
                entries.push(Entry {
                    name: name.to_owned(),
                    value: plain(value),
                    is_words: is_words(value),
                    source: source(key.span().start),
                });
            }
        }
    }
    // A file has `theme` once: the table holds the choice of the palette beside the colours.
    if let Some(at) = tables.theme.iter().position(|custom| custom.name == "base") {
        let base = tables.theme.remove(at);
        let (name, value) = ("theme".to_owned(), base.text());
        entries.push(Entry { name, value, is_words: true, source: base.source });
    }
    Ok((entries, tables))
}

type Pair<'a, 'i> = (&'a toml::Spanned<std::borrow::Cow<'i, str>>, &'a toml::Spanned<DeValue<'i>>);

/// The entries of a table in the order of the file.
fn sorted<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Pair<'a, 'i>> {
    let mut entries: Vec<Pair<'a, 'i>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

fn flatten(
    table: &DeTable<'_>,
    before: &str,
    source: &impl Fn(usize) -> Source,
    found: &mut Vec<Custom>,
) {
    for (key, value) in sorted(table) {
        let name = format!("{before}{}", key.get_ref());
        let values = match value.get_ref() {
            DeValue::Table(inner) => {
                flatten(inner, &format!("{name}."), source, found);
                continue;
            }
            DeValue::Array(items) => items.iter().map(|item| plain(item.get_ref())).collect(),
            value => vec![plain(value)],
        };
        let (is_words, source) = (is_words(value.get_ref()), source(key.span().start));
        found.push(Custom { name, values, is_words, source });
    }
}

fn is_words(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::String(_) => true,
        DeValue::Array(items) => items.iter().all(|item| item.get_ref().is_str()),
        _ => false,
    }
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

/// What is wrong with a file that is not TOML, with the key where it stands.
pub(super) fn syntax(path: &Path, text: &str, error: &toml::de::Error) -> Error {
    let at = error.span().map_or(0, |span| span.start).min(text.len());
    let line = line_of(text, at);
    let detail = error.message().lines().collect::<Vec<_>>().join(", ");
    let detail = mended(text, line, &detail).unwrap_or(detail);
    Error::Syntax { path: path.to_owned(), line, detail }
}

/// What to do about the mistakes that are made most.
fn mended(text: &str, line: usize, theirs: &str) -> Option<String> {
    let written = text.lines().nth(line - 1)?.trim();
    if theirs.contains("duplicate key") {
        let key = key_of(written)?;
        let first = 1 + text.lines().position(|line| key_of(line.trim()) == Some(key))?;
        let palette = if key == "theme" {
            "; beside colours the palette is told by `base` in the table [theme]"
        } else {
            ""
        };
        return Some(format!(
            "{key} stands there already, in line {first}: keep one of the two{palette}"
        ));
    }
    let (key, value) = written.split_once('=')?;
    let key = key.trim();
    if key.is_empty() || key.starts_with('#') {
        return None;
    }
    let is_empty = value.split('#').next().is_none_or(|value| value.trim().is_empty());
    Some(if is_empty {
        format!("nothing stands behind {key}: give it a value, or take the line away")
    } else {
        format!("{theirs} (at {key})")
    })
}

/// The key of a line, or the name of its table.
fn key_of(line: &str) -> Option<&str> {
    let table = line.strip_prefix('[').and_then(|rest| rest.split(']').next());
    let key = table.or_else(|| line.split_once('=').map(|(key, _)| key))?.trim();
    (!key.is_empty() && !key.starts_with('#')).then_some(key)
}

/// The line of a position, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
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
            Kind::Tags(words) | Kind::Subset(_, words) => format!("\"{}\"", words.join(", ")),
            Kind::Name | Kind::Label | Kind::Price | Kind::Url => "\"\"".to_owned(),
            Kind::Path => "\"~/.local/share/ebbtide/sessions\"".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n# {}\n# {} = {value}\n", key.full_doc(), key.name());
    }
    text + TABLES
}

/// The tables of the commented default file.
const TABLES: &str = r##"
# Providers of your own, chosen by `provider`, and what shall be different about those that are known.
#[providers.lab]
#base_url = "http://127.0.0.1:9000/v1"
#api_key_env = "LAB_KEY"
#model = "my-model"
#context_window = 32000
#protocol = "chat"
#effort = "low"
#temperature = 0.7
#max_tokens = 4000
#headers = { X-Title = "notes" }
#body = { top_k = 20 }

# Keys, by the part of the screen that has them: global, input, panel, overlay, dialog, demo. The help
# shows them all; `ebbtide config keys` prints them by their names.
#[keys.global]
#toggle_panel = ["F2", "Ctrl+T"]
#[keys.panel]
#down = ["Down", "j"]

# Colours by role; `base` is the theme then. A colour is a name of the terminal's palette, a number of it, or
# #rrggbb; bold, dim, italic, underlined and reversed go with it. `ebbtide config roles` prints the roles.
#[theme]
#base = "dark"
#accent = "bold light-blue"
#banner = "#b48ead"
"##;
