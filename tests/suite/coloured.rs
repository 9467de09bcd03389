//! Texts with colours, titles and links of a terminal in them: kept as they came; shown, named and found without.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::Home;
use crate::support::server::{Reply, Server, content};

/// A word in red, the title of a window, a link and a colour in one character.
const COLOURED: &str = "\u{1b}[31mred\u{1b}[0m \u{1b}]0;TITLE\u{7}of \u{1b}]8;;http://evil\u{1b}\\the link\
                        \u{1b}]8;;\u{1b}\\ \u{9b}1mc1";

/// The same without.
const PLAIN: &str = "red of the link c1";

fn logged(home: &Home) -> Vec<Value> {
    let log = fs::read_to_string(home.path("data/ebbtide/sessions/one/raw.jsonl")).unwrap();
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_reply_is_printed_without_them_however_it_comes_and_logged_with_them() {
    let signs: Vec<char> = COLOURED.chars().collect();
    for length in [1, 2, 3, 8, 80] {
        let pieces = signs.chunks(length).map(|piece| content(&String::from_iter(piece)));
        let server = Server::replying([Reply::answer(pieces.collect(), "stop")]);
        let (home, url) = (Home::new(), server.base_url());
        let line = ["--base-url", &url, "--model", "m", "-s", "one", "-p", "which?"];
        let (out, err, code) = home.run(&line, &[]);
        assert_eq!((out, code), (format!("{PLAIN}\n"), 0), "{length}: {err}");
        assert_eq!(logged(&home)[1]["content"], COLOURED);
    }
}

#[test]
fn neither_a_server_nor_a_tool_gets_them_into_an_error() {
    let refusal = json!({ "error": { "message": format!("Too fast: {COLOURED}") } }).to_string();
    let server = Server::replying([
        Reply::status(400, &refusal),
        Reply::calls(&[(
            "scratchpad_search",
            json!({ "key": format!("{COLOURED}/x"), "query": "x" }),
        )]),
        Reply::text("Well."),
    ]);
    let (home, url) = (Home::new(), server.base_url());
    let line = ["--base-url", &url, "--model", "m", "-s", "one", "-p", "which?"];
    let (_, err, code) = home.run(&line, &[]);
    assert!(code == 1 && err.contains(&format!("Too fast: {PLAIN}")), "{err}");
    let log = fs::read_to_string(home.path("state/ebbtide/ebbtide.log")).unwrap_or_default();
    assert!(!log.contains("[31m"), "{log}");
    home.run(&line, &[]);
    let told = server.requests()[2]["messages"].to_string();
    assert!(told.contains(&format!("'{PLAIN}/x'")) && !told.contains("'[31m"), "{told}");
}

#[test]
fn names_notes_titles_and_replies_are_made_without_them() {
    let home = Home::new();
    let run = |line: &[&str]| home.run(&[line, &["--offline", "-s", "one"]].concat(), &[]);
    let (out, err, _) = run(&["-p", &format!("The paint is {COLOURED} today.")]);
    assert!(!out.contains("31m") && !out.contains("evil"), "{out} {err}");
    let (out, _, _) = home.run(&["sessions"], &[]);
    assert!(out.contains(&format!("The paint is {PLAIN} today.")), "{out}");
    let (out, err, _) = run(&["-p", &format!("/open {COLOURED}")]);
    assert!(out.contains("'red-of-the-link-c1' is open"), "{out} {err}");
    run(&["-p", &format!("/remember {COLOURED}")]);
    let (out, err, _) = run(&["-p", "/notes"]);
    assert!(out.contains(&format!(": {PLAIN}\n")), "{out} {err}");
}

#[test]
fn what_is_coloured_is_found_by_its_words_and_kept_word_for_word() {
    let home = Home::new();
    let piped = "compiling \u{1b}[1m\u{1b}[32mreactor\u{1b}[0m finished";
    fs::write(home.path("piped"), piped).unwrap();
    let mut command = home.command(&["-p", "log:", "--offline", "-s", "one"], &[]);
    command.stdin(fs::File::open(home.path("piped")).unwrap()).stdout(Stdio::null());
    assert!(command.status().unwrap().success());
    assert!(logged(&home)[0]["content"].as_str().unwrap().contains(piped));
    let search = |word: &str| home.run(&["search", word, "-s", "one"], &[]).0;
    let found = search("reactor");
    assert!(found.contains("compiling reactor finished"), "{found}");
    assert!(!search("32mreactor").contains("finished"));
}
