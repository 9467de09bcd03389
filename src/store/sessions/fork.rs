//! A copy of a session under another name, whole or not at all.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::begun::Begun;
use crate::store::Error;
use crate::store::disk::files;

/// What of a session stays with it: its lock, and what is written in its message line.
const ITS_OWN: [&str; 2] = ["lock", "draft.json"];

/// Copies a session to a place where nothing is yet. Whoever asks holds its lock, so that nothing is said meanwhile; drafts
/// and the index are written all the same, each file whole under a name of its own first.
///
/// # Errors
/// Something is at that place, or a file cannot be copied. Nothing is there then.
pub fn fork(from: &Path, to: &Path) -> Result<(), Error> {
    let begun = Begun::at(to)?;
    let root = fs::canonicalize(from).map_err(Error::read(from))?;
    copy(from, begun.session(), &root)?;
    for own in ITS_OWN {
        files::remove(&begun.session().join(own))?;
    }
    begun.settle_for_good().map(drop)
}

/// Copies all files below a directory; what a link leads to is copied where it is within the session, and nowhere else.
fn copy(from: &Path, to: &Path, root: &Path) -> Result<(), Error> {
    files::create_dir(to).map_err(Error::write(to))?;
    for item in fs::read_dir(from).map_err(Error::read(from))? {
        let path = item.map_err(Error::read(from))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        let copied = match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => copy(&path, &target, root),
            Ok(data) if data.is_file() || leads_within(&path, root) => {
                fs::copy(&path, &target).map(drop).map_err(Error::write(&target))
            }
            Ok(_) => Ok(()),
            Err(reason) => Err(Error::read(&path)(reason)),
        };
        // A file that has its own name by now is copied under that, or belongs to what is written all the same.
        if copied.is_err() && is_gone(&path) {
            files::remove(&target)?;
        } else {
            copied?;
        }
    }
    Ok(())
}

fn is_gone(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|reason| reason.kind() == ErrorKind::NotFound)
}

fn leads_within(path: &Path, root: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|real| real.starts_with(root) && real.is_file())
}

/// A place that nothing has: `BASE-2` and so on.
pub fn free_place(root: &Path, base: &str) -> PathBuf {
    let mut places = (2_u64..).map(|number| root.join(format!("{base}-{number}")));
    places.find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| root.join(base))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::store::{Setup, create};

    #[test]
    fn what_comes_and_goes_while_it_is_copied_does_no_harm() {
        let root = tempfile::tempdir().unwrap();
        let from = root.path().join("one");
        create(&from, &Setup::default()).unwrap();
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    for nth in 0..20 {
                        fs::write(from.join(format!("draft.json.{nth}")), "x").unwrap();
                        fs::rename(from.join(format!("draft.json.{nth}")), from.join("draft.json"))
                            .unwrap();
                    }
                }
            });
            let copies = (0..60).map(|nth| fork(&from, &root.path().join(format!("copy-{nth}"))));
            let failed: Vec<String> =
                copies.filter_map(Result::err).map(|error| error.to_string()).collect();
            ends.store(true, Ordering::Relaxed);
            assert_eq!(failed, [""; 0]);
        });
    }

    #[test]
    fn a_copy_holds_every_file_and_replaces_nothing() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("one"), root.path().join("two"));
        let ambient = vec![("Hello".to_owned(), "Hi".to_owned())];
        create(&from, &Setup { ambient, ..Setup::default() }).unwrap();
        fs::create_dir_all(from.join("history/deep")).unwrap();
        for name in ["history/deep/file", "index", "draft.json"] {
            fs::write(from.join(name), name).unwrap();
        }
        fs::write(root.path().join("secret"), "x").unwrap();
        #[cfg(unix)]
        for (target, link) in [("../secret", "out"), ("index", "within")] {
            std::os::unix::fs::symlink(target, from.join(link)).unwrap();
        }
        fork(&from, &to).unwrap();
        for name in
            ["raw.jsonl", "manifest.yaml", "session_state.json", "history/deep/file", "index"]
        {
            assert_eq!(
                fs::read(from.join(name)).unwrap(),
                fs::read(to.join(name)).unwrap(),
                "{name}"
            );
        }
        #[cfg(unix)]
        assert_eq!(fs::read_to_string(to.join("within")).unwrap(), "index");
        for name in ["lock", "draft.json", "out"] {
            assert!(fs::symlink_metadata(to.join(name)).is_err(), "{name}");
        }
        assert!(matches!(fork(&from, &to), Err(Error::Taken(_))));
        assert_eq!(free_place(root.path(), "one"), root.path().join("one-2"));
        fs::create_dir(root.path().join("one-2")).unwrap();
        assert_eq!(free_place(root.path(), "one"), root.path().join("one-3"));
        let left = fs::read_dir(root.path()).unwrap().count();
        assert_eq!(left, 4, "no hidden folder is left");
    }
}
