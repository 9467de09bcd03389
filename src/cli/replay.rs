//! `ebbtide replay`: what past conversations of other programs would have cost under this memory.

mod open;
mod place;
mod reading;
mod tried;

use std::io::Write as _;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;

use super::converse::alone;
use super::progress::Progress;
use super::session::shell_word;
use super::{Error, Job, ReplayArguments, Streams};
use crate::bill::Prices;
use crate::config::{Settings, Source};
use crate::llm::offline::Offline;
use crate::memory::CountTokens;
use crate::replay::{self, Replay, Replayed, Turn, With};
use crate::tokens::Cl100k;
use crate::tui;
use crate::tui::text::{clean, grouped};
use place::Place;
use reading::{Read, Reading, found};
use tried::{Row, Tried, Values, combinations};

pub(super) use tried::what_if;

/// Plays what was found.
pub(super) fn run(
    job: &Job<'_>,
    replay: &ReplayArguments,
    tried: &[Tried],
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if !tried.is_empty() && (replay.svg.is_some() || replay.keep.is_some() || replay.open) {
        return Err(Error::Usage(
            "several values of a setting are printed beside each other; for --svg, --keep and --open give one value"
                .to_owned(),
        ));
    }
    let tried = combinations(tried)?;
    let files = found(replay, job.host)?;
    if replay.list {
        for file in &files {
            writeln!(streams.out, "{}", file.display())?;
        }
        return Ok(());
    }
    check_outputs(job, replay)?;
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let limit = job.settings.tool_output_limit().0;
    let reading = Reading { counter: &counter, limit, with_losses: replay.open };
    let mut read = reading.read(&files, streams)?;
    let phases = phases(replay, &read.turns)?;
    let played = Replay { turns: take(&mut read.turns), marks: read.marks.clone(), phases };
    let prices = job.settings.prices(Prices::default());
    // A single combination is of no value at all.
    if tried.len() > 1 {
        return print_combinations(&played, job, replay, tried, &counter, streams);
    }
    let mut place = place(job, replay)?;
    let settings = job.settings.clone();
    let replayed = play(&played, settings, &counter, &prices, place.as_ref(), streams)?;
    if let Some(place) = &mut place {
        place.settle();
    }
    let result = Printed { played: &played, replayed: &replayed, read: &read, prices: &prices };
    result.print(replay, streams)?;
    match place {
        Some(place) if replay.open => {
            open::open(job, place.session(), &read, played.turns.len(), streams)
        }
        _ => Ok(()),
    }
}

/// What is told of a replay.
struct Printed<'a> {
    played: &'a Replay,
    replayed: &'a Replayed,
    read: &'a Read,
    prices: &'a Prices,
}

impl Printed<'_> {
    fn print(&self, replay: &ReplayArguments, streams: &mut Streams<'_>) -> Result<(), Error> {
        let Self { played, replayed, read, prices } = *self;
        if replay.json {
            writeln!(streams.out, "{}", replay::json(played, replayed, &read.recorded, prices))?;
        } else if replay.csv {
            write!(streams.out, "{}", replay::csv(replayed))?;
        } else {
            let text = replay::text(played, replayed, &read.recorded, prices);
            write!(streams.out, "{}", clean(&text))?;
            writeln!(streams.out, "Summaries are extracts made without a model.")?;
        }
        if let Some(file) = &replay.svg {
            write_new(file, &replay::card(played, replayed, prices))?;
            writeln!(streams.err, "the card is in {}", file.display())?;
        }
        if let Some(name) = &replay.keep {
            writeln!(streams.err, "kept as {name}; `ebbtide -s {}` opens it", shell_word(name))?;
        }
        Ok(())
    }
}

/// Whether what is to be written can be, before anything takes its time: what is made for that is gone again.
fn check_outputs(job: &Job<'_>, replay: &ReplayArguments) -> Result<(), Error> {
    if let Some(file) = &replay.svg {
        write_new(file, "")?;
        std::fs::remove_file(file)?;
    }
    if let Some(name) = &replay.keep {
        drop(Place::named(job, name)?);
    }
    Ok(())
}

/// Writes a file that is not there yet.
fn write_new(file: &Path, text: &str) -> Result<(), Error> {
    let made = std::fs::File::create_new(file).and_then(|mut made| made.write_all(text.as_bytes()));
    made.map_err(|reason| Error::Failed(format!("{} cannot be written: {reason}", file.display())))
}

/// The topics: given ones, else those that the log and its words tell.
fn phases(replay: &ReplayArguments, turns: &[Turn]) -> Result<Vec<replay::Phase>, Error> {
    let Some(file) = &replay.phases else { return Ok(replay::phases(turns)) };
    let named =
        |reason: &dyn std::fmt::Display| Error::Failed(format!("{}: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|reason| named(&reason))?;
    replay::given(&text, turns.len()).map_err(|reason| named(&reason))
}

/// Where the session is written: nowhere, unless it is to be kept or looked at.
fn place(job: &Job<'_>, replay: &ReplayArguments) -> Result<Option<Place>, Error> {
    match &replay.keep {
        Some(name) => Place::named(job, name).map(Some),
        None if replay.open => Place::for_now().map(Some),
        None => Ok(None),
    }
}

fn play(
    played: &Replay,
    settings: Settings,
    counter: &Arc<dyn CountTokens>,
    prices: &Prices,
    place: Option<&Place>,
    streams: &mut Streams<'_>,
) -> Result<Replayed, Error> {
    let directory = place.map(Place::session);
    let mut settings = settings;
    if !place.is_some_and(Place::is_named) {
        // What a cut of power would leave of it is nothing to anybody.
        settings.set("durability", "process", Source::Flag("replay"))?;
    }
    let with = With {
        settings,
        counter: Arc::clone(counter),
        summaries: Arc::new(Offline::new(Duration::ZERO)),
        prices: prices.clone(),
    };
    let mut progress = Progress::start();
    let mut tell = |done: usize, of: usize| {
        if let Some(left) = progress.left(done as u64, of as u64) {
            let (done, of) = (grouped(done as u64), grouped(of as u64));
            // Who does not listen misses nothing else.
            let _ = writeln!(streams.err, "turn {done} of {of}, {left:.0} s left");
        }
    };
    alone()?.block_on(async {
        let mut signals = tui::signals()?;
        tokio::select! {
            biased;
            Some(number) = signals.next() => Err(Error::Signal(number)),
            replayed = played.play(with, directory, &mut tell) => Ok(replayed?),
        }
    })
}

/// Plays each combination of the values.
fn print_combinations(
    played: &Replay,
    job: &Job<'_>,
    replay: &ReplayArguments,
    all: Vec<Values>,
    counter: &Arc<dyn CountTokens>,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let mut rows = Vec::with_capacity(all.len());
    let prices = job.settings.prices(Prices::default());
    for values in all {
        let mut settings = job.settings.clone();
        let set =
            values.iter().map(|(key, value)| (key.clone(), value.clone(), Source::Flag("--set")));
        settings.set_all(set.collect::<Vec<_>>())?;
        let prices = settings.prices(Prices::default());
        let replayed = play(played, settings, counter, &prices, None, streams)?;
        rows.push(Row::new(values, &replayed, &prices));
    }
    if replay.json {
        writeln!(streams.out, "{}", tried::json(&rows, &prices))?;
    } else if replay.csv {
        write!(streams.out, "{}", tried::csv(&rows))?;
    } else {
        write!(streams.out, "{}", clean(&tried::text(&rows, &prices)))?;
        writeln!(streams.err, "{}", tried::legend(&prices))?;
    }
    Ok(())
}
