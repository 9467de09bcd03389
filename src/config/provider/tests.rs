use super::*;
use crate::config::Source;

fn found(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Vec<Candidate>, Error> {
    let mut chosen = Settings::default();
    for (key, value) in settings {
        chosen.set(key, value, Source::Flag("--set")).unwrap();
    }
    candidates(&chosen, &variables.iter().copied().collect())
}

/// Each candidate as `name address model key-variable window`.
fn listed(settings: &[(&str, &str)], variables: &[(&str, &str)]) -> Vec<String> {
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
    let listed = |candidate: &Candidate| match candidate {
        Candidate::Server(provider) => row("", provider),
        Candidate::OllamaIfRunning(provider) => row("if running: ", provider),
        Candidate::Offline => "offline".to_owned(),
    };
    found(settings, variables).unwrap().iter().map(listed).collect()
}

const OLLAMA: &str = "if running: Ollama http://127.0.0.1:11434/v1 - - -";

#[test]
fn without_a_key_a_running_ollama_is_tried_before_the_built_in_model() {
    assert_eq!(listed(&[], &[]), [OLLAMA, "offline"]);
    assert_eq!(listed(&[], &[("OPENAI_API_KEY", " ")]), [OLLAMA, "offline"]);
}

#[test]
fn keys_are_taken_in_the_documented_order() {
    let keys = [("OPENROUTER_API_KEY", "c"), ("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    assert_eq!(
        listed(&[], &keys),
        [
            "DeepSeek https://api.deepseek.com deepseek-chat DEEPSEEK_API_KEY 128000",
            "OpenAI https://api.openai.com/v1 gpt-4.1-mini OPENAI_API_KEY 1047576",
            "OpenRouter https://openrouter.ai/api/v1 openrouter/auto OPENROUTER_API_KEY -",
            OLLAMA,
            "offline",
        ]
    );
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
        "https://api.openai.com@evil.test/v1",
        "http://api.openai.com/v1",
    ] {
        let only = &listed(&[("base_url", address), ("model", "m")], &keys)[0];
        assert!(only.ends_with("m - -"), "{only}");
    }
    assert_eq!(
        listed(&[("base_url", "https://api.openai.com/v1")], &keys),
        ["OpenAI https://api.openai.com/v1 gpt-4.1-mini OPENAI_API_KEY 1047576"]
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
fn a_key_by_name_must_exist_and_belong_to_a_server() {
    let error = found(&[("api_key_env", "MY_KEY")], &[]).unwrap_err().to_string();
    assert!(error.starts_with("MY_KEY is to hold the key (from: flag --set)"), "{error}");
    let error = found(&[], &[("EBBTIDE_API_KEY", "k")]).unwrap_err().to_string();
    assert!(error.contains("EBBTIDE_API_KEY") && error.contains("--base-url"), "{error}");
    let keys = [("OPENAI_API_KEY", "b"), ("DEEPSEEK_API_KEY", "a")];
    let chosen = listed(&[("api_key_env", "OPENAI_API_KEY")], &keys);
    assert_eq!(chosen, ["OpenAI https://api.openai.com/v1 gpt-4.1-mini OPENAI_API_KEY 1047576"]);
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
