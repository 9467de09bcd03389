//! Steering memory by hand through the driver: each step is a change, survives a restart, and can be looked
//! at in detail.

use ebbtide::memory::{ChangeKind, Tier};
use ebbtide::orchestrator::{Detail, EffortCommand, ItemRef, Notice, Op, TurnReport};
use ebbtide::tools::Call;
use serde_json::json;

use super::support::driver::{Bench, call, text};

async fn concluded(bench: &mut Bench, id: &str, summary: &str) {
    let open = vec![call("open_effort", json!({"name": id})), text("opened")];
    bench.turn(&format!("let's look at {id}"), open, "").await;
    let long = format!("we talk about {id} at length. ").repeat(20);
    bench.turn(&long, vec![text("all of it noted")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    bench.turn("done", close, summary).await;
}

async fn steer(bench: &mut Bench, id: &str, command: EffortCommand) -> (bool, String) {
    bench.command(Op::Effort { id: id.to_owned(), command }).await
}

async fn detail(bench: &mut Bench, subject: ItemRef) -> Detail {
    bench.handle.send(Op::Show(subject));
    loop {
        match bench.notices.recv().await.expect("the driver lives") {
            Notice::Detail(detail) => return (*detail).clone(),
            Notice::CommandDone { text, .. } => panic!("{text}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn pinning_editing_and_sending_out_survive_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    concluded(&mut bench, "tea", "Green tea at 70 degrees.").await;
    concluded(&mut bench, "bread", "Rye sourdough, 14 hours.").await;
    assert!(steer(&mut bench, "tea", EffortCommand::Pin).await.0);
    let (ok, said) = steer(&mut bench, "bread", EffortCommand::Evict).await;
    assert!(ok && said.starts_with("Evicted summary: bread"), "{said}");
    let edit = EffortCommand::Edit("Rye sourdough, 4 hours at 26 °C.".into());
    assert!(steer(&mut bench, "bread", edit).await.0);
    let (ok, said) = steer(&mut bench, "tea", EffortCommand::Evict).await;
    assert!(!ok && said.contains("unpin it first"), "{said}");
    bench.close().await;
    let journal = std::fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    assert_eq!(journal.matches("\"by you\"").count(), 1, "who pinned it: {journal}");

    let mut bench = Bench::open(dir.path());
    bench.turn = 6;
    for _ in 0..3 {
        bench.turn("hm", vec![text("ok")], "").await;
    }
    let report = bench.turn("hm", vec![text("ok")], "").await;
    let warm: Vec<_> =
        report.memory.warm.iter().map(|item| (item.id.as_str(), item.pinned)).collect();
    assert_eq!(warm, [("tea", true)]);
    let evicted = &report.memory.manifest.recent[0];
    assert_eq!(evicted.summary.as_deref(), Some("Rye sourdough, 4 hours at 26 °C."));
    assert_eq!(evicted.state, Tier::Evicted, "an edit brings nothing back");
    let report = bench.turn("is the rye sourdough ready?", vec![text("yes")], "").await;
    assert_eq!(report.changes[0].kind, ChangeKind::SummaryReturned);
    bench.close().await;
}

#[tokio::test]
async fn a_summary_is_made_again_from_the_raw_log() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    concluded(&mut bench, "tea", "A poor summary.").await;
    bench.script.set_turn(4, Vec::new(), vec!["Green tea, noted in full.".into()], Vec::new());
    let (ok, said) = steer(&mut bench, "tea", EffortCommand::SummarizeAgain).await;
    assert!(ok && said.contains("summarised again from the raw log"), "{said}");
    let long = "words that never end ".repeat(100);
    bench.script.set_turn(4, Vec::new(), vec![long.clone(), long], Vec::new());
    let (ok, said) = steer(&mut bench, "tea", EffortCommand::SummarizeAgain).await;
    assert!(!ok && said.contains("the old one stays"), "{said}");
    let (ok, _) = steer(&mut bench, "tee", EffortCommand::SummarizeAgain).await;
    assert!(!ok, "an unknown effort");
    let detail = detail(&mut bench, ItemRef::Effort("tea".into())).await;
    let of = |heading: &str| {
        let section = detail.sections.iter().find(|section| section.heading.starts_with(heading));
        section.map(|section| section.text.clone()).unwrap_or_default()
    };
    assert_eq!(of("Summary"), "Green tea, noted in full.");
    assert!(of("Raw log: 6 messages").contains("assistant: all of it noted"));
    let changes = of("What memory did");
    let (new, old) = changes.split_once("summary then: A poor summary.").expect("the old one");
    assert!(new.contains("summary then: Green tea, noted in full.") && old.contains("opened"));
    bench.close().await;
}

#[tokio::test]
async fn notes_and_large_texts_are_shown_in_full() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let remember = vec![
        call("remember", json!({"content": "Freeze on Friday", "tags": ["decision"]})),
        text("noted"),
    ];
    bench.turn("remember that", remember, "").await;
    let note = detail(&mut bench, ItemRef::Note("n1".into())).await;
    assert_eq!(note.sections[0].text, "Freeze on Friday");
    assert!(note.sections[1].text.contains("tags: decision"));
    let lines: Vec<String> = (0..9_000).map(|n| format!("line {n} of a long file")).collect();
    let lines = lines.join("\n");
    bench.turn(&lines, vec![text("thanks")], "").await;
    let mut read = String::new();
    let mut part = 1;
    loop {
        let detail = detail(&mut bench, ItemRef::Text { key: "ref:input".into(), part }).await;
        read.push_str(&detail.sections[0].text);
        if detail.parts.0 == detail.parts.1 {
            break;
        }
        part += 1;
    }
    assert!(read == lines, "every byte, part by part");
    assert!(part > 2);
    bench.close().await;
}

/// What the second turn tells after one that concluded `tea`.
async fn two_turns_behind_tea(bench: &mut Bench) -> TurnReport {
    concluded(bench, "tea", "Green tea at 70 degrees.").await;
    bench.turn("hm", vec![text("ok")], "").await;
    bench.turn("hm", vec![text("ok")], "").await
}

#[tokio::test]
async fn keeping_and_pinning_are_undone_for_good() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let report = two_turns_behind_tea(&mut bench).await;
    let countdown = |report: &TurnReport| {
        let tea = &report.memory.warm[0];
        (tea.last_referenced, tea.cause.to_string(), tea.turns_left.unwrap().0)
    };
    let (turn, cause, left) = countdown(&report);
    for (command, said) in [
        (EffortCommand::Keep, "Undone: Kept effort: tea."),
        (EffortCommand::Pin, "Undone: Pinned effort: tea."),
    ] {
        assert!(steer(&mut bench, "tea", command).await.0);
        assert_eq!(bench.command(Op::Undo).await, (true, said.to_owned()));
    }
    bench.close().await;

    let mut bench = Bench::open(dir.path());
    bench.turn = 5;
    let report = bench.turn("hm", vec![text("ok")], "").await;
    assert_eq!(countdown(&report), (turn, cause, left - 1));
    bench.close().await;
}

#[tokio::test]
async fn expanding_and_reopening_are_undone_with_their_countdown_and_for_good() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let report = two_turns_behind_tea(&mut bench).await;
    let countdown = |report: &TurnReport| {
        let tea = &report.memory.warm[0];
        let faults = report.memory.metrics.faults.looked_up;
        (tea.last_referenced, tea.cause.to_string(), tea.turns_left.unwrap().0, faults)
    };
    let (turn, cause, left, _) = countdown(&report);
    let id = || "tea".to_owned();
    let expand = || Op::Run(Call::ExpandEffort { id: id(), messages: None });
    for op in [expand(), Op::Run(Call::ReopenEffort { id: id() })] {
        assert!(bench.command(op).await.0);
        assert!(bench.command(Op::Undo).await.0);
    }
    let report = bench.turn("hm", vec![text("ok")], "").await;
    assert_eq!(countdown(&report), (turn, cause.clone(), left - 1, 0));
    // Undone after a turn that ended with the log in the window.
    assert!(bench.command(expand()).await.0);
    bench.turn("hm", vec![text("ok")], "").await;
    let (ok, said) = bench.command(Op::Undo).await;
    assert!(ok && said.starts_with("Undone: Expanded effort: tea"), "{said}");
    bench.close().await;

    let mut bench = Bench::open(dir.path());
    bench.turn = 7;
    let report = bench.turn("hm", vec![text("ok")], "").await;
    assert_eq!(countdown(&report), (turn, cause, left - 3, 1), "the answer had the log");
    bench.close().await;
}

#[tokio::test]
async fn a_reply_is_told_what_its_own_turn_took_and_the_bill_all_that_was_paid() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    concluded(&mut bench, "tea", "Green tea at 70 degrees.").await;
    let short = vec![call("effort_status", json!({}))];
    bench.try_turn("and now?", short, "").await.expect_err("the script runs short");
    bench.turn -= 1;
    let turn = bench.turn + 1;
    bench.script.set_turn(turn, Vec::new(), vec!["Green tea, in full.".into()], Vec::new());
    assert!(steer(&mut bench, "tea", EffortCommand::SummarizeAgain).await.0);
    let report = bench.turn("once more", vec![text("fine")], "").await;
    let billed = report.bill;
    assert_eq!((report.requests, billed.of_turn().1), (1, 1));
    assert!(billed.requests >= 3 && billed.own.prompt() > billed.of_turn().0.prompt());
    bench.close().await;
    let mut bench = Bench::open(dir.path());
    bench.handle.send(Op::Bill);
    let read = loop {
        if let Notice::BilledTurns(turns) = bench.notices.recv().await.unwrap() {
            break turns.last().copied().unwrap();
        }
    };
    assert_eq!(read.bill, billed, "it is kept");
    bench.close().await;
}

#[tokio::test]
async fn a_pinned_log_is_held_and_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    concluded(&mut bench, "tea", "Green tea at 70 degrees.").await;
    let expand = Op::Run(Call::ExpandEffort { id: "tea".into(), messages: None });
    assert!(bench.command(expand).await.0);
    bench.turn("hm", vec![text("ok")], "").await;
    bench.turn("hm", vec![text("ok")], "").await;
    let standing = |detail: &Detail| detail.sections[0].text.clone();
    let tea = || ItemRef::Effort("tea".into());
    let told = standing(&detail(&mut bench, tea()).await);
    assert!(told.contains("\n1 turn left without a mention"), "{told}");
    assert!(steer(&mut bench, "tea", EffortCommand::Pin).await.0);
    let told = standing(&detail(&mut bench, tea()).await);
    assert!(told.contains("pinned: no countdown") && !told.contains("left without"), "{told}");
    for _ in 0..5 {
        let report = bench.turn("hm", vec![text("ok")], "").await;
        let shown: Vec<_> =
            report.memory.expanded.iter().map(|item| (item.pinned, item.turns_left)).collect();
        assert_eq!(shown, [(true, None)]);
    }
    bench.close().await;
}
