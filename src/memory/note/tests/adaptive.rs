//! Limits that adapt to use.

use proptest::prelude::*;

use super::super::adaptive::adapted;
use super::*;

fn adaptive() -> NoteLimits {
    NoteLimits { adaptive: true, ..NoteLimits::default() }
}

#[test]
fn what_is_found_often_makes_room_and_what_lies_idle_takes_it() {
    let mut memory = with(adaptive());
    for _ in 0..36 {
        remember(&mut memory, &[]);
    }
    let why = |memory: &Memory| memory.note_stats().why();
    assert_eq!(why(&memory), "35/50: as set (0 found in 20 turns, 0 idle)");
    assert_eq!(
        (memory.note_stats().limits(), filled_stats().why()),
        ("adaptive", "35/50: as set".into())
    );
    for id in 1..=3 {
        memory.use_note(NoteId(id));
        memory.use_note(NoteId(id));
    }
    assert_eq!(why(&memory), "38/54: notes are found often (3 in 20 turns, 0 idle)");
    let check = memory.check_notes();
    assert_eq!(lines(&check), [(LogLevel::Debug, "Working memory within budget (36/38/54)")]);
    for _ in 0..19 {
        say(&mut memory, "hm");
    }
    assert_eq!(why(&memory), "38/54: notes are found often (3 in 20 turns, 0 idle)");
    say(&mut memory, "hm");
    assert_eq!(why(&memory), "25/50: notes lie idle (36 for 20 turns, 0 found)");
    let check = memory.check_notes();
    assert_eq!(
        check.changes[0].cause,
        "oldest, 36 notes at the soft limit of 25: notes lie idle (36 for 20 turns, 0 found)"
    );
}

fn filled_stats() -> NoteStats {
    filled(NoteLimits::default(), 3, &[]).note_stats()
}

#[test]
fn a_note_that_was_brought_back_makes_room_and_undoing_what_left_is_not_idle() {
    let mut memory = with(adaptive());
    let id = remember(&mut memory, &[]);
    memory.archive_note(id).unwrap();
    memory.return_note(id, "back on request").unwrap();
    assert_eq!(memory.note_stats().why(), "36/51: notes are found often (1 in 20 turns, 0 idle)");
    for _ in 0..2 {
        remember(&mut memory, &[]);
    }
    for _ in 0..20 {
        say(&mut memory, "hm");
    }
    let idle = |memory: &Memory| memory.note_stats().lately.unwrap().idle;
    assert_eq!(idle(&memory), 3);
    let gone = memory.delete_note(id).unwrap();
    assert_eq!(idle(&memory), 2);
    memory.undo_note(gone.note.as_deref().unwrap());
    assert_eq!(idle(&memory), 2, "what came back just now is not idle");
}

#[test]
fn the_bounds_are_the_presets_of_the_seed() {
    let (soft, hard) = NotePreset::Interactive.limits();
    assert_eq!(adapted(soft, hard, 0, 1_000), (NotePreset::Production.limits().0, hard));
    let (soft, hard) = adapted(soft, hard, 1_000, 0);
    let research = NotePreset::Research.limits();
    assert!(soft == research.0 && hard <= research.1, "{soft} {hard}");
}

proptest! {
    #[test]
    fn adapted_limits_stay_in_their_bounds_and_follow_their_causes(
        soft in 0..100_000_usize,
        above in 1..100_000_usize,
        found in prop_oneof![0..60_usize, any::<usize>()],
        idle in prop_oneof![0..60_usize, any::<usize>()],
    ) {
        let hard = soft + above;
        let now = adapted(soft, hard, found, idle);
        prop_assert!((soft * 5 / 7..=(soft * 10 / 7).max(1)).contains(&now.0));
        prop_assert!(1 <= now.0 && now.0 <= now.1 && (soft == 0 || now.0 < now.1));
        prop_assert!(hard <= now.1, "nothing is removed sooner than set");
        prop_assert!(now.0 <= adapted(soft, hard, found.saturating_add(1), idle).0);
        prop_assert!(now.0 >= adapted(soft, hard, found, idle.saturating_add(1)).0);
    }
}
