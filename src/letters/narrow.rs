//! Characters that are the usual ones in another width, and digits that are those of Europe in another form.

use unicode_normalization::char::decompose_compatible;

/// The zeros of other scripts, behind each of which its digits stand.
const ZEROS: [char; 5] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}'];

/// A character in its usual form.
pub(super) fn usual(c: char) -> char {
    match c {
        c if c < ZEROS[0] => c,
        '\u{ff01}'..='\u{ff9f}' => in_usual_width(c),
        c => european_digit(c).unwrap_or(c),
    }
}

fn european_digit(c: char) -> Option<char> {
    let behind = |zero: char| u32::from(c).checked_sub(u32::from(zero)).filter(|digit| *digit < 10);
    char::from_digit(ZEROS.into_iter().find_map(behind)?, 10)
}

fn in_usual_width(c: char) -> char {
    let mut usual = c;
    decompose_compatible(c, |only| usual = only);
    usual
}
