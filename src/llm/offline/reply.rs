//! Everything that the offline model says of its own. Short, honest, and neutral: a reply counts as a
//! mention of what it names, so that small talk must name nothing.

/// What is said to a message that asks for nothing. At most one word in each can be a keyword of some
/// summary, and two are needed for a mention.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "Noted.", "Okay.", "I see.", "All right.", "Understood.", "Okay, go on.", "Right.",
    "I see, go on.", "Got it.", "Okay, and then?",
];

/// How the other replies begin; what is quoted from memory never begins so.
#[rustfmt::skip]
const OPENINGS: &[&str] = &[
    "Started ", "Concluded ", "Switched ", "Reopened ", "Collapsed ", "We are already on ",
    "From the ", "Open now: ", "Nothing is open", "I found nothing", "That did not work: ",
    "Hello! ", "You are ", "I am the ", "I only follow ", "I cannot ", "Which ", "The full log of ",
    "Nothing is expanded", "I am not sure ", "The search found ", "Standing of ", "I know of no ",
    "Do you mean ", "In the log: ", "That question ", "That effort is ", "Noted as ",
];

pub(super) const GREETING: &str = "Hello! I am the built-in offline model: no language model, just \
     plain rules. Say what you want to work on, for example \"let's plan my trip\".";

pub(super) const ABOUT: &str = "I am the built-in offline model: no language model, just plain rules. \
     Say \"let's plan my trip\" to begin, \"we're done\" to finish, and ask about it later. Connect a \
     real model for real conversation.";

pub(super) const THANKS: &str = "You are welcome.";

pub(super) const QUESTION: &str = "I cannot answer that: I only follow plain rules.";

pub(super) const CANNOT_CALL: &str = "I cannot use my tools any further now.";

pub(super) const NOTHING_FOUND: &str = "I found nothing about that in our past efforts.";

pub(super) const NOTHING_OPEN: &str = "Nothing is open now.";

pub(super) const NOTHING_EXPANDED: &str = "Nothing is expanded now.";

pub(super) const CONCLUDED: &str = "That effort is concluded already.";

pub(super) const WHICH: &str = "Which effort do you mean?";

/// Asks which of some open efforts is to be closed.
pub(super) fn which(ids: &[&str]) -> String {
    let first = ids.first().copied().unwrap_or_default();
    let asked = match ids.len() {
        1 => format!("Do you mean {first}?"),
        _ => format!("Which effort do you mean: {}?", ids.join(" or ")),
    };
    format!("{asked} I close only what is named in full: \"close {first}\".")
}

/// A filler for a message: the same for the same message in the same place, and never twice in a row.
pub(super) fn filler(message: &str, last_reply: Option<&str>) -> &'static str {
    // FNV-1a: any spread that is the same on every machine serves.
    let hash = message.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let at = (hash % FILLERS.len() as u64) as usize;
    let choice = FILLERS[at];
    if last_reply == Some(choice) { FILLERS[(at + 1) % FILLERS.len()] } else { choice }
}

/// Whether a reply in the past was one of these: then it says nothing worth quoting.
pub(super) fn is_own(text: &str) -> bool {
    FILLERS.contains(&text) || OPENINGS.iter().any(|opening| text.starts_with(opening))
}
