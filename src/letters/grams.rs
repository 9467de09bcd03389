//! A text as the words that say something, for whoever compares few texts and keeps no index.

use super::{Piece, Telling, each_piece, is_unspaced, telling, usual, without_endings};

/// Characters of which one or the other group may be a word, with marks.
const MOST: usize = 7;

/// Tells the words of a text without case, accents and endings, and of scripts without spaces as many neighbouring characters
/// as may be a word, each place once.
pub fn each_word(text: &str, mut found: impl FnMut(&str)) {
    each_piece(text, |piece, _| {
        if let Piece::Word(word) = piece {
            found(without_endings(word));
        }
        true
    });
    if text.is_ascii() {
        return;
    }
    for run in usual(text).split(|c| !is_unspaced(c)) {
        let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        // Two characters of Thai say nothing, and one or two of Kana are grammar.
        for characters in 2..=MOST {
            for ends in ends.windows(characters + 1) {
                let gram = &run[ends[0]..ends[characters]];
                let is_shorter = |part: &str| telling(part) == Telling::Much;
                let shorter =
                    [&run[ends[0]..ends[characters - 1]], &run[ends[1]..ends[characters]]];
                if telling(gram) == Telling::Much && !shorter.into_iter().any(is_shorter) {
                    found(gram);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_and_what_may_be_one() {
        let words = |text: &str| {
            let mut words = Vec::new();
            each_word(text, |word| words.push(word.to_owned()));
            words
        };
        assert_eq!(words("The Token"), ["the", "token"]);
        assert_eq!(words("Токены"), words("токен"));
        assert_eq!(words("ロゴですか"), ["ロゴ"]);
        assert_eq!(words("りんごの"), ["りんご"]);
        assert_eq!(words("กระเบื้อง"), ["กระเ", "ระเบ", "ะเบื้อ", "เบื้อง"]);
    }
}
