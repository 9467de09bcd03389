//! A summary without the signs that say only how it is shown.

use std::borrow::Cow;

use crate::fence::{Blocks, Place};
use crate::specifics::scan;

/// Tags around code, and tags that only make letters bold or slanted.
const CODE: [&str; 4] = ["code", "kbd", "samp", "tt"];
const SHOWN: [&str; 5] = ["b", "em", "i", "strong", "u"];

/// Signs that a backslash makes plain ones.
const ESCAPED: [char; 8] = ['_', '*', '#', '[', ']', '<', '>', '~'];

/// A text without its marks: `port 8443` for `_port 8443_`, `user_sessions` for `user\_sessions`. In code they are themselves.
pub(super) fn unmarked(text: &str) -> Cow<'_, str> {
    let text = untagged(text);
    if !text.contains(['_', '*', '\\']) {
        return text;
    }
    let mut bare = String::with_capacity(text.len());
    let mut blocks = Blocks::default();
    for line in text.split_inclusive('\n') {
        if blocks.next(line) == Place::Outside && line.contains(['_', '*', '\\']) {
            push_unmarked(line, &mut bare);
        } else {
            bare.push_str(line);
        }
    }
    if bare == *text { text } else { bare.into() }
}

/// A text whose tags around code are backticks.
fn untagged(text: &str) -> Cow<'_, str> {
    let mut bare = Cow::Borrowed(text);
    if !text.contains("</") {
        return bare;
    }
    let tags = CODE.iter().map(|tag| (tag, "`")).chain(SHOWN.iter().map(|tag| (tag, "")));
    for (tag, sign) in tags {
        let (begins, ends) = (format!("<{tag}>"), format!("</{tag}>"));
        if bare.contains(&begins) && bare.contains(&ends) {
            bare = bare.replace(&begins, sign).replace(&ends, sign).into();
        }
    }
    bare
}

/// Marks of one sort side by side that may begin something that is emphasised.
struct Opened {
    mark: char,
    at: usize,
    length: usize,
}

/// Adds a line without its marks.
fn push_unmarked(line: &str, bare: &mut String) {
    let places = marks(line);
    let mut end = 0;
    for place in places {
        bare.push_str(&line[end..place.start]);
        end = place.end;
    }
    bare.push_str(&line[end..]);
}

/// Where the marks of a line are, in their order.
fn marks(line: &str) -> Vec<std::ops::Range<usize>> {
    let mut places = Vec::new();
    let mut opened: Vec<Opened> = Vec::new();
    let (mut at, mut is_code) = (0, false);
    while let Some(sign) = line[at..].chars().next() {
        let rest = &line[at..];
        let length = match sign {
            '_' | '*' if !is_code => rest.len() - rest.trim_start_matches(sign).len(),
            _ => sign.len_utf8(),
        };
        let (before, after) = (&line[..at], &rest[length..]);
        match sign {
            '`' => is_code = !is_code,
            '\\' if !is_code && escapes(before, after) => {
                places.push(at..at + 1);
                at += after.chars().next().map_or(0, char::len_utf8);
            }
            '_' | '*' if !is_code => {
                let begun = opened.iter().rposition(|one| one.mark == sign && one.length == length);
                if let Some(nth) = begun.filter(|_| closes(before, after, sign)) {
                    places.push(opened[nth].at..opened[nth].at + length);
                    places.push(at..at + length);
                    opened.truncate(nth);
                } else if opens(before, after, sign) {
                    opened.push(Opened { mark: sign, at, length });
                }
            }
            _ => {}
        }
        at += length;
    }
    places.sort_by_key(|place| place.start);
    places
}

/// Whether a backslash makes the sign behind it a plain one, and is no part of a path of Windows: `C:\_old`.
fn escapes(before: &str, after: &str) -> bool {
    const REACH: usize = 200;
    let before = scan::lead(before, before.len(), REACH);
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_drive = word.strip_suffix(':').is_some_and(|lead| {
        let mut signs = lead.chars().rev();
        signs.next().is_some_and(|sign| sign.is_ascii_alphabetic())
            && !signs.next().is_some_and(char::is_alphanumeric)
    });
    let is_path = is_drive
        || word.contains(":\\")
        || word
            .match_indices('\\')
            .any(|(at, _)| word[at + 1..].starts_with(char::is_alphanumeric));
    // At the end of a word it joins nothing: `Friday\_`.
    let is_end = word.ends_with(char::is_alphanumeric)
        && after.strip_prefix('_').is_some_and(|rest| {
            !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '\\'))
        });
    after.starts_with(ESCAPED) && !is_path && !is_end
}

/// Whether marks may begin something that is emphasised. `*.rs` has another one.
fn opens(before: &str, after: &str, mark: char) -> bool {
    let is_edge = |c: char| c.is_whitespace() || "([{\"'“„‘*_~|—–>,;".contains(c);
    let begins = |c: char| !c.is_whitespace() && (mark == '_' || c != '.' && c != ')');
    before.chars().next_back().is_none_or(is_edge) && after.starts_with(begins)
}

/// Whether marks may end something that is emphasised. In `__init__.py` a name goes on, and `src/*` has another one.
fn closes(before: &str, after: &str, mark: char) -> bool {
    let is_edge = |c: char| c.is_whitespace() || ")]}\"'”“’.,;:!?*_~|—–<".contains(c);
    let goes_on =
        after.strip_prefix(['.', ':']).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    let ends = |c: char| !c.is_whitespace() && (mark == '_' || c != '/');
    before.ends_with(ends) && after.chars().next().is_none_or(is_edge) && !goes_on
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_left_out_and_what_looks_like_them_stays() {
        for (text, bare) in [
            ("Uses _port 8443_; file _src/cart.rs_.", "Uses port 8443; file src/cart.rs."),
            ("__x__, (_y z_) and **_w_**", "x, (y z) and w"),
            ("_MAX_RETRIES=5_", "MAX_RETRIES=5"),
            ("Run **make all -j4**, *make é*.", "Run make all -j4, make é."),
            ("<code>git log</code> is <b>in</b>", "`git log` is in"),
            ("user\\_sessions and \\*all\\*", "user_sessions and *all*"),
            ("`_a_` and `x\\_y`", "`_a_` and `x\\_y`"),
            ("my_x and _private, __init__.py", "my_x and _private, __init__.py"),
            ("Friday\\_ and \\_\\_a\\_\\_", "Friday\\_ and __a__"),
            ("C:\\_old and \\~x", "C:\\_old and ~x"),
            ("C:\\old\\_b and \\_c", "C:\\old\\_b and _c"),
            ("*.rs in src/* and 2 * 3 * 4", "*.rs in src/* and 2 * 3 * 4"),
            ("```\n_a_\n```\n_b_", "```\n_a_\n```\nb"),
            ("```ls``` was run.\n_b_", "```ls``` was run.\nb"),
            ("````\n```\n_a_\n````\n_b_", "````\n```\n_a_\n````\nb"),
            ("~~~\n```\n_a_\n~~~\n_b_", "~~~\n```\n_a_\n~~~\nb"),
            ("```sh\n```sh\n_a_\n```\n_b_", "```sh\n```sh\n_a_\n```\nb"),
            ("```\n    ```\n_a_\n```\n_b_", "```\n    ```\n_a_\n```\nb"),
            ("- ```\n  _a_\n  ```\n_b_", "- ```\n  _a_\n  ```\nb"),
            ("_é", "_é"),
            ("", ""),
        ] {
            assert_eq!(unmarked(text), bare, "{text}");
        }
    }
}
