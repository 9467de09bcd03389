//! Letters without case and accents.

use std::sync::LazyLock;

use super::compose::{COMPOSED, pairs};

/// Letters beyond these that are compared as another one, each behind it.
const LIKE: &str = "dđdðlłoøiıhħtŧσςكکيیيىهةهۀهہاأاإاآاٱ";

/// Where letters with accents stand: those of Latin, Greek and Cyrillic, of Arabic, and further ones of Latin.
const STRETCHES: [(u32, u32); 3] = [(0xc0, 0x530), (0x621, 0x6d3), (0x1e00, 0x1f00)];

/// Each letter of the stretches as it is compared.
static BASES: LazyLock<[Box<[char]>; 3]> = LazyLock::new(|| {
    let itself = |code| char::from_u32(code).unwrap_or_default();
    let mut bases = STRETCHES.map(|(first, end)| (first..end).map(itself).collect::<Box<[char]>>());
    let all = || COMPOSED.iter().map(|(_, joins)| *joins).chain([LIKE]).flat_map(pairs);
    // What has two accents loses one after the other.
    for _ in 0..3 {
        for (letter, both) in all() {
            let base = base_in(&bases, letter);
            if let Some((nth, at)) = place(both) {
                bases[nth][at] = base;
            }
        }
    }
    bases
});

fn place(c: char) -> Option<(usize, usize)> {
    let at = |(first, end): (u32, u32)| {
        (first..end).contains(&u32::from(c)).then(|| (u32::from(c) - first) as usize)
    };
    STRETCHES.into_iter().enumerate().find_map(|(nth, stretch)| Some((nth, at(stretch)?)))
}

fn base_in(bases: &[Box<[char]>; 3], c: char) -> char {
    place(c).map_or(c, |(nth, at)| bases[nth][at])
}

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
        match c {
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
            c => word.push(base_in(&BASES, c)),
        }
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
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }
}
