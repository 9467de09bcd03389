//! The specifics of a log beside each other: what is the only one of its name may be told by less than the whole.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::form::short_name;
use crate::specifics::{Kind, Specific, normal};

/// How often each short form of a path or a name stands for one of the log.
pub(super) struct Log<'s> {
    specifics: &'s [Specific],
    short: OnceCell<BTreeMap<String, usize>>,
    bare: OnceCell<BTreeSet<String>>,
}

impl<'s> Log<'s> {
    /// That of some specifics.
    pub(super) fn of(specifics: &'s [Specific]) -> Self {
        Self { specifics, short: OnceCell::new(), bare: OnceCell::new() }
    }

    /// Whether a short form stands for one path or name of the log only.
    pub(super) fn is_sole(&self, short: &str) -> bool {
        self.short.get_or_init(|| self.short_forms()).get(short) == Some(&1)
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
        let last = names.iter().filter_map(|name| Some(name.rsplit_once(' ')?.1));
        let known: BTreeSet<String> = of(Kind::Identifier).map(Specific::key).collect();
        let last = last.chain(known.iter().filter_map(|name| short_name(name)));
        let mut forms = BTreeMap::new();
        for form in paths.iter().flat_map(|path| endings(path)).chain(last) {
            *forms.entry(form.to_owned()).or_default() += 1;
        }
        forms
    }
}

/// The endings of a path that begin at one of its names, longest first, the path itself included.
pub(super) fn endings(path: &str) -> impl Iterator<Item = &str> {
    let inner =
        path.match_indices('/').map(|(at, _)| &path[at + 1..]).filter(|tail| !tail.is_empty());
    std::iter::once(path).chain(inner)
}
