//! Words of a question that were never said, and stand one slip of the fingers away from one that was.

use std::sync::Arc;

use super::Index;
use super::query::Term;
use super::related::{Kin, related};
use crate::recall::forms;

/// Letters of a word at least: of shorter ones too many others are one letter away.
const LEAST_LETTERS: usize = 5;

/// Words of a question that are looked for in this way: who mistypes more is not understood by people either.
const MOST: usize = 2;

/// Where so many of the telling words of a question were said, these tell what it is about.
const ENOUGH: usize = 2;

impl Index {
    /// Lets the word that was said most of those one slip away stand for a telling one that never was.
    pub(super) fn take_misspelt(&self, terms: &mut [Term]) {
        let is_telling = |term: &&Term| term.is_telling();
        let known = terms.iter().filter(is_telling).filter(|term| term.passages > 0).count();
        if known >= ENOUGH {
            return;
        }
        let never_said = terms.iter_mut().enumerate().filter(|(_, term)| {
            // Whoever writes a capital means just that name.
            let is_name = term.word.starts_with(char::is_uppercase);
            term.is_telling() && term.passages == 0 && !is_name && !is_word(&term.text)
        });
        for (at, term) in never_said.take(MOST) {
            if let Some((said, passages)) = self.one_slip_from(&bare(&term.word)) {
                let word = Arc::clone(&term.word);
                *term = Term { word, passages, is_asked: true, ..self.term(&said, at, 1.0) };
            }
        }
    }

    /// The term said most whose word is one slip from another one, and in how many passages it stands: two letters are
    /// exchanged, one is missing, one too many, or a key beside the right one was hit. The first letter is hardly ever mistyped, and
    /// with another end a word is mostly another word.
    fn one_slip_from(&self, word: &str) -> Option<(String, u32)> {
        if word.len() < LEAST_LETTERS || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let mut best: Option<(String, u32)> = None;
        each_slip(word.as_bytes(), |slip| {
            let term = forms::form(slip);
            let passages = self.count(&term);
            if passages > best.as_ref().map_or(0, |(_, most)| *most) {
                best = Some((term, passages));
            }
        });
        best
    }
}

/// Whether a term is known as one of a word, which is no slip: who speaks of a charge does not mean a change.
fn is_word(term: &str) -> bool {
    [Kin::Close, Kin::Wide].into_iter().any(|kin| related(term, kin).next().is_some())
}

/// A word without case, and without what stands behind a name of something that is somebody's.
fn bare(word: &str) -> String {
    let word = word.to_lowercase();
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(&word).to_owned()
}

/// Tells each word that is one slip away from another one of plain letters.
fn each_slip(word: &[u8], mut tell: impl FnMut(&str)) {
    let mut tell = |slip: &[u8]| {
        if let Ok(slip) = std::str::from_utf8(slip) {
            tell(slip);
        }
    };
    for at in 1..word.len() {
        if let Some(next) = word.get(at + 1).filter(|next| **next != word[at]) {
            tell(&[&word[..at], &[*next, word[at]], &word[at + 2..]].concat());
        }
        if at + 1 < word.len() {
            tell(&[&word[..at], &word[at + 1..]].concat());
        }
        for letter in b'a'..=b'z' {
            tell(&[&word[..at], &[letter], &word[at..]].concat());
            if at + 1 < word.len() && are_beside(letter, word[at]) {
                tell(&[&word[..at], &[letter], &word[at + 1..]].concat());
            }
        }
    }
}

/// Whether the keys of two letters stand side by side.
fn are_beside(one: u8, other: u8) -> bool {
    /// The rows of keys; each stands half a key to the right of the one above.
    const ROWS: [&[u8]; 3] = [b"qwertyuiop", b"asdfghjkl", b"zxcvbnm"];
    let place = |letter| {
        let mut rows = ROWS.iter().enumerate();
        rows.find_map(|(row, keys)| Some((row, keys.iter().position(|key| *key == letter)?)))
    };
    let (Some((above, left)), Some((below, right))) = (place(one), place(other)) else {
        return false;
    };
    match below.abs_diff(above) {
        0 => left.abs_diff(right) == 1,
        1 if above < below => left == right || left == right + 1,
        1 => right == left || right == left + 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_side_by_side_are_told() {
        for two in ["we", "ui", "ds", "gt", "gy", "hb", "hn", "hj"] {
            let [one, other] = [0, 1].map(|at| two.as_bytes()[at]);
            assert!(are_beside(one, other) && are_beside(other, one), "{two}");
        }
        assert!(
            ![(b'r', b'n'), (b'a', b'e'), (b'g', b'u'), (b'h', b'm')]
                .into_iter()
                .any(|(one, other)| are_beside(one, other))
        );
    }

    #[test]
    fn each_slip_is_told() {
        let mut slips = Vec::new();
        each_slip(b"pary", |slip| slips.push(slip.to_owned()));
        for slip in ["pray", "ary", "party", "parya", "paty", "pay", "pqry", "perya", "pary"] {
            let is_one = !["ary", "parya", "perya", "pary"].contains(&slip);
            assert_eq!(slips.iter().any(|one| one == slip), is_one, "{slip}");
        }
    }
}
