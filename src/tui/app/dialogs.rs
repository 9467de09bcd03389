//! Sessions and settings: opening their dialogs, their keys, and what they ask for.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Action, App, Phase};
use crate::config::Settings;
use crate::orchestrator::{Op, SessionInfo, SessionList};
use crate::tui::dialog::sessions::SessionPicker;
use crate::tui::dialog::settings::SettingsView;
use crate::tui::dialog::{Dialog, Request};
use crate::tui::keymap::KeyAction;

impl App {
    /// Opens the list of sessions.
    pub fn pick_session(&mut self, query: &str) -> Vec<Action> {
        if self.demo.is_some() {
            self.show_hint("other sessions are opened in the chat, not in a demo");
            return Vec::new();
        }
        let picker = SessionPicker::new(query);
        let query = picker.query.clone();
        self.dialog = Some(Dialog::Sessions(picker));
        vec![Action::Send(Op::FindSessions(query))]
    }

    /// Opens the settings.
    pub(super) fn show_settings(&mut self, filter: &str) -> Vec<Action> {
        match &self.settings {
            Some(settings) => {
                let view = SettingsView::new(Arc::clone(settings), filter);
                self.dialog = Some(Dialog::Settings(view));
            }
            None => self.show_hint("the settings open when the session is there"),
        }
        Vec::new()
    }

    pub(super) fn dialog_key(&mut self, action: Option<KeyAction>, event: KeyEvent) -> Vec<Action> {
        let Some(dialog) = &mut self.dialog else { return Vec::new() };
        let typed = event.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let request = match (action, event.code) {
            (Some(action), _) => dialog.act(action),
            (None, KeyCode::Char(sign)) if typed => dialog.write(&sign.to_string()),
            (None, KeyCode::Backspace) => dialog.erase(),
            _ => Request::Nothing,
        };
        self.grant(request)
    }

    /// Text that was pasted while a dialog is open.
    pub(super) fn dialog_paste(&mut self, text: &str) -> Vec<Action> {
        let request = self.dialog.as_mut().map(|dialog| dialog.write(text));
        self.grant(request.unwrap_or(Request::Nothing))
    }

    fn grant(&mut self, request: Request) -> Vec<Action> {
        match request {
            Request::Nothing => Vec::new(),
            Request::Close => {
                self.dialog = None;
                // Without a session there is nothing to go back to.
                if self.session.is_none() { self.close() } else { Vec::new() }
            }
            Request::Find(query) => vec![Action::Send(Op::FindSessions(query))],
            Request::Open(directory) => self.leave_for("opening", Op::OpenSession(directory)),
            Request::Begin(name) => self.leave_for("beginning", Op::NewSession(name)),
            Request::Set { key, value, keep: false } => {
                vec![Action::Send(Op::Set { key: key.to_owned(), value })]
            }
            Request::Set { key, value, keep: true } => {
                vec![Action::Send(Op::SetForGood { key: key.to_owned(), value })]
            }
        }
    }

    /// Another session can be opened between turns only: what is under way belongs to this one.
    fn leave_for(&mut self, what: &str, op: Op) -> Vec<Action> {
        if self.phase != Phase::Idle || !self.queue.is_empty() {
            self.dialog = None;
            self.show_hint("first the turn and what waits behind it · {input.cancel} stops");
            return Vec::new();
        }
        self.dialog = None;
        self.phase = Phase::Command(format!("{what} the session"), self.now);
        vec![Action::Send(op)]
    }

    pub(super) fn take_settings(&mut self, settings: Arc<Settings>) {
        self.look.follow(&settings);
        self.theme = self.look.theme().0;
        self.transcript.show_raw(self.look.raw);
        if let Some(Dialog::Settings(view)) = &mut self.dialog {
            view.take(Arc::clone(&settings));
        }
        self.settings = Some(settings);
    }

    pub(super) fn setting_done(&mut self, ok: bool, text: &str) {
        if let Some(Dialog::Settings(view)) = &mut self.dialog {
            view.outcome = Some((ok, text.to_owned()));
        } else {
            self.outcome(ok, text);
        }
    }

    pub(super) fn take_sessions(&mut self, list: Arc<SessionList>) {
        if let Some(Dialog::Sessions(picker)) = &mut self.dialog {
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
        self.completion = old.completion;
        self.queue = old.queue;
        self.editing = old.editing;
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
