//! The driver: owns memory, the store and the model, and does one thing at a time.
//!
//! Clients talk to it through a channel. While a turn waits for the model, `Cancel`, `ReadEarlier` and
//! `Shutdown` act at once; everything else waits until the turn is over, so the context changes between turns only.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Interval;

use super::answer::Refusal;
use super::drafts::Keeper;
use super::earlier::Earlier;
use super::handle::{Asked, Handle};
use super::measured::Cut;
use super::notice::{Notice, Op, SessionInfo, Stopped, Unanswered};
use super::turn::Progress;
use super::{compress, loading};
use crate::clock;
use crate::config::Settings;
use crate::llm::Model;
use crate::memory::{CountTokens, Memory, Tokens, Window};
use crate::recall;
use crate::store::{Opened, StopFlag, Store};

/// What a session is started with.
pub struct Setup {
    /// The session's directory.
    pub directory: PathBuf,
    /// Who answers.
    pub model: Arc<dyn Model>,
    /// Every threshold and limit.
    pub settings: Settings,
    /// Counts tokens; may still be loading.
    pub counter: Arc<dyn CountTokens>,
    /// Count logs that another program wrote before the first turn instead of beside it, so that the
    /// first figures are exact. For everything but the full-screen app.
    pub count_first: bool,
    /// How often the notes' budget is checked between turns, beside the check after every turn; `None`
    /// where a run must not depend on the clock.
    pub check_notes_every: Option<Duration>,
    /// Let a turn that made a compression due wait for it, instead of compressing beside the chat, so
    /// that a script plays the same every time.
    pub compress_in_turn: bool,
}

/// How often the notes' budget is checked while nothing else happens, as in the seed.
pub const NOTES_CHECK: Duration = Duration::from_secs(30);

/// Opens the session and starts its driver on the current runtime.
///
/// # Errors
/// Fails when the directory cannot be used: not writable, locked by another instance, no directory.
pub fn start(setup: Setup) -> Result<(Handle, UnboundedReceiver<Notice>), crate::store::Error> {
    start_with(setup, Keeper::start())
}

/// The same for a client whose drafts are kept already.
pub(super) fn start_with(
    setup: Setup,
    drafts: Keeper,
) -> Result<(Handle, UnboundedReceiver<Notice>), crate::store::Error> {
    let opened = Store::open(&setup.directory)?;
    let (ops, ops_receiver) = unbounded_channel();
    let (notices, receiver) = unbounded_channel();
    drafts.move_to(opened.store.draft_file(), opened.drafts.clone(), &notices);
    let handle = Handle::new(ops, drafts.clone());
    tokio::spawn(open_and_run(setup, opened, ops_receiver, notices, drafts));
    Ok((handle, receiver))
}

async fn open_and_run(
    setup: Setup,
    opened: Opened,
    mut ops: UnboundedReceiver<Asked>,
    notices: UnboundedSender<Notice>,
    drafts: Keeper,
) {
    announce(&setup, &opened, &notices);
    let (reader, model) = (opened.store.reader(), Arc::clone(&setup.model));
    let settings = setup.settings.clone();
    let count_first = setup.count_first;
    let compress_in_turn = setup.compress_in_turn;
    let notes_check = setup.check_notes_every.map(clock::ticks);
    let earlier = Earlier::new(opened.earlier);
    let (mut store, stop) = (opened.store, StopFlag::default());
    store.answered_by(&model.info().name);
    let draft_file = store.draft_file();
    let flag = stop.clone();
    let mut loading = tokio::task::spawn_blocking(move || {
        let loaded = loading::load(&mut store, setup.settings, setup.counter, &flag);
        loaded.map(|parts| (parts, store))
    });
    let mut waiting = VecDeque::new();
    let loaded = loop {
        tokio::select! {
            loaded = &mut loading => break loaded,
            asked = ops.recv() => match asked {
                Some(Asked { op: Op::Cancel, .. }) => give_back(&mut waiting, &notices),
                Some(Asked { op: Op::Shutdown, .. }) | None => {
                    stop.stop();
                    // Its store goes with it, and the lock with the store.
                    let _ = loading.await;
                    drafts.finish(&draft_file);
                    let _ = notices.send(Notice::Closed);
                    return;
                }
                Some(asked) => waiting.push_back(asked),
            },
        }
    };
    let ((memory, index, problems), store) = match loaded {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(error)) => return fail(&notices, &error.to_string()),
        Err(panic) => return fail(&notices, &format!("loading the session failed: {panic}")),
    };
    for problem in problems {
        let _ = notices.send(Notice::Info(problem));
    }
    let driver = Driver {
        memory,
        index,
        store,
        model,
        settings,
        earlier,
        ops,
        notices,
        waiting,
        ending: false,
        counted: None,
        checkpoint: None,
        told: Told::default(),
        under_way: None,
        last_request: None,
        notes_check,
        compressing: None,
        compress_in_turn,
        drafts,
    };
    driver.run(reader, count_first).await;
}

/// A message that waits for the session to be loaded goes back to whoever sent it.
fn give_back(waiting: &mut VecDeque<Asked>, notices: &UnboundedSender<Notice>) {
    let sent = waiting.iter().rposition(|asked| matches!(asked.op, Op::Send(_)));
    if let Some(Asked { op: Op::Send(text), .. }) = sent.and_then(|at| waiting.remove(at)) {
        let stopped = Stopped {
            user: text.into(),
            partial: "".into(),
            error: None,
            advice: String::new(),
            message: Unanswered::Unsaved,
        };
        let _ = notices.send(Notice::TurnStopped(stopped));
    }
}

/// The sizes of foreign logs, once they are counted; never, if nothing is being counted.
async fn finished(counting: Option<&mut super::counting::Counting>) -> super::counting::Sizes {
    match counting {
        Some(counting) => counting.done().await,
        None => std::future::pending().await,
    }
}

/// Waits until the next tick; for ever without an interval.
async fn due(interval: Option<&mut Interval>) {
    match interval {
        Some(interval) => drop(interval.tick().await),
        None => std::future::pending().await,
    }
}

/// Says what is known before the manifest is read.
fn announce(setup: &Setup, opened: &Opened, notices: &UnboundedSender<Notice>) {
    let name = setup.directory.file_name().map_or_else(
        || setup.directory.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let session =
        SessionInfo { name, directory: setup.directory.clone(), model: setup.model.info() };
    let _ = notices.send(Notice::Settings(Arc::new(setup.settings.clone())));
    let _ = notices.send(Notice::Opened {
        session,
        transcript: opened.transcript.clone(),
        draft: opened.interrupted.as_ref().map(|interrupted| interrupted.user.to_string()),
    });
    if !opened.drafts.is_empty() {
        let _ = notices.send(Notice::Drafts(opened.drafts.clone()));
    }
    for problem in &opened.problems {
        let _ = notices.send(Notice::Info(problem.0.clone()));
    }
}

fn fail(notices: &UnboundedSender<Notice>, what: &str) {
    let advice = "The session's files are as they were. `ebbtide doctor` checks them.".to_owned();
    let _ = notices.send(Notice::Problem { what: what.to_owned(), advice });
    let _ = notices.send(Notice::Closed);
}

/// One session's driver.
pub(super) struct Driver {
    pub(super) memory: Memory,
    pub(super) index: recall::Index,
    pub(super) store: Store,
    pub(super) model: Arc<dyn Model>,
    pub(super) settings: Settings,
    /// How far back the transcript has been read.
    earlier: Earlier,
    pub(super) ops: UnboundedReceiver<Asked>,
    pub(super) notices: UnboundedSender<Notice>,
    /// Operations that arrived during a turn and wait for its end.
    pub(super) waiting: VecDeque<Asked>,
    /// Shutdown was asked for.
    pub(super) ending: bool,
    /// Sizes of foreign logs, while they are being counted.
    pub(super) counted: Option<super::counting::Counting>,
    /// The manifest, while it is being rewritten.
    pub(super) checkpoint: Option<tokio::task::JoinHandle<Result<(), crate::store::Error>>>,
    /// What the user knows already.
    told: Told,
    /// The user's message of the turn under way, as the window holds it, and what its tool exchange costs.
    pub(super) under_way: Option<(Arc<str>, Tokens)>,
    /// The window of the last request of this run.
    pub(super) last_request: Option<Arc<Window>>,
    /// When the notes' budget is checked next.
    notes_check: Option<Interval>,
    /// The compression under way.
    pub(super) compressing: Option<super::compress::Compressing>,
    pub(super) compress_in_turn: bool,
    /// Keeps what is written and not sent.
    pub(super) drafts: Keeper,
}

/// Warnings that stand until their cause is mended.
#[derive(Debug, Default)]
struct Told {
    /// The window is over a line at which nothing leaves by itself.
    over_line: bool,
    /// The server cuts the prompt.
    cut: bool,
}

impl Driver {
    async fn run(mut self, reader: crate::store::LogReader, count_first: bool) {
        self.start_counting(reader);
        if count_first {
            self.take_sizes(true).await;
        }
        if let Err(error) = self.store.note_opening(&self.memory) {
            tracing::warn!("the time machine begins with the next turn: {error}");
        }
        self.show_memory();
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
            tokio::select! {
                asked = self.ops.recv() => return asked,
                sizes = finished(self.counted.as_mut()) => {
                    self.counted = None;
                    self.apply_sizes(sizes);
                    self.show_memory();
                }
                () = due(self.notes_check.as_mut()) => self.check_notes(),
                outcome = compress::ended(self.compressing.as_mut()) => self.swap_in(outcome),
            }
        }
    }

    async fn handle(&mut self, op: Op) {
        let mut progress = Progress::new("".into());
        // Undoing may bring a note back that a limit sent away: that is wanted.
        let may_add_notes = matches!(op, Op::Run(_) | Op::Note { .. });
        let done = match op {
            Op::Send(text) => return self.turn(text.into()).await,
            Op::Set { key, value } => return self.set(&key, &value),
            Op::SetForGood { key, value } => return self.set_for_good(&key, &value),
            Op::Show(subject) => return self.show(&subject),
            Op::Journal => return self.read_journal(),
            Op::LookBack(turn) => return self.look_back(turn),
            Op::Inspect(draft) => {
                return self.notify(Notice::Inspection(Arc::new(self.inspection(&draft))));
            }
            Op::ShowWindow => return self.notify(Notice::Window(Arc::new(self.memory.window()))),
            Op::ListFiles(begun) => return self.list_files(begun),
            Op::ReadEarlier => return self.read_earlier(),
            Op::Cancel => return self.stop_compression(),
            // The handle keeps them.
            Op::KeepDrafts(_) => return,
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
            Op::LetLeave => self.let_leave(&mut progress),
            Op::Compress(id) => self.compress(id.as_deref(), &mut progress).await,
            Op::Attach(path) => self.attach(path, &mut progress).await,
            Op::CopyOut { key, path } => self.copy_out(&key, &path),
            Op::Rename(name) => self.rename(&name).await,
            Op::Export(path) => self.export(path).await,
            Op::FindSessions(_) | Op::OpenSession(_) | Op::NewSession(_) => {
                Err(Refusal::of("Other sessions are opened in the chat only."))
            }
        };
        self.answer(done);
        if may_add_notes {
            self.check_new_notes(&progress);
        }
    }

    pub(super) fn notify(&self, notice: Notice) {
        // A client that has gone needs no notice; the turn still ends well on disk.
        let _ = self.notices.send(notice);
    }

    /// Reads further back in the transcript; it changes nothing, so a turn need not be over.
    pub(super) fn read_earlier(&self) {
        self.earlier.read(self.store.reader(), self.notices.clone());
    }

    /// Tells memory as it is now, within a turn with the window of its next request.
    pub(super) fn show_memory(&self) {
        let view = match &self.under_way {
            Some((user, exchanged)) => self.memory.view_within(user, *exchanged),
            None => self.memory.view(),
        };
        self.notify(Notice::Memory(Arc::new(view)));
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
            let (what, advice) = (cut.sentence(), String::new());
            self.notify(Notice::Problem { what, advice });
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
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic.to_string(),
        };
        let advice =
            "Nothing is lost: the journal holds the same. It is tried again after the next \
                      change."
                .to_owned();
        self.notify(Notice::Problem {
            what: format!("the manifest was not written: {what}"),
            advice,
        });
    }

    async fn close(mut self) {
        self.stop_compression();
        self.stop_counting();
        self.await_checkpoint().await;
        self.tell_repairs();
        let (store, drafts) = (self.store, self.drafts);
        let closed = tokio::task::spawn_blocking(move || {
            drafts.finish(&store.draft_file());
            store.close()
        })
        .await;
        if let Ok(Err(error)) = closed {
            let advice = "Nothing is lost: the journal holds the same.".to_owned();
            let _ = self.notices.send(Notice::Problem { what: error.to_string(), advice });
        }
        let _ = self.notices.send(Notice::Closed);
    }
}
