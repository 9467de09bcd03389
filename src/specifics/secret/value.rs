//! What may be a secret, and what only stands for one.

use std::ops::Range;

use crate::chunk::beginning;

/// The longest value that is looked for, in bytes: no line takes longer than it is long.
pub(super) const LONGEST: usize = 4_096;

/// The longest number that counts something: `max_tokens=512`, `token: 24h`.
const LONGEST_NUMBER: usize = 8;

/// Quotation marks and the signs that close them.
const QUOTES: [(char, char); 6] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('«', '»')];

/// Signs with which something begins that is filled in by a shell, by a template or by hand, or that is hidden already.
const STANDS_FOR: [char; 10] = ['$', '<', '{', '%', '@', '*', '[', '…', '(', '&'];

/// Beginnings of what says where a secret is.
const PLACES: [&str; 19] = [
    "/",
    "./",
    "../",
    "~",
    "...",
    "fd:",
    "file:",
    "op:",
    "vault:",
    "env:",
    "env.",
    "process.",
    "os.",
    "config.",
    "settings.",
    "secrets.",
    "self.",
    "this.",
    "var.",
];

/// What is written where a secret belongs.
const EXAMPLES: [&str; 6] = ["your", "changeme", "change_me", "xxx", "redacted", "placeholder"];

/// Values that are none, and types of values.
const NONE: [&str; 22] = [
    "any",
    "auto",
    "bool",
    "bytes",
    "default",
    "env",
    "false",
    "hidden",
    "int",
    "nil",
    "no",
    "none",
    "null",
    "number",
    "optional",
    "prompt",
    "required",
    "str",
    "string",
    "true",
    "undefined",
    "yes",
];

/// Whether a value only stands for a secret.
pub(super) fn stands_for_one(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.is_empty()
        || value.starts_with(STANDS_FOR)
        || PLACES.iter().any(|place| lower.starts_with(place))
        || EXAMPLES.iter().any(|example| lower.starts_with(example))
        || NONE.contains(&lower.as_str())
        || value.contains('(')
        || is_path_of_code(value)
        || is_tag(value)
        || is_variable(value)
}

/// Whether it is the name of a variable: `OPENAI_API_KEY`.
fn is_variable(value: &str) -> bool {
    value.contains('_') && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// Whether it is the name of something in code with that of what holds it: `TokenKind::Ident`.
fn is_path_of_code(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    value.contains("::") && value.split("::").all(is_name)
}

/// Whether it says of what sort a value of YAML is: `!vault`.
fn is_tag(value: &str) -> bool {
    let name = value.trim_start_matches('!');
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    name.len() < value.len() && is_name
}

/// Whether it is what code holds at a place or writes by a macro, or the code of something: `parts[1]`, `Token![if]`,
/// `Optional[str]`, `0x02`.
pub(super) fn is_of_code(value: &str) -> bool {
    const LONGEST: usize = 10;
    if value.starts_with("0x") && value.len() <= LONGEST {
        return true;
    }
    let name = value.split(['!', '[']).next().unwrap_or_default();
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    let rest = &value[name.len()..];
    !name.is_empty()
        && name.bytes().all(is_of_name)
        && (rest.starts_with('[') || rest.starts_with("!["))
}

/// Whether it is a number that counts something.
pub(super) fn is_count(value: &str) -> bool {
    const UNIT: usize = 3;
    let figures = value.trim_end_matches(|c: char| c.is_ascii_lowercase());
    !figures.is_empty()
        && value.len() <= LONGEST_NUMBER
        && value.len() - figures.len() <= UNIT
        && figures.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte))
}

/// Whether it is more than a word: one with digits, or with capitals or signs in it.
pub(super) fn is_mixed(value: &str) -> bool {
    let is_odd = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase() || "!@#$%^&*+?".contains(c);
    value.chars().skip(1).any(is_odd) || value.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether it is a word, or some with hyphens: `same-origin`, `Bearer`.
pub(super) fn is_word(value: &str) -> bool {
    let is_part = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_uppercase());
        part.len() - rest.len() < 2 && rest.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    value.len() <= LONGEST_WORD && value.split('-').all(is_part)
}

/// The longest value that may be words and no key.
const LONGEST_WORD: usize = 20;

/// Whether it is a type in code: `RawRestoreState`, `Option<Secret>`.
pub(super) fn is_type(value: &str) -> bool {
    const NUMBERS: [&str; 12] =
        ["f32", "f64", "i128", "i16", "i32", "i64", "i8", "u128", "u16", "u32", "u64", "u8"];
    let value = value.trim_start_matches('_').trim_end_matches('|');
    if NUMBERS.contains(&value) {
        return true;
    }
    let is_word = |part: &str| {
        let mut signs = part.chars();
        signs.next().is_some_and(|c| c.is_ascii_uppercase())
            && signs.clone().next().is_some_and(|c| c.is_ascii_lowercase())
            && signs.all(|c| c.is_ascii_lowercase())
    };
    let starts = value.match_indices(|c: char| c.is_ascii_uppercase()).map(|(at, _)| at);
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().copied().skip(1).chain([value.len()]);
    // `CString`
    let is_letter = |start: usize, end: usize| start == 0 && end == 1;
    let is_part = |(start, end): (&usize, usize)| {
        is_letter(*start, end) && end < value.len() || is_word(&value[*start..end])
    };
    let is_camel = || starts.iter().zip(ends).all(is_part);
    value.contains('<') || starts.first() == Some(&0) && is_camel()
}

/// Whether it has letters and digits.
pub(super) fn has_both(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit()) && value.chars().any(char::is_alphabetic)
}

/// Whether it is the name of something, of several words and perhaps numbers: `db-credentials-2`, `db/prod1`.
pub(super) fn is_named(value: &str) -> bool {
    const DIGITS: usize = 4;
    let is_word = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        part.len() - letters.len() <= DIGITS && letters.bytes().all(|b| b.is_ascii_lowercase())
    };
    value.contains(['-', '_', '/', '.']) && value.split(['-', '_', '/', '.']).all(is_word)
}

/// Whether it is as good as random.
pub(super) fn is_random(value: &str) -> bool {
    const LONG: usize = 16;
    const SHORT: usize = 8;
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    let cased = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    has_both(value) && plain && (cased && value.len() >= SHORT || value.len() >= LONG)
}

/// A value that begins at a place of a line, without the marks around it, and whether it stands in such; up to one of some
/// signs otherwise.
pub(super) fn at(text: &str, place: Range<usize>, ends: &[char]) -> (Range<usize>, bool) {
    let rest = &text[place.clone()];
    let rest = rest.trim_start_matches(['*', '\\']);
    // A shell reads `$'secret'` as `'secret'`.
    let rest = if rest.starts_with("$'") { &rest[1..] } else { rest };
    let start = place.end - rest.len();
    let rest = beginning(rest, LONGEST);
    let mark = QUOTES.iter().find(|(open, _)| rest.starts_with(*open));
    if let Some((open, close)) = mark {
        let inner = &rest[open.len_utf8()..];
        if let Some(end) = inner.find(*close) {
            let start = start + open.len_utf8();
            return (start..start + inner[..end].trim_end_matches('\\').len(), true);
        }
    }
    let open = mark.map_or(0, |(open, _)| open.len_utf8());
    let inner = &rest[open..];
    let ends_it =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '”') || ends.contains(&c);
    let end = inner.find(ends_it).unwrap_or(inner.len());
    let bare = inner[..end].trim_end_matches(['.', ',', ';', ':', '?', ')', ']', '}', '*', '\\']);
    (start + open..start + open + bare.len(), false)
}
