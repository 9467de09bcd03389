//! The journal over the chat: a row for each change, and all of the selected one below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Places;
use super::frame::frame;
use crate::counted::{counted, grouped};
use crate::orchestrator::{JournalEntry, Standing};
use crate::text;
use crate::tui::app::{App, JournalView, kind_words};
use crate::tui::theme::Theme;

/// Rows below the list that tell all of the selected change.
const DETAIL: u16 = 3;

/// From so many rows on the columns have names.
const WITH_HEADING: u16 = 12;

/// Columns of the turn, the kind and the id.
const TURN: usize = 6;
const KIND: usize = 21;
const ID: usize = 22;

/// What the keys do while the filter is written.
const TYPING: &str = " {filter.accept} keeps the filter · {filter.cancel} clears it ";

/// What the keys do.
const KEYS: &str = " {journal.filter} filter · {journal.open} that turn as it was · {journal.undo_change} undo · \
                    {journal.redo_change} redo · {journal.cancel} closes ";

/// Draws the journal over the whole screen.
pub fn render(journal: &mut JournalView, app: &App, places: &Places, buffer: &mut Buffer) {
    let (keymap, theme) = (&app.keymap, &app.theme);
    let screen = places.screen;
    let width = usize::from(screen.width.saturating_sub(2));
    let (shown, all) = journal.counts();
    let filter = journal.filter();
    let title = match (journal.is_loading(), filter.is_set()) {
        (true, _) => " Journal · reading … ".to_owned(),
        // The queue stands below the journal, where nobody sees that an undo joined it.
        (false, false) if !app.queue.is_empty() => {
            format!(
                " Journal: {} of memory · {} waiting for the turn to end ",
                changes(all),
                app.queue.len()
            )
        }
        (false, false) => format!(" Journal: {} of memory ", changes(all)),
        (false, true) => {
            let head = format!(" Journal: {} of {} · ", grouped(shown as u64), changes(all));
            let room = width.saturating_sub(text::width(&head) + 1);
            format!("{head}{} ", filter.shown(room))
        }
    };
    let keys = places.keys(keymap, if filter.is_writing() { TYPING } else { KEYS });
    let (title, keys) = (text::fit(&title, width), text::fit_keys(&keys, width));
    let inner = frame(title, keys, theme, screen, buffer);
    let detail = DETAIL.min(inner.height / 3);
    let heading = u16::from(inner.height >= WITH_HEADING);
    let list = Rect { y: inner.y + heading, height: inner.height - detail - heading, ..inner };
    if heading > 0 {
        let names = text::fit(&heading_of(usize::from(inner.width)), usize::from(inner.width));
        buffer.set_stringn(inner.x, inner.y, names, usize::from(inner.width), theme.dim);
    }
    let below = Rect { y: list.bottom(), height: detail, ..inner };
    render_list(journal, theme, list, buffer);
    render_detail(journal, theme, below, buffer);
}

fn render_list(journal: &mut JournalView, theme: &Theme, list: Rect, buffer: &mut Buffer) {
    let width = usize::from(list.width);
    let (is_loading, any) = (journal.is_loading(), journal.counts().1 > 0);
    let entries = journal.visible(list);
    if entries.is_empty() && !is_loading {
        let text = if any { "No change fits the filter." } else { "Nothing has happened yet." };
        buffer.set_stringn(list.x, list.y, text, width, theme.dim);
    }
    for ((entry, selected), row) in entries.into_iter().zip(list.rows()) {
        let style = match entry.standing {
            _ if selected => Style::reset().patch(theme.selection),
            Standing::Undone => theme.dim,
            Standing::Undo | Standing::Redo => theme.accent,
            Standing::Stands => theme.text,
        };
        let line = text::fit(&line(entry, selected, width), width);
        buffer.set_stringn(row.x, row.y, line, width, style);
        if selected {
            buffer.set_style(row, style);
        }
    }
}

/// `>   31 summary evicted       auth-bug            1,204→1,102  not mentioned for 20 turns`
fn line(entry: &JournalEntry, selected: bool, width: usize) -> String {
    let sign = if selected { ">" } else { " " };
    let mark = match entry.standing {
        Standing::Undone => "undone · ",
        _ => "",
    };
    let (turn, id, cause) = (entry.turn.to_string(), &entry.id, text::one_line(&entry.cause));
    let (kind, tokens) = (kind_words(entry), change_of_tokens(entry));
    let cells = [&turn, &kind, &text::one_line(id), &tokens, &format!("{mark}{cause}")];
    format!("{sign}{}", columns(cells.map(|cell| &**cell), width))
}

/// The names of the columns.
fn heading_of(width: usize) -> String {
    format!(" {}", columns(["turn", "what happened", "to what", "window tokens", "why"], width))
}

fn columns([turn, kind, id, tokens, why]: [&str; 5], width: usize) -> String {
    let kind = text::pad(kind, KIND);
    let id = text::pad(id, if width < 90 { ID - 6 } else { ID });
    format!("{turn:>TURN$} {kind} {id} {tokens:>15}  {why}")
}

fn change_of_tokens(entry: &JournalEntry) -> String {
    format!("{}→{}", grouped(entry.before.0), grouped(entry.after.0))
}

fn render_detail(journal: &JournalView, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let Some(entry) = journal.selected() else { return };
    let difference = entry.after.0.cast_signed() - entry.before.0.cast_signed();
    let standing = match entry.standing {
        Standing::Stands => "",
        Standing::Undone => " · was undone",
        Standing::Undo => " · an undo",
        Standing::Redo => " · a redo",
    };
    let all = format!(
        "turn {} · {} · {} · {} tokens ({difference:+}){standing} · {}\n{}",
        entry.turn,
        kind_words(entry),
        text::one_line(&entry.id),
        change_of_tokens(entry),
        text::one_line(&entry.at),
        text::one_line(&entry.cause),
    );
    let lines = text::wrap(&all, usize::from(area.width.max(1)));
    for (line, row) in lines.iter().zip(area.rows()) {
        buffer.set_stringn(row.x, row.y, line, usize::from(row.width), theme.dim);
    }
}

fn changes(count: usize) -> String {
    counted(count as u64, "change")
}
