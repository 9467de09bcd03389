//! What is torn, damaged or something else.

use proptest::prelude::*;
use serde_json::json;

use super::{Error, lines, listing, sum, told};
use crate::read::{Format, Reader};

/// A session of Claude Code whose replies are told in as many lines.
fn claude_code_in(lines_each: u64) -> Vec<u8> {
    let mut records = Vec::new();
    let mut parent = None;
    for turn in 0..4_u64 {
        records.push(json!({ "type": "user", "uuid": format!("u{turn}"), "parentUuid": parent, "sessionId": "s", "timestamp": "2026-05-01T10:00:00Z", "message": { "role": "user", "content": "A question" } }));
        parent = Some(format!("u{turn}"));
        for line in 0..lines_each {
            let usage =
                json!({ "input_tokens": 3, "cache_read_input_tokens": 50, "output_tokens": 9 });
            let uuid = format!("a{turn}{line}");
            records.push(json!({ "type": "assistant", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "requestId": format!("r{turn}"), "message": { "role": "assistant", "id": format!("m{turn}"), "content": [{ "type": "text", "text": "An answer" }], "usage": usage } }));
            parent = Some(uuid);
        }
    }
    lines(&records)
}

fn claude_code() -> Vec<u8> {
    claude_code_in(1)
}

/// A rollout of Codex that tells of each request twice.
fn codex() -> Vec<u8> {
    let line = |kind: &str, payload| json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload });
    let mut records = vec![line("session_meta", json!({ "id": "c" }))];
    for turn in 1..4 {
        records.push(line("event_msg", json!({ "type": "user_message", "message": "A question" })));
        let usage = |times: u64| json!({ "input_tokens": 17 * times, "output_tokens": 2 * times, "total_tokens": 19 * times });
        let told = line(
            "event_msg",
            json!({ "type": "token_count", "info": { "total_token_usage": usage(turn), "last_token_usage": usage(1) } }),
        );
        records.extend([told.clone(), told]);
    }
    lines(&records)
}

fn chat_gpt() -> Vec<u8> {
    let message = |role: &str| json!({ "author": { "role": role }, "content": { "content_type": "text", "parts": ["Words"] } });
    let one = json!({ "id": "c", "current_node": "b", "mapping": { "a": { "parent": null, "children": ["b"], "message": message("user") }, "b": { "parent": "a", "children": [], "message": message("assistant") } } });
    json!([one, one, one]).to_string().into_bytes()
}

fn others() -> [Vec<u8>; 5] {
    [
        lines(&[json!({ "sessionId": "g", "projectHash": "p" }), json!({ "id": "1", "type": "user", "content": "Hi" }), json!({ "$rewindTo": "1" }), json!({ "id": "2", "type": "user", "content": "Ho" })]),
        b"# aider chat started at 2025-03-01 09:15:00\n\n#### fix it\n\nDone.\n".to_vec(),
        lines(&[json!({ "character_name": "A" }), json!({ "mes": "Hi", "is_user": true })]),
        json!([{ "uuid": "c", "chat_messages": [{ "uuid": "1", "sender": "human", "text": "Hi", "content": [] }] }]).to_string().into_bytes(),
        json!({ "info": { "id": "s" }, "messages": [{ "info": { "role": "user" }, "parts": [{ "type": "text", "text": "Hi" }] }] }).to_string().into_bytes(),
    ]
}

fn files() -> Vec<Vec<u8>> {
    let mut files = vec![claude_code(), codex(), chat_gpt()];
    files.extend(others());
    files
}

/// The output tokens of a file, whether or not somebody says something in it.
fn output(file: &[u8]) -> u64 {
    let mut reader = Reader::default();
    let _ = reader.read(&file.to_vec(), &mut |_| {});
    sum(&reader.ledger().requests().0)[3]
}

#[test]
fn any_beginning_of_a_file_tells_messages_or_an_error_and_costs_no_more() {
    for file in files() {
        let whole = output(&file);
        for end in 0..file.len() {
            match told(&file[..end]) {
                Ok((events, ..)) => assert!(!events.is_empty()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            assert!(output(&file[..end]) <= whole);
        }
    }
}

/// The requests of a file, and the tokens of all of them.
fn requests(file: &[u8]) -> (Vec<[u64; 4]>, u64) {
    let mut reader = Reader::default();
    let _ = reader.read(&file.to_vec(), &mut |_| {});
    let requests = reader.ledger().requests().0;
    let each = requests.iter().map(|one| [one.read, one.written, one.uncached, one.output]);
    (each.collect(), sum(&requests).iter().sum())
}

fn flipped(file: &[u8], at: usize, bits: u8) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] ^= bits;
    file
}

/// Each digit of a file as each other digit: what a damage needs to go unnoticed.
fn other_digits(file: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    let places = (0..file.len()).filter(|at| file[*at].is_ascii_digit());
    let all = places.flat_map(|at| (1..16).map(move |bits| (at, bits)));
    all.filter(|(at, bits)| (file[*at] ^ bits).is_ascii_digit())
        .map(|(at, bits)| (at, flipped(file, at, bits)))
}

proptest! {
    #[test]
    fn any_flipped_byte_tells_messages_or_an_error(which in 0_usize..8, at in any::<prop::sample::Index>(), bits in 1_u8..) {
        let file = files().swap_remove(which);
        let file = flipped(&file, at.index(file.len()), bits);
        match told(&file) {
            Ok((events, ..)) => prop_assert!(!events.is_empty()),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_flipped_byte_costs_no_more_where_a_request_is_told_more_than_once(codex in any::<bool>(), at in any::<prop::sample::Index>(), bits in 1_u8..) {
        let file = if codex { self::codex() } else { claude_code_in(3) };
        let at = at.index(file.len());
        prop_assert!(requests(&flipped(&file, at, bits)).1 <= requests(&file).1);
    }
}

#[test]
fn a_digit_that_is_another_costs_no_more_where_a_request_is_told_more_than_once() {
    for file in [codex(), claude_code_in(3)] {
        let whole = requests(&file).1;
        for (at, file) in other_digits(&file) {
            assert!(requests(&file).1 <= whole, "byte {at}");
        }
    }
}

/// Where nothing else in the file speaks for a figure, damage to it cannot be seen; but it makes one request of
/// its own line wrong and no further one.
#[test]
fn a_digit_that_is_another_makes_at_most_one_request_another_and_none_more() {
    let file = claude_code();
    let whole = requests(&file).0;
    for (at, file) in other_digits(&file) {
        let found = requests(&file).0;
        let known = found.iter().filter(|one| whole.contains(one)).count();
        assert!(found.len() <= whole.len() && known + 1 >= found.len(), "byte {at}: {found:?}");
    }
}

#[test]
fn ends_of_lines_marks_and_torn_ends_make_no_difference() {
    let whole = claude_code();
    let expected = listing(&whole);
    let text = String::from_utf8(whole.clone()).unwrap();
    let with_mark = [b"\xef\xbb\xbf".to_vec(), text.replace('\n', "\r\n").into_bytes()].concat();
    assert_eq!(listing(&with_mark), expected);
    let torn = [whole.clone(), b"{\"type\":\"assistant\",\"uuid\":\"a9".to_vec()].concat();
    assert_eq!(listing(&torn), expected);
    let mut broken = text.replacen("An answer", "An \u{fffd}nswer", 1).into_bytes();
    let at = broken.windows(3).position(|window| window == "\u{fffd}".as_bytes()).unwrap();
    broken.splice(at..at + 3, [0xff]);
    assert_eq!(listing(&broken)[2], "model: An \u{fffd}nswer");
}

#[test]
fn a_line_without_end_is_skipped_and_counted() {
    let long = [
        b"{\"type\":\"user\",\"x\":\"".to_vec(),
        vec![b'x'; crate::read::lines::LONGEST],
        b"\"}\n".to_vec(),
    ]
    .concat();
    let file = [claude_code(), long, claude_code()].concat();
    let (_, outcome, _) = told(&file).unwrap();
    assert_eq!(outcome.tally.skipped["line over 64 MiB"], 1);
}

#[test]
fn what_is_no_conversation_is_named() {
    let cases: [(&[u8], &str); 11] = [
        (b"", "empty"),
        (b" \n \n", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "Known are"),
        (b"SQLite format 3\0...", "opencode export"),
        (b"PK\x03\x04....", "ZIP archive is damaged, breaks off"),
        (b"\x28\xb5\x2f\xfd....", "Zstandard data is damaged or breaks off"),
        (b"\x1f\x8b....", "gunzip"),
        (b"\xff\xfe{\0", "save it as UTF-8"),
        (b"just some prose", "Known are"),
        (b"{\"answer\": 42}", "Known are"),
        (b"{\"type\":\"mode\",\"sessionId\":\"s\"}\n{\"type\":\"last-prompt\",\"sessionId\":\"s\"}\n", "nobody says anything in it (read 2, used 0, skipped 2"),
    ];
    for (file, expected) in cases {
        let error = told(file).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn depth_and_length_without_end_are_refused() {
    for file in [
        vec![b'{'; 1 << 20],
        vec![b'['; 1 << 20],
        [b"[".repeat(100_000), b"]".repeat(100_000)].concat(),
    ] {
        assert!(matches!(told(&file), Err(Error::Unknown)));
    }
}

#[test]
fn first_records_of_any_length_are_recognised() {
    let snapshot = json!({ "type": "file-history-snapshot", "messageId": "x", "snapshot": {} });
    // Its keys as the program writes them: what tells the format stands in front of what is long.
    let typed = |length: usize| {
        let picture = "A".repeat(length);
        format!(
            r#"{{"parentUuid":null,"sessionId":"s","type":"user","uuid":"u","message":{{"role":"user","content":[{{"type":"text","text":"Why?"}},{{"type":"image","source":{{"data":"{picture}"}}}}]}}}}"#
        )
    };
    for length in [10, 100_000, 9 << 20] {
        for file in
            [typed(length), format!("{snapshot}\n{}\n{}", typed(length), r#"{"type":"mode"}"#)]
        {
            let (events, outcome, _) = told(file.as_bytes()).unwrap();
            assert_eq!((outcome.format, events.len()), (Format::ClaudeCode, 2), "{length}");
        }
    }
    let meta = |length: usize| {
        let rules = json!({ "id": "c", "base_instructions": { "text": "r".repeat(length) } });
        json!({ "timestamp": "2026-05-01T10:00:00Z", "type": "session_meta", "payload": rules })
    };
    let said =
        json!({ "type": "event_msg", "payload": { "type": "user_message", "message": "Why?" } });
    for length in [10, 90_000, 2 << 20] {
        assert_eq!(listing(&lines(&[meta(length), said.clone()])), ["== c||", "person: Why?"]);
    }
}
