//! A log that does not give all that was said: told, and never taken for the whole in place of its summary.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use ebbtide::memory::Tokens;
use ebbtide::orchestrator::{EffortCommand, Op};
use ebbtide::store::look;
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

/// A session with a concluded effort, an open one, ambient talk and a text kept by reference.
fn with_all(home: &Home) -> PathBuf {
    let text = "a line of the text that is kept by reference\n".repeat(1_500);
    fs::write(home.path("text.txt"), text).unwrap();
    let say = |line: &str| {
        let (_, err, code) = home.run(&["-p", line, "--offline", "-s", "one"], &[]);
        assert_eq!(code, 0, "{line}: {err}");
    };
    let tea = ["/open tea", "it wants water of 80 degrees", "/close", "hello there"];
    let boat = ["/open boat", "the boat is 9 m long", "it costs 240 euros", "/attach text.txt"];
    tea.into_iter().chain(boat).for_each(say);
    let mut piped = home.command(&["-p", "-", "--offline", "-s", "one"], &[]);
    piped.stdin(fs::File::open(home.path("text.txt")).unwrap()).stdout(Stdio::null());
    assert!(piped.status().unwrap().success());
    home.path("data/ebbtide/sessions/one")
}

/// What is done to a session, how many logs and texts are gone then, what is told whenever it is opened, and what the
/// doctor says.
type Case = (fn(&Path), usize, &'static str, &'static [&'static str]);

const CASES: [Case; 6] = [
    (
        |dir| fs::remove_file(dir.join("efforts/boat.jsonl")).unwrap(),
        1,
        "1 effort log(s) are gone, or shorter than what was said in them: efforts/boat.jsonl",
        &["efforts/boat.jsonl: the log of 'boat' is damaged"],
    ),
    (
        |dir| fs::remove_dir_all(dir.join("efforts")).unwrap(),
        2,
        "2 effort log(s) are gone",
        &["efforts/tea.jsonl: the log of 'tea'", "efforts/boat.jsonl: the log of 'boat'"],
    ),
    (
        |dir| fs::write(dir.join("raw.jsonl"), b"\x81\x02?\n".repeat(9)).unwrap(),
        1,
        "9 line(s) of raw.jsonl cannot be read",
        &["raw.jsonl: the log is damaged: 0 of its 2 messages"],
    ),
    (
        |dir| {
            let log = fs::read(dir.join("raw.jsonl")).unwrap();
            fs::write(dir.join("raw.jsonl"), &log[..log.len() - 40]).unwrap();
        },
        1,
        "at the end of raw.jsonl are gone",
        &["raw.jsonl: the log is damaged: 1 of its 2 messages"],
    ),
    (
        |dir| fs::remove_file(dir.join("raw.jsonl")).unwrap(),
        1,
        "at the end of raw.jsonl are gone",
        &["raw.jsonl: the log is damaged: 0 of its 2 messages"],
    ),
    (
        |dir| fs::remove_dir_all(dir.join("scratchpad")).unwrap(),
        2,
        "2 text(s) kept by reference are gone",
        &["scratchpad: gone of what is kept by reference: 2 texts"],
    ),
];

#[test]
fn whatever_is_gone_is_told_at_every_start_and_by_the_doctor() {
    for (damage, gone, at_start, by_doctor) in CASES {
        let home = Home::new();
        let dir = with_all(&home);
        let doctor = || home.run(&["doctor", "--offline", "-s", "one"], &[]);
        let (out, _, code) = doctor();
        assert!(code == 0 && out.contains("each log holds all that was said"), "{out}");
        damage(&dir);
        // To open it, and to go on in it, makes nothing whole.
        for line in ["/efforts", "and the mast is of ash", "/efforts"] {
            let (_, err, _) = home.run(&["-p", line, "--offline", "-s", "one"], &[]);
            assert!(err.contains(at_start), "{at_start}, at {line}: {err}");
            let lost = look(&dir, 10).unwrap().restored;
            let logs = lost.damaged.len() + usize::from(lost.ambient_lost.is_some());
            assert_eq!(logs + lost.lost_texts, gone, "what the panel counts: {at_start}");
            let (out, _, code) = doctor();
            assert!(code == 1 && !out.contains("each log holds all"), "{at_start}: {out}");
            for told in by_doctor {
                assert!(out.contains(told), "{told}, after {line}: {out}");
            }
        }
    }
}

#[tokio::test]
async fn what_is_gone_of_an_open_effort_counts_as_said() {
    let words = "It steeps for three minutes. ".repeat(30);
    for damage in [|_: &str| String::new(), with_a_broken_line] {
        let dir = tempfile::tempdir().unwrap();
        let mut bench = Bench::open(dir.path());
        let opens = vec![call("open_effort", json!({"name": "tea"})), text(&words)];
        bench.turn("Let's talk about tea.", opens, "").await;
        let logs = bench.turn(&words, vec![text("For how long?")], "").await.memory.logs;
        assert_eq!((logs.damaged, logs.effort_messages), (0, 4));
        bench.close().await;
        let log = dir.path().join("efforts/tea.jsonl");
        fs::write(&log, damage(&fs::read_to_string(&log).unwrap())).unwrap();
        for (turn, said) in ["The kettle whistles.", "A samovar sings."].into_iter().enumerate() {
            let mut bench = Bench::open(dir.path());
            let logs = bench.turn(said, vec![text("Here.")], "").await.memory.logs;
            assert_eq!((logs.damaged, logs.effort_messages), (1, 6 + 2 * turn as u64));
            let search = Call::SearchEfforts { query: said.into(), all: false, page: 1 };
            let (_, told) = bench.command(Op::Run(search)).await;
            assert!(told.contains(said), "what was said since is found: {told}");
            bench.close().await;
        }
        let mut bench = Bench::open(dir.path());
        let closes = vec![call("close_effort", json!({"id": "tea"})), text("Done.")];
        bench.turn("We are done.", closes, "Tea.").await;
        let expand = Call::ExpandEffort { id: "tea".to_owned(), messages: None };
        let (ok, told) = bench.command(Op::Run(expand)).await;
        assert!(!ok && told.contains("of its 10 messages can be read"), "{told}");
        bench.close().await;
    }
}
