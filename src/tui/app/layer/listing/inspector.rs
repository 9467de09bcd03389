//! The lines of the window inspector: every item that would be sent, in order, with what happened to it
//! since the window that it is compared with.

use serde_json::Value;

use super::LineStyle;
use crate::counted::{grouped, noun};
use crate::memory::{Compared, Layer, Mark, Source};
use crate::orchestrator::Inspection;
use crate::text;
use crate::tui::keymap::Keymap;
use crate::tui::share::scale;
use crate::tui::window_layers::look;

/// Columns of the longest bar.
const BAR: usize = 20;

/// Columns of a line of the table beside the bar and the words.
const BESIDE_BAR: usize = 31;

/// From this width on the words are told even where they take more than a line, in a column of its own; the bar is
/// shorter then, but not too short to be compared.
const WORDED: usize = 66;
const WORDS: usize = 34;
const SHORT_BAR: usize = 6;

/// Lines of a text that are shown of it unless all are wanted.
const FOLDED: usize = 3;

/// Columns before the text of an item.
const INDENT: usize = 5;

pub(super) fn title(inspection: &Inspection, width: usize) -> String {
    let items = inspection.items.iter().filter(|one| one.mark != Mark::Removed).count();
    let total = grouped(inspection.layers.total().0);
    let turn = inspection.turn;
    let long = if inspection.is_past {
        format!("What the model would have got after turn {turn}: ")
    } else {
        "What the model would get: ".to_owned()
    };
    let short = format!("{items} items, {total} tokens");
    if text::width(&long) + text::width(&short) <= width { long + &short } else { short }
}

/// The table, then each item: `whole`, or its first lines.
pub(super) fn lines(
    inspection: &Inspection,
    whole: bool,
    width: usize,
    keymap: &Keymap,
) -> Vec<(LineStyle, String)> {
    let most = if whole { usize::MAX } else { FOLDED };
    let mut lines = vec![(LineStyle::Dim, text::fit(&summary(inspection, keymap), width))];
    if inspection.asks_meaning {
        let wrapped = text::wrap(Inspection::ASKS_MEANING, width);
        lines.extend(wrapped.into_iter().map(|line| (LineStyle::Dim, line)));
    }
    lines.extend(table(inspection, width));
    let mut number = 0;
    for one in &inspection.items {
        number += usize::from(one.mark != Mark::Removed);
        let (style, head) = heading(one, number);
        lines.push((style, text::fit(&text::clean(&head), width)));
        if one.item.layer == Layer::Tools {
            lines.extend(tool_lines(&inspection.tools, whole, width));
            continue;
        }
        let plain = if one.mark == Mark::Removed { LineStyle::Dim } else { LineStyle::Plain };
        push_text(&mut lines, plain, &one.item.content, most, width);
        if let Mark::Changed(before) = &one.mark {
            lines.push((LineStyle::Gone, "     it was:".to_owned()));
            push_text(&mut lines, LineStyle::Dim, before, most, width);
        }
    }
    if inspection.items.is_empty() {
        lines.push((LineStyle::Dim, "The window is empty.".to_owned()));
    }
    lines
}

/// The layers with what they cost, as bars, and what they are.
fn table(inspection: &Inspection, width: usize) -> Vec<(LineStyle, String)> {
    let held: Vec<(Layer, u64)> =
        inspection.layers.iter().map(|(layer, tokens)| (layer, tokens.0)).collect();
    let most = held.iter().map(|(_, tokens)| *tokens).max().unwrap_or(0);
    let in_column = width >= WORDED;
    let long = if in_column {
        width.saturating_sub(BESIDE_BAR + WORDS).clamp(SHORT_BAR, BAR)
    } else {
        width.saturating_sub(BESIDE_BAR).clamp(1, BAR)
    };
    let lines = |((layer, tokens), (_, share)): (&(Layer, u64), &(Layer, u64))| {
        let filled = (tokens * long as u64).div_ceil(most.max(1)) as usize;
        let (name, says) = (layer.as_str(), look(*layer).says);
        let bar = text::pad(&"█".repeat(filled), long);
        let line = format!("  {name:<11}{:>9}  {bar} {share:>3} %", grouped(*tokens));
        let column = text::width(&line) + 2;
        let mut words = text::wrap(says, width.saturating_sub(column).max(1));
        if words.len() > 1 && !in_column {
            words.clear();
        }
        let mut words = words.into_iter();
        let first = words.next().map_or(line.clone(), |first| format!("{line}  {first}"));
        let more = words.map(|more| (LineStyle::Plain, format!("{:column$}{more}", "")));
        let first = (LineStyle::Layer(*layer), text::fit(&first, width));
        std::iter::once(first).chain(more).collect::<Vec<_>>()
    };
    let shares = scale(&held, 100);
    let shown = held.iter().zip(&shares).filter(|((_, tokens), _)| *tokens > 0).flat_map(lines);
    shown.chain([(LineStyle::Plain, String::new())]).collect()
}

/// What is different, in a line.
fn summary(inspection: &Inspection, keymap: &Keymap) -> String {
    let Some(other) = &inspection.compared_with else {
        return "Nothing to compare with yet: no request was sent since the start.".to_owned();
    };
    let count = |word: &str| inspection.items.iter().filter(|i| i.mark.as_str() == word).count();
    let counts = ["added", "changed", "removed"].map(|word| (count(word), word));
    let told: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if told.is_empty() {
        return format!("The same as {other}.");
    }
    let steps = keymap.fill("{overlay.next_mark} and {overlay.last_mark} step.");
    format!("Against {other}: {}. {steps}", told.join(", "))
}

fn heading(one: &Compared, number: usize) -> (LineStyle, String) {
    let item = &one.item;
    let (sign, word, style) = match one.mark {
        Mark::Same => (' ', "", LineStyle::Heading),
        Mark::Added => ('+', "  added", LineStyle::New),
        Mark::Changed(_) => ('~', "  changed", LineStyle::New),
        Mark::Removed => ('-', "  removed", LineStyle::Gone),
    };
    let number = if one.mark == Mark::Removed { String::new() } else { number.to_string() };
    let (layer, role) = (item.layer.as_str(), item.role.as_str());
    let (tokens, source) = (grouped(item.tokens.0), source(&item.source));
    (style, format!("{sign}{number:>3} {layer} · {role} · {tokens} tokens · {source}{word}"))
}

fn source(source: &Source) -> String {
    match source {
        Source::SystemPrompt => "system prompt".to_owned(),
        Source::Instructions(file) => format!("your instructions in {file}"),
        Source::ToolDefinitions => "tool definitions, beside the messages".to_owned(),
        Source::Block => "begin or end of the memory block".to_owned(),
        Source::Manifest | Source::Notes => "heading or list".to_owned(),
        Source::Summary(id) => format!("summary of {id}"),
        Source::Note(id) => format!("note {id}"),
        Source::Scratchpad => "index of the scratchpad".to_owned(),
        Source::Recalled(id) => format!("recalled from {id}"),
        Source::Ambient => "belongs to no effort".to_owned(),
        Source::Expanded(id) => format!("log of {id}, expanded"),
        Source::Open(id) => format!("log of {id}, open"),
        Source::NewMessage => "your message".to_owned(),
    }
}

fn push_text(
    lines: &mut Vec<(LineStyle, String)>,
    style: LineStyle,
    content: &str,
    most: usize,
    width: usize,
) {
    let content = text::clean(content.trim_end());
    if content.is_empty() {
        return;
    }
    let room = width.saturating_sub(INDENT).max(1);
    let wrapped = text::wrap(&content, room);
    // Whoever hides one line takes as much room to say so.
    let shown = if wrapped.len() <= most.saturating_add(1) { wrapped.len() } else { most };
    let hidden = wrapped.len() - shown;
    let indented = |line: String| format!("{}{line}", " ".repeat(INDENT));
    lines.extend(wrapped.into_iter().take(shown).map(|line| (style, indented(line))));
    if hidden > 0 {
        lines.push((
            LineStyle::Dim,
            indented(format!("… {hidden} more {}", noun(hidden as u64, "line"))),
        ));
    }
}

/// The tools by name; `whole` with their definitions as they are sent.
fn tool_lines(tools: &Value, whole: bool, width: usize) -> Vec<(LineStyle, String)> {
    let mut lines = Vec::new();
    let all = || tools.as_array().into_iter().flatten();
    let name =
        |tool: &Value| tool.pointer("/function/name").and_then(Value::as_str).map(str::to_owned);
    if !whole {
        let names: Vec<String> = all().filter_map(name).collect();
        push_text(&mut lines, LineStyle::Plain, &names.join(", "), usize::MAX, width);
        return lines;
    }
    for tool in all() {
        let name = name(tool).unwrap_or_else(|| "tool".to_owned());
        push_text(&mut lines, LineStyle::Heading, &name, usize::MAX, width);
        push_text(&mut lines, LineStyle::Plain, &tool.to_string(), usize::MAX, width);
    }
    lines
}
