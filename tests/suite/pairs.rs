//! What a summary kept and lost against pairs of sentences that were labelled by hand.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

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

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specifics/pairs")
}

fn hold(part: &str) {
    let text = fs::read_to_string(directory().join(format!("{part}.yaml"))).unwrap();
    let pairs: Vec<Pair> = yaml_serde::from_str(&text).unwrap();
    assert!(pairs.iter().all(|pair| !pair.kept.is_empty() || !pair.lost.is_empty()));
    let faults: Vec<String> = pairs.iter().flat_map(Pair::faults).collect();
    assert!(faults.is_empty(), "{} of {part}:\n{}", faults.len(), faults.join("\n"));
}

/// A test for each of these files, and one that there is no other.
macro_rules! each_loss_is_told_and_no_other_in {
    ($($part:ident)*) => {
        mod each_loss_is_told_and_no_other {
            $(#[test]
            fn $part() {
                super::hold(&stringify!($part).replace('_', "-"));
            })*
        }

        #[test]
        fn no_file_of_pairs_is_left_out() {
            let mut held = [$(stringify!($part).replace('_', "-") + ".yaml"),*];
            held.sort_unstable();
            let files = fs::read_dir(directory()).unwrap();
            let name = |file: io::Result<DirEntry>| file.unwrap().file_name().into_string().unwrap();
            let mut files: Vec<String> = files.map(name).collect();
            files.sort_unstable();
            assert_eq!(files, held);
        }
    };
}

each_loss_is_told_and_no_other_in! {
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty_first
    twenty_second twenty_third twenty_fourth twenty_fifth twenty_sixth twenty_seventh twenty_eighth
    twenty_ninth
}
