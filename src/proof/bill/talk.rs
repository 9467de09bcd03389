//! Conversations that are made up, the same for the same shape: sentences, messages and replies of the lengths
//! that real chats have, efforts that interleave, asides, mentions of what was earlier, pastes.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use super::words::{COMMON, EVERYDAY, FIRST, SECOND, noun, pick};
use crate::llm::scripted::{ScriptedAnswer, ScriptedCall};
use crate::memory::CountTokens;
use crate::scenario::ScriptedTurn;

/// What kind of conversation it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Plain chat without efforts.
    Plain,
    /// Work in efforts, of which now and then two are open.
    Efforts,
    /// Work in efforts with texts of a few hundred to a few thousand words in every fifth message.
    Pastes,
    /// Efforts with plain chat between them and a paste now and then.
    Mixed,
}

impl Shape {
    /// The word for it in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Efforts => "efforts",
            Self::Pastes => "pastes",
            Self::Mixed => "mixed",
        }
    }
}

/// Replies that a summary or a step of a compression may ask for in one turn.
const SPARE: usize = 4;
const SPARE_STEPS: usize = 24;

/// Different replies that there are for each; they are used round.
const PASSAGES: usize = 64;

/// Different steps of compressions that there are for one topic of a planned conversation.
const STEPS: usize = 8;

/// An effort of the conversation.
#[derive(Debug, Clone)]
struct Topic {
    name: String,
    words: [&'static str; 2],
    /// How many there were before it.
    number: usize,
    /// Turns until it is concluded.
    left: usize,
}

/// The conversation, turn by turn, without an end.
pub(super) struct Talk {
    shape: Shape,
    random: u64,
    topics: usize,
    /// The active one last.
    open: Vec<Topic>,
    concluded: Vec<Topic>,
    /// Turns of plain chat before the next effort.
    gap: usize,
    calls: Vec<ScriptedCall>,
    /// How long messages and replies are, in percent of the usual.
    length: usize,
    summaries: Round,
    steps: Round,
    planned: Option<Planned>,
    is_planned: bool,
}

/// A conversation of so many messages and tokens, all of it in so many efforts, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Messages of the user.
    pub messages: u64,
    /// Tokens of all messages and replies together.
    pub tokens: u64,
    /// Efforts; 0 for plain chat without any.
    pub phases: u64,
    /// Which of the conversations of this size.
    pub nth: u64,
    /// What of it the user says, in percent.
    pub own_percent: u64,
}

/// Turns that an expanded log stays, as the seeds say: nobody looks into one just before a phase ends.
const LOOKED_AT: u64 = 3;

impl Plan {
    /// How many turns there have been when this phase ends, counted from 0.
    pub fn turns_at_end(&self, phase: u64) -> u64 {
        ((phase + 1) * self.messages).div_ceil(self.phases.max(1))
    }
}

/// How far a planned conversation has come.
struct Planned {
    plan: Plan,
    counter: Arc<dyn CountTokens>,
    messages: u64,
    tokens: u64,
}

impl Planned {
    fn phase(&self, message: u64) -> u64 {
        message * self.plan.phases / self.plan.messages.max(1)
    }

    fn is_first_of_phase(&self) -> bool {
        let is_first = self.messages == 0 && self.plan.phases > 0;
        is_first || self.messages > 0 && self.phase(self.messages) > self.phase(self.messages - 1)
    }

    /// Whether the phase ends with the message after so many more.
    fn ends_within(&self, messages: u64) -> bool {
        let (next, is_in_phase) = (self.messages + 1 + messages, self.plan.phases > 0);
        is_in_phase && next >= self.plan.messages || self.phase(next) > self.phase(self.messages)
    }

    /// Words that a message and its reply have on average, if the rest is to come out right; 100 words are about
    /// 110 tokens.
    fn words(&self) -> u64 {
        let left = self.plan.messages.saturating_sub(self.messages).max(1);
        self.plan.tokens.saturating_sub(self.tokens) / left * 10 / 11
    }
}

/// Texts that are used round.
#[derive(Debug, Default)]
struct Round {
    texts: Vec<String>,
    next: usize,
}

impl Round {
    fn take(&mut self, count: usize) -> Vec<String> {
        let from = self.next;
        self.next += count;
        (from..self.next).map(|at| self.texts[at % self.texts.len()].clone()).collect()
    }
}

impl Iterator for Talk {
    type Item = ScriptedTurn;

    fn next(&mut self) -> Option<ScriptedTurn> {
        if let Some(planned) = self.planned.take() {
            return self.next_of(planned);
        }
        let opening = if self.shape == Shape::Plain { self.chat() } else { self.work() };
        if self.one_in(25) {
            let fact = self.sentence(None);
            self.call("remember", json!({"content": fact, "tags": ["decision"]}));
        }
        let user = self.message(&opening);
        let words = self.reply_words();
        Some(self.answered(user, words))
    }
}

impl Talk {
    /// A conversation with messages and replies of so many percent of the usual length.
    pub(super) fn new(shape: Shape, length: usize) -> Self {
        let mut talk = Self {
            shape,
            random: 0x71DE_5EED,
            topics: 0,
            open: vec![],
            concluded: vec![],
            gap: 2,
            calls: vec![],
            length,
            summaries: Round::default(),
            steps: Round::default(),
            planned: None,
            is_planned: false,
        };
        talk.summaries.texts = (0..PASSAGES).map(|_| talk.passage(40)).collect();
        talk.steps.texts = (0..PASSAGES).map(|_| talk.passage(110)).collect();
        talk
    }

    /// The same, as it is planned.
    pub(super) fn planned(mut self, plan: Plan, counter: Arc<dyn CountTokens>) -> Self {
        self.random ^= plan.nth << 32;
        self.is_planned = true;
        self.planned = Some(Planned { plan, counter, messages: 0, tokens: 0 });
        self
    }

    fn next_of(&mut self, mut planned: Planned) -> Option<ScriptedTurn> {
        if planned.messages >= planned.plan.messages {
            return None;
        }
        let is_last = planned.messages + 1 == planned.plan.messages;
        let percent = if is_last { 100 } else { 40 + self.below(121) as u64 };
        let words = (planned.words() * percent / 100) as usize;
        let mut user = self.planned_opening(&planned);
        let share = planned.plan.own_percent as usize * 2;
        let own = words * (share / 5 + self.below(share * 3 / 5)) / 100;
        self.talk(&mut user, own.max(2));
        let turn = self.answered(user, words.saturating_sub(own).max(2));
        let reply = turn.model.last().map_or("", |answer| &answer.text);
        planned.tokens += (planned.counter.count(&turn.user) + planned.counter.count(reply)).0;
        planned.messages += 1;
        self.planned = Some(planned);
        Some(turn)
    }

    fn planned_opening(&mut self, planned: &Planned) -> String {
        if planned.is_first_of_phase() {
            return self.begin();
        }
        if planned.ends_within(0) {
            return self.conclude();
        }
        match self.below(25) {
            0 if self.concluded.len() > 2 && !planned.ends_within(LOOKED_AT) => self.look_again(),
            1 | 2 if self.concluded.len() > 2 => self.mention(),
            _ => self.chat(),
        }
    }

    fn chat(&mut self) -> String {
        if self.one_in(12) { "By the way, something else.".to_owned() } else { String::new() }
    }

    /// What happens to efforts in this turn; returns how its message begins.
    fn work(&mut self) -> String {
        if self.open.is_empty() && self.gap > 0 {
            self.gap -= 1;
            return self.chat();
        }
        if self.open.is_empty() || (self.open.len() == 1 && self.one_in(14)) {
            return self.begin();
        }
        if self.open.last().is_some_and(|topic| topic.left == 0) {
            return self.conclude();
        }
        if let Some(topic) = self.open.last_mut() {
            topic.left -= 1;
        }
        match self.below(20) {
            0 | 1 if self.open.len() > 1 => self.turn_to_other(),
            2 if self.concluded.len() > 2 => self.look_again(),
            3 | 4 if self.concluded.len() > 2 => self.mention(),
            5 | 6 => "By the way, before we go on.".to_owned(),
            _ => String::new(),
        }
    }

    fn begin(&mut self) -> String {
        let number = self.topics;
        let words = if self.is_planned {
            [0, 1].map(|at| noun(number, at))
        } else {
            [pick(&FIRST, number * 7 + number / 16), pick(&SECOND, number * 5)]
        };
        let name = format!("{}-{}-{number}", words[0], words[1]);
        let left = 5 + self.below(9);
        self.topics += 1;
        self.call("open_effort", json!({ "name": name }));
        let opening = format!("Let us start on {name}.");
        self.open.push(Topic { name, words, number, left });
        if self.is_planned {
            self.steps.texts = (0..STEPS).map(|_| self.passage(110)).collect();
        }
        opening
    }

    fn conclude(&mut self) -> String {
        if self.is_planned {
            self.summaries.texts = vec![self.passage(40)];
        }
        let Some(topic) = self.open.pop() else { return String::new() };
        self.call("close_effort", json!({ "id": topic.name }));
        self.gap = if self.shape == Shape::Mixed { self.below(12) } else { self.below(4) };
        let opening = format!("That is all for {}, please close it.", topic.name);
        self.concluded.push(topic);
        opening
    }

    fn turn_to_other(&mut self) -> String {
        self.open.rotate_right(1);
        let Some(topic) = self.open.last() else { return String::new() };
        let name = topic.name.clone();
        self.call("switch_effort", json!({ "id": name }));
        format!("Back to {name} for now.")
    }

    fn look_again(&mut self) -> String {
        let name = self.earlier().name;
        self.call("expand_effort", json!({ "id": name }));
        format!("What exactly did we say in {name}? Please look again.")
    }

    fn mention(&mut self) -> String {
        let [first, second] = self.earlier().words;
        format!("This reminds me of the {first} and its {second}.")
    }

    /// One of the efforts concluded lately, rarely an old one.
    fn earlier(&mut self) -> Topic {
        let reach = if self.one_in(5) { self.concluded.len() } else { 4.min(self.concluded.len()) };
        let back = 1 + self.below(reach);
        self.concluded[self.concluded.len() - back].clone()
    }

    /// The user's message behind its beginning.
    fn message(&mut self, opening: &str) -> String {
        let words = match self.below(10) {
            0 => 2 + self.below(6),
            1 | 2 => 60 + self.below(90),
            _ => 12 + self.below(44),
        };
        let mut text = opening.to_owned();
        self.talk(&mut text, self.scaled(words));
        if self.is_pasted() {
            let lines = 30 + self.below(50) * (1 + self.below(6));
            text.push_str(" Here is the text:\n");
            for line in 0..lines {
                let words = 6 + self.below(10);
                let _ = write!(text, "{line:04} ");
                self.words(&mut text, words);
                text.push('\n');
            }
        }
        text
    }

    fn is_pasted(&mut self) -> bool {
        match self.shape {
            Shape::Plain | Shape::Efforts => false,
            Shape::Pastes => self.one_in(5),
            Shape::Mixed => self.one_in(20),
        }
    }

    /// What the model does: its calls, then a reply.
    fn answered(&mut self, user: String, words: usize) -> ScriptedTurn {
        let calls = std::mem::take(&mut self.calls);
        let mut model = Vec::new();
        if !calls.is_empty() {
            model.push(ScriptedAnswer { calls, ..ScriptedAnswer::default() });
        }
        let mut text = String::new();
        self.talk(&mut text, words);
        model.push(ScriptedAnswer { text, ..ScriptedAnswer::default() });
        let summaries = self.summaries.take(SPARE);
        let compressions = match self.shape {
            Shape::Plain => vec![],
            _ => self.steps.take(SPARE_STEPS),
        };
        ScriptedTurn { user, model, summaries, compressions, ..ScriptedTurn::default() }
    }

    fn reply_words(&mut self) -> usize {
        let words = match self.below(10) {
            0 => 20 + self.below(40),
            1 | 2 => 320 + self.below(260),
            _ => 90 + self.below(210),
        };
        self.scaled(words)
    }

    fn scaled(&self, words: usize) -> usize {
        (words * self.length / 100).max(2)
    }

    fn passage(&mut self, words: usize) -> String {
        let mut text = String::new();
        self.talk(&mut text, words);
        text
    }

    /// Sentences of so many words together.
    fn talk(&mut self, text: &mut String, mut words: usize) {
        let topic = self.open.last().map(|topic| topic.words);
        while words > 0 {
            if !text.is_empty() {
                text.push(' ');
            }
            let sentence = self.sentence(topic);
            words = words.saturating_sub(sentence.split(' ').count());
            text.push_str(&sentence);
        }
    }

    /// A sentence, every third of which is about its topic in so many words.
    fn sentence(&mut self, topic: Option<[&'static str; 2]>) -> String {
        let mut text = String::new();
        let before = 2 + self.below(8);
        self.words(&mut text, before);
        if let Some([first, second]) = topic.filter(|_| self.one_in(3)) {
            let _ = write!(text, " the {first} {second} ");
        } else {
            text.push_str(if self.one_in(3) { ", " } else { " " });
        }
        let after = 3 + self.below(12);
        self.words(&mut text, after);
        let first = text.remove(0).to_ascii_uppercase();
        format!("{first}{text}{}", if self.one_in(9) { '?' } else { '.' })
    }

    fn words(&mut self, text: &mut String, count: usize) {
        for nth in 0..count {
            if nth > 0 {
                text.push(' ');
            }
            let word = self.word();
            text.push_str(word);
        }
    }

    /// A planned conversation is about as many things as it has phases, and says so: every fifth word is one of its
    /// topic's own. The others are about anything and everything.
    fn word(&mut self) -> &'static str {
        let at = self.below(usize::MAX);
        let topic = self.open.last().map(|topic| topic.number);
        match topic.filter(|_| self.is_planned && at.is_multiple_of(5)) {
            Some(topic) => noun(topic, at / 5),
            None if self.is_planned => pick(&EVERYDAY, at),
            None => pick(&COMMON, at),
        }
    }

    fn call(&mut self, name: &str, arguments: Value) {
        self.calls.push(ScriptedCall { name: name.to_owned(), arguments });
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn below(&mut self, end: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 11) % end.max(1) as u64) as usize
    }
}
