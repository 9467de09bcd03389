//! Sessions of Claude Code: a record a line, tied into a tree by `parentUuid`. Read twice: the first time for the
//! branch that was gone on with, the second time for what is on it.

mod chain;
mod pairing;
mod recent;
mod record;
mod tie;
mod tree;

use std::collections::{HashMap, HashSet};
use std::io;

use serde_json::{Value, json};

use super::injected::{told_by_a_task, typed_as_a_result, typed_into_claude_code};
use super::usage::{self, Place, Said};
use super::value::{self, count, hash, list, number_of, plain, text, without_words};
use super::{
    Bytes, Compaction, Error, Event, Ledger, SAID_ALREADY, Speaker, Take, Tally, Used, lines,
};
use chain::Chain;
use pairing::Pairing;
use recent::Recent;
use record::Record;

/// The model of replies that the program wrote itself.
const SYNTHETIC: &str = "<synthetic>";

/// How the summary of a compaction begins.
const CONTINUED: &str = "This session is being continued from a previous conversation";

/// Reads one session.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let chain = Chain::of(source)?;
    let mut tally = Tally::default();
    let (told, recent) = (Told::default(), Recent::default());
    let paid = Paid::default();
    let mut session = Session { take, ledger, chain, told, recent, paid };
    session.read(source, &mut tally)?;
    Ok(tally)
}

/// What has been told so far.
#[derive(Debug, Default)]
struct Told {
    begun: bool,
    /// Which session of the file it is of, from 1; 0 before the first.
    session: u32,
    /// Another session told what is being told.
    is_copy: bool,
    /// A reply whose lines are still coming: its message and its words.
    reply: Option<(String, String, super::Moment)>,
    /// What replies said, a number for each block: a reply may be written again.
    blocks: HashSet<u64>,
    /// The branch of the repository in which the person spoke last.
    branch: Option<String>,
    /// A compaction whose summary may come with the next line.
    compaction: Option<Compaction>,
    /// That one is of another session.
    is_copied_compaction: bool,
    /// Which results have calls.
    pairing: Pairing,
    /// What was typed since the person's last message while the model worked, a number each.
    queued: HashSet<u64>,
    /// What was said when, a number each, for the files that follow: within a file, who says the same again means it.
    alike: Vec<u64>,
}

impl Told {
    /// Whether the person went on in another branch.
    fn is_elsewhere(&mut self, branch: Option<&str>) -> bool {
        let Some(branch) = branch else { return false };
        let before = self.branch.replace(branch.to_owned());
        before.is_some_and(|before| before != branch)
    }

    /// Whether this reply said this before; from now on it did.
    fn knows(&mut self, reply: &str, block: &Value) -> bool {
        !reply.is_empty() && !self.blocks.insert(hash((reply, block)))
    }
}

/// Where the lines of replies stand in the ledger.
#[derive(Debug, Default)]
struct Paid {
    /// Those that do not tell both their message and its request.
    lines: HashMap<u64, Place>,
    /// The one before this line.
    last: Option<Place>,
}

struct Session<'a, 't> {
    take: &'a mut Take<'t>,
    ledger: &'a mut Ledger,
    chain: Chain,
    told: Told,
    recent: Recent,
    paid: Paid,
}

impl Session<'_, '_> {
    fn read(&mut self, source: &dyn Bytes, tally: &mut Tally) -> io::Result<()> {
        let outcome = lines::each(source, tally, |line, record: Record, tally| {
            self.count_usage(&record);
            let message = record.message.as_ref();
            let left_out = message.map(|message| without_words(&message["content"]));
            match self.tell(line.number, record) {
                Ok(()) => tally.leave_out(left_out.into_iter().flatten()),
                Err(kind) => tally.skip(kind.as_deref().unwrap_or("without a type")),
            }
        });
        self.flush();
        self.give_up();
        self.told.alike.drain(..).for_each(|number| self.ledger.said().add(number));
        outcome
    }

    /// Tells of a record; the error is the kind of one that is not used.
    fn tell(&mut self, number: u64, record: Record) -> Result<(), Option<String>> {
        let skipped = |kind: &str| Err(Some(kind.to_owned()));
        let Some(session) = self.chain.session(number) else {
            return match self.chain.repeats(number) {
                _ if record.is_sidechain => skipped("of a subagent"),
                Some(true) => skipped("repeated"),
                Some(false) => skipped("written again"),
                None if record.is_said() => skipped("on another branch"),
                None => Err(record.kind),
            };
        };
        self.enter(session);
        let said = self.ledger.said();
        // Moments of whole seconds tell nothing.
        let is_known_by = !said.is_alone() && self.chain.is_exact;
        let alike = if is_known_by { record.likeness() } else { None };
        let numbers = [record.uuid.as_deref().map(Said::number), alike];
        if numbers.into_iter().flatten().any(|number| said.holds(number)) {
            self.copy(record);
            return skipped(SAID_ALREADY);
        }
        let told = self.tell_first(record);
        if told.is_ok() {
            let [own, alike] = numbers;
            if let Some(number) = own {
                self.ledger.said().add(number);
            }
            self.told.alike.extend(alike);
        }
        told
    }

    /// Tells of a record of the conversation.
    fn tell_first(&mut self, record: Record) -> Result<(), Option<String>> {
        self.begin(&record);
        self.recent.take(&record);
        match record.kind.as_deref() {
            Some("assistant") => self.tell_reply(&record),
            Some("user") => self.tell_user(&record),
            Some("system") if record.subtype.as_deref() == Some("compact_boundary") => {
                self.flush();
                let kept = self.recent.kept_by(&record);
                self.told.compaction = Some(Compaction { kept, ..record.compaction() });
                self.told.is_copied_compaction = self.told.is_copy;
                Ok(())
            }
            Some("system") => Err(Some("system".to_owned())),
            Some("attachment") => self.tell_queued(&record),
            _ => Err(record.kind),
        }
    }

    /// Tells what came while the model worked: what was typed, or the end of a background task. A message of its own may tell
    /// it once more.
    fn tell_queued(&mut self, record: &Record) -> Result<(), Option<String>> {
        let is_told = record.queued().is_some_and(|queued| {
            let before = std::mem::take(&mut self.told.queued);
            let is_told = match told_by_a_task(&queued.text) {
                Some(result) => {
                    self.tell_task(result, record.at());
                    true
                }
                None if queued.is_typed => {
                    let block = json!({ "type": "text", "text": queued.text });
                    self.tell_block(&block, record)
                }
                None => false,
            };
            self.told.queued = before;
            self.told.queued.extend(is_told.then(|| hash(queued.text.trim())));
            is_told
        });
        if is_told { Ok(()) } else { Err(record.kind.clone()) }
    }

    /// Tells what a background task returned: what the model says next is another request.
    fn tell_task(&mut self, result: &str, at: super::Moment) {
        self.flush();
        self.give_up();
        self.hand_on(Event::Returned { id: String::new(), text: result.to_owned(), at });
    }

    /// Tells of a record that another session told as of what this one goes on from.
    fn copy(&mut self, record: Record) {
        self.flush_reply();
        self.told.is_copy = true;
        // What is not used of it is told where it stands first.
        let _ = self.tell_first(record);
        self.flush_reply();
        self.told.is_copy = false;
    }

    fn hand_on(&mut self, event: Event) {
        match event {
            Event::Reply(_) if self.told.is_copy => {}
            event => {
                let event = self.as_told(event);
                (self.take)(event);
            }
        }
    }

    /// What it is where another session told it.
    fn as_told(&self, event: Event) -> Event {
        if self.told.is_copy { event.copied() } else { event }
    }

    /// Tells a call, and behind it the result that stood before it.
    fn call(&mut self, block: &Value, at: super::Moment) {
        let id = text(block, "id");
        self.hand_on(Event::Called {
            id: id.to_owned(),
            name: text(block, "name").to_owned(),
            arguments: plain(block.get("input")),
            at,
        });
        let result = self.told.pairing.called(id);
        result.into_iter().for_each(&mut *self.take);
    }

    /// Tells a result, or waits for its call.
    fn give_back(&mut self, id: String, text: String, at: super::Moment) {
        let name = id.clone();
        let result = self.as_told(Event::Returned { id, text, at });
        let result = self.told.pairing.returned(&name, result);
        result.into_iter().for_each(&mut *self.take);
    }

    /// Tells the results for which no call comes.
    fn give_up(&mut self) {
        self.told.pairing.give_up().into_iter().for_each(&mut *self.take);
    }

    /// Goes on to another session of the file.
    fn enter(&mut self, session: u32) {
        if self.told.session == session {
            return;
        }
        if self.told.session > 0 {
            self.flush();
            self.give_up();
            self.recent = Recent::default();
        }
        let alike = std::mem::take(&mut self.told.alike);
        self.told = Told { session, alike, ..Told::default() };
    }

    fn begin(&mut self, record: &Record) {
        // What is nothing but a copy begins nothing.
        if self.told.is_copy || std::mem::replace(&mut self.told.begun, true) {
            return;
        }
        self.hand_on(Event::Begins {
            id: record.session_id.clone().unwrap_or_default(),
            title: self.chain.title(self.told.session).to_owned(),
            project: record.cwd.clone().unwrap_or_default(),
            at: record.at(),
        });
    }

    fn tell_reply(&mut self, record: &Record) -> Result<(), Option<String>> {
        if record.is_api_error_message {
            return Err(Some("API error".to_owned()));
        }
        let at = record.at();
        let message = record
            .message
            .as_ref()
            .ok_or_else(|| Some("assistant without a message".to_owned()))?;
        if text(message, "model") == SYNTHETIC {
            return Err(Some("harness text".to_owned()));
        }
        let id = text(message, "id").to_owned();
        let (mut used, mut again, mut other) = (false, false, None);
        for block in blocks(message) {
            match text(&block, "type") {
                "text" | "tool_use" if self.told.knows(&id, &block) => again = true,
                "text" => {
                    self.say(&id, text(&block, "text"), at);
                    used = true;
                }
                "tool_use" => {
                    self.flush();
                    self.hand_on(Event::Reply(number_of(&id)));
                    self.call(&block, at);
                    used = true;
                }
                kind => other = other.or_else(|| Some(kind_of_block(kind))),
            }
        }
        match (used, again) {
            (true, _) => Ok(()),
            (_, true) => Err(Some("written again".to_owned())),
            _ => Err(other.or_else(|| Some("reply without a word".to_owned()))),
        }
    }

    /// Adds to the reply that is coming, or begins the next one.
    fn say(&mut self, id: &str, words: &str, at: super::Moment) {
        match &mut self.told.reply {
            Some((known, said, _)) if known == id && !id.is_empty() => {
                said.push_str("\n\n");
                said.push_str(words);
            }
            _ => {
                self.flush();
                self.told.reply = Some((id.to_owned(), words.to_owned(), at));
            }
        }
    }

    fn tell_user(&mut self, record: &Record) -> Result<(), Option<String>> {
        let at = record.at();
        let message = record.message.clone().unwrap_or(Value::Null);
        // Old records have no mark for it.
        let continued = || value::words(&message["content"]).starts_with(CONTINUED);
        if record.is_compact_summary || self.told.compaction.is_some() && continued() {
            self.flush_reply();
            self.give_up();
            let compaction = self.told.compaction.take().unwrap_or_default();
            let summary = Some(value::words(&message["content"]));
            self.hand_on(Event::Compacted(Compaction {
                summary,
                at: compaction.at.or(at),
                ..compaction
            }));
            return Ok(());
        }
        let words = value::words(&message["content"]);
        if let Some(result) = told_by_a_task(&words) {
            if self.told.queued.remove(&hash(words.trim())) {
                return Err(Some("written again".to_owned()));
            }
            self.tell_task(result, at);
            return Ok(());
        }
        if record.is_meta || record.is_from_harness() {
            return Err(Some("harness text".to_owned()));
        }
        if self.was_queued(&message["content"]) {
            return Err(Some("written again".to_owned()));
        }
        let (mut used, blocks) = (false, blocks(&message));
        let is_result = |block: &Value| text(block, "type") == "tool_result";
        let answers = blocks.iter().any(is_result);
        // Nobody types beside what a tool answers.
        for block in blocks.iter().filter(|block| !answers || is_result(block)) {
            used |= self.tell_block(block, record);
        }
        // A picture that was sent alone.
        let content = &message["content"];
        if !used && value::words(content).trim().is_empty() {
            let said = json!({ "type": "text", "text": value::said(content) });
            used = self.tell_block(&said, record);
        }
        if used { Ok(()) } else { Err(Some("harness text".to_owned())) }
    }

    /// Whether a message tells what was typed while the model worked; each is told again once at most.
    fn was_queued(&mut self, content: &Value) -> bool {
        if self.told.queued.is_empty() {
            return false;
        }
        let typed = typed_into_claude_code(&value::words(content));
        typed.is_some_and(|typed| self.told.queued.remove(&hash(typed.trim())))
    }

    fn tell_block(&mut self, block: &Value, record: &Record) -> bool {
        let typed = match text(block, "type") {
            "tool_result" => return self.tell_result(block, record),
            "text" => typed_into_claude_code(text(block, "text")),
            _ => None,
        };
        let Some(text) = typed else { return false };
        self.flush();
        self.give_up();
        self.told.queued.clear();
        if self.told.is_elsewhere(record.branch()) {
            self.hand_on(Event::Branched);
        }
        self.hand_on(Event::Said { by: Speaker::Person, text, at: record.at() });
        true
    }

    /// The result of a tool, and what the person typed in place of one.
    fn tell_result(&mut self, block: &Value, record: &Record) -> bool {
        let (id, at) = (text(block, "tool_use_id").to_owned(), record.at());
        let words = value::words(&block["content"]);
        self.flush();
        let Some((returned, typed)) = typed_as_a_result(&words) else {
            self.give_back(id, words, at);
            return true;
        };
        self.give_back(id, returned.to_owned(), at);
        self.give_up();
        self.hand_on(Event::Said { by: Speaker::Person, text: typed, at });
        true
    }

    fn flush(&mut self) {
        self.flush_reply();
        if let Some(compaction) = self.told.compaction.take() {
            self.give_up();
            let event = Event::Compacted(compaction);
            (self.take)(if self.told.is_copied_compaction { event.copied() } else { event });
        }
    }

    fn flush_reply(&mut self) {
        if let Some((id, text, at)) = self.told.reply.take() {
            self.give_up();
            self.hand_on(Event::Reply(number_of(&id)));
            self.hand_on(Event::Said { by: Speaker::Model, text, at });
        }
    }

    /// What a reply cost counts on whatever branch it stands.
    fn count_usage(&mut self, record: &Record) {
        let hashed = |id: &Option<String>| id.as_deref().map(hash);
        let uuid = hashed(&record.uuid);
        let message = record.message.as_ref().unwrap_or(&Value::Null);
        let is_asked = !record.is_api_error_message && text(message, "model") != SYNTHETIC;
        let Some(usage) = message.get("usage").filter(|_| is_asked) else {
            let is_between = uuid.is_some() && record.kind.as_deref() != Some("assistant");
            self.paid.last = self.paid.last.filter(|_| !is_between);
            return;
        };
        let used = Used {
            at: record.at(),
            read: count(usage, "cache_read_input_tokens"),
            written: count(usage, "cache_creation_input_tokens"),
            uncached: count(usage, "input_tokens"),
            output: count(usage, "output_tokens"),
        };
        let parent = hashed(&record.parent_uuid);
        let named = parent.and_then(|parent| self.paid.lines.get(&parent)).copied();
        let line = usage::Line {
            message: text(message, "id"),
            request: record.request_id.as_deref().unwrap_or_default(),
            own: record.uuid.as_deref().unwrap_or_default(),
            aside: record.is_sidechain,
            behind: named.or(self.paid.last),
        };
        let Some(place) = self.ledger.reply(&line, &used) else { return };
        self.paid.last = Some(place);
        if line.message.is_empty() || line.request.is_empty() {
            self.paid.lines.extend(uuid.map(|uuid| (uuid, place)));
        }
    }
}

/// What a block is called that tells nothing of the conversation.
fn kind_of_block(kind: &str) -> String {
    match kind {
        "thinking" | "redacted_thinking" => "thinking".to_owned(),
        kind => kind.to_owned(),
    }
}

/// The blocks of a message; a plain text is one of them.
fn blocks(message: &Value) -> Vec<Value> {
    match message.get("content") {
        Some(Value::String(text)) => vec![json!({ "type": "text", "text": text })],
        _ => list(message, "content").to_vec(),
    }
}
