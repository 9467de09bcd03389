use super::*;
use crate::config::Source;

fn found(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Vec<Candidate>, Error> {
    let mut chosen = Settings::default();
    for (key, value) in settings {
        chosen.set(key, value, Source::Flag("--set")).unwrap();
    }
    candidates(&chosen, &variables.iter().copied().collect())
}

/// A candidate as `name address model key-variable window`.
fn shown(candidate: &Candidate) -> String {
    let row = |kind: &str, provider: &Provider| {
        format!(
            "{kind}{} {} {} {} {}",
            provider.name,
            provider.base_url,
            provider.model.as_deref().unwrap_or("-"),
            provider.key.as_ref().map_or("-", |key| &key.variable),
            provider.context_window.map_or("-".to_owned(), |window| window.to_string()),
        )
    };
    match candidate {
        Candidate::Server(provider) => row("", provider),
        Candidate::IfRunning(provider) => row("if running: ", provider),
        Candidate::Offline => "offline".to_owned(),
    }
}

fn listed(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Vec<String> {
    found(settings, variables).unwrap().iter().map(shown).collect()
}

const LOCAL: [&str; 5] = [
    "if running: Ollama http://127.0.0.1:11434/v1 - - -",
    "if running: llama.cpp http://127.0.0.1:8080/v1 - - -",
    "if running: LM Studio http://127.0.0.1:1234/v1 - - -",
    "if running: vLLM http://127.0.0.1:8000/v1 - - -",
    "offline",
];

#[test]
fn without_a_key_servers_of_this_machine_are_tried_before_the_built_in_model() {
    assert_eq!(listed(&[], &[]), LOCAL);
    assert_eq!(listed(&[], &[("OPENAI_API_KEY", " ")]), LOCAL);
    let elsewhere = listed(&[], &[("OLLAMA_HOST", "box"), ("OLLAMA_API_KEY", "k")]);
    assert_eq!(elsewhere[0], "if running: Ollama http://box:11434/v1 - OLLAMA_API_KEY -");
}

#[test]
fn the_key_of_every_provider_is_seen_and_goes_to_its_own_host() {
    for known in LISTED {
        for variable in known.variables {
            let Candidate::Server(first) = &found(&[], &[(variable, "k")]).unwrap()[0] else {
                panic!("{variable} is not seen");
            };
            assert_eq!(first.base_url, known.base_url, "{variable}");
            assert_eq!(first.model.as_deref(), Some(known.model), "{variable}");
            assert_eq!(first.key.as_ref().map(|key| &*key.variable), Some(*variable));
            let by_address = listed(&[("base_url", known.base_url)], &[(variable, "k")]);
            assert!(by_address[0].contains(variable), "{by_address:?}");
        }
    }
}

#[test]
fn keys_are_taken_in_the_documented_order() {
    let keys = [("OPENROUTER_API_KEY", "c"), ("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    let three = [
        "DeepSeek https://api.deepseek.com deepseek-flash DEEPSEEK_API_KEY 1000000",
        "OpenAI https://api.openai.com/v1 gpt-6-luna OPENAI_API_KEY 1050000",
        "OpenRouter https://openrouter.ai/api/v1 openrouter/auto OPENROUTER_API_KEY -",
    ];
    assert_eq!(listed(&[], &keys), [&three[..], &LOCAL[..]].concat());
}

#[test]
fn a_model_asked_for_goes_to_the_provider_that_has_it() {
    let keys = [("OPENROUTER_API_KEY", "c"), ("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    for (model, provider) in [
        ("gpt-4o", "OpenAI https://api.openai.com/v1 gpt-4o OPENAI_API_KEY -"),
        ("qwen/qwen3", "OpenRouter https://openrouter.ai/api/v1 qwen/qwen3 OPENROUTER_API_KEY -"),
        ("unheard-of", "DeepSeek https://api.deepseek.com unheard-of DEEPSEEK_API_KEY -"),
    ] {
        assert_eq!(listed(&[("model", model)], &keys)[0], provider);
    }
}

#[test]
fn a_server_asked_for_is_the_only_candidate() {
    let server = [("base_url", "http://127.0.0.1:8080/v1/"), ("context_window", "32000")];
    assert_eq!(listed(&server, &[]), ["127.0.0.1:8080 http://127.0.0.1:8080/v1 - - 32000"]);
    assert_eq!(
        listed(&server, &[("EBBTIDE_API_KEY", "k")]),
        ["127.0.0.1:8080 http://127.0.0.1:8080/v1 - EBBTIDE_API_KEY 32000"]
    );
}

#[test]
fn the_key_of_one_provider_is_never_sent_to_another_host() {
    let keys = [("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    for address in [
        "http://elsewhere:8080/v1",
        "https://api.openai.com.evil.test/v1",
        "https://evil.test/@api.openai.com/v1",
        "http://api.openai.com/v1",
    ] {
        let only = &listed(&[("base_url", address), ("model", "m")], &keys)[0];
        assert!(only.ends_with("m - -"), "{only}");
    }
    assert_eq!(
        listed(&[("base_url", "https://api.openai.com/v1")], &keys),
        ["OpenAI https://api.openai.com/v1 gpt-6-luna OPENAI_API_KEY 1050000"]
    );
}

#[test]
fn openai_variables_point_at_other_servers_too() {
    for variable in ["OPENAI_BASE_URL", "OPENAI_API_BASE"] {
        let set = [(variable, "http://lab:9/v1/"), ("OPENAI_API_KEY", "k")];
        assert_eq!(listed(&[], &set)[0], "lab:9 http://lab:9/v1 - OPENAI_API_KEY -");
    }
    assert_eq!(
        listed(&[], &[("OPENAI_BASE_URL", "http://lab:9/v1")])[0],
        "lab:9 http://lab:9/v1 - - -"
    );
}

#[test]
fn anthropic_variables_point_at_gateways_that_speak_its_protocol() {
    type Variables<'a> = &'a [(&'static str, &'static str)];
    let with = |others: Variables<'_>| [&[("ANTHROPIC_BASE_URL", "http://lab:9")], others].concat();
    for (variable, others) in [
        ("ANTHROPIC_API_KEY", &[("ANTHROPIC_API_KEY", "k")] as Variables<'_>),
        ("ANTHROPIC_AUTH_TOKEN", &[("ANTHROPIC_API_KEY", "k"), ("ANTHROPIC_AUTH_TOKEN", "t")]),
        ("-", &[]),
    ] {
        let Candidate::Server(first) = &found(&[], &with(others)).unwrap()[0] else {
            panic!("{variable}: no server");
        };
        assert_eq!(first.protocol, Protocol::Messages, "{variable}");
        let line = shown(&Candidate::Server(first.clone()));
        assert_eq!(line, format!("lab:9 http://lab:9/v1 - {variable} -"));
    }
    let named = listed(&[], &with(&[("ANTHROPIC_AUTH_TOKEN", "t"), ("ANTHROPIC_MODEL", "glm")]));
    assert_eq!(named[0], "lab:9 http://lab:9/v1 glm ANTHROPIC_AUTH_TOKEN -");
    // Without a key for it, whoever has one goes first.
    let other = &listed(&[], &with(&[("GEMINI_API_KEY", "g")]))[0];
    assert!(other.starts_with("Gemini"), "{other}");
    // A model of its own goes there, whatever other keys there are.
    let keys = with(&[("ANTHROPIC_AUTH_TOKEN", "t"), ("DEEPSEEK_API_KEY", "d")]);
    let first = &listed(&[("model", "claude-x")], &keys)[0];
    assert_eq!(first, "lab:9 http://lab:9/v1 claude-x ANTHROPIC_AUTH_TOKEN -");
    // Its own address changes nothing, and the token of a gateway does not go there.
    for home in ["https://api.anthropic.com", "https://api.anthropic.com/v1/"] {
        let keys = [("ANTHROPIC_BASE_URL", home), ("ANTHROPIC_API_KEY", "k")];
        let as_without = &listed(&[], &keys[1..])[0];
        assert_eq!(&listed(&[], &keys)[0], as_without);
        assert_eq!(
            listed(&[], &keys[..1]),
            listed(&[], &[]),
            "without a key nobody is asked there"
        );
        let token = listed(&[], &[("ANTHROPIC_BASE_URL", home), ("ANTHROPIC_AUTH_TOKEN", "t")]);
        assert!(!token.concat().contains("AUTH_TOKEN"), "{token:?}");
    }
    let known =
        secrets(&Settings::default(), &[("ANTHROPIC_AUTH_TOKEN", "t")].into_iter().collect());
    assert_eq!(known.iter().map(Secret::expose).collect::<Vec<_>>(), ["t"]);
}

#[test]
fn a_key_by_name_must_exist_and_belong_to_a_server() {
    let error = found(&[("api_key_env", "MY_KEY")], &[]).unwrap_err().to_string();
    assert!(error.starts_with("MY_KEY is to hold the key (from: flag --set)"), "{error}");
    let error = found(&[], &[("EBBTIDE_API_KEY", "k")]).unwrap_err().to_string();
    assert!(error.contains("EBBTIDE_API_KEY") && error.contains("--base-url"), "{error}");
    let keys = [("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    let chosen = listed(&[("api_key_env", "OPENAI_API_KEY")], &keys);
    assert_eq!(chosen, ["OpenAI https://api.openai.com/v1 gpt-6-luna OPENAI_API_KEY 1050000"]);
}

#[test]
fn a_provider_asked_for_by_name_is_the_only_candidate_and_wants_its_key() {
    let keys = [("GROQ_API_KEY", "g"), ("DEEPSEEK_API_KEY", "a")];
    let groq = "Groq https://api.groq.com/openai/v1 openai/gpt-oss-120b GROQ_API_KEY 131072";
    assert_eq!(listed(&[("provider", "groq")], &keys), [groq]);
    let studio = "LM Studio http://127.0.0.1:1234/v1 - - -";
    assert_eq!(listed(&[("provider", "lm-studio")], &keys), [studio]);
    let error = found(&[("provider", "xai")], &keys).unwrap_err().to_string();
    assert!(error.starts_with("xAI wants a key, and XAI_API_KEY is not set. "), "{error}");
    let error = found(&[("provider", "mistrall")], &keys).unwrap_err().to_string();
    assert!(
        error.contains("no provider \"mistrall\" (from: flag --set). Did you mean Mistral?"),
        "{error}"
    );
}

/// The candidates with these tables in the config file, as [`listed`].
fn with_file(text: &str, variables: &[(&str, &str)]) -> Result<Vec<String>, Error> {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    std::fs::write(&file, text).unwrap();
    let home = [("HOME", home.path().to_str().unwrap())];
    let environment = home.iter().chain(variables).copied().collect();
    let overrides = crate::config::Overrides { config_file: Some(file), values: Vec::new() };
    let settings = Settings::load(&environment, &overrides)?;
    Ok(candidates(&settings, &environment)?.iter().map(shown).collect())
}

#[test]
fn a_table_of_the_config_file_adds_a_provider_or_changes_a_known_one() {
    let lab = "[providers.lab]\nbase_url = \"http://lab:9/v1/\"\napi_key_env = \"LAB_KEY\"\n\
               model = \"m\"\ncontext_window = 32_000\n";
    let with_key = with_file(lab, &[("LAB_KEY", "l"), ("DEEPSEEK_API_KEY", "a")]).unwrap();
    assert_eq!(with_key[0], "lab http://lab:9/v1 m LAB_KEY 32000");
    assert!(with_key[1].starts_with("DeepSeek "), "{with_key:?}");
    let keyless = "[providers.lab]\nbase_url = \"http://lab:9/v1\"\n";
    assert_eq!(with_file(keyless, &[]).unwrap()[0], "if running: lab http://lab:9/v1 - - -");
    let chosen = format!("provider = \"Lab\"\n{keyless}");
    assert_eq!(
        with_file(&chosen, &[("GROQ_API_KEY", "g")]).unwrap(),
        ["lab http://lab:9/v1 - - -"]
    );

    let changed = "[providers.groq]\nmodel = \"qwen/qwen3.6-27b\"\n";
    let groq = "Groq https://api.groq.com/openai/v1 qwen/qwen3.6-27b GROQ_API_KEY -";
    assert_eq!(with_file(changed, &[("GROQ_API_KEY", "g")]).unwrap()[0], groq);
}

#[test]
fn a_known_provider_at_another_address_does_not_get_its_key() {
    for address in ["https://evil.test/v1", "http://api.groq.com/openai/v1"] {
        let moved = format!("[providers.groq]\nbase_url = \"{address}\"\n");
        let found = with_file(&moved, &[("GROQ_API_KEY", "g")]).unwrap().join("\n");
        assert!(found.contains(&format!("if running: Groq {address} - - -")), "{found}");
        assert!(!found.contains("GROQ_API_KEY"), "{found}");
    }
}

#[test]
fn a_table_that_makes_no_sense_is_told_with_its_place() {
    for (text, words) in [
        ("[providers.lab]\nmodel = \"m\"\n", "[providers.lab]: it needs a base_url"),
        ("[providers.groq]\nurl = \"x\"\n", "[providers.groq]: it has no field \"url\""),
        ("[providers.groq]\nbase_url = \"x\"\n", "base_url must be an address"),
        (
            "[providers.groq]\nbase_url = \"http://a:b@x\"\n",
            "base_url holds a user name or password",
        ),
        ("[providers.groq]\ncontext_window = 0\n", "context_window must be a whole number"),
        ("[providers.groq]\nmodel = 3\n", "[providers.groq]: model must be words in quotes, not 3"),
        ("[providers.groq]\napi_key_env = true\n", "api_key_env must be words in quotes, not true"),
        ("[providers]\ngroq = \"x\"\n", "[providers.groq]: it has no field \"groq\""),
    ] {
        let error = with_file(text, &[]).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains("config.toml:2"), "{text}: {error}");
        let offline = format!("offline = true\n{text}");
        assert_eq!(with_file(&offline, &[]).unwrap(), ["offline"], "it asks nobody");
    }
}

#[test]
fn a_table_that_nobody_chose_keeps_nobody_from_answering() {
    let lab = "[providers.lab]\nbase_url = \"http://lab:9/v1\"\ncolour = \"red\"\n";
    let whole = "[providers.lab]\nbase_url = \"lab\"\n";
    let keys = [("GROQ_API_KEY", "g")];
    let found = with_file(lab, &keys).unwrap();
    assert!(found[0].starts_with("Groq ") && found[1].starts_with("if running: lab"), "{found:?}");
    for table in [lab, whole] {
        let other = format!("provider = \"groq\"\n{table}");
        assert!(with_file(&other, &keys).unwrap()[0].starts_with("Groq "), "{table}");
        let chosen = format!("provider = \"lab\"\n{table}");
        let error = with_file(&chosen, &keys).unwrap_err().to_string();
        assert!(error.contains("[providers.lab]"), "{table}: {error}");
    }
    // Its address is what decides.
    assert!(with_file(whole, &keys).is_err());
}

#[test]
fn offline_goes_before_everything() {
    let settings = [("offline", "true"), ("base_url", "http://lab:9/v1")];
    assert_eq!(listed(&settings, &[("EBBTIDE_API_KEY", "k")]), ["offline"]);
}

#[test]
fn ollama_hosts_are_read_in_every_form_that_ollama_takes() {
    for (host, url) in [
        ("", "http://127.0.0.1:11434/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        ("box:1234", "http://box:1234/v1"),
        (":1234", "http://127.0.0.1:1234/v1"),
        ("[::1]:1234", "http://[::1]:1234/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("http://box:1234/", "http://box:1234/v1"),
        ("https://box/ollama", "https://box:443/ollama/v1"),
        ("http://box", "http://box:80/v1"),
        // No other host is asked in place of the one that is refused.
        ("me:pw@box", "http://me:pw@box:11434/v1"),
    ] {
        assert_eq!(ollama_url(host), url, "{host:?}");
    }
}

#[test]
fn a_key_is_never_printed() {
    let keys = [("DEEPSEEK_API_KEY", "sk-very-secret\n"), ("OLLAMA_API_KEY", "sk-very-secret")];
    let printed = format!("{:?}", found(&[], &keys).unwrap());
    assert!(printed.contains("[secret]") && !printed.contains("very"), "{printed}");
    let secrets = secrets(&Settings::default(), &keys.iter().copied().collect());
    assert_eq!(secrets.iter().map(Secret::expose).collect::<Vec<_>>(), ["sk-very-secret"; 2]);
}

#[test]
fn who_is_pointed_at_is_known_without_a_key_and_without_asking() {
    let to = |settings: &[(&str, &str)], variables: &[(&str, &str)]| {
        let mut chosen = Settings::default();
        for (key, value) in settings {
            chosen.set(key, value, Source::Flag("--set")).unwrap();
        }
        let found = pointed_at(&chosen, &variables.iter().copied().collect());
        found.map(|server| (server.name, server.model.unwrap_or_default()))
    };
    let key = [("DEEPSEEK_API_KEY", "k")];
    assert_eq!(to(&[], &[]), None);
    assert_eq!(to(&[("offline", "true"), ("provider", "deepseek")], &key), None);
    let found = to(&[("provider", "deepseek")], &[]).unwrap();
    assert_eq!(found.0, "DeepSeek");
    assert_eq!(to(&[], &key), Some(found));
    let named = to(&[("provider", "anthropic"), ("model", "claude-x")], &key);
    assert_eq!(named, Some(("Anthropic".to_owned(), "claude-x".to_owned())));
    let here = to(&[("base_url", "http://127.0.0.1:9/v1"), ("provider", "deepseek")], &[]);
    assert_eq!(here.unwrap().0, "127.0.0.1:9");
}
