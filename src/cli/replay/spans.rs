//! Which turns are of which file.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli::Streams;
use crate::cli::input::named;
use crate::counted::{counted, grouped};

/// Files that are named one by one with their turns.
const MOST_NAMED: usize = 12;

/// Turns in a row that are of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Which of the files.
    file: usize,
    /// The first and the last one, from 1.
    turns: (usize, usize),
}

/// The spans of parts that follow on each other, each given by its file and how many turns it has.
pub(super) fn of(parts: impl Iterator<Item = (usize, usize)>) -> Vec<Span> {
    let (mut spans, mut end) = (Vec::<Span>::new(), 0);
    for (file, count) in parts.filter(|(_, count)| *count > 0) {
        let from = end + 1;
        end += count;
        match spans.last_mut().filter(|last| last.file == file) {
            Some(last) => last.turns.1 = end,
            None => spans.push(Span { file, turns: (from, end) }),
        }
    }
    spans
}

/// Tells them, if there are several, and returns them as JSON.
pub(super) fn told(spans: &[Span], files: &[PathBuf], streams: &mut Streams<'_>) -> Value {
    if spans.len() > 1 {
        for span in &spans[..spans.len().min(MOST_NAMED)] {
            let [from, to] = [span.turns.0, span.turns.1].map(|turn| grouped(turn as u64));
            streams.tell(format_args!("turns {from}-{to}: {}", named(&files[span.file])));
        }
        if spans.len() > MOST_NAMED {
            let more = counted((spans.len() - MOST_NAMED) as u64, "more span");
            streams.tell(format_args!("{more} of turns and their files are told by --json"));
        }
    }
    let one = |span: &Span| json!({ "file": named(&files[span.file]), "from": span.turns.0, "to": span.turns.1 });
    spans.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_file_in_a_row_are_one_span_and_empty_ones_none() {
        let span = |file, from, to| Span { file, turns: (from, to) };
        let parts = [(1, 3), (1, 2), (0, 0), (0, 4), (1, 1)];
        assert_eq!(of(parts.into_iter()), [span(1, 1, 5), span(0, 6, 9), span(1, 10, 10)]);
        assert!(of(std::iter::empty()).is_empty());
    }
}
