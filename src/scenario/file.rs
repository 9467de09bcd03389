//! The scenario file (design section 9): what it may hold, and sentences for what it may not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::llm::scripted::{ScriptedAnswer, ScriptedCall};
use crate::{memory, store};

/// Most turns that one scenario may play, repeats included.
const MOST_TURNS: usize = 1_000_000;

/// Most lines that one message may paste.
const MOST_LINES: usize = 10_000;

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
    /// The file is no scenario; the text names the line and what was expected.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
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
    pub config: BTreeMap<String, serde_yaml::Value>,
    #[serde(default)]
    setup: Setup,
    #[serde(default)]
    turns: Vec<Turn>,
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

/// A text, also where YAML would read a number, a truth value or nothing.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Text {
    Words(String),
    Integer(i64),
    Real(f64),
    Truth(bool),
}

impl Text {
    fn into_string(self) -> String {
        match self {
            Self::Words(text) => text,
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

/// One turn, ready to be played.
#[derive(Debug, Clone, PartialEq)]
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
        let invalid = |problem: String| Error::Invalid { path: path.to_owned(), problem };
        let scenario: Self =
            serde_yaml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        let turns: usize =
            scenario.turns.iter().fold(0, |sum: usize, turn| sum.saturating_add(turn.count()));
        for (note, nth) in scenario.setup.notes.iter().zip(1..) {
            note.check().map_err(|why| invalid(format!("setup.notes, note {nth}: {why}")))?;
        }
        for (turn, nth) in scenario.turns.iter().zip(1..) {
            turn.check().map_err(|why| invalid(format!("turns, turn {nth}: {why}")))?;
        }
        if scenario.speed.is_some_and(|speed| !(0.1..=100.0).contains(&speed)) {
            return Err(invalid("speed: expected a number from 0.1 to 100".to_owned()));
        }
        if turns > MOST_TURNS {
            return Err(invalid(format!(
                "{turns} turns are more than {MOST_TURNS}; lower 'repeat'"
            )));
        }
        Ok(scenario)
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
    fn check(&self) -> Result<(), String> {
        if self.paste.as_ref().is_some_and(|paste| paste.lines > MOST_LINES) {
            return Err(format!("paste: at most {MOST_LINES} lines"));
        }
        match self.rest {
            Some(rest) if !(0.0..=60.0).contains(&rest) => {
                Err("rest: expected seconds from 0 to 60".to_owned())
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
            error: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Scenario, Error> {
        Scenario::parse(text, Path::new("test.yaml"))
    }

    #[test]
    fn repeats_are_laid_out_and_numbered() {
        let scenario = parse(
            "name: x\nsetup: {turn: 4}\nturns:\n  - {user: 1, model: [{text: a}]}\n  \
             - {repeat: 2, user: 'filler {n}', model: [{text: 'ok {n}'}]}\n",
        )
        .unwrap();
        let users: Vec<String> = scenario.turns(5).map(|turn| turn.user).collect();
        assert_eq!(users, ["1", "filler 6", "filler 7"]);
        assert_eq!(scenario.turn_count(), 3);
    }

    #[test]
    fn what_is_pasted_stands_behind_what_is_typed() {
        let text =
            "turns:\n  - {chapter: One, user: look, paste: {lines: 2, text: 'row {i}'}, rest: 3}\n";
        let turn = parse(text).unwrap().turns(1).next().unwrap();
        assert_eq!(turn.user, "look\nrow 1\nrow 2");
        assert_eq!((turn.stage.typed, turn.stage.rest), (4, Some(3.0)));
        assert_eq!(turn.stage.chapter.as_deref(), Some("One"));
    }

    #[test]
    fn a_typo_is_named_with_its_line_and_what_was_expected() {
        for (text, words) in [
            ("turns:\n  - usr: hello\n", "unknown field `usr`, expected one of"),
            ("turns:\n  - user: hello\n    modle: []\n", "at line 3"),
            ("turns: 5\n", "expected a sequence"),
            ("turns:\n  - {user: x, rest: -1}\n", "turn 1: rest: expected seconds"),
            ("turns:\n  - user: x\n    captoin: y\n", "`captoin`, expected one of"),
            ("speed: 0\nturns: []\n", "speed: expected a number"),
            ("setup: {notes: [{content: a}, {content: b, salience: 4}]}\n", "note 2: "),
            ("setup: {notes: [{content: a, tag: b}]}\n", "unknown field `tag`"),
            ("setup: {efforts: [{id: a, status: done}]}\n", "expected `open` or `concluded`"),
            ("turns:\n  - {repeat: -1, user: x}\n", "repeat"),
            ("turns:\n  - {user: x\n", "line"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with("test.yaml: ") && error.contains(words), "{error}");
        }
    }
}
