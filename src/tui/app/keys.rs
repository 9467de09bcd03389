//! What keys do, by the part of the screen that has them.

use crossterm::event::{KeyCode, KeyEvent};

use super::layer::{NO_WRITING, Reach};
use super::{Action, App, Focus, HINT, Phase};
use crate::orchestrator::Op;
use crate::tui::command;
use crate::tui::demo::{DemoCommand, DemoState};
use crate::tui::field::{Field, is_letter};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::views::View;

impl App {
    pub(super) fn handle_key(&mut self, event: KeyEvent) -> Vec<Action> {
        self.transcript.unmark();
        if let Some(action) = self.encore(&event) {
            return vec![action];
        }
        let scope = self.scope();
        let bound = self.keymap.lookup(scope, &event);
        let global = self.keymap.lookup(Scope::Global, &event);
        if self.chat.unseen && !serves_unseen(scope, bound, global) {
            return Vec::new();
        }
        if ![bound, global].contains(&Some(KeyAction::Interrupt)) {
            // What was said of pressing it again is over with it.
            if self.interrupted.take().is_some() {
                self.hint = None;
            }
        }
        // A search through the history that is given up leaves all as it was, what is marked too.
        let searches = self.input.search().is_some();
        if scope == Scope::Input && !searches && bound.is_some_and(moves_in_message) {
            self.input.unmark();
        }
        let (is_writing, is_empty) = self
            .field()
            .map(|field| (field.is_writing(), field.words().is_empty()))
            .unwrap_or_default();
        if is_empty && event.code == KeyCode::Backspace {
            // Taking away from nothing leaves a filter.
            let leaves = scope == Scope::Filter;
            return if leaves { self.act(KeyAction::Cancel, event) } else { Vec::new() };
        }
        // A letter is written where something is being written, whatever else it is bound to.
        let writes = match bound {
            None | Some(KeyAction::Edit | KeyAction::DeleteToStart) => true,
            Some(_) => is_writing && is_letter(&event),
        };
        // The cursor of a search through the history is that of the message.
        let moves = bound.is_none() && scope != Scope::Input;
        if moves && self.field().is_some_and(|field| field.travel(event.code)) {
            return Vec::new();
        }
        if let Some(actions) =
            writes.then(|| self.write(|field| field.key(&event, bound))).flatten()
        {
            return actions;
        }
        let passes = |action: &KeyAction| self.stack.passes_keys() || switches(*action);
        let everywhere = global.filter(passes).filter(|_| bound.is_none());
        if self.search_action(bound.or(everywhere)) {
            return Vec::new();
        }
        match (bound, everywhere) {
            (Some(action), _) => self.act(action, event),
            (None, Some(action)) => self.global_key(action),
            (None, None) if scope == Scope::Input => self.input_key(None, event),
            (None, None) => {
                if scope == Scope::Past && is_letter(&event) {
                    self.show_hint(NO_WRITING);
                }
                Vec::new()
            }
        }
    }

    /// The line on top that text goes into, other than a message.
    fn field(&mut self) -> Option<&mut Field> {
        if self.stack.top().is_some() {
            return self.stack.field();
        }
        match self.focus {
            Focus::Input => self.input.search_field(),
            Focus::Panel => self.panel.filter.if_writing(),
            Focus::Chat | Focus::Queue => None,
        }
    }

    /// Changes the line on top that text goes into; `None` if there is none, or if nothing was changed.
    pub(super) fn write(&mut self, edit: impl FnOnce(&mut Field) -> bool) -> Option<Vec<Action>> {
        if !edit(self.field()?) {
            return None;
        }
        let actions = self.edited_on_top();
        if actions.is_none() && self.focus == Focus::Panel {
            self.panel.place.at = 0;
            self.refilter();
        } else if actions.is_none() {
            self.input.search_again();
        }
        Some(actions.unwrap_or_default())
    }

    /// Text that was pasted goes into the line on top, else into the message, if nothing lies over it.
    pub(super) fn paste(&mut self, text: &str) -> Vec<Action> {
        self.interrupted = None;
        if let Some(actions) = self.write(|field| field.insert(text)) {
            return actions;
        }
        if self.demo.is_none() && self.stack.top().is_none() {
            self.focus = Focus::Input;
            self.input.paste(text);
            self.refresh_completion();
        }
        Vec::new()
    }

    /// Does what a key is bound to in the part of the screen that has the keys. What means nothing there may
    /// mean something everywhere.
    pub(super) fn act(&mut self, action: KeyAction, event: KeyEvent) -> Vec<Action> {
        if self.stack.top().is_some() {
            let done = self.act_on_top(action);
            return done.unwrap_or_else(|| self.global_key(action));
        }
        match self.focus {
            Focus::Panel => self.panel_key(action),
            Focus::Chat => self.chat_key(action),
            Focus::Queue => {
                self.queue_key(action);
                Vec::new()
            }
            Focus::Input if self.demo.is_some() => self.demo_key(action, event),
            Focus::Input => self.input_key(Some(action), event),
        }
    }

    pub(super) fn global_key(&mut self, action: KeyAction) -> Vec<Action> {
        match action {
            KeyAction::Show(view) => return self.switch(view),
            // What leaves now is not to be decided while the past is on the screen.
            KeyAction::LetLeave if self.past().is_none() => return self.let_leave(),
            KeyAction::Interrupt => return self.interrupt(),
            KeyAction::Mouse => return self.toggle_mouse(),
            KeyAction::Redraw => return vec![Action::Redraw],
            KeyAction::Suspend => return vec![Action::Suspend],
            KeyAction::Chat if self.stack.reach() == Reach::All => self.enter_chat(),
            // What follows is about what lies below.
            _ if self.stack.reach() == Reach::Nothing => {}
            KeyAction::TogglePanel => self.toggle_panel(),
            KeyAction::PageUp => self.transcript.page_up(),
            KeyAction::PageDown => self.transcript.page_down(),
            KeyAction::Top => self.transcript.scroll_to_start(),
            KeyAction::Bottom => self.transcript.follow(),
            _ => {}
        }
        Vec::new()
    }

    /// Opens a view, unless the same one is on top, which it closes; one that keeps all keys makes room.
    fn switch(&mut self, view: View) -> Vec<Action> {
        if let Some(actions) = self.act_on_top(KeyAction::Show(view)) {
            return actions;
        }
        if !self.stack.passes_keys() {
            self.stack.take_top();
        }
        self.show(view)
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
            self.input.promise_newest();
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

    /// Whether Esc stops what is under way, and nothing else.
    pub(in crate::tui) fn escape_stops(&self) -> bool {
        let is_plain = self.editing.is_none() && self.input.search().is_none();
        is_plain
            && self.scope() == Scope::Input
            && !self.completion.is_open()
            && !self.is_cancelling()
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

    /// Plays a chapter again of a demo that has just ended: whoever presses a digit then has not seen the end come.
    fn encore(&mut self, event: &KeyEvent) -> Option<Action> {
        let chapters = std::mem::take(self.encore.as_mut()?);
        let digit = event.code.as_char().filter(|_| event.modifiers.is_empty());
        let chapter = digit.and_then(|digit| digit.to_digit(10)).map(|digit| digit as usize);
        let chapter = chapter.filter(|chapter| (1..=chapters).contains(chapter))?;
        self.demo = Some(DemoState::Plays(None));
        Some(Action::Demo(DemoCommand::Chapter(chapter)))
    }

    fn demo_key(&mut self, action: KeyAction, event: KeyEvent) -> Vec<Action> {
        match action {
            KeyAction::DemoPause => vec![Action::Demo(DemoCommand::TogglePause)],
            KeyAction::DemoStep => vec![Action::Demo(DemoCommand::Step)],
            KeyAction::DemoFaster => vec![Action::Demo(DemoCommand::Faster)],
            KeyAction::DemoSlower => vec![Action::Demo(DemoCommand::Slower)],
            KeyAction::DemoChapter => {
                let digit = event.code.as_char().and_then(|letter| letter.to_digit(10));
                let chapter = digit.map(|digit| DemoCommand::Chapter(digit as usize));
                chapter.map(Action::Demo).into_iter().collect()
            }
            KeyAction::Cancel => vec![Action::Demo(DemoCommand::Live)],
            KeyAction::Quit => self.close(),
            KeyAction::Complete => {
                self.enter_panel();
                Vec::new()
            }
            _ => self.global_key(action),
        }
    }

    pub(super) fn input_key(&mut self, action: Option<KeyAction>, event: KeyEvent) -> Vec<Action> {
        let empty = self.input.is_empty();
        match action {
            Some(KeyAction::Send) => return self.enter(),
            Some(KeyAction::Cancel) => return self.escape(),
            Some(KeyAction::QuitIfEmpty) if empty => return self.close(),
            Some(KeyAction::HelpIfEmpty) if empty => return self.show(View::Help),
            Some(KeyAction::Complete) => return self.tab(),
            Some(KeyAction::OpenEditor) => return self.open_editor(),
            Some(KeyAction::Queue) => self.enter_queue(),
            Some(KeyAction::SearchHistory) => self.input.search_older(),
            Some(KeyAction::Up) if self.completion.is_open() => self.completion.step(false),
            Some(KeyAction::Down) if self.completion.is_open() => self.completion.step(true),
            Some(KeyAction::Up) if empty && self.offers() => self.choose_offer(false),
            Some(KeyAction::Down) if empty && self.offers() => self.choose_offer(true),
            Some(KeyAction::Up) if empty && self.takes_back_queued() => self.take_back_queued(),
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
            Some(KeyAction::Up) if self.editing.is_some() && !self.input.has_row_above() => {
                self.stay_in_edit();
            }
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
            && !(offer.complete && self.is_another_name_of(&offer.line))
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

    /// Whether what is written is a name of the command of a line: it runs as it is, and comes back so if it fails.
    fn is_another_name_of(&self, line: &str) -> bool {
        let text = self.input.text();
        let named = command::find(text.trim().trim_start_matches('/'));
        named.is_some_and(|spec| line.trim().strip_prefix('/') == Some(spec.name))
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

    /// Whether the key that goes back means what waits: what it was said to bring back comes first.
    fn takes_back_queued(&self) -> bool {
        !self.queue.is_empty() && !self.input.promises_newest()
    }

    /// The last queued entry goes back to the message line.
    fn take_back_queued(&mut self) {
        if let Some(queued) = self.queue.take_last() {
            self.begin_edit(queued.to_draft(), Some((self.queue.len(), queued)));
        }
        self.leave_empty_queue();
    }
}

/// Whether what a key does in the message line is about what stands there and changes none of it: what is marked stays then.
/// Who scrolls or opens a view looks at something else, and what is typed afterwards still takes its place.
fn moves_in_message(action: KeyAction) -> bool {
    use KeyAction::{Cancel, Down, LineEnd, LineStart, OpenEditor, OpenPaste, Undo, Up};
    matches!(action, Up | Down | LineStart | LineEnd | Cancel | Undo | OpenEditor | OpenPaste)
}

/// Whether a key may be obeyed while nothing is drawn: who writes goes on, and the program can be left; nothing is sent,
/// chosen or changed that nobody sees.
fn serves_unseen(scope: Scope, bound: Option<KeyAction>, global: Option<KeyAction>) -> bool {
    use KeyAction::{
        Cancel, Complete, Interrupt, Leave, OpenEditor, Queue, Quit, Redraw, Send, Suspend,
    };
    if let Some(global) = global.filter(|_| bound.is_none()) {
        return matches!(global, Interrupt | Redraw | Suspend);
    }
    match scope {
        Scope::Input => !matches!(bound, Some(Send | Complete | OpenEditor | Queue)),
        _ => matches!(bound, Some(Cancel | Leave | Quit)),
    }
}

/// Whether a key opens a view also from one that keeps all keys.
fn switches(action: KeyAction) -> bool {
    use View::{Bill, Help, Inspect, Sessions, Settings};
    matches!(action, KeyAction::Show(Help | Inspect | Sessions | Settings | Bill))
}
