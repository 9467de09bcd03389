//! The rows of the notes and of their budget.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::item_line::bar;
use super::line::{LABEL, Sheet, WITH_WORDS, first_that_fits, justify};
use crate::counted::grouped;
use crate::memory::{Layer, NoteState, NoteStatus, NoteView};
use crate::text::{self};

/// Columns of the bar of the notes' budget.
const BAR: usize = 10;

impl Sheet<'_> {
    /// How many notes there are, and their limits.
    pub(super) fn notes(&self) -> Line<'static> {
        let stats = &self.view.notes.stats;
        let (current, soft, hard) = (stats.current, stats.soft_limit, stats.hard_limit);
        let texts = vec![
            format!("{current} of {soft} (soft), {hard} (hard)"),
            format!("{current}, soft {soft}, hard {hard}"),
            format!("{current} of {soft}/{hard}"),
            format!("{current}/{soft}"),
        ];
        let label = if self.width >= WITH_WORDS { LABEL - 2 } else { "notes ".len() };
        let room = self.width.saturating_sub(2 + label);
        let left = vec![
            Span::styled("◆ ", self.theme.layer(Layer::Notes)),
            Span::styled(text::pad("notes", label), self.theme.dim),
            Span::styled(first_that_fits(texts, room), self.theme.text),
        ];
        justify(left, Vec::new(), self.width)
    }

    /// Utilization as bar and percentage of the soft limit, status, batch, and whether checks run.
    pub(super) fn notes_budget(&self) -> Line<'static> {
        let stats = &self.view.notes.stats;
        let full = format!("{:.0} %", stats.utilization());
        let health = stats.status().as_str().replace('_', " ");
        let batch = stats.batch_size;
        let enabled = if stats.enabled { "enabled" } else { "disabled" };
        // Limits that do not adapt need no reason.
        let mut texts = match stats.lately {
            Some(_) => vec![
                format!("{full} · {health} · {}", stats.reason()),
                format!("{full} · {health} · {}", stats.leaning()),
            ],
            None => Vec::new(),
        };
        texts.extend([
            format!("{full} · {health} · batch {batch} · {enabled}"),
            format!("{full} · {health} · batch {batch}"),
            format!("{full} · {health}"),
            full,
        ]);
        let mark = match stats.status() {
            NoteStatus::Healthy => self.theme.layer(Layer::Notes),
            NoteStatus::SoftLimit | NoteStatus::HardLimit => self.theme.warning,
        };
        let bar = bar(stats.current as u64, stats.soft_limit as u64, BAR);
        let bar = text::pad(&bar, BAR);
        let room = self.width.saturating_sub(2 + text::width(&bar) + 1);
        let left = vec![
            Span::raw("  "),
            Span::styled(bar, mark),
            Span::raw(" "),
            Span::styled(first_that_fits(texts, room), self.theme.dim),
        ];
        justify(left, Vec::new(), self.width)
    }

    /// A note: its number, stars, words and tags. A sign tells what is pinned, and what a protected tag
    /// keeps at the soft limit.
    pub(super) fn note(&self, view: &NoteView) -> Line<'static> {
        let note = &view.note;
        let in_window = note.state == NoteState::Session;
        let sign = match (in_window, note.pinned, view.protected) {
            (false, ..) => "◇",
            (true, true, _) => "◈",
            (true, false, true) => "◆",
            (true, false, false) => "▪",
        };
        let style = |style: Style| if in_window { style } else { self.theme.dim };
        let words = self.width >= WITH_WORDS;
        let label = format!("{} {}", note.id, note.salience.stars());
        let label = if words { text::pad(&label, LABEL - 2) } else { format!("{label} ") };
        // A thread may be called by a tag, which the note then shows by itself.
        let is_tag =
            |name: &&String| note.tags.iter().any(|tag| name.strip_prefix('#') == Some(tag));
        let thread = view.thread.as_ref().filter(|name| !is_tag(name));
        let thread = thread.map(|name| format!("({name}) ")).unwrap_or_default();
        let tags = note.tags.iter().fold(thread, |all, tag| all + "#" + tag + " ");
        let cost = if in_window { grouped(view.tokens.0) } else { String::new() };
        let room = self.width.saturating_sub(2 + text::width(&label) + text::width(&cost) + 1);
        let content = text::one_line(&note.content);
        let tags = format!("  {}", text::one_line(&tags));
        // Tags stand behind the words if there is room for both, or they leave room for most of the words.
        let width = text::width(&tags);
        let fits = text::width(&content) + width <= room || width * 3 <= room;
        let tags = if width > 2 && fits { tags } else { String::new() };
        let content = text::fit(&content, room.saturating_sub(text::width(&tags)));
        let left = vec![
            Span::styled(format!("{sign} "), style(self.theme.layer(Layer::Notes))),
            Span::styled(label, self.theme.dim),
            Span::styled(content, style(self.theme.text)),
            Span::styled(tags, self.theme.dim),
        ];
        let right = vec![Span::styled(cost.clone(), style(self.theme.text))];
        justify(left, if cost.is_empty() { Vec::new() } else { right }, self.width)
    }
}
