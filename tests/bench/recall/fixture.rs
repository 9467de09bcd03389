//! The talk and the questions in `tests/fixtures/recall`.

use std::fs;
use std::path::Path;

use crate::said::{Date, Source};

/// What was said on one day to one end.
pub(crate) struct Session {
    /// The effort's id, or `ambient`.
    pub(crate) id: String,
    pub(crate) day: Option<Date>,
    pub(crate) summary: String,
    /// User and model in turn.
    pub(crate) messages: Vec<String>,
}

impl Session {
    pub(crate) fn source(&self) -> Source {
        if self.id == "ambient" { Source::Ambient } else { Source::Effort(self.id.clone()) }
    }
}

/// A question, and what answers it.
pub(crate) struct Question {
    /// `direct`, `paraphrase`, `temporal`, `updated`, `two`, `ambient`.
    pub(crate) kind: String,
    /// The efforts that it takes.
    pub(crate) ids: Vec<String>,
    /// Words that the evidence holds.
    pub(crate) answer: String,
    pub(crate) text: String,
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).expect("the fixture is there")
}

/// Efforts first, in order of time, then ambient talk.
pub(crate) fn sessions(directory: &Path) -> Vec<Session> {
    let text = read(directory, "talk.txt") + &read(directory, "ambient.txt");
    let mut sessions: Vec<Session> = Vec::new();
    for line in text.lines() {
        if let Some((id, day)) = line.strip_prefix("## ").and_then(|head| head.split_once(" | ")) {
            let (id, day) = (id.to_owned(), day.parse().ok());
            sessions.push(Session { id, day, summary: String::new(), messages: Vec::new() });
        } else if let Some(session) = sessions.last_mut() {
            match line.split_once(' ') {
                Some(("=", summary)) => summary.clone_into(&mut session.summary),
                Some((_, message)) => session.messages.push(message.to_owned()),
                None => {}
            }
        }
    }
    sessions
}

pub(crate) fn questions(directory: &Path) -> Vec<Question> {
    let parse = |line: &str| {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [kind, ids, answer, text] = parts[..] else { return None };
        let ids = ids.split(", ").map(str::to_owned).collect();
        Some(Question {
            kind: kind.to_owned(),
            ids,
            answer: answer.to_lowercase(),
            text: text.to_owned(),
        })
    };
    read(directory, "questions.txt").lines().filter_map(parse).collect()
}

/// Messages that need nothing of what was said before.
pub(crate) fn small_talk(directory: &Path) -> Vec<String> {
    read(directory, "small_talk.txt").lines().map(str::to_owned).collect()
}
