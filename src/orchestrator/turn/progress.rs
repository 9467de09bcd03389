//! What a turn gathers on its way.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::escapes::Escapes;
use crate::llm::FinishReason;
use crate::memory::{Change, EffortId, Layers, Recalled, Tokens};
use crate::orchestrator::measured::Measured;
use crate::orchestrator::notice::{CallReport, Given};
use crate::specifics::Report;

/// What a turn gathers on its way.
#[derive(Debug)]
pub(in crate::orchestrator) struct Progress {
    /// The user's message, as the window holds it.
    pub(in crate::orchestrator) user: Arc<str>,
    /// The same as typed.
    pub(in crate::orchestrator) typed: Arc<str>,
    /// What of all that was said is looked for: the message, behind the exchange before it if it goes on with that.
    pub(in crate::orchestrator) about: Arc<str>,
    /// What was recalled for the message before, where this one may be about the same.
    pub(in crate::orchestrator) still_meant: Vec<Recalled>,
    /// Everything said so far, rounds with calls included.
    pub(in crate::orchestrator) said: Vec<String>,
    /// What arrived of the current answer.
    pub(in crate::orchestrator) partial: String,
    /// What is still to come of a sequence in it that steers a terminal and is not shown.
    pub(super) escapes: Escapes,
    pub(in crate::orchestrator) calls: Vec<CallReport>,
    pub(in crate::orchestrator) changes: Vec<Change>,
    /// The model has called for another effort already, while this call runs.
    pub(in crate::orchestrator) goes_on: bool,
    /// What summaries kept that were made with the user's message.
    pub(in crate::orchestrator) kept: Vec<(EffortId, Report)>,
    /// The disk refused a change: it is in memory only.
    pub(in crate::orchestrator) unrecorded: bool,
    /// How an answer ended that is not whole.
    pub(super) cut: Option<FinishReason>,
    /// The requests went out without the tools.
    pub(super) without_tools: bool,
    pub(super) requests: u32,
    pub(super) sent: Layers,
    pub(super) given: Given,
    /// What all chat requests cost together: a tool call sends everything again.
    pub(super) in_all: Tokens,
    /// Layers of the largest of them.
    pub(super) most: Layers,
    /// The last request.
    pub(in crate::orchestrator) answered: Measured,
    /// The last one that was answered to its end.
    pub(super) complete: Option<Measured>,
    pub(super) stopwatch: Stopwatch,
    /// Time spent waiting for the model.
    pub(in crate::orchestrator) model_time: Duration,
}

impl Progress {
    pub(in crate::orchestrator) fn new(user: Arc<str>) -> Self {
        Self {
            typed: Arc::clone(&user),
            about: Arc::clone(&user),
            still_meant: Vec::new(),
            user,
            said: Vec::new(),
            partial: String::new(),
            escapes: Escapes::default(),
            calls: Vec::new(),
            changes: Vec::new(),
            goes_on: false,
            kept: Vec::new(),
            unrecorded: false,
            cut: None,
            without_tools: false,
            requests: 0,
            sent: Layers::default(),
            given: Given::default(),
            in_all: Tokens(0),
            most: Layers::default(),
            answered: Measured::default(),
            complete: None,
            stopwatch: Stopwatch::start(),
            model_time: Duration::ZERO,
        }
    }

    /// Layers of the first request.
    pub(in crate::orchestrator) fn sent(&self) -> Layers {
        self.sent
    }

    /// A part of the reply as it stands behind what the model said before tools were called.
    pub(super) fn arrived<'a>(&self, part: &'a str) -> Cow<'a, str> {
        let begins = self.partial.is_empty() && !self.said.is_empty();
        if begins { Cow::Owned(format!("\n\n{part}")) } else { Cow::Borrowed(part) }
    }

    /// All words of the model in this turn, the unfinished ones included.
    pub(super) fn words(&self) -> String {
        let parts = self.said.iter().chain(std::iter::once(&self.partial));
        parts
            .map(|part| part.trim())
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n")
    }
}
