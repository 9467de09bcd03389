//! A conversation as turns: what a person said, and what came of it until the person spoke again.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;

use super::texts::Texts;
use crate::memory::CountTokens;
use crate::read::{Compaction, Event, Moment, Speaker};
use crate::specifics::Finds;

/// A pause after which people usually talk about something else, in milliseconds: four hours.
const LONG_PAUSE: i64 = 4 * 3_600_000;

/// Longest part of a call's arguments in bytes that stays in the conversation.
const LONGEST_CALL: usize = 400;

/// Events that are handed over together: whoever hands over one by one waits for the other each time.
const TOGETHER: usize = 32;

/// What the log itself says of a change of topic before a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Border {
    /// Another conversation begins; its title, which may be empty.
    Conversation(String),
    /// Nobody said anything for a long time.
    Pause,
}

/// Where the other program compacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The turn before which it did, from 0.
    pub turn: usize,
    /// What it says of it.
    pub compaction: Compaction,
}

/// Bytes of a turn in the file.
const ROW: usize = 16;

/// One turn: where among the texts it stands, and how long it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Turn {
    /// Where what the person said begins; what the model said follows on it.
    place: u64,
    /// Bytes of what the person said.
    user: u32,
    /// Bytes of what the model said, with its calls and their short results on lines of their own.
    reply: u32,
}

impl Turn {
    fn bytes(self) -> [u8; ROW] {
        let all = u128::from(self.reply) << 96 | u128::from(self.user) << 64;
        (all | u128::from(self.place)).to_le_bytes()
    }

    fn of(bytes: [u8; ROW]) -> Self {
        let all = u128::from_le_bytes(bytes);
        Self { place: all as u64, user: (all >> 64) as u32, reply: (all >> 96) as u32 }
    }
}

/// What was read of one source.
#[derive(Debug, Default)]
pub struct Part {
    /// When it began.
    pub at: Moment,
    turns: Vec<Turn>,
    borders: BTreeMap<usize, Border>,
    /// Tokens of the results of a turn that are held by reference instead.
    by_reference: BTreeMap<usize, u64>,
    marks: Vec<Mark>,
}

/// A conversation as turns. What was said in them is in a file, and in another one where.
#[derive(Debug)]
pub struct Conversation {
    texts: Texts,
    turns: Texts,
    count: usize,
    bytes: u64,
    borders: BTreeMap<usize, Border>,
    by_reference: BTreeMap<usize, u64>,
    marks: Vec<Mark>,
    /// What is known of its messages before they are said.
    finds: Arc<Finds>,
}

impl Conversation {
    /// One of several parts, whose texts these are, in their order.
    ///
    /// # Errors
    /// Not all that was said could be written to the file.
    pub fn of(texts: Texts, parts: impl IntoIterator<Item = Part>) -> io::Result<Self> {
        let (mut turns, mut count, mut bytes) = (Texts::new()?, 0, 0);
        let (mut borders, mut by_reference, mut marks) =
            (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for part in parts {
            borders.extend(part.borders.into_iter().map(|(at, border)| (at + count, border)));
            by_reference.extend(part.by_reference.into_iter().map(|(at, sum)| (at + count, sum)));
            marks.extend(
                part.marks.into_iter().map(|mark| Mark { turn: mark.turn + count, ..mark }),
            );
            for turn in part.turns {
                turns.add(&turn.bytes());
                count += 1;
                bytes += u64::from(turn.user) + u64::from(turn.reply);
            }
        }
        let (texts, turns, finds) = (texts.settle()?, turns.settle()?, Arc::default());
        Ok(Self { texts, turns, count, bytes, borders, by_reference, marks, finds })
    }

    /// What is known of its messages before they are said.
    pub(super) fn finds(&self) -> Arc<Finds> {
        Arc::clone(&self.finds)
    }

    /// How many turns it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nobody says anything.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of all that is said.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Where the other program compacted.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// What the log says of the topic before a turn.
    pub fn border(&self, turn: usize) -> Option<&Border> {
        self.borders.get(&turn)
    }

    /// The turns before which the log says something of the topic.
    pub(super) fn borders(&self) -> impl Iterator<Item = usize> {
        self.borders.keys().copied()
    }

    /// Tokens of the results of a turn that are held by reference; none behind the end.
    pub fn by_reference(&self, turn: usize) -> u64 {
        self.by_reference.get(&turn).copied().unwrap_or(0)
    }

    /// What the person said in a turn, from 0.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn user(&self, turn: usize) -> io::Result<String> {
        let turn = self.turn(turn)?;
        self.texts.text(turn.place, turn.user as usize)
    }

    /// What the model said, with its calls and their short results on lines of their own.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn reply(&self, turn: usize) -> io::Result<String> {
        let turn = self.turn(turn)?;
        self.texts.text(turn.place + u64::from(turn.user), turn.reply as usize)
    }

    /// What the person and the model said, read at once.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn both(&self, turn: usize) -> io::Result<(String, String)> {
        let Turn { place, user, reply } = self.turn(turn)?;
        let mut said = self.texts.text(place, user as usize + reply as usize)?;
        // Both were added as whole texts, so that a character begins there.
        let reply = said.split_off(user as usize);
        Ok((said, reply))
    }

    /// The first so many bytes of what the model said; all of it if no character ends there.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn reply_begins(&self, turn: usize, most: usize) -> io::Result<String> {
        let place = self.turn(turn)?;
        let length = most.min(place.reply as usize);
        let bytes = self.texts.read(place.place + u64::from(place.user), length)?;
        String::from_utf8(bytes).or_else(|_| self.reply(turn))
    }

    fn turn(&self, turn: usize) -> io::Result<Turn> {
        let bytes = self.turns.read((turn * ROW) as u64, ROW)?;
        let missing =
            || io::Error::new(io::ErrorKind::NotFound, format!("there is no turn {turn}"));
        bytes.first_chunk().map(|bytes| Turn::of(*bytes)).ok_or_else(missing)
    }
}

/// Makes turns of events.
pub struct Turns<'a> {
    counter: &'a dyn CountTokens,
    /// Tokens from which on a result is held by reference.
    limit: u64,
    texts: &'a mut Texts,
    done: Part,
    /// When the last turn began.
    last: Moment,
    /// What stands before the next turn.
    next_border: Option<Border>,
    /// Names of the calls without a result yet, by id, the newest last.
    calls: Vec<(String, String)>,
}

impl<'a> Turns<'a> {
    /// A result of `limit` tokens or more is held by reference; everything else that is said goes to `texts`.
    pub fn new(counter: &'a dyn CountTokens, limit: u64, texts: &'a mut Texts) -> Self {
        Self {
            counter,
            limit,
            texts,
            done: Part::default(),
            last: None,
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
            Event::Said { by: Speaker::Person, text, at } => self.hear(&text, at),
            Event::Said { by: Speaker::Model, text, .. } => self.add(&text),
            Event::Called { id, name, arguments, .. } => {
                self.add(&format!("[{name} {}]", one_line(&arguments)));
                self.calls.push((id, name));
            }
            Event::Returned { id, text, .. } => {
                let known = self.calls.iter().rposition(|(call, _)| *call == id);
                let name = known.map_or_else(|| "tool".to_owned(), |at| self.calls.remove(at).1);
                self.hold(&name, &text);
            }
            Event::Attached { name, text, .. } => self.hold(&name, &text),
            Event::Compacted(compaction) => {
                let compaction = Compaction { kept: Vec::new(), ..compaction };
                self.done.marks.push(Mark { turn: self.done.turns.len(), compaction });
            }
        }
    }

    /// Takes the events that `read` tells, on a thread of its own, while `read` goes on. Returns what came of them, and
    /// what `read` returns.
    pub fn take_all<T>(mut self, read: impl FnOnce(&mut dyn FnMut(Event)) -> T) -> (Part, T) {
        let outcome = thread::scope(|scope| {
            let (told, events) = mpsc::sync_channel(1);
            scope.spawn(|| events.into_iter().flatten().for_each(|event| self.take(event)));
            let mut ready = Vec::new();
            let outcome = read(&mut |event| {
                ready.push(event);
                if ready.len() == TOGETHER {
                    // They are taken as long as they are told.
                    drop(told.send(std::mem::take(&mut ready)));
                }
            });
            drop(told.send(ready));
            outcome
        });
        (self.finish(), outcome)
    }

    /// What was read. Turns in which nobody answered are with the next one.
    pub fn finish(self) -> Part {
        self.done
    }

    /// The person speaks.
    fn hear(&mut self, text: &str, at: Moment) {
        let paused = self.last.zip(at).is_some_and(|(before, at)| at - before > LONG_PAUSE);
        let border = self.next_border.take().or(paused.then_some(Border::Pause));
        match self.done.turns.last_mut() {
            // Several messages in a row are one.
            Some(last) if last.reply == 0 && border.is_none() => {
                self.texts.add(b"\n\n");
                self.texts.add(text.as_bytes());
                last.user = longer(last.user, 2 + text.len());
            }
            _ => self.begin(text, at, border),
        }
    }

    fn begin(&mut self, user: &str, at: Moment, border: Option<Border>) {
        let next = self.done.turns.len();
        if next == 0 {
            self.done.at = at;
        }
        self.done.borders.extend(border.map(|border| (next, border)));
        self.last = at;
        let place = self.texts.end();
        self.texts.add(user.as_bytes());
        self.done.turns.push(Turn { place, user: longer(0, user.len()), reply: 0 });
    }

    fn add(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let between = if self.current().reply == 0 { "" } else { "\n\n" };
        self.texts.add(between.as_bytes());
        self.texts.add(text.as_bytes());
        let turn = self.current();
        turn.reply = longer(turn.reply, between.len() + text.len());
    }

    fn hold(&mut self, name: &str, text: &str) {
        // No text has more tokens than bytes.
        let may_be_long = text.len() as u64 >= self.limit;
        let tokens = if may_be_long { self.counter.count(text).0 } else { 0 };
        if tokens < self.limit {
            return self.add(&format!("[{name}: {}]", text.trim()));
        }
        self.add(&format!("[{name}: {tokens} tokens, held by reference]"));
        let turn = self.done.turns.len() - 1;
        *self.done.by_reference.entry(turn).or_default() += tokens;
    }

    /// The turn under way; a model that speaks first answers nobody.
    fn current(&mut self) -> &mut Turn {
        if self.done.turns.is_empty() || self.next_border.is_some() {
            let border = self.next_border.take();
            self.begin("(begins)", None, border);
        }
        let last = self.done.turns.len() - 1;
        &mut self.done.turns[last]
    }
}

/// A length with so many bytes more. No turn has more than four gigabytes that could ever be said again.
fn longer(length: u32, bytes: usize) -> u32 {
    u32::try_from(bytes).map_or(u32::MAX, |bytes| length.saturating_add(bytes))
}

fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = (0..=LONGEST_CALL.min(line.len())).rev().find(|end| line.is_char_boundary(*end));
    let cut = &line[..end.unwrap_or(0)];
    if cut.len() < line.len() { format!("{cut} …") } else { line }
}
