//! The same question with the window and with the whole history, side by side. It is no turn: nothing is logged,
//! nothing ages, and of what it took only its own file tells.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};

use super::answer::Refusal;
use super::assemble;
use super::driver::Driver;
use super::notice::Notice;
use super::turn::{Progress, Stop};
use crate::bill::Paid;
use crate::clock::{self, Stopwatch};
use crate::counted::grouped;
use crate::llm::{self, Completion, Event, FinishReason, Purpose, Request, Usage};
use crate::memory::{CountTokens, Layer, Role, Tokens, Window};
use crate::store::{LogReader, TranscriptKind, Verdict};
use crate::text::joined;

/// A longer history is not sent, whatever the model takes.
const MOST: Tokens = Tokens(1_000_000);

/// What a question is asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The window, as the next turn would send it.
    Window,
    /// Everything said, in the order in which it was said.
    FullHistory,
}

/// One of two answers, and what it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideAnswer {
    /// Its words.
    pub text: String,
    /// Its tokens.
    pub paid: Paid,
    /// Time from sending to the last word.
    pub time: Duration,
    /// Why it is not whole, as the end of a sentence about it.
    pub partial: Option<String>,
}

/// What is told of a question that is put twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Versus {
    /// Both requests go out.
    Began {
        /// The question.
        question: Arc<str>,
        /// Which side stands left: drawn anew for each question, so that whoever judges cannot know.
        left: Side,
    },
    /// More of an answer.
    Text(Side, String),
    /// An answer has come to its end.
    Answered(Side, SideAnswer),
    /// There is no answer, or no more of it than came: why, as a sentence.
    Failed(Side, String),
}

/// What was said, in order, with its tokens.
type Said = (Vec<llm::Message>, Tokens);

/// One of two requests on its way.
struct Asked {
    side: Side,
    cost: Tokens,
    heard: String,
    /// What it took; `None` while it is under way.
    paid: Option<Paid>,
}

impl Asked {
    /// What it took; where it was stopped, what it has taken by then.
    fn paid(&self, counter: &dyn CountTokens) -> Paid {
        self.paid.unwrap_or_else(|| paid(None, self.cost, counter.count(&self.heard)))
    }

    /// What it took where it failed: nothing, unless a part of it came.
    fn paid_broken(&self, counter: &dyn CountTokens) -> Paid {
        if self.heard.is_empty() { Paid::default() } else { self.paid(counter) }
    }
}

impl Driver {
    /// Asks both and tells their answers as they come.
    pub(super) async fn versus(&mut self, question: &str) -> Result<String, Refusal> {
        let window = self.window_for(question).await.map_err(Refusal::Stop)?;
        let limit = self.memory.rules().limit();
        let cost = window.layers.total();
        if cost > limit {
            return Err(Refusal::Stop(Stop::over_limit(cost, limit)));
        }
        let (messages, whole) = self.whole_history(&window).await?;
        let short = Request {
            purpose: Purpose::Compare,
            effort: self.settings.effort(),
            budget: Some(limit.0),
            ..assemble::chat_request(&window, &[], false)
        };
        let budget = Some(limit.max(whole).0);
        let long = Request { messages, budget, ..short.clone() };
        let left = if clock::micros().is_multiple_of(2) { Side::Window } else { Side::FullHistory };
        self.notify(Notice::Versus(Versus::Began { question: question.into(), left }));
        let mut asked = [(Side::Window, cost), (Side::FullHistory, whole)]
            .map(|(side, cost)| Asked { side, cost, heard: String::new(), paid: None });
        let outcome = self.hear_both([short, long], &mut asked).await;
        let counter = self.memory.counter();
        let paid = asked.each_ref().map(|one| one.paid(&*counter));
        if let Err(error) = self.store.keep_compared(&paid) {
            tracing::warn!("what a comparison took was not kept: {error}");
        }
        self.show_verdicts();
        outcome.map_err(Refusal::Stop)?;
        Ok("Asked twice, with the window and with the full history. Memory is as it was."
            .to_owned())
    }

    /// What the next turn would send with a question. What is recalled for it is forgotten again.
    async fn window_for(&mut self, question: &str) -> Result<Window, Stop> {
        let before = self.memory.recalled().to_vec();
        let mut progress = Progress::new(question.into());
        progress.still_meant = self.still_meant(question);
        self.recall(&mut progress).await?;
        let window = self.memory.window_with(question, Tokens(0));
        let today = self.day();
        self.memory.recall(before, &today);
        Ok(window)
    }

    /// The prompt, everything said, and the question of a window; refused where the model does not take it.
    async fn whole_history(&self, window: &Window) -> Result<Said, Refusal> {
        let model = self.model.info();
        let told = model.context_window.map(Tokens);
        let most = self.memory.rules().context_window.or(told).map_or(MOST, |most| MOST.min(most));
        let fits = |tokens: Tokens| {
            let name = &model.name;
            let why = format!(
                "The whole history has {} tokens, and {} are the most that can be sent to {name}: there is nothing to \
                 compare the window with.",
                grouped(tokens.0),
                grouped(most.0)
            );
            if tokens > most { Err(Refusal::of(why)) } else { Ok(()) }
        };
        fits(self.memory.full_history().tokens)?;
        let (reader, counter) = (self.store.reader(), self.memory.counter());
        let read = tokio::task::spawn_blocking(move || all_said(&reader, &*counter)).await;
        let (said, tokens) = read.map_err(|panic| Refusal::of(panic.to_string()))??;
        let front = window.front_messages().filter(|(role, _)| *role == Role::System);
        let system = front.map(|(_, text)| llm::Message::text(llm::Role::System, text));
        let asked = window.message();
        let question =
            asked.map(|item| llm::Message::text(llm::Role::User, Arc::clone(&item.content)));
        let shared = window.layers.of(Layer::System) + window.layers.of(Layer::Tools);
        let cost = tokens + shared + asked.map_or(Tokens(0), |item| item.tokens);
        fits(cost)?;
        Ok((system.chain(said).chain(question).collect(), cost))
    }

    async fn hear_both(
        &mut self,
        requests: [Request; 2],
        asked: &mut [Asked; 2],
    ) -> Result<(), Stop> {
        let [short, long] = requests.map(|request| self.model.stream(request));
        let mut events =
            stream::select(short.map(|event| (0, event)), long.map(|event| (1, event)));
        let since = Stopwatch::start();
        while let Some((at, event)) = self.unless_stopped(events.next()).await? {
            self.hear(&mut asked[at], event, since.elapsed());
        }
        for one in asked.iter_mut().filter(|one| one.paid.is_none()) {
            one.paid = Some(one.paid_broken(&*self.memory.counter()));
            let early = Versus::Failed(one.side, "The answer ended early.".to_owned());
            self.notify(Notice::Versus(early));
        }
        Ok(())
    }

    fn hear(&self, asked: &mut Asked, event: Result<Event, llm::Error>, time: Duration) {
        let side = asked.side;
        let told = match event {
            Ok(Event::Text(text)) => {
                asked.heard.push_str(&text);
                Versus::Text(side, text)
            }
            Ok(Event::Done(completion)) => {
                let Completion { text, usage, finish, .. } = completion;
                let paid = paid(usage, asked.cost, self.memory.count(&text));
                asked.paid = Some(paid);
                // A refusal is all that the model has to say.
                let partial = finish.unfit().filter(|_| finish != FinishReason::Refusal);
                Versus::Answered(side, SideAnswer { text, paid, time, partial })
            }
            Ok(Event::Notice(text)) => return self.notify(Notice::Info(text)),
            Ok(_) => return,
            Err(error) => {
                asked.paid = Some(asked.paid_broken(&*self.memory.counter()));
                Versus::Failed(side, joined(&error.to_string(), &error.advice()))
            }
        };
        self.notify(Notice::Versus(told));
    }

    /// Keeps a verdict.
    pub(super) fn judge(&mut self, verdict: Verdict) {
        match self.store.keep_verdict(verdict) {
            Ok(()) => self.show_verdicts(),
            Err(error) => self.notify(Notice::problem(
                format!("the verdict was not kept: {error}"),
                "Make room on the disk, then ask again with /versus.",
            )),
        }
    }

    /// Tells how comparisons were judged, if there were any.
    pub(super) fn show_verdicts(&self) {
        match self.store.reader().verdicts() {
            Ok(verdicts) if verdicts.is_empty() => {}
            Ok(verdicts) => self.notify(Notice::Verdicts(verdicts)),
            Err(error) => tracing::warn!("how comparisons were judged is not known: {error}"),
        }
    }
}

/// Everything said in a session, oldest first, with what was not answered left out.
fn all_said(reader: &LogReader, counter: &dyn CountTokens) -> Result<Said, crate::store::Error> {
    let mut tokens = Tokens(0);
    let entries = reader.transcript_before(None, usize::MAX)?.entries.into_iter();
    let messages = entries.filter_map(|entry| {
        let role = match entry.kind {
            TranscriptKind::User => llm::Role::User,
            TranscriptKind::Assistant => llm::Role::Assistant,
            _ => return None,
        };
        tokens += counter.count(&entry.text);
        Some(llm::Message::text(role, entry.text))
    });
    Ok((messages.collect(), tokens))
}

/// What a request took, as its server says; where it does not, the whole prompt at its full price.
fn paid(usage: Option<Usage>, cost: Tokens, output: Tokens) -> Paid {
    match usage.filter(|usage| usage.prompt > 0) {
        Some(Usage { prompt, completion, cached, written, .. }) => {
            let output = if completion > 0 { completion } else { output.0 };
            let paid = Paid::reported(prompt, cached.unwrap_or(0), written, output);
            Paid { estimated: cached.is_none(), ..paid }
        }
        None => Paid { uncached: cost.0, output: output.0, estimated: true, ..Paid::default() },
    }
}
