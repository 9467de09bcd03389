//! What a program's own compaction lost: the specifics of what was in its window that its summary does not hold.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::read::{Compaction, Event};
use crate::specifics::{self, Kind, Report, Specific};

/// Specifics of one window that are kept; beyond it a list helps nobody.
const MOST: usize = 50_000;

/// Arguments of tools that are commands.
const COMMANDS: [&str; 3] = ["command", "cmd", "script"];

/// Longest part of an argument in bytes that is looked at: a whole file that is written is content.
const LONGEST_ARGUMENT: usize = 20_000;

/// A compaction and what it lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What the program says of it.
    pub compaction: Compaction,
    /// Messages and calls that it stands for.
    pub messages: usize,
    /// The specifics by whether its summary holds them, in the order in which they were said; `None` if the summary
    /// cannot be read.
    pub report: Option<Report>,
}

impl Loss {
    /// How many of a kind were kept, and of how many.
    pub fn kept(&self, kind: Kind) -> (usize, usize) {
        let of = |list: &[Specific]| list.iter().filter(|one| one.kind == kind).count();
        self.report.as_ref().map_or((0, 0), |report| {
            let kept = of(&report.kept);
            (kept, kept + of(&report.missing))
        })
    }

    /// The missing ones of a kind, newest first.
    pub fn missing(&self, kind: Kind) -> impl Iterator<Item = &Specific> {
        let missing = self.report.iter().flat_map(|report| report.missing.iter().rev());
        missing.filter(move |one| one.kind == kind)
    }
}

/// Follows a conversation from compaction to compaction.
#[derive(Debug, Default)]
pub struct Losses {
    held: Vec<Specific>,
    known: BTreeSet<(Kind, String)>,
    messages: usize,
    /// Compactions so far.
    found: Vec<Loss>,
}

impl Losses {
    /// Takes the next event. What a tool answered does not count: a listing's thousand numbers are nobody's loss.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Begins { .. } => self.forget(),
            Event::Said { text, .. } => self.hold(text),
            Event::Called { arguments, .. } => self.hold(&argument_text(arguments)),
            Event::Returned { .. } | Event::Attached { .. } => {}
            Event::Compacted(compaction) => self.compact(compaction),
        }
    }

    /// The compactions that were met, oldest first.
    pub fn found(&self) -> &[Loss] {
        &self.found
    }

    /// What was lost by any of the compactions and is not in the newest readable summary either, newest first.
    pub fn lost_now(&self) -> Vec<Specific> {
        let readable = |loss: &&Loss| loss.report.is_some();
        let newest =
            self.found.iter().rfind(readable).and_then(|loss| loss.compaction.summary.as_deref());
        let missing = self
            .found
            .iter()
            .filter_map(|loss| loss.report.as_ref())
            .flat_map(|report| report.missing.clone());
        let mut seen = BTreeSet::new();
        let all: Vec<Specific> = missing.collect::<Vec<_>>().into_iter().rev().collect();
        let each: Vec<Specific> =
            all.into_iter().filter(|one| seen.insert((one.kind, one.key()))).collect();
        Report::of(&each, newest.unwrap_or_default()).missing
    }

    fn hold(&mut self, text: &str) {
        let message = self.messages;
        self.messages += 1;
        for mut one in specifics::extract([text]) {
            if self.held.len() < MOST && self.known.insert((one.kind, one.key())) {
                one.message = message;
                self.held.push(one);
            }
        }
    }

    /// The window holds the summary from now on, and of what was there before what the summary holds.
    fn compact(&mut self, compaction: &Compaction) {
        let summary = compaction.summary.as_deref().filter(|summary| !summary.trim().is_empty());
        let report = summary.map(|summary| Report::of(&self.held, summary));
        let messages = self.messages;
        let kept = report.as_ref().map(|report| report.kept.clone()).unwrap_or_default();
        self.found.push(Loss { compaction: compaction.clone(), messages, report });
        self.forget();
        self.known = kept.iter().map(|one| (one.kind, one.key())).collect();
        self.held = kept;
    }

    fn forget(&mut self) {
        self.held.clear();
        self.known.clear();
        self.messages = 0;
    }
}

/// The texts in a call's arguments, a line each; a command as one.
fn argument_text(arguments: &str) -> String {
    let mut texts = Vec::new();
    match serde_json::from_str::<Value>(arguments) {
        Ok(value) => gather("", &value, &mut texts),
        Err(_) => texts.push(cut(arguments).to_owned()),
    }
    texts.join("\n")
}

fn gather(key: &str, value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if COMMANDS.contains(&key) && !text.contains(['\n', '`']) => {
            texts.push(format!("`{text}`"));
        }
        Value::String(text) => texts.push(cut(text).to_owned()),
        Value::Array(values) => values.iter().for_each(|value| gather(key, value, texts)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| gather(key, value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn cut(text: &str) -> &str {
    let end = (0..=LONGEST_ARGUMENT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
