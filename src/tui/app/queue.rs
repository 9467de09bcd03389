//! Keys of the queue: what waits behind the turn.

use super::{App, Focus};
use crate::tui::keymap::KeyAction;

impl App {
    /// Gives the keys to the queue, if something waits.
    pub(super) fn enter_queue(&mut self) {
        if self.queue.is_empty() {
            self.show_hint("nothing waits");
        } else {
            self.queue.choose_last();
            self.focus = Focus::Queue;
        }
    }

    pub(super) fn queue_key(&mut self, action: KeyAction) {
        let last = self.queue.chosen() + 1 == self.queue.len();
        match action {
            KeyAction::Down if last => self.focus = Focus::Input,
            KeyAction::Leave => self.focus = Focus::Input,
            KeyAction::SendEarlier => self.queue.shift(false),
            KeyAction::SendLater => self.queue.shift(true),
            KeyAction::Reword => self.reword_queued(),
            KeyAction::Remove => {
                if let Some(queued) = self.queue.take_chosen() {
                    self.input.put_aside(queued.to_draft());
                    self.show_hint("taken out of the queue · the history still has it");
                }
            }
            action => self.queue.act(action),
        }
        self.leave_empty_queue();
    }

    /// The chosen entry goes back to the message line; what is written there, into the history.
    fn reword_queued(&mut self) {
        let place = self.queue.chosen();
        let Some(queued) = self.queue.take_chosen() else { return };
        self.begin_edit(queued.to_draft(), Some((place, queued)));
    }

    /// A queue in which nothing waits has no keys and holds nothing back.
    pub(super) fn leave_empty_queue(&mut self) {
        if self.queue.is_empty() {
            self.queue_held = false;
            if self.focus == Focus::Queue {
                self.focus = Focus::Input;
            }
        }
    }
}
