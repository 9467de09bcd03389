//! What is sent, what is left out for servers that refuse it, and what a server can be asked.

use std::sync::Arc;

use ebbtide::llm::discover::{facts, find};
use ebbtide::llm::probe::facts_or_fault;
use ebbtide::llm::{Client, Endpoint, Error, Model, Secret};
use ebbtide::providers::Told;
use serde_json::{Value, json};

use super::{ask, endpoint, model, request, tools};
use crate::support::server::{Reply, Server};

#[tokio::test]
async fn a_request_holds_only_what_is_set() {
    let server = Server::replying([Reply::text("a"), Reply::text("b")]);
    let mut endpoint = endpoint(&server);
    endpoint.headers.push(("x-title".to_owned(), Secret::new("Ebbtide")));
    let model = Client::new(endpoint).unwrap();
    ask(&model, request()).await.complete();
    let mut request = request();
    request.may_call = false;
    request.temperature = Some(0.1);
    request.model = Some("small".to_owned());
    ask(&model, request).await.complete();

    let messages =
        json!([{"role": "system", "content": "You help."}, {"role": "user", "content": "Hi"}]);
    let plain = json!({"model": "test-model", "messages": messages, "stream": true,
        "stream_options": {"include_usage": true}, "tools": tools()});
    let mut full = plain.clone();
    full["model"] = json!("small");
    full["temperature"] = json!(0.1);
    full["tool_choice"] = json!("none");
    assert_eq!(server.requests(), [plain, full]);
    let received = &server.received()[0];
    assert_eq!(
        (received.header("x-title"), received.header("authorization")),
        (Some("Ebbtide"), None)
    );
}

/// A server that refuses a field with this status and these words, and answers without it.
fn refusing(field: &'static str, status: u16, words: &'static str) -> Server {
    Server::following(move |request| {
        let body = json!({"error": {"message": words}}).to_string();
        if request.get(field).is_some() {
            Reply::status(status, &body)
        } else {
            Reply::text("Hello")
        }
    })
}

#[tokio::test]
async fn a_refused_field_is_left_out_once_and_for_all() {
    let cases = [
        ("76", "stream_options", 422, "body.stream_options: Extra inputs are not permitted"),
        ("Ollama", "tools", 400, "gemma:2b does not support tools"),
        ("llama.cpp", "tools", 500, "tools param requires --jinja flag"),
        ("OpenRouter", "tools", 404, "No endpoints found that support tool use."),
        ("vLLM", "tools", 400, "\"auto\" tool choice requires --enable-auto-tool-choice"),
        ("78", "tool_choice", 400, "Unknown parameter: 'tool_choice'."),
        ("78", "temperature", 400, "invalid temperature: only 1 is allowed for this model"),
    ];
    for (name, field, status, words) in cases {
        let server = refusing(field, status, words);
        let model = model(&server);
        let mut request = request();
        request.may_call = field != "tool_choice";
        request.temperature = Some(0.5);
        let first = ask(&model, request.clone()).await;
        assert_eq!(first.notices().len(), 1, "{name} {field}");
        assert!(first.notices()[0].contains(field), "{name}: {:?}", first.notices());
        assert!(first.retries().is_empty(), "{name} {field}");
        assert_eq!(first.complete().text, "Hello", "{name} {field}");
        let second = ask(&model, request).await;
        assert!(second.notices().is_empty(), "{name} {field}");
        let sent: Vec<bool> =
            server.requests().iter().map(|one| one.get(field).is_some()).collect();
        assert_eq!(sent, [true, false, false], "{name} {field}");
    }
}

#[tokio::test]
async fn tools_beside_thinking_are_asked_for_without_thinking_and_not_given_up() {
    let words = "Function tools with reasoning_effort are not supported for gpt-6-luna in \
                 /v1/chat/completions. To use function tools, use /v1/responses or set \
                 reasoning_effort to 'none'.";
    let body = json!({"error": {"message": words, "param": "reasoning_effort"}}).to_string();
    let server = Server::following(move |request| {
        let thinks = request.get("reasoning_effort") != Some(&json!("none"));
        if request.get("tools").is_some() && thinks {
            Reply::status(400, &body)
        } else {
            Reply::text("Hello")
        }
    });
    let model = model(&server);
    let answer = ask(&model, request()).await;
    assert!(answer.notices()[0].contains("without thinking"), "{:?}", answer.notices());
    assert_eq!(answer.complete().text, "Hello");
    ask(&model, request()).await.complete();
    let mut bare = request();
    bare.tools = None;
    ask(&model, bare).await.complete();
    let requests = server.requests();
    let sent =
        requests.iter().map(|one| (one.get("tools").is_some(), one["reasoning_effort"].as_str()));
    let with = (true, Some("none"));
    assert_eq!(sent.collect::<Vec<_>>(), [(true, None), with, with, (false, None)]);
}

#[tokio::test]
async fn a_fault_in_the_tools_is_told_and_not_answered_by_going_without() {
    let words = "tools[0].function.parameters: additionalProperties is not supported";
    let server = refusing("tools", 400, words);
    let answer = ask(&model(&server), request()).await;
    assert!(answer.failure().to_string().contains("additionalProperties"), "{answer:?}");
    assert_eq!((answer.notices().len(), server.requests().len()), (0, 1));
}

#[tokio::test]
async fn several_refused_fields_are_left_out_one_by_one() {
    let server = Server::following(|request| {
        for field in ["tools", "stream_options"] {
            if request.get(field).is_some() {
                return Reply::status(400, &format!("unknown field {field}"));
            }
        }
        Reply::text("Hello")
    });
    let answer = ask(&model(&server), request()).await;
    assert_eq!(answer.notices().len(), 2);
    assert_eq!(answer.complete().text, "Hello");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_field_is_not_given_up_for_good_when_leaving_it_out_did_not_help() {
    let refusal = || Reply::status(400, "tools are unsupported, or something");
    let server = Server::replying([refusal(), refusal(), Reply::text("Hello")]);
    let model = model(&server);
    let answer = ask(&model, request()).await;
    assert!(matches!(answer.failure(), Error::Status { status: 400, .. }));
    ask(&model, request()).await.complete();
    let sent: Vec<bool> = server.requests().iter().map(|one| one.get("tools").is_some()).collect();
    assert_eq!(sent, [true, false, true]);
}

#[tokio::test]
async fn a_request_without_tools_says_nothing_of_them() {
    let server = Server::replying([Reply::text("a"), Reply::text("b")]);
    let model = model(&server);
    for tools in [None, Some(Arc::new(json!([])))] {
        let mut request = request();
        request.tools = tools;
        request.may_call = false;
        ask(&model, request).await.complete();
    }
    let named = |one: &Value| one.get("tools").is_some() || one.get("tool_choice").is_some();
    assert!(!server.requests().iter().any(named));
}

#[tokio::test]
async fn a_server_is_asked_for_its_models() {
    let server = Server::start();
    server.set_models(&["a", "b"]);
    assert_eq!(model(&server).list_models().await, Ok(vec!["a".to_owned(), "b".to_owned()]));
    let elsewhere = Endpoint { base_url: server.base_url() + "/elsewhere", ..endpoint(&server) };
    let failure = Client::new(elsewhere).unwrap().list_models().await.unwrap_err();
    assert!(matches!(failure, Error::Status { status: 404, .. }), "{failure}");
}

#[tokio::test]
async fn a_running_server_is_found_and_none_is_invented() {
    let server = Server::start();
    assert_eq!(
        find(&format!("http://{}/v1", server.address())).await,
        Some(vec!["test-model".to_owned()])
    );
    let silent = tokio::net::TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let nowhere = format!("http://{}/v1", silent.local_addr().unwrap());
    assert_eq!(find(&nowhere).await, None);
    let broken = Server::start();
    broken.answer_models_with(Reply::status(500, "broken"));
    assert_eq!(find(&broken.base_url()).await, None);
}

#[tokio::test]
async fn the_model_is_described_for_the_screen() {
    let mut endpoint = Endpoint::new("http://127.0.0.1:8080/v1", "m");
    assert_eq!(Client::new(endpoint.clone()).unwrap().info().provider, "127.0.0.1:8080");
    endpoint.provider = "DeepSeek".to_owned();
    endpoint.context_window = Some(64_000);
    let info = Client::new(endpoint).unwrap().info();
    assert_eq!((info.name.as_str(), info.provider.as_str()), ("m", "DeepSeek"));
    assert_eq!((info.context_window, info.offline), (Some(64_000), false));
}

#[tokio::test]
async fn a_server_is_asked_what_its_model_takes() {
    let entry = json!({"id": "test-model", "owned_by": "llamacpp", "meta": {"n_ctx": 4096}});
    let list = json!({"object": "list", "data": [entry, {"id": "b"}]}).to_string();
    let server = Server::start();
    server.answer_models_with(Reply::raw(&list));
    let told = facts(&endpoint(&server), Told::List).await.unwrap();
    assert_eq!((told.there, told.context), (Some(true), Some(4096)));
    let other = Endpoint { model: "c".to_owned(), ..endpoint(&server) };
    let told = facts(&other, Told::List).await.unwrap();
    assert_eq!(
        (told.there, told.others),
        (Some(false), vec!["test-model".to_owned(), "b".to_owned()])
    );
}

#[tokio::test]
async fn a_key_is_shown_to_each_list_where_that_looks_for_it_and_nowhere_else() {
    let server = Server::start();
    let api_key = Some(Secret::new("sk-very-secret-1"));
    let keyed = Endpoint { api_key, ..endpoint(&server) };
    for told in [Told::List, Told::Anthropic, Told::Gemini] {
        let _ = facts(&keyed, told).await;
    }
    let received = server.received();
    let sent = |at: usize| {
        ["authorization", "x-api-key", "x-goog-api-key"]
            .map(|name| received[at].header(name).is_some())
    };
    assert_eq!(
        [sent(0), sent(1), sent(2)],
        [[true, false, false], [false, true, false], [false, false, true]]
    );
}

#[tokio::test]
async fn no_key_follows_a_list_that_has_moved_to_another_host() {
    let other = Server::start();
    for (told, path) in [
        (Told::List, "models"),
        (Told::Ollama, "models"),
        (Told::Anthropic, "models?limit=1000"),
        (Told::Gemini, "models?pageSize=1000"),
    ] {
        let server = Server::start();
        let target = format!("{}/{path}", other.base_url());
        server.answer_models_with(Reply::status(307, "").header("location", &target));
        let api_key = Some(Secret::new("sk-very-secret-1"));
        let keyed = Endpoint { api_key, ..endpoint(&server) };
        let error = facts(&keyed, told).await.unwrap_err().to_string();
        assert!(error.contains("it has moved to") && !error.contains("very-secret"), "{error}");
    }
    assert!(other.received().is_empty(), "{:?}", other.received());
}

#[tokio::test]
async fn an_address_where_no_model_is_served_is_told_from_a_server_without_a_list() {
    let page = "<!DOCTYPE html><title>Open WebUI</title>";
    let error = r#"{"error":"Unexpected endpoint or method. (POST /v1/chat/completions)"}"#;
    for (reply, is_one) in [
        (Reply::raw(page), false),
        (Reply::raw(error), false),
        (Reply::status(404, r#"{"detail":"Not Found"}"#), false),
        (Reply::status(404, "<html><title>404 Not Found</title></html>"), false),
        (Reply::status(405, "Method Not Allowed"), false),
        (Reply::status(400, r#"{"error":{"message":"'messages' is a required property"}}"#), true),
        (Reply::status(422, r#"{"detail":"Field required"}"#), true),
        (Reply::status(500, r#"{"error":"missing messages"}"#), true),
        (Reply::status(404, r#"{"error":{"message":"Not found","code":"model_not_found"}}"#), true),
        (Reply::status(404, r#"{"error":{"message":"The model `` does not exist."}}"#), true),
        (Reply::status(502, "<html><title>502 Bad Gateway</title></html>"), false),
        (Reply::status(503, r#"{"error":"no upstream"}"#), false),
    ] {
        for list in [Reply::raw(page), Reply::status(404, "not found")] {
            let server = Server::start();
            server.answer_at("/v1/there/models", [list]);
            server.answer_at("/v1/there/chat/completions", [reply.clone()]);
            let base_url = server.base_url() + "/there";
            let told =
                facts_or_fault(&Endpoint { base_url, ..endpoint(&server) }, Told::List).await;
            assert_eq!(told.is_ok(), is_one, "{told:?}");
        }
    }
}

#[tokio::test]
async fn a_server_that_is_out_of_order_is_no_server_and_a_key_that_sees_no_list_may_chat() {
    let (denied, invalid) =
        (r#"{"error":"insufficient permissions"}"#, r#"{"error":"API key not valid"}"#);
    let missing = || Reply::status(400, r#"{"error":{"message":"model is required"}}"#);
    let broken = || Reply::status(500, r#"{"error":"it broke"}"#);
    for (list, reply, expected) in [
        (broken(), broken(), Some(500)),
        (Reply::status(503, "busy"), broken(), Some(500)),
        (broken(), missing(), None),
        (Reply::status(404, "not found"), broken(), None),
        (Reply::status(403, denied), missing(), None),
        (Reply::status(401, denied), missing(), None),
        (Reply::status(401, denied), Reply::text("Hi."), None),
        (Reply::status(403, denied), Reply::status(401, denied), Some(403)),
        (Reply::status(401, denied), Reply::status(404, "not found"), Some(401)),
        (Reply::status(401, denied), Reply::raw("").cut(), Some(401)),
        (Reply::status(400, invalid), missing(), Some(400)),
    ] {
        let server = Server::start();
        server.answer_at("/v1/there/models", [list]);
        server.answer_at("/v1/there/chat/completions", [reply]);
        let base_url = server.base_url() + "/there";
        let api_key = Some(Secret::new("sk-very-secret-1"));
        let keyed = Endpoint { base_url, api_key, ..endpoint(&server) };
        let told = facts_or_fault(&keyed, Told::List).await;
        let status = match &told {
            Ok(_) => None,
            Err(Error::Status { status, .. }) => Some(*status),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(status, expected, "{told:?}");
    }
}
