//! The words of the screen in other words: one table for the help and for a click on where they stand.

use super::view::panel::Section;
use super::window_layers::look;
use crate::memory::Layer;

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

/// What a layer of the window is, with its name.
pub fn of_layer(layer: Layer) -> String {
    format!("{}: {}", layer.as_str(), look(layer).says)
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
        (
            "effort",
            "a topic that is worked on until it is concluded; then its summary stands for its log",
        ),
        (
            "warm, evicted",
            "a summary in the window, or only in the manifest, from where a mention brings it back",
        ),
        ("cached", "what the server had read before and charges less for; hatched in the gauge"),
        (
            "soft line, budget",
            "from the first on things leave by themselves; the second is never exceeded",
        ),
    ];
    parts.into_iter().chain(Layer::ALL.into_iter().map(|layer| (layer.as_str(), look(layer).says)))
}
