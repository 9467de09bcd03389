//! The keys in force: the built-in table, or what a person made of it.

use crossterm::event::KeyEvent;

use super::{BINDINGS, Binding, Chord, KeyAction, Scope, chatting, choosing, looking};

/// One line of the table in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Where it holds.
    pub scope: Scope,
    /// The keys that trigger it.
    pub(super) chords: Vec<Chord>,
    /// What it does.
    pub action: KeyAction,
    /// The keys as people write them.
    pub label: String,
    /// What it does, for the help.
    pub help: &'static str,
    /// What it does in two words, if it belongs into the hints below the message line.
    pub hint: Option<&'static str>,
}

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    pub(super) bindings: Vec<Bound>,
}

impl Default for Keymap {
    fn default() -> Self {
        let bound = |binding: &Binding| Bound {
            scope: binding.scope,
            chords: binding.chords.to_vec(),
            action: binding.action,
            label: binding.label.to_owned(),
            help: binding.help,
            hint: binding.hint,
        };
        Self {
            bindings: BINDINGS
                .iter()
                .chain(chatting::BINDINGS)
                .chain(choosing::BINDINGS)
                .chain(looking::BINDINGS)
                .map(bound)
                .collect(),
        }
    }
}

impl Keymap {
    /// What a key does in a scope; `None` if it is not bound there.
    pub fn lookup(&self, scope: Scope, event: &KeyEvent) -> Option<KeyAction> {
        let chord = Chord::of(event);
        self.bindings(scope).find(|bound| bound.chords.contains(&chord)).map(|bound| bound.action)
    }

    /// The whole table of a scope, for the help.
    pub fn bindings(&self, scope: Scope) -> impl Iterator<Item = &Bound> {
        self.bindings.iter().filter(move |bound| bound.scope == scope)
    }

    /// Key and purpose of what belongs into the hints while `scope` has the keys.
    pub fn hints(&self, scope: Scope) -> Vec<(&str, &'static str)> {
        let alone = matches!(scope, Scope::Overlay | Scope::Dialog | Scope::Palette);
        let everywhere = self.bindings(Scope::Global).filter(|_| !alone);
        let hinted = self.bindings(scope).chain(everywhere);
        hinted.filter_map(|bound| Some((bound.label.as_str(), bound.hint?))).collect()
    }

    /// The first key that does something, as people write it; empty if none does.
    pub fn label(&self, scope: Scope, action: KeyAction) -> String {
        let bound = self.bindings(scope).find(|bound| bound.action == action);
        bound.and_then(|bound| bound.chords.first()).map(Chord::label).unwrap_or_default()
    }
}
