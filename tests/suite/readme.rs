//! What README names is all that there is.

use ebbtide::memory::Layer;
use ebbtide::tui::command;
use ebbtide::tui::window_layers::{STACKED, look};

const README: &str = include_str!("../../README.md");

/// What README writes as code within its sentences.
fn code() -> Vec<&'static str> {
    let blocks = README.split("```").step_by(2);
    blocks.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn it_names_every_command_of_the_chat() {
    let code = code();
    let is_named =
        |name: &str| code.iter().any(|code| code.split(' ').next() == Some(&*format!("/{name}")));
    let missing: Vec<&str> =
        command::specs().map(|spec| spec.name).filter(|name| !is_named(name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn it_says_what_each_letter_of_the_gauge_stands_for() {
    let code = code();
    let layers = STACKED.into_iter().chain([Layer::System, Layer::Tools]);
    let missing: Vec<&str> =
        layers.map(|layer| look(layer).letter).filter(|letter| !code.contains(letter)).collect();
    assert_eq!(missing, [""; 0]);
}
