//! What of a text is told: the part where some words stand, if it tells anything.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::asking::SIGNS;
use super::terms;
use crate::{chunk, escapes};

/// Parts of an excerpt between which it may begin or end.
const PARTS: usize = 4;

/// Whether what was said, a line for each message, says anything beside questions.
pub fn tells(said: &str) -> bool {
    /// What says this much is no mere "I see".
    const LEAST: usize = 2;
    const SHORT: [&str; 4] = ["yes", "no", "ja", "nein"];
    let mut terms = 0;
    let parts = said.lines().flat_map(|line| {
        let text = line.split_once(": ").map_or(line, |(_, text)| text);
        text.split_inclusive(['.', '!', '?', '？', '؟', '。'])
    });
    let mut told = parts.filter(|part| !part.ends_with(SIGNS));
    told.any(|part| {
        let mut words = part.split(|c: char| !c.is_alphanumeric());
        terms += terms::count_to(LEAST, part);
        terms >= LEAST
            || has_large_figure(part)
            || words.any(|word| SHORT.iter().any(|short| word.eq_ignore_ascii_case(short)))
    })
}

/// Whether a number in groups stands in a text: `3,771`.
fn has_large_figure(text: &str) -> bool {
    let is_one = |three: &[u8]| matches!(three, [before, b',' | b'.', behind] if before.is_ascii_digit() && behind.is_ascii_digit());
    text.as_bytes().windows(3).any(is_one)
}

/// A part of a text of at most so many bytes, where most of some words stand; whole if it is short enough. Cut at
/// lines, sentences and words. What steers a terminal is left out.
pub fn excerpt(text: &str, words: &[Arc<str>], most: usize) -> String {
    let text = &*escapes::without(text);
    if text.len() <= most {
        return text.to_owned();
    }
    // Without letters beyond ASCII it is as long in lower case.
    let lower = text.is_ascii().then(|| text.to_ascii_lowercase());
    let words = words.iter().map(|word| Wanted::new(word)).enumerate();
    let may_stand = |word: &Wanted| lower.as_ref().is_none_or(|lower| word.may_stand_in(lower));
    let words: Vec<(usize, Wanted)> = words.filter(|(_, word)| may_stand(word)).collect();
    let Range { start, end } = if words.is_empty() {
        beginning(text, most)
    } else {
        best_part(text, lower.as_deref(), &words, most)
    };
    let before = if start > 0 { "… " } else { "" };
    let after = if end < text.len() { " …" } else { "" };
    format!("{before}{}{after}", text[start..end].trim())
}

/// So much of the beginning of a text, which is longer.
fn beginning(text: &str, most: usize) -> Range<usize> {
    let mut ends = chunk::ranges(text, most / PARTS).map(|piece| piece.end);
    let first = ends.next().unwrap_or(text.len());
    0..ends.take_while(|end| *end <= most).last().unwrap_or(first)
}

/// The part of a text in which most of some words stand, each with its place among all that are wanted: the first ones count
/// most.
fn best_part(
    text: &str,
    lower: Option<&str>,
    words: &[(usize, Wanted)],
    most: usize,
) -> Range<usize> {
    let pieces: Vec<Range<usize>> = chunk::ranges(text, most / PARTS).collect();
    let weight = |place: &Range<usize>| -> f64 {
        let piece = Piece::new(&text[place.clone()], lower.map(|lower| &lower[place.clone()]));
        let held = words.iter().filter(|(_, word)| word.stands_in(&piece));
        held.map(|(nth, _)| 1.0 / (*nth as f64 + 1.0)).sum()
    };
    let weights: Vec<f64> = pieces.iter().map(weight).collect();
    let mut best = (0..1, -1.0);
    for first in 0..pieces.len() {
        let fits = |last: &usize| pieces[*last].end - pieces[first].start <= most;
        let last = (first..pieces.len()).take_while(fits).last().unwrap_or(first);
        let sum: f64 = weights[first..=last].iter().sum();
        if sum > best.1 {
            best = (first..last + 1, sum);
        }
    }
    pieces[best.0.start].start..pieces[best.0.end - 1].end
}

/// A word that is to stand in an excerpt.
struct Wanted {
    lower: String,
    /// The terms of one in other letters than those of ASCII: a text may have it in another form.
    terms: Vec<String>,
}

impl Wanted {
    fn new(word: &str) -> Self {
        let terms = if word.is_ascii() { Vec::new() } else { terms::terms(word) };
        Self { lower: word.to_lowercase(), terms }
    }

    /// Whether it may stand in a part of a text in lower case.
    fn may_stand_in(&self, lower: &str) -> bool {
        !self.terms.is_empty() || lower.contains(&*self.lower)
    }

    fn stands_in(&self, piece: &Piece) -> bool {
        let has_terms = || self.terms.iter().all(|term| piece.terms().contains(term));
        piece.lower.contains(&*self.lower) || !self.terms.is_empty() && has_terms()
    }
}

/// A part of a text of which it is asked what stands in it.
struct Piece<'a> {
    text: &'a str,
    lower: Cow<'a, str>,
    terms: OnceCell<HashSet<String>>,
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, lower: Option<&'a str>) -> Self {
        let lower = lower.map_or_else(|| text.to_lowercase().into(), Cow::Borrowed);
        Self { text, lower, terms: OnceCell::new() }
    }

    fn terms(&self) -> &HashSet<String> {
        self.terms.get_or_init(|| terms::terms(self.text).into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_stands_around_the_words() {
        let text = format!(
            "{} The clock was 94 seconds behind. {}",
            "Much talk. ".repeat(90),
            "More talk. ".repeat(90)
        );
        let found = excerpt(&text, &["clock".into(), "talk".into()], 300);
        assert!(found.contains("94 seconds") && found.len() < 320, "{found}");
        assert!(found.starts_with("… ") && found.ends_with(" …"));
        assert_eq!(excerpt("\u{1b}[1mshort\u{1b}[0m", &[], 300), "short");
        let nothing = excerpt(&"数据库".repeat(200), &[], 300);
        assert!(nothing.len() <= 310);
    }

    #[test]
    fn an_excerpt_stands_around_a_word_in_whatever_form_a_text_has_it() {
        for (talk, told, word) in [
            ("Мы долго говорили о кухне. ", "Ключ лежит под горшком. ", "горшку"),
            ("台所のタイルは灰色です。", "か\u{3099}そく計は7番です。", "がそく"),
            ("我们谈了很久。", "小屋的密码是4471。", "密码"),
            ("تحدثنا طويلا. ", "المفتاح تحت الأصيص. ", "أصيص"),
        ] {
            let text = format!("{}{told}{}", talk.repeat(60), talk.repeat(60));
            let found = excerpt(&text, &[word.into()], 300);
            assert!(found.contains(told.trim()), "{word}: {found}");
        }
    }

    #[test]
    fn what_only_asks_tells_nothing() {
        assert!(!tells("user: Which oil does my car take?\nassistant: I see.\nuser: And when?"));
        for said in [
            "user: Which oil does my car take?\nassistant: 5W-30.",
            "user: Is it chrony? I found chrony off.",
            "user: Was it late?\nassistant: Yes.",
            "油はどれですか？5W-30です。",
        ] {
            assert!(tells(said), "{said}");
        }
    }
}
