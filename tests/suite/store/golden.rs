//! A journal with every kind of line, kept as it was written once: whoever changes how lines are written or read
//! sees here that every byte and every answer is as it was.
//!
//! `tests/fixtures/journal/` holds the session that [`life`] lives, with the digits of the clock replaced, and in
//! `older.jsonl` lines that older and other programs wrote, and broken ones. `EBBTIDE_WRITE_GOLDEN=1 cargo test
//! --test suite golden` writes the session anew.

mod answers;
mod life;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

/// A moment of the clock, as it stands in the fixture.
const STAMP: &str = "2026-01-01T10:00:00Z";

/// The files that a life leaves.
const FILES: [&str; 8] = [
    "journal.jsonl",
    "raw.jsonl",
    "manifest.yaml",
    "memory_state.json",
    "session_state.json",
    "efforts/auth-bug.jsonl",
    "efforts/guild.jsonl",
    "efforts/old-trip.jsonl",
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/journal").join(name)
}

/// The same text with every moment of the clock replaced by one, byte for byte.
fn at_one_moment(text: &str) -> String {
    let is_stamp = |part: &str| {
        let fits = |(one, other): (char, char)| {
            one == other || (one.is_ascii_digit() && other.is_ascii_digit())
        };
        part.len() == STAMP.len() && part.chars().zip(STAMP.chars()).all(fits)
    };
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(sign) = rest.chars().next() {
        if rest.get(..STAMP.len()).is_some_and(is_stamp) {
            out.push_str(STAMP);
            rest = &rest[STAMP.len()..];
        } else {
            out.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
    }
    out
}

/// A copy of the session, with the lines of older and other programs behind its own.
fn session() -> TempDir {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("efforts")).unwrap();
    for name in FILES {
        fs::copy(fixture(name), dir.path().join(name)).unwrap();
    }
    fs::create_dir(dir.path().join("scratchpad")).unwrap();
    for file in fs::read_dir(fixture("scratchpad")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), dir.path().join("scratchpad").join(file.file_name())).unwrap();
    }
    let path = dir.path().join("journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    let older = fs::read_to_string(fixture("older.jsonl")).unwrap();
    fs::write(path, journal + &older).unwrap();
    dir
}

fn kinds(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter_map(|line| Some(line.get("kind")?.as_str()?.to_owned())).collect()
}

#[test]
fn every_byte_is_written_as_it_was() {
    let dir = tempdir().unwrap();
    life::live(dir.path());
    if std::env::var_os("EBBTIDE_WRITE_GOLDEN").is_some() {
        fs::create_dir_all(fixture("efforts")).unwrap();
        fs::create_dir_all(fixture("scratchpad")).unwrap();
        let pad = fs::read_dir(dir.path().join("scratchpad")).unwrap();
        let pad = pad.map(|file| format!("scratchpad/{}", file.unwrap().file_name().display()));
        for name in FILES.map(str::to_owned).into_iter().chain(pad) {
            let text = fs::read_to_string(dir.path().join(&name)).unwrap();
            fs::write(fixture(&name), at_one_moment(&text)).unwrap();
        }
    }
    for name in FILES {
        let written = at_one_moment(&fs::read_to_string(dir.path().join(name)).unwrap());
        let golden = fs::read_to_string(fixture(name)).unwrap();
        let same = written.lines().zip(golden.lines()).take_while(|(one, other)| one == other);
        let at = same.count();
        let lines = (written.lines().nth(at), golden.lines().nth(at));
        assert!(written == golden, "{name}, line {}: {lines:#?}", at + 1);
    }
}

#[test]
fn the_journal_holds_every_kind_of_line() {
    let journal = fs::read_to_string(fixture("journal.jsonl")).unwrap();
    assert_snapshot!(kinds(&journal).into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn what_is_loaded_is_as_it_was() {
    assert_snapshot!("golden_loaded", answers::loaded(session().path()));
}

#[test]
fn what_is_loaded_without_derived_files_is_as_it_was() {
    let dir = session();
    for name in ["manifest.yaml", "session_state.json", "memory_state.json"] {
        fs::remove_file(dir.path().join(name)).unwrap();
    }
    assert_snapshot!("golden_rebuilt", answers::loaded(dir.path()));
}

#[test]
fn undo_and_redo_walk_as_they_did() {
    assert_snapshot!("golden_undo", answers::undo_and_redo(session().path()));
}

#[test]
fn the_journal_reads_as_it_did() {
    assert_snapshot!("golden_journal", answers::journal(session().path()));
}

#[test]
fn the_changes_of_one_item_read_as_they_did() {
    assert_snapshot!("golden_changes", answers::changes(session().path()));
}

#[test]
fn the_transcript_reads_as_it_did() {
    assert_snapshot!("golden_transcript", answers::transcript(session().path()));
}

#[test]
fn every_turn_of_the_past_looks_as_it_did() {
    assert_snapshot!("golden_past", answers::past(session().path()));
}

#[test]
fn a_look_and_the_list_of_sessions_tell_what_they_told() {
    assert_snapshot!("golden_looked", answers::looked(session().path()));
}

#[test]
fn an_export_is_as_it_was() {
    assert_snapshot!("golden_export", answers::exported(session().path()));
}
