//! What a model refuses in a request is left out for that model alone, and no more of it than must be.

use ebbtide::llm::{Client, Endpoint, Message, Protocol, Request, Role, Thinking, ToolCall};
use serde_json::{Map, Value, json};

use super::dialects::{endpoint_of, refused, windowed};
use super::{ask, model, request};
use crate::support::server::{Reply, Server};

/// A request as it goes out in Chat Completions.
fn with_effort(model: Option<&str>) -> Request {
    Request { effort: Some(Thinking::High), model: model.map(str::to_owned), ..windowed() }
}

#[tokio::test]
async fn what_one_model_refuses_another_still_gets() {
    let server = Server::following(|request| {
        match (request["model"].as_str(), request.get("reasoning_effort")) {
            (Some("small"), Some(_)) => {
                Reply::status(400, "Unrecognized request argument supplied: reasoning_effort")
            }
            _ => Reply::text("Hello"),
        }
    });
    let client = model(&server);
    for name in [Some("small"), None, Some("small"), None] {
        assert_eq!(ask(&client, with_effort(name)).await.complete().text, "Hello", "{name:?}");
    }
    let sent = server.requests();
    let efforts: Vec<_> = sent.iter().map(|sent| sent["reasoning_effort"].as_str()).collect();
    assert_eq!(efforts, [Some("high"), None, Some("high"), None, Some("high")]);
    assert!(sent.iter().all(|sent| sent.get("tools").is_some()));
}

#[tokio::test]
async fn an_effort_is_left_out_where_nobody_knows_it_and_is_none_where_tools_want_that() {
    let unknown = "body.reasoning_effort: Extra inputs are not permitted";
    let beside =
        "Function tools with reasoning_effort are not supported. Set reasoning_effort to 'none'.";
    for (words, efforts) in [
        (unknown, vec![Some("high"), None, None]),
        (beside, vec![Some("high"), Some("none"), Some("none")]),
        // The word that tools want may be refused as well.
        (
            "reasoning_effort is no field of tool calls",
            vec![Some("high"), Some("none"), None, None],
        ),
    ] {
        let takes_none = words == beside;
        let server = Server::following(move |request| {
            let effort = request["reasoning_effort"].as_str();
            let takes = effort.is_none() || takes_none && effort == Some("none");
            if takes { Reply::text("Hello") } else { Reply::status(400, words) }
        });
        let client = model(&server);
        for _ in 0..2 {
            assert_eq!(ask(&client, with_effort(None)).await.complete().text, "Hello", "{words}");
        }
        let sent = server.requests();
        let sent: Vec<_> = sent.iter().map(|sent| sent["reasoning_effort"].as_str()).collect();
        assert_eq!(sent, efforts, "{words}");
    }
}

/// A server that takes no answer of 100,000 tokens, and says so.
fn too_long(words: &str) -> Server {
    let refusal = refused(Protocol::Messages, "invalid_request_error", words);
    Server::refusing("\"max_tokens\":100000", Reply::status(400, &refusal))
}

#[tokio::test]
async fn an_answer_is_asked_for_as_long_as_the_refusal_says_it_may_be() {
    for (words, lengths, told) in [
        (
            "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens",
            vec![100_000, 64_000, 64_000],
            "64,000",
        ),
        ("max_tokens is too large", vec![100_000, 50_000, 50_000], "50,000"),
    ] {
        let server = too_long(words);
        let mut endpoint = endpoint_of(&server, Protocol::Messages);
        endpoint.wishes.max_tokens = Some(100_000);
        let client = Client::new(endpoint).unwrap();
        let first = ask(&client, request()).await;
        assert!(first.notices()[0].contains(told), "{:?}", first.notices());
        assert_eq!(ask(&client, request()).await.complete().text, "Hello");
        let sent = server.requests();
        let sent: Vec<_> = sent.iter().filter_map(|sent| sent["max_tokens"].as_u64()).collect();
        assert_eq!(sent, lengths, "{words}");
    }
}

#[tokio::test]
async fn a_persons_own_length_that_is_refused_is_not_tried_for_ever() {
    let sum = "input length and `max_tokens` exceed context limit: 9000 + 100000 > 12000";
    for words in ["max_tokens is too large", sum] {
        let server = too_long(words);
        let mut endpoint = endpoint_of(&server, Protocol::Messages);
        endpoint.fields.insert("max_tokens".to_owned(), json!(100_000));
        assert!(ask(&Client::new(endpoint).unwrap(), request()).await.result.is_err());
        assert_eq!(server.requests().len(), 2, "{words}");
    }
}

#[tokio::test]
async fn thinking_that_nobody_signed_goes_back_until_a_server_wants_it_signed() {
    let thinks = |request: &Value| request["messages"].to_string().contains("I should look");
    let thought = json!({"type": "thinking", "thinking": "I should look", "signature": ""});
    let call = ToolCall {
        id: "a".to_owned(),
        name: "open_effort".to_owned(),
        arguments: "{}".to_owned(),
        extra: Map::new(),
    };
    let parts = json!([{"sealed": thought}, {"call": "a"}]);
    let blocks = json!({"of": "m", "parts": parts});
    let asked = Message {
        calls: vec![call],
        replay: Map::from_iter([("blocks".to_owned(), blocks)]),
        ..Message::text(Role::Assistant, "")
    };
    let messages = vec![Message::text(Role::User, "Look."), asked, Message::tool_result("a", "{}")];
    let round = |model: Option<&str>| Request {
        messages: messages.clone(),
        model: model.map(str::to_owned),
        ..request()
    };
    // The server of the tests signs what it thinks, and says so.
    let server = Server::following(|_| Reply::text("Hello"));
    let endpoint = endpoint_of(&server, Protocol::Messages);
    let client = Client::new(Endpoint { model: "m".to_owned(), ..endpoint }).unwrap();
    for model in [Some("another"), None, None] {
        assert_eq!(ask(&client, round(model)).await.complete().text, "Hello", "{model:?}");
    }
    assert!(server.take_violations()[0].contains("Invalid `signature`"));
    let sent: Vec<bool> = server.requests().iter().map(thinks).collect();
    assert_eq!(sent, [false, true, false, false], "only the model that thought it gets it back");
}

/// The second request of a turn, in which the model's own thought goes back before its call.
fn with_thought(thought: &Value) -> Request {
    let call = ToolCall {
        id: "a".to_owned(),
        name: "open_effort".to_owned(),
        arguments: "{}".to_owned(),
        extra: Map::new(),
    };
    let blocks = json!({"of": "m", "parts": [{"sealed": thought}, {"call": "a"}]});
    let asked = Message {
        calls: vec![call],
        replay: Map::from_iter([("blocks".to_owned(), blocks)]),
        ..Message::text(Role::Assistant, "")
    };
    let said = [Message::text(Role::System, "You help."), Message::text(Role::User, "Look.")];
    let messages = said.into_iter().chain([asked, Message::tool_result("a", "{}")]).collect();
    Request { messages, ..request() }
}

#[tokio::test]
async fn thoughts_that_a_server_does_not_know_again_stay_away() {
    let signed = json!({"type": "thinking", "thinking": "I should look",
        "signature": "signed:I should look"});
    let sealed =
        json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"});
    for (protocol, thought, is_there, kind, words) in [
        (
            Protocol::Messages,
            signed,
            "\"signature\"",
            "invalid_request_error",
            "messages.1.content.0: Invalid `signature` in `thinking` block",
        ),
        (
            Protocol::Responses,
            sealed,
            "\"encrypted_content\"",
            "invalid_encrypted_content",
            "The encrypted content for item rs_1 could not be verified.",
        ),
    ] {
        let refusal = Reply::status(400, &refused(protocol, kind, words));
        let server = Server::refusing(is_there, refusal);
        let endpoint = endpoint_of(&server, protocol);
        let client = Client::new(Endpoint { model: "m".to_owned(), ..endpoint }).unwrap();
        let first = ask(&client, with_thought(&thought)).await;
        assert!(first.notices()[0].contains("thinks anew"), "{protocol:?}: {first:?}");
        assert_eq!(first.complete().text, "Hello", "{protocol:?}");
        assert_eq!(ask(&client, with_thought(&thought)).await.complete().text, "Hello");
        let sent = server.requests();
        let sent: Vec<bool> = sent.iter().map(|sent| sent.to_string().contains(is_there)).collect();
        assert_eq!(sent, [true, false, false], "{protocol:?}");
    }
}

#[tokio::test]
async fn a_model_that_decides_itself_how_long_it_thinks_is_let_to() {
    let words = "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \
                 \"output_config.effort\" to control thinking behavior.";
    let refusal = Reply::status(400, &refused(Protocol::Messages, "invalid_request_error", words));
    let server = Server::refusing("\"enabled\"", refusal);
    let endpoint = endpoint_of(&server, Protocol::Messages);
    let client = Client::new(Endpoint { model: "m".to_owned(), ..endpoint }).unwrap();
    let hard = || Request { effort: Some(Thinking::High), ..request() };
    let first = ask(&client, hard()).await;
    assert!(first.notices()[0].contains("only how hard"), "{first:?}");
    assert_eq!(ask(&client, hard()).await.complete().text, "Hello");
    let sent = server.requests();
    let sent: Vec<_> = sent
        .iter()
        .map(|sent| (sent["thinking"]["type"].as_str(), sent["output_config"]["effort"].as_str()))
        .collect();
    let adapts = (Some("adaptive"), Some("high"));
    assert_eq!(sent, [(Some("enabled"), None), adapts, adapts]);
}

#[tokio::test]
async fn an_answer_is_asked_for_within_what_its_prompt_leaves() {
    let words = "input length and `max_tokens` exceed context limit: 9000 + 8192 > 12000, decrease input length or \
                 `max_tokens` and try again";
    let refusal = refused(Protocol::Messages, "invalid_request_error", words);
    let server = Server::refusing("\"max_tokens\":8192", Reply::status(400, &refusal));
    let client = Client::new(endpoint_of(&server, Protocol::Messages)).unwrap();
    let first = ask(&client, request()).await;
    assert_eq!(
        first.notices(),
        ["Prompt and answer share 12,000 tokens, so the answer may have 2,718."]
    );
    assert_eq!(ask(&client, request()).await.complete().text, "Hello");
    let sent = server.requests();
    let sent: Vec<_> = sent.iter().filter_map(|sent| sent["max_tokens"].as_u64()).collect();
    assert_eq!(sent, [8_192, 2_718, 2_718]);
}

#[tokio::test]
async fn a_prompt_that_leaves_next_to_nothing_is_too_long() {
    let words = "input length and `max_tokens` exceed context limit: 11900 + 8192 > 12000";
    let refusal = refused(Protocol::Messages, "invalid_request_error", words);
    let server = Server::replying([Reply::status(400, &refusal)]);
    let client = Client::new(endpoint_of(&server, Protocol::Messages)).unwrap();
    let answer = ask(&client, request()).await;
    assert_eq!(answer.failure().takes(), Some(12_000), "{answer:?}");
}
