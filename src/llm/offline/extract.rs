//! Summaries by extraction: the sentences that say most, in their order, and nothing of its own.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use foldhash::fast::FixedState;

use super::lead_ins::skip_lead_ins;
use super::lines::Lines;
use super::phrases::Phrases;
use super::sentences::Sentence;
use super::spoken::{Spoken, What, speaker};
use super::words::{self, count_stems};
use super::{closing, opening, reply};
use crate::tokens;

/// What a summary may hold, in characters: 60 to 80 tokens of English.
const SUMMARY_CHARS: usize = 300;

/// A summary has fewer tokens, where figures and some languages have more of them than English has: with the name of its
/// topic before it, as it stands in the window, it has fewer than a hundred.
const SUMMARY_TOKENS: usize = 86;

/// What a compression may hold, in characters: less where there is room for fewer words of so many.
const COMPRESSION_CHARS: usize = 1_600;
const CHARS_OF_A_WORD: usize = 6;

/// Bytes of a sentence, about.
const USUAL: usize = 64;

/// Words of sentences worth keeping.
#[rustfmt::skip]
const TELLING: Phrases = Phrases::of(&[
    "root cause", "fix", "fixed", "fixes", "the cause", "because", "decided", "decision", "agreed",
    "turned out", "solution", "solved", "chose", "booked", "found", "result", "deadline",
    "conclusion", "must", "settled on", "costs", "cost", "instead of", "works with", "caused by",
    "due to", "will use", "we go with", "picked", "budget", "expires", "fails", "failed", "error",
]);

/// A summary of a conversation whose messages begin with `user: ` or `assistant: `.
pub(super) fn summary(conversation: &str, known: &Lines) -> String {
    let said = Said::of(conversation, known);
    let mut room = SUMMARY_CHARS;
    loop {
        let summary = said.extract(room);
        let tokens = tokens::count(&summary) as usize;
        if tokens < SUMMARY_TOKENS || room == 0 {
            return summary;
        }
        room = room.min(summary.chars().count()) * (SUMMARY_TOKENS - 1) / tokens;
    }
}

/// A longer one, if there is room for so many words.
pub(super) fn compression(conversation: &str, words: Option<usize>, known: &Lines) -> String {
    let room = words.map_or(COMPRESSION_CHARS, |words| words.saturating_mul(CHARS_OF_A_WORD));
    Said::of(conversation, known).extract(room.min(COMPRESSION_CHARS))
}

/// Reads a message of a conversation that will be summarised: what somebody says in it.
pub(super) fn read_ahead(message: &str, known: &Lines) {
    let (mut spoken, mut is_first) = (Spoken::default(), true);
    let mut lines = message.trim().lines().peekable();
    while let Some(line) = lines.next() {
        let what = spoken.what(line, std::mem::take(&mut is_first), lines.peek().copied());
        if what == What::Said {
            known.of(line, signs);
        }
    }
}

/// Sentences that came up.
#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
type Seen<'a> = std::collections::HashSet<&'a str, FixedState>;

/// A sentence that may be chosen.
struct Candidate<'a> {
    sentence: Sentence<'a>,
    /// What its signs and its place say for it, which is quickly told.
    signs: i32,
}

impl Candidate<'_> {
    /// How much it tells; `None` if nothing.
    fn score(&self) -> Option<i32> {
        Some(self.signs + by_count(&self.sentence)?)
    }
}

/// What may be chosen of a conversation.
struct Said<'a> {
    conversation: &'a str,
    candidates: Vec<Candidate<'a>>,
}

impl<'a> Said<'a> {
    /// What people and the model say; what tools return, and which they are called with, only where nobody says anything.
    fn of(conversation: &'a str, known: &Lines) -> Self {
        let said = candidates(conversation, known, |what| what == What::Said);
        let tells = said.iter().any(|one| one.score().is_some_and(|score| score >= 0));
        let of_all = || candidates(conversation, known, |what| what != What::Heading);
        Self { conversation, candidates: if tells { said } else { of_all() } }
    }

    /// The best of it in so many characters.
    fn extract(&self, most: usize) -> String {
        let Self { conversation, candidates } = self;
        // Always clearly smaller than its source, also in tokens, of which figures and paths have more.
        let budget = most.min(conversation.chars().count() * 9 / 20);
        let chosen = choose(candidates, budget);
        if chosen.is_empty() {
            let scored =
                candidates.iter().filter_map(|one| Some((one.score()?, one.sentence.text)));
            let best = scored.max_by_key(|(score, _)| *score);
            return cut(best.map_or(*conversation, |(_, text)| text), budget);
        }
        let chosen = chosen.iter().map(|&at| ended(candidates[at].sentence.text));
        chosen.collect::<Vec<_>>().join(" ")
    }
}

/// What a sentence loses that says the same as one that is chosen, of other figures.
const REPEATED: i32 = 6;

/// The candidates that tell most and fit together. Most are out of the question by their signs alone, so that their
/// words are read only when their turn comes.
fn choose(candidates: &[Candidate<'_>], budget: usize) -> BTreeSet<usize> {
    let most = |at: usize| (candidates[at].signs + MOST_BY_COUNT, Reverse(at), Known::Most);
    let mut by_signs: Vec<_> = (0..candidates.len()).map(most).collect();
    by_signs.sort_by(|a, b| b.cmp(a));
    let mut unread = by_signs.into_iter().peekable();
    // Those whose words were read, by what they score.
    let mut read = BinaryHeap::new();
    let (mut chosen, mut used, mut shapes) = (BTreeSet::new(), 0, BTreeSet::new());
    loop {
        let next = if read.peek() > unread.peek() { read.pop() } else { unread.next() };
        let Some((score, Reverse(at), known)) = next else { break };
        // Small talk only fills a summary that would be thin without it.
        if score < 0 || (score < 2 && used * 2 > budget) {
            break;
        }
        let one = &candidates[at];
        let cost = one.sentence.text.chars().count() + 1;
        if used + cost > budget {
            continue;
        }
        match known {
            Known::Most => {
                read.extend(one.score().map(|score| (score, Reverse(at), Known::Score)));
            }
            Known::Score if shapes.contains(&shape(one.sentence.text)) => {
                // It still fills a summary that would be thin without it.
                read.push(((score - REPEATED).max(0), Reverse(at), Known::Repeated));
            }
            Known::Score | Known::Repeated => {
                used += cost;
                chosen.insert(at);
                shapes.insert(shape(one.sentence.text));
            }
        }
    }
    chosen
}

/// What is known of how much a sentence tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// That it is no more than that.
    Most,
    /// How much it is.
    Score,
    /// How much it is behind one that says the same.
    Repeated,
}

/// A sentence without its figures.
fn shape(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_ascii_digit()).collect()
}

/// What the first thing that the person states gets, which tells what it is about, and what the last reply tells most with,
/// which is what came of it.
const FIRST: i32 = 4;
const OUTCOME: i32 = 3;

/// The sentences of the lines that are wanted.
fn candidates<'a>(
    conversation: &'a str,
    known: &Lines,
    is_wanted: impl Fn(What) -> bool,
) -> Vec<Candidate<'a>> {
    let mut candidates: Vec<Candidate<'a>> = Vec::new();
    let mut seen =
        Seen::with_capacity_and_hasher(conversation.len() / USUAL, FixedState::default());
    let (mut by_user, mut own, mut first_statement) = (true, false, true);
    let (mut spoken, mut outcome, mut begins) = (Spoken::default(), None, true);
    // A part of a long text begins without anybody who says it.
    let mut is_told = false;
    let mut lines = conversation.lines().peekable();
    while let Some(line) = lines.next() {
        let said = speaker(line);
        let line = said.map_or(line, |(_, said)| said);
        if let Some((by, _)) = said {
            // Notes tell in short what was said, by the person above all.
            by_user = by != "assistant";
            own = by == "assistant" && reply::is_own(line);
            begins = by == "assistant";
            is_told = true;
        }
        // What the person writes is the person's, whatever it looks like.
        let what = match spoken.what(line, said.is_some(), lines.peek().copied()) {
            What::OfTool if by_user && is_told => What::Said,
            what => what,
        };
        // So does what stands below.
        by_user |= what == What::Heading;
        if own || !is_wanted(what) {
            continue;
        }
        for place in &*known.of(line, signs) {
            let sentence = place.sentence(line);
            if !seen.insert(sentence.text) {
                continue;
            }
            let mut signs = place.signs + i32::from(by_user);
            let states = || !sentence.asks || is_request(sentence.text);
            if by_user && first_statement && states() && by_count(&sentence).is_some() {
                first_statement = false;
                signs += FIRST + if sentence.asks { ASKS } else { 0 };
            }
            let tells = |at: usize| candidates[at].signs;
            if !by_user && !sentence.asks && (begins || outcome.map(tells) <= Some(signs)) {
                begins = false;
                outcome = Some(candidates.len());
            }
            candidates.push(Candidate { sentence, signs });
        }
    }
    let outcome = outcome.map(|at| &mut candidates[at]);
    if let Some(one) = outcome.filter(|one| by_count(&one.sentence) >= Some(0)) {
        one.signs += OUTCOME;
    }
    candidates
}

/// What a question loses: whoever reads a summary asks for what was found.
const ASKS: i32 = 8;

/// Whether a question is a polite way to say what is to be done.
fn is_request(text: &str) -> bool {
    const BEGIN: [&[&str]; 2] = [
        &["can", "could", "would", "will", "kannst", "könntest", "können", "könnten", "würdest"],
        &["you", "du", "sie"],
    ];
    // Who asks so for what was said wants to know it.
    const OF_THE_PAST: [&str; 3] = ["remind", "remember", "recall"];
    let lowered = words::lowered(text);
    let words = words::split(&lowered);
    let begins = words.len() > BEGIN.len()
        && BEGIN.iter().zip(&words).all(|(known, word)| known.contains(word));
    begins && !words.iter().any(|word| OF_THE_PAST.contains(word))
}

/// What the signs of a sentence say for it, and the words that weigh most.
fn signs(sentence: &Sentence<'_>) -> i32 {
    let (mut specific, mut may_tell) = (0, false);
    for token in sentence.text.split_whitespace() {
        specific += i32::from(is_specific(token));
        may_tell = may_tell || words::may_begin(token, &TELLING);
    }
    let tells = may_tell && TELLING.stand_in(&words::split(&words::lowered(sentence.text)));
    let tells = if tells { 4 } else { 0 };
    let asks = if sentence.asks { ASKS } else { 0 };
    tells + 2 * specific.min(3) + names(sentence.text) - asks
}

/// How many words behind the first one are names, but no more than two.
fn names(text: &str) -> i32 {
    // Most sentences hold no capital but their first.
    let capital = |byte: u8| byte.is_ascii_uppercase() || !byte.is_ascii();
    if !text.bytes().skip(1).any(capital) {
        return 0;
    }
    let names = text.split_whitespace().skip(1).filter(|token| is_name(token));
    names.take(2).map(|_| 1).sum()
}

/// The most that the number of its words adds to a sentence's score.
const MOST_BY_COUNT: i32 = 1;

/// What the number of its words adds to a sentence's score; `None` if it says nothing.
fn by_count(sentence: &Sentence<'_>) -> Option<i32> {
    let stems = count_stems(sentence.text, 5);
    (stems > 0 && says_something(sentence)).then_some(match stems {
        0..=2 => -2,
        3..=4 => 0,
        _ => MOST_BY_COUNT,
    })
}

/// Words with which a greeting or a thank-you begins.
const POLITE: [&str; 12] = [
    "thanks", "thank", "hello", "hi", "hey", "bye", "hallo", "danke", "bonjour", "merci", "hola",
    "gracias",
];

/// Greetings of several words.
const GREETINGS: [&[&str]; 8] = [
    &["good", "morning"],
    &["good", "afternoon"],
    &["good", "evening"],
    &["good", "day"],
    &["guten", "morgen"],
    &["guten", "tag"],
    &["guten", "abend"],
    &["buenos", "días"],
];

/// Not a greeting, a thank-you or "that fixed it".
fn says_something(sentence: &Sentence<'_>) -> bool {
    let lowered = words::lowered(sentence.text);
    let words = words::split(&lowered);
    let polite = |first| POLITE.contains(first);
    let said = skip_lead_ins(&words);
    if said.len() > 8 {
        return true;
    }
    let closes = closing::close(said, sentence.asks).is_some();
    let opens = said.len() < 8 && !has_figure(sentence.text) && opening::open(said, &[]).is_some();
    let greets =
        words.first().is_some_and(polite) || GREETINGS.iter().any(|it| words.starts_with(it));
    let thanks = words.len() < 6 && greets;
    !closes && !opens && !thanks
}

/// A figure, a path, a name from code.
fn is_specific(token: &str) -> bool {
    let may_be = |byte| matches!(byte, b'0'..=b'9' | b'/' | b'_' | b'.' | b'`');
    token.bytes().any(may_be) && (has_figure(token) || words::is_path(token))
}

fn has_figure(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same by a ranking of all that are scored.
    fn ranked(candidates: &[Candidate<'_>], budget: usize) -> BTreeSet<usize> {
        let scored = candidates.iter().enumerate();
        let scored = scored.filter_map(|(at, one)| Some((-one.score()?, at, false)));
        let mut left: BTreeSet<_> = scored.collect();
        let (mut chosen, mut used): (BTreeSet<usize>, _) = (BTreeSet::new(), 0);
        while let Some((score, at, is_repeated)) = left.pop_first() {
            let text = candidates[at].sentence.text;
            let cost = text.chars().count() + 1;
            let is_thin = used * 2 <= budget;
            if score > 0 || (score >= -1 && !is_thin) || used + cost > budget {
                continue;
            }
            let again = chosen.iter().any(|&at| shape(candidates[at].sentence.text) == shape(text));
            if again && !is_repeated {
                left.insert(((score + REPEATED).min(0), at, true));
            } else {
                used += cost;
                chosen.insert(at);
            }
        }
        chosen
    }

    #[test]
    fn telling_words_are_seen_in_whatever_case_and_signs_they_stand() {
        for phrase in
            ["root cause", "the cause", "will use", "fails", "we go with", "MUST", "Due to"]
        {
            for text in [
                format!("It was clear: {phrase} it."),
                format!("{} again", phrase.to_uppercase()),
                format!("({phrase}) \"{phrase}\"!"),
                format!("It's {phrase}"),
                format!("Ü {phrase}"),
            ] {
                let sentence = Sentence { text: &text, asks: false };
                assert!(signs(&sentence) >= 4, "{text}");
            }
        }
        let plain = Sentence { text: "We will go to the use of a fixture.", asks: false };
        assert_eq!(signs(&plain), 0);
    }

    #[test]
    fn a_summary_and_a_name_have_fewer_than_a_hundred_tokens_in_whatever_language() {
        let german = "Die Überprüfung der Rückstellungsverbindlichkeiten ergab 1.234,56 Euro.";
        for line in [german, "注文番号は四二七番です。", "Ставка 3,1 %: платёж 920 евро."]
        {
            let said: Vec<String> =
                (0..40).map(|nth| format!("user: {nth}x{nth} {line}")).collect();
            let summary = summary(&said.join("\n"), &Lines::default());
            let tokens = tokens::count(&summary);
            assert!((40..86).contains(&tokens), "{tokens}: {summary}");
        }
    }

    proptest! {
        #[test]
        fn the_best_are_chosen_though_not_all_are_scored(
            said in prop::collection::vec(
                "(user: |assistant: |)(the cause|we are done|hi|thanks|Paris|src/a.rs|was|42|slow disk|[a-z]{3,6})( (fixed|costs|it|10|Rome|b_c|broken cable|[a-z]{3,9})){0,7}[.?]",
                0..30,
            ),
            budget in 0..600_usize,
        ) {
            let said = said.join("\n");
            let candidates = candidates(&said, &Lines::default(), |_| true);
            prop_assert_eq!(choose(&candidates, budget), ranked(&candidates, budget));
        }
    }
}
