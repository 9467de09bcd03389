//! Specifics against logs that were labelled by hand: precision and recall by kind.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ebbtide::config::Settings;
use ebbtide::specifics::{Kind, Specific, extract};
use serde::Deserialize;

/// The kinds that must be found with at least the recall and precision below.
const GUARANTEED: [Kind; 6] =
    [Kind::Path, Kind::Url, Kind::Command, Kind::Number, Kind::Date, Kind::Error];

const RECALL: f64 = 0.90;
const PRECISION: f64 = 0.85;

#[derive(Deserialize)]
struct Log {
    name: String,
    #[serde(rename = "log")]
    messages: Vec<BTreeMap<String, String>>,
    labels: BTreeMap<String, Vec<String>>,
}

#[derive(Default, Clone, Copy)]
struct Tally {
    right: usize,
    missed: usize,
    wrong: usize,
}

impl Tally {
    fn recall(self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }

    fn precision(self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }
}

fn logs(part: &str) -> Vec<(String, Log)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specifics");
    let mut files: Vec<_> =
        fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(&format!("{part}.yaml")) {
            let parsed: Vec<Log> = yaml_serde::from_str(&fs::read_to_string(&file).unwrap())
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            found.extend(parsed.into_iter().map(|log| (name.clone(), log)));
        }
    }
    found
}

/// Whether a find is what a label means. A decision is met by its core.
fn meets(found: &Specific, label: &Specific) -> bool {
    found.key() == label.key()
        || found.kind == Kind::Decision
            && (found.key().contains(&label.key()) || label.key().contains(&found.key()))
}

fn measure(part: &str) -> BTreeMap<Kind, Tally> {
    let explain = std::env::var("SPECIFICS_EXPLAIN").is_ok();
    let mut tallies: BTreeMap<Kind, Tally> = BTreeMap::new();
    for (file, log) in logs(part) {
        let texts = log.messages.iter().flat_map(BTreeMap::values).map(String::as_str);
        let found = extract(texts);
        for kind in Kind::ALL {
            let found: Vec<&Specific> = found.iter().filter(|one| one.kind == kind).collect();
            let texts = log.labels.get(kind.as_str()).cloned().unwrap_or_default();
            let mut labels: Vec<Specific> =
                texts.into_iter().map(|text| Specific { kind, text, message: 0 }).collect();
            labels.dedup_by_key(|label| label.key());
            let tally = tallies.entry(kind).or_default();
            for label in &labels {
                let hit = found.iter().any(|one| meets(one, label));
                *(if hit { &mut tally.right } else { &mut tally.missed }) += 1;
                if explain && !hit {
                    println!("missed {kind}: {:?} in {file} {}", label.text, log.name);
                }
            }
            for one in &found {
                if !labels.iter().any(|label| meets(one, label)) {
                    tally.wrong += 1;
                    if explain {
                        println!("wrong  {kind}: {:?} in {file} {}", one.text, log.name);
                    }
                }
            }
        }
    }
    tallies
}

fn hold(part: &str) {
    let tallies = measure(part);
    println!("{part}: kind, recall, precision, labels");
    for (kind, tally) in &tallies {
        let labels = tally.right + tally.missed;
        println!("{kind:>10}  {:.3}  {:.3}  {labels}", tally.recall(), tally.precision());
    }
    for kind in GUARANTEED {
        let tally = tallies[&kind];
        assert!(tally.recall() >= RECALL, "{part} {kind}: recall {:.3}", tally.recall());
        assert!(
            tally.precision() >= PRECISION,
            "{part} {kind}: precision {:.3}",
            tally.precision()
        );
    }
}

#[test]
fn specifics_of_the_logs_in_sight_are_found() {
    hold("tuned");
}

#[test]
fn specifics_of_the_second_logs_are_found() {
    hold("second");
}

#[test]
fn kinds_that_are_on_by_default_are_precise_in_the_fresh_logs() {
    let tallies = measure("fresh");
    println!("fresh: kind, recall, precision, labels");
    for (kind, tally) in &tallies {
        let labels = tally.right + tally.missed;
        println!("{kind:>10}  {:.3}  {:.3}  {labels}", tally.recall(), tally.precision());
    }
    let settings = Settings::default();
    for kind in settings.specifics_kinds() {
        let (_, tally) = tallies.iter().find(|(known, _)| known.as_str() == kind).expect("a kind");
        assert!(tally.precision() >= 0.9, "{kind}: precision {:.3}", tally.precision());
    }
}
