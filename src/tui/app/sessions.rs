//! Going from one session to another.

use std::sync::Arc;

use super::{App, SessionPicker};
use crate::orchestrator::{SessionInfo, SessionList};

impl App {
    pub(super) fn take_sessions(&mut self, list: Arc<SessionList>) {
        if let Some(picker) = self.stack.get_mut::<SessionPicker>() {
            picker.take(list);
        }
    }

    pub(super) fn renamed(&mut self, session: SessionInfo) {
        self.session = Some(session);
    }

    /// Forgets the session before. What the person wrote, chose and set up stays.
    pub(super) fn start_over(&mut self) {
        let fresh = Self::dressed(self.look.clone(), self.keymap.clone(), self.demo.is_some());
        let old = std::mem::replace(self, fresh);
        self.input = old.input;
        self.editing = old.editing;
        self.completion = old.completion;
        self.queue = old.queue;
        self.settings = old.settings;
        self.demo = old.demo;
        self.chat = old.chat.for_another_session();
        self.drafts = old.drafts.for_another_session();
        self.panel_wanted = old.panel_wanted;
        self.panel_area = old.panel_area;
        self.focus = old.focus;
        self.closing = old.closing;
        self.now = old.now;
        self.theme = old.theme;
    }
}
