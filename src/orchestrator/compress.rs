//! Compresses open logs beside the chat: archive, map over parts, reduce to one text, swap in
//! (scratchpad-and-compression.md; design section 7).
//!
//! What may be compressed and what then stands for it is memory's to say; the order of the steps is kept
//! by the types of [`CompressionSource`], [`Archived`] and [`Block`]. Until the last step nothing changes in the
//! window, so a failure, a cancel or a crash leaves it as it was, and the previews hold the ceiling.

use std::pin::pin;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use super::answer::Refusal;
use super::driver::{Driver, or_never};
use super::notice::Notice;
use super::own::OwnRequest;
use super::turn::{Progress, Stop};
use crate::clock::Stopwatch;
use crate::llm::{self, Event, EventStream, Model, Purpose};
use crate::memory::{
    ARCHIVE, Archived, Block, CloseSource, CompressionSource, CountTokens, EffortId, Refused,
    Tokens, sandwich,
};
use crate::{chunk, prompt};

/// Protects facts and numbers, as in the seed.
const TEMPERATURE: f32 = 0.1;

/// Compressions that one turn waits for; what is left is due at the next.
const MOST_IN_A_TURN: usize = 8;

/// Requests under way at once.
const AT_ONCE: usize = 4;

/// The most tokens of one part; a quarter of the budget, if that is less.
const MOST_PART: u64 = 3_000;

const SHORTENED: &str =
    "[too long for one request: its beginning, a part of its middle and its end]";

/// A compression that is under way.
pub(super) struct Compressing {
    id: EffortId,
    tokens: Tokens,
    task: JoinHandle<Result<Block, Failed>>,
}

/// Why a compression led to nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failed {
    #[error("{0}")]
    Model(#[from] llm::Error),
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the answer ended early")]
    Ended,
    #[error("the answer {0}")]
    Cut(&'static str),
    #[error("its parts were not short enough to be joined: {0} tokens, and the limit is {1}")]
    TooLong(Tokens, Tokens),
    #[error("it stopped unexpectedly: {0}")]
    Panicked(#[from] tokio::task::JoinError),
}

impl Failed {
    /// Whether the model answered, and would answer the same again.
    fn is_the_models(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Cut(_) | Self::TooLong(..))
    }
}

impl Compressing {
    /// Waits for the outcome.
    pub(super) async fn done(&mut self) -> Result<Block, Failed> {
        (&mut self.task).await.unwrap_or_else(|panic| Err(panic.into()))
    }
}

impl Driver {
    /// A person asks for it.
    pub(super) async fn compress(
        &mut self,
        id: Option<&str>,
        progress: &mut Progress,
    ) -> Result<String, Refusal> {
        if let Some(running) = &self.compressing {
            return Err(Refusal::of(format!("{} is being compressed already.", running.id)));
        }
        let source = self.memory.compression_source(id)?;
        let text = format!("Compressing {} tokens of {}.", source.tokens, source.id);
        let begun = self.begin_compression(source, progress).await;
        if begun { Ok(text) } else { Err(Refusal::of(text)) }
    }

    /// Starts what the soft line asks for, to go on beside the chat.
    pub(super) async fn compress_when_due(&mut self, progress: &mut Progress) {
        if self.compressing.is_some() || !self.may_compress() {
            return;
        }
        if let Some(source) = self.memory.compression_due() {
            self.begin_compression(source, progress).await;
        }
    }

    fn may_compress(&self) -> bool {
        self.settings.compression() && self.model.answers(Purpose::Compress)
    }

    /// The same within a turn, which waits until nothing more is due.
    pub(super) async fn compress_and_wait(&mut self, progress: &mut Progress) {
        for _ in 0..MOST_IN_A_TURN {
            let due = self.memory.compression_due().filter(|_| self.may_compress());
            let Some(source) = due else { return };
            if !self.begin_compression(source, progress).await {
                return;
            }
            let waiting = Stopwatch::start();
            let outcome = or_never(self.compressing.as_mut().map(Compressing::done)).await;
            progress.model_time += waiting.elapsed();
            self.end_compression(outcome, progress);
        }
    }

    /// Archives a source and sets off its compression. A source that cannot be archived is not compressed.
    async fn begin_compression(
        &mut self,
        source: CompressionSource,
        progress: &mut Progress,
    ) -> bool {
        let (id, tokens) = (source.id.clone(), source.tokens);
        let archived = match self.archive(source, progress).await {
            Ok(archived) => archived,
            Err(why) => {
                self.tell_failed(&id, tokens, &format!("it could not be archived: {why}"));
                return false;
            }
        };
        let behind = self.compression_behind_chat(&archived);
        let task = tokio::spawn(self.job(&id).run(archived, behind));
        self.compressing = Some(Compressing { id, tokens, task });
        true
    }

    fn job(&self, id: &EffortId) -> Job {
        Job {
            model: Arc::clone(&self.model),
            name: self.settings.compression_model().map(str::to_owned),
            effort: self.settings.effort(),
            counter: self.memory.counter(),
            most: Tokens(MOST_PART.min(self.memory.rules().limit().0 / 4).max(1)),
            limit: self.memory.rules().limit(),
            notices: self.notices.clone(),
            id: id.clone(),
        }
    }

    /// The log of an effort as it goes to the summariser: one that is too long for a request in the
    /// compressed form of all its parts, made from the raw log and used for this alone.
    pub(super) async fn for_summary(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<Vec<(&'static str, String)>, Stop> {
        let limit = self.memory.rules().limit();
        let most = Tokens(limit.0 / 4 * 3);
        if source.tokens <= most {
            let log = source.messages.iter().map(|m| (m.role.as_str(), &*m.content));
            let prompt = prompt::summarize(log);
            if prompt.iter().map(|(_, text)| self.memory.count(text)).sum::<Tokens>() <= limit {
                return Ok(prompt);
            }
        }
        let mut text = source.transcript();
        if self.model.answers(Purpose::Compress) {
            text = self.condensed(source, text, progress).await?;
        }
        if self.memory.count(&text) > most {
            text = sandwich(&text, SHORTENED, most, &*self.memory.counter());
        }
        Ok(prompt::summarize([("notes", &*text)]))
    }

    async fn condensed(
        &mut self,
        source: &CloseSource,
        text: String,
        progress: &mut Progress,
    ) -> Result<String, Stop> {
        let job = self.job(&source.id);
        let waiting = Stopwatch::start();
        let condensed = self.unless_stopped(async move { job.condense(&text, None).await }).await;
        progress.model_time += waiting.elapsed();
        self.notify(Notice::CompressionEnded(None));
        condensed?.map_err(|failed| Stop::Failed(failed.to_string(), String::new()))
    }

    /// Waits for something within a turn, until the user stops the turn.
    async fn unless_stopped<T>(&mut self, work: impl Future<Output = T>) -> Result<T, Stop> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                asked = self.ops.recv() => self.interrupt(asked)?,
                done = &mut work => return Ok(done),
            }
        }
    }

    /// Stores the messages on the scratchpad, beside the async runtime: they may be many.
    async fn archive(
        &mut self,
        source: CompressionSource,
        progress: &mut Progress,
    ) -> Result<Archived, String> {
        let counter = self.memory.counter();
        let reader = self.store.scratchpad().reader();
        let mut pad = std::mem::replace(self.store.scratchpad_mut(), reader);
        let description = format!("messages of effort {}, before compression", source.id);
        let archiving = move || {
            let mut stored = None;
            let archived = source.clone().archive(|text| {
                // A compression that was stopped left the same archive behind.
                if let Some(item) = pad.same_text(text) {
                    return Ok(item.key.to_string());
                }
                let key = pad.free_key(&format!("{ARCHIVE}{}", source.id));
                let text = text.as_bytes();
                let item = pad.save(&key, &description, "the log", text, &*counter)?;
                stored = Some(item);
                Ok::<_, crate::store::PadError>(key)
            });
            (pad, archived, stored)
        };
        let done = tokio::task::spawn_blocking(archiving).await;
        let (pad, archived, stored) = done.map_err(|panic| panic.to_string())?;
        *self.store.scratchpad_mut() = pad;
        if let Some(item) = stored {
            let change = self.memory.scratchpad_saved(item);
            self.apply(vec![change], progress);
        }
        archived.map_err(|error| error.to_string())
    }

    /// The compression is over, between turns.
    pub(super) fn swap_in(&mut self, outcome: Result<Block, Failed>) {
        self.end_compression(outcome, &mut Progress::new("".into()));
        self.show_memory();
    }

    fn end_compression(&mut self, outcome: Result<Block, Failed>, progress: &mut Progress) {
        let Some(Compressing { id, tokens, .. }) = self.compressing.take() else { return };
        self.settle_requests(self.memory.current_turn());
        match outcome {
            Ok(block) => match self.memory.compress(block) {
                Ok(change) => {
                    self.keep_refused(&id, Tokens(0));
                    self.apply(vec![change], progress);
                    self.notify(Notice::CompressionEnded(None));
                }
                // It was concluded in the meantime: its summary is better still.
                Err(rejected) => {
                    tracing::info!("a compression came too late: {rejected}");
                    self.notify(Notice::CompressionEnded(None));
                }
            },
            Err(failed) if failed.is_the_models() => {
                // What a model makes nothing of it makes nothing of when it is a little longer.
                let tokens = tokens + tokens;
                self.keep_refused(&id, tokens);
                self.tell_failed(&id, tokens, &failed.to_string());
            }
            Err(failed) => self.tell_failed(&id, tokens, &failed.to_string()),
        }
    }

    fn tell_failed(&mut self, id: &EffortId, tokens: Tokens, why: &str) {
        self.memory.compression_failed(id, tokens);
        let text = format!(
            "Effort {id} was not compressed: {why}. Nothing is lost or changed: previews keep the window \
             within its budget. It is tried again when the effort has grown, or with /compress."
        );
        tracing::warn!("{text}");
        self.notify(Notice::CompressionEnded(Some(text)));
    }

    /// Stops it and waits until its requests are over.
    pub(super) async fn leave_compression(&mut self) {
        if let Some(running) = &mut self.compressing {
            running.task.abort();
            let _ = (&mut running.task).await;
        }
        self.stop_compression();
    }

    /// Stops the compression under way; the window stays as it is.
    pub(super) fn stop_compression(&mut self) {
        let Some(running) = self.compressing.take() else { return };
        running.task.abort();
        self.memory.compression_failed(&running.id, running.tokens);
        let text = format!("The compression of {} was stopped; nothing changed.", running.id);
        self.notify(Notice::CompressionEnded(Some(text)));
    }
}

/// One compression, beside the chat.
struct Job {
    /// How hard the model thinks in the chat.
    effort: Option<llm::Effort>,
    model: Arc<dyn Model>,
    /// Another model than the one that chats.
    name: Option<String>,
    counter: Arc<dyn CountTokens>,
    /// The most tokens of one request's text.
    most: Tokens,
    /// The most tokens of a request.
    limit: Tokens,
    notices: UnboundedSender<Notice>,
    id: EffortId,
}

impl Job {
    async fn run(self, archived: Archived, behind: Option<OwnRequest>) -> Result<Block, Failed> {
        if let Some(request) = behind {
            self.tell(0, 1);
            if let Ok(text) = self.ask(request).await
                && let Ok(block) = archived.block(&text, &*self.counter)
            {
                return Ok(block);
            }
        }
        let text = self.condense(archived.text(), Some(archived.target())).await?;
        Ok(archived.block(&text, &*self.counter)?)
    }

    /// Map, then reduce until one text is left.
    async fn condense(&self, text: &str, target: Option<Tokens>) -> Result<String, Failed> {
        let parts = parts(text, self.most, &*self.counter);
        let target = target.map(|target| target.0);
        let share = target.map(|target| target / parts.len().max(1) as u64);
        // A single part is its own result: there is nothing to join.
        let all = parts.len() + usize::from(parts.len() > 1);
        let part = |part: String| prompt::compress_part(&part, share);
        let mut texts = self.ask_all(parts, 0, all, part).await?;
        let mut done = all - 1;
        while texts.len() > 1 {
            let before = cost(&texts, &*self.counter);
            let groups = groups(&texts, self.most, &*self.counter);
            let join = |group: Vec<String>| prompt::compress_join(&group, target);
            let count = groups.len();
            texts = self.ask_all(groups, done, done + count, join).await?;
            done += count;
            let after = cost(&texts, &*self.counter);
            if texts.len() > 1 && after >= before {
                // Joining does not shorten it any more; going on would never end.
                texts = vec![texts.join("\n\n")];
            }
        }
        Ok(texts.concat())
    }

    /// Asks for every text, several at once; the answers come in the order of the texts.
    async fn ask_all<T>(
        &self,
        texts: Vec<T>,
        before: usize,
        of: usize,
        prompt: impl Fn(T) -> Vec<(&'static str, String)>,
    ) -> Result<Vec<String>, Failed> {
        self.tell(before, of);
        let requests =
            texts.into_iter().map(|text| OwnRequest::alone(prompt(text), &*self.counter));
        let requests: Vec<OwnRequest> = requests.collect();
        let answers = stream::iter(requests).map(|request| self.ask(request)).buffered(AT_ONCE);
        answers
            .enumerate()
            .map(|(nth, answer)| {
                self.tell(before + nth + 1, of);
                answer
            })
            .try_collect()
            .await
    }

    /// Asks for one text; no request goes out that is over the limit.
    async fn ask(&self, request: OwnRequest) -> Result<String, Failed> {
        if request.cost > self.limit {
            return Err(Failed::TooLong(request.cost, self.limit));
        }
        let mut request = request.request(Purpose::Compress, Some(TEMPERATURE), self.name.clone());
        request.effort = self.effort;
        request.budget = Some(self.limit.0);
        answer(self.model.stream(request)).await
    }

    /// How far it is.
    fn tell(&self, done: usize, of: usize) {
        let _ = self.notices.send(Notice::Compressing { id: self.id.clone(), done, of });
    }
}

/// Waits for the words of one answer.
async fn answer(mut events: EventStream) -> Result<String, Failed> {
    while let Some(event) = events.next().await {
        if let Event::Done(completion) = event? {
            if let Some(shortfall) = completion.finish.shortfall() {
                return Err(Failed::Cut(shortfall));
            }
            let text = completion.text.trim().to_owned();
            return if text.is_empty() { Err(Refused::Empty.into()) } else { Ok(text) };
        }
    }
    Err(Failed::Ended)
}

/// A text in parts of at most `most` tokens each, cut at the best borders.
fn parts(text: &str, most: Tokens, counter: &dyn CountTokens) -> Vec<String> {
    let tokens = counter.count(text).0.max(1);
    // Nine tenths of what would fit on average: a part with more tokens than most still fits.
    let mut size = (text.len() as u64).saturating_mul(most.0) / tokens / 10 * 9;
    loop {
        let ranges = chunk::ranges(text, usize::try_from(size).unwrap_or(usize::MAX));
        let fits = |range: &std::ops::Range<usize>| counter.count(&text[range.clone()]) <= most;
        // No text has more tokens than bytes, so this ends.
        if size <= most.0 / 2 + 1 || ranges.iter().all(fits) {
            return ranges.into_iter().map(|range| text[range].to_owned()).collect();
        }
        size = size / 4 * 3;
    }
}

/// Neighbouring texts in groups of at most `most` tokens, at least two in each.
fn groups(texts: &[String], most: Tokens, counter: &dyn CountTokens) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut room = Tokens(0);
    for text in texts {
        let tokens = counter.count(text);
        match groups.last_mut() {
            Some(group) if group.len() < 2 || tokens <= room => group.push(text.clone()),
            _ => {
                groups.push(vec![text.clone()]);
                room = most;
            }
        }
        room = room.saturating_sub(tokens);
    }
    if let [.., before, last] = groups.as_mut_slice()
        && last.len() == 1
    {
        // One text alone needs no joining.
        before.append(last);
        groups.pop();
    }
    groups
}

fn cost(texts: &[String], counter: &dyn CountTokens) -> Tokens {
    texts.iter().map(|text| counter.count(text)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::{Completion, FinishReason};
    use crate::memory::tests::Words;

    /// A byte a token: the worst there is.
    struct Bytes;

    impl CountTokens for Bytes {
        fn count(&self, text: &str) -> Tokens {
            Tokens(text.len() as u64)
        }
    }

    #[tokio::test]
    async fn an_answer_that_was_cut_is_no_compression() {
        for finish in [FinishReason::Length, FinishReason::ContentFilter] {
            let cut = Completion { text: "half of it".into(), finish, ..Completion::default() };
            let events = stream::iter([Ok(Event::Done(cut))]);
            assert!(matches!(answer(Box::pin(events)).await, Err(Failed::Cut(_))));
        }
    }

    #[test]
    fn no_part_is_larger_than_asked_and_nothing_is_lost() {
        let text = "A sentence of some words. ".repeat(400);
        for counter in [&Words as &dyn CountTokens, &Bytes] {
            let parts = parts(&text, Tokens(200), counter);
            assert!(parts.iter().all(|part| counter.count(part) <= Tokens(200)));
            assert_eq!(parts.concat(), text);
        }
    }

    #[test]
    fn groups_hold_all_texts_in_order_and_get_fewer() {
        let texts: Vec<String> = (0..9).map(|n| format!("text {n} ").repeat(20)).collect();
        for most in [10, 100, 1_000] {
            let groups = groups(&texts, Tokens(most), &Words);
            assert!(groups.len() < texts.len() && groups[0].len() >= 2, "{most}");
            assert_eq!(groups.concat(), texts);
        }
    }
}
