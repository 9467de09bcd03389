//! The protocols beside Chat Completions: each stream in every framing and cut at every byte, its errors, and
//! what goes back.

use ebbtide::llm::{Completion, Ended, Error, Event, FinishReason, Protocol, Usage, replay_as};
use serde_json::{Value, json};

/// A protocol with an answer in it that has everything in it that can be cut in the wrong place: reasoning, text,
/// a call.
struct Spoken {
    protocol: Protocol,
    /// Each event as its server writes it.
    events: Vec<String>,
    usage: Usage,
}

const THOUGHT: &str = "überlegt";
const SAID: &str = "Ja 日本語 🙂 e\u{301}.";
const ARGUMENTS: &str = r#"{"name":"é \"b\""}"#;

fn named(events: &[Value]) -> Vec<String> {
    let event =
        |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap());
    events.iter().map(event).collect()
}

fn halves(text: &str) -> [&str; 2] {
    let middle = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap();
    let (first, second) = text.split_at(middle);
    [first, second]
}

fn messages() -> Spoken {
    let start = |index: usize, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: usize, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: usize| json!({"type": "content_block_stop", "index": index});
    let usage = json!({"input_tokens": 3, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 5343,
        "cache_creation": {"ephemeral_5m_input_tokens": 20}, "output_tokens": 1, "service_tier": "standard"});
    let [said, more] = halves(SAID);
    let [arguments, rest] = halves(ARGUMENTS);
    let events = [
        json!({"type": "message_start", "message": {"id": "msg_1", "content": [], "usage": usage, "stop_reason": null}}),
        start(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        json!({"type": "ping"}),
        delta(0, json!({"type": "thinking_delta", "thinking": THOUGHT})),
        delta(0, json!({"type": "signature_delta", "signature": "Eq=="})),
        stop(0),
        start(1, json!({"type": "redacted_thinking", "data": "abc"})),
        stop(1),
        start(2, json!({"type": "text", "text": ""})),
        delta(2, json!({"type": "text_delta", "text": said})),
        delta(2, json!({"type": "text_delta", "text": more})),
        json!({"type": "something_new", "index": 9}),
        stop(2),
        start(3, json!({"type": "tool_use", "id": "toolu_1", "name": "open_effort", "input": {}})),
        delta(3, json!({"type": "input_json_delta", "partial_json": ""})),
        delta(3, json!({"type": "input_json_delta", "partial_json": arguments})),
        delta(3, json!({"type": "input_json_delta", "partial_json": rest})),
        stop(3),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 49, "input_tokens": 0}}),
        json!({"type": "message_stop"}),
    ];
    let usage =
        Usage { prompt: 5_366, completion: 49, cached: Some(5_343), written: 20, hour: None };
    Spoken { protocol: Protocol::Messages, events: named(&events), usage }
}

fn responses() -> Spoken {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA", "status": null,
        "summary": [{"type": "summary_text", "text": THOUGHT}]});
    let text = |text: &str| {
        json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "annotations": [], "text": text}]})
    };
    let call = |arguments: &str| {
        json!({"type": "function_call", "id": "fc_1", "call_id": "call_1",
        "name": "open_effort", "arguments": arguments, "status": "completed"})
    };
    let usage = json!({"input_tokens": 4100, "input_tokens_details": {"cached_tokens": 3968, "cache_write_tokens": 12},
        "output_tokens": 49, "output_tokens_details": {"reasoning_tokens": 30}, "total_tokens": 4149});
    let at = |kind: &str, index: usize, key: &str, value: Value| {
        let mut event = json!({"type": kind, "sequence_number": 4, "output_index": index});
        event[key] = value;
        event
    };
    let [said, more] = halves(SAID);
    let [arguments, rest] = halves(ARGUMENTS);
    let events = [
        json!({"type": "response.created", "response": {"object": "response", "status": "in_progress", "error": null, "output": []}}),
        at(
            "response.output_item.added",
            0,
            "item",
            json!({"type": "reasoning", "id": "rs_1", "summary": []}),
        ),
        at(
            "response.reasoning_summary_part.added",
            0,
            "part",
            json!({"type": "summary_text", "text": ""}),
        ),
        at("response.reasoning_summary_text.delta", 0, "delta", json!(THOUGHT)),
        at("response.output_item.done", 0, "item", reasoning.clone()),
        at("response.output_item.added", 1, "item", text("")),
        at("response.output_text.delta", 1, "delta", json!(said)),
        at("response.output_text.delta", 1, "delta", json!(more)),
        at("response.output_item.done", 1, "item", text(SAID)),
        at("response.output_item.added", 2, "item", call("")),
        at("response.function_call_arguments.delta", 2, "delta", json!(arguments)),
        at("response.function_call_arguments.delta", 2, "delta", json!(rest)),
        at("response.function_call_arguments.done", 2, "arguments", json!(ARGUMENTS)),
        at("response.output_item.done", 2, "item", call(ARGUMENTS)),
        json!({"type": "response.completed", "response": {"object": "response", "status": "completed", "error": null,
            "output": [reasoning, text(SAID), call(ARGUMENTS)], "usage": usage}}),
    ];
    let usage =
        Usage { prompt: 4_100, completion: 49, cached: Some(3_968), written: 12, hour: None };
    Spoken { protocol: Protocol::Responses, events: named(&events), usage }
}

fn ollama() -> Spoken {
    let [said, more] = halves(SAID);
    let arguments: Value = serde_json::from_str(ARGUMENTS).unwrap();
    let line = |message: Value| json!({"model": "m", "created_at": "2026-11-22T00:00:00Z", "message": message, "done": false});
    let call = json!([{"id": "call_1", "function": {"index": 0, "name": "open_effort", "arguments": arguments}}]);
    let mut last = line(json!({"role": "assistant", "content": ""}));
    last["done"] = json!(true);
    last["done_reason"] = json!("stop");
    last["prompt_eval_count"] = json!(80);
    last["eval_count"] = json!(49);
    let lines = [
        line(json!({"role": "assistant", "content": "", "thinking": THOUGHT})),
        line(json!({"role": "assistant", "content": said})),
        line(json!({"role": "assistant", "content": more})),
        line(json!({"role": "assistant", "content": "", "tool_calls": call})),
        last,
    ];
    let events = lines.iter().map(|line| format!("{line}\n")).collect();
    let usage = Usage { prompt: 80, completion: 49, cached: None, written: 0, hour: None };
    Spoken { protocol: Protocol::Ollama, events, usage }
}

fn all() -> [Spoken; 3] {
    [messages(), responses(), ollama()]
}

impl Spoken {
    fn stream(&self) -> String {
        self.events.concat()
    }

    fn read(
        &self,
        stream: &str,
        piece: usize,
        ended: Ended,
    ) -> (Vec<Event>, Result<Completion, Error>) {
        replay_as(self.protocol, stream.as_bytes().chunks(piece), ended)
    }

    /// Nothing that only its own framing has.
    fn framings(&self) -> Vec<(&'static str, String)> {
        let stream = self.stream();
        let by_line = self.protocol == Protocol::Ollama;
        let between = |text: &str| self.events.join(text) + text;
        let mut framings = vec![
            ("as documented", stream.clone()),
            ("CRLF", stream.replace('\n', "\r\n")),
            ("CR", stream.replace('\n', "\r")),
            ("blank lines", between("\n\n")),
            ("no blank lines", stream.replace("\n\n", "\n")),
            ("a mark of byte order", format!("\u{feff}{stream}")),
        ];
        if by_line {
            framings.push((
                "as events",
                stream.replace("{\"model\"", "data: {\"model\"").replace('\n', "\n\n"),
            ));
            framings.push(("no last line end", stream.trim_end().to_owned()));
        } else {
            let unnamed: Vec<&str> =
                stream.lines().filter(|line| !line.starts_with("event:")).collect();
            framings.push(("no space", stream.replace(": {", ":{")));
            framings.push(("comments", format!(": P\n\n{}", between(": ping\n\ndata:\n\n"))));
            framings.push(("no event names", unnamed.join("\n")));
            framings.push(("an end mark", format!("{stream}data: [DONE]\n\n")));
        }
        framings
    }
}

fn shown(events: &[Event]) -> String {
    let text =
        |event: &Event| if let Event::Text(text) = event { text.clone() } else { String::new() };
    events.iter().map(text).collect()
}

#[test]
fn every_framing_of_every_protocol_gives_the_same_answer() {
    for spoken in all() {
        let protocol = spoken.protocol;
        let (_, expected) = spoken.read(&spoken.stream(), usize::MAX, Ended::InOrder);
        let expected = expected.unwrap();
        assert_eq!((&*expected.text, &*expected.reasoning), (SAID, THOUGHT), "{protocol:?}");
        let calls: Vec<_> =
            expected.calls.iter().map(|call| (&*call.name, &*call.arguments)).collect();
        assert_eq!(calls, [("open_effort", ARGUMENTS)], "{protocol:?}");
        assert_eq!(expected.finish, FinishReason::ToolCalls, "{protocol:?}");
        assert_eq!(expected.usage, Some(spoken.usage), "{protocol:?}");
        for (name, stream) in spoken.framings() {
            for piece in [usize::MAX, 7, 1] {
                let (events, result) = spoken.read(&stream, piece, Ended::InOrder);
                assert_eq!(result.as_ref(), Ok(&expected), "{protocol:?} {name} {piece}");
                assert_eq!(shown(&events), SAID, "{protocol:?} {name} {piece}");
                let started = |event: &&Event| matches!(event, Event::ToolCallStarted { .. });
                assert_eq!(events.iter().filter(started).count(), 1, "{protocol:?} {name}");
            }
        }
    }
}

#[test]
fn an_answer_that_was_cut_at_any_byte_is_never_taken_for_a_whole_one() {
    for spoken in all() {
        let stream = spoken.stream().into_bytes();
        // Why a message stops is told behind all of it; what ends it says nothing more.
        let last = if spoken.protocol == Protocol::Messages { 2 } else { 1 };
        let ends = (0..stream.len()).rev().filter(|at| stream[*at..].starts_with(b"}\n"));
        let end = 1 + ends.take(last).last().unwrap();
        for (cut, ended) in
            (0..stream.len()).flat_map(|cut| [(cut, Ended::InOrder), (cut, Ended::Broken)])
        {
            let (events, result) = replay_as(spoken.protocol, [&stream[..cut]], ended);
            assert!(SAID.starts_with(shown(&events).trim_end_matches('\u{fffd}')), "{cut}");
            assert!(result.is_err() || cut >= end, "{:?} {cut}: {result:?}", spoken.protocol);
        }
    }
}

#[test]
fn no_shape_of_a_part_makes_it_panic() {
    let shapes = [
        json!(null),
        json!(true),
        json!(-1),
        json!(1e99),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
        json!([null, {}]),
        json!({"type": "text", "text": "y"}),
        json!([{"type": "tool_use", "input": 1}]),
    ];
    for spoken in all() {
        for (at, event) in spoken.events.iter().enumerate() {
            let data = event
                .trim_end()
                .lines()
                .next_back()
                .unwrap_or_default()
                .trim_start_matches("data: ");
            let value: Value = serde_json::from_str(data).unwrap();
            let mut places = Vec::new();
            paths(&value, String::new(), &mut places);
            for place in places {
                for shape in &shapes {
                    let mut changed = value.clone();
                    *changed.pointer_mut(&place).unwrap() = shape.clone();
                    let mut events = spoken.events.clone();
                    events[at] = event.replace(data, &changed.to_string());
                    let (shown_events, result) =
                        spoken.read(&events.concat(), usize::MAX, Ended::InOrder);
                    if let Ok(completion) = result {
                        assert_eq!(shown(&shown_events), completion.text);
                    }
                }
            }
        }
    }
}

fn paths(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                paths(inner, format!("{at}/{key}"), found);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                paths(inner, format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(at);
}

/// An answer that is a text in these pieces.
fn spoken(protocol: Protocol, pieces: &[&str]) -> String {
    let whole = pieces.concat();
    match protocol {
        Protocol::Chat => {
            let chunk =
                |text: &&str| json!({"choices": [{"index": 0, "delta": {"content": text}}]});
            let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
            let chunks = pieces.iter().map(chunk).chain([end]);
            chunks.map(|chunk| format!("data: {chunk}\n\n")).collect::<Vec<_>>().concat()
                + "data: [DONE]\n\n"
        }
        Protocol::Messages => {
            let begin = json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": ""}});
            let delta = |text: &&str| {
                json!({"type": "content_block_delta", "index": 0,
                    "delta": {"type": "text_delta", "text": text}})
            };
            let stop = json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}});
            let ends = [stop, json!({"type": "message_stop"})];
            let events = [begin].into_iter().chain(pieces.iter().map(delta)).chain(ends);
            named(&events.collect::<Vec<_>>()).concat()
        }
        Protocol::Responses => {
            let item = json!({"type": "message", "id": "m", "role": "assistant",
                "content": [{"type": "output_text", "text": whole}]});
            let delta = |text: &&str| {
                json!({"type": "response.output_text.delta", "output_index": 0, "item_id": "m",
                    "delta": text})
            };
            let done =
                json!({"type": "response.output_item.done", "output_index": 0, "item": item});
            let all = json!({"object": "response", "status": "completed", "output": [item]});
            let ends = [done, json!({"type": "response.completed", "response": all})];
            named(&pieces.iter().map(delta).chain(ends).collect::<Vec<_>>()).concat()
        }
        Protocol::Ollama => {
            let line = |text: &&str| json!({"message": {"content": text}, "done": false});
            let end = json!({"message": {"content": ""}, "done": true, "done_reason": "stop"});
            let lines = pieces.iter().map(line).chain([end]);
            lines.map(|line| format!("{line}\n")).collect::<Vec<_>>().concat()
        }
    }
}

#[test]
fn reasoning_between_tags_is_no_part_of_the_text_over_any_protocol() {
    for protocol in Protocol::ALL {
        for (pieces, reasoning, text, streamed) in [
            (&["<thi", "nk>a</th", "ink>\n\nb"][..], "a", "b", "b"),
            (&["<think>a</think>b"], "a", "b", "b"),
            (&["I see.</thi", "nk>b"], "I see.", "b", "I see.</think>b"),
            (&["<thi"], "", "<thi", "<thi"),
            (&["b <think>c</think>"], "", "b <think>c</think>", "b <think>c</think>"),
        ] {
            let body = spoken(protocol, pieces);
            let (events, answer) = replay_as(protocol, [body.as_bytes()], Ended::InOrder);
            let answer = answer.unwrap();
            let parts = (&*answer.reasoning, &*answer.text, &*shown(&events));
            assert_eq!(parts, (reasoning, text, streamed), "{protocol:?} {pieces:?}");
        }
    }
}

/// What an answer of Messages comes to that has these blocks.
fn of_blocks(blocks: &[Value]) -> Completion {
    let body = json!({"type": "message", "content": blocks, "stop_reason": "end_turn"}).to_string();
    replay_as(Protocol::Messages, [body.as_bytes()], Ended::InOrder).1.unwrap()
}

#[test]
fn texts_with_something_between_them_are_paragraphs() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": "S"});
    let searched = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    for (blocks, said) in [
        (vec![text("first."), thought.clone(), text("The answer")], "first.\n\nThe answer"),
        (vec![text("first."), searched, text("The answer")], "first.\n\nThe answer"),
        (vec![text("first.\n"), thought.clone(), text("The answer")], "first.\nThe answer"),
        // A quoted place splits a sentence in two.
        (vec![text("first, "), text("and more")], "first, and more"),
        (vec![thought, text("The answer")], "The answer"),
    ] {
        assert_eq!(of_blocks(&blocks).text, said);
    }
    let item = |id: &str, text: &str| json!({"type": "message", "id": id, "role": "assistant", "content": [{"type": "output_text", "text": text}]});
    let items = [item("m1", "first."), item("m2", "The answer")];
    let deltas = items.iter().enumerate().flat_map(|(index, item)| {
        let delta = &item["content"][0]["text"];
        [
            json!({"type": "response.output_text.delta", "output_index": index, "item_id": item["id"], "delta": delta}),
            json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        ]
    });
    let whole = json!({"object": "response", "status": "completed", "output": items});
    let end = json!({"type": "response.completed", "response": whole});
    let streamed = named(&deltas.chain([end]).collect::<Vec<_>>()).concat();
    for body in [streamed, whole.to_string()] {
        let (events, answer) = replay_as(Protocol::Responses, [body.as_bytes()], Ended::InOrder);
        assert_eq!(answer.unwrap().text, "first.\n\nThe answer", "{body}");
        assert_eq!(shown(&events), "first.\n\nThe answer", "{body}");
    }
}

#[test]
fn what_a_server_did_not_sign_is_kept_unless_it_signs() {
    let thought = |text: &str, signature: &str| json!({"type": "thinking", "thinking": text, "signature": signature});
    let call = json!({"type": "tool_use", "id": "a", "name": "f", "input": {}});
    for (thoughts, kept) in [
        (vec![thought("I should look", "")], vec!["I should look"]),
        (vec![thought("", "")], vec![]),
        (vec![thought("one", "S"), thought("two", "")], vec!["one"]),
    ] {
        let blocks: Vec<Value> = thoughts.into_iter().chain([call.clone()]).collect();
        let replay = Value::Object(of_blocks(&blocks).replay);
        let parts = replay["blocks"]["parts"].as_array().cloned().unwrap_or_default();
        let sealed = parts.iter().filter_map(|part| part["sealed"]["thinking"].as_str());
        assert_eq!(sealed.collect::<Vec<_>>(), kept);
    }
}
