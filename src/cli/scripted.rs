//! The commands that play scenarios: `play`, `proof` and `demo`.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::converse::runtime;
use super::{Error, Job, PlayArguments, Streams};
use crate::bill::Paid;
use crate::config::Settings;
use crate::memory::CountTokens;
use crate::proof::{
    BILL, DATA_LAYOUT, DATA_TITLE, DataStopped, LIVE_TITLE, Outcome, PAPER, PROOFS, Proof,
    QUALITY_TITLE, QualityError, RECALL, SCALE, outcome_json, outcome_text,
};
use crate::scenario::{self, PlayError, Played, Player, Scenario};
use crate::tokens::Cl100k;

impl From<PlayError> for Error {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Setting(error) => Self::Config(error),
            error => Self::Failed(error.to_string()),
        }
    }
}

/// The stories that `demo` tells, by name.
pub(super) const STORIES: &[(&str, &str)] = &[
    ("story", include_str!("../../assets/stories/story.yaml")),
    ("short", include_str!("../../assets/stories/short.yaml")),
    ("week", include_str!("../../assets/stories/week.yaml")),
];

/// A scenario by the name of a built-in one (`1`, `slice-1`) or by its file, with its settings.
pub(super) fn scenario(job: &Job<'_>, name: &str) -> Result<(Scenario, Settings), Error> {
    let built_in = |proof: &&Proof| name == proof.name || name == format!("slice-{}", proof.name);
    let is_file = Path::new(name).exists();
    let built_in = PROOFS.iter().find(built_in).filter(|_| !is_file);
    let story = STORIES.iter().find(|(story, _)| *story == name).filter(|_| !is_file);
    let story = story.map(|(name, text)| Scenario::parse(text, Path::new(name)));
    let scenario = built_in
        .and_then(Proof::scenario)
        .or(story)
        .unwrap_or_else(|| Scenario::read(Path::new(name)));
    let scenario = scenario.map_err(|error| match error {
        scenario::Error::Read { .. } => {
            let played = PROOFS.iter().filter(|proof| proof.scenario().is_some());
            let stories = STORIES.iter().map(|(name, _)| (*name).to_owned());
            let slices = played.map(|p| format!("slice-{}", p.name));
            let names: Vec<String> = stories.chain(slices).collect();
            Error::Failed(format!("{error}. The built-in ones are {}", names.join(", ")))
        }
        error @ scenario::Error::Invalid { .. } => Error::Failed(error.to_string()),
    })?;
    let settings = scenario::settings(&scenario, Path::new(name), job.settings.clone())?;
    Ok((scenario, settings))
}

/// `play`: a scenario without a screen.
pub(super) fn play(
    job: &Job<'_>,
    play: &PlayArguments,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let (scenario, settings) = scenario(job, &play.scenario)?;
    let directory = job.arguments.session.directory.as_deref();
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    runtime()?.block_on(async {
        let mut player = Player::start(&scenario, settings, directory, counter)?;
        let outcome = play_turns(&mut player, play, streams).await;
        player.finish().await;
        outcome
    })
}

async fn play_turns(
    player: &mut Player,
    play: &PlayArguments,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let (mut metrics, mut bill) = (crate::memory::Metrics::default(), Paid::default());
    while let Some(turn) = player.next_turn().await? {
        metrics = turn.report.memory.metrics;
        bill += turn.report.bill;
        if play.json {
            writeln!(streams.out, "{}", turn_object(&turn, play.messages))?;
        } else {
            write!(streams.out, "{}", crate::tui::text::clean(&scenario::turn_text(&turn.report)))?;
        }
    }
    let metrics = scenario::metrics_json(&metrics);
    if play.json {
        writeln!(
            streams.out,
            "{}",
            json!({ "metrics": metrics, "bill": scenario::paid_json(&bill) })
        )?;
    } else {
        writeln!(streams.out, "metrics: {metrics}")?;
    }
    Ok(())
}

fn turn_object(turn: &Played, messages: bool) -> serde_json::Value {
    let mut object = scenario::turn_json(&turn.report);
    if messages {
        object["messages"] = scenario::window_json(&turn.window);
    }
    object
}

/// What of `proof` is asked for.
pub(super) struct Asked<'a> {
    pub(super) which: &'a str,
    pub(super) directory: Option<&'a Path>,
    pub(super) scale: bool,
    pub(super) runs: Option<u8>,
    pub(super) json: bool,
}

/// `proof`: the seeds' claims, checked.
pub(super) fn proof(
    job: &Job<'_>,
    asked: &Asked<'_>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let Asked { which, directory, scale, runs, json } = *asked;
    if scale && which != "4" {
        return Err(Error::Usage("--scale belongs to proof 4: `ebbtide proof 4 --scale`".into()));
    }
    if runs.is_some() && which != "live" {
        return Err(Error::Usage(
            "--runs belongs to proof live: `ebbtide proof live --runs 3`".into(),
        ));
    }
    if directory.is_some() != (which == "data") {
        let usage = format!("proof data takes a folder: `ebbtide proof data DIR`. {DATA_LAYOUT}");
        return Err(Error::Usage(usage));
    }
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let wanted: Vec<&Proof> = match which {
        "quality" => return quality(job, json, streams),
        "live" => return live(job, usize::from(runs.unwrap_or(RUNS)), json, streams),
        "data" => return data(directory.unwrap_or(Path::new(".")), json, streams),
        "4" if scale => vec![&SCALE],
        "bill" => vec![&BILL],
        "paper" => vec![&PAPER],
        "recall" => vec![&RECALL],
        _ => PROOFS.iter().filter(|proof| which == "all" || which == proof.name).collect(),
    };
    let mut failed = Vec::new();
    for proof in wanted {
        let outcome = runtime()?.block_on(proof.run(Arc::clone(&counter)))?;
        print(proof.name, proof.title, &outcome, json, streams)?;
        failed.extend((!outcome.holds()).then_some(proof.name));
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::Failed(format!("claims of proof {} do not hold", failed.join(", "))))
}

/// How many times each conversation of `proof live` is said, if nobody says otherwise.
const RUNS: u8 = 3;

/// `proof quality`: what a summary keeps, asked of the model that is configured.
fn quality(job: &Job<'_>, json: bool, streams: &mut Streams<'_>) -> Result<(), Error> {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let outcome = runtime()?.block_on(async {
        let model = job.unhurried_model(streams).await?;
        let failed = |error: QualityError| Error::Failed(error.to_string());
        crate::proof::quality(&model, job.settings.judge_model(), &counter).await.map_err(failed)
    })?;
    print("quality", QUALITY_TITLE, &outcome, json, streams)?;
    held("quality", &outcome)
}

/// `proof live`: how the model that is configured uses its memory.
fn live(job: &Job<'_>, runs: usize, json: bool, streams: &mut Streams<'_>) -> Result<(), Error> {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let outcome = runtime()?.block_on(async {
        let model = job.unhurried_model(streams).await?;
        let mut tell = |far: String| {
            // Who does not listen to how far it is still wants the figures.
            let _ = writeln!(streams.err, "{far}");
        };
        let outcome = crate::proof::live(&model, &job.settings, &counter, runs, &mut tell).await;
        outcome.map_err(|error| Error::Failed(error.to_string()))
    })?;
    print("live", LIVE_TITLE, &outcome, json, streams)?;
    held("live", &outcome)
}

/// `proof data`: data sets that were fetched.
fn data(directory: &Path, json: bool, streams: &mut Streams<'_>) -> Result<(), Error> {
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let mut tell = |far: String| {
        let _ = writeln!(streams.err, "{far}");
    };
    let outcome = runtime()?.block_on(crate::proof::data(directory, &counter, &mut tell));
    let outcome = outcome.map_err(|error| match error {
        DataStopped::Data(error) => Error::Usage(error.to_string()),
        DataStopped::Play(error) => error.into(),
    })?;
    print("data", DATA_TITLE, &outcome, json, streams)?;
    held("data", &outcome)
}

/// Prints what a proof found.
fn print(
    name: &str,
    title: &str,
    outcome: &Outcome,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if json {
        writeln!(streams.out, "{}", outcome_json(name, title, outcome))?;
    } else {
        // A model's words may hold what a terminal would take for orders.
        let text = outcome_text(title, outcome);
        writeln!(streams.out, "{}", crate::tui::text::clean(&text))?;
    }
    Ok(())
}

fn held(name: &str, outcome: &Outcome) -> Result<(), Error> {
    if outcome.holds() {
        return Ok(());
    }
    Err(Error::Failed(format!("claims of proof {name} do not hold")))
}
