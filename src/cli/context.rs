//! `context`: exactly what would be sent, item by item.

use serde_json::{Value, json};

use super::inspect::{answering, open};
use super::{ContextArguments, Error, Job, Streams};
use crate::clock;
use crate::counted::grouped;
use crate::memory::{Compared, Layer, Mark, Source, Turn, Window};
use crate::orchestrator::{Inspected, Inspection, TimeMachine, window_with_draft, wire_json};
use crate::scenario::layers_json;
use crate::text::clean;

/// Prints the window as the next turn would start from it, with a message if one is given, or as it was
/// after a turn.
pub(super) fn context(
    job: &Job<'_>,
    arguments: &ContextArguments,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    let mut inspected = open(job, streams)?;
    let (inspection, window) = if let Some(turn) = arguments.turn {
        at_turn(&inspected.time_machine, Turn(turn))?
    } else {
        let compares = job.settings.embedding_model().is_some();
        let model = answering(job, inspected.chosen_model()).and_then(|server| server.model);
        inspected.ebb_if_cold(&job.settings, model.as_deref());
        now(&mut inspected, arguments.with.as_deref().unwrap_or_default(), compares)
    };
    let inspection = if arguments.diff { inspection } else { as_sent(inspection) };
    if arguments.json {
        writeln!(streams.out, "{}", context_json(&inspection, &window))?;
        return Ok(());
    }
    print(&inspection, streams)
}

/// Only what is sent, without what was and no longer is, and without marks.
fn as_sent(inspection: Inspection) -> Inspection {
    let sent = inspection.items.into_iter().filter(|one| one.mark != Mark::Removed);
    let items = sent.map(|one| Compared { mark: Mark::Same, ..one }).collect();
    Inspection { items, compared_with: None, ..inspection }
}

/// What would be sent now, beside the turn before. Whoever `compares` texts by their meaning is not asked.
fn now(inspected: &mut Inspected, draft: &str, compares: bool) -> (Inspection, Window) {
    let recallable = inspected.recallable(draft);
    let asks_meaning = compares && recallable.may_be_meant;
    let window = window_with_draft(&mut inspected.memory, draft, recallable.found, &clock::today());
    let memory = &inspected.memory;
    // Without a past there is nothing to compare with, which is no failure.
    let before = memory.turn().0.checked_sub(1).map(Turn);
    let before = before.and_then(|turn| inspected.time_machine.turn(turn).ok().flatten());
    let named = before.as_ref().map(|past| (&*past.window, format!("turn {}", past.turn)));
    let tools = crate::tools::definitions();
    let inspection = Inspection::of(memory.turn(), &window, tools, named);
    (Inspection { asks_meaning, ..inspection }, window)
}

/// What would have been sent after a turn.
fn at_turn(time_machine: &TimeMachine, turn: Turn) -> Result<(Inspection, Window), Error> {
    if let Some(past) = time_machine.turn(turn)? {
        return Ok(((*past.inspection).clone(), (*past.window).clone()));
    }
    let known = match time_machine.span()? {
        Some((first, last)) => format!("it tells of the turns {first} to {last}"),
        None => "it tells of no turn".to_owned(),
    };
    Err(Error::Usage(format!("the journal does not tell how turn {turn} was; {known}")))
}

fn print(inspection: &Inspection, streams: &mut Streams<'_>) -> Result<(), Error> {
    for one in &inspection.items {
        let (layer, role) = (one.item.layer.as_str(), one.item.role.as_str());
        let mark = match one.mark {
            Mark::Same => String::new(),
            _ => format!(", {}", one.mark.as_str()),
        };
        let text = shown_text(one, inspection);
        let tokens = one.item.tokens;
        writeln!(streams.out, "[{layer}, {role}, {tokens} tokens{mark}]\n{}\n", clean(&text))?;
    }
    writeln!(streams.out, "{} tokens in all", grouped(inspection.layers.total().0))?;
    if inspection.asks_meaning {
        writeln!(streams.out, "{}", Inspection::ASKS_MEANING)?;
    }
    Ok(())
}

/// The text of an item; of the tools, which are sent beside the messages, their definitions.
fn shown_text(one: &Compared, inspection: &Inspection) -> String {
    match one.item.layer {
        Layer::Tools => inspection.tools.to_string(),
        _ => one.item.content.trim_end().to_owned(),
    }
}

/// The inspection as JSON; `messages` and `tools` are those of the request, to the byte.
pub(super) fn context_json(inspection: &Inspection, window: &Window) -> Value {
    let items: Vec<Value> = inspection.items.iter().map(item_json).collect();
    let wire = wire_json(window);
    json!({
        "turn": inspection.turn.0, "items": items, "messages": wire["messages"],
        "tools": wire["tools"], "layers": layers_json(&inspection.layers), "total": inspection.layers.total().0,
        "compared_with": inspection.compared_with, "asks_meaning": inspection.asks_meaning,
    })
}

fn item_json(one: &Compared) -> Value {
    let item = &one.item;
    let (source, id) = source_names(&item.source);
    let mut fields = json!({
        "layer": item.layer.as_str(), "role": item.role.as_str(), "source": source, "id": id,
        "tokens": item.tokens.0, "content": &*item.content, "mark": one.mark.as_str(),
    });
    if let Mark::Changed(before) = &one.mark {
        fields["before"] = (&**before).into();
    }
    fields
}

/// Where an item comes from, in a word, and of which effort or note it is.
fn source_names(source: &Source) -> (&'static str, Option<String>) {
    match source {
        Source::SystemPrompt => ("system_prompt", None),
        Source::Instructions(file) => ("instructions", Some(file.to_string())),
        Source::ToolDefinitions => ("tool_definitions", None),
        Source::Block => ("memory_block", None),
        Source::Manifest => ("efforts", None),
        Source::Summary(id) => ("summary", Some(id.to_string())),
        Source::Notes => ("notes", None),
        Source::Note(id) => ("note", Some(id.to_string())),
        Source::Scratchpad => ("scratchpad", None),
        Source::Recalled(id) => ("recalled", Some(id.to_string())),
        Source::Ambient => ("ambient", None),
        Source::Expanded(id) => ("expanded", Some(id.to_string())),
        Source::Open(id) => ("open", Some(id.to_string())),
        Source::NewMessage => ("new_message", None),
    }
}
