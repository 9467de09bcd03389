//! Regular expressions that are compiled once, when they are first needed.

use std::sync::OnceLock;

use super::automaton::{Automaton, Groups, Match};
use super::forward::Forward;

/// Letters of all scripts, in few ranges that hold some rare signs, too. What the library knows of letters is exact, and
/// makes all patterns together three times as large. Where case does not tell, the library asks for each sign of a range whether
/// it has another case, if any has: long ranges that have no case are ranges of their own, behind signs that nobody has assigned.
const LETTERS: &str = r"A-Za-z\u{aa}\u{b5}\u{ba}\u{c0}-\u{d6}\u{d8}-\u{f6}\u{f8}-\u{37d}\u{37f}-\u{386}\u{388}-\u{559}\u{560}-\u{588}\u{590}-\u{60b}\u{60d}-\u{61a}\u{620}-\u{669}\u{66e}-\u{6d3}\u{6d5}-\u{963}\u{966}-\u{1fff}\u{2071}\u{207f}\u{2090}-\u{209c}\u{2126}\u{212a}-\u{212d}\u{2c00}-\u{2dff}\u{2e2f}\u{3005}-\u{3007}\u{3040}-\u{a62e}\u{a640}-\u{ab6b}\u{ab70}-\u{abf9}\u{ac00}-\u{d7ff}\u{f900}-\u{fdff}\u{fe70}-\u{fefe}\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}\u{ff66}-\u{ffdc}\u{10000}-\u{103d5}\u{10400}-\u{105bc}\u{105c0}-\u{10c72}\u{10c80}-\u{10cf2}\u{10cfa}-\u{1183b}\u{118a0}-\u{118f2}\u{118ff}-\u{16d79}\u{16e40}-\u{16ed3}\u{16f00}-\u{1e8d6}\u{1e900}-\u{1efff}\u{20000}-\u{3ffff}";

/// The source of a pattern that matches where any of some does.
pub(super) fn either(patterns: &[&Pattern]) -> String {
    let sources: Vec<String> =
        patterns.iter().map(|pattern| format!("(?:{})", (pattern.source)())).collect();
    sources.join("|")
}

/// The source of a pattern that matches just these words.
pub(super) fn literal(words: &str) -> String {
    let mut source = String::new();
    for sign in words.chars() {
        match sign {
            ' ' => source.push_str(r"\x20"),
            '#' | '$' | '&' | '(' | ')' | '*' | '+' | '-' | '.' | '?' | '[' | '\\' | ']' | '^'
            | '{' | '|' | '}' | '~' => source.extend(['\\', sign]),
            _ => source.push(sign),
        }
    }
    source
}

/// A pattern with lazily compiled forms. One that did not compile would find nothing; a test compiles all.
pub(super) struct Pattern {
    source: fn() -> String,
    whole: OnceLock<Option<Automaton>>,
    plain: OnceLock<Option<Forward>>,
    plain_groups: OnceLock<Option<Automaton>>,
    loose: OnceLock<Option<Forward>>,
}

impl Pattern {
    /// A pattern whose source is put together by a function, so that parts can be shared.
    pub(super) const fn new(source: fn() -> String) -> Self {
        Self {
            source,
            whole: OnceLock::new(),
            plain: OnceLock::new(),
            plain_groups: OnceLock::new(),
            loose: OnceLock::new(),
        }
    }

    /// The pattern as it is written. It is slow wherever it meets a sign beyond ASCII, because it has to ask
    /// whether that is a letter.
    pub(super) fn whole(&self) -> Option<&Automaton> {
        self.whole.get_or_init(|| Automaton::of(&small(&(self.source)())).ok()).as_ref()
    }

    /// The same for a text all of whose letters and digits are those of ASCII.
    pub(super) fn plain(&self) -> Option<&Forward> {
        self.plain.get_or_init(|| Forward::of(&plain(&(self.source)())).ok()).as_ref()
    }

    /// The same as the library has it: for the groups of a match, and for texts with long words.
    pub(super) fn plain_groups(&self) -> Option<&Automaton> {
        self.plain_groups.get_or_init(|| Automaton::of(&plain(&(self.source)())).ok()).as_ref()
    }

    /// A form that matches wherever the pattern does, and beside letters beyond ASCII too; never slow.
    pub(super) fn loose(&self) -> Option<&Forward> {
        self.loose.get_or_init(|| Forward::of(&small(&loose(&(self.source)()))).ok()).as_ref()
    }

    /// The first match.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.whole()?.find_at(text, 0)
    }

    /// The groups of the first match.
    pub(super) fn parts<'t>(&self, text: &'t str) -> Option<Groups<'t>> {
        self.whole()?.groups_at(text, 0)
    }

    /// All matches with their groups, from left to right, none inside another.
    pub(super) fn groups<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Groups<'t>> + 't {
        let mut at = 0;
        std::iter::from_fn(move || {
            let groups = self.whole()?.groups_at(text, at)?;
            at = groups.whole().end();
            Some(groups)
        })
    }

    /// Whether there is a match in a text all of whose letters and digits are those of ASCII.
    pub(super) fn is_in_plain(&self, text: &str) -> bool {
        self.plain().is_some_and(|form| form.search().is_in(text, 0..text.len()))
    }

    /// Whether such a text begins with a match.
    pub(super) fn begins_plain(&self, text: &str) -> bool {
        self.plain().is_some_and(|form| form.search().begins(text))
    }

    /// Whether there is a match.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.whole().is_some_and(|automaton| automaton.is_in(text))
    }

    /// Why one of its forms cannot be used: it does not compile, or it matches without a sign, so that whoever goes from
    /// match to match would stay where he is.
    #[cfg(test)]
    pub(super) fn complaint(&self) -> Option<String> {
        let source = (self.source)();
        let forms = [plain(&source), small(&loose(&source)), small(&source)];
        let forward = forms[..2].iter().find_map(|form| Forward::of(form).err());
        let empty = forms.iter().find_map(|form| match regex_automata::meta::Regex::new(form) {
            Err(error) => Some(error.to_string()),
            Ok(regex) => ["", "a", " a b", "1 a.\n", "é"]
                .iter()
                .find(|text| regex.find_iter(text).any(|found| found.is_empty()))
                .map(|text| format!("{form} matches nothing in {text:?}")),
        });
        forward.map(|error| error.to_string()).or(empty)
    }
}

/// With few ranges in place of all that the library knows of letters and digits. They have no case to tell: for each letter
/// the library would ask which is its other one, and it is among them.
fn small(source: &str) -> String {
    let (mut small, mut rest) = (String::with_capacity(4 * source.len()), source);
    while let Some(at) = rest.find(['\\', '[']) {
        let end = at
            + if rest[at..].starts_with('[') {
                class_len(&rest[at..])
            } else {
                escape_len(&rest[at..])
            };
        small.push_str(&rest[..at]);
        small.push_str(&small_class(&rest[at..end]));
        rest = &rest[end..];
    }
    small + rest
}

/// A class, or one sign with a backslash, with few ranges.
fn small_class(class: &str) -> String {
    let is_set = class.starts_with('[');
    let ranges = |ranges: &str| if is_set { ranges.to_owned() } else { format!("[{ranges}]") };
    let without = class.replace(r"\d", &ranges("0-9"));
    let with = without.replace(r"\w", &ranges(&format!("0-9_{LETTERS}")));
    let with = with.replace(r"\W", &format!("[^0-9_{LETTERS}]"));
    let with = with.replace(r"\p{L}", &ranges(LETTERS));
    if with == without { without } else { format!("(?-i:{with})") }
}

/// The length of the class that a source begins with.
fn class_len(source: &str) -> usize {
    let mut at = 1;
    while at < source.len() && !source[at..].starts_with(']') {
        at += if source[at..].starts_with('\\') { escape_len(&source[at..]) } else { 1 };
        while !source.is_char_boundary(at) {
            at += 1;
        }
    }
    (at + 1).min(source.len())
}

/// The length of the backslash and what it stands before, that a source begins with.
fn escape_len(source: &str) -> usize {
    if source.starts_with(r"\p{") {
        return source.find('}').map_or(source.len(), |end| end + 1);
    }
    let sign = source[1..].chars().next();
    1 + sign.map_or(0, char::len_utf8)
}

fn plain(source: &str) -> String {
    let classes = source.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]");
    classes.replace(r"\p{L}", "[A-Za-z]").replace(r"\b", r"(?-u:\b)")
}

/// A word's border becomes one between words of ASCII, which is wherever the other is: only the side outside of the
/// pattern is looked at.
fn loose(source: &str) -> String {
    // What begins with a bracket begins at a border behind a word.
    let source = source.replace(r"\b(?:\[", r"(?:\[");
    let mut parts = source.split(r"\b");
    let mut loose = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let opens = ["", "(?i)"].contains(&&*loose) || loose.ends_with(['|', '(', ':', ' ', '\n']);
        loose.push_str(if opens { r"(?-u:\b{start-half})" } else { r"(?-u:\b{end-half})" });
        loose.push_str(part);
    }
    loose
}

#[cfg(test)]
mod tests {
    use regex_automata::meta::Regex;

    use super::*;

    #[test]
    fn letters_are_those_of_all_scripts_and_no_punctuation() {
        let letter = Regex::new(&small(r"^\p{L}$")).unwrap();
        let is_letter = |c: char| letter.is_match(&*c.encode_utf8(&mut [0; 4]));
        // Letters in circles and squares, and those that stand for amounts, are none here.
        let rare = |c: char| matches!(c, '\u{2102}'..='\u{24e9}' | '\u{1f130}'..='\u{1f189}' | '\u{3021}'..='\u{303c}');
        let missed: Vec<char> = (char::MIN..=char::MAX)
            .filter(|c| c.is_alphabetic() && !is_letter(*c) && !rare(*c))
            .collect();
        assert_eq!(missed, [' '; 0]);
        for sign in
            "0_ .,;:!?'\"()[]{}<>/\\|@#%&*+-=~^`·«»×÷²½،؟؛۔।॥。、「」『』“”‘’…–—→€£¥°™℃✓😀．，（）"
                .chars()
        {
            assert!(!is_letter(sign), "{sign}");
        }
    }

    #[test]
    fn a_form_of_few_ranges_finds_words_and_numbers_as_the_library_does() {
        let texts = ["Größe_1 naïve Übung", "дом-2, 東京 🗼", "a·b c٫d", "x²=4 ½ kΩ", "ﬁn ΑΒΓ"];
        for source in [r"\w+", r"\W+", r"\d+", r"\p{L}+", r"[\w.]+", r"\b\w"] {
            let (small, exact) = (Regex::new(&small(source)).unwrap(), Regex::new(source));
            for text in texts {
                let found = |regex: &Regex| -> Vec<_> {
                    regex.find_iter(text).map(|found| found.range()).collect()
                };
                // The library is without the tables for some classes.
                let Ok(exact) = &exact else { continue };
                assert_eq!(found(&small), found(exact), "{source} in {text}");
            }
        }
    }
}
