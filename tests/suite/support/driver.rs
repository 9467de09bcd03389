//! A driver for tests: a scripted model over a real session.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ebbtide::beside::Beside;
use ebbtide::config::{Settings, Source};
use ebbtide::llm::scripted::{Scripted, ScriptedAnswer, ScriptedCall};
use ebbtide::llm::{Client, Endpoint, Model};
use ebbtide::memory::{Turn, Window};
use ebbtide::orchestrator::{
    self, Audience, Handle, Notice, Op, PastTurn, Setup, Stopped, TurnReport, Unwatched,
};
use ebbtide::tokens::Cl100k;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;

use super::server::Server;

fn setup(
    directory: &Path,
    script: &Scripted,
    settings: Settings,
    check: Option<Duration>,
) -> Setup {
    Setup {
        check_notes_every: check,
        ..Setup::scripted(
            directory.to_owned(),
            Arc::new(script.clone()),
            settings,
            Arc::new(Cl100k::lazy()),
        )
    }
}

/// A driver with a scripted model, on a session that outlives it.
pub(crate) struct Bench {
    pub(crate) handle: Handle,
    pub(crate) notices: UnboundedReceiver<Notice>,
    pub(crate) script: Scripted,
    pub(crate) turn: u64,
    /// What compressions of each turn are answered with.
    pub(crate) compressions: Vec<String>,
}

impl Bench {
    /// Opens a session with the default settings.
    pub(crate) fn open(directory: &Path) -> Self {
        Self::with(directory, Settings::default(), None)
    }

    /// Opens a session with settings, and checks its notes so often between turns.
    pub(crate) fn with(directory: &Path, settings: Settings, check: Option<Duration>) -> Self {
        let script = Scripted::new();
        let setup = setup(directory, &script, settings, check);
        let (handle, notices) = orchestrator::start(setup).expect("the session opens");
        Self { handle, notices, script, turn: 0, compressions: Vec::new() }
    }

    /// Opens a session at which nobody looks.
    pub(crate) fn unwatched(directory: &Path) -> Self {
        let script = Scripted::new();
        let setup = setup(directory, &script, Settings::default(), None);
        let beside = Arc::new(Beside::start(|| false).expect("a thread starts"));
        let unwatched = Unwatched { finds: Arc::default(), words: Arc::default(), beside };
        let started = orchestrator::start(Setup { audience: Audience::Nobody(unwatched), ..setup });
        let (handle, notices) = started.expect("the session opens");
        Self { handle, notices, script, turn: 0, compressions: Vec::new() }
    }

    /// Runs a command of the user and returns its result in words, and whether it succeeded.
    pub(crate) async fn command(&mut self, op: Op) -> (bool, String) {
        self.handle.send(op);
        loop {
            match self.notices.recv().await.expect("the driver lives") {
                Notice::CommandDone { ok, text } | Notice::SettingDone { ok, text } => {
                    return (ok, text);
                }
                _ => {}
            }
        }
    }

    /// Plays a turn and returns its report.
    pub(crate) async fn turn(
        &mut self,
        user: &str,
        answers: Vec<ScriptedAnswer>,
        summary: &str,
    ) -> TurnReport {
        self.try_turn(user, answers, summary).await.expect("the turn ends well")
    }

    pub(crate) async fn try_turn(
        &mut self,
        user: &str,
        answers: Vec<ScriptedAnswer>,
        summary: &str,
    ) -> Result<TurnReport, Stopped> {
        self.set_turn(answers, summary);
        self.handle.send(Op::Send(user.to_owned()));
        outcome(&mut self.notices).await
    }

    fn set_turn(&mut self, answers: Vec<ScriptedAnswer>, summary: &str) {
        self.turn += 1;
        let summaries = summary.split('|').filter(|text| !text.is_empty()).map(str::to_owned);
        let compressions = self.compressions.clone();
        self.script.set_turn(self.turn, answers, summaries.collect(), compressions);
    }

    /// Plays a turn and returns its report with what the person was told beside it.
    pub(crate) async fn turn_with_notes(
        &mut self,
        user: &str,
        answers: Vec<ScriptedAnswer>,
        summary: &str,
    ) -> (TurnReport, Vec<String>) {
        let (ended, notes) = self.try_turn_with_notes(user, answers, summary).await;
        (ended.expect("the turn ends well"), notes)
    }

    /// The same, however the turn ends.
    pub(crate) async fn try_turn_with_notes(
        &mut self,
        user: &str,
        answers: Vec<ScriptedAnswer>,
        summary: &str,
    ) -> (Result<TurnReport, Stopped>, Vec<String>) {
        self.set_turn(answers, summary);
        self.handle.send(Op::Send(user.to_owned()));
        let mut notes = Vec::new();
        loop {
            match self.notices.recv().await.expect("the driver lives") {
                Notice::TurnEnded(report) => return (Ok(*report), notes),
                Notice::TurnStopped(stopped) => return (Err(stopped), notes),
                Notice::Info(note) => notes.push(note),
                _ => {}
            }
        }
    }

    /// The window that the next turn starts from.
    pub(crate) async fn window(&mut self) -> Arc<Window> {
        self.handle.send(Op::ShowWindow);
        loop {
            if let Notice::Window(window) = self.notices.recv().await.expect("the driver lives") {
                return window;
            }
        }
    }

    /// The window as it was after a turn.
    pub(crate) async fn look_back(&mut self, turn: u64) -> Arc<Window> {
        Arc::clone(&self.past(turn).await.window)
    }

    pub(crate) async fn past(&mut self, turn: u64) -> Arc<PastTurn> {
        self.handle.send(Op::LookBack(Some(Turn(turn))));
        loop {
            if let Notice::Past(past) = self.notices.recv().await.expect("the driver lives") {
                return past;
            }
        }
    }

    pub(crate) async fn close(mut self) {
        self.handle.send(Op::Shutdown);
        while let Some(notice) = self.notices.recv().await {
            if matches!(notice, Notice::Closed) {
                return;
            }
        }
    }
}

pub(crate) fn drive(
    directory: &Path,
    model: Arc<dyn Model>,
) -> (Handle, UnboundedReceiver<Notice>) {
    drive_with(directory, model, &[])
}

/// A driver under some settings.
pub(crate) fn drive_with(
    directory: &Path,
    model: Arc<dyn Model>,
    set: &[(&str, &str)],
) -> (Handle, UnboundedReceiver<Notice>) {
    let mut settings = Settings::default();
    for (key, value) in set {
        settings.set(key, value, Source::Chat).expect("the setting is known");
    }
    drive_under(directory, model, settings)
}

/// The same under all of them.
pub(crate) fn drive_under(
    directory: &Path,
    model: Arc<dyn Model>,
    settings: Settings,
) -> (Handle, UnboundedReceiver<Notice>) {
    orchestrator::start(Setup::scripted(
        directory.to_owned(),
        model,
        settings,
        Arc::new(Cl100k::lazy()),
    ))
    .expect("the session opens")
}

/// The real client of a server that the test plays.
pub(crate) fn client_of(server: &Server) -> Arc<dyn Model> {
    client(Endpoint::new(server.base_url(), "strict"))
}

/// The real client of an endpoint.
pub(crate) fn client(endpoint: Endpoint) -> Arc<dyn Model> {
    Arc::new(Client::new(endpoint).expect("the endpoint is one"))
}

pub(crate) async fn outcome(
    notices: &mut UnboundedReceiver<Notice>,
) -> Result<TurnReport, Stopped> {
    loop {
        match notices.recv().await.expect("the driver lives") {
            Notice::TurnEnded(report) => return Ok(*report),
            Notice::TurnStopped(stopped) => return Err(stopped),
            _ => {}
        }
    }
}

pub(crate) fn text(text: &str) -> ScriptedAnswer {
    ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() }
}

pub(crate) fn call(name: &str, arguments: Value) -> ScriptedAnswer {
    let calls = vec![ScriptedCall { name: name.into(), arguments }];
    ScriptedAnswer { calls, ..ScriptedAnswer::default() }
}
