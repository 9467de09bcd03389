//! Topics that a program tells itself.

use super::super::super::{long_stretches, phases};
use super::{replied, talk, turns_of};
use crate::read::{Event, Speaker};

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
