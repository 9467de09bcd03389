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
