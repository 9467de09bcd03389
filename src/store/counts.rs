//! `counts.json`: what the ambient log of another program was counted to hold, so that it is counted once.
//!
//! A derived file. It holds as long as the log has the length, the beginning and the end that it had then.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Value, json};

use super::files;
use super::paths::Paths;
use super::state::AmbientSize;

/// Bytes of the beginning and of the end of a log by which it is known again.
const ENDS: u64 = 64 * 1024;

/// What was counted, if the log is still the same.
pub(super) fn read(paths: &Paths) -> Option<AmbientSize> {
    let kept: Value = serde_json::from_slice(&files::read(&paths.counts()).ok()??).ok()?;
    let number = |key: &str| kept.get(key).and_then(Value::as_u64);
    let size = AmbientSize {
        messages: number("messages")?,
        tokens: Some(number("tokens")?),
        bytes: number("bytes")?,
    };
    let same = fs::metadata(paths.ambient()).is_ok_and(|data| data.len() == size.bytes);
    (same && number("ends")? == ends(paths, size.bytes)?).then_some(size)
}

/// Keeps what was counted. A disk that takes nothing costs time, no more.
pub(super) fn keep(paths: &Paths, size: AmbientSize) {
    let Some(ends) = ends(paths, size.bytes) else { return };
    let record = json!({
        "messages": size.messages, "tokens": size.tokens, "bytes": size.bytes, "ends": ends,
    });
    if let Err(error) = files::replace(&paths.counts(), record.to_string().as_bytes()) {
        tracing::warn!("the size of the ambient log was not kept: {error}");
    }
}

fn ends(paths: &Paths, bytes: u64) -> Option<u64> {
    let mut log = files::open(&paths.ambient()).ok()?;
    let mut hasher = DefaultHasher::new();
    for start in [0, bytes.saturating_sub(ENDS)] {
        files::read_range(&mut log, start, ENDS).ok()?.hash(&mut hasher);
    }
    Some(hasher.finish())
}
