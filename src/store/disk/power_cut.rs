//! What a loss of power would leave, without one: the tests watch which files and names were synced.
//!
//! At every sync, and whenever a test asks, the directory is put together as it might be found afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::store::Problem;

static WATCHED: Mutex<Vec<Arc<Watch>>> = Mutex::new(Vec::new());

/// Files by their path below the watched directory.
pub(crate) type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A file by its number; numbers are given again, so it comes with which file of that number it is.
type FileId = (u64, usize);

/// Names in a directory, with the file, or none for a directory.
type Names = BTreeMap<PathBuf, Option<FileId>>;

/// A directory whose syncs are noted.
#[derive(Debug)]
pub(crate) struct Watch {
    root: PathBuf,
    safe: Mutex<Safe>,
    /// A sync that is left out.
    without: Option<Site>,
}

/// A line that asks for a sync, and whether it asks for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    /// The source file.
    pub(crate) file: &'static str,
    /// Counted from 1.
    pub(crate) line: u32,
    names: bool,
}

/// What is safe, and what would have been left by cuts so far.
#[derive(Debug, Default)]
struct Safe {
    names: BTreeMap<PathBuf, Names>,
    contents: BTreeMap<FileId, Vec<u8>>,
    /// How often each number was given.
    given: BTreeMap<u64, usize>,
    cuts: Vec<Cut>,
    sites: BTreeSet<Site>,
    /// How often the disk was asked.
    syncs: usize,
    /// Bytes that the largest sync had to write.
    largest: usize,
    moment: Moment,
}

/// How far a test's conversation was.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moment {
    message: usize,
    asked: bool,
    ended: bool,
}

impl Moment {
    /// The last message that a request went out for.
    pub(crate) fn acknowledged(self) -> usize {
        if self.asked { self.message } else { self.ended() }
    }

    /// The last message whose turn has ended.
    pub(crate) fn ended(self) -> usize {
        if self.ended { self.message } else { self.message.saturating_sub(1) }
    }
}

/// What a cut of power might leave.
#[derive(Debug)]
pub(crate) struct Cut {
    /// How it was put together, for messages.
    pub(crate) what: &'static str,
    /// How far the conversation was.
    pub(crate) moment: Moment,
    pub(crate) tree: Tree,
}

impl Cut {
    /// Puts it into a directory.
    pub(crate) fn write(&self, dir: &Path) {
        for (path, content) in &self.tree {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }
}

/// Whether a problem that opening tells of may come of a cut of power: a record of a turn that never began, or
/// a state that the journal makes good.
pub(crate) fn is_to_be_expected(problem: &Problem) -> bool {
    let of = |file: &str| problem.0.starts_with(file);
    ["pending.json", "session_state.json", "memory_state.json"].into_iter().any(of)
}

/// Watches a directory that is empty yet.
pub(crate) fn watch(root: &Path) -> Arc<Watch> {
    watch_without(root, None)
}

/// The same as if a sync were not asked for.
pub(crate) fn watch_without(root: &Path, without: Option<Site>) -> Arc<Watch> {
    let watch = Arc::new(Watch { root: root.to_owned(), safe: Mutex::default(), without });
    WATCHED.lock().unwrap().push(Arc::clone(&watch));
    watch
}

impl Watch {
    /// What might be left if the power went now.
    pub(crate) fn cut(&self) -> Vec<Cut> {
        let mut safe = self.safe();
        safe.cut(&self.root);
        let from = safe.cuts.len() - VARIANTS;
        safe.cuts.split_off(from)
    }

    /// A message is about to be sent.
    pub(crate) fn begin(&self, message: usize) {
        self.safe().moment = Moment { message, ..Moment::default() };
    }

    /// A request went out for it.
    pub(crate) fn ask(&self) {
        self.safe().moment.asked = true;
    }

    /// Its turn has ended.
    pub(crate) fn end(&self) {
        self.safe().moment.ended = true;
    }

    /// What would have been left before each sync so far.
    pub(crate) fn take_cuts(&self) -> Vec<Cut> {
        std::mem::take(&mut self.safe().cuts)
    }

    /// The syncs so far.
    pub(crate) fn sites(&self) -> BTreeSet<Site> {
        self.safe().sites.clone()
    }

    /// How often the disk was asked for something so far.
    pub(crate) fn syncs(&self) -> usize {
        self.safe().syncs
    }

    /// Bytes that the largest sync so far had to write.
    pub(crate) fn largest(&self) -> usize {
        self.safe().largest
    }

    /// What is there now counts as safe.
    pub(crate) fn keep_all(&self) {
        let mut safe = self.safe();
        let (names, contents) = safe.present(&self.root);
        safe.names.extend(names);
        safe.contents.extend(contents);
    }

    /// Takes note of a sync and tells whether it is left out.
    fn is_without(&self, at: &'static Location<'static>, names: bool) -> bool {
        let site = Site { file: at.file(), line: at.line(), names };
        let mut safe = self.safe();
        safe.sites.insert(site);
        safe.syncs += 1;
        self.without == Some(site)
    }

    fn safe(&self) -> MutexGuard<'_, Safe> {
        self.safe.lock().unwrap()
    }
}

const VARIANTS: usize = 5;

/// The variant in which only the program was killed: all that was written is there.
pub(crate) const KILLED: &str = "only the program was killed";

impl Safe {
    fn cut(&mut self, root: &Path) {
        let (now_names, now_contents) = self.present(root);
        let lost = tree(root, root, &self.names, &self.contents);
        let by_name = tree(root, root, &now_names, &self.contents);
        // What was not synced may be there all the same, if only its name was.
        let mut lucky = self.contents.clone();
        lucky.extend(now_contents.clone());
        let by_content = tree(root, root, &self.names, &lucky);
        let killed = tree(root, root, &now_names, &now_contents);
        let torn = tree(root, root, &now_names, &self.torn(now_contents));
        let variants = [
            ("everything that was not synced is lost", lost),
            ("names are there, contents that were not synced are lost", by_name),
            ("contents are there, names that were not synced are lost", by_content),
            ("names are there, contents that were not synced are there by half", torn),
            (KILLED, killed),
        ];
        let moment = self.moment;
        self.cuts.extend(variants.map(|(what, tree)| Cut { what, moment, tree }));
    }

    /// What is there of contents if the half came on the disk of all that was not synced.
    fn torn(&self, now: BTreeMap<FileId, Vec<u8>>) -> BTreeMap<FileId, Vec<u8>> {
        let torn = |(id, mut content): (FileId, Vec<u8>)| {
            let safe = self.contents.get(&id).filter(|safe| content.starts_with(safe));
            let safe = safe.map_or(0, Vec::len);
            content.truncate(safe + (content.len() - safe) / 2);
            (id, content)
        };
        now.into_iter().map(torn).collect()
    }

    fn id(&self, number: u64) -> FileId {
        (number, self.given.get(&number).copied().unwrap_or(0))
    }

    fn names_in(&self, dir: &Path) -> Names {
        let items = fs::read_dir(dir).unwrap().map(Result::unwrap);
        let named = |path: &Path| {
            let data = fs::metadata(path).ok()?;
            Some((path.file_name()?.into(), data.is_file().then(|| self.id(data.ino()))))
        };
        items.filter_map(|item| named(&item.path())).collect()
    }

    /// All names and contents as they are.
    fn present(&self, dir: &Path) -> (BTreeMap<PathBuf, Names>, BTreeMap<FileId, Vec<u8>>) {
        let (mut all, mut contents) = (BTreeMap::new(), BTreeMap::new());
        let here = self.names_in(dir);
        for (name, id) in &here {
            if let Some(id) = id {
                contents.insert(*id, fs::read(dir.join(name)).unwrap_or_default());
            } else {
                let (names, below) = self.present(&dir.join(name));
                all.extend(names);
                contents.extend(below);
            }
        }
        all.insert(dir.to_owned(), here);
        (all, contents)
    }
}

fn of(path: &Path) -> Option<Arc<Watch>> {
    let watched = WATCHED.lock().unwrap();
    watched.iter().find(|watch| path.starts_with(&watch.root)).cloned()
}

/// A file is new: what its number stood for before is not in it.
pub(in super::super) fn created(file: &File, path: &Path) {
    let Some(watch) = of(path) else { return };
    *watch.safe().given.entry(file.metadata().unwrap().ino()).or_default() += 1;
}

/// A directory has another name: what is safe in it is safe there.
pub(in super::super) fn moved(from: &Path, to: &Path) {
    let Some(watch) = of(to) else { return };
    let mut safe = watch.safe();
    let names = std::mem::take(&mut safe.names);
    let place =
        |dir: PathBuf| dir.strip_prefix(from).map_or_else(|_| dir.clone(), |in_it| to.join(in_it));
    safe.names = names.into_iter().map(|(dir, names)| (place(dir), names)).collect();
}

#[track_caller]
pub(super) fn synced(file: &File, path: &Path) {
    let Some(watch) = of(path) else { return };
    if watch.is_without(Location::caller(), false) {
        return;
    }
    let mut safe = watch.safe();
    safe.cut(&watch.root);
    let id = safe.id(file.metadata().unwrap().ino());
    let content = fs::read(path).unwrap();
    let before = safe.contents.get(&id).map_or(0, Vec::len);
    safe.largest = safe.largest.max(content.len().saturating_sub(before));
    safe.contents.insert(id, content);
}

#[track_caller]
pub(super) fn synced_names(dir: &Path) {
    let Some(watch) = of(dir) else { return };
    if watch.is_without(Location::caller(), true) {
        return;
    }
    let mut safe = watch.safe();
    safe.cut(&watch.root);
    let names = safe.names_in(dir);
    safe.names.insert(dir.to_owned(), names);
}

fn tree(
    root: &Path,
    dir: &Path,
    names: &BTreeMap<PathBuf, Names>,
    contents: &BTreeMap<FileId, Vec<u8>>,
) -> Tree {
    let mut found = Tree::new();
    for (name, id) in names.get(dir).into_iter().flatten() {
        let path = dir.join(name);
        match id {
            Some(id) => {
                let below = path.strip_prefix(root).unwrap().to_owned();
                found.insert(below, contents.get(id).cloned().unwrap_or_default());
            }
            None => found.extend(tree(root, &path, names, contents)),
        }
    }
    found
}
