//! Letters of all scripts: which characters make a word, which spellings are the same, and which scripts set no spaces.

mod endings;
mod fold;
mod grams;
mod marks;
mod narrow;
mod pieces;
mod telling;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

pub use endings::{is_turkish, without_endings};
pub use fold::{fold, without_case};
pub use grams::each_word;
use marks::is_mark;
pub use pieces::{Piece, each_piece, each_piece_of, is_part};
pub use telling::{Telling, contents, count_telling, telling, telling_in};

/// Whether a character is part of a word: a letter, a digit, or a mark that belongs to one, such as a vowel sign, a tone
/// mark or an accent that stands by itself.
pub fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || !c.is_ascii() && is_mark(c)
}

/// A text with each letter and its marks as one character where there is one (Unicode's form NFC): `é` of `e` and an accent,
/// `が`, `한`. The same text otherwise.
pub fn composed(text: &str) -> Cow<'_, str> {
    if is_composed(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(joined(text.chars()))
}

/// A [`composed`] text with each letter and digit in its usual width, each digit in its usual form: `123` of `１２３` and of
/// `١٢٣`.
pub fn usual(text: &str) -> Cow<'_, str> {
    // Most texts are of ASCII, which their bytes tell at once.
    if text.is_ascii() || is_composed(text) && text.chars().all(|c| narrow::usual(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(joined(text.chars().map(narrow::usual)))
}

fn joined(chars: impl Iterator<Item = char>) -> String {
    let joined: String = chars.nfc().collect();
    // What lower case makes of the Turkish `İ`, for which there is no one character.
    joined.replace("i\u{307}", "i")
}

fn is_composed(text: &str) -> bool {
    text.is_ascii()
        || text.chars().all(stands_alone)
        || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

/// Whether a character, one of those that most texts are of, is certain to be one with none before it.
fn stands_alone(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | 'А'..='я' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='\u{9fff}' | '가'..='힣')
}

/// A character in its usual width, a digit in its usual form.
pub fn usual_sign(c: char) -> char {
    narrow::usual(c)
}

/// Whether a script sets no spaces between words: Han, Kana, Thai, Lao, Burmese, Khmer. And Hangul, where what says
/// something stands in one word with the particles behind it.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '々' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3134f}')
        || is_hangul(c)
}

/// Whether it is a Han character, which says something by itself.
pub fn is_han(c: char) -> bool {
    matches!(c, '々' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Whether it is a syllable of Hangul.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_their_marks_make_a_word_and_signs_do_not() {
        for word in
            ["café", "cafe\u{301}", "ป้า", "प्रोजेक्ट", "ที่บ้าน", "مُدَرِّس", "が", "か\u{3099}", "v2"]
        {
            assert!(word.chars().all(is_part_of_word), "{word}");
        }
        for sign in " -_.'’।、。💧\u{fe0f}\u{20e3}\u{200d}".chars() {
            assert!(!is_part_of_word(sign), "{sign:?}");
        }
    }

    #[test]
    fn spellings_of_one_letter_are_one() {
        for (one, other) in [
            ("café", "cafe\u{301}"),
            ("CAFÉ", "CAFE\u{301}"),
            ("ệ", "e\u{323}\u{302}"),
            ("が", "か\u{3099}"),
            ("ぱ", "は\u{309a}"),
            ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
            ("가", "\u{1100}\u{1161}"),
            ("क\u{93c}", "\u{958}"),
            ("й", "и\u{306}"),
            ("Å", "\u{212b}"),
            ("istanbul", "i\u{307}stanbul"),
            ("q\u{323}\u{307}", "q\u{307}\u{323}"),
        ] {
            assert_eq!(composed(one), composed(other), "{one}");
        }
        for same in ["", "plain", "ป้า", "प्रोजेक्ट", "\u{301}", "x\u{301}", "💧", "Ａ１"]
        {
            assert_eq!(composed(same), same);
        }
    }

    #[test]
    fn widths_and_forms_of_digits_are_one() {
        for (one, other) in [
            ("１２３ Ａｂ", "123 Ab"),
            ("ﾊﾞｯｸｱｯﾌﾟ", "バックアップ"),
            ("٢٥٠ ۴ ४ ๔", "250 4 4 4"),
            ("ﾊﾟ。｡", "パ。。"),
        ] {
            assert_eq!(usual(one), other);
        }
    }
}
