//! The commands that look at a session without talking: `search` and `stats`; `context` opens a session as they do.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::market::Market;
use super::session::none_at;
use super::{Error, Job, SearchArguments, Streams};
use crate::bill::{Kept, Prices, Sum, TurnBill};
use crate::config::{Provider, Settings, pointed_at};
use crate::memory::{CountTokens, Faults, Memory, MemoryView};
use crate::orchestrator::{
    BillView, Found, Inspected, Verdict, Verdicts, found_json, found_line, inspect,
    inspect_to_search, note_stats_json, prices_for, search_all,
};
use crate::scenario::{bill_json, layers_json, metrics_json};
use crate::store::StoredBill;
use crate::text::{clean, fit, one_line};
use crate::tokens::Cl100k;
use crate::tui::answer;

/// Opens the session that is meant, which must exist, and reads all of it.
pub(super) fn open(job: &Job<'_>, streams: &mut Streams<'_>) -> Result<Inspected, Error> {
    open_with(job, streams, inspect)
}

/// A way of reading a session.
type Inspect = fn(&Path, &Settings, Arc<dyn CountTokens>) -> Result<Inspected, crate::store::Error>;

fn open_with(
    job: &Job<'_>,
    streams: &mut Streams<'_>,
    inspect: Inspect,
) -> Result<Inspected, Error> {
    let directory = job.session_directory()?;
    if !directory.is_dir() {
        return Err(none_at(&directory));
    }
    let inspected = inspect(&directory, &job.settings_of_person(), Arc::new(Cl100k::lazy()))?;
    for problem in &inspected.problems {
        streams.tell(clean(problem));
    }
    Ok(inspected)
}

/// `search`: efforts by topic, best first.
pub(super) fn search(
    job: &Job<'_>,
    search: &SearchArguments,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let queries: Vec<String> = match &search.queries {
        Some(file) => read_queries(file)?,
        None => vec![search.query.join(" ")],
    };
    let inspected =
        if search.all { None } else { Some(open_with(job, streams, inspect_to_search)?) };
    for query in &queries {
        let hits = found_in(job, search, inspected.as_ref(), query)?;
        if search.json {
            let results: Vec<Value> = hits.iter().map(found_json).collect();
            writeln!(streams.out, "{}", json!({ "query": query, "results": results }))?;
            continue;
        }
        if queries.len() > 1 {
            writeln!(streams.out, "{}:", clean(query))?;
        }
        if hits.is_empty() && !print_unanswered(inspected.as_ref(), query, streams)? {
            writeln!(streams.out, "nothing matches; try other words")?;
        }
        for hit in hits {
            writeln!(streams.out, "{}", clean(&found_line(&hit)))?;
        }
    }
    Ok(())
}

/// Signs of a message that got no answer.
const SHOWN: usize = 160;

/// Prints the messages that got no answer and hold the words; tells whether there are any. They are no part of memory, so
/// that the results for programs do not have them.
fn print_unanswered(
    inspected: Option<&Inspected>,
    query: &str,
    streams: &mut Streams<'_>,
) -> Result<bool, Error> {
    let found = inspected.map(|inspected| inspected.unanswered(query)).transpose();
    let found = found.map_err(|error| Error::Failed(error.to_string()))?.unwrap_or_default();
    for entry in &found {
        let turn = entry.turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
        let text = fit(&one_line(&entry.text), SHOWN);
        writeln!(streams.out, "a message (not answered{turn}): {}", clean(&text))?;
    }
    Ok(!found.is_empty())
}

fn found_in(
    job: &Job<'_>,
    search: &SearchArguments,
    inspected: Option<&Inspected>,
    query: &str,
) -> Result<Vec<Found>, Error> {
    let most = search.limit as usize;
    if let Some(inspected) = inspected {
        return Ok(inspected.search(query, most));
    }
    let counter: Arc<dyn CountTokens> = Arc::new(Cl100k::lazy());
    Ok(search_all(&job.sessions_dir()?, None, &job.settings, &counter, query, most))
}

fn read_queries(file: &Path) -> Result<Vec<String>, Error> {
    let text = std::fs::read_to_string(file).map_err(|reason| {
        Error::at_named(&reason, format!("cannot read {}: {reason}", file.display()))
    })?;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// How numbers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    /// A line for each turn.
    Csv,
}

impl Form {
    pub(super) fn of(json: bool, csv: bool) -> Self {
        match (json, csv) {
            (true, _) => Self::Json,
            (false, true) => Self::Csv,
            (false, false) => Self::Text,
        }
    }
}

/// `/bill` without a screen.
pub(super) fn bill(job: &Job<'_>, streams: &mut Streams<'_>) -> Result<String, Error> {
    let inspected = open(job, streams)?;
    let chosen = inspected.chosen_model();
    Ok(answer::bill(&bill_view(job, chosen, inspected.bill), &inspected.memory.view()))
}

/// A bill at the prices of those who answered, as far as they are known. `chosen` is whom the session is with.
fn bill_view(job: &Job<'_>, chosen: Option<(String, String)>, stored: StoredBill) -> BillView {
    let kept = stored.bill.kept();
    let prices =
        stored.prices.map_or_else(|| prices(job, chosen, kept), |own| job.settings.prices(own));
    BillView { bill: stored.bill, prices, last: None }
}

/// The prices of the model that would answer, as far as that is known without asking.
fn prices(job: &Job<'_>, chosen: Option<(String, String)>, kept: Kept) -> Prices {
    let server = answering(job, chosen).map_or_else(
        || ("built in".to_owned(), String::new()),
        |server| (server.name, server.model.unwrap_or_default()),
    );
    prices_for(&job.settings, &server.0, &server.1, kept)
}

/// The server that would answer, as far as that is known without asking. `chosen` is whom the session is with.
pub(super) fn answering(job: &Job<'_>, chosen: Option<(String, String)>) -> Option<Provider> {
    let environment = &job.host.environment;
    let remembered =
        chosen.and_then(|chosen| Market::of(&job.settings, environment).remembered(chosen));
    remembered.or_else(|| pointed_at(&job.settings, environment))
}

const COLUMNS: &str = "turn,cached,written,uncached,output,estimated,full_cached,full_written,\
                       full_uncached,full_output,said,page_faults";

/// What each turn took, and what full history with the same cache would have paid.
fn csv(inspected: &Inspected, streams: &mut Streams<'_>) -> Result<(), Error> {
    // That it cannot be read has been told.
    let turns = inspected.billed_turns().unwrap_or_default();
    let faults = inspected.faults().unwrap_or_default();
    writeln!(streams.out, "{COLUMNS}")?;
    for billed in turns {
        let (own, full) = (billed.bill.own, billed.bill.full);
        writeln!(
            streams.out,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            billed.turn,
            own.read,
            own.written,
            own.uncached,
            own.output,
            own.estimated,
            full.read,
            full.written,
            full.uncached,
            full.output,
            billed.bill.growth,
            faults.get(&billed.turn).map_or(0, Faults::total)
        )?;
    }
    Ok(())
}

/// `stats`: the numbers of a session's memory.
pub(super) fn stats(job: &Job<'_>, form: Form, streams: &mut Streams<'_>) -> Result<(), Error> {
    let inspected = open(job, streams)?;
    inspected.keep_sizes();
    if form == Form::Csv {
        return csv(&inspected, streams);
    }
    let verdicts = inspected.verdicts().map_err(|error| Error::Failed(error.to_string()))?;
    let billed = inspected.billed_turns();
    let chosen = inspected.chosen_model();
    let model = answering(job, chosen.clone()).and_then(|server| server.model);
    let view = inspected.view(&job.settings, model.as_deref());
    let Inspected { memory, bill, .. } = inspected;
    let bill = bill_view(job, chosen, bill);
    let billed = billed.map_err(|error| Error::Failed(error.to_string()))?;
    let last = billed.last().filter(|last| last.turn == view.turn).map(|last| &last.bill);
    if form == Form::Json {
        let mut numbers = stats_json(&memory, &view, last);
        numbers["bill"] = bill_json(&bill, view.unsaid);
        numbers["versus"] = versus_json(&verdicts);
        writeln!(streams.out, "{numbers}")?;
        return Ok(());
    }
    let stats = answer::stats(&view, None, last, Some(&bill));
    writeln!(streams.out, "{stats}{}", answer::versus(&verdicts))?;
    Ok(())
}

/// How answers with the window were judged beside answers with the full history, and what that took.
fn versus_json(verdicts: &Verdicts) -> Value {
    let Sum { requests, paid, .. } = verdicts.paid;
    let mut numbers = json!({
        "requests": requests, "cached": paid.read, "written": paid.written, "uncached": paid.uncached,
        "output": paid.output, "estimated": paid.estimated,
    });
    for verdict in Verdict::ALL {
        numbers[verdict.as_str()] = verdicts.of(verdict).into();
    }
    numbers
}

fn stats_json(memory: &Memory, view: &MemoryView, last: Option<&TurnBill>) -> Value {
    json!({
        "turn": view.turn.0,
        "layers": layers_json(&view.layers),
        "total": view.layers.total().0,
        "token_budget": view.budget.0,
        "soft_line": view.soft_line.0,
        "last_turn": last.map(TurnBill::of_turn).map(|(paid, requests)| json!({
            "requests": requests, "sent": paid.prompt(),
        })),
        "full_history": view.full_history.tokens.0,
        "efforts": {
            "open": view.open.len(), "concluded": view.manifest.concluded,
            "evicted": view.manifest.evicted, "warm": view.warm.len(),
            "active": memory.active().map(|effort| effort.id.as_str()),
        },
        "notes": note_stats_json(&view.notes.stats),
        "ambient_messages": view.logs.ambient_messages,
        "metrics": metrics_json(&view.metrics),
    })
}
