//! All protocols through one client, against a server that is strict about each: what is sent, what goes back within
//! a turn, failures, keys, and cancelling.

use ebbtide::llm::error::StatusKind;
use ebbtide::llm::{
    Client, Endpoint, Error, Event, Message, Model, Protocol, Request, Role, Secret, Thinking,
};
use futures_util::StreamExt;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{ask, endpoint, request};
use crate::support::server::{Reply, Server, content};

const NATIVE: [Protocol; 3] = [Protocol::Responses, Protocol::Messages, Protocol::Ollama];

pub(super) fn endpoint_of(server: &Server, protocol: Protocol) -> Endpoint {
    let model = if protocol == Protocol::Messages { "claude-opus-5-5" } else { "test-model" };
    Endpoint {
        protocol,
        model: model.to_owned(),
        cache_key: "the-session".to_owned(),
        ..endpoint(server)
    }
}

fn client(server: &Server, protocol: Protocol) -> Client {
    Client::new(endpoint_of(server, protocol)).unwrap()
}

/// A request as the window makes it: a front that stays, and behind it the memory block with the newest words.
pub(super) fn windowed() -> Request {
    let newest =
        Message { memory: Some("[memory]\n".into()), ..Message::text(Role::User, "Open it.") };
    let front = [
        Message::text(Role::System, "You help."),
        Message::text(Role::User, "Hi"),
        Message::text(Role::Assistant, "Hello."),
    ];
    Request { messages: front.into_iter().chain([newest]).collect(), ..request() }
}

#[tokio::test]
async fn a_turn_goes_over_the_wire_as_each_protocol_wants_it() {
    for protocol in Protocol::ALL {
        let calls = [("open_effort", json!({"name": "a b"}))];
        let server =
            Server::replying([Reply::text_and_calls("So be it.", &calls), Reply::text("Done.")]);
        let client = client(&server, protocol);
        let mut request = windowed();
        let first = ask(&client, request.clone()).await.complete();
        assert_eq!((&*first.text, first.calls.len()), ("So be it.", 1), "{protocol:?}");
        request.messages.push(Message {
            calls: first.calls.clone(),
            replay: first.replay,
            ..Message::text(Role::Assistant, first.text)
        });
        request.messages.push(Message::tool_result(&first.calls[0].id, "{\"ok\":true}"));
        request.may_call = false;
        assert_eq!(ask(&client, request).await.complete().text, "Done.", "{protocol:?}");
        let sent = serde_json::to_string_pretty(&server.requests()[1]).unwrap();
        assert_snapshot!(format!("a_tool_round_over_{}", protocol.as_str()), sent);
    }
}

#[tokio::test]
async fn what_another_model_thought_is_left_out() {
    for protocol in NATIVE {
        let calls = [("open_effort", json!({"name": "a"}))];
        let server = Server::replying([Reply::calls(&calls), Reply::text("Done.")]);
        let first = ask(&client(&server, protocol), windowed()).await.complete();
        let mut request = windowed();
        // A model that does not think, so that the strict server wants no thoughts of it.
        request.model = Some("another".to_owned());
        request.messages.push(Message {
            calls: first.calls.clone(),
            replay: first.replay,
            ..Message::text(Role::Assistant, "")
        });
        request.messages.push(Message::tool_result(&first.calls[0].id, "ok"));
        ask(&client(&server, protocol), request).await.complete();
        let sent = server.requests()[1].to_string();
        assert!(!sent.contains("signed:") && !sent.contains("\"sealed\""), "{sent}");
    }
}

#[tokio::test]
async fn the_effort_is_said_in_the_words_of_each_protocol() {
    let sent = |protocol: Protocol, effort: Option<Thinking>| async move {
        let server = Server::replying([Reply::text("Hi.")]);
        let request = Request { effort, ..request() };
        ask(&client(&server, protocol), request).await.complete();
        server.requests().remove(0)
    };
    let cases = [
        (Protocol::Chat, "/reasoning_effort", [json!(null), json!("none"), json!("low")]),
        (Protocol::Responses, "/reasoning/effort", [json!(null), json!("none"), json!("low")]),
        (Protocol::Messages, "/output_config/effort", [json!(null), json!(null), json!("low")]),
        (
            Protocol::Messages,
            "/thinking/type",
            ["adaptive", "disabled", "adaptive"].map(|k| json!(k)),
        ),
        (Protocol::Ollama, "/think", [json!(null), json!(false), json!(true)]),
    ];
    for (protocol, place, expected) in cases {
        let efforts = [None, Some(Thinking::None), Some(Thinking::Low)];
        for (effort, expected) in efforts.into_iter().zip(expected) {
            let body = sent(protocol, effort).await;
            assert_eq!(
                body.pointer(place).unwrap_or(&Value::Null),
                &expected,
                "{protocol:?} {effort:?}"
            );
        }
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection_in_every_protocol() {
    for protocol in Protocol::ALL {
        let server = Server::replying([Reply::chunks([content("Hello")]).hang()]);
        let mut stream = client(&server, protocol).stream(request());
        let mut first = stream.next().await;
        // Some tell of tokens before the first word.
        if matches!(first, Some(Ok(Event::Usage(_)))) {
            first = stream.next().await;
        }
        assert_eq!(first, Some(Ok(Event::Text("Hello".to_owned()))), "{protocol:?}");
        drop(stream);
        server.wait_for_hang_ups(1).await;
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_keeps_its_words_and_is_no_success() {
    for protocol in NATIVE {
        for reply in [Reply::chunks([content("Hello")]), Reply::chunks([content("Hello")]).cut()] {
            let server = Server::replying([reply]);
            let answer = ask(&client(&server, protocol), request()).await;
            assert!(matches!(answer.failure(), Error::Cut { .. }), "{protocol:?} {answer:?}");
            assert_eq!(answer.shown(), "Hello", "{protocol:?}");
        }
    }
}

pub(super) fn refused(protocol: Protocol, kind: &str, message: &str) -> String {
    match protocol {
        Protocol::Messages => {
            json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"})
        }
        Protocol::Ollama => json!({"error": message}),
        _ => json!({"error": {"message": message, "type": kind, "code": kind, "param": null}}),
    }
    .to_string()
}

#[tokio::test]
async fn refusals_are_told_apart_in_every_protocol() {
    use Protocol::{Messages, Ollama, Responses};
    use StatusKind::{Key, NoChat, NotFound, NotPulled, Quota, TooLong};
    let cases = [
        (Messages, 401, "authentication_error", "invalid x-api-key", Key),
        (
            Messages,
            400,
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API.",
            Quota,
        ),
        (Messages, 402, "billing_error", "m", Quota),
        (Messages, 404, "not_found_error", "model: claude-9", NotFound),
        (
            Messages,
            400,
            "invalid_request_error",
            "prompt is too long: 3333404 tokens > 200000 maximum",
            TooLong,
        ),
        (Messages, 413, "request_too_large", "Request exceeds the maximum size", TooLong),
        (Responses, 401, "invalid_api_key", "Incorrect API key provided", Key),
        (Responses, 429, "insufficient_quota", "You exceeded your current quota", Quota),
        (Responses, 400, "model_not_found", "The requested model 'x' does not exist.", NotFound),
        (
            Responses,
            400,
            "context_length_exceeded",
            "Your input exceeds the context window of this model.",
            TooLong,
        ),
        (Ollama, 401, "", "unauthorized", Key),
        (Ollama, 404, "", "model \"qwen9\" not found, try pulling it first", NotPulled),
        (Ollama, 400, "", "\"nomic-embed-text\" does not support chat", NoChat),
        (
            Ollama,
            400,
            "",
            "the prompt is longer than the context length currently available to the model",
            TooLong,
        ),
    ];
    for (protocol, status, kind, message, expected) in cases {
        let server = Server::replying([Reply::status(status, &refused(protocol, kind, message))]);
        let api_key = Some(Secret::new("sk-12345678"));
        let client = Client::new(Endpoint { api_key, ..endpoint_of(&server, protocol) }).unwrap();
        let answer = ask(&client, request()).await;
        let told = matches!(answer.failure(), Error::Status { kind, .. } if *kind == expected);
        assert!(told, "{protocol:?} {message}: {answer:?}");
        assert!(!answer.failure().advice().is_empty());
    }
}

/// A failure inside the stream, as each protocol writes it.
fn broken(protocol: Protocol, kind: &str, message: &str) -> String {
    let error = refused(protocol, kind, message);
    match protocol {
        Protocol::Ollama => format!("{error}\n"),
        Protocol::Responses => {
            let response = json!({"status": "failed", "error": {"code": kind, "message": message}});
            format!(
                "event: response.failed\ndata: {}\n\n",
                json!({"type": "response.failed", "response": response})
            )
        }
        _ => format!("event: error\ndata: {error}\n\n"),
    }
}

#[tokio::test]
async fn a_failure_in_the_stream_is_tried_again_before_the_first_word_and_told_after_it() {
    for (protocol, kind) in [
        (Protocol::Messages, "overloaded_error"),
        (Protocol::Responses, "server_error"),
        (Protocol::Chat, "rate_limit_error"),
    ] {
        let server = Server::replying([
            Reply::raw(broken(protocol, kind, "busy")).untranslated(),
            Reply::text("Hello"),
        ]);
        let answer = ask(&client(&server, protocol), request()).await;
        assert_eq!(answer.retries().len(), 1, "{protocol:?} {answer:?}");
        assert_eq!(answer.complete().text, "Hello");
    }
    for protocol in NATIVE {
        let reply = Reply::chunks([content("Hello")]).then_untranslated(broken(
            protocol,
            "overloaded_error",
            "busy",
        ));
        let answer = ask(&client(&Server::replying([reply]), protocol), request()).await;
        assert!(
            matches!(answer.failure(), Error::MidStream { message, .. } if message == "busy"),
            "{answer:?}"
        );
        assert_eq!(answer.shown(), "Hello");
    }
}

#[tokio::test]
async fn a_key_goes_to_its_own_host_alone_and_is_never_shown() {
    for protocol in Protocol::ALL {
        let other = Server::start();
        let words = "no such key: sk-very-secret-1";
        let moved = Reply::status(307, "").header("location", &format!("{}/x", other.base_url()));
        let replies = [
            Reply::status(401, &refused(protocol, "authentication_error", words)),
            Reply::raw(broken(protocol, "error", words)).untranslated(),
            moved,
        ];
        let server = Server::replying(replies);
        let api_key = Some(Secret::new("sk-very-secret-1"));
        let endpoint = Endpoint { api_key, ..endpoint_of(&server, protocol) };
        let client = Client::new(endpoint).unwrap();
        for _ in 0..3 {
            let answer = ask(&client, request()).await;
            let shown = format!("{answer:?} {} {}", answer.failure(), answer.failure().advice());
            assert!(!shown.contains("very"), "{protocol:?} {shown}");
        }
        assert!(other.received().is_empty(), "{protocol:?}");
        let received = &server.received()[0];
        assert_eq!(
            received.header("authorization"),
            Some("Bearer sk-very-secret-1"),
            "{protocol:?}"
        );
        let own = received.header("x-api-key");
        assert_eq!(own.is_some(), protocol == Protocol::Messages, "{protocol:?}");
        assert!(!received.body.to_string().contains("very") && !received.path.contains("very"));
    }
}

#[tokio::test]
async fn what_a_native_server_refuses_is_left_out_once_and_for_all() {
    let cases = [
        (Protocol::Messages, "thinking", "adaptive thinking is not supported on this model"),
        (Protocol::Messages, "output_config", "This model does not support the effort parameter."),
        (
            Protocol::Messages,
            "cache_control",
            "messages.0.content.0.cache_control: Extra inputs are not permitted",
        ),
        (Protocol::Responses, "include", "Encrypted content is not supported with this model."),
        (
            Protocol::Responses,
            "summary",
            "Unsupported parameter: 'reasoning.summary' is not supported with this model.",
        ),
        (Protocol::Responses, "prompt_cache_key", "Unknown parameter: 'prompt_cache_key'."),
        (Protocol::Ollama, "\"think\"", "\"gemma3\" does not support thinking"),
        (Protocol::Ollama, "\"tools\"", "\"gemma3\" does not support tools"),
    ];
    for (protocol, field, words) in cases {
        let body = refused(protocol, "invalid_request_error", words);
        let server = Server::refusing(field, Reply::status(400, &body));
        let client = client(&server, protocol);
        let request = Request { effort: Some(Thinking::High), ..windowed() };
        let first = ask(&client, request.clone()).await;
        assert_eq!(first.notices().len(), 1, "{field}: {first:?}");
        assert_eq!(first.complete().text, "Hello", "{field}");
        assert!(ask(&client, request).await.notices().is_empty(), "{field}");
        assert_eq!(server.requests().len(), 3, "{field}");
    }
}

/// What the marks of a request ask for.
fn lifetimes(body: &Value) -> Vec<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let blocks = list(&body["messages"]).into_iter().flat_map(|message| list(&message["content"]));
    let all = list(&body["tools"]).into_iter().chain(list(&body["system"])).chain(blocks);
    all.filter_map(|block| block.get("cache_control").map(|mark| mark["ttl"].clone())).collect()
}

#[tokio::test]
async fn an_hour_is_asked_for_where_a_person_wants_it_and_the_server_lets_one_choose() {
    for (model, keeps_hour, ttl) in [
        ("claude-opus-5-5", true, json!("1h")),
        ("anthropic/claude-haiku-4-5", true, json!("1h")),
        ("claude-opus-5-5", false, Value::Null),
        ("kimi-k3", true, Value::Null),
    ] {
        let server = Server::following(|_| Reply::text("Hi."));
        let endpoint = Endpoint { model: model.into(), ..endpoint_of(&server, Protocol::Messages) };
        let client = Client::new(endpoint).unwrap();
        ask(&client, Request { keeps_hour, ..windowed() }).await.complete();
        assert_eq!(lifetimes(&server.requests()[0]), vec![ttl; 4], "{model} {keeps_hour}");
        assert_eq!(server.take_violations(), [""; 0]);
    }
}

#[tokio::test]
async fn a_server_that_knows_no_hour_keeps_the_marks() {
    let words = "tools.0.cache_control.ephemeral.ttl: Extra inputs are not permitted";
    let body = refused(Protocol::Messages, "invalid_request_error", words);
    let server = Server::refusing("\"ttl\"", Reply::status(400, &body));
    let model = "claude-opus-5-5".to_owned();
    let endpoint = Endpoint { model, ..endpoint_of(&server, Protocol::Messages) };
    let client = Client::new(endpoint).unwrap();
    let request = Request { keeps_hour: true, ..windowed() };
    let first = ask(&client, request.clone()).await;
    assert!(first.notices()[0].contains("for an hour"), "{first:?}");
    let usage = first.complete().usage.unwrap();
    assert_eq!(usage.hour, Some(0), "whatever is written is kept for minutes");
    let plain = Request { keeps_hour: false, ..request.clone() };
    assert_eq!(ask(&client, plain).await.complete().usage.unwrap().hour, None);
    assert!(ask(&client, request).await.notices().is_empty());
    let sent = server.requests();
    assert_eq!((sent.len(), lifetimes(&sent[1])), (4, vec![Value::Null; 4]));
}

#[tokio::test]
async fn a_persons_own_fields_and_limits_go_out_with_every_request() {
    for protocol in Protocol::ALL {
        let server = Server::following(|_| Reply::text("Hi."));
        let mut endpoint = endpoint_of(&server, protocol);
        endpoint.fields.insert("own".to_owned(), json!(1));
        endpoint.wishes.max_tokens = Some(900);
        endpoint.headers.push(("x-own".to_owned(), Secret::new("h")));
        ask(&Client::new(endpoint).unwrap(), request()).await;
        let violations = server.take_violations();
        assert!(violations.iter().any(|one| one.contains("own")), "{protocol:?} {violations:?}");
        let sent = &server.requests()[0];
        assert!(sent.to_string().contains("900"), "{protocol:?} {sent}");
        assert_eq!(server.received()[0].header("x-own"), Some("h"));
    }
}

/// Current models refuse any, so that the program's own requests hold none.
#[tokio::test]
async fn a_temperature_goes_over_messages_only_where_a_person_wants_one() {
    for (wish, is_sent) in [(None, false), (Some(0.5), true)] {
        let server = Server::following(|_| Reply::text("Hi."));
        let mut endpoint = endpoint_of(&server, Protocol::Messages);
        endpoint.wishes.temperature = wish;
        let request = Request { temperature: Some(0.1), tools: None, ..request() };
        ask(&Client::new(endpoint).unwrap(), request).await;
        assert_eq!(server.requests()[0].get("temperature").is_some(), is_sent);
        server.take_violations();
    }
}

#[tokio::test]
async fn a_persons_own_field_that_is_refused_is_told_and_not_tried_for_ever() {
    for protocol in Protocol::ALL {
        let words = refused(protocol, "invalid_request_error", "Unknown parameter: 'tools'.");
        let server = Server::refusing("\"tools\"", Reply::status(400, &words));
        let mut endpoint = endpoint_of(&server, protocol);
        endpoint.fields.insert("tools".to_owned(), json!([]));
        let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
        assert!(answer.failure().to_string().contains("Unknown parameter"), "{protocol:?}");
        assert_eq!(server.requests().len(), 2, "{protocol:?}");
    }
}

/// The pieces of a prompt in the order in which a cache reads them, and whether it is marked to end there.
fn pieces(body: &Value) -> Vec<(Value, bool)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let turns = list(&body["messages"]).into_iter().chain(list(&body["input"]));
    let blocks = turns.flat_map(|turn| list(&turn["content"]));
    let all = list(&body["tools"]).into_iter().chain(list(&body["system"])).chain(blocks);
    let piece = |mut piece: Value| {
        let fields = piece.as_object_mut().unwrap();
        let marks = [fields.remove("cache_control"), fields.remove("prompt_cache_breakpoint")];
        (piece, marks.iter().any(Option::is_some))
    };
    all.map(piece).collect()
}

/// Two requests in a row, as the window makes them: behind what stays come the memory block and the newest words.
async fn two_in_a_row(protocol: Protocol, model: &str, provider: &str) -> [Vec<(Value, bool)>; 2] {
    let server = Server::following(|_| Reply::text("Hi."));
    let (model, provider) = (model.to_owned(), provider.to_owned());
    let endpoint = Endpoint { model, provider, ..endpoint_of(&server, protocol) };
    let client = Client::new(endpoint).unwrap();
    let mut request = windowed();
    ask(&client, request.clone()).await.complete();
    let newest = request.messages.pop().unwrap();
    let said = Message { memory: None, ..newest.clone() };
    let next = Message { content: "And close it.".into(), ..newest };
    request.messages.extend([said, Message::text(Role::Assistant, "It is."), next]);
    ask(&client, request).await.complete();
    let requests = server.requests();
    [pieces(&requests[0]), pieces(&requests[1])]
}

fn marked(pieces: &[(Value, bool)]) -> Vec<String> {
    let marked = pieces.iter().filter(|(_, is_marked)| *is_marked);
    let name =
        |piece: &Value| piece["text"].as_str().or(piece["name"].as_str()).unwrap().to_owned();
    marked.map(|(piece, _)| name(piece)).collect()
}

#[tokio::test]
async fn a_beginning_that_stays_is_marked_and_found_again_by_the_next_request() {
    let anthropic = two_in_a_row(Protocol::Messages, "claude-opus-5-5", "Anthropic").await;
    let last_tool = super::tools().as_array().unwrap().last().unwrap()["function"]["name"].clone();
    let last_tool = last_tool.as_str().unwrap();
    assert_eq!(marked(&anthropic[0]), [last_tool, "You help.", "Hello.", "Open it."]);
    assert_eq!(marked(&anthropic[1]), [last_tool, "You help.", "It is.", "And close it."]);
    let openai = two_in_a_row(Protocol::Responses, "gpt-6-luna", "OpenAI").await;
    assert_eq!(marked(&openai[0]), ["Hi"]);
    assert_eq!(marked(&openai[1]), ["Hi", "Open it."]);
    for [first, second] in [anthropic, openai] {
        // What was written at the mark before the newest words is read again: its beginning is the same, and the
        // next request has a mark there or, for those who look back, no more than twenty pieces behind.
        let bare = |pieces: &[(Value, bool)]| {
            pieces.iter().map(|(piece, _)| piece.clone()).collect::<Vec<_>>()
        };
        let newest = first.iter().rposition(|(piece, _)| piece["text"] == "Open it.").unwrap();
        let kept = first[..newest].iter().rposition(|(_, is_marked)| *is_marked).unwrap();
        assert_eq!(bare(&first[..=kept]), bare(&second[..=kept]));
        let behind = second[kept..].iter().position(|(_, is_marked)| *is_marked).unwrap();
        assert!(behind < 20, "{behind}");
    }
    // Models that end the cache by themselves, and servers that only speak the protocol, get none.
    for (model, provider) in [("gpt-5.5", "OpenAI"), ("gpt-6-luna", "a proxy")] {
        let [first, second] = two_in_a_row(Protocol::Responses, model, provider).await;
        assert!(marked(&first).is_empty() && marked(&second).is_empty(), "{model} at {provider}");
    }
}
