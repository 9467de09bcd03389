//! A key goes to its own host and nowhere else: whatever fails, in whatever protocol, it is in nothing that is shown,
//! logged, kept or exported.

use std::path::Path;

use serde_json::json;

use super::cli::Home;
use super::support::server::{Reply, Server, content};

const KEY: &str = "sk-very-secret-key-1";

/// All files below a folder in which the key stands.
fn leaks(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            leaks(&path, found);
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains("very-secret") {
            found.push(path.display().to_string());
        }
    }
}

/// Failures that say the key back, one for each way in which a request can fail.
fn failures(elsewhere: &Server) -> Vec<Reply> {
    let words = format!("not with {KEY}");
    let body =
        json!({"type": "error", "error": {"type": "x", "message": words, "code": KEY}}).to_string();
    let statuses = [400, 401, 402, 403, 404, 413, 422, 429, 500].map(|status| {
        Reply::status(status, &body).header("retry-after", "99999").header("x-echo", KEY)
    });
    let broken = Reply::chunks([content("Hel")]).then_untranslated(format!("data: {body}\n\n"));
    let nonsense = Reply::raw(format!("<html>{KEY}</html>")).untranslated();
    let moved =
        Reply::status(307, &body).header("location", &format!("{}?k={KEY}", elsewhere.base_url()));
    let cut = Reply::chunks([content("Hel")]).cut();
    statuses.into_iter().chain([broken, nonsense, moved, cut, Reply::raw("")]).collect()
}

#[test]
fn no_key_is_shown_logged_kept_or_exported_whatever_fails() {
    for protocol in ["chat", "responses", "messages", "ollama"] {
        let (home, elsewhere) = (Home::new(), Server::start());
        let server = Server::start();
        let url = server.base_url();
        let set = format!("protocol={protocol}");
        let line =
            ["--base-url", &url, "-m", "m", "--set", &set, "--set", "log_level=debug", "-s", "one"];
        let run = |more: &[&str]| {
            let (out, err, _) = home.run(&[&line[..], more].concat(), &[("EBBTIDE_API_KEY", KEY)]);
            let shown = format!("{out}{err}");
            assert!(!shown.contains("very-secret"), "{protocol} {more:?}: {shown}");
            shown
        };
        for failure in failures(&elsewhere) {
            server.push(failure);
            let shown = run(&["-p", "hello"]);
            assert!(shown.contains("ebbtide: "), "{protocol}: no failure is told: {shown}");
        }
        server.answer_models_with(Reply::status(401, &json!({"error": KEY}).to_string()));
        for more in [
            &["doctor"][..],
            &["config"],
            &["-p", "/model"],
            &["-p", "/export out.json"],
            &["-p", "/export out.md"],
        ] {
            run(more);
        }
        // The doctor's empty request, whether a key that sees no list may chat.
        server.take_violations();
        let mut found = Vec::new();
        leaks(&home.path(""), &mut found);
        assert!(found.is_empty(), "{protocol}: {found:?}");
        assert!(elsewhere.received().is_empty(), "{protocol}");
        assert!(home.path("out.json").exists() && home.path("state").exists());
        let all = server.received();
        let has_key = |name| all[0].header(name).is_some_and(|value: &str| value.contains(KEY));
        assert!(
            has_key("authorization") || has_key("x-api-key"),
            "{protocol}: it was not sent at all"
        );
    }
}

#[test]
fn a_server_for_embeddings_gets_no_key_that_is_not_its_own_and_none_is_told() {
    let (chats, others) = (Server::following(|_| Reply::text("I see.")), Server::start());
    let words = format!("not with {KEY}");
    let mut told = vec![
        Reply::status(401, &json!({"error": {"message": words}}).to_string()),
        Reply::json(&json!({"data": [{"index": 0, "embedding": words}]})),
        Reply::json(&json!({"embeddings": [[words]]})),
        Reply::status(307, "").header("location", &format!("http://127.0.0.1:9/?k={KEY}")),
        Reply::raw(format!("<html>{KEY}</html>")),
    ];
    chats.answer_at("/v1/embeddings", told.clone());
    others.answer_at("/v1/embeddings", [told.remove(0)]);
    let home = Home::new();
    let (url, other) = (chats.base_url(), format!("embedding_url={}", others.base_url()));
    let line = ["--base-url", &url, "-m", "m", "--set", "log_level=debug", "-s", "one"];
    // In an empty session there is nothing to compare, so nothing is asked.
    let first = [&line[..], &["-p", "We put the ladder behind the shed."]].concat();
    assert_eq!(home.run(&first, &[("EBBTIDE_API_KEY", KEY)]).2, 0);
    let line = [&line[..], &["--set", "embedding_model=e"]].concat();
    let ask = ["-p", "Where did we put the ladder?"];
    for more in [&[][..], &[], &[], &[], &[], &["--set", &other]] {
        let (out, err, code) =
            home.run(&[&line[..], more, &ask].concat(), &[("EBBTIDE_API_KEY", KEY)]);
        let shown = format!("{out}{err}");
        assert!(code == 0 && shown.contains("by their meaning"), "no failure is told: {shown}");
        assert!(
            more.is_empty() || shown.contains(KEY),
            "what a stranger knows is no secret of ours"
        );
        assert!(!more.is_empty() || !shown.contains("very-secret"), "{shown}");
    }
    let has_key = |server: &Server| {
        let all = server.received();
        let asked = all.iter().filter(|one| one.path.contains("embeddings"));
        asked.map(|one| one.header("authorization").is_some()).collect::<Vec<_>>()
    };
    assert_eq!(has_key(&chats), [true; 5]);
    assert_eq!(has_key(&others), [false]);
}
