//! What stands over a message, and what under a reply.

use crate::bill::TurnBill;
use crate::counted::{counted, grouped};
use crate::memory::Turn;

/// Over a message that was not answered.
pub(super) const UNANSWERED: &str = "You · not answered";

/// Over a message of a turn, if it is of one.
pub(super) fn user_label(turn: Option<Turn>) -> String {
    turn.map_or_else(|| "You".to_owned(), |turn| format!("You · turn {turn}"))
}

/// The label of a reply that was cut off.
pub(super) fn cut_off(model: &str) -> String {
    format!("{model} · cut off")
}

/// What a turn took itself, with all that memory asked for in it: `sent 2,720 tokens · 2 requests · ~97 % cached`.
pub(super) fn footnote(bill: &TurnBill) -> Option<String> {
    let (paid, requests) = bill.of_turn();
    let requests = match requests {
        0 => String::new(),
        some => format!(" · {}", counted(some, "request")),
    };
    let about = if paid.estimated { "~" } else { "" };
    let (sent, cached) = (grouped(paid.prompt()), paid.share_read() * 100.0);
    (paid.prompt() > 0)
        .then(|| format!("sent {sent} tokens{requests} · {about}{cached:.0} % cached"))
}
