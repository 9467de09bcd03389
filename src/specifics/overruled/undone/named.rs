//! What is said by its name not to hold any longer: `Forget Redis, we use Valkey`, `On second thought, no Tailwind`.

use std::ops::Range;

use super::{BEGINNING, WORDS, is_name, own_words, settles, words};
use crate::chunk::beginning;
use crate::specifics::scan::{sentence_before, word_before};
use crate::specifics::words::Words;

/// What somebody says before that who thought again.
const THOUGHT_AGAIN: [&str; 4] =
    ["on second thought, ", "on second thoughts, ", "i changed my mind, ", "we changed our mind, "];

/// What somebody else says before that.
const LEADS: [&str; 11] = [
    "actually, ",
    "actually ",
    "hmm, ",
    "nein, ",
    "no, ",
    "no wait, ",
    "non, ",
    "ok, ",
    "okay, ",
    "sorry, ",
    "wait, ",
];

/// Words in front of the name, and whether it has to be said what holds instead: `drop` is a command for tables, too.
const REFUSES: [(&str, bool); 13] = [
    ("ditch ", false),
    ("drop ", true),
    ("forget about ", false),
    ("forget ", false),
    ("never mind ", true),
    ("nevermind ", true),
    ("no more ", true),
    ("no ", true),
    ("oublie ", false),
    ("scrap ", false),
    ("scratch ", true),
    ("strike ", true),
    ("vergiss ", false),
];

/// How somebody begins who goes back to what was before.
const GOES_BACK: [&str; 8] = [
    "back to ",
    "go back to ",
    "i go back to ",
    "let's go back to ",
    "return to ",
    "revert to ",
    "we go back to ",
    "we're going back to ",
];

/// What stands in front of what does not hold in such a sentence.
const WITHOUT: [&str; 3] = [", no ", " without ", " instead of "];

/// Signs that end a clause.
const ENDS: [&str; 7] = [", ", ": ", "; ", ". ", "! ", " — ", " – "];

/// Last words in front of a name, by which it is known quickly that nothing says not to take it.
static LAST: Words = Words::new(
    "about ditch drop forget mind more nevermind no oublie scrap scratch strike vergiss",
);

/// Words behind a command with which the next one begins.
static THEN: Words = Words::new("and dann puis then und");

/// What does not hold any longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::specifics::overruled) struct Refused<'t> {
    /// Its name.
    pub(in crate::specifics::overruled) thing: &'t str,
    /// What is said behind it.
    pub(in crate::specifics::overruled) rest: &'t str,
    /// Whether that says what holds instead.
    settles: bool,
}

impl Refused<'_> {
    /// Whether a text names it.
    pub(in crate::specifics::overruled) fn is_named_in(&self, text: &str) -> bool {
        let is_apart = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        text.match_indices(self.thing).any(|(at, _)| {
            let behind = &text[at + self.thing.len()..];
            is_apart(text[..at].chars().next_back()) && is_apart(behind.chars().next())
        })
    }
}

/// What an answer says to forget by its name, and what it says then: `Redis` of `Forget Redis, we use Valkey`.
pub(in crate::specifics::overruled) fn refused(behind: &str) -> Option<Refused<'_>> {
    let said = own_words(behind)?;
    let line = beginning(said, BEGINNING).split('\n').next().unwrap_or_default();
    let (said, thought_again) = behind_leads(line);
    let Some((said, has_to_settle)) = REFUSES.iter().find_map(|(verb, has_to)| {
        let is_plain = thought_again && verb.starts_with("no ");
        behind_words(said, verb).map(|rest| (rest, *has_to && !is_plain))
    }) else {
        return left_behind(said);
    };
    let end = ENDS.iter().filter_map(|end| said.find(end)).min();
    let (thing, rest) = said.split_at(end.unwrap_or(said.len()));
    let thing = thing.trim_end_matches(['.', '!', ' ', ';', ',']);
    // `Drop ORDERS. Then make it again.` is a command.
    let goes_on = || words(rest).next().is_some_and(|first| THEN.hold_lower(first));
    let settles = says_what_holds(rest) && !(has_to_settle && goes_on());
    let is_it = is_name(thing) && !thing.contains('?') && (settles || !has_to_settle);
    is_it.then_some(Refused { thing, rest, settles })
}

/// A text behind what leads to what it says, and whether that says that somebody thought again.
fn behind_leads(mut said: &str) -> (&str, bool) {
    let mut thought_again = false;
    loop {
        let behind = |leads: &[&str]| leads.iter().find_map(|lead| behind_words(said, lead));
        if let Some(rest) = behind(&THOUGHT_AGAIN) {
            (said, thought_again) = (rest, true);
        } else if let Some(rest) = behind(&LEADS) {
            said = rest;
        } else {
            return (said, thought_again);
        }
    }
}

/// What stands behind some words in small letters.
fn behind_words<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (begin, rest) = text.split_at_checked(words.len())?;
    begin.eq_ignore_ascii_case(words).then_some(rest)
}

/// What somebody leaves behind who goes back: `tenant_id` of `Go back to one database, no sharding by tenant_id`.
fn left_behind(said: &str) -> Option<Refused<'_>> {
    let rest = GOES_BACK.iter().find_map(|begin| behind_words(said, begin))?;
    let sentence = rest.split(['?', '!', ';']).next()?.split(". ").next()?;
    // What is asked is not said.
    if rest[sentence.len()..].starts_with('?') {
        return None;
    }
    let clause = WITHOUT.iter().find_map(|without| sentence.split_once(without))?.1;
    let clause = clause.trim_end_matches(['.', ' ']);
    let thing = clause.rsplit(' ').next()?;
    let is_marked = thing.contains('_') || thing.contains(char::is_uppercase);
    let is_it = is_marked && !clause.contains(',');
    is_it.then_some(Refused { thing, rest: "", settles: true })
}

/// Whether what follows says what holds instead: `we use Valkey`, `REST everywhere`, `NATS it is`.
fn says_what_holds(rest: &str) -> bool {
    static ENDS_IT: Words = Words::new("everywhere instead only stattdessen");
    let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
    if settles(rest.split('?').next().unwrap_or_default()) {
        return true;
    }
    let sentence = rest.split(". ").next().unwrap_or_default();
    let said: Vec<&str> = words(sentence).collect();
    let Some(last) = said.last().filter(|_| said.len() <= WORDS && !sentence.contains('?')) else {
        return false;
    };
    let is_name = |(nth, word): (usize, &&str)| {
        word.chars().skip(usize::from(nth == 0)).any(char::is_uppercase) && *word != "I"
    };
    ENDS_IT.hold_lower(last)
        || said.ends_with(&["it", "is"])
        || said.iter().enumerate().any(is_name)
}

/// Whether what stands at a place of a text is what that says to forget.
pub(in crate::specifics::overruled) fn is_refused(text: &str, place: &Range<usize>) -> bool {
    if !LAST.hold_lower(word_before(text, place.start)) {
        return false;
    }
    let lead = sentence_before(text, place.start, BEGINNING);
    let begin = place.start - lead.trim_start().len();
    refused(&text[begin..]).is_some_and(|refused| {
        let start = refused.thing.as_ptr() as usize - text.as_ptr() as usize;
        refused.settles && place.start >= start && place.end <= start + refused.thing.len()
    })
}
