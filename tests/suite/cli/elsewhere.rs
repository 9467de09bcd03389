//! What people type as other programs take it: it does what is meant, or the way to that is told.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use super::Home;
use crate::support::server::{Reply, Server};

#[test]
fn a_tilde_before_a_path_is_the_home_wherever_a_person_writes_one() {
    let home = Home::new();
    let run = |line: &[&str]| {
        let (out, err, code) = home.run(line, &[]);
        assert_eq!(code, 0, "{line:?}: {out}{err}");
    };
    fs::write(home.path("own.toml"), "slots = 4\n").unwrap();
    let place = ["--session=~/kept/work", "--config=~/own.toml", "--log-file=~/own.log"];
    let with = |line: &[&'static str]| [&["--offline"], &place[..], line].concat();
    run(&with(&["-p", "/pad-save k1 a long text"]));
    run(&with(&["-p", "/save ref:k1 ~/k.txt"]));
    run(&with(&["-p", "/export ~/x.md"]));
    run(&["--session=~/kept/work", "export", "~/y.json"]);
    for file in ["kept/work/manifest.yaml", "own.log", "k.txt", "x.md", "y.json"] {
        assert!(home.path(file).is_file(), "{file}");
    }
    assert!(!home.path("~").exists());
}

#[test]
fn a_word_behind_export_is_a_form_or_a_name_and_no_file_that_nobody_meant() {
    let home = Home::new();
    for (session, line) in [("one", "/open auth-bug"), ("one", "It leaks."), ("w", "hello")] {
        home.run(&["--offline", "-s", session, "-p", line], &[]);
    }
    fs::create_dir(home.path("dd")).unwrap();
    let before = fs::read_dir(home.path("")).unwrap().count();
    let (json, _, _) = home.run(&["export", "-s", "one", "--format", "json"], &[]);
    assert_eq!(home.run(&["export", "-s", "one", "json"], &[]), (json, String::new(), 0));
    let (text, _, code) = home.run(&["export", "-s", "one", "md"], &[]);
    assert!(code == 0 && text.contains("Session `one`"), "{text}");
    for (word, told) in [
        ("auth-bug", "auth-bug is an effort, and a session is exported whole"),
        ("w", "w is a session: `ebbtide export -s w` exports it"),
        ("out.html", "nothing is exported as html: "),
        ("dd", "dd is a folder; name a file in it"),
    ] {
        let (_, err, code) = home.run(&["export", "-s", "one", word], &[]);
        assert!(code == 2 && err.contains(told), "{word}: {err}");
        let line = format!("/export {word}");
        let (_, err, code) = home.run(&["--offline", "-s", "one", "-p", &line], &[]);
        assert!(code == 1 && err.contains(told), "{line}: {err}");
    }
    let (_, err, code) = home.run(&["--offline", "-s", "one", "-p", "/export md 5"], &[]);
    assert!(code == 1 && err.contains("/export md takes nothing behind it"), "{err}");
    assert_eq!(fs::read_dir(home.path("")).unwrap().count(), before, "nothing was written");
    for file in ["./w", "w.md", "out.txt"] {
        assert_eq!(home.run(&["export", "-s", "one", file], &[]).2, 0, "{file}");
    }
}

#[test]
fn a_conversation_of_another_program_is_told_how_it_comes_in() {
    let home = Home::new();
    fs::write(home.path("chat.md"), "## User\n\nHi?\n\n## Assistant\n\nHello.\n").unwrap();
    let line = |role: &str| format!("{{\"role\":\"{role}\",\"content\":\"Green tea?\"}}\n");
    fs::write(home.path("talk.jsonl"), line("user") + &line("assistant")).unwrap();
    for file in ["chat.md", "talk.jsonl"] {
        let (_, err, code) = home.run(&["import", file], &[]);
        let told = format!("`ebbtide replay {file} --keep NAME` makes a session of it");
        assert!(code == 1 && err.contains(&told), "{err}");
        let name = file.split('.').next().unwrap();
        let (_, err, code) = home.run(&["replay", file, "--keep", name], &[]);
        assert_eq!(code, 0, "{err}");
    }
    fs::write(home.path("damaged.json"), "{\"format\": \"ebbtide-session\"").unwrap();
    let (_, err, _) = home.run(&["import", "damaged.json"], &[]);
    assert!(err.contains("`ebbtide export --format json` makes one"), "{err}");
}

#[test]
fn help_without_a_screen_says_where_there_is_more_and_fails_where_there_is_nothing() {
    let home = Home::new();
    let help = |words: &str| home.run(&["-p", &format!("/help {words}"), "--offline"], &[]);
    let (out, _, code) = help("panel");
    assert!(code == 0 && out.contains("On the screen") && out.contains("\n/panel"), "{out}");
    for (words, told) in [("vim", "/editor opens your own"), ("zzzz", "no command has to do with")]
    {
        let (out, err, code) = help(words);
        assert!(code == 2 && out.is_empty() && err.contains(told), "{words}: {err}");
    }
}

#[test]
fn a_setting_that_stands_elsewhere_is_told_with_its_place() {
    for (set, told) in [
        ("temperature=1", "set it below [providers.NAME]"),
        ("max_tokens=9", "set it below [providers.NAME]"),
        ("system_prompt=x", "`instructions.md`"),
    ] {
        let (_, err, code) = Home::new().run(&["--set", set, "-p", "hi"], &[]);
        assert!(code == 2 && err.contains(told), "{set}: {err}");
    }
}

#[test]
fn a_gateway_for_claude_is_asked_with_its_own_token() {
    let answers = ["From the gateway.", "Hello.", "Again."].map(Reply::text);
    let gateway = Server::replying(answers);
    gateway.set_models(&["claude-x"]);
    let base = format!("http://{}", gateway.address());
    let set = [("ANTHROPIC_BASE_URL", &*base), ("ANTHROPIC_AUTH_TOKEN", "tok-hush-hush")];
    let home = Home::new();
    let (out, err, code) = home.run(&["-s", "one", "-m", "claude-x", "-p", "hello"], &set);
    assert_eq!((out.as_str(), code), ("From the gateway.\n", 0), "{err}");
    let asked = gateway.received();
    let asked = asked.iter().find(|one| one.method == "POST").unwrap();
    assert_eq!(asked.path, "/v1/messages");
    assert_eq!(asked.header("authorization"), Some("Bearer tok-hush-hush"));
    let (out, err, code) = home.run(&["doctor", "-m", "claude-x"], &set);
    let told = "with the key from ANTHROPIC_AUTH_TOKEN, over Anthropic Messages";
    assert!(code == 0 && out.contains(told) && !out.contains("hush"), "{out}{err}");
    // What it speaks is written down, too: its address does not tell.
    let mut connecting = home.command(&["connect"], &set).stdin(Stdio::piped()).spawn().unwrap();
    connecting.stdin.take().unwrap().write_all(b"1\nclaude-x\n").unwrap();
    assert!(connecting.wait().unwrap().success());
    let config = fs::read_to_string(home.path("config/ebbtide/config.toml")).unwrap();
    assert!(config.contains("protocol = \"messages\""), "{config}");
    assert_eq!(home.run(&["-s", "one", "-p", "hello"], &set[1..]).0, "Again.\n");
}
