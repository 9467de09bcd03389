//! Turns of events: what a person said, and what came of it until the person spoke again.

use std::sync::mpsc;
use std::thread;

use super::calls::{Calls, call_line, cut_of, held_of, pointer, result_line};
use super::copied::{Copied, Counting};
use super::held::Held;
use super::part::{Border, Mark, Part, Turn};
use super::rounds::Sent;
use super::texts::Texts;
use crate::memory::CountTokens;
use crate::read::{Compaction, Event, Moment, Speaker};

/// A pause after which people usually talk about something else, in milliseconds: four hours.
const LONG_PAUSE: i64 = 4 * 3_600_000;

/// Events that are handed over together: whoever hands over one by one waits for the other each time.
const TOGETHER: usize = 32;

/// What tools did in a turn so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolUse {
    /// None was called.
    None,
    /// One was called, and the model has gone on since the last result.
    Called,
    /// There is a result that the model has not answered.
    Returned,
}

/// Makes turns of events.
pub struct Turns<'a> {
    counter: &'a dyn CountTokens,
    /// Tokens from which on a result is held by reference.
    limit: u64,
    texts: &'a mut Texts,
    /// Where results that are held by reference go, if somebody wants them.
    held: Option<&'a mut Held>,
    done: Part,
    /// When something was said last, by anybody.
    last: Moment,
    /// When the model says or calls what is being taken, or a tool returns it.
    now: Moment,
    /// Another branch of the repository stands before the next turn.
    is_branched: bool,
    /// What stands before the next turn.
    next_border: Option<Border>,
    /// When the conversation began that stands before it.
    next_begins: Moment,
    /// What it begins with and another one told.
    copied: Counting,
    /// The topic that begins with the next turn, as the program itself tells.
    next_topic: Option<String>,
    /// It tells the topics of this conversation.
    tells_topics: bool,
    /// What tools did in the turn under way.
    tools: ToolUse,
    /// The reply that the model is at, and the one that the newest request of the turn led to; 0 if nobody knows.
    reply: u64,
    request: u64,
    /// What each request of the turn under way sent of its reply, but for the first one.
    sent: Vec<Sent>,
    calls: Calls,
}

impl<'a> Turns<'a> {
    /// A result of `limit` tokens or more is held by reference; everything else that is said goes to `texts`.
    pub fn new(counter: &'a dyn CountTokens, limit: u64, texts: &'a mut Texts) -> Self {
        Self {
            counter,
            limit,
            texts,
            held: None,
            done: Part::default(),
            last: None,
            now: None,
            is_branched: false,
            next_border: None,
            next_begins: None,
            copied: Counting::default(),
            next_topic: None,
            tells_topics: false,
            tools: ToolUse::None,
            reply: 0,
            request: 0,
            sent: Vec::new(),
            calls: Calls::default(),
        }
    }

    /// What is held by reference goes there.
    #[must_use]
    pub fn holding(self, held: &'a mut Held) -> Self {
        Self { held: Some(held), ..self }
    }

    /// Takes the next event.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Begins { title, at, .. } => {
                self.next_border = Some(Border::Conversation { title, copied: Copied::default() });
                self.next_begins = at;
                (self.next_topic, self.tells_topics) = (None, false);
                self.reply = 0;
                self.calls = Calls::default();
            }
            Event::Said { by: Speaker::Person, text, at } => self.hear(&text, at),
            Event::Said { by: Speaker::Model, text, at } => {
                self.now = at;
                self.say(&text);
                self.last = self.last.max(at);
            }
            Event::Called { id, name, arguments, at } => {
                (self.now, self.last) = (at, self.last.max(at));
                self.call(&name, &arguments);
                self.calls.add(id, name);
            }
            Event::Returned { id, text, at } => {
                (self.now, self.last) = (at, self.last.max(at));
                let name = self.calls.returned(id);
                self.hold(&name, &text);
                self.tools = ToolUse::Returned;
            }
            Event::Attached { name, text, at } => {
                self.now = at;
                self.hold(&name, &text);
            }
            Event::Reply(reply) => self.reply = reply,
            Event::Copied(event) => self.copied.take(*event, self.counter, self.limit),
            Event::Branched => self.is_branched = true,
            Event::Topic(name) => (self.next_topic, self.tells_topics) = (Some(name), true),
            Event::Compacted(compaction) => {
                let said = compaction.kept.iter().filter_map(Event::text);
                let kept = said.map(|text| self.counter.count(text).0).sum();
                let compaction = Compaction { kept: Vec::new(), ..compaction };
                let turn = self.done.turns.len() - usize::from(self.is_unanswered());
                let is_behind =
                    turn > 0 && self.next_border.is_none() && turn == self.done.turns.len();
                self.done.marks.push(Mark { turn, is_behind, request: 0, compaction, kept });
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
    pub fn finish(mut self) -> Part {
        self.note_last();
        self.end_turn();
        self.done
    }

    /// Whether the person has spoken in the conversation under way and nobody has answered yet: the answer, and further words
    /// of the person, are of the same turn.
    fn is_unanswered(&self) -> bool {
        self.next_border.is_none() && self.done.turns.last().is_some_and(|turn| turn.reply == 0)
    }

    /// The person speaks.
    fn hear(&mut self, text: &str, at: Moment) {
        // Where the topics are told, a pause tells nothing of them.
        let paused = !self.tells_topics
            && self.last.zip(at).is_some_and(|(before, at)| at.saturating_sub(before) > LONG_PAUSE);
        self.note_last();
        self.last = at;
        let branched = std::mem::take(&mut self.is_branched).then_some(Border::Branch);
        let border = self.next_border.take().or(branched).or(paused.then_some(Border::Pause));
        match self.done.turns.last_mut() {
            // Several messages in a row are one.
            Some(last) if last.reply == 0 && border.is_none() && self.next_topic.is_none() => {
                self.texts.add(b"\n\n");
                self.texts.add(text.as_bytes());
                last.user = longer(last.user, 2 + text.len());
            }
            _ => self.begin(text, at, border),
        }
    }

    /// Nothing more is said in the turn under way.
    fn note_last(&mut self) {
        if let Some(turn) = self.done.turns.last_mut() {
            turn.last = self.last;
        }
    }

    /// The turn under way is over: its requests stand behind its words.
    fn end_turn(&mut self) {
        let Some(turn) = self.done.turns.last_mut().filter(|_| !self.sent.is_empty()) else {
            return;
        };
        turn.requests = self.texts.end();
        for sent in self.sent.drain(..) {
            self.texts.add(&sent.bytes());
        }
    }

    fn begin(&mut self, user: &str, at: Moment, mut border: Option<Border>) {
        self.end_turn();
        // What is copied behind the beginning was said in it.
        let before = self.copied.end(self.counter);
        if let Some(Border::Conversation { copied, .. }) = &mut border {
            *copied = before;
        }
        let next = self.done.turns.len();
        let is_first = next == 0 || border.as_ref().is_some_and(|border| border.copied().is_some());
        let at = if is_first { at.or(self.next_begins) } else { at };
        if is_first {
            self.done.begun.push((next, at));
            self.done.at = self.done.begun[0].1;
        }
        self.done.topics.extend(self.next_topic.take().map(|topic| (next, topic)));
        (self.tools, self.request) = (ToolUse::None, 0);
        self.done.borders.extend(border.map(|border| (next, border)));
        let place = self.texts.end();
        self.texts.add(user.as_bytes());
        self.done.turns.push(Turn { place, user: longer(0, user.len()), at, ..Turn::default() });
    }

    /// The model goes on: another reply within a turn is another request, as when a hook of the program's sends it back to
    /// work. Where nobody knows which reply it is, one is made for what tools have returned.
    fn go_on(&mut self) {
        // Where another conversation begins, nothing was returned in it yet.
        self.current();
        let has_returned = self.tools == ToolUse::Returned;
        let is_next = if self.reply != 0 && self.request != 0 {
            // The results of calls of one reply may stand between them.
            self.reply != self.request
        } else {
            has_returned
        };
        if has_returned {
            self.tools = ToolUse::Called;
        }
        if is_next {
            self.ask_again();
        }
        self.request = self.reply;
    }

    /// One more request of the turn under way, with all that stands in it so far. What compacted since the last one did so
    /// within the turn.
    fn ask_again(&mut self) {
        let turn = self.current();
        let held = turn.tools.held.saturating_sub(turn.pointers);
        turn.rounds = turn.rounds.saturating_add(1);
        let (request, sent) = (turn.rounds, Sent { reply: turn.reply, held });
        self.sent.push(sent);
        let next = self.done.turns.len();
        let since = self.done.marks.iter_mut().rev().take_while(|mark| mark.turn == next);
        for mark in since {
            (mark.turn, mark.is_behind, mark.request) = (next - 1, false, request);
        }
    }

    /// The model speaks.
    fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.go_on();
        }
        self.add(text);
        if self.tools != ToolUse::None {
            self.write(text);
        }
    }

    /// The model calls a tool. Of long arguments only the beginning is said.
    fn call(&mut self, name: &str, arguments: &str) {
        self.go_on();
        self.begin_tools();
        let line = call_line(name, arguments);
        self.add(&line);
        self.write(&line);
        let cut = cut_of(arguments, self.counter);
        let tools = &mut self.current().tools;
        tools.cut = more(tools.cut, cut);
    }

    /// From now on what the model writes itself is counted beside what tools write, first what it has said before: most
    /// turns have no tools, and need no second count.
    fn begin_tools(&mut self) {
        let Turn { place, user, reply, .. } = *self.current();
        if self.tools != ToolUse::None {
            return;
        }
        self.tools = ToolUse::Called;
        // What cannot be read is told once all is said.
        let said = self.texts.text(place + u64::from(user), reply as usize).unwrap_or_default();
        self.write(&said);
        // No tokens of its own would mean that all are.
        let tools = &mut self.current().tools;
        tools.own = tools.own.max(1);
    }

    /// Counts what the model writes.
    fn write(&mut self, text: &str) {
        let tokens = self.counter.count(text).0;
        let tools = &mut self.current().tools;
        tools.own = more(tools.own, tokens);
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
        self.begin_tools();
        let held = held_of(text, self.counter, self.limit);
        self.add(&result_line(name, text, held));
        let Some(tokens) = held else { return };
        let pointer = pointer(name, tokens, self.counter);
        let turn = self.current();
        turn.tools.held = more(turn.tools.held, tokens);
        turn.pointers = more(turn.pointers, pointer);
        let place = turn.place;
        if let Some(held) = &mut self.held {
            held.add(place, name, text, more(0, tokens));
        }
    }

    /// The turn under way; a model that speaks first answers nobody.
    fn current(&mut self) -> &mut Turn {
        if self.done.turns.is_empty() || self.next_border.is_some() || self.next_topic.is_some() {
            let border = self.next_border.take();
            self.begin("(begins)", self.now, border);
        }
        let last = self.done.turns.len() - 1;
        &mut self.done.turns[last]
    }
}

/// Tokens with so many more.
fn more(tokens: u32, added: u64) -> u32 {
    tokens.saturating_add(u32::try_from(added).unwrap_or(u32::MAX))
}

/// A length with so many bytes more. No turn has more than four gigabytes that could ever be said again.
fn longer(length: u32, bytes: usize) -> u32 {
    u32::try_from(bytes).map_or(u32::MAX, |bytes| length.saturating_add(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    #[test]
    fn a_pause_is_one_of_everybody_and_another_branch_waits_for_the_person() {
        let hours = |hours: i64| Some(hours * 3_600_000);
        let by = |by: Speaker, at: i64| Event::Said { by, text: "Yes.".to_owned(), at: hours(at) };
        let asked = |at| by(Speaker::Person, at);
        let replied = |at| by(Speaker::Model, at);
        let returned =
            |at| Event::Returned { id: String::new(), text: "ok".to_owned(), at: hours(at) };
        let events = [
            [asked(0), replied(5)],
            [asked(6), returned(20)],
            [asked(21), replied(21)],
            [asked(26), Event::Branched],
            [replied(26), asked(27)],
        ];
        let mut texts = Texts::new().unwrap();
        let mut turns = Turns::new(&Words, 20, &mut texts);
        events.into_iter().flatten().for_each(|event| turns.take(event));
        let part = turns.finish();
        assert_eq!(part.turns.len(), 5);
        assert_eq!(part.borders, [(3, Border::Pause), (4, Border::Branch)].into());
    }

    #[test]
    fn a_model_that_speaks_first_does_so_when_it_speaks() {
        let said = |by, at| Event::Said { by, text: "Yes.".to_owned(), at };
        let begins = |at| {
            let [id, title, project] = [const { String::new() }; 3];
            Event::Begins { id, title, project, at }
        };
        for (begun, replied, expected) in [
            (None, Some(7), Some(7)),
            (Some(3), None, Some(3)),
            (Some(3), Some(7), Some(7)),
            (None, None, None),
        ] {
            let mut texts = Texts::new().unwrap();
            let mut turns = Turns::new(&Words, 100, &mut texts);
            turns.take(begins(begun));
            turns.take(said(Speaker::Model, replied));
            turns.take(said(Speaker::Person, Some(9)));
            let part = turns.finish();
            let at: Vec<Moment> = part.turns.iter().map(|turn| turn.at).collect();
            assert_eq!((at, part.at), (vec![expected, Some(9)], expected));
        }
    }

    #[test]
    fn what_compacts_before_the_answer_does_so_before_that_turn() {
        let said = |by| Event::Said { by, text: "Yes.".to_owned(), at: None };
        let (asked, replied) = (|| said(Speaker::Person), || said(Speaker::Model));
        let compacted = || Event::Compacted(Compaction::default());
        let begins = || {
            let [id, title, project] = [const { String::new() }; 3];
            Event::Begins { id, title, project, at: None }
        };
        let marks = |events: &[Event]| {
            let mut texts = Texts::new().unwrap();
            let mut turns = Turns::new(&Words, 100, &mut texts);
            for event in events {
                turns.take(event.clone());
            }
            let part = turns.finish();
            let marks = part.marks.iter().map(|mark| (mark.turn, mark.is_behind, mark.request));
            (part.turns.len(), marks.collect::<Vec<_>>())
        };
        let between = [asked(), replied(), compacted(), asked(), replied()];
        assert_eq!(marks(&between), (2, vec![(1, true, 0)]));
        let unanswered = [asked(), replied(), asked(), compacted(), asked(), replied()];
        assert_eq!(marks(&unanswered), (2, vec![(1, false, 0)]), "both messages are one turn");
        let at_once = [asked(), replied(), compacted(), asked(), compacted(), replied()];
        assert_eq!(marks(&at_once), (2, vec![(1, true, 0), (1, false, 0)]));
        let elsewhere = [begins(), asked(), replied(), asked(), begins(), compacted(), asked()];
        assert_eq!(marks(&elsewhere), (3, vec![(2, false, 0)]), "of the conversation that begins");
        let returned = || Event::Returned { id: String::new(), text: "ok".to_owned(), at: None };
        let within = [asked(), returned(), replied(), returned(), compacted(), replied()];
        assert_eq!(marks(&within), (1, vec![(0, false, 2)]), "before its third request");
        let goes_on =
            [asked(), Event::Reply(1), replied(), compacted(), Event::Reply(2), replied()];
        assert_eq!(marks(&goes_on), (1, vec![(0, false, 1)]), "before its second request");
        let behind = [asked(), returned(), replied(), returned(), compacted(), asked()];
        assert_eq!(marks(&behind), (2, vec![(1, true, 0)]), "the turn was over");
    }

    #[test]
    fn calls_of_one_reply_are_one_request_wherever_their_results_stand() {
        let called = || Event::Called {
            id: String::new(),
            name: "read".to_owned(),
            arguments: "{}".to_owned(),
            at: None,
        };
        let returned = || Event::Returned { id: String::new(), text: "ok".to_owned(), at: None };
        let said = |by| Event::Said { by, text: "Yes.".to_owned(), at: None };
        let (calls, words) =
            ([called(), called(), said(Speaker::Model)], [1; 3].map(|_| said(Speaker::Model)));
        let rounds = |numbers: [u64; 3], events: &[Event; 3]| {
            let mut texts = Texts::new().unwrap();
            let mut turns = Turns::new(&Words, 100, &mut texts);
            turns.take(said(Speaker::Person));
            for (number, event) in numbers.into_iter().zip(events) {
                let is_call = matches!(event, Event::Called { .. });
                turns.take(Event::Reply(number));
                turns.take(event.clone());
                if is_call {
                    turns.take(returned());
                }
            }
            turns.take(said(Speaker::Person));
            turns.take(Event::Reply(9));
            turns.take(said(Speaker::Model));
            let part = turns.finish();
            assert_eq!(part.turns[1].rounds, 0, "another turn");
            part.turns[0].rounds
        };
        assert_eq!(rounds([1, 1, 2], &calls), 1);
        assert_eq!(rounds([1, 2, 3], &calls), 2);
        assert_eq!(rounds([0, 0, 0], &calls), 2, "nobody knows");
        assert_eq!(rounds([1, 1, 0], &calls), 1);
        assert_eq!(rounds([1, 2, 3], &words), 2, "without a tool between them");
        assert_eq!(rounds([1, 1, 2], &words), 1);
        assert_eq!(rounds([0, 0, 0], &words), 0, "nobody knows");
    }
}
