//! Threads: what makes them, and how they leave and return.

use super::*;

fn together(soft_limit: usize, hard_limit: usize, batch_size: usize) -> NoteLimits {
    NoteLimits { threads: true, soft_limit, hard_limit, batch_size, ..NoteLimits::default() }
}

fn add(memory: &mut Memory, content: &str, note_tags: &[&str]) {
    memory.remember(content, &tags(note_tags), Salience::default()).unwrap();
}

/// The thread of each note of the session that shares one.
fn named(memory: &Memory) -> Vec<(u64, String)> {
    let views = memory.view().notes.session;
    let mut named: Vec<(u64, String)> =
        views.into_iter().filter_map(|view| Some((view.note.id.0, view.thread?))).collect();
    named.sort();
    named
}

fn pairs(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
    expected.iter().map(|&(id, name)| (id, name.to_owned())).collect()
}

#[test]
fn an_effort_comes_first_then_a_tag_then_telling_words() {
    let mut memory = with(together(35, 50, 10));
    add(&mut memory, "backups run at night", &["ops", "insight"]);
    add(&mut memory, "the refresh token expires hourly", &[]);
    add(&mut memory, "disk is nearly full", &["ops"]);
    add(&mut memory, "tea is at four", &["insight"]);
    assert_eq!(named(&memory), pairs(&[(1, "#ops"), (3, "#ops")]), "insight tells no topic");
    add(&mut memory, "a refresh of each token costs a second", &[]);
    assert_eq!(
        named(&memory),
        pairs(&[(1, "#ops"), (2, "n2"), (3, "#ops"), (5, "n2")]),
        "two telling words"
    );
    memory.open("auth-bug").unwrap();
    add(&mut memory, "refresh token rotation broke the login", &[]);
    add(&mut memory, "the cookie is too long", &["ops"]);
    let joined = [1, 2, 3, 5, 6, 7].map(|id| (id, "auth-bug"));
    assert_eq!(named(&memory), pairs(&joined), "by a word or a tag with a note of the effort");
    assert_eq!(
        memory.note_thread(NoteId(5)).map(|(name, notes)| (name, notes.len())),
        Some(("auth-bug".to_owned(), 6))
    );
    assert_eq!(memory.note_thread(NoteId(4)), None);
    let mut alone = memory;
    alone.set_note_limits(NoteLimits::default()).unwrap();
    assert_eq!(named(&alone), [], "not by default");
}

#[test]
fn words_that_many_notes_hold_join_nothing() {
    let mut memory = with(together(35, 50, 10));
    for nth in 0..4 {
        add(&mut memory, &format!("the weekly report of team{nth}"), &[]);
    }
    assert_eq!(named(&memory), []);
}

/// Three free notes, four of a thread, two free ones, and a thread in use.
fn mixed(limits: NoteLimits) -> Memory {
    let mut memory = with(limits);
    for note_tags in [&[][..], &["a"], &["a"], &[], &["a"], &["a"], &[], &["b"], &["b"]] {
        add(&mut memory, "a fact", note_tags);
        say(&mut memory, "hm");
    }
    memory
}

#[test]
fn a_thread_leaves_whole_even_if_that_is_more_than_a_batch() {
    let mut memory = mixed(together(9, 20, 3));
    // Each thread stands where its last note stands: n1, n4, #a, n7, and last #b.
    let check = memory.check_notes();
    assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), [1, 4, 2, 3, 5]);
    let causes: Vec<&str> = check.changes.iter().map(|change| &*change.cause).collect();
    assert_eq!(causes[0], "oldest, 9 notes at the soft limit of 9");
    assert_eq!(causes[2], "oldest thread #a, 9 notes at the soft limit of 9");
    assert_eq!(session(&memory), [6, 7, 8, 9], "half of the soft limit stays");

    let mut memory = mixed(together(8, 20, 3));
    let check = memory.check_notes();
    assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), [1, 4, 2, 3, 5]);
    let mut memory = mixed(together(7, 20, 3));
    let check = memory.check_notes();
    assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), [1, 4, 2, 3, 5, 6]);
    assert_eq!(session(&memory), [7, 8, 9], "the whole of #a");
}

#[test]
fn what_is_pinned_or_protected_stays_when_its_thread_leaves() {
    let mut memory = mixed(together(7, 20, 3));
    memory.pin_note(NoteId(2), true).unwrap();
    memory.tag_note(NoteId(5), "decision").unwrap();
    let check = memory.check_notes();
    assert!(check.changes.len() >= 2);
    let left = session(&memory);
    assert!(left.contains(&2) && left.contains(&5), "{left:?}");
}

#[test]
fn the_thread_in_use_leaves_last() {
    let mut memory = mixed(together(9, 20, 3));
    say(&mut memory, "what of n3");
    let first = |memory: &Memory| memory.view().notes.session[0].note.id.0;
    let last = |memory: &Memory| memory.view().notes.session[8].note.id.0;
    assert_eq!((first(&memory), last(&memory)), (1, 6), "#a was used last");
    say(&mut memory, "what of n8");
    assert_eq!(last(&memory), 9);
    // What is worked on goes before what was mentioned.
    memory.open("auth-bug").unwrap();
    add(&mut memory, "an old fact", &[]);
    add(&mut memory, "another old fact", &[]);
    say(&mut memory, "what of n8 and n9");
    let views = memory.view().notes.session;
    let names: Vec<Option<&str>> = views.iter().map(|view| view.thread.as_deref()).collect();
    assert_eq!(names[9..], [Some("auth-bug"); 2]);
}

#[test]
fn the_cause_names_the_thread_in_use_where_a_note_leaves_only_because_that_one_stays() {
    let limits = NoteLimits { order: NoteOrder::Importance, ..together(5, 20, 3) };
    let mut memory = with(limits);
    for (content, tag, stars) in [("tea", "a", 1), ("cake", "b", 3), ("pie", "b", 3)] {
        memory.remember(content, &tags(&[tag]), Salience::new(stars).unwrap()).unwrap();
    }
    memory.open("auth-bug").unwrap();
    for content in ["the cookie is too long", "rotation broke the login"] {
        memory.remember(content, &[], Salience::new(1).unwrap()).unwrap();
    }
    let mut other = reloaded(&memory);
    let check = memory.check_notes();
    let causes: Vec<&str> = check.changes.iter().map(|change| &*change.cause).collect();
    let at = "5 notes at the soft limit of 5";
    let spared = "but for auth-bug, which is in use";
    let thread = format!("least important thread #b {spared}, {at}");
    assert_eq!(causes, [format!("least important, {at}"), thread.clone(), thread]);
    // Where the order alone decides, there is nothing to add.
    other.set_note_limits(NoteLimits { order: NoteOrder::Oldest, ..together(5, 20, 3) }).unwrap();
    let check = other.check_notes();
    let causes: Vec<&str> = check.changes.iter().map(|change| &*change.cause).collect();
    let thread = format!("oldest thread #b, {at}");
    assert_eq!(causes, [format!("oldest, {at}"), thread.clone(), thread]);
}

#[test]
fn the_hard_limit_removes_a_batch_and_no_more() {
    let mut memory = mixed(together(5, 9, 3));
    let check = memory.check_notes();
    assert_eq!(touched(&check.changes, ChangeKind::NoteRemoved), [1, 4, 2]);
    assert!(memory.note_stats().current < 9);
    for change in check.changes.iter().rev() {
        memory.undo_note(change.note.as_deref().unwrap());
    }
    assert_eq!(session(&memory), (1..=9).collect::<Vec<u64>>());
}

#[test]
fn a_note_returns_with_its_thread_as_far_as_the_limits_let_it_stay() {
    let mut memory = mixed(together(7, 20, 3));
    memory.check_notes();
    assert_eq!(session(&memory), [7, 8, 9]);
    let changes = memory.return_note(NoteId(3), "found by search").unwrap();
    assert_eq!(touched(&changes, ChangeKind::NoteRestored), [3, 6, 5], "six fit, used last first");
    let causes: Vec<&str> = changes.iter().map(|change| &*change.cause).collect();
    assert_eq!(causes, ["found by search", "with n3 of its thread", "with n3 of its thread"]);
    assert_eq!(session(&memory), [3, 5, 6, 7, 8, 9]);
    assert_eq!(memory.check_notes().changes, []);
    let finds = |id| memory.note(NoteId(id)).unwrap().usage.finds;
    assert_eq!([finds(3), finds(5)], [1, 0], "only one was asked for");
    for change in changes.iter().rev() {
        memory.undo_note(change.note.as_deref().unwrap());
    }
    assert_eq!(session(&memory), [7, 8, 9]);
    assert_eq!(memory.return_note(NoteId(5), "again").unwrap().len(), 3, "still one thread");
}

#[test]
fn the_notes_of_an_effort_return_together_however_they_left() {
    let mut memory = with(together(35, 50, 10));
    memory.open("auth-bug").unwrap();
    for content in ["one fact", "two facts", "three facts"] {
        add(&mut memory, content, &[]);
    }
    memory.archive_note(NoteId(1)).unwrap();
    memory.archive_notes_of(&EffortId::stored("auth-bug"));
    let mut again = reloaded(&memory);
    again.set_note_limits(together(35, 50, 10)).unwrap();
    assert_eq!(again.return_note(NoteId(2), "back on request").unwrap().len(), 3);
    let mut alone = reloaded(&memory);
    assert_eq!(alone.return_note(NoteId(2), "back on request").unwrap().len(), 1, "if not set");
}
