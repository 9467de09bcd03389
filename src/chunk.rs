//! Where a text is cut into chunks: at the best border available, and never inside what a reader sees as
//! one character.
//!
//! Chunk `n` of a text begins at the best border before byte `n * size`. Where that is depends on the
//! text just before it alone, so that a chunk in the middle of a large file is read without the rest.

use unicode_segmentation::GraphemeCursor;

/// How far before the even border a better one is looked for, as a part of the chunk's size.
const LOOK_BACK: u64 = 2;

/// Bytes behind an even border that are read to see whether it splits a character.
pub const LOOK_AHEAD: u64 = 64;

/// How many chunks of `size` bytes a text of `length` bytes has; an empty one has one.
pub fn count(length: u64, size: u64) -> u64 {
    length.div_ceil(size.max(1)).max(1)
}

/// The bytes around an even border that decide where the cut is: from, and up to. Reading more does no
/// harm.
pub fn around(border: u64, size: u64, length: u64) -> (u64, u64) {
    let from = border.saturating_sub(size.max(1) / LOOK_BACK);
    (from, border.saturating_add(LOOK_AHEAD).min(length))
}

/// How many bytes of `bytes` stand before the cut. `bytes` is what [`around`] names, and the even border
/// stands `border` bytes behind its beginning. Bytes of a character whose beginning is missing, at the
/// very front, are skipped.
pub fn cut(bytes: &[u8], border: usize) -> usize {
    let border = border.min(bytes.len());
    let first = (0..bytes.len().min(4)).find(|&at| !is_inside(bytes[at])).unwrap_or(0);
    let usable = |end: usize| std::str::from_utf8(&bytes[first.min(end)..end]).ok();
    let whole = (0..4).find_map(|less| usable(bytes.len().checked_sub(less)?));
    let Some(text) = whole else { return border };
    first + best_border(text, border.saturating_sub(first).min(text.len()))
}

/// As much of a text's beginning as fits into so many bytes.
pub fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}

/// The ranges of bytes of all chunks of a text that is in memory; joined they are the text. Each is looked for when it is
/// asked for.
pub fn ranges(text: &str, size: usize) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
    let (length, size) = (text.len() as u64, size.max(1) as u64);
    let border = move |nth: u64| {
        let even = nth * size;
        if nth == 0 || even >= length {
            return even.min(length) as usize;
        }
        let (from, upto) = around(even, size, length);
        let bytes = &text.as_bytes()[from as usize..upto as usize];
        from as usize + cut(bytes, (even - from) as usize)
    };
    let mut start = 0;
    let chunks = (1..=count(length, size)).map(move |nth| {
        let end = border(nth);
        std::mem::replace(&mut start, end)..end
    });
    chunks.filter(move |range| !range.is_empty() || length == 0)
}

/// The best border in `text` up to a position: behind an empty line, a line, a sentence, a word, or as
/// late as possible without splitting a character.
fn best_border(text: &str, upto: usize) -> usize {
    let upto = whole_characters(text, upto);
    let before = &text[..upto];
    let words = || {
        let [sentence, word] = last_ends(before);
        sentence.or(word)
    };
    last_paragraph(before).or_else(|| last_line(before)).or_else(words).unwrap_or(upto)
}

/// The end of the last line of a text.
fn last_line(text: &str) -> Option<usize> {
    text.rfind('\n').map(|at| at + 1)
}

/// The end of the last line that is empty and has one before it: most texts are not looked at from the first letter on.
fn last_paragraph(text: &str) -> Option<usize> {
    let mut end = last_line(text)?;
    while let Some(start) = last_line(&text[..end - 1]) {
        if text[start..end].chars().all(char::is_whitespace) {
            return Some(end);
        }
        end = start;
    }
    None
}

/// The ends of the last sentence and word of a text that are followed by more or stand at its end.
fn last_ends(text: &str) -> [Option<usize>; 2] {
    let mut ends = [None; 2];
    let mut before = [' '; 2];
    for (at, sign) in text.char_indices() {
        let end = at + sign.len_utf8();
        if matches!(sign, '。' | '！' | '？') || (sign.is_whitespace() && ends_sentence(before))
        {
            ends[0] = Some(end);
        }
        if sign.is_whitespace() {
            ends[1] = Some(end);
        }
        before = [before[1], sign];
    }
    ends
}

/// Whether the last two signs before a space end a sentence: a stop, or a stop in quotes.
fn ends_sentence(before: [char; 2]) -> bool {
    let stop = |sign: char| ".!?…".contains(sign);
    stop(before[1]) || ("\"')]”’»".contains(before[1]) && stop(before[0]))
}

/// A position moved back to where no visible character and no line end is split.
fn whole_characters(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    if at == 0 || at == text.len() {
        return at;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) {
        return at;
    }
    match cursor.prev_boundary(text, 0) {
        // A character that fills all there is to see is split after all: a cut must be somewhere.
        Ok(Some(before)) if before > 0 => before,
        _ => at,
    }
}

fn is_inside(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunks(text: &str, size: usize) -> Vec<&str> {
        ranges(text, size).map(|range| &text[range]).collect()
    }

    #[test]
    fn a_beginning_splits_no_character() {
        let all = [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aéb"), (9, "aéb")];
        for (most, expected) in all {
            assert_eq!(beginning("aéb", most), expected, "{most}");
        }
    }

    #[test]
    fn a_cut_is_at_the_best_border_there_is() {
        let cases = [
            ("One two three.\n\nThree four five six", 24, "One two three.\n\n"),
            ("One two three\nfour. Five six seven", 24, "One two three\n"),
            ("One two three. Four five six seve", 24, "One two three. "),
            ("He really did say \"no.\" Then on", 28, "He really did say \"no.\" "),
            ("onetwothreefour fivesixseveneight", 24, "onetwothreefour "),
            ("x".repeat(40).leak(), 24, "xxxxxxxxxxxxxxxxxxxxxxxx"),
        ];
        for (text, size, first) in cases {
            assert_eq!(chunks(text, size)[0], first, "{text}");
        }
    }

    #[test]
    fn line_ends_of_two_signs_and_families_stay_whole() {
        let lines = "ab\r\n".repeat(50);
        for size in 12..30 {
            assert!(chunks(&lines, size).iter().all(|chunk| chunk.ends_with("\r\n")), "{size}");
        }
        let family = "👨‍👩‍👧‍👦";
        let families = family.repeat(40);
        for chunk in chunks(&families, 120) {
            assert_eq!(chunk.replace(family, ""), "");
        }
    }

    /// The same, read from the first letter on.
    fn last_paragraph_and_line(text: &str) -> [Option<usize>; 2] {
        let (mut ends, mut is_empty) = ([None; 2], false);
        for (at, sign) in text.char_indices() {
            if sign == '\n' {
                ends = [if is_empty { Some(at + 1) } else { ends[0] }, Some(at + 1)];
            }
            is_empty = sign == '\n' || (is_empty && sign.is_whitespace());
        }
        ends
    }

    proptest! {
        #[test]
        fn the_last_paragraph_ends_where_a_line_is_empty(text in "[a \t\r\n]{0,40}") {
            let found = [last_paragraph(&text), last_line(&text)];
            prop_assert_eq!(found, last_paragraph_and_line(&text));
        }

        #[test]
        fn any_text_comes_back_whole_from_its_chunks(
            text in "(\\PC|[ .\n\r]|\u{0}|é|設|👩‍👩‍👧){0,400}",
            size in 8..90_usize,
        ) {
            let parts = chunks(&text, size);
            prop_assert_eq!(parts.concat(), text.clone());
            prop_assert!(parts.len() as u64 <= count(text.len() as u64, size as u64));
            for part in &parts {
                prop_assert!(part.len() <= size + size / 2 + 1, "{}", part.len());
            }
        }

        #[test]
        fn no_better_border_was_passed_over(text in "[ab .\n]{60,200}", size in 16..40_usize) {
            for range in ranges(&text, size) {
                if range.end == text.len() {
                    continue;
                }
                let looked = &text[range.end.saturating_sub(size / 2).max(range.start)..range.end];
                let here = &text[..range.end];
                let rank = |kind: usize| match kind {
                    0 => here.ends_with("\n\n"),
                    1 => here.ends_with('\n'),
                    _ => here.ends_with(char::is_whitespace),
                };
                let has_space = looked.contains(char::is_whitespace);
                prop_assert!(!has_space || rank(2) || rank(1), "{looked:?}");
            }
        }
    }
}
