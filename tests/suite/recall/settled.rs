//! How something was settled: right behind where it was left open, and where an effort ended. And that a search finds it, too.

use ebbtide::memory::Turn;
use ebbtide::store::{Setup, SetupEffort, create};
use serde_json::json;
use tempfile::tempdir;

use super::worded::{all_of, effort, session_of};
use crate::support::driver::{Bench, call, text};

#[tokio::test]
async fn the_answer_comes_with_what_was_left_open_whatever_its_rank() {
    let spaces = [
        ("a", ["The track has 40 spaces on the board.", "The track of 40 spaces, noted."]),
        ("b", ["Is the track of 30 spaces better?", "The track has 30 spaces then."]),
        ("c", ["The track of spaces takes 17 rounds.", "Spaces for a long track."]),
    ];
    let mut efforts: Vec<SetupEffort> = spaces
        .iter()
        .map(|(id, said)| effort(id, &[&said[..], &["We had tea.", "Good."]].concat()))
        .collect();
    let open = [
        "Still too many spaces for our track. 26?",
        "That is 13 rounds.",
        "ok 26 it is.",
        "Noted.",
        "It rains.",
        "Yes.",
    ];
    efforts.push(effort("d", &open));
    let told = all_of(efforts, "How many spaces does the track have?").await;
    assert!(told.contains("ok 26 it is"), "{told}");
    assert!(!told.contains("It rains"), "{told}");
}

#[tokio::test]
async fn how_an_effort_ended_comes_where_its_summary_is_in_the_window() {
    let begin = ["The carrier broke the tiles, I want them to pay.", "Write to the carrier."];
    let talk = ["We look at what it could be made of.", "Gladly."].repeat(20);
    let end = ["They said 700 and I took it.", "Well done.", "Signed.", "Good."];
    let claim = effort("claim", &[&begin[..], &talk, &end].concat());
    let summary = Some("The carrier settled the claim for the tiles.".to_owned());
    let dir = tempdir().unwrap();
    let efforts = vec![SetupEffort { summary, last_referenced_turn: Some(Turn(30)), ..claim }];
    create(dir.path(), &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
    let told = session_of(dir.path(), "What did the carrier pay for the tiles in the end?").await;
    assert!(told.contains("700") && !told.contains("settled the claim"), "{told}");
    let told = session_of(dir.path(), "What did the carrier pay for the tiles?").await;
    assert!(!told.contains("700"), "{told}");
}

#[tokio::test]
async fn a_search_finds_what_the_same_words_would_recall() {
    let dir = tempdir().unwrap();
    let often =
        |nth: usize| effort(&format!("it-{nth}"), &["Where people meet, they eat.", "So they do."]);
    let efforts: Vec<SetupEffort> = (0..9).map(often).collect();
    create(dir.path(), &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
    let question = "Where and when does our group meet?";
    let mut bench = Bench::open(dir.path());
    bench.turn = 30;
    let search = vec![call("search_efforts", json!({"query": question})), text("There.")];
    let report = bench.turn(question, search, "").await;
    assert!(!report.given.recalled.is_empty());
    let found = &report.calls[0].result["results"];
    assert!(found.as_array().is_some_and(|found| !found.is_empty()), "{found}");
    bench.close().await;
}
