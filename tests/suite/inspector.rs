//! The window inspector and the gauge beside a real server process: what is shown is what was sent, and
//! a server that reads less than it was sent is told of.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ebbtide::llm::{Client, Endpoint};
use ebbtide::memory::{Layer, Mark, Role, Status, Turn, memory_block};
use ebbtide::orchestrator::{Handle, Inspection, Notice, Op, wire_json};
use ebbtide::store::{Setup, SetupEffort, create};
use ebbtide::tools::Call;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{drive, outcome};
use super::support::pty::{Start, Terminal};
use super::support::server::{Reply, Server, said};

fn run(home: &Path, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).args(args).stdin(std::process::Stdio::null());
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn server_model(server: &Server) -> Arc<Client> {
    let endpoint = Endpoint::new(server.base_url(), "test-model");
    Arc::new(Client::new(endpoint).expect("the endpoint can be used"))
}

async fn inspect(
    handle: &Handle,
    notices: &mut UnboundedReceiver<Notice>,
    draft: &str,
) -> Arc<Inspection> {
    handle.send(Op::Inspect(draft.to_owned()));
    loop {
        if let Notice::Inspection(inspection) = notices.recv().await.expect("the driver lives") {
            return inspection;
        }
    }
}

/// Waits for the end of a command, which must succeed.
async fn done(notices: &mut UnboundedReceiver<Notice>) {
    loop {
        if let Notice::CommandDone { ok, text } = notices.recv().await.expect("the driver lives") {
            return assert!(ok, "{text}");
        }
    }
}

#[test]
fn what_context_prints_is_what_the_server_gets_to_the_byte() {
    let open = json!({ "name": "auth-bug" });
    let server = Server::replying([
        Reply::calls(&[("open_effort", open)]),
        Reply::text("Let's look."),
        Reply::text("Noted: \"1 < 2\" — 世界 👩‍👩‍👧."),
        Reply::text("Yes."),
    ]);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let say = |text: &str| run(home.path(), &["--base-url", &url, "--model", "m", "-p", text]);
    say("Let's debug the auth bug");
    say("The token is \"never\" used\n\tin src/auth.rs \\ here");
    let words = "and now?\n\"really\" / 世界";
    let context = run(home.path(), &["context", "--json", "--with", words]);
    say(words);
    let context: Value = serde_json::from_str(&context).unwrap();
    let request = server.requests().pop().unwrap();
    assert_eq!(request["messages"].to_string(), context["messages"].to_string());
    assert_eq!(request["tools"].to_string(), context["tools"].to_string());
    let items = context["items"].as_array().unwrap();
    let tokens: u64 = items.iter().map(|item| item["tokens"].as_u64().unwrap()).sum();
    assert_eq!(Some(tokens), context["total"].as_u64(), "the items add up");
    assert_eq!(items.last().unwrap()["source"], "new_message");
}

#[tokio::test]
async fn the_inspector_marks_what_is_different_from_the_last_request() {
    let server = Server::replying([
        Reply::text("Hi."),
        Reply::calls(&[("remember", json!({ "content": "The user likes tea" }))]),
        Reply::text("I will."),
    ]);
    let dir = tempfile::tempdir().unwrap();
    let (handle, mut notices) = drive(dir.path(), server_model(&server));
    assert_eq!(inspect(&handle, &mut notices, "").await.compared_with, None);
    for text in ["hello", "remember that I like tea"] {
        handle.send(Op::Send(text.into()));
        outcome(&mut notices).await.unwrap();
    }
    let inspection = inspect(&handle, &mut notices, "what do I like?").await;
    assert_eq!(inspection.compared_with.as_deref(), Some("the last request"));
    let marked = |mark: &Mark| -> Vec<String> {
        let marked = inspection.items.iter().filter(|one| one.mark == *mark);
        marked.map(|one| one.item.content.trim().to_owned()).collect()
    };
    // The request that brought the reply had the block of the first of its turn, in which there was none.
    let block = memory_block("## Notes\n- [n1 ★★] The user likes tea\n");
    let added = std::iter::once("I will.").chain(block.lines()).chain(["what do I like?"]);
    assert_eq!(marked(&Mark::Added), added.collect::<Vec<_>>());
    assert_eq!(marked(&Mark::Removed), Vec::<String>::new());
    let now: Vec<_> = inspection.items.iter().map(|one| one.item.clone()).collect();
    let window = ebbtide::memory::Window { items: now, ..Default::default() };
    server.push(Reply::text("Tea."));
    handle.send(Op::Send("what do I like?".into()));
    let report = outcome(&mut notices).await.unwrap();
    let request = server.requests().pop().unwrap();
    assert_eq!(request["messages"].to_string(), wire_json(&window)["messages"].to_string());
    assert_eq!(request["tools"].to_string(), inspection.tools.to_string());
    assert_eq!(report.measured.layers, inspection.layers, "the gauge shows the same request");
    assert!(inspection.layers.of(Layer::Notes).0 > 0);
}

#[tokio::test]
async fn a_server_that_cuts_the_prompt_raises_the_alarm_once_until_it_is_mended() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::replying([
        Reply::text("fine"),
        Reply::cut_to("eh", 600),
        Reply::cut_to("eh", 600),
        Reply::text("fine"),
        Reply::cut_to("eh", 600),
    ]);
    let (handle, mut notices) = drive(dir.path(), server_model(&server));
    let mut alarms = Vec::new();
    for turn in 0..5 {
        handle.send(Op::Send(format!("message {turn}")));
        let report = outcome(&mut notices).await.unwrap();
        handle.send(Op::ShowWindow);
        let mut told = false;
        loop {
            match notices.recv().await.expect("the driver lives") {
                Notice::Problem { what, .. } => told |= what.contains("it cut the prompt"),
                Notice::Window(_) => break,
                _ => {}
            }
        }
        alarms.push((report.measured.cut().is_some(), told));
    }
    let (fine, first, again) = ((false, false), (true, true), (true, false));
    assert_eq!(alarms, [fine, first, again, fine, first]);
}

#[test]
fn the_alarm_stands_in_the_chat_and_on_the_gauge() {
    let server = Server::replying([Reply::cut_to("hm", 512), Reply::text("well")]);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    let args = ["--base-url", &url, "--model", "m"];
    let start = Start { args: &args, home: home.path(), size: (120, 36), env: &[] };
    let mut terminal = Terminal::start(&start);
    terminal.wait_for("· ready");
    terminal.send_line("hello there");
    terminal.wait_for("The server counted 512 of about");
    terminal.wait_for("the server counted 512 of");
    terminal.wait_for("=512 of");
    terminal.send("\x1bOR");
    terminal.wait_for("What the model would get");
    terminal.wait_for("Against the last request: 1 added");
    terminal.send("q");
    terminal.wait_gone("What the model would get");
    terminal.send_line("hello again");
    terminal.wait_gone("! the server read less");
}

#[test]
fn context_prints_a_turn_as_it_was_and_names_those_that_it_knows() {
    let server = Server::replying([Reply::text("Hi."), Reply::text("Fine."), Reply::text("Bye.")]);
    let home = tempfile::tempdir().unwrap();
    let url = server.base_url();
    for text in ["hello", "how are you", "see you"] {
        run(home.path(), &["--base-url", &url, "--model", "m", "-p", text]);
    }
    let json = |args: &[&str]| -> Value {
        let context = run(home.path(), &[&["context", "--json"], args].concat());
        serde_json::from_str(&context).unwrap()
    };
    let now = json(&["--diff"]);
    assert_eq!((&now["turn"], &now["compared_with"]), (&json!(3), &json!("turn 2")));
    for (turn, sent) in server.requests().iter().enumerate() {
        // What was sent in a turn is what the turn before left, and the new message.
        let past = json(&["--turn", &turn.to_string()]);
        let mut messages = past["messages"].as_array().unwrap().clone();
        messages.push(sent["messages"].as_array().unwrap().last().unwrap().clone());
        assert_eq!(Value::Array(messages).to_string(), sent["messages"].to_string());
        assert_eq!(past["tools"].to_string(), sent["tools"].to_string());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    let output = command.env_clear().env("HOME", home.path()).args(["context", "--turn", "9"]);
    let output = output.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("it tells of the turns 0 to 3"), "{error}");
}

#[test]
fn context_prints_what_would_be_sent_and_the_difference_on_request() {
    let home = tempfile::tempdir().unwrap();
    for line in ["/remember the kettle whistles", "hello", "/note n1 delete", "hello again"] {
        run(home.path(), &["--offline", "-s", "one", "-p", line]);
    }
    let context = |args: &[&str]| run(home.path(), &[&["context", "-s", "one"], args].concat());
    for sent in [context(&[]), context(&["--turn", "2"]), context(&["--json"])] {
        assert!(sent.contains("hello again") && !sent.contains("kettle"), "{sent}");
        assert!(!sent.contains("removed") && !sent.contains("added"), "{sent}");
    }
    let with_both = context(&["--diff"]);
    assert!(with_both.contains("kettle") && with_both.contains(" tokens, removed]"), "{with_both}");
    assert!(context(&["--diff", "--json"]).contains("\"mark\":\"removed\""));
}

#[tokio::test]
async fn what_would_be_recalled_is_listed_as_it_is_sent_and_nothing_comes_of_looking() {
    let dir = tempfile::tempdir().unwrap();
    super::recall::session(dir.path());
    let home = tempfile::tempdir().unwrap();
    let path = dir.path().display().to_string();
    let context = |words: &str| -> Value {
        let args = ["--session", &path, "context", "--json", "--with", words];
        serde_json::from_str(&run(home.path(), &args)).unwrap()
    };
    let (question, further) = (super::recall::QUESTION, "And what did we set?");
    let before = context(question);
    assert_eq!(before["asks_meaning"], false);
    let server = Server::following(|_| Reply::text("I see."));
    let (handle, mut notices) = drive(dir.path(), server_model(&server));
    // Another draft was looked at before, and the same one twice.
    inspect(&handle, &mut notices, "How much water is it for a kilo of flour?").await;
    for (words, printed) in [(question, Some(before)), (further, None)] {
        inspect(&handle, &mut notices, words).await;
        let inspection = inspect(&handle, &mut notices, words).await;
        let items = inspection.items.iter().filter(|one| one.mark != Mark::Removed);
        let items: Vec<_> = items.map(|one| one.item.clone()).collect();
        assert!(items.iter().any(|item| item.layer == Layer::Recalled), "{words}: {items:?}");
        let window = ebbtide::memory::Window { items, ..Default::default() };
        handle.send(Op::Send(words.into()));
        let report = outcome(&mut notices).await.unwrap();
        let request = server.requests().pop().unwrap();
        let messages = request["messages"].to_string();
        assert_eq!(messages, wire_json(&window)["messages"].to_string(), "{words}");
        assert_eq!(report.sent, inspection.layers, "{words}");
        if let Some(printed) = printed {
            assert_eq!(messages, printed["messages"].to_string());
        }
        let warm: Vec<&str> = report.memory.warm.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(warm, ["auth-bug"], "what was only looked at is not mentioned");
    }
    inspect(&handle, &mut notices, question).await;
    handle.send(Op::Send("Thanks, that helps a lot!".into()));
    let report = outcome(&mut notices).await.unwrap();
    assert!(report.given.recalled.is_empty(), "{:?}", report.given);
}

#[tokio::test]
async fn a_second_terminal_sees_what_the_chat_has_expanded_where_it_stands() {
    let dir = tempfile::tempdir().unwrap();
    super::recall::session(dir.path());
    let home = tempfile::tempdir().unwrap();
    let path = dir.path().display().to_string();
    let server = Server::following(|_| Reply::text("I see."));
    let (handle, mut notices) = drive(dir.path(), server_model(&server));
    let run_call = |call: Call| handle.send(Op::Run(call));
    let expand = |id: &str| Call::ExpandEffort { id: id.to_owned(), messages: None };
    let steps = [
        vec![],
        vec![expand("bread")],
        vec![],
        vec![Call::OpenEffort { name: "curtains".to_owned() }],
        vec![expand("auth-bug")],
        vec![Call::CollapseEffort { id: "auth-bug".to_owned() }],
    ];
    for (nth, calls) in steps.into_iter().enumerate() {
        for call in calls {
            run_call(call);
            done(&mut notices).await;
        }
        let words = format!("Thanks, that is number {nth}");
        let args = ["--session", &path, "context", "--json", "--with", &words];
        let seen: Value = serde_json::from_str(&run(home.path(), &args)).unwrap();
        handle.send(Op::Send(words.as_str().into()));
        outcome(&mut notices).await.unwrap();
        let request = server.requests().pop().unwrap();
        assert_eq!(seen["messages"].to_string(), request["messages"].to_string(), "{nth}");
        let holds = seen["layers"]["expanded"].as_u64() > Some(0);
        assert_eq!(holds, (1..5).contains(&nth), "{nth}: {}", seen["layers"]);
    }
}

#[tokio::test]
async fn a_second_terminal_sees_a_log_without_its_middle_as_the_chat_has_it() {
    let dir = tempfile::tempdir().unwrap();
    let at = "2026-01-07T10:00:00";
    let part = |nth: usize| (Role::User, format!("{nth}: {}", "tile ".repeat(240)), at.to_owned());
    let effort = |id: &str, parts| SetupEffort {
        id: id.to_owned(),
        status: Status::Concluded,
        summary: Some(format!("All of {id}.")),
        tags: Vec::new(),
        last_referenced_turn: Some(Turn(29)),
        messages: (0..parts).map(part).collect(),
    };
    let efforts = vec![effort("roof", 10), effort("boat", 1)];
    create(dir.path(), &Setup { turn: Turn(30), efforts, ..Setup::default() }).unwrap();
    let home = tempfile::tempdir().unwrap();
    let path = dir.path().display().to_string();
    let server = Server::following(|request| match &*said(request) {
        text if text.contains("long essay") => Reply::text("lorem ipsum dolor ".repeat(3_000)),
        text if text.contains("short essay") => Reply::text("lorem ipsum dolor ".repeat(1_000)),
        _ => Reply::text("I see."),
    });
    let (handle, mut notices) = drive(dir.path(), server_model(&server));
    for words in ["a long essay", "a short essay"] {
        handle.send(Op::Send(words.into()));
        outcome(&mut notices).await.unwrap();
    }
    handle.send(Op::Run(Call::ExpandEffort { id: "roof".to_owned(), messages: None }));
    done(&mut notices).await;
    for (turn, is_cut) in [("33", true), ("34", false)] {
        let words = "Thanks, go on";
        let args = ["--session", &path, "context", "--json", "--with", words];
        let seen: Value = serde_json::from_str(&run(home.path(), &args)).unwrap();
        handle.send(Op::Send(words.into()));
        outcome(&mut notices).await.unwrap();
        let request = server.requests().pop().unwrap();
        assert_eq!(seen["messages"].to_string(), request["messages"].to_string());
        let messages = seen["messages"].to_string();
        assert_eq!(messages.contains("left out; full text in the log of effort roof"), is_cut);
        assert!(messages.contains("All of boat."), "a summary stands beside it");
        let messages = |args: &[&str]| {
            let args = [&["--session", &path, "context", "--json"], args].concat();
            let seen: Value = serde_json::from_str(&run(home.path(), &args)).unwrap();
            seen["messages"].to_string()
        };
        assert_eq!(messages(&["--turn", turn]), messages(&[]), "looked back at");
    }
}
