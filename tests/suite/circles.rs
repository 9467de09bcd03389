//! Below one module no file imports what imports it: who reads from the bottom up meets nothing that is told later.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where some still do: mostly parts of one state that call each other. No other module may, and this list only shrinks.
const STILL: [&str; 5] = ["memory", "orchestrator", "orchestrator::recall", "specifics", "tui"];

/// A module as a path, `llm::chat::answer`.
type Module = Vec<String>;

/// All modules with their code, without tests and comments.
fn modules() -> BTreeMap<Module, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut waiting) = (BTreeMap::new(), vec![source.clone()]);
    while let Some(directory) = waiting.pop() {
        for item in fs::read_dir(directory).unwrap() {
            let path = item.unwrap().path();
            let below = path.strip_prefix(&source).unwrap().with_extension("");
            let module: Module =
                below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.iter().any(|part| part == "tests") {
                continue;
            }
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(module, code(&path));
            }
        }
    }
    found
}

fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines().filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n")
}

/// The paths that stand in code, those of `a::{b, c::d}` each for itself.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let (mut open, mut found) = (vec![Vec::new()], Vec::new());
    let is_part = |c: char| c.is_alphanumeric() || "_:".contains(c);
    let mut rest = code;
    while let Some(end) = rest.find(|c| !is_part(c)) {
        let (word, behind) = rest.split_at(end);
        let names = word.split("::").filter(|name| !name.is_empty());
        let path: Vec<&str> = open.last().into_iter().flatten().copied().chain(names).collect();
        let mut behind = behind.chars();
        match behind.next() {
            Some('{') => open.push(if word.ends_with("::") { path } else { Vec::new() }),
            Some('}') if open.len() > 1 => {
                found.push(path);
                open.pop();
            }
            _ => found.push(path),
        }
        rest = behind.as_str();
    }
    found
}

/// A path from the root on, if it is written as one from the root or from a module above.
fn whole(path: &[&str], module: &Module) -> Option<Module> {
    let up = path.iter().take_while(|name| **name == "super").count();
    let root: &[String] = match *path.first()? {
        "crate" => &[],
        "super" => module.get(..module.len() - up.min(module.len()))?,
        _ => return None,
    };
    let names = path[up.max(1)..].iter().map(|name| (*name).to_owned());
    Some(root.iter().cloned().chain(names).collect())
}

/// The modules right below one that are in a circle or lead into one.
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
    loop {
        let known: BTreeSet<&str> = arrows.keys().copied().collect();
        arrows.retain(|_, to| to.iter().any(|to| known.contains(to)));
        if arrows.len() == known.len() {
            return arrows.keys().map(|name| (*name).to_owned()).collect();
        }
    }
}

#[test]
fn imports_below_one_module_run_in_no_circle() {
    let modules = modules();
    let circles = modules.keys().map(|parent| (parent.join("::"), circle(&modules, parent)));
    let new: Vec<(String, Vec<String>)> = circles
        .filter(|(parent, circle)| !circle.is_empty() && !STILL.contains(&&**parent))
        .collect();
    assert!(new.is_empty(), "files below these modules import each other in a circle: {new:#?}");
}
