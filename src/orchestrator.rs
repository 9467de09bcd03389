//! One async driver that runs a turn over the core and reports typed notices. The full-screen app,
//! `play`, `proof` and `-p` are all clients of it: they send an [`Op`] and listen for a [`Notice`].
//!
//! A turn reads from top to bottom in `turn.rs`: one task does one thing at a time, and wherever it waits for a model, a
//! server or a disk (`Driver::unless_stopped`, `Driver::with_pad`) it can be cancelled.

mod adjust;
mod allowance;
mod answer;
mod assemble;
mod audience;
mod billing;
mod cold;
mod compress;
mod concluding;
mod counting;
mod detail;
mod drafts;
mod driver;
mod earlier;
mod exchange;
mod execute;
mod export;
mod files;
mod gatekeeper;
mod handle;
mod hub;
mod inspector;
mod intake;
mod listing;
mod loading;
mod measured;
mod memory_requests;
mod meter;
mod models;
mod notes;
mod notice;
mod op;
mod past;
#[cfg(test)]
mod power_cut;
mod pull;
mod recall;
mod references;
#[cfg(test)]
mod refused;
mod returned;
mod sealed;
mod specifics;
mod start;
mod steer;
mod summary;
mod turn;
mod undo;
mod versus;

pub use crate::store::{
    BilledTurn, Changing, CourseTurn, Draft, Drafts, FoundSession, Happening, JournalEntry,
    PastCourse, Paste, Standing, TranscriptEntry, TranscriptKind, Verdict, Verdicts,
};
pub use audience::{Audience, Unwatched};
pub use billing::{BillView, prices_for, prices_of};
pub(crate) use driver::or_never;
pub use export::{ExportError, ExportFormat, Target, export, export_to_file};
pub use handle::Handle;
pub use hub::{MakeSetup, open_hub};
pub use inspector::{Inspection, window_with_draft, wire_json};
pub use intake::opens_mention;
pub use loading::{Inspected, check_settings, inspect, inspect_to_search, misfit};
pub use measured::{Cut, Measured};
pub use models::flag_before;
pub use notes::stats as note_stats_json;
pub use notice::{
    CANCELLED, CallReport, Concluded, Detail, ENDED, Given, Notice, Section, SessionInfo,
    SessionList, Stopped, TurnReport, Unanswered,
};
pub use op::{
    EffortCommand, ItemRef, NoteCommand, Op, Returned, SaidAt, SessionOp, SpecificsCommand, ToCome,
};
pub use past::{PastModel, PastTurn, TimeMachine};
pub(crate) use recall::MOST_AHEAD;
pub use recall::{
    Found, FoundKind, FoundPassage, PastSaid, Recallable, found_json, found_line, search_all,
};
pub use start::{NOTES_CHECK, Setup, start};
pub use summary::NOT_MADE;
pub use versus::{Side, SideAnswer, Versus};
