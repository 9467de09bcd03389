//! Writing in the built program: pastes that the terminal marks and ones that it does not, and earlier
//! messages found again.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server, content, said};

/// The program on a terminal of its own, with a server that answers every message with `Fine.`.
fn start(home: &Path, server: &Server) -> Terminal {
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let terminal = Terminal::start(&Start { args: &args, home, size: (100, 30), env: &[] });
    terminal.wait_for("· ready");
    terminal
}

/// The same with a new home and a server of its own.
fn begin() -> (Server, TempDir, Terminal) {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let terminal = start(home.path(), &server);
    (server, home, terminal)
}

/// The message of the user that the server received last.
fn last_sent(server: &Server) -> String {
    said(&server.requests().pop().unwrap())
}

#[test]
fn a_large_paste_is_one_label_and_reaches_the_model_whole() {
    let (server, _home, mut terminal) = begin();
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
    let screen = terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server), format!("sum this: {}", lines.join("\n")));
    assert!(screen.contains("sum this: [paste 1: 40 lines, "), "{screen}");
}

#[test]
fn a_paste_that_the_terminal_does_not_mark_sends_nothing() {
    let (server, _home, mut terminal) = begin();
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
fn tabs_and_invisible_signs_are_sent_as_they_were_pasted_and_never_drawn() {
    let (server, _home, mut terminal) = begin();
    let unseen = "\u{200b}\u{200e}\u{200f}\u{ad}\u{2060}\u{feff}\u{2069}\u{202e}";
    let pasted = format!("a\tbc\td{unseen}e\n\tf");
    terminal.send(&format!("\x1b[200~{pasted}\x1b[201~"));
    terminal.wait_for("│ a   bc  d");
    terminal.wait_for("│     f");
    terminal.send("\r");
    terminal.wait_for("turn 1 · ready");
    assert_eq!(last_sent(&server), pasted);
    let drawn = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let reached: Vec<char> = unseen.chars().filter(|sign| drawn.contains(*sign)).collect();
    assert!(reached.is_empty(), "what misleads a reader reached the terminal: {reached:?}");
    // A large one that is opened and edited.
    let makefile = "all: x\n\tcc -o x x.c\n".repeat(15) + "end";
    terminal.send(&format!("\x1b[200~{makefile}\x1b[201~"));
    terminal.wait_for("[paste 1: 31 lines");
    terminal.send("\x0f");
    terminal.wait_for("│ end");
    terminal.send("!");
    terminal.wait_for("│ end!");
    terminal.send("\r");
    terminal.wait_for("turn 2 · ready");
    assert_eq!(last_sent(&server), makefile + "!");
    // One that the terminal does not mark: the tab is no key.
    terminal.send("name\tcount");
    terminal.wait_for("│ name    count");
    terminal.send("\r");
    terminal.wait_for("turn 3 · ready");
    assert_eq!(last_sent(&server), "name\tcount");
}

#[test]
fn a_paste_whose_end_never_comes_is_kept_and_the_keys_go_on() {
    let (server, _home, mut terminal) = begin();
    terminal.send("\x1b[200~first line\rsecond");
    terminal.wait_for("│ second");
    terminal.send(" line");
    terminal.wait_for("second line");
    assert!(server.requests().is_empty());
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server), "first line\nsecond line");
}

#[test]
fn what_stands_in_a_paste_is_text_even_a_mark_of_its_end_or_a_key() {
    let (server, _home, mut terminal) = begin();
    terminal.send("\x1b[200~one\x1b[201~\rtwo\x1b[A\x03 three\x1b[201~");
    terminal.wait_for("three");
    assert!(server.requests().is_empty());
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(server.requests().len(), 1);
    let sent = last_sent(&server);
    let words = ["one", "two", "three"].map(|word| sent.find(word));
    assert!(sent.lines().count() == 2 && words.is_sorted() && words[0] == Some(0), "{sent:?}");
}

#[test]
fn the_two_signs_of_a_line_end_are_one_in_a_paste_without_marks() {
    let (server, _home, mut terminal) = begin();
    terminal.send("one\r\ntwo\r\n\r\nfour\r\n");
    terminal.wait_for("taken for a paste");
    terminal.wait_for("│ four");
    assert!(server.requests().is_empty());
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server).trim_end(), "one\ntwo\n\nfour");
}

#[test]
fn a_line_that_a_slow_connection_hands_over_at_once_is_typed_and_sent() {
    let (server, _home, mut terminal) = begin();
    terminal.send("typed on a slow line\r");
    terminal.wait_for("turn 1");
    terminal.wait_for("· ready");
    assert_eq!(last_sent(&server), "typed on a slow line");
    terminal.send("/stats\r");
    terminal.wait_for("saved by decay");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn ctrl_j_begins_a_line_and_sends_nothing_alone_or_in_a_burst() {
    let (server, _home, mut terminal) = begin();
    terminal.send("first");
    terminal.wait_for("│ first");
    terminal.send("\n");
    terminal.wait_until("a second row", |screen| {
        let mut rows = screen.lines().skip_while(|row| !row.contains("│ first"));
        rows.nth(1).is_some_and(|row| row.contains('│'))
    });
    terminal.send("second\n");
    terminal.wait_for("│ second");
    terminal.send("third");
    terminal.wait_for("│ third");
    terminal.send("\nfourth");
    terminal.wait_for("│ fourth");
    assert!(server.requests().is_empty());
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server), "first\nsecond\nthird\nfourth");
}

#[test]
fn the_message_is_written_in_an_editor_and_the_terminal_is_its_own() {
    let server = Server::following(|_| Reply::text("Fine."));
    let home = tempfile::tempdir().unwrap();
    let script = home.path().join("edit.sh");
    let text = "stty -a | grep -q ' icanon' && echo cooked\nread line\nprintf '\\t%s\\n' \"$line\" >> \"$1\"\n";
    fs::write(&script, text).unwrap();
    let editor = format!("sh {}", script.display());
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let env = [("VISUAL", editor.as_str())];
    let mut terminal =
        Terminal::start(&Start { args: &args, home: home.path(), size: (100, 30), env: &env });
    terminal.wait_for("· ready");
    terminal.send("from the chat, ");
    terminal.wait_for("from the chat,");
    terminal.send("\x07");
    terminal.wait_for("cooked");
    terminal.send("and from the editor\r");
    let screen = terminal.wait_for("Message ─");
    assert!(!screen.contains("cooked"), "{screen}");
    terminal.wait_for("│ from the chat,  and from the editor");
    terminal.send("!");
    terminal.wait_for("editor!");
    terminal.send("\r");
    terminal.wait_for("Fine.");
    assert_eq!(last_sent(&server), "from the chat, \tand from the editor!");
}

#[test]
fn the_screen_is_drawn_again_without_asking_the_terminal() {
    let (_server, _home, mut terminal) = begin();
    terminal.send("written");
    terminal.wait_for("│ written");
    terminal.send("\x0c");
    terminal.send("!");
    terminal.wait_for("│ written!");
    assert!(!String::from_utf8_lossy(&terminal.bytes()).contains("\x1b[6n"));
}

#[test]
fn an_editor_that_fails_is_told_and_costs_no_word() {
    let (_server, _home, mut terminal) = begin();
    terminal.send("kept");
    terminal.wait_for("│ kept");
    terminal.send("\x07");
    terminal.wait_for("No editor is set");
    terminal.send(" words");
    terminal.wait_for("│ kept words");
}

#[test]
fn an_earlier_message_is_found_by_its_words() {
    let (server, _home, mut terminal) = begin();
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

#[test]
fn a_draft_and_what_waits_behind_a_turn_survive_a_kill() {
    let server = Server::following(|_| Reply::chunks([content("thinking")]).hang());
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &server);
    terminal.send_line("asked already");
    terminal.wait_for("thinking");
    terminal.send_line("asked next");
    terminal.wait_for("next: asked next");
    terminal.send("half a ");
    terminal.send(&format!("\x1b[200~{}\x1b[201~", "a pasted line\r".repeat(30)));
    terminal.wait_for("[paste 1: 30 lines");
    let draft = home.path().join(".local/share/ebbtide/sessions/default/draft.json");
    let deadline = Instant::now() + Duration::from_secs(30);
    while !fs::read_to_string(&draft).is_ok_and(|kept| kept.contains("[paste 1: 30 lines")) {
        assert!(Instant::now() < deadline, "the draft was never kept");
        std::thread::sleep(Duration::from_millis(20));
    }
    terminal.kill();

    let server = Server::following(|_| Reply::text("Fine."));
    let mut terminal = start(home.path(), &server);
    terminal.wait_for("│ asked already");
    terminal.wait_for("not sent: asked next");
    terminal.wait_for("history: press Up");
    terminal.send("\x1b[A");
    terminal.wait_for("│ half a [paste 1: 30 lines");
    terminal.send("\r");
    terminal.wait_for("turn 2");
    let messages = server.requests()[0]["messages"].to_string();
    assert!(messages.contains("half a a pasted line\\na pasted line\\n"), "{messages}");
}

#[test]
fn what_waits_behind_a_turn_is_edited_before_it_is_sent() {
    let gate = Reply::chunks([content("thinking")]).hang();
    let server = Server::replying([gate, Reply::text("Fine."), Reply::text("Fine, too.")]);
    let home = tempfile::tempdir().unwrap();
    let mut terminal = start(home.path(), &server);
    terminal.send_line("begin");
    terminal.wait_for("thinking");
    for text in ["alpha", "beta", "gamma"] {
        terminal.send_line(text);
        terminal.wait_for(&format!("next: {text}"));
    }
    terminal.send("\x1b[1;3A");
    terminal.wait_for("› next: gamma");
    terminal.send("K");
    terminal.wait_until("gamma before beta", |screen| screen.find("gamma") < screen.find("beta"));
    terminal.send("k");
    terminal.wait_for("› next: alpha");
    terminal.send("d");
    terminal.wait_gone("alpha");
    terminal.send("\r");
    terminal.wait_for("│ gamma");
    terminal.send("!");
    terminal.send_line("!");
    terminal.wait_for("next: gamma!!");
    terminal.send("\x1b");
    terminal.wait_until("the order kept", |screen| {
        screen.find("not sent: gamma!!") < screen.find("not sent: beta")
    });
    terminal.wait_for("│ begin");
    terminal.send("\x03");
    terminal.wait_for("Write a message");
    terminal.send("\r");
    terminal.wait_for("Fine, too.");
    assert_eq!(last_sent(&server), "beta");
}

#[test]
fn a_command_is_found_by_a_few_letters_of_what_it_does() {
    let (_server, _home, mut terminal) = begin();
    terminal.send("a draft");
    terminal.wait_for("│ a draft");
    terminal.send("\x10");
    terminal.wait_for("Commands and keys");
    terminal.send("numbers mem");
    terminal.wait_for("> numbers mem");
    terminal.send("\r");
    terminal.wait_for("saved by decay");
    terminal.wait_for("│ a draft");
}

#[test]
fn a_file_is_completed_by_its_path_and_attached() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("north plan.txt"), "The valve is in the north wing.").unwrap();
    fs::write(home.path().join("notes.txt"), "nothing").unwrap();
    let args = ["--offline"];
    let mut terminal =
        Terminal::start(&Start { args: &args, home: home.path(), size: (100, 30), env: &[] });
    terminal.wait_for("Write a message");
    terminal.send("what is in @no");
    terminal.wait_for("notes.txt");
    terminal.send("\t");
    terminal.wait_for("@\"north plan.txt\"");
    terminal.send("\r");
    terminal.wait_for("Saved to scratchpad: ref:north-plan-txt");
}
