//! `LoCoMo`: ten conversations of two friends over months, in sessions with dates; its questions cite messages (`D3:11`).

use std::sync::LazyLock;

use regex_automata::Span;
use regex_automata::meta::Regex;
use serde_json::Value;

use super::cited::{Cited, month, question};
use crate::proof::recall::{Question, Session, Set};

/// A citation. Some of the published ones have a colon too many, leading zeros, or several in one text.
static CITATION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"D:?(\d+):0*(\d+)").ok());

/// Kinds of questions by their numbers, as the authors' evaluation takes them (the order in which their paper lists them is
/// another one).
const KINDS: [&str; 4] = ["multi-hop", "temporal", "open-domain", "single-hop"];

/// The number of those that have no answer, and are not asked.
const UNANSWERABLE: u64 = 5;

/// What a conversation is called that has no name, and its set.
const NOBODY: &str = "a conversation";
pub(super) const UNNAMED: &str = "LoCoMo a conversation";

/// The conversations of the file.
pub(super) fn read(file: &Value) -> Result<Vec<Cited>, String> {
    let samples = file.as_array().ok_or("a list of conversations is expected")?;
    samples.iter().map(conversation).collect()
}

fn conversation(sample: &Value) -> Result<Cited, String> {
    let name = sample["sample_id"].as_str().unwrap_or(NOBODY);
    let talk =
        sample["conversation"].as_object().ok_or(format!("{name} has no \"conversation\""))?;
    let first_speaker = talk.get("speaker_a").and_then(Value::as_str).unwrap_or_default();
    let mut sessions = Vec::new();
    // Some have dates for sessions that were never talked, and excerpts begin anywhere.
    let mut numbers: Vec<u64> = talk.keys().filter_map(|key| session_of(key)).collect();
    numbers.sort_unstable();
    for number in numbers {
        let said = talk.get(&format!("session_{number}")).and_then(Value::as_array);
        let Some(said) = said else { continue };
        let at = talk.get(&format!("session_{number}_date_time")).and_then(Value::as_str);
        let summary = &sample["session_summary"][format!("session_{number}_summary")];
        sessions.push(Session {
            id: id(number),
            day: at.and_then(day).unwrap_or_default(),
            summary: summary.as_str().unwrap_or_default().to_owned(),
            messages: said.iter().map(|one| message(one, first_speaker)).collect(),
        });
    }
    if sessions.is_empty() {
        return Err(format!("{name} has no session (\"session_1\")"));
    }
    Ok(asked(sample, sessions, name))
}

/// The number in the key of a session's messages, as it is written without zeros before it.
fn session_of(key: &str) -> Option<u64> {
    let digits = key.strip_prefix("session_")?;
    digits.parse().ok().filter(|number: &u64| number.to_string() == digits)
}

fn id(session: u64) -> String {
    format!("session-{session}")
}

fn message(said: &Value, first_speaker: &str) -> (bool, String) {
    let speaker = said["speaker"].as_str().unwrap_or_default();
    let text = said["text"].as_str().unwrap_or_default();
    let shown = said["blip_caption"].as_str();
    let shown = shown.map_or_else(String::new, |caption| format!(" [shows {caption}]"));
    (speaker == first_speaker, format!("{speaker}: {text}{shown}"))
}

fn asked(sample: &Value, sessions: Vec<Session>, name: &str) -> Cited {
    let (mut questions, mut blank) = (Vec::new(), 0);
    let (mut uncited, mut unanswerable, mut unknown, mut broken) = (0, 0, 0, 0);
    for asked in sample["qa"].as_array().into_iter().flatten() {
        let Some(text) = question(asked) else {
            blank += 1;
            continue;
        };
        let category = number(&asked["category"]);
        let kind = category.and_then(|number| KINDS.get(number.checked_sub(1)? as usize));
        let Some(kind) = kind else {
            let count =
                if category == Some(UNANSWERABLE) { &mut unanswerable } else { &mut unknown };
            *count += 1;
            continue;
        };
        let (ids, missing) = cited(&asked["evidence"], &sessions);
        broken += missing;
        if ids.is_empty() {
            uncited += 1;
            continue;
        }
        let (kind, answer) = ((*kind).to_owned(), String::new());
        questions.push(Question { kind, ids, answer, text: text.to_owned() });
    }
    let set = Set { name: format!("LoCoMo {name}"), sessions, questions };
    Cited { set, blank, uncited, unanswerable, unknown, broken, ambiguous: 0 }
}

/// A number, which some copies have as text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// The sessions that are cited, and how many citations name no message.
fn cited(evidence: &Value, sessions: &[Session]) -> (Vec<String>, usize) {
    let (mut ids, mut broken) = (Vec::new(), 0);
    // Some copies have one text in place of a list.
    let all = evidence.as_array().map_or(std::slice::from_ref(evidence), Vec::as_slice);
    let texts = all.iter().filter_map(Value::as_str);
    let citations = texts.flat_map(|text| {
        let found = CITATION.iter().flat_map(move |regex| regex.captures_iter(text));
        let part = |place: Option<Span>| place.map_or("", |place| &text[place.range()]);
        found.map(move |found| [1, 2].map(|nth| part(found.get_group(nth))))
    });
    for [session, message] in citations {
        let (session, message) = (session.parse(), message.parse::<usize>());
        let found = session.ok().map(id).and_then(|id| sessions.iter().find(|one| one.id == id));
        let found =
            found.filter(|one| message.is_ok_and(|at| (1..=one.messages.len()).contains(&at)));
        match found {
            Some(session) if !ids.contains(&session.id) => ids.push(session.id.clone()),
            Some(_) => {}
            None => broken += 1,
        }
    }
    (ids, broken)
}

/// `1:56 pm on 8 May, 2023` as `2023-05-08`.
fn day(text: &str) -> Option<String> {
    let (_, date) = text.split_once(" on ")?;
    let mut parts = date.split([' ', ',']).filter(|part| !part.is_empty());
    let day: u32 = parts.next()?.parse().ok()?;
    let month = month(parts.next()?)?;
    let year: u32 = parts.next()?.parse().ok()?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file() -> Value {
        let said = |speaker: &str, nth: usize, text: &str| json!({ "speaker": speaker, "dia_id": nth, "text": text });
        json!([{
            "sample_id": "conv-1",
            "conversation": {
                "speaker_a": "Ann", "speaker_b": "Bo",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [said("Ann", 1, "Hello"), { "speaker": "Bo", "text": "Look", "blip_caption": "a boat" }],
                "session_2_date_time": "noon on 1 June, 2023",
                "session_3_date_time": "9:00 am on 12 December, 2023",
                "session_3": [said("Bo", 1, "It snows")],
            },
            "session_summary": { "session_1_summary": "They met." },
            "qa": [
                { "question": "What?", "evidence": ["D1:02; D3:1"], "category": 1 },
                { "question": "When?", "evidence": ["D:3:1", "D3:9"], "category": 2 },
                { "question": "Who?", "evidence": "D3:1", "category": "4" },
                { "question": "Why?", "evidence": [], "category": 4 },
                { "question": "Trick?", "evidence": ["D1:1"], "category": 5 },
                { "question": "None?", "evidence": ["D9:1"], "category": 0 },
                { "question": "Which?", "evidence": ["D1:1"] },
                { "question": "", "evidence": ["D1:1"], "category": 1 },
                { "question": " \n", "evidence": ["D1:1"], "category": 1 },
                7,
            ],
        }])
    }

    #[test]
    fn sessions_have_days_speakers_and_pictures() {
        let read = read(&file()).expect("as it is published");
        let sessions = &read[0].set.sessions;
        assert_eq!(sessions.len(), 2, "a date alone is no session");
        assert_eq!(
            (sessions[0].id.as_str(), sessions[0].day.as_str()),
            ("session-1", "2023-05-08")
        );
        assert_eq!(sessions[0].summary, "They met.");
        assert_eq!(sessions[0].messages[1], (false, "Bo: Look [shows a boat]".to_owned()));
        assert_eq!(sessions[1].day, "2023-12-12");
    }

    #[test]
    fn citations_are_read_however_they_are_spelt_and_wrong_ones_counted() {
        let cited = &read(&file()).expect("as it is published")[0];
        let ids: Vec<&[String]> =
            cited.set.questions.iter().map(|one| one.ids.as_slice()).collect();
        assert_eq!(
            ids,
            [
                &["session-1".to_owned(), "session-3".to_owned()][..],
                &["session-3".to_owned()],
                &["session-3".to_owned()]
            ]
        );
        assert_eq!((cited.uncited, cited.unanswerable, cited.broken), (1, 1, 1));
        assert_eq!(cited.unknown, 2, "nobody says that they have no answer");
        assert_eq!(cited.blank, 3, "what has no words asks nothing");
        // As the authors' evaluation counts them: lists of answers are those to the first kind.
        let kinds: Vec<&str> = cited.set.questions.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!(kinds, ["multi-hop", "temporal", "single-hop"]);
    }

    #[test]
    fn an_excerpt_begins_anywhere_and_has_gaps() {
        let talk = json!({
            "session_40": [{ "speaker": "Ann", "text": "Forty" }], "session_7": [{ "speaker": "Bo", "text": "Seven" }],
            "session_07": [{ "speaker": "Bo", "text": "?" }], "session_7_date_time": "1:56 pm on 8 May, 2023",
        });
        let qa = json!([{ "question": "What?", "evidence": ["D40:1"], "category": 1 }]);
        let read = read(&json!([{ "sample_id": "x", "conversation": talk, "qa": qa }]));
        let cited = &read.expect("sessions")[0];
        let ids: Vec<&str> = cited.set.sessions.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["session-7", "session-40"]);
        assert_eq!(cited.set.questions[0].ids, ["session-40"]);
    }

    #[test]
    fn what_is_missing_is_named() {
        assert!(read(&json!({})).is_err_and(|why| why.contains("list")));
        let why = read(&json!([{ "sample_id": "x" }])).expect_err("no conversation");
        assert_eq!(why, "x has no \"conversation\"");
    }
}
