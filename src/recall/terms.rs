//! From text to the terms that are compared.
//!
//! Words lose case, accents and the endings of grammar. Scripts that set no spaces give every two
//! neighbouring characters, and Han characters also each one.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::everyday::{is_common, per_thousand};
use super::forms::{form, is_number};
use crate::{chunk, escapes, memory};

/// Longer words are cut: nobody asks for their ends.
const MOST_CHARS: usize = 32;

/// Words whose terms are kept in mind, and the bytes of the longest of them.
const MOST_KNOWN: usize = 1 << 13;
const LONGEST_KNOWN: usize = 64;

thread_local! {
    /// The terms of words met lately: a text has the same ones again and again.
    static KNOWN: RefCell<HashMap<Box<str>, Option<Known>, FixedState>> = RefCell::default();
}

/// The term of a word.
struct Known {
    term: Box<str>,
    /// Whether it is no word of every day and no number.
    is_telling: bool,
}

/// A piece of a text that has terms.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece<'a> {
    /// A word without case and accents: it has one term or none.
    Word(&'a str),
    /// A term as it stands, in a script without spaces.
    Term(&'a str),
}

/// The pieces of a text, in order of appearance. What steers a terminal has none: `reactor` in green is the same word.
pub(super) fn each(text: &str, mut found: impl FnMut(Piece)) {
    each_while(text, |piece| {
        found(piece);
        true
    });
}

/// The same, as long as somebody wants to know.
fn each_while(text: &str, mut found: impl FnMut(Piece) -> bool) {
    let text = &*escapes::without(text);
    let mut folded = String::new();
    let (mut at, mut before) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let unspaced = is_unspaced(c).then_some(start);
        if unspaced.is_some() {
            if before.is_some_and(|before| !found(Piece::Term(&text[before..at])))
                || is_han(c) && !found(Piece::Term(&text[start..at]))
            {
                return;
            }
        } else if is_part(c) {
            at = end_of_word(text, start);
            if !found(Piece::Word(folded_word(&text[start..at], &mut folded))) {
                return;
            }
        }
        before = unspaced;
    }
}

fn end_of_word(text: &str, start: usize) -> usize {
    let plain = text.as_bytes()[start..].iter().take_while(|&&byte| is_plain(byte)).count();
    let rest = &text[start + plain..];
    // Most words end here.
    if rest.as_bytes().first().is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
        return start + plain;
    }
    let ends = |c: char| is_unspaced(c) || !is_part(c);
    rest.find(ends).map_or(text.len(), |end| start + plain + end)
}

/// Whether it is part of a word and stays as it is when case and accents go.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'\''
}

/// A word without case and accents, and without the signs of a quotation.
fn folded_word<'a>(word: &'a str, folded: &'a mut String) -> &'a str {
    let mut plain = word;
    if !word.bytes().all(is_plain) {
        folded.clear();
        word.chars().for_each(|c| fold(c, folded));
        plain = folded;
    }
    plain.trim_matches(['\'', '’'])
}

/// The terms of a text, in order of appearance.
pub(in crate::recall) fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    each(text, |piece| match piece {
        Piece::Word(word) => terms.extend(term_met(word)),
        Piece::Term(term) => terms.push(term.to_owned()),
    });
    terms
}

/// The words of a text without case and accents, in order of appearance.
pub(in crate::recall) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, |piece| match piece {
        Piece::Word("") | Piece::Term(_) => {}
        Piece::Word(word) => words.push(word.replace('’', "'")),
    });
    words
}

/// Whether a text has more than so many words, those of scripts with spaces or those of others. Of a long one mostly the
/// beginning is read.
pub(in crate::recall) fn has_more_words(text: &str, most: usize) -> bool {
    /// Bytes in which so many words mostly stand, for each.
    const ROOM: usize = 16;
    let has_more = |part: &str| {
        let mut count = 0;
        each(part, |piece| {
            count += usize::from(matches!(piece, Piece::Word(word) if !word.is_empty()));
        });
        count > most
    };
    if unspaced_words(text) > most {
        return true;
    }
    let begins = chunk::beginning(text, (most + 1) * ROOM);
    let whole =
        || begins.rsplit_once(char::is_whitespace).is_some_and(|(whole, _)| has_more(whole));
    (begins.len() < text.len() && whole()) || has_more(text)
}

/// How many words a text has of scripts that set no spaces: one for two characters.
pub(in crate::recall) fn unspaced_words(text: &str) -> usize {
    if text.is_ascii() { 0 } else { text.chars().filter(|c| is_unspaced(*c)).count() / 2 }
}

/// How many terms a text has, counted up to `most`.
pub(in crate::recall) fn count_to(most: usize, text: &str) -> usize {
    let mut count = 0;
    each_while(text, |piece| {
        count += match piece {
            Piece::Word(word) => usize::from(with_met(word, |met| met.is_some())),
            Piece::Term(_) => 1,
        };
        count < most
    });
    count
}

/// The term of a word, if it is no word of every day and no number.
pub(in crate::recall) fn telling(word: &str) -> Option<String> {
    with_met(word, |met| met.filter(|met| met.is_telling).map(|met| (*met.term).to_owned()))
}

/// The terms of some texts, by which others are compared with them.
#[derive(Debug, Default)]
pub struct Heard(HashSet<u64, FixedState>);

impl Heard {
    /// Hears a text.
    pub fn hear(&mut self, text: &str) {
        each(text, |piece| {
            if let Piece::Word(word) = piece {
                self.0.extend(with_met(word, |met| met.map(Known::number)));
            }
        });
    }

    /// How many different terms of a text, up to `most`, were heard and are no words of every day and no numbers.
    pub fn shared(&self, text: &str, most: usize) -> usize {
        let mut shared = Vec::with_capacity(most);
        each(text, |piece| {
            if let Piece::Word(word) = piece
                && shared.len() < most
            {
                let telling =
                    with_met(word, |met| met.filter(|met| met.is_telling).map(Known::number));
                let heard = telling.filter(|term| self.0.contains(term) && !shared.contains(term));
                shared.extend(heard);
            }
        });
        shared.len()
    }
}

/// The words of a text by their terms, as typed; of several, the first.
pub(super) fn typed(text: &str) -> BTreeMap<String, String> {
    let (mut typed, text) = (BTreeMap::new(), escapes::without(text));
    for word in text.split(|c: char| !is_part(c)) {
        for term in terms(word) {
            typed.entry(term).or_insert_with(|| word.trim_matches(['\'', '’']).to_owned());
        }
    }
    typed
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '’' | '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}')
}

/// Han, Kana, Thai, Lao, Burmese, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3134f}')
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// The term of a word as [`term_if_any`] tells it, from memory if it was met lately.
fn term_met(word: &str) -> Option<String> {
    with_met(word, |met| met.map(|met| (*met.term).to_owned()))
}

impl Known {
    fn of(word: &str) -> Option<Self> {
        let term = term_if_any(word)?;
        let is_telling = !is_common(per_thousand(&term)) && !is_number(&term);
        Some(Self { term: term.into(), is_telling })
    }

    /// One number for each term, by all that is likely.
    fn number(&self) -> u64 {
        FixedState::default().hash_one(&*self.term)
    }
}

/// Looks at what is known of a word that has a term, where it is kept.
fn with_met<R>(word: &str, look: impl FnOnce(Option<&Known>) -> R) -> R {
    if word.len() > LONGEST_KNOWN {
        return look(Known::of(word).as_ref());
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(met) = known.get(word) {
            return look(met.as_ref());
        }
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        look(known.entry(word.into()).or_insert(Known::of(word)).as_ref())
    })
}

/// The term of a word; none of a single letter and of one that says nothing.
pub(super) fn term_if_any(word: &str) -> Option<String> {
    let word = without_elision(word);
    let is_letter = word.len() == 1 && !word.as_bytes()[0].is_ascii_digit();
    if word.is_empty() || is_letter || memory::is_stop_word(word) || is_contraction(word) {
        return None;
    }
    let cut = word.char_indices().nth(MOST_CHARS).map(|(end, _)| word[..end].to_owned());
    Some(cut.unwrap_or_else(|| form(word)))
}

/// Articles and the like that lose their vowel before another word, in French and Italian.
const ELIDED: [&str; 19] = [
    "l", "d", "j", "m", "t", "s", "c", "n", "qu", "jusqu", "lorsqu", "puisqu", "un", "dell", "all",
    "dall", "nell", "sull", "quell",
];

/// `atelier` of `l'atelier`.
fn without_elision(word: &str) -> &str {
    let parts = word.split_once(['\'', '’']);
    let rest = parts.filter(|(before, rest)| rest.len() > 1 && ELIDED.contains(before));
    rest.map_or(word, |(_, rest)| rest)
}

/// Whether it is a word of grammar that another one is joined to: `what's`, `we've`.
fn is_contraction(word: &str) -> bool {
    const JOINED: [&str; 7] = ["s", "re", "ll", "ve", "d", "m", "t"];
    let Some((before, joined)) = word.split_once(['\'', '’']) else { return false };
    let before = if joined == "t" { before.strip_suffix('n').unwrap_or(before) } else { before };
    JOINED.contains(&joined) && (before.len() < 2 || memory::is_stop_word(before))
}

/// A character without case and accent.
fn fold(c: char, word: &mut String) {
    if c.is_ascii() {
        return word.push(c.to_ascii_lowercase());
    }
    for c in c.to_lowercase() {
        match c {
            'à'..='å' | 'ā' => word.push('a'),
            'ç' | 'ć' | 'č' => word.push('c'),
            'è'..='ë' | 'ē' | 'ę' => word.push('e'),
            'ì'..='ï' | 'ī' => word.push('i'),
            'ñ' | 'ń' => word.push('n'),
            'ò'..='ö' | 'ø' | 'ō' => word.push('o'),
            'ù'..='ü' | 'ū' => word.push('u'),
            'ý' | 'ÿ' => word.push('y'),
            'ß' => word.push_str("ss"),
            'š' | 'ś' => word.push('s'),
            'ž' | 'ź' | 'ż' => word.push('z'),
            'ё' => word.push('е'),
            'أ' | 'إ' | 'آ' => word.push('ا'),
            'ى' => word.push('ي'),
            'ة' => word.push('ه'),
            // Accents and vowel signs that stand by themselves, and the stretching sign.
            '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{652}' | '\u{640}' => {}
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_and_numbers_meet() {
        assert_eq!(terms("She bought two Cafés"), terms("she BUYS 2 cafe"));
        assert_eq!(terms("on the eighth"), terms("the 8th"));
        assert_eq!(terms("What was the fix for auth-bug's 401?"), ["fix", "auth", "bug", "401"]);
    }

    #[test]
    fn articles_that_lost_their_vowel_and_what_is_joined_to_a_word_of_grammar_say_nothing() {
        assert_eq!(terms("l'atelier d’aspirine"), terms("atelier aspirine"));
        assert_eq!(terms("dell'acqua"), terms("acqua"));
        assert_eq!(terms("what's it we've, I'll, don't"), [""; 0]);
        assert_eq!(terms("the baker's o'clock"), ["baker", "o'clock"]);
    }

    #[test]
    fn what_is_coloured_has_the_terms_of_its_words() {
        let coloured = "\u{1b}[1m\u{1b}[32mreactor\u{1b}[0m \u{9b}31mleaks";
        assert_eq!(terms(coloured), terms("reactor leaks"));
        assert_eq!(typed(coloured), typed("reactor leaks"));
    }

    #[test]
    fn words_are_counted_as_far_as_it_takes() {
        for text in ["", "one two", "- one ... two's three -", "数据库 ok", "ü b\u{a0}c d e f"]
        {
            for text in [text.to_owned(), format!("{text} ").repeat(40), text.repeat(90)] {
                for most in [0, 1, 2, 3, 14, 80] {
                    let expected = words(&text).len() > most || unspaced_words(&text) > most;
                    assert_eq!(has_more_words(&text, most), expected, "{text}");
                }
            }
        }
    }

    #[test]
    fn scripts_without_spaces_give_neighbours() {
        assert_eq!(terms("数据库 ok"), ["数", "数据", "据", "据库", "库", "ok"]);
        assert_eq!(terms("データ"), ["デー", "ータ"]);
        assert!(terms("ภาษาไทย").contains(&"ไท".to_owned()));
    }

    #[test]
    fn russian_and_arabic_forms_meet() {
        assert_eq!(terms("базы"), terms("базами"));
        assert_eq!(terms("Ёлка"), terms("елку"));
        assert_eq!(terms("المدرسة"), terms("مدرسه"));
    }

    #[test]
    fn any_text_has_terms_or_none() {
        for text in ["", "'", "’’", "a'", "\u{301}", "\u{640}", "و", "يال", "8th th", "💧💧"]
        {
            let _ = terms(text);
        }
        assert_eq!(terms(&"x".repeat(1000))[0].len(), MOST_CHARS);
    }
}
