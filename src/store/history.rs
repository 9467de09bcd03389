//! The time machine's side of the store: what memory held after any turn.
//!
//! The journal tells everything: an `opened` line holds the window as a session was opened, each turn's
//! line where its exchange is and the sums of that moment, each change's line what moved. [`state`] takes
//! the lines in, [`recall`] adds the words from the logs. So that a turn in the middle of ten thousand is
//! found at once, the state after every 256th turn is kept in a file of its own below `history/`. These
//! files are derived: they are written beside the chat, and a missing or broken one is made anew.

pub(super) mod changes;
pub(super) mod chronicle;
pub(super) mod course;
pub(super) mod opening;

mod faults;
mod moment;
mod recall;
mod state;

use std::ops::ControlFlow;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(super) use moment::state_of;
pub use recall::{Moment, SentRequest};

use crate::memory::{Frame, Turn};
use crate::store::Error;
use crate::store::disk::files::{self, Mend};
use crate::store::disk::paths::Paths;
use crate::store::journal;
use crate::store::record::{Line, MOST, Record, State};

/// Turns between two kept states: replaying the lines between them takes a few milliseconds.
const KEYFRAME_TURNS: u64 = 256;

/// Turns that the journal can tell about: the first and the last.
pub(super) fn span(paths: &Paths) -> Result<Option<(Turn, Turn)>, Error> {
    let tells = |record: Record| match record.line {
        Line::Opened(_) | Line::Turn(_) => Some(record.turn),
        _ => None,
    };
    let Some(last) = journal::find_last(&paths.journal(), tells)? else { return Ok(None) };
    let mut first = None;
    journal::lines(&paths.journal(), 0, |_, record| {
        if matches!(record.line, Line::Opened(_)) {
            first = Some(record.turn);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(first.map(|first| (first, last.max(first))))
}

/// The state after a turn; `None` if the journal does not tell.
pub(super) fn state_after(paths: &Paths, turn: Turn) -> Result<Option<State>, Error> {
    let mut nth = turn.0 / KEYFRAME_TURNS;
    loop {
        let start = Start::at(paths, nth)?;
        let kept = start.nth;
        match start.replay(paths, turn)? {
            Replay::Found(state) => return Ok(Some(*state)),
            Replay::Missing => return Ok(None),
            // The journal is not the one that the kept state was made from.
            Replay::Stale => nth = kept.saturating_sub(1),
        }
    }
}

/// The system prompt and the tools that a line of the journal tells; `None` if it tells of none.
pub(super) fn read_frame(paths: &Paths, at: u64) -> Result<Option<Frame>, Error> {
    let mut frame = None;
    journal::lines(&paths.journal(), at, |(start, _), record| {
        if let Line::Frame(line) = record.line
            && start == at
        {
            frame =
                Some(Frame { system_prompt: line.system_prompt.into(), tools: line.tools.into() });
        }
        ControlFlow::Break(())
    })?;
    Ok(frame)
}

/// Keeps the state after the last turn of a full stretch, if it is not kept yet.
pub(super) fn keep_up(paths: &Paths, turn: Turn) -> Result<(), Error> {
    let nth = turn.0 / KEYFRAME_TURNS;
    if nth > 0 && !file_of(paths, nth).exists() {
        state_after(paths, Turn(nth * KEYFRAME_TURNS))?;
    }
    Ok(())
}

fn file_of(paths: &Paths, nth: u64) -> PathBuf {
    paths.history().join(format!("{}.json", nth * KEYFRAME_TURNS))
}

/// The stretches up to one whose states are kept, the latest first. The directory tells, because turns
/// may have any number.
fn kept_up_to(paths: &Paths, nth: u64) -> Vec<u64> {
    let files = std::fs::read_dir(paths.history()).into_iter().flatten();
    let stretch = |name: String| {
        let turn: u64 = name.strip_suffix(".json")?.parse().ok()?;
        Some(turn / KEYFRAME_TURNS).filter(|kept| (1..=nth).contains(kept))
    };
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut kept: Vec<u64> = names.filter_map(stretch).collect();
    kept.sort_unstable_by(|one, other| other.cmp(one));
    kept
}

/// Where a replay begins.
struct Start {
    /// The stretch at whose end it is; 0 for the beginning of the journal.
    nth: u64,
    state: State,
    position: u64,
    /// The number of the last line that the state includes.
    seq: u64,
}

/// A state as it is kept in a file.
#[derive(Serialize, Deserialize)]
struct Kept<State> {
    /// The turn after which it was.
    #[serde(skip_deserializing)]
    turn: u64,
    /// The position behind the last line that it includes.
    journal_bytes: u64,
    /// The number of that line.
    seq: u64,
    state: State,
}

/// What a replay came to.
enum Replay {
    Found(Box<State>),
    Missing,
    Stale,
}

impl Start {
    /// The latest kept state up to a stretch; without one, the beginning of the journal.
    fn at(paths: &Paths, nth: u64) -> Result<Self, Error> {
        let length = files::length(&paths.journal())?;
        for kept in kept_up_to(paths, nth) {
            let Some(bytes) = files::read(&file_of(paths, kept))? else { continue };
            if let Some(start) = Self::parse(kept, &bytes).filter(|start| start.position <= length)
            {
                return Ok(start);
            }
        }
        Ok(Self { nth: 0, state: State::default(), position: 0, seq: 0 })
    }

    fn parse(nth: u64, bytes: &[u8]) -> Option<Self> {
        let kept: Kept<State> = serde_json::from_slice(bytes).ok()?;
        let sane = kept.journal_bytes.max(kept.seq) <= MOST;
        let Kept { state, journal_bytes: position, seq, .. } = kept;
        sane.then_some(Self { nth, state, position, seq })
    }

    /// Takes the journal in, up to the end of a turn.
    fn replay(self, paths: &Paths, target: Turn) -> Result<Replay, Error> {
        let is_kept = self.position > 0;
        let mut walk = Walk {
            target,
            expected: is_kept.then_some(self.seq + 1),
            seq: self.seq,
            awaited: 0,
            just_ended: false,
            reached: false,
            found: (is_kept && self.state.turn == target.0).then(|| self.state.clone()),
            opened: None,
            stale: false,
            kept: None,
            state: self.state,
        };
        journal::lines(&paths.journal(), self.position, |place, record| {
            let flow = walk.take(place, record);
            if let Some(kept) = walk.kept.take() {
                keep(paths, &kept);
            }
            flow
        })?;
        let found = walk.found.or(walk.opened).filter(|_| !walk.stale);
        Ok(match found {
            Some(state) => Replay::Found(Box::new(state)),
            None if walk.stale => Replay::Stale,
            None => Replay::Missing,
        })
    }
}

/// A state to be kept, unless the session is only looked at. A disk that takes nothing costs time, no more.
fn keep(paths: &Paths, kept: &Start) {
    if paths.mend == Mend::InMemory {
        return;
    }
    let (turn, state) = (kept.state.turn, &kept.state);
    let content = Kept { turn, journal_bytes: kept.position, seq: kept.seq, state };
    let path = file_of(paths, kept.nth);
    let written = files::create_dir(&paths.history())
        .map_err(Error::write(&paths.history()))
        .and_then(|()| serde_json::to_vec(&content).map_err(|e| Error::write(&path)(e.into())))
        .and_then(|content| files::replace_unsynced(&path, &content));
    if let Err(error) = written {
        tracing::warn!("a state of the time machine was not kept: {error}");
    }
}

/// A way through the journal.
struct Walk {
    state: State,
    target: Turn,
    /// The number that the first line behind a kept state has.
    expected: Option<u64>,
    /// The number of the last line.
    seq: u64,
    /// Change lines that still belong to the end of the last turn.
    awaited: u64,
    /// The last turn's line was taken, and whether its state is worth keeping not decided.
    just_ended: bool,
    /// The line of the turn that is looked for was taken.
    reached: bool,
    /// The state in which that turn ended.
    found: Option<State>,
    /// The state in which a session was opened at that turn, in case no turn of that number ended here.
    opened: Option<State>,
    /// The kept state belongs to another journal.
    stale: bool,
    /// A state that is worth keeping.
    kept: Option<Start>,
}

impl Walk {
    fn take(&mut self, (start, end): (u64, u64), record: Record) -> ControlFlow<()> {
        self.stale = self.expected.take().is_some_and(|expected| record.seq != expected);
        let is_turn = matches!(record.line, Line::Turn(_));
        let next_turn = is_turn && (self.found.is_some() || record.turn > self.target);
        if self.stale || next_turn {
            return ControlFlow::Break(());
        }
        let is_moment = matches!(record.line, Line::Moment(_)) && record.turn == self.target;
        self.seq = record.seq;
        if let Line::Turn(line) = &record.line {
            self.awaited = line.changes.unwrap_or(0);
            self.reached = record.turn == self.target;
            self.just_ended = true;
        } else {
            self.awaited = self.awaited.saturating_sub(1);
        }
        let opens = matches!(record.line, Line::Opened(_)) && record.turn == self.target;
        self.state.take(start, record);
        if opens {
            self.opened = Some(self.state.clone());
        }
        let ended = self.awaited == 0 && std::mem::take(&mut self.just_ended);
        if (ended && self.reached) || (is_moment && self.found.is_some()) {
            self.found = Some(self.state.clone());
        }
        if ended {
            let is_due = self.state.turn.is_multiple_of(KEYFRAME_TURNS);
            let state = is_due.then(|| self.state.clone());
            let nth = self.state.turn / KEYFRAME_TURNS;
            self.kept = state.map(|state| Start { nth, state, position: end, seq: self.seq });
        }
        ControlFlow::Continue(())
    }
}
