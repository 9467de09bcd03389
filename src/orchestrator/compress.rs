//! Compresses open logs beside the chat: archive, map over parts, reduce to one text, swap in
//! (scratchpad-and-compression.md; design section 7).
//!
//! What may be compressed and what then stands for it is memory's to say; the order of the steps is kept
//! by the types of [`CompressionSource`], [`Archived`] and [`Block`]. Until the last step nothing changes in the
//! window, so a failure, a cancel or a crash leaves it as it was, and the previews hold the ceiling.

mod job;

use std::convert::Infallible;
use std::sync::Arc;

use tokio::task::JoinHandle;

use job::Job;

use super::answer::Refusal;
use super::driver::Driver;
use super::intake::PadWork;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::clock::Stopwatch;
use crate::llm::{self, Purpose};
use crate::memory::{
    ARCHIVE, Archived, Block, CloseSource, CompressionSource, EffortId, LogPart, Refused, Tokens,
    sandwich,
};
use crate::prompt;
use crate::store::{Label, PadError, Scratchpad, StopFlag};

/// Compressions that one turn waits for; what is left is due at the next.
const MOST_IN_A_TURN: usize = 8;

/// A part of a request (one in so many) up to which raw messages go to the summariser as they are.
const SHORT_RUN_PART: u64 = 8;

const SHORTENED: &str =
    "[too long for one request: its beginning, a part of its middle and its end]";

/// A compression that is under way.
pub(super) struct Compressing {
    id: EffortId,
    tokens: Tokens,
    is_anew: bool,
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
    Unfit(String),
    #[error("its parts were not short enough to be joined: {0} tokens, and the limit is {1}")]
    TooLong(Tokens, Tokens),
    #[error("it stopped unexpectedly: {0}")]
    Panicked(#[from] tokio::task::JoinError),
}

impl Failed {
    /// Whether the model answered, and would answer the same again.
    fn is_the_models(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Unfit(_) | Self::TooLong(..))
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
        self.begin_compression(source, progress).await.map_err(Refusal::of)?;
        Ok(text)
    }

    /// Starts what the soft line asks for, to go on beside the chat.
    pub(super) async fn compress_when_due(&mut self, progress: &mut Progress) {
        if self.compressing.is_some() || !self.may_compress() {
            return;
        }
        if let Some(source) = self.memory.compression_due() {
            self.begin_or_tell(source, progress).await;
        }
    }

    fn may_compress(&self) -> bool {
        self.settings.compression() && self.model.answers(Purpose::Compress)
    }

    /// The same within a turn, which waits until nothing more is due, or the user stops it.
    pub(super) async fn compress_and_wait(&mut self, progress: &mut Progress) {
        for _ in 0..MOST_IN_A_TURN {
            let due = self.memory.compression_due().filter(|_| self.may_compress());
            let Some(source) = due else { return };
            if !self.begin_or_tell(source, progress).await {
                return;
            }
            let Some(mut begun) = self.compressing.take() else { return };
            let waiting = Stopwatch::start();
            let outcome = self.unless_stopped(begun.done()).await;
            progress.model_time += waiting.elapsed();
            self.compressing = Some(begun);
            // The answer is there: to stop means what follows it.
            let Ok(outcome) = outcome else { return self.stop_compression() };
            self.end_compression(outcome, progress);
        }
    }

    /// The same as [`Self::begin_compression`], where nobody waits for an answer: a failure is told. Whether it began.
    async fn begin_or_tell(&mut self, source: CompressionSource, progress: &mut Progress) -> bool {
        let begun = self.begin_compression(source, progress).await;
        let is_begun = begun.is_ok();
        if let Err(why) = begun {
            self.notify(Notice::CompressionEnded(Some(why)));
        }
        is_begun
    }

    /// Archives a source and sets off its compression. A source that cannot be archived is not compressed.
    ///
    /// # Errors
    /// A sentence: why it was not archived.
    async fn begin_compression(
        &mut self,
        source: CompressionSource,
        progress: &mut Progress,
    ) -> Result<(), String> {
        let (id, tokens, is_anew) = (source.id.clone(), source.tokens, source.is_anew);
        let archived = match self.archive(source, progress).await {
            Ok(archived) => archived,
            Err(why) => {
                self.led_to_nothing(&id, (tokens, is_anew));
                return Err(failed(&id, &format!("it could not be archived: {why}")));
            }
        };
        let behind = self.compression_behind_chat(&archived);
        let job = self.job(&id, self.settings.compression_model());
        let task = tokio::spawn(job.run(archived, behind));
        self.compressing = Some(Compressing { id, tokens, is_anew, task });
        Ok(())
    }

    fn job(&self, id: &EffortId, name: Option<&str>) -> Job {
        Job {
            model: Arc::clone(&self.model),
            name: name.map(str::to_owned),
            effort: self.settings.effort(),
            counter: self.memory.counter(),
            allowance: self.allowance.clone(),
            limit: self.memory.rules().limit(),
            notices: self.notices.clone(),
            id: id.clone(),
        }
    }

    /// The log of an effort as it goes to the summariser. Of one that is too long for a request, what was compressed
    /// already goes in that form, which was made from the raw log: to conclude does not read all of it again. If it is too
    /// long still, the rest goes in the compressed form of its parts, which is used for this alone.
    pub(super) async fn for_summary(
        &mut self,
        source: &CloseSource,
        progress: &mut Progress,
    ) -> Result<Vec<(&'static str, String)>, Stop> {
        let limit = self.allowed(self.settings.summary_model());
        let most = Tokens(limit.0 / 4 * 3);
        let parts = self.memory.parts_for_summary(source, most);
        if parts.iter().map(|part| part.tokens).sum::<Tokens>() <= most {
            let prompt = prompt::summarize(parts.iter().map(|part| (part.by, part.text)));
            if prompt.iter().map(|(_, text)| self.memory.count(text)).sum::<Tokens>() <= limit {
                return Ok(prompt);
            }
        }
        let runs = parts.chunk_by(|a, b| a.is_compressed == b.is_compressed);
        let runs: Vec<(bool, String)> =
            runs.map(|run| (self.is_to_be_condensed(run, limit), told(run))).collect();
        let mut notes = Vec::with_capacity(runs.len());
        for (is_long, text) in runs {
            notes.push(if is_long { self.condensed(source, text, progress).await? } else { text });
        }
        let mut text = notes.join("\n\n");
        if self.memory.count(&text) > most {
            text = sandwich(&text, SHORTENED, most, &*self.memory.counter());
        }
        Ok(prompt::summarize([("notes", &*text)]))
    }

    /// Whether a run of parts is raw, and so long that it is worth a request.
    fn is_to_be_condensed(&self, run: &[LogPart<'_>], limit: Tokens) -> bool {
        let tokens: Tokens = run.iter().map(|part| part.tokens).sum();
        let is_long = tokens.0 > limit.0 / SHORT_RUN_PART;
        is_long && !run[0].is_compressed && self.model.answers(Purpose::Compress)
    }

    async fn condensed(
        &mut self,
        source: &CloseSource,
        text: String,
        progress: &mut Progress,
    ) -> Result<String, Stop> {
        // Who is to summarise shortens what does not fit.
        let settings = &self.settings;
        let name = settings.compression_model().or(settings.summary_model());
        let job = self.job(&source.id, name);
        let waiting = Stopwatch::start();
        let condensed = self.unless_stopped(async move { job.condense(&text, None).await }).await;
        progress.model_time += waiting.elapsed();
        self.notify(Notice::CompressionEnded(None));
        condensed?.map_err(|failed| Stop::without_advice(failed.to_string()))
    }

    /// Archives the messages. Where nobody watches, nobody reads an archive, and the logs hold the same: it has a name only.
    async fn archive(
        &mut self,
        source: CompressionSource,
        progress: &mut Progress,
    ) -> Result<Archived, String> {
        if self.is_watched {
            return self.store_archive(source, progress).await;
        }
        let words = format!("{ARCHIVE}{}", source.id);
        let pad = self.store.scratchpad_mut();
        let archived = source.archive(|_| Ok::<_, Infallible>(pad.reserve(&words)));
        archived.map_err(|never| match never {})
    }

    /// Stores the messages on the scratchpad, beside the async runtime: they may be many.
    async fn store_archive(
        &mut self,
        source: CompressionSource,
        progress: &mut Progress,
    ) -> Result<Archived, String> {
        let counter = self.memory.counter();
        let description = format!("messages of effort {}, before compression", source.id);
        let archiving = move |pad: &mut Scratchpad, stop: &StopFlag| {
            let mut stored = None;
            let archived = source.clone().archive(|text| {
                // A compression that was stopped left the same archive behind.
                if let Some(item) = pad.same_text(text) {
                    return Ok(item.key.to_string());
                }
                let key = pad.free_key(&format!("{ARCHIVE}{}", source.id));
                let label = Label { key: &key, description: &description, what: "the log" };
                let item = pad.save_unless(stop, label, text.as_bytes(), &*counter)?;
                stored = Some(item);
                Ok::<_, PadError>(key)
            });
            (archived, stored)
        };
        let PadWork { done, stopped } = self.with_pad(archiving).await;
        let (archived, stored) = done?;
        if let Some(item) = stored {
            let change = self.memory.scratchpad_saved(item);
            self.apply(vec![change], progress);
        }
        // An archive may be there before anybody could stop it.
        stopped.map_err(|_| "it was stopped".to_owned())?;
        archived.map_err(|error| error.to_string())
    }

    /// The compression is over, between turns.
    pub(super) fn swap_in(&mut self, outcome: Result<Block, Failed>) {
        self.end_compression(outcome, &mut Progress::new("".into()));
        self.show_bill();
        self.show_memory();
    }

    fn end_compression(&mut self, outcome: Result<Block, Failed>, progress: &mut Progress) {
        let Some(Compressing { id, tokens, is_anew, .. }) = self.compressing.take() else { return };
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
            Err(failed) if failed.is_the_models() && !is_anew => {
                // What a model makes nothing of it makes nothing of when it is a little longer.
                let tokens = tokens + tokens;
                self.keep_refused(&id, tokens);
                self.tell_failed(&id, (tokens, false), &failed.to_string());
            }
            Err(failed) => self.tell_failed(&id, (tokens, is_anew), &failed.to_string()),
        }
    }

    fn tell_failed(&mut self, id: &EffortId, tried: (Tokens, bool), why: &str) {
        self.led_to_nothing(id, tried);
        let text = failed(id, why);
        self.notify(Notice::CompressionEnded(Some(text)));
    }

    /// A source of so many tokens, perhaps summaries that were to be made anew, is not tried again soon.
    fn led_to_nothing(&mut self, id: &EffortId, (tokens, is_anew): (Tokens, bool)) {
        if is_anew {
            self.memory.not_made_anew(id, tokens);
        } else {
            self.memory.compression_failed(id, tokens);
        }
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
        self.led_to_nothing(&running.id, (running.tokens, running.is_anew));
        let text = format!("The compression of {} was stopped; nothing changed.", running.id);
        self.notify(Notice::CompressionEnded(Some(text)));
    }
}

/// What is told where an effort was not compressed.
fn failed(id: &EffortId, why: &str) -> String {
    let text = format!(
        "Effort {id} was not compressed: {why}. Nothing is lost: previews keep the window within its \
         budget. It is tried again when the effort has grown, or with /compress."
    );
    tracing::warn!("{text}");
    text
}

/// A run of parts as one text, a paragraph each.
fn told(run: &[LogPart<'_>]) -> String {
    run.iter().map(LogPart::told).collect::<Vec<_>>().join("\n\n")
}
