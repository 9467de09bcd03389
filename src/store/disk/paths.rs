//! Where the files of a session are, and which log belongs to which effort.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use super::Disk;
use super::files::{Mend, is_readable};
use crate::memory::EffortId;
use crate::store::{Error, Problem};

/// The file that holds what belongs to no effort.
pub(crate) const AMBIENT: &str = "raw.jsonl";

/// What stands under a name of the session's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file that a session opens with, whatever it holds.
    File,
    /// A directory.
    Directory,
    /// Something else that is written to under its own name.
    Written,
}

/// Where each file and directory of a session is, and what it is.
macro_rules! places {
    ($([$($place:ident)?] $name:expr, $kind:ident;)*) => {
        impl Paths {
            $($(pub(crate) fn $place(&self) -> PathBuf {
                self.dir.join($name)
            })?)*
        }

        const PLACES: &[(&str, Kind)] = &[$(($name, Kind::$kind)),*];
    };
}

places! {
    [] "lock", File;
    [manifest] "manifest.yaml", File;
    [journal] "journal.jsonl", File;
    [ambient] AMBIENT, File;
    [session_state] "session_state.json", File;
    [memory_state] "memory_state.json", File;
    [notes] "notes.json", File;
    [pending] "pending.json", File;
    [drafts] "draft.json", File;
    [] "scratchpad/index.jsonl", File;
    [efforts] "efforts", Directory;
    [scratchpad] "scratchpad", Directory;
    [history] "history", Directory;
    [bill] "bill.jsonl", Written;
    [versus] "versus.jsonl", Written;
    [model] "model.json", Written;
    [counts] "counts.json", Written;
    [effort_counts] "effort_counts.json", Written;
    [index] "index", Written;
}

/// Longest slug that becomes a file name as it is, in bytes; file systems stop at 255.
const MAX_NAME_BYTES: usize = 180;

/// The files of a session.
#[derive(Debug, Clone)]
pub(crate) struct Paths {
    /// The session's directory.
    pub(crate) dir: PathBuf,
    /// What may be done about files that are broken.
    pub(crate) mend: Mend,
    /// The disk that they are on.
    pub(crate) disk: Disk,
}

impl Paths {
    /// The files of a session whose lock is held.
    pub(crate) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), mend: Mend::OnDisk, disk: Disk::default() }
    }

    /// The files of a session that is only looked at.
    pub(crate) fn to_look_at(dir: &Path) -> Self {
        Self { dir: dir.to_owned(), mend: Mend::InMemory, disk: Disk::default() }
    }

    /// Makes sure that everything is of its kind, before the first byte is written: a session that cannot be
    /// opened is left as it is.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let is = |name: &str, fits: fn(&fs::Metadata) -> bool| {
            let path = self.dir.join(name);
            match fs::metadata(&path) {
                Ok(data) => fits(&data),
                // A link to nothing is nothing; one that goes in a circle can never be read.
                Err(error) => error.kind() == io::ErrorKind::NotFound || !path.is_symlink(),
            }
        };
        let in_the_way = PLACES.iter().find_map(|&(name, kind)| {
            let (fits, what) = match kind {
                Kind::File => (is(name, is_readable), "file"),
                Kind::Directory => (is(name, fs::Metadata::is_dir), "directory"),
                Kind::Written => return None,
            };
            (!fits).then(|| Error::InTheWay { path: self.dir.join(name), what })
        });
        self.check_links()?;
        in_the_way.map_or(Ok(()), Err)
    }

    /// Makes sure that no file of the session is a link that leads out of it: a session may come from anybody, and what is
    /// written to it must not reach other files.
    pub(crate) fn check_links(&self) -> Result<(), Error> {
        let paths = PLACES.iter().map(|(name, _)| self.dir.join(name));
        let links = paths.filter(|path| path.is_symlink());
        for path in links {
            let root = fs::canonicalize(&self.dir).map_err(Error::read(&self.dir))?;
            if !fs::canonicalize(&path).is_ok_and(|real| real.starts_with(&root)) {
                return Err(Error::LeadsOut(path));
            }
        }
        Ok(())
    }

    /// A log inside the session, checked against links that lead out of it.
    pub(crate) fn inside(&self, relative: &str) -> Result<PathBuf, Error> {
        let path = self.dir.join(relative);
        let outside = || Error::Outside { path: path.clone(), dir: self.dir.clone() };
        if !is_safe(relative) {
            return Err(outside());
        }
        if self.is_plain(&path) {
            return Ok(path);
        }
        let root = fs::canonicalize(&self.dir).map_err(Error::read(&self.dir))?;
        // The file may not exist yet; then its directory decides. A dangling link is refused.
        let fits = match fs::canonicalize(&path) {
            Ok(real) if real.starts_with(&root) && !real.is_file() => {
                return Err(Error::NotAFile(path));
            }
            Ok(real) => real.starts_with(&root),
            Err(_) if fs::symlink_metadata(&path).is_ok() => false,
            Err(_) => match path.parent().map(fs::canonicalize) {
                Some(Ok(parent)) => parent.starts_with(&root) && parent.is_dir(),
                // Nothing is there, which is no log for one who looks, and no place for one.
                _ => self.mend == Mend::InMemory,
            },
        };
        if fits { Ok(path) } else { Err(outside()) }
    }

    /// Whether a path within the session's directory is that of a file, or of none yet, to which no link leads, so that
    /// it surely is where it says. Each log is looked for again and again, and this needs few looks.
    fn is_plain(&self, path: &Path) -> bool {
        let fits = match fs::symlink_metadata(path) {
            Ok(data) => data.is_file(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        let is_folder = |folder| fs::symlink_metadata(folder).is_ok_and(|data| data.is_dir());
        let mut folders = path.ancestors().skip(1).take_while(|folder| *folder != self.dir);
        fits && folders.all(is_folder)
    }
}

/// Which log belongs to which effort. Only what differs from the rule is kept, so that a hundred
/// thousand efforts cost nothing here.
#[derive(Debug, Default)]
pub(crate) struct EffortFiles {
    odd: BTreeMap<EffortId, String>,
    taken: BTreeSet<String>,
}

impl EffortFiles {
    /// The log of an effort, relative to the session.
    pub(crate) fn of(&self, id: &EffortId) -> String {
        self.odd.get(id).cloned().unwrap_or_else(|| usual_file(id))
    }

    /// Takes over what a manifest says. A path that leads out of the session, or that belongs to
    /// another effort, is not followed. `known` tells whether the manifest holds an id that has its usual log.
    pub(crate) fn adopt(
        &mut self,
        paths: &Paths,
        id: &EffortId,
        stored: Option<&str>,
        known: impl Fn(&str) -> bool,
    ) -> Option<Problem> {
        let usual = usual_file(id);
        let file = stored.unwrap_or(&usual);
        if !is_safe(file) {
            let named = if self.taken.contains(&usual) { self.assign(paths, id) } else { usual };
            return Some(Problem(format!(
                "the log of effort '{id}' is said to be outside the session: it is not followed, the \
                 effort's log is {named}"
            )));
        }
        if file == usual {
            if !self.taken.contains(&usual) {
                return None;
            }
        } else if !self.taken.contains(file) && !is_usual_of_another(file, id, known) {
            self.odd.insert(id.clone(), file.to_owned());
            self.taken.insert(file.to_owned());
            return None;
        }
        let shared = file.to_owned();
        let named = self.assign(paths, id);
        Some(Problem(format!(
            "two efforts name the log {shared}: '{id}' goes on in {named} instead"
        )))
    }

    /// Whether an effort that is said to have a log has its usual one: by its name, or because that one is
    /// not followed.
    pub(crate) fn is_usual(id: &str, file: &str) -> bool {
        !is_safe(file) || usual_file(&EffortId::stored(id)) == file
    }

    /// Chooses a log that nobody uses for an effort; an empty one may be left from a start that did
    /// not succeed.
    pub(crate) fn assign(&mut self, paths: &Paths, id: &EffortId) -> String {
        let usual = usual_file(id);
        let stem = usual.trim_end_matches(".jsonl");
        let mut candidate = usual.clone();
        let mut number = 2_u32;
        while self.taken.contains(&candidate) || is_used(&paths.dir.join(&candidate)) {
            candidate = format!("{stem}-{number}.jsonl");
            number += 1;
        }
        if candidate == usual {
            self.odd.remove(id);
        } else {
            self.odd.insert(id.clone(), candidate.clone());
            self.taken.insert(candidate.clone());
        }
        candidate
    }
}

/// The log that an effort has by rule: its slug, which no other id has.
fn usual_file(id: &EffortId) -> String {
    let text = id.as_str();
    let slug = EffortId::from_name(text).ok();
    let slug = slug.as_ref().map_or("effort", EffortId::as_str);
    if slug == text && slug.len() <= MAX_NAME_BYTES {
        return format!("efforts/{slug}.jsonl");
    }
    let mut end = slug.len().min(MAX_NAME_BYTES - 20);
    while !slug.is_char_boundary(end) {
        end -= 1;
    }
    format!("efforts/{}-{:016x}.jsonl", &slug[..end], fingerprint(text))
}

/// Whether a file is the usual one of an effort that exists.
fn is_usual_of_another(file: &str, id: &EffortId, known: impl Fn(&str) -> bool) -> bool {
    let stem = file.strip_prefix("efforts/").and_then(|name| name.strip_suffix(".jsonl"));
    stem.is_some_and(|stem| {
        stem != id.as_str() && known(stem) && usual_file(&EffortId::stored(stem)) == file
    })
}

/// Whether a path stays inside the session and is none of the session's own files.
fn is_safe(relative: &str) -> bool {
    let path = Path::new(relative);
    let normal = path.components().all(|part| matches!(part, Component::Normal(_)));
    let depth = path.components().count();
    let own = match path.components().next() {
        Some(Component::Normal(first)) if depth > 1 => first == "scratchpad" || first == "history",
        _ => [AMBIENT, "journal.jsonl"].contains(&relative),
    };
    let log = path.extension().is_some_and(|ending| ending == "jsonl");
    let short = relative.len() <= 4096 && relative.split('/').all(|part| part.len() <= 255);
    normal && depth > 0 && !relative.contains('\0') && !own && short && (log || depth > 1)
}

fn is_used(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| !data.is_file() || data.len() > 0)
}

/// FNV-1a: the same on every machine and in every version.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths() -> (tempfile::TempDir, Paths) {
        let dir = tempfile::tempdir().unwrap();
        let paths = Paths::new(dir.path());
        (dir, paths)
    }

    #[test]
    fn no_id_leaves_the_efforts_directory() {
        let mut seen = BTreeSet::new();
        let long = "x".repeat(300);
        let wide = "界".repeat(64);
        for id in [
            "auth-bug",
            "../../x",
            "/etc/passwd",
            "a/b",
            "a-b",
            "A-B",
            "",
            "🦀",
            "42",
            "\0",
            &long,
            &wide,
        ] {
            let file = usual_file(&EffortId::stored(id));
            let name = file.strip_prefix("efforts/").unwrap();
            assert!(is_safe(&file) && !name.contains('/') && name.len() < 220, "{id}: {file}");
            assert!(seen.insert(file), "{id} shares its file");
        }
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for bad in [
            "/etc/x.jsonl",
            "../x.jsonl",
            "efforts/../../x.jsonl",
            "",
            "raw.jsonl",
            "journal.jsonl",
            "manifest.yaml",
            "./x.jsonl/..",
            "scratchpad/index.jsonl",
            "history/x.jsonl",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
        assert!(is_safe("efforts/x.jsonl") && is_safe("logs/x.jsonl") && is_safe("x.jsonl"));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        let (dir, paths) = paths();
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(paths.efforts()).unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).unwrap();
        std::os::unix::fs::symlink(
            outside.path().join("new.jsonl"),
            dir.path().join("efforts/a.jsonl"),
        )
        .unwrap();
        assert!(matches!(paths.inside("link/x.jsonl"), Err(Error::Outside { .. })));
        assert!(matches!(paths.inside("efforts/a.jsonl"), Err(Error::Outside { .. })));
        assert!(paths.inside("efforts/b.jsonl").is_ok());
    }

    #[test]
    fn two_efforts_never_share_a_log() {
        let (_dir, paths) = paths();
        let mut files = EffortFiles::default();
        let known = |id: &str| ["a", "b", "c"].contains(&id);
        let id = EffortId::stored;
        assert_eq!(files.adopt(&paths, &id("a"), Some("efforts/a.jsonl"), known), None);
        assert!(files.adopt(&paths, &id("b"), Some("efforts/a.jsonl"), known).is_some());
        assert_eq!(files.adopt(&paths, &id("c"), Some("efforts/shared.jsonl"), known), None);
        assert!(files.adopt(&paths, &id("d"), Some("efforts/shared.jsonl"), known).is_some());
        let all: BTreeSet<String> = ["a", "b", "c", "d"].map(|name| files.of(&id(name))).into();
        assert_eq!(all.len(), 4);
    }
}
