//! Directories of processes that were killed: what was said stands in them, and nobody else takes them away.

use std::fs;
use std::path::Path;
use std::sync::Once;
use std::time::UNIX_EPOCH;

use super::files::clear_away;
use crate::clock;

/// So many seconds nothing was made in a directory that is cleared away. A process that cannot be seen from here may use a younger
/// one.
const UNUSED: u64 = 24 * 60 * 60;

/// Clears them away once in a process.
pub(super) fn clear_once(temporary: &Path) {
    static CLEARED: Once = Once::new();
    CLEARED.call_once(|| clear(temporary));
}

/// Clears away what is called `ebbtide-WHAT-PID-N` of processes that are gone. What cannot be taken away stays.
fn clear(temporary: &Path) {
    let Ok(all) = fs::read_dir(temporary) else { return };
    for entry in all.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(process) else { continue };
        let is_old = entry.metadata().and_then(|known| known.modified()).is_ok_and(|at| {
            let made = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            clock::seconds().saturating_sub(made) > UNUSED
        });
        if is_old && !is_alive(process) {
            clear_away(&entry.path());
        }
    }
}

/// The process that a directory was made by.
fn process(name: &str) -> Option<i32> {
    let (what_for, nth) = name.strip_prefix("ebbtide-")?.rsplit_once('-')?;
    let (what_for, process) = what_for.rsplit_once('-')?;
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_own = !what_for.is_empty() && is_number(nth) && is_number(process);
    is_own.then(|| process.parse().ok())?
}

#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let known = Pid::from_raw(process).map(test_kill_process);
    !matches!(known, Some(Err(Errno::SRCH)))
}

#[cfg(not(unix))]
fn is_alive(_: i32) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_what_a_process_left_that_is_gone_for_a_day_is_cleared_away() {
        let dir = tempfile::tempdir().unwrap();
        let mut ended = std::process::Command::new("true").spawn().unwrap();
        ended.wait().unwrap();
        let (gone, own) = (ended.id(), std::process::id());
        let old = UNIX_EPOCH + Duration::from_secs(clock::seconds() - 2 * UNUSED);
        let names = [
            (format!("ebbtide-play-{gone}-0"), true),
            (format!("ebbtide-play-{gone}-1"), false),
            (format!("ebbtide-play-{own}-0"), true),
            (format!("ebbtide-{gone}-0"), true),
            (format!("other-play-{gone}-0"), true),
            ("ebbtide-play-me-0".to_owned(), true),
        ];
        for (name, is_old) in &names {
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::write(dir.path().join(name).join("said"), "said").unwrap();
            if *is_old {
                fs::File::open(dir.path().join(name)).unwrap().set_modified(old).unwrap();
            }
        }
        clear(dir.path());
        let left: Vec<bool> =
            names.iter().map(|(name, _)| dir.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true, true, true, true]);
    }
}
