//! The commands that need no conversation, run as a person runs them: the built program with an
//! environment of its own.

mod message;
mod readme;
mod sessions;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

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

/// The line of a setting in the list.
fn listed<'a>(list: &'a str, key: &str) -> &'a str {
    list.lines().find(|line| line.split_whitespace().next() == Some(key)).unwrap()
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
    ] {
        let (out, err, status) = home.run(line, &[]);
        assert_eq!((out.as_str(), status), ("", 2), "{line:?}");
        assert!(err.contains("looks at no session"), "{line:?}: {err}");
    }
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
    ] {
        let (out, err, code) = home.run(line, &[]);
        assert_eq!((out.as_str(), code), ("", 2), "{line:?}: {err}");
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
fn bad_settings_are_usage_errors_that_name_the_key_and_its_source() {
    for (config, variables, line, message) in [
        (
            "theme = \"dark\"\noffline = \"no\"\n",
            &[][..],
            &["-p", "hi"][..],
            "ebbtide: offline must be one of false, true, not \"no\" (from: \
             ~/config/ebbtide/config.toml:2).\n",
        ),
        (
            "",
            &[("EBBTIDE_BASE_URL", "tiny")],
            &["-p", "hi"],
            "ebbtide: base_url must be an address that starts with http:// or https://, or empty, not \
             \"tiny\" (from: environment variable EBBTIDE_BASE_URL).\n",
        ),
        (
            "",
            &[],
            &["sessions", "--theme", "pink"],
            "ebbtide: theme must be one of auto, light, dark, mono, not \"pink\" (from: flag \
             --theme).\n",
        ),
        (
            "",
            &[],
            &["sessions", "--set", "ambient_windw=3"],
            "ebbtide: there is no setting \"ambient_windw\" (from: flag --set). Did you mean \
             ambient_window?\n",
        ),
        (
            "theme = dark\n",
            &[],
            &["config", "check"],
            "ebbtide: ~/config/ebbtide/config.toml:1: this is not TOML: ",
        ),
    ] {
        let home = Home::new();
        home.write_config(config);
        let (out, err, code) = home.run(line, variables);
        assert_eq!((out.as_str(), code), ("", 2), "{line:?}: {err}");
        assert!(err.starts_with(message), "{line:?}: {err}");
    }
}

#[test]
fn the_settings_list_shows_each_value_with_its_source() {
    let home = Home::new();
    home.write_config("decay_threshold = 4\nambient_window = 5\nmodel = \"from-file\"\n");
    let variables = [("EBBTIDE_AMBIENT_WINDOW", "6"), ("EBBTIDE_MODEL", "from-variable")];
    let (out, err, code) = home.run(&["config", "-m", "from-flag"], &variables);
    assert_eq!((err.as_str(), code), ("", 0));
    for (key, value, source) in [
        ("decay_threshold", "= 4 ", "(~/config/ebbtide/config.toml:1)"),
        ("ambient_window", "= 6 ", "(environment variable EBBTIDE_AMBIENT_WINDOW)"),
        ("model", "= from-flag ", "(flag --model)"),
        ("token_budget", "= 16000 ", "(default)"),
        ("sessions_dir", "= ~/data/ebbtide/sessions ", "(default)"),
    ] {
        let line = listed(&out, key);
        assert!(line.contains(value) && line.ends_with(source), "{line}");
    }
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
fn the_printed_default_file_is_a_valid_config_file() {
    let home = Home::new();
    let (text, _, code) = home.run(&["config", "default"], &[]);
    assert_eq!(code, 0);
    let (path, _, _) = home.run(&["config", "path"], &[]);
    assert_eq!(path, "~/config/ebbtide/config.toml\n");
    home.write_config(&text.replace("# token_budget = 16000", "token_budget = 8000"));
    let (out, err, code) = home.run(&["config", "check"], &[]);
    assert_eq!(
        (out.as_str(), code),
        ("ok: ~/config/ebbtide/config.toml, settings changed: 1\n", 0),
        "{err}"
    );
}

#[test]
fn another_config_file_is_read_on_request_and_must_exist() {
    let home = Home::new();
    fs::write(home.path("other.toml"), "soft_percent = 50\n").unwrap();
    let (out, _, code) = home.run(&["config", "--config", "other.toml"], &[]);
    assert_eq!(code, 0);
    assert!(listed(&out, "soft_percent").ends_with("(other.toml:1)"), "{out}");
    let (_, err, code) = home.run(&["config", "--config", "none.toml"], &[]);
    assert_eq!(code, 2);
    assert!(err.starts_with("ebbtide: cannot read the config file none.toml: "), "{err}");
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
    assert!(!home.path("data").exists());
}

#[test]
fn lines_of_the_config_file_that_make_no_sense_are_told_and_passed_over() {
    let home = Home::new();
    home.write_config(
        "soft_percent = 0\ncolour = 3\n[keys]\nglobal.redraw = \"F1\"\n[theme]\nbase = \"dark\"\naccent = \
         \"pinkish\"\n",
    );
    let (out, err, code) = home.run(&["config"], &[]);
    assert_eq!(code, 0);
    assert!(listed(&out, "soft_percent").contains(" 90 "), "{out}");
    assert!(listed(&out, "theme").contains("dark"), "{out}");
    let told: Vec<&str> = err.lines().collect();
    for (told, (start, line)) in told.iter().zip([
        ("soft_percent must be", 1),
        ("there is no setting \"colour\"", 2),
        ("keys.global.redraw: F1 is keys.global.help already", 4),
        ("theme.accent: \"pinkish\" is no colour", 7),
    ]) {
        assert!(told.starts_with(start), "{told}");
        assert!(told.contains(&format!("(from: ~/config/ebbtide/config.toml:{line})")), "{told}");
    }
    assert_eq!(told.len(), 4);
    let (_, err, code) = home.run(&["config", "check"], &[]);
    assert_eq!(code, 2);
    assert!(err.ends_with("4 lines of ~/config/ebbtide/config.toml make no sense.\n"), "{err}");
    let (out, _, code) = home.run(&["doctor", "--offline"], &[]);
    assert_eq!((code, out.lines().filter(|line| line.starts_with("!!")).count()), (1, 4), "{out}");
    let (_, err, code) = home.run(&["-p", "Hello", "--offline"], &[]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn a_setting_is_written_into_the_file_and_taken_out() {
    let home = Home::new();
    let (_, err, code) = home.run(&["config", "set", "token-budget", "9000"], &[]);
    assert_eq!((code, err.as_str()), (0, "~/config/ebbtide/config.toml: token_budget = 9000\n"));
    assert!(listed(&home.run(&["config"], &[]).0, "token_budget").contains("config.toml:1"));
    let (_, err, code) = home.run(&["config", "set", "token_budget", "many"], &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("not \"many\" (from: the value to be written)"), "{err}");
    let (_, err, code) = home.run(&["config", "set", "tokn_budget", "9000"], &[]);
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean token_budget?"), "{err}");
    let (_, err, code) = home.run(&["config", "set", "preview_tokens", "5000"], &[]);
    assert!(code == 0 && err.contains("Until then the first counts as "), "{err}");
    assert!(!home.run(&["config", "set", "slots", "5"], &[]).1.contains("preview"), "{err}");
    let (_, err, code) = home.run(&["-p", "Hello", "--offline"], &[]);
    assert_eq!(code, 0, "{err}");
    let (_, err, _) = home.run(&["config", "unset", "token_budget"], &[]);
    assert!(err.contains("token_budget is no longer set"), "{err}");
    assert!(listed(&home.run(&["config"], &[]).0, "token_budget").contains("(default)"));
}

#[test]
fn keys_and_roles_are_listed_by_the_names_of_the_config_file() {
    let home = Home::new();
    home.write_config("keys.panel.down = \"n\"\ntheme.banner = \"bold\"\n");
    let (out, err, _) = home.run(&["config", "keys"], &[]);
    assert!(listed(&out, "keys.panel.down").contains(" = n "), "{out}{err}");
    let (out, _, _) = home.run(&["config", "roles"], &[]);
    assert!(out.lines().any(|line| line == "theme.layer_open"), "{out}");
    let (out, _, _) = home.run(&["config"], &[]);
    assert!(listed(&out, "theme.banner").contains("config.toml:2"), "{out}");
}

#[test]
fn a_budget_that_no_request_fits_into_is_found_by_the_checks() {
    let home = Home::new();
    home.write_config("token_budget = 1000\n");
    let (_, err, code) = home.run(&["config", "check"], &[]);
    assert!(code == 2 && err.contains("token_budget") && err.contains("config.toml:1"), "{err}");
    let (out, _, code) = home.run(&["doctor", "--offline"], &[]);
    let told = out.lines().find(|line| line.starts_with("!!")).unwrap_or_default();
    assert!(code == 1 && told.contains("token_budget"), "{out}");
    // The least that holds is what holds, and whoever looks is told.
    for line in
        [&["config"][..], &["config", "set", "token_budget", "1500"], &["-p", "Hello", "--offline"]]
    {
        let (out, err, code) = home.run(line, &[]);
        let told = "is too small: the system prompt and the tools take ";
        assert!(code == 0 && err.contains(told), "{line:?}: {out}{err}");
        let least = err.split_once("choose at least ").expect("what would do").1;
        let least = least.split_once(' ').expect("a number").0;
        assert!(err.contains(&format!("Until then it counts as {least}.")), "{line:?}: {err}");
    }
    home.write_config("token_budget = 8000\n");
    assert_eq!(home.run(&["config", "check"], &[]).2, 0);
    assert!(home.run(&["config"], &[]).1.is_empty());
}
