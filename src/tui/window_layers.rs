//! What the screen knows of each layer of the window: one row for each, for gauge, chart and panel alike.

use ratatui::style::Color;

use crate::memory::{Layer, Layers};

/// How a layer is shown.
#[derive(Debug, Clone, Copy)]
pub struct LayerLook {
    /// Stands for it where there is no room for its name.
    pub letter: &'static str,
    /// Fills its area where there are no colours.
    pub texture: &'static str,
    /// What it is, for somebody who sees the word for the first time.
    pub says: &'static str,
    /// Its colour on dark backgrounds, on light ones, and on one that nobody told.
    pub colours: [Color; 3],
}

/// The layers that memory works with, from the bottom of the chart to its top: what stays is below, what comes
/// and goes is above. The prompt and the tools are left out: everyone pays them, whatever memory does.
pub const STACKED: [Layer; 8] = [
    Layer::Summaries,
    Layer::Notes,
    Layer::Scratchpad,
    Layer::Lists,
    Layer::Ambient,
    Layer::Expanded,
    Layer::Open,
    Layer::Recalled,
];

/// How a layer is shown.
pub const fn look(layer: Layer) -> LayerLook {
    use Color::{
        Blue, Cyan, DarkGray, Gray, Green, LightBlue, LightGreen, LightMagenta, LightRed, Magenta,
        Yellow,
    };
    let (letter, texture, says, colours) = match layer {
        Layer::System => {
            ("S", "▪", "the instructions that begin every request", [Gray, DarkGray, DarkGray])
        }
        Layer::Tools => (
            "T",
            "▫",
            "what the model may call, told in every request",
            [DarkGray, DarkGray, DarkGray],
        ),
        Layer::Ambient => {
            ("A", "▒", "the last exchanges that belong to no effort", [LightBlue, Blue, LightBlue])
        }
        Layer::Expanded => (
            "E",
            "▓",
            "full logs of concluded efforts, back for a few turns",
            [Green, Green, Green],
        ),
        Layer::Open => {
            ("O", "█", "full logs of the efforts that are being worked on", [Cyan, Cyan, Cyan])
        }
        Layer::Summaries => {
            ("M", "░", "a few words for each concluded effort", [Magenta, Magenta, Magenta])
        }
        Layer::Notes => ("N", "◆", "remembered sentences", [Yellow, LightRed, LightRed]),
        Layer::Scratchpad => (
            "P",
            "≡",
            "pointers to large texts that are kept on disk",
            [LightMagenta, LightMagenta, LightMagenta],
        ),
        Layer::Lists => {
            ("L", "·", "the names of what is open, and headings", [DarkGray, DarkGray, DarkGray])
        }
        Layer::Recalled => (
            "R",
            "↺",
            "what was said before, for this message alone",
            [LightGreen, Green, LightGreen],
        ),
    };
    LayerLook { letter, texture, says, colours }
}

/// Tokens beside the prompt and the tools.
pub fn beside_fixed(layers: &Layers) -> u64 {
    STACKED.iter().map(|layer| layers.of(*layer).0).sum()
}

/// Tokens of the prompt and the tools.
pub fn fixed(layers: &Layers) -> u64 {
    layers.of(Layer::System).0 + layers.of(Layer::Tools).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Tokens;

    #[test]
    fn every_layer_has_a_letter_and_a_texture_of_its_own_and_is_stacked_or_fixed() {
        let mut layers = Layers::default();
        for (nth, layer) in Layer::ALL.into_iter().enumerate() {
            layers.add(layer, Tokens(1));
            for other in &Layer::ALL[..nth] {
                let (one, other) = (look(layer), look(*other));
                assert!(one.letter != other.letter && one.texture != other.texture, "{layer:?}");
            }
        }
        assert_eq!(beside_fixed(&layers) + fixed(&layers), layers.total().0);
    }
}
