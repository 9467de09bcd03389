//! What files cost of which a part is missing or another: never more than the whole ones.
//!
//! Ids differ in more than a byte, as random ones do: no flipped byte makes one of them another one.

mod agents;
mod arrays;
mod claude_code;
mod exports;

use serde::de::IgnoredAny;

use crate::read::Reader;
use crate::read::lines::record;

/// What of the files' figures stands in them more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Twice {
    Nothing,
    Prompts,
    All,
}

/// Requests by what each took: read, written, uncached, output.
type Bill = Vec<[u64; 4]>;

/// Reads files one after the other.
fn bill<'a>(files: impl IntoIterator<Item = &'a Vec<u8>>) -> Bill {
    let mut reader = Reader::default();
    for file in files {
        let mut events = 0;
        match reader.read(file, &mut |_| events += 1) {
            Ok(_) => assert!(events > 0 || reader.ledger().requests().1 == 0),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let requests = reader.ledger().requests().0;
    requests.iter().map(|one| [one.read, one.written, one.uncached, one.output]).collect()
}

fn tokens(bill: &Bill) -> u64 {
    bill.iter().flatten().sum()
}

fn prompts(bill: &Bill) -> u64 {
    bill.iter().flat_map(|one| &one[..3]).sum()
}

/// Requests that are not on the other bill.
fn unknown(bill: &Bill, other: &Bill) -> usize {
    let mut rest = other.clone();
    let mut known = |one: &&[u64; 4]| {
        rest.iter().position(|known| known == *one).map(|at| rest.swap_remove(at))
    };
    bill.len() - bill.iter().filter_map(|one| known(&one)).count()
}

/// Whether the bill of a damaged file tells more; where nothing else speaks for a figure, one request may be another.
fn is_more(found: &Bill, whole: &Bill, twice: Twice) -> bool {
    let other = match twice {
        Twice::Nothing => unknown(found, whole) > 1,
        Twice::Prompts => unknown(found, whole) > 1 || prompts(found) > prompts(whole),
        Twice::All => tokens(found) > tokens(whole),
    };
    other || found.len() > whole.len()
}

/// What a byte may become: bits of it are others, or it is another digit.
fn damages(byte: u8) -> Vec<u8> {
    let is_digit = byte.is_ascii_digit();
    let flipped = [1, 2, 4, 0x20, 0x80, 0xff].map(|bits| byte ^ bits).into_iter();
    let digits = (b'0'..=b'9').filter(|digit| is_digit && *digit != byte);
    flipped.filter(|one| !is_digit || !one.is_ascii_digit()).chain(digits).collect()
}

/// Of so many damages of a byte one is tried, the next one at the next byte; with optimisation all of them, which takes no
/// longer.
const EACH: usize = if cfg!(debug_assertions) { 13 } else { 1 };

/// Beginnings of a file, and the file with a damaged byte, each with its place. Of a line that is no record any more,
/// whatever is wrong with it, one.
fn damaged(file: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut all = vec![(0, Vec::new())];
    let mut start = 0;
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        let range = start..start + line.len();
        let is_lost = |line: &[u8]| start > 0 && record::<IgnoredAny>(line).is_none();
        let mut lost = [false; 2];
        let mut add = |at: usize, line: &[u8], rest: &[u8]| {
            let breaks_off = usize::from(rest.is_empty());
            let is_joined = line.last().is_some_and(|byte| file[at] == b'\n' && *byte != b'\n');
            if is_joined || !is_lost(line) || !std::mem::replace(&mut lost[breaks_off], true) {
                all.push((at, [&file[..start], line, rest].concat()));
            }
        };
        for at in range.clone() {
            add(at, &file[start..at], &[]);
            for byte in damages(file[at]).into_iter().skip(at % EACH).step_by(EACH) {
                let mut line = line.to_vec();
                line[at - start] = byte;
                add(at, &line, &file[range.end..]);
            }
        }
        start = range.end;
    }
    all
}

/// Nothing that is missing or damaged in one of the files makes them cost more than so many requests.
#[track_caller]
fn costs_no_more(name: &str, files: &[Vec<u8>], requests: usize, twice: Twice) {
    let whole = bill(files);
    assert_eq!(whole.len(), requests, "{name}: {whole:?}");
    let mut complaints = Vec::new();
    for (which, file) in files.iter().enumerate() {
        for (place, other) in damaged(file) {
            let with =
                files.iter().enumerate().map(|(at, file)| if at == which { &other } else { file });
            let found = bill(with);
            let breaks_off = other.len() < file.len();
            if is_more(&found, &whole, if breaks_off { Twice::All } else { twice }) {
                let start =
                    file[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                let text = String::from_utf8_lossy(&other[start..other.len().min(place + 20)]);
                complaints.push(format!("file {which}, byte {place}: {text}\n    {found:?}"));
            }
        }
    }
    let first = complaints.iter().take(8).cloned().collect::<Vec<_>>().join("\n");
    assert!(complaints.is_empty(), "{name}: {} of {whole:?}\n{first}", complaints.len());
}
