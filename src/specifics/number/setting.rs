//! Figures that are the values of settings: `threshold of 0.85`, `complexity to 1500`, `batchSize: 8000`, `p = 0.048`.

use std::ops::Range;

use super::ends_here;
use super::words::SETTINGS;
use crate::specifics::code::is_of_code;
use crate::specifics::scan::{before, sentence_before};
use crate::specifics::words::Words;

/// What stands between a setting and its value.
const LINKS: [&str; 18] = [
    " bleibt",
    " remains",
    " stays",
    " should default to",
    " has to be",
    " is set to",
    " must be",
    " should be",
    " defaults to",
    " default to",
    " set to",
    " is",
    " was",
    " of",
    " to",
    " at",
    " en",
    ":",
];

/// The same between what is changed and its value.
const CHANGES: [&str; 4] = [" to", " at", " auf", " à"];

/// What gives a value to what is named behind it.
static CHANGING: Words = Words::new(
    "bump bumped cap capped change changed decrease decreased increase increased keep kept leave limit lower lowered \
     raise raised reduce reduced remains scale scaled set sets stay stays",
);

/// Words that name nothing that is set.
static OTHERS: Words = Words::new(
    "are be back below close come down due equal from go goes got is it out related that them this thus up was went",
);

/// The bytes in front of a figure in which there may be such a word.
const REACH: usize = 90;

/// From this value on what is "at" a figure is at no hour.
const NO_HOUR: f64 = 25.0;

/// Whether a figure is the value of what is known as a setting.
pub(in crate::specifics) fn is_set(text: &str, place: &Range<usize>) -> bool {
    known(text, place).is_some()
}

/// The start of the setting that has a figure as its value.
pub(super) fn start(text: &str, place: &Range<usize>) -> Option<usize> {
    if !ends_here(text, place.end) {
        return None;
    }
    known(text, place)
        .or_else(|| alone(text, place))
        .or_else(|| coded(text, place))
        .or_else(|| capital(text, place))
        .or_else(|| sized(text, place))
        .or_else(|| changed(text, place))
        .or_else(|| variable(text, place))
}

/// The start of a setting that is one by its name.
fn known(text: &str, place: &Range<usize>) -> Option<usize> {
    let lead = text[..place.start].trim_end_matches('*').strip_suffix([' ', '='])?;
    let bare = LINKS.iter().find_map(|link| lead.strip_suffix(link)).unwrap_or(lead);
    let name = bare.rsplit(|c: char| !c.is_alphanumeric()).next()?;
    let known =
        SETTINGS.hold_lower(name) || bare.len() < lead.len() && matches!(name, "port" | "Port");
    let whole = !before(text, bare.len() - name.len()).is_some_and(|c| "_-.".contains(c));
    (known && whole && ends_here(text, place.end)).then_some(bare.len() - name.len())
}

/// The start of a setting that is all of its line: `maximum-pool-size: 15`.
fn alone(text: &str, place: &Range<usize>) -> Option<usize> {
    let bare = text[..place.start].strip_suffix(": ")?;
    let line = bare.rsplit('\n').next()?.trim_start();
    let is_name = line.starts_with(|c: char| c.is_ascii_lowercase())
        && line.contains('-')
        && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let ends = text[place.end..].lines().next().is_none_or(|rest| rest.trim().is_empty());
    (is_name && ends).then_some(bare.len() - line.len())
}

/// The start of a setting whose name is one of code: `batchSize: 8000`, `max_tokens to 2048`, `targetSdk 35`.
fn coded(text: &str, place: &Range<usize>) -> Option<usize> {
    let lead = text[..place.start].strip_suffix(' ')?;
    let linked = LINKS.iter().find_map(|link| lead.strip_suffix(link));
    let bare = linked.unwrap_or(lead).trim_end_matches('`');
    let inside = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    let name = bare.rsplit(|c: char| !inside(c)).next()?;
    let start = bare.len() - name.len();
    let apart = !before(text, start).is_some_and(|c| "/-@$".contains(c));
    let plain = text[place.clone()].bytes().all(|b| b.is_ascii_digit() || b == b'.');
    // What has a sign between is a heading, unless it is a name in code and no product: `CatBoost: 0.8714`.
    let is_product = name.starts_with(char::is_uppercase) && !name.contains('_');
    let begins = text[..start].trim_end_matches(['`', '-', '*', ' ']);
    if is_product && lead.ends_with(':') && !(begins.is_empty() || begins.ends_with('\n')) {
        return None;
    }
    // `QoS 1` is a product, or the like.
    linked.or(name.starts_with(char::is_lowercase).then_some(lead))?;
    // A mark in front of the name goes with that behind it, unless all of the setting stands between both.
    let is_closed = text[start..place.start].contains('`');
    let start = start - usize::from(is_closed && before(text, start) == Some('`'));
    (plain && apart && !name.contains('.') && is_of_code(name)).then_some(start)
}

/// The start of a name in capitals that has a figure behind its sign: `REVISION: 58`, `SPEED = 210.0`.
fn capital(text: &str, place: &Range<usize>) -> Option<usize> {
    const SHORTEST: usize = 3;
    let lead = text[..place.start].strip_suffix(' ')?;
    let bare = lead.strip_suffix(':').or_else(|| lead.strip_suffix(" ="))?;
    let name = bare.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next()?;
    let is_capital = name.len() >= SHORTEST
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    is_capital.then_some(bare.len() - name.len())
}

/// The start of the parts that are of so many each: `batches of 5000`.
fn sized(text: &str, place: &Range<usize>) -> Option<usize> {
    const PARTS: [&str; 6] = ["batch", "batches", "chunks", "groups", "lots", "pages"];
    let lead = text[..place.start].strip_suffix(" of ")?;
    let name = lead.rsplit(|c: char| !c.is_alphabetic()).next()?;
    PARTS.contains(&name).then_some(lead.len() - name.len())
}

/// The start of what is changed to a figure with which a clause ends: `set the depth to 9, complexity to 1500`.
fn changed(text: &str, place: &Range<usize>) -> Option<usize> {
    let rest = &text[place.end..];
    if rest.starts_with([' ', '-', '/', '%']) && !rest.starts_with(" and ") {
        return None;
    }
    let lead = text[..place.start].strip_suffix(' ')?;
    let link = CHANGES.iter().find(|link| lead.ends_with(**link))?;
    let bare = lead.strip_suffix(*link)?;
    let name = bare.rsplit(|c: char| !c.is_alphabetic()).next()?;
    let hour =
        *link != " to" && text[place.clone()].parse().is_ok_and(|value: f64| value < NO_HOUR);
    let lower = name.chars().all(char::is_lowercase);
    let is_name = lower && name.len() > 2 && !OTHERS.holds(name) && !CHANGING.holds(name);
    (is_name && !hour && is_changing(bare)).then_some(bare.len() - name.len())
}

/// Whether a sentence up to its end gives values.
fn is_changing(said: &str) -> bool {
    sentence_before(said, said.len(), REACH).split(' ').any(|word| CHANGING.hold_lower(word))
}

/// What stands in front of the words that say what something has to be: `Node` of `Node must be`.
fn without_verbs(said: &str) -> &str {
    const MOST: usize = 3;
    static VERBS: Words = Words::new(
        "are be debe deve doit have has is ist muss must need needs requires should soll sollte to être",
    );
    let mut rest = said;
    for _ in 0..MOST {
        let Some((before, last)) = rest.rsplit_once(' ') else { break };
        if !VERBS.hold_lower(last) {
            break;
        }
        rest = before;
    }
    rest
}

/// The start of a variable of one letter: `n was 212`, `p = 0.048`.
fn variable(text: &str, place: &Range<usize>) -> Option<usize> {
    const EQUALS: [&str; 3] = [" =", " was", " is"];
    const BOUNDS: [&str; 4] = [" >=", " <=", " ≥", " ≤"];
    let lead = text[..place.start].strip_suffix(' ')?;
    if let Some(bare) = BOUNDS.iter().find_map(|sign| lead.strip_suffix(sign)) {
        let bare = without_verbs(bare);
        let name = bare.rsplit(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).next()?;
        let is_name = name.starts_with(char::is_alphabetic) && name.len() > 1;
        return is_name.then_some(bare.len() - name.len());
    }
    let is_equal = lead.ends_with(" =");
    let bare = EQUALS.iter().find_map(|link| lead.strip_suffix(link))?;
    let name = bare.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let start = bare.len() - 1;
    let apart = before(text, start).is_none_or(|c| " (\n`".contains(c));
    let is_long = place.len() > 1 || is_equal && matches!(name, 'n' | 'N');
    (apart && !matches!(name, 'a' | 'A' | 'I' | 'i') && is_long).then_some(start)
}
