//! Logs of requests, each of which tells all that was said so far.

use serde_json::{Value, json};

use super::{line, lines, listing, told};
use crate::read::turn::{number, number_of_words};
use crate::read::{Event, Reader};

/// A request of so many turns: the system's, and then the person's and the model's, by what each says.
fn request(said: &[&str]) -> Value {
    let turn = |(nth, said): (usize, &&str)| {
        let role = if nth.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "content": said })
    };
    let system = json!({ "role": "system", "content": "s" });
    let turns = [system].into_iter().chain(said.iter().enumerate().map(turn));
    json!({ "messages": turns.collect::<Value>() })
}

fn tally(file: &[u8]) -> String {
    told(file).unwrap().1.tally.to_string()
}

#[test]
fn a_log_of_requests_tells_what_was_said_once() {
    let requests = [request(&["q0"]), request(&["q0", "a0", "q1"]), request(&["other"])];
    for file in [lines(&requests), Value::from(requests.to_vec()).to_string().into_bytes()] {
        assert_eq!(
            listing(&file),
            ["== 1||", "person: q0", "model: a0", "person: q1", "== 2||", "person: other"]
        );
        assert!(tally(&file).contains("2 told in another record"), "{}", tally(&file));
    }
}

#[test]
fn talks_that_go_on_in_turn_are_conversations_of_their_own() {
    let a = ["a one", "a first", "a two", "a second"];
    let b = ["b one", "b first", "b two", "b second"];
    // The last one is sent once more, and what was sent first comes late.
    let file = lines(&[
        request(&a[..2]),
        request(&b[..2]),
        request(&a),
        request(&b),
        request(&b),
        request(&a[..1]),
    ]);
    let said = |talk: &str| {
        ["one", "first", "two", "second"].map(|what| match what {
            "one" | "two" => format!("person: {talk} {what}"),
            _ => format!("model: {talk} {what}"),
        })
    };
    let expected = [
        vec!["== 1||".to_owned()],
        said("a").to_vec(),
        vec!["== 2||".to_owned()],
        said("b").to_vec(),
    ];
    assert_eq!(listing(&file), expected.concat());
    let skipped = "skipped 15 (13 told in another record, 2 system)";
    assert!(tally(&file).ends_with(skipped), "{}", tally(&file));
}

#[test]
fn a_talk_that_goes_on_from_another_one_has_that_in_its_window() {
    let mut events = Vec::new();
    let file = lines(&[
        request(&["q0", "a0", "q1", "a1", "q2"]),
        // Another question, and another answer to the same one.
        request(&["q0", "a0", "q3"]),
        request(&["q0", "a0", "q1", "b1"]),
        request(&["q0", "b0"]),
        request(&["q0", "a0", "q3", "a3"]),
    ]);
    let mut hear = |event: Event| events.push(line(&event));
    Reader::of_one().read(&file, &mut hear).unwrap();
    let copied = ["copied person: q0", "copied model: a0"];
    let expected = [
        vec![
            "== 1||",
            "person: q0",
            "model: a0",
            "person: q1",
            "model: a1",
            "person: q2",
            "== 2||",
        ],
        copied.to_vec(),
        vec!["person: q1", "model: b1", "== 3||", "person: q0", "model: b0", "== 4||"],
        copied.to_vec(),
        vec!["person: q3", "model: a3"],
    ];
    assert_eq!(events, expected.concat());
}

#[test]
fn a_talk_is_found_among_so_many_that_are_under_way() {
    let names: Vec<String> = (0..100).map(|nth| format!("q{nth}")).collect();
    let first = names.iter().map(|name| request(&[name]));
    let again = names.iter().map(|name| request(&[name, "a", "more"]));
    let near: Vec<Value> = first.clone().zip(again.clone()).flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(listing(&lines(&near)).len(), 400);
    let far: Vec<Value> = first.chain(again).collect();
    assert_eq!(listing(&lines(&far)).len(), 400);
}

/// A request of the newest of what was said: the person has even numbers.
fn newest(talk: &str, said: std::ops::Range<usize>) -> Value {
    let turn = |nth: usize| {
        let role = if nth.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "content": format!("{talk}{nth}") })
    };
    let system = json!({ "role": "system", "content": format!("It is {} o'clock.", said.start) });
    let turns = [system].into_iter().chain(said.map(turn));
    json!({ "messages": turns.collect::<Value>() })
}

#[test]
fn what_a_request_leaves_out_and_marks_of_its_own_begin_no_other_talk() {
    let talk = [newest("a", 0..5), newest("a", 2..7), newest("a", 2..9), newest("a", 6..11)];
    let expected: Vec<String> = ["== 1||".to_owned()]
        .into_iter()
        .chain((0..11).map(|nth| match nth % 2 {
            0 => format!("person: a{nth}"),
            _ => format!("model: a{nth}"),
        }))
        .collect();
    assert_eq!(listing(&lines(&talk)), expected);
    let tally = tally(&lines(&talk));
    assert_eq!(tally, "read 26, used 11, skipped 15 (12 told in another record, 3 system)");
    // A mark for the cache stands at the newest message alone.
    let marked = |mut request: Value| {
        let last = request["messages"].as_array_mut().unwrap().last_mut().unwrap();
        let block = json!({ "type": "text", "text": last["content"], "cache_control": { "type": "ephemeral" } });
        last["content"] = json!([block]);
        request
    };
    let marked = [marked(newest("a", 0..3)), marked(newest("a", 0..5))];
    assert_eq!(listing(&lines(&marked)), expected[..6]);
}

#[test]
fn what_goes_on_behind_another_talk_without_its_beginning_tells_each_thing_once() {
    let turned = [newest("a", 0..5), newest("b", 0..2), newest("a", 2..7)];
    assert_eq!(
        listing(&lines(&turned))[4..],
        [
            "model: a3",
            "== 2||",
            "person: b0",
            "model: b1",
            "== 3||",
            "person: a4",
            "model: a5",
            "person: a6"
        ]
    );
    let requests: Vec<Value> = [0..5, 2..7, 4..9, 4..9, 6..9]
        .into_iter()
        .flat_map(|said| ["a", "b"].map(|talk| newest(talk, said.clone())))
        .collect();
    let told = listing(&lines(&requests));
    for talk in ["a", "b"] {
        let own: Vec<&str> =
            told.iter().filter_map(|line| line.split_once(": ")).map(|(_, said)| said).collect();
        let own: Vec<&str> = own.into_iter().filter(|said| said.starts_with(talk)).collect();
        assert_eq!(own, (0..9).map(|nth| format!("{talk}{nth}")).collect::<Vec<_>>());
    }
    // Calls behind one question are told behind it, wherever they are.
    let call =
        json!({ "role": "assistant", "tool_calls": [{ "id": "c", "function": { "name": "ls" } }] });
    let result = json!({ "role": "tool", "tool_call_id": "c", "content": "a.rs" });
    let more = |mut request: Value, turns: &[&Value]| {
        let all = request["messages"].as_array_mut().unwrap();
        all.extend(turns.iter().map(|turn| (*turn).clone()));
        request
    };
    let agent = [
        newest("a", 0..5),
        newest("b", 0..1),
        more(newest("a", 2..5), &[&call]),
        newest("c", 0..1),
        more(newest("a", 3..5), &[&call, &result]),
    ];
    let told = listing(&lines(&agent));
    assert_eq!(told.iter().filter(|line| line.ends_with(" a4")).count(), 1, "{told:?}");
    assert_eq!(told.last().unwrap(), "result c: a.rs");
}

#[test]
fn what_stands_beside_the_turns_of_a_record_makes_none_of_them_unreadable() {
    let said = ["q0", "a0", "q1", "a1", "q2"];
    let expected = listing(&lines(&[request(&said)]));
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for beside in ["\"temperature\":1e999", &format!("\"tools\":{deep}"), "\"conversations\":null"]
    {
        let records = [1, 3, 5].map(|turns| {
            let request = request(&said[..turns]).to_string();
            format!("{{{beside},{}\n", &request[1..])
        });
        let first = request(&said[..1]).to_string() + "\n";
        let mixed = records[1..].concat();
        for file in [records.concat(), first + &mixed] {
            assert_eq!(listing(file.as_bytes()), expected, "{beside}");
        }
    }
    // A turn that cannot be read costs no other one.
    let last = request(&said).to_string();
    let last = last.replace("]}", &format!(",{{\"role\":\"user\",\"content\":{deep}}}]}}"));
    let file = format!("{}\n{last}\n", request(&said[..3]));
    assert_eq!(listing(file.as_bytes()), expected);
    assert!(tally(file.as_bytes()).contains("1 unreadable turn"), "{}", tally(file.as_bytes()));
}

#[test]
fn what_a_talk_branches_from_is_told_with_the_branch_if_that_ends_first() {
    let said = ["q0", "a0", "q1", "a1", "q2", "a2", "q3"];
    let other = ["q0", "a0", "q1", "a1", "another way", "a3", "on"];
    let file = lines(&[request(&said[..5]), request(&other[..5]), request(&other), request(&said)]);
    let told = |from: usize, said: &[&str]| -> Vec<String> {
        let by = |nth: usize| if nth.is_multiple_of(2) { "person" } else { "model" };
        (from..7).map(|nth| format!("{}: {}", by(nth), said[nth])).collect()
    };
    let begins = |nth: u32| vec![format!("== {nth}||")];
    assert_eq!(listing(&file), [begins(1), told(0, &other), begins(2), told(4, &said)].concat());
}

#[test]
fn results_that_a_later_request_has_no_room_for_are_those_that_they_were() {
    let talk = |result: &str, more: &[Value]| {
        let call = json!({ "role": "assistant", "tool_calls": [{ "id": "c1", "function": { "name": "ls" } }] });
        let turns = [
            json!({ "role": "user", "content": "do it" }),
            call,
            json!({ "role": "tool", "tool_call_id": "c1", "content": result }),
            json!({ "role": "assistant", "content": "done" }),
        ];
        let all = [&turns[..], more].concat();
        json!({ "messages": all })
    };
    let next = [json!({ "role": "user", "content": "and next" })];
    let told = listing(&lines(&[talk("long", &[]), talk("long", &next), talk("[cleared]", &next)]));
    assert_eq!(told.len(), 6, "{told:?}");
}

#[test]
fn a_turn_of_words_alone_is_known_by_them_however_it_is_read() {
    let roles = ["user", "Human", "assistant", "gpt", "tool", "function_call", "system", ""];
    for role in roles {
        for words in ["Hello", " a \n", "", " ", "{\"name\":\"ls\"}"] {
            let turn = json!({ "role": role, "content": words });
            assert_eq!(number_of_words(role, words), number(&turn), "{turn}");
        }
    }
}

#[test]
fn conversations_with_names_of_their_own_are_several_however_alike_they_begin() {
    let greeting = [("human", "Hi"), ("gpt", "Hello!")];
    let record = |id: &str, key: &str, more: &[(&str, &str)]| {
        let said = greeting.iter().chain(more);
        let turns: Vec<Value> =
            said.map(|(from, value)| json!({ "from": from, "value": value })).collect();
        let mut record = json!({});
        record[key] = turns.into();
        if !id.is_empty() {
            record["id"] = id.into();
        }
        record
    };
    let (one, other) = ([("human", "One?"), ("gpt", "1")], [("human", "Two?"), ("gpt", "2")]);
    let all = |ids: [&str; 4], key: &str| {
        let said: [&[(&str, &str)]; 4] = [&[], &one, &other, &other];
        let records: Vec<Value> =
            ids.iter().zip(said).map(|(id, said)| record(id, key, said)).collect();
        let told = listing(&lines(&records));
        let count = |head: &str| told.iter().filter(|line| line.starts_with(head)).count();
        (count("=="), count("person"))
    };
    assert_eq!(all(["a", "b", "c", "d"], "conversations"), (4, 7));
    assert_eq!(all(["a", "a", "c", "c"], "conversations"), (2, 4), "two that grow");
    // A log of requests has no names, or one for each request.
    assert_eq!(all([""; 4], "conversations"), (2, 3));
    assert_eq!(all(["a", "b", "c", "d"], "messages"), (2, 3));
}
