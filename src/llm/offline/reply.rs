//! Everything that the offline model says of its own. Short, honest, and neutral: a reply counts as a
//! mention of what it names, so that a reply to small talk names only what the message names.

use super::chatter;
use super::intent::Beyond;

/// How the other replies begin; what is quoted from memory never begins so.
#[rustfmt::skip]
const OPENINGS: &[&str] = &[
    "Started ", "Concluded ", "Switched ", "Reopened ", "Collapsed ", "We are already on ",
    "Noted: ", "Kept: ", "On file: ", "Written down: ", "Got it: ", "Heard: ", "Not filed: ", "Mm: ",
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

pub(super) const MEMORY: &str = "I only follow rules: a topic stays word for word while it is open, shrinks \
     to a summary when you say that it is done, leaves when nobody mentions it, and comes back when you ask.";

pub(super) const THANKS: &str = "You are welcome.";

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

/// How a reply to what was stated begins, and how it goes on. Each pair holds few words that say something: what
/// a reply mentions stays in the window.
const FILED: &[&str] = &["Noted: ", "Kept: ", "On file: ", "Written down: ", "Got it: "];
const MORE: &[&str] =
    &["", " And then?", "", " Go on.", " What else?", "", " Say \"done\" when it is."];

/// How a reply to small talk begins.
const HEARD: &[&str] = &["Heard: ", "Not filed: ", "Mm: "];

/// What is said to a message that asks for nothing: the same for the same message in the same place, and never
/// twice in a row. `filed` if it goes to an effort.
pub(super) fn filler(message: &str, filed: bool, last_reply: Option<&str>) -> String {
    let gist = chatter::gist(message);
    let (ways, ends): (_, &[&str]) = if filed { (FILED, MORE) } else { (HEARD, &[""]) };
    vary(message, ways.len() * ends.len(), last_reply, |at| {
        format!("{}{gist}.{}", ways[at % ways.len()], ends[at / ways.len()])
    })
}

/// What is added where a wish may as well be a topic of its own.
pub(super) fn own_topic(active: &str, topic: &[String]) -> String {
    format!(" I file it under {active}; \"new topic: {}\" opens one of its own.", topic.join(" "))
}

/// What is said to something that only a language model could do: that it cannot, and what it can.
pub(super) fn beyond(message: &str, why: Beyond, last_reply: Option<&str>) -> String {
    let ways: &[&str] = match why {
        Beyond::World => &[
            "I know only what you tell me, and find it again.",
            "nobody told me. What you tell me I keep, and quote when you ask.",
            "I look things up in our own talk, nowhere else.",
        ],
        Beyond::Taste => &[
            "plain rules have no taste. Yours I can keep: \"remember that ...\".",
            "I am rules, without likes or moods. What you like I can note.",
        ],
        Beyond::Making => &[
            "I make nothing up. Tell me the facts, and I keep, shorten and find them.",
            "that takes a language model. I file what you say, and bring it back.",
        ],
    };
    let asked = chatter::quoted(message);
    let cannot = match why {
        Beyond::Making => format!("I cannot do {asked}"),
        _ => format!("I cannot answer {asked}"),
    };
    vary(message, ways.len(), last_reply, |at| format!("{cannot}: {}", ways[at]))
}

/// One of several ways to say something, by the message and not as the last reply.
fn vary(
    message: &str,
    ways: usize,
    last_reply: Option<&str>,
    say: impl Fn(usize) -> String,
) -> String {
    // FNV-1a: any spread that is the same on every machine serves.
    let hash = message.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let at = (hash % ways.max(1) as u64) as usize;
    // Two that begin alike read alike.
    let begins = |text: &str| text.split_whitespace().next().map(str::to_owned);
    let said = say(at);
    let again = last_reply.is_some_and(|last| last == said || begins(last) == begins(&said));
    if again { say((at + 1) % ways) } else { said }
}

/// Whether a reply in the past was one of these: then it says nothing worth quoting.
pub(super) fn is_own(text: &str) -> bool {
    OPENINGS.iter().any(|opening| text.starts_with(opening))
}
