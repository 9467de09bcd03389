//! Questions about what was said and done before.

use super::phrases::{Phrases, after_any, contains_any};
use super::words::{is_stop_word, stem};

/// How much of a topic somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// A summary is enough.
    Summary,
    /// The exact words of what was said.
    Sentence,
    /// All that was said.
    Log,
}

/// What somebody wants to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Query {
    /// The words that say something, as typed but in lower case, in order.
    pub(super) words: Vec<String>,
    /// How much is wanted.
    pub(super) depth: Depth,
    /// A search was asked for in so many words.
    pub(super) search: bool,
    /// It is plainly about the past.
    pub(super) past: bool,
}

/// Asks for something from memory; the topic follows.
#[rustfmt::skip]
const REQUESTS: Phrases = Phrases::of(&[
    "remind me", "do you remember", "can you remember", "do you recall", "can you recall", "recall",
    "tell me", "can you tell me", "could you tell me", "what about", "how about", "i forgot",
    "i forget", "i have forgotten", "i can not remember", "i do not remember", "can you remind me",
    "could you remind me", "refresh my memory", "please remind me", "what do you know about",
    "summarise", "summarize", "what do you remember about", "remember what", "remember how",
    "remember when", "remember why", "remember the", "any idea", "quote", "i would like to know",
    "i want to know", "i wonder", "recap", "give me a recap",
]);

/// Asks for a search.
#[rustfmt::skip]
const SEARCHES: Phrases = Phrases::of(&[
    "search", "look up", "find", "look for", "can you find", "can you search", "could you find",
    "could you search", "can you look up", "could you look up", "please find", "dig up",
    "did we ever", "have we ever", "have i ever", "did i ever",
]);

/// Asks for a whole log.
#[rustfmt::skip]
const EXPANSIONS: Phrases = Phrases::of(&[
    "expand", "can you expand", "could you expand", "lets expand", "show me", "show", "give me",
    "can you show me", "could you show me", "let me see", "i want to see", "i would like to see",
    "can i see", "could i see", "unfold", "open up", "read me", "bring back", "more details",
    "more detail", "details", "i need the details", "i need more details", "i want the details",
    "i want more details", "go into detail", "can i have", "can you give me", "could you give me",
    "tell me more", "i want details", "i need the full", "i need the whole", "i need the entire",
    "i need the exact", "i need everything", "i need to see", "tell me everything",
]);

/// Shows that a summary is not enough.
#[rustfmt::skip]
const DETAIL: Phrases = Phrases::of(&[
    "exactly", "exact", "details", "detail", "full", "everything", "verbatim", "word for word",
    "entire", "whole", "complete", "raw log", "precisely", "in depth", "original", "tell me more",
    "more about", "literally", "step by step", "transcript", "all about",
]);

/// Shows that the whole log is wanted.
#[rustfmt::skip]
const WHOLE: Phrases = Phrases::of(&[
    "full", "everything", "verbatim", "word for word", "entire", "whole", "complete", "raw log",
    "log", "details", "detail", "transcript", "step by step", "all about", "tell me more",
    "more about",
]);

/// Shows that a question is about the past.
#[rustfmt::skip]
const PAST: Phrases = Phrases::of(&[
    "was", "were", "did", "had", "have we", "we", "our", "remember", "remind", "recall", "earlier",
    "before", "last time", "previously", "decided", "ended", "yesterday", "forgot", "past", "again",
    "back then", "old", "concluded", "do you know", "we had", "what about", "recap",
]);

/// How a question begins.
const QUESTION_WORDS: &[&str] = &[
    "what", "when", "where", "which", "who", "whom", "whose", "why", "how", "is", "are", "was",
    "were", "do", "does", "did", "has", "have", "had", "can", "could", "should", "would", "will",
    "shall",
];

/// Words of the question itself, not of its topic.
#[rustfmt::skip]
const SCAFFOLDING: &[&str] = &[
    "remember", "remind", "recall", "tell", "know", "talk", "talked", "said", "say", "mention",
    "mentioned", "discuss", "discussed", "details", "detail", "exactly", "exact", "full",
    "everything", "verbatim", "precisely", "conversation", "log", "logs", "show", "give", "search",
    "find", "look", "happened", "memory", "refresh", "forgot", "forget", "forgotten", "word",
    "whole", "entire", "complete", "raw", "expand", "see", "effort", "efforts", "topic",
    "something", "anything", "past", "thing", "things", "stuff", "whether", "transcript",
    "original", "step", "summarise", "summarize", "recap", "idea", "previously", "depth", "again",
    "us", "previous", "information", "info", "short", "briefly", "exactly", "wonder", "want",
    "need", "summary", "literally", "quote", "words", "used", "read", "back", "done", "finished", "ready", "sure",
    "work", "worked", "end", "ended", "come", "came", "go", "went", "get", "got",
];

/// Words that many topics share: alone they prove nothing.
const GENERIC: &[&str] = &[
    "fix", "repair", "resolve", "problem", "bug", "issue", "error", "plan", "decide", "decision",
    "cause", "root", "reason", "solution", "change", "result", "answer", "use", "choose", "find",
    "happen", "set", "final", "solve", "project", "trip", "idea", "date", "number", "name", "make",
    "good", "best", "new", "time", "much", "many", "cost",
];

/// Words that ask for one thing, by the words that answers use for it.
const FAMILIES: &[&[&str]] = &[
    &["fix", "solution", "solve", "resolve", "patch", "help", "repair"],
    &["cause", "because", "reason", "root", "why", "culprit"],
    &["decide", "decision", "agree", "choose", "chose", "settle", "pick", "conclusion"],
    &["cost", "price", "budget", "pay", "paid", "euro", "dollar"],
    &["date", "day", "deadline", "leave", "start"],
];

/// The question that some words ask about the past, if they do.
pub(super) fn query(words: &[String], asks: bool) -> Option<Query> {
    let search = SEARCHES.after(words);
    let expand = EXPANSIONS.after(words);
    let request = REQUESTS.after(words);
    let asked = is_question(words, asks);
    let rest = search.or(request).or(expand)?.to_vec();
    let told = after_any(words, &["tell me", "give me", "find", "can you give me"]);
    let content = content(&rest);
    let depth = depth(words);
    let detail = depth > Depth::Summary;
    let past = PAST.stand_in(words) || told.is_none();
    // "Give me an idea", "find me a hotel": a wish, unless something points to memory.
    let memory = contains_any(words, &["log", "efforts", "effort", "conversation", "about"]);
    if told.is_some() && !detail && !past && !memory {
        return None;
    }
    let worth = !content.is_empty() || detail;
    (worth || asked).then_some(Query { words: content, depth, search: search.is_some(), past })
}

const EXPANSION_VERBS: Phrases = Phrases::of(&[
    "expand",
    "unfold",
    "can you expand",
    "could you expand",
    "lets expand",
    "tell me more",
]);

/// A plain question, as a query.
pub(super) fn plain(words: &[String]) -> Query {
    Query { words: content(words), depth: depth(words), search: false, past: PAST.stand_in(words) }
}

fn depth(words: &[String]) -> Depth {
    let detail = DETAIL.stand_in(words);
    if EXPANSION_VERBS.after(words).is_some() || (detail && WHOLE.stand_in(words)) {
        Depth::Log
    } else if detail {
        Depth::Sentence
    } else {
        Depth::Summary
    }
}

/// Whether the words ask something.
pub(super) fn is_question(words: &[String], asks: bool) -> bool {
    asks || words.len() > 2
        && words.first().is_some_and(|first| QUESTION_WORDS.contains(&first.as_str()))
}

/// The words of a question that say what it is about.
fn content(words: &[String]) -> Vec<String> {
    let mut content: Vec<String> = Vec::new();
    for word in words {
        let says = !is_stop_word(word) && !SCAFFOLDING.contains(&word.as_str());
        if says && !content.contains(word) {
            content.push(word.clone());
        }
    }
    content
}

/// What a word of a question is worth in a match, by its stem.
pub(super) fn weight(stemmed: &str) -> f64 {
    if GENERIC.iter().any(|word| stem(word) == stemmed) { 0.3 } else { 1.0 }
}

/// The stems that answer to a stem of a question: itself, and its family.
pub(super) fn kin(stemmed: &str) -> Vec<String> {
    let family = FAMILIES.iter().find(|family| family.iter().any(|word| stem(word) == stemmed));
    let family =
        family.into_iter().flat_map(|family| family.iter().map(|word| stem(word).to_owned()));
    std::iter::once(stemmed.to_owned()).chain(family).collect()
}
