//! `proof data` on folders as the authors of public data sets publish them, built from our own conversations.

use std::fs;

use ebbtide::proof::recall::{Session, Set, friends};
use serde_json::{Map, Value, json};

use crate::cli::Home;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A few sessions of the friends, and the questions that these answer.
fn some() -> Set {
    let mut set = friends();
    set.sessions.truncate(12);
    let has = |id: &String| set.sessions.iter().any(|session| session.id == *id);
    set.questions.retain(|question| question.ids.iter().all(has));
    assert!(set.questions.len() > 10);
    set
}

fn place(set: &Set, id: &str) -> usize {
    set.sessions.iter().position(|session| session.id == id).expect("a session")
}

fn spelt(day: &str) -> String {
    let parts: Vec<usize> = day.split('-').map(|part| part.parse().expect("a number")).collect();
    format!("1:56 pm on {} {}, {}", parts[2], MONTHS[parts[1] - 1], parts[0])
}

fn locomo(set: &Set) -> Value {
    let mut conversation = Map::new();
    conversation.insert("speaker_a".into(), json!("Nora"));
    let mut summaries = Map::new();
    for (nth, session) in set.sessions.iter().enumerate() {
        let said = |(_, text): &(bool, String)| {
            let (speaker, text) = text.split_once(": ").expect("a speaker");
            json!({ "speaker": speaker, "text": text })
        };
        let key = format!("session_{}", nth + 1);
        let said: Vec<Value> = session.messages.iter().map(said).collect();
        conversation.insert(format!("{key}_date_time"), json!(spelt(&session.day)));
        conversation.insert(key.clone(), json!(said));
        summaries.insert(format!("{key}_summary"), json!(session.summary));
    }
    let asked = |question: &ebbtide::proof::recall::Question| {
        let cited = |id: &String| format!("D{}:1", place(set, id) + 1);
        let evidence: Vec<String> = question.ids.iter().map(cited).collect();
        json!({ "question": question.text, "answer": question.answer, "evidence": evidence, "category": 1 })
    };
    let mut qa: Vec<Value> = set.questions.iter().map(asked).collect();
    qa.push(json!({ "question": "Trick?", "evidence": ["D1:1"], "category": 5 }));
    json!([{ "sample_id": "conv-1", "conversation": conversation, "session_summary": summaries, "qa": qa }])
}

fn beam(set: &Set) -> (Value, Value) {
    let turn = |(nth, session): (usize, &Session)| {
        let said = |(at, (user, text)): (usize, &(bool, String))| {
            let role = if *user { "user" } else { "assistant" };
            json!({ "id": nth * 100 + at, "role": role, "content": text })
        };
        session.messages.iter().enumerate().map(said).collect::<Vec<_>>()
    };
    let turns: Vec<Vec<Value>> = set.sessions.iter().enumerate().map(turn).collect();
    let asked = |question: &ebbtide::proof::recall::Question| {
        let cited: Vec<usize> = question.ids.iter().map(|id| place(set, id) * 100).collect();
        json!({ "question": question.text, "source_chat_ids": { "first": cited } })
    };
    let questions: Vec<Value> = set.questions.iter().map(asked).collect();
    let chat = json!([{ "batch_number": 1, "time_anchor": "March-15-2024", "turns": turns }]);
    (chat, json!({ "information_extraction": questions, "abstention": [{ "question": "Who?" }] }))
}

#[test]
fn both_data_sets_are_played_and_every_way_is_measured() {
    let (home, set) = (Home::new(), some());
    let folder = home.path("set/chats/100K/1/probing_questions");
    fs::create_dir_all(&folder).unwrap();
    let (chat, questions) = beam(&set);
    fs::write(home.path("set/chats/100K/1/chat.json"), chat.to_string()).unwrap();
    fs::write(folder.join("probing_questions.json"), questions.to_string()).unwrap();
    fs::write(home.path("set/locomo10.json"), locomo(&set).to_string()).unwrap();

    let (out, err, code) = home.run(&["proof", "data", "set", "--json"], &[]);

    let outcome: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    assert_eq!(code, 0, "{outcome:#}");
    let rows = outcome["rows"].as_array().unwrap();
    let count = set.questions.len();
    for (row, name) in rows.iter().zip(["LoCoMo conv-1", "BEAM 100K/1"]) {
        let step = row["step"].as_str().unwrap();
        assert_eq!(step, format!("{name}: 12 sessions, {count} questions"));
    }
    for (row, way) in
        rows[2..].iter().zip(["recall and search", "plain BM25, passages", "seeds' rule"])
    {
        let measured = row["measured"].as_str().unwrap();
        assert_eq!(row["step"], way);
        assert!(measured.contains("; R@1 ") && measured.contains(", hit@10 "), "{measured}");
    }
    let kinds: Vec<&str> = rows[5..].iter().map(|row| row["step"].as_str().unwrap()).collect();
    let expected = ["information_extraction", "multi-hop"]
        .map(|kind| format!("  recall and search: {kind}, {count} questions"));
    assert_eq!(kinds, expected);
    let first = rows[0]["measured"].as_str().unwrap();
    assert!(first.contains(" on average beside summaries of "), "{first}");
    let left_out = outcome["remarks"][1].as_str().unwrap();
    let asked = format!("Questions asked: {}; left out, as they cite nothing", 2 * count);
    assert!(left_out.starts_with(&asked) && left_out.contains("looked for: 0; "), "{left_out}");
    assert!(
        left_out
            .contains("a kind that has no answer: 2; left out, as they ask nothing: 0; citations"),
        "{left_out}"
    );
}

/// Writes a conversation of BEAM, with its questions or without.
fn write_beam(home: &Home, number: u32, set: &Set, asked: bool) {
    let folder = home.path(&format!("set/chats/100K/{number}"));
    fs::create_dir_all(folder.join("probing_questions")).unwrap();
    let (chat, questions) = beam(set);
    fs::write(folder.join("chat.json"), chat.to_string()).unwrap();
    if asked {
        fs::write(folder.join("probing_questions/probing_questions.json"), questions.to_string())
            .unwrap();
    }
}

#[test]
fn a_conversation_without_its_questions_is_skipped_and_told() {
    let (home, set) = (Home::new(), some());
    write_beam(&home, 2, &set, false);
    let (_, err, code) = home.run(&["proof", "data", "set"], &[]);
    assert!(err.contains("no question that cites any of them: BEAM 100K/2 is skipped"), "{err}");
    assert_eq!(code, 1);
    write_beam(&home, 1, &set, true);
    let (out, err, code) = home.run(&["proof", "data", "set"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("BEAM 100K/1: 12 sessions"), "{out}");
    let told = "Not all of it: BEAM 100K/2 is skipped, as there is no ";
    assert!(out.contains(told) && out.contains("probing_questions.json."), "{out}");
}

#[test]
fn a_copy_of_a_data_set_asks_nothing_twice() {
    let (home, set) = (Home::new(), some());
    fs::create_dir_all(home.path("set/data")).unwrap();
    for copy in ["set/locomo10.json", "set/data/locomo10.json"] {
        fs::write(home.path(copy), locomo(&set).to_string()).unwrap();
    }
    let (out, err, code) = home.run(&["proof", "data", "set"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.matches("LoCoMo conv-1").count(), 1, "{out}");
    assert!(out.contains("Not all of it: 1 of 1 conversations of "), "{out}");
}

#[test]
fn what_stands_twice_or_asks_nothing_or_begins_with_a_mark_is_no_more_than_it_is() {
    let (home, set) = (Home::new(), some());
    fs::create_dir_all(home.path("set")).unwrap();
    let mut samples = locomo(&set);
    let qa = samples[0]["qa"].as_array_mut().expect("questions");
    qa.push(json!({ "question": " ", "evidence": ["D1:1"], "category": 1 }));
    qa.push(json!(7));
    let mut copy = samples[0].clone();
    copy["sample_id"] = json!("conv-2");
    samples.as_array_mut().expect("conversations").push(copy);
    fs::write(home.path("set/locomo10.json"), format!("\u{feff}{samples}")).unwrap();
    let (out, err, code) = home.run(&["proof", "data", "set"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("LoCoMo conv-1: 12") && !out.contains("LoCoMo conv-2"), "{out}");
    assert!(out.contains("are skipped, as they are the same as others."), "{out}");
    for told in [
        &*format!("Questions asked: {};", set.questions.len()),
        "a kind that has no answer: 1; left out, as they ask nothing: 2;",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
}

#[test]
fn every_file_of_a_data_set_is_read_that_can_be_and_the_others_are_told() {
    let (home, set) = (Home::new(), some());
    fs::create_dir_all(home.path("set")).unwrap();
    fs::write(home.path("set/locomo10.json"), locomo(&set).to_string()).unwrap();
    let mut other = locomo(&some());
    other[0]["sample_id"] = json!("conv-2");
    other[0]["qa"].as_array_mut().unwrap().truncate(1);
    // An excerpt begins anywhere.
    let talk = other[0]["conversation"].as_object_mut().unwrap();
    let last = talk.remove("session_12").unwrap();
    talk.insert("session_99".to_owned(), last);
    fs::write(home.path("set/locomo_other.json"), other.to_string()).unwrap();
    fs::write(home.path("set/locomo_questions_alone.json"), "{}").unwrap();
    let (out, _, _) = home.run(&["proof", "data", "set"], &[]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(out.contains("LoCoMo conv-1: 12 sessions, "), "{out}");
    assert!(out.contains("LoCoMo conv-2: 12 sessions, 1 question "), "{out}");
    let told = "locomo_questions_alone.json is not as it is published: a list of conversations is expected, and is skipped.";
    assert!(out.contains("Not all of it: ") && out.contains(told), "{out}");
    // One that is named is read alone.
    let (out, err, code) = home.run(&["proof", "data", "set/locomo10.json"], &[]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("LoCoMo conv-1: ") && !out.contains("conv-2"), "{out}");
    assert!(!out.contains("Not all of it"), "{out}");
    let line = ["proof", "data", "set/locomo_questions_alone.json"];
    let (_, err, code) = home.run(&line, &[]);
    assert!(err.contains("a list of conversations is expected") && code == 1, "{err}");
}

#[test]
fn what_cannot_be_asked_is_told_for_what_it_is() {
    let (home, set) = (Home::new(), some());
    write_beam(&home, 1, &set, true);
    // Two plans number their messages alike, so that nothing is asked.
    write_beam(&home, 2, &set, true);
    let chat = home.path("set/chats/100K/2/chat.json");
    let plan: Value = serde_json::from_slice(&fs::read(&chat).unwrap()).unwrap();
    fs::write(&chat, json!([{ "plan-1": plan }, { "plan-2": plan }]).to_string()).unwrap();
    let mut other = locomo(&set);
    for category in [json!(null), json!(9)] {
        let asked = json!({ "question": "Which?", "evidence": ["D1:1"], "category": category });
        other[0]["qa"].as_array_mut().unwrap().push(asked);
    }
    fs::write(home.path("set/locomo10.json"), other.to_string()).unwrap();
    let (out, err, code) = home.run(&["proof", "data", "set"], &[]);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, 0, "{out}{err}");
    assert!(err.contains("2 of 2: BEAM 100K/1") && !err.contains("100K/2"), "{err}");
    assert!(out.contains("Nothing is asked of BEAM 100K/2."), "{out}");
    let cited: usize = set.questions.iter().map(|question| question.ids.len()).sum();
    for told in [
        "that name no message of their conversation: 0;",
        "as their category is missing or unknown: 2;",
        &format!("citations that name several messages of the same number: {cited}."),
        // One of each set.
        "of a kind that has no answer: 3;",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
    // Where nothing at all is asked, that is the reason.
    fs::remove_dir_all(home.path("set/chats/100K/1")).unwrap();
    let (_, err, code) = home.run(&["proof", "data", "set/chats"], &[]);
    let told = "no question that cites any of them: left out, as they cite nothing that can be looked for: ";
    assert!(err.contains(told) && err.contains("several messages of the same number"), "{err}");
    assert_eq!(code, 1, "{err}");
}

#[test]
fn a_question_attaches_no_file_of_this_machine() {
    let (home, mut set) = (Home::new(), some());
    let file = home.path("secret.txt");
    for question in &mut set.questions {
        question.text = format!("@{} {}", file.display(), question.text);
    }
    write_beam(&home, 1, &set, true);
    let run = || home.run(&["proof", "data", "set", "--json"], &[]).0;
    let without = run();
    // As long as a file that is attached would make every window that holds it.
    fs::write(&file, "secret ".repeat(5_000)).unwrap();
    assert_eq!(run(), without);
}

#[test]
fn where_nothing_is_found_at_all_nothing_is_proved() {
    let (home, mut set) = (Home::new(), some());
    for question in &mut set.questions {
        question.text = "Zzyx qwrt?".to_owned();
    }
    write_beam(&home, 1, &set, true);
    let (out, _, code) = home.run(&["proof", "data", "set"], &[]);
    assert!(out.contains("FAIL some evidence is in the window, and at least as often"), "{out}");
    assert_eq!(code, 1);
}

#[test]
fn a_folder_without_a_known_data_set_is_told_what_is_expected() {
    let home = Home::new();
    let (_, err, code) = home.run(&["proof", "data", "."], &[]);
    assert!(err.contains("holds no data set that is known. DIR is the folder"), "{err}");
    assert_eq!(code, 2);
    fs::write(home.path("locomo10.json"), "[{").unwrap();
    let (_, err, code) = home.run(&["proof", "data", "."], &[]);
    assert!(err.contains("locomo10.json is not as it is published: it is no JSON"), "{err}");
    assert_eq!(code, 1);
    fs::write(home.path("chat.json"), "[]").unwrap();
    let (_, err, code) = home.run(&["proof", "data", "chat.json"], &[]);
    assert!(err.contains("chat.json is a file: name the folder that it stands in."), "{err}");
    assert_eq!(code, 2);
    let (_, err, code) = home.run(&["proof", "data", "nowhere"], &[]);
    assert!(err.contains("there is no folder nowhere."), "{err}");
    assert_eq!(code, 2);
    let (_, err, code) = home.run(&["proof", "data"], &[]);
    assert!(err.contains("proof data takes a folder"), "{err}");
    assert_eq!(code, 2);
    let (_, err, code) = home.run(&["proof", "1", "extra"], &[]);
    assert!(
        err.contains("only proof data takes a folder, and extra stands behind proof 1"),
        "{err}"
    );
    assert_eq!(code, 2);
    let (help, _, _) = home.run(&["proof", "--help"], &[]);
    assert!(help.contains("locomo10.json") && help.contains("probing_questions.json"), "{help}");
}
