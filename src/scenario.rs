//! Scripted conversations: a scenario file plays the model, so that what memory does can be repeated,
//! watched and measured. A client of the orchestrator, like the full-screen app.

mod bill;
mod file;
mod line;
mod player;
mod report;

pub use bill::{bill_json, paid_json};
pub use file::{Error, Scenario, ScriptedTurn, Staged};
pub use player::{Play, PlayError, Played, Player, settings};
pub use report::{layers_json, metrics_json, turn_json, turn_text, window_json};
