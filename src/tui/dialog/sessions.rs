//! The list of sessions: found by name, title and what was said in them.

use std::sync::Arc;

use super::{Place, Request, drop_last, plain};
use crate::orchestrator::{FoundSession, SessionList};
use crate::tui::keymap::KeyAction;

/// The list of sessions, with a last row that begins a new one.
#[derive(Debug, Clone, Default)]
pub struct SessionPicker {
    /// What is looked for, as typed so far.
    pub query: String,
    /// What was found for `list.query`; `None` before the first answer.
    pub list: Option<Arc<SessionList>>,
    /// The chosen row.
    pub place: Place,
}

impl SessionPicker {
    /// A list that begins with a query; its answer is awaited.
    pub fn new(query: &str) -> Self {
        Self { query: plain(query.trim()), ..Self::default() }
    }

    /// The sessions found so far, an answer to an older query included.
    pub fn found(&self) -> &[FoundSession] {
        self.list.as_ref().map_or(&[], |list| &list.found)
    }

    /// Whether the answer to what is typed is still awaited.
    pub fn is_searching(&self) -> bool {
        self.list.as_ref().is_none_or(|list| list.query != self.query)
    }

    /// Whether a session is the open one.
    pub fn is_current(&self, found: &FoundSession) -> bool {
        let current = self.list.as_ref().and_then(|list| list.current.as_ref());
        current == Some(&found.session.directory)
    }

    /// The name that the last row gives to a new session, if what is typed can be one.
    pub fn new_name(&self) -> Option<&str> {
        match &self.list {
            // Whoever is faster than the search is told later whether the name will do.
            _ if self.is_searching() => Some(self.query.as_str()).filter(|name| !name.is_empty()),
            Some(list) => list.new_name.as_deref(),
            None => None,
        }
    }

    /// Takes an answer; one to an older query only while there is none at all.
    pub fn take(&mut self, list: Arc<SessionList>) {
        if list.query != self.query && self.list.is_some() {
            return;
        }
        let chosen = self.found().get(self.place.at).map(|found| found.session.directory.clone());
        self.list = Some(list);
        let again = |dir| self.found().iter().position(|found| found.session.directory == dir);
        // The open session is not what one looks for; the row below it is.
        let first = usize::from(self.found().first().is_some_and(|first| self.is_current(first)));
        let first = if self.found().len() > first { first } else { 0 };
        self.place.at = chosen.and_then(again).unwrap_or(first);
    }

    pub(super) fn act(&mut self, action: KeyAction) -> Request {
        if self.place.act(action, self.found().len() + 1) {
            return Request::Nothing;
        }
        match action {
            KeyAction::Cancel => Request::Close,
            KeyAction::Accept => match self.found().get(self.place.at) {
                Some(found) => Request::Open(found.session.directory.clone()),
                None => Request::Begin(self.new_name().map(str::to_owned)),
            },
            _ => Request::Nothing,
        }
    }

    pub(super) fn write(&mut self, text: &str) -> Request {
        self.query.push_str(&plain(text));
        self.look()
    }

    pub(super) fn erase(&mut self) -> Request {
        if self.query.is_empty() {
            return Request::Nothing;
        }
        drop_last(&mut self.query);
        self.look()
    }

    fn look(&mut self) -> Request {
        self.place.at = 0;
        Request::Find(self.query.clone())
    }
}
