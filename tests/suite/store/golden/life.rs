//! A session that lives through everything that the journal tells of.

use std::fs;
use std::path::Path;

use ebbtide::memory::{
    BudgetMode, Change, EffortId, Exchange, Layer, Layers, Note, NoteId, NoteLimits, REDONE, Rules,
    Salience, Tokens, UNDONE,
};
use ebbtide::store::{ChangeSet, Label, SentRequest, Step};

use crate::support::session::{Command, Session, Words, answered, said, turn};

/// Lives it all, from a directory of another program to a kill in the middle of a turn.
pub(super) fn live(dir: &Path) {
    another_program(dir);
    let mut session = open(dir);
    efforts(&mut session);
    notes(&mut session);
    steered(&mut session);
    drop(session);
    let mut session = open(dir);
    compressed(&mut session);
    crowded(&mut session);
    undone_and_redone(&mut session);
    stopped(&mut session);
    drop(session);
    killed(dir);
    let mut session = open(dir);
    session.turn("we are done", "farewell", &[]);
    drop(session);
}

/// Opens a session as the program does.
pub(super) fn open(dir: &Path) -> Session {
    let mut session = Session::open(dir);
    session.memory.set_scratchpad(session.store.scratchpad().items().to_vec());
    session.store.note_opening(&session.memory).unwrap();
    session
}

fn another_program(dir: &Path) {
    fs::create_dir(dir.join("efforts")).unwrap();
    let manifest = "project: tidal\nefforts:\n  - id: old-trip\n    status: concluded\n    summary: Sailed to \
                    Elba in May.\n    raw_file: efforts/old-trip.jsonl\n    owner: Ann\n";
    fs::write(dir.join("manifest.yaml"), manifest).unwrap();
    let log = said("where shall we sail?") + &answered("To Elba, in May.");
    fs::write(dir.join("efforts/old-trip.jsonl"), log).unwrap();
    fs::write(dir.join("raw.jsonl"), said("good morning") + &answered("Good morning!")).unwrap();
    let state = r#"{"turn_count": 4, "updated": "2025-12-01T10:00:00Z", "mood": [1]}"#;
    fs::write(dir.join("session_state.json"), state).unwrap();
    let state = r#"{"expanded": [], "summary_last_referenced_turn": {"old-trip": 3}}"#;
    fs::write(dir.join("memory_state.json"), state).unwrap();
}

fn record(session: &mut Session, changes: &[Change]) {
    session.record(changes, Step::Done);
}

fn efforts(session: &mut Session) {
    session.turn("hi", "hello", &[]);
    let sizes = [(EffortId::stored("old-trip"), 2, Tokens(8))];
    session.store.record_log_sizes(&sizes).unwrap();
    session.turn("the auth bug", "let us look", &[Command::Open("auth-bug")]);
    session.turn("the token expires after an hour", "then refresh it \"early\"", &[]);
    session.turn("the guild", "which one?", &[Command::Open("guild")]);
    session.run(&Command::Switch("auth-bug"), None);
    session.store.take_up(Some(1_795_309_464_424_548));
    session.turn("it works\tnow", "closed \u{1b}[1m", &[]);
    let source = session.memory.close_source(None, None).unwrap();
    let specifics = ["401".to_owned(), "axios.ts:12".to_owned()];
    session.memory.set_specifics(&EffortId::stored("auth-bug"), &specifics);
    let change = session.memory.conclude(&source, "Tokens expired; an interceptor refreshes.");
    record(session, &[change.unwrap()]);
    session.store.take_up(None);
}

fn notes(session: &mut Session) {
    let (one, two, three) = (NoteId(1), NoteId(2), NoteId(3));
    let weight = |stars| Salience::new(stars).unwrap();
    let limits = NoteLimits { threads: true, ..NoteLimits::default() };
    session.memory.set_note_limits(limits).unwrap();
    let tags = ["taste".to_owned()];
    let memory = &mut session.memory;
    let mut changes = vec![
        memory.remember("The user drinks green tea", &tags, weight(3)).unwrap(),
        memory.remember("The guild meets on Mondays", &[], weight(1)).unwrap(),
        memory.remember("Nobody likes this one", &[], weight(2)).unwrap(),
    ];
    record(session, &std::mem::take(&mut changes));
    let memory = &mut session.memory;
    changes.push(memory.edit_note(one, "The user drinks black tea").unwrap());
    changes.push(memory.weigh_note(two, weight(2)).unwrap());
    changes.push(memory.tag_note(two, "guild").unwrap());
    changes.push(memory.pin_note(one, true).unwrap());
    changes.push(memory.pin_note(one, false).unwrap());
    changes.push(memory.archive_note(two).unwrap());
    changes.extend(memory.return_note(two, "found by a search").unwrap());
    changes.push(memory.delete_note(three).unwrap());
    for change in changes {
        record(session, &[change]);
    }
    session.turn("black tea or coffee", "tea for the guild on Mondays", &[]);
    assert!(session.memory.use_note(one));
    let used: Vec<NoteId> = session.memory.take_used_notes();
    session.store.record_note_uses(&used, &session.memory).unwrap();
    assert_eq!(session.memory.note(one).map(|note: &Note| note.pinned), Some(false));
}

fn steered(session: &mut Session) {
    session.run(&Command::Expand("auth-bug"), None);
    let change = session.memory.collapse("auth-bug").unwrap();
    record(session, &[change]);
    session.run(&Command::Expand("auth-bug"), None);
    for nth in 0..4 {
        session.turn(&format!("filler {nth}"), "ok", &[]);
    }
    let change = session.memory.keep("auth-bug").unwrap();
    record(session, &[change]);
    let change = session.memory.pin("auth-bug").unwrap();
    record(session, &[change]);
    let change = session.memory.unpin("auth-bug").unwrap();
    record(session, &[change]);
    let change = session.memory.edit_summary("auth-bug", "Tokens expired: fixed.", "by hand");
    record(session, &[change.unwrap()]);
    let changes = session.memory.evict_now("auth-bug").unwrap();
    record(session, &changes);
    let change = session.memory.keep("auth-bug").unwrap();
    record(session, &[change]);
    let usage = Some([120, 9, 100]);
    let mut layers = Layers::default();
    layers.add(Layer::System, Tokens(3));
    layers.add(Layer::Open, Tokens(20));
    let request = SentRequest { layers, least: Tokens(11), usage, in_all: Some((2, Tokens(50))) };
    session.store.note_request(request);
    session.turn("once more the interceptor", "refreshes tokens", &[Command::Reopen("auth-bug")]);
}

fn compressed(session: &mut Session) {
    for nth in 0..4 {
        let words = "many careful words about tokens ".repeat(4);
        session.turn(&format!("part {nth}: {words}"), &format!("noted {nth}"), &[]);
    }
    let source = session.memory.compression_source(None).unwrap();
    let store = &mut session.store;
    let archived = source
        .archive(|text| {
            let pad = store.scratchpad_mut();
            let label = Label { key: "archive-auth-bug-1", description: "auth-bug", what: "log" };
            let item = pad.save(label, text.as_bytes(), &Words);
            item.map(|item| item.key.to_string())
        })
        .unwrap();
    let block = archived.block("Parts were discussed.", &Words).unwrap();
    let change = session.memory.compress(block).unwrap();
    record(session, &[change]);
    let text = "a line of a long log\n".repeat(40);
    let pad = session.store.scratchpad_mut();
    let label = Label { key: "server-log", description: "a log", what: "file" };
    let item = pad.save(label, text.as_bytes(), &Words).unwrap();
    let change = session.memory.scratchpad_saved(item);
    record(session, &[change]);
    session.turn("go on", "with what stands there", &[]);
}

/// The window becomes too small for what it holds, and large again.
fn crowded(session: &mut Session) {
    let small = Rules { token_budget: Tokens(260), soft_percent: 60, ..Rules::default() };
    session.memory.set_rules(small).unwrap();
    let words = "and here is a rather long story of the sea that nobody asked for ".repeat(8);
    session.turn(&words, &words, &[]);
    session.turn("one more", "story", &[]);
    session.memory.set_rules(Rules { budget_mode: BudgetMode::Ask, ..small }).unwrap();
    session.turn("and one", "again", &[]);
    let moved = session.memory.let_leave();
    record(session, &moved);
    session.store.note_moment(&session.memory).unwrap();
    let rules = Rules {
        specifics_in_window: Tokens(30),
        slots: Some(9),
        soft_percent: 70,
        ..Rules::default()
    };
    session.memory.set_rules(rules).unwrap();
    session.turn("there is room again", "good", &[]);
}

fn undone_and_redone(session: &mut Session) {
    session.run(&Command::Switch("guild"), None);
    for _ in 0..3 {
        undo(session).unwrap();
    }
    redo(session).unwrap();
    redo(session).unwrap();
    session.turn("that was walking back", "and forth", &[]);
}

/// Takes the last set back that still stands, as the program does.
pub(super) fn undo(session: &mut Session) -> Option<ChangeSet> {
    let mut before = None;
    loop {
        let set = session.store.undoable(before).unwrap()?;
        let undone = take_back(session, &set, UNDONE);
        if !undone.is_empty() {
            let step = Step::Undoes(set.batch);
            session.record(&undone, step);
            return Some(set);
        }
        before = Some(set.batch);
    }
}

/// Repeats what was taken back last.
pub(super) fn redo(session: &mut Session) -> Option<ChangeSet> {
    let set = session.store.redoable().unwrap()?;
    let redone = take_back(session, &set, REDONE);
    let step = Step::Redoes(set.batch);
    session.record(&redone, step);
    Some(set)
}

fn take_back(session: &mut Session, set: &ChangeSet, cause: &str) -> Vec<Change> {
    let mut made = Vec::new();
    for change in &set.changes {
        let needed = session.memory.log_for_undo(change);
        let log = |id: &EffortId| session.store.read_log(id).unwrap();
        let raw = needed.map(log).unwrap_or_default();
        made.extend(session.memory.take_back(change, cause, raw).unwrap_or_default());
    }
    made
}

fn stopped(session: &mut Session) {
    let next = session.memory.begin_turn();
    session.store.begin_turn(next, "too slow", None).unwrap();
    session.store.abandon_turn(next, "too slow", "I was abo", "cancelled").unwrap();
    session.memory.abandon_turn();
    let next = session.memory.begin_turn();
    session.store.begin_turn(next, "is it counted?", None).unwrap();
    let exchange = Exchange { user: "is it counted?".into(), assistant: "with the next".into() };
    session.store.log_exchange(next, None, &exchange).unwrap();
    session.memory.end_turn(&exchange);
    session.turn("so it is", "yes", &[]);
}

/// A kill behind a logged reply, and one while the model thinks.
fn killed(dir: &Path) {
    let mut session = open(dir);
    let next = session.memory.begin_turn();
    session.store.take_up(Some(1_795_309_464_424_600));
    session.store.begin_turn(next, "the last words", None).unwrap();
    let exchange = Exchange { user: "the last words".into(), assistant: "are kept".into() };
    session.store.log_exchange(next, None, &exchange).unwrap();
    drop(session);
    let mut session = open(dir);
    let next = turn(session.memory.turn().0 + 1);
    session.store.begin_turn(next, "nobody answers", None).unwrap();
    drop(session);
}
