//! Sessions of Claude Code that stand behind each other in one file.

use serde_json::{Value, json};

use super::{boundary, person, reply, summary, words};
use crate::read::tests::{lines, listing, told, usage};

/// Lines as those of another session.
fn of(session: &str, mut records: Vec<Value>) -> Vec<Value> {
    for record in &mut records {
        record["sessionId"] = json!(session);
        for key in ["uuid", "parentUuid", "logicalParentUuid", "leafUuid", "requestId"] {
            if let Some(id) = record[key].as_str() {
                record[key] = json!(format!("{session}-{id}"));
            }
        }
        if let Some(id) = record["message"]["id"].as_str() {
            record["message"]["id"] = json!(format!("{session}-{id}"));
        }
    }
    records
}

fn title(title: &str) -> Value {
    json!({ "type": "custom-title", "customTitle": title })
}

fn leaf(uuid: &str) -> Value {
    json!({ "type": "last-prompt", "leafUuid": uuid })
}

/// A session that takes something back, one that goes on from what is no longer there, and one with two titles.
fn sessions() -> [Vec<Value>; 3] {
    let first = vec![
        title("Plans"),
        person("u1", None, "Plan A"),
        reply("a1", "u1", "m1", &words("A."), 5),
        person("u2", Some("a1"), "Wrong way"),
        person("u3", Some("a1"), "Right way"),
        leaf("u3"),
        reply("a3", "u3", "m3", &words("Right."), 5),
    ];
    let second = vec![
        boundary("b", Some("gone")),
        summary("c", "b"),
        person("u1", Some("c"), "Where were we?"),
        reply("a1", "u1", "m1", &words("Here."), 5),
    ];
    let third = vec![
        person("u1", None, "What now?"),
        reply("a1", "u1", "m1", &words("This."), 5),
        title("Next"),
    ];
    [of("s1", first), of("s2", second), of("s3", third)]
}

#[test]
fn sessions_that_stand_behind_each_other_are_read_as_files_of_their_own() {
    let apart = sessions();
    let together = lines(&apart.concat());
    let each = apart.iter().flat_map(|session| listing(&lines(session))).collect::<Vec<_>>();
    assert_eq!(listing(&together), each);
    assert!(each.iter().any(|line| line.contains("Plans")), "{each:?}");
    assert_eq!(told(&together).unwrap().1.tally.skipped["on another branch"], 1);
    let asked = apart.iter().map(|session| usage(&lines(session))[0]).sum::<u64>();
    assert_eq!(usage(&together)[0], asked);
}

#[test]
fn a_session_whose_records_have_no_place_has_its_title() {
    let records = [
        title("Plans"),
        json!({ "type": "user", "message": { "role": "user", "content": "Plan A" } }),
    ];
    let mut known = records.clone();
    for record in &mut known {
        record["sessionId"] = json!("s1");
    }
    assert!(listing(&lines(&known))[0].contains("Plans"), "{:?}", listing(&lines(&known)));
}

#[test]
fn a_compaction_that_names_another_session_or_none_cuts_nothing_off() {
    for session in [Value::Null, json!("s0")] {
        let mut summed = summary("c", "gone");
        (summed["parentUuid"], summed["sessionId"]) = (Value::Null, session);
        let records = [
            person("u1", None, "Before"),
            reply("a1", "u1", "m1", &words("Yes."), 5),
            leaf("a1"),
            summed,
            person("u2", Some("c"), "After"),
        ];
        let told = listing(&lines(&records));
        assert_eq!(
            (&*told[1], told.last().map(String::as_str)),
            ("person: Before", Some("person: After"))
        );
    }
}

/// Nothing tells in which order they would have to be told.
#[test]
fn of_sessions_that_are_mixed_one_is_told() {
    let [first, _, third] = sessions();
    let mixed = [&first[..3], &third[..1], &first[3..], &third[1..]].concat();
    let told = listing(&lines(&mixed));
    assert_eq!(told[1..], listing(&lines(&first))[1..]);
}

#[test]
fn what_two_sessions_share_is_told_once() {
    let [first, _, mut third] = sessions();
    third[0]["parentUuid"] = json!("s1-a1");
    let told = listing(&lines(&[first.clone(), third.clone()].concat()));
    third[0]["parentUuid"] = Value::Null;
    assert_eq!(told, [listing(&lines(&first)), listing(&lines(&third))].concat());
}
