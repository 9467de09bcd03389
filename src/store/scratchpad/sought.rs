//! What a search looks for in a text: the words of a query, and how well a text matches.

use std::collections::HashMap;

use crate::letters::{self, Piece, is_unspaced};
use crate::memory::{keywords, stem, word_parts};

/// A word of a query.
pub(super) struct Sought {
    stem: String,
    /// As it is, if it is none of a text's salient words: signs stand within it, as in `nginx.conf`, or it is as short as
    /// `42`.
    whole: Option<String>,
    /// The terms of one that has other letters than those of ASCII.
    terms: Vec<String>,
}

impl Sought {
    pub(super) fn new(word: &str) -> Self {
        let has_signs = word.contains(|c: char| !c.is_alphanumeric());
        let is_salient = !has_signs && keywords(word).next().is_some();
        let mut terms = Vec::new();
        if word.contains(is_other) {
            each_term(word, |term| terms.push(term.to_owned()));
        }
        let whole = (!is_salient && terms.is_empty()).then(|| word.to_owned());
        Self { stem: stem(word), whole, terms }
    }

    /// How often it stands among the terms of a text; in a script without spaces, how often most of it stands there.
    fn among(&self, terms: &HashMap<String, u32>) -> u32 {
        let counts = self.terms.iter().filter_map(|term| terms.get(term));
        let (held, least) =
            counts.fold((0, u32::MAX), |(held, least), count| (held + 1, least.min(*count)));
        if held > 0 && 2 * held >= self.terms.len() { least } else { 0 }
    }
}

fn is_other(c: char) -> bool {
    !c.is_ascii() && c != '’'
}

/// The terms of a text by which words of other letters are compared: without case, accents and endings, and in scripts without
/// spaces each two neighbouring characters.
fn each_term(text: &str, mut found: impl FnMut(&str)) {
    letters::each_piece(text, |piece, _| {
        match piece {
            Piece::Characters(one) => found(one),
            Piece::Word(word) if word.is_ascii() => found(&stem(word)),
            Piece::Word(word) => found(letters::without_endings(word)),
        }
        true
    });
}

/// How often each term stands in a text.
fn terms_of(text: &str) -> HashMap<String, u32> {
    let mut terms: HashMap<String, u32> = HashMap::new();
    each_term(text, |term| match terms.get_mut(term) {
        Some(count) => *count += 1,
        None => _ = terms.insert(term.to_owned(), 1),
    });
    terms
}

/// The share of the query's words that a chunk holds; a word twice counts a little more. What stands behind a sign is a
/// word as well: in `error=timeout` and `"retries":3`.
pub(super) fn score(text: &str, words: &[Sought]) -> f64 {
    let mut counts = vec![0_u32; words.len()];
    for part in word_parts(text) {
        let stemmed = stem(&part);
        let trimmed = part.trim_end_matches('s');
        for (count, wanted) in counts.iter_mut().zip(words) {
            *count += u32::from(stemmed == wanted.stem || trimmed == wanted.stem);
        }
    }
    if words.iter().any(|word| word.whole.is_some()) {
        let lower = text.to_lowercase();
        for (count, wanted) in counts.iter_mut().zip(words) {
            *count += wanted.whole.as_ref().map_or(0, |whole| whole_words(&lower, whole));
        }
    }
    if words.iter().any(|word| !word.terms.is_empty()) {
        let terms = terms_of(text);
        for (count, wanted) in counts.iter_mut().zip(words) {
            *count += wanted.among(&terms);
        }
    }
    let of = |count: &u32| match count {
        0 => 0.0,
        count => 1.0 + f64::from((*count).min(5)) * 0.1,
    };
    counts.iter().map(of).sum::<f64>() / words.len().max(1) as f64
}

/// How often something, or more than one of it, stands in a text with no letter or digit right before or behind it.
fn whole_words(text: &str, word: &str) -> u32 {
    let is_apart = |at: &usize| {
        let (before, behind) = (&text[..*at], &text[at + word.len()..]);
        let behind = behind.strip_prefix('s').unwrap_or(behind);
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
    };
    text.match_indices(word).map(|(at, _)| at).filter(is_apart).count() as u32
}

/// The line with most of the words, at most 200 characters; of a longer one in a script without spaces the sentence with most
/// of them and what is behind it.
pub(super) fn snippet(text: &str, words: &[Sought]) -> String {
    const MOST: usize = 200;
    let score_of = |part: &&str| score(part, words);
    let best = text.lines().max_by(|a, b| score_of(a).total_cmp(&score_of(b)));
    let mut best = best.unwrap_or_default().trim();
    if best.contains(is_unspaced) && best.chars().nth(MOST).is_some() {
        let ends = best.match_indices(['。', '！', '？', ' ']).map(|(at, end)| at + end.len());
        let starts = std::iter::once(0).chain(ends.filter(|at| *at < best.len()));
        let of = |start: &usize| {
            let rest = &best[*start..];
            score(&rest[..rest.find(['。', '！', '？', ' ']).unwrap_or(rest.len())], words)
        };
        let better =
            |one: (usize, f64), other: (usize, f64)| if other.1 > one.1 { other } else { one };
        let start = starts.map(|start| (start, of(&start))).reduce(better);
        best = &best[start.map_or(0, |(start, _)| start)..];
    }
    best.chars().take(MOST).collect()
}
