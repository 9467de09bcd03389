//! Directories and files that are gone in the end. Those of processes that were killed are cleared away, too: what was
//! said stands in them, and nobody else takes them away.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use super::files::private;
use crate::clock;
use crate::lock::locked;

/// The directories that this process has made.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes a directory that no other process uses or has left behind, for a session that is gone in the end; its name
/// tells what for.
///
/// # Errors
/// It cannot be made where temporary files go.
pub fn fresh_dir(what_for: &str) -> io::Result<PathBuf> {
    clear_once(&std::env::temp_dir());
    // A process that was killed leaves its directory, and a later one may have its number.
    let paths = (0_u64..).map(|nth| {
        std::env::temp_dir().join(format!("ebbtide-{what_for}-{}-{nth}", std::process::id()))
    });
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    for path in paths {
        match builder.create(&path) {
            Err(reason) if reason.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                return made.map(|()| {
                    locked(&MADE).push(path.clone());
                    path
                });
            }
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Clears away a directory with all that is in it, also where a thread that is about to end still writes there. What cannot
/// be taken away stays.
pub fn clear_away(dir: &Path) {
    const TRIES: usize = 100;
    const WAIT: Duration = Duration::from_millis(5);
    let is_written_to =
        || fs::remove_dir_all(dir).is_err_and(|e| e.kind() == io::ErrorKind::DirectoryNotEmpty);
    for _ in 0..TRIES {
        if !is_written_to() {
            return;
        }
        thread::sleep(WAIT);
    }
}

/// Clears away what is left of the directories that this process has made, at its end: where a signal has ended the work in
/// them, a thread may have made one anew after it was cleared away.
pub fn clear_fresh_dirs() {
    for dir in std::mem::take(&mut *locked(&MADE)) {
        clear_away(&dir);
    }
}

/// Makes a file for this process alone, to be written and read; it has no name any more, so it is gone with the process,
/// however that ends.
///
/// # Errors
/// It cannot be made where temporary files go.
pub(crate) fn unnamed_file(what_for: &str) -> io::Result<File> {
    let dir = fresh_dir(what_for)?;
    let path = dir.join("file");
    let file = private().read(true).write(true).create_new(true).open(&path);
    let removed = file.as_ref().map_or(Ok(()), |_| fs::remove_file(&path));
    fs::remove_dir(&dir).and(removed).and(file)
}

/// So many seconds nothing was made in a directory that is cleared away. A process that cannot be seen from here may use a younger
/// one.
const UNUSED: u64 = 24 * 60 * 60;

/// What directories are made for: what is called otherwise is not ours.
const KNOWN: [&str; 5] = ["input", "logs", "play", "replay", "texts"];

/// Clears away what was left behind, once in a process.
fn clear_once(temporary: &Path) {
    static CLEARED: Once = Once::new();
    CLEARED.call_once(|| clear(temporary));
}

/// Clears away what is called `ebbtide-WHAT-PID-N` of processes that are gone. What cannot be taken away stays.
fn clear(temporary: &Path) {
    let Ok(all) = fs::read_dir(temporary) else { return };
    for entry in all.flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(process) else { continue };
        let known = entry.metadata().ok().filter(is_own);
        let is_old = known.and_then(|known| known.modified().ok()).is_some_and(|at| {
            let made = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
            clock::seconds().saturating_sub(made) > UNUSED
        });
        if is_old && !is_alive(process) && !is_in_use(&entry.path()) {
            clear_away(&entry.path());
        }
    }
}

/// The process that a directory was made by.
fn process(name: &str) -> Option<i32> {
    let (what_for, nth) = name.strip_prefix("ebbtide-")?.rsplit_once('-')?;
    let (what_for, process) = what_for.rsplit_once('-')?;
    // As it is written: `ebbtide-play-2025-01` is somebody's, of January.
    let written = |part: &str, number: &str| part == number;
    nth.parse::<u64>().ok().filter(|number| written(nth, &number.to_string()))?;
    let number: i32 = process.parse().ok()?;
    (KNOWN.contains(&what_for) && written(process, &number.to_string())).then_some(number)
}

/// Whether somebody has a session in a directory open, who may be in another container.
fn is_in_use(directory: &Path) -> bool {
    let Ok(all) = fs::read_dir(directory) else { return true };
    all.flatten().any(|entry| {
        let lock = fs::File::open(entry.path().join("lock"));
        lock.is_ok_and(|lock| lock.try_lock().is_err())
    })
}

#[cfg(unix)]
fn is_own(known: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    known.is_dir() && known.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_own(known: &fs::Metadata) -> bool {
    known.is_dir()
}

/// Whether there is a process of this number that can be seen from here.
#[cfg(unix)]
pub(super) fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let known = Pid::from_raw(process).map(test_kill_process);
    !matches!(known, Some(Err(Errno::SRCH)))
}

/// Nothing is known of other processes here.
#[cfg(not(unix))]
pub(super) fn is_alive(_: i32) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
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
            (format!("ebbtide-backup-{gone}-0"), true),
            (format!("ebbtide-play-{gone}-02"), true),
            (format!("ebbtide-replay-{gone}-3"), true),
        ];
        for (name, is_old) in &names {
            fs::create_dir(dir.path().join(name)).unwrap();
            fs::write(dir.path().join(name).join("said"), "said").unwrap();
            if *is_old {
                fs::File::open(dir.path().join(name)).unwrap().set_modified(old).unwrap();
            }
        }
        // Somebody who cannot be seen from here has it open.
        let session = dir.path().join(format!("ebbtide-replay-{gone}-3/story"));
        fs::create_dir(&session).unwrap();
        let lock = fs::File::create(session.join("lock")).unwrap();
        lock.lock().unwrap();
        let outer = fs::File::open(session.parent().unwrap()).unwrap();
        outer.set_modified(old).unwrap();
        clear(dir.path());
        let left: Vec<bool> =
            names.iter().map(|(name, _)| dir.path().join(name).exists()).collect();
        assert_eq!(left, [false, true, true, true, true, true, true, true, true]);
    }
}
