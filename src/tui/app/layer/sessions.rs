//! The list of sessions: found by name, title and what was said in them.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Level, Overlay, Taken};
use crate::orchestrator::{FoundSession, Op, SessionList, SessionOp};
use crate::text::one_line;
use crate::tui::app::{Action, App, Phase};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;
use crate::tui::transcript::BlockKind;
use crate::tui::views::View;

/// The list of sessions, with a last row that begins a new one.
#[derive(Debug, Clone, Default)]
pub struct SessionPicker {
    /// What is looked for, as typed so far.
    pub query: Field,
    /// What was found for `list.query`; `None` before the first answer.
    pub list: Option<Arc<SessionList>>,
    /// The chosen row.
    pub place: Place,
    /// The session that goes if whoever asked for its deletion agrees.
    pub doomed: Option<FoundSession>,
    /// What came of a deletion, and whether it went well.
    pub outcome: Option<(bool, String)>,
}

impl SessionPicker {
    /// A list that begins with a query; its answer is awaited.
    pub fn new(query: &str) -> Self {
        Self { query: Field::open(query.trim()), ..Self::default() }
    }

    /// The sessions found so far, an answer to an older query included.
    pub fn found(&self) -> &[FoundSession] {
        self.list.as_ref().map_or(&[], |list| &list.found)
    }

    /// Whether the answer to what is typed is still awaited.
    pub fn is_searching(&self) -> bool {
        self.list.as_ref().is_none_or(|list| list.query != self.query.words())
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
            _ if self.is_searching() => Some(self.query.words()).filter(|name| !name.is_empty()),
            Some(list) => list.new_name.as_deref(),
            None => None,
        }
    }

    /// Takes an answer; one to an older query only while there is none at all.
    pub fn take(&mut self, list: Arc<SessionList>) {
        if list.query != self.query.words() && self.list.is_some() {
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

    /// Looks for what is typed, from the first row on.
    fn look(&mut self) -> Vec<Action> {
        self.place.at = 0;
        self.look_again()
    }

    /// Looks for what is typed; the chosen row stays.
    fn look_again(&self) -> Vec<Action> {
        vec![Action::Send(Op::Session(SessionOp::Find(self.query.words().to_owned())))]
    }

    /// Asks whether the chosen session is to go.
    fn ask_to_delete(&mut self) {
        self.outcome = None;
        let Some(found) = self.found().get(self.place.at) else { return };
        let name = one_line(&found.session.name);
        let refused = match (self.is_current(found), found.session.in_use) {
            (true, _) => format!("{name} is open: open another one first, then delete it."),
            (false, true) => format!("{name} is open in another Ebbtide: close it there first."),
            (false, false) => {
                self.doomed = Some(found.clone());
                return;
            }
        };
        self.outcome = Some((false, refused));
    }

    /// Takes the answer to that question. Its key is another one than that which asks: a key that is held down must not
    /// answer.
    fn answer(&mut self, action: KeyAction) -> Vec<Action> {
        let doomed = self.doomed.take_if(|_| action != KeyAction::Reset);
        let doomed = doomed.filter(|_| action == KeyAction::Accept);
        let delete = |doomed: FoundSession| {
            Action::Send(Op::Session(SessionOp::Delete(doomed.session.directory)))
        };
        doomed.map(delete).into_iter().collect()
    }
}

impl App {
    /// Opens the list of sessions.
    pub fn pick_session(&mut self, query: &str) -> Vec<Action> {
        if self.is_of_demo() {
            self.show_hint("other sessions are opened in the chat, not in a demo");
            return Vec::new();
        }
        let mut picker = SessionPicker::new(query);
        let asked = picker.look();
        self.stack.put(picker);
        asked
    }

    pub(in crate::tui::app) fn take_sessions(&mut self, list: Arc<SessionList>) {
        if let Some(picker) = self.stack.get_mut::<SessionPicker>() {
            picker.take(list);
        }
    }

    /// A session is gone, or stays: the list says which.
    pub(in crate::tui::app) fn session_deleted(&mut self, ok: bool, text: &str) -> Vec<Action> {
        if let Some(picker) = self.stack.get_mut::<SessionPicker>() {
            picker.outcome = Some((ok, text.to_owned()));
            return picker.look_again();
        }
        self.outcome(ok, text);
        Vec::new()
    }

    /// The session was copied: the copy is opened, and says there whence it comes.
    pub(in crate::tui::app) fn go_on_in(&mut self, directory: PathBuf, text: &str) -> Vec<Action> {
        self.note(text);
        if self.is_of_demo() {
            self.idle();
            return self.next_queued();
        }
        let new = directory.file_name().unwrap_or_default().to_string_lossy();
        let old = self.session.as_ref().map_or("another session", |session| &session.name);
        let here = format!(
            "{text} This is {new} now; {old} stays as it is, and /sessions {old} opens it."
        );
        self.remarks.push((BlockKind::Info, here));
        vec![Action::Send(Op::Session(SessionOp::Open(directory)))]
    }

    /// Forgets the session before. What the person wrote, chose and set up stays.
    pub(in crate::tui::app) fn start_over(&mut self) {
        let fresh = Self::dressed(self.look.clone(), self.keymap.clone());
        let old = std::mem::replace(self, fresh);
        self.input = old.input;
        self.input.leave_aside();
        self.editing = old.editing;
        self.completion = old.completion;
        self.queue = old.queue;
        self.settings = old.settings;
        self.remarks = old.remarks;
        self.demo = old.demo;
        self.caption = old.caption;
        self.guide = old.guide;
        self.hints = old.hints;
        self.chat = old.chat.for_another_session();
        self.drafts = old.drafts.for_another_session();
        self.panel_wanted = old.panel_wanted;
        self.panel_area = old.panel_area;
        self.focus = old.focus;
        self.closing = old.closing;
        self.now = old.now;
        self.theme = old.theme;
    }

    /// Whether messages of this session wait unsent, which another one would get; the person hears what to do.
    pub(in crate::tui::app) fn holds_messages(&mut self) -> bool {
        let holds = self.queue_held && !self.queue.is_empty();
        if holds {
            self.show_hint("messages wait unsent · {input.send} on an empty line sends them, {input.queue} shows them");
        }
        holds
    }

    /// Another session can be opened between turns only: what is under way belongs to this one.
    fn leave_for(&mut self, what: &str, op: Op) -> Vec<Action> {
        if self.phase == Phase::Idle && self.holds_messages() {
            return Vec::new();
        }
        if self.phase != Phase::Idle || !self.queue.is_empty() {
            self.show_hint("first the turn and what waits behind it · {input.cancel} stops");
            return Vec::new();
        }
        self.phase = Phase::Command(format!("{what} the session"), self.now);
        vec![Action::Send(op)]
    }
}

impl Overlay for SessionPicker {
    fn level(&self) -> Level {
        Level::Dialog
    }

    fn scope(&self) -> Scope {
        Scope::Dialog
    }

    fn field(&mut self) -> Option<&mut Field> {
        Some(&mut self.query)
    }

    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        (self.doomed, self.outcome) = (None, None);
        self.look()
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        let rows = self.found().len() + 1;
        // Nothing is chosen while a question stands there.
        self.doomed.is_none().then_some((&mut self.place, rows))
    }

    fn act(&mut self, action: KeyAction, app: &mut App) -> Taken {
        match action {
            _ if self.doomed.is_some() => Taken::Stays(self.answer(action)),
            KeyAction::Reset => {
                self.ask_to_delete();
                Taken::STAYS
            }
            // Without a session there is nothing to go back to.
            KeyAction::Cancel if app.session.is_none() => Taken::Closes(app.close()),
            KeyAction::Show(_) if app.session.is_none() => Taken::STAYS,
            KeyAction::Show(View::Sessions) => Taken::CLOSES,
            KeyAction::Accept => {
                let found = self.found().get(self.place.at);
                let (what, op) = match found.map(|found| found.session.directory.clone()) {
                    Some(directory) => ("opening", Op::Session(SessionOp::Open(directory))),
                    None => (
                        "beginning",
                        Op::Session(SessionOp::New(self.new_name().map(str::to_owned))),
                    ),
                };
                Taken::Closes(app.leave_for(what, op))
            }
            _ => Taken::Ignored,
        }
    }
}
