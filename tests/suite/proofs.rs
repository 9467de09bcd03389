//! The proof runs of the seeds, each claim checked. A failing claim shows its table.

use std::process::Command;
use std::sync::Arc;

use ebbtide::counted::grouped;
use ebbtide::proof::{Far, PROOFS, outcome_text};
use ebbtide::tokens::Cl100k;
use serde_json::Value;

use super::support::server::{Reply, Server};

const README: &str = include_str!("../../README.md");

#[tokio::test]
async fn every_claim_of_every_slice_holds() {
    for proof in PROOFS {
        let far = Far::default();
        let outcome =
            proof.run(Arc::new(Cl100k::lazy()), &far).await.expect("the scenario plays to its end");
        let (done, of) = far.parts();
        assert_eq!(done, of, "proof {} is done", proof.name);
        assert!(outcome.holds(), "{}", outcome_text(proof.title, &outcome, usize::MAX));
        assert!(!outcome.claims.is_empty() && !outcome.rows.is_empty());
        if ["1", "4"].contains(&proof.name) {
            // The figures of the README, and those of what is sent.
            let told: Vec<&str> = outcome.claims.iter().map(|claim| &*claim.figures).collect();
            assert!(told.join("\n").contains("as sent, "), "{told:?}");
            let is_told = |claim: &&str| claim.contains("as sent");
            let sent = told.into_iter().find(is_told).expect("what is sent");
            let numbers = sent.split(|sign: char| !sign.is_ascii_digit());
            // Percentages are rounded there.
            for tokens in numbers.filter_map(|number| number.parse().ok()).filter(|one| *one > 100)
            {
                assert!(README.contains(&grouped(tokens)), "{tokens} is not in the README: {sent}");
            }
        }
        let measured = outcome.rows.iter().map(|row| &row.measured);
        for words in outcome.claims.iter().map(|claim| &claim.figures).chain(measured) {
            // Names of tools and keys are told where large texts are.
            let forms =
                if proof.name == "scratchpad" { &["Some("][..] } else { &["Some(", "[", "_"] };
            let is_for_people = !forms.iter().any(|form| words.contains(form));
            assert!(is_for_people, "proof {}: {words}", proof.name);
        }
        println!("{}", outcome_text(proof.title, &outcome, usize::MAX));
    }
}

#[test]
fn the_quality_proof_compares_answers_of_the_model_that_is_asked() {
    let server = Server::following(|request| {
        let system = request["messages"][0]["content"].as_str().unwrap_or_default();
        match system {
            judge if judge.starts_with("Two answers") => Reply::text("SAME"),
            judge if judge.starts_with("A question, an answer") => {
                Reply::text("1. FOUND\n2. FOUND")
            }
            summary if summary.starts_with("Summarize") => Reply::text("It was done."),
            _ => Reply::text("As it was said."),
        }
    });
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_ebbtide"))
        .env_clear()
        .env("HOME", home.path())
        .args(["proof", "quality", "--json", "--model", "m", "--base-url", &server.base_url()])
        .args(["--set", "judge_model=strict"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["rows"].as_array().unwrap().len(), 12);
    let figures = outcome["claims"][0]["figures"].as_str().unwrap();
    assert!(figures.starts_with("12 same, 0 partly"), "{figures}");
    let asked = server.requests();
    assert_eq!(asked.len(), 3 + 5 * 12);
    let facts = outcome["claims"][2]["figures"].as_str().unwrap();
    assert!(facts.starts_with("18 found, 0 missing, 0 contradicted"), "{facts}");
    let judged = asked.iter().filter(|request| request["model"] == "strict").count();
    assert_eq!(judged, 3 * 12, "another model judges all answers");
    let costs = outcome["remarks"].as_array().unwrap();
    for (told, who, requests) in
        [(&costs[0], "m of ", asked.len() - judged), (&costs[1], "strict of ", judged)]
    {
        let told = told.as_str().unwrap();
        let count = format!(": {requests} requests that were answered, ");
        assert!(told.starts_with(who) && told.contains(&count), "{told}");
    }
    let about = |request: &&Value| request["messages"].as_array().unwrap().len();
    assert!(asked.iter().any(|request| about(&request) > 8), "the whole log is asked, too");
}

#[test]
fn a_pause_that_the_server_asks_for_is_told_between_the_questions() {
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::following(move |_| {
        match asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            3 => Reply::status(429, "slow down").header("retry-after", "1"),
            _ => Reply::text("SAME"),
        }
    });
    let (home, url) = (crate::cli::Home::new(), server.base_url());
    let (_, err, _) = home.run(&["proof", "quality", "--model", "m", "--base-url", &url], &[]);
    let paused = err.find("answered 429: slow down; retrying in 1 s (attempt 2)").expect(&err);
    let [first, second] = ["question 1 of 12: auth-bug", "question 2 of 12: auth-bug"]
        .map(|told| err.find(told).expect(&err));
    assert!(first < paused && paused < second, "{err}");
}

#[test]
fn a_place_for_what_is_temporary_that_there_is_not_is_told_with_what_helps() {
    let home = crate::cli::Home::new();
    std::fs::write(home.path("file"), "").unwrap();
    let place = home.path("file/below");
    let variables = [("TMPDIR", place.to_str().unwrap())];
    let (out, err, code) = home.run(&["proof", "1"], &variables);
    assert_eq!((&*out, code), ("", 2), "{err}");
    assert!(err.contains("a session for now is kept in ~/file/below, and that failed: "), "{err}");
    assert!(
        err.contains("TMPDIR=DIR in front of the command") && !err.contains("--session"),
        "{err}"
    );
}

#[tokio::test]
async fn the_scratchpads_proof_says_what_its_windows_hold_beside_the_conversation() {
    let proof = PROOFS.iter().find(|proof| proof.name == "scratchpad").unwrap();
    let outcome = proof.run(Arc::new(Cl100k::lazy()), &Far::default()).await.unwrap();
    let claim = outcome.claims.iter().find(|claim| claim.text.starts_with("deep cleanup")).unwrap();
    let (after, rest) = claim.figures.split_once(" tokens in the window beside ").unwrap();
    let (fixed, _) = rest.split_once(" of system prompt and tools, ").unwrap();
    let number = |text: &str| text.replace(',', "").parse::<u64>().unwrap();
    let whole = grouped(number(after) + number(fixed));
    let mut of_first =
        outcome.rows.iter().filter(|row| row.step.starts_with("turn 1: compression"));
    let last = &of_first.next_back().unwrap().measured;
    assert!(
        after.contains(',') && last.contains(&format!("{whole} with its summary")),
        "{last}: {claim:?}"
    );
}
