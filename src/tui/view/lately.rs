//! What memory did last, where the panel has room for it; else a little water.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::memory::{ChangeKind, Layer, Leads, Tier, Turn};
use crate::orchestrator::Happening;
use crate::text;
use crate::tui::course::Course;
use crate::tui::theme::Theme;

/// With less room than this there are waves instead.
const ROWS: u16 = 4;

/// Columns of a turn's number, and of a name.
const TURN: usize = 5;
const NAME: usize = 24;

/// Columns before a reason.
const GAP: u16 = 2;

/// Draws what memory did, up to a turn where one is looked at, the last one first; below its first row, which stays free.
/// Where there is nothing to tell, waves go over the `water`.
pub fn render(
    course: &Course,
    until: Option<Turn>,
    theme: &Theme,
    area: Rect,
    water: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    if area.height < ROWS || course.lately(until).next().is_none() {
        return waves(theme, water.intersection(buffer.area), buffer);
    }
    let width = usize::from(area.width);
    let rule = format!(" {}", "─".repeat(width.saturating_sub(7)));
    let (x, y) = (area.x, area.y + 1);
    buffer.set_stringn(x, y, "LATELY", width, theme.strong);
    buffer.set_stringn(x + 6, y, rule, width.saturating_sub(6), theme.border);
    let most = usize::from(area.height - 3);
    let id = |happened: &Happening| text::one_line(&happened.id);
    let names = course.lately(until).take(most).map(|happened| text::width(&id(happened)));
    let names = names.max().unwrap_or(0).min(NAME).min(width / 3);
    let mut rows = area.rows().skip(2).take(most);
    // A reason that is cut gets a second row where there are more than changes.
    let mut spare = most.saturating_sub(course.lately(until).take(most).count());
    for happened in course.lately(until) {
        let Some(row) = rows.next() else { break };
        let (sign, words, style) = words(happened, theme);
        let turn = format!("{:>TURN$} ", happened.turn.0);
        let name = text::pad(&id(happened), names);
        let (x, _) = buffer.set_stringn(row.x, row.y, turn, width, theme.dim);
        let room = |x: u16| usize::from(row.right().saturating_sub(x));
        let (x, _) = buffer.set_stringn(x, row.y, sign, room(x), style);
        let (x, _) = buffer.set_stringn(x, row.y, format!(" {name} "), room(x), theme.text);
        let fitted = text::fit(&words, room(x));
        let (mut x, _) = buffer.set_stringn(x, row.y, fitted, room(x), style);
        // A cause that says no more than the word before it is left out.
        let says = happened.cause != "opened" && happened.cause != words;
        let cause = if says { text::one_line(&happened.cause) } else { String::new() };
        let beside = x.saturating_add(GAP);
        if spare > 0 && text::width(&cause) > room(beside) {
            (spare, x) = (spare - 1, row.x + TURN as u16 + 3);
            let Some(below) = rows.next() else { break };
            let room = usize::from(below.right().saturating_sub(x));
            buffer.set_stringn(x, below.y, text::fit(&cause, room), room, theme.dim);
        } else {
            buffer.set_stringn(
                beside,
                row.y,
                text::fit(&cause, room(beside)),
                room(beside),
                theme.dim,
            );
        }
    }
}

/// What happened as a sign and a word.
fn words(happened: &Happening, theme: &Theme) -> (&'static str, String, Style) {
    let (sign, words, layer) = match (happened.kind, happened.kind.row().leads) {
        (_, Leads::Begins) => ("●", "started", Layer::Open),
        (_, Leads::Ends) => ("◆", "concluded", Layer::Summaries),
        (_, Leads::GoesOn) => ("▲", "goes on", Layer::Open),
        (_, Leads::To(Tier::Expanded)) => ("▲", "expanded", Layer::Expanded),
        (_, Leads::To(Tier::Evicted)) => ("▼", "left", Layer::Ambient),
        (ChangeKind::SummaryReturned, _) => ("▲", "came back", Layer::Expanded),
        (_, Leads::To(Tier::Warm)) => ("▼", "collapsed", Layer::Ambient),
        (ChangeKind::Tide, _) => ("▼", "ebbed", Layer::Ambient),
        (kind, _) => return ("·", as_in_the_chat(kind), theme.dim),
    };
    (sign, words.to_owned(), theme.layer(layer))
}

/// `shortened for now`, as the line in the conversation says it, without what the sign tells.
fn as_in_the_chat(kind: ChangeKind) -> String {
    kind.row().banner.0.trim_end_matches(':').trim_end_matches(" effort").to_lowercase()
}

/// Waves far apart, so that no column and no row of them shows.
pub fn waves(theme: &Theme, area: Rect, buffer: &mut Buffer) {
    for place in area.positions() {
        if (usize::from(place.x) * 5 + usize::from(place.y) * 7).is_multiple_of(23) {
            buffer.set_stringn(place.x, place.y, "~", 1, theme.layer(Layer::Ambient));
        }
    }
}
