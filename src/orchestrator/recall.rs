//! Recall: what this message needs of all that was ever said is in the window when it is answered (design
//! section 4a). And the search that the model and people call.

mod compare;
mod keeper;
mod past;
mod search;
mod texts;
mod wanted;

use std::sync::Arc;

use serde_json::json;

use super::answer::{Answer, Refusal};
use super::driver::Driver;
use super::turn::{Progress, Stop};
use crate::memory::{
    Change, EffortId, Ended, EntryChange, Faults, Needed, Recalled, RecalledKind, ScratchItem,
    Subject, Tokens, knows_nothing,
};
use crate::recall::said::{Hit, Passage, Place};
use crate::recall::{
    MOST_HITS, MOST_MEANT, asks, behind, excerpt, in_order, is_meant, may_be_meant, tells,
    worth_recalling,
};
use crate::store::{LogReader, LoggedMessage, SaidReader};

pub(super) use compare::Comparing;
pub(super) use keeper::SaidKeeper;
pub use past::{PastSaid, search_all};
pub use search::{Found, FoundPassage, found_json, found_line};
use texts::{Texts, Told, effort_of, name_of};
use wanted::Wanted;

/// Bytes of a passage that is recalled; of a longer one the part that matches. The first ones for a question are given
/// more room.
const MOST_BYTES: usize = 700;
const FEWER_BYTES: usize = 260;
const FIRST: usize = 3;

/// Words of the message that are named as what matched.
const NAMED: usize = 2;

/// Messages of a log that are told at once.
const MOST_TOLD: u64 = 20;

/// A match that scores less than this part of the best one is not meant where the best one is in the window.
const NEARLY: f64 = 0.8;

/// Efforts that count as mentioned because something of them was recalled.
const MENTIONED: usize = 2;

impl Driver {
    /// Begins to keep the index of everything said.
    pub(super) fn keep_said(&mut self, reader: LogReader) {
        let logs = SaidReader::new(reader);
        self.said_logs = Some(logs.clone());
        let (wanted, notices) = (self.all_wanted(), self.notices.clone());
        self.said = Some(SaidKeeper::start(logs, wanted, notices, self.is_watched));
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
        let (about, mut hits) = self.hits_for_what_it_is_about(&progress.user).await;
        progress.about = Arc::clone(&about);
        if may_be_meant(&about, &hits) {
            hits = self.compare(&about, hits, progress).await?;
        }
        let found = self.worth_recalling(&about, &hits);
        self.memory.recall(found);
        Ok(())
    }

    /// What the turn that has just ended missed.
    pub(super) async fn page_faults(
        &mut self,
        ended: &Ended,
        progress: &Progress,
        reply: &str,
    ) -> Faults {
        let is_findable = knows_nothing(reply) && self.has_more_for(&progress.about).await;
        let looked_up = std::mem::take(&mut self.looked_up);
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

    /// What a message is about, and what that means of all that was said: the message itself, or behind the exchange
    /// before it. That exchange matches itself best, which tells nothing of what is not in the window.
    async fn hits_for_what_it_is_about(&mut self, message: &Arc<str>) -> (Arc<str>, Vec<Hit>) {
        let before = self.memory.last_exchange();
        let both = behind(message, before.iter().map(|message| &*message.content));
        let Some(both) = both else {
            return (Arc::clone(message), self.hits_for(message).await);
        };
        let mut hits = self.hits_for(&both).await;
        if let Some(texts) = self.texts() {
            for hit in &mut hits {
                let Hit { source, passages, .. } = hit;
                passages.retain(|passage| !texts.in_window(source, passage));
            }
        }
        hits.retain(|hit| !hit.passages.is_empty());
        (both.into(), hits)
    }

    /// What a message means of all that was said; nothing where none of it could be worth recalling.
    async fn hits_for(&mut self, message: &str) -> Vec<Hit> {
        // Within an effort only a question calls for anything.
        let may_call = self.memory.active().is_none() || asks(message);
        match self.said.as_mut().filter(|_| may_call) {
            Some(said) => said.search(message, MOST_HITS).await,
            None => Vec::new(),
        }
    }

    fn worth_recalling(&self, message: &str, hits: &[Hit]) -> Vec<Recalled> {
        let worth = worth_recalling(message, hits, self.memory.active().is_some());
        let Some(texts) = self.texts().filter(|_| worth.most > 0) else { return Vec::new() };
        if self.is_answered(&texts, hits) {
            return Vec::new();
        }
        let first = if asks(message) { FIRST } else { 0 };
        let is_wanted = |one: &Passage| worth.fits(message, one) || is_meant(message, one);
        let (mut mentioned, mut meant) = (0, 0);
        let mut found = Vec::new();
        for (hit, passage) in in_order(message, hits, worth) {
            if found.len() >= worth.most {
                break;
            }
            if !is_wanted(passage) || texts.in_window(&hit.source, passage) {
                continue;
            }
            let told = texts.of(&hit.source, passage);
            let Some(told) = told.filter(|told| tells(&told.text)) else { continue };
            meant += usize::from(!passage.holds_any());
            if !passage.holds_any() && meant > MOST_MEANT {
                continue;
            }
            let counts = mentioned < MENTIONED && (found.is_empty() || hit.stands_out());
            mentioned += usize::from(counts);
            let is_first = found.len() < first;
            let most_bytes = if is_first { MOST_BYTES } else { FEWER_BYTES };
            let text = excerpt(&told.text, &passage.words, most_bytes);
            found.push(recalled(hit, passage, Told { text, ..told }, counts));
        }
        found
    }

    /// Whether the log that the talk is about answers already: it stands in the window and nothing matches nearly as well.
    fn is_answered(&self, texts: &Texts<'_>, hits: &[Hit]) -> bool {
        let Some(best) = hits.first() else { return true };
        let is_active = effort_of(&best.source)
            .is_some_and(|id| self.memory.active().is_some_and(|active| active.id == id));
        let is_clear = hits.get(1).is_none_or(|next| next.score < best.score * NEARLY);
        let is_there =
            best.passages.first().is_some_and(|passage| texts.in_window(&best.source, passage));
        is_active && is_clear && is_there
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
        let hits = match &mut self.said {
            Some(said) => said.search(query, most).await,
            None => Vec::new(),
        };
        let hits = self.compare(query, hits, progress).await.map_err(Refusal::Stop)?;
        let mut found = self.texts().map_or_else(Vec::new, |texts| search::found(&texts, &hits));
        self.looked_up += u64::from(page == 1 && self.is_away(&hits));
        if let Some(best) = found.first().filter(|_| page == 1) {
            let (effort, note) = (best.effort.clone(), best.note);
            let returned = effort.and_then(|id| self.memory.refresh(&id, "found by search"));
            self.apply(returned.into_iter().collect(), progress);
            if let Some(note) = note {
                self.found_note(note, progress);
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
        self.looked_up += u64::from(self.memory.is_away(&id));
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
            None => Wanted::gone(id),
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
        if let Some(said) = self.said.as_mut().filter(|_| !wanted.is_empty()) {
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
        let effort = log.and_then(|id| self.memory.effort(id));
        let exchange = effort.map_or_else(|| Wanted::ambient(&self.memory), Wanted::effort);
        let texts = self.new_texts(changes);
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

fn recalled(hit: &Hit, passage: &Passage, told: Told, mentions: bool) -> Recalled {
    let kind = match passage.place {
        Place::Summary => RecalledKind::Summary,
        Place::Messages { .. } => RecalledKind::Passage,
    };
    let words: Vec<String> =
        passage.words.iter().take(NAMED).map(|word| format!("'{word}'")).collect();
    let cause = if words.is_empty() { "its meaning".to_owned() } else { words.join(" and ") };
    Recalled {
        id: name_of(&hit.source),
        effort: effort_of(&hit.source),
        kind,
        turn: told.turn,
        day: told.day,
        cause,
        text: told.text.into(),
        tokens: Tokens(0),
        mentions,
    }
}
