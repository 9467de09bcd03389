//! What was said later of what a message asks for, and of whom or what is named in what is recalled: a correction
//! seldom names what it corrects as a question does, but mostly somebody or something that was named there. "How much
//! do I pay for the bike?" finds that it is Ansgar's and costs 900, and only his name leads to "Ansgar wants 1,050
//! after all".

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::texts::{Texts, Told, effort_of, name_of};
use super::wanted::told;
use super::worth::excerpt_of;
use crate::memory::{Recalled, RecalledKind, Role, Tokens};
use crate::recall::said::{Hit, Passage, Place, Source};
use crate::recall::{asks_for_newest, excerpt, is_long, names_in, tells, tells_of_change};

/// Of how many of the best of what is recalled the names are followed.
const FOLLOWED: usize = 3;

/// Bytes of what is added.
const BYTES: usize = 260;

/// Messages behind it in which it is looked for what came of it, lines of them that are told, and bytes of each.
const BEHIND: u64 = 4;
const MOST_LINES: usize = 2;
const LINE: usize = 140;

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
        let is_named =
            |one: &Passage| one.words.iter().take(one.rare).any(|word| named.contains(&**word));
        let lines = if asks_for_newest(message) { MOST_LINES } else { 0 };
        for fits in [&is_asked as &dyn Fn(&Passage) -> bool, &is_named] {
            let fitting = || later.iter().filter(|(_, one)| fits(one));
            let first =
                |lines| fitting().find_map(|one| Some((one, self.news(one, found, lines)?)));
            // What tells of a change itself goes before what only leads to one.
            let new = match (first(0), lines) {
                (change, 0) => change.map(|(_, new)| new),
                (Some((one, _)), _) => self.news(one, found, lines),
                (None, _) => first(lines).map(|(_, new)| new),
            };
            found.extend(new);
        }
    }

    /// What a passage tells that is news beside what was found, with so many lines of what came of it just behind: who cancels
    /// is named in one message, and who comes instead in the next.
    fn news(
        &self,
        (source, passage): &(Source, Passage),
        found: &[Recalled],
        lines: usize,
    ) -> Option<Recalled> {
        let told = self.of(source, passage)?;
        let is_known = |text: &str| found.iter().any(|one| one.text.contains(text));
        // An excerpt may be of its middle.
        let is_there = |one: &Recalled| one.turn == told.turn && one.id == name_of(source);
        if found.iter().any(is_there) || is_known(first_line(&told.text)) || !tells(&told.text) {
            return None;
        }
        let behind = if lines > 0 { self.said_behind(source, passage) } else { Vec::new() };
        let behind: Vec<String> =
            behind.into_iter().filter(|line| !is_known(line)).take(lines).collect();
        let is_new = [&told.text].into_iter().chain(&behind).any(|text| tells_of_change(text));
        let text = excerpt_of(&told, &passage.words, BYTES);
        let text = [text].into_iter().chain(behind).collect::<Vec<_>>().join("\n");
        is_new.then(|| said_later(source, passage, &told, text))
    }

    /// What the user said just behind a passage and tells something, a line each.
    fn said_behind(&self, source: &Source, passage: &Passage) -> Vec<String> {
        let Place::Messages { range, .. } = &passage.place else { return Vec::new() };
        let (from, log) = (u64::from(range.end), effort_of(source));
        let is_away = |number: u64| !self.memory.holds_messages(log.as_ref(), number..number + 1);
        let said = self.said_by(Role::User, source, from..from + BEHIND);
        let said = said.into_iter().filter(|(number, _)| is_away(*number));
        let line = |text: &str| told(Role::User, &excerpt(text, &passage.words, LINE));
        said.map(|(_, said)| line(&said.text)).filter(|line| tells(line)).collect()
    }
}

fn said_later(source: &Source, passage: &Passage, told: &Told, text: String) -> Recalled {
    Recalled {
        id: name_of(source),
        effort: effort_of(source),
        kind: RecalledKind::Passage,
        turn: told.turn,
        day: told.day.clone(),
        cause: cause(&passage.words, told),
        text: text.into(),
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
