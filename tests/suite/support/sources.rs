//! The program's own source files, as the tests of its structure read them: without unit tests and comments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module as a path, `llm::chat::answer`.
pub(crate) type Module = Vec<String>;

/// The directory of the sources.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All modules outside the tests, each with its file.
pub(crate) fn modules() -> BTreeMap<Module, PathBuf> {
    let (mut found, mut waiting) = (BTreeMap::new(), vec![root()]);
    while let Some(directory) = waiting.pop() {
        for item in fs::read_dir(directory).unwrap() {
            let path = item.unwrap().path();
            let below = path.strip_prefix(root()).unwrap().with_extension("");
            let module: Module =
                below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.iter().any(|part| part == "tests") {
                continue;
            }
            if path.is_dir() {
                waiting.push(path);
            } else {
                found.insert(module, path);
            }
        }
    }
    found
}

/// A source without its unit tests: those in the same file stand at its end, those in a file of their own are declared at
/// its head, in front of the code.
pub(crate) fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// The code of a file, its comments left out.
pub(crate) fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = without_tests(&text).lines();
    lines.filter_map(|line| line.split("//").next()).collect::<Vec<_>>().join("\n")
}

/// The paths that stand in code, those of `a::{b, c::d}` each for itself.
pub(crate) fn paths(code: &str) -> Vec<Vec<&str>> {
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
pub(crate) fn whole(path: &[&str], module: &Module) -> Option<Module> {
    let up = path.iter().take_while(|name| **name == "super").count();
    let root: &[String] = match *path.first()? {
        "crate" => &[],
        "super" => module.get(..module.len() - up.min(module.len()))?,
        _ => return None,
    };
    let names = path[up.max(1)..].iter().map(|name| (*name).to_owned());
    Some(root.iter().cloned().chain(names).collect())
}

#[test]
fn a_file_whose_tests_stand_beside_it_is_read_to_its_end() {
    let source = "#[cfg(test)]\nmod tests;\n\nuse crate::{a, b::c};\n\n#[cfg(test)]\nmod tests {\n    use crate::d;\n}\n";
    let module = vec!["e".to_owned()];
    let read = paths(without_tests(source));
    let read: Vec<String> =
        read.iter().filter_map(|path| Some(whole(path, &module)?.join("::"))).collect();
    assert_eq!(read, ["a", "", "b::c"]);
    let app = code(&root().join("tui/app.rs"));
    assert!(app.lines().any(|line| line.starts_with("use crate::")), "{app}");
}
