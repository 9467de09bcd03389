//! "That fixed it", "we're done with X", "wrap this up": the end of an effort. Reads a doubt, a
//! question, a condition or a negation as work that goes on.

use super::intent::Intent;
use super::opening;
use super::phrases::Phrases;
use super::words::{is_stop_word, owned, words};
use crate::letters::is_part_of_word;

/// Whatever stands in such a sentence is not concluded yet.
#[rustfmt::skip]
const CONDITIONS: Phrases = Phrases::of(&[
    "if", "when", "once", "unless", "until", "after", "before", "as soon as", "whenever", "in case",
]);

/// Words that turn a conclusion around.
#[rustfmt::skip]
const DOUBTS: Phrases = Phrases::of(&[
    "not", "never", "almost", "nearly", "half", "partly", "partially", "until", "hardly",
    "no longer", "for today", "for tonight", "for now", "for the day", "should be", "would be",
    "will be", "wish", "hope", "hopefully", "if", "when", "once", "before", "after", "to be",
    "have to", "need to", "needs to", "must be", "wants", "far from", "cannot", "with today",
]);

/// Words that make what was told the end of a step, not of the work; an effort may bear such a name.
const STEPS: Phrases = Phrases::of(&["step", "part", "chapter"]);

/// Asks to conclude, with what follows as the topic.
#[rustfmt::skip]
const REQUESTS: Phrases = Phrases::of(&[
    "close", "conclude", "finish", "finish up", "wrap up", "wrap", "finalise", "finalize",
    "complete", "mark", "close out", "sign off", "sign off on",
]);

/// What may stand before such a request.
#[rustfmt::skip]
const POLITE: Phrases = Phrases::of(&[
    "lets", "let us", "you can", "we can", "can we", "can you", "could we", "could you", "shall we",
    "i want to", "i would like to", "time to", "it is time to", "i think we can", "you may",
    "we may", "would you", "i think you can", "can you please", "could you please",
    "i think you may", "you can now", "we can now",
]);

/// Says that work is complete, wherever it stands.
#[rustfmt::skip]
const CONCLUSIONS: Phrases = Phrases::of(&[
    "that fixed it", "that fixes it", "this fixed it", "this fixes it", "that did it",
    "that did the trick", "that solved it", "that solves it", "that resolved it", "case closed",
    "problem solved", "issue resolved", "bug fixed", "problem fixed", "it works now", "works now",
    "it is working now", "everything works now", "it all works", "ship it", "lgtm",
    "that is settled", "settled then", "call it done", "mission accomplished", "nailed it",
    "that settles it", "that concludes", "i consider this done", "i call this done",
    "that wraps it up", "that wraps this up", "that was the fix", "all sorted", "all settled",
    "that sorts it", "that sorted it", "consider it done", "consider this done",
]);

/// Says so only when it is all that a part of a sentence says.
#[rustfmt::skip]
const WHOLE: Phrases = Phrases::of(&[
    "done", "all done", "finished", "all finished", "solved", "resolved", "sorted", "settled",
    "fixed", "all fixed", "we are done", "i am done", "that is it", "that is all",
    "that is everything", "that worked", "works", "it is working", "it worked", "it works",
    "we are finished", "i am finished", "that is done", "we are all set", "all set", "we are good",
    "that will do", "that is that", "all good", "everything is done", "job done", "it is done",
    "this is done", "complete", "completed", "we are done here", "i am done here",
    "we are finished here", "we can stop here", "we are through", "we have finished", "we finished",
    "i have finished", "that is all for this", "we have solved it", "we solved it", "i solved it", "i fixed it", "we fixed it", "i have fixed it",
    "we have fixed it", "close", "done and dusted",
]);

/// Says of a topic that it is complete; the topic follows.
#[rustfmt::skip]
const DONE_WITH: Phrases = Phrases::of(&[
    "done with", "we are done with", "i am done with", "i am finished with", "we are finished with",
    "finished with", "we are through with", "all done with", "we can stop with",
]);

/// Says so, too, if the topic is known; else it tells of a step.
#[rustfmt::skip]
const HAVE_DONE: Phrases = Phrases::of(&[
    "that is it for", "that is all for", "that is all on", "that is everything for",
    "i have finished", "we have finished", "that is everything on", "enough for",
    "that is enough for", "i am happy with", "we have solved", "i have solved", "we have completed",
    "i have completed", "i have fixed", "we have fixed", "that fixed", "that fixes", "that solved",
    "that concludes",
]);

/// Says of a topic that it is complete; the topic stands before.
#[rustfmt::skip]
const IS_DONE: Phrases = Phrases::of(&[
    "is done", "is fixed", "is solved", "is resolved", "is finished", "is settled", "is sorted",
    "is complete", "is completed", "are done", "are fixed", "are settled", "are finished",
    "is closed", "are sorted", "are solved", "is sorted out", "is wrapped up", "is concluded",
    "can be closed",
]);

/// Small words that may stand behind a conclusion.
#[rustfmt::skip]
const TAIL: &[&str] = &[
    "thanks", "thank", "you", "now", "then", "here", "cheers", "great", "job", "work", "finally",
    "please", "all", "and", "so", "much", "good", "for", "everyone", "mate", "perfect", "nice", "a",
    "lot", "completely", "i", "think",
];

/// Whether a sentence speaks of what would be, not of what is.
pub(super) fn is_conditional(words: &[String]) -> bool {
    CONDITIONS.after(words).is_some()
}

/// The end of an effort in a part of a sentence. `guarded` if the sentence asks or makes a condition:
/// then only a polite request counts.
pub(super) fn close<W: AsRef<str>>(part: &[W], guarded: bool) -> Option<Intent> {
    let part = without_opinion(part);
    if DOUBTS.stand_in(part) {
        return None;
    }
    if let Some(intent) = requested(part) {
        let polite = POLITE.after(part).is_some();
        return Some(intent).filter(|_| polite || !guarded);
    }
    let told = (!guarded).then(|| stated(part)).flatten()?;
    let plain = matches!(told, Intent::Close { plain: true, .. });
    Some(told).filter(|_| plain || !STEPS.stand_in(part))
}

/// The effort that somebody named, if the words are its whole name: one with other words in it, or with more,
/// is another effort.
pub(super) fn named<'a>(said: &[String], ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let small = |word: &&String| is_state(word) || AROUND_A_NAME.contains(&word.as_str());
    let bare = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !small(word)).cloned().collect()
    };
    let ways = [said.to_vec(), trim_tail(said).to_vec(), bare(said), bare(trim_tail(said))];
    let ways = ways.map(|way| spelled(&way.join(" ")));
    let closeness = |id: &str| {
        let name = spelled(id);
        ways.iter().position(|way| !way.is_empty() && *way == name)
    };
    let found = ids.filter_map(|id| Some((closeness(id)?, id)));
    found.min_by_key(|(closeness, _)| *closeness).map(|(_, id)| id)
}

/// A name as words, whether spaces or hyphens hold it together.
fn spelled(name: &str) -> Vec<String> {
    words(&name.replace(|c: char| !is_part_of_word(c), " "))
}

fn requested<W: AsRef<str>>(part: &[W]) -> Option<Intent> {
    let verbs = POLITE.after(part).unwrap_or(part);
    let rest = REQUESTS.after(verbs)?;
    let words: Vec<&str> = rest.iter().map(W::as_ref).filter(|word| !is_state(word)).collect();
    let marks = verbs.first().is_some_and(|verb| verb.as_ref() == "mark");
    (!marks || words.len() < rest.len()).then(|| Intent::Close {
        said: owned(rest),
        topic: topic(&words),
        plain: true,
    })
}

fn stated<W: AsRef<str>>(part: &[W]) -> Option<Intent> {
    let close =
        |said: &[W], plain| Some(Intent::Close { said: owned(said), topic: topic(said), plain });
    if let Some(rest) = DONE_WITH.after(part) {
        return close(rest, true);
    }
    if part.len() <= 10 && CONCLUSIONS.stand_in(part) {
        return close(&[], false);
    }
    if let Some(rest) = HAVE_DONE.after(part) {
        return close(rest, false);
    }
    let trimmed = trim_tail(part);
    if [part, trimmed].into_iter().any(|said| WHOLE.are_all_of(said)) {
        return close(&[], false);
    }
    let subject = (0..trimmed.len()).find(|&at| IS_DONE.are_all_of(&trimmed[at..]))?;
    close(&trimmed[..subject], false)
}

/// Words around a name that are no part of it, unless an effort's name holds them.
#[rustfmt::skip]
const AROUND_A_NAME: &[&str] = &[
    "the", "a", "an", "my", "our", "this", "that", "to", "of", "for", "in", "on", "at", "with",
    "about", "one", "effort", "topic", "thread", "please", "now",
];

/// Words that mean the active effort when nothing else names one and no effort is called so.
#[rustfmt::skip]
const THE_ACTIVE: &[&str] = &[
    "effort", "topic", "thread", "session", "subject", "thing", "things", "everything", "stuff",
    "question", "that", "now", "today", "finally", "please", "quick", "quickly",
];

/// The topic that is concluded; empty for "it", "this" or "everything".
fn topic<W: AsRef<str>>(words: &[W]) -> Vec<String> {
    // Work may be what somebody goes to in the morning; this work, or the work, is the one at hand.
    let points = |word: &W| ["this", "that", "the", "our"].contains(&word.as_ref());
    if words.last().is_some_and(|last| last.as_ref() == "work") && !words.iter().any(points) {
        return owned(words);
    }
    let words = trim_tail(words);
    let named = opening::topic(words);
    if !named.is_empty() {
        return named;
    }
    // "The old one" is not the active one, whichever it is.
    let says = |word: &&str| !is_stop_word(word) && !THE_ACTIVE.contains(word);
    words.iter().map(W::as_ref).filter(says).map(str::to_owned).collect()
}

fn is_state(word: &str) -> bool {
    ["done", "complete", "completed", "closed", "finished", "up", "off", "as", "solved"]
        .contains(&word)
}

fn without_opinion<W: AsRef<str>>(part: &[W]) -> &[W] {
    #[rustfmt::skip]
const OPINIONS: Phrases = Phrases::of(&[
    "i think", "i guess", "i believe", "i would say", "looks like", "it looks like", "i am glad",
]);
    OPINIONS.after(part).unwrap_or(part)
}

fn trim_tail<W: AsRef<str>>(words: &[W]) -> &[W] {
    let said = words.iter().rposition(|word| !TAIL.contains(&word.as_ref()));
    said.map_or(&[], |last| &words[..=last])
}
