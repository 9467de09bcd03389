//! The client against servers that are broken or mean harm: each ends with a sentence, within its bounds.

use std::time::Duration;

use ebbtide::llm::{Client, Endpoint, Error, Event, Secret, Timeouts};

use super::{Answer, answer_to, ask, endpoint, request};
use crate::support::server::{Reply, Server, content};

const MIB: usize = 1024 * 1024;

fn assert_too_large(answer: &Answer, expected: &str, name: &str) {
    let told = matches!(answer.failure(), Error::TooLarge { what, .. } if what.contains(expected));
    assert!(told, "{name}: {:?}", answer.failure());
}

#[tokio::test]
async fn what_has_no_end_is_refused_at_its_bound() {
    let cases = [
        ("text", Reply::endless_text(), "2 MiB of text"),
        ("reasoning", Reply::endless_reasoning("reasoning_content"), "4 MiB of reasoning"),
        ("reasoning sealed", Reply::endless_reasoning("reasoning_details"), "4 MiB of reasoning"),
        ("white space", Reply::endless_space(), "2 MiB of text"),
        ("a line", Reply::endless_line(), "8 MiB without a break"),
        ("a document", Reply::endless_document(), "8 MiB without a break"),
        ("an event", Reply::endless_event(), "8 MiB without a break"),
        ("arguments", Reply::endless_arguments("remember"), "2 MiB of arguments"),
        ("a name", Reply::endless_name(), "name has more than 256 bytes"),
        ("pieces", Reply::endless_fragments(), "more than 131072 pieces"),
        ("beginnings", Reply::calls_that_begin_for_ever(), "MiB of arguments"),
        ("calls", Reply::many_calls(20_000), "more than 256 tool calls"),
    ];
    for (name, reply, expected) in cases {
        let answer = answer_to(reply).await;
        assert_too_large(&answer, expected, name);
        assert!(answer.shown().len() <= 2 * MIB, "{name}");
        let is_reasoning = |event: &&Event| matches!(event, Event::Reasoning(_));
        let reasoning = answer.events.iter().filter(is_reasoning).map(|event| match event {
            Event::Reasoning(text) => text.len(),
            _ => 0,
        });
        assert!(reasoning.sum::<usize>() <= 4 * MIB, "{name}");
    }
}

#[tokio::test]
async fn what_is_large_but_has_an_end_is_read() {
    let text = "All of it stays. ".repeat(100_000);
    assert_eq!(answer_to(Reply::answer(vec![content(&text)], "stop")).await.complete().text, text);
    assert_eq!(answer_to(Reply::many_calls(200)).await.complete().calls.len(), 200);
    assert_eq!(answer_to(Reply::many_choices(10_000)).await.complete().text, "x");
}

#[tokio::test]
async fn lists_within_lists_are_no_answer() {
    let answer = answer_to(Reply::deep_nesting()).await;
    assert!(matches!(answer.failure(), Error::Unreadable { .. }), "{:?}", answer.failure());
}

/// The answer of a client that waits only so long for words.
async fn impatient(reply: Reply) -> Answer {
    let server = Server::replying([reply]);
    let mut endpoint = endpoint(&server);
    endpoint.timeouts.keepalive_only = Duration::from_millis(60);
    ask(&Client::new(endpoint).unwrap(), request()).await
}

#[tokio::test]
async fn events_that_say_nothing_do_not_hold_a_request_for_ever() {
    for event in [
        ": still here\n\n",
        "data:\n\n",
        "data: {}\n\n",
        "data: still here\n\n",
        "data: {\"choices\":[]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}],\"usage\":{\"prompt_tokens\":1}}\n\n",
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0}]}}]}\n\n",
        "x",
    ] {
        let answer = impatient(Reply::endless_nothing(event)).await;
        let told = matches!(answer.failure(), Error::Timeout { missing: "only keep-alives", .. });
        assert!(told, "{event}: {:?}", answer.failure());
    }
    let answer = impatient(Reply::endless_halves()).await;
    assert!(matches!(answer.failure(), Error::Timeout { .. }), "{:?}", answer.failure());
}

#[tokio::test]
async fn headers_without_end_are_refused() {
    let server = Server::replying([Reply::endless_head()]);
    let mut endpoint = endpoint(&server);
    endpoint.retries.attempts = 1;
    let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
    assert!(matches!(answer.failure(), Error::Connect { .. }), "{:?}", answer.failure());
}

#[tokio::test]
async fn a_failure_whose_text_trickles_is_told_with_what_came() {
    let server = Server::replying([Reply::trickling_failure(400)]);
    let mut endpoint = endpoint(&server);
    endpoint.timeouts.silence = Duration::from_millis(60);
    let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
    let told =
        matches!(answer.failure(), Error::Status { message, .. } if message.starts_with("busy"));
    assert!(told, "{:?}", answer.failure());
}

#[tokio::test]
async fn a_list_of_models_has_bounds_in_bytes_and_time() {
    let server = Server::start();
    let timeouts = Timeouts { connect: Duration::from_millis(500), ..endpoint(&server).timeouts };
    let model = Client::new(Endpoint { timeouts, ..endpoint(&server) }).unwrap();
    server.answer_models_with(Reply::raw("").forever(&"[".repeat(60_000), Duration::ZERO));
    let error = model.list_models().await.unwrap_err().to_string();
    assert!(error.contains("more than 4 MiB as its list of models"), "{error}");
    server.answer_models_with(Reply::raw("[\"a\",").forever(" ", Duration::from_millis(5)));
    let error = model.list_models().await.unwrap_err().to_string();
    assert!(error.contains("an unfinished list of models for 1 second"), "{error}");
    let long = "n".repeat(10_000);
    server.answer_models_with(Reply::json(&serde_json::json!([long, "short"])));
    assert_eq!(model.list_models().await.unwrap(), ["short"]);
}

#[tokio::test]
async fn the_key_goes_to_its_own_host_alone() {
    let other = Server::start();
    let target = format!("{}/chat/completions", other.base_url());
    for status in [301, 302, 303, 307, 308] {
        let server = Server::replying([Reply::status(status, "").header("location", &target)]);
        let endpoint = Endpoint { api_key: Some(Secret::new("sk-12345678")), ..endpoint(&server) };
        let answer = ask(&Client::new(endpoint).unwrap(), request()).await;
        assert!(answer.failure().to_string().contains("it has moved to"), "{answer:?}");
    }
    assert!(other.received().is_empty(), "{:?}", other.received());
}

#[tokio::test]
async fn nothing_is_unpacked() {
    // The beginning of a gzip stream of a great many zeros.
    let packed = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0; 4096]].concat();
    let packed = Reply::raw(packed);
    for reply in [packed.clone().header("content-encoding", "gzip"), packed] {
        let server = Server::replying([reply]);
        let answer = ask(&Client::new(endpoint(&server)).unwrap(), request()).await;
        let failure = answer.failure();
        assert!(matches!(failure, Error::Compressed { .. }), "{failure:?}");
        assert!(failure.to_string().contains("a compressed answer (gzip)"), "{failure}");
        assert_eq!(server.received()[0].header("accept-encoding"), None);
    }
    let refusal = Reply::status(400, "\u{1f}\u{8b}x").header("content-encoding", "br");
    let server = Server::replying([refusal]);
    let answer = ask(&Client::new(endpoint(&server)).unwrap(), request()).await;
    assert!(answer.failure().to_string().contains("compressed (br)"), "{:?}", answer.failure());
}
