//! `ebbtide proof`: what memory promises, with measured numbers.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use super::progress::{EVERY, Progress};
use super::runtime::runtime;
use super::terminal::columns;
use super::waiting::{stopping, waited};
use super::{Error, Job, ProofArguments, Streams};
use crate::config::Key;
use crate::memory::CountTokens;
use crate::proof::{
    self, BILL, DATA_LAYOUT, DATA_TITLE, DataStopped, Far, LIVE_TITLE, Outcome, PAPER, PROOFS,
    Proof, QUALITY_TITLE, RECALL, SCALE, outcome_json, outcome_text,
};
use crate::text::{clean, wrap};
use crate::tokens::Cl100k;

/// How many times each conversation of `proof live` is said, if nobody says otherwise.
const RUNS: u8 = 3;

/// A proof that was run: its name, its title and what it found.
type Run = (&'static str, &'static str, Outcome);

/// The same, and the signal that ended it, if one did.
type Stoppable = (Run, Option<i32>);

/// Runs what is asked for; each is printed as soon as it has run.
///
/// # Errors
/// When an option belongs to another proof, a proof cannot be run to its end, or a claim does not hold.
pub(super) fn run(
    job: &Job<'_>,
    asked: &ProofArguments,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    check(asked)?;
    check_set(job, &asked.which)?;
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    let mut failed = Vec::new();
    let other = match asked.which.as_str() {
        "quality" => Some(quality(job, &counter, streams)?),
        "live" => Some(live(job, asked, &counter, streams)?),
        "data" => Some((data(asked, &counter, streams)?, None)),
        _ => None,
    };
    if let Some((run, signal)) = other {
        failed.extend(print(&run, asked.json, streams)?);
        if let Some(number) = signal {
            return Err(Error::Signal(number));
        }
    }
    for proof in built_in(asked) {
        let far = Far::default();
        let run = proof.run(Arc::clone(&counter), &far);
        let outcome = waited(&runtime()?, telling(proof.name, &far, run, streams))??;
        failed.extend(print(&(proof.name, proof.title, outcome), asked.json, streams)?);
    }
    if failed.is_empty() {
        return Ok(());
    }
    Err(Error::Failed(format!("claims of proof {} do not hold", failed.join(", "))))
}

/// The proofs that need neither a model nor data.
fn built_in(asked: &ProofArguments) -> Vec<&'static Proof> {
    match asked.which.as_str() {
        "4" if asked.scale => vec![&SCALE],
        "bill" => vec![&BILL],
        "paper" => vec![&PAPER],
        "recall" => vec![&RECALL],
        which => PROOFS.iter().filter(|proof| which == "all" || which == proof.name).collect(),
    }
}

/// Whether every option belongs to the proof that is asked for.
fn check(asked: &ProofArguments) -> Result<(), Error> {
    let which = asked.which.as_str();
    let wrong = if asked.scale && which != "4" {
        "--scale belongs to proof 4: `ebbtide proof 4 --scale`".to_owned()
    } else if asked.runs.is_some() && which != "live" {
        "--runs belongs to proof live: `ebbtide proof live --runs 3`".to_owned()
    } else if let Some(directory) = asked.directory.as_ref().filter(|_| which != "data") {
        format!(
            "only proof data takes a folder, and {} stands behind proof {which}: leave it out",
            directory.display()
        )
    } else if which == "data" && asked.directory.is_none() {
        format!("proof data takes a folder: `ebbtide proof data DIR`. {DATA_LAYOUT}")
    } else {
        return Ok(());
    };
    Err(Error::Usage(wrong))
}

/// Whether each setting that is given for this run is one that the proof takes.
fn check_set(job: &Job<'_>, which: &str) -> Result<(), Error> {
    let mut set = job.arguments.settings.set.iter().filter_map(|(key, _)| Key::named(key));
    let Some(key) = set.find(|key| !takes(which, *key)).map(Key::name) else { return Ok(()) };
    let why = match which {
        "quality" => {
            "proof quality asks its questions outside any session, at fixed settings but for those of who answers and \
             judges, waiting and prices"
        }
        _ => {
            "this proof plays at fixed settings, else its figures would be others than those that are promised"
        }
    };
    Err(Error::Usage(format!(
        "{why}: {key} is one of them, and would change nothing. Leave --set {key} out; `ebbtide play SCENARIO` and \
         `ebbtide replay PATH` take it"
    )))
}

/// Whether a setting changes anything of a proof, or asks for what it does anyway. Whatever says how memory works is fixed
/// where nothing but memory is measured.
fn takes(which: &str, key: Key) -> bool {
    use Key::{ApiKeyEnv, BaseUrl, ContextWindow, Currency, Effort, JudgeModel, Model, Protocol};
    let of_model = || {
        let by_name = key.name().starts_with("price_") || key.name().ends_with("_timeout_seconds");
        let names =
            [ApiKeyEnv, BaseUrl, ContextWindow, Currency, Effort, JudgeModel, Model, Protocol];
        by_name || names.contains(&key) || matches!(key, Key::Provider | Key::OfflinePaceMs)
    };
    match which {
        _ if matches!(key, Key::Offline | Key::LogLevel) => true,
        "live" => true,
        "quality" => of_model() || key == Key::CacheLifetime,
        _ => false,
    }
}

/// What a summary keeps, asked of the model that is configured.
fn quality(
    job: &Job<'_>,
    counter: &Arc<dyn CountTokens>,
    streams: &mut Streams<'_>,
) -> Result<Stoppable, Error> {
    let runtime = runtime()?;
    let model = waited(&runtime, job.unhurried_model(streams))??;
    let mut tell = told(streams);
    let (outcome, signal) =
        stopping(&runtime, |stop| proof::quality(&model, &job.settings, counter, &mut tell, stop))?;
    let outcome = outcome.map_err(|error| Error::Failed(error.to_string()));
    stoppable("quality", QUALITY_TITLE, outcome, signal)
}

/// How the model that is configured uses its memory.
fn live(
    job: &Job<'_>,
    asked: &ProofArguments,
    counter: &Arc<dyn CountTokens>,
    streams: &mut Streams<'_>,
) -> Result<Stoppable, Error> {
    let runs = usize::from(asked.runs.unwrap_or(RUNS));
    let runtime = runtime()?;
    let model = waited(&runtime, job.unhurried_model(streams))??;
    let mut tell = told(streams);
    let (outcome, signal) = stopping(&runtime, |stop| {
        proof::live(&model, &job.settings, counter, runs, &mut tell, stop)
    })?;
    stoppable("live", LIVE_TITLE, outcome.map_err(Error::from), signal)
}

/// A proof that a signal may have ended. Where it came to nothing by then, the signal is all.
fn stoppable(
    name: &'static str,
    title: &'static str,
    outcome: Result<Outcome, Error>,
    signal: Option<i32>,
) -> Result<Stoppable, Error> {
    match (outcome, signal) {
        (Err(_), Some(number)) => Err(Error::Signal(number)),
        (outcome, _) => Ok(((name, title, outcome?), signal)),
    }
}

/// Data sets that were fetched.
fn data(
    asked: &ProofArguments,
    counter: &Arc<dyn CountTokens>,
    streams: &mut Streams<'_>,
) -> Result<Run, Error> {
    let directory = asked.directory.as_deref().unwrap_or(Path::new("."));
    let mut tell = told(streams);
    let outcome = waited(&runtime()?, proof::data(directory, counter, &mut tell))?;
    let outcome = outcome.map_err(|error| match error {
        DataStopped::Data(error) if error.is_about_the_folder() => Error::Usage(error.to_string()),
        DataStopped::Data(error) => Error::Failed(error.to_string()),
        DataStopped::Play(error) => error.into(),
    })?;
    Ok(("data", DATA_TITLE, outcome))
}

/// Runs a proof, and tells once a second how far it is.
async fn telling<T>(
    name: &str,
    far: &Far,
    run: impl Future<Output = T>,
    streams: &mut Streams<'_>,
) -> T {
    let (mut progress, mut run) = (Progress::start(), pin!(run));
    let mut seconds = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            done = &mut run => return done,
            _ = seconds.tick() => {
                let (done, of) = far.parts();
                if let Some(left) = progress.left(done, of) {
                    let percent = 100 * done / of.max(1);
                    streams.tell(format_args!("proof {name}: {percent} % done, {left:.0} s left"));
                }
            }
        }
    }
}

/// Tells how far a proof is.
fn told<'a>(streams: &'a mut Streams<'_>) -> impl FnMut(String) + 'a {
    |far| streams.tell(far)
}

/// Prints what a proof found; returns its name if a claim does not hold.
fn print(
    (name, title, outcome): &Run,
    json: bool,
    streams: &mut Streams<'_>,
) -> Result<Option<&'static str>, Error> {
    if json {
        writeln!(streams.out, "{}", outcome_json(name, title, outcome))?;
    } else {
        let columns = columns();
        let text = outcome_text(title, outcome, columns.unwrap_or(usize::MAX));
        // A model's words may hold what a terminal would take for orders.
        let text = clean(&text);
        let fitted = columns.map(|columns| wrap(&text, columns).join("\n"));
        writeln!(streams.out, "{}", fitted.as_deref().unwrap_or(&text))?;
    }
    Ok((!outcome.holds()).then_some(*name))
}
