//! Settings that are on or off: `interruptible: true`, `activo=false`.

use std::ops::Range;

use crate::specifics::Kind;
use crate::specifics::code::{self, Code, is_of_code};
use crate::specifics::scan::Scan;
use crate::specifics::token::Token;
use crate::specifics::words::Words;

/// Signs around a word that are none of it.
const MARKS: [char; 10] = ['`', '"', '\'', '(', ')', ',', ';', '.', '*', '}'];

/// Words between a setting and whether it is on: `activo en false`.
static LINKS: Words = Words::new("= a auf en is to à");

/// Languages of blocks of code that hold settings.
static CONFIGS: Words = Words::new("conf env hcl ini json json5 jsonc properties toml yaml yml");

/// The longest setting that is one word, in bytes.
const LONGEST: usize = 80;

/// Takes the settings of a message that are on or off.
pub(super) fn find_switches(scan: &mut Scan<'_>, code: &[Code]) {
    let (text, tokens) = (scan.text, scan.tokens);
    for (nth, token) in tokens.iter().enumerate() {
        let place = token.place.range();
        let said = text[place.clone()].trim_end_matches(MARKS);
        // All of them end in the same letter.
        if said.len() > LONGEST || !said.ends_with(['e', 'E']) {
            continue;
        }
        let value = said.rsplit(['=', '`', '"']).next().unwrap_or_default();
        if is_switch(value)
            && !is_program(code, place.start)
            && let Some(start) = name_of(text, &tokens[..=nth], said.len() - value.len())
        {
            let end = place.start + said.len();
            scan.claim_free(start..end + changed_to(&text[end..]), Kind::Identifier);
        }
    }
}

/// How long what stands behind a value is that says to which other one it changes: ` -> true`.
fn changed_to(rest: &str) -> usize {
    const ARROW: &str = " -> ";
    let value = rest.strip_prefix(ARROW).and_then(|rest| rest.split_whitespace().next());
    value.filter(|value| is_switch(value)).map_or(0, |value| ARROW.len() + value.len())
}

/// Whether a place is in a block of code that holds more than settings.
fn is_program(code: &[Code], at: usize) -> bool {
    let language = code::at(code, at).and_then(|span| span.fence.as_deref());
    language.is_some_and(|language| !language.is_empty() && !CONFIGS.holds(language))
}

/// Where the name of a setting begins whose value is the last of some words, or its end.
fn name_of(text: &str, words: &[Token], lead: usize) -> Option<usize> {
    let (last, before) = words.split_last()?;
    let place = last.place.range();
    let name = text[place.start..place.start + lead].strip_suffix('=');
    match name.map(|name| name.trim_start_matches(MARKS)) {
        Some(name) => is_name(name).then(|| place.start + lead - 1 - name.len()),
        None => name_before(text, before),
    }
}

fn bare<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    text[place.clone()].trim_matches(MARKS)
}

fn is_switch(word: &str) -> bool {
    word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false")
}

/// Where the name of a setting begins that the last words are, up to its value.
fn name_before(text: &str, words: &[Token]) -> Option<usize> {
    let last = words.last()?.place.range();
    let said = &text[last.clone()];
    if let Some(name) = said.strip_suffix([':', '=']).map(|name| name.trim_end_matches('"')) {
        return is_name(name.trim_start_matches(MARKS)).then(|| start(text, &last));
    }
    let [.., name, _] = words else { return None };
    let place = name.place.range();
    let name = bare(text, &place);
    (LINKS.hold_lower(said) && is_name(name) && is_of_code(name)).then(|| start(text, &place))
}

/// Whether a span of code is a setting with its value and nothing else: `fetchpriority="high"`, `font-display: swap`.
pub(super) fn is_given(span: &str) -> bool {
    const QUOTES: [char; 2] = ['"', '\''];
    let both = span.split_once('=').filter(|(_, value)| value.starts_with(QUOTES));
    let both = both.or_else(|| span.split_once(": "));
    let plain = |value: &str| {
        !value.is_empty()
            && value
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_.-%/".contains(&b))
    };
    both.is_some_and(|(name, value)| {
        let quoted = |mark| value.strip_prefix(mark).and_then(|value| value.strip_suffix(mark));
        let bare = QUOTES.into_iter().find_map(quoted).unwrap_or(value.trim_end_matches(';'));
        name.starts_with(|c: char| c.is_ascii_lowercase()) && is_name(name) && plain(bare)
    })
}

/// Where a word begins behind its marks.
fn start(text: &str, place: &Range<usize>) -> usize {
    let word = &text[place.clone()];
    place.end - word.trim_start_matches(MARKS).len()
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.len() > 1
        && word.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}
