//! Where a conversation is told again, searches are made before they are asked for: what comes of the turns is the same,
//! whatever was foretold.

use std::sync::Arc;

use ebbtide::llm::scripted::ScriptedAnswer;
use ebbtide::memory::Layers;
use ebbtide::orchestrator::{Op, SaidAt, ToCome, TurnReport};
use ebbtide::store::{Setup, create};
use serde_json::json;

use super::recall::QUESTION;
use super::support::driver::{Bench, call, text};

/// A turn: what the user says, what the model does.
type Said = (&'static str, Vec<ScriptedAnswer>);

fn said(user: &'static str, reply: &str) -> Said {
    (user, vec![text(reply)])
}

/// Talk about what was said before, a topic of its own, and everything of which it is not known what comes of it.
fn talk() -> Vec<Said> {
    let opens = call("open_effort", json!({ "name": "harbour-pump" }));
    let closes = call("close_effort", json!({ "id": "harbour-pump" }));
    let begins = call("open_effort", json!({ "name": "auth-bug" }));
    let ends = call("close_effort", json!({ "id": "auth-bug" }));
    vec![
        ("Logins fail on node three.", vec![begins, text("What does its clock say?")]),
        said("Node three is 94 seconds behind, chrony was off.", "Then enable chrony."),
        said("Which leeway shall we set?", "A leeway of 120 seconds."),
        ("Done, they work.", vec![ends, text("Good.")]),
        said("How much water for the bread?", "Take 650 g of water for a kilo of flour."),
        said(QUESTION, "It was 94 seconds behind."),
        said("The ferry leaves from pier nine at 7:40.", "Pier nine, 7:40."),
        said("And which leeway did we set for chrony?", "120 seconds."),
        ("The pump of the harbour is loud.", vec![opens, text("Let us look at its valves.")]),
        said("Valve seven is worn, it was changed in March.", "Then it is valve eight."),
        said("Which valve was changed in March?", "Valve seven."),
        said("Write to ops@harbour.example about valve eight.", "I did."),
        ("That is settled.", vec![closes, text("Closed.")]),
        said("From which pier does the ferry leave?", "I don't know from which pier it leaves."),
        said("How much water does the bread take?", "650 g."),
        said("And which valve was worn?", "Valve seven."),
        said("Who was told about valve eight?", "Ops."),
        said(QUESTION, "94 seconds."),
    ]
}

fn foretold((user, answers): &Said) -> ToCome {
    let only = (answers.len() == 1).then(|| answers[0].text.as_str().into());
    ToCome { user: (*user).into(), reply: only, aside: false, said_at: None }
}

/// What a turn was given and what it left.
fn outcome(report: &TurnReport) -> (Vec<(String, String)>, Layers, Layers, String) {
    let recalled = report.given.recalled.iter();
    let recalled = recalled.map(|one| (one.id.to_string(), one.text.to_string())).collect();
    (recalled, report.sent, report.memory.layers, format!("{:?}", report.memory.metrics.faults))
}

/// Plays the talk where this is foretold, all of it before the first turn.
async fn outcomes(told: &[ToCome]) -> Vec<(Vec<(String, String)>, Layers, Layers, String)> {
    let directory = tempfile::tempdir().unwrap();
    create(directory.path(), &Setup::default()).unwrap();
    let mut bench = Bench::unwatched(directory.path());
    for turn in told {
        bench.handle.send(Op::Foretell(turn.clone()));
    }
    let mut all = Vec::new();
    for (user, answers) in talk() {
        let summary = match user {
            "Done, they work." => "Logins work again.",
            "That is settled." => "The pump is quiet.",
            _ => "",
        };
        all.push(outcome(&bench.turn(user, answers, summary).await));
    }
    bench.close().await;
    all
}

#[tokio::test]
async fn whatever_is_foretold_the_turns_are_given_the_same() {
    let as_it_comes = outcomes(&[]).await;
    let recalls = as_it_comes.iter().filter(|(recalled, ..)| !recalled.is_empty()).count();
    assert!(recalls >= 3, "{as_it_comes:?}");
    let right: Vec<ToCome> = talk().iter().map(foretold).collect();
    assert_eq!(outcomes(&right).await, as_it_comes);
    let wrong_replies = |turn: &ToCome| ToCome {
        reply: Some(Arc::from("Valve seven is of brass, from pier nine.")),
        ..turn.clone()
    };
    let wrong: Vec<ToCome> = right.iter().map(wrong_replies).collect();
    assert_eq!(outcomes(&wrong).await, as_it_comes, "other replies");
    for wrong_at in 0..right.len() {
        let mut wrong = right.clone();
        wrong[wrong_at].aside = true;
        wrong[wrong_at].reply = Some("The ferry has a worn valve.".into());
        assert_eq!(outcomes(&wrong).await, as_it_comes, "another reply in {wrong_at}");
        let mut wrong = right.clone();
        wrong[wrong_at].user = "Which ferry takes 650 g of water?".into();
        assert_eq!(outcomes(&wrong).await, as_it_comes, "another message in {wrong_at}");
        let mut wrong = right.clone();
        wrong[wrong_at].said_at = Some(SaidAt::Millis(0));
        assert_eq!(outcomes(&wrong).await, as_it_comes, "another day in {wrong_at}");
        assert_eq!(outcomes(&right[..wrong_at]).await, as_it_comes, "only {wrong_at} are known");
    }
}
