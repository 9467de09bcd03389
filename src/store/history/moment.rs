//! What memory holds when a session is opened, so that the time machine can begin from it.

use crate::memory::{EffortId, Memory, Status};
use crate::store::manifest::patch;
use crate::store::record::{Moment, State, StoredRules};

/// What memory holds. `frame` is where the journal tells the system prompt and the tools; `end_of` gives the
/// length of a log in bytes, of `None` the ambient one.
pub(crate) fn state_of(
    memory: &Memory,
    frame: u64,
    end_of: impl Fn(Option<&EffortId>) -> Option<u64>,
) -> State {
    let mut state = State {
        turn: memory.turn().0,
        rules: Some(StoredRules::new(memory.rules(), memory.note_limits())),
        frame: Some(frame),
        ambient_end: end_of(None).unwrap_or(0),
        moment: Moment::of(memory),
        ..State::default()
    };
    let in_window =
        memory.open_efforts().chain(memory.expanded_efforts()).chain(memory.warm_efforts());
    for effort in in_window.chain(memory.evicted_efforts().rev()) {
        let end = if effort.status == Status::Open { end_of(Some(&effort.id)) } else { None };
        let place = memory.place_of(&effort.id);
        state.hold(memory.tier(effort), patch::held(effort), place, end);
    }
    memory.searchable_notes().for_each(|note| state.hold_note(note.clone().into()));
    state
}
