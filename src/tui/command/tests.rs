//! The words of commands, and what is said of wrong ones.

use super::*;
use crate::orchestrator::SessionOp;
use crate::tools::Call;

#[test]
fn every_tool_is_a_command_and_no_name_means_two_things() {
    let mut names: Vec<&str> = Vec::new();
    for spec in specs() {
        for name in std::iter::once(&spec.name).chain(spec.aliases) {
            assert!(!names.contains(name), "{name} means two things");
            names.push(name);
        }
    }
    for tool in tools::specs() {
        assert!(names.contains(&tool.command), "{}", tool.command);
    }
}

#[test]
fn words_become_the_arguments_of_the_tools() {
    for (line, expected) in [
        ("/open the login bug", Call::OpenEffort { name: "the login bug".into() }),
        ("／open the login bug", Call::OpenEffort { name: "the login bug".into() }),
        ("/close", Call::CloseEffort { id: None }),
        ("/COMPACT auth-bug", Call::CloseEffort { id: Some("auth-bug".into()) }),
        ("/status", Call::EffortStatus { id: None, page: 1 }),
        ("/status page 2", Call::EffortStatus { id: None, page: 2 }),
        (
            "/search python 3 page 2",
            Call::SearchEfforts { query: "python 3".into(), all: false, page: 2 },
        ),
        (
            "/pad-read ref:log chunk_index 3",
            Call::ScratchpadReadChunk { key: "ref:log".into(), chunk_index: 3 },
        ),
        (
            "/pad-read ref:log 3",
            Call::ScratchpadReadChunk { key: "ref:log".into(), chunk_index: 3 },
        ),
        ("/pad-read 3", Call::ScratchpadReadChunk { key: "3".into(), chunk_index: 1 }),
        ("/pad-search lost key", Call::ScratchpadSearch { query: "lost key".into(), key: None }),
        (
            "/search homepage 2",
            Call::SearchEfforts { query: "homepage 2".into(), all: false, page: 1 },
        ),
        ("/expand \"x\\", Call::ExpandEffort { id: "\"x\\".into(), messages: None }),
    ] {
        assert_eq!(parse(line), Ok(Command::Ask(Op::Run(expected))), "{line}");
    }
}

#[test]
fn settings_take_numbers_as_people_write_them() {
    for line in ["/budget 8000", "/budget 8k", "/budget 8,000", "/set token_budget=8000"] {
        let expected = Op::Set { key: "token_budget".into(), value: "8000".into() };
        assert_eq!(parse(line), Ok(Command::Ask(expected)), "{line}");
    }
}

#[test]
fn a_complaint_says_what_to_type_instead() {
    for (line, expected) in [
        ("/opne x", "Did you mean /open?"),
        ("/hlep", "Did you mean /help?"),
        ("/sumarize", "Did you mean /close?"),
        ("/theme dark", "the colours are a setting. /set theme dark changes it"),
        ("/Vim", "There is no command /vim: the message line has no vim keys. /editor opens"),
        ("/doctor", "`ebbtide doctor` in a shell checks"),
        ("/import x.json", "`ebbtide import FILE` in a shell"),
        ("/replay", "`ebbtide replay PATH` in a shell"),
        ("/list", "/sessions lists the sessions"),
        ("/history", "/journal lists"),
        ("/retry", "sending it again asks again"),
        ("/delete", "/note ID delete"),
        ("/statusline", "/stats, /bill"),
        ("/forget n1", "/note n1 delete takes a note away"),
        ("/context json", "`ebbtide context` in a shell takes flags, such as --json"),
        ("/etc/passwd", "begin it with two slashes"),
        ("/expand", "/expand needs an effort's id. Use it like this: /expand ID"),
        ("/status page 0", "a page number from 1"),
        ("/budget lots", "a number of tokens, such as 8000"),
        ("/rename", "/rename needs a name. Use it like this: /rename NAME"),
        ("/remember #decision", "something to remember"),
        ("/pad-save trip", "/pad-save needs a text behind the key"),
        ("/undo 3", "/undo takes nothing behind it: take the last change"),
        ("/edit tea", "/edit needs the new words behind the id."),
        ("/specifics tea drop 1", "add with numbers or all behind the id, or drop"),
        ("/note n3 fold", "one of these behind it: pin, unpin, tag WORD"),
        ("/note n3 stars", "edit WORDS, stars 1-3, archive, return, delete"),
    ] {
        let complaint = parse(line).unwrap_err().to_string();
        assert!(complaint.contains(expected), "{line}: {complaint}");
    }
    let long = parse(&format!("/open {}", "x".repeat(2_000))).unwrap_err().to_string();
    assert!(long.starts_with("/open takes at most 1000 bytes there, not 2000."), "{long}");
    assert_eq!(nearest("zzzzzz"), None);
}

#[test]
fn settings_and_sessions_take_what_is_looked_for() {
    let keep = Op::SetForGood { key: "slots".into(), value: "4".into() };
    let listed = |word: &str| Command::App(AppCommand::Settings(word.into()));
    let kept = |key: &str, value: &str| {
        Command::Ask(Op::SetForGood { key: key.into(), value: value.into() })
    };
    for (line, expected) in [
        ("/set slots 4 --save", Command::Ask(keep)),
        ("/effort low --save", kept("effort", "low")),
        ("/budget 8k --save", kept("token_budget", "8000")),
        ("/budget ask --save", kept("budget_mode", "ask")),
        ("/set", listed("")),
        ("/set slots", listed("slots")),
        ("/budget", listed("budget")),
        ("/config", listed("")),
        ("/resume the trip", Command::App(AppCommand::Sessions("the trip".into()))),
        ("/new", Command::Ask(Op::Session(SessionOp::New(None)))),
        ("/new trip", Command::Ask(Op::Session(SessionOp::New(Some("trip".into()))))),
        ("/rename trip", Command::Ask(Op::Rename("trip".into()))),
        ("/fork", Command::Ask(Op::Fork(None))),
        ("/branch my trip", Command::Ask(Op::Fork(Some("my trip".into())))),
        ("/help", Command::App(AppCommand::Help(String::new()))),
        ("/help pin", Command::App(AppCommand::Help("/pin ID".into()))),
        ("/help /drop", Command::App(AppCommand::Help("/evict ID".into()))),
        ("/help ctrl+c", Command::App(AppCommand::Help("ctrl+c".into()))),
        ("/export", Command::Ask(Op::Export(None))),
        ("/export \"a b.json\"", Command::Ask(Op::Export(Some("a b.json".into())))),
    ] {
        assert_eq!(parse(line), Ok(expected), "{line}");
    }
}

#[test]
fn a_name_may_have_spaces_with_and_without_quotes() {
    for line in ["/rename my work", "/rename \"my work\""] {
        assert_eq!(parse(line), Ok(Command::Ask(Op::Rename("my work".into()))), "{line}");
    }
    assert_eq!(
        parse("/new my work"),
        Ok(Command::Ask(Op::Session(SessionOp::New(Some("my work".into())))))
    );
    assert_eq!(parse("/new"), Ok(Command::Ask(Op::Session(SessionOp::New(None)))));
    assert!(parse("/rename \"\"").is_err());
}

#[test]
fn a_slash_in_full_width_begins_a_command_that_there_is_and_nothing_else() {
    for (text, is_sent) in [
        ("／search tea", false),
        ("/search tea", false),
        ("/serch tea", false),
        ("／お茶", true),
        ("／／search", true),
        ("//search", true),
    ] {
        assert_eq!(is_message(text), is_sent, "{text}");
    }
}
