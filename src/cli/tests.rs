mod again;
mod damaged;
mod folders;
mod logs;

use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser};

use super::*;
use crate::address::HOLDS_USER;
use crate::config::Provider;

fn summary(name: &str, turns: u64) -> SessionSummary {
    SessionSummary {
        in_use: false,
        name: name.to_owned(),
        directory: Path::new("/sessions").join(name),
        turns,
        updated: "2026-01-01T10:00:00Z".to_owned(),
        title: "Hello\u{1b}[2J there".to_owned(),
    }
}

fn two_sessions(_: &Path) -> Vec<SessionSummary> {
    vec![summary("tokens", 12), summary("trip", 1)]
}

fn no_sessions(_: &Path) -> Vec<SessionSummary> {
    Vec::new()
}

fn unreachable_server(_: &Provider) -> Result<Way, Unreached> {
    Err("connection refused".to_owned().into())
}

fn secure_server(provider: &Provider) -> Result<Way, Unreached> {
    let secure = provider.base_url.starts_with("https://");
    if secure { Ok(Way::Straight) } else { Err("not secure".to_owned().into()) }
}

struct Machine {
    home: tempfile::TempDir,
    host: Host,
}

impl Machine {
    fn new(variables: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let place = [("HOME", home.path().to_str().unwrap())];
        let environment = place.into_iter().chain(variables.iter().copied()).collect();
        let host = Host {
            environment,
            interactive: false,
            sessions: two_sessions,
            reachable: unreachable_server,
            embeds: |_| Ok(768),
            facts: |_, _| Ok(crate::llm::Facts::default()),
            chosen: |_, models| models.into_iter().next(),
        };
        Self { home, host }
    }

    /// What a command prints to each stream, and how it ends.
    fn run(&self, line: &[&str]) -> (String, String, Result<(), Error>) {
        let arguments = Arguments::try_parse_from(["ebbtide"].iter().chain(line)).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams { out: &mut out, err: &mut err };
        let result = run(&arguments, &self.host, &mut streams);
        let home = self.home.path().to_str().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap().replace(home, "~");
        // Whichever test of this process comes first has the log.
        let err = text(err).replace("There is no log of its own: this process logs already.\n", "");
        (text(out), err, result)
    }
}

fn directory(line: &[&str], known: &[SessionSummary]) -> Result<PathBuf, Error> {
    let arguments = Arguments::try_parse_from(["ebbtide"].iter().chain(line)).unwrap();
    session::directory(&arguments.session, Path::new("/sessions"), known)
}

#[test]
fn the_definitions_hold_together() {
    Arguments::command().debug_assert();
}

#[test]
fn a_terminal_that_cannot_place_its_cursor_gets_no_screen() {
    let mut machine = Machine::new(&[("TERM", "dumb")]);
    machine.host.interactive = true;
    for line in [&[][..], &["demo"]] {
        let (out, _, result) = machine.run(line);
        let error = result.unwrap_err();
        assert_eq!((out.as_str(), error.exit_code()), ("", 2));
        assert!(error.sentence().starts_with("TERM=dumb says"), "{}", error.sentence());
    }
    assert!(machine.run(&[]).2.unwrap_err().sentence().contains("`ebbtide -p TEXT`"));
}

#[test]
fn without_a_name_the_session_used_last_is_opened_or_the_default_one() {
    let known = two_sessions(Path::new(""));
    assert_eq!(directory(&[], &known).unwrap(), Path::new("/sessions/tokens"));
    assert_eq!(directory(&["-c"], &known).unwrap(), Path::new("/sessions/tokens"));
    assert_eq!(directory(&[], &[]).unwrap(), Path::new("/sessions/default"));
    assert_eq!(directory(&["-c"], &[]).unwrap_err().exit_code(), 2);
}

#[test]
fn sessions_are_opened_by_name_by_number_and_by_directory() {
    let known = two_sessions(Path::new(""));
    assert_eq!(directory(&["-s", "new-one"], &known).unwrap(), Path::new("/sessions/new-one"));
    assert_eq!(directory(&["-r", "trip"], &known).unwrap(), Path::new("/sessions/trip"));
    assert_eq!(directory(&["-r", "2"], &known).unwrap(), Path::new("/sessions/trip"));
    assert_eq!(directory(&["--session", "x/y"], &known).unwrap(), Path::new("x/y"));
    // Both spellings of an accent are one name.
    let known = [summary("cafe\u{301}", 1), summary("caf\u{e9}s", 1)];
    for (spelt, name) in [("caf\u{e9}", "cafe\u{301}"), ("cafe\u{301}s", "caf\u{e9}s")] {
        assert_eq!(directory(&["-r", spelt], &known).unwrap(), Path::new("/sessions").join(name));
    }
    let own = session::directory_of(Path::new("/sessions"), "cafe\u{301}").unwrap();
    assert_eq!(own, Path::new("/sessions/caf\u{e9}"));
    let known = two_sessions(Path::new(""));
    let error = directory(&["-r", "trap"], &known).unwrap_err().to_string();
    assert_eq!(error, "there is no session \"trap\" in /sessions. Did you mean trip?");
    for number in ["0", "3", "-", "99999999999999999999999"] {
        assert!(directory(&["-r", number], &known).is_err(), "{number}");
    }
}

#[test]
fn resume_without_a_name_lists_the_sessions_by_number() {
    let error = directory(&["-r"], &two_sessions(Path::new(""))).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert_lines(
        &error.sentence(),
        "which session? Open one with `ebbtide -r NUMBER`:\n   \
         1  tokens                    12 turns  2026-01-01T10:00:00Z  Hello there\n   \
         2  trip                       1 turn   2026-01-01T10:00:00Z  Hello there",
    );
}

/// Compares texts line by line, so that a difference is easy to find.
fn assert_lines(found: &str, expected: &str) {
    assert_eq!(found.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
}

#[test]
fn unsafe_session_names_are_refused() {
    let long = "n".repeat(10_000);
    for name in [
        "", "../x", "/etc", "a/b", "a\\b", ".hidden", "a  b", "a ", " a", "a\u{7}", "😀", "-x",
        &long,
    ] {
        let error = check_name(name).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{name:?}");
        assert!(error.to_string().len() < 500 && !error.to_string().contains('\u{7}'));
    }
    let spelled = ["प्रोजेक्ट", "ที่บ้าน", "cafe\u{301}"];
    for name in ["default", "auth-bug_2", "v1.2", "東京", "my work"].into_iter().chain(spelled) {
        assert!(check_name(name).is_ok(), "{name:?}");
    }
    assert!(check_name("प्रोजेक्ट/").unwrap_err().to_string().contains("प्रोजेक्ट/"), "as it was typed");
}

#[test]
fn sessions_print_as_lines_and_as_json() {
    let machine = Machine::new(&[]);
    let (out, _, result) = machine.run(&["sessions"]);
    result.unwrap();
    assert!(
        out.starts_with("   1  tokens                    12 turns  2026-01-01T10:00:00Z  Hello")
    );
    assert!(!out.contains('\u{1b}'), "{out:?}");
    let (out, _, _) = machine.run(&["sessions", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&rows[1]["name"], &rows[1]["number"]), (&"trip".into(), &2.into()));
    assert_eq!(rows[0]["turns"], 12);
}

#[test]
fn a_list_shows_no_number_that_opens_a_session_of_that_name() {
    let known = |_: &Path| vec![summary("2", 1), summary("trip", 1), summary("3", 1)];
    let mut machine = Machine::new(&[]);
    machine.host.sessions = known;
    let (out, _, _) = machine.run(&["sessions"]);
    let begins: Vec<&str> = out.lines().map(|line| line[..12].trim_end()).collect();
    assert_eq!(begins, ["   1  2", "      trip", "   3  3"]);
    let (out, _, _) = machine.run(&["sessions", "--json"]);
    let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
    for row in rows.as_array().unwrap() {
        let said = row["number"].as_u64().map_or("trip".to_owned(), |number| number.to_string());
        let opened = directory(&["-r", &said], &known(Path::new(""))).unwrap();
        assert_eq!(Some(opened.to_str().unwrap()), row["directory"].as_str());
    }
    assert!(rows[1]["number"].is_null());
}

#[test]
fn no_sessions_are_an_empty_list() {
    let mut machine = Machine::new(&[]);
    machine.host.sessions = no_sessions;
    assert_eq!(machine.run(&["sessions", "--json"]).0, "[]\n");
    let (out, err, _) = machine.run(&["sessions"]);
    assert_eq!((out.as_str(), err.contains("No sessions in ~")), ("", true), "{err}");
}

#[test]
fn the_doctor_of_a_fresh_machine_finds_nothing_wrong_and_leaves_nothing_behind() {
    let machine = Machine::new(&[]);
    let (out, _, result) = machine.run(&["doctor", "--offline"]);
    result.unwrap();
    assert!(out.lines().all(|line| line.starts_with("ok  ")), "{out}");
    assert!(out.contains("sessions   ~/.local/share/ebbtide/sessions is writable"), "{out}");
    assert!(out.contains("the built-in offline model answers"), "{out}");
    assert!(!machine.home.path().join(".local/share").exists());
}

#[test]
fn the_doctor_names_the_variable_of_the_key_and_never_the_key() {
    let mut machine = Machine::new(&[("DEEPSEEK_API_KEY", "sk-hush-hush")]);
    machine.host.reachable = secure_server;
    let (out, _, result) = machine.run(&["doctor"]);
    result.unwrap();
    let model = "DeepSeek at https://api.deepseek.com, deepseek-flash, with the key from \
                 DEEPSEEK_API_KEY";
    assert!(out.contains(model) && !out.contains("hush"), "{out}");
}

#[test]
fn the_doctor_shows_what_the_server_tells_of_the_model() {
    use crate::llm::Facts;
    let mut machine = Machine::new(&[("OPENAI_API_KEY", "sk-hush-hush")]);
    machine.host.reachable = secure_server;
    machine.host.facts = |_, _| {
        let shutdown = Some("2999-01-01".to_owned());
        Ok(Facts {
            there: Some(true),
            context: Some(9),
            tools: Some(true),
            shutdown,
            ..Facts::default()
        })
    };
    let (out, _, result) = machine.run(&["doctor"]);
    result.unwrap();
    let told = "gpt-6-luna takes 9 tokens, takes tools; it is not told whether it thinks; its cache: up to \
                marks. It ends on 2999-01-01";
    assert!(out.contains(told), "{out}");

    machine.host.facts =
        |_, _| Ok(Facts { there: Some(false), others: vec!["a".into()], ..Facts::default() });
    let (out, _, result) = machine.run(&["doctor"]);
    assert!(result.is_err() && out.contains("OpenAI has no model gpt-6-luna. --model"), "{out}");
    machine.host.facts = |_, _| Ok(Facts { chats: Some(false), ..Facts::default() });
    let (out, _, result) = machine.run(&["doctor"]);
    assert!(result.is_err() && out.contains("gpt-6-luna is not for chatting"), "{out}");
    machine.host.facts = |_, _| {
        let (address, detail) = ("api.openai.com".into(), "Open WebUI".into());
        Err(crate::llm::Error::Unreadable { address, detail })
    };
    let (out, _, result) = machine.run(&["doctor"]);
    let told =
        "!!  model      api.openai.com sent something that is no model's answer: Open WebUI. Does";
    assert!(result.is_err() && out.contains(told), "{out}");
    machine.host.facts = |_, _| Ok(Facts::default());
    let (out, _, result) = machine.run(&["doctor", "--model", "gpt-4"]);
    assert!(result.is_err() && out.contains("gpt-4 was shut down on 2026-10-23"), "{out}");
}

#[test]
fn the_doctor_tells_servers_that_do_not_run_in_few_words() {
    let mut machine = Machine::new(&[("OLLAMA_HOST", "box:9")]);
    for (reason, expected) in [
        ("Connection refused (os error 111)", "http://box:9/v1 (Ollama), "),
        ("its name has no address", "http://box:9/v1 (Ollama: its name has no address), "),
    ] {
        machine.host.reachable = match reason {
            "its name has no address" => |_| Err("its name has no address".to_owned().into()),
            _ => |_| Err("Connection refused (os error 111)".to_owned().into()),
        };
        let (out, _, result) = machine.run(&["doctor"]);
        result.unwrap();
        let told = format!("no key is set, and nothing answers at {expected}");
        assert!(out.contains(&told) && !out.contains("os error"), "{out}");
    }
}

#[test]
fn the_doctor_says_what_to_do_about_each_fault() {
    let machine = Machine::new(&[("EBBTIDE_THEME", "pink"), ("EBBTIDE_TOKENS", "5")]);
    std::fs::write(machine.home.path().join(".local"), "in the way").unwrap();
    let (out, _, result) = machine.run(&["doctor", "--base-url", "http://box:9/v1?key=k"]);
    assert_eq!(result.unwrap_err().exit_code(), 1);
    let faults: Vec<&str> = out.lines().filter(|line| line.starts_with("!!")).collect();
    assert_eq!(faults.len(), 5, "{out}");
    assert!(faults[0].contains("EBBTIDE_TOKENS is no setting"), "{out}");
    assert!(faults[1].contains("theme must be one of auto, light, dark, mono"), "{out}");
    assert!(faults[3].contains("--log-file"), "{out}");
    assert!(faults[4].contains("cannot be reached"), "a wrong value stops no further check: {out}");

    let machine = Machine::new(&[]);
    let (out, _, result) = machine.run(&["doctor", "--base-url", "http://box:9/v1?key=k"]);
    assert_eq!(
        result.unwrap_err().to_string(),
        "1 check failed; the line above with !! says what to do"
    );
    assert!(
        out.contains(
            "!!  model      http://box:9/v1?key=*** cannot be reached (connection refused)"
        )
    );
}

#[test]
fn a_password_in_an_address_is_told_by_no_command() {
    let machine = Machine::new(&[]);
    let file = machine.home.path().join("config.toml");
    let config = ["--config", file.to_str().unwrap()];
    let address = "http://box:9/v1?key=k";
    let (out, err, result) =
        machine.run(&[&["config", "set", "base_url", address], &config[..]].concat());
    result.unwrap();
    assert!(std::fs::read_to_string(&file).unwrap().contains(address), "as it was set");
    assert!(err.contains("http://box:9/v1?key=***"), "{out}{err}");
    let line = ["ebbtide", "connect", "--base-url", address];
    let arguments = Arguments::try_parse_from(line).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err };
    let job = Job::prepare(&arguments, &machine.host, &mut streams).unwrap();
    connect::connect(&job, &mut &b""[..], &mut streams).unwrap_err();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("at http://box:9/v1?key=***, "), "{out}");
}

#[test]
fn an_address_with_a_password_is_refused_by_all_in_one_sentence() {
    let refused = format!("base_url {HOLDS_USER}");
    let mut machine = Machine::new(&[]);
    machine.host.reachable = |_| Ok(Way::Straight);
    let file = machine.home.path().join("config.toml");
    let config = ["--config", file.to_str().unwrap()];
    let address = "http://me:pw@box:9/v1";
    let (_, _, result) =
        machine.run(&[&["config", "set", "base_url", address], &config[..]].concat());
    let error = result.unwrap_err();
    assert!(error.to_string().starts_with(&refused) && error.exit_code() == 2, "{error}");
    assert!(!file.exists(), "nothing was written");
    let flag = ["--base-url", address];
    std::fs::write(&file, format!("base_url = \"{address}\"\n")).unwrap();
    for given in [flag, config] {
        let (out, _, result) = machine.run(&[&["doctor"], &given[..]].concat());
        assert!(result.is_err() && out.contains(&refused) && !out.contains("pw@"), "{out}");
        let (_, err, result) = machine.run(&[&["-p", "hello"], &given[..]].concat());
        let told = format!("{err}{}", result.unwrap_err());
        assert!(told.contains(&refused) && !told.contains("pw@"), "{told}");
    }
    // What other programs' variables name is asked by nobody either.
    for (variable, name) in
        [("OLLAMA_HOST", "Ollama"), ("OPENAI_BASE_URL", "box:9"), ("ANTHROPIC_BASE_URL", "box:9")]
    {
        let mut machine = Machine::new(&[(variable, address)]);
        machine.host.reachable = |_| Ok(Way::Straight);
        let (out, _, result) = machine.run(&["doctor"]);
        let told = format!("!!  model      {name}: the base URL {HOLDS_USER}. ");
        assert!(result.is_err() && out.contains(&told) && !out.contains("pw@"), "{out}");
    }
}

#[test]
fn settings_that_are_read_again_are_those_that_the_command_began_with() {
    let mut machine = Machine::new(&[]);
    // Where nothing says where sessions are, others are beside the one that is named.
    let home = machine.home.path().to_owned();
    machine.host.environment = [("XDG_CONFIG_HOME", home)].into_iter().collect();
    let arguments = Arguments::try_parse_from(["ebbtide", "--session", "/kept/talk"]).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err };
    let job = Job::prepare(&arguments, &machine.host, &mut streams).unwrap();
    let again = job::load_settings(&arguments, &machine.host).unwrap();
    assert_eq!(again.list(), job.settings.list());
    assert_eq!(again.sessions_dir(), Path::new("/kept"));
}

#[test]
fn a_named_model_that_is_not_asked_is_told_by_a_replay_too() {
    let machine = Machine::new(&[]);
    let file = machine.home.path().join("talk.jsonl");
    let said = |role: &str| format!("{{\"role\":\"{role}\",\"content\":\"Green tea?\"}}\n");
    std::fs::write(&file, said("user") + &said("assistant")).unwrap();
    let line = ["replay", "--with-model", "--offline", "--model", "big", file.to_str().unwrap()];
    let (_, err, result) = machine.run(&line);
    assert!(err.contains("big is not asked: `offline` keeps"), "{err}");
    let error = result.unwrap_err().to_string();
    assert!(error.contains("leave that out, or leave --with-model out"), "{error}");
}

#[test]
fn a_model_beside_the_chat_that_nobody_can_be_asked_for_is_found_by_the_checks() {
    let mut machine = Machine::new(&[("DEEPSEEK_API_KEY", "k")]);
    machine.host.reachable = secure_server;
    let file = machine.home.path().join("config.toml");
    let mine = "[providers.mine]\nbase_url = \"https://mine/v1\"\napi_key_env = \"MINE\"\n";
    std::fs::write(&file, mine).unwrap();
    let checked = |machine: &Machine, command: &[&str], set: &str| {
        let config = ["--config", file.to_str().unwrap(), "--set", set];
        machine.run(&[command, &config].concat())
    };
    for (set, known, told) in [
        ("summary_model=Nope x", false, "no provider \"Nope\" can be asked. There are mine, "),
        ("compression_model=mine m", false, "It wants a key, and MINE is not set. Set it to"),
        ("judge_model=DeepSek m", false, "(from: flag --set), and no provider \"DeepSek\" can"),
        ("judge_model=ollama m", true, "judge_model: http://127.0.0.1:11434/v1 cannot be reached"),
        ("summary_model=old", true, "summary_model: DeepSeek has no model old. Name one"),
    ] {
        machine.host.facts = |endpoint, _| {
            let there = Some(endpoint.model != "old");
            Ok(crate::llm::Facts { there, ..crate::llm::Facts::default() })
        };
        let (out, _, result) = checked(&machine, &["doctor"], set);
        let faults: Vec<&str> = out.lines().filter(|line| line.starts_with("!!")).collect();
        assert!(result.is_err() && faults.len() == 1 && faults[0].contains(told), "{set}: {out}");
        let (_, err, result) = checked(&machine, &["config", "check"], set);
        assert_eq!(result.is_ok(), known, "{set}: {err}");
        let of_check = result.err().map(|error| error.to_string());
        let flag = (!known).then(|| "1 flag makes no sense".to_owned());
        assert_eq!(of_check, flag, "{set}: {err}");
        assert_eq!(err.contains(told), !known, "{set}: {err}");
        // Where no server is asked, none of them is.
        let (out, _, result) = checked(&machine, &["doctor", "--offline"], set);
        assert!(result.is_ok(), "{set}: {out}");
    }
    let (out, _, result) = checked(&machine, &["doctor"], "summary_model=deepseek m");
    assert!(result.is_ok() && out.contains("summary_model: m of DeepSeek can be asked"), "{out}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let machine = Machine::new(&[]);
    for line in [&["config"][..], &["config", "default"], &["completions", "bash"], &["doctor"]] {
        let arguments = Arguments::try_parse_from(["ebbtide"].iter().chain(line)).unwrap();
        let mut streams = Streams { out: &mut Gone, err: &mut Gone };
        let error = run(&arguments, &machine.host, &mut streams).unwrap_err();
        assert!(error.is_silent(), "{line:?}: {error}");
    }
}

#[test]
fn flags_become_settings_and_the_general_flag_goes_before_the_special_one() {
    let line = ["ebbtide", "-m", "one", "--set", "model=two", "--set", "theme = dark", "--offline"];
    let arguments = Arguments::try_parse_from(line).unwrap();
    let values: Vec<_> = arguments
        .settings
        .overrides()
        .values
        .into_iter()
        .map(|value| format!("{} {}={}", value.flag, value.key, value.value))
        .collect();
    assert_eq!(
        values,
        ["--model model=one", "--offline offline=true", "--set model=two", "--set theme=dark"]
    );
}
