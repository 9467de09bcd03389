//! Paths of which several are one file: `/srv/app/src/pool.rs`, `src/pool.rs` and `pool.rs`.

use std::collections::{BTreeMap, BTreeSet};

use crate::specifics::{Kind, Report, Specific};

/// A report in which each file is told once, in the longest way to it: it is kept if that is kept in any form. A line of it is
/// told by itself where the file alone is kept.
pub(super) fn each_path_once(report: &Report) -> Report {
    let all = || report.kept.iter().chain(&report.missing);
    let paths: BTreeSet<&str> = all().filter(|one| is_path(one)).map(text).collect();
    let mut wholes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for whole in &paths {
        for end in ends(whole).filter(|end| paths.contains(end)) {
            wholes.entry(end).or_default().insert(whole);
        }
    }
    let kept: BTreeSet<&str> = report.kept.iter().filter(|one| is_path(one)).map(text).collect();
    // Of several files that end the same it is not known which is kept.
    let sole = |end: &&str| {
        let longest = wholes.get(end)?.iter().filter(|whole| !wholes.contains_key(**whole));
        let [sole] = longest.copied().collect::<Vec<_>>()[..] else { return None };
        Some(sole)
    };
    let kept: BTreeSet<&str> = kept.iter().filter_map(sole).chain(kept.iter().copied()).collect();
    // Whether a line of a file is kept.
    let mut lines: BTreeMap<&str, bool> = BTreeMap::new();
    for whole in &paths {
        for file in without_line(whole) {
            *lines.entry(file).or_default() |= kept.contains(whole);
        }
    }
    let is_told = |path: &str| {
        let by_line = |is_kept: &bool| *is_kept || !kept.contains(path);
        wholes.contains_key(path) || lines.get(path).is_some_and(by_line)
    };
    let told = |one: &&Specific| !is_path(one) || !is_told(&one.text);
    let is_kept = |one: &&Specific| is_path(one) && kept.contains(&*one.text);
    let late = report.missing.iter().filter(told).filter(is_kept);
    let mut kept_once: Vec<Specific> =
        report.kept.iter().filter(told).chain(late).cloned().collect();
    kept_once.sort_by_key(|one| one.message);
    Report {
        kept: kept_once,
        missing: report.missing.iter().filter(told).filter(|one| !is_kept(one)).cloned().collect(),
    }
}

/// A list without the paths that are told by a longer one of it.
pub(super) fn longest(list: Vec<Specific>) -> Vec<Specific> {
    each_path_once(&Report { kept: Vec::new(), missing: list }).missing
}

fn is_path(one: &Specific) -> bool {
    one.kind == Kind::Path
}

fn text(one: &Specific) -> &str {
    &one.text
}

/// What stands behind each slash of a path, of Windows too.
fn ends(whole: &str) -> impl Iterator<Item = &str> {
    whole.match_indices(['/', '\\']).map(move |(at, sign)| &whole[at + sign.len()..])
}

/// A path up to each colon: the file of `src/a.rs:42`.
fn without_line(whole: &str) -> impl Iterator<Item = &str> {
    whole.match_indices(':').map(move |(at, _)| &whole[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_once_and_kept_if_any_form_of_it_is() {
        let paths = |list: &str| -> Vec<Specific> {
            let one = |text: &str| Specific { kind: Kind::Path, text: text.to_owned(), message: 0 };
            list.split_whitespace().map(one).collect()
        };
        for (kept, missing, told_kept, told_missing) in [
            ("/a/b/c.rs c.rs", "", "/a/b/c.rs", ""),
            ("c.rs", "/a/b/c.rs b/c.rs", "/a/b/c.rs", ""),
            ("/a/b/c.rs", "c.rs /d.rs", "/a/b/c.rs", "/d.rs"),
            ("", "/a/b/c.rs b/c.rs", "", "/a/b/c.rs"),
            ("win.cs", r"C:\src\win.cs src\win.cs", r"C:\src\win.cs", ""),
            // Which of two it is nobody knows.
            ("c.rs", "/a/c.rs /b/c.rs", "", "/a/c.rs /b/c.rs"),
            ("c.rs", "c.rs:42", "c.rs", "c.rs:42"),
            ("c.rs:42", "c.rs", "c.rs:42", ""),
            ("", "c.rs c.rs:42", "", "c.rs:42"),
        ] {
            let report = Report { kept: paths(kept), missing: paths(missing) };
            let told = Report { kept: paths(told_kept), missing: paths(told_missing) };
            assert_eq!(each_path_once(&report), told, "{kept} | {missing}");
        }
    }
}
