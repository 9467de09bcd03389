//! A kill at any instant: every prefix of the writes of a turn is a session that opens.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ebbtide::memory::{EffortId, Exchange};
use ebbtide::store::{Draft, Drafts};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::session::{Command, Session};

type Files = BTreeMap<String, Vec<u8>>;

/// The program numbers what is entered from its clock on, in microseconds.
const NUMBER: u64 = 1_795_309_464_424_548;

/// The files that each step of a turn writes, in the order of the writes.
const STEPS: [&[&str]; 4] = [
    &["pending.json"],
    &["efforts/new.jsonl", "journal.jsonl"],
    &["pending.json", "efforts/new.jsonl"],
    &["journal.jsonl", "memory_state.json", "session_state.json", "pending.json"],
];

#[test]
fn any_prefix_of_the_writes_of_a_turn_opens_and_loses_nothing() {
    let states = turn_in_steps();
    let mut cuts = 0;
    let untouched = open(&states[0]).1;
    assert_eq!(untouched.drafts.waiting.len(), 2, "nothing of it has begun");
    for (step, names) in STEPS.iter().enumerate() {
        let (mut now, after) = (states[step].clone(), &states[step + 1]);
        for name in *names {
            for partial in partial_writes(now.get(*name), after.get(*name)) {
                let mut cut = now.clone();
                cut.insert((*name).to_owned(), partial);
                check(&cut, step);
                cuts += 1;
            }
            match after.get(*name) {
                Some(content) => now.insert((*name).to_owned(), content.clone()),
                None => now.remove(*name),
            };
            check(&now, step);
        }
        assert_eq!(&now, after, "step {step} writes what the list says");
    }
    assert!(cuts > 100, "{cuts}");
}

#[test]
fn a_reply_that_is_not_whole_is_marked_after_a_kill_too() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    let turn = session.memory.begin_turn();
    session.store.begin_turn(turn, "why?", None).unwrap();
    session.store.note_finish(Some("length"));
    let exchange = Exchange { user: "why?".into(), assistant: "Because".into() };
    session.store.log_exchange(turn, None, &exchange).unwrap();
    let whole = snapshot(dir.path());
    drop(session);
    // Killed before the log was written; and after it, with the record of the reply lost.
    let words = whole["pending.json"].split_inclusive(|&byte| byte == b'\n').next().unwrap();
    for (name, left) in [("raw.jsonl", &[][..]), ("pending.json", words)] {
        let mut cut = whole.clone();
        cut.insert(name.to_owned(), left.to_vec());
        let (dir, session) = open(&cut);
        assert_eq!(session.memory.turn(), turn, "{name}");
        assert_eq!(session.opened, ["why?", "Because", "length"], "{name}");
        let log = fs::read_to_string(dir.path().join("raw.jsonl")).unwrap();
        assert_eq!(log.matches(r#""finish_reason":"length""#).count(), 1, "{log}");
    }
}

/// The files before a turn and after each of its steps.
fn turn_in_steps() -> Vec<Files> {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("first", "one", &[]);
    session.turn("second", "two", &[Command::Open("old")]);
    session.turn("third", "three", &[Command::Close("old", "Done.")]);
    session.close();
    let mut session = Session::open(dir.path());
    // A turn of the same number was stopped before: that says nothing of this one.
    let turn = session.memory.begin_turn();
    session.store.begin_turn(turn, "given up", None).unwrap();
    session.store.abandon_turn(turn, "given up", "", "cancelled").unwrap();
    session.memory.abandon_turn();
    // The draft is of the moment in which the question was entered: it is written anew whenever there is time.
    let entered = |id, text: &str| Draft { id: Some(id), ..text.into() };
    let waiting = vec![entered(NUMBER, "the question"), entered(NUMBER + 1, "the next question")];
    session.store.draft_file().keep(&Drafts { waiting, ..Drafts::default() }).unwrap();
    let mut states = vec![snapshot(dir.path())];
    session.store.take_up(Some(NUMBER));
    let turn = session.memory.begin_turn();
    session.store.begin_turn(turn, "the question", None).unwrap();
    states.push(snapshot(dir.path()));
    session.run(&Command::Open("new"), Some("the question"));
    states.push(snapshot(dir.path()));
    let exchange = Exchange { user: "the question".into(), assistant: "the answer".into() };
    session.store.log_exchange(turn, Some(&EffortId::stored("new")), &exchange).unwrap();
    states.push(snapshot(dir.path()));
    let ended = session.memory.end_turn(&exchange);
    session.store.finish_turn(&ended, &session.memory).unwrap();
    states.push(snapshot(dir.path()));
    states
}

/// What an append that was killed may have left; a replaced file is old or new, never in between.
fn partial_writes(before: Option<&Vec<u8>>, after: Option<&Vec<u8>>) -> Vec<Vec<u8>> {
    let empty = Vec::new();
    let before = before.unwrap_or(&empty);
    match after {
        Some(after) if after.starts_with(before) && after.last() == Some(&b'\n') => {
            (before.len()..after.len()).step_by(3).map(|end| after[..end].to_vec()).collect()
        }
        _ => Vec::new(),
    }
}

fn open(files: &Files) -> (TempDir, Session) {
    let dir = tempdir().unwrap();
    for (name, content) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let session = Session::open(dir.path());
    (dir, session)
}

fn check(files: &Files, step: usize) {
    let (dir, mut session) = open(files);
    let waiting: Vec<&str> = session.drafts.waiting.iter().map(|it| it.text.as_str()).collect();
    // The words of a record that was cut off in the middle still wait.
    let record =
        files.get("pending.json").filter(|record| serde_json::from_slice::<Value>(record).is_ok());
    let has_begun = step > 0 || record.is_some();
    assert_eq!(waiting[usize::from(!has_begun)..], ["the next question"], "step {step}");
    let shown = |session: &Session, text: &str| {
        session.opened.iter().filter(|entry| *entry == text).count()
    };
    for text in ["first", "one", "second", "two", "third", "three"] {
        assert_eq!(shown(&session, text), 1, "step {step}: {text} in {:?}", session.opened);
    }
    let handed_back = session.interrupted.is_some();
    let (question, answer) = (shown(&session, "the question"), shown(&session, "the answer"));
    if has_begun {
        // While the turn is handed back its words are in the transcript at the next start.
        assert_eq!(question + usize::from(handed_back && question == 0), 1, "step {step}");
    }
    assert_eq!(answer, usize::from(session.memory.turn().0 == 4), "step {step}");
    if step == 3 {
        assert_eq!(answer, 1, "a logged reply counts, step {step}");
    }
    assert!(!handed_back || answer == 0);
    session.turn("afterwards", "still there", &[]);
    drop(session);

    let session = Session::open(dir.path());
    assert_eq!(session.problems, [], "step {step}: everything was repaired at once");
    for text in ["third", "three", "afterwards", "still there"] {
        assert_eq!(shown(&session, text), 1, "step {step}: {text} in {:?}", session.opened);
    }
    let question = shown(&session, "the question");
    assert_eq!(question, usize::from(handed_back || answer == 1), "step {step}");
    assert!(session.interrupted.is_none());
    let logged: Vec<String> = ["old", "new"].iter().flat_map(|id| session.log(id)).collect();
    let logged = logged.iter().filter(|text| *text == "the answer").count();
    assert_eq!(logged, answer, "step {step}");
}

fn snapshot(dir: &Path) -> Files {
    let mut files = Files::new();
    for folder in ["", "efforts"] {
        for item in fs::read_dir(dir.join(folder)).unwrap() {
            let path = item.unwrap().path();
            if path.is_file() && !path.ends_with("lock") {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}
