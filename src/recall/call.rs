//! How clearly a message calls for something from the past.

mod known;

use std::sync::Arc;

use super::asking::{Asked, is_brief, is_long};
use super::said::{Hit, Passage};
use super::terms::has_more_words;
use known::Words;

/// How clearly a message calls for something from the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// Not at all.
    None,
    /// It may: little is worth recalling, and that only for its telling words.
    Unclear,
    /// It does.
    Clear,
}

/// With so few words a message that asks nothing is small talk.
const MOST_SAYING_LITTLE: usize = 4;

/// Hits that tell whether something from the past is called for.
const LOOKED_AT: usize = 3;

/// The same for whether a word is a name: at the beginning of a sentence, where it often stands, that cannot be told.
const LOOKED_AT_FOR_NAME: usize = 6;

/// What so many would match as well by chance stands in too many; fewer where no word itself was said, but one that means
/// nearly the same.
const FEW: f64 = 5.0;
const FEWER: f64 = 3.0;

/// Whether a message calls for something from the past at all.
pub fn is_called_for(message: &str, hits: &[Hit]) -> bool {
    call(&Asked::new(message), hits) != Call::None
}

/// The first hits that hold a word of a message.
struct Best<'a> {
    hits: Vec<&'a Hit>,
    /// The message is long: it has everyday words in common with everything.
    is_long: bool,
}

impl<'a> Best<'a> {
    fn new(asked: &Asked, hits: &'a [Hit]) -> Self {
        let holds_word = |hit: &&Hit| hit.passages.iter().any(|one| one.shared() > 0);
        let hits = hits.iter().take(LOOKED_AT).filter(holds_word).collect();
        Self { hits, is_long: is_long(asked.message) }
    }

    fn any(&self, fits: impl Fn(&Hit) -> bool) -> bool {
        self.hits.iter().any(|hit| fits(hit))
    }

    fn holds(&self, fits: impl Fn(&Passage) -> bool) -> bool {
        self.any(|hit| hit.passages.iter().any(&fits))
    }

    /// Whether one has more in common with the message than chance brings about.
    fn stands_out(&self, hit: &Hit) -> bool {
        hit.stands_out() && (hit.is_telling() || !self.is_long)
    }

    /// Whether one does and has a passage that fits.
    fn shares(&self, fits: impl Fn(&Passage) -> bool) -> bool {
        self.any(|hit| self.stands_out(hit) && hit.passages.iter().any(&fits))
    }

    /// Whether a rare word of the message, or one that means nearly the same, stands in few of all texts: among very many any
    /// word stands in some.
    fn is_of_rare(&self) -> bool {
        let holds = |hit: &Hit, fits: fn(&Passage) -> bool| hit.passages.iter().any(fits);
        self.any(|hit| {
            (hit.chance < FEW && holds(hit, |one| one.rare > 0))
                || (hit.chance < FEWER && holds(hit, |one| one.near > 0))
        })
    }

    /// Whether the past knows a word of the message, by itself or by one that means nearly the same.
    fn is_known(&self) -> bool {
        self.any(|hit| hit.is_telling() || self.stands_out(hit)) || self.holds(|one| one.near > 0)
    }
}

/// Whether a word that was found is a name in the message: written with a capital behind its beginning, in a script
/// without capitals, or the name of a day. In some languages every noun has a capital.
pub(super) fn names_something(asked: &Asked, hits: &[Hit]) -> bool {
    let has_names = asked.wording().names_by_capital();
    let is_name = |(nth, telling, word): (usize, usize, &Arc<str>)| {
        let has_no_case = |c: char| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase();
        let capital =
            word.starts_with(char::is_uppercase) || word.starts_with(has_no_case) && nth < telling;
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        let is_day = is_number && word.parse::<super::said::Date>().is_ok();
        let is_behind = || asked.message.find(&**word).is_some_and(|at| at > 0);
        is_day || (capital && has_names && is_behind())
    };
    let passages = hits.iter().flat_map(|hit| &hit.passages);
    let words = passages.flat_map(|passage| {
        passage.words.iter().enumerate().map(|(nth, word)| (nth, passage.telling, word))
    });
    words.into_iter().any(is_name) || hits.iter().any(is_of_name)
}

/// Whether what matches best in a hit is a name there, as far as anybody looked.
fn is_of_name(hit: &Hit) -> bool {
    hit.passages.first().is_some_and(|passage| passage.is_of_name)
}

/// Which of the hits tell whether a word of a message that was typed without its capital is a name: none where there is
/// nothing to be told. Then it is looked for where they stand, and [`is_named_in`](super::is_named_in) says what stands there.
pub fn may_be_of_name<'a>(message: &str, hits: &'a mut [Hit]) -> impl Iterator<Item = &'a mut Hit> {
    let asked = Asked::new(message);
    let may_be =
        asked.asks() && asked.wording().names_by_capital() && !names_something(&asked, hits);
    let looked_at = if may_be { LOOKED_AT_FOR_NAME } else { 0 };
    let telling = |hit: &&mut Hit| hit.passages.first().is_some_and(|one| one.telling > 0);
    hits.iter_mut().take(looked_at).filter(telling)
}

/// How clearly a message calls for something from the past. Small numbers call for nothing.
pub(super) fn call(asked: &Asked, hits: &[Hit]) -> Call {
    let best = Best::new(asked, hits);
    // A long message is not read to its end for that.
    if !best.is_long && needs_nothing(asked) && !names_something(asked, hits) {
        return Call::None;
    }
    if asked.asks() {
        call_of_question(asked, &best, hits)
    } else {
        call_of_statement(asked, &best)
    }
}

/// Whether nothing that was said could tell what a message is for, by its wording: something that need not be theirs, or a
/// text that it brings along.
fn needs_nothing(asked: &Asked) -> bool {
    let wording = asked.wording();
    let is_task = || !asked.asks() || wording.asks_advice() || wording.begins_politely();
    wording.asks_for_any() || is_task() && is_mostly_quoted(asked.message) && !wording.is_own()
}

/// Whether at least half of the words of a message stand between quotes, and more than one.
fn is_mostly_quoted(message: &str) -> bool {
    const QUOTES: [char; 5] = ['"', '“', '”', '«', '»'];
    let mut parts = message.split(QUOTES);
    let count = |part: &str| part.split_whitespace().count();
    let outside = parts.next().map_or(0, count);
    let quoted = parts.next().map_or(0, count);
    // A quote that is not closed ends nowhere.
    let Some(behind) = parts.next() else { return false };
    quoted > 1 && quoted >= outside + count(behind)
}

/// A statement does if it has more in common with the past than one word and than chance brings about; it may if it tells
/// something and holds a telling word, or is brief and holds one that was rarely said.
fn call_of_statement(asked: &Asked, best: &Best) -> Call {
    let some = |one: &Passage| one.shared() > 1 + usize::from(one.is_of_day) && one.telling > 0;
    let first = Best { hits: best.hits.iter().take(1).copied().collect(), ..*best };
    if first.shares(some) {
        return Call::Clear;
    }
    // With so few words nothing is told: "Never mind."
    let is_brief = || is_brief(asked.message) && has_more_words(asked.message, MOST_SAYING_LITTLE);
    let may_be_meant = (best.holds(|one| one.rare > 0) && is_brief())
        || (asked.states() && best.holds(|one| one.telling > 0));
    if may_be_meant { Call::Unclear } else { Call::None }
}

/// A question does for the same, or if it asks about the past or somebody by name with a word that the past knows; it may
/// for a word that was rarely said, however it is put and whatever stands beside it.
fn call_of_question(asked: &Asked, best: &Best, hits: &[Hit]) -> Call {
    let wording = asked.wording();
    let words = Words::of(wording, hits);
    // "How are you today?" calls for nothing of today.
    let is_of_day =
        |one: &Passage| one.shared() <= one.words.iter().filter(|word| tells_day(word)).count();
    let is_relative =
        !wording.is_about_past() && !asked.message.contains(|c: char| c.is_ascii_digit());
    if is_relative && !best.holds(|one| !is_of_day(one)) {
        return Call::None;
    }
    let names = names_something(asked, hits);
    let clear_if = |is_clear| if is_clear { Call::Clear } else { Call::Unclear };
    let some = |one: &Passage| one.shared() > 1 || one.telling > 0 || one.is_of_day;
    if best.shares(some) || best.holds(|one| one.telling > 1) {
        return clear_if(names || !wording.asks_advice());
    }
    // A name that was said is known, wherever it was found.
    let is_of_past =
        || wording.is_about_past() || wording.tells_of_past() && words.known().is_enough();
    if names || best.is_known() && is_of_past() {
        let is_dated = || best.holds(|one| one.is_of_day);
        return clear_if(names || wording.is_personal() || best.is_long || is_dated());
    }
    // Of what is their own, people ask in words of every day.
    if !best.is_long && wording.is_own() && wording.is_about_past() && !best.hits.is_empty() {
        return Call::Clear;
    }
    // What people speak of again and again they both know, if it is called by a word of every day.
    let is_topic = || best.holds(|one| one.topics > 0);
    if !best.is_long && wording.is_definite() && wording.is_about_past() && is_topic() {
        return Call::Clear;
    }
    if !best.is_long && is_of_seldom(&words, best) {
        return Call::Unclear;
    }
    let stands_out = || best.any(|hit| best.stands_out(hit));
    let is_all = |one: &Passage| one.shared() > 0 && one.shared() >= words.named();
    let holds_all = || best.any(|hit| hit.chance < FEW && hit.passages.iter().any(is_all));
    if is_brief(asked.message)
        && wording.is_definite()
        && words.name_one()
        && (stands_out() || holds_all())
    {
        return Call::Clear;
    }
    let is_of_rare = || !wording.asks_advice() && best.is_of_rare();
    let may_be_known = !best.is_long && (is_of_rare() || is_said_to_be_known(&words));
    if may_be_known { Call::Unclear } else { Call::None }
}

/// Whether a question in words of every day alone speaks of something particular, and in what was seldom said. What is so
/// now may be so for everybody: "Why is the sky blue?" Who points back to something may tell of it in a word that nobody
/// said: "What was that thing they were picky about?"
fn is_of_seldom(words: &Words, best: &Best) -> bool {
    /// Of so many words one was said together with what was seldom said.
    const PART: usize = 3;
    let wording = words.wording;
    let (points_back, is_past) = (wording.points_back(), wording.tells_of_past());
    let is_known = points_back || is_past && wording.is_particular();
    let is_meant = |one: &Passage| {
        let is_seldom = is_known && one.seldom > 0 || is_past && one.pairs > 0;
        is_seldom && one.shared() * PART >= wording.named()
    };
    (points_back || is_past)
        && !wording.asks_advice()
        && (wording.telling().is_empty() || points_back && is_past && words.known().is_none())
        && best.holds(is_meant)
}

/// Whether a word that was found tells a day and nothing else: its date, or one that counts from the present.
fn tells_day(word: &str) -> bool {
    const RELATIVE: [&str; 12] = [
        "today",
        "tonight",
        "tomorrow",
        "yesterday",
        "heute",
        "morgen",
        "gestern",
        "hoy",
        "mañana",
        "ayer",
        "aujourd'hui",
        "demain",
    ];
    let lower = word.to_lowercase();
    RELATIVE.contains(&&*lower) || word.parse::<super::said::Date>().is_ok()
}

/// Whether a question speaks of something as known to both sides by a telling word that stands in little of what was said,
/// and holds not too many others that stand in none of it.
fn is_said_to_be_known(words: &Words) -> bool {
    let known = words.known();
    let few = || known.found.iter().take(LOOKED_AT).filter(|(hit, _)| hit.chance < FEW);
    let is_in_few = |term: &String| few().any(|(_, terms)| terms.contains(term));
    known.is_enough() && known.telling.iter().any(|(term, is_known)| *is_known && is_in_few(term))
}

#[cfg(test)]
mod tests {
    use super::super::choose::tests::hit;
    use super::super::choose::{MOST_IF_UNCLEAR, worth_recalling};
    use super::*;

    #[test]
    fn one_telling_word_calls_for_little_where_it_is_said_to_be_known() {
        let call = |message, words: &[&str], telling| {
            call(&Asked::new(message), &[hit(words, telling, 2.0)])
        };
        assert_eq!(call("What wood is the worktop made of?", &["worktop"], 1), Call::Unclear);
        assert_eq!(call("What wood are worktops made of?", &["worktops"], 1), Call::None);
        assert_eq!(
            call("Why does the old zebra eat the hyacinth of Peru?", &["hyacinth"], 1),
            Call::None
        );
        assert_eq!(call("Aus welchem Holz ist die Platte?", &["Platte"], 1), Call::Unclear);
        let everywhere = [hit(&["worktop"], 1, 40.0)];
        assert_eq!(
            super::call(&Asked::new("What wood is the worktop made of?"), &everywhere),
            Call::None
        );
        let worth = worth_recalling(
            "What wood is the worktop made of?",
            &[hit(&["worktop"], 1, 2.0)],
            false,
        );
        assert_eq!(worth.most, MOST_IF_UNCLEAR);
        let (telling, plain) = (hit(&["worktop"], 1, 2.0), hit(&["made"], 0, 2.0));
        let fits = |hit: &Hit| worth.fits("What wood is the worktop made of?", &hit.passages[0]);
        assert!(fits(&telling) && !fits(&plain));
    }

    #[test]
    fn what_is_their_own_people_ask_for_in_everyday_words() {
        let call = |message| call(&Asked::new(message), &[hit(&["meet"], 0, 6.0)]);
        assert_eq!(call("Where and when does our group meet?"), Call::Clear);
        assert_eq!(call("Where and when do people meet?"), Call::None);
        assert_eq!(call("How do I meet my neighbours?"), Call::None, "advice");
    }

    #[test]
    fn a_question_that_names_only_what_both_sides_know_calls_for_it_in_words_of_every_day() {
        let call = |message, chance| call(&Asked::new(message), &[hit(&["hearing"], 0, chance)]);
        assert_eq!(call("When is the hearing?", 0.4), Call::Clear);
        assert_eq!(call("When is the hearing?", 4.0), Call::Clear);
        assert_eq!(call("When is the hearing of the zebra?", 4.0), Call::None);
        assert_eq!(call("When is the hearing?", 9.0), Call::None);
        assert_eq!(call("When is a hearing?", 0.4), Call::None);
    }

    #[test]
    fn a_name_typed_without_its_capital_calls_for_what_was_said_of_it() {
        let question = Asked::new("who is ingrid?");
        let mut hits = [hit(&["ingrid"], 1, 40.0)];
        assert_eq!(super::call(&question, &hits), Call::None);
        assert_eq!(may_be_of_name("Who is Ingrid?", &mut [hit(&["Ingrid"], 1, 40.0)]).count(), 0);
        assert_eq!(may_be_of_name("wer ist das haus?", &mut hits).count(), 0, "nouns have one");
        for hit in may_be_of_name(question.message, &mut hits) {
            hit.passages[0].is_of_name = true;
        }
        assert_eq!(super::call(&question, &hits), Call::Clear);
    }

    #[test]
    fn what_has_been_for_anybody_and_advice_call_for_little() {
        let call = |message, hits: &[Hit]| call(&Asked::new(message), hits);
        let rare = [hit(&["space"], 1, 3.0)];
        assert_eq!(call("Who was the first woman in space?", &rare), Call::Unclear);
        assert_eq!(call("What did we say about space?", &rare), Call::Clear);
        let clear = [hit(&["letter", "complaint"], 2, 0.01)];
        assert_eq!(call("How do I write a letter of complaint?", &clear), Call::Unclear);
        assert_eq!(call("Who wrote the letter of complaint?", &clear), Call::Clear);
    }

    #[test]
    fn a_rare_word_calls_for_what_was_said_of_it_however_a_question_is_put() {
        let (mut asked, mut near) = (hit(&["kestrel"], 1, 2.0), hit(&["falke"], 0, 2.0));
        (asked.passages[0].rare, near.passages[0].near) = (1, 1);
        for hits in [[asked], [near]] {
            let call = |message: &str| call(&Asked::new(message), &hits);
            for question in [
                "Where does Yolanda's kestrel occur?",
                "Which zebra stands beside a kestrel of Peru?",
                "Kestrel?",
                "Write the brochure for whoever wants to see some kestrel of Peru from a balloon or a zeppelin.",
            ] {
                assert_eq!(call(question), Call::Unclear, "{question}");
                let fits = |hit: &Hit| {
                    worth_recalling(question, &hits, false).fits(question, &hit.passages[0])
                };
                assert!(fits(&hits[0]), "{question}");
            }
            assert_eq!(call("What did we say of the kestrel?"), Call::Clear);
            assert_eq!(call("How do I feed a kestrel?"), Call::None, "advice");
        }
    }

    #[test]
    fn words_of_every_day_that_were_seldom_said_call_for_a_little_where_something_particular_is_meant()
     {
        let mut hit = hit(&["second", "test"], 0, 9.0);
        let call = |message: &str, hit: &Hit| call(&Asked::new(message), std::slice::from_ref(hit));
        let question = "how long did the second test take";
        assert_eq!(call(question, &hit), Call::None);
        hit.passages[0].pairs = 1;
        assert_eq!(call(question, &hit), Call::Unclear);
        let worth = worth_recalling(question, std::slice::from_ref(&hit), false);
        assert!(worth.fits(question, &hit.passages[0]) && worth.most > 0, "{worth:?}");
        (hit.passages[0].pairs, hit.passages[0].seldom) = (0, 1);
        assert_eq!(call("who was late for the test?", &hit), Call::Unclear);
        let unsaid = "what was that test they were so choosy about";
        assert_eq!(call(unsaid, &hit), Call::Unclear, "nobody said how they were");
        for other in [
            "how long do tests take",
            "how long does the test of a zebra take",
            "what is the best test of all",
            "why is the second test blue?",
            "have a nice second test",
        ] {
            assert_eq!(call(other, &hit), Call::None, "{other}");
        }
    }

    #[test]
    fn what_is_spoken_of_again_and_again_is_known_to_both_sides() {
        let question = Asked::new("When did the kitchen works start in the end?");
        let mut often = hit(&["kitchen"], 0, 9.0);
        assert_eq!(super::call(&question, std::slice::from_ref(&often)), Call::None);
        often.passages[0].topics = 1;
        assert_eq!(super::call(&question, std::slice::from_ref(&often)), Call::Clear);
        let of_any = Asked::new("When does a kitchen start?");
        assert_eq!(super::call(&of_any, &[often]), Call::None);
    }

    #[test]
    fn what_need_not_be_theirs_and_what_brings_its_text_along_call_for_nothing() {
        let call = |message: &str, words: &[&str]| {
            let mut hit = hit(words, words.len(), 0.1);
            hit.passages[0].rare = 1;
            call(&Asked::new(message), &[hit])
        };
        let recipe = "Give me a recipe for pancakes";
        assert_eq!(call(recipe, &["recipe", "pancakes"]), Call::None);
        assert_ne!(call("Give me a poem about Kwame", &["Kwame"]), Call::None, "a name");
        let cells = ["cells", "incubated"];
        let quoted = "can you proofread this: \"The cells was incubated for ten minutes.\"";
        assert_eq!(call(quoted, &cells), Call::None);
        assert_eq!(call("traduce \"see you soon\" al francés", &["see", "soon"]), Call::None);
        assert_ne!(call("Who said \"the cells were incubated\"?", &cells), Call::None);
        assert_ne!(call("can you find \"the cells\" for me in it", &cells), Call::None);
    }

    #[test]
    fn a_few_words_that_ask_nothing_and_a_day_call_for_nothing() {
        let mut rare = hit(&["codeine"], 1, 2.0);
        rare.passages[0].rare = 1;
        let call = |message: &str, hit: &Hit| call(&Asked::new(message), std::slice::from_ref(hit));
        assert_eq!(call("never mind the codeine", &rare), Call::None);
        assert_eq!(call("doctor gave mum codeine tonight", &rare), Call::Unclear);
        let mut today = hit(&["today", "2026-09-07"], 0, 0.1);
        today.passages[0].is_of_day = true;
        assert_eq!(call("how are you today?", &today), Call::None);
        assert_ne!(call("how are the cells today?", &hit(&["cells", "today"], 1, 0.1)), Call::None);
    }
}
