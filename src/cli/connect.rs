//! `connect`: finds what could answer on this machine, asks it, and writes it into the config file.

use std::io::BufRead;

use futures_util::StreamExt;

use super::{Error, Job, Streams, configure};
use crate::address::{Address, without_password};
use crate::config::{
    Candidate, Key, Provider, Settings, Source, all_candidates, candidates, change_file,
};
use crate::llm::{Event, Message, Purpose, Request, Role};
use crate::providers::LISTED;
use crate::text::{clean, wrap};

/// What the model is asked for a test: what it is told first, and the question.
const TEST: (&str, &str) = ("You greet.", "Say hello in at most five words.");

/// The longest line of a text, in columns.
const WIDEST: u16 = 100;

/// Columns before what was found.
const SET_IN: u16 = 5;

/// The most of an answer that is shown, in characters.
const MOST: usize = 200;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// A model was written down.
    Connected,
    /// The person left all as it was.
    Nothing,
}

/// Lets the person choose a model. What is not answered leaves everything as it was.
pub(super) fn connect(
    job: &Job<'_>,
    input: &mut dyn BufRead,
    streams: &mut Streams<'_>,
) -> Result<Done, Error> {
    let found = found(job, streams)?;
    for (provider, nth) in found.iter().zip(1..) {
        let lines = laid_out(job, &clean(&described(provider)), SET_IN);
        writeln!(streams.out, "  {nth:<3}{}", lines.replace('\n', "\n     "))?;
    }
    let asked =
        "A number, an address such as http://127.0.0.1:8080/v1, or nothing to leave all as it is:";
    let asked = laid_out(job, asked, 0) + " ";
    let answer = match ask(&asked, input, streams)? {
        Answer::Words(answer) => answer,
        Answer::Nothing => return Ok(Done::Nothing),
        Answer::End => {
            let what = "nothing was connected: the input ended before a server was named";
            return Err(Error::Failed(format!("{what}. Run `ebbtide connect` in a terminal")));
        }
    };
    let mut provider = chosen(job, &found, &answer)?;
    let usual = provider.model.clone().unwrap_or_else(|| "the first that it lists".to_owned());
    let asked = format!("Which model? Nothing for {}:", clean(&usual));
    let asked = laid_out(job, &asked, 0) + " ";
    if let Answer::Words(model) = ask(&asked, input, streams)? {
        provider.model = Some(model);
    }
    let (model, said) = super::runtime::run(test(job, &provider))?;
    let answer = format!("{} answers: {}", clean(&model), clean(&said));
    writeln!(streams.out, "{}", laid_out(job, &answer, 0))?;
    write_down(job, &provider, &model, streams)?;
    Ok(Done::Connected)
}

/// What the answer means: one of those that were found, or the server at an address.
fn chosen(job: &Job<'_>, found: &[Provider], answer: &str) -> Result<Provider, Error> {
    let nth = answer.parse::<usize>().ok().and_then(|nth| found.get(nth.checked_sub(1)?));
    if let Some(provider) = nth {
        return Ok(provider.clone());
    }
    if Address::of(answer).scheme.is_none() {
        let what =
            "is neither a number of the list nor an address with http:// or https:// before it";
        return Err(Error::Usage(format!("{} {what}", clean(answer))));
    }
    at(&job.settings, job, answer)?
        .ok_or_else(|| Error::Usage(format!("{} is no server's address", clean(answer))))
}

/// What could answer: servers whose key is set, and those that run here.
fn found(job: &Job<'_>, streams: &mut Streams<'_>) -> Result<Vec<Provider>, Error> {
    let there = |candidate| match candidate {
        Candidate::Server(provider) => Some(provider),
        Candidate::IfRunning(provider) => {
            let is_there = provider.key.is_some() || (job.host.reachable)(&provider).is_ok();
            is_there.then_some(provider)
        }
        Candidate::Offline => None,
    };
    let all = all_candidates(&job.settings, &job.host.environment);
    let found: Vec<Provider> = all.into_iter().filter_map(there).collect();
    if found.is_empty() {
        let variables = LISTED.iter().filter_map(|listed| listed.variables.first()).copied();
        let none = format!(
            "No key is set and no server runs on this machine. A key is read from the environment and never written \
             down; set one of {} and come back.",
            variables.collect::<Vec<_>>().join(", ")
        );
        writeln!(streams.out, "{}\n", laid_out(job, &none, 0))?;
    } else {
        writeln!(streams.out, "Found:")?;
    }
    Ok(found)
}

/// On a terminal, in lines that end between words and leave some columns free.
fn laid_out(job: &Job<'_>, words: &str, free: u16) -> String {
    let width = crossterm::terminal::size().ok().filter(|_| job.host.interactive);
    match width {
        Some((width, _)) => {
            let room = width.min(WIDEST).saturating_sub(free + 1);
            wrap(words, usize::from(room).max(1)).join("\n")
        }
        None => words.to_owned(),
    }
}

/// What a provider is, without the password that its address may hold.
pub(super) fn described(provider: &Provider) -> String {
    let key = match &provider.key {
        Some(key) => format!("with the key from {}", key.variable),
        None => "without a key".to_owned(),
    };
    let model = provider.model.as_deref().unwrap_or("the first model that it lists");
    format!("{} at {}, {model}, {key}", provider.name, without_password(&provider.base_url))
}

/// What came of a question.
enum Answer {
    Words(String),
    /// An empty line.
    Nothing,
    /// There is no more input.
    End,
}

/// Asks for a line of the person's.
fn ask(
    question: &str,
    input: &mut dyn BufRead,
    streams: &mut Streams<'_>,
) -> Result<Answer, Error> {
    write!(streams.out, "{question}")?;
    streams.out.flush()?;
    let mut line = String::new();
    if input.read_line(&mut line)? == 0 {
        // Nobody ended the line of the question.
        writeln!(streams.out)?;
        return Ok(Answer::End);
    }
    Ok(match line.trim() {
        "" => Answer::Nothing,
        words => Answer::Words(words.to_owned()),
    })
}

/// Asks the model something small: its name, and what it said.
async fn test(job: &Job<'_>, provider: &Provider) -> Result<(String, String), Error> {
    let model = job.server(provider).await?;
    let messages = vec![Message::text(Role::System, TEST.0), Message::text(Role::User, TEST.1)];
    let request = Request::plain(Purpose::Chat, messages);
    let mut events = model.stream(request);
    let mut said = String::new();
    while let Some(event) = events.next().await {
        match event {
            Ok(Event::Text(text)) => said.push_str(&text),
            Ok(Event::Done(completion)) => said = completion.text,
            Ok(_) => {}
            Err(error) => {
                let why = crate::text::joined(&error.to_string(), &error.advice());
                return Err(Error::Failed(format!("{why} Nothing was written")));
            }
        }
    }
    let said: String = said.trim().chars().take(MOST).collect();
    Ok((model.info().name, said))
}

/// What is spoken at an address, where the address alone does not say so.
fn untold_protocol(job: &Job<'_>, provider: &Provider) -> Option<&'static str> {
    let mut settings = job.settings.clone();
    settings.set(Key::Protocol.name(), "auto", Source::Change).ok()?;
    let by_address = at(&settings, job, &provider.base_url).ok().flatten();
    let is_told = by_address.is_some_and(|by_address| by_address.protocol == provider.protocol);
    (!is_told).then(|| provider.protocol.as_str())
}

/// The server at an address, whatever else is set.
fn at(settings: &Settings, job: &Job<'_>, address: &str) -> Result<Option<Provider>, Error> {
    let mut settings = settings.clone();
    settings.set(Key::Offline.name(), "false", Source::Change)?;
    settings.set(Key::BaseUrl.name(), address, Source::Change)?;
    Ok(match candidates(&settings, &job.host.environment)?.into_iter().next() {
        Some(Candidate::Server(provider)) => Some(provider),
        _ => None,
    })
}

/// A provider that has a name is written down by it, with its protocol and its key's variable behind the name.
fn write_down(
    job: &Job<'_>,
    provider: &Provider,
    model: &str,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let file = configure::config_file(job.arguments, job.host)?;
    let mut changes = Vec::new();
    let named = job.settings.clone().set(Key::Provider.name(), &provider.name, Source::Change);
    if named.is_ok() {
        changes.extend([Key::BaseUrl, Key::ApiKeyEnv, Key::Protocol].map(|other| (other, None)));
        changes.push((Key::Provider, Some(&*provider.name)));
    } else {
        changes.extend([(Key::Provider, None), (Key::BaseUrl, Some(&*provider.base_url))]);
        changes.push((Key::Protocol, untold_protocol(job, provider)));
        changes.extend(provider.key.iter().map(|key| (Key::ApiKeyEnv, Some(&*key.variable))));
    }
    changes.extend([(Key::Model, Some(model)), (Key::Offline, None)]);
    let lines = change_file(&file, &changes)?;
    writeln!(streams.out, "Written to {}:", file.display())?;
    for line in lines {
        writeln!(streams.out, "  {}", clean(&line))?;
    }
    Ok(())
}
