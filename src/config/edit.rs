//! Changing one line of the config file and leaving all others, comments too, as they are.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::kind::Kind;
use super::{Error, Key};

/// Writes a setting into the config file, which is made if there is none. Returns the line for people: a password in it is
/// blotted out.
///
/// # Errors
/// The value does not fit, the file is not TOML or cannot be written. It is as it was then.
pub fn set_in_file(path: &Path, key: Key, value: &str) -> Result<String, Error> {
    change_file(path, &[(key, Some(value))]).map(|lines| lines.concat())
}

/// Takes a setting out of the config file. Returns whether it was there.
///
/// # Errors
/// The file is not TOML or cannot be written. It is as it was then.
pub fn unset_in_file(path: &Path, key: Key) -> Result<bool, Error> {
    let text = read(path)?;
    let changed = without(path, &text, key)?;
    write(path, &text, &changed)?;
    Ok(changed != text)
}

/// Writes settings into the config file, or takes out those without a value: all at once or none. Returns the lines that
/// were written, for people.
///
/// # Errors
/// A value does not fit, the file is not TOML or cannot be written. It is as it was then.
pub fn change_file(path: &Path, changes: &[(Key, Option<&str>)]) -> Result<Vec<String>, Error> {
    let old = read(path)?;
    let (mut text, mut lines) = (old.clone(), Vec::new());
    for (key, value) in changes {
        let Some(value) = value else {
            text = without(path, &text, *key)?;
            continue;
        };
        let wrong = || Error::bad(*key, value, super::Source::Change);
        let value = key.kind().parse(value).ok_or_else(wrong)?;
        let line = |value: &str| format!("{} = {}", key.name(), in_toml(key.kind(), value));
        text = with(path, &text, *key, &line(&value.exact()))?;
        lines.push(line(&value.shown()));
    }
    write(path, &old, &text)?;
    Ok(lines)
}

fn with(path: &Path, text: &str, key: Key, line: &str) -> Result<String, Error> {
    Ok(match place(path, text, key)? {
        Some(place) => replaced(text, place, line),
        None => inserted(text, key, line),
    })
}

fn without(path: &Path, text: &str, key: Key) -> Result<String, Error> {
    let Some(place) = place(path, text, key)? else { return Ok(text.to_owned()) };
    let end = text[place.end..].find('\n').map_or(text.len(), |at| place.end + at + 1);
    Ok(format!("{}{}", &text[..place.start], &text[end..]))
}

fn read(path: &Path) -> Result<String, Error> {
    match super::file::text_of(path) {
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
    let unwritable = |reason| Error::Unwritable { path: path.to_owned(), reason };
    let target = target_of(path);
    if fs::metadata(&target).is_ok_and(|there| !there.is_file()) {
        let reason = "it is no plain file, and is left as it is; name one with --config FILE";
        return Err(unwritable(io::Error::new(io::ErrorKind::InvalidInput, reason)));
    }
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = target.with_file_name(name);
    let written = (|| {
        if let Some(dir) = target.parent() {
            fs::create_dir_all(dir)?;
        }
        let mut file = create(&beside, fs::metadata(&target).ok())?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &target)
    })();
    written.map_err(|reason| {
        // Best effort: what is half written is of no use.
        let _ = fs::remove_file(&beside);
        unwritable(reason)
    })
}

/// What is replaced: a link stays a link, also where its target is not there yet.
fn target_of(path: &Path) -> PathBuf {
    let of_link = || {
        let to = fs::read_link(path).ok()?;
        Some(path.parent().unwrap_or(Path::new("")).join(to))
    };
    fs::canonicalize(path).ok().or_else(of_link).unwrap_or_else(|| path.to_owned())
}

/// A new file that whoever may read the old one may read, and nobody else at any time: keys stand in headers.
fn create(path: &Path, old: Option<fs::Metadata>) -> io::Result<fs::File> {
    // What a process of the same number left half written may be readable by anybody.
    let _ = fs::remove_file(path);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    let Some(old) = old else { return options.open(path) };
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        // Only root may give a file away; anybody else owns both.
        let _ = std::os::unix::fs::fchown(&file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(old.permissions())?;
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_link_stays_and_what_is_no_file_is_left_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let [link, target, socket] =
            ["link", "dots.toml", "socket"].map(|name| place.path().join(name));
        std::os::unix::fs::symlink("dots.toml", &link).unwrap();
        write(&link, "", "a = 1\n").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "a = 1\n");
        let _bound = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let refused = write(&socket, "", "a = 1\n").unwrap_err().to_string();
        assert!(refused.contains("no plain file") && !fs::metadata(&socket).unwrap().is_file());
    }

    #[test]
    fn a_new_file_is_never_open_to_more_people_than_the_old_one() {
        let place = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| place.path().join(name));
        for mode in [0o600, 0o640, 0o644] {
            fs::write(&old, "").unwrap();
            fs::set_permissions(&old, fs::Permissions::from_mode(mode)).unwrap();
            fs::write(&new, "half").unwrap();
            let file = create(&new, fs::metadata(&old).ok()).unwrap();
            let data = file.metadata().unwrap();
            assert_eq!((data.len(), data.permissions().mode() & 0o777), (0, mode));
        }
    }
}
