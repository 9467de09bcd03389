//! The demo in a pseudo-terminal: what each chapter claims is read off the screen, the closing table is what `stats`
//! says, and what was recorded shows the same.

use std::ops::Range;

use serde_json::Value;
use vt100::Screen;

use crate::support::pty::{Start, Terminal};
use crate::support::server::{Reply, Server};

const SIZE: (u16, u16) = (120, 40);

struct Demo {
    home: tempfile::TempDir,
    terminal: Terminal,
}

impl Demo {
    fn start(args: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let args = [&["--set", "animations=false", "demo", "--speed", "60"], args].concat();
        let start = Start { args: &args, home: home.path(), size: SIZE, env: &[] };
        let terminal = Terminal::start(&start);
        Self { home, terminal }
    }

    /// Plays the turns up to one, stopped in between, and returns the screen after it once it says something.
    fn play_to(&mut self, turn: u64, claims: &[&str]) -> Screen {
        loop {
            let now = turn_of(&self.terminal.screen());
            if now >= turn {
                break;
            }
            self.terminal.send("\u{1b}[C");
            let next = now + 1;
            self.terminal.wait_until("the next turn to end", |screen| {
                turn_of(screen) == next && screen.contains("demo paused") && is_idle(screen)
            });
        }
        for claim in claims {
            self.terminal.wait_for(claim);
        }
        self.terminal.picture()
    }

    fn stats(&self) -> Value {
        let limits = [
            "token_budget=5000",
            "summary_eviction_threshold=5",
            "decay_threshold=3",
            "ambient_window=2",
            "ambient_tide=0",
            "price_cached=0.1",
        ];
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_ebbtide"))
            .args(["--offline", "--session", "kept", "stats", "--json"])
            .args(limits.iter().flat_map(|limit| ["--set", limit]))
            .env_clear()
            .env("HOME", self.home.path())
            .current_dir(self.home.path())
            .output()
            .unwrap();
        serde_json::from_slice(&out.stdout).unwrap()
    }
}

fn turn_of(screen: &str) -> u64 {
    let status = screen.lines().next().unwrap_or_default();
    let words: Vec<&str> = status.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "turn");
    at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(0)
}

/// Whether no turn is under way: the line that tells what is awaited begins with a braille sign.
fn is_idle(screen: &str) -> bool {
    let is_awaited =
        |line: &str| line.trim_start().starts_with(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
    !screen.lines().any(is_awaited)
}

/// The share of the cells of the gauge's bar or of the chart that two screens show differently, in percent: of those
/// that are filled in one of them, whichever of the two changed more.
fn moved(before: &Screen, after: &Screen) -> usize {
    let (columns, rows) = SIZE;
    let screen = after.contents();
    let items = screen.lines().position(|line| line.contains("WORKING MEMORY")).unwrap() as u16;
    let gauge = changed(before, after, rows - 3..rows - 2, 0..columns);
    gauge.max(changed(before, after, 1..items, columns * 62 / 100..columns))
}

fn changed(before: &Screen, after: &Screen, rows: Range<u16>, columns: Range<u16>) -> usize {
    let look = |screen: &Screen, (row, column)| {
        let cell = screen.cell(row, column).unwrap();
        (cell.contents().to_owned(), cell.fgcolor(), cell.bgcolor())
    };
    let cells = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
    let looks = cells.map(|cell| (look(before, cell), look(after, cell)));
    let is_filled = |look: &(String, vt100::Color, vt100::Color)| !look.0.trim().is_empty();
    let filled: Vec<_> = looks.filter(|(one, other)| is_filled(one) || is_filled(other)).collect();
    filled.iter().filter(|(one, other)| one != other).count() * 100 / filled.len().max(1)
}

/// Turns of the story: at the end of each chapter's event, and before it.
const EVENTS: [(u64, u64, &[&str]); 6] = [
    (4, 5, &["Concluded effort: login-bug", "The log has left the window"]),
    (9, 10, &["Evicted summary: login-bug", "login-bug leaves the window"]),
    (11, 12, &["Evicted summary: roof-repair", "Both are out", "2 concluded, 2 evicted"]),
    (13, 14, &["Expanded effort: login-bug", "The whole log is back"]),
    (16, 17, &["The ceiling under attack", "server-down"]),
    (18, 19, &["Concluded effort: server-down", "Here is what was measured"]),
];

#[test]
fn each_chapter_of_the_story_shows_what_it_says_and_the_end_is_what_stats_says() {
    let mut demo = Demo::start(&["--session", "kept", "--record", "a.cast", "--svg", "a.svg"]);
    demo.terminal.wait_for("demo, speed");
    demo.terminal.send(" ");
    demo.terminal.wait_for("demo paused");
    for (before, after, claims) in EVENTS {
        let earlier = demo.play_to(before, &[]);
        let later = demo.play_to(after, claims);
        let screen = later.contents();
        let share = moved(&earlier, &later);
        assert!(share >= 25, "turn {after}: {share} % of the cells changed\n{screen}");
    }
    demo.terminal.send("\u{1b}[C");
    let end = demo.terminal.wait_for("The session is yours now");
    demo.terminal.wait_for("Message");
    let last = demo.terminal.picture();
    // A kill would leave no half of one in its place.
    assert!(!["a.cast", "a.svg"].iter().any(|file| demo.home.path().join(file).exists()));
    demo.terminal.send("\u{4}");
    assert_eq!(demo.terminal.wait_exit(), 0);
    check_figures(&end, &demo.stats());
    let cast = std::fs::read_to_string(demo.home.path().join("a.cast")).unwrap();
    let played = played(&cast);
    assert!(played.iter().any(|screen| screen == &last.contents()), "{}", last.contents());
    for (.., claims) in EVENTS {
        assert!(played.iter().any(|screen| claims.iter().all(|claim| screen.contains(claim))));
    }
    let svg = std::fs::read_to_string(demo.home.path().join("a.svg")).unwrap();
    assert!(svg.len() < 1_000_000 && svg.contains("@keyframes") && svg.ends_with("</svg>\n"));
}

/// Every figure of the closing table, as `stats` has it.
fn check_figures(end: &str, stats: &Value) {
    let number = |value: &Value| grouped(value.as_f64().unwrap().round() as u64);
    let bill = &stats["bill"];
    let layer = |name: &str| stats["layers"][name].as_u64().unwrap();
    let fixed = grouped(layer("system") + layer("tools"));
    let rows = [
        (
            "turns",
            vec![
                number(&stats["turn"]),
                number(&stats["efforts"]["concluded"]),
                number(&stats["efforts"]["evicted"]),
            ],
        ),
        (
            "put away again",
            vec![
                number(&stats["metrics"]["auto_collapses"]),
                number(&stats["metrics"]["tokens_saved_by_decay"]),
            ],
        ),
        ("the window now", vec![number(&stats["total"]), number(&stats["token_budget"])]),
        ("full history", vec![number(&stats["full_history"]), fixed]),
        (
            "they sent",
            ["cached", "uncached", "requests"].map(|key| number(&bill["all"][key])).into(),
        ),
        ("that costs", ["cost", "output"].map(|key| number(&bill["all"][key])).into()),
        ("full history costs", vec![number(&bill["others"]["full_history"]["cost"])]),
    ];
    for (name, figures) in rows {
        let line = end.lines().find_map(|line| line.trim().strip_prefix(&format!("{name}  ")));
        let line = line.unwrap_or_else(|| panic!("no '{name}' in\n{end}"));
        let line = line.split(['│', '║']).next().unwrap_or_default();
        let shown: Vec<String> = line
            .split_whitespace()
            .map(|word| word.trim_end_matches([',', '.', ':', ';']).to_owned())
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        assert_eq!(shown, figures, "{name} in\n{end}");
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (mut text, length) = (String::new(), digits.len());
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (length - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The screens that a terminal shows while it plays a cast.
fn played(cast: &str) -> Vec<String> {
    let mut parser = vt100::Parser::new(SIZE.1, SIZE.0, 0);
    let mut screens = Vec::new();
    for line in cast.lines().skip(1) {
        let event: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event[1], "o");
        parser.process(event[2].as_str().unwrap().as_bytes());
        screens.push(parser.screen().contents());
    }
    screens
}

#[test]
fn the_viewer_goes_to_any_chapter_and_into_a_session_of_their_own() {
    let mut demo = Demo::start(&[]);
    demo.terminal.wait_for("1 of 5");
    demo.terminal.send("3");
    demo.terminal.wait_for("3 of 5 · Ask, and it returns");
    demo.terminal.send("1");
    demo.terminal.wait_for("1 of 5 · Work and conclude");
    demo.terminal.send("\u{1b}");
    demo.terminal.wait_for("The session is yours");
    demo.terminal.send_line("Let's plan the harvest festival");
    demo.terminal.wait_for("Started effort: harvest-festival");
}

#[test]
fn after_the_end_a_digit_plays_a_chapter_again() {
    let mut demo = Demo::start(&["short"]);
    let end = demo.terminal.wait_for("1 to 4 play it again");
    assert!(end.contains("full history is the cheaper one"), "{end}");
    demo.terminal.send("2");
    demo.terminal.wait_for("2 of 4");
    demo.terminal.wait_for("1 to 4 play it again");
    demo.terminal.send_line("Let's plan the harvest festival");
    demo.terminal.wait_for("Started effort: harvest-festival");
}

#[test]
fn a_hint_is_given_once_for_ever_and_where_that_cannot_be_kept_once_a_run() {
    let (kept, lost) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(lost.path().join(".local")).unwrap();
    std::fs::write(lost.path().join(".local/state"), "a file").unwrap();
    for (home, second) in [(&kept, false), (&lost, true)] {
        for (session, hinted) in [("one", true), ("two", second)] {
            let args = &["--offline", "--set", "animations=false", "-s", session];
            let start = Start { args, home: home.path(), size: SIZE, env: &[] };
            let mut terminal = Terminal::start(&start);
            terminal.wait_for("Write a message");
            terminal.send_line("Let's plan the harvest festival");
            let screen = terminal.wait_for("turn 1 · ready");
            assert_eq!(screen.contains("a topic is open"), hinted, "{session}:\n{screen}");
            terminal.send("\u{4}");
            assert_eq!(terminal.wait_exit(), 0);
        }
    }
}

#[test]
fn what_cannot_be_recorded_or_told_is_said_before_anything_starts() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("old.cast"), "kept").unwrap();
    std::fs::write(home.path().join("typo.yaml"), "name: x\nturns:\n  - usr: hello\n").unwrap();
    for (args, words, status) in [
        (&["demo", "--record", "no/such/place.cast"][..], "nothing can be recorded into", 2),
        (&["demo", "--record", "old.cast"], "nothing can be recorded into", 2),
        (
            &["demo", "--record", "new.cast", "--svg", "no/place.svg"],
            "nothing can be recorded into",
            2,
        ),
        (&["demo", "typo.yaml"], "typo.yaml:3: turns[0]: unknown field `usr`", 1),
    ] {
        let start = Start { args, home: home.path(), size: (200, 30), env: &[] };
        let mut terminal = Terminal::start(&start);
        assert_eq!(terminal.wait_exit(), status, "{args:?}");
        let said = terminal.screen();
        assert!(said.contains(words), "{args:?}: {said}");
    }
    assert!(!home.path().join("new.cast").exists());
    assert_eq!(std::fs::read_to_string(home.path().join("old.cast")).unwrap(), "kept");
}

#[test]
fn an_empty_session_offers_a_try_in_which_something_ebbs_within_five_messages() {
    let home = tempfile::tempdir().unwrap();
    // Numbers that run would be read between two values.
    let args = &["--offline", "--set", "animations=false"];
    let start = Start { args, home: home.path(), size: SIZE, env: &[] };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("› Try it");
    terminal.send("\u{1b}[B");
    terminal.wait_for("› Watch the demo");
    terminal.send("\u{1b}[A");
    terminal.wait_for("› Try it");
    terminal.send("\r");
    for (step, seen) in [
        ("1 of 5", "Started effort: bike"),
        ("2 of 5", "Concluded effort: bike"),
        ("3 of 5", "turn 3"),
        ("4 of 5", "Evicted summary: bike"),
        ("5 of 5", "Summary back in memory: bike"),
    ] {
        terminal.wait_for(step);
        terminal.send("\r");
        terminal.wait_for(seen);
    }
    terminal.wait_for("And it is back");
    terminal.wait_for("24 euros");
    for (nth, line) in [
        "Let's plan the harvest festival",
        "Maria brings the trestle tables on the 4th.",
        "The harvest festival is planned, done!",
        "What a day.",
        "Good night.",
    ]
    .iter()
    .enumerate()
    {
        terminal.send_line(line);
        terminal.wait_for(&format!("turn {} · ready", nth + 6));
    }
    let screen = terminal.wait_for("Good night.");
    assert!(screen.contains("2 concluded, 0 evicted"), "it counts as usual again:\n{screen}");
}

#[test]
fn a_model_is_found_asked_and_written_down_and_the_chat_goes_on_with_it() {
    let server = Server::following(|_| Reply::text("Hello there."));
    let home = tempfile::tempdir().unwrap();
    let start = Start { args: &[], home: home.path(), size: SIZE, env: &[] };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("› Try it");
    terminal.send("\u{1b}[A");
    terminal.wait_for("› Connect a model");
    terminal.send("\r");
    terminal.wait_for("an address such as");
    terminal.send(&format!("{}\r", server.base_url()));
    terminal.wait_for("Which model?");
    terminal.send("small-one\r");
    terminal.wait_for("small-one answers: Hello there.");
    terminal.wait_for("model = \"small-one\"");
    terminal.wait_for("opens the chat again");
    terminal.send("\r");
    terminal.wait_for("small-one · turn 0 · ready");
    let config = std::fs::read_to_string(home.path().join(".config/ebbtide/config.toml")).unwrap();
    assert!(config.contains(&format!("base_url = \"{}\"", server.base_url())), "{config}");
    terminal.send_line("/connect");
    terminal.wait_for("Found:");
    terminal.wait_for("an address such as");
    terminal.send("nonsense\r");
    terminal.wait_for("nonsense is neither a number of the list nor an address");
    terminal.send("\r");
    terminal.wait_for("small-one · turn 0 · ready");
    let after = std::fs::read_to_string(home.path().join(".config/ebbtide/config.toml")).unwrap();
    assert_eq!(config, after);
    terminal.send_line("What a day.");
    terminal.wait_for("turn 1 · ready");
    terminal.send_line("/rename festival");
    terminal.wait_for("The session is now festival.");
    terminal.send_line("/connect");
    // What was asked before the chat stands below it still: Enter before the third question is no answer to it.
    terminal.wait_until("the third question", |screen| {
        screen.matches("an address such as").count() == 3
    });
    terminal.send("\r");
    let screen = terminal.wait_for("festival · small-one · turn 1 · ready");
    assert!(screen.contains("What a day."), "back where it was left, and at once:\n{screen}");
}

#[test]
fn the_story_calls_a_text_as_memory_does() {
    let home = tempfile::tempdir().unwrap();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_ebbtide"))
        .args(["play", "story"])
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    let played = String::from_utf8(out.stdout).unwrap();
    let story = include_str!("../../assets/stories/story.yaml");
    let keys = story.split("ref:").skip(1);
    let keys: Vec<&str> =
        keys.filter_map(|rest| rest.split(|sign: char| !sign.is_alphanumeric()).next()).collect();
    assert!(!keys.is_empty());
    for key in keys {
        assert!(played.contains(&format!("Saved to scratchpad: ref:{key} ")), "{key}: {played}");
    }
}
