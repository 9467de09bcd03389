//! What people say around a question for courtesy, or while they think: "Thanks! When is it, by the way?" It calls for
//! nothing, and what was said with it before is not meant.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::asking::{SIGNS, asks, is_long};
use super::language::{Wording, begins_to_ask};
use super::terms;

/// What stands in front, between commas. A stop follows it, or what begins a question.
const BEFORE: &str = "hi, hi there, hello, hello there, hey, hey there, hiya, yo, good morning, good afternoon, \
    good evening, morning, thanks, thanks a lot, thank you, many thanks, cheers, great, cool, nice, perfect, super, right, \
    alright, ok, okay, well, oh, ah, um, hm, hmm, haha, hahaha, lol, sorry, excuse me, anyway, by the way, btw, \
    quick one, quick question, one more thing, one more question, please, pls, hallo, servus, moin, guten morgen, guten tag, \
    guten abend, danke, danke dir, vielen dank, prima, gut, ach, ach so, na, entschuldigung, übrigens, kurze frage, \
    noch was, noch eine frage, bitte, hola, buenos días, buenas, buenas tardes, buenas noches, gracias, muchas gracias, \
    vale, bueno, perdona, perdón, oye, por cierto, una pregunta, por favor, bonjour, salut, bonsoir, coucou, merci, \
    merci beaucoup, parfait, bon, pardon, désolé, dis, au fait, une question, s'il te plaît, s'il vous plaît";

/// What stands behind, with a stop in front of it or without one.
const BEHIND: &str = "please, pls, thanks, thanks a lot, thank you, thx, cheers, lol, haha, hahaha, btw, by the way, \
    bitte, danke, vielen dank, übrigens, por favor, gracias, muchas gracias, por cierto, s'il te plaît, s'il vous plaît, \
    stp, svp, merci, merci beaucoup, au fait";

/// Words of the longest of them.
const MOST_WORDS: usize = 4;

/// A question without what is said around it for courtesy; anything else as it is.
pub fn without_courtesy(message: &str) -> Cow<'_, str> {
    static FRONT: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| read(BEFORE));
    static END: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| read(BEHIND));
    if is_long(message) {
        return message.into();
    }
    let before = last_of(message, |text| behind_first(text, &FRONT));
    let inner = last_of(before, |text| before_last(text, &END));
    if inner.len() == message.len() {
        return message.into();
    }
    let has_sign = before[inner.len()..].contains(SIGNS) && !inner.ends_with(SIGNS);
    let inner = inner.trim_end_matches(is_stop);
    let question: Cow<str> = if has_sign { format!("{inner}?").into() } else { inner.into() };
    // What names nothing itself, or little and points back, may be about just that: "Nice, when were we there?"
    let wording = Wording::of(&question);
    let named = wording.named() + terms::unspaced_named(&question);
    let stands_alone = named > usize::from(wording.points_back());
    if stands_alone && asks(&question) { question } else { message.into() }
}

/// The signs that part what is said for courtesy from the rest.
fn is_stop(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ',' | '.' | '!' | ':' | ';' | '-' | '–' | '—' | '…')
}

/// What is left of a text once nothing more can be taken from it.
fn last_of<'t>(text: &'t str, less: impl FnMut(&&'t str) -> Option<&'t str>) -> &'t str {
    std::iter::successors(Some(text), less).last().unwrap_or(text)
}

/// What stands behind a phrase that a text begins with, the longest one first.
fn behind_first<'t>(text: &'t str, phrases: &[Vec<String>]) -> Option<&'t str> {
    let (mut words, mut best) = (Vec::new(), None);
    for (word, _, end) in words_of(text).take(MOST_WORDS) {
        words.push(word);
        if !phrases.iter().any(|phrase| phrase.starts_with(&words)) {
            break;
        }
        if phrases.contains(&words) {
            let behind = text[end..].trim_start_matches(is_stop);
            let is_parted = text[end..].trim_start_matches(' ').starts_with(is_stop);
            let goes_on =
                || is_parted || begins_to_ask(behind) || behind_first(behind, phrases).is_some();
            best = Some(behind).filter(|behind| !behind.is_empty() && goes_on()).or(best);
        }
    }
    best
}

/// What stands in front of a phrase that a text ends with.
fn before_last<'t>(text: &'t str, phrases: &[Vec<String>]) -> Option<&'t str> {
    // Only the end is read.
    let mut spaces = text.trim_end().rmatch_indices(char::is_whitespace);
    let from = spaces.nth(MOST_WORDS).map_or(0, |(at, space)| at + space.len());
    let placed = |(word, start, end)| (word, from + start, from + end);
    let all: Vec<(String, usize, usize)> = words_of(&text[from..]).map(placed).collect();
    let begins = (1..=MOST_WORDS.min(all.len().checked_sub(1)?)).rev();
    let found = begins.map(|count| &all[all.len() - count..]).find(|last| {
        phrases.iter().any(|phrase| phrase.iter().eq(last.iter().map(|(word, ..)| word)))
    })?;
    // Who writes it with a capital, or in quotes, means somebody or something of that name.
    let (start, end) = (found[0].1, found.last()?.2);
    let is_name = text[start..end].contains(char::is_uppercase)
        || text[..start].ends_with(|sign: char| !sign.is_whitespace() && !is_stop(sign));
    let parted =
        text[..start].trim_end().ends_with(|sign: char| is_stop(sign) || SIGNS.contains(&sign));
    (!is_name || parted).then(|| text[..start].trim_end_matches(is_stop))
}

/// The words of a text without case and accents, and where each begins and ends.
fn words_of(text: &str) -> impl Iterator<Item = (String, usize, usize)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |part| {
        let begin = at;
        at += part.len();
        let start = begin + part.find(char::is_alphanumeric)?;
        let word = text[start..at].trim_end_matches(|sign: char| !sign.is_alphanumeric());
        Some((terms::words(word).concat(), start, start + word.len()))
    })
}

fn read(phrases: &str) -> Vec<Vec<String>> {
    let words = |phrase: &str| words_of(phrase).map(|(word, ..)| word).collect();
    phrases.split(", ").map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_the_same_whatever_is_said_around_it_for_courtesy() {
        let question = "What day is the party?";
        for polite in [
            "Thanks! What day is the party?",
            "Good morning! What day is the party?",
            "quick one - What day is the party?",
            "hey quick one - What day is the party?",
            "hey, What day is the party?",
            "By the way: What day is the party?",
            "Thanks a lot. Oh, by the way, What day is the party?",
            "hey What day is the party?",
            "What day is the party? lol",
            "What day is the party lol?",
            "What day is the party, please?",
            "Hi! What day is the party? Thanks!",
            "Danke! What day is the party?",
        ] {
            assert_eq!(without_courtesy(polite), question, "{polite}");
        }
        assert_eq!(without_courtesy("¡Hola! ¿Cuándo es la fiesta?"), "¿Cuándo es la fiesta?");
        let german = "wann ist das Fest der Feuerwehr?";
        assert_eq!(without_courtesy(&format!("Übrigens, {german}")), german);
        assert_eq!(without_courtesy("what day is the party btw"), "what day is the party");
    }

    #[test]
    fn what_is_no_question_or_says_something_stays() {
        for message in [
            "",
            "Thanks!",
            "Thanks! The party is on Friday.",
            "Please?",
            "lol",
            "Great Expectations, who wrote it?",
            "Hello Kitty is what?",
            "What did she say thanks for?",
            "The party: what day is it?",
            "Who said hi?",
            "Who is our svp?",
            "Where is LOL?",
            "Who has my copy of Cheers?",
            "Who was there for \"cheers\"?",
            "Nice, when were we there?",
            "Servus, what does it sell?",
            "Merci, when was she born?",
        ] {
            assert_eq!(without_courtesy(message), message);
        }
    }
}
