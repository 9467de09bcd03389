//! `ebbtide replay`: what past conversations of other programs would have cost under this memory.

mod asked;
mod chart;
mod files;
mod given;
mod left_out;
mod listed;
mod open;
mod place;
mod priced;
mod reading;
mod spans;
mod tried;
mod twins;

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::runtime::Runtime;

use super::input::{Spooled, is_standard_input};
use super::places::Names;
use super::progress::Progress;
use super::runtime::alone;
use super::terminal::columns;
use super::waiting::waited;
use super::{Error, Job, ReplayArguments, Streams};
use crate::config::{Settings, Source};
use crate::counted::grouped;
use crate::heap;
use crate::llm::Model;
use crate::memory::{CountTokens, Tokens};
use crate::replay::{
    self, Asked, Conversation, Priced, Replay, Replayed, Report, With, WithFallback,
};
use crate::shell::shell_word;
use crate::store::{NewFile, Readers};
use crate::text::{clean, wrap};
use crate::tokens::Cl100k;
use crate::tui::view::ascii;
use asked::{Helper, found_by_words, local};
use files::found;
use given::Given;
use place::Place;
use priced::{doubts, prices};
use reading::{Read, Reading};
use tried::{Row, Tried, Values, combinations, with_settings};

pub(super) use tried::what_if;

/// Columns of chart and tables where no terminal says how many there are.
const COLUMNS: usize = 80;

/// Plays what was found.
pub(super) fn run(
    job: &Job<'_>,
    replay: &ReplayArguments,
    tried: &[Tried],
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    check(replay, tried)?;
    heap::give_back_soon();
    let tried = combinations(tried)?;
    // A single combination is of no value at all.
    if tried.len() > 1 && replay.with_model {
        return Err(Error::Usage(
            "--with-model asks the model anew for each combination; try several values without it"
                .to_owned(),
        ));
    }
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    // Its table is built while the files are read.
    std::thread::spawn(Cl100k::load);
    let tried = with_settings(tried, job, &counter)?;
    for doubt in doubts(tried.iter().map(|(_, settings)| settings)) {
        streams.tell(doubt);
    }
    let given = replay.phases.as_deref().map(Given::read).transpose()?;
    if !replay.list {
        check_outputs(job, replay)?;
    }
    let files = found(replay, job.host, streams)?;
    let takes_input = replay.paths.iter().any(|path| is_standard_input(path));
    if replay.list {
        return list(job, &files, takes_input, streams);
    }
    let playing = Playing { job, counter, runtime: alone()? };
    let mut helper = None;
    if replay.with_model {
        helper = Some(waited(&playing.runtime, Helper::new(job, streams))??);
    }
    let reading = Reading {
        counter: &playing.counter,
        with_losses: replay.open,
        with_texts: replay.open || replay.keep.is_some(),
        named: &replay.paths,
        spooled: takes_input.then(|| Spooled::standard_input(streams)).transpose()?,
    };
    if tried.len() > 1 {
        let logs = Logs { reading, files, given };
        return playing.print_combinations(&logs, replay, tried, streams);
    }
    let read = reading.read(&files, job.settings.tool_output_limit(), streams)?;
    drop(reading);
    playing.play_one(&read, given.as_ref(), helper, replay, streams)
}

/// What goes together on the command line.
fn check(replay: &ReplayArguments, tried: &[Tried]) -> Result<(), Error> {
    if replay.from.is_none() && (replay.paths.is_empty() || replay.project.is_some()) {
        return Err(Error::Usage(named_nothing(replay)));
    }
    if !tried.is_empty() && (replay.svg.is_some() || replay.keep.is_some() || replay.open) {
        return Err(Error::Usage(
            "several values of a setting are printed beside each other; for --svg, --keep and --open give one value"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Prints a line for each file.
fn list(
    job: &Job<'_>,
    files: &[PathBuf],
    takes_input: bool,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if takes_input {
        return Err(Error::Usage("--list lists files, and - is none".to_owned()));
    }
    let ascii = job.app_options().look.ascii;
    let mut names = Names::default();
    for file in files {
        writeln!(streams.out, "{}", listed::line(file, &mut names, ascii))?;
    }
    Ok(())
}

/// What to name where nothing tells which conversations are meant.
fn named_nothing(replay: &ReplayArguments) -> String {
    let names = "claude-code, codex, gemini or aider";
    if replay.project.is_some() {
        format!("--project goes with --from, which is one of {names}")
    } else {
        format!(
            "which conversations? Name files or folders of them (PATHS), or a program that keeps some with --from: {names}"
        )
    }
}

/// What is told of a replay.
struct Printed<'a> {
    played: &'a Replay,
    replayed: &'a Replayed,
    read: &'a Read,
    prices: &'a Priced,
    /// Who found the topics and wrote the summaries, if a model did.
    made_by: Option<String>,
}

impl Printed<'_> {
    fn print(
        &self,
        job: &Job<'_>,
        replay: &ReplayArguments,
        streams: &mut Streams<'_>,
    ) -> Result<(), Error> {
        let Self { played, replayed, read, prices, ref made_by } = *self;
        let made_by = made_by.as_deref().unwrap_or("Summaries are extracts made without a model.");
        if replay.json {
            let report = Report {
                replay: played,
                replayed,
                recorded: &read.recorded,
                priced: prices,
                made_by,
                read: &read.told,
            };
            replay::write_json(&report, &mut *streams.out)?;
        } else if replay.csv {
            replay::write_csv(replayed, &mut *streams.out)?;
        } else {
            let text = self.text(made_by, columns(), job.app_options().look.ascii);
            write!(streams.out, "{text}")?;
        }
        if let Some(file) = &replay.svg {
            let card = replay::card(played, replayed, prices);
            written(file, NewFile::write(file, Readers::Usual, card.as_bytes()))?;
            streams.tell(format_args!("the card is in {}", file.display()));
        }
        if let Some(name) = &replay.keep {
            streams
                .tell(format_args!("kept as {name}; `ebbtide -s {}` opens it", shell_word(name)));
        }
        Ok(())
    }

    /// The text with the chart, fitted to a terminal of so many columns; sentences of any length where there is none.
    fn text(&self, made_by: &str, columns: Option<usize>, ascii: bool) -> String {
        let Self { played, replayed, read, prices, .. } = *self;
        let marks = played.conversation.marks();
        let widest = columns.unwrap_or(COLUMNS);
        let chart = chart::lines(replayed, marks, widest).join("\n");
        let [above, below] = replay::text(played, replayed, &read.recorded, prices, widest);
        let text = format!("{above}{chart}\n\n{below}{made_by}\n");
        let text = clean(&text);
        let fitted = columns.map(|columns| wrap(&text, columns).join("\n"));
        let text = fitted.as_deref().unwrap_or(&text);
        if ascii { ascii::simplified(text) } else { text.to_owned() }
    }
}

/// Whether what is to be written can be, before anything takes its time: what is made for that is gone again.
fn check_outputs(job: &Job<'_>, replay: &ReplayArguments) -> Result<(), Error> {
    if let Some(file) = &replay.svg {
        if file.as_os_str() == "-" {
            return Err(Error::Usage(
                "--svg writes a file, and - is none: name one, such as card.svg".to_owned(),
            ));
        }
        written(file, NewFile::begin(file, Readers::Usual).map(drop))?;
    }
    if let Some(name) = &replay.keep {
        drop(Place::named(job, name)?);
    }
    Ok(())
}

/// Says why a new file was not written.
fn written(file: &Path, done: io::Result<()>) -> Result<(), Error> {
    let failed = |reason: std::io::Error| {
        let help = match reason.kind() {
            ErrorKind::AlreadyExists if file.is_dir() => "it is a folder; name a file in it",
            ErrorKind::AlreadyExists => {
                "nothing is written over; name another file, or remove it first"
            }
            ErrorKind::NotFound if !folder_of(file).is_dir() => {
                "the folder that it would stand in does not exist; make it first"
            }
            ErrorKind::NotFound => "its folder takes no new files; name a file elsewhere",
            _ => "name a file elsewhere",
        };
        let words = format!("{} cannot be written: {reason}; {help}", file.display());
        Error::at_named(&reason, words)
    };
    done.map_err(failed)
}

/// The folder that a file stands in.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Where the session is written: nowhere, unless it is to be kept or looked at.
fn place(job: &Job<'_>, replay: &ReplayArguments) -> Result<Option<Place>, Error> {
    match &replay.keep {
        Some(name) => Place::named(job, name).map(Some),
        None if replay.open => Place::for_now().map(Some),
        None => Ok(None),
    }
}

/// The logs that combinations of settings are played of.
struct Logs<'a> {
    reading: Reading<'a>,
    files: Vec<PathBuf>,
    given: Option<Given<'a>>,
}

/// What it is played with.
struct Playing<'a> {
    job: &'a Job<'a>,
    counter: Arc<dyn CountTokens>,
    runtime: Runtime,
}

impl Playing<'_> {
    /// Plays what was read under the settings in force, and prints it, keeps it or opens it.
    fn play_one(
        self,
        read: &Read,
        given: Option<&Given<'_>>,
        mut helper: Option<Helper>,
        replay: &ReplayArguments,
        streams: &mut Streams<'_>,
    ) -> Result<(), Error> {
        // Goes after the runtime, whose threads may still write to it.
        let mut place;
        let (job, playing) = (self.job, self);
        let conversation = Arc::clone(&read.conversation);
        let phases = playing.phases(given, &conversation, helper.as_mut(), streams)?;
        let played = Replay { conversation, phases: phases.into() };
        let asked =
            helper.as_ref().map(|helper| playing.asks(&played, helper, streams)).transpose()?;
        let summaries = match &asked {
            Some(asked) => Arc::clone(asked) as Arc<dyn Model>,
            None => local(),
        };
        place = self::place(job, replay)?;
        let settings = job.settings.clone();
        let replayed = playing.play(&played, settings, summaries, place.as_ref(), streams)?;
        place = place.map(|place| place.settle(&job.settings)).transpose()?;
        let prices = prices(&job.settings, &job.host.environment);
        let asked = asked.map(|asked| asked.asked());
        let unmade = asked.as_ref().filter(|asked| asked.is_in_vain()).map(|asked| asked.requests);
        let made_by = helper.zip(asked).map(|(helper, asked)| helper.told(&asked));
        let result =
            Printed { played: &played, replayed: &replayed, read, prices: &prices, made_by };
        result.print(job, replay, streams)?;
        match &place {
            Some(place) if replay.open => {
                open::open(job, place.session(), read, &replayed, streams)?;
            }
            _ => {}
        }
        unmade.map_or(Ok(()), |requests| Err(Error::Failed(asked::in_vain(requests))))
    }

    /// The topics: given ones, else those that the log tells, or a model, or their words.
    fn phases(
        &self,
        given: Option<&Given<'_>>,
        talk: &Conversation,
        helper: Option<&mut Helper>,
        streams: &mut Streams<'_>,
    ) -> Result<Vec<replay::Phase>, Error> {
        match (given, helper) {
            (Some(given), _) => given.phases(talk.len()),
            (None, Some(helper)) => {
                helper.phases(talk, self.job, &self.counter, &self.runtime, streams)
            }
            (None, None) => found_by_words(talk, &[], &self.counter, streams),
        }
    }

    /// Who is asked for the summaries, once it is measured and said what that sends.
    fn asks(
        &self,
        played: &Replay,
        helper: &Helper,
        streams: &mut Streams<'_>,
    ) -> Result<Arc<WithFallback>, Error> {
        let measuring = Arc::new(WithFallback::new(None, local(), Arc::clone(&self.counter)));
        self.play(played, self.job.settings.clone(), measuring.clone(), None, streams)?;
        let measured: Asked = measuring.asked();
        Ok(helper.summaries(&measured, self.job, &self.counter, streams))
    }

    /// What is said, with what is large held by reference; what there is to say of that is said the first time.
    fn read_again(
        &self,
        logs: &Logs<'_>,
        limit: Tokens,
        is_first: bool,
        streams: &mut Streams<'_>,
    ) -> Result<Replay, Error> {
        let mut unheard = io::sink();
        let err: &mut dyn Write = if is_first { &mut *streams.err } else { &mut unheard };
        let mut told = Streams { out: &mut *streams.out, err };
        let read = logs.reading.read(&logs.files, limit, &mut told)?;
        let phases = self.phases(logs.given.as_ref(), &read.conversation, None, streams)?;
        Ok(Replay { conversation: read.conversation, phases: phases.into() })
    }

    fn play(
        &self,
        played: &Replay,
        mut settings: Settings,
        summaries: Arc<dyn Model>,
        place: Option<&Place>,
        streams: &mut Streams<'_>,
    ) -> Result<Replayed, Error> {
        // What a cut of power would leave is nothing to anybody, until a session with a name is whole.
        settings.set("durability", "process", Source::Flag("replay"))?;
        let prices = prices(&settings, &self.job.host.environment).prices;
        let with = With { settings, counter: Arc::clone(&self.counter), summaries, prices };
        let (mut progress, turns) = (Progress::start(), played.conversation.len());
        let mut tell = |done: usize, of: usize| {
            if let Some(left) = progress.left(done as u64, of as u64) {
                // That which concludes the last topic behind them is none.
                let [done, of] = [done.min(turns), turns].map(|turns| grouped(turns as u64));
                streams.tell(format_args!("turn {done} of {of}, {left:.0} s left"));
            }
        };
        let directory = place.map(Place::session);
        Ok(waited(&self.runtime, played.play(with, directory, &mut tell))??)
    }

    /// Plays each combination of the values.
    fn print_combinations(
        &self,
        logs: &Logs<'_>,
        replay: &ReplayArguments,
        all: Vec<(Values, Settings)>,
        streams: &mut Streams<'_>,
    ) -> Result<(), Error> {
        // What is said holds what is large by reference: it is read once for each limit.
        let mut by_limit: BTreeMap<Tokens, Vec<(usize, Values, Settings)>> = BTreeMap::new();
        for (nth, (values, settings)) in all.into_iter().enumerate() {
            let same = by_limit.entry(settings.tool_output_limit()).or_default();
            same.push((nth, values, settings));
        }
        let mut rows = BTreeMap::new();
        for (limit, same) in by_limit {
            let played = self.read_again(logs, limit, rows.is_empty(), streams)?;
            for (nth, values, settings) in same {
                let prices = prices(&settings, &self.job.host.environment).prices;
                let replayed = self.play(&played, settings, local(), None, streams)?;
                rows.insert(nth, Row::new(values, &replayed, prices));
            }
        }
        let rows: Vec<Row> = rows.into_values().collect();
        if replay.json {
            writeln!(streams.out, "{}", tried::json(&rows))?;
        } else if replay.csv {
            write!(streams.out, "{}", tried::csv(&rows))?;
        } else {
            let columns = columns();
            let fitted = |text: String| match columns {
                Some(columns) => wrap(&clean(&text), columns).join("\n"),
                None => clean(&text).into_owned(),
            };
            let text = tried::text(&rows, columns.unwrap_or(usize::MAX));
            write!(streams.out, "{}", fitted(text))?;
            streams.tell(fitted(tried::legend(&rows)));
        }
        Ok(())
    }
}
