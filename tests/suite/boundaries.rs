//! Which module may know which: the arrows point one way (see the crate's documentation).

use std::fs;
use std::path::{Path, PathBuf};

/// All source files below a module: `src/NAME.rs` and `src/NAME/**`.
fn files(module: &str) -> Vec<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = vec![source.join(format!("{module}.rs"))];
    let mut waiting = vec![source.join(module)];
    while let Some(directory) = waiting.pop() {
        for item in fs::read_dir(directory).into_iter().flatten() {
            let path = item.unwrap().path();
            if path.is_dir() { waiting.push(path) } else { found.push(path) }
        }
    }
    found
}

/// The modules on the map at the head of the crate's documentation, without some of them.
fn modules_but(others: &[&str]) -> Vec<String> {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(library).unwrap();
    let map = text.lines().take_while(|line| !line.starts_with("//! Arrows"));
    let names =
        map.flat_map(|line| line.split("[`").skip(1).filter_map(|rest| rest.split_once("`]")));
    names.map(|(name, _)| name.to_owned()).filter(|name| !others.contains(&&**name)).collect()
}

/// The lines of a module outside its tests and comments, with their file.
fn lines(module: &str) -> Vec<(PathBuf, String)> {
    let mut lines = Vec::new();
    for file in files(module) {
        let is_test = file.components().any(|part| part.as_os_str() == "tests")
            || file.file_stem().is_some_and(|stem| stem == "tests");
        let text = if is_test { String::new() } else { fs::read_to_string(&file).unwrap() };
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.extend(code.map(|line| (file.clone(), line.to_owned())));
    }
    lines
}

#[track_caller]
fn forbid(module: &str, words: &[&str], why: &str) {
    for (file, line) in lines(module) {
        for word in words {
            assert!(!line.contains(word), "{}: '{}': {why}", file.display(), line.trim());
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
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let text = fs::read_to_string(library).unwrap();
    let declared = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let mut map = modules_but(&[]);
    map.sort();
    assert_eq!(map, declared.collect::<Vec<_>>());
}

#[test]
fn the_core_knows_nothing_but_itself() {
    let words = ["crate::", "serde", "tokio", "std::fs", "std::io", "Instant::"];
    // How numbers are written, for people and as bytes, and what steers a terminal, are leaves that readers use too.
    let ours = ["crate::memory", "crate::counted", "crate::varint", "crate::escapes"];
    let own = |line: &str| ours.iter().any(|ours| line.contains(ours));
    for (file, line) in lines("memory") {
        let foreign = words.iter().find(|word| line.contains(**word));
        assert!(
            foreign.is_none() || own(&line),
            "{}: '{}': the core is pure; let the driver hand in what it needs",
            file.display(),
            line.trim()
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
        "clock", "chunk", "nearest", "fuzzy", "heap", "random", "counted", "plain", "escapes",
        "secret", "varint", "beside",
    ] {
        forbid(leaf, &["crate::"], "a leaf knows nobody");
    }
    forbid("orchestrator", &up[1..], "clients know the driver");
    let but_escapes = modules_but(&["text", "escapes"]).into_iter();
    let but_escapes: Vec<String> = but_escapes.map(|module| format!("crate::{module}")).collect();
    let but_escapes: Vec<&str> = but_escapes.iter().map(String::as_str).collect();
    forbid("text", &but_escapes, "a leaf that knows what steers a terminal, and nothing else");
    forbid("scenario", &["crate::tui", "crate::cli", "crate::proof"], "a scenario needs no screen");
    for client in ["proof", "replay", "scale"] {
        forbid(client, &["crate::tui", "crate::cli"], "a client needs no other one");
    }
    forbid("tui", &["crate::store", "crate::cli", "reqwest"], "the app only shows notices");
    forbid("tui", &["std::fs"], "the app reads no files");
}

/// The wings of the store, each of which knows only those before it.
const WINGS: [&str; 10] = [
    "disk", "record", "journal", "manifest", "log", "history", "ledger", "turn", "open", "sessions",
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
    let others: Vec<&str> = wings.iter().skip(1).map(String::as_str).collect();
    for alone in ["archive", "scratchpad"] {
        forbid(&format!("store/{alone}"), &others, "it stands by itself, on the disk");
    }
}

#[test]
fn only_the_app_and_the_command_line_know_a_terminal() {
    for module in modules_but(&["tui", "cli", "text"]) {
        forbid(&module, &["ratatui", "crossterm"], "draw in tui::view");
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
        for file in files(&module) {
            let count = fs::read_to_string(&file).unwrap_or_default().lines().count();
            let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
            assert!(is_test || count <= 500, "{} has {count} lines: split it", file.display());
        }
    }
}

/// The string literals of a Rust source, without its comments and its unit tests.
fn literals(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: String = code
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
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut waiting = vec![source.clone()];
    while let Some(directory) = waiting.pop() {
        for item in fs::read_dir(directory).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let below = path.strip_prefix(&source).unwrap().to_string_lossy().into_owned();
            // The table itself, and the example of how keys are written into the config file.
            let is_table = below.starts_with("tui/keymap") || below == "config/file.rs";
            if is_table || below.ends_with("tests.rs") || below.contains("/tests/") {
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
                assert_eq!(key, None, "{below}: {text:?}: take the key from the keymap");
            }
        }
    }
}
