//! One turn: the user's message, the rounds with tools, the final reply, and what memory does then.

mod progress;
mod within;
mod words;

use std::sync::Arc;

use futures_util::StreamExt;

use super::assemble;
use super::driver::Driver;
use super::exchange::ToolExchange;
use super::intake;
use super::measured::{self, Measured};
use super::memory_requests;
use super::notice::{CANCELLED, ENDED, Given, Notice, Stopped, TurnReport, Unanswered};
use crate::clock::{self, Stopwatch};
use crate::escapes::{self, Escapes};
use crate::llm::{self, Completion, Event, FinishReason, Purpose, Request, ToolCall};
use crate::memory::{Change, ChangeKind, Exchange, Layer, Tokens, Turn, Window};
use crate::store::{Error, LoggedMessage};
use crate::tools;
pub(super) use progress::Progress;
use words::check_words;

/// Why a turn did not end well.
#[derive(Debug)]
pub(super) enum Stop {
    /// The user asked for it.
    Cancelled,
    /// Something failed.
    Failed {
        /// What happened.
        what: String,
        /// What to do; empty where nothing helps, or where `what` says it.
        advice: String,
    },
    /// A request to a model failed.
    Request(llm::Error),
    /// A scripted model was asked for more than its script holds.
    ScriptShort(String),
}

impl Stop {
    /// A request that would be larger than it may be, whatever gives way.
    pub(super) fn over_limit(cost: Tokens, limit: Tokens) -> Self {
        let what = format!(
            "the request was not sent: it would have {cost} tokens, and the limit is {limit}, although all \
             that can leave it has left"
        );
        let advice = "Raise token_budget with /budget, or choose a model that takes more.";
        Self::Failed { what, advice: advice.to_owned() }
    }

    /// Something failed that nobody can do anything about.
    pub(super) fn without_advice(what: impl Into<String>) -> Self {
        Self::Failed { what: what.into(), advice: String::new() }
    }
}

impl From<llm::Error> for Stop {
    fn from(error: llm::Error) -> Self {
        match error {
            llm::Error::Script(sentence) => Self::ScriptShort(sentence),
            error => Self::Request(error),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        let advice = error.advice().unwrap_or_default().to_owned();
        Self::Failed { what: error.to_string(), advice }
    }
}

/// Whether a call turns to an effort.
fn begins(call: &ToolCall) -> bool {
    tools::parse(&call.name, &call.arguments).is_ok_and(|call| call.turns_to_an_effort())
}

impl Driver {
    /// Runs one turn to its end, whatever that is.
    pub(super) async fn turn(&mut self, user: Arc<str>) {
        let mut progress = Progress::new(user);
        progress.still_meant = self.still_meant(&progress.typed);
        self.ahead.begin(&progress.typed);
        self.take_sizes(false).await;
        let turn = self.memory.begin_turn();
        self.begin_bill(turn);
        self.fit_cache();
        let outcome = match self.store.begin_turn(turn, &progress.typed, self.memory.log_of_turn())
        {
            Ok(()) => {
                let user = intake::on_screen(&progress.typed);
                self.notify(Notice::TurnStarted { turn, user });
                self.take_in_and_converse(&mut progress).await
            }
            Err(error) => Err(error.into()),
        };
        self.under_way = None;
        let log = self.memory.log_of_turn().filter(|_| outcome.is_ok()).cloned();
        self.judge_summaries(log.as_ref(), &mut progress);
        let outcome = outcome.and_then(|()| {
            self.hold_returned()?;
            let bill = self.bill_turn(turn, &progress.words(), &progress);
            let stored = self.store_exchange(turn, &progress);
            Ok(stored.inspect_err(|_| self.running.bill = bill)?)
        });
        match outcome {
            Ok((exchange, logged)) => self.finish(&exchange, logged, progress).await,
            Err(stop) => {
                self.abandon(turn, &progress, stop);
                self.show_memory();
            }
        }
    }

    async fn take_in_and_converse(&mut self, progress: &mut Progress) -> Result<(), Stop> {
        self.admit(progress).await?;
        self.converse(progress).await
    }

    /// Asks the model, runs its calls and asks again, until it answers with words.
    async fn converse(&mut self, progress: &mut Progress) -> Result<(), Stop> {
        let rounds = self.settings.max_tool_rounds();
        self.ebb_if_cold(progress);
        self.recall(progress).await?;
        self.under_way = Some((Arc::clone(&progress.user), Tokens(0)));
        let room = self.memory.room_for_tools(&progress.user);
        let mut exchange = ToolExchange::new(room, self.memory.counter());
        let mut is_silent = false;
        for round in 1..=rounds.saturating_add(1) {
            let may_call = round <= rounds && !is_silent;
            let answered = self.ask_within(round, may_call, &mut exchange, progress).await;
            let mut completion = words::or_nothing(answered, round)?;
            self.tell_end(&completion, progress);
            if progress.without_tools {
                self.count_no_tools(progress);
            }
            progress.answered.usage = completion.usage;
            let layers = progress.answered.layers;
            progress.in_all += layers.total();
            if layers.total() > progress.most.total() {
                progress.most = layers;
            }
            progress.complete = Some(progress.answered);
            progress.partial.clear();
            if !completion.text.trim().is_empty() {
                progress.said.push(completion.text.clone());
            }
            if completion.aside {
                self.memory.set_aside();
            }
            is_silent = may_call && words::is_silent(progress, &completion, round);
            if is_silent {
                continue;
            }
            if completion.calls.is_empty() || !may_call {
                return check_words(progress, &completion);
            }
            completion.calls.truncate(exchange.most_calls());
            exchange.begin(&mut completion);
            let last_begin = completion.calls.iter().rposition(begins);
            for (nth, call) in completion.calls.iter().enumerate() {
                progress.goes_on = last_begin.is_some_and(|last| nth < last);
                let report = self.run_model_call(call, &completion.finish, progress).await?;
                exchange.answer(call, &report.result);
                self.notify(Notice::CallFinished(report.clone()));
                self.show_next_request(progress, &exchange);
                progress.calls.push(report);
            }
        }
        Ok(())
    }

    /// Says why an answer is not whole, or ended in a way that nobody knows. What came of it stays; a call
    /// that was cut is the model's to send again.
    fn tell_end(&self, completion: &Completion, progress: &mut Progress) {
        let is_for_model =
            completion.finish == FinishReason::Length && !completion.calls.is_empty();
        // A turn without words fails, and says why itself.
        if is_for_model || completion.text.trim().is_empty() {
            return;
        }
        if let Some(warning) = completion.finish.warning() {
            self.notify(Notice::Info(warning));
            progress.cut = Some(completion.finish.clone());
        }
    }

    /// The next request of the turn. It never goes out over the limit: the exchange gives way, then the window.
    fn chat_request(
        &mut self,
        progress: &mut Progress,
        exchange: &mut ToolExchange,
        may_call: bool,
    ) -> Result<Request, Stop> {
        let limit = self.memory.rules().limit();
        let kept = self.kept_request(progress, exchange);
        let kept = kept.filter(|(kept, _)| exchange.goes_with(kept, limit));
        let (window, left) = match kept {
            Some(kept) => kept,
            None => self.new_request(progress, exchange)?,
        };
        let is_told = |change: &Change| {
            let mut told = progress.changes.iter();
            told.any(|old| (old.kind, &old.subject) == (change.kind, &change.subject))
        };
        let gave_way = window.gave_way.iter().filter(|change| !is_told(change)).cloned().collect();
        self.apply(gave_way, progress);
        if progress.requests == 0 {
            progress.sent = window.layers;
            progress.given = Given::of(&window, self.memory.recalled());
        }
        progress.answered = self.estimate(&window, exchange);
        if !may_call {
            progress.answered.may_lack_tools();
        }
        self.under_way = Some((Arc::clone(&progress.user), exchange.cost() + left));
        let request = assemble::chat_request(&window, &exchange.messages(), may_call);
        let last = self.requests.last.replace(Arc::new(window));
        if progress.requests == 0 {
            self.requests.of_turn_before = last;
        }
        Ok(request)
    }

    /// A window that is laid out anew beside the tool exchange, or that of the last request of the turn where it holds all
    /// of that.
    fn new_request(
        &self,
        progress: &Progress,
        exchange: &mut ToolExchange,
    ) -> Result<(Window, Tokens), Stop> {
        let limit = self.memory.rules().limit();
        let earlier = self.requests.last.as_deref().filter(|_| progress.requests > 0);
        let window = |reserved| self.memory.window_with(&progress.user, reserved);
        let window = exchange.beside(limit, earlier, window);
        let window = window.map_err(|cost| Stop::over_limit(cost, limit))?;
        let room = limit.saturating_sub(exchange.cost());
        let kept =
            earlier.and_then(|earlier| earlier.instead_of(&window, self.memory.layer_of_turn()));
        Ok(kept.filter(|(kept, _)| kept.layers.total() <= room).unwrap_or((window, Tokens(0))))
    }

    /// The window of the last request of the turn, where nothing entered memory's since; and what of it has left that.
    fn kept_request(
        &self,
        progress: &Progress,
        exchange: &ToolExchange,
    ) -> Option<(Window, Tokens)> {
        let earlier = self.requests.last.as_deref().filter(|_| progress.requests > 0)?;
        let now = self.memory.window_with(&progress.user, Tokens(0));
        exchange.kept(earlier, &now, self.memory.layer_of_turn())
    }

    /// Tells memory with the next request of the turn.
    fn show_next_request(&mut self, progress: &Progress, exchange: &ToolExchange) {
        if self.is_watched {
            let room = self.memory.rules().limit().saturating_sub(exchange.cost());
            let kept = self.kept_request(progress, exchange);
            let kept = kept.filter(|(kept, _)| kept.layers.total() <= room);
            let left = kept.map_or(Tokens(0), |(_, left)| left);
            let to_come = exchange.cost_to_come() + left;
            self.under_way = Some((Arc::clone(&progress.user), to_come));
            self.show_memory();
        }
    }

    /// The server takes no tools, so that no request has any: nothing that is told of one counts them, until another
    /// model answers.
    fn count_no_tools(&mut self, progress: &mut Progress) {
        progress.answered.leave_out_tools();
        progress.sent.clear(Layer::Tools);
        self.memory.set_tools("".into());
    }

    /// What a request costs, before the server has said anything.
    fn estimate(&self, window: &Window, exchange: &ToolExchange) -> Measured {
        let mut layers = window.layers;
        layers.add(self.memory.layer_of_turn(), exchange.cost());
        let texts = exchange.texts();
        let texts: Vec<_> = texts.iter().map(|(text, tokens)| (&**text, *tokens)).collect();
        let least = measured::least(window, layers.of(Layer::Tools), &texts);
        Measured { layers, least, ..Measured::default() }
    }

    /// Sends a request and passes its events on. Dropping the stream on the way out cancels it. None goes out that
    /// costs more than the limit.
    pub(super) async fn ask(
        &mut self,
        mut request: Request,
        cost: Tokens,
        progress: &mut Progress,
    ) -> Result<Completion, Stop> {
        let limit = self.memory.rules().limit();
        request.effort = self.settings.effort();
        request.budget = Some(limit.0);
        request.keeps_hour = self.settings.keeps_hour();
        request.cache_key = Some(assemble::cache_key(self.store.dir()));
        if cost > limit {
            return Err(Stop::over_limit(cost, limit));
        }
        let is_chat = request.purpose == Purpose::Chat;
        let keeps_warm = memory_requests::keeps_warm(&request);
        if is_chat {
            self.requests.asked_at = Some(clock::micros());
            progress.escapes = Escapes::default();
        }
        self.expect_request(cost);
        let mut stream = self.model.stream(request);
        loop {
            let waiting = Stopwatch::start();
            let event = self.unless_stopped(stream.next()).await;
            progress.model_time += waiting.elapsed();
            match event? {
                Some(Ok(Event::Done(completion))) => {
                    if keeps_warm {
                        // A cache keeps what it holds from its last use on, however long the answer took.
                        self.requests.asked_at = self.requests.asked_at.map(|_| clock::micros());
                    }
                    self.take_back_reasoning(&completion, progress);
                    return Ok(completion);
                }
                Some(Ok(event)) => self.pass_on(event, is_chat, progress),
                Some(Err(error)) => return Err(error.into()),
                None => return Err(Stop::without_advice("the answer ended early")),
            }
        }
    }

    /// Where reasoning was shown as the beginning of an answer, because only its end is marked, it is taken back.
    fn take_back_reasoning(&self, completion: &Completion, progress: &Progress) {
        let (shown, text) = (progress.partial.trim(), completion.text.trim());
        let is_less = shown.len() > text.len() && shown.ends_with(text);
        if is_less && !completion.reasoning.is_empty() {
            self.notify(Notice::Reworded(escapes::without(text).into_owned()));
        }
    }

    fn pass_on(&mut self, event: Event, is_chat: bool, progress: &mut Progress) {
        match event {
            Event::Text(text) if is_chat => {
                self.store.keep_arrived(&progress.arrived(&text));
                progress.partial.push_str(&text);
                let shown = progress.escapes.left_out_of(&text);
                if !shown.is_empty() {
                    self.notify(Notice::Text(shown.into_owned()));
                }
            }
            Event::Reasoning(text) if is_chat => self.notify(Notice::Reasoning(text)),
            Event::ToolCallStarted { name } => self.notify(Notice::CallStarted { name }),
            Event::Retrying { wait, attempt, reason } => {
                self.notify(Notice::Retrying { wait, attempt, reason });
            }
            Event::Notice(text) => self.notify(Notice::Info(text)),
            Event::WithoutTools => progress.without_tools |= is_chat,
            Event::Text(_) | Event::Reasoning(_) | Event::Usage(_) | Event::Done(_) => {}
        }
    }

    /// The exchange is on disk before memory counts the turn: if the disk refuses, the turn fails and
    /// nothing has changed.
    fn store_exchange(
        &mut self,
        turn: Turn,
        progress: &Progress,
    ) -> Result<(Exchange, Vec<LoggedMessage>), Error> {
        let exchange =
            Exchange { user: Arc::clone(&progress.user), assistant: progress.words().into() };
        self.store.note_finish(progress.cut.as_ref().map(FinishReason::as_str));
        let logged = self.store.log_exchange(turn, self.memory.log_of_turn(), &exchange)?;
        Ok((exchange, logged))
    }

    /// The turn counts. All that there is to do is done when the report is made, so that its time is the
    /// turn's whole time.
    async fn finish(
        &mut self,
        exchange: &Exchange,
        logged: Vec<LoggedMessage>,
        mut progress: Progress,
    ) {
        let mut ended = self.memory.end_turn(exchange);
        ended.changes.extend(self.notes_to_leave());
        let faults = self.page_faults(&ended, &progress, &exchange.assistant).await;
        self.memory.count_faults(faults);
        self.store.note_faults(faults);
        self.store.note_request(progress.answered.record(progress.requests, progress.in_all));
        let finished = self.record_refused();
        let finished = finished.and_then(|()| self.store.finish_turn(&ended, &self.memory));
        if let Err(error) = finished {
            let advice = match error {
                Error::Moved(_) => "",
                _ => {
                    "The exchange is logged and the turn is completed when the session is next opened."
                }
            };
            self.notify(Notice::problem(error.to_string(), advice));
        }
        for change in &ended.changes {
            self.notify(Notice::Changed(change.clone()));
        }
        self.index_ended(&ended.changes, ended.log.as_ref(), &logged);
        progress.changes.extend(ended.changes);
        self.index_turn(ended.log.as_ref(), &logged, &progress.changes);
        if self.compress_in_turn {
            let before = progress.changes.len();
            self.compress_and_wait(&mut progress).await;
            if progress.changes.len() > before
                && let Err(error) = self.store.note_moment(&self.memory)
            {
                tracing::warn!("the end of the turn was not recorded: {error}");
            }
        } else {
            self.compress_when_due(&mut progress).await;
        }
        // A replay would write thousands of lines about a session that is gone.
        if self.is_watched {
            self.log_context(&progress);
        }
        self.look_ahead_anew();
        let bill = self.close_bill(ended.turn);
        progress.answered.paid = self.running.last;
        let cut = progress.answered.cut();
        let memory = Arc::new(self.view_after(&progress.changes));
        self.notify(Notice::Memory(Arc::clone(&memory)));
        let overhead = progress.stopwatch.elapsed().saturating_sub(progress.model_time);
        let report = TurnReport {
            turn: ended.turn,
            log: ended.log,
            user: Arc::clone(&progress.typed),
            reply: Arc::clone(&exchange.assistant),
            banners: progress.changes.iter().map(Change::banner).collect(),
            calls: progress.calls,
            requests: progress.requests,
            overhead,
            sent: progress.sent,
            given: progress.given,
            in_all: progress.in_all,
            most: progress.most,
            answered: progress.answered.layers,
            measured: progress.answered,
            bill,
            memory,
            changes: progress.changes,
        };
        self.notify(Notice::TurnEnded(Box::new(report)));
        self.warn_of_cut(cut);
        self.warn_of_lines();
    }

    fn abandon(&mut self, turn: Turn, progress: &Progress, stop: Stop) {
        self.memory.abandon_turn();
        self.take_back_ahead();
        self.bill_stopped(turn, progress);
        let partial = progress.words();
        let (error, advice) = match stop {
            Stop::Cancelled => (None, String::new()),
            Stop::Failed { what, advice } => (Some(what), advice),
            Stop::Request(error) => (Some(error.to_string()), error.advice().into_owned()),
            Stop::ScriptShort(what) => (Some(what), "Correct the scenario file.".to_owned()),
        };
        let unasked = if self.ending { ENDED } else { CANCELLED };
        let cause = error.as_deref().unwrap_or(unasked);
        tracing::warn!("turn {turn} did not count: {cause}");
        let mut message = Unanswered::Kept;
        if let Err(error) = self.store.abandon_turn(turn, &progress.typed, &partial, cause) {
            message = Unanswered::Unsaved;
            self.notify(Notice::Problem { what: error.to_string(), advice: String::new() });
        }
        let user = Arc::clone(&progress.typed);
        let partial = partial.into();
        if let Some(complete) = progress.complete {
            self.notify(Notice::Measured(complete));
        }
        self.notify(Notice::TurnStopped(Stopped { user, partial, error, advice, message }));
    }

    /// The log line of slice 1.
    fn log_context(&self, progress: &Progress) {
        let layers = self.memory.layers();
        let ambient = layers.of(Layer::Ambient);
        let manifest = layers.of(Layer::Summaries) + layers.of(Layer::Lists);
        let effort = layers.of(Layer::Open) + layers.of(Layer::Expanded);
        let total = ambient + manifest + effort;
        let concluded = |change: &Change| change.kind == ChangeKind::EffortConcluded;
        let mark = if progress.changes.iter().any(concluded) { "  ← COMPACTED" } else { "" };
        let turn = format!("[turn {}]", self.memory.turn());
        let total = format!("{total} tokens");
        tracing::info!(
            "{turn:<9} context: {total:<10} (ambient: {ambient}, manifest: {manifest}, \
             effort: {effort}){mark}"
        );
    }
}
