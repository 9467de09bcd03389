//! Asks for the summary of a log that is concluded, or summarised again.

use super::answer::Refusal;
use super::assemble;
use super::driver::Driver;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::llm::{Purpose, Request};
use crate::memory::{CloseSource, Tokens};
use crate::prompt;

/// What a summary should cost at most, in tokens; the request says the same.
const MOST_SUMMARY: Tokens = Tokens(100);

/// A request for a summary: role and content of its messages.
type Prompt = Vec<(&'static str, String)>;

impl Driver {
    /// A summary of a log. One that is too long, or no smaller than the log, is asked for once more,
    /// shorter; of the two the shorter one is taken. A short log may stand for itself and is asked for once.
    pub(super) async fn summarize(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        let prompt = match self.for_summary(source, progress).await {
            Ok(prompt) => prompt,
            Err(stop) => return Err(refusal(source, stop)),
        };
        let first = match self.ask_for_summary(prompt.clone(), progress).await {
            Ok(summary) => summary,
            // A script need not hold a summary for a log that may stand for itself.
            Err(Stop::ScriptShort(_)) if source.may_stand_for_itself() => return Ok(source.text()),
            Err(stop) => return Err(refusal(source, stop)),
        };
        let cost = self.memory.count(&first);
        let serves = !first.trim().is_empty() && cost < source.tokens;
        if source.may_stand_for_itself() || (serves && cost <= MOST_SUMMARY) {
            return Ok(first);
        }
        let shorter = match self.ask_for_summary(prompt::shorter(prompt), progress).await {
            Ok(second) if !serves || self.memory.count(&second) < cost => second,
            Err(stop) if !serves => return Err(refusal(source, stop)),
            Err(Stop::Cancelled) => return Err(Refusal::Stop(Stop::Cancelled)),
            // The first one serves, if it must.
            Ok(_) | Err(_) => first,
        };
        self.tell_long(source, self.memory.count(&shorter));
        Ok(shorter)
    }

    async fn ask_for_summary(
        &mut self,
        prompt: Prompt,
        progress: &mut Progress,
    ) -> Result<String, Stop> {
        let cost = prompt.iter().map(|(_, text)| self.memory.count(text)).sum();
        let request = Request {
            purpose: Purpose::Summarize,
            messages: assemble::prompt_messages(prompt),
            tools: None,
            may_call: false,
            temperature: None,
            model: self.settings.summary_model().map(str::to_owned),
        };
        let answer = self.ask(request, cost, progress).await?;
        match answer.finish.shortfall() {
            // Half a summary would stand for the whole log from now on.
            Some(shortfall) => Err(Stop::Failed(format!("it {shortfall}"), String::new())),
            None => Ok(answer.text),
        }
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

fn refusal(source: &CloseSource, stop: Stop) -> Refusal {
    match stop {
        Stop::Failed(what, _) => Refusal::of(format!(
            "effort '{}' stays open, because its summary could not be made: {what}",
            source.id
        )),
        stop => Refusal::Stop(stop),
    }
}
