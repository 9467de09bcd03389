//! Passwords in Chinese, Japanese and Korean sentences, whose words no space parts: `パスワードは hunter2 です`.

use std::ops::Range;

use super::HOW;
use crate::specifics::secret::value::{has_both, stands_for_one};

/// What a password is called.
const NOUNS: [&str; 8] =
    ["パスワード", "暗証番号", "合言葉", "密码", "密碼", "口令", "비밀번호", "암호"];

/// What links that to it.
const LINKS: [&str; 13] =
    ["は", "が", "：", ":", "=", "是", "为", "為", "는", "은", "가", "이", "를"];

/// Marks in front of it.
const OPEN: [char; 7] = ['「', '『', '“', '"', '\'', '`', ' '];

/// The shortest one.
const SHORTEST: usize = 4;

/// Adds the password that is said behind a word that begins at a place of a text, up to the end of the line.
pub(in crate::specifics::secret) fn find(
    text: &str,
    word: Range<usize>,
    line_end: usize,
    found: &mut Vec<Range<usize>>,
) {
    if text[word.clone()].is_ascii() {
        return;
    }
    for noun in NOUNS {
        let Some(at) = text[word.clone()].find(noun) else { continue };
        let rest = text[word.start + at + noun.len()..line_end].trim_start_matches(' ');
        let Some(rest) = LINKS.iter().find_map(|link| rest.strip_prefix(link)) else { continue };
        let rest = rest.trim_start_matches(OPEN);
        let end = rest.find(|c: char| !c.is_ascii_graphic() || matches!(c, '"' | '\'' | '`'));
        let value =
            rest[..end.unwrap_or(rest.len())].trim_end_matches(['.', ',', ';', ')', '!', '?']);
        let lower = value.to_ascii_lowercase();
        let is_how = HOW.iter().any(|how| lower.starts_with(how));
        if value.len() >= SHORTEST && has_both(value) && !is_how && !stands_for_one(value) {
            let start = line_end - rest.len();
            found.push(start..start + value.len());
        }
    }
}
