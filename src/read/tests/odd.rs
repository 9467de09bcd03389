//! Files with something beside or in front of what tells their format.

use serde_json::{Value, json};

use super::{lines, listing, told};

/// Conversations that are known by these keys.
fn conversations() -> [Value; 2] {
    let message = |role: &str, text: &str| json!({ "author": { "role": role }, "content": { "parts": [text] } });
    let mapping = json!({
        "u": { "parent": null, "children": ["a"], "message": message("user", "Hi") },
        "a": { "parent": "u", "children": [], "message": message("assistant", "Hello.") },
    });
    let said = [
        json!({ "sender": "human", "text": "Hi" }),
        json!({ "sender": "assistant", "text": "Hello." }),
    ];
    [json!({ "current_node": "a", "mapping": mapping }), json!({ "chat_messages": said })]
}

#[test]
fn an_odd_first_element_of_an_export_is_skipped_alone() {
    for conversation in conversations() {
        for odd in [Value::Null, json!({ "title": "empty" }), json!([])] {
            let list = json!([odd, conversation]);
            for file in [list.clone(), json!({ "conversations": list })] {
                let file = file.to_string().into_bytes();
                assert_eq!(listing(&file)[1..], ["person: Hi", "model: Hello."], "{odd}");
                assert_eq!(told(&file).unwrap().1.tally.skipped["no conversation"], 1, "{odd}");
            }
        }
    }
}

#[test]
fn what_stands_beside_a_dialogue_does_not_make_it_another_format() {
    let turns = [
        json!({ "role": "user", "content": "Hi" }),
        json!({ "role": "assistant", "content": "Hello." }),
    ];
    for more in [
        json!({ "history": null }),
        json!({ "history": [] }),
        json!({ "chat": { "id": 1 } }),
        json!({ "mapping": { "a": 1 } }),
        json!({ "chat_messages": [] }),
        json!({ "sessionId": "s", "type": "chat" }),
        json!({ "sessionId": "s", "uuid": "u" }),
    ] {
        let with = |mut record: Value| {
            record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            record
        };
        let whole = lines(&[with(json!({ "messages": turns }))]);
        let each = lines(&turns.clone().map(with));
        for file in [whole, each] {
            assert_eq!(listing(&file)[1..], ["person: Hi", "model: Hello."], "{more}");
        }
    }
}

#[test]
fn a_chat_of_gemini_in_one_object_is_known_by_any_of_its_messages() {
    let message = |kind: &str, text: &str| json!({ "id": text, "type": kind, "content": text });
    let (asked, replied) = (message("user", "Hi"), message("gemini", "Hello."));
    for messages in [vec![asked.clone(), replied], vec![asked]] {
        let chat =
            json!({ "sessionId": "g", "startTime": "2026-05-01T10:00:00Z", "messages": messages });
        for file in [chat.to_string(), serde_json::to_string_pretty(&chat).unwrap()] {
            assert_eq!(listing(file.as_bytes())[..2], ["== g||", "person: Hi"]);
        }
    }
}
