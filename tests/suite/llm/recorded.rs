//! Streams in the shapes in which real providers and servers sent them, made by hand: each is read to the text, the
//! reasoning, the calls and the counts that it holds, however the network cuts it, and the bill says what was counted.

use std::fs;
use std::path::Path;

use ebbtide::bill::Paid;
use ebbtide::llm::{Completion, Ended, Protocol, replay_as};
use serde_json::{Value, json};

/// A stream with what is in it.
struct Recorded {
    name: String,
    protocol: Protocol,
    expected: Value,
    stream: String,
}

fn all() -> Vec<Recorded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/wire");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let read = |file: std::path::PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let (head, stream) = text.split_once("\n\n").unwrap();
        let mut expected: Value = serde_json::from_str(head).unwrap();
        let protocol = expected["protocol"].take();
        let protocol = Protocol::from_word(protocol.as_str().unwrap()).unwrap();
        expected.as_object_mut().unwrap().remove("protocol");
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        Recorded { name, protocol, expected, stream: stream.to_owned() }
    };
    files.map(read).collect()
}

fn told(completion: &Completion) -> Value {
    let call = |call: &ebbtide::llm::ToolCall| json!([call.name, call.arguments]);
    let calls: Vec<Value> = completion.calls.iter().map(call).collect();
    let usage = completion.usage.map(|u| json!([u.prompt, u.completion, u.cached, u.written]));
    json!({"text": completion.text, "reasoning": completion.reasoning, "calls": calls,
        "finish": completion.finish.as_str(), "usage": usage})
}

#[test]
fn every_recorded_shape_is_read_to_what_it_holds_however_it_is_cut() {
    let all = all();
    assert!(all.len() >= 35, "only {} streams", all.len());
    for Recorded { name, protocol, expected, stream } in all {
        for piece in [usize::MAX, 1, 7, 64] {
            let (_, read) = replay_as(protocol, stream.as_bytes().chunks(piece), Ended::InOrder);
            let read = read.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(told(&read), expected, "{name} in pieces of {piece}");
        }
        let half = stream.len() / 2;
        let half = (0..=half).rev().find(|at| stream.is_char_boundary(*at)).unwrap();
        let (_, cut) = replay_as(protocol, [&stream.as_bytes()[..half]], Ended::InOrder);
        assert!(cut.is_err(), "{name}: half of it is taken for a whole");
    }
}

#[test]
fn the_bill_says_what_each_provider_counted() {
    for Recorded { name, protocol, expected, stream } in all() {
        let (_, read) = replay_as(protocol, [stream.as_bytes()], Ended::InOrder);
        let usage = read.unwrap().usage.unwrap();
        let paid = Paid::reported(
            usage.prompt,
            usage.cached.unwrap_or(0),
            usage.written,
            usage.completion,
        );
        let count = |at: usize| expected["usage"][at].as_u64().unwrap_or(0);
        let [prompt, output, cached, written] = [0, 1, 2, 3].map(count);
        let expected = (cached, written, prompt - cached - written, output);
        assert_eq!((paid.read, paid.written, paid.uncached, paid.output), expected, "{name}");
    }
}
