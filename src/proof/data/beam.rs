//! BEAM: chats of a person and a model in batches, of a hundred thousand to ten million tokens; its questions cite
//! messages by number.

use std::collections::HashMap;

use serde_json::Value;

use super::cited::{Cited, month, question};
use crate::proof::recall::{Question, Session, Set};

/// The kind of questions that nothing in the conversation answers; they are not asked.
const ABSTENTION: &str = "abstention";

/// A conversation from its two files.
pub(super) fn read(name: &str, chat: &Value, probing: &Value) -> Result<Cited, String> {
    let mut said = Said::default();
    said.read(chat, "");
    if said.sessions.is_empty() {
        return Err("no batch has \"turns\"".to_owned());
    }
    let kinds =
        probing.as_object().ok_or("probing_questions.json: questions by kind are expected")?;
    let (mut questions, mut blank) = (Vec::new(), 0);
    let (mut uncited, mut unanswerable, mut broken, mut ambiguous) = (0, 0, 0, 0);
    for (kind, asked) in kinds {
        for asked in asked.as_array().into_iter().flatten() {
            if kind == ABSTENTION {
                unanswerable += 1;
                continue;
            }
            let Some(text) = question(asked) else {
                blank += 1;
                continue;
            };
            let (ids, missing, several) = said.cited(&asked["source_chat_ids"]);
            (broken, ambiguous) = (broken + missing, ambiguous + several);
            if ids.is_empty() {
                uncited += 1;
                continue;
            }
            let (kind, text, answer) = (kind.clone(), text.to_owned(), String::new());
            questions.push(Question { kind, ids, answer, text });
        }
    }
    let set = Set { name: name.to_owned(), sessions: said.sessions, questions };
    Ok(Cited { set, blank, uncited, unanswerable, unknown: 0, broken, ambiguous })
}

/// What was said: what belongs together in a batch is a session.
#[derive(Default)]
struct Said {
    sessions: Vec<Session>,
    /// The sessions in which a message of this number stands. In the longest chats several have the same number.
    of: HashMap<u64, Vec<usize>>,
}

impl Said {
    /// Batches stand in lists, in the longest chats below the name of a plan.
    fn read(&mut self, value: &Value, anchor: &str) {
        let anchor = value["time_anchor"].as_str().unwrap_or(anchor);
        match (value, value["turns"].as_array()) {
            (_, Some(turns)) => turns.iter().for_each(|turn| self.session(turn, anchor)),
            (Value::Array(items), _) => items.iter().for_each(|item| self.read(item, anchor)),
            (Value::Object(fields), _) => {
                fields.values().for_each(|field| self.read(field, anchor));
            }
            _ => {}
        }
    }

    fn session(&mut self, turn: &Value, anchor: &str) {
        let at = self.sessions.len();
        let messages = turn.as_array().map(Vec::as_slice).unwrap_or_default();
        let anchor = messages.iter().find_map(|one| one["time_anchor"].as_str()).unwrap_or(anchor);
        for number in messages.iter().filter_map(|one| one["id"].as_u64()) {
            self.of.entry(number).or_default().push(at);
        }
        let text = |one: &Value| {
            let text = one["content"].as_str()?;
            Some((one["role"] == "user", text.to_owned()))
        };
        let messages: Vec<(bool, String)> = messages.iter().filter_map(text).collect();
        let (id, summary) = (format!("part-{}", at + 1), String::new());
        self.sessions.push(Session { id, day: day(anchor), summary, messages });
    }

    /// The sessions that are cited, and how many citations name no message, and how many several.
    fn cited(&self, citations: &Value) -> (Vec<String>, usize, usize) {
        let (mut ids, mut broken, mut ambiguous) = (Vec::new(), 0, 0);
        for number in numbers(citations) {
            match self.of.get(&number).map(Vec::as_slice) {
                Some([at]) if !ids.contains(&self.sessions[*at].id) => {
                    ids.push(self.sessions[*at].id.clone());
                }
                Some([_]) => {}
                Some([_, _, ..]) => ambiguous += 1,
                Some([]) | None => broken += 1,
            }
        }
        (ids, broken, ambiguous)
    }
}

/// All numbers of a list, also where they stand below names or in lists of their own.
fn numbers(value: &Value) -> Vec<u64> {
    match value {
        Value::Number(number) => number.as_u64().into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Object(fields) => fields.values().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// `March-15-2024` as `2024-03-15`; nothing of what is no day.
fn day(anchor: &str) -> String {
    let mut parts = anchor.split('-');
    let mut next = || parts.next().unwrap_or_default();
    let (month, day, year) = (month(next()), next().parse::<u32>(), next().parse::<u32>());
    match (month, day, year) {
        (Some(month), Ok(day), Ok(year)) => format!("{year:04}-{month:02}-{day:02}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn chat() -> Value {
        let said =
            |id: u64, role: &str| json!({ "id": id, "role": role, "content": format!("word{id}") });
        json!([{ "batch_number": 1, "time_anchor": "March-15-2024",
            "turns": [[said(0, "user"), said(1, "assistant")], [said(2, "user"), said(3, "assistant")]] }])
    }

    #[test]
    fn what_belongs_together_is_a_session_and_is_cited_by_its_messages() {
        let probing = json!({
            "abstention": [{ "question": "Nobody knows?" }],
            "knowledge_update": [{ "question": "Now?", "source_chat_ids": { "original_info": [1], "updated_info": [[2], 3] } }],
            "event_ordering": [{ "question": "First?", "source_chat_ids": [0, 99] }],
            "summarization": [{ "question": "All?" }, { "question": " ", "source_chat_ids": [1] }, 7],
        });
        let cited = read("BEAM 100K/1", &chat(), &probing).expect("as it is published");
        let session = &cited.set.sessions[1];
        assert_eq!((session.id.as_str(), session.day.as_str()), ("part-2", "2024-03-15"));
        assert_eq!(session.messages[0], (true, "word2".to_owned()));
        let ids: Vec<usize> = cited.set.questions.iter().map(|one| one.ids.len()).collect();
        assert_eq!(ids, [2, 1]);
        assert_eq!((cited.uncited, cited.unanswerable, cited.broken), (1, 1, 1));
        assert_eq!(cited.blank, 2);
    }

    #[test]
    fn plans_of_the_longest_chats_are_read_and_numbers_that_are_not_one_are_not_believed() {
        let plans = json!([{ "plan-1": chat() }, { "plan-2": chat() }]);
        let probing = json!({ "x": [{ "question": "Which?", "source_chat_ids": [1] }] });
        let cited = read("BEAM 10M/1", &plans, &probing).expect("as it is published");
        assert_eq!((cited.set.sessions.len(), cited.ambiguous, cited.uncited), (4, 1, 1));
        assert_eq!(cited.broken, 0, "there are such messages");
        assert!(read("x", &json!({ "chat": [] }), &probing).is_err());
    }
}
