//! Signs with which programs steer a terminal: they stand in what a terminal showed, and say nothing.

use std::borrow::Cow;

/// How each of them begins.
const ESCAPE: char = '\u{1b}';

/// A text without them.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    plain.extend(parts.map(behind));
    Cow::Owned(plain)
}

/// What stands behind one whose own sign is gone: `[31mred`.
fn behind(rest: &str) -> &str {
    let end = match rest.chars().next() {
        Some('[') => {
            rest.find(|sign: char| ('@'..='~').contains(&sign) && sign != '[').map(|at| at + 1)
        }
        // The title of a window, up to a bell or the end of its line; or up to the next escape.
        Some(']') => Some(match rest.find(['\u{7}', '\n']) {
            Some(at) if rest[at..].starts_with('\n') => at,
            Some(at) => at + 1,
            None => rest.len(),
        }),
        // A set of signs, which one more names.
        Some('(' | ')' | '*' | '+' | '#' | '%' | ' ') => {
            rest.char_indices().nth(2).map(|(at, _)| at)
        }
        other => other.map(char::len_utf8),
    };
    &rest[end.unwrap_or(rest.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out() {
        for (text, plain) in [
            ("no escape", "no escape"),
            ("\u{1b}[1A\u{1b}[2K\u{1b}[0m12 tests", "12 tests"),
            ("\u{1b}[38;5;12mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}behind", "behind"),
            ("\u{1b}(Bplain\u{1b}", "plain"),
            ("a \u{1b}]0;title\nthe rest", "a \nthe rest"),
            ("\u{1b}[", ""),
        ] {
            assert_eq!(without(text), plain, "{text:?}");
        }
    }
}
