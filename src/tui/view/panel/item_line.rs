//! The row of an effort: its sign, its name, a bar of the turns that are left, and what it costs.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::line::{Sheet, justify, length, refreshed};
use crate::counted::grouped;
use crate::memory::{ItemView, Layer, Tier, Tokens};
use crate::text::{self};
use crate::tui::theme::Theme;

/// From this width on the cause has a column of its own.
const WITH_CAUSE: usize = 74;
/// Columns of the turns that are left.
const LEFT: usize = 4;
/// Columns kept for the tokens, so that the bars of all items have one scale.
const COST: usize = 7;
/// A bar takes no fewer and no more columns than these.
const BAR: (usize, usize) = (10, 24);
/// A column that is filled from the left, in eighths.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The columns of an item's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    name: usize,
    /// 0 where there is no room for a bar.
    bar: usize,
    /// 0 where there is no column for it.
    cause: usize,
}

impl Columns {
    fn of(width: usize) -> Self {
        let room = width.saturating_sub(2 + LEFT + COST + 1);
        if width >= WITH_CAUSE {
            let (name, bar) = ((room / 4).clamp(18, 26), (room / 4).clamp(BAR.0, BAR.1));
            return Self { name, bar, cause: room - name - bar - 1 };
        }
        let bar = (room * 2 / 5).clamp(BAR.0, BAR.1);
        // A name of eight letters is worth more than a bar.
        let bar = if room >= BAR.0 + 8 { bar } else { 0 };
        Self { name: room - bar, bar, cause: 0 }
    }

    /// Whether the row of an item has a bar, which stands in the same columns in all rows.
    fn draws_bar(self, item: &ItemView) -> bool {
        let counts = !matches!(item.state, Tier::Active | Tier::Open | Tier::Evicted);
        self.bar > 0 && counts && item.turns_left.is_some()
    }

    /// A name and a cause side by side, where no countdown stands between them: the cause has that room as well, and a long
    /// name what the cause leaves of it.
    fn without_countdown(self, name: &str, cause: &str) -> (String, String) {
        let room = self.name + self.bar + LEFT + self.cause - 1;
        let left = room.saturating_sub(text::width(cause) + 1);
        let column = text::width(name).min(left).max(self.name - 1);
        (text::pad(name, column), text::pad(cause, room - column - 1))
    }
}

impl Sheet<'_> {
    pub(super) fn item(&self, item: &ItemView) -> Line<'static> {
        let look = Look::new(item.state, self.theme);
        let columns = Columns::of(self.width);
        let (sign, mark) = match self.marks.of(item.id.as_str()) {
            Some(arrow) => (arrow, self.theme.accent),
            None => (look.sign, look.mark),
        };
        let name = text::one_line(item.id.as_str());
        let mut left = vec![Span::styled(format!("{sign} "), mark)];
        if columns.cause > 0 && item.state == Tier::Evicted {
            let (name, cause) = columns.without_countdown(&name, &refreshed(item));
            let (name, cause) = (Span::styled(name, look.id), Span::styled(cause, self.theme.dim));
            left.extend([name, Span::raw(" "), cause]);
            return justify(left, self.item_cost(item, &look), self.width);
        }
        let (standing, cost) = (self.standing(item, &look, columns), self.item_cost(item, &look));
        let column = columns.name.saturating_sub(1);
        if columns.cause == 0 && !columns.draws_bar(item) {
            let beside = Beside { standing, cost: length(&cost), width: self.width };
            left.extend(beside.after(&Span::styled(name, look.id), column));
            return justify(left, cost, self.width);
        }
        let name = text::pad(&name, column);
        left.extend([Span::styled(name, look.id), Span::raw(" ")]);
        left.extend(standing);
        if columns.cause > 0 && !item.state.holds_log() {
            let cause = text::pad(&refreshed(item), columns.cause - 1);
            left.extend([Span::raw(" "), Span::styled(cause, self.theme.dim)]);
        }
        justify(left, cost, self.width)
    }

    /// What stands in the columns of the countdown.
    fn standing(&self, item: &ItemView, look: &Look, columns: Columns) -> Vec<Span<'static>> {
        let room = columns.bar + LEFT;
        // A word that does not fit says less than the sign before the name.
        let said = |words: &str, style| {
            let words = if text::width(words) <= room { words } else { "" };
            vec![Span::styled(text::pad(words, room), style)]
        };
        match (item.state, item.turns_left) {
            (Tier::Active | Tier::Open, _) => said(item.state.as_str(), look.word),
            (Tier::Evicted, _) => {
                let turn = item.last_referenced;
                let texts = [format!("last in turn {turn}"), format!("turn {turn}")];
                let fits = texts.iter().find(|text| text::width(text) <= room);
                said(fits.map_or("", String::as_str), self.theme.dim)
            }
            (_, None) if item.pinned => said(if room < 6 { "pin" } else { "pinned" }, look.mark),
            (_, None) => said("", look.mark),
            (_, Some((left, of))) => {
                let leaving = left <= 1;
                let style = if leaving { self.theme.warning } else { look.mark };
                let number = format!("{left}{}", if leaving { "!" } else { "" });
                let columns = if columns.bar == 0 { 0 } else { columns.bar };
                vec![
                    Span::styled(text::pad(&bar(left, of, columns), columns), style),
                    Span::styled(text::pad(&format!(" {number}"), LEFT), style),
                ]
            }
        }
    }

    fn item_cost(&self, item: &ItemView, look: &Look) -> Vec<Span<'static>> {
        match (item.state, item.whole.0) {
            (Tier::Evicted, 0) => Vec::new(),
            (Tier::Evicted, whole) => vec![Span::styled(grouped(whole), self.theme.dim)],
            _ => self.cost(item.tokens, look.cost, item.whole, ""),
        }
    }

    /// What something costs in the window, and what it would cost whole if that is something else.
    pub(super) fn cost(
        &self,
        tokens: Tokens,
        style: Style,
        whole: Tokens,
        about: &str,
    ) -> Vec<Span<'static>> {
        let mut cost = vec![Span::styled(grouped(tokens.0), style)];
        if tokens != whole {
            let whole = format!(" of {about}{}", grouped(whole.0));
            cost.push(Span::styled(whole, self.theme.dim));
        }
        cost
    }
}

/// What stands beside a name in a narrow row without a bar.
struct Beside {
    standing: Vec<Span<'static>>,
    /// Columns of what it costs.
    cost: usize,
    /// Columns of the row.
    width: usize,
}

impl Beside {
    /// A name and what stands beside it: a name that is longer than its column has the room that is left empty.
    fn after(self, name: &Span<'static>, column: usize) -> Vec<Span<'static>> {
        let words: String = self.standing.iter().map(|span| &*span.content).collect();
        let words = words.trim().to_owned();
        let style = self.standing.last().map_or(name.style, |span| span.style);
        let taken = 2 + text::width(&words) + usize::from(!words.is_empty());
        let room = self.width.saturating_sub(taken + self.cost + usize::from(self.cost > 0));
        let long = text::width(&name.content);
        if long <= column || room <= column {
            let name = Span::styled(text::pad(&name.content, column), name.style);
            return [name, Span::raw(" ")].into_iter().chain(self.standing).collect();
        }
        let name = Span::styled(text::fit(&name.content, long.min(room)), name.style);
        vec![name, Span::raw(" "), Span::styled(words, style)]
    }
}

/// How an item of a state looks.
struct Look {
    sign: &'static str,
    mark: Style,
    word: Style,
    id: Style,
    cost: Style,
}

impl Look {
    fn new(state: Tier, theme: &Theme) -> Self {
        let of = |sign, layer| Self {
            sign,
            mark: theme.layer(layer),
            word: theme.dim,
            id: theme.text,
            cost: theme.text,
        };
        match state {
            Tier::Active => Self {
                word: theme.accent,
                id: theme.strong,
                cost: theme.strong,
                ..of("●", Layer::Open)
            },
            Tier::Open => of("○", Layer::Open),
            Tier::Expanded => of("▾", Layer::Expanded),
            Tier::Warm => of("▪", Layer::Summaries),
            Tier::Evicted => {
                Self { mark: theme.dim, id: theme.dim, cost: theme.dim, ..of("▫", Layer::Open) }
            }
        }
    }
}

/// A bar of turns left in so many columns, in steps of an eighth; never empty while a turn is left.
pub(in crate::tui::view) fn bar(left: u64, of: u64, columns: usize) -> String {
    let of = of.max(1);
    let eighths = left.min(of).saturating_mul(8 * columns as u64).div_ceil(of) as usize;
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_ebbs_in_eighths_and_is_empty_only_at_zero() {
        let bars: Vec<String> = (0..=3).map(|left| bar(left, 3, 4)).collect();
        assert_eq!(bars, ["", "█▍", "██▊", "████"]);
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(19, 20, 10), "█████████▌");
    }

    #[test]
    fn what_has_no_countdown_is_cut_only_where_the_row_is_full() {
        let columns = Columns::of(96);
        let room = 96 - 2 - COST - 1;
        let cause = "turn 89: recalled for 'queries' and 'search' and 'pages'";
        for (name, shown) in [
            ("db-index", "db-index"),
            ("a-name-of-thirty-columns-in-all", "a-name-of-thirty-columns-i…"),
            (&"n".repeat(99), &format!("{}…", "n".repeat(26))),
        ] {
            let (left, right) = columns.without_countdown(name, cause);
            assert_eq!((left.trim_end(), right.trim_end()), (shown, cause));
            assert!(text::width(&left) + 1 + text::width(&right) <= room, "{left}{right}");
        }
        let (name, cause) = columns.without_countdown("a-name-of-thirty-columns-in-all", "turn 9");
        assert_eq!(
            (name.trim_end(), cause.trim_end()),
            ("a-name-of-thirty-columns-in-all", "turn 9")
        );
        let (name, cause) = columns.without_countdown(&"n".repeat(99), &"c".repeat(99));
        assert!(name.ends_with('…') && cause.ends_with('…'));
    }

    #[test]
    fn the_bar_takes_any_numbers() {
        for (left, of) in [(0, 0), (5, 0), (9, 3), (1, 1_000_000), (u64::MAX, 3)] {
            assert!(text::width(&bar(left, of, 12)) <= 12, "{left} of {of}");
        }
    }

    #[test]
    fn columns_fill_the_row_and_a_bar_has_ten_columns_or_none() {
        for width in 0..200 {
            let Columns { name, bar, cause } = Columns::of(width);
            let gap = usize::from(cause > 0);
            assert!(name + bar + cause + gap + 2 + LEFT + COST < width.max(15), "{width}");
            assert!(bar == 0 || (BAR.0..=BAR.1).contains(&bar), "{width}: {bar}");
        }
    }
}
