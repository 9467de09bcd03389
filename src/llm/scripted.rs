//! A model that says what a script tells it to, for scenarios and tests.
//!
//! It holds the answers of one turn, a list for each [`Purpose`], and never invents one: asked for
//! more it fails with a sentence that names the turn, and what stayed unused can be asked for.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::{Map, Value};

use super::recite::recite;
use super::wire::{FinishReason, Purpose, Request, ToolCall};
use super::{Completion, Error, EventStream, Model, ModelInfo};

use crate::lock::locked;

/// One scripted answer to a chat request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScriptedAnswer {
    /// What it says; may be empty beside calls.
    pub text: String,
    /// What it calls, in order.
    pub calls: Vec<ScriptedCall>,
    /// Fails with this behind the text, as a connection that breaks in the middle of an answer.
    pub error: Option<Error>,
    /// The exchange belongs to no effort.
    pub aside: bool,
}

/// One scripted tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptedCall {
    /// The tool's name; need not exist.
    pub name: String,
    /// The arguments. A string is sent as it stands, so that a script can make a broken call.
    pub arguments: Value,
}

/// The scripted model. Clones share one script, so that whoever drives the scenario keeps a handle.
#[derive(Debug, Clone, Default)]
pub struct Scripted {
    script: Arc<Mutex<Script>>,
    /// Microseconds for each word.
    pace: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct Script {
    turn: u64,
    answers: VecDeque<ScriptedAnswer>,
    summaries: VecDeque<String>,
    compressions: VecDeque<String>,
    /// Requests of the turn so far, by their purpose.
    asked: [u32; 4],
    /// Calls made so far; numbers their ids.
    calls: u32,
}

impl Scripted {
    /// A model with an empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// The model as it takes this time for each word.
    #[must_use]
    pub fn with_pace(self, pace: Duration) -> Self {
        self.set_pace(pace);
        self
    }

    /// Takes this time for each word from now on, also of the answer under way.
    pub fn set_pace(&self, pace: Duration) {
        let micros = u64::try_from(pace.as_micros()).unwrap_or(u64::MAX);
        self.pace.store(micros, Ordering::Relaxed);
    }

    /// Replaces the script by that of a turn.
    pub fn set_turn(
        &self,
        turn: u64,
        answers: Vec<ScriptedAnswer>,
        summaries: Vec<String>,
        compressions: Vec<String>,
    ) {
        let mut script = self.script();
        let calls = script.calls;
        *script = Script {
            turn,
            answers: answers.into(),
            summaries: summaries.into(),
            compressions: compressions.into(),
            asked: [0; 4],
            calls,
        };
    }

    /// What the turn did not use, as a sentence, and forgets it; `None` if everything was used.
    /// Compressions may be left over: how many requests one takes depends on how long its log is.
    pub fn take_leftovers(&self) -> Option<String> {
        let mut script = self.script();
        let left = [
            amount(script.answers.len(), "answer", "answers"),
            amount(script.summaries.len(), "summary", "summaries"),
        ];
        script.answers.clear();
        script.summaries.clear();
        script.compressions.clear();
        let left: Vec<String> = left.into_iter().flatten().collect();
        let sentence = || format!("turn {}: the script has {} left over", script.turn, join(&left));
        (!left.is_empty()).then(sentence)
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        // A script is whole at every moment, so a panic elsewhere leaves nothing half-done in it.
        locked(&self.script)
    }
}

impl Model for Scripted {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: "scripted".into(),
            provider: "scenario".into(),
            context_window: None,
            offline: true,
        }
    }

    /// A script that holds no compressions leaves the ceiling to the previews.
    fn answers(&self, purpose: Purpose) -> bool {
        purpose != Purpose::Compress || !self.script().compressions.is_empty()
    }

    fn stream(&self, request: Request) -> EventStream {
        match self.script().next(request.purpose) {
            Ok((completion, error)) => {
                let pace = Arc::clone(&self.pace);
                recite(completion, error, move || {
                    Duration::from_micros(pace.load(Ordering::Relaxed))
                })
            }
            Err(error) => recite(Completion::default(), Some(error), || Duration::ZERO),
        }
    }
}

impl Script {
    fn next(&mut self, purpose: Purpose) -> Result<(Completion, Option<Error>), Error> {
        self.asked[purpose as usize] += 1;
        let words = |text| (Completion { text, ..Completion::default() }, None);
        let next = match purpose {
            Purpose::Chat | Purpose::Compare => {
                self.answers.pop_front().map(|answer| self.completion(answer))
            }
            Purpose::Summarize => self.summaries.pop_front().map(words),
            Purpose::Compress => self.compressions.pop_front().map(words),
        };
        next.ok_or_else(|| self.ran_short(purpose))
    }

    fn completion(&mut self, mut answer: ScriptedAnswer) -> (Completion, Option<Error>) {
        let calls: Vec<ToolCall> = std::mem::take(&mut answer.calls)
            .into_iter()
            .map(|call| self.tool_call(call))
            .collect();
        let finish = if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
        let ScriptedAnswer { text, error, aside, .. } = answer;
        (Completion { text, calls, finish, aside, ..Completion::default() }, error)
    }

    fn tool_call(&mut self, call: ScriptedCall) -> ToolCall {
        self.calls += 1;
        let arguments = match call.arguments {
            Value::String(text) => text,
            Value::Null => "{}".into(),
            value => value.to_string(),
        };
        ToolCall {
            id: format!("call{:05}", self.calls % 100_000),
            name: call.name,
            arguments,
            extra: Map::new(),
        }
    }

    fn ran_short(&self, purpose: Purpose) -> Error {
        let (missing, asked) = match purpose {
            Purpose::Chat | Purpose::Compare => ("answer", "request"),
            Purpose::Summarize => ("summary", "summary request"),
            Purpose::Compress => ("compression", "compression request"),
        };
        Error::Script(format!(
            "turn {}: the script has no {missing} left for {asked} {} of the turn",
            self.turn, self.asked[purpose as usize]
        ))
    }
}

fn amount(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
}

fn join(parts: &[String]) -> String {
    match parts {
        [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
        _ => parts.concat(),
    }
}

#[cfg(test)]
mod tests;
