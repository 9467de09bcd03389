//! Small talk, and what only a language model could do; and the few words that a reply repeats of a message.

use super::intent::Beyond;
use super::lead_ins::skip_lead_ins;
use super::opening;
use super::phrases::{Phrases, after_any, contains_any};
use super::sentences::{Sentence, clauses};
use super::words::{self, is_stop_word, words};

/// Asks for something that would have to be made up.
#[rustfmt::skip]
const MAKING: Phrases = Phrases::of(&[
    "tell me", "give me", "explain", "write me", "sing", "imagine", "pretend", "make me", "draw",
    "translate", "write a poem", "write a story", "write a joke", "write code", "write some code",
]);

/// Asks politely for something; a verb follows.
#[rustfmt::skip]
const ASKING: Phrases = Phrases::of(&[
    "can you", "could you", "would you", "will you", "can you please", "could you please",
    "are you able to",
]);

/// Verbs of making, behind such a request.
#[rustfmt::skip]
const MAKES: Phrases = Phrases::of(&[
    "write", "make", "create", "draft", "translate", "calculate", "explain", "build", "develop",
    "implement", "design", "generate", "draw", "compose", "sing", "code", "compute", "solve",
    "rewrite", "improve", "tell", "give", "suggest", "recommend",
]);

/// Asks about tastes and moods.
#[rustfmt::skip]
const TASTES: Phrases = Phrases::of(&[
    "do you like", "do you love", "do you enjoy", "do you want", "do you think", "do you feel",
    "what do you think", "how do you feel", "do you prefer", "do you dream", "are you happy",
    "are you sad", "are you bored", "do you get", "what do you like", "do you hate", "do you believe",
]);

/// Words of small talk.
#[rustfmt::skip]
const CHATTER: Phrases = Phrases::of(&[
    "haha", "hahaha", "lol", "wow", "ugh", "hmm", "phew", "oops", "yay", "hm", "btw", "test", "testing",
    "weather", "sunny", "rain", "raining", "rainy", "snow", "snowing", "storm", "cloudy", "lunch",
    "dinner", "breakfast", "coffee", "tea", "tired", "hungry", "thirsty", "bored", "sleepy", "slept",
    "cat", "dog", "neighbour", "neighbor", "weekend", "football", "headache", "hurts", "traffic",
    "music", "birds", "pizza", "asleep", "funny", "anyway", "anyways", "by the way", "nice day",
]);

/// Why a sentence asks for more than rules can do, if it does.
pub(super) fn beyond(words: &[String]) -> Option<Beyond> {
    let makes = ASKING.after(words).is_some_and(|rest| MAKES.after(rest).is_some());
    let favourite = words.iter().any(|word| word.starts_with("favo") && word.contains("rite"));
    match () {
        () if TASTES.after(words).is_some() => Some(Beyond::Taste),
        () if favourite && words.iter().any(|word| word == "your") => Some(Beyond::Taste),
        () if makes || MAKING.after(words).is_some() => Some(Beyond::Making),
        () => None,
    }
}

/// "How does it know what to remember?": a question about memory, not to it.
pub(super) fn asks_about_memory(words: &[String]) -> bool {
    let how = after_any(words, &["how", "what", "when", "why", "so how"]);
    let subject =
        ["does it", "do you", "does this", "does ebbtide", "does the memory", "does memory"];
    let rest = how.and_then(|rest| after_any(rest, &subject));
    let deeds = ["remember", "forget", "memory", "keep things", "work", "know what to"];
    rest.is_some_and(|rest| rest.len() <= 6 && contains_any(rest, &deeds))
        && after_any(words, &["what do you remember"]).is_none()
}

/// Whether a message only keeps the talk going. One with a figure or a path says something.
pub(super) fn is_chatter(message: &str) -> bool {
    let all = words(message);
    let tells = message.split_whitespace().any(is_telling);
    let bare = skip_lead_ins(&all).is_empty();
    !tells && (bare || CHATTER.stand_in(&all))
}

/// A figure, a path, a name from code.
fn is_telling(token: &str) -> bool {
    token.chars().any(|c| c.is_ascii_digit()) || words::is_path(token.trim_end_matches(['.', ',']))
}

/// The most that a reply repeats of a message, in words.
const MOST: usize = 7;

/// What a reply repeats: what can be looked up later, figures and names, else the beginning of what was said.
pub(super) fn gist(message: &str) -> String {
    let tokens: Vec<&str> = message.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() && found.len() < 4 {
        let first = at == 0 || tokens[at - 1].ends_with(['.', '!', '?']);
        let name = !first && tokens[at].starts_with(char::is_uppercase) && tokens[at].len() > 2;
        if name || is_telling(tokens[at]) {
            let ends = name || tokens[at].ends_with([',', '.', ';', ':', '!', '?', ')']);
            let unit = tokens.get(at + 1).filter(|next| !ends && is_unit(next));
            let end = at + 1 + usize::from(unit.is_some());
            found.push(bare(&tokens[at..end].join(" ")));
            at = end;
        } else {
            at += 1;
        }
    }
    found.dedup();
    if found.is_empty() { quoted(message) } else { found.join(", ") }
}

/// A word that belongs to the figure before it.
fn is_unit(word: &str) -> bool {
    const SHORT: [&str; 12] = ["s", "h", "m", "g", "l", "A", "K", "V", "W", "%", "€", "$"];
    if SHORT.contains(&word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')'])) {
        return true;
    }
    let plain = word.to_lowercase();
    let plain = plain.trim_matches(|c: char| !c.is_alphanumeric());
    !is_stop_word(plain) && plain.len() > 1
}

/// The beginning of a message's last sentence that says something, in quotation marks.
pub(super) fn quoted(message: &str) -> String {
    let sentences = clauses(message);
    let says = |sentence: &&Sentence<'_>| opening_words(sentence.text) > 0;
    let text = sentences.iter().rev().find(says).map_or(message, |sentence| sentence.text);
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let cut = tokens.len() > MOST;
    let said = bare(&tokens[..tokens.len().min(MOST)].join(" "));
    if said.is_empty() {
        return "that".to_owned();
    }
    format!("\"{said}{}\"", if cut { " …" } else { "" })
}

fn opening_words(text: &str) -> usize {
    opening::topic(&words(text)).len()
}

/// Without the signs at both ends, and without what a terminal would act on.
fn bare(text: &str) -> String {
    let inner = text.trim_matches(|c: char| !c.is_alphanumeric() && !"€$£%/".contains(c));
    inner.chars().filter(|c| !c.is_control()).take(80).collect()
}
