//! Time-outs, cancelling, and waiting for slow servers.

use std::time::Duration;

use ebbtide::llm::{Client, Error, Event, Model, Protocol};
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::{Answer, ask, endpoint, model, request};
use crate::support::server::{Reply, Server, content};

const SHORT: Duration = Duration::from_millis(60);

/// The answer of a client that has little patience for one thing.
async fn impatient(reply: Reply, shorten: impl Fn(&mut ebbtide::llm::Timeouts)) -> Answer {
    let server = Server::replying([reply]);
    let mut endpoint = endpoint(&server);
    shorten(&mut endpoint.timeouts);
    let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
    assert_eq!(server.requests().len(), 1, "a time-out was repeated");
    answer
}

fn missing(answer: &Answer) -> &'static str {
    match answer.failure() {
        Error::Timeout { missing, waited, .. } => {
            assert_eq!(*waited, SHORT);
            missing
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn silence_before_the_first_byte_ends_the_request() {
    let no_head = Reply::text("late").after(Duration::from_secs(60));
    let answer = impatient(no_head, |timeouts| timeouts.first_byte = SHORT).await;
    assert_eq!(missing(&answer), "no answer");
    let answer = impatient(Reply::raw("").hang(), |timeouts| timeouts.first_byte = SHORT).await;
    assert_eq!(missing(&answer), "no answer");
}

#[tokio::test]
async fn silence_in_the_middle_ends_the_request_and_keeps_the_text() {
    let reply = Reply::chunks([content("Hello <thi")]).hang();
    let answer = impatient(reply, |timeouts| timeouts.silence = SHORT).await;
    assert_eq!((missing(&answer), answer.shown().as_str()), ("no data", "Hello <thi"));
}

#[tokio::test]
async fn keep_alives_without_content_do_not_hold_a_request_for_ever() {
    let pings = Duration::from_millis(5);
    let before = Reply::raw("").forever(": keep-alive\n\n", pings);
    let answer = impatient(before, |timeouts| timeouts.keepalive_only = SHORT).await;
    assert_eq!(missing(&answer), "only keep-alives");
    let after = Reply::chunks([content("Hello")]).forever("\n", pings);
    let answer = impatient(after, |timeouts| timeouts.keepalive_only = SHORT).await;
    assert_eq!((missing(&answer), answer.shown().as_str()), ("only keep-alives", "Hello"));
}

#[tokio::test]
async fn keep_alives_hold_a_request_longer_than_silence_would() {
    let pinged = (0..40).fold(Reply::raw(""), |reply, _| reply.pause(SHORT / 4).then(": ping\n\n"));
    let reply = pinged.then_all(Reply::text("Hello"));
    let answer = impatient(reply, |timeouts| timeouts.silence = SHORT * 7).await;
    assert_eq!(answer.complete().text, "Hello");
}

#[tokio::test]
async fn late_headers_are_waited_for() {
    let reply = Reply::text("Hello").after(SHORT * 8);
    let answer = impatient(reply, |timeouts| timeouts.silence = SHORT * 4).await;
    assert_eq!(answer.complete().text, "Hello");
}

#[tokio::test]
async fn a_connection_left_open_after_the_finish_does_not_hold_the_answer() {
    let finish = serde_json::json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let finished = Reply::chunks([content("Hello"), finish]);
    let pings = Duration::from_millis(5);
    for reply in [finished.clone().hang(), finished.forever(": ping\n\n", pings)] {
        let answer = impatient(reply, |timeouts| timeouts.silence = SHORT * 4).await;
        assert_eq!(answer.complete().text, "Hello");
    }
}

#[tokio::test]
async fn dropping_the_stream_hangs_up() {
    let server = Server::replying([Reply::chunks([content("Hello")]).hang()]);
    let mut stream = model(&server).stream(request());
    assert_eq!(stream.next().await, Some(Ok(Event::Text("Hello".to_owned()))));
    drop(stream);
    server.wait_for_hang_ups(1).await;
}

#[tokio::test]
async fn dropping_the_stream_before_any_answer_hangs_up() {
    let server = Server::replying([Reply::text("late").after(Duration::from_secs(60))]);
    let mut stream = model(&server).stream(request());
    tokio::select! {
        item = stream.next() => panic!("{item:?}"),
        () = server.wait_for_requests(1) => {}
    }
    drop(stream);
    server.wait_for_hang_ups(1).await;
}

#[tokio::test]
async fn dropping_the_stream_ends_the_wait_for_another_attempt() {
    let busy = Reply::status(429, "busy").header("retry-after", "0.1");
    let server = Server::replying([busy, Reply::text("Hello")]);
    let mut stream = model(&server).stream(request());
    let event = stream.next().await;
    let Some(Ok(Event::Retrying { attempt: 2, wait, .. })) = event else { panic!("{event:?}") };
    drop(stream);
    // Whatever still waited would have asked by then, and taken the answer that is there for this request.
    tokio::time::sleep(wait * 3).await;
    let answer = ask(&model(&server), request()).await;
    assert_eq!((answer.complete().text.as_str(), server.requests().len()), ("Hello", 2));
}

#[tokio::test]
async fn text_is_shown_as_it_comes() {
    let server = Server::replying([Reply::chunks([content("Hello")]).hang()]);
    let mut stream = model(&server).stream(request());
    // The answer never ends, and yet its beginning is here.
    assert_eq!(stream.next().await, Some(Ok(Event::Text("Hello".to_owned()))));
}

#[tokio::test]
async fn a_message_that_says_why_it_stops_is_whole_without_its_end() {
    let event =
        |event: Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    let events = [
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "All said."}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
    ];
    let body = events.map(event).concat();
    for reply in [
        Reply::raw(&body).untranslated(),
        Reply::raw(&body).untranslated().cut(),
        Reply::raw(&body).untranslated().hang(),
    ] {
        let server = Server::replying([reply]);
        let mut endpoint = endpoint(&server);
        endpoint.protocol = Protocol::Messages;
        endpoint.timeouts.silence = SHORT;
        let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
        assert_eq!(answer.complete().text, "All said.");
    }
}
