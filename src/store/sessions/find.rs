//! Sessions by what they are called and by what was said in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::{SessionSummary, numbers, sessions};
use crate::lines::one_line;
use crate::store::disk::files;
use crate::store::open::look;
use crate::store::{StopFlag, log};

/// Bytes of logs that one search reads at most, the session used last first.
const MOST_BYTES: u64 = 256 * 1024 * 1024;

/// Characters around a match.
const AROUND: usize = 40;

/// A session that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    /// Its place among all sessions from 1, the one used last first: the number that `-r` takes; none where another
    /// session has it as its name.
    pub number: Option<usize>,
    /// The session.
    pub session: SessionSummary,
    /// The words around the first match in what was said; empty if its name or title matches.
    pub snippet: String,
}

/// The sessions whose name or title holds all words of a query, then those in which a message does; the
/// one used last first. An empty query finds all. Gives up when it is to stop.
pub fn find(root: &Path, query: &str, stop: &StopFlag) -> Vec<FoundSession> {
    let words: Vec<String> = query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let (mut named, mut said) = (Vec::new(), Vec::new());
    let mut left = MOST_BYTES;
    let sessions = sessions(root);
    let numbers = numbers(&sessions);
    for (session, number) in sessions.into_iter().zip(numbers) {
        let called = format!("{} {}", session.name, session.title).to_lowercase();
        if words.iter().all(|word| called.contains(word)) {
            named.push(FoundSession { number, session, snippet: String::new() });
        } else if let Some(snippet) = in_logs(&session.directory, &words, &mut left, stop) {
            said.push(FoundSession { number, session, snippet });
        }
    }
    named.extend(said);
    named
}

fn in_logs(dir: &Path, words: &[String], left: &mut u64, stop: &StopFlag) -> Option<String> {
    for path in logs(dir) {
        if *left == 0 || stop.is_stopped() {
            return None;
        }
        let Ok(mut log) = files::open(&path) else { continue };
        let Ok(bytes) = files::read_range(&mut log, 0, *left) else { continue };
        *left = left.saturating_sub(bytes.len() as u64);
        let found = bytes.split(|&byte| byte == b'\n').find_map(|line| {
            log::parse(line).message().and_then(|message| snippet(&message.content, words))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The logs of a session: ambient, then the efforts by name.
fn logs(dir: &Path) -> Vec<PathBuf> {
    let items = fs::read_dir(dir.join("efforts")).into_iter().flatten();
    let mut efforts: Vec<PathBuf> = items
        .filter_map(|item| Some(item.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    efforts.sort_unstable();
    if look::is_session(dir) {
        efforts.insert(0, dir.join("raw.jsonl"));
    }
    efforts
}

/// The words around the first match, on one line; `None` unless the text holds all of them.
fn snippet(text: &str, words: &[String]) -> Option<String> {
    let lower = text.to_lowercase();
    if !words.iter().all(|word| lower.contains(word)) {
        return None;
    }
    let at = lower.find(words.first()?)?;
    // Lower case may take more or fewer bytes; counted in characters the place is nearly the same.
    let place = lower[..at].chars().count();
    let start = place.saturating_sub(AROUND);
    let cut: String = text.chars().skip(start).take(2 * AROUND).collect();
    let line = one_line(&cut);
    let (before, after) = (start > 0, text.chars().nth(start + 2 * AROUND).is_some());
    Some(format!("{}{line}{}", if before { "…" } else { "" }, if after { "…" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_shows_the_words_around_the_match() {
        let words = ["needle".to_owned(), "hay".to_owned()];
        assert_eq!(snippet("hay\nand a Needle", &words).unwrap(), "hay and a Needle");
        assert_eq!(snippet("no such thing", &words), None);
        let long = format!("{} İİ NEEDLE hay {}", "x ".repeat(100), "y ".repeat(100));
        let cut = snippet(&long, &words).unwrap();
        assert!(cut.starts_with('…') && cut.ends_with('…') && cut.contains("NEEDLE"), "{cut}");
    }
}
