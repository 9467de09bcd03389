//! Whenever the power goes: what was typed is there before the first request, the exchange once the turn
//! counts, and the session opens.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::handle::Handle;
use super::notice::Notice;
use super::op::Op;
use super::start::{Setup, start};
use crate::config::{Settings, Source};
use crate::llm::scripted::{Scripted, ScriptedAnswer, ScriptedCall};
use crate::llm::{Error, EventStream, Model, ModelInfo, Request};
use crate::memory::Status;
use crate::memory::tests::Words;
use crate::store::power_cut::{Cut, KILLED, Watch, is_to_be_expected, watch};
use crate::store::{Loaded, Opened, Problem, Store};

/// Marks a message as asked, when a request goes out.
struct Asked {
    script: Scripted,
    watch: Arc<Watch>,
}

impl Model for Asked {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }
    fn stream(&self, request: Request) -> EventStream {
        self.watch.ask();
        self.script.stream(request)
    }
}

/// A session on a watched disk.
struct Watched {
    home: tempfile::TempDir,
    watch: Arc<Watch>,
    script: Scripted,
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    sent: Vec<String>,
}

impl Watched {
    fn start(durability: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (watch, script) = (watch(home.path()), Scripted::new());
        let mut settings = Settings::default();
        settings.set("durability", durability, Source::Chat).unwrap();
        let (handle, notices) = start(Setup::scripted(
            home.path().join("session"),
            Arc::new(Asked { script: script.clone(), watch: Arc::clone(&watch) }),
            settings,
            Arc::new(Words),
        ))
        .unwrap();
        Self { home, watch, script, handle, notices, sent: Vec::new() }
    }

    /// Plays a turn and looks at what a cut right behind it would leave.
    async fn turn(&mut self, message: &str, answers: Vec<ScriptedAnswer>, counts: bool) {
        let number = self.sent.len() as u64 + 1;
        self.sent.push(message.to_owned());
        self.script.set_turn(number, answers, vec!["Pumps fixed.".into()], Vec::new());
        self.watch.begin(self.sent.len());
        self.handle.send(Op::Send(message.to_owned()));
        loop {
            match self.notices.recv().await.unwrap() {
                Notice::TurnEnded(_) if counts => break,
                Notice::TurnStopped(_) if !counts => break,
                Notice::TurnEnded(_) | Notice::TurnStopped(_) => panic!("turn {number}"),
                Notice::CallFinished(report) => {
                    assert!(report.result.get("error").is_none(), "{}", report.result);
                }
                _ => {}
            }
        }
        self.watch.end();
        self.check(self.watch.cut());
    }

    fn check(&self, cuts: Vec<Cut>) {
        for cut in cuts {
            self.check_one(&cut);
        }
    }

    fn check_one(&self, cut: &Cut) {
        let left = Left::of(cut);
        let what = format!("{} at {:?}, after {:?}", cut.what, cut.moment, self.sent.last());
        let Some((opened, loaded)) = &left.opened else {
            assert_eq!(cut.moment.acknowledged(), 0, "{what}: no session");
            return;
        };
        let problems = opened.problems.iter().chain(&loaded.problems);
        let is_broken =
            |problem: &&Problem| problem.0.contains("broken") && !is_to_be_expected(problem);
        let broken: Vec<_> = problems.filter(is_broken).collect();
        assert!(broken.is_empty(), "{what}: {broken:?}");
        if cut.what == KILLED {
            let bill = opened.store.reader().bill(opened.turn).unwrap().bill;
            assert_eq!(bill.turns(), opened.turn.0, "{what}: the bill is not that of the turns");
            let billed = opened.store.reader().billed_turns(opened.turn).unwrap();
            assert_eq!(billed.len() as u64, opened.turn.0, "{what}");
        }
        for (message, number) in self.sent.iter().zip(1..) {
            let back = opened.interrupted.as_ref().is_some_and(|it| &*it.user == message);
            let logged = left.logged(message);
            assert!(logged + usize::from(back) <= 1, "{what}: '{message}' is doubled");
            let there = logged == 1 || back || left.stopped(message);
            assert!(there || number > cut.moment.acknowledged(), "{what}: '{message}' is gone");
            let kept = logged == 1 || left.stopped(message);
            assert!(kept || number > cut.moment.ended(), "{what}: '{message}' does not count");
        }
    }
}

/// What is left, opened as the next start of the program would.
struct Left {
    dir: tempfile::TempDir,
    opened: Option<(Opened, Loaded)>,
}

impl Left {
    fn of(cut: &Cut) -> Self {
        let dir = tempfile::tempdir().unwrap();
        cut.write(dir.path());
        let session = dir.path().join("session");
        let opened = session.exists().then(|| {
            let mut opened = Store::open(&session).unwrap();
            let loaded = opened.store.load(10).unwrap();
            (opened, loaded)
        });
        Self { dir, opened }
    }

    fn read(&self, path: &Path) -> String {
        fs::read_to_string(self.dir.path().join("session").join(path)).unwrap_or_default()
    }

    /// How often the logs hold a message; a torn line that was set aside is in none.
    fn logged(&self, message: &str) -> usize {
        let efforts = fs::read_dir(self.dir.path().join("session/efforts")).unwrap();
        let logs = efforts.map(|item| Path::new("efforts").join(item.unwrap().file_name()));
        let logs = logs.filter(|log| log.extension().is_some_and(|ending| ending == "jsonl"));
        let logs = logs.chain([Path::new("raw.jsonl").to_owned()]);
        let line = format!("\"content\":{}", Value::from(message));
        logs.map(|log| self.read(&log).matches(&line).count()).sum()
    }

    /// Whether the journal holds it as one that was not answered.
    fn stopped(&self, message: &str) -> bool {
        let user = format!("\"user\":{}", Value::from(message));
        let journal = self.read(Path::new("journal.jsonl"));
        journal.lines().any(|line| line.contains("turn_stopped") && line.contains(&user))
    }
}

fn says(text: &str) -> ScriptedAnswer {
    ScriptedAnswer { text: text.into(), ..ScriptedAnswer::default() }
}

fn calls(name: &str, arguments: Value) -> ScriptedAnswer {
    let calls = vec![ScriptedCall { name: name.into(), arguments }];
    ScriptedAnswer { calls, ..ScriptedAnswer::default() }
}

#[tokio::test]
async fn a_power_cut_at_any_moment_costs_no_word_and_no_turn_that_counted() {
    let mut session = Watched::start("power");
    session.turn("hello", vec![says("hi there")], true).await;
    let open = vec![calls("open_effort", json!({"name": "pumps"})), says("opened")];
    session.turn("the pumps leak", open, true).await;
    let cut_off = Error::Script("the line went dead".into());
    let broken = ScriptedAnswer { error: Some(cut_off), ..says("well") };
    session.turn("why do they?", vec![broken], false).await;
    let large = "a long report ".repeat(800);
    session.turn(&large, vec![says("read")], true).await;
    let note = vec![calls("remember", json!({"content": "valve 9"})), says("noted")];
    session.turn("remember valve 9", note, true).await;
    session.turn("done", vec![calls("close_effort", json!({})), says("closed")], true).await;
    for cut in session.watch.cut() {
        let left = Left::of(&cut);
        let (opened, loaded) = left.opened.as_ref().unwrap();
        assert_eq!(opened.turn.0, 5, "{}", cut.what);
        let effort = &loaded.restored.efforts[0];
        assert_eq!(
            (effort.status, effort.summary.as_deref()),
            (Status::Concluded, Some("Pumps fixed."))
        );
        assert_eq!(&*loaded.restored.notes[0].content, "valve 9");
        let pad = opened.store.scratchpad();
        assert!(pad.whole("input", 1 << 20).unwrap() == large, "{}", cut.what);
        if cut.what == KILLED {
            let billed = opened.store.reader().billed_turns(opened.turn).unwrap();
            let full = |at: usize| billed[at].bill.full.prompt();
            // The turn that broke off was paid by full history too.
            assert!(full(2) >= 2 * full(0) && full(1) < 2 * full(0), "{billed:?}");
        }
    }
    session.check(session.watch.take_cuts());
}

#[tokio::test]
async fn a_command_is_safe_once_it_is_done() {
    let mut session = Watched::start("power");
    session.handle.send(Op::Run(crate::tools::Call::OpenEffort { name: "pumps".into() }));
    while !matches!(session.notices.recv().await.unwrap(), Notice::CommandDone { .. }) {}
    for cut in session.watch.cut() {
        let left = Left::of(&cut);
        let (_, loaded) = left.opened.as_ref().unwrap();
        assert_eq!(loaded.restored.efforts.len(), 1, "{}", cut.what);
    }
}

#[tokio::test]
async fn what_must_survive_only_the_program_is_not_synced() {
    let mut session = Watched::start("power");
    session.handle.send(Op::Set { key: "durability".into(), value: "process".into() });
    while !matches!(session.notices.recv().await.unwrap(), Notice::SettingDone { ok: true, .. }) {}
    session.watch.take_cuts();
    session.script.set_turn(1, vec![says("hello")], Vec::new(), Vec::new());
    session.handle.send(Op::Send("hello".into()));
    while !matches!(session.notices.recv().await.unwrap(), Notice::TurnEnded(_)) {}
    assert_eq!(session.watch.take_cuts().len(), 0);
    assert!(
        fs::read_to_string(session.home.path().join("session/raw.jsonl"))
            .unwrap()
            .contains("hello")
    );
}
