//! Colours by role: the terminal's own foreground and background plus named ANSI colours.

use ratatui::style::{Color, Modifier, Style};

/// Which palette the user asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// Whatever suits the terminal.
    #[default]
    Auto,
}

/// A style for each role on screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// Running text.
    pub text: Style,
    /// What matters less.
    pub dim: Style,
    /// What matters more.
    pub strong: Style,
    /// Keys, spinners and what can be acted on.
    pub accent: Style,
    /// The person's label.
    pub user: Style,
    /// The model's label.
    pub assistant: Style,
    /// Lines about memory.
    pub banner: Style,
    /// Failures.
    pub error: Style,
    /// What needs attention.
    pub warning: Style,
    /// Borders.
    pub border: Style,
    /// The border of the part that has the keys.
    pub border_focused: Style,
    /// The chosen row of a list.
    pub selection: Style,
    /// The window's layers, in window order.
    pub layers: [Style; 8],
}

impl Theme {
    /// The palette for this terminal; without colours if `no_color`.
    pub fn detect(no_color: bool, choice: ThemeChoice) -> Self {
        let ThemeChoice::Auto = choice;
        let plain = Style::default();
        let colour = |colour: Color| if no_color { plain } else { plain.fg(colour) };
        Self {
            text: plain,
            dim: plain.add_modifier(Modifier::DIM),
            strong: plain.add_modifier(Modifier::BOLD),
            accent: colour(Color::Cyan),
            user: colour(Color::Cyan).add_modifier(Modifier::BOLD),
            assistant: colour(Color::Green).add_modifier(Modifier::BOLD),
            banner: colour(Color::Magenta),
            error: colour(Color::Red),
            warning: colour(Color::Yellow),
            border: plain.add_modifier(Modifier::DIM),
            border_focused: colour(Color::Cyan),
            selection: plain.add_modifier(Modifier::REVERSED),
            layers: [plain; 8],
        }
    }
}
