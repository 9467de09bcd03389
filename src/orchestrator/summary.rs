//! Asks for the summary of a log that is concluded, or summarised again.

use std::sync::Arc;

use super::answer::Refusal;
use super::assemble;
use super::driver::Driver;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::llm::{self, Completion, Purpose, Request};
use crate::memory::{CloseSource, CountTokens, Message, Role, Source, Tokens, Window, WindowItem};
use crate::prompt;

/// What a summary should cost at most, in tokens; the request says the same.
const MOST_SUMMARY: Tokens = Tokens(100);

/// A request for a summary.
struct Prompt {
    messages: Vec<llm::Message>,
    /// The message that holds the instructions.
    instructions: usize,
    cost: Tokens,
    /// It begins as the chat's requests do, with the same tools: what a server has read of them it need not
    /// read again.
    extends_chat: bool,
}

impl Prompt {
    /// The log alone.
    fn alone(prompt: Vec<(&'static str, String)>, counter: &dyn CountTokens) -> Self {
        let cost = prompt.iter().map(|(_, text)| counter.count(text)).sum();
        let messages = assemble::prompt_messages(prompt);
        Self { messages, instructions: 0, cost, extends_chat: false }
    }

    /// The front of a window, which ends with the log, and what of the log is not there; `None` if it does not end
    /// so, or if what is there of the log is too little to be worth reading the rest of the front again.
    fn behind(window: &Window, source: &CloseSource, counter: &dyn CountTokens) -> Option<Self> {
        let shown = log_at_end(window, source)?;
        let front: Tokens = window.front().iter().map(|item| item.tokens).sum();
        let there: Tokens = shown.iter().map(|item| item.tokens).sum();
        let beside = beside(shown, source);
        if beside.left_out && front.0 > there.0 * READ_AGAIN {
            return None;
        }
        let words = prompt::summarize_above(source.id.as_str(), shown.len(), beside.words());
        let cost = front + counter.count(&words);
        let mut messages = assemble::front_messages(window);
        messages.push(llm::Message::text(llm::Role::User, words));
        Some(Self { instructions: messages.len() - 1, messages, cost, extends_chat: true })
    }

    /// The same when its answer was too long.
    fn shorter(mut self, counter: &dyn CountTokens) -> Self {
        let instructions = &mut self.messages[self.instructions].content;
        let words: Arc<str> = prompt::shorter(instructions).into();
        self.cost += counter.count(&words).saturating_sub(counter.count(instructions));
        *instructions = words;
        self
    }
}

/// What is read again from a cache costs about so many times less than what is new.
const READ_AGAIN: u64 = 10;

/// What of a log does not stand word for word in the window.
struct Beside {
    /// Each message, as it is told.
    told: Vec<String>,
    /// Some of it is older than the user's message of the turn under way.
    left_out: bool,
}

impl Beside {
    fn words(&self) -> Option<String> {
        (!self.told.is_empty()).then(|| self.told.join("\n\n"))
    }
}

/// The items of a log, if the front of a window ends with it.
fn log_at_end<'a>(window: &'a Window, source: &CloseSource) -> Option<&'a [WindowItem]> {
    let log = Source::Open(source.id.clone());
    let above = window.front().iter().rev().take_while(|item| item.source == log).count();
    (above > 0).then(|| &window.front()[window.front().len() - above..])
}

/// The messages of a log that are not among its items: what was left out or stands compressed, and what the user
/// said in the turn under way.
fn beside(shown: &[WindowItem], source: &CloseSource) -> Beside {
    let mut rest = shown;
    let missing: Vec<(usize, &Message)> = source
        .messages
        .iter()
        .enumerate()
        .filter(|(_, message)| {
            let is_it =
                |item: &WindowItem| (item.role, &item.content) == (message.role, &message.content);
            match rest.iter().position(is_it) {
                Some(at) => {
                    rest = &rest[at + 1..];
                    false
                }
                None => true,
            }
        })
        .collect();
    let last = source.messages.len().saturating_sub(1);
    match missing[..] {
        [(at, newest)] if at == last && newest.role == Role::User => {
            Beside { told: vec![newest.content.trim().to_owned()], left_out: false }
        }
        _ => Beside {
            left_out: !missing.is_empty(),
            told: missing
                .iter()
                .map(|(_, message)| {
                    format!("{}: {}", message.role.as_str(), message.content.trim())
                })
                .collect(),
        },
    }
}

impl Driver {
    /// A summary of a log. One that is too long, or no smaller than the log, is asked for once more,
    /// shorter; of the two the shorter one is taken. A short log may stand for itself and is asked for once.
    pub(super) async fn summarize(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let (prompt, first) = match self.first_summary(source, progress).await {
            Ok(answered) => answered,
            // A script need not hold a summary for a log that may stand for itself.
            Err(Refusal::Stop(Stop::ScriptShort(_))) if source.may_stand_for_itself() => {
                return Ok(source.text());
            }
            Err(refused) => return Err(refused),
        };
        let cost = self.memory.count(&first);
        let serves = !first.trim().is_empty() && cost < source.tokens;
        if source.may_stand_for_itself() || (serves && cost <= MOST_SUMMARY) {
            return Ok(first);
        }
        let prompt = prompt.shorter(&*self.memory.counter());
        let shorter = match self.ask_for_summary(&prompt, progress).await.and_then(whole) {
            Ok(second) if !serves || self.memory.count(&second) < cost => second,
            Err(stop) if !serves => return Err(refusal(source, stop)),
            Err(Stop::Cancelled) => return Err(Refusal::Stop(Stop::Cancelled)),
            // The first one serves, if it must.
            Ok(_) | Err(_) => first,
        };
        self.tell_long(source, self.memory.count(&shorter));
        Ok(shorter)
    }

    /// The first answer, and to what. A model that goes on with the chat instead, or a server that refuses such
    /// a request, is given the log alone.
    async fn first_summary(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<(Prompt, String), Refusal> {
        if let Some(prompt) = self.prompt_behind_chat(source) {
            match self.ask_for_summary(&prompt, progress).await {
                Ok(answer) if answer.text.trim().is_empty() => {}
                Err(Stop::Failed(..)) => {}
                answer => {
                    let summary = answer.and_then(whole).map_err(|stop| refusal(source, stop))?;
                    return Ok((prompt, summary));
                }
            }
        }
        let prompt = self.prompt_alone(source, progress).await?;
        let answer = self.ask_for_summary(&prompt, progress).await;
        let summary = answer.and_then(whole).map_err(|stop| refusal(source, stop))?;
        Ok((prompt, summary))
    }

    /// A request that extends the chat's, where the same model answers both and it fits.
    fn prompt_behind_chat(&self, source: &CloseSource) -> Option<Prompt> {
        if self.settings.summary_model().is_some_and(|name| name != self.model.info().name) {
            return None;
        }
        let sent = self.last_request.as_ref().filter(|_| self.under_way.is_some());
        let window = sent.map_or_else(|| Arc::new(self.memory.window()), Arc::clone);
        let prompt = Prompt::behind(&window, source, &*self.memory.counter())?;
        (prompt.cost <= self.memory.rules().limit()).then_some(prompt)
    }

    async fn prompt_alone(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<Prompt, Refusal> {
        let prompt = self.for_summary(source, progress).await;
        let prompt = prompt.map_err(|stop| refusal(source, stop))?;
        Ok(Prompt::alone(prompt, &*self.memory.counter()))
    }

    async fn ask_for_summary(
        &mut self,
        prompt: &Prompt,
        progress: &mut Progress,
    ) -> Result<Completion, Stop> {
        let request = Request {
            purpose: Purpose::Summarize,
            messages: prompt.messages.clone(),
            tools: prompt.extends_chat.then(crate::tools::definitions),
            may_call: false,
            temperature: None,
            model: self.settings.summary_model().map(str::to_owned),
        };
        self.ask(request, prompt.cost, progress).await
    }

    /// A summary that stays too long is taken, with a word.
    fn tell_long(&self, source: &CloseSource, cost: Tokens) {
        if cost > MOST_SUMMARY && cost < source.tokens {
            let id = &source.id;
            self.notify(Notice::Info(format!(
                "The summary of {id} has {cost} tokens instead of {MOST_SUMMARY} at most, although it was \
                 asked for twice. It is kept; /edit {id} or /resummarize {id} makes it shorter."
            )));
        }
    }
}

/// The words of an answer: half a summary would stand for the whole log from now on.
fn whole(answer: Completion) -> Result<String, Stop> {
    match answer.finish.shortfall() {
        Some(shortfall) => Err(Stop::Failed(format!("it {shortfall}"), String::new())),
        None => Ok(answer.text),
    }
}

fn refusal(source: &CloseSource, stop: Stop) -> Refusal {
    match stop {
        Stop::Failed(what, _) => Refusal::of(format!(
            "effort '{}' stays open, because its summary could not be made: {what}",
            source.id
        )),
        stop => Refusal::Stop(stop),
    }
}
