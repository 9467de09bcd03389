//! A conversation as turns: what a person said, and what came of it until the person spoke again.

use crate::memory::CountTokens;
use crate::read::{Compaction, Event, Moment, Speaker};

/// A pause after which people usually talk about something else, in milliseconds: four hours.
const LONG_PAUSE: i64 = 4 * 3_600_000;

/// Longest part of a call's arguments in bytes that stays in the conversation.
const LONGEST_CALL: usize = 400;

/// What the log itself says of a change of topic before a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Border {
    /// Another conversation begins; its title, which may be empty.
    Conversation(String),
    /// Nobody said anything for a long time.
    Pause,
}

/// A tool's answer that is too long to stay in the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeResult {
    /// The tool.
    pub name: String,
    /// Its tokens.
    pub tokens: u64,
}

/// Where the other program compacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The turn before which it did, from 0.
    pub turn: usize,
    /// What it says of it.
    pub compaction: Compaction,
}

/// One turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// When it began.
    pub at: Moment,
    /// What the person said.
    pub user: String,
    /// What the model said, with its calls and their short results on lines of their own.
    pub reply: String,
    /// Results that are held by reference instead.
    pub large: Vec<LargeResult>,
    /// What the log says of the topic before it.
    pub border: Option<Border>,
}

/// Makes turns of events.
pub struct Turns<'a> {
    counter: &'a dyn CountTokens,
    /// Tokens from which on a result is held by reference.
    limit: u64,
    done: Vec<Turn>,
    marks: Vec<Mark>,
    /// What stands before the next turn.
    next_border: Option<Border>,
    /// Names of the calls without a result yet, by id, the newest last.
    calls: Vec<(String, String)>,
}

impl<'a> Turns<'a> {
    /// A result of `limit` tokens or more is held by reference.
    pub fn new(counter: &'a dyn CountTokens, limit: u64) -> Self {
        Self {
            counter,
            limit,
            done: Vec::new(),
            marks: Vec::new(),
            next_border: None,
            calls: Vec::new(),
        }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Begins { title, .. } => {
                self.next_border = Some(Border::Conversation(title));
                self.calls.clear();
            }
            Event::Said { by: Speaker::Person, text, at } => self.begin(text, at),
            Event::Said { by: Speaker::Model, text, .. } => self.add(&text),
            Event::Called { id, name, arguments, .. } => {
                self.add(&format!("[{name} {}]", one_line(&arguments)));
                self.calls.push((id, name));
            }
            Event::Returned { id, text, .. } => {
                let known = self.calls.iter().rposition(|(call, _)| *call == id);
                let name = known.map_or_else(|| "tool".to_owned(), |at| self.calls.remove(at).1);
                self.hold(name, &text);
            }
            Event::Attached { name, text, .. } => self.hold(name, &text),
            Event::Compacted(compaction) => {
                self.marks.push(Mark { turn: self.done.len(), compaction });
            }
        }
    }

    /// The turns, and where the other program compacted. Turns in which nobody answered are with the next one.
    pub fn finish(self) -> (Vec<Turn>, Vec<Mark>) {
        (self.done, self.marks)
    }

    fn begin(&mut self, text: String, at: Moment) {
        let before = self.done.last().and_then(|turn| turn.at);
        let paused = before.zip(at).is_some_and(|(before, at)| at - before > LONG_PAUSE);
        let border = self.next_border.take().or(paused.then_some(Border::Pause));
        match self.done.last_mut() {
            // Several messages in a row are one.
            Some(last) if last.reply.is_empty() && last.large.is_empty() && border.is_none() => {
                last.user.push_str("\n\n");
                last.user.push_str(&text);
            }
            _ => self.done.push(Turn { at, user: text, border, ..Turn::default() }),
        }
    }

    fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let turn = self.current();
        if !turn.reply.is_empty() {
            turn.reply.push_str("\n\n");
        }
        turn.reply.push_str(text);
    }

    fn hold(&mut self, name: String, text: &str) {
        let tokens = self.counter.count(text).0;
        if tokens < self.limit {
            return self.add(&format!("[{name}: {}]", text.trim()));
        }
        self.add(&format!("[{name}: {tokens} tokens, held by reference]"));
        self.current().large.push(LargeResult { name, tokens });
    }

    /// The turn under way; a model that speaks first answers nobody.
    fn current(&mut self) -> &mut Turn {
        if self.done.is_empty() || self.next_border.is_some() {
            let border = self.next_border.take();
            self.done.push(Turn { user: "(begins)".to_owned(), border, ..Turn::default() });
        }
        let last = self.done.len() - 1;
        &mut self.done[last]
    }
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = (0..=LONGEST_CALL.min(line.len())).rev().find(|end| line.is_char_boundary(*end));
    let cut = &line[..end.unwrap_or(0)];
    if cut.len() < line.len() { format!("{cut} …") } else { line }
}
