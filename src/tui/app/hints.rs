//! Hints that are given once for ever, when what they are about happens for the first time.

use super::App;
use crate::memory::{Change, ChangeKind};

/// What is said of the first change of each kind.
const HINTS: [(ChangeKind, &str); 6] = [
    (
        ChangeKind::EffortConcluded,
        "a summary stands for its log now; every word is on disk · {global.toggle_panel} shows both",
    ),
    (ChangeKind::SummaryEvicted, "nothing is lost: mention it, and it comes back"),
    (ChangeKind::SummaryReturned, "it is back, and its turns count anew"),
    (ChangeKind::EffortExpanded, "every word of it is back, as long as it is talked about"),
    (ChangeKind::EffortOpened, "a topic is open: all of it stays word for word until it is done"),
    (ChangeKind::Tide, "older small talk has left the window; asked about, it is found again"),
];

/// How a hint shows the panel where it is hidden.
const SHOWS: &str = "{global.toggle_panel} shows";

/// What hints were given for.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// In this run.
    given: Vec<ChangeKind>,
    /// In earlier ones.
    earlier: Vec<ChangeKind>,
}

impl App {
    /// Takes hints as given that were given in an earlier run. What stands for none is left aside.
    pub fn skip_hints(&mut self, given: &[String]) {
        let is_given = |kind: &ChangeKind| given.iter().any(|name| name == kind.as_str());
        self.hints.earlier = HINTS.iter().map(|(kind, _)| *kind).filter(is_given).collect();
    }

    /// The names of the changes that were explained in this run.
    pub fn hinted(&self) -> Vec<&'static str> {
        self.hints.given.iter().map(|kind| kind.as_str()).collect()
    }

    /// Gives the hint for the first thing that happened and was not explained yet; a demo and a first try explain
    /// themselves.
    pub(super) fn hint_at(&mut self, changes: &[Change]) {
        if self.demo.is_some() || self.caption.is_some() {
            return;
        }
        let happened = |kind: ChangeKind| changes.iter().any(|change| change.kind == kind);
        let given = |kind: &ChangeKind| {
            self.hints.given.contains(kind) || self.hints.earlier.contains(kind)
        };
        let new = |(kind, _): &&(ChangeKind, &str)| happened(*kind) && !given(kind);
        let Some((kind, hint)) = HINTS.iter().find(new) else { return };
        self.hints.given.push(*kind);
        // A key that shows what is on the screen would hide it.
        let is_seen = self.panel_area.is_some();
        let hint = if is_seen { hint.replace(SHOWS, "the panel shows") } else { hint.to_string() };
        self.toast(&self.keymap.fill(&hint));
    }
}
