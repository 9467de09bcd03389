//! What a model answers to one request, and what that took.

use std::sync::Arc;

use futures_util::StreamExt;

use super::QualityError;
use crate::bill::{Paid, Sum};
use crate::llm::{self, Completion, Event, Message, Model, Purpose, Request, Usage};
use crate::memory::{CountTokens, Tokens};
use crate::proof::waits::waiting;

/// What a model answers, and nothing but a whole answer.
pub(in crate::proof) async fn ask(
    model: &Arc<dyn Model>,
    purpose: Purpose,
    messages: Vec<Message>,
) -> Result<String, QualityError> {
    let mut events = model.stream(request(purpose, messages, None));
    while let Some(event) = events.next().await {
        if let Event::Done(completion) = event.map_err(QualityError::Model)? {
            return whole(completion);
        }
    }
    Err(QualityError::Ended)
}

/// A request, with `name` of another model than the one that usually answers.
pub(super) fn request(purpose: Purpose, messages: Vec<Message>, name: Option<&str>) -> Request {
    // As exact as the model can be: the same questions should bring the same verdicts.
    let temperature = Some(0.0);
    Request { temperature, model: name.map(str::to_owned), ..Request::plain(purpose, messages) }
}

/// What a model answers, and what it took is added, also where the answer is none or breaks off. `tell` hears of pauses.
pub(super) async fn answered(
    model: &Arc<dyn Model>,
    request: Request,
    sum: &mut Sum,
    counter: &Arc<dyn CountTokens>,
    tell: &mut dyn FnMut(String),
) -> Result<String, QualityError> {
    let guessed = prompt_tokens(&request.messages, &**counter);
    let mut underway =
        Underway { sum, counter, guessed, reach: Reach::Sent, heard: String::new(), told: None };
    let mut events = model.stream(request);
    while let Some(event) = events.next().await {
        underway.see(&event);
        match event.map_err(QualityError::Model)? {
            Event::Done(completion) => return whole(completion),
            Event::Retrying { wait, attempt, reason } => tell(waiting(wait, attempt, &reason)),
            _ => {}
        }
    }
    Err(QualityError::Ended)
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// It is on its way, or the server reads it.
    Sent,
    /// The server refused it or could not be reached.
    Refused,
    /// Something of an answer came.
    Answered,
    /// It is over, and counted.
    Over,
}

/// A request under way. Like one of the chat it is paid for once something of an answer came, and where nobody waited for
/// that any more.
struct Underway<'a> {
    sum: &'a mut Sum,
    counter: &'a Arc<dyn CountTokens>,
    /// The tokens of its prompt, if the server does not say.
    guessed: Tokens,
    reach: Reach,
    heard: String,
    told: Option<Usage>,
}

impl Underway<'_> {
    fn see(&mut self, event: &Result<Event, llm::Error>) {
        match event {
            Ok(Event::Text(text) | Event::Reasoning(text)) => {
                self.reach = Reach::Answered;
                self.heard.push_str(text);
            }
            Ok(Event::Done(completion)) => self.end(completion.usage, &completion.text),
            Err(llm::Error::Empty { usage: Some(usage), .. }) => self.end(Some(*usage), ""),
            Err(_) if self.reach != Reach::Answered => self.reach = Reach::Refused,
            Ok(Event::Usage(usage)) => self.told = Some(*usage),
            Ok(Event::Retrying { .. }) => (self.reach, self.told) = (Reach::Refused, None),
            _ => {}
        }
    }

    fn end(&mut self, usage: Option<Usage>, text: &str) {
        self.sum.add(paid(usage, self.guessed, self.counter.count(text)));
        self.reach = Reach::Over;
    }
}

impl Drop for Underway<'_> {
    /// It broke off, or was dropped.
    fn drop(&mut self) {
        if matches!(self.reach, Reach::Sent | Reach::Answered) {
            let heard = std::mem::take(&mut self.heard);
            self.end(self.told, &heard);
        }
    }
}

fn whole(completion: Completion) -> Result<String, QualityError> {
    let Completion { text, finish, .. } = completion;
    finish.shortfall().map_or(Ok(text), |cut| Err(QualityError::Cut(cut)))
}

/// What a request took, as the server says, else as it is counted here.
fn paid(usage: Option<Usage>, prompt: Tokens, output: Tokens) -> Paid {
    let Some(usage) = usage else {
        return Paid { estimated: true, ..Paid::reported(prompt.0, 0, 0, output.0) };
    };
    let Usage { prompt, completion, cached, written, .. } = usage;
    let paid = Paid::reported(prompt, cached.unwrap_or(0), written, completion);
    Paid { estimated: cached.is_none(), ..paid }
}

/// The tokens of a request as they are counted here.
pub(super) fn prompt_tokens(messages: &[Message], counter: &dyn CountTokens) -> Tokens {
    let texts = |message: &Message| [message.memory.clone(), Some(Arc::clone(&message.content))];
    messages.iter().flat_map(texts).flatten().map(|text| counter.count(&text)).sum()
}
