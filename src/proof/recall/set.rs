//! Conversations with questions about them, as in `tests/fixtures/recall`.

use crate::memory::{Role, Status, Turn};
use crate::store::{Setup, SetupEffort};

/// What was said on one day to one end.
#[derive(Debug, Clone)]
pub struct Session {
    /// The effort's id, or `ambient`.
    pub id: String,
    /// Such as `2025-01-07`.
    pub day: String,
    /// What stands for it; empty for ambient talk.
    pub summary: String,
    /// Each with whether the user said it.
    pub messages: Vec<(bool, String)>,
}

/// A question, and what answers it.
#[derive(Debug, Clone)]
pub struct Question {
    /// `direct`, `paraphrase`, `temporal`, `updated`, `two`, `ambient`.
    pub kind: String,
    /// The sessions that it takes.
    pub ids: Vec<String>,
    /// Words that the evidence holds, in lower case.
    pub answer: String,
    /// What is asked.
    pub text: String,
}

/// A conversation with its questions.
#[derive(Debug, Clone)]
pub struct Set {
    /// What it is called in the table.
    pub name: String,
    /// Efforts in order of time, then ambient talk.
    pub sessions: Vec<Session>,
    /// In an order in which neighbours have nothing in common.
    pub questions: Vec<Question>,
}

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../../tests/fixtures/recall/", $name, ".txt"))
    };
}

/// Work and everyday life in six domains: what the ranking was made with.
pub fn own() -> Set {
    let talk = concat!(fixture!("talk"), fixture!("ambient"));
    Set::read("work and life, tuned on", talk, fixture!("questions"))
}

/// Friends who talk over months: looked at once, to check the ranking, which was made with the other one.
pub fn friends() -> Set {
    Set::read("friends, looked at once", fixture!("friends"), fixture!("friends_questions"))
}

/// Everyday life in other languages than English, each with messages in it that need nothing of what was said before.
pub(super) fn languages() -> [(Set, Vec<&'static str>); 3] {
    let set = |name, talk, questions: &'static str| {
        let unrelated = questions.lines().filter(|line| question(line).is_none()).collect();
        (Set::read(name, talk, questions), unrelated)
    };
    [
        set("German", fixture!("german"), fixture!("german_questions")),
        set("Spanish", fixture!("spanish"), fixture!("spanish_questions")),
        set("French", fixture!("french"), fixture!("french_questions")),
    ]
}

/// Messages that need nothing of what was said before.
pub fn small_talk() -> impl Iterator<Item = &'static str> {
    fixture!("small_talk").lines()
}

impl Set {
    fn read(name: &str, talk: &str, questions: &str) -> Self {
        let mut questions: Vec<Question> = questions.lines().filter_map(question).collect();
        crate::random::Random::new(1).shuffle(&mut questions);
        Self { name: name.to_owned(), sessions: sessions(talk), questions }
    }

    /// How many efforts the conversation is made of.
    pub fn efforts(&self) -> usize {
        self.sessions.iter().filter(|session| session.id != "ambient").count()
    }

    /// The session that a conversation is asked about in, with others before it and among it.
    pub(super) fn setup(&self, others: &[Session]) -> Setup {
        let (ambient, own): (Vec<&Session>, Vec<&Session>) =
            self.sessions.iter().partition(|session| session.id == "ambient");
        let mut efforts: Vec<&Session> = own.into_iter().chain(others).collect();
        efforts.sort_by_key(|session| &session.day);
        let efforts: Vec<SetupEffort> = efforts.into_iter().map(Session::stored).collect();
        let turn = Turn(efforts.len() as u64 * 10);
        let ambient = ambient.iter().flat_map(|session| session.messages.chunks(2));
        let text = |said: &[(bool, String)], at: usize| {
            said.get(at).map_or_else(String::new, |(_, text)| text.clone())
        };
        let ambient = ambient.map(|said| (text(said, 0), text(said, 1))).collect();
        Setup { turn, ambient, efforts, ..Setup::default() }
    }
}

impl Session {
    fn stored(&self) -> SetupEffort {
        let role = |is_user: bool| if is_user { Role::User } else { Role::Assistant };
        let at = format!("{}T10:00:00", self.day);
        let message = |(user, text): &(bool, String)| (role(*user), text.clone(), at.clone());
        SetupEffort {
            id: self.id.clone(),
            status: Status::Concluded,
            summary: Some(self.summary.clone()),
            tags: Vec::new(),
            last_referenced_turn: Some(Turn(0)),
            messages: self.messages.iter().map(message).collect(),
        }
    }
}

fn sessions(talk: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    for line in talk.lines() {
        if let Some((id, day)) = line.strip_prefix("## ").and_then(|head| head.split_once(" | ")) {
            let (id, day, summary) = (id.to_owned(), day.to_owned(), String::new());
            sessions.push(Session { id, day, summary, messages: Vec::new() });
        } else if let Some((sign, text)) = line.split_once(' ')
            && let Some(session) = sessions.last_mut()
        {
            match sign {
                "=" => text.clone_into(&mut session.summary),
                _ => session.messages.push((sign == "u", text.to_owned())),
            }
        }
    }
    sessions
}

fn question(line: &str) -> Option<Question> {
    let parts: Vec<&str> = line.split(" | ").collect();
    let [kind, ids, answer, text] = parts[..] else { return None };
    let ids = ids.split(", ").map(str::to_owned).collect();
    Some(Question {
        kind: kind.to_owned(),
        ids,
        answer: answer.to_lowercase(),
        text: text.to_owned(),
    })
}
