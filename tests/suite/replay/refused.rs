//! What is no conversation, comes by other ways than a file, or is told to nobody.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use super::home;
use crate::cli::Home;
use crate::support::program::copy_program;

#[test]
fn a_single_file_that_is_no_conversation_is_refused_with_what_to_do() {
    let home = Home::new();
    for (name, bytes, expected) in [
        ("empty.jsonl", &b""[..], &["it is empty"][..]),
        ("data.db", b"SQLite format 3\0", &["SQLite database", "`opencode export ID`"]),
        (
            "notes.txt",
            b"just some prose",
            &[
                "no conversation in a form that is known",
                "Claude Code",
                "Codex",
                "ChatGPT",
                "Claude.ai",
                "opencode",
                "Gemini CLI",
                "Open WebUI",
                "LM Studio",
                "Aider",
                "SillyTavern",
                "ShareGPT",
                "OpenAI",
                "role/content",
                "Ebbtide",
                "Markdown",
            ],
        ),
    ] {
        fs::write(home.path(name), bytes).unwrap();
        for command in ["replay", "uncompact"] {
            let (out, err, code) = home.run(&[command, name], &[]);
            assert_eq!((out.as_str(), code), ("", 1), "{command} {name}");
            for told in [&[name], expected].concat() {
                assert!(err.contains(told), "{command} {name}: {told}\n{err}");
            }
        }
    }
}

#[test]
fn a_folder_is_looked_into_however_deep_it_is() {
    let (home, _) = home();
    let deep = home.path("a/b/c/d/e/f/g/h/i/j");
    fs::create_dir_all(&deep).unwrap();
    let talk =
        ["user", "assistant"].map(|role| json!({ "role": role, "content": "The pump leaks." }));
    fs::write(deep.join("talk.jsonl"), talk.map(|line| format!("{line}\n")).concat()).unwrap();
    let (out, err, code) = home.run(&["replay", "a"], &[]);
    assert!(code == 0 && err.contains("1 of 1 file") && !out.is_empty(), "{err}");
}

#[test]
fn where_a_program_keeps_nothing_about_a_folder_the_one_around_it_is_named() {
    let home = Home::new();
    let (about, kept) = (home.path("w/sub"), home.path(".claude/projects/-w"));
    fs::create_dir_all(&about).unwrap();
    fs::create_dir_all(&kept).unwrap();
    let around = about.parent().unwrap().canonicalize().unwrap();
    let said = ["user", "assistant"].map(|kind| {
        let message = json!({ "id": kind, "role": kind, "content": [{ "type": "text", "text": "The pump leaks." }] });
        format!("{}\n", json!({ "type": kind, "uuid": kind, "sessionId": "s", "cwd": around, "message": message }))
    });
    fs::write(kept.join("s.jsonl"), said.concat()).unwrap();
    let replay = |more: &[&str]| {
        let line = ["replay", "--from", "claude-code", "--list", "--project", "w/sub"];
        home.run(&[&line[..], more].concat(), &[])
    };
    let (_, err, code) = replay(&[]);
    let told = "there are some about the folder around it: --project ~/w";
    assert!(code == 2 && err.contains("about ~/w/sub in") && err.contains(told), "{err}");
    let (out, err, code) = replay(&[".claude"]);
    let told = "what was named beside it is read";
    assert!(code == 0 && out.lines().count() == 1 && err.contains(told), "{out}{err}");
}

#[test]
fn what_cannot_be_replayed_is_named() {
    let (home, folder) = home();
    for (name, phases) in [
        ("overlap", "1-3 a\n2-5 b\n"),
        ("backwards", "1-3 a\n\n9-5 b\n"),
        ("behind", "1-31 a\n"),
        ("none", "parser\n"),
    ] {
        fs::write(home.path(name), phases).unwrap();
    }
    fs::write(folder.join("broken.jsonl"), "nothing").unwrap();
    for (line, expected, status) in [
        (&["replay"][..], "PATHS", 2),
        (&["replay", "missing.json"], "cannot be read", 2),
        (&["replay", ".claude", "missing.json"], "there is no missing.json, so nothing was", 2),
        (&["-s", "x", "replay", ".claude"], "`replay` looks at no session", 2),
        (&["replay", "--from", "aider", "--project", ".claude"], "was found in .claude;", 2),
        (&["replay", "--from", "codex"], "name the folder: `ebbtide replay PATH`", 2),
        (&["replay", ".claude", "--phases", "overlap"], "overlap: line 2: turns 2 to 5 overlap", 1),
        (&["replay", ".claude", "--phases", "backwards"], "line 3: turns 9 to 5 run backwards", 1),
        (
            &["replay", ".claude", "--phases", "behind"],
            "turns 1 to 31 end behind the last turn, 30",
            1,
        ),
        (&["replay", ".claude", "--phases", "none"], "line 1: expected FROM-TO NAME", 1),
        (&["replay", ".claude", "--phases", "missing"], "FROM-TO NAME", 2),
        (
            &["replay", ".claude", "--svg", "missing/card.svg"],
            "missing/card.svg cannot be written",
            2,
        ),
        (&["replay", ".claude", "--svg", ".claude"], "it is a folder; name a file in it", 2),
        (&["replay", ".claude", "--svg", "-"], "name one, such as card.svg", 2),
        (&["replay", ".claude", "--keep", "../past"], "cannot be the name of a session", 2),
        (&["replay", ".claude", "--set", "ambient_window=5,9", "--keep", "x"], "give one value", 2),
        (&["replay", ".claude", "--set", "ambient_window=5,x"], "ambient_window", 2),
        (&["replay", ".claude", "--since", "soon"], "30d", 2),
    ] {
        let (_, err, code) = home.run(line, &[]);
        assert!(code == status && err.contains(expected), "{line:?} {code}: {err}");
    }
    // What makes no sense whatever is said is told before anything is read.
    fs::write(home.path("empty"), "# none yet\n").unwrap();
    for line in [
        ["--svg", "missing/card.svg"],
        ["--svg", ".claude"],
        ["--keep", "a/b"],
        ["--phases", "overlap"],
        ["--phases", "empty"],
        ["--phases", "missing"],
        ["--set", "ambient_window=5,10,x"],
        ["--set", "token_budget=16000,1"],
        ["--set", "token_budget=1"],
        ["--set", "ambient_windw=5,10"],
    ] {
        let (_, err, code) = home.run(&[&["replay", ".claude"][..], &line].concat(), &[]);
        assert!(code != 0 && !err.contains("files: read"), "{line:?}: {err}");
    }
    let (_, err, code) = home.run(&["replay", ".claude"], &[]);
    assert!(code == 0 && err.contains("left out") && err.contains("broken.jsonl"), "{err}");
}

#[test]
fn a_log_is_read_from_the_standard_input_like_a_file() {
    let (home, folder) = home();
    let log = folder.join("a.jsonl");
    let run = |line: &[&str], input: &Path| {
        let input = fs::File::open(input).unwrap();
        let mut command = home.command(line, &[]);
        // A pipe, which can be read once.
        let mut cat = std::process::Command::new("cat");
        let cat = cat.stdin(input).stdout(Stdio::piped()).spawn().unwrap().stdout.unwrap();
        let ended = command.stdin(cat).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(ended.stdout), text(ended.stderr), ended.status.code().unwrap())
    };
    let (piped, err, code) = run(&["replay", "-"], &log);
    assert!(code == 0 && err.contains("1 of 1 file: read 26"), "{err}");
    assert_eq!(piped, home.run(&["replay", log.to_str().unwrap()], &[]).0);
    let (lost, err, code) = run(&["uncompact", "-"], &log);
    assert!(code == 0 && lost.contains("lost paths"), "{lost}{err}");
    let nothing = home.path("nothing");
    fs::write(&nothing, "").unwrap();
    let (_, err, code) = run(&["replay", "-"], &nothing);
    assert_eq!((err.as_str(), code), ("ebbtide: the standard input: it is empty.\n", 1));
    let (_, err, code) = run(&["replay", "-", "--list"], &log);
    assert!(code == 2 && err.contains("- is none"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn who_hears_nothing_gets_the_figures_and_figures_that_go_nowhere_are_an_error() {
    let (home, _) = home();
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    for line in [
        &["replay", ".claude"][..],
        &["replay", ".claude", "--json", "--keep", "past"],
        &["uncompact", ".claude", "--block"],
    ] {
        let heard = home.command(line, &[]).output().unwrap();
        let _ = fs::remove_dir_all(home.path("data/ebbtide/sessions/past"));
        let unheard = home.command(line, &[]).stderr(full()).output().unwrap();
        assert_eq!((unheard.status.code(), unheard.stdout), (Some(0), heard.stdout), "{line:?}");
    }
    for line in [&[][..], &["--json"], &["--csv"], &["--list"], &["--set", "ambient_window=5,10"]] {
        let line = [&["replay", ".claude"], line].concat();
        let lost = home.command(&line, &[]).stdout(full()).output().unwrap();
        let told = text(lost.stderr);
        assert!(told.contains("ebbtide: cannot write the output: "), "{line:?}: {told}");
        assert_eq!(lost.status.code(), Some(1), "{line:?}");
        let mut left = home.command(&line, &[]);
        let mut left = left.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(left.stdout.take());
        let left = left.wait_with_output().unwrap();
        let told = text(left.stderr);
        assert!(left.status.success() && !told.contains("ebbtide:"), "{line:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_named_and_not_waited_for() {
    let home = Home::new();
    let made = std::process::Command::new("mkfifo").arg(home.path("pipe.jsonl")).status();
    assert!(made.unwrap().success());
    let (_, err, code) = home.run(&["replay", "pipe.jsonl"], &[]);
    assert!(code == 1 && err.contains("no plain file"), "{err}");
}

#[test]
fn files_of_unknown_form_beside_a_conversation_are_named_and_then_counted() {
    let (home, _) = home();
    for nth in 0..9 {
        fs::write(home.path(&format!(".claude/odd{nth}.jsonl")), "{\"event\":\"x\"}\n").unwrap();
    }
    let (_, err, code) = home.run(&["replay", ".claude", "--json"], &[]);
    assert_eq!((err.matches("its form is not known").count(), code), (5, 0), "{err}");
    assert!(err.contains("left out 4 more files of no known form"), "{err}");
}

#[test]
fn names_in_capitals_and_other_endings_are_read_and_what_is_passed_over_is_told() {
    let (home, folder) = home();
    let log = fs::read(folder.join("a.jsonl")).unwrap();
    let said = "## User\n\nHow are the tides?\n\n## Assistant\n\nThey turn at four.\n";
    fs::create_dir(home.path("mixed")).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(home.path(&format!("mixed/{name}")), bytes).unwrap();
    };
    write("LOG.JSONL", &log);
    write("talk.markdown", said.as_bytes());
    write("more.ndjson", b"{\"role\":\"user\",\"content\":\"When?\"}\n");
    let (_, err, code) = home.run(&["replay", "mixed"], &[]);
    assert!(code == 0 && err.contains("3 of 3 files") && !err.contains("passed over"), "{err}");
    for name in ["a.txt", "b.TXT", ".hidden"] {
        write(name, said.as_bytes());
    }
    for nth in 0..7 {
        write(&format!("{nth}.jsonl.gz"), b"\x1f\x8b");
    }
    let (_, err, code) = home.run(&["replay", "mixed"], &[]);
    assert!(code == 0 && err.contains("3 of 3 files"), "{err}");
    assert!(err.contains("passed over 2 files, such as mixed/a.txt: of a folder, what"), "{err}");
    assert_eq!(err.matches("unpack it first: `gunzip FILE`").count(), 5, "{err}");
    assert!(err.contains("left out 2 more files that are packed by gzip"), "{err}");
}

/// What Codex calls the rollout of a home.
const THREAD: &str = "0199cccc-0000-7000-8000-00000000000d";

/// A rollout of some turns in a home, and what stands in it.
fn rollout(home: &Home) -> (PathBuf, String) {
    let folder = home.path(".codex/sessions/2026/09/22");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("rollout-2026-09-22T14-00-00-{THREAD}.jsonl"));
    let line =
        |kind: &str, payload: Value| format!("{}\n", json!({ "type": kind, "payload": payload }));
    let mut text = line("session_meta", json!({ "id": THREAD }));
    for nth in 0..8 {
        let asked = format!("Question {nth} of the harbour");
        let said = [json!({ "type": "output_text", "text": "The harbour is open." })];
        text += &line("event_msg", json!({ "type": "user_message", "message": asked }));
        let reply = json!({ "type": "message", "role": "assistant", "content": said });
        text += &line("response_item", reply);
    }
    fs::write(&file, &text).unwrap();
    (file, text)
}

#[test]
fn what_codex_took_over_from_another_program_is_read_once() {
    let (home, folder) = home();
    let source = folder.join("a.jsonl");
    let (rollout, text) = rollout(&home);
    let record = json!({ "source_path": source, "imported_thread_id": THREAD });
    let notes = json!({ "records": [record] }).to_string();
    fs::write(home.path(".codex/external_agent_session_imports.json"), notes).unwrap();
    let both = ["replay", ".codex/sessions", source.to_str().unwrap()];
    let (_, err, code) = home.run(&both, &[]);
    assert!(code == 0 && err.contains(": Codex took it over from"), "{err}");
    assert!(err.contains("1 of 1 file"), "{err}");
    // Alone it is all that there is of it, and what was gone on with is more than that.
    let (_, err, code) = home.run(&both[..2], &[]);
    assert!(code == 0 && !err.contains("took it over"), "{err}");
    let asked = json!({ "type": "event_msg", "payload": { "type": "token_count", "info": null } });
    fs::write(&rollout, format!("{text}{asked}\n")).unwrap();
    let (_, err, code) = home.run(&both, &[]);
    assert!(code == 0 && err.contains("2 of 2 files"), "{err}");
}

#[test]
fn a_rollout_is_called_what_codex_notes_beside_it() {
    let home = Home::new();
    rollout(&home);
    let named = |name: &str| json!({ "id": THREAD, "thread_name": name }).to_string() + "\n";
    let index = [named("First"), "damaged\n".to_owned(), named("The tides"), named(" ")].concat();
    fs::write(home.path(".codex/session_index.jsonl"), index).unwrap();
    let (listed, err, _) = home.run(&["replay", "--from", "codex", "--list"], &[]);
    assert!(listed.contains("  The tides  ") && !listed.contains("Question"), "{listed}{err}");
    let (told, err, _) = home.run(&["replay", ".codex/sessions", "--json"], &[]);
    assert!(told.contains("\"the-tides\""), "{told}{err}");
}

#[test]
fn a_copy_of_a_file_is_no_second_conversation() {
    let home = Home::new();
    let said = |role: &str, text: &str| format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}\n");
    let talk =
        [said("user", "How are the tides?"), said("assistant", "They turn at four.")].concat();
    fs::create_dir(home.path("logs")).unwrap();
    for nth in 0..8 {
        fs::write(home.path(&format!("logs/talk{nth}.jsonl")), &talk).unwrap();
    }
    // As long as that, and another one.
    fs::write(home.path("logs/other.jsonl"), talk.replace("four", "five")).unwrap();
    let (out, err, code) = home.run(&["replay", "logs", "--json"], &[]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let turns = told["turns"].as_array().unwrap().len();
    assert_eq!((turns, &told["bill"]["conversations"], code), (2, &2.into(), 0), "{err}");
    assert_eq!(err.matches(": it holds the same as logs/talk").count(), 5, "{err}");
    assert!(err.contains("left out 2 more files: each holds the same as another one"), "{err}");
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_read_is_told_and_the_others_are_replayed() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    /// Who may read no more than everybody may; for root nothing is closed.
    const NOBODY: u32 = 65_534;
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let may = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    for folder in ["logs", "logs/open", "logs/closed", "home"] {
        fs::create_dir(place(folder)).unwrap();
    }
    let said = "{\"role\":\"user\",\"content\":\"When?\"}\n{\"role\":\"assistant\",\"content\":\"At nine.\"}\n";
    fs::write(place("logs/open/talk.jsonl"), said).unwrap();
    let program = place("ebbtide");
    copy_program(&program);
    let mut command = std::process::Command::new(&program);
    command.args(["replay", "logs"]).current_dir(&directory).env_clear().env("HOME", place("home"));
    if fs::metadata(directory.path()).unwrap().uid() == 0 {
        may(directory.path(), 0o755).unwrap();
        chown(place("home"), Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
    }
    may(&place("logs/closed"), 0o000).unwrap();
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.contains("1 of 1 file"), "{error}");
    assert!(error.contains("left out logs/closed: it cannot be read"), "{error}");
    may(&place("logs/closed"), 0o700).unwrap();
}
