//! Servers on one's own machine: found while they load, made to fetch a model, and with a context that is small.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use ebbtide::orchestrator::{Notice, Op};

use super::cli::Home;
use super::support::driver::{client_of, drive_with};
use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};

/// A server as Ollama is, with these models.
fn ollama(models: &[&str]) -> Server {
    let server = Server::following(|_| Reply::text("Hi."));
    let entry = |name: &&str| json!({"id": name, "owned_by": "library"});
    let data: Vec<Value> = models.iter().map(entry).collect();
    server.answer_models_with(Reply::json(&json!({ "data": data })));
    let show = json!({"capabilities": ["completion", "tools"], "model_info": {"x.context_length": 40_960}});
    server.answer_at("/api/show", [Reply::json(&show)]);
    server.answer_at("/api/ps", [Reply::json(&json!({"models": []}))]);
    server
}

fn fetched(part: u64) -> String {
    let line = json!({"status": "pulling 6a07", "digest": "sha256:6a07", "total": 5_200_000_000_u64,
        "completed": part * 52_000_000});
    format!("{line}\n")
}

fn run(home: &Home, server: &Server, line: &[&str]) -> (String, String, i32) {
    home.run(line, &[("OLLAMA_HOST", &server.address())])
}

#[test]
fn a_model_that_is_missing_is_fetched_with_progress_and_answers() {
    let (home, server) = (Home::new(), ollama(&[]));
    let lines = [fetched(0), fetched(34), fetched(36), fetched(100)].concat();
    let pulled = Reply::raw("{\"status\":\"pulling manifest\"}\n").then(lines);
    // The last line need not have an end.
    server.answer_at("/api/pull", [pulled.then("{\"status\":\"success\"}")]);
    let (_, err, _) = run(&home, &server, &["-s", "one", "-p", "hello"]);
    assert!(err.contains("Ollama runs and has no model to chat with. /pull NAME"), "{err}");
    let (out, err, code) = run(&home, &server, &["-s", "one", "-p", "/pull qwen9"]);
    assert!(
        code == 0 && out.contains("qwen9 is there now. qwen9 from Ollama answers"),
        "{out} {err}"
    );
    for line in ["qwen9: pulling manifest\n", "qwen9: 34 % of 5.2 GB\n", "qwen9: 100 % of 5.2 GB\n"]
    {
        assert!(err.contains(line), "{err}");
    }
    // No more than a line for each tenth.
    assert!(!err.contains("36 %"), "{err}");
    let (out, ..) = run(&home, &server, &["-s", "one", "-p", "hello"]);
    assert_eq!((&*out, &server.requests()[0]["model"]), ("Hi.\n", &json!("qwen9")));
}

#[test]
fn a_model_that_cannot_be_fetched_is_told_with_what_to_do() {
    let (home, server) = (Home::new(), ollama(&["old"]));
    let manifest = Reply::raw("{\"error\":\"pull model manifest: file does not exist\"}\n");
    let refused = Reply::status(500, "{\"error\":\"no space left on device\"}");
    server.answer_at("/api/pull", [manifest, Reply::raw(fetched(50)), refused]);
    for words in [
        "Ollama could not fetch new: pull model manifest: file does not exist. Is the name right?",
        "The connection broke off while Ollama fetched new. What came is kept there: /pull new goes on",
        "Ollama could not fetch new: 127.0.0.1:",
    ] {
        let (_, err, code) = run(&home, &server, &["-p", "/pull new"]);
        assert!(code != 0 && err.contains(words), "{err}");
    }
    let missing = "{\"error\":\"model 'new' not found, try pulling it first\"}";
    let server = Server::replying([Reply::status(404, missing)]);
    let (_, err, _) = run(&home, &server, &["-m", "new", "-p", "hello"]);
    assert!(err.contains("/pull fetches it") && err.contains("kept in the session"), "{err}");
    let (out, _, code) = run(&home, &ollama(&["old"]), &["doctor", "-m", "new"]);
    let told = "Ollama has no model new. `ebbtide -p \"/pull new\"` fetches it. --model names another; it has, \
                for example, old.";
    assert!(code != 0 && out.contains(told), "{out}");
}

#[test]
fn on_the_screen_fetching_shows_how_far_it_is_and_stops_when_asked() {
    let (home, server) = (tempfile::tempdir().unwrap(), ollama(&["old"]));
    server.answer_at("/api/pull", [Reply::raw(fetched(34)).hang()]);
    let address = server.address();
    let env = [("OLLAMA_HOST", &*address)];
    let mut terminal =
        Terminal::start(&Start { args: &[], home: home.path(), size: (100, 30), env: &env });
    terminal.wait_for("· ready");
    terminal.send_line("/pull qwen9");
    terminal.wait_for("running /pull qwen9 · 34 % of 5.2 GB");
    terminal.send("\u{1b}");
    terminal.wait_for("Stopped. What came of qwen9 is kept");
    terminal.send_line("hello");
    terminal.wait_for("Hi.");
}

#[test]
fn a_server_that_loads_its_model_is_waited_for() {
    let (home, server) = (Home::new(), ollama(&["old"]));
    let loading = Reply::status(503, "{\"error\":{\"message\":\"Loading model\",\"code\":503}}");
    let list = Reply::json(&json!({"data": [{"id": "old", "owned_by": "library"}]}));
    server.answer_models_with(list.clone());
    server.answer_at("/v1/models", [loading, list.after(Duration::from_millis(1_200))]);
    let (out, err, _) = run(&home, &server, &["-p", "hello"]);
    assert_eq!(out, "Hi.\n", "{err}");
    assert!(err.contains("A server on this machine takes its time"), "{err}");
}

const PROTOCOLS: [&str; 4] = ["chat", "responses", "messages", "ollama"];

/// A server whose model takes so many tokens, and says so in the way of each protocol.
fn small(context: u64) -> Server {
    let words = format!("the prompt is longer than the context size of {context}");
    let refusal = Reply::status(400, &json!({"error": {"message": words}}).to_string());
    let server = Server::following(move |request| {
        // Four bytes a token, as the servers of the tests count.
        let tokens = request.to_string().len() as u64 / 4;
        if tokens > context { refusal.clone() } else { Reply::text("Hi.") }
    });
    let entry =
        json!({"id": "m", "owned_by": "library", "context_length": context, "max_tokens": 4_096});
    server.answer_models_with(Reply::json(&json!({"data": [entry]})));
    let show = json!({"capabilities": ["completion", "tools"], "model_info": {"x.context_length": context}});
    server.answer_at("/api/show", [Reply::json(&show)]);
    server.answer_at("/api/ps", [Reply::json(&json!({"models": []}))]);
    server
}

fn said_hello(server: &Server, protocol: &str) -> (String, String, i32) {
    let protocol = format!("protocol={protocol}");
    Home::new().run(&["--base-url", &server.base_url(), "--set", &protocol, "-p", "hello"], &[])
}

#[test]
fn a_model_too_small_for_prompt_and_tools_is_named_with_the_way_out() {
    for protocol in PROTOCOLS {
        let server = small(1_300);
        let (_, err, code) = said_hello(&server, protocol);
        // Ollama cuts what does not fit, unless it is told not to; our own test server counts that a fault.
        server.take_violations();
        assert_ne!(code, 0, "{protocol}");
        for words in [
            "context_window of 1,300 is too small: the system prompt and the tools take ",
            "told by the server",
            "choose another with /model",
            "answered 400: ",
            "a model that takes more with /model",
            "is kept in the session",
        ] {
            assert!(err.contains(words), "{protocol}: no {words:?} in {err}");
        }
    }
}

#[test]
fn a_model_with_just_enough_room_answers_without_a_word() {
    for protocol in PROTOCOLS {
        let server = small(2_090);
        let (out, err, code) = said_hello(&server, protocol);
        assert_eq!((&*out, code), ("Hi.\n", 0), "{protocol}: {err}");
        assert!(!err.contains("too small"), "{protocol}: {err}");
        // What a request may cost and the longest answer fit into it together.
        let most = server.requests()[0]["max_tokens"].as_u64();
        assert!(most.is_none_or(|most| most < 2_090 - 1_500), "{protocol}: {most:?}");
    }
}

#[test]
fn the_shell_tells_the_window_that_the_model_left_in_the_chat() {
    let (home, server) = (Home::new(), small(4_000));
    let at_server = ["--base-url", &server.base_url(), "-s", "one", "-p"];
    let (_, err, code) = home.run(&[&at_server[..], &["hello"]].concat(), &[]);
    assert_eq!(code, 0, "{err}");
    let budget = |line: &[&str]| {
        let (out, err, code) = home.run(&[&["stats", "--json", "-s", "one"], line].concat(), &[]);
        assert_eq!(code, 0, "{line:?}: {err}");
        serde_json::from_str::<Value>(&out).unwrap()["token_budget"].as_u64()
    };
    for (line, expected) in [
        (&[][..], 3_000),
        (&["--model", "m"], 3_000),
        (&["--set", "token_budget=2900"], 2_900),
        (&["--set", "context_window=8000"], 6_000),
        // Another model answers there.
        (&["--offline"], 16_000),
        (&["--model", "other"], 16_000),
    ] {
        assert_eq!(budget(line), Some(expected), "{line:?}");
    }
    let (chat, ..) = home.run(&[&at_server[..], &["/stats"]].concat(), &[]);
    let (shell, ..) = home.run(&["stats", "-s", "one"], &[]);
    assert!(chat.contains("3,000") && shell.contains("3,000"), "{chat}\n{shell}");
    let (listed, ..) = home.run(&["context", "-s", "one", "--json"], &[]);
    assert!(serde_json::from_str::<Value>(&listed).is_ok(), "{listed}");
}

#[test]
fn what_a_server_tells_of_a_model_is_asked_first_also_where_it_has_no_list() {
    let server = small(4_096);
    server.answer_models_with(Reply::status(404, "404 page not found"));
    let show = json!({"capabilities": ["completion"], "model_info": {"x.context_length": 4_096}});
    server.answer_at("/api/show", [Reply::json(&show)]);
    let line =
        ["--base-url", &server.base_url(), "--model", "m", "--set", "protocol=ollama", "--set"];
    let line = [&line[..], &["effort=high", "-p", "hello"]].concat();
    let (out, err, code) = Home::new().run(&line, &[]);
    assert_eq!((&*out, code), ("Hi.\n", 0), "{err}");
    assert!(err.contains("takes no tools"), "{err}");
    let requests = server.requests();
    assert_eq!(requests.len(), 1, "nothing is tried that was told to fail");
    assert_eq!(requests[0]["options"]["num_ctx"], 4_096);
    assert!(requests[0].get("tools").is_none() && requests[0].get("think").is_none());
}

#[test]
fn a_context_window_that_a_person_sets_does_not_stop_the_start() {
    let home = Home::new();
    home.write_config("context_window = 4096\n");
    let (out, err, code) =
        home.run(&["-s", "one", "-p", "hello"], &[("OLLAMA_HOST", "127.0.0.1:9")]);
    assert!(code == 0 && out.contains("offline model") && err.is_empty(), "{out} {err}");
    let server = small(1_300);
    home.write_config("context_window = 1300\n");
    let session = ["--base-url", &server.base_url(), "-s", "one", "-p"];
    let (_, err, _) = home.run(&[&session[..], &["hello"]].concat(), &[]);
    assert!(err.contains("config.toml:1") && err.contains("is too small"), "{err}");
}

#[tokio::test]
async fn settings_can_be_changed_however_small_the_model_is() {
    let (dir, server) = (tempfile::tempdir().unwrap(), Server::start());
    let small = [("context_window", "1300")];
    let (handle, mut notices) = drive_with(dir.path(), client_of(&server), &small);
    for (key, value, expected) in [("decay_threshold", "4", true), ("token_budget", "1000", false)]
    {
        handle.send(Op::Set { key: key.to_owned(), value: value.to_owned() });
        let done = loop {
            if let Notice::SettingDone { ok, .. } = notices.recv().await.unwrap() {
                break ok;
            }
        };
        assert_eq!(done, expected, "{key}");
    }
}

#[test]
fn where_no_model_is_named_one_is_chosen_by_what_it_can() {
    let (home, server) = (Home::new(), ollama(&["paraphrase", "smollm", "qwen9"]));
    let show = |can: &[&str]| Reply::json(&json!({"capabilities": can, "model_info": {}}));
    let shown = || [show(&["embedding"]), show(&["completion"]), show(&["completion", "tools"])];
    server.answer_at("/api/show", shown());
    let (out, err, _) = run(&home, &server, &["-p", "hello"]);
    assert_eq!((&*out, &server.requests()[0]["model"]), ("Hi.\n", &json!("qwen9")), "{err}");
    let server = ollama(&["paraphrase", "smollm"]);
    server.answer_at("/api/show", shown().into_iter().take(2));
    let (out, err, _) = run(&home, &server, &["-s", "two", "-p", "hello"]);
    assert_eq!((&*out, &server.requests()[0]["model"]), ("Hi.\n", &json!("smollm")), "{err}");
}

#[test]
fn a_server_that_tells_slowly_of_its_models_is_not_waited_for() {
    let (home, server) = (Home::new(), ollama(&["qwen9", "smollm"]));
    let show = Reply::json(&json!({"capabilities": ["completion"], "model_info": {}}));
    server.answer_at("/api/show", [show.after(Duration::from_secs(60))]);
    let since = Instant::now();
    let (out, err, _) = run(&home, &server, &["-p", "hello"]);
    assert_eq!((&*out, &server.requests()[0]["model"]), ("Hi.\n", &json!("qwen9")), "{err}");
    assert!(since.elapsed() < Duration::from_secs(25), "{:?}", since.elapsed());
}
