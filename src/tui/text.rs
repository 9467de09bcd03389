//! Text for the screen: made harmless, measured, wrapped and cut by what a reader sees as a character.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Strips control and escape sequences; tabs become spaces, line ends stay.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' => out.push_str("    "),
            harmful if is_harmful(harmful) => {}
            plain => out.push(plain),
        }
    }
    Cow::Owned(out)
}

fn is_harmful(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts a text into lines of at most `width` columns; words that are too long are broken.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2);
    let mut lines = Vec::new();
    for source in text.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in source.split_inclusive(' ') {
            if used + word.trim_end().width() > width && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            for grapheme in word.graphemes(true) {
                if used + grapheme.width() > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push_str(grapheme);
                used += grapheme.width();
            }
        }
        lines.push(line);
    }
    lines
}

/// Cuts a text to `width` columns, with `…` where something is missing.
pub fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for grapheme in text.graphemes(true) {
        used += grapheme.width();
        if used > width {
            break;
        }
        out.push_str(grapheme);
    }
    if width > 0 {
        out.push('…');
    }
    out
}
