//! What undoes a decision: `Forget that, we use Valkey`, `Actually, no: we go with green instead`.

use std::ops::Range;

use crate::chunk::beginning;
use crate::specifics::scan::{near, word_before};
use crate::specifics::words::Words;

/// How somebody begins who undoes what was just decided.
const UNDOES: [&str; 31] = [
    "actually no",
    "changed my mind",
    "changed our mind",
    "disregard that",
    "ditch that",
    "doch nicht",
    "drop that",
    "forget about it",
    "forget about that",
    "forget it",
    "forget that",
    "forget this",
    "i changed my mind",
    "i've changed my mind",
    "laisse tomber",
    "never mind",
    "no wait",
    "on second thought",
    "on second thoughts",
    "oublie ça",
    "scrap it",
    "scrap that",
    "scratch that",
    "streich das",
    "strike that",
    "vergiss das",
    "vergiss es",
    "wait no",
    "we changed our mind",
    "we've changed our mind",
    "wir haben es uns anders überlegt",
];

/// Verbs with which that is said of something by its name.
static FORGETS: Words = Words::new("ditch drop forget oublie scrap scratch strike vergiss");

/// How somebody begins who does so if it is said instead of what.
static TURNS: Words = Words::new("actually but correction nee nein no non rather sorry wait");

/// How it is said.
const INSTEAD: [&str; 6] =
    ["instead", "stattdessen", "rather than", "statt", "plutôt", "en su lugar"];

/// With what a sentence begins, or the rest of one, that says what is done.
static SETTLES: Words = Words::new(
    "go i'll keep let's lass make move nehmen nimm nimmt nous on pick stick switch take use we we'll wir",
);

/// Words within which that is said.
const WORDS: usize = 4;

/// Bytes of the beginning of a sentence that are looked at.
const BEGINNING: usize = 120;

/// Whether what stands behind a decision, or what is answered to it, undoes it and says what holds.
pub(super) fn is_undone(behind: &str) -> bool {
    let behind = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = behind.find(['\n', '?']).unwrap_or(behind.len()).min(BEGINNING);
    let end = (end..=behind.len()).find(|end| behind.is_char_boundary(*end));
    let said = &behind[..end.unwrap_or(behind.len())];
    let first = said.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if !may_begin(first) {
        return false;
    }
    let lower = said.to_lowercase().replace('’', "'");
    let settles =
        |words: &mut dyn Iterator<Item = &str>| words.take(WORDS).any(|word| SETTLES.holds(word));
    if let Some((clause, rest)) = behind_undoing(&lower) {
        // Behind a changed mind its new choice alone is enough.
        let is_choice = || {
            let new = said.get(said.len().saturating_sub(rest.len())..).unwrap_or_default();
            clause.contains("chang") && is_name(new)
        };
        return settles(&mut words(rest)) || is_choice();
    }
    // The first sentence alone says it: `Sorry, we use green instead.`
    let sentence = lower.split(". ").next().unwrap_or_default();
    TURNS.hold_lower(first)
        && INSTEAD.iter().any(|instead| sentence.contains(instead))
        && settles(&mut words(sentence).skip(1))
}

/// What an answer says to forget by its name, and what it says then: `Redis` of `Forget Redis, we use Valkey`.
pub(super) fn refused(behind: &str) -> Option<(&str, &str)> {
    let said = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    let said = beginning(said, BEGINNING).split(['\n', '?']).next().unwrap_or_default();
    let (verb, rest) = said.split_once(' ')?;
    if !FORGETS.hold_lower(verb) {
        return None;
    }
    let end =
        [", ", ": ", "; ", ". ", " — ", " – "].iter().filter_map(|end| rest.find(end)).min()?;
    let (thing, rest) = rest.split_at(end);
    let settles = words(rest).take(WORDS).any(|word| SETTLES.hold_lower(word));
    (is_name(thing) && settles).then_some((thing, rest))
}

/// Whether a text is nothing but the name of something: `Redis 7.2`.
fn is_name(text: &str) -> bool {
    const MOST: usize = 3;
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.starts_with(char::is_uppercase) && bare.split(' ').count() <= MOST
}

/// Whether what stands at a place of a text is what that says to forget.
pub(super) fn is_refused(text: &str, place: &Range<usize>) -> bool {
    let verb = word_before(text, place.start);
    if !FORGETS.hold_lower(verb) {
        return false;
    }
    let begin = verb.as_ptr() as usize - text.as_ptr() as usize;
    let begins = text[..begin].trim_end_matches(' ');
    let is_first = begins.is_empty() || begins.ends_with(['.', '!', '\n', ';', ':']);
    is_first
        && refused(near(text, begin)).is_some_and(|(thing, _)| thing.contains(&text[place.clone()]))
}

/// The clause of a text in small letters that undoes something, and what stands behind it.
fn behind_undoing(lower: &str) -> Option<(&str, &str)> {
    const CLAUSES: usize = 2;
    let signs = [',', ':', ';', '.', '!', '—', '–'];
    let ends = lower.match_indices(signs).map(|(at, _)| at).take(CLAUSES);
    ends.into_iter().find_map(|end| {
        let said = words(&lower[..end]).collect::<Vec<_>>().join(" ");
        UNDOES.contains(&said.as_str()).then(|| lower.split_at(end))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn may_begin(first: &str) -> bool {
    static FIRST: Words = Words::new(
        "changed disregard ditch doch drop forget i laisse never on oublie scrap scratch streich strike vergiss we wir",
    );
    FIRST.hold_lower(first) || TURNS.hold_lower(first)
}
