//! Exports that tell each figure once, and copies of them.

use serde_json::{Value, json};

use super::{Twice, costs_no_more};

fn opencode() -> Value {
    let said = |id: &str, at: u64, tokens: &Value| json!({ "info": { "id": id, "role": "assistant", "time": { "created": at }, "tokens": tokens }, "parts": [{ "type": "text", "text": "A" }] });
    json!({
        "info": { "id": "ses" },
        "messages": [
            said("m-aa", 1_767_225_600_123, &json!({ "input": 31, "output": 5, "reasoning": 2, "cache": { "read": 54, "write": 3 } })),
            said("m-bb", 1_767_225_600_456, &json!({ "input": 12, "output": 6, "cache": { "read": 88 } })),
        ]
    })
}

fn open_webui() -> Value {
    let said = |parent: Option<&str>, id: &str, at: u64| json!({ "id": id, "parentId": parent, "role": "assistant", "content": "A", "timestamp": at, "usage": { "prompt_tokens": 45, "completion_tokens": at % 10, "prompt_tokens_details": { "cached_tokens": 21 } } });
    let messages = json!({ "w-aa": said(None, "w-aa", 1_767_225_603), "w-bb": said(Some("w-aa"), "w-bb", 1_767_225_604), "w-cc": said(Some("w-aa"), "w-cc", 1_767_225_605) });
    json!([{ "id": "c", "chat": { "history": { "currentId": "w-bb", "messages": messages } } }])
}

fn lm_studio() -> Value {
    let step = |id: &str, prompt: u64, output: u64| json!({ "stepIdentifier": id, "content": [{ "type": "text", "text": "A" }], "genInfo": { "stats": { "promptTokensCount": prompt, "predictedTokensCount": output } } });
    let version = |steps: Value| json!({ "role": "assistant", "steps": steps });
    let versions = [version(json!([step("l-aa", 31, 4)])), version(json!([step("l-bb", 31, 25)]))];
    json!({ "name": "n", "messages": [{ "versions": versions, "currentlySelected": 0 }, { "versions": [version(json!([step("l-cc", 67, 8), step("l-dd", 78, 9)]))], "currentlySelected": 0 }] })
}

#[test]
fn one_export() {
    let files = [
        ("opencode", opencode(), 2),
        ("Open WebUI", open_webui(), 3),
        ("LM Studio", lm_studio(), 4),
    ];
    for (name, file, requests) in files {
        costs_no_more(name, &[file.to_string().into_bytes()], requests, Twice::Nothing);
    }
}

#[test]
fn an_export_and_a_copy_of_it() {
    let file = opencode().to_string().into_bytes();
    costs_no_more("opencode", &[file.clone(), file], 2, Twice::All);
}
