//! Summaries by extraction: the sentences that say most, in their order, and nothing of its own.

use std::collections::BTreeSet;

use super::words::{self, count_stems};
use super::{closing, intent, opening, reply};

/// What a summary may hold, in characters: 60 to 80 tokens of English.
const SUMMARY_CHARS: usize = 300;

/// What a compression may hold, in characters.
const COMPRESSION_CHARS: usize = 1_600;

/// Words of sentences worth keeping.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "root cause", "fix", "fixed", "fixes", "the cause", "because", "decided", "decision", "agreed",
    "turned out", "solution", "solved", "chose", "booked", "found", "result", "deadline",
    "conclusion", "must", "settled on", "costs", "cost", "instead of", "works with", "caused by",
    "due to", "will use", "we go with", "picked", "budget", "expires", "fails", "failed", "error",
];

/// A summary of a conversation whose messages begin with `user: ` or `assistant: `.
pub(super) fn summary(conversation: &str) -> String {
    extract(conversation, SUMMARY_CHARS)
}

/// A longer one.
pub(super) fn compression(conversation: &str) -> String {
    extract(conversation, COMPRESSION_CHARS)
}

struct Candidate<'a> {
    text: &'a str,
    score: i32,
}

fn extract(conversation: &str, most: usize) -> String {
    // Always clearly smaller than its source, also in tokens, of which figures and paths have more.
    let budget = most.min(conversation.chars().count() * 9 / 20);
    let candidates = candidates(conversation);
    let mut ranked: Vec<usize> = (0..candidates.len()).collect();
    ranked.sort_by_key(|&at| (-candidates[at].score, at));
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    let mut used = 0;
    for at in ranked {
        let cost = candidates[at].text.chars().count() + 1;
        // Small talk only fills a summary that would be thin without it.
        let score = candidates[at].score;
        if score < 0 || (score < 2 && used * 2 > budget) {
            break;
        }
        if used + cost <= budget {
            used += cost;
            chosen.insert(at);
        }
    }
    if chosen.is_empty() {
        let best = candidates.iter().max_by_key(|candidate| candidate.score);
        return cut(best.map_or(conversation, |candidate| candidate.text), budget);
    }
    let sentences: Vec<String> = chosen.iter().map(|&at| ended(candidates[at].text)).collect();
    sentences.join(" ")
}

fn candidates(conversation: &str) -> Vec<Candidate<'_>> {
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut by_user = true;
    let mut own = false;
    let mut first_statement = true;
    for line in conversation.lines() {
        let (line, begins) = match (line.strip_prefix("user: "), line.strip_prefix("assistant: ")) {
            (Some(said), _) => (said, Some(true)),
            (_, Some(said)) => (said, Some(false)),
            _ => (line, None),
        };
        if let Some(user) = begins {
            by_user = user;
            own = !user && reply::is_own(line);
        }
        for sentence in words::sentences(line).into_iter().filter(|_| !own) {
            let is_new = seen.insert(sentence.text);
            let Some(score) = is_new.then(|| score(&sentence)).flatten() else { continue };
            let mut score = score + i32::from(by_user);
            if by_user && !sentence.asks && std::mem::take(&mut first_statement) {
                score += 4;
            }
            candidates.push(Candidate { text: sentence.text, score });
        }
    }
    candidates
}

/// Not a greeting, a thank-you or "that fixed it".
fn says_something(sentence: &words::Sentence<'_>, words: &[String]) -> bool {
    let said = intent::skip_lead_ins(words);
    let closes = said.len() < 9 && closing::close(said, sentence.asks).is_some();
    let opens = said.len() < 8 && !has_figure(sentence.text) && opening::open(said, &[]).is_some();
    let first = words.first().map_or("", String::as_str);
    let polite = ["thanks", "thank", "hello", "hi", "bye"].contains(&first);
    let thanks = polite && words.len() < 6;
    !closes && !opens && !thanks
}

/// How much a sentence tells; `None` if nothing.
fn score(sentence: &words::Sentence<'_>) -> Option<i32> {
    let words = words::words(sentence.text);
    let stems = count_stems(sentence.text, 5);
    (stems > 0 && says_something(sentence, &words)).then_some(())?;
    let mut score = 0;
    if words::contains_any(&words, TELLING) {
        score += 4;
    }
    let specific = |token: &&str| has_figure(token) || words::is_path(token);
    score += 2 * up_to(3, sentence.text.split_whitespace().filter(specific));
    let names = sentence.text.split_whitespace().skip(1).filter(|token| is_name(token));
    score += up_to(2, names);
    if sentence.asks {
        score -= 8;
    }
    Some(match stems {
        0..=2 => score - 2,
        3..=4 => score,
        _ => score + 1,
    })
}

/// How many there are, but no more than `most`.
fn up_to(most: i32, items: impl Iterator) -> i32 {
    items.zip(0..most).map(|_| 1).sum()
}

fn has_figure(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
}

fn is_name(token: &str) -> bool {
    token.len() > 2 && token.starts_with(char::is_uppercase)
}

/// A sentence that ends like one, so that two of them can stand in a row.
fn ended(sentence: &str) -> String {
    if sentence.ends_with(|c: char| c.is_alphanumeric()) {
        format!("{sentence}.")
    } else {
        sentence.to_owned()
    }
}

fn cut(text: &str, budget: usize) -> String {
    let mut kept = String::new();
    for word in text.split_whitespace() {
        if kept.chars().count() + word.chars().count() + 2 > budget {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    if kept.is_empty() {
        kept = text.trim().chars().take(budget.max(2) - 1).collect();
    }
    format!("{kept}…")
}
