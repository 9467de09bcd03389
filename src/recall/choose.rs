//! Which of what was found is worth a place before the answer.

use super::asking::{Asked, SIGNS, is_long};
use super::call::{Call, call, names_something};
use super::language::Wording;
use super::said::{self, Hit, Passage};
use super::terms;

/// Efforts, texts and stretches of talk of which something is looked at.
pub const MOST_HITS: usize = 12;

/// A hit that scores less than this part of the best one is hardly meant.
const LEAST_OF_BEST: f64 = 0.35;

/// Passages for one that asks something all the same.
const MOST_FOR_LONG: usize = 2;

/// Passages for a question within an effort: much that it needs is in the log, which is in the window.
const MOST_WITHIN_EFFORT: usize = 5;

/// The same for what asks nothing and is brief or long.
const MOST_FOR_TASK: usize = 1;

/// Passages for what tells something at least: what it goes on with, or what speaks against it.
const MOST_FOR_STATEMENT: usize = 2;

/// Passages for a message of which it is not clear that it calls for any.
pub(super) const MOST_IF_UNCLEAR: usize = 3;

/// Passages for a question that asks for what is so anywhere, or in words of every day alone.
const MOST_OF_ANY: usize = 2;

/// Passages for what is named and asked for by courtesy alone.
const MOST_FOR_PLEA: usize = 3;

/// What a passage has to share with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Any word.
    Any,
    /// Any word but one of grammar, as somebody said another one of it.
    Saying,
    /// The same within an effort, where telling ones were said: a telling one, or several of every day.
    Much,
    /// One that is telling: it is unclear whether anything is called for.
    Telling,
    /// What was seldom said, where nothing is telling.
    Seldom,
    /// One that was rarely said: the message asks nothing besides, and is brief.
    Rare,
}

/// What a message is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// How many passages may be recalled for it.
    pub most: usize,
    /// What a passage has to hold for it.
    pub(super) takes: Takes,
    /// It asks nothing and shares little: what is recalled may be about something else.
    pub may_be_else: bool,
    /// It asks for what is so anywhere, as far as its words tell.
    pub is_of_any: bool,
}

impl Worth {
    /// Whether a passage may be recalled for a message.
    pub fn fits(self, message: &str, passage: &Passage) -> bool {
        let holds = match self.takes {
            Takes::Any => true,
            Takes::Saying => says_something(passage),
            Takes::Much => is_telling(passage) || passage.is_of_day || passage.shared() > 1,
            Takes::Telling => is_telling(passage),
            Takes::Seldom => is_seldom(passage),
            Takes::Rare => passage.rare > 0,
        };
        holds && may_mean(message, passage)
    }
}

/// What may be recalled for a message. Within an effort it is less, and least for what is long or says little: that is mostly
/// about its log, which is in the window.
pub fn worth_recalling(message: &str, hits: &[Hit], is_within_effort: bool) -> Worth {
    let asked = Asked::new(message);
    let call = call(&asked, hits);
    let most = match call {
        Call::None => 0,
        _ if is_within_effort => worth_within_effort(&asked, hits),
        _ => worth(&asked, hits).min(most_for(message)),
    };
    let is_unclear = call == Call::Unclear;
    let is_of_any = asks_of_any(&asked, hits);
    let most = match () {
        () if is_of_any => most.min(MOST_OF_ANY),
        () if asked.asks() && asked.wording().names_and_pleads() => most.min(MOST_FOR_PLEA),
        () => most,
    };
    let states = call != Call::None && asked.states();
    let most = if states { most.max(MOST_FOR_STATEMENT) } else { most };
    let most = if is_unclear { most.min(MOST_IF_UNCLEAR) } else { most };
    let may_be_else = is_unclear && !asked.asks();
    let any = |fits: fn(&Passage) -> bool| hits.iter().flat_map(|hit| &hit.passages).any(fits);
    let takes = match (is_unclear, may_be_else && !states) {
        (false, _) if is_within_effort && any(|one| one.telling > 0) => Takes::Much,
        (false, _) if any(says_something) => Takes::Saying,
        (false, _) => Takes::Any,
        (true, false) if !any(is_telling) && any(is_seldom) => Takes::Seldom,
        (true, false) => Takes::Telling,
        (true, true) => Takes::Rare,
    };
    let most = if takes == Takes::Seldom { most.min(MOST_OF_ANY) } else { most };
    Worth { most, takes, may_be_else, is_of_any }
}

/// Whether a message asks for what is so anywhere, as far as its words and what was said tell.
fn asks_of_any(asked: &Asked, hits: &[Hit]) -> bool {
    asked.asks() && asked.wording().is_of_any() && !names_something(asked, hits)
}

/// Whether a passage holds a telling word of a message, or one that means nearly the same.
fn is_telling(passage: &Passage) -> bool {
    passage.telling + passage.near > 0
}

/// Whether a passage holds of a message what was seldom said: words of every day that are not said every day, or side by side.
fn is_seldom(passage: &Passage) -> bool {
    passage.seldom + passage.pairs > 0
}

/// Whether a passage holds more of a message than words of grammar.
fn says_something(passage: &Passage) -> bool {
    passage.shared() + passage.near > 0
}

/// The most passages for a message of its length, whatever it asks.
pub(super) fn most_for(message: &str) -> usize {
    if is_long(message) { MOST_FOR_LONG } else { usize::MAX }
}

fn worth_within_effort(asked: &Asked, hits: &[Hit]) -> usize {
    let most = if asked.asks() { MOST_WITHIN_EFFORT } else { MOST_FOR_TASK };
    worth(asked, hits).min(most).min(most_for(asked.message))
}

/// Whether anything of what was found matches better than chance: together rarely heard words, or one that nobody
/// uses every day.
pub fn is_match(hits: &[Hit]) -> bool {
    hits.iter().any(|hit| hit.stands_out() || hit.is_telling())
}

/// Whether a passage holds each word of a query that says something: then it is what was looked for, however often those
/// words are said.
pub fn holds_all(query: &str, hits: &[Hit]) -> bool {
    let asked = terms::terms(query).len();
    let mut passages = hits.iter().flat_map(|hit| &hit.passages);
    asked > 0 && passages.any(|passage| passage.words.len() >= asked)
}

/// Whether a passage may be what a message means: it shares a word. A long message shares one with almost everything:
/// there it takes a telling word in what the message asks, or more than one telling word.
fn may_mean(message: &str, passage: &Passage) -> bool {
    let asks_for_it = || {
        let word = passage.words.first().filter(|_| passage.telling > 0);
        word.is_some_and(|word| questions(message).any(|question| question.contains(&**word)))
    };
    let is_clear = passage.telling > 1 || passage.is_of_day;
    passage.holds_any() && (!is_long(message) || is_clear || asks_for_it())
}

/// The sentences of a message that ask.
fn questions(message: &str) -> impl Iterator<Item = &str> {
    let sentences = message.split_inclusive(['.', '!', '?', '？', '؟', '。', '\n']);
    sentences.filter(|sentence| sentence.ends_with(SIGNS))
}

/// How many passages a message is worth. What is recalled is read anew by the server at its full price, and only an
/// answer is worth that: most to a question about the past or about somebody, little to one about anything else, least
/// to what asks nothing; there a few only if it is not clear which one is meant.
fn worth(asked: &Asked, hits: &[Hit]) -> usize {
    const UNCLEAR: f64 = 0.7;
    let best = hits.first().map_or(0.0, |hit| hit.score);
    let unclear = || hits.iter().filter(|hit| hit.score >= best * UNCLEAR).count();
    let is_about_past = asked.wording().is_about_past() || names_something(asked, hits);
    match (asked.asks(), is_about_past) {
        (false, _) => unclear().clamp(1, 6),
        (true, false) => (3 + unclear()).min(6),
        (true, true) => usize::MAX,
    }
}

/// Whether a question is about what happened, or about what belongs to people: only what was said can tell.
pub(super) fn is_about_past(message: &str) -> bool {
    Wording::of(message).is_about_past()
}

/// Whether a passage is a part of a message that is too long for one, or of a large text.
fn is_of_long(hit: &Hit, passage: &Passage) -> bool {
    let is_part = matches!(passage.place, said::Place::Messages { part: Some(_), .. });
    is_part || matches!(hit.source, said::Source::Text(_))
}

/// The passages of the hits in the order in which they deserve a place: what matches well, of what matches well; a
/// further one of the same is worth less than the first.
pub fn in_order<'a>(hits: &'a [Hit]) -> Vec<(&'a Hit, &'a Passage)> {
    /// What a further passage is worth, beside the one before.
    const FURTHER: f64 = 0.85;
    /// And a part of something long, beside what people say themselves: much of that is pasted.
    const OF_LONG: f64 = 0.6;
    let best = hits.first().map_or(0.0, |hit| hit.score);
    let near = hits.iter().filter(|hit| hit.score >= best * LEAST_OF_BEST);
    let of = |hit: &'a Hit| {
        let kind = |passage: &Passage| if is_of_long(hit, passage) { OF_LONG } else { 1.0 };
        let value = move |nth, passage: &Passage| {
            (passage.score + hit.score) * FURTHER.powi(nth) * kind(passage)
        };
        (0..).zip(&hit.passages).map(move |(nth, one)| (value(nth, one), hit, one))
    };
    let mut all: Vec<(f64, &Hit, &Passage)> = near.flat_map(of).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().map(|(_, hit, passage)| (hit, passage)).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::asking::is_brief;
    use super::super::call::is_called_for;
    use super::*;

    #[test]
    fn most_is_recalled_for_questions_about_the_past_and_least_for_what_asks_nothing() {
        let worth = |message| worth(&Asked::new(message), &[]);
        let past = worth("Which node did we find late?");
        let other = worth("How does a lighthouse lens work?");
        assert!(past > other && other > worth("The lens turns.") && worth("The lens turns.") > 0);
    }

    /// An effort of which one passage holds some words; so many of them are telling.
    pub(in crate::recall) fn hit(words: &[&str], telling: usize, chance: f64) -> Hit {
        let passage = Passage {
            turn: 3,
            score: 4.0,
            words: words.iter().map(|word| (*word).into()).collect(),
            telling,
            ..Passage::at(said::Place::Summary)
        };
        let source = said::Source::Ambient;
        Hit { source, score: 5.0, chance, passages: vec![passage], later: Vec::new() }
    }

    #[test]
    fn who_looks_for_words_of_every_day_alone_finds_them() {
        let often = [hit(&["late"], 0, 4.0)];
        assert!(!is_match(&often) && holds_all("late", &often) && holds_all("Late?", &often));
        assert!(!holds_all("late zebra", &often) && !holds_all("the", &often));
    }

    #[test]
    fn what_is_so_anywhere_is_worth_least_of_all_questions() {
        let known = [hit(&["tiles", "oven"], 2, 0.01)];
        let worth = |message| worth_recalling(message, &known, false);
        let any = worth("how long do tiles stay in an oven?");
        assert!(any.is_of_any && any.most == MOST_OF_ANY, "{any:?}");
        let theirs = worth("how long do the tiles stay in our oven?");
        assert!(!theirs.is_of_any && theirs.most > MOST_OF_ANY, "{theirs:?}");
    }

    #[test]
    fn a_brief_statement_calls_for_little_by_a_word_that_was_rarely_said() {
        let mut rare = hit(&["codeine"], 1, 2.0);
        let statement = "doctor gave mum codeine tonight";
        assert_eq!(worth_recalling(statement, std::slice::from_ref(&rare), false).most, 0);
        rare.passages[0].rare = 1;
        let worth = worth_recalling(statement, std::slice::from_ref(&rare), false);
        assert!((1..=MOST_IF_UNCLEAR).contains(&worth.most), "{worth:?}");
        assert!(worth.fits(statement, &rare.passages[0]));
        let often = &hit(&["doctor"], 1, 2.0).passages[0];
        assert!(!worth.fits(statement, often), "only what holds that word");
        let long = format!("{statement}, {}", "and all of us were there with her. ".repeat(5));
        assert_eq!(worth_recalling(&long, &[rare], false).most, 0);
    }

    #[test]
    fn what_tells_something_calls_for_what_was_said_of_it() {
        let often = hit(&["nuts"], 1, 4.0);
        let worth = |message| worth_recalling(message, std::slice::from_ref(&often), true);
        let plan =
            "I'll bring nuts for everybody who comes to the harbour with the children and the dog.";
        assert_eq!(worth(plan).most, MOST_FOR_STATEMENT);
        assert!(worth(plan).fits(plan, &often.passages[0]));
        assert_eq!(worth("The nuts were for everybody.").most, 0);
    }

    #[test]
    fn what_was_pasted_stands_behind_what_people_said() {
        let mut hit = hit(&["clock"], 1, 0.01);
        let place = |part| said::Place::Messages { range: 0..1, part };
        hit.passages = vec![hit.passages[0].clone(); 2];
        hit.passages[0].place = place(Some(0..900));
        hit.passages[1].place = place(None);
        let hits = [hit];
        assert_eq!(in_order(&hits)[0].1.place, place(None));
    }

    #[test]
    fn nouns_are_no_names_where_all_of_them_have_capitals() {
        let names = |message, word| names_something(&Asked::new(message), &[hit(&[word], 1, 2.0)]);
        assert!(names("What does Kwame read?", "Kwame"));
        assert!(!names("Was ist die Hauptstadt von Peru?", "Hauptstadt"));
    }

    #[test]
    fn within_an_effort_questions_recall_little_and_other_messages_least() {
        let worth = |message| worth_within_effort(&Asked::new(message), &[]);
        assert_eq!(worth("Which node did we find late?"), MOST_WITHIN_EFFORT);
        assert_eq!(worth("The keeper of the lens is late."), MOST_FOR_TASK);
    }

    #[test]
    fn without_spaces_a_long_message_is_long_and_a_short_one_brief() {
        let (short, long) = ("我们搬到了梧桐路。", "我们搬到了梧桐路。".repeat(12));
        assert!(is_brief(short) && !is_long(short));
        assert!(!is_brief(&long) && is_long(&long));
    }

    #[test]
    fn a_long_message_brings_what_it_is_about_along() {
        let question = "Which node did we find late?";
        let long = format!("{} {question}", "The clock of the third one was behind.".repeat(6));
        assert_eq!((most_for(&long), most_for(question)), (MOST_FOR_LONG, usize::MAX));
        assert_eq!(worth_within_effort(&Asked::new(&long), &[]), MOST_FOR_LONG);
    }

    #[test]
    fn a_long_message_calls_for_nothing_by_everyday_words_alone() {
        let hit = |telling| hit(&["round", "close"], telling, 0.1);
        let question = "Was it round, or close?";
        let long = format!("{} {question}", "We had much to do again that day.".repeat(6));
        assert!(is_called_for(question, &[hit(0)]) && !is_called_for(&long, &[hit(0)]));
        assert!(is_called_for(&long, &[hit(1)]));
        let (one, two) = (&hit(1).passages[0], &hit(2).passages[0]);
        let elsewhere = format!("A round one. {}", long.replace("round", "flat"));
        assert!(may_mean(question, one) && may_mean(&long, one) && may_mean(&elsewhere, two));
        assert!(!may_mean(&elsewhere, one), "its one telling word stands in no question");
    }
}
