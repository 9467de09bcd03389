//! "Let's debug the auth bug", "help me plan my trip", "new topic: taxes": the start of an effort, and
//! the name that it gets.

use std::iter::once;

use super::intent::{Intent, Strength};
use super::phrases::{Phrases, after, after_any};
use super::words::{is_stop_word, owned};
use crate::letters::is_part_of_word;

/// Asks for an effort in so many words.
#[rustfmt::skip]
const EXPLICIT: Phrases = Phrases::of(&[
    "new topic", "a new topic", "new effort", "a new effort", "new project", "new subject",
    "next topic", "another topic", "different topic", "a different topic", "open an effort",
    "open a new effort", "open effort", "open a topic", "open a new topic", "start an effort",
    "start a new effort", "start effort", "start a new topic", "start a topic",
    "start a new project", "create an effort", "create a new effort", "begin an effort",
    "begin a new effort", "change of topic", "change of subject", "topic",
]);

/// Says that somebody wants something to happen; the verb follows.
#[rustfmt::skip]
const WISHES: Phrases = Phrases::of(&[
    "lets", "let us", "let me", "i want to", "i want you to help me", "we want to",
    "i would like to", "i would love to", "i would like you to help me", "time to", "it is time to",
    "can we", "could we", "shall we", "may we", "how about we", "can you help me",
    "can you help me to", "can you please help me", "could you help me", "could you help me to",
    "could you please help me", "would you help me", "please help me", "help me", "help me to",
    "help us", "i would like your help to", "i am going to", "we are going to", "i am trying to",
    "we are trying to", "i am", "we are", "i plan to", "i think we should", "i think i should",
    "i think we need to", "i would like help", "can you", "could you", "lets try to", "i hope to",
    "i am about to", "i would like to start", "lets also", "i also want to", "i now want to",
    "i also would like to", "i would also like to", "lets now", "lets start", "lets begin",
    "can we start", "can we now", "can we also", "i have decided to", "i would like to finally",
    "i really want to", "i finally want to", "lets finally", "lets quickly", "lets first",
    "you and i should",
]);

/// Says that something must be done, which is more often a step than a topic.
#[rustfmt::skip]
const DUTIES: Phrases = Phrases::of(&[
    "i need to", "we need to", "i have to", "we have to", "i must", "we must", "i should",
    "we should", "i will", "we will", "i also need to", "i still need to", "we also need to",
    "i also have to", "i am supposed to", "i have got to", "i got to", "i need you to help me",
]);

/// Asks for help with a topic.
#[rustfmt::skip]
const HELP: Phrases = Phrases::of(&[
    "help me with", "can you help me with", "could you help me with", "can you help with",
    "could you help with", "please help me with", "please help with", "help with",
    "i need help with", "i need help on", "i need some help with", "i need your help with",
    "i could use some help with", "i could use help with", "i need advice on",
    "i need some advice on", "i need advice about", "i would like help with",
    "i would like some help with", "we need help with", "i want help with",
    "would you help me with", "can you give me a hand with", "give me a hand with",
    "can you please help me with", "could you please help me with", "can you assist me with",
    "i want your help with", "can i get help with", "can i get some help with",
    "can we have a look at my",
]);

/// States a problem.
#[rustfmt::skip]
const PROBLEMS: Phrases = Phrases::of(&[
    "i have a problem with", "i have got a problem with", "we have a problem with",
    "i have an issue with", "we have an issue with", "i have trouble with",
    "i am having trouble with", "i am having problems with", "i have problems with",
    "i am struggling with", "i am stuck on", "i am stuck with", "there is a problem with",
    "there is an issue with", "i have a question about", "i have some questions about",
    "i have questions about", "i need a recipe for", "i need a plan for", "i need ideas for",
    "i need an idea for", "i have an idea for", "i have a new idea for",
]);

/// Verbs that start work on a topic.
#[rustfmt::skip]
const WORK: Phrases = Phrases::of(&[
    "work on", "get to work on", "get started on", "get started with", "get going on",
    "start work on", "start on", "start with", "start", "begin with", "begin", "kick off", "tackle",
    "debug", "troubleshoot", "plan out", "plan for", "plan", "design", "organise", "organize",
    "prepare for", "prepare", "focus on", "concentrate on", "move on to", "turn to", "talk about",
    "talk through", "discuss", "brainstorm about", "brainstorm", "research", "sort out",
    "go to work on", "get into", "dive into", "chat about", "speak about", "look at the topic of",
]);

/// Verbs that start a topic even where something merely must be done.
#[rustfmt::skip]
const TALK: Phrases = Phrases::of(&[
    "talk about", "talk through", "discuss", "plan", "work on", "move on to", "turn to",
    "speak about",
]);

/// Verbs that may as well be a step in work under way.
#[rustfmt::skip]
const STEPS: Phrases = Phrases::of(&[
    "look into", "look at", "take a look at", "have a look at", "fix", "write", "make", "create",
    "cook", "bake", "find", "choose", "pick", "buy", "book", "improve", "review", "compare",
    "understand", "train for", "save for", "save", "do some", "do the", "do my", "do our",
    "save up for", "repair", "paint", "clean", "decide on", "go through", "think about",
    "think through", "update", "rewrite", "translate", "edit", "sell", "rent", "move to",
    "apply for", "estimate", "calculate", "set up", "figure out", "refactor", "implement", "build",
    "develop", "draft", "learn about", "learn", "study for", "study", "practise", "practice",
    "renovate", "optimise", "optimize", "investigate", "solve", "open", "migrate", "outline",
    "analyse", "analyze", "work through", "work out", "deal with", "address", "dig into", "explore",
    "lose", "redo", "redecorate", "come up with", "put together", "track down", "get rid of",
    "speed up", "clean up", "go over", "handle", "teach me", "explain",
]);

/// Says what somebody wants for themselves, ...
const OWN: Phrases = Phrases::of(&[
    "i want to",
    "i would like to",
    "i would love to",
    "help me",
    "can you help me",
    "i am",
]);

/// ... which with these verbs is a topic of its own, whatever else is open.
#[rustfmt::skip]
const MAKING: Phrases = Phrases::of(&[
    "write", "organise", "organize", "renovate", "learn", "study for", "bake", "cook", "apply for",
    "writing", "organising", "organizing", "learning",
]);

/// What goes on about a problem, behind the thing that has it.
#[rustfmt::skip]
const DEFECTS: Phrases = Phrases::of(&[
    "is slow", "is so slow", "is too slow", "is very slow", "is broken", "is down", "is not working",
    "does not work", "stopped working", "keeps", "crashes", "is crashing", "is failing", "fails",
    "leaks", "is leaking", "will not start", "does not start", "is stuck", "are broken", "are slow",
    "do not work", "are failing", "fail",
]);

/// Verbs that start a sentence by themselves.
const IMPERATIVES: &[(&str, Strength)] = &[
    ("start", Strength::Work),
    ("begin", Strength::Work),
    ("open", Strength::Work),
    ("work on", Strength::Work),
    ("start on", Strength::Work),
    ("start with", Strength::Work),
    ("debug", Strength::Work),
    ("plan", Strength::Work),
    ("on to", Strength::Work),
    ("move on to", Strength::Work),
    ("moving on to", Strength::Work),
    ("tackle", Strength::Work),
    ("plan out", Strength::Work),
    ("fix", Strength::Weak),
    ("write", Strength::Weak),
    ("draft", Strength::Weak),
    ("design", Strength::Weak),
    ("investigate", Strength::Weak),
];

/// Words behind an imperative that show that it was a noun: "plan is to leave early".
const NO_OBJECTS: &[&str] =
    &["is", "was", "are", "were", "date", "by", "to", "at", "time", "b", "a."];

/// Words that never become part of a name.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "again", "anything", "asap", "bit", "called", "effort", "else", "first", "finally", "good",
    "help", "instead", "little", "named", "new", "next", "now", "please", "quick", "quickly",
    "session", "something", "somehow", "soon", "start", "stuff", "subject", "thing", "things",
    "today", "together", "tomorrow", "tonight", "topic", "try", "work", "working", "proper",
    "thread", "everything", "that", "thought", "question", "myself", "ourselves", "same", "old",
    "through", "across", "around", "within", "between", "during", "against",
];

/// Words that end a name once it has begun.
const ENDS: &[&str] = &[
    "because", "since", "before", "until", "when", "while", "which", "that", "who", "if", "but",
    "so", "where", "as", "after", "is", "are", "was", "were", "has", "have", "keeps", "again",
    "without", "using", "instead", "please", "now", "need", "needs", "want", "wants",
];

/// The most words of a name.
const MOST_WORDS: usize = 4;

/// The wish for a new effort in a part of a sentence. `following` is the part behind the comma or
/// colon, which may hold the topic.
pub(super) fn open<W: AsRef<str>>(part: &[W], following: &[W]) -> Option<Intent> {
    let (rest, strength) = request(part)?;
    let mut topic = topic(rest);
    if topic.is_empty() {
        topic = self::topic(following);
    }
    (!topic.is_empty()).then_some(Intent::Open { topic, strength })
}

fn request<W: AsRef<str>>(part: &[W]) -> Option<(&[W], Strength)> {
    let wish = WISHES.after(part);
    let duty = DUTIES.after(part);
    let verbs = without_adverbs(duty.or(wish).unwrap_or(part));
    if let Some(rest) = EXPLICIT.after(verbs) {
        return Some((rest, Strength::Explicit));
    }
    if let Some(rest) = HELP.after(part) {
        return Some((rest, Strength::Work));
    }
    if let Some(rest) = PROBLEMS.after(part) {
        return Some((rest, Strength::Weak));
    }
    if let Some(thing) = defective(part) {
        return Some((thing, Strength::Weak));
    }
    let is_step = duty.is_some() && TALK.after(verbs).is_none();
    let weakest = if is_step { Strength::Weak } else { Strength::Work };
    let own = OWN.after(part).is_some_and(|rest| rest.len() > 2);
    if let Some(rest) = MAKING.after(verbs).filter(|_| own) {
        return Some((rest, Strength::Work));
    }
    match duty.or(wish).and_then(|_| verb(verbs)) {
        Some((rest, strength)) => Some((rest, strength.min(weakest))),
        None => imperative(part),
    }
}

/// "My website is slow": what has the problem.
fn defective<W: AsRef<str>>(part: &[W]) -> Option<&[W]> {
    let rest = after_any(part, &["my", "our", "the"])?;
    let subject = (1..=3.min(rest.len())).find(|&at| DEFECTS.after(&rest[at..]).is_some())?;
    Some(&rest[..subject])
}

fn without_adverbs<W: AsRef<str>>(words: &[W]) -> &[W] {
    const ADVERBS: &[&str] = &[
        "also", "now", "finally", "really", "first", "next", "quickly", "maybe", "just", "please",
        "then",
    ];
    let adverb = |word: &&W| ADVERBS.contains(&word.as_ref());
    &words[words.iter().take_while(adverb).count()..]
}

/// "My laptop keeps crashing, can you help me?": the topic stands before the request.
pub(super) fn help_after(part: &[String], preceding: &[String]) -> Option<Intent> {
    after_any(
        part,
        &["can you help", "could you help", "please help", "help me", "can you please help"],
    )?;
    let topic = topic(preceding);
    (!topic.is_empty()).then_some(Intent::Open { topic, strength: Strength::Weak })
}

/// What follows a verb, in its plain form or as a gerund, and how much it asks for.
fn verb<W: AsRef<str>>(words: &[W]) -> Option<(&[W], Strength)> {
    let words = after_any(words, &["start", "begin", "with"])
        .filter(|rest| rest.first().is_some_and(|word| word.as_ref().ends_with("ing")))
        .unwrap_or(words);
    let plain: Vec<String> = words
        .split_first()
        .map(|(first, rest)| once(infinitive(first.as_ref())).chain(owned(rest)).collect())
        .unwrap_or_default();
    [(WORK, Strength::Work), (STEPS, Strength::Weak)]
        .into_iter()
        .filter_map(|(verbs, strength)| {
            let left = verbs.after(&plain)?.len();
            Some((left, strength))
        })
        .min_by_key(|(left, _)| *left)
        .map(|(left, strength)| (&words[words.len() - left..], strength))
}

/// "planning" as "plan", "writing" as "write"; other words as they are.
fn infinitive(word: &str) -> String {
    let Some(head) = word.strip_suffix("ing") else { return word.to_owned() };
    let known = |verb: &str| WORK.begin_with(verb) || STEPS.begin_with(verb);
    let undoubled: String = head.chars().take(head.chars().count().saturating_sub(1)).collect();
    let forms = [head.to_owned(), format!("{head}e"), undoubled];
    forms.into_iter().find(|form| known(form)).unwrap_or_else(|| word.to_owned())
}

fn imperative<W: AsRef<str>>(part: &[W]) -> Option<(&[W], Strength)> {
    if let Some(found) = after(part, "working on").or_else(|| after(part, "start working on")) {
        return Some((found, Strength::Work));
    }
    let found = IMPERATIVES
        .iter()
        .filter_map(|(verb, strength)| Some((after(part, verb)?, *strength)))
        .min_by_key(|(rest, _)| rest.len())?;
    let noun = found.0.first().is_none_or(|word| NO_OBJECTS.contains(&word.as_ref()));
    (!noun).then_some(found)
}

/// The words of a topic that make its name, at most four.
pub(super) fn topic(words: &[impl AsRef<str>]) -> Vec<String> {
    let mut topic: Vec<&str> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        let ends = ENDS.contains(&word) || (word == "for" && topic.len() > 1);
        if !topic.is_empty() && ends || topic.len() == MOST_WORDS {
            break;
        }
        if !is_stop_word(word) && !FILLERS.contains(&word) && !topic.contains(&word) {
            topic.push(word);
        }
    }
    owned(&topic)
}

/// The name of an effort about a topic.
pub(super) fn slug(topic: &[String]) -> String {
    let joined = topic.join("-");
    let parts: Vec<&str> =
        joined.split(|c: char| !is_part_of_word(c)).filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
