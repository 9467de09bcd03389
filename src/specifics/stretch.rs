//! Stretches of a message, searched for patterns that hold no line break.

use std::ops::Range;

use super::automaton::{Automaton, Groups, Match};
use super::pattern::Pattern;

/// Some places in a text, or all of it.
pub(super) struct Stretches<'t> {
    text: &'t str,
    stretches: Vec<Stretch>,
}

/// A place that is searched in one go.
struct Stretch {
    place: Range<usize>,
    /// Whether no letter or digit in it is beyond ASCII.
    plain: bool,
}

impl<'t> Stretches<'t> {
    /// All of a text.
    pub(super) fn of(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self { text, stretches: vec![Stretch { place: 0..text.len(), plain: true }] };
        }
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let (place, plain) = (at..at + line.len(), line.chars().all(is_plain));
            at = place.end;
            match stretches.last_mut().filter(|last| last.plain && plain) {
                Some(last) => last.place.end = at,
                None => stretches.push(Stretch { place, plain }),
            }
        }
        Self { text, stretches }
    }

    /// Some places of a text, which begin and end beside white space.
    pub(super) fn at(text: &'t str, places: impl Iterator<Item = Range<usize>>) -> Self {
        let stretch = |place: Range<usize>| {
            let part = &text[place.clone()];
            Stretch { place, plain: part.is_ascii() || part.chars().all(is_plain) }
        };
        Self { text, stretches: places.map(stretch).collect() }
    }

    /// Those of the lines in which a pattern matches, and perhaps some others.
    pub(super) fn with(&self, pattern: &Pattern) -> Self {
        let mut stretches = Vec::new();
        for Stretch { place, plain } in &self.stretches {
            let form = if *plain { pattern.plain() } else { pattern.loose() };
            let Some(form) = form else { continue };
            let mut at = place.start;
            while let Some(end) = form.certain_at(&self.text[..place.end], at) {
                let line = self.line_of(end - 1, at..place.end);
                at = line.end;
                stretches.push(Stretch { place: line, plain: *plain });
            }
        }
        Self { text: self.text, stretches }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Whether a part of one of them is in a place.
    pub(super) fn meet(&self, place: &Range<usize>) -> bool {
        let next = self.stretches.partition_point(|stretch| stretch.place.end <= place.start);
        self.stretches.get(next).is_some_and(|stretch| stretch.place.start < place.end)
    }

    /// All matches of a pattern, from left to right, none inside another.
    pub(super) fn all(&self, pattern: &'static Pattern) -> Vec<Match<'t>> {
        self.each(pattern, Automaton::find_at, Match::end)
    }

    /// All matches with their groups.
    pub(super) fn groups(&self, pattern: &'static Pattern) -> Vec<Groups<'t>> {
        self.each(pattern, Automaton::groups_at, |groups| groups.whole().end())
    }

    fn each<T>(
        &self,
        pattern: &'static Pattern,
        find: for<'r> fn(&'r Automaton, &'t str, usize) -> Option<T>,
        end: fn(&T) -> usize,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for Stretch { place, plain } in &self.stretches {
            let loose =
                || pattern.loose().is_some_and(|form| form.is_in(&self.text[place.clone()]));
            let form = if *plain { pattern.plain() } else { pattern.whole().filter(|_| loose()) };
            let Some(form) = form else { continue };
            let mut at = place.start;
            while let Some(one) = find(form, &self.text[..place.end], at) {
                at = end(&one);
                found.push(one);
            }
        }
        found
    }

    /// The line around a place, as far as it lies within others.
    fn line_of(&self, at: usize, within: Range<usize>) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let start = bytes[within.start..at].iter().rposition(|&byte| byte == b'\n');
        let end = bytes[at..within.end].iter().position(|&byte| byte == b'\n');
        start.map_or(within.start, |before| within.start + before + 1)
            ..end.map_or(within.end, |rest| at + rest + 1)
    }
}

/// Whether a sign is of ASCII, or beyond it and surely no part of a word: punctuation, money, arrows, pictures.
fn is_plain(sign: char) -> bool {
    matches!(sign,
        '\0'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}' | '×' | '÷'
        | '\u{2000}'..='\u{200b}' | '\u{2010}'..='\u{203e}' | '\u{20a0}'..='\u{20bf}' | '\u{2190}'..='\u{23ff}'
        | '\u{2500}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_are_plain_are_no_parts_of_words() {
        let word = regex_automata::meta::Regex::new(r"\w").unwrap();
        let beyond = |sign: &char| !sign.is_ascii() && is_plain(*sign);
        for sign in ('\0'..=char::MAX).filter(beyond) {
            assert!(!word.is_match(&*sign.encode_utf8(&mut [0; 4])), "{sign:?}");
        }
    }
}
