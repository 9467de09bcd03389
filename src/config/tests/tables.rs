//! Lines that make no sense, the tables of the file, and changing one line of it.

use super::*;

fn load(config: &str) -> (tempfile::TempDir, Settings) {
    let home = home();
    write_config(&home, config);
    let settings = Settings::load(&environment(&home, &[]), &Overrides::default()).unwrap();
    (home, settings)
}

fn faults(config: &str) -> Vec<String> {
    let (home, settings) = load(config);
    let shown = |fault: &String| fault.replace(home.path().to_str().unwrap(), "~");
    settings.faults().iter().map(shown).collect()
}

#[test]
fn a_line_that_makes_no_sense_is_told_and_its_default_holds() {
    assert_eq!(
        faults("soft_percent = 101\ntoken_budgte = 5\nambient_window = 4\n"),
        [
            "soft_percent must be a whole number from 1 to 100, not \"101\" (from: \
             ~/.config/ebbtide/config.toml:1). The default holds: 90.",
            "there is no setting \"token_budgte\" (from: ~/.config/ebbtide/config.toml:2). Did you mean \
             token_budget? The line has no effect.",
        ]
    );
    assert_eq!(
        faults("\n[memory]\ndecay_threshold = 3\n"),
        [
            "there is no setting \"memory\" (from: ~/.config/ebbtide/config.toml:2). `ebbtide config` lists \
          them all. The line has no effect."
        ]
    );
    assert_eq!(
        faults("deepseek_api_key = \"sk-1\"\n"),
        [
            "there is no setting \"deepseek_api_key\" (from: ~/.config/ebbtide/config.toml:1). Keys of \
          servers are read from environment variables only; api_key_env names one. The line has no \
          effect."
        ]
    );
    let (_home, settings) = load("soft_percent = 101\nambient_window = 4\n");
    let rules = settings.rules();
    assert_eq!((rules.soft_percent, rules.ambient_window), (90, 4));
    assert_eq!(settings.source(Key::SoftPercent), &Source::Default);
}

#[test]
fn a_low_line_above_the_soft_one_is_told_and_lies_on_it() {
    let low = |config: &str| {
        let (_home, settings) = load(config);
        (settings.rules().low_line(), faults(config))
    };
    assert_eq!(low("soft_percent = 40\n"), (Tokens(6_400), Vec::new()), "nobody set it");
    assert_eq!(low("low_percent = 30\n"), (Tokens(4_800), Vec::new()));
    let (line, told) = low("low_percent = 95\n");
    assert_eq!(line, Tokens(14_400));
    assert_eq!(
        told,
        [
            "low_percent is 95 (from: ~/.config/ebbtide/config.toml:1), more than soft_percent, which is 90 \
          (from: default). Lower the first or raise the second. Until then the first counts as 90."
        ]
    );
    let mut settings = Settings::default();
    let refused = settings.set("low_percent", "91", Source::Chat).unwrap_err().to_string();
    assert!(refused.starts_with("low_percent is 91 "), "{refused}");
    assert_eq!(settings.rules().low_percent, 50);
    for bad in ["0", "-1", "half"] {
        assert!(settings.set("low_percent", bad, Source::Chat).is_err(), "{bad}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_told_and_the_first_gives_way() {
    for (config, key, holds, told) in [
        (
            "input_limit_tokens = 100\n",
            Key::PreviewTokens,
            100,
            "preview_tokens is 300 (from: default), more than input_limit_tokens, which is 100 (from: \
             ~/.config/ebbtide/config.toml:1). Lower the first or raise the second. Until then the first counts as 100.",
        ),
        (
            "preview_tokens = 5000\n",
            Key::PreviewTokens,
            1_000,
            "preview_tokens is 2000 (from: ~/.config/ebbtide/config.toml:1), more than tool_output_limit_tokens, which is \
             1000 (from: default). Lower the first or raise the second. Until then the first counts as 1000.",
        ),
        (
            "working_memory_hard_limit = 5\n",
            Key::NotesSoftLimit,
            4,
            "working_memory_soft_limit is 35 (from: default), which is not below working_memory_hard_limit, 5 (from: \
             ~/.config/ebbtide/config.toml:1). Lower the first or raise the second. Until then the first counts as 4.",
        ),
        (
            "token_budget = 9000\ncontext_window = 8000\n",
            Key::TokenBudget,
            8_000,
            "token_budget is 9000 (from: ~/.config/ebbtide/config.toml:1), more than context_window, which is 8000 (from: \
             ~/.config/ebbtide/config.toml:2). Lower the first or raise the second. Until then the first counts as 8000.",
        ),
    ] {
        let (_home, mut settings) = load(config);
        assert_eq!(settings.number(key), holds, "{config}");
        assert_eq!(faults(config).last().map(String::as_str), Some(told), "{config}");
        // What has been settled is in nobody's way.
        settings.set("theme", "dark", Source::Chat).unwrap();
    }
    // A flag is treated as a line is.
    for (config, flag, value, key, holds) in [
        ("input_limit_tokens = 400\n", "preview_tokens", "500", Key::PreviewTokens, 400),
        ("", "working_memory_hard_limit", "5", Key::NotesSoftLimit, 4),
    ] {
        let home = home();
        write_config(&home, config);
        let settings = Settings::load(&environment(&home, &[]), &flags(&[(flag, value)])).unwrap();
        assert_eq!(settings.number(key), holds, "{flag}");
        assert_eq!(settings.fault_sources(), [Source::Flag("--set")], "{flag}");
        assert!(settings.faults()[0].contains("(from: flag --set)"), "{:?}", settings.faults());
    }
}

#[test]
fn seeds_and_a_model_without_a_cache_leave_no_tide() {
    assert_eq!(load("").1.rules().tide(), 12);
    for config in ["seeds = true\n", "cache_lifetime = 0\n", "ambient_tide = 0\n"] {
        assert_eq!(load(config).1.rules().tide(), 0, "{config}");
    }
}

#[test]
fn a_line_that_says_who_answers_is_not_passed_over() {
    for line in ["offline = \"yes\"", "base_url = \"box:80\"", "model = \"a\\u0007b\""] {
        let (home, settings) = load(line);
        assert!(settings.doubts().all(|doubt| doubt.contains("config.toml:1")), "{line}");
        let error = candidates(&settings, &environment(&home, &[])).unwrap_err().to_string();
        assert!(error.contains("config.toml:1"), "{line}: {error}");
    }
}

#[test]
fn a_number_where_words_belong_makes_no_sense() {
    for (line, key, told) in [
        ("sessions_dir = 3", Key::SessionsDir, "sessions_dir must be words in quotes, not 3 (from"),
        (
            "summary_model = 3.5",
            Key::SummaryModel,
            "summary_model must be words in quotes, not 3.5",
        ),
        ("currency = 7", Key::Currency, "currency must be words in quotes, not 7"),
        ("model = { a = 1 }", Key::Model, "model must be words in quotes, not a table of values"),
        ("protected_tags = [1]", Key::ProtectedTags, "protected_tags must be words in quotes"),
    ] {
        let (_home, settings) = load(line);
        let all: Vec<String> = settings.faults().iter().cloned().chain(settings.doubts()).collect();
        assert!(all.len() == 1 && all[0].starts_with(told), "{line}: {all:?}");
        assert_eq!(settings.source(key), &Source::Default, "{line}");
    }
    let fits = "price_input = 3\nascii = true\nslots = 4\nprotected_tags = [\"a\", \"b\"]\n\
                summary_model = \"3\"\n";
    assert_eq!(faults(fits), [""; 0]);
}

#[test]
fn without_a_place_to_compare_texts_words_alone_find() {
    let lines = "embedding_url = \"ftp://x\"\nembedding_model = \"m\"\n";
    let (home, settings) = load(lines);
    assert!(candidates(&settings, &environment(&home, &[])).is_ok());
    let told = faults(lines);
    assert!(told.len() == 1 && told[0].starts_with("embedding_url must be an address"), "{told:?}");
    assert!(told[0].ends_with("what was said is found by its words alone."), "{told:?}");
    // Nobody else is sent all that was said instead.
    assert_eq!(settings.embedding_model(), None);
    let mended = flags(&[("embedding_url", "http://x")]);
    let settings = Settings::load(&environment(&home, &[]), &mended).unwrap();
    assert_eq!(settings.embedding_model(), Some("m"));
}

#[test]
fn the_tables_keep_names_values_and_lines() {
    let (_home, settings) = load(
        "[keys]\nglobal.help = \"F9\"\n[keys.panel]\ndown = [\"n\", \"Down\"]\n\n[theme]\nbase = \
         \"dark\"\naccent = \"bold red\"\nwarning = 214\n",
    );
    let rows = |customs: &[Custom]| -> Vec<String> {
        let line = |custom: &Custom| match &custom.source {
            Source::File { line, .. } => *line,
            other => panic!("{other:?}"),
        };
        customs.iter().map(|c| format!("{}: {} at {}", c.name, c.text(), line(c))).collect()
    };
    assert_eq!(rows(settings.keys()), ["global.help: F9 at 2", "panel.down: n, Down at 4"]);
    assert_eq!(rows(settings.colours()), ["accent: bold red at 8", "warning: 214 at 9"]);
    assert_eq!(settings.theme(), Theme::Dark);
    assert!(matches!(settings.source(Key::Theme), Source::File { line: 7, .. }));
    assert_eq!(faults("[theme]\nbase = \"pink\"\n").len(), 1);
}

fn edited(text: &str, key: Key, value: &str) -> String {
    let home = home();
    let path = home.path().join("deep/config.toml");
    if !text.is_empty() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    set_in_file(&path, key, value).unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    fs::read_to_string(&path).unwrap()
}

#[test]
fn one_line_of_the_file_changes_and_all_others_stay() {
    let text = "# mine\nsoft_percent=50 # half\n\n[keys.panel]\ndown = \"n\"\n";
    assert_eq!(
        edited(text, Key::SoftPercent, "60"),
        "# mine\nsoft_percent = 60 # half\n\n[keys.panel]\ndown = \"n\"\n"
    );
    assert_eq!(
        edited(text, Key::Model, "a\"b\\c"),
        "# mine\nsoft_percent=50 # half\n\nmodel = \"a\\\"b\\\\c\"\n[keys.panel]\ndown = \"n\"\n"
    );
    assert_eq!(edited("", Key::Offline, "true"), "offline = true\n");
    assert_eq!(edited("theme = \"dark\"", Key::Slots, "4"), "theme = \"dark\"\nslots = 4\n");
    assert_eq!(edited("\u{feff}slots = 1\n", Key::Slots, "4"), "\u{feff}slots = 4\n");
    let default = default_file();
    let changed = edited(&default, Key::TokenBudget, "8_000");
    assert_eq!(changed, default.replace("# token_budget = 16000", "token_budget = 8000"));
}

#[test]
fn what_was_set_can_be_taken_out_again() {
    let home = home();
    let path = home.path().join("config.toml");
    assert!(!unset_in_file(&path, Key::Slots).unwrap());
    fs::write(&path, "# a\nslots = 3 # few\n# b\n").unwrap();
    assert!(unset_in_file(&path, Key::Slots).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "# a\n# b\n");
}

#[test]
fn several_changes_are_written_all_at_once_or_none_and_no_password_is_told() {
    let home = home();
    let path = home.path().join("config.toml");
    let text = "slots = 3\n# b\n";
    fs::write(&path, text).unwrap();
    let wrong = [(Key::Slots, None), (Key::Model, Some("m")), (Key::Theme, Some("pink"))];
    change_file(&path, &wrong).unwrap_err();
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let address = "http://box:9/v1?key=k";
    let changes = [(Key::Slots, None), (Key::BaseUrl, Some(address)), (Key::Model, Some("m"))];
    let told = ["base_url = \"http://box:9/v1?key=***\"", "model = \"m\""];
    assert_eq!(change_file(&path, &changes).unwrap(), told);
    let written = format!("# b\nbase_url = \"{address}\"\nmodel = \"m\"\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), written);
    assert_eq!(set_in_file(&path, Key::BaseUrl, address).unwrap(), told[0]);
}

#[test]
fn what_is_longer_than_any_config_file_is_read_to_no_end_and_left_as_it_is() {
    let home = home();
    let path = home.path().join("config.toml");
    let overrides = Overrides { config_file: Some(path.clone()), values: Vec::new() };
    let loaded = || Settings::load(&environment(&home, &[]), &overrides);
    let longest = format!("slots = 4\n# {}", "x".repeat(999_988));
    fs::write(&path, &longest).unwrap();
    assert_eq!(loaded().unwrap().number(Key::Slots), 4);
    // A letter in two halves is no other fault.
    let longer = format!("{}ü", &longest[1..]);
    fs::write(&path, &longer).unwrap();
    for error in [loaded().unwrap_err(), set_in_file(&path, Key::Slots, "5").unwrap_err()] {
        let error = error.to_string();
        assert!(error.starts_with("cannot read the config file "), "{error}");
        assert!(error.ends_with("name another with --config FILE"), "{error}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), longer);
    fs::write(&path, b"slots = 4 # \xff").unwrap();
    assert!(loaded().unwrap_err().to_string().ends_with("save it as UTF-8"));
}

#[test]
fn a_file_that_cannot_be_changed_safely_is_left_alone() {
    let home = home();
    let path = home.path().join("config.toml");
    for text in ["slots = = 3\n", "[theme]\nbase = \"dark\"\n"] {
        fs::write(&path, text).unwrap();
        let error = set_in_file(&path, Key::Theme, "light").unwrap_err().to_string();
        assert!(error.contains("config.toml:1: "), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let error = set_in_file(&path, Key::Slots, "many").unwrap_err().to_string();
    assert!(error.starts_with("slots must be a whole number"), "{error}");
}
