//! Framing, chunk shapes, text, reasoning, the end of a stream, usage.

use ebbtide::llm::{Error, FinishReason, Usage};
use serde_json::{Value, json};

use super::answer_to;
use crate::support::server::{Reply, chunk, content};

const STOP: &str = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const HELLO: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"}}]}\n\n";

/// Each reply must show, and be, this text, and end of its own accord.
async fn check(cases: Vec<(&str, Reply, &str)>) {
    for (name, reply, text) in cases {
        let answer = answer_to(reply).await;
        assert_eq!(answer.shown(), text, "{name}");
        let completion = answer.complete();
        assert_eq!(
            (completion.text.as_str(), completion.finish),
            (text, FinishReason::Stop),
            "{name}"
        );
    }
}

/// A stream of these chunks that ends as it should.
fn stopped(chunks: Vec<Value>) -> Reply {
    Reply::answer(chunks, "stop")
}

#[tokio::test]
async fn every_framing_gives_the_same_text() {
    let wide = "naïve 日本語 🙂 e\u{301}";
    let both = format!("{HELLO}{STOP}");
    let commented = format!(": P\n\n: P\n\n{HELLO}:\n\n{STOP}: ping\ndata: [DONE]\n\n");
    let plain_text = Reply::raw(&both).header("content-type", "text/plain");
    check(vec![
        ("as documented", Reply::text("Hello there."), "Hello there."),
        ("one chunk a character", Reply::text_by_character(wide), wide),
        ("5 one write a byte", Reply::text(wide).by_byte(), wide),
        ("1 comments", Reply::raw(commented), "Hello"),
        ("3 no space", Reply::raw(both.replace("data: ", "data:")), "Hello"),
        ("4 CRLF", Reply::raw(both.replace('\n', "\r\n")).by_byte(), "Hello"),
        ("6 empty data", Reply::raw(format!("data:\n\ndata: \n\n\n\n{both}")), "Hello"),
        ("9 no end mark", Reply::raw(&both), "Hello"),
        ("no finish reason", Reply::raw(format!("{HELLO}data: [DONE]\n\n")), "Hello"),
        ("no blank lines", Reply::raw(both.replace("\n\n", "\n")), "Hello"),
        ("a wrong content type", plain_text, "Hello"),
        ("words between", Reply::raw(format!("data: keep-alive\n\n{both}")), "Hello"),
        ("a broken end after the finish", Reply::raw(&both).cut(), "Hello"),
    ])
    .await;
}

#[tokio::test]
async fn whole_completions_are_read_as_well() {
    let message = json!({"role": "assistant", "content": "Hello"});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    let whole = json!({"choices": [choice]});
    check(vec![
        ("12 a whole completion", Reply::json(&whole), "Hello"),
        ("12 as a stream's only chunk", Reply::chunks([whole.clone()]), "Hello"),
        ("13 after blank lines", Reply::raw(format!("\n\n  \n{whole}")), "Hello"),
    ])
    .await;
}

#[tokio::test]
async fn absent_and_null_fields_are_nothing() {
    let filters = json!({"choices": [], "id": "", "prompt_filter_results": []});
    let moderation = json!({"choices": [], "moderation": {}});
    let no_delta = json!({"choices": [{"delta": null}]});
    let no_fields = json!({"choices": [{}]});
    let nulls = json!({
        "content": "Hello", "role": null, "tool_calls": null, "function_call": null, "refusal": null,
    });
    let empty = json!({"content": null, "tool_calls": [], "role": ""});
    let between = vec![content("Hel"), moderation, content("lo")];
    check(vec![
        ("15 first chunk", stopped(vec![filters, content("Hello")]), "Hello"),
        ("16 in between", stopped(between), "Hello"),
        ("18 delta", stopped(vec![no_delta, no_fields, content("Hello")]), "Hello"),
        ("19 fields", stopped(vec![chunk(nulls), chunk(empty)]), "Hello"),
    ])
    .await;
}

#[tokio::test]
async fn text_is_read_from_every_place() {
    let thinking = json!({"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]});
    let parts = json!([thinking, {"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]);
    let finish =
        |text: &str| json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]});
    let second = json!({"choices": [{"index": 1, "delta": {"content": "No"}}]});
    let second_end = json!({"choices": [{"index": 1, "delta": {}, "finish_reason": "length"}]});
    let twice = Reply::chunks([finish("Hello"), finish("")]).then("data: [DONE]\n\n");
    check(vec![
        ("20 parts", stopped(vec![chunk(json!({"content": parts}))]), "Hello"),
        ("22 the last chunk", Reply::chunks([finish("Hello")]), "Hello"),
        ("23 finished twice", twice, "Hello"),
        (
            "27 the first answer of two",
            stopped(vec![second, content("Hello"), second_end]),
            "Hello",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_refusal_is_shown_as_text_and_known_as_one() {
    let part = json!({"content": [{"type": "refusal", "refusal": "I cannot."}]});
    for delta in [json!({"refusal": "I cannot."}), part] {
        let answer = answer_to(stopped(vec![chunk(delta)])).await;
        assert_eq!(answer.shown(), "I cannot.");
        let completion = answer.complete();
        assert_eq!((&*completion.text, completion.finish), ("I cannot.", FinishReason::Refusal));
    }
}

#[tokio::test]
async fn half_characters_are_joined_or_replaced() {
    let [first, second] =
        ["Hello \\ud83d", "\\ude42 \\udead"].map(|text| HELLO.replace("Hello", text));
    let reply = Reply::raw(format!("{first}{second}{STOP}"));
    check(vec![("26", reply, "Hello 🙂 \u{fffd}")]).await;
}

#[tokio::test]
async fn reasoning_is_shown_apart_wherever_it_is_sent() {
    let thinking = |field: &str| {
        Reply::answer(
            vec![chunk(json!({field: "a "})), chunk(json!({field: "b"})), content("c")],
            "stop",
        )
    };
    let cases = vec![
        ("29 reasoning_content", thinking("reasoning_content"), "a b", "c"),
        ("29 reasoning", thinking("reasoning"), "a b", "c"),
        ("31 tags", Reply::text_by_character("<think>a b</think>\n\nc"), "a b", "c"),
        (
            "31 tags in one chunk",
            Reply::answer(vec![content("<think>a b</think>c")], "stop"),
            "a b",
            "c",
        ),
        ("31 no opening tag", Reply::text_by_character("a b\n</think>\n\nc"), "a b", "c"),
        ("31 not closed", Reply::text("<think>a b"), "a b", ""),
        (
            "32 reasoning after content",
            Reply::answer(vec![content("c"), chunk(json!({"reasoning": "a b"}))], "stop"),
            "a b",
            "c",
        ),
        (
            "32 reasoning alone",
            Reply::answer(vec![chunk(json!({"reasoning": "a b"}))], "stop"),
            "a b",
            "",
        ),
    ];
    for (name, reply, reasoning, text) in cases {
        let completion = answer_to(reply).await.complete();
        assert_eq!(
            (completion.reasoning.as_str(), completion.text.as_str()),
            (reasoning, text),
            "{name}"
        );
    }
}

#[tokio::test]
async fn an_end_is_told_from_a_cut() {
    let finishes = [
        ("stop", FinishReason::Stop),
        ("eos", FinishReason::Stop),
        ("end_turn", FinishReason::Stop),
        ("tool_calls", FinishReason::Stop),
        ("length", FinishReason::Length),
        ("content_filter", FinishReason::ContentFilter),
        ("load", FinishReason::Other("load".to_owned())),
        ("a\u{1b}[2J b", FinishReason::Other("a b".to_owned())),
    ];
    for (word, finish) in finishes {
        let completion = answer_to(Reply::answer(vec![content("Hello")], word)).await.complete();
        assert_eq!(completion.finish, finish, "{word}");
    }
    let failed = answer_to(Reply::answer(vec![content("Hello")], "error")).await;
    assert!(matches!(failed.failure(), Error::MidStream { .. }), "{failed:?}");
    assert_eq!(failed.shown(), "Hello");
    let cuts = [
        ("10 the body ends in order", Reply::chunks([content("Hello")])),
        (
            "73 an empty chunk, then the end",
            Reply::chunks([content("Hello"), json!({"choices": []})]),
        ),
        (
            "75 in the middle of a chunk",
            Reply::chunks([content("Hello")]).then("data: {\"cho").cut(),
        ),
        (
            "inside a character",
            Reply::chunks([content("Hello")])
                .then(b"data: {\"choices\":[{\"delta\":{\"content\":\"\xf0\x9f")
                .cut(),
        ),
        ("JSON that breaks off", Reply::raw("{\"choices\":[{\"message\":{\"con")),
    ];
    for (name, reply) in cuts {
        let answer = answer_to(reply).await;
        assert!(matches!(answer.failure(), Error::Cut { .. }), "{name}: {answer:?}");
        if !name.starts_with("JSON") {
            assert_eq!(answer.shown(), "Hello", "{name}");
        }
    }
}

#[tokio::test]
async fn an_empty_answer_is_a_failure_that_says_so() {
    let cases = [
        ("11 no body", Reply::raw("")),
        ("only blank lines", Reply::raw("\n\n\n")),
        ("only comments", Reply::raw(": ping\n\n: ping\n\n")),
        ("only the end mark", Reply::raw("data: [DONE]\n\n")),
        ("a finish without anything", Reply::answer(vec![], "stop")),
        (
            "a completion without text",
            Reply::json(&json!({"choices": [{"message": {"content": null}}]})),
        ),
    ];
    for (name, reply) in cases {
        let answer = answer_to(reply).await;
        assert!(matches!(answer.failure(), Error::Empty { .. }), "{name}: {answer:?}");
    }
    let filtered = answer_to(Reply::answer(vec![], "content_filter")).await.complete();
    assert_eq!(filtered.finish, FinishReason::ContentFilter);
}

#[tokio::test]
async fn what_is_no_answer_is_a_failure_that_shows_it() {
    let cases = [
        ("a page", Reply::raw("<!doctype html><title>Sign in</title>"), "Sign in"),
        ("words", Reply::raw("Internal Server Error"), "Internal Server Error"),
        ("another JSON", Reply::json(&json!({"models": []})), "models"),
        ("broken JSON in the stream", Reply::raw("data: {\"choices\":[}\n\n"), "choices"),
    ];
    for (name, reply, shown) in cases {
        let answer = answer_to(reply).await;
        let is_shown =
            matches!(answer.failure(), Error::Unreadable { detail, .. } if detail.contains(shown));
        assert!(is_shown, "{name}: {answer:?}");
    }
    // Who sent half an answer speaks the protocol.
    let torn = Reply::chunks([content("Half an")]).then("data: {\"choices\":[}\n\n");
    let answer = answer_to(torn).await;
    let failure = answer.failure();
    assert!(matches!(failure, Error::Garbled { detail, .. } if detail.contains("choices")));
    assert_eq!((&*answer.shown(), &*failure.advice()), ("Half an", "Send again."), "{answer:?}");
}

#[tokio::test]
async fn usage_is_taken_from_wherever_it_comes_last() {
    let usage = |prompt: u64| json!({"prompt_tokens": prompt, "completion_tokens": 2});
    let plain = Some(Usage { prompt: 7, completion: 2, cached: None, written: 0, hour: None });
    let finish = json!({"delta": {}, "finish_reason": "stop"});
    let with_choice_usage = json!({"delta": {}, "finish_reason": "stop", "usage": usage(7)});
    let cases = vec![
        (
            "54 own chunk after the finish",
            vec![json!({"choices": [finish]}), json!({"choices": [], "usage": usage(7)})],
            plain,
        ),
        ("55 finish chunk", vec![json!({"choices": [finish], "usage": usage(7)})], plain),
        (
            "56 extra chunk with choices",
            vec![
                json!({"choices": [finish]}),
                json!({"choices": [{"index": 0, "delta": {}}], "usage": usage(7)}),
            ],
            plain,
        ),
        ("57 in the choice", vec![json!({"choices": [with_choice_usage]})], plain),
        (
            "58 in every chunk, zeros first and last",
            vec![
                json!({"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}),
                json!({"choices": [], "usage": usage(3)}),
                json!({"choices": [finish], "usage": usage(7)}),
                json!({"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}),
            ],
            plain,
        ),
        (
            "55 Groq's own field",
            vec![json!({"choices": [finish], "x_groq": {"usage": usage(7)}})],
            plain,
        ),
        ("60 never", vec![json!({"choices": [finish], "usage": null})], None),
    ];
    for (name, chunks, expected) in cases {
        let chunks = std::iter::once(content("Hello")).chain(chunks);
        let completion = answer_to(Reply::chunks(chunks)).await.complete();
        assert_eq!(completion.usage, expected, "{name}");
    }
}

#[tokio::test]
async fn a_message_beside_an_empty_delta_is_the_answer_unless_it_came_already() {
    let choice = |delta: serde_json::Value| {
        serde_json::json!({"choices": [{
            "index": 0, "delta": delta, "message": {"content": "Hello"}, "finish_reason": "stop",
        }]})
    };
    let empty = || choice(serde_json::json!({}));
    for chunks in [vec![empty()], vec![content("Hello"), empty()]] {
        let answer = answer_to(Reply::chunks(chunks)).await;
        assert_eq!(
            (answer.shown(), answer.complete().text),
            ("Hello".to_owned(), "Hello".to_owned())
        );
    }
}
