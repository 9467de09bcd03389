//! `ebbtide replay`: what past conversations of other programs would have cost under this memory.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::converse::runtime;
use super::places::{self, OnDisk};
use super::session::{check_name, shell_word};
use super::{Arguments, Error, Host, Job, ReplayArguments, Streams};
use crate::bill::Prices;
use crate::config::{Settings, Source};
use crate::llm::offline::Offline;
use crate::memory::CountTokens;
use crate::read::{self, Event, Moment, Reader, Tally, Used};
use crate::replay::{self, Mark, Replay, Replayed, Turn, Turns, With};
use crate::tokens::Cl100k;
use crate::tui::text::{clean, grouped};

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
    let files = found(replay, job.host)?;
    if replay.list {
        for file in &files {
            writeln!(streams.out, "{}", file.display())?;
        }
        return Ok(());
    }
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let read = read_all(&files, &counter, job.settings.tool_output_limit().0, streams)?;
    let phases = phases(replay, &read.turns)?;
    let played = Replay { turns: read.turns, marks: read.marks, phases };
    let prices = job.settings.prices(Prices::default());
    if !tried.is_empty() {
        return print_combinations(&played, job, tried, &counter, &prices, streams);
    }
    let directory = kept(job, replay)?;
    let replayed =
        play(&played, job.settings.clone(), &counter, &prices, directory.as_deref(), streams)?;
    if replay.json {
        writeln!(streams.out, "{}", replay::json(&played, &replayed, &read.recorded, &prices))?;
    } else if replay.csv {
        write!(streams.out, "{}", replay::csv(&replayed))?;
    } else {
        let text = replay::text(&played, &replayed, &read.recorded, &prices);
        write!(streams.out, "{}", clean(&text))?;
        writeln!(streams.out, "Summaries are extracts made without a model.")?;
    }
    if let Some(file) = &replay.svg {
        write_new(file, &replay::card(&played, &replayed, &prices))?;
        writeln!(streams.err, "the card is in {}", file.display())?;
    }
    if let Some(name) = &replay.keep {
        writeln!(streams.err, "kept as {name}; `ebbtide -s {}` opens it", shell_word(name))?;
    }
    Ok(())
}

/// Writes a file that is not there yet.
fn write_new(file: &Path, text: &str) -> Result<(), Error> {
    let made = std::fs::File::create_new(file).and_then(|mut made| made.write_all(text.as_bytes()));
    made.map_err(|reason| Error::Failed(format!("{} cannot be written: {reason}", file.display())))
}

/// The files that are meant, in the order in which they were written.
fn found(replay: &ReplayArguments, host: &Host) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in &replay.paths {
        if path.is_dir() {
            files.extend(places::files_below(path));
        } else {
            files.push(path.clone());
        }
    }
    if let Some(origin) = replay.from {
        files.extend(places::files_of(origin, replay.project.as_deref(), host));
    }
    let since = replay.since.and_then(|days| {
        SystemTime::now().checked_sub(Duration::from_secs(days.saturating_mul(86_400)))
    });
    files.retain(|file| {
        since.is_none_or(|since| places::written(file).is_none_or(|at| at >= since))
    });
    if files.is_empty() {
        let place = replay.from.map(|origin| places::home_of(origin, host).display().to_string());
        let place = place.unwrap_or_else(|| "what was named".to_owned());
        return Err(Error::Failed(format!("no conversation was found in {place}")));
    }
    files.sort_by_key(|file| places::written(file));
    Ok(files)
}

/// What was read of all files.
#[derive(Default)]
struct Read {
    turns: Vec<Turn>,
    marks: Vec<Mark>,
    recorded: Vec<Used>,
}

/// Reads the files; those beside a conversation count for what they cost alone. One of many that is no conversation
/// is told and left out.
fn read_all(
    files: &[PathBuf],
    counter: &Arc<dyn CountTokens>,
    limit: u64,
    streams: &mut Streams<'_>,
) -> Result<Read, Error> {
    let (mut reader, mut tally) = (Reader::default(), Tally::default());
    let mut each: Vec<(Moment, Vec<Turn>, Vec<Mark>)> = Vec::new();
    for file in files {
        if places::is_aside(file) {
            // A subagent's window is another one.
            let _ = reader.read_usage(&OnDisk(file));
            continue;
        }
        let mut turns = Turns::new(&**counter, limit);
        match reader.read(&OnDisk(file), &mut |event: Event| turns.take(event)) {
            Ok(outcome) => {
                tally.add(&outcome.tally);
                let (turns, marks) = turns.finish();
                each.push((turns.first().and_then(|turn| turn.at), turns, marks));
            }
            Err(error) if files.len() == 1 => return Err(failed(file, &error)),
            Err(error) => writeln!(streams.err, "left out {}: {error}", file.display())?,
        }
    }
    each.sort_by_key(|(at, ..)| *at);
    writeln!(streams.err, "{} of {} files: {tally}", each.len(), files.len())?;
    let mut read = Read { recorded: reader.ledger().requests(), ..Read::default() };
    for (_, turns, marks) in each {
        let before = read.turns.len();
        read.marks.extend(marks.into_iter().map(|mark| Mark { turn: mark.turn + before, ..mark }));
        read.turns.extend(turns);
    }
    if read.turns.is_empty() {
        return Err(Error::Failed("nobody says anything in what was read".to_owned()));
    }
    Ok(read)
}

fn failed(file: &Path, error: &read::Error) -> Error {
    Error::Failed(format!("{}: {error}", file.display()))
}

/// The topics: given ones, else those that the log and its words tell.
fn phases(replay: &ReplayArguments, turns: &[Turn]) -> Result<Vec<replay::Phase>, Error> {
    let Some(file) = &replay.phases else { return Ok(replay::phases(turns)) };
    let named =
        |reason: &dyn std::fmt::Display| Error::Failed(format!("{}: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|reason| named(&reason))?;
    replay::given(&text, turns.len()).map_err(|reason| named(&reason))
}

/// The directory of a session that stays.
fn kept(job: &Job<'_>, replay: &ReplayArguments) -> Result<Option<PathBuf>, Error> {
    let Some(name) = &replay.keep else { return Ok(None) };
    check_name(name)?;
    Ok(Some(job.settings.sessions_dir().join(name)))
}

fn play(
    played: &Replay,
    settings: Settings,
    counter: &Arc<dyn CountTokens>,
    prices: &Prices,
    directory: Option<&Path>,
    streams: &mut Streams<'_>,
) -> Result<Replayed, Error> {
    let mut settings = settings;
    if directory.is_none() {
        // What a cut of power would leave of it is nothing to anybody.
        settings.set("durability", "process", Source::Flag("replay"))?;
    }
    let with = With {
        settings,
        counter: Arc::clone(counter),
        summaries: Arc::new(Offline::new(Duration::ZERO)),
        prices: prices.clone(),
    };
    let began = crate::clock::Stopwatch::start();
    let mut tell = |done: usize, of: usize| {
        // Only what takes over a second is told of.
        if done.is_multiple_of(200) && began.elapsed() > Duration::from_secs(1) {
            let left = began.elapsed().as_secs_f64() / done as f64 * (of - done) as f64;
            let (done, of) = (grouped(done as u64), grouped(of as u64));
            // Who does not listen misses nothing else.
            let _ = writeln!(streams.err, "turn {done} of {of}, {left:.0} s left");
        }
    };
    Ok(runtime()?.block_on(played.play(with, directory, &mut tell))?)
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
            "{:>9} {most:>9} {:>7.1} % {:>6.1} % {:>12.0}  {}",
            replayed.end.total().0,
            100.0 * replayed.saved(),
            100.0 * replayed.net(prices),
            replayed.cost(prices),
            named.join(" ")
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
