//! One table of keys: it decides what a key does and makes the hints and the help, so that neither
//! can promise what the other does not do. A person's own keys (`[keys]` in the config file) replace some
//! of it.

mod action;
mod bound;
mod chord;
mod custom;
mod table;

#[cfg(test)]
mod tests;

use crate::tui::views::View;

/// Writes down the parts of the screen once: what each is, and its heading in the help, in whose order they
/// stand.
macro_rules! scopes {
    ($($(#[$doc:meta])* $scope:ident = $heading:literal,)*) => {
        /// The part of the screen that has the keys.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Scope {
            $($(#[$doc])* $scope,)*
        }

        impl Scope {
            /// Every part, in the order of the help.
            pub const ALL: [Self; [$($heading),*].len()] = [$(Self::$scope),*];

            /// The heading in the help.
            pub fn heading(self) -> &'static str {
                match self {
                    $(Self::$scope => $heading,)*
                }
            }
        }
    };
}

scopes! {
    /// The message line.
    Input = "Writing",
    /// Everywhere where the key has no other meaning, unless something lies over the chat that keeps it.
    Global = "Everywhere",
    /// The conversation.
    Chat = "Conversation",
    /// The line that words to be found are written in.
    Find = "Finding",
    /// The memory panel.
    Panel = "Memory panel",
    /// What waits behind the turn.
    Queue = "What waits",
    /// The command palette.
    Palette = "Command palette",
    /// Help and the window inspector.
    Overlay = "Help and listings",
    /// The filter of a list, while it is being written.
    Filter = "Filter of a list",
    /// The list of sessions and the settings.
    Dialog = "Sessions and settings",
    /// The journal.
    Journal = "Journal",
    /// A turn of the past.
    Past = "The past",
    /// Two answers to the same question.
    Versus = "Comparing",
    /// A demo that plays.
    Demo = "Demo",
}

pub use action::KeyAction;
pub use bound::{Bound, Keymap};
pub use chord::Chord;

/// One line of the built-in table.
#[derive(Debug, Clone, Copy)]
struct Binding {
    scope: Scope,
    /// The keys that the help names, as people write them, the usual one first.
    keys: &'static str,
    /// Further keys.
    also: &'static str,
    /// What the help shows in place of the keys.
    shown: Option<&'static str>,
    action: KeyAction,
    help: &'static str,
    hint: Option<&'static str>,
}

impl Binding {
    fn chords(&self) -> Vec<Chord> {
        let keys = self.keys.split(", ").chain(self.also.split(", "));
        keys.filter_map(|key| Chord::parse(key).ok()).collect()
    }
}
