//! Sessions and settings as a hand at the keyboard meets them, in a real pseudo-terminal.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use ebbtide::store::Store;

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};

/// Longest wait for a file. A passing test never waits this long.
const PATIENCE: Duration = Duration::from_secs(30);

fn start(home: &Path, args: &[&str]) -> Terminal {
    let args: Vec<&str> = ["--offline"].iter().chain(args).copied().collect();
    // Wide enough for the paths of temporary directories.
    Terminal::start(&Start { args: &args, home, size: (200, 40), env: &[] })
}

/// Runs a command of the shell beside the chat.
fn shell(home: &Path, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ebbtide"))
        .args(args)
        .env_clear()
        .env("HOME", home)
        .current_dir(home)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn session(home: &Path, name: &str) -> std::path::PathBuf {
    home.join(".local/share/ebbtide/sessions").join(name)
}

#[test]
fn sessions_are_begun_found_by_what_was_said_opened_and_renamed() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["-s", "first"]);
    terminal.wait_for("· ready");
    terminal.send_line("Hello, I like marmalade");
    terminal.wait_for("turn 1 · ready");
    terminal.send_line("/new second");
    terminal.wait_until("the second session", |screen| {
        screen.starts_with("second") && screen.contains("turn 0 · ready")
    });
    drop(Store::open(&session(home.path(), "first")).expect("the first session is free"));
    assert!(!terminal.screen().contains("marmalade"));

    terminal.send("\x1b[17~");
    terminal.wait_for("2 found");
    terminal.send("marmalade");
    terminal.wait_for("1 found");
    terminal.send("\r");
    terminal.wait_until("the first session", |screen| {
        screen.starts_with("first") && screen.contains("turn 1 · ready")
    });
    terminal.wait_for("I like marmalade");
    drop(Store::open(&session(home.path(), "second")).expect("the second session is free"));

    terminal.send_line("/rename kitchen");
    terminal.wait_until("the new name", |screen| screen.starts_with("kitchen"));
    terminal.send("half a sen");
    let draft = session(home.path(), "kitchen").join("draft.json");
    terminal.wait_for("│ half a sen");
    let begun = Instant::now();
    while !fs::read_to_string(&draft).is_ok_and(|kept| kept.contains("half a sen")) {
        assert!(begun.elapsed() < PATIENCE, "the draft is not kept:\n{}", terminal.screen());
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!terminal.screen().contains("would be lost"), "{}", terminal.screen());
    terminal.send("\x15");
    terminal.wait_gone("half a sen");
    terminal.send_line("/export copy.json");
    terminal.wait_for("is exported to copy.json");
    let text = shell(home.path(), &["search", "marmalade", "-s", "kitchen"]);
    assert!(!text.is_empty());
    shell(home.path(), &["import", "copy.json", "--name", "again"]);
    let stats = shell(home.path(), &["stats", "-s", "kitchen"]);
    assert!(stats.starts_with("turns            1\n"), "{stats}");
    terminal.send_line("/quit");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(shell(home.path(), &["sessions"]).contains("again"));
}

#[test]
fn a_session_is_copied_in_the_chat_and_deleted_there_and_in_the_shell() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &["-s", "first"]);
    terminal.wait_for("· ready");
    terminal.send_line("Hello, I like marmalade");
    terminal.wait_for("turn 1 · ready");
    terminal.send_line("/fork");
    terminal.wait_until("the copy", |screen| {
        screen.starts_with("first-2") && screen.contains("turn 1 · ready")
    });
    terminal.wait_for("`ebbtide -s first-2` opens it. This is first-2 now; first stays as it is");
    terminal.send_line("And now to the copy");
    terminal.wait_for("turn 2 · ready");
    assert!(shell(home.path(), &["stats", "-s", "first"]).starts_with("turns            1\n"));

    terminal.send("\x1b[17~");
    terminal.wait_for("2 found");
    terminal.send("\x1b[3~");
    terminal.wait_for("Delete first for good? Enter deletes it");
    terminal.send("\r");
    terminal.wait_for("first is deleted.");
    assert!(!session(home.path(), "first").exists());
    terminal.send("\x1b");
    terminal.wait_gone("Find:");
    terminal.send_line("/quit");
    assert_eq!(terminal.wait_exit(), 0);

    for (answer, is_left) in [("\r", true), ("y\r", false)] {
        let mut terminal = start(home.path(), &["sessions", "delete", "first-2"]);
        terminal.wait_for("Delete it for good? [y/N]");
        terminal.send(answer);
        assert_eq!(terminal.wait_exit(), u32::from(is_left));
        assert_eq!(session(home.path(), "first-2").exists(), is_left);
    }
    assert_eq!(shell(home.path(), &["sessions"]), "");
}

#[test]
fn resume_without_a_name_begins_with_the_list() {
    let home = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        shell(home.path(), &["--offline", "-p", "Hello there", "-s", name]);
    }
    let mut terminal = start(home.path(), &["-r"]);
    terminal.wait_for("2 found");
    terminal.send("two");
    terminal.wait_for("1 found");
    terminal.send("\r");
    terminal.wait_until("the session", |screen| screen.starts_with("two"));
    terminal.wait_for("turn 1 · ready");
    terminal.send("\x03");
    terminal.send("\x03");
    assert_eq!(terminal.wait_exit(), 0);

    let mut terminal = start(home.path(), &["-r"]);
    terminal.wait_for("2 found");
    terminal.send("\x1b");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_threshold_is_changed_in_the_settings_and_holds_at_once_and_for_good() {
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &[]);
    terminal.wait_for("turn 0 · ready");
    terminal.send("\x1b[18~");
    terminal.wait_for("Settings");
    terminal.send("token_bud");
    terminal.wait_for("16000");
    terminal.send("\r");
    terminal.send("\x7f\x7f\x7f\x7f\x7f9000\r");
    terminal.wait_for("token_budget is now 9000.");
    terminal.wait_for("set in the chat");
    terminal.send("\x13");
    terminal.wait_for("Kept in ");
    terminal.send("\x1b");
    terminal.wait_gone("Find:");
    terminal.wait_for("of 9,000");
    let file = home.path().join(".config/ebbtide/config.toml");
    assert_eq!(fs::read_to_string(file).unwrap(), "token_budget = 9000\n");
    terminal.send_line("/set token_budget 12");
    terminal.wait_for("token_budget must be a whole number");
    terminal.wait_for("of 9,000");
    terminal.send_line("/quit");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn the_settings_name_the_model_that_was_chosen_in_the_session_and_in_no_other_one() {
    let server = Server::following(|_| Reply::text("Fine."));
    server.set_models(&["small", "other"]);
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".config/ebbtide/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let table =
        format!("[providers.lab]\nbase_url = \"{}\"\nmodel = \"small\"\n", server.base_url());
    fs::write(&file, format!("provider = \"lab\"\n{table}")).unwrap();
    let flags = ["-s", "first", "--model", "small"];
    let mut terminal =
        Terminal::start(&Start { args: &flags, home: home.path(), size: (160, 40), env: &[] });
    let settings = |terminal: &mut Terminal, from: [&str; 2], model: &str| {
        terminal.send("\x1b[18~");
        terminal.wait_for("Find: ");
        let shown = terminal.wait_for(&format!("{} ", from[0]));
        for (key, value, from) in [("model", model, from[0]), ("provider", "lab", from[1])] {
            let is_row = |line: &str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.windows(2).any(|two| two == [key, value]) && line.contains(from)
            };
            assert!(shown.lines().any(is_row), "{key} {value} {from}:\n{shown}");
        }
        terminal.send("\x1b");
        terminal.wait_gone("Find: ");
    };
    terminal.wait_for("· ready");
    let set = ["flag --model", "config file, line 1"];
    settings(&mut terminal, set, "small");
    terminal.send_line("/model other");
    terminal.wait_for("other from lab answers");
    settings(&mut terminal, ["chosen in this session"; 2], "other");
    terminal.send_line("/new second");
    terminal.wait_until("the second session", |screen| {
        screen.starts_with("second") && screen.contains("turn 0 · ready")
    });
    settings(&mut terminal, set, "small");
    terminal.send_line("/quit");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_config_file_with_faults_starts_with_the_defaults_and_says_so() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".config/ebbtide/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let text = "ambient_windw = 3\n[keys]\nglobal.help = \"F10\"\nglobal.redraw = \"F10\"\n\
                [theme]\naccent = \"pinkish\"\n";
    fs::write(&file, text).unwrap();
    let mut terminal = start(home.path(), &[]);
    terminal.wait_for("F10 help");
    for line in [1, 4, 6] {
        terminal.wait_for(&format!(":{line})"));
    }
    terminal.send("\x1b[21~");
    terminal.wait_for("Alt+Enter");
}
