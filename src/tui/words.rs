//! The words of the screen in other words: one table for the help and for a click on where they stand.

use super::rows::Section;
use super::window_layers::look;
use crate::memory::{Layer, Tier};

/// What a part of the panel is.
pub const fn of_section(section: Section) -> &'static str {
    match section {
        Section::Working => {
            "all that the next request begins with, item by item; a bar shows the turns that an item has left"
        }
        Section::Manifest => {
            "the border of the window: what is above is sent, what is below is only in the manifest"
        }
        Section::Logs => "every word that was said, on disk; nothing is ever taken out of them",
    }
}

/// What a note is.
pub const NOTE: &str =
    "note: a fact that is kept in view whatever is talked about, until it is archived";

/// What a text held by reference is.
pub const TEXT: &str =
    "by ref: a text too large for the window; it is on disk, and the window holds a pointer to it";

/// What it means that an effort is in a tier.
pub const fn of_tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Active => {
            "active: the topic that is talked about; what is said now joins its log, word for word"
        }
        Tier::Open => {
            "open: a topic that is not concluded; its log is in the window, word for word"
        }
        Tier::Expanded => {
            "expanded: a concluded topic whose whole log is back for the turns that its bar shows"
        }
        Tier::Warm => {
            "warm: a concluded topic; its summary is in the window for the turns that its bar shows"
        }
        Tier::Evicted => {
            "evicted: its summary has left the window; a mention brings it back, all of it is on disk"
        }
    }
}

/// What a layer of the window is, with its name.
pub fn of_layer(layer: Layer) -> String {
    format!("{}: {}", layer.as_str(), look(layer).says)
}

/// What the word at a byte of a line means, with the word: of several the longest.
pub fn at(line: &str, byte: usize) -> Option<String> {
    let covers = |word: &str| {
        line.match_indices(word).any(|(start, _)| (start..start + word.len()).contains(&byte))
    };
    let each = all().flat_map(|(words, says)| words.split(", ").map(move |word| (word, says)));
    let (word, says) = each.filter(|(word, _)| covers(word)).max_by_key(|(word, _)| word.len())?;
    let named = says.starts_with(word);
    Some(if named { says.to_owned() } else { format!("{word}: {says}") })
}

/// Words that stand somewhere on the screen, and what they mean.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let parts = [
        (
            "TIDE",
            "the window over the last turns, layer by layer, and what sending everything would cost",
        ),
        ("WORKING MEMORY", of_section(Section::Working)),
        ("SHORE", of_section(Section::Manifest)),
        ("LATELY", "what memory did last, newest first"),
        ("RAW LOGS", of_section(Section::Logs)),
        ("besides", "what every request has whatever is talked about: prompt, tools, headings"),
        ("by ref", TEXT),
        ("this turn", "what the turn under way has added so far: your message and calls of tools"),
        (
            "effort",
            "a topic that is worked on until it is concluded; then its summary stands for its log",
        ),
        (
            "warm, evicted",
            "a summary in the window, or only in the manifest, from where a mention brings it back",
        ),
        (
            "slots",
            "places for summaries and expanded logs; with more of them the least salient one leaves",
        ),
        ("concluded", "efforts that are done; a summary stands for the log of each"),
        (
            "full history",
            "what a request would hold if everything said so far were sent again, as chats do",
        ),
        (
            "saved",
            "how much shorter the window is than the full history, both without prompt and tools",
        ),
        ("next", "what the next request begins with, before your message joins it"),
        ("page fault", "something was needed that had left the window: looked up again, or missed"),
        ("cached", "what the server had read before and charges less for; hatched in the gauge"),
        (
            "soft line, budget",
            "from the first on things leave by themselves; the second is never exceeded, unless budget_mode is off",
        ),
    ];
    parts.into_iter().chain(Layer::ALL.into_iter().map(|layer| (layer.as_str(), look(layer).says)))
}
