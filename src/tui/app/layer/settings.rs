//! The settings: each with its value and where it came from, to be changed on the spot.

use std::sync::Arc;

use crossterm::event::KeyCode;

use super::{Level, Overlay, Taken};
use crate::config::{Key, Kind, SettingRow, Settings};
use crate::orchestrator::Op;
use crate::tui::app::{Action, App};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::place::Place;
use crate::tui::views::View;

/// The list of settings.
#[derive(Debug, Clone)]
pub struct SettingsView {
    /// The settings in force.
    settings: Arc<Settings>,
    /// What is looked for; empty shows all.
    pub filter: Field,
    /// The chosen row.
    pub place: Place,
    /// The value that is being written.
    pub draft: Option<Field>,
    /// The row of the last change, whether it was made, and what it came to.
    pub outcome: Option<(usize, bool, String)>,
}

impl SettingsView {
    /// The settings whose key or description holds a word.
    pub fn new(settings: Arc<Settings>, filter: &str) -> Self {
        let filter = Field::open(filter.trim());
        Self { settings, filter, place: Place::default(), draft: None, outcome: None }
    }

    /// The rows that are shown, in the order of the table.
    pub fn rows(&self) -> Vec<SettingRow> {
        let filter = self.filter.words().to_lowercase().replace('-', "_");
        let fits = |row: &SettingRow| {
            row.key.contains(&filter) || row.doc.to_lowercase().contains(&filter)
        };
        self.settings.list().into_iter().filter(fits).collect()
    }

    /// The chosen setting.
    pub fn chosen(&self) -> Option<SettingRow> {
        self.rows().into_iter().nth(self.place.at)
    }

    /// Does something with the chosen setting.
    fn act_on(&mut self, row: SettingRow, action: KeyAction) -> Vec<Action> {
        let Some(key) = Key::named(row.key) else { return Vec::new() };
        let value = match action {
            KeyAction::Accept | KeyAction::Next => neighbour(key, &row.value, true),
            KeyAction::Previous => neighbour(key, &row.value, false),
            KeyAction::Reset => Some(key.default_value()),
            KeyAction::Save => {
                let key = row.key.to_owned();
                return vec![Action::Send(Op::SetForGood { key, value: row.value })];
            }
            _ => None,
        };
        // What is no choice is written.
        if value.is_none() && action == KeyAction::Accept {
            self.draft = Some(Field::open(&row.value));
            self.outcome = None;
        }
        value.map(|value| set(row.key, value)).unwrap_or_default()
    }

    /// A value that is taken over stays until it is known that it was.
    fn act_on_draft(&mut self, action: KeyAction) -> Vec<Action> {
        let (Some(row), Some(draft)) = (self.chosen(), &mut self.draft) else { return Vec::new() };
        let key = match action {
            KeyAction::Accept => return set(row.key, draft.words().to_owned()),
            KeyAction::Previous => KeyCode::Left,
            KeyAction::Next => KeyCode::Right,
            KeyAction::Top => KeyCode::Home,
            KeyAction::Bottom => KeyCode::End,
            _ => KeyCode::Null,
        };
        draft.travel(key);
        self.draft.take_if(|_| action == KeyAction::Cancel);
        Vec::new()
    }
}

impl App {
    /// Opens the settings.
    pub(in crate::tui::app) fn show_settings(&mut self, filter: &str) -> Vec<Action> {
        match &self.settings {
            Some(settings) => {
                self.stack.put(SettingsView::new(Arc::clone(settings), filter));
            }
            None => self.show_hint("the settings open when the session is there"),
        }
        Vec::new()
    }

    pub(in crate::tui::app) fn take_settings(&mut self, settings: Arc<Settings>) {
        self.look.follow(&settings);
        self.theme = self.look.theme().0;
        self.transcript.show_raw(self.look.raw);
        if let Some(view) = self.stack.get_mut::<SettingsView>() {
            view.settings = Arc::clone(&settings);
        }
        self.settings = Some(settings);
    }

    pub(in crate::tui::app) fn setting_done(&mut self, ok: bool, text: &str) {
        match self.stack.get_mut::<SettingsView>() {
            Some(view) => {
                view.outcome = Some((view.place.at, ok, text.to_owned()));
                view.draft.take_if(|_| ok);
            }
            None if ok && self.untold > 0 => self.untold -= 1,
            None => {
                self.answered(ok);
                self.outcome(ok, text);
            }
        }
    }
}

impl Overlay for SettingsView {
    fn level(&self) -> Level {
        Level::Dialog
    }

    fn scope(&self) -> Scope {
        Scope::Dialog
    }

    fn field(&mut self) -> Option<&mut Field> {
        Some(self.draft.as_mut().unwrap_or(&mut self.filter))
    }

    fn edited(&mut self, _: &mut App) -> Vec<Action> {
        if self.draft.is_none() {
            self.place.at = 0;
            // Whoever begins a filter as in other lists means its key, not a sign to be found.
            if self.filter.words() == "/" {
                self.filter = Field::open("");
            }
        }
        Vec::new()
    }

    fn list(&mut self) -> Option<(&mut Place, usize)> {
        let rows = self.rows().len();
        self.draft.is_none().then_some((&mut self.place, rows))
    }

    fn act(&mut self, action: KeyAction, _: &mut App) -> Taken {
        match (action, self.chosen()) {
            _ if self.draft.is_some() => Taken::Stays(self.act_on_draft(action)),
            (KeyAction::Show(View::Settings), _) => Taken::CLOSES,
            (KeyAction::Cancel | KeyAction::Show(_), _) | (_, None) => Taken::Ignored,
            (action, Some(row)) => Taken::Stays(self.act_on(row, action)),
        }
    }
}

fn set(key: &str, value: String) -> Vec<Action> {
    vec![Action::Send(Op::Set { key: key.to_owned(), value })]
}

/// The value beside one in a choice, around the ends; `None` where there is nothing to choose from.
fn neighbour(key: Key, value: &str, forward: bool) -> Option<String> {
    let Kind::Choice(words) = key.kind() else { return None };
    let at = words.iter().position(|word| *word == value)?;
    let step = if forward { 1 } else { words.len() - 1 };
    Some(words[(at + step) % words.len()].to_owned())
}
