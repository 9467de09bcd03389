//! `replay --with-model`: what is sent to the model, said before, and what came of it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;

use super::reading::failed;
use crate::cli::progress::Progress;
use crate::cli::waiting::waited;
use crate::cli::{Error, Job, Streams};
use crate::counted::{counted, grouped};
use crate::llm::offline::Offline;
use crate::llm::{Model, ModelInfo};
use crate::memory::CountTokens;
use crate::orchestrator::prices_of;
use crate::replay::{self, Asked, Conversation, Phase, WithFallback};

/// The model that is asked, and what of it.
pub(super) struct Helper {
    model: Arc<dyn Model>,
    info: ModelInfo,
    /// Where the topics are from, in words.
    pub(super) topics: Option<String>,
}

impl Helper {
    /// The configured model.
    ///
    /// # Errors
    /// None is configured, or it cannot be asked.
    pub(super) async fn new(job: &Job<'_>, streams: &mut Streams<'_>) -> Result<Self, Error> {
        let model = job.unhurried_model(streams).await?;
        let info = model.info();
        if info.offline {
            let why = match job.settings.model() {
                _ if job.settings.offline() => {
                    "`offline` keeps the program from asking any: leave that out".to_owned()
                }
                Some(model) => {
                    format!(
                        "{model} cannot be asked: give its server's address with --base-url URL"
                    )
                }
                None => "none is: name one with --model NAME".to_owned(),
            };
            return Err(Error::Usage(format!(
                "--with-model asks the model that is configured, and {why}, or leave --with-model out; then topics and \
                 summaries are made without a model"
            )));
        }
        Ok(Self { model, info, topics: None })
    }

    fn name(&self) -> String {
        format!("{} ({})", self.info.name, self.info.provider)
    }

    /// Says what is going to be sent.
    fn announce(&self, what: &str, asked: &Asked, job: &Job<'_>, streams: &mut Streams<'_>) {
        let prices = prices_of(&job.settings, &self.info.provider, &self.info.name);
        let money = prices.in_money(asked.tokens as f64);
        let money = money.map_or_else(String::new, |(cost, currency)| {
            format!(", about {cost:.2} {currency} without their answers")
        });
        streams.tell(format_args!(
            "for {what}, {} is sent {} of about {} tokens in all{money}; ctrl+c stops it",
            self.name(),
            counted(asked.requests, "request"),
            grouped(asked.tokens)
        ));
    }

    /// Asks for the topics of the stretches in which the log tells none; those that it does not tell are found without it.
    pub(super) fn phases(
        &mut self,
        talk: &Conversation,
        job: &Job<'_>,
        counter: &Arc<dyn CountTokens>,
        runtime: &Runtime,
        streams: &mut Streams<'_>,
    ) -> Result<Vec<Phase>, Error> {
        let stretches = replay::in_requests(replay::long_stretches(talk));
        let mut tokens = 0;
        for stretch in &stretches {
            let request =
                replay::ask_for_topics(talk, stretch.clone()).map_err(|reason| failed(&reason))?;
            let texts = request.messages.iter().map(|message| counter.count(&message.content).0);
            tokens += texts.sum::<u64>();
        }
        let asked = Asked::about(stretches.len() as u64, tokens);
        if stretches.is_empty() {
            self.topics = Some("the borders of the log".to_owned());
            return found_by_words(talk, &[], counter, streams);
        }
        self.announce("the topics, the beginnings of what you said", &asked, job, streams);
        let (mut told, mut why, mut progress) = (Vec::new(), None, Progress::start());
        let of = stretches.len() as u64;
        for (nth, stretch) in (1..).zip(stretches) {
            match waited(runtime, replay::topics(&*self.model, talk, stretch.clone()))? {
                Ok(phases) => told.push((stretch, phases)),
                Err(reason) => {
                    why.get_or_insert(reason);
                }
            }
            if let Some(left) = progress.left(nth, of) {
                streams.tell(format_args!(
                    "topics: {} of {} requests, {left:.0} s left",
                    grouped(nth),
                    grouped(of)
                ));
            }
        }
        let missing = grouped(of - told.len() as u64);
        let requests = counted(of, "request");
        let (name, failed) = (self.name(), format!("{missing} of {requests} led to none"));
        self.topics = Some(match why {
            None => name,
            Some(why) if told.is_empty() => {
                format!("what words tell, and none from {name}: {failed} ({why})")
            }
            Some(why) => format!("{name}; {failed} ({why}), there they are found by their words"),
        });
        found_by_words(talk, &told, counter, streams)
    }

    /// Who writes the summaries, once it is said what that sends.
    pub(super) fn summaries(
        &self,
        measured: &Asked,
        job: &Job<'_>,
        counter: &Arc<dyn CountTokens>,
        streams: &mut Streams<'_>,
    ) -> Arc<WithFallback> {
        self.announce("the summaries, what was said", measured, job, streams);
        Arc::new(WithFallback::new(Some(Arc::clone(&self.model)), local(), Arc::clone(counter)))
    }

    /// Where topics and summaries are from, as sentences.
    pub(super) fn told(&self, asked: &Asked) -> String {
        let name = self.name();
        let topics = self
            .topics
            .as_ref()
            .map_or_else(String::new, |from| format!("Topics are from {from}.\n"));
        format!("{topics}{}", summaries(&name, asked))
    }
}

/// That a model wrote none of the summaries that it was asked for.
pub(super) fn in_vain(requests: u64) -> String {
    format!("the model wrote no summary: {}", all_failed(requests))
}

fn all_failed(requests: u64) -> String {
    match requests {
        1 => "the only request failed".to_owned(),
        _ => format!("all {} requests failed", grouped(requests)),
    }
}

/// Where summaries are from, as a sentence.
fn summaries(name: &str, asked: &Asked) -> String {
    let Some(why) = &asked.why else { return format!("Summaries are from {name}.") };
    let requests = grouped(asked.requests);
    if asked.is_in_vain() {
        let failed = all_failed(asked.requests);
        return format!(
            "No summary is from {name}: {failed} ({why}), and all are extracts made without a model."
        );
    }
    format!(
        "Summaries are from {name}; {} of {requests} requests failed ({why}), and theirs are extracts made without a model.",
        grouped(asked.failed)
    )
}

/// The topics of a conversation, those that are told and those that its words tell where none are.
pub(super) fn found_by_words(
    talk: &Conversation,
    told: &[(Range<usize>, Vec<Phase>)],
    counter: &Arc<dyn CountTokens>,
    streams: &mut Streams<'_>,
) -> Result<Vec<Phase>, Error> {
    let mut progress = Progress::start();
    let mut tell = |done: usize, of: usize| {
        if let Some(left) = progress.left(done as u64, of as u64) {
            streams
                .tell(format_args!("topics: {} % looked for, {left:.0} s left", 100 * done / of));
        }
    };
    let find = || replay::phases(talk, told, &mut tell);
    talk.while_read_ahead(counter, find).map_err(|reason| failed(&reason))
}

/// Makes summaries without a model.
pub(super) fn local() -> Arc<dyn Model> {
    Arc::new(Offline::new(Duration::ZERO))
}
