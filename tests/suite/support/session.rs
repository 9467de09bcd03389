//! Sessions for tests: played turn by turn, or written in one go at any size.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use ebbtide::memory::{
    Change, CountTokens, EffortId, Ended, Exchange, Frame, Memory, Role, Rules, Tokens, Turn,
};
use ebbtide::store::{Drafts, Error, Opened, Problem, Step, Store};

/// Counts words, which is all that a test of files needs.
pub(crate) struct Words;

impl CountTokens for Words {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.split_whitespace().count() as u64)
    }
}

/// A session with its memory, driven as the program drives it.
pub(crate) struct Session {
    pub(crate) store: Store,
    pub(crate) memory: Memory,
    pub(crate) opened: Vec<String>,
    pub(crate) interrupted: Option<String>,
    pub(crate) drafts: Drafts,
    pub(crate) problems: Vec<Problem>,
}

impl Session {
    /// Opens and loads a session.
    pub(crate) fn open(dir: &Path) -> Self {
        Self::try_open(dir).expect("the session opens and loads")
    }

    /// The same for one that may be refused.
    pub(crate) fn try_open(dir: &Path) -> Result<Self, Error> {
        let Opened { mut store, transcript, interrupted, drafts, mut problems, .. } =
            Store::open(dir)?;
        let loaded = store.load(10)?;
        problems.extend(loaded.problems);
        let frame = Frame { system_prompt: "system".into(), tools: "tools".into() };
        let rules = Rules { soft_percent: 70, ..Rules::default() };
        let memory = Memory::restore(rules, frame, Arc::new(Words), loaded.restored);
        let opened = transcript.iter().map(|entry| entry.text.to_string()).collect();
        let interrupted = interrupted.map(|it| it.user.to_string());
        Ok(Self { store, memory, opened, interrupted, drafts, problems })
    }

    /// Plays a whole turn, with commands in its middle.
    pub(crate) fn turn(&mut self, user: &str, reply: &str, commands: &[Command]) -> Ended {
        let turn = self.memory.begin_turn();
        self.store.begin_turn(turn, user, self.memory.log_of_turn()).expect("the turn begins");
        for command in commands {
            self.run(command, Some(user));
        }
        let exchange = Exchange { user: user.into(), assistant: reply.into() };
        let log = self.memory.log_of_turn().cloned();
        self.store.log_exchange(turn, log.as_ref(), &exchange).expect("the exchange is logged");
        let ended = self.memory.end_turn(&exchange);
        self.store.finish_turn(&ended, &self.memory).expect("the turn is counted");
        ended
    }

    /// Runs one command, as a tool or a slash command would.
    pub(crate) fn run(&mut self, command: &Command, user: Option<&str>) {
        let changes = match command {
            Command::Open(name) => self.memory.open(name),
            Command::Close(id, summary) => {
                let source = self.memory.close_source(Some(id), user).expect("it can be closed");
                self.memory.conclude(&source, summary)
            }
            Command::Switch(id) => self.memory.switch(id),
            Command::Expand(id) => {
                let raw = self.store.read_log(&EffortId::stored(id)).expect("the log is read");
                self.memory.expand(id, raw)
            }
            Command::Reopen(id) => {
                let raw = self.store.read_log(&EffortId::stored(id)).expect("the log is read");
                self.memory.reopen(id, raw)
            }
        };
        let change = changes.expect("the command makes sense");
        self.record(&[change], Step::Done);
    }

    /// Writes changes down, as the driver does.
    pub(crate) fn record(&mut self, changes: &[Change], step: Step) {
        self.store.prepare(changes);
        self.store.record(changes, &self.memory, step).expect("the changes are recorded");
    }

    /// Ends the session as a quit does.
    pub(crate) fn close(self) {
        self.store.close().expect("the session closes");
    }

    /// The words of a log.
    pub(crate) fn log(&self, id: &str) -> Vec<String> {
        let log = self.store.read_log(&EffortId::stored(id)).expect("the log is read");
        log.into_iter().map(|(_, text)| text.to_string()).collect()
    }
}

/// A command of a test.
pub(crate) enum Command {
    Open(&'static str),
    Close(&'static str, &'static str),
    Switch(&'static str),
    Expand(&'static str),
    Reopen(&'static str),
}

/// Writes a session of any size as another program would have left it: `efforts` concluded efforts
/// with two messages each, and `ambient` exchanges.
pub(crate) fn write_large(dir: &Path, efforts: usize, ambient: usize) {
    let logs = dir.join("efforts");
    fs::create_dir_all(&logs).expect("the directory can be made");
    let mut manifest = String::from("efforts:\n");
    for number in 0..efforts {
        let _ = write!(
            manifest,
            "  - id: topic-{number}\n    status: concluded\n    summary: \"Worked on part {number} \
             of the service: found w{number}a, fixed it with w{number}b and wrote a test.\"\n    \
             raw_file: efforts/topic-{number}.jsonl\n    raw_tokens: 40\n    raw_messages: 2\n"
        );
        let log = said(&format!("what about {number}?")) + &answered(&format!("fixed {number}"));
        fs::write(logs.join(format!("topic-{number}.jsonl")), log).expect("the log is written");
    }
    if efforts == 0 {
        manifest = "efforts: []\n".into();
    }
    fs::write(dir.join("manifest.yaml"), manifest).expect("the manifest is written");
    let mut raw = String::new();
    for number in 0..ambient {
        raw += &said(&format!("small talk {number}"));
        raw += &answered(&format!("indeed {number}"));
    }
    fs::write(dir.join("raw.jsonl"), raw).expect("the log is written");
    let state = format!("{{\"turn_count\": {}, \"updated\": \"2026-01-01T10:00:00\"}}", 1000);
    fs::write(dir.join("session_state.json"), state).expect("the state is written");
}

/// A line of the user, as slice 1 writes it.
pub(crate) fn said(text: &str) -> String {
    line(Role::User, text)
}

/// A line of the model.
pub(crate) fn answered(text: &str) -> String {
    line(Role::Assistant, text)
}

fn line(role: Role, text: &str) -> String {
    let text = serde_json::Value::from(text);
    format!(
        "{{\"role\": \"{}\", \"content\": {text}, \"ts\": \"2026-01-01T10:00:00\"}}\n",
        role.as_str()
    )
}

/// A turn by number.
pub(crate) fn turn(number: u64) -> Turn {
    Turn(number)
}
