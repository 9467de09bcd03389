mod tables;

use std::fs;

use super::*;
use crate::address::HOLDS_USER;
use crate::bill::{CacheKind, Prices};

fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn environment(home: &tempfile::TempDir, more: &[(&str, &str)]) -> Environment {
    let path = home.path().to_str().unwrap();
    [("HOME", path)].into_iter().chain(more.iter().copied()).collect()
}

fn write_config(home: &tempfile::TempDir, text: &str) {
    fs::create_dir_all(home.path().join(".config/ebbtide")).unwrap();
    fs::write(home.path().join(".config/ebbtide/config.toml"), text).unwrap();
}

fn flags(values: &[(&str, &str)]) -> Overrides {
    let value = |&(key, value): &(&str, &str)| Override {
        key: key.into(),
        value: value.into(),
        flag: "--set",
    };
    Overrides { config_file: None, values: values.iter().map(value).collect() }
}

fn load_error(config: &str, variables: &[(&str, &str)], sets: &[(&str, &str)]) -> String {
    let home = home();
    write_config(&home, config);
    let error = Settings::load(&environment(&home, variables), &flags(sets)).unwrap_err();
    error.to_string().replace(home.path().to_str().unwrap(), "~")
}

#[test]
fn every_row_of_the_table_stands_at_the_place_of_its_key() {
    for (at, key) in Key::all().iter().enumerate() {
        assert_eq!(*key as usize, at, "{} is out of order", key.name());
        assert!(key.doc().ends_with('.'), "{} has no doc sentence", key.name());
    }
}

#[test]
fn the_defaults_are_the_seeds_numbers() {
    let settings = Settings::default();
    assert_eq!(settings.rules(), Rules::default());
    assert_eq!(settings.max_tool_rounds(), 8);
    assert_eq!(settings.input_limit(), Tokens(2_000));
    assert_eq!(settings.tool_output_limit(), Tokens(1_000));
    assert_eq!(settings.preview(), Tokens(300));
    assert_eq!(settings.model(), None);
    assert_eq!(settings.theme(), Theme::Auto);
    assert_eq!(settings.log_level(), tracing::Level::INFO);
}

#[test]
fn a_flag_goes_before_the_environment_before_the_file_before_the_default() {
    let home = home();
    write_config(&home, "decay_threshold = 4\nambient_window = 5\ntoken_budget = 2_000\n");
    let variables = [("EBBTIDE_AMBIENT_WINDOW", "6"), ("EBBTIDE_TOKEN_BUDGET", "3000")];
    let settings =
        Settings::load(&environment(&home, &variables), &flags(&[("token-budget", "4000")]))
            .unwrap();

    let rules = settings.rules();
    assert_eq!((rules.decay_threshold, rules.ambient_window), (4, 6));
    assert_eq!(rules.token_budget, Tokens(4_000));
    assert_eq!(rules.soft_percent, 90);
    let path = home.path().join(".config/ebbtide/config.toml");
    assert_eq!(settings.source(Key::DecayThreshold), &Source::File { path, line: 1 });
    assert_eq!(
        settings.source(Key::AmbientWindow),
        &Source::Environment("EBBTIDE_AMBIENT_WINDOW".into())
    );
    assert_eq!(settings.source(Key::TokenBudget), &Source::Flag("--set"));
    assert_eq!(settings.source(Key::SoftPercent), &Source::Default);
}

#[test]
fn a_variable_that_makes_no_sense_falls_back_like_a_line_of_the_file() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    std::fs::write(&file, "soft_percent = 70\n").unwrap();
    let bad = [("EBBTIDE_THEME", "pink"), ("EBBTIDE_SOFT_PERCENT", "x")];
    let home = [("HOME", home.path().to_str().unwrap())];
    let environment = home.into_iter().chain(bad).collect();
    let overrides = Overrides { config_file: Some(file), values: Vec::new() };
    let settings = Settings::load(&environment, &overrides).unwrap();
    assert_eq!((settings.theme(), settings.number(Key::SoftPercent)), (Theme::Auto, 70));
    let told = settings.faults().join("\n");
    assert!(told.contains("variable EBBTIDE_THEME). The default holds: auto."), "{told}");
    assert!(told.contains("It stays 70 (from: "), "{told}");
}

#[test]
fn what_says_who_answers_is_held_to_names_that_there_are() {
    let mut settings = Settings::default();
    let error = settings.set("provider", "abc", Source::Chat).unwrap_err().to_string();
    assert!(error.contains("abc") && settings.provider().is_none(), "{error}");
    settings.set("provider", "lm-studio", Source::Chat).unwrap();
    settings.set("provider", "", Source::Chat).unwrap();
    let error = settings.set("currency", &"x".repeat(300), Source::Chat).unwrap_err().to_string();
    assert!(error.contains("at most 12 signs") && error.len() < 200, "{error}");
}

#[test]
fn a_bad_value_is_told_with_its_key_its_place_and_what_would_do() {
    assert_eq!(
        load_error("", &[], &[("token_budgte", "5")]),
        "there is no setting \"token_budgte\" (from: flag --set). Did you mean token_budget?"
    );
}

#[test]
fn numbers_that_are_none_are_refused() {
    for value in ["-1", "3.5", "", "many", "1e3", "99999999999999999999", "3_", "_3", "+3"] {
        let error = load_error("", &[], &[("decay_threshold", value)]);
        assert!(error.starts_with("decay_threshold must be a whole number"), "{value}: {error}");
    }
}

#[test]
fn addresses_that_are_none_are_refused() {
    for value in ["box:8080", "ftp://box", "http://", "http:///v1", "http://a b", "https://a\\@b"] {
        let error = load_error("", &[], &[("base_url", value)]);
        assert!(error.starts_with("base_url must be an address"), "{value}: {error}");
    }
    for value in ["http://me:pw@box:9/v1", " HTTPS://me@box", "http://:pw@[::1]"] {
        for key in ["base_url", "embedding_url"] {
            let error = load_error("", &[], &[(key, value)]);
            assert_eq!(error, format!("{key} {HOLDS_USER} (from: flag --set)"), "{value}");
        }
    }
}

#[test]
fn a_file_that_is_not_toml_is_told_with_its_line() {
    let error = load_error("theme = \"dark\"\ntoken_budget = = 3\n", &[], &[]);
    assert!(error.starts_with("~/.config/ebbtide/config.toml:2: this is not TOML: "), "{error}");
    let twice = load_error("theme = \"dark\"\ntheme = \"light\"\n", &[], &[]);
    assert!(twice.starts_with("~/.config/ebbtide/config.toml:2: "), "{twice}");
}

#[test]
fn the_usual_mistakes_are_told_with_their_key_and_what_to_do() {
    for (text, line, told) in [
        (
            "theme = \"light\"\n\n[theme]\nbase = \"dark\"\n",
            3,
            "theme stands there already, in line 1: keep one",
        ),
        ("slots = 4\nmodel = \"m\"\nslots = 5\n", 3, "slots stands there already, in line 1"),
        ("token_budget =\n", 1, "nothing stands behind token_budget: give it a value"),
        ("token_budget = # later\nslots = 4\n", 1, "nothing stands behind token_budget"),
        ("model = gpt\n", 1, "(at model)"),
    ] {
        let error = load_error(text, &[], &[]);
        let place = format!("~/.config/ebbtide/config.toml:{line}: this is not TOML: ");
        assert!(error.starts_with(&place) && error.contains(told), "{text}: {error}");
    }
    let theme = load_error("theme = \"light\"\n[theme]\n", &[], &[]);
    assert!(theme.contains("`base` in the table [theme]"), "{theme}");
}

#[test]
fn a_config_file_asked_for_must_exist_and_the_usual_one_need_not() {
    let home = home();
    assert!(Settings::load(&environment(&home, &[]), &Overrides::default()).is_ok());
    let path = home.path().join("other.toml");
    let asked = Overrides { config_file: Some(path.clone()), values: Vec::new() };
    let error = Settings::load(&environment(&home, &[]), &asked).unwrap_err().to_string();
    assert!(error.contains(path.to_str().unwrap()), "{error}");
}

#[test]
fn settings_that_contradict_each_other_are_refused_and_the_old_ones_stay() {
    let mut settings = Settings::default();
    settings.set("token_budget", "16000", Source::Chat).unwrap();
    let before = settings.clone();
    let error =
        settings.set("context_window", "8000", Source::Flag("--set")).unwrap_err().to_string();
    assert_eq!(
        error,
        "token_budget is 16000 (from: set in the chat), more than context_window, which is 8000 (from: \
         flag --set). Lower the first or raise the second"
    );
    assert_eq!(settings, before);

    let both = [("context_window", "8000"), ("token_budget", "8000")]
        .map(|(key, value)| (key.to_owned(), value.to_owned(), Source::Chat));
    settings.set_all(both).unwrap();
    assert_eq!(settings.rules().token_budget, Tokens(8_000));
}

#[test]
fn a_budget_that_nobody_set_follows_what_the_model_takes() {
    let budget = |settings: &Settings| settings.rules().token_budget.0;
    let mut settings = Settings::default();
    settings.set("context_window", "4096", Source::Chat).unwrap();
    assert_eq!(budget(&settings), 3_072);
    settings.set("context_window", "200000", Source::Chat).unwrap();
    assert_eq!(budget(&settings), 16_000);
    // What the person said goes before what the server says.
    assert_eq!((settings.fit_to(4_096, Source::Server), budget(&settings)), (None, 16_000));

    let mut told = Settings::default();
    assert_eq!(told.fit_to(1_000_000, Source::Server), None);
    let mut told = Settings::default();
    let sentence = told.fit_to(4_096, Source::Table).unwrap();
    assert_eq!(told.source(Key::ContextWindow).to_string(), "of the table of providers");
    assert!(
        sentence.contains("4096") && sentence.contains("3072") && sentence.contains("16000"),
        "{sentence}"
    );
    assert_eq!((budget(&told), told.context_window()), (3_072, Some(4_096)));
    let shown = |settings: &Settings| {
        let rows = settings.list();
        rows.into_iter().find(|row| row.key == "token_budget").unwrap().source.to_string()
    };
    assert_eq!(shown(&told), "from the model");
    let mut own = told.clone();
    own.set("token_budget", "2000", Source::Chat).unwrap();
    assert_eq!(shown(&own), "set in the chat");
    let mut large = Settings::default();
    large.fit_to(200_000, Source::Server);
    assert_eq!(shown(&large), "default");

    // A refusal goes before what was told, and the same once more says that its server counts more than we do.
    let kept = |told: &Settings| told.rules().limit().0;
    let first = told.fit_to_refusal(3_000, 3_000).unwrap();
    assert!(first.contains("takes 3000") && first.contains("2250 instead of 3072"), "{first}");
    assert!(
        told.fit_to_refusal(3_000, 2_250).unwrap().contains("2025 instead of 2250"),
        "{}",
        kept(&told)
    );
    assert_eq!(told.fit_to_refusal(200_000, 3_000), None, "that is not what was passed");
    let mut doubled = Settings::default();
    doubled.fit_to_refusal(6_000, 2_900).unwrap();
    assert_eq!(
        kept(&doubled),
        2_610,
        "its server counts twice as many: what comes next is smaller"
    );
    let mut said = Settings::default();
    said.set("token_budget", "3500", Source::Chat).unwrap();
    said.fit_to_refusal(4_000, 3_500).unwrap();
    assert_eq!(kept(&said), 3_150, "a budget of one's own, too");
    said.set("context_window", "16000", Source::Chat).unwrap();
    assert_eq!(said.fit_to_refusal(2_000, 3_500), None, "what the person said of the model holds");

    let mut chosen = Settings::default();
    chosen.set("token_budget", "9000", Source::Chat).unwrap();
    assert!(
        chosen.fit_to(8_192, Source::Server).unwrap().contains("8192"),
        "the limit holds whatever was chosen"
    );
    assert_eq!((budget(&chosen), chosen.rules().limit().0), (9_000, 8_192));
    chosen.set("theme", "dark", Source::Chat).unwrap();
}

#[test]
fn the_list_tells_what_was_chosen_in_the_session_and_nothing_else_changes() {
    let mut settings = Settings::default();
    settings.set("model", "small", Source::Flag("--model")).unwrap();
    let shown = |settings: &Settings, key: &str| {
        let row = settings.list().into_iter().find(|row| row.key == key).unwrap();
        (row.value, row.source.to_string())
    };
    let of = |value: &str, from: &str| (value.to_owned(), from.to_owned());
    settings.tell_chosen(Some(("lab".to_owned(), "large".to_owned())));
    assert_eq!(shown(&settings, "model"), of("large", "chosen in this session"));
    assert_eq!(shown(&settings, "provider"), of("lab", "chosen in this session"));
    assert_eq!(shown(&settings, "base_url"), of("", "default"));
    assert_eq!(settings.model(), Some("small"));
    settings.set("model", "next", Source::Chat).unwrap();
    assert_eq!(shown(&settings, "model"), of("next", "set in the chat"));
    settings.tell_chosen(None);
    assert_eq!(shown(&settings, "provider"), of("", "default"));
}

#[test]
fn a_bad_change_leaves_the_old_value() {
    let mut settings = Settings::default();
    settings.set("decay_threshold", "5", Source::Chat).unwrap();
    let scenario = Source::Scenario { file: "slice-3.yaml".into(), line: Some(2) };
    let error = settings.set("decay_threshold", "soon", scenario).unwrap_err().to_string();
    assert!(error.ends_with("(from: scenario slice-3.yaml:2)"), "{error}");
    assert_eq!(settings.rules().decay_threshold, 5);
    assert_eq!(settings.source(Key::DecayThreshold), &Source::Chat);
}

#[test]
fn the_default_file_names_every_setting_and_reads_back_as_the_defaults() {
    let commented = default_file();
    let home = home();
    let settings: Vec<&str> = commented
        .lines()
        .filter_map(|line| line.strip_prefix("# ").filter(|line| line.contains(" = ")))
        .collect();
    write_config(&home, &settings.join("\n"));
    let read = Settings::load(&environment(&home, &[]), &Overrides::default()).unwrap();
    write_config(&home, &commented);
    let default = Settings::load(&environment(&home, &[]), &Overrides::default()).unwrap();
    for (read, default) in read.list().iter().zip(default.list()) {
        assert!(matches!(read.source, Source::File { .. }), "{} is missing", read.key);
        assert_eq!(read.value, default.value, "{}", read.key);
    }
}

#[test]
fn a_variable_that_is_no_setting_is_noted_and_does_no_harm() {
    let home = home();
    let variables = [("EBBTIDE_TOKEN_BUGDET", "5"), ("EBBTIDE_API_KEY", "sk-1")];
    let settings = Settings::load(&environment(&home, &variables), &Overrides::default()).unwrap();
    assert_eq!(
        settings.notes(),
        ["The environment variable EBBTIDE_TOKEN_BUGDET is no setting and has no effect."]
    );
}

#[test]
fn files_are_where_xdg_says_and_relative_xdg_paths_do_not_count() {
    let home = home();
    let paths = Paths::of(&environment(&home, &[("XDG_DATA_HOME", "relative")]));
    assert_eq!(paths.sessions().unwrap(), home.path().join(".local/share/ebbtide/sessions"));
    let paths = Paths::of(&environment(&home, &[("XDG_DATA_HOME", "/data")]));
    assert_eq!(paths.sessions().unwrap(), PathBuf::from("/data/ebbtide/sessions"));
    for (variables, told) in [
        (&[][..], "neither XDG_CONFIG_HOME nor HOME is set, so"),
        (
            &[("HOME", "my/home")],
            "XDG_CONFIG_HOME is not set, and HOME is \"my/home\", which is not absolute, so",
        ),
        (
            &[("HOME", ""), ("XDG_CONFIG_HOME", "my")],
            "XDG_CONFIG_HOME is \"my\", which is not absolute, and HOME is not set, so",
        ),
    ] {
        let environment: Environment = variables.iter().copied().collect();
        let error = Paths::of(&environment).config_file().unwrap_err().to_string();
        assert!(error.starts_with(told), "{error}");
    }
}

#[test]
fn a_password_inside_an_address_is_never_shown() {
    let mut settings = Settings::default();
    settings.set("base_url", "https://host/v1?key=hunter2", Source::Chat).unwrap();
    let shown = format!("{:?}", settings.list());
    assert!(shown.contains("https://host/v1?key=***") && !shown.contains("hunter2"), "{shown}");
    for wrong in [
        "https://me:hunter2@host/v1",
        "https://me:a/hunter2@host/v1",
        "https://me:a?hunter2@host/v1",
        "ftp://me:hunter2@host",
        "me:hunter2@host:9/v1",
        "http//me:hunter2@host/v1",
    ] {
        let error = settings.set("base_url", wrong, Source::Chat).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_unicode_is_noted_and_does_no_harm() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let home = home();
    let theme = OsString::from_vec(vec![b'd', 0xff]);
    let variables = [("HOME", home.path().as_os_str().to_owned()), ("EBBTIDE_THEME", theme)];
    let settings = Settings::load(&variables.into_iter().collect(), &Overrides::default()).unwrap();
    assert_eq!(settings.theme(), Theme::Auto);
    assert_eq!(
        settings.notes(),
        ["The environment variable EBBTIDE_THEME is no Unicode and has no effect."]
    );
}

#[test]
fn a_cache_with_marks_has_a_price_for_writing_and_prices_can_be_set_together() {
    let mut settings = Settings::default();
    let own = || Source::Flag("--set");
    settings.set("price_cache", "breakpoints", own()).unwrap();
    let prefix = Prices::default();
    let marked = |write| Prices { write, cache: CacheKind::Breakpoints, ..Prices::default() };
    assert_eq!(settings.prices(prefix.clone()), marked(1.25));
    let dear = Prices { write: 2.0, ..Prices::breakpoints(5.0) };
    assert_eq!(settings.prices(dear.clone()), dear);
    settings.set("price_write", "1.5", own()).unwrap();
    assert_eq!(settings.prices(prefix.clone()), marked(1.5));
    settings.set_prices(&dear, &own()).unwrap();
    assert_eq!(settings.prices(prefix), dear);
}
