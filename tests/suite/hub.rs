//! Changing from one session to another while the program runs.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ebbtide::config::Settings;
use ebbtide::llm::scripted::{Scripted, ScriptedAnswer};
use ebbtide::orchestrator::{Handle, Notice, Op, SessionList, SessionOp, Setup, open_hub};
use ebbtide::store::{Store, sessions};
use ebbtide::tokens::Cl100k;
use tokio::sync::mpsc::UnboundedReceiver;

/// Longest wait for a notice. A passing test never waits this long.
const PATIENCE: Duration = Duration::from_secs(30);

struct Bench {
    handle: Handle,
    notices: UnboundedReceiver<Notice>,
    script: Scripted,
}

impl Bench {
    fn open(root: &Path, first: Option<&str>) -> Self {
        let script = Scripted::new();
        let model = Arc::new(script.clone());
        let mut settings = Settings::default();
        let root_text = root.display().to_string();
        settings.set("sessions_dir", &root_text, ebbtide::config::Source::Chat).unwrap();
        let make = Box::new(move |directory, settings| {
            Setup::scripted(
                directory,
                Arc::clone(&model) as Arc<dyn ebbtide::llm::Model>,
                settings,
                Arc::new(Cl100k::lazy()),
            )
        });
        let first = first.map(|name| root.join(name));
        let (handle, notices) = open_hub(first, settings, make).unwrap();
        Self { handle, notices, script }
    }

    async fn until<T>(&mut self, mut wanted: impl FnMut(Notice) -> Option<T>) -> T {
        loop {
            let notice = tokio::time::timeout(PATIENCE, self.notices.recv()).await;
            let notice = notice.expect("the hub answers").expect("the hub lives");
            if let Some(found) = wanted(notice) {
                return found;
            }
        }
    }

    async fn opened(&mut self) -> (String, usize) {
        self.until(|notice| match notice {
            Notice::Opened { session, transcript, .. } => Some((session.name, transcript.len())),
            _ => None,
        })
        .await
    }

    async fn done(&mut self) -> (bool, String) {
        self.until(|notice| match notice {
            Notice::CommandDone { ok, text } | Notice::SettingDone { ok, text } => Some((ok, text)),
            _ => None,
        })
        .await
    }

    async fn say(&mut self, text: &str) {
        let answer = ScriptedAnswer { text: "Well.".into(), ..ScriptedAnswer::default() };
        self.script.set_turn(1, vec![answer], Vec::new(), Vec::new());
        self.handle.send(Op::Send(text.to_owned()));
        self.until(|notice| matches!(notice, Notice::TurnEnded(_)).then_some(())).await;
    }

    async fn find(&mut self, query: &str) -> Arc<SessionList> {
        self.handle.send(Op::Session(SessionOp::Find(query.to_owned())));
        let of = |notice| match notice {
            Notice::Sessions(list) if list.query == query => Some(list),
            _ => None,
        };
        self.until(of).await
    }

    async fn end(mut self) {
        self.handle.send(Op::Shutdown);
        self.until(|notice| matches!(notice, Notice::Closed).then_some(())).await;
        assert!(self.notices.recv().await.is_none());
    }
}

#[tokio::test]
async fn the_old_session_is_saved_and_free_when_the_new_one_is_open() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    assert_eq!(bench.opened().await, ("one".to_owned(), 0));
    bench.say("Hello from the first").await;
    bench.handle.send(Op::Session(SessionOp::New(Some("two".to_owned()))));
    assert_eq!(bench.opened().await, ("two".to_owned(), 0));
    bench.say("Hello from the second").await;
    drop(Store::open(&root.path().join("one")).expect("nobody holds the first"));
    assert!(Store::open(&root.path().join("two")).is_err());

    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("one"))));
    assert_eq!(bench.opened().await, ("one".to_owned(), 2));
    bench.end().await;
    for name in ["one", "two"] {
        drop(Store::open(&root.path().join(name)).expect("nobody holds them"));
    }
}

#[tokio::test]
async fn a_session_that_cannot_be_opened_leaves_the_old_one_open() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.opened().await;
    let held = Store::open(&root.path().join("held")).unwrap();
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("held"))));
    let (ok, text) = bench.done().await;
    assert!(!ok && text.contains("held is already open in another Ebbtide"), "{text}");
    assert!(text.contains("/sessions") && !text.contains("-s NAME"), "{text}");
    let in_use = |name: &str| {
        let sessions = ebbtide::store::sessions(root.path());
        sessions.iter().find(|session| session.name == name).map(|session| session.in_use)
    };
    assert_eq!((in_use("held"), in_use("one")), (Some(true), Some(true)), "the list marks them");
    bench.say("still here").await;
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("gone"))));
    let (ok, text) = bench.done().await;
    assert!(!ok && text.contains("no session gone any more"), "{text}");
    assert!(!root.path().join("gone").exists());
    for (name, expected) in
        [("held", "There is a session held already"), ("a/b", "cannot be the name")]
    {
        bench.handle.send(Op::Session(SessionOp::New(Some(name.to_owned()))));
        let (ok, text) = bench.done().await;
        assert!(!ok && text.contains(expected), "{text}");
    }
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("one"))));
    assert_eq!(bench.done().await, (true, "one is open already.".to_owned()));
    drop(held);
    bench.end().await;
}

#[tokio::test]
async fn what_was_set_holds_in_the_next_session_too() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.handle.send(Op::Set { key: "decay_threshold".into(), value: "7".into() });
    assert!(bench.done().await.0);
    bench.handle.send(Op::Session(SessionOp::New(None)));
    let mut said = Vec::new();
    let opened = |notice| match notice {
        Notice::Settings(settings) => {
            said.push(settings.rules().decay_threshold);
            None
        }
        Notice::Opened { session, .. } => Some(session.name),
        _ => None,
    };
    let name = bench.until(opened).await;
    assert!(name.starts_with("20"), "{name}");
    assert_eq!(said.last(), Some(&7));
    bench.handle.send(Op::Session(SessionOp::New(None)));
    assert_ne!(bench.opened().await.0, name);
    bench.end().await;
}

#[tokio::test]
async fn sessions_are_found_by_name_title_and_what_was_said() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("auth-bug"));
    bench.say("The login fails").await;
    bench.say("It is the CLOCK of the server").await;
    bench.handle.send(Op::Session(SessionOp::New(Some("trip".to_owned()))));
    bench.opened().await;
    bench.say("Where to go?").await;
    let names = |list: &SessionList| -> Vec<String> {
        list.found.iter().map(|found| found.session.name.clone()).collect()
    };
    let all = bench.find("").await;
    assert_eq!(names(&all).len(), 2);
    assert_eq!(all.current, Some(root.path().join("trip")));
    let auth = bench.find("AUTH").await;
    assert_eq!((names(&auth), auth.new_name.as_deref()), (vec!["auth-bug".into()], Some("AUTH")));
    assert_eq!(bench.find("auth-bug").await.new_name, None);
    let new_name = bench.find("two words").await.new_name.clone();
    assert_eq!(new_name.as_deref(), Some("two words"));
    assert_eq!(bench.find("two/words").await.new_name, None);
    assert_eq!(names(&*bench.find("where go").await), ["trip"]);
    let said = bench.find("server clock").await;
    assert_eq!(names(&said), ["auth-bug"]);
    assert_eq!(said.found[0].snippet, "It is the CLOCK of the server");
    assert_eq!(names(&*bench.find("nowhere").await), Vec::<String>::new());
    bench.end().await;
}

#[tokio::test]
async fn a_session_without_any_is_chosen_first() {
    let root = tempfile::tempdir().unwrap();
    Bench::open(root.path(), Some("one")).end().await;
    let mut bench = Bench::open(root.path(), None);
    assert_eq!(bench.find("").await.found.len(), 1);
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("one"))));
    assert_eq!(bench.opened().await.0, "one");
    bench.end().await;
    Bench::open(root.path(), None).end().await;
}

#[tokio::test]
async fn the_open_session_gets_another_name_and_goes_on() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.say("Hello").await;
    bench.handle.send(Op::Rename("better".to_owned()));
    let name = |notice| match notice {
        Notice::Renamed(session) => Some(session.name),
        _ => None,
    };
    assert_eq!(bench.until(name).await, "better");
    assert!(bench.done().await.0);
    bench.say("and on").await;
    assert!(Store::open(&root.path().join("better")).is_err());
    for (name, expected) in [("../out", "cannot be the name"), ("better", "already")] {
        bench.handle.send(Op::Rename(name.to_owned()));
        let (ok, text) = bench.done().await;
        assert!(!ok && text.contains(expected), "{text}");
    }
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("better"))));
    assert_eq!(bench.done().await.1, "better is open already.");
    bench.end().await;
    let all = sessions(root.path());
    assert_eq!((all.len(), all[0].turns), (1, 2));
    let opened = Store::open(&root.path().join("better")).unwrap();
    assert!(opened.problems.is_empty(), "{:?}", opened.problems);
    assert_eq!(opened.transcript.len(), 4);
}

#[tokio::test]
async fn the_open_session_is_exported_beside_the_chat() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.say("Hello").await;
    for name in ["copy.md", "copy.json"] {
        let file = root.path().join(name);
        bench.handle.send(Op::Export(Some(file.clone())));
        let (ok, text) = bench.done().await;
        assert!(ok, "{text}");
        assert!(std::fs::read_to_string(&file).unwrap().contains("Hello"));
        bench.handle.send(Op::Export(Some(file)));
        assert!(!bench.done().await.0);
    }
    bench.end().await;
}

#[tokio::test]
async fn a_setting_is_kept_in_the_config_file_on_request() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.handle.send(Op::SetForGood { key: "slots".into(), value: "4".into() });
    let (ok, text) = bench.done().await;
    assert_eq!((ok, text.as_str()), (false, "There is no config file to keep it in."));
    bench.handle.send(Op::Set { key: "offline_pace_ms".into(), value: "7".into() });
    let (ok, text) = bench.done().await;
    assert!(ok && text.contains("from the next start on"), "{text}");
    bench.end().await;
}

#[tokio::test]
async fn a_session_is_deleted_unless_somebody_has_it_open() {
    let root = tempfile::tempdir().unwrap();
    // What a killed deletion left goes at the start.
    std::fs::create_dir(root.path().join(".deleted-1-1")).unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.opened().await;
    let held = Store::open(&root.path().join("held")).unwrap();
    drop(Store::open(&root.path().join("other")).unwrap());
    let outside = tempfile::tempdir().unwrap();
    drop(Store::open(&outside.path().join("far")).unwrap());
    for (directory, ok, told) in [
        (root.path().join("one"), false, "one is the session that is open"),
        (root.path().join("held"), false, "held is already open in another Ebbtide (process "),
        (outside.path().join("far"), false, "there is no session at "),
        (root.path().join("other"), true, "other is deleted."),
        (root.path().join("other"), false, "there is no session at "),
    ] {
        bench.handle.send(Op::Session(SessionOp::Delete(directory.clone())));
        let of = |notice| match notice {
            Notice::SessionDeleted { ok, text } => Some((ok, text)),
            _ => None,
        };
        let (done, text) = bench.until(of).await;
        assert!(done == ok && text.starts_with(told), "{}: {text}", directory.display());
    }
    drop(held);
    assert!(outside.path().join("far").is_dir());
    let mut left: Vec<String> =
        sessions(root.path()).into_iter().map(|session| session.name).collect();
    left.sort();
    assert_eq!(left, ["held", "one"]);
    bench.end().await;
    assert!(!root.path().join(".deleted-1-1").exists());
}

#[tokio::test]
async fn a_copy_goes_on_from_where_the_session_is_and_the_session_stays() {
    let root = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(root.path(), Some("one"));
    bench.opened().await;
    bench.say("Hello from the first").await;
    for (name, copy) in [(None, "one-2"), (None, "one-3"), (Some("my copy"), "my copy")] {
        bench.handle.send(Op::Fork(name.map(str::to_owned)));
        let of = |notice| match notice {
            Notice::Forked { directory, text } => Some((directory, text)),
            _ => None,
        };
        let (directory, text) = bench.until(of).await;
        assert_eq!(directory, root.path().join(copy));
        assert!(text.starts_with(&format!("one is copied to {copy}, kept in ")), "{text}");
    }
    for (name, told) in [("my copy", "there is a session my copy already"), ("../x", "cannot be")] {
        bench.handle.send(Op::Fork(Some(name.to_owned())));
        let (ok, text) = bench.done().await;
        assert!(!ok && text.contains(told), "{text}");
    }
    bench.say("Only the first hears this").await;
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("one-2"))));
    assert_eq!(bench.opened().await, ("one-2".to_owned(), 2));
    bench.say("Only the copy hears this").await;
    bench.handle.send(Op::Session(SessionOp::Open(root.path().join("one"))));
    assert_eq!(bench.opened().await, ("one".to_owned(), 4));
    bench.end().await;
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 4, "no hidden folder is left");
}
