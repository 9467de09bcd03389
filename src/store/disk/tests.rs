//! What is safe from a loss of power, on the store itself, and that each sync is needed for it.

mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;
use std::sync::Arc;

use super::Durability;
use super::power_cut::{Site, Watch, is_to_be_expected, watch_without};
use crate::bill::{Bill, Paid, Purpose};
use crate::memory::tests::Words;
use crate::memory::{
    Change, EffortId, Exchange, Frame, Memory, Restored, RestoredEffort, Rules, Turn,
};
use crate::store::{Archive, Draft, Drafts, Opened, PaidRequest, Step, Store};
use texts::{a_text_of_many_megabytes, a_text_that_is_held_by_reference};

/// A watched directory for a session.
struct Scene {
    _home: tempfile::TempDir,
    watch: Arc<Watch>,
    session: PathBuf,
}

/// What a cut would leave, opened.
struct Left {
    opened: Opened,
    restored: Restored,
    what: &'static str,
    dir: PathBuf,
}

impl Scene {
    /// Without a sync, if one is named.
    fn new(without: Option<Site>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (watch, session) = (watch_without(home.path(), without), home.path().join("session"));
        Self { _home: home, watch, session }
    }

    /// Opens what each cut at this moment would leave; nothing in it may be broken but what a cut may
    /// break: each scene says what is there all the same.
    fn each_left(&self, mut look: impl FnMut(Left)) {
        for cut in self.watch.cut() {
            let home = tempfile::tempdir().unwrap();
            cut.write(home.path());
            let dir = home.path().join("session");
            let mut opened = Store::open(&dir).unwrap();
            let loaded = opened.store.load(10).unwrap();
            let problems = opened.problems.iter().chain(&loaded.problems);
            for problem in problems.filter(|problem| !is_to_be_expected(problem)) {
                let fault = ["broken", "shorter"].iter().find(|fault| problem.0.contains(**fault));
                assert_eq!(fault, None, "{}: {problem}", cut.what);
            }
            look(Left { opened, restored: loaded.restored, what: cut.what, dir });
        }
    }

    /// A store killed behind a write of its first turn, and what that left on the disk itself.
    fn kill(&self, answered: bool) {
        let mut store = Store::open(&self.session).unwrap().store;
        let waiting = vec![Draft { id: Some(7), ..Draft::from("where is it?") }];
        store.draft_file().keep(&Drafts { waiting, ..Drafts::default() }).unwrap();
        store.set_durability(Durability::Process);
        store.take_up(Some(7));
        store.begin_turn(Turn(1), "where is it?", None).unwrap();
        if answered {
            store.log_exchange(Turn(1), None, &said("where is it?")).unwrap();
        }
    }
}

impl Left {
    fn said(&self, text: &str) -> usize {
        self.opened.transcript.iter().filter(|entry| &*entry.text == text).count()
    }

    fn interrupted(&self) -> Option<&str> {
        self.opened.interrupted.as_ref().map(|it| &*it.user)
    }
}

fn said(user: &str) -> Exchange {
    Exchange { user: user.into(), assistant: "here".into() }
}

/// A session as the program drives it.
struct Chat {
    store: Store,
    memory: Memory,
}

impl Chat {
    fn open(scene: &Scene) -> Self {
        let mut store = Store::open(&scene.session).unwrap().store;
        let restored = store.load(10).unwrap().restored;
        let frame = Frame { system_prompt: "system".into(), tools: "tools".into() };
        let memory = Memory::restore(Rules::default(), frame, Arc::new(Words), restored);
        Self { store, memory }
    }

    fn begin(&mut self, user: &str) {
        let turn = self.memory.begin_turn();
        self.store.begin_turn(turn, user, self.memory.log_of_turn()).unwrap();
    }

    fn open_effort(&mut self, name: &str) {
        let change = self.memory.open(name).unwrap();
        self.record(change);
    }

    fn conclude(&mut self, id: &str) {
        let source = self.memory.close_source(Some(id), None).unwrap();
        let change = self.memory.conclude(&source, "Tight.").unwrap();
        self.record(change);
    }

    fn expand(&mut self, id: &str) {
        let raw = self.store.read_log(&EffortId::stored(id)).unwrap();
        let change = self.memory.expand(id, raw).unwrap();
        self.record(change);
    }

    fn collapse(&mut self, id: &str) {
        let change = self.memory.collapse(id).unwrap();
        self.record(change);
    }

    fn record(&mut self, change: Change) {
        self.store.prepare(std::slice::from_ref(&change));
        self.store.record(&[change], &self.memory, Step::Done).unwrap();
    }

    fn log(&mut self, user: &str) {
        let log = self.memory.log_of_turn().cloned();
        let turn = self.memory.current_turn();
        self.store.log_exchange(turn, log.as_ref(), &said(user)).unwrap();
    }

    fn pay(&mut self) {
        let request = PaidRequest {
            at: String::new(),
            turn: Turn(1),
            purpose: Purpose::Chat,
            model: String::new(),
            paid: Paid::default(),
            is_cut: false,
        };
        self.store.keep_paid(&[request]).unwrap();
    }

    fn end(&mut self, user: &str) {
        self.log(user);
        self.count(user);
    }

    fn count(&mut self, user: &str) {
        let ended = self.memory.end_turn(&said(user));
        self.store.finish_turn(&ended, &self.memory).unwrap();
    }
}

fn a_new_session(scene: &Scene) {
    drop(Store::open(&scene.session).unwrap());
    scene.each_left(|left| assert_eq!(left.opened.turn, Turn(0), "{}", left.what));
}

fn a_draft_that_was_kept(scene: &Scene) {
    let opened = Store::open(&scene.session).unwrap();
    let drafts = Drafts {
        line: Draft::from("half a"),
        waiting: vec![Draft::from("waits")],
        ..Drafts::default()
    };
    opened.store.draft_file().keep(&drafts).unwrap();
    scene.each_left(|left| assert_eq!(left.opened.drafts, drafts, "{}", left.what));
}

fn the_words_of_a_turn_that_began(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("where is it?");
    scene.each_left(|left| assert_eq!(left.interrupted(), Some("where is it?"), "{}", left.what));
}

fn the_words_of_a_turn_that_stopped(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("where is it?");
    chat.store.abandon_turn(Turn(1), "where is it?", "well", "cancelled").unwrap();
    scene.each_left(|left| assert_eq!(left.said("where is it?"), 1, "{}", left.what));
}

fn an_exchange_that_was_logged(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("hello");
    chat.end("hello");
    chat.begin("where is it?");
    chat.log("where is it?");
    scene.each_left(|left| {
        let found = (left.opened.turn, left.interrupted(), left.said("where is it?"));
        assert_eq!(found, (Turn(2), None, 1), "{}", left.what);
    });
}

fn an_exchange_that_was_logged_elsewhere_than_expected(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("hello");
    chat.open_effort("pumps");
    chat.log("hello");
    scene.each_left(|left| {
        assert_eq!((left.opened.turn, left.interrupted()), (Turn(1), None), "{}", left.what);
        let log = fs::read_to_string(left.dir.join("efforts/pumps.jsonl")).unwrap();
        assert_eq!(log.matches("hello").count(), 1, "{}", left.what);
    });
}

fn words_that_were_logged_without_their_reply(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("where is it?");
    chat.log("where is it?");
    drop(chat);
    let [log, record] = ["raw.jsonl", "pending.json"].map(|name| scene.session.join(name));
    for path in [&log, &record] {
        let whole = fs::read_to_string(path).unwrap();
        fs::write(path, whole.split_inclusive('\n').next().unwrap()).unwrap();
    }
    scene.watch.keep_all();
    assert!(Store::open(&scene.session).unwrap().interrupted.is_some());
    scene.each_left(|left| {
        assert_eq!(fs::read_to_string(left.dir.join("raw.jsonl")).unwrap(), "", "{}", left.what);
        assert_eq!(left.said("where is it?"), 1, "{}", left.what);
    });
}

fn the_states_after_some_turns(scene: &Scene) {
    let mut chat = Chat::open(scene);
    for name in ["valves", "pumps"] {
        chat.begin(name);
        chat.open_effort(name);
        chat.end(name);
    }
    chat.begin("they are tight");
    chat.conclude("pumps");
    chat.end("they are tight");
    chat.begin("let me see");
    chat.expand("pumps");
    chat.end("let me see");
    chat.begin("enough");
    chat.collapse("pumps");
    chat.end("enough");
    let metrics = *chat.memory.metrics();
    assert_eq!(metrics.manual_collapses, 1);
    let active = chat.memory.active().map(|effort| effort.id.clone());
    let of = |efforts: &[RestoredEffort]| -> Vec<_> {
        efforts.iter().map(|it| (it.id.clone(), it.last_referenced, it.cause.clone())).collect()
    };
    let known = of(&chat.store.load(10).unwrap().restored.efforts);
    scene.each_left(|left| {
        assert_eq!((left.opened.turn, left.restored.metrics), (Turn(5), metrics), "{}", left.what);
        assert_eq!(left.restored.active, active, "{}", left.what);
        assert_eq!(of(&left.restored.efforts), known, "{}", left.what);
    });
}

fn what_another_program_keeps_in_the_states(scene: &Scene) {
    drop(Store::open(&scene.session).unwrap());
    let states = ["session_state.json", "memory_state.json"].map(|name| scene.session.join(name));
    for path in &states {
        fs::write(path, "{\"turn_count\":4,\"theirs\":[1,2]}").unwrap();
    }
    scene.watch.keep_all();
    let mut chat = Chat::open(scene);
    for text in ["hello", "and now?"] {
        chat.begin(text);
        chat.end(text);
    }
    scene.each_left(|left| {
        for path in &states {
            let state = fs::read_to_string(left.dir.join(path.file_name().unwrap())).unwrap();
            assert!(state.contains("\"theirs\":[1,2]"), "{}: {state}", left.what);
        }
    });
}

fn a_turn_that_counted(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("hello");
    chat.open_effort("pumps");
    chat.end("hello");
    scene.each_left(|left| {
        let found = (left.opened.turn, left.restored.efforts.len(), left.said("hello"));
        assert_eq!(found, (Turn(1), 1, 1), "{}", left.what);
    });
    chat.begin("and now?");
    scene.each_left(|left| {
        let said = (left.said("hello"), left.said("here"), left.interrupted());
        assert_eq!(said, (1, 1, Some("and now?")), "{}", left.what);
    });
}

fn a_turn_that_the_next_one_completes(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.begin("hello");
    chat.end("hello");
    chat.begin("where is it?");
    chat.log("where is it?");
    chat.store.begin_turn(Turn(3), "and now?", None).unwrap();
    scene.each_left(|left| {
        assert_eq!((left.opened.turn, left.interrupted()), (Turn(2), Some("and now?")));
    });
}

fn the_words_of_a_turn_that_was_killed(scene: &Scene) {
    scene.kill(false);
    let opened = Store::open(&scene.session).unwrap();
    assert!(opened.interrupted.is_some());
    scene.each_left(|left| assert_eq!(left.said("where is it?"), 1, "{}", left.what));
}

fn a_turn_that_opening_completes(scene: &Scene) {
    scene.kill(true);
    assert_eq!(Store::open(&scene.session).unwrap().turn, Turn(1));
    scene.each_left(|left| {
        let found = (left.opened.turn, left.said("where is it?"), left.said("here"));
        assert_eq!(found, (Turn(1), 1, 1), "{}", left.what);
        assert_eq!(left.opened.drafts.waiting, [], "{}", left.what);
    });
}

fn a_command_that_is_done(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.open_effort("pumps");
    scene.each_left(|left| assert_eq!(left.restored.efforts.len(), 1, "{}", left.what));
}

fn a_session_that_was_closed(scene: &Scene) {
    let mut chat = Chat::open(scene);
    chat.open_effort("pumps");
    chat.store.note_moment(&chat.memory).unwrap();
    chat.store.close().unwrap();
    scene.each_left(|left| assert_eq!(left.restored.efforts.len(), 1, "{}", left.what));
}

fn a_manifest_that_was_rebuilt(scene: &Scene) {
    a_session_that_was_closed(scene);
    fs::remove_file(scene.session.join("manifest.yaml")).unwrap();
    scene.watch.keep_all();
    Store::open(&scene.session).unwrap().store.load(10).unwrap();
    scene.each_left(|left| assert_eq!(left.restored.efforts.len(), 1, "{}", left.what));
}

fn a_torn_line_that_was_set_aside(scene: &Scene) {
    a_session_that_was_closed(scene);
    let journal = scene.session.join("journal.jsonl");
    let torn = fs::read_to_string(&journal).unwrap() + "{\"seq\":9,\"torn";
    fs::write(&journal, &torn).unwrap();
    scene.watch.keep_all();
    let mut chat = Chat::open(scene);
    chat.open_effort("valves");
    scene.each_left(|left| {
        let aside = fs::read_to_string(left.dir.join("journal.jsonl.torn-1"));
        assert_eq!(aside.unwrap(), "{\"seq\":9,\"torn", "{}", left.what);
    });
}

fn an_import_that_is_there(scene: &Scene) {
    let other = Scene::new(None);
    a_command_that_is_done(&other);
    Archive::of(&other.session).unwrap().unpack(&scene.session).unwrap();
    scene.each_left(|_| {});
}

/// Makes a test of each scene, and a list of all.
macro_rules! scenes {
    ($($scene:ident)*) => {
        const SCENES: &[fn(&Scene)] = &[$($scene),*];

        mod is_safe {
            $(
                #[test]
                fn $scene() {
                    super::$scene(&super::Scene::new(None));
                }
            )*
        }
    };
}

scenes! {
    a_new_session
    a_draft_that_was_kept
    the_words_of_a_turn_that_began
    the_words_of_a_turn_that_stopped
    an_exchange_that_was_logged
    an_exchange_that_was_logged_elsewhere_than_expected
    words_that_were_logged_without_their_reply
    the_states_after_some_turns
    what_another_program_keeps_in_the_states
    a_turn_that_counted
    a_turn_that_the_next_one_completes
    the_words_of_a_turn_that_was_killed
    a_turn_that_opening_completes
    a_command_that_is_done
    a_session_that_was_closed
    a_manifest_that_was_rebuilt
    a_torn_line_that_was_set_aside
    a_text_that_is_held_by_reference
    a_text_of_many_megabytes
    an_import_that_is_there
}

#[test]
fn a_turn_asks_the_disk_for_its_words_its_exchange_and_its_line_in_the_journal() {
    let scene = Scene::new(None);
    let mut chat = Chat::open(&scene);
    for text in ["hello", "and now?", "once more"] {
        let before = scene.watch.syncs();
        chat.begin(text);
        let begun = scene.watch.syncs();
        // What it costs is kept beside it, and asks for nothing.
        chat.pay();
        chat.log(text);
        let logged = scene.watch.syncs();
        chat.count(text);
        chat.store.keep_bill(Turn(1), &Bill::default(), None).unwrap();
        let asked = [begun - before, logged - begun, scene.watch.syncs() - logged];
        // The first turn asks for the names of the files as well.
        assert_eq!(asked, if text == "hello" { [2, 2, 2] } else { [1, 1, 1] }, "{text}");
    }
}

#[test]
fn without_any_one_sync_some_scene_fails() {
    let mut asked: BTreeMap<Site, Vec<fn(&Scene)>> = BTreeMap::new();
    for &play in SCENES {
        let scene = Scene::new(None);
        play(&scene);
        for site in scene.watch.sites() {
            asked.entry(site).or_default().push(play);
        }
    }
    let fails =
        |site: Site, play: fn(&Scene)| catch_unwind(move || play(&Scene::new(Some(site)))).is_err();
    let needless: Vec<Site> = asked
        .into_iter()
        .filter(|(site, scenes)| !scenes.iter().any(|&play| fails(*site, play)))
        .map(|(site, _)| site)
        .collect();
    assert_eq!(needless, []);
}

#[test]
fn a_directory_that_was_left_behind_is_not_taken_again() {
    let (one, two) = (
        super::temporary::fresh_dir("test").unwrap(),
        super::temporary::fresh_dir("test").unwrap(),
    );
    assert!(one != two && one.is_dir() && two.is_dir());
    for dir in [one, two] {
        std::fs::remove_dir(dir).unwrap();
    }
}

#[test]
fn a_file_without_a_name_is_nowhere_to_be_found() {
    use std::io::{Read as _, Seek as _, Write as _};

    let mut file = super::temporary::unnamed_file("unnamed-test").unwrap();
    let names =
        std::fs::read_dir(std::env::temp_dir()).unwrap().flatten().map(|one| one.file_name());
    let own = format!("ebbtide-unnamed-test-{}", std::process::id());
    assert_eq!(names.filter(|name| name.to_string_lossy().starts_with(&own)).count(), 0);
    file.write_all(b"there").unwrap();
    file.rewind().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "there");
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(&file.metadata().unwrap());
        assert_eq!(mode & 0o077, 0);
    }
}
