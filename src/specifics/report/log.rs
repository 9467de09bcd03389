//! The specifics of a log beside each other: what is the only one of its name may be told by less than the whole.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::form::short_name;
use super::text::holds_word;
use crate::specifics::{Kind, Specific, normal};

/// How often each short form of a path or a name stands for one of the log.
pub(super) struct Log<'s> {
    specifics: &'s [Specific],
    short: OnceCell<BTreeMap<String, usize>>,
    bare: OnceCell<BTreeSet<String>>,
    /// The message that said each name first.
    names: OnceCell<BTreeMap<String, usize>>,
    /// The path that ends with each file's name, `None` where several do.
    longer: OnceCell<BTreeMap<String, Option<&'s Specific>>>,
}

impl<'s> Log<'s> {
    /// That of some specifics.
    pub(super) fn of(specifics: &'s [Specific]) -> Self {
        let (names, longer) = (OnceCell::new(), OnceCell::new());
        Self { specifics, short: OnceCell::new(), bare: OnceCell::new(), names, longer }
    }

    /// Whether a short form stands for one path or name of the log only.
    pub(super) fn is_sole(&self, short: &str) -> bool {
        self.short.get_or_init(|| self.short_forms()).get(short) == Some(&1)
    }

    /// Whether a word was a name by itself before somebody or something was called so with more words: then it may be that
    /// of a place or a firm.
    pub(super) fn names_before(&self, word: &str, one: &Specific) -> bool {
        let first = self.names.get_or_init(|| {
            let mut first = BTreeMap::new();
            for name in self.specifics.iter().filter(|one| one.kind == Kind::Name) {
                first.entry(name.key()).or_insert(name.message);
            }
            first
        });
        first.get(word).is_some_and(|&message| message < one.message)
    }

    /// Whether something of the log is told with a figure behind its name.
    pub(super) fn has_version(&self, name: &str, figure: &str) -> bool {
        let version = format!("{name} {figure}");
        let has = |text: &str| {
            let lower = text.to_lowercase();
            holds_word(&lower, &version, |_, _| true)
        };
        self.specifics.iter().any(|one| one.text.contains(figure) && has(&one.text))
    }

    /// The only longer path of the log that ends with a file's name.
    pub(super) fn longer(&self, file: &str) -> Option<&'s Specific> {
        let longer = self.longer.get_or_init(|| {
            let mut longer: BTreeMap<String, Option<&'s Specific>> = BTreeMap::new();
            for path in self.specifics.iter().filter(|one| one.kind == Kind::Path) {
                if let Some((_, file)) = normal::path(&path.text).rsplit_once('/') {
                    // Of several none is meant.
                    let seen = longer.contains_key(file);
                    longer.insert(file.to_owned(), (!seen).then_some(path));
                }
            }
            longer
        });
        longer.get(file).copied().flatten()
    }

    /// Whether a path stands in the log without a line of it as well: then the line is where a program met it.
    pub(super) fn names_bare(&self, path: &str) -> bool {
        self.bare.get_or_init(|| self.bare_paths()).contains(path)
    }

    fn bare_paths(&self) -> BTreeSet<String> {
        let paths = self.specifics.iter().filter(|one| one.kind == Kind::Path);
        let bare = paths.filter(|one| normal::line(&one.text).is_none());
        bare.map(|one| normal::path(&one.text)).collect()
    }

    fn short_forms(&self) -> BTreeMap<String, usize> {
        let of = |kind| self.specifics.iter().filter(move |one| one.kind == kind);
        let mut paths: Vec<String> = of(Kind::Path).map(|one| normal::path(&one.text)).collect();
        paths.sort();
        paths.dedup();
        // A path that is the ending of another one is the same file, told from nearer by.
        let longer: BTreeSet<&str> = paths.iter().flat_map(|path| endings(path).skip(1)).collect();
        let ends: Vec<bool> = paths.iter().map(|path| longer.contains(path.as_str())).collect();
        let mut ends = ends.into_iter();
        paths.retain(|_| !ends.next().unwrap_or_default());
        let names: Vec<String> = of(Kind::Name).map(Specific::key).collect();
        // `Dr Vos` is no other one than `Dr. Anneke Vos`.
        let full: BTreeSet<&str> =
            names.iter().filter(|name| !is_titled(name)).filter_map(|name| last(name)).collect();
        let is_other = |name: &&String| {
            !is_titled(name) || last(name).is_some_and(|last| !full.contains(last))
        };
        let last = names.iter().filter(is_other).filter_map(|name| last(name));
        let known: BTreeSet<String> = of(Kind::Identifier).map(Specific::key).collect();
        let last = last.chain(known.iter().filter_map(|name| short_name(name)));
        let mut forms = BTreeMap::new();
        for form in paths.iter().flat_map(|path| endings(path)).chain(last) {
            *forms.entry(form.to_owned()).or_default() += 1;
        }
        forms
    }
}

/// The last word of a name that has several.
fn last(name: &str) -> Option<&str> {
    Some(name.rsplit_once(' ')?.1)
}

/// Whether only titles stand in front of the last word of a name.
fn is_titled(name: &str) -> bool {
    const TITLES: [&str; 9] = ["dr", "frau", "herr", "herrn", "mr", "mrs", "ms", "prof", "sir"];
    name.rsplit_once(' ').is_some_and(|(titles, _)| {
        titles.split(' ').all(|title| TITLES.contains(&title.trim_end_matches('.')))
    })
}

/// The endings of a path that begin at one of its names, longest first, the path itself included.
pub(super) fn endings(path: &str) -> impl Iterator<Item = &str> {
    let inner =
        path.match_indices('/').map(|(at, _)| &path[at + 1..]).filter(|tail| !tail.is_empty());
    std::iter::once(path).chain(inner)
}
