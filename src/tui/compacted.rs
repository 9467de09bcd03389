//! Where another program compacted a conversation that is replayed, and what that dropped: marks on the time axis.

use crate::memory::Turn;

/// The sign of a mark.
pub const SIGN: &str = "✕";

/// A compaction of the program that kept the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compacted {
    /// The turn before which it compacted.
    pub turn: Turn,
    /// What it says of it, on one line.
    pub title: String,
    /// What was kept and lost, a paragraph each, and the column under which it goes on.
    pub lines: Vec<(usize, String)>,
    /// The command that prints all of it; empty where none does.
    pub all: String,
}

/// All of a conversation, the earliest first.
#[derive(Debug, Clone, Default)]
pub struct Compactions(Vec<Compacted>);

impl Compactions {
    /// Takes them in any order.
    pub fn new(mut all: Vec<Compacted>) -> Self {
        all.sort_by_key(|one| one.turn);
        Self(all)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Compacted> {
        self.0.iter()
    }

    /// The compactions right before a turn.
    pub fn before(&self, turn: Turn) -> impl Iterator<Item = &Compacted> {
        self.iter().filter(move |one| one.turn == turn)
    }

    /// The turn of the nearest one behind a turn, or ahead of it.
    pub fn nearest(&self, turn: Turn, later: bool) -> Option<Turn> {
        let mut turns = self.0.iter().map(|one| one.turn);
        if later { turns.find(|at| *at > turn) } else { turns.rfind(|at| *at < turn) }
    }
}
