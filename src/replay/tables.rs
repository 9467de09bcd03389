//! The tables of what came of it: topics, growth and bill, each as wide as what stands in it.

use super::replayed::{PhaseRow, Replayed, Step, saved_of};
use super::rows::Rows;
use super::savings;
use crate::counted::{counted, grouped};
use crate::text::{self, chop};

/// Rows of the growth table at most.
const ROWS: usize = 12;

/// Topics at the beginning and at the end that are told where there are many.
const TOPICS: usize = 12;

/// Columns of the names of a table where there is room, and where there is little.
const NAME: (usize, usize) = (40, 12);

/// A row: its name, and its cells.
type Named = (String, Vec<String>);

/// The topics in so many columns. Of many the first and the last ones; nothing where there are none.
pub(super) fn topics(replayed: &Replayed, width: usize) -> String {
    let phases = &replayed.phases;
    if phases.is_empty() {
        return String::new();
    }
    let row = |row: &PhaseRow| {
        let saved = savings::saved(saved_of(row.summary, row.raw));
        let short: String = row.name.as_str().chars().take(NAME.0).collect();
        let turns = format!("{}-{}", grouped(row.turns.0), grouped(row.turns.1));
        (short, vec![turns, grouped(row.raw), grouped(row.summary), saved])
    };
    let left_out = phases.len().saturating_sub(2 * TOPICS);
    // A line that says that one is left out takes as much as the one.
    let (first, last) = if left_out > 1 {
        (&phases[..TOPICS], &phases[phases.len() - TOPICS..])
    } else {
        (&phases[..], &[][..])
    };
    let rows: Vec<Named> = first.iter().chain(last).map(row).collect();
    let head: (&str, &[&str]) = ("topic", &["turns", "log", "summary", "saved"]);
    let mut lines = beside(head, &[11, 9, 8, 8], &rows, width);
    if !last.is_empty() {
        let more = counted(left_out as u64, "more topic");
        lines.insert(1 + TOPICS, format!("… {more}, which --json tells\n"));
    }
    lines.concat() + "\n"
}

/// The bill, a row for each who pays, in so many columns. What was written to a cache costs more than what was read anew.
pub(super) fn bill(rows: &[Named], is_written: bool, width: usize) -> String {
    let (heads, least): (&[&str], &[usize]) = if is_written {
        (&["from cache", "written", "read anew", "output", "cost"], &[11, 9, 9, 9, 12])
    } else {
        (&["from cache", "read anew", "output", "cost"], &[11, 11, 9, 12])
    };
    beside(("~ tokens", heads), least, rows, width).concat() + "\n"
}

/// The lines of a table whose rows begin with names, as wide as there is room for; each may go on below itself.
fn beside(head: (&str, &[&str]), least: &[usize], rows: &[Named], width: usize) -> Vec<String> {
    let heads = head.1.iter().copied().map(str::to_owned).collect();
    let cells: Vec<Vec<String>> =
        std::iter::once(heads).chain(rows.iter().map(|(_, cells)| cells.clone())).collect();
    let is_narrow = |right: &[String]| right[0].len() + 1 + NAME.1 > width;
    let mut right = self::right(least, &cells);
    if is_narrow(&right) {
        right = self::right(&vec![0; least.len()], &cells);
    }
    let names = std::iter::once(head.0).chain(rows.iter().map(|(name, _)| name.as_str()));
    if is_narrow(&right) {
        // Each name has a line of its own above its figures.
        let above = |(name, cells): (&str, &String)| format!("{name}\n{cells}\n");
        return names.zip(&right).map(above).collect();
    }
    let name = width.saturating_sub(right[0].len() + 1).clamp(NAME.1, NAME.0);
    names.zip(&right).map(|(text, cells)| named(text, name, cells)).collect()
}

/// Rows of cells, each at the right of its column, which is so wide at least, and as wide as its longest cell.
fn right(least: &[usize], rows: &[Vec<String>]) -> Vec<String> {
    let widest = |(at, least): (usize, &usize)| {
        rows.iter().map(|row| row[at].len()).max().unwrap_or(0).max(*least)
    };
    let widths: Vec<usize> = least.iter().enumerate().map(widest).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    rows.iter().map(line).collect()
}

/// A row that begins with a name in so many columns, which goes on below if it is longer: between words, or behind a
/// hyphen, and within a word that is longer than a line.
fn named(name: &str, width: usize, rest: &str) -> String {
    let mut lines = vec![String::new()];
    for word in name.split_inclusive([' ', '-']) {
        let columns = text::width(word.trim_end());
        match lines.last_mut() {
            Some(line) if text::width(line) + columns <= width => line.push_str(word),
            _ => lines.extend(chop(word, width).into_iter().map(|part| word[part].to_owned())),
        }
    }
    let mut lines = lines.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty());
    let first = format!("{} {rest}\n", text::pad(lines.next().unwrap_or_default(), width));
    std::iter::once(first).chain(lines.map(|line| format!("{line}\n"))).collect()
}

/// The table of the turns in so many columns, and below it what is no turn and what several conversations make of full
/// history.
pub(super) fn growth(replayed: &Replayed, width: usize) -> String {
    let is_fit = |text: &String| text.lines().next().is_none_or(|head| head.len() <= width);
    let roomy = [Room::Enough, Room::Little].map(|room| growth_in(replayed, room));
    roomy.into_iter().find(is_fit).unwrap_or_else(|| growth_in(replayed, Room::Least))
}

/// How much room there is for the table of the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    Enough,
    /// Columns are as narrow as what stands in them.
    Little,
    /// The ratio, which the two columns before it tell, has none.
    Least,
}

fn growth_in(replayed: &Replayed, room: Room) -> String {
    let several = replayed.conversations > 1;
    // What was said in all of them stands behind the turn.
    let of = |[turn, said, history, window, ratio, rest @ ..]: [String; 7]| -> Vec<String> {
        let (said, ratio) = (several.then_some(said), (room != Room::Least).then_some(ratio));
        let first = std::iter::once(turn).chain(said).chain([history, window]);
        first.chain(ratio).chain(rest).collect()
    };
    let history = if room == Room::Enough { "full history" } else { "history" };
    let heads = ["turn", "said", history, "window", "ratio", "warm", "evicted"];
    let row = |turn: String, step: Step| {
        let (history, window) = (step.under_way(), step.window);
        let ratio = format!("{:.1}x", history as f64 / window.max(1) as f64);
        let [said, history, window] = [step.full_history, history, window].map(grouped);
        let [warm, evicted] = [step.warm, step.evicted].map(grouped);
        of([turn, said, history, window, ratio, warm, evicted])
    };
    let turns = shown(&replayed.steps).map(|step| row(grouped(step.turn), step));
    let end = replayed.concluded.map(|step| row("end".to_owned(), step));
    let mut words = String::new();
    if end.is_some() {
        words += "end: once the last topic is concluded, behind the last turn.\n";
    }
    if several {
        let conversations = grouped(replayed.conversations);
        let all = format!("said: all that was said, in {conversations} conversations.\n");
        words.extend([history, ": of the conversation under way. ", &all]);
    }
    let rows: Vec<Vec<String>> =
        std::iter::once(of(heads.map(str::to_owned))).chain(turns).chain(end).collect();
    let least: &[usize] = match (room, several) {
        (Room::Enough, true) => &[6, 9, 12, 8, 7, 4, 7],
        (Room::Enough, false) => &[6, 12, 8, 7, 4, 7],
        _ => &[0; 7][..rows[0].len()],
    };
    right(least, &rows).join("\n") + "\n" + &words + "\n"
}

/// Steps at equal distances, the last one among them.
fn shown(steps: &Rows<Step>) -> impl Iterator<Item = Step> {
    let last = steps.len();
    let every = last.div_ceil(ROWS).max(1);
    steps
        .iter()
        .enumerate()
        .filter(move |(at, _)| (at + 1) % every == 0 || at + 1 == last)
        .map(|(_, step)| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_growth_of_a_talk_fits_into_few_columns_without_what_others_tell() {
        let mut replayed = Replayed { conversations: 3, ..Replayed::default() };
        for turn in 1..4 {
            replayed.steps.push(Step {
                turn,
                full_history: 109 * turn,
                window: 1_490,
                ..Step::default()
            });
        }
        let heads = |width: usize| {
            let table = growth(&replayed, width);
            let rows: Vec<_> = table.lines().take(4).map(str::to_owned).collect();
            assert!(rows.iter().all(|row| row.len() <= width), "{table}");
            crate::lines::one_line(&rows[0])
        };
        assert_eq!(heads(80), "turn said full history window ratio warm evicted");
        assert_eq!(heads(44), "turn said history window ratio warm evicted");
        assert_eq!(heads(38), "turn said history window warm evicted");
    }
}
