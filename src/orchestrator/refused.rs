//! A disk that refuses one write: when it takes the next one, everything is as if it had taken both.

use std::path::Path;

use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;

use super::handle::Handle;
use super::notice::Notice;
use super::op::Op;
use super::start::{Setup, start};
use crate::config::Settings;
use crate::llm::scripted::{Scripted, ScriptedAnswer, ScriptedCall};
use crate::memory::Status;
use crate::memory::tests::Words;
use crate::store::refused::{Deed, all_were_asked, refuse};
use crate::store::{Store, look};

/// A session whose disk can be made to refuse.
struct Refused {
    script: Scripted,
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    turns: u64,
}

impl Refused {
    fn start(directory: &Path) -> Self {
        let script = Scripted::new();
        let (handle, notices) = start(Setup::scripted(
            directory.to_owned(),
            std::sync::Arc::new(script.clone()),
            Settings::default(),
            std::sync::Arc::new(Words),
        ))
        .unwrap();
        Self { script, handle, notices, turns: 0 }
    }

    /// Plays a turn in which the model calls tools.
    async fn turn(&mut self, message: &str, calls: &[(&str, serde_json::Value)]) {
        self.turns += 1;
        let call = |(name, arguments): &(&str, serde_json::Value)| ScriptedAnswer {
            calls: vec![ScriptedCall { name: (*name).into(), arguments: arguments.clone() }],
            ..ScriptedAnswer::default()
        };
        let text = format!("answer to {message}");
        let said = ScriptedAnswer { text, ..ScriptedAnswer::default() };
        let answers = calls.iter().map(call).chain([said]).collect();
        self.script.set_turn(self.turns, answers, vec!["Pumps fixed.".into()], Vec::new());
        self.handle.send(Op::Send(message.to_owned()));
        loop {
            match self.notices.recv().await.unwrap() {
                Notice::TurnEnded(_) => return,
                Notice::TurnStopped(stopped) => panic!("{message}: {:?}", stopped.error),
                _ => {}
            }
        }
    }

    async fn close(mut self) {
        self.handle.send(Op::Shutdown);
        while !matches!(self.notices.recv().await, None | Some(Notice::Closed)) {}
    }
}

/// What the log of an effort holds: who said it, and what.
fn log(directory: &Path, file: &str) -> Vec<String> {
    let log = std::fs::read_to_string(directory.join(file)).unwrap_or_default();
    let said = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["content"].as_str().unwrap().to_owned()
    };
    log.lines().map(said).collect()
}

fn opens(name: &str) -> (&'static str, serde_json::Value) {
    ("open_effort", json!({ "name": name }))
}

#[tokio::test]
async fn an_effort_that_the_disk_refused_once_is_one_effort_with_one_log() {
    let cases: [(&str, Deed, usize, &[&str]); 4] = [
        ("journal.jsonl", Deed::Append, 1, &["pumps"]),
        ("efforts/pumps.jsonl", Deed::Open, 1, &["pumps"]),
        // The second effort is not even tried before its words are logged.
        ("journal.jsonl", Deed::Append, 2, &["tools", "pumps"]),
        ("efforts/tools.jsonl", Deed::Open, 2, &["tools", "pumps"]),
    ];
    for (file, deed, times, names) in cases {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("session");
        let mut session = Refused::start(&directory);
        session.turn("hello", &[]).await;
        refuse(&directory.join(file), deed, times);
        let calls: Vec<_> = names.iter().map(|name| opens(name)).collect();
        session.turn("the pumps leak", &calls).await;
        session.turn("one more thing", &[]).await;
        assert!(all_were_asked(home.path()), "{file}");
        session.turn("done", &[("close_effort", json!({"id": "pumps"}))]).await;
        let said = ["the pumps leak", "one more thing", "done"];
        let whole: Vec<String> =
            said.iter().flat_map(|it| [(*it).to_owned(), format!("answer to {it}")]).collect();
        assert_eq!(log(&directory, "efforts/pumps.jsonl"), whole, "{file}");
        session.close().await;

        let mut opened = Store::open(&directory).unwrap();
        let loaded = opened.store.load(10).unwrap();
        assert!(opened.problems.is_empty() && loaded.problems.is_empty(), "{:?}", loaded.problems);
        let efforts = &loaded.restored.efforts;
        assert_eq!(efforts.len(), names.len(), "{file}: {efforts:?}");
        let pumps = efforts.iter().find(|effort| effort.id.as_str() == "pumps").unwrap();
        assert_eq!((pumps.status, pumps.raw_messages), (Status::Concluded, 6), "{file}");
    }
}

#[tokio::test]
async fn a_log_that_the_disk_refused_once_goes_on_behind_its_marker() {
    for (file, deed) in [("efforts/pumps.jsonl", Deed::Append), ("journal.jsonl", Deed::Append)] {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("session");
        let mut session = Refused::start(&directory);
        session.turn("the pumps leak", &[opens("pumps")]).await;
        session.turn("done", &[("close_effort", json!({}))]).await;
        refuse(&directory.join(file), deed, 1);
        session.turn("again", &[("reopen_effort", json!({"id": "pumps"}))]).await;
        assert!(all_were_asked(home.path()), "{file}");
        session.close().await;
        let log = log(&directory, "efforts/pumps.jsonl");
        assert_eq!(
            log[4..],
            ["--- Reopened effort: pumps ---", "again", "answer to again"],
            "{file}"
        );
    }
}

#[tokio::test]
async fn a_command_that_the_disk_takes_after_all_is_no_failure() {
    // Once more at once, or at the end; else it is lost, and that is said.
    for (times, at_once, at_last) in [(1, true, false), (2, false, true), (9, false, false)] {
        let home = tempfile::tempdir().unwrap();
        let directory = home.path().join("session");
        let mut session = Refused::start(&directory);
        session.turn("hello", &[]).await;
        refuse(&directory.join("journal.jsonl"), Deed::Append, times);
        let note = json!({"content": "the kettle whistles"}).to_string();
        session.handle.send(Op::Run(crate::tools::parse("remember", &note).unwrap()));
        let (done, text) = loop {
            if let Notice::CommandDone { ok, text } = session.notices.recv().await.unwrap() {
                break (ok, text);
            }
        };
        assert_eq!((done, text.contains("in memory only")), (at_once, !at_once), "{times}: {text}");
        session.handle.send(Op::Shutdown);
        let (mut saved, mut unkept, mut comforted) = (false, false, false);
        while let Some(notice) = session.notices.recv().await {
            unkept |= matches!(notice, Notice::Unkept);
            comforted |= matches!(&notice, Notice::Problem { advice, .. } if advice.contains("Nothing is lost"));
            saved |= matches!(&notice, Notice::SavedLate(told) if text.starts_with(told));
            if matches!(notice, Notice::Closed) {
                break;
            }
        }
        assert_eq!((saved, unkept), (at_last, !at_once && !at_last), "{times}");
        assert!(!(unkept && comforted), "{times}: two messages contradict each other");
        let mut opened = Store::open(&directory).unwrap();
        let notes = opened.store.load(10).unwrap().restored.notes;
        assert_eq!(notes.len(), usize::from(at_once || at_last), "{times}");
    }
}

#[tokio::test]
async fn a_message_too_large_for_its_log_is_told_by_its_own_words() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("session");
    let mut session = Refused::start(&directory);
    let message = format!("Read the minutes {}and that was all", "of the day ".repeat(110_000));
    session.turn(&message, &[]).await;
    session.close().await;
    let looked = look(&directory, 10).unwrap();
    assert!(looked.title.starts_with("Read the minutes of the day"), "{}", looked.title);
    let listed = crate::store::sessions(home.path());
    assert!(listed[0].title.starts_with("Read the minutes of the day"), "{:?}", listed[0].title);
    let mut out = Vec::new();
    super::export(&directory, super::ExportFormat::Markdown, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(
        out.contains("bytes, kept in the session as `ref:") && out.contains(&message),
        "{}",
        out.len()
    );
}
