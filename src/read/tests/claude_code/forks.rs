//! What a session begins with as a copy of another one, and what goes on from before its end.

use super::*;

#[test]
fn copies_in_a_fork_and_beside_the_conversation_cost_nothing_more() {
    let original = vec![
        person("u1", None, "One"),
        reply("a1", "u1", "m1", &words("1"), 10),
        person("u2", Some("a1"), "Two"),
        reply("a2", "u2", "m2", &words("2"), 20),
    ];
    let mut fork = original.clone();
    fork.push(person("u3", Some("a2"), "Three"));
    fork.push(reply("a3", "u3", "m3", &words("3"), 30));
    let mut aside = reply("x1", "u1", "m1", &words("1"), 10);
    aside["isSidechain"] = json!(true);
    aside["requestId"] = json!("another");
    let mut reader = Reader::default();
    for file in [lines(&[aside]), lines(&original), lines(&fork)] {
        let _ = reader.read(&file, &mut |_| {});
    }
    assert_eq!(sum(&reader.ledger().requests().0), [3_000, 600, 15, 60]);
}

#[test]
fn the_window_of_a_fork_holds_what_it_begins_with_and_is_not_told_again() {
    let original = vec![
        person("u1", None, "One"),
        reply("a1", "u1", "m1", &words("1"), 10),
        boundary("b1", Some("a1")),
        summary("s1", "b1"),
        person("u2", Some("s1"), "Two"),
        reply("a2", "u2", "m2", &words("2"), 20),
    ];
    let mut fork = original.clone();
    fork.push(person("u3", Some("a2"), "Three"));
    let mut reader = Reader::default();
    let mut told = Vec::new();
    for file in [original, fork] {
        told.clear();
        reader.read(&lines(&file), &mut |event| told.push(line(&event))).unwrap();
    }
    let copied: Vec<&String> = told.iter().filter(|line| line.starts_with("copied")).collect();
    assert_eq!(copied[..2], ["copied person: One", "copied model: 1"]);
    assert!(copied[2].starts_with("copied compacted"), "{copied:?}");
    assert_eq!(copied[3..], ["copied person: Two", "copied model: 2"]);
    assert_eq!(told.last().map(String::as_str), Some("person: Three"));
}

#[test]
fn a_reply_that_waits_is_its_own_sessions_where_a_copy_follows() {
    let parent = [person("u1", None, "One"), person("u2", Some("u1"), "Two")];
    let mut own = vec![parent[0].clone(), reply("a1", "u1", "m1", &words("Mine."), 10)];
    own.push(person("u2", Some("a1"), "Two"));
    let mut reader = Reader::default();
    reader.read(&lines(&parent), &mut |_| {}).unwrap();
    let mut told = Vec::new();
    reader.read(&lines(&own), &mut |event| told.push(line(&event))).unwrap();
    assert!(told.contains(&"model: Mine.".to_owned()), "{told:?}");
}

#[test]
fn a_compaction_whose_kept_messages_are_gone_on_from_is_one() {
    let mut compacted = boundary("b1", Some("a2"));
    compacted["compactMetadata"]["preservedSegment"] =
        json!({ "headUuid": "u2", "anchorUuid": "s1", "tailUuid": "a2" });
    let records = |next: &str| {
        lines(&[
            person("u1", None, "One"),
            reply("a1", "u1", "m1", &words("1"), 10),
            person("u2", Some("a1"), "Two"),
            reply("a2", "u2", "m2", &words("2"), 20),
            compacted.clone(),
            summary("s1", "b1"),
            person("u3", Some(next), "Three"),
        ])
    };
    let is_one = |line: &&String| line.starts_with("compacted");
    let compactions = |next| listing(&records(next)).iter().filter(is_one).count();
    assert_eq!(listing(&records("a2"))[1..].len(), 6);
    // Whoever goes back to before it has taken it back.
    assert_eq!(["a2", "s1", "a1"].map(compactions), [1, 1, 0]);
}

#[test]
fn a_fork_whose_records_have_other_names_is_known_by_what_was_said_when() {
    let said = |name: &str, millis: &str| {
        let id = |id: &str| format!("{name}-{id}");
        let mut records = vec![
            person(&id("u1"), None, "One"),
            reply(&id("a1"), &id("u1"), "m1", &call("k1"), 10),
            result(&id("r1"), &id("a1"), "k1", "a.rs"),
            boundary(&id("b1"), Some(&id("r1"))),
            summary(&id("s1"), &id("b1")),
            reply(&id("a2"), &id("s1"), "m2", &words("1"), 20),
        ];
        for (nth, record) in records.iter_mut().enumerate() {
            record["timestamp"] = json!(format!("2026-05-01T10:00:0{nth}{millis}Z"));
            record["sessionId"] = json!(name);
        }
        records.push(person(&id("u2"), Some(&id("a2")), &format!("Two of {name}")));
        lines(&records)
    };
    // Moments of whole seconds tell nothing.
    for (millis, expected, copied_too) in [(".123", 1, 5), ("", 6, 0)] {
        let mut reader = Reader::default();
        reader.read(&said("first", millis), &mut |_| {}).unwrap();
        let (mut told, mut copied) = (Vec::new(), Vec::new());
        let mut hear = |event: Event| match event {
            Event::Copied(event) => copied.push(line(&event)),
            Event::Begins { .. } | Event::Reply(_) => {}
            event => told.push(line(&event)),
        };
        let tally = reader.read(&said("fork", millis), &mut hear).unwrap().tally;
        assert_eq!((told.len(), copied.len()), (expected, copied_too), "{told:?}");
        assert_eq!(told.last().map(String::as_str), Some("person: Two of fork"));
        assert_eq!(tally.used() as usize, tally.read as usize - if copied_too > 0 { 6 } else { 0 });
        assert_eq!(reader.ledger().requests().0.len(), 2);
    }
}

/// A conversation in a file of its own, whose records have names and moments of their own.
fn said_at(name: &str, said: &[(&str, &str)]) -> Vec<u8> {
    let mut records = Vec::new();
    for (nth, (at, text)) in said.iter().enumerate() {
        let id = |nth: usize| format!("{name}-{nth}");
        let parent = nth.checked_sub(1).map(id);
        let mut record = person(&id(nth), parent.as_deref(), text);
        record["timestamp"] = json!(format!("2026-05-01T10:00:{at}Z"));
        records.push(record);
    }
    lines(&records)
}

#[test]
fn a_moment_of_a_whole_second_among_others_is_as_good_as_they() {
    let first = said_at("first", &[("00.120", "One"), ("01.000", "Two"), ("02.340", "Three")]);
    let fork = said_at("fork", &[("00.120", "One"), ("01.000", "Two"), ("03.450", "Four")]);
    let mut reader = Reader::default();
    reader.read(&first, &mut |_| {}).unwrap();
    let mut told = Vec::new();
    reader.read(&fork, &mut |event| told.push(line(&event))).unwrap();
    assert_eq!(told[..2], ["copied person: One", "copied person: Two"]);
    assert_eq!(told.last().map(String::as_str), Some("person: Four"));
}

#[test]
fn who_says_the_same_again_in_a_file_says_it_twice_whatever_lies_beside_it() {
    let file =
        said_at("one", &[("00.120", "continue"), ("00.120", "continue"), ("02.340", "Well")]);
    let mut reader = Reader::default();
    let tally = reader.read(&file, &mut |_| {}).unwrap().tally;
    assert_eq!((tally.read, tally.used()), (3, 3));
    // In another file they are copies.
    let fork = said_at("two", &[("00.120", "continue"), ("00.120", "continue"), ("03.450", "New")]);
    assert_eq!(reader.read(&fork, &mut |_| {}).unwrap().tally.used(), 1);
}
