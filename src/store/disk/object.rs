//! Files that hold one JSON object.

use std::path::Path;

use serde_json::{Map, Value};

use super::Disk;
use super::files::{self, Mend};
use crate::store::{Error, Problem};

/// Reads a JSON object. A file that holds none is mended as allowed, reported and taken for missing.
pub(crate) fn read_object(
    path: &Path,
    mend: Mend,
    problems: &mut Vec<Problem>,
) -> Result<Option<Map<String, Value>>, Error> {
    let Some(bytes) = files::read(path)? else { return Ok(None) };
    if let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(&bytes) {
        return Ok(Some(fields));
    }
    let done = mend.move_aside(path)?;
    let name = files::name_of(path);
    problems.push(Problem(format!(
        "{name} is broken: it {done}, and what it held recovered from the other files"
    )));
    Ok(None)
}

/// Replaces a file by a JSON object on one line.
#[cfg_attr(test, track_caller)]
pub(crate) fn write_object(
    disk: &Disk,
    path: &Path,
    fields: Map<String, Value>,
) -> Result<(), Error> {
    disk.replace(path, line(fields).as_bytes())
}

/// The object's line.
pub(crate) fn line(fields: Map<String, Value>) -> String {
    Value::Object(fields).to_string() + "\n"
}

/// The fields that are not ours.
pub(crate) fn others(fields: Map<String, Value>, ours: &[&str]) -> Map<String, Value> {
    fields.into_iter().filter(|(key, _)| !ours.contains(&key.as_str())).collect()
}
