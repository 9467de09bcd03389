//! Failures: in the stream, by status, by body; what is repeated and what is not.

use std::time::Duration;

use ebbtide::llm::error::StatusKind;
use ebbtide::llm::{Client, Endpoint, Error, Event, Message, Protocol, Role, Secret};
use serde_json::json;

use super::dialects::endpoint_of;
use super::{answer_to, ask, endpoint, model, request};
use crate::support::server::{Reply, Server, content};

#[tokio::test]
async fn an_error_in_the_stream_keeps_the_text_before_it() {
    let text = || Reply::chunks([content("Hello")]);
    let event = |body: &str| text().then(format!("data: {body}\n\n"));
    let cases = [
        ("63", event(r#"{"error":{"message":"broken","code":500}}"#)),
        ("64 with choices", event(r#"{"choices":[{"delta":{},"finish_reason":"error"}],"error":{"message":"broken","code":502},"usage":{}}"#).then("data: [DONE]\n\n")),
        ("65 bare", event(r#"{"object":"error","message":"broken","code":400}"#)),
        ("66 text", event(r#"{"error":"broken"}"#)),
        ("66 detail", event(r#"{"detail":"broken"}"#)),
        ("66 array", event(r#"[{"error":{"message":"broken"}}]"#)),
        ("7 event: error", text().then("event: error\ndata: {\"why\":1,\"message\":\"broken\"}\n\n")),
        ("7 event: error in words", text().then("event: error\ndata: broken\n\n")),
        ("8 error: field", text().then("error: {\"code\":500,\"message\":\"broken\"}\n\n")),
        ("a bare line", text().then("{\"error\":\"broken\"}\n")),
        ("72 Groq", event(r#"{"error":{"message":"broken","code":"tool_use_failed","failed_generation":"x"}}"#)),
    ];
    for (name, reply) in cases {
        let answer = answer_to(reply).await;
        assert_eq!(answer.shown(), "Hello", "{name}");
        let told =
            matches!(answer.failure(), Error::MidStream { message, .. } if message == "broken");
        assert!(told, "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn what_was_told_of_tokens_before_a_failure_is_passed_on() {
    let usage = |completion: u64| json!({"prompt_tokens": 2_800, "completion_tokens": completion});
    let counted = |text: &str, completion: u64| {
        let mut chunk = content(text);
        chunk["usage"] = usage(completion);
        chunk
    };
    let failed = json!({"choices": [{"delta": {}, "finish_reason": "error"}],
        "error": {"message": "broken", "code": 502}, "usage": usage(400)});
    let broken = json!({"error": {"message": "broken", "code": 502}});
    let counts = json!({"choices": [], "usage": usage(400)});
    let response = json!({"status": "failed", "error": {"code": "server_error", "message": "boom"},
        "usage": {"input_tokens": 2_800, "output_tokens": 400}});
    let response = json!({"type": "response.failed", "response": response});
    let delta = json!({"type": "response.output_text.delta", "output_index": 0, "delta": "half"});
    let responses = format!("data: {delta}\n\ndata: {response}\n\n");
    for (name, protocol, reply) in [
        (
            "58 cut",
            Protocol::Chat,
            Reply::chunks([counted("half ", 1), counted("of it", 400)]).cut(),
        ),
        ("64 an error", Protocol::Chat, Reply::chunks([content("half"), failed.clone()])),
        (
            "64 after an error",
            Protocol::Chat,
            Reply::chunks([content("half"), broken.clone(), counts]),
        ),
        (
            "after an error and something unreadable",
            Protocol::Chat,
            Reply::chunks([counted("half", 400), broken]).then("data: {\"cut\n\n"),
        ),
        ("Responses", Protocol::Responses, Reply::raw(responses).untranslated()),
    ] {
        let server = Server::replying([reply]);
        let answer = ask(&Client::new(endpoint_of(&server, protocol)).unwrap(), request()).await;
        let is_told = !matches!(answer.failure(), Error::Garbled { .. });
        assert!(is_told, "{name}: {answer:?}");
        let told = answer.events.iter().rev().find_map(|event| match event {
            Event::Usage(usage) => Some((usage.prompt, usage.completion)),
            _ => None,
        });
        assert_eq!(told, Some((2_800, 400)), "{name}: {answer:?}");
    }
}

#[tokio::test]
async fn a_wait_in_the_words_of_a_failed_answer_is_kept_to() {
    let error = json!({"code": "rate_limit_exceeded", "message": "Please try again in 5ms."});
    let response =
        json!({"type": "response.failed", "response": {"status": "failed", "error": error}});
    let server = Server::replying([
        Reply::raw(format!("data: {response}\n\n")).untranslated(),
        Reply::text("Hello"),
    ]);
    let client = Client::new(endpoint_of(&server, Protocol::Responses)).unwrap();
    let answer = ask(&client, request()).await;
    assert_eq!(answer.retries()[0].0, Duration::from_millis(5), "{answer:?}");
    assert_eq!(answer.complete().text, "Hello");
}

#[tokio::test]
async fn an_error_with_a_status_in_its_body_counts_as_that_status() {
    let body = r#"{"error":{"message":"slow down","code":429}}"#;
    let cases = [
        ("12 a JSON body at 200", Reply::raw(body)),
        ("63 the stream's first chunk", Reply::raw(format!("data: {body}\n\n"))),
    ];
    for (name, reply) in cases {
        let server = Server::replying([reply, Reply::text("Hello")]);
        let answer = ask(&model(&server), request()).await;
        assert_eq!(answer.retries().len(), 1, "{name}");
        assert_eq!(answer.complete().text, "Hello", "{name}");
    }
}

#[tokio::test]
async fn refusals_are_told_apart_and_never_repeated() {
    let error = |message: &str, code: &str| {
        json!({"error": {"message": message, "code": code}}).to_string()
    };
    let cases = [
        // The client of these has no key.
        (401, error("m", ""), StatusKind::NoKey),
        (403, error("m", ""), StatusKind::NoKey),
        (400, error("Incorrect API key provided", ""), StatusKind::NoKey),
        (402, error("m", ""), StatusKind::Quota),
        (429, error("m", "insufficient_quota"), StatusKind::Quota),
        (404, error("no such model", ""), StatusKind::NotFound),
        (413, error("m", ""), StatusKind::TooLong),
        (400, error("m", "context_length_exceeded"), StatusKind::TooLong),
        (400, error("m", ""), StatusKind::Refused),
        (
            422,
            r#"{"detail":[{"loc":["body","messages"],"msg":"m"}]}"#.to_owned(),
            StatusKind::Refused,
        ),
    ];
    for (status, body, expected) in cases {
        let answer = answer_to(Reply::status(status, &body)).await;
        let kind = match answer.failure() {
            Error::Status { kind, .. } => Some(*kind),
            _ => None,
        };
        assert_eq!(kind, Some(expected), "{status} {body}");
        assert!(!answer.failure().advice().is_empty());
    }
}

#[tokio::test]
async fn what_passes_is_repeated_and_said() {
    for status in [408, 429, 500, 502, 503, 529] {
        let server = Server::replying([Reply::status(status, "busy"), Reply::text("Hello")]);
        let answer = ask(&model(&server), request()).await;
        let retries = answer.retries();
        assert_eq!(retries.len(), 1, "{status}");
        assert_eq!((retries[0].0, retries[0].1), (Duration::from_millis(1), 2), "{status}");
        assert!(
            retries[0].2.contains(&status.to_string()) && retries[0].2.contains("busy"),
            "{retries:?}"
        );
        assert_eq!(answer.complete().text, "Hello", "{status}");
    }
}

#[tokio::test]
async fn a_slip_of_the_model_is_repeated_once() {
    let words = "Failed to call a function. Please adjust your prompt.";
    let error = json!({"error": {"message": words, "type": "invalid_request_error", "code": "tool_use_failed"}});
    let slip = Reply::status(400, &error.to_string());
    let server = Server::replying([slip.clone(), Reply::text("Hello")]);
    let answer = ask(&model(&server), request()).await;
    assert_eq!((answer.retries().len(), answer.complete().text.as_str()), (1, "Hello"));
    let server = Server::replying([slip.clone(), slip]);
    let answer = ask(&model(&server), request()).await;
    assert_eq!(server.requests().len(), 2);
    assert!(answer.failure().advice().ends_with("Send again."), "{answer:?}");
}

#[tokio::test]
async fn a_server_that_loads_its_model_is_waited_for_as_long_as_for_an_answer() {
    let loading = Reply::status(503, "{\"error\":{\"message\":\"Loading model\",\"code\":503}}");
    let server = Server::replying(vec![loading; 6].into_iter().chain([Reply::text("Hello")]));
    let answer = ask(&model(&server), request()).await;
    // Told once, and more attempts than after another failure.
    assert_eq!(answer.retries().len(), 1, "{answer:?}");
    assert_eq!(answer.complete().text, "Hello");
}

#[tokio::test]
async fn an_address_where_nothing_is_is_told_apart_from_a_model_that_is_not_there() {
    for (body, expected) in [
        (
            "{\"error\":{\"message\":\"File Not Found\",\"type\":\"not_found_error\"}}",
            StatusKind::NoPath,
        ),
        ("404 page not found", StatusKind::NoPath),
        ("{\"detail\":\"Not Found\"}", StatusKind::NoPath),
        ("{\"error\":{\"message\":\"The model `x` does not exist\"}}", StatusKind::NotFound),
        ("{\"error\":{\"message\":\"No such thing: test-model\"}}", StatusKind::NotFound),
    ] {
        let server = Server::replying([Reply::status(404, body)]);
        let endpoint = Endpoint { model: "test-model".to_owned(), ..endpoint(&server) };
        let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
        let Error::Status { kind, .. } = answer.failure() else { panic!("{answer:?}") };
        assert_eq!(*kind, expected, "{body}");
        assert!(answer.failure().advice().contains(if expected == StatusKind::NoPath {
            "protocol"
        } else {
            "/model"
        }));
    }
}

#[tokio::test]
async fn waits_double_and_end_after_four_attempts() {
    let server = Server::replying((0..4).map(|_| Reply::status(503, "busy")));
    let answer = ask(&model(&server), request()).await;
    let waits: Vec<u128> = answer.retries().iter().map(|retry| retry.0.as_millis()).collect();
    assert_eq!(waits, [1, 2, 4]);
    assert!(matches!(answer.failure(), Error::Status { status: 503, .. }));
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn the_servers_own_wait_is_kept() {
    let cases = [
        ("seconds", "retry-after", "0.004", 4),
        ("milliseconds", "retry-after-ms", "5", 5),
        ("a reset", "x-ratelimit-reset-tokens", "6ms", 6),
    ];
    for (name, header, value, wait) in cases {
        let busy = Reply::status(429, "busy").header(header, value);
        let server = Server::replying([busy, Reply::text("Hello")]);
        let answer = ask(&model(&server), request()).await;
        assert_eq!(answer.retries()[0].0, Duration::from_millis(wait), "{name}");
    }
}

#[tokio::test]
async fn a_wait_of_hours_is_told_and_not_waited_for() {
    let answer = answer_to(Reply::status(429, "daily limit").header("retry-after", "7200")).await;
    assert!(answer.retries().is_empty());
    assert_eq!(answer.failure().retry_after(), Some(Duration::from_secs(7200)));
}

#[tokio::test]
async fn after_output_nothing_is_repeated() {
    let broken = "data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n";
    let answer = answer_to(Reply::chunks([content("Hello")]).then(broken)).await;
    assert!(answer.retries().is_empty());
    assert_eq!(answer.shown(), "Hello");
}

#[tokio::test]
async fn a_connection_that_closes_without_a_byte_is_tried_again() {
    let server = Server::replying([Reply::nothing(), Reply::text("Hello")]);
    let answer = ask(&model(&server), request()).await;
    assert_eq!(answer.retries().len(), 1);
    assert_eq!(answer.complete().text, "Hello");
}

#[tokio::test]
async fn where_nothing_listens_the_address_is_named() {
    // Bound, so that nobody else gets the port, but not listening.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let mut endpoint = endpoint(&Server::start());
    endpoint.base_url = format!("http://{}/v1", socket.local_addr().unwrap());
    endpoint.retries.attempts = 2;
    let answer = ask(&Client::new(endpoint.clone()).unwrap(), request()).await;
    assert_eq!(answer.retries().len(), 1);
    let message = answer.failure().to_string();
    assert!(matches!(answer.failure(), Error::Connect { .. }), "{message}");
    assert!(message.contains("127.0.0.1:") && message.contains("refused"), "{message}");
}

#[tokio::test]
async fn secrets_never_come_back_out_of_a_failure() {
    let echo = |wrap: fn(&str) -> Reply| wrap("no such key: sk-very-secret-1");
    let replies = [
        echo(|text| Reply::status(401, text)),
        echo(|text| Reply::raw(format!("data: {}\n\n", json!({"error": text})))),
        echo(|text| Reply::raw(text)),
    ];
    let server = Server::replying(replies);
    let endpoint =
        Endpoint { api_key: Some(Secret::new("sk-very-secret-1\n")), ..endpoint(&server) };
    assert!(!format!("{endpoint:?}").contains("very"));
    let model = Client::new(endpoint).unwrap();
    for _ in 0..3 {
        let answer = ask(&model, request()).await;
        let shown = format!("{answer:?} {}", answer.failure());
        assert!(shown.contains("[secret]") && !shown.contains("very"), "{shown}");
    }
    assert_eq!(server.received()[0].header("authorization"), Some("Bearer sk-very-secret-1"));
}

#[tokio::test]
async fn a_secret_at_the_place_where_a_text_is_cut_does_not_show_in_part() {
    for length in 280..310 {
        let padded = format!("{} sk-very-secret-1", "x".repeat(length));
        let server =
            Server::replying([Reply::raw(format!("data: {}\n\n", json!({"error": padded})))]);
        let api_key = Some(Secret::new("sk-very-secret-1"));
        let model = Client::new(Endpoint { api_key, ..endpoint(&server) }).unwrap();
        let message = ask(&model, request()).await.failure().to_string();
        assert!(!message.contains("sk-"), "{message}");
    }
}

#[tokio::test]
async fn an_error_without_words_still_makes_a_sentence() {
    let answer = answer_to(Reply::raw("event: error\ndata:\n\n")).await;
    assert!(answer.failure().to_string().ends_with("no explanation"), "{answer:?}");
    let answer = answer_to(Reply::status(404, "")).await;
    assert!(answer.failure().to_string().ends_with("404: Not Found"), "{answer:?}");
    let answer = answer_to(Reply::status(308, "").header("location", "https://h/v1")).await;
    assert!(answer.failure().to_string().contains("moved to https://h/v1"), "{answer:?}");
}

#[test]
fn settings_that_cannot_work_are_refused_before_any_request() {
    let key =
        Endpoint { api_key: Some(Secret::new("a\u{7}b")), ..Endpoint::new("http://h/v1", "m") };
    let header = Endpoint {
        headers: vec![("bad name".to_owned(), Secret::new("x"))],
        ..Endpoint::new("http://h/v1", "m")
    };
    for endpoint in [Endpoint::new("localhost", "m"), Endpoint::new("ftp://h", "m"), key, header] {
        let base_url = endpoint.base_url.clone();
        assert!(matches!(Client::new(endpoint), Err(Error::Setup(_))), "{base_url}");
    }
}

#[tokio::test]
async fn a_bad_conversation_is_caught_by_the_fake_server() {
    let server = Server::start();
    let mut request = request();
    request.messages.push(Message::tool_result("nobody", "x"));
    request.messages.push(Message::text(Role::User, "x"));
    let answer = ask(&model(&server), request).await;
    assert!(matches!(answer.failure(), Error::Status { status: 400, .. }));
    let violations = server.take_violations().join("\n");
    assert!(
        violations.contains("nobody") && violations.contains("role user after role tool"),
        "{violations}"
    );
}

/// Answers one connection with these bytes, whatever it says.
fn answering(bytes: &'static [u8]) -> (std::net::SocketAddr, std::thread::JoinHandle<()>) {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let thread = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let _ = socket.read(&mut [0; 4096]);
        socket.write_all(bytes).unwrap();
    });
    (address, thread)
}

#[tokio::test]
async fn a_wrong_scheme_is_told_with_what_to_write_and_not_tried_again() {
    // The second is the alert with which a server of TLS answers plain text.
    let cases: [(&str, &'static [u8], &str, &str); 2] = [
        (
            "https",
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "it does not speak https",
            "http:// instead",
        ),
        ("http", &[21, 3, 3, 0, 2, 2, 70], "it does not answer in http", "https:// instead"),
    ];
    let server = Server::start();
    for (scheme, bytes, what, advice) in cases {
        let (address, thread) = answering(bytes);
        let base_url = format!("{scheme}://{address}/v1");
        let model = Client::new(Endpoint { base_url, ..endpoint(&server) }).unwrap();
        let answer = ask(&model, request()).await;
        assert!(answer.failure().to_string().ends_with(what), "{answer:?}");
        assert!(answer.failure().advice().contains(advice), "{answer:?}");
        assert!(answer.retries().is_empty(), "{answer:?}");
        thread.join().unwrap();
    }
}

#[tokio::test]
async fn a_key_that_is_missing_is_told_apart_from_a_wrong_one() {
    let refusal = || Reply::status(401, "{\"error\":\"Unauthorized.\"}");
    let server = Server::replying([refusal(), refusal()]);
    let without = ask(&model(&server), request()).await;
    assert!(without.failure().advice().starts_with("No key was sent."), "{without:?}");
    // No full stop of the server's, so that whoever adds one does not double it.
    assert!(without.failure().to_string().ends_with("401: Unauthorized"), "{without:?}");
    let api_key = Some(Secret::new("sk-very-secret-1"));
    let with = Client::new(Endpoint { api_key, ..endpoint(&server) }).unwrap();
    assert!(ask(&with, request()).await.failure().advice().starts_with("Check the key"));
}

#[tokio::test]
async fn advice_claims_nothing_that_did_not_come() {
    let nothing = answer_to(Reply::raw(r#"{"error":{"message":"broken"}}"#)).await;
    let advice = nothing.failure().advice();
    assert!(!advice.contains("What came is kept"), "{advice}");
    let moved = answer_to(Reply::status(302, "")).await;
    let advice = moved.failure().advice();
    assert!(advice.contains("--base-url") && !advice.contains("words above"), "{advice}");
    let mute = answer_to(Reply::status(400, "")).await;
    let advice = mute.failure().advice();
    assert!(advice.contains("does not say") && !advice.contains("words above"), "{advice}");
    let spent = answer_to(Reply::raw(r#"{"error":"quota used up for today"}"#)).await;
    let advice = spent.failure().advice();
    assert!(advice.contains("quota") && !advice.contains("Send again"), "{advice}");
}

#[tokio::test]
async fn what_a_model_takes_is_read_from_an_error_in_the_stream_before_the_first_word() {
    let error = "event: error\ndata: {\"error\":{\"message\":\"The model is loaded with context length of only 4096 tokens, \
                 which is not enough\"}}\n\n";
    let told = answer_to(Reply::raw(error)).await;
    assert_eq!(told.failure().takes(), Some(4_096), "{told:?}");
    assert!(told.failure().advice().contains("token_budget=3000)"), "{}", told.failure().advice());
    // What was shown does not go out again.
    let late = answer_to(Reply::chunks([content("Hello")]).then(error)).await;
    assert_eq!(late.failure().takes(), None, "{late:?}");
}
