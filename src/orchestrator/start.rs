//! Starting a session: it is opened, told to the client and loaded, and what is asked for meanwhile waits.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::allowance::Allowance;
use super::audience::Audience;
use super::drafts::Keeper;
use super::driver::{Driver, Requests, Told};
use super::earlier::Earlier;
use super::handle::{Asked, Handle};
use super::loading;
use super::meter::Meter;
use super::notice::{Notice, Notices, SessionInfo, Stopped, Unanswered};
use super::op::Op;
use super::recall::{Ahead, Comparing};
use crate::beside::Beside;
use crate::clock;
use crate::config::Settings;
use crate::llm::Model;
use crate::memory::{CountTokens, Memory};
use crate::store::{DraftFile, Error, Opened, StopFlag, Store, StoredBill};

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
    /// For whom it runs.
    pub audience: Audience,
}

impl Setup {
    /// What a script is played with in front of a person: it plays the same every time, whatever the clock says.
    pub fn scripted(
        directory: PathBuf,
        model: Arc<dyn Model>,
        settings: Settings,
        counter: Arc<dyn CountTokens>,
    ) -> Self {
        Self {
            directory,
            model,
            settings,
            counter,
            count_first: true,
            check_notes_every: None,
            compress_in_turn: true,
            audience: Audience::Person,
        }
    }
}

/// How often the notes' budget is checked while nothing else happens, as in the seed.
pub const NOTES_CHECK: Duration = Duration::from_secs(30);

/// Opens the session and starts its driver on the current runtime.
///
/// # Errors
/// Fails when the directory cannot be used: not writable, locked by another instance, no directory.
pub fn start(setup: Setup) -> Result<(Handle, UnboundedReceiver<Notice>), Error> {
    start_with(setup, Keeper::start())
}

/// Opens and starts a session for a client whose drafts are kept already.
pub(super) fn start_with(
    setup: Setup,
    drafts: Keeper,
) -> Result<(Handle, UnboundedReceiver<Notice>), Error> {
    let mut opened = Store::open(&setup.directory)?;
    if matches!(setup.audience, Audience::Nobody(_)) {
        opened.store.keep_logs_only()?;
    }
    let (ops, ops_receiver) = unbounded_channel();
    let (notices, receiver) = Notices::new();
    drafts.move_to(opened.store.draft_file(), opened.drafts.clone(), &notices);
    let handle = Handle::new(ops, drafts.clone());
    tokio::spawn(open_and_run(setup, opened, ops_receiver, notices, drafts));
    Ok((handle, receiver))
}

async fn open_and_run(
    setup: Setup,
    opened: Opened,
    mut ops: UnboundedReceiver<Asked>,
    notices: Notices,
    drafts: Keeper,
) {
    announce(&setup, &opened, &notices);
    let (reader, model) = (opened.store.reader(), Arc::clone(&setup.model));
    let settings = setup.settings.clone();
    let earlier = Earlier::new(opened.earlier);
    let (mut store, stop) = (opened.store, StopFlag::default());
    store.answered_by(&model.info().name);
    let draft_file = store.draft_file();
    let (flag, counter) = (stop.clone(), Arc::clone(&setup.counter));
    let mut loading = tokio::task::spawn_blocking(move || {
        let loaded = loading::load(&mut store, setup.settings, setup.counter, &flag);
        loaded.map(|parts| {
            let bill = store.reader().bill(parts.0.turn());
            (parts, store, bill)
        })
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
                    notices.tell(Notice::Closed);
                    return;
                }
                Some(asked) => waiting.push_back(asked),
            },
        }
    };
    let ((mut memory, problems), store, bill) = match loaded {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(error)) => return fail(&drafts, &draft_file, &notices, &error.to_string()),
        Err(panic) => {
            let what = format!("loading the session failed: {panic}");
            return fail(&drafts, &draft_file, &notices, &what);
        }
    };
    tell_all(problems, &notices);
    let beside = told_ahead(&setup.audience, &mut memory);
    let bill = take_bill(bill, &mut memory, &notices);
    let meter = Meter::new(counter, settings.cache_lifetime().as_secs(), &bill);
    let driver = Driver {
        memory,
        said: None,
        said_logs: None,
        ahead: Ahead::default(),
        comparing: Comparing::default(),
        store,
        began_with: model.info().provider,
        model: meter.before(model),
        meter,
        running: Box::new(bill.into()),
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
        requests: Requests::default(),
        allowance: Allowance::default(),
        refused: Vec::new(),
        told_arrival: None,
        notes_check: setup.check_notes_every.map(clock::ticks),
        compressing: None,
        compress_in_turn: setup.compress_in_turn,
        drafts,
        is_watched: beside.is_none(),
        audience: setup.audience,
        beside,
    };
    // It holds what all turns need.
    Box::pin(driver.run(reader, setup.count_first)).await;
}

/// Where nobody watches, memory is told what is known before it is said, and what can be done beside the turns has its place.
fn told_ahead(audience: &Audience, memory: &mut Memory) -> Option<Arc<Beside>> {
    let Audience::Nobody(there) = audience else { return None };
    memory.read_ahead(Arc::clone(&there.words));
    Some(Arc::clone(&there.beside))
}

fn tell_all(problems: impl IntoIterator<Item = String>, notices: &Notices) {
    for problem in problems {
        notices.tell(Notice::Info(problem));
    }
}

/// The bill so far, and what it tells memory; one that cannot be read begins anew.
fn take_bill(
    bill: Result<StoredBill, Error>,
    memory: &mut Memory,
    notices: &Notices,
) -> StoredBill {
    let bill = bill.unwrap_or_else(|error| {
        notices.tell(Notice::Info(format!("{error}. The bill begins anew.")));
        StoredBill::default()
    });
    if let Some(problem) = bill.problem() {
        notices.tell(Notice::Info(problem));
    }
    for (id, tokens) in &bill.refused {
        memory.compression_failed(id, *tokens);
    }
    bill
}

/// A message that waits for the session to be loaded goes back to whoever sent it.
fn give_back(waiting: &mut VecDeque<Asked>, notices: &Notices) {
    let sent = waiting.iter().rposition(|asked| matches!(asked.op, Op::Send(_)));
    if let Some(Asked { op: Op::Send(text), .. }) = sent.and_then(|at| waiting.remove(at)) {
        let stopped = Stopped {
            user: text.into(),
            partial: "".into(),
            error: None,
            advice: String::new(),
            message: Unanswered::Unsaved,
        };
        notices.tell(Notice::TurnStopped(stopped));
    }
}

/// Says what is known before the manifest is read.
fn announce(setup: &Setup, opened: &Opened, notices: &Notices) {
    let name = setup.directory.file_name().map_or_else(
        || setup.directory.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let session =
        SessionInfo { name, directory: setup.directory.clone(), model: setup.model.info() };
    notices.tell(Notice::Settings(Arc::new(setup.settings.clone())));
    notices.tell(Notice::Opened {
        session,
        transcript: opened.transcript.clone(),
        draft: opened.interrupted.as_ref().map(|interrupted| interrupted.user.to_string()),
    });
    if !opened.drafts.is_empty() {
        notices.tell(Notice::Drafts(opened.drafts.clone()));
    }
    for problem in &opened.problems {
        notices.tell(Notice::Info(problem.0.clone()));
    }
}

/// Ends a session that cannot be loaded. What was written meanwhile is in its files.
fn fail(drafts: &Keeper, file: &DraftFile, notices: &Notices, what: &str) {
    drafts.finish(file);
    let advice = "What was said is as it was, and what you were writing is kept with it. `ebbtide doctor` checks the files.";
    notices.tell(Notice::problem(what, advice));
    notices.tell(Notice::Closed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::scripted::Scripted;
    use crate::memory::Tokens;
    use crate::store::{Draft, Drafts};

    /// A counter with which no session can be loaded.
    struct Broken;

    impl CountTokens for Broken {
        fn count(&self, _: &str) -> Tokens {
            panic!("as it must");
        }
    }

    #[tokio::test]
    async fn what_was_written_while_a_session_could_not_be_loaded_is_kept_in_it_and_nothing_later()
    {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("session");
        let (handle, mut notices) = start(Setup::scripted(
            directory.clone(),
            Arc::new(Scripted::new()),
            Settings::default(),
            Arc::new(Broken),
        ))
        .unwrap();
        let written = Drafts { line: Draft::from("What I was writing."), ..Drafts::default() };
        handle.keep_drafts(written.clone());
        let mut told = Vec::new();
        while let Some(notice) = notices.recv().await {
            if let Notice::Problem { what, .. } = &notice {
                told.push(what.clone());
            }
            if matches!(notice, Notice::Closed) {
                break;
            }
        }
        assert!(
            matches!(&told[..], [one] if one.starts_with("loading the session failed")),
            "{told:?}"
        );
        let kept = || Store::open(&directory).unwrap().drafts;
        let at_the_end = kept();
        assert_eq!(at_the_end.line, written.line);
        // The lock is gone: another one may have the session.
        let sending = Some(Draft { id: Some(7), ..Draft::from("Said to nobody.") });
        handle.keep_drafts(Drafts { sending, ..written });
        assert_eq!(kept(), at_the_end);
    }
}
