use super::*;
use crate::config::Settings;
use crate::llm::ModelInfo;
use crate::orchestrator::SessionInfo;

/// What is told of how to go on with the session `trip`, where a model of a provider answers at the end of a run.
fn again(flags: &[&str], variables: &[(&str, &str)], (provider, name): (&str, &str)) -> String {
    let machine = Machine::new(variables);
    let arguments = Arguments::try_parse_from(["ebbtide"].iter().chain(flags)).unwrap();
    let settings =
        Settings::load(&machine.host.environment, &arguments.settings.overrides()).unwrap();
    let job = Job { arguments: &arguments, settings, host: &machine.host };
    let session = SessionInfo {
        name: "trip".into(),
        directory: job.settings.sessions_dir().join("trip"),
        model: ModelInfo {
            name: name.into(),
            provider: provider.into(),
            context_window: None,
            offline: provider == "built in",
        },
    };
    job.to_go_on(&session)
}

#[test]
fn the_way_back_has_the_flags_that_the_same_model_needs() {
    let (url, local, openai) = ("http://box:8080/v1", ("box:8080", "m"), ("OpenAI", "m"));
    let key = [("OPENAI_API_KEY", "sk-hush"), ("MY_KEY", "sk-hush")];
    let url_flag = |rest: &str| format!("ebbtide -s trip --base-url {url}{rest}");
    for (flags, model, expected) in [
        (&["--base-url", url, "-m", "m"][..], local, url_flag(" -m m")),
        (&["--base-url", url], local, url_flag(" -m m")),
        (&["--set", &format!("base_url={url}"), "-m", "old"], local, url_flag(" -m m")),
        (
            &["--base-url", url, "--api-key-env", "MY_KEY", "--set", "protocol=chat"],
            local,
            url_flag(" --set protocol=chat --api-key-env MY_KEY -m m"),
        ),
        // What the session remembers or the environment says needs no flag.
        (&["--base-url", url, "-m", "m"], openai, "ebbtide -s trip".to_owned()),
        (&["-m", "old"], openai, "ebbtide -s trip".to_owned()),
        (&[], openai, "ebbtide -s trip".to_owned()),
        (&["-m", "m"], openai, "ebbtide -s trip -m m".to_owned()),
        (&["--offline"], ("built in", "offline"), "ebbtide -s trip --offline".to_owned()),
        (&[], ("built in", "offline"), "ebbtide -s trip".to_owned()),
    ] {
        let told = again(flags, &key, model);
        assert_eq!(told.strip_prefix("To go on: "), Some(&*expected), "{flags:?}");
    }
    let secret =
        again(&["--base-url", "http://box:8080/v1?key=k", "-m", "a b"], &[], ("box:8080", "a b"));
    let (command, rest) = secret.split_once('\n').unwrap();
    let expected = "To go on: ebbtide -s trip --base-url 'http://box:8080/v1?key=***' -m \"a b\"";
    assert_eq!(command, expected);
    assert_eq!(rest, "First put in what *** stands for: a password is not shown.");
}

#[test]
fn the_way_back_names_the_config_file_of_this_run_and_no_key_in_an_address() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let back =
        again(&["--config", path, "-m", "m"], &[("OPENAI_API_KEY", "sk-hush")], ("OpenAI", "m"));
    assert!(back.ends_with(&format!("trip --config {path} -m m")), "{back}");
    let back = again(&["--base-url", "http://box/v1?api_key=hush&v=2"], &[], ("box", "m"));
    assert!(back.contains("api_key=***&v=2") && !back.contains("hush"), "{back}");
}
