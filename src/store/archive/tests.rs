use std::fs;

use serde_json::Value;

use super::*;

fn written(archive: &Archive) -> Vec<u8> {
    let mut out = Vec::new();
    archive.write_json(&mut out).unwrap();
    out
}

/// A session with everything that a file can hold.
fn session(root: &Path) -> std::path::PathBuf {
    let dir = root.join("strange");
    fs::create_dir_all(dir.join("efforts")).unwrap();
    fs::create_dir_all(dir.join("scratchpad")).unwrap();
    let write = |path: &str, content: &[u8]| fs::write(dir.join(path), content).unwrap();
    write("session_state.json", b"{\"turn_count\":1}\n");
    write("memory_state.json", b"{ \"spaced\": 1 }");
    write("manifest.yaml", "efforts: []\n# 界\n".as_bytes());
    write("raw.jsonl", b"{\"role\":\"user\",\"content\":\"a\"}\n{ \"b\": 1 }\n\"c\"\nno json\n\n");
    write("journal.jsonl", b"{\"seq\":1}\n{\"torn");
    write("efforts/a.jsonl", b"");
    write("scratchpad/b.txt", b"\xff\x00\x10bytes");
    write("raw.jsonl.torn-1", b"half");
    write("lock", b"42\n");
    write("draft.json", b"{\"draft\":\"/export x.json\"}\n");
    write("notes.json.tmp", b"half");
    dir
}

#[test]
fn every_byte_of_every_file_comes_back() {
    let root = tempfile::tempdir().unwrap();
    let dir = session(root.path());
    let archive = Archive::of(&dir).unwrap();
    let text = written(&archive);
    let again = Archive::from_json(&text).unwrap();
    assert_eq!(again, archive);
    let marked = ["\u{feff}".as_bytes(), &text].concat();
    assert_eq!(Archive::from_json(&marked).unwrap(), archive, "an editor's mark is no part of it");
    let copy = root.path().join("other/place/strange");
    again.unpack(&copy).unwrap();
    for path in ["raw.jsonl", "journal.jsonl", "scratchpad/b.txt", "raw.jsonl.torn-1"] {
        assert_eq!(fs::read(copy.join(path)).unwrap(), fs::read(dir.join(path)).unwrap(), "{path}");
    }
    for path in ["lock", "notes.json.tmp", "draft.json"] {
        assert!(!copy.join(path).exists(), "{path}");
    }
    assert_eq!(written(&Archive::of(&copy).unwrap()), text);
}

#[test]
fn what_exists_is_never_replaced() {
    let root = tempfile::tempdir().unwrap();
    let archive = Archive::of(&session(root.path())).unwrap();
    for (name, make) in [("empty", true), ("strange", false)] {
        let dir = root.path().join(name);
        if make {
            fs::create_dir(&dir).unwrap();
        }
        assert!(matches!(archive.unpack(&dir), Err(ArchiveError::Taken(_))), "{name}");
    }
    let left: Vec<_> = fs::read_dir(root.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_failed_import_leaves_nothing_behind() {
    let root = tempfile::tempdir().unwrap();
    let clash = r#"{"format":"ebbtide-session","version":1,"name":"x","files":[
        {"path":"raw.jsonl","text":""},{"path":"a","text":"file"},{"path":"a/b","text":"below it"}]}"#;
    let archive = Archive::from_json(clash.as_bytes()).unwrap();
    let error = archive.unpack(&root.path().join("x")).unwrap_err();
    assert!(error.to_string().starts_with("cannot write"), "{error}");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn files_that_are_no_export_are_refused_in_a_sentence() {
    let file = |path: &str, content: &str| {
        format!(
            r#"{{"format":"ebbtide-session","version":1,"name":"x","files":[
            {{"path":"raw.jsonl","text":""}},{{"path":{},{content}}}]}}"#,
            Value::from(path)
        )
    };
    let cases = [
        (String::new(), "not JSON (line 1)"),
        ("{\n\"a\":\n".to_owned(), "not JSON (line 3)"),
        ("[]".to_owned(), "\"format\" is not"),
        (r#"{"format":"ebbtide-session"}"#.to_owned(), "\"version\" is no number"),
        (r#"{"format":"ebbtide-session","version":2}"#.to_owned(), "newer Ebbtide (version 2"),
        (r#"{"format":"ebbtide-session","version":1}"#.to_owned(), "\"name\" is missing"),
        (
            r#"{"format":"ebbtide-session","version":1,"name":"x"}"#.to_owned(),
            "none of a session's",
        ),
        (file("../x", "\"text\":\"\""), "\"../x\" cannot be the path"),
        (file("/etc/passwd", "\"text\":\"\""), "cannot be the path"),
        (file("lock", "\"text\":\"\""), "cannot be the path"),
        (file("efforts/../../x", "\"text\":\"\""), "cannot be the path"),
        (file(".hidden", "\"text\":\"\""), "cannot be the path"),
        (file("a\\b", "\"text\":\"\""), "cannot be the path"),
        (file("", "\"text\":\"\""), "cannot be the path"),
        (file("RAW.jsonl", "\"text\":\"\""), "twice"),
        (file("a", "\"text\":1"), "the content of \"a\" makes no sense"),
        (file("a", "\"hex\":\"abc\""), "the content of \"a\" makes no sense"),
        (file("a", "\"lines\":[1]"), "the content of \"a\" makes no sense"),
        (file("a", "\"lines\":[\"two\\nlines\"]"), "the content of \"a\" makes no sense"),
        (file("a", "\"json\":[]"), "the content of \"a\" makes no sense"),
    ];
    for (text, expected) in cases {
        let error = Archive::from_json(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
