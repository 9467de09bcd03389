//! `ebbtide replay`: what past conversations of other programs would have cost under this memory.

mod open;
mod place;
mod reading;

use std::io::Write as _;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;

use super::converse::alone;
use super::progress::Progress;
use super::session::shell_word;
use super::{Arguments, Error, Job, ReplayArguments, Streams};
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

/// Combinations of settings that are played at most.
const MOST_COMBINATIONS: usize = 64;

/// The values of a setting that are tried.
type Tried = (String, Vec<String>);

/// Takes the settings with several values out of the arguments: each combination of them is played.
pub(super) fn what_if(arguments: &Arguments) -> (Arguments, Vec<Tried>) {
    let mut arguments = arguments.clone();
    let set = std::mem::take(&mut arguments.settings.set);
    let (several, one) = set.into_iter().partition(|(_, value)| value.contains(','));
    arguments.settings.set = one;
    let split = |(key, values): (String, String)| {
        (key, values.split(',').map(|value| value.trim().to_owned()).collect())
    };
    let several: Vec<(String, String)> = several;
    (arguments, several.into_iter().map(split).collect())
}

/// Plays what was found.
pub(super) fn run(
    job: &Job<'_>,
    replay: &ReplayArguments,
    tried: &[Tried],
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if !tried.is_empty()
        && (replay.json
            || replay.csv
            || replay.svg.is_some()
            || replay.keep.is_some()
            || replay.open)
    {
        return Err(Error::Usage(
            "several values of a setting are printed beside each other, as text alone; for --json, --csv, --svg, --keep and \
             --open give one value"
                .to_owned(),
        ));
    }
    let files = found(replay, job.host)?;
    if replay.list {
        for file in &files {
            writeln!(streams.out, "{}", file.display())?;
        }
        return Ok(());
    }
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let limit = job.settings.tool_output_limit().0;
    let reading = Reading { counter: &counter, limit, with_losses: replay.open };
    let mut read = reading.read(&files, streams)?;
    let phases = phases(replay, &read.turns)?;
    let played = Replay { turns: take(&mut read.turns), marks: read.marks.clone(), phases };
    let prices = job.settings.prices(Prices::default());
    if !tried.is_empty() {
        return print_combinations(&played, job, tried, &counter, &prices, streams);
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

/// A line for each combination of the values.
fn print_combinations(
    played: &Replay,
    job: &Job<'_>,
    tried: &[Tried],
    counter: &Arc<dyn CountTokens>,
    prices: &Prices,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let all = combinations(tried);
    if all.len() > MOST_COMBINATIONS {
        return Err(Error::Usage(format!(
            "{} combinations are more than {MOST_COMBINATIONS}; try fewer values",
            all.len()
        )));
    }
    writeln!(
        streams.out,
        "{:>9} {:>9} {:>9} {:>8} {:>12}  settings",
        "end", "most", "saved", "net", "cost"
    )?;
    for values in all {
        let mut settings = job.settings.clone();
        let set =
            values.iter().map(|(key, value)| (key.clone(), value.clone(), Source::Flag("--set")));
        settings.set_all(set.collect::<Vec<_>>())?;
        let replayed = play(played, settings, counter, prices, None, streams)?;
        let most = replayed.steps.iter().map(|step| step.window).max().unwrap_or(0);
        let named: Vec<String> =
            values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        writeln!(
            streams.out,
            "{:>9} {most:>9} {:>7.1} % {:>6.1} % {:>12.0}  {}{}",
            replayed.end.total().0,
            100.0 * replayed.saved(),
            100.0 * replayed.net(prices),
            replayed.cost(prices),
            named.join(" "),
            if replayed.is_recall_on() { "" } else { " (recall was off)" }
        )?;
    }
    Ok(())
}

fn combinations(tried: &[Tried]) -> Vec<Vec<(String, String)>> {
    tried.iter().fold(vec![Vec::new()], |all, (key, values)| {
        let with = |so_far: &Vec<(String, String)>| {
            let one =
                |value: &String| [so_far.clone(), vec![(key.clone(), value.clone())]].concat();
            values.iter().map(one).collect::<Vec<_>>()
        };
        all.iter().flat_map(with).collect()
    })
}
