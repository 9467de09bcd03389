//! What keys do, by the part of the screen that has them.

use crossterm::event::KeyEvent;

use super::{Action, App, Focus, HINT, Phase};
use crate::orchestrator::Op;
use crate::tui::demo::DemoCommand;
use crate::tui::filter::Typed;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::overlay::Overlay;

impl App {
    pub(super) fn handle_key(&mut self, event: KeyEvent) -> Vec<Action> {
        let scope = self.scope();
        if self.search_key(&event) {
            return Vec::new();
        }
        let action = self.keymap.lookup(scope, &event);
        if scope == Scope::Palette {
            return self.palette_key(action, event);
        }
        if scope == Scope::Overlay {
            if self.help_filter_key(&event) {
                return Vec::new();
            }
            return self.overlay_key(action);
        }
        if scope == Scope::Panel && self.filter_key(&event) {
            return Vec::new();
        }
        self.transcript.unmark();
        if scope == Scope::Dialog {
            return self.dialog_key(action, event);
        }
        if scope == Scope::Journal && (action.is_some() || self.is_filtering()) {
            return self.journal_key(action, event);
        }
        if let (None, Some(global)) = (action, self.keymap.lookup(Scope::Global, &event)) {
            return self.global_key(global);
        }
        match scope {
            Scope::Past => self.past_key(action),
            Scope::Journal => Vec::new(),
            Scope::Panel => self.panel_key(action),
            Scope::Chat => self.chat_key(action),
            Scope::Find => {
                self.find_key(action, event);
                Vec::new()
            }
            Scope::Queue => {
                self.queue_key(action);
                Vec::new()
            }
            Scope::Demo => self.demo_key(action),
            _ => self.input_key(action, event),
        }
    }

    pub(super) fn global_key(&mut self, action: KeyAction) -> Vec<Action> {
        match action {
            KeyAction::Help => self.overlay = Some(Overlay::help(&self.keymap)),
            KeyAction::TogglePanel => self.toggle_panel(),
            KeyAction::Palette => self.open_palette(),
            KeyAction::Inspect => return self.inspect(),
            KeyAction::Sessions => return self.pick_session(""),
            KeyAction::Settings => return self.show_settings(""),
            KeyAction::Journal => return self.open_journal(),
            KeyAction::Past => return self.look_back(None),
            // What leaves now is not to be decided while the past is on the screen.
            KeyAction::LetLeave if self.past.is_none() => return self.let_leave(),
            KeyAction::Interrupt => return self.interrupt(),
            KeyAction::Find => self.open_find(),
            KeyAction::Chat => self.enter_chat(),
            KeyAction::Mouse => return self.toggle_mouse(),
            KeyAction::Redraw => return vec![Action::Redraw],
            KeyAction::Suspend => return vec![Action::Suspend],
            KeyAction::PageUp => self.transcript.page_up(),
            KeyAction::PageDown => self.transcript.page_down(),
            KeyAction::Top => self.transcript.scroll_to_start(),
            KeyAction::Bottom => self.transcript.follow(),
            _ => {}
        }
        Vec::new()
    }

    pub(super) fn toggle_panel(&mut self) {
        let shown = self.panel_area.is_some();
        self.panel_wanted = Some(!shown);
        if shown {
            self.focus = Focus::Input;
        }
    }

    /// Ctrl+C: stops the turn, then clears the draft, then, pressed twice, quits.
    fn interrupt(&mut self) -> Vec<Action> {
        let again = self.interrupted.is_some_and(|at| self.now <= at + HINT);
        if again || self.closing {
            return self.close();
        }
        if !matches!(self.phase, Phase::Idle) {
            if self.is_cancelling() {
                self.arm_quit();
            }
            return self.cancel();
        }
        if let Some(actions) = self.leave_edit() {
            return actions;
        }
        if self.demo.is_none() && !self.input.is_empty() {
            let draft = self.input.take();
            self.input.put_aside(draft);
            self.refresh_completion();
            self.show_hint("draft cleared · {input.up} brings it back");
        } else {
            self.arm_quit();
        }
        Vec::new()
    }

    fn arm_quit(&mut self) {
        self.interrupted = Some(self.now);
        self.show_hint("press {global.interrupt} again to quit");
    }

    fn is_cancelling(&self) -> bool {
        matches!(&self.phase, Phase::Turn(running) if running.cancelling)
    }

    /// Asks for what is under way to stop; once is enough.
    fn cancel(&mut self) -> Vec<Action> {
        match &mut self.phase {
            Phase::Idle if self.compressing.is_some() => vec![Action::Send(Op::Cancel)],
            Phase::Idle => Vec::new(),
            Phase::Turn(running) if running.cancelling => Vec::new(),
            Phase::Turn(running) => {
                running.cancelling = true;
                vec![Action::Send(Op::Cancel)]
            }
            Phase::Command(..) => vec![Action::Send(Op::Cancel)],
        }
    }

    /// Whether letters go to the filter of the journal.
    fn is_filtering(&self) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.filter().1)
    }

    /// Letters go into the filter of the help while it is written; returns whether the key was used.
    fn help_filter_key(&mut self, event: &KeyEvent) -> bool {
        let action = self.keymap.lookup(Scope::Dialog, event);
        let Some(overlay) = &mut self.overlay else { return false };
        let Some(filter) = overlay.written_filter() else { return false };
        match filter.typed(action, event) {
            Typed::Cleared => drop(overlay.clear_filter()),
            Typed::Changed | Typed::Kept => overlay.refilter(),
            // Nothing else is meant while words are written.
            Typed::Nothing => {}
        }
        true
    }

    fn overlay_key(&mut self, action: Option<KeyAction>) -> Vec<Action> {
        let Some(overlay) = &mut self.overlay else { return Vec::new() };
        let turned = match action {
            Some(KeyAction::NextMark) => overlay.other_part(true),
            Some(KeyAction::LastMark) => overlay.other_part(false),
            _ => None,
        };
        if let Some(subject) = turned {
            return vec![Action::Send(Op::Show(subject))];
        }
        match action {
            Some(walk @ (KeyAction::Earlier | KeyAction::Later)) => return self.walk(walk),
            Some(KeyAction::Filter) => overlay.begin_filter(),
            Some(KeyAction::Cancel) if overlay.clear_filter() => {}
            Some(KeyAction::Cancel) => self.overlay = None,
            Some(KeyAction::Up) => overlay.scroll(-1),
            Some(KeyAction::Down) => overlay.scroll(1),
            Some(KeyAction::PageUp) => overlay.page(-1),
            Some(KeyAction::PageDown) => overlay.page(1),
            Some(KeyAction::NextMark) => overlay.next_mark(true),
            Some(KeyAction::LastMark) => overlay.next_mark(false),
            Some(KeyAction::Top) => overlay.jump(false),
            Some(KeyAction::Bottom) => overlay.jump(true),
            _ => {}
        }
        Vec::new()
    }

    fn demo_key(&mut self, action: Option<KeyAction>) -> Vec<Action> {
        match action {
            Some(KeyAction::DemoPause) => vec![Action::Demo(DemoCommand::TogglePause)],
            Some(KeyAction::DemoStep) => vec![Action::Demo(DemoCommand::Step)],
            Some(KeyAction::DemoFaster) => vec![Action::Demo(DemoCommand::Faster)],
            Some(KeyAction::DemoSlower) => vec![Action::Demo(DemoCommand::Slower)],
            Some(KeyAction::Quit) => self.close(),
            Some(KeyAction::Complete) => {
                self.enter_panel();
                Vec::new()
            }
            Some(KeyAction::Help) => {
                self.overlay = Some(Overlay::help(&self.keymap));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn input_key(&mut self, action: Option<KeyAction>, event: KeyEvent) -> Vec<Action> {
        let empty = self.input.is_empty();
        match action {
            Some(KeyAction::Send) => return self.enter(),
            Some(KeyAction::Cancel) => return self.escape(),
            Some(KeyAction::QuitIfEmpty) if empty => return self.close(),
            Some(KeyAction::HelpIfEmpty) if empty => {
                self.overlay = Some(Overlay::help(&self.keymap));
            }
            Some(KeyAction::Complete) => return self.tab(),
            Some(KeyAction::OpenEditor) => return self.open_editor(),
            Some(KeyAction::Queue) => self.enter_queue(),
            Some(KeyAction::SearchHistory) => self.input.search_older(),
            Some(KeyAction::Up) if self.completion.is_open() => self.completion.step(false),
            Some(KeyAction::Down) if self.completion.is_open() => self.completion.step(true),
            Some(KeyAction::Up) if empty && !self.queue.is_empty() => self.take_back_queued(),
            Some(KeyAction::LineStart) if empty => self.transcript.scroll_to_start(),
            Some(KeyAction::LineEnd) if empty => self.transcript.follow(),
            _ => {
                self.edit(action, event);
                self.refresh_completion();
            }
        }
        Vec::new()
    }

    fn edit(&mut self, action: Option<KeyAction>, event: KeyEvent) {
        match action {
            Some(KeyAction::Newline) => self.input.newline(),
            Some(KeyAction::OpenPaste) => self.open_paste(),
            Some(KeyAction::Up) => self.input.up(),
            Some(KeyAction::Down) => self.input.down(),
            Some(KeyAction::LineStart) => self.input.line_start(),
            Some(KeyAction::LineEnd) => self.input.line_end(),
            Some(KeyAction::DeleteToStart) => self.input.delete_to_start(),
            Some(KeyAction::Yank) => self.input.yank(),
            Some(KeyAction::Undo) => self.input.undo(),
            _ => self.input.key(event),
        }
    }

    /// Enter: takes the chosen command, breaks a line after a backslash, or sends.
    fn enter(&mut self) -> Vec<Action> {
        if let Some(offer) = self.completion.on_enter().cloned()
            && offer.line.trim() != self.input.text().trim()
        {
            let certain = self.completion.is_certain();
            self.input.set(&offer.line);
            self.refresh_completion();
            if !offer.complete || !certain {
                return Vec::new();
            }
        }
        if self.input.newline_after_backslash() {
            return Vec::new();
        }
        self.submit()
    }

    fn tab(&mut self) -> Vec<Action> {
        if let Some(offer) = self.completion.selected().cloned() {
            self.input.set(&offer.line);
            self.refresh_completion();
        } else {
            self.enter_panel();
        }
        Vec::new()
    }

    pub(super) fn enter_panel(&mut self) {
        if self.panel_area.is_none() {
            self.panel_wanted = Some(true);
        }
        self.focus = Focus::Panel;
    }

    /// Esc: leaves an edit as it was, closes the list, else stops what is under way.
    fn escape(&mut self) -> Vec<Action> {
        if let Some(actions) = self.leave_edit() {
            return actions;
        }
        if self.completion.is_open() {
            self.completion.dismiss();
            return Vec::new();
        }
        self.cancel()
    }

    /// The last queued entry goes back to the message line.
    fn take_back_queued(&mut self) {
        if let Some(queued) = self.queue.take_last() {
            self.begin_edit(queued.to_draft(), Some((self.queue.len(), queued)));
        }
        self.leave_empty_queue();
    }
}
