//! Every key of the memory panel, pressed in the built program in a real pseudo-terminal.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::support::pty::{Start, Terminal};

/// A session with two open efforts and two concluded ones, as another program would have written it.
fn session(home: &Path) -> String {
    let dir = home.join("session");
    fs::create_dir_all(dir.join("efforts")).unwrap();
    let efforts = [
        ("pumps", "open", None),
        ("boiler", "open", None),
        ("tea", "concluded", Some("Green tea is brewed at 70 degrees.")),
        ("bread", "concluded", Some("Rye sourdough proofs for four hours.")),
    ];
    let entries = efforts.map(|(id, status, summary)| {
        let said = format!("We talk about {id}: the steps, the numbers and what went wrong. ");
        let lines = [("user", said.repeat(6)), ("assistant", "noted".to_owned())]
            .map(|(role, content)| json!({"role": role, "content": content}).to_string() + "\n");
        let file = format!("efforts/{id}.jsonl");
        fs::write(dir.join(&file), lines.concat()).unwrap();
        json!({"id": id, "status": status, "summary": summary, "raw_file": file})
    });
    let manifest = json!({ "efforts": entries }).to_string();
    fs::write(dir.join("manifest.yaml"), manifest).unwrap();
    dir.display().to_string()
}

/// The program with that session open, on a screen with a panel.
pub(super) fn open(home: &Path) -> Terminal {
    let session = session(home);
    let args = ["--offline", "--session", &session];
    let terminal = Terminal::start(&Start { args: &args, home, size: (140, 40), env: &[] });
    terminal.wait_for(" active ");
    terminal
}

/// Moves to the panel and selects the one item whose id is given.
fn select(terminal: &mut Terminal, id: &str) {
    terminal.send("\t");
    terminal.wait_for("u undo");
    terminal.send("/");
    terminal.wait_for("Enter keeps it");
    terminal.send(id);
    terminal.wait_for(&format!("/{id}"));
    terminal.send("\r");
    terminal.wait_gone("Enter keeps it");
}

#[test]
fn every_key_of_the_panel_does_what_the_footer_says() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path());
    select(&mut terminal, "pumps");
    terminal.wait_for("s switch");
    terminal.send("s");
    terminal.wait_for("Switched to effort: pumps");
    // Esc clears the filter first, then leaves.
    terminal.send("\u{1b}");
    terminal.wait_gone("/pumps");
    terminal.send("\u{1b}");
    terminal.wait_for("Enter send");

    select(&mut terminal, "tea");
    for (key, said, footer) in [
        ("e", "Expanded effort: tea", "c collapse"),
        ("c", "Collapsed effort: tea", "e expand"),
        ("p", "Pinned effort: tea", "p unpin"),
        ("p", "Unpinned effort: tea", "p pin"),
        ("K", "Kept effort: tea", "K keep"),
        ("x", "Evicted summary: tea", "e expand"),
        ("K", "Summary back in memory: tea", "x evict"),
        ("R", "New summary: tea (summarised again", "x evict"),
    ] {
        terminal.send(key);
        terminal.wait_for(said);
        terminal.wait_for(footer);
    }
    terminal.send("\r");
    terminal.wait_for("What memory did, newest first");
    terminal.wait_for("summary before: Green tea is brewed");
    terminal.send("\u{1b}");
    terminal.wait_gone("What memory did, newest first");
    terminal.send("E");
    terminal.wait_for("/edit tea ");
    terminal.send(" And rest.");
    terminal.wait_for("And rest.");
    terminal.send("\r");
    terminal.wait_for("New summary: tea (worded by hand)");
    terminal.wait_for("o reopen");
    terminal.send("o");
    terminal.wait_for("Reopened effort: tea");
    terminal.wait_for("c conclude");
    terminal.send("c");
    terminal.wait_for("Concluded effort: tea");
    terminal.send("\u{1b}");
    terminal.wait_gone("/tea");
    terminal.send("\u{1b}");
    terminal.wait_for("Enter send");
    terminal.send("\u{4}");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_click_selects_and_what_is_impossible_is_told() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = open(home.path());
    let screen = terminal.wait_for("○ pumps");
    let row = screen.lines().position(|line| line.contains("○ pumps")).unwrap() + 1;
    terminal.send(&format!("\u{1b}[<0;120;{row}M\u{1b}[<0;120;{row}m"));
    terminal.wait_for("s switch");
    terminal.send("R");
    terminal.wait_for("not possible here");
    terminal.send("s");
    terminal.wait_for("Switched to effort: pumps");
}
