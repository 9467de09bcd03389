//! What becomes of a conversation that another program kept: what its own compactions lost, and how it would have
//! gone under this memory.
//!
//! Events of [`crate::read`] in, figures out. [`Turns`] makes turns of them, whose [`Texts`] wait on disk, [`phases`] finds the topics, and
//! [`Replay`] plays the whole through the real driver, with a model that says what was said then.

mod ahead;
mod billing;
mod calls;
mod card;
mod conversation;
mod copied;
mod costs;
mod exchange;
mod held;
mod lost;
mod markup;
mod model;
mod part;
mod phases;
mod play;
mod replayed;
mod report;
mod rounds;
mod rows;
mod savings;
mod staging;
mod tables;
mod texts;
mod turns;
mod words;

#[cfg(test)]
mod tests;

pub use card::card;
pub use conversation::Conversation;
pub use copied::Copied;
pub use costs::{Costs, Priced};
pub use held::Held;
pub use lost::{Loss, Losses};
pub use model::{Asked, WithFallback, ask_for_topics, in_requests, topics};
pub use part::{Border, Mark, Part};
pub use phases::{Phase, PhasesError, given, long_stretches, phases};
pub use play::{Replay, With};
pub use replayed::{Pauses, PhaseRow, Replayed, Step};
pub use report::{Report, text, write_csv, write_json};
pub use rounds::ReadAgain;
pub use rows::{Row, Rows};
pub use savings::{net, saved};
pub use texts::Texts;
pub use turns::Turns;
