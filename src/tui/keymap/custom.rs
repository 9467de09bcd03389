//! A person's own keys: what `[keys]` in the config file binds, checked against everything else.

use super::{Bound, Chord, KeyAction, Keymap, Scope};
use crate::config::Custom;
use crate::nearest::nearest;

impl Scope {
    /// Its name in the config file.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl KeyAction {
    /// Its name in the config file: `toggle_panel`.
    pub fn name(self) -> String {
        let word = match self {
            Self::Show(view) => format!("{view:?}"),
            other => format!("{other:?}"),
        };
        let mut name = String::new();
        for c in word.chars() {
            if c.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(c.to_lowercase());
        }
        name
    }
}

impl Bound {
    /// What it is called in the config file, below `[keys]`: `panel.down`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it can be bound to other keys; the editor's own keys cannot.
    pub fn can_change(&self) -> bool {
        self.action != KeyAction::Edit
    }

    fn rebind(&mut self, chords: &[Chord]) {
        self.chords = chords.to_vec();
        self.label = chords.iter().map(Chord::label).collect::<Vec<_>>().join(", ");
    }
}

/// An entry of the file that makes sense by itself.
struct Wish<'a> {
    custom: &'a Custom,
    /// Its place in the table.
    at: usize,
    chords: Vec<Chord>,
}

impl Keymap {
    /// The built-in keys with a person's own in their place. What makes no sense, or would be bound twice,
    /// keeps its default and is told in a sentence with file, line and key.
    pub fn with(own: &[Custom]) -> (Self, Vec<String>) {
        let default = Self::default();
        let mut faults = Vec::new();
        let mut wishes: Vec<Wish<'_>> = Vec::new();
        for custom in own {
            match default.wish(custom) {
                Ok(wish) => wishes.push(wish),
                Err(why) => faults.push(why),
            }
        }
        loop {
            let mut keymap = default.clone();
            for wish in &wishes {
                keymap.bindings[wish.at].rebind(&wish.chords);
            }
            // Each round takes one wish back, so this ends; without wishes there is no clash.
            let Some((at, why)) = keymap.last_clash(&wishes) else { return (keymap, faults) };
            let wish = wishes.remove(at);
            let label = &default.bindings[wish.at].label;
            faults.push(format!("{why}. The default holds: {label}."));
        }
    }

    /// Whether an entry of the file is what its binding obeys to.
    pub fn obeys(&self, custom: &Custom) -> bool {
        let wish = Self::default().wish(custom);
        wish.is_ok_and(|wish| self.bindings[wish.at].chords == wish.chords)
    }

    fn wish<'a>(&self, custom: &'a Custom) -> Result<Wish<'a>, String> {
        let wanted = custom.name.replace('-', "_").to_lowercase();
        let named = |bound: &Bound| bound.can_change() && bound.name() == wanted;
        let Some(at) = self.bindings.iter().position(named) else {
            return Err(self.unknown(custom, &wanted));
        };
        let bound = &self.bindings[at];
        let refuse = |why: String| {
            format!(
                "keys.{}: {why} (from: {}). The default holds: {}.",
                custom.name, custom.source, bound.label
            )
        };
        let mut chords = Vec::new();
        for text in &custom.values {
            let chord = Chord::parse(text).map_err(|why| refuse(format!("{text:?} {why}")))?;
            let types = matches!(
                bound.scope,
                Scope::Input | Scope::Global | Scope::Dialog | Scope::Filter | Scope::Palette
            );
            if types && chord.writes() && !bound.chords.contains(&chord) {
                return Err(refuse(format!(
                    "{text:?} alone is a sign to write, not a key to obey"
                )));
            }
            chords.push(chord);
        }
        if chords.is_empty() && bound.action == KeyAction::Interrupt {
            return Err(refuse("without a key there would be no way to quit".to_owned()));
        }
        Ok(Wish { custom, at, chords })
    }

    fn unknown(&self, custom: &Custom, wanted: &str) -> String {
        let changeable = self.bindings.iter().filter(|bound| bound.can_change());
        let names: Vec<&str> = changeable.map(Bound::name).collect();
        let hint = match nearest(wanted, names) {
            Some(name) => format!("Did you mean keys.{name}?"),
            None => "`ebbtide config keys` lists them all.".to_owned(),
        };
        format!(
            "there is no key binding \"keys.{}\" (from: {}). {hint} The line has no effect.",
            custom.name, custom.source
        )
    }

    /// The last wish whose key does something else already.
    fn last_clash(&self, wishes: &[Wish<'_>]) -> Option<(usize, String)> {
        for (nth, wish) in wishes.iter().enumerate().rev() {
            let own = &self.bindings[wish.at];
            for (at, other) in self.bindings.iter().enumerate() {
                let shared = own.chords.iter().find(|chord| other.chords.contains(chord));
                let Some(chord) = shared.filter(|_| at != wish.at && meet(own.scope, other.scope))
                else {
                    continue;
                };
                let other = if other.can_change() {
                    format!("is keys.{} already", other.name())
                } else {
                    format!("is a key of the message line that cannot be changed ({})", other.help)
                };
                let why = format!(
                    "keys.{}: {} {other} (from: {})",
                    wish.custom.name,
                    chord.label(),
                    wish.custom.source
                );
                return Some((nth, why));
            }
        }
        None
    }
}

/// Whether a key of one part of the screen hides one of another.
fn meet(one: Scope, other: Scope) -> bool {
    let over_global =
        |scope| matches!(scope, Scope::Input | Scope::Panel | Scope::Queue | Scope::Demo);
    one == other
        || (one == Scope::Global && over_global(other))
        || (other == Scope::Global && over_global(one))
}
