//! Finds again what was said: [`said`] is the index of everything, passage by passage, on disk; which of what it
//! finds is worth a place before the answer is chosen here. What [`meaning`] adds, where somebody compares texts by
//! it, joins the ranking by words.
//!
//! The index is derived; it can be made anew from the logs at any time.

mod asking;
mod call;
mod changes;
pub mod choose;
mod courtesy;
mod everyday;
mod excerpt;
mod follow;
mod forms;
mod language;
pub mod meaning;
mod meant;
mod named;
pub mod said;
mod terms;
mod vectors;

pub use asking::{SIGNS, asks, asks_or_states, is_long, plans};
pub use call::{is_called_for, may_be_of_name};
pub use changes::{accepts, asks_for_end, asks_for_newest, names_in, tells_of_change};
pub use choose::{MOST_HITS, Worth, holds_all};
pub use courtesy::without_courtesy;
pub use excerpt::{excerpt, tells};
pub use follow::{GoesOn, behind};
pub use language::{EVERYDAYS, GRAMMARS};
pub use meant::{MOST_MEANT, in_order, is_match, is_meant, may_be_meant, worth_recalling};
pub use named::is_named_in;
pub use vectors::Vectors;
