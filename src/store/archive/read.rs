//! From JSON to a session. Everything is checked before anything is written.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Archive, ArchiveError, ArchivedFile, FORMAT, VERSION, is_kept};

impl Archive {
    /// Reads what [`Archive::write_json`] wrote.
    ///
    /// # Errors
    /// The text is no JSON, no session, of a newer version, or holds a path that leads out of it.
    pub fn from_json(text: &[u8]) -> Result<Self, ArchiveError> {
        let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        let value: Value =
            serde_json::from_slice(text).map_err(|error| ArchiveError::NotJson(error.line()))?;
        if value["format"].as_str() != Some(FORMAT) {
            return Err(wrong(format!("\"format\" is not \"{FORMAT}\"")));
        }
        match value["version"].as_u64() {
            None => return Err(wrong("\"version\" is no number".to_owned())),
            Some(version) if version > VERSION => {
                return Err(ArchiveError::Newer { version, newest: VERSION });
            }
            Some(_) => {}
        }
        let Some(name) = value["name"].as_str() else {
            return Err(wrong("\"name\" is missing".to_owned()));
        };
        let mut files = Vec::new();
        let mut seen = BTreeSet::new();
        for fields in value["files"].as_array().into_iter().flatten() {
            let file = file(fields)?;
            if !seen.insert(file.path.to_lowercase()) {
                return Err(wrong(format!("it holds the file {:?} twice", file.path)));
            }
            files.push(file);
        }
        let has = |path: &str| seen.contains(path);
        if !["session_state.json", "manifest.yaml", "raw.jsonl", "journal.jsonl"]
            .iter()
            .any(|p| has(p))
        {
            return Err(wrong("it holds none of a session's files".to_owned()));
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { name: name.to_owned(), files })
    }
}

fn wrong(why: String) -> ArchiveError {
    ArchiveError::NotOurs(why)
}

fn file(fields: &Value) -> Result<ArchivedFile, ArchiveError> {
    let path = fields["path"].as_str().unwrap_or_default();
    if !is_kept(path) {
        let shown: String = path.chars().take(80).collect();
        return Err(wrong(format!("{shown:?} cannot be the path of a session's file")));
    }
    let content = fields.as_object().and_then(content);
    let content =
        content.ok_or_else(|| wrong(format!("the content of {path:?} makes no sense")))?;
    Ok(ArchivedFile { path: path.to_owned(), content })
}

/// The bytes of a file, in whichever form they stand.
fn content(fields: &Map<String, Value>) -> Option<Vec<u8>> {
    if let Some(lines) = fields.get("lines") {
        let mut bytes = Vec::new();
        for line in lines.as_array()? {
            match line {
                Value::Object(_) => bytes.extend(line.to_string().into_bytes()),
                Value::String(text) if !text.contains('\n') => bytes.extend(text.as_bytes()),
                _ => return None,
            }
            bytes.push(b'\n');
        }
        return Some(bytes);
    }
    if let Some(object) = fields.get("json") {
        return object.is_object().then(|| format!("{object}\n").into_bytes());
    }
    match (fields.get("text"), fields.get("hex")) {
        (Some(text), _) => Some(text.as_str()?.as_bytes().to_vec()),
        (None, Some(hex)) => unhex(hex.as_str()?),
        _ => None,
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}
