//! Asks for the summary of a log that is concluded, or summarised again.

use std::sync::Arc;

use super::answer::Refusal;
use super::driver::Driver;
use super::memory_requests::{self, Above, MOST_RUNS, OwnRequest, READ_AGAIN};
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::llm::error::StatusKind;
use crate::llm::{Completion, Error, Purpose};
use crate::memory::{CloseSource, CountTokens, Role, Source, Tokens, Window};
use crate::prompt::{self, Named};
use crate::text::joined;

/// What a summary should cost at most, in tokens; the request says the same.
const MOST_SUMMARY: Tokens = Tokens(100);

/// A request that extends the chat's; `None` if nothing of the log stands there, or so little that the rest is better
/// sent without the front.
fn behind(window: &Window, source: &CloseSource, counter: &dyn CountTokens) -> Option<OwnRequest> {
    let above = Above::find(window, &source.id, source.messages.iter());
    let newest = newest_alone(&above, source);
    let left_out = newest.is_none() && !above.missing.is_empty();
    let log = Source::Open(source.id.clone());
    let there = window.front().iter().filter(|item| item.source == log);
    let there: Tokens = there.map(|item| item.tokens).sum();
    if left_out && memory_requests::front_cost(window).0 > there.0 * READ_AGAIN {
        return None;
    }
    let (front, at_end) = window.front().split_at(end_of_others(window, source));
    let others = front.as_ptr_range();
    let earlier = above.runs.iter().filter(|run| others.contains(&run.as_ptr()));
    let earlier: Vec<Named> = earlier.filter_map(|run| memory_requests::named(run)).collect();
    if at_end.is_empty() && earlier.is_empty() || earlier.len() > MOST_RUNS {
        return None;
    }
    let beside = newest.or_else(|| above.told());
    let words = prompt::summarize_above(source.id.as_str(), &earlier, at_end.len(), beside);
    Some(OwnRequest::behind(window, words, counter))
}

/// Where in the front of a window the log begins that it ends with.
fn end_of_others(window: &Window, source: &CloseSource) -> usize {
    let log = Source::Open(source.id.clone());
    let above = window.front().iter().rev().take_while(|item| item.source == log).count();
    window.front().len() - above
}

/// What the user said in the turn under way, if nothing else of the log is missing above.
fn newest_alone(above: &Above<'_>, source: &CloseSource) -> Option<String> {
    match above.missing[..] {
        [(at, newest)] if at + 1 == source.messages.len() && newest.role == Role::User => {
            Some(newest.content.trim().to_owned())
        }
        _ => None,
    }
}

impl Driver {
    /// A summary of a log. One that is too long, or no smaller than the log, is asked for once more,
    /// shorter; of the two the shorter one is taken. A short log may stand for itself and is asked for once, one that is no
    /// longer than a summary not at all, nor an empty one.
    pub(super) async fn summarize(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        // Nothing was said in it, so there is nothing to ask about.
        if source.messages.iter().all(|message| message.content.trim().is_empty()) {
            return Ok(String::new());
        }
        if source.needs_no_summary() && !self.model.info().offline {
            return Ok(source.text());
        }
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
            Ok(second)
                if !second.trim().is_empty() && (!serves || self.memory.count(&second) < cost) =>
            {
                second
            }
            Err(stop) if !serves => return Err(refusal(source, stop)),
            Err(Stop::Cancelled) => return Err(Refusal::Stop(Stop::Cancelled)),
            _ if first.trim().is_empty() => return Err(no_summary(source)),
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
    ) -> Result<(OwnRequest, String), Refusal> {
        let mut was_empty = false;
        if let Some(prompt) = self.prompt_behind_chat(source) {
            match self.ask_for_summary(&prompt, progress).await {
                Ok(answer) if answer.text.trim().is_empty() => was_empty = true,
                Err(Stop::Request(Error::Empty { is_ended: true, .. })) => was_empty = true,
                Err(Stop::Failed { .. }) => {}
                // A server that is busy is no quicker with the log alone.
                Err(Stop::Request(error)) if may_take_less(&error) => {}
                answer => {
                    let summary = answer.and_then(whole).map_err(|stop| refusal(source, stop))?;
                    return Ok((prompt, summary));
                }
            }
        }
        let (prompt, answer) = self.ask_with_log_alone(source, progress).await?;
        let summary = answer.and_then(whole).map_err(|stop| refusal(source, stop))?;
        if was_empty && summary.trim().is_empty() && !source.may_stand_for_itself() {
            return Err(no_summary(source));
        }
        Ok((prompt, summary))
    }

    /// A request that extends the chat's, where the same model answers both and it fits.
    fn prompt_behind_chat(&self, source: &CloseSource) -> Option<OwnRequest> {
        if !self.extends_chat(self.settings.summary_model()) {
            return None;
        }
        let sent = self.requests.last.as_ref().filter(|_| self.under_way.is_some());
        let window = sent.map_or_else(|| Arc::new(self.memory.window()), Arc::clone);
        let prompt = behind(&window, source, &*self.memory.counter())?;
        (prompt.cost <= self.allowed(self.settings.summary_model())).then_some(prompt)
    }

    /// Asks with nothing but the log, and once more with less of it as often as a refusal says that the model takes less.
    async fn ask_with_log_alone(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<(OwnRequest, Result<Completion, Stop>), Refusal> {
        loop {
            let most = self.allowed(self.settings.summary_model());
            let prompt = self.for_summary(source, progress).await;
            let prompt = prompt.map_err(|stop| refusal(source, stop))?;
            let prompt = OwnRequest::alone(prompt, &*self.memory.counter());
            let answer = self.ask_for_summary(&prompt, progress).await;
            let is_less = self.allowed(self.settings.summary_model()) < most;
            if !matches!(answer, Err(Stop::Request(_)) if is_less) {
                return Ok((prompt, answer));
            }
        }
    }

    async fn ask_for_summary(
        &mut self,
        prompt: &OwnRequest,
        progress: &mut Progress,
    ) -> Result<Completion, Stop> {
        let model = self.settings.summary_model().map(str::to_owned);
        let request = prompt.request(Purpose::Summarize, None, model.clone());
        let answer = self.ask(request, prompt.cost, progress).await;
        if let Err(Stop::Request(error)) = &answer {
            self.keep_allowed(model.as_deref(), error, prompt.cost, progress);
        }
        answer
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

/// Why an effort is not concluded whose model or server failed at the summary.
pub const NOT_MADE: &str = "its summary could not be made";

/// What to do where a model gives no summary.
const ANOTHER: &str =
    "Close it again, or choose another model for summaries: /set summary_model NAME";

/// The words of an answer: half a summary, or a refusal, would stand for the whole log from now on.
fn whole(answer: Completion) -> Result<String, Stop> {
    match answer.finish.unfit() {
        Some(why) => Err(Stop::Failed { what: format!("it {why}"), advice: ANOTHER.to_owned() }),
        None => Ok(answer.text),
    }
}

/// Words of a server that cannot put a request into the form in which its model reads it.
const OF_FORM: [&str; 7] =
    ["template", "jinja", "role", "tool", "prompt", "token", "not implemented"];

/// Whether a server that failed so may take a request that is shorter and in another form.
fn may_take_less(error: &Error) -> bool {
    use StatusKind::{Refused, Server, Slip, TooLong};
    match error {
        // Some tell with 500 that a request does not fit into the model's template. Who says nothing of the kind has been
        // asked often enough.
        Error::Status { kind: Server, status: 500 | 501, message, .. } => {
            let words = message.to_lowercase();
            OF_FORM.iter().any(|word| words.contains(word))
        }
        Error::Status { kind, .. } => matches!(kind, Refused | Slip | TooLong),
        // One at the beginning of a stream names the limit: nothing of the answer had come.
        Error::MidStream { kind: TooLong, takes: Some(_), .. }
        | Error::Empty { .. }
        | Error::TooLarge { .. } => true,
        _ => false,
    }
}

fn refusal(source: &CloseSource, stop: Stop) -> Refusal {
    let what = match stop {
        Stop::Request(Error::Empty { is_ended: true, .. }) => return no_summary(source),
        Stop::Request(error) => joined(&error.to_string(), &error.advice()),
        Stop::Failed { what, advice } => joined(&what, &advice),
        stop => return Refusal::Stop(stop),
    };
    Refusal::of(format!("effort '{}' stays open, because {NOT_MADE}: {what}", source.id))
}

/// What is told where a model has no words for a summary.
fn no_summary(source: &CloseSource) -> Refusal {
    Refusal::of(format!(
        "effort '{}' stays open, because the model gave no summary: it reasoned, or called a tool, and wrote nothing. \
         {ANOTHER}",
        source.id
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_broken_is_asked_again_only_where_the_form_may_be_at_fault() {
        for (status, words, may) in [
            (500, "nope", false),
            (500, "error rendering prompt with jinja template", true),
            (501, "Conversation roles must alternate", true),
            (503, "no template today", false),
        ] {
            let (address, message) = ("a:1".to_owned(), words.to_owned());
            let (kind, retry_after, takes) = (StatusKind::Server, None, None);
            let error = Error::Status { address, status, message, retry_after, kind, takes };
            assert_eq!(may_take_less(&error), may, "{status} {words}");
        }
    }
}
