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
fn the_core_knows_nothing_but_itself() {
    let words = ["crate::", "serde", "tokio", "std::fs", "std::io", "Instant::"];
    let own = |line: &str| line.contains("crate::memory");
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
    let up = ["crate::orchestrator", "crate::tui", "crate::cli", "crate::scenario", "crate::proof"];
    for module in ["store", "recall", "tools", "config", "tokens", "llm", "prompt", "clock"] {
        forbid(module, &up, "this module stands below the orchestrator; return data instead");
    }
    let ours = ["crate::memory", "crate::store", "crate::tools", "crate::config", "crate::recall"];
    forbid("llm", &ours, "the model's side knows only the wire");
    forbid("prompt", &["crate::"], "prompts are texts and know nothing of ours");
    let others = ["crate::store", "crate::llm", "crate::config", "tokio", "std::fs", "serde"];
    forbid("specifics", &others, "texts in, specifics out: pure as the core");
    forbid("specifics", &up, "texts in, specifics out: pure as the core");
    forbid(
        "orchestrator",
        &["crate::tui", "crate::cli", "crate::scenario"],
        "clients know the driver",
    );
    forbid("scenario", &["crate::tui", "crate::cli", "crate::proof"], "a scenario needs no screen");
    forbid(
        "tui",
        &["crate::store", "crate::cli", "std::fs", "reqwest"],
        "the app only shows notices",
    );
}

#[test]
fn only_the_app_and_the_command_line_know_a_terminal() {
    for module in ["memory", "store", "recall", "tools", "llm", "orchestrator", "scenario", "proof"]
    {
        forbid(module, &["ratatui", "crossterm"], "draw in tui::view");
    }
}

#[test]
fn one_file_reads_the_clock() {
    let modules = [
        "memory",
        "store",
        "recall",
        "tools",
        "config",
        "orchestrator",
        "scenario",
        "proof",
        "specifics",
    ];
    for module in modules {
        forbid(module, &["Instant::now", "SystemTime::now", "Timestamp::now"], "use crate::clock");
    }
}

#[test]
fn no_file_is_longer_than_five_hundred_lines() {
    for module in [
        "memory",
        "store",
        "recall",
        "tools",
        "config",
        "llm",
        "tui",
        "cli",
        "orchestrator",
        "specifics",
    ] {
        for file in files(module) {
            let count = fs::read_to_string(&file).unwrap_or_default().lines().count();
            let is_test = file.file_stem().is_some_and(|stem| stem == "tests");
            assert!(is_test || count <= 500, "{} has {count} lines: split it", file.display());
        }
    }
}
