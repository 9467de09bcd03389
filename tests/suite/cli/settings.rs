//! What the commands tell of settings: where each came from, and what is wrong with one.

use std::fs;

use super::Home;

/// The line of a setting in the list.
pub(super) fn listed<'a>(list: &'a str, key: &str) -> &'a str {
    list.lines().find(|line| line.split_whitespace().next() == Some(key)).unwrap()
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
    assert!(!out.contains("keys.global.redraw") && !out.contains("theme.accent"), "{out}");
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
    let (_, err, _) = home.run(
        &["config", "check", "--set", "low_percent=100", "--set", "token_budget=1000"],
        &[("EBBTIDE_DECAY_THRESHOLD", "x")],
    );
    let counted = "ebbtide: 4 lines of ~/config/ebbtide/config.toml and 1 environment variable and 2 flags make no \
                   sense.\n";
    assert!(err.ends_with(counted) && err.contains("token_budget of 1,000 is too small"), "{err}");
    let (out, _, code) = home.run(&["doctor", "--offline"], &[]);
    assert_eq!((code, out.lines().filter(|line| line.starts_with("!!")).count()), (1, 4), "{out}");
    let (_, err, code) = home.run(&["-p", "Hello", "--offline"], &[]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn what_makes_no_sense_is_counted_where_it_stands() {
    let home = Home::new();
    for (line, variables, told) in [
        (
            &["config", "check"][..],
            &[("EBBTIDE_DECAY_THRESHOLD", "x")][..],
            "1 environment variable makes",
        ),
        (&["config", "check", "--set", "low_percent=100"], &[], "1 flag makes"),
        (
            &["config", "check", "--set", "low_percent=100"],
            &[("EBBTIDE_SLOTS", "x"), ("EBBTIDE_THEME", "x")],
            "2 environment variables and 1 flag make",
        ),
    ] {
        let (_, err, code) = home.run(line, variables);
        let last = err.lines().last().unwrap_or_default();
        assert_eq!((code, last), (2, &*format!("ebbtide: {told} no sense.")), "{line:?}: {err}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_treated_alike_wherever_they_stand() {
    for (key, value, holds) in [
        ("preview_tokens", "1000000", "counts as 1000."),
        ("working_memory_soft_limit", "100000", "counts as 49."),
        ("input_limit_tokens", "100", "counts as 100."),
        ("low_percent", "100", "counts as 90."),
        ("token_budget", "1000", "Until then it counts as "),
    ] {
        let (variable, flag) =
            (format!("EBBTIDE_{}", key.to_uppercase()), format!("{key}={value}"));
        let hello = ["-p", "Hello", "--offline"];
        for (line, variables, file) in [
            ([&hello[..], &["--set", &flag]].concat(), vec![], String::new()),
            (hello.to_vec(), vec![(variable.as_str(), value)], String::new()),
            (hello.to_vec(), vec![], format!("{key} = {value}\n")),
        ] {
            let home = Home::new();
            home.write_config(&file);
            let (out, err, code) = home.run(&line, &variables);
            assert!(code == 0 && !out.is_empty(), "{line:?} {variables:?}: {err}");
            assert!(err.contains(key) && err.contains(holds), "{line:?} {variables:?}: {err}");
        }
    }
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
    assert!(err.contains("Did you mean token_budget?") && !err.contains("flag"), "{err}");
    for (key, told) in [
        ("theme.accent", "write accent below [theme] in ~/config/ebbtide/config.toml by hand"),
        ("keys.global.help", "write global.help below [keys] in ~/config/ebbtide/config.toml"),
    ] {
        for line in [&["config", "set", key, "F12"][..], &["config", "unset", key]] {
            let (_, err, code) = home.run(line, &[]);
            assert!(code == 2 && err.contains(told), "{line:?}: {err}");
        }
    }
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

#[test]
fn only_what_needs_a_place_that_is_not_known_complains() {
    let home = Home::new();
    let homeless = |line: &[&str], variables: &[(&str, &str)]| {
        let mut command = home.command(line, variables);
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            if !variables.iter().any(|(given, _)| given == &name) {
                command.env_remove(name);
            }
        }
        let ended = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(ended.stdout), text(ended.stderr), ended.status.code().unwrap())
    };
    let given = ["--session", "far/talk", "--config", "/dev/null", "--offline", "-p", "hello"];
    let logged = [&given[..], &["--log-file", "log"]].concat();
    let (out, err, code) = homeless(&logged, &[]);
    assert!(code == 0 && !out.is_empty() && err.is_empty(), "{out}{err}");
    let (_, err, code) = homeless(&given, &[]);
    let no_log = "There is no log: neither XDG_STATE_HOME nor HOME is set, so there is no place for files. Set one of them, \
                  or name a file with --log-file.\n";
    assert_eq!((err.as_str(), code), (no_log, 0));
    for (line, variables, told) in [
        (&given[2..], &[][..], "neither XDG_DATA_HOME nor HOME is set"),
        (&["sessions", "--config", "/dev/null"], &[], "neither XDG_DATA_HOME nor HOME is set"),
        (&["config"], &[], "neither XDG_CONFIG_HOME nor HOME is set"),
        (&["config"], &[("HOME", "my/home")], "HOME is \"my/home\", which is not absolute"),
    ] {
        let (_, err, code) = homeless(line, variables);
        let last = err.lines().last().unwrap_or_default();
        assert!(code == 2 && last.contains(told), "{line:?}: {code} {err}");
    }
    let (out, _, _) = homeless(&["doctor", "--config", "/dev/null", "--offline"], &[]);
    let failed: Vec<&str> = out.lines().filter(|line| line.starts_with("!!")).collect();
    assert!(failed.len() == 2 && failed[0].contains("XDG_DATA_HOME"), "{out}");
    assert!(failed[1].contains("XDG_STATE_HOME"), "{out}");
}
