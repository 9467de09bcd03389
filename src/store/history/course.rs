//! How the window went over the last turns, for a chart: sums only, no words.

use crate::memory::{ChangeKind, Layers, Tokens, Turn};
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
    /// What memory did in it, in order.
    pub happened: Vec<Happening>,
}

/// One thing that memory did, in few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happening {
    /// What happened.
    pub kind: ChangeKind,
    /// What it happened to.
    pub id: String,
    /// Why, in words.
    pub cause: String,
}

impl LogReader {
    /// The last turns that counted, oldest first, at most 5,000. Reads the journal from its end, so it belongs
    /// on a thread of its own.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn course(&self) -> Result<Vec<CourseTurn>, Error> {
        let mut turns: Vec<CourseTurn> = Vec::new();
        let mut happened: Vec<(Turn, Happening)> = Vec::new();
        for record in journal::backwards(&self.paths().journal())? {
            let Record { turn, line, .. } = record?.1;
            match line {
                Line::Turn(line) if turns.last().is_none_or(|last| turn < last.turn) => {
                    settle(turns.last_mut(), &mut happened);
                    if turns.len() == MOST_TURNS {
                        break;
                    }
                    turns.push(course_turn(turn, &line));
                }
                Line::Change(line) => {
                    let ChangeLine { kind, id, cause, .. } = *line;
                    happened.push((turn, Happening { kind, id, cause }));
                }
                _ => {}
            }
        }
        settle(turns.last_mut(), &mut happened);
        turns.reverse();
        Ok(turns)
    }
}

fn course_turn(turn: Turn, line: &TurnLine) -> CourseTurn {
    let full = line.moment.as_ref().map(|moment| moment.totals().full_history.0);
    CourseTurn { turn, layers: line.layers(), full: full.unwrap_or_default(), happened: Vec::new() }
}

/// Gives a turn what was found of it; its changes stand before and behind its line.
fn settle(turn: Option<&mut CourseTurn>, happened: &mut Vec<(Turn, Happening)>) {
    let Some(into) = turn else { return };
    // Read backwards; a change between two turns bears the number of the one before.
    let (mut own, earlier) = happened.drain(..).partition::<Vec<_>, _>(|(of, _)| *of >= into.turn);
    own.reverse();
    into.happened.extend(own.into_iter().map(|(_, one)| one));
    *happened = earlier;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn happened(turn: u64, id: &str) -> (Turn, Happening) {
        let kind = ChangeKind::EffortConcluded;
        (Turn(turn), Happening { kind, id: id.into(), cause: String::new() })
    }

    #[test]
    fn what_happened_belongs_to_its_turn_and_keeps_its_order() {
        let mut turn = course_turn(Turn(4), &TurnLine::default());
        // As read from the end: behind the line of the turn, before it, and of the turn before.
        let mut found = vec![happened(4, "late"), happened(4, "early"), happened(3, "other")];
        settle(Some(&mut turn), &mut found);
        let ids: Vec<&str> = turn.happened.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["early", "late"]);
        assert_eq!(found, [happened(3, "other")]);
    }
}
