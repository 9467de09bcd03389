//! Messages that are only a picture, in every format that has some.

use serde_json::{Value, json};

use super::{lines, listing, told};

#[test]
fn a_picture_that_was_sent_alone_is_said() {
    let data = "data:image/png;base64,iVBORw0KGgo=";
    let files = [
        lines(&[
            json!({ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": data } }] }),
            json!({ "role": "assistant", "content": "A cat." }),
        ]),
        lines(&[
            json!({ "timestamp": "2026-11-13T09:00:00Z", "type": "session_meta", "payload": { "id": "x" } }),
            json!({ "type": "response_item", "payload": { "type": "message", "role": "user", "content": [{ "type": "input_image", "image_url": data }] } }),
            json!({ "type": "event_msg", "payload": { "type": "user_message", "message": "", "images": [data] } }),
            json!({ "type": "response_item", "payload": { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "A cat." }] } }),
        ]),
        lines(&[
            json!({ "type": "session_meta", "payload": { "id": "x", "history_mode": "paginated" } }),
            json!({ "type": "event_msg", "payload": { "type": "item_completed", "item": { "type": "UserMessage", "content": [{ "type": "local_image", "path": "cat.png" }] } } }),
            json!({ "type": "event_msg", "payload": { "type": "item_completed", "item": { "type": "AgentMessage", "text": "A cat." } } }),
        ]),
        lines(&[
            json!({ "sessionId": "s", "projectHash": "h" }),
            json!({ "id": "1", "type": "user", "content": [{ "inlineData": { "mimeType": "image/png", "data": "iVBORw0KGgo=" } }] }),
            json!({ "id": "2", "type": "gemini", "content": "A cat." }),
        ]),
        json!({ "info": { "id": "ses" }, "messages": [
            { "info": { "id": "m1", "role": "user" }, "parts": [{ "type": "text", "text": "Called the Read tool", "synthetic": true }, { "type": "file", "mime": "image/png", "url": data }] },
            { "info": { "id": "m2", "role": "assistant" }, "parts": [{ "type": "text", "text": "A cat." }] },
        ] }).to_string().into_bytes(),
        json!([{ "id": "c", "chat": { "history": { "currentId": "b", "messages": {
            "a": { "id": "a", "role": "user", "content": "", "files": [{ "type": "image", "url": data }] },
            "b": { "id": "b", "parentId": "a", "role": "assistant", "content": "A cat." },
        } } } }]).to_string().into_bytes(),
        json!({ "name": "n", "messages": [
            { "versions": [{ "role": "user", "content": [{ "type": "file", "fileIdentifier": "1", "fileType": "image" }] }], "currentlySelected": 0 },
            { "versions": [{ "role": "assistant", "content": [{ "type": "text", "text": "A cat." }] }], "currentlySelected": 0 },
        ] }).to_string().into_bytes(),
        json!([{ "id": "c", "current_node": "b", "mapping": {
            "a": { "id": "a", "children": ["b"], "message": { "author": { "role": "user" }, "content": { "content_type": "multimodal_text", "parts": [{ "content_type": "image_asset_pointer", "asset_pointer": "sediment://x" }] } } },
            "b": { "id": "b", "parent": "a", "children": [], "message": { "author": { "role": "assistant" }, "content": { "content_type": "text", "parts": ["A cat."] } } },
        } }]).to_string().into_bytes(),
    ];
    for file in files {
        let listing = listing(&file);
        assert_eq!(listing[1..], ["person: [image]", "model: A cat."], "{}", listing[0]);
        // What it shows is told as skipped, once; where it is a record of its own, the sign stands for it.
        let tally = told(&file).unwrap().1.tally;
        let is_part = listing[0] != "== ses||";
        assert_eq!(tally.skipped.get("image").copied(), is_part.then_some(1), "{tally}");
    }
    let named = json!([{ "uuid": "c", "chat_messages": [{ "uuid": "1", "sender": "human", "text": "", "content": [], "files": [{ "file_kind": "image", "file_name": "cat.png" }] }] }]);
    assert_eq!(listing(named.to_string().as_bytes())[1..], ["person: [cat.png]"]);
}

#[test]
fn what_claude_code_shows_to_the_model_by_itself_is_no_message() {
    let picture = json!({ "type": "image", "source": { "type": "base64", "data": "AAAA" } });
    let record = |nth: u64, more: Value| {
        let parent = (nth > 1).then(|| (nth - 1).to_string());
        let mut record = json!({ "uuid": nth.to_string(), "parentUuid": parent, "sessionId": "s" });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record
    };
    let person = |content: Value| json!({ "type": "user", "origin": { "kind": "human" }, "message": { "role": "user", "content": content } });
    let model = |id: &str| json!({ "type": "assistant", "message": { "role": "assistant", "id": id, "content": [{ "type": "text", "text": "Yes." }] } });
    let mut by_itself = person(json!([picture]));
    by_itself["isMeta"] = json!(true);
    let returned = person(
        json!([{ "type": "tool_result", "tool_use_id": "t", "content": [picture] }, picture]),
    );
    let beside = json!([{ "type": "text", "text": "And this?" }, picture, picture]);
    let file = lines(&[
        record(1, person(json!("Look"))),
        record(2, model("m1")),
        record(3, person(json!([picture]))),
        record(4, model("m2")),
        record(5, by_itself),
        record(6, returned),
        record(7, person(beside)),
    ]);
    let expected = [
        "person: Look",
        "model: Yes.",
        "person: [image]",
        "model: Yes.",
        "result t: ",
        "person: And this?",
    ];
    assert_eq!(listing(&file)[1..], expected);
    let tally = told(&file).unwrap().1.tally;
    // One alone, two in and beside a result, two beside words; all of them are read beside their records.
    assert_eq!((tally.skipped["harness text"], tally.skipped["image"]), (1, 5));
    assert_eq!((tally.read, tally.used()), (7 + 5, 6));
}
