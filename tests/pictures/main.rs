//! Draws the pictures of the README: runs the built program in a pseudo-terminal, types at it, and writes what
//! the screen shows into `assets/screenshots/` as SVG.
//!
//! `cargo bench --bench pictures -- --write` makes them anew; without `--write` nothing happens, so that
//! `cargo bench` leaves the files alone.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "it ends with a panic")]

#[path = "../suite/support"]
#[allow(dead_code, unreachable_pub, reason = "the pictures need a part of it")]
mod support {
    pub(crate) mod pty;
}

#[path = "../bench/replay/logs.rs"]
#[allow(dead_code, reason = "the card needs a log of one program")]
mod logs;
mod svg;

use std::fs;
use std::path::Path;
use std::process::Command;

use support::pty::{Start, Terminal};

/// One picture: what it is called, how the program is started, and what is done.
struct Picture {
    name: &'static str,
    size: (u16, u16),
    theme: &'static str,
    steps: &'static [Step],
}

/// What is done before the picture is taken.
enum Step {
    /// Types a line and sends it, and waits for these words.
    Say(&'static str, &'static str),
    /// Presses keys and waits for these words.
    Press(&'static str, &'static str),
}

use Step::{Press, Say};

const CONVERSATION: &[Step] = &[
    Say("Let's work on the pump station", "Started pump-station"),
    Say("Valve 9 stalls at 3.2 bar around noon; the intake filter is clean.", "turn 2 "),
    Say("We replaced the seal of valve 9 and set the limit to 3.6 bar.", "turn 3 "),
    Say("The pump station is done", "Concluded effort: pump-station"),
    Say("Let's plan the trip to Lisbon", "Started trip-lisbon"),
    Say("Flights on 12 and 16 May, four nights in Alfama.", "turn 6 "),
    Say("The trip to Lisbon is done", "Concluded effort: trip-lisbon"),
    Say("Let's fix the login bug", "Started login-bug"),
    Say("expand the pump station", "Expanded effort: pump-station"),
];

const PICTURES: &[Picture] = &[
    Picture { name: "chat", size: (120, 36), theme: "dark", steps: CONVERSATION },
    Picture { name: "chat-light", size: (120, 36), theme: "light", steps: CONVERSATION },
    Picture {
        name: "past",
        size: (120, 36),
        theme: "dark",
        steps: &[
            Say("Let's work on the pump station", "Started pump-station"),
            Say("Valve 9 stalls at 3.2 bar around noon.", "turn 2 "),
            Say("The pump station is done", "Concluded effort: pump-station"),
            Say("Let's plan the trip to Lisbon", "Started trip-lisbon"),
            Press("\u{1b}[15~", "as it was"),
            Press("\u{1b}[D", "of 4, as it was"),
        ],
    },
];

fn main() {
    if !std::env::args().any(|argument| argument == "--write") {
        println!("pictures: run with `-- --write` to make the README's pictures anew");
        return;
    }
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screenshots");
    fs::create_dir_all(&target).expect("a directory for the pictures");
    for picture in PICTURES {
        let file = target.join(format!("{}.svg", picture.name));
        fs::write(&file, take(picture)).expect("the picture is written");
        println!("assets/screenshots/{}.svg", picture.name);
    }
    replay_to(&target.join("card.svg"));
    println!("assets/screenshots/card.svg");
}

/// The card of a made-up log of a coding agent.
fn replay_to(card: &Path) {
    const BYTES: usize = 1_500_000;
    let home = tempfile::tempdir().expect("a home");
    fs::write(home.path().join("log.jsonl"), logs::log("Claude Code", BYTES)).expect("a log");
    let _ = fs::remove_file(card);
    let mut replay = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    replay.args(["replay", "log.jsonl", "--svg"]).arg(card);
    let result = replay.current_dir(home.path()).env("HOME", home.path()).output();
    let output = result.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn take(picture: &Picture) -> String {
    let home = tempfile::tempdir().expect("a home");
    let args = ["--offline", "--theme", picture.theme, "--set", "animations=false", "-s", "demo"];
    let start = Start { args: &args, home: home.path(), size: picture.size, env: &[] };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("Write a message");
    for step in picture.steps {
        match step {
            Say(line, seen) => {
                terminal.send_line(line);
                terminal.wait_for(seen);
                terminal.wait_for("ready");
            }
            Press(keys, seen) => {
                terminal.send(keys);
                terminal.wait_for(seen);
            }
        }
    }
    svg::draw(&terminal.picture(), picture.theme == "light")
}
