//! One key with its modifiers: read from the terminal, read from the config file, written for people.

use std::fmt::Write as _;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One key with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord(pub(super) KeyModifiers, pub(super) KeyCode);

/// Keys with names, the usual one first.
const NAMES: &[(&str, KeyCode)] = &[
    ("Enter", KeyCode::Enter),
    ("Return", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Escape", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("Shift+Tab", KeyCode::BackTab),
    ("BackTab", KeyCode::BackTab),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("Del", KeyCode::Delete),
    ("Delete", KeyCode::Delete),
    ("Insert", KeyCode::Insert),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PageUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
    ("PageDown", KeyCode::PageDown),
];

/// What terminals send for some letters with Ctrl: the same bytes as for another key.
const SAME_BYTES: &[(char, &str)] = &[('i', "Tab"), ('m', "Enter"), ('[', "Esc")];

impl Chord {
    /// A letter carries its own shift, and terminals disagree on whether to say it twice. Only the
    /// modifiers that the table knows take part.
    pub fn of(event: &KeyEvent) -> Self {
        let known = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        Self::normal(event.modifiers & known, event.code)
    }

    fn normal(mut modifiers: KeyModifiers, code: KeyCode) -> Self {
        let code = match code {
            KeyCode::Char(character) => {
                modifiers.remove(KeyModifiers::SHIFT);
                if modifiers.contains(KeyModifiers::CONTROL) {
                    KeyCode::Char(character.to_ascii_lowercase())
                } else {
                    code
                }
            }
            KeyCode::Tab if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            code => code,
        };
        if code == KeyCode::BackTab {
            modifiers.remove(KeyModifiers::SHIFT);
        }
        Self(modifiers, code)
    }

    /// Reads `Ctrl+X`, `alt+enter`, `F5`, `PgUp`, `G`, `?`.
    ///
    /// # Errors
    /// Why the text is no key that a terminal sends, in words that follow the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text.trim();
        while let Some((word, after)) = rest.split_once(['+', '-']) {
            let modifier = match word.trim().to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "c" => KeyModifiers::CONTROL,
                "alt" | "meta" | "option" | "a" | "m" => KeyModifiers::ALT,
                "shift" | "s" => KeyModifiers::SHIFT,
                _ => break,
            };
            modifiers |= modifier;
            rest = after.trim_start();
        }
        let code = code(rest).ok_or("is no key: write it like Ctrl+X, Alt+Enter, F5, PgUp or j")?;
        let code = match code {
            KeyCode::Char(c) if modifiers == KeyModifiers::SHIFT => {
                KeyCode::Char(c.to_uppercase().next().unwrap_or(c))
            }
            code => code,
        };
        let chord = Self::normal(modifiers, code);
        let is_same = |c: char| chord == Self(KeyModifiers::CONTROL, KeyCode::Char(c));
        match SAME_BYTES.iter().find(|(c, _)| is_same(*c)) {
            Some((_, key)) => {
                Err(format!("cannot be told from {key}: terminals send the same for both"))
            }
            None => Ok(chord),
        }
    }

    /// The key as people write it.
    pub fn label(&self) -> String {
        let mut label = String::new();
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "Ctrl+"),
            (KeyModifiers::ALT, "Alt+"),
            (KeyModifiers::SHIFT, "Shift+"),
        ] {
            if self.0.contains(modifier) {
                label.push_str(name);
            }
        }
        let named = NAMES.iter().find(|(_, code)| *code == self.1);
        // Writing to a string cannot fail.
        let _ = match (named, self.1) {
            (Some((name, _)), _) => write!(label, "{name}"),
            (None, KeyCode::F(number)) => write!(label, "F{number}"),
            (None, KeyCode::Char(c)) if self.0.contains(KeyModifiers::CONTROL) => {
                write!(label, "{}", c.to_uppercase())
            }
            (None, KeyCode::Char(c)) => write!(label, "{c}"),
            (None, other) => write!(label, "{other}"),
        };
        label
    }

    /// Whether pressing it writes a sign.
    pub(super) fn writes(&self) -> bool {
        matches!(self.1, KeyCode::Char(_)) && self.0.is_empty()
    }
}

fn code(text: &str) -> Option<KeyCode> {
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Some(*code);
    }
    let number = text.strip_prefix(['f', 'F']).and_then(|number| number.parse::<u8>().ok());
    if let Some(number) = number.filter(|number| (1..=24).contains(number)) {
        return Some(KeyCode::F(number));
    }
    let mut chars = text.chars();
    let only = chars.next().filter(|c| !c.is_control() && !c.is_whitespace());
    only.filter(|_| chars.next().is_none()).map(KeyCode::Char)
}
