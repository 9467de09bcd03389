//! The status line: session, model, turn, state.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::memory::Turn;
use crate::text;
use crate::tui::theme::Theme;

/// Between two parts.
const SEPARATOR: &str = " · ";
/// What a model that is none is marked with.
const OFFLINE: &str = "no language model";
/// A name is not cut below this many columns; the part goes instead.
const SHORTEST_NAME: usize = 6;

/// What the status line says.
#[derive(Debug, Clone, Copy)]
pub struct StatusLine<'a> {
    /// The session's name.
    pub session: &'a str,
    /// The model's name as sent.
    pub model: &'a str,
    /// Whether the model is no language model.
    pub offline: bool,
    /// The turn under way, else the last counted one.
    pub turn: Turn,
    /// What the program is doing: `ready`, `waiting 3 s`, `retrying in 12 s`.
    pub state: &'a str,
}

impl StatusLine<'_> {
    /// Draws the line into the first row of the area. Where it is too narrow, names are cut, then turn,
    /// session and model go; the state stays, and so does, as long as it fits, that a model is none.
    pub fn render(&self, theme: &Theme, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        let line = self.line(theme, usize::from(area.width));
        buffer.set_line(area.x, area.y, &line, area.width);
    }

    fn line(&self, theme: &Theme, width: usize) -> Line<'static> {
        let state = text::fit(&text::one_line(self.state), width);
        let room = width.saturating_sub(text::width(&state));
        let parts = self.wordings(room).into_iter().find(|parts| columns(parts) <= room);
        let styles = [theme.strong, theme.text, theme.dim];
        let mut spans = Vec::new();
        for (part, style) in parts.unwrap_or_default().into_iter().zip(styles) {
            if !part.is_empty() {
                spans.push(Span::styled(part, style));
                spans.push(Span::styled(SEPARATOR, theme.dim));
            }
        }
        spans.push(Span::styled(state, theme.accent));
        Line::from(spans)
    }

    /// Session, model and turn, from the fullest wording to none; what is left out is empty.
    fn wordings(&self, room: usize) -> Vec<[String; 3]> {
        let session = text::one_line(self.session);
        let name = text::one_line(self.model);
        let turn = format!("turn {}", self.turn);
        let none = String::new;
        let (long, model) = if self.offline {
            (format!("{name} ({OFFLINE})"), OFFLINE.to_owned())
        } else {
            (name.clone(), name)
        };
        // A name is cut to what the other parts leave of the room.
        let cut = |name: &str, others: &[&str]| {
            let taken: usize = others.iter().map(|part| text::width(part)).sum();
            let separators = (others.len() + 1) * text::width(SEPARATOR);
            text::fit(name, room.saturating_sub(taken + separators).max(SHORTEST_NAME))
        };
        let short = text::fit(&session, SHORTEST_NAME);
        let mut wordings = vec![
            [session.clone(), long, turn.clone()],
            [cut(&session, &[&model, &turn]), model.clone(), turn.clone()],
        ];
        if !self.offline {
            wordings.push([short.clone(), cut(&model, &[&short, &turn]), turn]);
            wordings.push([short.clone(), cut(&model, &[&short]), none()]);
        }
        wordings.push([cut(&session, &[&model]), model.clone(), none()]);
        wordings.push([none(), model.clone(), none()]);
        wordings.push([none(), cut(&model, &[]), none()]);
        wordings
    }
}

/// Columns of parts that are each followed by a separator.
fn columns(parts: &[String]) -> usize {
    let shown = parts.iter().filter(|part| !part.is_empty());
    shown.map(|part| text::width(part) + text::width(SEPARATOR)).sum()
}
