//! The program in another place.

use std::path::Path;
use std::process::Command;

/// Copies the program. Another process does: what this one writes itself cannot be started while a child that another test
/// began meanwhile still holds it open.
pub(crate) fn copy_program(to: &Path) {
    let done = Command::new("cp").arg(env!("CARGO_BIN_EXE_ebbtide")).arg(to).status().unwrap();
    assert!(done.success());
}
