//! A conversation in several files, of which one holds more of it than the other.

use serde_json::{Value, json};

use super::{line, lines};
use crate::read::{Event, Reader};

/// What each file tells on one line, and how many of its messages another one told.
fn each_of(files: &[Vec<u8>]) -> Vec<(String, u64)> {
    let mut reader = Reader::default();
    let of = |file: &Vec<u8>| {
        let mut told = Vec::new();
        let mut hear = |event: Event| {
            if !matches!(event, Event::Begins { .. } | Event::Reply(_)) {
                told.push(line(&event));
            }
        };
        let tally = reader.read(file, &mut hear).unwrap().tally;
        let again = tally.skipped.get("said in another file already").copied();
        (told.join(" "), again.unwrap_or(0))
    };
    files.iter().map(of).collect()
}

/// Exports of a conversation with these messages, the person's first.
fn exports(said: &[&str]) -> Vec<(&'static str, Vec<u8>)> {
    let made = 1_750_000_000_u64;
    let roles = ["user", "assistant"].iter().cycle();
    let all: Vec<(usize, &str, &str)> =
        said.iter().zip(roles).enumerate().map(|(nth, (text, role))| (nth, *role, *text)).collect();
    let mut mapping = json!({});
    let mut history = json!({});
    for (nth, role, text) in &all {
        let (id, parent) = (nth.to_string(), nth.checked_sub(1).map(|nth| nth.to_string()));
        let content = json!({ "content_type": "text", "parts": [text] });
        let message = json!({ "author": { "role": role }, "recipient": "all", "content": content });
        mapping[&id] = json!({ "id": id, "parent": parent, "children": [], "message": message });
        history[&id] = json!({ "id": id, "parentId": parent, "role": role, "content": text });
    }
    let last = (all.len() - 1).to_string();
    let each = |message: &dyn Fn(&(usize, &str, &str)) -> Value| -> Vec<Value> {
        all.iter().map(message).collect()
    };
    let sender = |role: &str| if role == "user" { "human" } else { "assistant" };
    let claude = each(&|(_, role, text)| json!({ "sender": sender(role), "text": text }));
    let opencode = each(
        &|(nth, role, text)| json!({ "info": { "id": nth.to_string(), "role": role }, "parts": [{ "type": "text", "text": text }] }),
    );
    let gemini = each(
        &|(nth, role, text)| json!({ "id": nth.to_string(), "type": if *role == "user" { "user" } else { "gemini" }, "content": text }),
    );
    let head = json!({ "sessionId": "c", "projectHash": "h", "startTime": "2026-05-01T10:00:00Z" });
    vec![
        ("ChatGPT", json!([{ "id": "c", "create_time": made, "current_node": last, "mapping": mapping }]).to_string().into_bytes()),
        ("Claude.ai", json!([{ "uuid": "c", "created_at": "2026-05-01T10:00:00Z", "chat_messages": claude }]).to_string().into_bytes()),
        ("Open WebUI", json!([{ "id": "c", "created_at": made, "chat": { "history": { "currentId": last, "messages": history } } }]).to_string().into_bytes()),
        ("opencode", json!({ "info": { "id": "c" }, "messages": opencode }).to_string().into_bytes()),
        ("Gemini", lines(&[vec![head], gemini].concat())),
    ]
}

#[test]
fn a_longer_version_of_a_conversation_tells_what_is_new_in_it() {
    let short = exports(&["Hi", "Hello."]);
    let long = exports(&["Hi", "Hello.", "More", "Sure."]);
    let otherwise = exports(&["Hi", "Hello, written otherwise.", "Else", "Yes."]);
    for ((short, long), otherwise) in short.into_iter().zip(long).zip(otherwise) {
        let name = short.0;
        let files = [short.1, long.1, otherwise.1];
        let first = "person: Hi model: Hello.";
        let in_window = "copied person: Hi copied model: Hello.";
        let told = each_of(&files);
        assert_eq!(told[0], (first.to_owned(), 0), "{name}");
        assert_eq!(told[1], (format!("{in_window} person: More model: Sure."), 2), "{name}");
        assert!(told[2].0.ends_with("otherwise. person: Else model: Yes."), "{name} {told:?}");
        let [short, long, _] = files;
        let told = each_of(&[long.clone(), short, long]);
        assert_eq!(told[0].0, format!("{first} person: More model: Sure."), "{name}");
        assert_eq!(told[1..], [(String::new(), 2), (String::new(), 4)], "{name}");
    }
}

#[test]
fn what_answers_a_message_that_was_the_last_one_is_new() {
    let (asked, answered) = (exports(&["Hi"]), exports(&["Hi", "Hello."]));
    for ((name, asked), (_, answered)) in asked.into_iter().zip(answered) {
        let told = each_of(&[asked, answered]);
        assert_eq!(told[1], ("copied person: Hi model: Hello.".to_owned(), 1), "{name}");
    }
}

#[test]
fn a_branch_of_silly_tavern_tells_only_what_is_its_own() {
    let said = |nth: u32, mes: &str| json!({ "name": "x", "is_user": nth % 2 == 1, "mes": mes, "send_date": format!("2026-05-01T10:00:{nth:02}Z") });
    let chat = |of: Value, own: [&str; 2]| {
        let header = json!({ "user_name": "U", "character_name": "A", "chat_metadata": of });
        let shared = [said(0, "Welcome."), said(1, "One"), said(2, "First.")];
        lines(&[&[header], &shared[..], &[said(3, own[0]), said(4, own[1])]].concat())
    };
    let main = chat(json!({}), ["Two", "Second."]);
    let branch = chat(json!({ "main_chat": "A - 1" }), ["Else", "Other."]);
    let told = each_of(&[main, branch]);
    let first = "model: Welcome. person: One model: First. person: Two model: Second.";
    assert_eq!(told[0].0, first);
    let own =
        "copied model: Welcome. copied person: One copied model: First. person: Else model: Other.";
    assert_eq!(told[1], (own.to_owned(), 3));
}
