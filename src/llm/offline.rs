//! The built-in offline model, for a machine with no key and no network.
//!
//! It is no language model and says so. It sees only the request, like any model, and follows the tool
//! rules of `prompts/system.md` with plain pattern rules; it summarises by extraction and answers with
//! what stands in the window or in a search result. The same request always gets the same answer.

mod act;
mod answer;
mod asked;
mod chatter;
mod closing;
mod extract;
mod intent;
mod lead_ins;
mod lines;
mod noting;
mod opening;
mod phrases;
mod recall;
mod reply;
mod scene;
mod sentences;
mod spoken;
mod words;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Map;

use super::recite::recite;
use super::wire::{FinishReason, Message, Purpose, Request, Role, ToolCall};
use super::{Completion, EventStream, Model, ModelInfo};
use crate::escapes;
use crate::lock::locked;
use act::{Pause, Turn};
use lines::Lines;
use scene::Scene;

/// What it is called.
pub const NAME: &str = crate::providers::BUILT_IN;

/// The offline model.
#[derive(Debug, Clone, Default)]
pub struct Offline {
    pace: Duration,
    /// The last text that was summarised, and its summary: one that is too long is asked for again.
    last: Arc<Mutex<Option<(String, String)>>>,
    lines: Arc<Lines>,
}

impl Offline {
    /// A model that takes this time for each word of its answers; zero for all at once.
    pub fn new(pace: Duration) -> Self {
        Self { pace, ..Self::default() }
    }

    fn summary(&self, conversation: &str) -> String {
        let mut last = locked(&self.last);
        if let Some((_, summary)) = last.as_ref().filter(|(known, _)| known == conversation) {
            return summary.clone();
        }
        let summary = extract::summary(conversation, &self.lines);
        *last = Some((conversation.to_owned(), summary.clone()));
        summary
    }
}

impl Model for Offline {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: NAME.into(),
            provider: "built in".into(),
            context_window: None,
            offline: true,
        }
    }

    fn stream(&self, request: Request) -> EventStream {
        let completion = match request.purpose {
            Purpose::Chat | Purpose::Compare => chat(&request),
            Purpose::Summarize => {
                words_only(self.summary(&escapes::without(&to_be_shortened(&request))))
            }
            Purpose::Compress => {
                let (text, room) = (to_be_shortened(&request), room(&request));
                words_only(extract::compression(&escapes::without(&text), room, &self.lines))
            }
        };
        let pace = self.pace;
        recite(completion, None, move || pace)
    }

    fn foretell(&self, message: &str) {
        extract::read_ahead(&escapes::without(message), &self.lines);
    }
}

fn chat(request: &Request) -> Completion {
    let scene = Scene::read(request);
    let (intents, round) = (asked::intents(&scene.user), scene.done.len() + 1);
    let mut turn = Turn::new(scene);
    let mut said: Vec<String> = Vec::new();
    for intent in &intents {
        match turn.carry_out(intent) {
            Ok(text) | Err(Pause::Failed(text)) => said.push(text),
            Err(Pause::CannotCall) => said.push(reply::CANNOT_CALL.into()),
            Err(Pause::Call { tool, arguments }) => {
                let call = ToolCall {
                    // Unique within a turn, and calls do not outlive their turn.
                    id: format!("call{round:05}"),
                    name: tool.into(),
                    arguments: arguments.to_string(),
                    extra: Map::new(),
                };
                let finish = FinishReason::ToolCalls;
                return Completion { calls: vec![call], finish, ..Completion::default() };
            }
        }
    }
    said.dedup();
    Completion { aside: turn.is_aside(&intents), ..words_only(said.join(" ")) }
}

fn words_only(text: String) -> Completion {
    Completion { text, ..Completion::default() }
}

/// The conversation to be summarised or compressed: what the instructions at the end of the chat point at, else the
/// text that they stand beside.
fn to_be_shortened(request: &Request) -> Cow<'_, str> {
    let pointed_at = request.tools.as_ref().and_then(|_| pointed_at(&request.messages));
    pointed_at.map_or_else(|| source_text(request).into(), Cow::from)
}

/// For how many words the instructions have room, if they say so: those behind the chat, else those beside the text.
fn room(request: &Request) -> Option<usize> {
    let instructions = if request.tools.is_some() {
        request.messages.last()?.content.rsplit_once("The program asks")?.1
    } else {
        &request.messages.iter().find(|message| message.role == Role::System)?.content
    };
    let (_, rest) = instructions.rsplit_once("There is room for about ")?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The messages that the last one names or counts, with what stands in front of its instructions: what the user says
/// in it, or words of the log.
fn pointed_at(messages: &[Message]) -> Option<String> {
    let (asked, said) = messages.split_last()?;
    let (beside, instructions) = asked.content.rsplit_once("The program asks")?;
    let lines = named(instructions, said)
        .map(|one| format!("{}: {}", one.role.as_str(), one.content.trim()))
        .collect::<Vec<_>>();
    let beside = Some(beside.trim()).filter(|words| !words.is_empty());
    let is_said = |words: &str| words.starts_with("user: ") || words.starts_with("assistant: ");
    let beside = beside.map(|words| {
        if is_said(words) { words.to_owned() } else { format!("{}: {words}", Role::User.as_str()) }
    });
    Some(lines.into_iter().chain(beside).collect::<Vec<_>>().join("\n\n"))
}

/// The messages that instructions name by how they begin, then those at the end that they count.
fn named<'a>(instructions: &'a str, said: &'a [Message]) -> impl Iterator<Item = &'a Message> {
    let starts = |message: &Message, words: &str| {
        let enough = words.split_whitespace().count() + 1;
        let first: Vec<&str> = message.content.split_whitespace().take(enough).collect();
        first.join(" ").starts_with(words)
    };
    let runs = instructions.split(", then ").flat_map(move |run| {
        let quoted = run.split('\u{201c}').skip(1).filter_map(|rest| rest.split_once('\u{201d}'));
        let mut places =
            quoted.filter_map(|(words, _)| said.iter().position(|one| starts(one, words)));
        let first = places.next();
        let last = places.next().or(first);
        first.zip(last).map_or(&[][..], |(first, last)| said.get(first..=last).unwrap_or_default())
    });
    let counted = instructions.split_once("the last ").and_then(|(_, rest)| rest.split_once(' '));
    let counted: usize = counted.and_then(|(count, _)| count.parse().ok()).unwrap_or(0);
    runs.chain(&said[said.len().saturating_sub(counted)..])
}

/// The text to be shortened: the longest message that is no instruction.
fn source_text(request: &Request) -> &str {
    let messages = request.messages.iter().filter(|message| message.role != Role::System);
    messages.map(|message| &*message.content).max_by_key(|text| text.len()).unwrap_or("")
}
