//! What is under way: a turn, a command, or nothing.

use std::time::Duration;

use crate::memory::Turn;

/// What the app waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// Nothing.
    Idle,
    /// A turn.
    Turn(Running),
    /// A memory command, as typed.
    Command(String, Duration),
}

/// A turn under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// When it was sent.
    pub since: Duration,
    /// Its number, once the orchestrator has said that it began: until then its words are kept as a draft.
    pub turn: Option<Turn>,
    /// The first block of the transcript that belongs to it.
    pub first_block: usize,
    /// Whether the user has asked for it to stop.
    pub cancelling: bool,
    /// Whether the model's label stands already.
    pub labelled: bool,
    /// What it does now.
    pub activity: Activity,
}

impl Running {
    /// A turn that was just sent.
    pub fn sent(now: Duration, first_block: usize) -> Self {
        Self {
            since: now,
            turn: None,
            first_block,
            cancelling: false,
            labelled: false,
            activity: Activity::Waiting { round: 1 },
        }
    }
}

/// What a turn does now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Waits for the first word.
    Waiting {
        /// The request's number within the turn, from 1.
        round: u32,
    },
    /// Receives reasoning.
    Thinking,
    /// Receives the reply.
    Writing,
    /// Receives or runs a tool call.
    Calling(String),
    /// Waits before a request is repeated.
    Retrying {
        /// When it will be repeated.
        until: Duration,
        /// The attempt's number, from 2.
        attempt: u32,
    },
}

impl Phase {
    /// One word for the status line.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Idle => "ready",
            Self::Command(..) => "working",
            Self::Turn(running) if running.cancelling => "stopping",
            Self::Turn(running) => match running.activity {
                Activity::Waiting { .. } => "waiting",
                Activity::Thinking => "thinking",
                Activity::Writing => "writing",
                Activity::Calling(_) => "calling",
                Activity::Retrying { .. } => "retrying",
            },
        }
    }

    /// The line above the message line: what is awaited and for how long; `None` when idle.
    pub fn sentence(&self, now: Duration, model: &str) -> Option<String> {
        let seconds = |since: Duration| now.saturating_sub(since).as_secs();
        match self {
            Self::Idle => None,
            Self::Command(name, since) => Some(format!("running {name} · {} s", seconds(*since))),
            Self::Turn(running) if running.cancelling => Some("stopping ...".to_owned()),
            Self::Turn(running) => {
                let what = match &running.activity {
                    Activity::Retrying { until, attempt } if *until > now => {
                        let left = until.saturating_sub(now).as_millis().div_ceil(1000);
                        return Some(format!("retrying in {left} s (attempt {attempt})"));
                    }
                    Activity::Retrying { attempt, .. } => {
                        format!("waiting for {model}, attempt {attempt}")
                    }
                    Activity::Waiting { round: 1 } => format!("waiting for {model}"),
                    Activity::Waiting { round } => format!("waiting for {model}, round {round}"),
                    Activity::Thinking => format!("{model} is thinking"),
                    Activity::Writing => format!("{model} is writing"),
                    Activity::Calling(tool) => format!("calling {tool}"),
                };
                Some(format!("{what} · {} s", seconds(running.since)))
            }
        }
    }
}
