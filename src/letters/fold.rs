//! Letters without case and accents.

use unicode_normalization::char::decompose_canonical;

/// A character in lower case, where that is one: `i` of the Turkish `İ`, which is two otherwise.
pub fn without_case(c: char) -> impl Iterator<Item = char> {
    let c = if c == 'İ' { 'i' } else { c };
    c.to_lowercase()
}

/// Puts a character without case and accent behind others.
pub fn fold(c: char, word: &mut String) {
    /// Nasal letters of Devanagari: before another consonant a dot may stand for each of them.
    const NASALS: [char; 5] = ['ङ', 'ञ', 'ण', 'न', 'म'];
    if c.is_ascii() {
        return word.push(c.to_ascii_lowercase());
    }
    for c in without_case(c) {
        match without_accent(c) {
            'ß' => word.push_str("ss"),
            'æ' => word.push_str("ae"),
            'œ' => word.push_str("oe"),
            // Accents and vowel signs that stand by themselves, the stretching sign, and the dot below.
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{655}' | '\u{670}' | '\u{640}' | '\u{93c}' => {}
            'ँ' => word.push('ं'),
            '\u{94d}' if word.ends_with(NASALS) => {
                word.pop();
                word.push('ं');
            }
            c => word.push(like(c)),
        }
    }
}

/// The letter of Latin, Greek, Cyrillic or Arabic that one with accents is made of; letters of other scripts are others with
/// their marks.
fn without_accent(c: char) -> char {
    let mut letter = None;
    if matches!(c, '\u{c0}'..='\u{52f}' | '\u{621}'..='\u{6d3}' | '\u{1e00}'..='\u{1fff}') {
        decompose_canonical(c, |part| letter = letter.or(Some(part)));
    }
    letter.unwrap_or(c)
}

/// The letter as which one is compared that is made of no other.
fn like(c: char) -> char {
    match c {
        'đ' | 'ð' => 'd',
        'ł' => 'l',
        'ø' => 'o',
        'ı' => 'i',
        'ħ' => 'h',
        'ŧ' => 't',
        'ς' => 'σ',
        'ک' => 'ك',
        'ی' | 'ى' => 'ي',
        'ة' | 'ہ' | 'ە' => 'ه',
        'ٱ' => 'ا',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut folded = String::new();
        word.chars().for_each(|c| fold(c, &mut folded));
        folded
    }

    #[test]
    fn letters_lose_case_and_accents() {
        for (word, expected) in [
            ("Größe", "grosse"),
            ("Łódź", "lodz"),
            ("ĄĘ", "ae"),
            ("IŞIK ışık ğ", "isik isik g"),
            ("İSTANBUL", "istanbul"),
            ("őű", "ou"),
            ("Điện thoại", "dien thoai"),
            ("Ấ", "a"),
            ("ΆΣ ός", "ασ οσ"),
            ("Ёлка йод", "елка иод"),
            ("می‌ک", "مي‌ك"),
            ("آ أ ة", "ا ا ه"),
            ("हिंदी", "हिंदी"),
            ("हिन्दी", "हिंदी"),
            ("ज़", "ज"),
            ("ﬁ Ǿ ﷲ", "ﬁ o ﷲ"),
            ("مسؤول شيء بئر", "مسوول شيء بير"),
            ("가 が", "가 が"),
            ("ᾳ ῆ", "α η"),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }
}
