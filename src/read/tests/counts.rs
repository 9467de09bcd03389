//! What requests took, where the counts tell it in a way of their own.

use serde_json::{Value, json};

use super::{lines, told};

/// What each request of a file took: read, written, uncached, output.
fn requests(records: &[Value]) -> Vec<[u64; 4]> {
    let requests = told(&lines(records)).unwrap().2;
    requests.iter().map(|one| [one.read, one.written, one.uncached, one.output]).collect()
}

/// A rollout of which only totals are told: input, what of it is cached, and output.
fn rollout(totals: &[[u64; 3]]) -> Vec<Value> {
    let line = |kind: &str, payload: Value| json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload });
    let counts = totals.iter().map(|[input, cached, output]| {
        let total = json!({ "input_tokens": input, "cached_input_tokens": cached, "output_tokens": output, "total_tokens": input + output });
        line("event_msg", json!({ "type": "token_count", "info": { "total_token_usage": total } }))
    });
    let said = line("event_msg", json!({ "type": "user_message", "message": "Hello" }));
    [line("session_meta", json!({ "id": "s" })), said].into_iter().chain(counts).collect()
}

#[test]
fn what_totals_grow_by_is_what_requests_of_codex_took() {
    let records = rollout(&[[100, 0, 10], [300, 90, 25], [300, 90, 25], [40, 0, 5], [100, 30, 7]]);
    let expected = [[0, 0, 100, 10], [90, 0, 110, 15], [0, 0, 40, 5], [30, 0, 30, 2]];
    assert_eq!(requests(&records), expected);
}

#[test]
fn what_tools_of_gemini_asked_for_is_counted_beside_the_input_once() {
    for (total, uncached) in [(json!(127), 57), (json!(110), 40), (json!(null), 40)] {
        let tokens = json!({ "input": 100, "cached": 60, "output": 7, "thoughts": 3, "tool": 17, "total": total });
        let records = [
            json!({ "sessionId": "g", "projectHash": "p" }),
            json!({ "id": "1", "type": "gemini", "content": "Hi", "tokens": tokens }),
        ];
        assert_eq!(requests(&records), [[60, 0, uncached, 10]], "{total}");
    }
}
