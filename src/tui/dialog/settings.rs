//! The settings: each with its value and where it came from, to be changed on the spot.

use std::sync::Arc;

use super::{Place, Request, drop_last, plain};
use crate::config::{Key, Kind, SettingRow, Settings};
use crate::tui::keymap::KeyAction;

/// The list of settings.
#[derive(Debug, Clone)]
pub struct SettingsView {
    /// The settings in force.
    settings: Arc<Settings>,
    /// What is looked for; empty shows all.
    pub filter: String,
    /// The chosen row.
    pub place: Place,
    /// The value that is being written.
    pub draft: Option<String>,
    /// What the last change came to, and whether it was made.
    pub outcome: Option<(bool, String)>,
}

impl SettingsView {
    /// The settings whose key or description holds a word.
    pub fn new(settings: Arc<Settings>, filter: &str) -> Self {
        let filter = plain(filter.trim());
        Self { settings, filter, place: Place::default(), draft: None, outcome: None }
    }

    /// Takes over settings that have changed.
    pub fn take(&mut self, settings: Arc<Settings>) {
        self.settings = settings;
    }

    /// The rows that are shown, in the order of the table.
    pub fn rows(&self) -> Vec<SettingRow> {
        let filter = self.filter.to_lowercase().replace('-', "_");
        let fits = |row: &SettingRow| {
            row.key.contains(&filter) || row.doc.to_lowercase().contains(&filter)
        };
        self.settings.list().into_iter().filter(fits).collect()
    }

    /// The chosen setting.
    pub fn chosen(&self) -> Option<SettingRow> {
        self.rows().into_iter().nth(self.place.at)
    }

    pub(super) fn act(&mut self, action: KeyAction) -> Request {
        if self.draft.is_some() {
            return self.act_on_draft(action);
        }
        if self.place.act(action, self.rows().len()) {
            self.outcome = None;
            return Request::Nothing;
        }
        let Some(row) = self.chosen() else {
            return if action == KeyAction::Cancel { Request::Close } else { Request::Nothing };
        };
        let Some(key) = Key::named(row.key) else { return Request::Nothing };
        match action {
            KeyAction::Cancel => Request::Close,
            KeyAction::Accept => self.change(key, row),
            KeyAction::Previous | KeyAction::Next => {
                let value = neighbour(key, &row.value, action == KeyAction::Next);
                value.map_or(Request::Nothing, |value| set(row.key, value))
            }
            KeyAction::Reset => set(row.key, key.default_value()),
            KeyAction::Save => Request::Set { key: row.key, value: row.value, keep: true },
            _ => Request::Nothing,
        }
    }

    /// The next value of a choice; anything else is written.
    fn change(&mut self, key: Key, row: SettingRow) -> Request {
        if let Some(value) = neighbour(key, &row.value, true) {
            return set(row.key, value);
        }
        self.draft = Some(row.value);
        self.outcome = None;
        Request::Nothing
    }

    fn act_on_draft(&mut self, action: KeyAction) -> Request {
        match action {
            KeyAction::Cancel => self.draft = None,
            KeyAction::Accept => {
                if let (Some(value), Some(row)) = (self.draft.take(), self.chosen()) {
                    return set(row.key, value);
                }
            }
            _ => {}
        }
        Request::Nothing
    }

    pub(super) fn write(&mut self, text: &str) -> Request {
        let target = self.draft.as_mut().unwrap_or(&mut self.filter);
        target.push_str(&plain(text));
        self.stay()
    }

    pub(super) fn erase(&mut self) -> Request {
        drop_last(self.draft.as_mut().unwrap_or(&mut self.filter));
        self.stay()
    }

    fn stay(&mut self) -> Request {
        if self.draft.is_none() {
            self.place.at = 0;
        }
        Request::Nothing
    }
}

fn set(key: &'static str, value: String) -> Request {
    Request::Set { key, value, keep: false }
}

/// The value beside one in a choice, around the ends; `None` where there is nothing to choose from.
fn neighbour(key: Key, value: &str, forward: bool) -> Option<String> {
    let Kind::Choice(words) = key.kind() else { return None };
    let at = words.iter().position(|word| *word == value)?;
    let step = if forward { 1 } else { words.len() - 1 };
    Some(words[(at + step) % words.len()].to_owned())
}
