//! The commands that need no conversation, run as a person runs them: the built program with an
//! environment of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use ebbtide::store::Store;

use crate::support::server::{Reply, Server, content};

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

    fn command(&self, line: &[&str], variables: &[(&str, &str)]) -> Command {
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
fn a_session_goes_out_and_comes_in_again_and_nothing_is_replaced() {
    let home = Home::new();
    home.run(&["-p", "Hello from the shell", "--offline", "-s", "one"], &[]);
    let (text, err, code) = home.run(&["export", "-s", "one", "--format", "json"], &[]);
    assert_eq!(code, 0, "{err}");
    let (_, err, code) = home.run(&["export", "-s", "one", "one.json"], &[]);
    assert_eq!((code, err.as_str()), (0, "one is exported to one.json\n"));
    assert_eq!(fs::read_to_string(home.path("one.json")).unwrap(), text);

    let (_, err, code) = home.run(&["import", "one.json"], &[]);
    assert_eq!(code, 1);
    assert!(err.contains("already, and an import never replaces anything"), "{err}");
    let (_, err, code) = home.run(&["import", "one.json", "--name", "two"], &[]);
    assert_eq!((code, err.as_str()), (0, "two is imported; `ebbtide -r two` opens it\n"));
    let (again, _, _) = home.run(&["export", "-s", "two", "--format", "json"], &[]);
    assert_eq!(again, text.replace("\"name\":\"one\"", "\"name\":\"two\""));
    let (read, _, _) = home.run(&["export", "-s", "two"], &[]);
    assert!(read.starts_with("# Hello from the shell\n"), "{read}");

    let (_, err, code) = home.run(&["import", "one.json", "--name", "../two"], &[]);
    assert_eq!(code, 2, "{err}");
    fs::write(home.path("bad.json"), "{\"format\": \"other\"}").unwrap();
    let (_, err, code) = home.run(&["import", "bad.json"], &[]);
    assert_eq!(code, 1);
    assert!(err.starts_with("ebbtide: bad.json: this is no exported session: "), "{err}");
    let (_, err, _) = home.run(&["import", "none.json"], &[]);
    assert!(err.starts_with("ebbtide: cannot read none.json: "), "{err}");
}

#[test]
fn a_session_gets_another_name() {
    let home = Home::new();
    for name in ["one", "two"] {
        home.run(&["-p", "Hello", "--offline", "-s", name], &[]);
    }
    let (_, err, code) = home.run(&["sessions", "rename", "one", "trip"], &[]);
    assert_eq!((code, err.as_str()), (0, "one is now trip\n"));
    let (_, err, code) = home.run(&["sessions", "rename", "trip", "two"], &[]);
    assert_eq!(code, 1);
    assert!(err.contains("already: choose another name"), "{err}");
    let (_, err, code) = home.run(&["sessions", "rename", "trap", "three"], &[]);
    assert_eq!(code, 2);
    assert!(err.contains("Did you mean trip?"), "{err}");
    let (_, _, code) = home.run(&["sessions", "rename", "trip", "a/b"], &[]);
    assert_eq!(code, 2);
    let (out, _, _) = home.run(&["sessions"], &[]);
    let names: Vec<_> = out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names.len(), 2);
    assert!(names.contains(&"trip") && names.contains(&"two"), "{out}");
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
fn several_words_are_one_query_without_quotes() {
    let home = Home::new();
    home.run(&["-p", "New topic: green tea ceremony", "--offline", "-s", "one"], &[]);
    let quoted = home.run(&["search", "green tea ceremony", "-s", "one"], &[]);
    assert!(quoted.0.contains("green-tea-ceremony"), "{quoted:?}");
    assert_eq!(home.run(&["search", "green", "tea", "ceremony", "-s", "one"], &[]), quoted);
}

#[test]
fn stats_count_the_log_of_another_program_once() {
    let home = Home::new();
    let session = home.path("foreign");
    fs::create_dir(&session).unwrap();
    let line = "{\"role\":\"user\",\"content\":\"hello world\",\"ts\":\"\"}\n";
    fs::write(session.join("raw.jsonl"), line.repeat(100)).unwrap();
    let stats = || {
        let (out, err, code) = home.run(&["stats", "--json", "--session", "foreign"], &[]);
        assert_eq!(code, 0, "{err}");
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["full_history"].clone()
    };
    let open = Store::open(&session).unwrap();
    let counted = stats();
    assert!(!session.join("counts.json").exists(), "it is for whoever has the session open");
    drop(open);
    assert_eq!(stats(), counted);
    let kept = fs::read_to_string(session.join("counts.json")).unwrap();
    // What it goes by from now on is what was kept.
    fs::write(session.join("counts.json"), kept.replace("\"tokens\":200", "\"tokens\":300"))
        .unwrap();
    assert_eq!(stats().as_u64(), counted.as_u64().map(|tokens| tokens + 100));
}

#[test]
fn stats_count_the_efforts_of_another_program_once() {
    let home = Home::new();
    let session = home.path("foreign");
    fs::create_dir_all(session.join("efforts")).unwrap();
    let manifest = "efforts:\n  - id: tea\n    status: concluded\n    summary: Tea.\n    raw_file: efforts/tea.jsonl\n";
    fs::write(session.join("manifest.yaml"), manifest).unwrap();
    let line = "{\"role\":\"user\",\"content\":\"hello world\",\"ts\":\"\"}\n";
    let write = |times| fs::write(session.join("efforts/tea.jsonl"), line.repeat(times)).unwrap();
    let stats = || {
        let (out, err, code) = home.run(&["stats", "--json", "--session", "foreign"], &[]);
        assert_eq!(code, 0, "{err}");
        let stats = serde_json::from_str::<serde_json::Value>(&out).unwrap();
        stats["full_history"].as_u64().unwrap()
    };
    write(100);
    let counted = stats();
    let kept = session.join("effort_counts.json");
    let other = fs::read_to_string(&kept).unwrap().replace(",100,200]", ",100,300]");
    fs::write(&kept, other).unwrap();
    assert_eq!(stats(), counted + 100, "what was kept is gone by");
    write(101);
    assert_eq!(stats(), counted + 2, "a log that has grown is counted anew");
    fs::write(&kept, "no counts").unwrap();
    assert_eq!(stats(), counted + 2);
}

#[test]
fn stats_are_lines_to_read_unless_json_is_asked_for() {
    let home = Home::new();
    home.run(&["-p", "Hello", "--offline", "-s", "one"], &[]);
    let (out, err, code) = home.run(&["stats", "-s", "one"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(!out.contains(['{', '}', '"']), "{out}");
    assert!(
        out.contains("\nexpansions       0 ended by decay, 0 by the budget, 0 by hand"),
        "{out}"
    );
    assert!(out.contains("\nsaved by decay   0 tokens\n"), "{out}");
    assert!(out.contains(" tokens (0.0 % saved)\n"), "{out}");
    home.run(&["-p", "/remember the port is 8080", "--offline", "-s", "one"], &[]);
    let (out, _, _) = home.run(&["stats", "-s", "one"], &[]);
    assert!(out.contains(" % more: lists and notes come on top)") && !out.contains("(-"), "{out}");
    let (out, _, _) = home.run(&["-p", "/memory-stats", "--offline", "-s", "one"], &[]);
    assert!(out.contains("1 note, soft limit"), "{out}");
    let (out, _, _) = home.run(&["stats", "--json", "-s", "one"], &[]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["metrics"]["auto_collapses"], 0);
}

#[test]
fn a_session_may_have_spaces_in_its_name() {
    let home = Home::new();
    let (_, err, code) = home.run(&["-p", "Hello", "--offline", "-s", "my work"], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(home.path("data/ebbtide/sessions/my work/session_state.json").is_file());
    let (_, err, _) = home.run(&["export", "-r", "my work", "one.json"], &[]);
    assert_eq!(err, "my work is exported to one.json\n");
    let (_, err, _) = home.run(&["sessions", "rename", "my work", "my old work"], &[]);
    assert_eq!(err, "my work is now my old work\n");
    let (_, err, _) = home.run(&["import", "one.json"], &[]);
    assert_eq!(err, "my work is imported; `ebbtide -r \"my work\"` opens it\n");
    let (out, _, _) = home.run(&["sessions", "--json"], &[]);
    let sessions: serde_json::Value = serde_json::from_str(&out).unwrap();
    let mut names: Vec<&str> =
        sessions.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["my old work", "my work"]);
    for name in ["my  work", "my work ", " my work"] {
        let (_, err, code) = home.run(&["-p", "Hello", "--offline", "-s", name], &[]);
        assert_eq!(code, 2, "{name:?}: {err}");
    }
}

#[test]
fn a_bill_is_told_in_words_in_numbers_and_turn_by_turn() {
    let home = Home::new();
    let stats = |form: &str| home.run(&["stats", form, "-s", "one"], &[]).0;
    for text in ["Hello", "The port is 8080", "Good night"] {
        home.run(&["-p", text, "--offline", "-s", "one"], &[]);
    }
    let rows = stats("--csv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][0], rows[3][0]), (4, "turn", "3"));
    let column = |name: &str| {
        let at = rows[0].iter().position(|column| *column == name).unwrap();
        rows[1..].iter().map(|row| row[at].parse::<u64>().unwrap()).sum::<u64>()
    };
    let json: serde_json::Value = serde_json::from_str(&stats("--json")).unwrap();
    for name in ["cached", "written", "uncached", "output"] {
        assert_eq!(json["bill"]["all"][name], column(name), "{name}");
        assert_eq!(json["bill"]["others"]["full_history"][name], column(&format!("full_{name}")));
    }
    // The system prompt and the tools are read again, by this program and by the others.
    assert!(column("cached") > 2_000 && column("full_cached") > 2_000);
    assert_eq!(
        (&json["bill"]["all"]["requests"], &json["bill"]["all"]["estimates"]),
        (&3.into(), &3.into())
    );
    let (words, _, _) = home.run(&["-p", "/bill", "--offline", "-s", "one"], &[]);
    for part in ["messages", "~", "compacting at 160,000", "Memory has ", "Costs are in tokens"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    let priced = ["-p", "/bill", "--offline", "-s", "one", "--set", "price_input=2.5"];
    assert!(home.run(&priced, &[]).0.contains("Costs are in $"));
    let (_, err, code) = home.run(&["stats", "-s", "one", "--set", "price_cached=-1"], &[]);
    assert!(code != 0 && err.contains("price_cached") && err.contains("a number from 0"), "{err}");
}

#[test]
fn a_file_that_nobody_read_is_no_saving() {
    let home = Home::new();
    let file = home.path("report.txt");
    fs::write(&file, "A line of the report.\n".repeat(2_000)).unwrap();
    let attach = format!("/attach {}", file.display());
    let (out, err, code) = home.run(&["-p", &attach, "--offline", "-s", "one"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    let (out, _, _) = home.run(&["stats", "-s", "one"], &[]);
    assert!(out.contains("\nnot said         1") && !out.contains(" % saved)\n"), "{out}");
    let (json, _, _) = home.run(&["stats", "--json", "-s", "one"], &[]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["bill"]["unsaid"].as_u64() > Some(10_000), "{json}");
    assert!(json["full_history"].as_u64() < Some(5_000), "{json}");
}

#[test]
fn commands_work_without_a_screen() {
    let home = Home::new();
    let run = |line: &str| home.run(&["-p", line, "--offline", "-s", "one"], &[]);
    for (line, said) in [
        ("/open green tea", "'green-tea' is open and active"),
        ("/remember the kettle whistles #tea", "n1"),
        ("/notes", "n1 ★★: the kettle whistles #tea\n"),
        ("/status", "green-tea"),
        ("/close", "green-tea"),
        ("/pin green-tea", "green-tea"),
        ("/undo", "Undone: "),
        ("/redo", "Redone: "),
        ("/search kettle", "kettle"),
        ("/stats", "\nexpansions "),
        ("/bill", "\nfull history "),
        ("/context", "green-tea"),
        ("/session", "Session one, kept in ~/data/ebbtide/sessions/one\n"),
        ("/model", "The built-in offline model answers."),
        ("/help", "/remember WORDS"),
        ("/export one.md", "one.md"),
        ("/set decay_threshold 5 --save", "decay_threshold is now 5. Kept in ~"),
    ] {
        let (out, err, code) = run(line);
        assert_eq!(code, 0, "{line}: {err}");
        assert!(out.contains(said), "{line}: {out}");
    }
    assert!(home.path("one.md").is_file());
    for (line, way_out) in [
        ("/compress", "no effort is open: /open NAME"),
        ("/expand nope", "/search WORDS finds one"),
    ] {
        let (_, err, code) = run(line);
        assert!(code == 1 && err.contains(way_out), "{line}: {err}");
    }
    let (out, err, code) = run("/switch nothing");
    assert_eq!((out.as_str(), code), ("", 1), "{err}");
    assert!(err.contains("nothing"), "{err}");
}

#[test]
fn commands_that_need_the_screen_or_do_not_exist_say_so() {
    let home = Home::new();
    for (line, named) in [
        ("/panel", "/panel needs the screen"),
        ("/journal", "/journal needs the screen"),
        ("/past 3", "`ebbtide context --turn N`"),
        ("/sessions", "`ebbtide sessions`"),
        ("/settings", "`ebbtide config`"),
        ("/new other", "`ebbtide -s NAME -p TEXT`"),
        ("/set decay_threshold 5", "`ebbtide config set KEY VALUE`"),
        ("/remembr tea", "There is no command /remembr. Did you mean /remember?"),
        ("/remember", "/remember needs something to remember"),
    ] {
        let (out, err, code) = home.run(&["-p", line, "--offline", "-s", "one"], &[]);
        assert_eq!((out.as_str(), code), ("", 2), "{line}: {err}");
        assert!(err.contains(named), "{line}: {err}");
    }
    assert!(!home.path("data").exists());
}

#[test]
fn a_message_may_begin_with_a_slash_and_come_from_the_standard_input() {
    let home = Home::new();
    let (_, err, code) = home.run(&["-p", "//usr/bin is full", "--offline", "-s", "one"], &[]);
    assert_eq!(code, 0, "{err}");
    fs::write(home.path("message.txt"), "/etc is a directory").unwrap();
    let mut piped = home.command(&["-p", "-", "--offline", "-s", "one"], &[]);
    let file = fs::File::open(home.path("message.txt")).unwrap();
    assert!(piped.stdin(file).output().unwrap().status.success());
    let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
    let said: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said[0]["content"], "/usr/bin is full");
    assert_eq!(said[2]["content"], "/etc is a directory");
}

#[test]
fn a_reply_and_what_is_told_beside_it_stand_in_lines_of_their_own() {
    let home = Home::new();
    let server = Server::replying([
        Reply::answer(vec![content("half of it")], "content_filter"),
        Reply::answer(vec![content("half of it")], "error"),
    ]);
    let shown = |text: &str| {
        let line = ["--base-url", &server.base_url(), "--model", "m", "-s", "one", "-p", text];
        let file = fs::File::create(home.path("shown")).unwrap();
        let mut command = home.command(&line, &[]);
        command.stdout(file.try_clone().unwrap()).stderr(file);
        command.status().unwrap();
        fs::read_to_string(home.path("shown")).unwrap()
    };
    let filtered = shown("first");
    assert!(filtered.contains("half of it\nThe reply was cut short"), "{filtered}");
    let broken = shown("second");
    assert!(broken.contains("half of it\n"), "{broken}");
    assert!(broken.contains("Your message is kept in the session, without an answer."), "{broken}");
    assert!(!broken.contains("input line"), "{broken}");
    let session = home.path("data/ebbtide/sessions/one");
    let journal = fs::read_to_string(session.join("journal.jsonl")).unwrap();
    assert!(journal.contains("\"user\":\"second\""), "{journal}");
}

#[test]
fn a_path_at_the_beginning_is_a_message_and_an_unknown_word_is_not() {
    let home = Home::new();
    for path in ["/usr/bin is full", "  /tmp/ebbtide"] {
        let (out, err, code) = home.run(&["-p", path, "--offline", "-s", "one"], &[]);
        assert_eq!(code, 0, "{path}: {err}");
        assert!(!out.is_empty(), "{path}");
        let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
        assert!(log.contains(&format!("\"content\":\"{}\"", path.trim())), "{log}");
    }
    let (_, err, code) = home.run(&["-p", "/stat", "--offline", "-s", "one"], &[]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("There is no command /stat. Did you mean /stats?"), "{err}");
    let (help, _, _) = home.run(&["--help"], &[]);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("`//TEXT` sends \"/TEXT\" as a message"), "{help}");
}

#[test]
fn a_small_model_starts_with_nothing_but_its_context_window_set() {
    let server = Server::replying([Reply::answer(vec![content("Hello")], "stop")]);
    let home = Home::new();
    home.write_config("context_window = 4096\n");
    let base_url = server.base_url();
    let line = ["--base-url", &base_url, "--model", "m", "-p", "hello"];
    let (out, err, code) = home.run(&line, &[]);
    assert_eq!((out.as_str(), code), ("Hello\n", 0), "{err}");
    let (list, _, _) = home.run(&["config"], &[]);
    assert!(listed(&list, "token_budget").contains("3072"), "{list}");
}
