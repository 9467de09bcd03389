//! Tool calls: from the stream to the completion, and back to the server.

use std::time::Duration;

use ebbtide::llm::{Event, FinishReason, Message, Role};
use serde_json::{Value, json};

use super::{answer_to, ask, model, request};
use crate::support::server::{CallStyle, Reply, Server, chunk, content};

#[tokio::test]
async fn calls_arrive_whole_in_every_style() {
    let calls = [
        ("open_effort", json!({"name": "auth \"bug\""})),
        ("search_efforts", json!({"query": "é"})),
    ];
    for style in CallStyle::ALL {
        let answer = answer_to(Reply::calls_in(style, &calls)).await;
        let expected = if style == CallStyle::OldForm { &calls[..1] } else { &calls[..] };
        let started: Vec<&Event> = answer
            .events
            .iter()
            .filter(|event| matches!(event, Event::ToolCallStarted { .. }))
            .collect();
        assert_eq!(started.len(), expected.len(), "{style:?}");
        let completion = answer.complete();
        let found: Vec<(&str, Value)> = completion
            .calls
            .iter()
            .map(|call| (call.name.as_str(), serde_json::from_str(&call.arguments).unwrap()))
            .collect();
        assert_eq!(found, expected, "{style:?}");
        assert_eq!(completion.finish, FinishReason::ToolCalls, "{style:?}");
        let mut ids: Vec<&str> = completion.calls.iter().map(|call| call.id.as_str()).collect();
        ids.dedup();
        assert_eq!(ids.len(), expected.len(), "{style:?}");
        assert!(ids.iter().all(|id| !id.is_empty()), "{style:?}");
        let invented = matches!(style, CallStyle::NoId | CallStyle::OldForm);
        assert!(!invented || ids.iter().all(|id| id.len() == 9), "{style:?}: {ids:?}");
    }
}

#[tokio::test]
async fn the_finish_reason_follows_from_what_came() {
    let call = chunk(
        json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x"}}]}),
    );
    let cases = [
        ("48 stop although calls came", vec![call.clone()], "stop", FinishReason::ToolCalls, 1),
        (
            "48 tool_calls although none came",
            vec![content("x")],
            "tool_calls",
            FinishReason::Stop,
            0,
        ),
        ("47 cut by length", vec![call.clone()], "length", FinishReason::Length, 1),
        (
            "49 text after a call",
            vec![call, content("x")],
            "tool_calls",
            FinishReason::ToolCalls,
            1,
        ),
    ];
    for (name, chunks, finish, expected, count) in cases {
        let completion = answer_to(Reply::answer(chunks, finish)).await.complete();
        assert_eq!((completion.finish, completion.calls.len()), (expected, count), "{name}");
        if count == 1 {
            assert_eq!(completion.calls[0].arguments, "{\"x", "{name}");
        }
    }
}

#[tokio::test]
async fn text_and_calls_of_one_answer_are_both_there() {
    let server = Server::start();
    server.push(Reply::text_and_calls("One moment.", &[("open_effort", json!({"name": "x"}))]));
    server.push(
        Reply::calls(&[("open_effort", json!({"name": "y"}))]).slowly(Duration::from_millis(1)),
    );
    let model = model(&server);
    for (text, arguments) in [("One moment.", "{\"name\":\"x\"}"), ("", "{\"name\":\"y\"}")] {
        let answer = ask(&model, request()).await;
        let started = Event::ToolCallStarted { name: "open_effort".to_owned() };
        assert_eq!(answer.events.last(), Some(&started));
        let completion = answer.complete();
        assert_eq!(
            (completion.text.as_str(), completion.calls[0].arguments.as_str()),
            (text, arguments)
        );
    }
    assert_eq!(server.replies_left(), 0);
}

#[tokio::test]
async fn a_cut_stream_gives_no_calls() {
    let whole = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]});
    let answer = answer_to(Reply::chunks([content("Text"), chunk(whole)]).cut()).await;
    assert_eq!(answer.shown(), "Text");
    assert!(answer.result.is_err());
}

#[tokio::test]
async fn a_turn_with_calls_goes_back_as_strict_servers_want_it() {
    let details = json!([{"type": "reasoning.text", "index": 0, "text": "hm", "signature": "s"}]);
    let call = json!({"index": 0, "function": {"name": "open_effort<|channel|>x", "arguments": ""},
        "extra_content": {"google": {"thought_signature": "t"}}});
    let reply = Reply::answer(
        vec![
            chunk(json!({"reasoning": "hm", "reasoning_details": details})),
            chunk(json!({"tool_calls": [call]})),
        ],
        "tool_calls",
    );
    let server = Server::replying([reply, Reply::text("Done.")]);
    let model = model(&server);

    let mut request = request();
    let completion = ask(&model, request.clone()).await.complete();
    let id = completion.calls[0].id.clone();
    let mut assistant = Message::text(Role::Assistant, completion.text);
    assistant.calls = completion.calls;
    assistant.replay = completion.replay;
    request.messages.extend([assistant, Message::tool_result(&id, "{\"ok\":true}")]);
    assert_eq!(ask(&model, request).await.complete().text, "Done.");

    let sent = &server.requests()[1]["messages"];
    assert_eq!(
        sent[2],
        json!({
            "role": "assistant", "content": "", "reasoning": "hm", "reasoning_details": details,
            "tool_calls": [{"id": id, "type": "function", "extra_content": {"google": {"thought_signature": "t"}},
                "function": {"name": "open_effort", "arguments": "{}"}}],
        })
    );
    assert_eq!(sent[3], json!({"role": "tool", "content": "{\"ok\":true}", "tool_call_id": id}));
}
