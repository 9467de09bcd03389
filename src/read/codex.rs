//! Rollouts of Codex. Two logs interleave in them, what the model saw and what the screen showed; the person's words
//! are taken from the second and everything else from the first. Read twice: the first time for the era, and for
//! the turns that were taken back.

mod asked;
mod copied;
mod survey;
mod totals;

use std::io;

use serde::Deserialize;
use serde_json::Value;

use super::injected::{is_codex_harness, is_codex_harness_event, typed_into_codex};
use super::usage::{Said, Step, Thread};
use super::value::{self, hash, list, loose_moment, loose_text, plain, text};
use super::{
    Bytes, Compaction, Error, Event, Ledger, Moment, SAID_ALREADY, Speaker, Take, Tally, Used,
    lines,
};
use asked::Asked;
use copied::Copied;
use survey::Survey;
use totals::Totals;

/// A line: in an envelope, or bare as until September 2025.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Record {
    #[serde(rename = "type", deserialize_with = "loose_text")]
    kind: Option<String>,
    #[serde(deserialize_with = "loose_moment")]
    timestamp: Moment,
    payload: Option<Value>,
    #[serde(flatten)]
    bare: serde_json::Map<String, Value>,
}

impl Record {
    /// The kind of the line, its payload, and its own type.
    fn parts(self) -> (String, Value, String) {
        let kind = self.kind.unwrap_or_default();
        let (outer, payload) = match self.payload {
            Some(payload) => (kind, payload),
            None if self.bare.contains_key("record_type") => ("state".to_owned(), Value::Null),
            None if self.bare.contains_key("instructions") => {
                ("session_meta".to_owned(), Value::Object(self.bare))
            }
            None => {
                let mut bare = self.bare;
                bare.insert("type".to_owned(), Value::String(kind));
                ("response_item".to_owned(), Value::Object(bare))
            }
        };
        let inner = text(&payload, "type").to_owned();
        (outer, payload, inner)
    }
}

/// Reads one rollout.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let survey = Survey::of(source)?;
    let mut tally = Tally::default();
    let mut rollout = Rollout {
        take,
        said: ledger.said(),
        survey,
        thread: Thread::default(),
        begins: None,
        copied: Copied::default(),
        asked: Asked::default(),
        window: None,
        counted: None,
        fallen: None,
    };
    rollout.read(source, &mut tally)?;
    let Rollout { said, copied, thread, .. } = rollout;
    copied.remember(&thread, said);
    ledger.thread(thread);
    Ok(tally)
}

struct Rollout<'a, 't> {
    take: &'a mut Take<'t>,
    said: &'a mut Said,
    survey: Survey,
    thread: Thread,
    /// How the conversation begins, until something of its own is told.
    begins: Option<Event>,
    copied: Copied,
    asked: Asked,
    /// Tokens of the newest prompt.
    window: Option<u64>,
    /// The newest running total, and what its line tells of the request alone.
    counted: Option<(Totals, Totals)>,
    /// A total behind it that fell.
    fallen: Option<Totals>,
}

impl Rollout<'_, '_> {
    fn read(&mut self, source: &dyn Bytes, tally: &mut Tally) -> io::Result<()> {
        lines::each(source, tally, |line, record: Record, tally| {
            let at = record.timestamp;
            let (outer, payload, inner) = record.parts();
            let dropped = self.survey.is_taken_back(line.number);
            let left_out = self.copied.left_out;
            let used = match outer.as_str() {
                "session_meta" => self.begin(&payload, at),
                "turn_context" => true,
                "compacted" => self.compacted(&payload, at),
                "event_msg" if inner == "token_count" => self.count_usage(&payload, at),
                _ if dropped => return tally.skip("taken back"),
                _ if self.survey.is_again(line.number) => return tally.skip("written again"),
                "event_msg" => self.tell_event(&payload, &inner, at),
                "response_item" if inner == "message" => {
                    let in_items = self.survey.answers_in_items(line.number);
                    self.tell_message(&payload, in_items, at)
                }
                "response_item" => self.tell_item(&payload, &inner, at),
                _ => false,
            };
            if used {
                tally.leave_out(left_out_of(&payload));
            } else {
                tally.skip(if inner.is_empty() { &outer } else { &inner });
            }
            (left_out..self.copied.left_out).for_each(|_| tally.skip(SAID_ALREADY));
        })?;
        let left_out = self.copied.left_out;
        self.copied.finish();
        (left_out..self.copied.left_out).for_each(|_| tally.skip(SAID_ALREADY));
        Ok(())
    }

    /// Tells what no other rollout told.
    fn tell(&mut self, event: Event) {
        let (begins, take) = (&mut self.begins, &mut *self.take);
        // What is nothing but a copy begins nothing.
        let mut with_begin = |event: Event| {
            let begins = if matches!(event, Event::Copied(_)) { None } else { begins.take() };
            begins.into_iter().chain([event]).for_each(&mut *take);
        };
        self.copied.take(event, &self.thread, self.said, &mut with_begin);
    }

    /// A fork begins with its own line and goes on with a copy of its parent's.
    fn begin(&mut self, meta: &Value, at: Moment) -> bool {
        let id = text(meta, "id");
        let spawned = &meta["source"]["subagent"]["thread_spawn"];
        let parents = [
            text(meta, "forked_from_id"),
            text(meta, "parent_thread_id"),
            text(spawned, "parent_thread_id"),
        ];
        self.thread
            .parents
            .extend(parents.into_iter().filter(|id| !id.is_empty()).map(str::to_owned));
        if !self.thread.id.is_empty() {
            if id != self.thread.id {
                self.thread.parents.insert(id.to_owned());
            }
            return false;
        }
        id.clone_into(&mut self.thread.id);
        self.begins = Some(Event::Begins {
            id: id.to_owned(),
            title: String::new(),
            project: text(meta, "cwd").to_owned(),
            at: value::moment(meta, "timestamp").or(at),
        });
        true
    }

    fn say(&mut self, by: Speaker, text: String, at: Moment) -> bool {
        let said = !text.trim().is_empty();
        if said {
            if by == Speaker::Person {
                self.asked.add(&text);
            }
            self.tell(Event::Said { by, text, at });
        }
        said
    }

    /// The person says what is theirs of a message that the model saw.
    fn ask(&mut self, words: &str, at: Moment) -> bool {
        let typed = typed_into_codex(words);
        !is_codex_harness(words) && self.say(Speaker::Person, typed.to_owned(), at)
    }

    fn tell_event(&mut self, event: &Value, kind: &str, at: Moment) -> bool {
        match kind {
            "user_message" => {
                let words = typed(event);
                !is_codex_harness_event(words) && self.say(Speaker::Person, words.to_owned(), at)
            }
            "item_completed" if self.survey.paginated => {
                let item = &event["item"];
                let words = value::said(&item["content"]);
                match text(item, "type") {
                    "UserMessage" | "user_message" => self.ask(&words, at),
                    "AgentMessage" | "agent_message" => {
                        let words =
                            if words.is_empty() { text(item, "text").to_owned() } else { words };
                        self.say(Speaker::Model, words, at)
                    }
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn tell_item(&mut self, item: &Value, kind: &str, at: Moment) -> bool {
        let event = match kind {
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                Some(Event::Returned {
                    id: text(item, "call_id").to_owned(),
                    text: output(item),
                    at,
                })
            }
            _ => called(item, kind, at),
        };
        let Some(event) = event else { return false };
        self.tell(event);
        true
    }

    /// A message as the model saw it, in a turn in which items may tell what the model says.
    fn tell_message(&mut self, item: &Value, in_items: bool, at: Moment) -> bool {
        let words = value::said(&item["content"]);
        match text(item, "role") {
            "assistant" if !in_items => self.say(Speaker::Model, words, at),
            "user" if !self.survey.tells_asks => self.ask(&words, at),
            _ => false,
        }
    }

    fn compacted(&mut self, payload: &Value, at: Moment) -> bool {
        let summary = text(payload, "message").trim();
        // What stays is told as a history, whose last message is the summary itself: there or here a sentence for the
        // model stands in front of it.
        let is_summary = |event: &Event| {
            let text = event.text().unwrap_or_default().trim();
            let is_told = !summary.is_empty() && !text.is_empty();
            is_told && (text.ends_with(summary) || summary.ends_with(text))
        };
        let beside = if let Some(Value::Array(history)) = payload.get("replacement_history") {
            let mut beside: Vec<Event> = history.iter().filter_map(|item| kept(item, at)).collect();
            beside.pop_if(|event| is_summary(event));
            beside
        } else {
            self.asked.stays(at)
        };
        self.tell(Event::Compacted(Compaction {
            before: self.window,
            summary: Some(summary.to_owned()).filter(|summary| !summary.is_empty()),
            kept: beside,
            at,
            ..Compaction::default()
        }));
        true
    }

    /// A total that did not move tells of no request. What a request took is told twice, by itself and by what the totals
    /// grew; where the two differ, one is damaged, and the smaller one counts. Totals that are those of the request begin
    /// anew with it, as they do when the window overflowed.
    fn count_usage(&mut self, event: &Value, at: Moment) -> bool {
        let told = |key: &str| Some(&event["info"][key]).filter(|usage| !usage.is_null());
        let Some(total) = told("total_token_usage") else { return false };
        let mut before = self.counted.map(|(before, _)| before);
        let last = if let Some(last) = told("last_token_usage") {
            Some(Totals::of(last))
        } else {
            let Ok(base) = self.base_of(total, before) else { return false };
            before = base;
            Totals::grown(total, before.as_ref())
        };
        let (total, Some(last)) = (Totals::of(total), last) else { return false };
        let grown = before.map_or(total, |before| total.since(&before));
        // The same line again, of which either has another total.
        let is_again = (grown.input, grown.output) != (last.input, last.output)
            && self.counted.is_some_and(|(_, before)| before == last);
        if is_again || grown.all == 0 || grown.input == 0 && grown.output == 0 {
            return false;
        }
        let begins_anew = total.counts() == last.counts();
        let took = if begins_anew { last } else { last.at_most(&grown) };
        let used = Used {
            at,
            read: took.cached,
            written: took.written,
            uncached: took.input.saturating_sub(took.cached).saturating_sub(took.written),
            output: took.output,
        };
        self.counted = Some((total, last));
        self.window = Some(used.prompt()).filter(|prompt| *prompt > 0).or(self.window);
        self.thread.steps.push(Step { total: total.all, last: hash(last), used });
        true
    }

    /// The total that one grew from that stands alone; none if that is not known. One that fell begins anew or is damaged,
    /// and if it does not tell its sum, only the next one tells which.
    fn base_of(&mut self, total: &Value, before: Option<Totals>) -> Result<Option<Totals>, ()> {
        let (now, fallen) = (Totals::of(total), self.fallen.take());
        if !Totals::is_summed(total) && !Totals::is_whole(total) {
            return Err(());
        }
        if Totals::is_summed(total) || before.is_none_or(|before| !now.is_below(&before)) {
            return Ok(before);
        }
        match fallen.filter(|fallen| !now.is_below(fallen)) {
            None => {
                self.fallen = Some(now);
                Err(())
            }
            fallen => Ok(fallen),
        }
    }
}

/// What the person typed, or what stands for pictures that were sent alone.
fn typed(event: &Value) -> &str {
    let words = typed_into_codex(text(event, "message"));
    let sent = ["images", "local_images"].iter().any(|key| !list(event, key).is_empty());
    if words.trim().is_empty() && sent { "[image]" } else { words }
}

/// What is told without its pictures and files, by kind.
fn left_out_of(payload: &Value) -> Vec<&'static str> {
    let within = [&payload["content"], &payload["item"]["content"], &payload["output"]];
    let images = ["images", "local_images"].iter().flat_map(|key| list(payload, key));
    within.into_iter().flat_map(value::without_words).chain(images.map(|_| "image")).collect()
}

/// The call that an item is.
fn called(item: &Value, kind: &str, at: Moment) -> Option<Event> {
    let is_call = matches!(
        kind,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "tool_search_call"
    );
    let given = ["arguments", "input", "action"].iter().find_map(|key| item.get(key));
    let name = if text(item, "name").is_empty() { kind } else { text(item, "name") };
    is_call.then(|| Event::Called {
        id: text(item, "call_id").to_owned(),
        name: name.to_owned(),
        arguments: plain(given),
        at,
    })
}

/// The message or call of a history that stands for the one before.
fn kept(item: &Value, at: Moment) -> Option<Event> {
    let by = match (text(item, "type"), text(item, "role")) {
        ("message", "user") => Speaker::Person,
        ("message", "assistant") => Speaker::Model,
        (kind, _) => return called(item, kind, at),
    };
    Some(Event::Said { by, text: value::words(&item["content"]), at })
}

/// What a tool answered: a text, or parts, or JSON in a text that holds the text.
fn output(item: &Value) -> String {
    let output = &item["output"];
    if list(item, "output").is_empty() {
        return plain(Some(output));
    }
    value::words(output)
}
