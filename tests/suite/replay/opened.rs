//! Replayed sessions in the full-screen program, kept ones, and those that are ended before they are whole.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{home, session};
use crate::cli::Home;
use crate::pty::gives_back;
use crate::support::pty::{Start, Terminal};

#[test]
fn a_replayed_session_can_be_kept_and_looked_at() {
    let (home, _) = home();
    let (out, err, code) = home.run(&["replay", ".claude", "--keep", "past", "--json"], &[]);
    assert!(code == 0 && err.contains("ebbtide -s past"), "{err}");
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(told["phases"].as_array().unwrap().len(), 5);
    assert_eq!(told["compactions"][0]["turn"], 7);
    assert_eq!(told["recorded"].as_array().unwrap().len(), 30);
    let (found, _, _) = home.run(&["search", "harbour", "-s", "past"], &[]);
    assert!(found.contains("harbour"), "{found}");
    let (_, err, code) = home.run(&["replay", ".claude", "--svg", "card.svg"], &[]);
    let card = fs::read_to_string(home.path("card.svg")).unwrap();
    assert!(code == 0 && err.contains("card.svg"), "{err}");
    // Two compactions, two curves, and the figure of the end.
    assert_eq!((card.matches("class=\"mark\"").count(), card.matches("<polyline").count()), (2, 2));
    assert!(card.contains("tokens said") && card.contains("prefers-color-scheme:dark"));
    let (_, err, code) = home.run(&["replay", ".claude", "--svg", "card.svg"], &[]);
    assert!(code == 2 && err.contains("cannot be written"), "{err}");
    let (csv, _, _) = home.run(&["replay", ".claude", "--csv"], &[]);
    // A head and a line for each turn, the one that concludes the last topic aside.
    assert_eq!(csv.lines().count(), 31);
    let (_, err, code) = home.run(&["replay", ".claude", "--keep", "past"], &[]);
    assert!(code == 2, "{err}");
    // Once more it is as long: nobody said what concludes the last topic.
    assert_eq!(told["end"]["last_topic_concluded"], true);
    let (again, _, _) = home.run(&["export", "past.json", "-s", "past", "--format", "json"], &[]);
    let (out, err, code) = home.run(&["replay", "past.json", "--json"], &[]);
    assert_eq!(code, 0, "{err}{again}");
    let again: Value = serde_json::from_str(&out).unwrap();
    let turns = |told: &Value| told["turns"].as_array().unwrap().len();
    assert_eq!(turns(&again), turns(&told));
}

/// A terminal in which the conversations below a folder are replayed and opened; and what is for temporary files.
fn opened(home: &Home) -> (Terminal, PathBuf) {
    replayed(home, &["replay", ".claude", "--open", "--offline"])
}

fn replayed(home: &Home, args: &[&str]) -> (Terminal, PathBuf) {
    sized(home, args, (120, 36))
}

fn sized(home: &Home, args: &[&str], size: (u16, u16)) -> (Terminal, PathBuf) {
    let temporary = home.path("tmp");
    fs::create_dir_all(&temporary).unwrap();
    let env = &[("TMPDIR", temporary.to_str().unwrap())];
    let start = Start { args, home: &home.path(""), size, env };
    (Terminal::start(&start), temporary)
}

fn is_empty(folder: &PathBuf) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn the_replayed_session_is_walked_to_what_a_compaction_lost_and_gone_in_the_end() {
    let (home, _) = home();
    let (mut terminal, temporary) = opened(&home);
    let screen = terminal.wait_for("2 times the program itself compacted");
    assert!(
        screen.contains("Behind the last turn the topic that was still open is concluded."),
        "{screen}"
    );
    assert!(screen.contains("N to the last compaction"), "{screen}");
    assert!(!is_empty(&temporary));
    // At the prices that it was replayed at, whoever would answer.
    terminal.send("\x1b[19~");
    terminal.wait_for("from the cache counts 0.1");
    terminal.send("q");
    terminal.wait_gone("from the cache counts");
    terminal.send("\x1b[15~");
    terminal.wait_for("Turn 30 of 30, as it was");
    terminal.send("N");
    terminal.wait_for("Turn 25 of 30, as it was");
    terminal.send("N");
    terminal.wait_for("Turn 7 of 30, as it was");
    let screen = terminal.wait_for("lost paths");
    for told in
        ["auto: 100,000 → 3,000 tokens", "kept 0 of 6 paths", "src/parser/5.rs, src/parser/4.rs"]
    {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    // On the time axis of the chart and of the box, the one that is not looked at.
    assert!(screen.matches('✕').count() >= 3, "{screen}");
    terminal.send("h");
    let screen = terminal.wait_for("Turn 6 of 30, as it was");
    assert!(!screen.contains("lost paths"), "{screen}");
    terminal.send("q");
    terminal.wait_gone("as it was");
    terminal.send_line("/quit");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(is_empty(&temporary));
}

#[test]
fn each_kind_that_a_compaction_lost_has_a_row_on_a_small_screen() {
    let home = Home::new();
    let lost = "Never use floats in the totals. We decided to keep the old interface until all have left it. Look at src/totals.rs and https://example.org/a, run `cargo test totals`, \
                which ends with E0308 after 30 ms on 2026-03-04; `sum_of_rows` is by Maria Schulz.";
    let log = session("a", 1, &["parser", "invoice"]);
    let first = log.find("How does the parser").unwrap();
    let times: Vec<String> = (40..60).map(|nth| format!("Step {nth} took {nth} ms.")).collect();
    let times = times.join(" ");
    let log = format!("{}{lost} {times} {}", &log[..first], &log[first..]);
    fs::write(home.path("log.jsonl"), log).unwrap();
    let line = ["replay", "log.jsonl", "--open", "--offline"];
    let (mut terminal, _) = sized(&home, &line, (80, 24));
    terminal.wait_for("1 time the program itself compacted");
    terminal.send("\x1b[15~");
    terminal.wait_for("Turn 12 of 12, as it was");
    terminal.send("N");
    let screen = terminal.wait_for("auto: 100,000 → 3,000 tokens");
    let kinds = ["decisions", "paths", "urls", "commands", "errors", "numbers", "dates"];
    for kind in kinds.iter().chain(&["identifiers", "names"]) {
        assert!(screen.contains(&format!("lost {kind}")), "{kind}\n{screen}");
    }
    let places = kinds.map(|kind| screen.find(&format!("lost {kind}")));
    assert!(places.is_sorted(), "{screen}");
    let all = "… and more: `ebbtide uncompact --most 21 log.jsonl`";
    assert!(screen.contains(all), "{screen}");
}

#[test]
fn a_signal_gives_the_terminal_back_and_takes_the_session_away() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("QUIT", 131)] {
        let (home, _) = home();
        let (mut terminal, temporary) = opened(&home);
        terminal.wait_for("2 times the program itself compacted");
        assert!(!is_empty(&temporary));
        terminal.signal(signal);
        assert_eq!(terminal.wait_exit(), code, "{signal}");
        assert!(gives_back(&terminal.bytes()), "{signal}");
        assert!(is_empty(&temporary), "{signal}");
    }
}

/// A conversation whose replay takes some seconds.
fn write_long(home: &Home) {
    fs::create_dir(home.path(".claude")).unwrap();
    let topics: Vec<String> = (0..200).map(|nth| format!("topic{nth}")).collect();
    let topics: Vec<&str> = topics.iter().map(String::as_str).collect();
    fs::write(home.path(".claude/long.jsonl"), session("long", 1, &topics)).unwrap();
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let home = Home::new();
    write_long(&home);
    let is_played = |line: &str| line.trim_start().starts_with("turn ") && line.contains(" s left");
    let sessions = home.path(".local/share/ebbtide/sessions");
    for more in [&["--open", "--offline"][..], &["--json"], &["--keep", "past"]] {
        let (mut terminal, temporary) = replayed(&home, &[&["replay", ".claude"], more].concat());
        terminal.wait_until("turns to pass", |screen| screen.lines().any(is_played));
        assert!(!is_empty(&temporary) || !is_empty(&sessions));
        terminal.send("\x03");
        assert_eq!(terminal.wait_exit(), 130);
        assert!(is_empty(&temporary), "{more:?}");
    }
    assert!(is_empty(&sessions));
}

#[test]
fn a_replay_that_is_killed_leaves_no_half_a_session_and_is_in_nobodys_way() {
    let home = Home::new();
    write_long(&home);
    fs::write(home.path("short.jsonl"), session("short", 1, &["parser", "invoice"])).unwrap();
    let mut killed = home.command(&["replay", ".claude", "--keep", "past"], &[]);
    let mut killed = killed.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let told = BufReader::new(killed.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(told.filter(|line| line.starts_with("turn ")).take(1).count(), 1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (list, _, _) = home.run(&["sessions"], &[]);
    assert!(!list.contains("past"), "{list}");
    let sessions = home.path("data/ebbtide/sessions");
    assert!(!is_empty(&sessions));
    let (_, err, code) = home.run(&["replay", "short.jsonl", "--keep", "past"], &[]);
    assert!(code == 0, "{err}");
    let names: Vec<_> =
        fs::read_dir(sessions).unwrap().map(|item| item.unwrap().file_name()).collect();
    assert_eq!(names, ["past"]);
}

/// What is too large for the window is on the scratchpad of a session that stays, as in a live chat, and counts as
/// said: the program that it is from had all of it in its history.
#[test]
fn what_is_held_by_reference_is_held_where_the_session_is_kept() {
    let home = Home::new();
    let record = |kind: &str, nth: usize, content: Value| {
        let role = json!({ "role": kind, "id": format!("m{nth}"), "content": content });
        let parent = (nth > 0).then(|| format!("u{}", nth - 1));
        let time = format!("2026-05-01T10:{nth:02}:00Z");
        format!(
            "{}\n",
            json!({ "uuid": format!("u{nth}"), "parentUuid": parent, "sessionId": "s", "timestamp": time, "type": kind, "message": role })
        )
    };
    let call = |id: &str| json!([{ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "cat log" } }]);
    let result = |id: &str, text: &str| json!([{ "type": "tool_result", "tool_use_id": id, "content": text }]);
    let long = format!(
        "{} the needle\0 of the log. {}",
        "a line of it ".repeat(2_000),
        "and more ".repeat(2_000)
    );
    let records = [
        record("user", 0, json!("What does the log say?")),
        record("assistant", 1, call("a")),
        record("user", 2, result("a", &long)),
        record("assistant", 3, call("b")),
        record("user", 4, result("b", &long)),
        record("assistant", 5, json!([{ "type": "text", "text": "Nothing of note." }])),
    ];
    fs::write(home.path("log.jsonl"), records.concat()).unwrap();
    let (out, err, code) = home.run(&["replay", "log.jsonl", "--keep", "past", "--json"], &[]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && told["bill"]["by_reference"].as_u64() > Some(8_000), "{out}{err}");
    // Its bill is that of the replay, in which the program that it is from read all of that.
    let (stats, _, _) = home.run(&["stats", "-s", "past", "--json"], &[]);
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let (bill, replayed) = (&stats["bill"], &told["bill"]);
    assert_eq!(bill["all"]["cost"], replayed["cost"], "{bill}");
    for key in ["cached", "uncached", "written", "output"] {
        let (own, others) = (&bill["others"]["full_history"], &replayed["full_history"]);
        assert_eq!(own[key], others[key], "{key}: {bill}\n{replayed}");
    }
    // So are its window and what was said.
    let of = |value: &Value| value.as_u64().unwrap();
    let (end, layers) = (&told["end"], &stats["layers"]);
    assert!(of(&layers["scratchpad"]) > 0, "{stats}");
    assert_eq!(of(&stats["total"]), of(&end["window"]), "{stats}");
    let full_history = of(&stats["full_history"]) - of(&layers["system"]) - of(&layers["tools"]);
    // Its log has the words that stand for the two texts, eight tokens each, which nobody else reads.
    assert_eq!(full_history, of(&end["full_history"]) + 2 * 8, "{stats}");
    let (list, _, _) = home.run(&["-s", "past", "--offline", "-p", "/pad-list"], &[]);
    for key in ["ref:bash-turn-1-returned:", "ref:bash-turn-1-2-returned:"] {
        assert_eq!(list.matches(key).count(), 1, "{list}");
    }
    let (found, _, _) = home.run(&["-s", "past", "--offline", "-p", "/pad-search needle"], &[]);
    assert!(found.contains("the needle\u{fffd} of the log"), "{found}");
}
