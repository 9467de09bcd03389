//! How commands end: 1 where something failed, 2 where another command line is needed.

use std::fs;

use super::Home;

#[test]
fn what_a_command_names_and_cannot_have_needs_another_command_line() {
    let home = Home::new();
    for name in ["one", "two"] {
        home.run(&["-p", "Hello", "--offline", "-s", name], &[]);
    }
    home.run(&["export", "-s", "one", "one.json"], &[]);
    fs::write(home.path("taken.md"), "mine").unwrap();
    fs::write(home.path("broken.json"), "{").unwrap();
    fs::write(home.path("broken.yaml"), "turns: 3\n").unwrap();
    fs::create_dir(home.path("empty")).unwrap();
    for (line, status) in [
        (&["play", "nosuch"][..], 2),
        (&["play", "empty"], 2),
        (&["play", "broken.yaml"], 1),
        (&["play", "slice-1", "--session", "taken.md"], 2),
        (&["replay", "nosuch"], 2),
        (&["replay", "empty"], 2),
        (&["replay", "--from", "codex"], 2),
        (&["replay", "taken.md"], 1),
        (&["replay", "one.json", "--phases", "nosuch"], 2),
        (&["replay", "one.json", "--phases", "empty"], 2),
        (&["replay", "one.json", "--phases", "broken.json"], 1),
        (&["replay", "one.json", "--svg", "taken.md"], 2),
        (&["replay", "one.json", "--keep", "two"], 2),
        (&["uncompact", "nosuch"], 2),
        (&["uncompact", "empty"], 2),
        (&["uncompact", "broken.json"], 1),
        (&["context", "-s", "one", "--turn", "99"], 2),
        (&["context", "-s", "nosuch"], 2),
        (&["stats", "-s", "nosuch"], 2),
        (&["search", "tea", "-s", "nosuch"], 2),
        (&["search", "-s", "one", "--queries", "nosuch"], 2),
        (&["sessions", "show", "nosuch"], 2),
        (&["sessions", "delete", "nosuch"], 2),
        (&["sessions", "delete", "one"], 2),
        (&["sessions", "rename", "one", "two"], 2),
        (&["sessions", "rename", "one", "a/b"], 2),
        (&["export", "-s", "nosuch"], 2),
        (&["export", "-s", "one", "taken.md"], 2),
        (&["export", "-s", "one", "nosuch/one.md"], 2),
        (&["export", "-s", "one", "empty"], 2),
        (&["import", "nosuch"], 2),
        (&["import", "empty"], 2),
        (&["import", "broken.json"], 1),
        (&["import", "one.json"], 2),
        (&["import", "one.json", "--name", "two"], 2),
        (&["import", "one.json", "--session", "empty"], 2),
        (&["import", "one.json", "--name", "a/b"], 2),
        (&["proof", "data", "nosuch"], 2),
        (&["config", "set", "nosuch", "3"], 2),
        (&["config", "set", "slots", "many"], 2),
        (&["--config", "empty", "config"], 2),
        (&["demo"], 2),
        (&["connect"], 1),
        (&["-p", "/nosuch", "--offline"], 2),
        (&["-p", "Hello", "--offline", "--session", "taken.md"], 2),
        (&["-c", "-p", "Hello", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"], 1),
    ] {
        let (_, err, code) = home.run(line, &[]);
        assert_eq!(code, status, "{line:?}: {err}");
        assert!(err.starts_with("ebbtide: ") || err.contains("\nebbtide: "), "{line:?}: {err}");
    }
    assert_eq!(fs::read_to_string(home.path("taken.md")).unwrap(), "mine");
}
