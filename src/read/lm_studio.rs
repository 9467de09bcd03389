//! Conversations of LM Studio: each message has versions, one of which is selected, and each version steps.

use serde_json::Value;

use super::usage::Line;
use super::value::{count, list, moment, plain, said, text};
use super::{Bytes, Error, Event, Format, Ledger, Speaker, Take, Tally, Used, items};

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
    let file = items::whole(source)?.map_err(broken)?;
    take(Event::Begins {
        id: String::new(),
        title: text(&file, "name").to_owned(),
        project: String::new(),
        at: moment(&file, "createdAt"),
    });
    let mut tally = Tally::default();
    for message in list(&file, "messages") {
        tally.read_one();
        let at = usize::try_from(count(message, "currentlySelected")).unwrap_or(usize::MAX);
        let versions = list(message, "versions");
        for step in versions.iter().flat_map(|version| list(version, "steps")) {
            count_usage(step, ledger);
        }
        match versions.get(at).or(versions.last()) {
            Some(version) => tell(version, take),
            None => tally.skip("without a version"),
        }
    }
    Ok(tally)
}

fn tell(version: &Value, take: &mut Take<'_>) {
    let by = match text(version, "role") {
        "assistant" => Speaker::Model,
        _ => Speaker::Person,
    };
    if text(version, "role") == "system" {
        return;
    }
    tell_content(&version["content"], by, take);
    for step in list(version, "steps") {
        tell_content(&step["content"], by, take);
    }
}

fn tell_content(content: &Value, by: Speaker, take: &mut Take<'_>) {
    let said = said(content);
    if !said.trim().is_empty() {
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
            _ => {}
        }
    }
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
    let (message, request) = (text(step, "stepIdentifier"), &step.to_string());
    ledger.reply(&Line { message, request, ..Line::default() }, &used);
}
