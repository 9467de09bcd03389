//! The words of a text of which a topic consists. Chinese and Japanese set no spaces: there they are what stands between words
//! of grammar.

use std::borrow::Cow;

use crate::letters::{contents, is_han, is_part_of_word};
use crate::memory::keywords;

/// Signs of Chinese that are one word for sure; what is longer are several, of which each two neighbours may be one.
const MOST_HAN: usize = 3;

/// The words of a text that may say what it is about.
pub(in crate::replay) fn content(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    keywords(text).flat_map(|word| {
        let (one, several) = if word.chars().any(is_chinese_or_kana) {
            let mut parts = Vec::new();
            each_part(&word, |part| {
                each_word(part, |word| parts.push(Cow::Owned(word.to_owned())));
            });
            (None, parts)
        } else {
            (Some(word), Vec::new())
        };
        one.into_iter().chain(several)
    })
}

/// What stands between words of grammar in a text and holds a word of it, if that is written without spaces.
pub(in crate::replay) fn around(text: &str, word: &str) -> Option<String> {
    const LONGEST: usize = 8;
    if !word.chars().any(is_chinese_or_kana) {
        return None;
    }
    let mut found = None;
    each_part(text, |part| {
        if found.is_none() && part.contains(word) && part.chars().count() <= LONGEST {
            found = Some(part.to_owned());
        }
    });
    found
}

/// The parts of a text of one script each, without words of grammar.
fn each_part(text: &str, mut found: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_unspaced = is_chinese_or_kana(first);
        let goes_on = |sign: char| {
            is_chinese_or_kana(sign) == is_unspaced
                && is_part_of_word(sign) == is_part_of_word(first)
        };
        let (run, behind) = rest.split_at(rest.find(|sign| !goes_on(sign)).unwrap_or(rest.len()));
        rest = behind;
        if is_unspaced {
            contents(run).for_each(&mut found);
        } else if is_part_of_word(first) {
            keywords(run).for_each(|word| found(&word));
        }
    }
}

/// The words of a part, of a long one in Chinese signs each two that stand side by side.
fn each_word(part: &str, mut found: impl FnMut(&str)) {
    let ends: Vec<usize> = part.char_indices().map(|(at, _)| at).chain([part.len()]).collect();
    if ends.len() <= MOST_HAN + 1 || !part.chars().all(is_han) {
        return found(part);
    }
    for pair in ends.windows(3) {
        found(&part[pair[0]..pair[2]]);
    }
}

fn is_chinese_or_kana(sign: char) -> bool {
    is_han(sign) || matches!(sign, '\u{3040}'..='\u{30ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_chinese_and_japanese_are_what_stands_between_grammar() {
        let words = |text: &str| -> Vec<String> { content(text).map(Cow::into_owned).collect() };
        assert_eq!(words("The parser's tokens"), ["parser's", "tokens"]);
        assert_eq!(words("ロゴの色をSQLiteに"), ["ロゴ", "sqlite"]);
        assert_eq!(words("我们的预算"), ["预算"]);
        assert_eq!(words("数据库迁移"), ["数据", "据库", "库迁", "迁移"]);
        assert_eq!(around("我们的数据库迁移", "据库").as_deref(), Some("数据库迁移"));
        assert_eq!(around("the parser", "parser"), None);
    }
}
