//! Where topics are found: in what people said, at the borders of a log, and where a program tells them.

use super::{replied, said, talk, turns_of};
use crate::read::{Event, Speaker};
use crate::replay::{Border, Copied, long_stretches, phases};

/// Conversations about one thing each, a line of the person (`u`) or of the reply (`a`) after the other.
const TALK: &str = include_str!("../../../../tests/fixtures/recall/talk.txt");

/// Those of a topic of three turns at least.
fn topics() -> Vec<Vec<Event>> {
    let of = |talk: &str| -> Vec<Event> {
        let speak = |line: &str| match line.split_once(' ')? {
            ("u", text) => Some(said(text)),
            ("a", text) => Some(replied(text)),
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
    let talk = turns_of(events, 1_000);
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
            [asked, replied(&text)]
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
    let answered = |events: Vec<Event>| -> Vec<Event> {
        events.into_iter().flat_map(|event| [event, replied("Well.")]).collect()
    };
    assert!(found(answered(of("sail", 50))).is_empty());
    assert_eq!(found(answered(of("sail", 150))), [48, 96, 144]);
    let all = [of("sail", 40), of("oven", 30), of("moss", 5)].concat();
    assert_eq!(found(answered(all)), [40, 70]);
}

fn letters(number: u8) -> String {
    [number / 10, number % 10].map(|digit| char::from(b'a' + digit)).iter().collect()
}

#[test]
fn topics_are_found_by_their_words_and_at_the_borders_of_the_log() {
    let begins = |title: &str| Event::Begins {
        id: String::new(),
        title: title.to_owned(),
        project: String::new(),
        at: None,
    };
    let events = [
        vec![begins("")],
        talk("parser", 6),
        talk("harbour", 7),
        vec![begins("Taxes of 2025")],
        talk("invoice", 4),
        vec![begins("")],
        talk("hello", 2),
    ];
    let turns = turns_of(events.concat(), 1_000);
    assert_eq!(
        turns.border(13),
        Some(&Border::Conversation {
            title: "Taxes of 2025".to_owned(),
            copied: Copied::default()
        })
    );
    let mut heard = Vec::new();
    let found = phases(&turns, &[], &mut |done, of| heard.push((done, of))).unwrap();
    assert!(heard.is_sorted() && heard.iter().all(|(done, of)| done <= of), "{heard:?}");
    assert_eq!(heard.last(), Some(&(3 * turns.len(), 3 * turns.len())));
    assert!(heard.len() > turns.len() + 13, "so are looks at what changes: {heard:?}");
    let spans: Vec<(usize, usize)> = found.iter().map(|phase| (phase.from, phase.to)).collect();
    assert_eq!(spans, [(0, 6), (6, 13), (13, 17)], "{found:?}");
    assert!(found[0].name.contains("parser") && found[1].name.contains("harbour"), "{found:?}");
    assert_eq!(found[2].name, "Taxes of 2025");
}

#[test]
fn topics_that_a_program_tells_stand_as_it_tells_them() {
    let begins =
        |at| Event::Begins { id: String::new(), title: String::new(), project: String::new(), at };
    let topic = |name: &str| vec![Event::Topic(name.to_owned())];
    let later = |text: &str, hours: i64| Event::Said {
        by: Speaker::Person,
        text: text.to_owned(),
        at: Some(hours * 3_600_000),
    };
    let events = [
        vec![begins(Some(1)), topic("").remove(0)],
        talk("weather", 9),
        topic("mend-it"),
        talk("parser", 1),
        // A pause divides no topic, and one in a row is another message where another topic begins.
        vec![later("Still there?", 1), replied("Yes."), later("And now?", 40)],
        topic("rows"),
        talk("harbour", 2),
        topic("mend-it"),
        talk("parser", 4),
        vec![begins(None)],
        talk("invoice", 6),
    ];
    let turns = turns_of(events.concat(), 1_000);
    let found = phases(&turns, &[], &mut |_, _| {}).unwrap();
    let told: Vec<_> =
        found.iter().map(|phase| (phase.name.as_str(), phase.from, phase.to)).collect();
    let expected = [("mend-it", 9, 12), ("rows", 12, 14), ("mend-it 2", 14, 18)];
    assert_eq!(told[..3], expected, "{found:?}");
    assert_eq!((told.len(), told[3].1, told[3].2), (4, 18, 24), "{found:?}");
    assert!(long_stretches(&turns).is_empty(), "nobody is asked for what is told");
}
