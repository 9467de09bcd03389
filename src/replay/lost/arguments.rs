//! What the arguments of a call of a tool say.

use serde_json::{Map, Value};

use super::written::{Written, is_patch};
use crate::chunk::beginning;
use crate::specifics::{self, Kind, Specific};

/// Arguments of tools that are commands.
const COMMANDS: [&str; 3] = ["command", "cmd", "script"];

/// Arguments that only say where a tool works: the session's own folder, mostly.
const PLACES: [&str; 2] = ["workdir", "cwd"];

/// Arguments that name the file in which a tool writes.
const FILES: [&str; 5] = ["file_path", "path", "filename", "target_file", "notebook_path"];

/// Arguments that stood in a file before: nobody writes them.
const REPLACED: [&str; 2] = ["old_str", "old_string"];

/// Arguments that stand in a file then.
const WRITTEN: [&str; 8] = [
    "content",
    "contents",
    "diff",
    "file_text",
    "insert_text",
    "new_source",
    "new_str",
    "new_string",
];

/// Longest part of an argument in bytes that is looked at: a whole file that is written is content.
const LONGEST: usize = 20_000;

/// The texts in a call's arguments.
#[derive(Default)]
pub(super) struct Arguments {
    /// A line each, behind a prompt.
    commands: Vec<String>,
    others: Vec<String>,
    written: Written,
}

impl Arguments {
    /// Those of a call, which are JSON mostly.
    pub(super) fn of(arguments: &str) -> Self {
        let mut all = Self::default();
        match serde_json::from_str::<Value>(arguments) {
            Ok(value) => all.gather("", "", &value),
            Err(_) => all.say("", "", arguments),
        }
        all
    }

    /// What is in them. A file that is written has words with capitals that name nobody, and lines like commands that
    /// nobody types.
    pub(super) fn details(&self) -> Vec<Specific> {
        let within = |texts: &[String]| specifics::extract_from(&texts.join("\n"), false);
        let (mut found, others) = (within(&self.commands), within(&self.others));
        found.retain(|one| one.kind != Kind::Path || !is_scratch(&one.text));
        // What a command only asks for says nothing, but the paths and addresses in it may.
        found.retain(|one| one.kind != Kind::Command || !specifics::only_asks(&one.text));
        found.extend(others.into_iter().filter(|one| one.kind != Kind::Command));
        found.extend(self.written.details());
        found.retain(|one| one.kind != Kind::Name);
        found
    }

    /// Takes what stands behind a key, in a call that may be one to write in a file.
    fn gather(&mut self, key: &str, file: &str, value: &Value) {
        match value {
            Value::String(_) if PLACES.contains(&key) => {}
            Value::String(text) if specifics::names_a_secret(key) && is_one_word(text) => {}
            Value::String(_) if REPLACED.contains(&key) && !file.is_empty() => {}
            Value::String(text) if COMMANDS.contains(&key) && !is_patch(text) => {
                let lines = specifics::command_lines(beginning(text.trim(), LONGEST));
                let kept: Vec<&str> = lines.filter(|line| !specifics::only_shows(line)).collect();
                let is_one = kept.iter().filter(|line| !line.trim().is_empty()).count() == 1;
                let kept = kept.concat();
                let prompt = if is_one { "$ " } else { "" };
                if !kept.trim().is_empty() {
                    self.commands.push(format!("{prompt}{}", kept.trim()));
                }
            }
            Value::String(text) => self.say(key, file, text),
            Value::Array(words) if COMMANDS.contains(&key) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                let line = match words.as_slice() {
                    [_, "-c" | "-lc", script] => (*script).to_owned(),
                    words => words.join(" "),
                };
                self.gather(key, file, &Value::String(line));
            }
            Value::Array(values) => values.iter().for_each(|value| self.gather(key, file, value)),
            Value::Object(fields) if is_search(fields) => {}
            Value::Object(fields) => {
                let named = FILES.iter().find_map(|name| fields.get(*name)?.as_str());
                let file = named.unwrap_or(file);
                fields.iter().for_each(|(key, value)| self.gather(key, file, value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn say(&mut self, key: &str, file: &str, text: &str) {
        let text = beginning(text, LONGEST);
        if is_patch(text) {
            self.others.extend(self.written.patch(text));
        } else if WRITTEN.contains(&key) && !file.is_empty() {
            self.written.take(file, text);
        } else {
            self.others.push(text.to_owned());
        }
    }
}

fn is_one_word(text: &str) -> bool {
    !text.trim().contains(char::is_whitespace)
}

/// Whether a path of a command is that of a file that nobody keeps.
fn is_scratch(path: &str) -> bool {
    ["/tmp/", "/var/tmp/", "/private/tmp/", "/dev/"].iter().any(|start| path.starts_with(start))
}

/// Whether a call only looks for something: for what, where and how it did says nothing that was not said before it.
fn is_search(fields: &Map<String, Value>) -> bool {
    fields.get("pattern").is_some_and(Value::is_string)
}
