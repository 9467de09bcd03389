//! Which module may know which: the arrows point one way (see the crate's documentation).

use std::fs;
use std::path::PathBuf;

use crate::support::sources::{self, Module, paths, whole};

/// The files of a module outside the tests: `src/NAME.rs` and `src/NAME/**`.
fn files(module: &str) -> Vec<(Module, PathBuf)> {
    let parts: Module = module.split('/').map(str::to_owned).collect();
    let all = sources::modules().into_iter();
    all.filter(|(file, _)| file.starts_with(&parts)).collect()
}

/// The modules on the map at the head of the crate's documentation, without some of them.
fn modules_but(others: &[&str]) -> Vec<String> {
    let text = fs::read_to_string(sources::root().join("lib.rs")).unwrap();
    let map = text.lines().take_while(|line| !line.starts_with("//! Arrows"));
    let names =
        map.flat_map(|line| line.split("[`").skip(1).filter_map(|rest| rest.split_once("`]")));
    names.map(|(name, _)| name.to_owned()).filter(|name| !others.contains(&&**name)).collect()
}

/// The lines of a module outside its tests and comments, with their file.
fn lines(module: &str) -> Vec<(PathBuf, String)> {
    let lines = files(module).into_iter().flat_map(|(_, file)| {
        let code = sources::code(&file);
        code.lines().map(|line| (file.clone(), line.to_owned())).collect::<Vec<_>>()
    });
    lines.collect()
}

/// The paths of a module outside its tests, one from a module above or in a group as if it were written from the root on,
/// with their file.
fn names(module: &str) -> Vec<(PathBuf, String)> {
    let names = files(module).into_iter().flat_map(|(module, file)| {
        let code = sources::code(&file);
        let from_root = |path: Vec<&str>| match whole(&path, &module) {
            Some(path) => format!("crate::{}", path.join("::")),
            None => path.join("::"),
        };
        let names: Vec<String> = paths(&code).into_iter().map(from_root).collect();
        names.into_iter().map(move |name| (file.clone(), name))
    });
    names.collect()
}

/// Whether a path is that of a module, or of something in it.
fn is_of(name: &str, module: &str) -> bool {
    name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Whether a path leads out of a top module into another one of the program.
fn leads_out(name: &str, module: &str) -> bool {
    let to = name.strip_prefix("crate::").unwrap_or_default();
    !to.is_empty() && !is_of(to, module)
}

#[track_caller]
fn forbid(module: &str, words: &[&str], why: &str) {
    for (file, name) in names(module) {
        for word in words {
            let is_it = match *word {
                "crate::" => leads_out(&name, module),
                _ => name.contains(word) && (!word.starts_with("crate::") || is_of(&name, word)),
            };
            assert!(!is_it, "{}: '{name}': {why}", file.display());
        }
    }
}

#[test]
fn two_calls_that_give_memory_back_alone_are_unsafe() {
    let unsafe_lines = |module: &String| {
        let found = lines(module).into_iter().filter(|(_, line)| line.contains("unsafe"));
        found.map(|(_, line)| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(unsafe_lines(&"heap".to_owned()).len(), 4);
    let all = modules_but(&[]).iter().flat_map(unsafe_lines).collect::<Vec<_>>().join("\n");
    assert_eq!(all.matches("unsafe {").count(), 2, "{all}");
    assert_eq!(all.matches("unsafe_code").count(), 2, "{all}");
}

#[test]
fn the_map_names_every_module_once() {
    let text = fs::read_to_string(sources::root().join("lib.rs")).unwrap();
    let declared = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut map = modules_but(&[]);
    map.sort();
    assert_eq!(map, declared.collect::<Vec<_>>());
}

#[test]
fn the_core_knows_nothing_but_itself() {
    let words = ["crate::", "serde", "tokio", "std::fs", "std::io", "Instant::"];
    // How numbers are written, for people and as bytes, what steers a terminal, what letters and lines are, and how locks
    // are taken, are leaves.
    let leaves = ["counted", "varint", "escapes", "letters", "lines", "lock"]
        .map(|leaf| format!("crate::{leaf}"));
    let ours: Vec<&str> = leaves.iter().map(String::as_str).chain(["crate::memory"]).collect();
    for (file, name) in names("memory") {
        let is_foreign = |word: &&str| match *word {
            "crate::" => leads_out(&name, "memory"),
            word => name.contains(word),
        };
        let foreign = words.iter().any(is_foreign);
        assert!(
            !foreign || ours.iter().any(|ours| is_of(&name, ours)),
            "{}: '{name}': the core is pure; let the driver hand in what it needs",
            file.display()
        );
    }
}

#[test]
fn arrows_point_one_way() {
    let upper = ["orchestrator", "tui", "scenario", "proof", "replay", "scale", "cli"];
    let up = upper.map(|module| format!("crate::{module}"));
    let up: Vec<&str> = up.iter().map(String::as_str).collect();
    for module in modules_but(&upper) {
        forbid(&module, &up, "this module stands below the orchestrator; return data instead");
    }
    let ours = ["crate::memory", "crate::store", "crate::tools", "crate::config", "crate::recall"];
    forbid("llm", &ours, "the model's side knows only the wire");
    forbid("prompt", &["crate::"], "prompts are texts and know nothing of ours");
    let foreign = ["crate::", "serde", "tokio", "std::fs", "std::io", "Instant::"];
    forbid("bill", &foreign, "tokens in, sums out: whoever sends the requests hands them in");
    let others = ["crate::store", "crate::llm", "crate::config", "tokio", "std::fs", "serde"];
    forbid("specifics", &others, "texts in, specifics out: pure as the core");
    let read = ["crate::memory", "crate::store", "crate::llm", "crate::config", "std::fs", "tokio"];
    forbid("read", &read, "bytes in, events out: whoever asks opens the files");
    for leaf in [
        "address", "clock", "chunk", "nearest", "fuzzy", "heap", "home", "random", "counted",
        "plain", "escapes", "letters", "lines", "fence", "secret", "varint", "lock", "xml",
        "tools",
    ] {
        forbid(leaf, &["crate::"], "a leaf knows nobody");
    }
    forbid("orchestrator", &up[1..], "clients know the driver");
    for (leaf, known) in [("text", "escapes"), ("beside", "lock"), ("shell", "letters")] {
        let others = modules_but(&[leaf, known]).into_iter();
        let others: Vec<String> = others.map(|module| format!("crate::{module}")).collect();
        let others: Vec<&str> = others.iter().map(String::as_str).collect();
        forbid(leaf, &others, &format!("a leaf that knows {known}, and nothing else"));
    }
    forbid("scenario", &["crate::tui", "crate::cli", "crate::proof"], "a scenario needs no screen");
    for client in ["proof", "replay", "scale"] {
        forbid(client, &["crate::tui", "crate::cli"], "a client needs no other one");
    }
    forbid("tui", &["crate::store", "crate::cli", "reqwest"], "the app only shows notices");
    forbid("tui", &["std::fs"], "the app reads no files");
}

/// The wings of the store, each of which knows only those before it.
const WINGS: [&str; 11] = [
    "disk", "record", "journal", "manifest", "log", "history", "ledger", "turn", "open",
    "sessions", "archive",
];

#[test]
fn the_wings_of_the_store_point_one_way() {
    let path = |wing: &str| format!("crate::store::{wing}");
    for (at, wing) in WINGS.iter().enumerate() {
        let later: Vec<String> = WINGS[at + 1..].iter().map(|later| path(later)).collect();
        let later: Vec<&str> = later.iter().map(String::as_str).collect();
        forbid(&format!("store/{wing}"), &later, "a wing knows only those before it");
    }
    let wings = WINGS.map(path);
    let others: Vec<&str> = wings.iter().skip(2).map(String::as_str).collect();
    forbid("store/scratchpad", &others, "it stands by itself, on the disk and the records");
}

#[test]
fn only_the_app_and_the_command_line_know_a_terminal() {
    for module in modules_but(&["tui", "cli", "text"]) {
        forbid(&module, &["ratatui", "crossterm"], "draw in tui::view");
    }
}

#[test]
fn whoever_prints_is_handed_the_streams() {
    for module in modules_but(&[]) {
        forbid(&module, &["io::stderr"], "tell it to the streams that are handed in");
    }
}

#[test]
fn one_file_reads_the_clock() {
    // These wait for servers and keys.
    for module in modules_but(&["clock", "llm", "tui", "cli"]) {
        forbid(&module, &["Instant::now", "SystemTime::now", "Timestamp::now"], "use crate::clock");
    }
}

#[test]
fn no_file_is_longer_than_five_hundred_lines() {
    for module in modules_but(&[]) {
        for (_, file) in files(&module) {
            let count = fs::read_to_string(&file).unwrap().lines().count();
            assert!(count <= 500, "{} has {count} lines: split it", file.display());
        }
    }
}

/// Where what is said of a public item may still begin so.
const POINTING: [&str; 1] = ["recall"];

#[test]
fn what_is_said_of_a_public_item_does_not_begin_with_its_neighbour() {
    for (module, path) in sources::modules() {
        let module = module.join("/");
        if POINTING.iter().any(|folder| module.starts_with(folder)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let is_doc = |line: &&str| line.starts_with("///");
        for (at, line) in lines.iter().enumerate() {
            let is_first = at == 0 || !is_doc(&lines[at - 1]);
            let points = ["/// The same", "/// Those"].iter().any(|word| line.starts_with(word));
            let mut rest = lines[at..].iter();
            let item = rest.find(|line| !is_doc(line) && !line.starts_with("#["));
            let is_public = item.is_some_and(|item| item.starts_with("pub "));
            assert!(
                !(is_first && points && is_public),
                "{module}: '{line}': the documentation shows each item alone; name what it is about"
            );
        }
    }
}

/// The string literals of a Rust source, without its comments and its unit tests.
fn literals(source: &str) -> Vec<String> {
    let code: String = sources::without_tests(source)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.replace("'\"'", "").replace("'\\\"'", "") + "\n")
        .collect();
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(start) = rest.find('"') {
        let hashes = rest[..start].chars().rev().take_while(|c| *c == '#').count();
        let is_raw = rest[..start - hashes].ends_with('r');
        let body = &rest[start + 1..];
        let end = if is_raw {
            body.find(&format!("\"{}", "#".repeat(hashes)))
        } else {
            let quotes = body.match_indices('"').map(|(at, _)| at);
            let backslashes =
                |at: usize| body[..at].chars().rev().take_while(|c| *c == '\\').count();
            quotes.into_iter().find(|at| backslashes(*at).is_multiple_of(2))
        };
        let end = end.unwrap_or(body.len());
        found.push(body[..end].to_owned());
        rest = body.get(end + 1..).unwrap_or_default();
    }
    found
}

#[test]
fn no_text_names_a_key_by_hand() {
    for (module, path) in sources::modules() {
        let module = module.join("/");
        // The table itself, and the example of how keys are written into the config file.
        if module.starts_with("tui/keymap") || module == "config/file" {
            continue;
        }
        for text in literals(&fs::read_to_string(&path).unwrap()) {
            let key = text.split(|c: char| !c.is_alphanumeric() && c != '+').find(|word| {
                let is_function_key = word.strip_prefix('F').is_some_and(|number| {
                    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
                });
                let names = ["Esc", "Enter", "Tab", "PgUp", "PgDn", "Backspace", "Up"];
                let modified = ["Ctrl+", "Alt+", "Shift+"];
                is_function_key
                    || names.contains(word)
                    || modified.iter().any(|modifier| word.starts_with(modifier))
            });
            // Words of one letter are keys in what the screen says, but for the article and the seconds.
            let is_letter = |word: &&str| matches!(word.as_bytes(), [b'b'..=b'r' | b't'..=b'z']);
            let mut words = text.split(' ').map(|word| word.trim_end_matches([',', '.', ':']));
            let letter =
                words.find(is_letter).filter(|word| module.starts_with("tui") && text != *word);
            assert_eq!(key.or(letter), None, "{module}: {text:?}: take the key from the keymap");
        }
    }
}
