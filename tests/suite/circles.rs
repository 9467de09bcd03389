//! Below one module no file imports what imports it: who reads from the bottom up meets nothing that is told later.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::sources::{self, Module, paths, whole};

/// Where some still do, and which: mostly parts of one state that call each other. No other may, and whatever has left a
/// circle leaves this list, so that it only shrinks.
const STILL: [(&str, &str); 2] = [
    (
        "memory",
        "ambient budget change compression effort lifecycle metrics note pieces recalled reference rejected scratchpad \
         tier turn view window",
    ),
    (
        "orchestrator",
        "answer billing compress counting drafts driver earlier gatekeeper handle inspector intake loading \
         memory_requests notice past recall turn versus",
    ),
];

/// All modules with their code, without tests and comments.
fn modules() -> BTreeMap<Module, String> {
    sources::modules().into_iter().map(|(module, path)| (module, sources::code(&path))).collect()
}

/// The modules right below one that are in a circle, in the order of the alphabet.
fn circle(modules: &BTreeMap<Module, String>, parent: &Module) -> Vec<String> {
    let at = parent.len();
    let below: Vec<(&Module, &String)> =
        modules.iter().filter(|(one, _)| one.starts_with(parent) && one.len() > at).collect();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    // What the module hands on of those below it is theirs.
    let statements = modules.get(parent).into_iter().flat_map(|code| code.split(';'));
    let uses = statements.filter_map(|one| one.split_once("use "));
    let uses: String = uses.flat_map(|(_, used)| [used, ";"]).collect();
    for path in paths(&uses) {
        if let [child, .., name] = path[..]
            && below.iter().any(|(one, _)| one[at] == child)
        {
            names.insert(name, child);
        }
    }
    names.extend(below.iter().map(|(one, _)| (one[at].as_str(), one[at].as_str())));
    let mut arrows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (one, code) in &below {
        let from = one[at].as_str();
        for path in paths(code).iter().filter_map(|path| whole(path, one)) {
            let to = path.strip_prefix(parent.as_slice()).and_then(|rest| rest.first());
            if let Some(to) = to.and_then(|to| names.get(to.as_str())).filter(|to| **to != from) {
                arrows.entry(from).or_default().insert(to);
            }
        }
    }
    let reaches_itself = |from: &&str| {
        let (mut reached, mut waiting) = (BTreeSet::new(), vec![*from]);
        while let Some(at) = waiting.pop() {
            let to = arrows.get(at).into_iter().flatten();
            waiting.extend(to.filter(|to| reached.insert(**to)));
        }
        reached.contains(from)
    };
    arrows.keys().copied().filter(reaches_itself).map(str::to_owned).collect()
}

#[test]
fn imports_below_one_module_run_in_no_circle() {
    let modules = modules();
    let circles = modules.keys().map(|parent| (parent.join("::"), circle(&modules, parent)));
    let circles: Vec<(String, String)> = circles
        .filter(|(_, circle)| !circle.is_empty())
        .map(|(parent, circle)| (parent, circle.join(" ")))
        .collect();
    let known = STILL.map(|(parent, circle)| (parent.to_owned(), circle.to_owned()));
    assert_eq!(circles, known, "files below these modules import each other in a circle");
}
