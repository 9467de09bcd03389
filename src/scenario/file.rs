//! The scenario file (design section 9): what it may hold, and sentences for what it may not.

#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::line::Step::{self, Field, Item};
use super::line::{line_of, line_of_error, way};
use crate::bill::Retold;
use crate::llm::scripted::{ScriptedAnswer, ScriptedCall};
use crate::orchestrator::{Returned, SaidAt};
use crate::{memory, store};
use text::Text;

/// Most turns that one scenario may play, repeats included.
const MOST_TURNS: usize = 1_000_000;

/// Most lines that one message may paste.
const MOST_LINES: usize = 10_000;

/// Where something is wrong, and what.
type Wrong = (Vec<Step<'static>>, String);

/// A scenario that cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("the scenario {} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
    /// The file is no scenario; the text names the field and what was expected there.
    #[error("{}:{line}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and with what.
        problem: String,
    },
}

/// A scripted conversation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is called.
    #[serde(default)]
    pub name: String,
    /// What it shows, for people.
    #[serde(default)]
    pub description: String,
    /// How fast a demo begins to play it; 1 is reading speed.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Settings that differ from the defaults.
    #[serde(default)]
    pub config: BTreeMap<String, yaml_serde::Value>,
    #[serde(default)]
    setup: Setup,
    #[serde(default)]
    turns: Vec<Turn>,
    /// On which line each setting stands.
    #[serde(skip)]
    config_lines: BTreeMap<String, usize>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    #[serde(default)]
    turn: u64,
    #[serde(default)]
    ambient: Vec<AmbientExchange>,
    #[serde(default)]
    efforts: Vec<SetupEffort>,
    #[serde(default)]
    notes: Vec<SetupNote>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct AmbientExchange {
    user: String,
    assistant: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupEffort {
    id: Text,
    #[serde(default)]
    status: Status,
    #[serde(default)]
    summary: Option<Text>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    last_referenced_turn: Option<u64>,
    #[serde(default)]
    messages: Vec<SetupMessage>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupNote {
    content: Text,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    salience: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    #[default]
    Concluded,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupMessage {
    role: Role,
    content: Text,
    #[serde(default)]
    ts: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    #[serde(default)]
    repeat: Option<usize>,
    user: Text,
    #[serde(default)]
    model: Vec<Answer>,
    #[serde(default)]
    summaries: Vec<Text>,
    #[serde(default)]
    compressions: Vec<Text>,
    #[serde(default)]
    chapter: Option<String>,
    #[serde(default)]
    caption: Option<String>,
    #[serde(default)]
    then: Option<String>,
    #[serde(default)]
    paste: Option<Paste>,
    #[serde(default)]
    rest: Option<f64>,
}

/// Lines that are pasted behind the words of a message; `{i}` is the number of the line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Paste {
    lines: usize,
    text: String,
}

impl Paste {
    fn laid_out(&self) -> String {
        let lines = (1..=self.lines).map(|nth| self.text.replace("{i}", &nth.to_string()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    #[serde(default)]
    text: Option<Text>,
    #[serde(default)]
    calls: Vec<Call>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    name: String,
    #[serde(default)]
    arguments: Value,
}

/// One turn, ready to be played.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptedTurn {
    /// The user's message.
    pub user: String,
    /// The model's answers, one for each request.
    pub model: Vec<ScriptedAnswer>,
    /// What the summariser answers.
    pub summaries: Vec<String>,
    /// What map and reduce requests answer.
    pub compressions: Vec<String>,
    /// What a demo shows around it.
    pub stage: Staged,
    /// When it was said, if that was not now.
    pub said_at: Option<SaidAt>,
    /// What it took in another program, if it is told again.
    pub retold: Option<Retold>,
    /// What tools returned in it that is held by reference.
    pub returned: Vec<Returned>,
}

/// What a demo shows around a turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Staged {
    /// The chapter that begins with the turn.
    pub chapter: Option<String>,
    /// What to look at, from its beginning on.
    pub caption: Option<String>,
    /// What to look at once it is over.
    pub then: Option<String>,
    /// How many bytes of the message are typed; the rest is pasted.
    pub typed: usize,
    /// Seconds to look at what came of it; `None` for the usual time.
    pub rest: Option<f64>,
}

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Names the file, the line and what was expected there.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads a scenario from its text; `path` is for messages only.
    ///
    /// # Errors
    /// As [`Scenario::read`].
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let invalid = |line, problem| Error::Invalid { path: path.to_owned(), line, problem };
        let mut scenario: Self = yaml_serde::from_str(text)
            .map_err(|error| invalid(line_of_error(&error, text), without_line(&error)))?;
        scenario.check().map_err(|(steps, why)| {
            invalid(line_of(text, &steps), format!("{}: {why}", way(&steps)))
        })?;
        let keys = scenario.config.keys();
        let line = |key: &String| line_of(text, &[Field("config"), Field(key)]);
        scenario.config_lines = keys.map(|key| (key.clone(), line(key))).collect();
        Ok(scenario)
    }

    /// On which line a setting stands.
    pub(super) fn config_line(&self, key: &str) -> Option<usize> {
        self.config_lines.get(key).copied()
    }

    /// What no type says: where something is wrong, and what.
    fn check(&self) -> Result<(), Wrong> {
        if self.speed.is_some_and(|speed| !(0.1..=100.0).contains(&speed)) {
            return Err((vec![Field("speed")], "expected a number from 0.1 to 100".to_owned()));
        }
        for (nth, note) in self.setup.notes.iter().enumerate() {
            let steps = vec![Field("setup"), Field("notes"), Item(nth)];
            note.check().map_err(|why| (steps, why.to_string()))?;
        }
        let mut turns: usize = 0;
        for (nth, turn) in self.turns.iter().enumerate() {
            let of_turn = |mut steps: Vec<Step<'static>>| {
                steps.splice(..0, [Field("turns"), Item(nth)]);
                steps
            };
            turn.check().map_err(|(steps, why)| (of_turn(steps), why))?;
            turns = turns.saturating_add(turn.count());
            if turns > MOST_TURNS {
                let why = format!("these are {turns} turns, at most {MOST_TURNS} can be played");
                return Err((of_turn(vec![Field("repeat")]), why));
            }
        }
        Ok(())
    }

    /// The turns to play, repeats laid out, numbered from `first`. `{n}` is the number of the turn.
    pub fn turns(&self, first: u64) -> impl Iterator<Item = ScriptedTurn> + Send + use<> {
        let turns = self.turns.clone().into_iter();
        turns
            .flat_map(|turn| std::iter::repeat_n(turn.clone(), turn.count()))
            .zip(first..)
            .map(|(turn, number)| turn.numbered(number))
    }

    /// What its chapters are called, in order.
    pub fn chapters(&self) -> impl Iterator<Item = &str> {
        self.turns.iter().filter_map(|turn| turn.chapter.as_deref())
    }

    /// How many turns it plays.
    pub fn turn_count(&self) -> usize {
        self.turns.iter().map(Turn::count).sum()
    }

    /// Whether it says what the session holds before its first turn.
    pub fn has_setup(&self) -> bool {
        let setup = &self.setup;
        setup.turn > 0
            || !setup.ambient.is_empty()
            || !setup.efforts.is_empty()
            || !setup.notes.is_empty()
    }

    /// What the session holds before turn 1.
    pub fn session(&self) -> store::Setup {
        let setup = self.setup.clone();
        store::Setup {
            turn: memory::Turn(setup.turn),
            ambient: setup.ambient.into_iter().map(|said| (said.user, said.assistant)).collect(),
            efforts: setup.efforts.into_iter().map(SetupEffort::stored).collect(),
            notes: setup.notes.into_iter().map(SetupNote::stored).collect(),
        }
    }
}

/// The parser's words; the line stands elsewhere.
fn without_line(error: &yaml_serde::Error) -> String {
    let words = error.to_string();
    let Some(place) = error.location() else { return words };
    let end = format!(" at line {} column {}", place.line(), place.column());
    words.strip_suffix(&end).unwrap_or(&words).to_owned()
}

impl SetupEffort {
    fn stored(self) -> store::SetupEffort {
        store::SetupEffort {
            id: self.id.into_string(),
            status: match self.status {
                Status::Open => memory::Status::Open,
                Status::Concluded => memory::Status::Concluded,
            },
            summary: self.summary.map(Text::into_string),
            tags: self.tags,
            last_referenced_turn: self.last_referenced_turn.map(memory::Turn),
            messages: self.messages.into_iter().map(SetupMessage::stored).collect(),
        }
    }
}

impl SetupNote {
    fn check(&self) -> Result<(), memory::Rejected> {
        memory::check_note(&self.content.clone().into_string(), &self.tags)?;
        self.salience.map_or(Ok(()), |stars| memory::Salience::new(stars).map(drop))
    }

    fn stored(self) -> store::SetupNote {
        let salience = self.salience.and_then(|stars| memory::Salience::new(stars).ok());
        store::SetupNote {
            content: self.content.into_string(),
            tags: self.tags,
            salience: salience.unwrap_or_default(),
        }
    }
}

impl SetupMessage {
    fn stored(self) -> (memory::Role, String, String) {
        let role = match self.role {
            Role::User => memory::Role::User,
            Role::Assistant => memory::Role::Assistant,
        };
        (role, self.content.into_string(), self.ts.unwrap_or_default())
    }
}

impl Turn {
    fn check(&self) -> Result<(), Wrong> {
        if self.paste.as_ref().is_some_and(|paste| paste.lines > MOST_LINES) {
            let steps = vec![Field("paste"), Field("lines")];
            return Err((steps, format!("expected at most {MOST_LINES} lines")));
        }
        match self.rest {
            Some(rest) if !(0.0..=60.0).contains(&rest) => {
                Err((vec![Field("rest")], "expected seconds from 0 to 60".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn count(&self) -> usize {
        self.repeat.unwrap_or(1)
    }

    fn numbered(self, number: u64) -> ScriptedTurn {
        let fill = |text: String| text.replace("{n}", &number.to_string());
        let texts = |texts: Vec<Text>| texts.into_iter().map(|t| fill(t.into_string())).collect();
        let answer = |answer: Answer| ScriptedAnswer {
            text: answer.text.map(|text| fill(text.into_string())).unwrap_or_default(),
            calls: answer.calls.into_iter().map(|call| call.numbered(&fill)).collect(),
            ..ScriptedAnswer::default()
        };
        let mut user = fill(self.user.into_string());
        let stage = Staged {
            chapter: self.chapter,
            caption: self.caption,
            then: self.then,
            typed: user.len(),
            rest: self.rest,
        };
        if let Some(paste) = &self.paste {
            user = format!("{user}\n{}", paste.laid_out());
        }
        ScriptedTurn {
            user,
            stage,
            model: self.model.into_iter().map(answer).collect(),
            summaries: texts(self.summaries),
            compressions: texts(self.compressions),
            said_at: None,
            retold: None,
            returned: Vec::new(),
        }
    }
}

impl Call {
    /// The call as the model makes it. A string stands for itself, so that a scenario can send broken
    /// JSON.
    fn numbered(self, fill: &impl Fn(String) -> String) -> ScriptedCall {
        let none = || Value::Object(serde_json::Map::new());
        let arguments = if self.arguments.is_null() { none() } else { self.arguments };
        ScriptedCall { name: self.name, arguments: fill_strings(arguments, fill) }
    }
}

/// Fills the turn's number into every text of a JSON value.
fn fill_strings(value: Value, fill: &impl Fn(String) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(fill(text)),
        Value::Array(items) => items.into_iter().map(|item| fill_strings(item, fill)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (key, fill_strings(value, fill))).collect()
        }
        other => other,
    }
}
