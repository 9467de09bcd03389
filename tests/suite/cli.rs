//! The commands that need no conversation, run as a person runs them: the built program with an
//! environment of its own.

mod elsewhere;
mod message;
mod readme;
mod sessions;
mod settings;
mod status;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use super::support::server::{Reply, Server};

/// A home directory and the program that runs in it.
pub(crate) struct Home {
    directory: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.directory.path().join(below)
    }

    pub(crate) fn write_config(&self, text: &str) {
        fs::create_dir_all(self.path("config/ebbtide")).unwrap();
        fs::write(self.path("config/ebbtide/config.toml"), text).unwrap();
    }

    pub(crate) fn command(&self, line: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
        command
            .args(line)
            .env_clear()
            .env("HOME", self.directory.path())
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_STATE_HOME", self.path("state"))
            .envs(variables.iter().copied())
            .current_dir(self.directory.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program: what it prints, what it complains about, how it ends.
    pub(crate) fn run(&self, line: &[&str], variables: &[(&str, &str)]) -> (String, String, i32) {
        let Output { status, stdout, stderr } = self.command(line, variables).output().unwrap();
        let home = self.directory.path().to_str().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(home, "~");
        (text(stdout), text(stderr), status.code().unwrap())
    }
}

#[test]
fn the_version_is_printed() {
    let (out, _, code) = Home::new().run(&["-V"], &[]);
    assert_eq!((out.as_str(), code), ("ebbtide 0.1.0\n", 0));
}

#[test]
fn a_number_that_is_none_is_told_in_plain_words() {
    for (line, told) in [
        (&["uncompact", "--most", "x"][..], "a whole number from 1 on is needed"),
        (&["uncompact", "--most", "0"], "a whole number from 1 on is needed"),
        (&["search", "tea", "-k", "x"], "a whole number is needed"),
        (&["context", "--turn", "99999999999999999999"], "a smaller number is needed"),
        (&["proof", "live", "--runs", "x"], "a whole number is needed"),
    ] {
        let (_, err, code) = Home::new().run(line, &[]);
        assert!(code == 2 && err.contains(told) && !err.contains("digit"), "{line:?}: {err}");
    }
}

#[test]
fn bad_flags_and_commands_are_usage_errors() {
    for (line, named) in [
        (&["--colour"][..], "--colour"),
        (&["-s", "a", "-c"], "--continue"),
        (&["sesions"], "sesions"),
        (&["play"], "SCENARIO"),
        (&["search"], "QUERY"),
        (&["search", "x", "-k", "0"], "-k"),
        (&["proof", "9"], "9"),
        (&["--set", "token_budget"], "KEY=VALUE"),
        (&["-p", "hello", "sessions"], "-p"),
        (&["completions", "basic"], "basic"),
    ] {
        let (out, err, code) = Home::new().run(line, &[]);
        assert_eq!((out.as_str(), code), ("", 2), "{line:?}: {err}");
        assert!(err.contains(named), "{line:?}: {err}");
    }
}

#[test]
fn a_session_beside_a_command_that_looks_at_none_is_a_usage_error() {
    let home = Home::new();
    for line in [
        &["-s", "x", "sessions"][..],
        &["uncompact", "-c"],
        &["--session", "x", "config"],
        &["play", "x.yaml", "-s", "x"],
        &["import", "x.json", "-s", "x"],
        &["import", "x.json", "-c"],
    ] {
        let (out, err, status) = home.run(line, &[]);
        assert_eq!((out.as_str(), status), ("", 2), "{line:?}");
        assert!(err.contains("looks at no session"), "{line:?}: {err}");
    }
}

#[test]
fn the_help_of_a_command_lists_no_flag_that_does_nothing_there() {
    let home = Home::new();
    for (command, without, with) in [
        ("sessions", &["--session", "--continue", "--model", "--ascii"][..], &["--set"][..]),
        ("import", &["--session-name", "--continue", "--resume", "--offline"], &["--session"]),
        ("export", &["--model", "--theme"], &["--session", "--continue"]),
        ("replay", &["--session", "--continue"], &["--model", "--set"]),
        ("uncompact", &["--session", "--model", "--log-file"], &["--ascii", "--config"]),
        ("config", &["--session", "--log-file"], &["--model", "--set"]),
        ("completions", &["--session", "--model", "--set", "--log-file", "--config"], &["--help"]),
        ("doctor", &[], &["--session", "--model", "--log-file"]),
    ] {
        let (help, _, code) = home.run(&[command, "--help"], &[]);
        assert_eq!(code, 0, "{help}");
        let has = |flag: &&&str| help.split_whitespace().any(|word| word == **flag);
        assert_eq!(without.iter().find(has), None, "{command}: {help}");
        assert_eq!(with.iter().filter(has).count(), with.len(), "{command}: {help}");
    }
    // They are taken all the same, where a script gives them to every command.
    assert_eq!(home.run(&["sessions", "--model", "m"], &[]).2, 0);
}

#[test]
fn a_session_that_is_not_there_is_a_usage_error_wherever_it_is_named() {
    let home = Home::new();
    home.run(&["-s", "one", "--offline", "-p", "hello"], &[]);
    for line in [
        &["-r", "nope", "-p", "hello"][..],
        &["sessions", "rename", "nope", "more"],
        &["context", "-s", "nope"],
        &["stats", "-s", "nope"],
        &["search", "tea", "-s", "nope"],
        &["export", "-s", "nope"],
        &["export", "-s", "nope", "--format", "json"],
        &["-s", "nope", "-p", "/stats"],
        &["doctor", "-s", "nope", "--offline"],
        &["doctor", "-r", "nope", "--offline"],
        &["doctor", "--session", "nope", "--offline"],
    ] {
        let (out, err, code) = home.run(line, &[]);
        assert_eq!((out.contains("session "), code), (false, 2), "{line:?}: {err}");
        assert!(err.contains("there is no session"), "{line:?}: {err}");
    }
}

#[test]
fn connecting_without_an_answer_is_a_failure_that_leaves_the_line() {
    let (out, err, code) = Home::new().run(&["connect"], &[]);
    assert!(code == 1 && out.ends_with(": \n"), "{code} {out:?}");
    assert!(err.starts_with("ebbtide: nothing was connected: "), "{err}");
}

#[test]
fn the_settings_list_is_json_on_request() {
    let (out, _, code) = Home::new().run(&["config", "--json", "--set", "theme=mono"], &[]);
    assert_eq!(code, 0);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    let theme = rows.as_array().unwrap().iter().find(|row| row["key"] == "theme").unwrap();
    assert_eq!((&theme["value"], &theme["source"]), (&"mono".into(), &"flag --set".into()));
}

#[test]
fn completions_are_printed_for_each_shell() {
    let home = Home::new();
    for (shell, sign) in
        [("bash", "complete -F"), ("zsh", "#compdef ebbtide"), ("fish", "complete -c")]
    {
        let (out, err, code) = home.run(&["completions", shell], &[]);
        assert_eq!((err.as_str(), code), ("", 0));
        assert!(out.contains(sign) && out.contains("session-name"), "{shell}");
    }
}

#[test]
fn completions_and_help_need_no_home_and_everything_else_says_what_is_missing() {
    let home = Home::new();
    let run = |line: &[&str]| {
        let output = home.command(line, &[]).env_clear().output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(&["completions", "bash"]).0, 0);
    assert_eq!(run(&["--help"]).0, 0);
    let (code, err) = run(&["sessions"]);
    assert_eq!(code, 2);
    assert!(err.contains("neither XDG_CONFIG_HOME nor HOME is set"), "{err}");
}

#[test]
fn the_doctor_works_offline_and_finds_a_fresh_machine_well() {
    let (out, err, code) = Home::new().run(&["doctor", "--offline"], &[]);
    assert_eq!((err.as_str(), code), ("", 0), "{out}");
    assert!(out.lines().all(|line| line.starts_with("ok  ")), "{out}");
    assert!(out.contains("tokenizer  cl100k_base counts"), "{out}");
}

#[test]
fn the_doctor_reports_a_server_that_does_not_run_without_giving_the_key_away() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = format!("http://{closed}/v1");
    let key = [("EBBTIDE_API_KEY", "sk-hush-hush-hush")];
    let home = Home::new();
    let (out, err, code) = home.run(&["doctor", "--base-url", &address], &key);
    assert_eq!(code, 1);
    assert!(out.contains("with the key from EBBTIDE_API_KEY"), "{out}");
    assert!(out.contains(&format!("!!  model      {address} cannot be reached")), "{out}");
    let log = fs::read_to_string(home.path("state/ebbtide/ebbtide.log")).unwrap_or_default();
    assert!(!format!("{out}{err}{log}").contains("hush"));
}

#[test]
fn a_proxy_in_the_way_is_named_by_its_variable() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let proxy = format!("http://{closed}");
    let line = ["-p", "hello", "--base-url", "http://ebbtide.test/v1", "--model", "m"];
    let (_, err, code) = Home::new().run(&line, &[("http_proxy", &proxy), ("NO_PROXY", "")]);
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("the proxy that http_proxy names"), "{err}");
    assert!(err.contains("NO_PROXY") && !err.contains("..") && !err.contains("retry"), "{err}");
}

#[test]
fn the_doctor_goes_the_way_of_the_chat_through_a_proxy_and_keeps_its_password() {
    let proxy = Server::start();
    let list = serde_json::json!({"object": "list", "data": [{"id": "m", "object": "model"}]});
    proxy.answer_at("http://ebbtide.test/v1/models", [Reply::json(&list)]);
    let through = format!("http://me:hush@{}", proxy.address());
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let line = ["doctor", "--base-url", "http://ebbtide.test/v1", "--model", "m"];
    let (out, err, code) = Home::new().run(&line, &[("HTTP_PROXY", &through)]);
    let told = "http://ebbtide.test/v1 can be reached through the proxy that HTTP_PROXY names";
    assert!(code == 0 && out.contains(told), "{out}{err}");
    let broken = format!("http://me:hush@{closed}");
    let (in_vain, _, code) = Home::new().run(&line, &[("http_proxy", &broken)]);
    let told = "cannot be reached (the proxy that http_proxy names did not let the request through";
    assert!(code == 1 && in_vain.contains(told) && in_vain.contains("NO_PROXY"), "{in_vain}");
    assert!(!format!("{out}{err}{in_vain}").contains("hush"));
    // What is asked directly is not asked through it.
    let direct = [("HTTP_PROXY", &*through), ("NO_PROXY", "ebbtide.test")];
    let (out, _, code) = Home::new().run(&line, &direct);
    assert!(code == 1 && !out.contains("proxy"), "{out}");
}

#[test]
fn who_is_passed_over_for_a_password_in_an_address_is_told_and_endless_files_are_not_read() {
    let host = [("OLLAMA_HOST", "me:pw@127.0.0.1:9")];
    let (_, err, code) = Home::new().run(&["-p", "hello"], &host);
    let told = err.starts_with("Ollama: the base URL holds a user name or password, and ");
    assert!(code == 0 && told && !err.contains("pw@"), "{err}");

    let home = Home::new();
    fs::write(home.path("long"), "# x\n".repeat(300_000)).unwrap();
    for line in [&["config", "check"][..], &["-p", "hello"], &["config", "set", "slots", "4"]] {
        let long = home.path("long");
        let file = ["--config", long.to_str().unwrap()];
        let (_, err, code) = home.run(&[line, &file].concat(), &[]);
        assert!(code == 2 && err.contains("longer than 1 MB"), "{err}");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_a_warning_only() {
    let home = Home::new();
    fs::write(home.path("state"), "in the way").unwrap();
    let (_, err, code) = home.run(&["sessions"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.starts_with("There is no log: ~/state/ebbtide/ebbtide.log"), "{err}");
}

#[test]
fn without_a_terminal_the_chat_points_at_the_way_that_works() {
    let (out, err, code) = Home::new().run(&[], &[]);
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(err.contains("`ebbtide -p TEXT`"), "{err}");
}

#[test]
fn unsafe_session_names_are_refused_before_anything_is_written() {
    let home = Home::new();
    for name in ["../x", "/etc/x", "", "\u{7}", "😀"] {
        let (_, err, code) = home.run(&["-s", name, "-p", "hello", "--offline"], &[]);
        assert_eq!(code, 2, "{name:?}: {err}");
        assert!(err.contains("cannot be the name of a session"), "{name:?}: {err}");
    }
    let (_, err, _) = home.run(&["-s", "new\nline\u{1b}", "-p", "hello", "--offline"], &[]);
    assert!(err.starts_with("ebbtide: \"new\\nline\\u{1b}\" cannot be the name"), "{err}");
    assert!(!home.path("data").exists());
}
