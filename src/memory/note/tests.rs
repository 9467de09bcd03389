//! The notes' life cycle: limits, presets, protection, pins, undo and restart.

mod adaptive;
mod order;
mod properties;
mod threads;

use super::super::tests::Words;
use super::super::{Change, ChangeKind, Exchange, Frame, Layer, Memory, Restored, Rules, Tokens};
use super::*;

/// One token for each word: numbers in these tests can be checked by eye.
fn frame() -> Frame {
    Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() }
}

fn memory() -> Memory {
    Memory::new(Rules::default(), frame(), Arc::new(Words))
}

fn with(limits: NoteLimits) -> Memory {
    let mut memory = memory();
    memory.set_note_limits(limits).unwrap();
    memory
}

fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|&tag| tag.to_owned()).collect()
}

fn say(memory: &mut Memory, user: &str) {
    memory.begin_turn();
    memory.end_turn(&Exchange { user: user.into(), assistant: "ok".into() });
}

fn remember(memory: &mut Memory, note_tags: &[&str]) -> NoteId {
    let change = memory.remember("a fact", &tags(note_tags), Salience::default()).unwrap();
    change.note.unwrap().after.id
}

/// Memory with that many notes, a turn apart; the listed ones carry a protected tag.
fn filled(limits: NoteLimits, count: u64, protected: &[u64]) -> Memory {
    let mut memory = with(limits);
    for number in 1..=count {
        let tag = if protected.contains(&number) { "insight" } else { "debugging" };
        remember(&mut memory, &[tag]);
        say(&mut memory, "hm");
    }
    memory
}

fn session(memory: &Memory) -> Vec<u64> {
    memory.notes.session.iter().map(|id| id.0).collect()
}

fn touched(changes: &[Change], kind: ChangeKind) -> Vec<u64> {
    assert!(changes.iter().all(|change| change.kind == kind), "{changes:?}");
    changes.iter().map(|change| change.note.as_ref().unwrap().after.id.0).collect()
}

fn lines(check: &NoteCheck) -> Vec<(LogLevel, &str)> {
    check.lines.iter().map(|line| (line.level, line.text.as_str())).collect()
}

#[test]
fn notes_stand_in_the_window_a_line_each_and_cost_what_their_lines_cost() {
    let mut memory = memory();
    assert_eq!(memory.layers().of(Layer::Notes), Tokens(0));
    let stars = Salience::new(3).unwrap();
    let change = memory
        .remember(" deploys\nare\ton\u{1b} Mondays ", &tags(&["decision", "ops"]), stars)
        .unwrap();
    assert_eq!(change.banner(), "--- Remembered note: n1 ---");
    let around = memory.layers().of(Layer::Lists);
    assert_eq!((change.before, change.after), (Tokens(4), Tokens(4 + 2 + 9) + around));
    memory.remember("tea is at four", &[], Salience::new(1).unwrap()).unwrap();
    let window = memory.window();
    let notes = window.items.iter().filter(|item| item.layer == Layer::Notes);
    let text: String = notes.map(|item| &*item.content).collect();
    assert_eq!(
        text,
        "## Notes\n- [n1 ★★★ decision, ops] deploys are on Mondays\n- [n2 ★] tea is at four\n"
    );
    assert_eq!(window.layers, memory.layers());
}

#[test]
fn each_preset_archives_at_its_soft_and_removes_at_its_hard_limit() {
    for preset in NotePreset::ALL {
        let (soft, hard) = preset.limits();
        for count in [24, 25, 34, 35, 39, 40, 49, 50, 60, 74, 75_usize] {
            // Of the ten oldest, the second and the fifth are protected.
            let mut memory = filled(NoteLimits::preset(preset), count as u64, &[2, 5, 30]);
            let check = memory.check_notes();
            let left = session(&memory);
            let expected = if count >= hard {
                let gone: Vec<u64> = (1..=10).collect();
                assert_eq!(touched(&check.changes, ChangeKind::NoteRemoved), gone);
                count - 10
            } else if count >= soft {
                let archived = [1, 3, 4, 6, 7, 8, 9, 10];
                assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), archived);
                assert!(left.contains(&2) && left.contains(&5));
                count - 8
            } else {
                assert_eq!(check.changes, []);
                count
            };
            assert_eq!(left.len(), expected, "{preset:?} with {count}");
        }
    }
}

#[test]
fn the_log_lines_read_as_in_the_seed() {
    let check = filled(NoteLimits::default(), 28, &[]).check_notes();
    assert_eq!(lines(&check), [(LogLevel::Debug, "Working memory within budget (28/35/50)")]);
    let check = filled(NoteLimits::default(), 37, &[1, 9]).check_notes();
    assert_eq!(
        lines(&check),
        [
            (LogLevel::Info, "Working memory at soft limit (37/35) - archiving oldest 10"),
            (LogLevel::Info, "Archived 8 oldest session-scoped memories (soft limit, tag-aware)"),
        ]
    );
    let check = filled(NoteLimits::default(), 52, &[1, 9]).check_notes();
    assert_eq!(
        lines(&check),
        [
            (LogLevel::Warn, "Working memory at hard limit (52/50) - deleting oldest 10"),
            (LogLevel::Info, "Deleted 10 oldest session-scoped memories (hard limit)"),
        ]
    );
    assert_eq!(check.changes[0].cause, "oldest, 52 notes at the hard limit of 50");
}

#[test]
fn repeated_checks_bring_any_number_of_notes_below_the_soft_limit() {
    let mut memory = filled(NoteLimits::default(), 60, &[]);
    let counts: Vec<usize> = (0..5)
        .map(|_| {
            memory.check_notes();
            memory.note_stats().current
        })
        .collect();
    assert_eq!(counts, [50, 40, 30, 30, 30]);
    assert_eq!(memory.note_stats().permanent, 10);
}

#[test]
fn tags_protect_one_by_one_and_by_their_exact_name() {
    let limits = NoteLimits { soft_limit: 4, hard_limit: 9, ..NoteLimits::default() };
    let mut memory = with(limits.clone());
    for note_tags in [&["Insight"][..], &["todo", "decision"], &["insightful"], &[]] {
        remember(&mut memory, note_tags);
    }
    let check = memory.check_notes();
    assert_eq!(touched(&check.changes, ChangeKind::NoteArchived), [1, 3, 4]);

    let mut blind = with(NoteLimits { tag_aware: false, ..limits.clone() });
    for _ in 0..4 {
        remember(&mut blind, &["insight"]);
    }
    let check = blind.check_notes();
    assert_eq!(check.changes.len(), 4);
    assert_eq!(lines(&check)[1].1, "Archived 4 oldest session-scoped memories (soft limit)");

    let mut own = with(NoteLimits { protected_tags: tags(&["keep"]), ..limits });
    for tag in ["keep", "insight", "keep", "insight"] {
        remember(&mut own, &[tag]);
    }
    assert_eq!(touched(&own.check_notes().changes, ChangeKind::NoteArchived), [2, 4]);
}

#[test]
fn a_batch_of_protected_notes_at_the_front_does_not_keep_later_ones_in() {
    let protected: Vec<u64> = (1..=12).collect();
    let mut memory = filled(NoteLimits::default(), 36, &protected);
    let archived = touched(&memory.check_notes().changes, ChangeKind::NoteArchived);
    assert_eq!(archived, (13..=22).collect::<Vec<u64>>());

    let all: Vec<u64> = (1..=49).collect();
    let mut memory = filled(NoteLimits::default(), 49, &all);
    let check = memory.check_notes();
    assert_eq!(check.changes, []);
    assert!(lines(&check)[1].1.starts_with("Archived 0 oldest"));
    remember(&mut memory, &["insight"]);
    let removed = touched(&memory.check_notes().changes, ChangeKind::NoteRemoved);
    assert_eq!(removed, (1..=10).collect::<Vec<u64>>());
}

#[test]
fn undoing_a_change_of_a_note_does_not_forget_how_often_it_was_used() {
    let mut memory = memory();
    let id = remember(&mut memory, &[]);
    let change = memory.edit_note(id, "another fact").unwrap();
    memory.use_note(id);
    say(&mut memory, "what of n1");
    let usage = memory.note(id).unwrap().usage;
    assert_eq!((usage.mentions, usage.finds, usage.last_found), (1, 1, Some(Turn(0))));
    memory.undo_note(change.note.as_deref().unwrap());
    let note = memory.note(id).unwrap();
    assert_eq!((&*note.content, note.usage), ("a fact", usage));
}

#[test]
fn a_removed_note_is_only_in_its_change_and_undo_brings_it_back() {
    let mut memory = filled(NoteLimits::default(), 50, &[3]);
    let before = memory.note(NoteId(3)).unwrap().clone();
    let check = memory.check_notes();
    assert_eq!(memory.find_note("n3"), Err(Rejected::RemovedNote(NoteId(3))));
    assert!(memory.searchable_notes().all(|note| note.id != NoteId(3)));
    let edit = check.changes[2].note.as_deref().unwrap();
    let undone = memory.undo_note(edit);
    assert_eq!(undone.banner(), "--- Restored note: n3 (undone) ---");
    let now = memory.turn();
    let expected = Note { entered: now, last_used: now, ..before };
    assert_eq!(memory.note(NoteId(3)), Some(&expected), "as it was, and not the next to leave");
    assert_eq!(memory.window().layers, memory.layers());
    let redone = memory.undo_note(undone.note.as_deref().unwrap());
    assert_eq!(redone.kind, ChangeKind::NoteRemoved);
    assert_eq!(memory.note(NoteId(3)), None);
}

#[test]
fn what_a_person_does_with_a_note_can_be_undone() {
    type Command = fn(&mut Memory) -> Result<Change, Rejected>;
    let commands: [(Command, &str); 7] = [
        (|m| m.edit_note(NoteId(1), "other words"), "--- Edited note: n1 (new words) ---"),
        (|m| m.tag_note(NoteId(1), "#b"), "--- Edited note: n1 (tagged b) ---"),
        (|m| m.untag_note(NoteId(1), "a"), "--- Edited note: n1 (no longer tagged a) ---"),
        (|m| m.weigh_note(NoteId(1), Salience(3)), "--- Edited note: n1 (salience ★★★) ---"),
        (|m| m.pin_note(NoteId(1), true), "--- Pinned note: n1 ---"),
        (|m| m.archive_note(NoteId(1)), "--- Archived note: n1 (archived on request) ---"),
        (|m| m.delete_note(NoteId(1)), "--- Removed note: n1 (deleted) ---"),
    ];
    for (command, banner) in commands {
        let mut memory = memory();
        remember(&mut memory, &["a"]);
        let (before, window) = (memory.note(NoteId(1)).cloned(), memory.window());
        let change = command(&mut memory).unwrap();
        assert_eq!(change.banner(), banner);
        assert_ne!(memory.note(NoteId(1)), before.as_ref(), "{banner}");
        memory.undo_note(change.note.as_deref().unwrap());
        assert_eq!((memory.note(NoteId(1)).cloned(), memory.window()), (before, window));
    }
}

#[test]
fn an_archived_note_is_found_and_can_come_back() {
    let mut memory = memory();
    let id = remember(&mut memory, &[]);
    memory.archive_note(id).unwrap();
    assert!(session(&memory).is_empty());
    assert_eq!(memory.layers().of(Layer::Notes), Tokens(0));
    let found: Vec<NoteId> = memory.searchable_notes().map(|note| note.id).collect();
    assert_eq!((found, memory.find_note(" [N1] ")), (vec![id], Ok(id)));
    assert_eq!(memory.view().notes.permanent[0].note.state, NoteState::Permanent);
    say(&mut memory, "hm");
    memory.return_note(id, "back on request").unwrap();
    assert_eq!(memory.note(id).map(|note| note.entered), Some(Turn(1)));
    assert!(memory.return_note(id, "").is_err());
}

#[test]
fn an_efforts_notes_are_archived_together_but_for_the_pinned_ones() {
    let mut memory = memory();
    remember(&mut memory, &[]);
    memory.open("auth-bug").unwrap();
    for tag in ["insight", "todo", "todo"] {
        remember(&mut memory, &[tag]);
    }
    memory.pin_note(NoteId(4), true).unwrap();
    let changes = memory.archive_notes_of(&EffortId::stored("auth-bug"));
    assert_eq!(touched(&changes, ChangeKind::NoteArchived), [2, 3]);
    assert_eq!(changes[0].cause, "with its effort auth-bug");
    assert_eq!(session(&memory), [1, 4]);
}

#[test]
fn under_pressure_free_notes_give_way_first_and_pinned_ones_last() {
    let mut memory = memory();
    for (tag, stars) in [("todo", 2), ("insight", 1), ("todo", 1), ("todo", 1)] {
        memory.remember("a fact", &tags(&[tag]), Salience(stars)).unwrap();
    }
    memory.pin_note(NoteId(3), true).unwrap();
    let order = |pinned: bool| -> Vec<u64> {
        memory.notes_to_give_way(pinned).into_iter().map(|(id, _)| id.0).collect()
    };
    assert_eq!((order(false), order(true)), (vec![4, 1, 2], vec![3]));
}

#[test]
fn the_statistics_tell_current_limits_utilization_and_status() {
    for (count, status, percent) in
        [(28, "healthy", 80.0), (35, "soft_limit", 100.0), (70, "hard_limit", 200.0)]
    {
        let stats = filled(NoteLimits::default(), count, &[]).note_stats();
        assert_eq!(stats.current as u64, count);
        assert_eq!((stats.soft_limit, stats.hard_limit, stats.batch_size), (35, 50, 10));
        assert!(stats.enabled);
        assert_eq!(stats.status().as_str(), status);
        assert!((stats.utilization() - percent).abs() < 1e-9);
    }
}

#[test]
fn without_a_budget_nothing_leaves() {
    let mut memory = filled(NoteLimits { enabled: false, ..NoteLimits::default() }, 60, &[]);
    assert_eq!(memory.check_notes(), NoteCheck::default());
    assert_eq!(memory.note_stats().current, 60);
}

#[test]
fn limits_that_make_no_sense_are_named_and_the_old_ones_stay() {
    let plain = NoteLimits::default;
    for (limits, expected) in [
        (NoteLimits { soft_limit: 0, ..plain() }, "working_memory_soft_limit is 0"),
        (
            NoteLimits { soft_limit: 50, ..plain() },
            "working_memory_soft_limit is 50, which is not below working_memory_hard_limit, 50",
        ),
        (NoteLimits { batch_size: 0, ..plain() }, "working_memory_batch_size is 0"),
        (NoteLimits { protected_tags: tags(&["a b"]), ..plain() }, "protected_tags holds 'a b'"),
        (NoteLimits { protected_tags: tags(&["#a"]), ..plain() }, "protected_tags holds '#a'"),
        (NoteLimits { protected_tags: tags(&[""]), ..plain() }, "protected_tags holds ''"),
    ] {
        let mut memory = with(NoteLimits::preset(NotePreset::Research));
        let error = memory.set_note_limits(limits).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(memory.note_limits(), &NoteLimits::preset(NotePreset::Research));
    }
    let error = NotePreset::from_name("Interactive").unwrap_err().to_string();
    assert!(error.contains("working_memory_preset must be interactive, production or research"));
    let error = NoteOrder::from_name("newest").unwrap_err().to_string();
    assert!(error.contains("working_memory_eviction must be oldest, lru or importance"));
    for preset in NotePreset::ALL {
        assert_eq!(NotePreset::from_name(preset.as_str()), Ok(preset));
        assert_eq!(NoteLimits::preset(preset).check(), Ok(()));
    }
}

#[test]
fn a_bad_note_is_refused_with_a_sentence_and_changes_nothing() {
    let mut memory = memory();
    let id = remember(&mut memory, &["a"]);
    let before = memory.view().notes;
    let many: Vec<String> = (0..9).map(|nth| format!("t{nth}")).collect();
    let plain = Salience::default();
    let long = "x".repeat(601);
    let outcomes = [
        (memory.remember(" \n\u{7} ", &[], plain), "a note needs words"),
        (memory.remember(&long, &[], plain), "601 characters, more than 600"),
        (memory.remember("x", &tags(&["a,b"]), plain), "'a,b' cannot be a tag"),
        (memory.remember("x", &tags(&["a]"]), plain), "cannot be a tag"),
        (memory.remember("x", &tags(&["#"]), plain), "cannot be a tag"),
        (memory.remember("x", &many, plain), "9 tags are more than the 8"),
        (memory.edit_note(id, ""), "a note needs words"),
        (memory.edit_note(id, "a  fact"), "n1 is already worded like that"),
        (memory.tag_note(id, "a"), "n1 is already tagged like that"),
        (memory.untag_note(id, "A"), "note n1 has no tag 'A'; its tags are a"),
        (memory.pin_note(id, false), "n1 is already unpinned"),
        (memory.pin_note(NoteId(2), true), "there is no note 'n2'"),
        (memory.delete_note(NoteId(0)), "there is no note 'n0'"),
    ];
    for (outcome, expected) in outcomes {
        let text = outcome.unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
    }
    for id in ["", "n", "n-1", "x1", "n99999999999999999999999", "+1", "auth"] {
        assert!(matches!(memory.find_note(id), Err(Rejected::UnknownNote(_))), "{id}");
    }
    assert_eq!(Salience::new(4), Err(Rejected::BadSalience(4)));
    assert_eq!(memory.view().notes, before);
    assert_eq!(memory.last_note(), 1);
}

/// Stores and reads memory's notes as the store does.
fn reloaded(memory: &Memory) -> Memory {
    let notes = memory.searchable_notes().cloned().collect();
    let last_note = memory.last_note();
    let restored = Restored { turn: memory.turn(), notes, last_note, ..Restored::default() };
    Memory::restore(Rules::default(), frame(), Arc::new(Words), restored)
}

#[test]
fn a_restart_keeps_the_notes_and_gives_no_number_twice() {
    let mut memory = filled(NoteLimits::default(), 5, &[2]);
    memory.archive_note(NoteId(1)).unwrap();
    memory.pin_note(NoteId(2), true).unwrap();
    memory.delete_note(NoteId(5)).unwrap();
    let mut again = reloaded(&memory);
    assert_eq!(again.view().notes, memory.view().notes);
    assert_eq!(remember(&mut again, &[]), NoteId(6));
}

#[test]
fn a_file_that_was_edited_by_hand_does_not_break_the_window() {
    let mut memory = memory();
    remember(&mut memory, &[]);
    let good = memory.note(NoteId(1)).unwrap().clone();
    let odd = Note {
        id: NoteId(7),
        content: "two\nlines\n".into(),
        tags: tags(&["a\nb", ""]),
        ..good.clone()
    };
    let removed = Note { id: NoteId(9), state: NoteState::Removed, ..good.clone() };
    let twice = Note { content: "again".into(), ..good.clone() };
    let notes = vec![good, odd, removed, twice];
    let restored = Restored { notes, last_note: 2, ..Restored::default() };
    let memory = Memory::restore(Rules::default(), frame(), Arc::new(Words), restored);
    let lines: Vec<String> = memory.notes.in_session().map(|held| held.note.line()).collect();
    assert_eq!(lines, ["- [n1 ★★] a fact\n", "- [n7 ★★ a b] two lines\n"]);
    assert_eq!(memory.last_note(), 9);
    assert_eq!(memory.window().layers, memory.layers());
}
