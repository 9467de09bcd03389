//! Stretches of a message, searched for patterns that hold no line break.

use std::borrow::Cow;
use std::ops::Range;

use regex_automata::{Anchored, Input};

use super::automaton::{Automaton, Groups, Match};
use super::forward::Forward;
use super::pattern::Pattern;
use crate::letters;

/// With a longer word, in bytes, matches are not looked for from each place where one may begin: should they all go on to its
/// end, this would take as much longer as it is long. Beyond a word no pattern goes on without end unless a sign that such
/// matches begin with stops it.
const LONGEST: usize = 300;

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

    /// All of a text, in one go.
    pub(super) fn once(text: &'t str) -> Self {
        Self::at(text, std::iter::once(0..text.len()))
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
            let mut search = form.search();
            let mut at = place.start;
            while let Some(end) = search.certain_in(self.text, at..place.end) {
                let line = self.line_of(end - 1, at..place.end);
                at = line.end;
                stretches.push(Stretch { place: line, plain: *plain });
            }
        }
        Self { text: self.text, stretches }
    }

    /// What stands around the matches of a pattern, which are shorter than `most` bytes but for the word that each ends
    /// with, and perhaps around some other places. Whatever matches anywhere does so there, too, if that matches only where
    /// the pattern does.
    pub(super) fn near(&self, pattern: &Pattern, most: usize) -> Self {
        let mut near: Vec<Stretch> = Vec::new();
        for stretch in &self.stretches {
            let first = near.len();
            for end in self.ends_in(stretch, pattern) {
                let known = near[first..].last().map(|last| last.place.end);
                if known.is_some_and(|known| known >= (end + most).min(stretch.place.end)) {
                    continue;
                }
                // No text is looked through twice, however long its words are.
                let floor = known.unwrap_or(stretch.place.start);
                let start = self.space_before(end.saturating_sub(most), floor);
                let end = self.space_behind(end + most, stretch.place.end);
                match near.last_mut().filter(|_| known == Some(start)) {
                    Some(last) => last.place.end = end,
                    None => near.push(Stretch { place: start..end, plain: stretch.plain }),
                }
            }
        }
        Self { text: self.text, stretches: near }
    }

    /// Where it is certain that a pattern matched that began behind the place before, and perhaps some others.
    pub(super) fn ends(&self, pattern: &Pattern) -> Vec<usize> {
        self.stretches.iter().flat_map(|stretch| self.ends_in(stretch, pattern)).collect()
    }

    fn ends_in(&self, Stretch { place, plain }: &Stretch, pattern: &Pattern) -> Vec<usize> {
        let form = if *plain { pattern.plain() } else { pattern.loose() };
        let Some(mut search) = form.map(Forward::search) else { return Vec::new() };
        let next = |at: &usize| search.certain_in(self.text, *at..place.end);
        std::iter::successors(Some(place.start), next).skip(1).collect()
    }

    /// The last white space up to a place, from another one on; that one if there is none.
    fn space_before(&self, at: usize, from: usize) -> usize {
        let before = &self.text.as_bytes()[from..at.max(from)];
        let space = before.iter().rposition(u8::is_ascii_whitespace);
        space.map_or(from, |space| from + space)
    }

    /// The first white space from a place on, up to another one; that one if there is none.
    fn space_behind(&self, at: usize, upto: usize) -> usize {
        let rest = &self.text.as_bytes()[at.min(upto)..upto];
        let space = rest.iter().position(u8::is_ascii_whitespace);
        space.map_or(upto, |space| at + space)
    }

    /// All matches of a pattern, from left to right, none inside another.
    pub(super) fn all(&self, pattern: &'static Pattern) -> Vec<Match<'t>> {
        let at = |place: &Range<usize>| Some(Match::new(self.text, place));
        self.each(pattern, at, Automaton::find_by, Match::end)
    }

    /// All matches with their groups.
    pub(super) fn groups(&self, pattern: &'static Pattern) -> Vec<Groups<'t>> {
        let at = |place: &Range<usize>| pattern.plain_groups()?.groups_in(self.text, place.clone());
        self.each(pattern, at, Automaton::groups_by, |groups| groups.whole().end())
    }

    /// What the matches of a pattern are, told by their places where only letters of ASCII are, and else by a search.
    fn each<T>(
        &self,
        pattern: &'static Pattern,
        at: impl Fn(&Range<usize>) -> Option<T>,
        search: fn(&'static Automaton, &'t str, &Input<'_>) -> Option<T>,
        end: fn(&T) -> usize,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for Stretch { place, plain } in &self.stretches {
            let form = if *plain { pattern.plain() } else { pattern.loose() };
            let Some(form) = form else { continue };
            let searched = |from, anchored| {
                let form = if *plain { pattern.plain_groups() } else { pattern.whole() };
                let input = Input::new(&self.text[..place.end]).span(from..place.end);
                search(form?, self.text, &input.anchored(anchored))
            };
            if has_long_word(&self.text[place.clone()]) {
                let is_in = form.search().certain_in(self.text, place.clone()).is_some();
                let first = if is_in { searched(place.start, Anchored::No) } else { None };
                let next = |one: &T| searched(end(one), Anchored::No);
                found.extend(std::iter::successors(first, next));
                continue;
            }
            let (mut begins, mut from) = (form.search(), place.start);
            while let Some(one) = begins.find_in(self.text, from..place.end) {
                let told = if *plain { at(&one) } else { searched(one.start, Anchored::Yes) };
                from = told.as_ref().map_or(one.start + self.sign_at(one.start), end);
                found.extend(told);
            }
        }
        found
    }

    /// The length of the sign at a place.
    fn sign_at(&self, at: usize) -> usize {
        self.text[at..].chars().next().map_or(1, char::len_utf8)
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

fn has_long_word(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(first) = rest.get(..=LONGEST) {
        let Some(space) = first.iter().rposition(u8::is_ascii_whitespace) else { return true };
        rest = &rest[space + 1..];
    }
    false
}

/// Whether a sign is of ASCII, or beyond it and surely no part of a word: punctuation, money, arrows, pictures.
pub(super) fn is_plain(sign: char) -> bool {
    matches!(sign,
        '\0'..='\u{a9}' | '\u{ab}'..='\u{b4}' | '\u{b6}'..='\u{b9}' | '\u{bb}'..='\u{bf}' | '×' | '÷'
        | '\u{2000}'..='\u{200b}' | '\u{2010}'..='\u{203e}' | '\u{20a0}'..='\u{20bf}' | '\u{2190}'..='\u{23ff}'
        | '\u{2500}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}')
}

/// A text with a letter of ASCII for each one beyond it: that which it is with an accent, or any other of its case. What a
/// pattern tells of such a text, borders of words and all, is what it would tell of the text itself.
pub(super) fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|sign| if is_plain(sign) { sign } else { ascii_letter(sign) }).collect()
}

fn ascii_letter(sign: char) -> char {
    let mut folded = String::new();
    letters::fold(sign, &mut folded);
    let letter = folded.chars().next().filter(char::is_ascii).unwrap_or('x');
    if sign.is_uppercase() { letter.to_ascii_uppercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_in_longer_words_are_the_same() {
        static PATTERN: Pattern = Pattern::new(|| r"\b[a-z-]+(?:(\d)|é)\b".into());
        for (fill, end) in [("a-", "1"), ("a-", "é"), ("a ", "1"), ("a ", "é")] {
            for length in [LONGEST / 2 - 2, LONGEST / 2, LONGEST] {
                let text = format!("x2 {}b{end} {end}", fill.repeat(length));
                let expected: Vec<_> =
                    PATTERN.groups(&text).map(|one| one.whole().range()).collect();
                let stretches = Stretches::of(&text);
                let all: Vec<_> = stretches.all(&PATTERN).iter().map(Match::range).collect();
                let groups = stretches.groups(&PATTERN);
                let digits: Vec<_> = groups.iter().map(|one| one.get(1).is_some()).collect();
                assert_eq!((expected.len(), &all), (2, &expected), "{fill} {length} {end}");
                assert_eq!(digits, [true, end == "1"]);
                assert_eq!(has_long_word(&text), fill == "a-" && length >= LONGEST / 2);
            }
        }
    }

    #[test]
    fn signs_that_are_plain_are_no_parts_of_words() {
        let word = regex_automata::meta::Regex::new(r"\w").unwrap();
        let beyond = |sign: &char| !sign.is_ascii() && is_plain(*sign);
        for sign in ('\0'..=char::MAX).filter(beyond) {
            assert!(!word.is_match(&*sign.encode_utf8(&mut [0; 4])), "{sign:?}");
        }
    }

    #[test]
    fn a_text_has_as_many_letters_and_digits_in_ascii() {
        for (text, ascii) in [
            ("Größe “naïve” – ÉTÉ", "Grose “naive” – ETE"),
            ("дом Дом 東京 → x²", "xxx Xxx xx → x²"),
            ("plain ’90s", "plain ’90s"),
        ] {
            assert_eq!(in_ascii(text), ascii);
        }
    }
}
