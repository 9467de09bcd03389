//! Whose log an exchange belongs to.

use super::*;

#[test]
fn a_turn_that_closes_an_effort_belongs_to_its_log() {
    let mut memory = memory();
    memory.open("auth-bug").unwrap();
    memory.begin_turn();
    let source = memory.close_source(None, Some("that fixed it")).unwrap();
    assert!(source.may_stand_for_itself());
    memory.conclude(&source, &source.text()).unwrap();
    let ended = memory.end_turn(&Exchange { user: "that fixed it".into(), assistant: "ok".into() });
    assert_eq!(ended.log, Some(EffortId::stored("auth-bug")));
    assert_eq!(memory.effort(&EffortId::stored("auth-bug")).unwrap().raw_messages, 2);
}

#[test]
fn a_turn_that_goes_on_with_another_effort_belongs_to_that_ones_log() {
    let mut memory = memory();
    conclude(&mut memory, "old", "it was cured long ago");
    for name in ["first", "other", "auth-bug"] {
        memory.open(name).unwrap();
    }
    say(&mut memory, "error 401", "noted");
    for (name, closes_first) in
        [("invoices", true), ("old", true), ("other", false), ("new", true), ("first", true)]
    {
        let closed = memory.active().unwrap().id.clone();
        let next = format!("that fixed it, now {name}");
        memory.begin_turn();
        // What the summary is of holds the message as long as nobody has turned elsewhere: it may tell how it ended.
        let close = |memory: &mut Memory| {
            let source = memory.close_source(Some(closed.as_str()), Some(&next)).unwrap();
            memory.conclude(&source, &source.text()).unwrap();
            source.messages.iter().any(|message| *message.content == next)
        };
        let told = closes_first.then(|| close(&mut memory));
        match name {
            "old" => drop(memory.reopen(name, raw(&["words", "words"])).unwrap()),
            // It became the active one when the one before was concluded.
            "first" => assert!(memory.switch(name).is_err()),
            "other" => drop(memory.switch(name).unwrap()),
            _ => drop(memory.open(name).unwrap()),
        }
        assert_eq!(told.unwrap_or_else(|| close(&mut memory)), closes_first, "{name}");
        let exchange = Exchange { user: next.as_str().into(), assistant: "which columns".into() };
        assert_eq!(memory.end_turn(&exchange).log, Some(EffortId::stored(name)), "{name}");
        assert!(listing(&memory).contains(&next), "{name}");
    }
}

#[test]
fn small_talk_beside_an_open_effort_belongs_to_ambient() {
    let mut memory = memory();
    memory.open("auth-bug").unwrap();
    memory.begin_turn();
    memory.set_aside();
    assert_eq!(memory.log_of_turn(), None);
    let ended = memory.end_turn(&Exchange { user: "nice day".into(), assistant: "yes".into() });
    assert_eq!((ended.log, memory.efforts()[0].raw_messages), (None, 0));
    say(&mut memory, "error 401", "noted");
    assert_eq!(memory.efforts()[0].raw_messages, 2);
    memory.begin_turn();
    memory.set_aside();
    let source = memory.close_source(None, Some("that is all")).unwrap();
    assert!(!source.holds_newest);
    memory.conclude(&source, "cured").unwrap();
    assert_eq!(memory.log_of_turn(), None, "nor what was concluded in it");
}
