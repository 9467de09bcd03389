//! The raw logs: one message a line, as in slice 1, in the order in which things were said.

pub(super) mod counts;
pub(super) mod logs;
pub(super) mod reader;
pub(super) mod said;
pub(super) mod spooled;
pub(super) mod title;
pub(super) mod transcript;

use std::borrow::Cow;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::memory::{EffortId, Exchange, Role, Turn};
use crate::store::disk::files::{self, LinesBackwards};
use crate::store::{Error, Problem};

/// Bytes that are read at a time where a log is only counted.
pub(super) const BLOCK: usize = 128 * 1024;

/// A message of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LogLine {
    /// User or assistant.
    pub(super) role: Role,
    /// What was said.
    pub(super) content: Arc<str>,
    /// What the window holds in its place, if it is held by reference.
    pub(super) shown: Option<Arc<str>>,
    /// How a reply ended that is not whole, in the word of its server.
    pub(super) finish: Option<Arc<str>>,
    /// When, as stored; empty if unknown.
    pub(super) at: String,
    /// The turn in which it entered the window; 0 if unknown.
    pub(super) turn: Turn,
}

/// What a line of a log is.
#[cfg_attr(test, derive(Debug, PartialEq))]
pub(super) enum Parsed {
    /// Something that was said.
    Message(LogLine),
    /// Something that was said, behind a torn line that another program appended it to.
    AfterTorn(LogLine),
    /// The effort was reopened in this turn: all before entered the window again.
    Reopened(Turn),
    /// A marker or an empty line: not said by anybody.
    Other,
    /// No log line at all.
    Invalid,
}

/// The two lines of an exchange. Where the window holds the user's words by reference, `shown` is what
/// stands there in their place; `finish` is how a reply ended that is not whole.
pub(super) fn exchange_lines(
    exchange: &Exchange,
    (shown, finish): (Option<&str>, Option<&str>),
    turn: Turn,
    asked: &str,
    now: &str,
) -> Vec<u8> {
    let shown = shown.map(Cow::Borrowed);
    let user = Fields { shown, ..fields(Role::User, &exchange.user, asked, turn) };
    let finish_reason = finish.map(Cow::Borrowed);
    let reply = Fields { finish_reason, ..fields(Role::Assistant, &exchange.assistant, now, turn) };
    [user.line(), reply.line()].concat()
}

/// How the line begins that a reopened log continues after.
const REOPENED: &str = "--- Reopened effort:";

/// The line that a reopened log continues after.
pub(super) fn reopen_marker(id: &EffortId, turn: Turn, now: &str) -> Vec<u8> {
    line(Role::System, &format!("{REOPENED} {id} ---"), now, turn)
}

/// One line of a log, with its line end; turn 0 stands for an unknown turn.
pub(super) fn line(role: Role, content: &str, at: &str, turn: Turn) -> Vec<u8> {
    fields(role, content, at, turn).line()
}

fn fields<'a>(role: Role, content: &'a str, at: &'a str, turn: Turn) -> Fields<'a> {
    Fields {
        role: role.as_str().into(),
        content: content.into(),
        ts: at.into(),
        shown: None,
        finish_reason: None,
        turn: Some(turn.0).filter(|&turn| turn > 0),
    }
}

/// A line as it is written here. Lines of other programs can have more fields, or of other kinds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    content: Cow<'a, str>,
    #[serde(borrow)]
    ts: Cow<'a, str>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    shown: Option<Cow<'a, str>>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    finish_reason: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u64>,
}

impl Fields<'_> {
    fn line(&self) -> Vec<u8> {
        let mut line = Vec::with_capacity(self.content.len() + 128);
        // Texts and a number in memory can always be written.
        let _ = serde_json::to_writer(&mut line, self);
        line.push(b'\n');
        line
    }

    /// What was said, by the user or the model.
    fn message(self) -> Option<LogLine> {
        let role = match &*self.role {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return None,
        };
        Some(LogLine {
            role,
            content: self.content.into(),
            shown: self.shown.map(Into::into),
            finish: self.finish_reason.map(Into::into),
            at: self.ts.into_owned(),
            turn: Turn(self.turn.unwrap_or(0)),
        })
    }
}

impl Parsed {
    /// What was said, if anything was.
    pub(super) fn message(self) -> Option<LogLine> {
        match self {
            Self::Message(message) | Self::AfterTorn(message) => Some(message),
            Self::Other | Self::Reopened(_) | Self::Invalid => None,
        }
    }
}

fn content_starts(fields: &serde_json::Map<String, Value>, words: &str) -> bool {
    fields.get("content").and_then(Value::as_str).is_some_and(|text| text.starts_with(words))
}

/// Reads one line.
pub(super) fn parse(line: &[u8]) -> Parsed {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Parsed::Other;
    }
    // By their order alone the fields could be told in a list, too.
    let own = line.starts_with(b"{").then(|| serde_json::from_slice::<Fields>(line).ok());
    match own.flatten().and_then(Fields::message) {
        Some(message) => Parsed::Message(message),
        None => parse_any(line),
    }
}

/// Reads a line that may be another program's.
fn parse_any(line: &[u8]) -> Parsed {
    let Ok(Value::Object(fields)) = serde_json::from_slice::<Value>(line) else {
        let whole = files::appended(line, b"{\"role\"").map(parse);
        return match whole {
            Some(Parsed::Message(message)) => Parsed::AfterTorn(message),
            _ => Parsed::Invalid,
        };
    };
    let turn = Turn(fields.get("turn").and_then(Value::as_u64).unwrap_or(0));
    let role = match fields.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some(_) if content_starts(&fields, REOPENED) => return Parsed::Reopened(turn),
        Some(_) => return Parsed::Other,
        None => return Parsed::Invalid,
    };
    match fields.get("content") {
        Some(Value::String(content)) => {
            let at = fields.get("ts").and_then(crate::store::record::text).unwrap_or_default();
            let text = |key: &str| fields.get(key).and_then(Value::as_str).map(Into::into);
            let (shown, finish) = (text("shown"), text("finish_reason"));
            let content = content.as_str().into();
            Parsed::Message(LogLine { role, content, shown, finish, at, turn })
        }
        // Programs of the seeds log a reply without words as null.
        Some(Value::Null) => Parsed::Other,
        _ => Parsed::Invalid,
    }
}

/// The messages of a whole log; a missing file is an empty one. Invalid lines are skipped, reported
/// and never deleted.
pub(super) fn read(path: &Path) -> Result<(Vec<LogLine>, Option<Problem>), Error> {
    let bytes = files::read(path)?.unwrap_or_default();
    let mut invalid = Vec::new();
    let mut messages: Vec<LogLine> = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        match parse(line) {
            Parsed::Message(message) => messages.push(message),
            Parsed::AfterTorn(message) => {
                invalid.push(number + 1);
                messages.push(message);
            }
            Parsed::Reopened(turn) => {
                for one in &mut messages {
                    one.turn = one.turn.max(turn);
                }
            }
            Parsed::Other => {}
            Parsed::Invalid => invalid.push(number + 1),
        }
    }
    Ok((messages, skipped(path, &invalid)))
}

/// The end of a log.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// Oldest first.
    pub(super) messages: Vec<LogLine>,
    /// Where the first of them begins; 0 if nothing comes before.
    pub(super) start: u64,
    /// Lines between them that could not be read.
    pub(super) problem: Option<Problem>,
}

/// The last messages of a log, or the last ones before a position. Reads only as far as needed.
pub(super) fn read_tail(path: &Path, before: Option<u64>, most: usize) -> Result<Tail, Error> {
    let mut tail = Tail::default();
    let mut backwards = LinesBackwards::open(path, before)?;
    let mut invalid = 0;
    while tail.messages.len() < most {
        let Some((at, line)) = backwards.next().transpose()? else { break };
        tail.start = at;
        match parse(&line) {
            Parsed::Message(message) => tail.messages.push(message),
            Parsed::AfterTorn(message) => {
                invalid += 1;
                tail.messages.push(message);
            }
            Parsed::Other | Parsed::Reopened(_) => {}
            Parsed::Invalid => invalid += 1,
        }
    }
    tail.messages.reverse();
    tail.problem = (invalid > 0).then(|| {
        let name = files::name_of(path);
        Problem(format!(
            "{invalid} line(s) of {name} cannot be read whole: what is broken is skipped, and left as it is"
        ))
    });
    Ok(tail)
}

/// Counts the messages of a log without keeping them.
pub(super) fn count(path: &Path) -> Result<u64, Error> {
    let Some(file) = files::open_existing(path)? else { return Ok(0) };
    let mut reader = BufReader::with_capacity(BLOCK, file);
    let (mut line, mut count) = (Vec::new(), 0);
    while reader.read_until(b'\n', &mut line).map_err(Error::read(path))? > 0 {
        count += u64::from(!line.iter().all(u8::is_ascii_whitespace));
        line.clear();
    }
    Ok(count)
}

/// The turns of messages.
pub(super) fn turns(messages: &[LogLine]) -> Vec<Turn> {
    messages.iter().map(|message| message.turn).collect()
}

/// Messages as memory takes them: what is held by reference is its preview there.
pub(super) fn plain(messages: Vec<LogLine>) -> Vec<(Role, Arc<str>)> {
    let shown = |message: LogLine| (message.role, message.shown.unwrap_or(message.content));
    messages.into_iter().map(shown).collect()
}

fn skipped(path: &Path, invalid: &[usize]) -> Option<Problem> {
    let first = invalid.first()?;
    let name = files::name_of(path);
    let more = match invalid.len() {
        1 => String::new(),
        count => format!(" and {} more", count - 1),
    };
    Some(Problem(format!(
        "line {first}{more} of {name} cannot be read whole: what is broken is skipped, and left as it is"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_means_the_same_whoever_wrote_it() {
        let exchange = Exchange { user: "a \"b\"\n".into(), assistant: "é\u{1}".into() };
        let lines = exchange_lines(&exchange, (Some("[b]"), Some("length")), Turn(7), "", "2026");
        let lines = String::from_utf8(lines).unwrap();
        assert_eq!(
            lines,
            "{\"role\":\"user\",\"content\":\"a \\\"b\\\"\\n\",\"ts\":\"\",\"shown\":\"[b]\",\"turn\":7}\n\
             {\"role\":\"assistant\",\"content\":\"é\\u0001\",\"ts\":\"2026\",\"finish_reason\":\"length\",\"turn\":7}\n"
        );
        let others = [
            r#"{"role":"user","content":"a","ts":"","more":1}"#,
            r#"{"role":"user","content":"a","ts":"","content":"b"}"#,
            r#"{"role":"user","content":"a","ts":5,"turn":null}"#,
            r#"{"role":"user","content":"a","ts":"","turn":2.0}"#,
            r#"{"role":"user","content":"a","ts":"","shown":[1],"turn":-1}"#,
            r#" {"role":"assistant","content":"\ud83e\udd80"}"#,
            r#"{"role":"assistant","content":null,"ts":""}"#,
            r#"{"role":"system","content":"--- Reopened effort: a ---","ts":"","turn":3}"#,
            r#"["user","a","","b","c",5]"#,
            r#"{"role":"user","con{"role":"user","content":"a","ts":""}"#,
            r#"{"role":"user","content":"a","ts":""} x"#,
        ];
        for line in lines.lines().chain(others) {
            assert_eq!(parse(line.as_bytes()), parse_any(line.as_bytes()), "{line}");
        }
    }
}
