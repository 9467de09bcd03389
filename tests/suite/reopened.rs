//! What the screen tells of the past is the same while the session runs and after it was opened again.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ebbtide::llm::Error;
use ebbtide::llm::scripted::{Scripted, ScriptedAnswer};
use ebbtide::memory::ItemView;
use ebbtide::orchestrator::{EffortCommand, Handle, ItemRef, Notice, Op};
use ebbtide::tools::Call;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{Bench, call, drive_with, text};
use super::support::screen::Desk;

/// The app over a session that outlives it, on a screen that holds all of it.
struct Seat {
    desk: Desk,
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    script: Scripted,
}

impl Seat {
    /// Opens the session and waits until its past has been read.
    async fn open(directory: &Path) -> Self {
        let script = Scripted::new();
        let model = Arc::new(script.clone());
        let (handle, notices) = drive_with(directory, model, &[("token_budget", "2500")]);
        let mut seat = Self { desk: Desk::new(200, 160), handle, notices, script };
        seat.take_until(|notice| matches!(notice, Notice::Course(_))).await;
        seat
    }

    /// Takes what the driver says up to a notice, and passes on what the app asks for.
    async fn take_until(&mut self, is_last: impl Fn(&Notice) -> bool) {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(30), self.notices.recv()).await;
            let notice = next.expect("the driver says something").expect("the driver lives");
            let last = is_last(&notice);
            self.desk.notice(notice);
            self.desk.app.errands().into_iter().for_each(|op| self.handle.send(op));
            if let Some(drafts) = self.desk.app.drafts_to_keep() {
                self.handle.keep_drafts(drafts);
            }
            if last {
                return;
            }
        }
    }

    async fn say(&mut self, user: &str, answers: Vec<ScriptedAnswer>, summary: Option<&str>) {
        let summaries = summary.into_iter().map(str::to_owned).collect();
        self.script.set_turn(1, answers, summaries, Vec::new());
        self.handle.send(Op::Send(user.to_owned()));
        let is_over =
            |notice: &Notice| matches!(notice, Notice::TurnEnded(_) | Notice::TurnStopped(_));
        self.take_until(is_over).await;
    }

    async fn command(&mut self, op: Op) {
        self.handle.send(op);
        self.take_until(|notice| match notice {
            Notice::CommandDone { ok, text } => {
                assert!(*ok, "{text}");
                true
            }
            _ => false,
        })
        .await;
    }

    async fn effort(&mut self, id: &str, command: EffortCommand) {
        self.command(Op::Effort { id: id.into(), command }).await;
    }

    async fn close(mut self) {
        self.handle.send(Op::Shutdown);
        self.take_until(|notice| matches!(notice, Notice::Closed)).await;
    }

    /// The chart and its marks, what memory did lately, and what stands beside the replies.
    async fn told(&mut self) -> (Vec<String>, Vec<String>, Vec<String>) {
        self.handle.send(Op::Bill);
        self.take_until(|notice| matches!(notice, Notice::BilledTurns(_))).await;
        let screen = self.desk.screen();
        let rows: Vec<&str> = screen.lines().map(|line| line.trim_matches('"')).collect();
        let column = |word: &str| {
            let row = rows.iter().position(|row| row.contains(word)).expect(word);
            (row, rows[row].chars().count() - rows[row].split(word).last().unwrap().chars().count())
        };
        let part = |word: &str, upto: &str| -> Vec<String> {
            let (row, end) = column(word);
            let from = end - word.chars().count();
            let cut = rows[row..].iter().map(|row| row.chars().skip(from).collect::<String>());
            cut.take_while(|row| upto.is_empty() || !row.contains(upto))
                .map(|row| row.trim_end().to_owned())
                .filter(|row| !row.is_empty())
                .collect()
        };
        let aside = |row: &&str| {
            let from = row.find("sent ").filter(|_| row.contains("cached"))?;
            Some(row[from..].split('│').next()?.trim_end().to_owned())
        };
        let asides = rows.iter().filter_map(aside).filter(|aside| !aside.contains("last ~"));
        (part("TIDE", "came back"), part("LATELY", "RAW LOGS"), asides.collect())
    }
}

/// An answer that calls for a new effort, and one that breaks.
fn begins_and_breaks(id: &str) -> Vec<ScriptedAnswer> {
    let error = Some(Error::Cut { address: "the server".into() });
    vec![call("open_effort", json!({ "name": id })), ScriptedAnswer { error, ..text("Let me") }]
}

#[tokio::test]
async fn the_past_is_told_alike_before_and_after_a_session_is_opened_again() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("work");
    let mut seat = Seat::open(&directory).await;
    seat.command(Op::Run(Call::OpenEffort { name: "first".into() })).await;
    seat.say("Good morning.", vec![text("Good morning to you.")], None).await;
    let opens = vec![call("open_effort", json!({"name": "tea"})), text("Tea, at length. ")];
    seat.say("Let's talk about tea.", opens, None).await;
    let closes = vec![call("close_effort", json!({"id": "tea"})), text("Done.")];
    let long = format!("Done with tea. {}", "It steeps for three minutes. ".repeat(200));
    seat.say(&long, closes, Some("Green tea steeps for three minutes.")).await;
    for command in [EffortCommand::Pin, EffortCommand::Unpin, EffortCommand::Evict] {
        seat.effort("tea", command).await;
    }
    seat.say("And bread.", begins_and_breaks("bread"), None).await;
    seat.say("And bread, again.", vec![text("Rye or wheat?")], None).await;
    let id = || "tea".to_owned();
    seat.command(Op::Run(Call::ExpandEffort { id: id(), messages: None })).await;
    seat.command(Op::Run(Call::CollapseEffort { id: id() })).await;
    for call in [
        Call::ExpandEffort { id: id(), messages: None },
        Call::ReopenEffort { id: id() },
        Call::SwitchEffort { id: "first".into() },
    ] {
        seat.command(Op::Run(call)).await;
        seat.command(Op::Undo).await;
    }
    seat.say("And soup.", begins_and_breaks("soup"), None).await;
    let before = seat.told().await;
    seat.close().await;
    let mut seat = Seat::open(&directory).await;
    let after = seat.told().await;
    seat.close().await;
    assert_eq!(before, after);
    let (chart, lately, asides) = after;
    let all = lately.join("\n");
    for told in ["first", "pinned", "unpinned", "left", "expanded", "collapsed", "bread", "soup"] {
        assert!(all.contains(told), "{told} is not in\n{all}");
    }
    let expanded = lately.iter().filter(|row| row.contains("tea     expanded")).count();
    assert!(expanded == 1 && !all.contains("undone") && !all.contains("goes on"), "{all}");
    assert!(!all.contains("pinned  pinned"), "a cause that says no more is left out:\n{all}");
    assert!(all.contains("shortened for now"), "what a request leaves out, too:\n{all}");
    assert_eq!(asides.len(), 4, "{asides:?}");
    assert!(chart.len() > 5, "{chart:?}");
}

/// What memory did before it was shown for the first time.
async fn told_at_opening(bench: &mut Bench) -> Vec<String> {
    let mut told = Vec::new();
    loop {
        match bench.notices.recv().await.expect("the driver lives") {
            Notice::Changed(change) => told.push(change.banner()),
            Notice::Memory(_) => return told,
            _ => {}
        }
    }
}

#[tokio::test]
async fn an_expansion_ends_with_its_session_which_is_told_once_and_can_be_undone() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("work");
    let mut bench = Bench::open(&directory);
    let reply = "It steeps for three minutes. ".repeat(20);
    let opens = vec![call("open_effort", json!({"name": "tea"})), text(&reply)];
    bench.turn("Let's talk about tea.", opens, "").await;
    let closes = vec![call("close_effort", json!({"id": "tea"})), text("Done.")];
    bench.turn("Done with tea.", closes, "Green tea.").await;
    let id = || "tea".to_owned();
    let expand = || Op::Run(Call::ExpandEffort { id: id(), messages: None });
    // By hand behind the last turn, and at the end of one.
    for is_counted in [false, true] {
        assert!(bench.command(expand()).await.0);
        if is_counted {
            bench.turn("And tea, again?", vec![text("Yes, tea.")], "").await;
        }
        bench.close().await;
        bench = Bench::open(&directory);
        let banner =
            "--- Auto-collapsed effort: tea (an expansion ends when its session is closed) ---";
        assert_eq!(told_at_opening(&mut bench).await, [banner]);
        let (ok, said) = bench.command(Op::Undo).await;
        assert!(ok && said.starts_with("Undone: Auto-collapsed effort: tea"), "{said}");
        let window = bench.window().await;
        assert!(window.items.iter().any(|item| item.content.contains(reply.trim_end())));
        assert!(bench.command(Op::Run(Call::CollapseEffort { id: id() })).await.0);
        bench.close().await;
        bench = Bench::open(&directory);
        assert!(told_at_opening(&mut bench).await.is_empty(), "it was collapsed before");
    }
    bench.close().await;
}

#[tokio::test]
async fn what_left_is_listed_in_its_order_and_with_its_costs_also_after_a_session_was_opened_again()
{
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("work");
    let mut bench = Bench::open(&directory);
    for id in ["bread", "soup", "tea", "wine"] {
        let opens = vec![call("open_effort", json!({ "name": id })), text(&"Well. ".repeat(40))];
        bench.turn("Begin.", opens, "").await;
        let closes = vec![call("close_effort", json!({})), text("Done.")];
        bench.turn("It is done.", closes, &format!("All about {id}.")).await;
    }
    let evict = |id: &str| Op::Effort { id: id.into(), command: EffortCommand::Evict };
    for id in ["tea", "bread", "soup"] {
        assert!(bench.command(evict(id)).await.0);
    }
    let mut listed = Vec::new();
    for is_first in [true, false, false] {
        let report = bench.turn("hm", vec![text("ok")], "").await;
        let item = |item: &ItemView| (item.id.to_string(), item.whole.0);
        listed.push(report.memory.manifest.recent.iter().map(item).collect::<Vec<_>>());
        let detail = detail(&mut bench, "tea").await;
        assert!(!detail.contains("not counted yet"), "{detail}");
        // What leaves after the session was opened again comes first.
        if !is_first && listed.len() == 2 {
            assert!(bench.command(evict("wine")).await.0);
        }
        let turn = bench.turn;
        bench.close().await;
        bench = Bench::open(&directory);
        bench.turn = turn;
    }
    bench.close().await;
    let ids = |nth: usize| listed[nth].iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>();
    assert_eq!(ids(0), ["soup", "bread", "tea"]);
    assert_eq!(listed[0], listed[1]);
    assert_eq!(ids(2), ["wine", "soup", "bread", "tea"]);
    assert!(listed[2].iter().all(|(_, tokens)| *tokens > 0), "{listed:?}");
}

/// How an effort stands, as a person reads it.
async fn detail(bench: &mut Bench, id: &str) -> String {
    bench.handle.send(Op::Show(ItemRef::Effort(id.into())));
    loop {
        if let Some(Notice::Detail(detail)) = bench.notices.recv().await {
            return detail.sections.iter().map(|section| section.text.as_str()).collect();
        }
    }
}

#[tokio::test]
async fn efforts_that_were_used_in_one_turn_keep_their_order() {
    let mut orders = Vec::new();
    for opens_again in [false, true] {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("work");
        let mut bench = Bench::open(&directory);
        let begin = ["bread", "soup", "tea"].map(|id| call("open_effort", json!({ "name": id })));
        let turn = ["bread", "tea"].map(|id| call("switch_effort", json!({ "id": id })));
        let answers = begin.into_iter().chain(turn).chain([text("Three, then.")]).collect();
        bench.turn("Bread, soup and tea.", answers, "").await;
        if opens_again {
            bench.close().await;
            bench = Bench::open(&directory);
        }
        let closes = vec![call("close_effort", json!({})), text("Done.")];
        let report = bench.turn("The tea is done.", closes, "Tea.").await;
        let open: Vec<String> = report.memory.open.iter().map(|item| item.id.to_string()).collect();
        orders.push(open);
        bench.close().await;
    }
    assert_eq!(orders, [["bread", "soup"], ["bread", "soup"]]);
}

#[tokio::test]
async fn a_turn_that_the_end_of_the_program_stopped_was_not_cancelled() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("work");
    for (op, cause) in [(Op::Cancel, "cancelled"), (Op::Shutdown, "the session was closed")] {
        let (handle, mut notices) = drive_with(&directory, Arc::new(Scripted::new()), &[]);
        while !matches!(notices.recv().await, Some(Notice::Memory(_))) {}
        handle.send(Op::Send("are you there?".into()));
        handle.send(op);
        handle.send(Op::Shutdown);
        while notices.recv().await.is_some() {}
        let journal = std::fs::read_to_string(directory.join("journal.jsonl")).unwrap();
        let last = journal.lines().rfind(|line| line.contains("turn_stopped")).unwrap();
        assert!(last.contains(&format!("\"cause\":\"{cause}\"")), "{last}");
    }
}
