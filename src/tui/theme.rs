//! Colours by role.
//!
//! Only the sixteen named terminal colours and the terminal's own foreground and background are used, so
//! that whatever palette a person has chosen stays theirs; hints alone are in a grey whose contrast is known. Colour never carries a meaning alone: every
//! state also has a sign or a word, and the mono theme lives on modifiers only.

mod roles;

use ratatui::style::{Color, Modifier, Style};

use super::window_layers::look;
use crate::memory::Layer;

/// What the user asked for with `--theme`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// Whatever suits the terminal, as far as it can be told.
    #[default]
    Auto,
    /// For a light background.
    Light,
    /// For a dark background.
    Dark,
    /// No colours: bold, dim, underlined and reversed only.
    Mono,
}

/// The style of each role on the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Ordinary text.
    pub text: Style,
    /// What can be overlooked: details, hints, separators.
    pub dim: Style,
    /// Headings and what must not be overlooked.
    pub strong: Style,
    /// The one thing that the eye should find: the active effort, the focus.
    pub accent: Style,
    /// Who said it: the user.
    pub user: Style,
    /// Who said it: the model.
    pub assistant: Style,
    /// A line about memory.
    pub banner: Style,
    /// Something failed.
    pub error: Style,
    /// Something is about to happen, or needs a look.
    pub warning: Style,
    /// Lines between parts of the screen.
    pub border: Style,
    /// Lines around the part that takes the keys.
    pub border_focused: Style,
    /// The selected row.
    pub selection: Style,
    /// The layers of the window, in the order of [`Layer::ALL`].
    pub layers: [Style; Layer::ALL.len()],
}

/// The colours in which the palettes differ.
struct Palette {
    accent: Color,
    warning: Color,
    /// What can be overlooked and still must be readable: at least 4.5 to 1 against the background. A grey of the
    /// fixed 256, because no two terminals agree on the named ones.
    dim: Color,
    /// The column of a layer's colours.
    nth: usize,
}

/// For dark backgrounds; plain blue is left out because many terminals draw it too dark to read.
const DARK: Palette =
    Palette { accent: Color::Cyan, warning: Color::Yellow, dim: Color::Indexed(246), nth: 0 };

/// For light backgrounds; yellow, white and most bright colours are left out because they vanish there.
const LIGHT: Palette =
    Palette { accent: Color::Blue, warning: Color::Red, dim: Color::Indexed(241), nth: 1 };

/// For a background that nobody told: only colours that read on both.
const EITHER: Palette =
    Palette { accent: Color::Cyan, warning: Color::Red, dim: Color::Indexed(243), nth: 2 };

impl Theme {
    /// Chooses a theme. `no_color` (the `NO_COLOR` convention) leaves only modifiers, whatever the
    /// choice; `colorfgbg` is the value of `COLORFGBG`, with which some terminals tell their
    /// background (`15;0` is light on dark).
    pub fn detect(no_color: bool, choice: ThemeChoice, colorfgbg: Option<&str>) -> Self {
        if no_color {
            return Self::mono();
        }
        match choice {
            ThemeChoice::Mono => Self::mono(),
            ThemeChoice::Light => Self::coloured(&LIGHT),
            ThemeChoice::Dark => Self::coloured(&DARK),
            ThemeChoice::Auto => match colorfgbg.and_then(background_is_light) {
                Some(true) => Self::coloured(&LIGHT),
                Some(false) => Self::coloured(&DARK),
                None => Self::coloured(&EITHER),
            },
        }
    }

    /// The style of a layer, in the gauge and on the panel's signs.
    pub fn layer(&self, layer: Layer) -> Style {
        self.layers[layer as usize]
    }

    /// Words on an area in the colour of a layer; `None` where there are no colours.
    pub fn on_layer(&self, layer: Layer) -> Option<Style> {
        let ground = self.layer(layer).fg?;
        let words = match ground {
            Color::Blue | Color::Magenta | Color::DarkGray | Color::Red | Color::Black => {
                Color::White
            }
            _ => Color::Black,
        };
        Some(Style::new().fg(words).bg(ground))
    }

    fn mono() -> Self {
        let plain = Style::new();
        let strong = plain.add_modifier(Modifier::BOLD);
        let dim = plain.add_modifier(Modifier::DIM);
        Self {
            text: plain,
            dim,
            strong,
            accent: strong,
            user: strong,
            assistant: plain,
            banner: plain.add_modifier(Modifier::ITALIC),
            error: strong.add_modifier(Modifier::UNDERLINED),
            warning: strong,
            border: dim,
            border_focused: strong,
            selection: plain.add_modifier(Modifier::REVERSED),
            layers: [plain; Layer::ALL.len()],
        }
    }

    fn coloured(palette: &Palette) -> Self {
        let accent = Style::new().fg(palette.accent);
        Self {
            accent: accent.add_modifier(Modifier::BOLD),
            user: Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
            banner: Style::new().fg(Color::Magenta),
            error: Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
            warning: Style::new().fg(palette.warning),
            border_focused: accent,
            dim: Style::new().fg(palette.dim),
            border: Style::new().fg(Color::DarkGray),
            layers: Layer::ALL.map(|layer| Style::new().fg(look(layer).colours[palette.nth])),
            ..Self::mono()
        }
    }
}

/// Reads the background out of `COLORFGBG`: its last field, 7 and 9 to 15 being the light ones.
pub(super) fn background_is_light(colorfgbg: &str) -> Option<bool> {
    let background: u8 = colorfgbg.rsplit(';').next()?.trim().parse().ok()?;
    match background {
        7 | 9..=15 => Some(true),
        0..=6 | 8 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_styles(theme: &Theme) -> Vec<Style> {
        let mut styles = theme.layers.to_vec();
        styles.extend([theme.text, theme.dim, theme.strong, theme.accent, theme.user]);
        styles.extend([theme.assistant, theme.banner, theme.error, theme.warning]);
        styles.extend([theme.border, theme.border_focused, theme.selection]);
        styles
    }

    #[test]
    fn no_color_and_mono_leave_no_colour_at_all() {
        for theme in [
            Theme::detect(true, ThemeChoice::Dark, Some("15;0")),
            Theme::detect(false, ThemeChoice::Mono, None),
        ] {
            assert!(
                all_styles(&theme).iter().all(|style| style.fg.is_none() && style.bg.is_none())
            );
        }
    }

    #[test]
    fn hints_have_a_contrast_of_at_least_four_and_a_half_to_one() {
        let light = |grey: f64| {
            let part = grey / 255.0;
            if part <= 0.039_28 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let grey = |choice| match Theme::detect(false, choice, None).dim.fg {
            Some(Color::Indexed(nth)) => light(f64::from(8 + 10 * (u32::from(nth) - 232))),
            other => panic!("{other:?} differs from terminal to terminal"),
        };
        let contrast = |one: f64, other: f64| (one.max(other) + 0.05) / (one.min(other) + 0.05);
        for (choice, ground) in [
            (ThemeChoice::Dark, 0.0),
            (ThemeChoice::Dark, 40.0),
            (ThemeChoice::Light, 255.0),
            (ThemeChoice::Light, 240.0),
            (ThemeChoice::Auto, 0.0),
            (ThemeChoice::Auto, 255.0),
        ] {
            let contrast = contrast(grey(choice), light(ground));
            assert!(contrast >= 4.5, "{choice:?} on {ground}: {contrast:.2}");
        }
    }

    #[test]
    fn no_theme_sets_a_background() {
        for choice in [ThemeChoice::Auto, ThemeChoice::Light, ThemeChoice::Dark] {
            let theme = Theme::detect(false, choice, None);
            assert!(all_styles(&theme).iter().all(|style| style.bg.is_none()));
        }
    }

    #[test]
    fn auto_follows_what_the_terminal_tells() {
        let auto = |value| Theme::detect(false, ThemeChoice::Auto, value);
        assert_eq!(auto(Some("15;0")), Theme::detect(false, ThemeChoice::Dark, None));
        assert_eq!(auto(Some("0;default;15")), Theme::detect(false, ThemeChoice::Light, None));
        assert_eq!(auto(Some("0;default")), auto(None));
        assert_eq!(auto(Some("")), auto(None));
    }

    #[test]
    fn what_is_light_on_light_or_dark_on_dark_is_not_used() {
        let uses = |theme: &Theme, colours: &[Color]| {
            all_styles(theme).iter().any(|style| style.fg.is_some_and(|fg| colours.contains(&fg)))
        };
        let pale = [Color::White, Color::Gray, Color::Yellow, Color::LightYellow];
        let deep = [Color::Black];
        assert!(!uses(&Theme::detect(false, ThemeChoice::Light, None), &pale));
        assert!(!uses(&Theme::detect(false, ThemeChoice::Dark, None), &deep));
        let unknown = Theme::detect(false, ThemeChoice::Auto, None);
        assert!(!uses(&unknown, &pale) && !uses(&unknown, &deep));
    }
}
