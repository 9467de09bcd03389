//! Changing one line of the config file and leaving all others, comments too, as they are.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::kind::Kind;
use super::{Error, Key};

/// Writes a setting into the config file, which is made if there is none. Returns the line as written.
///
/// # Errors
/// The value does not fit, the file is not TOML or cannot be written. It is as it was then.
pub fn set_in_file(path: &Path, key: Key, value: &str) -> Result<String, Error> {
    let wrong = || Error::bad(key, value, super::Source::Change);
    let value = key.kind().parse(value).ok_or_else(wrong)?;
    let line = format!("{} = {}", key.name(), in_toml(key.kind(), &value.exact()));
    let text = read(path)?;
    let changed = match place(path, &text, key)? {
        Some(place) => replaced(&text, place, &line),
        None => inserted(&text, key, &line),
    };
    write(path, &text, &changed)?;
    Ok(line)
}

/// Takes a setting out of the config file. Returns whether it was there.
///
/// # Errors
/// The file is not TOML or cannot be written. It is as it was then.
pub fn unset_in_file(path: &Path, key: Key) -> Result<bool, Error> {
    let text = read(path)?;
    let Some(place) = place(path, &text, key)? else { return Ok(false) };
    let end = text[place.end..].find('\n').map_or(text.len(), |at| place.end + at + 1);
    let changed = format!("{}{}", &text[..place.start], &text[end..]);
    write(path, &text, &changed)?;
    Ok(true)
}

fn read(path: &Path) -> Result<String, Error> {
    match fs::read_to_string(path) {
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        other => other.map_err(|reason| Error::Unreadable { path: path.to_owned(), reason }),
    }
}

/// From the key to the end of its value; the theme may stand as `base` in its table.
fn place(path: &Path, text: &str, key: Key) -> Result<Option<std::ops::Range<usize>>, Error> {
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    let shift = text.len() - bare.len();
    let table = DeTable::parse(bare).map_err(|error| super::file::syntax(path, bare, &error))?;
    let found = table.get_ref().iter().find(|(name, _)| Key::named(name.get_ref()) == Some(key));
    let Some((name, value)) = found else { return Ok(None) };
    if let DeValue::Table(_) = value.get_ref() {
        let line = super::file::line_of(bare, name.span().start);
        return Err(Error::InTable { path: path.to_owned(), line, key });
    }
    Ok(Some(name.span().start + shift..value.span().end + shift))
}

fn replaced(text: &str, place: std::ops::Range<usize>, line: &str) -> String {
    format!("{}{line}{}", &text[..place.start], &text[place.end..])
}

/// In place of the commented default, else before the first table, else at the end.
fn inserted(text: &str, key: Key, line: &str) -> String {
    let comment = format!("# {} = ", key.name());
    let mut at = 0;
    let mut table = text.len();
    for old in text.split_inclusive('\n') {
        if old.starts_with(&comment) {
            let rest = &text[at + old.trim_end().len()..];
            return format!("{}{line}{rest}", &text[..at]);
        }
        if old.trim_start().starts_with('[') {
            table = table.min(at);
        }
        at += old.len();
    }
    let before = &text[..table];
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{line}\n{}", &text[table..])
}

/// A value as TOML.
fn in_toml(kind: &Kind, value: &str) -> String {
    let bare = match kind {
        Kind::Number(..) => true,
        Kind::Choice(words) => words.contains(&"true"),
        _ => false,
    };
    if bare { value.to_owned() } else { quoted(value) }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Replaces the file in one step, if the new text is TOML.
fn write(path: &Path, old: &str, text: &str) -> Result<(), Error> {
    if text == old {
        return Ok(());
    }
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    DeTable::parse(bare).map_err(|error| super::file::syntax(path, bare, &error))?;
    // A link stays a link: its target is what is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = target.with_file_name(name);
    let written = (|| {
        if let Some(dir) = target.parent() {
            fs::create_dir_all(dir)?;
        }
        let mut file = fs::File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        if let Ok(data) = fs::metadata(&target) {
            fs::set_permissions(&beside, data.permissions())?;
        }
        fs::rename(&beside, &target)
    })();
    written.map_err(|reason| {
        // Best effort: what is half written is of no use.
        let _ = fs::remove_file(&beside);
        Error::Unwritable { path: path.to_owned(), reason }
    })
}
