//! Searching sessions that are only looked at: nothing is written but what their indexes lack, and that only where
//! nobody has the session open.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::search::{self, Found};
use super::texts::Texts;
use super::wanted::Wanted;
use super::worth::{Recallable, calls, what_it_is_about};
use crate::clock;
use crate::config::Settings;
use crate::memory::{CountTokens, Memory, Tokens};
use crate::orchestrator::loading::inspect_to_search;
use crate::recall::said::{Hit, Index};
use crate::recall::{MOST_HITS, may_be_meant};
use crate::store::{self, LogReader, SaidReader, Scratchpad};

/// Everything said in a session that is only looked at; indexed when it is first searched.
pub struct PastSaid {
    logs: SaidReader,
    pad: Arc<Scratchpad>,
    index: OnceLock<Index>,
}

impl PastSaid {
    pub(in crate::orchestrator) fn new(reader: LogReader, pad: Scratchpad) -> Self {
        Self { logs: SaidReader::new(reader), pad: Arc::new(pad), index: OnceLock::new() }
    }

    /// What a query finds, best first; nothing where nothing matches better than chance.
    pub(in crate::orchestrator) fn search(
        &self,
        memory: &Memory,
        query: &str,
        most: usize,
    ) -> Vec<Found> {
        let mut found = search::found(&self.texts(memory), query, &self.hits(memory, query, most));
        found.truncate(most);
        found
    }

    /// What would be recalled for a message by its words.
    pub(in crate::orchestrator) fn recallable(
        &self,
        memory: &Memory,
        message: &Arc<str>,
    ) -> Recallable {
        if message.is_empty() || memory.rules().recall() == Tokens(0) {
            return Recallable::default();
        }
        let (texts, (about, goes_on)) = (self.texts(memory), what_it_is_about(memory, message));
        let may_call = calls(memory, &about);
        let mut hits = if may_call { self.hits(memory, &about, MOST_HITS) } else { Vec::new() };
        texts.tell_names(&about, &mut hits);
        if goes_on {
            texts.leave_out_what_is_there(&mut hits);
        }
        let may_be_meant = may_be_meant(&about, &hits);
        let mut found = texts.worth_recalling(&about, &hits);
        let search = |before: &str| self.hits(memory, before, MOST_HITS);
        texts.add_still_meant(message, &hits, search, &mut found);
        texts.add_later(&about, &hits, &mut found);
        Recallable { found, may_be_meant }
    }

    fn texts<'a>(&'a self, memory: &'a Memory) -> Texts<'a> {
        Texts { memory, logs: &self.logs, pad: &self.pad }
    }

    fn hits(&self, memory: &Memory, query: &str, most: usize) -> Vec<Hit> {
        let index = self.index.get_or_init(|| {
            let mut index = Index::look(&self.logs.index_directory(), clock::micros());
            for one in Wanted::all(memory, &self.pad) {
                one.bring_up(&mut index, &self.logs);
            }
            self.logs.while_closed(|| index.keep());
            index
        });
        index.search(query, most, clock::today().parse().ok())
    }
}

/// What a query finds in all sessions below a directory but one, best first, each result named by its session too. A
/// session that cannot be read has none.
pub fn search_all(
    root: &Path,
    but: Option<&Path>,
    settings: &Settings,
    counter: &Arc<dyn CountTokens>,
    query: &str,
    most: usize,
) -> Vec<Found> {
    let sessions = store::sessions(root).into_iter();
    let others = sessions.filter(|session| but != Some(&*session.directory));
    let mut all = Vec::new();
    for session in others {
        let inspected = inspect_to_search(&session.directory, settings, Arc::clone(counter));
        let found = inspected.map(|inspected| inspected.search(query, most)).unwrap_or_default();
        let named = |found| Found { session: Some(session.name.as_str().into()), ..found };
        all = search::merged(all, found.into_iter().map(named).collect());
    }
    all.truncate(most);
    all
}
