//! Where a message holds code: fenced blocks and `inline` spans of Markdown.

use std::ops::Range;

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
    if !text.contains('`') {
        return found;
    }
    let mut block: Option<(usize, String)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let bare = line.trim();
        match (bare.strip_prefix("```"), block.take()) {
            (Some(rest), open) if rest.contains("```") => {
                inline(line, at, &mut found);
                block = open;
            }
            (Some(_), Some((start, language))) => {
                found.push(Code { place: start..at, fence: Some(language) });
            }
            (Some(language), None) => block = Some((next, language.trim().to_lowercase())),
            (None, open) => {
                if open.is_none() {
                    inline(line, at, &mut found);
                }
                block = open;
            }
        }
        at = next;
    }
    if let Some((start, language)) = block {
        found.push(Code { place: start..text.len(), fence: Some(language) });
    }
    found
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
