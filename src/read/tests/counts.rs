//! What requests took, where the counts tell it in a way of their own.

use serde_json::{Value, json};

use super::{lines, told};
use crate::read::Used;

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

/// The same of an older program, which does not add them up.
fn without_sums(totals: &[[u64; 3]]) -> Vec<Value> {
    let mut records = rollout(totals);
    for total in records
        .iter_mut()
        .filter_map(|record| record.pointer_mut("/payload/info/total_token_usage"))
    {
        total.as_object_mut().unwrap().remove("total_tokens");
    }
    records
}

#[test]
fn a_total_of_codex_that_falls_and_has_no_sum_counts_as_soon_as_the_next_one_speaks_for_it() {
    let tokens =
        |totals: &[[u64; 3]]| -> u64 { requests(&without_sums(totals)).iter().flatten().sum() };
    let whole = [[1_000, 0, 100], [2_500, 900, 250], [4_500, 2_300, 400], [700, 0, 50]];
    let whole = [&whole[..], &[[1_500, 600, 90]]].concat();
    assert_eq!(
        requests(&without_sums(&whole)),
        [[0, 0, 1_000, 100], [900, 0, 600, 150], [1_400, 0, 600, 150], [600, 0, 200, 40]]
    );
    // A digit that is another one makes a total fall and rise again.
    for (line, input) in [(0, 0), (1, 500), (2, 2_400), (2, 500), (4, 500)] {
        let mut damaged = whole.clone();
        damaged[line][0] = input;
        assert!(tokens(&damaged) <= tokens(&whole), "line {line}: {input}");
    }
    // One without its input is none.
    let text = String::from_utf8(lines(&without_sums(&whole))).unwrap();
    for (nth, _) in text.match_indices("input_tokens") {
        let damaged = format!("{}inpux_tokens{}", &text[..nth], &text[nth + 12..]);
        let used = told(damaged.as_bytes()).unwrap().2;
        assert!(used.len() <= 4, "{used:?}");
        assert!(used.iter().map(Used::prompt).sum::<u64>() <= 5_300, "{used:?}");
    }
    // One that rises is as good as any other; what follows on it counts no more than it did.
    let mut damaged = whole.clone();
    damaged[1][0] = 9_500;
    assert_eq!(requests(&without_sums(&damaged)).len(), 3);
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
