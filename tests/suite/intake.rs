//! What a person sends is on disk before anything is done with it, and taking it in can be stopped.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ebbtide::config::Settings;
use ebbtide::llm::scripted::Scripted;
use ebbtide::memory::{CountTokens, Tokens};
use ebbtide::orchestrator::{self, Handle, Notice, Op, Setup};
use ebbtide::store::Store;
use tokio::sync::mpsc::UnboundedReceiver;

use super::support::driver::{outcome, text};
use super::support::session::Words;

/// Stands in the files that the gate holds up.
const HELD: &str = "heldup";

/// How long it holds them up at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// A counter that says so and waits at a text with [`HELD`] in it, as taking in a huge file would take its time.
struct Gate {
    reached: Mutex<Sender<()>>,
    /// Ends the wait by being dropped.
    open: Mutex<Receiver<()>>,
}

impl CountTokens for Gate {
    fn count(&self, text: &str) -> Tokens {
        if text.contains(HELD) {
            let _ = self.reached.lock().unwrap().send(());
            if self.open.lock().unwrap().recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let _ = self.reached.lock().unwrap().send(());
            }
        }
        Words.count(text)
    }
}

struct Held {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    script: Scripted,
    reached: Receiver<()>,
    open: Option<Sender<()>>,
    home: tempfile::TempDir,
}

impl Held {
    /// A session beside two files, of which the first is held up at the gate.
    fn start() -> Self {
        Self::over("")
    }

    /// The same over an ambient log that another program wrote.
    fn over(log: &str) -> Self {
        Self::counting(log, true)
    }

    /// The same, with the log counted before anything else or beside it.
    fn counting(log: &str, count_first: bool) -> Self {
        let home = tempfile::tempdir().unwrap();
        if !log.is_empty() {
            fs::create_dir(home.path().join("session")).unwrap();
            fs::write(home.path().join("session/raw.jsonl"), log).unwrap();
        }
        Self::counting_in(home, count_first)
    }

    /// The same, with the session that stands there.
    fn counting_in(home: tempfile::TempDir, count_first: bool) -> Self {
        for (name, words) in [("first.txt", HELD), ("second.txt", "free")] {
            fs::write(home.path().join(name), format!("{words} {}", "word ".repeat(300))).unwrap();
        }
        let (reached, at_gate) = channel();
        let (open, wait) = channel();
        let script = Scripted::new();
        let setup = Setup {
            count_first,
            ..Setup::scripted(
                home.path().join("session"),
                Arc::new(script.clone()),
                Settings::default(),
                Arc::new(Gate { reached: Mutex::new(reached), open: Mutex::new(wait) }),
            )
        };
        let (handle, notices) = orchestrator::start(setup).unwrap();
        Self { handle, notices, script, reached: at_gate, open: Some(open), home }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Sends both files and waits until the first one is being taken in.
    async fn send_both(&self) -> String {
        let (first, second) = (self.file("first.txt"), self.file("second.txt"));
        let message = format!("read @{} and @{}", first.display(), second.display());
        self.script.set_turn(1, vec![text("read")], Vec::new(), Vec::new());
        self.handle.send(Op::Send(message.clone()));
        self.at_gate().await;
        message
    }

    async fn at_gate(&self) {
        while self.reached.try_recv().is_err() {
            tokio::task::yield_now().await;
        }
    }

    /// Asks for the end, and opens the gate once the driver has heard it: there is one thread, so it has
    /// its turn first.
    async fn stop_with(&mut self, op: Op) {
        self.handle.send(op);
        tokio::task::yield_now().await;
        self.open = None;
    }

    fn kept(&self, name: &str) -> bool {
        self.file("session/scratchpad").join(name).exists()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let path = item.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

#[tokio::test]
async fn the_words_are_on_disk_before_an_attached_file_is_taken_in() {
    let mut held = Held::start();
    let message = held.send_both().await;
    // What a kill at this moment would leave behind.
    let left = held.file("left");
    copy(&held.file("session"), &left);
    let interrupted = Store::open(&left).unwrap().interrupted.expect("the words are there");
    assert_eq!(&*interrupted.user, message);
    held.open = None;
    let report = outcome(&mut held.notices).await.unwrap();
    assert_eq!((&*report.user, report.changes.len()), (&*message, 2));
    let log = fs::read_to_string(held.file("session/raw.jsonl")).unwrap();
    assert_eq!(log.matches("read @").count(), 2, "as typed and as shown, once: {log}");
}

#[tokio::test]
async fn esc_stops_the_intake_and_the_words_come_back() {
    let mut held = Held::start();
    let message = held.send_both().await;
    held.handle.send(Op::ListFiles("x".into()));
    while !matches!(held.notices.recv().await, Some(Notice::Files { .. })) {}
    held.stop_with(Op::Cancel).await;
    let stopped = outcome(&mut held.notices).await.unwrap_err();
    assert_eq!((&*stopped.user, stopped.error), (&*message, None));
    assert!(held.kept("first-txt.txt") && !held.kept("second-txt.txt"));
}

#[tokio::test]
async fn the_end_of_the_program_stops_the_intake() {
    let mut held = Held::start();
    let message = held.send_both().await;
    held.stop_with(Op::Shutdown).await;
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    assert!(!held.kept("second-txt.txt"));
    let journal = fs::read_to_string(held.file("session/journal.jsonl")).unwrap();
    assert_eq!(journal.matches(&message).count(), 1, "{journal}");
}

#[tokio::test]
async fn a_file_that_is_attached_by_itself_can_be_stopped_too() {
    let mut held = Held::start();
    held.handle.send(Op::Attach(held.file("first.txt")));
    held.at_gate().await;
    held.handle.send(Op::ListFiles("x".into()));
    loop {
        match held.notices.recv().await {
            Some(Notice::Files { .. }) => break,
            Some(Notice::CommandDone { .. }) => panic!("nothing else went on meanwhile"),
            _ => {}
        }
    }
    held.stop_with(Op::Cancel).await;
    while !matches!(held.notices.recv().await, Some(Notice::CommandDone { .. })) {}
}

fn line(words: &str) -> String {
    format!("{{\"role\":\"user\",\"content\":\"{words}\",\"ts\":\"\"}}\n")
}

#[tokio::test]
async fn a_session_that_is_being_loaded_is_closed_at_once() {
    let mut held = Held::over(&line(HELD));
    held.at_gate().await;
    held.handle.send(Op::Shutdown);
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    assert!(Store::open(&held.file("session")).is_ok(), "the lock is free again");
    // The gate would have said that it was waited for.
    assert!(held.reached.try_recv().is_err());
    held.open = None;
}

#[tokio::test]
async fn a_message_that_waits_for_the_session_can_be_taken_back() {
    let mut held = Held::over(&line(HELD));
    held.at_gate().await;
    held.handle.send(Op::Send("hello".into()));
    held.handle.send(Op::Cancel);
    let stopped = outcome(&mut held.notices).await.unwrap_err();
    assert_eq!((&*stopped.user, stopped.error), ("hello", None));
    assert!(held.reached.try_recv().is_err(), "nobody waited for the gate");
    held.open = None;
    held.handle.send(Op::Shutdown);
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    let journal = fs::read_to_string(held.file("session/journal.jsonl")).unwrap();
    assert!(!journal.contains("hello"), "{journal}");
}

#[tokio::test]
async fn the_log_of_another_program_is_counted_once() {
    let nobody = "{\"role\":\"system\",\"content\":\"a marker\"}\n{\"role\":\"user\",\"cont\n";
    let log = line(HELD) + nobody + &line("other words").repeat(60);
    let mut held = Held::over(&log);
    held.at_gate().await;
    held.open = None;
    while !matches!(held.notices.recv().await, Some(Notice::Memory(_))) {}
    held.handle.send(Op::Shutdown);
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    let session = held.file("session");
    let size = || {
        let restored = Store::open(&session).unwrap().store.load(10).unwrap().restored;
        (restored.ambient_messages, restored.ambient_tokens)
    };
    assert_eq!(size(), (61, Some(Tokens(121))));
    let log = fs::read_to_string(session.join("raw.jsonl")).unwrap();
    fs::write(session.join("raw.jsonl"), log.replacen("other", "OTHER", 1)).unwrap();
    assert_eq!(size().1, None, "another log of the same length is counted anew");
}

#[test]
fn a_log_is_counted_no_further_once_the_session_is_closed() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let others = line("other words").repeat(200);
    let log = line(HELD) + &others + &line(HELD) + &others;
    let reached = runtime.block_on(async {
        let mut held = Held::counting(&log, false);
        held.at_gate().await;
        held.handle.send(Op::Shutdown);
        while held.notices.recv().await.is_some() {}
        held.open = None;
        held.reached
    });
    // Waits for whatever still counts.
    drop(runtime);
    assert!(reached.try_recv().is_err(), "it went on to the second message that is held up");
}

/// Counts words, and remembers what it was given.
#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

impl CountTokens for Recorder {
    fn count(&self, text: &str) -> Tokens {
        self.0.lock().unwrap().push(text.to_owned());
        Words.count(text)
    }
}

/// Opens a session, counts its ambient log and closes it. Tells how much the log holds, and how often the words
/// were counted on the way.
async fn counted(session: &Path, words: &str) -> (u64, Option<Tokens>, usize) {
    let recorder = Arc::new(Recorder::default());
    let setup = Setup::scripted(
        session.to_owned(),
        Arc::new(Scripted::new()),
        Settings::default(),
        Arc::clone(&recorder) as Arc<dyn CountTokens>,
    );
    let (handle, mut notices) = orchestrator::start(setup).unwrap();
    while !matches!(notices.recv().await, Some(Notice::Memory(_))) {}
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed)) {}
    let times = recorder.0.lock().unwrap().iter().filter(|text| *text == words).count();
    let restored = Store::open(session).unwrap().store.load(10).unwrap().restored;
    (restored.ambient_messages, restored.ambient_tokens, times)
}

#[tokio::test]
async fn of_the_efforts_of_another_program_those_counted_when_it_ends_are_not_counted_again() {
    let home = tempfile::tempdir().unwrap();
    let session = home.path().join("session");
    fs::create_dir_all(session.join("efforts")).unwrap();
    let entry = |id| format!("  - id: {id}\n    status: concluded\n    summary: Tea.\n");
    let manifest = format!("efforts:\n{}{}", entry("early"), entry("late"));
    for (id, said) in [("early", "early words"), ("late", HELD)] {
        fs::write(session.join(format!("efforts/{id}.jsonl")), line(said).repeat(3)).unwrap();
    }
    fs::write(session.join("manifest.yaml"), manifest).unwrap();
    let mut held = Held::counting_in(home, false);
    held.at_gate().await;
    held.handle.send(Op::Shutdown);
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    held.open = None;
    assert_eq!(counted(&session, "early words").await.2, 0);
    assert_eq!(counted(&session, HELD).await.2, 0, "and by then all of them");
}

#[tokio::test]
async fn the_log_of_another_program_is_counted_on_where_the_last_run_ended() {
    let log = line("early words").repeat(50) + &line(HELD) + &line("late words").repeat(50);
    let mut held = Held::counting(&log, false);
    held.at_gate().await;
    held.handle.send(Op::Shutdown);
    while !matches!(held.notices.recv().await, Some(Notice::Closed)) {}
    held.open = None;
    let session = held.file("session");
    let kept = fs::read(session.join("counts.json")).unwrap();
    // What was said since comes behind it.
    fs::write(session.join("raw.jsonl"), log.clone() + &line("new")).unwrap();
    assert_eq!(counted(&session, "early words").await, (102, Some(Tokens(202)), 0));
    // A log that is another one, or shorter, is counted anew.
    for (other, size) in [
        (log.replacen("early", "EARLY", 1), (101, Some(Tokens(201)), 49)),
        (line("early words").repeat(40), (40, Some(Tokens(80)), 40)),
    ] {
        fs::write(session.join("counts.json"), &kept).unwrap();
        fs::write(session.join("raw.jsonl"), other).unwrap();
        let (messages, tokens, times) = counted(&session, "early words").await;
        assert_eq!((messages, tokens), (size.0, size.1));
        assert!(times >= size.2, "{times}");
    }
}
