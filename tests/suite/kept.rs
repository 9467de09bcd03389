//! Specifics from a conclusion on: told to the model and the person, kept, found, put back, sent along.

use std::fs;
use std::path::Path;

use ebbtide::config::{Settings, Source};
use ebbtide::memory::{Layer, Tokens};
use ebbtide::orchestrator::{Notice, Op, SpecificsCommand, TurnReport};
use ebbtide::tools::Call;
use serde_json::json;

use super::support::driver::{Bench, call, text};

const TALK: &str = "The pool is in services/checkout/pool.py:57, it timed out after 4.2 s with HTTP 503. \
                    I ran `redis-cli -h cache01 info clients` and the docs are on https://redis.example/limits. \
                    We decided to keep the pool at 300 connections until 14 March. ";

const SUMMARY: &str = "The checkout pool leaked connections; HTTP 503 is gone since 14 March.";

/// Talks about something at length and concludes it; the last report.
async fn concluded(bench: &mut Bench) -> TurnReport {
    let open = vec![call("open_effort", json!({"name": "slow-checkout"})), text("opened")];
    bench.turn("let's look at it", open, "").await;
    bench.turn(&TALK.repeat(2), vec![text("I see.")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    bench.turn("done", close, SUMMARY).await
}

async fn specifics(bench: &mut Bench, command: SpecificsCommand) -> (bool, String) {
    bench.command(Op::Specifics { id: None, command }).await
}

fn manifest(directory: &Path) -> String {
    fs::read_to_string(directory.join("manifest.yaml")).unwrap()
}

#[tokio::test]
async fn a_conclusion_tells_what_was_lost_and_a_search_still_finds_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let report = concluded(&mut bench).await;
    let told = report.calls[0].result["specifics"].as_str().expect("some are missing");
    assert!(told.starts_with("kept 2 of 8 specifics; missing: "), "{told}");
    assert!(told.contains("services/checkout/pool.py:57") && told.contains("4.2 s"), "{told}");
    let search = Op::Run(Call::SearchEfforts { query: "pool.py".into(), all: false, page: 1 });
    let (_, found) = bench.command(search).await;
    assert!(found.contains("slow-checkout"), "{found}");
    let query = json!({"query": "cache01"});
    let report = bench.turn("where?", vec![call("search_efforts", query), text("there")], "").await;
    let hit = &report.calls[0].result["results"][0];
    assert_eq!(hit["id"], "slow-checkout");
    let told = hit["passages"][0]["text"].as_str().unwrap();
    assert!(told.contains("redis-cli -h cache01 info clients"), "the lost command itself: {told}");
    bench.close().await;
    assert!(manifest(dir.path()).contains("services/checkout/pool.py:57"));

    let mut bench = Bench::open(dir.path());
    let search =
        Op::Run(Call::SearchEfforts { query: "redis.example".into(), all: false, page: 1 });
    let (_, found) = bench.command(search).await;
    assert!(found.contains("slow-checkout"), "kept across a restart: {found}");
    let status = json!({"id": "slow-checkout"});
    bench.turn = 4;
    let report = bench.turn("and?", vec![call("effort_status", status), text("so")], "").await;
    let kept = report.calls[0].result["specifics"].as_array().expect("a list");
    assert!(kept.contains(&json!("https://redis.example/limits")));
    bench.close().await;
}

#[tokio::test]
async fn the_person_is_told_and_nobody_is_when_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "tea"})), text("opened")];
    bench.turn("tea", open, "").await;
    bench.turn(&"Green tea wants 70 °C, always. ".repeat(12), vec![text("yes")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    let report = bench.turn("done", close, "Green tea at 70 °C.").await;
    assert!(report.calls[0].result.get("specifics").is_none());
    bench.close().await;

    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    bench.script.set_turn(3, Vec::new(), Vec::new(), Vec::new());
    let open = vec![call("open_effort", json!({"name": "slow"})), text("opened")];
    bench.turn("let's look", open, "").await;
    bench.turn(&TALK.repeat(2), vec![text("I see.")], "").await;
    bench.turn = 3;
    let answers = vec![call("close_effort", json!({})), text("closed")];
    bench.script.set_turn(3, answers, vec![SUMMARY.into()], Vec::new());
    bench.handle.send(Op::Send("done".into()));
    let mut told = String::new();
    loop {
        match bench.notices.recv().await.expect("the driver lives") {
            Notice::Info(text) => told.push_str(&text),
            Notice::TurnEnded(_) => break,
            _ => {}
        }
    }
    assert!(told.starts_with("Its summary kept 2 of 8 specifics. Missing: "), "{told}");
    assert!(told.ends_with("/specifics slow adds them."), "{told}");
    bench.close().await;
}

#[tokio::test]
async fn the_label_over_a_large_text_is_no_detail_of_what_was_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "pumps"})), text("opened")];
    bench.turn("the pumps", open, "").await;
    let paste = "The pump is at 3.2 bar since 14 May in pumps.log. ".repeat(900);
    bench.turn(&paste, vec![text("I see.")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    let report = bench.turn("done", close, "Looked at the pumps.").await;
    let told = report.calls[0].result.to_string();
    assert!(told.contains("3.2 bar"), "{told}");
    assert!(!told.contains(" tokens") && !told.contains(" chunks"), "{told}");
    bench.close().await;
}

#[tokio::test]
async fn only_the_wanted_kinds_are_lifted_and_never_the_effort_s_own_id() {
    const TALK: &str =
        "Hey Mel, pool-v2 sends HTTP 503 since 14 March, see services/pool.py in Lisbon. ";
    for (kinds, kept) in [
        (None, "services/pool.py HTTP 503 14 March"),
        (Some("name, path"), "services/pool.py Mel Lisbon"),
        (Some(""), ""),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let mut settings = Settings::default();
        if let Some(kinds) = kinds {
            settings.set("specifics_kinds", kinds, Source::Default).unwrap();
        }
        let mut bench = Bench::with(dir.path(), settings, None);
        let open = vec![call("open_effort", json!({"name": "pool-v2"})), text("opened")];
        bench.turn("let's look at it", open, "").await;
        bench.turn(&TALK.repeat(4), vec![text("I see.")], "").await;
        let close = vec![call("close_effort", json!({})), text("closed")];
        bench.turn("done", close, "Looked at the pool.").await;
        let status = json!({"id": "pool-v2"});
        let report = bench.turn("and?", vec![call("effort_status", status), text("so")], "").await;
        let lifted = report.calls[0].result["specifics"].as_array().cloned().unwrap_or_default();
        let lifted: Vec<&str> = lifted.iter().filter_map(|one| one.as_str()).collect();
        assert_eq!(lifted.join(" "), kept, "{kinds:?}");
        bench.close().await;
    }
}

#[tokio::test]
async fn missing_ones_are_put_back_into_the_summary_and_taken_out_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let (ok, said) = specifics(&mut bench, SpecificsCommand::List).await;
    assert!(!ok && said.contains("No effort is concluded yet"), "{said}");
    concluded(&mut bench).await;
    let (ok, list) = specifics(&mut bench, SpecificsCommand::List).await;
    assert!(ok && list.contains("\n  1. missing path: services/checkout/pool.py:57"), "{list}");
    assert!(list.contains("kept error: HTTP 503"), "{list}");
    for wrong in [vec![0], vec![1, 99]] {
        let (ok, said) = specifics(&mut bench, SpecificsCommand::Add(wrong)).await;
        assert!(!ok && said.contains("they are numbered 1 to 6"), "{said}");
    }
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Add(vec![2, 1, 2])).await;
    assert!(ok && said.ends_with("kept 4 of 8 specifics now."), "{said}");
    bench.turn = 3;
    let report = bench.turn("hm", vec![text("ok")], "").await;
    let added = format!("{SUMMARY} [Specifics: services/checkout/pool.py:57; 4.2 s]");
    assert_eq!(report.memory.warm[0].summary.as_deref(), Some(added.as_str()));
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Add(Vec::new())).await;
    assert!(ok && said.ends_with("kept 8 of 8 specifics now."), "{said}");
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Add(Vec::new())).await;
    assert!(!ok && said.contains("none is missing"), "{said}");
    let journal = fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    assert!(journal.contains("specifics added by hand") && journal.contains(SUMMARY));
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Drop).await;
    assert!(ok && said.ends_with("kept 2 of 8 specifics now."), "{said}");
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Drop).await;
    assert!(!ok && said.contains("No specifics were added"), "{said}");
    bench.close().await;
    let saved = manifest(dir.path());
    assert!(saved.contains(SUMMARY) && !saved.contains("[Specifics:"), "{saved}");
}

#[tokio::test]
async fn a_summary_stays_smaller_than_its_log_with_its_specifics_too() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let open = vec![call("open_effort", json!({"name": "short"})), text("opened")];
    bench.turn("let's look", open, "").await;
    let figures: Vec<String> = (10..60).map(|n| format!("{n} kg")).collect();
    bench.turn(&figures.join(" "), vec![text("I see.")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    bench
        .turn("done", close, "Weights were listed, and there were very many of them in all.")
        .await;
    let (ok, said) = specifics(&mut bench, SpecificsCommand::Add(Vec::new())).await;
    assert!(!ok && said.contains("add fewer"), "{said}");
    assert!(specifics(&mut bench, SpecificsCommand::Add(vec![1, 2])).await.0);
    bench.close().await;
}

#[tokio::test]
async fn specifics_ride_along_within_their_budget_and_count_for_the_ceiling() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let plain = concluded(&mut bench).await.memory.layers.of(Layer::Summaries);
    bench.close().await;
    for budget in [0_u64, 20, 60, 200] {
        let mut settings = Settings::default();
        let key = "specifics_in_window_tokens";
        settings.set(key, &budget.to_string(), Source::Chat).unwrap();
        let mut bench = Bench::with(dir.path(), settings, None);
        bench.handle.send(Op::ShowWindow);
        let window = loop {
            if let Notice::Window(window) = bench.notices.recv().await.expect("the driver lives") {
                break window;
            }
        };
        let cost = window.layers.of(Layer::Summaries).saturating_sub(plain);
        assert!(cost <= Tokens(budget), "{cost} of {budget}");
        let sent: String = window.messages().iter().map(|(_, text)| text.to_string()).collect();
        assert_eq!(sent.contains("services/checkout/pool.py:57"), budget >= 20, "{budget}: {sent}");
        assert_eq!(sent.contains("https://redis.example/limits"), budget >= 60, "{sent}");
        let counted: u64 = window.items.iter().map(|item| item.tokens.0).sum();
        assert_eq!(counted, window.layers.total().0, "every line is counted");
        bench.close().await;
    }
}

#[tokio::test]
async fn specifics_of_another_program_are_left_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    concluded(&mut bench).await;
    bench.close().await;
    let saved = manifest(dir.path());
    let start = saved.find("specifics:").expect("a list");
    let end = start + saved[start..].find(']').map_or(0, |at| at + 1);
    let foreign = "specifics: {colour: \"blue\"}";
    let changed = format!("{}{foreign}{}", &saved[..start], &saved[end..]);
    fs::write(dir.path().join("manifest.yaml"), changed).unwrap();
    let mut bench = Bench::open(dir.path());
    bench.turn = 3;
    let open = vec![call("open_effort", json!({"name": "next"})), text("opened")];
    bench.turn("next", open, "").await;
    bench.close().await;
    assert!(manifest(dir.path()).contains("blue"), "{}", manifest(dir.path()));
}
