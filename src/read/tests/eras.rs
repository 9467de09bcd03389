//! Rollouts of Codex that were written in the ways of several eras, and what is taken back in them.

use serde_json::{Value, json};

use super::agents::{codex_head, codex_model, codex_user, enveloped};
use super::{lines, listing};

fn item(kind: &str, text: &str) -> Value {
    let item = json!({ "type": kind, "id": "i", "content": [{ "type": "text", "text": text }] });
    enveloped("event_msg", &json!({ "type": "item_completed", "item": item }))
}

fn items(asked: &str, replied: &str) -> [Value; 2] {
    [item("UserMessage", asked), item("AgentMessage", replied)]
}

fn back(turns: u64) -> Value {
    enveloped("event_msg", &json!({ "type": "thread_rolled_back", "num_turns": turns }))
}

fn said(meta: &Value, records: &[Value]) -> String {
    let all = [&[codex_head("c", meta)], records].concat();
    listing(&lines(&all))[1..].join(", ")
}

#[test]
fn a_rollout_that_another_era_goes_on_with_tells_all_turns_and_each_once() {
    let paginated = json!({ "history_mode": "paginated" });
    let old = [codex_user("Third"), codex_model("3")].concat();
    let resumed = [&items("First", "1")[..], &items("Second", "2"), &old].concat();
    let all = "person: First, model: 1, person: Second, model: 2, person: Third, model: 3";
    assert_eq!(said(&paginated, &resumed), all);
    // An event for what an item tells, before it and behind it.
    let event = |text: &str| codex_user(text)[1].clone();
    let both = [
        &[event("First")],
        &items("First", "1")[..],
        &codex_model("1"),
        &items("Second", "2"),
        &[event("Second")],
        &old,
    ];
    assert_eq!(said(&paginated, &both.concat()), all);
    // Who asks the same again means it.
    let twice = [&items("On", "1")[..], &items("On", "2")].concat();
    assert_eq!(said(&paginated, &twice), "person: On, model: 1, person: On, model: 2");
}

#[test]
fn turns_are_taken_back_in_whatever_way_they_are_told() {
    let turn = |asked: &str, replied: &str| [codex_user(asked), codex_model(replied)];
    let stays = "person: First, model: 1, person: Third, model: 3";
    let three = |of: &dyn Fn(&str, &str) -> Vec<Value>| {
        [of("First", "1"), of("Second", "2"), vec![back(1)], of("Third", "3")].concat()
    };
    let seen = |asked: &str, replied: &str| {
        let [[user, _], [_, model]] = turn(asked, replied);
        vec![user, model]
    };
    assert_eq!(said(&json!({}), &three(&seen)), stays, "only what the model saw");
    let injected = codex_user("<environment_context>linux</environment_context>")[0].clone();
    let with_injected = |asked: &str, replied: &str| {
        [vec![injected.clone()], seen(asked, replied), vec![injected.clone()]].concat()
    };
    assert_eq!(said(&json!({}), &three(&with_injected)), stays, "with what nobody typed");
    let both = |asked: &str, replied: &str| {
        let [user, model] = turn(asked, replied);
        [&user[..], &[item("UserMessage", asked)], &model].concat()
    };
    for meta in [json!({}), json!({ "history_mode": "paginated" })] {
        assert_eq!(said(&meta, &three(&both)), stays, "in both ways");
    }
    let aborted = |asked: &str, replied: &str| {
        [&turn(asked, replied).concat()[..], &codex_user("<turn_aborted>x</turn_aborted>")].concat()
    };
    assert_eq!(said(&json!({}), &three(&aborted)), stays, "with an event that nobody typed");
}

#[test]
fn what_an_editor_tells_in_front_of_a_request_is_no_word_of_the_person() {
    let told = "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nFix it\n";
    let paginated = json!({ "history_mode": "paginated" });
    let [seen, event] = codex_user(told);
    let both = [event.clone(), item("UserMessage", told)];
    for (meta, records) in [
        (json!({}), vec![seen.clone(), event]),
        (json!({}), vec![seen]),
        (paginated.clone(), vec![item("UserMessage", told)]),
        (paginated, both.to_vec()),
    ] {
        assert_eq!(said(&meta, &records), "person: Fix it");
    }
    let own = codex_user("What is \"## My request for Codex:\"?");
    assert_eq!(said(&json!({}), &own), "person: What is \"## My request for Codex:\"?");
}
