//! What was said later of what a message asks for, and of whom or what is named in what is recalled: a correction
//! seldom names what it corrects as a question does, but mostly somebody or something that was named there. "How much
//! do I pay for the bike?" finds that it is Ansgar's and costs 900, and only his name leads to "Ansgar wants 1,050
//! after all".

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::texts::{Texts, Told, effort_of, name_of};
use super::worth::excerpt_of;
use crate::memory::{Recalled, RecalledKind, Tokens};
use crate::recall::said::{Hit, Passage, Source};
use crate::recall::{is_long, names_in, tells, tells_of_change};

/// Of how many of the best of what is recalled the names are followed.
const FOLLOWED: usize = 3;

/// Bytes of what is added.
const BYTES: usize = 260;

impl Texts<'_> {
    /// Adds the newest that was said since of what the message asks for, and of whom or what the best of it names, if
    /// it tells of something new: behind all else, for what matches best goes first. A long message brings what
    /// it is about along.
    pub(super) fn add_later(&self, message: &str, hits: &[Hit], found: &mut Vec<Recalled>) {
        if is_long(message) {
            return;
        }
        let later = hits.iter().flat_map(|hit| &hit.later);
        let mut later: Vec<&(Source, Passage)> =
            later.filter(|(source, one)| !self.in_window(source, one)).collect();
        if later.is_empty() {
            return;
        }
        let best = found.iter().take(FOLLOWED);
        let named: BTreeSet<String> =
            best.flat_map(|one| names_in(&one.text)).map(|(_, term)| term).collect();
        later.sort_by_key(|(_, one)| Reverse((one.day, one.turn)));
        let is_asked = |one: &Passage| one.telling > 0;
        let is_named = |one: &Passage| one.words.iter().any(|word| named.contains(&**word));
        for fits in [&is_asked as &dyn Fn(&Passage) -> bool, &is_named] {
            let mut later = later.iter().filter(|(_, one)| fits(one));
            let new = later.find_map(|(source, passage)| self.news(source, passage, found));
            found.extend(new);
        }
    }

    /// What a passage tells that is news beside what was found.
    fn news(&self, source: &Source, passage: &Passage, found: &[Recalled]) -> Option<Recalled> {
        let told = self.of(source, passage)?;
        let is_known = found.iter().any(|one| one.text.contains(first_line(&told.text)));
        let is_new = !is_known && tells(&told.text) && tells_of_change(&told.text);
        is_new.then(|| said_later(source, passage, &told))
    }
}

fn said_later(source: &Source, passage: &Passage, told: &Told) -> Recalled {
    Recalled {
        id: name_of(source),
        effort: effort_of(source),
        kind: RecalledKind::Passage,
        turn: told.turn,
        day: told.day.clone(),
        cause: cause(&passage.words, told),
        text: excerpt_of(told, &passage.words, BYTES).into(),
        tokens: Tokens(0),
        mentions: false,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// `'Ansgar', said later`
fn cause(words: &[Arc<str>], told: &Told) -> String {
    let mut names = names_in(&told.text);
    let name = names.find(|(_, term)| words.iter().any(|word| **word == **term));
    let name = name.map(|(name, _)| name).or(words.first().map(|word| &**word));
    format!("'{}', said later", name.unwrap_or_default())
}
