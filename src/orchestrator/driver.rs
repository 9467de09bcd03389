//! The driver: owns memory, the store and the model, and does one thing at a time.
//!
//! Clients talk to it through a channel. While it waits for a model, `Cancel` and `Shutdown` act at once, as does what reads
//! files beside the chat (see [`Driver::interrupt`]); everything else waits until the turn is over, so the context changes
//! between turns only.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::Interval;

use super::allowance::Allowance;
use super::answer::Refusal;
use super::audience::Audience;
use super::billing::Running;
use super::compress::Compressing;
use super::counting::Counting;
use super::drafts::Keeper;
use super::earlier::Earlier;
use super::handle::Asked;
use super::measured::Cut;
use super::meter::Meter;
use super::notice::{Notice, Notices};
use super::op::Op;
use super::recall::{Ahead, Comparing, LookedUp, SaidKeeper};
use super::turn::{Progress, Stop};
use crate::beside::Beside;
use crate::config::Settings;
use crate::llm::Model;
use crate::memory::{Change, ChangeKind, Memory, MemoryView, Tokens, Window};
use crate::store::{Error, LogReader, SaidReader, Step, Store};

/// One session's driver.
pub(super) struct Driver {
    pub(super) memory: Memory,
    /// The index of everything said.
    pub(super) said: Option<SaidKeeper>,
    /// Reads what was said by its place.
    pub(super) said_logs: Option<SaidReader>,
    /// What of that is known before it is said.
    pub(super) ahead: Ahead,
    /// Compares texts by their meaning, where somebody is set for that.
    pub(super) comparing: Comparing,
    pub(super) store: Store,
    pub(super) model: Arc<dyn Model>,
    /// The provider that flags and settings lead to, whoever was chosen since.
    pub(super) began_with: String,
    /// Counts what its requests take.
    pub(super) meter: Meter,
    pub(super) running: Box<Running>,
    pub(super) settings: Settings,
    /// How far back the transcript has been read.
    pub(super) earlier: Earlier,
    pub(super) ops: UnboundedReceiver<Asked>,
    pub(super) notices: Notices,
    /// Operations that arrived during a turn and wait for its end.
    pub(super) waiting: VecDeque<Asked>,
    /// Shutdown was asked for.
    pub(super) ending: bool,
    /// Sizes of foreign logs, while they are being counted.
    pub(super) counted: Option<Counting>,
    /// The manifest, while it is being rewritten.
    pub(super) checkpoint: Option<tokio::task::JoinHandle<Result<(), Error>>>,
    /// What the user knows already.
    pub(super) told: Told,
    /// The user's message of the turn under way, as the window holds it, and what its tool exchange costs.
    pub(super) under_way: Option<(Arc<str>, Tokens)>,
    pub(super) requests: Requests,
    /// How much requests of memory's own may have.
    pub(super) allowance: Allowance,
    /// Changes that the disk did not take yet, in their order.
    pub(super) refused: Vec<(Vec<Change>, Step)>,
    /// What came into memory of which it was said that it cannot be undone.
    pub(super) told_arrival: Option<u64>,
    /// When the notes' budget is checked next.
    pub(super) notes_check: Option<Interval>,
    /// The compression under way.
    pub(super) compressing: Option<Compressing>,
    pub(super) compress_in_turn: bool,
    /// Keeps what is written and not sent.
    pub(super) drafts: Keeper,
    /// Somebody looks on, and opens the session again.
    pub(super) is_watched: bool,
    /// For whom the session runs.
    pub(super) audience: Audience,
    /// Does what can be done beside the turns, where nobody watches.
    pub(super) beside: Option<Arc<Beside>>,
}

/// The requests of the chat in this run.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// The window of the last one.
    pub(super) last: Option<Arc<Window>>,
    /// The window of the last one of the turn before.
    pub(super) of_turn_before: Option<Arc<Window>>,
    /// When the last one went out, or the cache that it left was last used, in microseconds since 1970.
    pub(super) asked_at: Option<u64>,
    /// Of which one of these moments it was shown that the cache is cold since.
    pub(super) shown_cold: Option<u64>,
    /// Searches and expansions since the last answer.
    pub(super) looked_up: LookedUp,
}

/// Waits for what is there; for ever, where nothing is.
pub(crate) async fn or_never<T>(what: Option<impl Future<Output = T>>) -> T {
    match what {
        Some(what) => what.await,
        None => std::future::pending().await,
    }
}

/// Warnings that stand until their cause is mended.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The window is over a line at which nothing leaves by itself.
    over_line: bool,
    /// The server cuts the prompt.
    cut: bool,
    /// What was told of a command that is in memory only.
    pub(super) in_memory_only: Option<String>,
}

impl Driver {
    pub(super) async fn run(mut self, reader: LogReader, count_first: bool) {
        self.start_counting(reader.clone());
        if count_first {
            self.take_sizes(true).await;
        }
        self.keep_said(reader);
        if let Some(said) = self.said.as_mut().filter(|_| count_first) {
            said.is_whole().await;
        }
        // Before the opening is told, which knows of no expansion.
        let left = self.store.take_left_expanded();
        self.apply(self.memory.end_left_expansions(&left), &mut Progress::new("".into()));
        // The rules of the opening are those of the first turn.
        self.fit_cache();
        if let Err(error) = self.store.note_opening(&self.memory) {
            tracing::warn!("the time machine begins with the next turn: {error}");
        }
        self.take_up_chosen_model().await;
        self.fit_cache();
        self.show_memory();
        self.show_bill();
        self.show_verdicts();
        while let Some(Asked { op, number }) = self.next_asked().await {
            self.store.take_up(number);
            self.handle(op).await;
            self.store.take_up(None);
            if self.ending {
                break;
            }
        }
        self.close().await;
    }

    async fn next_asked(&mut self) -> Option<Asked> {
        loop {
            self.tell_repairs();
            if let Some(asked) = self.waiting.pop_front() {
                return Some(asked);
            }
            self.start_checkpoint().await;
            let cold = or_never(self.until_cold().map(tokio::time::sleep));
            tokio::select! {
                asked = self.ops.recv() => return asked,
                sizes = or_never(self.counted.as_mut().map(Counting::done)) => {
                    self.counted = None;
                    self.apply_sizes(sizes);
                    self.show_memory();
                }
                () = cold => self.show_cold(),
                _ = or_never(self.notes_check.as_mut().map(Interval::tick)) => self.check_notes(),
                outcome = or_never(self.compressing.as_mut().map(Compressing::done)) => self.swap_in(outcome),
            }
        }
    }

    async fn handle(&mut self, op: Op) {
        let mut progress = Progress::new("".into());
        // Undoing may bring a note back that a limit sent away: that is wanted.
        let may_add_notes = matches!(op, Op::Run(_) | Op::Note { .. });
        let done = match op {
            Op::Send(text) => return self.turn(text.into()).await,
            Op::SaidAt(at) => return self.store.say_at(Some(at.written())),
            Op::Retold(turn) => return self.expect_retold(turn),
            Op::Conclude => return self.conclude_retold(&mut progress).await,
            Op::Returned(texts) => return self.running.returned = texts,
            Op::Foretell(turn) => return self.ahead.foretell(turn),
            Op::Set { key, value } => return self.set(&key, &value),
            Op::SetForGood { key, value } => return self.set_for_good(&key, &value),
            Op::Show(subject) => return self.show(&subject),
            Op::Journal => return self.read_journal(),
            Op::Bill => return self.read_bill(),
            Op::Judge(verdict) => return self.judge(verdict),
            Op::Course => return self.read_course(),
            Op::LookBack(turn) => return self.look_back(turn),
            Op::Inspect(draft) => {
                let inspection = Arc::new(self.inspection(&draft).await);
                return self.notify(Notice::Inspection(inspection));
            }
            Op::ShowWindow => return self.notify(Notice::Window(Arc::new(self.memory.window()))),
            Op::ListFiles(begun) => return self.list_files(begun),
            Op::ReadEarlier => return self.read_earlier(),
            Op::Cancel => return self.stop_compression(),
            Op::Shutdown => return self.ending = true,
            Op::Run(call) => {
                let answer = self.execute(&call, &mut progress).await;
                answer.map(|answer| answer.for_people)
            }
            Op::Effort { id, command } => self.effort_command(&id, command, &mut progress).await,
            Op::Note { id, command } => self.note_command(&id, &command, &mut progress),
            Op::Specifics { id, command } => {
                self.change_specifics(id.as_deref(), &command, &mut progress)
            }
            Op::Undo => self.undo(&mut progress),
            Op::Redo => self.redo(&mut progress),
            Op::Versus(question) => self.versus(question.trim()).await,
            Op::LetLeave => self.let_leave(&mut progress),
            Op::Compress(id) => self.compress(id.as_deref(), &mut progress).await,
            Op::Attach(path) => self.attach(path, &mut progress).await,
            Op::CopyOut { key, path } => self.copy_out(&key, &path),
            Op::Model(wanted) => self.choose_model(wanted.as_deref()).await,
            Op::Pull(name) => self.pull(name.as_deref()).await,
            Op::Rename(name) => self.rename(&name).await,
            Op::Fork(name) => match self.fork(name.as_deref()).await {
                Ok(copied) => return self.notify(copied),
                Err(refusal) => Err(refusal),
            },
            Op::Export(path) => self.export(path).await,
            // No hub stands between.
            Op::Session(_) => Err(Refusal::of("Other sessions are opened in the chat only.")),
        };
        // What it took was paid, whatever came of it; the next turn may be far away.
        self.bill_by_hand();
        self.answer_recorded(done, &progress);
        if may_add_notes {
            self.check_new_notes(&progress);
        }
    }

    /// Waits for something, and does what can be done meanwhile, until the user stops it.
    ///
    /// # Errors
    /// The user stopped it, or ends the program.
    pub(super) async fn unless_stopped<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, Stop> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                asked = self.ops.recv() => self.interrupt(asked)?,
                done = &mut work => return Ok(done),
            }
        }
    }

    /// What is asked while something is waited for: what reads files beside the chat is done at once, everything else
    /// waits.
    ///
    /// # Errors
    /// What is waited for is to stop.
    pub(super) fn interrupt(&mut self, asked: Option<Asked>) -> Result<(), Stop> {
        let Some(Asked { op, number }) = asked else {
            self.ending = true;
            return Err(Stop::Cancelled);
        };
        match op {
            Op::Cancel => return Err(Stop::Cancelled),
            Op::Shutdown => {
                self.ending = true;
                return Err(Stop::Cancelled);
            }
            Op::ListFiles(begun) => self.list_files(begun),
            Op::ReadEarlier => self.read_earlier(),
            Op::Journal => self.read_journal(),
            Op::Bill => self.read_bill(),
            Op::Course => self.read_course(),
            Op::LookBack(turn) => self.look_back(turn),
            // What cannot be shown is an answer, and those come when the turn is over.
            Op::Show(item) if self.show_if_there(&item).is_ok() => {}
            op => self.waiting.push_back(Asked { op, number }),
        }
        Ok(())
    }

    pub(super) fn notify(&self, notice: Notice) {
        self.notices.tell(notice);
    }

    /// Reads further back in the transcript; it changes nothing, so a turn need not be over.
    pub(super) fn read_earlier(&self) {
        self.earlier.read(self.store.reader(), &self.notices);
    }

    /// Tells memory as it is now, within a turn with the window of its next request.
    pub(super) fn show_memory(&self) {
        if !self.is_watched {
            return;
        }
        let view = match &self.under_way {
            Some((user, exchanged)) => self.memory.view_within(user, *exchanged),
            None => self.view_at_rest(),
        };
        self.notify(Notice::Memory(Arc::new(view)));
    }

    /// Memory as the turn's report tells it: where nobody looks at the evicted efforts, with those of this turn alone.
    pub(super) fn view_after(&self, changes: &[Change]) -> MemoryView {
        if self.is_watched {
            return self.memory.view();
        }
        let evicted = changes.iter().filter(|change| change.kind == ChangeKind::SummaryEvicted);
        self.memory.view_with(evicted.count())
    }

    /// What had to be repaired while the session is open is told like what was when it was opened.
    fn tell_repairs(&mut self) {
        for problem in self.store.take_problems() {
            self.notify(Notice::Info(problem.0));
        }
    }

    /// Sends out what waits at the soft line, because the user agrees.
    fn let_leave(&mut self, progress: &mut Progress) -> Result<String, Refusal> {
        let changes = self.memory.let_leave();
        if changes.is_empty() {
            return Err(Refusal::of("Nothing waits to leave the window."));
        }
        let text = format!("The window has {} tokens now.", self.memory.layers().total());
        self.apply(changes, progress);
        Ok(text)
    }

    /// In the modes in which nothing leaves by itself the user hears of it, once until it is mended.
    pub(super) fn warn_of_lines(&mut self) {
        let warnings = self.memory.warnings();
        if !self.told.over_line {
            for warning in &warnings {
                self.notify(Notice::Info(warning.clone()));
            }
        }
        self.told.over_line = !warnings.is_empty();
    }

    /// The user hears that the server cuts the prompt, once until it is mended.
    pub(super) fn warn_of_cut(&mut self, cut: Option<Cut>) {
        let is_new = !std::mem::replace(&mut self.told.cut, cut.is_some());
        if let Some(cut) = cut.filter(|_| is_new) {
            self.notify(Notice::problem(cut.sentence(), ""));
        }
    }

    /// Rewrites the manifest off the turn's path when it is behind; the journal holds the truth until
    /// it is done.
    async fn start_checkpoint(&mut self) {
        if self.checkpoint.as_ref().is_some_and(|running| !running.is_finished()) {
            return;
        }
        self.await_checkpoint().await;
        if let Some(job) = self.store.checkpoint() {
            self.checkpoint = Some(tokio::task::spawn_blocking(move || job.write()));
        }
    }

    pub(super) async fn await_checkpoint(&mut self) {
        let Some(running) = self.checkpoint.take() else { return };
        let what = match running.await {
            Ok(Ok(())) => return,
            // Where the directory is gone, whatever writes there next tells it.
            Ok(Err(_)) if self.store.check_place().is_err() => return,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic.to_string(),
        };
        let advice = if self.refused.is_empty() {
            "Nothing is lost: the journal holds the same. It is tried again after the next change."
        } else {
            "It is tried again after the next change, as is what is in memory only."
        };
        self.notify(Notice::problem(format!("the manifest was not written: {what}"), advice));
    }

    async fn close(mut self) {
        self.leave_compression().await;
        self.stop_counting();
        if let Some(running) = self.checkpoint.take() {
            // The manifest is written once more below, which tells what keeps failing.
            let _ = running.await;
        }
        if let Some(said) = self.said.take() {
            said.close().await;
        }
        self.leave_bill();
        if let Err(error) = self.store.check_place() {
            tracing::warn!("the session is closed where it is: {error}");
        }
        let is_kept = self.leave_refused();
        self.tell_repairs();
        // What is written last takes as much memory again.
        drop(self.memory);
        let (store, drafts) = (self.store, self.drafts);
        let closed = tokio::task::spawn_blocking(move || {
            drafts.finish(&store.draft_file());
            store.close()
        })
        .await;
        if let Ok(Err(error)) = closed {
            let advice = match error {
                Error::Moved(_) => "",
                _ => "Nothing is lost: the journal holds the same.",
            };
            if is_kept {
                self.notices.tell(Notice::problem(error.to_string(), advice));
            } else {
                // What is lost was told; that the manifest is behind as well changes nothing.
                tracing::warn!("the session was closed: {error}");
            }
        }
        self.notices.tell(Notice::Closed);
    }
}
