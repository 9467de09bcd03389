//! Characters that are the usual ones in another width, and digits that are those of Europe in another form.

/// Katakana of half the width from U+FF66 on, in their usual width.
const KATAKANA: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";

/// The zeros of other scripts, behind each of which its digits stand.
const ZEROS: [char; 6] = ['\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{e50}', '\u{ff10}'];

/// A character in its usual form.
pub(super) fn usual(c: char) -> char {
    if c < ZEROS[0] {
        return c;
    }
    let behind = |zero: char| u32::from(c).checked_sub(u32::from(zero)).filter(|digit| *digit < 10);
    if let Some(digit) = ZEROS.into_iter().find_map(behind) {
        return char::from_digit(digit, 10).unwrap_or(c);
    }
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{ff66}'..='\u{ff9d}' => {
            KATAKANA.chars().nth((u32::from(c) - 0xff66) as usize).unwrap_or(c)
        }
        '\u{ff9e}' => '\u{3099}',
        '\u{ff9f}' => '\u{309a}',
        c => c,
    }
}
