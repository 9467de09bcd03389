//! Plays a scenario through the orchestrator, turn by turn.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;

use super::{Scenario, ScriptedTurn, Staged};
use crate::config::{self, Settings, Source};
use crate::llm::Model;
use crate::llm::scripted::Scripted;
use crate::memory::{CountTokens, EffortId, Turn, Window};
use crate::orchestrator::{
    self, Audience, BillView, Concluded, Handle, MOST_AHEAD, Notice, Op, Setup, ToCome, TurnReport,
};
use crate::store::{self, Store};
use crate::text::joined;

/// Why playing stopped.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A session that nobody keeps has no place.
    #[error(
        "a session for now is kept in {}, and that failed: {source}; TMPDIR=DIR in front of the command names another place",
        folder.display()
    )]
    NoPlace {
        /// The folder for what is temporary.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A setting of the scenario is wrong.
    #[error(transparent)]
    Setting(#[from] config::Error),
    /// The session cannot be made or opened.
    #[error(transparent)]
    Session(#[from] store::Error),
    /// The script and what the turn asked for do not fit.
    #[error("{0}")]
    Script(String),
    /// A turn did not end well: what happened, and what to do.
    #[error("{0}")]
    Stopped(String),
    /// The driver ended early.
    #[error("the session ended unexpectedly: {0}")]
    Ended(String),
}

/// A turn that was played.
#[derive(Debug, Clone)]
pub struct Played {
    /// What happened.
    pub report: TurnReport,
    /// The window that the next turn would start from.
    pub window: Arc<Window>,
}

/// What turns from anywhere are played with.
pub struct Play<'a> {
    /// Where the session stays, a directory that holds none yet; without one it lives in a temporary one.
    pub directory: Option<&'a Path>,
    /// What it starts from.
    pub setup: &'a store::Setup,
    /// What the model says.
    pub script: Scripted,
    /// Answers as the script does; it may look at the requests.
    pub model: Arc<dyn Model>,
    /// Every threshold and limit.
    pub settings: Settings,
    /// Counts tokens.
    pub counter: Arc<dyn CountTokens>,
    /// For whom it is played.
    pub audience: Audience,
}

impl<'a> Play<'a> {
    /// What turns are played with in a session of their own that nobody keeps, in front of somebody who looks on.
    pub fn recited(
        setup: &'a store::Setup,
        script: Scripted,
        model: Arc<dyn Model>,
        settings: Settings,
        counter: Arc<dyn CountTokens>,
    ) -> Self {
        let audience = Audience::Recited;
        Self { directory: None, setup, script, model, settings, counter, audience }
    }
}

/// A scenario being played.
pub struct Player {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    script: Scripted,
    turns: Box<dyn Iterator<Item = ScriptedTurn> + Send>,
    /// Whether the driver hears beforehand what will be said, and the turns of which it has heard.
    foretells: bool,
    foretold: VecDeque<ScriptedTurn>,
    number: u64,
    /// What failed without ending a turn.
    problems: Vec<String>,
    /// What the session has paid, as far as it was told.
    bill: Option<Arc<BillView>>,
    /// Where the session lives; removed at the end unless the caller named it.
    directory: PathBuf,
    temporary: bool,
}

/// The settings that a scenario is played under: what it sets itself goes before the given ones, but a
/// flag goes before both.
///
/// # Errors
/// Names the setting that is unknown or out of range.
pub fn settings(
    scenario: &Scenario,
    path: &Path,
    mut base: Settings,
) -> Result<Settings, config::Error> {
    let file = path.display().to_string();
    let is_flag = |key: &str| {
        let known = config::Key::named(key);
        known.is_some_and(|key| matches!(base.source(key), Source::Flag(_)))
    };
    let own: Vec<(String, String, Source)> = scenario
        .config
        .iter()
        .filter(|(key, _)| !is_flag(key))
        .map(|(key, value)| {
            let source = Source::Scenario { file: file.clone(), line: scenario.config_line(key) };
            (key.clone(), setting_text(value), source)
        })
        .collect();
    base.set_all(own)?;
    Ok(base)
}

fn setting_text(value: &yaml_serde::Value) -> String {
    match value {
        yaml_serde::Value::String(text) => text.clone(),
        other => yaml_serde::to_string(other).unwrap_or_default().trim().to_owned(),
    }
}

impl Player {
    /// Makes the session that the scenario starts from and opens it. Without a directory it lives in a
    /// temporary one; a scenario without a setup goes on with the session that a directory holds.
    ///
    /// # Errors
    /// Fails when a setting is wrong, or the directory holds a session already or cannot be written.
    pub fn start(
        scenario: &Scenario,
        settings: Settings,
        directory: Option<&Path>,
        counter: Arc<dyn CountTokens>,
    ) -> Result<Self, PlayError> {
        let script = Scripted::new();
        let model = Arc::new(script.clone());
        Self::start_with(scenario, settings, directory, counter, (script, model))
    }

    /// Opens the session that the scenario starts from, with a script and a model that answers as it does.
    ///
    /// # Errors
    /// As [`Player::start`].
    pub fn start_with(
        scenario: &Scenario,
        settings: Settings,
        directory: Option<&Path>,
        counter: Arc<dyn CountTokens>,
        (script, model): (Scripted, Arc<dyn Model>),
    ) -> Result<Self, PlayError> {
        orchestrator::check_settings(&settings, &counter)?;
        let temporary = directory.is_none();
        let directory = directory
            .map_or_else(|| temporary_directory(&scenario.name), |own| Ok(own.to_owned()))?;
        let first = if let Some(turn) = goes_on(scenario, &directory)? {
            turn
        } else {
            store::create(&directory, &scenario.session())?;
            scenario.session().turn
        };
        let setup = Setup::scripted(directory.clone(), model, settings, counter);
        let started = orchestrator::start(setup)?;
        let number = first.0;
        let turns = Box::new(scenario.turns(number + 1));
        Ok(Self::of(started, script, turns, number, directory, temporary))
    }

    /// Plays turns from anywhere in a new session.
    ///
    /// # Errors
    /// As [`Player::start`].
    pub fn begin(
        play: Play<'_>,
        turns: impl Iterator<Item = ScriptedTurn> + Send + 'static,
    ) -> Result<Self, PlayError> {
        let Play { directory, setup, script, model, settings, counter, audience } = play;
        orchestrator::check_settings(&settings, &counter)?;
        let temporary = directory.is_none();
        let directory =
            directory.map_or_else(|| temporary_directory("watched"), |own| Ok(own.to_owned()))?;
        store::create(&directory, setup)?;
        let number = setup.turn.0;
        let foretells = matches!(audience, Audience::Nobody(_));
        let setup = Setup::scripted(directory.clone(), model, settings, counter);
        let started = orchestrator::start(Setup { audience, ..setup })?;
        let mut player = Self::of(started, script, Box::new(turns), number, directory, temporary);
        player.foretells = foretells;
        Ok(player)
    }

    fn of(
        (handle, notices): (Handle, UnboundedReceiver<Notice>),
        script: Scripted,
        turns: Box<dyn Iterator<Item = ScriptedTurn> + Send>,
        number: u64,
        directory: PathBuf,
        temporary: bool,
    ) -> Self {
        Self {
            handle,
            notices,
            script,
            turns,
            foretells: false,
            foretold: VecDeque::new(),
            number,
            problems: Vec::new(),
            bill: None,
            directory,
            temporary,
        }
    }

    /// The session's directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Plays the next turn; `None` after the last.
    ///
    /// # Errors
    /// Fails when the script runs short or has answers left over; the text names the turn.
    pub async fn next_turn(&mut self) -> Result<Option<Played>, PlayError> {
        let Some(user) = self.prepare_turn() else { return Ok(None) };
        self.handle.send(Op::Send(user));
        let report = self.await_report().await?;
        if let Some(left) = self.script.take_leftovers() {
            return Err(PlayError::Script(left));
        }
        let window = self.window().await?;
        Ok(Some(Played { report, window }))
    }

    /// Gives the model its script for the next turn and returns the user's message, for whoever sends
    /// it; `None` after the last turn.
    pub fn prepare_turn(&mut self) -> Option<String> {
        self.prepare_staged().map(|(user, _)| user)
    }

    /// Gives the model its script for the next turn and returns the user's message with what a demo shows around the turn;
    /// `None` after the last turn.
    pub fn prepare_staged(&mut self) -> Option<(String, Staged)> {
        let turn = self.next_scripted()?;
        self.number += 1;
        self.script.set_turn(self.number, turn.model, turn.summaries, turn.compressions);
        if let Some(at) = turn.said_at {
            self.handle.send(Op::SaidAt(at));
        }
        if let Some(retold) = turn.retold {
            self.handle.send(Op::Retold(retold));
        }
        if !turn.returned.is_empty() {
            self.handle.send(Op::Returned(turn.returned));
        }
        Some((turn.user, turn.stage))
    }

    /// The next turn of the script. A driver that hears what will be said is told of some more.
    fn next_scripted(&mut self) -> Option<ScriptedTurn> {
        if !self.foretells {
            return self.turns.next();
        }
        while self.foretold.len() <= MOST_AHEAD {
            let Some(turn) = self.turns.next() else { break };
            self.handle.send(Op::Foretell(to_come(&turn)));
            self.foretold.push_back(turn);
        }
        self.foretold.pop_front()
    }

    /// The driver's end, to send what was prepared.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// The driver's next notice, for whoever shows them.
    pub async fn next_notice(&mut self) -> Option<Notice> {
        self.notices.recv().await
    }

    /// The window as the next turn would start from it.
    ///
    /// # Errors
    /// Fails when the driver has ended.
    pub async fn window(&mut self) -> Result<Arc<Window>, PlayError> {
        self.handle.send(Op::ShowWindow);
        loop {
            match self.notices.recv().await {
                Some(Notice::Window(window)) => return Ok(window),
                Some(notice) => self.take(notice)?,
                None => return Err(PlayError::Ended("no window".into())),
            }
        }
    }

    /// What failed without ending a turn, since this was asked.
    pub fn take_problems(&mut self) -> Vec<String> {
        std::mem::take(&mut self.problems)
    }

    /// Takes down what failed without ending a turn; only the driver's end ends the play.
    fn take(&mut self, notice: Notice) -> Result<(), PlayError> {
        match notice {
            Notice::CompressionEnded(Some(why)) => tracing::warn!("{why}"),
            Notice::Bill(bill) => self.bill = Some(bill),
            Notice::Problem { what, .. } => {
                tracing::warn!("{what}");
                if self.problems.last() != Some(&what) {
                    self.problems.push(what);
                }
            }
            Notice::Closed => {
                let why = self.problems.pop();
                return Err(PlayError::Ended(why.unwrap_or_else(|| "the driver closed".into())));
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends the session; a temporary one is removed. Returns what it paid, turns that failed included, where somebody
    /// watched it.
    pub async fn finish(mut self) -> Option<Arc<BillView>> {
        self.handle.send(Op::Shutdown);
        while let Some(notice) = self.notices.recv().await {
            if self.take(notice).is_err() {
                break;
            }
        }
        self.bill.take()
    }

    /// Concludes the effort that is still active behind the last turn of a conversation that was told again.
    ///
    /// # Errors
    /// Fails when the driver has ended.
    pub async fn conclude(&mut self) -> Result<Concluded, PlayError> {
        self.handle.send(Op::Conclude);
        loop {
            match self.notices.recv().await {
                Some(Notice::Concluded(concluded)) => return Ok(*concluded),
                Some(notice) => self.take(notice)?,
                None => return Err(PlayError::Ended("nothing was concluded".into())),
            }
        }
    }

    /// Waits for the end of the turn that was sent.
    ///
    /// # Errors
    /// Fails when the turn was stopped, as when the script runs short, or the driver has ended.
    pub async fn await_report(&mut self) -> Result<TurnReport, PlayError> {
        self.await_report_hearing(|_| {}).await
    }

    /// Waits as [`Player::await_report`] does, for somebody who hears of everything before the end.
    ///
    /// # Errors
    /// As [`Player::await_report`].
    pub async fn await_report_hearing(
        &mut self,
        mut hear: impl FnMut(&Notice),
    ) -> Result<TurnReport, PlayError> {
        loop {
            let notice = self.notices.recv().await;
            notice.iter().for_each(&mut hear);
            match notice {
                Some(Notice::TurnEnded(report)) => return Ok(*report),
                Some(Notice::TurnStopped(stopped)) => {
                    let what = stopped.error.unwrap_or_else(|| "cancelled".to_owned());
                    return Err(PlayError::Stopped(joined(&what, &stopped.advice)));
                }
                Some(notice) => self.take(notice)?,
                None => return Err(PlayError::Ended("no report".into())),
            }
        }
    }
}

impl Drop for Player {
    /// However it ends: a temporary session is gone.
    fn drop(&mut self) {
        if self.temporary {
            // A directory left behind in the system's temporary folder does no harm.
            let own = self.directory.parent().unwrap_or(&self.directory);
            store::clear_away(own);
        }
    }
}

/// What a driver is told of a turn to come.
fn to_come(turn: &ScriptedTurn) -> ToCome {
    let answer = match turn.model.as_slice() {
        [only] if only.calls.is_empty() && only.error.is_none() => Some(only),
        _ => None,
    };
    ToCome {
        user: turn.user.as_str().into(),
        reply: answer.map(|answer| answer.text.as_str().into()),
        aside: answer.is_some_and(|answer| answer.aside),
        said_at: turn.said_at,
    }
}

/// The turn that a session has reached, if the scenario goes on with it.
fn goes_on(scenario: &Scenario, directory: &Path) -> Result<Option<Turn>, store::Error> {
    let is_empty = || !std::fs::read_dir(directory).is_ok_and(|mut items| items.next().is_some());
    if scenario.has_setup() || is_empty() {
        return Ok(None);
    }
    Ok(Some(Store::open(directory)?.turn))
}

/// A directory for a session that is gone in the end; its last part names the scenario.
fn temporary_directory(scenario: &str) -> Result<PathBuf, PlayError> {
    let name = EffortId::from_name(scenario);
    let name = name.as_ref().map_or("scenario", EffortId::as_str);
    let refused = |source| PlayError::NoPlace { folder: std::env::temp_dir(), source };
    Ok(store::fresh_dir("play").map_err(refused)?.join(name))
}
