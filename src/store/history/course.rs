//! How the window went over the last turns, for a chart, and what memory did: sums and few words.

use crate::memory::{Change, ChangeKind, Layers, Tokens, Turn};
use crate::store::disk::files;
use crate::store::journal;
use crate::store::record::{ChangeLine, Line, Record, TurnLine};
use crate::store::{Error, LogReader};

/// Turns that are told at most, so that the longest journal costs no more than its end.
const MOST_TURNS: usize = 5_000;

/// A turn that counted, in the chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseTurn {
    /// The turn.
    pub turn: Turn,
    /// Tokens of the window by layer when it had ended.
    pub layers: Layers,
    /// What sending everything would have cost.
    pub full: Tokens,
}

/// One thing that memory did, in few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// The turn that it belongs to: between two turns the one before; of a turn that was stopped its number.
    pub turn: Turn,
    /// What happened.
    pub kind: ChangeKind,
    /// What it happened to.
    pub id: String,
    /// Why, in words.
    pub cause: String,
}

impl From<&Change> for Happening {
    fn from(change: &Change) -> Self {
        let (id, cause) = (change.subject.to_string(), change.cause.clone());
        Self { turn: change.turn, kind: change.kind, id, cause }
    }
}

/// What the journal tells of the last turns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PastCourse {
    /// The turns that counted, oldest first, at most 5,000.
    pub turns: Vec<CourseTurn>,
    /// What memory did in them, between them and behind them, in order.
    pub happened: Vec<Happening>,
}

impl LogReader {
    /// Bytes of the journal.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn journal_bytes(&self) -> Result<u64, Error> {
        files::length(&self.paths().journal())
    }

    /// How the window went up to a position in the journal. Reads the journal from there backwards, so it belongs on
    /// a thread of its own.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn course(&self, upto: u64) -> Result<PastCourse, Error> {
        let mut past = PastCourse::default();
        for record in journal::backwards_from(&self.paths().journal(), Some(upto))? {
            let Record { turn, line, .. } = record?.1;
            match line {
                Line::Turn(line) if past.turns.last().is_none_or(|last| turn < last.turn) => {
                    if past.turns.len() == MOST_TURNS {
                        break;
                    }
                    past.turns.push(course_turn(turn, &line));
                }
                Line::Change(line) => {
                    let ChangeLine { kind, id, cause, .. } = *line;
                    past.happened.push(Happening { turn, kind, id, cause });
                }
                _ => {}
            }
        }
        past.turns.reverse();
        past.happened.reverse();
        Ok(past)
    }
}

fn course_turn(turn: Turn, line: &TurnLine) -> CourseTurn {
    let full = line.moment.as_ref().map(|moment| moment.totals().full_history.tokens);
    CourseTurn { turn, layers: line.layers(), full: full.unwrap_or_default() }
}
