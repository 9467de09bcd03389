//! How full history and the window grew, as lines of text: the window as an area, full history as points that rise out of
//! the picture where it is much more.

use crate::counted::grouped;
use crate::replay::{Mark, Replayed, Step};
use crate::text::wrap;
use crate::tui::compacted::SIGN;
use crate::tui::view::plot::{FILLED, eighths, round_up};

/// Full history, and where it is beyond the picture.
const POINT: &str = "○";
const BEYOND: &str = "↑";

/// Rows of the picture.
const ROWS: usize = 8;

/// With so many times the largest window full history still is in the picture.
const SHOWN: u64 = 3;

/// The chart in so many columns, what its signs are below it; no lines without turns.
pub(super) fn lines(replayed: &Replayed, marks: &[Mark], width: usize) -> Vec<String> {
    let Some(last) = replayed.steps.last() else { return Vec::new() };
    let most = |of: fn(Step) -> u64| replayed.steps.iter().map(of).max().unwrap_or(0).max(1);
    let [window, history] = [most(|step| step.window), most(Step::under_way)];
    let is_beyond = history > window.saturating_mul(SHOWN);
    let top = round_up(if is_beyond { window + window / 6 } else { window.max(history) });
    let labels = [(ROWS, top), (ROWS / 2, top / 2)].map(|(row, number)| (row, grouped(number)));
    let margin = labels[0].1.len();
    let room = width.saturating_sub(margin + 1).max(2);
    let columns = columns(replayed, room);
    let mut lines = Vec::new();
    for row in (0..ROWS).rev() {
        let label = labels.iter().find(|(from, _)| *from == row + 1);
        let label = label.map_or("", |(_, number)| number);
        let cells: String = columns.iter().map(|column| cell(*column, top, row)).collect();
        lines.push(format!("{label:>margin$}│{cells}").trim_end().to_owned());
    }
    let turns = room - usize::from(replayed.concluded.is_some());
    lines.push(format!("{:>margin$}└{}", 0, axis(replayed.steps.len(), marks, room, turns)));
    let ends = [String::from("turn 1"), format!("turn {}", grouped(last.turn))];
    let between = turns.saturating_sub(ends[0].len());
    if last.turn == 1 || ends[1].len() >= between {
        lines.push(format!("{:margin$} {}", "", ends[0]));
    } else {
        lines.push(format!("{:margin$} {}{:>between$}", "", ends[0], ends[1]));
    }
    let words = legend(replayed, [window, history], is_beyond, !marks.is_empty());
    lines.extend(words.iter().flat_map(|words| wrap(words, width)));
    lines
}

/// The window and full history in each column: the most of the turns that share it. What comes behind the last turn has
/// a column of its own.
fn columns(replayed: &Replayed, room: usize) -> Vec<[u64; 2]> {
    let both = |step: Step| [step.window, step.under_way()];
    let end = replayed.concluded.map(both);
    let (count, room) = (replayed.steps.len(), room - usize::from(end.is_some()));
    let mut columns = vec![[0; 2]; room];
    for (at, step) in replayed.steps.iter().enumerate() {
        let from = at * room / count;
        let to = ((at + 1) * room / count).max(from + 1);
        for column in &mut columns[from..to] {
            for (most, number) in column.iter_mut().zip(both(step)) {
                *most = number.max(*most);
            }
        }
    }
    columns.into_iter().chain(end).collect()
}

/// A cell of a row, counted from below.
fn cell([window, history]: [u64; 2], top: u64, row: usize) -> &'static str {
    let [window, point] = [window, history].map(|number| eighths(number as f64, top as f64, ROWS));
    if history > top && row + 1 == ROWS {
        BEYOND
    } else if history <= top && point.saturating_sub(1) / 8 == row {
        POINT
    } else {
        FILLED[window.saturating_sub(row * 8).min(8)]
    }
}

/// The line of the turns, with a sign before which of them the program itself compacted.
fn axis(count: usize, marks: &[Mark], room: usize, turns: usize) -> String {
    let mut signs = vec!["─"; room];
    for mark in marks {
        signs[(mark.turn * turns / count).min(turns - 1)] = SIGN;
    }
    signs.concat()
}

/// What the signs are, with the tokens behind them.
fn legend(
    replayed: &Replayed,
    [window, history]: [u64; 2],
    is_beyond: bool,
    is_marked: bool,
) -> Vec<String> {
    let ends: Vec<Step> = replayed.ends().collect();
    let after = |of: fn(Step) -> u64| {
        let last = ends.first().map_or((0, 0), |step| (of(*step), step.turn));
        format!("{} after turn {}", grouped(last.0), grouped(last.1))
    };
    let concluded = ends.get(1).map_or_else(String::new, |step| {
        format!(", {} once the last topic is concluded (last column)", grouped(step.window))
    });
    let of_what = if replayed.conversations > 1 { " of the conversation under way" } else { "" };
    let mut words = vec![
        format!(
            "{} window, in tokens: at most {}, {}{concluded}",
            FILLED[8],
            grouped(window),
            after(|step| step.window)
        ),
        format!(
            "{POINT} full history{of_what}: at most {}, {}{}",
            grouped(history),
            after(Step::under_way),
            if is_beyond { format!("; {BEYOND} beyond the picture") } else { String::new() }
        ),
    ];
    if is_marked {
        words.push(format!("{SIGN} the program itself compacted"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Compaction;
    use crate::text;

    /// A window that grows for eight turns and is small once its topic is concluded.
    fn replayed(said: u64, conversations: u64) -> Replayed {
        let step = |turn: u64| Step {
            turn,
            full_history: said * turn,
            window: 100 * turn,
            began: if conversations > 1 && turn > 4 { said * 4 } else { 0 },
            ..Step::default()
        };
        let concluded = Some(Step { window: 50, ..step(8) });
        Replayed {
            steps: (1..=8).map(step).collect(),
            concluded,
            conversations,
            ..Replayed::default()
        }
    }

    fn mark(turn: usize) -> Mark {
        Mark { turn, is_behind: false, request: 0, compaction: Compaction::default(), kept: 0 }
    }

    #[test]
    fn both_grow_and_the_end_has_a_column_of_its_own() {
        let drawn = lines(&replayed(50, 1), &[mark(4)], 21);
        assert_eq!(
            drawn[..10],
            [
                "800│              ██",
                "   │            ████",
                "   │          ██████",
                "   │        ████████",
                "400│      ██████○○○○○",
                "   │    ████○○○○████",
                "   │  ██○○○○████████",
                "   │○○○○████████████▄",
                "  0└────────✕────────",
                "    turn 1    turn 8",
            ]
        );
        assert_eq!(
            drawn[10..].join(" "),
            "█ window, in tokens: at most 800, 800 after turn 8, 50 once the last topic is concluded (last \
             column) ○ full history: at most 400, 400 after turn 8 ✕ the program itself compacted"
        );
    }

    #[test]
    fn full_history_leaves_the_picture_and_begins_anew_with_a_conversation() {
        let drawn = lines(&replayed(1_000, 2), &[], 100);
        assert!(drawn[0].starts_with("1,000│○○○") && drawn[0].ends_with('↑'), "{drawn:#?}");
        let first: Vec<char> = drawn[0].chars().collect();
        assert_eq!(first.iter().filter(|sign| **sign == '○').count(), 11 + 12);
        let told = drawn[10..].join(" ");
        assert!(
            told.contains("full history of the conversation under way: at most 4,000"),
            "{told}"
        );
        assert!(told.ends_with("; ↑ beyond the picture"), "{told}");
    }

    #[test]
    fn any_replay_fits_any_terminal() {
        let long = |count: u64| Replayed {
            steps: (1..=count)
                .map(|turn| Step {
                    turn,
                    full_history: turn << 40,
                    window: turn,
                    ..Step::default()
                })
                .collect(),
            ..Replayed::default()
        };
        assert!(lines(&long(0), &[], 80).is_empty());
        for (count, width) in [(1, 60), (2, 80), (59, 60), (700, 120), (5_000, 200), (9, 10)] {
            let drawn = lines(&long(count), &[mark(0), mark(count as usize)], width);
            assert!(drawn.iter().all(|line| text::width(line) <= width), "{drawn:#?}");
            assert!((12..=14).contains(&drawn.len()) || width < 60, "{drawn:#?}");
        }
    }
}
