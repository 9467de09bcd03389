//! What a summary must not lose: the specifics of a conversation, lifted by code and not by a model.
//!
//! [`extract`] finds numbers with units, dates, paths, URLs, commands, error codes, identifiers, names and
//! decisions; [`Report`] says which of them a summary still holds; [`compact`] makes the short list that is
//! kept with an effort. All of it is pure, deterministic and linear in the length of the text: no clock, no
//! files, no randomness.
//!
//! How one message is read: each kind has a finder in a module of its own. The finders run in a fixed order,
//! and what one of them has claimed is not looked at by the next, so that `10:30` is a time and no number and
//! the words of a URL are no names. Only paths and URLs are also looked for inside of commands.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod automaton;
mod calendar;
mod code;
mod command;
mod compact;
mod date;
mod decision;
mod error;
mod finds;
mod forward;
mod identifier;
mod name;
mod normal;
mod number;
mod overruled;
mod path;
mod pattern;
mod report;
mod scan;
mod secret;
mod stretch;
mod token;
mod uniform;
mod unit;
mod url;
mod words;
mod worth;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

pub use compact::{MOST_BYTES, MOST_ITEMS, compact};
pub use finds::Finds;
pub use report::Report;
pub use scan::German;
pub use secret::{names_a_secret, without_secrets};

use pattern::{Pattern, either};
use scan::Scan;
use stretch::Stretches;
use uniform::{Uniform, uniform};

use crate::escapes;
use crate::lines::one_line;

/// Specifics that one log yields at most; a longer list would be no help to anybody.
pub const MOST_SPECIFICS: usize = 1_000;

/// The longest text of one specific in bytes; longer finds are left out, for they are content, not detail.
pub const LONGEST: usize = 400;

/// What stands behind other words than those of an amount.
static CODED: Pattern =
    Pattern::new(|| either(&[&error::NAMED, &error::LISTED, &error::STATUS, &number::SCALED]));

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
const PATTERNS: &[&Pattern] = &[&CODED];

/// What sort of detail a specific is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file or directory, perhaps with a line.
    Path,
    /// An address on the web, or a host with its port.
    Url,
    /// A shell line or a statement that one would type.
    Command,
    /// An error code, errno name, exit code, HTTP status or signal.
    Error,
    /// A figure with its unit, currency or what it counts.
    Number,
    /// A day, a time, or both.
    Date,
    /// A name in code, a hash, version, ticket, booking code or mail address.
    Identifier,
    /// A sentence that settles something.
    Decision,
    /// A person, product, place or company.
    Name,
}

impl Kind {
    /// All kinds, those first whose loss hurts most.
    pub const ALL: [Self; 9] = [
        Self::Path,
        Self::Url,
        Self::Command,
        Self::Error,
        Self::Number,
        Self::Date,
        Self::Identifier,
        Self::Decision,
        Self::Name,
    ];

    /// Whether one of them is worth telling without a secret in it, too.
    fn holds_others(self) -> bool {
        matches!(self, Self::Command | Self::Decision | Self::Error | Self::Url)
    }

    /// The word for it, as shown and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Url => "url",
            Self::Command => "command",
            Self::Error => "error",
            Self::Number => "number",
            Self::Date => "date",
            Self::Identifier => "identifier",
            Self::Decision => "decision",
            Self::Name => "name",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// One detail of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specific {
    /// What sort of detail it is.
    pub kind: Kind,
    /// Its text as it was said, white space collapsed to single spaces.
    pub text: String,
    /// The message that said it first, from 0.
    pub message: usize,
}

impl Specific {
    /// The form under which two ways of saying the same are one: `5ms` and `5 ms`, `$5k` and `$5,000`.
    pub fn key(&self) -> String {
        normal::key(self.kind, &uniform(&self.text))
    }
}

/// The specifics of a log, each once, in the order in which they were first said. Takes the messages' texts;
/// who said them makes no difference.
pub fn extract<'a>(messages: impl IntoIterator<Item = &'a str>) -> Vec<Specific> {
    let messages: Vec<&str> = messages.into_iter().collect();
    let german = scan::is_german(&messages, German::of);
    each_once(messages.into_iter().map(|text| of_message(text, german)))
}

/// The specifics of one message of a log that is German or not.
pub fn extract_from(message: &str, german: bool) -> Vec<Specific> {
    each_once([of_message(message, german)])
}

/// Whether a command that was run only shows how something is: `docker ps`, `rg -n pool src/ | head`.
pub fn only_shows(command: &str) -> bool {
    command::only_shows(command)
}

/// Whether a command that was run only asks for something, as what names it tells: `psql -c 'select count(*) from events'`.
pub fn only_asks(command: &str) -> bool {
    command::only_asks(command)
}

/// The lines of a script, those as one that go on behind a backslash.
pub fn command_lines(script: &str) -> impl Iterator<Item = &str> {
    command::lines_of(script)
}

/// The specifics of one message, and apart from them those that it takes back: `14 chairs` of `14 chairs, no wait, 16`.
pub fn extract_both(message: &str, german: bool) -> [Vec<Specific>; 2] {
    let [said, mut back] = both_of(message, german).map(|finds| each_once([finds]));
    // What was decided and is undone tells what was chosen with it.
    let undone = back.iter().filter(|one| one.kind == Kind::Decision).cloned();
    let all: Vec<Specific> = said.iter().cloned().chain(undone).collect();
    for one in overruled::later::overruled_within(message, &all) {
        if !back.contains(&one) {
            back.push(one);
        }
    }
    let said = said.into_iter().filter(|one| !back.contains(one)).collect();
    [said, back]
}

/// Which details of a message before it an answer takes back, that holds others of its own: `30 days`, answered by `no, 90
/// days`. Takes the text of that message too.
pub fn overruled<'a>(
    said: &str,
    before: &'a [Specific],
    answer: &str,
    now: &[Specific],
) -> Vec<&'a Specific> {
    overruled::later::overruled(said, before, answer, now)
}

/// Whether an answer says nothing but that what was said does not hold: `Scrap that.`
pub fn only_undoes(answer: &str) -> bool {
    overruled::only_undoes(answer)
}

/// The specifics of a log as [`extract`] finds them, where `finds` knows of some messages what they hold.
pub fn extract_knowing<'a>(
    messages: impl IntoIterator<Item = &'a str>,
    finds: &Finds,
) -> Vec<Specific> {
    let messages: Vec<&str> = messages.into_iter().collect();
    let german = scan::is_german(&messages, |text| finds.german(text));
    each_once(messages.into_iter().map(|text| finds.of(text, german)))
}

/// What a text names, be it taken back or not.
fn named(text: &str) -> Vec<Specific> {
    let german = scan::is_german(&[text], German::of);
    each_once([both_of(text, german).concat()])
}

fn each_once(messages: impl IntoIterator<Item = Vec<(Kind, String)>>) -> Vec<Specific> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (message, finds) in messages.into_iter().enumerate() {
        for (kind, text) in finds {
            if found.len() == MOST_SPECIFICS {
                return found;
            }
            if seen.insert((kind, normal::key(kind, &uniform(&text)))) {
                found.push(Specific { kind, text, message });
            }
        }
    }
    found
}

/// The finds of one message of a log that is German or not, in the order of their places, without those that it takes back.
fn of_message(text: &str, german: bool) -> Vec<(Kind, String)> {
    let [finds, _] = both_of(text, german);
    finds
}

/// The same, and those that it takes back.
fn both_of(text: &str, german: bool) -> [Vec<(Kind, String)>; 2] {
    let text = &*escapes::without(text);
    let read = Uniform::of(text);
    let finds = finds_of(read.text(), german);
    let places: Vec<_> = finds.iter().map(|(range, _)| read.place(range.clone())).collect();
    let secrets = secret::places(text, &places);
    let are_back = overruled::are_back(read.text(), &finds);
    let mut both = [Vec::new(), Vec::new()];
    for (((_, kind), place), is_back) in finds.into_iter().zip(places).zip(are_back) {
        if kind.holds_others() || !secret::touches(&place, &secrets) {
            let told = secret::blanked(text, place, &secrets);
            let told = if kind == Kind::Command { command::joined(told) } else { told };
            both[usize::from(is_back)].push((kind, one_line(&told)));
        }
    }
    both
}

/// The finds of a text in the order of their places.
fn finds_of(text: &str, german: bool) -> overruled::Finds {
    let code = code::spans(text);
    let (whole, tokens) = (Stretches::of(text), token::tokens(text).collect::<Vec<_>>());
    let mut scan = Scan::new(text, &whole, &tokens, german, &CODED);
    url::find(&mut scan);
    command::find(&mut scan, &code);
    path::find(&mut scan, &code);
    error::find(&mut scan);
    identifier::schedule::find(&mut scan);
    identifier::coded::find(&mut scan);
    number::find_paced(&mut scan);
    date::find(&mut scan);
    number::find(&mut scan);
    error::find_statuses(&mut scan);
    identifier::find(&mut scan, &code);
    number::find_bare(&mut scan);
    error::find_messages(&mut scan, &code);
    decision::find(&mut scan);
    name::find(&mut scan, &code);
    scan.into_finds()
}
