//! Where a message holds code: fenced blocks and `inline` spans of Markdown, and words that are names in it.

use std::ops::Range;

use crate::fence::{self, Blocks, Place};

/// A part of a message that is code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Code {
    /// Its place, without the fences.
    pub(super) place: Range<usize>,
    /// The language of a fenced block, in lower case, empty if none is named; `None` for an inline span.
    pub(super) fence: Option<String>,
}

/// The longest inline span, in bytes: a forgotten backtick must not swallow a page.
const LONGEST_SPAN: usize = 400;

/// The code of a message, in order.
pub(super) fn spans(text: &str) -> Vec<Code> {
    let mut found = Vec::new();
    if !text.contains('`') && !text.contains('~') {
        return found;
    }
    let (mut blocks, mut block) = (Blocks::default(), None);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        match blocks.next(line) {
            Place::Begins(info) => block = Some((next, fence::language(info).to_lowercase())),
            Place::Ends => found.extend(block.take().map(|block| of_block(block, at))),
            Place::Outside => inline(line, at, &mut found),
            Place::Inside | Place::BeginsAgain => {}
        }
        at = next;
    }
    found.extend(block.map(|block| of_block(block, text.len())));
    found
}

fn of_block((start, language): (usize, String), end: usize) -> Code {
    Code { place: start..end, fence: Some(language) }
}

/// The code that a place is in, if it is in some.
pub(super) fn at(code: &[Code], at: usize) -> Option<&Code> {
    let next = code.partition_point(|span| span.place.end <= at);
    code.get(next).filter(|span| span.place.start <= at)
}

fn inline(line: &str, at: usize, found: &mut Vec<Code>) {
    let mut open: Option<usize> = None;
    for (place, _) in line.match_indices('`') {
        match open.take() {
            Some(start) if place > start && place - start <= LONGEST_SPAN => {
                found.push(Code { place: at + start..at + place, fence: None });
            }
            _ => open = Some(place + 1),
        }
    }
}

/// Whether a word is a name in code, and none of everyday language.
pub(super) fn is_of_code(name: &str) -> bool {
    let inner = |signs: &[u8]| signs[0].is_ascii_lowercase() && signs[1].is_ascii_uppercase();
    name.contains(['_', '.', '-']) || name.as_bytes().windows(2).any(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_between_fences_of_every_sort() {
        for (text, expected) in [
            ("```SH\nls\n```\n`a`", &[("ls\n", Some("sh")), ("a", None)][..]),
            ("~~~sh\nls `a`\n~~~\n`b`", &[("ls `a`\n", Some("sh")), ("b", None)]),
            ("````md\n```sh\nls\n```\n````\n`b`", &[("```sh\nls\n```\n", Some("md")), ("b", None)]),
            ("```\n~~~\n```sh\n", &[("~~~\n```sh\n", Some(""))]),
            ("- ```sh\n  ls\n  ```\n`b`", &[("  ls\n", Some("sh")), ("b", None)]),
            ("```py\n    ```\n```\n`b`", &[("    ```\n", Some("py")), ("b", None)]),
            ("```bash title=\"x\"\nls", &[("ls", Some("bash"))]),
            ("~~~sh", &[("", Some("sh"))]),
            ("```ls```\n```a`", &[("ls", None), ("a", None)]),
            ("~/a and ~~b~~", &[]),
        ] {
            let found = spans(text);
            let told: Vec<_> =
                found.iter().map(|it| (&text[it.place.clone()], it.fence.as_deref())).collect();
            assert_eq!(told, expected, "{text}");
        }
    }
}
