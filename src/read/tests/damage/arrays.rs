//! Arrays of which an element is damaged, or the end missing: what stands behind is read, and the place is told.

use serde_json::{Value, json};

use super::super::{listing, told};
use crate::read::{Gap, Reader};

fn chat_gpt(id: usize) -> Value {
    let message = |role: &str, text: &str| json!({ "author": { "role": role }, "content": { "content_type": "text", "parts": [text, "},{ [", { "content_type": "image" }] } });
    json!({ "title": format!("T{id}"), "id": format!("c{id}"), "current_node": "b", "mapping": {
        "a": { "parent": null, "message": message("user", &format!("Ask {id} \"so\", {{}}")) },
        "b": { "parent": "a", "message": message("assistant", &format!("Answer {id}")) },
    } })
}

fn claude_ai(id: usize) -> Value {
    let said = |by: &str| json!({ "uuid": format!("{by}{id}"), "sender": by, "text": format!("Words {id}"), "content": [{ "type": "text", "text": format!("Words {id}") }] });
    json!({ "name": format!("T{id}"), "uuid": format!("c{id}"), "chat_messages": [said("human"), said("assistant")] })
}

fn open_webui(id: usize) -> Value {
    let messages = json!({ "a": { "id": "a", "role": "user", "content": format!("Ask {id}") } });
    json!({ "title": format!("T{id}"), "id": format!("c{id}"), "chat": { "history": { "currentId": "a", "messages": messages } } })
}

fn share_gpt(id: usize) -> Value {
    json!({ "title": format!("T{id}"), "id": format!("c{id}"), "conversations": [{ "from": "human", "value": format!("Ask {id}") }, { "from": "gpt", "value": "Well" }] })
}

fn turn(id: usize) -> Value {
    json!({ "title": format!("T{id}"), "role": "user", "content": [{ "type": "text", "text": format!("Ask {id}") }] })
}

const ELEMENTS: [fn(usize) -> Value; 5] = [chat_gpt, claude_ai, open_webui, share_gpt, turn];

/// An array of five, and where its third element begins and ends.
fn array(element: fn(usize) -> Value) -> (Vec<u8>, std::ops::Range<usize>) {
    let all: Vec<String> = (0..5).map(|id| element(id).to_string()).collect();
    let from = 1 + all[..2].iter().map(|one| one.len() + 1).sum::<usize>();
    (format!("[{}]", all.join(",")).into_bytes(), from..from + all[2].len())
}

fn gaps(file: &[u8]) -> Vec<Gap> {
    told(file).unwrap().1.tally.gaps
}

/// What is told of an array without its third element.
fn others(element: fn(usize) -> Value) -> Vec<String> {
    let all =
        listing(json!([element(0), element(1), element(3), element(4)]).to_string().as_bytes());
    all.into_iter().filter(|line| !line.starts_with("== ")).collect()
}

#[test]
fn one_bad_byte_costs_its_own_element_and_its_place_is_told() {
    for element in ELEMENTS {
        let (file, third) = array(element);
        let expected = others(element);
        for bad in [b'"', b'[', b']', b'{', b'}', b'\\', b'x'] {
            for into in [1, 5, third.len() / 2, third.len() - 2, third.len() - 1] {
                let at = third.start + into;
                let mut damaged = file.clone();
                damaged.insert(at, bad);
                let (events, outcome, _) = told(&damaged).unwrap();
                let said: Vec<String> = events.iter().map(super::super::line).collect();
                let said = || said.iter().filter(|line| !line.starts_with("== "));
                let text = String::from_utf8_lossy(&damaged);
                // In a string a letter or a bracket is no damage.
                if outcome.tally.gaps.is_empty() {
                    assert!(said().count() >= expected.len(), "{text}");
                    continue;
                }
                let [gap] = &outcome.tally.gaps[..] else { panic!("{:?} {text}", outcome.tally) };
                // A bracket too many in front of an element is passed over alone.
                let is_whole = gap.to - gap.from < 3;
                assert!(
                    is_whole || said().eq(&expected),
                    "{bad} at {into} of {text}\n{:?}",
                    outcome.tally
                );
                let begins = third.start as u64..=third.end as u64 + 1;
                assert!(gap.read_on && begins.contains(&gap.from), "{gap:?}");
                assert!(is_whole || gap.from == third.start as u64, "{gap:?}");
                assert!(gap.at >= gap.from && gap.to >= gap.at, "{gap:?} {text}");
                let skipped = outcome.tally.skipped;
                let damaged = ["damaged conversation", "no JSON record"];
                let of = damaged.map(|kind| skipped.get(kind).unwrap_or(&0));
                let lost = of.into_iter().sum::<u64>();
                assert!(lost == 1 || is_whole && lost == 0, "{text}");
            }
        }
    }
}

#[test]
fn where_an_array_breaks_off_is_told() {
    for element in ELEMENTS {
        let (file, third) = array(element);
        for (length, from) in
            [(third.end - 1, third.start), (third.end, third.end), (third.end + 1, third.end + 1)]
        {
            let [gap] = &gaps(&file[..length])[..] else { panic!("{:?}", gaps(&file[..length])) };
            assert_eq!((gap.at, gap.from, gap.read_on), (length as u64, from as u64, false));
            assert!(gap.to_string().contains("breaks off at byte "), "{gap}");
        }
        assert_eq!(gaps(&file), []);
        // Another bracket than the one between two elements.
        let mut ended = file.clone();
        ended[third.end] = b']';
        let [gap] = &gaps(&ended)[..] else { panic!("{:?}", gaps(&ended)) };
        assert!(gap.read_on && listing(&ended) == listing(&file), "{gap}");
    }
}

#[test]
fn a_damaged_list_in_an_object_is_read_as_any_other_and_what_stands_behind_it_is_no_damage() {
    let (file, third) = array(chat_gpt);
    let mut damaged = file.clone();
    damaged.insert(third.start + 20, b'"');
    let around =
        |list: &[u8]| [b"{\"conversations\":", list, b", \"user\": {\"a\": [1]}}"].concat();
    assert_eq!((gaps(&around(&file)), gaps(&around(&damaged)).len()), (Vec::new(), 1));
    assert_eq!(listing(&around(&damaged)), listing(&damaged));
}

#[test]
fn what_is_damaged_everywhere_is_read_as_far_as_that_takes_no_age() {
    let mut file = b"[".to_vec();
    for id in 0..300 {
        file.extend(turn(id).to_string().bytes());
        file.extend(b",{\"role\":\"user\",\"content\":\"a\"b\"},");
    }
    let tally = told(&file).unwrap().1.tally;
    assert!(tally.used() >= 100 && tally.gaps.len() <= 101, "{tally}");
    assert!(tally.to_string().contains("other places"), "{tally}");
}

#[test]
fn a_damaged_export_of_which_nothing_is_left_is_an_error_with_a_place() {
    let one = json!([chat_gpt(0)]).to_string();
    let error = Reader::default().read(&one.as_bytes()[..one.len() - 9].to_vec(), &mut |_| {});
    let error = error.unwrap_err().to_string();
    assert!(error.contains("breaks off at byte "), "{error}");
}

#[test]
fn what_stands_in_an_array_within_a_damaged_element_was_said_by_nobody() {
    let turns = json!([
        { "role": "user", "content": "INVENTED: delete all" },
        { "role": "assistant", "content": "INVENTED" },
        { "role": "user", "content": "INVENTED too" },
    ]);
    let call = json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": "x", "name": "llm", "input": { "messages": turns, "n": 1 } }] });
    let said = |text: &str| json!({ "role": "user", "content": text });
    let whole = json!([said("One"), said("Two"), call, said("Three"), said("Four")]).to_string();
    let chat = json!({ "id": "z", "chat": open_webui(9)["chat"] });
    let files =
        json!({ "a": { "id": "a", "role": "user", "content": "Ask", "files": [{}, chat, {}] } });
    let attached =
        json!({ "id": "o", "chat": { "history": { "currentId": "a", "messages": files } } });
    let chats = json!([open_webui(0), attached, open_webui(2)]).to_string();
    for (file, quote) in [(&whole, "\"x\""), (&whole, "\"tool_use\""), (&chats, "\"o\"")] {
        for lost in [0, quote.len() - 1] {
            let mut damaged = file.clone();
            damaged.remove(file.find(quote).unwrap() + lost);
            let told = listing(damaged.as_bytes()).join("\n");
            assert!(!told.contains("INVENTED") && !told.contains("Ask 9"), "{quote}: {told}");
        }
    }
}
