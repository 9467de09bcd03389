//! The keys in force: the built-in table, or what a person made of it.

use crossterm::event::KeyEvent;

use super::{Binding, Chord, KeyAction, Scope, table};

/// One line of the table in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Where it holds.
    pub scope: Scope,
    /// The keys that trigger it.
    pub(super) chords: Vec<Chord>,
    /// What it does.
    pub action: KeyAction,
    /// What it is called in the config file, below `[keys]`: `panel.down`.
    pub(super) name: String,
    /// The keys as people write them.
    pub label: String,
    /// What it does, for the help.
    pub(super) help: &'static str,
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
            chords: binding.chords(),
            action: binding.action,
            name: format!("{}.{}", binding.scope.name(), binding.action.name()),
            label: binding.shown.unwrap_or(binding.keys).to_owned(),
            help: binding.help,
            hint: binding.hint,
        };
        Self { bindings: table::BINDINGS.iter().map(bound).collect() }
    }
}

/// Between two hints.
const BETWEEN: &str = " · ";

/// What stands before the first name in braces, the name, and what follows.
fn next_name(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

impl Bound {
    /// Its first key, as people write it; empty if it has none.
    pub fn key(&self) -> String {
        self.chords.first().map(Chord::label).unwrap_or_default()
    }

    /// The keys that trigger it.
    pub fn chords(&self) -> &[Chord] {
        &self.chords
    }
}

impl Keymap {
    /// The key that a text names, if something is bound to it.
    pub fn bound_key(&self, text: &str) -> Option<Chord> {
        let chord = Chord::parse(text).ok()?;
        self.bindings.iter().any(|bound| bound.chords.contains(&chord)).then_some(chord)
    }

    /// What a key does in a scope; `None` if it is not bound there.
    pub fn lookup(&self, scope: Scope, event: &KeyEvent) -> Option<KeyAction> {
        let chord = Chord::of(event);
        self.bindings(scope).find(|bound| bound.chords.contains(&chord)).map(|bound| bound.action)
    }

    /// The whole table of a scope, for the help.
    pub fn bindings(&self, scope: Scope) -> impl Iterator<Item = &Bound> {
        self.bindings.iter().filter(move |bound| bound.scope == scope)
    }

    /// Key and purpose of what belongs into the hints while `scope` has the keys: of several keys, the first. What
    /// works everywhere is among them if the scope lets it through and has no other use for the key.
    pub fn hints(&self, scope: Scope, lets_through: bool) -> Vec<(String, &'static str)> {
        let is_free = |key| !self.bindings(scope).any(|bound| bound.chords.contains(key));
        let hint = |bound: &Bound| {
            let (hint, _) = (bound.hint?, bound.chords.first()?);
            Some((bound.key(), hint))
        };
        let everywhere = self.bindings(Scope::Global).filter(|bound| {
            lets_through && bound.hint.is_some() && bound.chords.first().is_some_and(is_free)
        });
        self.bindings(scope).chain(everywhere).filter_map(hint).collect()
    }

    /// The first key that does something, as people write it; empty if none does.
    pub fn label(&self, scope: Scope, action: KeyAction) -> String {
        let bound = self.bindings(scope).find(|bound| bound.action == action);
        bound.map(Bound::key).unwrap_or_default()
    }

    /// What a binding does, for the help.
    pub fn help(&self, bound: &Bound) -> String {
        self.fill(bound.help)
    }

    /// A text for people with the keys in force in it: `{global.redraw}` stands for the first key of the
    /// binding of that name. Of several hints (` · ` between them) those that have no key are left out.
    pub fn fill(&self, text: &str) -> String {
        if !text.contains(BETWEEN) {
            return self.filled(text, Some("no key")).unwrap_or_default();
        }
        let hints: Vec<String> =
            text.split(BETWEEN).filter_map(|hint| self.filled(hint, None)).collect();
        hints.join(BETWEEN)
    }

    /// `None` if a binding has no key and nothing is to be said in its place.
    fn filled(&self, text: &str, missing: Option<&str>) -> Option<String> {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, name, after)) = next_name(rest) {
            filled.push_str(before);
            match self.bindings.iter().find(|bound| bound.name == name) {
                // Somebody's own braces.
                None => filled.extend(["{", name, "}"]),
                Some(bound) if bound.chords.is_empty() => filled.push_str(missing?),
                Some(bound) => filled.push_str(&bound.key()),
            }
            rest = after;
        }
        filled.push_str(rest);
        Some(filled)
    }
}
