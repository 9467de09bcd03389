//! What a message asks for, by plain patterns. Never looks at memory: what a topic means there is
//! decided when the intent is carried out.

use super::intent::Intent;
use super::lead_ins::skip_lead_ins;
use super::phrases::{Phrases, after, after_any, contains_any};
use super::sentences::{Sentence, clauses};
use super::words;
use super::{chatter, closing, noting, opening, recall};

#[rustfmt::skip]
const GREETINGS: &[&str] = &[
    "hi", "hello", "hey", "good morning", "good evening", "good afternoon", "greetings", "howdy",
    "hey there", "hi there", "hello there", "how are you", "how is it going", "what is up",
    "how are you doing", "how do you do",
];

#[rustfmt::skip]
const THANKS: &[&str] = &[
    "thanks", "thank you", "thanks a lot", "many thanks", "cheers", "bye", "goodbye", "see you",
    "good night", "thank you very much", "thanks so much", "see you later", "see you tomorrow",
];

#[rustfmt::skip]
const ABOUT: Phrases = Phrases::of(&[
    "who are you", "what are you", "what can you do", "are you a", "are you an", "are you real",
    "are you human", "how do you work", "how does this work", "what is this", "can you help",
    "can you help me", "could you help me", "help", "help me", "what should i do", "what now",
    "how do i start", "what can i do here", "are you there", "what is your name",
    "which model are you", "what model are you",
]);

#[rustfmt::skip]
const STATUS: Phrases = Phrases::of(&[
    "what am i working on", "what are we working on", "what was i working on", "status",
    "which efforts", "which topics", "what efforts", "what topics", "what is open",
    "what is still open", "what else is open", "what is active", "list efforts", "list my efforts",
    "list all efforts", "list the efforts", "list topics", "list my topics", "list all topics",
    "list open efforts", "list everything", "show efforts", "show my efforts", "show all efforts",
    "show me all efforts", "show me my efforts", "show me the efforts", "show me all topics",
    "show me my topics", "how many efforts", "how many topics", "where were we", "where are we",
    "overview", "give me an overview", "what do we have open", "what do i have open",
    "what have i got open", "what is the status", "how is it standing", "what is on my plate",
    "show status", "show the status", "show me the status", "give me the status",
    "what have we been working on", "what is currently open", "is anything open",
    "do we have anything open", "do i have anything open", "what have we talked about",
    "what else did we talk about", "what else have we talked about", "what have we done so far",
    "what did we talk about so far", "what have we discussed",
]);

/// Words behind a request for a list that add nothing to it.
const LISTING_TAIL: &[&str] = &["right", "far", "moment", "currently", "today", "present", "open"];

#[rustfmt::skip]
const COLLAPSE: Phrases = Phrases::of(&[
    "collapse", "hide", "fold", "put away", "that is enough of", "that is enough about",
    "enough of", "enough about", "i have seen enough of", "i have seen enough",
    "you can collapse", "you can hide", "close the log of", "hide the log of",
    "collapse the log of", "lets collapse", "i do not need the details of",
    "i do not need the details", "i no longer need the details of", "i no longer need the details",
]);

#[rustfmt::skip]
const RESUME: Phrases = Phrases::of(&[
    "back to", "go back to", "get back to", "lets get back to", "lets go back to", "lets return to",
    "return to", "switch to", "switch over to", "switch back to", "lets switch to",
    "lets switch back to", "lets jump back to", "jump back to", "jump to", "resume", "lets resume",
    "continue with", "continue on", "lets continue with", "lets continue", "continue", "go on with",
    "lets go on with", "carry on with", "lets carry on with", "pick up", "lets pick up", "reopen",
    "lets reopen", "re-open", "over to", "can we go back to", "can we get back to",
    "can we switch to", "could we switch to", "could we go back to", "can you switch to",
    "can you reopen", "could you reopen", "can we reopen", "can we continue with",
    "can we continue", "i want to go back to", "i want to go on with", "i would like to go on with",
    "i want to carry on with", "i want to get back to", "i want to return to",
    "i want to continue with", "i want to continue", "i want to reopen", "i want to resume",
    "i want to pick up", "i would like to go back to", "i would like to get back to",
    "i would like to continue", "i would like to continue with", "i would like to reopen",
    "i would like to resume", "i need to get back to", "we need to reopen", "i need to reopen",
    "lets keep going with", "keep going with", "lets go on working on", "lets revisit", "revisit",
    "lets go over to", "can we pick up",
]);

/// Everything that a message asks for, in order; at least one intent.
pub(super) fn intents(message: &str) -> Vec<Intent> {
    let sentences = clauses(message);
    let last = sentences.len().saturating_sub(1);
    // In a long message, such as a pasted log, what is asked for stands at one of its ends.
    let is_long = sentences.len() > 6 || message.len() > 800;
    let mut found: Vec<Intent> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        if is_long && at != 0 && at != last {
            continue;
        }
        for intent in of_sentence(sentence) {
            if !found.contains(&intent) {
                found.push(intent);
            }
        }
    }
    join_questions(&mut found);
    join_conclusions(&mut found);
    let acts = |intent: &Intent| intent.acts();
    if found.iter().any(acts) {
        found.retain(acts);
    } else {
        found.sort_by_key(Intent::rank);
        found.truncate(1);
    }
    if found.is_empty() { vec![Intent::Talk] } else { found }
}

/// "What was the fix? Show me the full log": one question, however it is put.
fn join_questions(found: &mut Vec<Intent>) {
    let query = |intent: &Intent| match intent {
        Intent::Recall(query) | Intent::Question(query) => Some(query.clone()),
        _ => None,
    };
    let queries: Vec<recall::Query> = found.iter().filter_map(query).collect();
    let Some(depth) = queries.iter().map(|query| query.depth).max() else { return };
    let bare = |intent: &Intent| matches!(intent, Intent::Recall(q) if q.words.is_empty());
    let about = queries.into_iter().find(|query| !query.words.is_empty());
    if let (Some(about), Some(at)) = (about, found.iter().position(bare)) {
        found[at] = Intent::Recall(recall::Query { depth, ..about });
        found.truncate(at + 1);
    }
}

/// "That fixed it, we're done with the bug": one conclusion, or the active effort's successor would be
/// closed as well.
fn join_conclusions(found: &mut Vec<Intent>) {
    let named =
        |intent: &Intent| matches!(intent, Intent::Close { topic, .. } if !topic.is_empty());
    let mut keeps_unnamed = !found.iter().any(named);
    found.retain(|intent| match intent {
        Intent::Close { topic, .. } if topic.is_empty() => std::mem::take(&mut keeps_unnamed),
        _ => true,
    });
}

fn of_sentence(sentence: &Sentence<'_>) -> Vec<Intent> {
    if let Some(content) = noting::content(sentence) {
        return vec![Intent::Remember { content }];
    }
    let all = words::words(sentence.text);
    let whole = skip_lead_ins(&all);
    if let Some(intent) = of_whole(&all, whole, sentence.asks) {
        return vec![intent];
    }
    let parts = words::parts(sentence.text);
    let conditional = closing::is_conditional(whole);
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let asks = sentence.asks && at + 1 == parts.len();
        let part = skip_lead_ins(part);
        let following = parts.get(at + 1).map_or(&[][..], Vec::as_slice);
        let preceding = at.checked_sub(1).map_or(&[][..], |before| &parts[before]);
        let intent = of_part(part, following, asks, conditional || sentence.asks);
        found.extend(intent.or_else(|| opening::help_after(part, preceding)));
    }
    if found.is_empty() {
        found.push(if recall::is_question(whole, sentence.asks) {
            Intent::Question(recall::plain(whole))
        } else {
            Intent::Talk
        });
    }
    found
}

/// Intents that a comma cannot cut apart.
fn of_whole(all: &[String], words: &[String], asks: bool) -> Option<Intent> {
    let is = |phrases: &[&str]| phrases.iter().any(|phrase| all.join(" ") == *phrase);
    let short = all.len() <= 8;
    if is(GREETINGS) || words.is_empty() && after_any(all, GREETINGS).is_some() {
        return Some(Intent::Greeting);
    }
    if is(THANKS) || short && !asks && after_any(all, THANKS).is_some_and(is_polite) {
        return Some(Intent::Thanks);
    }
    if asks && chatter::asks_about_memory(words) {
        return Some(Intent::Memory);
    }
    if let Some(rest) = ABOUT.after(words) {
        let open_ended = after_any(words, &["are you a", "are you an"]).is_some();
        if rest.is_empty() || open_ended {
            return Some(Intent::About);
        }
    }
    if let Some(rest) = STATUS.after(words) {
        let topic = opening::topic(rest);
        let idle =
            |word: &String| words::is_stop_word(word) || LISTING_TAIL.contains(&word.as_str());
        let listed =
            rest.iter().all(idle) || asks || contains_any(rest, &["efforts", "topics", "open"]);
        let about_one = after_any(rest, &["of", "on", "for"]).is_some() && !topic.is_empty();
        if listed || about_one {
            return Some(Intent::Status { topic: if about_one { topic } else { Vec::new() } });
        }
    }
    let intent = collapse(words, asks).or_else(|| resume(words));
    let intent = intent.or_else(|| recall::query(words, asks).map(Intent::Recall));
    intent.or_else(|| chatter::beyond(words).map(Intent::Beyond))
}

fn of_part(part: &[String], following: &[String], asks: bool, guarded: bool) -> Option<Intent> {
    let closed = if !guarded || asks { closing::close(part, guarded) } else { None };
    let resumed = closed.or_else(|| resume(part));
    resumed.or_else(|| opening::open(part, following)).or_else(|| collapse(part, asks))
}

fn collapse(words: &[String], asks: bool) -> Option<Intent> {
    let polite = after_any(words, &["can you", "could you", "would you"]);
    let enough = after(words, "that is enough");
    let enough = enough.filter(|rest| rest.iter().all(|word| words::is_stop_word(word)));
    let rest = COLLAPSE.after(polite.unwrap_or(words)).or(enough)?;
    (!asks || polite.is_some()).then(|| Intent::Collapse { topic: opening::topic(rest) })
}

fn resume(words: &[String]) -> Option<Intent> {
    let topic = match RESUME.after(words) {
        Some(rest) => opening::topic(rest),
        None => again(words)?,
    };
    (!topic.is_empty()).then_some(Intent::Resume { topic })
}

/// "Let's work on X again", "let's do X again".
fn again(words: &[String]) -> Option<Vec<String>> {
    let head = words.strip_suffix(&["again".to_owned()])?;
    match opening::open(head, &[])? {
        Intent::Open { topic, .. } => Some(topic),
        _ => None,
    }
}

fn is_polite(rest: &[String]) -> bool {
    #[rustfmt::skip]
const POLITE: &[&str] = &[
    "for", "so", "very", "much", "a", "lot", "your", "the", "help", "and", "bye", "you", "all",
    "that", "now", "today", "later", "this", "was", "helpful", "great", "again", "everything",
];
    rest.iter().all(|word| POLITE.contains(&word.as_str()))
}
