//! What stands in the place of the message line while a turn of the past is shown: nothing can be sent
//! from there. Where another program compacted the conversation, the box says what it lost.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::Places;
use crate::counted::grouped;
use crate::text::{self, clean, wrap};
use crate::tui::app::{App, Past};
use crate::tui::compacted::{self, Compactions};
use crate::tui::theme::Theme;

/// What the keys do.
const KEYS: &str = " {past.cancel} now · {past.earlier}/{past.later} turn · {past.page_up}/{past.page_down} ten · \
                    {past.inspect} window · {global.journal} journal ";

/// The same where another program compacted the conversation.
const KEYS_BETWEEN: &str = " {past.cancel} now · {past.earlier}/{past.later} turn · {past.last_mark}/{past.next_mark} \
                            compaction · {past.inspect} window · {global.journal} journal ";

/// Rows of the conversation that are left beside what a compaction lost.
const CHAT: u16 = 4;

/// Rows of the command that prints all of it at most.
const HINT: usize = 2;

/// Draws which turn is shown, where it stands in the session, and the keys.
pub fn render(past: &Past, app: &App, places: &Places, buffer: &mut Buffer) {
    let theme = &app.theme;
    let width = usize::from(places.input.width.saturating_sub(2));
    let half = (places.input.bottom() / 2).saturating_sub(places.input.height);
    let high = places.input.y.saturating_sub(places.chat.y + CHAT).max(half);
    let most = [half, high].map(usize::from);
    let told = told(past, &app.chart.compactions, width.saturating_sub(2), most);
    let rows = told.len() as u16;
    let area =
        Rect { y: places.input.y - rows, height: places.input.height + rows, ..places.input };
    let is_marked = app.chart.compactions.iter().next().is_some();
    let keys = places.keys(&app.keymap, if is_marked { KEYS_BETWEEN } else { KEYS });
    let block = Block::bordered()
        .border_style(theme.warning)
        .title(Line::styled(text::fit(&format!(" {} ", past.title()), width), theme.warning))
        .title_bottom(Line::styled(text::fit_keys(&keys, width), theme.dim));
    let inside = block.inner(area);
    Clear.render(area, buffer);
    block.render(area, buffer);
    let inner = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if inner.is_empty() {
        return;
    }
    let line = bar(past, &app.chart.compactions, theme, usize::from(inner.width));
    buffer.set_line(inner.x, inner.y, &line, inner.width);
    for (line, row) in told.iter().zip(inner.rows().skip(1).take(rows.into())) {
        buffer.set_stringn(row.x, row.y, line, usize::from(row.width), theme.text);
    }
}

/// What another program's compaction before the turn lost: in the half of the screen, or in more rows if each kind needs
/// one.
fn told(
    past: &Past,
    compactions: &Compactions,
    width: usize,
    [half, high]: [usize; 2],
) -> Vec<String> {
    let of = |one: &compacted::Compacted| {
        let title = format!("{} {}", compacted::SIGN, one.title);
        std::iter::once((0, title)).chain(one.lines.iter().cloned()).collect::<Vec<_>>()
    };
    let before = || compactions.before(past.turn());
    let all: Vec<(usize, String)> = before().flat_map(of).collect();
    let most = half.max(high.min(all.len() + 1 + HINT));
    fitted(&all, before().next().map_or("", |one| &one.all), width.max(1), most)
}

/// Paragraphs in so many rows: each gets one, and more as long as there are some. Where that is not all, the last rows say
/// so, and which command prints all.
fn fitted(paragraphs: &[(usize, String)], all: &str, width: usize, most: usize) -> Vec<String> {
    let wrapped: Vec<_> =
        paragraphs.iter().map(|(column, text)| hung(&clean(text), *column, width)).collect();
    if wrapped.iter().map(Vec::len).sum::<usize>() <= most {
        return wrapped.concat();
    }
    let hint = |room: usize| hint(wrapped.len().saturating_sub(room), all, width);
    let room = most.saturating_sub(hint(most.saturating_sub(HINT)).len());
    let mut free = room.saturating_sub(wrapped.len());
    let mut lines = Vec::with_capacity(most);
    for rows in wrapped.iter().take(room) {
        let shown = rows.len().min(1 + free);
        free -= shown - 1;
        lines.extend_from_slice(&rows[..shown - 1]);
        let end = if shown < rows.len() { " …" } else { "" };
        let last = text::fit(&rows[shown - 1], width.saturating_sub(text::width(end)));
        let last = last.trim_end_matches([' ', '…']);
        lines
            .push(format!("{last}{}", if rows[shown - 1].len() > last.len() { " …" } else { end }));
    }
    lines.extend(hint(room));
    lines.truncate(most);
    lines
}

/// A paragraph that goes on under a column, if that leaves it half of the width.
fn hung(text: &str, column: usize, width: usize) -> Vec<String> {
    match text.split_at_checked(column) {
        Some((head, rest)) if column > 0 && 2 * column <= width => {
            let lines = wrap(rest, width - column).into_iter().enumerate();
            let before = |nth| if nth == 0 { head } else { "" };
            lines.map(|(nth, line)| format!("{:column$}{line}", before(nth))).collect()
        }
        _ => wrap(text, width),
    }
}

/// That there is more, in so many paragraphs, and the command that prints all, if it is short enough to be read.
fn hint(more: usize, all: &str, width: usize) -> Vec<String> {
    let more = match more {
        0 => "… and more".to_owned(),
        more => format!("… and {more} more"),
    };
    let told = if all.is_empty() { Vec::new() } else { wrap(&format!("{more}: `{all}`"), width) };
    match told.len() {
        1..=HINT => told,
        _ => vec![text::fit(&format!("{more}: `ebbtide uncompact LOG`"), width)],
    }
}

/// The session as a line with the turn's place on it.
fn bar(past: &Past, compactions: &Compactions, theme: &Theme, width: usize) -> Line<'static> {
    let Some((first, last)) = past.span() else {
        return Line::styled("reading the journal …", theme.dim);
    };
    let (left, right) = (grouped(first.0), grouped(last.0));
    let room = width.saturating_sub(text::width(&left) + text::width(&right) + 2).max(1);
    let turns = last.0.saturating_sub(first.0).max(1);
    let column = |turn: u64| {
        (turn.saturating_sub(first.0) as usize * (room - 1) / turns as usize).min(room - 1)
    };
    let at = column(past.turn().0);
    let mut signs: Vec<Span<'static>> = (0..room)
        .map(|place| match place.cmp(&at) {
            std::cmp::Ordering::Less => Span::styled("━", theme.accent),
            std::cmp::Ordering::Equal => Span::styled("●", theme.accent),
            std::cmp::Ordering::Greater => Span::styled("─", theme.border),
        })
        .collect();
    for place in compactions.iter().map(|one| column(one.turn.0)).filter(|place| *place != at) {
        signs[place] = Span::styled(compacted::SIGN, theme.error);
    }
    let ends = |text| Span::styled(text, theme.dim);
    let line = std::iter::once(ends(format!("{left} "))).chain(signs);
    Line::from(line.chain([ends(format!(" {right}"))]).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_goes_on_under_its_column_where_there_is_room() {
        let list = "lost paths       src/a.rs, src/b.rs, src/c.rs, src/d.rs";
        let hanging =
            ["lost paths       src/a.rs, src/b.rs,", "                 src/c.rs, src/d.rs"];
        assert_eq!(hung(list, 17, 40), hanging);
        assert_eq!(hung(list, 17, 30)[1], "src/b.rs, src/c.rs, src/d.rs");
        assert_eq!(
            hung(list, 0, 40),
            ["lost paths       src/a.rs, src/b.rs,", "src/c.rs, src/d.rs"]
        );
        assert_eq!(hung("short", 17, 40), ["short"]);
    }

    #[test]
    fn what_does_not_fit_is_said_to_and_every_kind_of_loss_has_a_row() {
        let kinds = ["commands", "errors", "numbers"];
        let lost = |kind: &&str| format!("lost {kind:<8} {}", [*kind; 9].join(", "));
        let paragraphs: Vec<_> = kinds.iter().map(|kind| (0, lost(kind))).collect();
        let all = fitted(&paragraphs, "", 44, 12);
        assert!(all.len() > 5 && !all.concat().contains('…'), "{all:#?}");
        let told = fitted(&paragraphs, "", 44, 5);
        assert_eq!(told.len(), 5);
        assert!(told[1].ends_with(" …") && told[2].starts_with("lost errors"), "{told:#?}");
        assert!(told[3].starts_with("lost numbers") && told[3].ends_with(" …"), "{told:#?}");
        assert_eq!(told[4], "… and more: `ebbtide uncompact LOG`");
        assert!(fitted(&paragraphs, "", 60, 3)[2].starts_with("… and 1 more: "));
        let command = "ebbtide uncompact ~/.claude/projects/-p/s.jsonl";
        let told = fitted(&paragraphs, command, 44, 5);
        assert_eq!(told[3..].join(" "), format!("… and more: `{command}`"));
        assert!(told[2].starts_with("lost numbers"), "{told:#?}");
        let told = fitted(&paragraphs, &command.repeat(3), 44, 5);
        assert_eq!(told[4], "… and more: `ebbtide uncompact LOG`");
        for (width, most) in [(1, 0), (1, 1), (9, 2), (40, 3), (60, 6)] {
            let told = fitted(&paragraphs, command, width, most);
            assert!(told.len() <= most, "{told:?}");
            assert!(told.iter().all(|line| text::width(line) <= width.max(3)), "{told:?}");
        }
    }
}
