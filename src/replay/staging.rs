//! The turns as a script, and a model that keeps to it: it says what was said then, opens a topic where one begins
//! and concludes it where it ends.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::json;

use super::conversation::Conversation;
use super::part::Border;
use super::phases::Phase;
use crate::bill::Retold;
use crate::llm::scripted::{Scripted, ScriptedAnswer, ScriptedCall};
use crate::llm::{EventStream, Model, ModelInfo, Purpose, Request};
use crate::orchestrator::SaidAt;
use crate::scenario::{PlayError, ScriptedTurn};

/// Says what the script says; summaries come from another model.
pub(super) struct Replaying {
    pub(super) script: Scripted,
    pub(super) summaries: Arc<dyn Model>,
}

impl Model for Replaying {
    fn info(&self) -> ModelInfo {
        ModelInfo { name: "replayed".into(), ..self.script.info() }
    }

    fn stream(&self, request: Request) -> EventStream {
        match request.purpose {
            Purpose::Chat => self.script.stream(request),
            _ => self.summaries.stream(request),
        }
    }
}

/// Whether a topic lasts to the end of so many turns: it is concluded behind them.
pub(super) fn lasts(turns: usize, phases: &[Phase]) -> bool {
    phases.last().is_some_and(|phase| phase.to >= turns)
}

/// Why a script ended early: what was said cannot be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Unread(Arc<OnceLock<io::Error>>);

impl Unread {
    /// Ends the play with the reason, if there is one.
    pub(super) fn told(&self) -> Result<(), PlayError> {
        self.0.get().map_or(Ok(()), |reason| Err(PlayError::Script(reason.to_string())))
    }

    fn or_end<T>(&self, read: io::Result<T>) -> Option<T> {
        read.map_err(|reason| self.0.set(reason)).ok()
    }
}

/// The turns of a conversation as a script, each made when it is said: a conversation may be long.
pub(super) fn staged(
    conversation: Arc<Conversation>,
    phases: Arc<[Phase]>,
    lifetime: Duration,
    unread: Unread,
) -> impl Iterator<Item = ScriptedTurn> + Send + use<> {
    let mut next = 0;
    // When somebody spoke last.
    let mut last = None;
    // The open topic.
    let mut open: Option<Phase> = None;
    let turns = conversation.len();
    (0..turns).map_while(move |at| {
        let mut calls = Vec::new();
        let begins = phases.get(next).filter(|phase| phase.from == at);
        // A topic ends where another one or small talk begins: that is when somebody can know. What is said there is no
        // part of it.
        let ends = open.take_if(|open| begins.is_some() || at >= open.to);
        if let Some(phase) = begins {
            calls.push(call("open_effort", &json!({ "name": phase.name })));
            open = Some(phase.clone());
            next += 1;
        }
        if let Some(phase) = ends {
            calls.push(call("close_effort", &json!({ "id": phase.name })));
        }
        let ((user, reply), said_at) = unread.or_end(conversation.said(at))?;
        // A turn that does not tell came behind the one before it; before the first one that does nothing is known.
        last = said_at.or(last);
        let said_at = Some(last.map_or(SaidAt::Unknown, SaidAt::Millis));
        let retold = Some(unread.or_end(retold(&conversation, at, lifetime))?);
        let returned = unread.or_end(conversation.held(at))?;
        let mut turn = ScriptedTurn { said_at, retold, returned, ..scripted(user, calls, reply) };
        turn.model.iter_mut().for_each(|answer| answer.aside = open.is_none());
        Some(turn)
    })
}

/// What a turn took in the program that it is from.
pub(super) fn retold(
    conversation: &Conversation,
    at: usize,
    lifetime: Duration,
) -> io::Result<Retold> {
    let begins = conversation.border(at).and_then(Border::copied).map(|copied| copied.all);
    let (tools, pointers) = (conversation.tools(at)?, conversation.pointers(at)?);
    Ok(Retold { tools, pointers, begins, cold: comes_late(conversation, at, lifetime)? })
}

/// Whether a turn came so late that a cache that keeps anything for so long had forgotten all.
fn comes_late(conversation: &Conversation, at: usize, lifetime: Duration) -> io::Result<bool> {
    let pause = conversation.pause(at)?.map(Duration::from_millis);
    Ok(!lifetime.is_zero() && pause.is_some_and(|pause| pause > lifetime))
}

fn call(name: &str, arguments: &serde_json::Value) -> ScriptedCall {
    ScriptedCall { name: name.to_owned(), arguments: arguments.clone() }
}

pub(super) fn scripted(user: String, calls: Vec<ScriptedCall>, reply: String) -> ScriptedTurn {
    let text = if reply.is_empty() { "…".to_owned() } else { reply };
    let with_calls = ScriptedAnswer { calls, ..ScriptedAnswer::default() };
    let says = ScriptedAnswer { text, ..ScriptedAnswer::default() };
    let model = if with_calls.calls.is_empty() { vec![says] } else { vec![with_calls, says] };
    ScriptedTurn { user, model, ..ScriptedTurn::default() }
}
