//! Which hints a person was given, kept for the next start. Without the file, or where it cannot be written, a hint is
//! only given once more: nobody needs to hear of that.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use super::Host;
use crate::config::Paths;

/// The file: a name in each line.
fn file(host: &Host) -> Option<PathBuf> {
    Paths::of(&host.environment).hints().ok()
}

/// The names of what was explained in earlier runs.
pub(super) fn given(host: &Host) -> Vec<String> {
    let text = file(host).and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Adds what was explained in this run.
pub(super) fn keep(host: &Host, names: &[&str]) {
    let Some(file) = file(host).filter(|_| !names.is_empty()) else { return };
    let lines = names.join("\n") + "\n";
    let _ = file.parent().map(fs::create_dir_all);
    let opened = OpenOptions::new().create(true).append(true).open(file);
    let _ = opened.and_then(|mut file| file.write_all(lines.as_bytes()));
}
