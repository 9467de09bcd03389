//! Compression of an open effort through the driver, against a model that writes every request down.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ebbtide::config::{Settings, Source};
use ebbtide::llm::{self, Completion, Event, EventStream, Model, ModelInfo, Purpose, Request};
use ebbtide::memory::{ChangeKind, Tokens};
use ebbtide::orchestrator::{self, Handle, Notice, Op, Setup, TurnReport};
use ebbtide::store;
use ebbtide::tokens::Cl100k;
use ebbtide::tools::Call;
use futures_util::{FutureExt, StreamExt, stream};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::outcome;

/// What a compression request is answered with: its number from 0 and its text go in.
type Answer = dyn Fn(usize, &str) -> Result<String, llm::Error> + Send + Sync;

/// A model that keeps what it was asked, and lets compressions wait for a permit each.
struct Witness {
    asked: Mutex<Vec<Request>>,
    /// For each compression request, whether the archive was on disk when it came.
    archived: Mutex<Vec<bool>>,
    archive: PathBuf,
    permits: Arc<Semaphore>,
    under_way: Arc<AtomicUsize>,
    most_under_way: Arc<AtomicUsize>,
    answer: Box<Answer>,
}

impl Witness {
    fn new(
        session: &Path,
        permits: usize,
        answer: impl Fn(usize, &str) -> Result<String, llm::Error> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            asked: Mutex::default(),
            archived: Mutex::default(),
            archive: session.join("scratchpad/archive-pumps.txt"),
            permits: Arc::new(Semaphore::new(permits)),
            under_way: Arc::default(),
            most_under_way: Arc::default(),
            answer: Box::new(answer),
        })
    }

    fn compressions(&self) -> Vec<Request> {
        let asked = self.asked.lock().unwrap();
        asked.iter().filter(|request| request.purpose == Purpose::Compress).cloned().collect()
    }
}

fn words(text: &str) -> Completion {
    Completion { text: text.to_owned(), ..Completion::default() }
}

impl Model for Witness {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: "witness".into(),
            provider: "test".into(),
            context_window: None,
            offline: false,
        }
    }

    fn stream(&self, request: Request) -> EventStream {
        let purpose = request.purpose;
        let text = request.messages.last().unwrap().content.to_string();
        let nth = self.compressions().len();
        self.asked.lock().unwrap().push(request);
        if purpose != Purpose::Compress {
            return stream::iter([Ok(Event::Done(words("ok")))]).boxed();
        }
        self.archived.lock().unwrap().push(self.archive.is_file());
        let answer = (self.answer)(nth, &text).map(|text| Event::Done(words(&text)));
        let (permits, now, most) = (
            Arc::clone(&self.permits),
            Arc::clone(&self.under_way),
            Arc::clone(&self.most_under_way),
        );
        let waiting = async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            permits.acquire().await.unwrap().forget();
            now.fetch_sub(1, Ordering::SeqCst);
            answer
        };
        waiting.into_stream().boxed()
    }
}

const EXCHANGES: usize = 60;

/// A session with an open effort of 120 messages, some 17,000 tokens.
fn session(directory: &Path) -> String {
    let mut messages = Vec::new();
    for n in 0..EXCHANGES {
        let user = format!("Question {n}: {}", "why does the pump stall at noon? ".repeat(16));
        let reply = format!("Answer {n}: {}", "check valve 9 and the intake filter. ".repeat(16));
        for (role, content) in [("user", user), ("assistant", reply)] {
            messages.push(serde_json::json!({"role": role, "content": content}));
        }
    }
    let text = messages
        .iter()
        .take(2 * EXCHANGES - 4)
        .map(|m| {
            let content = m["content"].as_str().unwrap().trim_end();
            format!("{}: {content}", m["role"].as_str().unwrap())
        })
        .collect::<Vec<_>>()
        .join("\n\n");
    fs::create_dir_all(directory.join("efforts")).unwrap();
    let log: Vec<String> = messages.iter().map(ToString::to_string).collect();
    fs::write(directory.join("efforts/pumps.jsonl"), log.join("\n") + "\n").unwrap();
    fs::write(
        directory.join("manifest.yaml"),
        "efforts:\n  - id: pumps\n    status: open\n    raw_file: efforts/pumps.jsonl\n",
    )
    .unwrap();
    text
}

fn start(
    directory: &Path,
    model: Arc<dyn Model>,
    in_turn: bool,
) -> (Handle, UnboundedReceiver<Notice>) {
    let mut settings = Settings::default();
    settings.set("token_budget", "8000", Source::Chat).unwrap();
    settings.set("compression_model", "small-one", Source::Chat).unwrap();
    orchestrator::start(Setup {
        compress_in_turn: in_turn,
        ..Setup::scripted(directory.to_owned(), model, settings, Arc::new(Cl100k::lazy()))
    })
    .unwrap()
}

async fn turn(handle: &Handle, notices: &mut UnboundedReceiver<Notice>, text: &str) -> TurnReport {
    handle.send(Op::Send(text.to_owned()));
    outcome(notices).await.unwrap()
}

async fn close(handle: &Handle, mut notices: UnboundedReceiver<Notice>) {
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
}

fn of_kind(report: &TurnReport, kind: ChangeKind) -> usize {
    report.changes.iter().filter(|change| change.kind == kind).count()
}

#[tokio::test]
async fn a_long_log_is_archived_mapped_reduced_and_swapped_in() {
    let dir = tempfile::tempdir().unwrap();
    let source = session(dir.path());
    let answer = |nth: usize, text: &str| {
        let is_join = !text.contains("Question");
        Ok(if is_join { "JOINED: check valve 9".into() } else { format!("PART {nth}") })
    };
    let model = Witness::new(dir.path(), 1_000, answer);
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    let report = turn(&handle, &mut notices, "go on").await;
    assert_eq!(of_kind(&report, ChangeKind::EffortCompressed), 1, "{:?}", report.changes);
    assert!(report.memory.layers.total() < Tokens(3_500), "{:?}", report.memory.layers);
    assert_eq!(report.memory.open[0].compressed, 2 * EXCHANGES - 2);

    let asked = model.compressions();
    assert!(asked.len() > 4 && model.archived.lock().unwrap().iter().all(|&there| there));
    let (join, parts) = asked.split_last().unwrap();
    let mapped: String = parts.iter().map(|part| &*part.messages[1].content).collect();
    assert!(mapped.starts_with(&source), "the parts are the source, whole and in order");
    let expected: Vec<String> = (0..parts.len()).map(|n| format!("PART {n}")).collect();
    assert_eq!(&*join.messages[1].content, expected.join("\n\n"), "reduced in order");
    for request in &asked {
        assert_eq!(request.temperature, Some(0.1));
        assert_eq!(request.model.as_deref(), Some("small-one"));
        assert!(request.tools.is_none() && request.messages.len() == 2);
        let size = ebbtide::tokens::Cl100k::lazy();
        let size = ebbtide::memory::CountTokens::count(&size, &request.messages[1].content);
        assert!(size <= Tokens(4_000), "half of the budget: {size}");
    }
    assert_eq!(fs::read_to_string(&model.archive).unwrap(), mapped, "the archive is the source");

    // What is sent from now on: the summary with its pointer, then the last two exchanges.
    let report = turn(&handle, &mut notices, "what was it?").await;
    let chats = model.asked.lock().unwrap().clone();
    let last = chats.last().unwrap();
    assert!(last.messages[1].content.starts_with("[CONVERSATION SUMMARY] of 118 messages"));
    assert!(last.messages[1].content.ends_with("source: ref:archive-pumps\nJOINED: check valve 9"));
    assert!(last.messages[2].content.starts_with("Question 59"), "the second to last user message");
    assert_eq!(&*last.messages[4].content, "go on");
    let before = report.memory.layers;
    close(&handle, notices).await;

    // It survives a restart, and the raw log is as it was.
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    let report = turn(&handle, &mut notices, "and now?").await;
    let growth = report.sent.total().0.abs_diff(before.total().0);
    assert!(growth < 10, "the same window: {:?} then {:?}", before, report.sent);
    let read = Call::ScratchpadReadChunk { key: "ref:archive-pumps".into(), chunk_index: 1 };
    handle.send(Op::Run(read));
    loop {
        if let Some(Notice::CommandDone { text, .. }) = notices.recv().await {
            assert!(text.contains("Question 0"), "{text}");
            break;
        }
    }
    close(&handle, notices).await;
    let log = fs::read_to_string(dir.path().join("efforts/pumps.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 2 * (EXCHANGES + 3));
}

#[tokio::test]
async fn a_log_too_long_for_one_request_is_concluded_from_all_its_raw_parts() {
    let dir = tempfile::tempdir().unwrap();
    let source = session(dir.path());
    let answer = |nth: usize, text: &str| {
        let is_join = !text.contains("Question");
        Ok(if is_join { "NOTES of it all".into() } else { format!("PART {nth}") })
    };
    let model = Witness::new(dir.path(), 1_000, answer);
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    handle.send(Op::Run(Call::CloseEffort { id: None }));
    until(&mut notices, |notice| matches!(notice, Notice::CommandDone { .. }).then_some(())).await;
    let asked = model.asked.lock().unwrap().clone();
    let parts = model.compressions();
    let mapped: String =
        parts[..parts.len() - 1].iter().map(|part| &*part.messages[1].content).collect();
    assert!(mapped.starts_with(&source) && mapped.contains("Answer 59"), "the whole raw log");
    let last = asked.last().unwrap();
    assert_eq!(last.purpose, Purpose::Summarize);
    assert_eq!(&*last.messages[1].content, "notes: NOTES of it all");
    let report = turn(&handle, &mut notices, "thanks").await;
    assert_eq!(report.memory.warm.len(), 1);
    close(&handle, notices).await;
}

#[tokio::test]
async fn what_was_compressed_of_a_long_log_is_not_read_again_to_conclude_it() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 1_000, |_, _| Ok("JOINED: check valve 9".into()));
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    turn(&handle, &mut notices, "go on").await;
    let before = model.compressions().len();
    handle.send(Op::Run(Call::CloseEffort { id: None }));
    until(&mut notices, |notice| matches!(notice, Notice::CommandDone { .. }).then_some(())).await;
    assert_eq!(model.compressions().len(), before, "nothing more is compressed");
    let last = model.asked.lock().unwrap().last().unwrap().clone();
    assert_eq!(last.purpose, Purpose::Summarize);
    let log = &last.messages[1].content;
    assert!(log.starts_with("notes: JOINED: check valve 9\n\nuser: Question 59"), "{log}");
    assert!(log.contains("user: go on") && !log.contains("Question 58"), "{log}");
    let report = turn(&handle, &mut notices, "thanks").await;
    assert_eq!(report.memory.warm.len(), 1);
    close(&handle, notices).await;
}

#[tokio::test]
async fn a_failure_in_the_middle_changes_nothing_and_the_budget_holds() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let answer = |nth: usize, _: &str| match nth {
        3 => Err(llm::Error::Script("the server fell over".into())),
        _ => Ok("PART".into()),
    };
    let model = Witness::new(dir.path(), 1_000, answer);
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    handle.send(Op::Send("go on".into()));
    let mut why = None;
    let report = loop {
        match notices.recv().await.unwrap() {
            Notice::CompressionEnded(text) => why = text,
            Notice::TurnEnded(report) => break report,
            _ => {}
        }
    };
    let why = why.expect("the user is told");
    assert!(why.contains("the server fell over") && why.contains("Nothing is lost"), "{why}");
    assert_eq!(of_kind(&report, ChangeKind::EffortCompressed), 0);
    assert_eq!(report.memory.open[0].compressed, 0);
    assert!(report.memory.layers.total() <= Tokens(8_000));
    let before = model.compressions().len();
    let report = turn(&handle, &mut notices, "still there?").await;
    assert!(report.sent.total() <= Tokens(8_000));
    assert_eq!(model.compressions().len(), before, "not tried again at once");
    close(&handle, notices).await;
}

#[tokio::test]
async fn a_form_that_is_not_smaller_is_not_swapped_in() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 1_000, |_, text: &str| Ok(text.to_owned()));
    let (handle, mut notices) = start(dir.path(), model, true);
    let report = turn(&handle, &mut notices, "go on").await;
    assert_eq!(of_kind(&report, ChangeKind::EffortCompressed), 0);
    assert!(report.memory.layers.total() <= Tokens(8_000));
    close(&handle, notices).await;
}

#[tokio::test]
async fn blank_answers_are_not_asked_for_again_by_the_next_run() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 1_000, |_, _: &str| Ok(" \n".into()));
    let mut asked = Vec::new();
    for _ in 0..3 {
        let (handle, mut notices) = start(dir.path(), model.clone(), true);
        turn(&handle, &mut notices, "go on").await;
        close(&handle, notices).await;
        asked.push(model.compressions().len());
    }
    assert!(asked[0] > 0 && asked[1..] == [asked[0]; 2], "{asked:?}");
}

#[tokio::test]
async fn nothing_is_asked_when_the_archive_cannot_be_written() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 1_000, |_, _: &str| Ok("short".into()));
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    // The session is open; now nothing can be stored any more.
    let pad = dir.path().join("scratchpad");
    let _ = fs::remove_dir_all(&pad);
    fs::write(&pad, "in the way").unwrap();
    let report = turn(&handle, &mut notices, "go on").await;
    assert_eq!(model.compressions().len(), 0, "no compression without reference");
    assert_eq!(of_kind(&report, ChangeKind::EffortCompressed), 0);
    assert!(report.memory.layers.total() <= Tokens(8_000));
    close(&handle, notices).await;
}

/// The next notice that passes a test; the others are dropped.
async fn until<T>(
    notices: &mut UnboundedReceiver<Notice>,
    mut wanted: impl FnMut(Notice) -> Option<T>,
) -> T {
    loop {
        if let Some(found) = wanted(notices.recv().await.expect("the driver lives")) {
            return found;
        }
    }
}

#[tokio::test]
async fn it_runs_beside_the_chat_several_at_once_and_is_swapped_in_between_turns() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 0, |_, _: &str| Ok("PART".into()));
    let (handle, mut notices) = start(dir.path(), model.clone(), false);
    turn(&handle, &mut notices, "go on").await;
    until(&mut notices, |notice| matches!(notice, Notice::Compressing { .. }).then_some(())).await;
    let report = turn(&handle, &mut notices, "and meanwhile?").await;
    assert_eq!(report.memory.open[0].compressed, 0, "the chat goes on");
    model.permits.add_permits(1_000);
    let change = until(&mut notices, |notice| match notice {
        Notice::Changed(change) if change.kind == ChangeKind::EffortCompressed => Some(change),
        _ => None,
    });
    let change = change.await;
    assert!(change.after < change.before, "{change:?}");
    assert_eq!(model.most_under_way.load(Ordering::SeqCst), 4);
    let report = turn(&handle, &mut notices, "and now?").await;
    assert_eq!(report.memory.open[0].compressed, 2 * EXCHANGES - 2);
    let shown = model.asked.lock().unwrap().last().unwrap().clone();
    let meanwhile = shown.messages.iter().filter(|m| &*m.content == "and meanwhile?").count();
    assert_eq!(meanwhile, 1, "what was said in the meantime is there");
    close(&handle, notices).await;
}

#[tokio::test]
async fn a_compression_that_is_stopped_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 0, |_, _: &str| Ok("PART".into()));
    let (handle, mut notices) = start(dir.path(), model.clone(), false);
    turn(&handle, &mut notices, "go on").await;
    until(&mut notices, |notice| matches!(notice, Notice::Compressing { .. }).then_some(())).await;
    handle.send(Op::Cancel);
    let why = until(&mut notices, |notice| match notice {
        Notice::CompressionEnded(why) => why,
        _ => None,
    });
    assert!(why.await.contains("was stopped; nothing changed"));
    model.permits.add_permits(1_000);
    let report = turn(&handle, &mut notices, "hello").await;
    assert_eq!(report.memory.open[0].compressed, 0);
    handle.send(Op::Compress(None));
    let (ok, text) = until(&mut notices, |notice| match notice {
        Notice::CommandDone { ok, text } => Some((ok, text)),
        _ => None,
    })
    .await;
    assert!(ok && text.contains("tokens of pumps"), "{text}");
    until(&mut notices, |notice| {
        let done = |change: &ebbtide::memory::Change| change.kind == ChangeKind::EffortCompressed;
        matches!(notice, Notice::Changed(change) if done(&change)).then_some(())
    })
    .await;
    close(&handle, notices).await;
    assert!(store::Store::open(dir.path()).is_ok());
}

#[tokio::test]
async fn a_turn_that_waits_for_a_compression_stops_when_told_to() {
    let dir = tempfile::tempdir().unwrap();
    session(dir.path());
    let model = Witness::new(dir.path(), 0, |_, _: &str| Ok("PART".into()));
    let (handle, mut notices) = start(dir.path(), model.clone(), true);
    handle.send(Op::Send("go on".to_owned()));
    until(&mut notices, |notice| matches!(notice, Notice::Compressing { .. }).then_some(())).await;
    handle.send(Op::Cancel);
    let report = outcome(&mut notices).await.expect("the answer was there");
    assert_eq!(report.memory.open[0].compressed, 0);
    assert_eq!(&*report.reply, "ok");
    close(&handle, notices).await;
}
