//! Whether a turn ended with words, and why not.

use super::{Progress, Stop};
use crate::llm::{Completion, Error, FinishReason};

/// An answer in which nothing is, behind the results of tools: the model has said all that it had to say. Whether
/// that is enough, [`check_words`] decides.
pub(super) fn or_nothing(answer: Result<Completion, Stop>, round: u32) -> Result<Completion, Stop> {
    match answer {
        Err(Stop::Request(Error::Empty { usage, is_ended: true, .. })) if round > 1 => {
            Ok(Completion { usage, ..Completion::default() })
        }
        answer => answer,
    }
}

/// Whether the model had nothing to say behind the results of tools, in a turn without words so far: asked once more, with
/// tools off, it may. To send the message again would run the tools again.
pub(super) fn is_silent(progress: &Progress, completion: &Completion, round: u32) -> bool {
    let ended = !matches!(completion.finish, FinishReason::ContentFilter | FinishReason::Length);
    round > 1 && ended && completion.calls.is_empty() && progress.said.is_empty()
}

/// A turn ends with words; a model that has none is a failure the user hears of.
pub(super) fn check_words(progress: &Progress, completion: &Completion) -> Result<(), Stop> {
    if !progress.said.is_empty() {
        return Ok(());
    }
    if !completion.calls.is_empty() {
        let what = format!(
            "the model called tools in all {} requests of the turn, also in the last one, in which it was to answer, \
             and gave no answer text",
            progress.requests
        );
        let advice =
            "Send the message again, put it another way, or choose another model with /model.";
        return Err(Stop::Failed { what, advice: advice.to_owned() });
    }
    let what = match (&completion.finish, completion.reasoning.is_empty()) {
        (FinishReason::ContentFilter, _) => {
            "the server's content filter withheld the reply".to_owned()
        }
        (FinishReason::Length, is_unreasoned) => {
            let with = if is_unreasoned { "" } else { "with reasoning alone, " };
            format!("the model reached its length limit {with}before it said anything")
        }
        (FinishReason::Other(word), _) => {
            format!("the server ended the reply before it said anything; its reason is {word:?}")
        }
        (_, false) => "the model only reasoned and gave no answer text".to_owned(),
        (_, true) => "the model gave no answer text".to_owned(),
    };
    let advice = match &completion.finish {
        FinishReason::Length => {
            "/effort low lets it reason less before it answers, where the model can. Or raise max_tokens, if it is \
             set, and send the message again."
        }
        _ => "Send the message again, or put it another way.",
    };
    Err(Stop::Failed { what, advice: advice.to_owned() })
}
