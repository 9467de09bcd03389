//! Writing in the built program: pastes that the terminal marks and ones that it does not, and earlier
//! messages found again.

use std::path::Path;

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server};

/// The program on a terminal of its own, with a server that answers every message with `Fine.`.
fn start(home: &Path, server: &Server) -> Terminal {
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let terminal = Terminal::start(&Start { args: &args, home, size: (100, 30), env: &[] });
    terminal.wait_for("· ready");
    terminal
}

/// The message of the user that the server received last.
fn last_sent(server: &Server) -> String {
    let request = server.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap();
    let user = messages.iter().rev().find(|message| message["role"] == "user").unwrap();
    user["content"].as_str().unwrap().to_owned()
}

#[test]
fn a_large_paste_is_one_label_and_reaches_the_model_whole() {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &server);
    let lines: Vec<String> = (0..40).map(|n| format!("value {n} = {}", n * 7)).collect();
    terminal.send("sum this: ");
    terminal.wait_for("sum this:");
    terminal.send(&format!("\x1b[200~{}\x1b[201~", lines.join("\r")));
    let screen = terminal.wait_for("[paste 1: 40 lines, ");
    assert!(!screen.contains("value 3"), "{screen}");
    // It goes and comes back as one character.
    terminal.send("\x7f");
    terminal.wait_gone("[paste 1");
    terminal.send("\x1f");
    terminal.wait_for("[paste 1");
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server), format!("sum this: {}", lines.join("\n")));
}

#[test]
fn a_paste_that_the_terminal_does_not_mark_sends_nothing() {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &server);
    terminal.send("first line\rsecond line\rthird line\r");
    terminal.wait_for("third line");
    terminal.wait_for("taken for a paste");
    // Longer than what is read at once, so that it arrives in pieces.
    let lines: Vec<String> = (0..200).map(|n| format!("{n} {}", "=".repeat(32))).collect();
    terminal.send(&(lines.join("\r") + "\r"));
    terminal.wait_for("[paste 1: 200 lines, ");
    assert!(server.requests().is_empty());
    terminal.send("\r");
    terminal.wait_for("Fine.");
    let expected = format!("first line\nsecond line\nthird line\n{}", lines.join("\n"));
    assert!(server.requests().len() == 1);
    assert_eq!(last_sent(&server).trim_end(), expected);
}

#[test]
fn an_earlier_message_is_found_by_its_words() {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &server);
    for (turn, message) in ["the boiler leaks", "a new pump", "and the weather"].iter().enumerate()
    {
        terminal.send_line(message);
        terminal.wait_for(&format!("turn {}", turn + 1));
        terminal.wait_for("· ready");
    }
    terminal.send("draft");
    terminal.wait_for("│ draft");
    terminal.send("\x12");
    terminal.wait_for("Search back:");
    terminal.send("e");
    terminal.wait_for("the last message");
    terminal.send(" b");
    terminal.wait_for("3 messages ago");
    terminal.wait_for("│ the boiler leaks");
    terminal.send("\x1b");
    terminal.wait_for("│ draft");
    terminal.send("\x12");
    terminal.wait_for("Search back:");
    terminal.send("boil");
    terminal.wait_for("│ the boiler leaks");
    terminal.send("\r");
    terminal.wait_gone("Search back:");
    terminal.send(" again");
    terminal.wait_for("leaks");
    assert_eq!(server.requests().len(), 3, "what was found is not sent by itself");
}
