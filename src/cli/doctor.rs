//! `ebbtide doctor`: checks each thing that must work, and says what to do where it does not.

mod beside;

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use super::connect::described;
use super::converse::{has_no_colour, is_named};
use super::endpoint::{endpoint_of, how_told, unaskable};
use super::error::sentence;
use super::input::named;
use super::job::sessions_dir;
use super::market::Market;
use super::model::nobody_for;
use super::{Arguments, Error, Host, Streams, Unreached, configure, session};
use crate::address::without_password;
use crate::clock;
use crate::config::{Candidate, Paths, Provider, Settings, candidates};
use crate::counted::grouped;
use crate::llm::{self, Embedder, Facts};
use crate::logging;
use crate::memory::CountTokens;
use crate::orchestrator::{check_settings, inspect_to_search};
use crate::providers::{self, LISTED, Protocol, shutdown_of};
use crate::text::{clean, joined};
use crate::tokens::Cl100k;

/// The result of one check: what is so, or what is wrong and what to do.
type Finding = Result<String, String>;

/// Runs all checks and prints one line for each.
pub(super) fn run(
    arguments: &Arguments,
    host: &Host,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let mut failed = 0;
    let mut report = |name: &str, finding: Finding| -> io::Result<()> {
        failed += usize::from(finding.is_err());
        let sign = if finding.is_ok() { "ok" } else { "!!" };
        let (Ok(text) | Err(text)) = finding;
        // A path may hold the end of a line.
        writeln!(streams.out, "{sign}  {name:<10} {}", text.replace('\n', " "))
    };
    report("program", Ok(format!("Ebbtide {}", env!("CARGO_PKG_VERSION"))))?;
    let loaded = Settings::load(&host.environment, &arguments.settings.overrides());
    report("settings", settings(&loaded, arguments, host))?;
    let paths = Paths::of(&host.environment);
    let settings = loaded.unwrap_or_else(|_| Settings::defaults_in(&paths));
    for note in settings.notes() {
        report("settings", Err(format!("{note} `ebbtide config` lists the settings.")))?;
    }
    for fault in configure::faults(&settings) {
        report("settings", Err(fault))?;
    }
    if let Err(fault) = check_settings(&settings, &counter()) {
        report("settings", Err(sentence(&fault.to_string())))?;
    }
    if let Some(fault) = zone(host) {
        report("days", Err(fault))?;
    }
    report("sessions", sessions(&settings, arguments, host))?;
    let (findings, chosen) = session(&settings, arguments, host)?;
    for finding in findings {
        report("session", finding)?;
    }
    report("log", log(arguments.log_file.as_deref(), &paths))?;
    report("terminal", terminal(host))?;
    report("tokenizer", tokenizer())?;
    let chosen = chosen.and_then(|it| Market::of(&settings, &host.environment).remembered(it));
    if let Some(model) = chosen.as_ref().and_then(|provider| provider.model.as_ref()) {
        report("model", Ok(format!("{model} was chosen in the session with /model")))?;
    }
    let ways = ways(&settings, host, chosen);
    for finding in model(&ways, &settings, host) {
        report("model", finding)?;
    }
    for finding in beside::beside(&ways, &settings, host) {
        report("model", finding)?;
    }
    if let Some(finding) = embeddings(&ways, &settings, host) {
        report("embeddings", finding)?;
    }
    match failed {
        0 => Ok(()),
        1 => Err(Error::Failed("1 check failed; the line above with !! says what to do".into())),
        _ => Err(Error::Failed(format!(
            "{failed} checks failed; the lines above with !! say what to do"
        ))),
    }
}

fn settings(
    loaded: &Result<Settings, crate::config::Error>,
    arguments: &Arguments,
    host: &Host,
) -> Finding {
    match loaded {
        Ok(_) => match configure::config_file(arguments, host) {
            Ok(file) if file.exists() => Ok(format!("{} is read", named(&file))),
            Ok(file) => Ok(format!("defaults; {} may change them", named(&file))),
            Err(reason) => Err(sentence(&reason.to_string())),
        },
        Err(reason) => Err(sentence(&reason.to_string()) + " The other checks use the defaults."),
    }
}

/// What is wrong with a time zone that somebody named.
fn zone(host: &Host) -> Option<String> {
    let named = host.environment.var("TZ");
    named.filter(|_| !clock::knows_zone()).map(|zone| {
        format!(
            "TZ={zone} is no time zone that this machine knows, so that days are those of UTC. Correct TZ, or install the \
             time zones (tzdata)."
        )
    })
}

fn sessions(settings: &Settings, arguments: &Arguments, host: &Host) -> Finding {
    let directory = match &arguments.session.directory {
        Some(directory) => directory.clone(),
        None => sessions_dir(settings, host).map_err(|reason| reason.sentence())?,
    };
    let shown = named(&directory);
    match try_writing(&directory) {
        Ok(()) => Ok(format!("{shown} is writable")),
        Err(reason) => Err(unwritable(&shown, &reason)),
    }
}

/// What to do where sessions cannot be written.
fn unwritable(place: &str, reason: &io::Error) -> String {
    match reason.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => format!(
            "{place} takes nothing more: the disk is full. Make room on it, or set sessions_dir to a folder on another \
             disk."
        ),
        _ => format!(
            "{place} is not writable ({reason}). Correct its permissions, or set sessions_dir."
        ),
    }
}

fn counter() -> Arc<dyn CountTokens> {
    Arc::new(Cl100k::lazy())
}

/// What is found of a session, and the provider and the model that it remembers.
type Session = (Vec<Finding>, Option<(String, String)>);

/// The session that the chat would go on with, if it is there: what is broken in it, whether its logs hold all that was
/// said, and the provider and the model that it remembers.
///
/// # Errors
/// One is named that is not there.
fn session(settings: &Settings, arguments: &Arguments, host: &Host) -> Result<Session, Error> {
    if arguments.session.directory.is_none() && !settings.has_sessions_dir() {
        return Ok(Default::default());
    }
    let root = settings.sessions_dir();
    let directory = session::directory(&arguments.session, &root, &(host.sessions)(&root))?;
    if !directory.is_dir() {
        let is_meant = is_named(&arguments.session);
        return if is_meant { Err(session::none_at(&directory)) } else { Ok(Default::default()) };
    }
    let mut inspected = match inspect_to_search(&directory, settings, counter()) {
        Ok(inspected) => inspected,
        Err(reason) => return Ok((vec![Err(sentence(&reason.to_string()))], None)),
    };
    let chosen = inspected.chosen_model();
    let damaged = inspected.damaged_logs();
    if damaged.is_empty() {
        let whole = format!("{}: each log holds all that was said", named(&directory));
        return Ok((vec![Ok(whole)], chosen));
    }
    Ok((damaged.into_iter().map(|why| Err(sentence(&clean(&why)))).collect(), chosen))
}

fn log(asked_for: Option<&Path>, paths: &Paths) -> Finding {
    let usual = paths.log_file();
    let place = match (asked_for, &usual) {
        (Some(file), _) => logging::Place::Named(file),
        (None, Ok(usual)) => logging::Place::Usual(usual),
        (None, Err(reason)) => return Err(sentence(&reason.to_string())),
    };
    let file = place.path();
    match logging::check(place) {
        Ok(()) => Ok(format!("{} is writable", named(file))),
        Err(reason) => Err(format!(
            "{} is not writable ({reason}). Name another file with --log-file.",
            named(file)
        )),
    }
}

/// Bytes that a short turn may write: a full disk still makes a file that is empty.
const TURN: usize = 64 * 1024;

/// Writes and removes a file in a directory, or in what would be its parent. Leaves nothing behind.
fn try_writing(directory: &Path) -> io::Result<()> {
    // An empty path stands above the first part of a relative one: the working directory.
    let place = directory
        .ancestors()
        .map(|place| if place.as_os_str().is_empty() { Path::new(".") } else { place })
        .find(|place| place.exists())
        .unwrap_or(Path::new("."));
    let probe = place.join(format!(".ebbtide-doctor-{}", std::process::id()));
    let file = fs::OpenOptions::new().write(true).create_new(true).open(&probe)?;
    // Some disks find out that they have no room only when they write.
    let written = fill(&file);
    fs::remove_file(&probe).and(written)
}

/// Writes as much as a short turn does, through to the disk.
fn fill(mut file: &fs::File) -> io::Result<()> {
    file.write_all(&vec![b'.'; TURN])?;
    file.sync_all()
}

fn terminal(host: &Host) -> Finding {
    if !host.interactive {
        return Ok("none here: commands print, and `ebbtide -p TEXT` answers".to_owned());
    }
    match host.environment.var("TERM") {
        Some(kind) if kind != "dumb" => {
            let colours = match host.environment.var("NO_COLOR") {
                Some(_) => ", without colours (NO_COLOR)",
                None if has_no_colour(&host.environment) => ", which has no colours",
                None => "",
            };
            Ok(format!("{kind}{colours}"))
        }
        _ => Err("TERM says that this terminal cannot place its cursor. Use another one, or \
                  `ebbtide -p TEXT`."
            .to_owned()),
    }
}

fn tokenizer() -> Finding {
    match Cl100k::load().count("hello world").0 {
        2 => Ok("cl100k_base counts".to_owned()),
        other => Err(format!(
            "cl100k_base counts {other} tokens in two words. The program is damaged: install it again."
        )),
    }
}

/// The ways to get answers, best first, or why there is none.
type Ways = Result<Vec<Candidate>, String>;

/// The ways to get answers; the server that a session remembers is the only one.
fn ways(settings: &Settings, host: &Host, remembered: Option<Provider>) -> Ways {
    let all = candidates(settings, &host.environment).map_err(|reason| reason.to_string())?;
    Ok(remembered.map_or(all, |provider| vec![Candidate::Server(provider)]))
}

/// One line for each candidate up to the first that works.
fn model(ways: &Ways, settings: &Settings, host: &Host) -> Vec<Finding> {
    let candidates = match ways {
        Ok(candidates) => candidates,
        Err(reason) => return vec![Err(sentence(reason))],
    };
    let (mut findings, mut not_running) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if let Candidate::IfRunning(provider) = candidate
            && let Some(why) = unaskable(settings, provider)
        {
            findings.push(Err(why));
            continue;
        }
        match candidate {
            Candidate::Server(provider) => {
                findings.push(Ok(describe(provider)));
                let reached = reached(provider, settings, host);
                let told = reached.is_ok().then(|| told(provider, settings, host));
                findings.push(reached);
                findings.extend(told);
                return findings;
            }
            Candidate::IfRunning(provider) => match (host.reachable)(provider) {
                Ok(way) => {
                    findings.push(Ok(format!("{}; it is running{way}", describe(provider))));
                    findings.push(told(provider, settings, host));
                    return findings;
                }
                Err(Unreached { why, .. }) => not_running.push(silent(provider, &why)),
            },
            Candidate::Offline => {
                if !not_running.is_empty() {
                    let asked = not_running.join(", ");
                    findings.push(Ok(format!("no key is set, and nothing answers at {asked}")));
                }
                let nobody = nobody_for(settings, &host.environment);
                findings
                    .push(nobody.map_or_else(|| Ok(offline(settings)), |why| Err(sentence(&why))));
            }
        }
    }
    findings
}

/// A server that does not run, with the reason where that is another than that nothing listens there.
fn silent(provider: &Provider, reason: &str) -> String {
    let (address, name) = (without_password(&provider.base_url), &provider.name);
    if reason.to_lowercase().contains("refused") && !reason.contains("proxy") {
        format!("{address} ({name})")
    } else {
        format!("{address} ({name}: {reason})")
    }
}

/// Whether the model for embeddings makes vectors; nothing where none is set.
fn embeddings(ways: &Ways, settings: &Settings, host: &Host) -> Option<Finding> {
    let model = settings.embedding_model().filter(|_| !settings.offline())?;
    let embedder = match settings.embedding_url() {
        Some(url) => Market::of(settings, &host.environment).embedder_at(model, url),
        None => chat_server(ways, settings, host).and_then(|provider| {
            let endpoint = endpoint_of(settings, &provider, model.to_owned());
            Embedder::beside(&endpoint, model, None)
        }),
    };
    let made = embedder.and_then(|embedder| {
        let length = (host.embeds)(&embedder).map_err(|error| error.to_string())?;
        Ok(format!("{} makes vectors of {length} numbers", embedder.name()))
    });
    let advice = "Correct embedding_model or embedding_url (`ollama pull NAME` fetches a model), or leave them empty: \
                  what was said is found by its words all the same.";
    Some(made.map_err(|why| format!("{} {advice}", sentence(&why))))
}

/// The server that the chat would be with.
fn chat_server(ways: &Ways, settings: &Settings, host: &Host) -> Result<Provider, String> {
    let candidates = ways.as_ref().map_err(String::clone)?;
    let server = candidates.iter().find_map(|candidate| match candidate {
        Candidate::Server(provider) => Some(provider),
        Candidate::IfRunning(provider) => {
            let is_there =
                unaskable(settings, provider).is_none() && (host.reachable)(provider).is_ok();
            is_there.then_some(provider)
        }
        Candidate::Offline => None,
    });
    server.cloned().ok_or_else(|| "no server chats here that could be asked".to_owned())
}

fn offline(settings: &Settings) -> String {
    let variables = LISTED.iter().filter_map(|listed| listed.variables.first()).copied();
    let variables = variables.collect::<Vec<_>>().join(", ");
    let hint = format!(
        "To use a language model, set one of {variables}, start a server on this machine, or give \
         --base-url."
    );
    let hint = if settings.offline() { String::new() } else { hint };
    format!("the built-in offline model answers; it is no language model. {hint}")
        .trim_end()
        .to_owned()
}

fn describe(provider: &Provider) -> String {
    format!("{}, over {}", described(provider), provider.protocol.name())
}

fn reached(provider: &Provider, settings: &Settings, host: &Host) -> Finding {
    if let Some(why) = unaskable(settings, provider) {
        return Err(why);
    }
    let address = without_password(&provider.base_url);
    match (host.reachable)(provider) {
        Ok(way) => Ok(format!("{address} can be reached{way}")),
        Err(Unreached { why, advice }) => {
            let usual = "Is it running, and is --base-url right?";
            let advice = advice.as_deref().unwrap_or(usual);
            Err(format!(
                "{address} cannot be reached ({why}). {advice} --offline works without it."
            ))
        }
    }
}

/// What is known of the model: from the server, else from the table.
fn told(provider: &Provider, settings: &Settings, host: &Host) -> Finding {
    let ask = |model: &str| {
        let endpoint = endpoint_of(settings, provider, model.to_owned());
        (host.facts)(&endpoint, how_told(provider))
    };
    let facts = match ask(provider.model.as_deref().unwrap_or_default()) {
        Err(refused) if refused.wants_key() => {
            return Err(wants_key(provider, &refused));
        }
        Err(fault) => return Err(joined(&fault.to_string(), &fault.advice())),
        Ok(facts) => facts,
    };
    let (model, facts) = if let Some(named) = provider.model.clone() {
        (named, facts)
    } else {
        // What the start does where none is named.
        let endpoint = endpoint_of(settings, provider, String::new());
        let Some(first) = (host.chosen)(&endpoint, facts.others) else {
            let name = &provider.name;
            return Err(format!(
                "no model is named, and {name} lists none that chats. Name one with --model MODEL."
            ));
        };
        let facts = ask(&first).unwrap_or_default();
        (first, facts)
    };
    let model = &*model;
    if facts.there == Some(false) {
        let others: Vec<&str> = facts.others.iter().take(5).map(String::as_str).collect();
        let has = match &*others.join(", ") {
            "" => "it has none".to_owned(),
            others => format!("it has, for example, {others}"),
        };
        let fetch = match provider.protocol {
            Protocol::Ollama => format!(" `ebbtide -p \"/pull {model}\"` fetches it."),
            _ => String::new(),
        };
        let name = &provider.name;
        return Err(format!("{name} has no model {model}.{fetch} --model names another; {has}."));
    }
    if facts.chats == Some(false) {
        return Err(format!("{model} is not for chatting. --model names another."));
    }
    let known = shutdown_of(&provider.name, model);
    let end = facts.shutdown.as_deref().or(known.map(|end| end.date));
    if let Some(date) = end.filter(|date| *date <= &*clock::today()) {
        let instead = known.map_or("another", |end| end.instead);
        return Err(format!("{model} was shut down on {date}. Use --model {instead}."));
    }
    let end = end.map(|date| format!(". It ends on {date}")).unwrap_or_default();
    Ok(format!("{}{end}", capabilities(model, &facts, provider)))
}

/// The server refuses to answer without another key.
fn wants_key(provider: &Provider, refused: &llm::Error) -> String {
    let what_to_do = match &provider.key {
        Some(key) => format!("{} holds another key than it takes: set it anew.", key.variable),
        None => "Set EBBTIDE_API_KEY to its key, or name the key's variable with --api-key-env."
            .to_owned(),
    };
    format!("{} {what_to_do}", sentence(&refused.to_string()))
}

fn capabilities(model: &str, facts: &Facts, provider: &Provider) -> String {
    let says = |known: Option<bool>, yes: &str, no: &str, unknown: &str| match known {
        Some(true) => yes.to_owned(),
        Some(false) => no.to_owned(),
        None => unknown.to_owned(),
    };
    let context = facts.context.or(provider.context_window);
    let context = context.map_or_else(
        || "takes an unknown number of tokens".to_owned(),
        |tokens| format!("takes {} tokens", grouped(tokens)),
    );
    let tools = says(
        facts.tools,
        "takes tools",
        "takes no tools, so efforts are opened and closed by the slash commands",
        "may take tools",
    );
    let thinks =
        says(facts.thinks, "it can think", "it does not think", "it is not told whether it thinks");
    let prices = provider.listed.and_then(|listed| providers::prices(listed.name, model));
    let cache = prices.map_or("unknown", |prices| prices.cache.does());
    format!("{model} {context}, {tools}; {thinks}; its cache: {cache}")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_takes_nothing_more_is_told_as_such() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let reason = fill(&full).unwrap_err();
        let told = unwritable("~/sessions", &reason);
        assert!(told.contains("the disk is full. Make room on it"), "{told}");
        let denied = unwritable("~/sessions", &io::ErrorKind::PermissionDenied.into());
        assert!(denied.contains("Correct its permissions"), "{denied}");
        let place = tempfile::tempdir().unwrap();
        try_writing(&place.path().join("not/there")).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
