//! What the offline model knows: only what stands in the request, as any model would see it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::words::{self, stems};
use crate::escapes::without;
use crate::llm::wire::{Message, Request, Role};

// How the headings of the sections of the memory block begin.
const CONCLUDED: &str = "## Concluded efforts";
const EXPANDED: &str = "## Expanded efforts";
const OPEN: &str = "## Open efforts";
const NOTES: &str = "## Notes";
const RECALLED: &str = "## Recalled";

/// A request, read.
#[derive(Debug, Default)]
pub(super) struct Scene {
    /// Concluded efforts that are shown: id and summary, in the order of the list.
    pub(super) summaries: Vec<(String, String)>,
    /// Notes that are shown: number and words.
    pub(super) notes: Vec<(String, String)>,
    /// Expanded efforts.
    pub(super) expanded: Vec<String>,
    /// Open efforts, the active one first.
    pub(super) open: Vec<String>,
    /// What was recalled for the user's message, best first: of what, and the words.
    pub(super) recalled: Vec<(String, String)>,
    /// What was said before the user's message, oldest first.
    pub(super) said: Vec<Said>,
    /// The user's message.
    pub(super) user: String,
    /// The calls of this turn that have a result, in order.
    pub(super) done: Vec<Done>,
    /// Tools that may be called.
    pub(super) tools: Vec<String>,
}

/// A message of the past.
#[derive(Debug)]
pub(super) struct Said {
    /// Said by the person, not by a model.
    pub(super) by_user: bool,
    /// What was said.
    pub(super) text: String,
}

/// A call with its result.
#[derive(Debug, Clone)]
pub(super) struct Done {
    /// The tool.
    pub(super) tool: String,
    /// What it was called with.
    pub(super) arguments: Value,
    /// What came back; a JSON string if it was no JSON.
    pub(super) result: Value,
}

impl Done {
    /// The error in the result, if it is one.
    pub(super) fn error(&self) -> Option<&str> {
        self.result.get("error").and_then(Value::as_str)
    }

    /// The effort that the result is about, else the one that was asked for.
    pub(super) fn id(&self) -> Option<&str> {
        let named = |value: &'_ Value| value.get("id").or_else(|| value.get("name")).is_some();
        let holder = if named(&self.result) { &self.result } else { &self.arguments };
        holder.get("id").or_else(|| holder.get("name")).and_then(Value::as_str)
    }
}

impl Scene {
    /// Reads a request.
    pub(super) fn read(request: &Request) -> Self {
        let mut scene = Self { tools: tool_names(request), ..Self::default() };
        let messages = &request.messages;
        let last_user = messages.iter().rposition(|message| message.role == Role::User);
        if let Some(memory) = last_user.and_then(|at| messages[at].memory.as_deref()) {
            scene.read_memory(&without(memory));
        }
        for (at, message) in messages.iter().enumerate() {
            match message.role {
                Role::User if Some(at) == last_user => {
                    scene.user = without(&message.content).into_owned();
                }
                Role::User | Role::Assistant if Some(at) < last_user => scene.said.push(Said {
                    by_user: message.role == Role::User,
                    text: without_labels(&without(&message.content)),
                }),
                _ => {}
            }
        }
        scene.done = last_user.map_or_else(Vec::new, |at| calls_with_results(&messages[at..]));
        scene
    }

    fn read_memory(&mut self, text: &str) {
        let mut section = "";
        for line in text.lines() {
            if line.starts_with("## ") {
                section = line;
            }
            if section.starts_with(RECALLED) && !line.starts_with("## ") {
                self.read_recalled(line);
                continue;
            }
            let Some(entry) = line.strip_prefix("- ") else { continue };
            if section.starts_with(CONCLUDED) {
                self.summaries.extend(
                    entry.split_once(": ").map(|(id, text)| (id.to_owned(), text.to_owned())),
                );
            } else if section.starts_with(NOTES) {
                self.notes.extend(read_note(entry));
            } else if section.starts_with(EXPANDED) {
                let id = entry.split_once(" (").map_or(entry, |(id, _)| id);
                self.expanded.push(id.to_owned());
            } else if section.starts_with(OPEN) && !is_rest_of_list(entry) {
                self.open.push(entry.strip_suffix(" (active)").unwrap_or(entry).to_owned());
            }
        }
    }

    /// `- [auth-bug, 2026-01-31]`, then indented lines.
    fn read_recalled(&mut self, line: &str) {
        if let Some(head) = line.strip_prefix("- [") {
            let id = head.split([',', ']']).next().unwrap_or_default();
            self.recalled.push((id.to_owned(), String::new()));
        } else if let (Some(words), Some((_, text))) =
            (line.strip_prefix("  "), self.recalled.last_mut())
        {
            text.push_str(words);
            text.push('\n');
        }
    }

    /// The active effort.
    pub(super) fn active(&self) -> Option<&str> {
        self.open.first().map(String::as_str)
    }

    /// Whether neither the active effort's name nor the last messages share a word with a topic.
    pub(super) fn is_unheard_of(&self, topic: &BTreeSet<String>, recent: usize) -> bool {
        let lately = self.said.iter().rev().take(recent).map(|said| said.text.as_str());
        self.active().into_iter().chain(lately).all(|text| stems(text).is_disjoint(topic))
    }

    /// The ids of the concluded efforts that are shown as summaries.
    pub(super) fn summary_ids(&self) -> impl Iterator<Item = &str> {
        self.summaries.iter().map(|(id, _)| id.as_str())
    }

    /// The summary that is shown for an effort.
    pub(super) fn summary(&self, id: &str) -> Option<&str> {
        self.summaries.iter().find(|(shown, _)| shown == id).map(|(_, text)| text.as_str())
    }

    /// The concluded effort that the last replies spoke of, if it is still shown.
    pub(super) fn last_mentioned(&self) -> Option<&str> {
        let concluded: Vec<&str> =
            self.summary_ids().chain(self.expanded.iter().map(String::as_str)).collect();
        self.said.iter().rev().take(6).find_map(|said| {
            let mentioned = words::words(&said.text);
            concluded.iter().copied().find(|id| mentioned.iter().any(|word| word == id))
        })
    }
}

/// The best match for a topic among ids: the same words, else an id that holds all of the topic's
/// words, else a topic that holds all of the id's. The earlier of two equals.
pub(super) fn best_match<'a>(
    topic: &BTreeSet<String>,
    ids: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let fit = |id: &str| {
        let own = stems(id);
        match () {
            () if topic.is_empty() || own.is_empty() => None,
            () if own == *topic => Some(0),
            () if topic.is_subset(&own) => Some(1),
            () if own.is_subset(topic) => Some(2),
            () => None,
        }
    };
    ids.filter_map(|id| Some((fit(id)?, id))).min_by_key(|(fit, _)| *fit).map(|(_, id)| id)
}

/// `[n3 ★★ decision] The words.`
fn read_note(entry: &str) -> Option<(String, String)> {
    let (label, content) = entry.strip_prefix('[')?.split_once("] ")?;
    Some((label.split_whitespace().next()?.to_owned(), content.to_owned()))
}

fn is_rest_of_list(entry: &str) -> bool {
    entry.starts_with("and ") && entry.ends_with(" more")
}

fn tool_names(request: &Request) -> Vec<String> {
    let definitions =
        request.tools.as_deref().and_then(Value::as_array).filter(|_| request.may_call);
    let name = |tool: &Value| Some(tool.get("function")?.get("name")?.as_str()?.to_owned());
    definitions.into_iter().flatten().filter_map(name).collect()
}

fn calls_with_results(messages: &[Message]) -> Vec<Done> {
    let result_of = |id: &str| {
        let mut results = messages.iter().filter(|message| message.role == Role::Tool);
        results.find(|message| message.call_id.as_deref() == Some(id))
    };
    let parsed = |text: &str| serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    messages
        .iter()
        .flat_map(|message| &message.calls)
        .filter_map(|call| {
            Some(Done {
                tool: call.name.clone(),
                arguments: parsed(&call.arguments),
                result: parsed(&result_of(&call.id)?.content),
            })
        })
        .collect()
}

/// A message without the labels over texts that are held by reference: nobody said them.
fn without_labels(text: &str) -> String {
    let is_label = |line: &str| line.starts_with('[') && line.contains(" saved as ref:");
    text.split_inclusive('\n').filter(|line| !is_label(line)).collect()
}
