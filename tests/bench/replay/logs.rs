//! Logs as other programs write them, of any length, with words from a vocabulary of their own or what people say
//! to each other.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

/// Words of the vocabulary; how often each is used falls with its rank, as in writing.
const WORDS: usize = 12_000;

const SYLLABLES: [&str; 40] = [
    "ta", "re", "con", "ing", "er", "ma", "pre", "lo", "s", "ven", "tion", "al", "de", "ment", "i",
    "por", "an", "ver", "un", "ble", "mis", "th", "e", "ous", "or", "sub", "ny", "fi", "cal", "ge",
    "tri", "ad", "est", "u", "ken", "ru", "o", "ship", "ly", "ard",
];

/// Makes up texts; the same for the same seed.
pub(crate) struct Writer {
    random: fastrand::Rng,
    words: Vec<String>,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut word = || {
            let count = random.usize(1..=4);
            (0..count).map(|_| SYLLABLES[random.usize(..SYLLABLES.len())]).collect()
        };
        let words = (0..WORDS).map(|_| word()).collect();
        Self { random, words }
    }

    fn word(&mut self) -> &str {
        // Half of what is said are the first hundred words.
        let at = (WORDS as f64).powf(self.random.f64()) as usize;
        &self.words[at.min(WORDS - 1)]
    }

    /// A text of about so many bytes, with paths, numbers and lines of code among its words.
    pub(crate) fn text(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 100);
        while text.len() < bytes {
            match self.random.u32(0..60) {
                0 => {
                    let (folder, file) = (self.word().to_owned(), self.word().to_owned());
                    let line = self.random.u32(1..2_000);
                    let _ = write!(text, "src/{folder}/{file}.rs:{line} ");
                }
                1 => {
                    let _ = write!(text, "{} ", self.random.u32(0..100_000));
                }
                2 => {
                    let (name, value) = (self.word().to_owned(), self.random.u64(..));
                    let _ = write!(text, "\n    let {name} = {value:016x};\n");
                }
                3..=6 => text.push_str(". The "),
                7..=9 => text.push_str(", "),
                _ => {
                    text.push_str(self.word());
                    text.push(' ');
                }
            }
        }
        text
    }

    /// Lines of about so many bytes, as tools return them: code, places where words stand, outcomes of tests.
    fn lines(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 100);
        while text.len() < bytes {
            let (one, other, number) =
                (self.word().to_owned(), self.word().to_owned(), self.random.u32(1..2_000));
            let _ = match self.random.u32(0..10) {
                0..=2 => writeln!(text, "    let {one} = self.{other}({number});"),
                3 => writeln!(text, "        if {one}.{other}() {{"),
                4 => writeln!(text, "    }}"),
                5 => writeln!(text, "/// The {one} of {other}, and what is to be done with it."),
                6 => writeln!(text, "pub fn {one}_{other}(&self, {other}: &str) -> Result<()> {{"),
                7 => writeln!(text, "src/{one}/{other}.rs:{number}: {other}"),
                8 => writeln!(text, "test {one}::{other} ... ok"),
                _ => writeln!(text),
            };
        }
        text
    }

    /// The length of the next message: most are short, some are long.
    pub(crate) fn length(&mut self) -> usize {
        let short = self.random.usize(80..900);
        if self.random.u32(0..8) == 0 { short * 6 } else { short }
    }

    fn said(&mut self) -> (String, String) {
        let lengths = (self.length() / 2, self.length());
        (self.text(lengths.0), self.text(lengths.1))
    }
}

/// A log of a format, of about so many bytes.
pub(crate) fn log(format: &str, bytes: usize) -> Vec<u8> {
    let mut writer = Writer::new(7);
    let mut log = String::with_capacity(bytes + 10_000);
    match format {
        "Claude Code" => whole_turns(claude_code(writer), &mut log, bytes),
        "agent" => whole_turns(agent(writer), &mut log, bytes),
        "Codex" => codex(&mut writer, &mut log, bytes),
        "ChatGPT" => array(&mut writer, &mut log, bytes, chat_gpt),
        "Claude.ai" => array(&mut writer, &mut log, bytes, claude_ai),
        "opencode" => whole(
            &mut writer,
            &mut log,
            bytes,
            opencode,
            |messages| json!({ "info": { "id": "s" }, "messages": messages }),
        ),
        "Gemini" => {
            log.push_str("{\"sessionId\":\"g\",\"projectHash\":\"p\"}\n");
            records(&mut writer, &mut log, bytes, gemini);
        }
        "Open WebUI" => array(&mut writer, &mut log, bytes, open_webui),
        "LM Studio" => whole(
            &mut writer,
            &mut log,
            bytes,
            lm_studio,
            |messages| json!({ "name": "talk", "messages": messages }),
        ),
        "Aider" => {
            log.push_str("# aider chat started at 2025-03-01 09:15:00\n\n");
            pairs(&mut writer, &mut log, bytes, |user, reply| {
                format!("#### {}\n\n{reply}\n\n", user.replace('\n', "\n#### "))
            });
        }
        "SillyTavern" => {
            log.push_str("{\"character_name\":\"A\",\"user_name\":\"U\"}\n");
            records(&mut writer, &mut log, bytes, |_, user, reply| {
                vec![
                    json!({ "mes": user, "is_user": true }),
                    json!({ "mes": reply, "is_user": false }),
                ]
            });
        }
        "short" => records(&mut writer, &mut log, bytes, |writer, _, _| {
            let (user, reply) = (writer.text(60), writer.text(240));
            vec![
                json!({ "role": "user", "content": format!("What is {user}?") }),
                json!({ "role": "assistant", "content": reply }),
            ]
        }),
        "English" => english(&mut writer, &mut log, bytes),
        "sources" => sources(&mut writer, &mut log, bytes),
        "role/content" => records(&mut writer, &mut log, bytes, |_, user, reply| {
            vec![
                json!({ "role": "user", "content": user }),
                json!({ "role": "assistant", "content": reply }),
            ]
        }),
        "Markdown" => pairs(&mut writer, &mut log, bytes, |user, reply| {
            format!("## User\n\n{user}\n\n## Assistant\n\n{reply}\n\n")
        }),
        other => panic!("no such format: {other}"),
    }
    log.into_bytes()
}

fn whole_turns(mut turns: impl FnMut(&mut String), log: &mut String, bytes: usize) {
    while log.len() < bytes {
        turns(log);
    }
}

/// Turns of Claude Code, one after the other: a call with its result, and a reply in two lines.
pub(crate) fn claude_code(mut writer: Writer) -> impl FnMut(&mut String) {
    let mut session = Session::default();
    move |log: &mut String| {
        let (user, reply) = writer.said();
        session.user(log, &user);
        let length = writer.length() * 2;
        session.call(log, None, &writer.text(length));
        session.reply(log, &reply);
    }
}

/// Turns of a coding agent at work: thirty calls each on average, some with a word of why, whose results are code, places
/// in it and outcomes of tests, mostly short and sometimes long, then a reply.
pub(crate) fn agent(mut writer: Writer) -> impl FnMut(&mut String) {
    let mut session = Session::default();
    move |log: &mut String| {
        let (user, reply) = writer.said();
        session.user(log, &user);
        for _ in 0..writer.random.u32(1..60) {
            let why = writer.random.bool().then(|| writer.text(100));
            let length = 200 << writer.random.u32(0..6);
            session.call(log, why, &writer.lines(length));
        }
        session.reply(log, &reply);
    }
}

/// A session of Claude Code that is written.
#[derive(Default)]
struct Session {
    records: u64,
    parent: Value,
}

impl Session {
    fn add(&mut self, log: &mut String, kind: &str, message: &Value, more: Value) {
        self.records += 1;
        let uuid = format!("{:032x}", self.records);
        let mut record = json!({ "parentUuid": self.parent, "isSidechain": false, "userType": "external", "cwd": "/home/u/project", "sessionId": "s", "version": "2.1.200", "gitBranch": "main", "type": kind, "message": message, "uuid": uuid, "timestamp": "2026-05-01T10:00:00.000Z" });
        if let (Some(record), Value::Object(more)) = (record.as_object_mut(), more) {
            record.extend(more);
        }
        self.parent = json!(uuid);
        let _ = writeln!(log, "{record}");
    }

    fn user(&mut self, log: &mut String, text: &str) {
        self.add(log, "user", &json!({ "role": "user", "content": text }), Value::Null);
    }

    fn reply(&mut self, log: &mut String, text: &str) {
        self.answer(log, &json!([{ "type": "text", "text": text }]));
    }

    fn answer(&mut self, log: &mut String, blocks: &Value) {
        let nth = self.records;
        let usage = json!({ "input_tokens": 4, "cache_read_input_tokens": 21_000, "cache_creation_input_tokens": 900, "output_tokens": 300, "service_tier": "standard" });
        let message = json!({ "id": format!("msg_{nth}"), "type": "message", "role": "assistant", "model": "claude", "content": blocks, "usage": usage });
        self.add(log, "assistant", &message, json!({ "requestId": format!("req_{nth}") }));
    }

    fn call(&mut self, log: &mut String, why: Option<String>, result: &str) {
        let id = format!("toolu_{}", self.records);
        let call = json!({ "type": "tool_use", "id": id, "name": "Read", "input": { "file_path": "/home/u/project/src/main.rs" } });
        let why = why.map(|text| json!({ "type": "text", "text": text }));
        self.answer(log, &why.into_iter().chain([call]).collect());
        let given = json!([{ "type": "tool_result", "tool_use_id": id, "content": result }]);
        let message = json!({ "role": "user", "content": given });
        let more = json!({ "toolUseResult": { "type": "text", "file": { "content": result } } });
        self.add(log, "user", &message, more);
    }
}

/// What people say to each other, a message a line.
const TALK: [&str; 2] = [
    include_str!("../../fixtures/recall/talk.txt"),
    include_str!("../../fixtures/recall/friends.txt"),
];

/// Messages in a row that belong together.
const PAGE: usize = 60;

/// A chat in English: short questions, and replies of some two to thirty sentences, about one part of what was said
/// after the other.
fn english(writer: &mut Writer, log: &mut String, bytes: usize) {
    let lines = TALK.iter().flat_map(|text| text.lines());
    let said: Vec<&str> =
        lines.filter_map(|line| line.strip_prefix("u ").or(line.strip_prefix("a "))).collect();
    while log.len() < bytes {
        let page = writer.random.usize(..said.len() - PAGE);
        for _ in 0..writer.random.u32(6..30) {
            let mut some = |most: usize| -> String {
                let count = writer.random.usize(1..=most);
                let lines = (0..count).map(|_| said[page + writer.random.usize(..PAGE)]);
                lines.collect::<Vec<_>>().join(" ")
            };
            let (user, reply) = (some(2).trim_end_matches(['.', '?', '!']).to_owned(), some(20));
            let user = if writer.random.bool() { format!("{user}?") } else { user };
            exchange(log, &user, &reply);
        }
    }
}

/// A chat about the program's own sources: questions for some words of a few paragraphs of what is written and of code, with
/// as many different words as people use, and those as the reply.
fn sources(writer: &mut Writer, log: &mut String, bytes: usize) {
    let texts = source_texts();
    let paragraphs: Vec<&str> =
        texts.iter().flat_map(|text| text.split("\n\n")).map(str::trim).collect();
    while log.len() < bytes {
        let mut rest = &*paragraphs;
        while !rest.is_empty() && log.len() < bytes {
            let (some, others) = rest.split_at(writer.random.usize(1..=4).min(rest.len()));
            rest = others;
            let reply = some.join("\n\n");
            let words: Vec<&str> = reply.split_whitespace().collect();
            let from = writer.random.usize(..=words.len().saturating_sub(9));
            let about = &words[from..(from + 9).min(words.len())];
            exchange(log, &format!("What do you know of {}?", about.join(" ")), &reply);
        }
    }
}

/// The texts of this program, in the order of their names.
fn source_texts() -> Vec<String> {
    let mut folders = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/src").into()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("it is a folder") {
            let path = entry.expect("it can be read").path();
            (if path.is_dir() { &mut folders } else { &mut files }).push(path);
        }
    }
    files.sort();
    files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

/// A message and its reply.
fn exchange(log: &mut String, user: &str, reply: &str) {
    for (role, text) in [("user", user), ("assistant", reply)] {
        let _ = writeln!(log, "{}", json!({ "role": role, "content": text }));
    }
}

fn codex(writer: &mut Writer, log: &mut String, bytes: usize) {
    let mut line = |kind: &str, payload: Value| {
        let _ = writeln!(
            log,
            "{}",
            json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload })
        );
        log.len() < bytes
    };
    line("session_meta", json!({ "id": "c", "cwd": "/project" }));
    for turn in 1_u64.. {
        let (user, reply) = writer.said();
        let length = writer.length() * 2;
        let result = writer.text(length);
        line("event_msg", json!({ "type": "user_message", "message": user }));
        line(
            "response_item",
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": user }] }),
        );
        line(
            "response_item",
            json!({ "type": "function_call", "name": "shell", "arguments": "{\"command\":[\"cat\",\"a.rs\"]}", "call_id": format!("c{turn}") }),
        );
        line(
            "response_item",
            json!({ "type": "function_call_output", "call_id": format!("c{turn}"), "output": result }),
        );
        line(
            "response_item",
            json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": reply }] }),
        );
        let usage = json!({ "input_tokens": 10_000, "cached_input_tokens": 9_000, "output_tokens": 200, "total_tokens": 10_200 * turn });
        if !line(
            "event_msg",
            json!({ "type": "token_count", "info": { "total_token_usage": usage, "last_token_usage": usage } }),
        ) {
            return;
        }
    }
}

/// Conversations of twenty turns in one long array.
fn array(
    writer: &mut Writer,
    log: &mut String,
    bytes: usize,
    conversation: fn(&mut Writer, usize) -> Value,
) {
    for nth in 0.. {
        let _ = write!(log, "{}{}", if nth == 0 { '[' } else { ',' }, conversation(writer, nth));
        if log.len() >= bytes {
            break;
        }
    }
    log.push(']');
}

fn chat_gpt(writer: &mut Writer, nth: usize) -> Value {
    let mut mapping = serde_json::Map::new();
    for at in 0..40 {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        let length = writer.length();
        let message = json!({ "id": at.to_string(), "author": { "role": role, "metadata": {} }, "create_time": 1_700_000_000.5, "content": { "content_type": "text", "parts": [writer.text(length)] }, "status": "finished_successfully", "weight": 1.0, "metadata": {}, "recipient": "all" });
        let (parent, child) = (at - 1, at + 1);
        mapping.insert(at.to_string(), json!({ "id": at.to_string(), "message": message, "parent": parent.to_string(), "children": [child.to_string()] }));
    }
    json!({ "title": "Talk", "create_time": 1_700_000_000.0, "mapping": mapping, "current_node": "39", "conversation_id": nth.to_string() })
}

fn claude_ai(writer: &mut Writer, nth: usize) -> Value {
    let message = |at: usize| {
        let sender = if at.is_multiple_of(2) { "human" } else { "assistant" };
        let length = writer.length();
        let text = writer.text(length);
        json!({ "uuid": at.to_string(), "sender": sender, "text": text, "content": [{ "type": "text", "text": text }], "created_at": "2026-05-01T10:00:00Z", "index": at, "attachments": [], "files": [] })
    };
    let messages: Vec<Value> = (0..40).map(message).collect();
    json!({ "uuid": nth.to_string(), "name": "Talk", "created_at": "2026-05-01T10:00:00Z", "chat_messages": messages })
}

fn open_webui(writer: &mut Writer, nth: usize) -> Value {
    let mut messages = serde_json::Map::new();
    for at in 0..40 {
        let role = if at % 2 == 0 { "user" } else { "assistant" };
        let length = writer.length();
        let parent = (at > 0).then(|| (at - 1).to_string());
        messages.insert(at.to_string(), json!({ "id": at.to_string(), "parentId": parent, "childrenIds": [(at + 1).to_string()], "role": role, "content": writer.text(length), "timestamp": 1_700_000_000 }));
    }
    json!({ "id": nth.to_string(), "title": "Talk", "chat": { "title": "Talk", "history": { "messages": messages, "currentId": "39" } } })
}

fn whole(
    writer: &mut Writer,
    log: &mut String,
    bytes: usize,
    message: fn(&mut Writer, &str, &str) -> Vec<Value>,
    around: fn(Vec<Value>) -> Value,
) {
    let (mut messages, mut length) = (Vec::new(), 0);
    while length < bytes {
        let (user, reply) = writer.said();
        length += user.len() + reply.len() + 200;
        messages.extend(message(writer, &user, &reply));
    }
    let _ = write!(log, "{}", around(messages));
}

fn opencode(_: &mut Writer, user: &str, reply: &str) -> Vec<Value> {
    let message = |role: &str, text: &str| json!({ "info": { "role": role, "time": { "created": 1_700_000_000_000_u64 } }, "parts": [{ "type": "text", "text": text }] });
    vec![message("user", user), message("assistant", reply)]
}

fn lm_studio(_: &mut Writer, user: &str, reply: &str) -> Vec<Value> {
    let message = |role: &str, text: &str| json!({ "versions": [{ "type": "singleStep", "role": role, "content": [{ "type": "text", "text": text }] }], "currentlySelected": 0 });
    vec![message("user", user), message("assistant", reply)]
}

fn gemini(writer: &mut Writer, user: &str, reply: &str) -> Vec<Value> {
    let id = writer.random.u64(..);
    vec![
        json!({ "id": format!("u{id}"), "type": "user", "content": user, "timestamp": "2026-05-01T10:00:00Z" }),
        json!({ "id": format!("g{id}"), "type": "gemini", "content": reply, "timestamp": "2026-05-01T10:00:00Z", "tokens": { "input": 100, "output": 20, "cached": 50, "total": 120 } }),
    ]
}

fn records(
    writer: &mut Writer,
    log: &mut String,
    bytes: usize,
    of: fn(&mut Writer, &str, &str) -> Vec<Value>,
) {
    while log.len() < bytes {
        let (user, reply) = writer.said();
        for record in of(writer, &user, &reply) {
            let _ = writeln!(log, "{record}");
        }
    }
}

fn pairs(writer: &mut Writer, log: &mut String, bytes: usize, of: fn(&str, &str) -> String) {
    while log.len() < bytes {
        let (user, reply) = writer.said();
        log.push_str(&of(&user, &reply));
    }
}
