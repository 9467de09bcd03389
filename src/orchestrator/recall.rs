//! Recall: what this message needs of all that was ever said is in the window when it is answered (design
//! section 4a). And the search that the model and people call.

mod ahead;
mod before;
mod compare;
mod keeper;
mod later;
mod names;
mod near;
mod past;
mod replies;
mod search;
mod texts;
mod wanted;
mod worth;

use std::sync::Arc;

use serde_json::json;

use super::answer::{Answer, Refusal};
use super::driver::Driver;
use super::turn::{Progress, Stop};
use crate::clock;
use crate::memory::{
    Change, EffortId, Ended, EntryChange, Faults, Needed, Recalled, ScratchItem, Subject, Tokens,
    knows_nothing,
};
use crate::recall::said::{Date, Hit};
use crate::recall::{MOST_HITS, may_be_meant};
use crate::store::{LogReader, LoggedMessage, SaidReader};

pub(super) use ahead::Ahead;
pub(crate) use ahead::MOST_AHEAD;
pub(super) use compare::Comparing;
pub(super) use keeper::SaidKeeper;
use keeper::Sought;
pub use past::{PastSaid, search_all};
pub use search::{Found, FoundKind, FoundPassage, found_json, found_line};
use texts::Texts;
use wanted::Wanted;
pub use worth::Recallable;
use worth::{calls, what_it_is_about};

/// Messages of a log that are told at once.
const MOST_TOLD: u64 = 20;

/// What was looked up since the last answer.
#[derive(Debug, Default)]
pub(super) struct LookedUp {
    /// How often something was found that was not in the window.
    passages: u64,
    /// Efforts whose logs were put into the window, unless that was undone.
    pub(super) logs: Vec<EffortId>,
}

impl LookedUp {
    fn count(self) -> u64 {
        self.passages + self.logs.len() as u64
    }
}

impl Driver {
    /// Begins to keep the index of everything said.
    pub(super) fn keep_said(&mut self, reader: LogReader) {
        let logs = SaidReader::new(reader);
        self.said_logs = Some(logs.clone());
        let (wanted, notices) = (self.all_wanted(), self.notices.clone());
        self.said = Some(SaidKeeper::start(logs, wanted, notices, self.beside.clone()));
    }

    fn all_wanted(&self) -> Vec<Wanted> {
        Wanted::all(&self.memory, &Arc::new(self.store.scratchpad().reader()))
    }

    /// Before the first request of a turn: the best of what was said before, for this message.
    ///
    /// # Errors
    /// The user cancelled while texts were compared.
    pub(super) async fn recall(&mut self, progress: &mut Progress) -> Result<(), Stop> {
        if self.memory.rules().recall() == Tokens(0) {
            return Ok(());
        }
        self.take_found_ahead();
        let (about, mut hits) = self.hits_for_what_it_is_about(&progress.user).await;
        progress.about = Arc::clone(&about);
        if self.settings.embedding_model().is_some() && may_be_meant(&about, &hits) {
            hits = self.compare(&about, hits, progress).await?;
        }
        self.look_ahead();
        let mut found = self.worth_recalling(&about, &hits);
        let still_meant = std::mem::take(&mut progress.still_meant);
        self.add_still_meant(&progress.user, still_meant, &hits, &mut found).await;
        self.add_later(&about, &hits, &mut found);
        let today = self.day();
        self.memory.recall(found, &today);
        Ok(())
    }

    /// What would be recalled for a message by its words, to be looked at: nothing comes of it, and nobody is asked
    /// what it means.
    pub(super) async fn recallable(&mut self, message: &Arc<str>) -> Recallable {
        if message.is_empty() || self.memory.rules().recall() == Tokens(0) {
            return Recallable::default();
        }
        let (about, hits) = self.hits_for_what_it_is_about(message).await;
        let may_be_meant = may_be_meant(&about, &hits);
        let mut found = self.worth_recalling(&about, &hits);
        let still_meant = self.still_meant(message);
        self.add_still_meant(message, still_meant, &hits, &mut found).await;
        self.add_later(&about, &hits, &mut found);
        Recallable { found, may_be_meant }
    }

    /// Adds what was said later of whom or what is named there.
    fn add_later(&self, about: &str, hits: &[Hit], found: &mut Vec<Recalled>) {
        if let Some(texts) = self.texts() {
            texts.add_later(about, hits, found);
        }
    }

    /// What the turn that has just ended missed.
    pub(super) async fn page_faults(
        &mut self,
        ended: &Ended,
        progress: &Progress,
        reply: &str,
    ) -> Faults {
        let is_findable = knows_nothing(reply) && self.has_more_for(&progress.about).await;
        let looked_up = std::mem::take(&mut self.requests.looked_up).count();
        let recalled = self.memory.recalled().iter().filter_map(|one| one.effort.as_ref());
        let recalled: Vec<&EffortId> = recalled.collect();
        Faults::of(&Needed {
            looked_up,
            changes: &ended.changes,
            recalled: &recalled,
            reply,
            is_findable,
        })
    }

    /// Whether something was said that is worth recalling for a message and was not recalled.
    async fn has_more_for(&mut self, message: &str) -> bool {
        let hits = self.hits_for(message).await;
        let known = self.memory.recalled();
        let is_new = |one: &Recalled| !known.iter().any(|known| known.text == one.text);
        self.worth_recalling(message, &hits).iter().any(is_new)
    }

    /// What a message is about, and what that means of all that was said.
    async fn hits_for_what_it_is_about(&mut self, message: &Arc<str>) -> (Arc<str>, Vec<Hit>) {
        let (about, goes_on) = what_it_is_about(&self.memory, message);
        let mut hits = self.hits_for(&about).await;
        if let Some(texts) = self.texts().filter(|_| goes_on) {
            texts.leave_out_what_is_there(&mut hits);
        }
        (about, hits)
    }

    /// What a message means of all that was said; nothing where none of it could be worth recalling.
    async fn hits_for(&mut self, message: &str) -> Vec<Hit> {
        if !calls(&self.memory, message) {
            return Vec::new();
        }
        let sought = Sought::new(message, MOST_HITS, self.today());
        let (mut hits, names_are_told) = match (self.found_ahead(&sought), &mut self.said) {
            (Some(found), _) => (found.hits, found.names_are_told),
            (None, Some(said)) => (said.search(sought).await, false),
            (None, None) => return Vec::new(),
        };
        if let Some(texts) = self.texts().filter(|_| !names_are_told) {
            texts.tell_names(message, &mut hits);
        }
        hits
    }

    /// The day from which "yesterday" counts: that of a turn which is told again, else the present one.
    fn today(&self) -> Option<Date> {
        self.day().parse().ok()
    }

    /// That day in figures, such as `2026-01-31`; empty where nobody told when it was.
    pub(super) fn day(&self) -> String {
        self.store.day_of_turn().unwrap_or_else(clock::today)
    }

    fn worth_recalling(&self, message: &str, hits: &[Hit]) -> Vec<Recalled> {
        self.texts().map_or_else(Vec::new, |texts| texts.worth_recalling(message, hits))
    }

    /// Searches everything said in this session, or in all. The best match counts as mentioned; the others were
    /// only looked at.
    pub(super) async fn search(
        &mut self,
        query: &str,
        all: bool,
        page: usize,
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        let most = match self.settings.embedding_model() {
            // What is ranked anew must be the same for each page, or one shows again what another showed.
            Some(_) => search::MOST_RESULTS,
            None => (page.saturating_mul(search::PER_PAGE) + 1).min(search::MOST_RESULTS),
        };
        let today = self.today();
        self.take_back_ahead();
        let hits = match &mut self.said {
            Some(said) => said.search(Sought::new(query, most, today)).await,
            None => Vec::new(),
        };
        let hits = self.compare(query, hits, progress).await.map_err(Refusal::Stop)?;
        let mut found =
            self.texts().map_or_else(Vec::new, |texts| search::found(&texts, query, &hits));
        // What nothing was found of was never there to be missed.
        let is_away = !found.is_empty() && self.is_away(&hits);
        self.requests.looked_up.passages += u64::from(page == 1 && is_away);
        if let Some(best) = found.first().filter(|_| page == 1) {
            match best.kind.clone() {
                FoundKind::Effort(id, _) => {
                    let returned = self.memory.refresh(&id, "found by search");
                    self.apply(returned.into_iter().collect(), progress);
                }
                FoundKind::Note(note, _) => self.found_note(note, progress),
                FoundKind::Ambient | FoundKind::Text => {}
            }
        }
        if all {
            found = search::merged(found, self.search_others(query, most).await);
        }
        Ok(search::page(query, &found, page, &*self.memory.counter()))
    }

    /// Whether the best of what was found is not in the window.
    fn is_away(&self, hits: &[Hit]) -> bool {
        let best = hits.first().and_then(|hit| Some((hit, hit.passages.first()?)));
        let (Some((hit, passage)), Some(texts)) = (best, self.texts()) else { return false };
        !texts.in_window(&hit.source, passage)
    }

    async fn search_others(&self, query: &str, most: usize) -> Vec<Found> {
        let (own, settings) = (self.store.dir().to_owned(), self.settings.clone());
        let (query, counter) = (query.to_owned(), self.memory.counter());
        let search = move || {
            let root = own.parent().unwrap_or(&own);
            past::search_all(root, Some(&own), &settings, &counter, &query, most)
        };
        tokio::task::spawn_blocking(search).await.unwrap_or_default()
    }

    /// Some messages of an effort's log, as the result of a call; the effort counts as mentioned.
    pub(super) fn tell_messages(
        &mut self,
        id: &str,
        (first, last): (u64, u64),
        progress: &mut Progress,
    ) -> Result<Answer, Refusal> {
        let effort = self.memory.lookup(id)?;
        let (id, all) = (effort.id.clone(), effort.raw_messages);
        let logs = SaidReader::new(self.store.reader());
        let messages = logs.messages(Some(&id), first - 1..last.min(first + MOST_TOLD - 1))?;
        if messages.is_empty() {
            return Err(Refusal::of(format!(
                "{id} has {all} messages; there is none numbered {first}"
            )));
        }
        self.requests.looked_up.passages += u64::from(self.memory.is_away(&id));
        let returned = self.memory.refresh(&id, "read again");
        self.apply(returned.into_iter().collect(), progress);
        let last = first - 1 + messages.len() as u64;
        let text = texts::lines(&messages);
        let for_model = json!({
            "id": id.as_str(), "messages": format!("{first}-{last}"), "of": all, "text": text,
        });
        Ok(Answer {
            for_model,
            for_people: format!("{id}, messages {first} to {last} of {all}:\n{text}"),
        })
    }

    fn texts(&self) -> Option<Texts<'_>> {
        let (memory, pad) = (&self.memory, self.store.scratchpad());
        self.said_logs.as_ref().map(|logs| Texts { memory, logs, pad })
    }

    /// What changes did is found from now on.
    pub(super) fn index_changes(&mut self, changes: &[Change]) {
        self.index_ended(changes, None, &[]);
    }

    /// The same at the end of a turn that was logged, with its messages.
    pub(super) fn index_ended(
        &mut self,
        changes: &[Change],
        log: Option<&EffortId>,
        logged: &[LoggedMessage],
    ) {
        let newest = |id| if log == Some(id) { self.to_index(logged) } else { Vec::new() };
        let effort = |id| match self.memory.effort(id) {
            Some(effort) => Wanted::effort(effort).with_newest(newest(id)),
            None => Wanted::gone(Some(id)),
        };
        let mut wanted: Vec<Wanted> = Vec::new();
        for change in changes {
            if let Some(edit) = &change.note {
                wanted.push(Wanted::note(&edit.after));
            } else if let Some(id) = change.effort().filter(|_| rewords(change)) {
                wanted.push(effort(id));
            }
        }
        // Within a turn they wait for its end: a text that was just sent is not to be recalled for itself.
        if self.memory.current_turn() == self.memory.turn() {
            wanted.extend(self.new_texts(changes));
        }
        if wanted.is_empty() || !self.is_news(&wanted) {
            return;
        }
        if let Some(said) = &mut self.said {
            said.take_in(wanted);
        }
    }

    /// The exchange that just ended is found from now on, and the texts that came up in its turn.
    pub(super) fn index_turn(
        &mut self,
        log: Option<&EffortId>,
        logged: &[LoggedMessage],
        changes: &[Change],
    ) {
        let texts = self.new_texts(changes);
        if self.was_expected(log, logged) && (texts.is_empty() || !self.is_news(&texts)) {
            return;
        }
        let effort = log.and_then(|id| self.memory.effort(id));
        let exchange = effort.map_or_else(|| Wanted::ambient(&self.memory), Wanted::effort);
        let exchange = exchange.with_newest(self.to_index(logged));
        let wanted = std::iter::once(exchange).chain(texts).collect();
        let (memory, pad) = (&self.memory, self.store.scratchpad());
        let all = || Wanted::all(memory, &Arc::new(pad.reader()));
        if let Some(said) = &mut self.said {
            said.take_in(wanted);
            said.settle(all);
        }
    }

    /// The messages of a turn that need not be read. Where somebody watches, another program may have written to the
    /// log meanwhile: what it holds is what counts.
    fn to_index(&self, logged: &[LoggedMessage]) -> Vec<LoggedMessage> {
        if self.is_watched { Vec::new() } else { logged.to_vec() }
    }

    fn new_texts(&self, changes: &[Change]) -> Vec<Wanted> {
        let keys: Vec<&Arc<str>> = changes.iter().filter_map(changed_text).collect();
        // A long session keeps many texts, and few turns bring any.
        if keys.is_empty() {
            return Vec::new();
        }
        let is_new = |item: &&ScratchItem| keys.contains(&&item.key) && !item.is_archive();
        let new: Vec<&ScratchItem> = self.memory.scratchpad().iter().filter(is_new).collect();
        let pad = (!new.is_empty()).then(|| Arc::new(self.store.scratchpad().reader()));
        let text = |item| Wanted::text(item, pad.as_ref()?);
        new.into_iter().filter_map(text).collect()
    }
}

/// The text that a change is about.
fn changed_text(change: &Change) -> Option<&Arc<str>> {
    match &change.subject {
        Subject::Text(key) => Some(key),
        _ => None,
    }
}

/// Whether a change may have given an effort other words.
fn rewords(change: &Change) -> bool {
    change.kind.row().entry == EntryChange::Whole
}
