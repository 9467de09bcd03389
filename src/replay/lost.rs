//! What a program's own compaction lost: the specifics of what was in its window that neither its summary holds nor
//! what it kept beside it.

use std::borrow::Cow;
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
    /// The specifics by whether the window still holds them, in the order in which they were said; `None` if the summary
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

/// Specifics in the form for comparing.
type Forms = BTreeSet<(Kind, String)>;

/// Follows a conversation from compaction to compaction.
#[derive(Debug, Default)]
pub struct Losses {
    held: Vec<Specific>,
    known: Forms,
    messages: usize,
    /// Compactions so far.
    found: Vec<Loss>,
}

impl Losses {
    /// Takes the next event. What a tool answered does not count: a listing's thousand numbers are nobody's loss.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Begins { .. } => self.forget(),
            Event::Compacted(compaction) => self.compact(compaction),
            event => said(event).iter().for_each(|text| self.hold(text)),
        }
    }

    /// The compactions that were met, oldest first.
    pub fn found(&self) -> &[Loss] {
        &self.found
    }

    /// What was lost by any of the compactions and is neither in the newest readable summary nor said since, newest
    /// first.
    pub fn lost_now(&self) -> Vec<Specific> {
        let readable = |loss: &&Loss| loss.report.is_some();
        let newest =
            self.found.iter().rfind(readable).and_then(|loss| loss.compaction.summary.as_deref());
        let missing = self
            .found
            .iter()
            .filter_map(|loss| loss.report.as_ref())
            .flat_map(|report| report.missing.clone());
        let mut seen = self.known.clone();
        let all: Vec<Specific> = missing.collect::<Vec<_>>().into_iter().rev().collect();
        let each: Vec<Specific> = all.into_iter().filter(|one| seen.insert(form(one))).collect();
        Report::of(&each, newest.unwrap_or_default()).missing
    }

    fn hold(&mut self, text: &str) {
        let message = self.messages;
        self.messages += 1;
        for mut one in specifics::extract([text]) {
            if self.held.len() < MOST && self.known.insert(form(&one)) {
                one.message = message;
                self.held.push(one);
            }
        }
    }

    /// The window holds the summary from now on, and of what was there before what the summary holds or stays beside it.
    fn compact(&mut self, compaction: &Compaction) {
        let beside = forms_of(&compaction.kept);
        let summary = compaction.summary.as_deref().filter(|summary| !summary.trim().is_empty());
        let held = Report::of(&self.held, summary.unwrap_or_default());
        let report = self.with(held, &beside);
        let kept = report.kept.clone();
        let compaction = Compaction { kept: Vec::new(), ..compaction.clone() };
        let (messages, report) = (self.messages, summary.map(|_| report));
        self.found.push(Loss { compaction, messages, report });
        self.forget();
        self.known = kept.iter().map(form).collect();
        self.held = kept;
    }

    /// A report in which what stays in the window beside the summary is kept too.
    fn with(&self, report: Report, beside: &Forms) -> Report {
        if beside.is_empty() {
            return report;
        }
        let forms = report.missing.iter().map(form);
        let lost: Forms = forms.filter(|form| !beside.contains(form)).collect();
        let (missing, kept) = self.held.iter().cloned().partition(|one| lost.contains(&form(one)));
        Report { kept, missing }
    }

    fn forget(&mut self) {
        self.held.clear();
        self.known.clear();
        self.messages = 0;
    }
}

fn form(one: &Specific) -> (Kind, String) {
    (one.kind, one.key())
}

/// The specifics of what stays in the window as it was said.
fn forms_of(events: &[Event]) -> Forms {
    let texts = events.iter().filter_map(said);
    texts.flat_map(|text| specifics::extract([&*text])).map(|one| form(&one)).collect()
}

/// The words of an event in which specifics are looked for.
fn said(event: &Event) -> Option<Cow<'_, str>> {
    match event {
        Event::Said { text, .. } => Some(text.into()),
        Event::Called { arguments, .. } => Some(argument_text(arguments).into()),
        _ => None,
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
        Value::Array(words) if COMMANDS.contains(&key) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let line = match words.as_slice() {
                [_, "-c" | "-lc", script] => (*script).to_owned(),
                words => words.join(" "),
            };
            gather(key, &Value::String(line), texts);
        }
        Value::Array(values) => values.iter().for_each(|value| gather(key, value, texts)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| gather(key, value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn cut(text: &str) -> &str {
    let end = (0..=LONGEST_ARGUMENT.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
