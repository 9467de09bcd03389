//! Where topics are found in what people said.

use super::said;
use crate::memory::tests::Words;
use crate::read::{Event, Speaker};
use crate::replay::{Conversation, Texts, Turns, phases};

/// Conversations about one thing each, a line of the person (`u`) or of the reply (`a`) after the other.
const TALK: &str = include_str!("../../../tests/fixtures/recall/talk.txt");

/// Those of a topic of three turns at least.
fn topics() -> Vec<Vec<Event>> {
    let of = |talk: &str| -> Vec<Event> {
        let speak = |line: &str| match line.split_once(' ')? {
            ("u", text) => Some(said(text)),
            ("a", text) => {
                Some(Event::Said { by: Speaker::Model, text: text.to_owned(), at: None })
            }
            _ => None,
        };
        talk.lines().filter_map(speak).collect()
    };
    let topics = TALK.split("\n## ").map(of);
    topics.filter(|topic| turns(topic) >= 3).collect()
}

fn turns(topic: &[Event]) -> usize {
    let asks = |event: &&Event| matches!(event, Event::Said { by: Speaker::Person, .. });
    topic.iter().filter(asks).count()
}

/// Where phases of a conversation begin, but for the first.
fn found(events: Vec<Event>) -> Vec<usize> {
    let mut texts = Texts::new().unwrap();
    let turns = Turns::new(&Words, 1_000, &mut texts);
    let (part, ()) = turns.take_all(|take| events.into_iter().for_each(take));
    let talk = Conversation::of(texts, [part]).unwrap();
    let phases = phases(&talk, &[], &mut |_, _| {}).unwrap();
    phases.iter().map(|phase| phase.from).filter(|from| *from > 0).collect()
}

/// Conversations of six short topics each: most borders are found, and hardly any where there is none.
#[test]
fn topics_are_found_in_what_people_say() {
    let topics = topics();
    assert!(topics.len() > 40, "{}", topics.len());
    let (mut borders, mut right, mut wrong) = (0, 0, 0);
    for some in topics.chunks_exact(6) {
        let ends = some.iter().scan(0, |end, topic| {
            *end += turns(topic);
            Some(*end)
        });
        let ends: Vec<usize> = ends.take(5).collect();
        let found = found(some.concat());
        borders += ends.len();
        // A question more or less is no other place.
        let is_right = |at: &&usize| ends.iter().any(|end| end.abs_diff(**at) <= 1);
        let count = found.iter().filter(is_right).count();
        right += count;
        wrong += found.len() - count;
    }
    assert!(10 * right >= 6 * borders, "{right} of {borders}");
    assert!(20 * wrong <= right, "{wrong} beside {right}");
}

/// One word alone tells the topics, and all else is the same in each turn.
#[test]
fn topics_of_like_sentences_are_told_by_what_differs() {
    let of = |topic: &str| {
        let turn = |nth: usize| {
            let asked = said(&format!("Question {nth} about the {topic}: what do we do next?"));
            let text = format!("For step {nth} of the {topic} check the configuration, and test.");
            [asked, Event::Said { by: Speaker::Model, text, at: None }]
        };
        (0..7).flat_map(turn).collect::<Vec<_>>()
    };
    assert_eq!(found(["parser", "invoice", "harbour"].map(of).concat()), [7, 14]);
}

/// What is said about one thing again and again stays one topic as long as it is looked at together, and is concluded
/// where it goes on for longer.
#[test]
fn a_long_topic_is_divided_only_where_it_is_too_long() {
    let of = |topic: &str, count: usize| -> Vec<Event> {
        let words: Vec<String> = (0..30).map(|nth| format!("{topic}{}", letters(nth))).collect();
        let mut random = fastrand::Rng::with_seed(7);
        let mut text = || (0..9).map(|_| &*words[random.usize(..30)]).collect::<Vec<_>>().join(" ");
        (0..count).map(|_| said(&format!("How is it with {}?", text()))).collect()
    };
    let replied = |events: Vec<Event>| -> Vec<Event> {
        let reply = || Event::Said { by: Speaker::Model, text: "Well.".to_owned(), at: None };
        events.into_iter().flat_map(|event| [event, reply()]).collect()
    };
    assert!(found(replied(of("sail", 50))).is_empty());
    assert_eq!(found(replied(of("sail", 150))), [48, 96, 144]);
    let all = [of("sail", 40), of("oven", 30), of("moss", 5)].concat();
    assert_eq!(found(replied(all)), [40, 70]);
}

fn letters(number: u8) -> String {
    [number / 10, number % 10].map(|digit| char::from(b'a' + digit)).iter().collect()
}
