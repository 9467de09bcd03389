//! The chat pane on a real terminal: Markdown as it streams, finding, copying, the mouse.

use std::fs;
use std::path::Path;

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};

const REPLY: &str = "# Plan\n\nLook for the **needle**:\n\n```sh\necho 'a b'\n```\n\nThen stop.";

/// `REPLY`, in base64.
const REPLY_BASE64: &str =
    "IyBQbGFuCgpMb29rIGZvciB0aGUgKipuZWVkbGUqKjoKCmBgYHNoCmVjaG8gJ2EgYicKYGBgCgpUaGVuIHN0b3Au";

/// `echo 'a b'` and a line end, in base64.
const CODE_BASE64: &str = "ZWNobyAnYSBiJwo=";

fn start(home: &Path, server: &Server, env: &[(&str, &str)]) -> Terminal {
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let terminal = Terminal::start(&Start { args: &args, home, size: (100, 30), env });
    terminal.wait_for("· ready");
    terminal
}

/// The chat after one reply, which came letter by letter.
fn talked(home: &Path, env: &[(&str, &str)]) -> (Server, Terminal) {
    let server = Server::replying([Reply::text_by_character(REPLY)]);
    let mut terminal = start(home, &server, env);
    terminal.send_line("what now?");
    terminal.wait_for("Then stop.");
    terminal.wait_for("turn 1 · ready");
    (server, terminal)
}

fn wrote(terminal: &Terminal, text: &str) -> bool {
    String::from_utf8_lossy(&terminal.bytes()).contains(text)
}

#[test]
fn a_reply_is_laid_out_and_its_code_is_coloured() {
    let home = tempfile::tempdir().unwrap();
    let (_server, terminal) = talked(home.path(), &[]);
    let screen = terminal.screen();
    assert!(screen.contains("Look for the needle:"), "{screen}");
    assert!(screen.contains("┌ sh") && screen.contains("│ echo 'a b'"), "{screen}");
    assert!(!screen.contains("```") && !screen.contains("**"), "{screen}");
}

#[test]
fn after_a_restart_a_reply_bears_the_name_of_the_model_that_wrote_it() {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let start = |model| {
        let args = ["--base-url", &url, "--model", model];
        let size = (100, 30);
        Terminal::start(&Start { args: &args, home: home.path(), size, env: &[] })
    };
    let mut terminal = start("first-model");
    terminal.wait_for("· ready");
    terminal.send_line("hello");
    terminal.wait_for("turn 1 · ready");
    terminal.send("\x04");
    terminal.wait_exit();
    let mut terminal = start("second-model");
    terminal.wait_for("second-model · turn 1 · ready");
    let screen = terminal.wait_for("Fine.");
    assert!(screen.lines().any(|line| line.starts_with(" first-model ")), "{screen}");
    terminal.send("\x04");
    terminal.wait_exit();
}

#[test]
fn markdown_can_be_switched_off() {
    let home = tempfile::tempdir().unwrap();
    let (_server, terminal) = talked(home.path(), &[("EBBTIDE_MARKDOWN", "false")]);
    assert!(terminal.screen().contains("Look for the **needle**:"));
}

#[test]
fn ctrl_f_finds_and_escape_closes() {
    let home = tempfile::tempdir().unwrap();
    let (_server, mut terminal) = talked(home.path(), &[]);
    terminal.send("\x06");
    terminal.wait_for("Find:");
    terminal.send("NOW?");
    terminal.wait_for("1/1");
    terminal.send("\x15needle");
    terminal.wait_for("Find: needle");
    terminal.wait_for("1/1");
    terminal.send("s");
    terminal.wait_for("nothing found");
    terminal.send("\x1b");
    terminal.wait_gone("Find:");
}

#[test]
fn a_copy_reaches_the_terminal_and_is_told_as_what_it_is() {
    let home = tempfile::tempdir().unwrap();
    let (_server, mut terminal) = talked(home.path(), &[]);
    terminal.send("\x1b[Z");
    terminal.wait_for("┃");
    terminal.send("y");
    terminal.wait_for("sent the reply (9 lines) to the terminal's clipboard");
    assert!(wrote(&terminal, &format!("\x1b]52;c;{REPLY_BASE64}\x1b\\")));
    terminal.send("c");
    terminal.wait_for("sent the code block");
    assert!(wrote(&terminal, &format!("\x1b]52;c;{CODE_BASE64}\x1b\\")));
}

#[cfg(unix)]
#[test]
fn a_program_of_the_desktop_is_asked_too_and_may_refuse() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let programs = home.path().join("bin");
    fs::create_dir(&programs).unwrap();
    let program = programs.join("wl-copy");
    let install = |script: &str| {
        let fresh = programs.join("fresh");
        fs::write(&fresh, script).unwrap();
        fs::set_permissions(&fresh, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&fresh, &program).unwrap();
    };
    let clipboard = home.path().join("clipboard");
    install(&format!("#!/bin/sh\nexec cat > '{}'\n", clipboard.display()));
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let env = [("PATH", &*path), ("WAYLAND_DISPLAY", "wayland-0")];
    let (_server, mut terminal) = talked(home.path(), &env);
    terminal.send("\x1b[Z");
    terminal.wait_for("┃");
    terminal.send("y");
    terminal.wait_for("copied the reply (9 lines) with wl-copy");
    assert_eq!(fs::read_to_string(&clipboard).unwrap(), REPLY);
    install("#!/bin/sh\nexit 3\n");
    terminal.send("y");
    terminal.wait_for("wl-copy refused the reply");
}

#[test]
fn a_drag_copies_and_the_mouse_can_be_given_back() {
    let home = tempfile::tempdir().unwrap();
    let (_server, mut terminal) = talked(home.path(), &[]);
    let screen = terminal.screen();
    let row = screen.lines().position(|line| line.contains("Look for")).unwrap() + 1;
    // Columns 9 to 11 of the row: "for" begins in the ninth.
    terminal
        .send(&format!("\x1b[<0;9;{row}M\x1b[<32;10;{row}M\x1b[<32;11;{row}M\x1b[<0;11;{row}m"));
    terminal.wait_for("sent the selection (3 characters)");
    assert!(wrote(&terminal, "\x1b]52;c;Zm9y\x1b\\"));
    let given = |terminal: &Terminal| {
        let bytes = terminal.bytes();
        let text = String::from_utf8_lossy(&bytes);
        text.rfind("\x1b[?1000l") > text.rfind("\x1b[?1000h")
    };
    assert!(!given(&terminal));
    terminal.send("\x1b[20~");
    terminal.wait_for("the mouse is the terminal's now");
    assert!(given(&terminal));
    terminal.send("\x1b[20~");
    terminal.wait_for("scrolls and selects here again");
    assert!(!given(&terminal));
}

#[test]
fn the_title_names_the_session_and_the_end_tells_how_to_go_on() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::replying([Reply::text("Fine.")]);
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m", "-s", "my work"];
    let mut terminal =
        Terminal::start(&Start { args: &args, home: home.path(), size: (100, 30), env: &[] });
    terminal.wait_for("· ready");
    terminal.send_line("what now?");
    terminal.wait_for("turn 1 · ready");
    assert!(wrote(&terminal, "\u{1b}[22;0t"), "the old title is kept");
    assert!(wrote(&terminal, "\u{1b}]0;my work · Ebbtide\u{7}"));
    terminal.send("\u{4}");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(wrote(&terminal, "\u{1b}]0;\u{7}\u{1b}[23;0t"), "the old title is back");
    let screen = terminal.screen();
    let again = format!("To go on: ebbtide -s \"my work\" --base-url {url} -m m");
    assert!(screen.contains(&again), "{screen}");
}

#[test]
fn without_a_word_said_nothing_is_told_and_the_title_can_be_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::replying([]);
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m", "--set", "terminal_title=false"];
    let mut terminal =
        Terminal::start(&Start { args: &args, home: home.path(), size: (100, 30), env: &[] });
    terminal.wait_for("· ready");
    terminal.send("\u{4}");
    assert_eq!(terminal.wait_exit(), 0);
    assert!(!wrote(&terminal, "Ebbtide\u{7}") && !wrote(&terminal, "To go on"));
}
