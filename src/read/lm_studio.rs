//! Conversations of LM Studio: each message has versions, one of which is selected, and each version steps.

use serde_json::Value;

use super::copies::count_left_out;
use super::items::{self, Document};
use super::usage::Line;
use super::value::{count, list, moment, plain, said, text, without_words};
use super::{Bytes, Error, Event, Format, Ledger, Speaker, Take, Tally, Used};

/// Reads a conversation.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let why = |why: serde_json::Error| {
        format!("{why}; the program may have been writing it, so try again")
    };
    let broken = |reason| Error::Broken { format: Format::LmStudio, why: why(reason) };
    let Document { head, messages } = items::document(source)?.map_err(broken)?;
    take(Event::Begins {
        id: String::new(),
        title: text(&head, "name").to_owned(),
        project: String::new(),
        at: moment(&head, "createdAt"),
    });
    let mut tally = Tally::default();
    for written in messages.unwrap_or_default() {
        tally.read_one();
        let Some(message) = items::message::<Value>(&written) else {
            tally.skip("damaged message");
            continue;
        };
        let at = usize::try_from(count(&message, "currentlySelected")).unwrap_or(usize::MAX);
        let versions = list(&message, "versions");
        for step in versions.iter().flat_map(|version| list(version, "steps")) {
            count_usage(step, ledger);
        }
        match versions.get(at).or(versions.last()) {
            Some(version) if text(version, "role") == "system" => tally.skip("system"),
            Some(version) if tell(version, take) => tally.leave_out(left_out_of(version)),
            Some(_) => tally.skip("without words"),
            None => tally.skip("without a version"),
        }
    }
    count_left_out(&mut tally, 0, ledger);
    Ok(tally)
}

/// Tells a message; returns whether there is anything in it.
fn tell(version: &Value, take: &mut Take<'_>) -> bool {
    let by = match text(version, "role") {
        "assistant" => Speaker::Model,
        _ => Speaker::Person,
    };
    contents(version).filter(|content| tell_content(content, by, take)).count() > 0
}

/// What a version says, step by step; what the model thinks is none of it.
fn contents(version: &Value) -> impl Iterator<Item = &Value> {
    let steps = list(version, "steps").iter().filter(|step| !is_thinking(step));
    std::iter::once(&version["content"]).chain(steps.map(|step| &step["content"]))
}

fn is_thinking(step: &Value) -> bool {
    text(&step["style"], "type") == "thinking"
}

/// What is told without its pictures, its files and what the model thought, by kind.
fn left_out_of(version: &Value) -> Vec<&'static str> {
    let thought = list(version, "steps").iter().filter(|step| is_thinking(step));
    contents(version).flat_map(without_words).chain(thought.map(|_| "thinking")).collect()
}

fn tell_content(content: &Value, by: Speaker, take: &mut Take<'_>) -> bool {
    let said = said(content);
    let mut is_told = !said.trim().is_empty();
    if is_told {
        take(Event::Said { by, text: said, at: None });
    }
    for block in content.as_array().into_iter().flatten() {
        let id = text(block, "callId").to_owned();
        match text(block, "type") {
            "toolCallRequest" => take(Event::Called {
                id,
                name: text(block, "name").to_owned(),
                arguments: plain(block.get("parameters")),
                at: None,
            }),
            "toolCallResult" => {
                take(Event::Returned { id, text: plain(block.get("content")), at: None });
            }
            _ => continue,
        }
        is_told = true;
    }
    is_told
}

/// What was made for a version counts, whether or not it is the one that was gone on with.
fn count_usage(step: &Value, ledger: &mut Ledger) {
    let stats = &step["genInfo"]["stats"];
    let used = Used {
        at: None,
        uncached: count(stats, "promptTokensCount"),
        output: count(stats, "predictedTokensCount"),
        ..Used::default()
    };
    let message = text(step, "stepIdentifier");
    // A step without a name is known by all that it says.
    let whole = if message.is_empty() { step.to_string() } else { String::new() };
    let request = whole.as_str();
    ledger.reply(&Line { message, request, ..Line::default() }, &used);
}
