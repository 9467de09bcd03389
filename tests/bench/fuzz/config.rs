//! Any config file, variable and flag: read or refused with a sentence, and a change of one line leaves the rest.

use std::cell::RefCell;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use ebbtide::config::{
    Environment, Key, Override, Overrides, Settings, Source, set_in_file, unset_in_file,
};
use tempfile::TempDir;

use super::random::Random;

const VALUES: &[&str] = &[
    "1",
    "0",
    "-1",
    "true",
    "false",
    "\"auto\"",
    "\"ask\"",
    "\"\"",
    "18446744073709551615",
    "9223372036854775807",
    "3.5",
    "nan",
    "[]",
    "[\"a\"]",
    "{}",
    "{ a = 1 }",
    "\"http://x\"",
    "\"http://u:p@x\"",
    "2026-01-01",
    "'''x'''",
    "\"\\u0000\"",
    "0x10",
    "off",
];

const PIECES: &[&str] = &[
    "\n",
    "\n",
    " = ",
    "# note\n",
    "[theme]\n",
    "[keys]\n",
    "[colours]\n",
    "[[a]]\n",
    "[a.b]\n",
    "\"",
    "base = \"dark\"\n",
    "\"C-x\" = ",
    "user = \"red\"\n",
    "'",
    "\\",
    "{",
    "}",
];

thread_local! {
    /// One home for each thread: making one costs more than a case.
    static HOME: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Reads a random file with random variables and flags.
pub(crate) fn case(random: &mut Random) {
    HOME.with_borrow_mut(|home| {
        let home = home.get_or_insert_with(|| tempfile::tempdir().expect("a directory"));
        try_in(random, home.path());
    });
}

fn try_in(random: &mut Random, home: &Path) {
    let file = home.join("config.toml");
    let mut text = String::new();
    for _ in 0..random.below(12) {
        match random.below(4) {
            0 => text.push_str(&random.text_of(PIECES, 6)),
            _ => {
                let _ = writeln!(text, "{} = {}", key(random).name(), random.one(VALUES));
            }
        }
    }
    fs::write(&file, &text).expect("the file is written");
    let home_text = home.display().to_string();
    let value = random.one(VALUES).to_owned();
    let variables = [("HOME".to_owned(), home_text), (key(random).variable(), value)];
    let environment: Environment = variables.into_iter().collect();
    let values = (0..random.below(3)).map(|_| {
        let (key, value) = (key(random).name().to_owned(), random.one(VALUES).to_owned());
        Override { key, value, flag: "--set" }
    });
    let overrides = Overrides { values: values.collect(), config_file: Some(file.clone()) };
    let read = |overrides: &Overrides| Settings::load(&environment, overrides);
    match read(&overrides) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(mut settings) => {
            let _ =
                (settings.list(), settings.rules(), settings.note_limits(), settings.timeouts());
            let before = settings.clone();
            if settings.set(key(random).name(), random.one(VALUES), Source::Flag("/set")).is_err() {
                assert!(settings == before, "a refused value has changed a setting: {text:?}");
            }
        }
    }
    edit(random, &file, &text);
}

/// Sets a key in the file and takes it out again.
fn edit(random: &mut Random, file: &Path, text: &str) {
    let (key, value) = (key(random), random.one(VALUES));
    let now = || fs::read_to_string(file).expect("the file is read");
    if set_in_file(file, key, value).is_err() {
        assert!(now() == text, "a refused change of {} has changed the file: {text:?}", key.name());
        return;
    }
    assert!(now().contains(key.name()), "{} is not set: {text:?}", key.name());
    assert!(unset_in_file(file, key).is_ok(), "{} stays: {text:?}", key.name());
}

fn key(random: &mut Random) -> Key {
    random.one(Key::all())
}
