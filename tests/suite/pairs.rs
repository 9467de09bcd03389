//! What a summary kept and lost against pairs of sentences that were labelled by hand.

use std::fs;
use std::path::Path;

use ebbtide::specifics::{Report, extract};
use serde::Deserialize;

/// What was said, what a summary says of it, and which of its details that keeps or loses.
#[derive(Deserialize)]
struct Pair {
    raw: String,
    summary: String,
    #[serde(default)]
    kept: Vec<String>,
    #[serde(default)]
    lost: Vec<String>,
}

impl Pair {
    /// What is told of it and is wrong: a loss that is none, and one that is not told.
    fn faults(&self) -> Vec<String> {
        let report = Report::of(&extract([self.raw.as_str()]), &self.summary);
        let told: Vec<String> = report.missing.iter().map(|one| one.text.to_lowercase()).collect();
        let over = |told: &str, labels: &[String]| {
            labels
                .iter()
                .map(|label| label.to_lowercase())
                .any(|label| told.contains(&label) || label.contains(told))
        };
        let alarms = told.iter().filter(|told| !over(told, &self.lost));
        let is_told =
            |label: &&String| told.iter().any(|told| over(told, std::slice::from_ref(label)));
        let missed = self.lost.iter().filter(|label| !is_told(label));
        let about = format!("{:?} > {:?}", self.raw, self.summary);
        alarms
            .map(|told| format!("alarm  {told:?}: {about}"))
            .chain(missed.map(|lost| format!("missed {lost:?}: {about}")))
            .collect()
    }
}

fn hold(part: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specifics/pairs");
    let text = fs::read_to_string(directory.join(format!("{part}.yaml"))).unwrap();
    let pairs: Vec<Pair> = yaml_serde::from_str(&text).unwrap();
    assert!(pairs.iter().all(|pair| !pair.kept.is_empty() || !pair.lost.is_empty()));
    let faults: Vec<String> = pairs.iter().flat_map(Pair::faults).collect();
    assert!(faults.is_empty(), "{} of {part}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn each_loss_of_the_first_pairs_is_told_and_no_other() {
    hold("first");
}

#[test]
fn each_loss_of_the_second_pairs_is_told_and_no_other() {
    hold("second");
}

#[test]
fn each_loss_of_the_third_pairs_is_told_and_no_other() {
    hold("third");
}

#[test]
fn each_loss_of_the_fourth_pairs_is_told_and_no_other() {
    hold("fourth");
}

#[test]
fn each_loss_of_the_fifth_pairs_is_told_and_no_other() {
    hold("fifth");
}

#[test]
fn each_loss_of_the_sixth_pairs_is_told_and_no_other() {
    hold("sixth");
}

#[test]
fn each_loss_of_the_seventh_pairs_is_told_and_no_other() {
    hold("seventh");
}

#[test]
fn each_loss_of_the_eighth_pairs_is_told_and_no_other() {
    hold("eighth");
}

#[test]
fn each_loss_of_the_ninth_pairs_is_told_and_no_other() {
    hold("ninth");
}

#[test]
fn each_loss_of_the_tenth_pairs_is_told_and_no_other() {
    hold("tenth");
}

#[test]
fn each_loss_of_the_eleventh_pairs_is_told_and_no_other() {
    hold("eleventh");
}

#[test]
fn each_loss_of_the_twelfth_pairs_is_told_and_no_other() {
    hold("twelfth");
}

#[test]
fn each_loss_of_the_thirteenth_pairs_is_told_and_no_other() {
    hold("thirteenth");
}

#[test]
fn each_loss_of_the_fourteenth_pairs_is_told_and_no_other() {
    hold("fourteenth");
}

#[test]
fn each_loss_of_the_fifteenth_pairs_is_told_and_no_other() {
    hold("fifteenth");
}

#[test]
fn each_loss_of_the_sixteenth_pairs_is_told_and_no_other() {
    hold("sixteenth");
}

#[test]
fn each_loss_of_the_seventeenth_pairs_is_told_and_no_other() {
    hold("seventeenth");
}

#[test]
fn each_loss_of_the_eighteenth_pairs_is_told_and_no_other() {
    hold("eighteenth");
}

#[test]
fn each_loss_of_the_nineteenth_pairs_is_told_and_no_other() {
    hold("nineteenth");
}

#[test]
fn each_loss_of_the_twentieth_pairs_is_told_and_no_other() {
    hold("twentieth");
}

#[test]
fn each_loss_of_the_twenty_first_pairs_is_told_and_no_other() {
    hold("twenty-first");
}

#[test]
fn each_loss_of_the_twenty_second_pairs_is_told_and_no_other() {
    hold("twenty-second");
}

#[test]
fn each_loss_of_the_twenty_third_pairs_is_told_and_no_other() {
    hold("twenty-third");
}

#[test]
fn each_loss_of_the_twenty_fourth_pairs_is_told_and_no_other() {
    hold("twenty-fourth");
}

#[test]
fn each_loss_of_the_twenty_fifth_pairs_is_told_and_no_other() {
    hold("twenty-fifth");
}

#[test]
fn each_loss_of_the_twenty_sixth_pairs_is_told_and_no_other() {
    hold("twenty-sixth");
}

#[test]
fn each_loss_of_the_twenty_seventh_pairs_is_told_and_no_other() {
    hold("twenty-seventh");
}

#[test]
fn each_loss_of_the_twenty_eighth_pairs_is_told_and_no_other() {
    hold("twenty-eighth");
}

#[test]
fn each_loss_of_the_twenty_ninth_pairs_is_told_and_no_other() {
    hold("twenty-ninth");
}
