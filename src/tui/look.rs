//! How the app looks: what the settings ask for, joined with what the terminal tells.

use super::theme::{Theme, ThemeChoice, background_is_light};
use crate::config::{self, Custom, Key, Settings, Source};

/// Everything that decides what the screen looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Look {
    /// The palette.
    pub choice: ThemeChoice,
    /// No colours, as `NO_COLOR` asks.
    pub no_color: bool,
    /// The locale knows no Unicode, which a person may overrule.
    pub no_unicode: bool,
    /// The value of `COLORFGBG`, with which some terminals tell their background.
    pub colorfgbg: Option<String>,
    /// A person's own colours.
    pub colours: Vec<Custom>,
    /// No lines, arrows or emoji.
    pub ascii: bool,
    /// Moving parts.
    pub animations: bool,
    /// Replies as they came instead of laid out as Markdown.
    pub raw: bool,
    /// The terminal's title names the session.
    pub title: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            choice: ThemeChoice::Auto,
            no_color: false,
            no_unicode: false,
            colorfgbg: None,
            colours: Vec::new(),
            ascii: false,
            animations: true,
            raw: false,
            title: true,
        }
    }
}

impl Look {
    /// Takes over what the settings say.
    pub fn follow(&mut self, settings: &Settings) {
        self.choice = match settings.theme() {
            config::Theme::Auto => ThemeChoice::Auto,
            config::Theme::Light => ThemeChoice::Light,
            config::Theme::Dark => ThemeChoice::Dark,
            config::Theme::Mono => ThemeChoice::Mono,
        };
        self.colours = settings.colours().to_vec();
        let is_set = *settings.source(Key::Ascii) != Source::Default;
        self.ascii = settings.ascii() || self.no_unicode && !is_set;
        self.animations = settings.animations();
        self.raw = !settings.markdown();
        self.title = settings.terminal_title();
    }

    /// Whether the ground is light, as far as is known.
    pub fn is_light(&self) -> bool {
        match self.choice {
            ThemeChoice::Light => true,
            ThemeChoice::Auto => {
                self.colorfgbg.as_deref().and_then(background_is_light) == Some(true)
            }
            _ => false,
        }
    }

    /// The theme, and what in the colours makes no sense, as sentences.
    pub fn theme(&self) -> (Theme, Vec<String>) {
        let theme = Theme::detect(self.no_color, self.choice, self.colorfgbg.as_deref());
        let coloured = !self.no_color && self.choice != ThemeChoice::Mono;
        theme.with(&self.colours, coloured)
    }
}
