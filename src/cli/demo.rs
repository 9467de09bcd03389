//! `demo`: a story played in the full-screen app at reading speed.

mod closing;
mod stage;

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;

use tokio::sync::mpsc::unbounded_channel;

use super::arguments::DemoArguments;
use super::converse::end_of_app;
use super::runtime::runtime;
use super::{Error, Job, scripted};
use crate::config::Settings;
use crate::llm::{EventStream, Model, ModelInfo, Purpose, Request};
use crate::lock::locked;
use crate::memory::CountTokens;
use crate::orchestrator::{Handle, Op};
use crate::scenario::{PlayError, Player, Scenario};
use crate::store::{NewFile, Readers};
use crate::tokens::Cl100k;
use crate::tui::demo::DemoControls;
use crate::tui::record::{Recorder, Sink};
use crate::tui::{self, Left};
use stage::Stage;

/// The story that is told unless another is named.
const USUAL: &str = "story";

/// Plays the scenario while the app shows it.
pub(super) fn demo(job: &Job<'_>, arguments: &DemoArguments) -> Result<(), Error> {
    let name = arguments.scenario.as_deref().unwrap_or(USUAL);
    let (scenario, settings) = scripted::scenario(job, name)?;
    let options = job.app_options();
    let (recorder, files) = recorder(arguments, options.look.is_light())?;
    std::thread::spawn(Cl100k::load);
    runtime()?.block_on(async {
        let (commands, viewer) = unbounded_channel();
        let (typing, shown) = unbounded_channel();
        let (relayed, notices) = unbounded_channel();
        let show = Show {
            speed: arguments.speed.or(scenario.speed).unwrap_or(1.0),
            scenario,
            settings,
            directory: job.arguments.session.directory.clone(),
            counter: Arc::new(Cl100k::lazy()),
            cast: Cast::default(),
        };
        let player = show.open()?;
        let handle = Arc::new(Mutex::new(player.handle()));
        let options = tui::AppOptions {
            demo: Some(DemoControls { commands, notices: shown }),
            recorder,
            ..options
        };
        let stage = Stage::new(show, player, Arc::clone(&handle), (viewer, typing, relayed));
        let playing = tokio::spawn(stage.play());
        // Nobody's drafts: a demo keeps none.
        let exit =
            tui::run(|op| send(&handle, op), drop, notices, options, &mut Left::default()).await;
        send(&handle, Op::Shutdown);
        // The stage ends with the driver; its own failure has been shown.
        let _ = playing.await;
        // Only a whole recording gets its name.
        if exit.is_ok() {
            files.into_iter().try_for_each(Recorded::publish)?;
        }
        end_of_app(exit)
    })
}

/// A file that the demo is recorded into.
struct Recorded {
    path: PathBuf,
    file: NewFile,
}

impl Recorded {
    fn begin(path: &Path) -> Result<Self, Error> {
        let file = NewFile::begin(path, Readers::Usual).map_err(|why| unrecorded(path, &why))?;
        Ok(Self { path: path.to_owned(), file })
    }

    fn sink(&self) -> Result<Sink, Error> {
        let writer = self.file.writer().map_err(|why| unrecorded(&self.path, &why))?;
        Ok(Box::new(BufWriter::new(writer)))
    }

    fn publish(self) -> Result<(), Error> {
        let Self { path, file } = self;
        file.publish().map_err(|why| unrecorded(&path, &why))
    }
}

fn unrecorded(path: &Path, why: &std::io::Error) -> Error {
    let words = format!(
        "nothing can be recorded into {}: {why}. Name a new file in a directory that can be written to",
        path.display()
    );
    Error::at_named(why, words)
}

/// Begins the files that the demo is recorded into, or none of them.
fn recorder(arguments: &DemoArguments, light: bool) -> Result<(Recorder, Vec<Recorded>), Error> {
    let (mut recorder, mut files) = (Recorder::default(), Vec::new());
    if let Some(path) = &arguments.record {
        let into = Recorded::begin(path)?;
        recorder.cast_into(into.sink()?);
        files.push(into);
    }
    if let Some(path) = &arguments.svg {
        let into = Recorded::begin(path)?;
        recorder.film_into(into.sink()?, light);
        files.push(into);
    }
    Ok((recorder, files))
}

fn send(handle: &Mutex<Handle>, op: Op) {
    // A handle is whole at every moment.
    locked(handle).send(op);
}

/// What is shown, to be opened again when the viewer wants an earlier chapter.
struct Show {
    scenario: Scenario,
    settings: Settings,
    directory: Option<PathBuf>,
    counter: Arc<dyn CountTokens>,
    cast: Cast,
    /// How fast it begins.
    speed: f64,
}

impl Show {
    fn open(&self) -> Result<Player, PlayError> {
        let cast = (self.cast.script.clone(), Arc::new(self.cast.clone()) as Arc<dyn Model>);
        let directory = self.directory.as_deref();
        Player::start_with(
            &self.scenario,
            self.settings.clone(),
            directory,
            Arc::clone(&self.counter),
            cast,
        )
    }
}

/// Who answers: the script, and the built-in model once the viewer has taken over.
#[derive(Debug, Clone, Default)]
struct Cast {
    script: crate::llm::scripted::Scripted,
    offline: crate::llm::offline::Offline,
    is_live: Arc<std::sync::atomic::AtomicBool>,
}

impl Cast {
    fn set_live(&self, is_live: bool) {
        self.is_live.store(is_live, std::sync::atomic::Ordering::Relaxed);
    }

    fn who(&self) -> &dyn Model {
        let is_live = self.is_live.load(std::sync::atomic::Ordering::Relaxed);
        if is_live { &self.offline } else { &self.script }
    }
}

impl Model for Cast {
    fn info(&self) -> ModelInfo {
        ModelInfo { name: "scripted".into(), ..self.script.info() }
    }

    fn answers(&self, purpose: Purpose) -> bool {
        self.who().answers(purpose)
    }

    fn stream(&self, request: Request) -> EventStream {
        self.who().stream(request)
    }
}
