//! What a model answers to one request, and what that took.

use std::sync::Arc;

use futures_util::StreamExt;

use super::QualityError;
use crate::bill::Paid;
use crate::llm::{self, Completion, Event, Message, Model, Purpose, Request, Usage};
use crate::memory::{CountTokens, Tokens};

/// What a model answers, and nothing but a whole answer.
pub(in crate::proof) async fn ask(
    model: &Arc<dyn Model>,
    purpose: Purpose,
    messages: Vec<Message>,
) -> Result<String, QualityError> {
    let completion = complete(model, request(purpose, messages, None)).await?;
    whole(completion)
}

/// A request, with `name` of another model than the one that usually answers.
pub(super) fn request(purpose: Purpose, messages: Vec<Message>, name: Option<&str>) -> Request {
    // As exact as the model can be: the same questions should bring the same verdicts.
    let temperature = Some(0.0);
    Request { temperature, model: name.map(str::to_owned), ..Request::plain(purpose, messages) }
}

/// What a model answers, and what it took goes to whoever counts, also where the answer is none.
pub(super) async fn answered(
    model: &Arc<dyn Model>,
    request: Request,
    mut count: impl FnMut(Paid),
    counter: &Arc<dyn CountTokens>,
) -> Result<String, QualityError> {
    let prompt = prompt_tokens(&request.messages, &**counter);
    let completion = match complete(model, request).await {
        Err(QualityError::Model(llm::Error::Empty { usage, address, is_ended })) => {
            count(paid(usage, prompt, Tokens(0)));
            return Err(QualityError::Model(llm::Error::Empty { usage, address, is_ended }));
        }
        other => other?,
    };
    count(paid(completion.usage, prompt, counter.count(&completion.text)));
    whole(completion)
}

async fn complete(model: &Arc<dyn Model>, request: Request) -> Result<Completion, QualityError> {
    let mut events = model.stream(request);
    while let Some(event) = events.next().await {
        if let Event::Done(completion) = event.map_err(QualityError::Model)? {
            return Ok(completion);
        }
    }
    Err(QualityError::Ended)
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
