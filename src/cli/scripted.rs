//! The commands that play scenarios: `play` and `demo`.

use std::path::Path;
use std::sync::Arc;

use serde_json::json;

use super::runtime::runtime;
use super::{Error, Job, PlayArguments, Streams};
use crate::bill::Paid;
use crate::config::Settings;
use crate::memory::CountTokens;
use crate::proof::{PROOFS, Proof};
use crate::scenario::{self, PlayError, Played, Player, Scenario};
use crate::tokens::Cl100k;

impl From<PlayError> for Error {
    fn from(error: PlayError) -> Self {
        match error {
            PlayError::Setting(error) => Self::Config(error),
            PlayError::Session(error) => error.into(),
            PlayError::NoPlace { ref source, .. } => Self::at_named(source, error.to_string()),
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
        scenario::Error::Read { ref source, .. } => {
            let played = PROOFS.iter().filter(|proof| proof.scenario().is_some());
            let stories = STORIES.iter().map(|(name, _)| (*name).to_owned());
            let slices = played.map(|p| format!("slice-{}", p.name));
            let names: Vec<String> = stories.chain(slices).collect();
            let words = format!("{error}. The built-in ones are {}", names.join(", "));
            Error::at_named(source, words)
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
        bill += turn.report.bill.own;
        if play.json {
            writeln!(streams.out, "{}", turn_object(&turn, play.messages))?;
        } else {
            write!(streams.out, "{}", crate::text::clean(&scenario::turn_text(&turn.report)))?;
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
