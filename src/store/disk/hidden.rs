//! Hidden names of what is being made beside its place, `.NAME.begun-PID`: no list shows it, and what a killed process
//! left is known by them.

use std::path::Path;

use super::files::name_of;

/// What stands between the name and the number of the process.
pub(crate) const MARK: &str = ".begun-";

/// Bytes of a name that stand in the hidden one: a name of the greatest length would have no room for more.
const SHOWN: usize = 200;

/// The hidden name for what will stand at a place.
pub(crate) fn name(target: &Path) -> String {
    format!("{}{}", before(target), std::process::id())
}

/// The same without the number of the process.
pub(crate) fn before(target: &Path) -> String {
    let name = name_of(target);
    let end = (0..=SHOWN.min(name.len())).rev().find(|&end| name.is_char_boundary(end));
    format!(".{}{MARK}", &name[..end.unwrap_or(0)])
}
