//! How what was said becomes documents and passages.

use std::ops::Range;

use super::Source;
use crate::chunk;

/// Messages of a passage.
const MESSAGES: usize = 3;

/// A passage is no longer than this, in bytes, unless it is one message; and a longer message gives several.
const BYTES: usize = 1_600;

/// Messages of a stretch of ambient talk that counts as one document.
const AMBIENT: u32 = 24;

/// Bytes of a summary: with its terms and their numbers it is one record of the log, which is no longer than a record may be.
const SUMMARY: usize = 1 << 17;

/// A piece of what was said, to be indexed.
#[derive(Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) range: Range<u32>,
    pub(super) part: Option<Range<u32>>,
    pub(super) text: String,
}

/// Messages as passages; the first message has the number `first`.
pub(super) fn cut(first: u32, messages: &[&str]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut open = false;
    for (number, message) in (first..).zip(messages) {
        let is_long = message.len() > BYTES;
        let joins = |last: &Piece| {
            let same_stretch = !number.is_multiple_of(AMBIENT);
            let fits = last.text.len() + message.len() <= BYTES;
            same_stretch && fits && last.range.len() < MESSAGES
        };
        match pieces.last_mut() {
            Some(last) if open && !is_long && joins(last) => {
                last.range.end += 1;
                last.text.push('\n');
                last.text.push_str(message);
            }
            _ if is_long => pieces.extend(parts(number, message)),
            _ => pieces.push(Piece {
                range: number..number + 1,
                part: None,
                text: (*message).to_owned(),
            }),
        }
        open = !is_long;
    }
    pieces
}

fn parts(number: u32, message: &str) -> impl Iterator<Item = Piece> + '_ {
    chunk::ranges(message, BYTES).map(move |part| Piece {
        range: number..number + 1,
        text: message[part.clone()].to_owned(),
        part: Some(part.start as u32..part.end as u32),
    })
}

/// What is indexed of a summary.
pub(super) fn of_summary(summary: &str) -> &str {
    chunk::beginning(summary, SUMMARY)
}

/// The name of a source among the documents.
pub(super) fn key(source: &Source) -> String {
    match source {
        Source::Effort(id) => format!("e{id}"),
        Source::Ambient => ambient_key(0),
        Source::Note(number) => format!("n{number}"),
        Source::Text(key) => format!("t{key}"),
    }
}

/// What a name stands for.
pub(super) fn source(key: &str) -> Source {
    match key.split_at_checked(1) {
        Some(("e", id)) => Source::Effort(id.to_owned()),
        Some(("n", number)) => Source::Note(number.parse().unwrap_or(0)),
        Some(("t", key)) => Source::Text(key.to_owned()),
        _ => Source::Ambient,
    }
}

/// Ambient talk never ends; its documents are stretches of it.
pub(super) fn ambient_key(block: u32) -> String {
    format!("a{block}")
}

/// In which stretch a message of ambient talk is.
pub(super) fn ambient_block(message: u32) -> u32 {
    message / AMBIENT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(first: u32, messages: &[&str]) -> Vec<(Range<u32>, Option<Range<u32>>)> {
        cut(first, messages).into_iter().map(|piece| (piece.range, piece.part)).collect()
    }

    #[test]
    fn three_messages_make_a_passage_and_a_stretch_ends_one() {
        assert_eq!(ranges(0, &["a"; 5]), [(0..3, None), (3..5, None)]);
        assert_eq!(ranges(22, &["a"; 3]), [(22..24, None), (24..25, None)]);
        assert_eq!(ranges(0, &[]), []);
    }

    #[test]
    fn a_long_message_is_cut_and_joins_nothing() {
        let long = "many words ".repeat(200);
        let found = ranges(0, &["a", &long, "b", "c"]);
        assert_eq!(found[0], (0..1, None));
        assert_eq!(found[1].0, 1..2);
        assert_eq!(found[1].1.clone().unwrap().start, 0);
        assert_eq!(found[found.len() - 2].1.clone().unwrap().end as usize, long.len());
        assert_eq!(found.last().unwrap(), &(2..4, None));
    }

    #[test]
    fn names_come_back() {
        let sources = [
            Source::Effort("auth-bug".into()),
            Source::Ambient,
            Source::Note(7),
            Source::Text("a.log".into()),
        ];
        assert!(sources.iter().all(|one| source(&key(one)) == *one));
        assert_eq!(source(&ambient_key(9)), Source::Ambient);
    }
}
