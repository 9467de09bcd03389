//! What is chosen from over the chat: other sessions, and the settings.

pub mod sessions;
pub mod settings;

use std::path::PathBuf;

use super::keymap::KeyAction;
use sessions::SessionPicker;
use settings::SettingsView;

/// What has the keys while it is open.
#[derive(Debug, Clone)]
pub enum Dialog {
    /// Other sessions.
    Sessions(SessionPicker),
    /// The settings.
    Settings(SettingsView),
}

/// What a key in a dialog asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Nothing but a new frame.
    Nothing,
    /// It closes.
    Close,
    /// Sessions are to be looked for.
    Find(String),
    /// A session is to be opened.
    Open(PathBuf),
    /// A new session, of this name if it has one.
    Begin(Option<String>),
    /// A setting is to be changed.
    Set {
        /// Its key.
        key: &'static str,
        /// Its new value.
        value: String,
        /// Also in the config file.
        keep: bool,
    },
}

impl Dialog {
    /// What a key that is bound does.
    pub fn act(&mut self, action: KeyAction) -> Request {
        match self {
            Self::Sessions(picker) => picker.act(action),
            Self::Settings(view) => view.act(action),
        }
    }

    /// What other text does: it is looked for, or it is a value being written.
    pub fn write(&mut self, text: &str) -> Request {
        match self {
            Self::Sessions(picker) => picker.write(text),
            Self::Settings(view) => view.write(text),
        }
    }

    /// Takes the last sign back.
    pub fn erase(&mut self) -> Request {
        match self {
            Self::Sessions(picker) => picker.erase(),
            Self::Settings(view) => view.erase(),
        }
    }
}

/// A place in a list, kept inside it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The chosen row.
    pub at: usize,
    /// Rows of a page, as last drawn.
    pub page: usize,
}

impl Place {
    /// Moves by an action, if it is one that moves; returns whether it was.
    pub fn act(&mut self, action: KeyAction, rows: usize) -> bool {
        let page = self.page.max(1).cast_signed();
        let steps = match action {
            KeyAction::Up => -1,
            KeyAction::Down => 1,
            KeyAction::PageUp => -page,
            KeyAction::PageDown => page,
            KeyAction::Top => isize::MIN,
            KeyAction::Bottom => isize::MAX,
            _ => return false,
        };
        self.at = self.at.saturating_add_signed(steps).min(rows.saturating_sub(1));
        true
    }
}

/// What is typed or pasted, fit for one line.
fn plain(text: &str) -> String {
    super::text::clean(text).replace(['\n', '\t'], " ")
}

/// Takes the last thing that a reader sees as one sign off a text.
fn drop_last(text: &mut String) {
    use unicode_segmentation::UnicodeSegmentation;
    let end = text.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
    text.truncate(end);
}
