//! Changing what is there already: a summary, a note, or a message that waits. It comes into the message line;
//! what stood there goes into the history, and comes back when the change is given up.

use super::{Action, App, Focus, Phase, Queued};
use crate::orchestrator::{Changing, Draft};

/// What the keys do while something is changed.
const KEYS: &str = "{input.send} keeps the change · {input.cancel} leaves all as it was";

/// A change under way in the message line.
#[derive(Debug)]
pub struct Editing {
    /// What stood in the message line.
    before: Draft,
    /// Who had the keys.
    focus: Focus,
    /// What waited, and its place in the queue.
    queued: Option<(usize, Queued)>,
    /// Of a summary or a note, the command that changes it: `/edit tea`.
    command: Option<String>,
    /// What waited is not sent by itself when it goes back.
    held: bool,
}

impl Editing {
    /// What comes back when it is given up, to be kept.
    pub(super) fn to_changing(&self) -> Changing {
        let queued = self.queued.as_ref().map(|(place, queued)| (*place, queued.to_draft()));
        Changing { before: self.before.clone(), queued }
    }

    /// The command that changes what is changed, if a line does not begin with it: as a message it would go to
    /// the model.
    pub(super) fn misses(&self, line: &str) -> Option<&str> {
        let command = self.command.as_deref()?;
        let rest = line.strip_prefix(command);
        let begins =
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        (!begins).then_some(command)
    }

    /// The turn before what waited did not end well.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// A turn ended well: what is held back no longer is.
    pub(super) fn release(&mut self) {
        self.held = false;
    }

    /// What waited, once the line says something else: until the change is made, this is what comes back.
    pub(super) fn changed(&self, line: &Draft) -> Option<Draft> {
        let (_, queued) = self.queued.as_ref()?;
        (queued.text() != line.text).then(|| queued.to_draft())
    }
}

/// The command and what it is about, without the words.
fn command_of(line: &str) -> String {
    line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

impl App {
    /// Begins to change a text in the message line.
    pub(super) fn begin_edit(&mut self, text: Draft, queued: Option<(usize, Queued)>) {
        let written = self.input.take();
        self.input.put_aside(written.clone());
        // Of two changes the first is given up; what it was about stays.
        let before = match self.editing.take() {
            Some(given_up) => {
                self.put_back_queued(given_up.queued);
                given_up.before
            }
            None => written,
        };
        let command = queued.is_none().then(|| command_of(&text.text));
        let (focus, held) = (self.focus, self.queue_held);
        self.editing = Some(Editing { before, focus, queued, command, held });
        self.input.put(text);
        self.refresh_completion();
        self.focus = Focus::Input;
        self.show_hint(KEYS);
    }

    /// Goes on with a change that was under way when the program ended.
    pub(super) fn resume_edit(&mut self, changing: Changing) {
        let Changing { before, queued } = changing;
        let queued = queued.and_then(|(place, draft)| Some((place, Queued::written(&draft)?)));
        let command = queued.is_none().then(|| command_of(&self.input.text()));
        let focus = Focus::Input;
        self.editing = Some(Editing { before, focus, queued, command, held: true });
    }

    /// Gives the change under way up: all is as it was before. `None` if there is none.
    pub(super) fn leave_edit(&mut self) -> Option<Vec<Action>> {
        let editing = self.editing.take()?;
        self.queue_held |= editing.held && editing.queued.is_some();
        self.put_back_queued(editing.queued);
        self.input.put(editing.before);
        self.refresh_completion();
        self.focus = editing.focus;
        self.show_hint("left as it was");
        Some(if self.phase == Phase::Idle { self.next_queued() } else { Vec::new() })
    }

    /// The change was made: what waited goes where it was, if something is under way still, or if it was held back.
    pub(super) fn end_edit(&mut self, mut changed: Queued) -> Vec<Action> {
        changed.number(|| self.drafts.next_number());
        let editing = self.take_edit();
        let held = self.queue_held || editing.as_ref().is_some_and(|editing| editing.held);
        let place = editing.and_then(|editing| editing.queued).map(|(at, queued)| {
            // Another one may have come in its place: the history keeps it.
            if !changed.text().contains(queued.text()) {
                self.input.remember(queued.to_draft());
            }
            at
        });
        let is_idle = self.phase == Phase::Idle && self.session.is_some();
        let Some(at) = place.filter(|_| held || !is_idle) else {
            return self.queue_or_dispatch(changed);
        };
        self.put_back_queued(Some((at, changed)));
        self.queue_held |= held;
        if is_idle {
            // Whoever presses Enter to send is told why nothing goes.
            self.show_hint(
                "the change is kept, not sent · {input.send} on an empty line sends what waits",
            );
        }
        Vec::new()
    }

    /// A key that would leave what is changed for an earlier message: the history would take its place, and its words
    /// would be sent as the change.
    pub(super) fn stay_in_edit(&mut self) {
        self.show_hint(KEYS);
    }

    /// Nothing is left of what was changed: what waited is taken out of the queue; the history keeps it.
    pub(super) fn drop_edited(&mut self) {
        if let Some((_, queued)) = self.take_edit().and_then(|editing| editing.queued) {
            self.input.put_aside(queued.to_draft());
        }
    }

    /// Ends the change under way, and what was said of its keys. A change that began in the panel ends there.
    fn take_edit(&mut self) -> Option<Editing> {
        let editing = self.editing.take()?;
        self.hint = None;
        if editing.focus == Focus::Panel && self.panel_area.is_some() {
            self.focus = Focus::Panel;
        }
        Some(editing)
    }

    fn put_back_queued(&mut self, queued: Option<(usize, Queued)>) {
        if let Some((at, mut queued)) = queued {
            queued.number(|| self.drafts.next_number());
            self.queue.insert(at, queued);
        }
    }
}
