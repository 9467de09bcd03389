//! What was said later of whom or what is named in what is recalled: a correction seldom names what it corrects as a
//! question does, but mostly somebody or something that was named there. "How much do I pay for the bike?" finds that it is
//! Ansgar's and costs 900, and only his name leads to "Ansgar wants 1,050 after all".

use std::cmp::Reverse;
use std::sync::Arc;

use super::texts::{Texts, Told, effort_of, name_of};
use super::worth::excerpt_of;
use crate::memory::{Recalled, RecalledKind, Tokens};
use crate::recall::said::{Hit, Passage};
use crate::recall::{asks, is_long, names_in, tells, tells_of_change};

/// Of how many of the best of what is recalled the names are followed, and how many of them together.
const FOLLOWED: usize = 3;
const NAMES: usize = 8;

/// Passages that are added, the newest, behind all others: what matches by the message's own words goes first.
const MOST: usize = 1;

/// Bytes of one.
const BYTES: usize = 260;

/// Who and what is named in what is recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// The names, to be searched for.
    pub(super) query: String,
    /// The first day and turn on which one of them was said there: what is said of them later is news.
    since: (String, u64),
}

impl Texts<'_> {
    /// The names in the best of what is recalled for a question; `None` if none of it names anybody or anything.
    pub(super) fn named_in(&self, message: &str, found: &[Recalled]) -> Option<Named> {
        if !asks(message) || is_long(message) {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        let mut since: Option<(String, u64)> = None;
        for one in &found[..found.len().min(FOLLOWED)] {
            let new = names_in(&one.text).into_iter().filter(|name| !names.contains(name));
            let new: Vec<String> = new.take(NAMES - names.len()).collect();
            if !new.is_empty() {
                let said = (one.day.clone(), self.memory.last_said(one).0);
                since = Some(since.map_or(said.clone(), |first| first.min(said)));
                names.extend(new);
            }
        }
        Some(Named { query: names.join(" "), since: since? })
    }

    /// Adds what was said of them since and tells of something new, the newest first.
    pub(super) fn add_later(&self, named: &Named, hits: &[Hit], found: &mut Vec<Recalled>) {
        let passages = hits.iter().flat_map(|hit| hit.passages.iter().map(move |one| (hit, one)));
        let mut later: Vec<(&Hit, &Passage)> = passages
            .filter(|(hit, one)| {
                let is_later = (day_of(one), one.turn) > named.since;
                is_later && one.telling > 0 && !self.in_window(&hit.source, one)
            })
            .collect();
        later.sort_by_key(|(_, one)| Reverse((one.day, one.turn)));
        let all = found.len() + MOST;
        for (hit, passage) in later {
            if found.len() == all {
                break;
            }
            let Some(told) = self.of(&hit.source, passage) else { continue };
            let is_known = found.iter().any(|one| one.text.contains(first_line(&told.text)));
            if !is_known && tells(&told.text) && tells_of_change(&told.text) {
                found.push(said_later(hit, passage, &told));
            }
        }
    }
}

fn day_of(passage: &Passage) -> String {
    passage.day.map_or_else(String::new, |day| day.to_string())
}

fn said_later(hit: &Hit, passage: &Passage, told: &Told) -> Recalled {
    Recalled {
        id: name_of(&hit.source),
        effort: effort_of(&hit.source),
        kind: RecalledKind::Passage,
        turn: told.turn,
        day: told.day.clone(),
        cause: cause(&passage.words),
        text: excerpt_of(told, &passage.words, BYTES).into(),
        tokens: Tokens(0),
        mentions: false,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// `'Ansgar', said later`
fn cause(words: &[Arc<str>]) -> String {
    words.first().map_or_else(String::new, |word| format!("'{word}', said later"))
}
