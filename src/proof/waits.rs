//! What a proof that asks a server waits for, and who may end it.

use std::pin::Pin;
use std::time::Duration;

/// Ready once somebody has had enough: what was found until then is told.
pub type Stop<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Why not all was asked, where nobody but the person has ended it.
pub(super) const STOPPED: &str = "you stopped it";

/// A pause until a request goes out again, as the chat tells it.
pub(super) fn waiting(wait: Duration, attempt: u32, reason: &str) -> String {
    let seconds = wait.as_secs_f64().ceil();
    format!("{}; retrying in {seconds} s (attempt {attempt})", reason.trim().trim_end_matches('.'))
}
