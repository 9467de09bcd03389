//! What compactions lost, on conversations whose losses are known.

mod played;

use crate::read::{Compaction, Event, Speaker};
use crate::specifics::{Kind, Report};

use super::Losses;

fn said(text: &str) -> Event {
    Event::Said { by: Speaker::Person, text: text.to_owned(), at: None }
}

fn called(arguments: &str) -> Event {
    let (id, name) = (String::new(), "Bash".to_owned());
    Event::Called { id, name, arguments: arguments.to_owned(), at: None }
}

fn compacted(summary: Option<&str>) -> Event {
    Event::Compacted(Compaction { summary: summary.map(str::to_owned), ..Compaction::default() })
}

fn after(events: &[Event]) -> Losses {
    let mut losses = Losses::default();
    for event in events {
        losses.take(event);
    }
    losses
}

fn missing(losses: &Losses, at: usize, kind: Kind) -> Vec<&str> {
    losses.found()[at].missing(kind).map(|one| one.text.as_str()).collect()
}

#[test]
fn each_loss_is_found_and_what_is_there_is_none() {
    let losses = after(&[
        said("The parser in src/read/lines.rs fails with error E0599 after 30 ms."),
        called(r#"{"file_path":"/project/src/read/items.rs","new_string":"x"}"#),
        called(r#"{"command":"cargo test --lib read"}"#),
        compacted(Some("We mend the parser (src/read/lines.rs), error E0599.")),
    ]);
    let loss = &losses.found()[0];
    assert_eq!((loss.messages, loss.kept(Kind::Path), loss.kept(Kind::Error)), (3, (1, 2), (1, 1)));
    assert_eq!(missing(&losses, 0, Kind::Path), ["/project/src/read/items.rs"]);
    assert_eq!(missing(&losses, 0, Kind::Number), ["30 ms"]);
    assert_eq!(missing(&losses, 0, Kind::Command), ["cargo test --lib read"]);
}

#[test]
fn a_command_in_several_words_is_one_without_its_shell() {
    for arguments in [
        r#"{"command":["bash","-lc","cargo test pool"]}"#,
        r#"{"command":["cargo","test","pool"]}"#,
    ] {
        let losses = after(&[called(arguments), compacted(Some("Nothing much."))]);
        assert_eq!(missing(&losses, 0, Kind::Command), ["cargo test pool"], "{arguments}");
        assert_eq!(losses.found()[0].report.as_ref().map(Report::total), Some(1));
    }
}

#[test]
fn a_second_compaction_can_lose_what_the_first_one_kept() {
    let losses = after(&[
        said("Look at src/a.rs and src/b.rs."),
        compacted(Some("The files are src/a.rs and others.")),
        said("Now src/c.rs."),
        compacted(Some("Work goes on in src/c.rs.")),
    ]);
    assert_eq!(missing(&losses, 0, Kind::Path), ["src/b.rs"]);
    assert_eq!(missing(&losses, 1, Kind::Path), ["src/a.rs"]);
    let now: Vec<String> = losses.lost_now().into_iter().map(|one| one.text).collect();
    assert_eq!(now, ["src/a.rs", "src/b.rs"]);
}

#[test]
fn a_summary_that_came_to_hold_it_again_is_no_loss_now() {
    let losses = after(&[
        said("Look at src/a.rs."),
        compacted(Some("Nothing much.")),
        said("More."),
        compacted(Some("It was src/a.rs all along.")),
    ]);
    assert_eq!(missing(&losses, 0, Kind::Path), ["src/a.rs"]);
    assert!(losses.lost_now().is_empty());
}

#[test]
fn what_stays_in_the_window_beside_the_summary_is_kept_until_it_goes_too() {
    let kept = vec![said("The limit in src/b.rs is 7,250 EUR."), called(r#"{"path":"src/c.rs"}"#)];
    let first = Compaction {
        summary: Some("We mend src/a.rs.".to_owned()),
        kept: kept.clone(),
        ..Compaction::default()
    };
    let mut events = vec![said("Look at src/a.rs and src/old.rs.")];
    events.extend(kept);
    events.push(Event::Compacted(first));
    let losses = after(&events);
    assert_eq!(missing(&losses, 0, Kind::Path), ["src/old.rs"]);
    assert_eq!(losses.found()[0].kept(Kind::Number), (1, 1));
    assert!(losses.found()[0].compaction.kept.is_empty());
    events.push(compacted(Some("Nothing much.")));
    let losses = after(&events);
    assert_eq!(missing(&losses, 1, Kind::Number), ["7,250 EUR"]);
}

#[test]
fn what_was_said_again_since_is_no_loss_now() {
    let losses = after(&[
        said("Look at src/a.rs and src/b.rs, which takes 30 ms."),
        compacted(Some("Nothing much.")),
        said("It takes 30 ms still."),
        called(r#"{"file_path":"src/b.rs"}"#),
    ]);
    assert_eq!(missing(&losses, 0, Kind::Path), ["src/b.rs", "src/a.rs"]);
    let now: Vec<String> = losses.lost_now().into_iter().map(|one| one.text).collect();
    assert_eq!(now, ["src/a.rs"]);
}

#[test]
fn of_a_summary_that_cannot_be_read_nothing_is_said() {
    let losses = after(&[said("Look at src/a.rs."), compacted(None), compacted(Some("  "))]);
    assert!(losses.found().iter().all(|loss| loss.report.is_none()));
}

#[test]
fn what_a_tool_answered_is_nobodys_loss() {
    let answer = Event::Returned { id: String::new(), text: "src/a.rs 12 ms".to_owned(), at: None };
    let losses = after(&[said("List them."), answer, compacted(Some("A listing."))]);
    assert_eq!(losses.found()[0].report.as_ref().map(Report::total), Some(0));
}

#[test]
fn a_new_conversation_begins_with_nothing() {
    let begins = || Event::Begins {
        id: String::new(),
        title: String::new(),
        project: String::new(),
        at: None,
    };
    let losses = after(&[
        begins(),
        said("See src/a.rs."),
        begins(),
        said("Hello"),
        compacted(Some("A greeting.")),
    ]);
    assert!(missing(&losses, 0, Kind::Path).is_empty());
}
