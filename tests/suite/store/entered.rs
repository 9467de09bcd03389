//! The way of an entered message, from the line to its log, with a kill after each write of any step: its words
//! are always somewhere, and never would they be sent twice.

use std::fs;
use std::path::{Path, PathBuf};

use ebbtide::memory::{Exchange, Turn};
use ebbtide::store::{Draft, Drafts, MOST_LOGGED, Opened, Store, TranscriptKind};
use proptest::prelude::*;
use tempfile::{TempDir, tempdir};

use crate::support::session::{Command, Session};

/// The program numbers what is entered from its clock on, in microseconds.
const NUMBER: u64 = 1_795_309_464_424_548;

/// What may happen next to what is entered.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// What stands in the line is entered, or a new message is.
    Enter,
    /// The first that waits is under way.
    Begin,
    /// An effort is opened in the turn.
    Work,
    /// The reply is logged.
    Log,
    /// The turn counts.
    Finish,
    /// The turn is given up; its words go back to the line.
    Stop,
    /// The last that waits goes back to the line.
    TakeBack,
    /// The drafts are written, as they are a while after each change.
    Keep,
    /// The program is killed and started again.
    Kill,
}

const STEPS: [Step; 9] = [
    Step::Enter,
    Step::Begin,
    Step::Work,
    Step::Log,
    Step::Finish,
    Step::Stop,
    Step::TakeBack,
    Step::Keep,
    Step::Kill,
];

/// The end of a turn may find no room on the disk, and the words of the next one neither.
#[test]
fn words_whose_turn_was_given_up_stay_until_a_turn_ends() {
    let dir = tempdir().unwrap();
    let pending = || fs::read_to_string(dir.path().join("pending.json")).unwrap();
    let mut store = Store::open(dir.path()).unwrap().store;
    store.begin_turn(Turn(1), "given up", None).unwrap();
    store.begin_turn(Turn(1), "said next", None).unwrap();
    assert!(pending().contains("given up") && pending().contains("said next"), "{}", pending());
    drop(store);
    let interrupted = Store::open(dir.path()).unwrap().interrupted.unwrap();
    assert_eq!(&*interrupted.user, "said next");
}

/// A line of a log is taken out again only where the record holds its very words.
#[test]
fn words_in_a_log_stay_if_the_record_of_the_turn_holds_others() {
    let dir = tempdir().unwrap();
    let [log, record] = ["raw.jsonl", "pending.json"].map(|name| dir.path().join(name));
    let mut store = Store::open(dir.path()).unwrap().store;
    store.begin_turn(Turn(1), "typed", None).unwrap();
    let words = fs::read_to_string(&record).unwrap();
    let exchange = Exchange { user: "typed".into(), assistant: "answered".into() };
    store.log_exchange(Turn(1), None, &exchange).unwrap();
    drop(store);
    let logged = fs::read_to_string(&log).unwrap();
    let first = logged.split_inclusive('\n').next().unwrap();
    for (user, left) in [("typed", ""), ("other", first)] {
        fs::write(&log, first).unwrap();
        fs::write(&record, words.replace("\"typed\"", &format!("\"{user}\""))).unwrap();
        let interrupted = Store::open(dir.path()).unwrap().interrupted.unwrap();
        assert_eq!(&*interrupted.user, user);
        assert_eq!(fs::read_to_string(&log).unwrap(), left, "{user}");
    }
}

/// A client and its session.
struct Client {
    home: TempDir,
    session: Option<Session>,
    line: String,
    waiting: Vec<Draft>,
    aside: Vec<Draft>,
    under_way: Option<(Turn, String)>,
    logged: bool,
    last_number: u64,
    entered: Vec<String>,
}

impl Client {
    fn start() -> Self {
        let home = tempdir().unwrap();
        let session = Some(Session::open(home.path()));
        let (waiting, aside, entered) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            home,
            session,
            line: String::new(),
            waiting,
            aside,
            under_way: None,
            logged: false,
            last_number: NUMBER,
            entered,
        }
    }

    fn session(&mut self) -> &mut Session {
        self.session.as_mut().unwrap()
    }

    /// Whether a step can be taken now.
    fn can(&self, step: Step) -> bool {
        let answering = self.under_way.is_some() && !self.logged;
        match step {
            Step::Begin => self.under_way.is_none() && !self.waiting.is_empty(),
            Step::Work | Step::Log | Step::Stop => answering,
            Step::Finish => self.logged,
            Step::TakeBack => self.line.is_empty() && !self.waiting.is_empty(),
            Step::Enter | Step::Keep | Step::Kill => true,
        }
    }

    fn take(&mut self, step: Step) {
        assert!(self.can(step), "{step:?} makes no sense here");
        match step {
            Step::Enter => self.enter(),
            Step::Begin => self.begin(),
            Step::Work => self.work(),
            Step::Log => self.log(),
            Step::Finish => self.finish(),
            Step::Stop => self.stop(),
            Step::TakeBack => {
                self.line = self.waiting.pop().map(|draft| draft.whole()).unwrap_or_default();
            }
            Step::Keep => self.keep(),
            Step::Kill => self.kill(),
        }
    }

    fn work(&mut self) {
        let name = ["one", "two", "three", "four"][self.entered.len() % 4];
        if self.session().memory.lookup(name).is_err() {
            self.session().run(&Command::Open(name), Some(name));
        }
    }

    fn enter(&mut self) {
        let mut text = std::mem::take(&mut self.line);
        if text.is_empty() {
            text = format!("message {}", self.entered.len());
            self.entered.push(text.clone());
        }
        self.last_number += 1;
        self.waiting.push(Draft { id: Some(self.last_number), ..text.as_str().into() });
        self.keep();
    }

    /// Drafts are written later than the turn begins, or not any more.
    fn begin(&mut self) {
        let draft = self.waiting.remove(0);
        let session = self.session();
        session.store.take_up(draft.id);
        let turn = session.memory.begin_turn();
        session.store.begin_turn(turn, &draft.text, session.memory.log_of_turn()).unwrap();
        self.under_way = Some((turn, draft.text));
    }

    fn log(&mut self) {
        let Some((turn, user)) = self.under_way.clone() else { return };
        let exchange = Exchange { user: user.into(), assistant: "a reply".into() };
        let session = self.session();
        let log = session.memory.log_of_turn().cloned();
        session.store.log_exchange(turn, log.as_ref(), &exchange).unwrap();
        self.logged = true;
    }

    fn finish(&mut self) {
        let Some((_, user)) = self.under_way.take() else { return };
        let exchange = Exchange { user: user.into(), assistant: "a reply".into() };
        let session = self.session();
        let ended = session.memory.end_turn(&exchange);
        session.store.finish_turn(&ended, &session.memory).unwrap();
        session.store.take_up(None);
        self.logged = false;
    }

    fn stop(&mut self) {
        let Some((turn, user)) = self.under_way.take() else { return };
        let session = self.session();
        session.store.abandon_turn(turn, &user, "", "cancelled").unwrap();
        session.store.take_up(None);
        if self.line.is_empty() {
            self.line = user;
        }
    }

    fn keep(&mut self) {
        let (line, waiting) = (self.line.as_str().into(), self.waiting.clone());
        let drafts = Drafts { line, waiting, aside: self.aside.clone(), ..Drafts::default() };
        self.session().store.draft_file().keep(&drafts).unwrap();
    }

    fn kill(&mut self) {
        self.session = None;
        let session = Session::open(self.home.path());
        (self.under_way, self.logged) = (None, false);
        let Drafts { line, waiting, aside, .. } = session.drafts.clone();
        (self.waiting, self.aside) = (waiting, aside);
        self.line = line.whole();
        if let Some(handed_back) = session.interrupted.clone() {
            self.aside.extend((!line.is_empty()).then_some(line));
            self.line = handed_back;
        }
        self.session = Some(session);
    }

    /// Looks at the session as a kill now would leave it, and as one that came before the last write.
    fn check(&self, pending_before: Option<Vec<u8>>, taken: &[Step]) {
        let copy = tempdir().unwrap();
        copy_all(self.home.path(), copy.path());
        let pending = copy.path().join("pending.json");
        let is_over = fs::read(&pending).is_ok_and(|record| record.is_empty());
        if let (Some(before), true) = (pending_before, is_over) {
            let earlier = tempdir().unwrap();
            copy_all(copy.path(), earlier.path());
            fs::write(earlier.path().join("pending.json"), before).unwrap();
            check(earlier.path(), &self.entered, taken);
        }
        check(copy.path(), &self.entered, taken);
    }
}

/// Opens a session twice, as after a kill and after another one at once, and looks for what was entered.
fn check(directory: &Path, entered: &[String], taken: &[Step]) {
    let Opened { store, interrupted, drafts, transcript, .. } = Store::open(directory).unwrap();
    drop(store);
    for text in entered {
        let said = |kind| {
            let of_kind = transcript.iter().filter(|entry| entry.kind == kind);
            of_kind.filter(|entry| *entry.text == **text).count()
        };
        let written = usize::from(drafts.line.text == *text);
        let waiting = drafts.waiting.iter().filter(|draft| draft.text == *text).count();
        let back = interrupted.iter().filter(|turn| *turn.user == **text).count();
        let (logged, live) = (said(TranscriptKind::User), written + waiting + back);
        assert!(logged + live <= 1, "{text} is logged {logged} and waits {live} times: {taken:?}");
        let aside = drafts.aside.iter().filter(|draft| draft.text == *text).count();
        let stopped = said(TranscriptKind::Unanswered);
        assert!(logged + live + stopped + aside > 0, "{text} is nowhere: {taken:?}");
    }
    let again = Store::open(directory).unwrap();
    assert!(again.interrupted.is_none(), "a turn is handed back once: {taken:?}");
    assert_eq!(again.drafts.waiting, drafts.waiting, "{taken:?}");
}

fn copy_all(from: &Path, to: &Path) {
    for item in fs::read_dir(from).unwrap() {
        let path: PathBuf = item.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy_all(&path, &target);
        } else if !path.ends_with("lock") {
            fs::copy(&path, target).unwrap();
        }
    }
}

/// Takes steps as long as there are any, and looks behind each.
fn walk(mut choose: impl FnMut(&Client) -> Option<Step>) {
    let mut client = Client::start();
    let mut taken = Vec::new();
    while let Some(step) = choose(&client) {
        let pending = fs::read(client.home.path().join("pending.json")).ok();
        client.take(step);
        taken.push(step);
        client.check(pending, &taken);
    }
}

fn go(steps: &[Step]) {
    let mut steps = steps.iter().copied();
    walk(|_| steps.next());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn entered_words_are_found_once_after_a_kill_behind_any_write(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..16)
    ) {
        let mut choices = choices.iter();
        walk(|client| {
            let possible: Vec<Step> = STEPS.into_iter().filter(|step| client.can(*step)).collect();
            Some(*choices.next()?.get(&possible))
        });
    }
}

#[test]
fn words_that_were_handed_back_and_are_sent_again_do_not_wait_beside() {
    use Step::{Begin, Enter, Keep, Kill};
    go(&[Enter, Begin, Kill, Enter, Begin, Kill, Keep, Enter, Begin, Kill]);
}

#[test]
fn what_has_begun_does_not_wait_whether_it_ended_well_or_not() {
    use Step::{Begin, Enter, Finish, Kill, Log, Stop, TakeBack, Work};
    go(&[Enter, Enter, Begin, Work, Log, Finish, Kill, Begin, Stop, Kill]);
    go(&[Enter, Enter, TakeBack, Enter, Begin, Log, Kill, Begin, Kill]);
}

#[test]
fn an_answer_counts_though_the_turn_before_it_was_stopped_and_had_its_number() {
    use Step::{Begin, Enter, Kill, Log, Stop};
    go(&[Enter, Enter, Begin, Stop, Begin, Log, Kill]);
    go(&[Enter, Begin, Kill, Enter, Begin, Log, Kill]);
}

#[test]
fn a_message_too_long_for_its_log_does_not_wait_once_it_is_answered() {
    let home = tempdir().unwrap();
    let mut session = Session::open(home.path());
    let long = "long ".repeat(MOST_LOGGED / 5 + 1);
    let waiting = vec![Draft { id: Some(NUMBER), ..long.as_str().into() }];
    session.store.draft_file().keep(&Drafts { waiting, ..Drafts::default() }).unwrap();
    session.store.take_up(Some(NUMBER));
    session.turn(&long, "a reply", &[]);
    drop(session);
    assert!(Session::open(home.path()).drafts.waiting.is_empty());
}
