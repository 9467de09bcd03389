//! A log that does not give all that was said: told, and never taken for the whole in place of its summary.

use std::fs;
use std::path::{Path, PathBuf};

use ebbtide::memory::Tokens;
use ebbtide::orchestrator::{EffortCommand, Op};
use ebbtide::tools::Call;
use serde_json::json;

use crate::cli::Home;
use crate::support::driver::{Bench, call, text};

/// A session with a concluded effort of six messages; returns its log.
async fn played(directory: &Path) -> PathBuf {
    let mut bench = Bench::open(directory);
    let opens = vec![call("open_effort", json!({"name": "tea"})), text("Tea, at length.")];
    bench.turn("Let's talk about tea.", opens, "").await;
    bench.turn("It steeps.", vec![text("For how long?")], "").await;
    let closes = vec![call("close_effort", json!({"id": "tea"})), text("Done.")];
    let long = format!("Done with tea. {}", "It steeps for three minutes. ".repeat(60));
    bench.turn(&long, closes, "Green tea steeps for three minutes.").await;
    bench.close().await;
    directory.join("efforts/tea.jsonl")
}

fn without_its_end(log: &str) -> String {
    log.split_inclusive('\n').take(1).collect()
}

fn with_a_broken_line(log: &str) -> String {
    let (first, rest) = log.split_once('\n').unwrap();
    let (second, rest) = rest.split_once('\n').unwrap();
    format!("{first}\n{}\n{rest}", "?".repeat(second.len()))
}

#[tokio::test]
async fn a_damaged_log_does_not_take_the_place_of_its_summary() {
    for damage in [without_its_end, with_a_broken_line] {
        let dir = tempfile::tempdir().unwrap();
        let log = played(dir.path()).await;
        let whole = fs::read_to_string(&log).unwrap();
        fs::write(&log, damage(&whole)).unwrap();
        let mut bench = Bench::open(dir.path());
        let before = bench.turn("Good morning.", vec![text("Hello.")], "").await.memory.logs;
        assert!(before.effort_tokens > Tokens(300));
        let id = || "tea".to_owned();
        for op in [
            Op::Run(Call::ExpandEffort { id: id(), messages: None }),
            Op::Run(Call::ReopenEffort { id: id() }),
            Op::Effort { id: id(), command: EffortCommand::SummarizeAgain },
        ] {
            let (ok, said) = bench.command(op).await;
            assert!(!ok && said.contains("the log of 'tea' is damaged"), "{said}");
        }
        let report = bench.turn("And now?", vec![text("Here.")], "").await;
        let logs = report.memory.logs;
        assert_eq!((logs.damaged, logs.effort_tokens), (1, before.effort_tokens));
        assert_eq!(logs.effort_messages, before.effort_messages);
        let window = bench.window().await;
        assert!(window.items.iter().any(|item| item.content.contains("steeps for three minutes")));
        fs::write(&log, whole).unwrap();
        let (ok, said) =
            bench.command(Op::Run(Call::ExpandEffort { id: id(), messages: None })).await;
        assert!(ok, "{said}");
        let report = bench.turn("And so?", vec![text("So.")], "").await;
        assert_eq!(report.memory.logs.damaged, 0);
        bench.close().await;
    }
}

#[tokio::test]
async fn a_log_that_is_gone_is_told_at_the_start_and_by_the_doctor() {
    let home = Home::new();
    let sessions = home.path("data/ebbtide/sessions");
    let log = played(&sessions.join("one")).await;
    let doctor = || home.run(&["doctor", "--offline", "-s", "one"], &[]);
    let (out, _, code) = doctor();
    assert!(code == 0 && out.contains("each log holds all that was said"), "{out}");
    let whole = fs::read_to_string(&log).unwrap();
    fs::write(&log, with_a_broken_line(&whole)).unwrap();
    let (out, _, code) = doctor();
    let told = out.lines().find(|line| line.starts_with("!!")).unwrap_or_default();
    assert!(code == 1 && told.contains("efforts/tea.jsonl: the log of 'tea' is damaged"), "{out}");
    fs::remove_file(&log).unwrap();
    let (_, err, _) = home.run(&["-p", "/efforts", "--offline", "-s", "one"], &[]);
    assert!(err.contains("1 effort log(s) are gone") && err.contains("efforts/tea.jsonl"), "{err}");
    let (out, _, code) = doctor();
    assert!(code == 1 && out.contains("0 of its 6 messages"), "{out}");
}
