//! Carries intents out. The model has no memory of its own between requests: each time it reads how
//! far the turn has come from the calls and results in the request, and goes on from there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::answer::{self, Source};
use super::chatter;
use super::closing;
use super::intent::{Beyond, Intent, Strength};
use super::opening::slug;
use super::recall::{Depth, Query};
use super::reply;
use super::scene::{Done, Scene, best_match};
use super::words::stems_of;

/// The messages before the newest that tell what the work under way is about.
const RECENT: usize = 8;

/// The most calls in a turn.
const MOST_CALLS: usize = 3;

/// Why an intent is not carried out yet.
#[derive(Debug, PartialEq)]
pub(super) enum Pause {
    /// This call has to run first.
    Call { tool: &'static str, arguments: Value },
    /// A call would be needed, but none may be made.
    CannotCall,
    /// A call that was needed has failed; this is for the user.
    Failed(String),
}

type Step = Result<String, Pause>;

/// What a name stands for.
enum Named<'a> {
    /// An open effort.
    Open(&'a str),
    /// An effort that is concluded already.
    Concluded,
    /// A part of the names of these open efforts.
    Part(Vec<&'a str>),
    /// None.
    Unknown,
}

/// A turn under way.
pub(super) struct Turn {
    scene: Scene,
    /// The calls whose results no intent has used yet.
    unused: Vec<Done>,
}

impl Turn {
    pub(super) fn new(scene: Scene) -> Self {
        let unused = scene.done.clone();
        Self { scene, unused }
    }

    /// The reply to an intent, or the call that it needs first.
    pub(super) fn carry_out(&mut self, intent: &Intent) -> Step {
        match intent {
            Intent::Open { topic, strength } => self.open(topic, *strength),
            Intent::Close { said, topic, plain } => self.close(said, topic, *plain),
            Intent::Resume { topic } => self.resume(topic),
            Intent::Status { topic } => self.status(topic),
            Intent::Collapse { topic } => self.collapse(topic),
            Intent::Remember { content } => self.remember(content),
            Intent::Recall(query) => self.recall(query),
            Intent::Question(query) => self.question(query),
            Intent::Greeting => Ok(reply::GREETING.into()),
            Intent::Thanks => Ok(reply::THANKS.into()),
            Intent::About => Ok(reply::ABOUT.into()),
            Intent::Memory => Ok(reply::MEMORY.into()),
            Intent::Beyond(why) => Ok(self.beyond(*why)),
            Intent::Talk => Ok(self.filler()),
        }
    }

    /// The result of the next call of one of these tools, if it has run.
    fn ran(&mut self, tools: &[&str]) -> Option<Done> {
        let at = self.unused.iter().position(|done| tools.contains(&done.tool.as_str()))?;
        Some(self.unused.remove(at))
    }

    fn may_call(&self, tool: &str) -> bool {
        self.scene.tools.iter().any(|name| name == tool) && self.scene.done.len() < MOST_CALLS
    }

    fn call(&self, tool: &'static str, arguments: Value) -> Pause {
        if self.may_call(tool) { Pause::Call { tool, arguments } } else { Pause::CannotCall }
    }

    /// Whether the exchange belongs to no effort: small talk beside the work under way.
    pub(super) fn is_aside(&self, intents: &[Intent]) -> bool {
        let Some(active) = self.scene.active() else { return false };
        let own = super::words::stems(&self.scene.user);
        let log = self.scene.said.iter().rev().take(RECENT).filter(|said| said.by_user);
        let related = std::iter::once(active)
            .chain(log.map(|said| said.text.as_str()))
            .any(|text| !super::words::stems(text).is_disjoint(&own));
        self.scene.done.is_empty()
            && intents.iter().all(|intent| match intent {
                Intent::Talk => chatter::is_chatter(&self.scene.user) && !related,
                Intent::Greeting
                | Intent::Thanks
                | Intent::About
                | Intent::Memory
                | Intent::Beyond(_) => true,
                _ => false,
            })
    }

    fn filler(&self) -> String {
        let filed = self.scene.active().is_some() && !self.is_aside(&[Intent::Talk]);
        reply::filler(&self.scene.user, filed, self.last_reply())
    }

    fn beyond(&self, why: Beyond) -> String {
        reply::beyond(&self.scene.user, why, self.last_reply())
    }

    fn last_reply(&self) -> Option<&str> {
        let last = self.scene.said.iter().rev().find(|said| !said.by_user);
        last.map(|said| said.text.as_str())
    }

    fn open(&mut self, topic: &[String], strength: Strength) -> Step {
        if let Some(done) = self.ran(&["open_effort", "switch_effort", "reopen_effort"]) {
            return self.opened(&done, topic);
        }
        let wanted = stems_of(topic);
        let holds = |id: &&str| is_same_topic(&wanted, id);
        let open = self.scene.open.iter().map(String::as_str).find(holds);
        if let Some(id) = open {
            return self.switch(id);
        }
        if let Some(active) = self.scene.active()
            && self.belongs_to_active(active, &wanted, strength)
        {
            let is_new = self.scene.is_unheard_of(&wanted, RECENT);
            let hint = if is_new { reply::own_topic(active, topic) } else { String::new() };
            return Ok(self.filler() + &hint);
        }
        let name = slug(topic);
        let concluded =
            self.scene.summary_ids().chain(self.scene.expanded.iter().map(String::as_str));
        let known = concluded.into_iter().find(|id| stems_of(&[(*id).to_owned()]) == wanted);
        match known {
            Some(id) => Err(self.call("reopen_effort", json!({ "id": id }))),
            None => Err(self.call("open_effort", json!({ "name": name }))),
        }
    }

    /// An effort of that name may exist without being shown: the error says so.
    fn opened(&mut self, done: &Done, topic: &[String]) -> Step {
        let name = done.id().map_or_else(|| slug(topic), str::to_owned);
        let Some(error) = done.error() else { return Ok(moved(&done.tool, &name)) };
        let way_out = ["reopen_effort", "switch_effort"].into_iter().find(|tool| {
            done.tool == "open_effort" && error.contains(tool) && !error.contains("no effort")
        });
        let Some(tool) = way_out else { return Ok(failed(error)) };
        match self.ran(&[tool]) {
            Some(next) => Ok(next.error().map_or_else(|| moved(tool, &name), failed)),
            None => Err(self.call(tool, json!({ "id": name }))),
        }
    }

    /// Whether a wish is a step of the work under way and no new topic.
    fn belongs_to_active(
        &self,
        active: &str,
        wanted: &BTreeSet<String>,
        strength: Strength,
    ) -> bool {
        let of_active = !super::words::stems(active).is_disjoint(wanted);
        let recent = self.scene.said.iter().rev().take(6);
        let mut recent = recent.map(|said| super::words::stems(&said.text));
        match strength {
            Strength::Weak => true,
            Strength::Work => of_active || recent.any(|said| wanted.is_subset(&said)),
            Strength::Explicit => false,
        }
    }

    fn switch(&self, id: &str) -> Step {
        if self.scene.active() == Some(id) {
            return Ok(format!("We are already on {id}. Go on."));
        }
        Err(self.call("switch_effort", json!({ "id": id })))
    }

    fn close(&mut self, said: &[String], topic: &[String], plain: bool) -> Step {
        if let Some(done) = self.ran(&["close_effort"]) {
            let name = done.id().unwrap_or("it").to_owned();
            let closed = || format!("Concluded {name}. Its summary stays in view for a while.");
            return Ok(done.error().map_or_else(closed, failed));
        }
        let Some(active) = self.scene.active() else {
            return Ok(if plain { reply::NOTHING_OPEN.into() } else { self.filler() });
        };
        match self.to_close(active, said, topic) {
            Named::Open(id) if id == active => Err(self.call("close_effort", json!({}))),
            Named::Open(id) => Err(self.call("close_effort", json!({ "id": id }))),
            Named::Concluded => Ok(reply::CONCLUDED.into()),
            Named::Part(ids) => Ok(reply::which(&ids)),
            Named::Unknown if plain => Ok(format!(
                "I know of no open effort of that name. Open now: {}.",
                self.scene.open.join(", ")
            )),
            Named::Unknown => Ok(format!(
                "I am not sure whether that concludes {active}. If so, say \"close {active}\"."
            )),
        }
    }

    /// What is to be closed: the effort that bears exactly this name; the active one if nothing is named. A
    /// part of a name may mean an effort that nobody meant to close.
    fn to_close<'a>(&'a self, active: &'a str, said: &[String], topic: &[String]) -> Named<'a> {
        let open = self.scene.open.iter().map(String::as_str);
        if let Some(id) = closing::named(said, open.clone()) {
            return Named::Open(id);
        }
        let expanded = self.scene.expanded.iter().map(String::as_str);
        if closing::named(said, self.scene.summary_ids().chain(expanded)).is_some() {
            return Named::Concluded;
        }
        if topic.is_empty() {
            return Named::Open(active);
        }
        let wanted = stems_of(topic);
        let holds = |id: &&str| !wanted.is_empty() && wanted.is_subset(&super::words::stems(id));
        let ids: Vec<&str> = open.filter(holds).collect();
        if ids.is_empty() { Named::Unknown } else { Named::Part(ids) }
    }

    fn resume(&mut self, topic: &[String]) -> Step {
        if let Some(done) = self.ran(&["switch_effort", "reopen_effort"]) {
            return self.opened(&done, topic);
        }
        let wanted = stems_of(topic);
        if let Some(id) = best_match(&wanted, self.scene.open.iter().map(String::as_str)) {
            return self.switch(id);
        }
        let shown = self.scene.summary_ids().chain(self.scene.expanded.iter().map(String::as_str));
        if let Some(id) = best_match(&wanted, shown) {
            return Err(self.call("reopen_effort", json!({ "id": id })));
        }
        let query =
            Query { words: topic.to_vec(), depth: Depth::Summary, search: true, past: true };
        let Some(source) = self.search(&query, false)? else {
            return Ok(reply::NOTHING_FOUND.into());
        };
        let tool = if source.open { "switch_effort" } else { "reopen_effort" };
        Err(self.call(tool, json!({ "id": source.id })))
    }

    fn status(&mut self, topic: &[String]) -> Step {
        let wanted = stems_of(topic);
        let ids = self.scene.open.iter().map(String::as_str).chain(self.scene.summary_ids());
        let id = best_match(&wanted, ids.chain(self.scene.expanded.iter().map(String::as_str)));
        let id = id.map(str::to_owned);
        let Some(done) = self.ran(&["effort_status"]) else {
            let arguments = id.map_or_else(|| json!({}), |id| json!({ "id": id }));
            return Err(self.call("effort_status", arguments));
        };
        if let Some(error) = done.error() {
            return Ok(failed(error));
        }
        Ok(id.map_or_else(|| self.listing(), |id| self.standing(&id)))
    }

    /// The open efforts. Concluded ones are not named: a name would keep each of them in the window.
    fn listing(&self) -> String {
        let concluded = match self.scene.summaries.len() + self.scene.expanded.len() {
            0 => String::new(),
            1 => " One concluded effort is in view.".to_owned(),
            count => format!(" {count} concluded efforts are in view."),
        };
        let mut open: Vec<String> = self.scene.open.clone();
        match open.first_mut() {
            None => format!("{}{concluded}", reply::NOTHING_OPEN),
            Some(active) => {
                active.push_str(" (active)");
                format!("Open now: {}.{concluded}", open.join(", "))
            }
        }
    }

    fn standing(&self, id: &str) -> String {
        let state = match () {
            () if self.scene.active() == Some(id) => "open, and active".to_owned(),
            () if self.scene.open.iter().any(|open| open == id) => "open".to_owned(),
            () => match self.scene.summary(id) {
                Some(summary) => format!("concluded. {summary}"),
                None => "concluded, with its full log in view".to_owned(),
            },
        };
        let stop = if state.ends_with(['.', '!', '?', '…']) { "" } else { "." };
        format!("Standing of {id}: {state}{stop}")
    }

    fn collapse(&mut self, topic: &[String]) -> Step {
        if let Some(done) = self.ran(&["collapse_effort"]) {
            let name = done.id().unwrap_or("it").to_owned();
            return Ok(done.error().map_or_else(|| format!("Collapsed {name}."), failed));
        }
        let expanded = &self.scene.expanded;
        let named = best_match(&stems_of(topic), expanded.iter().map(String::as_str));
        let only = expanded.last().map(String::as_str).filter(|_| topic.is_empty());
        match named.or(only) {
            Some(id) => Err(self.call("collapse_effort", json!({ "id": id }))),
            None => Ok(reply::NOTHING_EXPANDED.into()),
        }
    }

    fn remember(&mut self, content: &str) -> Step {
        let Some(done) = self.ran(&["remember"]) else {
            return Err(self.call("remember", json!({ "content": content })));
        };
        let noted = || format!("Noted as {}.", done.id().unwrap_or("a note"));
        Ok(done.error().map_or_else(noted, failed))
    }

    fn question(&mut self, query: &Query) -> Step {
        if query.words.is_empty() && query.depth == Depth::Summary {
            return Ok(self.beyond(Beyond::World));
        }
        self.recall(query)
    }

    fn recall(&mut self, query: &Query) -> Step {
        if let Some(done) = self.ran(&["expand_effort"]) {
            let id = done.id().unwrap_or_default();
            return Ok(done.error().map_or_else(|| self.quote_log(query, id), failed));
        }
        if query.words.is_empty() {
            return self.follow_up(query);
        }
        let logs = self.scene.open.iter().chain(&self.scene.expanded).map(String::as_str);
        let in_window = answer::named(query, logs).map(str::to_owned);
        let in_summaries = answer::named(query, self.scene.summary_ids());
        let no_log = self.scene.open.is_empty() && self.scene.expanded.is_empty();
        let wants_log = query.depth == Depth::Log || (query.depth == Depth::Sentence && no_log);
        let wants_past = query.search || wants_log;
        if in_window.is_none() && (in_summaries.is_some() || wants_past) {
            return self.recall_concluded(query);
        }
        let quotes = answer::quotes(&self.scene, query, in_window.as_deref(), 2);
        let shown = answer::from_summaries(&self.scene, query);
        match (&in_window, shown) {
            _ if !quotes.is_empty() => Ok(quoted(&quotes)),
            (Some(id), _) if self.scene.done.is_empty() => {
                Ok(format!("The full log of {id} is in view. Ask about something in it."))
            }
            (_, Some(_)) => self.recall_concluded(query),
            _ if !answer::is_searchable(query) => Ok(self.beyond(Beyond::World)),
            _ if !query.past && self.scene.active().is_some() => Ok(self.beyond(Beyond::World)),
            _ => self.recall_concluded(query),
        }
    }

    /// "Tell me more": about what the last reply spoke of.
    fn follow_up(&mut self, query: &Query) -> Step {
        let id = self.scene.last_mentioned().map(str::to_owned);
        let id = id.or_else(|| self.scene.expanded.last().cloned());
        let Some(id) = id else {
            let asks_for_log = query.depth > Depth::Summary;
            return Ok(match self.scene.active() {
                Some(active) if asks_for_log => self.tail_of(active),
                _ if asks_for_log => reply::WHICH.into(),
                _ => self.beyond(Beyond::World),
            });
        };
        let words = super::words::words(&id.replace('-', " "));
        self.recall_concluded(&Query { words, ..query.clone() })
    }

    fn recall_concluded(&mut self, query: &Query) -> Step {
        let in_view = answer::from_summaries(&self.scene, query);
        let is_enough = |shown: &Source| !(query.past && answer::lacks_detail(shown, query));
        let is_asked = !query.search && query.depth < Depth::Log;
        if is_asked
            && !in_view.as_ref().is_some_and(is_enough)
            && let Some((id, sentences)) = answer::from_recalled(&self.scene, query)
        {
            return Ok(told_before(&id, &sentences));
        }
        let shown = match in_view {
            Some(shown) if !query.search => Some(shown),
            shown => self.search(query, query.past || query.search)?.or(shown),
        };
        let Some(source) = shown else { return Ok(reply::NOTHING_FOUND.into()) };
        if let Some(kept) = source.kept {
            let the = if kept.starts_with("earlier") { "" } else { "the " };
            return Ok(format!("From {the}{kept}: {}", source.summary));
        }
        if self.scene.expanded.contains(&source.id) || source.open {
            return Ok(self.quote_log(query, &source.id));
        }
        if query.depth > Depth::Summary {
            return Err(self.call("expand_effort", json!({ "id": source.id })));
        }
        let lacks = query.past && source.certain && answer::lacks_detail(&source, query);
        if lacks && self.may_call("expand_effort") {
            return Err(self.call("expand_effort", json!({ "id": source.id })));
        }
        let Source { id, summary, .. } = source;
        Ok(if source.certain {
            format!("From the summary of {id}: {summary}")
        } else {
            format!("The search found only this, in {id}: {summary}")
        })
    }

    /// The effort that a search finds. The search runs once in a turn.
    fn search(&mut self, query: &Query, trust: bool) -> Result<Option<Source>, Pause> {
        let Some(done) = self.ran(&["search_efforts"]) else {
            return Err(self.call("search_efforts", json!({ "query": query.words.join(" ") })));
        };
        match done.error() {
            Some(error) => Err(Pause::Failed(failed(error))),
            None => Ok(answer::from_search(&done, query, trust)),
        }
    }

    /// The last things that were stated about the work under way.
    fn tail_of(&self, active: &str) -> String {
        let stated = answer::statements(&self.scene);
        match &stated[stated.len().saturating_sub(3)..] {
            [] => format!("The full log of {active} is in view now. Ask about anything in it."),
            last => format!("From the log of {active}: {}", sentences(last)),
        }
    }

    fn quote_log(&self, query: &Query, id: &str) -> String {
        let quotes = answer::quotes(&self.scene, query, Some(id), 3);
        if quotes.is_empty() && query.depth == Depth::Summary {
            let asked = query.words.join(" ");
            return format!(
                "The full log of {id} is in view now, and says nothing of \"{asked}\"."
            );
        }
        if quotes.is_empty() && self.scene.open.is_empty() {
            return self.tail_of(id);
        }
        if quotes.is_empty() {
            return format!("The full log of {id} is in view now. Ask about anything in it.");
        }
        format!("From the log of {id}: {}", sentences(&quotes))
    }
}

/// Whether a wish to start names an effort: the same words, or some of the id's and no others.
fn is_same_topic(wanted: &BTreeSet<String>, id: &str) -> bool {
    let own = super::words::stems(id);
    !wanted.is_empty() && wanted.is_subset(&own) || own.len() > 1 && own.is_subset(wanted)
}

/// What was recalled, with where it was said.
fn told_before(id: &str, quotes: &[String]) -> String {
    let place =
        if id == "ambient" { "talk outside efforts".to_owned() } else { format!("talk on {id}") };
    format!("From the {place}: {}", sentences(quotes))
}

fn moved(tool: &str, id: &str) -> String {
    match tool {
        "switch_effort" => format!("Switched to {id}. Go on."),
        "reopen_effort" => format!("Reopened {id}. Go on."),
        _ => format!("Started {id}. What do you have so far?"),
    }
}

fn failed(error: &str) -> String {
    format!("That did not work: {error}")
}

fn quoted(quotes: &[String]) -> String {
    format!("In the log: {}", sentences(quotes))
}

/// Quotes one after the other, each ended.
fn sentences(quotes: &[impl AsRef<str>]) -> String {
    let ended = |quote: &str| {
        let end = if quote.ends_with(['.', '!', '?', ':', '…', '"']) { "" } else { "." };
        format!("{quote}{end}")
    };
    let mut told: Vec<String> = Vec::new();
    for quote in quotes.iter().map(|quote| ended(quote.as_ref().trim())) {
        // A summary may be the log's own words.
        if !told.contains(&quote) {
            told.push(quote);
        }
    }
    told.join(" ")
}
