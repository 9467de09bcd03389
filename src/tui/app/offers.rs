//! What an empty session offers by keys: a first try, the demo, a model. Chosen with Up and Down on an empty line.

use super::{Action, App, Phase};
use crate::memory::Rules;
use crate::orchestrator::Op;
use crate::tui::demo::Caption;
use crate::tui::keymap::{KeyAction, Scope};

/// Something that is done outside the chat, which is opened again after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errand {
    /// Watch the demo.
    Demo,
    /// Connect a model.
    Connect,
}

/// What is offered, in order.
const OFFERS: [&str; 3] = [
    "Try it: in five messages a topic is done, ebbs out and returns",
    "Watch the demo: five chapters in two minutes",
    "Connect a model: what is here is found, asked and kept",
];

/// What stands before the offer that is chosen.
pub const CHOSEN_OFFER: char = '›';

/// The setting that is small during the first try, and to which value.
const SMALL: (&str, &str) = ("summary_eviction_threshold", "2");

/// The messages of the first try, and what to look at with each.
const STEPS: [(&str, &str); 5] = [
    (
        "Let's repair my bike: the chain slips, and a new one costs 24 euros at Velo Kurz.",
        "This line is written for you; {input.send} sends it. It opens a topic: watch the memory panel.",
    ),
    (
        "The new chain is on and runs without a sound. Done!",
        "The topic is open, every word of it is in the window. The next line concludes it.",
    ),
    (
        "It is such a nice evening.",
        "Its log has left the window, a summary stands for it, for two more turns. Talk of something else.",
    ),
    ("The soup smells great.", "One turn is left. Nobody mentions the bike."),
    (
        "What did the chain cost again?",
        "It has ebbed out. Nothing is lost: the log is on disk. Now ask for it.",
    ),
];

/// What is said when the first try is over.
const OVER: &str = "And it is back: that is all that memory does. From here on it counts as usual again, and the session is \
     yours. /demo shows more, /connect finds a real model.";

/// A first try under way.
#[derive(Debug)]
pub(super) struct Guide {
    step: usize,
    /// The turns that a summary usually stays without a mention.
    usual: u64,
}

impl App {
    /// What is done outside the chat before it is opened again, if the person asked for that.
    pub fn errand(&self) -> Option<Errand> {
        self.errand
    }

    /// Whether the session is empty and offers something; what a person has written before goes first.
    pub(super) fn offers(&self) -> bool {
        self.is_untouched() && !self.input.has_past()
    }

    /// Whether nothing was said in the session, and nothing is about to be.
    fn is_untouched(&self) -> bool {
        let is_new = self.session.is_some() && self.demo.is_none() && !self.has_said();
        is_new && self.queue.is_empty() && self.guide.is_none() && self.phase == Phase::Idle
    }

    /// How to take an offer, and the offers as lines, the chosen one marked. They come last: on a small screen the
    /// beginning of a welcome scrolls away.
    pub(super) fn offered(&self) -> String {
        let line = |(nth, offer): (usize, &&str)| {
            let mark = if nth == self.offer { CHOSEN_OFFER } else { ' ' };
            format!("{mark} {offer}\n")
        };
        let lines: String = OFFERS.iter().enumerate().map(line).collect();
        let keys = [KeyAction::Up, KeyAction::Down, KeyAction::Send];
        let [up, down, send] = keys.map(|action| self.keymap.label(Scope::Input, action));
        format!("{up} and {down} choose, {send} takes it. Or just write.\n\n{lines}")
    }

    /// Chooses the next offer, or the one before.
    pub(super) fn choose_offer(&mut self, forward: bool) {
        let by = if forward { 1 } else { OFFERS.len() - 1 };
        self.offer = (self.offer + by) % OFFERS.len();
        self.show_welcome();
    }

    pub(super) fn show_welcome(&mut self) {
        let offline = self.session.as_ref().is_some_and(|session| session.model.offline);
        let text = self.welcome(offline);
        self.transcript.set_welcome(&text);
    }

    pub(super) fn take_offer(&mut self) -> Vec<Action> {
        match self.offer {
            0 => self.begin_try(),
            1 => self.leave_on(Errand::Demo),
            _ => self.leave_on(Errand::Connect),
        }
    }

    /// Leaves the chat for something that needs the terminal; it is opened again afterwards.
    pub(super) fn leave_on(&mut self, errand: Errand) -> Vec<Action> {
        if self.is_of_demo() {
            self.show_hint(
                "that is done from the chat, not from a demo · {input.quit_if_empty} leaves it",
            );
            return Vec::new();
        }
        if self.phase != Phase::Idle {
            self.show_hint("first the turn · {input.cancel} stops it");
            return Vec::new();
        }
        self.errand = Some(errand);
        self.close()
    }

    /// Writes the first lines for the person, one after the other. Asked for once more it ends, and what a person
    /// has in memory is not made to ebb for it.
    pub(super) fn begin_try(&mut self) -> Vec<Action> {
        if self.guide.is_some() {
            return self.end_try("The first try is over.");
        }
        if !self.is_untouched() {
            self.note(
                "A first try needs a session without messages: /new try opens one, then /try.",
            );
            return Vec::new();
        }
        self.transcript.drop_welcome();
        let value = SMALL.1;
        let usual = self.settings.as_ref().map_or_else(Rules::default, |settings| settings.rules());
        let usual = usual.summary_eviction_threshold;
        self.guide = Some(Guide { step: 0, usual });
        self.note(&format!(
            "For this try a summary leaves after {value} turns in which nobody mentions it, not after {usual}; \
             afterwards it counts as before."
        ));
        self.show_step();
        self.set_untold(value)
    }

    /// A turn has ended well: the next line of the first try, or its end.
    pub(super) fn go_on_trying(&mut self) -> Vec<Action> {
        let Some(guide) = &mut self.guide else { return Vec::new() };
        guide.step += 1;
        if guide.step == STEPS.len() {
            return self.end_try(OVER);
        }
        self.show_step();
        Vec::new()
    }

    /// Counts as usual again.
    pub(super) fn end_try(&mut self, why: &str) -> Vec<Action> {
        let Some(guide) = self.guide.take() else { return Vec::new() };
        self.caption = None;
        self.note(why);
        self.set_untold(&guide.usual.to_string())
    }

    fn set_untold(&mut self, value: &str) -> Vec<Action> {
        self.untold += 1;
        vec![Action::Send(Op::Set { key: SMALL.0.to_owned(), value: value.to_owned() })]
    }

    fn show_step(&mut self) {
        let Some(guide) = &self.guide else { return };
        let (line, caption) = STEPS[guide.step];
        self.caption = Some(Caption {
            place: (guide.step + 1, STEPS.len()),
            chapter: "A first try".to_owned(),
            text: self.keymap.fill(caption),
        });
        // What the person has begun to write goes first.
        if self.input.is_empty() {
            self.input.set(line);
        }
    }
}
