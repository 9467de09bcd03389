//! From text to the terms that are compared.
//!
//! Words lose case, accents and the endings of grammar. Scripts that set no spaces give every two neighbouring characters,
//! and Han characters also each one; so does Hangul, which joins particles to words.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::everyday::{is_common, per_thousand};
use super::forms::{form, is_number};
pub(super) use crate::letters::Piece;
use crate::letters::{self, is_part, is_unspaced};
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
    /// One number for each term, by all that is likely.
    number: u64,
    /// Whether it is no word of every day and no number.
    is_telling: bool,
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
    letters::each_piece(&escapes::without(text), |piece, _| found(piece));
}

/// The terms of a text, in order of appearance.
pub(in crate::recall) fn terms(text: &str) -> Vec<String> {
    terms_of(text, letters::is_turkish(text))
}

/// The same of a part of a text.
fn terms_of(part: &str, is_turkish: bool) -> Vec<String> {
    let mut terms = Vec::new();
    letters::each_piece_of(&escapes::without(part), is_turkish, |piece, _| {
        match piece {
            Piece::Word(word) => terms.extend(term_met(word)),
            Piece::Characters(term) => terms.push(term.to_owned()),
        }
        true
    });
    terms
}

/// The words of a text without case and accents, in order of appearance.
pub(in crate::recall) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each(text, |piece| match piece {
        Piece::Word("") | Piece::Characters(_) => {}
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

/// What of a text is in scripts that set no spaces, run by run.
pub(super) fn unspaced_runs(text: &str) -> Vec<String> {
    if text.is_ascii() {
        return Vec::new();
    }
    let text = escapes::without(text);
    let text = letters::usual(&text);
    let runs = text.split(|c| !is_unspaced(c)).filter(|run| !run.is_empty());
    runs.map(str::to_owned).collect()
}

/// How many words a text names in scripts that set no spaces, about.
pub(in crate::recall) fn unspaced_named(text: &str) -> usize {
    unspaced_runs(text).iter().map(|run| letters::count_telling(run)).sum()
}

/// How many terms a text has, counted up to `most`.
pub(in crate::recall) fn count_to(most: usize, text: &str) -> usize {
    let mut count = 0;
    each_while(text, |piece| {
        count += match piece {
            Piece::Word(word) => usize::from(with_met(word, |met| met.is_some())),
            Piece::Characters(_) => 1,
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
#[derive(Debug, Clone, Default)]
pub struct Heard(HashSet<u64, FixedState>);

impl Heard {
    /// What is heard of a text alone.
    pub fn of(text: &str) -> Self {
        let mut heard = Self::default();
        heard.hear(text);
        heard
    }

    /// Hears a text.
    pub fn hear(&mut self, text: &str) {
        each(text, |piece| {
            if let Piece::Word(word) = piece {
                self.0.extend(with_met(word, |met| met.map(|met| met.number)));
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
                    with_met(word, |met| met.filter(|met| met.is_telling).map(|met| met.number));
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
    let is_turkish = letters::is_turkish(&text);
    for word in text.split(|c: char| !is_part(c)) {
        for term in terms_of(word, is_turkish) {
            let is_part = term.starts_with(is_unspaced);
            let whole = if is_part { &term } else { word.trim_matches(['\'', '’']) };
            let whole = whole.to_owned();
            typed.entry(term).or_insert(whole);
        }
    }
    typed
}

/// The term of a word as [`term_if_any`] tells it, from memory if it was met lately.
fn term_met(word: &str) -> Option<String> {
    with_met(word, |met| met.map(|met| (*met.term).to_owned()))
}

impl Known {
    fn of(word: &str) -> Option<Self> {
        let term = term_if_any(word)?;
        let is_telling = !is_common(per_thousand(&term)) && !is_number(&term);
        let number = FixedState::default().hash_one(&*term);
        Some(Self { term: term.into(), number, is_telling })
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

/// The words that an apostrophe joins to one: `l` and `atelier` of `l'atelier`. What English joins to a word is none: of
/// `Dave's` only `Dave`, and nothing of `don't`.
pub(super) fn joined_words(word: &str) -> impl Iterator<Item = &str> {
    let count = if is_contraction(word) { 0 } else { usize::MAX };
    let parts = word.split(['\'', '’']).enumerate().take(count);
    parts.filter(|(nth, part)| *nth == 0 || !JOINED.contains(part)).map(|(_, part)| part)
}

/// `atelier` of `l'atelier`.
///
/// And `istanbul` of `istanbul'da`, as Turkish sets endings apart from names.
fn without_elision(word: &str) -> &str {
    match word.split_once(['\'', '’']) {
        Some((before, rest)) if rest.len() > 1 && ELIDED.contains(&before) => rest,
        Some((name, ending)) if name.len() > 1 && SET_APART.contains(&ending) => name,
        _ => word,
    }
}

/// Endings that Turkish sets apart from names, without accents; none that English joins to a word.
const SET_APART: [&str; 36] = [
    "a", "da", "dan", "daki", "de", "deki", "den", "e", "i", "in", "la", "le", "na", "nda", "ndan",
    "nde", "nden", "ne", "ni", "nin", "nu", "nun", "ta", "tan", "taki", "te", "ten", "teki", "u",
    "un", "ya", "yi", "yla", "yle", "yu", "ye",
];

/// What English joins to a word.
const JOINED: [&str; 7] = ["s", "re", "ll", "ve", "d", "m", "t"];

/// Whether it is a word of grammar that another one is joined to: `what's`, `we've`.
pub(super) fn is_contraction(word: &str) -> bool {
    let Some((before, joined)) = word.split_once(['\'', '’']) else { return false };
    let before = if joined == "t" { before.strip_suffix('n').unwrap_or(before) } else { before };
    JOINED.contains(&joined) && (before.len() < 2 || memory::is_stop_word(before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_and_numbers_meet() {
        assert_eq!(terms("She bought two Cafés"), terms("she BUYS 2 cafe"));
        assert_eq!(terms("on the eighth"), terms("the 8th"));
        assert_eq!(terms("1,850 or 12.345.678"), ["1850", "12345678"]);
        for none in ["192.168.1.10", "1,8500", "1850,30", "1, 850", "1.850a", "0.125", "a1,850"] {
            let groups = terms(none).into_iter().filter(|term| term.len() > 4);
            assert_eq!(groups.count(), 0, "{none}");
        }
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
    fn what_english_joins_to_a_word_is_none() {
        let joined = |word| joined_words(word).collect::<Vec<_>>();
        assert_eq!(joined("l'atelier"), ["l", "atelier"]);
        assert_eq!(joined("dave's"), ["dave"]);
        assert_eq!(joined("don't"), [""; 0]);
        assert_eq!(joined("dave"), ["dave"]);
    }

    #[test]
    fn a_letter_with_the_signs_of_its_name_is_a_word() {
        assert_eq!(terms("Is it C++, C++17 or C#?"), ["c++", "c++", "17", "c#"]);
        assert_eq!(terms("a + b, page#c, b#end, é#"), terms("page end"));
    }

    #[test]
    fn what_is_coloured_has_the_terms_of_its_words() {
        let coloured = "\u{1b}[1m\u{1b}[32mreactor\u{1b}[0m \u{9b}31mleaks";
        assert_eq!(terms(coloured), terms("reactor leaks"));
        assert_eq!(typed(coloured), typed("reactor leaks"));
        assert_eq!(typed("Işık, marangozu")["marangoz"], "marangozu");
        assert_eq!(typed("換気扇は")["換気"], "換気");
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
    fn spellings_and_forms_of_other_languages_meet() {
        for (one, other) in [
            ("Łódź zażółć", "lodz zazolc"),
            ("IŞIK", "ışık"),
            ("İstanbul'da", "istanbul"),
            ("Python'da", "python"),
            ("Đà Nẵng", "da nang"),
            ("Đa\u{300} Na\u{306}\u{303}ng", "Đà Nẵng"),
            ("Αθήνα οδός", "αθηνα οδοσ"),
            ("کتاب‌ی", "كتاب‌ي"),
            ("हिन्दी", "हिंदी"),
            ("प्रोजेक्ट", "प्रोजेक्ट"),
            ("１２３ ＡＢＣ", "123 abc"),
            ("٢٥٠", "250"),
            ("ﾊﾞｯｸｱｯﾌﾟ", "バックアップ"),
            ("הבית", "בית"),
            ("الخزنة", "خزنة"),
        ] {
            assert_eq!(terms(one), terms(other), "{one}");
        }
    }

    #[test]
    fn korean_words_are_found_behind_their_particles() {
        let held = |word, text| {
            let of_text = terms(text);
            terms(word).iter().all(|term| of_text.contains(term))
        };
        for (word, text) in
            [("자전거", "자전거를 샀다"), ("집", "집에서 쉰다"), ("집", "큰 집을"), ("책", "책")]
        {
            assert!(held(word, text), "{word}: {text}");
        }
        assert!(!held("자전거", "자동차를 샀다"));
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
